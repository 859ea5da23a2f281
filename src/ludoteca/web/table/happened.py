"""The line above the board: what the others have done since the visitor's own last turn, one sentence for
each of them, and the offer to play all that has happened since the visitor last looked."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.match import LogRow
from ludoteca.text import words
from ludoteca.web.html.layout import h, icon, sign
from ludoteca.web.table.model import TableView
from ludoteca.web.table.moves import gain_badges
from ludoteca.web.table.wording import also_text, gains_of, turn_text


def happened(table: TableView, rows: Sequence[LogRow]) -> h.Element:
    """The line above the board; a press on a sentence plays those turns again. `rows` are all of the log."""
    own = table.match.own_last(table.seat)
    others: dict[int, list[LogRow]] = {}
    for row in rows:
        if row.kind == 'turn' and row.number > own and row.seat != table.seat:
            others.setdefault(row.seat, []).append(row)
    players = table.match.setup.players
    crowd = '.many.crowd' if players > 3 else '.many' if players > 2 else ''
    return h.section(f'#happened.happened{crowd}', aria_label=words('web.table.happened'))[
        _since(),
        [_turns_of(table, seat, found) for seat, found in others.items()] or h.p[_followed(table, rows)],
        not own and _ask_sound(table),
    ]


def _since() -> h.Element:
    """The offer to play what the visitor has missed. The page knows what that is, and shows it."""
    return h.button('#since.since', type='button', hidden=True, **{'data-act': 'since'})[
        icon('play', 16), h.span(**{'data-text': words('web.table.since')})
    ]


def _ask_sound(table: TableView) -> h.Node:
    """The question whether sounds are wanted, until it is answered; at a table of the visitor's."""
    if not table.asks_sound or not table.mine or table.scripted or table.match.result:
        return None
    return h.div('.ask')[
        words('web.table.sounds'),
        [
            h.button('.btn.s', type='button', **{'data-act': 'sound', 'data-answer': answer})[
                words(f'web.table.sounds.{answer}')
            ]
            for answer in ('yes', 'no')
        ],
    ]


def _followed(table: TableView, rows: Sequence[LogRow]) -> str:
    """What the last turn brought if nobody else has moved since; before the first one, who begins and why."""
    if table.match.result:
        return ''
    return also_text(table.game, rows[-1].events, table.names) if rows else table.begins


def _turns_of(table: TableView, seat: int, rows: Sequence[LogRow]) -> h.Element:
    """What a seat did in some turns: the one that brought it most points, or the last one, and how many
    others there were."""
    last = max(rows, key=lambda row: (gains_of(row.events).get(seat, 0), row.number))
    text = turn_text(table.game, last.events, table.names, seat)
    if len(rows) > 1:
        more = len(rows) - 1
        key = 'one_more' if more == 1 else 'more'
        text = words(f'web.table.happened.{key}', turn=text, n=more)
    events = [event for row in rows for event in row.events]
    return h.button(
        type='button',
        title=words('web.table.happened.again'),
        **{
            'data-act': 'replay',
            'data-from': str(rows[0].number - 1),
            'data-until': str(rows[-1].number),
        },
    )[
        h.span('.said')[
            sign(table.colours[seat], 16), h.span[f'{text} '], gain_badges(table, events, seat, you=True)
        ]
    ]
