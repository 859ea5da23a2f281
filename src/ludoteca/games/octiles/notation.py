"""Names of actions, and positions as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr
from typing import Any

import numpy as np

from ludoteca.game import GameError
from ludoteca.game.json_fields import check_keys, is_whole, whole
from ludoteca.kernel import checked, seed_words, start_generator
from ludoteca.text import Words

from . import components as C
from . import rules as R
from .rules import Phase, State

KEYS = (
    'game',
    'players',
    'options',
    'to_move',
    'turn',
    'tiles',
    'stack',
    'known',
    'laid',
    'runners',
    'passes',
    'ending',
    'history',
)
REQUIRED = ('players', 'to_move', 'tiles', 'stack', 'runners')
ENDINGS = tuple(ending.name.lower() for ending in R.Ending if ending)

words = Words(Path(__file__).parent)


# ---- actions -----------------------------------------------------------------------------------------------


def action_name(s: State, action: int) -> str:  # noqa: ARG001 (names do not depend on the position)
    """`a2:7` (space and rotation), `A1-B2` (from and to), `pass`."""
    match R.ACTIONS.parts(action):
        case 'lay', (space, rotation):
            return f'{C.SPACES[space]}:{rotation}'
        case 'move', (start, end):
            return move_name(start, end)
        case kind, _:
            return kind


def move_name(start: int, end: int) -> str:
    """The name of the move of a runner from post to post."""
    return f'{C.POSTS[start]}-{C.POSTS[end]}'


def action_from_name(s: State, text: str) -> int:
    """The action of that name; a rotation may be any that gives the pattern. Raises GameError if the text
    names none."""
    if text == 'pass':
        return R.PASS
    if placement := re.fullmatch(r'([a-e][1-5]):([0-7])', text):
        space, rot = placement[1], int(placement[2])
        if space not in C.SPACES:
            raise GameError(words('position.error.space', space=repr(space), spaces=', '.join(C.SPACES)))
        tile = int(s.stack[s.stack_head])
        return R.ACTIONS.encode('lay', C.SPACES.index(space), rot % C.ROTATIONS[tile] if tile >= 0 else rot)
    if move := re.fullmatch(r'([A-F][1-6])-([A-F][1-6])', text):
        for post in move.groups():
            if post not in C.POSTS:
                raise GameError(words('action.error.post', post=repr(post)))
        return R.ACTIONS.encode('move', *map(C.POSTS.index, move.groups()))
    raise GameError(words('action.error.name', name=repr(text)))


# ---- positions ---------------------------------------------------------------------------------------------


def stack_of(s: State) -> list[int | None]:
    """Tile numbers (1..18) of the stack, top first, None where unknown. A tile laid in a turn not yet
    finished is not in it."""
    first = int(s.phase == Phase.MOVE)
    tiles = [int(s.stack[(s.stack_head + i) % R.N_TILES]) for i in range(first, s.stack_size)]
    return [tile + 1 if tile >= 0 else None for tile in tiles]


def runners_of(s: State) -> dict[str, int]:
    """Posts on which runners stand, ascending, each with its seat."""
    found = {int(post): seat for seat in range(s.players) for post in s.runner[seat] if post >= 0}
    return {C.POSTS[post]: found[post] for post in sorted(found)}


def tiles_of(s: State) -> dict[str, list[int]]:
    """Spaces with the number (1..18) and the rotation of the tile lying there, the one laid in a begun turn
    included."""
    return {C.SPACES[i]: [int(s.tile[i]) + 1, int(s.rot[i])] for i in range(R.N_SPACES) if s.tile[i] >= 0}


def to_json(s: State) -> dict[str, Any]:
    """The canonical form; see docs/positions.md for the keys."""
    data: dict[str, Any] = {'game': 'octiles', 'players': int(s.players)}
    if s.repetition:
        data['options'] = {'repetition': True}
    data['to_move'] = int(s.to_move)
    if s.turn:
        data['turn'] = int(s.turn)
    tiles, stack = tiles_of(s), stack_of(s)
    if s.phase == Phase.MOVE:  # the begun turn is written under a key of its own
        space = C.SPACES[s.laid]
        number, rot = tiles.pop(space)
        if s.covered >= 0:
            tiles[space] = [int(s.covered) + 1, int(s.covered_rot)]
        data['tiles'] = {name: tiles[name] for name in C.SPACES if name in tiles}
        data['stack'] = [number, *stack]
        data['laid'] = {space: rot}
    else:
        data['tiles'], data['stack'] = tiles, stack
    if s.known:
        data['known'] = int(s.known)
    data['runners'] = runners_of(s)
    if s.passes:
        data['passes'] = int(s.passes)
    if s.ending:
        data['ending'] = ENDINGS[s.ending - 1]
    if s.repetition and s.n_past > 1:
        first = max(0, s.n_past - R.MEMORY)
        data['history'] = [f'{int(s.past[i % R.MEMORY]):x}' for i in range(first, s.n_past)]
    return data


@checked
def from_json(data: Mapping[str, Any]) -> State:
    """The position that `data` describes. Raises GameError with a sentence if it is incomplete or
    impossible."""
    check_keys(data, words('title'), KEYS, REQUIRED)
    players = whole(data, 'players', 2, 4)
    s = State.new()
    R.clear_board(s)
    # a fixed seed will do: Octiles uses no chance after setup
    start_generator(s, seed_words('a position'))
    s.players = players
    s.n_runners = 4 if players == 4 else 5
    s.repetition = _options(data.get('options', {}))
    s.to_move = whole(data, 'to_move', 0, players - 1)
    s.turn = whole(data, 'turn', 0, 2**30)  # half of what there is room for: the game goes on
    s.passes = whole(data, 'passes', 0, players)
    _read_tiles(s, data['tiles'], data['stack'])
    unknown = [i for i, number in enumerate(data['stack']) if number is None]
    s.known = whole(data, 'known', 0, max(0, s.stack_size - 1))
    if unknown and unknown != list(range(1, s.stack_size - s.known)):
        raise GameError(words('position.error.unknown'))
    if len(unknown) == 1:  # it is the one tile that is nowhere else
        seen = {int(tile) for tile in (*s.tile, *s.stack)}
        s.stack[unknown[0]] = next(tile for tile in range(R.N_TILES) if tile not in seen)
    if not s.ending:
        R.settle_known(s)
    _read_runners(s, data['runners'])
    _read_ending(s, data.get('ending'))
    if s.repetition:
        _read_history(s, data.get('history', []))
    if 'laid' in data:
        _read_laid(s, data['laid'])
    return s


def _options(given: Any) -> int:
    if (
        not isinstance(given, Mapping)
        or set(given) - {'repetition'}
        or not isinstance(given.get('repetition', False), bool)
    ):
        raise GameError(words('position.error.options'))
    return int(given.get('repetition', False))


def _read_tiles(s: State, tiles: Any, stack: Any) -> None:
    if not isinstance(tiles, Mapping) or not isinstance(stack, list):
        raise GameError(words('position.error.tiles'))
    numbers = []
    for space, tile in tiles.items():
        if space not in C.SPACES:
            raise GameError(words('position.error.space', space=repr(space), spaces=', '.join(C.SPACES)))
        if (
            not isinstance(tile, list)
            or len(tile) != 2
            or not is_whole(tile[0], 1, R.N_TILES)
            or not is_whole(tile[1], 0, 7)
        ):
            raise GameError(words('position.error.tile', space=space, n=R.N_TILES, tile=repr(tile)))
        R.place_tile(s, C.SPACES.index(space), tile[0] - 1, tile[1] % C.ROTATIONS[tile[0] - 1])
        numbers.append(tile[0])
    for i, number in enumerate(stack[: R.N_TILES]):
        if number is not None:
            if not is_whole(number, 1, R.N_TILES):
                raise GameError(words('position.error.stack', n=R.N_TILES, tile=repr(number)))
            s.stack[i] = number - 1
            numbers.append(number)
    if len(tiles) + len(stack) != R.N_TILES or len(set(numbers)) != len(numbers):
        missing = sorted(set(range(1, R.N_TILES + 1)) - set(numbers))
        twice = sorted({number for number in numbers if numbers.count(number) > 1})
        raise GameError(
            words('position.error.all_tiles', n=R.N_TILES, missing=_list(missing), twice=_list(twice))
        )
    if not stack or stack[0] is None:
        raise GameError(words('position.error.top'))
    s.stack_size = len(stack)


def _list(numbers: list[int]) -> str:
    return ', '.join(map(str, numbers)) or words('game.none')


def _read_runners(s: State, runners: Any) -> None:
    if not isinstance(runners, Mapping):
        raise GameError(words('position.error.runners'))
    for post, seat in runners.items():
        if post not in C.POSTS:
            raise GameError(
                words('position.error.post', post=repr(post), first=', '.join(C.POSTS[:3]), last=C.POSTS[-1])
            )
        if not is_whole(seat, 0, s.players - 1):
            raise GameError(words('position.error.seat', post=post, last=s.players - 1, seat=repr(seat)))
    for seat in range(s.players):
        posts = sorted(C.POSTS.index(post) for post, owner in runners.items() if owner == seat)
        if len(posts) != s.n_runners:
            raise GameError(
                words(
                    'position.error.n_runners', seat=seat, n=len(posts), players=s.players, each=s.n_runners
                )
            )
        allowed = (C.SIDE_OF_SEAT[s.players][seat], C.SIDE_OF_SEAT[s.players][seat] ^ 2, -1)
        for i, post in enumerate(posts):
            if C.SIDE_OF[post] not in allowed:
                raise GameError(words('position.error.side', seat=seat, post=C.POSTS[post]))
            s.runner[seat, i] = post
            s.occupied |= 1 << post


def _read_ending(s: State, ending: Any) -> None:
    points = np.zeros(4)
    R.scores(s, points)
    finished = [seat for seat in range(s.players) if points[seat] == s.n_runners]
    if ending is None:
        if finished:
            raise GameError(words('position.error.is_home', seat=finished[0]))
        if s.passes >= s.players:
            raise GameError(words('position.error.is_blocked'))
        return
    if ending not in ENDINGS:
        raise GameError(words('position.error.ending', endings=', '.join(ENDINGS)))
    if (ending == 'home') != (len(finished) == 1):
        raise GameError(words('position.error.home'))
    if (ending == 'blocked') != (s.passes >= s.players):
        raise GameError(words('position.error.blocked', players=s.players))
    s.ending = ENDINGS.index(ending) + 1
    if finished:
        s.winner = finished[0]


def _read_history(s: State, history: Any) -> None:
    if (
        not isinstance(history, list)
        or len(history) > R.MEMORY
        or not all(
            isinstance(h, str) and re.fullmatch('[0-9a-f]{1,16}', h) and not int(h, 16) >> 62 for h in history
        )
    ):
        raise GameError(words('position.error.history', most=R.MEMORY))
    if history:
        for i, h in enumerate(history):
            s.past[i] = int(h, 16)
        s.n_past = len(history)
    elif not s.ending:
        R.remember(s, False)


def _read_laid(s: State, laid: Any) -> None:
    if not isinstance(laid, Mapping) or len(laid) != 1 or s.ending:
        raise GameError(words('position.error.laid'))
    ((space, rot),) = laid.items()
    if space not in C.SPACES or not is_whole(rot, 0, 7):
        raise GameError(words('position.error.laid_where'))
    out = np.empty(R.MAX_LEGAL, np.int32)
    action = C.SPACES.index(space) * 8 + rot % C.ROTATIONS[R.top_tile(s)]
    if action not in out[: R.legal_actions(s, out)]:
        raise GameError(words('position.error.cannot_lay', space=space, rotation=rot))
    R.apply(s, action)
