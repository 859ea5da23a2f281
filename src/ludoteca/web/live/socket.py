"""The socket over which an open table page gets its messages."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ludoteca.game import GameError
from ludoteca.text import words
from ludoteca.web.live.message_queue import MessageQueue
from ludoteca.web.live.open_page import OpenPage
from ludoteca.web.live.server import TableServer
from ludoteca.web.live.table import LiveTable
from ludoteca.web.people.access import admit, for_seats
from ludoteca.web.people.visitors import Visitors
from ludoteca.web.serving import assets
from ludoteca.web.serving.errors import closing
from ludoteca.web.serving.sockets import stay

log = logging.getLogger(__name__)

OTHER_FILES = 4426
"""The number with which a socket ends whose page was loaded from a server of another version. A page that has
loaded itself anew in vain does not name its files again."""
BROKEN = 1011
"""The number with which a socket ends after an error of ours (RFC 6455)."""
CHECKED = 30.0
"""Seconds after which the token of an open socket is looked at again."""
HEARD = '{"alive":true}'
"""The answer to a page that asks whether it is heard."""
HELLO = 20.0
"""Seconds that a page has for its first words."""
QUEUE = MessageQueue[str]('pages')
"""Makes the messages to open pages."""
WAITERS = ThreadPoolExecutor(4, 'pages-waiting')
"""Threads for messages that wait for something else before. They are few: each keeps memory of its own."""


@for_seats
async def connect(socket: WebSocket) -> None:
    """Each message is the whole view without the fragments that the page has. The page says first what it
    has."""
    await admit(socket)
    server: TableServer = socket.app.state.server
    visitors: Visitors = socket.app.state.visitors
    visitor = await visitors.who(socket)
    live = await server.look(socket.path_params['table'], visitor)
    page, longest, greeted = OpenPage(visitor), server.limits.message, False
    server.enter(live, page)
    try:
        await socket.accept()
        said = await asyncio.wait_for(_read(socket.receive, longest), HELLO)
        if said.get('files', assets.folder()) != assets.folder():
            await socket.close(OTHER_FILES)
        else:
            page.hello(said, live.seats_of(visitor))
            greeted = True
    except (TimeoutError, WebSocketDisconnect):
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()
    finally:
        if not greeted:
            server.exit(live, page)
    if greeted:
        await stay(socket.scope, partial(_keep_open, server, live, page), socket.receive, socket.send)


# a plain route, since FastAPI's own keeps its stacks of dependencies as long as a page is open
router = APIRouter(routes=[WebSocketRoute('/tables/{table}/live', connect)], include_in_schema=False)


async def _keep_open(
    server: TableServer, live: LiveTable, page: OpenPage, receive: Receive, send: Send
) -> None:
    """Hear what a page says, and have it told what is new to it, until its socket ends."""
    teller = Teller(server, live, page, send)
    page.listen(teller.wake)
    try:
        await _listen(receive, send, live, page, server.limits.message)
    except GameError as problem:
        await _close(send, *closing(problem))
    except WebSocketDisconnect:
        pass
    finally:
        page.listen(None)
        teller.end()
        server.exit(live, page)


async def _close(send: Send, code: int, reason: str) -> None:
    """Close a socket. One that is closed is no error."""
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):
        await send({'type': 'websocket.close', 'code': code, 'reason': reason})


async def _read(receive: Receive, longest: int) -> dict[str, Any]:
    """Read one message of a page. Raises GameError if it is none that a page would send."""
    message = await receive()
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


async def _listen(receive: Receive, send: Send, live: LiveTable, page: OpenPage, longest: int) -> None:
    """A page that several people share says who has come to the screen, or that somebody has left it (null).
    A page to which fragments did not come says which it has. One that has heard nothing for a while asks
    whether it is heard. A page says nothing else. The end of the socket is noticed here."""
    while True:
        said = await _read(receive, longest)
        if 'alive' in said:
            with contextlib.suppress(RuntimeError, OSError):  # closed meanwhile: that is read next
                await send({'type': 'websocket.send', 'text': HEARD})
        if 'here' in said:
            page.come(said['here'], live.seats_of(page.visitor))
        if 'have' in said:
            page.lacks(said['have'], said.get('turns'))


class Teller:
    """After every change its page is asked whether it may still look, and then sent what is new to it. While
    nothing changes there is no task: a page that waits keeps what is read from its socket, and no more."""

    __slots__ = ('_checking', '_live', '_page', '_send', '_server', '_task')

    def __init__(self, server: TableServer, live: LiveTable, page: OpenPage, send: Send) -> None:
        self._server, self._live, self._page, self._send = server, live, page, send
        self._task: asyncio.Task[None] | None = None
        self._checking: asyncio.TimerHandle | None = None

    def wake(self) -> None:
        """The page is due a message."""
        if self._task is None:
            self._task = asyncio.create_task(self._tell_all())

    def end(self) -> None:
        """Tell nothing more."""
        if self._checking is not None:
            self._checking.cancel()
        if self._task is not None:
            self._task.cancel()

    async def _tell_all(self) -> None:
        """Send what is new until nothing is. If the page may no longer look, or something goes wrong, its
        socket ends."""
        try:
            while (due := self._page.due) is not None:
                await self._tell(due)
        except GameError as problem:
            await _close(self._send, *closing(problem))
        except (RuntimeError, OSError, WebSocketDisconnect):
            pass  # a socket that is closed is no error; who reads from it notices
        except Exception:
            log.exception('An open page of table %s could not be told what is new', self._live.id)
            await _close(self._send, BROKEN, '')
        else:
            self._task = None
            self._check_later()

    def _check_later(self) -> None:
        """A program's token may be revoked by another process: ask again after a while."""
        if self._checking is not None:
            self._checking.cancel()
        if self._page.visitor.token is not None:
            self._checking = asyncio.get_running_loop().call_later(CHECKED, self._page.touch)

    async def _tell(self, due: float) -> None:
        """Send a page what is new to it. A function of its own: when it is left, nothing holds the message
        any more, which is longer than all else that is kept for a page."""
        page, live = self._page, self._live
        make = partial(_text, self._server, live, page)
        # nobody need wait for what another one waits for; a token is read from the database
        waits = not live.is_free or page.visitor.token is not None
        made = WAITERS.submit(make) if waits else QUEUE.submit(due, make)
        text = await asyncio.wrap_future(made)
        if text:
            await self._send({'type': 'websocket.send', 'text': text})


def _text(server: TableServer, live: LiveTable, page: OpenPage) -> str:
    """What is new to a page; '' if nothing is."""
    page.begin()
    news = page.news(server.message(live, page))
    return '' if news is None else json.dumps(news, separators=(',', ':'), ensure_ascii=False)
