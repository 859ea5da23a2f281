"""How good an answer to a puzzle is, and why another one is better."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from ludoteca.game import Reason, View, load
from ludoteca.game.reasons import sentences
from ludoteca.puzzles.files import Puzzle
from ludoteca.puzzles.find import SIMULATIONS
from ludoteca.puzzles.turns import read_turn
from ludoteca.review import judge as judge_turn
from ludoteca.search import as_known


@dataclass(frozen=True)
class Verdict:
    """What is said to an answer.

    Expected outcomes are those of the seat, between 0 and 1. `refutation`: what others may answer to a wrong
    turn, as far as it can be told. `reasons`: why the best turn is better; `why`: the heaviest of them in
    sentences. All is made of what the seat knows.
    """

    kind: Literal['solved', 'wrong']
    turn: tuple[str, ...]
    best: str
    expected: float  # after the best turn
    after: float  # after the turn that was answered
    refutation: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    why: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Is the puzzle solved?"""
        return self.kind == 'solved'

    def json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {**asdict(self), 'reasons': [one.json() for one in self.reasons]}


def judge(puzzle: Puzzle, turn: str, *, simulations: int = SIMULATIONS, seed: int | str = 0) -> Verdict:
    """Judge an answer: the names of a complete turn's steps. A turn that leads to the same position as a best
    one is a best one, whatever the order of its steps. All others are wrong: the search that made the puzzle
    has tried each. How much one loses is searched for, with so many simulations each search.

    The same puzzle, turn, simulations and seed give the same verdict. Raises GameError if the text names no
    complete legal turn.
    """
    game, seat = load(puzzle.game), puzzle.seat
    known = as_known(game, puzzle.known(), seat)
    answer = read_turn(game, known, seat, turn)
    best = [read_turn(game, known, seat, text) for text in puzzle.best]
    if answer.key in {one.key for one in best}:
        return Verdict('solved', answer.names, puzzle.best[0], puzzle.expected, puzzle.expected)
    judged = judge_turn(game, answer.states, answer.actions, seat, simulations=simulations, seed=seed)
    expected = min(puzzle.second, max(0.0, puzzle.expected - judged.loss))
    reasons = game.reasons(View(known, seat), best[0].actions, [answer.actions])
    return Verdict(
        'wrong',
        answer.names,
        puzzle.best[0],
        puzzle.expected,
        expected,
        judged.refutation,
        reasons,
        sentences(game.words, reasons, than='played'),
    )
