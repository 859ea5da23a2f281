"""A cache of what several pages show: drawings, rows of the log, panels, choices, whole views.

Parts are small and are used again in each message: many tables remember them. Drawings and whole views are
large, and of use only until the next turn: few tables remember those."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from ludoteca.game import View
from ludoteca.match import Match
from ludoteca.web.html.layout import Markup
from ludoteca.web.table.choices import choice_table

DRAWINGS_KEPT = 8
PARTS_KEPT = 400
MESSAGES_KEPT = 8
VIEWS_KEPT = 8
"""How many tables remember drawings, choices and whole views: those that were used last."""
TABLES_KEPT = 1024
"""How many tables remember anything."""

# a table that is in memory no more takes what it remembers with it
_used: OrderedDict[weakref.ref[TableCache], None] = OrderedDict()
_viewed: OrderedDict[weakref.ref[TableCache], None] = OrderedDict()
_using = threading.Lock()


class TableCache:
    """What was made of a match last. Used under the lock of the match."""

    def __init__(self) -> None:
        self._self = weakref.ref(self, _gone)
        hash(self._self)  # a reference remembers it; when the table is gone it could not be told
        self.forget()

    def forget(self) -> None:
        """Forget everything. May be called at any time, from any thread."""
        self._parts: OrderedDict[Hashable, tuple[object, Markup]] = OrderedDict()
        self.forget_views()

    def forget_views(self) -> None:
        """Forget what is large. May be called at any time, from any thread."""
        self._drawings: OrderedDict[Hashable, tuple[Hashable, str]] = OrderedDict()
        self._choices: tuple[tuple[int, int], dict[str, Any] | None] = ((-2, -2), None)
        self._messages: OrderedDict[Hashable, tuple[object, dict[int | None, dict[str, Any]]]] = OrderedDict()

    def use(self) -> None:
        """This table is in use: it remembers, and those that have not been used for long forget."""
        with _using:
            quiet = _later(_used, self._self, TABLES_KEPT)
            still = _later(_viewed, self._self, VIEWS_KEPT)
        for one in still:
            one.forget_views()
        for one in quiet:
            one.forget()

    def drawing(self, match: Match, view: View, place: Hashable, said: Hashable) -> str:
        """The drawing of a view. `place`: who looks, and how; `said`: all else that the drawing depends
        on."""
        drawings = self._drawings
        kept = drawings.get(place)
        if kept is None or kept[0] != said:
            kept = drawings[place] = said, match.game.draw(view, 'page')
            _shorten(drawings, DRAWINGS_KEPT)
        return kept[1]

    def part(self, place: Hashable, said: object, make: Callable[[], str]) -> Markup:
        """A part of a page: the one that was made for this place last, if it said the same. `said`: all that
        its text depends on, what the viewer may know included."""
        parts = self._parts
        kept = parts.get(place)
        if kept is None or kept[0] != said:
            kept = parts[place] = said, Markup(make())
            _shorten(parts, PARTS_KEPT)
        return kept[1]

    def message(
        self, place: Hashable, since: int | None, said: object, make: Callable[[], dict[str, Any]]
    ) -> dict[str, Any]:
        """A message: the one that was made for this place last, if it said the same to pages that had shown
        as many turns (`since`). Spectators, and the pages of one person, share it. When something else is
        said, nobody is sent the messages before any more."""
        messages = self._messages
        kept = messages.get(place)
        if kept is None or kept[0] != said:
            kept = messages[place] = said, {}
            _shorten(messages, MESSAGES_KEPT)
        found = kept[1].get(since)
        if found is None:
            found = kept[1][since] = make()
        return found

    def choices(self, match: Match, seat: int) -> dict[str, Any] | None:
        """What a seat can choose; None if it is not its turn."""
        key = seat, match.version(seat)
        kept = self._choices
        if kept[0] != key:
            kept = self._choices = key, choice_table(match, seat) if match.may_choose(seat) else None
        return kept[1]


def _gone(one: weakref.ref[TableCache]) -> None:
    """A table is in memory no more. May be called at any time, from any thread."""
    _used.pop(one, None)
    _viewed.pop(one, None)


def _later(
    used: OrderedDict[weakref.ref[TableCache], None], one: weakref.ref[TableCache], most: int
) -> list[TableCache]:
    """Note that a table is in use. Answers those that were not for long, and are too many."""
    used[one] = None
    used.move_to_end(one)
    found = [used.popitem(last=False)[0]() for _ in range(len(used) - most)]
    return [quiet for quiet in found if quiet is not None]


def _shorten(memory: OrderedDict[Any, Any], most: int) -> None:
    """Forget the oldest ones."""
    while len(memory) > most:
        memory.popitem(last=False)
