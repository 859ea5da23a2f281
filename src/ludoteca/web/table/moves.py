"""The log of the table page."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.match import HIDDEN, LogRow, Match
from ludoteca.text import words
from ludoteca.web.layout import h, icon, sign
from ludoteca.web.table.model import TableView
from ludoteca.web.table.wording import events_text


def moves(table: TableView, rows: Sequence[LogRow]) -> h.Element:
    """The rows of the log, the last one first, and the buttons that look back."""
    finished = table.match.finished()
    return h.section('#moves.card', aria_label=words('web.table.moves'))[
        h.header[
            h.h2[words('web.table.moves')],
            _step_button('first', 'first', words('web.table.first'), ' edge'),
            _step_button('prev', 'prev', words('web.table.back')),
            h.output[f'{finished} / {finished}'],
            _step_button('next', 'next', words('web.table.forward')),
            _step_button('last', 'last', words('web.table.last'), ' edge'),
        ],
        h.ol('.log', tabindex='-1')[
            [_turn(table, row) if row.kind == 'turn' else _note(table, row) for row in reversed(rows)],
            _start(table),
        ],
    ]


def row_text(table: TableView, row: LogRow) -> h.Node:
    """The names of a turn; where the visitor may not know one of them, what could be seen of the turn."""
    seen = events_text(table.game, row.events, table.names) if HIDDEN in row.names else ''
    return seen or _names(row)


def _names(row: LogRow) -> h.Node:
    """The names of a turn; the last one stands out."""
    shown = ['…' if name == HIDDEN else name for name in row.names]
    if len(shown) < 2:
        return shown
    return [' '.join(shown[:-1]), ' ', h.b[shown[-1].replace('-', '–')]]


def turn_number(match: Match, at: int) -> str:
    """The number of a turn for people; '' for a secret choice that all make at once."""
    number = match.finished(at)
    return str(number) if not at or number > match.finished(at - 1) else ''


def _note(table: TableView, row: LogRow) -> h.Element:
    """A row that is no turn."""
    text = words(f'web.table.row.{row.kind}')
    return h.li('.rd')[table.name(row.seat) + ' ' if row.kind in ('resign', 'return') else '', text]


def _turn(table: TableView, row: LogRow) -> list[h.Node]:
    """A turn, and the heading of the stage or of the round that begins with it."""
    match = table.match
    current = row.number == match.turns
    colour = table.colours[row.seat] if 0 <= row.seat < match.setup.players else ''
    return [
        h.li(class_='cur' if current else None)[
            h.button(
                type='button',
                **{'data-at': str(row.number), 'data-no': str(match.finished(row.number))},
                aria_current='step' if current else None,
            )[
                h.span('.no')[turn_number(match, row.number)],
                colour and sign(colour, 15),
                h.span('.mv')[row_text(table, row)],
            ]
        ],
        _heading(match, row.number),
    ]


def _heading(match: Match, turn: int) -> h.Element | None:
    """The stage or the round that begins with a turn, if one does."""
    if stage := match.stage(turn - 1):
        return h.li('.rd')[stage] if turn == 1 or stage != match.stage(turn - 2) else None
    number, players = match.finished(turn), match.setup.players
    if number > match.finished(turn - 1) and (number - 1) % players == 0:
        return h.li('.rd')[words('web.table.round', n=(number - 1) // players + 1)]
    return None


def _start(table: TableView) -> h.Element:
    """The beginning of the match."""
    return h.li(class_='cur' if not table.match.turns else None)[
        h.button('.start', type='button', **{'data-at': '0', 'data-no': '0'})[
            h.span('.no')['0'], h.span('.mv')[table.begins or words('web.table.beginning')]
        ]
    ]


def _step_button(act: str, icon_name: str, label: str, more: str = '') -> h.Element:
    return h.button(class_=f'ibtn{more}', type='button', aria_label=label, data_act=act)[icon(icon_name, 18)]
