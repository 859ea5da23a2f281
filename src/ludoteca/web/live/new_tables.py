"""Opening tables: from what somebody wants to play to the plan of the seats."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ludoteca.game import GameError, load
from ludoteca.lessons import Lesson, lesson_of, lessons
from ludoteca.match import BOT, clean_name, deal_colours, files
from ludoteca.puzzles import Exercise, Puzzle, puzzle_of
from ludoteca.puzzles.memory import daily, day_of, next_puzzle
from ludoteca.search import LEVELS
from ludoteca.store import OPEN, Person, SeatPlan, Table
from ludoteca.text import words
from ludoteca.web.live.guide import Learnt
from ludoteca.web.live.server import TableServer
from ludoteca.web.live.table import LiveTable
from ludoteca.web.offers.catalogue import bot_name, known_game, known_level
from ludoteca.web.people.preferences import Preferences
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.serving.errors import NotFound

LONGEST_FILE = 30_000
"""Characters of the longest match file: several times what a long match takes, and seconds to replay."""

Mode = Literal['bot', 'here', 'link', 'open']
Who = Literal['me', 'here', 'bot', 'open']


@dataclass(frozen=True)
class SeatChoice:
    """Who shall take a seat: the visitor, somebody at the same screen, a bot of a level, or anybody who
    comes. A person at the screen without a name is called by the colour."""

    who: Who
    level: str = ''
    name: str = ''
    colour: str = ''


@dataclass(frozen=True)
class TablePlan:
    """What somebody wants to play. `colours`: the person's own, or at one screen those of all; without them
    the person's preferred colour is taken. `seats` say who takes part; then `mode` only says whether anybody
    may take the open ones ('open') or only people with a link. `hints`: may people who play each other ask
    for hints?"""

    game: str
    mode: Mode
    players: int | None
    level: str
    options: Mapping[str, Any] = field(default_factory=dict)
    colours: Sequence[str] = ()
    seats: Sequence[SeatChoice] = ()
    hints: bool = False


async def open_table(server: TableServer, person: Person, plan: TablePlan) -> LiveTable:
    """A new table. Raises GameError."""
    game = known_game(plan.game)
    await asyncio.to_thread(server.sets.check, game)
    seats = seat_plans(person, plan)
    load(game).options.read(plan.options)
    return await server.open_table(person.id, game, seats, plan.options, plan.mode == 'open', plan.hints)


def seat_plans(person: Person, plan: TablePlan) -> list[SeatPlan]:
    """Who takes part. Who sits where, and so who begins, is drawn later. Raises GameError."""
    rules = load(plan.game)
    players, _ = rules.checked(len(plan.seats) or plan.players)
    if plan.seats and plan.players not in (None, len(plan.seats)):
        raise GameError(words('web.error.seats', seats=len(plan.seats), players=plan.players))
    choices = list(plan.seats) or _seats_of_mode(person, plan, players)
    if sum(choice.who == 'me' for choice in choices) != 1:
        raise GameError(words('web.error.one_seat'))
    wanted = [choice.colour for choice in choices]
    dealt = deal_colours(rules.colours(players), wanted)
    numbers = iter(range(1, players))
    found = []
    for choice, colour in zip(choices, dealt, strict=True):
        name = clean_name(choice.name)
        if choice.who == BOT:
            found.append(
                replace(_bot(known_level(choice.level), next(numbers), players), colour=choice.colour)
            )
        elif choice.who == OPEN:
            found.append(SeatPlan(OPEN, colour=choice.colour))
        elif choice.who == 'here' and not name:
            found.append(SeatPlan(person=person.id, name=words(f'colour.{colour}'), colour=colour))
        else:
            found.append(SeatPlan(person=person.id, name=name, colour=choice.colour))
    return found


def _seats_of_mode(person: Person, plan: TablePlan, players: int) -> list[SeatChoice]:
    """The seats of a plan that names none. Raises GameError."""
    if plan.mode != 'here' and len(plan.colours) > 1:
        raise GameError(words('web.error.colours', colours=len(plan.colours)))
    chosen = [*plan.colours] or [Preferences.read(person.settings).colour]
    if plan.mode == 'here':
        # round one screen everybody is called by the colour
        dealt = deal_colours(load(plan.game).colours(players), chosen)
        names = [words(f'colour.{colour}') for colour in dealt]
        first = SeatChoice('me', name=names[0], colour=dealt[0])
        return [first, *(SeatChoice('here', colour=colour) for colour in dealt[1:])]
    other = SeatChoice('bot', plan.level) if plan.mode == 'bot' else SeatChoice('open')
    return [SeatChoice('me', colour=chosen[0]), *[other] * (players - 1)]


def _bot(level: str, number: int, players: int) -> SeatPlan:
    """A bot of a level."""
    return SeatPlan(BOT, level=level, name=bot_name(level, number, players))


# ---- lessons -----------------------------------------------------------------------------------------------


async def open_lesson(
    server: TableServer, visitor: Visitor, game: str, lesson: str = '', step: int | None = None
) -> LiveTable:
    """The table of a lesson, for a visitor who is a person of the database. Without `lesson` it is the one
    that was left last, else the first that the person has not finished. Raises GameError."""
    known = lessons(known_game(game))
    if not known:
        raise GameError(words('lesson.error.none', game=load(game).title))
    assert visitor.id is not None
    assert visitor.person is not None
    if lesson:
        found = lesson_of(game, lesson)
    else:
        learnt = Learnt(await asyncio.to_thread(server.store.lessons_of, visitor.id))
        found = learnt.following(game) or known[0]
    return await server.open_lesson(visitor, found, step, lesson_plans(visitor.person, found))


def lesson_plans(person: Person, lesson: Lesson) -> list[SeatPlan]:
    """Who takes part in a lesson: the person, and the weakest bots, who play when the lesson is over."""
    level, numbers = next(iter(LEVELS)), iter(range(1, lesson.players))
    return [
        SeatPlan(person=person.id, name=person.name)
        if seat == lesson.seat
        else _bot(level, next(numbers), lesson.players)
        for seat in range(lesson.players)
    ]


# ---- exercises ---------------------------------------------------------------------------------------------


async def open_exercise(server: TableServer, visitor: Visitor, exercise: Exercise) -> LiveTable:
    """The table of an exercise, for a visitor who is a person of the database. Raises GameError."""
    return await server.open_exercise(visitor, exercise)


async def open_puzzle(
    server: TableServer, visitor: Visitor, puzzle: str = '', game: str = '', grade: str = '', after: str = ''
) -> LiveTable:
    """The table of a puzzle: of the one with this id, else of the next one of a game (and grade) after the
    puzzle `after`, else of the puzzle of the day. Raises GameError if there is none."""
    if grade and grade not in LEVELS:
        raise GameError(words('web.error.no_level', levels=', '.join(LEVELS)))
    if puzzle:
        found: Puzzle | None = puzzle_of(known_game(game or puzzle.partition('-')[0]), puzzle)
    elif game:
        assert visitor.id is not None
        cards = await asyncio.to_thread(server.store.puzzle_cards, visitor.id)
        name = known_game(game)

        def due(one: str) -> float | None:
            return cards[one].due if one in cards else None

        found = next_puzzle(name, due, time.time(), grade, [after] if after else [])
    else:
        found = daily(day_of(time.time()))
    if found is None:
        raise GameError(words('web.puzzles.error.none'))
    return await open_exercise(server, visitor, Exercise.of_puzzle(found))


# ---- as last time ------------------------------------------------------------------------------------------


async def open_file(server: TableServer, person: Person, text: str) -> LiveTable:
    """A new table with the finished match of a match file. Raises GameError."""
    match = await asyncio.to_thread(files.read, text, LONGEST_FILE)
    return await server.import_match(person.id, match)


async def plan_again(server: TableServer, visitor: Visitor, table_id: str, level: str = '') -> TablePlan:
    """The plan of another game like the one at a table: the same bots, open seats for other people, the same
    options. `level`: a new level for all bots. Raises NotFound."""
    table = await asyncio.to_thread(server.store.table, table_id)
    if table is None or visitor.id is None or not table.seats_of(visitor.id):
        raise NotFound(words('web.error.no_table'))
    return repeated(table, visitor.id, level)


def repeated(table: Table, person_id: str, level: str = '') -> TablePlan:
    """The plan of a table as one of its people would open it."""
    seats: list[SeatChoice] = []
    shares = len(table.seats_of(person_id)) > 1
    for info in table.seats:
        if info.kind == BOT and info.person is None:
            seats.append(SeatChoice('bot', level or info.level))
        elif info.person != person_id:  # somebody else, even if a bot plays for them by now
            seats.append(SeatChoice('open'))
        else:
            who: Who = 'here' if any(choice.who == 'me' for choice in seats) else 'me'
            seats.append(SeatChoice(who, name=info.name if shares else '', colour=info.colour))
    mode: Mode = 'open' if table.listed else 'link'
    return TablePlan(table.game, mode, None, '', table.options, (), seats, table.hints)
