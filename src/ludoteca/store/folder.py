"""Where a person's data lies: the database and the key of the cookies, in a folder that nobody else may
read."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sys
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from ludoteca.game import GameError
from ludoteca.text import words

DATABASE = 'ludoteca.sqlite3'
DRIVERS = {
    **dict.fromkeys(('sqlite', 'sqlite+pysqlite'), 'sqlite'),
    **dict.fromkeys(('postgresql', 'postgres', 'postgresql+psycopg'), 'postgresql+psycopg'),
}
"""How addresses of databases begin, and the driver that is used for each."""


class StoreError(GameError):
    """The data cannot be read or written; the message is one sentence for the person who runs the program."""


def data_folder() -> Path:
    """The data folder: LUDOTECA_DATA if set, else the user's data directory. It is made, for its owner alone,
    if it is missing. Raises StoreError."""
    if os.environ.get('LUDOTECA_DATA'):
        folder = Path(os.environ['LUDOTECA_DATA'])
    elif sys.platform == 'win32':
        folder = Path(os.environ.get('LOCALAPPDATA') or Path.home() / 'AppData' / 'Local') / 'ludoteca'
    elif sys.platform == 'darwin':
        folder = Path.home() / 'Library' / 'Application Support' / 'ludoteca'
    else:
        folder = Path(os.environ.get('XDG_DATA_HOME') or Path.home() / '.local' / 'share') / 'ludoteca'
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
    except OSError as problem:
        raise StoreError(words('store.error.no_folder', folder=folder, reason=problem.strerror)) from problem
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(words('store.error.folder', folder=folder))
    return folder


def database_url() -> str:
    """The address of the database: LUDOTECA_DATABASE if set (such as postgresql://user@host/name),
    else a SQLite file in the data folder. Raises StoreError."""
    return os.environ.get('LUDOTECA_DATABASE') or f'sqlite:///{data_folder() / DATABASE}'


def shown(url: str) -> str:
    """An address as people are shown it: without a password."""
    url = re.sub(r'(://[^:/@]*):(?:[^?]*|[^@]*)@', r'\1:***@', url)
    return re.sub(r'([?&](?:ssl)?password=)[^&]*', r'\1***', url)


def address(url: str) -> URL:
    """A database's address with the driver that is used for it: `postgresql://` needs no more. Raises
    StoreError."""
    try:
        found = make_url(url)
        return found.set(drivername=DRIVERS[found.drivername])
    except (ArgumentError, KeyError, ValueError) as problem:  # the last: a port that is no number
        raise StoreError(words('store.error.url', url=shown(url))) from problem


def database_file(url: str) -> Path | None:
    """The file of a SQLite database; None for any other database, and for one in memory. Raises
    StoreError."""
    found = address(url)
    if found.get_backend_name() != 'sqlite' or found.database in (None, '', ':memory:'):
        return None
    return Path(str(found.database))


def secret_key(name: str = 'cookies') -> bytes:
    """32 secret bytes, drawn from the system's entropy at the first call and kept in the data folder. Raises
    StoreError."""
    path = data_folder() / f'{name}.key'
    new = path.with_name(f'.{name}.{secrets.token_hex(4)}')
    try:
        # a whole file appears at once, and the first of two processes wins
        if not path.exists():
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(descriptor, 'wb') as file:
                    file.write(secrets.token_bytes(32))
                    file.flush()
                    os.fsync(file.fileno())
                with contextlib.suppress(FileExistsError):
                    os.link(new, path)
            finally:
                new.unlink()
        key = path.read_bytes()
    except OSError as problem:
        raise StoreError(words('store.error.key', path=path, reason=problem.strerror)) from problem
    if len(key) != 32:
        raise StoreError(words('store.error.key_length', path=path, length=len(key)))
    return key
