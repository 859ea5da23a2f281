"""Facts about a position that drawing and wording both need.

They are the tiles and half edges on the board, the connections that an action would make, and the names and
ids of things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludoteca.drawing.geometry import Point
from ludoteca.game import View
from ludoteca.game.seats import highest
from ludoteca.kernel import WORD
from ludoteca.text import Words
from ludoteca.text.numbers import with_half, with_minus
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..components import Crossing
from ..notation import action_name, name_at, placement
from ..rules import IN_HAND, State
from . import symbols as S

say = Words(Path(__file__).parent.parent)
QUARTER = 128  # a quarter's key is its number times this, plus its crossing
TILES_KEPT = 1 << 12  # tiles on boards whose words are kept: most lie as they did in the turn before


class HalfEdge(NamedTuple):
    """A half edge on the board: whose it is, where, its quarter and the one on the other side."""

    seat: int
    tile: int
    end: int
    crossing: Crossing
    here: int
    there: int


class PlacedTile(NamedTuple):
    """A tile on the board; `piece` is R.RING for the octagon."""

    seat: int
    tile: int
    piece: int
    first: Crossing

    @property
    def shape(self) -> C.Shape:
        """The tile where it lies."""
        return _shape(self.piece, self.first)

    @property
    def half_edges(self) -> tuple[HalfEdge, ...]:
        """Its half edges, end by end."""
        return _half_edges(self)


@lru_cache(maxsize=1 << 14)
def _shape(piece: int, first: Crossing) -> C.Shape:
    return S.shape_of(piece).moved(*first)


@lru_cache(maxsize=1 << 14)
def _half_edges(placed: PlacedTile) -> tuple[HalfEdge, ...]:
    return tuple(
        HalfEdge(placed.seat, placed.tile, n, end.crossing, here, there)
        for n, end in enumerate(placed.shape.ends)
        for here, there in end.faces
    )


def _key(side: int, quarter: int, at: Crossing) -> int:
    return QUARTER * quarter + at[0] + side * at[1]


@lru_cache(maxsize=1 << 14)
def _quarter_keys(side: int, piece: int, first: Crossing) -> tuple[int, ...]:
    """The keys of the quarters that a piece covers where it lies."""
    return tuple(_key(side, k, (i, j)) for i, j, k in sorted(_shape(piece, first).quarters))


def split(action: int, side: int) -> tuple[int, Crossing]:
    """The piece and the first crossing of an action that lays something."""
    piece, crossing = placement(action)
    return piece, (crossing % side, crossing // side)


def tile_laid(action: int) -> int:
    """The tile that an action lays, -1 if it passes."""
    match R.ACTIONS.decode(action):
        case 'lay', number:
            return C.TILE_OF[number // R.N_CROSSINGS]
        case 'octagon', _:
            return C.THE_OCTAGON
        case _:
            return -1


class Reading:
    """A state in terms of what people see."""

    def __init__(self, s: State) -> None:
        self.side, self.players, self.to_move = int(s.side), int(s.players), int(s.to_move)
        self.points = [int(points) for points in s.points[: self.players]]
        self.tiles = [
            PlacedTile(seat, tile, *split(action, self.side))
            for seat, row in enumerate(s.at[: self.players].tolist())
            for tile, action in enumerate(row)
            if action != IN_HAND
        ]
        self.hands = [
            [tile for tile in range(C.N_PATHS) if row[tile] == IN_HAND]
            for row in s.at[: self.players].tolist()
        ]
        self.owner: dict[int, tuple[int, int]] = {}  # key of a quarter -> seat and tile that cover it
        for placed in self.tiles:
            owner = placed.seat, placed.tile
            for key in _quarter_keys(self.side, placed.piece, placed.first):
                self.owner[key] = owner

    def key(self, quarter: int, at: Crossing) -> int:
        """The key of a quarter."""
        return _key(self.side, quarter, at)

    @cached_property
    def half_edges(self) -> list[HalfEdge]:
        """All half edges on the board."""
        return [edge for placed in self.tiles for edge in placed.half_edges]

    def connected(self, edge: HalfEdge) -> bool:
        """Does a half edge meet another tile?"""
        return self.key(edge.there, edge.crossing) in self.owner

    def meets(self, edge: HalfEdge) -> tuple[int, int] | None:
        """The seat and the tile that a half edge meets."""
        return self.owner.get(self.key(edge.there, edge.crossing))

    @cached_property
    def waiting(self) -> dict[int, list[HalfEdge]]:
        """Key of a free quarter -> the half edges that would be connected if it were covered."""
        found: dict[int, list[HalfEdge]] = {}
        for edge in self.half_edges:
            if not self.connected(edge):
                found.setdefault(self.key(edge.there, edge.crossing), []).append(edge)
        return found

    @cached_property
    def within_reach(self) -> dict[int, list[HalfEdge]]:
        """Those of `waiting` that a tile left in some hand would connect where it fits: inside the area and
        without overlapping. Once out of reach, an end stays so."""
        covered = sum(1 << key for key in self.owner)
        left = {tile for hand in self.hands for tile in hand}
        reached = 0
        pieces = zip(C.TILE_OF, _inside(self.side), offsets(self.side), strict=True)
        for tile, first, (_, quarters) in pieces:
            if tile in left:
                for key in quarters:
                    first &= ~(covered >> key)
                for key in quarters:
                    reached |= first << key
        return {key: edges for key, edges in self.waiting.items() if reached >> key & 1}

    def found(self, seat: int, tile: int) -> PlacedTile | None:
        """The tile of a seat if it lies on the board."""
        return next((placed for placed in self.tiles if (placed.seat, placed.tile) == (seat, tile)), None)

    def joined_by(self, placed: PlacedTile) -> list[HalfEdge]:
        """The connected half edges that have to do with a tile on the board: its own, and those that meet
        it."""
        return [
            edge
            for edge in self.half_edges
            if ((edge.seat, edge.tile) == (placed.seat, placed.tile) and self.connected(edge))
            or self.meets(edge) == (placed.seat, placed.tile)
        ]

    @cached_property
    def met(self) -> dict[PlacedTile, tuple[HalfEdge, ...]]:
        """The half edges of each tile that meet another one."""
        return {
            placed: tuple(edge for edge in placed.half_edges if self.connected(edge)) for placed in self.tiles
        }

    @cached_property
    def _aims(self) -> dict[int, tuple[str, list[int]]]:
        """Key of a free quarter -> the half edges that wait for it, as path data, and whose they are."""
        return {
            key: (''.join(map(bar, edges)), [edge.seat for edge in edges])
            for key, edges in self.waiting.items()
        }

    def gains(self, piece: int, crossing: int) -> tuple[str, list[int]]:
        """What laying a piece would connect, as path data, and how many half points each seat would get."""
        edges, quarters = offsets(self.side)[piece]
        gained, glow = [0] * self.players, []
        owner, aims = self.owner, self._aims
        for key, first, lines in edges:
            if key + crossing in owner:
                gained[self.to_move] += 1
                glow.append(lines[first + crossing])
        for key in quarters:
            if key + crossing in aims:
                line, seats = aims[key + crossing]
                glow.append(line)
                for seat in seats:
                    gained[seat] += 1
        return ''.join(glow), gained


def bar(edge: HalfEdge) -> str:
    """A half edge as path data."""
    return S.half_edge_data(edge.crossing, edge.here, edge.there)


@cache
def _lines(side: int, here: int, there: int) -> list[str]:
    """A half edge at each crossing as path data."""
    return [S.half_edge_data((at % side, at // side), here, there) for at in range(side * side)]


@cache
def _inside(side: int) -> list[int]:
    """For each piece the first crossings where it lies inside the area, as bits."""
    words = C.INSIDE_TABLE[side].tolist()
    return [low | high << WORD for low, high in words for _ in range(C.N_PIECES // C.N_LIES)]


@cache
def offsets(side: int) -> list[tuple[list[tuple[int, int, list[str]]], list[int]]]:
    """For each piece, relative to its first crossing: for each of its half edges the key of the quarter on
    the other side, its crossing, and what the half edge looks like at each crossing; then the keys of the
    piece's quarters."""

    return [
        (
            [
                (_key(side, there, end.crossing), _key(side, 0, end.crossing), _lines(side, here, there))
                for end in shape.ends
                for here, there in end.faces
            ],
            [_key(side, k, (i, j)) for i, j, k in sorted(shape.quarters)],
        )
        for shape in C.PIECES
    ]


@lru_cache(maxsize=16)
def _read(data: bytes) -> Reading:
    return Reading(np.frombuffer(data, R.State.DTYPE)[0])


def read(s: State) -> Reading:
    """A state in terms of what people see; kept, since pages ask for one state many times."""
    return _read(s.tobytes())


def end_points(reading: Reading, placed: PlacedTile) -> list[tuple[C.Crossing, int]]:
    """The ends of a tile on the board: where they are and how many half points they have got."""
    met = [edge.end for edge in reading.met[placed]]
    return [(end.crossing, met.count(n)) for n, end in enumerate(placed.shape.ends)]


def winners_of(s: State) -> list[int]:
    """The seats with most points."""
    return highest([int(half) for half in s.points[: int(s.players)]])


# ---- names -------------------------------------------------------------------------------------------------


@cache
def points_text(half: int) -> str:
    """Points as written: `8.5`, `−2`."""
    return with_minus(f'{half / 2:g}')


def gain_text(half: int) -> str:
    """Points that somebody gets, as written on a badge: `+½`, `+2½`."""
    return f'+{with_half(half / 2)}'


def points_words(half: int) -> str:
    """Points in words: `8.5 points`, `1 point`."""
    return say.counted('points', half / 2, n=points_text(half))


def crossing_name(at: Crossing) -> str:
    """The name of a crossing."""
    return f'{C.FILES[at[0]]}{at[1] + 1}'


def hand_id(tile: int) -> str:
    """The id of a tile in the viewer's tray."""
    return f'hand-{C.TILES[tile]}'


def tile_id(seat: int, tile: int) -> str:
    """The id of a tile on the board."""
    return f'tile-{seat}-{C.TILES[tile]}'


def target_of(at: Point) -> str:
    """The target at a point of the drawing."""
    return f'at:{at[0]:g},{at[1]:g}'


def placed_name(s: State, placed: PlacedTile) -> str:
    """A tile on the board as it was named when it was laid."""
    return action_name(s, int(s.at[placed.seat, placed.tile]))


def gains_words(gained: Mapping[int, int], names: Sequence[str] = ()) -> str:
    """Who gets how many half points, in words; '' if nobody does."""
    parts = [
        say('gain', player=player_word(seat, names), points=points_text(half))
        for seat, half in sorted(gained.items())
        if half
    ]
    return ', '.join(parts)


def tile_words(view: View, placed: PlacedTile) -> str:
    """A tile on the board: whose it is, where it lies, and what its ends have got."""
    return tiles_words(view, [placed])[0]


def tiles_words(view: View, tiles: Sequence[PlacedTile]) -> list[str]:
    """The same for several tiles."""
    s, reading = view.state, read(view.state)
    at, side = s.at.tolist(), int(s.side)
    return [
        _tile_words(
            player_word(placed.seat, view.names),
            name_at(side, at[placed.seat][placed.tile]),
            tuple(end_points(reading, placed)),
        )
        for placed in tiles
    ]


@lru_cache(maxsize=TILES_KEPT)
def _tile_words(player: str, tile: str, ends: tuple[tuple[Crossing, int], ...]) -> str:
    text = say('tile.label', player=player, tile=tile)
    return say('tile.ends', tile=text, ends=_ends_words(ends)) if ends else text


def ends_words(reading: Reading, placed: PlacedTile) -> str:
    """The ends of a tile: where they are, and the points that they have got."""
    return _ends_words(end_points(reading, placed))


def _ends_words(ends: Sequence[tuple[Crossing, int]]) -> str:
    return ', '.join(
        say('tile.end', crossing=crossing_name(at), points=say(f'half.{half}')) for at, half in ends
    )
