"""Plane geometry: polygons, and the arcs that meet edges at right angles."""

from __future__ import annotations

import math
import random
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.drawing import geometry as G
from ludoteca.drawing.geometry import Curve


def near(a: tuple[float, float], b: tuple[float, float], slack: float = 1e-6) -> bool:
    return math.dist(a, b) < slack


def between(start: int, end: int, apothem: float = 50) -> Curve:
    """The line between two edges of an octagon round the origin."""
    return Curve(
        G.along((0, 0), G.compass(start), apothem),
        G.along((0, 0), G.compass(end), apothem),
        G.opposite(G.compass(start)),
        G.compass(end),
    )


def test_north_is_up_and_edges_run_clockwise() -> None:
    assert near(G.compass(0), (0, -1))
    assert near(G.compass(2), (1, 0))
    assert near(G.polar(10, 180, (1, 1)), (1, 11))


@pytest.mark.parametrize('corners', [4, 6, 8])
def test_polygons_have_their_apothem(corners: int) -> None:
    points = G.regular(corners, 7, (3, -2))
    assert len(points) == corners
    for a, b in zip(points, points[1:] + points[:1], strict=True):
        assert math.dist(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), (3, -2)) == pytest.approx(7)


def test_a_diamond_is_a_turned_square() -> None:
    assert all(math.dist(point, (0, 0)) == pytest.approx(5 * math.sqrt(2)) for point in G.diamond(5))
    assert math.dist(*G.diamond(5)[:2]) == pytest.approx(10)


@pytest.mark.parametrize(('apart', 'radius'), [(1, 20.71), (2, 50), (3, 120.71), (4, math.inf)])
def test_lines_are_arcs_of_the_radius_that_the_rule_gives(apart: int, radius: float) -> None:
    """apothem * tan(angle between the edges' normals / 2)."""
    for start in range(8):
        for end in ((start + apart) % 8, (start - apart) % 8):
            assert between(start, end).radius == pytest.approx(radius, abs=0.01)


@given(st.integers(0, 7), st.integers(0, 7).filter(bool), st.floats(0, 1))
def test_a_curve_keeps_to_its_circle_and_begins_and_ends_as_declared(
    start: int, apart: int, share: float
) -> None:
    curve = between(start, (start + apart) % 8)
    for at, point, direction in ((0, curve.start, curve.leaving), (1, curve.end, curve.arriving)):
        assert near(curve.at(at)[0], point)
        assert near(curve.at(at)[1], direction)
    point, direction = curve.at(share)
    assert curve.distance(point) < 1e-6
    assert math.hypot(*direction) == pytest.approx(1)


def test_the_svg_of_a_curve_turns_the_right_way() -> None:
    # in from the north, out to the east: anticlockwise on the screen
    assert between(0, 2).svg() == 'A50 50 0 0 0 50 0'
    assert between(2, 0).svg() == 'A50 50 0 0 1 0 -50'
    assert between(0, 4).svg() == 'L0 50'


def test_samples_lie_at_even_distances_over_all_curves() -> None:
    curves = [between(6, 2), Curve((50, 0), (100, 50), (1, 0), (0, 1))]
    points = [point for point, _ in G.sample(curves, 5, 5)]
    assert len(points) == int(G.total(curves) / 5)
    for a, b in pairwise(points):
        assert math.dist(a, b) == pytest.approx(5, abs=0.02)


def test_path_data() -> None:
    assert G.path([]) == ''
    assert G.path([G.line((0, 0), (3, 4))]) == 'M0 0L3 4'
    assert G.polygon([(0, 0), (1, 0), (1, 1)]) == 'M0 0L1 0L1 1Z'
    assert G.ring(2, (1, 1)) == 'M-1 1a2 2 0 1 1 4 0a2 2 0 1 1 -4 0Z'


def test_small_polygons_are_written_in_steps_that_lead_to_their_corners() -> None:
    """Against a reader of path data that knows `m`, `l`, `h` and `z` only."""
    rng = random.Random(3)
    rings = [
        [(rng.uniform(-120, 120), rng.uniform(-1, 1)) for _ in range(corners)]
        for corners in (3, 1, 4, 5, 1, 1, 10)
    ]
    found, at = list[list[complex]](), 0j
    for command, numbers in re.findall(r'([mlhz])([^mlhz]*)', G.polygons(rings)):
        values = [float(value) for value in re.findall(r'-?(?:\d+\.?\d*|\.\d+)', numbers)]
        assert len(values) % 2 == (command == 'h')
        if command == 'm':
            at += complex(*values)
            found.append([at])
        elif command == 'l':
            for dx, dy in zip(values[::2], values[1::2], strict=True):
                found[-1].append(found[-1][-1] + complex(dx, dy))
    assert [len(ring) for ring in found] == [len(ring) for ring in rings]
    for read, written in zip(found, rings, strict=True):
        for here, (x, y) in zip(read, written, strict=True):
            assert abs(here.real - x) <= 0.0501
            assert abs(here.imag - y) <= 0.0501
