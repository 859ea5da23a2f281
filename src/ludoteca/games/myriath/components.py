"""The streets and the tiles of Myriath as tables, derived from tiles.json.

Tiles lie in the streets between printed squares. A CROSSING is a pair (i, j): streets across, counted from
the west, and streets up, counted from the south; in an area with `side` crossings a side its number is i +
side * j. Its two diagonals cut a crossing into four QUARTERS 0..3 = E, N, W, S. Whatever lies in a street
covers the two quarters at its ends, so tiles that share no quarter share no street either: to see whether a
tile fits, quarters are enough.

A tile is a path of streets that turns at each crossing, with an end at either side. An arrow (A) covers the
quarter on its own street; a whole edge covers that quarter and the neighbouring one on the inner (I) or the
outer side (O) of the nearest bend. A LIE 0..11 is a body in an orientation, without its ends; a PIECE 0..107
is a tile in an orientation: 9 * lie + 3 * type of the first end + type of the last end. An ORIENTATION is
0..7: quarter turns clockwise, plus 4 if the tile was first flipped over (from left to right). The FIRST
CROSSING of a piece is its southernmost, of several the westernmost: the place where it is laid is named after
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from ludoteca.game.components import ComponentTable
from ludoteca.game.kinds import Each, Halves, Whole
from ludoteca.kernel import words_of

MOST_SIDE = 11
TABLE = ComponentTable(
    Path(__file__).parent / 'tiles.json',
    areas=Each(Whole(7, MOST_SIDE, 'areas')),
    handicap=Each(Halves(5, 'handicap')),
)
_data = TABLE.read(__name__)

Crossing = tuple[int, int]
Quarter = tuple[int, int, int]

CERTAINTY: dict[str, str] = _data['certainty']
ENDS = 'AIO'  # types of ends
ARROW, INNER, OUTER = range(3)
# the ends of a path, the first and the last, in orientation 0
PAIRS = ('AA', 'AI', 'AO', 'II', 'OI', 'OO')
BODIES: dict[str, list[str]] = _data['bodies']  # the turns of each path
# crossings a side
SIDES: dict[int, int] = {int(players): side for players, side in _data['areas'].items()}
# [seat] -> half points
HANDICAP: list[int] = [round(2 * points) for points in _data['handicap']]
OCTAGON: str = _data['octagon']
N_CROSSINGS = MOST_SIDE**2
FILES = 'abcdefghijk'
EAST, NORTH, WEST, SOUTH = range(4)
STEP = ((1, 0), (0, 1), (-1, 0), (0, -1))  # [quarter] -> the crossing beyond it

# the tiles of a player: every body with every pair of ends, then the octagon
TILES: tuple[str, ...] = (*(f'{body}-{"".join(sorted(pair))}' for body in BODIES for pair in PAIRS), OCTAGON)
N_TILES = len(TILES)
THE_OCTAGON = TILES.index(OCTAGON)
N_PATHS = N_TILES - 1  # tiles with ends


@dataclass(frozen=True)
class End:
    """An end of a tile: its crossing, its type, the quarter on its own street, and the ones on the inner and
    the outer side of the nearest bend."""

    crossing: Crossing
    type: int
    own: int
    inner: int
    outer: int

    @property
    def covers(self) -> tuple[int, ...]:
        """The quarters that it covers."""
        return ((self.own,), (self.own, self.inner), (self.own, self.outer))[self.type]

    @property
    def faces(self) -> tuple[tuple[int, int], ...]:
        """Its two half edges, each as the quarter that it belongs to and the one on the other side."""
        return tuple(
            (here, there)
            for here in self.covers
            for there in ((here + 1) % 4, (here + 3) % 4)
            if there not in self.covers
        )


@dataclass(frozen=True)
class Shape:
    """A tile as it lies: the crossings of its path in order, and its ends (none for the octagon)."""

    path: tuple[Crossing, ...]
    ends: tuple[End, ...]

    @property
    def streets(self) -> tuple[tuple[Crossing, Crossing], ...]:
        """The streets that it covers, each as the two crossings that it joins."""
        around = (*self.path, *self.path[:1]) if not self.ends else self.path
        return tuple(pairwise(around))

    @property
    def quarters(self) -> frozenset[Quarter]:
        """The quarters that it covers: two at each bend, one or two at each end."""
        found = {(*end.crossing, quarter) for end in self.ends for quarter in end.covers}
        for here, there in self.streets:
            way = STEP.index((there[0] - here[0], there[1] - here[1]))
            found |= {(*here, way), (*there, (way + 2) % 4)}
        return frozenset(found)

    @property
    def covers(self) -> frozenset[object]:
        """All that it covers: its quarters, and its streets as pairs of crossings in ascending order."""
        return self.quarters | {tuple(sorted(street)) for street in self.streets}

    @property
    def first(self) -> Crossing:
        """Its first crossing."""
        return min(self.path, key=lambda at: (at[1], at[0]))

    def moved(self, i: int, j: int) -> Shape:
        """The same, so many crossings further east and north."""
        ends = tuple(
            End((end.crossing[0] + i, end.crossing[1] + j), end.type, end.own, end.inner, end.outer)
            for end in self.ends
        )
        return Shape(tuple((x + i, y + j) for x, y in self.path), ends)

    def oriented(self, orientation: int) -> Shape:
        """The same, flipped over and turned as the orientation says, its first crossing moved to (0, 0)."""

        def quarter(k: int) -> int:
            return ((2 - k if orientation >= 4 else k) - orientation) % 4

        def crossing(at: Crossing) -> Crossing:
            i, j = (-at[0], at[1]) if orientation >= 4 else at
            for _ in range(orientation % 4):
                i, j = j, -i
            return i, j

        ends = tuple(
            End(crossing(end.crossing), end.type, quarter(end.own), quarter(end.inner), quarter(end.outer))
            for end in self.ends
        )
        shape = Shape(tuple(crossing(at) for at in self.path), ends)
        return shape.moved(-shape.first[0], -shape.first[1])


def _path(turns: Iterable[str], first: int, last: int) -> Shape:
    """A path that leaves (0, 0) to the east and turns at each crossing, with ends of those types."""
    way, path, sides = EAST, [(0, 0), (1, 0)], []
    for turn in turns:
        sides.append((way + (1 if turn == 'left' else 3)) % 4)
        way = sides[-1]
        path.append((path[-1][0] + STEP[way][0], path[-1][1] + STEP[way][1]))
    before = sides[-2] if len(sides) > 1 else EAST  # the way of the street before the last one
    begin = End(path[0], first, EAST, sides[0], (sides[0] + 2) % 4)
    end = End(path[-1], last, (way + 2) % 4, (before + 2) % 4, before)
    return Shape(tuple(path), (begin, end))


# [tile] -> as it lies in orientation 0, its first crossing (0, 0)
UPRIGHT: tuple[Shape, ...] = (
    *(_path(turns, ENDS.index(pair[0]), ENDS.index(pair[1])) for turns in BODIES.values() for pair in PAIRS),
    Shape(((0, 0), (1, 0), (1, 1), (0, 1)), ()),
)

_FIRST_OF_BODY = [len(PAIRS) * k for k in range(len(BODIES))]  # the tiles with two arrows


def _orientations(tile: int) -> tuple[int, ...]:
    """The orientations in which a tile lies differently, each the lowest of its kind."""
    seen: dict[frozenset[object], int] = {}
    for orientation in range(8):
        seen.setdefault(UPRIGHT[tile].oriented(orientation).covers, orientation)
    return tuple(seen.values())


ORIENTATIONS: tuple[tuple[int, ...], ...] = tuple(_orientations(tile) for tile in range(N_TILES))
LIES: tuple[Shape, ...] = tuple(
    UPRIGHT[tile].oriented(orientation) for tile in _FIRST_OF_BODY for orientation in ORIENTATIONS[tile]
)
N_LIES = len(LIES)
N_PIECES = 9 * N_LIES


def _with_ends(lie: int, first: int, last: int) -> Shape:
    ends = (
        End(end.crossing, kind, end.own, end.inner, end.outer)
        for end, kind in zip(LIES[lie].ends, (first, last), strict=True)
    )
    return Shape(LIES[lie].path, tuple(ends))


PIECES: tuple[Shape, ...] = tuple(
    _with_ends(lie, first, last) for lie in range(N_LIES) for first in range(3) for last in range(3)
)
_number = {piece.covers: k for k, piece in enumerate(PIECES)}
# [tile][orientation] -> piece
PIECE_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(_number[UPRIGHT[tile].oriented(orientation).covers] for orientation in range(8))
    for tile in range(N_PATHS)
)
# [piece] -> tile, and the lowest orientation in which it lies so
TILE_OF: tuple[int, ...] = tuple(
    next(tile for tile in range(N_PATHS) if piece in PIECE_OF[tile]) for piece in range(N_PIECES)
)
ORIENTATION_OF: tuple[int, ...] = tuple(PIECE_OF[TILE_OF[piece]].index(piece) for piece in range(N_PIECES))
# the octagon round the printed square north-east of (0, 0)
THE_RING = UPRIGHT[THE_OCTAGON]


# ---- tables for kernels ------------------------------------------------------------------------------------
# Sets of crossings are two words (kernel/bits.py). Lowering a set by the offset of a crossing brings that
# crossing's bit to the piece's first crossing; offsets depend on the side of the area, so tables begin with
# [side].


def _inside(shape: Shape, side: int) -> list[int]:
    """The numbers of the first crossings where a shape lies inside an area."""
    return [
        i + side * j
        for i in range(side)
        for j in range(side)
        if all(0 <= i + x < side and 0 <= j + y < side for x, y in shape.path)
    ]


def _offset(at: Crossing, side: int) -> int:
    return at[0] + side * at[1]


_sides = range(MOST_SIDE + 1)
# [side, lie, word]
INSIDE_TABLE = np.array([[words_of(_inside(lie, side)) for lie in LIES] for side in _sides], np.int64)
# [side, word], of octagons
SPOTS_TABLE = np.array([words_of(_inside(THE_RING, side)) for side in _sides], np.int64)
# [side, lie, n] -> the quarters that every tile in that lie covers, as quarter * 64 + offset
_bodies = [sorted(lie.quarters) for lie in LIES]
N_BODY_TABLE = np.array([len(quarters) for quarters in _bodies], np.int64)
BODY_TABLE = np.array(
    [
        [
            [64 * k + _offset((i, j), side) for i, j, k in quarters] + [0] * (6 - len(quarters))
            for quarters in _bodies
        ]
        for side in _sides
    ],
    np.int64,
)
# [side, lie, end] -> offset of the end's crossing; [lie, end] -> its quarters: own, inner, opposite to its
# own, outer
END_AT_TABLE = np.array(
    [[[_offset(end.crossing, side) for end in lie.ends] for lie in LIES] for side in _sides], np.int64
)
END_QUARTERS_TABLE = np.array(
    [[[end.own, end.inner, (end.own + 2) % 4, end.outer] for end in lie.ends] for lie in LIES], np.int64
)
# [side, piece, n] -> all its quarters, as in BODY_TABLE; the octagon is the last piece
_shapes = (*PIECES, THE_RING)
N_QUARTERS_TABLE = np.array([len(shape.quarters) for shape in _shapes], np.int64)
QUARTERS_TABLE = np.array(
    [
        [
            [64 * k + _offset((i, j), side) for i, j, k in sorted(shape.quarters)]
            + [0] * (8 - len(shape.quarters))
            for shape in _shapes
        ]
        for side in _sides
    ],
    np.int64,
)
# [side, piece, n] -> its four half edges, as the quarter on the other side in the same form, plus 256 if its
# own quarter is the next one anticlockwise from there (else it is the next one clockwise)
_edges = [
    sorted(
        (*end.crossing, there, int((there + 1) % 4 == here))
        for end in piece.ends
        for here, there in end.faces
    )
    for piece in PIECES
]
EDGES_TABLE = np.array(
    [
        [[256 * turn + 64 * k + _offset((i, j), side) for i, j, k, turn in edges] for edges in _edges]
        for side in _sides
    ],
    np.int64,
)
TILE_OF_TABLE = np.array(TILE_OF, np.int64)
HANDICAP_TABLE = np.array(HANDICAP, np.int64)
# [players]
SIDE_TABLE = np.array([SIDES.get(players, 0) for players in range(max(SIDES) + 1)], np.int64)
