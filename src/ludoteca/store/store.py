"""People, tables, matches and tokens: everything that the program remembers.

    store = Store()                                         # the database of the data folder, brought up to date
    ann = store.new_person('Ann')
    table = store.open_table(game, [SeatPlan(person=ann.id), SeatPlan(OPEN)], owner=ann.id)
    store.join(table.id, store.new_person('Bob').id, invite=store.invite(table.id, 1))      # all seats taken: the match begins
    live = store.live(table.id)
    live.change(lambda match: match.act(0, match.version(0), 'a2:7'))                       # stored for good when this returns

All methods may be called from several threads. Each is one transaction. The database holds no secret that opens a seat: bearer
tokens are kept as hashes, and a link's token is worked out from a key that lies in a file of its own.
"""
from __future__ import annotations

import base64
import dataclasses
import hashlib
import hmac
import re
import secrets
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar, cast

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from ludoteca.game import GameError, Value, load
from ludoteca.match import BOT, PERSON, Entry, Match, Result, Seat, Setup, clean_name, deal_colours, draw_seats
from ludoteca.store.database import Database
from ludoteca.store.folder import StoreError, database_url, secret_key
from ludoteca.store.models import ChatRow, EntryRow, FavouriteRow, NotesRow, PersonRow, SeatRow, TableRow, TokenRow
from ludoteca.text import words

OPEN: Final = 'open'
Status = Literal['open', 'running', 'finished', 'frozen', 'closed']
T = TypeVar('T')

KEPT = 256
"""So many matches stay in memory after their last use."""
SEEN = 60.0
"""Seconds: how exactly it is kept when a person or a token was last seen."""
LINES_KEPT = 1000
"""So many lines of chat are kept of a table."""
FAVOURITES_KEPT = 24
"""So many arrangements are kept of a person for a game."""
NOTES_KEPT = 64
"""On so many things a seat can pencil something."""
PUBLIC_HALF = 16
"""Characters of a link's token that stand in the database; the rest is worked out with the key."""
SIGNATURE = 24
"""Characters of a link's token that are worked out with the key: 144 bits."""


class Conflict(GameError):
    """Another process has changed the match in the meantime."""


@dataclass(frozen=True)
class Person:
    """Somebody with a cookie: id, name ('' until given), settings; times in seconds since 1970."""
    id: str
    name: str
    settings: Mapping[str, Any]
    created: float
    seen: float


@dataclass(frozen=True)
class SeatPlan:
    """What shall become of a seat: a person (by id; `name` if another than the person's), a bot of a level, or open; and the colour
    that was chosen for it, if any."""
    kind: Literal['person', 'bot', 'open'] = PERSON
    person: str | None = None
    name: str = ''
    level: str = ''
    colour: str = ''


@dataclass(frozen=True)
class SeatInfo:
    """A seat at a table. `person` is whose it is, also while a bot stands in. `waiting`: can it choose something now? (In a sealed
    phase only for the seat itself to know.) `invite`: the public half of its link ('': none was made), see `Store.link`. `colour`:
    the one that was chosen, '' for none; see `Table.colours`."""
    seat: int
    kind: Literal['person', 'bot', 'open']
    person: str | None
    name: str
    level: str
    waiting: bool
    invite: str
    colour: str = ''


@dataclass(frozen=True)
class Table:
    """A table and how it stands; `previous` is the table of which it is the rematch, `next` its own rematch. `shuffled`: is it
    drawn who sits where?"""
    id: str
    game: str
    players: int
    options: Mapping[str, Value]
    status: Status
    sentence: str
    listed: bool
    owner: str | None
    previous: str | None
    next: str | None
    turns: int
    result: Result | None
    created: float
    updated: float
    seats: tuple[SeatInfo, ...]
    shuffled: bool = False

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of all seats; before the match begins, as they are if nobody chooses another and nothing is drawn."""
        return deal_colours(load(self.game).colours(self.players), [info.colour for info in self.seats])

    @property
    def full(self) -> bool:
        """Are all seats taken?"""
        return all(s.kind != OPEN for s in self.seats)

    def seats_of(self, person: str | None) -> tuple[int, ...]:
        """The seats that belong to a person."""
        return tuple(s.seat for s in self.seats if person is not None and s.person == person)

    def waits_for(self, person: str | None) -> bool:
        """Can this person choose something now?"""
        return any(s.waiting and s.kind == PERSON and s.person == person for s in self.seats)


@dataclass(frozen=True)
class Line:
    """Something said at a table: its number among all lines there (from 0), who said it (-1: no seat, or before the match had
    begun), under which name, and when."""
    number: int
    seat: int
    name: str
    text: str
    time: float


@dataclass(frozen=True)
class Favourite:
    """An arrangement that a person likes to use again: `steps` are the names of all its steps, separated by spaces."""
    id: str
    game: str
    name: str
    steps: str


@dataclass(frozen=True)
class Token:
    """What a bearer token opens. `begun`: had the match begun when this was read? Before that it may still be drawn who sits
    where, and the token goes with its seat."""
    hash: str = field(repr=False)
    table: str
    seat: int
    person: str | None
    label: str
    created: float
    used: float | None
    revoked: bool
    begun: bool


def new_id() -> str:
    """An id that nobody has and nobody can guess, for a person or a table."""
    return secrets.token_urlsafe(9)


def _is_id(text: str) -> bool:
    """Could this be an id or a link's token? No database is asked about anything else (some refuse NUL)."""
    return re.fullmatch(r'[A-Za-z0-9_-]{1,100}', text) is not None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _person(row: PersonRow) -> Person:
    return Person(row.id, row.name, dict(row.settings), row.created, row.seen)


def _result(data: Mapping[str, Any] | None) -> Result | None:
    return Result(data['ending'], data['by'], tuple(data['outcome']), tuple(data['scores'])) if data else None


def _table(row: TableRow, following: str | None) -> Table:
    seats = tuple(SeatInfo(s.seat, cast(Any, s.kind), s.person, s.name, s.level, s.waiting, s.invite or '',
                           s.colour)
                  for s in row.seats)
    return Table(row.id, row.game, row.players, dict(row.options), cast(Status, row.status), row.sentence, row.listed, row.owner,
                 row.previous, following, row.turns, _result(row.result), row.created, row.updated, seats, row.shuffled)


def _line(row: ChatRow) -> Line:
    return Line(row.number, row.seat, row.name, row.text, row.time)


@dataclass(eq=False)
class Live:
    """A match in memory, joined to its log in the database. There is one for each table in a process."""
    id: str
    match: Match
    _store: Store = field(repr=False)
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def change(self, action: Callable[[Match], T]) -> T:
        """Do something to the match and store it: when this returns it is in the database for good, and only then may anybody
        be told. If `action` raises, or what it did cannot be stored, the match is as before.

        Raises what `action` raises, Conflict (look again), or StoreError."""
        with self.lock:
            known = len(self.match.entries)
            try:
                answer = action(self.match)
                if len(self.match.entries) > known:
                    self._store._append(self, known)
            except Conflict:
                self.match = self._store._rebuild(self.id)
                raise
            except DBAPIError as problem:
                self.match.truncate(known)
                raise StoreError(words('store.error.not_stored')) from problem
            except BaseException:
                self.match.truncate(known)
                raise
            return answer


class Store:
    """The database, opened and brought up to date."""

    def __init__(self, url: str | None = None, clock: Callable[[], float] = time.time, key: bytes | None = None) -> None:
        """`url` as in `database_url`, which is the default; `key`: what links are worked out with (None: the one in the data
        folder, read when it is needed). Raises StoreError."""
        self._database = Database(url or database_url())
        self._clock = clock
        self._key = key
        self._lock = threading.Lock()
        self._lives: weakref.WeakValueDictionary[str, Live] = weakref.WeakValueDictionary()
        self._recent: OrderedDict[str, Live] = OrderedDict()

    @property
    def place(self) -> str:
        """Where the database is, for people."""
        return self._database.place

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    # ---- people

    def new_person(self, name: str = '', settings: Mapping[str, Any] | None = None, person_id: str | None = None) -> Person:
        """A new guest. `person_id`: one that was given out before (`new_id`); if there is somebody of that id already, that one."""
        now = self._clock()
        row = PersonRow(id=person_id or new_id(), name=clean_name(name), settings=dict(settings or {}), created=now, seen=now)
        with self._database.write() as session:
            known = session.get(PersonRow, row.id)
            if known is not None:
                return _person(known)
            session.add(row)
        return _person(row)

    def person(self, person_id: str) -> Person | None:
        """The person of that id, if there is one; notes that it was seen."""
        with self._database.read() as session:
            row = session.get(PersonRow, person_id)
        now = self._clock()
        if row and now - row.seen > SEEN:
            with self._database.write() as session:
                session.execute(update(PersonRow).where(PersonRow.id == person_id).values(seen=now))
        return _person(row) if row else None

    def change_person(self, person_id: str, name: str | None = None, settings: Mapping[str, Any] | None = None) -> Person:
        """Give a person another name, or replace its settings. Raises GameError if there is no such person."""
        with self._database.write() as session:
            row = session.get(PersonRow, person_id)
            if row is None:
                raise GameError(words('store.error.no_guest'))
            if name is not None:
                row.name = clean_name(name)
                open_tables = select(TableRow.id).where(TableRow.status == 'open')
                session.execute(update(SeatRow).where(SeatRow.person == person_id, SeatRow.name == '',
                                                      SeatRow.table_id.in_(open_tables)).values(name=row.name))
            if settings is not None:
                row.settings = dict(settings)
        return _person(row)

    # ---- tables

    def open_table(self, game: str, seats: Sequence[SeatPlan], players: int | None = None, options: Mapping[str, Any] | None = None,
                   owner: str | None = None, listed: bool = False, shuffled: bool = True, begin: bool = True) -> Table:
        """A new table; seats not named are open. If none is open the match begins at once, unless `begin` is False: then it is
        for a call of `begin`, as in `join` and `fill` (to begin needs the compiled rules). `listed`: in the lobby for everybody;
        `shuffled`: who sits where is drawn when the match begins. Raises GameError."""
        rules = load(game)
        players = max(len(seats), rules.players[0]) if players is None else players
        plan = [*seats, *(SeatPlan(OPEN) for _ in range(players - len(seats)))]
        with self._database.write() as session:
            chairs = [self._chair(session, k, s) for k, s in enumerate(plan)]
            checked = Setup.new(game, players, options, [self._seat(chair) for chair in chairs], 0,
                                [chair.colour for chair in chairs])
            row = self._new_table(session, checked, chairs, owner=owner, listed=listed, shuffled=shuffled, begin=begin)
        return _table(row, None)

    def table(self, table_id: str) -> Table | None:
        """The table of that id, if there is one."""
        if not _is_id(table_id):
            return None
        with self._database.read() as session:
            row = session.get(TableRow, table_id)
            return _table(row, self._following(session, table_id)) if row else None

    def tables_of(self, person_id: str, limit: int = 100) -> tuple[Table, ...]:
        """A person's tables: those waiting for it first, then running, open, and the rest, each newest first."""
        waiting = select(SeatRow.table_id).where(SeatRow.person == person_id, SeatRow.kind == PERSON, SeatRow.waiting)
        mine = select(SeatRow.table_id).where(SeatRow.person == person_id)
        order = (TableRow.id.in_(waiting).desc(), (TableRow.status == 'running').desc(), (TableRow.status == 'open').desc(),
                 TableRow.updated.desc(), TableRow.id)
        query = select(TableRow).where((TableRow.owner == person_id) | TableRow.id.in_(mine), TableRow.status != 'closed')
        return self._tables(query.order_by(*order).limit(limit))

    def open_tables(self, limit: int = 100) -> tuple[Table, ...]:
        """The tables in the lobby that anybody may join, newest first."""
        free = select(SeatRow.table_id).where(SeatRow.kind == OPEN)
        query = select(TableRow).where(TableRow.status == 'open', TableRow.listed, TableRow.id.in_(free))
        return self._tables(query.order_by(TableRow.updated.desc(), TableRow.id).limit(limit))

    def count_tables(self, owner: str | None = None, status: Status | None = None, since: float = 0.0) -> int:
        """How many tables there are, of an owner, in a state, opened after a time: for limits."""
        query = select(func.count()).select_from(TableRow).where(TableRow.created >= since)
        if owner is not None:
            query = query.where(TableRow.owner == owner)
        if status is not None:
            query = query.where(TableRow.status == status)
        with self._database.read() as session:
            return session.scalar(query) or 0

    def invite(self, table_id: str, seat: int) -> str:
        """A new link token for an open seat; an older one of the seat opens it no longer. Raises GameError."""
        public = secrets.token_urlsafe(PUBLIC_HALF * 3 // 4)
        with self._database.write() as session:
            self._open_chair(session, table_id, seat).invite = public
        return self._token_of(table_id, public)

    def link(self, table: Table, seat: int) -> str:
        """The token of the link that was made for an open seat; '' if there is none. Only who opened the table may see it."""
        info = table.seats[seat]
        return self._token_of(table.id, info.invite) if info.kind == OPEN and table.status == 'open' and info.invite else ''

    def invited(self, token: str) -> tuple[str, int] | None:
        """The table and the seat that a link token was made for, if any."""
        if not _is_id(token):
            return None
        with self._database.read() as session:
            chair = session.scalar(select(SeatRow).where(SeatRow.invite == token[:PUBLIC_HALF]))
            return (chair.table_id, chair.seat) if chair and self._opens(token, chair) else None

    def watch(self, table_id: str) -> str:
        """The token of the link that lets anybody look at a table as a spectator: its id and a signature."""
        return table_id + self._signature('watch', table_id)

    def watched(self, token: str) -> str | None:
        """The id of the table that a token of `watch` opens, if any."""
        table_id = token[:-SIGNATURE]
        return table_id if _is_id(token) and hmac.compare_digest(token, self.watch(table_id)) else None

    def _token_of(self, table_id: str, public: str) -> str:
        """A link's token: a random public half, drawn for one seat of one table and unique, and its signature."""
        return public + self._signature('link', table_id, public)

    def _signature(self, *parts: str) -> str:
        """With the database alone nobody can make one, and with the key it can be shown as often as it is wanted."""
        if self._key is None:
            self._key = secret_key('links')
        digest = hmac.digest(self._key, '\0'.join((f'ludoteca {parts[0]}', *parts[1:])).encode(), 'sha256')
        return base64.urlsafe_b64encode(digest).decode()[:SIGNATURE]

    def _opens(self, token: str, chair: SeatRow) -> bool:
        """Is this the seat's link? Takes the same time whatever is wrong with it."""
        if not chair.invite:
            return False
        return hmac.compare_digest(token.encode(), self._token_of(chair.table_id, chair.invite).encode())

    def join(self, table_id: str, person_id: str, invite: str | None = None, name: str = '', begin: bool = True,
             colour: str = '') -> Table:
        """Take a seat: the one that the invite opens, or at a listed table any open one (those without an invite first). When the
        last is taken the match begins. A second time with the same invite does nothing. `colour` is what the person would like
        to have: it is theirs if nobody there has chosen it before. Raises GameError."""
        with self._database.write() as session:
            row = self._row(session, table_id)
            if invite is not None:
                chairs = [chair for chair in row.seats if self._opens(invite, chair)]
                if not chairs:
                    raise GameError(words('store.error.link'))
                if chairs[0].kind == PERSON and chairs[0].person == person_id:
                    return _table(row, self._following(session, table_id))
                if chairs[0].kind != OPEN:
                    raise GameError(words('store.error.taken'))
            else:
                if not row.listed:
                    raise GameError(words('store.error.private'))
                chairs = sorted((chair for chair in row.seats if chair.kind == OPEN), key=lambda chair: chair.invite is not None)
                if not chairs:
                    raise GameError(words('store.error.full'))
            if row.status != 'open':
                raise GameError(words('store.error.closed_table'))
            if any(chair.person == person_id for chair in row.seats):
                raise GameError(words('store.error.seated'))
            free = '' if any(chair.colour == colour for chair in row.seats) else colour
            self._fill(session, chairs[0], SeatPlan(PERSON, person_id, name, colour=free))
            if begin:
                self._begin_if_full(session, row)
            row.updated = self._clock()
        return _table(row, None)

    def fill(self, table_id: str, seat: int | None, plan: SeatPlan, begin: bool = True) -> Table:
        """Give an open seat (None: all that are open) to a bot or a person; when no other is left the match begins. Raises
        GameError."""
        with self._database.write() as session:
            row = self._row(session, table_id)
            chairs = [chair for chair in row.seats if chair.kind == OPEN and row.status == 'open' and seat in (None, chair.seat)]
            if not chairs:
                raise GameError(words('store.error.not_open'))
            for chair in chairs:
                self._fill(session, chair, plan)
            if begin:
                self._begin_if_full(session, row)
            row.updated = self._clock()
        return _table(row, None)

    def choose_colour(self, table_id: str, person_id: str, seat: int, colour: str) -> Table:
        """Give a person's seat a colour before the match begins; '' for what will be left. Raises GameError if another has it."""
        with self._database.write() as session:
            row = self._row(session, table_id)
            chairs = [chair for chair in row.seats if chair.person == person_id and chair.seat == seat]
            if not chairs:
                raise GameError(words('store.error.seatless'))
            if row.status != 'open':
                raise GameError(words('store.error.coloured'))
            if colour and any(chair.colour == colour for chair in row.seats if chair is not chairs[0]):
                raise GameError(words('store.error.colour', colour=colour))
            deal_colours(load(row.game).colours(row.players), [colour])         # is it one?
            chairs[0].colour = colour
            row.updated = self._clock()
        return _table(row, None)

    def begin(self, table_id: str) -> Table:
        """Let the match begin, if no seat is open and it has not begun. Raises GameError if there is no such table."""
        with self._database.write() as session:
            row = self._row(session, table_id)
            if row.status == 'open':
                self._begin_if_full(session, row)
        return _table(row, None)

    def to_begin(self) -> list[Table]:
        """The tables at which all seats are taken but whose match has not begun."""
        free = select(SeatRow.table_id).where(SeatRow.kind == OPEN)
        query = select(TableRow).where(TableRow.status == 'open', TableRow.id.not_in(free))
        return list(self._tables(query.order_by(TableRow.created, TableRow.id)))

    def leave(self, table_id: str, person_id: str) -> Table:
        """Stand up from a table whose match has not begun; if its owner does, the table is closed. Raises GameError."""
        with self._database.write() as session:
            row = self._row(session, table_id)
            if row.status != 'open':
                raise GameError(words('store.error.begun'))
            chairs = [chair for chair in row.seats if chair.person == person_id]
            if row.owner == person_id:
                row.status, chairs = 'closed', list(row.seats)
            elif not chairs:
                raise GameError(words('store.error.seatless'))
            else:
                for chair in chairs:
                    chair.kind, chair.person, chair.name, chair.invite, chair.colour = OPEN, None, '', None, ''
            session.execute(update(TokenRow).where(TokenRow.table_id == table_id, TokenRow.seat.in_([c.seat for c in chairs]))
                            .values(revoked=True))          # whoever sits down next is somebody else
            row.updated = self._clock()
        return _table(row, None)

    def rematch(self, table_id: str) -> Table:
        """The table of the rematch, seated as the game declares; if it was opened already, that one. Raises GameError."""
        live = self.live(table_id)
        with live.lock:
            setup, order = live.match.rematch()
        with self._database.write() as session:
            old = self._row(session, table_id)
            if following := self._following(session, table_id):
                return _table(self._row(session, following), self._following(session, following))
            people, colours = [chair.person for chair in old.seats], live.match.colours
            chairs = [SeatRow(seat=k, kind=who.kind, level=who.level, person=people[order[k]], name=who.name, invite=None,
                              waiting=False, colour=colours[order[k]]) for k, who in enumerate(setup.seats)]
            row = self._new_table(session, setup, chairs, owner=old.owner, previous=old.id)
        return _table(row, None)

    # ---- matches

    def live(self, table_id: str) -> Live:
        """The match at a table that has begun, in memory: the same object for all who ask. Raises GameError if there is none, or
        if its game is no longer known."""
        with self._lock:
            live = self._lives.get(table_id)
            if live is None:
                live = self._lives[table_id] = Live(table_id, self._rebuild(table_id), self)
            self._recent[table_id] = live
            self._recent.move_to_end(table_id)
            while len(self._recent) > KEPT:
                self._recent.popitem(last=False)
            return live

    def resume(self) -> list[Live]:
        """At the start of a server: all running matches, rebuilt and checked under the rules as they are now.

        Those that do not fit are marked as frozen, with the sentence; those that fit again run on."""
        found = []
        for table_id in self.running():
            try:
                match, sentence = self._rebuild(table_id), ''
            except GameError as problem:
                match, sentence = None, str(problem)
            status = match.status if match else 'frozen'
            self._mark(table_id, status, match.frozen if match else sentence)
            if match and status == 'running':
                with self._lock:
                    live = self._lives.setdefault(table_id, Live(table_id, match, self))
                found.append(live)
        return found

    def running(self) -> list[str]:
        """The ids of the tables whose match has begun and is not over, the frozen ones included."""
        query = select(TableRow.id).where(TableRow.status.in_(('running', 'frozen'))).order_by(TableRow.created, TableRow.id)
        with self._database.read() as session:
            return list(session.scalars(query))

    def log(self, table_id: str) -> tuple[Setup, list[Entry]]:
        """The set-up and the log of a match (secret while it runs). Raises GameError if the match has not begun."""
        with self._database.read() as session:
            row = self._row(session, table_id)
            if row.setup is None:
                raise GameError(words('store.error.not_begun'))
            query = select(EntryRow).where(EntryRow.table_id == table_id).order_by(EntryRow.number)
            entries = [Entry(cast(Any, e.kind), e.seat, e.action, e.name, e.hash, e.time) for e in session.scalars(query)]
            return Setup.from_json(row.setup), entries

    # ---- chat

    def chat(self, table_id: str, limit: int = 100) -> tuple[Line, ...]:
        """The last lines said at a table, the oldest first."""
        query = select(ChatRow).where(ChatRow.table_id == table_id).order_by(ChatRow.number.desc()).limit(limit)
        with self._database.read() as session:
            return tuple(_line(row) for row in session.scalars(query))[::-1]

    def add_chat(self, table_id: str, name: str, text: str, person_id: str | None = None, seat: int = -1) -> Line:
        """Keep something said at a table: for good when this returns, and only then may anybody be told. Raises GameError."""
        with self._database.write() as session:
            self._row(session, table_id)                # two lines at once: one waits for the other
            last = session.scalar(select(func.max(ChatRow.number)).where(ChatRow.table_id == table_id))
            number = 0 if last is None else last + 1
            row = ChatRow(table_id=table_id, number=number, person=person_id, seat=seat, name=clean_name(name), text=text,
                          time=self._clock())
            session.add(row)
            session.execute(delete(ChatRow).where(ChatRow.table_id == table_id, ChatRow.number <= number - LINES_KEPT))
        return _line(row)

    # ---- favourites

    def favourites(self, person_id: str, game: str) -> tuple[Favourite, ...]:
        """The arrangements that a person keeps for a game, the oldest first."""
        query = select(FavouriteRow).where(FavouriteRow.person == person_id, FavouriteRow.game == game)
        with self._database.read() as session:
            rows = session.scalars(query.order_by(FavouriteRow.created, FavouriteRow.id))
            return tuple(Favourite(row.id, row.game, row.name, row.steps) for row in rows)

    def add_favourite(self, person_id: str, game: str, name: str, steps: str) -> Favourite:
        """Keep an arrangement under a name; one of the same name gives way. Raises GameError."""
        name = clean_name(name)
        if not name:
            raise GameError(words('store.error.favourite_name'))
        with self._database.write() as session:
            if session.scalar(select(PersonRow).where(PersonRow.id == person_id).with_for_update()) is None:
                raise GameError(words('store.error.no_guest'))
            mine = session.scalars(select(FavouriteRow).where(FavouriteRow.person == person_id, FavouriteRow.game == game)).all()
            row = next((other for other in mine if other.name == name), None)
            if row is None:
                if len(mine) >= FAVOURITES_KEPT:
                    raise GameError(words('store.error.favourites', most=FAVOURITES_KEPT))
                row = FavouriteRow(id=new_id(), person=person_id, game=game, name=name, steps=steps, created=self._clock())
                session.add(row)
            row.steps = steps
        return Favourite(row.id, game, name, steps)

    def remove_favourite(self, person_id: str, favourite: str) -> bool:
        """Forget an arrangement; returns whether the person had one of that id."""
        query = delete(FavouriteRow).where(FavouriteRow.id == favourite, FavouriteRow.person == person_id)
        with self._database.write() as session:
            return bool(cast(Any, session.execute(query)).rowcount)

    # ---- notes

    def notes(self, table_id: str) -> dict[int, dict[str, tuple[str, ...]]]:
        """By seat what it pencilled: labels by element. Each seat's are secret to the others."""
        with self._database.read() as session:
            rows = session.scalars(select(NotesRow).where(NotesRow.table_id == table_id))
            return {row.seat: {element: tuple(labels) for element, labels in row.labels.items()} for row in rows}

    def set_note(self, table_id: str, seat: int, element: str, labels: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """What a seat has pencilled on one element from now on; returns all its notes. Raises GameError."""
        with self._database.write() as session:
            self._row(session, table_id)                # two notes at once: one waits for the other
            row = session.get(NotesRow, (table_id, seat))
            kept = {key: list(value) for key, value in row.labels.items() if key != element} if row else {}
            if labels:
                if len(kept) >= NOTES_KEPT:
                    raise GameError(words('store.error.notes', most=NOTES_KEPT))
                kept[element] = list(labels)
            if row:
                row.labels = kept
            else:
                session.add(NotesRow(table_id=table_id, seat=seat, labels=kept))
        return {key: tuple(value) for key, value in kept.items()}

    # ---- tokens

    def new_token(self, table_id: str, seat: int, person_id: str | None = None, label: str = '') -> str:
        """A bearer token with which a program may play a seat. It is shown once: only its hash is kept. Raises GameError."""
        text = secrets.token_urlsafe(32)
        with self._database.write() as session:
            row = self._row(session, table_id)
            if not 0 <= seat < row.players:
                raise GameError(words('store.error.no_seat', seat=seat, last=row.players - 1))
            session.add(TokenRow(hash=_digest(text), table_id=table_id, seat=seat, person=person_id, label=clean_name(label),
                                 created=self._clock(), used=None, revoked=False))
        return text

    def token(self, text: str) -> Token | None:
        """What a bearer token opens; None if it is unknown or revoked."""
        return self._open_token(_digest(text))

    def again(self, token: Token) -> Token | None:
        """The same token as it stands now; None if it has been revoked."""
        return self._open_token(token.hash)

    def _open_token(self, digest: str) -> Token | None:
        now = self._clock()
        with self._database.read() as session:
            row = session.get(TokenRow, digest)
            if row is None or row.revoked:
                return None
            found = self._token(session, row)
        if row.used is None or now - row.used > SEEN:
            with self._database.write() as session:
                session.execute(update(TokenRow).where(TokenRow.hash == digest).values(used=now))
        return found

    def tokens(self, table_id: str, seat: int) -> tuple[Token, ...]:
        """The bearer tokens of a seat, oldest first, the revoked ones too."""
        query = select(TokenRow).where(TokenRow.table_id == table_id, TokenRow.seat == seat).order_by(TokenRow.created)
        with self._database.read() as session:
            return tuple(self._token(session, row) for row in session.scalars(query).all())

    def revoke(self, table_id: str, seat: int, text: str | None = None) -> int:
        """Revoke one bearer token of a seat, or all of them; returns how many."""
        query = update(TokenRow).where(TokenRow.table_id == table_id, TokenRow.seat == seat, TokenRow.revoked.is_(False))
        if text is not None:
            query = query.where(TokenRow.hash == _digest(text))
        with self._database.write() as session:
            return cast(Any, session.execute(query.values(revoked=True))).rowcount or 0

    # ---- inside

    def _row(self, session: Session, table_id: str) -> TableRow:
        row = session.scalar(select(TableRow).where(TableRow.id == table_id).with_for_update())
        if row is None:
            raise GameError(words('store.error.no_table'))
        return row

    def _following(self, session: Session, table_id: str) -> str | None:
        return session.scalar(select(TableRow.id).where(TableRow.previous == table_id))

    def _tables(self, query: Select[Any]) -> tuple[Table, ...]:
        with self._database.read() as session:
            rows = session.scalars(query).all()
            rematches = select(TableRow.previous, TableRow.id).where(TableRow.previous.in_([row.id for row in rows]))
            following = {previous: table_id for previous, table_id in session.execute(rematches)}  # noqa: C416 (rows, not tuples)
            return tuple(_table(row, following.get(row.id)) for row in rows)

    def _open_chair(self, session: Session, table_id: str, seat: int) -> SeatRow:
        row = self._row(session, table_id)
        for chair in row.seats:
            if chair.seat == seat and chair.kind == OPEN and row.status == 'open':
                return chair
        raise GameError(words('store.error.not_open'))

    def _chair(self, session: Session, seat: int, plan: SeatPlan) -> SeatRow:
        chair = SeatRow(seat=seat, kind=OPEN, level='', person=None, name='', invite=None, waiting=False, colour='')
        if plan.kind != OPEN:
            self._fill(session, chair, plan)
        return chair

    def _fill(self, session: Session, chair: SeatRow, plan: SeatPlan) -> None:
        name = plan.name
        if plan.kind == PERSON and plan.person is not None:
            person = session.get(PersonRow, plan.person)
            if person is None:
                raise GameError(words('store.error.no_guest'))
            name = name or person.name
        chair.kind, chair.level, chair.name = plan.kind, plan.level if plan.kind == BOT else '', clean_name(name)
        chair.person = plan.person if plan.kind == PERSON else None
        chair.colour = plan.colour

    def _seat(self, chair: SeatRow) -> Seat:
        return Seat(chair.name, BOT if chair.kind == BOT else PERSON, chair.level)

    def _new_table(self, session: Session, setup: Setup, chairs: list[SeatRow], owner: str | None, listed: bool = False,
                   shuffled: bool = False, previous: str | None = None, begin: bool = True) -> TableRow:
        now = self._clock()
        row = TableRow(id=new_id(), game=setup.game, version=setup.version, players=setup.players, options=dict(setup.options),
                       setup=None, status='open', sentence='', listed=listed, shuffled=shuffled, owner=owner, previous=previous,
                       turns=0, entries=0, result=None, created=now, updated=now, seats=chairs)
        session.add(row)
        if begin:
            self._begin_if_full(session, row)
        return row

    def _begin_if_full(self, session: Session, row: TableRow) -> None:
        """Draw who sits where, deal the colours that are left, draw the seed, and let the match begin, if no seat is open."""
        if any(chair.kind == OPEN for chair in row.seats):
            return
        chairs = list(row.seats)
        order = draw_seats(len(chairs)) if row.shuffled else tuple(range(len(chairs)))
        kept = [(c.kind, c.level, c.person, c.name, c.invite) for c in (chairs[k] for k in order)]
        setup = Setup.new(row.game, row.players, row.options, [self._seat(chairs[k]) for k in order],
                          colours=[chairs[k].colour for k in order])
        match = Match(setup)
        tokens = session.scalars(select(TokenRow).where(TokenRow.table_id == row.id)).all()
        for token in tokens:                            # a token goes with its seat
            token.seat = order.index(token.seat)
        for chair in chairs:
            chair.invite = None
        session.flush()                                 # invites are unique: they must be free before they move
        for k, (chair, values) in enumerate(zip(chairs, kept, strict=True)):
            chair.kind, chair.level, chair.person, chair.name, chair.invite = values
            chair.colour, chair.waiting = match.colours[k], match.may_act(k)
        row.setup, row.status, row.version = setup.json(), 'running', setup.version

    def _rebuild(self, table_id: str) -> Match:
        setup, entries = self.log(table_id)
        return Match.rebuild(setup, entries, self._clock)

    def _append(self, live: Live, known: int) -> None:
        """Store the entries after the first `known`, and how the table stands now, in one transaction."""
        match = live.match
        with self._database.write() as session:
            row = self._row(session, live.id)
            if row.entries != known:
                raise Conflict(words('store.error.conflict'))
            session.add_all(EntryRow(table_id=live.id, number=known + k, kind=e.kind, seat=e.seat, action=e.action, name=e.name,
                                     hash=e.hash, time=e.time) for k, e in enumerate(match.entries[known:]))
            # a draft or a sealed choice does not move the time by which tables are sorted
            if row.turns != match.turns or any(e.kind not in ('step', 'undo') for e in match.entries[known:]):
                row.updated = self._clock()
            row.entries, row.turns, row.status = len(match.entries), match.turns, match.status
            if result := match.result:
                row.result = dataclasses.asdict(result)
            for chair, seat in zip(row.seats, match.seats, strict=True):
                chair.kind, chair.level, chair.waiting = seat.kind, seat.level, match.may_act(chair.seat)

    def _mark(self, table_id: str, status: str, sentence: str) -> None:
        with self._database.write() as session:
            row = self._row(session, table_id)
            if row.status != status or row.sentence != sentence:
                row.status, row.sentence = status, sentence

    def _token(self, session: Session, row: TokenRow) -> Token:
        status = session.scalar(select(TableRow.status).where(TableRow.id == row.table_id))
        return Token(row.hash, row.table_id, row.seat, row.person, row.label, row.created, row.used, row.revoked, status != 'open')


# ---- before an upgrade -------------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Report:
    """What the rules as they are now make of a running match: 'same' version, 'goes on' under another, or 'frozen'; `sentence`
    says it to people."""
    table: str
    game: str
    turns: int
    verdict: Literal['same', 'goes on', 'frozen']
    sentence: str


def check_matches(store: Store) -> Iterator[Report]:
    """Replay all running matches under the rules as they are now and report on each; nothing is changed."""
    for table_id in store.running():
        table = store.table(table_id)
        assert table is not None
        try:
            match = store._rebuild(table_id)
        except GameError as problem:
            yield Report(table_id, table.game, table.turns, 'frozen', str(problem))
            continue
        if match.frozen:
            yield Report(table_id, table.game, table.turns, 'frozen', match.frozen)
        elif match.setup.version == match.game.version:
            yield Report(table_id, table.game, table.turns, 'same',
                         words('store.check.same', version=match.game.version))
        else:
            yield Report(table_id, table.game, table.turns, 'goes on',
                         words('store.check.goes_on', old=match.setup.version, new=match.game.version))
