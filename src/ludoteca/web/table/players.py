"""The players on the table page: one panel a seat."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import Panel, PanelRow, View
from ludoteca.text import words
from ludoteca.web.layout import Markup, h, hollow, sign
from ludoteca.web.table.model import TableView
from ludoteca.web.table.wording import player_words


def players(table: TableView, view: View) -> h.Element:
    """The panels of all seats."""
    return h.ul('#players.players', aria_label=words('web.table.players'))[
        [_player(table, panel) for panel in table.game.panels(view)]
    ]


def _player(table: TableView, panel: Panel) -> h.Element:
    seat = panel.seat
    colour = words(f'colour.{panel.colour}')
    about = (colour if colour != table.name(seat) else '', panel.side, player_words(table.labels[seat]))
    to_move = ' on' if seat in table.match.to_move else ''
    own = ' own' if seat == table.seat else ''
    crowded = table.match.result is not None or (table.match.setup.players > 2 and seat != table.seat)
    return h.li(
        class_=f'pl seat-{panel.colour}{to_move}{own}', aria_current='true' if to_move or own else None
    )[
        h.span('.big')[sign(panel.colour, 30)],
        h.div('.who')[h.strong[table.name(seat)], h.span[' · '.join(part for part in about if part)]],
        _tag(table, seat),
        _pips(panel, *panel.pips) if panel.pips else _rows(panel.rows, crowded),
    ]


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
    if seat == table.seat and match.sealed(seat) is not None:
        return h.span('.tag.away')[words('web.table.sealed.tag')]
    if seat in match.to_move:
        return h.span('.tag')[words('web.table.to_move')]
    return h.span('.tag.away')[words('web.table.away')] if table.labels[seat].away else None


def _pips(panel: Panel, have: int, most: int) -> h.Element:
    """A score as signs: so many of so many."""
    signs = [sign(panel.colour, 17)] * have + [hollow(panel.colour, 17)] * (most - have)
    label = words('web.table.pips', have=have, of=most)
    counted = panel.rows[0].label.lower() if panel.rows else ''
    about = _about(panel.rows[0]) if panel.rows else {}
    return h.div('.pips', role='img', aria_label=f'{label} {counted}', **about)[
        signs, h.em(aria_hidden='true')[label, counted and h.i[f' {counted}']]
    ]


def _about(row: PanelRow) -> dict[str, str]:
    """What explains a row: see static/explain.js."""
    return {'data-about': row.about} if row.about else {}


def _rows(rows: Sequence[PanelRow], folds: bool) -> list[h.Node]:
    """The rows of a panel. A plain number that stands first is the score, and large. Values in one line
    follow, then the drawing of the score and the rows that may be folded away, each in a line of its own."""
    score = rows[:1] if rows and rows[0].value.replace('.', '').isdigit() else ()
    return [
        [h.p('.score', **_about(row))[h.span('.unseen')[row.label, ' '], h.b[row.value]] for row in score],
        h.dl('.rows')[
            [
                h.div(**_about(row))[
                    h.dt[row.label], h.dd[None if row.fold else Markup(row.drawing), row.value]
                ]
                for row in rows[len(score) :]
                if not (row.fold and folds)
            ]
        ],
        [h.div('.wide', **_about(row))[Markup(row.drawing)] for row in score if row.drawing],
        [
            h.details('.fold')[
                h.summary[row.label, ' ', h.b[row.value]],
                h.div('.wide', **_about(row))[Markup(row.drawing)],
            ]
            if folds
            else h.div('.wide', **_about(row))[Markup(row.drawing)]
            for row in rows
            if row.fold and row.drawing
        ],
    ]
