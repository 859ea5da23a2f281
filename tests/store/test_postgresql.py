"""PostgreSQL beside SQLite: nothing to set but its address, the same sentences in trouble, old forms brought
up to date."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from ludoteca.store import SeatPlan, Store, StoreError, check_matches, database, shown, unchanged
from tests.match.support import whole
from tests.postgresql import NAME, Cluster, name_of
from tests.store.test_database import NEWEST
from tests.store.test_store import go_on, running


@pytest.fixture
def url(postgresql: Cluster) -> str:
    return postgresql.new()


def refused(url: str) -> str:
    with pytest.raises(StoreError) as error:
        Store(url).close()
    text = str(error.value)
    assert '\n' not in text
    assert text.endswith(('.', '?'))
    return text


def test_the_address_is_all_that_is_set(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('LUDOTECA_DATABASE', url)
    with closing(Store()) as store:
        ann = store.new_person('Ann')
        assert store.place.startswith('postgresql')
    monkeypatch.setenv('LUDOTECA_DATABASE', url.replace('postgresql://', 'postgres://'))
    with closing(Store()) as store:
        assert store.person(ann.id) == ann


def test_a_password_is_in_no_sentence() -> None:
    for address in (
        'postgresql://ann:s3cret@127.0.0.1:1/games',
        'postgresql://127.0.0.1:1/games?user=ann&password=s3cret&sslpassword=s3cret',
        'nosuch://ann:s3cret@127.0.0.1/games?password=s3cret',
    ):
        assert 's3cret' not in refused(address)
    assert shown('postgresql://ann:s@cret@host/games?application_name=a@b') == (
        'postgresql://ann:***@host/games?application_name=a@b'
    )


def test_without_its_driver_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'psycopg', None)
    assert "pip install 'ludoteca[postgres]'" in refused('postgresql://ann@127.0.0.1:1/games')


def test_what_is_no_database_of_ours_is_refused_and_not_touched(url: str, postgresql: Cluster) -> None:
    assert 'does not exist' in refused(url.replace(name_of(url), 'nowhere'))
    assert 'does its server run' in refused('postgresql://ann@127.0.0.1:1/games')
    with postgresql.connect(name_of(url)) as connection:
        connection.execute('CREATE TABLE recipes (id integer)')
        assert 'belongs to another program' in refused(url)
        connection.execute('DROP TABLE recipes')
        Store(url).close()
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        assert 'newer version of Ludoteca (form 9999)' in refused(url)


@pytest.mark.parametrize('encoding', ['SQL_ASCII', 'LATIN1'])
def test_a_database_that_cannot_keep_every_text_is_refused(
    url: str, postgresql: Cluster, encoding: str
) -> None:
    name = f'{name_of(url)}_{encoding}'.lower()
    with postgresql.connect() as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")
    sentence = refused(url.replace(name_of(url), name))
    assert f'as {encoding}, ' in sentence
    assert 'createdb -E UTF8 -T template0' in sentence


def test_an_older_database_is_brought_up_to_date_and_keeps_its_matches(url: str, postgresql: Cluster) -> None:
    with closing(Store(url)) as store:
        table, live, _ = running(store)
        go_on(live, 20)
    with postgresql.connect(name_of(url)) as connection:  # as it was before
        for name in NEWEST:
            connection.execute(f'DROP TABLE {name}')
        for name in ('revision', 'shown', 'hints', 'series'):
            connection.execute(f'ALTER TABLE tables DROP COLUMN {name}')
        connection.execute('ALTER TABLE seats ADD COLUMN invite VARCHAR(64) UNIQUE')
        connection.execute('ALTER TABLE notes DROP COLUMN changes')
        connection.execute("UPDATE alembic_version SET version_num = '0005'")
    with closing(Store(url)) as store:
        again = store.live(table.id)
        assert whole(again.match) == whole(live.match)
        go_on(again, 5)


def test_matches_are_checked_before_an_update_if_the_form_is_the_same_and_else_nothing_is_touched(
    url: str, postgresql: Cluster
) -> None:
    with pytest.raises(StoreError, match='There is no database'), unchanged(url):
        pass
    with closing(Store(url)) as store:
        running(store)
    with unchanged(url) as store:
        assert [report.verdict for report in check_matches(store)] == ['same']
    with postgresql.connect(name_of(url)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0011'")
        with (
            pytest.raises(StoreError, match='has form 0011, which this version would change to'),
            unchanged(url),
        ):
            pass
        assert connection.execute('SELECT version_num FROM alembic_version').fetchall() == [('0011',)]


# ---- trouble -----------------------------------------------------------------------------------------------


@contextmanager
def restarted(cluster: Cluster, _: str) -> Iterator[None]:
    cluster.stop()
    yield
    cluster.start()


@contextmanager
def read_only(cluster: Cluster, name: str) -> Iterator[None]:
    with cluster.connect() as connection:
        connection.execute(f'ALTER DATABASE {name} SET default_transaction_read_only = on')
        cluster.cut_off(name)
        yield
        connection.execute(f'ALTER DATABASE {name} RESET default_transaction_read_only')
        cluster.cut_off(name)


@contextmanager
def locked(cluster: Cluster, name: str) -> Iterator[None]:
    with cluster.connect(name) as connection:
        connection.execute('BEGIN')
        connection.execute('LOCK TABLE tables, people, chat IN EXCLUSIVE MODE')
        yield
        connection.execute('ROLLBACK')


@contextmanager
def not_allowed(cluster: Cluster, name: str) -> Iterator[None]:
    """The role may not write; a superuser always may."""
    with cluster.connect(name) as connection:
        connection.execute('GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC')
        connection.execute(f'CREATE ROLE reader_{name} LOGIN')
    with cluster.connect() as connection:
        connection.execute(f'ALTER ROLE {NAME} IN DATABASE {name} SET role = reader_{name}')
        cluster.cut_off(name)
        yield
        connection.execute(f'ALTER ROLE {NAME} IN DATABASE {name} RESET role')
        cluster.cut_off(name)


@pytest.mark.parametrize('trouble', [restarted, read_only, locked, not_allowed])
def test_what_cannot_be_stored_is_said_in_the_sentence_of_sqlite_and_nothing_has_happened(
    url: str, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[Cluster, str], object]
) -> None:
    monkeypatch.setattr(database, 'BUSY', 0.1)
    with closing(Store(url)) as store:
        table, live, people = running(store)
        go_on(live, 8)
        before, entries = whole(live.match), store.log(table.id)
        with trouble(postgresql, name_of(url)):  # type: ignore[attr-defined]
            for write in (
                lambda: go_on(live, 1),
                lambda: store.add_chat(table.id, 'Ann', 'hello', people[0], 0),
                lambda: store.change_person(people[0], name='Zoe'),
                lambda: store.open_table('toy', [SeatPlan(person=people[0])], owner=people[0]),
            ):
                with pytest.raises(StoreError, match='could not be stored'):
                    write()
            if trouble is restarted:
                with pytest.raises(StoreError, match='cannot be read just now'):
                    store.table(table.id)
        assert whole(live.match) == before
        assert store.log(table.id) == entries
        assert store.chat(table.id) == ()
        go_on(live, 3)


def test_a_connection_that_breaks_in_the_middle_of_a_turn_undoes_it(url: str, postgresql: Cluster) -> None:
    with closing(Store(url)) as store:
        table, live, _ = running(store)
        go_on(live, 5)
        entries = list(live.match.entries)

        cuts = [name_of(url)]

        @event.listens_for(store._database.engine, 'commit')
        def cut(_: object) -> None:
            if cuts:
                postgresql.cut_off(cuts.pop())

        with pytest.raises(StoreError, match='could not be stored'):
            go_on(live, 1)
        assert list(live.match.entries) == entries == store.log(table.id)[1]
        go_on(live, 2)


def test_the_folder_of_data_holds_the_keys_alone(url: str, data: Path) -> None:
    with closing(Store(url)) as store:
        store.invite(store.open_table('toy', [], 3).id)
    assert [path.name for path in data.iterdir()] == ['links.key']
