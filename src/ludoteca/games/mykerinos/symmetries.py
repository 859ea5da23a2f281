"""Positions of Mykerinos that are played alike: the seats further on.

The region has no symmetry: its areas are surveyed from A on, and the museum is the same for all. The patrons
have powers of their own.
"""

from __future__ import annotations

from functools import cache

from ludoteca.game.shapes import Symmetry, seats_moved_on, shifted, shifted_seats

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
    return seats_moved_on(players, hand_on, R.N_ACTIONS, OBSERVATION)
