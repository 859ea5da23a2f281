"""What the pictures of Myraclia are made of: a night sky, barren and living hexagons, glittering cubes, disks
and tokens.

A tile is a hexagon with pointed tops, 2 * APOTHEM wide; its centre is the origin of what is drawn on it. A
place q, r of the plane lies at x = PITCH * (q + r / 2), y = PITCH * sin(60) * r.

Nothing is told apart by colour alone: cubes carry letters, landscapes differ in what grows there and repeat
the badge of the barren side, disks wear their owner's sign, light ones terraformed, dark ones reserved.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from ludoteca.drawing import marks
from ludoteca.drawing.boards import focus_ring
from ludoteca.drawing.geometry import Point, polar, polygon, polygons, ring
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import Symbols, evenly, gradient, joined, number, pair, tag, translate, use, words

from .. import components as C
from .facts import say

APOTHEM = 60.0
RADIUS = APOTHEM / math.cos(math.pi / 6)
PITCH = 2 * APOTHEM + 5  # from tile to tile
EDGE = 7.0  # how much of a tile's side is seen below it
CUBE, DEPTH = 30.0, 0.2  # front edge of a cube; its depth as a part of that
DISK = 22.0  # radius of a disk
HELD = 16.5  # of the disk on a reserved tile
COIN = 15.0  # of an Eternity token
STAR = 16.0  # of the points printed on a tile
SPRING = 16.5  # of a released element
TURNING = 19.0  # of a free element
GIVEN = 19.7  # width of the cube in either: its letter is legible on the largest planet
BADGE = 13.5  # of a surface's badge
CRACKS, LANDS = 8, 3  # how many patterns there are of each
INK, CREAM = '#1d1f26', '#fff8ea'


class Paint(NamedTuple):
    """The colours of an element: its body, its lit top, its shaded side, its edge, the ink of its letter."""

    base: str
    light: str
    dark: str
    edge: str
    ink: str


PAINTS = {
    'green': Paint('#37a34a', '#97d8a1', '#1f6a2d', '#16501f', '#fff'),
    'yellow': Paint('#f3d22b', '#fbeea2', '#b3950f', '#4f4100', '#2b2300'),
    'orange': Paint('#f28a1e', '#fac78e', '#a8590a', '#5c2f00', '#2b1300'),
    'red': Paint('#d2302c', '#ef9996', '#8a1a17', '#5a0d0b', '#fff'),
    'blue': Paint('#2a6bd0', '#95b8ec', '#17428a', '#0d2a5c', '#fff'),
    'black': Paint('#34343c', '#7b7c88', '#17171c', '#08080b', '#fff'),
    'white': Paint('#f3f4f7', '#ffffff', '#b3b7c2', '#1c1d22', '#26272c'),
}


def name(part: str) -> str:
    """The id of a definition."""
    return f'myraclia-{part}'


# ---- places ------------------------------------------------------------------------------------------------


@cache
def middle(cell: int) -> Point:
    """The centre of a place."""
    q, r = C.place_of(cell)
    return round(PITCH * (q + r / 2), 2), round(PITCH * math.sin(math.pi / 3) * r, 2)


@cache
def hexagon_data(inset: float = 0, y: float = 0) -> str:
    """A tile's outline, moved inwards and down, as SVG path data."""
    return polygon(polar((APOTHEM - inset) / math.cos(math.pi / 6), 60 * k, (0, y)) for k in range(6))


# ---- cubes -------------------------------------------------------------------------------------------------


def _faces() -> tuple[Point, tuple[str, str, str]]:
    """The upper left corner of a cube's front, and its top, side and hull as path data."""
    deep = CUBE * DEPTH
    x, y = -(CUBE + deep) / 2, -(CUBE - deep) / 2
    right, low = x + CUBE, y + CUBE
    return (x, y), (
        polygon([(x, y), (x + deep, y - deep), (right + deep, y - deep), (right, y)]),
        polygon([(right, y), (right + deep, y - deep), (right + deep, low - deep), (right, low)]),
        polygon(
            [
                (x, y),
                (x + deep, y - deep),
                (right + deep, y - deep),
                (right + deep, low - deep),
                (right, low),
                (x, low),
            ]
        ),
    )


def _letter(colour: str, ink: str) -> Markup:
    """A cube's letter on its front."""
    (x, y), _ = _faces()
    return words(
        say(f'letter.{colour}'),
        x=x + CUBE / 2,
        y=y + CUBE * 0.79,
        font_size=CUBE * 0.8,
        font_weight=800,
        text_anchor='middle',
        fill=ink,
    )


def _cube(colour: str) -> Markup:
    """A translucent cube: three facets, the far edges seen through it, its letter."""
    paint, (x, y), (top, side, hull) = PAINTS[colour], *_faces()
    deep = CUBE * DEPTH
    far = (
        f'M{pair(x, y + CUBE)}L{pair(x + deep, y + CUBE - deep)}V{number(y - deep)}M{pair(x + deep, y + CUBE - deep)}'  # noqa: E501
        f'H{number(x + CUBE + deep)}'
    )
    sheen = polygon([(x + 1.8, y + 1.8), (x + CUBE * 0.62, y + 1.8), (x + 1.8, y + CUBE * 0.66)])
    rim = f'M{pair(x, y)}H{number(x + CUBE)}V{number(y + CUBE)}M{pair(x + CUBE, y)}L{pair(x + CUBE + deep, y - deep)}'  # noqa: E501
    return joined(
        (
            tag('path', d=top, fill=paint.light),
            tag('path', d=side, fill=f'url(#{name(f"side-{colour}")})'),
            tag('rect', x=x, y=y, width=CUBE, height=CUBE, fill=f'url(#{name(f"front-{colour}")})'),
            tag('path', d=far, fill='none', stroke='#fff', stroke_opacity=0.3, stroke_width=1.1),
            tag('path', d=sheen, fill='#fff', fill_opacity=0.6 if colour == 'white' else 0.24),
            tag('path', d=rim, fill='none', stroke='#fff', stroke_opacity=0.55, stroke_width=1.3),
            tag('path', d=hull, fill='none', stroke=paint.edge, stroke_width=1.7, stroke_linejoin='round'),
            _letter(colour, paint.ink),
        )
    )


def _gem(colour: str) -> Markup:
    """A real cube, which glitters unlike a printed one."""
    x, y = CUBE * 0.56, -CUBE * 0.5
    star = polygon(polar(7.5 if k % 2 == 0 else 2, 45 * k, (x, y)) for k in range(8))
    return joined(
        (
            use(name(f'cube-{colour}')),
            tag('path', d=star, fill='#fff', stroke='#2b2d3a', stroke_opacity=0.25, stroke_width=0.8),
        )
    )


def _slot(colour: str) -> Markup:
    """Where a cube is missing."""
    return joined(
        (
            tag(
                'path',
                d=_faces()[1][2],
                fill='#1b1a1f',
                fill_opacity=0.42,
                stroke='#fff',
                stroke_width=1.9,
                stroke_dasharray='4.8 3.6',
                stroke_linejoin='round',
            ),
            _letter(colour, '#fff'),
        )
    )


def cube(kind: str, colour: int, x: float, y: float, size: float, **attributes: str | float | None) -> Markup:
    """A `cube` (printed), a `gem` (real) or a `slot` (missing), `size` wide at its front."""
    return use(name(f'{kind}-{C.COLOURS[colour]}'), translate(x, y, scale=size / CUBE), **attributes)


# ---- disks, badges, points, released and free elements -----------------------------------------------------


def _disk(colour: str, light: bool) -> Markup:
    """A player's disk: terraformed (light) or reserved (dark)."""
    player = PLAYERS[colour]
    face, ink = (CREAM, '#17181d') if light else ('#23242b', CREAM)
    return joined(
        (
            tag('circle', cy=3.4, r=DISK, fill=player.deep),
            tag('circle', r=DISK + 1.6, fill='#17181d'),
            tag('circle', r=DISK - 1.6, fill=face, stroke=player.base, stroke_width=5.2),
            tag('g', marks.shape(colour), fill=ink, transform='scale(1.12)'),
        )
    )


def disk(
    colour: str, light: bool, x: float, y: float, radius: float, **attributes: str | float | None
) -> Markup:
    """A player's disk."""
    return use(
        name(f'disk-{colour}-{"light" if light else "dark"}'),
        translate(x, y, scale=radius / DISK),
        **attributes,
    )


def _sign_of_surface(surface: str) -> Markup:
    """A surface's sign, 24 units across, in the colour of the group round it."""
    match surface:
        case 'plains':
            grain = 'M0-12.5Q3.6-9 0-5Q-3.6-9 0-12.5Z'
            for y in (-1, 5):
                for x in (-7.4, 7.4):
                    grain += f'M0 {y}Q{number(x * 0.15)} {number(y - 6.4)} {number(x)} {y - 7}'
                    grain += f'Q{number(x * 1.05)} {number(y - 1.4)} 0 {y}Z'
            return joined(
                (
                    tag('path', d=grain),
                    tag(
                        'path',
                        d='M0-5V12M-8 12H8',
                        stroke='currentColor',
                        stroke_width=2.2,
                        stroke_linecap='round',
                    ),
                )
            )
        case 'forests':
            return tag('path', d='M0-12L7-2H3.6L9 6H1.6V11H-1.6V6H-9L-3.6-2H-7Z')
        case 'water':
            return tag(
                'path',
                d=''.join(f'M-11 {y}q2.75-5 5.5 0t5.5 0t5.5 0t5.5 0' for y in (-5, 2, 9)),
                fill='none',
                stroke='currentColor',
                stroke_width=2.5,
                stroke_linecap='round',
            )
        case _:
            return tag(
                'path', d='M-12 8L-4-8L0-1.6L3.4-6L12 8ZM-4-8L-6.4-3L-4-4.6L-2-2.6L-1-3Z', fill_rule='evenodd'
            )


def _badge(surface: str) -> Markup:
    """A surface's badge."""
    return joined(
        (
            tag('circle', r=BADGE, fill=INK, stroke='#f6efe0', stroke_width=1.7),
            tag(
                'g',
                _sign_of_surface(surface),
                fill='#fff',
                color='#fff',
                transform=f'scale({BADGE / 17.5:.3f})',
            ),
        )
    )


def badge(
    surface: int, x: float, y: float, radius: float = BADGE, **attributes: str | float | None
) -> Markup:
    """A surface's badge."""
    return use(name(f'badge-{C.SURFACES[surface]}'), translate(x, y, scale=radius / BADGE), **attributes)


def _star(points: int) -> Markup:
    """Printed points: a gilded star with eight tips."""
    data = polygon(polar(STAR * (1.12 if k % 2 == 0 else 0.9), 22.5 * k) for k in range(16))
    return joined(
        (
            tag('path', d=data, fill='#ffe08a', stroke='#5b3f00', stroke_width=1.8, stroke_linejoin='round'),
            words(
                str(points),
                y=STAR * 0.44,
                font_size=STAR * 1.3,
                font_weight=850,
                text_anchor='middle',
                fill='#2e1f00',
            ),
        )
    )


def _spring(colour: str) -> Markup:
    """A released element: a cube that springs up under three rays."""
    rays = ''.join(
        f'M{pair(*polar(SPRING + 1.5, turn))}L{pair(*polar(SPRING + 6, turn))}' for turn in (-38, 0, 38)
    )
    return joined(
        (
            tag('path', d=rays, stroke='#2e2418', stroke_width=4.6, stroke_linecap='round'),
            tag('path', d=rays, stroke='#fff3d6', stroke_width=2.4, stroke_linecap='round'),
            tag('circle', r=SPRING, fill=CREAM, stroke='#2e2418', stroke_width=1.8),
            use(name(f'cube-{colour}'), f'scale({GIVEN / CUBE:.3g})'),
        )
    )


def _turning(colour: str) -> Markup:
    """A free element: a cube within an arrow that comes round again."""
    r = TURNING - 1
    data = f'M{pair(*polar(r, 60))}A{number(r)} {number(r)} 0 1 1 {pair(*polar(r, -24))}'
    tip = polygon([polar(r, 8), polar(r + 6, -26), polar(r - 6, -30)])
    return joined(
        (
            tag('circle', r=TURNING + 2, fill=CREAM, stroke='#17181d', stroke_width=1.2),
            tag('path', d=data, fill='none', stroke='#0b6b43', stroke_width=3.8),
            tag('path', d=tip, fill='#0b6b43'),
            use(name(f'cube-{colour}'), f'scale({GIVEN / CUBE:.3g})'),
        )
    )


def _coin(token: int) -> Markup:
    """An Eternity token: a violet coin with an endless rim."""
    parts = [
        tag('circle', cy=2.4, r=COIN, fill='#1a0f33'),
        tag('circle', r=COIN, fill=f'url(#{name("eternity")})', stroke='#f0d58a', stroke_width=2.2),
        tag(
            'circle',
            r=COIN - 2.6,
            fill='none',
            stroke='#f0d58a',
            stroke_opacity=0.55,
            stroke_width=0.9,
            stroke_dasharray='2 1.6',
        ),
    ]
    value = C.TOKEN_VALUE[token]
    match C.TOKEN_KIND[token]:
        case C.POINT_TOKEN:
            parts.append(use(name(f'star-{value}'), 'scale(.68)'))
        case C.RELEASE_TOKEN:
            parts.append(use(name(f'spring-{C.COLOURS[value]}'), 'translate(0 2) scale(.58)'))
        case C.FREE_TOKEN:
            parts.append(use(name(f'turning-{C.COLOURS[value]}'), 'scale(.58)'))
        case _:
            parts.append(
                tag(
                    'g',
                    _sign_of_surface(C.SURFACES[value]),
                    fill='#fff',
                    color='#fff',
                    transform='scale(.72)',
                )
            )
    return joined(parts)


def coin(token: int, x: float, y: float, radius: float = COIN, **attributes: str | float | None) -> Markup:
    """An Eternity token."""
    return use(name(f'coin-{C.TOKENS[token]}'), translate(x, y, scale=radius / COIN), **attributes)


# ---- barren tiles ------------------------------------------------------------------------------------------


def _slab(fill: str, side: str) -> Markup:
    """A hexagonal tile without its picture."""
    return joined(
        (
            tag(
                'path',
                d=hexagon_data(2, EDGE),
                fill=side,
                stroke=side,
                stroke_width=4,
                stroke_linejoin='round',
            ),
            tag('path', d=hexagon_data(2), fill=fill, stroke=side, stroke_width=4, stroke_linejoin='round'),
        )
    )


BEVEL: dict[str, str | float] = {'fill': 'none', 'stroke': '#fff', 'stroke_opacity': 0.4, 'stroke_width': 1.5}


def _cracks(k: int) -> str:
    """One of the patterns of cracks, as path data within the tile."""
    chance, data, arms = random.Random(f'cracks {k}'), '', 6 + k % 2
    for arm in range(arms):
        turn = 360 / arms * arm + chance.uniform(-14, 14)
        at = polar(10, turn, (chance.uniform(-8, 8), chance.uniform(-8, 8)))
        data += f'M{pair(*at)}'
        for step in range(3):
            turn += chance.uniform(-26, 26)
            at = polar(14, turn, at)
            data += f'L{pair(*at)}'
            if step == 1:
                data += f'L{pair(*polar(11, turn + chance.choice((-58, 58)), at))}M{pair(*at)}'
    return data


def _craters(k: int) -> Iterator[Markup]:
    chance = random.Random(f'craters {k}')
    for radius in (8.0, 5.5, 4.0, 3.0):
        yield tag(
            'ellipse', cx=chance.uniform(-44, 44), cy=chance.uniform(-44, 44), rx=radius, ry=radius * 0.6
        )


def ground(tile: int) -> Markup:
    """A barren tile without what is printed on it."""
    turn = f'rotate({60 * (tile // CRACKS % 6)})'
    cracks = name(f'cracks-{tile % CRACKS}')
    return joined(
        (
            use(name('barren')),
            tag(
                'g',
                use(name(f'craters-{tile % CRACKS}'), turn),
                use(
                    cracks, f'translate(1.1 1.1) {turn}', stroke='#f1e5d0', stroke_opacity=0.4, stroke_width=1
                ),
                use(cracks, turn, stroke='#5a4632', stroke_opacity=0.6, stroke_width=1.5),
                fill='none',
            ),
            tag('path', d=hexagon_data(4.2), **BEVEL),
            *badges_of(tile),
        )
    )


def badges_of(tile: int) -> Iterator[Markup]:
    """The badges of a tile's surfaces at its upper corner."""
    surfaces = C.SURFACES_OF[tile]
    for k, surface in enumerate(surfaces):
        yield badge(surface, 25 * (k - (len(surfaces) - 1) / 2), -50, BADGE if len(surfaces) == 1 else 11.5)


# for each number of required colours: size of the cubes, and their middles
COSTS: dict[int, tuple[float, tuple[Point, ...]]] = {
    2: (31.0, ((-20, -6), (20, -6))),
    3: (27.5, ((-34, -6), (0, -6), (34, -6))),
    4: (25.5, ((-16.5, -19.5), (16.5, -19.5), (-16.5, 10), (16.5, 10))),
    5: (24.0, ((-31, -18), (0, -18), (31, -18), (-15.5, 9.5), (15.5, 9.5))),
}


def cost_places(tile: int) -> list[tuple[int, float, float, float]]:
    """The cubes that a tile requires: colour, middle, size."""
    size, places = COSTS[len(C.REQUIRED[tile])]
    return [(colour, x, y, size) for colour, (x, y) in zip(C.REQUIRED[tile], places, strict=True)]


def prize_places(tile: int, held: bool) -> tuple[list[Point], Point]:
    """Where a tile's points and its released element stand, and the disk of whoever holds it."""
    n = int(C.POINTS[tile] > 0) + int(C.RELEASED[tile] >= 0)
    if not held:
        return [(0.0, 45.0)] if n == 1 else [(-19.5, 43.5), (19.5, 43.5)], (0, 0)
    return [(18.5, 43.5)] if n == 1 else [(0.0, 48.0), (32.0, 37.0)], (-31.0, 37.0) if n == 2 else (
        -18.5,
        43.5,
    )


def prizes(tile: int, held: bool = False) -> Iterator[Markup]:
    """A tile's points and its released element."""
    places, _ = prize_places(tile, held)
    if C.POINTS[tile]:
        yield use(name(f'star-{C.POINTS[tile]}'), translate(*places.pop(0)))
    if C.RELEASED[tile] >= 0:
        yield use(name(f'spring-{C.COLOURS[C.RELEASED[tile]]}'), translate(*places.pop(0)))


def _barren(tile: int) -> Markup:
    """A free tile without cubes."""
    cubes = [cube('cube', colour, x, y, size) for colour, x, y, size in cost_places(tile)]
    return joined((ground(tile), *cubes, *prizes(tile)))


def _dark() -> Markup:
    """Darkness: a whirl in which nothing is seen."""
    arms = ''.join(
        'M' + 'L'.join(pair(*polar(4 + 5.2 * step, 72 * arm + 26 * step)) for step in range(9))
        for arm in range(5)
    )
    chance = random.Random('dark')
    spots = [polar(chance.uniform(18, 50), chance.uniform(0, 360)) for _ in range(14)]
    stars = [tag('circle', cx=x, cy=y, r=chance.choice((0.8, 1.1))) for x, y in spots]
    return joined(
        (
            _slab(f'url(#{name("darkness")})', '#07060d'),
            tag(
                'path',
                d=arms,
                fill='none',
                stroke='#7d63c9',
                stroke_opacity=0.5,
                stroke_width=3.2,
                stroke_linecap='round',
                stroke_linejoin='round',
            ),
            tag('circle', r=11, fill='#05040a', stroke='#a78bff', stroke_opacity=0.7, stroke_width=1.6),
            tag('g', *stars, fill='#fff', fill_opacity=0.6),
            tag('path', d=hexagon_data(4.2), **{**BEVEL, 'stroke_opacity': 0.16}),
        )
    )


# ---- living tiles ------------------------------------------------------------------------------------------


def _plains(chance: random.Random) -> Iterator[Markup]:
    for k, (y, colour) in enumerate(((-34, '#d3dc62'), (-8, '#b4ce4c'), (20, '#92ba40'), (46, '#76a637'))):
        sway = 11 if k % 2 else -11
        yield tag(
            'path',
            d=f'M-70 {y}Q-35 {y - sway} 0 {y}T70 {y}V80H-70Z',
            fill=colour,
            stroke='#5c8526',
            stroke_opacity=0.45,
        )
    furrows = ''.join(
        f'M{-60 + 10 * k} {number(24 + 5 * math.sin(k))}Q{number(-40 + 6.5 * k)} 42 {-70 + 13 * k} 78'
        for k in range(13)
    )
    furrows += ''.join(f'M{-70 + 12 * k} -33Q{-62 + 12 * k} -22 {-76 + 13 * k} -8' for k in range(13))
    yield tag('path', d=furrows, fill='none', stroke='#5a7f24', stroke_opacity=0.5, stroke_width=1.4)
    tufts = ''
    for _ in range(15):
        x, y = round(chance.uniform(-50, 50)), round(chance.uniform(-42, 20))
        tufts += f'M{x - 4} {y - 5}l3 5m1-8v8m4-5l-3 5'
    yield tag('path', d=tufts, fill='none', stroke='#3f6b1c', stroke_width=1.7, stroke_linecap='round')
    for colour in ('#fff', '#ffe14d', '#f6a5c0'):
        dots = ''.join(
            ring(2, (round(chance.uniform(-48, 48)), round(chance.uniform(-38, 48)))) for _ in range(4)
        )
        yield tag('path', d=dots, fill=colour, stroke='#5a7f24', stroke_width=0.5)


def _forests(chance: random.Random) -> Iterator[Markup]:
    trees = [
        (
            -68 + 21 * column + (10 if row % 2 else 0) + chance.uniform(-3, 3),
            -56 + 20 * row + chance.uniform(-3, 3),
        )
        for row in range(7)
        for column in range(7)
    ]
    firs = [
        (x, y, chance.choice((0.92, 1.0, 1.1)))
        for x, y in sorted(trees, key=lambda tree: tree[1])
        if math.hypot(x, y) < 84
    ]
    for _, row in groupby(firs, key=lambda fir: round((fir[1] + 56) / 20)):
        yield from _firs([*row])


BOUGHS = ((5, -17, -8), (7.5, -12, -2), (10, -6, 5))
"""Of a fir from the top: half its width, where it begins and where it ends."""


def _firs(row: list[tuple[float, float, float]]) -> Iterator[Markup]:
    """A row of firs, half in the light, each by its place and size. What has one colour is one path: so
    many trees one by one are work for a browser."""

    def every(*shapes: Sequence[Point]) -> str:
        return polygons(
            [(x + size * a, y + size * b) for a, b in shape] for x, y, size in row for shape in shapes
        )

    def half(side: int) -> str:
        return every(*(((0, top), (side * wide, low), (0, low)) for wide, top, low in BOUGHS))

    shadow = [(9 * math.cos(k * math.pi / 4), 7 + 3 * math.sin(k * math.pi / 4)) for k in range(8)]
    trunk = ((-1.4, 4), (1.4, 4), (1.4, 8), (-1.4, 8))
    for data, paint in (
        (every(shadow), {'fill': '#123d22', 'fill_opacity': 0.45}),
        (every(trunk), {'fill': '#4a2f17'}),
        (half(-1), {'fill': '#3e8e4b'}),
        (half(1), {'fill': '#1f5e31'}),
    ):
        yield tag('path', d=data, **paint)


def _water(chance: random.Random) -> Iterator[Markup]:
    rows = ''.join(f'M{-78 + (8 if k % 2 else 0)} {-58 + 13 * k}' + 'q4-7 8 0t8 0' * 10 for k in range(10))
    foam = ''.join(
        f'M{round(chance.uniform(-55, 40))} {round(chance.uniform(-50, 50))}q5-5 10 0' for _ in range(9)
    )
    yield tag('path', d='M-70 18Q-30-4 0 16T70 8V80H-70Z', fill='#1a63a6', fill_opacity=0.45)
    yield tag(
        'path',
        d=rows,
        fill='none',
        stroke='#e8f7ff',
        stroke_opacity=0.62,
        stroke_width=1.7,
        stroke_linecap='round',
    )
    yield tag('path', d=foam, fill='none', stroke='#fff', stroke_width=2.4, stroke_linecap='round')
    x, y = chance.choice(((36, -24), (-38, -22), (-36, 36)))
    yield tag(
        'path',
        d='M-10 4H10L6 9H-6ZM0 3V-13L9 1H0ZM-1.6 2V-9L-8 2Z',
        fill='#fff',
        stroke='#134a7e',
        stroke_linejoin='round',
        transform=translate(x, y),
    )


def _mountains(chance: random.Random) -> Iterator[Markup]:
    yield tag('path', d='M-70 26Q-30 8 0 22T70 16V80H-70Z', fill='#7d9a62')
    yield tag('path', d='M-70 50Q-20 34 20 48T70 46V80H-70Z', fill='#648449')
    for x, y, wide, high in (
        (-40, 14, 30, 46),
        (38, 12, 30, 50),
        (-4, 18, 36, 66),
        (-52, 36, 26, 34),
        (54, 36, 26, 36),
        (22, 40, 28, 42),
        (-24, 42, 27, 40),
    ):
        x, high = x + round(chance.uniform(-5, 5)), high + round(chance.uniform(-5, 5))
        top, left, right, foot = (x, y - high), (x - wide, y + 8), (x + wide, y + 8), (x + wide * 0.14, y + 8)
        a, b = (
            (top[0] + (corner[0] - top[0]) * 0.36, top[1] + (corner[1] - top[1]) * 0.36)
            for corner in (left, right)
        )
        snow = [
            top,
            a,
            (x - wide * 0.14, y - high * 0.52),
            (x - wide * 0.02, y - high * 0.66),
            (x + wide * 0.12, y - high * 0.48),
            b,
        ]
        # each peak hides those behind it, so all of a peak comes before the next one
        yield joined(
            (
                tag('path', d=polygon([top, left, foot]), fill='#a29db4'),
                tag('path', d=polygon([top, foot, right]), fill='#625d78'),
                tag(
                    'path',
                    d=polygon([top, left, right]),
                    fill='none',
                    stroke='#3c3850',
                    stroke_linejoin='round',
                ),
                tag('path', d=polygon(snow), fill='#fff'),
            )
        )
    yield tag(
        'path', d='M-70 50Q-36 38-8 47T70 44V80H-70Z', fill='#6e8f55', stroke='#3f5a2e', stroke_opacity=0.6
    )


LAND_OF = {'plains': _plains, 'forests': _forests, 'water': _water, 'mountains': _mountains}
LAND_BASE = {
    'plains': ('#d9de6b', '#8fb53c', '#3d5215'),
    'forests': ('#5fa05a', '#2c6b3a', '#123019'),
    'water': ('#6fbfe6', '#1e6fb4', '#0c3c66'),
    'mountains': ('#c9c3d6', '#7f7a94', '#3f3b50'),
}


def _land(surface: str, k: int) -> Markup:
    """A living tile without what is printed on it."""
    side = LAND_BASE[surface][2]
    return joined(
        (
            _slab(f'url(#{name(f"base-{surface}")})', side),
            use(name(f'art-{surface}-{k}'), clip_path=f'url(#{name("hexagon")})'),
            tag('path', d=hexagon_data(4.2), **BEVEL),
        )
    )


def _two_lands(left: str, right: str) -> Markup:
    """A living tile of two surfaces."""
    return joined(
        (
            use(name(f'land-{left}-0')),
            tag('g', use(name(f'land-{right}-0')), clip_path=f'url(#{name("half")})'),
            tag('path', d='M12-64L-12 64', stroke='#fff', stroke_opacity=0.75, stroke_width=2),
        )
    )


def _living(tile: int) -> Markup:
    """A terraformed tile with its badges."""
    surfaces = [C.SURFACES[surface] for surface in C.SURFACES_OF[tile]]
    land = (
        use(name(f'land-{surfaces[0]}-{tile % LANDS}'))
        if len(surfaces) == 1
        else _two_lands(surfaces[0], surfaces[1])
    )
    return joined((land, *badges_of(tile)))


DISK_ALONE, DISK_BESIDE, TURNING_AT = (0.0, 10.0), (-25.0, 10.0), (27.0, 12.0)  # on a terraformed tile
COIN_PLACES = ((50.0, 28.0), (-50.0, 28.0), (50.0, -28.0), (-50.0, -28.0))  # of tokens on a free tile
# of those that stay on a terraformed one
KEPT_PLACES = ((43.0, -29.0), (-43.0, -29.0), (24.0, 47.0), (-24.0, 47.0))


def disk_place(tile: int) -> Point:
    """Where the disk lies on a terraformed tile."""
    return DISK_BESIDE if C.RELEASED[tile] >= 0 else DISK_ALONE


# ---- sky ---------------------------------------------------------------------------------------------------

SKY = 800.0  # side of the sky's picture


def _stars() -> Markup:
    """A part of the sky with its stars, to be repeated."""
    chance = random.Random('sky')
    stars: dict[tuple[float, float], str] = {}
    for _ in range(120):
        key = chance.choice((1.4, 1.8, 2.6)), chance.choice((0.25, 0.4, 0.6))
        stars[key] = stars.get(key, '') + f'M{chance.randint(4, 796)} {chance.randint(4, 796)}h.01'
    return joined(
        tag('path', d=data, stroke='#fff', stroke_width=size, stroke_opacity=opacity, stroke_linecap='round')
        for (size, opacity), data in sorted(stars.items())
    )


def _sky() -> Markup:
    """The night under which the map lies. It reaches beyond the picture, where a page has room beside a
    square."""
    far: dict[str, float] = {'x': -SKY, 'y': -SKY, 'width': 3 * SKY, 'height': 3 * SKY}
    return joined(
        (
            tag('rect', fill=f'url(#{name("night")})', **far),
            tag('rect', fill=f'url(#{name("stars")})', **far),
            tag(
                'circle',
                cx=400,
                cy=400,
                r=372,
                fill='#6c7fc4',
                fill_opacity=0.06,
                stroke='#9fb0e8',
                stroke_opacity=0.13,
                stroke_width=2,
            ),
        )
    )


# ---- all definitions ---------------------------------------------------------------------------------------


@cache
def symbol_set() -> Symbols:
    """All definitions that the drawings refer to, as one list."""
    found: dict[str, str] = {}

    def add(part: str, *children: str) -> None:
        found[name(part)] = tag('g', *children, id=name(part))

    def shade(part: str, *stops: str, **attributes: str | float) -> None:
        found[name(part)] = gradient(
            'linearGradient', name(part), evenly(stops), **{'x1': 0, 'y1': 0, 'x2': 0, 'y2': 1, **attributes}
        )

    found[name('hexagon')] = tag('clipPath', tag('path', d=hexagon_data(2)), id=name('hexagon'))
    found[name('half')] = tag('clipPath', tag('path', d='M13-80H90V90H-15Z'), id=name('half'))
    found[name('night')] = gradient(
        'radialGradient',
        name('night'),
        evenly(('#3a4163', '#23283f', '#141725')),
        cx=0.45 * SKY,
        cy=0.4 * SKY,
        r=0.8 * SKY,
        gradientUnits='userSpaceOnUse',
    )
    found[name('stars')] = tag(
        'pattern', _stars(), id=name('stars'), width=SKY, height=SKY, patternUnits='userSpaceOnUse'
    )
    found[name('darkness')] = gradient(
        'radialGradient', name('darkness'), evenly(('#3b2a66', '#191230', '#0b0816')), cx=0.5, cy=0.5, r=0.6
    )
    found[name('eternity')] = gradient(
        'radialGradient', name('eternity'), evenly(('#8460c9', '#3c2470')), cx=0.4, cy=0.35, r=0.8
    )
    shade('dust', '#cdbba2', '#ae9980', '#8a745d', x2=0.35)
    shade('well', '#2c3150', '#1c2036')
    add('sky', _sky())
    for colour, paint in PAINTS.items():
        shade(
            f'front-{colour}',
            paint.light,
            paint.base,
            paint.base,
            paint.dark,
            x1=-0.3,
            y1=-0.4,
            x2=1.2,
            y2=1.7,
        )
        shade(f'side-{colour}', paint.dark, paint.edge if colour != 'white' else '#8d929e')
        add(f'cube-{colour}', _cube(colour))
        add(f'gem-{colour}', _gem(colour))
        add(f'slot-{colour}', _slot(colour))
        add(f'spring-{colour}', _spring(colour))
        add(f'turning-{colour}', _turning(colour))
    for points in sorted(
        {
            *C.POINTS,
            *(
                value
                for kind, value in zip(C.TOKEN_KIND, C.TOKEN_VALUE, strict=True)
                if kind == C.POINT_TOKEN
            ),
        }
        - {0}
    ):
        add(f'star-{points}', _star(points))
    for colour in PLAYERS:
        add(f'disk-{colour}-light', _disk(colour, True))
        add(f'disk-{colour}-dark', _disk(colour, False))
    add(
        'shade',
        *(tag('path', d=hexagon_data(-grow, EDGE + 3), fill='#000', fill_opacity=0.16) for grow in (2, 5)),
    )
    add('barren', _slab(f'url(#{name("dust")})', '#54432f'))
    for surface, (light, dark, _) in LAND_BASE.items():
        shade(f'base-{surface}', light, dark)
        add(f'badge-{surface}', _badge(surface))
        for k in range(LANDS):
            add(f'art-{surface}-{k}', *LAND_OF[surface](random.Random(f'{surface} {k}')))
            add(f'land-{surface}-{k}', _land(surface, k))
    for k in range(CRACKS):
        found[name(f'cracks-{k}')] = tag(
            'path', d=_cracks(k), id=name(f'cracks-{k}'), stroke_linejoin='round'
        )
        found[name(f'craters-{k}')] = tag(
            'g',
            *_craters(k),
            id=name(f'craters-{k}'),
            fill='#6e5a45',
            fill_opacity=0.32,
            stroke='#ebddc6',
            stroke_opacity=0.5,
        )
    for token in range(C.N_TOKENS):
        add(f'coin-{C.TOKENS[token]}', _coin(token))
    for tile in range(C.FIRST_DARK):
        add(f'barren-{C.TILES[tile]}', _barren(tile))
        add(f'living-{C.TILES[tile]}', _living(tile))
    for tile in range(C.FIRST_DARK, C.N_TILES):
        add(f'barren-{C.TILES[tile]}', _dark())
    return Symbols(found)


# ---- what lies beside the map ------------------------------------------------------------------------------

CARD = 316.0  # width of a card's drawing, about one unit a pixel


def handles(frame: dict[str, float]) -> Markup:
    """The parts of something in a card that can be chosen: its area for clicks, its ring when it is chosen,
    its focus ring."""
    return joined(
        (
            tag('rect', class_='hit', fill='none', pointer_events='all', **frame),
            tag(
                'rect',
                class_='chosen-ring',
                display='none',
                fill='none',
                stroke=var('legal'),
                stroke_width=4,
                **frame,
            ),
            focus_ring('rect', **frame),
        )
    )
