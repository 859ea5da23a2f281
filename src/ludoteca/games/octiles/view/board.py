"""The drawing, layer by layer, and the pictures of the game.

Ids in a drawing: `space-a2` (the octagon, which a click may choose), `tile-a2` (the tile lying there),
`post-A1` (a stop or circle, which a click may choose), `runner-A1` (the runner standing there), `stack` and
its `stack-top`, `turns-space-a2` (marks of the rotations). `tile-` and `runner-` groups and `stack-top` carry
no transform of their own: a page may move them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

from markupsafe import Markup

from ludoteca.drawing.boards import board_svg, focus_ring
from ludoteca.drawing.cards import sheet_svg
from ludoteca.drawing.geometry import (
    Point,
    along,
    compass,
    diamond,
    octagon,
    path,
    polar,
    polygon,
    ring,
    sample,
)
from ludoteca.drawing.palette import PLAYERS, player_var, var
from ludoteca.drawing.svg import (
    Symbols,
    joined,
    pair,
    picture,
    quiet,
    standalone,
    tag,
    translate,
    use,
    words,
)
from ludoteca.game import Event, Game, Theme, View
from ludoteca.text.players import listed

from .. import components as C
from .. import rules as R
from ..rules import Phase, State
from .facts import (
    Run,
    colours_of,
    first_turn,
    legal,
    lines_words,
    moves_of,
    placements_of,
    player_word,
    run_of_move,
    runners_of,
    say,
    side_of,
    stack_of,
    stack_words,
    tiles_of,
    whole_turns,
)
from .symbols import (
    CIRCLE,
    DETENT,
    FIGURE,
    LIFT,
    RUN_CASE,
    RUN_CORE,
    SHADOW,
    STOP,
    TILE,
    bevel,
    layers,
    link,
    post_point,
    space_point,
    symbol_set,
    tile_line,
    tile_lines,
    turning,
    wood,
)

VIEW = (-316.0, -321.0, 632.0, 632.0)  # a little more above, for the heads of the runners there
# circles whose names stand on the other side, free of neighbours' heads
FLIPPED = ('A5', 'B1', 'B6', 'C1', 'C6', 'F5', 'F6')
# by the side of the goal: the middle of its sign, in a corner without posts, and where its arrow points
SIGNPOSTS = {0: (-258.0, 244.0, -90), 1: (-252.0, -270.0, 0), 2: (240.0, -270.0, 90), 3: (-144.0, 272.0, 0)}
SUPPLY, SUPPLY_TILE = (246.0, 246.0), 39.0
DRAWN_BELOW = 4  # tiles of the stack drawn below the top one, at most
CHEVRONS = 22.0  # distance of two chevrons on a run
KEPT = 1 << 12  # parts of pictures that are kept: most of them are as they were in the turn before


# ---- from a view to a scene --------------------------------------------------------------------------------


class Last(NamedTuple):
    """What a seat did lately: a tile on a space, or a runner from a post to another one (-1: none)."""

    seat: int
    space: int = -1
    start: int = -1
    end: int = -1


@dataclass
class Scene:
    """What a picture shows."""

    tiles: dict[int, tuple[int, int]]
    runners: dict[int, int]  # post -> seat
    colours: tuple[str, ...]  # of the seats
    mover: int = -1  # seat to move, -1 if the game is over
    stack: list[int] = field(default_factory=list)  # tiles, top first, -1 if unknown
    lifted: int = -1  # space of the tile laid in this turn
    rotations: list[int] = field(default_factory=list)  # in which it could lie
    placements: dict[int, list[int]] = field(default_factory=dict)  # the viewer's: space -> rotations
    moves: list[tuple[int, int]] = field(default_factory=list)  # the viewer's: from, to
    # the viewer's own runners that can run after the tile is laid, each with the posts where it can end
    reach: dict[int, list[int]] = field(default_factory=dict)
    first: int = -1  # the side of the viewer, who makes its first turn
    elsewhere: dict[int, list[int]] = field(
        default_factory=dict
    )  # where the tile just laid could lie instead
    hand: int = -1  # the tile to lay, or just laid
    run: Run | None = None  # shown in the mover's colour
    goals: list[int] = field(default_factory=list)  # open goal circles of the mover
    sides: dict[int, str] = field(default_factory=dict)  # side -> colour, of the sides in use
    last: tuple[Last, ...] = ()
    coordinates: bool = True
    marks: bool = True
    hidden_turns: bool = False  # keep marks of rotations for the page to show
    labels: dict[str, str] = field(default_factory=dict)  # element id -> what it is, in words


def _last(events: Iterable[Event]) -> Iterator[Last]:
    """What the last turns did: a tile, or a runner's way."""
    for event in events:
        if event.kind in ('lay', 'cover'):
            yield Last(event.seat, space=C.SPACES.index(str(event.values['space'])))
        elif event.kind in ('run', 'loop'):
            start, end = (C.POSTS.index(str(event.values[key])) for key in ('start', 'end'))
            yield Last(event.seat, start=start, end=end)


def _circles(side: int) -> range:
    """The home circles of a side."""
    return range(C.N_STOPS + 5 * side, C.N_STOPS + 5 * side + 5)


def _before_laying(s: State) -> State:
    """The position before the tile of this turn was laid."""
    earlier = s.copy()
    R.place_tile(earlier, int(s.laid), int(s.covered), int(s.covered_rot))
    earlier.laid, earlier.covered, earlier.covered_rot, earlier.phase = -1, -1, 0, int(Phase.PLACE)
    return earlier


def _scene(view: View, page: bool) -> Scene:
    """The contents of the picture of a view; a page also gets marks that it shows later."""
    s = view.state
    tiles, runners, colours = tiles_of(s), runners_of(s), colours_of(view)
    mover = -1 if s.ending else int(s.to_move)
    moves = moves_of(view.actions)
    scene = Scene(
        tiles,
        runners,
        colours,
        mover,
        stack_of(s),
        int(s.laid),
        [],
        placements_of(view.actions),
        moves,
        sides={side_of(s, seat): colour for seat, colour in enumerate(colours)},
        coordinates=view.settings.coordinates,
        marks=view.settings.marks,
        hidden_turns=page,
    )
    scene.last = tuple(_last(view.last))
    scene.hand = (
        scene.tiles[scene.lifted][0] if scene.lifted in scene.tiles else scene.stack[0] if scene.stack else -1
    )
    if mover >= 0:
        scene.goals = [post for post in _circles(side_of(s, mover) ^ 2) if post not in runners]
    if scene.placements:
        ends = {move for _, moves in whole_turns(s) for move in moves}
        for start, end in sorted(ends):
            scene.reach.setdefault(start, []).append(end)
        if first_turn(s):
            scene.first = side_of(s, mover)
    if scene.lifted >= 0 and moves:
        scene.elsewhere = placements_of(legal(_before_laying(s)))
        scene.rotations = scene.elsewhere.pop(scene.lifted, [])
        if len(moves) == 1:
            scene.run = run_of_move(tiles, scene.lifted, *moves[0])
    scene.labels = _labels(view, scene)
    return scene


@lru_cache(maxsize=KEPT)
def _place_words(post: int, runner: int, players: tuple[str, ...]) -> str:
    """A stop or circle and who stands there: the seat of the `runner`, -1 for none. `players`: their
    words."""
    side, seats = C.SIDE_OF[post], C.SIDE_OF_SEAT[len(players)]
    owner = seats.index(side) if side in seats else -1
    kind, player = 'stop' if side < 0 else 'circle' if owner >= 0 else 'unused', runner
    if runner >= 0:
        kind = f'{kind}_runner'
    elif kind == 'unused' and side ^ 2 in seats:
        kind, player = 'goal', seats.index(side ^ 2)
    own, there = (players[seat] if seat >= 0 else '' for seat in (owner, player))
    return say(f'board.{kind}', post=C.POSTS[post], owner=own, player=there)


def labels(view: View) -> dict[str, str]:
    """The words for every element that can be read or chosen, by its id."""
    return _scene(view, page=False).labels


def _labels(view: View, scene: Scene) -> dict[str, str]:
    """The same, of what a picture shows."""
    found = {}
    for space, name in enumerate(C.SPACES):
        ways = len(scene.placements.get(space, ()))
        found[f'space-{name}'] = _space_words(name, scene.tiles.get(space), space == scene.lifted, ways)
    starts, ends = {start for start, _ in scene.moves}, {end for _, end in scene.moves}
    players = tuple(player_word(view.state, seat, view.names) for seat in range(int(view.state.players)))
    for post, name in enumerate(C.POSTS):
        text = _place_words(post, scene.runners.get(post, -1), players)
        if post in starts:
            text = say('board.can_cross', place=text)
        elif post in ends:
            text = say('board.can_end', place=text)
        elif post in scene.reach:
            reached = listed([C.POSTS[end] for end in scene.reach[post]])
            text = say('board.can_reach', place=text, ends=reached)
        found[f'post-{name}'] = text
    found['stack'] = stack_words(view.state)
    return found


@lru_cache(maxsize=KEPT)
def _space_words(name: str, laid: tuple[int, int] | None, lifted: bool, ways: int) -> str:
    """A space and what lies there, a tile and its rotation; in how many `ways` a tile can be laid there."""
    if laid:
        key = 'board.space_laid' if lifted else 'board.space_tile'
        text = say(key, space=name, lines=lines_words(*laid))
    else:
        text = say('board.space_empty', space=name)
    if not ways:
        return text
    return say('board.lay_here', place=text, ways=say.counted('board.ways', ways))


# ---- the picture -------------------------------------------------------------------------------------------


def draw(view: View, theme: Theme = 'light') -> str:
    """The position as SVG. Theme 'page': part of a page that holds `symbols`; other themes: a picture
    that stands alone."""
    drawing = _picture(_scene(view, theme == 'page'), say('board.label'))
    return picture(drawing, theme, symbols=symbol_set(), background=var('felt-2'))


def symbols() -> Symbols:
    """What drawings for pages refer to."""
    return symbol_set()


def _picture(scene: Scene, label: str, box: tuple[float, ...] = VIEW) -> Markup:
    """The drawing, layer by layer from the bottom."""
    lifted = scene.lifted if scene.lifted in scene.tiles else -1
    spaces = [_space(scene, space) for space in range(C.N_SPACES) if space != lifted]
    layers_of_board = [
        quiet(use('octiles-slab'), _shadows(scene, lifted), use('octiles-links')),
        *spaces,
        quiet(_last_tile(scene), _stops_and_circles(scene)),
        _lifted(scene, lifted) if lifted >= 0 else '',
        quiet(_run_over_board(scene)),
        _supply(scene),
        quiet(_rings(scene)),
        quiet(_direction(scene)),
        *_figures(scene),
        quiet(_arriving(scene)),
        *_posts(scene),
        *_turns(scene),
    ]
    return board_svg(box, label, *layers_of_board)


def _shadows(scene: Scene, lifted: int) -> Markup | str:
    data = ''.join(_shadow(space) for space in scene.tiles if space != lifted)
    return tag('path', d=data, fill=SHADOW, fill_opacity=0.62, filter='url(#octiles-soft)') if data else ''


@cache
def _shadow(space: int) -> str:
    return polygon(octagon(TILE + 0.6, along(space_point(space), (1.6, 4), 1)))


def _lines_shown(scene: Scene, space: int) -> dict[tuple[int, int], str]:
    """The lines of a space's tile (as in rotation 0) that belong to the run shown, with its colour."""
    if scene.run is None or space not in scene.tiles:
        return {}
    tile, rotation = scene.tiles[space]
    crossed = {
        frozenset(((a - rotation) % 8, (b - rotation) % 8)) for at, a, b in scene.run.lines if at == space
    }
    return {edges: scene.colours[scene.mover] for edges in C.PAIRS[tile] if frozenset(edges) in crossed}


Shown = tuple[tuple[tuple[int, int], str], ...]
"""Lines of a tile (as in rotation 0) that belong to the run shown, each with its colour."""


def _tile(tile: int, rotation: int, shown: Shown, mark: str = '') -> Markup:
    """A tile round the origin: its wood, a mark painted on the wood, its lines."""
    lines = (
        tag('g', tile_lines(tile, dict(shown)), transform=turning(rotation), fill='none')
        if shown
        else use(f'octiles-lines-{tile + 1}', turning(rotation))
    )
    return Markup(wood(tile, rotation) + mark + lines)


def _choosable(scene: Scene, name: str, kind: str, choosable: bool, *children: str) -> Markup:
    """A group that a click may choose, or that is only there to be read."""
    return _group(name, kind, choosable, scene.labels.get(name, name), *children)


def _group(name: str, kind: str, choosable: bool, label: str, *children: str) -> Markup:
    return tag(
        'g',
        *children,
        id=name,
        class_=f'{kind} target' if choosable else kind,
        role='button' if choosable else 'img',
        tabindex='0' if choosable else None,
        aria_label=label,
    )


def _hit(data: str) -> Markup:
    return tag('path', class_='hit', d=data, fill='none', pointer_events='all')


def _space(scene: Scene, space: int) -> Markup:
    name, legal, elsewhere = C.SPACES[space], space in scene.placements, space in scene.elsewhere
    laid, shown = scene.tiles.get(space), tuple(_lines_shown(scene, space).items())
    label = scene.labels.get(f'space-{name}', f'space-{name}')
    return _whole_space(space, laid, shown, legal, elsewhere, scene.marks, scene.coordinates, label)


def _place(space: int) -> str:
    return translate(*space_point(space))


@cache
def _space_hit(space: int) -> Markup:
    return _hit(polygon(octagon(TILE, space_point(space))))


@cache
def _space_focus(space: int) -> Markup:
    return tag('g', focus_ring('path', d=polygon(octagon(TILE - 2))), transform=_place(space))


@lru_cache(maxsize=KEPT)
def _whole_space(
    space: int,
    laid: tuple[int, int] | None,
    shown: Shown,
    legal: bool,
    elsewhere: bool,
    marks: bool,
    coordinates: bool,
    label: str,
) -> Markup:
    inner = _at_rest(space, laid, shown, legal, elsewhere, marks, coordinates)
    focus = _space_focus(space) if legal or elsewhere else ''
    return _group(f'space-{C.SPACES[space]}', 'space', legal, label, inner, _space_hit(space), focus)


def _at_rest(
    space: int,
    laid: tuple[int, int] | None,
    shown: Shown,
    legal: bool,
    elsewhere: bool,
    marks: bool,
    coordinates: bool,
) -> Markup:
    """What lies in a space, with its mark. `laid`: the tile and its rotation."""
    name, mark = C.SPACES[space], Markup()
    if marks and (legal or elsewhere):
        # fainter once the tile lies somewhere: it may still be laid here instead
        opacity = 0.45 if not legal else None if laid else 0.78
        mark = use('octiles-legal', class_='mark', opacity=opacity)
    if laid:
        tile = tag('g', _tile(*laid, shown, mark), transform=_place(space))
        return tag('g', tile, id=f'tile-{name}', class_='tile')
    written = (
        words(
            name,
            class_='coordinate',
            y=4.5,
            font_size=13,
            font_weight=600,
            text_anchor='middle',
            fill='#cfe3db',
            fill_opacity=0.5,
        )
        if coordinates
        else ''
    )
    return tag('g', use('octiles-well'), mark, written, transform=_place(space))


def _lifted(scene: Scene, space: int) -> Markup:
    """The tile laid in this turn: still in the mover's hand."""
    x, y = space_point(space)
    under = Markup(
        tag(
            'path',
            d=polygon(octagon(TILE + 1, (x + 5, y + 11))),
            fill='#0a0400',
            fill_opacity=0.6,
            filter='url(#octiles-soft)',
        )
        + tag(
            'path',
            d=polygon(octagon(TILE + 3, (x, y))),
            fill='none',
            stroke=var('legal'),
            stroke_opacity=0.75,
            stroke_width=6,
            filter='url(#octiles-soft)',
        )
    )
    wood_and_lines = _tile(*scene.tiles[space], tuple(_lines_shown(scene, space).items()))
    tile = tag('g', wood_and_lines, use('octiles-lifted'), transform=translate(x, y, scale=LIFT))
    group = tag('g', under, tile, id=f'tile-{C.SPACES[space]}', class_='tile lifted')
    return _choosable(
        scene, f'space-{C.SPACES[space]}', 'space', False, group, _hit(polygon(octagon(TILE, (x, y))))
    )


def _last_tile(scene: Scene) -> Markup | str:
    parts = []
    for last in scene.last:
        if last.space >= 0 and last.space != scene.lifted and last.space in scene.tiles:
            core = tag(
                'path',
                d=polygon(octagon(TILE - 1.2)),
                fill='none',
                stroke=player_var(scene.colours[last.seat], 'c'),
                stroke_width=1.8,
            )
            mark = use('octiles-last')
            parts.append(tag('g', mark, core, transform=translate(*space_point(last.space))))
    return joined(parts)


def _stops_and_circles(scene: Scene) -> Markup:
    parts = [_empty_posts(tuple(sorted(scene.sides.items())))]
    covered = {*scene.runners, *([scene.run.end] if scene.run else [])}
    if scene.coordinates:
        parts += [_stop_name(post) for post in range(C.N_STOPS) if post not in covered]
        parts.append(_circle_names())
    if scene.marks and scene.mover >= 0:
        parts += [_goal(post, scene.colours[scene.mover]) for post in scene.goals]
    return joined(parts)


@lru_cache(maxsize=KEPT)
def _empty_posts(sides: tuple[tuple[int, str], ...]) -> Markup:
    """All stops, and all circles in the colours of their sides."""
    colours = dict(sides)
    stops = [use('octiles-stop', translate(*post_point(post))) for post in range(C.N_STOPS)]
    circles = [
        use(f'octiles-circle-{colours.get(C.SIDE_OF[post], "quiet")}', translate(*post_point(post)))
        for post in range(C.N_STOPS, C.N_POSTS)
    ]
    return joined(stops + circles)


@cache
def _goal(post: int, colour: str) -> Markup:
    """The ring round a circle that a runner of this colour is to reach."""
    data = ring(CIRCLE + 3.4, post_point(post))
    return joined(
        (
            tag('path', d=data, fill='none', stroke='#0d0603', stroke_opacity=0.55, stroke_width=4),
            tag('path', d=data, fill='none', stroke=PLAYERS[colour].light, stroke_width=1.9),
        )
    )


@cache
def _stop_name(post: int) -> Markup:
    return _post_name(post, post_point(post), '#6b4b23')


@cache
def _circle_names() -> Markup:
    return joined(_circle_name(post) for post in range(C.N_STOPS, C.N_POSTS))


def _circle_name(post: int) -> Markup:
    """A circle's name beside it, on the wood, off its path."""
    outward = compass(C.EXITS[post][0] % 8)
    # so that no runner hides it
    turn = 1.75 if (C.SIDE_OF[post] in (2, 3)) != (C.POSTS[post] in FLIPPED) else -1.75
    aside = (
        outward[0] * math.cos(turn) - outward[1] * math.sin(turn),
        outward[0] * math.sin(turn) + outward[1] * math.cos(turn),
    )
    return _post_name(post, along(post_point(post), aside, CIRCLE + 12), '#f0d9ae', 0.7)


def _post_name(post: int, middle: Point, colour: str, opacity: float | None = None) -> Markup:
    return words(
        C.POSTS[post],
        class_='coordinate',
        x=middle[0],
        y=middle[1] + 3.8,
        font_size=10.8,
        font_weight=650,
        text_anchor='middle',
        fill=colour,
        fill_opacity=opacity,
    )


def _run_over_board(scene: Scene) -> Markup | str:
    """The parts of the run that lie on the board, between tiles, and the chevrons along it."""
    if scene.run is None:
        return ''
    run, colour = scene.run, scene.colours[scene.mover]
    space, edge, _ = run.lines[0]
    ports = dict.fromkeys([8 * space + edge, *(8 * at + out for at, _, out in run.lines)])
    # the core reaches a little further than its edge: no seam where it goes on in a tile
    parts = [
        tag(
            'g',
            tag('path', d=''.join(map(link, ports)), stroke=PLAYERS[colour].edge, stroke_width=RUN_CASE),
            tag(
                'path',
                d=''.join(link(port, 5) for port in ports),
                stroke=PLAYERS[colour].base,
                stroke_width=RUN_CORE,
            ),
            fill='none',
        )
    ]
    curves = run.curves()
    start, end = post_point(run.start), post_point(run.end)
    chevrons = []
    for point, direction in sample(curves, CHEVRONS, CHEVRONS):
        if math.dist(point, start) > 20 and math.dist(point, end) > 24 and not _bridged(scene, point):
            turn = math.degrees(math.atan2(direction[1], direction[0]))
            chevrons.append(tag('path', d='M-2.2 -2.8L1.4 0L-2.2 2.8', transform=translate(*point, turn)))
    parts.append(
        tag(
            'g',
            *chevrons,
            fill='none',
            stroke=PLAYERS[colour].edge,
            stroke_width=2.1,
            stroke_linecap='round',
            stroke_linejoin='round',
        )
    )
    return joined(parts)


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
    top = scene.stack[0] if scene.stack else -1
    return _choosable(scene, 'stack', 'stack', False, _stack(len(scene.stack), top))


@lru_cache(maxsize=KEPT)
def _stack(n: int, top: int) -> Markup:
    x, y = SUPPLY
    parts = [
        tag(
            'path',
            d=polygon(octagon(47.5, SUPPLY)),
            fill='url(#octiles-well-fill)',
            stroke='#170b04',
            stroke_width=1.2,
        ),
        tag('g', bevel(47.5, 4, sunk=True, lit=0.28, shaded=0.7), transform=translate(x, y)),
    ]
    for i in range(min(DRAWN_BELOW, n - 1), 0, -1):
        parts.append(
            tag(
                'path',
                d=polygon(octagon(SUPPLY_TILE, (x + 0.5 * i, y - 3 + 2.5 * i))),
                fill='#a87a42' if i % 2 else '#b98a50',
                stroke='#4a2b0d',
            )
        )
    if n:
        face = (
            Markup(wood(top, 0) + use(f'octiles-lines-{top + 1}'))
            if top >= 0
            else Markup(
                use('octiles-face-1')
                + use('octiles-rim')
                + words(
                    '?',
                    y=13,
                    font_size=38,
                    font_weight=600,
                    text_anchor='middle',
                    fill=var('path-edge'),
                    fill_opacity=0.55,
                )
            )
        )
        parts.append(
            tag('g', tag('g', face, transform=translate(x, y - 3, scale=SUPPLY_TILE / TILE)), id='stack-top')
        )
        half = 19 if n < 10 else 24
        pill = tag(
            'rect',
            x=-half,
            y=-13.5,
            width=2 * half,
            height=27,
            rx=13.5,
            fill='#1a0d05',
            stroke='#e9cf9d',
            stroke_width=1.4,
        )
        count = words(f'×{n}', y=6.4, font_size=18, font_weight=700, text_anchor='middle', fill='#ffeac2')
        parts.append(tag('g', pill, count, transform=translate(x + 45 - half, y - 38)))
    return joined(parts)


@lru_cache(maxsize=KEPT)
def _ellipse(post: int, radius: float, core: str, case: str, width: float, dotted: bool = False) -> Markup:
    """A ring on the board round a runner's foot."""
    x, y = post_point(post)
    shape: dict[str, str | float] = {
        'cx': x,
        'cy': y + 4,
        'rx': radius,
        'ry': round(0.62 * radius, 1),
        'fill': 'none',
    }
    return Markup(
        tag('ellipse', stroke=case, stroke_opacity=0.85, stroke_width=width + 2.6, **shape)
        + tag(
            'ellipse',
            stroke=core,
            stroke_width=width,
            stroke_linecap='round' if dotted else None,
            stroke_dasharray='0 5.6' if dotted else None,
            **shape,
        )
    )


def _rings(scene: Scene) -> Markup:
    """Rings round the posts that the last runner left and reached, round runners that can cross the new tile,
    and where they can end."""
    parts: list[Markup] = []
    for last in scene.last:
        start, end = last.start, last.end
        if start >= 0 and start not in scene.runners:
            data = (
                polygon(diamond(STOP + 2.4 / math.sqrt(2), post_point(start)))
                if start < C.N_STOPS
                else ring(CIRCLE + 1, post_point(start))
            )
            ink = player_var(scene.colours[last.seat], 'c')
            parts += [
                tag('path', d=data, fill='none', stroke=var('last'), stroke_opacity=0.85, stroke_width=4.6),
                tag('path', d=data, fill='none', stroke=ink, stroke_width=2.2, stroke_dasharray='5 3.4'),
            ]
        if end in scene.runners:
            parts.append(_ellipse(end, 16.5, var('last'), var('last-case'), 2.6))
    if (scene.moves or scene.reach) and scene.marks:
        if scene.run:
            parts.append(
                _ellipse(scene.run.start, 17.5, '#fff', PLAYERS[scene.colours[scene.mover]].dark, 3.6)
            )
        else:
            for post in dict.fromkeys([*(start for start, _ in scene.moves), *scene.reach]):
                parts.append(_ellipse(post, 17, var('legal'), var('legal-case'), 2.4, dotted=True))
            parts += [_end(*post_point(post)) for post in dict.fromkeys(end for _, end in scene.moves)]
    return joined(parts)


def _direction(scene: Scene) -> Markup | str:
    """In the first turn: a signpost to the goal of the viewer's runners, on bare wood next to it."""
    if scene.first < 0 or not scene.marks:
        return ''
    x, y, turn = SIGNPOSTS[scene.first ^ 2]
    ink = PLAYERS[scene.colours[scene.mover]]
    paint: dict[str, str | float] = {'fill': '#fff8e6', 'stroke': ink.base, 'stroke_width': 3}
    edge = 36 if turn in (0, 180) else 16  # half the pill in the direction of its arrow
    data = f'M{edge - 1} -11h6v-6L{edge + 20} 0L{edge + 5} 17v-6h-6'
    arrow = tag('path', d=data, transform=translate(x, y, turn), stroke_linejoin='round', **paint)
    pill = tag('rect', x=x - 36, y=y - 16, width=72, height=32, rx=16, **paint)
    word = words(
        say('board.goal_sign'),
        x=x,
        y=y + 7,
        font_size=20,
        font_weight=700,
        text_anchor='middle',
        fill='#23170a',
    )
    return joined((arrow, pill, word))


def _figures(scene: Scene) -> Iterator[Markup]:
    """The runners, from the back to the front. The outer group of each has no transform of its own: the page
    may move it."""
    for post in sorted(scene.runners, key=lambda post: (post_point(post)[1], post)):
        yield _figure(post, scene.colours[scene.runners[post]])


@cache
def _figure(post: int, colour: str) -> Markup:
    x, y = post_point(post)
    figure = tag(
        'g',
        tag('ellipse', cx=3.4, cy=5.4, rx=14.5, ry=5.4, fill='#120600', fill_opacity=0.45),
        use(f'octiles-runner-{colour}'),
        transform=translate(x, y + 3),
    )
    return tag(
        'g',
        figure,
        id=f'runner-{C.POSTS[post]}',
        class_='runner piece',
        aria_hidden='true',
        pointer_events='none',
    )


def _arriving(scene: Scene) -> Markup | str:
    """The end of the run shown: a ring, and the runner as it will stand there."""
    if scene.run is None or scene.run.end < 0:
        return ''
    x, y = post_point(scene.run.end)
    colour = scene.colours[scene.mover]
    data = ring(22.5, (x, y))
    return joined(
        (
            tag(
                'path',
                d=data,
                fill=PLAYERS[colour].base,
                fill_opacity=0.3,
                stroke=PLAYERS[colour].edge,
                stroke_width=6,
            ),
            tag('path', d=data, fill='none', stroke=PLAYERS[colour].base, stroke_width=3.4),
            tag('g', use(f'octiles-runner-{colour}'), transform=translate(x, y + 3), opacity=0.62)
            if scene.run.end != scene.run.start
            else '',
        )
    )


@lru_cache(maxsize=KEPT)
def _detents(
    space: int, tile: int, legal: tuple[int, ...], current: int = -1, handle: bool = False
) -> Markup:
    """Marks at a tile's corners, off its paths: big for a rotation in which it may lie, small for one that is
    skipped, a ring at the current one; there stands the handle in a picture: a page has its own beside the
    tile. Rotations that give the same pattern are one."""
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
    dots(small, 2.6, var('ghost-line'), 0.7)
    dots(big, 10.4, var('legal-case'))
    dots(big, 7.4, var('legal'))
    if handle:
        parts.append(use('octiles-handle', translate(*corner(current)), class_='handle'))
    elif current >= 0:
        dots([current], 12.4, var('legal-case'))
        dots([current], 8.2, '#fff')
    return tag('g', *parts, fill='none', stroke_linecap='round')


def _turns(scene: Scene) -> Iterator[Markup]:
    """Marks of the rotations: of the tile in the mover's hand; for pages also of each marked space, hidden
    until wanted."""
    if scene.lifted in scene.tiles and scene.rotations and scene.marks and C.ROTATIONS[scene.hand] > 1:
        tile, rotation = scene.tiles[scene.lifted]
        yield tag(
            'g',
            _detents(scene.lifted, tile, tuple(scene.rotations), rotation, handle=not scene.hidden_turns),
            id=f'turns-space-{C.SPACES[scene.lifted]}',
            class_='turns',
            aria_hidden='true',
        )
    if not scene.hidden_turns or scene.hand < 0 or C.ROTATIONS[scene.hand] == 1:
        return
    for space, rotations in (scene.placements or scene.elsewhere).items():
        yield tag(
            'g',
            _detents(space, scene.hand, tuple(rotations)),
            id=f'turns-space-{C.SPACES[space]}',
            class_='turns hidden',
            aria_hidden='true',
            display='none',
        )


def _posts(scene: Scene) -> Iterator[Markup]:
    """Stops and circles as things to click, above the runners (whose own pictures take no clicks)."""
    starts = {start for start, _ in scene.moves} | scene.reach.keys()
    ends = {end for _, end in scene.moves}
    reached = {post for posts in scene.reach.values() for post in posts}
    for post in range(C.N_POSTS):
        # the end of a run is no target before its runner is chosen
        now = post in starts or (post in ends and post not in reached)
        name = f'post-{C.POSTS[post]}'
        kinds = post in starts, post in ends, post in reached
        yield _whole_post(post, *kinds, scene.marks, now, scene.labels.get(name, name))


@lru_cache(maxsize=KEPT)
def _whole_post(
    post: int, starts: bool, ends: bool, reached: bool, marks: bool, choosable: bool, label: str
) -> Markup:
    inner = _post(post, starts, ends, reached, marks)
    return _group(f'post-{C.POSTS[post]}', 'post', choosable, label, inner)


def _post(post: int, starts: bool, ends: bool, reached: bool, marks: bool) -> Markup:
    """What of a stop or circle takes clicks. `starts`: a runner there can be chosen; `ends`: a run can end
    there; `reached`: it could if its runner was chosen."""
    choosable = starts or ends or reached
    x, y = post_point(post)
    parts = [_hit(ring(22 if choosable else 17, (x, y)))]
    if starts:
        place = translate(x, y + 3)
        parts.append(tag('path', class_='hit', d=FIGURE, fill='none', pointer_events='all', transform=place))
    if reached and not starts and marks:
        parts.append(_end(x, y, 'reach'))
    if choosable:
        parts += [_chosen(x, y), focus_ring('path', d=ring(25, (x, y)))]
    return joined(parts)


def _end(x: float, y: float, class_: str | None = None) -> Markup:
    """The ring round a post where a run can end."""
    data = ring(22.5, (x, y))
    lines = [
        tag('path', d=data, stroke=var('legal-case'), stroke_opacity=0.7, stroke_width=4.4),
        tag('path', d=data, stroke=var('legal'), stroke_width=2.3),
    ]
    return tag('g', *lines, class_=class_, fill='none', display='none' if class_ else None)


def _chosen(x: float, y: float) -> Markup:
    """The ring round a chosen post, hidden until the page gives the post its class; open at the back, where
    the runner stands."""
    data = f'M{pair(x - 9, y - 5.35)}A17.5 10.9 0 1 0 {pair(x + 9, y - 5.35)}'
    lines = [
        tag('path', d=data, stroke=colour, stroke_width=width)
        for colour, width in ((var('legal-case'), 6.2), ('#fff', 3.6))
    ]
    return tag('g', *lines, class_='chosen-ring', display='none', fill='none', stroke_linecap='round')


# ---- pictures of the game ----------------------------------------------------------------------------------

# A moment of a game with four players: tiles, runners (by seat), and a run about to be made.
MOMENT_TILES = {
    'a3': (1, 7),
    'b5': (2, 0),
    'e4': (18, 5),
    'd1': (15, 4),
    'b3': (10, 7),
    'c1': (7, 5),
    'a2': (3, 5),
    'c4': (17, 3),
    'd4': (11, 5),
    'b2': (9, 7),
    'c3': (14, 1),
    'd3': (16, 7),
    'c5': (13, 6),
    'b4': (4, 2),
}
MOMENT_RUNNERS = (
    ('B4', 'E2', 'F6', 'D4'),
    ('D6', 'B5', 'F1', 'D5'),
    ('F3', 'F2', 'A4', 'C5'),
    ('B2', 'C2', 'E5', 'C3'),
)
MOMENT_RUN = ('b4', 'B4', 'E4')
CROP = (-190.0, -247.0, 380.0, 356.25)


def _moment() -> Scene:
    """The contents of the emblem."""
    tiles = {
        C.SPACES.index(name): (number - 1, rotation) for name, (number, rotation) in MOMENT_TILES.items()
    }
    space, start, end = MOMENT_RUN
    scene = Scene(
        tiles,
        {C.POSTS.index(post): seat for seat, posts in enumerate(MOMENT_RUNNERS) for post in posts},
        tuple(C.COLOURS[side] for side in C.SIDES),
        mover=0,
        sides={k: C.COLOURS[side] for k, side in enumerate(C.SIDES)},
        coordinates=False,
        marks=False,
    )
    scene.run = run_of_move(tiles, C.SPACES.index(space), C.POSTS.index(start), C.POSTS.index(end))
    return scene


@cache
def emblem(theme: Theme = 'light', size: int = 640) -> str:
    """A detail of the board as the game's picture, 320 x 300; standing alone unless the theme is 'page'."""
    drawing = _picture(_moment(), say('title'), CROP)
    return picture(drawing, theme, size, symbol_set())


def figure(game: Game, name: str, theme: Theme = 'light') -> str:  # noqa: ARG001 (the contract's)
    """The picture of all tiles for a component set; '' for any other name."""
    if name != 'components':
        return ''
    across, step = 6, 124.0
    parts = []
    for tile in range(C.N_TILES):
        x, y = step * (tile % across + 0.5), step * (tile // across) + 62
        lines = use(f'octiles-lines-{tile + 1}')
        number_ = words(str(tile + 1), x=-54, y=-44, font_size=13, font_weight=650, fill='#fff3d4')
        parts.append(tag('g', wood(tile, 0), lines, number_, transform=translate(x, y)))
    height = step * math.ceil(C.N_TILES / across)
    drawing = sheet_svg(step * across, height, var('felt-2'), say('board.tiles'), *parts)
    return picture(drawing, theme, symbols=symbol_set())


@cache
def badge(size: int = 44) -> str:
    """The game's icon for lists: a tile on walnut, standing alone."""
    lines = ''.join(
        tag('path', d=path([tile_line(*edges)]), stroke=colour, stroke_width=width)
        for edges in ((0, 3), (6, 2))
        for colour, width in (('#3a1f0c', 18), ('#fff3d4', 10))
    )
    body = Markup('').join(
        (
            tag('rect', x=-70, y=-70, width=140, height=140, rx=26, fill='#5a351b'),
            tag('path', d=polygon(octagon(50)), fill='#e9c48a'),
            tag('g', Markup(lines), fill='none'),
            tag('path', d=polygon(octagon(50)), fill='none', stroke='#3a1f0c', stroke_width=5),
        )
    )
    return standalone(
        tag('svg', body, viewBox='-70 -70 140 140', role='img', aria_label=say('title')), 'light', size
    )
