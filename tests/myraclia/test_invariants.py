"""What holds at every moment of every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from ludoteca.game import Position
from ludoteca.kernel import compiled
from tests.myraclia.model import COLOURS, CUBES, DARK, TABLE, TILES, beside
from tests.myraclia.support import OPTIONS, SHARED_OUT, TABLES, played
from tests.width import width

SEEDS = range(1)
MOST = 10**6 if compiled else 70
Cells = dict[tuple[int, int], dict[str, Any]]
TILE_NUMBERS = {tile: k for k, tile in enumerate(TILES)}


def as_bits(numbers: Iterable[int]) -> int:
    """A set of small numbers as bits."""
    return sum(1 << number for number in set(numbers))


def cells_of(position: Position) -> Cells:
    """The surface by place."""
    return {tuple(entry['at']): entry for entry in position.to_json()['surface']}


def check_cubes(position: Position) -> None:
    """By colour, all cubes of the game are somewhere: bag, discard pile, board, zone, pool, reserves,
    tiles."""
    s = position.state
    for k, (colour, n) in enumerate(CUBES.items()):
        heaps = [s.bag[k], s.discard[k], s.board[k], s.zone[k], s.pool[k], *s.own[:, k]]
        assert min(heaps) >= 0
        assert sum(map(int, heaps)) + sum(int(bits) >> k & 1 for bits in s.cubes_on) == n, colour
    assert len(COLOURS) == 7
    assert sum(CUBES.values()) == 103


def check_tiles(position: Position, options: dict[str, Any]) -> None:
    """Every tile of the game is in one place: surface, display or bag, or among the starting tiles still to
    be laid. Darkness is mixed in when these lie."""
    s, data = position.state, position.to_json()
    surface, display = (
        [entry['tile'] for entry in data['surface']],
        [tile for tile in data['display'] if tile],
    )
    bag = [tile for k, tile in enumerate(TILES) if int(s.tile_bag) >> k & 1]
    to_lay = data.get('to_lay', [])
    left_out = {
        *(() if options.get('kickstarter') else ['K01']),
        *(() if options.get('darkness') and not to_lay else DARK),
    }
    assert sorted([*surface, *display, *bag, *to_lay]) == sorted(set(TILES) - left_out)
    assert len({tuple(entry['at']) for entry in data['surface']}) == len(surface)
    assert len(set(display) & set(DARK)) <= 1
    for k, tile in enumerate(TILES):
        assert (s.where[k] >= 0) == (tile in surface)
        assert s.where[k] < 0 or s.cell[s.where[k]] == k


def check_disks(position: Position) -> None:
    """No seat has more disks on the surface than there are, none lies on Darkness or on another; reserved
    tiles hold some but not all of their cubes; the counts of terraformed tiles are right."""
    s, players = position.state, int(position.state.players)
    cells = cells_of(position)
    owned = Counter(entry['owner'] for entry in cells.values() if 'owner' in entry)
    reserved = Counter(entry['reserved'] for entry in cells.values() if 'reserved' in entry)
    for seat in range(players):
        assert owned[seat] + reserved[seat] <= TABLE['players'][str(players)]['disks']
        assert reserved[seat] <= 1
        assert int(s.done[seat]) == owned[seat]
        assert s.points[seat] >= 0
    for entry in cells.values():
        held = set(entry.get('cubes', ()))
        assert held < set(TILES[entry['tile']].required) or not held
        assert held or 'reserved' not in entry
        assert not ('owner' in entry and held)


def check_sets(position: Position) -> None:
    """The sets of tiles that the state holds say what its surface says: who has terraformed which tiles,
    which ones are open to all, which ones lie beside a terraformed one."""
    s, cells = position.state, cells_of(position)
    owners = {TILE_NUMBERS[entry['tile']]: entry['owner'] for entry in cells.values() if 'owner' in entry}
    for seat in range(s.players):
        assert s.terraformed[seat] == as_bits(tile for tile, owner in owners.items() if owner == seat)
    lying = {TILE_NUMBERS[entry['tile']] for entry in cells.values() if entry['tile'] not in DARK}
    assert s.unowned == as_bits(lying - owners.keys())
    assert s.near == as_bits(
        TILE_NUMBERS[entry['tile']]
        for place, entry in cells.items()
        if any('owner' in cells[other] for other in beside(place) if other in cells)
    )


def check_form(before: Cells, after: Cells) -> None:
    """Each tile that was added keeps the compact form."""
    for place in after.keys() - before.keys():
        near = [other for other in beside(place) if other in before]
        assert len(near) >= 2
        assert len(near) > 2 or all(sum(there in before for there in beside(other)) >= 3 for other in near)


def check_tokens(position: Position) -> None:
    """Every token is in one place: face down, turned up, on one tile, or used."""
    s, data = position.state, position.to_json()
    if not s.eternity:
        return
    on_tiles = [token for entry in data['surface'] for token in entry.get('tokens', ())]
    down = [token['id'] for k, token in enumerate(TABLE['tokens']) if int(s.token_bag) >> k & 1]
    up = [TABLE['tokens'][int(s.token)]['id']] if s.token >= 0 else []
    assert sorted([*on_tiles, *down, *up, *data.get('used_tokens', ())]) == [
        token['id'] for token in TABLE['tokens']
    ]


@pytest.mark.parametrize(('players', 'options'), width(SHARED_OUT, TABLES), ids=str)
def test_every_position_of_a_game_is_whole(players: int, options: dict[str, Any]) -> None:
    for seed in SEEDS:
        cells: Cells = {}
        for position, name in played(players, seed, options, MOST):
            check_cubes(position)
            check_tiles(position, options)
            check_disks(position)
            check_sets(position)
            check_tokens(position)
            now = cells_of(position)
            if name and len(now) > TABLE['players'][str(players)]['start_tiles']:
                check_form(cells, now)
            cells = now


@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_every_begun_turn_can_be_completed(players: int) -> None:
    """There is always a legal action, and whatever was begun ends after a few steps, always the first or
    always the last one."""
    for position, _ in played(players, 5, OPTIONS[-1], MOST):
        if position.over:
            break
        for which in (0, -1):
            trial = position.copy()
            for _ in range(60):
                if trial.over or trial.state.turn > position.state.turn:
                    break
                actions = trial.actions()
                assert actions
                trial.apply(actions[which])
            assert trial.over or trial.state.turn > position.state.turn


@pytest.mark.parametrize('darkness', [False, True])
@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_before_every_turn_there_are_as_many_tiles_without_disks_as_at_the_start(
    players: int, darkness: bool
) -> None:
    """The rulebook's note. Darkness tiles take the places of others among them."""
    start, turns = TABLE['players'][str(players)]['start_tiles'], 0
    for position, _ in played(players, 7, {'darkness': darkness, 'eternity': True}, MOST):
        data = position.to_json()
        if not position.over and data.get('phase') != 'place' and not data.keys() & {'actions', 'steps'}:
            assert sum(not entry.keys() & {'owner', 'reserved'} for entry in data['surface']) == start
            turns += data.get('phase') == 'turn'
    assert turns >= players


@pytest.mark.parametrize('players', [2, 5])
def test_points_are_lost_only_by_reserving(players: int) -> None:
    before = None
    for position, name in played(players, 3, OPTIONS[-1], MOST):
        now = position.state.points.copy()
        if before is not None and name != 'done':
            assert (now >= before).all(), name
        before = now
