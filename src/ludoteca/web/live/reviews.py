"""Reviews of finished matches, made beside the games: each turn is judged by a worker, or where there is none
in a process of this server with the lowest priority, and kept in the database. A review that was stopped, or
whose server has ended, goes on where it was; two who ask for the same get the same."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

from ludoteca.game import GameError
from ludoteca.match import Match
from ludoteca.puzzles import Exercise, exercise_of_turn
from ludoteca.review import SIMULATIONS, Judged, Review, judge_turn, key_of, payloads, put_together
from ludoteca.search import cores
from ludoteca.store import KeptReview, StoreError
from ludoteca.text import words
from ludoteca.web.live.server import TableServer
from ludoteca.web.live.table import LiveTable
from ludoteca.web.serving.errors import Busy
from ludoteca.work import ranks
from ludoteca.work.jobs import Job

log = logging.getLogger(__name__)

MOST = 8
"""Reviews that one server makes or has waiting at a time."""
AT_ONCE = 16
"""Turns that are judged or wait for it at a time: enough for all cores, or for several workers."""
IDLE = 60.0
"""Seconds without a review after which the processes are ended."""


def polite() -> None:
    """Whatever else runs on the computer comes first. Ctrl-C is for the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(19)


def processes() -> Executor:
    """Processes in which turns are judged, one a core. They begin when they are needed."""
    return ProcessPoolExecutor(cores(), get_context('spawn'), polite)


@dataclass(frozen=True)
class ReviewStatus:
    """The review of a match: its key, how far it has come (None: nobody has asked for it), the match, and
    when it is done the review itself."""

    key: str
    kept: KeptReview | None
    match: Match
    review: Review | None


class Reviewer:
    """Makes the reviews that this server has claimed, one after the other."""

    simulations = SIMULATIONS
    workers: Callable[[], Executor] = staticmethod(processes)

    def __init__(self, server: TableServer) -> None:
        self.server = server
        self._running: dict[str, asyncio.Task[None]] = {}
        self._executor: Executor | None = None
        self._one, self._few = asyncio.Lock(), asyncio.Semaphore(AT_ONCE)
        self._idle: asyncio.TimerHandle | None = None

    # ---- what pages ask

    async def look(self, live: LiveTable) -> ReviewStatus:
        """How far the review of the match at a table has come. One that should run and does not is gone on
        with. Raises GameError while the match is not over, or if it has no turns."""
        match, key = await asyncio.to_thread(self._key, live)
        store = self.server.store
        kept = await asyncio.to_thread(store.kept_review, key)
        if kept and kept.status == 'running':
            self._go_on(key, match)
        if kept is None or kept.status != 'done':
            return ReviewStatus(key, kept, match, None)
        return ReviewStatus(key, kept, match, await asyncio.to_thread(self._read, key, match))

    async def ask(self, live: LiveTable) -> None:
        """Have the match at a table reviewed. Raises GameError; Busy if there is too much to do."""
        match, key = await asyncio.to_thread(self._key, live)
        kept = await asyncio.to_thread(self.server.store.kept_review, key)
        if kept and kept.status == 'done':
            return
        if len(self._running) >= MOST and key not in self._running:
            raise Busy(words('web.review.busy'))
        await asyncio.to_thread(self.server.store.ask_review, key, live.id, match.turns)
        self._go_on(key, match)

    async def stop(self, live: LiveTable) -> None:
        """Stop the review of the match at a table. What has been judged is kept."""
        _, key = await asyncio.to_thread(self._key, live)
        await asyncio.to_thread(self.server.store.stop_review, key)
        task = self._running.get(key)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def exercise(self, live: LiveTable, turn: int) -> Exercise:
        """The exercise to find something better than a turn. Raises GameError if there is none."""
        looked = await self.look(live)
        if looked.review is None:
            raise GameError(words('review.error.unfinished'))
        if not 1 <= turn <= looked.match.turns:
            raise GameError(words('match.error.no_turn', turns=looked.match.turns, turn=turn))
        found = await asyncio.to_thread(exercise_of_turn, looked.match, looked.review, turn)
        return replace(found, match=live.id, turn=turn)

    def _key(self, live: LiveTable) -> tuple[Match, str]:
        """A copy of the match, and the key of its review. Called in a worker thread."""
        with live.lock:
            match = live.match()
            if match.result is None:
                raise GameError(words('review.error.running'))
            if not match.turns:
                raise GameError(words('review.error.empty'))
            return match.copy(), key_of(match, self.simulations)

    def _read(self, key: str, match: Match) -> Review:
        found = self.server.store.judged_turns(key)
        judged = [Judged.from_json(found[number]) for number in range(match.turns)]
        return put_together(match, self.simulations, judged)

    # ---- making them

    def _go_on(self, key: str, match: Match) -> None:
        if key not in self._running and len(self._running) < MOST:
            task = self._running[key] = self.server.spawn(self._make(key, match))
            task.add_done_callback(lambda _: self._ended(key))

    def _ended(self, key: str) -> None:
        self._running.pop(key, None)
        if not self._running:
            with contextlib.suppress(RuntimeError):  # the server has ended
                self._idle = asyncio.get_running_loop().call_later(IDLE, self._rest)

    async def _make(self, key: str, match: Match) -> None:
        store, server = self.server.store, self.server.id
        try:
            await self.server.preparation.wait(match.game.name)
            async with self._one:
                if await asyncio.to_thread(store.claim_review, key, server):
                    await self._judge(key, match)
        except StoreError:
            log.warning('A review could not be stored; it goes on when it is asked for', exc_info=True)
        except GameError:
            log.exception('A review has failed')
            await asyncio.to_thread(store.stop_review, key)
        except BrokenProcessPool:
            log.warning('A process that judges turns has died; the review goes on when it is asked for')
            self._rest(now=True)
        except asyncio.CancelledError:
            with contextlib.suppress(StoreError):
                await asyncio.shield(asyncio.to_thread(store.release_review, key, server))
            raise

    async def _judge(self, key: str, match: Match) -> None:
        """Judge the turns of a review that are missing."""
        store = self.server.store
        done = await asyncio.to_thread(store.judged_numbers, key)
        tasks = await asyncio.to_thread(payloads, match, self.simulations)
        waiting = [
            asyncio.ensure_future(self._judge_one(key, number, payload))
            for number, payload in enumerate(tasks)
            if number not in done
        ]
        try:
            for one in asyncio.as_completed(waiting):
                if await one != 'running':
                    break
        finally:
            for other in waiting:
                other.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    async def _judge_one(self, key: str, number: int, payload: Mapping[str, Any]) -> str:
        """Judge a turn and keep it; how the review stands then."""
        async with self._few:
            judged = await self._judged(key, number, payload)
        kept = await asyncio.to_thread(self.server.store.keep_judged, key, number, judged)
        return kept.status

    async def _judged(self, key: str, number: int, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Have a turn judged: by a worker of the database if there is one, else by a process of this
        server."""
        desk, name = self.server.desk, ('review', key, number)
        job = Job('review', key, name, ranks.REVIEWS, payload)
        if desk.gives_away(job):
            try:
                return await asyncio.wrap_future(desk.submit(job))
            except asyncio.CancelledError:
                desk.cancel(name)
                raise
        if self._idle is not None:
            self._idle.cancel()
        if self._executor is None:
            self._executor = self.workers()
        return await asyncio.wrap_future(self._executor.submit(judge_turn, payload))

    def _rest(self, now: bool = False) -> None:
        """End the processes, if there is nothing to do."""
        if self._executor is not None and (now or not self._running):
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None

    async def close(self) -> None:
        """End everything. The reviews go on when they are asked for again."""
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        if self._idle is not None:
            self._idle.cancel()
        executor, self._executor = self._executor, None
        if executor is not None:
            await asyncio.to_thread(executor.shutdown, wait=True, cancel_futures=True)
