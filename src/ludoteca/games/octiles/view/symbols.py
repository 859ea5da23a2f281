"""The shapes of Octiles: the plane in which all lies, and the definitions that drawings refer to.

Measures are in hundredths of the distance between two neighbouring spaces. The middle of c3 is the origin, x
runs to the right and y downwards.

THE CURVE RULE. A line on a tile, and every path printed on the board, is the one circular arc that meets the
edges it joins in their midpoints at right angles. So a chain of lines is smooth wherever tiles, board, stops
and circles meet.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from markupsafe import Markup

from ludoteca.drawing import marks
from ludoteca.drawing.geometry import (
    Curve,
    Point,
    along,
    compass,
    diamond,
    line,
    octagon,
    opposite,
    path,
    polygon,
    star,
)
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import Symbols, gradient, pair, tag, use

from .. import components as C

UNIT = 100.0
EDGE = 50.0  # from a space's centre to the midpoint of its edge
LINES_KEPT = 1 << 11  # lines of tiles and of the board that are kept: all of a board
TILE = 47.4  # apothem of a tile; a seam of the board shows between two
WELL = 48.7  # apothem of a space without a tile
RIM = 2.6  # width of a tile's bevel
STOP = 14.5  # half the side of a stop
CIRCLE = 17.0  # radius of a home circle
# a path: light core in a dark case, which stays legible on maple and on walnut
PATH_CASE, PATH_CORE = 10.4, 6.2
RUN_CASE, RUN_CORE = 13.0, 8.6  # the same for a run that is shown in a player's colour
SHADE = PATH_CASE + 5  # the soft shade of a line on what it bridges
LIFT = 1.03  # size of a tile in the mover's hand
OVERLAP = 0.9  # by how much the cases of a tile's lines reach over its edge
DETENT = 57.5  # distance of a rotation's mark from the tile's centre
SLAB = 306.0  # half the side of the board
LIGHT = (-0.55, -0.83)  # where the light comes from
INK, SUNLIT, SHADOW = '#1c0d02', '#fff6dd', '#140800'


# ---- the plane ---------------------------------------------------------------------------------------------


def space_point(space: int) -> Point:
    """The centre of a space."""
    x, y = C.SPACE_XY[C.SPACES[space]]
    return x * UNIT, -y * UNIT


def post_point(post: int) -> Point:
    """The centre of a stop or circle."""
    x, y = C.POST_XY[C.POSTS[post]]
    return x * UNIT, -y * UNIT


def port_point(port: int) -> Point:
    """The midpoint of a space's edge, where a path crosses it."""
    return along(space_point(port // 8), compass(port % 8), EDGE)


@lru_cache(maxsize=LINES_KEPT)
def tile_line(start: int, end: int, centre: Point = (0, 0)) -> Curve:
    """The line from one edge of a tile to another."""
    return Curve(
        along(centre, compass(start), EDGE),
        along(centre, compass(end), EDGE),
        opposite(compass(start)),
        compass(end),
    )


@lru_cache(maxsize=LINES_KEPT)
def board_line(port: int, inset: float = 0) -> Curve:
    """The board's path from an edge of a space to what it is joined to: another edge, or a post (`inset`
    short of its centre)."""
    outward, place = compass(port % 8), C.LINK[port]
    if place < C.FIRST_POST:
        return Curve(port_point(port), port_point(place), outward, opposite(compass(place % 8)))
    return line(port_point(port), along(post_point(place - C.FIRST_POST), outward, -inset))


def span(pair_of_edges: tuple[int, int]) -> int:
    """How many edges apart two edges are, 1..4."""
    apart = abs(pair_of_edges[0] - pair_of_edges[1])
    return min(apart, 8 - apart)


@cache
def layers(tile: int) -> tuple[tuple[int, int], ...]:
    """A tile's lines from the lowest to the highest: the long ones are bridged by the short ones, in every
    rotation alike."""
    return tuple(sorted(C.PAIRS[tile], key=lambda edges: (-span(edges), edges)))


# ---- wood --------------------------------------------------------------------------------------------------


def bevel(apothem: float, width: float, sunk: bool = False, lit: float = 0.55, shaded: float = 0.5) -> Markup:
    """The edge of an octagon in the light, side by side; of a well if `sunk`."""
    outer, inner, sides = octagon(apothem), octagon(apothem - width), []
    for k in range(8):
        corners = [outer[k - 1], outer[k], inner[k], inner[k - 1]]
        facing = compass(k)[0] * LIGHT[0] + compass(k)[1] * LIGHT[1]
        light = -facing if sunk else facing
        if abs(light) > 0.04:
            sides.append(
                tag(
                    'path',
                    d=polygon(corners),
                    fill=SUNLIT if light > 0 else INK,
                    fill_opacity=light * lit if light > 0 else -light * shaded,
                )
            )
    return Markup('').join(sides)


def _wavy(points: Sequence[Point]) -> str:
    """A soft line through the middles between points, as path data."""
    middles = ''.join(
        f'Q{pair(*here)} {pair((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)}'
        for here, there in pairwise(points[1:])
    )
    return f'M{pair(*points[0])}{middles}L{pair(*points[-1])}'


def _maple_grain(seed: int, reach: float = 52) -> Markup:
    """The figure of one plank of maple: fine wavy lines that part round a knot."""
    chance = random.Random(seed)
    knot, y, lines = (chance.uniform(-25, 25), chance.uniform(-30, 30)), -reach, []
    while y < reach:
        y += chance.uniform(3, 7.5)
        points = []
        for i in range(7):
            x = reach * (i / 3 - 1)
            bulge = (
                9
                * math.exp(-((x - knot[0]) ** 2) / 500)
                * math.copysign(math.exp(-abs(y - knot[1]) / 16), y - knot[1])
            )
            points.append((x, y + 4.5 * math.sin(x / 31 + seed) + bulge + chance.uniform(-0.5, 0.5)))
        lines.append(
            tag(
                'path',
                d=_wavy(points),
                stroke_width=chance.uniform(0.35, 1.5),
                stroke_opacity=chance.uniform(0.1, 0.34),
            )
        )
    return Markup('').join(lines)


def _walnut_grain(half: float, seed: int = 5, n: int = 58) -> Markup:
    """The figure of the board."""
    chance, lines = random.Random(seed), []
    for i in range(n):
        y, points = half * (2 * (i + chance.uniform(-0.4, 0.4)) / n - 1), []
        for k in range(10):
            x = half * (2 * k / 9 - 1)
            points.append(
                (
                    x,
                    y
                    + 9 * math.sin(x / 140 + y / 90)
                    + 5 * math.sin(x / 61 + y / 37)
                    + chance.uniform(-1, 1),
                )
            )
        dark = chance.random() < 0.72
        lines.append(
            tag(
                'path',
                d=_wavy(points),
                stroke='#1a0d05' if dark else '#c08a58',
                stroke_width=chance.uniform(0.5, 2.2),
                stroke_opacity=chance.uniform(0.1, 0.34) if dark else chance.uniform(0.06, 0.16),
            )
        )
    return tag('g', *lines, fill='none')


def _slab() -> Markup:
    """The board itself: a slab of walnut with rounded corners."""
    side = {'x': -SLAB, 'y': -SLAB, 'width': 2 * SLAB, 'height': 2 * SLAB}

    def frame(inset: float, radius: float, colour: str, opacity: float, width: float) -> Markup:
        return tag(
            'rect',
            x=-SLAB + inset,
            y=-SLAB + inset,
            width=2 * (SLAB - inset),
            height=2 * (SLAB - inset),
            rx=radius,
            fill='none',
            stroke=colour,
            stroke_opacity=opacity,
            stroke_width=width,
        )

    return Markup('').join(
        (
            tag(
                'rect',
                x=-304,
                y=-298,
                width=608,
                height=606,
                rx=34,
                fill='#000',
                fill_opacity=0.55,
                filter='url(#octiles-soft)',
            ),
            tag(
                'g',
                tag('rect', fill='url(#octiles-walnut)', **side),
                _walnut_grain(SLAB),
                tag('rect', fill='url(#octiles-polish)', **side),
                clip_path='url(#octiles-slab-clip)',
            ),
            frame(1, 33, '#fff0d0', 0.3, 1.6),
            frame(6.5, 28, '#160a03', 0.55, 1.4),
            frame(8, 27, '#d9a25c', 0.35, 1),
        )
    )


# ---- paths and tiles ---------------------------------------------------------------------------------------


def _two(data: str, colour: str = '', clip: str | None = None) -> Markup:
    """A path: case and core; in a player's colour for a run that is shown. `clip` cuts only the case: the
    core reaches further, so that no seam shows where the path goes on."""
    if colour:
        return Markup(
            tag('path', d=data, stroke=PLAYERS[colour].edge, stroke_width=RUN_CASE, clip_path=clip)
            + tag('path', d=data, stroke=PLAYERS[colour].base, stroke_width=RUN_CORE)
        )
    return Markup(
        tag('path', d=data, stroke=var('path-edge'), stroke_width=PATH_CASE, clip_path=clip)
        + tag('path', d=data, stroke=var('path'), stroke_width=PATH_CORE)
    )


def tile_lines(tile: int, shown: Mapping[tuple[int, int], str] | None = None) -> Markup:
    """A tile's four lines in rotation 0, a soft shade beneath each so that a crossing reads as a bridge.
    `shown` gives lines (pairs of edges) that belong to a run the player's colour; they keep their layer."""
    parts = []
    for i, edges in enumerate(layers(tile)):
        data = path([tile_line(*edges)])
        if i:
            parts.append(
                tag(
                    'path',
                    d=data,
                    stroke=var('path-shade'),
                    stroke_opacity=0.3,
                    stroke_width=SHADE,
                    clip_path='url(#octiles-clip)',
                )
            )
        parts.append(_two(data, (shown or {}).get(edges, ''), 'url(#octiles-line-clip)'))
    return Markup('').join(parts)


def _links() -> Markup:
    """The paths printed on the board: the eight long ones, and the short ones between spaces and to stops and
    circles."""
    inner, data, done = 4.0, [], set()
    for port in range(C.N_PORTS):
        place = C.LINK[port]
        if frozenset((port, place)) in done:
            continue
        done.add(frozenset((port, place)))
        data.append(link(port, inner))
    return _two(''.join(data))


def link(port: int, inner: float = 4.0) -> str:
    """The board's path at an edge as path data; it begins (and ends) a little inside the spaces, so that no
    gap can show."""
    place = C.LINK[port]
    if place >= C.FIRST_POST:
        curve = board_line(port, STOP if place - C.FIRST_POST < C.N_STOPS else CIRCLE)
        return f'M{pair(*along(curve.start, curve.leaving, -inner))}{curve.svg()}'
    curve = board_line(port)
    ahead = '' if curve.length < 1 else f'L{pair(*curve.start)}{curve.svg()}'
    arriving = curve.arriving if ahead else curve.leaving
    return f'M{pair(*along(curve.start, curve.leaving, -inner))}{ahead}L{pair(*along(curve.end, arriving, inner))}'  # noqa: E501


def _plank(tile: int) -> int:
    """Which of the three kinds of maple a tile is made of."""
    return tile % 3


def wood(tile: int, rotation: int) -> Markup:
    """A tile without its lines, round the origin. The grain turns with the tile, the light does not."""
    kind = _plank(tile)
    return Markup(use(f'octiles-face-{kind}') + _grain(tile, rotation) + use('octiles-rim'))


def _grain(tile: int, rotation: int) -> Markup:
    turned = f'rotate({(rotation * 45 + tile * 67) % 360})'
    return tag('g', use(f'octiles-grain-{_plank(tile)}', turned), clip_path='url(#octiles-clip)')


def turning(rotation: int) -> str | None:
    """A rotation as a transform."""
    return f'rotate({45 * rotation})' if rotation else None


def _ghost_tile(tile: int) -> Markup:
    """A tile in the mover's hand, in rotation 0, to be turned as a whole: no light from one side; its knob
    shows the rotation."""
    kind = _plank(tile)
    return Markup('').join(
        (
            tag(
                'path',
                d=polygon(octagon(TILE + 3)),
                fill='#0a0400',
                fill_opacity=0.5,
                filter='url(#octiles-soft)',
            ),
            tag(
                'g',
                use(f'octiles-face-{kind}'),
                _grain(tile, 0),
                use(f'octiles-lines-{tile + 1}'),
                use('octiles-lifted'),
                transform=f'scale({LIFT})',
            ),
        )
    )


def _handle() -> Markup:
    """The knob at the corner of a tile that can be turned."""
    return Markup('').join(
        (
            tag('circle', cy=2, r=14, fill='#000', fill_opacity=0.35),
            tag('circle', r=13, fill='#f2feff', stroke=var('legal-case'), stroke_width=1.6),
            tag(
                'path',
                d='M5.6 -3.6A6.6 6.6 0 1 0 6.4 2.2',
                fill='none',
                stroke='#084d58',
                stroke_width=2.3,
                stroke_linecap='round',
            ),
            tag('path', d='M7.6 -7.4L6.6 -1.8L1.6 -4.2Z', fill='#084d58'),
        )
    )


# ---- runners, stops and circles ----------------------------------------------------------------------------


def _head(shape: str) -> tuple[Markup, Markup]:
    """The head of a runner, and the gleam on it."""
    gleam = {'stroke': '#fff', 'fill': 'none', 'stroke_linecap': 'round'}
    match shape:
        case 'circle':
            return (
                tag('circle', cy=-23.5, r=10),
                tag(
                    'ellipse',
                    cx=-3.4,
                    cy=-28,
                    rx=3.2,
                    ry=2,
                    fill='#fff',
                    fill_opacity=0.55,
                    transform='rotate(-35 -3.4 -28)',
                ),
            )
        case 'triangle':
            return (
                tag('path', d='M0 -36.5L11 -16.2Q0 -13 -11 -16.2Z', stroke_linejoin='round'),
                tag('path', d='M-.6 -33.2L-7.6 -18.4', stroke_opacity=0.5, stroke_width=1.6, **gleam),
            )
        case 'square':
            return (
                tag('rect', x=-9, y=-33, width=18, height=18, rx=2.2),
                tag(
                    'path',
                    d='M-6.6 -18V-29.6Q-6.6 -30.6 -5.6 -30.6H5.5',
                    stroke_opacity=0.6,
                    stroke_width=1.5,
                    **gleam,
                ),
            )
        case 'diamond':
            return (
                tag('path', d='M0 -38L10.6 -25.5L0 -13L-10.6 -25.5Z', stroke_linejoin='round'),
                tag('path', d='M-8 -25.8L-.6 -34.5', stroke_opacity=0.55, stroke_width=1.6, **gleam),
            )
        case _:
            return (
                tag('path', d=polygon(star(13, 6.2, (0, -25))), stroke_linejoin='round'),
                tag('path', d='M-3.4 -29L-.3 -34.6', stroke_opacity=0.55, stroke_width=1.4, **gleam),
            )


BODY = (
    'M-12.5 4.2C-12.5 .6 -9.4 .2 -8.4 -2.4C-5.6 -5.6 -4.6 -9 -4.4 -14H4.4C4.6 -9 5.6 -5.6 8.4 -2.4C9.4 .2 12.5 .6 12.5 4.2'  # noqa: E501
    'A12.5 5 0 0 1 -12.5 4.2Z'
)
# round all five, to be hit
FIGURE = 'M-13 5C-13 0 -8 -4 -5 -14L-12 -16V-38H12V-16L5 -14C8 -4 13 0 13 5A13 6 0 0 1 -13 5Z'


def _runner(colour: str) -> Markup:
    """A turned wooden figure whose head is the player's shape; its foot stands on the origin."""
    player = PLAYERS[colour]
    head, gleam = _head(player.shape)
    turned, lit = f'url(#octiles-body-{colour})', f'url(#octiles-head-{colour})'
    return Markup('').join(
        (
            tag('path', d=BODY, fill=turned, stroke=player.deep, stroke_width=1.3),
            tag(
                'path', d='M-12 3.6A12 4.6 0 0 0 12 3.6', fill='none', stroke=player.deep, stroke_opacity=0.55
            ),
            tag(
                'path',
                d='M-8.3 -2.2A8.3 2.6 0 0 0 8.3 -2.2',
                fill='none',
                stroke=player.light,
                stroke_opacity=0.8,
                stroke_width=0.9,
            ),
            tag('ellipse', cy=-13.6, rx=6.6, ry=2.3, fill=turned, stroke=player.deep),
            tag('g', head, fill=lit, stroke=player.deep, stroke_width=1.3),
            gleam,
        )
    )


def _circle(colour: str) -> Markup:
    """A home circle in its side's colour."""
    player = PLAYERS[colour]
    return Markup('').join(
        (
            tag('circle', r=CIRCLE, fill=f'url(#octiles-cup-{colour})', stroke='#1c0d04', stroke_width=1.4),
            tag('circle', r=CIRCLE - 2.2, fill='none', stroke=player.base, stroke_width=3),
            tag(
                'g',
                marks.shape(colour),
                transform='scale(.82)',
                fill='none',
                stroke=player.light,
                stroke_opacity=0.85,
                stroke_width=1.7,
            ),
        )
    )


def _stop() -> Markup:
    """A stop: a low pyramid of bone, turned so that every path enters a flat side."""
    (north, east, south, west), (n, e, s, w) = diamond(STOP), diamond(STOP - 4 / math.sqrt(2))
    facets = (
        ([west, north, n, w], '#fff', 0.75),
        ([north, east, e, n], '#fff', 0.28),
        ([east, south, s, e], '#4a2c0c', 0.42),
        ([south, west, w, s], '#4a2c0c', 0.24),
    )
    return Markup('').join(
        (
            tag(
                'path',
                d=polygon([north, east, south, west]),
                fill='url(#octiles-bone)',
                stroke='#2a1608',
                stroke_width=1.1,
            ),
            *(
                tag('path', d=polygon(corners), fill=fill, fill_opacity=opacity)
                for corners, fill, opacity in facets
            ),
        )
    )


# ---- marks -------------------------------------------------------------------------------------------------


def _outline(apothem: float, core: float, case: float, colour: str, around: str, opacity: float) -> Markup:
    """An octagon's outline: a light line in a dark one."""
    data = polygon(octagon(apothem))
    return tag(
        'g',
        tag('path', d=data, stroke=around, stroke_opacity=opacity, stroke_width=case),
        tag('path', d=data, stroke=colour, stroke_width=core),
        fill='none',
        stroke_linejoin='round',
    )


def _legal_mark(inset: float) -> Markup:
    data = polygon(octagon(TILE - inset))
    return Markup(
        tag(
            'path',
            d=data,
            fill=var('legal'),
            fill_opacity=0.05,
            stroke=var('legal-case'),
            stroke_opacity=0.62,
            stroke_width=4.4,
            stroke_linejoin='round',
        )
        + tag('path', d=data, fill='none', stroke=var('legal'), stroke_width=2.3, stroke_linejoin='round')
    )


# ---- the definitions ---------------------------------------------------------------------------------------


@cache
def symbol_set() -> Symbols:
    """All definitions that the drawings refer to, as one list."""
    found: dict[str, str] = {}

    def add(name: str, kind: str, *children: str, **attributes: str | float) -> None:
        found[f'octiles-{name}'] = tag(kind, *children, id=f'octiles-{name}', **attributes)

    def shade(name: str, kind: str, *stops: tuple[float, str], **attributes: str | float) -> None:
        found[f'octiles-{name}'] = gradient(kind, f'octiles-{name}', stops, **attributes)

    add('clip', 'clipPath', tag('path', d=polygon(octagon(TILE))))
    add('line-clip', 'clipPath', tag('path', d=polygon(octagon(TILE + OVERLAP))))
    add('slab-clip', 'clipPath', tag('rect', x=-SLAB, y=-SLAB, width=2 * SLAB, height=2 * SLAB, rx=34))
    add(
        'soft',
        'filter',
        tag('feGaussianBlur', stdDeviation=3.2),
        x='-20%',
        y='-20%',
        width='140%',
        height='140%',
    )
    shade(
        'walnut',
        'linearGradient',
        (0, var('walnut-1')),
        (0.55, var('walnut-2')),
        (1, var('walnut-3')),
        x1=0,
        y1=0,
        x2=1,
        y2=1,
    )
    found['octiles-polish'] = tag(
        'radialGradient',
        tag('stop', stop_color='#ffe2b4', stop_opacity=0.2),
        tag('stop', offset=0.5, stop_color='#ffe2b4', stop_opacity=0),
        tag('stop', offset=1, stop_color='#0a0300', stop_opacity=0.42),
        id='octiles-polish',
        cx=0.34,
        cy=0.26,
        r=0.95,
    )
    shade('well-fill', 'radialGradient', (0, var('well-1')), (1, var('well-2')), cx=0.5, cy=0.55, r=0.62)
    shade('bone', 'linearGradient', (0, var('bone-1')), (1, var('bone-2')), x1=0, y1=0, x2=1, y2=1)
    maple = [
        (var('maple-1'), var('maple-2'), var('maple-3')),
        ('#f3d298', '#e0b474', '#cf9a58'),
        ('#f8dfb0', '#e9c48a', '#d8ab6c'),
    ]
    for kind, (first, middle, last) in enumerate(maple):
        shade(
            f'maple-{kind}', 'linearGradient', (0, first), (0.5, middle), (1, last), x1=0, y1=0, x2=0.8, y2=1
        )
        add(f'face-{kind}', 'path', d=polygon(octagon(TILE)), fill=f'url(#octiles-maple-{kind})')
        add(f'grain-{kind}', 'g', _maple_grain(kind + 3), fill='none', stroke='#8a5420')
    add(
        'nap',
        'pattern',
        tag('path', d='M0 1.5h2.2M4 3.2h1.8M1.5 5.6h2', stroke='#fff', stroke_opacity=0.05, stroke_width=0.7),
        tag(
            'path', d='M3 .6h1.6M5.6 5.2h1.4M.2 3.6h1.4', stroke='#000', stroke_opacity=0.16, stroke_width=0.7
        ),
        width=7,
        height=7,
        patternUnits='userSpaceOnUse',
        patternTransform='rotate(31)',
    )
    add('slab', 'g', _slab())
    add('links', 'g', _links(), fill='none')
    add(
        'well',
        'g',
        tag(
            'path',
            d=polygon(octagon(WELL)),
            fill='url(#octiles-well-fill)',
            stroke='#170b04',
            stroke_width=1.2,
        ),
        tag('path', d=polygon(octagon(WELL)), fill='url(#octiles-nap)'),
        bevel(WELL, 4.2, sunk=True, lit=0.28, shaded=0.75),
    )
    add('rim', 'g', bevel(TILE, RIM))
    add('stop', 'g', _stop())
    for tile in range(C.N_TILES):
        add(f'lines-{tile + 1}', 'g', tile_lines(tile), fill='none')
    add('handle', 'g', _handle())
    add('legal', 'g', _legal_mark(6.2))
    add('last', 'g', _outline(TILE - 1.2, 3, 5.4, var('last'), var('last-case'), 0.75))
    add('lifted', 'g', _outline(TILE - 0.4, 2.6, 5, var('ghost-line'), var('legal-case'), 0.75))
    for tile in range(C.N_TILES):
        add(f'tile-{tile + 1}', 'g', _ghost_tile(tile))
    for colour, player in PLAYERS.items():
        shade(
            f'body-{colour}',
            'linearGradient',
            (0, player.dark),
            (0.34, player.light),
            (0.55, player.base),
            (1, player.deep),
        )
        shade(
            f'head-{colour}',
            'radialGradient',
            (0, player.light),
            (0.42, player.base),
            (1, player.dark),
            cx=0.36,
            cy=0.3,
            r=0.8,
        )
        shade(f'cup-{colour}', 'radialGradient', (0, player.deep), (1, player.dark), cx=0.5, cy=0.35, r=0.75)
        add(f'runner-{colour}', 'g', _runner(colour))
        add(f'circle-{colour}', 'g', _circle(colour))
    add(
        'circle-quiet',
        'g',
        tag('circle', r=CIRCLE, fill='#2b180a', fill_opacity=0.62, stroke='#1c0d04', stroke_width=1.2),
        tag('circle', r=CIRCLE - 2.6, fill='none', stroke='#d9b078', stroke_opacity=0.5, stroke_width=1.8),
    )
    return Symbols(found)
