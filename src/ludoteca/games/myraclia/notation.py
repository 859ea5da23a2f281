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
from ludoteca.kernel import Array, checked, seed_words, start_generator
from ludoteca.text import Words

from . import components as C
from . import rules as R
from .options import MyracliaOptions
from .rules import ASIDE, NONE, Phase, State

KEYS = (
    'game',
    'players',
    'options',
    'to_move',
    'phase',
    'round',
    'turn',
    'order',
    'surface',
    'display',
    'to_lay',
    'scores',
    'sources',
    'cubes',
    'zone',
    'discard',
    'board',
    'columns',
    'disks',
    'passed',
    'pool',
    'lent',
    'budget',
    'actions',
    'terraformed',
    'add',
    'steps',
    'token',
    'used_tokens',
    'ending',
)
REQUIRED = ('players', 'to_move', 'surface', 'display')
TILE_KEYS = ('tile', 'at', 'owner', 'reserved', 'cubes', 'tokens')
# the phases that positions name; payments and reservations are `steps` of a turn
PHASES = ('arrange', 'draft', 'turn', 'place', 'token')
SOURCES = tuple(source.name.lower() for source in R.Source)
ENDINGS = tuple(ending.name.lower() for ending in R.Ending if ending)
CELL = r'(-?[0-9]{1,2}),(-?[0-9]{1,2})'

words = Words(Path(__file__).parent)


# ---- actions -----------------------------------------------------------------------------------------------


def cell_name(cell: int) -> str:
    """The name of a place: `3,1`."""
    return '{},{}'.format(*C.place_of(cell))


def cell_from_name(name: str, reach: int = C.REACH) -> int:
    """The place of that name, within `reach` of 0,0. Raises GameError if it is none."""
    found = re.fullmatch(CELL, name)
    if not found or max(abs(int(found[1])), abs(int(found[2]))) > reach:
        raise GameError(words('action.error.place', name=repr(name), reach=reach))
    return C.cell_at(int(found[1]), int(found[2]))


def tiles_to_lay(s: State) -> list[int]:
    """The starting tiles that have still to be laid, in the order of their slots."""
    return [tile for tile in range(C.N_TILES) if int(s.to_lay) >> tile & 1]


def action_name(s: State, action: int) -> str:
    """The name of an action, as in the table at the head of rules.py."""
    for first, word, last in (
        (R.DRAFT, 'draft', R.PASS),
        (R.ADD, 'add', R.END_TURN),
        (R.PAY, 'pay', R.TRIPLE),
        (R.USE, 'use', R.PUT),
        (R.PUT, 'put', R.DONE),
    ):
        if first <= action < last:
            return f'{word} {C.COLOURS[action - first]}'
    for first, word in (
        (R.TOKEN, 'token'),
        (R.CHANGE, 'change'),
        (R.RESERVE, 'reserve'),
        (R.TERRAFORM, 'terraform'),
    ):
        if first <= action < first + C.N_TILES:
            return f'{word} {cell_name(int(s.where[action - first]))}'
    if R.TRIPLE <= action < R.FIVE:
        colour, given = divmod(action - R.TRIPLE, C.N_COLOURS)
        return f'pay {C.COLOURS[colour]} with 3 {C.COLOURS[given]}'
    if R.FIVE <= action < R.USE:
        return f'pay {C.COLOURS[action - R.FIVE]} with any five'
    if action >= R.ARRANGE:
        slot, k = divmod(action - R.ARRANGE, R.N_START_CELLS)
        left = tiles_to_lay(s)
        return (
            f'place {C.TILES[left[slot] if slot < len(left) else NONE]} at {cell_name(int(R.start_cell(k)))}'
        )
    if action >= R.PLACE:
        slot, cell = divmod(action - R.PLACE, C.N_CELLS)
        return f'place {C.TILES[int(s.display[slot])]} at {cell_name(cell)}'
    return {R.PASS: 'pass', R.END_TURN: 'end turn', R.DONE: 'done'}[action]


def action_from_name(s: State, text: str) -> int:
    """The action of that name. Raises GameError if the text names none."""
    match text.split():
        case ['pass']:
            return R.PASS
        case ['end', 'turn']:
            return R.END_TURN
        case ['done']:
            return R.DONE
        case ['draft' | 'add' | 'pay' | 'use' | 'put' as word, colour]:
            first = {'draft': R.DRAFT, 'add': R.ADD, 'pay': R.PAY, 'use': R.USE, 'put': R.PUT}[word]
            return first + colour_from_name(colour)
        case ['pay', colour, 'with', '3', given]:
            return R.TRIPLE + C.N_COLOURS * colour_from_name(colour) + colour_from_name(given)
        case ['pay', colour, 'with', 'any', 'five']:
            return R.FIVE + colour_from_name(colour)
        case ['terraform' | 'reserve' | 'change' | 'token' as word, place]:
            first = {'terraform': R.TERRAFORM, 'reserve': R.RESERVE, 'change': R.CHANGE, 'token': R.TOKEN}[
                word
            ]
            tile = int(s.cell[cell_from_name(place)])
            if tile == NONE:
                raise GameError(words('action.error.no_tile', place=place))
            return first + tile
        case ['place', tile, 'at', place] if s.phase == Phase.ARRANGE:
            left = [C.TILES[k] for k in tiles_to_lay(s)]
            if tile not in left:
                raise GameError(words('action.error.to_lay', tile=repr(tile), tiles=', '.join(left)))
            q, r = C.place_of(cell_from_name(place, C.START_REACH))
            k: int = (
                q + C.START_REACH + C.START_SPAN * (r + C.START_REACH) + R.N_START_CELLS * left.index(tile)
            )
            return R.ARRANGE + k
        case ['place', tile, 'at', place]:
            shown = [C.TILES[int(k)] for k in s.display if k != NONE]
            if tile not in shown:
                raise GameError(
                    words(
                        'action.error.display', tile=repr(tile), tiles=', '.join(shown) or words('game.none')
                    )
                )
            return R.PLACE + C.N_CELLS * list(s.display).index(C.TILES.index(tile)) + cell_from_name(place)
    raise GameError(words('action.error.name', name=repr(text)))


def colour_from_name(name: str) -> int:
    """The colour of that name. Raises GameError if there is none."""
    if name not in C.COLOURS:
        raise GameError(words('action.error.colour', name=repr(name), colours=', '.join(C.COLOURS)))
    return C.COLOURS.index(name)


# ---- positions: writing ------------------------------------------------------------------------------------


def heap(cubes: Array) -> dict[str, int]:
    """A heap of cubes by colour."""
    return {colour: int(n) for colour, n in zip(C.COLOURS, cubes, strict=True) if n}


def colours_in(bits: int) -> list[str]:
    """The names of the colours in a set of bits."""
    return [colour for k, colour in enumerate(C.COLOURS) if bits >> k & 1]


def tokens_in(bits: int) -> list[str]:
    """The names of the tokens in a set of bits."""
    return [token for k, token in enumerate(C.TOKENS) if bits >> k & 1]


def begun(s: State) -> list[str]:
    """The steps of the payment or the reservation in progress."""
    if s.target == NONE:
        return []
    place = cell_name(int(s.where[s.target]))
    if s.phase == Phase.PUT:
        return [
            f'{"change" if s.changing else "reserve"} {place}',
            *(f'put {colour}' for colour in colours_in(int(s.plain))),
        ]
    steps, triples = (
        [f'terraform {place}'],
        [given for given in range(C.N_COLOURS) for _ in range(int(s.triples[given]))],
    )
    paid = int(s.plain) | int(s.wild)
    for colour in range(C.N_COLOURS):
        if not paid >> colour & 1:
            continue
        name = C.COLOURS[colour]
        if s.plain >> colour & 1:
            steps.append(f'pay {name}')
        else:
            steps.append(
                f'pay {name} with 3 {C.COLOURS[triples.pop(0)]}' if triples else f'pay {name} with any five'
            )
    return steps + [
        f'use {C.COLOURS[colour]}' for colour in range(C.N_COLOURS) for _ in range(int(s.used[colour]))
    ]


def _surface(s: State) -> list[dict[str, Any]]:
    found, owner = [], s.owner.tolist()
    reserved_by = {tile: seat for seat, tile in enumerate(s.reserved[: s.players].tolist()) if tile != NONE}
    for tile, cell in enumerate(s.where.tolist()):
        if cell == NONE:
            continue
        entry: dict[str, Any] = {'tile': C.TILES[tile], 'at': list(C.place_of(cell))}
        if owner[tile] != NONE:
            entry['owner'] = owner[tile]
        if tile in reserved_by:
            entry['reserved'] = reserved_by[tile]
        if s.cubes_on[tile]:
            entry['cubes'] = colours_in(int(s.cubes_on[tile]))
        if s.tokens_on[tile]:
            entry['tokens'] = tokens_in(int(s.tokens_on[tile]))
        found.append(entry)
    return found


def _options(s: State) -> dict[str, Any]:
    found = {
        'layout': MyracliaOptions.values()['layout'][s.layout],
        'cubes': int(s.cubes),
        'kickstarter': bool(s.kickstarter),
        'eternity': bool(s.eternity),
        'darkness': bool(s.darkness),
    }
    return {name: value for name, value in found.items() if value != MyracliaOptions.values()[name][0]}


def _phase(s: State) -> str:
    own = {Phase.ARRANGE: 'arrange', Phase.DRAFT: 'draft', Phase.PLACE: 'place', Phase.TOKEN: 'token'}
    return own.get(Phase(int(s.phase)), 'turn')


def _used_tokens(s: State) -> int:
    """Tokens that have left the game, as bits."""
    left = int(s.token_bag)
    for bits in s.tokens_on:
        left |= int(bits)
    if s.token != NONE:
        left |= 1 << int(s.token)
    return (1 << C.N_TOKENS) - 1 & ~left if s.eternity else 0


def to_json(s: State) -> dict[str, Any]:
    """The canonical form; see docs/positions.md for the keys."""
    players, phase = int(s.players), _phase(s)
    data: dict[str, Any] = {'game': 'myraclia', 'players': players}
    if options := _options(s):
        data['options'] = options
    data['to_move'] = int(s.to_move)
    if s.ending:
        data['ending'] = ENDINGS[s.ending - 1]
    elif phase != 'draft':
        data['phase'] = phase
    if s.round > 1:
        data['round'] = int(s.round)
    if s.turn:
        data['turn'] = int(s.turn)
    data['order'] = s.order[:players].tolist()
    data['surface'] = _surface(s)
    data['display'] = [None if tile == NONE else C.TILES[tile] for tile in s.display]
    if s.to_lay:
        data['to_lay'] = [C.TILES[tile] for tile in tiles_to_lay(s)]
    data['scores'] = s.points[:players].tolist()
    if s.sources.any():
        data['sources'] = [
            {name: int(n) for name, n in zip(SOURCES, s.sources[seat], strict=True) if n}
            for seat in range(players)
        ]
    if s.own.any():
        data['cubes'] = [heap(s.own[seat]) for seat in range(players)]
    data |= {
        key: heap(cubes)
        for key, cubes in (('zone', s.zone), ('discard', s.discard), ('board', s.board))
        if cubes.any()
    }
    if not s.ending:
        write = {'draft': _write_draft, 'turn': _write_turn, 'place': _write_turn, 'token': _write_token}
        data |= write[phase](s) if phase in write else {}
    if used := _used_tokens(s):
        data['used_tokens'] = tokens_in(used)
    return data


def _write_draft(s: State) -> dict[str, Any]:
    players = int(s.players)
    data: dict[str, Any] = {
        'columns': [C.COLOURS[list(s.column).index(k)] for k in range(C.N_COLOURS) if k in s.column]
    }
    if (s.disk != NONE).any():
        seats = sorted(
            (seat for seat in range(players) if s.disk[seat] != NONE), key=lambda seat: s.rank[seat]
        )
        data['disks'] = [
            [seat, 'aside' if s.disk[seat] == ASIDE else int(s.disk[seat]) + 1] for seat in seats
        ]
    if s.passed.any():
        data['passed'] = np.flatnonzero(s.passed[:players]).tolist()
    return data


def _write_turn(s: State) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if s.pool.any():
        data |= (
            {'pool': heap(s.pool)}
            | ({'lent': heap(s.lent)} if s.lent.any() else {})
            | {'budget': int(s.budget)}
        )
    for key, n in (('actions', s.n_actions), ('terraformed', s.n_terraformed), ('add', s.to_add)):
        if n:
            data[key] = int(n)
    if steps := begun(s):
        data['steps'] = steps
    return data


def _write_token(s: State) -> dict[str, Any]:
    return {'token': C.TOKENS[s.token]}


# ---- positions: reading ------------------------------------------------------------------------------------


@checked
def from_json(data: Mapping[str, Any]) -> State:
    """The position that `data` describes. Raises GameError with a sentence if it is incomplete or
    impossible."""
    check_keys(data, words('title'), KEYS, REQUIRED)
    players = whole(data, 'players', 2, 5)
    given = data.get('options', {})
    if not isinstance(given, Mapping):
        raise GameError(words('position.error.options'))
    s = State.new()
    R.clear_table(s, players, MyracliaOptions.read(given).encode())
    start_generator(s, seed_words('a position'))  # whoever needs true chance seeds it
    s.round = whole(data, 'round', 1, C.LAST_ROUND, 1)
    _read_order(s, data)
    _read_surface(s, data)
    _read_display(s, data['display'])
    s.points[:players] = _list_of(data, 'scores', players, 0, 2**14)
    _read_sources(s, data)
    _read_cubes(s, data)
    _read_tokens(s, data)
    if 'ending' in data:
        _read_ending(s, data)
    else:
        _read_phase(s, data)
    s.turn = whole(data, 'turn', 0, _most_turns(s))
    return s


def _list_of(data: Mapping[str, Any], key: str, n: int, least: int, most: int) -> list[int]:
    values = data.get(key, [least] * n)
    if (
        not isinstance(values, list)
        or len(values) != n
        or not all(is_whole(value, least, most) for value in values)
    ):
        raise GameError(words('position.error.list', key=key, n=n, least=least, most=most))
    return values


def _read_order(s: State, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    order = data.get('order', list(range(players)))
    if not isinstance(order, list) or sorted(map(repr, order)) != sorted(map(repr, range(players))):
        raise GameError(words('position.error.order', last=players - 1))
    s.order[:players] = order
    s.to_move = whole(data, 'to_move', 0, players - 1)
    s.at = order.index(s.to_move)


def _tile(s: State, name: Any, key: str) -> int:
    """A tile that is in this game and not in use yet; it leaves the bag."""
    tile = C.TILES.index(name) if isinstance(name, str) and name in C.TILES else NONE
    if (
        tile == NONE
        or (tile == C.KICKSTARTER and not s.kickstarter)
        or (tile >= C.FIRST_DARK and not s.darkness)
    ):
        raise GameError(words('position.error.tile', key=key, value=repr(name)))
    if not int(s.tile_bag) >> tile & 1:
        raise GameError(words('position.error.twice', tile=name))
    s.tile_bag &= ~(1 << tile)
    return tile


def _read_surface(s: State, data: Mapping[str, Any]) -> None:
    surface = data['surface']
    if s.darkness:
        s.tile_bag |= sum(1 << tile for tile in range(C.FIRST_DARK, C.N_TILES))
    if not isinstance(surface, list) or not (surface or data.get('phase') == 'arrange'):
        raise GameError(words('position.error.surface'))
    for entry in surface:
        if not isinstance(entry, Mapping) or set(entry) - set(TILE_KEYS) or not {'tile', 'at'} <= set(entry):
            raise GameError(words('position.error.surface'))
        tile, at = _tile(s, entry['tile'], 'surface'), entry['at']
        if (
            not isinstance(at, list)
            or len(at) != 2
            or not all(is_whole(x, 1 - C.REACH, C.REACH - 1) for x in at)
        ):
            raise GameError(words('position.error.at', tile=C.TILES[tile], reach=C.REACH - 1, value=repr(at)))
        if s.cell[C.cell_at(*at)] != NONE:
            raise GameError(words('position.error.same_place', place=f'{at[0]},{at[1]}'))
        R.put_tile(s, tile, C.cell_at(*at))
        _read_disk(s, tile, entry)
        _read_on_tile(s, tile, entry)
    if surface and _reached(s) != len(surface):
        raise GameError(words('position.error.connected'))


def _reached(s: State) -> int:
    """How many tiles hang together with the first one."""
    start = next(int(cell) for cell in s.where if cell != NONE)
    seen, ahead = {start}, [start]
    while ahead:
        cell = ahead.pop()
        near = {cell + int(step) for step in R.STEP if s.cell[cell + int(step)] != NONE} - seen
        seen |= near
        ahead += near
    return len(seen)


def _read_disk(s: State, tile: int, entry: Mapping[str, Any]) -> None:
    """Who has terraformed or reserved the tile."""
    for key in ('owner', 'reserved'):
        if key in entry and (
            not is_whole(entry[key], 0, s.players - 1)
            or tile >= C.FIRST_DARK
            or len(entry.keys() & {'owner', 'reserved'}) > 1
        ):
            raise GameError(words('position.error.disk', tile=C.TILES[tile], last=s.players - 1))
    if 'owner' in entry:
        R.own_tile(s, tile, entry['owner'])
    if 'reserved' in entry:
        if s.reserved[entry['reserved']] != NONE:
            raise GameError(words('position.error.reservations', seat=entry['reserved']))
        s.reserved[entry['reserved']] = tile
    for seat in range(s.players):
        if R.n_disks(s, seat) > C.DISKS[s.players]:
            raise GameError(words('position.error.disks', seat=seat, most=C.DISKS[s.players]))


def _read_on_tile(s: State, tile: int, entry: Mapping[str, Any]) -> None:
    """Cubes and tokens on the tile."""
    cubes, tokens = entry.get('cubes', []), entry.get('tokens', [])
    wanted = [C.COLOURS[colour] for colour in C.REQUIRED[tile]]
    if (
        not isinstance(cubes, list)
        or len(set(map(repr, cubes))) != len(cubes)
        or not all(cube in wanted for cube in cubes)
        or (cubes and (len(cubes) == len(wanted) or s.owner[tile] != NONE))
    ):
        raise GameError(words('position.error.on_tile', tile=C.TILES[tile], colours=', '.join(wanted)))
    if 'reserved' in entry and not cubes:
        raise GameError(words('position.error.on_tile', tile=C.TILES[tile], colours=', '.join(wanted)))
    s.cubes_on[tile] = sum(1 << C.COLOURS.index(cube) for cube in cubes)
    if not isinstance(tokens, list) or (tokens and tile >= C.FIRST_DARK):
        raise GameError(words('position.error.token', value=repr(tokens)))
    for name in tokens:
        s.tokens_on[tile] |= 1 << _token(s, name)


def _token(s: State, name: Any) -> int:
    """A token that is still face down; it is no longer."""
    if (
        not s.eternity
        or not isinstance(name, str)
        or name not in C.TOKENS
        or not s.token_bag >> C.TOKENS.index(name) & 1
    ):
        raise GameError(words('position.error.token', value=repr(name)))
    s.token_bag &= ~(1 << C.TOKENS.index(name))
    return C.TOKENS.index(name)


def _read_display(s: State, display: Any) -> None:
    if not isinstance(display, list) or len(display) != C.N_DISPLAY:
        raise GameError(words('position.error.display'))
    for k, name in enumerate(display):
        s.display[k] = NONE if name is None else _tile(s, name, 'display')
    if sum(tile >= C.FIRST_DARK for tile in s.display) > 1:
        raise GameError(words('position.error.dark'))


def _heap(given: Any, key: str) -> list[int]:
    if (
        not isinstance(given, Mapping)
        or set(given) - set(C.COLOURS)
        or not all(is_whole(n, 0, 103) for n in given.values())
    ):
        raise GameError(words('position.error.heap', key=key, colours=', '.join(C.COLOURS)))
    return [int(given.get(colour, 0)) for colour in C.COLOURS]


def _read_sources(s: State, data: Mapping[str, Any]) -> None:
    """What the points on the track come from, as far as it is known."""
    given = data.get('sources', [{}] * s.players)
    if not isinstance(given, list) or len(given) != s.players:
        raise GameError(words('position.error.sources', players=int(s.players), names=', '.join(SOURCES)))
    for seat, sources in enumerate(given):
        if (
            not isinstance(sources, Mapping)
            or set(sources) - set(SOURCES)
            or not all(
                is_whole(n, -(2**14), 0) if name == 'reserved' else is_whole(n, 0, 2**14)
                for name, n in sources.items()
            )
        ):
            raise GameError(words('position.error.sources', players=int(s.players), names=', '.join(SOURCES)))
        s.sources[seat] = [sources.get(name, 0) for name in SOURCES]


def _read_cubes(s: State, data: Mapping[str, Any]) -> None:
    """Cubes are given where they lie; all others are in the bag."""
    own = data.get('cubes', [{}] * s.players)
    if not isinstance(own, list) or len(own) != s.players:
        raise GameError(words('position.error.cubes', players=int(s.players)))
    for seat, cubes in enumerate(own):
        s.own[seat] = _heap(cubes, 'cubes')
    for key, cubes in (('zone', s.zone), ('discard', s.discard), ('board', s.board), ('pool', s.pool)):
        cubes[:] = _heap(data.get(key, {}), key)
    for colour, name in enumerate(C.COLOURS):
        out = (
            int(s.own[:, colour].sum())
            + sum(int(heap[colour]) for heap in (s.zone, s.discard, s.board, s.pool))
            + sum(int(bits) >> colour & 1 for bits in s.cubes_on)
        )
        if out > C.CUBES[colour]:
            raise GameError(words('position.error.many', colour=name, n=out, most=C.CUBES[colour]))
        s.bag[colour] = C.CUBES[colour] - out


def _read_tokens(s: State, data: Mapping[str, Any]) -> None:
    used = data.get('used_tokens', [])
    if not isinstance(used, list):
        raise GameError(words('position.error.token', value=repr(used)))
    for name in used:
        _token(s, name)


def _read_phase(s: State, data: Mapping[str, Any]) -> None:
    phase = data.get('phase', 'draft')
    allowed = {
        'arrange': {'to_lay'},
        'draft': {'board', 'columns', 'disks', 'passed', 'cubes', 'discard'},
        'turn': {'pool', 'lent', 'budget', 'actions', 'terraformed', 'add', 'steps', 'cubes', 'discard'},
        'place': {'actions', 'terraformed', 'add', 'zone', 'cubes', 'discard'},
        'token': {'token', 'zone', 'discard'},
    }
    if phase not in PHASES:
        raise GameError(words('position.error.phase', phases=', '.join(PHASES), value=repr(phase)))
    _refuse_keys(
        data,
        set().union(*allowed.values(), {'round'} if phase == 'arrange' else set()) - allowed[phase],
        phase,
    )
    if phase == 'arrange':
        _read_arrange(s, data)
    elif phase == 'draft':
        _read_draft(s, data)
    elif phase == 'token':
        if not s.eternity or 'token' not in data:
            raise GameError(words('position.error.token', value=repr(data.get('token'))))
        s.token = _token(s, data['token'])
        s.at, s.phase = s.players, Phase.TOKEN
        if not R.has_free_tile(s):
            raise GameError(words('position.error.no_free_tile'))
    else:
        _read_turn(s, data, phase)


def _refuse_keys(data: Mapping[str, Any], keys: set[str], phase: str) -> None:
    """Keys that mean nothing in a phase must not be there."""
    for key in sorted(keys & data.keys()):
        raise GameError(words('position.error.phase_key', key=key, phase=phase))


def most_drafted(players: int) -> int:
    """The most cubes of a draft, the first one included."""
    return int(max(C.DRAFT_FIRST[players], C.DRAFT[players]))


def _most_turns(s: State) -> int:
    """How many turns can have been played: starting tiles; cubes, passes, terraforming and a token in each
    round."""
    players, draft = int(s.players), most_drafted(int(s.players))
    laid = C.START_TILES[players] - int(s.to_lay).bit_count() if s.layout == R.Layout.ARRANGED else 0
    if s.phase == Phase.ARRANGE:
        return laid
    if s.ending or s.phase == Phase.TOKEN:
        now = draft + 2 * players
    elif s.phase == Phase.DRAFT:
        now = draft - R.total(s.board) + int(s.passed.sum())
    else:
        now = draft + players + int(s.at)
    return laid + (int(s.round) - 1) * (draft + 2 * players + 1) + now


def _read_arrange(s: State, data: Mapping[str, Any]) -> None:
    """Starting tiles, some of which lie already; nothing else has been dealt."""
    given = data.get('to_lay')
    lies, n = np.flatnonzero(s.where != NONE).tolist(), C.START_TILES[s.players]
    far = [tile for tile in lies if max(map(abs, C.place_of(int(s.where[tile])))) > C.START_REACH]
    if (
        not isinstance(given, list)
        or not given
        or len(given) + len(lies) != n
        or far
        or (s.owner != NONE).any()
        or (s.reserved != NONE).any()
        or s.cubes_on.any()
        or s.tokens_on.any()
        or R.has_display(s)
        or s.layout != R.Layout.ARRANGED
    ):
        raise GameError(words('position.error.to_lay', n=n, reach=C.START_REACH))
    for name in given:
        s.to_lay |= 1 << _tile(s, name, 'to_lay')
    if max(*lies, *tiles_to_lay(s)) >= C.FIRST_DARK:
        raise GameError(words('position.error.to_lay', n=n, reach=C.START_REACH))
    s.tile_bag &= (1 << C.FIRST_DARK) - 1  # Darkness comes later
    s.round, s.phase = 0, Phase.ARRANGE


def _read_draft(s: State, data: Mapping[str, Any]) -> None:
    players = int(s.players)
    on_board = [colour for k, colour in enumerate(C.COLOURS) if s.board[k]]
    most = most_drafted(players)
    if not on_board or R.total(s.board) > most:
        raise GameError(words('position.error.board', most=most))
    if 'columns' in data:
        columns = data['columns']
        if (
            not isinstance(columns, list)
            or set(map(repr, columns)) - set(map(repr, C.COLOURS))
            or len(set(columns)) != len(columns)
            or not set(on_board) <= set(columns)
        ):
            raise GameError(words('position.error.columns', colours=', '.join(on_board)))
        for k, colour in enumerate(reversed(columns)):
            s.column[C.COLOURS.index(colour)] = R.LAST_COLUMN - k
    else:
        R.set_columns(s)
    passed = data.get('passed', [])
    if (
        not isinstance(passed, list)
        or not all(is_whole(seat, 0, players - 1) for seat in passed)
        or s.to_move in passed
    ):
        raise GameError(words('position.error.passed', last=players - 1))
    for seat in passed:
        s.passed[seat] = 1
    disks = data.get('disks', [])
    if (
        not isinstance(disks, list)
        or not all(
            isinstance(entry, list)
            and len(entry) == 2
            and is_whole(entry[0], 0, players - 1)
            and (entry[1] == 'aside' or is_whole(entry[1], 1, C.N_COLOURS))
            for entry in disks
        )
        or len({entry[0] for entry in disks}) != len(disks)
    ):
        raise GameError(words('position.error.disks_drafted', last=players - 1, columns=C.N_COLOURS))
    for rank, (seat, column) in enumerate(disks):
        if column == 'aside' and not s.passed[seat]:
            raise GameError(words('position.error.aside', seat=seat))
        s.disk[seat], s.rank[seat] = ASIDE if column == 'aside' else column - 1, rank
    s.n_ranks = len(disks)
    for seat in passed:
        if s.disk[seat] == NONE:  # it passed without a cube
            s.disk[seat], s.rank[seat] = ASIDE, s.n_ranks
            s.n_ranks += 1
    s.phase = Phase.DRAFT


def _read_turn(s: State, data: Mapping[str, Any], phase: str) -> None:
    s.n_actions = whole(data, 'actions', 0, R.MOST_ACTIONS)
    s.n_terraformed = whole(data, 'terraformed', 0, int(s.n_actions))
    s.to_add = whole(data, 'add', 0, int(s.n_actions))
    if phase == 'place':
        if not s.to_add or not R.has_display(s):
            raise GameError(words('position.error.add'))
        s.phase = Phase.PLACE
        return
    s.lent[:] = _heap(data.get('lent', {}), 'lent')
    if (s.lent > s.pool).any():
        raise GameError(words('position.error.lent'))
    most = R.total(s.pool) - R.total(s.lent)
    s.budget = whole(data, 'budget', 0, most, most)
    if s.own[s.to_move].any():
        raise GameError(words('position.error.pool', seat=int(s.to_move)))
    s.phase = Phase.TURN
    steps = data.get('steps', [])
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise GameError(words('position.error.steps'))
    out = np.empty(R.MAX_LEGAL, np.int32)
    for step in steps:
        action = action_from_name(s, step)
        if action not in out[: R.legal_actions(s, out)]:
            raise GameError(words('position.error.step', step=step))
        R.apply(s, action)
    if steps and s.target == NONE:
        raise GameError(words('position.error.finished'))


def _read_ending(s: State, data: Mapping[str, Any]) -> None:
    ending = data['ending']
    if ending not in ENDINGS:
        raise GameError(words('position.error.ending', endings=', '.join(ENDINGS)))
    _refuse_keys(
        data,
        {
            'phase',
            'board',
            'columns',
            'disks',
            'passed',
            'pool',
            'lent',
            'budget',
            'actions',
            'terraformed',
            'add',
            'steps',
            'token',
            'to_lay',
        },
        ending,
    )
    enough = max(s.done) >= C.END_TILES[s.players]
    if (ending == 'terraformed') != enough or (ending == 'endless' and s.round != C.LAST_ROUND):
        raise GameError(words('position.error.not_over', n=C.END_TILES[s.players], last=C.LAST_ROUND))
    s.ending = ENDINGS.index(ending) + 1
    s.phase = Phase.PLACE
    s.at = 0
