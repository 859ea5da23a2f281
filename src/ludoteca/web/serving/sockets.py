"""What lets one process bear many people: the garbage collector looks seldom, threads hand over soon, and
sockets keep neither compressors nor headers."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias, cast

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.http11 import Request

SELDOM = 20_000, 10, 10
"""The thresholds of the garbage collector, as `gc.set_threshold` takes them. Python's own are reached several
times in each message, and each time a few thousand elements are looked at that will be gone at its end."""

COMPRESSION = {'level': 3, 'memLevel': 8}
"""As `zlib.compressobj` takes it: the message of a turn takes 0.05 to 0.1 ms, a whole view 0.2 to 0.9 ms.
Level 4 makes them smaller by 3 to 9 % and takes one and a half times as long."""

SWITCHED = 101
"""The status of the answer that opens a WebSocket."""
HANDS_OVER = 0.0005
"""Seconds after which a thread that makes a message lets another one go on that waits. Python's own are ten
times as many. To store a turn takes half a dozen short waits (each statement of SQLite lets others run), and
to read a request from the network another one: each of them would last as long."""


def hand_over_soon() -> None:
    """Let short work go on beside long work."""
    sys.setswitchinterval(HANDS_OVER)


def collect_seldom() -> None:
    """Run the garbage collector less often, and keep what is loaded already out of its way."""
    gc.set_threshold(*SELDOM)
    keep()


def keep() -> None:
    """All objects of now will stay: the collector does not look at them any more. They are modules, kernels
    and games for the most part, two hundred thousand objects: to look at all of them takes a tenth of a
    second, in which nobody is answered. Objects without cycles are still freed when nobody needs them."""
    gc.freeze()


EXTENSIONS = [
    ServerPerMessageDeflateFactory(
        server_no_context_takeover=True, client_no_context_takeover=True, compress_settings=COMPRESSION
    )
]
STAYS = 'ludoteca.stays'
"""The extension of a scope that holds what goes on with its socket."""
Rest: TypeAlias = Callable[[Receive, Send], Awaitable[None]]
"""What goes on with an open socket, which it reads and writes as ASGI says."""


async def stay(scope: Mapping[str, Any], rest: Rest, receive: Receive, send: Send) -> None:
    """Have `rest` go on with an open socket when all that the request has passed through has returned. A
    dozen layers between the network and the program, and as many contexts, took 12 KB as long as a page was
    open, for nothing. Under another server than ours (in tests) it goes on inside of them."""
    later: list[Rest] | None = scope.get('extensions', {}).get(STAYS)
    if later is None:
        await rest(receive, send)
    else:
        later.append(rest)


class Inbox:
    """What has come in over a socket, for one who reads it. It does what `asyncio.Queue` does for many, and
    which takes 3 KB."""

    __slots__ = ('_found', '_reader')

    def __init__(self) -> None:
        self._found: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._found.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def empty(self) -> bool:
        """Is there no message?"""
        return not self._found

    async def get(self) -> Any:
        """Take the next message, and wait for it if there is none."""
        while not self._found:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._found.pop(0)


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket that keeps little. Each message is compressed by itself: a compressor that remembers the
    messages before it takes 50 KB as long as a page is open; a window of 4 KB, which is all that it could
    look back, makes messages hardly shorter."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.queue = cast(Any, Inbox())
        self._rest: list[Rest] = []
        if self.config.ws_per_message_deflate:
            self.conn.available_extensions = EXTENSIONS

    def handle_connect(self, event: Request) -> None:
        """Begin the application."""
        super().handle_connect(event)
        if self.response.status_code == SWITCHED:
            cast(dict[str, Any], self.scope['extensions'])[STAYS] = self._rest

    async def run_asgi(self) -> None:
        """Run the application, then what goes on with the socket."""
        layers = self.app

        async def whole(scope: Scope, receive: Receive, send: Send) -> None:
            await layers(cast(Any, scope), cast(Any, receive), cast(Any, send))
            while self._rest:
                await self._rest.pop()(receive, send)

        self.app = cast(Any, whole)
        try:
            await super().run_asgi()
        finally:
            self.app = layers

    async def send(self, message: Any) -> None:
        """Send a message of the application. Once the socket is open nobody reads the headers of its request
        any more: they were 8 KB for each page, in three forms."""
        await super().send(message)
        headers = cast(list[Any], self.scope['headers'])
        if self.handshake_complete and headers:
            headers.clear()
            for handshake in (self.request, self.response):
                handshake.headers.clear()
