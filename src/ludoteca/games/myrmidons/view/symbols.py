"""The shapes and definitions of the pictures of Myrmidons. Blocks are pottery of two kinds, called sides
here. Side 0 is black-figure, black on clay; side 1 is red-figure, clay on black glaze. The player with the
warmer colour has the clay, so that blocks stay with their owner when the seats change. The armies differ in
lightness, in the edge of the blocks and in the emblem, which have their owner's colour.

A block stands upright round the origin, BLOCK wide, a little above the middle of its square because it is
thick. Its FACE shows sword (left), shield (right), foot (below) and a helmet; the Commander's crest runs from
ear to ear. Its BACK shows the rosette of a drinking cup round its owner's emblem.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from markupsafe import Markup

from ludoteca.drawing import marks
from ludoteca.drawing.geometry import Point, polar, polygon, ring
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import Symbols, evenly, gradient, pair, tag, translate, use, words

from .. import components as C
from .facts import COLOURS

WARMTH = ('red', 'yellow', 'purple', 'green', 'blue')  # all colours, the warmest first
CELL, FRAME = 104.0, 36.0  # a square; the frame round all of them
WIDTH, HEIGHT = C.N_FILES * CELL, C.N_RANKS * CELL
BLOCK, THICK = 88.0, 9.0
DIGIT = 29.5  # size of a value on a face
BONE, PITCH, PAPER, PENCIL = '#f3e3c3', '#1e1512', '#fbf4e2', '#4a4741'
# light and dark squares, from the upper left to the lower right
LIME = (('#f0e3c8', '#e6d5b2'), ('#dcc69a', '#cfb484'))


class Side(NamedTuple):
    """A kind of pottery: the paint of its figures, the ground below them, the shades of a block's top."""

    ink: str
    ground: str
    top: tuple[str, str, str]


SIDES = (
    Side(PITCH, '#cd6a38', (var('clay-1'), '#cf6b38', var('clay-2'))),
    Side('#f0985e', '#2b211b', (var('glaze-1'), '#2b211b', var('glaze-2'))),
)


def name(part: str) -> str:
    """The id of a definition."""
    return f'myrmidons-{part}'


def side_of(colours: Sequence[str], seat: int) -> int:
    """The side of a seat's blocks, if the seats have these colours."""
    return int(WARMTH.index(colours[seat]) > WARMTH.index(colours[1 - seat]))


def _painted(part: str, side: int, colour: str) -> str:
    """A definition that depends on the owner's colour too: without its name if it is the side's own."""
    return part if colour == COLOURS[side] else f'{part}-{colour}'


def face_name(colours: Sequence[str], seat: int, kind: int) -> str:
    """The id of a block's face; `colours` are the seats', none if they are the game's own."""
    side = side_of(colours or COLOURS, seat)
    return name(_painted(f'face-{side}-{C.TYPES[kind]}', side, (colours or COLOURS)[seat]))


def back_name(colours: Sequence[str], seat: int) -> str:
    """The id of a block's back."""
    side = side_of(colours or COLOURS, seat)
    return name(_painted(f'back-{side}', side, (colours or COLOURS)[seat]))


# ---- icons, round the origin -------------------------------------------------------------------------------


def _sword() -> Markup:
    return tag(
        'path',
        d='M0-17C4.4-9 3.2-1 2.2 5.4H5.6Q7 5.4 7 6.8V7.4Q7 8.7 5.6 8.7H1.9V14A3 3 0 1 1 -1.9 14V8.7H-5.6Q-7 8.7'  # noqa: E501
        '-7 7.4V6.8Q-7 5.4 -5.6 5.4H-2.2C-3.2-1-4.4-9 0-17Z',
    )


def _shield() -> Markup:
    rays = ''.join(
        polygon([polar(3.2, turn - 34), polar(8.4, turn), polar(3.2, turn + 34)]) for turn in (0, 120, 240)
    )
    return tag('path', d=ring(14) + ring(11.6) + ring(10.3) + rays, fill_rule='evenodd')


def _foot(ground: str) -> Markup:
    """A foot in a sandal."""
    return Markup(
        tag('path', d='M-9-11H-1.6C-2-5 1-2.6 6 0C10 2 12 3.6 12 7.4H-9.6C-11 1-9.6-5-9-11Z')
        + tag('rect', x=-11.4, y=8.6, width=25.2, height=3.2, rx=1.6)
        + tag(
            'path',
            d='M-9.4-6.4L-1.2-4.4M-9.8-1L1.6 1M-3.4 7L5.4-.6',
            stroke=ground,
            stroke_width=1.6,
            fill='none',
        )
    )


SHELL = (
    'M-16-2C-17-23 17-23 16-2C16.6 8 15 18 9.4 26L3 20.6 2.6 8.6 0 12.4-2.6 8.6-3 20.6-9.4 26C-15 18-16.6 8-16-2Z'  # noqa: E501
    'M-12.6 1.6C-10-3.6-5-2.8-3.2 3.2C-6 6.8-10.6 6-12.6 1.6ZM12.6 1.6C10-3.6 5-2.8 3.2 3.2C6 6.8 10.6 6 12.6 1.6Z'  # noqa: E501
)


def _helmet(ground: str, commander: bool) -> Markup:
    """A Corinthian helmet from the front, with its plume; the Commander's crest runs from ear to ear."""
    if commander:
        middle, turns = (0.0, -3.0), range(-78, 79, 6)
        outer, inner = (
            [polar(27.5, turn, middle) for turn in turns],
            [polar(20, turn, middle) for turn in reversed(turns)],
        )
        hair = ''.join(
            f'M{pair(*polar(20.6, turn, middle))}L{pair(*polar(27, turn, middle))}'
            for turn in range(-66, 67, 12)
        )
        crest = Markup(
            tag('path', d=polygon([*outer, *inner])) + tag('path', d=hair, stroke=ground, stroke_width=1.4)
        )
    else:
        crest = tag(
            'path',
            d='M-3-17.6C-4.4-23-6-26-9-29.4C-3-30.6-1-31.4 0-34C1-31.4 3-30.6 9-29.4C6-26 4.4-23 3-17.6Z',
        )
    return Markup(
        crest
        + tag('path', d=SHELL, fill_rule='evenodd')
        + tag('path', d='M-13.6-6.4C-7-10.6 7-10.6 13.6-6.4', fill='none', stroke=ground, stroke_width=1.5)
    )


def _eye() -> Markup:
    """The mark of a piece whose values both players have seen."""
    return Markup(
        tag(
            'path',
            d='M-9 0C-4.6-6.6 4.6-6.6 9 0C4.6 6.6-4.6 6.6-9 0Z',
            fill=BONE,
            stroke=PITCH,
            stroke_width=1.6,
        )
        + tag('circle', r=3, fill=PITCH)
    )


def _crossed() -> Markup:
    """Two swords crossed on a disk: a fight."""
    swords = Markup('').join(use(name('sword'), f'rotate({turn})') for turn in (-45, 45))
    return Markup(
        tag('circle', r=21, fill=BONE) + tag('g', swords, fill=PITCH, transform='translate(0 1) scale(.74)')
    )


# ---- blocks ------------------------------------------------------------------------------------------------


def block_outline(grow: float = 0) -> dict[str, float]:
    """A block's outline as attributes of a <rect>, `grow` outside it."""
    half = BLOCK / 2 + grow
    return {
        'x': -half,
        'y': -half - THICK / 2,
        'width': 2 * half,
        'height': 2 * half + THICK,
        'rx': max(2.0, 10 + 0.6 * grow),
    }


def _shadow() -> Markup:
    """A soft shadow without a filter: many blocks lie on a board."""
    half = BLOCK / 2
    return tag(
        'g',
        *(
            tag(
                'rect',
                x=-half - grow,
                y=-half + THICK / 2 + 4 - grow,
                width=BLOCK + 2 * grow,
                height=BLOCK + 2 * grow,
                rx=10 + grow,
            )
            for grow in (0, 1.8, 3.6, 5.4)
        ),
        fill='#2e1a06',
        fill_opacity=0.11,
    )


def _block(side: int, colour: str) -> Markup:
    """A block without its picture."""
    half, up = BLOCK / 2, THICK / 2
    return Markup('').join(
        (
            tag(
                'rect',
                x=-half,
                y=-half + up,
                width=BLOCK,
                height=BLOCK,
                rx=10,
                fill=f'url(#{name(_painted(f"edge-{side}", side, colour))})',
            ),
            tag(
                'rect',
                x=-half,
                y=-half - up,
                width=BLOCK,
                height=BLOCK,
                rx=10,
                fill=f'url(#{name(f"top-{side}")})',
            ),
            tag(
                'rect',
                x=-half + 1.2,
                y=-half - up + 1.2,
                width=BLOCK - 2.4,
                height=BLOCK - 2.4,
                rx=9,
                fill='none',
                stroke='#fff',
                stroke_opacity=0.3,
                stroke_width=1.4,
            ),
            tag(
                'path',
                d=f'M{pair(-half + 3, 28 - half - up)}V{11 - half - up}Q{pair(-half + 3, 3 - half - up)} '
                f'{pair(-half + 11, 3 - half - up)}H{half - 3}Z',
                fill=f'url(#{name("gloss")})',
            ),
        )
    )


def digit(x: float, y: float, value: int, size: float = DIGIT) -> Markup:
    """A value, big and bold."""
    return words(str(value), x=x, y=y, font_size=size, font_weight=850, text_anchor='middle')


def _figures(side: int, kind: int) -> Markup:
    """The figures on a face, the same for every owner's colour."""
    sword, shield, movement = C.VALUES[kind]
    helmet = 'crest' if kind == C.COMMANDER else 'helmet'
    return tag(
        'g',
        use(name(f'{helmet}-{side}'), translate(0, -14.5, scale=0.88)),
        use(name('sword'), translate(-30.5, -23, scale=0.9)),
        digit(-30.5, 20.5, sword),
        use(name('shield'), translate(29.6, -23.5, scale=0.86)),
        digit(30, 20.5, shield),
        use(name(f'foot-{side}'), translate(-13.5, 31, scale=0.82)),
        digit(9.5, 41.5, movement),
        transform=translate(0, -THICK / 2),
        fill=SIDES[side].ink,
    )


def _face(side: int, kind: int, colour: str) -> Markup:
    return Markup('').join(
        (
            use(name(_painted(f'block-{side}', side, colour))),
            use(name(f'figures-{side}-{C.TYPES[kind]}')),
            use(name(f'emblem-{colour}')),
        )
    )


def _emblem(colour: str) -> Markup:
    """The owner's emblem in the corner of a face."""
    return tag(
        'g',
        marks.shape(colour),
        transform=translate(34.5, 34.5 - THICK / 2, scale=0.6),
        fill=PLAYERS[colour].base,
        stroke=BONE,
        stroke_width=2.2,
    )


def _back(side: int, colour: str) -> Markup:
    """The rosette from the floor of a drinking cup, with the owner's emblem."""
    petal = 'M0-14.5C5.2-20 5.2-26.5 0-33.5C-5.2-26.5-5.2-20 0-14.5Z'
    petals = Markup('').join(
        tag('path', d=petal, transform=f'rotate({turn})' if turn else None) for turn in range(0, 360, 30)
    )
    dots = ''.join(ring(1.8, polar(34.2, turn)) for turn in range(15, 360, 30))
    ink = SIDES[side].ink
    return Markup('').join(
        (
            use(name(_painted(f'block-{side}', side, colour))),
            tag(
                'g',
                tag(
                    'rect',
                    x=-39,
                    y=-39,
                    width=78,
                    height=78,
                    rx=6,
                    fill='none',
                    stroke=ink,
                    stroke_width=1.3,
                    stroke_opacity=0.6,
                ),
                tag('g', petals, tag('path', d=dots), fill=ink, fill_opacity=0.94),
                tag('circle', r=14.4, fill=BONE, stroke=ink, stroke_width=1.5),
                tag(
                    'g',
                    marks.shape(colour),
                    fill=PLAYERS[colour].base,
                    stroke=PLAYERS[colour].deep,
                    stroke_width=1.3,
                ),
                transform=translate(0, -THICK / 2),
            ),
        )
    )


# ---- the board ---------------------------------------------------------------------------------------------


def _meander(length: float, unit: float) -> str:
    """A Greek key along a side; it is stretched so that it closes exactly."""
    n = max(1, round(length / (6 * unit)))
    across, data = length / (6 * n), ''
    for k in range(n):
        x = 6 * k * across
        turns = ''.join(
            f'L{pair(x + a * across, -b * unit)}'
            for a, b in ((0, 4), (5, 4), (5, 1), (2, 1), (2, 2.5), (3.5, 2.5))
        )
        data += f'M{pair(x, 0)}{turns}M{pair(x + 5 * across, -unit)}M{pair(x, 0)}L{pair(x + 6 * across, 0)}'
    return data


def _frame(lettered: bool) -> Markup:
    """The meander round the board; below and on the left it may leave room for the names of files and
    ranks."""
    start, room, inset, unit = 19.5 - FRAME, 15.0, 15.0, 3.7
    sides = (
        (start, -inset, 0, WIDTH, 0),
        (WIDTH + inset, start, 90, HEIGHT, 0),
        (WIDTH - start, HEIGHT + inset, 180, WIDTH, C.N_FILES * lettered),
        (-inset, HEIGHT - start, 270, HEIGHT, C.N_RANKS * lettered),
    )
    parts = []
    for x, y, turn, length, labels in sides:
        cuts = [
            0.0,
            *(-start + CELL * (k + 0.5) + reach for k in range(labels) for reach in (-room, room)),
            length - 2 * start,
        ]
        parts += [
            tag(
                'path',
                d=_meander(end - begin, unit),
                transform=f'{translate(x, y, turn)} {translate(begin, 0)}',
            )
            for begin, end in zip(cuts[::2], cuts[1::2], strict=True)
        ]
    return tag('g', *parts, fill='none', stroke='#cf6a35', stroke_width=1.9, stroke_linecap='square')


def _board() -> Markup:
    """Slab and squares."""
    outer: dict[str, float] = {
        'x': -FRAME,
        'y': -FRAME,
        'width': WIDTH + 2 * FRAME,
        'height': HEIGHT + 2 * FRAME,
        'rx': 12,
    }
    squares = [
        tag(
            'path',
            d=''.join(
                f'M{pair(CELL * file, CELL * rank)}h{CELL:g}v{CELL:g}h-{CELL:g}Z'
                for file in range(C.N_FILES)
                for rank in range(C.N_RANKS)
                if (file + rank) % 2 == shade
            ),
            fill=f'url(#{name(f"lime-{shade}")})',
        )
        for shade in range(2)
    ]
    chance = random.Random(7)
    grain = ''.join(
        f'M{chance.uniform(2, WIDTH - 4):.0f} {chance.uniform(2, HEIGHT - 2):.0f}h{chance.choice((1, 2, 3))}'
        for _ in range(420)
    )
    seams = ''.join(f'M{CELL * file:g} 0v{HEIGHT:g}' for file in range(1, C.N_FILES)) + ''.join(
        f'M0 {CELL * rank:g}h{WIDTH:g}' for rank in range(1, C.N_RANKS)
    )
    return Markup('').join(
        (
            tag(
                'g',
                *(
                    tag(
                        'rect',
                        x=-FRAME - grow,
                        y=5 - FRAME - grow,
                        width=WIDTH + 2 * (FRAME + grow),
                        height=HEIGHT + 2 * (FRAME + grow),
                        rx=12 + grow,
                    )
                    for grow in (-1, 0, 1, 2)
                ),
                fill='#000',
                fill_opacity=0.13,
            ),
            tag('rect', fill=f'url(#{name("slab")})', **outer),
            *squares,
            tag('path', d=grain, stroke='#8a6a36', fill='none', stroke_opacity=0.28),
            tag('path', d=seams, stroke='#a98750', stroke_opacity=0.55, fill='none'),
            tag('rect', x=0, y=0, width=WIDTH, height=HEIGHT, fill=f'url(#{name("evening")})'),
            tag(
                'rect',
                x=-1.5,
                y=-1.5,
                width=WIDTH + 3,
                height=HEIGHT + 3,
                rx=2,
                fill='none',
                stroke='#cf6a35',
                stroke_width=3,
            ),
            tag(
                'rect',
                x=0.7,
                y=0.7,
                width=WIDTH - 1.4,
                height=HEIGHT - 1.4,
                fill='none',
                stroke='#3b2208',
                stroke_opacity=0.4,
                stroke_width=1.4,
            ),
        )
    )


def _laurel() -> Markup:
    """A garland as long as a rank; it lies on the rank that wins."""
    leaves = ''.join(
        f'M{pair(x, 0)}Q{pair(x + 6, 10 * side)} {pair(x + 17, 7.5 * side)}Q{pair(x + 11, side)} {pair(x, 0)}Z'  # noqa: E501
        for x in range(8, int(WIDTH) - 20, 15)
        for side in (1, -1)
    )
    return Markup(
        tag('path', d=f'M6 0H{WIDTH - 6:g}', stroke='#5d6b26', stroke_width=1.6)
        + tag('path', d=leaves, fill='#66752b')
    )


def _arrow_head() -> str:
    return 'M-8.5 0H6M.4-6.4L7 0L.4 6.4'


# ---- all definitions ---------------------------------------------------------------------------------------


@cache
def symbol_set() -> Symbols:
    """All definitions that the drawings refer to, as one list."""
    found: dict[str, str] = {}

    def add(part: str, *children: str, **attributes: str | float) -> None:
        found[name(part)] = tag('g', *children, id=name(part), **attributes)

    def shade(part: str, *stops: str, **attributes: str | float) -> None:
        found[name(part)] = gradient('linearGradient', name(part), evenly(stops), **attributes)

    shade('slab', '#3d2d25', '#241914', '#150f0c', x1=0, y1=0, x2=0.4, y2=1)
    for shade_of, (first, last) in enumerate(LIME):
        shade(f'lime-{shade_of}', first, last, x1=0, y1=0, x2=1, y2=1)
    found[name('gloss')] = gradient(
        'linearGradient',
        name('gloss'),
        [(0, '#fff', 0.36), (0.5, '#fff', 0.05), (1, '#fff', 0)],
        x1=0,
        y1=0,
        x2=0.5,
        y2=1,
    )
    found[name('evening')] = gradient(
        'radialGradient',
        name('evening'),
        [(0, '#fff3d4', 0.16), (0.6, '#6b4a1c', 0), (1, '#4a2f0e', 0.13)],
        cx=0.42,
        cy=0.36,
        r=0.8,
    )
    add('board', _board())
    add('frame', _frame(False))
    add('frame-lettered', _frame(True))
    add('laurel', _laurel())
    add('sword', _sword())
    add('shield', _shield())
    add('eye', _eye())
    add('crossed', _crossed())
    add('shadow', _shadow())
    add('heading', tag('path', d=_arrow_head()), fill='none', stroke_linecap='round', stroke_linejoin='round')
    for side, pottery in enumerate(SIDES):
        shade(f'top-{side}', *pottery.top, x1=0, y1=0, x2=0.35, y2=1)
        add(f'helmet-{side}', _helmet(pottery.ground, False))
    for colour in WARMTH:
        add(f'emblem-{colour}', _emblem(colour))
    for variant, ground in (('0', SIDES[0].ground), ('1', SIDES[1].ground), ('paper', PAPER)):
        add(f'foot-{variant}', _foot(ground))
    for variant, ground in (
        ('0', SIDES[0].ground),
        ('1', SIDES[1].ground),
        ('paper', PAPER),
        ('page', var('surface-2')),
    ):
        add(f'crest-{variant}', _helmet(ground, True))
    # the warmest colour always has clay, the coldest always glaze
    for side, worn in enumerate((WARMTH[:-1], WARMTH[1:])):
        for kind in range(C.N_TYPES):
            add(f'figures-{side}-{C.TYPES[kind]}', _figures(side, kind))
        for colour in worn:
            player = PLAYERS[colour]
            shade(
                _painted(f'edge-{side}', side, colour),
                (player.dark, player.base)[side],
                player.deep,
                x1=0,
                y1=0.5,
                x2=0,
                y2=1,
            )
            add(_painted(f'block-{side}', side, colour), _block(side, colour))
            add(_painted(f'back-{side}', side, colour), _back(side, colour))
            for kind in range(C.N_TYPES):
                add(_painted(f'face-{side}-{C.TYPES[kind]}', side, colour), _face(side, kind, colour))
    return Symbols(found)


def square_centre(square: int) -> Point:
    """The middle of a square, rank 1 below."""
    return CELL * (square % C.N_FILES + 0.5), CELL * (C.N_RANKS - square // C.N_FILES - 0.5)


def aim(heading: int) -> Point:
    """One step in a heading, in squares of the drawing."""
    x, y = C.HEADING_XY[heading]
    return float(x), float(-y)


def turn_of(heading: int) -> float:
    """A heading in degrees, clockwise from east."""
    x, y = aim(heading)
    return math.degrees(math.atan2(y, x))
