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

from ludoteca.web.live import socket as table_socket
from ludoteca.web.live.messages import message_for
from ludoteca.web.serving.sockets import Inbox, Socket, stay
from ludoteca.web.table.cache import TableCache
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


def test_a_page_that_waits_holds_no_message_and_no_task() -> None:
    live, [page, _] = table_of('octiles', 2)
    sent: list[int] = []

    async def send(message: Any) -> None:
        sent.append(len(message['text']))

    class Serves:
        """A server with one table."""

        def message(self, *_: object) -> dict[str, Any]:
            return message_for(live, page)

    async def wait() -> tuple[int, int]:
        known = Serves(), live, page, send
        teller = table_socket.Teller(*cast(Any, known))
        page.listen(teller.wake)
        page.touch()
        while not sent:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)
        others = len(asyncio.all_tasks())
        kept = [page.marks, page._pieces]
        size = size_of(teller, known=(*known, asyncio.get_running_loop()))
        return size + size_of(page, known=(live, teller, page.visitor, *kept)), others

    size, tasks = asyncio.run(wait())
    assert size < 2_000 < sent[0]
    assert tasks == 1


def test_what_goes_on_with_a_socket_is_in_no_layer_of_the_application() -> None:
    """Each layer that a request has passed through would be kept as long as a page is open."""
    told: list[Any] = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        async def rest(receive: Any, send: Any) -> None:
            told.append('rest')
            told.append(await receive())

        await stay(scope, rest, receive, send)

    async def layer(scope: Any, receive: Any, send: Any) -> None:
        await inner(dict(scope), receive, send)
        told.append('layer')

    async def run() -> None:
        socket = opened(layer)
        while len(told) < 3:
            await asyncio.sleep(0)
        assert told == ['layer', 'rest', {'type': 'websocket.connect'}]
        socket.stop_keepalive()

    asyncio.run(run())

    # under another server it goes on at once
    async def receive() -> dict[str, str]:
        return {'type': 'websocket.disconnect'}

    told.clear()
    asyncio.run(layer({}, receive, None))
    assert told == ['rest', {'type': 'websocket.disconnect'}, 'layer']


def test_an_inbox_hands_over_in_order_and_waits() -> None:
    async def run() -> list[int]:
        inbox, found = Inbox(), list[int]()

        async def read() -> None:
            while len(found) < 4:
                found.append(await inbox.get())

        inbox.put_nowait(1)
        reading = asyncio.create_task(read())
        await asyncio.sleep(0)
        assert inbox.empty()
        for k in (2, 3, 4):
            inbox.put_nowait(k)
        assert not inbox.empty()
        await reading
        stopped = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        stopped.cancel()
        await asyncio.wait([stopped])
        inbox.put_nowait(5)
        return [*found, await inbox.get()]

    assert asyncio.run(run()) == [1, 2, 3, 4, 5]


def opened(application: Any) -> Socket:
    """A socket of an application, the request for it read."""
    config = Config(application, interface='asgi3', log_config=None)
    config.load()
    socket = Socket(config, ServerState(), {}, asyncio.get_running_loop())
    transport = Mock(get_extra_info=Mock(return_value=None), is_closing=Mock(return_value=False))
    socket.connection_made(transport)
    socket.data_received(HANDSHAKE)
    return socket


def test_an_open_socket_keeps_no_headers() -> None:
    async def headers_after() -> Socket:
        async def never_asked(scope: Any, receive: Any, send: Any) -> None:
            """An application."""

        socket = opened(never_asked)
        assert (b'Cookie', b'name=value') in list(socket.scope['headers'])
        await socket.send({'type': 'websocket.accept'})
        [answer] = cast(Any, socket.transport).write.call_args.args
        assert answer.startswith(b'HTTP/1.1 101')
        assert b'Sec-WebSocket-Accept' in answer
        socket.stop_keepalive()
        return socket

    socket = asyncio.run(headers_after())
    assert [*socket.scope['headers'], *socket.request.headers, *socket.response.headers] == []


def test_messages_are_forgotten_when_something_else_is_said() -> None:
    made, count = TableCache(), iter(range(100))

    def message(since: int | None, said: int) -> dict[str, Any]:
        return made.message('seat', since, said, lambda: {'made': next(count)})

    assert message(None, 1) is message(None, 1) is not message(0, 1)
    for turn in range(2, 10):
        message(turn - 1, turn)
    [(_, messages)] = made._messages.values()
    assert len(messages) == 1
    assert message(None, 1) == {'made': 10}
