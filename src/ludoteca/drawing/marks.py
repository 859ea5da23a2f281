"""The players' signs: a colour is never shown without its shape."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from ludoteca.drawing.cards import letters_width
from ludoteca.drawing.geometry import octagon, polygon, star
from ludoteca.drawing.palette import PLAYERS, player_var, var
from ludoteca.drawing.svg import joined, standalone, tag, translate, with_text, words


@cache
def shape(colour: str) -> Markup:
    """The outline of a player's shape, of equal visual weight for all five, within 11 units of the origin. It
    has no colour of its own: fill and stroke come from the group around it."""
    match PLAYERS[colour].shape:
        case 'circle':
            return tag('circle', r=8.6)
        case 'triangle':
            return tag('path', d='M0 -9.6L9.6 7.4H-9.6Z', stroke_linejoin='round')
        case 'square':
            return tag('rect', x=-8, y=-8, width=16, height=16, rx=1.6)
        case 'diamond':
            return tag('path', d='M0 -10.6L9.4 0L0 10.6L-9.4 0Z', stroke_linejoin='round')
        case _:
            return tag('path', d=polygon(star(10.8, 5, (0, 0.8))), stroke_linejoin='round')


def _sign(size: float, label: str, drawing: str) -> Markup:
    return tag(
        'svg',
        drawing,
        class_='sign',
        width=with_text(size),
        height=with_text(size),
        viewBox='-12 -12 24 24',
        role='img' if label else None,
        aria_label=label or None,
        aria_hidden=None if label else 'true',
    )


@cache
def sign(colour: str, size: float = 22, label: str = '') -> Markup:
    """A player's sign, filled, as an inline <svg> of `size` pixels at the usual text size; hidden from screen
    readers unless it has a label."""
    return _sign(
        size,
        label,
        tag('g', shape(colour), fill=player_var(colour, 'c'), stroke=var('player-edge'), stroke_width=1.5),
    )


def dashed(
    data: str, widths: tuple[float, float], dashes: str, dark: float, **more: str | float | None
) -> list[Markup]:
    """The mark of what may be chosen, along the path `data`: a light core in a dark case. `widths` are
    those of case and core, `dark` is how opaque the case is."""
    return [
        tag(
            'path',
            d=data,
            fill='none',
            stroke=colour,
            stroke_width=width,
            stroke_dasharray=dashes,
            stroke_linecap='round',
            **more,
            stroke_opacity=opacity,
        )
        for colour, width, opacity in zip(
            (var('legal-case'), var('legal')), widths, (dark, None), strict=True
        )
    ]


def last_lines(colour: str, width: float) -> tuple[tuple[str, float], ...]:
    """The lines, each with its width, round what a player did last: brass in a dark case, with the player's
    colour in the middle."""
    return (var('last-case'), width), (var('last'), 0.72 * width), (player_var(colour, 'c'), 0.4 * width)


@cache
def pill(colour: str, text: str, height: float) -> Markup:
    """Points for a player, round the origin: the player's sign and the text, as wide as it may be drawn."""
    size, player = 0.75 * height, PLAYERS[colour]
    left, wide = 1.04 * height, letters_width(text, size)  # where the text begins, and its room
    width = left + wide + 0.3 * height
    start = -width / 2
    return joined(
        (
            tag(
                'rect',
                x=start,
                y=-height / 2,
                width=width,
                height=height,
                rx=height / 2,
                fill='#fff',
                stroke=player.dark,
                stroke_width=0.094 * height,
            ),
            tag(
                'g',
                shape(colour),
                transform=translate(start + 0.58 * height, 0, scale=0.0265 * height),
                fill=player.base,
                stroke=player.deep,
                stroke_width=1.5,
            ),
            words(
                text,
                x=start + left + wide / 2,
                y=0.27 * height,
                font_size=size,
                font_weight=750,
                text_anchor='middle',
                fill='#1d2026',
            ),
        )
    )


@cache
def hollow(colour: str, size: float = 16, label: str = '') -> Markup:
    """A player's sign in outline only, in the colour of the text: a thing still wanted, a seat still open."""
    return _sign(
        size,
        label,
        tag('g', shape(colour), fill='none', stroke='currentColor', stroke_width=1.8, opacity=0.55),
    )


def favicon(colour: str | None = None) -> str:
    """The program's sign as a picture that stands alone; with a player's colour it is that player's shape: it
    is their turn."""
    if colour is None:
        body: str = emblem_shape()
    else:
        player = PLAYERS[colour]
        body = tag(
            'g', shape(colour), fill=player.base, stroke=player.deep, stroke_width=1.6, transform='scale(1.3)'
        )
    return standalone(tag('svg', body, viewBox='-15 -15 30 30'), 'light', 64)


def app_icon(full: bool) -> str:
    """The program's sign as the icon of an installed program, a picture that stands alone, on the colour of
    paper. `full`: the ground fills the square, and the sign stays in the circle that every system leaves of
    it; otherwise the square has round corners."""
    ground = tag('rect', x=-50, y=-50, width=100, height=100, rx=None if full else 22, fill=var('bg'))
    body = ground + tag('g', emblem_shape(), transform=f'scale({2.3 if full else 3})')
    return standalone(tag('svg', body, viewBox='-50 -50 100 100'), 'light', 512)


@cache
def emblem_shape() -> Markup:
    """The program's sign: an octagon with two paths and a runner, in the accent colour, within 15 units of
    the origin."""
    lines = tag(
        'g',
        tag('path', d='M0 -13A13 13 0 0 0 13 0'),
        tag('path', d='M-13 0H-5.5M-2 0A15 15 0 0 1 0 13'),
        fill='none',
        stroke=var('on-accent'),
        stroke_width=2.4,
    )
    return Markup(
        tag('path', d=polygon(octagon(13)), fill=var('accent'))
        + lines
        + tag('circle', cx=-3.6, cy=-3.2, r=3, fill=var('on-accent'))
    )


def emblem(size: float = 30) -> Markup:
    """The program's sign as an inline <svg>."""
    return tag(
        'svg',
        emblem_shape(),
        class_='mark',
        width=with_text(size),
        height=with_text(size),
        viewBox='-15 -15 30 30',
        aria_hidden='true',
    )
