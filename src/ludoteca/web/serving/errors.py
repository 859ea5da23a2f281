"""Refusals that have a status of their own, and what is answered with them."""

from __future__ import annotations

from ludoteca.game import GameError
from ludoteca.match import NotYourTurn, Stale
from ludoteca.puzzles import DroppedPuzzle
from ludoteca.store import Conflict, StoreError

REFUSED = 4000
"""A socket that is refused something ends with this number and the status of the refusal."""


class NotFound(GameError):
    """There is nothing here, or nothing that this visitor may see."""


class Forbidden(GameError):
    """The visitor may not do that."""


class Busy(GameError):
    """The visitor, or the server, has too much to do."""


def status_of(problem: Exception) -> int:
    """The status with which a refusal is answered."""
    match problem:
        case NotFound():
            return 404
        case DroppedPuzzle():
            return 410
        case Forbidden():
            return 403
        case Busy():
            return 429
        case Stale() | NotYourTurn() | Conflict():
            return 409
        case StoreError():
            return 503
        case _:
            return 400


def closing(problem: Exception) -> tuple[int, str]:
    """With what a socket ends because of a refusal: the number, and as much of the sentence as the close
    frame of a WebSocket can hold, which is 123 bytes (RFC 6455)."""
    return REFUSED + status_of(problem), str(problem).encode()[:123].decode(errors='ignore')
