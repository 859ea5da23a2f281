"""The shapes and definitions of the pictures of Mykerinos: sand and stone, pyramids in relief, wooden cubes,
the patrons' medals.

A space is SPACE wide, a tile two columns and three rows of them within a border of PAD. The two tiles of an
area touch; between areas lies a gap. The upper left corner of the sand is the origin. The region of the first
three seasons is wide and has the horizon above it, and each area's ranking stands over it; the last season's
fills the square, the rankings stand at the sides.

Cubes stand round the middle of their space, those beside a cartouche a little outwards. They are seen from
above and from the left, light comes from the upper left as everywhere.
"""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

from markupsafe import Markup

from ludoteca.drawing import marks
from ludoteca.drawing.geometry import Point, polar, polygon, ring
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import Symbols, evenly, gradient, number, pair, tag, translate, use, words

from .. import components as C
from .facts import KINDS

SPACE, PAD = 80.0, 4.0
TILE_WIDTH, TILE_HEIGHT = 2 * SPACE + 2 * PAD, 3 * SPACE + 2 * PAD
SEAM = 20.0  # gap between the areas of a row
CUBE = 44.0  # front edge of a cube
PYRAMID = 68.0
ASIDE = 10.0  # how far what stands beside a cartouche stands outwards
INK, SAND_LINE, CREAM = '#3b2504', '#7a5822', '#fff7e3'
POINTS_SIZE = 25.0  # of the points printed in a cartouche


class Paint(NamedTuple):
    """The colours of a cube: its front, its lit and shaded sides, its outline."""

    base: str
    light: str
    dark: str
    deep: str


PAINTS = {
    **{name: Paint(player.base, player.light, player.dark, player.deep) for name, player in PLAYERS.items()},
    'neutral': Paint('#b9b2a3', '#ece7da', '#7d7668', '#4b463c'),
}


class Cloth(NamedTuple):
    """The colours of a patron: ground, lit and shaded ground, what is drawn on it."""

    base: str
    light: str
    dark: str
    ink: str


CLOTHS = {
    'violet': Cloth('#7650b0', '#a58acd', '#4f3378', '#ffffff'),
    'lemon': Cloth('#ebcb2b', '#f6e387', '#a88f12', '#2b2500'),
    'brown': Cloth('#7c4b27', '#a97c58', '#4e2d14', '#fff3e0'),
    'blackmore': Cloth('#2c2d34', '#5d5e68', '#121318', '#f2f0ea'),
    'tangerine': Cloth('#e4701e', '#f4a469', '#a1480b', '#23120a'),
    'blank': Cloth('#d8bd86', '#f4e4bd', '#9c7d43', '#3b2504'),
}


def name(part: str) -> str:
    """The id of a definition."""
    return f'mykerinos-{part}'


# ---- geometry of the region --------------------------------------------------------------------------------


class Layout(NamedTuple):
    """Where things lie: `side` of the square, `left` and `top` of the region, `gap` between the rows of
    areas."""

    rows: int
    side: float
    left: float
    top: float
    gap: float

    def corner(self, slot: int) -> Point:
        """The upper left corner of a tile, two an area in the order of the deal."""
        row, column = divmod(slot, 4)
        return (
            self.left + column * TILE_WIDTH + (SEAM if column > 1 else 0),
            self.top + row * (TILE_HEIGHT + self.gap),
        )

    def middle(self, space: int) -> Point:
        """The middle of a space."""
        row, column = divmod(space, C.N_COLUMNS)
        x, y = self.corner(4 * (row // 3) + column // 2)
        return x + PAD + SPACE * (column % 2 + 0.5), y + PAD + SPACE * (row % 3 + 0.5)

    def stand(self, space: int, aside: float = ASIDE) -> Point:
        """Where something stands on a space: beside a cartouche a little outwards."""
        x, y = self.middle(space)
        if space // C.N_COLUMNS % 3 == 1:
            x += aside if space % 2 else -aside
        return x, y

    def heart(self, slot: int) -> Point:
        """The middle of a tile."""
        x, y = self.corner(slot)
        return x + TILE_WIDTH / 2, y + TILE_HEIGHT / 2

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The view box, with room for the shadow."""
        return -5.0, -4.0, self.side + 10, self.side + 10


PLAQUE = 46.0  # height of a ranking over its area
FLANK = 64.0  # width of the rankings beside the areas
LAYOUTS = {2: Layout(2, 740.0, 34.0, 154.0, PLAQUE + 10), 3: Layout(3, 820.0, FLANK, 36.0, 8.0)}
HORIZON = 102.0  # height of the picture over the region of the first seasons
LIFT = 9.0  # how much higher a cube stands on a pyramid


def cube_place(layout: Layout, space: int, raised: bool) -> Point:
    """Where a cube stands on a space; on a pyramid it stands higher."""
    x, y = layout.stand(space)
    return (x, y - LIFT) if raised else (x, y)


# ---- patrons -----------------------------------------------------------------------------------------------


@cache
def sign_of_patron(kind: str) -> Markup:
    """A patron's sign, 24 units across; the colour is that of the group around it, what shows through that of
    the cloth."""
    ground = CLOTHS[kind].base
    match kind:
        case 'violet':
            petal = 'M0-1C-6-4-6-12 0-12.4C6-12 6-4 0-1Z'
            petals = Markup('').join(
                tag('path', d=petal, transform=f'rotate({turn})' if turn else None)
                for turn in range(0, 360, 72)
            )
            return petals + tag('circle', r=3.2, fill=ground) + tag('circle', r=1.5)
        case 'lemon':
            parts = ''.join(
                polygon([polar(2.2, turn + 22.5), polar(8.3, turn + 5), polar(8.3, turn + 40)])
                for turn in range(0, 360, 45)
            )
            return Markup(tag('path', d=ring(12.1) + ring(9.9) + parts, fill_rule='evenodd'))
        case 'brown':
            return Markup(
                tag('path', d=ring(6, (0, -6.4)) + ring(2.7, (0, -6.4)), fill_rule='evenodd')
                + tag('path', d='M-1.6-1.2H1.6V3.8H5.6V6.8H1.6V9.4H7.2V12.6H-1.6Z')
            )
        case 'blackmore':
            return Markup(
                tag('path', d='M-10.5-12L-4.2-7.2Q0-8.6 4.2-7.2L10.5-12L10-.5Q9.6 8.4 0 12Q-9.6 8.4-10-.5Z')
                + tag(
                    'path',
                    d='M-6.6-.2Q-4.6-3-1.8.2Q-4.6 2-6.6-.2ZM6.6-.2Q4.6-3 1.8.2Q4.6 2 6.6-.2ZM-1.6 4.4H1.6L0 6.6Z',  # noqa: E501
                    fill=ground,
                )
            )
        case 'tangerine':
            return tag(
                'path',
                d=''.join(
                    f'M-9.5 {y:g}L0 {y - 7:g}L9.5 {y:g}V{y + 4:g}L0 {y - 3:g}L-9.5 {y + 4:g}Z'
                    for y in (-6, 1.2, 8.4)
                ),
            )
        case _:
            return tag('path', d='M0-11L12 9H-12ZM0-4.6L-6.4 6H6.4Z', fill_rule='evenodd')


def _medal(kind: str) -> Markup:
    """A patron's disk, 38 units across."""
    cloth = CLOTHS[kind]
    return Markup(
        tag('circle', r=19, fill=f'url(#{name(f"cloth-{kind}")})', stroke=cloth.dark, stroke_width=1.5)
        + tag('circle', r=16.4, fill='none', stroke=CREAM, stroke_opacity=0.75, stroke_width=1.1)
        + tag('g', sign_of_patron(kind), fill=cloth.ink)
    )


def medal(
    kind: str, x: float, y: float, radius: float, turn: float = 0, **attributes: str | float | None
) -> Markup:
    """A patron's disk."""
    return use(name(f'medal-{kind}'), translate(x, y, turn, radius / 19), **attributes)


def _half(kind: str, points: int) -> float:
    """Half the height of a cartouche."""
    return 46.0 if points and kind != 'blank' else 33.0


def cartouche_half(tile: int) -> float:
    """Half the height of a tile's cartouche; half its width is 23."""
    return _half(KINDS[C.PATRON_OF[tile]], C.POINTS_OF[tile])


def _cartouche(kind: str, points: int) -> Markup:
    """The ring in the middle of a tile: the patron's sign, below it the printed points if there are any."""
    cloth, half = CLOTHS[kind], _half(kind, points)
    parts = [
        tag(
            'rect',
            x=-23 + shift,
            y=-half + 2 * shift,
            width=46,
            height=2 * half,
            rx=23,
            fill='#4a2e0a',
            fill_opacity=0.16,
        )
        for shift in (1, 2.2)
    ]
    parts += [
        tag(
            'rect',
            x=-19.5,
            y=half + 0.6,
            width=39,
            height=5.4,
            rx=2.7,
            fill='#fff3d2',
            stroke=SAND_LINE,
            stroke_width=1.6,
        ),
        tag(
            'rect',
            x=-23,
            y=-half,
            width=46,
            height=2 * half,
            rx=23,
            fill='#fff3d2',
            stroke=SAND_LINE,
            stroke_width=1.9,
        ),
        tag(
            'rect',
            x=-18.8,
            y=-half + 4.2,
            width=37.6,
            height=2 * half - 8.4,
            rx=18.8,
            fill=f'url(#{name(f"cloth-{kind}")})',
            stroke=cloth.dark,
            stroke_width=1.4,
        ),
    ]
    if kind != 'blank':
        parts.append(
            tag(
                'g',
                sign_of_patron(kind),
                fill=cloth.ink,
                transform=translate(0, -20 if points else 0, scale=1.22),
            )
        )
    if points:
        y = 0.0 if kind == 'blank' else 22.5
        parts += [
            tag('circle', cy=y, r=16, fill='#fff3d2', stroke=SAND_LINE, stroke_width=1.6),
            words(
                str(points),
                y=y + 0.35 * POINTS_SIZE,
                font_size=POINTS_SIZE,
                font_weight=850,
                text_anchor='middle',
                fill=INK,
            ),
        ]
    return Markup('').join(parts)


def cartouche_name(tile: int) -> str:
    """The id of a tile's cartouche."""
    return name(f'cartouche-{KINDS[C.PATRON_OF[tile]]}-{C.POINTS_OF[tile]}')


# ---- cubes -------------------------------------------------------------------------------------------------

NEUTRAL_SHAPE = 'M-3.1-9H3.1V-3.1H9V3.1H3.1V9H-3.1V3.1H-9V-3.1H-3.1Z'


def shape(colour: str) -> Markup:
    """A player's shape, or the cross of the neutral colour; see `marks.shape`."""
    return (
        tag('path', d=NEUTRAL_SHAPE, stroke_linejoin='round') if colour == 'neutral' else marks.shape(colour)
    )


def sign(colour: str, x: float, y: float, scale: float, edge: str = CREAM) -> Markup:
    """A player's shape in its colour."""
    return tag(
        'g',
        shape(colour),
        fill=PAINTS[colour].base,
        stroke=edge,
        stroke_width=2,
        transform=translate(x, y, scale=scale),
    )


def _faces(size: float) -> tuple[Point, float, tuple[str, str, str]]:
    """A cube's front corner, its depth, and its top, side and hull as path data."""
    depth = size * 0.3
    x, y = -(size + depth) / 2, -(size - depth) / 2
    top = polygon([(x, y), (x + depth, y - depth), (x + size + depth, y - depth), (x + size, y)])
    side = polygon(
        [
            (x + size, y),
            (x + size + depth, y - depth),
            (x + size + depth, y + size - depth),
            (x + size, y + size),
        ]
    )
    hull = polygon(
        [
            (x - 2.5, y - 1),
            (x + depth - 1, y - depth - 2.5),
            (x + size + depth + 2.5, y - depth - 2.5),
            (x + size + depth + 2.5, y + size - depth + 1),
            (x + size + 1, y + size + 2.5),
            (x - 2.5, y + size + 2.5),
        ]
    )
    return (x, y), depth, (top, side, hull)


def _cube(colour: str, shadow: bool) -> Markup:
    """A cube, CUBE wide at its front, which carries its owner's shape."""
    paint = PAINTS[colour]
    (x, y), depth, (top, side, _) = _faces(CUBE)
    edge: dict[str, str | float] = {'stroke': paint.deep, 'stroke_width': 1.4, 'stroke_linejoin': 'round'}
    parts = []
    if shadow:
        ground = [
            (x + 2, y + CUBE),
            (x + CUBE, y + CUBE),
            (x + CUBE + depth, y + CUBE - depth),
            (x + CUBE + 1.9 * depth, y + CUBE - 0.6 * depth),
            (x + CUBE + 0.5 * depth, y + CUBE + 0.5 * depth),
            (x + 0.6 * depth, y + CUBE + 0.5 * depth),
        ]
        parts.append(tag('path', d=polygon(ground), fill='#4a2e0a', opacity=0.32))
    light = tag(
        'path',
        d=f'M{pair(x + 4, y + 2.4)}H{number(x + CUBE - 3)}M{pair(x + 2.2, y + 5)}V{number(y + CUBE - 4)}',
        stroke='#fff',
        stroke_opacity=0.5,
        stroke_width=1.5,
        fill='none',
    )
    mark = tag(
        'g',
        shape(colour),
        fill='#fff',
        stroke=paint.deep,
        stroke_width=1.2,
        transform=translate(x + CUBE / 2, y + CUBE / 2, scale=1.34),
    )
    parts += [
        tag('path', d=top, fill=f'url(#{name(f"top-{colour}")})', **edge),
        tag('path', d=side, fill=paint.dark, **edge),
        tag('rect', x=x, y=y, width=CUBE, height=CUBE, rx=2, fill=f'url(#{name(f"front-{colour}")})', **edge),
        light,
        mark,
    ]
    return Markup('').join(parts)


def _ghost_cube(colour: str) -> Markup:
    """The ghost of a cube: a cube that lets the ground show through, in a dashed outline."""
    paint = PAINTS[colour]
    hull = _faces(CUBE)[2][2]
    return Markup(
        use(name(f'cube-{colour}'), opacity=0.55)
        + tag(
            'path',
            d=hull,
            fill='none',
            stroke='#fff',
            stroke_opacity=0.8,
            stroke_width=4,
            stroke_linejoin='round',
        )
        + tag(
            'path',
            d=hull,
            fill='none',
            stroke=paint.deep,
            stroke_width=2.2,
            stroke_dasharray='5 4',
            stroke_linejoin='round',
        )
    )


def cube(colour: str, x: float, y: float, size: float, **attributes: str | float | None) -> Markup:
    """A cube with its shadow, `size` wide at its front."""
    return use(name(f'cube-{colour}'), translate(x, y, scale=size / CUBE), **attributes)


# ---- stone -------------------------------------------------------------------------------------------------


def pyramid(size: float, shadow: bool = True) -> Markup:
    """A pyramid seen from above, with its courses of stone, a gilded tip and the shadow that it casts."""
    h = size / 2
    a, b, c, d, tip = (-h, -h), (h, -h), (h, h), (-h, h), (-h * 0.05, -h * 0.08)

    def up(corner: Point, share: float) -> Point:
        return corner[0] + (tip[0] - corner[0]) * share, corner[1] + (tip[1] - corner[1]) * share

    parts: list[Markup] = []
    if shadow:
        cast = [(-h + 6, h), (h, h), (h, -h + 6), (h + 7, -h + 14), (h + 7, h + 7), (-h + 14, h + 7)]
        parts.append(tag('path', d=polygon(cast), fill='#5b3c12', fill_opacity=0.3))
    faces = ((a, b, '#e9c98b'), (d, a, '#f6e2b4'), (b, c, '#a87c42'), (c, d, '#c59a5b'))
    parts += [tag('path', d=polygon([one, other, tip]), fill=colour) for one, other, colour in faces]
    courses = ''.join(
        f'M{pair(*up(a, share))}' + ''.join(f'L{pair(*up(corner, share))}' for corner in (b, c, d)) + 'Z'
        for share in (0.14, 0.28, 0.42, 0.56, 0.7)
    )
    parts += [
        tag('path', d=courses, fill='none', stroke='#6b4a1c', stroke_opacity=0.34, stroke_width=1),
        tag(
            'path',
            d=f'M{pair(*a)}L{pair(*tip)}L{pair(*b)}M{pair(*d)}L{pair(*tip)}L{pair(*c)}',
            fill='none',
            stroke='#6b4a1c',
            stroke_opacity=0.55,
            stroke_width=1.2,
        ),
        tag(
            'path',
            d=polygon([a, b, c, d]),
            fill='none',
            stroke='#6b4a1c',
            stroke_width=1.4,
            stroke_linejoin='round',
        ),
    ]
    cap = [up(corner, 0.82) for corner in (a, b, c, d)]
    parts += [
        tag('path', d=polygon([cap[k], cap[(k + 1) % 4], tip]), fill=colour)
        for k, colour in enumerate(('#ffe9a6', '#b78a1f', '#d9aa34', '#fff6d2'))
    ]
    return Markup('').join(parts)


def _slab() -> Markup:
    """A tile without its cartouche: a slab of sandstone with six hollows."""
    half = SPACE / 2 - 4.5
    parts = [
        tag(
            'rect',
            x=-1 + shift,
            y=1 + shift,
            width=TILE_WIDTH + 1,
            height=TILE_HEIGHT + 1,
            rx=10,
            fill='#4a2e0a',
            fill_opacity=0.13,
        )
        for shift in (0, 1.6, 3.2)
    ]
    parts += [
        tag(
            'rect',
            x=0.8,
            y=0,
            width=TILE_WIDTH - 1.6,
            height=TILE_HEIGHT,
            rx=9,
            fill=f'url(#{name("slab")})',
            stroke='#a07c43',
            stroke_width=1.4,
        ),
        tag(
            'path', d=f'M9 1.7H{number(TILE_WIDTH - 9)}', stroke='#fff', stroke_opacity=0.8, stroke_width=1.6
        ),
    ]
    for k in range(6):
        x, y = PAD + SPACE * (k % 2 + 0.5), PAD + SPACE * (k // 2 + 0.5)
        parts.append(
            tag(
                'rect',
                x=x - half,
                y=y - half,
                width=2 * half,
                height=2 * half,
                rx=6,
                fill=f'url(#{name("well")})',
                stroke='#a9854c',
                stroke_width=1.1,
            )
        )
    shade = ''.join(
        f'M{pair(x - half + 1.2, y + half - 5)}v{number(10 - 2 * half)}q0 -3.6 3.6 -3.6h{number(2 * half - 9)}'  # noqa: E501
        for k in range(6)
        for x, y in [(PAD + SPACE * (k % 2 + 0.5), PAD + SPACE * (k // 2 + 0.5))]
    )
    parts.append(tag('path', d=shade, fill='none', stroke=SAND_LINE, stroke_opacity=0.5, stroke_width=1.8))
    return Markup('').join(parts)


def _bed() -> Markup:
    """The ground of an area after its survey: a flat bed of sand, rippled by the wind, with the traces of the
    slabs."""
    width, height, chance = 2 * TILE_WIDTH, TILE_HEIGHT, random.Random(11)
    grain = ''.join(
        f'M{chance.uniform(8, width - 12):.0f} {chance.uniform(8, height - 8):.0f}h{chance.choice((1, 2, 3))}'
        for _ in range(150)
    )
    ripples = ''.join(
        f'M{chance.uniform(12, width - 78):.0f} {14 + 9.4 * k:.0f}q{chance.randint(9, 16)} -{chance.randint(4, 7)} '  # noqa: E501
        f'{chance.randint(26, 34)} 0t{chance.randint(22, 30)} 0'
        for k in range(24)
        for _ in range(2)
    )
    traces = [
        tag(
            'rect',
            x=7 + TILE_WIDTH * k,
            y=7,
            width=TILE_WIDTH - 14,
            height=height - 14,
            rx=8,
            fill='#e6c98d',
            fill_opacity=0.3,
            stroke='#8c6a33',
            stroke_opacity=0.3,
            stroke_width=1.4,
        )
        for k in range(2)
    ]
    return Markup('').join(
        (
            tag(
                'rect',
                x=0,
                y=0,
                width=width,
                height=height,
                rx=9,
                fill='#d2ab69',
                stroke='#b38f52',
                stroke_width=1.2,
            ),
            tag(
                'path',
                d=f'M1.6 {number(height - 8)}V9Q1.6 1.6 9 1.6H{number(width - 8)}',
                fill='none',
                stroke='#7a5822',
                stroke_opacity=0.34,
                stroke_width=2.2,
            ),
            *traces,
            tag(
                'path',
                d=ripples,
                fill='none',
                stroke='#9a7538',
                stroke_opacity=0.28,
                stroke_width=1.7,
                stroke_linecap='round',
            ),
            tag('path', d=grain, stroke='#6b4a1c', stroke_opacity=0.36, fill='none'),
        )
    )


def _far_pyramid(x: float, y: float, width: float) -> Markup:
    """A pyramid on the horizon, its lit and its shaded side."""
    height = width * 0.62
    edge = x + width * 0.16
    steps = ''.join(
        f'M{pair(x - width / 2 + width * 0.5 * share + 2, y - height * share)}H{number(edge - (edge - x) * share)}'  # noqa: E501
        for share in (0.2, 0.4, 0.6, 0.8)
    )
    return Markup('').join(
        (
            tag('path', d=polygon([(x - width / 2, y), (x, y - height), (edge, y)]), fill='#f0cf8d'),
            tag('path', d=polygon([(edge, y), (x, y - height), (x + width / 2, y)]), fill='#b98744'),
            tag('path', d=steps, stroke='#a87c42', stroke_opacity=0.45, stroke_width=1.2),
            tag(
                'path',
                d=polygon(
                    [
                        (x - width * 0.06, y - height * 0.86),
                        (x, y - height),
                        (x + width * 0.055, y - height * 0.86),
                    ]
                ),
                fill='#fff3c4',
            ),
        )
    )


def _ground(rows: int) -> Markup:
    """The desert below everything; in the first seasons with the horizon."""
    layout = LAYOUTS[rows]
    side, chance = layout.side, random.Random(3)
    first = HORIZON if rows == 2 else 0.0
    dunes = ''.join(
        f'M3 {number(first + 26 + k * 37)}'
        + ''.join(
            f'q{number(side / 16 - 0.4)} {chance.randint(-13, 13)} {number(side / 8 - 0.8)} 0'
            for _ in range(8)
        )
        for k in range(int((side - first) / 37))
    )
    grain = ''.join(
        f'M{chance.uniform(6, side - 8):.0f} {chance.uniform(first + 8, side - 6):.0f}h{chance.choice((1, 2, 3))}'  # noqa: E501
        for _ in range(260)
    )
    parts = [
        tag(
            'rect',
            x=-grow,
            y=4 - grow,
            width=side + 2 * grow,
            height=side + 2 * grow,
            rx=18 + grow,
            fill='#000',
            fill_opacity=0.1,
        )
        for grow in (0, 1.2, 2.4)
    ]
    parts += [
        tag('rect', width=side, height=side, rx=18, fill=f'url(#{name("desert")})'),
        tag('path', d=dunes, fill='none', stroke='#a87f3f', stroke_opacity=0.36, stroke_width=1.6),
        tag('path', d=grain, stroke='#7a5822', stroke_opacity=0.3, fill='none'),
    ]
    if rows == 2:
        ridge = (
            f'Q{side * 0.86:g} {HORIZON - 11:g} {side * 0.66:g} {HORIZON - 3:g}T{side * 0.3:g} {HORIZON - 2:g}'  # noqa: E501
            f'T0 {HORIZON:g}Z'
        )
        parts += [
            tag(
                'path',
                d=f'M0 {HORIZON:g}V18Q0 0 18 0H{side - 18:g}Q{side:g} 0 {side:g} 18V{HORIZON:g}{ridge}',
                fill=f'url(#{name("sky")})',
            ),
            tag('circle', cx=428, cy=42, r=25, fill='#fffbe0', fill_opacity=0.35),
            tag('circle', cx=428, cy=42, r=18, fill='#fff6cf'),
            *(
                _far_pyramid(x, HORIZON - y, width)
                for x, y, width in ((628, 4, 128), (522, 2, 92), (704, 5, 58))
            ),
        ]
    parts.append(
        tag(
            'rect',
            x=0.8,
            y=0.8,
            width=side - 1.6,
            height=side - 1.6,
            rx=17.5,
            fill='none',
            stroke='#fff3d2',
            stroke_opacity=0.5,
            stroke_width=1.6,
        )
    )
    return Markup('').join(parts)


# ---- all definitions ---------------------------------------------------------------------------------------


@cache
def symbol_set() -> Symbols:
    """All definitions that the drawings refer to, as one list."""
    found: dict[str, str] = {}

    def add(part: str, *children: str, **attributes: str | float) -> None:
        found[name(part)] = tag('g', *children, id=name(part), **attributes)

    def shade(part: str, *stops: str, **attributes: str | float) -> None:
        found[name(part)] = gradient('linearGradient', name(part), evenly(stops), **attributes)

    shade('desert', '#ecd3a0', var('desert-1'), '#d3a55c', x1=0, y1=0, x2=0.4, y2=1)
    shade('sky', '#9ec7d6', '#d8dcc4', '#f7e2b2', x1=0, y1=0, x2=0, y2=1)
    shade('slab', '#fbf0d6', '#f1dfb9', '#e2c996', x1=0, y1=0, x2=0.5, y2=1)
    shade('well', '#c6a364', '#dfc490', '#ecd8ae', x1=0, y1=0, x2=0, y2=1)
    shade('step', '#f6e6c2', '#d9be88', x1=0, y1=0, x2=0, y2=1)
    add('ground-2', _ground(2))
    add('ground-3', _ground(3))
    add('slab-tile', _slab())
    add('bed', _bed())
    add('pyramid', pyramid(PYRAMID))
    for kind, cloth in CLOTHS.items():
        shade(f'cloth-{kind}', cloth.light, cloth.base, cloth.base, cloth.dark, x1=0, y1=0, x2=0.5, y2=1)
        add(f'medal-{kind}', _medal(kind))
    for tile in range(C.N_TILES):
        kind, points = KINDS[C.PATRON_OF[tile]], C.POINTS_OF[tile]
        found[cartouche_name(tile)] = tag('g', _cartouche(kind, points), id=cartouche_name(tile))
    for colour, paint in PAINTS.items():
        shade(
            f'front-{colour}',
            paint.light,
            paint.base,
            paint.base,
            paint.dark,
            x1=-0.5,
            y1=-0.5,
            x2=1.1,
            y2=1.7,
        )
        shade(f'top-{colour}', '#ffffff', paint.light, x1=0, y1=-1.2, x2=0.3, y2=0.9)
        add(f'cube-{colour}', _cube(colour, True))
        add(f'ghost-{colour}', _ghost_cube(colour))
    return Symbols(found)


def frame_data(x: float, y: float, width: float, height: float, reach: float) -> str:
    """The four corners of a rectangle as path data."""
    return ''.join(
        f'M{pair(a, b - q * reach)}V{number(b)}H{number(a - p * reach)}'
        for p, a in ((-1, x), (1, x + width))
        for q, b in ((-1, y), (1, y + height))
    )
