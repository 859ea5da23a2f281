"""Playing on in a position that a test goes on with."""

from __future__ import annotations

from ludoteca.game import Position


def play_on(position: Position, names: str) -> Position:
    """The position itself, after the named steps or turns."""
    position.play(names)
    return position
