"""A graph of shares over the turns of a match, one line a seat: colours and shapes are the players' own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ludoteca.drawing.marks import shape
from ludoteca.drawing.palette import PLAYERS, player_var, var
from ludoteca.drawing.svg import joined, number, tag, words

WIDTH, HEIGHT = 720, 240
"""Of the part in which lines are drawn; shares from 0 to 1 fill its height."""
EDGE = 16
LEFT = 62
"""Room for the shares, in words."""
STRIP = 54
"""Height of the strip below, in which changes are bars."""


@dataclass(frozen=True)
class GraphMark:
    """Something on a seat's line: at which index, for which seat, where it leads, and what it is in words."""

    at: int
    seat: int
    href: str
    label: str


def share_graph(
    shares: Sequence[Sequence[float]],
    colours: Sequence[str],
    marks: Sequence[GraphMark] = (),
    changes: Mapping[int, Sequence[float]] | None = None,
    current: int = -1,
    label: str = '',
) -> Markup:
    """The graph of `shares[index][seat]`, at least two of them. `changes`: by index what came to each seat
    there by luck, drawn as a bar for the seat that gained most; `current`: an index that is marked."""
    across = (WIDTH - 1) / (len(shares) - 1)

    def x(at: float) -> float:
        return LEFT + across * at

    def y(share: float) -> float:
        return EDGE + HEIGHT * (1 - min(1.0, max(0.0, share)))

    bottom = HEIGHT + 2 * EDGE + (STRIP if changes else 0)
    parts: list[str] = [
        tag('path', d=f'M{LEFT} {number(y(share))}h{WIDTH}', class_='rule middle' if share == 0.5 else 'rule')
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    parts += [
        words(f'{100 * share:.0f} %', x=LEFT - 10, y=number(y(share)), class_='share', aria_hidden='true')
        for share in (0.0, 0.5, 1.0)
    ]
    if current >= 0:
        parts.append(tag('path', d=f'M{number(x(current))} {EDGE / 2}V{bottom - EDGE / 2}', class_='now'))
    for seat, colour in enumerate(colours):
        points = ' '.join(f'{number(x(k))},{number(y(row[seat]))}' for k, row in enumerate(shares))
        edge, middle = PLAYERS[colour].deep, player_var(colour, 'c')
        parts += [
            tag('polyline', points=points, class_='case', stroke=edge),
            tag('polyline', points=points, class_='line', stroke=middle),
        ]
        for k in (0, len(shares) - 1):
            parts.append(_sign(colour, x(k), y(shares[k][seat]), 0.62))
    if changes:
        parts.append(_strip(changes, colours, x))
    parts += [_mark(one, shares, colours, x, y) for one in marks]
    return tag(
        'svg',
        *parts,
        class_='graph',
        viewBox=f'0 0 {LEFT + WIDTH + EDGE} {bottom}',
        role='group',
        aria_label=label or None,
    )


def _sign(colour: str, x: float, y: float, scale: float) -> Markup:
    return tag(
        'g',
        shape(colour),
        transform=f'translate({number(x)} {number(y)}) scale({scale})',
        fill=player_var(colour, 'c'),
        stroke=var('player-edge'),
        stroke_width=1.8,
    )


def _mark(
    mark: GraphMark,
    shares: Sequence[Sequence[float]],
    colours: Sequence[str],
    x: Callable[[float], float],
    y: Callable[[float], float],
) -> Markup:
    at, share = x(mark.at), y(shares[mark.at][mark.seat])
    ring = tag('circle', cx=number(at), cy=number(share), r=15, class_='halo')
    return tag('a', ring, _sign(colours[mark.seat], at, share, 0.95), href=mark.href, aria_label=mark.label)


def _strip(
    changes: Mapping[int, Sequence[float]], colours: Sequence[str], x: Callable[[float], float]
) -> Markup:
    """Bars from the bottom up, as high as the most that a seat gained; a whole win would fill the strip."""
    base = HEIGHT + EDGE + STRIP
    bars: list[Markup] = [tag('path', d=f'M{LEFT} {base}h{WIDTH}', class_='rule')]
    for at, gains in changes.items():
        most = max(gains)
        seat = list(gains).index(most)
        high = max(1.5, most * 2 * (STRIP - 8))
        bars.append(
            tag(
                'path',
                d=f'M{number(x(at))} {base}v{number(-min(high, STRIP - 4))}',
                class_='bar',
                stroke=player_var(colours[seat], 'c'),
            )
        )
    return joined(bars)
