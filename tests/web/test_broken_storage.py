"""While nothing can be stored (a full disk, read-only data, a locked database) all that writes says so in a
sentence, and all that reads goes on."""

from __future__ import annotations

import json
import resource
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import event
from starlette.testclient import TestClient

from ludoteca.store import database
from ludoteca.web import create_app
from tests.postgresql import Cluster, name_of
from tests.store.test_postgresql import locked as locked_server
from tests.store.test_postgresql import read_only as read_only_server
from tests.store.test_postgresql import restarted as stopped
from tests.web.client import Client
from tests.web.conftest import ORIGIN, fresh
from tests.web.test_input import at, writing

WRITES = {
    ('POST', '/api/tables'): {'game': 'octiles', 'mode': 'here'},
    ('PATCH', '/api/me'): {'name': 'Zoe', 'settings': {'theme': 'dark'}},
    ('POST', '/api/tables/{table}/chat'): {'text': 'hello'},
    ('POST', '/api/tables/{table}/act'): {'steps': 'bid-1'},
    ('POST', '/api/tables/{table}/tokens'): {'seat': 0},
    ('DELETE', '/api/tables/{table}/tokens'): {'seat': 0},
    ('POST', '/api/tables/{table}/resign'): {},
}
"""What a person does, and what is sent for it, at a table of the toy game."""
READS = ('/', '/tables/{table}', '/api/tables/{table}', '/api/tables/{table}/log', '/api/tables', '/credits')


@contextmanager
def full(_: FastAPI, path: Path) -> Iterator[None]:
    """No file of the database can grow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name(f'{path.name}-wal').stat().st_size, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def read_only(app: FastAPI, _: Path) -> Iterator[None]:
    switch = 'ON'

    def begin(connection: Any, *_: object) -> None:
        connection.execute(f'PRAGMA query_only = {switch}')

    event.listen(app.state.server.store._database.engine, 'checkout', begin)
    yield
    switch = 'OFF'


@contextmanager
def locked(_: FastAPI, path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute('BEGIN IMMEDIATE')
        yield
        other.execute('ROLLBACK')


@pytest.mark.parametrize('trouble', [full, read_only, locked])
def test_what_cannot_be_stored_is_said_in_a_sentence_and_reading_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[FastAPI, Path], Any]
) -> None:
    monkeypatch.setattr(database, 'BUSY', 0.05)
    check(fresh(tmp_path), lambda app: trouble(app, tmp_path / 'tables.sqlite3'), READS)


@pytest.mark.parametrize(
    'trouble', [read_only_server, locked_server, pytest.param(stopped, marks=pytest.mark.wide)]
)
def test_on_postgresql_the_same_is_said(
    postgresql: Cluster, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[Cluster, str], Any]
) -> None:
    """While the database's server is away, people go on to see the tables that are in memory."""
    monkeypatch.setattr(database, 'BUSY', 0.05)
    url = postgresql.new()
    app = create_app(url, key=b'k' * 32, prepare=False, pace=0.0)
    reads = [one for one in READS if trouble is not stopped or one not in ('/', '/api/tables')]
    check(app, lambda _: trouble(postgresql, name_of(url)), reads)


def check(app: FastAPI, trouble: Callable[[FastAPI], Any], reads: Collection[str]) -> None:
    """All that writes says in a sentence that it cannot, and what is said to be readable can be read."""
    with ExitStack() as stack:
        portal = stack.enter_context(TestClient(app)).portal
        client = stack.enter_context(closing(Client(app, headers=ORIGIN)))
        client.portal = portal
        table = client.post('/api/tables', json={'game': 'toy', 'mode': 'here'}).json()['id']
        path = f'/api/tables/{table}'
        before = [client.get(at(one, table)).text for one in (f'{path}/log', f'{path}/chat', '/api/tables')]
        with trouble(app):
            answers = {}
            for method, template in writing():
                body = WRITES.get((method, template), {})
                answer = client.request(method, at(template, table), json=body, follow_redirects=False)
                answers[method, template] = answer.status_code
                assert answer.status_code != 500, (method, template, answer.text)
                if answer.status_code == 503:
                    assert json.loads(answer.text)['detail'].endswith('.'), template
            assert {key: answers[key] for key in WRITES if answers[key] != 503} == {}
            for template in reads:
                assert client.get(at(template, table)).status_code == 200, template
        after = [client.get(at(one, table)).text for one in (f'{path}/log', f'{path}/chat', '/api/tables')]
        assert after == before, 'nothing is half-written'
        assert client.post(f'{path}/chat', json={'text': 'hello'}).status_code < 300, 'it goes on by itself'
