"""Requests that never end: a connection is closed whose request does not come in.

uvicorn waits for ever for the rest of a request, and keeps all headers that come. Proxies wait a minute and
take so many; a server that anybody reaches by itself has to do so, too. Connections on which the server has
to answer, and sockets of pages, are not its matter.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

SECONDS = 30.0
"""So long a request may take to come in, and so long nothing may come on a new connection."""
LEAST = 32 * 1024
"""A request of which so many bytes come in that time is given it once more: a phone sends a tree of
variations, as slow as its line is."""
HEAD = 32 * 1024
"""Bytes of an address and its headers, about; browsers send up to 8 KB."""


class TimedHttpProtocol(HttpToolsProtocol):
    """HTTP with clients that send what they have begun to send."""

    _clock: asyncio.TimerHandle | None = None  # runs while something is to come in
    _came = 0  # bytes since it was started
    _head = 0  # bytes of a request whose headers are not complete
    _began = False  # has a request begun that is not complete?

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        if self._clock is None:
            self._wait()
        self._came += len(data)
        self._head += len(data)
        super().data_received(data)
        if self._began and self._head > HEAD and not self.transport.is_closing():
            self._refuse(431)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to the socket."""
        self._wait_no_more()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._began = True
        super().on_message_begin()

    def on_body(self, body: bytes) -> None:
        """A part of the body has come; how much there may be is the application's matter."""
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """All of the request has come."""
        self._began, self._head = False, 0
        self._wait_no_more()
        super().on_message_complete()

    def _wait(self) -> None:
        self._came = 0
        self._clock = self.loop.call_later(SECONDS, self._expired)

    def _wait_no_more(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _expired(self) -> None:
        self._clock = None
        answering = self.cycle is not None and not self.cycle.response_complete
        # what the server does not read, because it has to answer first, nobody can send
        if self.pipeline or self.flow.read_paused or (answering and not self._began) or self._came >= LEAST:
            self._wait()
        elif self._began:
            self._refuse(408)
        else:
            self.transport.close()

    def _refuse(self, status: int) -> None:
        """End the connection, with an answer where the request has none and no other one waits for its."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete or (cycle.more_body and not cycle.response_started):
            self.transport.write(STATUS_LINE[status] + b'content-length: 0\r\nconnection: close\r\n\r\n')
        self.transport.close()
