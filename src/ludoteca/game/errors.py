"""The one kind of error whose message is for people."""

from __future__ import annotations


class GameError(ValueError):
    """Something that a person can put right; the message is one sentence that says what is wrong and what
    would be right."""


GameError.__module__ = 'ludoteca.game'  # tracebacks name it as people import it
