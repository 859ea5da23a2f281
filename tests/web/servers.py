"""Servers as processes of their own, over a real network, on one PostgreSQL database."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ludoteca.work import turns
from tests.programs import Program

SERVER = """
import sys
from ludoteca import game
from tests.toy import GAME
from tests.web.limits import ROOMY
from ludoteca.web import app
from ludoteca.web.live import server as table_server
from ludoteca.web.serving.settings import Settings
from ludoteca.work import turns
game.add(GAME)
table_server.LOOK_ROUND = float(sys.argv[1])
turns.SMALL = int(sys.argv[2])
create = app.create_app
app.create_app = lambda *given, **more: create(*given, **{**more, 'limits': ROOMY})
app.serve(Settings(port=0, pace=0.0), prepare=False)
"""


class ServerProcess(Program):
    """A server. `look_round`: seconds between two looks at the database; `compiled`: with compiled rules, of
    which the toy game has no need; `small`: simulations of levels that workers do not get."""

    def __init__(
        self,
        database: str,
        data: Path,
        look_round: float = 2.0,
        compiled: bool = False,
        small: int = turns.SMALL,
    ) -> None:
        environment = {
            'LUDOTECA_DATABASE': database,
            'LUDOTECA_DATA': str(data),
            'NUMBA_DISABLE_JIT': str(int(not compiled)),
        }
        super().__init__(SERVER, look_round, small, environment=environment)
        self.address = ''

    def ready(self) -> ServerProcess:
        """Wait until it answers."""
        if self.address:
            return self
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r'http://\S+:\d+', line)
        assert found, line + self.errors()
        self.address = found.group()
        return self


class Person:
    """Somebody with a browser who may ask any server: all of them know the cookie."""

    def __init__(self) -> None:
        self.client = httpx2.Client(timeout=60)

    def ask(self, server: ServerProcess, path: str, **body: object) -> httpx2.Response:
        """Post something, or get it if there is nothing to say."""
        url = f'{server.address}{path}'
        if body:
            given = {key: value for key, value in body.items() if key != 'empty'}
            return self.client.post(url, json=given, headers={'Origin': server.address})
        return self.client.get(url)

    def view(self, server: ServerProcess, table: str) -> dict[str, Any]:
        """A table as this person sees it."""
        answer = self.ask(server, f'/api/tables/{table}')
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    @contextmanager
    def page(self, server: ServerProcess, table: str) -> Iterator[Page]:
        """An open page of a table."""
        cookies = '; '.join(f'{name}={value}' for name, value in self.client.cookies.items())
        with connect(
            f'{server.address.replace("http", "ws")}/tables/{table}/live',
            additional_headers={'Cookie': cookies, 'Origin': server.address},
        ) as socket:
            socket.send(json.dumps({'have': {}, 'turns': 0, 'seat': 0}))
            found = Page(socket)
            found.next()
            yield found


class Page:
    """A page that puts together what it is sent."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.fragments: dict[str, str] = {}
        self.message: dict[str, Any] = {}
        self.serials: list[int] = []

    def next(self, seconds: float = 30) -> dict[str, Any]:
        """Wait for a message."""
        self.message = json.loads(self.socket.recv(seconds))
        self.fragments |= self.message['fragments']
        self.serials.append(self.message['serial'])
        return self.message

    def closed(self) -> int:
        """Wait until the server closes the socket; answers the code with which it does."""
        while True:
            try:
                self.next()
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 0

    def until(self, fragment: str, text: str, seconds: float = 30) -> float:
        """Wait until a part of the page says something; answers how many seconds that took."""
        began = time.monotonic()
        while text not in self.fragments.get(fragment, ''):
            left = began + seconds - time.monotonic()
            assert left > 0, (fragment, self.fragments.get(fragment))
            with suppress(TimeoutError):
                self.next(left)
        return time.monotonic() - began

    def until_version(self, version: int, seconds: float = 30) -> float:
        """Wait for a version of what the seat sees."""
        began = time.monotonic()
        while self.message['version'] < version:
            self.next(began + seconds - time.monotonic())
        return time.monotonic() - began
