"""Threads in which bots think for many tables at once, so that no caller has to wait."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from typing import Any, NamedTuple, TypeVar

from ludoteca.search.thinking import stopped_by

T = TypeVar('T')


def _unheard(seconds: float) -> None:
    """Nobody asks how long jobs wait."""


def _timed(call: Callable[[], T], on_start: Callable[[float], None]) -> Callable[[], T]:
    """A job that says when it begins how long it has waited."""
    since = time.monotonic()

    def run() -> T:
        on_start(time.monotonic() - since)
        return call()

    return run


class _Waiting(NamedTuple):
    """A job that waits."""

    future: Future[Any]
    call: Callable[[], Any]
    rank: int


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count() or 1


class Pool:
    """A few threads and a fair queue: tables take turns, and none has more than one job running. Jobs of a
    lower rank go first.

    Calls never block. A search lets other threads run between its chunks of simulations. One thread less than
    there are cores leaves one core to the server.
    """

    def __init__(self, threads: int | None = None) -> None:
        """`threads`: how many; by default one less than the cores, at least one."""
        self.threads = threads if threads is not None else max(1, cores() - 1)
        self._changed = threading.Condition()
        self._waiting: dict[Hashable, deque[_Waiting]] = {}
        # tables with jobs waiting and none running, next one first
        self._order: deque[Hashable] = deque()
        self._running: dict[Hashable, threading.Event] = {}  # set: that job should end
        self._workers: list[threading.Thread] = []
        self._closed = False
        self.on_start: Callable[[float], None] = _unheard  # is told how many seconds each job has waited

    def submit(self, table: Hashable, call: Callable[[], T], rank: int = 0) -> Future[T]:
        """Have `call` run when the table's turn comes. Raises RuntimeError if the pool is closed."""
        future: Future[T] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError('The pool of bots is closed.')
            if table not in self._waiting:
                self._waiting[table] = deque()
                if table not in self._running:
                    self._order.append(table)
            self._waiting[table].append(_Waiting(future, _timed(call, self.on_start), rank))
            if len(self._workers) < self.threads:
                self._workers.append(
                    threading.Thread(target=self._work, name=f'bots-{len(self._workers)}', daemon=True)
                )
                self._workers[-1].start()
            self._changed.notify()
        return future

    def load(self) -> tuple[int, int]:
        """How many jobs run, and how many wait."""
        with self._changed:
            return len(self._running), sum(map(len, self._waiting.values()))

    def cancel(self, table: Hashable) -> None:
        """Drop the table's jobs: those waiting are cancelled, a running search ends at its next look at the
        clock; the futures of all raise CancelledError."""
        with self._changed:
            dropped = self._waiting.pop(table, deque())
            if table in self._order:
                self._order.remove(table)
            if table in self._running:
                self._running[table].set()
        for waiting in dropped:
            waiting.future.cancel()

    def close(self) -> None:
        """Cancel everything and end the threads; returns when they have ended."""
        with self._changed:
            self._closed = True
            tables = {*self._waiting, *self._running}
            self._changed.notify_all()
        for table in tables:
            self.cancel(table)
        for worker in self._workers:
            worker.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._order:
                    if self._closed:
                        return
                    self._changed.wait()
                # of those of one rank the first
                table = min(self._order, key=lambda name: self._waiting[name][0].rank)
                self._order.remove(table)
                future, call, _ = self._waiting[table].popleft()
                if not self._waiting[table]:
                    del self._waiting[table]
                stop = self._running[table] = threading.Event()
            self._run(future, call, stop)
            with self._changed:
                del self._running[table]
                if table in self._waiting:
                    self._order.append(table)
                    self._changed.notify()

    @staticmethod
    def _run(future: Future[Any], call: Callable[[], Any], stop: threading.Event) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            with stopped_by(stop.is_set):
                result = call()
        except BaseException as error:  # whoever waits for the future gets it
            future.set_exception(error)
        else:
            if stop.is_set():
                future.set_exception(CancelledError())
            else:
                future.set_result(result)
