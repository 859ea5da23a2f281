"""The seats of a game in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludoteca.game.view import View


def from_viewer(view: View) -> list[int]:
    """All seats, the viewer's first; a spectator sees seat 0 first."""
    players = int(view.state.players)
    return [(max(view.seat, 0) + k) % players for k in range(players)]


def highest(standings: Sequence[Any]) -> list[int]:
    """The seats with the highest standing, ascending; standings[seat] may be anything that can be
    compared."""
    best = max(standings)
    return [seat for seat, standing in enumerate(standings) if standing == best]
