"""What the tests of Octiles share: short positions, and turns of the real game as turns of the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import ludoteca
from ludoteca.game import Position
from ludoteca.game import position as read
from tests.octiles.model import POSTS, SPACES, Game, Turn, canonical

OCTILES = ludoteca.load('octiles')
FIRST_MOVE = 8 * len(SPACES)
PASS = FIRST_MOVE + len(POSTS) ** 2
EAST = 'F6 F5 F4 F3 F2'


def read_position(data: Any) -> Position:
    """The position that is written as JSON."""
    return read(data)


def decode(actions: Iterable[int]) -> Turn | None:
    """The actions of a whole turn as the model's turn, None for a pass; the numbers are those that the game
    documents."""
    match tuple(actions):
        case (action,) if action == PASS:
            return None
        case (placement, move) if 0 <= placement < FIRST_MOVE <= move < PASS:
            start, end = divmod(move - FIRST_MOVE, len(POSTS))
            return Turn(SPACES[placement // 8], placement % 8, POSTS[start], POSTS[end])
        case other:
            raise AssertionError(f'{other} is neither a pass nor a placement and a move')


def turns(position: Position) -> set[Turn | None]:
    """The legal turns of the real game, each listed once; {None} if the player has to pass."""
    listed = [] if position.over else [decode(turn) for turn in OCTILES.turns(position.state)]
    assert len(set(listed)) == len(listed)
    return set(listed)


def model_turns(game: Game) -> set[Turn | None]:
    """The legal turns of the model in the same form."""
    return set() if game.ending else set(game.turns()) or {None}


def position(
    runners: Mapping[int, str],
    *,
    players: int = 2,
    tiles: Mapping[str, tuple[int, int]] | None = None,
    top: Iterable[int] = (1,),
    **more: Any,
) -> Position:
    """A small position: `runners` gives the posts of each seat, `top` the upper tiles of the stack; the rest
    follows ascending."""
    tiles = tiles or {}
    top = list(top)
    rest = [tile for tile in range(1, 19) if tile not in {number for number, _ in tiles.values()} | set(top)]
    data = {
        'game': 'octiles',
        'players': players,
        'to_move': 0,
        'tiles': {space: list(tile) for space, tile in tiles.items()},
        'stack': top + rest,
        'runners': {post: seat for seat, posts in runners.items() for post in posts.split()},
        **more,
    }
    return read_position(data)


def assert_same(position: Position, game: Game) -> None:
    """The real position shows what the model's does."""
    data = position.to_json()
    assert position.ending == game.ending
    assert data['runners'] == game.runners
    assert {space: tuple(tile) for space, tile in data['tiles'].items()} == game.tiles
    assert tuple(data['stack']) == game.stack
    assert data.get('passes', 0) == game.passes
    if not game.ending:
        assert data['to_move'] == game.to_move
    else:
        assert position.outcome() == (
            [float(seat == game.winner) for seat in range(game.players)]
            if game.winner is not None
            else [1 / game.players] * game.players
        )


def lay(spaces: str, first: int = 2) -> dict[str, tuple[int, int]]:
    """Tiles first, first + 1 ... in rotation 0 on the spaces named."""
    return {space: (tile, 0) for tile, space in enumerate(spaces.split(), first)}


def canonical_tiles(tiles: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Tiles with the smallest rotation that gives their pattern."""
    return {space: (tile, canonical(tile, rotation)) for space, (tile, rotation) in tiles.items()}
