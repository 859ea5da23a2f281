"""The board as a list: its places as grids that are read and played with the keyboard; see places.js."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludoteca.game import Panel, Place, PlaceGroup, View
from ludoteca.match import LogRow
from ludoteca.text import words
from ludoteca.web.html.layout import h
from ludoteca.web.table.model import TableView
from ludoteca.web.table.wording import events_text


def no_places() -> h.Element:
    """Nothing is shown as a list: nobody asks for it, or nobody may see the board."""
    return h.div('#places')


def places(table: TableView, view: View) -> h.Element:
    """The places of the board, the scores, and what happened since the viewer's last turn; nothing if the
    visitor does not ask for it."""
    if not table.preferences.places:
        return no_places()
    events = [event for row in _news(table) for event in row.events]
    news = events_text(table.game, events, table.names)
    changed = {f'el:{id_}' for event in events for id_ in event.elements}
    return h.div('#places')[
        h.p('.scores')[words('web.places.scores', scores='; '.join(_scores(table, view)))],
        h.p('.news')[words('web.places.news', news=news) if news else words('web.places.no_news')],
        [_group(table, group, k, changed) for k, group in enumerate(table.game.places(view))],
    ]


def _news(table: TableView) -> tuple[LogRow, ...]:
    """The turns since the viewer's last one; for a spectator the last turn."""
    match = table.match
    rows = match.log(table.seat, uncovered=match.result is not None)
    turns = [row for row in rows if row.kind == 'turn']
    own = [k for k, row in enumerate(turns, 1) if row.seat == table.seat]
    return tuple(turns[own[-1] if own else 0 if table.seat >= 0 else -1 :])


def scores_of(table: TableView, view: View) -> Iterator[tuple[int, str]]:
    """By seat what its panel shows first; '' if it shows nothing."""
    for panel in table.game.panels(view):
        yield panel.seat, _score(panel)


def _scores(table: TableView, view: View) -> Iterator[str]:
    for seat, value in scores_of(table, view):
        name = table.name(seat)
        yield words('web.places.score', name=name, value=value) if value else name


def _score(panel: Panel) -> str:
    if panel.pips:
        return words('web.table.pips', have=panel.pips[0], of=panel.pips[1])
    return f'{panel.rows[0].label} {panel.rows[0].value}' if panel.rows else ''


def _group(table: TableView, group: PlaceGroup, k: int, changed: set[str]) -> h.Element:
    """A group as a grid; a list is a grid of one column."""
    span = group.span if group.kind == 'grid' else 1
    widest = max(sum(span if place else 1 for place in row) for row in group.rows)
    return h.section(class_=f'place-group {group.kind}')[
        h.h3(f'#pl-{k}')[group.label],
        h.table(
            role='grid',
            aria_labelledby=f'pl-{k}',
            aria_rowcount=str(len(group.rows)),
            aria_colcount=str(widest),
        )[
            h.tbody(role='rowgroup')[
                (
                    h.tr(role='row', aria_rowindex=str(number))[_cells(table, row, span, changed)]
                    for number, row in enumerate(group.rows, 1)
                )
            ]
        ],
    ]


def _cells(
    table: TableView, row: tuple[Place | None, ...], span: int, changed: set[str]
) -> Iterator[h.Element]:
    """The cells of a row; a gap is a cell without a role."""
    column = 1
    for place in row:
        if place is None:
            yield h.td('.gap', role='presentation')
            column += 1
            continue
        yield _cell(table, place, column, span, not changed.isdisjoint(place.targets))
        column += span


def _cell(table: TableView, place: Place, column: int, span: int, changed: bool) -> h.Element:
    """A place. The page adds what can be done there now."""
    mine = place.seat >= 0 and place.seat == table.seat
    return h.td(
        # what lies on top comes and goes, the place stays
        '#pl-' + re.sub(r'[^\w-]', '-', place.targets[-1]),
        class_='cell own' if mine else 'cell',
        role='gridcell',
        tabindex='-1',
        aria_colindex=str(column),
        colspan=str(span) if span > 1 else None,
        aria_colspan=str(span) if span > 1 else None,
        **{'data-place': ' '.join(place.targets)},
    )[
        place.name and h.b[place.name],
        place.name and place.text and ' ',
        place.text and h.span[place.text],
        changed and h.span('.changed')[f', {words("web.places.changed")}'],
        h.span('.can'),
    ]
