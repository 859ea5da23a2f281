"""A small proxy before several servers, as nginx or Caddy would be one: it hands each connection to the first
server that takes it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Sequence
from functools import partial


class Proxy:
    """A proxy in a thread of its own."""

    def __init__(self, ports: Sequence[int]) -> None:
        """`ports`: of the servers on this computer, the preferred one first."""
        self.ports = list(ports)
        self.port = 0
        self._connections = 0
        self._writers: list[asyncio.StreamWriter] = []
        self._lost = 0  # of so many, the first ones, nothing passes any more
        self._started, self._loop, self._ended = threading.Event(), asyncio.new_event_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._started.wait(30)

    @property
    def address(self) -> str:
        """Where it listens."""
        return f'http://127.0.0.1:{self.port}'

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._listen())

    async def _listen(self) -> None:
        async with await asyncio.start_server(self._serve, '127.0.0.1', 0) as server:
            self.port = server.sockets[0].getsockname()[1]
            self._started.set()
            await self._ended.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for port in self.ports:
            with contextlib.suppress(OSError):
                there, back = await asyncio.open_connection('127.0.0.1', port)
                with contextlib.suppress(asyncio.CancelledError):
                    self._connections += 1
                    self._writers += [writer, back]
                    lost = partial(self._is_lost, self._connections)
                    await asyncio.gather(_pass_on(reader, back, lost), _pass_on(there, writer, lost))
                return
        writer.close()

    def lose(self) -> None:
        """Nothing passes any more over the connections that are open, and nobody is told: a network that was
        changed, a computer that slept."""
        self._lost = self._connections

    def cut(self) -> None:
        """All connections that are open break off."""

        def cut() -> None:
            for writer in self._writers:
                writer.transport.abort()

        self._loop.call_soon_threadsafe(cut)

    def _is_lost(self, number: int) -> bool:
        return number <= self._lost

    def close(self) -> None:
        """Close all connections."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(10)


async def _pass_on(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, lost: Callable[[], bool]
) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            if not lost():
                writer.write(data)
                await writer.drain()
    with contextlib.suppress(OSError):
        writer.close()
