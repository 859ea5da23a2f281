"""The card of Myraclia that says where points come from: the score track, and a table of sources by player,
at the end the final scoring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from ludoteca.drawing.cards import card_svg, card_text
from ludoteca.drawing.marks import shape
from ludoteca.drawing.palette import PLAYERS, var
from ludoteca.drawing.svg import joined, number, tag, translate
from ludoteca.game import Card, View
from ludoteca.game.seats import from_viewer
from ludoteca.text.players import player_word

from .. import components as C
from ..rules import Source
from . import symbols as A
from .facts import (
    RECONSTRUCTED,
    Scoring,
    certain,
    listed,
    marked,
    points_words,
    say,
    scoring_of,
    standings,
    winners_of,
)
from .symbols import CARD

ROW, HEAD, TOTAL = 20.0, 30.0, 28.0  # heights of the table's rows, of its head and of its last row
NAMES, WIDEST = 138.0, 62.0  # width of the column of names; greatest width of a player's column
# the score track: radius of a sign, height of a lane, of the numbers below
DISK, LANE, RULER = 7.5, 19.0, 24.0
TRACK = 40  # points that it shows at least
CARDS_KEPT = 256  # cards that are kept: most turns bring no points


@dataclass(frozen=True)
class ScoreLine:
    """A row of the table: its name, the points of each seat, the element that explains it, and the surface
    whose badge stands before it (or -1)."""

    name: str
    points: tuple[int, ...]
    about: str
    surface: int = -1


class Column(NamedTuple):
    """A seat in the table: its colour, its name, its points now, the final scoring as things stand, and
    whether it has won."""

    colour: str
    player: str
    points: int
    scoring: Scoring
    won: bool


def card(view: View) -> Card:
    """Points by their source; at the end the winner first."""
    s = view.state
    seats = standings(s) if s.ending else from_viewer(view)
    winners = winners_of(s) if s.ending else []
    columns = tuple(
        Column(
            view.colour(seat),
            player_word(seat, view.names),
            int(s.points[seat]),
            scoring_of(s, seat),
            seat in winners,
        )
        for seat in seats
    )
    return _card(columns, bool(s.ending), bool(s.eternity))


@lru_cache(maxsize=CARDS_KEPT)
def _card(columns: tuple[Column, ...], over: bool, eternity: bool) -> Card:
    track, height = _track(columns)
    lines = list(_lines([column.scoring for column in columns], eternity))
    title = say('card.scoring.final' if over else 'card.scoring.title')
    table = tag('g', *_table(columns, lines), transform=translate(0, height))
    return Card(
        'scoring',
        title,
        '' if over else say('card.scoring.note'),
        card_svg(CARD, height + HEAD + ROW * len(lines) + TOTAL, title, track, table),
        tray=over,
        footnote=_footnote(),
        chapter=RECONSTRUCTED,
    )


def _footnote() -> str:
    """How the points for surfaces are known, if not for certain."""
    return (
        ''
        if certain('surface_table')
        else say('card.scoring.surfaces', points=listed([str(n) for n in C.SURFACE_POINTS[1:]]))
    )


# ---- the score track ---------------------------------------------------------------------------------------


def _track(columns: Sequence[Column]) -> tuple[Markup, float]:
    """Where everybody stands now, and the height of that."""
    last = max(TRACK, -(-max(column.points for column in columns) // 10) * 10)
    left, right = 10.0, CARD - 12
    lanes: list[float] = []  # how far to the right each is filled
    signs = list[Markup]()
    for column in sorted(columns, key=lambda column: column.points):
        x = left + (right - left) * column.points / last
        lane = next((k for k, end in enumerate(lanes) if end + 2 * DISK + 2 <= x), len(lanes))
        lanes[lane : lane + 1] = [x]
        signs.append(
            tag(
                'g',
                shape(column.colour),
                transform=translate(x, -LANE * (lane + 0.55), scale=0.62),
                fill=PLAYERS[column.colour].base,
                stroke=var('player-edge'),
                stroke_width=1.8,
            )
        )
    base = LANE * len(columns) + 4  # all may have the same points
    ruler = [tag('path', d=f'M{number(left)} 0H{number(right)}', stroke=var('line-strong'), stroke_width=2)]
    for n in range(0, last + 1, 10):
        x = left + (right - left) * n / last
        ruler += [
            tag('path', d=f'M{number(x)} 0v5', stroke=var('line-strong'), stroke_width=1.5),
            card_text(str(n), x, 17, 12, 500, 'text-3') if n % (10 if last <= 80 else 20) == 0 else Markup(),
        ]
    said = listed(
        [
            say('card.scoring.at', player=column.player, points=points_words(column.points))
            for column in columns
        ]
    )
    return tag(
        'g',
        *ruler,
        *signs,
        transform=translate(0, base),
        role='img',
        aria_label=say('card.scoring.track', players=said),
    ), base + RULER


# ---- the table ---------------------------------------------------------------------------------------------


def _lines(found: Sequence[Scoring], eternity: bool) -> Iterator[ScoreLine]:
    """The sources: those of the track, then those of the final scoring."""
    for source in Source:
        points = tuple(one.sources[source] for one in found)
        if eternity or any(points) or source != Source.TOKENS:
            yield ScoreLine(say(f'card.scoring.{source.name.lower()}'), points, f'line-{source.name.lower()}')
    if any(one.earlier for one in found):
        yield ScoreLine(say('card.scoring.earlier'), tuple(one.earlier for one in found), 'line-earlier')
    for surface in range(C.N_SURFACES):
        yield ScoreLine(
            marked(say(f'surface.{C.SURFACES[surface]}'), 'surface_table'),
            tuple(_worth(one.symbols[surface]) for one in found),
            'line-surface',
            surface,
        )
    yield ScoreLine(say('card.scoring.types'), tuple(one.types_points for one in found), 'line-types')
    yield ScoreLine(say('card.scoring.area'), tuple(one.area_points for one in found), 'line-area')


def _worth(symbols: int) -> int:
    """Points for so many symbols of a surface."""
    return C.SURFACE_POINTS[min(symbols, len(C.SURFACE_POINTS) - 1)]


def _table(columns: Sequence[Column], lines: Sequence[ScoreLine]) -> Iterator[Markup]:
    """Head, rows, sums; at the end the winner's column is marked."""
    low = HEAD + ROW * len(lines)
    width = min(WIDEST, (CARD - NAMES) / len(columns))
    middles = tuple(CARD - width * (len(columns) - k - 0.5) for k in range(len(columns)))
    for column, x in zip(columns, middles, strict=True):
        if column.won:
            yield tag(
                'rect',
                x=x - width / 2 + 1,
                y=1,
                width=width - 2,
                height=low + TOTAL - 2,
                rx=8,
                fill=var('last-soft'),
                stroke=var('last-bar'),
            )
        yield tag(
            'g',
            shape(column.colour),
            transform=translate(x, HEAD / 2, scale=0.8),
            fill=PLAYERS[column.colour].base,
            stroke=var('player-edge'),
            stroke_width=1.6,
            role='img',
            aria_label=column.player,
        )
    for k in range(0, len(lines), 2):
        y = HEAD + ROW * k
        yield tag('rect', y=y, width=NAMES - 8, height=ROW, rx=4, fill=var('surface-2'), fill_opacity=0.8)
    y = HEAD
    for about, rows in groupby(lines, lambda line: line.about):
        texts = [_row(line, middles, y + ROW * k) for k, line in enumerate(rows)]
        frame = f'M-3 {number(y - 3)}H{number(CARD + 3)}v{number(ROW * len(texts) + 6)}H-3z'
        hit = tag('path', d=frame, class_='hit', fill='none', pointer_events='all')
        yield tag('g', hit, *texts, data_about=about)
        y += ROW * len(texts)
    yield tag('path', d=f'M0 {number(low + 2)}H{number(CARD)}', stroke=var('line-strong'))
    yield card_text(say('card.scoring.total'), 5, low + 20, 13.5, 700, 'text', 'start')
    yield joined(
        card_text(str(column.scoring.total), x, low + 20.5, 15.5, 750)
        for column, x in zip(columns, middles, strict=True)
    )


@lru_cache(maxsize=2048)
def _row(line: ScoreLine, columns: tuple[float, ...], y: float) -> Markup:
    """A row of the table."""
    low = y + ROW / 2 + 4.5
    badge = A.badge(line.surface, 12, y + ROW / 2, 7.5) if line.surface >= 0 else ''
    return tag(
        'g',
        badge,
        card_text(line.name, 25 if line.surface >= 0 else 5, low, 12.5, 550, 'text-2', 'start'),
        *(
            card_text(str(n), x, low, 13, 650, 'text' if n else 'text-3')
            for n, x in zip(line.points, columns, strict=True)
        ),
    )
