"""The viewer's tiles, the points where something can be laid as they lie, the tiles on the board."""

from __future__ import annotations

from ludoteca.drawing.geometry import Point
from ludoteca.game import Place, PlaceGroup, View
from ludoteca.game.places import in_list, in_rows, on_cards

from .. import components as C
from .. import rules as R
from .cards import cards
from .facts import (
    crossing_name,
    placed_name,
    read,
    say,
    target_of,
    tile_id,
    tile_laid,
    tile_words,
)
from .symbols import UNIT
from .targets import middle_of


def places(view: View) -> tuple[PlaceGroup, ...]:
    """A point is on a crossing, between two, or in the middle of four: its name says which."""
    s = view.state
    fits: dict[Point, set[int]] = {}
    for action in view.actions:
        if action != R.PASS:
            fits.setdefault(middle_of(action, int(s.side)), set()).add(tile_laid(action))
    points = [(y, 2 * x / UNIT, _point((x, y), tiles)) for (x, y), tiles in fits.items()]
    placed = (
        Place(
            (f'el:{tile_id(one.seat, one.tile)}',),
            placed_name(s, one),
            tile_words(view, one),
            one.seat,
        )
        for one in read(s).tiles
    )
    return (
        *on_cards(cards(view), ('hand',)),
        *((PlaceGroup(say('places.points'), in_rows(points), 'grid'),) if points else ()),
        *in_list(say('places.lying'), placed),
    )


def _point(at: Point, tiles: set[int]) -> Place:
    """A point and the tiles that fit there."""
    i, j = at[0] / UNIT, -at[1] / UNIT
    first, last = (int(i), int(j)), (-int(-i // 1), -int(-j // 1))
    name = crossing_name(first)
    if first != last:
        name = say('places.between', first=name, last=crossing_name(last))
    if tiles == {C.THE_OCTAGON}:
        return Place((target_of(at),), name, say('places.octagon'))
    return Place(
        (target_of(at),), name, say('places.fits', tiles=' '.join(C.TILES[tile] for tile in sorted(tiles)))
    )
