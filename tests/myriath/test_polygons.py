"""The tables of quarters against real polygons: what tiles are, where they lie, when they overlap and when
they touch."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import shapely

from ludoteca.games.myriath import components as C
from ludoteca.kernel import compiled
from tests.myriath.model import (
    ORIENTATIONS,
    SIDES,
    TABLE,
    Geometries,
    Geometry,
    Tile,
    arrays,
    crossing_square,
    orientations,
    oriented,
    outline_of,
    overlap,
    placements,
    printed_square,
    same_lie,
    touch,
)
from tests.width import width

pytestmark = pytest.mark.skipif(not compiled, reason='tables, not kernels')
PAIRS = width(15_000, 45_000)
QUARTERS = {
    C.EAST: [(2, 0), (2, 2)],
    C.NORTH: [(2, 2), (0, 2)],
    C.WEST: [(0, 2), (0, 0)],
    C.SOUTH: [(0, 0), (2, 0)],
}
"""The two corners of a crossing that belong to each quarter; the third is its middle."""


def triangle(i: int, j: int, quarter: int) -> Geometry:
    """A quarter of a crossing."""
    return shapely.Polygon([(4 * i + x, 4 * j + y) for x, y in [*QUARTERS[quarter], (1, 1)]])


def covered(shape: C.Shape) -> Geometry:
    """What a shape covers by the tables: its quarters, and between two crossings the street."""
    streets = [
        shapely.box(
            min(4 * a + 2, 4 * c + 2) if a != c else 4 * a,
            min(4 * b + 2, 4 * d + 2) if b != d else 4 * b,
            max(4 * a, 4 * c) if a != c else 4 * a + 2,
            max(4 * b, 4 * d) if b != d else 4 * b + 2,
        )
        for (a, b), (c, d) in shape.streets
    ]
    return shapely.union_all([*streets, *(triangle(*quarter) for quarter in shape.quarters)])


@cache
def every_piece() -> list[tuple[Tile, C.Shape]]:
    """All 108 pieces and the octagon: as polygons, and as the tables have them."""
    pieces = [
        (oriented(C.TILES[C.TILE_OF[piece]], ORIENTATIONS[C.ORIENTATION_OF[piece]]), C.PIECES[piece])
        for piece in range(C.N_PIECES)
    ]
    return [*pieces, (oriented('O', 'r0'), C.THE_RING)]


# ---- the tiles ---------------------------------------------------------------------------------------------


def test_a_hand_is_the_octagon_and_every_body_with_every_pair_of_ends() -> None:
    assert (
        sorted(C.TILES)
        == sorted(TABLE)
        == sorted(
            ['O', *(f'{body}-{ends}' for body in 'LUZ' for ends in ('AA', 'AI', 'AO', 'II', 'IO', 'OO'))]
        )
    )
    assert C.TILES[C.THE_OCTAGON] == 'O'
    assert len(C.TILES) == C.N_TILES == 19


@pytest.mark.parametrize('tile', TABLE)
def test_the_enumerated_tile_is_the_one_of_the_table(tile: str) -> None:
    shape, row = C.UPRIGHT[C.TILES.index(tile)], TABLE[tile]
    assert covered(shape).equals(outline_of(tile))
    assert shape.quarters == {tuple(quarter) for quarter in row['quarters']}
    streets = {(kind, i, j) for kind, i, j in row['streets']}
    assert {('H' if a[1] == b[1] else 'V', *min(a, b)) for a, b in shape.streets} == streets
    ends = sorted(
        [list(end.crossing), sorted(end.covers), sorted(there for _, there in end.faces)]
        for end in shape.ends
    )
    assert ends == sorted(
        [end['crossing'], sorted(end['covers']), sorted(end['touches'])] for end in row['ends']
    )
    assert len(C.ORIENTATIONS[C.TILES.index(tile)]) == row['orientations'] == len(orientations(tile))


def test_every_body_is_a_path_of_two_or_three_streets_that_turns_at_each_crossing() -> None:
    bodies = {tile[0]: shape for tile, shape in zip(C.TILES, C.UPRIGHT, strict=True)}
    assert [len(bodies[body].streets) for body in 'LUZO'] == [2, 3, 3, 4]
    for shape in C.UPRIGHT:
        around = (*shape.path, *shape.path[:2]) if not shape.ends else shape.path
        for before, here, after in zip(around, around[1:], around[2:], strict=False):
            assert (here[0] - before[0]) * (after[0] - here[0]) + (here[1] - before[1]) * (
                after[1] - here[1]
            ) == 0


@pytest.mark.parametrize('tile', TABLE)
def test_an_arrow_covers_one_quarter_and_a_whole_edge_two(tile: str) -> None:
    outline, kinds = outline_of(tile), []
    for end in TABLE[tile]['ends']:
        area = outline.intersection(crossing_square(*end['crossing'])).area
        kinds.append({1: 'arrow', 2: 'whole'}[area])
    assert kinds.count('arrow') == tile.partition('-')[2].count('A')
    assert [len(shapely.get_parts(line)) for line in oriented(tile, 'r0').half_edges] == [1, 1] * len(kinds)
    assert all(line.length == pytest.approx(2**0.5) for line in oriented(tile, 'r0').half_edges)


@pytest.mark.parametrize('tile', [tile for tile in TABLE if tile != 'O'])
def test_an_inner_whole_edge_has_its_tip_on_the_side_to_which_the_path_bends(tile: str) -> None:
    outline, path, tips = outline_of(tile), C.UPRIGHT[C.TILES.index(tile)].path, ''
    # an end, the bend next to it, and what comes then
    for (i, j), bend, beyond in (path[:3], path[:-4:-1]):
        # corners of the end's crossing, from its middle
        for x, y in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            beyond_the_end = x * (i - bend[0]) + y * (j - bend[1]) > 0
            if beyond_the_end and outline.covers(shapely.Point(4 * i + 1 + x, 4 * j + 1 + y)):
                tips += 'I' if x * (beyond[0] - bend[0]) + y * (beyond[1] - bend[1]) > 0 else 'O'
    assert sorted(tips) == sorted(tile[2:].replace('A', ''))


@pytest.mark.parametrize('tile', TABLE)
def test_tiles_turn_clockwise_after_they_are_flipped(tile: str) -> None:
    for number, orientation in enumerate(ORIENTATIONS):
        piece = oriented(tile, orientation)
        shape = C.UPRIGHT[C.TILES.index(tile)].oriented(number)
        assert covered(shape).equals(piece.outline)
        assert shape.first == (0, 0)
        assert (
            same_lie(tile, orientation)
            == ORIENTATIONS[
                next(
                    k
                    for k in range(8)
                    if covered(C.UPRIGHT[C.TILES.index(tile)].oriented(k)).equals(piece.outline)
                )
            ]
        )
        if tile != 'O':
            assert covered(C.PIECES[C.PIECE_OF[C.TILES.index(tile)][number]]).equals(piece.outline)


def test_a_hand_has_108_oriented_tiles_that_all_differ() -> None:
    assert len(C.PIECES) == sum(len(orientations(tile)) for tile in TABLE if tile != 'O') == 108
    outlines = {piece.outline.normalize().wkt for piece, _ in every_piece()}
    assert len(outlines) == 109
    for piece, shape in every_piece():
        assert covered(shape).equals(piece.outline)


# ---- the areas ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('players', 'of_a_hand', 'octagons'), [(2, 3672, 36), (3, 6624, 64), (4, 10_440, 100)]
)
def test_each_area_has_as_many_places_as_known(players: int, of_a_hand: int, octagons: int) -> None:
    side = SIDES[players]
    area = placements(side)
    assert C.SIDES[players] == side
    assert (area.of != 'O').sum() == of_a_hand
    assert (area.of == 'O').sum() == octagons == (side - 1) ** 2
    inside = {tile.name for tile in area.tiles}
    by_tables = set()
    for piece, (tile, shape) in enumerate(every_piece()):
        for i in range(side):
            for j in range(side):
                if all(0 <= i + x < side and 0 <= j + y < side for x, y in shape.path):
                    at = f'{C.FILES[i]}{j + 1}'
                    by_tables.add(
                        f'O {at}'
                        if piece == C.N_PIECES
                        else f'{tile.tile} {ORIENTATIONS[C.ORIENTATION_OF[piece]]} {at}'
                    )
    assert by_tables == inside


@pytest.mark.parametrize('players', width([*SIDES][:1], SIDES))
def test_no_tile_covers_any_part_of_a_printed_square(players: int) -> None:
    side = SIDES[players]
    squares = np.array([printed_square(i, j) for i in range(-1, side) for j in range(-1, side)])
    assert len(squares) == (side + 1) ** 2
    outlines = placements(side).outlines
    tile, square = shapely.STRtree(squares).query(outlines)
    assert len(tile) > len(outlines)
    assert not overlap(outlines[tile], squares[square]).any()


def test_the_octagon_leaves_exactly_its_square_visible() -> None:
    ring = oriented('O', 'r0').outline
    assert len(ring.interiors) == 1
    assert shapely.Polygon(ring.interiors[0]).equals(printed_square(0, 0))


# ---- pairs of tiles ----------------------------------------------------------------------------------------


@cache
def pairs() -> dict[str, Any]:
    """Random pairs of pieces near each other: as polygons, and as the tables have them."""
    chooser, pieces = np.random.default_rng(4), every_piece()
    a, b = chooser.integers(0, len(pieces), (2, PAIRS))
    octagons = chooser.random(PAIRS) < 0.1
    a[octagons] = C.N_PIECES  # more of them than one in 109
    by = chooser.integers(-2, 3, (PAIRS, 2))
    outlines, half_edges = arrays([tile for tile, _ in pieces])
    moved: Geometries = np.stack([outlines[b], *half_edges[b].T])
    corners = shapely.get_num_coordinates(moved).ravel()
    moved = shapely.set_coordinates(
        moved, shapely.get_coordinates(moved) + np.repeat(4 * np.tile(by, (5, 1)), corners, axis=0)
    )
    shapes = [(pieces[x][1], pieces[y][1].moved(*at)) for x, y, at in zip(a, b, by.tolist(), strict=True)]
    return {'outlines': (outlines[a], moved[0]), 'half edges': (half_edges[a].T, moved[1:]), 'shapes': shapes}


def test_polygons_overlap_exactly_if_quarters_do() -> None:
    """No bit for streets is needed: whoever lies in the same street lies in the same quarters."""
    a, b = pairs()['outlines']
    by_area = overlap(a, b)
    by_quarters = np.array([not one.quarters.isdisjoint(other.quarters) for one, other in pairs()['shapes']])
    assert (by_area == by_quarters).all()
    assert 0.15 < by_area.mean() < 0.85


def test_half_edges_touch_another_tile_exactly_if_it_covers_the_quarter_they_face() -> None:
    a, b = pairs()['outlines']
    apart = np.flatnonzero(~overlap(a, b))
    touched = 0
    for me, (other, own) in enumerate(((b, pairs()['half edges'][0]), (a, pairs()['half edges'][1]))):
        by_length = touch(own[:, apart], other[apart]).sum(axis=0)
        whole = shapely.length(shapely.intersection(own[:, apart], shapely.boundary(other[apart]))).round(6)
        assert set(np.unique(whole[~np.isnan(whole)]).tolist()) <= {0.0, round(2**0.5, 6)}, (
            'a half edge is touched by half'
        )
        by_quarters = [
            sum(
                (*end.crossing, there) in pairs()['shapes'][k][1 - me].quarters
                for end in pairs()['shapes'][k][me].ends
                for _, there in end.faces
            )
            for k in apart
        ]
        assert (by_length == np.array(by_quarters)).all()
        touched += int((by_length > 0).sum())
    assert touched > width(1500, 5000)


def test_the_very_half_edge_that_is_touched_is_the_one_that_faces_the_tile() -> None:
    """End by end, from a middle of a crossing to the corner between the quarter that an end covers and the
    one that it faces."""
    for tile, shape in every_piece():
        by_tables = []
        for end in shape.ends:
            i, j = end.crossing
            for here, there in end.faces:
                (corner,) = set(QUARTERS[here]) & set(QUARTERS[there])
                by_tables.append(
                    shapely.LineString([(4 * i + 1, 4 * j + 1), (4 * i + corner[0], 4 * j + corner[1])])
                )
        assert {line.normalize().wkt for line in by_tables} == {
            line.normalize().wkt for line in tile.half_edges
        }
        assert len(by_tables) == len(tile.half_edges) == (4 if shape.ends else 0)
