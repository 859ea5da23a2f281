"""The drawing of Mykerinos: the region as SVG, and the pictures of the game and of its rulebook. The museum
and other cards lie beside the region (museum.py, cards.py).

The upper left corner of the sand is the origin (symbols.py). Ids in a drawing: `space-c4` (a space that a
click may choose), `cube-c4` (the cube there), `tile-violet-3` (a tile, or the mark of its taker where it
lay), `face-violet-3` (its cartouche). In the museum: `room-3-lemon`, `exhibit-3-lemon` (the cube there).
Among the viewer's patrons: `patron-violet`. In the panel of seat 1: `medal-1-violet-0` (its first tile of
that patron), `stock-1`, `reserve-1`, `neutral-1` (cubes). The groups of cubes carry no transform of their
own: a page may move them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from markupsafe import Markup

from ludoteca.drawing.boards import board_svg, focus_ring, last_paths
from ludoteca.drawing.cards import sheet_svg
from ludoteca.drawing.geometry import Point, ring
from ludoteca.drawing.marks import last_lines
from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import Symbols, joined, pair, picture, quiet, standalone, tag, translate, use, words
from ludoteca.game import SPECTATOR, Game, Position, Theme, View, ViewSettings

from .. import components as C
from .. import notation
from ..rules import LYING, NEUTRAL, Phase, State
from . import cards, museum
from . import symbols as S
from .events import MARKED
from .facts import (
    KINDS,
    Choices,
    areas_of,
    choices_of,
    colour_of,
    cube_id,
    cubes_of,
    digging_neutral,
    face_id,
    laid_of,
    neighbours,
    player_word,
    pyramids_of,
    ranking,
    rows_of,
    say,
    space_id,
    surveyed,
    surveying,
    tile_id,
    tile_words,
    tiles_in,
)
from .symbols import COLOURS, LAYOUTS, PAINTS, SPACE, Layout, cube_place, name

HALF = SPACE / 2 - 3  # half the side of a space's marks
CLEAR = 26.0  # how much narrower a mark is next to a cartouche
RANK_SIZE = 27.0  # of the numbers in a ranking
INK, CREAM, HEAD = COLOURS['ink'], COLOURS['ivory'], COLOURS['umber']


# ---- the scene ---------------------------------------------------------------------------------------------


@dataclass
class Scene:
    """The contents of a picture."""

    view: View
    page: bool
    layout: Layout
    cubes: dict[int, int]  # space -> seat or NEUTRAL
    pyramids: set[int]
    choices: Choices
    laid: list[int] = field(default_factory=list)  # spaces of the draft's cubes, in their order
    # ids of what the last turns laid or took, each with the seat that did it
    last: dict[str, int] = field(default_factory=dict)
    only: int = -1  # the only action left

    @property
    def s(self) -> State:
        state: State = self.view.state
        return state

    def stand(self, space: int) -> Point:
        """Where a cube stands, or would stand."""
        return cube_place(self.layout, space, space in self.pyramids)

    @property
    def digger(self) -> str:
        """The colour of the cubes that are laid now."""
        return colour_of(self.view, NEUTRAL if digging_neutral(self.s) else int(self.s.to_move))


def _scene(view: View, page: bool) -> Scene:
    s = view.state
    last = {id_: event.seat for event in view.last for id_ in event.elements if event.kind in MARKED}
    return Scene(
        view,
        page,
        LAYOUTS[rows_of(s)],
        cubes_of(s),
        pyramids_of(s),
        choices_of(s, view.actions),
        laid_of(s),
        last,
        view.actions[0] if len(view.actions) == 1 else -1,
    )


def draw(view: View, theme: Theme = 'light') -> str:
    """The position as SVG: standing alone, or for a page (theme 'page': with `symbols` there; classes
    and ids matter)."""
    scene = _scene(view, theme == 'page')
    drawing = _picture(scene, say('board.label'), scene.layout.box)
    return picture(drawing, theme, symbols=S.symbol_set(), background=var('felt-2'))


def symbols() -> Symbols:
    """What drawings for pages refer to."""
    return S.symbol_set()


def _picture(scene: Scene, label: str, box: tuple[float, ...]) -> Markup:
    """The drawing, layer by layer from the bottom."""
    s = scene.s
    if s.ending:
        return board_svg(box, label, quiet(use(name('ground-3')), _season(scene), _exhibits(scene)))
    now = surveying(s)
    # on a page these explain themselves
    season, plaques = (_season(scene),), [_plaque(scene, area) for area in areas_of(s)]
    layers = [
        quiet(use(name(f'ground-{scene.layout.rows}')), *(() if scene.page else season), _coordinates(scene)),
        tag('g', *season, data_about='season', aria_hidden='true') if scene.page else '',
        *(part for area in areas_of(s) for part in _area(scene, area)),
        quiet(_last_cubes(scene)),
        *(() if now else (_space(scene, space) for space in range(24 * scene.layout.rows))),
        *(part for area in areas_of(s) for part in _about(scene, area) if scene.page),
        quiet(_chain(scene)),
        *(_cube(scene, space, who) for space, who in scene.cubes.items()),
        *(_patron(scene, area, k) for area in areas_of(s) for k in range(2)),
        quiet(_over_cubes(scene), _only(scene), *(() if scene.page else plaques)),
        *(plaques if scene.page else ()),
        *(_tile_target(scene, tile) for tile in scene.choices.tiles),
    ]
    return board_svg(box, label, *layers)


def _exhibits(scene: Scene) -> Markup:
    """The museum, as large as the region was."""
    top = scene.layout.top
    scale = (scene.layout.side - top - 16) / museum.HEIGHT
    place = translate((scene.layout.side - scale * museum.CARD) / 2, top, scale=scale)
    return tag('g', museum.exhibition(scene.view), transform=place)


def _season(scene: Scene) -> Markup:
    """The headline: the number of the season, and its phase, excavation or survey; at the end the exhibition.
    It stands on the horizon in two lines, in the last season in one over the region."""
    s, wide = scene.s, scene.layout.rows == 2
    phase = say('board.survey', area=C.AREAS[s.area]) if surveying(s) else say('board.excavation')
    if s.ending:
        phase = say('board.exhibition')
    season, (size, small) = int(s.season), (32, 21) if wide else (23, 20)
    x, y = (38.0, 87.0) if wide else (S.FLANK + 147, 25.0)
    left, top = (30.0, 48.0) if wide else (S.FLANK + 2, y)
    parts = [
        words(
            say('board.season', season=season + 1), x=left, y=top, font_size=size, font_weight=750, fill=HEAD
        )
    ]
    for k in range(C.N_SEASONS):
        over = k <= season
        parts.append(
            tag(
                'circle',
                cx=x + 24 * k,
                cy=y - 7,
                r=7.5,
                fill=COLOURS['amber' if over else 'ivory'],
                fill_opacity=1 if over else 0.55,
                stroke=COLOURS['amber'],
                stroke_width=2,
            )
        )
    x += 24 * C.N_SEASONS
    return joined((*parts, words(phase, x=x, y=y, font_size=small, font_weight=600, fill=COLOURS['bark'])))


def _coordinates(scene: Scene) -> Markup | str:
    """Letters below, numbers on the left."""
    if not scene.view.settings.coordinates:
        return ''
    layout, wide = scene.layout, scene.layout.rows == 2
    style: dict[str, str | float] = {
        'class_': 'coordinate',
        'font_size': 18,
        'font_weight': 700,
        'text_anchor': 'middle',
        'fill': COLOURS['bark'],
    }
    left = layout.left - (17 if wide else 8)
    below = layout.middle(24 * layout.rows - 1)[1] + SPACE / 2 + (22 if wide else 20)
    letters = (words(name, x=layout.middle(k)[0], y=below, **style) for k, name in enumerate(C.COLUMNS))
    rows = range(3 * layout.rows)
    numbers = (
        words(str(row + 1), x=left, y=layout.middle(C.N_COLUMNS * row)[1] + 6, **style) for row in rows
    )
    return joined((*letters, *numbers))


# ---- areas and tiles ---------------------------------------------------------------------------------------


def _area(scene: Scene, area: int) -> Iterator[Markup | str]:
    """The slabs of two tiles, or after their survey the sand where they lay."""
    s, layout = scene.s, scene.layout
    if surveyed(s, area):
        yield quiet(use(name('bed'), translate(*layout.corner(2 * area))))
    else:
        yield quiet(*(_slab(scene, 2 * area + k, tile) for k, tile in enumerate(tiles_in(s, area))))
    if surveying(s) and area == s.area:
        x, y = layout.corner(2 * area)
        rect: dict[str, float] = {
            'x': x - 5,
            'y': y - 5,
            'width': 2 * S.TILE_WIDTH + 10,
            'height': S.TILE_HEIGHT + 10,
            'rx': 13,
        }
        yield quiet(
            tag('rect', fill='none', stroke=INK, stroke_width=8, stroke_opacity=0.8, **rect),
            tag('rect', fill='none', stroke=CREAM, stroke_width=3.4, **rect),
        )


def _slab(scene: Scene, slot: int, tile: int) -> Markup:
    """A tile with its pyramids, pale if it is gone."""
    layout, pale = scene.layout, None if scene.s.owner[tile] == LYING else 0.6
    pyramids = [space for space in sorted(scene.pyramids) if _slot_of(space) == slot]
    slab = use(name('slab-tile'), translate(*layout.corner(slot)), opacity=pale)
    return joined([slab, *(use(name('pyramid'), translate(*layout.stand(space, 5))) for space in pyramids)])


def _about(scene: Scene, area: int) -> Iterator[Markup]:
    """Things that explain themselves and play nothing: the cartouche of a tile, and the mark of a taken tile;
    while nobody digs, the whole tile."""
    s = scene.s
    digging = not (surveying(s) or s.ending)
    for k, tile in enumerate(tiles_in(s, area)):
        yield _about_tile(scene.layout, 2 * area + k, tile, digging)


def _about_tile(layout: Layout, slot: int, tile: int, digging: bool) -> Markup:
    if digging:
        half = S.cartouche_half(tile)
        x, y = layout.heart(slot)
        rect: dict[str, float] = {'x': x - 23, 'y': y - half, 'width': 46, 'height': 2 * half, 'rx': 23}
    else:
        x, y = layout.corner(slot)
        rect = {'x': x, 'y': y, 'width': S.TILE_WIDTH, 'height': S.TILE_HEIGHT, 'rx': 9}
    shape = tag('rect', class_='hit', fill='none', pointer_events='all', **rect)
    return tag('g', shape, data_about=tile_id(tile), aria_hidden='true')


def _slot_of(space: int) -> int:
    """The place of the deal that a space belongs to."""
    row, column = divmod(space, C.N_COLUMNS)
    return 4 * (row // 3) + column // 2


def _patron(scene: Scene, area: int, k: int) -> Markup:
    """The patron of a tile, over cubes and marks: its cartouche, or until the season ends the mark of its
    taker, small while there are cubes."""
    s, tile = scene.s, tiles_in(scene.s, area)[k]
    owner, id_ = int(s.owner[tile]), tile_id(tile)
    place = translate(*scene.layout.heart(2 * area + k))
    if owner == LYING:
        # a target is drawn on top of everything
        return _cartouche(tile, place, None if tile in scene.choices.tiles else id_)
    if owner > LYING:
        label = say('board.gone', tile=tile_words(tile))
        return tag('g', tag('g', role='img', aria_label=label), id=id_, class_='tile')
    label = say('board.taken', tile=tile_words(tile), player=player_word(owner, scene.view.names))
    size = 1 if surveyed(s, area) else 0.68
    drawing = _taken(tile, colour_of(scene.view, owner), size, id_ in scene.last)
    mark = tag('g', drawing, role='img', aria_label=label, transform=place, pointer_events='none')
    return tag('g', mark, id=id_, class_='tile')


def _cartouche(tile: int, place: str, id_: str | None) -> Markup:
    face = use(S.cartouche_name(tile), place, id=face_id(tile))
    return tag(
        'g',
        tag('g', face, role='img', aria_label=tile_words(tile), pointer_events='none'),
        id=id_,
        class_='tile',
    )


def _taken(tile: int, colour: str, size: float, last: bool = False) -> Markup:
    """A patron on its way to a player: the medal, with sign and colour of its taker; in brass if that was the
    last turn."""
    halo = (
        joined(
            tag('circle', r=41, fill='none', stroke=ink, stroke_width=width)
            for ink, width in last_lines(colour, 9.0)
        )
        if last
        else ''
    )
    return tag(
        'g',
        halo,
        S.medal(KINDS[C.PATRON_OF[tile]], 0, 0, 36),
        tag('circle', cx=29, cy=29, r=18, fill=CREAM, stroke=PAINTS[colour].deep, stroke_width=2),
        S.sign(colour, 29, 29, 1.12, PAINTS[colour].deep),
        transform=f'scale({size:g})' if size != 1 else None,
    )


def _tile_target(scene: Scene, tile: int) -> Markup:
    """A tile that can be taken: all of it is to be clicked."""
    s, layout = scene.s, scene.layout
    slot = 2 * int(s.area) + tiles_in(s, int(s.area)).index(tile)
    x, y = layout.corner(slot)
    rect: dict[str, float] = {
        'x': x + 4,
        'y': y + 4,
        'width': S.TILE_WIDTH - 8,
        'height': S.TILE_HEIGHT - 8,
        'rx': 9,
    }
    parts = [
        tag(
            'rect',
            class_='hit',
            x=x,
            y=y,
            width=S.TILE_WIDTH,
            height=S.TILE_HEIGHT,
            fill='none',
            pointer_events='all',
        )
    ]
    if scene.view.settings.marks:
        parts.append(
            tag(
                'g',
                tag(
                    'rect', fill='none', stroke=var('legal-case'), stroke_opacity=0.75, stroke_width=7, **rect
                ),
                tag(
                    'rect',
                    fill=var('legal'),
                    fill_opacity=0.05,
                    stroke=var('legal'),
                    stroke_width=3.6,
                    **rect,
                ),
                class_='mark',
                opacity=0.85,
            )
        )
    parts += [
        tag(
            'rect',
            class_='chosen-ring',
            display='none',
            fill='#fff',
            fill_opacity=0.2,
            stroke='#fff',
            stroke_width=6,
            **rect,
        ),
        focus_ring('rect', **rect),
    ]
    key = 'board.remove' if s.phase == Phase.REMOVE else 'board.take'
    return tag(
        'g',
        *parts,
        id=tile_id(tile),
        class_='tile target',
        role='button',
        aria_label=say(key, tile=tile_words(tile)),
    )


# ---- spaces and cubes --------------------------------------------------------------------------------------


def _space(scene: Scene, space: int) -> Markup:
    """A space as something to click. On a cube from which an extension is possible, a click is one on the
    button for it."""
    x, y = scene.layout.middle(space)
    choices, who = scene.choices, scene.cubes.get(space, -1)
    label = space_words(scene.view, space, who, space in scene.pyramids)
    rect: dict[str, float] = {'x': x - SPACE / 2, 'y': y - SPACE / 2, 'width': SPACE, 'height': SPACE}
    hit = tag('rect', class_='hit', fill='none', pointer_events='all', **rect)
    if not (space in choices.starts or space in choices.extends or space in choices.spaces):
        extends = space not in scene.laid and _extends(scene, space, who)
        return tag(
            'g',
            hit,
            id=space_id(space),
            class_='space',
            role='img',
            aria_label=label,
            aria_hidden='true' if who >= 0 else None,
            data_target=_button(scene) if extends else None,
        )
    if space in choices.spaces:
        label = say('board.next', space=label, n=_next_cube(scene))
    parts = [hit]
    if scene.view.settings.marks and (scene.page or space in choices.spaces):
        parts.append(_mark(scene, space))
    if scene.page:
        side = 2 * HALF
        parts.append(focus_ring('rect', x=x - HALF, y=y - HALF, width=side, height=side, rx=8))
    return tag('g', *parts, id=space_id(space), class_='space target', role='button', aria_label=label)


def _button(scene: Scene) -> str:
    """The target of the button that begins an extension."""
    return 'do:neutral-extend' if scene.s.phase == Phase.NEUTRAL else 'do:extend'


def _extends(scene: Scene, space: int, who: int) -> bool:
    """Is there a cube of the digger from which an extension is possible?"""
    return (
        bool(scene.choices.extends)
        and who >= 0
        and colour_of(scene.view, who) == scene.digger
        and any(near in scene.choices.extends for near in neighbours(space))
    )


def _next_cube(scene: Scene) -> int:
    """The number of the cube that is laid next in this action, from 1."""
    return 1 + sum(int(cube) >= 0 for cube in scene.s.laid)


def _mark(scene: Scene, space: int) -> Markup:
    """The mark of a space that may be chosen: a small dot where an action can begin, a ring with its number
    where the next cube goes."""
    x, y = scene.layout.stand(space)
    if space not in scene.choices.spaces:
        return tag(
            'circle',
            cx=x,
            cy=y,
            r=6.5,
            fill=var('legal'),
            stroke=var('legal-case'),
            stroke_width=2.2,
            stroke_opacity=0.8,
            class_='mark',
            opacity=0.62,
        )
    n = str(_next_cube(scene))
    return tag(
        'g',
        tag(
            'circle',
            cx=x,
            cy=y,
            r=24,
            fill='#fff',
            fill_opacity=0.55,
            stroke=var('legal-case'),
            stroke_width=3.4,
            stroke_dasharray='6.5 5',
        ),
        words(n, x=x, y=y + 9.5, font_size=27, font_weight=800, text_anchor='middle', fill=var('legal-case')),
        class_='mark',
        opacity=0.92,
    )


def _last_cubes(scene: Scene) -> Markup | str:
    """In brass and their players' colours: frames round the cubes that were laid last."""
    return joined(
        part
        for space in scene.cubes
        if cube_id(space) in scene.last and space not in scene.laid
        for part in _last_cube(scene, space)
    )


def _last_cube(scene: Scene, space: int) -> Iterator[Markup]:
    """The frame of a cube's space, narrower next to a cartouche."""
    (x, y), (stand, _) = scene.layout.middle(space), scene.layout.stand(space)
    left, right = (HALF - CLEAR * (stand > x), HALF - CLEAR * (stand < x))
    rect = (x - left, y - HALF, left + right, 2 * HALF)
    shape = dict(zip(('x', 'y', 'width', 'height'), rect, strict=True))
    yield tag('rect', rx=7, fill=COLOURS['brass'], fill_opacity=0.55, **shape)
    yield from last_paths(S.frame_data(*rect, 19), scene.view.colour(scene.last[cube_id(space)]), 8.0)


def _cube(scene: Scene, space: int, who: int) -> Markup:
    """A cube."""
    cube = use(name(f'cube-{colour_of(scene.view, who)}'), translate(*scene.stand(space)))
    label = space_words(scene.view, space, who, space in scene.pyramids)
    return tag('g', tag('g', cube, role='img', aria_label=label), id=cube_id(space), class_='cube piece')


def space_words(view: View, space: int, who: int, pyramid: bool) -> str:
    """A space and its contents in words."""
    if who < 0:
        return say('board.pyramid' if pyramid else 'board.empty', space=C.SPACES[space])
    key = 'board.cube_on_pyramid' if pyramid else 'board.cube'
    return say(key, space=C.SPACES[space], player=player_word(who, view.names))


def _chain(scene: Scene) -> Markup | str:
    """The way of the draft's excavation."""
    spaces = [space for space in scene.s.laid if space >= 0]
    if len(spaces) < 2:
        return ''
    data = 'M' + 'L'.join(pair(*scene.stand(int(space))) for space in spaces)
    paint = PAINTS[scene.digger]
    return joined(
        (
            tag(
                'path',
                d=data,
                fill='none',
                stroke='#fff',
                stroke_opacity=0.75,
                stroke_width=9,
                stroke_linecap='round',
            ),
            tag(
                'path',
                d=data,
                fill='none',
                stroke=paint.deep,
                stroke_width=3.6,
                stroke_dasharray='1 8',
                stroke_linecap='round',
            ),
        )
    )


def _over_cubes(scene: Scene) -> Markup | str:
    """Numbers on the draft's cubes."""
    parts = []
    for k, space in enumerate(scene.laid):
        x, y = scene.stand(space)
        paint = PAINTS[colour_of(scene.view, scene.cubes[space])]
        parts.append(
            tag(
                'g',
                tag('circle', r=14.5, fill='#fff', stroke=paint.deep, stroke_width=2.6),
                words(
                    str(k + 1), y=7.4, font_size=21, font_weight=800, text_anchor='middle', fill=paint.deep
                ),
                transform=translate(x - 26, y - 25),
            )
        )
    return joined(parts)


def _only(scene: Scene) -> Markup | str:
    """The only action left, as if it was done."""
    s, action = scene.s, scene.only
    if action < 0:
        return ''
    spaces = [*scene.choices.starts, *scene.choices.extends, *scene.choices.spaces]
    if spaces:
        return use(name(f'ghost-{scene.digger}'), translate(*scene.stand(spaces[0])))
    if scene.choices.tiles and s.phase == Phase.CLAIM:
        tile = scene.choices.tiles[0]
        x, y = scene.layout.heart(2 * int(s.area) + tiles_in(s, int(s.area)).index(tile))
        return tag(
            'g', _taken(tile, scene.view.colour(int(s.to_move)), 0.9), transform=translate(x, y), opacity=0.9
        )
    return ''


# ---- rankings ----------------------------------------------------------------------------------------------


def _plaque(scene: Scene, area: int) -> Markup | str:
    """Over (in the last season beside) an area: its letter and its ranks, those that have chosen in its
    survey pale."""
    s, layout, done = scene.s, scene.layout, surveyed(scene.s, area)
    ranks = [] if done else ranking(s, area, scene.cubes)
    next_rank = int(s.next_rank) if surveying(s) and area == s.area else -1
    x, y = layout.corner(2 * area)
    if layout.rows == 2:
        width = 41.0 + 60 * len(ranks)
        place = translate(x + S.TILE_WIDTH - width / 2, y - 5 - S.PLAQUE / 2)
        frame: dict[str, float] = {'x': 0, 'y': -19, 'width': width + (6 if ranks else 0), 'height': 38}
        spots = [(58.0 + 60 * k, 0.0, 25.0) for k in range(len(ranks))]
        letter, size = (19.0, 0.0), 22.0
    else:
        height = 42.0 + 36 * len(ranks)
        left = area % 2 == 0
        place = translate(
            (S.FLANK - 15) / 2 if left else layout.side - S.FLANK / 2, y + S.TILE_HEIGHT / 2 - height / 2
        )
        frame = {'x': -24, 'y': 0, 'width': 48, 'height': height}
        spots = [(-10.5, 57.0 + 36 * k, 21.0) for k in range(len(ranks))]
        letter, size = (0.0, 21.0), 24.0  # legible on a phone, where this layout is drawn smaller
    parts = [
        tag('rect', rx=20, fill=COLOURS['umber'], fill_opacity=0.9 if not done else 0.4, **frame),
        tag(
            'rect',
            rx=20,
            fill='none',
            stroke=COLOURS['cream'],
            stroke_opacity=0.35,
            stroke_width=1.4,
            **frame,
        ),
        tag(
            'circle',
            cx=letter[0],
            cy=letter[1],
            r=14.5,
            fill=COLOURS['dune-3'],
            stroke='#fff',
            stroke_opacity=0.5,
            stroke_width=1.2,
        ),
        words(
            C.AREAS[area],
            x=letter[0],
            y=letter[1] + 0.33 * size,
            font_size=size,
            font_weight=800,
            text_anchor='middle',
            fill=INK,
        ),
    ]
    for k, ((who, n), spot) in enumerate(zip(ranks, spots, strict=True)):
        parts += _rank(colour_of(scene.view, who), n, spot, k < next_rank, k == next_rank)
    about = f'area-{C.AREAS[area]}' if scene.page else None
    return tag('g', *parts, transform=place, data_about=about, aria_hidden='true' if about else None)


def _rank(
    colour: str, n: int, spot: tuple[float, float, float], chosen: bool, chooses: bool
) -> Iterator[Markup]:
    """A rank of an area: its player's sign and number of cubes, at a `spot` (x, y, distance of the number).
    It is pale if the player has `chosen` in the survey, and framed if the player `chooses` now."""
    a, b, across = spot
    if chooses:
        yield tag(
            'rect',
            x=a - 14,
            y=b - 16,
            width=across + 27,
            height=32,
            rx=12,
            fill='none',
            stroke=var('legal'),
            stroke_width=2.6,
        )
    yield tag(
        'g',
        S.sign(colour, a, b, 1.05 if across > 22 else 0.92),
        words(
            str(n),
            x=a + across,
            y=b + 9.4,
            font_size=RANK_SIZE,
            font_weight=750,
            text_anchor='middle',
            fill=CREAM,
        ),
        opacity=0.42 if chosen else None,
    )


# ---- pictures of the game ----------------------------------------------------------------------------------

# A moment of a game: the second season, four players.
MOMENT = {
    'game': 'mykerinos',
    'players': 4,
    'to_move': 3,
    'season': 2,
    'turn': 60,
    'first': 1,
    'wings': ['tangerine', 'violet', 'brown', 'lemon', 'blackmore'],
    'tiles': [
        'brown-5',
        'violet-3',
        'tangerine-6 turned',
        'lemon-2',
        'blackmore-7 turned',
        'tangerine-3',
        'violet-4',
        'blackmore-2 turned',
    ],
    'held': [['violet-1'], ['lemon-1', 'brown-1'], ['violet-2', 'tangerine-1'], ['brown-2']],
    'gone': ['lemon-3', 'violet-5'],
    'cubes': {
        'c1': 0,
        'd1': 0,
        'd2': 0,
        'e1': 2,
        'e2': 1,
        'f2': 1,
        'g1': 0,
        'g3': 3,
        'h3': 3,
        'h2': 2,
        'f5': 3,
        'f4': 3,
    },
    'stock': [3, 4, 4, 5],
}
CROP = (321.0, 16.0, 416.0, 390.0)


@cache
def emblem(theme: Theme = 'light', size: int = 640) -> str:
    """A detail of the region as the game's picture, 320 x 300; standing alone unless the theme is 'page'."""
    scene = _scene(View(notation.from_json(MOMENT), -1, settings=ViewSettings(coordinates=False)), False)
    drawing = _picture(scene, say('title'), CROP)
    return picture(drawing, theme, size, S.symbol_set())


@cache
def badge(size: int = 44) -> str:
    """The game's icon for lists: a pyramid on sand, standing alone."""
    body = joined(
        (
            tag('rect', x=-50, y=-50, width=100, height=100, rx=18, fill=var('desert-1')),
            tag('path', d=ring(44), fill=COLOURS['dune-2'], fill_opacity=0.6),
            use(name('pyramid'), translate(0, 0, scale=0.94)),
        )
    )
    drawing = tag('svg', body, viewBox='-50 -50 100 100', role='img', aria_label=say('title'))
    return standalone(drawing, 'light', size, S.symbol_set())


# ---- pictures for the rulebook -----------------------------------------------------------------------------

EXAMPLES = Path(__file__).parent.parent / 'examples'

# the card, the example, the steps played from it, the last step: the seat to move sees it as about to be
# chosen
CARDS: dict[str, tuple[str, str, str, str]] = {
    'museum': ('museum', 'two', '', ''),
    'patrons': ('patrons', 'dig', '', 'pass'),
    'brown': ('museum', 'dig', 'brown', '5-lemon'),
    'claim': ('museum', 'survey', 'take 2', 'museum 3-tangerine'),
    'exhibition': ('exhibition', 'last', 'take 1', ''),
}


def figure(game: Game, name: str, theme: Theme = 'light') -> str:
    """The picture of that name, standing alone unless the theme is 'page'; '' if there is none."""
    if name == 'tiles':
        return all_tiles(theme)
    if name not in CARDS:
        return ''
    card, example, played, last = CARDS[name]
    position = Position(
        game, notation.from_json(json.loads((EXAMPLES / f'{example}.json').read_text('utf-8')))
    ).after(played)
    view = position.view(position.to_move if last else SPECTATOR)
    if last:
        view = replace(view, actions=(notation.action_from_name(position.state, last),))
    drawn = next(found.drawing for found in cards.cards(view) if found.id == card)
    return picture(drawn, theme, symbols=S.symbol_set(), background=var('surface'))


def all_tiles(theme: Theme = 'light') -> str:
    """The 36 tiles as a picture for the rulebook: a row for each patron, the blank tile last."""
    scale, across, down = 0.5, 92.0, 148.0
    parts = []
    for tile, kind in enumerate(C.PATRON_OF):
        row, column = (kind, tile % 7) if kind != C.BLANK else (2, 7)
        parts.append(
            words(
                C.TILES[tile],
                x=52 + across * column,
                y=148 + down * row,
                font_size=11.5,
                font_weight=600,
                text_anchor='middle',
                fill=INK,
            )
        )
        parts.append(
            tag(
                'g',
                _plain_tile(tile),
                transform=translate(10 + across * column, 10 + down * row, scale=scale),
                role='img',
                aria_label=tile_words(tile),
            )
        )
    width, height = 10 + across * 8, 10 + down * C.N_PATRONS
    drawing = sheet_svg(width, height, f'url(#{name("desert")})', say('board.tiles'), *parts)
    return picture(drawing, theme, symbols=S.symbol_set())


def _plain_tile(tile: int) -> Markup:
    """A tile by itself, not turned."""
    pyramids = [
        use(
            name('pyramid'),
            translate(
                S.PAD + SPACE * (k % 2 + 0.5) + ((5 if k % 2 else -5) if k // 2 == 1 else 0),
                S.PAD + SPACE * (k // 2 + 0.5),
            ),
        )
        for k in C.PYRAMIDS_OF[tile]
    ]
    return joined(
        (
            use(name('slab-tile')),
            *pyramids,
            use(S.cartouche_name(tile), translate(S.TILE_WIDTH / 2, S.TILE_HEIGHT / 2)),
        )
    )
