"""Refusals that have a status of their own. Every other GameError is answered with 400; see app.py."""

from __future__ import annotations

from ludoteca.game import GameError


class NotFound(GameError):
    """There is nothing here, or nothing that this visitor may see."""


class Forbidden(GameError):
    """The visitor may not do that."""


class Busy(GameError):
    """The visitor, or the server, has too much to do."""
