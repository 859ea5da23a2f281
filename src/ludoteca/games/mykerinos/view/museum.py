"""The museum of Mykerinos as an architect's plan, and the passing scale.

The plan is a pentagon round a hall. On each side lies a wing, its 3 room inside, its 5 room outside; at each
corner a rotunda, the 2 room that two wings share. Two rooms have a door between them exactly if they are next
to each other in the rules. Which doors a 5 room has is reconstructed, so a broken line lies across each of
them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

from markupsafe import Markup

from ludoteca.drawing.boards import focus_ring
from ludoteca.drawing.geometry import Point, polar, polygon, ring
from ludoteca.drawing.marks import last_lines
from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import joined, number, pair, quiet, tag, translate, use, words
from ludoteca.game import Card, View

from .. import components as C
from ..rules import NOBODY, State
from . import symbols as S
from .facts import (
    KINDS,
    choices_of,
    colour_of,
    exhibit_id,
    player_word,
    room_id,
    room_words,
    say,
)
from .symbols import COLOURS, PAINTS, name

CARD = 316.0  # width of a card's drawing, about one unit a pixel
MIDDLE: Point = (CARD / 2, 147.0)
RADIUS, ROTUNDA = 123.0, 36.5  # from the middle to the rotundas; their own radius
DEPTH, HALF = 38.5, 45.0  # of a room in a wing, half its length
APOTHEM = RADIUS * math.cos(math.pi / 5)
DOOR = 10.0  # half the width of a door
HEIGHT = 314.0
SCALE_HEIGHT = 68.0  # of the passing scale
WALL, HALL = var('plan-line'), var('plan-hall')
FLOORS = {value: var(f'plan-{value}') for value in (2, 3, 5)}
RECONSTRUCTED = var('danger')  # the line across a door that is reconstructed
CUBE = 23.0  # front edge of a cube in the museum


# ---- the plan ----------------------------------------------------------------------------------------------


def _in_wing(wing: int, across: float, out: float) -> Point:
    """A point of a wing: across it, and outwards from the wall between its rooms."""
    angle = math.radians(72 * wing - 90)
    cos, sin = math.cos(angle), math.sin(angle)
    return MIDDLE[0] + cos * (APOTHEM + out) - sin * across, MIDDLE[1] + sin * (APOTHEM + out) + cos * across


@cache
def middle_of(room: int) -> Point:
    """The middle of a room."""
    wing = room % C.N_WINGS
    if room in C.TWOS:
        return polar(RADIUS, 72 * wing + 36, MIDDLE)
    return _in_wing(wing, 0, DEPTH / 2 if room in C.FIVES else -DEPTH / 2)


@cache
def outline(room: int, inset: float = 0) -> str:
    """A room's walls as path data, or a line so far inside them."""
    if room in C.TWOS:
        return ring(ROTUNDA - inset, middle_of(room))
    low, high = (0.0, DEPTH) if room in C.FIVES else (-DEPTH, 0.0)
    return polygon(
        [
            _in_wing(room % C.N_WINGS, across, out)
            for across, out in (
                (inset - HALF, low + inset),
                (HALF - inset, low + inset),
                (HALF - inset, high - inset),
                (inset - HALF, high - inset),
            )
        ]
    )


def plan(five_door: int = 0) -> Markup:
    """The empty museum, with the doors that there are under the option (0 any, 1 three)."""
    return joined((use(name('plan')), use(name('doors-three' if five_door else 'doors-any'))))


# ---- rooms -------------------------------------------------------------------------------------------------


def _contents(view: View, room: int) -> Markup:
    """The contents of a room: its worth, or a cube with the worth in small figures."""
    return _contents_of(view, room, exhibit_id(view.state, room))


def _contents_of(view: View, room: int, id_: str | None) -> Markup:
    """`id_`: of the cube in it."""
    (x, y), value, owner = middle_of(room), str(C.ROOM_POINTS[room]), int(view.state.room[room])
    style: dict[str, str | float] = {'font_weight': 800, 'text_anchor': 'middle', 'fill': WALL}
    if owner == NOBODY:
        return words(value, x=x, y=y + 8, font_size=23, **style)
    cube = S.cube(colour_of(view, owner), x - 1, y, CUBE, id=id_)
    x, y = (x, y + 25) if room in C.TWOS else _beside(room)
    return cube + words(value, x=x, y=y + 5, font_size=14, **style)


@cache
def _beside(room: int) -> Point:
    """The place of a room's worth if a cube stands in it: on the right."""
    out = DEPTH / 2 if room in C.FIVES else -DEPTH / 2
    return max((_in_wing(room % C.N_WINGS, across, out) for across in (-26, 26)), key=lambda point: point[0])


def _room(view: View, room: int, legal: bool, last: int | None) -> Markup:
    """A room as something to click. `last`: the seat that has just put a cube there."""
    s = view.state
    owner = int(s.room[room])
    label = room_words(s, room)
    if room in C.FIVES:
        label = say('card.museum.five', room=label)
    if owner != NOBODY:
        label = say('card.museum.room', room=label, player=player_word(owner, view.names))
    parts = [tag('path', class_='hit', d=outline(room), fill='none', pointer_events='all')]
    inner = outline(room, 5)
    if last is not None:
        parts = [
            tag(
                'path',
                d=inner,
                fill=COLOURS['brass'],
                fill_opacity=0.4,
                stroke=var('last-case'),
                stroke_width=5.4,
                pointer_events='none',
            ),
            *(
                tag('path', d=inner, fill='none', stroke=ink, stroke_width=width, pointer_events='none')
                for ink, width in last_lines(view.colour(last), 5.4)[1:]
            ),
            *parts,
        ]
    if legal:
        parts += _choosable(view, inner)
    return tag(
        'g',
        *parts,
        id=room_id(s, room),
        class_='room target' if legal else 'room',
        role='button' if legal else 'img',
        tabindex='0' if legal else None,
        aria_label=label,
    )


def _choosable(view: View, inner: str) -> Iterator[Markup]:
    """The marks of a room that can be chosen, along the path `inner`: its mark at rest, its ring when it is
    chosen, its focus ring."""
    if view.settings.marks:
        yield tag(
            'g',
            tag(
                'path',
                d=inner,
                fill='none',
                stroke=var('legal-case'),
                stroke_opacity=0.75,
                stroke_width=4.6,
            ),
            tag('path', d=inner, fill=var('legal'), fill_opacity=0.16, stroke=var('legal'), stroke_width=2.4),
            class_='mark',
            opacity=0.85,
        )
    own = PAINTS[view.colour(view.seat)].base
    yield tag(
        'path',
        class_='chosen-ring',
        display='none',
        d=inner,
        fill=own,
        fill_opacity=0.25,
        stroke=own,
        stroke_width=4,
    )
    yield focus_ring('path', d=inner)


def _medals(s: State) -> Markup:
    """The medals of the patrons at their wings."""
    patrons = [
        S.medal(
            KINDS[patron],
            *polar(APOTHEM - DEPTH - 18.5, 72 * wing, MIDDLE),
            14.5,
            data_about=f'wing-{KINDS[patron]}',
        )
        for patron, wing in enumerate(s.wing.tolist())
    ]
    return tag('g', *patrons, aria_hidden='true')


def exhibition(view: View) -> Markup:
    """The museum as it is when the game is over, to look at only."""
    rooms = (_contents_of(view, room, None) for room in range(C.N_ROOMS))
    return joined((plan(int(view.state.five_door)), _medals(view.state), *rooms))


def card(view: View) -> Card:
    """The museum."""
    s = view.state
    rooms = choices_of(s, view.actions).rooms
    last = {
        id_: event.seat for event in view.last for id_ in event.elements if event.kind in ('museum', 'room')
    }
    ghost: Markup | str = ''
    if len(view.actions) == 1 and rooms:
        x, y = middle_of(rooms[0])
        ghost = S.cube(view.colour(int(s.to_move)), x - 1, y, CUBE, opacity=0.7)
    parts = [
        quiet(plan(int(s.five_door))),
        _medals(s),
        *(_room(view, room, room in rooms, last.get(room_id(s, room))) for room in range(C.N_ROOMS)),
        quiet(
            *(_contents(view, room) for room in range(C.N_ROOMS) if not (ghost and room == rooms[0])), ghost
        ),
    ]
    title = say('card.museum.title')
    drawing = tag(
        'svg',
        *parts,
        viewBox=f'0 0 {CARD:g} {HEIGHT:g}',
        class_='board card-drawing',
        role='group',
        aria_label=title,
        font_family=var('font'),
    )
    return Card('museum', title, say('card.museum.note'), drawing)


# ---- the passing scale -------------------------------------------------------------------------------------


def steps_of(s: State) -> int:
    """The number of usable spaces of the passing scale: with two players the neutral colour stands on one."""
    return max(3, int(s.players))


def scale_card(view: View) -> Card:
    """Steps of stone, the first the highest, with the disks of those who have passed."""
    s, parts = view.state, list[str]()
    n, floor = steps_of(s), SCALE_HEIGHT - 2
    width = (CARD - 2) / n
    for k, seat in enumerate(s.scale[:n].tolist()):
        x, height = 1 + width * k, 38 + 8.0 * (n - 1 - k)
        step = [
            tag(
                'path',
                d=f'M{pair(x, floor)}V{number(floor - height)}h{number(width - 4)}V{number(floor)}Z',
                fill=f'url(#{name("step")})',
                stroke=COLOURS['bronze'],
                stroke_width=1.2,
            )
        ]
        middle = (x + (width - 4) / 2, floor - 19.0)
        if seat == NOBODY:
            step.append(
                words(
                    str(k + 1),
                    x=middle[0],
                    y=middle[1] + 8,
                    font_size=21,
                    font_weight=800,
                    text_anchor='middle',
                    fill=COLOURS['bronze'],
                )
            )
        else:
            colour, player = colour_of(view, seat), player_word(seat, view.names)
            paint = PAINTS[colour]
            disk = (
                tag('circle', cy=2.4, r=15.5, fill=paint.deep),
                tag('circle', r=15.5, fill=COLOURS['ivory'], stroke=paint.deep, stroke_width=1.6),
                S.sign(colour, 0, 0, 0.86, paint.deep),
            )
            step.append(
                tag(
                    'g',
                    *disk,
                    transform=translate(*middle),
                    role='img',
                    aria_label=say('card.scale.passed', place=k + 1, player=player),
                )
            )
        parts.append(tag('g', *step, data_about=f'scale-{k}'))
    title = say('card.scale.title')
    drawing = tag(
        'svg',
        *parts,
        viewBox=f'0 0 {CARD:g} {SCALE_HEIGHT:g}',
        class_='board card-drawing',
        role='group',
        aria_label=title,
        font_family=var('font'),
    )
    return Card('scale', title, say('card.scale.note'), drawing)
