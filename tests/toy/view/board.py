"""The drawing.

The market lies on top, the bag beside it, and below a row for every seat: cards, then fruits. Elements that
can be clicked: `market-<fruit>`, `bag`, and the viewer's cards `card-<fruit>`. The fruits of a basket are
`fruit-<seat>-<fruit>-<k>`.
"""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import Symbols, standalone, tag, translate, words
from ludoteca.game import Theme, View

from .. import components as C
from ..notation import cards, fruits
from ..rules import State
from .facts import COLOURS_OF_SEATS, bid_text, say

WIDTH, TOP, ROW, STEP = 620, 110, 90, 46
COLOURS = ('#7cb342', '#c2185b', '#5e35b1')  # of apples, cherries and plums


def _fruit(name: str, x: float, y: float, id: str | None = None, count: int = 1) -> Markup:
    """A fruit, with its number if there are more. Kinds differ by letter as well as by colour."""
    return tag(
        'g',
        tag('circle', r=19, fill=COLOURS[C.FRUITS.index(name)], stroke=var('player-edge')),
        words(
            name[0].upper() + (f'×{count}' if count > 1 else ''),
            y=5,
            text_anchor='middle',
            font_size=15,
            fill='#fff',
        ),
        id=id,
        class_='fruit',
        transform=translate(x, y),
        role='img',
        aria_label=f'{name} {count}',
    )


def _card(name: str | None, x: float, y: float, id: str | None) -> Markup:
    """A card, face down if its fruit is not known."""
    face = (
        (
            tag('circle', cy=-6, r=9, fill=COLOURS[C.FRUITS.index(name)])
            + words(name[0].upper(), y=23, text_anchor='middle', font_size=13, fill=var('text'))
        )
        if name
        else ''
    )
    return tag(
        'g',
        tag(
            'rect',
            x=-18,
            y=-28,
            width=36,
            height=56,
            rx=5,
            fill=var('surface' if name else 'walnut-2'),
            stroke=var('line-strong'),
        ),
        face,
        id=id,
        class_='card',
        transform=translate(x, y),
    )


@cache
def _background(players: int) -> Markup:
    return tag('rect', width=WIDTH, height=TOP + ROW * players, rx=16, fill=var('felt-1'))


def draw(view: View, theme: Theme = 'light') -> str:
    """The table as SVG text."""
    s, players = view.state, int(view.state.players)
    parts = [_background(players)]
    for k, fruit in enumerate(C.FRUITS):
        if s.market[k]:
            parts.append(_fruit(fruit, 60 + 60 * k, 55, f'market-{fruit}', int(s.market[k])))
    parts.append(
        tag(
            'g',
            tag('circle', r=32, fill=var('clay-2'), stroke=var('player-edge')),
            words(str(s.bag.sum()), y=6, text_anchor='middle', font_size=18, fill='#fff'),
            id='bag',
            transform=translate(WIDTH - 60, 55),
            role='img',
            aria_label=say('bag', fruits=s.bag.sum()),
        )
    )
    for seat in range(players):
        parts.append(_row(s, seat, view.seat))
    drawing = tag(
        'svg',
        *parts,
        viewBox=f'0 0 {WIDTH} {TOP + ROW * players}',
        role='img',
        aria_label=say('title'),
        font_family=var('font'),
    )
    return str(drawing if theme == 'page' else standalone(drawing, theme, WIDTH))


def _row(s: State, seat: int, viewer: int) -> Markup:
    """Colour, bid, cards and basket of a seat. Equal cards of the viewer's are one target, so the first of
    each carries the id."""
    player, hand, seen = PLAYERS[COLOURS_OF_SEATS[seat]], cards(s.hand[seat], int(s.held[seat])), set[str]()
    parts = [
        tag(
            'circle',
            cx=34,
            cy=0,
            r=22 if seat == s.to_move else 16,
            fill=player.base,
            stroke=var('player-edge'),
        ),
        words(
            bid_text(int(s.bid[seat])),
            x=34,
            y=5,
            text_anchor='middle',
            font_size=15,
            fill='#fff',
            id=f'bid-{seat}',
        ),
    ]
    for k, card in enumerate(hand):
        first = card is not None and seat == viewer and card not in seen
        seen.add(str(card))
        parts.append(_card(card, 90 + STEP * k, 0, f'card-{card}' if first else None))
    basket = fruits(s.basket[seat])
    for k, fruit in enumerate(basket):
        parts.append(_fruit(fruit, 390 + STEP * k, 0, f'fruit-{seat}-{fruit}-{k - basket.index(fruit)}'))
    return tag(
        'g',
        *parts,
        id=f'seat-{seat}',
        transform=translate(0, TOP + ROW / 2 + ROW * seat),
        class_=f'seat-{player.name}',
    )


def symbols() -> Symbols:
    """None: the drawing holds all it needs."""
    return Symbols({})
