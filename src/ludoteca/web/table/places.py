"""The places of a table: as grids that are read and played with the keyboard (see places.js), and where a
target is, in words, for the first stages of a hint."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludoteca.game import Game, Panel, Place, PlaceGroup, View
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


WHERE, THING, TURN, WHY = STAGES = 1, 2, 3, 4
"""The stages of a hint: where to look, the thing that is chosen first, the whole turn, also why."""
MOST_LOOKED_AT = 400
"""Of so many legal actions the targets are looked at; where there are more, a region is shown without the
rest."""


@dataclass(frozen=True)
class Pointer:
    """What a hint points at: ids of `Target`, and a sentence."""

    targets: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class _Spot:
    """A place with its part of the board: thirds from the top and from the left; -1 in a list."""

    group: PlaceGroup
    place: Place
    row: int
    column: int


def region(game: Game, view: View, targets: Sequence[str]) -> Pointer:
    """Where to look for something that is chosen by these targets: the part of the board in which the last of
    them lies, and all that can be chosen there; of a list, all of it; a button of the prompt."""
    spots = _spots(game, view)
    held = next((spots[one] for one in reversed(targets) if one in spots and spots[one].row >= 0), None)
    held = held or next((spots[one] for one in targets if one in spots), None)
    if held is None:
        return Pointer(tuple(targets[:1]), words('web.hint.look', where=words('web.hint.table')))
    where = held.group.label
    if held.row >= 0:
        where = words(f'web.hint.part.{held.row}{held.column}')
    near = [
        id_
        for id_ in _choices(game, view)
        if (spot := spots.get(id_)) and (spot.group.label, spot.row, spot.column) == _part(held)
    ]
    own = [one for one in targets if spots.get(one) == held]
    sentence = words('web.hint.look' if held.row >= 0 else 'web.hint.list', where=where)
    return Pointer(tuple(dict.fromkeys([*near, *own])), sentence)


def thing(game: Game, view: View, target: str) -> Pointer:
    """The thing that is chosen first, by its name."""
    spot = _spots(game, view).get(target)
    if spot is None or not (spot.place.name or spot.place.text):
        return Pointer((target,), words('web.hint.marked'))
    if spot.place.name:
        return Pointer((target,), words('web.hint.thing', thing=spot.place.name))
    return Pointer((target,), words('web.hint.labelled', label=spot.place.text.rstrip('.')))


def _part(spot: _Spot) -> tuple[str, int, int]:
    return spot.group.label, spot.row, spot.column


def _spots(game: Game, view: View) -> dict[str, _Spot]:
    """By target where its place is."""
    return {
        target: spot
        for group in reversed(game.places(view))
        for spot in _spots_in(group)
        for target in spot.place.targets
    }


def _spots_in(group: PlaceGroup) -> Iterator[_Spot]:
    if group.kind == 'list':
        for place in group.places:
            yield _Spot(group, place, -1, -1)
        return
    placed = list[tuple[int, int, Place]]()
    for row, places in enumerate(group.rows):
        column = 0
        for there in places:
            if there is not None:
                placed.append((row, column, there))
            column += 1 if there is None else group.span
    width = 1 + max((column for _, column, _ in placed), default=0)
    for row, column, place in placed:
        yield _Spot(group, place, 3 * row // len(group.rows), 3 * column // width)


def _choices(game: Game, view: View) -> list[str]:
    """The targets of what can be chosen now, each once."""
    every = max(1, -(-len(view.actions) // MOST_LOOKED_AT))
    return list(
        dict.fromkeys(
            target.id for action in view.actions[::every] for target in game.targets(view.state, action)
        )
    )
