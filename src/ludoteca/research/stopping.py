"""When enough games are played: rules that look at the results so far, and keep their promise all the same.

The unit is a round: all line-ups in all seatings, each line-up from a deal of its own. Rounds are independent
of each other and alike; the games of one are not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludoteca.game import GameError
from ludoteca.research.intervals import Z95
from ludoteca.text import words

LEAST_ROUNDS = 30
"""Before so many rounds nothing is decided: their spread is not known yet."""
ERROR = 0.05
"""How often a sequential test may be wrong, either way."""


@dataclass(frozen=True)
class Width:
    """Stop when the share of wins of every contestant is known to plus or minus `half`, 95 % of the time
    (Chow and Robbins 1965: a fixed-width interval whose number of observations follows from their spread)."""

    half: float

    def decide(self, rounds: npt.NDArray[np.float64]) -> str:
        """'' to go on, else what is known; of shares of wins (rounds, contestants)."""
        n = len(rounds)
        if n < LEAST_ROUNDS:
            return ''
        spread = math.sqrt(float(rounds.var(axis=0, ddof=1).max()) + 1 / n)
        return (
            words('stopping.width', half=f'{100 * self.half:.3g}')
            if Z95 * spread / math.sqrt(n) <= self.half
            else ''
        )


@dataclass(frozen=True)
class Sequential:
    """Wald's sequential probability ratio test: stop when the first of two contestants is shown to win the
    `share` or more, or not to be stronger than the other one. Either is wrong in at most 5 % of such tests.
    Spread is estimated from the rounds (the generalized test, in its normal approximation)."""

    share: float

    def decide(self, rounds: npt.NDArray[np.float64]) -> str:
        """'' to go on, else what is shown; of shares of wins (rounds, 2)."""
        n, first = len(rounds), rounds[:, 0]
        if n < LEAST_ROUNDS:
            return ''
        # one round more of the greatest spread: results that are all the same prove less than they seem to
        variance = (float(((first - first.mean()) ** 2).sum()) + 0.25) / n
        ratio = n * (self.share - 0.5) * (float(first.mean()) - (0.5 + self.share) / 2) / variance
        bound = math.log((1 - ERROR) / ERROR)
        if abs(ratio) < bound:
            return ''
        return words(
            'stopping.stronger' if ratio > 0 else 'stopping.not_stronger', share=f'{100 * self.share:.3g}'
        )


Rule = Width | Sequential


def read(text: str, contestants: int) -> Rule:
    """A rule as it is typed: `width:0.02` or `sprt:0.55`. Raises GameError for everything else."""
    kind, _, number = text.partition(':')
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if kind == 'width' and 0.001 <= value < 0.5:
        return Width(value)
    if kind == 'sprt' and 0.5 < value < 1:
        if contestants != 2:
            raise GameError(words('stopping.error.two', contestants=contestants))
        return Sequential(value)
    raise GameError(words('stopping.error.rule', given=text))
