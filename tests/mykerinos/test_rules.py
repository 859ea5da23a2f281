"""The rules one by one, in positions small enough to follow on a table.

Where pyramids stand and what a tile prints is reconstructed, so no test here says so: spaces and tiles are
asked for by what they have.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import GameError, Position, View
from ludoteca.games.mykerinos import rules
from ludoteca.kernel import WORD, compiled, seed_words
from tests.chance import assert_uniform
from tests.mykerinos.model import (
    AREAS,
    BESIDE,
    BOX,
    NEUTRAL,
    ORDER,
    PATRONS,
    TILES,
    Game,
    museum_of,
    neighbours,
    pyramid_spaces,
    spaces_of_area,
)
from tests.mykerinos.support import (
    MYKERINOS,
    SPACES,
    TILES_OF_SEASON,
    clear,
    facts,
    legal,
    position,
    read_position,
    spaces_in,
    trail,
    trails,
)
from tests.playing import play_on

MANY = 1200 if compiled else 150
TWOS = ['2-violet-lemon', '2-lemon-brown', '2-brown-blackmore', '2-blackmore-tangerine', '2-tangerine-violet']
THREES, FIVES = [f'3-{patron}' for patron in PATRONS], [f'5-{patron}' for patron in PATRONS]
ROOMS = [*FIVES, *THREES, *TWOS]
A, B, C, D = (spaces_of_area(area) for area in range(4))


def refused(position: Position, text: str) -> None:
    """The step or turn is refused, and nothing changes."""
    before = position.to_json()
    with pytest.raises(GameError):
        position.play(text)
    assert position.to_json() == before


def with_points(*points: int) -> list[str]:
    """Tiles that print so many points each."""
    left = list(ORDER)
    found = []
    for n in points:
        found.append(next(tile for tile in left if TILES[tile].points == n and tile != 'blank'))
        left.remove(found[-1])
    return found


def spaces(position: Position, kind: str) -> set[str]:
    """The spaces of the legal steps of a kind: `start`, `extend`; '' for the next cube."""
    return {
        name.split()[-1] for name in legal(position) if name.startswith(kind) and (kind or name in BESIDE)
    }


# ---- components --------------------------------------------------------------------------------------------


def test_there_are_36_tiles_of_which_one_has_no_patron() -> None:
    assert len(TILES) == 36
    assert [name for name, tile in TILES.items() if tile.patron is None] == ['blank']


def test_each_patron_is_on_seven_tiles() -> None:
    assert [sum(tile.patron == patron for tile in TILES.values()) for patron in PATRONS] == [7] * 5


def test_the_blank_tile_gives_5_points_and_what_others_give_is_reconstructed() -> None:
    assert TILES['blank'].points == 5
    assert {tile.points for name, tile in TILES.items() if name != 'blank'} == {0, 2, 3}
    assert BOX['certainty']['points'].startswith('reconstructed')
    assert 'That other tiles show 2 points, 3 points or nothing is ours' in MYKERINOS.rules()


def test_the_doors_of_a_five_room_are_data_labelled_as_reconstructed() -> None:
    assert tuple(BOX['doors']) == MYKERINOS.options.values()['five_door']
    assert BOX['certainty']['doors'].startswith('reconstructed')


def test_a_tile_has_2_by_3_spaces_some_with_a_pyramid_most_without() -> None:
    for tile in TILES.values():
        assert tile.pyramids
        assert set(tile.pyramids) < set(range(6))
        assert len(set(tile.pyramids)) == len(tile.pyramids) <= 3


def test_what_is_reconstructed_says_so() -> None:
    assert MYKERINOS.reconstructed
    certainty = BOX['certainty']
    assert 'reconstructed' in certainty['pyramids']
    assert 'reconstructed' in certainty['points']
    assert 'reconstructed' in certainty['doors']
    assert certainty['museum'].startswith('inferred')
    assert certainty['per patron'].startswith('inferred')
    for key in ('count', 'counts'):
        assert certainty[key].startswith('certain')


def test_the_table_of_components_has_the_counts_of_the_rulebook() -> None:
    assert BOX['cubes'] == 25
    assert BOX['income'] == {'2': 11, '3': 11, '4': 8}
    assert BOX['neutral_income'] == 4
    assert BOX['tiles_of_season'] == [8, 8, 8, 12]
    assert sum(BOX['tiles_of_season']) == len(TILES)
    assert tuple(BOX['patrons']) == PATRONS


def test_the_museum_is_a_closed_ring_of_five_wings_with_fifteen_rooms() -> None:
    wings = museum_of(PATRONS)
    assert sorted(
        {room for wing in wings.values() for room in (wing.five, wing.three, *wing.twos)}
    ) == sorted(ROOMS)
    shared = Counter(room for wing in wings.values() for room in wing.twos)
    assert set(shared.values()) == {2}
    start = position(museum=dict.fromkeys(ROOMS, 0), stock=[0, 0, 0])
    assert facts(start.state)['museum'] == dict.fromkeys(ROOMS, 0)


def test_each_two_room_is_named_after_the_neighbours_round_the_ring() -> None:
    for seed in range(20):
        data = ludoteca.new('mykerinos', 3, seed).to_json()
        ring = data['wings']
        names = {f'2-{a}-{b}' for a, b in pairwise([*ring, ring[0]])}
        start = read_position({**data, 'museum': dict.fromkeys(names, 1)})
        assert set(start.to_json()['museum']) == names


# ---- setup -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(('players', 'income'), [(2, 11), (3, 11), (4, 8)])
def test_stocks_start_empty_and_get_the_first_income_from_25_cubes(players: int, income: int) -> None:
    shown = facts(ludoteca.new('mykerinos', players, 1).state)
    assert shown['stock'] == [income] * players
    assert shown['reserve'] == [25 - income] * players
    assert shown['points'] == [0] * players
    assert shown['museum'] == shown['cubes'] == {}
    assert shown['to move'] == shown['first'] == 0


def test_each_of_two_players_gets_4_neutral_cubes_of_25() -> None:
    shown = facts(ludoteca.new('mykerinos', 2, 1).state)
    assert shown['neutral'] == [4, 4]
    assert shown['neutral reserve'] == 17


@cache
def some_starts() -> list[dict[str, Any]]:
    """The beginnings of many games."""
    return [ludoteca.new('mykerinos', 2, seed).to_json() for seed in range(MANY)]


def test_patron_markers_are_put_on_the_wings_at_random() -> None:
    rings = [data['wings'] for data in some_starts()]
    for wing in range(5):
        counts = Counter(ring[wing] for ring in rings)
        assert_uniform(counts[patron] for patron in PATRONS)
    if compiled:
        assert_uniform(Counter(map(tuple, rings)).values())
        assert len(set(map(tuple, rings))) == 120


def test_tiles_are_shuffled_uniformly() -> None:
    deals = [deal_of(data) for data in some_starts()]
    for deal in deals:
        assert sorted(name for name, _ in deal) == sorted(TILES)
    for place in (0, 1, 7, 8, 23, 35) if compiled else ():
        counts = Counter(deal[place][0] for deal in deals)
        assert_uniform(counts[tile] for tile in TILES)


def test_tiles_are_turned_or_not_at_random() -> None:
    deals = [deal_of(data) for data in some_starts()]
    for place in (0, 7, 20, 35):
        turned = sum(deal[place][1] for deal in deals)
        assert_uniform([turned, len(deals) - turned])
    both = Counter((deal[3][1], deal[30][1]) for deal in deals)
    assert_uniform(both.values())


def deal_of(data: dict[str, Any]) -> list[tuple[str, bool]]:
    """All tiles in the order of the deal, and whether they lie upside down."""
    return [(entry.split()[0], entry.endswith(' turned')) for entry in data['tiles'] + data['deck']]


def test_the_deal_depends_on_the_whole_seed() -> None:
    seeds = [2**127 | 1 << bit for bit in (0, 31, 32, 63, 64, 95, 96)]
    assert len({str(deal_of(ludoteca.new('mykerinos', 2, seed).to_json())) for seed in seeds}) == len(seeds)


def test_setup_leaves_nothing_of_what_was_in_the_record() -> None:
    words, options = seed_words('again'), np.zeros(2, np.int32)
    for players in (2, 3, 4):
        used: Any = exhibition([['blank']], {'3-violet': 0}, stock=[5, 5, 5]).state.copy()
        fresh: Any = MYKERINOS.State.new()
        used.news, used.next_rank, used.rank[:] = 1, 2, 3
        for s in (fresh, used):
            MYKERINOS.kernels.setup(s, players, options, words)
        assert [name for name in fresh.dtype.names if np.any(fresh[name] != used[name])] == []


# ---- a new season ------------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_four_seasons_deal_8_8_8_and_12_tiles_and_then_the_game_ends(players: int) -> None:
    game = ludoteca.new('mykerinos', players, 5)
    deal = deal_of(game.to_json())
    for season, n in enumerate(TILES_OF_SEASON, 1):
        data = game.to_json()
        assert data['season'] == season
        assert [entry.split()[0] for entry in data['tiles']] == [name for name, _ in deal[:n]]
        deal = deal[n:]
        for _ in range(players):
            assert not game.over
            game.play('pass')
    assert game.over
    assert game.ending == 'exhibition'


@pytest.mark.parametrize(('season', 'rows'), [(1, 6), (2, 6), (3, 6), (4, 9)])
def test_the_region_has_8_columns_and_6_rows_in_the_fourth_season_9(season: int, rows: int) -> None:
    start = position(season=season)
    everywhere = {column + str(row) for column in 'abcdefgh' for row in range(1, rows + 1)}
    assert spaces(start, 'start') == everywhere - Game.read(start.to_json()).pyramids
    assert spaces(start, 'start') | Game.read(start.to_json()).pyramids == everywhere


@pytest.mark.parametrize('season', [1, 4])
def test_tiles_are_dealt_in_pairs_to_areas_row_by_row(season: int) -> None:
    """Each tile covers 2 columns and 3 rows; its left neighbour in the deal belongs to the same area."""
    shapes = [tile for tile in TILES if tile != 'blank'][: TILES_OF_SEASON[season - 1]]
    start = position(
        season=season, tiles=[tile + ' turned' * (slot % 3 == 0) for slot, tile in enumerate(shapes)]
    )
    found = facts(start.state)['pyramids']
    for slot, tile in enumerate(shapes):
        column, row = 4 * (slot // 2 % 2) + 2 * (slot % 2), 3 * (slot // 4) + 1
        here = {'abcdefgh'[column + x] + str(row + y) for x in range(2) for y in range(3)}
        places = [(5 - k if slot % 3 == 0 else k) for k in TILES[tile].pyramids]
        assert found & here == {'abcdefgh'[column + k % 2] + str(row + k // 2) for k in places}


def test_a_tile_turned_by_180_degrees_shows_its_pyramids_the_other_way_round() -> None:
    for tile in TILES:
        upright, turned = (pyramid_spaces(0, tile, upside_down) for upside_down in (False, True))
        assert turned == {'ba'['ab'.index(space[0])] + str(4 - int(space[1])) for space in upright}
        others = [other for other in ORDER if other != tile][:7]
        assert facts(position(tiles=[tile + ' turned', *others]).state)['pyramids'] & {*A} >= turned


def test_leftovers_stay_and_the_income_comes_on_top() -> None:
    game = position(stock=[5, 11, 0]).after('pass pass pass')
    assert facts(game.state)['stock'] == [16, 22, 11]
    game = position(4, stock=[5, 8, 0, 1]).after('pass pass pass pass')
    assert facts(game.state)['stock'] == [13, 16, 8, 9]


def test_a_short_reserve_gives_what_it_has_without_compensation() -> None:
    game = position(stock=[20, 25, 14], museum={'3-violet': 0}).after('pass pass pass')
    shown = facts(game.state)
    assert shown['stock'] == [24, 25, 25]
    assert shown['reserve'] == [0, 0, 0]
    game.play('pass pass pass')
    assert facts(game.state)['stock'] == [24, 25, 25]


def test_cubes_of_the_region_are_back_in_the_reserve_before_the_income() -> None:
    game = position(stock=[20, 11, 11], cubes=dict.fromkeys(A[:4], 0)).after('pass pass pass nothing')
    assert facts(game.state)['stock'][0] == 25


def test_two_players_get_4_neutral_cubes_each_and_keep_unused_ones() -> None:
    game = position(2, neutral=[3, 0]).after('pass pass')
    assert facts(game.state)['neutral'] == [7, 4]


@pytest.mark.parametrize(
    ('neutral', 'expected'),
    [([12, 6], [16, 9]), ([6, 12], [10, 15]), ([20, 0], [23, 2]), ([9, 15], [10, 15]), ([9, 16], [9, 16])],
)
def test_short_neutral_cubes_are_given_out_one_by_one_from_the_first_player_on(
    neutral: list[int], expected: list[int]
) -> None:
    game = position(2, neutral=neutral, to_move=1).after('pass pass')
    assert facts(game.state)['first'] == 0
    assert facts(game.state)['neutral'] == expected
    assert sum(expected) <= 25


def test_the_last_to_pass_becomes_first_player() -> None:
    game = position(4, to_move=2).after('pass pass pass pass')
    assert facts(game.state)['first'] == facts(game.state)['to move'] == 1
    play_on(
        play_on(game, 'start a1' if 'start a1' in legal(game) else f'start {trail(game, ".")[0]}'),
        'pass pass pass pass',
    )
    assert facts(game.state)['first'] == 1


def test_who_made_the_last_turn_without_passing_becomes_first_player() -> None:
    game = position(2, to_move=0, neutral=[0, 0])
    play_on(play_on(game, 'pass'), f'start {trail(game, ".")[0]}')
    assert game.to_json()['survey'] == {'area': 'A', 'rank': 1}
    game.play('nothing')
    assert facts(game.state)['first'] == facts(game.state)['to move'] == 1


def test_the_passing_scale_is_emptied_and_tiles_are_untilted() -> None:
    game = position(
        held=[['lemon-1'], [], ['brown-1', 'brown-2']], season=2, tilted=[{'lemon': 1}, {}, {'brown': 2}]
    )
    assert 'lemon' not in legal(game)
    game.play('pass pass pass')
    assert facts(game.state)['scale'] == [None] * 4
    assert facts(game.state)['tilted'] == [[0] * 5] * 3
    assert 'brown' in legal(game)


# ---- excavation: whose turn --------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [3, 4])
def test_turns_go_round_clockwise_from_the_first_player(players: int) -> None:
    game = position(players, first=1, to_move=1)
    for turn in range(2 * players):
        assert game.to_move == (1 + turn) % players
        game.play(f'start {trail(game, ".")[0]}')


def test_who_has_passed_takes_no_more_turns_this_season() -> None:
    game = position(4)
    for seat in (0, 1, 2, 3, 0, 2, 0, 2):
        assert game.to_move == seat
        game.play('pass' if seat in (1, 3) else f'start {trail(game, ".")[0]}')


def test_the_passing_scale_is_filled_from_its_lowest_space() -> None:
    game = position(4, to_move=3).after('pass')
    assert facts(game.state)['scale'] == [3, None, None, None]
    play_on(play_on(game, f'start {trail(game, ".")[0]}'), 'pass')
    assert facts(game.state)['scale'] == [3, 1, None, None]


@pytest.mark.parametrize('players', [3, 4])
def test_when_all_but_one_have_passed_that_player_has_exactly_one_more_turn(players: int) -> None:
    game = position(players)
    for _ in range(players - 1):
        game.play('pass')
    assert game.to_move == players - 1
    game.play(f'start {trail(game, ".")[0]}')
    assert game.to_json()['survey']['rank'] == 1
    assert game.to_move == players - 1
    assert facts(game.state)['phase'] == 'claim'


def test_the_last_turn_may_be_a_pass_an_extension_or_a_patron() -> None:
    game = position(scale=[0, 1], to_move=2, season=2, held=[[], [], ['brown-1']], cubes={A[0]: 2, B[0]: 2})
    kinds = {name.split()[0] for name in legal(game)}
    assert kinds == {'start', 'extend', 'brown', 'pass'}
    first, second = trail(game, '..', A[0])
    assert facts(game.copy().after(f'extend {first} {second}').state)['phase'] == 'claim'
    assert facts(game.copy().after('brown 3-violet').state)['phase'] == 'claim'
    assert facts(game.copy().after('pass').state)['phase'] == 'claim'


def test_a_turn_counts_when_it_is_finished() -> None:
    game = position(cubes={A[0]: 0})
    first, second = trail(game, '..', A[0])
    assert play_on(game, f'extend {first}').state.turn == 0
    assert play_on(game, second).state.turn == 1
    assert game.after('pass').state.turn == 2


# ---- excavation: start and extend --------------------------------------------------------------------------


def test_a_start_goes_on_any_empty_space_without_pyramid() -> None:
    game = position(cubes={A[5]: 1, B[2]: 2, D[0]: 0})
    everywhere = {*A, *B, *C, *D} - {A[5], B[2], D[0]}
    assert spaces(game, 'start') == everywhere - Game.read(game.to_json()).pyramids


def test_a_start_may_be_next_to_own_cubes() -> None:
    game = position(cubes={A[0]: 0})
    near = trail(game, '.', A[0])[0]
    assert f'start {near}' in legal(game)
    assert facts(game.after(f'start {near}').state)['cubes'] == {A[0]: 0, near: 0}


def test_a_start_takes_one_cube_from_the_stock() -> None:
    game = position()
    game.play(f'start {trail(game, ".")[0]}')
    assert facts(game.state)['stock'] == [10, 11, 11]
    assert facts(game.state)['reserve'] == [14, 14, 14]
    assert game.to_move == 1


def test_without_cubes_only_a_pass_is_left() -> None:
    assert legal(position(stock=[0, 11, 11], cubes={A[0]: 0})) == {'pass'}


def test_one_cube_is_enough_to_start_but_not_to_extend() -> None:
    game = position(stock=[1, 11, 11], cubes={A[0]: 0})
    assert {name.split()[0] for name in legal(game)} == {'start', 'pass'}


def test_an_extension_begins_beside_an_own_cube() -> None:
    game = position(cubes={A[5]: 0, C[0]: 1})
    free = {*A, *B, *C, *D} - {A[5], C[0]} - Game.read(game.to_json()).pyramids
    can_go_on = {space for space in free if free & {*neighbours(space)}}
    assert spaces(game, 'extend') == {*neighbours(A[5])} & can_go_on


def test_nobody_extends_the_cubes_of_others() -> None:
    assert spaces(position(cubes={A[5]: 1, C[0]: 2}), 'extend') == set()


def test_the_second_cube_goes_beside_the_first_one_just_laid_not_beside_the_old_ones() -> None:
    game = position(cubes={A[0]: 0})
    first = trail(game, '..', A[0])[0]
    game.play(f'extend {first}')
    expected = {
        space for space in neighbours(first) if space in BESIDE and space not in facts(game.state)['pyramids']
    } - {A[0]}
    assert legal(game) == {space for space in expected if int(space[1]) <= 6}


def test_an_extension_is_not_offered_where_no_second_space_is_free() -> None:
    start = position()
    row = trail(start, '.....')
    around = {space for middle in row[1:2] for space in neighbours(middle) if space in BESIDE} - {row[0]}
    cubes = {row[0]: 0, **{space: 1 for space in around if int(space[1]) <= 6}}
    game = position(cubes=cubes)
    assert f'start {row[1]}' in legal(game)
    assert f'extend {row[1]}' not in legal(game)


def test_an_extension_takes_two_cubes() -> None:
    game = position(cubes={A[0]: 0})
    first, second = trail(game, '..', A[0])
    game.play(f'extend {first} {second}')
    assert facts(game.state)['stock'] == [9, 11, 11]
    assert facts(game.state)['cubes'] == {A[0]: 0, first: 0, second: 0}
    assert game.to_move == 1


def test_diagonal_spaces_are_not_adjacent() -> None:
    game = position(cubes={'d3': 0})
    assert {'c2', 'e2', 'c4', 'e4'}.isdisjoint(spaces(game, 'extend'))


@pytest.mark.parametrize(
    ('here', 'there'), [('b2', 'c2'), ('d2', 'e2'), ('f5', 'g5'), ('c3', 'c4'), ('d4', 'e4'), ('g6', 'g7')]
)
def test_spaces_are_adjacent_across_cartouches_and_gaps(here: str, there: str) -> None:
    """From tile to tile, from area to area, from row to row."""
    beyond = 2 * ord(there[0]) - ord(here[0]), 2 * int(there[1]) - int(here[1])
    game = position(
        season=4, tiles=clear(here, there, chr(beyond[0]) + str(beyond[1]), season=4), cubes={here: 0}
    )
    assert f'extend {there}' in legal(game)


def test_the_edges_of_the_region_are_not_joined() -> None:
    game = position(season=4, cubes={'h2': 0, 'h5': 0})
    assert {space[0] for space in spaces(game, 'extend')} <= {'g', 'h'}
    game = position(season=4, cubes={'a2': 0, 'a5': 0})
    assert {space[0] for space in spaces(game, 'extend')} <= {'a', 'b'}


def test_no_cube_is_put_on_a_cube_or_a_pyramid() -> None:
    game = position(cubes={A[0]: 0, A[1]: 1, B[1]: 0})
    for space in (A[0], A[1], B[1], *facts(game.state)['pyramids']):
        refused(game, f'start {space}')
        refused(game, f'extend {space}')


def test_a_pass_keeps_the_cubes_for_the_next_season() -> None:
    game = position().after('pass')
    assert facts(game.state)['stock'] == [11, 11, 11]


# ---- patrons -----------------------------------------------------------------------------------------------


def with_tiles(*tiles: str, players: int = 3, **more: Any) -> Position:
    """The second season; seat 0 has these tiles."""
    return position(players, season=2, held=[list(tiles), *[[] for _ in range(players - 1)]], **more)


@pytest.mark.parametrize('patron', PATRONS)
def test_a_patron_helps_who_has_an_untilted_tile_of_it(patron: str) -> None:
    cubes = {A[5]: 0, C[4]: 0}
    assert {name for name in legal(with_tiles(f'{patron}-3', cubes=cubes)) if name in PATRONS} == {patron}
    assert patron not in legal(with_tiles(f'{patron}-3', cubes=cubes, tilted=[{patron: 1}, {}, {}]))
    assert patron not in legal(with_tiles(cubes=cubes))
    assert patron not in legal(with_tiles(f'{patron}-3', cubes=cubes, to_move=1))


def test_a_tile_is_used_once_a_season_and_two_tiles_twice() -> None:
    game = with_tiles('brown-1', 'brown-2')
    game.play('brown 3-violet pass pass')
    assert game.to_move == 0
    assert facts(game.state)['tilted'][0] == [0, 0, 1, 0, 0]
    game = with_tiles('brown-1', 'brown-2')
    play_on(
        play_on(play_on(play_on(game, 'brown 3-violet'), 'pass'), f'start {trail(game, ".")[0]}'),
        'brown 3-lemon',
    )
    assert facts(game.state)['tilted'][0] == [0, 0, 2, 0, 0]
    game.play(f'start {trail(game, ".")[0]}')
    assert 'brown' not in legal(game)


def test_a_patron_is_the_whole_action_of_a_turn() -> None:
    game = with_tiles('violet-1', 'lemon-1', 'brown-1', cubes={A[5]: 0})
    for patron in ('violet', 'lemon', 'brown'):
        begun = game.copy().after(patron)
        assert not {*PATRONS, 'pass'} & legal(begun)
    game.play('brown 3-violet')
    assert game.to_move == 1


def test_the_blank_tile_helps_nobody() -> None:
    assert {name.split()[0] for name in legal(with_tiles('blank'))} == {'start', 'pass'}


def test_lady_violet_adds_a_cube_of_the_reserve_to_the_stock_then_starts() -> None:
    game = with_tiles('violet-1', stock=[0, 11, 11])
    assert legal(game) == {'violet', 'pass'}
    game.play('violet')
    assert facts(game.state)['stock'][0] == 1
    assert facts(game.state)['reserve'][0] == 24
    assert {name.split()[0] for name in legal(game)} == {'start'}
    game.play(f'start {trail(game, ".")[0]}')
    assert facts(game.state)['stock'][0] == 0
    assert game.to_move == 1


def test_lady_violet_extends_with_one_cube_in_the_stock() -> None:
    game = with_tiles('violet-1', stock=[1, 11, 11], cubes={A[5]: 0})
    assert not spaces(game, 'extend')
    game.play('violet')
    assert {name.split()[0] for name in legal(game)} == {'start', 'extend'}
    first, second = trail(game, '..', A[5])
    game.play(f'extend {first} {second}')
    assert facts(game.state)['stock'][0] == 0


def test_lady_violet_does_not_help_with_an_empty_reserve() -> None:
    """Decided here."""
    game = with_tiles('violet-1', stock=[23, 11, 11], cubes={A[5]: 0, A[6]: 0})
    assert facts(game.state)['reserve'][0] == 0
    assert 'violet' not in legal(game)
    assert 'violet' in legal(with_tiles('violet-1', stock=[22, 11, 11], cubes={A[5]: 0, A[6]: 0}))


def test_lady_violet_puts_nothing_on_pyramids() -> None:
    game = with_tiles('violet-1', cubes={A[5]: 0}).after('violet')
    pyramids = facts(game.state)['pyramids']
    assert pyramids.isdisjoint(spaces(game, 'start') | spaces(game, 'extend'))


def test_lord_lemon_may_start_on_a_pyramid() -> None:
    game = with_tiles('lemon-1').after('lemon')
    assert spaces(game, 'start') == {*A, *B, *C, *D}
    pyramid = trail(game, '^')[0]
    assert facts(game.after(f'start {pyramid}').state)['cubes'] == {pyramid: 0}


def with_ground(ground: str, *held: str) -> tuple[Position, list[str]]:
    """A region in which such ground is found, its first space with a cube of seat 0 on it, and the ground."""
    for seed in range(100):
        tiles = [tile for tile in ORDER if tile not in held]
        random.Random(seed).shuffle(tiles)
        bare = with_tiles(*held, tiles=tiles[:8])
        if line := trails(bare, ground):
            return with_tiles(*held, tiles=tiles[:8], cubes={line[0][0]: 0}), line[0]
    raise AssertionError(f'no such ground: {ground}')


@pytest.mark.parametrize('ground', ['.^.', '..^', '^..', '^^.', '^.^'])
def test_lord_lemon_may_put_either_cube_of_an_extension_on_a_pyramid(ground: str) -> None:
    game, line = with_ground(ground, 'lemon-1')
    game.play(f'lemon extend {line[1]} {line[2]}')
    assert facts(game.state)['cubes'] == dict.fromkeys(line, 0)
    assert facts(game.state)['stock'][0] == 9


def test_lord_lemon_puts_only_one_cube_on_a_pyramid() -> None:
    game, (_, first, second) = with_ground('.^^', 'lemon-1')
    refused(game, f'lemon extend {first} {second}')


def test_lord_lemon_may_also_start_and_extend_without_a_pyramid() -> None:
    game = with_tiles('lemon-1', cubes={A[5]: 0})
    first, second = trail(game, '..', A[5])
    assert game.copy().after(f'lemon start {first}').to_move == 1
    assert game.copy().after(f'lemon extend {first} {second}').to_move == 1


def test_lord_lemon_puts_no_cube_on_an_occupied_pyramid() -> None:
    pyramid = trail(with_tiles('lemon-1'), '^')[0]
    game = with_tiles('lemon-1', cubes={pyramid: 1}).after('lemon')
    refused(game, f'start {pyramid}')


def test_a_cube_on_a_pyramid_is_extended_from_like_any_other() -> None:
    game, (_, first, second) = with_ground('^..')
    game.play(f'extend {first} {second}')
    assert game.to_move == 1


def test_a_cube_on_a_pyramid_counts_in_the_survey() -> None:
    game, (own, *_) = with_ground('^')
    game = survey({own: 0}, season=2, tiles=game.to_json()['tiles'])
    assert where(game) == (next(name for k, name in enumerate(AREAS) if own in spaces_of_area(k)), 1, 0)


def test_sir_brown_puts_a_cube_of_the_stock_into_any_empty_2_or_3_room() -> None:
    game = with_tiles('brown-1').after('brown')
    assert legal(game) == {*TWOS, *THREES}
    game.play('2-violet-lemon')
    assert facts(game.state)['museum'] == {'2-violet-lemon': 0}
    assert facts(game.state)['stock'][0] == 10
    assert facts(game.state)['reserve'][0] == 14


def test_sir_brown_needs_a_cube_in_the_stock() -> None:
    assert 'brown' not in legal(with_tiles('brown-1', stock=[0, 11, 11]))


def test_sir_brown_finds_no_room_in_a_full_museum() -> None:
    museum = dict.fromkeys([*TWOS, *THREES], 1)
    assert 'brown' not in legal(with_tiles('brown-1', museum=museum, stock=[11, 5, 11]))
    assert legal(
        with_tiles('brown-1', museum={room: 1 for room in museum if room != '3-lemon'}).after('brown')
    ) == {'3-lemon'}


@pytest.mark.parametrize('patron', PATRONS)
def test_a_5_room_is_entered_from_an_adjacent_room_with_an_own_cube(patron: str) -> None:
    wing = museum_of(PATRONS)[patron]
    assert wing.five not in legal(with_tiles('brown-1').after('brown'))
    for room in (wing.three, *wing.twos):
        assert wing.five in legal(with_tiles('brown-1', museum={room: 0}).after('brown'))
        assert wing.five not in legal(with_tiles('brown-1', museum={room: 1}).after('brown'))
    others = {room: 0 for room in [*TWOS, *THREES] if room not in (wing.three, *wing.twos)}
    assert wing.five not in legal(with_tiles('brown-1', museum=others).after('brown'))


@pytest.mark.parametrize('patron', PATRONS)
def test_with_five_door_three_a_5_room_is_entered_from_the_3_room_only(patron: str) -> None:
    wing, three = museum_of(PATRONS)[patron], {'five_door': 'three'}
    assert wing.five in legal(with_tiles('brown-1', museum={wing.three: 0}, options=three).after('brown'))
    for room in wing.twos:
        assert wing.five not in legal(with_tiles('brown-1', museum={room: 0}, options=three).after('brown'))


def test_a_5_room_is_no_door_to_another() -> None:
    game = with_tiles('brown-1', museum={'3-violet': 0, '5-violet': 0})
    assert legal(game.after('brown')) & set(FIVES) == set()


def test_one_cube_in_a_room() -> None:
    game = with_tiles('brown-1', museum={'3-violet': 1, '2-violet-lemon': 0, '5-violet': 1}).after('brown')
    assert {'3-violet', '2-violet-lemon', '5-violet'}.isdisjoint(legal(game))
    assert '5-lemon' in legal(game)


def test_mrs_blackmore_starts_and_adds_a_second_cube_beside_the_first() -> None:
    game = with_tiles('blackmore-1').after('blackmore')
    pyramids = facts(game.state)['pyramids']
    free = {*A, *B, *C, *D} - pyramids
    assert legal(game) == {space for space in free if free & {*neighbours(space)}}
    first, second = trail(game, '..')
    game.play(first)
    assert legal(game) == free & {*neighbours(first)}
    game.play(second)
    assert facts(game.state)['cubes'] == {first: 0, second: 0}
    assert facts(game.state)['stock'][0] == 9
    assert game.to_move == 1


def test_mrs_blackmore_needs_two_cubes() -> None:
    assert 'blackmore' not in legal(with_tiles('blackmore-1', stock=[1, 11, 11]))
    assert 'blackmore' in legal(with_tiles('blackmore-1', stock=[2, 11, 11]))


def test_colonel_tangerine_extends_and_adds_a_third_cube_beside_the_second() -> None:
    own = trail(with_tiles('tangerine-1'), '....')[0]
    game = with_tiles('tangerine-1', cubes={own: 0})
    first, second, third = trail(game, '...', own)
    game.play('tangerine')
    assert legal(game) <= {*neighbours(own)}
    game.play(f'{first} {second}')
    assert third in legal(game) <= {*neighbours(second)}
    game.play(third)
    assert facts(game.state)['cubes'] == dict.fromkeys([own, first, second, third], 0)
    assert facts(game.state)['stock'][0] == 8
    assert game.to_move == 1


def test_colonel_tangerine_needs_three_cubes_and_an_excavation() -> None:
    own = trail(with_tiles('tangerine-1'), '....')[0]
    assert 'tangerine' in legal(with_tiles('tangerine-1', cubes={own: 0}, stock=[3, 11, 11]))
    assert 'tangerine' not in legal(with_tiles('tangerine-1', cubes={own: 0}, stock=[2, 11, 11]))
    assert 'tangerine' not in legal(with_tiles('tangerine-1'))


def crowded(free: set[str], *, own: str = '') -> Position:
    """Seat 0 has a tile of each patron; all spaces but these are occupied by others, one perhaps by seat
    0."""
    cubes = {space: 1 + n % 2 for n, space in enumerate(sorted({*A, *B, *C, *D} - free - {own}))}
    return with_tiles(
        *(f'{patron}-1' for patron in PATRONS), cubes={**cubes, **({own: 0} if own else {})}, stock=[11, 0, 0]
    )


def test_a_patron_is_offered_only_if_the_action_can_be_completed() -> None:
    ground = with_tiles(*(f'{patron}-1' for patron in PATRONS))
    assert legal(crowded(set())) == {'brown', 'pass'}
    a, b, c = trail(ground, '...')
    assert legal(crowded({a})) == {f'start {a}', 'violet', 'lemon', 'brown', 'pass'}
    assert legal(crowded({a, c})) == {f'start {a}', f'start {c}', 'violet', 'lemon', 'brown', 'pass'}
    assert 'blackmore' in legal(crowded({a, b}))
    assert 'tangerine' not in legal(crowded({b, c}, own=a))
    own, a, b, c = trail(ground, '....')
    assert 'tangerine' in legal(crowded({a, b, c}, own=own))
    pyramid = trail(ground, '^')[0]
    assert legal(crowded({pyramid})) == {'lemon', 'brown', 'pass'}


def test_a_tile_helps_first_in_the_season_after_it_was_taken() -> None:
    start = position(cubes={A[0]: 0}, tiles=['lemon-1', 'lemon-2'])
    assert 'lemon' not in legal(start)
    start.play('pass pass pass take 1')
    assert facts(start.state)['season'] == 2
    assert 'lemon' not in legal(start)  # seat 2 begins
    start.play('pass')
    assert 'lemon' in legal(start)


# ---- survey: ranking ---------------------------------------------------------------------------------------


def survey(cubes: dict[str, Any], players: int = 3, order: str = '', **more: Any) -> Position:
    """What follows when all pass, in this order of seats, with these cubes lying."""
    seats = [int(seat) for seat in order] or list(range(players))
    return position(players, cubes=cubes, scale=seats[:-1], to_move=seats[-1], **more).after('pass')


def where(game: Position) -> tuple[str, int, int]:
    """Area, rank and seat of the claim to be made."""
    data = game.to_json()
    return data['survey']['area'], data['survey']['rank'], data['to_move']


def test_the_areas_are_surveyed_row_by_row_from_left_to_right() -> None:
    for season, areas in ((1, 'ABCD'), (4, 'ABCDEF')):
        game = survey({spaces_of_area(area)[5]: 1 for area in range(len(areas))}, season=season)
        seen = []
        while not game.over and game.to_json()['season'] == season:
            seen.append(where(game))
            game.play('nothing')
        assert seen == [(area, 1, 1) for area in areas]


def test_areas_without_cubes_are_passed_over_and_their_tiles_leave_the_game() -> None:
    game = survey({C[0]: 2}, tiles=['violet-1', 'violet-2', 'violet-3', 'violet-4', 'violet-5', 'violet-6'])
    assert where(game) == ('C', 1, 2)
    assert game.to_json()['gone'] == ['violet-1', 'violet-2', 'violet-3', 'violet-4']


def test_most_cubes_rank_first() -> None:
    game = survey({A[0]: 0, A[1]: 1, A[2]: 1, A[3]: 2, A[4]: 2, A[5]: 2})
    for rank, seat in ((1, 2), (2, 1), (3, 0)):
        assert where(game) == ('A', rank, seat)
        game.play('nothing')


@pytest.mark.parametrize('order', ['012', '210', '120', '201'])
def test_ties_go_to_the_earlier_pass(order: str) -> None:
    game = survey({A[0]: 0, A[1]: 1, A[2]: 2}, order=order)
    for rank, seat in enumerate(order, 1):
        assert where(game) == ('A', rank, int(seat))
        game.play('nothing')


def test_who_made_the_last_turn_without_passing_loses_ties() -> None:
    game = position(cubes={A[0]: 1, A[1]: 2}, scale=[1, 2], to_move=0)
    game.play(f'start {next(space for space in trail_in(game, A))}')
    assert facts(game.state)['ranking'] == [1, 2, 0]


def trail_in(game: Position, area: list[str]) -> list[str]:
    """The spaces of an area on which a start is legal."""
    return [space for space in area if f'start {space}' in legal(game)]


def test_players_without_cubes_do_not_take_part() -> None:
    game = survey({A[0]: 2, A[1]: 0, A[2]: 0, B[0]: 1})
    seen = []
    while 'survey' in game.to_json():
        seen.append(where(game))
        game.play('nothing')
    assert seen == [('A', 1, 0), ('A', 2, 2), ('B', 1, 1)]


def test_a_player_alone_in_an_area_has_one_claim_only() -> None:
    game = survey({A[0]: 0, A[1]: 0, A[2]: 0, B[0]: 1}).after('take 1')
    assert where(game) == ('B', 1, 1)


# ---- survey: claims ----------------------------------------------------------------------------------------

FOUR = {A[0]: 0, A[1]: 0, A[2]: 0, A[3]: 0, A[4]: 1, A[5]: 1, A[6]: 1, A[7]: 2, A[8]: 2, A[9]: 3}


def test_first_and_second_take_a_tile_or_move_a_cube_to_the_museum_or_do_nothing() -> None:
    game = survey(FOUR, 4)
    rooms = {f'museum {room}' for room in [*TWOS, *THREES]}
    assert legal(game) == {'take 1', 'take 2', 'nothing'} | rooms
    game.play('take 2')
    assert legal(game) == {'take 1', 'nothing'} | rooms


def test_third_and_fourth_may_only_take_a_tile_that_is_left() -> None:
    game = survey(FOUR, 4).after('museum 3-violet museum 3-lemon')
    assert legal(game) == {'take 1', 'take 2', 'nothing'}
    assert where(game) == ('A', 3, 2)
    game.play('take 1')
    assert where(game) == ('A', 4, 3)
    assert legal(game) == {'take 2', 'nothing'}


def test_without_a_tile_left_the_third_and_fourth_are_not_asked() -> None:
    game = survey({**FOUR, B[0]: 3}, 4).after('take 1 take 2')
    assert where(game) == ('B', 1, 3)
    game = survey({**FOUR, B[0]: 3}, 4).after('take 1 museum 3-violet take 2')
    assert where(game) == ('B', 1, 3)


def test_take_1_is_the_left_tile_and_take_2_the_right_one() -> None:
    tiles = ['violet-1', 'lemon-1', 'brown-1', 'blackmore-1']
    game = survey({A[0]: 0, B[0]: 1}, tiles=tiles).after('take 1 take 2')
    assert facts(game.state)['held'] == [{'violet-1'}, {'blackmore-1'}, set()]


def test_a_taken_tile_scores_its_points_at_once() -> None:
    three, two, nothing = with_points(3, 2, 0)
    game = survey({A[0]: 0, A[1]: 0, A[2]: 1, B[0]: 2}, tiles=[three, two, nothing, 'blank'])
    game.play('take 1')
    assert game.scores() == [3, 0, 0]
    game.play('take 2')
    assert game.scores() == [3, 2, 0]
    game.play('take 1')
    assert game.scores() == [3, 2, 0]


def test_the_blank_tile_scores_5_when_taken() -> None:
    game = survey({A[0]: 2}, tiles=['blank']).after('take 1')
    assert game.scores() == [0, 0, 5]


def test_a_claim_to_the_museum_takes_a_cube_of_the_reserve() -> None:
    game = survey({A[0]: 0, B[0]: 0}).after('museum 3-violet')
    shown = facts(game.state)
    assert shown['museum'] == {'3-violet': 0}
    assert shown['stock'][0] == 11
    # the cube of area A went back to it, that of B lies there still
    assert shown['reserve'][0] == 25 - 11 - 2


def test_an_empty_reserve_sends_nothing_to_the_museum_whatever_the_stock() -> None:
    game = survey({A[0]: 0, B[0]: 0}, stock=[23, 11, 11])
    assert legal(game) == {'take 1', 'take 2', 'nothing'}


def test_the_cubes_of_an_area_can_pay_in_later_areas_but_not_in_their_own() -> None:
    game = survey({A[0]: 0, B[0]: 0}, stock=[23, 11, 11]).after('nothing')
    assert where(game) == ('B', 1, 0)
    assert 'museum 3-violet' in legal(game)
    assert facts(game.state)['reserve'][0] == 1


def test_a_claim_enters_a_5_room_as_sir_brown_does() -> None:
    game = survey({A[0]: 0, A[1]: 0, A[2]: 1}, museum={'2-violet-lemon': 0})
    assert {name for name in legal(game) if name.startswith('museum 5')} == {
        'museum 5-violet',
        'museum 5-lemon',
    }
    game.play('nothing')
    assert not {name for name in legal(game) if name.startswith('museum 5')}
    game = survey({A[0]: 0}, museum={'2-violet-lemon': 0, '3-brown': 0}, options={'five_door': 'three'})
    assert {name for name in legal(game) if name.startswith('museum 5')} == {'museum 5-brown'}


def test_cubes_go_back_to_the_reserves_area_by_area() -> None:
    game = survey({A[0]: 0, A[1]: 1, B[0]: 0, B[1]: 1})
    game.play('nothing')
    assert facts(game.state)['cubes'] == {A[0]: 0, A[1]: 1, B[0]: 0, B[1]: 1}
    game.play('nothing')
    assert facts(game.state)['cubes'] == {B[0]: 0, B[1]: 1}
    assert facts(game.state)['reserve'] == [13, 13, 14]


def test_tiles_that_nobody_takes_leave_the_game() -> None:
    game = survey({A[0]: 0, B[0]: 0}, tiles=['violet-1', 'lemon-1']).after('take 2')
    assert game.to_json()['gone'] == ['violet-1']
    assert game.to_json()['held'][0] == ['lemon-1']


def test_claims_are_turns() -> None:
    game = survey({A[0]: 0, A[1]: 1, B[0]: 0})
    turn = int(game.state.turn)
    game.play('take 1')
    assert game.state.turn == turn + 1
    game.play('nothing nothing')
    assert game.state.turn == turn + 3


# ---- two players -------------------------------------------------------------------------------------------


def test_the_neutral_disk_stands_on_the_second_space_of_the_passing_scale() -> None:
    game = position(2)
    assert facts(game.state)['scale'] == [None, NEUTRAL, None, None]
    game.play('pass')
    assert facts(game.state)['scale'] == [0, NEUTRAL, None, None]


def test_when_one_human_passes_the_other_has_exactly_one_more_turn() -> None:
    game = position(2).after('pass')
    assert game.to_move == 1
    play_on(play_on(game, f'start {trail(game, ".")[0]}'), 'nothing')
    assert facts(game.state)['phase'] == 'claim'


def test_the_last_turn_of_two_players_ends_with_a_neutral_move_unless_it_is_a_pass() -> None:
    game = position(2).after('pass')
    assert facts(game.copy().after('pass').state)['season'] == 2
    game.play(f'start {trail(game, ".")[0]}')
    assert facts(game.state)['phase'] == 'neutral'
    assert game.to_move == 1


def test_after_the_own_action_a_neutral_start_may_follow() -> None:
    game = position(2)
    game.play(f'start {trail(game, ".")[0]}')
    assert game.to_move == 0
    own = facts(game.state)['cubes']
    pyramids = facts(game.state)['pyramids']
    assert legal(game) == {
        'nothing',
        *(f'neutral start {space}' for space in {*A, *B, *C, *D} - pyramids - own.keys()),
    }
    there = trail(game, '.')[0]
    game.play(f'neutral start {there}')
    assert facts(game.state)['cubes'] == own | {there: NEUTRAL}
    assert facts(game.state)['neutral'] == [3, 4]
    assert game.to_move == 1


def test_a_neutral_extension_takes_two_of_the_own_neutral_cubes() -> None:
    game = position(2, cubes={A[5]: NEUTRAL, D[5]: 0})
    game.play(f'start {trail(game, ".", D[5])[0]}')
    assert {name.split()[-1] for name in legal(game) if 'extend' in name} <= {*neighbours(A[5])}
    first, second = trail(game, '..', A[5])
    game.play(f'neutral extend {first}')
    assert legal(game) <= {*neighbours(first)}
    game.play(second)
    assert facts(game.state)['neutral'] == [2, 4]
    assert {first, second} < {space for space, who in facts(game.state)['cubes'].items() if who == NEUTRAL}


def test_neutral_cubes_are_not_extended_by_humans_nor_human_ones_by_the_neutral_colour() -> None:
    game = position(2, cubes={A[5]: NEUTRAL, D[5]: 1})
    assert not spaces(game, 'extend')
    game.play(f'start {trail(game, ".", D[5])[0]}')
    assert {name.split()[-1] for name in legal(game) if 'neutral extend' in name} <= {*neighbours(A[5])}


def test_the_neutral_move_uses_no_patron() -> None:
    game = position(2, season=2, held=[[f'{patron}-1' for patron in PATRONS], []])
    game.play(f'start {trail(game, ".")[0]}')
    assert {name.split()[0] for name in legal(game)} == {'neutral', 'nothing'}
    assert {name.split()[1] for name in legal(game) if name != 'nothing'} == {'start'}


def test_a_neutral_move_follows_a_patron_too() -> None:
    game = position(2, season=2, held=[['brown-1'], []]).after('brown 3-violet')
    assert facts(game.state)['phase'] == 'neutral'


def test_no_neutral_move_on_the_turn_in_which_one_passes() -> None:
    """Decided here."""
    game = position(2).after('pass')
    assert game.to_move == 1
    assert facts(game.state)['phase'] == 'excavate'


def test_one_neutral_cube_is_enough_to_start_but_not_to_extend() -> None:
    game = position(2, cubes={A[5]: NEUTRAL}, neutral=[1, 4])
    game.play(f'start {trail(game, ".")[0]}')
    assert {' '.join(name.split()[:-1]) for name in legal(game)} == {'neutral start', ''}


def test_without_neutral_cubes_the_turn_is_over_after_the_own_action() -> None:
    game = position(2, neutral=[0, 4])
    game.play(f'start {trail(game, ".")[0]}')
    assert game.to_move == 1


@pytest.mark.parametrize(('order', 'ranking'), [('01', [0, NEUTRAL, 1]), ('10', [1, NEUTRAL, 0])])
def test_the_neutral_colour_has_passed_second(order: str, ranking: list[Any]) -> None:
    game = survey({A[0]: 0, A[1]: 1, A[2]: NEUTRAL}, 2, order)
    assert facts(game.state)['ranking'] == ranking


def test_a_neutral_first_takes_a_tile_that_the_third_chooses() -> None:
    game = survey(
        {A[0]: NEUTRAL, A[1]: NEUTRAL, A[2]: NEUTRAL, A[3]: 0, A[4]: 0, A[5]: 1},
        2,
        tiles=['violet-1', 'lemon-1'],
    )
    assert where(game) == ('A', 1, 1)
    assert legal(game) == {'neutral take 1', 'neutral take 2'}
    game.play('neutral take 1')
    assert game.to_json()['gone'] == ['violet-1']
    assert where(game) == ('A', 2, 0)
    assert 'take 2' in legal(game)
    assert 'take 1' not in legal(game)
    game.play('museum 3-violet')
    assert where(game) == ('A', 3, 1)
    assert legal(game) == {'take 2', 'nothing'}
    assert game.scores() == [0, 0]


@pytest.mark.parametrize('present', [0, 1])
def test_a_neutral_first_before_one_human_takes_a_tile_that_the_absent_one_chooses(present: int) -> None:
    game = survey({A[0]: NEUTRAL, A[1]: NEUTRAL, A[2]: present}, 2)
    assert where(game) == ('A', 1, 1 - present)
    game.play('neutral take 2')
    assert where(game) == ('A', 2, present)
    assert {'take 1', 'nothing', 'museum 3-violet'} <= legal(game)


def test_a_neutral_second_takes_a_tile_that_the_first_chooses() -> None:
    game = survey({A[0]: 1, A[1]: 1, A[2]: NEUTRAL}, 2, tiles=['violet-1', 'lemon-1'])
    assert where(game) == ('A', 1, 1)
    game.play('museum 3-violet')
    assert where(game) == ('A', 2, 1)
    assert legal(game) == {'neutral take 1', 'neutral take 2'}
    game.play('neutral take 2')
    assert {'violet-1', 'lemon-1'} <= {*game.to_json()['gone']}
    assert facts(game.state)['season'] == 2


def test_a_neutral_second_takes_the_tile_that_is_left() -> None:
    game = survey(
        {A[0]: 1, A[1]: 1, A[2]: NEUTRAL, A[3]: NEUTRAL, A[4]: 0, B[0]: 0},
        2,
        '10',
        tiles=['violet-1', 'lemon-1'],
    )
    assert facts(game.state)['ranking'] == [1, NEUTRAL, 0]
    game.play('take 1')
    assert game.to_json()['gone'] == ['lemon-1']
    assert where(game) == ('B', 1, 0)


def test_behind_a_neutral_second_the_third_may_take_what_is_left() -> None:
    game = survey({A[0]: 1, A[1]: 1, A[2]: NEUTRAL, A[3]: NEUTRAL, A[4]: 0}, 2, order='10').after(
        'nothing neutral take 1'
    )
    assert where(game) == ('A', 3, 0)
    assert legal(game) == {'take 2', 'nothing'}


def test_a_neutral_third_takes_nothing() -> None:
    """Decided here."""
    game = survey(
        {A[0]: 1, A[1]: 1, A[2]: 0, A[3]: 0, A[4]: NEUTRAL, B[0]: 0}, 2, tiles=['violet-1', 'lemon-1']
    )
    game.play('nothing nothing')
    assert where(game) == ('B', 1, 0)
    assert game.to_json()['gone'] == ['violet-1', 'lemon-1']  # as unclaimed ones do


def test_a_neutral_alone_takes_both_tiles_out_of_the_game() -> None:
    game = survey({A[0]: NEUTRAL, B[0]: 0}, 2, tiles=['violet-1', 'lemon-1'])
    assert where(game) == ('B', 1, 0)
    assert game.to_json()['gone'] == ['violet-1', 'lemon-1']


def test_neutral_cubes_go_back_to_the_neutral_reserve() -> None:
    game = survey({A[0]: NEUTRAL, A[1]: NEUTRAL, B[0]: 0}, 2, neutral=[3, 3])
    assert facts(game.state)['neutral reserve'] == 19
    assert facts(game.state)['neutral'] == [3, 3]


def test_two_humans_without_the_neutral_colour_claim_as_first_and_second() -> None:
    game = survey({A[0]: 0, A[1]: 0, A[2]: 1}, 2).after('take 1')
    assert where(game) == ('A', 2, 1)
    assert 'museum 3-violet' in legal(game)


# ---- the exhibition ----------------------------------------------------------------------------------------


def exhibition(held: list[list[str]], museum: dict[str, int] | None = None, **more: Any) -> Position:
    """The end of a game with these tiles and rooms; seats that are not named have nothing."""
    players = more.pop('players', 3)
    hands = held + [[] for _ in range(players - len(held))]
    return position(players, season=4, held=hands, museum=museum or {}, **more).after(
        ' '.join(['pass'] * players)
    )


def worth(tiles: list[str], museum: dict[str, int] | None = None) -> float:
    """What the exhibition alone gives seat 0 for these tiles."""
    return exhibition([tiles], museum).scores()[0] - sum(TILES[tile].points for tile in tiles)


def test_a_tile_is_worth_1_without_a_room() -> None:
    assert worth(['violet-1']) == 1
    assert worth(['violet-1', 'violet-2', 'lemon-1']) == 3


@pytest.mark.parametrize('patron', PATRONS)
def test_a_tile_is_worth_the_best_own_room_of_its_patrons_wing(patron: str) -> None:
    wing, tile = museum_of(PATRONS)[patron], f'{patron}-2'
    for room in wing.twos:
        assert worth([tile], {room: 0}) == 2
        assert worth([tile], {room: 1}) == 1
    assert worth([tile], dict.fromkeys(wing.twos, 0)) == 2
    assert worth([tile], {wing.three: 0, wing.twos[0]: 0}) == 3
    assert worth([tile], {wing.five: 0, wing.three: 0, wing.twos[0]: 0}) == 5
    assert worth([tile], {wing.five: 0, wing.twos[1]: 0}) == 5
    others = [room for room in [*TWOS, *THREES] if room not in (wing.three, *wing.twos)]
    assert worth([tile], dict.fromkeys(others, 0)) == 1


def test_wings_are_those_on_which_the_patron_markers_lie() -> None:
    ring = ['brown', 'tangerine', 'violet', 'lemon', 'blackmore']
    game = exhibition(
        [['violet-1', 'brown-1', 'lemon-1']], {'2-tangerine-violet': 0, '2-blackmore-brown': 0}, wings=ring
    )
    assert (
        game.scores()[0] - sum(TILES[tile].points for tile in ('violet-1', 'brown-1', 'lemon-1')) == 2 + 2 + 1
    )


def test_every_tile_of_a_patron_scores() -> None:
    assert worth(['violet-1', 'violet-2', 'violet-4'], {'3-violet': 0}) == 9


def test_the_blank_tile_scores_nothing_more() -> None:
    assert exhibition([['blank']]).scores() == [5, 0, 0]
    assert worth(['blank', 'lemon-1']) == 1


def test_each_series_of_five_different_patrons_scores_5() -> None:
    series = [f'{patron}-1' for patron in PATRONS]
    assert worth(series[:4]) == 4
    assert worth(series) == 5 + 5
    assert worth([*series, 'violet-2', 'lemon-2']) == 7 + 5
    assert worth([*series, *(f'{patron}-2' for patron in PATRONS)]) == 10 + 10
    assert worth([*series[:4], 'blank']) == 4


def test_a_tile_counts_for_room_and_series_alike() -> None:
    assert worth([f'{patron}-1' for patron in PATRONS], {'3-violet': 0, '5-violet': 0}) == 5 + 4 + 5


def test_the_exhibition_comes_on_top_of_the_printed_points() -> None:
    three, two = with_points(3, 2)
    assert exhibition([[three], [two]]).scores() == [4, 3, 0]


def test_during_play_scores_are_those_on_the_track() -> None:
    start = position(season=4, held=[['blank', 'violet-1'], [], []], museum={'3-violet': 0})
    assert start.scores() == [5 + TILES['violet-1'].points, 0, 0]


def test_most_points_win() -> None:
    three, two = with_points(3, 2)
    assert exhibition([[two], [three]], stock=[20, 0, 0]).outcome() == [0, 1, 0]


def test_ties_are_broken_by_most_cubes_in_the_stock() -> None:
    a, b, c = with_points(2, 2, 2)
    assert exhibition([[a], [b], [c]], stock=[3, 5, 4]).outcome() == [0, 1, 0]
    assert exhibition([[a], [b], []], stock=[3, 5, 9]).outcome() == [0, 1, 0]
    tied = View(exhibition([[a], [b], [c]], stock=[3, 5, 4]).state, 0)
    assert '5 cubes in stock broke the tie' in MYKERINOS.prompt(tied).text


def test_further_ties_are_shared() -> None:
    a, b, c = with_points(2, 2, 2)
    assert exhibition([[a], [b], [c]], stock=[5, 5, 4]).outcome() == [0.5, 0.5, 0]
    assert exhibition([[a], [b], [c]], stock=[5, 5, 5]).outcome() == [1 / 3] * 3
    assert exhibition([], players=4, stock=[1, 1, 1, 1]).outcome() == [0.25] * 4


def test_nobody_has_won_while_the_game_runs() -> None:
    assert position().outcome() == [0, 0, 0]


def test_after_the_fourth_season_there_is_no_more_income() -> None:
    assert facts(exhibition([], stock=[3, 2, 1]).state)['stock'] == [3, 2, 1]


# ---- information -------------------------------------------------------------------------------------------


def test_only_the_deal_of_later_seasons_is_hidden() -> None:
    chooser, game = random.Random(4), ludoteca.new('mykerinos', 3, 4)
    for _ in range(60):
        game.apply(chooser.choice(game.actions()))
        whole = game.to_json()
        shown = MYKERINOS.to_json(game.hidden(1))
        assert shown.pop('deck') is None
        assert shown == {key: value for key, value in whole.items() if key != 'deck'}


def test_a_new_season_is_a_reveal_too_wide_to_branch_on() -> None:
    game = position().after('pass pass')
    assert game.state.reveals == 0
    assert MYKERINOS.kernels.revealed(game.state) == 0
    game.play('pass')
    assert game.state.reveals == 1
    assert MYKERINOS.kernels.revealed(game.state) == -1
    game.play('pass')
    assert game.state.reveals == 1
    assert MYKERINOS.kernels.revealed(game.state) == 0


# ---- sets of spaces ----------------------------------------------------------------------------------------


@pytest.mark.parametrize('rows', [3, 6, 9])
def test_what_lies_beside_one_and_two_of_a_set_is_found_at_once(rows: int) -> None:
    """Sets of bits against spaces, one after the other, in regions of one and of two words."""
    chooser, region = random.Random(rows), SPACES[: 8 * rows]
    for _ in range(30):
        chosen = set(chooser.sample(region, chooser.randrange(1, len(region))))
        bits = sum(1 << SPACES.index(space) for space in chosen)
        words = bits & (1 << WORD) - 1, bits >> WORD
        near = Counter(other for space in chosen for other in neighbours(space) if other in region)
        for kernel, least in ((rules.beside, 1), (rules.beside_two, 2)):
            found = spaces_in(kernel(*words)) & set(region)
            assert found == {space for space, n in near.items() if n >= least}
