"""Names of actions, and positions as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from reprlib import repr
from typing import Any

import numpy as np

from ludoteca.game import GameError
from ludoteca.game.json_fields import check_keys, is_whole, whole
from ludoteca.kernel import checked, holds, put_in, seed_words, size_of, start_generator, take_out
from ludoteca.text import Words

from . import components as C
from . import rules as R
from .rules import GONE, LYING, NEUTRAL, NOBODY, UNKNOWN, UNSEEN, Phase, State

KEYS = (
    'game',
    'players',
    'options',
    'to_move',
    'season',
    'turn',
    'first',
    'wings',
    'tiles',
    'deck',
    'held',
    'tilted',
    'gone',
    'cubes',
    'museum',
    'stock',
    'neutral',
    'scores',
    'scale',
    'begun',
    'survey',
    'ending',
)
REQUIRED = ('players', 'to_move', 'season', 'wings', 'tiles')
ENDINGS = tuple(ending.name.lower() for ending in R.Ending if ending)
TURNED = ' turned'

words = Words(Path(__file__).parent)


# ---- actions -----------------------------------------------------------------------------------------------


def room_name(s: State, room: int) -> str:
    """`5-violet`, `3-lemon`, `2-violet-brown`: what the room is worth, and the patrons whose wings it belongs
    to, clockwise."""
    return _room_names(tuple(s.wing.tolist()))[room]


@cache
def _room_names(wings: tuple[int, ...]) -> list[str]:
    """The names of all rooms, by the wings of the patrons."""
    patrons = dict(zip(wings, C.PATRONS, strict=True))
    return [
        '-'.join((str(C.ROOM_POINTS[room]), *(patrons[wing] for wing in C.wings_of(room))))
        for room in range(C.N_ROOMS)
    ]


def room_from_name(s: State, name: str) -> int:
    """The room of that name; the patrons of a 2 room may be given in either order. Raises GameError if there
    is none."""
    found = {room_name(s, room): room for room in range(C.N_ROOMS)}
    value, *patrons = name.split('-')
    room = found.get(name, found.get('-'.join((value, *reversed(patrons)))))
    if room is None:
        raise GameError(words('action.error.room', name=repr(name), rooms=', '.join(found)))
    return room


def action_name(s: State, action: int) -> str:
    """The name of an action, as in the table at the head of rules.py."""
    match R.ACTIONS.decode(action):
        case 'space', space:
            return C.SPACES[space]
        case 'start' | 'extend' | 'neutral_start' | 'neutral_extend' as kind, space:
            return f'{kind.replace("_", " ")} {C.SPACES[space]}'
        case 'room', room:
            return room_name(s, room)
        case 'museum', room:
            return f'museum {room_name(s, room)}'
        case 'appeal', patron:
            return C.PATRONS[patron]
        case 'take' | 'neutral_take' as kind, side:
            return f'{kind.replace("_", " ")} {side + 1}'
        case kind, _:
            return kind


def action_from_name(s: State, text: str) -> int:
    """The action of that name. Raises GameError if the text names none."""
    match text.split():
        case ['pass' | 'nothing' as kind]:
            return R.ACTIONS.first(kind)
        case ['take', '1' | '2' as side]:
            return R.TAKE + int(side) - 1
        case ['neutral', 'take', '1' | '2' as side]:
            return R.NEUTRAL_TAKE + int(side) - 1
        case ['start' | 'extend' as kind, space]:
            return R.ACTIONS.first(kind) + space_from_name(space)
        case ['neutral', 'start' | 'extend' as kind, space]:
            return R.ACTIONS.first(f'neutral_{kind}') + space_from_name(space)
        case ['museum', room]:
            return R.MUSEUM + room_from_name(s, room)
        case [patron] if patron in C.PATRONS:
            return R.APPEAL + C.PATRONS.index(patron)
        case [room] if re.fullmatch('[0-9]-.+', room):
            return R.ROOM + room_from_name(s, room)
        case [space] if re.fullmatch('[a-z][0-9]+', space):
            return R.SPACE + space_from_name(space)
    raise GameError(words('action.error.name', name=repr(text)))


def space_from_name(name: str) -> int:
    """The space of that name. Raises GameError if there is none."""
    if name not in C.SPACES:
        raise GameError(words('action.error.space', name=repr(name), first=C.SPACES[0], last=C.SPACES[-1]))
    return C.SPACES.index(name)


# ---- positions: writing ------------------------------------------------------------------------------------


def begun(s: State) -> list[str]:
    """The names of the steps of the turn in progress, [] if nothing has been done in it."""
    neutral = s.phase == Phase.NEUTRAL or s.digger == NEUTRAL
    own = [C.SPACES[int(space)] for space in (s.own_laid if neutral else s.laid) if space >= 0]
    steps = [C.PATRONS[int(s.appeal)]] if s.appeal >= 0 else []
    if own and s.appeal not in (C.BLACKMORE, C.TANGERINE):
        one = len(own) + (0 if neutral else int(s.to_lay)) == 1
        own[0] = f'{"start" if one else "extend"} {own[0]}'
    steps += own
    if s.entered >= 0:
        steps.append(room_name(s, int(s.entered)))
    if s.digger == NEUTRAL and s.laid[0] >= 0:
        steps.append(f'neutral extend {C.SPACES[int(s.laid[0])]}')
    return steps


def before_turn(s: State) -> State:
    """The position at the beginning of the turn in progress."""
    base, seat = s.copy(), int(s.to_move)
    neutral = s.phase == Phase.NEUTRAL or s.digger == NEUTRAL
    for who, spaces in ((seat, s.own_laid if neutral else s.laid), (NEUTRAL, s.laid if neutral else ())):
        for space in (int(space) for space in spaces if space >= 0):
            take_out(base.cubes[who], space)
            supply = base.neutral_stock if who == NEUTRAL else base.stock
            supply[seat] += 1
    if s.appeal >= 0:
        base.used[seat, s.appeal] -= 1
    if s.appeal == C.VIOLET:
        base.stock[seat] -= 1
        base.reserve[seat] += 1
    if s.entered >= 0:
        base.room[s.entered] = NOBODY
        base.stock[seat] += 1
    R.begin_turn(base)
    return base


def to_json(s: State) -> dict[str, Any]:
    """The canonical form; see docs/positions.md for the keys."""
    surveyed = s.phase in (Phase.CLAIM, Phase.REMOVE)
    base = s if surveyed or s.ending else before_turn(s)
    players, dealt = int(s.players), int(R.DEAL[s.season])
    places = range(int(s.dealt) - dealt, int(s.dealt))
    data: dict[str, Any] = {'game': 'mykerinos', 'players': players}
    if s.five_door:
        data['options'] = {'five_door': C.FIVE_DOOR[1]}
    data |= {'to_move': int(s.to_move), 'season': int(s.season) + 1}
    if s.turn:
        data['turn'] = int(s.turn)
    if s.first:
        data['first'] = int(s.first)
    data['wings'] = [C.PATRONS[list(s.wing).index(wing)] for wing in range(C.N_WINGS)]
    data['tiles'] = [_tile(s, place) for place in places]
    ahead = range(int(s.dealt), C.N_TILES)
    deck = [_tile(s, place) for place in ahead]
    if deck != _tiles_of(s, UNSEEN):
        data['deck'] = deck if any(deck) else None
    optional: dict[str, list[Any]] = {
        'held': [_tiles_of(s, seat) for seat in range(players)],
        'tilted': [
            {
                name: int(base.used[seat, patron])
                for patron, name in enumerate(C.PATRONS)
                if base.used[seat, patron]
            }
            for seat in range(players)
        ],
    }
    data |= {key: value for key, value in optional.items() if any(value)}
    if gone := _tiles_of(s, GONE):
        data['gone'] = gone
    if cubes := _cubes(base):
        data['cubes'] = cubes
    if museum := {
        room_name(s, room): int(base.room[room]) for room in range(C.N_ROOMS) if base.room[room] != NOBODY
    }:
        data['museum'] = museum
    data['stock'] = base.stock[:players].tolist()
    if players == 2:
        data['neutral'] = base.neutral_stock[:players].tolist()
    data['scores'] = s.points[:players].tolist()
    if scale := [int(who) for who in s.scale if who not in (NOBODY, NEUTRAL)]:
        data['scale'] = scale
    if surveyed:
        data['survey'] = {'area': C.AREAS[int(s.area)], 'rank': int(s.next_rank) + 1}
    elif s.ending:
        data['ending'] = ENDINGS[s.ending - 1]
    elif steps := begun(s):
        data['begun'] = steps
    return data


def _tile(s: State, place: int) -> str | None:
    """A tile of the deal, and whether it is turned; None if it is unknown."""
    if s.deck[place] == UNKNOWN:
        return None
    return C.TILES[int(s.deck[place])] + (TURNED if s.turned[place] else '')


def _tiles_of(s: State, owner: int) -> list[str]:
    return [name for tile, name in enumerate(C.TILES) if s.owner[tile] == owner]


def _cubes(s: State) -> dict[str, int | str]:
    """Spaces with cubes, each with its seat, or 'neutral'."""
    return {
        name: 'neutral' if who == NEUTRAL else who
        for space, name in enumerate(C.SPACES)
        for who in range(5)
        if holds(s.cubes[who], space)
    }


# ---- positions: reading ------------------------------------------------------------------------------------


@checked
def from_json(data: Mapping[str, Any]) -> State:
    """The position that `data` describes. Raises GameError with a sentence if it is incomplete or
    impossible."""
    check_keys(data, words('title'), KEYS, REQUIRED)
    players = whole(data, 'players', 2, 4)
    s = State.new()
    R.clear_table(s, players, _options(data.get('options', {})))
    # a fixed seed will do: Mykerinos uses no chance after setup
    start_generator(s, seed_words('a position'))
    s.season = whole(data, 'season', 1, C.N_SEASONS) - 1
    s.turn = whole(data, 'turn', 0, 2**14)  # half of what there is room for: the game goes on
    s.first = whole(data, 'first', 0, players - 1)
    to_move = whole(data, 'to_move', 0, players - 1)
    _read_wings(s, data['wings'])
    _read_tiles(s, data)
    _read_museum(s, data.get('museum', {}))
    _read_cubes(s, data.get('cubes', {}))
    _read_supplies(s, data)
    _read_scale(s, data.get('scale', []))
    s.to_move = to_move
    if 'begun' in data and ('ending' in data or 'survey' in data):
        raise GameError(words('position.error.begun_late'))
    if 'ending' in data:
        _read_ending(s, data['ending'])
    elif 'survey' in data:
        _read_survey(s, data['survey'])
    else:
        _read_turn(s, data.get('begun', []))
    _read_scores(s, data.get('scores'))
    return s


def _options(given: Any) -> int:
    if (
        not isinstance(given, Mapping)
        or set(given) - {'five_door'}
        or given.get('five_door', C.FIVE_DOOR[0]) not in C.FIVE_DOOR
    ):
        raise GameError(words('position.error.options'))
    return C.FIVE_DOOR.index(given.get('five_door', C.FIVE_DOOR[0]))


def _read_wings(s: State, wings: Any) -> None:
    if not isinstance(wings, list) or sorted(map(str, wings)) != sorted(C.PATRONS):
        raise GameError(words('position.error.wings', patrons=', '.join(C.PATRONS), value=repr(wings)))
    for wing, name in enumerate(wings):
        s.wing[C.PATRONS.index(name)] = wing
    R.begin_turns(s)


def _number(entry: Any, key: str) -> tuple[int, int]:
    """A tile and whether it is turned."""
    name = entry.removesuffix(TURNED if key in ('tiles', 'deck') else '') if isinstance(entry, str) else ''
    if name not in C.TILES:
        raise GameError(
            words('position.error.tile', key=key, value=repr(entry), first=C.TILES[0], last=C.TILES[-2])
        )
    return C.TILES.index(name), int(name != entry)


def _read_tiles(s: State, data: Mapping[str, Any]) -> None:
    """Every tile is in one place: seen in this season, earlier (held or gone), or to come."""
    n, dealt = int(R.DEAL[s.season]), sum(C.TILES_OF_SEASON[: int(s.season) + 1])
    shown, deck = data['tiles'], data.get('deck')
    held, gone = data.get('held', [[]] * s.players), data.get('gone', [])
    if not isinstance(shown, list) or len(shown) != n:
        raise GameError(words('position.error.tiles', n=n, season=int(s.season) + 1))
    if deck is not None and (not isinstance(deck, list) or len(deck) != C.N_TILES - dealt):
        raise GameError(words('position.error.deck', n=C.N_TILES - dealt))
    if (
        not isinstance(held, list)
        or len(held) != s.players
        or not all(isinstance(tiles, list) for tiles in held)
        or not isinstance(gone, list)
    ):
        raise GameError(words('position.error.held', players=int(s.players)))
    s.dealt = dealt
    lying = [_number(entry, 'tiles') for entry in shown]
    owners = {
        tile: seat
        for seat, tiles in enumerate(held)
        for tile, _ in (_number(entry, 'held') for entry in tiles)
    }
    owners |= {tile: GONE for tile, _ in (_number(entry, 'gone') for entry in gone)}
    listed = sum(map(len, held)) + len(gone)
    now = [tile for tile, _ in lying]
    earlier = [tile for tile in owners if tile not in now]
    ahead = [
        (UNKNOWN, UNKNOWN) if entry is None else _number(entry, 'deck')
        for entry in deck or [None] * (C.N_TILES - dealt)
    ]
    everywhere = [*now, *earlier, *(tile for tile, _ in ahead if tile != UNKNOWN)]
    if len(owners) != listed or len(set(everywhere)) != len(everywhere):
        raise GameError(words('position.error.twice'))
    if 'deck' not in data:  # the others come in the order of their numbers
        ahead = [(tile, 0) for tile in range(C.N_TILES) if tile not in everywhere]
    if len(earlier) != dealt - n:
        raise GameError(
            words('position.error.earlier', n=dealt - n, season=int(s.season) + 1, given=len(earlier))
        )
    for place, tile in enumerate(sorted(earlier)):
        s.deck[place], s.turned[place] = tile, 0
    for place, (tile, turned) in enumerate((*lying, *ahead), dealt - n):
        s.deck[place], s.turned[place] = tile, turned
    for slot, (tile, turned) in enumerate(lying):
        R.lay_tile(s, slot, tile, turned)
    for tile, owner in owners.items():
        s.owner[tile] = owner
        if owner != GONE:
            s.held[owner, C.PATRON_OF[tile]] += 1
    _read_tilted(s, data.get('tilted', [{}] * s.players))


def _read_tilted(s: State, tilted: Any) -> None:
    if (
        not isinstance(tilted, list)
        or len(tilted) != s.players
        or not all(isinstance(entry, Mapping) for entry in tilted)
    ):
        raise GameError(words('position.error.tilted', players=int(s.players)))
    for seat, entry in enumerate(tilted):
        for name, n in entry.items():
            patron = C.PATRONS.index(name) if name in C.PATRONS else C.BLANK
            if patron == C.BLANK or not is_whole(n, 0, int(s.held[seat, patron])):
                raise GameError(
                    words('position.error.tilted_tile', seat=seat, patron=repr(name), value=repr(n))
                )
            s.used[seat, patron] = n


def _read_museum(s: State, museum: Any) -> None:
    if not isinstance(museum, Mapping):
        raise GameError(words('position.error.museum'))
    for name, seat in museum.items():
        if not is_whole(seat, 0, s.players - 1):
            raise GameError(words('position.error.museum'))
        s.room[room_from_name(s, str(name))] = seat
    for room in C.FIVES:
        if (seat := int(s.room[room])) != NOBODY:
            s.room[room] = NOBODY
            if not R.rooms_open(s, seat) >> room & 1:
                raise GameError(words('position.error.five', seat=seat, room=room_name(s, room)))
            s.room[room] = seat


def _read_cubes(s: State, cubes: Any) -> None:
    if not isinstance(cubes, Mapping):
        raise GameError(words('position.error.cubes'))
    room = np.array(R.empty(s), np.int64)
    for name, who in cubes.items():
        if not (is_whole(who, 0, s.players - 1) or (who == 'neutral' and s.players == 2)):
            raise GameError(words('position.error.cubes'))
        space = space_from_name(str(name))
        if not holds(room, space):
            raise GameError(words('position.error.outside', space=name, season=int(s.season) + 1))
        take_out(room, space)
        put_in(s.cubes[NEUTRAL if who == 'neutral' else who], space)


def _read_supplies(s: State, data: Mapping[str, Any]) -> None:
    """The stocks are given; cubes that are neither there nor on the table are in the reserves."""
    players = int(s.players)
    stock = data.get('stock', [0] * players)
    neutral = data.get('neutral', [0] * players)
    for key, values in (('stock', stock), ('neutral', neutral)):
        if (
            not isinstance(values, list)
            or len(values) != players
            or not all(is_whole(n, 0, C.N_CUBES) for n in values)
        ):
            raise GameError(words('position.error.stock', key=key, players=players, most=C.N_CUBES))
    if players != 2 and 'neutral' in data:
        raise GameError(words('position.error.neutral'))
    for seat in range(players):
        out = stock[seat] + size_of(*s.cubes[seat].tolist()) + int((s.room == seat).sum())
        if out > C.N_CUBES:
            raise GameError(words('position.error.many', seat=seat, n=out, most=C.N_CUBES))
        s.stock[seat], s.reserve[seat] = stock[seat], C.N_CUBES - out
    if players == 2:
        out = sum(neutral) + size_of(*s.cubes[NEUTRAL].tolist())
        if out > C.N_CUBES:
            raise GameError(words('position.error.many', seat='neutral', n=out, most=C.N_CUBES))
        s.neutral_stock[:players], s.neutral_reserve = neutral, C.N_CUBES - out


def _read_scale(s: State, scale: Any) -> None:
    """The seats that have passed, in order; the neutral disk lies on the second space by itself."""
    if (
        not isinstance(scale, list)
        or not all(is_whole(seat, 0, s.players - 1) for seat in scale)
        or len(set(scale)) != len(scale)
    ):
        raise GameError(words('position.error.scale'))
    for seat in scale:
        k = 0
        while s.scale[k] != NOBODY:
            k += 1
        s.scale[k] = seat
    s.last = int(s.players - len(scale) == 1)


def _read_turn(s: State, steps: Any) -> None:
    """The turn in progress: its steps are played on the position that the rest describes."""
    if R.place_on_scale(s, s.to_move) < 4:
        raise GameError(words('position.error.passed', seat=int(s.to_move)))
    if any(s.owner[tile] != LYING for tile in s.deck[s.dealt - R.DEAL[s.season] : s.dealt]):
        raise GameError(words('position.error.taken'))
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise GameError(words('position.error.begun'))
    out, turn = np.empty(R.MAX_LEGAL, np.int32), int(s.turn)
    for step in steps:
        action = action_from_name(s, step)
        if action not in out[: R.legal_actions(s, out)]:
            raise GameError(words('position.error.begun_step', step=step))
        R.apply(s, action)
    if s.turn != turn:
        raise GameError(words('position.error.finished'))


def _read_survey(s: State, survey: Any) -> None:
    """Which area is surveyed, and whose claim it is."""
    n_areas = int(R.DEAL[s.season]) // 2
    if (
        not isinstance(survey, Mapping)
        or set(survey) != {'area', 'rank'}
        or survey['area'] not in tuple(C.AREAS[:n_areas])
        or not is_whole(survey['rank'], 1, 5)
    ):
        raise GameError(words('position.error.survey', last=C.AREAS[n_areas - 1]))
    if s.players - sum(who not in (NOBODY, NEUTRAL) for who in s.scale) > 1:
        raise GameError(words('position.error.not_passed'))
    s.last = 1
    area, to_move = C.AREAS.index(survey['area']), int(s.to_move)
    first = int(s.dealt - R.DEAL[s.season])
    for place in range(first, int(s.dealt)):
        owner, where = int(s.owner[s.deck[place]]), (place - first) // 2
        if (where < area and owner == LYING) or (
            owner != LYING and (where > area or (where == area and survey['rank'] == 1))
        ):
            raise GameError(words('position.error.survey_tiles', area=survey['area']))
    for k in range(area):
        if any(R.cubes_in(s, who, k) for who in range(5)):
            raise GameError(words('position.error.survey_cubes', area=C.AREAS[k]))
        for word in range(2):
            s.pyramids[word] &= ~R.AREA[k, word]
    s.area = area
    R.rank_area(s)
    s.next_rank = survey['rank'] - 1
    if (
        s.next_rank >= s.n_ranked
        or not R.asks(s)
        or s.next_rank != survey['rank'] - 1
        or s.to_move != to_move
    ):
        raise GameError(words('position.error.survey_rank', rank=survey['rank'], area=survey['area']))


def _read_ending(s: State, ending: Any) -> None:
    if (
        ending not in ENDINGS
        or s.season != C.N_SEASONS - 1
        or any(s.owner == LYING)
        or any(s.owner == UNSEEN)
        or s.cubes.any()
        or s.used.any()
        or any(who not in (NOBODY, NEUTRAL) for who in s.scale)
    ):
        raise GameError(words('position.error.ending'))
    s.pyramids[:] = 0
    s.last = 0
    s.ending = R.Ending.EXHIBITION


def _read_scores(s: State, given: Any) -> None:
    """Points follow from the tiles and the museum; those that are given must be the same."""
    for tile, owner in enumerate(s.owner):
        if 0 <= owner < LYING:
            s.points[owner] += C.POINTS_OF[tile]
    if s.ending:
        for seat in range(s.players):
            s.points[seat] += R.exhibition(s, seat)
    if given is not None and given != s.points[: s.players].tolist():
        raise GameError(words('position.error.scores', scores=s.points[: s.players].tolist()))
