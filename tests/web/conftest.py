"""A server without a network, and visitors of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from ludoteca.web import create_app
from tests.web.client import Client
from tests.web.limits import ROOMY, quick_hints
from tests.width import width

ORIGIN = {'Origin': 'http://testserver'}
OPERATOR = 'the-key-of-the-operator-of-tests'


@pytest.fixture(scope='session', params=width(('sqlite',), ('sqlite', 'postgresql')))
def app(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """The application, shared by the tests: every visitor is somebody else. At full width it runs on each
    kind of database in turn."""
    quick_hints()
    if request.param == 'sqlite':
        database = f'sqlite:///{tmp_path_factory.mktemp("web")}/tables.sqlite3'
    else:
        database = request.getfixturevalue('postgresql').new()
    found = create_app(
        database,
        key=b'k' * 32,
        prepare=False,
        limits=ROOMY,
        pace=0.0,
        operator_key=OPERATOR,
    )
    with TestClient(found) as client:
        found.state.portal = client.portal  # one event loop for all: what a request began goes on after it
        yield found


@pytest.fixture
def guest(app: FastAPI) -> Iterator[Callable[..., TestClient]]:
    """Makes guests: browsers that send their cookies and an Origin."""
    with ExitStack() as stack:

        def make(**headers: str) -> TestClient:
            client = Client(app, headers={**ORIGIN, **headers})
            client.portal = app.state.portal
            stack.callback(client.close)
            return client

        yield make


@pytest.fixture
def program(app: FastAPI) -> Callable[..., TestClient]:
    """Makes programs: no cookies, no Origin."""

    def make(token: str = '') -> TestClient:
        client = Client(app, headers={'Authorization': f'Bearer {token}'} if token else {})
        client.portal = app.state.portal
        client.cookies.jar.set_policy(NoCookies())
        return client

    return make


class NoCookies(DefaultCookiePolicy):
    """Takes no cookies."""

    def set_ok(self, cookie: Any, request: Any) -> bool:
        return False


def fresh(tmp_path: Path, **more: Any) -> FastAPI:
    """An application of its own."""
    return create_app(f'sqlite:///{tmp_path}/tables.sqlite3', key=b'k' * 32, prepare=False, pace=0.0, **more)
