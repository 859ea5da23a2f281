"""Where a server gives its jobs in. It has them done in its own threads, or by workers of the same database.

As long as no worker has said that it is alive, a job costs what it costs in a thread: no row is written, and
the database is asked for workers every LOOK seconds at most, beside the job. Small jobs always do.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import CancelledError, Future, InvalidStateError
from dataclasses import dataclass

from ludoteca.search import Pool
from ludoteca.store import JobAnswer, NewJob, Store, StoreError, WorkerInfo, new_id
from ludoteca.text import words
from ludoteca.work.jobs import Bots, Conditions, Job, LostJob, Result
from ludoteca.work.kinds import run

log = logging.getLogger(__name__)

LOOK = 2.0
"""Seconds between two looks at which workers there are."""
BEAT = 2.0
"""Seconds between two signs that the server waits for its jobs."""
PATIENCE = 3.0
"""Seconds after which the server does a job itself that no worker has."""
POLL = 0.02
"""Seconds between two looks at answers where nobody calls: on SQLite, which has no notices."""
SAFETY = 0.5
"""The same where calls may be lost."""


@dataclass(eq=False)
class _Given:
    """A job that was given away."""

    id: str
    job: Job
    future: Future[Result]
    since: float


class Desk:
    """Takes jobs and answers with futures. Its methods never block, and may be called in any thread."""

    def __init__(
        self,
        pool: Pool,
        store: Store | None,
        asker: str,
        waited: Callable[[str, float], None],
    ) -> None:
        """`store`: through which workers are reached, None: there are none; `asker`: the id of this server;
        `waited` is told of each job that is begun, its kind and the seconds that it has waited."""
        self._pool, self._asker, self._waited = pool, asker, waited
        self._store = store if store is not None and not store.in_memory else None
        self._poll = SAFETY if store is not None and store.shared else POLL
        self._bots = Bots()
        self._workers: Sequence[WorkerInfo] = ()
        self._looked = -LOOK  # when it was last asked which workers there are
        self._beaten = 0.0
        self._changed = threading.Condition()
        self._look = self._called = self._closed = False
        self._new: list[_Given] = []
        self._given: dict[str, _Given] = {}  # by id, those that stand in the database
        self._dropped: set[str] = set()
        self._thread: threading.Thread | None = None
        self._ids = (new_id() + str(number) for number in itertools.count())

    def submit(self, job: Job) -> Future[Result]:
        """Have a job done. The future raises what the job raises, LostJob, and CancelledError if it was
        cancelled."""
        if not self._has_worker(job):
            return self._do(job, time.monotonic())
        future: Future[Result] = Future()
        with self._changed:
            self._new.append(_Given(next(self._ids), job, future, time.monotonic()))
            self._wake()
        return future

    def cancel(self, key: Hashable) -> None:
        """Drop the jobs of a key. Their futures raise CancelledError; a search ends soon."""
        self._pool.cancel(key)
        with self._changed:
            gone = [one for one in (*self._new, *self._given.values()) if one.job.key == key]
            self._new = [one for one in self._new if one not in gone]
            for one in gone:
                if self._given.pop(one.id, None) is not None:
                    self._dropped.add(one.id)
            if gone:
                self._wake()
        for one in gone:
            one.future.cancel()

    def forget(self, turn: str) -> None:
        """What bots here remember of a turn is not needed any more."""
        self._bots.forget(turn)

    def called(self) -> None:
        """A worker has answered."""
        with self._changed:
            self._called = True
            self._wake()

    def look(self) -> None:
        """Find out which workers there are."""
        with self._changed:
            if self._store is not None and not (self._look or self._closed):
                self._look = True
                self._wake()

    def given_away(self) -> int:
        """How many jobs wait for workers' answers."""
        with self._changed:
            return len(self._new) + len(self._given)

    def close(self) -> None:
        """Cancel what was given away, and end. The pool stays open."""
        with self._changed:
            self._closed = True
            gone = [*self._new, *self._given.values()]
            self._dropped.update(self._given)
            self._new, self._given = [], {}
            self._changed.notify_all()
        for one in gone:
            one.future.cancel()
        if self._thread is not None:
            self._thread.join()

    # ---- here

    def _do(self, job: Job, since: float) -> Future[Result]:
        """Do a job in a thread of the pool."""

        def call() -> Result:
            self._waited(job.kind, time.monotonic() - since)
            return run(job.kind, job.payload, Conditions(job.deadline, self._bots))

        return self._pool.submit(job.key, call, job.rank)

    def _do_after_all(self, one: _Given) -> None:
        """Do a job here that was given away."""

        def done(own: Future[Result]) -> None:
            problem = CancelledError() if own.cancelled() else own.exception()
            if isinstance(problem, CancelledError):
                one.future.cancel()
            elif problem is not None:
                _refuse(one.future, problem)
            else:
                _answer(one.future, own.result())

        if one.future.cancelled():
            return
        try:
            self._do(one.job, one.since).add_done_callback(done)
        except RuntimeError:  # the server ends
            one.future.cancel()

    # ---- given away

    def gives_away(self, job: Job) -> bool:
        """Would a worker do this job? Else this server does, in its own threads."""
        return self._has_worker(job)

    def _has_worker(self, job: Job) -> bool:
        """Is there a worker that can do a job? Answers from what is known, and has it looked up anew."""
        if self._store is None or self._closed or job.small:
            return False
        if time.monotonic() - self._looked >= LOOK:
            self.look()
        workers = self._workers
        return bool(workers) and any(job.form in one.forms for one in workers)

    def _wake(self) -> None:
        """Have the thread look what there is to do. Called with the lock."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name='jobs', daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _work(self) -> None:
        """The thread that talks to the database."""
        while True:
            with self._changed:
                pause = self._poll if self._given else None
                self._changed.wait_for(self._has_to_do, pause)
                look, self._look, self._called = self._look, False, False
                new, self._new = self._new, []
                dropped, self._dropped = self._dropped, set()
                self._given |= {one.id: one for one in new}
                closed = self._closed
            try:
                self._look_for_workers(look)
                self._post(new, dropped)
                if not closed:
                    self._fetch()
            except StoreError as problem:
                log.warning('Workers cannot be reached over the database: %s', problem)
                self._take_all()
            except Exception:
                log.exception('Jobs could not be given away')
                self._take_all()
            if closed:
                return

    def _has_to_do(self) -> bool:
        return bool(self._look or self._called or self._new or self._dropped or self._closed)

    def _look_for_workers(self, asked: bool) -> None:
        if not asked:
            return
        assert self._store is not None
        self._looked = time.monotonic()
        self._workers = self._store.workers()

    def _post(self, new: Sequence[_Given], dropped: set[str]) -> None:
        assert self._store is not None
        now = time.monotonic()
        if new:
            self._store.post_jobs(
                [
                    NewJob(
                        one.id,
                        one.job.kind,
                        one.job.rank,
                        one.job.subject,
                        one.job.form,
                        one.job.payload,
                        None if one.job.deadline is None else one.job.deadline - now,
                    )
                    for one in new
                ],
                self._asker,
            )
        if dropped:
            self._store.drop_jobs(dropped, self._asker)

    def _fetch(self) -> None:
        """Take in the answers, and take back what no worker has."""
        with self._changed:
            before = dict(self._given)
        if not before:
            return
        assert self._store is not None
        now = time.monotonic()
        still = now - self._beaten >= BEAT
        found = self._store.ask_for_jobs(self._asker, still=still)
        if still:
            self._beaten = now
        for answer in found.answers:
            if (one := self._taken(answer.id)) is not None:
                self._settle(one, answer)
        answered = {answer.id for answer in found.answers}
        late = {
            one.id
            for one in before.values()
            if one.id in found.open and one.id not in found.running and now - one.since >= PATIENCE
        }
        back = set(self._store.take_back_jobs(late, self._asker)) if late else set()
        if back:
            self._look_for_workers(asked=True)
        # a database that was killed may have lost some
        for gone in back | {id for id in before if id not in found.open and id not in answered}:
            self._return(gone)

    def _taken(self, job: str) -> _Given | None:
        with self._changed:
            return self._given.pop(job, None)

    def _settle(self, one: _Given, answer: JobAnswer) -> None:
        """A worker has answered, or several have not lived to do so."""
        self._waited(one.job.kind, answer.waited)
        if answer.lost:
            _refuse(one.future, LostJob(words('work.error.lost', kind=one.job.kind)))
        elif answer.result is None:
            log.warning('A worker has failed at a job (%s): %s', one.job.kind, answer.problem)
            self._do_after_all(one)
        else:
            _answer(one.future, answer.result)

    def _return(self, job: str) -> None:
        if (one := self._taken(job)) is not None:
            self._do_after_all(one)

    def _take_all(self) -> None:
        """The database does not answer: what was given away is done here. What workers say of it later is of
        no use."""
        with self._changed:
            given = list(self._given)
        self._workers = ()
        for job in given:
            with self._changed:
                self._dropped.add(job)
            self._return(job)
        time.sleep(SAFETY)


async def result_of(job: Future[Result]) -> Result:
    """Wait in an event loop for what comes of a job. Raises what the job raises, and CancelledError of
    concurrent.futures if the job was cancelled; asyncio's own is for whoever is cancelled while it waits."""
    try:
        return await asyncio.wrap_future(job)
    except asyncio.CancelledError as problem:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise CancelledError from problem


def _answer(future: Future[Result], result: Result) -> None:
    with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
        future.set_result(result)


def _refuse(future: Future[Result], problem: BaseException) -> None:
    with contextlib.suppress(InvalidStateError):
        future.set_exception(problem)
