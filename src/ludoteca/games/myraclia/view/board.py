"""The drawing of Myraclia: the map as SVG, and the pictures of the game.

The centre of place 0,0 is the origin (symbols.py); the view box follows the surface. Ids in a drawing:

    tile-P04        a tile as something to click; for the later actions of a turn tile-P04-2
    face-P04        what is seen of it, which moves
    cube-P04-red    a cube on it
    disk-P04        its disk
    free-P04        its free element
    coin-E05        a token
    place-3_m1      a place without a tile, at 3,-1

Beside it: `display-P04`, `draft-blue`, `pay-red`, `pay-blue-3-green`, `pay-white-five`, `use-green`,
`put-yellow`, `add-blue`, and cubes that fly: `group-red` (of the drafting board), `held-0-red` (in the panel
of seat 0), `pool-red`, `zone-red`; `turned-E05`. Groups of faces, cubes and coins carry no transform of their
own: a page may move them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from markupsafe import Markup

from ludoteca.drawing.boards import board_svg, focus_ring
from ludoteca.drawing.cards import sheet_svg
from ludoteca.drawing.marks import dashed, last_lines, pill
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import Symbols, joined, picture, quiet, standalone, tag, translate, use, words
from ludoteca.game import SPECTATOR, Game, Position, Theme, View, ViewSettings

from .. import components as C
from .. import notation
from .. import rules as R
from ..notation import cell_name
from ..rules import NONE, Phase, State
from . import symbols as A
from .cards import cards
from .events import MARKED
from .facts import (
    LAYING,
    PAYING,
    Choices,
    around,
    bits_of,
    bonus,
    choices_of,
    coin_id,
    cube_id,
    disk_id,
    drafted,
    element_id,
    face_id,
    face_words,
    holder_of,
    neighbours,
    on_surface,
    open_cells,
    place_id,
    say,
    symbol_id,
    tile_id,
    tile_words,
)
from .symbols import hexagon_data, middle, name
from .targets import targets

LEAST = 640.0  # side of the view box at least: a small surface is not blown up
MARGIN = 16.0  # round the tiles
NAME = 0.0172  # size of the names of places, for the side of the view box
KEPT = 1 << 12  # faces of tiles that are kept


# ---- the scene ---------------------------------------------------------------------------------------------


@dataclass
class Scene:
    """What a picture shows of a view."""

    view: View
    page: bool
    tiles: list[int]  # of the surface, those behind first
    choices: Choices
    # ids of what the last turns terraformed, reserved or added, each with the seat that did it
    last: dict[str, int] = field(default_factory=dict)
    only: int = NONE  # the only action left

    @property
    def s(self) -> State:
        state: State = self.view.state
        return state


def _scene(view: View, page: bool) -> Scene:
    last = {id_: event.seat for event in view.last for id_ in event.elements if event.kind in MARKED}
    return Scene(
        view,
        page,
        on_surface(view.state),
        choices_of(view.state, view.actions),
        last,
        view.actions[0] if len(view.actions) == 1 else NONE,
    )


def box_of(s: State) -> tuple[float, float, float]:
    """The left and upper edge of the view box, and its side: all tiles, while tiles are added also the places
    round them."""
    cells = [int(s.where[tile]) for tile in on_surface(s)]
    if s.phase in LAYING and not s.ending:
        cells += _places(s)
    xs, ys = zip(*map(middle, cells), strict=True)
    left, right = min(xs) - A.APOTHEM, max(xs) + A.APOTHEM
    top, low = min(ys) - A.RADIUS, max(ys) + A.RADIUS + A.EDGE
    side = round(max(LEAST, right - left + 2 * MARGIN, low - top + 2 * MARGIN), 1)
    return round((left + right - side) / 2, 1), round((top + low - side) / 2, 1), side


def _places(s: State) -> list[int]:
    """The empty places with two neighbours or more: where a tile may be added, or only the compact form
    forbids it. At the start also those of the first two tiles."""
    found = {cell for cell in _round_about(s) if len(neighbours(s, cell)) > 1}
    return sorted(found | open_cells(s) if s.phase == Phase.ARRANGE else found)


def _round_about(s: State) -> set[int]:
    """The empty places beside tiles."""
    return {cell for tile in on_surface(s) for cell in around(int(s.where[tile])) if s.cell[cell] == NONE}


def draw(view: View, theme: Theme = 'light') -> str:
    """The position as SVG: standing alone, or for a page (theme 'page'), which needs `symbols` as
    well."""
    left, top, side = box_of(view.state)
    drawing = _picture(_scene(view, theme == 'page'), say('board.label'), (left, top, side, side))
    return picture(drawing, theme, symbols=A.symbol_set())


def symbols() -> Symbols:
    """What drawings for pages refer to."""
    return A.symbol_set()


def _picture(scene: Scene, label: str, box: tuple[float, float, float, float]) -> Markup:
    """The drawing, layer by layer from the bottom."""
    left, top, side = box[0], box[1], max(box[2:])
    layers = [
        quiet(use(name('sky'), translate(left, top) + f' scale({side / A.SKY:.4f})')),
        *_empty_places(scene),
        quiet(*(use(name('shade'), translate(*middle(int(scene.s.where[tile])))) for tile in scene.tiles)),
        *(_tile(scene, tile) for tile in scene.tiles),
        quiet(*(_name(scene.s, tile, side) for tile in scene.tiles if scene.view.settings.coordinates)),
        *(_target(scene, tile) for tile in scene.tiles),
        quiet(_considered(scene), _only(scene), *_payable(scene)),
    ]
    # the sky goes on where a page has room beside the square
    return board_svg(box, label, *layers, overflow='visible' if scene.page else None)


# ---- tiles -------------------------------------------------------------------------------------------------


def _tile(scene: Scene, tile: int) -> Markup:
    """A tile with all that lies on it."""
    s = scene.s
    paying = tile == s.target and s.phase in PAYING
    put = bits_of(int(s.plain)) if paying and s.phase == Phase.PUT else []
    owner, holder = (
        '' if seat == NONE else scene.view.colour(seat) for seat in (int(s.owner[tile]), holder_of(s, tile))
    )
    face = _face(
        tile,
        int(s.where[tile]),
        owner,
        holder,
        int(s.cubes_on[tile]),
        int(s.tokens_on[tile]),
        tuple(put),
        scene.view.colour(scene.last[face_id(tile)]) if face_id(tile) in scene.last else '',
    )
    return _piece(tile, face, tile_words(s, tile, scene.view.names))


@lru_cache(maxsize=KEPT)
def _piece(tile: int, face: Markup, label: str) -> Markup:
    return tag(
        'g', tag('g', face, role='img', aria_label=label), id=face_id(tile), class_='tile piece settles'
    )


@lru_cache(maxsize=KEPT)
def _face(
    tile: int,
    cell: int,
    owner: str,
    holder: str,
    cubes: int,
    tokens: int,
    put: tuple[int, ...],
    last: str,
) -> Markup:
    """What is seen of a tile; `owner`, who has reserved it (`holder`) and who has just changed it (`last`) by
    their colours, '' for nobody."""
    place = translate(*middle(cell))
    on_it: list[Markup] = []
    if owner:
        parts = [
            use(name(f'living-{C.TILES[tile]}')),
            A.disk(owner, True, *A.disk_place(tile), A.DISK, id=disk_id(tile)),
        ]
        if C.RELEASED[tile] >= 0:
            parts.append(
                use(
                    name(f'turning-{C.COLOURS[C.RELEASED[tile]]}'),
                    translate(*A.TURNING_AT),
                    id=symbol_id(tile),
                )
            )
    elif not (holder or cubes or put):
        parts = [use(name(f'barren-{C.TILES[tile]}'))]
    else:
        parts = [A.ground(tile), *A.prizes(tile, bool(holder))]
        for colour, x, y, size in A.cost_places(tile):
            lies = cubes >> colour & 1
            parts.append(A.cube('slot', colour, x, y, size))
            if lies or colour in put:
                spot = middle(cell)
                on_it.append(
                    tag(
                        'g',
                        A.cube('gem', colour, spot[0] + x, spot[1] + y, size, opacity=None if lies else 0.92),
                        id=cube_id(tile, colour),
                        class_='cube piece',
                    )
                )
        if holder:
            parts.append(A.disk(holder, False, *A.prize_places(tile, True)[1], A.HELD, id=disk_id(tile)))
    if last:
        parts.insert(1, _halo(last))
    spots = A.KEPT_PLACES if owner else A.COIN_PLACES
    for k, token in enumerate(bits_of(tokens)):
        x, y = spots[k % len(spots)]
        on_it.append(
            tag(
                'g',
                A.coin(token, middle(cell)[0] + x, middle(cell)[1] + y),
                id=coin_id(token),
                class_='coin piece',
            )
        )
    return joined((tag('g', *parts, transform=place), *on_it))


def _name(s: State, tile: int, side: float) -> Markup:
    """The name of a tile's place, left of its badges, over everything; larger on a large map."""
    (x, y), cell = middle(int(s.where[tile])), int(s.where[tile])
    wide = len(C.SURFACES_OF[tile]) > 1
    size = round(max(14.0, side * NAME), 1)
    return _name_at(cell_name(cell), x - (24 if wide else 14), y - (34 if wide else 37), size)


@lru_cache(maxsize=KEPT)
def _name_at(name: str, x: float, y: float, size: float) -> Markup:
    return words(
        name,
        x=x,
        y=y,
        class_='coordinate',
        font_size=size,
        font_weight=650,
        text_anchor='end',
        fill='#fff',
        stroke='#2b2118',
        stroke_opacity=0.7,
        stroke_width=2.6,
        paint_order='stroke',
    )


@cache
def _halo(colour: str) -> Markup:
    """The rings, in brass and the player's colour, round a tile that the last turns turned over, reserved or
    added; under its disks, cubes and tokens."""
    data = hexagon_data(-1.5)
    lines = [tag('path', d=data, stroke=ink, stroke_width=width) for ink, width in last_lines(colour, 9.0)]
    return tag('g', *lines, fill='none', stroke_linejoin='round')


# dashes; what can only be reserved is dotted
MARKS = {'terraform': '13 7', 'reserve': '1.5 8', 'token': '13 7'}


@cache
def _mark(kind: str) -> Markup:
    lines = dashed(hexagon_data(2.6), (5.4, 3.0), MARKS[kind], 0.8, stroke_linejoin='round')
    return tag('g', *lines, class_='mark', opacity=0.85)


@cache
def _handles() -> Markup:
    """The parts of something that can be chosen: its area for clicks, its ring when it is chosen, its focus
    ring."""
    ring = tag(
        'path',
        d=hexagon_data(5),
        class_='chosen-ring',
        display='none',
        fill='#fff',
        fill_opacity=0.14,
        stroke='#fff',
        stroke_width=5.5,
        stroke_linejoin='round',
    )
    return joined((_hit(), ring, focus_ring('path', d=hexagon_data(4))))


@cache
def _hit() -> Markup:
    return tag('path', d=hexagon_data(-2), class_='hit', fill='none', pointer_events='all')


def _target(scene: Scene, tile: int) -> Markup:
    """A tile as something to click."""
    s, choices = scene.s, scene.choices
    kind = next(
        (
            kind
            for kind, tiles in (
                ('token', choices.tokens),
                ('terraform', choices.tiles),
                ('reserve', choices.reserves),
            )
            if tile in tiles
        ),
        '',
    )
    if not kind:
        return _rests(tile_id(s, tile), int(s.where[tile])) if scene.page else Markup()
    place, label = translate(*middle(int(s.where[tile]))), tile_words(s, tile, scene.view.names)
    mark = _mark(kind) if scene.view.settings.marks else ''
    key = {'token': 'board.token', 'terraform': 'board.terraform', 'reserve': 'board.reserve'}[kind]
    return tag(
        'g',
        mark,
        _handles() if scene.page else '',
        id=tile_id(s, tile),
        class_='target',
        transform=place,
        role='button',
        aria_label=say(key, tile=label),
    )


@lru_cache(maxsize=KEPT)
def _rests(id_: str, cell: int) -> Markup:
    """A tile that cannot be chosen."""
    place = translate(*middle(cell))
    return tag('g', _hit(), id=id_, class_='hits', transform=place, aria_hidden='true')


# ---- places ------------------------------------------------------------------------------------------------

PLUS = 'M-10 0H10M0-10V10'
CROSS = 'M-6.5-6.5L6.5 6.5M6.5-6.5L-6.5 6.5'


def _empty_places(scene: Scene) -> Iterator[Markup]:
    """While tiles are added: the places where one may go and, faint, those that only the compact form
    forbids."""
    s = scene.s
    if s.phase not in LAYING or s.ending:
        return
    legal, open_ = scene.choices.places, open_cells(s)
    marked = bool(scene.view.settings.marks and scene.view.actions)
    for cell in _places(s):
        at, label = translate(*middle(cell)), cell_name(cell)
        if cell in open_ and cell not in legal:
            continue  # a picture of one action only
        if cell in legal:
            parts = (
                [_open_place(), _handles() if scene.page else '']
                if marked
                else [_handles() if scene.page else _hit()]
            )
            yield tag(
                'g',
                *parts,
                id=place_id(cell),
                class_='place target',
                transform=at,
                role='button',
                aria_label=say('board.place', place=label),
            )
        elif marked:
            reason = 'b' if s.phase == Phase.PLACE else '3'
            yield tag(
                'g',
                _closed_place(reason),
                _hit(),
                id=place_id(cell),
                class_='place',
                transform=at,
                role='img',
                aria_label=say('board.closed', place=label),
            )
    for cell in _edge(s) if scene.page else ():
        yield tag(
            'g',
            _hit(),
            id=place_id(cell),
            class_='place',
            transform=translate(*middle(cell)),
            aria_hidden='true',
        )


def _edge(s: State) -> list[int]:
    """The places with one neighbour only, as long as no tile may go there."""
    return sorted(_round_about(s) - {*_places(s)})


@cache
def _open_place() -> Markup:
    """A place where a tile may go."""
    return tag(
        'g',
        tag(
            'path',
            d=hexagon_data(5),
            fill='#fff',
            fill_opacity=0.08,
            stroke='#fff',
            stroke_opacity=0.8,
            stroke_width=2.3,
            stroke_dasharray='9 8',
            stroke_linejoin='round',
        ),
        tag('path', d=PLUS, stroke='#fff', stroke_opacity=0.85, stroke_width=2.8, stroke_linecap='round'),
        class_='mark',
        opacity=0.9,
    )


@cache
def _closed_place(reason: str) -> Markup:
    """A place where none may go because its neighbours have too few others (b), or most tiles would not have
    three (3)."""
    return tag(
        'g',
        tag(
            'path',
            d=hexagon_data(8),
            fill='none',
            stroke='#fff',
            stroke_opacity=0.22,
            stroke_width=1.6,
            stroke_dasharray='2 7',
            stroke_linejoin='round',
        ),
        tag(
            'path',
            d=CROSS,
            transform='translate(-9 0)',
            stroke='#ff8a76',
            stroke_opacity=0.75,
            stroke_width=2.6,
            stroke_linecap='round',
        ),
        words(
            reason,
            x=9,
            y=7,
            font_size=20,
            font_weight=650,
            text_anchor='middle',
            fill='#fff',
            fill_opacity=0.6,
        ),
        pointer_events='none',
    )


# ---- what would happen -------------------------------------------------------------------------------------


def _considered(scene: Scene) -> Markup | str:
    """The tile that is being paid for or reserved; if it is to be terraformed, what each neighbour brings to
    whom."""
    s = scene.s
    if s.phase not in PAYING or s.ending or s.target == NONE:
        return ''
    frame = _frame(int(s.where[s.target]), scene.view.colour(int(s.to_move)))
    return frame + (_bonuses(scene.view, int(s.target)) if s.phase != Phase.PUT else Markup())


def _payable(scene: Scene) -> Iterator[Markup]:
    """For each cube of the drafting board the tiles for which it would make the difference, shown while the
    cube is considered."""
    for colour in scene.choices.drafts if scene.page else ():
        if tiles := drafted(scene.s, colour).tiles:
            yield tag(
                'g',
                *(tag('g', _lit(), transform=translate(*middle(int(scene.s.where[tile])))) for tile in tiles),
                class_='places',
                display='none',
                data_shown_by=element_id(R.DRAFT + colour),
            )


@cache
def _lit() -> Markup:
    """A tile that becomes payable."""
    return joined(
        (
            tag('path', d=hexagon_data(1), fill='#fff6c9', fill_opacity=0.34),
            *dashed(hexagon_data(1.5), (5.4, 3.0), 'none', 0.8, stroke_linejoin='round'),
        )
    )


def _frame(cell: int, colour: str) -> Markup:
    """The chosen tile, in the player's colour."""
    return tag(
        'g',
        *(
            tag('path', d=hexagon_data(3), stroke=stroke, stroke_width=width)
            for stroke, width in (('#fff', 9.0), (PLAYERS[colour].base, 5.6))
        ),
        fill='none',
        stroke_linejoin='round',
        transform=translate(*middle(cell)),
    )


def _bonuses(view: View, tile: int) -> Markup:
    """Points for the tiles beside one that is terraformed, each on its tile."""
    s, parts = view.state, []
    for other in neighbours(s, int(s.where[tile])):
        if (owner := int(s.owner[other])) != NONE:
            x, y = middle(int(s.where[other]))
            parts.append(
                tag('g', pill(view.colour(owner), f'+{bonus(s, owner)}', 28), transform=translate(x, y + 46))
            )
    return joined(parts)


def _only(scene: Scene) -> Markup | str:
    """The only action left, as if it was done."""
    s, action = scene.s, scene.only
    if action == NONE:
        return ''
    ghost = next(
        (target.ghost for target in reversed(targets(s, action, scene.view.colours)) if target.ghost), None
    )
    if ghost is None:
        return ''
    tile = action - R.TERRAFORM if R.TERRAFORM <= action < R.RESERVE else NONE
    return tag(
        'g',
        use(ghost.symbol, ghost.transform, opacity=0.9),
        _bonuses(scene.view, tile) if tile != NONE else '',
    )


# ---- pictures of the game ----------------------------------------------------------------------------------

# A moment of a game of three players.
MOMENT = {
    'game': 'myraclia',
    'players': 3,
    'to_move': 0,
    'round': 3,
    'order': [0, 1, 2],
    'phase': 'turn',
    'pool': {'green': 2, 'red': 1},
    'budget': 3,
    'surface': [
        {'tile': 'F07', 'at': [0, 0], 'owner': 0},
        {'tile': 'W05', 'at': [1, 0], 'owner': 1},
        {'tile': 'P04', 'at': [2, 0], 'owner': 2},
        {'tile': 'P10', 'at': [3, 0]},
        {'tile': 'M08', 'at': [0, -1]},
        {'tile': 'M05', 'at': [1, -1]},
        {'tile': 'W13', 'at': [2, -1]},
        {'tile': 'P09', 'at': [3, -1]},
        {'tile': 'M12', 'at': [0, 1], 'owner': 0},
        {'tile': 'F10', 'at': [1, 1], 'owner': 2},
        {'tile': 'W10', 'at': [2, 1], 'owner': 2},
        {'tile': 'F03', 'at': [-1, 1]},
        {'tile': 'P06', 'at': [-1, 2]},
        {'tile': 'W06', 'at': [0, 2], 'reserved': 0, 'cubes': ['green']},
        {'tile': 'M13', 'at': [1, 2], 'owner': 1},
    ],
    'display': ['M06', 'W12', 'P08'],
}
CROP = (-95.0, -118.0, 448.0, 420.0)


@cache
def emblem(theme: Theme = 'light', size: int = 640) -> str:
    """A detail of the map as the game's picture, 320 x 300; standing alone unless the theme is 'page'."""
    scene = _scene(View(notation.from_json(MOMENT), -1, settings=ViewSettings(coordinates=False)), False)
    drawing = _picture(scene, say('title'), CROP)
    return picture(drawing, theme, size, A.symbol_set())


@cache
def badge(size: int = 44) -> str:
    """The game's icon for lists: a tile half barren, half alive, standing alone."""
    half = tag('g', use(name('land-plains-0')), clip_path=f'url(#{name("half")})')
    body = joined(
        (
            tag('rect', x=-80, y=-80, width=160, height=160, rx=30, fill='#23283f'),
            use(name('barren'), 'translate(0 -3)'),
            tag('g', half, transform='translate(0 -3)'),
            A.cube('gem', 4, -2, 0, 52),
        )
    )
    drawing = tag('svg', body, viewBox='-80 -80 160 160', role='img', aria_label=say('title'))
    return standalone(drawing, 'light', size, A.symbol_set())


def _all_tiles(theme: Theme = 'light') -> str:
    """The 57 tiles and Darkness with their names, as a picture for the rulebook."""
    across, width, row = 10, 860.0, 92.0
    parts = []
    for k, tile in enumerate(range(C.FIRST_DARK + 1)):
        x, y = width / across * (k % across + 0.5), 46 + row * (k // across)
        parts.append(
            tag(
                'g',
                use(name(f'barren-{C.TILES[tile]}'), translate(x, y - 4, scale=0.56)),
                words(C.TILES[tile], x=x - 41, y=y - 26, font_size=11.5, font_weight=600, fill='#d5daf0'),
                role='img',
                aria_label=face_words(tile),
            )
        )
    height = row * ((C.FIRST_DARK + across) // across) + 4
    drawing = sheet_svg(width, height, f'url(#{name("well")})', say('board.tiles'), *parts)
    return picture(drawing, theme, symbols=A.symbol_set())


# ---- figures of the rulebook -------------------------------------------------------------------------------

EXAMPLES = Path(__file__).parent.parent / 'examples'
TURN = (
    'terraform 1,1 pay green pay yellow pay black terraform 2,1 pay yellow pay red pay blue '
    'reserve 0,2 put green put yellow done end turn'
)

# name -> the card ('map': the map itself), the example, the steps played from it, and whether it is shown as
# to the seat to move
FIGURES: dict[str, tuple[str, str, str, bool]] = {
    'draft': ('draft', 'draft', '', False),
    'drafted': (
        'draft',
        'draft',
        'draft green draft green draft blue draft orange draft green draft yellow',
        False,
    ),
    'payment': ('payment', 'wild', 'terraform 1,1 pay green', True),
    'places': ('map', 'turn', TURN, True),
    'scoring': ('scoring', 'finished', '', False),
}


def figure(game: Game, name: str, theme: Theme = 'light') -> str:
    """The picture of that name, standing alone unless the theme is 'page'; '' if there is none."""
    if name == 'tiles':
        return _all_tiles(theme)
    if name not in FIGURES:
        return ''
    card, example, played, chooses = FIGURES[name]
    position = Position(
        game, notation.from_json(json.loads((EXAMPLES / f'{example}.json').read_text('utf-8')))
    ).after(played)
    view = position.view(position.to_move if chooses else SPECTATOR)
    if card == 'map':
        return draw(view, theme)
    drawn = next(found.drawing for found in cards(view) if found.id == card)
    return picture(drawn, theme, symbols=A.symbol_set(), background=var('surface'))
