"""The tiles, the region and the museum of Mykerinos as tables, derived from tiles.json.

A SPACE of the region is a number: column + 8 * row, a1 = 0 in the upper left corner, h9 = 71. AREA k are the
spaces of two tiles side by side, 4 columns and 3 rows: 0 and 1 (A, B) in the top row, and so on. A TILE 0..35
is one of seven of each patron, in their order, or the blank one. A PATRON 0..4 is Lady Violet, Lord Lemon,
Sir Brown, Mrs. Blackmore, Colonel Tangerine. A WING 0..4 of the museum belongs to one patron. A ROOM 0..14 is
the 5 room of a wing (0..4), its 3 room (5..9), or the 2 room that it shares with the next wing (10..14).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ludoteca.game.components import ComponentTable
from ludoteca.game.kinds import Each, Entry, Several, Whole
from ludoteca.kernel import words_of
from ludoteca.text import Words


def _problems(table: Mapping[str, Any]) -> Iterator[str]:
    words = Words(Path(__file__).parent)
    for players, income in table['income'].items():
        if income > table['cubes']:
            yield words('components.error.income', players=players, income=income, cubes=table['cubes'])


TABLE = ComponentTable(
    Path(__file__).parent / 'tiles.json',
    _problems,
    tiles=Each(
        Each(Entry(pyramids=Several(range(6), 0, 3, 'pyramids', as_tile=True), points=Whole(0, 9, 'points'))),
    ),
    cubes=Whole(15, 40, 'counts'),
    income=Each(Whole(4, 15, 'counts')),
    neutral_income=Whole(2, 8, 'counts'),
)
_data = TABLE.read(__name__)

CERTAINTY: dict[str, str] = _data['certainty']
PATRONS: tuple[str, ...] = tuple(_data['patrons'])
N_PATRONS = len(PATRONS)
VIOLET, LEMON, BROWN, BLACKMORE, TANGERINE = range(N_PATRONS)
BLANK = N_PATRONS  # the patron of the tile that has none
N_CUBES: int = _data['cubes']  # of each colour
INCOME: dict[int, int] = {int(players): cubes for players, cubes in _data['income'].items()}
NEUTRAL_INCOME: int = _data['neutral_income']  # for each of two players
TILES_OF_SEASON: list[int] = _data['tiles_of_season']
N_SEASONS = len(TILES_OF_SEASON)
MOST_DEALT = max(TILES_OF_SEASON)

_tiles = [(patron, tile) for patron, name in enumerate((*PATRONS, 'blank')) for tile in _data['tiles'][name]]
N_TILES = len(_tiles)
PATRON_OF: tuple[int, ...] = tuple(patron for patron, _ in _tiles)
POINTS_OF: tuple[int, ...] = tuple(tile['points'] for _, tile in _tiles)
# [tile] -> the pyramids on its 2 x 3 spaces, row by row
PYRAMIDS_OF: tuple[tuple[int, ...], ...] = tuple(tuple(tile['pyramids']) for _, tile in _tiles)
# the name of each tile: its patron and its number, 'violet-1' to 'tangerine-7', and 'blank'
TILES: tuple[str, ...] = tuple(
    'blank' if patron == BLANK else f'{PATRONS[patron]}-{1 + PATRON_OF[:tile].count(patron)}'
    for tile, patron in enumerate(PATRON_OF)
)

COLUMNS = 'abcdefgh'
N_COLUMNS, N_ROWS = len(COLUMNS), 9
N_SPACES = N_COLUMNS * N_ROWS
SPACES: tuple[str, ...] = tuple(f'{column}{row + 1}' for row in range(N_ROWS) for column in COLUMNS)
AREAS = 'ABCDEF'
N_AREAS = len(AREAS)
AREA_OF: tuple[int, ...] = tuple(
    2 * (space // N_COLUMNS // 3) + space % N_COLUMNS // 4 for space in range(N_SPACES)
)


def space_of(slot: int, k: int, turned: bool) -> int:
    """The space on which the k-th space of a tile lies: the tile is the `slot`-th of the deal (two an area),
    turned by 180 degrees or not."""
    row, column = divmod(5 - k if turned else k, 2)
    return 4 * (slot // 2 % 2) + 2 * (slot % 2) + column + N_COLUMNS * (3 * (slot // 4) + row)


# ---- the museum --------------------------------------------------------------------------------------------

N_WINGS = 5
N_ROOMS = 3 * N_WINGS
FIVES, THREES, TWOS = (range(k * N_WINGS, (k + 1) * N_WINGS) for k in range(3))
ROOM_POINTS: tuple[int, ...] = (5,) * N_WINGS + (3,) * N_WINGS + (2,) * N_WINGS


def twos_of(wing: int) -> tuple[int, int]:
    """The two 2 rooms of a wing: the one before it on the ring, and the one after it."""
    return TWOS[(wing - 1) % N_WINGS], TWOS[wing]


def wings_of(room: int) -> tuple[int, ...]:
    """The wings to which a room belongs, in the order of the ring."""
    wing = room % N_WINGS
    return (wing, (wing + 1) % N_WINGS) if room in TWOS else (wing,)


def entrances(wing: int, five_door: str) -> tuple[int, ...]:
    """The rooms from which the 5 room of a wing is entered, by the value of the option."""
    return tuple(
        room for room in (THREES[wing], *twos_of(wing)) if ROOM_POINTS[room] in _data['doors'][five_door]
    )


FIVE_DOOR: tuple[str, ...] = tuple(_data['doors'])  # values of the option
# [option five_door] -> the doors between rooms: those of each 5 room, and those of each 3 room into the two 2
# rooms of its wing
DOORS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((FIVES[wing], room) for wing in range(N_WINGS) for room in entrances(wing, five_door))
    + tuple((THREES[wing], room) for wing in range(N_WINGS) for room in twos_of(wing))
    for five_door in FIVE_DOOR
)

# ---- tables for kernels ------------------------------------------------------------------------------------

PATRON_TABLE = np.array(PATRON_OF, np.int64)
POINTS_TABLE = np.array(POINTS_OF, np.int64)
# [slot, tile, turned, word] -> the pyramids of a tile in the region
PYRAMIDS_TABLE = np.array(
    [
        [
            [words_of(space_of(slot, k, bool(turned)) for k in PYRAMIDS_OF[tile]) for turned in range(2)]
            for tile in range(N_TILES)
        ]
        for slot in range(MOST_DEALT)
    ],
    np.int64,
)
AREA_TABLE = np.array(
    [words_of(space for space in range(N_SPACES) if AREA_OF[space] == area) for area in range(N_AREAS)],
    np.int64,
)
# [season, word] -> the spaces of the region, six a tile
REGION_TABLE = np.array([words_of(range(6 * tiles)) for tiles in TILES_OF_SEASON], np.int64)
# [space, word] -> the spaces next to it
BESIDE_TABLE = np.array(
    [
        words_of(
            other
            for other in range(N_SPACES)
            if abs(other // N_COLUMNS - space // N_COLUMNS) + abs(other % N_COLUMNS - space % N_COLUMNS) == 1
        )
        for space in range(N_SPACES)
    ],
    np.int64,
)
EAST_EDGE_TABLE = np.array(words_of(range(N_COLUMNS - 1, N_SPACES, N_COLUMNS)), np.int64)
WEST_EDGE_TABLE = np.array(words_of(range(0, N_SPACES, N_COLUMNS)), np.int64)
# [option five_door, room] -> the rooms of which one must hold an own cube before the room may be entered, as
# bits; 0: none needed
NEEDED_TABLE = np.array(
    [
        [sum(1 << room for room in entrances(wing, five_door)) for wing in range(N_WINGS)]
        + [0] * (2 * N_WINGS)
        for five_door in FIVE_DOOR
    ],
    np.int64,
)
# [wing] -> its rooms as bits, by what they are worth: 5, 3, 2
WING_TABLE = np.array(
    [
        [1 << FIVES[wing], 1 << THREES[wing], sum(1 << room for room in twos_of(wing))]
        for wing in range(N_WINGS)
    ],
    np.int64,
)
INCOME_TABLE = np.array([INCOME.get(players, 0) for players in range(5)], np.int64)
DEAL_TABLE = np.array(TILES_OF_SEASON, np.int64)
# [season] -> how many have been dealt when all of its tiles lie
LAST_DEALT_TABLE = np.cumsum(DEAL_TABLE)
