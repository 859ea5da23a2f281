"""All data go from one database into an empty one, of either kind, whole or not at all."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, Table, update

from ludoteca.game import variant
from ludoteca.match import BOT, Setup
from ludoteca.store import (
    OPEN,
    Analysis,
    DatabaseLock,
    PuzzleCard,
    SeatPlan,
    Sitting,
    Store,
    StoreError,
    move,
    move_data,
)
from ludoteca.store.models import ServerRow
from tests.postgresql import Cluster
from tests.store.test_store import go_on, running


def filled(url: str) -> list[str]:
    """A database with something of every kind; answers the ids of its tables."""
    store = Store(url)
    table, live, people = running(store)
    go_on(live, 200)
    assert live.match.status == 'finished'
    rematch = store.rematch(table.id)  # points to the table before it
    go_on(store.live(rematch.id), 9)
    waiting = store.open_table(
        'toy', [SeatPlan(person=people[0]), SeatPlan(OPEN)], owner=people[0], listed=True
    )
    store.invite(waiting.id)
    store.change_person(people[1], name='Bób 🎲', settings={'deep': {'list': [1, 2.5, None]}})
    store.add_chat(table.id, 'Ann', 'Well played', people[0], 0)
    store.add_favourite(people[0], 'toy', 'mine', 'bid-1 bid-2')
    store.new_sign_in(people[0])
    store.set_note(table.id, 1, 'tile-3', ['x', 'y'])
    store.new_token(table.id, 0, people[0], 'a program')
    setup = replace(Setup.new('toy', 2, seed=1), lesson='first')
    learning = store.open_lesson(
        people[0], setup, [SeatPlan(person=people[0]), SeatPlan(BOT)], 0, lambda match: None
    )
    setup = replace(setup, lesson='', exercise='toy-1')
    trying = store.open_exercise(
        people[0], setup, [SeatPlan(person=people[0]), SeatPlan(BOT)], {'id': 'toy-1'}
    )
    card = PuzzleCard('toy-1', 'toy', {'state': 1}, 5.5, 1, 2)
    store.keep_exercise(trying.id, Sitting(0, 'solved', 1, {'ends': True}), people[0], lambda _: card, 7)
    store.add_analysis(Analysis(str(people[0]), 'toy', 'a board', '{}', 1, False, table.id, 0, 3))
    store.ask_review('review', table.id, 2)
    store.keep_judged('review', 0, {'seat': 1, 'before': [0.25, 0.75]})
    store.keep_component_set(variant('toy', coins=7).name)
    store.close()
    return [table.id, rematch.id, waiting.id, trying.id, learning.id]


def everything(url: str, tables: list[str]) -> list[object]:
    """What callers see of it."""
    store = Store(url)
    found: list[object] = [store.table(table) for table in tables]
    found += [store.log(table) for table in tables[:2]]
    found += [(store.chat(table), store.notes(table), store.tokens(table, 0)) for table in tables]
    found += [store.lesson_progress(tables[-1]), store.lesson_counts(), store.exercise(tables[-2])]
    first = store.table(tables[0])
    assert first
    people = [seat.person for seat in first.seats]
    found += [(store.person(str(person)), store.favourites(str(person), 'toy')) for person in people]
    found += [(store.puzzle_cards(str(person)), store.puzzle_days(str(person))) for person in people]
    found += [store.analysis(one.id) for one in store.analyses_of(str(people[0]))]
    found += [store.kept_review('review'), store.judged_turns('review')]
    store.close()
    return found


def test_a_sqlite_file_goes_into_postgresql_and_back_and_is_what_it_was(
    file_url: str, tmp_path: Path, postgresql: Cluster
) -> None:
    tables, server = filled(file_url), postgresql.schema()
    there = move_data(str(tmp_path / 'test.sqlite3'), server)
    assert everything(server, tables) == everything(file_url, tables)
    assert there.rows['tables'] == 5
    assert min(there.rows.values()) >= 1, 'something of every kind'
    assert set(there.logs) == set(tables[:2])
    back = f'sqlite:///{tmp_path / "back.sqlite3"}'
    assert move_data(server, back) == there
    assert everything(back, tables) == everything(file_url, tables)
    store = Store(back)
    go_on(store.live(tables[1]), 3)
    store.close()


def test_what_is_moved_by_hand_differs_and_the_proof_finds_it(
    file_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(file_url)
    copy = move._copy

    def careless(table: Table, source: Connection, target: Connection) -> None:
        copy(table, source, target)
        if table.name == wrong:
            column = next(column for column in table.columns if column.name in ('time', 'created', 'name'))
            target.execute(table.update().values({column.name: '7'}))

    monkeypatch.setattr(move, '_copy', careless)
    for wrong in ('entries', 'tables', 'people'):
        with pytest.raises(StoreError, match=f"copied of '{wrong}' is not what was read"):
            move_data(file_url, str(tmp_path / 'copy.sqlite3'))
        assert not (tmp_path / 'copy.sqlite3').exists()


def test_a_database_with_data_is_not_written_to(url: str, tmp_path: Path) -> None:
    tables = filled(url)
    other = f'sqlite:///{tmp_path / "other.sqlite3"}'
    filled(other)
    before = everything(url, tables)
    with pytest.raises(StoreError, match='There are data already'):
        move_data(other, url)
    assert everything(url, tables) == before


def test_data_that_a_server_uses_are_not_moved(file_url: str, tmp_path: Path) -> None:
    filled(file_url)
    with (
        DatabaseLock(tmp_path / 'test.sqlite3', 'http://here:8000'),
        pytest.raises(StoreError, match='http://here:8000'),
    ):
        move_data(file_url, str(tmp_path / 'copy.sqlite3'))
    assert not (tmp_path / 'copy.sqlite3').exists()


def test_data_of_an_older_version_that_a_server_uses_keep_their_form(tmp_path: Path) -> None:
    data = gzip.decompress(Path('tests/golden/data/today.sqlite.gz').read_bytes())
    old = tmp_path / 'test.sqlite3'
    old.write_bytes(data)
    with DatabaseLock(old, 'http://here:8000'), pytest.raises(StoreError, match='http://here:8000'):
        move_data(str(old), str(tmp_path / 'copy.sqlite3'))
    assert old.read_bytes() == data


def test_data_of_postgresql_are_not_moved_while_a_server_is_alive(
    postgresql: Cluster, tmp_path: Path
) -> None:
    url, copy = postgresql.schema(), str(tmp_path / 'copy.sqlite3')
    filled(url)
    store = Store(url)
    store.keep_alive('a server')
    with pytest.raises(StoreError, match='stop them first'):
        move_data(url, copy)
    with store._database.write() as session:
        session.execute(update(ServerRow).values(until=0))
    store.close()
    assert move_data(url, copy).rows['tables'] == 5
