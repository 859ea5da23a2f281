"""The map in rows, and what can be taken, paid and laid from the cards."""

from __future__ import annotations

from ludoteca.game import Place, PlaceGroup, View
from ludoteca.game.places import in_rows, on_cards

from .. import components as C
from ..notation import cell_name
from ..rules import NONE
from .cards import cards
from .facts import (
    choices_of,
    face_id,
    holder_of,
    on_surface,
    place_id,
    place_of,
    say,
    tile_id,
    tile_words,
)

ON_CARDS = ('draft', 'add', 'display', 'pay', 'use', 'put')


def places(view: View) -> tuple[PlaceGroup, ...]:
    """Each row of hexagons is shifted by half a place, so a place takes two columns."""
    s = view.state
    found = []
    for tile in on_surface(s):
        owner = int(s.owner[tile]) if s.owner[tile] != NONE else holder_of(s, tile)
        targets = (f'el:{tile_id(s, tile)}', f'el:{face_id(tile)}')
        found.append(
            (int(s.where[tile]), Place(targets, place_of(s, tile), tile_words(s, tile, view.names), owner))
        )
    for cell in choices_of(s, view.actions).places:
        name = cell_name(cell)
        found.append((cell, Place((f'el:{place_id(cell)}',), name, say('board.place', place=name))))
    placed = [(r, 2 * q + r, place) for cell, place in found for q, r in (C.place_of(cell),)]
    board = (PlaceGroup(say('places.board'), in_rows(placed, span=2), 'grid', span=2),) if placed else ()
    return (*board, *on_cards(cards(view), ON_CARDS))
