"""A copy of all data is whole, made while people play, and comes back where there are none."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
import zipfile
from pathlib import Path

import pytest

from ludoteca.store import OPEN, SeatPlan, Store, StoreError, backup, restore, secret_key
from ludoteca.store.folder import DATABASE


@pytest.fixture
def url(file_url: str) -> str:
    """Only SQLite databases are copied."""
    return file_url


def busy(store: Store, turns: int = 6) -> str:
    """A table at which two people play; answers its id."""
    ann, bob = store.new_person('Ann'), store.new_person('Bob')
    table = store.open_table('octiles', [SeatPlan(person=ann.id), SeatPlan(person=bob.id)], owner=ann.id)
    play(store, table.id, turns)
    return table.id


def play(store: Store, table: str, turns: int) -> None:
    live = store.live(table)
    for _ in range(turns):
        live.change(lambda match: match.act(match.to_move[0], None, match.names(match.to_move[0])[0]))


def seen(store: Store, table: str) -> list[tuple[int, str]]:
    return [(row.number, row.name) for row in store.live(table).match.log(-1)]


def test_what_was_copied_comes_back_in_another_place_links_included(
    store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = busy(store)
    cookies = secret_key()
    ann = store.new_person('Ann')
    waiting = store.open_table('toy', [SeatPlan(person=ann.id), SeatPlan(OPEN)], owner=ann.id)
    link = store.invite(waiting.id)
    made = backup(url, tmp_path / 'copy.zip')
    assert made.rows['tables'] == 2
    assert made.rows['entries'] == 6
    elsewhere = tmp_path / 'elsewhere'
    monkeypatch.setenv('LUDOTECA_DATA', str(elsewhere))
    other = f'sqlite:///{elsewhere / DATABASE}'
    assert restore(tmp_path / 'copy.zip', other) == made
    again = Store(other)
    assert seen(again, table) == seen(store, table)
    assert again.invited(link) == waiting.id
    assert secret_key() == cookies
    play(again, table, 2)
    again.close()
    for path in (tmp_path / 'copy.zip', *elsewhere.iterdir()):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_a_copy_made_while_people_play_holds_whole_turns(store: Store, url: str, tmp_path: Path) -> None:
    table, stop = busy(store), threading.Event()

    def go_on() -> None:
        while not stop.is_set() and store.live(table).match.result is None:
            play(store, table, 1)

    thread = threading.Thread(target=go_on)
    thread.start()
    copies = [tmp_path / f'{k}.zip' for k in range(4)]
    for path in copies:
        backup(url, path)
    stop.set()
    thread.join()
    store.close()
    for path in copies:
        folder = tmp_path / path.stem
        folder.mkdir()
        for key in (Path(os.environ['LUDOTECA_DATA'])).glob('*.key'):
            key.unlink()
        restore(path, f'sqlite:///{folder / DATABASE}')
        again = Store(f'sqlite:///{folder / DATABASE}')
        assert not again.live(table).match.frozen
        again.close()


def test_nothing_is_written_over(store: Store, url: str, tmp_path: Path) -> None:
    table = busy(store)
    backup(url, tmp_path / 'copy.zip')
    before = (tmp_path / 'copy.zip').read_bytes()
    with pytest.raises(StoreError, match='already; name another one'):
        backup(url, tmp_path / 'copy.zip')
    assert (tmp_path / 'copy.zip').read_bytes() == before
    with pytest.raises(StoreError, match='There are data already'):
        restore(tmp_path / 'copy.zip', url)
    assert len(seen(store, table)) == 3  # of two steps each


@pytest.mark.parametrize('ending', ['-wal', '-shm', '-journal'])
def test_nothing_comes_back_beside_the_log_of_another_database(
    store: Store, url: str, tmp_path: Path, ending: str
) -> None:
    """SQLite would write what it holds into the file that has come back."""
    busy(store)
    backup(url, tmp_path / 'copy.zip')
    store.close()
    for path in tmp_path.glob('test.sqlite3*'):
        path.rename(tmp_path / f'old-{path.name}')
    log = tmp_path / f'test.sqlite3{ending}'
    log.write_bytes(b'left')
    with pytest.raises(StoreError, match=f'test.sqlite3{ending} is left of another database; put it aside'):
        restore(tmp_path / 'copy.zip', url)
    assert not (tmp_path / 'test.sqlite3').exists()
    log.unlink()
    assert restore(tmp_path / 'copy.zip', url).rows['tables'] == 1


def test_a_damaged_copy_is_refused_and_nothing_comes_back(store: Store, url: str, tmp_path: Path) -> None:
    busy(store)
    secret_key()
    backup(url, good := tmp_path / 'good.zip')
    store.close()
    for path in [*Path(os.environ['LUDOTECA_DATA']).glob('*.key'), *tmp_path.glob('test.sqlite3*')]:
        path.unlink()
    bad = tmp_path / 'bad.zip'
    data = good.read_bytes()
    middle = [k * len(data) // 9 for k in range(1, 9)]
    flipped = [data[:k] + bytes([data[k] ^ 0x55]) + data[k + 1 :] for k in middle]
    for wrong in (b'', b'PK', data[: len(data) // 2], *flipped):
        bad.write_bytes(wrong)
        with pytest.raises(StoreError, match=r'damaged, or no copy|cannot be read'):
            restore(bad, url)
    for change in (fewer, later, outside):
        bad.unlink()
        change(good, bad)
        with pytest.raises(StoreError, match=r'damaged, or no copy|newer version'):
            restore(bad, url)
    with pytest.raises(StoreError, match='cannot be read'):
        restore(tmp_path / 'missing.zip', url)
    assert not [*tmp_path.glob('test.sqlite3*'), *Path(os.environ['LUDOTECA_DATA']).glob('*')]
    restore(good, url)


def rewritten(source: Path, target: Path, database: bytes | None = None, **changes: object) -> None:
    """A copy with other contents."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, 'w') as new:
        for name in old.namelist():
            data = old.read(name)
            if name == 'contents.json':
                data = json.dumps({**json.loads(data), **changes}).encode()
            if name == DATABASE and database is not None:
                data = database
            new.writestr(name, data)


def fewer(source: Path, target: Path) -> None:
    """A turn has been taken out of the database."""
    path = target.with_suffix('.sqlite3')
    with zipfile.ZipFile(source) as archive:
        path.write_bytes(archive.read(DATABASE))
    with sqlite3.connect(path) as connection:
        connection.execute('UPDATE entries SET action = action + 1 WHERE number = 3')
    rewritten(source, target, path.read_bytes())


def later(source: Path, target: Path) -> None:
    rewritten(source, target, form='9999')


def outside(source: Path, target: Path) -> None:
    rewritten(source, target, keys=['../cookies.key'])


def test_only_sqlite_files_are_copied(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match='pg_dump'):
        backup('postgresql+psycopg://ann@localhost/games', tmp_path / 'copy.zip')
    with pytest.raises(StoreError, match='in memory'):
        backup('sqlite://', tmp_path / 'copy.zip')
    with pytest.raises(StoreError, match=r'no database .*none\.sqlite3, or'):
        backup(f'sqlite:///{tmp_path / "none.sqlite3"}', tmp_path / 'copy.zip')
    assert not [*tmp_path.glob('*')]
