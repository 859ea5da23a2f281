"""The shapes of Myriath and the definitions that drawings refer to: translucent acrylic over white enamel.

A crossing (i, j) has its centre at x = 100 * i, y = -100 * j; streets and printed squares are 50 wide. The
MIDDLE of a piece is the centre of the box round the crossings of its path: there it is held, turned and
flipped.

The players' tiles differ without hue, too: Blue's are smoked and engraved with beads, Red's clear, hatched
and engraved with teeth, Yellow's light with dark bricks, Green's watered with lozenges. All wear their
owner's sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache

from markupsafe import Markup

from ludoteca.drawing import marks
from ludoteca.drawing.geometry import Point, polar, polygons
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import Symbols, gradient, number, pair, tag, translate, use

from .. import components as C
from .. import rules as R
from ..components import Crossing, Shape

# from crossing to crossing; half the width of a street
UNIT, HALF = 100.0, 25.0
# how far inside the outline the cut edge, the rim and the engraving lie
CUT, RIM, LINE = 1.2, 3.6, 9.0
STEP = 11.5  # distance of two engraved marks
SIGN = 0.78  # size of the owner's sign
BAR = 8.4  # width of a half edge
BAR_FROM, BAR_TO = 0.17, 0.9  # between which parts of the half diagonal it is drawn
GOLD, GOLD_CASE, HALO = '#ffd23f', '#3a2a00', '#ffc400'
SHADE = (2.5, 5.0)  # offset of a tile's shadow
DIRECTIONS = ((1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0))  # [quarter]
# [quarter] -> corner between it and the next one
CORNERS = ((1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))


def name(part: str) -> str:
    """The id of a definition."""
    return f'myriath-{part}'


# ---- places ------------------------------------------------------------------------------------------------


def crossing_point(at: Crossing) -> Point:
    """The centre of a crossing."""
    return UNIT * at[0], -UNIT * at[1]


def square_point(at: Crossing) -> Point:
    """The centre of the printed square north-east of a crossing."""
    return UNIT * at[0] + UNIT / 2, -UNIT * at[1] - UNIT / 2


def middle(shape: Shape) -> Point:
    """The middle of a piece."""
    columns, rows = [i for i, _ in shape.path], [j for _, j in shape.path]
    return UNIT * (min(columns) + max(columns)) / 2, -UNIT * (min(rows) + max(rows)) / 2


def shape_of(piece: int) -> Shape:
    """A piece with its first crossing at (0, 0); the octagon is the last one."""
    return C.THE_RING if piece == R.RING else C.PIECES[piece]


# ---- outlines ----------------------------------------------------------------------------------------------


def _faces(shape: Shape) -> Iterator[tuple[Crossing, ...]]:
    """The triangles and rectangles that a shape consists of, clockwise, in units of HALF."""
    for i, j, k in shape.quarters:
        x, y = 4 * i, -4 * j
        (a, b), (c, d) = CORNERS[k], CORNERS[k - 1]
        yield (x, y), (x + int(a), y + int(b)), (x + int(c), y + int(d))
    for (i, j), (k, m) in shape.streets:
        left, right, top, bottom = 4 * min(i, k), 4 * max(i, k), -4 * max(j, m), -4 * min(j, m)
        if j == m:
            left, right, top, bottom = left + 1, right - 1, top - 1, bottom + 1
        else:
            left, right, top, bottom = left - 1, right + 1, top + 1, bottom - 1
        yield (left, top), (right, top), (right, bottom), (left, bottom)


@cache
def outline(shape: Shape) -> tuple[tuple[Point, ...], ...]:
    """The outline of a shape: rings of corners, clockwise; a hole the other way round."""
    edges = {(a, b) for face in _faces(shape) for a, b in zip(face, (*face[1:], face[0]), strict=True)}
    ahead = {a: b for a, b in sorted(edges) if (b, a) not in edges}  # edges that two parts share are inside
    rings = []
    while ahead:
        ring = [next(iter(ahead))]
        while ring[-1] in ahead:
            ring.append(ahead.pop(ring[-1]))
        rings.append(tuple((HALF * x, HALF * y) for x, y in _corners(ring[:-1])))
    return tuple(sorted(rings))


def _corners(ring: Sequence[Crossing]) -> list[Crossing]:
    """The points of a ring where it turns."""
    found = []
    for (ax, ay), (bx, by), (cx, cy) in zip((ring[-1], *ring[:-1]), ring, (*ring[1:], ring[0]), strict=True):
        if (bx - ax) * (cy - by) != (by - ay) * (cx - bx):
            found.append((bx, by))
    return found


def inset(ring: Sequence[Point], by: float) -> list[Point]:
    """A ring moved to its right-hand side (into a shape that lies clockwise)."""
    found = []
    for before, here, after in zip((ring[-1], *ring[:-1]), ring, (*ring[1:], ring[0]), strict=True):
        (ux, uy), (vx, vy) = _unit(before, here), _unit(here, after)
        # both edges move along their normals; the corner to where they meet again
        nx, ny, mx, my = -uy, ux, -vy, vx
        share = by / (1 + nx * mx + ny * my)
        found.append((here[0] + share * (nx + mx), here[1] + share * (ny + my)))
    return found


def _unit(start: Point, end: Point) -> Point:
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


@cache
def outline_data(shape: Shape, by: float = 0, origin: Point = (0, 0)) -> str:
    """The outline as SVG path data, moved inwards, seen from `origin`."""
    return polygons(
        [(x - origin[0], y - origin[1]) for x, y in (inset(ring, by) if by else ring)]
        for ring in outline(shape)
    )


@cache
def walk(shape: Shape, by: float, step: float) -> list[tuple[Point, Point]]:
    """Points at even distances along a line that follows the outline so far inside, each with the direction
    there."""
    found = []
    for ring in outline(shape):
        line = inset(ring, by)
        for start, end in zip(line, (*line[1:], line[0]), strict=True):
            length = math.dist(start, end)
            n, (u, v) = max(1, round(length / step)), _unit(start, end)
            for k in range(n):
                found.append(
                    ((start[0] + u * length * (k + 0.5) / n, start[1] + v * length * (k + 0.5) / n), (u, v))
                )
    return found


def sign_point(shape: Shape) -> Point:
    """The place of the owner's sign on a tile: the middle of its middle street, on the octagon of its upper
    street."""
    at = len(shape.path) // 2
    (i, j), (k, m) = (shape.path[at - 1], shape.path[at]) if shape.ends else (shape.path[2], shape.path[3])
    return UNIT * (i + k) / 2, -UNIT * (j + m) / 2


# ---- half edges --------------------------------------------------------------------------------------------


def corner(here: int, there: int) -> Point:
    """The corner of a crossing that two neighbouring quarters share, seen from its centre."""
    return CORNERS[here if there == (here + 1) % 4 else there]


@cache
def half_edge(at: Crossing, here: int, there: int, width: float = BAR) -> tuple[Point, Point]:
    """The half edge of a crossing between two neighbouring quarters, as a line on the side of the first
    one."""
    (a, b), (u, v) = corner(here, there), DIRECTIONS[here]
    x, y = crossing_point(at)
    along = (u * a + v * b) / 2
    nx, ny = u - along * a, v - along * b  # across the diagonal, into the own quarter
    aside = width / 2 / math.hypot(nx, ny)
    start, end = HALF * BAR_FROM, HALF * BAR_TO
    return (x + a * start + nx * aside, y + b * start + ny * aside), (
        x + a * end + nx * aside,
        y + b * end + ny * aside,
    )


@cache
def half_edge_data(at: Crossing, here: int, there: int, width: float = BAR) -> str:
    """The same as SVG path data, in tenths of a unit."""
    (a, b), (c, d) = half_edge(at, here, there, width)
    return f'M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}'


def bars(data: str, core: str, case: str, width: float = BAR, **attributes: str) -> Markup:
    """Half edges as they are drawn: a core in a case."""
    lines = [
        tag('path', d=data, stroke=colour, stroke_width=broad)
        for colour, broad in ((case, width), (core, 0.58 * width))
    ]
    return tag('g', *lines, fill='none', stroke_linecap='round', **attributes)


def open_bars(data: str, colour: str, width: float = BAR) -> Markup:
    """Open half edges."""
    return bars(data, '#fff', PLAYERS[colour].deep, width) if data else Markup()


def gold_bars(data: str, width: float = BAR, **attributes: str) -> Markup:
    """Connected half edges."""
    return bars(data, GOLD, GOLD_CASE, width, **attributes) if data else Markup()


# ---- tiles -------------------------------------------------------------------------------------------------


MARKS: dict[str, Sequence[Point]] = {
    'circle': ((0, 0),),
    'triangle': ((4, 0), (-2.2, 2.7), (-2.2, -2.7)),
    'square': ((-3.2, -1.5), (3.2, -1.5), (3.2, 1.5), (-3.2, 1.5)),
    'diamond': ((-3.6, 0), (0, -2.3), (3.6, 0), (0, 2.3)),
    'star': [polar(4.8, 144 * k) for k in range(5)],  # in one stroke
}
"""Engraved marks by the shape of a player's sign, the way of the line being to the right."""


def _mark(colour: str, at: Point, way: Point) -> list[Point]:
    """The corners of one engraved mark."""
    (x, y), (u, v) = at, way
    return [(x + a * u - b * v, y + a * v + b * u) for a, b in MARKS[PLAYERS[colour].shape]]


@cache
def engraving(piece: int, colour: str) -> Markup:
    """The engraved line of a tile."""
    data = polygons(_mark(colour, *found) for found in walk(shape_of(piece), LINE, STEP))
    ink = PLAYERS[colour].dark if colour in ('yellow', 'purple') else '#fff'  # on light ones
    if PLAYERS[colour].shape == 'circle':
        return tag(
            'path',
            d=data,
            fill='none',
            stroke=ink,
            stroke_opacity=0.92,
            stroke_width=3.8,
            stroke_linecap='round',
        )
    return tag('path', d=data, fill=ink, fill_opacity=0.92)


@cache
def acrylic(piece: int, colour: str) -> Markup:
    """A tile without its half edges, its first crossing at the origin; the light comes from the upper left
    however it lies."""
    shape, player = shape_of(piece), PLAYERS[colour]
    data = outline_data(shape, CUT)
    hatch = {'red': 'hatch', 'green': 'water', 'purple': 'dots'}.get(colour)
    return Markup('').join(
        (
            tag(
                'path',
                d=data,
                fill=f'url(#{name(f"acrylic-{colour}")})',
                stroke=player.deep,
                stroke_width=1.5,
                stroke_linejoin='round',
                pointer_events='all',
            ),
            tag('path', d=data, fill=f'url(#{name(hatch)})') if hatch else '',
            tag(
                'path',
                d=outline_data(shape, RIM),
                fill='none',
                stroke='#fff',
                stroke_opacity=0.75,
                stroke_width=1.8,
                stroke_linejoin='round',
            ),
            engraving(piece, colour),
            use(name(f'sign-{colour}'), translate(*sign_point(shape))),
        )
    )


@cache
def tile(tile: int, colour: str) -> Markup:
    """A tile in orientation 0 round its middle, all its half edges open."""
    shape = C.UPRIGHT[tile]
    piece = R.RING if tile == C.THE_OCTAGON else C.PIECE_OF[tile][0]
    x, y = middle(shape)
    return Markup(
        tag('g', acrylic(piece, colour), transform=translate(-x, -y))
        + open_bars(_all_half_edges(shape, (x, y)), colour)
    )


def _all_half_edges(shape: Shape, origin: Point) -> str:
    """All half edges of a shape as path data, seen from `origin`."""
    found = []
    for end in shape.ends:
        for here, there in end.faces:
            (a, b), (c, d) = half_edge(end.crossing, here, there)
            found.append(f'M{pair(a - origin[0], b - origin[1])}L{pair(c - origin[0], d - origin[1])}')
    return ''.join(found)


def ghost_body(data: str, fill: str, edge: str) -> Markup:
    """A tile that does not lie yet: pale, with a dashed outline."""
    return tag(
        'g',
        tag(
            'path', d=data, fill='#fff', fill_opacity=0.35, stroke='#fff', stroke_opacity=0.85, stroke_width=5
        ),
        tag(
            'path',
            d=data,
            fill=fill,
            fill_opacity=0.42,
            stroke=edge,
            stroke_width=2.8,
            stroke_dasharray='9 5',
        ),
        stroke_linejoin='round',
    )


def squares(middles: Sequence[Point]) -> Markup:
    """Printed squares. They are no copies of a definition: for a browser each copy is a tree of its own."""
    box: dict[str, str | float] = {
        'width': 2 * HALF,
        'height': 2 * HALF,
        'rx': 3.5,
        'fill': f'url(#{name("slate")})',
    }
    lights = ''.join(f'M{pair(x - HALF + 4, y - HALF + 1.3)}H{number(x + HALF - 4)}' for x, y in middles)
    return Markup('').join(
        (
            *(tag('rect', x=x - HALF, y=y - HALF, **box) for x, y in middles),
            tag('path', d=lights, stroke='#fff', stroke_opacity=0.28),
        )
    )


def tile_symbol(tile: int) -> str:
    """The id of a tile that is held, to be turned and flipped."""
    return name(f'tile-{C.TILES[tile]}')


def _held(tile: int) -> Markup:
    """A tile that is held, in orientation 0 round its middle, in the colour of the seat around it: no light
    from one side."""
    shape = C.UPRIGHT[tile]
    origin, seat = middle(shape), f'var(--seat, {PLAYERS["blue"].base})'
    data, dots = outline_data(shape, CUT, origin), []
    for (x, y), _ in walk(shape, LINE, STEP):
        dots.append(f'M{pair(x - origin[0], y - origin[1])}h0')
    return Markup('').join(
        (
            ghost_body(data, seat, seat),
            tag(
                'path',
                d=''.join(dots),
                fill='none',
                stroke='#000',
                stroke_opacity=0.4,
                stroke_width=3.2,
                stroke_linecap='round',
            ),
            bars(_all_half_edges(shape, origin), '#fff', '#1d2026') if shape.ends else '',
        )
    )


def _acrylic(colour: str) -> Markup:
    """The body of a tile with the sheen on it: the light ends in a sharp line, as on something polished."""
    player = PLAYERS[colour]
    clear = {'blue': 0.06, 'red': -0.1, 'yellow': 0.04, 'green': 0.06, 'purple': 0.04}[colour]
    lit = {'blue': 0.42, 'red': 0.55, 'yellow': 0.72, 'green': 0.4, 'purple': 0.6}[colour]
    # else too close to red in grey
    base = mix(player.base, player.dark, 0.35) if colour == 'green' else player.base
    stops = (
        (0, mix(base, '#ffffff', lit), 0.84),
        (0.36, mix(base, '#ffffff', lit * 0.35), 0.8),
        (0.365, mix(base, '#ffffff', 0.06), 0.78),
        (0.75, base, 0.8),
        (1, mix(base, player.dark, 0.55), 0.86),
    )
    return gradient(
        'linearGradient',
        name(f'acrylic-{colour}'),
        [(offset, shade, opacity + clear) for offset, shade, opacity in stops],
        x1=0,
        y1=0,
        x2=0.8,
        y2=1,
    )


def mix(first: str, second: str, share: float) -> str:
    """A colour between two others."""
    parts = [(int(first[k : k + 2], 16), int(second[k : k + 2], 16)) for k in (1, 3, 5)]
    return '#' + ''.join(f'{round(a + (b - a) * share):02x}' for a, b in parts)


@cache
def symbol_set() -> Symbols:
    """All definitions that the drawings refer to, as one list."""
    found: dict[str, str] = {}

    def add(part: str, kind: str, *children: str, **attributes: str | float) -> None:
        found[name(part)] = tag(kind, *children, id=name(part), **attributes)

    for colour, player in PLAYERS.items():
        found[name(f'acrylic-{colour}')] = _acrylic(colour)
        add(
            f'sign-{colour}',
            'g',
            marks.shape(colour),
            transform=f'scale({SIGN})',
            fill='#fff',
            stroke=player.deep,
            stroke_width=2,
        )
    add(
        'hatch',
        'pattern',
        tag('path', d='M-1 8L8 -1', stroke='#fff', stroke_opacity=0.42, stroke_width=1.5),
        width=7,
        height=7,
        patternUnits='userSpaceOnUse',
    )
    add(
        'water',
        'pattern',
        tag('path', d='M0 3Q3 0 6 3T12 3', fill='none', stroke='#fff', stroke_opacity=0.36, stroke_width=1.4),
        width=12,
        height=7,
        patternUnits='userSpaceOnUse',
    )
    add(
        'dots',
        'pattern',
        tag(
            'path',
            d='M2.5 2.5h0M7 7h0',
            stroke='#fff',
            stroke_opacity=0.5,
            stroke_width=2.2,
            stroke_linecap='round',
        ),
        width=9,
        height=9,
        patternUnits='userSpaceOnUse',
    )
    add(
        'soft',
        'filter',
        tag('feGaussianBlur', stdDeviation=3.4),
        # not the box of what is in it: every fresh tile would change that, and all would be painted anew
        filterUnits='userSpaceOnUse',
        x=-2 * UNIT,
        y=-13 * UNIT,
        width=15 * UNIT,
        height=15 * UNIT,
    )
    add(
        'enamel',
        'linearGradient',
        tag('stop', stop_color=var('enamel-1')),
        tag('stop', offset=1, stop_color=var('enamel-2')),
        x1=0,
        y1=0,
        x2=0.6,
        y2=1,
    )
    add(
        'slate',
        'linearGradient',
        tag('stop', stop_color='#4b4f58'),
        tag('stop', offset=0.5, stop_color=var('slate')),
        tag('stop', offset=1, stop_color='#1f2126'),
        x1=0,
        y1=0,
        x2=0.5,
        y2=1,
    )
    add('square', 'g', squares([(0, 0)]))
    for tile in range(C.N_TILES):
        shape = C.UPRIGHT[tile]
        add(f'flat-{C.TILES[tile]}', 'path', d=outline_data(shape, CUT, middle(shape)))
        found[tile_symbol(tile)] = tag('g', _held(tile), id=tile_symbol(tile))
    return Symbols(found)
