"""The drawing of Myrmidons: the board as SVG, and the pictures of the game.

The upper left corner of a7 is the origin, a square is symbols.CELL wide, x to the right, y downwards. Seat 1
sees the board turned by half a circle: everything that belongs to a square lies in one group that is turned
as a whole, what must stay upright is turned back. So ways (of events and ghosts) have the same coordinates
for all; the transform of a ghost is that of the seat which moves.

Ids in a drawing: `sq-c4` (a square), `piece-0-c1` (a piece, named all game long by its seat and the square on
which it started), `hand-5-1-3` (a type still to be deployed), `way-NE` (an order in that heading). The groups
of pieces carry no transform of their own: a page may move them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from markupsafe import Markup

from ludoteca.drawing.boards import board_svg, focus_ring, last_paths
from ludoteca.drawing.cards import sheet_svg
from ludoteca.drawing.geometry import Point, along, polygon
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import (
    Symbols,
    joined,
    number,
    pair,
    picture,
    quiet,
    standalone,
    tag,
    translate,
    use,
    words,
)
from ludoteca.game import Event, Game, Theme, View, ViewSettings

from .. import components as C
from .. import notation
from .. import rules as R
from ..rules import SIDE, UNKNOWN, Army, Phase, State
from . import symbols as S
from .events import ways
from .facts import (
    COLOURS,
    deduced,
    friends_of,
    gaps,
    heading_words,
    headings_of,
    moves_of,
    piece_id,
    pieces_of,
    plan,
    reach_of_friends,
    say,
    square_words,
    step,
    type_word,
    with_laid,
)
from .symbols import BONE, CELL, FRAME, HEIGHT, WIDTH, square_centre

VIEW = (-FRAME - 6, -FRAME - 6, WIDTH + 2 * FRAME + 12, HEIGHT + 2 * FRAME + 18)
# distance of an order's arrow from the middle of the Commander's square, along file and rank
ROSE = 59.0
LANE = 10.0  # how far two arrows on one line keep apart
KEPT = 512  # parts of pictures that are kept, since they are the same in most messages
GHOST = 0.56  # opacity of a piece on the square that it would reach
BACK_TAG, NOTE_TAG = (70.0, 30.0), (82.0, 28.0)


# ---- the scene ---------------------------------------------------------------------------------------------


@dataclass
class Scene:
    """The contents of a picture."""

    view: View
    turned: bool = False  # seen by seat 1
    page: bool = False
    colour: str = COLOURS[0]  # of the viewer
    moves: dict[int, list[int]] = field(default_factory=dict)  # the viewer's: from -> to
    headings: list[int] = field(default_factory=list)  # in which it can (or could) give an order
    friends: dict[int, int] = field(default_factory=dict)  # that can be named next -> most steps
    going: list[tuple[int, int]] = field(default_factory=list)  # a plan: squares and steps
    heading: int = -1  # of the plan
    deploys: list[int] = field(default_factory=list)  # types that can be put on the next square
    next: int = -1  # the next square to be filled
    # squares on which anything in hand can be laid
    places: tuple[int, ...] = ()
    last: tuple[Event, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)  # element id -> what it is, in words
    note: str = ''  # over the types in hand

    @property
    def s(self) -> State:
        state: State = self.view.state
        return state

    @cached_property
    def ends(self) -> set[int]:
        """Squares where something can end that can be chosen now."""
        found = {end for ends in self.moves.values() for end in ends}
        return found | {
            step(square, self.heading, n + 1) for square, most in self.friends.items() for n in range(most)
        }


def _scene(view: View, page: bool) -> Scene:
    view = with_laid(view)
    s = view.state
    scene = Scene(
        view,
        view.seat == 1,
        page,
        view.colour(max(view.seat, 0), COLOURS),
        moves_of(view.actions),
        headings_of(view.actions),
        friends_of(view.actions),
    )
    scene.last = tuple(event for event in view.last if 'start' in event.values) or ways(s, view.colours)
    if s.phase == Phase.DEPLOY and view.actions:
        scene.deploys = [kind for kind in range(C.N_TYPES) if s.hand[view.seat, kind] > 0]
        scene.places = tuple(
            int(square) for square in C.START[view.seat * SIDE : view.seat * SIDE + int(s.size)]
        )
        scene.next = next(iter(gaps(s, view.seat)), -1)
    if s.phase == Phase.ORDER:
        leader = R.leader_square(s, int(s.to_move))
        scene.heading, scene.going = int(s.heading), plan(s)
        scene.headings = [heading for heading in range(8) if R.can_order(s, int(s.to_move), leader, heading)]
        going = dict(scene.going)
        scene.friends = {square: most for square, most in reach_of_friends(s).items() if square not in going}
    if len(view.actions) == 1:
        _show_only(scene, view.actions[0])
    scene.labels = _labels(scene)
    scene.note = say('board.hand')
    return scene


def _show_only(scene: Scene, action: int) -> None:
    """A single action that is left is shown as if it was planned."""
    match notation.decode(action):
        case 'move', (start, end):
            scene.heading, scene.going = int(C.HEADING_TO[start, end]), [(start, int(C.STEPS_TO[start, end]))]
        case 'friend', (square, steps):
            scene.going = sorted(
                [*scene.going, (square, steps)], key=lambda mover: C.ORDER[scene.heading][mover[0]]
            )


def draw(view: View, theme: Theme = 'light') -> str:
    """The position as SVG: standing alone, or for a page (theme 'page': with `symbols` there; classes
    and ids matter)."""
    drawing = _picture(_scene(view, theme == 'page'), say('board.label'))
    return picture(drawing, theme, symbols=S.symbol_set(), background=var('felt-2'))


def symbols() -> Symbols:
    """What drawings for pages refer to."""
    return S.symbol_set()


def _picture(scene: Scene, label: str, box: tuple[float, ...] = VIEW) -> Markup:
    """The drawing, layer by layer from the bottom."""
    board = [
        quiet(_last_squares(scene), _goals(scene), _next_square(scene)),
        *(_square(scene, square) for square in range(C.N_SQUARES)),
        quiet(_reaches(scene), _ghosts(scene), _arrows(scene)),
        *_standing(scene),
        quiet(_over_pieces(scene)),
        *_ways_to_order(scene),
    ]
    turn = f'rotate(180 {number(WIDTH / 2)} {number(HEIGHT / 2)})' if scene.turned else None
    return board_svg(
        box,
        label,
        quiet(use(S.name('board')), _frame(scene), _laurels(scene)),
        tag('g', *board, transform=turn),
        _hand(scene),
    )


def _upright(scene: Scene, x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """The transform of something that stands at a place of the (turned) board."""
    return (
        translate(x, y, 180 if scene.turned else 0)
        + (f' rotate({number(turn)})' if turn else '')
        + (f' scale({scale:.3g})' if scale != 1 else '')
    )


def _offset(scene: Scene, x: float, y: float) -> Point:
    """A distance on the screen, as one on the (turned) board."""
    return (-x, -y) if scene.turned else (x, y)


def _frame(scene: Scene) -> Markup:
    return _meander(scene.view.settings.coordinates, scene.turned)


@cache
def _meander(coordinates: bool, turned: bool) -> Markup:
    """The meander; files below, ranks on the left, in its gaps."""
    if not coordinates:
        return use(S.name('frame'))
    style: dict[str, str | float] = {
        'class_': 'coordinate',
        'font_size': 17,
        'font_weight': 700,
        'text_anchor': 'middle',
        'fill': '#f0c79f',
    }
    files = [
        words(
            C.FILES[k if not turned else C.N_FILES - 1 - k],
            x=CELL * (k + 0.5),
            y=HEIGHT + 21.5,
            **style,
        )
        for k in range(C.N_FILES)
    ]
    ranks = [
        words(str(k + 1 if turned else C.N_RANKS - k), x=-19, y=CELL * (k + 0.5) + 6, **style)
        for k in range(C.N_RANKS)
    ]
    return joined([use(S.name('frame-lettered')), *files, *ranks])


def _laurels(scene: Scene) -> Markup:
    """A garland on the rank where the viewer wins; for spectators on both."""
    upper = use(S.name('laurel'), translate(0, 10))
    return upper if scene.view.seat >= 0 else Markup(upper + use(S.name('laurel'), translate(0, HEIGHT - 10)))


# ---- squares -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=KEPT)
def _hit(half: float) -> Markup:
    """What a click on a block hits: a square round the origin, `half` its side."""
    return tag(
        'rect',
        class_='hit',
        x=-half,
        y=-half,
        width=2 * half,
        height=2 * half,
        fill='none',
        pointer_events='all',
    )


def _cell(square: int, grow: float = 0) -> dict[str, float]:
    """A square as attributes of a <rect>."""
    x, y = square_centre(square)
    return {
        'x': x - CELL / 2 - grow,
        'y': y - CELL / 2 - grow,
        'width': CELL + 2 * grow,
        'height': CELL + 2 * grow,
    }


def _square(scene: Scene, square: int) -> Markup:
    """A square as something to click. Its mark is shown by the page while a piece is picked that can go
    there."""
    name = f'sq-{C.SQUARES[square]}'
    piece = int(scene.s.on[square])
    end = square in scene.ends or square == scene.next
    handles = _square_handles(
        square, bool(scene.page and scene.view.actions), scene.view.settings.marks, piece >= 0
    )
    kind = 'square target' if end else 'square'
    return tag(
        'g',
        handles,
        id=name,
        class_=f'{kind} place' if square in scene.places else kind,
        role='button' if end else 'img',
        aria_label=scene.labels[name],
        aria_hidden='true' if piece >= 0 and not end else None,
    )


@lru_cache(maxsize=KEPT)
def _square_handles(square: int, chosen: bool, marks: bool, occupied: bool) -> Markup:
    """The parts of a square that take clicks and show choices. `chosen`: the page can choose something."""
    parts = [tag('rect', class_='hit', fill='none', pointer_events='all', **_cell(square))]
    if chosen:
        if marks:
            parts.append(_reach_mark(square, occupied))
        parts.append(focus_ring('rect', **_cell(square, -4), rx=8))
    return joined(parts)


def _reach_mark(square: int, occupied: bool) -> Markup:
    """The mark of a square that may be chosen, a light core in a dark case: a disk on an empty square, an
    outline where a friend stands that will be gone."""
    x, y = square_centre(square)
    kind, shape = (
        ('rect', {**_cell(square, -4), 'rx': 13.0}) if occupied else ('circle', {'cx': x, 'cy': y, 'r': 17.0})
    )
    return tag(
        'g',
        tag(
            kind,
            fill=var('legal'),
            fill_opacity=0 if occupied else 0.32,
            stroke=var('legal-case'),
            stroke_opacity=0.72,
            stroke_width=5,
            **shape,
        ),
        tag(kind, fill='none', stroke=var('legal'), stroke_width=2.6, **shape),
        class_='mark reach',
        display='none',
    )


def _last_squares(scene: Scene) -> Markup | str:
    """The squares of the last turn: starts and ends of the pieces that went, repelled attacks included."""
    parts, reach = [], CELL / 2 - 5
    keys = ('start', 'end', 'stop')
    squares = {
        str(event.values[key]): event.seat
        for event in scene.last
        for key in keys
        if key in event.values and (key != 'end' or 'stop' not in event.values or 'won' in event.values)
    }
    for square, seat in sorted((C.SQUARES.index(name), seat) for name, seat in squares.items()):
        x, y = square_centre(square)
        data = ''.join(
            f'M{pair(x + a * reach, y + b * (reach - 19))}V{number(y + b * reach)}H{number(x + a * (reach - 19))}'  # noqa: E501
            for a in (-1, 1)
            for b in (-1, 1)
        )
        parts.append(tag('rect', fill='#f6c445', fill_opacity=0.4, **_cell(square)))
        parts += last_paths(data, scene.view.colour(seat, COLOURS), 7.0)
    return joined(parts)


def _goals(scene: Scene) -> Markup | str:
    """Pieces that stand on the other's first rank and win at the start of their owner's next turn."""
    found = [
        int(scene.s.at[piece])
        for piece in pieces_of(scene.s)
        if C.BACK_RANK[piece // SIDE] >> int(scene.s.at[piece]) & 1
    ]
    return joined(
        tag('rect', fill='none', stroke='#66752b', stroke_width=5, rx=4, **_cell(square, -3))
        for square in found
    )


def _next_square(scene: Scene) -> Markup | str:
    """Empty places of a line-up, the next one marked."""
    if scene.s.phase != Phase.DEPLOY or scene.view.seat < 0:
        return ''
    parts: list[Markup] = []
    first = scene.view.seat * SIDE
    for piece in range(first, first + int(scene.s.size)):
        if scene.s.type[piece] == UNKNOWN:
            x, y = square_centre(C.START[piece])
            outline = S.block_outline(-1)
            coming = C.START[piece] == scene.next
            parts.append(
                tag(
                    'g',
                    tag(
                        'rect',
                        fill='#fff' if coming else '#6b5326',
                        fill_opacity=0.4 if coming else 0.1,
                        stroke='#6b5326',
                        stroke_opacity=0.75,
                        stroke_width=2.4,
                        stroke_dasharray='7 6',
                        **outline,
                    ),
                    _outline(3) if coming and scene.view.settings.marks else '',
                    transform=translate(x, y),
                )
            )
    return joined(parts)


@lru_cache(maxsize=KEPT)
def _outline(grow: float, core: str = '', case: str = '', width: float = 2.4) -> Markup:
    """An outline round a block: a light line in a dark one."""
    around = S.block_outline(grow)
    return Markup(
        tag(
            'rect',
            fill='none',
            stroke=case or var('legal-case'),
            stroke_opacity=0.75,
            stroke_width=width + 2.6,
            **around,
        )
        + tag('rect', fill='none', stroke=core or var('legal'), stroke_width=width, **around)
    )


# ---- a plan: ghosts and arrows -----------------------------------------------------------------------------


def _reaches(scene: Scene) -> Markup | str:
    """In an order: the squares in reach of each friend that can still be named."""
    if not scene.friends or not scene.view.settings.marks:
        return ''
    taken = {step(square, scene.heading, steps) for square, steps in scene.going}
    squares = [
        square
        for square in sorted(
            {
                step(square, scene.heading, n + 1)
                for square, most in scene.friends.items()
                for n in range(most)
            }
        )
        if scene.s.on[square] < 0 and square not in taken
    ]
    colour = PLAYERS[scene.colour].dark
    return joined(
        tag(
            'circle',
            cx=x,
            cy=y,
            r=14,
            fill='#fff',
            fill_opacity=0.5,
            stroke=colour,
            stroke_width=3,
            stroke_dasharray='5 4',
        )
        for x, y in map(square_centre, squares)
    )


def _ghosts(scene: Scene) -> Markup | str:
    """The pieces of a plan on the squares that they would reach."""
    parts, s, colour = [], scene.s, PLAYERS[scene.colour]
    if scene.next >= 0 and len(scene.deploys) == len(scene.view.actions) == 1:
        x, y = square_centre(scene.next)
        face = S.face_name(scene.view.colours, scene.view.seat, scene.deploys[0])
        parts.append(tag('g', use(face), transform=_upright(scene, x, y), opacity=0.8))
    for square, steps in scene.going:
        piece, end = int(s.on[square]), step(square, scene.heading, steps)
        if s.on[end] >= 0 and s.on[end] // SIDE != piece // SIDE:
            continue
        x, y = square_centre(end)
        parts.append(tag('rect', fill=colour.base, fill_opacity=0.16, **_cell(end)))
        face = S.face_name(scene.view.colours, piece // SIDE, int(s.type[piece]))
        parts.append(
            tag(
                'g',
                tag('g', use(face), opacity=GHOST),
                tag(
                    'rect',
                    fill='none',
                    stroke=colour.dark,
                    stroke_width=2.8,
                    stroke_dasharray='7 6',
                    **S.block_outline(3),
                ),
                transform=_upright(scene, x, y, scale=0.9),
            )
        )
    return joined(parts)


def _lanes(scene: Scene) -> dict[int, float]:
    """Movers on one line keep their own lane: square -> offset to the side."""
    lines: dict[int, list[int]] = {}
    dx, dy = S.aim(scene.heading)
    for square, _ in scene.going:
        x, y = square % C.N_FILES, C.N_RANKS - 1 - square // C.N_FILES
        lines.setdefault(round(x * dy - y * dx), []).append(square)
    return {
        square: LANE * (len(line) - 1 - 2 * k) for line in lines.values() for k, square in enumerate(line)
    }


def _arrow(start: Point, end: Point, inset: float, short: float, aside: float) -> str:
    """An arrow that begins and ends a little short of two points, as path data."""
    length = math.dist(start, end)
    u = (end[0] - start[0]) / length, (end[1] - start[1]) / length

    def at(ahead: float, side: float) -> Point:
        return along(along(start, u, ahead), (-u[1], u[0]), side + aside)

    tip = length - short
    return polygon(
        [
            at(inset, -3),
            at(tip - 23, -5.6),
            at(tip - 26, -15),
            at(tip, 0),
            at(tip - 26, 15),
            at(tip - 23, 5.6),
            at(inset, 3),
        ]
    )


def _arrows(scene: Scene) -> Markup | str:
    """The ways of a plan, under the blocks and over the ghosts, the first mover's on top."""
    lanes, parts = _lanes(scene), []
    slanting = scene.heading % 2
    for square, steps in reversed(scene.going):
        end = step(square, scene.heading, steps)
        fights = scene.s.on[end] >= 0 and scene.s.on[end] // SIDE != scene.s.to_move
        data = _arrow(
            square_centre(square),
            square_centre(end),
            20,
            (84 if slanting else 64) if fights else 22,
            lanes[square],
        )
        parts.append(tag('path', d=data, stroke=BONE, stroke_width=6, stroke_linejoin='round'))
        parts.append(tag('path', d=data, fill=PLAYERS[scene.colour].base))
    return tag('g', *parts) if parts else ''


# ---- pieces ------------------------------------------------------------------------------------------------


def _standing(scene: Scene) -> Iterator[Markup]:
    """The pieces, from the back to the front."""
    s, deploying = scene.s, scene.s.phase == Phase.DEPLOY
    for piece in sorted(pieces_of(s), key=lambda piece: int(s.at[piece]), reverse=not scene.turned):
        if not (deploying and piece // SIDE == scene.view.seat and s.type[piece] == UNKNOWN):
            yield _piece(scene, piece)


def _piece(scene: Scene, piece: int) -> Markup:
    """A piece. The outer group has no transform of its own: the page may move it."""
    s, name = scene.s, piece_id(piece)
    seat, square, kind = piece // SIDE, int(s.at[piece]), int(s.type[piece])
    own, going = seat == scene.view.seat, square in dict(scene.going)
    chosen = own and (square in scene.moves or square in scene.friends)
    prey = not own and square in scene.ends
    parts: list[str] = [use(S.name('shadow'))]
    if going:
        parts.append(_outline(4.5, '#fff6dc', PLAYERS[scene.colour].dark, 4))
    elif chosen and scene.view.settings.marks:
        parts.append(
            tag('g', _outline(2.6, width=1.8), class_='mark', opacity=0.95 if scene.friends else 0.62)
        )
    if kind >= 0:
        parts.append(use(S.face_name(scene.view.colours, seat, kind)))
        if s.seen[piece] and not s.ending:
            parts.append(use(S.name('eye'), translate(-33, 32)))
    else:
        hiding = s.phase == Phase.DEPLOY
        back = use(S.back_name(scene.view.colours, seat))
        parts.append(tag('g', back, opacity=0.62) if hiding else back)
        if not hiding:
            parts += [_pencil(scene, piece), _note(scene, piece)]
    if scene.page and scene.view.actions:
        parts.append(_piece_handles(scene.colour, not own and scene.view.settings.marks))
    parts.append(_hit(CELL / 2))
    target = chosen or prey or (own and kind == C.COMMANDER and bool(scene.headings))
    return tag(
        'g',
        tag('g', *parts, transform=_upright(scene, *square_centre(square))),
        id=name,
        class_='piece target' if target else 'piece movable' if square in scene.places else 'piece',
        role='button' if target else 'img',
        aria_label=scene.labels[name],
    )


@lru_cache(maxsize=KEPT)
def _piece_handles(colour: str, may_fall: bool) -> Markup:
    """The parts of a piece that the page shows while something is chosen. `may_fall`: it may be attacked."""
    parts = []
    if may_fall:
        crossed = use(S.name('crossed'), translate(36, -40, scale=0.8))
        parts.append(tag('g', _outline(3), crossed, class_='mark reach', display='none'))
    ring = _outline(4, '#fff', PLAYERS[colour].dark, 4)
    parts.append(tag('g', ring, class_='chosen-ring', display='none'))
    parts.append(focus_ring('rect', **S.block_outline(3)))
    return joined(parts)


@lru_cache(maxsize=KEPT)
def _tag(width: float, height: float, paper: str, edge: str) -> Markup:
    return Markup(
        tag(
            'rect',
            x=-width / 2 + 1.5,
            y=-height / 2 + 2,
            width=width,
            height=height,
            rx=3,
            fill='#000',
            fill_opacity=0.3,
        )
        + tag('rect', x=-width / 2, y=-height / 2, width=width, height=height, rx=3, fill=paper, stroke=edge)
    )


def _pencil(scene: Scene, piece: int) -> Markup | str:
    """The deduction about an enemy, as a slip of paper on its back."""
    found = deduced(scene.view, piece)
    return _slip(*found) if found else ''


@lru_cache(maxsize=KEPT)
def _slip(kind: str, text: str) -> Markup:
    """A deduction on its slip, see `deduced`."""
    style: dict[str, str | float] = {
        'font_size': 23,
        'font_weight': 750,
        'fill': S.PENCIL,
        'text_anchor': 'middle',
    }
    if kind == 'type':
        inner: str = words(text, y=8, **style)
    else:
        icon, scale, x, y = (
            ('foot-paper', 0.8, -19, 1.0) if kind == 'foot' else ('crest-paper', 0.5, -14, 2.5)
        )
        inner = Markup(
            use(S.name(icon), translate(x, y, scale=scale), fill=S.PENCIL)
            + words(text, x=13.5 if kind == 'foot' else 14, y=8, **style)
        )
    return tag('g', _tag(*BACK_TAG, S.PAPER, '#bca77e'), inner, transform=translate(0, 29, -2.5))


def _note(scene: Scene, piece: int) -> Markup | str:
    """The viewer's pencil marks: a yellow slip at the top, written by hand."""
    labels = scene.view.notes.get(piece_id(piece), ())
    if not labels:
        return ''
    shown = (
        [labels[0]]
        if len(labels) == 1
        else [label.replace('-', '') for label in labels[: 2 if len(labels) == 2 else 1]]
    )
    text = ' '.join(shown) + (f' +{len(labels) - len(shown)}' if len(labels) > len(shown) else '')
    written = words(
        text,
        y=7.5,
        font_size=23 if len(text) < 6 else 19,
        font_weight=650,
        transform='skewX(-9)',
        text_anchor='middle',
        fill='#143f86',
    )
    return tag('g', _tag(*NOTE_TAG, '#ffeaa3', '#c9a53c'), written, transform=translate(-1, -33, 3))


def _over_pieces(scene: Scene) -> Markup | str:
    """Badges: steps of a plan, its fights, and the fights of the last turn."""
    parts, s, colour = [], scene.s, PLAYERS[scene.colour]
    for square, steps in scene.going:
        x, y = square_centre(square)
        end = step(square, scene.heading, steps)
        if s.on[end] >= 0 and s.on[end] // SIDE != s.to_move:
            a, b = square_centre(end)
            u = S.aim(scene.heading)
            parts.append(
                tag(
                    'rect',
                    fill='none',
                    stroke=colour.base,
                    stroke_width=4.5,
                    stroke_dasharray='10 7',
                    transform=_upright(scene, a, b),
                    **S.block_outline(5),
                )
            )
            parts.append(_badge(scene, along((a, b), u, -51), colour.base))
        if s.phase == Phase.ORDER and C.MOVEMENT[int(s.type[int(s.on[square])])] > 1:
            dx, dy = _free_corner(scene, square)
            parts.append(
                tag(
                    'g',
                    tag('circle', r=18, fill='#fff6dc', stroke=colour.dark, stroke_width=2.6),
                    words(
                        str(steps), y=8.4, font_size=24, font_weight=800, text_anchor='middle', fill='#3f1500'
                    ),
                    transform=_upright(scene, x + dx, y + dy),
                )
            )
    for event in scene.last:
        if 'won' in event.values and not scene.going:
            parts += _fought(scene, event)
    return joined(parts)


def _free_corner(scene: Scene, square: int) -> Point:
    """From the middle of a friend's square to the corner of its block that is free of the arrows round the
    Commander."""
    leader, side = R.leader_square(scene.s, int(scene.s.to_move)), -1 if scene.turned else 1
    right = (square % C.N_FILES - leader % C.N_FILES) * side > 0
    below = square % C.N_FILES == leader % C.N_FILES and (square - leader) * side < 0
    return _offset(scene, 41 if right else -41, 46 if below else -47)


def _badge(scene: Scene, at: Point, colour: str, scale: float = 1) -> Markup:
    """Crossed swords on a disk."""
    return tag(
        'g',
        use(S.name('crossed')),
        tag('circle', r=21, fill='none', stroke=colour, stroke_width=3.2),
        transform=_upright(scene, *at, scale=scale),
    )


def _fought(scene: Scene, event: Event) -> list[Markup]:
    """A fight of the last turn, on the edge over which it was fought; a turned arrow if it was repelled."""
    start, end = (C.SQUARES.index(str(event.values[key])) for key in ('start', 'end'))
    u = S.aim(int(C.HEADING_TO[start, end]))
    middle, slanting = along(square_centre(end), u, -CELL / 2), u[0] * u[1] != 0

    def beside_it(distance: float) -> Point:
        return along(middle, (-u[1], u[0]), distance / math.hypot(*u))

    found = [_badge(scene, beside_it(0 if slanting else -44), '#9a6b00', 0.82)]
    if not event.values['won']:
        found.append(
            tag(
                'g',
                tag('circle', r=15.5, fill='#8a6000', stroke=BONE, stroke_width=2.4),
                tag(
                    'path',
                    d='M-5.5 5.5V-1.5A5.5 5.5 0 0 1 5.5-1.5V3M1.5 0L5.5 4.5 9.5 0',
                    fill='none',
                    stroke=BONE,
                    stroke_width=2.6,
                    stroke_linecap='round',
                    stroke_linejoin='round',
                ),
                transform=_upright(scene, *beside_it(38 if slanting else 44)),
            )
        )
    return found


def _ways_to_order(scene: Scene) -> Iterator[Markup]:
    """Arrows round the Commander, one for each heading in which an order can be given. At rest only an order
    being made shows them, on squares that are free: another heading is one click away. Once the Commander is
    picked the page shows them all."""
    if not scene.headings:
        return
    leader = R.leader_square(scene.s, int(scene.s.to_move))
    x, y = square_centre(leader)
    for heading in scene.headings:
        (dx, dy), now = S.aim(heading), heading == scene.heading
        shown = scene.s.phase == Phase.ORDER and scene.s.on[step(leader, heading, 1)] < 0 and not now
        fill, ink = (PLAYERS[scene.colour].base, '#fff') if now else (BONE, '#6b3412')
        parts = [
            tag('circle', r=29.5, class_='hit', fill='none', pointer_events='all'),
            tag('circle', cy=2.5, r=25, fill='#2e1a06', fill_opacity=0.3),
            tag('circle', r=24.5, fill=fill, stroke='#8e3d14', stroke_width=2.4),
            use(
                S.name('heading'),
                f'rotate({number(S.turn_of(heading))}) scale(1.4)',
                stroke=ink,
                stroke_width=4,
            ),
            focus_ring('circle', r=28),
        ]
        id_ = f'way-{C.HEADINGS[heading]}'
        yield tag(
            'g',
            tag('g', *parts, transform=translate(x + dx * ROSE, y + dy * ROSE)),
            id=id_,
            class_='way target' if shown else 'way target reach',
            role='button',
            aria_label=scene.labels[id_],
            display=None if shown else 'none',
            opacity=0.86 if shown else None,
        )


# ---- the types in hand -------------------------------------------------------------------------------------


def hand_of(s: State, seat: int) -> list[int]:
    """The types that a seat can deploy or has deployed, each once."""
    placed = {int(s.type[seat * SIDE + k]) for k in range(s.size)} - {UNKNOWN}
    offered = {t for t in range(C.N_TYPES) if s.hand[seat, t] > 0}
    pool = {t for t in range(C.N_TYPES) if int(s.pool[seat]) >> t & 1} if s.army != Army.RANDOM else set()
    return sorted(offered | placed | pool)


def _hand(scene: Scene) -> Markup | str:
    """The types still to be deployed, laid out on a cloth in the middle of the board, where nobody stands
    yet."""
    s, seat = scene.s, scene.view.seat
    if s.phase != Phase.DEPLOY or not scene.deploys:
        return ''
    kinds = hand_of(s, seat)
    columns = min(len(kinds), 6) if len(kinds) <= 12 else 7
    rows = -(-len(kinds) // columns)
    pitch = min(CELL - 2, (WIDTH - 22) / columns, (HEIGHT - CELL * (2 * s.size / C.N_FILES) - 54) / rows)
    scale = (pitch - 8) / (S.BLOCK + S.THICK)
    width, height = columns * pitch + 14, rows * pitch + 46
    left, top = (WIDTH - width) / 2, (HEIGHT - height) / 2
    cloth: dict[str, float] = {'x': left, 'y': top, 'width': width, 'height': height, 'rx': 14}
    parts: list[str] = [
        quiet(
            tag(
                'rect',
                x=left - 1,
                y=top + 5,
                width=width + 2,
                height=height,
                rx=15,
                fill='#2e1a06',
                fill_opacity=0.3,
            ),
            tag('rect', fill='#fbf4e2', stroke='#bca77e', stroke_width=1.4, **cloth),
            words(
                scene.note,
                x=WIDTH / 2,
                y=top + 27,
                font_size=24,
                font_weight=650,
                text_anchor='middle',
                fill='#5a4730',
            ),
        )
    ]
    for k, kind in enumerate(kinds):
        x, y = left + 7 + pitch * (k % columns + 0.5), top + 38 + pitch * (k // columns + 0.5)
        parts.append(_in_hand(scene, kind, int(s.hand[seat, kind]), translate(x, y, scale=scale)))
    return tag('g', *parts)


def _in_hand(scene: Scene, kind: int, n: int, place: str) -> Markup:
    slot = tag(
        'rect',
        fill='#6b5326',
        fill_opacity=0.08,
        stroke='#8f7a4e',
        stroke_opacity=0.8,
        stroke_width=2,
        stroke_dasharray='4 5',
        **S.block_outline(-3),
    )
    if not n:
        return tag('g', slot, transform=place, class_='decoration', aria_hidden='true')
    name, can = f'hand-{C.TYPES[kind]}', kind in scene.deploys
    parts = [use(S.name('shadow')), use(S.face_name(scene.view.colours, scene.view.seat, kind))]
    if n > 1:
        parts.append(
            tag(
                'g',
                tag('circle', r=16, fill='#fff6dc', stroke='#5a4730', stroke_width=2.4),
                words(f'×{n}', y=6.5, font_size=18, font_weight=800, text_anchor='middle', fill='#3b2208'),
                transform=translate(38, -42),
            )
        )
    if can:
        parts += [
            tag(
                'g', _outline(3, '#fff', PLAYERS[scene.colour].dark, 4), class_='chosen-ring', display='none'
            ),
            focus_ring('rect', **S.block_outline(3)),
        ]
    half = S.BLOCK / 2 + 8
    parts.append(_hit(half))
    return tag(
        'g',
        tag('g', *parts, transform=place),
        id=name,
        class_='hand target' if can else 'hand',
        role='button' if can else 'img',
        aria_label=scene.labels[name],
        opacity=None if can else 0.45,
    )


# ---- words -------------------------------------------------------------------------------------------------


def labels(view: View) -> dict[str, str]:
    """The words for every element that can be read or chosen, by its id."""
    return _scene(view, page=False).labels


def _labels(scene: Scene) -> dict[str, str]:
    """The same, of what a picture shows."""
    s, found = scene.s, {}
    for square, name in enumerate(C.SQUARES):
        found[f'sq-{name}'] = say(
            'board.next_square' if square == scene.next else 'board.square', square=name
        )
    for piece in pieces_of(s):
        text = square_words(scene.view, piece)
        square = int(s.at[piece])
        if piece // SIDE == scene.view.seat and (square in scene.moves or square in scene.friends):
            text = say('board.can_move', piece=text)
        elif piece // SIDE != scene.view.seat and square in scene.ends:
            text = say('board.can_be_attacked', piece=text)
        found[piece_id(piece)] = text
    for heading in scene.headings:
        found[f'way-{C.HEADINGS[heading]}'] = say('board.order', heading=heading_words(heading))
    if scene.deploys:
        for kind in hand_of(s, scene.view.seat):
            if n := int(s.hand[scene.view.seat, kind]):
                found[f'hand-{C.TYPES[kind]}'] = say('board.in_hand', type=type_word(kind), n=n)
    return found


# ---- pictures of the game ----------------------------------------------------------------------------------

# A moment of a game: an order to the north-east that ends in a fight.
MOMENT = {
    'game': 'myrmidons',
    'options': {'memory': False},
    'to_move': 0,
    'turn': 12,
    'pieces': [
        {'at': 'b2', 'owner': 0, 'type': '1-1-1', 'start': 'c1'},
        {'at': 'c2', 'owner': 0, 'type': '4-4-1', 'start': 'd1'},
        {'at': 'b3', 'owner': 0, 'type': '3-2-4', 'start': 'b1'},
        {'at': 'a2', 'owner': 0, 'type': '1-3-5', 'start': 'a1'},
        {'at': 'e3', 'owner': 0, 'type': '2-5-2', 'start': 'e1', 'seen': True},
        {'at': 'e4', 'owner': 1, 'type': '4-4-1', 'start': 'e7', 'seen': True},
        {'at': 'f7', 'owner': 1, 'type': None, 'moved': 3},
        {'at': 'd6', 'owner': 1, 'type': None, 'start': 'd7'},
        {'at': 'c7', 'owner': 1, 'type': None, 'no_commander': True},
        {'at': 'b5', 'owner': 1, 'type': None, 'start': 'b7'},
    ],
    'order': {'heading': 'NE', 'friends': {'b3': 4, 'c2': 1, 'a2': 2}},
    'taken': [{'owner': 0, 'type': '5-1-3', 'start': 'f1'}, {'owner': 1, 'type': '1-3-5', 'start': 'a7'}],
}
CROP = (-38.0, -12.0, 700.0, 656.25)


@cache
def emblem(theme: Theme = 'light', size: int = 640) -> str:
    """A detail of the board as the game's picture, 320 x 300; standing alone unless the theme is 'page'."""
    scene = _scene(View(notation.from_json(MOMENT), 0, settings=ViewSettings(coordinates=False)), False)
    scene.headings = []
    drawing = _picture(scene, say('title'), CROP)
    return picture(drawing, theme, size, S.symbol_set())


def figure(game: Game, name: str, theme: Theme = 'light') -> str:  # noqa: ARG001 (the contract's)
    """The picture of all kinds of pieces for a component set, those of the base set first; '' for any other
    name."""
    if name != 'components':
        return ''
    across, step = 7, 108.0
    first = {C.COMMANDER, *(C.TYPES.index(name) for name in C.BASE)}
    kinds = sorted(range(C.N_TYPES), key=lambda kind: (kind not in first, kind))
    parts = [
        tag(
            'g',
            use(S.face_name((), int(kind not in first), kind)),
            transform=translate(step * (k % across + 0.5), step * (k // across + 0.5)),
            role='img',
            aria_label=type_word(kind),
        )
        for k, kind in enumerate(kinds)
    ]
    height = step * math.ceil(C.N_TYPES / across)
    drawing = sheet_svg(step * across, height, var('felt-2'), say('board.kinds'), *parts)
    return picture(drawing, theme, symbols=S.symbol_set())


@cache
def badge(size: int = 44) -> str:
    """The game's icon for lists: the Commander's helmet on clay, standing alone."""
    body = Markup('').join(
        (
            tag('rect', x=-70, y=-70, width=140, height=140, rx=26, fill='#241914'),
            tag(
                'rect',
                x=-56,
                y=-56,
                width=112,
                height=112,
                rx=18,
                fill=S.SIDES[0].ground,
                stroke='#f0985e',
                stroke_width=3,
            ),
            tag('g', use(S.name('crest-0')), fill=S.SIDES[0].ink, transform='translate(0 6) scale(1.72)'),
        )
    )
    drawing = tag('svg', body, viewBox='-70 -70 140 140', role='img', aria_label=say('title'))
    return standalone(drawing, 'light', size, S.symbol_set())
