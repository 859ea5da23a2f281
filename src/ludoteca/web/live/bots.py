"""The bots that sit at tables: they look whether it is their turn, think, and play.

A turn of several actions is played action by action, each as it is decided, and the match shows it to others
as far as they may see it. All of its actions have one deadline in common.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
import time
import weakref
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ludoteca.game import GameError, State, load
from ludoteca.match import BOT, Match
from ludoteca.search.levels import THINKING_SECONDS
from ludoteca.store import Closed, Conflict, StoreError
from ludoteca.text import words
from ludoteca.web.live.table import LiveTable
from ludoteca.web.serving import metrics, tracing
from ludoteca.web.serving.preparation import Preparation
from ludoteca.work import Desk, Job, ranks, turns

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds after which bots that could not play try again: after each failure twice as many, up to the
longest."""
TOGETHER = 0.2
"""Seconds in which steps of a turn are told together: a quick bot's turn is one message."""
PATIENCE = 0.1
"""Seconds by which pages may be told of bots after those who wait for a person's turn."""


class BotTurn(NamedTuple):
    """A bot that is to choose: its seat and level, what the seat knows, and the version of what it sees."""

    seat: int
    level: str
    state: State
    version: int

    @property
    def number(self) -> tuple[int, int]:
        """A value that all actions of a turn share, before and after a reveal, and no other turn."""
        return self.seat, int(self.state.turn)


@dataclass(eq=False)
class _Work:
    """The bots of one table."""

    task: asyncio.Task[None] | None = None
    bots_pending: bool = False  # has something changed since the bots last looked whose turn it is?
    subject: tuple[int, int] | None = (
        None  # the seat for which a bot thinks, and the version that it thinks about
    )
    seat: int | None = None  # of the bot that is at work
    turn: tuple[int, int] | None = None  # the turn that is being made
    name: str = ''  # of that turn, under which the bots that make it remember
    deadline: float = 0.0  # by which it is to be thought out
    shown: float = -1e9  # when pages were last told of a step
    unseen: set[int] | None = field(default_factory=set)  # the seats that are still to be told; None: all
    telling: asyncio.TimerHandle | None = None  # which will tell them
    claimed: bool = False  # is it this server that plays for them?
    pause: float = 0.0  # seconds until they try again; 0: nothing has gone wrong


class BotPlayer:
    """Plays for the bots of all tables. Its turns go the way of people's turns: match, store, pages."""

    def __init__(
        self,
        desk: Desk,
        preparation: Preparation,
        pace: float,
        spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
        refresh: Callable[[LiveTable], Awaitable[None]],
        claim: Callable[[str], Awaitable[bool]],
        release: Callable[[str], Awaitable[None]],
    ) -> None:
        """`pace`: the least time in seconds between two turns of bots, and between two messages about steps
        of one turn. `spawn` lets something run beside the requests; `refresh` reads a table anew. `claim`
        asks whether this server plays for the bots of a table, until `release`; if not, another one does."""
        self._claim, self._release = claim, release
        self._desk, self._preparation, self._pace = desk, preparation, pace
        self._spawn, self._refresh = spawn, refresh
        self._names = map(str, itertools.count())
        self._works: weakref.WeakKeyDictionary[LiveTable, _Work] = weakref.WeakKeyDictionary()

    def _work(self, live: LiveTable) -> _Work:
        return self._works.setdefault(live, _Work())

    def wake(self, live: LiveTable) -> None:
        """Let the bots of a table look whether it is their turn."""
        if live.ready and (self._may_have_bots(live) or live in self._works):
            work = self._work(live)
            work.bots_pending = True
            if work.task is None or work.task.done():
                work.task = self._spawn(self._play_all(live, work))

    @staticmethod
    def _may_have_bots(live: LiveTable) -> bool:
        """Does a bot play at a table, as far as that has been read? With people alone nobody has to look."""
        return any(info.kind == BOT for info in live.table.seats)

    def foresee(self, live: LiveTable) -> None:
        """Something has been played, and pages are not told yet. If it is a bot's turn now, they are told
        together with what was played that it is at work."""
        if live.ready and not live.scripted and self._may_have_bots(live):
            live.set_thinking(_at_work(live.match()))

    def is_idle(self, live: LiveTable) -> bool:
        """Have the bots of a table looked, and is it not their turn?"""
        if not (self._may_have_bots(live) or live in self._works):
            return True
        task = self._work(live).task
        return task is not None and task.done()

    def is_busy(self, live: LiveTable) -> bool:
        """Do the bots of a table think, or look whether it is their turn?"""
        work = self._works.get(live)
        return work is not None and work.task is not None and not work.task.done()

    def drop_stale(self, live: LiveTable) -> None:
        """End a search about a position that is gone."""
        work = self._works.get(live)
        subject = work.subject if work else None
        if subject and not live.sees_still(*subject):
            self._desk.cancel(live.id)

    async def _play_all(self, live: LiveTable, work: _Work) -> None:
        """Play until it is no bot's turn."""
        try:
            while work.bots_pending:  # woken while they looked, they look again
                work.bots_pending = False
                turn = await self._look(live)
                if turn is not None:
                    work.claimed = True  # even if no answer comes
                    work.claimed = await self._claim(live.id)
                    if not work.claimed:
                        self._watch(live, turn)
                        continue
                while turn is not None:
                    await self._play_one(live, work, turn)
                    turn = await self._look(live)
                work.turn = None
                await self._let_go(live, work)
                if not work.bots_pending:
                    self._watch(live, None)
            work.pause = 0.0
        except Exception as problem:  # the table stays claimed, and is not given up
            work.pause = min(max(2 * work.pause, FIRST_PAUSE), LONGEST_PAUSE)
            away = isinstance(problem, StoreError)  # the database, which says so itself
            text = 'The bots at table %s stopped; they try again in %g s'
            log.log(logging.WARNING if away else logging.ERROR, text, live.id, work.pause, exc_info=not away)
            self._watch(live, None)
            self._spawn(self._try_again(live, work.pause))
        finally:
            work.subject = work.turn = work.seat = None
            self._desk.forget(work.name)
            self._tell(live, work)

    async def _try_again(self, live: LiveTable, pause: float) -> None:
        await asyncio.sleep(pause)
        self.wake(live)

    async def _let_go(self, live: LiveTable, work: _Work) -> None:
        """Other servers may play for the bots of a table."""
        if work.claimed:
            await self._release(live.id)
            work.claimed = False

    @staticmethod
    def _watch(live: LiveTable, turn: BotTurn | None) -> None:
        """Show which bot another server lets think; None: nobody does. A bot that chooses in secret is not
        seen thinking."""
        seat = turn.seat if turn is not None and live.match().to_move == (turn.seat,) else None
        if live.thinking != seat:
            live.set_thinking(seat)
            live.touch()

    async def _look(self, live: LiveTable) -> BotTurn | None:
        """The bot that is to choose, if one is. If nobody else has the match it takes no thread to look."""
        with live.at_hand() as free:
            if free:
                return self._next_turn(live)
        return await asyncio.to_thread(self._next_turn, live)

    @staticmethod
    def _next_turn(live: LiveTable) -> BotTurn | None:
        """The same, once the match can be had."""
        with live.lock:
            match = live.match()
            if match.status == 'running' and live.ready and not live.scripted:
                for seat, who in enumerate(match.seats):
                    if who.kind == BOT and match.may_act(seat):
                        return BotTurn(seat, who.level, match.knowledge(seat), match.version(seat))
        return None

    async def _play_one(self, live: LiveTable, work: _Work, turn: BotTurn) -> None:
        """Let a bot choose one action, and play it unless the seat sees something else by then."""
        began, seat = time.monotonic(), turn.seat
        if not live.sees_still(seat, turn.version):
            return
        is_new, is_news = seat != work.seat, seat != live.thinking
        live.set_thinking(seat)
        work.seat, work.subject = seat, (seat, turn.version)
        if is_news and live.match().to_move == (seat,):  # a bot that chooses in secret is not seen thinking
            live.touch(patience=PATIENCE)
        await self._until_strong(live, turn)
        if turn.number != work.turn:
            work.turn, work.deadline = turn.number, time.monotonic() + THINKING_SECONDS
            self._desk.forget(work.name)  # what they remember is about one turn
            work.name = f'{live.id} {next(self._names)}'
        with tracing.span('bot turn', game=live.table.game, level=turn.level):
            action = await self._choose(live, turn, work)
        if action is None:
            return
        if is_new:
            await asyncio.sleep(max(0.0, self._pace - (time.monotonic() - began)))
        played = await asyncio.to_thread(self._play, live, turn, action)
        if played is None:
            return
        committed, seen_by = played
        if committed and seen_by is None:
            metrics.TURNS.labels(live.table.game, 'bot').inc()
        live.set_thinking(_at_work(live.match()) if committed else seat)
        work.seat, work.subject = None if committed else seat, None
        if live.match().status != 'running':
            work.unseen = set()  # everybody is told by what follows
            self._tell(live, work)
            await self._refresh(live)
        elif seen_by == [seat]:
            live.touch(seen_by, patience=PATIENCE)  # when the others are told must not depend on it
        else:
            self._tell_soon(live, work, seen_by)
            if committed:
                self._tell(live, work)

    def _tell_soon(self, live: LiveTable, work: _Work, seats: list[int] | None) -> None:
        """Have pages told of a step that these seats see (None: all), soon or when the one before it has been
        looked at. Steps that come quickly are told together."""
        work.unseen = None if seats is None or work.unseen is None else work.unseen | set(seats)
        if work.telling is None:
            wait = max(TOGETHER, work.shown + self._pace - time.monotonic())
            work.telling = asyncio.get_running_loop().call_later(wait, self._tell, live, work)

    @staticmethod
    def _tell(live: LiveTable, work: _Work) -> None:
        """Tell pages of the steps of which they have not been told."""
        if work.telling is not None:
            work.telling.cancel()
        seats, work.unseen, work.telling = work.unseen, set(), None
        if seats is None or seats:
            work.shown = time.monotonic()
            live.touch(seats, patience=PATIENCE)

    async def _until_strong(self, live: LiveTable, turn: BotTurn) -> None:
        """Wait until the rules are compiled if an interpreted search would weaken the level. The table says
        so, but not of a seat that chooses in secret."""
        game = live.table.game
        if self._preparation.strong_enough(game, turn.level):
            return
        live.set_preparing(live.match().to_move == (turn.seat,))
        try:
            await self._preparation.wait(game)
        finally:
            live.set_preparing(False)

    async def _choose(self, live: LiveTable, turn: BotTurn, work: _Work) -> int | None:
        """The action of a bot; None if its search was dropped because the match has moved on."""
        game, seed = load(live.table.game), secrets.randbits(62)
        rank = ranks.PEOPLE if any(who.kind != BOT for who in live.match().seats) else ranks.BOTS

        async def search(level: str) -> int:
            asked = turns.payload(game.name, turn.state, turn.seat, level, seed, work.name)
            small = turns.is_small(game, int(turn.state.players), level)
            job = Job('turn', live.id, live.id, rank, asked, work.deadline, small)
            return int((await asyncio.wrap_future(self._desk.submit(job)))['action'])

        try:
            try:
                action = await search(turn.level)
                out = np.empty(game.max_legal, np.int32)
                if action not in out[: game.kernels.legal_actions(turn.state, out)].tolist():
                    raise GameError(words('web.error.bot', bot=turn.level, action=action))
                return action
            except Exception:
                if turn.level == 'easy':
                    raise
                # somebody else's bot may fail in any way: the game goes on
                log.exception(
                    'The bot %r failed at table %s; an easy one moves in its place', turn.level, live.id
                )
                return await search('easy')
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return None

    @staticmethod
    def _play(live: LiveTable, turn: BotTurn, action: int) -> tuple[bool, list[int] | None] | None:
        """Play an action unless the bot's seat sees something else by now (None). Answers whether the turn is
        committed, and the seats that can see a change. Called in a worker thread."""
        with live.lock:
            if not live.sees_still(turn.seat, turn.version):
                return None
            try:
                played, seen_by = live.change(lambda match: match.play(turn.seat, [action]))
            except (Conflict, Closed):
                return None
            return played.committed, seen_by


def _at_work(match: Match) -> int | None:
    """The bot whose turn it is, as everybody may know; None if it is nobody's or a person's, or if all choose
    in secret."""
    seats = match.to_move
    return seats[0] if len(seats) == 1 and match.seats[seats[0]].kind == BOT else None
