"""What lets one process bear many people: the garbage collector looks seldom, threads hand over soon, and
sockets keep neither compressors nor headers."""

from __future__ import annotations

import gc
import sys
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

SELDOM = 20_000, 10, 10
"""The thresholds of the garbage collector, as `gc.set_threshold` takes them. Python's own are reached several
times in each message, and each time a few thousand elements are looked at that will be gone at its end."""

COMPRESSION = {'level': 4, 'memLevel': 8}
"""As `zlib.compressobj` takes it: messages of 12 KB become 2.9 KB in 0.11 ms. Level 6 takes half as long
again for 0.1 KB."""

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


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket that compresses each message by itself. A compressor that remembers the messages before it
    takes 50 KB as long as a page is open; a window of 4 KB, which is all that it could look back, makes
    messages hardly shorter."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        if self.config.ws_per_message_deflate:
            self.conn.available_extensions = [
                ServerPerMessageDeflateFactory(
                    server_no_context_takeover=True,
                    client_no_context_takeover=True,
                    compress_settings=COMPRESSION,
                )
            ]

    async def send(self, message: Any) -> None:
        """Send a message of the application. Once the socket is open nobody reads the headers of its request
        any more: they were 8 KB for each page, in three forms."""
        await super().send(message)
        headers = cast(list[Any], self.scope['headers'])
        if self.handshake_complete and headers:
            headers.clear()
            for handshake in (self.request, self.response):
                handshake.headers.clear()
