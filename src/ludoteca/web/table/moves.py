"""The log of the table page."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial

from ludoteca.drawing.svg import as_markup, escaped
from ludoteca.game import Event
from ludoteca.match import HIDDEN, LogRow, Match
from ludoteca.text import capitalized, words
from ludoteca.web.html.layout import Markup, h, icon, sign, text_of
from ludoteca.web.table.model import TableView
from ludoteca.web.table.wording import also_text, did_text, events_text, gains_of, signed

TOGETHER = 16
"""So many old turns are remembered as one text."""
KEPT = 2 * TOGETHER
"""So many turns are remembered by themselves."""
BADGES_KEPT = 4096
"""So many badges of points are remembered: players and points are few."""


def moves(table: TableView, rows: Sequence[LogRow]) -> h.Element:
    """The rows of the log, the last one below, and the buttons that look back. One row takes part in the tab
    order; arrow keys go from row to row."""
    finished = table.match.finished()
    return h.section('#moves.card', aria_label=words('web.table.moves'))[
        h.header[
            h.h2[words('web.table.moves')],
            _step_button('first', 'first', words('web.table.first'), ' edge'),
            _step_button('prev', 'prev', words('web.table.back')),
            h.output[f'{finished} / {finished}'],
            _step_button('next', 'next', words('web.table.forward')),
            _step_button('present', 'last', words('web.table.last'), ' edge'),
        ],
        h.ol('.log', tabindex='-1')[
            _start(table),
            list(_told(table, rows)),
        ],
    ]


def row_text(table: TableView, row: LogRow, subject: str = '') -> tuple[h.Node, str]:
    """What a turn was, and what followed from it: in sentences after their `subject`, or in notation as the
    visitor prefers. Where the visitor may not know a name, what could be seen of the turn."""
    did = '' if table.preferences.log == 'notation' else _did(table, row)
    return _row_text(table, row, did, subject)


def _did(table: TableView, row: LogRow) -> str:
    return did_text(table.game, row.events, table.names, row.seat)


def _row_text(table: TableView, row: LogRow, did: str, subject: str = '') -> tuple[h.Node, str]:
    """The same by what the turn `did`."""
    if table.preferences.log == 'notation':
        seen = HIDDEN in row.names
        return (events_text(table.game, row.events, table.names) if seen else '') or _names(row), ''
    if not did:
        return events_text(table.game, row.events, table.names) or _names(row), ''
    sentence = f'{subject} {did}' if subject else capitalized(did)
    return f'{sentence}.', also_text(table.game, row.events, table.names)


def gain_badges(table: TableView, events: Sequence[Event], own: int, you: bool = False) -> list[Markup]:
    """The points that events bring: those of the seat `own` first, those of the others with their signs.
    `you`: the visitor's only seat is called so."""
    gains = gains_of(events)
    if not gains:
        return []
    only = table.mine[0] if you and len(table.mine) == 1 else None
    return [
        _badge(table.colours[seat], '' if seat == only else table.name(seat), points, seat == own)
        for seat, points in sorted(gains.items(), key=lambda gain: (gain[0] != own, gain[0]))
    ]


@lru_cache(maxsize=BADGES_KEPT)
def _badge(colour: str, name: str, points: float, own: bool) -> Markup:
    """The points of a player; without a `name` it is the visitor, with `own` nobody needs to be shown whose
    they are."""
    badge = h.span(f'.pt.seat-{colour}')[
        not own and sign(colour, 12),
        h.span('.unseen')[f'{name} '] if name else f'{words("web.table.you")} ',
        signed(points),
    ]
    return Markup(text_of(badge))


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


def _told(table: TableView, rows: Sequence[LogRow]) -> Iterator[h.Node]:
    """All rows: those of old turns, which stay as they are, are made some at a time."""
    match, done = table.match, 0
    said = match, match.epoch, match.status, table.names, table.colours
    for last in range(TOGETHER, match.turns - match.setup.players + 1, TOGETHER):
        until = bisect.bisect(rows, last, done, key=lambda row: row.number)
        old, done = rows[done:until], until
        place = 'turns', last, table.preferences.log, table.knows
        yield table.part(place, said, partial(_together, table, old))
    yield [_row(table, row) for row in rows[done:]]


def _together(table: TableView, rows: Sequence[LogRow]) -> str:
    return ''.join([_turn_anew(table, row) if row.kind == 'turn' else _note(table, row) for row in rows])


def _row(table: TableView, row: LogRow) -> Markup:
    return _turn(table, row) if row.kind == 'turn' else _note(table, row)


def _note(table: TableView, row: LogRow) -> Markup:
    """A row that is no turn."""
    text = words(f'match.row.{row.kind}', player=table.name(row.seat) if row.seat >= 0 else '')
    return as_markup(f'<li class="rd">{escaped(text)}</li>')


def _turn(table: TableView, row: LogRow) -> Markup:
    """A turn, made anew only if what it says has changed."""
    match, log = table.match, table.preferences.log
    # of one epoch a number stands for one turn, so also for its stage and for how people count it
    said = match, match.epoch, match.turns == row.number, row, table.names, table.colours
    place = 'turn', row.number % KEPT, log, table.knows
    return table.part(place, said, partial(_turn_anew, table, row))


def _turn_anew(table: TableView, row: LogRow) -> str:
    """The turn, after the heading of the stage or of the round if one begins with it. It is written as text
    at once: a first message has a row for each turn of the match."""
    match, number = table.match, row.number
    stage = _stage_of(match, number)
    begins = number == 1 or stage != _stage_of(match, number - 1)
    heading = f'<li class="rd">{escaped(stage)}</li>' if begins and stage else ''
    colour = table.colours[row.seat] if 0 <= row.seat < match.setup.players else ''
    plain = table.preferences.log == 'notation' and HIDDEN not in row.names
    did = '' if plain else _did(table, row)
    text, also = _row_text(table, row, did)
    subject = table.name(row.seat) if colour and (did or plain) else ''  # it is told without its subject
    fights = any('defender' in event.values for event in row.events)
    classes, focus, state = _CURRENT if number == match.turns else _PAST
    finished = match.finished(number)
    # joined, since Markup escapes what is added to it
    return ''.join(
        (
            f'{heading}<li{classes}><button type="button" tabindex="{focus}" data-at="{number}"',
            f' data-no="{finished}"{state}><span class="no">{turn_number(match, number)}</span>',
            sign(colour, 15) if colour else '',
            '<span class="mv">',
            f'<span class="unseen">{escaped(subject)} </span>' if subject else '',
            icon('swords', 14) if fights else '',
            text_of(text),
            f'<span class="also"> {escaped(also)}</span>' if also else '',
            f'</span><span class="pts">{"".join(gain_badges(table, row.events, row.seat))}</span>',
            '</button></li>',
        )
    )


_CURRENT, _PAST = (' class="cur"', '0', ' aria-current="step"'), ('', '-1', '')
"""The class of a row, its place in the tab order, and the state of its button."""


def _stage_of(match: Match, turn: int) -> str:
    """The stage or the round in which a turn was made."""
    if match.arranged(turn - 1):
        return words('web.table.arrange.place')
    return match.stage(turn - 1) or words(
        'web.table.round', n=match.finished(turn - 1) // match.setup.players + 1
    )


def _start(table: TableView) -> h.Element:
    """The beginning of the match."""
    current = not table.match.turns
    return h.li(class_='cur' if current else None)[
        h.button(
            '.start',
            type='button',
            tabindex='0' if current else '-1',
            **{'data-at': '0', 'data-no': '0'},
            aria_current='step' if current else None,
        )[h.span('.no')['0'], h.span('.mv')[table.begins or words('web.table.beginning')]]
    ]


@cache
def _step_button(act: str, icon_name: str, label: str, more: str = '') -> h.Element:
    """A button that looks back. The log's keys do the same, so that it is no tab stop of its own."""
    return h.button(class_=f'ibtn{more}', type='button', tabindex='-1', aria_label=label, data_act=act)[
        icon(icon_name, 18)
    ]
