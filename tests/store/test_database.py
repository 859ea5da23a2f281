"""The database file: made and brought up to date by itself, private, refused in one sentence when it cannot
be used, and it loses nothing acknowledged."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import alembic.autogenerate
import alembic.command
import pytest
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from ludoteca.store import (
    SeatPlan,
    Store,
    StoreError,
    check_matches,
    data_folder,
    database_file,
    database_url,
    secret_key,
    unchanged,
)
from ludoteca.store.database import Database, config, revisions
from ludoteca.store.models import Base
from tests.match.support import whole
from tests.width import width

ROOT = Path(__file__).parents[2]
OLD = {'people', 'tables', 'seats', 'entries', 'tokens', 'chat', 'favourites', 'notes'}
NEWEST = [table.name for table in reversed(Base.metadata.sorted_tables) if table.name not in OLD]
"""The tables that migrations after 0003 make, those first that refer to others."""


def sentence(url: str) -> str:
    with pytest.raises(StoreError) as error:
        Store(url).close()
    text = str(error.value)
    assert '\n' not in text
    assert text.endswith(('.', '?'))
    return text


# ---- migrations --------------------------------------------------------------------------------------------


def migrate(database: Database) -> None:
    """Bring an empty database up to date by all migrations."""
    with database.engine.connect().execution_options(writes=True) as connection, connection.begin():
        settings = config()
        settings.attributes['connection'] = connection
        alembic.command.upgrade(settings, 'head')


@pytest.mark.parametrize('how', ['made', 'migrated'])
def test_a_new_database_and_all_migrations_lead_from_nothing_to_the_models(
    url: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == 'migrated':
        monkeypatch.setattr(Database, '_update', lambda database, _: migrate(database))
    database = Database(url)
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={'compare_type': True})
        assert alembic.autogenerate.compare_metadata(context, Base.metadata) == []
        assert (
            context.get_current_revision()
            == revisions()[-1]
            == ScriptDirectory.from_config(config()).get_current_head()
        )
        checks = {
            check['name']
            for table in inspect(connection).get_table_names()
            for check in inspect(connection).get_check_constraints(table)
        }
    assert checks == {
        check.name
        for table in Base.metadata.tables.values()
        for check in table.constraints
        if type(check).__name__ == 'CheckConstraint'
    }
    database.close()
    monkeypatch.undo()
    Database(url).close()


def test_a_database_of_the_newest_form_is_opened_without_loading_migrations(url: str) -> None:
    """They take a quarter of a second to load, of which every start consists."""
    code = (
        'import sys; from ludoteca.store import Store; '
        f'Store({url!r}).close(); Store({url!r}).close(); print("alembic" in sys.modules)'
    )
    environment = {**os.environ, 'PYTHONPATH': str(ROOT / 'src')}
    done = subprocess.run(
        [sys.executable, '-c', code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ['False']


def test_an_older_database_is_brought_up_to_date_and_keeps_its_tables(file_url: str, tmp_path: Path) -> None:
    store = Store(file_url)
    ann = store.new_person('Ann')
    table = store.open_table('octiles', [SeatPlan(person=ann.id)], owner=ann.id)
    store.close()
    with sqlite3.connect(tmp_path / 'test.sqlite3') as connection:  # as it was before
        for name in ('chat', 'favourites', 'notes', *NEWEST):
            connection.execute(f'drop table {name}')
        connection.execute('alter table seats drop column colour')
        for name in ('revision', 'shown', 'hints', 'series'):
            connection.execute(f'alter table tables drop column {name}')
        connection.execute('alter table tables drop column rated')
        connection.execute('alter table seats add column invite varchar(64)')
        connection.execute("update seats set invite = 'a hash' where seat = 1")
        connection.execute("update alembic_version set version_num = '0001'")
    connection.close()
    store = Store(file_url)
    found = store.table(table.id)
    assert found == table, 'what is left of links of the old kind is gone'
    assert store.chat(table.id) == ()
    assert store.favourites(ann.id, 'octiles') == ()
    assert store.notes(table.id) == {}
    assert store.invited(store.invite(table.id)) == table.id
    store.close()


def test_matches_are_checked_before_an_update_and_an_older_database_stays_as_it_is(
    file_url: str, tmp_path: Path
) -> None:
    with closing(Store(file_url)) as store:
        ann = store.new_person('Ann')
        table = store.open_table('octiles', [SeatPlan(person=ann.id), SeatPlan('bot')], owner=ann.id)
    with closing(sqlite3.connect(tmp_path / 'test.sqlite3', isolation_level=None)) as server:
        server.execute('drop table sign_ins')
        for name in ('hints', 'series'):
            server.execute(f'alter table tables drop column {name}')
        server.execute("update alembic_version set version_num = '0012'")
        before = list(server.iterdump())
        with unchanged(file_url) as copy:
            assert [(report.table, report.verdict) for report in check_matches(copy)] == [(table.id, 'same')]
            place = Path(copy.place)
            assert place.exists()
        assert list(server.iterdump()) == before
    assert not place.parent.exists()


def test_a_match_from_before_colours_were_chosen_goes_on_in_its_own(file_url: str, tmp_path: Path) -> None:
    store = Store(file_url)
    ann = store.new_person('Ann')
    table = store.open_table(
        'octiles', [SeatPlan(person=ann.id), SeatPlan('bot', level='easy')], owner=ann.id
    )
    stored = store.log(table.id)[0].json()
    store.close()
    with sqlite3.connect(tmp_path / 'test.sqlite3') as connection:
        connection.execute('alter table seats drop column colour')
        for name in ('rated', 'revision', 'shown', 'hints', 'series'):
            connection.execute(f'alter table tables drop column {name}')
        connection.execute('alter table notes drop column changes')
        for name in NEWEST:
            connection.execute(f'drop table {name}')
        connection.execute("update alembic_version set version_num = '0003'")
    connection.close()
    store = Store(file_url)
    found = store.table(table.id)
    assert found
    assert found.colours == ('blue', 'yellow') == store.live(table.id).match.colours
    assert store.log(table.id)[0].json() == stored
    assert 'colours' not in stored
    assert found.rated, 'what was played before counts'
    store.close()


def test_several_processes_may_make_the_database_at_once(url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: Store(url), range(4)))
    assert all(store.count_tables() == 0 for store in stores)
    for store in stores:
        store.close()


def test_who_opens_a_file_that_another_one_is_just_making_waits_for_it(file_url: str, tmp_path: Path) -> None:
    maker = sqlite3.connect(tmp_path / 'test.sqlite3', isolation_level=None)
    maker.execute('BEGIN IMMEDIATE')
    with ThreadPoolExecutor(1) as pool:
        opened = pool.submit(Store, file_url)
        time.sleep(0.3)
        assert not opened.done()
        maker.execute('COMMIT')
        maker.close()
        assert opened.result().count_tables() == 0
    opened.result().close()


def test_a_database_of_a_newer_version_is_refused_and_not_touched(file_url: str, tmp_path: Path) -> None:
    Store(file_url).close()
    with sqlite3.connect(tmp_path / 'test.sqlite3') as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    connection.close()
    before = (tmp_path / 'test.sqlite3').read_bytes()
    assert 'newer version of Ludoteca (form 9999)' in sentence(file_url)
    assert (tmp_path / 'test.sqlite3').read_bytes() == before


def test_files_that_are_no_database_are_refused_and_not_touched(file_url: str, tmp_path: Path) -> None:
    file = tmp_path / 'test.sqlite3'
    file.write_text('Dear diary, ' * 200)
    assert 'damaged or no database (file is not a database)' in sentence(file_url)
    assert file.read_text() == 'Dear diary, ' * 200


def test_a_damaged_database_is_refused(file_store: Store, file_url: str, tmp_path: Path) -> None:
    for k in range(200):
        file_store.new_person(f'Somebody with a long name, number {k}')
    file_store.close()
    file = tmp_path / 'test.sqlite3'
    content = bytearray(file.read_bytes())
    assert len(content) > 5 * 4096
    content[2 * 4096 :] = bytes(byte ^ 0x5A for byte in content[2 * 4096 :])
    file.write_bytes(content)
    assert 'damaged' in sentence(file_url)


def test_a_database_of_another_program_is_refused(file_url: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / 'test.sqlite3') as connection:
        connection.execute('create table recipes (id integer)')
    connection.close()
    assert 'belongs to another program' in sentence(file_url)


@pytest.mark.parametrize(
    'address',
    [
        'nonsense',
        'nosuchsystem://host/name',
        'mysql://host/name',
        'postgresql+asyncpg://host/name',
        'postgresql://one:5432,two:5433/name',
        'postgresql://host:port/name',
        'postgresql://host/name?port=port',
        'postgresql://[::1/name',
    ],
)
def test_an_address_of_no_database_that_can_be_used_is_answered_with_two_that_could(address: str) -> None:
    assert 'sqlite:////folder/file or postgresql://user@host/name' in sentence(address)
    if 'port=' not in address:
        with pytest.raises(StoreError, match='no address of a database'):
            database_file(address)


def test_a_file_in_no_folder_is_refused() -> None:
    assert 'cannot be opened' in sentence('sqlite:////no/such/folder/file')


def test_durability_settings_hold_on_every_connection(file_url: str) -> None:
    database = Database(file_url)
    with database.engine.connect() as connection, connection.begin():
        pragmas = {
            name: connection.exec_driver_sql(f'PRAGMA {name}').scalar()
            for name in ('journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout')
        }
    assert pragmas == {'journal_mode': 'wal', 'synchronous': 2, 'foreign_keys': 1, 'busy_timeout': 10000}
    database.close()


# ---- the data folder ---------------------------------------------------------------------------------------


def test_the_data_folder_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('LUDOTECA_DATA', str(tmp_path / 'a' / 'data'))
    monkeypatch.delenv('LUDOTECA_DATABASE', raising=False)
    store = Store()
    assert store.place == str(tmp_path / 'a' / 'data' / 'ludoteca.sqlite3')
    key = secret_key()
    assert len(key) == 32
    assert secret_key() == key != secret_key('other')
    assert stat.S_IMODE((tmp_path / 'a' / 'data').stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in data_folder().iterdir()} == {0o600}
    store.close()
    (data_folder() / 'cookies.key').write_bytes(b'short')
    with pytest.raises(StoreError, match='should have 32 bytes and has 5'):
        secret_key()


def test_a_key_that_cannot_be_written_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, 'No space left on device')

    monkeypatch.setenv('LUDOTECA_DATA', str(tmp_path))
    monkeypatch.setattr(os, 'fsync', full)
    with pytest.raises(StoreError, match='No space left on device'):
        secret_key('links')
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_damaged_while_it_is_in_use_is_said_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / 'test.sqlite3'
    database = Database(f'sqlite:///{file}')
    with database.write() as session:
        session.execute(text('CREATE TABLE many AS SELECT hex(randomblob(4000)) AS what FROM entries'))
        session.execute(text('INSERT INTO many VALUES (hex(randomblob(40000)))'))
    database.engine.dispose()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute('PRAGMA wal_checkpoint(TRUNCATE)')
        page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'many'").fetchone()[0]
        size = connection.execute('PRAGMA page_size').fetchone()[0]
    with file.open('r+b') as written:
        written.seek((page - 1) * size)
        written.write(b'\xff' * size)
    with pytest.raises(StoreError, match='cannot be read just now'), database.read() as session:
        session.execute(text('SELECT * FROM many')).all()
    database.close()


@pytest.mark.parametrize(
    ('platform', 'variable', 'folder'),
    [
        ('linux', 'XDG_DATA_HOME', 'ludoteca'),
        ('win32', 'LOCALAPPDATA', 'ludoteca'),
        ('linux', 'HOME', '.local/share/ludoteca'),
        ('darwin', 'HOME', 'Library/Application Support/ludoteca'),
    ],
)
def test_without_a_wish_data_lie_where_the_system_keeps_them(
    platform: str, variable: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ('LUDOTECA_DATA', 'LUDOTECA_DATABASE', 'XDG_DATA_HOME', 'LOCALAPPDATA'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(sys, 'platform', platform)
    assert data_folder() == tmp_path / folder
    assert data_folder().is_dir()
    assert database_url() == f'sqlite:///{tmp_path / folder / "ludoteca.sqlite3"}'
    monkeypatch.setenv('LUDOTECA_DATABASE', 'postgresql+psycopg://somewhere/else')
    assert database_url() == 'postgresql+psycopg://somewhere/else'


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / 'file').write_text('')
    for folder in ('file', 'file/below'):
        monkeypatch.setenv('LUDOTECA_DATA', str(tmp_path / folder))
        with pytest.raises(StoreError, match='set LUDOTECA_DATA to a folder'):
            data_folder()


# ---- a killed process --------------------------------------------------------------------------------------

WRITER = """
import random, sys
from ludoteca import game
from ludoteca.store import SeatPlan, Store
from tests.match.support import step
from tests.toy import GAME
game.add(GAME)
store = Store(sys.argv[1])
rng = random.Random(1)
while True:
    live = store.live(store.open_table('toy', [SeatPlan('bot', level='easy')] * 3).id)
    while live.match.status == 'running':
        live.change(lambda match: step(match, rng))
        print(live.id, len(live.match.entries), live.match.entries[-1].hash, flush=True)
"""


def test_a_killed_process_loses_nothing_that_it_has_acknowledged(url: str) -> None:
    environment = os.environ | {'PYTHONPATH': f'{ROOT / "src"}{os.pathsep}{ROOT}'}
    told: dict[str, list[str]] = {}
    for wanted in width((20,), (5, 60)):
        with subprocess.Popen(
            [sys.executable, '-c', WRITER, url], stdout=subprocess.PIPE, text=True, env=environment
        ) as process:
            assert process.stdout
            for _ in range(wanted):
                table, number, digest = process.stdout.readline().split()
                assert int(number) == len(told.setdefault(table, [])) + 1
                told[table].append(digest)
            process.send_signal(signal.SIGKILL)
            for line in process.stdout:  # acknowledged before the signal came
                table, _, digest = line.split()
                told.setdefault(table, []).append(digest)
        store = Store(url)
        for live in store.resume():
            assert whole(live.match)
        for table, digests in told.items():
            hashes = [entry.hash for entry in store.log(table)[1]]
            assert hashes[: len(digests)] == digests
            assert len(hashes) <= len(digests) + 1
            assert not store.live(table).match.frozen
        store.close()


def test_writers_of_one_process_wait_in_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite would let them sleep and try again. Who waits too long is told so, and the next one goes on."""
    database = Database(f'sqlite:///{tmp_path}/test.sqlite3')
    order, writing, go_on = list[str](), threading.Event(), threading.Event()

    def write(name: str) -> None:
        with database.write() as session:
            session.connection()
            order.append(name)
            writing.set()
            assert go_on.wait(10)

    first = threading.Thread(target=write, args=('first',))
    first.start()
    assert writing.wait(10)
    monkeypatch.setattr('ludoteca.store.database.BUSY', 0.05)
    with pytest.raises(StoreError), database.write():
        order.append('never')
    monkeypatch.undo()
    second = threading.Thread(target=write, args=('second',))
    second.start()
    with database.read() as session:  # readers wait for nobody
        session.connection()
    assert order == ['first']
    go_on.set()
    for thread in (first, second):
        thread.join(10)
    assert order == ['first', 'second']
    with database.write():
        order.append('third')
    database.close()
    assert order == ['first', 'second', 'third']
