"""One server at a time has a SQLite database."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ludoteca.store import DatabaseLock, Occupied, StoreError

HOLDS = """
import sys, time
from pathlib import Path
from ludoteca.store import DatabaseLock
claim = DatabaseLock(Path(sys.argv[1]), 'http://127.0.0.1:8123')
print('mine', flush=True)
time.sleep(60)
"""


def test_a_second_server_is_refused_and_told_where_the_first_one_is(tmp_path: Path) -> None:
    database = tmp_path / 'games.sqlite3'
    first = subprocess.Popen([sys.executable, '-c', HOLDS, str(database)], stdout=subprocess.PIPE, text=True)
    assert first.stdout
    assert first.stdout.readline() == 'mine\n'
    with pytest.raises(Occupied, match=r'already, at http://127.0.0.1:8123; stop that one') as refused:
        DatabaseLock(database, 'http://127.0.0.1:8000')
    assert refused.value.address == 'http://127.0.0.1:8123'
    first.kill()  # however it ends
    first.wait()
    first.stdout.close()
    with DatabaseLock(database, 'http://127.0.0.1:8000'):
        pass


def test_a_claim_ends_and_others_are_independent(tmp_path: Path) -> None:
    with (
        DatabaseLock(tmp_path / 'a.sqlite3', 'http://a'),
        DatabaseLock(tmp_path / 'b.sqlite3', 'http://b'),
        pytest.raises(Occupied, match='http://a'),
    ):
        DatabaseLock(tmp_path / 'a.sqlite3', 'http://c')
    again = DatabaseLock(tmp_path / 'a.sqlite3', '')
    with pytest.raises(Occupied, match='an address that is not known') as refused:
        DatabaseLock(tmp_path / 'a.sqlite3', 'http://c')
    assert not refused.value.address
    again.end()
    again.end()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match='cannot be written'):
        DatabaseLock(tmp_path / 'missing' / 'a.sqlite3', 'http://a')
