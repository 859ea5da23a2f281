"""What a season, a draft or a round has brought: sentences with points, played one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from ludoteca.game import Event, Game
from ludoteca.match import LogRow
from ludoteca.text import Words, words
from ludoteca.web.html.layout import Markup, button, h, icon, sign, text_of
from ludoteca.web.table.model import TableView
from ludoteca.web.table.moves import gain_badges
from ludoteca.web.table.wording import counted, gains_of, signed

TITLE = 'recap.title.'
GAMES_KEPT = 64
"""Of how many games it is remembered for which events they have titles."""
MOST_ROWS = 400
"""How many turns back a recap looks for the end of the one before it."""


def ends_chapter(game: Game, events: Iterable[Event]) -> Event | None:
    """The event with which a season, a draft or a round is over: one for which the game has a title."""
    titles = _titles(game.words)
    return next((event for event in events if event.kind in titles), None)


@lru_cache(maxsize=GAMES_KEPT)
def _titles(said: Words) -> frozenset[str]:
    """The kinds of events for which there is a title."""
    return frozenset(key.removeprefix(TITLE) for key in sorted(said.keys()) if key.startswith(TITLE))


def recap(table: TableView, rows: Sequence[LogRow], at: int) -> h.Element | Markup:
    """The recap of what was over with turn number `at`, empty if nothing was. `rows` are those of the log
    that come before it and its own."""
    turns = [row for row in rows if row.kind == 'turn' and row.number <= at]
    end = ends_chapter(table.game, turns[-1].events) if turns and turns[-1].number == at else None
    if end is None:
        return h.section('#recap.recap', hidden=True)
    events: list[Event] = []
    for row in reversed(turns):
        if row.number < at and ends_chapter(table.game, row.events):
            break
        events = [*row.events, *events]
    said = at, events, table.names, table.colours
    return table.part(('recap', at, table.knows), said, lambda: text_of(_recap_anew(table, events, end, at)))


def _recap_anew(table: TableView, events: Sequence[Event], end: Event, at: int) -> h.Element:
    """The recap of these events, the last chapter of which is over with the event `end`."""
    title = table.game.words(f'recap.title.{end.kind}', **end.values)
    lines = list(_lines(table, events))
    brings = gains_of(event for event in events if _key(table.game, event))
    close = words('web.table.recap.skip')
    return h.section('#recap.recap', hidden=True, aria_label=title, **{'data-at': str(at)})[
        h.header[
            h.h2[title],
            h.button('.ibtn', type='button', aria_label=close, title=close, **{'data-act': 'skip'})[
                icon('close', 18)
            ],
        ],
        h.ol[lines],
        brings
        and h.p('.sums')[
            [
                h.span(f'.pt.seat-{table.colours[seat]}')[
                    sign(table.colours[seat], 13),
                    h.span('.unseen')[f'{table.name(seat)} '],
                    signed(points),
                ]
                for seat, points in sorted(brings.items())
            ]
        ],
        button(words('web.table.recap.on'), 'check', 's', data_act='skip'),
    ]


def last_chapter(table: TableView, rows: Sequence[LogRow]) -> int:
    """The number of the last turn that ended a season, a draft or a round; 0 if none has."""
    if not _titles(table.game.words):
        return 0
    ended = (row.number for row in reversed(rows) if ends_chapter(table.game, row.events))
    return next(ended, 0)


def _key(game: Game, event: Event) -> str:
    """The key of the words for an event in a recap; '' if it is not told there."""
    for table in ('line', 'sum'):
        if (key := f'recap.{table}.{event.kind}') in game.words:
            return key
    return ''


def _lines(table: TableView, events: Sequence[Event]) -> Iterable[h.Element]:
    """A line for each event that is told; events of one kind that are told together are one line a seat."""
    together: dict[tuple[str, int], list[Event]] = {}
    for k, event in enumerate(events):
        key = _key(table.game, event)
        if key:
            alone = key.startswith('recap.line')
            together.setdefault((key, k if alone else -1 - event.seat), []).append(event)
    for (key, _), found in together.items():
        first = found[0]
        values = {
            name: counted([str(event.values[name]) for event in found]) if len(found) > 1 else value
            for name, value in first.values.items()
        }
        player = table.name(first.seat) if first.seat >= 0 else ''
        said = table.game.words(key, player=player, **values)
        # what is done for a neutral colour is nobody's
        whose = first.seat >= 0 and player in said
        gains = gains_of(found)
        yield h.li(**{'data-gains': ' '.join(f'{seat}:{points:g}' for seat, points in gains.items())})[
            sign(table.colours[first.seat], 14) if whose else h.span,
            h.span[said],
            h.span('.pts')[gain_badges(table, found, first.seat)],
        ]
