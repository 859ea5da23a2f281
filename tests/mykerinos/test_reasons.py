"""Every number in a reason of Mykerinos agrees with the rules applied."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest

from ludoteca.games.mykerinos import components as C
from ludoteca.games.mykerinos import rules as R
from ludoteca.games.mykerinos.view.facts import patron_word, player_word, tiles_in
from ludoteca.games.mykerinos.view.reasons import ALERTS
from ludoteca.kernel import WORD
from tests.conformance.harness import Case, after, configurations, legal
from tests.conformance.reasons import (
    Choice,
    Proof,
    bot_choices,
    choices,
    kinds_of,
    prove_alerts,
    stored_choices,
)
from tests.mykerinos.model import Game as Model
from tests.width import width

State = Any  # the game's own record
CASES = [case for case in configurations('mykerinos', 'narrow') if not case.options.changed()]
NAMES = CASES[0].game
SURVEY = (R.Phase.CLAIM, R.Phase.REMOVE)
NEUTRAL = 4


def ranks(s: State) -> list[list[int]]:
    """By area who would be ranked in its survey now."""
    found = []
    for area in range(R.DEAL[s['season']] // 2):
        trial = s.copy()
        trial.area = area
        R.rank_area(trial)
        found.append([int(who) for who in trial['rank'][: int(trial['n_ranked'])]])
    return found


def extended(s: State, seat: int) -> set[int]:
    """The spaces on which the seat can lay cubes of an extension if it is its turn: every extension by two
    cubes is made."""
    if seat in s['scale']:
        return set()
    trial, found = s.copy(), set[int]()
    trial.to_move, trial.phase = seat, R.Phase.EXCAVATE
    before = trial['cubes'][seat].tolist()
    for first in legal(NAMES, trial):
        if R.EXTEND <= first < R.SPACE:
            begun = after(NAMES, trial, first)
            for second in legal(NAMES, begun):
                words = zip(before, after(NAMES, begun, second)['cubes'][seat].tolist(), strict=True)
                new = [one & ~old for old, one in words]
                found |= {space for space in range(C.N_SPACES) if new[space // WORD] >> space % WORD & 1}
    return found


def reached(s: State, seat: int) -> int:
    """Areas without a cube of the seat into which it could extend."""
    return sum(not R.cubes_in(s, seat, area) for area in {C.AREA_OF[space] for space in extended(s, seat)})


def open_to_others(s: State, seat: int) -> int:
    """Spaces to which others could extend."""
    return len(set[int]().union(*(extended(s, other) for other in range(s.players) if other != seat)))


def ties(s: State, seat: int) -> int:
    """Areas in which somebody with as many cubes is ranked after the seat."""
    found = 0
    for area, order in enumerate(ranks(s)):
        if seat in order:
            own = R.cubes_in(s, seat, area)
            found += any(R.cubes_in(s, who, area) == own for who in order[order.index(seat) + 1 :])
    return found


def passes(turn: tuple[int, ...]) -> bool:
    return R.PASS in turn


def names(s: State, turn: tuple[int, ...]) -> str:
    return NAMES.action_name(s, turn[0])


def sets(s: State, seat: int) -> int:
    return min(int(n) for n in s['held'][seat][: C.N_PATRONS])


def new_room(b: State, s: State, seat: int) -> list[int]:
    return [room for room in range(C.N_ROOMS) if s['room'][room] == seat != b['room'][room]]


def opened(b: State, s: State, seat: int) -> int:
    """Rooms that the seat could enter now and could not before, by the slow model."""
    if not new_room(b, s, seat):
        return 0
    now, before = (set(Model.read(NAMES.to_json(state)).open_rooms(seat)) for state in (s, b))
    return len(now - before)


def new_tile(b: State, s: State, seat: int) -> list[int]:
    return [tile for tile in range(C.N_TILES) if s['owner'][tile] == seat != b['owner'][tile]]


def denied(b: State, turn: tuple[int, ...], seat: int) -> int:
    """What the tile of a claim would bring to the next player of the ranks."""
    kind = names(b, turn)
    if b.phase not in SURVEY or 'take' not in kind:
        return 0
    place = b['dealt'] - R.DEAL[b['season']] + 2 * b['area'] + int(kind[-1]) - 1
    tile = int(b['deck'][place])
    waiting = [int(who) for who in b['rank'][int(b['next_rank']) : int(b['n_ranked'])]]
    waiting = [who for who in waiting if who not in (seat, NEUTRAL)]
    if not waiting:
        return 0
    trial = b.copy()
    trial.held[waiting[0], C.PATRON_OF[tile]] += 1
    return int(R.exhibition(trial, waiting[0]) - R.exhibition(b, waiting[0]) + C.POINTS_OF[tile])


Measure = Callable[[State, State, int, tuple[int, ...]], float]
DIGGING: dict[str, Measure] = {
    'leads': lambda b, s, seat, t: sum(order[:1] == [seat] for order in ranks(s)),
    'seconds': lambda b, s, seat, t: sum(order[1:2] == [seat] for order in ranks(s)),
    'overtakes': lambda b, s, seat, t: sum(
        new[:1] == [seat] and old[:1] not in ([], [seat]) for old, new in zip(ranks(b), ranks(s), strict=True)
    ),
    'ties': lambda b, s, seat, t: ties(s, seat) if passes(t) else 0,
    'stock': lambda b, s, seat, t: s['stock'][seat],
    'reach': lambda b, s, seat, t: reached(s, seat),
    'crowds': lambda b, s, seat, t: open_to_others(s, seat),
}
SURVEYING: dict[str, Measure] = {
    'points': lambda b, s, seat, t: sum(C.POINTS_OF[tile] for tile in new_tile(b, s, seat)),
    'exhibits': lambda b, s, seat, t: R.exhibition(s, seat) - R.exhibition(b, seat),
    'sets': lambda b, s, seat, t: sets(s, seat) - sets(b, seat),
    'first_tile': lambda b, s, seat, t: any(
        C.PATRON_OF[tile] != C.BLANK and not b['held'][seat][C.PATRON_OF[tile]]
        for tile in new_tile(b, s, seat)
    ),
    'room': lambda b, s, seat, t: sum(C.ROOM_POINTS[room] for room in new_room(b, s, seat)),
    'opens': lambda b, s, seat, t: opened(b, s, seat),
    'denies': lambda b, s, seat, t: denied(b, t, seat),
}


def measured(choice: Choice, kind: str, turn: tuple[int, ...], seed: int) -> float | None:
    """None where what has followed the turn has changed it: an area that was surveyed, a new season."""
    before, s = choice.after(turn, seed)
    if kind in DIGGING:
        if before.phase in SURVEY:
            return 0
        if s.ending or s.phase in SURVEY or s['season'] != before['season']:
            return None
        return float(DIGGING[kind](before, s, choice.seat, turn))
    return float(SURVEYING[kind](before, s, choice.seat, turn))


def check(choice: Choice) -> int:
    """Whatever is dealt later. Returns how many numbers were compared."""
    compared = 0
    for reason in choice.reasons:
        for seed in (0, 1):
            n = measured(choice, reason.kind, choice.turn, seed)
            other = measured(choice, reason.kind, choice.other, seed)
            assert n is None or reason.numbers['n'] == n, reason
            assert other is None or reason.numbers['other'] == max(0, other), reason
            compared += n is not None
    return compared


@pytest.mark.parametrize('case', CASES, ids=str)
def test_reasons_are_true(case: Case) -> None:
    assert {*DIGGING, *SURVEYING} == kinds_of(case.game).keys()
    assert sum(check(choice) for choice in choices(case, 7, every=width(2, 1)))


def test_every_kind_is_true_where_it_is_stored_and_in_games_of_bots() -> None:
    for choice in (*stored_choices('mykerinos'), *bot_choices('mykerinos', width(6, 1))):
        check(choice)


def test_points_at_once_are_the_difference_of_the_scores() -> None:
    told = 0
    for seed in range(3):
        for choice in choices(CASES[0], seed):
            for reason in choice.reasons:
                if reason.kind == 'points':
                    before, s = choice.after(choice.turn)
                    if not s.ending:
                        told += 1
                        gained = s['points'][choice.seat] - before['points'][choice.seat]
                        assert reason.numbers['n'] == gained
    assert told


# ---- alerts ------------------------------------------------------------------------------------------------


def seat_of(s: State, player: str) -> int:
    return next((who for who in range(s.players) if player_word(who) == player), NEUTRAL)


def first_in(s: State, area: str) -> int:
    """Who would choose first in an area; -1 for nobody."""
    return next(iter(ranks(s)[C.AREAS.index(area)]), -1)


def first_after_a_start(s: State, area: str, seat: int) -> set[int]:
    """Who would choose first there after any start of a seat in the area, if it were its turn."""
    trial = s.copy()
    trial.to_move = seat
    starts = [action for action in legal(NAMES, trial) if action < R.EXTEND]
    starts = [action for action in starts if C.AREA_OF[action - R.START] == C.AREAS.index(area)]
    return {first_in(after(NAMES, trial, action), area) for action in starts}


def takes(s: State) -> list[tuple[int, State]]:
    """The tiles that the seat to move can take, each with what follows."""
    actions = [action for action in legal(NAMES, s) if R.TAKE <= action < R.NOTHING]
    return [(tiles_in(s, int(s.area))[action - R.TAKE], after(NAMES, s, action)) for action in actions]


def worth(s: State, seat: int) -> int:
    """The points of a seat if the exhibition were held now."""
    return int(s['points'][seat]) + (0 if s.ending else int(R.exhibition(s, seat)))


def patron_of(tile: int) -> str:
    return 'without a patron' if C.PATRON_OF[tile] == C.BLANK else patron_word(C.PATRON_OF[tile])


def rival_gains(s: State, player: str, tile: str) -> list[int]:
    """What tiles of a patron bring to the player who chooses next, if the seat to move takes nothing."""
    rest = after(NAMES, s, R.NOTHING)
    assert rest['to_move'] == seat_of(s, player)
    rival = seat_of(s, player)
    return [worth(end, rival) - worth(s, rival) for one, end in takes(rest) if patron_of(one) in tile]


def completes(s: State, seat: int, patron: str) -> bool:
    def sets(state: State) -> int:
        return int(min(state['held'][seat][: len(C.PATRONS)]))

    tiles = [(tile, end) for tile, end in takes(s) if patron_word(C.PATRON_OF[tile]) == patron]
    return any(sets(end) > sets(s) for _, end in tiles)


def opens_five(s: State, patron: str) -> bool:
    rooms = [action - R.MUSEUM for action in legal(NAMES, s) if R.MUSEUM <= action < R.APPEAL]
    wings = [C.wings_of(room)[0] for room in rooms if C.ROOM_POINTS[room] == 5]
    return any(patron_word(s['wing'].tolist().index(wing)) == patron for wing in wings)


def neutral_is_next(s: State) -> bool:
    """With two players the neutral colour may choose in between."""
    return NEUTRAL in s['rank'][: int(s['n_ranked'])]


PROOFS: dict[str, Proof] = {
    'loses_lead': lambda a, s, seat: (
        first_in(s, a.names['area']) == seat
        and first_after_a_start(s, a.names['area'], seat_of(s, a.names['player']))
        == {seat_of(s, a.names['player'])}
    ),
    'gains_lead': lambda a, s, seat: (
        first_in(s, a.names['area']) == seat_of(s, a.names['player'])
        and first_after_a_start(s, a.names['area'], seat) == {seat}
    ),
    'empty': lambda a, s, seat: (
        first_in(s, a.names['area']) == -1 and first_after_a_start(s, a.names['area'], seat) == {seat}
    ),
    'completes': lambda a, s, seat: completes(s, seat, a.names['patron']),
    'opens_five': lambda a, s, seat: opens_five(s, a.names['patron']),
    'rival': lambda a, s, seat: (
        neutral_is_next(s) or a.numbers['n'] in rival_gains(s, a.names['player'], a.names['tile'])
    ),
}


def test_alerts_are_true() -> None:
    """In games played by chance, and in games between bots."""
    assert PROOFS.keys() == ALERTS.keys()
    drawn = (choice for case in CASES for choice in choices(case, 3, every=width(2, 1)))
    assert prove_alerts(chain(drawn, bot_choices('mykerinos')), PROOFS) == ALERTS.keys()
