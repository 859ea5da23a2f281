"""An open page keeps what tells its next change, and nothing of what it has been sent. Counted in bytes of
objects, so that neither the machine nor its allocator matters."""

from __future__ import annotations

import asyncio
import gc
import sys
from types import FunctionType, ModuleType
from typing import Any, cast
from unittest.mock import Mock

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from ludoteca.web import table_socket
from ludoteca.web.lean import Socket
from ludoteca.web.table.made_once import MadeOnce
from ludoteca.web.table_messages import message_for
from scripts.turn_cost import table_of

KEPT = 20_000
"""Bytes that a page may keep of its fragments: hashes and marks."""
HANDSHAKE = (
    b'GET /tables/x/live HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
    b'Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\nSec-WebSocket-Version: 13\r\nCookie: name=value\r\n\r\n'
)


def size_of(*things: object, known: tuple[object, ...] = ()) -> int:
    """The bytes of all objects that these lead to, without those of `known` and of the program itself."""
    passed, ahead, total = {id(one) for one in known}, list(things), 0
    while ahead:
        one = ahead.pop()
        if id(one) in passed or isinstance(one, type | ModuleType | FunctionType):
            continue
        passed.add(id(one))
        total += sys.getsizeof(one)
        ahead += gc.get_referents(one)
    return total


@pytest.mark.parametrize('name', ['myriath', 'octiles'])
def test_a_page_keeps_hashes_of_its_fragments_and_no_text(name: str) -> None:
    live, pages = table_of(name, 2)
    news = pages[0].news(message_for(live, pages[0]))
    kept = size_of(pages[0].marks, pages[0]._pieces)
    assert kept < KEPT
    assert 2 * kept < size_of(news)


def test_a_socket_that_waits_holds_no_message() -> None:
    live, [page, _] = table_of('octiles', 2)
    sent: list[int] = []

    class Sends:
        """A socket that is open."""

        async def send_text(self, text: str) -> None:
            sent.append(len(text))

    class Serves:
        """A server with one table."""

        def message(self, *_: object) -> dict[str, Any]:
            return message_for(live, page)

    async def wait() -> int:
        given = Sends(), Serves(), live, page
        task = asyncio.create_task(table_socket._write(*cast(Any, given)))
        page.touch()
        while not sent:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        inner, held = cast(Any, task.get_coro()), list[object]()
        while hasattr(inner, 'cr_frame'):
            held += inner.cr_frame.f_locals.values()
            inner = inner.cr_await
        found = size_of(*(one for one in held if isinstance(one, str | bytes | dict | list | tuple)))
        task.cancel()
        return found

    assert asyncio.run(wait()) < 2_000 < sent[0]


def test_an_open_socket_keeps_no_headers() -> None:
    async def opened() -> Socket:
        async def never_asked(scope: Any, receive: Any, send: Any) -> None:
            """An application."""

        config = Config(cast(Any, never_asked), interface='asgi3', log_config=None)
        config.load()
        socket = Socket(config, ServerState(), {}, asyncio.get_running_loop())
        transport = Mock(get_extra_info=Mock(return_value=None), is_closing=Mock(return_value=False))
        socket.connection_made(transport)
        socket.data_received(HANDSHAKE)
        assert (b'Cookie', b'name=value') in list(socket.scope['headers'])
        await socket.send({'type': 'websocket.accept'})
        [answer] = transport.write.call_args.args
        assert answer.startswith(b'HTTP/1.1 101')
        assert b'Sec-WebSocket-Accept' in answer
        socket.stop_keepalive()
        return socket

    socket = asyncio.run(opened())
    assert [*socket.scope['headers'], *socket.request.headers, *socket.response.headers] == []


def test_messages_are_forgotten_when_something_else_is_said() -> None:
    made, count = MadeOnce(), iter(range(100))

    def message(since: int | None, said: int) -> dict[str, Any]:
        return made.message('seat', since, said, lambda: {'made': next(count)})

    assert message(None, 1) is message(None, 1) is not message(0, 1)
    for turn in range(2, 10):
        message(turn - 1, turn)
    [(_, messages)] = made._messages.values()
    assert len(messages) == 1
    assert message(None, 1) == {'made': 10}
