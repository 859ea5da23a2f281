"""What the tests of Myraclia share: positions written by hand, the real game beside the model, games by
chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import ludoteca
from ludoteca.game import Position
from ludoteca.game import position as read
from tests.myraclia.model import COLOURS, CUBES, TABLE, TILES, Game, Heap, Place, Tile, beside, heap
from tests.sentences import errors

MYRACLIA = ludoteca.load('myraclia')
EVERYTHING = {'layout': 'random', 'cubes': 3, 'kickstarter': True, 'eternity': True, 'darkness': True}
ARRANGED = {'layout': 'arranged'}
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    *({name: value} for name, value in EVERYTHING.items()),
    ARRANGED,
    EVERYTHING,
)
"""The options singly, the players' own start, and all together."""
TABLES = [(players, options) for options in OPTIONS for players in (2, 3, 4, 5)]
SHARED_OUT = [
    (players, options) for players, options in TABLES if (players + OPTIONS.index(options)) % 2 == 0
]
"""All of the options for any number of players; and each for two of these numbers, in turn."""
ORDINARY: list[str] = [printed['id'] for printed in TABLE['tiles']]
"""The 56 tiles of the game itself."""

ERRORS = errors(MYRACLIA)
"""The game's sentences about what is wrong, by their keys."""

Policy = Callable[[Game, list[str], random.Random], str]


def read_position(data: Any) -> Position:
    """The position that is written as JSON."""
    return read(data)


def assert_same(position: Position, game: Game) -> None:
    """The real position shows what the model's does, and both bags hold the same."""
    shown, expected = position.to_json(), game.json()
    differing = {key for key in shown | expected if shown.get(key) != expected.get(key)}
    if game.ending:
        differing -= {'to_move'}  # means nothing then
    assert not differing, {key: (shown.get(key), expected.get(key)) for key in differing}
    assert bag(position) == game.bag
    assert tile_bag(position) == game.tile_bag
    assert position.ending == game.ending
    if game.ending:
        winners = game.winners()
        assert position.outcome() == [
            1 / len(winners) if seat in winners else 0 for seat in range(game.players)
        ]
    assert position.scores() == game.points


def bag(position: Position) -> Heap:
    """The cubes in the bag."""
    return heap(dict(zip(COLOURS, map(int, position.state.bag), strict=True)))


def tile_bag(position: Position) -> set[str]:
    """The tiles in the bag."""
    return {tile for k, tile in enumerate(TILES) if int(position.state.tile_bag) >> k & 1}


# ---- games by chance ---------------------------------------------------------------------------------------


def anything(game: Game, legal: list[str], chooser: random.Random) -> str:
    """Any legal action; a pass or the end of a turn only one time in five that it is drawn."""
    name = chooser.choice(legal)
    rest = [other for other in legal if other not in ('pass', 'end turn')]
    return chooser.choice(rest) if name in ('pass', 'end turn') and rest and chooser.random() < 0.8 else name


def prefer(*words: str) -> Policy:
    """Mostly actions whose names have one of these words, the first that is there."""

    def policy(game: Game, legal: list[str], chooser: random.Random) -> str:
        for word in words:
            chosen = [name for name in legal if word in name.split()]
            if chosen and chooser.random() < 0.9:
                return chooser.choice(chosen)
        return anything(game, legal, chooser)

    return policy


def crowd(game: Game, legal: list[str], chooser: random.Random) -> str:
    """In the draft everybody takes from the right, and then from the left: disks stand in few columns."""
    if game.phase == 'draft':
        taken = [name for colour in reversed(game.columns) for name in legal if name == f'draft {colour}']
        return taken[0] if chooser.random() < 0.8 else taken[-1]
    return anything(game, legal, chooser)


def played(
    players: int, seed: int, options: Mapping[str, Any], most: int = 10**6
) -> Iterator[tuple[Position, str]]:
    """A game by chance: every position (the same object, changed), with the name of the action that led to it
    ('' at the start)."""
    chooser, position = (
        random.Random(f'{players} {seed} {options}'),
        ludoteca.new('myraclia', players, seed, options),
    )
    yield position, ''
    while not position.over and most:
        most -= 1
        legal = position.legal()
        name = chooser.choice(legal)
        if name in ('pass', 'end turn'):
            name = chooser.choice(legal)
        position.apply(position.actions()[legal.index(name)])
        yield position, name


# ---- positions by hand -------------------------------------------------------------------------------------


def some_tile(wanted: Callable[[Tile], object], *, but: Sequence[str] = ()) -> str:
    """The first tile of the kind wanted: what most tiles show is reconstructed, so tests ask for what they
    need."""
    return next(name for name in ORDINARY if name not in but and wanted(TILES[name]))


def quiet_tiles(but: Sequence[str] = ()) -> Iterator[str]:
    """Tiles for the rest of a surface and the display: first those that release nothing."""
    return (
        name
        for name in sorted(ORDINARY, key=lambda name: TILES[name].released is not None)
        if name not in but
    )


def flower(middle: str = '', *ring: str, spare: Sequence[str] = ()) -> dict[Place, str]:
    """A tile at 0,0 and six round it, from 1,0 on: 1,0 -1,0 0,1 0,-1 1,-1 -1,1. The rest are tiles that
    release nothing, none of `spare`."""
    given = (middle, *ring, *spare, 'P04', 'F07', 'W05')
    rest = quiet_tiles(given)
    return {(0, 0): middle or next(rest)} | {
        place: ring[k] if k < len(ring) else next(rest) for k, place in enumerate(beside((0, 0)))
    }


def described(
    tiles: Mapping[Place, str],
    *,
    players: int = 2,
    to_move: int = 0,
    owners: Mapping[Place, int] | None = None,
    reserved: Mapping[Place, int] | None = None,
    cubes_on: Mapping[Place, str] | None = None,
    tokens_on: Mapping[Place, str] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A position as JSON: `tiles` by place, what lies on them by place too, cubes and tokens as texts."""
    surface = []
    for place, tile in tiles.items():
        entry: dict[str, Any] = {'tile': tile, 'at': list(place)}
        entry |= {
            key: given[place]
            for key, given in (('owner', owners or {}), ('reserved', reserved or {}))
            if place in given
        }
        entry |= {
            key: given[place].split()
            for key, given in (('cubes', cubes_on or {}), ('tokens', tokens_on or {}))
            if place in given
        }
        surface.append(entry)
    shown = quiet_tiles([*tiles.values()])
    return {
        'game': 'myraclia',
        'players': players,
        'to_move': to_move,
        'surface': surface,
        'display': [next(shown, None) for _ in range(3)],
    } | more


def turn(
    tiles: Mapping[Place, str], pool: str | Mapping[str, int] = '', zone: str = '', **more: Any
) -> Position:
    """A turn of terraforming, in the second round if nothing else is said: the seat to move has the cubes of
    `pool` (a text of colours, or a heap), the exchange zone those of `zone`."""
    mine = heap(pool.split() if isinstance(pool, str) else pool)
    lent = heap(zone.split())
    given = (
        {'pool': dict(heap(mine + lent)), 'lent': dict(lent), 'budget': mine.total()} if mine or zone else {}
    )
    merged: dict[str, Any] = {'phase': 'turn', 'round': 2} | given | more
    return read_position(described(tiles, **merged))


def starting(to_lay: Sequence[str], *places: Place, players: int = 2, **more: Any) -> Position:
    """Starting tiles are laid: these are left, some others lie on the places."""
    lain = zip(places, quiet_tiles(to_lay), strict=False)
    surface = [{'tile': tile, 'at': list(place)} for place, tile in lain]
    return read_position(
        {
            'game': 'myraclia',
            'players': players,
            'options': ARRANGED,
            'to_move': 0,
            'phase': 'arrange',
            'surface': surface,
            'display': [None] * 3,
            'to_lay': list(to_lay),
        }
        | more
    )


def last_turn(tiles: Mapping[Place, str], **more: Any) -> Position:
    """The turn of the last player of a round, seat 0; nothing is in the pool."""
    players = more.get('players', 2)
    return turn(tiles, order=[*range(1, players), 0], **more)


def drafting(board: Mapping[str, int], **more: Any) -> Position:
    """A draft with these cubes on the drafting board."""
    return read_position(described(flower(), board=dict(heap(board)), **more))


def names(position: Position, word: str) -> list[str]:
    """The legal actions whose names begin with a word, without it."""
    return [name.removeprefix(f'{word} ') for name in position.legal() if name.split()[0] == word]


def discarded(bag: Mapping[str, int], elsewhere: Mapping[str, int]) -> dict[str, int]:
    """The discard pile that leaves these cubes in the bag, if others lie elsewhere."""
    return dict(heap(Counter(CUBES) - Counter(bag) - Counter(elsewhere)))


def json_of(position: Position, key: str, default: Any = None) -> Any:
    """A part of the position's JSON."""
    return position.to_json().get(key, default)
