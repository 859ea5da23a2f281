"""A page that somebody has open: what it has been shown, and which parts of a message are new to it.

What the page says comes in at any time, while a thread may be making its next message. `begin`, `correct` and
`news` are called by that thread only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludoteca.game import SPECTATOR
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table.pieces import Pieces, change, cut_once, is_worth

LEAST = 600
"""Characters of a fragment below which it is always sent whole."""


@dataclass(eq=False, slots=True)
class OpenPage:
    """A page of one table, with its socket. It gets a message after every change that its visitor can see."""

    visitor: Visitor
    seat: int = SPECTATOR  # the seat that it shows the table from
    turns: int | None = None  # how many turns it has shown
    marks: Mapping[str, str] = field(default_factory=dict)  # of the fragments that it has
    merges: bool = False  # does it put changed fragments together?
    # at a screen that several people share:
    here: int | None = None  # the seat of the person who has come to the screen; None: the curtain is drawn
    seen: dict[int, int] = field(default_factory=dict)  # by seat how many turns its person has been shown
    _pieces: dict[str, tuple[str, Pieces]] = field(default_factory=dict)  # with the mark of the fragment
    # by when its next message is due (of time.monotonic()); None: nothing has changed since its last one was
    # begun
    _due: float | None = None
    _wake: Callable[[], None] | None = field(default=None, repr=False)  # has that message made
    _told: tuple[int, int, bool] | None = None  # version, seat and readiness of the last message
    # what it has said that it has instead, marks and turns; the next message goes by that
    _lacks: tuple[dict[str, str], int | None] | None = None

    def hello(self, said: Mapping[str, Any], own: Collection[int]) -> None:
        """Take down the first words of the page, which say what it has already. `own`: the seats of its
        visitor."""
        self.marks, seat = _marks(said.get('have')), _own_seat(said.get('seat'), own)
        self._lacks = None
        self.turns, self.merges = _number(said.get('turns')), said.get('merges') is True
        self.seat = SPECTATOR if seat is None else seat
        self.here = _own_seat(said.get('here'), own)
        if self.here is not None and self.here == seat and self.turns is not None:
            self.seen[self.here] = self.turns
        self.touch()

    def come(self, seat: Any, own: Collection[int]) -> None:
        """Somebody has come to a shared screen: the person of this seat. None: somebody has left it."""
        self.here = _own_seat(seat, own)
        self.touch()

    def lacks(self, have: Any, turns: Any = None) -> None:
        """The page has other fragments than it was sent, and has passed over a message: one before it came
        too late, or a view that it had asked for was on its way. `have`: the marks of those that it has;
        `turns`: how many it has shown."""
        self._lacks = _marks(have), _number(turns)
        self.touch()

    def correct(self) -> None:
        """Go by what the page has said that it has. Called before its message is made: the page may say so
        while another one is."""
        lacks, self._lacks = self._lacks, None
        if lacks is not None:
            self.marks, self._told = lacks[0], None
            self.turns = self.turns if lacks[1] is None else lacks[1]

    def draw_curtain(self) -> None:
        """Nobody is known to be at the shared screen any more."""
        self.here = None

    def saw(self, seat: int, turns: int) -> None:
        """The person of a seat has been shown so many turns on the shared screen."""
        self.seen[seat] = turns

    def touch(self, patience: float = 0.0) -> None:
        """Something has changed: the page is due a message. `patience`: the seconds that it may wait where
        others are waited for more."""
        # read once: its message may be begun in another thread just then
        due, before = time.monotonic() + patience, self._due
        self._due = due if before is None else min(due, before)
        if self._wake is not None:
            self._wake()

    def listen(self, wake: Callable[[], None] | None) -> None:
        """From now on `wake` is called when the page is due a message, at once if it is; None: nothing is."""
        self._wake = wake
        if wake is not None and self._due is not None:
            wake()

    @property
    def due(self) -> float | None:
        """By when the page is due a message; None: it is due none."""
        return self._due

    def begin(self) -> None:
        """Its message is begun now: what changes from now on is for the next one. What has changed while it
        stood in line is told by it."""
        self._due = None

    def news(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """A message without the fragments that the page has; None if it says nothing new. A change that the
        page cannot see is not told to it. A page that merges is sent the changes of fragments, if they are
        shorter."""
        marks, changes = message['marks'], dict[str, Any]()
        fragments = {
            name: part for name, part in message['fragments'].items() if self.marks.get(name) != marks[name]
        }
        if self.merges:
            changes = self._changes(message['fragments'], marks)
            fragments = {name: part for name, part in fragments.items() if name not in changes}
        before, self._told = self._told, (message['version'], message['seat'], message['ready'])
        self.marks, self.turns, self.seat = marks, message['turns'], message['seat']
        if not (fragments or changes or self._told != before):
            return None
        return {**message, 'fragments': fragments, **({'changes': changes} if changes else {})}

    def _changes(self, fragments: Mapping[str, str], marks: Mapping[str, str]) -> dict[str, Any]:
        """The fragments that are told by what has changed in them."""
        found = {}
        for name, text in fragments.items():
            mark, had = self.marks.get(name), self._pieces.get(name)
            if len(text) < LEAST:
                self._pieces.pop(name, None)
                continue
            if had is not None and had[0] == marks[name]:
                continue
            pieces, now = cut_once(text)
            if had is not None and mark is not None and had[0] == mark != marks[name]:
                told = change(had[1], pieces, now)
                if is_worth(told, text):
                    found[name] = {'of': mark, 'told': told}
            self._pieces[name] = marks[name], now
        return found


def _marks(value: Any) -> dict[str, str]:
    return {str(key): str(mark) for key, mark in value.items()} if isinstance(value, dict) else {}


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _own_seat(value: Any, own: Collection[int]) -> int | None:
    """The seat that was named, if it is one of the visitor's own."""
    seat = _number(value)
    return seat if seat in own else None
