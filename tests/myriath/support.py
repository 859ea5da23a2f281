"""What the tests of Myriath share: short positions, comparisons with the model, and kinds of sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ludoteca
from ludoteca.game import Position
from ludoteca.game import position as read
from tests.myriath.model import ORIENTATIONS, Game
from tests.sentences import errors

MYRIATH = ludoteca.load('myriath')
ERRORS = errors(MYRIATH)
"""The game's sentences about what is wrong, by their keys."""
N_CROSSINGS = 121
"""Crossings of the largest area: the piece is worth so many numbers of an action."""
FIRST_OCTAGON = 108 * N_CROSSINGS
PASS = FIRST_OCTAGON + N_CROSSINGS


def read_position(data: Any) -> Position:
    """The position that is written as JSON."""
    return read(data)


def at(crossing: str) -> list[int]:
    """A crossing as positions have it."""
    return ['abcdefghijk'.index(crossing[0]), int(crossing[1:]) - 1]


def written(owner: int, name: str) -> dict[str, Any]:
    """A tile of a position from the name of its placement."""
    tile, *orientation, crossing = name.split()
    number = ORIENTATIONS.index(orientation[0]) if orientation else 0
    return {'owner': owner, 'tile': tile, 'orientation': number, 'at': at(crossing)}


def as_json(laid: Mapping[int, str], *, to_move: int = 0, players: int = 2, **more: Any) -> dict[str, Any]:
    """A position in which each seat has laid what is written for it, with commas between."""
    tiles = [written(owner, name) for owner, names in laid.items() for name in names.split(', ')]
    return {'game': 'myriath', 'players': players, 'to_move': to_move, 'tiles': tiles, **more}


def position(laid: Mapping[int, str], *, to_move: int = 0, players: int = 2, **more: Any) -> Position:
    """The position of `as_json`."""
    return read_position(as_json(laid, to_move=to_move, players=players, **more))


def names(position: Position) -> set[str]:
    """The names of the legal actions; each is listed once."""
    listed = position.legal()
    assert len(set(listed)) == len(listed)
    return set(listed)


def gains(position: Position, name: str) -> list[float]:
    """The points that a step gives each seat."""
    after = position.copy().after(name)
    return [new - old for new, old in zip(after.scores(), position.scores(), strict=True)]


def tiles_of(data: Mapping[str, Any]) -> list[tuple[int, str, int, list[int]]]:
    """The tiles of a position as plain values, in ascending order."""
    return sorted(
        (entry['owner'], entry['tile'], entry['orientation'], entry['at']) for entry in data['tiles']
    )


def assert_same(position: Position, game: Game) -> None:
    """The real position shows what the model's does."""
    data, laid = position.to_json(), [written(owner, tile.name) for owner, tile in game.laid]
    assert tiles_of(data) == tiles_of({'tiles': laid})
    assert position.scores() == [half / 2 for half in game.points]
    assert data['scores'] == position.scores()
    assert data.get('passes', 0) == game.passes
    assert data['to_move'] == game.to_move
    assert position.state.turn == game.turn
    assert position.ending == game.ending
    assert position.outcome() == game.outcome
