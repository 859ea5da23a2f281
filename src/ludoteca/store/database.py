"""Connections to the database, and the migrations that bring it up to date."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Double,
    Engine,
    and_,
    cast,
    create_engine,
    event,
    func,
    inspect,
    literal_column,
)
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Mapped, Session
from sqlalchemy.pool import StaticPool

from ludoteca.store.folder import StoreError, address, shown
from ludoteca.store.models import Base
from ludoteca.text import words

if TYPE_CHECKING:
    from alembic.config import Config

BUSY = 10.0
"""Seconds that a writer waits for another one."""
CONNECTING = 5
"""Seconds after which a database server that does not answer counts as gone."""
CONNECTIONS = 20
"""The most connections that a process keeps open. More threads than that wait for each other."""
HANGING = 30.0
"""Seconds after which PostgreSQL undoes a transaction in which nothing happens."""
CHANGES = 'changes'
"""The key under which a session for writing has its `Changes`."""
UPDATING = 7_254_011
"""The number of the lock under which a PostgreSQL database is made and brought up to date."""
NOT_ALLOWED = '42501'
"""PostgreSQL's code for what the program's role may not do."""

VERSIONS = (
    'CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, '
    'CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))'
)
"""The table in which Alembic keeps the version of a database, as Alembic makes it."""
MIGRATIONS = Path(__file__).parent / 'migrations'


def revisions() -> list[str]:
    """All versions that the database has had, the oldest first: migrations are files named
    `REVISION_WHAT.py`."""
    return sorted(path.name.partition('_')[0] for path in (MIGRATIONS / 'versions').glob('[0-9]*_*.py'))


def config() -> Config:
    """Alembic's configuration: the migrations inside the package."""
    from alembic.config import Config

    found = Config()
    found.set_main_option('script_location', str(MIGRATIONS).replace('%', '%%'))
    return found


@dataclass(frozen=True)
class Change:
    """How a table stands after a transaction; see TableRow."""

    revision: int
    shown: int


@dataclass(frozen=True)
class Changes:
    """What a transaction has changed: tables by id, and people; and whom it calls, see `store.jobs`."""

    tables: dict[str, Change] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)


def passing(problem: Exception) -> bool:
    """Is it the state of the database that is to blame, and not the program? It cannot be reached, is full,
    locked, read-only or damaged, or two writers were in each other's way."""
    code = getattr(getattr(problem, 'orig', None), 'sqlite_errorcode', 0)
    if code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return True
    if isinstance(problem, ProgrammingError):
        return getattr(problem.orig, 'sqlstate', None) == NOT_ALLOWED
    # PostgreSQL answers a write to a read-only database with an InternalError
    return isinstance(problem, OperationalError | InterfaceError | InternalError | PoolTimeout)


@contextlib.contextmanager
def _said(key: str) -> Iterator[None]:
    """What the database refuses just now is said with the sentence of that key."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as problem:
        if passing(problem):
            raise StoreError(words(key)) from problem
        raise


def _write_ahead(cursor: Any) -> None:
    """Let a SQLite file keep what is written in a log beside it. SQLite itself does not wait here for whoever
    is just making the file."""
    until = time.monotonic() + BUSY
    while True:
        try:
            cursor.execute('PRAGMA journal_mode = WAL')
            return
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.01)


class Database:
    """A database of the newest version. `read` and `write` give sessions that are one transaction each."""

    def __init__(self, url: str, may_change: bool = True) -> None:
        """Opens, checks and, where needed, brings up to date. Raises StoreError; also if it would have to be
        brought up to date and may not change."""
        self.url = address(url)
        self.sqlite = self.url.get_backend_name() == 'sqlite'
        self.place = self.url.database or 'in memory' if self.sqlite else shown(url)
        self.stored: Callable[[Changes], None] | None = None  # called after each transaction that changed
        self._turn = threading.RLock()  # of the thread of this process that writes to a SQLite file
        try:
            self.engine = self._engine()
        except ModuleNotFoundError as problem:
            raise StoreError(words('store.error.driver', module=problem.name)) from problem
        except ArgumentError as problem:
            raise StoreError(words('store.error.url', url=shown(url))) from problem
        try:
            self._update(may_change)
        except DBAPIError as problem:
            self.close()
            raise StoreError(self._sentence(problem)) from problem
        except BaseException:
            self.close()
            raise
        self._opened = self._file()

    def _file(self) -> tuple[int, int] | None:
        """Which file the database is, whatever its name; None if it is no file, or the file is gone."""
        if not self.sqlite or self.url.database in (None, '', ':memory:'):
            return None
        try:
            found = Path(str(self.url.database)).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _check_file(self) -> None:
        """Raises StoreError if the file that was opened is deleted, moved or replaced. The system would go on
        writing to the file that nobody can open any more, and SQLite would make an empty one in its place."""
        if self._file() != self._opened:
            raise StoreError(words('store.error.gone', place=self.place))

    def _engine(self) -> Engine:
        if not self.sqlite:
            return self._server_engine()
        in_memory = self.url.database in (None, '', ':memory:')
        # for its owner alone, as are the files that SQLite puts beside it
        if not in_memory:
            with contextlib.suppress(OSError):
                os.close(os.open(str(self.url.database), os.O_WRONLY | os.O_CREAT, 0o600))
        more: dict[str, Any] = {'poolclass': StaticPool} if in_memory else {}
        engine = create_engine(
            self.url, connect_args={'timeout': BUSY, 'check_same_thread': False}, hide_parameters=True, **more
        )

        @event.listens_for(engine, 'connect')
        def connect(connection: Any, _: Any) -> None:
            connection.isolation_level = None  # transactions are begun below, not by the driver
            cursor = connection.cursor()
            _write_ahead(cursor)
            for pragma in (
                'synchronous = FULL',
                'foreign_keys = ON',
                f'busy_timeout = {BUSY * 1000:.0f}',
            ):
                cursor.execute(f'PRAGMA {pragma}')
            cursor.close()

        @event.listens_for(engine, 'begin')
        def begin(connection: Connection) -> None:
            # A writer takes the lock at once: a reader that turns into a writer could be refused however long
            # it waited.
            connection.exec_driver_sql(
                'BEGIN IMMEDIATE' if connection.get_execution_options().get('writes') else 'BEGIN'
            )

        return engine

    def _server_engine(self) -> Engine:
        """An engine for a database server: connections that have broken are noticed and made anew, and nobody
        waits for ever."""
        engine = create_engine(
            self.url,
            pool_pre_ping=True,
            hide_parameters=True,
            pool_size=CONNECTIONS // 2,
            max_overflow=CONNECTIONS - CONNECTIONS // 2,
            pool_timeout=BUSY,
            connect_args={
                'connect_timeout': CONNECTING,
                'application_name': 'ludoteca',
                'client_encoding': 'UTF8',
            },
        )

        @event.listens_for(engine, 'connect')
        def connect(connection: Any, _: Any) -> None:
            with connection.cursor() as cursor:
                cursor.execute(f'SET lock_timeout = {BUSY * 1000:.0f}')
                # a process that hangs in the middle of a transaction must not keep others from a table
                cursor.execute(f'SET idle_in_transaction_session_timeout = {HANGING * 1000:.0f}')
            connection.commit()

        return engine

    def _update(self, may_change: bool) -> None:
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            if self.url.get_backend_name() == 'postgresql':
                # of several servers that start at once the others wait for the first one, however long
                connection.exec_driver_sql('SET LOCAL lock_timeout = 0')
                connection.exec_driver_sql(f'SELECT pg_advisory_xact_lock({UPDATING})')
                encoding = connection.exec_driver_sql('SHOW server_encoding').scalar()
                if encoding != 'UTF8':
                    raise StoreError(words('store.error.encoding', place=self.place, encoding=encoding))
            if self.sqlite:
                answer = connection.exec_driver_sql('PRAGMA quick_check(1)').scalar()
                if answer != 'ok':
                    reason = str(answer).splitlines()[-1]
                    raise StoreError(words('store.error.damaged', place=self.place, reason=reason))
            tables, known = inspect(connection).get_table_names(), revisions()
            if not tables and not may_change:
                raise StoreError(words('store.error.no_source', place=self.place))
            # made in its newest version: that is quicker than all migrations
            if not tables:
                Base.metadata.create_all(connection)
                connection.exec_driver_sql(VERSIONS)
                connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{known[-1]}')")
                return
            current = None
            if 'alembic_version' in tables:
                current = connection.exec_driver_sql('SELECT version_num FROM alembic_version').scalar()
            if current is None:
                raise StoreError(words('store.error.foreign', place=self.place))
            if current not in known:
                raise StoreError(words('store.error.newer', place=self.place, form=current))
            if current != known[-1] and not may_change:
                raise StoreError(words('store.error.older', place=self.place, form=current, newest=known[-1]))
            if current != known[-1]:
                import alembic.command  # slow to load

                settings = config()
                settings.attributes['connection'] = connection
                alembic.command.upgrade(settings, 'head')

    def _sentence(self, problem: DBAPIError) -> str:
        reason = str(problem.orig).splitlines()[0] if str(problem.orig) else type(problem.orig).__name__
        if not self.sqlite:
            return words('store.error.no_server', place=self.place, reason=reason.rstrip('.'))
        if isinstance(problem, OperationalError):
            return words('store.error.closed', place=self.place, reason=reason)
        return words('store.error.no_database', place=self.place, reason=reason)

    def now(self) -> ColumnElement[float]:
        """The time by the database's clock, in seconds since 1970: the same for all servers."""
        if self.sqlite:
            return literal_column("(julianday('now') - 2440587.5) * 86400.0", Double)
        return cast(func.extract('epoch', func.clock_timestamp()), Double)

    def holds(self, until: Mapped[float | None], seconds: float) -> ColumnElement[bool]:
        """Does a lease hold that is taken for so many seconds and ends at `until`? One that would hold much
        longer was taken before the clock was put back: what a dead process has would wait as long as that."""
        now = self.now()
        return and_(until >= now, until <= now + 2 * seconds)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection that reads everything as it is at one moment. Raises StoreError if the database cannot
        be read just now."""
        options: dict[str, Any] = {'stream_results': True}
        if not self.sqlite:
            options['isolation_level'] = 'REPEATABLE READ'
        with (
            _said('store.error.not_read'),
            self.engine.connect().execution_options(**options) as connection,
            connection.begin(),
        ):
            yield connection

    @contextlib.contextmanager
    def read(self) -> Iterator[Session]:
        """A session for reading. Raises StoreError if the database cannot be read just now."""
        self._check_file()
        with (
            _said('store.error.not_read'),
            self.engine.connect() as connection,
            connection.begin(),
            Session(connection, expire_on_commit=False) as session,
        ):
            yield session

    @contextlib.contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        """Writers of this process to a SQLite file wait for each other here. SQLite lets them sleep and try
        again, for up to a tenth of a second at a time, and whoever has waited longest is not the next one.
        Raises StoreError if one keeps the others waiting."""
        if not self.sqlite:
            yield
            return
        if not self._turn.acquire(timeout=BUSY):
            raise StoreError(words('store.error.not_stored'))
        try:
            yield
        finally:
            self._turn.release()

    @contextlib.contextmanager
    def write(self) -> Iterator[Session]:
        """A session for reading and writing. If the block ends without an error, all of it is stored for
        good, else nothing. Raises StoreError if it cannot be stored: the disk is full, the data read-only, or
        another program keeps the database locked."""
        self._check_file()
        changes = Changes()
        with (
            self._turn_to_write(),
            _said('store.error.not_stored'),
            self.engine.connect().execution_options(writes=True) as connection,
            connection.begin(),
            Session(connection, expire_on_commit=False, info={CHANGES: changes}) as session,
        ):
            yield session
            session.flush()
        if self.stored is not None and (changes.tables or changes.people or changes.calls):
            self.stored(changes)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
