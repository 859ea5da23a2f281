"""The board and the pieces of Myrmidons as tables; the kinds of pieces come from pieces.json.

A SQUARE is a number: file + 6 * (rank - 1), a1 = 0, b1 = 1, ... f7 = 41. A HEADING 0..7 is N, NE, E, SE, S,
SW, W, NW; north is towards rank 7. A TYPE is a kind of piece: 0 the Commander, 1..19 the other kinds,
ascending by sword, shield, movement. A PIECE is seat * 12 + k: the k-th that its side put on the board, which
also says on which square it started.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ludoteca.game.components import ComponentTable
from ludoteca.game.kinds import Each, Triple
from ludoteca.text import Words


def _problems(table: Mapping[str, Any]) -> Iterator[str]:
    words = Words(Path(__file__).parent)
    kinds = [table['commander'], *table['others']]
    if twice := next((kind for kind in kinds if kinds.count(kind) > 1), None):
        yield words('components.error.twice', kind=twice)
    base = table['base']
    if strange := next((kind for kind in base if kind not in table['others'] or base.count(kind) > 1), None):
        yield words('components.error.base', kind=strange)
    if (steps := table['commander'].split('-')[2]) != '1':
        yield words('components.error.commander', steps=steps)


def _notes(table: Mapping[str, Any]) -> Iterator[str]:
    if (shield := table['commander'].split('-')[1]) != '1':
        yield Words(Path(__file__).parent)('components.shield', shield=shield)


MOST_STEPS = 5
TABLE = ComponentTable(
    Path(__file__).parent / 'pieces.json',
    _problems,
    _notes,
    commander=Triple(3, 1, MOST_STEPS, 'commander'),
    others=Each(Triple(3, 1, MOST_STEPS, 'others')),
    base=Each(Triple(3, 1, MOST_STEPS, 'base')),
)
_data = TABLE.read(__name__)

FILES, N_RANKS = 'abcdef', 7
N_FILES = len(FILES)
N_SQUARES = N_FILES * N_RANKS
SQUARES = tuple(f'{file}{rank + 1}' for rank in range(N_RANKS) for file in FILES)
HEADINGS = ('N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW')
HEADING_XY = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))  # files, ranks

COMMANDER = 0
TYPES: tuple[str, ...] = (_data['commander'], *sorted(_data['others']))
UNITS = TYPES[1:]
N_TYPES = len(TYPES)
# [type] -> sword, shield, movement
VALUES = tuple(tuple(int(value) for value in name.split('-')) for name in TYPES)
SWORD, SHIELD, MOVEMENT = (tuple(values[k] for values in VALUES) for k in range(3))
BASE: tuple[str, ...] = tuple(name for name in TYPES if name in _data['base'])
COPIES: int = _data['copies']  # of each kind, in both colours together
CERTAINTY: dict[str, str] = _data['certainty']

SMALL, LARGE = 6, 12  # pieces of an army
SIDE = LARGE  # numbers set aside for the pieces of a side
N_PIECES = 2 * SIDE
# [piece] -> the square on which it starts: seat 0 on rank 1 (and 2), seat 1 on rank 7 (and 6), each from file
# a on
START = tuple(
    (k // N_FILES if seat == 0 else N_RANKS - 1 - k // N_FILES) * N_FILES + k % N_FILES
    for seat in range(2)
    for k in range(SIDE)
)
# [seat] -> the goal
BACK_RANK = tuple(sum(1 << START[(1 - seat) * SIDE + k] for k in range(N_FILES)) for seat in range(2))


def _edge(square: int, heading: int) -> int:
    """How many squares lie between a square and the edge."""
    (x, y), (dx, dy) = (square % N_FILES, square // N_FILES), HEADING_XY[heading]
    steps = 0
    while 0 <= x + dx < N_FILES and 0 <= y + dy < N_RANKS:
        x, y, steps = x + dx, y + dy, steps + 1
    return steps


def _lines(heading: int) -> list[list[int]]:
    """See LINES."""
    x, y = HEADING_XY[heading]
    beside: dict[int, list[int]] = {}
    for way, (dx, dy) in enumerate(HEADING_XY):
        if across := x * dy - y * dx:
            beside.setdefault(across, []).append(way)
    lines = [
        sorted(ways, key=lambda way: -(x * HEADING_XY[way][0] + y * HEADING_XY[way][1]))
        for ways in beside.values()
    ]
    return [line + [-1] * (3 - len(line)) for line in lines] + [[-1] * 3] * (4 - len(lines))


# [heading] -> to the next square
OFFSET = tuple(dx + N_FILES * dy for dx, dy in HEADING_XY)
EDGE = tuple(tuple(_edge(square, heading) for square in range(N_SQUARES)) for heading in range(8))
# [heading][square] -> rank in the order in which the pieces of an order go: front to back, then by square
ORDER = tuple(
    tuple(
        sorted(
            range(N_SQUARES),
            key=lambda at: (
                -(HEADING_XY[heading][0] * (at % N_FILES) + HEADING_XY[heading][1] * (at // N_FILES)),
                at,
            ),
        ).index(square)
        for square in range(N_SQUARES)
    )
    for heading in range(8)
)
# [heading] -> the lines along it that pass beside the Commander, each with the headings in which its squares
# lie, front to back
LINES = tuple(_lines(heading) for heading in range(8))
# [square] -> the squares round it, as bits
ROUND = tuple(
    sum(1 << square + OFFSET[h] for h in range(8) if EDGE[h][square]) for square in range(N_SQUARES)
)
# [from][to] -> heading of the straight line between two squares, -1 if there is none; and how many steps it
# is
HEADING_TO = np.full((N_SQUARES, N_SQUARES), -1, np.int64)
STEPS_TO = np.zeros((N_SQUARES, N_SQUARES), np.int64)
for _square in range(N_SQUARES):
    for _heading in range(8):
        for _steps in range(1, EDGE[_heading][_square] + 1):
            HEADING_TO[_square, _square + _steps * OFFSET[_heading]] = _heading
            STEPS_TO[_square, _square + _steps * OFFSET[_heading]] = _steps
# [heading][steps][square] -> the squares up to so many steps away that way, as bits
RAYS = tuple(
    tuple(
        tuple(
            sum(1 << square + k * OFFSET[heading] for k in range(1, min(steps, EDGE[heading][square]) + 1))
            for square in range(N_SQUARES)
        )
        for steps in range(MOST_STEPS + 1)
    )
    for heading in range(8)
)
# [heading] -> the squares from which a step that way stays on the board, as bits
STEPPING = tuple(sum(1 << square for square in range(N_SQUARES) if EDGE[h][square]) for h in range(8))
# the headings to higher numbers of squares, and those to lower ones
UPWARDS = tuple(heading for heading in range(8) if OFFSET[heading] > 0)
DOWNWARDS = tuple(heading for heading in range(8) if OFFSET[heading] < 0)
# [steps] -> the types that can go so far, as bits; the last is empty
GOES = tuple(sum(1 << t for t in range(N_TYPES) if MOVEMENT[t] >= steps) for steps in range(MOST_STEPS + 2))
# the units, the fastest first
BY_MOVEMENT = tuple(sorted(range(1, N_TYPES), key=lambda t: -MOVEMENT[t]))

SWORD_TABLE, SHIELD_TABLE, MOVEMENT_TABLE = (np.array(table, np.int64) for table in (SWORD, SHIELD, MOVEMENT))
START_TABLE = np.array(START, np.int64)
BACK_RANK_TABLE = np.array(BACK_RANK, np.int64)
OFFSET_TABLE = np.array(OFFSET, np.int64)
EDGE_TABLE = np.array(EDGE, np.int64)
ORDER_TABLE = np.array(ORDER, np.int64)
LINES_TABLE = np.array(LINES, np.int64)
ROUND_TABLE = np.array(ROUND, np.int64)
RAYS_TABLE = np.array(RAYS, np.int64)
STEPPING_TABLE = np.array(STEPPING, np.int64)
GOES_TABLE = np.array(GOES, np.int64)
BY_MOVEMENT_TABLE = np.array(BY_MOVEMENT, np.int64)
BASE_BITS = sum(1 << TYPES.index(name) for name in BASE)

MOST_REACH = max(
    sum(min(MOST_STEPS, EDGE[heading][square]) for heading in range(8)) for square in range(N_SQUARES)
)
