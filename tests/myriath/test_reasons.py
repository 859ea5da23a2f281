"""Every number in a reason of Myriath agrees with the rules applied."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
import pytest
import shapely

from ludoteca.games.myriath import rules as R
from ludoteca.games.myriath.view.facts import read
from ludoteca.games.myriath.view.reasons import ALERTS
from ludoteca.puzzles import puzzles
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
from tests.myriath.model import Game as Model
from tests.myriath.model import placements, touch
from tests.width import width

State = Any  # the game's own record
CASES = [case for case in configurations('myriath', 'narrow') if not case.options.changed()]
GAME = CASES[0].game


def points(s: State, seat: int) -> float:
    return float(shares(GAME, 'scores', s)[seat])


def leads(s: State, seat: int) -> bool:
    own = points(s, seat)
    return all(points(s, other) < own for other in range(s.players) if other != seat)


def layings(s: State, seat: int) -> list[str]:
    """The names of what a seat could lay in play."""
    trial = s.copy()
    trial.to_move, trial.phase = seat, R.Phase.PLAY
    return [name for action in legal(GAME, trial) if (name := GAME.action_name(trial, action)) != 'pass']


def tiles(names: list[str]) -> int:
    return len({name.split()[0] for name in names})


def within_reach(s: State) -> dict[int, float]:
    """By seat the points of its open half edges that a tile left in some hand touches where it fits, by the
    polygons of the model."""
    game = Model.read(GAME.to_json(s))
    lines, of, connected = game.ends
    area, left = placements(game.side), set().union(*map(game.hand, range(game.players))) - {'O'}
    outlines = area.outlines[np.isin(area.of, sorted(left))]
    shapely.prepare(game.free)
    outlines = outlines[shapely.covers(game.free, outlines)]
    lines, of = lines[~connected], of[~connected]
    line, tile = shapely.STRtree(outlines).query(lines)
    reached = set(line[touch(lines[line], outlines[tile])].tolist())
    owners = [game.laid[of[k]][0] for k in reached]
    return {seat: owners.count(seat) / 2 for seat in range(game.players)}


def rivals(s: State, seat: int) -> list[int]:
    return [other for other in range(s.players) if other != seat]


def reply(s: State) -> float:
    following = int(s.to_move)
    return max(
        [
            0.0,
            *(points(after(GAME, s, action), following) - points(s, following) for action in legal(GAME, s)),
        ]
    )


Measure = Callable[[State, State, int], float]
MEASURES: dict[str, Measure] = {
    'points': lambda b, s, seat: points(s, seat) - points(b, seat),
    'pays': lambda b, s, seat: sum(points(s, other) - points(b, other) for other in rivals(s, seat)),
    'lead': lambda b, s, seat: leads(s, seat) and not leads(b, seat),
    'reply': lambda b, s, seat: reply(s),
    'silences': lambda b, s, seat: legal(GAME, s) == [R.PASS],
    'open': lambda b, s, seat: within_reach(s)[seat],
    'rivals_open': lambda b, s, seat: sum(within_reach(s)[other] for other in rivals(s, seat)),
    'choices': lambda b, s, seat: tiles(layings(s, seat)),
    'denies': lambda b, s, seat: tiles(layings(s, int(s.to_move))),
    'places': lambda b, s, seat: len(layings(s, seat)),
}
AT_THE_END = ('points', 'pays', 'lead')


def measured(choice: Choice, kind: str, turn: tuple[int, ...]) -> float:
    before, s = choice.after(turn)
    return 0 if s.ending and kind not in AT_THE_END else float(MEASURES[kind](before, s, choice.seat))


def check(choice: Choice) -> None:
    for reason in choice.reasons:
        assert reason.numbers['n'] == measured(choice, reason.kind, choice.turn), reason
        assert reason.numbers['other'] == max(0, measured(choice, reason.kind, choice.other)), reason


@pytest.mark.parametrize('case', CASES, ids=str)
def test_reasons_are_true(case: Case) -> None:
    assert MEASURES.keys() == kinds_of(case.game).keys()
    for choice in choices(case, 7, every=width(5, 1)):
        check(choice)


def test_every_kind_is_true_where_it_is_stored_and_in_games_of_bots() -> None:
    for choice in (*stored_choices('myriath'), *bot_choices('myriath', width(6, 1))):
        check(choice)


def test_ends_within_reach_are_those_that_a_tile_left_in_a_hand_fits_against() -> None:
    """In games between bots, from which the puzzles are."""
    dead = 0
    for puzzle in puzzles('myriath')[:: width(5, 1)]:
        s: State = puzzle.known()
        within = [edge.seat for edges in read(s).within_reach.values() for edge in edges]
        assert {seat: within.count(seat) / 2 for seat in range(s.players)} == within_reach(s), puzzle.id
        dead += sum(len(edges) for edges in read(s).waiting.values()) - len(within)
    assert dead


# ---- alerts ------------------------------------------------------------------------------------------------


def most(s: State, seat: int) -> float:
    """The most points that a turn of a seat brings it: every one is played."""
    trial = s.copy()
    trial.to_move = seat
    return max(points(after(GAME, trial, action), seat) - points(s, seat) for action in legal(GAME, trial))


PROOFS: dict[str, Proof] = {
    'fits': lambda a, s, seat: a.numbers['n'] == tiles(layings(s, seat)) < len(read(s).hands[seat]),
    'best': lambda a, s, seat: a.numbers['n'] == most(s, seat),
    'reply': lambda a, s, seat: a.numbers['n'] == most(s, (seat + 1) % s.players),
}


def test_alerts_are_true() -> None:
    """In games played by chance, and in games between bots."""
    assert PROOFS.keys() == ALERTS.keys()
    drawn = (choice for case in CASES for choice in choices(case, 3, every=width(4, 1)))
    assert prove_alerts(chain(drawn, bot_choices('myriath', width(4, 1))), PROOFS) == ALERTS.keys()
