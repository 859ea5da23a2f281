"""Drawings, rows and choices that are made once for a seat and shown on all pages that look from it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from ludoteca.game import View
from ludoteca.match import Match
from ludoteca.web.table.choices import choice_table

DRAWINGS_KEPT = 12
ROWS_KEPT = 2000


class MadeOnce:
    """The last drawings of a match, rows of its log, and the last table of choices. Used under the lock of
    the match."""

    def __init__(self) -> None:
        self._drawings: OrderedDict[Hashable, str] = OrderedDict()
        self._rows: OrderedDict[Hashable, str] = OrderedDict()
        self._choices: tuple[tuple[int, int], dict[str, Any] | None] = ((-2, -2), None)

    def drawing(self, match: Match, view: View, key: Hashable) -> str:
        """The drawing of a view. `key`: all that the drawing depends on."""
        return _kept(self._drawings, DRAWINGS_KEPT, key, lambda: match.game.draw(view, 'page'))

    def row(self, key: Hashable, make: Callable[[], str]) -> str:
        """A row of the log. `key`: all that its text depends on, what the viewer may know included."""
        return _kept(self._rows, ROWS_KEPT, key, make)

    def choices(self, match: Match, seat: int) -> dict[str, Any] | None:
        """What a seat can choose; None if it is not its turn."""
        key = seat, match.version(seat)
        if self._choices[0] != key:
            self._choices = key, choice_table(match, seat) if match.may_act(seat) else None
        return self._choices[1]


def _kept(memory: OrderedDict[Hashable, str], most: int, key: Hashable, make: Callable[[], str]) -> str:
    """The text remembered under a key, or made now; the oldest one is forgotten."""
    if key not in memory:
        memory[key] = make()
        while len(memory) > most:
            memory.popitem(last=False)
    return memory[key]
