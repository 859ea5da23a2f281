"""The socket over which an open table page gets its messages."""

from __future__ import annotations

import asyncio
import contextlib
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fastapi import APIRouter
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ludoteca.game import GameError
from ludoteca.text import words
from ludoteca.web.access import admit, for_seats
from ludoteca.web.live_table import LiveTable
from ludoteca.web.open_page import OpenPage
from ludoteca.web.people import People
from ludoteca.web.table_server import TableServer

CHECKED = 30.0
"""Seconds after which the token of an open socket is looked at again."""
HELLO = 20.0
"""Seconds that a page has for its first words."""
DRAWER = ThreadPoolExecutor(1, 'pages')
"""The thread in which messages are made, one after the other. One interpreter runs all threads: several
messages at once would all be done later, and whoever stores a turn would wait for each."""
WAITERS = ThreadPoolExecutor(4, 'pages-waiting')
"""The same for messages that wait for something else before. They are few: each keeps memory of its own."""


@for_seats
async def connect(socket: WebSocket) -> None:
    """Each message is the whole view without the fragments that the page has. The page says first what it
    has."""
    await admit(socket)
    server: TableServer = socket.app.state.server
    people: People = socket.app.state.people
    visitor = await people.who(socket)
    live = await server.look(socket.path_params['table'], visitor)
    page, longest = OpenPage(visitor), server.limits.message
    server.enter(live, page)
    try:
        await socket.accept()
        page.hello(await asyncio.wait_for(_read(socket, longest), HELLO), live.seats_of(visitor))
        await _until_one_ends(
            asyncio.ensure_future(_receive(socket, live, page, longest)),
            asyncio.ensure_future(_write(socket, server, live, page)),
        )
    except (TimeoutError, WebSocketDisconnect):
        pass
    finally:
        server.exit(live, page)
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close()


# a plain route, since FastAPI's own keeps its stacks of dependencies as long as a page is open
router = APIRouter(routes=[WebSocketRoute('/tables/{table}/live', connect)], include_in_schema=False)


async def _until_one_ends(*tasks: asyncio.Task[None]) -> None:
    """Wait until a task ends, end the others, and raise what went wrong. A socket that is closed is no
    error."""
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for task in tasks:
        problem = None if task.cancelled() else task.exception()
        if problem and not isinstance(problem, RuntimeError):
            raise problem


async def _read(socket: WebSocket, longest: int) -> dict[str, Any]:
    """Read one message of a page. Raises GameError if it is none that a page would send."""
    message = await socket.receive()
    if message['type'] == 'websocket.disconnect':
        raise WebSocketDisconnect(message.get('code', 1005))
    text = message.get('text') or ''
    if len(text) > longest:
        raise GameError(words('web.error.too_large'))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise GameError(words('web.error.not_json')) from problem
    if not isinstance(data, dict):
        raise GameError(words('web.error.not_json'))
    return data


async def _receive(socket: WebSocket, live: LiveTable, page: OpenPage, longest: int) -> None:
    """A page that several people share says who has come to the screen, or that somebody has left it (null).
    A page to which fragments did not come says which it has. A page says nothing else. The end of the socket
    is noticed here."""
    while True:
        said = await _read(socket, longest)
        if 'here' in said:
            page.come(said['here'], live.seats_of(page.visitor))
        if 'have' in said:
            page.lacks(said['have'], said.get('turns'))


async def _write(socket: WebSocket, server: TableServer, live: LiveTable, page: OpenPage) -> None:
    """After every change the page is asked whether it may still look, and then sent what is new to it."""
    while True:
        # a program's token may be revoked by another process
        await page.change(CHECKED if page.visitor.token else None)
        await _tell(socket, server, live, page)


async def _tell(socket: WebSocket, server: TableServer, live: LiveTable, page: OpenPage) -> None:
    """Send a page what is new to it. A function of its own: when it is left, nothing holds the message any
    more, which is longer than all else that is kept for a page."""
    # nobody need wait for what another one waits for; a token is read from the database
    threads = DRAWER if live.is_free and page.visitor.token is None else WAITERS
    text = await asyncio.get_running_loop().run_in_executor(threads, _text, server, live, page)
    if text:
        await socket.send_text(text)


def _text(server: TableServer, live: LiveTable, page: OpenPage) -> str:
    """What is new to a page; '' if nothing is."""
    news = page.news(server.message(live, page))
    return '' if news is None else json.dumps(news, separators=(',', ':'), ensure_ascii=False)
