"""A table in memory: its match, who may see and do what there, its open pages, chat and notes.

A live table knows neither the server nor the network. Its `TableSources` answer its questions. Its fields are
changed by its own methods only.
"""

from __future__ import annotations

import asyncio
import bisect
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ludoteca.game import LAID, SPECTATOR, GameError
from ludoteca.match import BOT, Match
from ludoteca.store import (
    OPEN,
    Change,
    ChatLine,
    Conflict,
    Favourite,
    LessonProgress,
    Live,
    News,
    Sitting,
    StoreError,
    Table,
    added,
    goes_on,
)
from ludoteca.text import words
from ludoteca.web.live.commands import Command, CommandResult
from ludoteca.web.live.guide import Guide, LessonAnswer, Script, Scripted
from ludoteca.web.live.open_page import OpenPage
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.serving.errors import Forbidden
from ludoteca.web.table.cache import TableCache
from ludoteca.web.table.model import Notes, SeatLabel
from ludoteca.web.table.wording import begins_words

T = TypeVar('T')

CHAT_KEPT = 100
FIRST_GAMES = 3
"""In so many games of a title the coach speaks unless a person chose otherwise."""
MOVER = 0.05
"""Seconds by which the pages of whoever has made a turn may be told after those of the others."""


@dataclass(frozen=True)
class TableSources:
    """What a live table asks for: each field answers one question."""

    match: Callable[[str], Live]  # a match joined to the database; raises GameError before it has begun
    invite_link: Callable[[str], str]  # the token of the link with which people sit down
    watch_link: Callable[[str], str]  # the token of the link that lets anybody look at a table
    favourites: Callable[[str, str], Sequence[Favourite]]  # a person's arrangements for a game
    progress: Callable[[str], float]  # how much of a game is compiled, 0..1
    address: str = ''  # the beginning of every link
    # keeps how far a lesson has come; True: it is finished
    keep_lesson: Callable[[str, LessonProgress, bool], LessonProgress] = lambda _, progress, __: progress
    # keeps how far an exercise has come; and how far it had come before
    keep_exercise: Callable[[str, Sitting, Sitting], Sitting] = lambda _, sitting, __: sitting
    # how many games of its title a person began before a table
    earlier_games: Callable[[str, Table], int] = lambda _, __: 0


@dataclass(frozen=True)
class Outcome:
    """What became of a command: for which seat it was run, what the answer says, what lies on the board
    besides the draft (None: as before), and the seats that can see a change (None: all)."""

    seat: int
    answer: Mapping[str, Any]
    laid: tuple[str, ...] | None
    seen_by: list[int] | None


class LiveTable:
    """A table while somebody looks at it or a bot plays there."""

    def __init__(
        self,
        table: Table,
        sources: TableSources,
        chat: Collection[ChatLine] = (),
        notes: Mapping[int, Notes] | None = None,
        script: Script | None = None,
        noted: Mapping[int, int] | None = None,
        earlier: Mapping[str, float] | None = None,
    ) -> None:
        """`notes`: what each seat has pencilled, and `noted` how often; `earlier`: see `Store.score`."""
        self.id = table.id
        self.script = script  # of the lesson or the exercise that is given here
        self.table = table
        self.sources = sources
        # what is known of the table as the database has it; see TableRow
        self.revision, self.shown = table.revision, table.shown
        self.pages: set[OpenPage] = set()
        self.chat: deque[ChatLine] = deque(chat, CHAT_KEPT)
        self.thinking: int | None = None  # the seat of the bot at work
        self.preparing = False  # does a strong bot wait until the rules are compiled?
        self.here: set[str] = set()  # people of whom other servers know that they have a page open here
        # people who have had a page open here and have none now, and since when
        self.away: dict[str, float] = {}
        self._live: Live | None = None
        self._notes = dict(notes or {})  # by seat what it has pencilled; no other seat is told
        self._reading = asyncio.Lock()  # one reading at a time: the last one counts
        self._noted = dict(noted or {})
        self._earlier = earlier or {}
        self._missed: set[int] = set()  # seats that have not been told of what another server has played
        self._begun: dict[str, int] = {}  # games of the title before this one, by person
        self.cache = TableCache()

    # ---- the table and its match

    @property
    def guide(self) -> Guide | None:
        """That of the lesson that is given here."""
        return self.script if isinstance(self.script, Guide) else None

    @property
    def ready(self) -> bool:
        """Can the match be shown and played?"""
        return self.table.status not in (OPEN, 'closed')

    def check_ready(self) -> None:
        """Raises GameError if there is no match yet."""
        if self.table.status == 'closed':
            raise GameError(self.table.sentence or words('store.error.closed_table'))
        if not self.ready:
            raise GameError(words('web.error.not_ready'))

    @property
    def is_loaded(self) -> bool:
        """Is the match in memory, so that nothing has to be read?"""
        return self._live is not None

    @property
    def is_free(self) -> bool:
        """Need nobody wait for the match? Else it must be read first, or another thread has it, perhaps for
        as long as the database lets it wait."""
        with self.at_hand() as free:
            return free or (self._live is None and not self.ready)

    @contextlib.contextmanager
    def at_hand(self) -> Iterator[bool]:
        """Take the match if it is in memory and nobody else has it; answers whether that is so."""
        if self._live is None or not self._live.lock.acquire(blocking=False):
            yield False
            return
        try:
            yield True
        finally:
            self._live.lock.release()

    @property
    def live(self) -> Live:
        """The match joined to the database. Called in a worker thread. Raises GameError before it begins."""
        if self._live is None:
            self._live = self.sources.match(self.id)
            if self.script:
                self.script.settle(self._live.match)
        return self._live

    def match(self) -> Match:
        """The match. Called in a worker thread. Raises GameError if it has not begun."""
        return self.live.match

    @property
    def lock(self) -> threading.RLock:
        """The match is used under this lock only."""
        return self.live.lock

    def set_table(self, table: Table) -> None:
        """The table has been read anew."""
        self.table = table

    def knows(self, change: Change) -> None:
        """This server has changed the table in the database. Called in the thread that has done it. If
        another server has, too, the revision stays, and all is read again."""
        if change.revision == self.revision + 1:
            self.revision = change.revision
        self.shown = max(self.shown, change.shown)

    async def catch_up(self, read: Callable[[str, int | None, int], News | None], revision: int = -1) -> None:
        """Take in what other servers have done, and tell those who can see it. `read` answers what is new;
        `revision`: nothing is done if that is known by now. Raises StoreError."""
        async with self._reading:
            if self.revision == revision:
                return
            news, seats = await asyncio.to_thread(self._read_news, read)
            if news is None:
                return
            is_public = news.table.shown != self.shown or SPECTATOR in seats
            self.set_table(news.table)
            self.revision, self.shown = news.table.revision, news.table.shown
            self._add_lines(news.chat)
            for seat, times in news.noted.items():
                if times != self._noted.get(seat):
                    self._noted[seat], self._notes[seat] = times, news.notes[seat]
                    seats.add(seat)
            self.here -= set(news.away)  # another server takes them to have gone
            gone, now = set(news.away) - self.present(), time.time()
            self.away = {person: self.away.get(person, now) for person in gone}
        if is_public or seats:
            self.touch(None if is_public else seats)

    def _read_news(self, read: Callable[[str, int | None, int], News | None]) -> tuple[News | None, set[int]]:
        """What is new, its entries of the log taken in already, and the seats that see another match by
        it."""
        last = self.chat[-1].number if self.chat else -1
        if self._live is None:
            return read(self.id, None, last), set()
        with self.lock:
            before = self._versions()
            news = read(self.id, len(self.match().entries), last)
            if news is not None:
                self.live.take_in(news.new, news.entries)
                if self.script:
                    self.script.follow(news, self.match())
            seats = self._missed | set(self._seats_since(before))
            self._missed = set()
            return news, seats

    async def read_again(self, read: Callable[[str], Table | None]) -> None:
        """Read the table anew, and tell all pages."""
        async with self._reading:
            table = await asyncio.to_thread(read, self.id)
            if table:
                self.set_table(table)
                self.shown = max(self.shown, table.shown)
        self.touch()

    def run(self, visitor: Visitor, seat: int | None, command: Command) -> Outcome:
        """Run a command for a seat of the visitor's, and store what it does. Called in a worker thread.
        Raises GameError, Conflict or StoreError; then the match is as before."""
        with self.lock:
            own = self.seat_to_play(visitor, seat, command.seats(self.match()))
            if not command.when_replaced:
                self.match().check_person(own)
            if self.script and not isinstance(command, Scripted):
                command = self.script.guarded(command)
            done, seen_by = self._run(command, own)
            laid = done.laid if done.laid != self.laid(own) else None
            if laid is not None:  # the picture that comes with the new draft shows it
                self._notes[own] = {**self.notes_of(own), LAID: laid}
            return Outcome(own, done.answer, laid, seen_by)

    def _run(self, command: Command, seat: int) -> tuple[CommandResult, list[int] | None]:
        """Run a command, and keep how far it brings a lesson."""
        try:
            done, seen_by = self.change(lambda match: command.run(match, seat))
        except LessonAnswer as answer:
            assert self.script is not None
            self.script.answer = str(answer)
            raise
        if isinstance(command, Scripted) and command.keep(self.id, self.sources):
            seen_by = None
        return done, seen_by

    @property
    def scripted(self) -> bool:
        """Does a lesson or an exercise go on here, so that no bot thinks?"""
        return self.script is not None and self.script.scripted

    def is_coached(self, visitor: Visitor) -> bool:
        """True if the visitor's coach may speak: where hints are open, as often as the visitor chose. Called
        in a worker thread."""
        chosen, person = visitor.preferences.coach, visitor.id
        if self.scripted or not self.table.hints_open or person is None or not self.seats_of(visitor):
            return False
        if chosen == 'first' and person not in self._begun:
            try:
                self._begun[person] = self.sources.earlier_games(person, self.table)
            except StoreError:  # the table can be looked at without the database
                return False
        return chosen == 'always' or (chosen == 'first' and self._begun[person] < FIRST_GAMES)

    def change(self, action: Callable[[Match], T]) -> tuple[T, list[int] | None]:
        """Change the match and store it. Called in a worker thread, under the lock. Answers what the action
        answers, and the seats that can see a change (None: all)."""
        before = self._versions()
        try:
            answer = self.live.change(action)
        except Conflict:
            self._missed.update(self._seats_since(before))
            raise
        seats = self._seats_since(before)
        return answer, None if SPECTATOR in seats else seats

    def _seats_since(self, before: Sequence[int]) -> list[int]:
        """The seats that see another match than at these versions."""
        versions = zip(range(SPECTATOR, len(before)), before, self._versions(), strict=False)
        return [seat for seat, old, new in versions if old != new]

    def _versions(self) -> list[int]:
        match = self.match()
        return [match.version(seat) for seat in range(SPECTATOR, match.setup.players)]

    def sees_still(self, seat: int, version: int) -> bool:
        """Is it still this seat's turn, and does it see what it saw?"""
        match = self.match()
        return match.may_act(seat) and match.version(seat) == version

    def is_settled(self) -> bool:
        """Does the table, as it was read last, agree with its match on how that stands and who plays it?"""
        match = self.match()
        seats = zip(self.table.seats, match.seats, strict=True)
        return match.status == self.table.status and all(info.kind == now.kind for info, now in seats)

    # ---- who may do what

    def seats_of(self, visitor: Visitor) -> tuple[int, ...]:
        """The seats that a visitor may play."""
        token = visitor.token
        if token is None:
            return self.table.seats_of(visitor.id)
        # a token that was read before seats were drawn opens nothing afterwards, until it is read again
        fits = token.table == self.id and token.begun == (self.table.status != OPEN)
        return (token.seat,) if fits else ()

    def hosted_by(self, visitor: Visitor) -> bool:
        """Has this visitor opened the table?"""
        return visitor.id is not None and visitor.id == self.table.owner

    def may_look(self, visitor: Visitor) -> bool:
        """A private table is shown to those who sit there, and to those whom one of them has let watch."""
        if visitor.token is not None:
            return visitor.token.table == self.id
        return (
            self.table.listed
            or self.id in visitor.watches
            or bool(self.seats_of(visitor))
            or self.hosted_by(visitor)
        )

    def seat_of(self, visitor: Visitor, before: int = SPECTATOR) -> int:
        """The seat that a visitor looks from. Of several it is one that can choose something: `before` if it
        can; and none that a bot plays now, if there is another."""
        seats = self.seats_of(visitor)
        if len(seats) < 2:
            return seats[0] if seats else SPECTATOR
        match = self.match()
        seats = tuple(seat for seat in seats if match.seats[seat].kind != BOT) or seats
        acting = [seat for seat in seats if match.may_choose(seat)]
        if before in acting:
            return before
        return acting[0] if acting else before if before in seats else seats[0]

    def seat_to_play(self, visitor: Visitor, seat: int | None, prefer: Sequence[int] = ()) -> int:
        """The seat that a visitor acts for: the one that is named, else the first own seat among `prefer`,
        else the one whose turn it is. Called in a worker thread. Raises Forbidden."""
        seats = self.seats_of(visitor)
        if not seats:
            raise Forbidden(words('web.error.no_seat'))
        if seat is not None:
            if seat not in seats:
                raise Forbidden(words('web.error.not_your_seat'))
            return seat
        return next((own for own in prefer if own in seats), self.seat_of(visitor))

    def seat_to_read(self, visitor: Visitor, seat: int | None) -> int:
        """The seat that a visitor reads from: the one that is named (-1: as a spectator), else the one of the
        page. Called in a worker thread. Raises Forbidden for somebody else's seat."""
        if seat is None:
            return self.seat_of(visitor)
        if seat != SPECTATOR and seat not in self.seats_of(visitor):
            raise Forbidden(words('web.error.not_your_seat'))
        return seat

    def seat_at_screen(self, visitor: Visitor, seat: int | None) -> int:
        """The same for a page. At a shared screen it is not known which person looks."""
        return SPECTATOR if seat is None and self.is_shared(visitor) else self.seat_to_read(visitor, seat)

    def eyes_of(self, visitor: Visitor, seat: int | None, eyes: int | None) -> tuple[int, bool]:
        """Through whose eyes a visitor looks back: a seat (-1: a spectator), and whether nothing is hidden.
        When the match is over nothing is, unless `eyes` names the seat whose knowledge of then is asked for.
        Called in a worker thread. Raises Forbidden for what another seat knows of a match that goes on, and
        GameError for a seat that does not exist."""
        match = self.match()
        if eyes is None or match.result is None:
            return self.seat_at_screen(visitor, seat if eyes is None else eyes), match.result is not None
        match.version(eyes)
        return eyes, False

    def is_shared(self, visitor: Visitor) -> bool:
        """Do several people with secrets from each other sit at this visitor's screen? A curtain hides them
        from each other."""
        match = self.match()
        people = [seat for seat in self.seats_of(visitor) if match.seats[seat].kind != BOT]
        return match.game.hidden and match.status != 'finished' and len(people) > 1

    # ---- links, notes, chat

    def invitation(self, visitor: Visitor) -> dict[str, str]:
        """The link with which people sit down: its token, and its address. For the host, while a seat is
        open; else nothing."""
        if not self.hosted_by(visitor) or self.table.status != OPEN or self.table.full:
            return {}
        token = self.sources.invite_link(self.id)
        return {'token': token, 'url': f'{self.sources.address}/join/{token}'}

    def link(self, visitor: Visitor) -> str:
        """An address at which anybody can look at the table; '' if this visitor may not give it away. At a
        private table those may who sit there, and who has opened it."""
        if self.table.listed:
            return f'{self.sources.address}/tables/{self.id}'
        own = visitor.token is None and (self.seats_of(visitor) or self.hosted_by(visitor))
        return f'{self.sources.address}/watch/{self.sources.watch_link(self.id)}' if own else ''

    def lines(self, visitor: Visitor) -> tuple[ChatLine, ...]:
        """The chat as far as this visitor may read it: that of a private table is for those who sit there."""
        return tuple(self.chat) if self.table.listed or self.seats_of(visitor) else ()

    def say(self, line: ChatLine) -> None:
        """Something was said, and is in the database."""
        self._add_lines([line])
        self.touch()

    def _add_lines(self, new: Collection[ChatLine]) -> None:
        """Add lines in their order; those that are known already are left out."""
        known = {line.number for line in self.chat}
        lines = list(self.chat)
        for line in new:
            if line.number not in known:
                bisect.insort(lines, line, key=lambda one: one.number)
        self.chat = deque(lines, CHAT_KEPT)

    def notes_of(self, seat: int) -> Notes:
        """What a seat has pencilled, while that is of use."""
        return self._notes.get(seat, {}) if self.match().status == 'running' else {}

    def laid(self, seat: int) -> tuple[str, ...]:
        """What a seat has laid on the board besides its draft."""
        return self.notes_of(seat).get(LAID, ())

    async def store_notes(self, seat: int, write: Callable[[], Notes]) -> None:
        """Store what a seat pencils, and show it to this seat."""
        async with self._reading:
            self._notes[seat] = await asyncio.to_thread(write)
            self._noted[seat] = self._noted.get(seat, 0) + 1
        self.touch([seat])

    def favourites(self, visitor: Visitor, seat: int) -> tuple[Favourite, ...]:
        """The visitor's arrangements that fit what the seat arranges now."""
        match = self.match()
        if visitor.id is None or seat < 0 or not match.arranging(seat):
            return ()
        kept = self.sources.favourites(visitor.id, match.game.name)
        return tuple(one for one in kept if match.fits(seat, one.steps))

    # ---- rematches

    @property
    def score(self) -> dict[str, float]:
        """By colour what was won in this match and in those of which it is the rematch; see `Store.score`."""
        return added(self._earlier, self.table.wins)

    @property
    def series_goes_on(self) -> bool:
        """True if the next game belongs to the same best of three."""
        return goes_on(self.table.series, self.score)

    def agreed(self, visitor: Visitor) -> tuple[int, ...]:
        """The seats whose people need not be asked for a rematch: the visitor's and the bots'; all in a
        series that goes on. Raises Forbidden for a visitor who has not played."""
        if not self.seats_of(visitor):
            raise Forbidden(words('web.error.no_seat'))
        return tuple(
            info.seat for info in self.table.seats if self.series_goes_on or info.person in (None, visitor.id)
        )

    def rematch_wanted(self) -> int:
        """Of how many games the best counts in the rematch that all have agreed to; 0: they have not. Called
        in a worker thread, or when the match has been read."""
        request = self.match().request
        agreed = request is not None and request.kind == 'rematch' and not request.waiting
        return request.value if request and agreed else 0

    # ---- who sits there

    @property
    def begins(self) -> str:
        """Who began the match and why, in words."""
        return begins_words(self.match(), self.table.previous is not None, self.table.shuffled)

    def seat_labels(self, visitor: Visitor) -> tuple[SeatLabel, ...]:
        """Who sits where, for a visitor."""
        match = self._live.match if self._live else None
        found = []
        for info in self.table.seats:
            now = match.seats[info.seat] if match else info
            found.append(
                SeatLabel(
                    now.name,
                    'bot' if now.kind == BOT else info.kind,
                    now.level,
                    mine=info.seat in self.seats_of(visitor),
                    away=self.away.get(info.person or '', 0.0),
                    colour=match.colours[info.seat] if match else info.colour,
                )
            )
        return tuple(found)

    # ---- open pages

    def open_page(self, page: OpenPage) -> None:
        """A page was opened: its people are present again."""
        self.pages.add(page)
        people = self._people_of(page.visitor)
        back = [person for person in people if self.away.pop(person, None) is not None]
        if back or not people:
            self.touch()

    def close_page(self, page: OpenPage) -> set[str]:
        """A page was closed. Answers the people who had it open."""
        self.pages.discard(page)
        people = self._people_of(page.visitor)
        if not people:
            self.touch()
        return people

    def mark_away(self, people: set[str]) -> bool:
        """These people are away, but for those who have another page open. Answers whether anybody is away
        who was not before."""
        gone = people - self.present() - self.away.keys()
        self.away |= dict.fromkeys(gone, time.time())
        return bool(gone)

    def is_here(self, seat: int) -> bool:
        """True if the person of a seat has a page open, here or on another server."""
        here = self.present() | self.here
        return any(info.seat == seat and info.person in here for info in self.table.seats)

    def present(self) -> set[str]:
        """The people who have a page open here."""
        return set[str]().union(*(self._people_of(page.visitor) for page in self.pages))

    @property
    def watching(self) -> int:
        """How many people have a page open here and no seat."""
        return len({page.visitor.key for page in self.pages if not self.seats_of(page.visitor)})

    def _people_of(self, visitor: Visitor) -> set[str]:
        """The people who are here if this visitor is."""
        people = (self.table.seats[seat].person for seat in self.seats_of(visitor))
        return {person for person in people if person}

    @property
    def serial(self) -> int:
        """How many changes everybody can see. It follows from the database, so all servers count alike.
        Called in a worker thread."""
        return self.shown + (self.match().version(SPECTATOR) if self.ready else 0)

    def serial_of(self, visitor: Visitor) -> int:
        """How many changes this visitor could see. Drafts of others are not counted, so that nobody can count
        them. Called in a worker thread, for what has been stored under the lock of the match."""
        seats = self.seats_of(visitor)
        played = sum(self.match().version(seat) for seat in seats) if self.ready else 0
        return self.serial + played + sum(self._noted.get(seat, 0) for seat in seats)

    def touch(
        self, seats: Collection[int] | None = None, mover: Visitor | None = None, patience: float = 0.0
    ) -> None:
        """Something has changed for these seats (None: for all): their pages get a message. `mover`: who has
        done it, and is answered anyway; the pages of the others come first. `patience`: see
        `OpenPage.touch`."""
        for page in self.pages:
            if seats is None or not set(seats).isdisjoint(self.seats_of(page.visitor)):
                own = mover is not None and page.visitor.key == mover.key
                page.touch(max(patience, MOVER) if own else patience)

    def check_pages(self) -> None:
        """Somebody may have lost the right to look. Every page is asked before its next message."""
        for page in self.pages:
            page.touch()

    # ---- bots, as pages show them

    def set_thinking(self, seat: int | None) -> None:
        """The bot of this seat is at work; None: no bot is."""
        self.thinking = seat

    def set_preparing(self, waits: bool) -> None:
        """A strong bot waits until the rules are compiled, or waits no longer. Pages are told if that is new
        to them."""
        if waits or self.preparing:
            self.preparing = waits
            self.touch()
