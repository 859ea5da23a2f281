"""Where on the table a target is, in words, and what else lies there: the first stages of a hint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludoteca.game import Game, Place, PlaceGroup, View
from ludoteca.text import words

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
