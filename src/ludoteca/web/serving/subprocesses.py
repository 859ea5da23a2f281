"""Processes that the server starts for itself: none is left behind, whenever whoever waits is cancelled. A
loop that closes before its last child has ended complains about it."""

from __future__ import annotations

import asyncio
import contextlib


async def start(*command: str, stderr: int) -> asyncio.subprocess.Process:
    """Start a process whose input and output are pipes. Raises OSError. Who is cancelled meanwhile finds it
    ended."""
    pipe = asyncio.subprocess.PIPE
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=stderr)
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        with contextlib.suppress(OSError):
            await end(await starting)
        raise


async def end(child: asyncio.subprocess.Process) -> None:
    """Kill a process if it still runs, and wait until the system has taken it away, however often the waiting
    is cancelled."""
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
    cancelled = False
    while child.returncode is None:
        try:
            await child.wait()
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
