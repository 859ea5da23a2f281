"""Octiles as people see it: the board as SVG and as text, what to click and to do, what happened, why something cannot be done.

Measures are in hundredths of the distance between two neighbouring spaces; the middle of c3 is the origin, x to the right, y
downwards. THE CURVE RULE: a line on a tile, and every path printed on the board, is the one circular arc that meets the edges it
joins in their midpoints at right angles. So a chain of lines is smooth wherever tiles, board, stops and circles meet.

Ids in a drawing: `space-a2` (the octagon, which a click may choose), `tile-a2` (the tile lying there), `post-A1` (a stop or circle,
which a click may choose), `runner-A1` (the runner standing there), `stack` and its `stack-top`, `turns-space-a2` (marks of the
rotations). `tile-` and `runner-` groups and `stack-top` carry no transform of their own: a page may move them.
"""
from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
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
    polar,
    polygon,
    ring,
    sample,
    star,
    total,
)
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import NAMESPACE, Symbols, number, pair, standalone, tag, translate, use, words
from ludoteca.game import Button, Event, Game, Ghost, Panel, PanelRow, Prompt, Target, Theme, View
from ludoteca.games.octiles import components as C
from ludoteca.games.octiles import rules as R
from ludoteca.games.octiles.rules import Ending, Phase, State

UNIT = 100.
EDGE = 50.                  # from a space's centre to the midpoint of its edge
TILE = 47.4                 # apothem of a tile; a seam of the board shows between two
WELL = 48.7                 # apothem of a space without a tile
RIM = 2.6                   # width of a tile's bevel
STOP = 14.5                 # half the side of a stop
CIRCLE = 17.                # radius of a home circle
PATH_CASE, PATH_CORE = 10.4, 6.2        # a path: light core in a dark case, which stays legible on maple and on walnut
RUN_CASE, RUN_CORE = 13., 8.6           # the same for a run that is shown in a player's colour
SHADE = PATH_CASE + 5                   # the soft shade of a line on what it bridges
LIFT = 1.03                 # size of a tile in the mover's hand
OVERLAP = .9                # by how much the cases of a tile's lines reach over its edge
DETENT = 57.5               # distance of a rotation's mark from the tile's centre
SLAB = 306.                 # half the side of the board
VIEW = (-316., -321., 632., 632.)       # a little more above, for the heads of the runners there
FLIPPED = ('A5', 'B1', 'B6', 'C1', 'C6', 'F5', 'F6')    # circles whose names stand on the other side, free of neighbours' heads
SUPPLY, SUPPLY_TILE = (246., 246.), 39.
LAYERS = 4                  # tiles of the stack drawn below the top one, at most
CHEVRONS = 22.              # distance of two chevrons on a run
WAY_STEP = 8.               # distance of two points of an event's way
LIGHT = (-.55, -.83)        # where the light comes from
INK, SUNLIT, SHADOW = '#1c0d02', '#fff6dd', '#140800'

Tiles = Mapping[int, tuple[int, int]]       # space -> (tile, rotation)


# ---- the plane ---------------------------------------------------------------------------------------------------------------

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


def tile_line(start: int, end: int, centre: Point = (0, 0)) -> Curve:
    """The line from one edge of a tile to another."""
    return Curve(along(centre, compass(start), EDGE), along(centre, compass(end), EDGE), opposite(compass(start)), compass(end))


def board_line(port: int, inset: float = 0) -> Curve:
    """The board's path from an edge of a space to what it is joined to: another edge, or a post (`inset` short of its centre)."""
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
    """A tile's lines from the lowest to the highest: the long ones are bridged by the short ones, in every rotation alike."""
    return tuple(sorted(C.PAIRS[tile], key=lambda edges: (-span(edges), edges)))


# ---- runs --------------------------------------------------------------------------------------------------------------------

class Run(NamedTuple):
    """The way of a runner that leaves `start`: lines (space, edge in, edge out), then the post where it ends (-1: it does not) or
    the space without a tile that it runs into (-1: none)."""
    start: int
    lines: tuple[tuple[int, int, int], ...]
    end: int
    gap: int

    def crosses(self, space: int) -> bool:
        """Does it cross (or run into) that space?"""
        return self.gap == space or any(at == space for at, _, _ in self.lines)

    def curves(self) -> list[Curve]:
        """Its way in the plane, from the centre of the post that it leaves."""
        if not self.lines:
            return []
        space, edge, _ = self.lines[0]
        found = [line(post_point(self.start), port_point(8 * space + edge))]
        for space, edge, out in self.lines:
            found += [tile_line(edge, out, space_point(space)), board_line(8 * space + out)]
        return [curve for curve in found if curve.length > 1]


def follow(tiles: Tiles, post: int, port: int) -> Run:
    """The run of a runner that leaves a post by the edge `port`."""
    lines: list[tuple[int, int, int]] = []
    place = port
    while place < C.FIRST_POST:
        space, edge = divmod(place, 8)
        if space not in tiles:
            return Run(post, tuple(lines), -1, space)
        tile, rotation = tiles[space]
        out = C.MATCH[tile][rotation][edge]
        lines.append((space, edge, out))
        place = C.LINK[8 * space + out]
    return Run(post, tuple(lines), place - C.FIRST_POST, -1)


def runs(tiles: Tiles, post: int) -> list[Run]:
    """The runs by all exits of a post."""
    return [follow(tiles, post, port) for port in C.EXITS[post]]


def run_of_move(tiles: Tiles, laid: int, start: int, end: int) -> Run | None:
    """The run from `start` to `end` across the tile laid; the shortest if there are several."""
    fitting = [run for run in runs(tiles, start) if run.end == end and run.crosses(laid)]
    return min(fitting, key=lambda run: total(run.curves()), default=None)


# ---- what a state says -------------------------------------------------------------------------------------------------------

def _tiles(s: State) -> dict[int, tuple[int, int]]:
    return {space: (int(s.tile[space]), int(s.rot[space])) for space in range(C.N_SPACES) if s.tile[space] >= 0}


def _runners(s: State) -> dict[int, int]:
    return {int(post): seat for seat in range(int(s.players)) for post in s.runner[seat] if post >= 0}


def _stack(s: State) -> list[int]:
    """Tiles of the stack, top first, -1 where unknown; the one in the mover's hand is not among them."""
    first = int(s.phase == Phase.MOVE)
    return [int(s.stack[(int(s.stack_head) + i) % C.N_TILES]) for i in range(first, int(s.stack_size))]


def _side(s: State, seat: int) -> int:
    return C.SIDE_OF_SEAT[int(s.players)][seat]


def _circles(side: int) -> range:
    return range(C.N_STOPS + 5 * side, C.N_STOPS + 5 * side + 5)


def _home(s: State, seat: int) -> int:
    """How many runners of a seat have reached their goal."""
    return sum(C.SIDE_OF[int(post)] == _side(s, seat) ^ 2 for post in s.runner[seat] if post >= 0)


def _moves(actions: Iterable[int]) -> list[tuple[int, int]]:
    """The runner moves among actions, as (from, to)."""
    return [divmod(action - R.FIRST_MOVE, C.N_POSTS) for action in actions if R.FIRST_MOVE <= action < R.PASS]


def _placements(actions: Iterable[int]) -> dict[int, list[int]]:
    """The placements among actions: space -> rotations."""
    found: dict[int, list[int]] = {}
    for action in actions:
        if action < R.FIRST_MOVE:
            found.setdefault(action >> 3, []).append(action & 7)
    return found


def _before_laying(s: State) -> State:
    """The position before the tile of this turn was laid."""
    earlier = s.copy()
    R.put(earlier, int(s.laid), int(s.covered), int(s.covered_rot))
    earlier.laid, earlier.covered, earlier.covered_rot, earlier.phase = -1, -1, 0, int(Phase.PLACE)
    return earlier


def _legal(s: State) -> list[int]:
    out = np.empty(R.MAX_LEGAL, np.int32)
    return [int(action) for action in out[:R.legal_actions(s, out)]]


# ---- symbols: what is the same in every position -----------------------------------------------------------------------------

def _gradient(name: str, kind: str, stops: Sequence[tuple[float, str]], **attributes: str | float) -> Markup:
    return tag(kind, *(tag('stop', offset=offset or None, stop_color=colour) for offset, colour in stops), id=name, **attributes)


def _bevel(apothem: float, width: float, sunk: bool = False, lit: float = .55, shaded: float = .5) -> Markup:
    """The edge of an octagon in the light, side by side; of a well if `sunk`."""
    outer, inner, sides = octagon(apothem), octagon(apothem - width), []
    for k in range(8):
        corners = [outer[k - 1], outer[k], inner[k], inner[k - 1]]
        facing = compass(k)[0] * LIGHT[0] + compass(k)[1] * LIGHT[1]
        light = -facing if sunk else facing
        if abs(light) > .04:
            sides.append(tag('path', d=polygon(corners), fill=SUNLIT if light > 0 else INK,
                             fill_opacity=light * lit if light > 0 else -light * shaded))
    return Markup('').join(sides)


def _wavy(points: Sequence[Point]) -> str:
    """A soft line through the middles between points, as path data."""
    middles = ''.join(f'Q{pair(*here)} {pair((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)}'
                      for here, there in pairwise(points[1:]))
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
            bulge = 9 * math.exp(-(x - knot[0]) ** 2 / 500) * math.copysign(math.exp(-abs(y - knot[1]) / 16), y - knot[1])
            points.append((x, y + 4.5 * math.sin(x / 31 + seed) + bulge + chance.uniform(-.5, .5)))
        lines.append(tag('path', d=_wavy(points), stroke_width=chance.uniform(.35, 1.5),
                         stroke_opacity=chance.uniform(.1, .34)))
    return Markup('').join(lines)


def _walnut_grain(half: float, seed: int = 5, n: int = 58) -> Markup:
    """The figure of the board."""
    chance, lines = random.Random(seed), []
    for i in range(n):
        y, points = half * (2 * (i + chance.uniform(-.4, .4)) / n - 1), []
        for k in range(10):
            x = half * (2 * k / 9 - 1)
            points.append((x, y + 9 * math.sin(x / 140 + y / 90) + 5 * math.sin(x / 61 + y / 37) + chance.uniform(-1, 1)))
        dark = chance.random() < .72
        lines.append(tag('path', d=_wavy(points), stroke='#1a0d05' if dark else '#c08a58', stroke_width=chance.uniform(.5, 2.2),
                         stroke_opacity=chance.uniform(.1, .34) if dark else chance.uniform(.06, .16)))
    return tag('g', *lines, fill='none')


def _two(data: str, colour: str = '', clip: str | None = None) -> Markup:
    """A path: case and core; in a player's colour for a run that is shown. `clip` cuts only the case: the core reaches further, so
    that no seam shows where the path goes on."""
    if colour:
        return Markup(tag('path', d=data, stroke=PLAYERS[colour].edge, stroke_width=RUN_CASE, clip_path=clip)
                      + tag('path', d=data, stroke=PLAYERS[colour].base, stroke_width=RUN_CORE))
    return Markup(tag('path', d=data, stroke=var('path-edge'), stroke_width=PATH_CASE, clip_path=clip)
                  + tag('path', d=data, stroke=var('path'), stroke_width=PATH_CORE))


def _tile_lines(tile: int, shown: Mapping[tuple[int, int], str] | None = None) -> Markup:
    """A tile's four lines in rotation 0, a soft shade beneath each so that a crossing reads as a bridge. `shown` gives lines (pairs
    of edges) that belong to a run the player's colour; they keep their layer."""
    parts = []
    for i, edges in enumerate(layers(tile)):
        data = path([tile_line(*edges)])
        if i:
            parts.append(tag('path', d=data, stroke=var('path-shade'), stroke_opacity=.3, stroke_width=SHADE,
                             clip_path='url(#octiles-clip)'))
        parts.append(_two(data, (shown or {}).get(edges, ''), 'url(#octiles-line-clip)'))
    return Markup('').join(parts)


def _head(shape: str) -> tuple[Markup, Markup]:
    """The head of a runner, and the gleam on it."""
    gleam = {'stroke': '#fff', 'fill': 'none', 'stroke_linecap': 'round'}
    match shape:
        case 'circle':
            return (tag('circle', cy=-23.5, r=10),
                    tag('ellipse', cx=-3.4, cy=-28, rx=3.2, ry=2, fill='#fff', fill_opacity=.55, transform='rotate(-35 -3.4 -28)'))
        case 'triangle':
            return (tag('path', d='M0 -36.5L11 -16.2Q0 -13 -11 -16.2Z', stroke_linejoin='round'),
                    tag('path', d='M-.6 -33.2L-7.6 -18.4', stroke_opacity=.5, stroke_width=1.6, **gleam))
        case 'square':
            return (tag('rect', x=-9, y=-33, width=18, height=18, rx=2.2),
                    tag('path', d='M-6.6 -18V-29.6Q-6.6 -30.6 -5.6 -30.6H5.5', stroke_opacity=.6, stroke_width=1.5, **gleam))
        case 'diamond':
            return (tag('path', d='M0 -38L10.6 -25.5L0 -13L-10.6 -25.5Z', stroke_linejoin='round'),
                    tag('path', d='M-8 -25.8L-.6 -34.5', stroke_opacity=.55, stroke_width=1.6, **gleam))
        case _:
            return (tag('path', d=polygon(star(13, 6.2, (0, -25))), stroke_linejoin='round'),
                    tag('path', d='M-3.4 -29L-.3 -34.6', stroke_opacity=.55, stroke_width=1.4, **gleam))


BODY = ('M-12.5 4.2C-12.5 .6 -9.4 .2 -8.4 -2.4C-5.6 -5.6 -4.6 -9 -4.4 -14H4.4C4.6 -9 5.6 -5.6 8.4 -2.4C9.4 .2 12.5 .6 12.5 4.2'
        'A12.5 5 0 0 1 -12.5 4.2Z')
FIGURE = 'M-13 5C-13 0 -8 -4 -5 -14L-12 -16V-38H12V-16L5 -14C8 -4 13 0 13 5A13 6 0 0 1 -13 5Z'       # round all five, to be hit


def _runner(colour: str) -> Markup:
    """A turned wooden figure whose head is the player's shape; its foot stands on the origin."""
    player = PLAYERS[colour]
    head, gleam = _head(player.shape)
    turned, lit = f'url(#octiles-body-{colour})', f'url(#octiles-head-{colour})'
    return Markup('').join((
        tag('path', d=BODY, fill=turned, stroke=player.deep, stroke_width=1.3),
        tag('path', d='M-12 3.6A12 4.6 0 0 0 12 3.6', fill='none', stroke=player.deep, stroke_opacity=.55),
        tag('path', d='M-8.3 -2.2A8.3 2.6 0 0 0 8.3 -2.2', fill='none', stroke=player.light, stroke_opacity=.8, stroke_width=.9),
        tag('ellipse', cy=-13.6, rx=6.6, ry=2.3, fill=turned, stroke=player.deep),
        tag('g', head, fill=lit, stroke=player.deep, stroke_width=1.3), gleam))


def _circle(colour: str) -> Markup:
    """A home circle in its side's colour."""
    player = PLAYERS[colour]
    return Markup('').join((
        tag('circle', r=CIRCLE, fill=f'url(#octiles-cup-{colour})', stroke='#1c0d04', stroke_width=1.4),
        tag('circle', r=CIRCLE - 2.2, fill='none', stroke=player.base, stroke_width=3),
        tag('g', marks.shape(colour), transform='scale(.82)', fill='none', stroke=player.light, stroke_opacity=.85,
            stroke_width=1.7)))


def _stop() -> Markup:
    """A stop: a low pyramid of bone, turned so that every path enters a flat side."""
    (north, east, south, west), (n, e, s, w) = diamond(STOP), diamond(STOP - 4 / math.sqrt(2))
    facets = (([west, north, n, w], '#fff', .75), ([north, east, e, n], '#fff', .28),
              ([east, south, s, e], '#4a2c0c', .42), ([south, west, w, s], '#4a2c0c', .24))
    return Markup('').join((
        tag('path', d=polygon([north, east, south, west]), fill='url(#octiles-bone)', stroke='#2a1608', stroke_width=1.1),
        *(tag('path', d=polygon(corners), fill=fill, fill_opacity=opacity) for corners, fill, opacity in facets)))


def _outline(apothem: float, core: float, case: float, colour: str, around: str, opacity: float) -> Markup:
    """An octagon's outline: a light line in a dark one."""
    data = polygon(octagon(apothem))
    return tag('g', tag('path', d=data, stroke=around, stroke_opacity=opacity, stroke_width=case),
               tag('path', d=data, stroke=colour, stroke_width=core), fill='none', stroke_linejoin='round')


def _legal_mark(inset: float) -> Markup:
    data = polygon(octagon(TILE - inset))
    return Markup(tag('path', d=data, fill=var('legal'), fill_opacity=.05, stroke=var('legal-case'), stroke_opacity=.62,
                      stroke_width=4.4, stroke_linejoin='round')
                  + tag('path', d=data, fill='none', stroke=var('legal'), stroke_width=2.3, stroke_linejoin='round'))


def _slab() -> Markup:
    """The board itself: a slab of walnut with rounded corners."""
    side = {'x': -SLAB, 'y': -SLAB, 'width': 2 * SLAB, 'height': 2 * SLAB}

    def frame(inset: float, radius: float, colour: str, opacity: float, width: float) -> Markup:
        return tag('rect', x=-SLAB + inset, y=-SLAB + inset, width=2 * (SLAB - inset), height=2 * (SLAB - inset), rx=radius,
                   fill='none', stroke=colour, stroke_opacity=opacity, stroke_width=width)
    return Markup('').join((
        tag('rect', x=-304, y=-298, width=608, height=606, rx=34, fill='#000', fill_opacity=.55, filter='url(#octiles-soft)'),
        tag('g', tag('rect', fill='url(#octiles-walnut)', **side), _walnut_grain(SLAB),
            tag('rect', fill='url(#octiles-polish)', **side), clip_path='url(#octiles-slab-clip)'),
        frame(1, 33, '#fff0d0', .3, 1.6), frame(6.5, 28, '#160a03', .55, 1.4), frame(8, 27, '#d9a25c', .35, 1)))


def _links() -> Markup:
    """All that is printed on the board: the eight paths, and the short ones between spaces and to stops and circles."""
    inner, data, done = 4., [], set()
    for port in range(C.N_PORTS):
        place = C.LINK[port]
        if frozenset((port, place)) in done:
            continue
        done.add(frozenset((port, place)))
        data.append(_link(port, inner))
    return _two(''.join(data))


def _link(port: int, inner: float = 4.) -> str:
    """The board's path at an edge as path data; it begins (and ends) a little inside the spaces, so that no gap can show."""
    place = C.LINK[port]
    if place >= C.FIRST_POST:
        curve = board_line(port, STOP if place - C.FIRST_POST < C.N_STOPS else CIRCLE)
        return f'M{pair(*along(curve.start, curve.leaving, -inner))}{curve.svg()}'
    curve = board_line(port)
    ahead = '' if curve.length < 1 else f'L{pair(*curve.start)}{curve.svg()}'
    arriving = curve.arriving if ahead else curve.leaving
    return f'M{pair(*along(curve.start, curve.leaving, -inner))}{ahead}L{pair(*along(curve.end, arriving, inner))}'


def _plank(tile: int) -> int:
    """Which of the three kinds of maple a tile is made of."""
    return tile % 3


def _wood(tile: int, rotation: int) -> Markup:
    """A tile without its lines, round the origin. The grain turns with the tile, the light does not."""
    kind = _plank(tile)
    return Markup(use(f'octiles-face-{kind}') + _grain(tile, rotation) + use('octiles-rim'))


def _grain(tile: int, rotation: int) -> Markup:
    turned = f'rotate({(rotation * 45 + tile * 67) % 360})'
    return tag('g', use(f'octiles-grain-{_plank(tile)}', turned), clip_path='url(#octiles-clip)')


def _turned(rotation: int) -> str | None:
    return f'rotate({45 * rotation})' if rotation else None


def _ghost_tile(tile: int) -> Markup:
    """A tile in the mover's hand, in rotation 0, to be turned as a whole: no light from one side; its knob shows the rotation."""
    kind = _plank(tile)
    return Markup('').join((
        tag('path', d=polygon(octagon(TILE + 3)), fill='#0a0400', fill_opacity=.5, filter='url(#octiles-soft)'),
        tag('g', use(f'octiles-face-{kind}'),
            _grain(tile, 0),
            use(f'octiles-lines-{tile + 1}'), use('octiles-lifted'),
            transform=f'scale({LIFT})'),
        use('octiles-handle', translate(*polar(DETENT, 22.5)))))


def _handle() -> Markup:
    """The knob at the corner of a tile that can be turned."""
    return Markup('').join((
        tag('circle', cy=2, r=14, fill='#000', fill_opacity=.35),
        tag('circle', r=13, fill='#f2feff', stroke=var('legal-case'), stroke_width=1.6),
        tag('path', d='M5.6 -3.6A6.6 6.6 0 1 0 6.4 2.2', fill='none', stroke='#084d58', stroke_width=2.3, stroke_linecap='round'),
        tag('path', d='M7.6 -7.4L6.6 -1.8L1.6 -4.2Z', fill='#084d58')))


@cache
def symbol_set() -> Symbols:
    """All definitions that the drawings refer to."""
    found: dict[str, str] = {}

    def add(name: str, kind: str, *children: str, **attributes: str | float) -> None:
        found[f'octiles-{name}'] = tag(kind, *children, id=f'octiles-{name}', **attributes)

    def shade(name: str, kind: str, *stops: tuple[float, str], **attributes: str | float) -> None:
        found[f'octiles-{name}'] = _gradient(f'octiles-{name}', kind, stops, **attributes)

    add('clip', 'clipPath', tag('path', d=polygon(octagon(TILE))))
    add('line-clip', 'clipPath', tag('path', d=polygon(octagon(TILE + OVERLAP))))
    add('slab-clip', 'clipPath', tag('rect', x=-SLAB, y=-SLAB, width=2 * SLAB, height=2 * SLAB, rx=34))
    add('soft', 'filter', tag('feGaussianBlur', stdDeviation=3.2), x='-20%', y='-20%', width='140%', height='140%')
    shade('walnut', 'linearGradient', (0, var('walnut-1')), (.55, var('walnut-2')), (1, var('walnut-3')), x1=0, y1=0, x2=1, y2=1)
    found['octiles-polish'] = tag(
        'radialGradient', tag('stop', stop_color='#ffe2b4', stop_opacity=.2),
        tag('stop', offset=.5, stop_color='#ffe2b4', stop_opacity=0),
        tag('stop', offset=1, stop_color='#0a0300', stop_opacity=.42), id='octiles-polish', cx=.34, cy=.26, r=.95)
    shade('well-fill', 'radialGradient', (0, var('well-1')), (1, var('well-2')), cx=.5, cy=.55, r=.62)
    shade('bone', 'linearGradient', (0, var('bone-1')), (1, var('bone-2')), x1=0, y1=0, x2=1, y2=1)
    maple = [(var('maple-1'), var('maple-2'), var('maple-3')), ('#f3d298', '#e0b474', '#cf9a58'), ('#f8dfb0', '#e9c48a', '#d8ab6c')]
    for kind, (first, middle, last) in enumerate(maple):
        shade(f'maple-{kind}', 'linearGradient', (0, first), (.5, middle), (1, last), x1=0, y1=0, x2=.8, y2=1)
        add(f'face-{kind}', 'path', d=polygon(octagon(TILE)), fill=f'url(#octiles-maple-{kind})')
        add(f'grain-{kind}', 'g', _maple_grain(kind + 3), fill='none', stroke='#8a5420')
    add('nap', 'pattern',
        tag('path', d='M0 1.5h2.2M4 3.2h1.8M1.5 5.6h2', stroke='#fff', stroke_opacity=.05, stroke_width=.7),
        tag('path', d='M3 .6h1.6M5.6 5.2h1.4M.2 3.6h1.4', stroke='#000', stroke_opacity=.16, stroke_width=.7),
        width=7, height=7, patternUnits='userSpaceOnUse', patternTransform='rotate(31)')
    add('slab', 'g', _slab())
    add('links', 'g', _links(), fill='none')
    add('well', 'g', tag('path', d=polygon(octagon(WELL)), fill='url(#octiles-well-fill)', stroke='#170b04', stroke_width=1.2),
        tag('path', d=polygon(octagon(WELL)), fill='url(#octiles-nap)'), _bevel(WELL, 4.2, sunk=True, lit=.28, shaded=.75))
    add('rim', 'g', _bevel(TILE, RIM))
    add('stop', 'g', _stop())
    for tile in range(C.N_TILES):
        add(f'lines-{tile + 1}', 'g', _tile_lines(tile), fill='none')
    add('handle', 'g', _handle())
    add('legal', 'g', _legal_mark(6.2))
    add('last', 'g', _outline(TILE - 1.2, 3, 5.4, var('last'), var('last-case'), .75))
    add('lifted', 'g', _outline(TILE - .4, 2.6, 5, var('ghost-line'), var('legal-case'), .75))
    for tile in range(C.N_TILES):
        add(f'tile-{tile + 1}', 'g', _ghost_tile(tile))
    for colour, player in PLAYERS.items():
        shade(f'body-{colour}', 'linearGradient', (0, player.dark), (.34, player.light), (.55, player.base), (1, player.deep))
        shade(f'head-{colour}', 'radialGradient', (0, player.light), (.42, player.base), (1, player.dark), cx=.36, cy=.3, r=.8)
        shade(f'cup-{colour}', 'radialGradient', (0, player.deep), (1, player.dark), cx=.5, cy=.35, r=.75)
        add(f'runner-{colour}', 'g', _runner(colour))
        add(f'circle-{colour}', 'g', _circle(colour))
    add('circle-quiet', 'g', tag('circle', r=CIRCLE, fill='#2b180a', fill_opacity=.62, stroke='#1c0d04', stroke_width=1.2),
        tag('circle', r=CIRCLE - 2.6, fill='none', stroke='#d9b078', stroke_opacity=.5, stroke_width=1.8))
    return Symbols(found)


def symbols() -> str:
    """A <defs> of all that drawings for pages refer to. It belongs once into a page, in an <svg> without size (but displayed)."""
    return symbol_set().defs


# ---- the picture -------------------------------------------------------------------------------------------------------------

@dataclass
class Scene:
    """What a picture shows."""
    tiles: dict[int, tuple[int, int]]
    runners: dict[int, int]                                     # post -> seat
    colours: tuple[str, ...]                                    # of the seats
    mover: int = -1                                             # seat to move, -1 if the game is over
    stack: list[int] = field(default_factory=list)              # tiles, top first, -1 if unknown
    lifted: int = -1                                            # space of the tile laid in this turn
    rotations: list[int] = field(default_factory=list)          # in which it could lie
    placements: dict[int, list[int]] = field(default_factory=dict)      # the viewer's: space -> rotations
    moves: list[tuple[int, int]] = field(default_factory=list)          # the viewer's: from, to
    elsewhere: dict[int, list[int]] = field(default_factory=dict)       # where the tile just laid could lie instead
    hand: int = -1                                              # the tile to lay, or just laid
    run: Run | None = None                                      # shown in the mover's colour
    goals: list[int] = field(default_factory=list)              # open goal circles of the mover
    sides: dict[int, str] = field(default_factory=dict)         # side -> colour, of the sides in use
    last_space: int = -1
    last_from: int = -1
    last_to: int = -1
    coordinates: bool = True
    marks: bool = True
    hidden_turns: bool = False                                  # keep marks of rotations for the page to show
    labels: dict[str, str] = field(default_factory=dict)        # element id -> what it is, in words


def _last(events: Iterable[Event]) -> tuple[int, int, int]:
    """Space, start and end of the last turn, -1 where there is none."""
    space = start = end = -1
    for event in events:
        if event.kind in ('lay', 'cover'):
            space = C.SPACES.index(str(event.values['space']))
        elif event.kind in ('run', 'loop'):
            start, end = C.POSTS.index(str(event.values['start'])), C.POSTS.index(str(event.values['end']))
    return space, start, end


def colours_of(game: Game, view: View) -> tuple[str, ...]:
    """The colours of all seats."""
    own = game.colours(int(view.state.players))
    return tuple(view.colour(seat, own) for seat in range(len(own)))


def _scene(game: Game, view: View, page: bool) -> Scene:
    s = view.state
    tiles, runners, colours = _tiles(s), _runners(s), colours_of(game, view)
    mover = -1 if s.ending else int(s.to_move)
    moves = _moves(view.actions)
    scene = Scene(
        tiles, runners, colours, mover, _stack(s), int(s.laid), [], _placements(view.actions), moves,
        sides={_side(s, seat): colour for seat, colour in enumerate(colours)},
        coordinates=view.settings.coordinates, marks=view.settings.marks, hidden_turns=page)
    scene.last_space, scene.last_from, scene.last_to = _last(view.last)
    scene.hand = scene.tiles[scene.lifted][0] if scene.lifted in scene.tiles else scene.stack[0] if scene.stack else -1
    if mover >= 0:
        scene.goals = [post for post in _circles(_side(s, mover) ^ 2) if post not in runners]
    if scene.lifted >= 0 and moves:
        scene.elsewhere = _placements(_legal(_before_laying(s)))
        scene.rotations = scene.elsewhere.pop(scene.lifted, [])
        if len(moves) == 1:
            scene.run = run_of_move(tiles, scene.lifted, *moves[0])
    scene.labels = _labels(game, view, scene)
    return scene


def draw(game: Game, view: View, theme: Theme = 'light') -> str:
    """The position as SVG: for a page (theme 'page': it needs `symbols` there, and classes and ids matter) or standing alone."""
    drawing = _picture(_scene(game, view, theme == 'page'), game.words('board.label'))
    return str(drawing) if theme == 'page' else standalone(drawing, theme, symbols=symbol_set(), background=var('felt-2'))


def _picture(scene: Scene, label: str, box: tuple[float, ...] = VIEW) -> Markup:
    """The drawing, layer by layer from the bottom."""
    lifted = scene.lifted if scene.lifted in scene.tiles else -1
    spaces = [_space(scene, space) for space in range(C.N_SPACES) if space != lifted]
    layers_of_board = [
        _quiet(use('octiles-slab'), _shadows(scene, lifted), use('octiles-links')),
        *spaces,
        _quiet(_last_tile(scene), _stops_and_circles(scene)),
        _lifted(scene, lifted) if lifted >= 0 else '',
        _quiet(_run_over_board(scene)),
        _supply(scene),
        _quiet(_rings(scene)),
        *_figures(scene),
        _quiet(_arriving(scene)),
        *(_post(scene, post) for post in range(C.N_POSTS)),
        *_turns(scene),
    ]
    return tag('svg', *layers_of_board, xmlns=NAMESPACE, class_='board', viewBox=' '.join(map(number, box)), role='group',
               aria_label=label, font_family=var('font'))


def _quiet(*children: str) -> Markup | str:
    """A layer that takes no clicks and that screen readers pass over."""
    return tag('g', *children, class_='decoration', aria_hidden='true', pointer_events='none') if any(children) else ''


def _shadows(scene: Scene, lifted: int) -> Markup | str:
    below = [octagon(TILE + .6, along(space_point(space), (1.6, 4), 1)) for space in scene.tiles if space != lifted]
    data = ''.join(map(polygon, below))
    return tag('path', d=data, fill=SHADOW, fill_opacity=.62, filter='url(#octiles-soft)') if data else ''


def _lines_shown(scene: Scene, space: int) -> dict[tuple[int, int], str]:
    """The lines of a space's tile (as in rotation 0) that belong to the run shown, with its colour."""
    if scene.run is None or space not in scene.tiles:
        return {}
    tile, rotation = scene.tiles[space]
    crossed = {frozenset(((a - rotation) % 8, (b - rotation) % 8)) for at, a, b in scene.run.lines if at == space}
    return {edges: scene.colours[scene.mover] for edges in C.PAIRS[tile] if frozenset(edges) in crossed}


def _tile(scene: Scene, space: int, mark: str = '', under: str = '') -> Markup:
    """The tile lying in a space, round the origin: its wood, a mark painted on the wood, its lines."""
    tile, rotation = scene.tiles[space]
    shown = _lines_shown(scene, space)
    lines = (tag('g', _tile_lines(tile, shown), transform=_turned(rotation), fill='none') if shown
             else use(f'octiles-lines-{tile + 1}', _turned(rotation)))
    return Markup(under + _wood(tile, rotation) + mark + lines)


def _choosable(scene: Scene, name: str, kind: str, choosable: bool, *children: str) -> Markup:
    """A group that a click may choose, or that is only there to be read."""
    return tag('g', *children, id=name, class_=f'{kind} target' if choosable else kind, role='button' if choosable else 'img',
               tabindex='0' if choosable else None, aria_label=scene.labels.get(name, name))


def _focus(data: str) -> Markup:
    return tag('g', tag('path', class_='case', d=data), tag('path', class_='core', d=data), class_='focus', display='none',
               fill='none')


def _hit(data: str) -> Markup:
    return tag('path', class_='hit', d=data, fill='none', pointer_events='all')


def _space(scene: Scene, space: int) -> Markup:
    name, legal = C.SPACES[space], space in scene.placements
    place = translate(*space_point(space))
    mark: Markup | str = ''
    if scene.marks and (legal or space in scene.elsewhere):
        # quieter once the tile lies somewhere: it may still be laid here instead
        opacity = .45 if not legal else None if space in scene.tiles else .78
        mark = use('octiles-legal', class_='mark', opacity=opacity)
    if space in scene.tiles:
        inner = tag('g', tag('g', _tile(scene, space, mark), transform=place), id=f'tile-{name}', class_='tile')
    else:
        written = words(name, class_='coordinate', y=4.5, font_size=13, font_weight=600, text_anchor='middle', fill='#cfe3db',
                        fill_opacity=.5) if scene.coordinates else ''
        inner = tag('g', use('octiles-well'), mark, written, transform=place)
    focus = tag('g', _focus(polygon(octagon(TILE - 2))), transform=place) if legal or space in scene.elsewhere else ''
    return _choosable(scene, f'space-{name}', 'space', legal, inner, _hit(polygon(octagon(TILE, space_point(space)))), focus)


def _lifted(scene: Scene, space: int) -> Markup:
    """The tile laid in this turn: still in the mover's hand."""
    x, y = space_point(space)
    under = Markup(
        tag('path', d=polygon(octagon(TILE + 1, (x + 5, y + 11))), fill='#0a0400', fill_opacity=.6, filter='url(#octiles-soft)')
        + tag('path', d=polygon(octagon(TILE + 3, (x, y))), fill='none', stroke=var('legal'), stroke_opacity=.75, stroke_width=6,
              filter='url(#octiles-soft)'))
    tile = tag('g', _tile(scene, space), use('octiles-lifted'), transform=translate(x, y, scale=LIFT))
    group = tag('g', under, tile, id=f'tile-{C.SPACES[space]}', class_='tile lifted')
    return _choosable(scene, f'space-{C.SPACES[space]}', 'space', False, group, _hit(polygon(octagon(TILE, (x, y)))))


def _last_tile(scene: Scene) -> Markup | str:
    if scene.last_space < 0 or scene.last_space == scene.lifted or scene.last_space not in scene.tiles:
        return ''
    return use('octiles-last', translate(*space_point(scene.last_space)))


def _stops_and_circles(scene: Scene) -> Markup:
    parts = [use('octiles-stop', translate(*post_point(post))) for post in range(C.N_STOPS)]
    covered = {*scene.runners, *([scene.run.end] if scene.run else [])}
    for post in range(C.N_STOPS, C.N_POSTS):
        colour = scene.sides.get(C.SIDE_OF[post], 'quiet')
        parts.append(use(f'octiles-circle-{colour}', translate(*post_point(post))))
    if scene.coordinates:
        for post in range(C.N_STOPS):
            if post not in covered:
                parts.append(_post_name(post, post_point(post), '#6b4b23'))
        parts += [_circle_name(post) for post in range(C.N_STOPS, C.N_POSTS)]
    if scene.marks and scene.mover >= 0:
        colour = PLAYERS[scene.colours[scene.mover]].light
        for post in scene.goals:
            data = ring(CIRCLE + 3.4, post_point(post))
            parts.append(tag('path', d=data, fill='none', stroke='#0d0603', stroke_opacity=.55, stroke_width=4))
            parts.append(tag('path', d=data, fill='none', stroke=colour, stroke_width=1.9))
    return Markup('').join(parts)


def _circle_name(post: int) -> Markup:
    """A circle's name beside it, on the wood, off its path."""
    outward = compass(C.EXITS[post][0] % 8)
    turn = 1.75 if (C.SIDE_OF[post] in (2, 3)) != (C.POSTS[post] in FLIPPED) else -1.75     # so that no runner hides it
    aside = (outward[0] * math.cos(turn) - outward[1] * math.sin(turn), outward[0] * math.sin(turn) + outward[1] * math.cos(turn))
    return _post_name(post, along(post_point(post), aside, CIRCLE + 11), '#f0d9ae', .6)


def _post_name(post: int, middle: Point, colour: str, opacity: float | None = None) -> Markup:
    return words(C.POSTS[post], class_='coordinate', x=middle[0], y=middle[1] + 2.9, font_size=8.6, font_weight=650,
                 text_anchor='middle', fill=colour, fill_opacity=opacity)


def _run_over_board(scene: Scene) -> Markup | str:
    """What of the run lies on the board (its pieces between tiles), and the chevrons along it."""
    if scene.run is None:
        return ''
    run, colour = scene.run, scene.colours[scene.mover]
    space, edge, _ = run.lines[0]
    ports = dict.fromkeys([8 * space + edge, *(8 * at + out for at, _, out in run.lines)])
    # the core reaches a little further than its edge: no seam where it goes on in a tile
    parts = [tag('g', tag('path', d=''.join(map(_link, ports)), stroke=PLAYERS[colour].edge, stroke_width=RUN_CASE),
                 tag('path', d=''.join(_link(port, 5) for port in ports), stroke=PLAYERS[colour].base, stroke_width=RUN_CORE),
                 fill='none')]
    curves = run.curves()
    start, end = post_point(run.start), post_point(run.end)
    chevrons = []
    for point, direction in sample(curves, CHEVRONS, CHEVRONS):
        if math.dist(point, start) > 20 and math.dist(point, end) > 24 and not _bridged(scene, point):
            turn = math.degrees(math.atan2(direction[1], direction[0]))
            chevrons.append(tag('path', d='M-2.2 -2.8L1.4 0L-2.2 2.8', transform=translate(*point, turn)))
    parts.append(tag('g', *chevrons, fill='none', stroke=PLAYERS[colour].edge, stroke_width=2.1, stroke_linecap='round',
                     stroke_linejoin='round'))
    return Markup('').join(parts)


def _bridged(scene: Scene, point: Point) -> bool:
    """Does another line lie over the run shown at this point?"""
    for space, (tile, rotation) in scene.tiles.items():
        x, y = space_point(space)
        if math.dist(point, (x, y)) > 52:
            continue
        shown, higher = _lines_shown(scene, space), False
        for edges in layers(tile):
            if edges in shown:
                higher = True
            elif higher:
                a, b = ((edge + rotation) % 8 for edge in edges)
                if tile_line(a, b, (x, y)).distance(point) < 9.5:
                    return True
    return False


def _supply(scene: Scene) -> Markup:
    """The stack: its top tile, a few below it, how many there are."""
    x, y = SUPPLY
    parts = [tag('path', d=polygon(octagon(47.5, SUPPLY)), fill='url(#octiles-well-fill)', stroke='#170b04', stroke_width=1.2),
             tag('g', _bevel(47.5, 4, sunk=True, lit=.28, shaded=.7), transform=translate(x, y))]
    n = len(scene.stack)
    for i in range(min(LAYERS, n - 1), 0, -1):
        parts.append(tag('path', d=polygon(octagon(SUPPLY_TILE, (x + .5 * i, y - 3 + 2.5 * i))),
                         fill='#a87a42' if i % 2 else '#b98a50', stroke='#4a2b0d'))
    if n:
        top = scene.stack[0]
        face = Markup(_wood(top, 0) + use(f'octiles-lines-{top + 1}')) if top >= 0 else Markup(
            use('octiles-face-1') + use('octiles-rim')
            + words('?', y=13, font_size=38, font_weight=600, text_anchor='middle', fill=var('path-edge'), fill_opacity=.55))
        parts.append(tag('g', tag('g', face, transform=translate(x, y - 3, scale=SUPPLY_TILE / TILE)), id='stack-top'))
        half = 14 if n < 10 else 18
        pill = tag('rect', x=-half, y=-10.5, width=2 * half, height=21, rx=10.5, fill='#1a0d05', stroke='#e9cf9d', stroke_width=1.4)
        count = words(f'×{n}', y=4.4, font_size=12.5, font_weight=700, text_anchor='middle', fill='#ffeac2')
        parts.append(tag('g', pill, count, transform=translate(x + 45 - half, y - 38)))
    return _choosable(scene, 'stack', 'stack', False, *parts)


def _ellipse(post: int, radius: float, core: str, case: str, width: float, dotted: bool = False) -> Markup:
    """A ring on the board round a runner's foot."""
    x, y = post_point(post)
    shape: dict[str, str | float] = {'cx': x, 'cy': y + 4, 'rx': radius, 'ry': round(.62 * radius, 1), 'fill': 'none'}
    return Markup(tag('ellipse', stroke=case, stroke_opacity=.85, stroke_width=width + 2.6, **shape)
                  + tag('ellipse', stroke=core, stroke_width=width, stroke_linecap='round' if dotted else None,
                        stroke_dasharray='0 5.6' if dotted else None, **shape))


def _rings(scene: Scene) -> Markup:
    """Where the last runner came from and stands, which runners can cross the new tile, where they can end."""
    parts: list[str] = []
    start, end = scene.last_from, scene.last_to
    if start >= 0 and start not in scene.runners:
        data = (polygon(diamond(STOP + 2.4 / math.sqrt(2), post_point(start))) if start < C.N_STOPS
                else ring(CIRCLE + 1, post_point(start)))
        parts.append(tag('path', d=data, fill='none', stroke=var('last-case'), stroke_opacity=.8, stroke_width=4.6))
        parts.append(tag('path', d=data, fill='none', stroke=var('last'), stroke_width=2.2, stroke_dasharray='5 3.4'))
    if end in scene.runners:
        parts.append(_ellipse(end, 16.5, var('last'), var('last-case'), 2.6))
    if scene.moves and scene.marks:
        if scene.run:
            parts.append(_ellipse(scene.run.start, 17.5, '#fff', PLAYERS[scene.colours[scene.mover]].dark, 3.6))
        else:
            for post in dict.fromkeys(start for start, _ in scene.moves):
                parts.append(_ellipse(post, 17, var('legal'), var('legal-case'), 2.4, dotted=True))
            for post in dict.fromkeys(end for _, end in scene.moves):
                data = ring(22.5, post_point(post))
                parts.append(tag('path', d=data, fill='none', stroke=var('legal-case'), stroke_opacity=.7, stroke_width=4.4))
                parts.append(tag('path', d=data, fill='none', stroke=var('legal'), stroke_width=2.3))
    return Markup('').join(parts)


def _figures(scene: Scene) -> Iterator[Markup]:
    """The runners, from the back to the front. The outer group of each has no transform of its own: the page may move it."""
    for post in sorted(scene.runners, key=lambda post: (post_point(post)[1], post)):
        x, y = post_point(post)
        figure = tag('g', tag('ellipse', cx=3.4, cy=5.4, rx=14.5, ry=5.4, fill='#120600', fill_opacity=.45),
                     use(f'octiles-runner-{scene.colours[scene.runners[post]]}'), transform=translate(x, y + 3))
        yield tag('g', figure, id=f'runner-{C.POSTS[post]}', class_='runner piece', aria_hidden='true', pointer_events='none')


def _arriving(scene: Scene) -> Markup | str:
    """The end of the run shown: a ring, and the runner as it will stand there."""
    if scene.run is None or scene.run.end < 0:
        return ''
    x, y = post_point(scene.run.end)
    colour = scene.colours[scene.mover]
    data = ring(22.5, (x, y))
    return Markup('').join((
        tag('path', d=data, fill=PLAYERS[colour].base, fill_opacity=.3, stroke=PLAYERS[colour].edge, stroke_width=6),
        tag('path', d=data, fill='none', stroke=PLAYERS[colour].base, stroke_width=3.4),
        tag('g', use(f'octiles-runner-{colour}'), transform=translate(x, y + 3), opacity=.62)
        if scene.run.end != scene.run.start else ''))


def _detents(space: int, tile: int, legal: Iterable[int], current: int = -1) -> Markup:
    """Marks at a tile's corners, off its paths: big for a rotation in which it may lie, small for one that is skipped; the handle
    stands on the current one. Rotations that give the same pattern are one."""
    n, allowed, parts = C.ROTATIONS[tile], set(legal), []
    centre = space_point(space)

    def corner(rotation: int) -> Point:
        return polar(DETENT, 22.5 + 45 * rotation, centre)

    def dots(rotations: Iterable[int], width: float, colour: str, opacity: float | None = None) -> None:
        data = ''.join(f'M{pair(*corner(rotation))}h0' for rotation in rotations)
        if data:
            parts.append(tag('path', d=data, stroke=colour, stroke_width=width, stroke_opacity=opacity))
    big = [rotation for rotation in range(8) if rotation % n in allowed and rotation != current]
    small = [rotation for rotation in range(8) if rotation % n not in allowed and rotation != current]
    dots(small, 5.4, var('legal-case'))
    dots(small, 2.6, var('ghost-line'), .7)
    dots(big, 10.4, var('legal-case'))
    dots(big, 7.4, var('legal'))
    if current >= 0:
        parts.append(use('octiles-handle', translate(*corner(current)), class_='handle'))
    return tag('g', *parts, fill='none', stroke_linecap='round')


def _turns(scene: Scene) -> Iterator[Markup]:
    """Marks of the rotations: of the tile in the mover's hand; for pages also of each marked space, hidden until wanted."""
    if scene.lifted in scene.tiles and scene.rotations and scene.marks and C.ROTATIONS[scene.hand] > 1:
        tile, rotation = scene.tiles[scene.lifted]
        yield tag('g', _detents(scene.lifted, tile, scene.rotations, rotation), id=f'turns-space-{C.SPACES[scene.lifted]}',
                  class_='turns', aria_hidden='true')
    if not scene.hidden_turns or scene.hand < 0 or C.ROTATIONS[scene.hand] == 1:
        return
    for space, rotations in (scene.placements or scene.elsewhere).items():
        yield tag('g', _detents(space, scene.hand, rotations), id=f'turns-space-{C.SPACES[space]}',
                  class_='turns hidden', aria_hidden='true', display='none')


def _post(scene: Scene, post: int) -> Markup:
    """A stop or circle as something to click, above the runners (whose own pictures take no clicks)."""
    starts = {start for start, _ in scene.moves}
    choosable = post in starts or any(end == post for _, end in scene.moves)
    x, y = post_point(post)
    ground = ring(22 if choosable else 17, (x, y))
    figure = ''
    if post in starts:
        figure = tag('path', class_='hit', d=FIGURE, fill='none', pointer_events='all', transform=translate(x, y + 3))
    extra = (_chosen(x, y), _focus(ring(25, (x, y)))) if choosable else ()
    return _choosable(scene, f'post-{C.POSTS[post]}', 'post', choosable, _hit(ground), figure, *extra)


def _chosen(x: float, y: float) -> Markup:
    """The ring round a chosen post, hidden until the page gives the post its class; open at the back, where the runner stands."""
    data = f'M{pair(x - 9, y - 5.35)}A17.5 10.9 0 1 0 {pair(x + 9, y - 5.35)}'
    lines = [tag('path', d=data, stroke=colour, stroke_width=width) for colour, width in ((var('legal-case'), 6.2), ('#fff', 3.6))]
    return tag('g', *lines, class_='chosen-ring', display='none', fill='none', stroke_linecap='round')


# ---- words -------------------------------------------------------------------------------------------------------------------

def _name(game: Game, s: State, seat: int, names: Sequence[str] = ()) -> str:
    """A player's name, or the word for their colour."""
    if seat < len(names) and names[seat]:
        return names[seat]
    return game.words(f'colour.{game.colours(int(s.players))[seat]}')


def _place_words(game: Game, view: View, post: int, runners: Mapping[int, int]) -> str:
    """A stop or circle and who stands there."""
    s, side, name = view.state, C.SIDE_OF[post], C.POSTS[post]
    seats = C.SIDE_OF_SEAT[int(s.players)]
    owner = seats.index(side) if side in seats else -1
    kind = 'stop' if side < 0 else 'circle' if owner >= 0 else 'unused'
    values: dict[str, str] = {'post': name, 'owner': _name(game, s, owner, view.names) if owner >= 0 else ''}
    if post in runners:
        return game.words(f'board.{kind}_runner', player=_name(game, s, runners[post], view.names), **values)
    if kind == 'unused' and side ^ 2 in seats:
        return game.words('board.goal', player=_name(game, s, seats.index(side ^ 2), view.names), **values)
    return game.words(f'board.{kind}', **values)


def _labels(game: Game, view: View, scene: Scene) -> dict[str, str]:
    """What every element that can be read or chosen is, in words."""
    say, found = game.words, {}
    for space, name in enumerate(C.SPACES):
        if space in scene.tiles:
            tile, rotation = scene.tiles[space]
            key = 'board.space_laid' if space == scene.lifted else 'board.space_tile'
            text = say(key, space=name, tile=tile + 1, rotation=rotation)
        else:
            text = say('board.space_empty', space=name)
        if space in scene.placements:
            n = len(scene.placements[space])
            text = say('board.lay_here', place=text, tile=scene.stack[0] + 1,
                       ways=say('board.ways.one') if n == 1 else say('board.ways.many', n=n))
        found[f'space-{name}'] = text
    starts, ends = {start for start, _ in scene.moves}, {end for _, end in scene.moves}
    for post, name in enumerate(C.POSTS):
        text = _place_words(game, view, post, scene.runners)
        if post in starts:
            text = say('board.can_cross', place=text)
        elif post in ends:
            text = say('board.can_end', place=text)
        found[f'post-{name}'] = text
    found['stack'] = _stack_words(game, view.state)
    return found


def _stack_words(game: Game, s: State) -> str:
    tiles, say = _stack(s), game.words
    if s.phase == Phase.MOVE:
        text = say('board.stack_hand', n=len(tiles)) if tiles else say('board.stack_empty')
    elif len(tiles) == 1:
        text = say('board.stack_one', tile=tiles[0] + 1)
    else:
        text = say('board.stack', n=len(tiles), tile=tiles[0] + 1)
    known = [tile + 1 for tile in tiles[max(len(tiles) - int(s.known), 0 if s.phase == Phase.MOVE else 1):] if tile >= 0]
    return say('board.known', stack=text, tiles=', '.join(map(str, known))) if known else text


def prompt(game: Game, view: View) -> Prompt:
    """What the viewer has to do now."""
    s, say = view.state, game.words
    if s.ending:
        return Prompt(_ending_words(game, s, view.names))
    seat = int(s.to_move)
    player = _name(game, s, seat, view.names)
    laid = C.SPACES[int(s.laid)] if s.laid >= 0 else ''
    tile = R.top_tile(s) + 1
    if not view.actions:
        return Prompt(say('prompt.wait_move', player=player, tile=tile, space=laid) if laid
                      else say('prompt.wait_place', player=player, tile=tile))
    if R.PASS in view.actions:
        return Prompt(say('prompt.pass', player=player, tile=tile), say('prompt.help.pass'),
                      (Button('pass', say('button.pass'), 'p'),))
    moves = _moves(view.actions)
    if len(moves) == 1:
        start, end = moves[0]
        return Prompt(say('prompt.move_loop' if start == end else 'prompt.move_one', player=player, tile=tile, space=laid,
                          start=C.POSTS[start], end=C.POSTS[end]), say('prompt.help.move_one'))
    if moves:
        return Prompt(say('prompt.move', player=player, tile=tile, space=laid), say('prompt.help.move'))
    leave = R.must_leave_home(s) and R.legal_placements(s, True, np.empty(R.MAX_LEGAL, np.int32))
    return Prompt(say('prompt.place', player=player, tile=tile), say('prompt.help.leave' if leave else 'prompt.help.place'))


def _ending_words(game: Game, s: State, names: Sequence[str]) -> str:
    """How a finished game ended, as a sentence."""
    player = _name(game, s, int(s.winner), names) if s.winner >= 0 else ''
    return game.words(f'ending.{game.endings[int(s.ending) - 1]}', player=player)


def panels(game: Game, view: View) -> tuple[Panel, ...]:
    """One panel a seat: its colour, where its runners go, how many have arrived, are under way, still wait."""
    s, say, found = view.state, game.words, []
    for seat in range(int(s.players)):
        side, n = _side(s, seat), int(s.n_runners)
        home = _home(s, seat)
        waiting = sum(C.SIDE_OF[int(post)] == side for post in s.runner[seat] if post >= 0)
        found.append(Panel(
            seat, colours_of(game, view)[seat],
            say('panel.side', start=say(f'side.{C.SIDES[side]}'), goal=say(f'side.{C.SIDES[side ^ 2]}')),
            (PanelRow(say('panel.home'), say('panel.home_value', home=home, of=n)),
             PanelRow(say('panel.under_way'), str(n - home - waiting)), PanelRow(say('panel.waiting'), str(waiting))),
            pips=(home, n)))
    return tuple(found)


# ---- the board as text -------------------------------------------------------------------------------------------------------

CELL = 13                   # characters from one column of spaces to the next


class Cell(NamedTuple):
    """A piece of the board written as text: its row and column of characters, and the seat whose runner it names (-1: none)."""
    row: int
    column: int
    text: str
    seat: int


def letter(game: Game, view: View, seat: int) -> str:
    """The letter that stands for a seat's runners."""
    return game.words(f'colour.{colours_of(game, view)[seat]}')[0]


def cells(game: Game, view: View) -> list[Cell]:
    """The board in characters, from the top left on: `[a2 17:7]` a space with tile and rotation, `<C4>` a stop, `(A1)` a circle,
    the last two with the letter of the runner standing there."""
    s, found = view.state, []
    tiles, runners = _tiles(s), _runners(s)

    def add(x: float, y: float, text: str, seat: int = -1) -> None:
        found.append(Cell(round((3 - y) * 2), round((x + 2.8) * CELL) + 4 - len(text) // 2, text, seat))
    for space, name in enumerate(C.SPACES):
        inner = f'{tiles[space][0] + 1}:{tiles[space][1]}' if space in tiles else ''
        add(*C.SPACE_XY[name], f'[{name} {inner:<4}]')
    for post, name in enumerate(C.POSTS):
        x, y = C.POST_XY[name]
        left, right = '<>' if post < C.N_STOPS else '()'
        seat = runners.get(post, -1)
        inner = f'{name} {letter(game, view, seat)}' if seat >= 0 else name
        add(x, round(y * 2) / 2, f'{left}{inner}{right}', seat)
    return sorted(found)


def text(game: Game, view: View) -> str:
    """The position in characters and sentences."""
    s, say, rows = view.state, game.words, [''] * 13
    for cell in cells(game, view):
        rows[cell.row] = rows[cell.row].ljust(cell.column) + cell.text
    sentences = []
    if s.ending:
        sentences.append(_ending_words(game, s, view.names))
    else:
        seat = int(s.to_move)
        sentences.append(say('text.to_move', player=_name(game, s, seat, view.names), letter=letter(game, view, seat)))
    if s.laid >= 0:
        sentences.append(say('text.laid', tile=R.top_tile(s) + 1, space=C.SPACES[int(s.laid)], rotation=int(s.rot[s.laid])))
        if s.covered >= 0:
            sentences.append(say('text.covered', tile=int(s.covered) + 1))
    sentences.append(_stack_words(game, s) + '.')
    for seat in range(int(s.players)):
        side = _side(s, seat)
        sentences.append(say('text.side', player=_name(game, s, seat, view.names), letter=letter(game, view, seat),
                             start=say(f'side.{C.SIDES[side]}'), goal=say(f'side.{C.SIDES[side ^ 2]}'), home=_home(s, seat),
                             of=int(s.n_runners)))
    board = '\n'.join(row.rstrip() for row in rows)
    return f'{board}\n\n{say("text.legend")}\n' + '\n'.join(sentences)


# ---- what to click -----------------------------------------------------------------------------------------------------------

def targets(game: Game, s: State, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
    """What to click, in order, for a legal action: a space (its rotations are variants); a runner and where it ends; the button."""
    if action == R.PASS:
        return (Target('do:pass'),)
    if action < R.FIRST_MOVE:
        space, rotation = action >> 3, action & 7
        ghost = Ghost(symbol=f'octiles-tile-{R.top_tile(s) + 1}', transform=translate(*space_point(space), turn=45 * rotation))
        return (Target(f'el:space-{C.SPACES[space]}', ghost),)
    start, end = divmod(action - R.FIRST_MOVE, C.N_POSTS)
    run = run_of_move(_tiles(s), int(s.laid), start, end)
    x, y = post_point(end)
    colour = (colours or game.colours(int(s.players)))[int(s.to_move)]
    ghost = Ghost(symbol=f'octiles-runner-{colour}', transform=translate(x, y + 3), path=path(run.curves()) if run else '')
    return Target(f'el:post-{C.POSTS[start]}'), Target(f'el:post-{C.POSTS[end]}', ghost)


def why_not(game: Game, view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now."""
    s, say = view.state, game.words
    if s.ending:
        return say('why.over')
    player, tile = _name(game, s, int(s.to_move), view.names), R.top_tile(s) + 1
    if not view.actions:
        return say('why.watching' if view.seat < 0 else 'why.not_your_turn', player=player)
    if R.PASS in view.actions:
        return say('why.must_pass', tile=tile)
    kind, _, name = targets[0].partition(':')[2].partition('-') if targets else ('', '', '')
    kind = {'tile': 'space', 'runner': 'post'}.get(kind, kind)      # what lies there stands for its place
    if kind == 'pass':
        return say('why.no_pass', tile=tile)
    if kind == 'stack':
        return say('why.stack_tile' if s.phase == Phase.PLACE else 'why.stack_runner', tile=tile)
    if kind == 'space' and name in C.SPACES:
        if s.phase == Phase.MOVE:
            return say('why.laid_already', space=C.SPACES[int(s.laid)])
        space = C.SPACES.index(name)
        return say('why.may_lay', tile=tile, space=name) if space in _placements(view.actions) else _why_not_space(game, s, space)
    if kind == 'post' and name in C.POSTS:
        if s.phase == Phase.PLACE:
            return say('why.first_tile', tile=tile)
        post = C.POSTS.index(name)
        ends = [end for start, end in _moves(view.actions) if start == post]
        if ends:
            return say('why.only_ends', post=name, ends=_either(game, [C.POSTS[end] for end in ends]))
        return _why_not_runner(game, view, post)
    return say('why.unknown')


def _either(game: Game, names: Sequence[str]) -> str:
    """'A', 'A or B', 'A, B or C'."""
    return game.words('why.or').join([', '.join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _obstacle(s: State, run: Run, runners: Mapping[int, int]) -> str:
    """What keeps a runner of the seat to move from this run: 'gap', 'occupied', 'circle', or '' for nothing."""
    if run.end < 0:
        return 'gap'
    if C.SIDE_OF[run.end] not in (-1, _side(s, int(s.to_move)) ^ 2):
        return 'circle'
    own_loop = run.end == run.start and run.end < C.N_STOPS
    return 'occupied' if run.end in runners and not own_loop else ''


def _movable(s: State) -> list[int]:
    """Posts of the runners of the seat to move that have not reached their goal."""
    seat = int(s.to_move)
    return [int(post) for post in s.runner[seat] if post >= 0 and C.SIDE_OF[int(post)] != _side(s, seat) ^ 2]


def _why_not_space(game: Game, s: State, space: int) -> str:
    tile, runners, found = R.top_tile(s), _runners(s), []
    for rotation in range(C.ROTATIONS[tile]):
        tiles = {**_tiles(s), space: (tile, rotation)}
        found += [_obstacle(s, run, runners) for post in _movable(s) for run in runs(tiles, post) if run.crosses(space)]
    values = {'tile': tile + 1, 'space': C.SPACES[space]}
    if not found:
        return game.words('why.unreached', **values)
    if '' in found:
        return game.words('why.leave_home_place', **values)
    reasons = [game.words(f'why.reason.{kind}') for kind in ('gap', 'occupied', 'circle') if kind in found]
    return game.words('why.no_rotation', reasons=_either(game, reasons), **values)


def _why_not_runner(game: Game, view: View, post: int) -> str:
    s, say, name = view.state, game.words, C.POSTS[post]
    runners, laid = _runners(s), int(s.laid)
    if post not in runners:
        return say('why.no_runner', post=name)
    if runners[post] != s.to_move:
        return say('why.others_runner', post=name, player=_name(game, s, runners[post], view.names))
    if post not in _movable(s):
        return say('why.stays_home', post=name)
    across = [run for run in runs(_tiles(s), post) if run.crosses(laid)]
    found = {_obstacle(s, run, runners): run for run in across}
    if not found:
        return say('why.not_across', post=name, space=C.SPACES[laid])
    if '' in found:
        return say('why.leave_home_move')
    if 'occupied' in found:
        return say('why.ends_occupied', post=name, end=C.POSTS[found['occupied'].end])
    if 'circle' in found:
        return say('why.ends_circle', post=name, end=C.POSTS[found['circle'].end])
    return say('why.runs_into', post=name, space=C.SPACES[found['gap'].gap])


# ---- what happened -----------------------------------------------------------------------------------------------------------

def events(game: Game, before: State, action: int, after: State) -> tuple[Event, ...]:      # noqa: ARG001 (the contract's)
    """What an action did. Kinds: lay, cover (space, tile, rotation, covered tile), run, loop (start, end, and the way), home (how
    many of how many), next (the tile now on top), pass, then win, blocked or repetition."""
    seat = int(before.to_move)
    found: list[Event] = []
    if action == R.PASS:
        found.append(Event('pass', seat, {'tile': R.top_tile(before) + 1}))
    elif action < R.FIRST_MOVE:
        space, rotation = action >> 3, action & 7
        name, covered = C.SPACES[space], int(before.tile[space])
        values: dict[str, str | int] = {'space': name, 'tile': R.top_tile(before) + 1, 'rotation': rotation}
        if covered >= 0:
            values['covered'] = covered + 1
        found.append(Event('lay' if covered < 0 else 'cover', seat, values, (f'tile-{name}',)))
    else:
        found += _run_events(before, seat, *divmod(action - R.FIRST_MOVE, C.N_POSTS), after)
        if not after.ending:
            found.append(Event('next', seat, {'tile': R.top_tile(after) + 1, 'left': int(after.stack_size)}, ('stack-top',)))
    if after.ending == Ending.HOME:
        found.append(Event('win', int(after.winner), {'of': int(after.n_runners)}))
    elif after.ending:
        found.append(Event('blocked' if after.ending == Ending.BLOCKED else 'repetition', seat))
    return tuple(found)


def _run_events(before: State, seat: int, start: int, end: int, after: State) -> Iterator[Event]:
    run = run_of_move(_tiles(before), int(before.laid), start, end)
    way: list[Point] = []
    if run is not None:
        curves = run.curves()
        way = [curves[0].start, *(point for point, _ in sample(curves, WAY_STEP, WAY_STEP)), curves[-1].end]
    names = C.POSTS[start], C.POSTS[end]
    yield Event('loop' if start == end else 'run', seat, {'start': names[0], 'end': names[1]},
                (f'post-{names[0]}', f'post-{names[1]}', f'runner-{names[1]}'),
                tuple((round(x, 1), round(y, 1)) for x, y in way), f'runner-{names[1]}' if way else '')
    if C.SIDE_OF[end] == _side(before, seat) ^ 2:
        yield Event('home', seat, {'end': names[1], 'home': _home(after, seat), 'of': int(after.n_runners)})


# ---- pictures of the game ----------------------------------------------------------------------------------------------------

# A moment of a game with four players: tiles, runners (by seat), and a run about to be made.
MOMENT_TILES = {'a3': (1, 7), 'b5': (2, 0), 'e4': (18, 5), 'd1': (15, 4), 'b3': (10, 7), 'c1': (7, 5), 'a2': (3, 5), 'c4': (17, 3),
                'd4': (11, 5), 'b2': (9, 7), 'c3': (14, 1), 'd3': (16, 7), 'c5': (13, 6), 'b4': (4, 2)}
MOMENT_RUNNERS = (('B4', 'E2', 'F6', 'D4'), ('D6', 'B5', 'F1', 'D5'), ('F3', 'F2', 'A4', 'C5'), ('B2', 'C2', 'E5', 'C3'))
MOMENT_RUN = ('b4', 'B4', 'E4')
CROP = (-190., -247., 380., 356.25)


def _moment() -> Scene:
    tiles = {C.SPACES.index(name): (number - 1, rotation) for name, (number, rotation) in MOMENT_TILES.items()}
    space, start, end = MOMENT_RUN
    scene = Scene(tiles, {C.POSTS.index(post): seat for seat, posts in enumerate(MOMENT_RUNNERS) for post in posts},
                  tuple(C.COLOURS[side] for side in C.SIDES), mover=0, sides={k: C.COLOURS[side] for k, side in enumerate(C.SIDES)},
                  coordinates=False, marks=False)
    scene.run = run_of_move(tiles, C.SPACES.index(space), C.POSTS.index(start), C.POSTS.index(end))
    return scene


@cache
def emblem(game: Game, theme: Theme = 'light', size: int = 640) -> str:
    """A detail of the board as the game's picture, 320 x 300; standing alone unless the theme is 'page'."""
    drawing = _picture(_moment(), game.title, CROP)
    return str(drawing) if theme == 'page' else standalone(drawing, theme, size, symbol_set())


@cache
def badge(game: Game, size: int = 44) -> str:
    """The game's icon for lists: a tile on walnut, standing alone."""
    lines = ''.join(tag('path', d=path([tile_line(*edges)]), stroke=colour, stroke_width=width)
                    for edges in ((0, 3), (6, 2)) for colour, width in (('#3a1f0c', 18), ('#fff3d4', 10)))
    body = Markup('').join((
        tag('rect', x=-70, y=-70, width=140, height=140, rx=26, fill='#5a351b'),
        tag('path', d=polygon(octagon(50)), fill='#e9c48a'), tag('g', Markup(lines), fill='none'),
        tag('path', d=polygon(octagon(50)), fill='none', stroke='#3a1f0c', stroke_width=5)))
    return standalone(tag('svg', body, viewBox='-70 -70 140 140', role='img', aria_label=game.title), 'light', size)
