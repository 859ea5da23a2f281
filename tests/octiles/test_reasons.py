"""Every number in a reason of Octiles agrees with the rules applied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest

from ludoteca.games.octiles import components as C
from ludoteca.games.octiles import rules as R
from ludoteca.games.octiles.view.facts import player_word
from ludoteca.games.octiles.view.reasons import ALERTS
from tests.conformance.harness import Case, after, configurations, legal, shares
from tests.conformance.reasons import (
    Choice,
    Proof,
    bot_choices,
    choices,
    kinds_of,
    prove_alerts,
    stored_choices,
)
from tests.width import width

State = Any  # the game's own record
CASES = [case for case in configurations('octiles', 'narrow') if not case.options.changed()]
GAME = CASES[0].game
AXES = {'W': (0, -1), 'E': (0, 1), 'N': (1, 1), 'S': (1, -1)}
Turn = tuple[int, ...]


def posts(s: State, seat: int) -> list[int]:
    return [int(post) for post in s['runner'][seat] if post >= 0]


def rows(s: State, seat: int, post: int) -> int:
    """The lines of stops from a post on, with its own, towards the goal; one more from another circle."""
    goal = int(R.goal_side(s, seat))
    axis, way = AXES[C.SIDES[goal]]
    if post >= C.N_STOPS:
        return 0 if C.SIDE_OF[post] == goal else 5
    lines = {way * C.POST_XY[stop][axis] for stop in C.STOPS}
    return sum(line >= way * C.POST_XY[C.POSTS[post]][axis] for line in lines)


def ends(s: State, post: int) -> list[int]:
    """Where the paths from a post end."""
    return [end for port in C.EXITS[post] if (end := int(R.end_of_path(s, port))) >= 0]


def free_ends(s: State, seat: int, post: int) -> list[int]:
    goal, taken = int(R.goal_side(s, seat)), int(s['occupied'])
    return [end for end in ends(s, post) if not taken >> end & 1 and C.SIDE_OF[end] in (-1, goal)]


def away(s: State, seat: int) -> list[int]:
    return [post for post in posts(s, seat) if C.SIDE_OF[post] != R.goal_side(s, seat)]


def leading_home(s: State, seat: int) -> int:
    return sum(any(C.SIDE_OF[end] >= 0 for end in free_ends(s, seat, post)) for post in away(s, seat))


def reach(s: State, seat: int) -> int:
    return sum(
        max([0, *(rows(s, seat, post) - rows(s, seat, end) for end in free_ends(s, seat, post))])
        for post in away(s, seat)
    )


def rivals(s: State, seat: int) -> list[int]:
    return [other for other in range(s.players) if other != seat]


def stop_taken(s: State, seat: int, turn: Turn) -> int:
    if turn[-1] == R.PASS:
        return 0
    end = (turn[-1] - R.FIRST_MOVE) % C.N_POSTS
    return sum(end in ends(s, post) for other in rivals(s, seat) for post in away(s, other))


Measure = Callable[[State, State, int, Turn], float]
MEASURES: dict[str, Measure] = {
    'wins': lambda b, s, seat, t: s['winner'] == seat,
    'home': lambda b, s, seat, t: shares(GAME, 'scores', s)[seat] - shares(GAME, 'scores', b)[seat],
    'starts': lambda b, s, seat, t: (
        sum(C.SIDE_OF[p] == R.home_side(b, seat) for p in posts(b, seat))
        - sum(C.SIDE_OF[p] == R.home_side(s, seat) for p in posts(s, seat))
    ),
    'forward': lambda b, s, seat, t: (
        sum(rows(b, seat, p) for p in posts(b, seat)) - sum(rows(s, seat, p) for p in posts(s, seat))
    ),
    'last': lambda b, s, seat, t: (
        max(rows(b, seat, p) for p in posts(b, seat)) - max(rows(s, seat, p) for p in posts(s, seat))
    ),
    'ready': lambda b, s, seat, t: leading_home(s, seat),
    'threats': lambda b, s, seat, t: sum(leading_home(s, other) for other in rivals(s, seat)),
    'reach': lambda b, s, seat, t: reach(s, seat),
    'hinders': lambda b, s, seat, t: sum(reach(s, other) for other in rivals(s, seat)),
    'stop': lambda b, s, seat, t: stop_taken(s, seat, t),
}


def measured(choice: Choice, kind: str, turn: Turn, seed: int) -> float:
    before, s = choice.after(turn, seed)
    unfinished = kind in ('wins', 'home', 'starts', 'forward', 'last')
    return 0 if s.ending and not unfinished else float(MEASURES[kind](before, s, choice.seat, turn))


def check(choice: Choice) -> None:
    """Whatever the order of the stack is."""
    for reason in choice.reasons:
        for seed in (0, 1):
            assert reason.numbers['n'] == measured(choice, reason.kind, choice.turn, seed), reason
            other = measured(choice, reason.kind, choice.other, seed)
            assert reason.numbers['other'] == max(0, other), reason


@pytest.mark.parametrize('case', CASES, ids=str)
def test_reasons_are_true(case: Case) -> None:
    assert MEASURES.keys() == kinds_of(case.game).keys()
    for choice in choices(case, 7, every=width(3, 1)):
        check(choice)


def test_every_kind_is_true_where_it_is_stored_and_in_games_of_bots() -> None:
    for choice in (*stored_choices('octiles'), *bot_choices('octiles', width(6, 1))):
        check(choice)


# ---- alerts ------------------------------------------------------------------------------------------------


def outcomes(s: State, seat: int, tile: int) -> Iterator[State]:
    """What every turn of a seat with a tile would lead to."""
    trial = s.copy()
    trial.to_move = seat
    trial.stack[int(trial.stack_head)] = tile
    for placement in legal(GAME, trial):
        if placement != R.PASS:
            laid = after(GAME, trial, placement)
            yield from (after(GAME, laid, move) for move in legal(GAME, laid))


def could_lose(s: State, seat: int, player: str) -> bool:
    """With one of the tiles of the stack the player could win, were it that player's turn."""
    rival = next(other for other in rivals(s, seat) if player_word(s, other) == player)
    stack = [int(tile) for tile in s['stack'] if tile >= 0 and tile != R.top_tile(s)]
    return any(end['winner'] == rival for tile in stack for end in outcomes(s, rival, tile))


PROOFS: dict[str, Proof] = {
    'wins': lambda a, s, seat: any(end['winner'] == seat for end in outcomes(s, seat, int(R.top_tile(s)))),
    'home': lambda a, s, seat: any(
        len(away(end, seat)) < len(away(s, seat)) for end in outcomes(s, seat, int(R.top_tile(s)))
    ),
    'loses': lambda a, s, seat: could_lose(s, seat, a.names['player']),
}


def test_alerts_are_true() -> None:
    """In games played by chance, and in games between bots."""
    assert PROOFS.keys() == ALERTS.keys()
    drawn = (choice for case in CASES for choice in choices(case, 3, every=width(7, 1)))
    assert prove_alerts(chain(drawn, bot_choices('octiles')), PROOFS) == ALERTS.keys()


def test_nobody_who_can_win_is_told_of_less() -> None:
    """Where a turn wins, it is the first alert."""
    for choice in bot_choices('octiles', width(3, 1)):
        _, s = choice.after(choice.turn)
        if s['winner'] == choice.seat:
            assert choice.alerts[0].kind == 'wins'
