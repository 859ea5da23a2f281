"""Matches: their logs in the database, and those that are in memory."""

from __future__ import annotations

import dataclasses
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from sqlalchemy import Row, bindparam, insert, select, update
from sqlalchemy import Table as Rows
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm import Session

from ludoteca.game import GameError
from ludoteca.match import LogEntry, Match, Setup
from ludoteca.store.database import CHANGES, Change, Changes, Database
from ludoteca.store.folder import StoreError
from ludoteca.store.models import EntryRow, ExerciseRow, SeatRow, TableRow
from ludoteca.store.section import Section
from ludoteca.text import words

T = TypeVar('T')

Chair = tuple[str, str, bool]
"""Who plays a seat: kind and level; and whether the seat can choose something now, or answer to a rematch."""

# What a turn is stored with: plain rows, and statements that are made once. To make objects of the rows, or
# statements anew, takes longer than all the rest.
TABLES, SEATS, ENTRIES = (cast(Rows, row.__table__) for row in (TableRow, SeatRow, EntryRow))
LINE = tuple(field.name for field in dataclasses.fields(LogEntry))
READ_TABLE = (
    select(
        *(
            TABLES.c[name]
            for name in ('status', 'sentence', 'entries', 'turns', 'updated', 'revision', 'shown')
        )
    )
    .where(TABLES.c.id == bindparam('table'))
    .with_for_update()
)
ADD_ENTRIES = insert(ENTRIES)
READ_ENTRIES = (
    select(ENTRIES)
    .where(
        ENTRIES.c.table_id == bindparam('table'),
        ENTRIES.c.number >= bindparam('known'),
        ENTRIES.c.number < bindparam('total'),
    )
    .order_by(ENTRIES.c.number)
)
WRITE_TABLE = (
    update(TABLES)
    .where(TABLES.c.id == bindparam('table'))
    .values(
        {
            name: bindparam(f'new_{name}')
            for name in ('revision', 'entries', 'turns', 'status', 'rated', 'updated')
        }
    )
)
WRITE_RESULT = update(TABLES).where(TABLES.c.id == bindparam('table')).values(result=bindparam('new_result'))
READ_SEATS = select(SEATS).where(SEATS.c.table_id == bindparam('table')).order_by(SEATS.c.seat)
WRITE_SEAT = (
    update(SEATS)
    .where(SEATS.c.table_id == bindparam('table'), SEATS.c.seat == bindparam('at'))
    .values(kind=bindparam('new_kind'), level=bindparam('new_level'), waiting=bindparam('new_waiting'))
)
KEPT = 256
"""How many matches stay in memory after their last use."""


class Conflict(GameError):
    """Another process has changed the match in the meantime."""


class Closed(GameError):
    """The table has been closed, perhaps by an operator at another server."""


def entry_of(row: EntryRow | Row[Any]) -> LogEntry:
    """A line of a log."""
    return LogEntry(cast(Any, row.kind), row.seat, row.action, row.name, row.hash, row.time)


def rows_of(table_id: str, entries: Sequence[LogEntry], known: int = 0) -> list[dict[str, Any]]:
    """Lines of a log as rows, after the first `known`."""
    return [
        {'table_id': table_id, 'number': known + k, **{name: getattr(entry, name) for name in LINE}}
        for k, entry in enumerate(entries)
    ]


def length_of(session: Session, table_id: str) -> int:
    """How many entries a log has."""
    return session.scalar(select(TableRow.entries).where(TableRow.id == table_id)) or 0


def entries_after(session: Session, table_id: str, known: int, total: int) -> list[LogEntry]:
    """The entries of a log after the first `known`, of those `total` that it had when its table was read: two
    statements do not see the same moment, and what was added between them waits."""
    if known >= total:
        return []
    found = session.execute(READ_ENTRIES, {'table': table_id, 'known': known, 'total': total})
    return [entry_of(entry) for entry in found]


@dataclass(eq=False)
class Live:
    """A match in memory, joined to its log in the database. There is one for each table in a process."""

    id: str
    match: Match
    _store: Matches = field(repr=False)
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    # the seats as this process has stored them last; None: another one may have done so since
    chairs: tuple[Chair, ...] | None = field(default=None, repr=False)

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
                self._read_again()
                raise
            except DBAPIError as problem:
                self.match.truncate(known)
                if isinstance(problem, IntegrityError):  # another server has written these lines of the log
                    self._read_again()
                    raise Conflict(words('store.error.conflict')) from problem
                raise StoreError(words('store.error.not_stored')) from problem
            except BaseException:
                self.match.truncate(known)
                raise
            return answer

    def take_in(self, new: Sequence[LogEntry], total: int) -> None:
        """Take in what other servers have added to the log after the entries that the match has. `total`: how
        many there are. A log that is shorter than it was (a copy was brought back) is read anew."""
        with self.lock:
            known = len(self.match.entries)
            if known + len(new) != total:
                self._read_again()
            elif new:
                self.match.follow(new)
                self.chairs = None

    def _read_again(self) -> None:
        """Read the whole log anew."""
        self.match, self.chairs = self._store._rebuild(self.id), None

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
            with self._database.read() as session:
                known = length_of(session, table_id)
            try:
                match, sentence = self._rebuild(table_id), ''
            except GameError as problem:
                match, sentence = None, str(problem)
            replayed, why = (match.status, match.frozen) if match else ('frozen', sentence)
            status = self._mark(table_id, replayed, why, known)
            if match and replayed == status == 'running':
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

    def log(self, table_id: str) -> tuple[Setup, list[LogEntry]]:
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

    def _added(self, table_id: str, known: int) -> tuple[list[LogEntry], int]:
        """The entries of a log after the first `known`, and how many there are."""
        with self._database.read() as session:
            total = length_of(session, table_id)
            return entries_after(session, table_id, known, total), total

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
        with self._database.write() as session:
            kept = session.execute(READ_TABLE, {'table': live.id}).first()
            if kept is None:
                raise GameError(words('store.error.no_table'))
            if kept.status == 'closed':
                raise Closed(kept.sentence)
            if kept.entries != known:
                raise Conflict(words('store.error.conflict'))
            # a draft, a sealed choice or an answer to a rematch does not move the time by which tables are
            # sorted
            moves = kept.status != 'finished' and (
                kept.turns != match.turns or any(entry.kind not in ('step', 'undo') for entry in new)
            )
            session.execute(ADD_ENTRIES, rows_of(live.id, new, known))
            session.execute(
                WRITE_TABLE,
                {
                    'table': live.id,
                    'new_revision': kept.revision + 1,  # who can see it, the log tells
                    'new_entries': len(match.entries),
                    'new_turns': match.turns,
                    'new_status': match.status,
                    'new_rated': match.rated,
                    'new_updated': self._clock() if moves else kept.updated,
                },
            )
            if result := match.result:
                session.execute(WRITE_RESULT, {'table': live.id, 'new_result': dataclasses.asdict(result)})
            chairs = self._note_seats(session, live)
            changes: Changes = session.info[CHANGES]
            changes.tables[live.id] = Change(kept.revision + 1, kept.shown)
        live.chairs = chairs

    def _note_seats(self, session: Session, live: Live) -> tuple[Chair, ...]:
        """Store who plays each seat now and who is waited for, as far as that has changed. Answers it."""
        match, before = live.match, live.chairs
        now = tuple(
            (who.kind, who.level, match.may_act(seat) or match.is_asked(seat))
            for seat, who in enumerate(match.seats)
        )
        if before is None:
            found = session.execute(READ_SEATS, {'table': live.id})
            before = tuple((chair.kind, chair.level, chair.waiting) for chair in found)
        for seat, (old, new) in enumerate(zip(before, now, strict=True)):
            if old != new:
                kind, level, waiting = new
                values = {'new_kind': kind, 'new_level': level, 'new_waiting': waiting}
                session.execute(WRITE_SEAT, {'table': live.id, 'at': seat, **values})
        return now

    def _mark(self, table_id: str, status: str, sentence: str, known: int) -> str:
        """Store how a match that was replayed stands, unless it has gone on meanwhile: it is over or closed,
        or its log is no longer of the `known` length. Says how it stands."""
        with self._database.write() as session:
            row = self._row(session, table_id)
            same = row.status in ('running', 'frozen') and row.entries == known
            if same and (row.status, row.sentence) != (status, sentence):
                row.status, row.sentence = status, sentence
                self._changed(session, row)
            return row.status
