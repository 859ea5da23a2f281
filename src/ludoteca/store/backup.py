"""Copies of all data in one file, made while a server runs, and proven before they count.

A copy is a ZIP archive for its owner alone: the database as SQLite's online backup copies it, the keys with
which cookies are signed and links are worked out, and what was counted in it. Without the keys every guest
would begin anew and every link would be dead; so whoever has the file can open every seat.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from ludoteca.store.database import revisions
from ludoteca.store.folder import DATABASE, StoreError, address, data_folder, database_file
from ludoteca.text import words

FORMAT = 1
CONTENTS = 'contents.json'
KEYS = '*.key'
LOGS = ('-wal', '-shm', '-journal')
"""How the names of the files end that SQLite keeps beside a database."""


_DAMAGED = (
    *(ValueError, KeyError, TypeError, AttributeError, EOFError, sqlite3.Error),
    *(
        zipfile.BadZipFile,
        zlib.error,
        RuntimeError,
    ),  # the last: an archive that is encrypted, or packed otherwise
)
"""What reading an archive that is none, or none of ours, may raise."""


@dataclass(frozen=True)
class Contents:
    """What a copy holds. `rows`: by table how many; `logs`: a hash over all log entries of all matches, in
    order; `form`: the version of the database."""

    format: int
    made: float  # seconds since 1970
    form: str
    rows: dict[str, int]
    logs: str
    keys: tuple[str, ...]


def backup(url: str, target: Path) -> Contents:
    """Copy all data into a new file, while servers may go on writing.

    Raises StoreError with a sentence if the file is there already, if the database is no SQLite file, or if
    it is missing or cannot be read; then there is no file.
    """
    if target.exists():
        raise StoreError(words('store.error.file_exists', path=target))
    database = _existing_file(url)
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix='.backup') as scratch:
            copy, archive = Path(scratch) / DATABASE, Path(scratch) / 'archive'
            _copy(database, copy)
            keys = sorted(data_folder().glob(KEYS))
            found = contents(copy, tuple(key.name for key in keys))
            with os.fdopen(os.open(archive, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), 'r+b') as file:
                with zipfile.ZipFile(file, 'w', zipfile.ZIP_DEFLATED) as made:
                    made.write(copy, DATABASE)
                    for key in keys:
                        made.write(key, key.name)
                    made.writestr(CONTENTS, json.dumps(asdict(found), indent=2))
                file.flush()
                os.fsync(file.fileno())
            _check(archive)
            os.link(archive, target)  # a whole file appears at once, and no other one is written over
    except (OSError, sqlite3.Error) as problem:
        raise _not_copied(database, target, problem) from problem
    return found


@contextmanager
def trial_copy(url: str) -> Iterator[str]:
    """The address of a copy of a SQLite database, made while servers may go on writing, and deleted
    afterwards. Raises StoreError as `backup` does."""
    database = _existing_file(url)
    with tempfile.TemporaryDirectory(prefix='ludoteca-copy-') as scratch:
        copy = Path(scratch) / DATABASE
        try:
            _copy(database, copy)
        except sqlite3.Error as problem:
            raise _not_copied(database, copy, problem) from problem
        yield f'sqlite:///{copy}'


def restore(source: Path, url: str) -> Contents:
    """Bring all data of a copy back, where there is none.

    Raises StoreError with a sentence if the file is no copy or damaged, if it was made by a newer version, or
    if there are data already; then nothing has changed.
    """
    database, folder = _sqlite_file(url), data_folder()
    found = _check(source)
    there = [path for path in (database, *(folder / key for key in found.keys)) if path.exists()]
    if there:
        raise StoreError(words('store.error.data_exist', path=there[0]))
    # SQLite would write what a log still holds into the new file
    logs = [path for ending in LOGS if (path := database.with_name(database.name + ending)).exists()]
    if logs:
        raise StoreError(words('store.error.log_left', path=logs[0], database=database.name))
    try:
        with zipfile.ZipFile(source) as archive:
            for key in found.keys:
                _write(folder / key, archive.read(key))
            # the database comes last: without it there are no data yet
            _write(database, archive.read(DATABASE))
    except OSError as problem:
        for path in (database, *(folder / key for key in found.keys)):
            path.unlink(missing_ok=True)
        raise StoreError(words('store.error.restore', path=source, reason=_reason(problem))) from problem
    return found


def contents(database: Path, keys: tuple[str, ...] = ()) -> Contents:
    """Count a database file. Raises sqlite3.Error if it cannot be read."""
    with closing(_read_only(database)) as connection:
        form = connection.execute('SELECT version_num FROM alembic_version').fetchone()[0]
        names = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
            )
            if not name.startswith('sqlite_')
        ]
        rows = {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}
        digest = hashlib.blake2b(digest_size=16)
        for entry in connection.execute('SELECT * FROM entries ORDER BY table_id, number'):
            digest.update(json.dumps(entry).encode())
    return Contents(FORMAT, time.time(), form, rows, digest.hexdigest(), keys)


def _sqlite_file(url: str) -> Path:
    """The file of a SQLite database. Raises StoreError for every other kind."""
    if address(url).get_backend_name() != 'sqlite':
        raise StoreError(words('store.error.not_sqlite', tool='pg_dump'))
    found = database_file(url)
    if found is None:
        raise StoreError(words('store.error.in_memory'))
    return found


def _existing_file(url: str) -> Path:
    """The file of a SQLite database that is there. Raises StoreError."""
    found = _sqlite_file(url)
    if not found.exists():
        raise StoreError(words('store.error.no_source', place=found))
    return found


def _copy(database: Path, copy: Path) -> None:
    """Copy a database into a new file, as it is at one moment. Raises sqlite3.Error."""
    with closing(_read_only(database)) as source, closing(sqlite3.connect(copy)) as into:
        source.backup(into)
        into.execute('PRAGMA journal_mode = DELETE')


def _not_copied(database: Path, copy: Path, problem: Exception) -> StoreError:
    return StoreError(words('store.error.backup', database=database, path=copy, reason=_reason(problem)))


def _check(path: Path) -> Contents:
    """What a copy holds, counted anew and found as it says. Raises StoreError."""
    try:
        with zipfile.ZipFile(path) as archive:
            told = json.loads(archive.read(CONTENTS))
            if told.get('format') != FORMAT or told.get('form') not in revisions():
                raise StoreError(words('store.error.newer_copy', path=path))
            said = Contents(**{**told, 'keys': tuple(told['keys'])})
            if any(Path(key).name != key or not key.endswith('.key') for key in said.keys):
                raise ValueError(said.keys)
            with tempfile.TemporaryDirectory() as scratch:
                copy = Path(scratch) / DATABASE
                _write(copy, archive.read(DATABASE))
                counted = contents(copy, said.keys)
            if any(len(archive.read(key)) == 0 for key in said.keys):
                raise ValueError
    except OSError as problem:
        raise StoreError(words('store.error.no_copy', path=path, reason=_reason(problem))) from problem
    except _DAMAGED as problem:
        raise StoreError(words('store.error.damaged_copy', path=path)) from problem
    if (counted.form, counted.rows, counted.logs) != (said.form, said.rows, said.logs):
        raise StoreError(words('store.error.damaged_copy', path=path))
    return said


def _read_only(database: Path) -> sqlite3.Connection:
    """A connection that makes no file and changes none. Raises sqlite3.Error."""
    return sqlite3.connect(f'{database.absolute().as_uri()}?mode=ro', uri=True, timeout=10)


def _write(path: Path, data: bytes) -> None:
    """Write a new file for its owner alone, for good."""
    with _new(path) as descriptor, os.fdopen(descriptor, 'wb') as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _new(path: Path) -> Iterator[int]:
    """A new file that gets its name when it is whole."""
    hidden = path.with_name(f'.{path.name}.{secrets.token_hex(4)}')
    try:
        yield os.open(hidden, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.link(hidden, path)
    finally:
        hidden.unlink(missing_ok=True)


def _reason(problem: Exception) -> str:
    return (problem.strerror if isinstance(problem, OSError) else None) or str(problem)
