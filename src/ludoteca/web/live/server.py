"""All tables in memory, and what happens to them: they are opened, taken, played at and watched."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import weakref
from collections import OrderedDict
from collections.abc import Coroutine, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

from ludoteca.game import LAID, SPECTATOR, GameError, games
from ludoteca.lessons import Lesson, go_to, lesson_of
from ludoteca.match import BOT, Match, Seat, Setup
from ludoteca.puzzles import Exercise, puzzles
from ludoteca.puzzles.memory import day_of, reviewed
from ludoteca.search import Pool
from ludoteca.store import (
    OPEN,
    Changes,
    ChatLine,
    Conflict,
    Heard,
    Notices,
    Person,
    PuzzleCard,
    SeatPlan,
    Sitting,
    Status,
    Store,
    StoreError,
    Table,
    new_id,
)
from ludoteca.text import words
from ludoteca.web.live.bots import BotPlayer
from ludoteca.web.live.commands import AskRematch, Command
from ludoteca.web.live.exercises import Begin, Exercising, plans_of, setup_of
from ludoteca.web.live.guide import Guide, Jump, LessonAnswer, Script
from ludoteca.web.live.messages import message_for
from ludoteca.web.live.open_page import OpenPage
from ludoteca.web.live.table import CHAT_KEPT, LiveTable, Outcome, TableSources
from ludoteca.web.offers.catalogue import bot_name
from ludoteca.web.offers.component_sets import OfferedSets
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.serving import metrics
from ludoteca.web.serving.errors import Busy, Forbidden, NotFound
from ludoteca.web.serving.preparation import Preparation
from ludoteca.web.serving.security import Limits
from ludoteca.work import Desk

log = logging.getLogger(__name__)
T = TypeVar('T')

TABLES_KEPT = 256
"""How many tables stay in memory after their last use."""
EXERCISES_KEPT = 3
"""How many tables with exercises of one person stay open."""
UNFINISHED: tuple[Status, ...] = ('open', 'running')
AWAY_AFTER = 4.0
"""Seconds without an open page after which a person counts as away."""
LOOK_ROUND = 2.0
"""Seconds between two looks at what other servers have done, for notices that were lost and servers that have
died."""
TRIES = 5
"""How often a command is run if other servers change the match at the same time."""


class TableServer:
    """Holds the live tables. It reads and writes them in the store, and wakes their bots and their pages."""

    def __init__(
        self,
        store: Store,
        preparation: Preparation,
        limits: Limits | None = None,
        address: str = '',
        pace: float = 0.7,
        threads: int | None = None,
        sets: OfferedSets | None = None,
    ) -> None:
        """`address`: how others reach the server; `pace`: the least time in seconds between two turns of
        bots, so that people can follow; `threads`: for bots; `sets`: which component sets may be
        played with."""
        self.store, self.preparation, self.limits = store, preparation, limits or Limits()
        self.sets = sets or OfferedSets(store)
        self.pool = Pool(threads)
        self.id = new_id()  # among the servers of the database
        self.address = address
        self.pool.on_start = metrics.BOT_WAIT.observe
        self.desk = Desk(self.pool, store, self.id, metrics.waited)
        self.bots = BotPlayer(
            self.desk, preparation, pace, self.spawn, self.refresh, self._claim_bots, self._release_bots
        )
        self.pages = 0  # open ones, at all tables
        self._sources = TableSources(
            store.live,
            store.invite,
            store.watch,
            store.favourites,
            preparation.progress_of,
            address,
            store.keep_lesson,
            self._keep_exercise,
            store.earlier_games,
        )
        self._tables: weakref.WeakValueDictionary[str, LiveTable] = weakref.WeakValueDictionary()
        self._kept: OrderedDict[str, LiveTable] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._notices: Notices | None = None
        self._rounds: asyncio.Event | None = None
        preparation.changed = self._show_progress
        store.told(self._stored)

    async def resume(self) -> None:
        """After a start: begin the matches whose seats are all taken. When the rules of the running ones are
        compiled, rebuild and check these, and let the bots play whose turn it is."""
        for table in await asyncio.to_thread(self.store.to_begin):
            self.begin(await self.live(table.id))
        games = {table.game for table in await asyncio.to_thread(self._running)}
        await asyncio.gather(*(self.preparation.wait(name) for name in games))
        for found in await asyncio.to_thread(self.store.resume):
            if self.store.shared:
                continue  # a server that needs bots to play claims them in its rounds
            if any(seat.kind == BOT for seat in found.match.seats):
                self.bots.wake(await self.live(found.id))

    def _running(self) -> list[Table]:
        found = [self.store.table(table_id) for table_id in self.store.running()]
        return [table for table in found if table]

    def _show_progress(self) -> None:
        """More of the rules is compiled: show it at tables where a bot waits for them."""
        for live in list(self._tables.values()):
            if live.preparing:
                live.touch()

    async def close(self) -> None:
        """End the bots, and leave them to other servers."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.store.shared:
            await asyncio.to_thread(self._end_sharing)
        self.sets.close()
        await asyncio.to_thread(self.desk.close)
        await asyncio.to_thread(self.pool.close)

    # ---- other servers of the same database

    async def share(self) -> None:
        """While the server runs on a database that several may use: hear what the others do, and look round
        for what was not heard. Runs beside the requests."""
        loop, self._rounds = asyncio.get_running_loop(), asyncio.Event()

        def hear(heard: Heard) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(self._hear, heard)

        self._notices = await asyncio.to_thread(self.store.notices, self.id, hear)
        while True:
            try:
                await self._look_round()
            except StoreError as problem:
                log.warning('The database could not be asked what other servers do: %s', problem.__cause__)
            except Exception:  # the next round may do better; without any this server would count as dead
                log.exception('A look at what other servers do has failed')
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._rounds.wait(), LOOK_ROUND)
            self._rounds.clear()

    async def _look_round(self) -> None:
        """Say that this server is alive, catch up with what was not heard, and play for bots for whom nobody
        does."""
        await asyncio.to_thread(self.store.keep_alive, self.id)
        self.desk.look()
        watched = {live.id: live for live in list(self._tables.values()) if self._follows(live)}
        for table, revision in (await asyncio.to_thread(self.store.revisions, watched)).items():
            if watched[table].revision != revision:
                await self.catch_up(watched[table], revision)
        for table in await asyncio.to_thread(self.store.forsaken, games()):
            try:
                self.bots.wake(await self.live(table))
            except GameError:
                log.warning('The bots of table %s cannot play', table, exc_info=True)

    def _follows(self, live: LiveTable) -> bool:
        """Must a table be up to date at once? Any other one is looked at when somebody asks for it."""
        return bool(live.pages) or self.bots.is_busy(live)

    def _stored(self, changes: Changes) -> None:
        """This server has changed something in the database. Called in the thread that has done it."""
        for table, change in changes.tables.items():
            live = self._tables.get(table)
            if live is not None:
                live.knows(change)
        if self._notices is not None:
            self._notices.tell(changes)

    def _hear(self, heard: Heard) -> None:
        """Another server has changed something."""
        if heard.missed and self._rounds is not None:
            self._rounds.set()
        if self.id in heard.calls:
            self.desk.called()
        for table, revision in heard.tables.items():
            live = self._tables.get(table)
            if live is not None and live.revision != revision and self._follows(live):
                self.spawn(self._catch_up_heard(live, revision))
        if heard.people:
            self.spawn(self._read_people(heard.people))

    async def _catch_up_heard(self, live: LiveTable, revision: int) -> None:
        try:
            await self.catch_up(live, revision)
        except StoreError:
            log.warning('Table %s could not be read again', live.id, exc_info=True)

    async def catch_up(self, live: LiveTable, revision: int = -1) -> None:
        """Take in what other servers have done at a table. Raises StoreError."""
        await live.catch_up(self.store.news, revision)
        self.bots.drop_stale(live)
        self.bots.wake(live)
        self._note_present(live)

    async def _read_people(self, people: AbstractSet[str]) -> None:
        """These people have other names, preferences or favourites: their open pages are drawn anew."""
        there = {page.visitor.id for live in list(self._tables.values()) for page in live.pages}
        for one in people & there:
            try:
                person = await asyncio.to_thread(self.store.person, one)
            except StoreError:
                log.warning('Person %s could not be read again', one, exc_info=True)
                continue
            if person is not None:
                self.person_changed(person)

    async def _claim_bots(self, table_id: str) -> bool:
        """Is it this server that plays for the bots of a table?"""
        if not self.store.shared:
            return True
        return await asyncio.to_thread(self.store.claim_bots, table_id, self.id)

    async def _release_bots(self, table_id: str) -> None:
        """The bots of a table may be played for by whoever is next."""
        if self.store.shared:
            await asyncio.to_thread(self.store.release_bots, table_id, self.id)

    def _end_sharing(self) -> None:
        try:
            self.store.end_server(self.id)
        except StoreError:
            log.warning('Other servers take over after a while: the database does not answer', exc_info=True)
        if self._notices is not None:
            self._notices.close()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Let something run beside the requests."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ---- tables in memory

    async def live(self, table_id: str) -> LiveTable:
        """The table of that id. Raises NotFound."""
        live = self._tables.get(table_id)
        if live is None:
            table = await asyncio.to_thread(self.store.table, table_id)
            if table is None:
                raise NotFound(words('web.error.no_table'))
            chat = await asyncio.to_thread(self.store.chat, table_id, CHAT_KEPT)
            notes = await asyncio.to_thread(self.store.notes, table_id)
            noted = await asyncio.to_thread(self.store.noted, table_id)
            taught = table.lesson or table.exercise
            script = await asyncio.to_thread(self._script, table) if taught else None
            earlier = await asyncio.to_thread(self.store.score, table) if table.previous else None
            live = self._tables.get(table_id)  # another request may have read the table meanwhile
            if live is None:
                live = self._tables[table_id] = LiveTable(
                    table, self._sources, chat, notes, script, noted, earlier
                )
                if self.store.shared:
                    await self.catch_up(live)  # who is there
        elif self.store.shared:
            await self._ask_again(live)
        self.preparation.open(live.table.game)
        self._kept[table_id] = live
        self._kept.move_to_end(table_id)
        while len(self._kept) > TABLES_KEPT:
            self._kept.popitem(last=False)
        return live

    def _script(self, table: Table) -> Script | None:
        """The lesson or the exercise at a table. None if the game no longer has the lesson: then the table is
        one like others."""
        if table.exercise:
            found = self.store.exercise(table.id)
            return Exercising(Exercise.of(found[0]), found[1]) if found else None
        progress = self.store.lesson_progress(table.id)
        try:
            return Guide(lesson_of(table.game, table.lesson), progress) if progress else None
        except GameError:
            log.warning('The lesson at table %s is no longer known', table.id)
            return None

    async def _ask_again(self, live: LiveTable) -> None:
        """Catch up with other servers before somebody is answered: what was stored until now they see. While
        the database does not answer they see the table as it is in memory; nothing can be played then."""
        try:
            revision = await asyncio.to_thread(self.store.revision, live.id)
            if revision != live.revision:
                await self.catch_up(live, revision)
        except StoreError:
            log.warning('Table %s is shown as it was: the database does not answer', live.id)

    async def look(self, table_id: str, visitor: Visitor) -> LiveTable:
        """The table of that id, if this visitor may see it. Raises NotFound."""
        live = await self.live(table_id)
        if not live.may_look(visitor):
            raise NotFound(words('web.error.no_table'))
        return live

    async def refresh(self, live: LiveTable) -> None:
        """Read a table anew: who sits there, whether the match has begun."""
        await live.read_again(self.store.table)
        self.bots.wake(live)

    # ---- playing

    async def run(self, live: LiveTable, visitor: Visitor, seat: int | None, command: Command) -> Outcome:
        """Run a command on the match, store what it does, tell all who can see it, and let bots go on. Raises
        GameError, Conflict or StoreError."""
        live.check_ready()
        try:
            outcome = await self._run(live, visitor, seat, command)
        except LessonAnswer:
            live.touch()
            raise
        if (wanted := live.rematch_wanted()) and not live.table.next:
            await self._open_rematch(live, wanted)
        self.bots.foresee(live)
        if live.is_settled():
            live.touch(outcome.seen_by, visitor)
        else:
            await self.refresh(live)
        self.bots.drop_stale(live)
        self.bots.wake(live)
        if outcome.laid is not None:
            await self.pencil(live, outcome.seat, LAID, outcome.laid)
        return outcome

    async def _run(self, live: LiveTable, visitor: Visitor, seat: int | None, command: Command) -> Outcome:
        """Run a command. If another server has changed the match at the same moment it is tried again on what
        there is now: a choice in secret stands beside those of others, and a turn that was taken already is
        refused, because the command answers an older version."""
        for left in reversed(range(TRIES)):
            try:
                return await asyncio.to_thread(live.run, visitor, seat, command)
            except Conflict:
                await (self.catch_up(live) if self.store.shared else self.refresh(live))
                if not (left and self.store.shared):
                    raise
        raise AssertionError

    async def pencil(self, live: LiveTable, seat: int, element: str, labels: Sequence[str]) -> None:
        """Keep what a seat pencils on an element. Only this seat is shown it. Raises GameError."""
        await live.store_notes(seat, lambda: self.store.set_note(live.id, seat, element, labels))

    async def say(self, live: LiveTable, visitor: Visitor, text: str) -> ChatLine:
        """Keep something said, then tell it. Raises GameError."""
        line = await asyncio.to_thread(self._keep_line, live, visitor, text)
        live.say(line)
        return line

    def _keep_line(self, live: LiveTable, visitor: Visitor, text: str) -> ChatLine:
        seat = live.seat_of(visitor) if live.ready else SPECTATOR
        called = live.match().seats[seat].name if seat >= 0 else ''
        # who has one seat is called as at the table, who has several by the own name
        alone = len(live.seats_of(visitor)) == 1
        name = (called if alone else visitor.name) or visitor.name or called
        return self.store.add_chat(live.id, name, text, visitor.id, seat)

    # ---- opening and taking

    async def open_table(
        self,
        owner: str,
        game: str,
        plans: Sequence[SeatPlan],
        options: Mapping[str, Any],
        listed: bool,
        hints: bool = False,
    ) -> LiveTable:
        """A new table. Raises GameError, Busy if there are too many."""

        def opened() -> Table:
            self._check_room(owner)
            return self.store.open_table(
                game, plans, len(plans), options, owner=owner, listed=listed, shuffled=True, hints=hints
            )

        table = await asyncio.to_thread(opened)
        live = await self.live(table.id)
        self.begin(live)
        self.bots.wake(live)
        return live

    def _check_room(self, owner: str) -> None:
        """Raises Busy if a person, or the server, has too many tables."""
        count = sum(self.store.count_tables(owner=owner, status=status) for status in UNFINISHED)
        if count >= self.limits.tables:
            raise Busy(words('web.error.too_many_tables'))
        if sum(self.store.count_tables(status=status) for status in UNFINISHED) >= self.limits.all_tables:
            raise Busy(words('web.error.full'))

    async def open_lesson(
        self, visitor: Visitor, lesson: Lesson, step: int | None, plans: Sequence[SeatPlan]
    ) -> LiveTable:
        """The table of a lesson: the person's own that still goes on, else a new one. `step`: where it
        begins; None: where it was left, or at its beginning if that was its last step. Raises GameError, Busy
        if there are too many."""
        assert visitor.id is not None
        if not 0 <= (step or 0) < len(lesson.steps):
            raise GameError(words('lesson.error.step', lesson=lesson.title, last=len(lesson.steps) - 1))
        begun = await asyncio.to_thread(self.store.lessons_of, visitor.id)
        for table, progress in begun:
            same = (table.game, table.lesson) == (lesson.game, lesson.id) and table.status == 'running'
            if same and progress.scripted:
                live = await self.live(table.id)
                if live.guide and (step is not None or live.guide.is_last):
                    await self.run(live, visitor, None, Jump(live.guide, step or 0))
                return live
        table = await asyncio.to_thread(self._open_lesson, visitor.id, lesson, step or 0, plans)
        return await self.live(table.id)

    def _open_lesson(self, owner: str, lesson: Lesson, step: int, plans: Sequence[SeatPlan]) -> Table:
        self._check_room(owner)
        setup = lesson.setup(tuple(Seat(plan.name, plan.kind, plan.level) for plan in plans))  # type: ignore[arg-type]

        def play(match: Match) -> None:
            go_to(match, lesson, step, 0)

        return self.store.open_lesson(owner, setup, plans, step, play)

    async def open_position(self, owner: str, setup: Setup, plans: Sequence[SeatPlan]) -> LiveTable:
        """A new table at which a match begins in the middle of a game. Raises GameError, Busy if there are
        too many."""
        await asyncio.to_thread(self._check_room, owner)
        table = await asyncio.to_thread(self.store.open_position, owner, setup, plans)
        live = await self.live(table.id)
        self.bots.wake(live)
        return live

    async def import_match(self, owner: str, match: Match) -> LiveTable:
        """A new table with a finished match that was read from a file."""
        return await self.live((await asyncio.to_thread(self.store.import_match, owner, match)).id)

    async def open_exercise(self, visitor: Visitor, exercise: Exercise) -> LiveTable:
        """The table of an exercise: the person's own that is still open, else a new one. Of a person's tables
        with exercises the newest few stay open. Raises GameError."""
        assert visitor.id is not None
        begun = await asyncio.to_thread(self.store.exercises_of, visitor.id)
        for table in begun:
            if (table.game, table.exercise) == (exercise.game, exercise.id):
                live = await self.live(table.id)
                if isinstance(live.script, Exercising) and live.script.exercise == exercise:
                    if live.script.reads or live.script.sitting.task:
                        await self.run(live, visitor, exercise.seat, Begin(live.script))
                    return live
        for table in begun[EXERCISES_KEPT - 1 :]:
            await self._put_away(table)
        setup = setup_of(exercise, visitor.name, [*[''] * exercise.seat, visitor.preferences.colour])
        plans = plans_of(setup, visitor.id)
        found = await asyncio.to_thread(self.store.open_exercise, visitor.id, setup, plans, exercise.json())
        return await self.live(found.id)

    async def _put_away(self, table: Table) -> None:
        """Close the table of an exercise."""
        try:
            await asyncio.to_thread(self.store.close_table, table.id, words('web.exercise.put_away'))
        except GameError:
            return  # another request has done it
        if live := self._tables.get(table.id):
            await self.refresh(live)

    def _keep_exercise(self, table_id: str, sitting: Sitting, before: Sitting) -> Sitting:
        """Keep how far an exercise has come. The first thing that becomes of a puzzle decides when it comes
        back; on which days puzzles were solved is kept, too. Called in a worker thread."""
        table = self.store.table(table_id)
        assert table is not None
        now, solved = time.time(), sitting.kind == 'solved' and before.kind != 'solved'
        failed = sitting.tries > before.tries and not before.tries
        is_puzzle = any(one.id == table.exercise for one in puzzles(table.game))
        if not is_puzzle or not (solved or failed):
            return self.store.keep_exercise(table_id, sitting)

        def review(card: PuzzleCard | None) -> PuzzleCard:
            times = (card.solved, card.failed) if card else (0, 0)
            kept, due = (dict(card.card), card.due) if card else ({}, 0.0)
            if failed or not before.tries:
                kept, due = reviewed(card.card if card else None, not failed, now)
            counts = times[0] + int(solved), times[1] + int(failed)
            return PuzzleCard(table.exercise, table.game, kept, due, *counts)

        return self.store.keep_exercise(
            table_id, sitting, table.owner, review, day_of(now) if solved else None
        )

    async def join(
        self, live: LiveTable, person_id: str, invite: str | None, name: str, colour: str = ''
    ) -> None:
        """Give a seat to a person, in a colour if it is free. Raises GameError."""
        await asyncio.to_thread(self.store.join, live.id, person_id, invite, name, colour=colour)
        await self.refresh(live)
        self.begin(live)

    async def leave(self, live: LiveTable, person_id: str) -> None:
        """Take a person's seat back before the match begins. Raises GameError."""
        await asyncio.to_thread(self.store.leave, live.id, person_id)
        await self.refresh(live)

    async def choose_colour(self, live: LiveTable, person_id: str, seat: int, colour: str) -> None:
        """Give a person's seat a colour before the match begins. Raises GameError."""
        await asyncio.to_thread(self.store.choose_colour, live.id, person_id, seat, colour)
        await self.refresh(live)

    async def fill(self, live: LiveTable, seat: int | None, level: str) -> None:
        """Give an open seat, or all of them, to bots. Raises GameError."""
        players = live.table.players
        names = [bot_name(level, number, players) for number in range(1, players)]
        plan = SeatPlan('bot', level=level)
        await asyncio.to_thread(self.store.fill, live.id, seat, plan, names=names)
        await self.refresh(live)
        self.begin(live)

    async def rematch(self, live: LiveTable, visitor: Visitor, best_of: int) -> str:
        """The id of the next table of the same people. The others are asked first, if there are any and no
        best of three goes on: '' until all have agreed. Raises GameError."""
        agreed = live.agreed(visitor)
        if not live.table.next:
            wanted = await asyncio.to_thread(live.rematch_wanted)
            if wanted or len(agreed) == live.table.players:
                await self._open_rematch(live, wanted or best_of)
            else:
                await self.run(live, visitor, None, AskRematch(best_of, agreed))
        return live.table.next or ''

    async def _open_rematch(self, live: LiveTable, best_of: int) -> None:
        table = await asyncio.to_thread(self.store.rematch, live.id, best_of)
        await self.refresh(live)
        self.bots.wake(await self.live(table.id))

    def begin(self, live: LiveTable) -> None:
        """Let the match of a full table begin, if it has not."""
        if live.table.status == OPEN and live.table.full:
            self.spawn(self._begin(live))

    async def _begin(self, live: LiveTable) -> None:
        try:
            await asyncio.to_thread(self.store.begin, live.id)
        except GameError:
            log.exception('The match at table %s could not begin', live.id)
        await self.refresh(live)

    # ---- open pages

    def enter(self, live: LiveTable, page: OpenPage) -> None:
        """A page was opened. Raises Busy if there are too many."""
        own = sum(other.visitor.key == page.visitor.key for other in live.pages)
        if own >= self.limits.sockets or self.pages >= self.limits.all_sockets:
            raise Busy(words('web.error.too_many'))
        self.pages += 1
        live.open_page(page)
        self._note_present(live)

    def exit(self, live: LiveTable, page: OpenPage) -> None:
        """A page was closed."""
        if page in live.pages:
            self.pages -= 1
            people = live.close_page(page)
            if people and (live.pages or self.store.shared):
                self.spawn(self._note_away(live, people))
            else:
                live.mark_away(people)

    async def _note_away(self, live: LiveTable, people: set[str]) -> None:
        await asyncio.sleep(AWAY_AFTER)
        gone = people - live.present()
        live.here -= gone
        if live.mark_away(people):
            live.touch()
        if gone and self.store.shared:
            await self._note_presence(live, gone, here=False)

    def _note_present(self, live: LiveTable) -> None:
        """Have other servers know who has come."""
        if self.store.shared and (come := live.present() - live.here):
            live.here |= come
            self.spawn(self._note_presence(live, come, here=True))

    async def _note_presence(self, live: LiveTable, people: set[str], here: bool) -> None:
        try:
            await asyncio.to_thread(self.store.note_presence, live.id, people, self.id, here)
        except StoreError:
            log.warning('Who is at table %s could not be stored', live.id, exc_info=True)

    def message(self, live: LiveTable, page: OpenPage) -> dict[str, Any]:
        """The whole view for an open page. Called in a worker thread. Raises Forbidden or NotFound if its
        visitor may no longer look: some process has revoked the token, or the seat was given up."""
        visitor = page.visitor
        if visitor.token is not None:
            token = self.store.again(visitor.token)
            if token is None:
                raise Forbidden(words('web.error.token'))
            visitor.renew(token)
        if not live.may_look(visitor):
            raise NotFound(words('web.error.no_table'))
        return message_for(live, page)

    def person_changed(self, person: Person) -> None:
        """A person has another name or other preferences: its open pages are drawn anew. What they may see
        stays as it is."""
        for live in list(self._tables.values()):
            for page in live.pages:
                if page.visitor.id == person.id:
                    page.visitor.become(person)
                    page.touch()
