"""The rules one by one, in positions small enough to follow on a board.

Tile 1 joins opposite edges, so that runners go straight over it. Tile 18 joins neighbouring edges: N-NE,
E-SE, S-SW and W-NW in rotation 0, NE-E, SE-S, SW-W and NW-N in rotation 1. Tile 11 joins every edge to the
one next but one.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import ludoteca
from ludoteca.game import GameError, Position
from ludoteca.kernel import compiled
from tests.chance import assert_uniform
from tests.octiles.model import (
    ALL_CIRCLES,
    CIRCLES,
    MIDDLE,
    PATTERN,
    PRELAID,
    ROTATIONS,
    SPACES,
    Game,
    canonical,
)
from tests.octiles.support import EAST, OCTILES, lay, position, read_position
from tests.playing import play_on

WEST = 'A1 A2 A3 A4 A5'
MANY = 60 if compiled else 10


def names(position: Position) -> set[str]:
    """The names of the legal turns; each is listed once."""
    listed = position.turns()
    assert len(set(listed)) == len(listed)
    return set(listed)


def refused(position: Position, text: str) -> None:
    """The step or turn is refused, and nothing changes."""
    before = position.to_json()
    with pytest.raises(GameError):
        position.play(text)
    assert position.to_json() == before


# ---- setup -------------------------------------------------------------------------------------------------


def test_two_players_sit_west_and_east() -> None:
    data = ludoteca.new('octiles', 2, 1).to_json()
    assert data['runners'] == {**dict.fromkeys(CIRCLES['W'], 0), **dict.fromkeys(CIRCLES['E'], 1)}
    assert OCTILES.colours(2) == ('blue', 'yellow')


def test_three_players_sit_west_north_and_east() -> None:
    data = ludoteca.new('octiles', 3, 1).to_json()
    assert data['runners'] == {circle: seat for seat, side in enumerate('WNE') for circle in CIRCLES[side]}
    assert OCTILES.colours(3) == ('blue', 'red', 'yellow')


def test_four_players_leave_the_middle_circles_empty() -> None:
    data = ludoteca.new('octiles', 4, 1).to_json()
    assert data['runners'] == {
        circle: seat for seat, side in enumerate('WNES') for circle in CIRCLES[side] if circle not in MIDDLE
    }
    assert OCTILES.colours(4) == ('blue', 'red', 'yellow', 'green')


@pytest.mark.parametrize('players', [2, 3, 4])
def test_blue_begins_and_turns_go_round_clockwise(players: int) -> None:
    position, random_turn = ludoteca.new('octiles', players, 3), random.Random(3)
    for turn in range(2 * players):
        assert position.to_move == turn % players
        position.play(random_turn.choice(position.turns()))


@pytest.mark.parametrize('players', [2, 4])
def test_all_18_tiles_are_in_the_stack_at_the_start(players: int) -> None:
    data = ludoteca.new('octiles', players, 5).to_json()
    assert sorted(data['stack']) == list(range(1, 19))
    assert data['tiles'] == {}


def test_three_players_begin_with_the_two_top_tiles_on_c1_and_d1() -> None:
    data, same = ludoteca.new('octiles', 3, 5).to_json(), ludoteca.new('octiles', 2, 5).to_json()
    assert list(data['tiles']) == list(PRELAID)
    assert [tile for tile, _ in data['tiles'].values()] + data['stack'] == same['stack']
    assert all(rotation == canonical(tile, rotation) for tile, rotation in data['tiles'].values())


def test_prelaid_tiles_lie_in_any_rotation() -> None:
    starts = [ludoteca.new('octiles', 3, seed).to_json()['tiles'] for seed in range(400)]
    for space in PRELAID:
        rotations = Counter(tiles[space][1] for tiles in starts if len(ROTATIONS[tiles[space][0]]) == 8)
        assert_uniform(rotations[rotation] for rotation in range(8))


def test_the_stack_is_shuffled_uniformly() -> None:
    starts = [
        ludoteca.new('octiles', 2, seed).to_json()['stack'] for seed in range(1800 if compiled else 360)
    ]
    for depth in (0, 1, 8, 17):
        tiles = Counter(stack[depth] for stack in starts)
        assert_uniform(tiles[tile] for tile in range(1, 19))


def test_the_order_of_the_stack_depends_on_the_whole_seed() -> None:
    seeds = [2**127 | 1 << bit for bit in (0, 31, 32, 63, 64, 95, 96)]
    assert len({tuple(ludoteca.new('octiles', 2, seed).to_json()['stack']) for seed in seeds}) == len(seeds)


# ---- rule 1: the space -------------------------------------------------------------------------------------


def test_rule_1_a_tile_is_laid_on_an_empty_space() -> None:
    assert names(position({0: WEST, 1: EAST})) == {'a2:0 A2-B3', 'a3:0 A5-B3'}


def test_rule_1_a_tile_is_laid_on_a_covered_space() -> None:
    start = position({0: WEST, 1: EAST}, tiles={'a2': (18, 0)})
    assert 'a2:0 A2-B3' in names(start)
    assert start.after('a2:0 A2-B3').to_json()['tiles'] == {'a2': [1, 0]}


def test_rule_1_a_covered_tile_counts_as_gone() -> None:
    chooser = random.Random(1)
    game, compared = Game.start(2, tuple(range(1, 19))), 0
    while not game.ending and compared < MANY:
        if game.tiles and game.turns():
            space = chooser.choice(sorted(game.tiles))
            tiles = {s: list(laid) for s, laid in game.tiles.items() if s != space}
            without = {**game.json(), 'tiles': tiles, 'stack': [*game.stack, game.tiles[space][0]]}
            there = {name for name in names(read_position(game.json())) if name.startswith(space)}
            assert there == {name for name in names(read_position(without)) if name.startswith(space)}
            compared += 1
        game = game.play(chooser.choice(sorted(game.turns()) or [None]))
    assert compared == MANY


# ---- rule 2: the way ---------------------------------------------------------------------------------------


def test_rule_2_the_path_must_cross_the_new_tile() -> None:
    # over a2 alone A2 could run to B3
    start = position({0: WEST, 1: EAST}, tiles={'a2': (1, 0)}, top=[18])
    assert names(start) == {
        'a2:1 A1-B2',
        'a3:0 A1-B2',
        'a3:1 A1-B3',
        'a3:1 A4-B2',
        'b2:0 A3-B3',
        'b2:1 A3-B2',
    }
    refused(start, 'a3:0 A2-B3')
    assert start.after('a3:0').legal() == ['A1-B2']


def test_rule_2_the_path_may_cross_the_new_tile_anywhere() -> None:
    # a3:0 of the position above: out of A1, over a2 to a3, there from S to SW, by the printed path back to
    # a2, and on to B2
    start = position({0: WEST, 1: EAST}, tiles={'a2': (1, 0)}, top=[18])
    assert start.after('a3:0 A1-B2').to_json()['runners']['B2'] == 0


def test_rule_2_the_path_ends_at_the_first_stop_even_if_it_is_occupied() -> None:
    free = position({0: 'A1 A2 A3 A5 D3', 1: EAST})
    taken = position({0: 'A1 A2 A3 A5 B3', 1: EAST})
    assert {'a2:0 A2-B3', 'a3:0 A5-B3'} <= names(free)
    # nobody passes through the stop B3
    assert names(taken) == {'b2:0 B3-C2', 'b3:0 B3-C4'}


def test_rule_2_a_path_fails_at_a_space_without_a_tile() -> None:
    # straight over a2 to the empty b2
    assert not {name for name in names(position({0: WEST, 1: EAST})) if ' A3' in name}
    # b2 from W to NW
    assert 'a2:0 A3-B3' in names(position({0: WEST, 1: EAST}, tiles={'b2': (18, 0)}))


def test_rule_2_printed_paths_are_used() -> None:
    # out of A5 over a3 from NW to N, by the printed path to b4.W, and over b4 from W to NW and B5
    start = position({0: WEST, 1: EAST}, tiles={'b4': (18, 0)}, top=[17])
    found = {int(name[3]) for name in names(start) if name.startswith('a3') and name.endswith('A5-B5')}
    assert (
        found
        == {rotation for rotation in ROTATIONS[17] if frozenset({'NW', 'N'}) in PATTERN[17, rotation]}
        == {1, 3}
    )


def test_rule_2_a_runner_on_a_goal_circle_stays() -> None:
    runners = {0: 'A1 A3 A4 A5 D4', 1: 'A2 F5 F4 F3 F2'}
    # A2 would reach B3 over a2
    assert names(position(runners, to_move=1)) == {'e3:0 F2-E4', 'e4:0 F5-E4'}
    at_home = {0: 'A2 A3 A4 A5 D4', 1: 'A1 F5 F4 F3 F2'}
    assert 'a2:0 A2-B3' in names(position(at_home))


# ---- rule 3: the end ---------------------------------------------------------------------------------------


def test_rule_3_a_runner_ends_on_a_free_stop() -> None:
    assert position({0: WEST, 1: EAST}).after('a2:0 A2-B3').to_json()['runners'] == {
        'B3': 0,
        'A1': 0,
        'A3': 0,
        'A4': 0,
        'A5': 0,
        **dict.fromkeys(EAST.split(), 1),
    }


def test_rule_3_an_occupied_stop_is_no_end_whoever_stands_there() -> None:
    assert names(position({0: WEST, 1: 'F6 F5 F4 F3 B3'})) == {'pass'}
    assert not {name for name in names(position({0: 'A1 A2 A3 A5 B3', 1: EAST})) if name.endswith('-B3')}


def test_rule_3_a_loop_back_to_the_own_stop_is_legal() -> None:
    # from B2 over a2 (SE to E) and b2 (W to SW) back to B2, or the other way round
    start = position({0: 'A1 A2 A3 A5 B2', 1: EAST}, tiles={'b2': (18, 1)}, top=[16])
    assert {name for name in names(start) if name.endswith('B2-B2')} == {
        'a2:1 B2-B2',
        'a2:4 B2-B2',
        'a2:6 B2-B2',
    }
    after = start.after('a2:1 B2-B2')
    assert after.to_json()['runners']['B2'] == 0
    assert after.to_move == 1


def test_rule_3_no_home_circle_is_entered_again() -> None:
    # over a2 in rotation 1 a runner on B2 would come to A1
    assert names(position({0: 'A2 A3 A4 A5 B2', 1: EAST}, top=[18])) == {'pass'}
    assert 'a2:1 B2-A1' in names(position({0: 'A2 A3 A4 A5 C3', 1: 'F6 F5 F4 F3 B2'}, to_move=1, top=[18]))


@pytest.mark.parametrize(('seat', 'legal'), [(0, False), (1, False), (2, True), (3, False)])
def test_rule_3_only_circles_of_the_own_goal_are_entered(seat: int, legal: bool) -> None:
    posts = ['A2 A4 A5 C4', 'A6 B6 D6 C5', 'F6 F5 F3 C2', 'F1 E1 C1 D4']
    posts[seat] = posts[seat][:-2] + 'B2'
    start = position(dict(enumerate(posts)), players=4, to_move=seat, top=[18])
    assert ('a2:1 B2-A1' in names(start)) == legal


@pytest.mark.parametrize(('seat', 'legal'), [(0, False), (1, False), (2, True), (3, False)])
def test_rule_3_the_middle_circle_left_empty_by_four_players_is_entered_as_a_goal_only(
    seat: int, legal: bool
) -> None:
    posts = ['A2 A4 A5 C4', 'A6 B6 D6 C5', 'F6 F5 F3 C2', 'F1 E1 C1 D4']
    posts[seat] = posts[seat][:-2] + 'B2'
    start = position(dict(enumerate(posts)), players=4, to_move=seat, top=[3])  # a2 from SE to W
    assert ('a2:0 B2-A3' in names(start)) == legal


@pytest.mark.parametrize(
    ('players', 'seat', 'legal'), [(2, 0, False), (2, 1, False), (3, 0, False), (3, 1, True), (3, 2, False)]
)
def test_rule_3_circles_of_an_unused_side_are_entered_as_a_goal_only(
    players: int, seat: int, legal: bool
) -> None:
    posts = [WEST, EAST] if players == 2 else [WEST, 'A6 B6 C6 D6 E6', EAST]
    posts[seat] = posts[seat][:-2] + 'D2'
    start = position(dict(enumerate(posts)), players=players, to_move=seat, top=[3])  # c1 from NE to S
    assert ('c1:0 D2-C1' in names(start)) == legal


def test_rule_3_an_occupied_goal_circle_is_no_end() -> None:
    runners = {0: 'A1 A2 A3 D4 D3', 1: 'F6 F5 F4 F3 B2'}
    assert not {name for name in names(position(runners, to_move=1, top=[18])) if name.startswith('a2')}


# ---- rule 4: leaving home ----------------------------------------------------------------------------------

FULL = {0: 'A1 A2 A3 A5 B3', 1: 'A4 F5 F4 F3 F2'}


def test_rule_4_who_has_five_occupied_home_circles_leaves_one() -> None:
    assert names(position(FULL, top=[11])) == {'a2:0 A2-B2', 'a2:3 A2-B2', 'a3:0 A5-B4', 'a3:3 A5-B4'}


def test_rule_4_counts_circles_occupied_by_anybody() -> None:
    elsewhere = {0: FULL[0], 1: 'C5 F5 F4 F3 F2'}  # as above, but A4 is free
    found = names(position(elsewhere, top=[11]))
    assert names(position(FULL, top=[11])) < found
    assert {'a2:1 B3-B2', 'b3:0 B3-C3'} <= found


def test_rule_4_holds_for_the_runner_after_the_tile_is_laid() -> None:
    # tile 11 on a3 in rotation 0 leads A5 to B4, and B3 over a2 to B2
    tiles = {'a2': (1, 0)}
    free = position({0: FULL[0], 1: 'C5 F5 F4 F3 F2'}, tiles=tiles, top=[11])
    assert free.after('a3:0').legal() == ['B3-B2', 'A5-B4']
    assert position(FULL, tiles=tiles, top=[11]).after('a3:0').legal() == ['A5-B4']


def test_rule_4_is_lifted_if_no_placement_lets_a_runner_leave_home() -> None:
    # over tile 1 A2 and A5 would both come to B3, where a runner stands; the others come to spaces without a
    # tile
    start = position({0: 'A1 A2 A3 A5 C2', 1: 'A4 B3 F6 F5 F4'})
    assert names(start) == {'c2:0 C2-D3'}
    assert start.after('c2:0').legal() == ['C2-D3']


def test_rule_4_does_not_hold_while_a_home_circle_is_free() -> None:
    four = {0: 'A2 A4 A5 B3', 1: 'A6 B6 D6 E6', 2: 'F6 F5 F3 F2', 3: 'F1 E1 C1 B1'}
    assert {'b3:0 B3-C4', 'b2:0 B3-C2'} <= names(position(four, players=4))


# ---- rule 5: passing ---------------------------------------------------------------------------------------


def test_rule_5_who_has_no_legal_move_passes_and_the_tile_stays_on_top() -> None:
    start = position({0: WEST, 1: 'F6 F5 F4 F3 B3'})
    before = start.to_json()
    assert start.legal() == ['pass']
    after = start.after('pass').to_json()
    assert after == {**before, 'to_move': 1, 'turn': 1, 'passes': 1}


def test_rule_5_there_is_no_voluntary_pass() -> None:
    start = position({0: WEST, 1: EAST})
    refused(start, 'pass')
    refused(start.after('a2:0'), 'pass')


def test_rule_5_a_tile_is_not_laid_without_a_move() -> None:
    start = position({0: WEST, 1: EAST})
    for space in SPACES:
        if space not in ('a2', 'a3'):
            refused(start, f'{space}:0')
    laid = start.after('a2:0')
    assert laid.to_move == 0
    refused(laid, 'a3:0')


# ---- rule 6: the covered tile ------------------------------------------------------------------------------


def test_rule_6_a_covered_tile_goes_to_the_bottom_of_the_stack() -> None:
    start = position({0: WEST, 1: EAST}, tiles={'a2': (18, 0), 'e4': (16, 3)}, top=[1, 2])
    stack = start.to_json()['stack']
    assert play_on(start, 'a2:0 A2-B3').to_json()['stack'] == [*stack[1:], 18]
    second = next(name for name in start.turns() if name.startswith('e4'))
    assert start.after(second).to_json()['stack'] == [*stack[2:], 18, 16]


def test_rule_6_it_goes_there_only_when_the_runner_has_moved() -> None:
    start = position({0: WEST, 1: EAST}, tiles={'a2': (18, 0)})
    data = start.to_json()
    laid = start.after('a2:0')
    assert laid.to_json() == {**data, 'laid': {'a2': 0}}
    assert laid.state.turn == 0


def test_rule_6_a_tile_on_an_empty_space_shortens_the_stack() -> None:
    start = position({0: WEST, 1: EAST})
    stack = start.to_json()['stack']
    assert start.after('a2:0 A2-B3').to_json()['stack'] == stack[1:]


# ---- what is one move --------------------------------------------------------------------------------------


@pytest.mark.parametrize('tile', range(1, 19))
def test_rotations_that_give_the_same_pattern_are_one_move(tile: int) -> None:
    start = position(
        {0: WEST, 1: EAST},
        tiles={'a2': (9 if tile == 1 else 1, 0), 'b2': (17 if tile < 17 else 16, 0)},
        top=[tile],
    )
    used = {int(name.split()[0][3:]) for name in start.turns()}
    assert used <= set(ROTATIONS[tile])
    for name in start.turns()[:3]:
        space, rotation = name.split()[0].split(':')
        for equal in range(8):
            if canonical(tile, equal) == int(rotation):
                again = start.copy().after(f'{space}:{equal} {name.split()[1]}')
                assert again.to_json() == start.copy().after(name).to_json()
                assert again.to_json()['tiles'][space] == [tile, int(rotation)]


def test_a_tile_read_from_json_has_the_smallest_rotation_of_its_pattern() -> None:
    tiles = dict(zip(SPACES, ((tile, 7) for tile in range(1, 18)), strict=True))
    read = position({0: WEST, 1: EAST}, tiles=tiles, top=[18]).to_json()['tiles']
    assert read == {space: [tile, canonical(tile, 7)] for space, (tile, _) in tiles.items()}


def test_two_exits_that_reach_the_same_end_are_one_move() -> None:
    # with tile 4 on b2 in rotation 3 both exits of B2, by a2 and by b2, lead to C3
    start = position({0: 'A1 A2 A3 A5 B2', 1: EAST}, tiles={'a2': (17, 4), 'b3': (10, 6)}, top=[4])
    game = Game.read(start.to_json())
    ways = Counter(str(turn) for turn in game.allowed())
    assert ways['b2:3 B2-C3'] == 2
    assert start.turns().count('b2:3 B2-C3') == 1
    laid = start.after('b2:3').legal()
    assert laid.count('B2-C3') == 1
    assert len(set(laid)) == len(laid)


# ---- the end -----------------------------------------------------------------------------------------------

# over tile 1 on e3 from E4 to F2
LAST = {0: 'F6 F5 F4 F3 E4', 1: 'A1 A2 A3 D4 B2'}


def test_the_first_player_with_all_runners_home_wins_at_once() -> None:
    start = position(LAST)
    assert not start.over
    won = start.after('e3:0 E4-F2')
    assert won.ending == 'home'
    assert won.outcome() == [1, 0]
    assert won.scores() == [5, 3]
    assert not won.turns()
    assert not won.legal()
    assert not won.actions()
    with pytest.raises(GameError, match='over'):
        won.play('pass')


def test_four_of_five_runners_home_do_not_win() -> None:
    start = position({0: 'F6 F5 F4 E4 B4', 1: LAST[1]}).after('e3:0 E4-F2')
    assert not start.over
    assert start.outcome() == [0, 0]
    assert start.scores() == [4, 3]


def test_with_four_players_four_runners_home_win() -> None:
    runners = {0: 'F6 F5 F4 E4', 1: 'A6 B6 C3 D6', 2: 'A1 A2 A3 D4', 3: 'F1 E1 C1 C4'}
    won = position(runners, players=4).after('e3:0 E4-F2')
    assert won.ending == 'home'
    assert won.outcome() == [1, 0, 0, 0]
    assert won.scores() == [4, 0, 3, 0]


def test_any_seat_may_win() -> None:
    won = position({0: 'C2 B3 C3 D3 E3', 1: 'A2 B2 A3 A4 A5'}, to_move=1, top=[18]).after('a2:1 B2-A1')
    assert won.ending == 'home'
    assert won.outcome() == [0, 1]


# over tile 1 the circles beside the corners
STUCK = {
    2: {0: 'A1 F5 F4 F3 F2', 1: 'F6 A2 A3 A4 A5'},
    # lead straight to the next space
    3: {0: 'A1 F5 F4 F3 F2', 1: 'A6 E1 D1 C1 B1', 2: 'F6 A2 A3 A4 A5'},
    4: {0: 'A1 F5 F4 F3', 1: 'A6 E1 D1 C1', 2: 'F6 A2 A3 A4', 3: 'F1 B6 C6 D6'},
}


@pytest.mark.parametrize('players', [2, 3, 4])
def test_a_full_round_of_passes_is_a_draw(players: int) -> None:
    start = position(STUCK[players], players=players)
    for seat in range(players):
        assert not start.over
        assert start.to_move == seat
        assert start.legal() == ['pass']
        start.play('pass')
    assert start.ending == 'blocked'
    assert start.outcome() == [1 / players] * players


@pytest.mark.parametrize('players', [2, 3, 4])
def test_a_full_round_may_begin_with_any_seat(players: int) -> None:
    start = position(STUCK[players], players=players, to_move=players - 1, passes=players - 1)
    assert start.after('pass').ending == 'blocked'


def test_a_turn_between_passes_starts_the_round_anew() -> None:
    start = position({0: 'A1 F5 F4 F3 F2', 1: 'F6 A2 A3 A4 C3'}, to_move=1, passes=1)
    after = start.after(start.turns()[0]).to_json()
    assert 'passes' not in after


# ---- the option: third repetition --------------------------------------------------------------------------

CYCLE = ('b4:5 C4-C4', 'b4:2 B4-B4')


def full_board(**more: Any) -> Position:
    """A full board on which two loops lead back to the same position; the stack is the one tile in hand."""
    tiles = {
        'a2': (11, 1),
        'a3': (4, 1),
        'b2': (8, 2),
        'b3': (14, 2),
        'b4': (16, 2),
        'b5': (1, 0),
        'c1': (15, 6),
        'c2': (12, 7),
        'c3': (9, 5),
        'c4': (5, 1),
        'c5': (2, 2),
        'd1': (6, 5),
        'd2': (18, 1),
        'd3': (17, 1),
        'd4': (10, 7),
        'e3': (3, 0),
        'e4': (7, 6),
    }
    return position({0: 'C5 D2 C4 E3 B5', 1: 'D5 C3 D4 E5 B4'}, tiles=tiles, top=[13], **more)


def cycle(position: Position, times: int = 1) -> Position:
    for name in CYCLE * times:
        position.play(name)
    return position


def test_without_the_option_positions_may_come_back_for_ever() -> None:
    start = full_board()
    assert not cycle(start, 5).over
    assert 'history' not in start.to_json()


def test_the_third_occurrence_of_a_position_is_a_draw_if_so_chosen() -> None:
    start = cycle(full_board(options={'repetition': True}))
    assert not start.over
    start.play(CYCLE[0])
    # the second occurrence of what the first turn made
    assert not start.over
    start.play(CYCLE[1])
    assert start.ending == 'repetition'
    assert start.outcome() == [0.5, 0.5]


def test_a_position_in_the_middle_of_a_turn_does_not_count() -> None:
    start = full_board(options={'repetition': True})
    before = start.to_json().get('history')
    assert start.after('b4:5').to_json().get('history') == before


def test_any_position_counts_whoever_is_to_move() -> None:
    start = full_board(options={'repetition': True}).after(CYCLE[0])
    again = read_position({key: value for key, value in start.to_json().items() if key != 'history'})
    for name in (CYCLE[1], *CYCLE):
        assert not play_on(again, name).over
    assert again.after(CYCLE[0]).ending == 'repetition'


def test_repetition_is_found_in_a_position_written_and_read_in_between() -> None:
    start = cycle(full_board(options={'repetition': True}))
    assert len(start.to_json()['history']) == 3
    assert cycle(read_position(start.to_json())).ending == 'repetition'


def test_repetition_does_not_ask_which_of_the_own_runners_stands_where() -> None:
    start = cycle(full_board(options={'repetition': True}))
    start.state.runner[0, :2] = start.state.runner[0, 1::-1].copy()
    assert cycle(start).ending == 'repetition'


def test_repetition_asks_who_is_to_move_and_how_tiles_lie() -> None:
    start = full_board(options={'repetition': True})
    data, seen = start.to_json(), set()
    variants = [
        data,
        {**data, 'to_move': 1},
        {**data, 'tiles': {**data['tiles'], 'a3': [4, 2]}},
        {**data, 'runners': {**data['runners'], 'C5': 1, 'D5': 0}},
    ]
    swapped = {**data['tiles'], 'a3': [13, 1]}
    variants.append({**data, 'tiles': swapped, 'stack': [4]})
    for variant in variants:
        after = read_position(variant)
        seen.add(int(after.state.past[0]))
    assert len(seen) == len(variants)


@pytest.mark.parametrize('known', [0, 2])
def test_repetition_asks_for_the_order_of_the_tiles_under_the_top_as_far_as_it_is_known(known: int) -> None:
    tiles = lay('a2 a3 b2 b3 b4 b5 c1 c2 c3 c4 c5 d1 d2 d3 d4')
    runners = {0: 'B3 B4 B5 C2 C3', 1: 'E3 E4 D3 D4 D5'}
    starts = [
        position(runners, tiles=tiles, top=[1, *under], known=known, options={'repetition': True})
        for under in ((17, 18), (18, 17))
    ]
    assert len({int(start.state.past[0]) for start in starts}) == (2 if known else 1)


@pytest.mark.parametrize(
    ('what', 'start', 'turn'),
    [
        ('an empty space is filled', position({0: 'B3 A2 A3 A4 A5', 1: EAST}, known=17), 'b3:0 B3-C4'),
        (
            'a runner leaves home',
            position({0: 'A1 A2 A3 A4 B4', 1: EAST}, tiles={'a2': (18, 0)}, known=16),
            'a2:0 A2-B3',
        ),
        (
            'a runner arrives',
            position({0: 'F6 F5 F4 B4 E4', 1: 'A1 A2 A3 D4 B2'}, tiles={'e3': (18, 0)}, known=16),
            'e3:0 E4-F2',
        ),
        (
            'a tile is first seen',
            position({0: 'B3 A2 A3 A4 A5', 1: EAST}, tiles={'b3': (18, 0)}),
            'b3:0 B3-C4',
        ),
    ],
)
def test_what_cannot_be_undone_clears_the_memory_of_positions(what: str, start: Position, turn: str) -> None:
    data = {**start.to_json(), 'options': {'repetition': True}, 'history': ['1', '2', '3']}
    after = read_position(data).after(turn)
    assert 'history' not in after.to_json(), what
    assert after.state.n_past == 1


@pytest.mark.parametrize(
    'start',
    [
        # all of the stack is known, b3:0 B3-C4
        position({0: 'B3 A2 A3 A4 A5', 1: EAST}, tiles={'b3': (18, 0)}, known=16),
        position(STUCK[3], players=3),  # a pass
    ],
)
def test_what_can_be_undone_is_remembered(start: Position) -> None:
    data = {**start.to_json(), 'options': {'repetition': True}, 'history': ['1', '2', '3']}
    after = read_position(data)
    after.play('pass' if after.legal() == ['pass'] else 'b3:0 B3-C4')
    assert after.to_json()['history'][:3] == ['1', '2', '3']
    assert len(after.to_json()['history']) == 4


def test_the_memory_keeps_the_last_positions_only() -> None:
    start = full_board(options={'repetition': True})
    memory = len(start.state.past)
    chooser, long = random.Random(4), [f'{n:x}' for n in range(1, memory + 1)]
    start = read_position({**start.to_json(), 'history': long})
    played = 0
    while played < 5:
        start.play(
            chooser.choice(
                [name for name in start.turns() if not set(name.split()[1].split('-')) & ALL_CIRCLES]
            )
        )
        played += 1
        history = start.to_json()['history']
        assert history[: memory - played] == long[played:]
        assert len(history) == memory
        assert read_position(start.to_json()).to_json() == start.to_json()
