"""A slow model of Myriath on real polygons, written from the rulebook alone, that the compiled rules are
compared with.

Nothing here is shared with the package, and nothing here knows of quarters: a tile is the outline that the
table tiles.json gives, turned and moved by affine maps. Tiles overlap if they have some area in common, and a
half edge touches another tile if a part of it that has a length lies on that tile's outline. The unit is half
the width of a street: crossing (i, j) is the square from (4i, 4j) to (4i + 2, 4j + 2), streets and printed
squares lie between. All corners are whole numbers, and nothing is ever rounded. Things go by the names that
people use: crossings `d4`, placements `U-AI r3 d4`, `O d4` and `pass`. Points are counted in halves.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import shapely

TABLE: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / 'tiles.json').read_text('utf-8'))[
    'tiles'
]
SIDES = {2: 7, 3: 9, 4: 11}
"""How many crossings the area has in a row, by the number of players."""
HANDICAPS = (0, 0, 1, 2)
ORIENTATIONS = ('r0', 'r1', 'r2', 'r3', 'f0', 'f1', 'f2', 'f3')
"""Turned clockwise by so many quarters; f: flipped from left to right before."""

Geometry = Any  # a shape of shapely's, which tells a type checker nothing about itself
Geometries = npt.NDArray[np.object_]


# ---- the streets -------------------------------------------------------------------------------------------


def crossing_name(i: int, j: int) -> str:
    return f'{"abcdefghijk"[i]}{j + 1}'


def crossing_square(i: int, j: int) -> Geometry:
    return shapely.box(4 * i, 4 * j, 4 * i + 2, 4 * j + 2)


def printed_square(i: int, j: int) -> Geometry:
    """The printed square north-east of a crossing."""
    return shapely.box(4 * i + 2, 4 * j + 2, 4 * i + 4, 4 * j + 4)


@cache
def streets(side: int) -> Geometry:
    """All of the area that tiles may cover: streets and crossings, without the printed squares between
    them."""
    squares = [printed_square(i, j) for i in range(side - 1) for j in range(side - 1)]
    return shapely.box(0, 0, 4 * side - 2, 4 * side - 2).difference(shapely.union_all(squares))


def half_diagonals(i: int, j: int) -> list[Geometry]:
    """The four lines from the middle of a crossing to its corners."""
    x, y = 4 * i + 1, 4 * j + 1
    return [shapely.LineString([(x, y), (x + dx, y + dy)]) for dx, dy in ((1, 1), (-1, 1), (-1, -1), (1, -1))]


# ---- the tiles ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tile:
    """A tile lying in the streets: its name where it lies, what it covers, and the half edges of its ends,
    two to an end."""

    tile: str
    name: str
    outline: Geometry
    half_edges: tuple[Geometry, ...]

    def moved(self, i: int, j: int, name: str) -> Tile:
        """The same so many crossings further east and north."""
        offset = np.array([4 * i, 4 * j])
        outline, *half_edges = shapely.transform(
            np.array([self.outline, *self.half_edges]), lambda points: points + offset
        )
        return Tile(self.tile, name, outline, tuple(half_edges))


def outline_of(tile: str) -> Geometry:
    """The outline of a tile as the table has it."""
    around, *holes = TABLE[tile]['outline']
    return shapely.Polygon(around, holes)


def half_edges_of(tile: str) -> list[Geometry]:
    """The half edges of a tile in the table: what its outline has of the diagonals of the crossings in which
    its ends lie."""
    rim = outline_of(tile).boundary
    return [
        line for end in TABLE[tile]['ends'] for line in half_diagonals(*end['crossing']) if rim.covers(line)
    ]


def first_crossing(outline: Geometry) -> tuple[int, int]:
    """The southernmost crossing that is at least partly covered, of several the westernmost."""
    return min(
        (
            (i, j)
            for i in range(-3, 4)
            for j in range(-3, 4)
            if outline.intersection(crossing_square(i, j)).area > 0
        ),
        key=lambda crossing: (crossing[1], crossing[0]),
    )


@cache
def oriented(tile: str, orientation: str) -> Tile:
    """A tile flipped and turned, its first crossing moved to (0, 0)."""

    def turn(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        x, y = points.T
        if orientation[0] == 'f':
            x = 2 - x  # about the middle of crossing (0, 0), which is (1, 1)
        for _ in range(int(orientation[1])):
            x, y = y, 2 - x
        return np.stack([x, y], axis=1)

    outline, *half_edges = shapely.transform(np.array([outline_of(tile), *half_edges_of(tile)]), turn)
    i, j = first_crossing(outline)
    return Tile(tile, '', outline, tuple(half_edges)).moved(-i, -j, f'{tile} {orientation}')


@cache
def orientations(tile: str) -> tuple[str, ...]:
    """The orientations in which a tile lies differently, each the first of its kind."""
    found: list[str] = []
    for orientation in ORIENTATIONS:
        if not any(
            oriented(tile, orientation).outline.equals(oriented(tile, earlier).outline) for earlier in found
        ):
            found.append(orientation)
    return tuple(found)


def same_lie(tile: str, orientation: str) -> str:
    """The first orientation in which a tile lies as in the one given."""
    return next(
        other
        for other in orientations(tile)
        if oriented(tile, other).outline.equals(oriented(tile, orientation).outline)
    )


class Placements(NamedTuple):
    """Every way to lay every tile in an area."""

    tiles: list[Tile]
    by_name: dict[str, Tile]
    of: npt.NDArray[np.str_]  # which tile each of them is
    outlines: Geometries
    half_edges: Geometries  # [placement, 4]; None for the octagon, which has no ends


@cache
def placements(side: int) -> Placements:
    """All placements in the empty area, octagons included."""
    found = []
    for tile in TABLE:
        for orientation in orientations(tile):
            for i in range(side):
                for j in range(side):
                    words = (
                        [tile, orientation, crossing_name(i, j)]
                        if tile != 'O'
                        else [tile, crossing_name(i, j)]
                    )
                    found.append(oriented(tile, orientation).moved(i, j, ' '.join(words)))
    inside = shapely.covers(streets(side), np.array([tile.outline for tile in found]))
    tiles = [tile for tile, lies_inside in zip(found, inside, strict=True) if lies_inside]
    return Placements(
        tiles, {tile.name: tile for tile in tiles}, np.array([tile.tile for tile in tiles]), *arrays(tiles)
    )


def arrays(tiles: Sequence[Tile]) -> tuple[Geometries, Geometries]:
    """The outlines of tiles, and their half edges as rows."""
    half_edges = np.full((len(tiles), 4), None, object)
    for k, tile in enumerate(tiles):
        half_edges[k, : len(tile.half_edges)] = tile.half_edges
    return np.array([tile.outline for tile in tiles], object), half_edges


def overlap(a: Geometry, b: Geometry) -> Any:
    """Do two outlines (or arrays of them) have some area in common?"""
    return shapely.area(shapely.intersection(a, b)) > 0


def touch(half_edges: Geometry, outlines: Geometry) -> Any:
    """Does some part of a half edge lie on an outline, for arrays of both? To meet in a point is not
    enough."""
    return shapely.length(shapely.intersection(half_edges, shapely.boundary(outlines))) > 0


# ---- a position --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """A position. `laid` are the tiles on the board with the seats that laid them, `points` the score track
    in half points."""

    players: int
    points: tuple[int, ...]
    to_move: int = 0
    laid: tuple[tuple[int, Tile], ...] = ()
    passes: int = 0
    turn: int = 0
    ending: str = ''

    @classmethod
    def start(cls, players: int) -> Game:
        """The empty area and the score track with its handicaps."""
        return cls(players, HANDICAPS[:players])

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Game:
        """A position written as JSON."""
        by_name, laid = placements(SIDES[data['players']]).by_name, []
        for entry in data['tiles']:
            tile, at = entry['tile'], crossing_name(*entry['at'])
            name = (
                f'{tile} {at}'
                if tile == 'O'
                else f'{tile} {same_lie(tile, ORIENTATIONS[entry["orientation"]])} {at}'
            )
            laid.append((entry['owner'], by_name[name]))
        passes = data.get('passes', 0)
        game = cls(
            data['players'],
            (),
            data['to_move'],
            tuple(laid),
            passes,
            data.get('turn', 0),
            'passed' if passes == data['players'] else '',
        )
        return replace(game, points=game.tally())

    @property
    def side(self) -> int:
        return SIDES[self.players]

    @property
    def setting_up(self) -> bool:
        """Is there still an octagon to lay?"""
        return sum(tile.tile == 'O' for _, tile in self.laid) < self.players

    def hand(self, seat: int) -> set[str]:
        """The tiles that a seat has not laid."""
        return set(TABLE) - {tile.tile for owner, tile in self.laid if owner == seat}

    def outlines(self, *seats: int) -> Geometries:
        """The outlines of the tiles that these seats have laid."""
        return np.array([tile.outline for owner, tile in self.laid if owner in seats], object)

    # what is legal
    @cached_property
    def free(self) -> Geometry:
        """What is left of the streets."""
        return streets(self.side).difference(shapely.union_all(self.outlines(*range(self.players))))

    def allowed(self, outlines: Geometries, half_edges: Geometries) -> npt.NDArray[np.bool_]:
        """Which of these tiles of the mover's hand, as outlines and as rows of half edges, may be laid."""
        shapely.prepare(self.free)
        fitting = np.asarray(shapely.covers(self.free, outlines))
        if not self.setting_up:
            opponents = self.outlines(*(seat for seat in range(self.players) if seat != self.to_move))
            fitting[fitting] = self.meeting(half_edges[fitting], opponents) > 0
        return fitting

    @cached_property
    def legal(self) -> list[Tile]:
        """Every tile of the mover's hand wherever it may be laid."""
        if self.ending:
            return []
        area = placements(self.side)
        hand = {'O'} if self.setting_up else self.hand(self.to_move) - {'O'}
        in_hand = np.flatnonzero(np.isin(area.of, sorted(hand)))
        return [
            area.tiles[k] for k in in_hand[self.allowed(area.outlines[in_hand], area.half_edges[in_hand])]
        ]

    @staticmethod
    def meeting(half_edges: Geometries, others: Geometries) -> npt.NDArray[np.int64]:
        """For each row of half edges, how many of them touch at least one of the other outlines."""
        rims = shapely.multilinestrings(
            [line for rim in shapely.boundary(others) for line in shapely.get_parts(rim)]
        )
        shapely.prepare(rims)
        # a half edge touches wholly or not at all
        return np.asarray(shapely.covers(rims, half_edges).sum(axis=1))

    def names(self) -> set[str]:
        """All that the mover may do, as people write it."""
        return {tile.name for tile in self.legal} or (set() if self.ending else {'pass'})

    # points
    @cached_property
    def ends(self) -> tuple[Geometries, npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """The half edges on the board, the place of each one's tile in `laid`, and whether it is
        connected."""
        pairs = [(line, k) for k, (_, tile) in enumerate(self.laid) for line in tile.half_edges]
        lines, of = np.array([line for line, _ in pairs], object), np.array([k for _, k in pairs], np.int64)
        outlines = self.outlines(*range(self.players))
        line, tile = shapely.STRtree(outlines).query(lines)
        other = of[line] != tile
        line, tile = line[other], tile[other]
        connected = np.zeros(len(lines), bool)
        connected[line[touch(lines[line], outlines[tile])]] = True
        return lines, of, connected

    def tally(self) -> tuple[int, ...]:
        """What everybody must have by now: the handicap, and one for each half edge that touches another
        tile."""
        _, of, connected = self.ends
        owners = [self.laid[k][0] for k in of[connected]]
        return tuple(HANDICAPS[seat] + owners.count(seat) for seat in range(self.players))

    def gains(self, tiles: Sequence[Tile]) -> npt.NDArray[np.int64]:
        """[tile, seat] -> how many half edges of the seat are newly connected if the mover lays the tile."""
        found = np.zeros((len(tiles), self.players), np.int64)
        if self.setting_up or not tiles:
            return found
        new, half_edges = arrays(tiles)
        found[:, self.to_move] = self.meeting(half_edges, self.outlines(*range(self.players)))
        lines, of, connected = self.ends
        lines, of = lines[~connected], of[~connected]
        line, tile = shapely.STRtree(new).query(lines)
        met = touch(lines[line], new[tile])
        owners = np.array([owner for owner, _ in self.laid])
        np.add.at(found, (tile[met], owners[of[line[met]]]), 1)
        return found

    # what happens
    def play(self, name: str) -> Game:
        """The position after something that must be legal."""
        following, turn = (self.to_move + 1) % self.players, self.turn + (not self.setting_up)
        if name == 'pass':
            assert not self.legal
            passed = replace(self, to_move=following, turn=turn, passes=self.passes + 1)
            return replace(passed, ending='passed') if passed.passes == self.players else passed
        tile = placements(self.side).by_name[name]
        assert not self.ending
        assert (tile.tile == 'O') == self.setting_up
        assert tile.tile in self.hand(self.to_move)
        assert self.allowed(*arrays([tile])).all()
        gains = self.gains([tile])[0].tolist()
        return replace(
            self,
            to_move=following,
            turn=turn,
            passes=0,
            laid=(*self.laid, (self.to_move, tile)),
            points=tuple(before + gain for before, gain in zip(self.points, gains, strict=True)),
        )

    # the end
    @property
    def outcome(self) -> list[float]:
        """1 shared by those who have most points, nothing while the game runs."""
        winners = [
            seat for seat in range(self.players) if self.ending and self.points[seat] == max(self.points)
        ]
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]
