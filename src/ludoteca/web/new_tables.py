"""Opening tables: from what somebody wants to play to the plan of the seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ludoteca.game import GameError, load
from ludoteca.match import deal_colours
from ludoteca.search import LEVELS
from ludoteca.store import OPEN, Person, SeatPlan
from ludoteca.text import words
from ludoteca.web.catalogue import known_game, known_level
from ludoteca.web.live_table import LiveTable
from ludoteca.web.preferences import Preferences
from ludoteca.web.table_server import TableServer

Mode = Literal['bot', 'here', 'link', 'open']


@dataclass(frozen=True)
class TablePlan:
    """What somebody wants to play. `colours`: the person's own, at one screen those of all; without them the
    one that the person prefers."""

    game: str
    mode: Mode
    players: int | None
    level: str
    options: Mapping[str, Any] = field(default_factory=dict)
    colours: Sequence[str] = ()


async def open_table(server: TableServer, person: Person, plan: TablePlan) -> LiveTable:
    """A new table. Raises GameError."""
    game = known_game(plan.game)
    seats = seat_plans(person, plan)
    load(game).options.read(plan.options)
    return await server.open_table(person.id, game, seats, plan.options, plan.mode == 'open')


def seat_plans(person: Person, plan: TablePlan) -> list[SeatPlan]:
    """Who takes part. Who sits where, and so who begins, is drawn later. Raises GameError."""
    rules = load(plan.game)
    players, _ = rules.checked(plan.players)
    if plan.mode != 'here' and len(plan.colours) > 1:
        raise GameError(words('web.error.colours', colours=len(plan.colours)))
    chosen = [*plan.colours] or [Preferences.read(person.settings).colour]
    if plan.mode == 'here':
        # round one screen everybody is called by the colour
        return [
            SeatPlan(person=person.id, name=words(f'colour.{colour}'), colour=colour)
            for colour in deal_colours(rules.colours(players), chosen)
        ]
    own = SeatPlan(person=person.id, colour=chosen[0])
    if plan.mode == 'bot':
        level = plan.level
        return [own, *(_bot(known_level(level), number, players) for number in range(1, players))]
    return [own, *(SeatPlan(OPEN) for _ in range(players - 1))]


def _bot(level: str, number: int, players: int) -> SeatPlan:
    """A bot of a level. Several of one level have different names, as far as there are names."""
    names, levels = words('web.bots').split(), list(LEVELS)
    named = players <= 5 and level in levels
    name = names[levels.index(level) * 4 + number - 1] if named else level
    return SeatPlan('bot', level=level, name=name)
