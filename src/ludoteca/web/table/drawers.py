"""The drawers of the table page: what was said, and what concerns the match as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.match import PERSON
from ludoteca.store import ChatLine
from ludoteca.text import words
from ludoteca.web.html.layout import button, credits_of, h, icon, sign
from ludoteca.web.table.buttons import replace_button, replaceable, retry_button
from ludoteca.web.table.model import TableView


def chat_lines(chat: Sequence[ChatLine], colours: Sequence[str]) -> h.Element:
    """What was said last, the oldest line first."""
    lines = [
        h.li[
            sign(colours[line.seat], 15) if 0 <= line.seat < len(colours) else h.span,
            h.span[h.b[line.name], line.text],
        ]
        for line in chat
    ]
    count = chat[-1].number + 1 if chat else 0  # of all lines: the page shows the last ones only
    return h.ul('#chat.chat-lines', **{'data-count': str(count)}, aria_label=words('web.table.chat'))[
        lines or h.li[h.span, h.span[words('web.chat.none')]]
    ]


MOST_SAID = 6
"""Lines of chat that are shown at one turn; the last ones."""


def said_then(table: TableView, at: int) -> h.Element:
    """What was said at the table after so many turns and before the next one."""
    match = table.match
    times = [row.time for row in match.log(table.seat, max(0, at - 1)) if row.kind == 'turn'][
        : 2 if at else 1
    ]
    since = times.pop(0) if at else 0.0
    until = times[0] if times else float('inf')
    lines = [line for line in table.chat if since <= line.time < until][-MOST_SAID:]
    return h.ul('#said.said', aria_label=words('web.table.chat'))[
        [
            h.li[
                sign(table.colours[line.seat], 15) if 0 <= line.seat < len(table.colours) else None,
                h.b[line.name],
                ' ',
                line.text,
            ]
            for line in lines
        ]
    ]


def lobby_link() -> h.Element:
    """The way to another table."""
    return h.a('.btn', href='/')[icon('home'), words('web.table.menu.new')]


def menu(table: TableView) -> h.Element:
    """The drawer of the match as a whole."""
    match = table.match
    running = match.status == 'running'
    playing = bool(table.mine) and running and not table.scripted
    people = [own for own in table.mine if match.seats[own].kind == PERSON] if playing else []
    may_take_back = any(not match.may_take_back(own) for own in people)
    alone = playing and all(
        label.kind == 'bot' for seat, label in enumerate(table.labels) if seat != table.seat
    )
    replaced = any(match.may_come_back(own) for own in table.mine)
    return h.div('#menu.stack')[
        button(
            words('web.places.title'),
            'log',
            '',
            data_act='places',
            aria_pressed=str(table.preferences.places).lower(),
        ),
        playing
        and (
            retry_button(table, words('web.table.takeback'))
            if alone
            else people
            and button(
                words('web.table.takeback'), 'undo', '', data_act='takeback', disabled=not may_take_back
            )
        ),
        [
            replace_button(seat, words('web.table.menu.replace', name=table.name(seat)))
            for seat in replaceable(table)
        ],
        replaced and button(words('web.table.menu.come_back'), 'person', 'main', data_act='back'),
        table.seat in people and button(words('web.table.resign'), 'flag', 'danger', data_act='resign'),
        h.a('.btn', href=f'/api/tables/{table.id}/export?seat={table.seat}', download=True)[
            icon('save'), words('web.table.menu.export')
        ],
        _analyse(table, running),
        lobby_link(),
        [h.p('.credit')[line] for line in credits_of([table.game])],
    ]


def _analyse(table: TableView, running: bool) -> h.Node:
    """The way to a board for analysis at the position that is looked at; of a match with secrets that is
    over, as the visitor knew it, and whole."""
    if table.analysis >= 0 or table.match.setup.lesson or table.match.setup.exercise:
        return None
    plain = h.form('.analyse', method='post', action='/analysis', enctype='multipart/form-data')[
        h.input(type='hidden', name='table', value=table.id),
        h.input(type='hidden', name='turn', value=''),
        h.button('.btn', type='submit')[icon('chart'), words('web.analysis.open')],
    ]
    if running or not table.mine or not table.game.hidden:
        return plain
    return [
        plain,
        h.form('.analyse', method='post', action='/analysis', enctype='multipart/form-data')[
            h.input(type='hidden', name='table', value=table.id),
            h.input(type='hidden', name='turn', value=''),
            h.input(type='hidden', name='everything', value='yes'),
            h.button('.btn', type='submit')[icon('chart'), words('web.analysis.open_all')],
        ],
    ]
