"""The log of the table page: its rows, what a season, a draft or a round has brought, and what the others
have done since the visitor's own last turn."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial

from ludoteca.drawing.svg import as_markup, escaped
from ludoteca.game import Event, Game
from ludoteca.match import HIDDEN, LogRow, Match
from ludoteca.text import Words, capitalized, words
from ludoteca.web.html.layout import Markup, button, h, icon, sign, text_of
from ludoteca.web.table.model import TableView
from ludoteca.web.table.wording import also_text, counted, did_text, events_text, gains_of, signed, turn_text

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
