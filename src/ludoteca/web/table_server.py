"""The tables that people look at: one LiveTable for each, its open pages, its bots, what was said there."""

from __future__ import annotations

import asyncio
import bisect
import logging
import secrets
import threading
import time
import weakref
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from ludoteca.game import SPECTATOR, Game, GameError, State, View, committed, load
from ludoteca.match import BOT, Match
from ludoteca.search import LEVELS, Pool, make_bot, think
from ludoteca.store import OPEN, Conflict, Favourite, Line, Live, Person, SeatPlan, Store, Table
from ludoteca.store.store import Status
from ludoteca.text import words
from ludoteca.web import views
from ludoteca.web.people import Visitor
from ludoteca.web.prepare import Preparation
from ludoteca.web.security import Limits
from ludoteca.web.views import TableView, SeatLabel, WaitingTable

log = logging.getLogger(__name__)
T = TypeVar('T')

CHAT_KEPT = 100
DRAWINGS_KEPT = 12
UNFINISHED: tuple[Status, ...] = ('open', 'running')
AWAY_AFTER = 4.0  # seconds without an open page after which a person counts as away
HINT_LEVEL, HINT_SIMULATIONS, HINT_SECONDS = 'hard', 12_000, 1.5


class NotFound(GameError):
    """There is nothing here, or nothing for this visitor."""


class Forbidden(GameError):
    """This visitor may not do that."""


class Busy(GameError):
    """Too much at once."""


@dataclass(eq=False)
class Page:
    """An open page: one socket."""

    visitor: Visitor
    dirty: asyncio.Event
    seat: int
    turns: int | None = None  # how many the page has shown
    have: Mapping[str, str] | None = None  # marks of the fragments that the page has
    # where several people share one screen:
    here: int | None = None  # the seat whose person has said to be there; None: the curtain is drawn
    seen: dict[int, int] = field(default_factory=dict)  # by seat how many turns its person was shown


class LiveTable:
    """A table in memory while somebody looks at it or a bot plays there."""

    def __init__(
        self, server: TableServer, table: Table, chat: Collection[Line] = (), notes: Mapping[int, views.Notes] | None = None
    ) -> None:
        self.server = server
        self.id = table.id
        self.table = table
        self.live: Live | None = None
        self.serial = 0  # goes up with everything that all pages could see changing
        self.pages: set[Page] = set()
        self.chat: deque[Line] = deque(chat, CHAT_KEPT)
        self.notes = dict(notes or {})  # by seat what it pencilled: nobody else's business
        self.thinking: set[int] = set()
        self.thought: tuple[int, int] | None = None  # for which seat a bot thinks, and on which of the seat's versions
        self.bots: asyncio.Task[None] | None = None
        self.bots_pending = False  # something changed since the bots last looked whose turn it is
        self.reading = asyncio.Lock()  # what was read of the table last is what counts
        self.preparing = False  # does a strong bot wait until the rules are compiled?
        self.away: set[str] = set()  # people who had a page open here and have none now
        self._own: Counter[int] = Counter()  # how often something changed that only this seat can see
        self._drawings: OrderedDict[tuple[Any, ...], str] = OrderedDict()
        self._choices: tuple[tuple[int, int], dict[str, Any] | None] = ((-2, -2), None)

    @property
    def ready(self) -> bool:
        """Can the match be shown and played?"""
        return self.table.status not in (OPEN, 'closed')

    @property
    def began(self) -> bool:
        """Are there no people to wait for any more?"""
        return self.table.status != OPEN or self.table.full

    def links(self) -> dict[int, str]:
        """By open seat the token of its link. For the host only."""
        found = {info.seat: self.server.store.link(self.table, info.seat) for info in self.table.seats}
        return {seat: token for seat, token in found.items() if token}

    def hosted_by(self, visitor: Visitor) -> bool:
        """Did this visitor open the table?"""
        return visitor.id is not None and visitor.id == self.table.owner

    def match(self) -> Match:
        """The match. Called in a worker thread. Raises GameError if it has not begun."""
        if self.live is None:
            self.live = self.server.store.live(self.id)
        return self.live.match

    @property
    def lock(self) -> threading.RLock:
        """The match is used under this lock only."""
        self.match()
        assert self.live is not None
        return self.live.lock

    @property
    def begins(self) -> str:
        """Who began the match and why, in words."""
        return views.begins_words(self.match(), self.table.previous is not None, self.table.shuffled)

    def seats_of(self, visitor: Visitor) -> tuple[int, ...]:
        """The seats that a visitor may play."""
        token = visitor.token
        if token is None:
            return self.table.seats_of(visitor.id)
        # one that was read before it was drawn who sits where opens nothing after it, until it is read again
        return (token.seat,) if token.table == self.id and token.begun == (self.table.status != OPEN) else ()

    def people_of(self, visitor: Visitor) -> set[str]:
        """The people who are here if this visitor is."""
        people = (self.table.seats[seat].person for seat in self.seats_of(visitor))
        return {person for person in people if person}

    def may_look(self, visitor: Visitor) -> bool:
        """Private tables are for those who sit there, and for those whom one of them has let watch."""
        if visitor.token is not None:
            return visitor.token.table == self.id
        return (
            self.table.listed
            or self.id in visitor.watches
            or bool(self.seats_of(visitor))
            or (visitor.id is not None and visitor.id == self.table.owner)
        )

    def link(self, visitor: Visitor) -> str:
        """An address at which anybody can look at the table, if this visitor may give it away: of a private table those who sit
        there may; else ''."""
        if self.table.listed:
            return f'{self.server.address}/tables/{self.id}'
        mine = visitor.token is None and self.seats_of(visitor)
        return f'{self.server.address}/watch/{self.server.store.watch(self.id)}' if mine else ''

    def lines(self, visitor: Visitor) -> tuple[Line, ...]:
        """What was said, as far as this visitor may read it: at a private table people talk among themselves."""
        return tuple(self.chat) if self.table.listed or self.seats_of(visitor) else ()

    def seat_of(self, visitor: Visitor, before: int = SPECTATOR) -> int:
        """Through whose eyes a visitor looks: of several own seats the one that is to choose something."""
        seats = self.seats_of(visitor)
        if len(seats) < 2:
            return seats[0] if seats else SPECTATOR
        acting = [seat for seat in seats if self.match().may_act(seat)]
        if before in acting:
            return before
        return acting[0] if acting else before if before in seats else seats[0]

    def shared(self, visitor: Visitor) -> bool:
        """Do several people sit at this visitor's screen who may not know what the others do? A curtain parts them."""
        match = self.match()
        people = [seat for seat in self.seats_of(visitor) if match.seats[seat].kind != BOT]
        return match.game.hidden and match.status != 'finished' and len(people) > 1

    def sitters(self, visitor: Visitor) -> tuple[SeatLabel, ...]:
        """Who sits where, for a visitor."""
        seats = self.match().seats if self.live else ()
        found = []
        for info in self.table.seats:
            now = seats[info.seat] if seats else None
            kind = ('bot' if now.kind == BOT else info.kind) if now else info.kind
            found.append(
                SeatLabel(
                    now.name if now else info.name,
                    kind,
                    now.level if now else info.level,
                    mine=info.seat in self.seats_of(visitor),
                    away=bool(info.person and info.person in self.away),
                    colour=self.match().colours[info.seat] if self.live else info.colour,
                )
            )
        return tuple(found)

    def notes_of(self, seat: int) -> views.Notes:
        """What a seat has pencilled, while that is of use."""
        return self.notes.get(seat, {}) if self.match().status == 'running' else {}

    def favourites(self, visitor: Visitor, seat: int) -> tuple[Favourite, ...]:
        """The arrangements kept by this visitor that fit what the seat arranges now."""
        match = self.match()
        if visitor.id is None or seat < 0 or not match.arranging(seat):
            return ()
        return tuple(
            one for one in self.server.store.favourites(visitor.id, match.game.name) if match.fits(seat, one.steps)
        )

    def sight(self, visitor: Visitor, seat: int) -> TableView:
        """The table for a visitor. Called under the lock."""
        match = self.match()
        wishes = visitor.wishes
        shared, notes = self.shared(visitor), self.notes_of(seat)

        def draw(view: View) -> str:
            key = (seat, match.version(seat), wishes.drawing, match.status, tuple(sorted(notes.items())))
            if key not in self._drawings:
                self._drawings[key] = match.game.draw(view, 'page')
                while len(self._drawings) > DRAWINGS_KEPT:
                    self._drawings.popitem(last=False)
            return self._drawings[key]

        # the rematch is private
        following = f'/tables/{self.table.next}' if self.table.next and self.seats_of(visitor) else ''
        # a bot that has chosen in secret is not given away; one that thinks about what was taken back does not show
        thinking = frozenset(bot for bot in self.thinking if match.to_move == (bot,))
        return TableView(
            self.id,
            match,
            seat,
            self.seats_of(visitor),
            self.sitters(visitor),
            wishes,
            self.lines(visitor),
            thinking,
            following,
            draw,
            notes,
            () if shared else self.favourites(visitor, seat),
            shared,
            preparing=self.server.preparation.progress_of(self.table.game) if self.preparing and not match.result else -1.0,
            begins=self.begins,
        )

    def wait(self, visitor: Visitor) -> WaitingTable:
        """The table for a visitor while there is no match to show."""
        table = self.table
        began = self.began
        host = self.hosted_by(visitor)
        closed = words('web.error.no_table') if table.status == 'closed' else ''
        links = {seat: f'{self.server.address}/join/{token}' for seat, token in self.links().items()} if host else {}
        return WaitingTable(
            self.id,
            load(table.game),
            self.sitters(visitor),
            host and not began,
            bool(self.seats_of(visitor)),
            table.listed,
            not began and not self.server.here(table),
            links,
            f'/games/{table.game}/picture-light.svg',
            self.lines(visitor),
            closed,
        )

    def message(self, page: Page) -> dict[str, Any]:
        """The whole view for a page. Called in a worker thread."""
        serial = self.serial_of(page.visitor)
        if not self.ready:
            parts = views.waiting_fragments(self.wait(page.visitor))
            title = words('web.table.title', game=load(self.table.game).title)
            return views.table_message(parts, title, serial=serial, seat=page.seat)
        with self.lock:
            if self.shared(page.visitor):
                return {**self._behind_curtain(page), 'serial': serial}
            seat = self.seat_of(page.visitor, page.seat)
            sight = self.sight(page.visitor, seat)
            return {**views.message(sight, page.turns, self._choice_table(seat)), 'serial': serial}

    def _behind_curtain(self, page: Page) -> dict[str, Any]:
        """The view for a page that several people share: that of the person who has said to be there, as long as it is for that
        one to choose something. Then the curtain falls; whoever has just brought something to light looks at it first."""
        match, here = self.match(), page.here
        seat = self.seat_of(page.visitor, SPECTATOR if here is None else here)
        handover = here is not None and here != seat and match.revealing == here
        if here is None or (here != seat and not handover):
            page.here = None
            return views.curtain(replace(self.sight(page.visitor, SPECTATOR), mine=()), seat)
        sight = self.sight(page.visitor, here)
        if handover:
            sight = replace(sight, handover=sight.name(seat))
        said = views.message(sight, page.seen.get(here), self._choice_table(here))
        page.seen[here] = match.turns
        return said

    def _choice_table(self, seat: int) -> dict[str, Any] | None:
        match = self.match()
        key = seat, match.version(seat)
        if self._choices[0] != key:
            self._choices = key, views.choice_table(match, seat) if seat >= 0 and match.may_act(seat) else None
        return self._choices[1]

    def serial_of(self, visitor: Visitor) -> int:
        """How often something changed that this visitor could see: nobody can count somebody else's drafts."""
        return self.serial + sum(self._own[seat] for seat in self.seats_of(visitor))

    def touch(self, seats: Collection[int] | None = None) -> None:
        """Something changed, for all or for those seats only: their pages get a message."""
        if seats is None:
            self.serial += 1
        else:
            self._own.update(seats)
        for page in self.pages:
            if seats is None or not set(seats).isdisjoint(self.seats_of(page.visitor)):
                page.dirty.set()

    def check_pages(self) -> None:
        """Somebody may have lost the right to look: every page is asked before it is told anything."""
        for page in self.pages:
            page.dirty.set()

    def say(self, line: Line) -> None:
        """Something was said, and is in the database."""
        lines = list(self.chat)
        bisect.insort(lines, line, key=lambda one: one.number)
        self.chat = deque(lines, CHAT_KEPT)
        self.touch()


# ---- hints ---------------------------------------------------------------------------------------------------------------------


def find_hint(game: Game, state: State, seat: int, seed: int, simulations: int = HINT_SIMULATIONS) -> list[int]:
    """The turn that a strong bot would play for a seat, on what the seat knows."""
    found = think(
        game,
        state,
        seat,
        settings=LEVELS[HINT_LEVEL].settings,
        simulations=simulations,
        seconds=HINT_SECONDS,
        seed=seed,
    )
    return [found.action, *found.line_actions[1:]]


def hint_steps(
    game: Game, state: State, seat: int, actions: Collection[int], colours: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The first of these actions, up to the end of the turn, with what to click for each (`colours`: of all seats). What the seat
    does not know is guessed."""
    state, work = state.copy(), game.Work.new()
    game.kernels.prepare(state, seat, work)
    game.kernels.guess(state, seat, 0, work)
    steps: list[dict[str, Any]] = []
    out = np.empty(game.max_legal, np.int32)
    for action in actions:
        known = state.copy()
        game.kernels.hide(known, seat)
        if action not in out[: game.kernels.legal_actions(known, out)].tolist():
            break
        targets = game.targets(known, action, colours)
        steps.append(
            {
                'name': game.action_name(known, action),
                'targets': [target.id for target in targets],
                'ghosts': [views.ghost_list(target.ghost) if target.ghost else None for target in targets],
            }
        )
        before = state.copy()
        game.kernels.apply(state, action)
        if committed(before, state):
            break
    return steps


# ---- the server ------------------------------------------------------------------------------------------------------------------


class TableServer:
    """All rooms, and what may be done in them."""

    def __init__(
        self,
        store: Store,
        preparation: Preparation,
        limits: Limits | None = None,
        pace: float = 0.7,
        threads: int | None = None,
    ) -> None:
        """`pace`: the least time in seconds between two turns of bots, so that people can follow."""
        self.store, self.preparation, self.limits, self.pace = store, preparation, limits or Limits(), pace
        self.pool = Pool(threads)
        self.address = ''
        self.pages = 0
        self._tables: weakref.WeakValueDictionary[str, LiveTable] = weakref.WeakValueDictionary()
        self._kept: OrderedDict[str, LiveTable] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        preparation.changed = self._prepared

    async def resume(self) -> None:
        """After a start: let those matches begin that only waited for it, rebuild and check all running ones once their rules are
        compiled, and let the bots play whose turn it is."""
        for table in await asyncio.to_thread(self.store.to_begin):
            self.begin(await self.live(table.id))
        await asyncio.gather(
            *(self.preparation.wait(name) for name in {table.game for table in await asyncio.to_thread(self._running)})
        )
        for live in await asyncio.to_thread(self.store.resume):
            if any(seat.kind == BOT for seat in live.match.seats):
                live = await self.live(live.id)
                self.wake(live)

    def _running(self) -> list[Table]:
        found = [self.store.table(table_id) for table_id in self.store.running()]
        return [table for table in found if table]

    def _prepared(self) -> None:
        for live in list(self._tables.values()):
            if live.preparing:
                live.touch()

    async def close(self) -> None:
        """End the bots."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.pool.close)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Let something run beside the requests."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ---- rooms

    async def live(self, table_id: str) -> LiveTable:
        """The live of a table. Raises NotFound."""
        live = self._tables.get(table_id)
        if live is None:
            table = await asyncio.to_thread(self.store.table, table_id)
            if table is None:
                raise NotFound(words('web.error.no_table'))
            chat = await asyncio.to_thread(self.store.chat, table_id, CHAT_KEPT)
            notes = await asyncio.to_thread(self.store.notes, table_id)
            live = self._tables.get(table_id)
            if live is None:
                live = self._tables[table_id] = LiveTable(self, table, chat, notes)
        self.preparation.open(live.table.game)
        self._kept[table_id] = live
        self._kept.move_to_end(table_id)
        while len(self._kept) > 256:
            self._kept.popitem(last=False)
        return live

    async def look(self, table_id: str, visitor: Visitor) -> LiveTable:
        """The live of a table that this visitor may see. Raises NotFound."""
        live = await self.live(table_id)
        if not live.may_look(visitor):
            raise NotFound(words('web.error.no_table'))
        return live

    async def refresh(self, live: LiveTable) -> None:
        """Read the table anew: who sits there, whether it has begun."""
        async with live.reading:
            table = await asyncio.to_thread(self.store.table, live.id)
            if table:
                live.table = table
        live.touch()
        self.wake(live)

    async def change(self, live: LiveTable, action: Callable[[Match], T]) -> T:
        """Do something to a match, store it, tell everybody, and let bots go on."""
        if not live.ready:
            raise GameError(words('web.error.not_ready'))
        try:
            answer, seats = await asyncio.to_thread(self._change, live, action)
        except Conflict:
            await self.refresh(live)
            raise
        match = live.match()
        if match.status != live.table.status or any(
            info.kind != now.kind for info, now in zip(live.table.seats, match.seats, strict=True)
        ):
            await self.refresh(live)
        else:
            live.touch(seats)
        if live.thought and not self._still(live, *live.thought):
            self.pool.cancel(live.id)  # the bot thinks about a position that is gone
        self.wake(live)
        return answer

    @staticmethod
    def _change(live: LiveTable, action: Callable[[Match], T]) -> tuple[T, list[int] | None]:
        """Change a match and store it. Also answers for which seats something can be seen that was not there (None: for all)."""
        with live.lock:
            assert live.live is not None
            before = TableServer._versions(live.match())
            answer = live.live.change(action)
            after = TableServer._versions(live.match())
        seats = [
            seat for seat, old, new in zip(range(SPECTATOR, len(before)), before, after, strict=False) if old != new
        ]
        return answer, None if SPECTATOR in seats else seats

    @staticmethod
    def _versions(match: Match) -> list[int]:
        return [match.version(seat) for seat in range(SPECTATOR, match.setup.players)]

    @staticmethod
    def _still(live: LiveTable, seat: int, version: int) -> bool:
        """Is it still this seat's turn, and does it see what it saw?"""
        match = live.match()
        return match.may_act(seat) and match.version(seat) == version

    @staticmethod
    def here(table: Table) -> bool:
        """Do all people of a table sit at one screen?"""
        people = {info.person for info in table.seats if info.kind == 'person'}
        return len(people) == 1 and sum(info.kind == 'person' for info in table.seats) > 1

    # ---- making tables

    async def make(
        self,
        visitor_id: str,
        game: str,
        plans: list[SeatPlan],
        players: int | None,
        options: Mapping[str, Any],
        listed: bool,
        shuffled: bool,
    ) -> LiveTable:
        """A new table. Raises GameError, Busy if there are too many."""

        def make() -> Table:
            count = sum(self.store.count_tables(owner=visitor_id, status=status) for status in UNFINISHED)
            if count >= self.limits.tables:
                raise Busy(words('web.error.too_many_tables'))
            if sum(self.store.count_tables(status=status) for status in UNFINISHED) >= self.limits.all_tables:
                raise Busy(words('web.error.full'))
            table = self.store.open_table(
                game, plans, players, options, owner=visitor_id, listed=listed, shuffled=shuffled
            )
            if not listed:
                for info in table.seats:
                    if info.kind == OPEN:
                        self.store.invite(table.id, info.seat)
            return table

        live = await self.live((await asyncio.to_thread(make)).id)
        self.begin(live)
        self.wake(live)
        return live

    async def join(self, live: LiveTable, person_id: str, invite: str | None, name: str, colour: str = '') -> None:
        """Give a seat to a person, in a colour if it is free. Raises GameError."""
        await asyncio.to_thread(self.store.join, live.id, person_id, invite, name, colour=colour)
        await self.refresh(live)
        self.begin(live)

    async def choose_colour(self, live: LiveTable, person_id: str, seat: int, colour: str) -> None:
        """Give a person's seat a colour before the match begins. Raises GameError."""
        await asyncio.to_thread(self.store.choose_colour, live.id, person_id, seat, colour)
        await self.refresh(live)

    async def fill(self, live: LiveTable, seat: int | None, level: str) -> None:
        """Give an open seat, or all of them, to bots. Raises GameError."""
        await asyncio.to_thread(self.store.fill, live.id, seat, SeatPlan('bot', level=level))
        await self.refresh(live)
        self.begin(live)

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

    async def link(self, live: LiveTable, seat: int) -> str:
        """The token of a new link for an open seat; the one before it stops working. Raises GameError."""
        token = await asyncio.to_thread(self.store.invite, live.id, seat)
        await self.refresh(live)
        return token

    async def say(self, live: LiveTable, visitor: Visitor, text: str) -> Line:
        """Keep something said, then tell it. Raises GameError."""

        def keep() -> Line:
            seat = live.seat_of(visitor) if live.ready else SPECTATOR
            name = visitor.name or (live.match().seats[seat].name if seat >= 0 else '')
            return self.store.add_chat(live.id, name, text, visitor.id, seat)

        line = await asyncio.to_thread(keep)
        live.say(line)
        return line

    async def pencil(self, live: LiveTable, seat: int, element: str, labels: Sequence[str]) -> None:
        """Keep what a seat pencils on an element; only that seat is shown it. Raises GameError."""
        async with live.reading:
            live.notes[seat] = await asyncio.to_thread(self.store.set_note, live.id, seat, element, labels)
        live.touch([seat])

    # ---- bots

    def wake(self, live: LiveTable) -> None:
        """Let the bots of a table look whether it is their turn."""
        if live.ready:
            live.bots_pending = True
            if live.bots is None or live.bots.done():
                live.bots = self.spawn(self._play_bots(live))

    @staticmethod
    def _bot_to_move(live: LiveTable) -> tuple[int, str, State, int] | None:
        with live.lock:
            match = live.match()
            if match.status == 'running':
                for seat, who in enumerate(match.seats):
                    if who.kind == BOT and match.may_act(seat):
                        return seat, who.level, match.knowledge(seat), match.version(seat)
        return None

    async def _play_bots(self, live: LiveTable) -> None:
        try:
            while live.bots_pending:  # rung while they looked: they look again
                live.bots_pending = False
                while found := await asyncio.to_thread(self._bot_to_move, live):
                    await self._play_bot(live, *found)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception('The bots at table %s stopped', live.id)
        finally:
            live.thought = None
            if live.thinking:
                live.thinking = set()
                live.touch()

    async def _play_bot(self, live: LiveTable, seat: int, level: str, state: State, version: int) -> None:
        """Let a bot choose one action, and play it unless the seat sees something else by then."""
        began = time.monotonic()
        if not self._still(live, seat, version):
            return
        new = seat not in live.thinking
        live.thinking, live.thought = {seat}, (seat, version)
        if new and live.match().to_move == (seat,):  # else it chooses in secret: nobody sees it think
            live.touch()
        await self._until_strong(live, level, seat)
        action = await self._choose(live, level, state, seat)
        if action is None:
            return
        if new:
            await asyncio.sleep(max(0.0, self.pace - (time.monotonic() - began)))
        played = await asyncio.to_thread(self._play, live, seat, action, version)
        if played is None:
            return
        done, seats = played
        live.thinking, live.thought = set() if done else {seat}, None
        if live.match().status != 'running':
            await self.refresh(live)
        else:
            live.touch(seats)

    async def _until_strong(self, live: LiveTable, level: str, seat: int) -> None:
        """A level that an interpreted search would weaken waits until the rules are compiled. The table says so, except of a seat
        that chooses in secret."""
        if self.preparation.strong_enough(live.table.game, level):
            return
        live.preparing = live.match().to_move == (seat,)
        self._prepared()
        try:
            await self.preparation.wait(live.table.game)
        finally:
            if live.preparing:
                live.preparing = False
                live.touch()

    async def _choose(self, live: LiveTable, level: str, state: State, seat: int) -> int | None:
        """A bot's action; None if its search was dropped because the match has moved on."""
        game = load(live.table.game)
        seed = secrets.randbits(62)
        try:
            try:
                action = await asyncio.wrap_future(self.pool.choose(live.id, make_bot(level), game, state, seat, seed))
                out = np.empty(game.max_legal, np.int32)
                if action not in out[: game.kernels.legal_actions(state, out)].tolist():
                    raise GameError(words('web.error.bot', bot=level, action=action))
                return action
            except Exception:
                if level == 'easy':
                    raise
                # a stranger's bot may fail in any way: the game goes on
                log.exception('The bot %r failed at table %s; an easy one moves in its place', level, live.id)
                return await asyncio.wrap_future(self.pool.choose(live.id, make_bot('easy'), game, state, seat, seed))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return None

    @staticmethod
    def _play(live: LiveTable, seat: int, action: int, version: int) -> tuple[bool, list[int] | None] | None:
        """Play a bot's action, unless its seat sees something else since it began to think (None). Answers whether the turn is
        committed, and who can see that something changed."""
        with live.lock:
            if not TableServer._still(live, seat, version):
                return None
            try:
                played, seats = TableServer._change(live, lambda match: match.play(seat, [action]))
            except Conflict:
                return None
            return played.committed, seats

    # ---- hints

    async def hint(self, live: LiveTable, seat: int) -> tuple[int, list[dict[str, Any]], str]:
        """What a strong bot would choose for a seat, on what the seat knows: the version that it answers, the steps of the
        turn with their targets, and the turn's name. Raises GameError if the seat has nothing to choose."""

        def ask() -> tuple[int, State]:
            with live.lock:
                match = live.match()
                if not match.may_act(seat):
                    raise GameError(words('web.table.hint_not_yours'))
                return match.version(seat), match.knowledge(seat)

        if not live.ready:
            raise GameError(words('web.error.not_ready'))
        version, state = await asyncio.to_thread(ask)
        game = load(live.table.game)
        seed = secrets.randbits(62)
        found = await asyncio.wrap_future(
            self.pool.submit(('hint', live.id, seat), lambda: find_hint(game, state, seat, seed))
        )
        steps = await asyncio.to_thread(hint_steps, game, state, seat, found, live.match().colours)
        return version, steps, ' '.join(step['name'] for step in steps)

    # ---- pages

    def enter(self, live: LiveTable, page: Page) -> None:
        """A page was opened. Raises Busy if there are too many."""
        own = sum(other.visitor.key == page.visitor.key for other in live.pages)
        if own >= self.limits.sockets or self.pages >= self.limits.all_sockets:
            raise Busy(words('web.error.too_many'))
        self.pages += 1
        live.pages.add(page)
        if people := live.people_of(page.visitor) & live.away:
            live.away -= people
            live.touch()

    def leave(self, live: LiveTable, page: Page) -> None:
        """A page was closed."""
        if page in live.pages:
            self.pages -= 1
            live.pages.discard(page)
            people = live.people_of(page.visitor)
            if people and live.pages:
                self.spawn(self._report_away(live, people))
            else:
                live.away |= people

    async def _report_away(self, live: LiveTable, people: set[str]) -> None:
        await asyncio.sleep(AWAY_AFTER)
        gone = people.difference(*(live.people_of(page.visitor) for page in live.pages)) - live.away
        if gone:
            live.away |= gone
            live.touch()

    def told(self, live: LiveTable, page: Page) -> dict[str, Any]:
        """The whole view for an open page. Called in a worker thread. Raises Forbidden or NotFound if its visitor may no longer
        look: the token has been revoked, by whatever process, or the seat was given up."""
        visitor = page.visitor
        if visitor.token is not None:
            token = self.store.again(visitor.token)
            if token is None:
                raise Forbidden(words('web.error.token'))
            visitor.token = token
        if not live.may_look(visitor):
            raise NotFound(words('web.error.no_table'))
        return live.message(page)

    def wishes_changed(self, person: Person) -> None:
        """A person wants to see something else: its open pages are drawn anew. What they may see stays as it is."""
        for live in list(self._tables.values()):
            for page in live.pages:
                if page.visitor.id == person.id:
                    page.visitor.person, page.visitor.name = person, person.name
                    page.dirty.set()
