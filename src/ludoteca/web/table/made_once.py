"""What is made once for a seat, and shown on all pages that look from it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from ludoteca.game import View
from ludoteca.match import Match
from ludoteca.web.table.choices import choice_table

DRAWINGS_KEPT = 12


class MadeOnce:
    """The last drawings of a match, and the last table of choices. Used under the lock of the match."""

    def __init__(self) -> None:
        self._drawings: OrderedDict[Hashable, str] = OrderedDict()
        self._choices: tuple[tuple[int, int], dict[str, Any] | None] = ((-2, -2), None)

    def drawing(self, match: Match, view: View, key: Hashable) -> str:
        """The drawing of a view. `key`: all that the drawing depends on."""
        if key not in self._drawings:
            self._drawings[key] = match.game.draw(view, 'page')
            while len(self._drawings) > DRAWINGS_KEPT:
                self._drawings.popitem(last=False)
        return self._drawings[key]

    def choices(self, match: Match, seat: int) -> dict[str, Any] | None:
        """What a seat can choose; None if it is not its turn."""
        key = seat, match.version(seat)
        if self._choices[0] != key:
            self._choices = key, choice_table(match, seat) if match.may_act(seat) else None
        return self._choices[1]
