"""What several servers of one database need to know of each other: what is new at a table, who is there, and
whose bots play. SQLite has one server; PostgreSQL may have many."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Table as Rows
from sqlalchemy import bindparam, delete, exists, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from ludoteca.match import BOT, LogEntry
from ludoteca.store.database import Changes
from ludoteca.store.entities import ChatLine, Table, line_of, table_of
from ludoteca.store.exercises import Sitting, sitting_of
from ludoteca.store.folder import StoreError
from ludoteca.store.lessons import LessonProgress, progress_of
from ludoteca.store.matches import READ_SEATS, TABLES, entries_after
from ludoteca.store.models import (
    ChatRow,
    ExerciseRow,
    LeaseRow,
    LessonRow,
    MarkRow,
    NotesRow,
    PresenceRow,
    SeatRow,
    ServerRow,
    TableRow,
)
from ludoteca.store.notices import Heard, Notices
from ludoteca.store.section import Section
from ludoteca.text import words

ALIVE = 10.0
"""Seconds for which a server that says nothing more counts as alive, and its leases hold."""
LEAVING = 3.0
"""Seconds for which the pages of a server that has ended count as open."""
AT_ONCE = 50
"""How many tables a server looks after at a time whose bots nobody plays."""

# What a server reads after every step at another one: plain rows, by statements that are made once. The first
# one says which of the others there is anything for.
CHAT, NOTES, PRESENT = (cast(Rows, row.__table__) for row in (ChatRow, NotesRow, PresenceRow))
AT: Any = bindparam('table')
REMATCH = TABLES.alias()
READ_NEWS = select(
    TABLES,
    select(REMATCH.c.id).where(REMATCH.c.previous == TABLES.c.id).scalar_subquery().label('following'),
    exists().where(CHAT.c.table_id == AT, CHAT.c.number > bindparam('heard')).label('said'),
    exists().where(NOTES.c.table_id == AT).label('noted'),
    exists().where(PRESENT.c.table_id == AT, PRESENT.c.here.is_(False)).label('left'),
).where(TABLES.c.id == AT)
READ_CHAT = (
    select(CHAT).where(CHAT.c.table_id == AT, CHAT.c.number > bindparam('heard')).order_by(CHAT.c.number)
)
READ_NOTES = select(NOTES).where(NOTES.c.table_id == AT)


@dataclass(frozen=True)
class News:
    """A table as it stands now, with the lines of its log and of its chat that come after those that are
    known. `entries` of the log there are in all; `noted` says how often each seat has pencilled something."""

    table: Table
    new: tuple[LogEntry, ...]
    entries: int
    chat: tuple[ChatLine, ...]
    notes: dict[int, dict[str, tuple[str, ...]]]
    noted: dict[int, int]
    away: frozenset[str]
    progress: LessonProgress | None  # of the lesson that is given at the table
    sitting: Sitting | None  # of the exercise there


class Servers(Section):
    """What servers share beside the games themselves."""

    def told(self, hook: Callable[[Changes], None]) -> None:
        """Have `hook` called after every transaction of this store that has changed a table or a person."""
        self._database.stored = hook

    def notices(self, server: str, heard: Callable[[Heard], None]) -> Notices:
        """Notices between this server and the others of the database."""
        return Notices(self._database, server, heard)

    # ---- what is new at a table

    def revision(self, table_id: str) -> int:
        """A number that goes up with everything that happens at a table; -1 if there is none. Secret: drafts
        count."""
        with self._database.read() as session:
            found = session.scalar(select(TableRow.revision).where(TableRow.id == table_id))
        return -1 if found is None else found

    def revisions(self, tables: Collection[str]) -> dict[str, int]:
        """The same of several tables."""
        with self._database.read() as session:
            query = select(TableRow.id, TableRow.revision).where(TableRow.id.in_(tables))
            return {table: revision for table, revision in session.execute(query)}  # noqa: C416 (rows)

    def noted(self, table_id: str) -> dict[int, int]:
        """By seat how often it has pencilled something."""
        with self._database.read() as session:
            query = select(NotesRow.seat, NotesRow.changes).where(NotesRow.table_id == table_id)
            return {seat: changes for seat, changes in session.execute(query)}  # noqa: C416 (rows)

    def news(self, table_id: str, entries: int | None, lines: int) -> News | None:
        """What there is at a table after so many entries of its log (None: they are not wanted) and the line
        of that number in its chat; None if there is no such table."""
        with self._database.read() as session:
            at = {'table': table_id, 'heard': lines}
            row = session.execute(READ_NEWS, at).first()
            if row is None:
                return None
            table = table_of(row, row.following, session.execute(READ_SEATS, at).all())
            known = row.entries if entries is None else entries
            new = entries_after(session, table_id, known, row.entries)
            chat, notes = list[ChatLine](), list[Any]()
            if row.said:
                chat = [line_of(line) for line in session.execute(READ_CHAT, at)]
            if row.noted:
                notes = list(session.execute(READ_NOTES, at))
            return News(
                table,
                tuple(new),
                row.entries,
                tuple(chat),
                {one.seat: {key: tuple(labels) for key, labels in one.labels.items()} for one in notes},
                {one.seat: one.changes for one in notes},
                self._away(session, table_id) if row.left else frozenset(),
                progress_of(lesson)
                if table.lesson and (lesson := session.get(LessonRow, table_id))
                else None,
                sitting_of(done) if table.exercise and (done := session.get(ExerciseRow, table_id)) else None,
            )

    # ---- who is there

    def note_presence(self, table_id: str, people: Collection[str], server: str, here: bool) -> None:
        """These people have a page of a table open at this server, or have closed the last one there. Who has
        opened one at another server meanwhile stays."""
        with self._database.write() as session:
            row = self._row(session, table_id)
            before = self._away(session, table_id)
            for person in sorted(people):
                if here:
                    values = {'table_id': table_id, 'person': person, 'server': server, 'here': True}
                    upsert(session, PresenceRow, values, ('table_id', 'person'))
                else:
                    session.execute(
                        update(PresenceRow)
                        .where(
                            PresenceRow.table_id == table_id,
                            PresenceRow.person == person,
                            PresenceRow.server == server,
                        )
                        .values(here=False)
                    )
            if self._away(session, table_id) != before:
                self._changed(session, row)

    def _away(self, session: Session, table_id: str) -> frozenset[str]:
        query = select(PresenceRow.person).where(
            PresenceRow.table_id == table_id, PresenceRow.here.is_(False)
        )
        return frozenset(session.scalars(query))

    # ---- servers

    def keep_alive(self, server: str) -> None:
        """This server is alive, and so are its leases. Servers that have said nothing for too long are
        forgotten: nobody is there over them any more."""
        until = self._database.now() + ALIVE
        with self._database.write() as session:
            upsert(session, ServerRow, {'id': server, 'until': until}, ('id',))
            session.execute(update(LeaseRow).where(LeaseRow.server == server).values(until=until))
            dead = select(ServerRow.id).where(~self._database.holds(ServerRow.until, ALIVE))
            lost = session.scalars(dead.with_for_update(skip_locked=True)).all()
        if lost:
            self._bury(lost)

    def _bury(self, servers: Sequence[str]) -> None:
        left = PresenceRow.server.in_(servers)
        with self._database.read() as session:
            tables = session.scalars(
                select(PresenceRow.table_id).where(left, PresenceRow.here).distinct()
            ).all()
        for table in sorted(tables):
            with self._database.write() as session:
                row = self._row(session, table)
                gone = update(PresenceRow).where(left, PresenceRow.table_id == table, PresenceRow.here)
                if cast(Any, session.execute(gone.values(here=False))).rowcount:
                    self._changed(session, row)
        with self._database.write() as session:
            dead = ~self._database.holds(ServerRow.until, ALIVE)
            session.execute(delete(ServerRow).where(ServerRow.id.in_(servers), dead))

    def end_server(self, server: str) -> None:
        """This server ends: others may play for its bots. The people at its pages are given the time to come
        to another one."""
        until = self._database.now() + LEAVING
        with self._database.write() as session:
            session.execute(update(ServerRow).where(ServerRow.id == server).values(until=until))
            session.execute(delete(LeaseRow).where(LeaseRow.server == server))

    # ---- whose bots play

    def claim_bots(self, table_id: str, server: str) -> bool:
        """Take the bots of a table, unless another server has them; as long as `keep_alive` is called they
        are this server's."""
        until = self._database.now() + ALIVE
        free = ~self._database.holds(LeaseRow.until, ALIVE) | (LeaseRow.server == server)
        values = {'table_id': table_id, 'server': server, 'until': until}
        with self._database.write() as session:
            return upsert(session, LeaseRow, values, ('table_id',), free)

    def release_bots(self, table_id: str, server: str) -> None:
        """Leave the bots of a table to whoever needs them next."""
        with self._database.write() as session:
            session.execute(delete(LeaseRow).where(LeaseRow.table_id == table_id, LeaseRow.server == server))

    def forsaken(self, games: Sequence[str]) -> list[str]:
        """Tables of these games, with whatever components, at which a bot is to choose and no server plays
        for it, those that have waited longest first. No bot thinks in a lesson or an exercise."""
        waits = exists().where(SeatRow.table_id == TableRow.id, SeatRow.kind == BOT, SeatRow.waiting)
        held = self._database.holds(LeaseRow.until, ALIVE)
        played = exists().where(LeaseRow.table_id == TableRow.id, held)
        taught = exists().where(LessonRow.table_id == TableRow.id, LessonRow.until < 0)
        sought = exists().where(ExerciseRow.table_id == TableRow.id)
        sets = [TableRow.game.startswith(f'{name}@', autoescape=True) for name in games]
        ours = TableRow.game.in_(games) | or_(*sets)
        query = select(TableRow.id).where(
            TableRow.status == 'running', ours, waits, ~played, ~taught, ~sought
        )
        with self._database.read() as session:
            return list(session.scalars(query.order_by(TableRow.updated).limit(AT_ONCE)))

    # ---- keys

    def agree(self, name: str, key: bytes) -> None:
        """Make sure that all servers of the database have the same key of that name. Raises StoreError if
        this one has another. The database keeps a mark of the key, from which nobody learns it."""
        mark = _mark(name, key)
        with self._database.write() as session:
            if (row := session.get(MarkRow, name)) is None:
                upsert(session, MarkRow, {'name': name, 'value': mark}, ('name',), MarkRow.name != name)
                row = session.get_one(MarkRow, name)
            if row.value != mark:
                raise StoreError(words('store.error.other_key', name=name, place=self._database.place))

    def is_new_key(self, name: str, key: bytes) -> bool:
        """Was the database used with another key of that name before? From now on this one counts."""
        mark = _mark(name, key)
        with self._database.read() as session:
            known = session.scalar(select(MarkRow.value).where(MarkRow.name == name))
        if known != mark:
            with self._database.write() as session:
                upsert(session, MarkRow, {'name': name, 'value': mark}, ('name',))
        return known not in (None, mark)


def _mark(name: str, key: bytes) -> str:
    """The mark of a key."""
    return hmac.digest(key, f'ludoteca mark {name}'.encode(), 'sha256').hex()[:32]


def upsert(
    session: Session, model: Any, values: dict[str, Any], key: Sequence[str], where: Any = None
) -> bool:
    """Put a row in, or change the one that has its key, if `where` holds for it. Answers whether the row is
    as asked for."""
    dialect = session.get_bind().dialect.name
    insert: Any = sqlite.insert if dialect == 'sqlite' else postgresql.insert
    rest = {name: value for name, value in values.items() if name not in key}
    query = insert(model).values(**values)
    query = query.on_conflict_do_update(index_elements=list(key), set_=rest, where=where)
    return session.execute(query.returning(getattr(model, key[0]))).first() is not None
