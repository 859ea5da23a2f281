"""A worker: a process that does the jobs which servers of a database give away.

It takes as many as it has threads, says every BEAT seconds that it is alive and has them still, and hears
then which of them nobody waits for any more. A new job is called out where the database has notices; where it
has none, or where a call was lost, the worker looks by itself.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from functools import partial

from ludoteca.game import games
from ludoteca.search import Pool
from ludoteca.store import Heard, Notices, Store, StoreError, TakenJob, new_id
from ludoteca.store.jobs import DROPPED, LEASE, NEW
from ludoteca.work.jobs import Bots, Conditions, Result, form_of
from ludoteca.work.kinds import run

log = logging.getLogger(__name__)

BEAT = 1.0
"""Seconds between two signs of life."""
POLL = 0.05
"""Seconds between two looks at the queue where nobody calls: on SQLite."""
SAFETY = 1.0
"""The same where calls may be lost."""
GRACE = 3.0
"""Seconds that a worker which is to end gives the jobs that it is at."""
AGAIN = 0.5
"""Seconds after which a database that does not answer is asked anew."""


class Worker:
    """Does jobs until `end` is called."""

    def __init__(
        self,
        store: Store,
        threads: int,
        warm: Callable[[str], object],
        names: Sequence[str] | None = None,
    ) -> None:
        """`threads`: jobs at a time. `warm` gets the rules of a game ready; jobs of the game are taken when
        it has returned. `names`: of the games, all by default."""
        self.id, self.threads = new_id(), threads
        self._store, self._warm = store, warm
        self._names = tuple(games() if names is None else names)
        self._pool, self._bots = Pool(threads), Bots()
        self._forms: frozenset[str] = frozenset()
        self._jobs: dict[str, Future[Result]] = {}
        self._changed = threading.Condition()
        self._called = self._ended = False
        self._beaten = -BEAT
        self._notices: Notices | None = None

    def end(self) -> None:
        """Take no more jobs, and end."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def run(self) -> None:
        """Work. Returns some time after `end` was called; what is not done by then is left to others."""
        if self._store.shared:
            self._notices = self._store.notices(self.id, self._hear)
            self._store.told(self._notices.tell)
        warming = threading.Thread(target=self._warm_all, name='warm', daemon=True)
        warming.start()
        lost = False
        while not self._ended:
            try:
                self._beat()
                self._take()
                lost = False
                pause = SAFETY if self._store.shared else POLL
            except StoreError as problem:
                if not lost:
                    log.warning('The database does not answer: %s', problem)
                lost, pause = True, AGAIN
            with self._changed:
                self._changed.wait_for(lambda: self._called or self._ended, pause)
                self._called = False
        self._leave()

    def _warm_all(self) -> None:
        for name in self._names:
            if self._ended:
                return
            try:
                self._warm(name)
                self._forms |= {form_of(name)}
            except Exception:
                log.exception('%s is left to other workers: its rules could not be loaded', name)
            self._beaten = -BEAT  # servers are to know at once
            self._call()

    def _call(self) -> None:
        with self._changed:
            self._called = True
            self._changed.notify_all()

    def _hear(self, heard: Heard) -> None:
        if heard.missed or DROPPED in heard.calls:
            self._beaten = -BEAT
        if heard.missed or heard.calls & {NEW, DROPPED}:
            self._call()

    # ---- what it does

    def _beat(self) -> None:
        """Say that it is alive. Searches for which nobody waits any more end."""
        now = time.monotonic()
        if now - self._beaten < BEAT:
            return
        with self._changed:
            mine = set(self._jobs)
        self._store.keep_worker(self.id, self.threads, self._forms)
        self._beaten = now
        if mine:
            for gone in mine - self._store.keep_jobs(mine, self.id):
                self._pool.cancel(gone)

    def _take(self) -> None:
        """Take as many jobs as there are threads free."""
        with self._changed:
            free = self.threads - len(self._jobs)
        if free <= 0 or not self._forms:
            return
        for job in self._store.take_jobs(self.id, self._forms, free):
            if job.id in self._jobs:  # it was slow to say that it has it still, and goes on
                continue
            deadline = None if job.left is None else time.monotonic() + job.left
            future = self._pool.submit(job.id, partial(self._do, job, deadline))
            with self._changed:
                self._jobs[job.id] = future
            future.add_done_callback(partial(self._done, job))

    def _do(self, job: TakenJob, deadline: float | None) -> Result:
        return run(job.kind, job.payload, Conditions(deadline, self._bots))

    def _done(self, job: TakenJob, future: Future[Result]) -> None:
        """A job has come to its end. Called in its thread."""
        problem = CancelledError() if future.cancelled() else future.exception()
        try:
            if problem is None:
                self._answer(job, future.result(), '')
            elif not isinstance(problem, CancelledError):
                log.warning('A job (%s) has failed', job.kind, exc_info=problem)
                self._answer(job, None, f'{type(problem).__name__}: {problem}')
        finally:
            with self._changed:
                self._jobs.pop(job.id, None)
            self._call()

    def _answer(self, job: TakenJob, result: Result | None, problem: str) -> None:
        """Store an answer. While the database does not answer it is tried again, until the job is lost
        anyway."""
        end = time.monotonic() + LEASE
        while True:
            try:
                self._store.finish_job(job.id, self.id, result, problem)
                return
            except StoreError:
                if time.monotonic() > end:
                    log.warning('The answer to a job (%s) could not be stored', job.kind, exc_info=True)
                    return
                time.sleep(AGAIN)

    def _leave(self) -> None:
        """End what it is at, or leave it to others."""
        end = time.monotonic() + GRACE
        with self._changed:
            self._changed.wait_for(lambda: not self._jobs, max(0.0, end - time.monotonic()))
            left = list(self._jobs)
        for job in left:
            self._pool.cancel(job)
        try:
            self._store.end_worker(self.id)
        except StoreError:
            log.warning('Others take over after a while: the database does not answer', exc_info=True)
        self._pool.close()
        if self._notices is not None:
            self._notices.close()
