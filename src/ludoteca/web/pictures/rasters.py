"""Pictures in pixels for those who ask a server: made in a process of its own, each once, within limits."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from ludoteca.game import GameError
from ludoteca.text import words
from ludoteca.web.serving import subprocesses
from ludoteca.web.serving.errors import Busy

log = logging.getLogger(__name__)

SECONDS = 30.0
"""No picture takes longer: a worker that is not done then is ended."""
IDLE = 60.0
"""Seconds after which a worker without work ends: it holds some memory."""
MOST_WAITING = 24
KEPT_BYTES = 48 << 20
COMMAND = (sys.executable, '-m', 'ludoteca.drawing.worker')


class Failed(RuntimeError):
    """A worker could not do what it was asked, or has ended."""


class PictureWorker:
    """A process that makes pictures and films; see drawing.worker. One order at a time."""

    def __init__(self) -> None:
        self._child: asyncio.subprocess.Process | None = None
        # for its files: a process that is killed cannot take them away itself
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    async def ask(self, order: Mapping[str, Any], data: bytes = b'', seconds: float = SECONDS) -> bytes:
        """The answer to an order. The process is started with the first one. Raises Failed; then, and when
        the asker is cancelled, the process is gone."""
        try:
            async with asyncio.timeout(seconds):
                return await self._ask(order, data)
        except TimeoutError as problem:
            await self.end()
            raise Failed('it took too long') from problem
        except (OSError, EOFError, ValueError) as problem:
            await self.end()
            raise Failed(str(problem) or type(problem).__name__) from problem
        except BaseException:
            await self.end()
            raise

    async def _ask(self, order: Mapping[str, Any], data: bytes) -> bytes:
        if self._child is None or self._child.returncode is not None:
            await self.end()
            self._folder = tempfile.TemporaryDirectory(prefix='ludoteca-', ignore_cleanup_errors=True)
            self._child = await subprocesses.start(
                *COMMAND, self._folder.name, stderr=asyncio.subprocess.DEVNULL
            )
        source, target = self._child.stdout, self._child.stdin
        assert source is not None
        assert target is not None
        target.write(json.dumps({**order, 'size': len(data)}).encode() + b'\n' + data)
        await target.drain()
        head = json.loads(await source.readline())
        answer = await source.readexactly(head['size'])
        if 'problem' in head:
            raise Failed(head['problem'])
        return answer

    async def end(self) -> None:
        """Kill the process, wait until the system has taken it away, and remove its files."""
        (child, self._child), (folder, self._folder) = (self._child, None), (self._folder, None)
        try:
            if child is not None:
                await subprocesses.end(child)
        finally:
            if folder is not None:
                folder.cleanup()


class Rasters:
    """Makes PNG pictures. Who asks for one that is being made waits for it; those made last are kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._making: dict[str, asyncio.Task[bytes]] = {}
        self._turn = asyncio.Lock()
        self._worker = PictureWorker()
        self._idle: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None
        self.made = 0

    async def png(self, svg: str, width: int) -> bytes:
        """A picture that stands alone as PNG, so many pixels wide. Raises Busy if too many wait already, and
        GameError if it cannot be made."""
        key = digest(svg, width)
        if (found := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return found
        task = self._making.get(key)
        if task is None:
            if len(self._making) >= MOST_WAITING:
                raise Busy(words('web.share.busy'))
            task = self._making[key] = asyncio.ensure_future(self._make(key, svg, width))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            # whoever goes away leaves the picture to the others who wait for it, and to the next one
            return await asyncio.shield(task)
        except Failed as problem:
            raise GameError(words('web.share.failed')) from problem

    async def _make(self, key: str, svg: str, width: int) -> bytes:
        try:
            async with self._turn:
                self._keep_awake()
                try:
                    found = await self._worker.ask({'do': 'png', 'width': width}, svg.encode())
                except Failed as problem:
                    log.warning('A picture could not be made: %s', problem)
                    raise
                self.made += 1
            self._keep(key, found)
            return found
        finally:
            del self._making[key]

    def _keep(self, key: str, found: bytes) -> None:
        self._kept[key] = found
        self._bytes += len(found)
        while self._bytes > KEPT_BYTES:
            self._bytes -= len(self._kept.popitem(last=False)[1])

    def _keep_awake(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(IDLE, self._rest)

    def _rest(self) -> None:
        if self._making:
            self._keep_awake()
        else:
            self._ending = asyncio.ensure_future(self._worker.end())

    async def close(self) -> None:
        """End the process."""
        if self._idle is not None:
            self._idle.cancel()
        for task in list(self._making.values()):
            task.cancel()
        await asyncio.gather(*self._making.values(), return_exceptions=True)
        await self._worker.end()


def digest(svg: str, width: int) -> str:
    """A value that no other picture has: 32 hexadecimal digits."""
    return hashlib.blake2b(f'{width} {svg}'.encode(), digest_size=16).hexdigest()
