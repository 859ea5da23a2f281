"""Matches: their logs in the database, and those that are in memory."""

from __future__ import annotations

import dataclasses
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from sqlalchemy import Table as Rows
from sqlalchemy import insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm import Session

from ludoteca.game import GameError
from ludoteca.match import Entry, Match, Setup
from ludoteca.store.database import CHANGES, Change, Changes, Database
from ludoteca.store.folder import StoreError
from ludoteca.store.models import EntryRow, ExerciseRow, SeatRow, TableRow
from ludoteca.store.section import Section
from ludoteca.text import words

T = TypeVar('T')

TABLES, SEATS, ENTRIES = (cast(Rows, row.__table__) for row in (TableRow, SeatRow, EntryRow))
KEPT = 256
"""How many matches stay in memory after their last use."""


class Conflict(GameError):
    """Another process has changed the match in the meantime."""


def entry_of(row: EntryRow) -> Entry:
    """A line of a log."""
    return Entry(cast(Any, row.kind), row.seat, row.action, row.name, row.hash, row.time)


@dataclass(eq=False)
class Live:
    """A match in memory, joined to its log in the database. There is one for each table in a process."""

    id: str
    match: Match
    _store: Matches = field(repr=False)
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def change(self, action: Callable[[Match], T]) -> T:
        """Do something to the match and store it: when this returns it is in the database for good, and only
        then may anybody be told. If `action` raises, or what it did cannot be stored, the match is as before.

        Raises what `action` raises, Conflict (look again), or StoreError."""
        with self.lock:
            known = len(self.match.entries)
            try:
                answer = action(self.match)
                if len(self.match.entries) > known:
                    self._store._append(self, known)
            except Conflict:
                self.match = self._store._rebuild(self.id)
                raise
            except DBAPIError as problem:
                self.match.truncate(known)
                if isinstance(problem, IntegrityError):  # another server has written these lines of the log
                    self.match = self._store._rebuild(self.id)
                    raise Conflict(words('store.error.conflict')) from problem
                raise StoreError(words('store.error.not_stored')) from problem
            except BaseException:
                self.match.truncate(known)
                raise
            return answer

    def take_in(self, new: Sequence[Entry], total: int) -> None:
        """Take in what other servers have added to the log after the entries that the match has. `total`: how
        many there are. A log that is shorter than it was (a copy was brought back) is read anew."""
        with self.lock:
            known = len(self.match.entries)
            if known + len(new) != total:
                self.match = self._store._rebuild(self.id)
            elif new:
                self.match.follow(new)

    def catch_up(self) -> None:
        """Read what other servers have added to the log. Raises StoreError."""
        with self.lock:
            self.take_in(*self._store._added(self.id, len(self.match.entries)))


class Matches(Section):
    """Logs of matches. A match in memory is one object for all who ask."""

    def __init__(self, database: Database, clock: Callable[[], float], key: bytes | None) -> None:
        super().__init__(database, clock, key)
        self._lock = threading.Lock()
        self._lives: weakref.WeakValueDictionary[str, Live] = weakref.WeakValueDictionary()
        self._recent: OrderedDict[str, Live] = OrderedDict()

    def live(self, table_id: str) -> Live:
        """The match at a table that has begun, in memory: the same object for all who ask. Raises GameError
        if there is none, or if its game is no longer known."""
        with self._lock:
            live = self._lives.get(table_id)
            if live is None:
                live = self._lives[table_id] = Live(table_id, self._rebuild(table_id), self)
            self._recent[table_id] = live
            self._recent.move_to_end(table_id)
            while len(self._recent) > KEPT:
                self._recent.popitem(last=False)
        if self.shared:
            live.catch_up()
        return live

    def resume(self) -> list[Live]:
        """At the start of a server: all running matches, rebuilt and checked under the rules as they are now.

        Those that do not fit are marked as frozen, with the sentence; those that fit again run on."""
        found = []
        for table_id in self.running():
            try:
                match, sentence = self._rebuild(table_id), ''
            except GameError as problem:
                match, sentence = None, str(problem)
            status = match.status if match else 'frozen'
            self._mark(table_id, status, match.frozen if match else sentence)
            if match and status == 'running':
                with self._lock:
                    live = self._lives.setdefault(table_id, Live(table_id, match, self))
                found.append(live)
        return found

    def running(self) -> list[str]:
        """The ids of the tables whose match has begun and is not over, the frozen ones included. Exercises
        are not among them: at their tables nobody waits for anything."""
        query = (
            select(TableRow.id)
            .where(
                TableRow.status.in_(('running', 'frozen')), TableRow.id.not_in(select(ExerciseRow.table_id))
            )
            .order_by(TableRow.created, TableRow.id)
        )
        with self._database.read() as session:
            return list(session.scalars(query))

    def log(self, table_id: str) -> tuple[Setup, list[Entry]]:
        """The set-up and the log of a match (secret while it runs). Raises GameError if the match has not
        begun."""
        with self._database.read() as session:
            row = session.get(TableRow, table_id)
            if row is None:
                raise GameError(words('store.error.no_table'))
            if row.setup is None:
                raise GameError(words('store.error.not_begun'))
            query = select(EntryRow).where(EntryRow.table_id == table_id).order_by(EntryRow.number)
            entries = [entry_of(entry) for entry in session.scalars(query)]
            return Setup.from_json(row.setup), entries

    def _added(self, table_id: str, known: int) -> tuple[list[Entry], int]:
        """The entries of a log after the first `known`, and how many there are."""
        with self._database.read() as session:
            total = session.scalar(select(TableRow.entries).where(TableRow.id == table_id)) or 0
            query = select(EntryRow).where(
                EntryRow.table_id == table_id, EntryRow.number >= known, EntryRow.number < total
            )
            found = session.scalars(query.order_by(EntryRow.number)) if total > known else ()
            return [entry_of(entry) for entry in found], total

    def _rebuild(self, table_id: str) -> Match:
        """Raises GameError: the set-up is damaged, or its game is no longer known."""
        try:
            setup, entries = self.log(table_id)
            return Match.rebuild(setup, entries, self._clock)
        except GameError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as problem:
            raise GameError(words('store.error.damaged_match')) from problem

    def _append(self, live: Live, known: int) -> None:
        """Store the entries after the first `known`, and how the table stands now, in one transaction."""
        match, new = live.match, live.match.entries[known:]
        table = TABLES.c
        with self._database.write() as session:
            # the hot path of a turn: plain rows, since to make objects of them takes longer than all the rest
            kept = session.execute(
                select(table.status, table.sentence, table.entries, table.turns, table.revision, table.shown)
                .where(table.id == live.id)
                .with_for_update()
            ).first()
            if kept is None:
                raise GameError(words('store.error.no_table'))
            if kept.status == 'closed':  # perhaps by an operator at another server
                raise GameError(kept.sentence)
            if kept.entries != known:
                raise Conflict(words('store.error.conflict'))
            session.execute(
                insert(ENTRIES),
                [
                    {
                        'table_id': live.id,
                        'number': known + k,
                        'kind': entry.kind,
                        'seat': entry.seat,
                        'action': entry.action,
                        'name': entry.name,
                        'hash': entry.hash,
                        'time': entry.time,
                    }
                    for k, entry in enumerate(new)
                ],
            )
            # who can see it, the log tells
            changed: dict[str, Any] = {
                'revision': kept.revision + 1,
                'entries': len(match.entries),
                'turns': match.turns,
                'status': match.status,
                'rated': match.rated,
            }
            # a draft or a sealed choice does not move the time by which tables are sorted
            if kept.turns != match.turns or any(entry.kind not in ('step', 'undo') for entry in new):
                changed['updated'] = self._clock()
            if result := match.result:
                changed['result'] = dataclasses.asdict(result)
            session.execute(update(TABLES).where(table.id == live.id).values(changed))
            self._note_seats(session, live)
            changes: Changes = session.info[CHANGES]
            changes.tables[live.id] = Change(kept.revision + 1, kept.shown)

    def _note_seats(self, session: Session, live: Live) -> None:
        """Store who sits where now and who is waited for, as far as that has changed."""
        match, seat = live.match, SEATS.c
        query = select(seat.seat, seat.kind, seat.level, seat.waiting).where(seat.table_id == live.id)
        for chair in session.execute(query.order_by(seat.seat)).all():
            who, waiting = match.seats[chair.seat], match.may_act(chair.seat)
            if (chair.kind, chair.level, chair.waiting) != (who.kind, who.level, waiting):
                session.execute(
                    update(SEATS)
                    .where(seat.table_id == live.id, seat.seat == chair.seat)
                    .values(kind=who.kind, level=who.level, waiting=waiting)
                )

    def _mark(self, table_id: str, status: str, sentence: str) -> None:
        with self._database.write() as session:
            row = self._row(session, table_id)
            if row.status != status or row.sentence != sentence:
                row.status, row.sentence = status, sentence
                self._changed(session, row)
