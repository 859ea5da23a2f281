"""All data of a database brought into another one, of the same kind or not, and proven before they count."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, bindparam, func, select, update

from ludoteca.store.database import Database
from ludoteca.store.database_lock import DatabaseLock
from ludoteca.store.folder import StoreError, database_file
from ludoteca.store.models import Base, EntryRow, ServerRow, TableRow
from ludoteca.store.servers import ALIVE
from ludoteca.text import words

AT_ONCE = 1_000
"""Rows that are held in memory at a time."""
TABLES = tuple(table for table in Base.metadata.sorted_tables if not table.info.get('passing'))
"""The tables of the database that hold data, each after those to which it points."""


@dataclass(frozen=True)
class MoveReport:
    """What was moved, and found to be the same in both places: by table how many rows, and by match a hash of
    its log."""

    rows: dict[str, int]
    logs: dict[str, str]


@dataclass(frozen=True)
class Sum:
    """What a table of the database holds: how many rows, and a number that depends on all their values, but
    not on their order."""

    rows: int
    value: int


def url_of(place: str) -> str:
    """The address of a database that is given by its address or, for SQLite, as the path of its file."""
    return place if '://' in place else f'sqlite:///{place}'


def move_data(source: str, target: str) -> MoveReport:
    """Copy all data of a database into an empty one, in one transaction, and prove it before it counts: the
    rows of every table are counted and summed, and the logs of all matches hashed, in both.

    Both places are addresses, or paths of SQLite files. Keys are not part of a database and stay where they
    are. Raises StoreError with a sentence if a place cannot be used, if a server uses the data, if the target
    has data, or if the proof fails; then the target is as it was.
    """
    from_url, into_url = url_of(source), url_of(target)
    file, made = database_file(from_url), database_file(into_url)
    for url, path in ((from_url, file), (into_url, made)):
        if url.startswith('sqlite') and path is None:
            raise StoreError(words('store.error.in_memory'))
    if file is not None and not file.exists():
        raise StoreError(words('store.error.no_source', place=file))
    new = made is not None and not made.exists()
    claims: list[DatabaseLock] = []
    try:
        with ExitStack() as stack:
            for path in (file, made):
                if path is not None:  # no server writes meanwhile, nor has its data brought into another form
                    claims.append(stack.enter_context(DatabaseLock(path, words('store.moving'))))
            return _move(*[stack.enter_context(_opened(url)) for url in (from_url, into_url)])
    except BaseException:
        if new and made is not None:
            _remove(made)
        for claim in claims:
            if claim.made:
                claim.path.unlink(missing_ok=True)
        raise


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


def _remove(file: Path) -> None:
    for path in (file, *(file.with_name(f'{file.name}{end}') for end in ('-wal', '-shm', '.server'))):
        path.unlink(missing_ok=True)


def _move(before: Database, after: Database) -> MoveReport:
    with before.snapshot() as source, after.write() as session:
        target = session.connection()
        for database, connection in ((before, source), (after, target)):
            held = database.holds(ServerRow.until, ALIVE)
            alive = select(func.count()).select_from(ServerRow).where(held)
            if connection.scalar(alive):
                raise StoreError(words('store.error.in_use', place=database.place))
        for table in TABLES:
            if target.scalar(select(func.count()).select_from(table)):
                raise StoreError(words('store.error.not_empty', place=after.place))
        for table in TABLES:
            _copy(table, source, target)
        rows = {table.name: _proven(table, source, target) for table in TABLES}
        logs = log_hashes(source)
        if log_hashes(target) != logs:
            raise StoreError(words('store.error.not_proven', table=EntryRow.__tablename__))
        return MoveReport(rows, logs)


def _copy(table: Table, source: Connection, target: Connection) -> None:
    """Copy the rows of a table. A row that points to another one of the same table does so when all are
    there."""
    own = [key.parent.name for key in table.foreign_keys if key.column.table is table]
    pointing: list[dict[str, Any]] = []
    for rows in source.execute(select(table)).mappings().partitions(AT_ONCE):
        copies = [dict(row) for row in rows]
        for name in own:
            pointing += [{'row': copy['id'], 'to': copy[name]} for copy in copies if copy[name] is not None]
            copies = [{**copy, name: None} for copy in copies]
        target.execute(table.insert(), copies)
    if pointing:
        assert table is TableRow.__table__
        point = update(TableRow.__table__).where(TableRow.id == bindparam('row'))
        target.execute(point.values(previous=bindparam('to')), pointing)


def _proven(table: Table, source: Connection, target: Connection) -> int:
    """How many rows a table has in both places. Raises StoreError if they are not the same there."""
    there, here = sum_of(table, source), sum_of(table, target)
    if there != here:
        raise StoreError(words('store.error.not_proven', table=table.name))
    return here.rows


def sum_of(table: Table, connection: Connection) -> Sum:
    """The sum of a table."""
    rows = value = 0
    for part in connection.execute(select(table)).partitions(AT_ONCE):
        for row in part:
            digest = hashlib.blake2b(json.dumps(tuple(row), sort_keys=True).encode(), digest_size=16)
            rows, value = rows + 1, (value + int.from_bytes(digest.digest(), 'big')) % (1 << 128)
    return Sum(rows, value)


def log_hashes(connection: Connection) -> dict[str, str]:
    """By match a hash of all entries of its log, in their order."""
    entries = EntryRow.__table__
    found: dict[str, Any] = {}
    query = select(entries).order_by(entries.c.table_id, entries.c.number)
    for rows in connection.execute(query).partitions(AT_ONCE):
        for row in rows:
            digest = found.setdefault(row.table_id, hashlib.blake2b(digest_size=16))
            digest.update(json.dumps(tuple(row)).encode())
    return {match: digest.hexdigest() for match, digest in found.items()}
