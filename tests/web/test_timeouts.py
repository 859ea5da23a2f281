"""Who begins a request and does not end it is not waited for; who is slow, or waits for an answer, is."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from fastapi import FastAPI, Request, WebSocket
from websockets.sync.client import connect

from ludoteca.web.app import configured
from ludoteca.web.serving import timeouts
from ludoteca.web.serving.settings import read

SECONDS = 0.5
HEAD = b'POST /length HTTP/1.1\r\nHost: localhost\r\n'


@pytest.fixture(scope='module')
def port() -> Iterator[int]:
    """Where a server listens that waits half a second for requests."""
    app = FastAPI()

    @app.post('/length')
    async def length(request: Request) -> int:
        return len(await request.body())

    @app.get('/slow')
    async def slow() -> str:
        await asyncio.sleep(2.5 * SECONDS)
        return 'at last'

    @app.websocket('/live')
    async def live(page: WebSocket) -> None:
        await page.accept()
        await page.send_text(await page.receive_text())

    with pytest.MonkeyPatch.context() as patch, contextlib.closing(socket.socket()) as listening:
        patch.setattr(timeouts, 'SECONDS', SECONDS)
        listening.bind(('127.0.0.1', 0))
        server = uvicorn.Server(configured(app, read()))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.02)
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join(10)


def all_of(line: socket.socket) -> bytes:
    """What the server says until it closes the connection."""
    line.settimeout(10 * SECONDS)
    found = b''
    while part := line.recv(1 << 16):
        found += part
    return found


@pytest.mark.parametrize(
    ('begun', 'answer'),
    [
        (b'', b''),
        (b'\r\n', b''),
        (HEAD + b'X: ', b'HTTP/1.1 408 '),
        (HEAD + b'Content-Length: 50\r\n\r\n{', b'HTTP/1.1 408 '),
        (HEAD + b'Transfer-Encoding: chunked\r\n\r\n1\r\n', b'HTTP/1.1 408 '),
    ],
    ids=['nothing', 'empty line', 'half a header', 'half a body', 'half a chunk'],
)
def test_a_request_that_never_ends_is_given_up(port: int, begun: bytes, answer: bytes) -> None:
    with socket.create_connection(('127.0.0.1', port)) as line:
        line.sendall(begun)
        assert all_of(line)[: len(answer)] == answer


def test_a_request_of_single_bytes_is_given_up(port: int) -> None:
    with socket.create_connection(('127.0.0.1', port)) as line:
        line.sendall(HEAD + b'X: ')
        began = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() - began < 10 * SECONDS:
                line.sendall(b'x')
                time.sleep(SECONDS / 10)
        assert time.monotonic() - began < 5 * SECONDS


def test_headers_that_never_end_are_refused(port: int) -> None:
    with socket.create_connection(('127.0.0.1', port)) as line:
        line.sendall(HEAD + b'X: ' + b'x' * timeouts.HEAD)
        assert all_of(line).startswith(b'HTTP/1.1 431 ')


def test_a_slow_line_has_its_time(port: int) -> None:
    """It takes more than twice the time, and enough comes in each."""
    size, parts = timeouts.LEAST + 1000, 6
    with socket.create_connection(('127.0.0.1', port)) as line:
        line.sendall(HEAD + b'Connection: close\r\nContent-Length: %d\r\n\r\n' % (size * parts))
        for _ in range(parts):
            line.sendall(b'x' * size)
            time.sleep(SECONDS / 2.5)
        assert all_of(line).endswith(b'%d' % (size * parts))


def test_who_waits_for_an_answer_gets_it(port: int) -> None:
    """After an answer the connection takes the next request, and a line feed too many disturbs nobody."""
    with socket.create_connection(('127.0.0.1', port)) as line:
        line.sendall(b'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n\r\n')
        line.settimeout(10 * SECONDS)
        assert b'at last' in line.recv(1 << 16)
        line.sendall(b'GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
        assert b'at last' in all_of(line)


def test_an_open_page_may_be_silent(port: int) -> None:
    with connect(f'ws://127.0.0.1:{port}/live') as page:
        time.sleep(3 * SECONDS)
        page.send('still here')
        assert page.recv(timeout=5) == 'still here'
