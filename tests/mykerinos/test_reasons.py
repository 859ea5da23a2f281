"""Every number in a reason of Mykerinos agrees with the rules applied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ludoteca.games.mykerinos import components as C
from ludoteca.games.mykerinos import rules as R
from ludoteca.kernel import WORD
from tests.conformance.harness import Case, after, configurations, legal
from tests.conformance.reasons import Choice, bot_choices, choices, kinds_of, stored_choices
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
