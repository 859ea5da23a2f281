"""A priority queue with one thread, which makes the messages to open pages: earliest due first."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar('T')


class MessageQueue(Generic[T]):
    """Makes one message after the other. One interpreter runs all threads: several messages at once would all
    be done later, and whoever stores a turn would wait for each."""

    def __init__(self, name: str) -> None:
        """`name`: of the thread, which begins with the first message."""
        self._name = name
        self._waiting: list[tuple[float, int, Callable[[], T], Future[T]]] = []
        self._numbers = itertools.count()  # of two that are due at the same time the one that came first
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def submit(self, due: float, make: Callable[[], T]) -> Future[T]:
        """Have a message made. `due`: a time of time.monotonic(); nobody waits for ever, since what comes
        later is due later."""
        future: Future[T] = Future()
        with self._changed:
            heapq.heappush(self._waiting, (due, next(self._numbers), make, future))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify()
        return future

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._changed.wait()
                _, _, make, future = heapq.heappop(self._waiting)
            _run(make, future)
            del make, future  # nothing here holds a message while the thread waits for the next one


def _run(make: Callable[[], T], future: Future[T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        made = make()
    except BaseException as problem:  # whoever waits for the future gets it
        future.set_exception(problem)
    else:
        future.set_result(made)
