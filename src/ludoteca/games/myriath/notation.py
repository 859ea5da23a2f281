"""Names of actions, and positions as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from reprlib import repr
from typing import Any

import numpy as np

from ludoteca.game import GameError
from ludoteca.game.json_fields import check_keys, is_whole, whole
from ludoteca.kernel import checked, holds, seed_words, start_generator
from ludoteca.text import Words

from . import components as C
from . import rules as R
from .rules import IN_HAND, Phase, State

KEYS = ('game', 'players', 'to_move', 'turn', 'tiles', 'scores', 'passes')
REQUIRED = ('players', 'to_move', 'tiles')
TILE_KEYS = ('owner', 'tile', 'orientation', 'at')
ENDINGS = tuple(ending.name.lower() for ending in R.Ending if ending)
NAMES_KEPT = 1 << 14
"""Names of actions that are kept: a position has up to ten thousand, and the next one nearly all of them."""
ORIENTATION_NAMES = ('r0', 'r1', 'r2', 'r3', 'f0', 'f1', 'f2', 'f3')

words = Words(Path(__file__).parent)


# ---- actions -----------------------------------------------------------------------------------------------


def crossing_name(crossing: int, side: int) -> str:
    """The name of a crossing: `a1` in the south-west, letters to the east, numbers to the north."""
    return f'{C.FILES[crossing % side]}{crossing // side + 1}'


def crossing_from_name(name: str, side: int) -> int:
    """The crossing of that name. Raises GameError if the area has none."""
    found = re.fullmatch(r'([a-z])([1-9][0-9]?)', name)
    if not found or found[1] not in C.FILES[:side] or int(found[2]) > side:
        raise GameError(
            words('action.error.crossing', name=repr(name), last=crossing_name(side * side - 1, side))
        )
    return C.FILES.index(found[1]) + side * (int(found[2]) - 1)


def placement(action: int) -> tuple[int, int]:
    """The piece that an action lays, R.RING for the octagon, and the crossing where it lays it."""
    kind, number = R.ACTIONS.decode(action)
    return (R.RING, number) if kind == 'octagon' else divmod(number, R.N_CROSSINGS)


def action_name(s: State, action: int) -> str:
    """`U-AI r3 d4` (tile, orientation, first crossing), `O d4` (the octagon), `pass`."""
    return name_at(int(s.side), action)


@lru_cache(maxsize=NAMES_KEPT)
def name_at(side: int, action: int) -> str:
    """The name of an action in an area with so many crossings a side."""
    if action == R.PASS:
        return 'pass'
    piece, crossing = placement(action)
    if piece == R.RING:
        return f'{C.OCTAGON} {crossing_name(crossing, side)}'
    tile, orientation = C.TILES[C.TILE_OF[piece]], ORIENTATION_NAMES[C.ORIENTATION_OF[piece]]
    return f'{tile} {orientation} {crossing_name(crossing, side)}'


def action_from_name(s: State, text: str) -> int:
    """The action of that name; an orientation may be any in which the tile lies so. Raises GameError if the
    text names none."""
    side = int(s.side)
    match text.split():
        case ['pass']:
            return R.PASS
        case [C.OCTAGON, crossing]:
            return R.FIRST_OCTAGON + crossing_from_name(crossing, side)
        case [tile, orientation, crossing] if tile in C.TILES[: C.N_PATHS]:
            if orientation not in ORIENTATION_NAMES:
                raise GameError(
                    words(
                        'action.error.orientation', name=repr(orientation), names=', '.join(ORIENTATION_NAMES)
                    )
                )
            piece = C.PIECE_OF[C.TILES.index(tile)][ORIENTATION_NAMES.index(orientation)]
            return piece * R.N_CROSSINGS + crossing_from_name(crossing, side)
    raise GameError(
        words(
            'action.error.name',
            name=repr(text),
            names=', '.join(ORIENTATION_NAMES),
            last=crossing_name(side * side - 1, side),
        )
    )


# ---- positions ---------------------------------------------------------------------------------------------


def laid(s: State) -> list[dict[str, Any]]:
    """The tiles on the board, by seat and then as in the list of tiles, the octagon first."""
    found = []
    for seat in range(int(s.players)):
        for tile in (C.THE_OCTAGON, *range(C.N_PATHS)):
            action = int(s.at[seat, tile])
            if action != IN_HAND:
                piece, crossing = placement(action)
                found.append(
                    {
                        'owner': seat,
                        'tile': C.TILES[tile],
                        'orientation': 0 if piece == R.RING else C.ORIENTATION_OF[piece],
                        'at': [crossing % int(s.side), crossing // int(s.side)],
                    }
                )
    return found


def points_of(s: State) -> list[int | float]:
    """The points of all seats, the handicap included."""
    return [int(half) // 2 if half % 2 == 0 else int(half) / 2 for half in s.points[: s.players]]


def least_turn(s: State) -> int:
    """The fewest finished turns with which the seat could be to move: one for each tile with ends, and the
    passes that it takes."""
    placed = int((s.at[:, : C.N_PATHS] != IN_HAND).sum()) + int(s.passes)
    return placed + (int(s.to_move) - placed) % int(s.players) if s.phase == Phase.PLAY else 0


def most_turn(s: State) -> int:
    """The most finished turns with which the seat could be to move: before each tile with ends all others may
    have passed."""
    placed = int((s.at[:, : C.N_PATHS] != IN_HAND).sum())
    return max(placed * int(s.players) + int(s.passes), least_turn(s))


def to_json(s: State) -> dict[str, Any]:
    """The canonical form; see docs/positions.md for the keys."""
    data: dict[str, Any] = {'game': 'myriath', 'players': int(s.players), 'to_move': int(s.to_move)}
    if s.turn != least_turn(s):
        data['turn'] = int(s.turn)
    data['tiles'], data['scores'] = laid(s), points_of(s)
    if s.passes:
        data['passes'] = int(s.passes)
    return data


@checked
def from_json(data: Mapping[str, Any]) -> State:
    """The position that `data` describes. Raises GameError with a sentence if it is incomplete or
    impossible."""
    check_keys(data, words('title'), KEYS, REQUIRED)
    players = whole(data, 'players', 2, 4)
    s = State.new()
    R.clear_board(s, players)
    # a fixed seed will do: Myriath uses no chance
    start_generator(s, seed_words('a position'))
    to_move = whole(data, 'to_move', 0, players - 1)
    _read_tiles(s, data['tiles'])
    _read_phase(s, to_move)
    s.to_move = to_move
    _read_scores(s, data.get('scores'))
    _read_passes(s, whole(data, 'passes', 0, players))
    _read_turn(s, data)
    return s


def _read_tiles(s: State, tiles: Any) -> None:
    """Lay all tiles; half edges are connected as they meet, in whatever order."""
    if not isinstance(tiles, list):
        raise GameError(words('position.error.tiles'))
    for n, entry in enumerate(tiles):
        if (
            not isinstance(entry, Mapping)
            or set(entry) - set(TILE_KEYS)
            or not {'owner', 'tile', 'at'} <= set(entry)
        ):
            raise GameError(words('position.error.tile', n=n, keys=', '.join(TILE_KEYS), value=repr(entry)))
        owner, orientation = entry['owner'], entry.get('orientation', 0)
        if not is_whole(owner, 0, s.players - 1):
            raise GameError(words('position.error.owner', n=n, last=s.players - 1, value=repr(owner)))
        if entry['tile'] not in C.TILES:
            raise GameError(
                words('position.error.which', n=n, tiles=', '.join(C.TILES), value=repr(entry['tile']))
            )
        if not is_whole(orientation, 0, 7):
            raise GameError(words('position.error.orientation', n=n, value=repr(orientation)))
        _lay(s, owner, C.TILES.index(entry['tile']), orientation, _crossing(s, entry, n))


def _crossing(s: State, entry: Mapping[str, Any], n: int) -> int:
    at, side = entry['at'], int(s.side)
    if not isinstance(at, list) or len(at) != 2 or not all(is_whole(x, 0, side - 1) for x in at):
        raise GameError(words('position.error.at', n=n, last=side - 1, value=repr(at)))
    return int(at[0]) + side * int(at[1])


def _lay(s: State, owner: int, tile: int, orientation: int, crossing: int) -> None:
    side, name = int(s.side), f'{C.TILES[tile]} {crossing_name(crossing, int(s.side))}'
    if s.at[owner, tile] != IN_HAND:
        raise GameError(words('position.error.twice', seat=owner, tile=C.TILES[tile]))
    octagon = tile == C.THE_OCTAGON
    piece = R.RING if octagon else C.PIECE_OF[tile][orientation]
    shape = (C.THE_RING if octagon else C.PIECES[piece]).moved(crossing % side, crossing // side)
    if not all(0 <= i < side and 0 <= j < side for i, j in shape.path):
        raise GameError(words('position.error.outside', tile=name, side=side))
    if any(holds(s.covered[k], i + side * j) for i, j, k in shape.quarters):
        raise GameError(words('position.error.overlap', tile=name))
    s.to_move = owner
    if octagon:
        R.lay_octagon(s, crossing)
    else:
        R.lay_path(s, piece, crossing)


def _read_phase(s: State, to_move: int) -> None:
    """Play begins when all octagons lie; until then they are laid in the order of the seats, and nothing
    else."""
    octagons = [seat for seat in range(s.players) if s.at[seat, C.THE_OCTAGON] != IN_HAND]
    paths = int((s.at[:, : C.N_PATHS] != IN_HAND).sum())
    s.phase = Phase.PLAY if len(octagons) == s.players else Phase.SETUP
    if s.phase == Phase.SETUP:
        if paths:
            raise GameError(words('position.error.octagons_first'))
        if octagons != list(range(len(octagons))) or to_move != len(octagons):
            raise GameError(words('position.error.setup'))


def _read_scores(s: State, given: Any) -> None:
    """Points follow from the tiles; those that are given must be the same."""
    if given is not None and given != points_of(s):
        raise GameError(words('position.error.scores', scores=points_of(s)))


def _read_passes(s: State, passes: int) -> None:
    """Check that seats that have passed since the last tile still have nothing to lay."""
    to_move, out = int(s.to_move), np.empty(R.MAX_LEGAL, np.int32)
    for back in range(1, passes + 1):
        s.to_move = (to_move - back) % int(s.players)
        if s.phase == Phase.SETUP or R.legal_actions(s, out) != 1 or out[0] != R.PASS:
            raise GameError(words('position.error.passes', seat=int(s.to_move), passes=passes))
    s.to_move = to_move
    s.passes = passes
    if passes == s.players:
        s.ending = R.Ending.PASSED


def _read_turn(s: State, data: Mapping[str, Any]) -> None:
    least = least_turn(s)
    s.turn = whole(data, 'turn', least, most_turn(s)) if 'turn' in data else least
    if s.phase == Phase.PLAY and (s.turn - s.to_move) % s.players:
        raise GameError(words('position.error.turn', players=int(s.players), seat=int(s.to_move)))
