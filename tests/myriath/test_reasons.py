"""Every number in a reason of Myriath agrees with the rules applied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ludoteca.games.myriath import rules as R
from ludoteca.kernel import holds
from tests.conformance.harness import Case, after, configurations, legal, shares
from tests.conformance.reasons import Choice, choices, kinds_of
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


def open_ends(s: State, wanted: list[int]) -> float:
    """The half edges of these seats that face a quarter which nothing covers, in points."""
    found = 0
    for way in range(2):
        for quarter in range(4):
            for at in range(s['side'] ** 2):
                if holds(s['faced'][way, quarter], at) and not holds(s['covered'][quarter], at):
                    own = (quarter + 3 + 2 * way) % 4
                    found += sum(bool(holds(s['own'][seat, own], at)) for seat in wanted)
    return found / 2


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
    'open': lambda b, s, seat: open_ends(s, [seat]),
    'rivals_open': lambda b, s, seat: open_ends(s, rivals(s, seat)),
    'choices': lambda b, s, seat: tiles(layings(s, seat)),
    'denies': lambda b, s, seat: tiles(layings(s, int(s.to_move))),
    'places': lambda b, s, seat: len(layings(s, seat)),
}
AT_THE_END = ('points', 'pays', 'lead')


def measured(choice: Choice, kind: str, turn: tuple[int, ...]) -> float:
    before, s = choice.after(turn)
    return 0 if s.ending and kind not in AT_THE_END else float(MEASURES[kind](before, s, choice.seat))


@pytest.mark.parametrize('case', CASES, ids=str)
def test_reasons_are_true(case: Case) -> None:
    assert MEASURES.keys() == kinds_of(case.game).keys()
    for choice in choices(case, 7, every=width(5, 1)):
        for reason in choice.reasons:
            assert reason.numbers['n'] == measured(choice, reason.kind, choice.turn), reason
            assert reason.numbers['other'] == max(0, measured(choice, reason.kind, choice.other)), reason
