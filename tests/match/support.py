"""What the tests of matches share: everything that a seat gets to see as one comparable value, and random
play."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ludoteca.game import Game, registry
from ludoteca.match import BOT, SPECTATOR, Match, Seat, Setup, files


def clock() -> Callable[[], float]:
    """A clock that goes on by one second at every look."""
    return itertools.count(1_800_000_000.0).__next__


def new(name: str, players: int, seed: int = 6, bots: int = 0, **options: Any) -> Match:
    """A match of nameless people; on the last seats sit bots."""
    seats = [Seat() for _ in range(players - bots)] + [Seat(kind=BOT, level='easy') for _ in range(bots)]
    return Match(Setup.new(name, players, options, seats, seed=seed), clock())


def seen(match: Match, seat: int) -> dict[str, Any]:
    """All that a seat (-1: a spectator) is ever shown, as plain values."""
    view = match.view(seat, since=0)
    return {
        'version': match.version(seat),
        'state': view.state.tobytes(),
        'actions': view.actions,
        'events': view.events,
        'last': view.last,
        'names': view.names,
        'knowledge': match.knowledge(seat).tobytes(),
        'log': match.log(seat),
        'draft': match.draft(seat),
        'drafted': match.drafted(seat),
        'choices': match.choices(seat),
        'status': match.status,
        'result': match.result,
        'seats': match.seats,
        'turns': match.turns,
        'to_move': match.to_move,
        'request': match.request,
        'notices': match.notices,
        'rated': match.rated,
        'file': files.write(match, seat),
        'history': [match.view(seat, at=turn).state.tobytes() for turn in range(match.turns + 1)],
        'since': [match.view(seat, since=version).events for version in range(match.version(seat) + 1)],
    }


def whole(match: Match) -> list[dict[str, Any]]:
    """What everybody is shown."""
    return [seen(match, seat) for seat in range(SPECTATOR, match.setup.players)]


def step(match: Match, rng: random.Random) -> int:
    """A random step of a random seat that can act; returns the seat."""
    seat = rng.choice([seat for seat in match.to_move if match.may_act(seat)])
    match.act(seat, match.version(seat), rng.choice(match.names(seat)))
    return seat


def play(match: Match, steps: int | None = None, seed: int = 1) -> Match:
    """Random play: so many steps, or to the end."""
    rng = random.Random(seed)
    for _ in itertools.count() if steps is None else range(steps):
        if match.status != 'running':
            break
        step(match, rng)
    return match


@contextmanager
def rules(game: Game) -> Iterator[None]:
    """For a while the game's name stands for these rules."""
    old = registry._added.get(game.name)
    registry.add(game)
    try:
        yield
    finally:
        del registry._added[game.name]
        if old is not None:
            registry.add(old)
