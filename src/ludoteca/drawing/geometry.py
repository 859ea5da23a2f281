"""Plane geometry for boards: octagons, squares and stars, and lines that meet edges at right angles.

Coordinates are SVG's: x to the right, y downwards, angles clockwise. Edges of an octagon are 0..7 = N, NE, E,
SE, S, SW, W, NW.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ludoteca.drawing.svg import number, pair

Point = tuple[float, float]
Vector = tuple[float, float]

STEPS_KEPT = 1 << 14  # steps of small polygons that are kept as written
KEPT = 1 << 10  # polygons that are kept: boards draw the same ones again and again


def polar(radius: float, degrees: float, centre: Point = (0, 0)) -> Point:
    """The point at a distance from `centre`, in the direction `degrees` (0 = up, clockwise)."""
    angle = math.radians(degrees - 90)
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


@lru_cache(maxsize=KEPT)
def compass(edge: int) -> Vector:
    """The outward unit normal of an octagon's edge."""
    return polar(1, 45 * edge)


def along(start: Point, direction: Vector, distance: float) -> Point:
    """The point at `distance` from `start` in a direction."""
    return start[0] + direction[0] * distance, start[1] + direction[1] * distance


def opposite(direction: Vector) -> Vector:
    """The reversed vector."""
    return -direction[0], -direction[1]


def regular(corners: int, apothem: float, centre: Point = (0, 0)) -> list[Point]:
    """The corners, clockwise, of a regular polygon that has an edge straight above its centre."""
    return list(_regular(corners, apothem, centre))


@lru_cache(maxsize=KEPT)
def _regular(corners: int, apothem: float, centre: Point) -> tuple[Point, ...]:
    radius, step = apothem / math.cos(math.pi / corners), 360 / corners
    return tuple(polar(radius, (k + 0.5) * step, centre) for k in range(corners))


def octagon(apothem: float, centre: Point = (0, 0)) -> list[Point]:
    """The corners of an octagon; corner k lies between edges k and k + 1."""
    return regular(8, apothem, centre)


def diamond(half: float, centre: Point = (0, 0)) -> list[Point]:
    """The corners of a square of side 2 * half that stands on a corner."""
    return [polar(half * math.sqrt(2), 90 * k, centre) for k in range(4)]


def star(outer: float, inner: float, centre: Point = (0, 0)) -> list[Point]:
    """The ten corners of a five-pointed star."""
    return [polar(inner if k % 2 else outer, 36 * k, centre) for k in range(10)]


def polygon(points: Iterable[Point]) -> str:
    """A closed polygon as SVG path data."""
    return 'M' + 'L'.join(pair(*point) for point in points) + 'Z'


def polygons(rings: Iterable[Sequence[Point]]) -> str:
    """Many small closed polygons as SVG path data in tenths of a unit. Each point is written as the step from
    the one before, which takes a third of the characters of `polygon`; a single point is a dot for round line
    caps."""
    data, (x, y) = '', (0, 0)
    for points in rings:
        (at_x, at_y), *others = [(round(10 * a), round(10 * b)) for a, b in points]
        data += 'm' + _step(at_x - x, at_y - y)
        x, y = at_x, at_y  # `z` goes back to the first point
        for k, (to_x, to_y) in enumerate(others):
            data += ('l' if k == 0 else '') + _step(to_x - at_x, to_y - at_y, follows=k > 0)
            at_x, at_y = to_x, to_y
        data += 'z' if others else 'h0'
    return data


@lru_cache(maxsize=STEPS_KEPT)
def _step(x: int, y: int, follows: bool = False) -> str:
    """A step in tenths as path data, after another one if it `follows`."""
    first, second = (re.sub(r'^(-?)0\.', r'\1.', f'{value / 10:g}') for value in (x, y))
    between = '' if second.startswith('-') else ' '
    return (' ' if follows and not first.startswith('-') else '') + first + between + second


def ring(radius: float, centre: Point = (0, 0)) -> str:
    """A circle as SVG path data."""
    r, d = number(radius), number(2 * radius)
    return f'M{pair(centre[0] - radius, centre[1])}a{r} {r} 0 1 1 {d} 0a{r} {r} 0 1 1 -{d} 0Z'


@dataclass(frozen=True)
class Curve:
    """The one circular arc (or straight line) from `start` to `end` that leaves along the unit vector
    `leaving` and arrives along `arriving`. The two directions must lie symmetrically to the chord, as they do
    for lines that meet the edges of a regular polygon in their midpoints at right angles; the radius is then
    apothem * tan(angle between the edges' normals / 2)."""

    start: Point
    end: Point
    leaving: Vector
    arriving: Vector

    @cached_property
    def turn(self) -> float:
        """How far the direction turns on the way, in radians, clockwise positive; 0 for a straight line."""
        (a, b), (c, d) = self.leaving, self.arriving
        turn = math.atan2(a * d - b * c, a * c + b * d)
        return 0.0 if abs(turn) < 1e-6 else turn

    @cached_property
    def radius(self) -> float:
        """The arc's radius; infinite for a straight line."""
        return math.dist(self.start, self.end) / (2 * math.sin(abs(self.turn) / 2)) if self.turn else math.inf

    @cached_property
    def centre(self) -> Point:
        """The centre of an arc's circle."""
        side = math.copysign(self.radius, self.turn)
        return self.start[0] - side * self.leaving[1], self.start[1] + side * self.leaving[0]

    @cached_property
    def length(self) -> float:
        """The length of the way."""
        return self.radius * abs(self.turn) if self.turn else math.dist(self.start, self.end)

    def at(self, share: float) -> tuple[Point, Vector]:
        """The point after a share 0..1 of the way, and the direction there."""
        if not self.turn:
            (x, y), (u, v) = self.start, self.end
            return (x + (u - x) * share, y + (v - y) * share), self.leaving
        cos, sin = math.cos(self.turn * share), math.sin(self.turn * share)
        dx, dy = self.start[0] - self.centre[0], self.start[1] - self.centre[1]
        a, b = self.leaving
        return (
            (self.centre[0] + dx * cos - dy * sin, self.centre[1] + dx * sin + dy * cos),
            (a * cos - b * sin, a * sin + b * cos),
        )

    def distance(self, point: Point) -> float:
        """How far a point of the polygon that the curve crosses lies from the curve."""
        if self.turn:
            return abs(math.dist(point, self.centre) - self.radius)
        return abs(
            (point[0] - self.start[0]) * self.leaving[1] - (point[1] - self.start[1]) * self.leaving[0]
        )

    def svg(self) -> str:
        """SVG path data from the current point (`start`) to `end`."""
        return self._svg

    @cached_property
    def _svg(self) -> str:
        if not self.turn:
            return f'L{pair(*self.end)}'
        radius = number(self.radius)
        return f'A{radius} {radius} 0 0 {int(self.turn > 0)} {pair(*self.end)}'


def line(start: Point, end: Point) -> Curve:
    """A straight line."""
    length = math.dist(start, end) or 1.0
    direction = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    return Curve(start, end, direction, direction)


def path(curves: Sequence[Curve]) -> str:
    """Consecutive curves as SVG path data."""
    return f'M{pair(*curves[0].start)}' + ''.join([curve.svg() for curve in curves]) if curves else ''


def sample(curves: Sequence[Curve], step: float, first: float = 0) -> list[tuple[Point, Vector]]:
    """Points at intervals of `step` along consecutive curves, with the direction at each; `first` is the
    first one's distance from the start."""
    found, ahead = [], first
    for curve in curves:
        length = curve.length
        while ahead <= length and length:
            found.append(curve.at(ahead / length))
            ahead += step
        ahead -= length
    return found


def total(curves: Sequence[Curve]) -> float:
    """The total length of curves."""
    return sum(curve.length for curve in curves)
