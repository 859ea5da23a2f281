"""Observations for learners, cut into their slices."""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from ludoteca.game import Game
from ludoteca.kernel import Array


def slices(game: Game, observed: Array) -> dict[str, Array]:
    """The slices of an observation, by name; together they are all of it."""
    ends = list(accumulate(part.size for part in game.observation))
    assert ends[-1] == len(observed)
    cut = np.split(observed, ends[:-1])
    return dict(zip((part.name for part in game.observation), cut, strict=True))
