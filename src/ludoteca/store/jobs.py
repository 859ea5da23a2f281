"""Work that servers leave to workers, as rows: who has asked for what, who does it, and what came of it.

A job is taken in one statement, so that no two workers have it: PostgreSQL passes over the rows that another
one is taking, SQLite has one writer at a time. It is held by a lease. A worker that says nothing for LEASE
seconds has lost its jobs, and what it answers later is dropped. So has a server that waits for them.

Rows are gone as soon as their answer was fetched. None of them is worth a write to the disk of its own: who
misses one does it again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, case, delete, func, insert, or_, select, text, update
from sqlalchemy.orm import Session

from ludoteca.store.database import CHANGES, Changes
from ludoteca.store.models import JobRow, WorkerRow
from ludoteca.store.section import Section
from ludoteca.store.servers import upsert

LEASE = 5.0
"""Seconds for which a worker that says nothing more counts as alive, and has its jobs."""
WANTED = 10.0
"""Seconds for which a server that says nothing more counts as waiting for its jobs."""
STEP = 1.0
"""Seconds that lie between the jobs of one subject in the queue, so that others come between them."""
MOST_TRIES = 3
"""How many workers may lose a job. It may be the job that ends them."""
NEW, DROPPED = '', '-'
"""Calls for all workers: there is something to do; nobody waits for some job any more. Servers are called by
their ids."""


@dataclass(frozen=True)
class NewJob:
    """A job to be given away. `seconds`: in which it should be done, None: it takes its time."""

    id: str
    kind: str
    rank: int
    subject: str
    form: str
    payload: Mapping[str, Any]
    seconds: float | None


@dataclass(frozen=True)
class TakenJob:
    """A job that a worker has taken. `left`: the seconds in which it should be done, counted from now."""

    id: str
    kind: str
    payload: dict[str, Any]
    left: float | None


@dataclass(frozen=True)
class JobAnswer:
    """What came of a job: its result, else what went wrong. `lost`: so many workers have lost it that nobody
    tries again. `waited`: seconds until a worker took it."""

    id: str
    result: dict[str, Any] | None
    problem: str
    lost: bool
    waited: float


@dataclass(frozen=True)
class ServerJobs:
    """The jobs of a server: those that are done, and of the others which ones run at a worker that lives."""

    answers: tuple[JobAnswer, ...]
    open: frozenset[str]
    running: frozenset[str]


@dataclass(frozen=True)
class WorkerInfo:
    """A worker that is alive: in how many threads it works, and the forms of jobs that it can do."""

    id: str
    threads: int
    forms: frozenset[str]


@dataclass(frozen=True)
class JobFigures:
    """How many jobs of each kind wait and run, and the threads of all workers."""

    waiting: Mapping[str, int]
    running: Mapping[str, int]
    workers: int
    threads: int


class Jobs(Section):
    """The rows of jobs and workers."""

    @contextmanager
    def _passing(self) -> Iterator[Session]:
        """A transaction of which nothing has to outlive a crash of the database."""
        with self._database.write() as session:
            if not self._database.sqlite:
                session.execute(text('SET LOCAL synchronous_commit = off'))
            yield session

    @staticmethod
    def _call(session: Session, whom: str) -> None:
        changes: Changes = session.info[CHANGES]
        changes.calls.add(whom)

    def _lost(self) -> ColumnElement[bool]:
        """Has the worker of a job said nothing for too long?"""
        held = self._database.holds(JobRow.until, LEASE)
        return and_(JobRow.status == 'running', ~held)

    # ---- what a server asks for

    def post_jobs(self, jobs: Sequence[NewJob], asker: str) -> None:
        """Give jobs away. Those of one subject stand STEP seconds apart, so that subjects take turns."""
        now = self._database.now()
        with self._passing() as session:
            for job in jobs:
                last = select(func.max(JobRow.due) + STEP).where(
                    JobRow.subject == job.subject, JobRow.rank == job.rank
                )
                due = func.coalesce(last.scalar_subquery(), now)
                query = insert(JobRow).values(
                    id=job.id,
                    kind=job.kind,
                    rank=job.rank,
                    subject=job.subject,
                    form=job.form,
                    payload=dict(job.payload),
                    seconds=job.seconds,
                    asker=asker,
                    wanted=now + WANTED,
                    created=now,
                    due=case((due < now, now), else_=due),
                    status='waiting',
                    tries=0,
                )
                session.execute(query)
            self._call(session, NEW)

    def ask_for_jobs(self, asker: str, *, still: bool) -> ServerJobs:
        """Fetch what is done of a server's jobs, and how the others stand. `still`: it says that it waits for
        them."""
        now = self._database.now()
        lost = self._lost()
        over = or_(JobRow.status.in_(('done', 'failed')), and_(lost, JobRow.tries >= MOST_TRIES))
        waited = func.coalesce(JobRow.begun, now) - JobRow.created
        query = select(
            JobRow.id, JobRow.status, JobRow.result, waited, over, and_(JobRow.status == 'running', ~lost)
        )
        with self._database.read() as session:  # to look is cheap, to write is not
            rows = session.execute(query.where(JobRow.asker == asker)).all()
        answers = tuple(_answer(*row[:4]) for row in rows if row[4])
        rest = [row for row in rows if not row[4]]
        if answers or (still and rest):
            with self._passing() as session:
                gone = delete(JobRow).where(JobRow.id.in_([answer.id for answer in answers]))
                session.execute(gone, execution_options=PLAIN)
                if still:
                    mine = update(JobRow).where(JobRow.asker == asker)
                    session.execute(mine.values(wanted=now + WANTED), execution_options=PLAIN)
        return ServerJobs(
            answers, frozenset(row[0] for row in rest), frozenset(row[0] for row in rest if row[5])
        )

    def take_back_jobs(self, ids: Collection[str], asker: str) -> list[str]:
        """Those of a server's jobs that nobody does just now; they are no longer to be had."""
        free = JobRow.id.in_(ids), JobRow.asker == asker, or_(JobRow.status == 'waiting', self._lost())
        with self._passing() as session:
            query = delete(JobRow).where(*free).returning(JobRow.id)
            return list(session.scalars(query, execution_options=PLAIN))

    def drop_jobs(self, ids: Collection[str], asker: str) -> None:
        """Nobody waits for these jobs any more. A worker that is at one of them hears of it."""
        with self._passing() as session:
            query = delete(JobRow).where(JobRow.id.in_(ids), JobRow.asker == asker)
            if session.execute(query, execution_options=PLAIN).rowcount:  # type: ignore[attr-defined]
                self._call(session, DROPPED)

    def workers(self) -> list[WorkerInfo]:
        """The workers that are alive."""
        alive = self._database.holds(WorkerRow.until, LEASE)
        query = select(WorkerRow).where(alive).order_by(WorkerRow.id)
        with self._database.read() as session:
            return [
                WorkerInfo(row.id, row.threads, frozenset(map(str, row.forms.get('forms', ()))))
                for row in session.scalars(query)
            ]

    def job_figures(self) -> JobFigures:
        """How much there is to do, and who does it."""
        counted = select(JobRow.status, JobRow.kind, func.count()).group_by(JobRow.status, JobRow.kind)
        with self._database.read() as session:
            counts = [(status, kind, count) for status, kind, count in session.execute(counted)]
        alive = self.workers()
        by_status: dict[str, dict[str, int]] = {'waiting': {}, 'running': {}}
        for status, kind, count in counts:
            if status in by_status:
                by_status[status][kind] = count
        return JobFigures(
            by_status['waiting'], by_status['running'], len(alive), sum(one.threads for one in alive)
        )

    # ---- what a worker does

    def take_jobs(self, worker: str, forms: Collection[str], most: int) -> list[TakenJob]:
        """Take up to so many jobs of these forms: the lowest rank first, and in it the earliest. Those that a
        dead worker has lost are among them."""
        now = self._database.now()
        lost = and_(self._lost(), JobRow.tries < MOST_TRIES)
        free = or_(JobRow.status == 'waiting', lost)
        first = (
            select(JobRow.id)
            .where(free, JobRow.form.in_(forms), JobRow.wanted >= now)
            .order_by(JobRow.rank, JobRow.due, JobRow.id)
            .limit(most)
        )
        if self._database.sqlite:
            with self._database.read() as session:  # to look is cheap, to write is not
                if session.scalar(first) is None:
                    return []
        order = JobRow.rank, JobRow.due, JobRow.id
        columns = JobRow.id, JobRow.kind, JobRow.payload, JobRow.seconds - (now - JobRow.created), *order[:2]
        with self._passing() as session:
            values = {
                'status': 'running',
                'worker': worker,
                'until': now + LEASE,
                'begun': func.coalesce(JobRow.begun, now),
                'tries': JobRow.tries + 1,
            }
            query = (
                update(JobRow)
                .where(JobRow.id.in_(first.with_for_update(skip_locked=True)))
                .values(values)
                .returning(*columns)
            )
            rows = session.execute(query, execution_options=PLAIN).all()
        rows = sorted(rows, key=lambda row: (row[4], row[5], row[0]))
        return [TakenJob(id, kind, payload, left) for id, kind, payload, left, *_ in rows]

    def finish_job(self, job: str, worker: str, result: Mapping[str, Any] | None, problem: str = '') -> bool:
        """Answer a job. False if the worker has lost it, or nobody waits for it any more: then the answer is
        dropped."""
        own = JobRow.id == job, JobRow.worker == worker, JobRow.status == 'running'
        status: Literal['done', 'failed'] = 'failed' if result is None else 'done'
        said = {'problem': problem} if result is None else dict(result)
        with self._passing() as session:
            query = update(JobRow).where(*own).values(status=status, result=said).returning(JobRow.asker)
            asker = session.scalar(query, execution_options=PLAIN)
            if asker is not None:
                self._call(session, asker)
            return asker is not None

    def keep_jobs(self, ids: Collection[str], worker: str) -> frozenset[str]:
        """A worker goes on with these jobs. Answers which of them are still its own."""
        until = self._database.now() + LEASE
        own = JobRow.id.in_(ids), JobRow.worker == worker, JobRow.status == 'running'
        with self._passing() as session:
            query = update(JobRow).where(*own).values(until=until).returning(JobRow.id)
            return frozenset(session.scalars(query, execution_options=PLAIN))

    def keep_worker(self, worker: str, threads: int, forms: Collection[str]) -> None:
        """A worker is alive. What nobody waits for is swept away."""
        now = self._database.now()
        values = {
            'id': worker,
            'threads': threads,
            'forms': {'forms': sorted(forms)},
            'until': now + LEASE,
        }
        with self._passing() as session:
            upsert(session, WorkerRow, values, ('id',))
            for gone in (
                delete(JobRow).where(JobRow.wanted < now),
                delete(WorkerRow).where(WorkerRow.until < now - LEASE),
            ):
                session.execute(gone, execution_options=PLAIN)

    def end_worker(self, worker: str) -> None:
        """A worker ends: others may have its jobs."""
        own = JobRow.worker == worker, JobRow.status == 'running'
        with self._passing() as session:
            back = update(JobRow).where(*own).values(status='waiting', worker=None, until=None)
            session.execute(back, execution_options=PLAIN)
            session.execute(delete(WorkerRow).where(WorkerRow.id == worker), execution_options=PLAIN)
            self._call(session, NEW)


PLAIN = {'synchronize_session': False}
"""For statements that change rows of which the session holds none."""


def _answer(job: str, status: str, result: dict[str, Any] | None, waited: float) -> JobAnswer:
    done = status == 'done'
    problem = '' if done else str((result or {}).get('problem', ''))
    return JobAnswer(job, result if done else None, problem, status == 'running', float(waited))
