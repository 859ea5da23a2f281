"""One server at a time on a SQLite database: what it has in memory would not know of another one's turns."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Self

from ludoteca.store.folder import StoreError
from ludoteca.text import words


class Occupied(StoreError):
    """Another server has the database. `address`: where it is; '' if that is not known."""

    def __init__(self, sentence: str, address: str) -> None:
        super().__init__(sentence)
        self.address = address


class DatabaseLock:
    """A server's claim to a database file. It ends with the process, however that ends: the operating system
    holds it, on a file beside the database that says where the server is."""

    def __init__(self, database: Path, address: str) -> None:
        """Raises Occupied if another server has the database, and StoreError if the file cannot be
        written."""
        self.path = database.with_name(f'{database.name}.server')
        self.made = not self.path.exists()
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as problem:
            raise StoreError(words('store.error.claim', path=self.path, reason=problem.strerror)) from problem
        self._file = os.fdopen(descriptor, 'r+', encoding='utf-8')
        if not _lock(self._file.fileno()):
            other = self._file.read(200).strip()
            self._file.close()
            where = other or words('store.error.somewhere')
            raise Occupied(words('store.error.occupied', place=database, address=where), other)
        self._file.truncate(0)
        self._file.write(address)
        self._file.flush()

    def end(self) -> None:
        """Let others have the database."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


if sys.platform == 'win32':
    import msvcrt

    def _lock(descriptor: int) -> bool:
        """Lock a byte far behind the end, so that others can read what the file says."""
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        """Lock the file, if nobody else has."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
