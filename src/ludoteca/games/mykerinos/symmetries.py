"""Positions of Mykerinos that are played alike: the seats further on.

The region has no symmetry: its areas are surveyed from A on, and the museum is the same for all. The patrons
have powers of their own.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from ludoteca.game.shapes import Symmetry, always, seats_by, shifted, shifted_seats, unmoved

from . import rules as R
from .knowledge import OBSERVATION
from .rules import State


def hand_on(players: int, by: int, s: State) -> None:
    """The image of a state in which every player sits so many seats further on."""
    for values in (s.cubes, s.points, s.held, s.used, s.stock, s.reserve, s.neutral_stock):
        shifted(values, by, players)
    for values in (s.owner, s.room, s.scale, s.rank):
        shifted_seats(values, by, players)
    for name in ('first', 'to_move', 'digger'):
        seat = int(s[name])
        if 0 <= seat < players:
            setattr(s, name, (seat + by) % players)


@cache
def symmetries(players: int) -> tuple[Symmetry, ...]:
    """All ways in which the seats move on together."""
    size, everything = sum(part.size for part in OBSERVATION), np.arange(R.N_ACTIONS, dtype=np.int32)
    return tuple(
        Symmetry(
            f'seats by {by}',
            'seats',
            partial(hand_on, players, by),
            always(everything),
            seats_by(players, by),
            unmoved(size),
        )
        for by in range(1, players)
    )
