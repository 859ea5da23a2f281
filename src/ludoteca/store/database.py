"""Connections to the database, and the migrations that bring it up to date."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from ludoteca.store.folder import StoreError
from ludoteca.store.models import Base
from ludoteca.text import words

if TYPE_CHECKING:
    from alembic.config import Config

BUSY = 10.0
"""Seconds that a writer waits for another one."""


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


@contextlib.contextmanager
def _said(key: str) -> Iterator[None]:
    """What the database refuses just now is said with the sentence of that key."""
    try:
        yield
    except OperationalError as problem:
        raise StoreError(words(key)) from problem


class Database:
    """A database of the newest version. `read` and `write` give sessions that are one transaction each."""

    def __init__(self, url: str) -> None:
        """Opens, checks and, where needed, brings up to date. Raises StoreError."""
        try:
            self.url = make_url(url)
            self.sqlite = self.url.get_backend_name() == 'sqlite'
            self.engine = self._engine()
        except (ArgumentError, NoSuchModuleError, ImportError) as problem:
            raise StoreError(words('store.error.url', url=url)) from problem
        self.place = (
            self.url.database or 'in memory' if self.sqlite else self.url.render_as_string(hide_password=True)
        )
        try:
            self._update()
        except DBAPIError as problem:
            self.close()
            raise StoreError(self._sentence(problem)) from problem
        except BaseException:
            self.close()
            raise

    def _engine(self) -> Engine:
        if not self.sqlite:
            return create_engine(self.url, pool_pre_ping=True, hide_parameters=True)
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
            for pragma in (
                'journal_mode = WAL',
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

    def _update(self) -> None:
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            if self.sqlite:
                answer = connection.exec_driver_sql('PRAGMA quick_check(1)').scalar()
                if answer != 'ok':
                    reason = str(answer).splitlines()[-1]
                    raise StoreError(words('store.error.damaged', place=self.place, reason=reason))
            tables, known = inspect(connection).get_table_names(), revisions()
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
            if current != known[-1]:
                import alembic.command  # slow to load

                settings = config()
                settings.attributes['connection'] = connection
                alembic.command.upgrade(settings, 'head')

    def _sentence(self, problem: DBAPIError) -> str:
        reason = str(problem.orig).splitlines()[0] if str(problem.orig) else type(problem.orig).__name__
        if isinstance(problem, OperationalError):
            return words('store.error.closed', place=self.place, reason=reason)
        return words('store.error.no_database', place=self.place, reason=reason)

    @contextlib.contextmanager
    def read(self) -> Iterator[Session]:
        """A session for reading. Raises StoreError if the database cannot be read just now."""
        with (
            _said('store.error.not_read'),
            self.engine.connect() as connection,
            connection.begin(),
            Session(connection, expire_on_commit=False) as session,
        ):
            yield session

    @contextlib.contextmanager
    def write(self) -> Iterator[Session]:
        """A session for reading and writing. If the block ends without an error, all of it is stored for
        good, else nothing. Raises StoreError if it cannot be stored: the disk is full, the data read-only, or
        another program keeps the database locked."""
        with (
            _said('store.error.not_stored'),
            self.engine.connect().execution_options(writes=True) as connection,
            connection.begin(),
            Session(connection, expire_on_commit=False) as session,
        ):
            yield session
            session.flush()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
