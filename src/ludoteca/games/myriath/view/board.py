"""The drawing, layer by layer, and the pictures of the game.

The unit is a hundredth of the distance between two crossings; a1 is the origin, x to the right, y downwards
(symbols.py).

Ids in a drawing: `square-2-3` (the printed square north-east of crossing c4), `cross-c4` (a crossing),
`tile-0-U-AI` (a tile on the board, by its seat), `places-hand-U-AI` (where that tile could meet an
opponent's; shown by the page while it is held), `glow` (the half edges that the last turn connected). In the
tray: `hand-U-AI`. The groups of tiles carry no transform of their own: a page may move them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from markupsafe import Markup

from ludoteca.drawing import marks
from ludoteca.drawing.boards import board_svg
from ludoteca.drawing.cards import sheet_svg
from ludoteca.drawing.geometry import Point, polygons, ring
from ludoteca.drawing.marks import last_lines
from ludoteca.drawing.palette import PLAYERS
from ludoteca.drawing.svg import (
    Symbols,
    joined,
    number,
    picture,
    quiet,
    standalone,
    tag,
    translate,
    use,
    words,
)
from ludoteca.game import COLOURS, SPECTATOR, Event, Game, Position, Theme, View, start

from .. import components as C
from .. import rules as R
from ..components import Crossing
from ..notation import action_from_name, placement
from ..rules import Phase, State
from . import symbols as S
from .facts import (
    HalfEdge,
    PlacedTile,
    Reading,
    bar,
    crossing_name,
    gain_text,
    hand_id,
    offsets,
    read,
    say,
    split,
    tile_id,
    tile_laid,
    tiles_words,
)
from .symbols import HALF, UNIT, name

EDGE = 12.0  # of the board round the outer squares
MARGIN = 5.0  # round the board
PLACE = 21.0  # radius of a mark on a crossing
SPOT = 33.0  # half the side of the octagon that marks a square
BADGE = 32.0  # height of a badge
# by the side of the area: it is to be read on a phone
BADGE_SCALE = {side: round(1 + 0.075 * (side - 7), 3) for side in range(7, C.MOST_SIDE + 1)}
HALVES = ('0', '½', '1')  # what an end can get
KEPT = 1 << 12  # parts of pictures that are kept: most tiles lie as they did in the turn before
WORN = 14.0  # radius of the points that an end wears when the game is over, at scale 1


# ---- the board ---------------------------------------------------------------------------------------------


def box(side: int) -> tuple[float, float, float, float]:
    """The view box of an area with so many crossings a side."""
    reach = UNIT - HALF + EDGE + MARGIN
    span = UNIT * (side - 1) + 2 * reach
    return -reach, reach - span, span, span


@cache
def empty_board(side: int) -> Markup:
    """The empty board: a slab of white enamel, faint lines in the streets and across the crossings, the
    printed squares."""
    low, high = -(UNIT - HALF), UNIT * (side - 1) + UNIT - HALF
    slab = {
        'x': low - EDGE,
        'y': -high - EDGE,
        'width': high - low + 2 * EDGE,
        'height': high - low + 2 * EDGE,
    }
    streets = ''.join(
        f'M{number(UNIT * k)} {number(-low)}V{number(-high)}M{number(low)} {number(-UNIT * k)}H{number(high)}'
        for k in range(side)
    )
    diagonals = ''.join(
        f'M{number(UNIT * i - HALF)} {number(-UNIT * j - HALF)}l50 50m0 -50l-50 50'
        for i in range(side)
        for j in range(side)
    )
    at = [(i, j) for i in range(-1, side) for j in range(-1, side)]
    squares = [
        tag('g', S.squares([S.square_point(one) for one in at if outer(*one, side)]), opacity=0.72),
        S.squares([S.square_point(one) for one in at if not outer(*one, side)]),
    ]
    return Markup('').join(
        (
            tag('rect', rx=18, fill=f'url(#{name("enamel")})', stroke='#b9b6ad', stroke_width=1.6, **slab),
            tag('path', d=streets, stroke='#d3d0c6', stroke_width=1.6, stroke_dasharray='2 6', fill='none'),
            tag('path', d=diagonals, stroke='#c6c3b9', stroke_width=1.3, fill='none'),
            tag('g', *squares),
        )
    )


def outer(i: int, j: int, side: int) -> bool:
    """Does the printed square north-east of (i, j) belong to the frame of the area?"""
    return not (0 <= i < side - 1 and 0 <= j < side - 1)


@cache
def _coordinates(side: int) -> Markup:
    """Letters and numbers in the streets of the frame, where no tile can lie."""
    style: dict[str, str | float] = {
        'class_': 'coordinate',
        'font_size': 25,
        'font_weight': 650,
        'text_anchor': 'middle',
        'fill': '#5f636b',
    }
    letters = [words(C.FILES[k], x=UNIT * k, y=UNIT / 2 + 8.5, **style) for k in range(side)]
    numbers = [words(str(k + 1), x=-UNIT / 2, y=-UNIT * k + 8.5, **style) for k in range(side)]
    return Markup('').join([*letters, *numbers])


@cache
def _hits(side: int) -> Markup:
    """Squares and crossings as things that a click can mean."""

    def hit(id_: str, x: float, y: float) -> Markup:
        return tag('rect', id=id_, x=x - HALF, y=y - HALF, width=2 * HALF, height=2 * HALF)

    squares = [
        hit(f'square-{i}-{j}', *S.square_point((i, j))) for i in range(side - 1) for j in range(side - 1)
    ]
    crossings = [
        hit(f'cross-{crossing_name((i, j))}', *S.crossing_point((i, j)))
        for i in range(side)
        for j in range(side)
    ]
    return tag(
        'g', *squares, *crossings, class_='hits', fill='none', pointer_events='all', aria_hidden='true'
    )


# ---- tiles -------------------------------------------------------------------------------------------------


@dataclass
class Scene:
    """What a picture shows."""

    reading: Reading
    # (seat, tile) on the board -> what it is, in words
    labels: Mapping[tuple[int, int], str] = field(default_factory=dict)
    last: tuple[PlacedTile, ...] = ()  # the tiles that were laid last
    joined: Sequence[HalfEdge] = ()  # half edges connected by it
    ghost: PlacedTile | None = None  # what would be laid
    joining: Sequence[HalfEdge] = ()  # half edges that it would connect
    spots: Sequence[Crossing] = ()  # squares that can be ringed
    # tile in hand -> crossings where it can meet an opponent's
    places: Mapping[int, Sequence[Crossing]] | None = None
    scored: bool = False  # do the ends wear their points?
    coordinates: bool = True
    colours: Sequence[str] = COLOURS  # of the seats


def _shadows(scene: Scene) -> Markup:
    """The soft tinted shadows of all tiles, one path a tile: a browser then paints anew what lies round a
    fresh one only. What is moved within a filter is costly, so nothing there has a transform of its own."""
    shadows = []
    for seat in range(scene.reading.players):
        paths = [_shadow(placed) for placed in scene.reading.tiles if placed.seat == seat]
        shadows.append(tag('g', *paths, fill=PLAYERS[scene.colours[seat]].deep) if paths else '')
    return tag('g', *shadows, fill_opacity=0.5, filter=f'url(#{name("soft")})', fill_rule='evenodd')


@lru_cache(maxsize=KEPT)
def _shadow(placed: PlacedTile) -> Markup:
    (x, y), (right, down) = S.crossing_point(placed.first), S.SHADE
    return tag('path', d=S.outline_data(S.shape_of(placed.piece), S.CUT, (-x - right, -y - down)))


def _place(placed: PlacedTile) -> str:
    return translate(*S.crossing_point(placed.first))


def _tile(scene: Scene, placed: PlacedTile) -> Markup:
    """A tile on the board with its half edges."""
    met = scene.reading.met[placed]
    return _tile_group(placed, scene.colours[placed.seat], met, scene.labels.get((placed.seat, placed.tile)))


@lru_cache(maxsize=KEPT)
def _tile_group(placed: PlacedTile, colour: str, met: tuple[HalfEdge, ...], label: str | None) -> Markup:
    parts = [
        tag('g', S.acrylic(placed.piece, colour), transform=_place(placed)),
        S.open_bars(''.join(bar(edge) for edge in placed.half_edges if edge not in met), colour),
        S.gold_bars(''.join(map(bar, met))),
    ]
    return tag(
        'g',
        tag('g', *parts, role='img', aria_label=label),
        id=tile_id(placed.seat, placed.tile),
        class_='tile piece settles',
    )


def _last_halo(scene: Scene) -> Markup | str:
    """The last tiles in gold, with their players' colours."""
    parts = []
    for placed in scene.last:
        # without the hole of an octagon
        data = polygons([S.inset(S.outline(S.shape_of(placed.piece))[0], -3.4)])
        parts.append(
            tag(
                'g',
                *(
                    tag('path', d=data, stroke=ink, stroke_width=width)
                    for ink, width in last_lines(scene.colours[placed.seat], 11.0)
                ),
                transform=_place(placed),
                fill='none',
                stroke_linejoin='round',
            )
        )
    return joined(parts)


def _badges(scene: Scene, edges: Iterable[HalfEdge]) -> Iterator[Markup]:
    """The points of each end, on the printed square at whose corner the end lies: there they hide nothing."""
    ends: dict[tuple[int, int, int], list[HalfEdge]] = {}
    for edge in edges:
        ends.setdefault((edge.seat, edge.tile, edge.end), []).append(edge)
    places: dict[Point, list[tuple[int, int]]] = {}
    for (seat, _, _), met in sorted(ends.items()):
        corners = [_corner(edge) for edge in met]
        place = next((corner for corner in corners if corner not in places), corners[0])
        places.setdefault(place, []).append((seat, len(met)))
    scale = BADGE_SCALE[scene.reading.side]
    for (x, y), gained in sorted(places.items()):
        for k, (seat, half) in enumerate(gained):
            where = translate(x, y + (BADGE + 1) * scale * (k - (len(gained) - 1) / 2), scale=scale)
            yield tag('g', marks.pill(scene.colours[seat], gain_text(half), BADGE), transform=where)


def _all_badges(scene: Scene) -> Markup | str:
    """The points that the ghost would bring, else those that the last turn brought."""
    badges = [*_badges(scene, scene.joining if scene.ghost else () if scene.scored else scene.joined)]
    return tag('g', *badges, class_='badges') if badges else ''


def _corner(edge: HalfEdge) -> Point:
    """The centre of the printed square to whose corner a half edge leads."""
    (a, b), (x, y) = S.corner(edge.here, edge.there), S.crossing_point(edge.crossing)
    return x + a * UNIT / 2, y + b * UNIT / 2


def _glow(edges: Sequence[HalfEdge], id_: str | None = None) -> Markup | str:
    """Half edges that have just been connected, or would be."""
    if not edges:
        return ''
    data = ''.join(map(bar, edges))
    return tag(
        'g',
        tag(
            'path',
            d=data,
            fill='none',
            stroke='#fff',
            stroke_opacity=0.75,
            stroke_width=20,
            stroke_linecap='round',
        ),
        tag(
            'path',
            d=data,
            fill='none',
            stroke=S.HALO,
            stroke_opacity=0.55,
            stroke_width=15,
            stroke_linecap='round',
        ),
        S.gold_bars(data),
        class_='glow',
        id=id_,
    )


def _ghost(scene: Scene) -> Markup | str:
    """What would be laid, as it would lie, and what it would connect."""
    ghost = scene.ghost
    if ghost is None:
        return ''
    colour = PLAYERS[scene.colours[ghost.seat]]
    data = S.outline_data(S.shape_of(ghost.piece), S.CUT)
    body = tag(
        'g',
        S.ghost_body(data, colour.base, colour.dark),
        S.engraving(ghost.piece, colour.name),
        transform=_place(ghost),
    )
    edges = ''.join(map(bar, ghost.half_edges))
    return tag('g', body, S.open_bars(edges, colour.name), _glow(scene.joining), class_='ghost-tile')


def _spots(scene: Scene) -> Markup | str:
    """Squares that can be ringed."""
    if not scene.spots:
        return ''
    data = ''.join(
        f'M{number(x - SPOT)} {number(y - 19)}v38l14 14h38l14 -14v-38l-14 -14h-38z'
        for x, y in map(S.square_point, scene.spots)
    )
    return tag('g', *marks.dashed(data, (5.2, 2.6), '7 6.2', 0.72), class_='mark', opacity=0.8)


def _places(scene: Scene) -> Iterator[Markup]:
    """For each tile in hand the crossings where it can meet an opponent's, hidden until the page shows
    them."""
    for tile, crossings in (scene.places or {}).items():
        data = ''.join(map(_meeting, crossings))
        yield tag(
            'g',
            *marks.dashed(data, (5.2, 2.6), '7 6.2', 0.72),
            id=f'places-{hand_id(tile)}',
            class_='places',
            display='none',
            aria_hidden='true',
            pointer_events='none',
        )


@lru_cache(maxsize=KEPT)
def _meeting(at: Crossing) -> str:
    """The mark of a crossing, as path data."""
    return ring(PLACE, S.crossing_point(at))


def _worn(scene: Scene) -> Iterator[Markup]:
    """The points that each end has got."""
    for placed in scene.reading.tiles:
        colour = PLAYERS[scene.colours[placed.seat]]
        for n, end in enumerate(placed.shape.ends):
            half = sum(edge.end == n and scene.reading.connected(edge) for edge in placed.half_edges)
            if half:
                (x, y), (u, v) = S.crossing_point(end.crossing), S.DIRECTIONS[end.own]
                yield tag(
                    'g',
                    _worn_disk(colour.name, half),
                    transform=translate(x + 29 * u, y + 29 * v, scale=BADGE_SCALE[scene.reading.side]),
                )


@cache
def _worn_disk(colour: str, half: int) -> Markup:
    return Markup(
        tag('circle', r=WORN, fill='#fff', stroke=PLAYERS[colour].deep, stroke_width=2.4)
        + words(HALVES[half], y=9.2, font_size=26, font_weight=750, text_anchor='middle', fill='#1d2026')
    )


# ---- the picture -------------------------------------------------------------------------------------------


def _last(reading: Reading, last: Iterable[Event]) -> tuple[PlacedTile, ...]:
    """The tiles that were laid in the last turns."""
    found = (
        reading.found(event.seat, C.TILES.index(str(event.values['tile'])))
        for event in last
        if event.kind in ('lay', 'octagon')
    )
    return tuple(placed for placed in found if placed is not None)


def _scene(view: View) -> Scene:
    """The contents of the picture of a view."""
    s = view.state
    reading = read(s)
    scene = Scene(
        reading,
        dict(
            zip(
                [(placed.seat, placed.tile) for placed in reading.tiles],
                tiles_words(view, reading.tiles),
                strict=True,
            )
        ),
        scored=bool(s.ending),
        coordinates=view.settings.coordinates,
        colours=view.colours or COLOURS,
    )
    scene.last = _last(reading, view.last)
    if scene.last:
        scene.joined = reading.joined_by(scene.last[-1])
    laying = [action for action in view.actions if action != R.PASS]
    if len(laying) == 1 and len(view.actions) == 1:
        scene.ghost = PlacedTile(int(s.to_move), tile_laid(laying[0]), *split(laying[0], reading.side))
        scene.joining = would_join(reading, scene.ghost)
    elif view.settings.marks and s.phase == Phase.SETUP:
        scene.spots = [split(action, reading.side)[1] for action in laying]
    elif view.settings.marks:
        scene.places = _meetings(reading, laying)
    return scene


def would_join(reading: Reading, ghost: PlacedTile) -> list[HalfEdge]:
    """The half edges that a piece would connect: its own, and those of other tiles."""
    found = [edge for edge in ghost.half_edges if reading.connected(edge)]
    for i, j, k in sorted(ghost.shape.quarters):
        found += reading.waiting.get(reading.key(k, (i, j)), [])
    return found


def _meetings(reading: Reading, actions: Iterable[int]) -> dict[int, list[Crossing]]:
    """For each tile that can be laid the crossings where an end of it can meet an opponent's tile."""
    pieces, found, side = offsets(reading.side), dict[int, set[int]](), reading.side
    foreign = {key for key, (seat, _) in reading.owner.items() if seat != reading.to_move}
    for action in actions:
        piece, crossing = placement(action)
        met = found.setdefault(C.TILE_OF[piece], set())
        for key, first, _ in pieces[piece][0]:
            if key + crossing in foreign:
                met.add(first + crossing)
    return {tile: [(at % side, at // side) for at in sorted(met)] for tile, met in sorted(found.items())}


def draw(view: View, theme: Theme = 'light') -> str:
    """The position as SVG. Theme 'page': part of a page that holds `symbols`; other themes: a picture
    that stands alone."""
    drawing = _picture(_scene(view), say('board.label'))
    return picture(drawing, theme, symbols=S.symbol_set())


def symbols() -> Symbols:
    """What drawings for pages refer to."""
    return S.symbol_set()


def _picture(scene: Scene, label: str, view_box: tuple[float, ...] | None = None) -> Markup:
    """The drawing, layer by layer from the bottom."""
    side = scene.reading.side
    layers = [
        quiet(empty_board(side), _coordinates(side) if scene.coordinates else ''),
        _hits(side),
        quiet(_shadows(scene), _last_halo(scene)),
        *(_tile(scene, placed) for placed in scene.reading.tiles),
        quiet(_spots(scene)),
        *_places(scene),
        quiet(
            _glow(scene.joined, 'glow') if not scene.scored else '', *(_worn(scene) if scene.scored else ())
        ),
        quiet(_ghost(scene)),
        quiet(_all_badges(scene)),
    ]
    return board_svg(view_box or box(side), label, *layers)


# ---- pictures of the game ----------------------------------------------------------------------------------

# A moment of a game with four players: for each seat what lies on the board, as it was named when it was
# laid.
MOMENT = (
    (
        'O f5',
        'L-AI r2 h9',
        'L-AO f0 f2',
        'L-IO r2 d7',
        'L-OO r1 c4',
        'U-AO r1 g3',
        'U-II r1 b3',
        'U-OO r1 c5',
    ),
    ('O e6', 'L-AO f1 c7', 'L-IO f0 e2', 'L-OO r1 e5', 'U-II r1 d4'),
    ('O c6', 'L-OO r3 h7', 'U-AO f0 b7', 'U-II r3 f7', 'Z-IO f0 f3', 'Z-OO f0 f9'),
    ('O g6', 'L-AO r0 g5', 'L-IO f0 d2', 'L-OO r2 e7', 'U-AO r1 g4', 'Z-IO r3 h8'),
)
CROP = (260.0, -740.0, 480.0, 450.0)
ALL_SIZE = (760.0, 560.0)  # of the picture of all tiles
ENDS_SIZE = (760.0, 236.0)  # of the picture of the types of ends


def _moment() -> State:
    """The position of the emblem."""
    s = R.State.new()
    R.clear_board(s, len(MOMENT))
    for s.to_move, names in enumerate(MOMENT):
        for action in [action_from_name(s, one) for one in names]:
            piece, crossing = placement(action)
            if piece == R.RING:
                R.lay_octagon(s, crossing)
            else:
                R.lay_path(s, piece, crossing)
    return s


@cache
def emblem(theme: Theme = 'light', size: int = 640) -> str:
    """A detail of the board as the game's picture, 320 x 300; standing alone unless the theme is 'page'."""
    drawing = _picture(Scene(Reading(_moment()), coordinates=False), say('title'), CROP)
    return picture(drawing, theme, size, S.symbol_set())


@cache
def badge(size: int = 44) -> str:
    """The game's icon for lists: an octagon round a square, standing alone."""
    x, y = S.square_point((0, 0))
    body = Markup('').join(
        (
            tag('rect', x=x - 95, y=y - 95, width=190, height=190, rx=36, fill='#f3f3f1'),
            use(name('square'), translate(x, y)),
            tag(
                'path',
                d=S.outline_data(C.THE_RING),
                fill=PLAYERS['blue'].base,
                fill_rule='evenodd',
                stroke=PLAYERS['blue'].deep,
                stroke_width=6,
                stroke_linejoin='round',
            ),
            tag(
                'path',
                d=S.outline_data(C.THE_RING, 11),
                fill='none',
                stroke='#fff',
                stroke_width=5,
                stroke_opacity=0.85,
                stroke_linejoin='round',
            ),
        )
    )
    drawing = tag(
        'svg', body, viewBox=f'{number(x - 95)} {number(y - 95)} 190 190', role='img', aria_label=say('title')
    )
    return standalone(drawing, 'light', size, S.symbol_set())


def figure(game: Game, name: str, theme: Theme = 'light') -> str:
    """The rulebook's pictures of all tiles and of the types of ends, the areas for a component set; '' for
    any other name."""
    if name == 'components':  # of them the areas may vary; where most play all are to be seen
        most = start(game, game.players[-1], 0)
        return draw(Position(game, most).view(SPECTATOR), theme)
    pictures = {'tiles': all_tiles, 'ends': types_of_ends}
    return pictures[name](theme) if name in pictures else ''


def all_tiles(theme: Theme = 'light') -> str:
    """The 19 tiles of a player with their names, as a picture for the rulebook."""
    width, height = ALL_SIZE
    parts = []
    for tile in range(C.N_TILES):
        x, y = (
            (width * (tile % 6 + 0.5) / 6, 76.0 + 138 * (tile // 6))
            if tile < C.N_PATHS
            else (width / 2, 484.0)
        )
        parts.append(_with_caption(tile, C.TILES[tile], x, y, 0.48, 62))
    drawing = sheet_svg(width, height, f'url(#{name("enamel")})', say('board.tiles'), *parts)
    return picture(drawing, theme, symbols=S.symbol_set())


def types_of_ends(theme: Theme = 'light') -> str:
    """A tile with each type of ends, as a picture for the rulebook: every white bar is half a point."""
    width, height = ENDS_SIZE
    parts = [
        _with_caption(
            C.TILES.index(f'L-{ends}'), say(f'board.ends.{ends}'), width * (k + 0.5) / 3, 108, 0.8, 104
        )
        for k, ends in enumerate(('AA', 'II', 'OO'))
    ]
    drawing = sheet_svg(width, height, f'url(#{name("enamel")})', say('board.ends'), *parts)
    return picture(drawing, theme, symbols=S.symbol_set())


def _with_caption(tile: int, caption: str, x: float, y: float, scale: float, below: float) -> Markup:
    """A tile with words under it."""
    return tag(
        'g',
        tag('g', S.tile(tile, 'blue'), transform=translate(x, y, scale=scale)),
        words(
            caption,
            x=x,
            y=y + below,
            font_size=15,
            font_weight=650,
            text_anchor='middle',
            fill='#43474f',
        ),
        role='img',
        aria_label=caption,
    )
