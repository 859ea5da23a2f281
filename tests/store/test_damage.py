"""Data that are damaged or deleted under a running server, and clocks that jump: one match at most is out of
play, nothing is written where it would be lost, and a sentence says so."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ludoteca.match import Match
from ludoteca.store import SeatPlan, Store, StoreError, check_matches
from ludoteca.text import words

DAMAGES = (
    "UPDATE entries SET hash = 'x' || substr(hash, 2) WHERE table_id = :table AND number = 1",
    "UPDATE entries SET name = 'nonsense' WHERE table_id = :table AND number = 1",
    "UPDATE entries SET kind = 'nonsense' WHERE table_id = :table AND number = 1",
    'UPDATE entries SET seat = 7 WHERE table_id = :table AND number = 1',
    "UPDATE entries SET name = '' WHERE table_id = :table AND number = 0",
    'DELETE FROM entries WHERE table_id = :table AND number = 0',
    "UPDATE tables SET setup = '{' WHERE id = :table",
    "UPDATE tables SET setup = '{}' WHERE id = :table",
    "UPDATE tables SET setup = '[1, 2]' WHERE id = :table",
    "UPDATE tables SET setup = replace(setup, 'octiles', 'nonsense') WHERE id = :table",
    'UPDATE tables SET setup = replace(setup, \'"players": 2\', \'"players": "two"\') WHERE id = :table',
)


def opened(store: Store) -> str:
    """A running match of two turns."""
    person = store.new_person('Ann')
    table = store.open_table('octiles', [SeatPlan(person=person.id)] * 2, owner=person.id)
    live = store.live(table.id)
    for _ in range(4):
        seat = live.match.to_move[0]
        live.change(lambda match: match.act(seat, None, match.names(seat)[0]))  # noqa: B023 (called at once)
    return table.id


def file_of(store: Store) -> Path:
    return Path(store.place)


@pytest.mark.parametrize('damage', DAMAGES)
def test_a_damaged_row_freezes_its_match_alone(file_url: str, damage: str) -> None:
    store = Store(file_url)
    other, table = opened(store), opened(store)
    store.close()
    with closing(sqlite3.connect(file_of(store))) as connection:
        assert connection.execute(damage, {'table': table}).rowcount == 1
        connection.commit()
    store = Store(file_url)
    reports = {report.table: report for report in check_matches(store)}
    assert (reports[other].verdict, reports[table].verdict) == ('same', 'frozen')
    assert reports[table].sentence.endswith('.')
    assert [live.id for live in store.resume()] == [other]
    found = store.table(table)
    assert found is not None
    assert (found.status, found.sentence) == ('frozen', reports[table].sentence)
    store.close()


def test_lists_go_on_where_a_row_cannot_be_read(file_url: str) -> None:
    store = Store(file_url)
    tables = [opened(store) for _ in range(3)]
    owner = store.table(tables[2]).owner  # type: ignore[union-attr]
    store.close()
    with closing(sqlite3.connect(file_of(store))) as connection:
        connection.execute(
            "UPDATE tables SET setup = '{', options = '{', result = '{' WHERE id = ?", tables[:1]
        )
        connection.execute("UPDATE people SET settings = '{' WHERE id = ?", (owner,))
        connection.commit()
    store = Store(file_url)
    assert {one.id for one in store.overviews(10)} == {*tables}
    assert [one.id for one in store.tables_of(owner or '')] == tables[2:]
    person = store.person(owner or '')
    assert person is not None
    assert person.settings == {}
    store.close()


# ---- a file that is gone -----------------------------------------------------------------------------------


@pytest.mark.parametrize('way', ['deleted', 'moved', 'replaced'])
def test_a_database_that_is_gone_is_noticed_at_once_and_not_made_anew(file_url: str, way: str) -> None:
    store = Store(file_url)
    table, path = opened(store), file_of(store)
    live, turns = store.live(table), store.table(table).turns  # type: ignore[union-attr]
    away = path.with_name('away')
    path.rename(away)
    if way == 'replaced':
        path.write_bytes(away.read_bytes())
    sentence = words('store.error.gone', place=store.place)
    before, seat = len(live.match.entries), live.match.to_move[0]
    for call in (
        store.check,
        lambda: store.new_person('Bob'),
        lambda: live.change(lambda match: match.act(seat, None, match.names(seat)[0])),
        lambda: store.add_chat(table, 'Ann', 'hello', None, 0),
    ):
        with pytest.raises(StoreError) as refused:
            call()
        assert str(refused.value) == sentence
    assert len(live.match.entries) == before, 'as before'
    assert path.exists() == (way == 'replaced'), 'no empty file takes its place'
    if way != 'deleted':
        path.unlink(missing_ok=True)
        away.rename(path)
        store.check()  # it is there again
        live.change(lambda match: match.act(seat, None, match.names(seat)[0]))
        assert store.table(table).turns >= turns  # type: ignore[union-attr]
    store.close()


# ---- clocks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize('jump', [-400 * 86_400.0, 400 * 86_400.0], ids=['back', 'forth'])
def test_a_clock_that_jumps_loses_no_turn(url: str, jump: float) -> None:
    now = [1_800_000_000.0]
    store = Store(url, clock=lambda: now[0])
    table = opened(store)
    live, person = store.live(table), store.new_person('Bob')
    token = store.new_token(table, 0, person.id)
    first = store.add_chat(table, 'Bob', 'before', person.id, 0)
    now[0] += jump
    seat = live.match.to_move[0]
    live.change(lambda match: match.act(seat, None, match.names(seat)[0]))
    second = store.add_chat(table, 'Bob', 'after', person.id, 0)
    assert [line.text for line in store.chat(table)] == ['before', 'after']
    assert second.number == first.number + 1
    assert store.person(person.id) is not None
    assert store.token(token) is not None
    setup, entries = store.log(table)
    again = Match.rebuild(setup, entries)
    assert (again.frozen, len(again.entries)) == (live.match.frozen, len(live.match.entries))
    assert store.overviews(5)[0].id == table
    store.close()
