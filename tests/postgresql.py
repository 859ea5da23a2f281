"""A PostgreSQL server for tests: in a directory of its own, reached over a socket in it, and gone afterwards.

PostgreSQL refuses to run for root; there it runs for the system's `postgres` or `nobody`.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

NAME = 'ludoteca'
QUICK = {
    # nothing of it is to outlive a crash of the machine
    'fsync': 'off',
    'full_page_writes': 'off',
    'listen_addresses': '',
    'max_connections': '100',
    'shared_buffers': '32MB',
    'autovacuum': 'off',
    'jit': 'off',
}


@cache
def programs() -> Path | None:
    """The folder of PostgreSQL's programs; None if it is not installed."""
    found = shutil.which('initdb')
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path('/usr/lib/postgresql').glob('*/bin'), key=lambda path: float(path.parent.name))
    return folders[-1] if folders else None


def needed() -> None:
    """Skip the test where PostgreSQL is not installed. In CI it must be."""
    if programs() is None:
        if os.environ.get('CI') == 'true':
            pytest.fail('PostgreSQL is not installed; .ci/run installs it')
        pytest.skip('PostgreSQL is not installed (on Debian: apt-get install postgresql)')


def other_user() -> dict[str, Any]:
    """For subprocess: whom the server runs for; root gives way to somebody else."""
    if os.geteuid() != 0:
        return {}
    for name in ('postgres', 'nobody'):
        with suppress(KeyError):
            found = pwd.getpwnam(name)
            return {'user': found.pw_uid, 'group': found.pw_gid, 'extra_groups': []}
    return {}


def name_of(url: str) -> str:
    """The name of the database of an address that `Cluster.new` has given."""
    return url.rpartition('@/')[2].partition('?')[0]


class Cluster:
    """A running server. `new` makes a database in it."""

    def __init__(self) -> None:
        found = programs()
        assert found
        self.programs, self.made = found, 0
        self.folder = Path(tempfile.mkdtemp(prefix='pg-', dir='/tmp'))  # a socket's path is short
        self._as = other_user()
        if self._as:
            os.chown(self.folder, self._as['user'], self._as['group'])
        self._environment = {'PATH': os.environ['PATH'], 'LC_ALL': 'C', 'HOME': str(self.folder)}
        self.data = self.folder / 'data'
        self._run('initdb', '-D', str(self.data), '--no-sync', '-A', 'trust', '-U', NAME, '-E', 'UTF8')
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(self.programs / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            env=self._environment,
            **self._as,
        )

    def start(self) -> None:
        """Start, and return when it answers."""
        settings = [part for key, value in QUICK.items() for part in ('-c', f'{key}={value}')]
        with (self.folder / 'log').open('ab') as log:
            self._process = subprocess.Popen(
                [str(self.programs / 'postgres'), '-D', str(self.data), '-k', str(self.folder), *settings],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=self.folder,
                env=self._environment,
                **self._as,
            )
        for _ in range(1200):
            assert self._process.poll() is None, (self.folder / 'log').read_text()
            with suppress(psycopg.OperationalError), self.connect():
                return
            time.sleep(0.05)
        raise AssertionError((self.folder / 'log').read_text())

    def stop(self) -> None:
        """Stop at once, as a crash would."""
        if self._process:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        """Stop, and leave nothing behind."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def connect(self, database: str = 'postgres') -> psycopg.Connection[Any]:
        """A connection past the program, whose statements count at once."""
        return psycopg.connect(
            host=str(self.folder), user=NAME, dbname=database, autocommit=True, connect_timeout=10
        )

    def new(self) -> str:
        """The address of a new, empty database."""
        self.made += 1
        name = f'test{self.made}'
        with self.connect() as connection:
            connection.execute(f'CREATE DATABASE {name}')
        return f'postgresql://{NAME}@/{name}?host={self.folder}'

    def schema(self) -> str:
        """The address of an empty database that shares its notices with others: it is made in no time."""
        self.made += 1
        with self.connect() as connection:
            connection.execute(f'CREATE SCHEMA test{self.made}')
        return f'postgresql://{NAME}@/postgres?host={self.folder}&options=-csearch_path%3Dtest{self.made}'

    def cut_off(self, database: str) -> None:
        """End all connections to a database."""
        with self.connect() as connection:
            connection.execute(
                'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s AND '
                'pid <> pg_backend_pid()',
                [database],
            )
