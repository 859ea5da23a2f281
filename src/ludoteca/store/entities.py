"""What the store keeps, as plain data, and how it is read from rows."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from sqlalchemy import Row

from ludoteca.game import Value, load
from ludoteca.match import BOT, PERSON, MatchResult, deal_colours
from ludoteca.store.models import ChatRow, PersonRow, TableRow

OPEN: Final = 'open'
Status = Literal['open', 'running', 'finished', 'frozen', 'closed']
BEST_OF: Final = 3
"""The most games of a series."""


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
    """Who shall have a seat: a person (by id; `name` if it differs from the person's), a bot of a level, or
    nobody yet; and the colour that was chosen for it, if any."""

    kind: Literal['person', 'bot', 'open'] = PERSON
    person: str | None = None
    name: str = ''
    level: str = ''
    colour: str = ''


@dataclass(frozen=True)
class SeatInfo:
    """A seat at a table. `person` is whose it is, also while a bot stands in. `waiting`: can it choose
    something now (in a sealed phase only for the seat itself to know), or answer to a rematch? `colour`: the
    one that was chosen, '' for none; see `Table.colours`."""

    seat: int
    kind: Literal['person', 'bot', 'open']
    person: str | None
    name: str
    level: str
    waiting: bool
    colour: str = ''


@dataclass(frozen=True)
class Table:
    """A table and how it stands; `previous` is the table of which it is the rematch, `next` its own rematch,
    `series` which game of a best of three it is (from 1; 0: of none).
    `shuffled`: is it drawn who sits where? `rated`: does the match count, see `Match.rated`? `lesson`: the id
    of the lesson that is given there, `exercise` that of the exercise, '' for none. `hints`: see
    `hints_open`."""

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
    result: MatchResult | None
    created: float
    updated: float
    seats: tuple[SeatInfo, ...]
    shuffled: bool = False
    rated: bool = True
    lesson: str = ''
    exercise: str = ''
    hints: bool = False
    series: int = 0
    # see TableRow; they tell a server whether it knows all, and say nothing of the table
    revision: int = field(default=0, compare=False, repr=False)
    shown: int = field(default=0, compare=False, repr=False)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of all seats; before the match begins, as they are if nobody chooses another and
        nothing is drawn."""
        return deal_colours(load(self.game).colours(self.players), [info.colour for info in self.seats])

    @property
    def wins(self) -> dict[str, float]:
        """By colour, which a player keeps in rematches, what the match counts."""
        return dict(zip(self.colours, self.result.wins, strict=True)) if self.result else {}

    @property
    def full(self) -> bool:
        """Are all seats taken?"""
        return all(s.kind != OPEN for s in self.seats)

    def seats_of(self, person: str | None) -> tuple[int, ...]:
        """The seats that belong to a person."""
        return tuple(s.seat for s in self.seats if person is not None and s.person == person)

    @property
    def hints_open(self) -> bool:
        """True if hints may be asked for: always by a person alone with bots or at one screen, among several
        people only where they agreed to it."""
        return self.hints or not self.between_people

    @property
    def between_people(self) -> bool:
        """True if several people play each other, or may come to."""
        people = [info.person for info in self.seats if info.kind != BOT or info.person is not None]
        return len(set(people)) > 1 or None in people

    def waits_for(self, person: str | None) -> bool:
        """True if this person can choose something now, or answer to a rematch."""
        over = self.status == 'finished'  # a bot that has stood in does not answer
        return any(s.waiting and (over or s.kind == PERSON) and s.person == person for s in self.seats)

    @property
    def is_rematch_asked(self) -> bool:
        """True if a rematch waits for somebody's answer."""
        return self.status == 'finished' and any(s.waiting for s in self.seats)


@dataclass(frozen=True)
class ChatLine:
    """Something said at a table: its number among all lines there (from 0), who said it (-1: no seat, or
    before the match had begun), under which name, and when."""

    number: int
    seat: int
    name: str
    text: str
    time: float


@dataclass(frozen=True)
class Favourite:
    """An arrangement that a person likes to use again: `steps` are the names of all its steps, separated by
    spaces."""

    id: str
    game: str
    name: str
    steps: str


@dataclass(frozen=True)
class Token:
    """What a bearer token opens. `begun`: had the match begun when this was read? Before that it may still be
    drawn who sits where, and the token goes with its seat."""

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


def is_id(text: str) -> bool:
    """Could this be an id or a link's token? No database is asked about anything else (some refuse NUL)."""
    return re.fullmatch(r'[A-Za-z0-9_-]{1,100}', text) is not None


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# ---- from rows ---------------------------------------------------------------------------------------------


def person_of(row: PersonRow) -> Person:
    return Person(row.id, row.name, dict(row.settings), row.created, row.seen)


def result_of(data: Mapping[str, Any] | None) -> MatchResult | None:
    return (
        MatchResult(data['ending'], data['by'], tuple(data['outcome']), tuple(data['scores']))
        if data
        else None
    )


def table_of(
    row: TableRow | Row[Any], following: str | None, chairs: Iterable[Row[Any]] | None = None
) -> Table:
    """A table, from its row. `chairs`: the rows of its seats in their order, if the row is a plain one."""
    seats = tuple(
        SeatInfo(s.seat, cast(Any, s.kind), s.person, s.name, s.level, s.waiting, s.colour)
        for s in (row.seats if chairs is None else chairs)
    )
    return Table(
        row.id,
        row.game,
        row.players,
        dict(row.options),
        cast(Status, row.status),
        row.sentence,
        row.listed,
        row.owner,
        row.previous,
        following,
        row.turns,
        result_of(row.result),
        row.created,
        row.updated,
        seats,
        row.shuffled,
        row.rated,
        row.setup.get('lesson', '') if isinstance(row.setup, dict) else '',  # it may be damaged
        row.setup.get('exercise', '') if isinstance(row.setup, dict) else '',
        row.hints,
        row.series,
        row.revision,
        row.shown,
    )


def goes_on(series: int, score: Mapping[str, float]) -> bool:
    """True if a best of three has another game after number `series`."""
    return 0 < series < BEST_OF and max(score.values(), default=0) <= BEST_OF / 2


def added(score: Mapping[str, float], wins: Mapping[str, float]) -> dict[str, float]:
    """A score, and one game more."""
    return {colour: score.get(colour, 0) + wins.get(colour, 0) for colour in wins or score}


def line_of(row: ChatRow | Row[Any]) -> ChatLine:
    return ChatLine(row.number, row.seat, row.name, row.text, row.time)
