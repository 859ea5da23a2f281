"""Jobs in several processes: of this computer, or of any executor of `concurrent.futures`.

Few jobs are begun ahead, so that a stop loses few and results never pile up. A job whose worker ends in the
middle is begun again, by another worker: jobs depend on nothing but their arguments, so it gives the same.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import current_process, get_context, parent_process
from typing import Any, TypeVar

from ludoteca.game import Game, GameError
from ludoteca.research.stamps import Stamp, checked, packed, stamp_of
from ludoteca.search import cores
from ludoteca.text import words

T = TypeVar('T')
log = logging.getLogger(__name__)

TRIES = 4
"""A job is begun so often at most."""
AHEAD = 2
"""Jobs that are begun for each worker."""
COUNTED = 5.0
"""Seconds for which a number of workers is believed: they may come and go."""
LOOK = 0.5
"""Seconds between two looks at the keyboard, and at the workers, while nothing ends."""
LEFT, NONE_YET = 60.0, 600.0
"""Seconds for which an executor may have no worker: since the last one has left, and until the first one
comes. What replaces a worker begins another one in a few seconds; a cluster's queue may take minutes before
it begins any."""
WAIT = 'LUDOTECA_WORKERS_WAIT'
"""The environment variable that gives another time for both."""
LONGEST_WAIT = 30 * 86400
UNGUARDED = 71
"""The exit status of a worker that would begin workers while it imports the script that has begun it."""
LOCAL_SECONDS, FAR_SECONDS = 0.5, 4.0
"""How long the work of one job should take: in a process of this computer, and where a job's way takes
milliseconds of a scheduler that thousands of workers share."""


@dataclass
class Task:
    """A job that is given away."""

    arguments: tuple[Any, ...]
    tries: int = 0


def results(
    function: Callable[..., T],
    jobs: Iterable[tuple[Any, ...]],
    processes: int = 1,
    executor: Executor | None = None,
    games: Iterable[Game | str] = (),
) -> Iterator[T]:
    """What the function returns for each job's arguments, as the jobs end: by the `executor`, else in so many
    processes of this computer; with one process in their order, in this one. Function, arguments and results
    are pickled.

    `games` are those that are played: an executor's worker that has another version of one of them, or of
    Ludoteca, is refused. Raises GameError for that, for a job whose worker has ended `TRIES` times, if the
    executor takes no work any more, and if it has no worker for too long (`LEFT`). It is not shut down here.
    """
    if executor is None and processes == 1:
        yield from (function(*arguments) for arguments in jobs)
        return
    crew = Far(executor, stamp_of(games)) if executor is not None else Crew(processes)
    ended: queue.SimpleQueue[Future[T]] = queue.SimpleQueue()
    running: dict[Future[T], Task] = {}
    left: Iterator[tuple[Any, ...] | None] = iter(jobs)
    again = deque[Task]()
    try:
        while True:
            while len(running) < crew.room():
                if again:
                    task = again.popleft()
                elif (job := next(left, None)) is not None:
                    task = Task(job)
                else:
                    break
                future = crew.submit(function, task.arguments)
                running[future] = task
                future.add_done_callback(ended.put)
            if not running:
                return
            future = _next(ended, crew)
            task = running.pop(future)
            try:
                result = future.result()
            except BaseException as problem:
                if not is_lost(problem):
                    raise_plainly(problem)
                    raise
                task.tries += 1
                if task.tries == TRIES or is_given_up(problem):
                    raise GameError(words('executor.error.lost', times=TRIES)) from problem
                again.append(task)
                crew.mend()
            else:
                crew.heard()
                yield result
    finally:
        crew.close(running)


def _next(ended: queue.SimpleQueue[Future[T]], crew: Crew) -> Future[T]:
    """The next job that ends. Raises GameError if there is nobody who could end one."""
    while True:
        try:
            return ended.get(timeout=LOOK)
        except queue.Empty:
            crew.look()


class Crew:
    """Processes of this computer."""

    def __init__(self, processes: int) -> None:
        if getattr(current_process(), '_inheriting', False):
            os._exit(UNGUARDED)
        self._processes = processes
        self._pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._processes, get_context('spawn'), _begin_worker)

    def room(self) -> int:
        """How many jobs are given away at a time."""
        return AHEAD * self._processes

    def submit(self, function: Callable[..., T], arguments: tuple[Any, ...]) -> Future[T]:
        """Give a job away."""
        try:
            return self._pool.submit(function, *arguments)
        except BrokenExecutor:  # a process has ended since
            self.mend()
            return self._pool.submit(function, *arguments)

    def mend(self) -> None:
        """A worker was lost. The pool ends all others with it: they begin anew, if that has not happened.
        Raises GameError if none can ever begin."""
        if getattr(self._pool, '_broken', False):
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(cancel_futures=True)
            self._pool = self._new()
            if any(one.exitcode == UNGUARDED for one in processes):
                raise GameError(words('executor.error.unguarded')) from None

    def heard(self) -> None:
        """A worker has done a job."""

    def look(self) -> None:
        """Nothing has ended for a while. Raises GameError if that cannot change."""

    def close(self, running: Collection[Future[Any]]) -> None:
        """End the processes, in the middle of a job if any is `running`: nobody waits for its result."""
        if running:
            for process in list(self._pool._processes.values()):
                process.kill()
        self._pool.shutdown(cancel_futures=True)


class Far(Crew):
    """Workers of an executor that somebody else keeps."""

    def __init__(self, executor: Executor, stamp: Stamp) -> None:
        self._executor, self._stamp, self._wait = executor, stamp, wait_for_workers()
        self._workers, self._counted = 0, -COUNTED
        self._since, self._seen = time.monotonic(), False  # when a worker was last there, and if one ever was

    def room(self) -> int:
        self._count()
        return AHEAD * max(1, self._workers)

    def heard(self) -> None:
        self._since, self._seen = time.monotonic(), True

    def look(self) -> None:
        self._count()
        wait = self._wait if self._wait is not None else LEFT if self._seen else NONE_YET
        if not self._workers and time.monotonic() - self._since >= wait:
            key = 'executor.error.left' if self._seen else 'executor.error.none_yet'
            raise GameError(words(key, seconds=round(wait), setting=WAIT))

    def _count(self) -> None:
        """Ask how many workers there are, if the answer of the last time is old."""
        now = time.monotonic()
        if now - self._counted < COUNTED:
            return
        try:
            self._workers = workers_of(self._executor)
        except Exception as problem:  # each executor has errors of its own
            log.warning('The executor does not say how many workers there are: %s', problem)
            self._workers = 0
        self._counted = now
        if self._workers:
            self.heard()

    def submit(self, function: Callable[..., T], arguments: tuple[Any, ...]) -> Future[T]:
        job = packed(function, arguments)
        try:
            return self._executor.submit(checked, self._stamp, job)
        except Exception as problem:
            reason = ' '.join(f'{type(problem).__name__}: {problem}'.split())[:200]
            raise GameError(words('executor.error.gone', reason=reason)) from problem

    def mend(self) -> None:
        """Nothing to do: who keeps the workers replaces them."""

    def close(self, running: Collection[Future[Any]]) -> None:
        """Ask for no result any more. The executor is somebody else's."""
        for future in running:
            future.cancel()


def wait_for_workers() -> float | None:
    """The seconds that `LUDOTECA_WORKERS_WAIT` gives; None if it gives none. Raises GameError if they are no
    number from 1 to a month's."""
    text = os.environ.get(WAIT, '').strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= LONGEST_WAIT):
        raise GameError(words('executor.error.wait', setting=WAIT, given=text[:40], most=LONGEST_WAIT))
    return float(text)


def workers_of(executor: Executor) -> int:
    """How many jobs an executor does at a time, 0 while it has no worker, as far as it says so; else the
    number of cores here."""
    counted = getattr(executor, 'workers', None)
    if callable(counted):
        return max(0, int(counted()))
    client = getattr(executor, '_client', None)  # of Dask's `client.get_executor()`
    if client is not None:
        return int(sum(client.nthreads().values()))
    number = getattr(executor, '_max_workers', None)  # of the standard library's executors
    return number if isinstance(number, int) and number > 0 else cores()


LOST = {
    ('distributed', 'KilledWorker'),  # Dask has tried it four times
    ('distributed', 'FutureCancelledError'),
    ('ray', 'WorkerCrashedError'),
    ('ray', 'NodeDiedError'),
    ('ray', 'OutOfMemoryError'),
    ('ray', 'ObjectLostError'),
}
"""Errors that say that a worker ended, or what it had done was lost: the package, and the class or a base of
it. Names, so that neither package is needed here."""


def is_lost(problem: BaseException) -> bool:
    """Does an error say that the worker has ended, not that the job is bad?"""
    if isinstance(problem, BrokenExecutor | CancelledError):
        return True
    return any((kind.__module__.split('.')[0], kind.__name__) in LOST for kind in type(problem).__mro__)


def is_given_up(problem: BaseException) -> bool:
    """Has the executor itself begun the job again and again?"""
    return type(problem).__name__ == 'KilledWorker'


def raise_plainly(problem: BaseException) -> None:
    """Raise what the job itself has raised, where an executor has wrapped it; nothing if it has not. A worker
    that knows no Ludoteca is told of in a sentence."""
    cause: BaseException | None = getattr(problem, 'cause', None)
    inner = cause if isinstance(cause, BaseException) else problem
    missing = getattr(inner, 'name', None)
    if isinstance(inner, ModuleNotFoundError) and str(missing).split('.')[0] == 'ludoteca':
        raise GameError(words('executor.error.not_installed')) from problem
    if isinstance(inner, GameError):
        raise GameError(str(inner)) from problem
    if inner is not problem:
        raise inner from problem


class Pace:
    """How many games make a job: so many that it takes about as long as it should. What a game takes is
    measured by the worker; the first jobs have one game."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self.size = seconds, 1

    @classmethod
    def of(cls, processes: int, executor: Executor | None) -> Pace:
        """The pace of `results` with the same arguments. In this process a job is one game, so that Ctrl-C
        loses only the one that is being played."""
        if executor is not None:
            return cls(FAR_SECONDS)
        return cls(LOCAL_SECONDS if processes > 1 else 0.0)

    def told(self, games: int, seconds: float) -> None:
        """So many games have taken so long. The size at most doubles: games differ."""
        wanted = self._seconds * games / max(seconds, 1e-6)
        self.size = max(1, min(int(wanted), 2 * self.size))


def _begin_worker() -> None:
    """Ctrl-C in a terminal reaches all processes; only the first one answers it. A worker ends with the first
    process, however that ends: by TERM it says nothing to its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # in the middle of a job, whose result nobody waits for
