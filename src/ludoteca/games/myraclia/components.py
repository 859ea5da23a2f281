"""Tiles, tokens, cubes and the plane of Myraclia as tables, derived from tiles.json.

A COLOUR 0..6 is green, yellow, orange, red, blue, black, white: from the most common to the rarest. A SURFACE
0..3 is plains, forests, water, mountains. A TILE is a number: 0..55 the tiles, 56 the Kickstarter tile,
57..59 the Darkness tiles. A CELL is a place for a tile, axial coordinates q, r (pointed tops; neighbours
(+-1, 0), (0, +-1), (1, -1), (-1, 1)) within a window of 41 x 41, which no surface can leave: q + 20 + 41 * (r
+ 20). A TOKEN 0..15 is one of the Eternity tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ludoteca.game.components import ComponentTable
from ludoteca.game.kinds import Each, Entry, OneOf, Several, Whole
from ludoteca.text import Words

_ELEMENTS = ('green', 'yellow', 'orange', 'red', 'blue', 'black', 'white')
_SURFACES = ('plains', 'forests', 'water', 'mountains')


def _problems(table: Mapping[str, Any]) -> Iterator[str]:
    words = Words(Path(__file__).parent)
    for tile in table['tiles']:
        if 'released' in tile and tile['released'] not in tile['required']:
            yield words('components.error.released', tile=tile['id'], element=tile['released'])
    for players, cells in table['layouts'].items():
        places = {tuple(cell) for cell in cells}
        beside = [sum((q + dq, r + dr) in places for dq, dr in WAYS) for q, r in places]
        if len(places) < len(cells) or min(beside) < 2 or 2 * sum(n > 2 for n in beside) <= len(cells):
            yield words('components.error.layout', players=players)
    for players, counts in table['players'].items():
        if counts['end_tiles'] > counts['disks']:
            yield words(
                'components.error.end', players=players, tiles=counts['end_tiles'], disks=counts['disks']
            )


WAYS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # to the six neighbours, q and r
_REQUIRED = Several(_ELEMENTS, 2, 5, 'tiles')
TABLE = ComponentTable(
    Path(__file__).parent / 'tiles.json',
    _problems,
    tiles=Each(
        Entry(
            required=_REQUIRED,
            points=Whole(0, 9, 'tiles'),
            released=OneOf(_ELEMENTS, 'released', may_lack=True),
        )
    ),
    kickstarter=Entry(required=Several(_ELEMENTS, 2, 5, 'kickstarter'), points=Whole(0, 9, 'kickstarter')),
    tokens=Each(
        Entry(
            value=Whole(1, 9, 'tokens'),
            element=OneOf(_ELEMENTS, 'tokens'),
            surface=OneOf(_SURFACES, 'tokens'),
        )
    ),
    layouts=Each(Each(Each(Whole(-6, 6, 'layouts')))),
    surface_table=Each(Whole(0, 40, 'surface_table')),
    all_types=Whole(0, 20, 'bonuses'),
    overtaken=Whole(0, 20, 'bonuses'),
    colours=Each(Whole(5, 40, 'cubes')),
    players=Each(
        Entry(
            end_tiles=Whole(2, 12, 'counts'),
            draft_first=Whole(5, 30, 'counts'),
            draft=Whole(5, 30, 'counts'),
        )
    ),
)
_data = TABLE.read(__name__)

# [part of the table] -> how it is known: the first word is `certain`, `reconstructed` or `assumed`
CERTAINTY: dict[str, str] = _data['certainty']
COLOURS: tuple[str, ...] = tuple(_data['colours'])
N_COLOURS = len(COLOURS)
CUBES: tuple[int, ...] = tuple(_data['colours'].values())
SURFACES: tuple[str, ...] = tuple(_data['surfaces'])
N_SURFACES = len(SURFACES)

_tiles = [
    *_data['tiles'],
    _data['kickstarter'],
    *({'id': f'D{k + 1}', 'surfaces': [], 'required': [], 'points': 0} for k in range(_data['darkness'])),
]
TILES: tuple[str, ...] = tuple(tile['id'] for tile in _tiles)
N_TILES = len(TILES)
N_BASE = len(_data['tiles'])
KICKSTARTER = N_BASE
FIRST_DARK = N_BASE + 1
REQUIRED: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted(map(COLOURS.index, tile['required']))) for tile in _tiles
)
POINTS: tuple[int, ...] = tuple(tile['points'] for tile in _tiles)
RELEASED: tuple[int, ...] = tuple(
    COLOURS.index(tile['released']) if 'released' in tile else -1 for tile in _tiles
)
SURFACES_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(map(SURFACES.index, tile['surfaces'])) for tile in _tiles
)

POINT_TOKEN, RELEASE_TOKEN, FREE_TOKEN, SURFACE_TOKEN = range(4)
KINDS = ('points', 'released', 'free', 'surface')
_tokens: list[dict[str, Any]] = _data['tokens']
TOKENS: tuple[str, ...] = tuple(token['id'] for token in _tokens)
N_TOKENS = len(TOKENS)
TOKEN_KIND: tuple[int, ...] = tuple(KINDS.index(token['kind']) for token in _tokens)
# [token] -> points, colour or surface
TOKEN_VALUE: tuple[int, ...] = tuple(
    token['value']
    if 'value' in token
    else COLOURS.index(token['element'])
    if 'element' in token
    else SURFACES.index(token['surface'])
    for token in _tokens
)

PLAYERS = range(2, 6)
START_TILES, DISKS, END_TILES, DRAFT_FIRST, DRAFT = (
    [0, 0, *(_data['players'][str(players)][key] for players in PLAYERS)]
    for key in ('start_tiles', 'disks', 'end_tiles', 'draft_first', 'draft')
)
MOST_START = max(START_TILES)
N_DISPLAY = 3
ALL_TYPES, OVERTAKEN = _data['all_types'], _data['overtaken']
SURFACE_POINTS: list[int] = _data['surface_table']
LAST_ROUND = 40  # a game that has not ended is scored after it

# ---- the plane ---------------------------------------------------------------------------------------------

REACH = 20
SPAN = 2 * REACH + 1
N_CELLS = SPAN * SPAN


def cell_at(q: int, r: int) -> int:
    """The number of a place."""
    return q + REACH + SPAN * (r + REACH)


def place_of(cell: int) -> tuple[int, int]:
    """q and r of a cell."""
    return cell % SPAN - REACH, cell // SPAN - REACH


# How far from 0,0 players can lay starting tiles. The first tile beyond a distance needs two at that
# distance, so each step outwards takes two tiles.
START_REACH = MOST_START // 2
START_SPAN = 2 * START_REACH + 1

LAYOUTS: dict[int, list[int]] = {
    int(players): [cell_at(q, r) for q, r in cells] for players, cells in _data['layouts'].items()
}

# ---- tables for kernels ------------------------------------------------------------------------------------

CUBES_TABLE = np.array(CUBES, np.int64)
# [tile] -> colours as bits
REQUIRED_TABLE = np.array([sum(1 << colour for colour in colours) for colours in REQUIRED], np.int64)
POINTS_TABLE = np.array(POINTS, np.int64)
RELEASED_TABLE = np.array(RELEASED, np.int64)
# [tile, surface] -> how often it shows it
SHOWS_TABLE = np.array(
    [[surfaces.count(surface) for surface in range(N_SURFACES)] for surfaces in SURFACES_OF], np.int64
)
# [tile] -> the same in one number, eight bits a surface
SHOWN_TABLE = (SHOWS_TABLE << 8 * np.arange(N_SURFACES)).sum(axis=1)
TOKEN_KIND_TABLE, TOKEN_VALUE_TABLE = np.array(TOKEN_KIND, np.int64), np.array(TOKEN_VALUE, np.int64)
START_TILES_TABLE, DISKS_TABLE, END_TILES_TABLE, DRAFT_FIRST_TABLE, DRAFT_TABLE = (
    np.array(table, np.int64) for table in (START_TILES, DISKS, END_TILES, DRAFT_FIRST, DRAFT)
)
SURFACE_POINTS_TABLE = np.array(SURFACE_POINTS, np.int64)
LAYOUT_TABLE = np.array(
    [
        [*LAYOUTS.get(players, []), *[0] * (max(START_TILES) - len(LAYOUTS.get(players, [])))]
        for players in range(6)
    ],
    np.int64,
)
STEP_TABLE = np.array([q + SPAN * r for q, r in WAYS], np.int64)
