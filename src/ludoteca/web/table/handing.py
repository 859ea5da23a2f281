"""What the curtain of a shared screen says while the screen goes to the next person: what all may know."""

from __future__ import annotations

from ludoteca.game import SPECTATOR
from ludoteca.text import words
from ludoteca.web.html.layout import h, sign
from ludoteca.web.table.model import TableView, seat_view
from ludoteca.web.table.moves import gain_badges, row_text
from ludoteca.web.table.places import scores_of

MOST_TURNS = 5


def no_handing() -> h.Element:
    """The curtain is open."""
    return h.div('#handing')


def handing(table: TableView, following: int) -> h.Element:
    """Whose turn it is, what has happened since this seat's last turn, and how all stand. `table` is a
    spectator's: nothing here is known to one person alone."""
    assert table.seat == SPECTATOR
    match = table.match
    turns = [row for row in match.log(SPECTATOR, match.own_last(following)) if row.kind == 'turn']
    lines = [(row, *row_text(table, row, table.name(row.seat))) for row in turns[-MOST_TURNS:]]
    return h.div('#handing')[
        h.p[words('web.table.curtain')],
        h.h2('#handing-title')[sign(table.colours[following], 34), h.span[table.name(following)]],
        h.ul('.standing', aria_label=words('web.table.curtain_scores'))[
            [
                h.li(class_=f'seat-{table.colours[seat]}')[
                    sign(table.colours[seat], 18), h.span[table.name(seat)], h.b[value]
                ]
                for seat, value in scores_of(table, seat_view(table))
                if value
            ]
        ],
        bool(lines)
        and h.ol('.since', aria_label=words('web.table.happened'))[
            [
                h.li[
                    sign(table.colours[row.seat], 16),
                    h.span[text, also and f' {also}'],
                    gain_badges(table, row.events, row.seat),
                ]
                for row, text, also in lines
            ]
        ],
    ]
