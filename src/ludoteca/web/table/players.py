"""The players on the table page: one panel a seat."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import Panel, PanelRow
from ludoteca.text import words
from ludoteca.web.html.layout import Markup, h, hollow, sign, text_of
from ludoteca.web.table.buttons import replace_button, replaceable
from ludoteca.web.table.model import TableView
from ludoteca.web.table.wording import player_words


def players(table: TableView, panels: Sequence[Panel], at: int | None = None) -> h.Element:
    """The panels of all seats: the name and what others play against, which opens to show all that a seat
    has. The visitor's own is always open, and comes last in turn order. `at`: of the position after so many
    turns, where nobody thinks or is away."""
    own = next((k for k, panel in enumerate(panels) if panel.seat == table.seat), -1)
    return h.ul(
        '#players.players',
        aria_label=words('web.table.players'),
        data_count=str(len(panels)),
        data_away=words('web.table.away.minutes', n='#'),
    )[[_player(table, panel, at) for panel in (*panels[own + 1 :], *panels[: own + 1])]]


def scores(table: TableView, panels: Sequence[Panel], at: int | None = None) -> h.Element:
    """How all seats stand, for windows in which the panels lie below the board."""
    movers = _movers(table, at)
    return h.ul('.standings', aria_hidden='true')[
        [
            h.li(class_=f'seat-{panel.colour}{" on" if panel.seat in movers else ""}')[
                sign(panel.colour, 16), h.b[value]
            ]
            for panel in panels
            if (value := score_of(panel))
        ]
    ]


def _movers(table: TableView, at: int | None) -> tuple[int, ...]:
    """The seats whose turn it is, or was after so many turns."""
    return table.match.to_move if at is None else table.match.movers(at)


def score_of(panel: Panel) -> str:
    """The score of a panel in one word; '' without one."""
    if panel.pips:
        return f'{panel.pips[0]}/{panel.pips[1]}'
    return panel.rows[0].value if _has_score(panel.rows) else ''


def _has_score(rows: Sequence[PanelRow]) -> bool:
    """A plain number that stands first is the score."""
    return bool(rows) and rows[0].value.replace('.', '').isdigit()


def _player(table: TableView, panel: Panel, at: int | None) -> Markup:
    """The panel of a seat, made anew only if what it says has changed."""
    seat = panel.seat
    tag = text_of(_tag(table, seat) if at is None else _past_tag(table, seat, at))
    to_move, name, label = seat in _movers(table, at), table.name(seat), table.labels[seat]
    said = panel, tag, to_move, name, label
    return table.part(
        ('panel', seat, table.seat),
        said,
        lambda: text_of(_player_anew(table, panel, Markup(tag), to_move)),
    )


def _player_anew(table: TableView, panel: Panel, tag: Markup, moves: bool) -> h.Element:
    seat = panel.seat
    to_move = ' on' if moves else ''
    own = ' own' if seat == table.seat else ''
    name = table.name(seat)
    return h.li(
        class_=f'pl seat-{panel.colour}{to_move}{own}',
        aria_current='true' if to_move or own else None,
        data_seat=str(seat),
    )[
        h.div('.strip')[
            h.span('.big')[sign(panel.colour, 26)],
            h.strong[name],
            tag,
            _pips(panel, *panel.pips) if panel.pips else _score(panel.rows),
            None
            if own
            else h.button(
                '.open', type='button', aria_label=words('web.table.panel_of', name=name), data_act='panel'
            ),
        ],
        h.div('.more')[
            _presence(table, seat),
            panel.side and h.span('.side-of')[panel.side],
            _about(table, panel),
            _rows(panel.rows),
        ],
    ]


def _presence(table: TableView, seat: int) -> h.Node:
    """Where several people play: is the person of a seat here, or since when away; then with the offer of a
    bot."""
    label = table.labels[seat]
    if not table.people or label.kind != 'person' or label.mine or table.match.result:
        return None
    if not label.away:
        return h.span('.here', title=words('web.table.here'))[h.span('.unseen')[words('web.table.here')]]
    return [
        h.span('.gone', data_since=f'{label.away:.0f}')[words('web.table.away')],
        seat in replaceable(table) and replace_button(seat, words('web.table.bot_instead'), 's'),
    ]


def _about(table: TableView, panel: Panel) -> h.Element | None:
    """Colour and kind of a player, as far as they are not said already."""
    colour = words(f'colour.{panel.colour}')
    about = (
        colour if colour != table.name(panel.seat) else '',
        player_words(table.labels[panel.seat], len(table.mine)),
    )
    text = ' · '.join(part for part in about if part)
    return h.p('.about')[text] if text else None


def _tag(table: TableView, seat: int) -> h.Element | None:
    """What the seat is doing, or how the match has ended for it."""
    match = table.match
    if match.result:
        if seat in match.result.winners:
            alone = len(match.result.winners) == 1
            return h.span('.tag.won')[words('web.table.won' if alone else 'web.table.shared')]
        return h.span('.tag.away')[words('web.table.resigned')] if match.result.by == seat else None
    if seat in table.thinking:
        return h.span('.tag.thinking')[words('web.table.thinking')]
    if seat in (table.seat, *table.mine) and match.sealed(seat) is not None:
        return h.span('.tag.away')[words('web.table.sealed.tag')]
    if seat in match.to_move:
        return h.span('.tag')[words('web.table.to_move')]
    return None


def _past_tag(table: TableView, seat: int, at: int) -> h.Element | None:
    """How the match had ended for the seat after so many turns, or whether the seat was to move."""
    if table.match.result and at == table.match.turns:
        return _tag(table, seat)
    return h.span('.tag')[words('web.table.to_move')] if seat in _movers(table, at) else None


def _explains(row: PanelRow) -> dict[str, str]:
    """The attributes that name the explanation of a row: see static/explain.js."""
    return {'data-about': row.about} if row.about else {}


def _pips(panel: Panel, have: int, most: int) -> h.Element:
    """A score as signs: so many of so many."""
    signs = [sign(panel.colour, 18)] * have + [hollow(panel.colour, 18)] * (most - have)
    label = words('web.table.pips', have=have, of=most)
    counted = panel.rows[0].label.lower() if panel.rows else ''
    about = _explains(panel.rows[0]) if panel.rows else {}
    return h.div('.pips', role='img', aria_label=f'{label} {counted}', **about)[signs]


def _score(rows: Sequence[PanelRow]) -> h.Element | None:
    """The score, large."""
    if not _has_score(rows):
        return None
    return h.p('.score', **_explains(rows[0]))[h.span('.unseen')[rows[0].label, ' '], h.b[rows[0].value]]


def _kinds(row: PanelRow) -> str | None:
    """The classes of a row: is a drawing counted, is the row shown in a folded panel?"""
    counted = 'counted' if row.value and row.drawing else ''
    return f'{counted}{" brief" if row.brief else ""}'.strip() or None


def _rows(rows: Sequence[PanelRow]) -> list[h.Node]:
    """The rows of a panel but for the score: values and small drawings flow, large drawings have a line of
    their own."""
    score = rows[:1] if _has_score(rows) else ()
    return [
        h.dl('.rows')[
            [
                h.div(class_=_kinds(row), **_explains(row))[
                    h.dt[row.label], h.dd[None if row.fold else Markup(row.drawing), row.value]
                ]
                for row in rows[len(score) :]
            ]
        ],
        [h.div('.wide', **_explains(row))[Markup(row.drawing)] for row in score if row.drawing],
        [
            h.div('.wide.fold', **_explains(row))[Markup(row.drawing)]
            for row in rows
            if row.fold and row.drawing
        ],
    ]
