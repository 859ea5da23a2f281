"""Every worked example of the rulebook, its numbers as data in examples.json; and what the rulebook
counts."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.game import Position
from tests.myraclia.model import CUBES, TABLE, TILES
from tests.myraclia.support import (
    ORDINARY,
    drafting,
    flower,
    json_of,
    last_turn,
    names,
    quiet_tiles,
    some_tile,
    turn,
)

EXAMPLES: dict[str, dict[str, Any]] = {
    example['name']: example
    for example in json.loads((Path(__file__).parent / 'examples.json').read_text('utf-8'))
}
TRIANGLE, STAR, SUN = range(3)
SEATS = {'triangle': TRIANGLE, 'star': STAR, 'sun': SUN}


def cubes_of(position: Position, seat: int) -> dict[str, int]:
    """A seat's reserve."""
    return dict(json_of(position, 'cubes', [{}] * 5)[seat])


# ---- what is in the box ------------------------------------------------------------------------------------


def test_the_components_that_are_known() -> None:
    assert CUBES == {'green': 21, 'yellow': 19, 'orange': 17, 'red': 15, 'blue': 13, 'black': 9, 'white': 9}
    assert len(ORDINARY) == 56
    assert len(TABLE['tokens']) == 16
    assert TABLE['darkness'] == 3
    assert TILES['K01'].surfaces == ('plains', 'forests')
    assert set(TABLE['surfaces']) == {'plains', 'forests', 'water', 'mountains'}
    assert {token['kind'] for token in TABLE['tokens']} == {'points', 'released', 'free', 'surface'}


def test_the_tiles_that_are_known() -> None:
    p04, f07, w05 = TILES['P04'], TILES['F07'], TILES['W05']
    assert (p04.surfaces, set(p04.required), p04.points, p04.released) == (
        ('plains',),
        {'green', 'yellow', 'black'},
        3,
        None,
    )
    assert (f07.surfaces, set(f07.required), f07.points, f07.released) == (
        ('forests',),
        {'yellow', 'red', 'blue'},
        1,
        'yellow',
    )
    assert (w05.surfaces, set(w05.required)) == (('water',), {'green', 'yellow', 'blue'})


@pytest.mark.parametrize(
    ('players', 'tiles', 'disks', 'end', 'first', 'later'),
    [(2, 8, 9, 8, 10, 10), (3, 9, 9, 8, 15, 15), (4, 11, 8, 7, 20, 20), (5, 12, 8, 7, 20, 25)],
)
def test_the_numbers_for_so_many_players(
    players: int, tiles: int, disks: int, end: int, first: int, later: int
) -> None:
    assert TABLE['players'][str(players)] == {
        'start_tiles': tiles,
        'disks': disks,
        'end_tiles': end,
        'draft_first': first,
        'draft': later,
    }
    position = ludoteca.new('myraclia', players, 1)
    assert len(json_of(position, 'surface')) == tiles
    assert sum(tile is not None for tile in json_of(position, 'display')) == 3
    assert sum(json_of(position, 'board').values()) == first


# ---- the draft ---------------------------------------------------------------------------------------------


def test_the_drafting_board_of_the_example() -> None:
    example = EXAMPLES['draft board layout']
    assert json_of(drafting(example['given'], players=3), 'columns') == example['columns_left_to_right']


def test_the_disks_of_the_example() -> None:
    """Triangle and Star take green, Sun blue; then Triangle's disk goes to orange and Star's moves up, the
    others' stay."""
    example = EXAMPLES['draft disks']
    position = drafting(EXAMPLES['draft board layout']['given'], players=3)
    columns = json_of(position, 'columns')
    at = {colour: 8 - len(columns) + columns.index(colour) for colour in columns}
    takes = [take.split() for take in example['takes']]
    for k, (player, colour) in enumerate(takes):
        assert position.to_move == SEATS[player]
        position.play(f'draft {colour}')
        if k == 2:
            assert json_of(position, 'disks') == [
                [TRIANGLE, at['green']],
                [STAR, at['green']],
                [SUN, at['blue']],
            ]
    disks = {
        column: [seat for seat, there in json_of(position, 'disks') if there == column]
        for column in at.values()
    }
    assert {colour: disks[at[colour]] for colour in at if disks[at[colour]]} == {
        colour: [SEATS[player] for player in players] for colour, players in example['columns'].items()
    }
    assert cubes_of(position, TRIANGLE) == {'green': 1, 'orange': 1}
    assert cubes_of(position, STAR) == {'green': 2}
    position.play('pass pass pass')
    assert json_of(position, 'order') == [SEATS[player] for player in example['terraforming_order']]
    position.play('end turn end turn end turn')
    assert json_of(position, 'order') == [SEATS[player] for player in example['next_drafting_order']]


# ---- terraforming ------------------------------------------------------------------------------------------


def test_the_two_terraformations_of_the_example() -> None:
    """Sun Rays (0) terraforms plains beside one tile of each; then forests beside two of its own and two of
    the opponent's."""
    first, second = EXAMPLES['terraform 1'], EXAMPLES['terraform 2']
    tiles = flower('F07', 'P04')  # forests in the middle, plains at 1,0
    position = turn(
        tiles, 'black yellow green blue red yellow', owners={(1, -1): 0, (0, 1): 1, (-1, 0): 1}, scores=[0, 0]
    )
    position.play('terraform 1,0 pay green pay yellow pay black')
    assert json_of(position, 'scores') == [first['gain'], first['opponent_gain']]
    assert json_of(position, 'pool') == {'yellow': 1, 'red': 1, 'blue': 1}
    position.play('terraform 0,0 pay yellow pay red pay blue')
    assert json_of(position, 'scores') == [
        first['gain'] + second['gain'],
        first['opponent_gain'] + second['opponent_gain'],
    ]
    assert json_of(position, 'pool') == {second['released']: 1}
    assert json_of(position, 'budget') == 1


def test_the_reservation_of_the_example() -> None:
    """Yellow and green of three cubes, one point; a single cube would do, at two points."""
    example = EXAMPLES['reservation']
    position = turn(flower(example['tile']), 'green yellow', owners={(1, 0): 1}, scores=[5, 0])
    one = position.copy().after('reserve 0,0 put yellow done')
    assert json_of(one, 'scores')[0] == 5 - example['penalty'] - 1
    puts = ' '.join(f'put {colour}' for colour in example['placed'])
    position.play(f'reserve 0,0 {puts} done')
    assert json_of(position, 'scores')[0] == 5 - example['penalty']
    reserved = next(entry for entry in json_of(position, 'surface') if entry['tile'] == example['tile'])
    assert reserved['reserved'] == 0
    assert set(reserved['cubes']) == set(example['placed'])


def test_the_tiles_to_add_of_the_example() -> None:
    """Terraforming a free tile, terraforming a reserved one and a new reservation: two tiles."""
    example = EXAMPLES['tiles to add']
    tiles = flower('P04', 'W05', 'F07')
    position = turn(
        tiles,
        'green yellow black green blue red',
        owners={(0, 1): 1},
        reserved={(1, 0): 0},
        cubes_on={(1, 0): 'yellow'},
        scores=[9, 0],
    )
    position.play(
        'terraform 0,0 pay green pay yellow pay black terraform 1,0 pay green pay blue reserve -1,0 put red done'  # noqa: E501
    )
    assert json_of(position, 'actions') == len(example['actions']) == 3
    assert {name.split()[0] for name in position.legal()} <= {'add', 'end'}, 'no more actions'
    position.play('end turn')
    assert json_of(position, 'add') == example['added']
    for left in (1, 0):
        position.play(position.legal()[0])
        assert json_of(position, 'add', 0) == left
    assert position.to_move == 1


def test_the_free_tiles_are_as_many_as_at_the_start_before_every_turn() -> None:
    """The note on how to verify the number of tiles to be added: in the example above, from eight to
    eight."""
    tiles = flower('P04', 'W05', 'F07') | dict(
        zip([(1, 1), (2, -1), (-1, 2)], islice(quiet_tiles(), 20, 23), strict=True)
    )
    position = turn(
        tiles,
        'green yellow black green blue red',
        owners={(0, 1): 1},
        reserved={(1, 0): 0},
        cubes_on={(1, 0): 'yellow'},
        scores=[9, 0],
    )

    def free() -> int:
        return sum(not entry.keys() & {'owner', 'reserved'} for entry in json_of(position, 'surface'))

    assert free() == 8
    position.play(
        'terraform 0,0 pay green pay yellow pay black terraform 1,0 pay green pay blue reserve -1,0 put red done'  # noqa: E501
    )
    position.play('end turn')
    while json_of(position, 'phase') == 'place':
        position.play(position.legal()[0])
    assert free() == 8


def test_the_free_elements_of_the_example() -> None:
    """One player gets blue, green and white, another yellow, at the end of the round."""
    tiles = [
        next(name for name in ORDINARY if TILES[name].released == colour)
        for colour in ('blue', 'green', 'white', 'yellow')
    ]
    position = last_turn(flower(*tiles), owners={(0, 0): 0, (1, 0): 0, (-1, 0): 0, (0, 1): 1}).after(
        'end turn'
    )
    assert cubes_of(position, 0) == {'green': 1, 'blue': 1, 'white': 1}
    assert cubes_of(position, 1) == {'yellow': 1}


def test_the_areas_of_the_example() -> None:
    """The largest area of four tiles gives six points, the next three, the smallest none."""
    example = EXAMPLES['area']
    surface = TABLE['surface_table']
    plains = [name for name in ORDINARY if TILES[name].surfaces == ('plains',)]
    tiles = {(q, 0): tile for q, tile in enumerate(plains[:7])}
    assert example['largest'][0] == 4
    owners = dict.fromkeys([(q, 0) for q in range(4)], 0) | {(4, 0): 1, (5, 0): 1, (6, 0): 2}
    position = last_turn(tiles, players=3, owners=owners, round=40).after('end turn')
    assert position.scores() == [
        points + surface[n] for points, n in zip(example['points'], (4, 2, 1), strict=True)
    ]


# ---- wild cards --------------------------------------------------------------------------------------------


def test_the_hand_rule_of_the_questions() -> None:
    """Three blue for a blue, or five with three of a kind, are too many; three of a kind are allowed although
    the cube is there."""
    example = EXAMPLES['hand rule']
    tile = some_tile(lambda tile: tile.required == ('red', 'blue'))
    blue = turn(flower(tile), ' '.join(['red', *example['illegal'][0][:3]]), owners={(1, 0): 1}).after(
        'terraform 0,0 pay red'
    )
    assert blue.legal() == ['pay blue']
    five = turn(flower(tile), 'red green green green yellow orange', owners={(1, 0): 1}).after(
        'terraform 0,0 pay red'
    )
    assert five.legal() == ['pay blue with 3 green']
    reserve = turn(flower(tile), 'red blue green green green', owners={(1, 0): 1}).after(
        'terraform 0,0 pay red'
    )
    assert 'pay blue with 3 green' in reserve.legal()
    reserve.play('pay blue with 3 green')
    assert json_of(reserve, 'pool') == {'blue': 1}


def test_any_five_are_five_of_any_colours() -> None:
    tile = some_tile(lambda tile: tile.required == ('red', 'blue'))
    position = turn(flower(tile), 'red green yellow orange black white', owners={(1, 0): 1})
    position.play(
        'terraform 0,0 pay red pay blue with any five use green use yellow use orange use black use white'
    )
    assert 'pool' not in position.to_json()
    assert Counter(json_of(position, 'discard')) == Counter(
        ['red', 'green', 'yellow', 'orange', 'black', 'white']
    )


def test_nobody_reserves_without_points() -> None:
    assert '0 cannot reserve' in EXAMPLES['completing with too few points']['note']
    position = turn(flower('P04'), 'green yellow', owners={(1, 0): 1}, scores=[0, 5])
    assert not names(position, 'reserve')
    one = turn(flower('P04'), 'green yellow', owners={(1, 0): 1}, scores=[1, 5])
    assert json_of(one.after('reserve 0,0 put green put yellow done'), 'scores') == [0, 5], (
        'they can go down to zero'
    )


def test_all_examples_are_used() -> None:
    assert set(EXAMPLES) == {
        'draft board layout',
        'draft disks',
        'terraform 1',
        'terraform 2',
        'reservation',
        'tiles to add',
        'area',
        'hand rule',
        'completing with too few points',
    }
