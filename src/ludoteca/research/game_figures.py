"""What a game is like, of games that are played through: who led, how often the lead passed, how long it was
open. Everything follows from the contract: turns, legal actions, outcomes, points, and `estimate`, which says
after each turn what every seat can expect. docs/studies.md defines the figures and names their sources.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca.game import GameError, load
from ludoteca.research.bot_games import MOST_TURNS, BotGames, write_end
from ludoteca.research.random_play import Results
from ludoteca.text import words

LEAD = 0.02
"""Whose expectation is so much above that of every other seat leads; else who has led still does."""

DECIDED = 0.75
"""A game is decided when its winner can expect so much and never less again."""

FIGURES = ('lead_changes', 'drama', 'decided', 'margin')
"""What is worked out of each game beyond the columns of a simulation."""


def lead_changes(expected: npt.NDArray[np.float64]) -> int:
    """How often the lead passes from one seat to another, of expectations (turns, seats)."""
    changes, leader = 0, -1
    for row in expected:
        ahead = int(row.argmax())
        if row[ahead] - np.partition(row, -2)[-2] >= LEAD and ahead != leader:
            changes, leader = changes + (leader >= 0), ahead
    return changes


def drama(expected: npt.NDArray[np.float64], winner: int) -> float:
    """How far behind the winner was, of expectations (turns, seats) before the end: the mean of the roots of
    the distances to the leader, over the turns after which it was behind; 0 if it never was."""
    behind = expected.max(axis=1) - expected[:, winner]
    behind = behind[behind >= LEAD]
    return float(np.sqrt(behind).mean()) if len(behind) else 0.0


def decided(expected: npt.NDArray[np.float64], winner: int) -> float:
    """The share of the turns that had been played when the winner's expectation (turns, seats) reached
    `DECIDED` for good; 1: with the last turn."""
    open_ = np.flatnonzero(expected[:, winner] < DECIDED)
    return float(open_[-1] + 2) / (len(expected) + 1) if len(open_) else 1 / (len(expected) + 1)


def figures_of(
    expected: npt.NDArray[np.float64], outcome: Sequence[float], scores: Sequence[float]
) -> list[float]:
    """FIGURES of a game: expectations (turns before the last one, seats), outcome and points of the seats.
    What a game without a sole winner does not have is NaN."""
    sole = max(outcome) > 0.999
    winner = int(np.argmax(outcome))
    best = sorted(scores, reverse=True)
    return [
        float(lead_changes(np.vstack([expected, outcome]) if sole else expected)),
        drama(expected, winner) if sole else math.nan,
        decided(expected, winner) if sole else math.nan,
        best[0] - best[1],
    ]


class Watched(NamedTuple):
    """Games that a worker has played."""

    numbers: range
    results: Results  # a row a game
    figures: npt.NDArray[np.float32]  # (games, len(FIGURES))
    seconds: float


@dataclass(frozen=True)
class WatchedGames(BotGames):
    """Games of a simulation by bots, with their figures. A worker process gets it whole."""

    def watch(self, number: int) -> tuple[int, Results, list[float]]:
        """The number, the results of that game as one row, and FIGURES. Raises GameError for a game that does
        not end."""
        game = load(self.game) if isinstance(self.game, str) else self.game
        results, state = Results.empty(game, self.players, 1), self.begun(game, number)
        value, expected = np.zeros(game.players.stop - 1), list[list[float]]()
        results.began[0] = state.to_move
        turn = int(state.turn)
        for _, n, _ in self.moves(game, state, number):
            results.actions[0] += 1
            results.branching[0] += n, 0
            results.branching[0, 1] = max(results.branching[0, 1], n)
            if state.turn != turn and not state.ending:
                turn = int(state.turn)
                game.kernels.estimate(state, value)
                expected.append(value[: self.players].tolist())
        if not state.ending:
            raise GameError(words('research.error.endless', game=number, turns=MOST_TURNS))
        write_end(game, state, 0, results)
        seen = np.array(expected).reshape(-1, self.players)
        return number, results, figures_of(seen, results.outcomes[0].tolist(), results.scores[0].tolist())

    def watch_all(self, numbers: range) -> Watched:
        """The same of several games."""
        began, game = time.monotonic(), load(self.game) if isinstance(self.game, str) else self.game
        results = Results.empty(game, self.players, len(numbers))
        figures = np.zeros((len(numbers), len(FIGURES)), np.float32)
        for row, number in enumerate(numbers):
            _, one, figures[row] = self.watch(number)
            results.write(row, one)
        return Watched(numbers, results, figures, time.monotonic() - began)

    def actions(self, number: int) -> list[tuple[int, int]]:
        """The seat and action of each step of a game."""
        game = load(self.game) if isinstance(self.game, str) else self.game
        state = self.begun(game, number)
        return [(seat, action) for seat, _, action in self.moves(game, state, number)]
