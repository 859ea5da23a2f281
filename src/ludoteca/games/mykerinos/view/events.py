"""The events of Mykerinos between two states."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from ludoteca.drawing.geometry import Point
from ludoteca.game import Event, Sound
from ludoteca.text.players import listed

from .. import components as C
from .. import rules as R
from ..notation import room_name
from ..rules import GONE, LYING, NEUTRAL, Phase, State
from .facts import (
    areas_of,
    count_words,
    cube_id,
    cubes_of,
    digging_neutral,
    exhibit_id,
    face_id,
    heap_id,
    lying_tiles,
    medal_id,
    patron_word,
    player_word,
    ranking,
    room_id,
    room_words,
    rows_of,
    say,
    scale_of,
    show_of,
    surveying,
    tile_id,
    tile_words,
    tiles_in,
    winners_of,
)
from .symbols import LAYOUTS, Layout

FLIGHT = 120.0  # length of a cube's visible way from its owner's corner
# kinds of events that the board shows in brass
MARKED = ('start', 'extend', 'cube', 'neutral_start', 'neutral_extend', 'neutral_cube', 'take', 'take_plain')

SOUNDS: Mapping[str, Sound] = {
    'start': 'wood',
    'extend': 'wood',
    'cube': 'wood',
    'neutral_start': 'wood',
    'neutral_extend': 'wood',
    'neutral_cube': 'wood',
    'room': 'wood',
    'museum': 'wood',
    'step': 'wood',
    'take': 'tile',
    'take_plain': 'tile',
    'removes': 'tile',
    'violet': 'bronze',
    'lemon': 'bronze',
    'brown': 'bronze',
    'blackmore': 'bronze',
    'tangerine': 'bronze',
    'season': 'draw',
}
"""What is heard of which kind of event."""


def events(
    before: State,
    action: int,
    after: State,
    names: Sequence[str] = (),
    colours: Sequence[str] = (),  # noqa: ARG001 (the contract's)
) -> tuple[Event, ...]:
    """The effects of an action.

    Kinds: start, extend, cube (space), the same with neutral_ before; violet, lemon, brown, blackmore,
    tangerine (the help that is asked for), room (room); pass (place); no_neutral; take (tile, points, area),
    take_plain, museum (room, area), nothing (area), removes (tile, area). Then what follows: survey; cleared
    (area, cubes) or cleared_plain, left (tiles, n); season (season), first, income (n) of each seat or
    income_all; at the end show (points, total, sum) for each seat, then win, tie_break or shared. A tile that
    somebody takes flies to their panel, a cube for the museum from there to its room.
    """
    return (*_done(before, action, after), *_followed(before, action, after, names))


# ---- the action --------------------------------------------------------------------------------------------


def corner_of(layout: Layout, who: int) -> Point:
    """The origin of a player's cubes: a corner of the sand; neutral ones come from below."""
    near, far = 10.0, layout.side - 10
    return ((near, far), (near, near), (far, near), (far, far), (layout.side / 2, far))[who]


def _laid(s: State, kind: str, space: int) -> Event:
    """A cube was laid."""
    layout, seat = LAYOUTS[rows_of(s)], int(s.to_move)
    neutral = digging_neutral(s)
    end, corner = layout.stand(space), corner_of(layout, NEUTRAL if neutral else seat)
    share = min(1.0, FLIGHT / math.dist(end, corner))
    start = end[0] + (corner[0] - end[0]) * share, end[1] + (corner[1] - end[1]) * share
    way = tuple((round(x, 1), round(y, 1)) for x, y in (start, end))
    return Event(
        f'neutral_{kind}' if neutral else kind,
        seat,
        {'space': C.SPACES[space]},
        (cube_id(space),),
        way,
        cube_id(space),
    )


def space_laid(action: int) -> int:
    """The space of the cube that an action lays, -1 for none."""
    kind, number = R.ACTIONS.decode(action)
    return number if kind in ('start', 'extend', 'space', 'neutral_start', 'neutral_extend') else -1


def _done(before: State, action: int, after: State) -> Iterator[Event]:
    s, seat, area = before, int(before.to_move), C.AREAS[int(before.area)]
    match R.ACTIONS.decode(action):
        case 'extend' | 'neutral_extend', space:
            yield _laid(s, 'extend', space)
        case 'start' | 'neutral_start', space:
            yield _laid(s, 'start', space)
        case 'space', space:
            yield _laid(s, 'cube', space)
        case 'room', room:
            yield _exhibit(s, 'room', 'stock', room)
        case 'museum', room:
            yield _exhibit(s, 'museum', 'reserve', room, area=area)
        case 'appeal', patron:
            yield Event(C.PATRONS[patron], seat, {'patron': patron_word(patron)})
        case 'pass', _:
            # when the last seat passes, the scale is cleared at once
            place = scale_of(after).get(seat, next(k for k in range(4) if s.scale[k] < 0))
            yield Event('pass', seat, {'place': place + 1})
        case 'nothing', _ if s.phase == Phase.NEUTRAL:
            yield Event('no_neutral', seat)
        case 'nothing', _:
            yield Event('nothing', seat, {'area': area})
        case kind, side:
            yield _taken(s, tiles_in(s, int(s.area))[side], removed=kind == 'neutral_take')


def _exhibit(s: State, kind: str, supply: str, room: int, **values: str) -> Event:
    """A cube went from a supply into a room of the museum."""
    seat = int(s.to_move)
    return Event(
        kind,
        seat,
        {'room': room_words(s, room), 'name': room_name(s, room), **values},
        (room_id(s, room),),
        flights=((heap_id(seat, supply), exhibit_id(s, room)),),
    )


def _taken(s: State, tile: int, removed: bool) -> Event:
    """A tile was taken, or removed by the neutral colour."""
    seat, patron, points = int(s.to_move), C.PATRON_OF[tile], C.POINTS_OF[tile]
    return Event(
        'removes' if removed else 'take' if points else 'take_plain',
        seat,
        {
            'tile': tile_words(tile),
            'patron': patron_word(patron),
            'points': points,
            'area': C.AREAS[int(s.area)],
        },
        (tile_id(tile),),
        flights=() if removed else ((face_id(tile), medal_id(seat, patron, int(s.held[seat, patron]))),),
        gains=((seat, points),) if points and not removed else (),
    )


# ---- what followed -----------------------------------------------------------------------------------------


def _followed(before: State, action: int, after: State, names: Sequence[str]) -> Iterator[Event]:
    over = bool(after.ending) or after.season != before.season
    if not surveying(before) and (over or surveying(after)):
        yield Event('survey', -1)
    first = int(before.area) if surveying(before) else 0
    last = len(areas_of(before)) if over else int(after.area) if surveying(after) else first
    for area in range(first, last):
        yield from _cleared(before, action, after, area, names)
    if after.ending:
        yield from _end(after, names)
    elif over:
        yield from _season(before, action, after)


def _cleared(before: State, action: int, after: State, area: int, names: Sequence[str]) -> Iterator[Event]:
    """The survey of an area has ended."""
    cubes, space = cubes_of(before), space_laid(action)
    if space >= 0:
        cubes[space] = NEUTRAL if digging_neutral(before) else int(before.to_move)
    back = [say('back', player=player_word(who, names), n=n) for who, n in ranking(before, area, cubes)]
    if back:
        yield Event('cleared', -1, {'area': C.AREAS[area], 'cubes': listed(back)})
    else:
        yield Event('cleared_plain', -1, {'area': C.AREAS[area]})
    kind, number = R.ACTIONS.decode(action)
    chosen = number if kind == 'neutral_take' and area == before.area else -1
    left = [
        tile_words(tile)
        for k, tile in enumerate(tiles_in(before, area))
        if before.owner[tile] == LYING and after.owner[tile] == GONE and k != chosen
    ]
    if left:
        yield Event('left', -1, {'tiles': listed(left), 'n': len(left)})


def _season(before: State, action: int, after: State) -> Iterator[Event]:
    """A new season: its tiles, its first player, the cubes that everybody takes."""
    yield Event('season', -1, {'season': int(after.season) + 1}, tuple(map(tile_id, lying_tiles(after))))
    yield Event('first', int(after.first))
    players = int(after.players)
    # cubes came back from the region to the reserves, but nothing left the stocks since the last one was laid
    income = [int(after.stock[seat]) - _kept(before, action, seat) for seat in range(players)]
    if len(set(income)) == 1:
        yield Event('income_all', -1, {'n': income[0], 'cubes': count_words('cubes', income[0])})
    else:
        for seat, n in enumerate(income):
            yield Event('income', seat, {'n': n, 'cubes': count_words('cubes', n)})


def _kept(before: State, action: int, seat: int) -> int:
    """Cubes that were left in a stock when the season ended."""
    own = seat == before.to_move and (
        R.ACTIONS.decode(action)[0] == 'room' or (space_laid(action) >= 0 and not digging_neutral(before))
    )
    return int(before.stock[seat]) - int(own)


def _end(after: State, names: Sequence[str]) -> Iterator[Event]:
    """The exhibition, and the winners."""
    players = range(int(after.players))
    for seat in players:
        total = show_of(after, seat).total
        yield Event(
            'show',
            seat,
            {'points': int(after.points[seat]) - total, 'total': total, 'sum': int(after.points[seat])},
            gains=((seat, total),) if total else (),
        )
    winners = winners_of(after)
    points, stock = int(after.points[winners[0]]), count_words('cubes', int(after.stock[winners[0]]))
    if len(winners) > 1:
        players_ = listed([player_word(seat, names) for seat in winners])
        yield Event('shared', -1, {'players': players_, 'points': points})
    else:
        tied = sum(int(after.points[seat]) == points for seat in players) > 1
        yield Event('tie_break' if tied else 'win', winners[0], {'points': points, 'stock': stock})
