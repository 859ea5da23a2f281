"""Every number in a reason of Myraclia agrees with the rules applied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from ludoteca.games.myraclia import components as C
from ludoteca.games.myraclia import rules as R
from ludoteca.games.myraclia.view.facts import element_word
from ludoteca.games.myraclia.view.reasons import ALERTS
from ludoteca.text.players import player_word
from tests.conformance.harness import Case, after, configurations, legal, random_turn, shares
from tests.conformance.reasons import (
    Choice,
    Proof,
    bot_choices,
    choices,
    kinds_of,
    prove_alerts,
    stored_choices,
)
from tests.myraclia.model import TILES
from tests.myraclia.model import Game as Model
from tests.width import width

State = Any  # the game's own record
CASES = [case for case in configurations('myraclia', 'narrow') if not case.options.changed()]
ETERNITY = [case for case in configurations('myraclia', 'narrow') if 'eternity' in case.options.changed()]
ARRANGED = [
    case for case in configurations('myraclia', 'narrow') if 'arranged' in case.options.changed().values()
]
GAME = CASES[0].game
N_DARK = C.FIRST_DARK


def points(s: State, seat: int) -> float:
    return float(shares(GAME, 'scores', s)[seat])


def free_each_round(s: State, seat: int) -> int:
    found = 0
    for tile in range(N_DARK):
        if s['owner'][tile] == seat:
            found += C.RELEASED[tile] >= 0
            found += sum(
                int(s['tokens_on'][tile]) >> token & 1 and C.TOKEN_KIND[token] == C.FREE_TOKEN
                for token in range(C.N_TOKENS)
            )
    return found


def beside(s: State, cell: int, seat: int) -> int:
    """Tiles of the seat next to a place."""
    q, r = C.place_of(cell)
    near = [s['cell'][C.cell_at(q + a, r + b)] for a, b in C.WAYS]
    return sum(tile >= 0 and s['owner'][tile] == seat for tile in near)


def added(s: State, seat: int, turn: tuple[int, ...]) -> int:
    cells = [(action - R.PLACE) % C.N_CELLS for action in turn if R.PLACE <= action < R.TOKEN]
    return sum(beside(s, cell, seat) for cell in cells)


def payable(s: State, seat: int) -> list[int]:
    """The tiles that a seat could begin to pay for if it were its turn to terraform: by the legal actions."""
    trial = s.copy()
    trial.to_move, trial.phase, trial.n_actions = seat, R.Phase.TURN, 0
    trial.pool[:] = s['own'][seat] + s['zone']
    trial.budget = int(s['own'][seat].sum())
    return [action - R.TERRAFORM for action in legal(GAME, trial) if R.TERRAFORM <= action < R.RESERVE]


def drafted(b: State, turn: tuple[int, ...]) -> State:
    """A draft after a cube or a pass, as if it went on in any case."""
    s, seat = b.copy(), int(b.to_move)
    if turn[0] == R.PASS:
        if s['disk'][seat] < 0:
            R.lay_disk(s, seat, R.ASIDE)
        return s
    s.board[turn[0]] += 1  # so that the draft cannot be over
    R.draft(s, turn[0])
    s.board[turn[0]] -= 1
    return s


def order(s: State, seat: int) -> int:
    """The place of a seat, from 1, if the disks decided now."""
    trial = s.copy()
    R.set_terraforming_order(trial)
    return int(trial['order'][: int(s.players)].tolist().index(seat)) + 1


def prize(s: State, seat: int) -> int:
    found = [0]
    for tile in payable(s, seat):
        tokens = sum(
            C.TOKEN_VALUE[token]
            for token in range(C.N_TOKENS)
            if int(s['tokens_on'][tile]) >> token & 1 and C.TOKEN_KIND[token] == C.POINT_TOKEN
        )
        found.append(C.POINTS[tile] + tokens + beside(s, int(s['where'][tile]), seat))
    return max(found)


def model(s: State) -> Model:
    """The position for the slow model, between the steps of a payment or a reservation."""
    return Model.read({key: value for key, value in GAME.to_json(s).items() if key != 'steps'})


def bonus(b: State, s: State, seat: int, source: str) -> int:
    """What a turn adds to the final scoring, by the model."""
    return model(s).bonuses(seat)[source] - model(b).bonuses(seat)[source]


def wanted(b: State, colour: int) -> int:
    """Tiles that the seat to move may terraform and that lack an element of which it has no cube."""
    game, element = model(b), C.COLOURS[colour]
    if b['own'][b.to_move][colour]:
        return 0
    tiles = [tile for place, tile in game.surface.items() if game.may_terraform(place)]
    return sum(element in set(TILES[tile].required) - game.cubes_on[tile] for tile in tiles)


Measure = Callable[[State, State, int, tuple[int, ...]], float]
TERRAFORMING: dict[str, Measure] = {
    'points': lambda b, s, seat, t: points(s, seat) - points(b, seat),
    'pays_others': lambda b, s, seat, t: sum(
        points(s, other) - points(b, other) for other in range(s.players) if other != seat
    ),
    'tiles': lambda b, s, seat, t: s['done'][seat] - b['done'][seat],
    'beside': lambda b, s, seat, t: s['sources'][seat][R.Source.OWN] - b['sources'][seat][R.Source.OWN],
    'area': lambda b, s, seat, t: bonus(b, s, seat, 'area'),
    'surfaces': lambda b, s, seat, t: bonus(b, s, seat, 'surfaces'),
    'types': lambda b, s, seat, t: bonus(b, s, seat, 'types') / 6,
    'free': lambda b, s, seat, t: free_each_round(s, seat) - free_each_round(b, seat),
    'reserves': lambda b, s, seat, t: s['reserved'][seat] not in (R.NONE, b['reserved'][seat]),
    'joins': lambda b, s, seat, t: added(s, seat, t),
    'leaves': lambda b, s, seat, t: s['lent'].sum(),
}
DRAFTING: dict[str, Measure] = {
    'affords': lambda b, s, seat, t: len(payable(s, seat)),
    'prize': lambda b, s, seat, t: prize(s, seat),
    'order': lambda b, s, seat, t: order(s, seat),
    'last': lambda b, s, seat, t: t[0] != R.PASS and s['board'][t[0]] == 0,
    'keeps': lambda b, s, seat, t: t[0] != R.PASS and b['disk'][seat] == s['disk'][seat] >= 0,
    'wanted': lambda b, s, seat, t: 0 if t[0] == R.PASS else wanted(b, t[0]),
}


def laid(b: State, turn: tuple[int, ...]) -> tuple[int, list[int]]:
    """The starting tile that a turn lays, and the tiles beside it."""
    slot, k = divmod(turn[0] - R.ARRANGE, R.N_START_CELLS)
    tile = [t for t in range(C.N_TILES) if int(b['to_lay']) >> t & 1][slot]
    q, r = C.place_of(int(R.start_cell(k)))
    near = [int(b['cell'][C.cell_at(q + x, r + y)]) for x, y in C.WAYS]
    return tile, [other for other in near if other >= 0]


def shares_surface(one: int, other: int) -> bool:
    return any(surface in C.SURFACES_OF[other] for surface in C.SURFACES_OF[one])


ARRANGING: dict[str, Measure] = {
    'lies_beside': lambda b, s, seat, t: len(laid(b, t)[1]),
    'alike': lambda b, s, seat, t: sum(shares_surface(laid(b, t)[0], other) for other in laid(b, t)[1]),
}
TOKENS: dict[str, Measure] = {
    'token': lambda b, s, seat, t: beside(b, int(b['where'][t[0] - R.TOKEN]), seat),
}


def measured(choice: Choice, kind: str, turn: tuple[int, ...], seed: int) -> float | None:
    """None where the end of the game has come between."""
    before, s = choice.after(turn, seed)
    if kind in DRAFTING:
        return float(DRAFTING[kind](before, drafted(before, turn), choice.seat, turn))
    if kind in ARRANGING:
        return float(ARRANGING[kind](before, s, choice.seat, turn))
    if kind in TOKENS:
        return float(TOKENS[kind](before, s, choice.seat, turn))
    if s.ending or (kind in ('free', 'leaves') and s['round'] != before['round']):
        return None
    return float(TERRAFORMING[kind](before, s, choice.seat, turn))


def check(choice: Choice) -> None:
    """Whatever is drawn later."""
    for reason in choice.reasons:
        for seed in (0, 1):
            n = measured(choice, reason.kind, choice.turn, seed)
            assert n is None or reason.numbers['n'] == n, reason
            other = measured(choice, reason.kind, choice.other, seed)
            assert other is None or reason.numbers['other'] == max(0, other), (reason, choice.other)


@pytest.mark.parametrize('case', [*CASES, *ETERNITY[:1], *ARRANGED[:1]], ids=str)
def test_reasons_are_true(case: Case) -> None:
    assert {*TERRAFORMING, *DRAFTING, *TOKENS, *ARRANGING} == kinds_of(case.game).keys()
    for choice in choices(case, 7, every=width(3, 1)):
        check(choice)


def test_every_kind_is_true_where_it_is_stored_and_in_games_of_bots() -> None:
    for choice in (*stored_choices('myraclia'), *bot_choices('myraclia', width(6, 1))):
        check(choice)


# ---- alerts ------------------------------------------------------------------------------------------------


def most_of_one_tile(s: State, seat: int) -> int:
    """The most points that a single tile brings at once: in a turn each is terraformed."""
    if s.phase == R.Phase.DRAFT:
        return prize(s, seat)
    found = [0]
    for action in legal(GAME, s):
        if R.TERRAFORM <= action < R.RESERVE:
            trial = after(GAME, s, action)
            while trial['owner'][action - R.TERRAFORM] != seat:  # any way to pay will do
                trial = after(GAME, trial, legal(GAME, trial)[0])
            found.append(int(points(trial, seat) - points(s, seat)))
    return max(found)


def drafts(s: State, seat: int, element: str) -> int:
    """What the best tile that can be paid brings after the draft of a cube."""
    (colour,) = (colour for colour in range(C.N_COLOURS) if element_word(colour) == element)
    return prize(drafted(s, (R.DRAFT + colour,)), seat)


def is_last_turn(s: State, seat: int) -> bool:
    """However it is played on, the seat does not terraform again."""
    trial, game_seed = s.copy(), 0
    while not trial.ending:
        if trial.to_move == seat and trial.phase == R.Phase.TURN and trial['round'] != s['round']:
            return False
        game_seed += 1
        for action in random_turn(GAME, trial, int(trial.to_move), game_seed):
            trial = after(GAME, trial, action)
    return True


def ends_with_one_more(s: State, player: str) -> bool:
    """With one more tile of the player the round is the last."""
    (rival,) = (seat for seat in range(s.players) if player_word(seat) == player)
    trial = s.copy()
    trial.done[rival] += 1
    R.end_round(trial)
    without = s.copy()
    R.end_round(without)
    return bool(trial['ending'] == R.Ending.TERRAFORMED and without['ending'] != R.Ending.TERRAFORMED)


PROOFS: dict[str, Proof] = {
    'unfinished': lambda a, s, seat: bool(s['reserved'][seat] != R.NONE) and is_last_turn(s, seat),
    'last_round': lambda a, s, seat: is_last_turn(s, seat),
    'ends': lambda a, s, seat: ends_with_one_more(s, a.names['player']),
    'best': lambda a, s, seat: a.numbers['n'] == most_of_one_tile(s, seat),
    'draft': lambda a, s, seat: (
        a.numbers['n'] == drafts(s, seat, a.names['element']) > most_of_one_tile(s, seat)
    ),
}


def unreserved(choice: Choice) -> Choice:
    """The same choice without the seat's reservation; chance always makes one in time."""
    known: State = choice.known.copy()
    known.reserved[choice.seat] = R.NONE
    return replace(choice, known=known)


def test_alerts_are_true() -> None:
    """In games played by chance, and in games between bots."""
    assert PROOFS.keys() == ALERTS.keys()
    drawn = [choice for case in CASES for choice in choices(case, 0)]
    late = [one for one in drawn if any(alert.kind == 'unfinished' for alert in one.alerts)]
    some = chain(drawn[:: width(3, 1)], late, map(unreserved, late), bot_choices('myraclia', width(2, 1)))
    assert prove_alerts(some, PROOFS) == ALERTS.keys()
