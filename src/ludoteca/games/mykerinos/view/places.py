"""The region in rows, its tiles, the rooms of the museum, the viewer's patrons."""

from __future__ import annotations

from ludoteca.game import Place, PlaceGroup, View
from ludoteca.game.places import in_list, in_rows, on_cards, without_name

from .. import components as C
from ..rules import LYING, NOBODY
from .board import space_words
from .cards import cards
from .facts import (
    areas_of,
    cube_id,
    cubes_of,
    player_word,
    pyramids_of,
    room_id,
    rows_of,
    say,
    space_id,
    surveyed,
    surveying,
    tile_id,
    tile_words,
    tiles_in,
)


def places(view: View) -> tuple[PlaceGroup, ...]:
    """Surveyed areas are gaps: nothing can be done there any more. While one is surveyed only cubes count. At
    the end the museum is left."""
    s = view.state
    cubes, pyramids = cubes_of(s), pyramids_of(s)
    digs = not surveying(s) and not s.ending
    region = []
    for space in range(3 * C.N_COLUMNS * rows_of(s)):
        targets = [f'el:{cube_id(space)}'] if space in cubes else []
        targets += [f'el:{space_id(space)}'] if digs else []
        if surveyed(s, C.AREA_OF[space]) or not targets:
            continue
        name, who = C.SPACES[space], cubes.get(space, NOBODY)
        said = without_name(space_words(view, space, who, space in pyramids), name)
        place = Place(tuple(targets), name, said, _seat(view, who))
        region.append((*divmod(space, C.N_COLUMNS), place))
    tiles = () if s.ending else ((area, tile) for area in areas_of(s) for tile in tiles_in(s, area))
    rooms = {room_id(s, room): int(s.room[room]) for room in range(C.N_ROOMS)}
    return (
        *((PlaceGroup(say('places.board'), in_rows(region), 'grid'),) if region else ()),
        *in_list(say('places.tiles'), (_tile(view, area, tile) for area, tile in tiles)),
        *on_cards(cards(view), ('room', 'patron'), lambda id_: _seat(view, rooms.get(id_, NOBODY))),
    )


def _seat(view: View, who: int) -> int:
    """The seat that owns a cube, -1 if that is nobody or the neutral colour."""
    return who if 0 <= who < view.state.players else -1


def _tile(view: View, area: int, tile: int) -> Place:
    """A tile of the region, or what is left of it."""
    owner, text = int(view.state.owner[tile]), tile_words(tile)
    if owner < LYING:
        text = say('board.taken', tile=text, player=player_word(owner, view.names))
    elif owner > LYING:
        text = say('board.gone', tile=text)
    return Place(
        (f'el:{tile_id(tile)}',),
        C.TILES[tile],
        say('places.tile', tile=text, area=C.AREAS[area]),
        _seat(view, owner),
    )
