"""The settled readings of Myraclia's rules, D1 ... H2: each is a test."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import ludoteca
from ludoteca.game import GameError, Position, View
from ludoteca.games.myraclia import rules as R
from ludoteca.kernel import compiled, reseed
from tests.myraclia.model import COLOURS, CUBES, DARK, TABLE, TILES, TOKENS, Game, beside, payments
from tests.myraclia.support import (
    MYRACLIA,
    ORDINARY,
    bag,
    described,
    discarded,
    drafting,
    flower,
    json_of,
    last_turn,
    names,
    quiet_tiles,
    read_position,
    some_tile,
    tile_bag,
    turn,
)
from tests.playing import play_on

ROUND = {2: 10, 3: 15, 4: 20, 5: 25}
MANY = 40 if compiled else 4


def own(position: Position, seat: int = 0) -> Counter[str]:
    """The cubes of a seat's reserve."""
    return Counter(json_of(position, 'cubes', [{}] * 5)[seat])


def entry(position: Position, tile: str) -> dict[str, Any]:
    """What the position says of a tile on the surface."""
    return next(entry for entry in json_of(position, 'surface') if entry['tile'] == tile)


def shaken(position: Position, seed: int) -> Position:
    """The same position with another future."""
    other = position.copy()
    reseed(other.state, seed)
    return other


def passed(position: Position, *seats: int) -> Position:
    """Everybody passes."""
    return play_on(position, ' '.join(['pass'] * (len(seats) or int(position.state.players))))


# ---- D: the draft ------------------------------------------------------------------------------------------


def test_d1_seven_columns_filled_from_the_right() -> None:
    assert json_of(drafting({'green': 3, 'red': 1, 'white': 2}), 'columns') == ['red', 'white', 'green']
    assert json_of(drafting(dict.fromkeys(COLOURS, 2), players=3), 'columns') == list(reversed(COLOURS))
    position = drafting({'green': 3, 'red': 1, 'white': 2}).after('draft green draft red')
    assert json_of(position, 'disks') == [[0, 7], [1, 5]]


def test_d2_a_column_holds_any_number_of_disks() -> None:
    position = drafting({'green': 6, 'red': 1}, players=5).after(' '.join(['draft green'] * 5))
    assert json_of(position, 'disks') == [[seat, 7] for seat in range(5)]
    assert json_of(passed(position), 'order') == [4, 3, 2, 1, 0]


def test_d3_a_disk_that_leaves_its_column_lets_the_later_ones_move_up() -> None:
    position = drafting({'green': 6, 'red': 2}, players=3).after(
        'draft green draft green draft green draft red'
    )
    assert json_of(position, 'disks') == [[1, 7], [2, 7], [0, 6]]
    assert json_of(position.after('pass pass pass'), 'order') == [2, 1, 0]


def test_d4_a_group_taken_up_keeps_its_column() -> None:
    position = drafting({'green': 3, 'red': 1, 'blue': 1}).after('draft red draft green')
    assert json_of(position, 'columns') == ['blue', 'red', 'green']
    assert json_of(position.copy().after('draft green'), 'disks') == [[0, 6], [1, 7]], (
        'red is still to the left of green'
    )
    assert json_of(position.copy().after('draft blue'), 'disks') == [[1, 7], [0, 5]]
    assert 'draft red' not in position.legal()


def test_d5_a_pass_is_final_and_the_others_go_on_in_their_order() -> None:
    position = drafting({'green': 6, 'red': 4}, players=3, order=[2, 0, 1], to_move=2)
    movers = []
    for name in (
        'draft green',
        'pass',
        'draft red',
        'draft green',
        'pass',
        'draft green',
        'draft red',
        'draft green',
    ):
        movers.append(position.to_move)
        position.play(name)
    assert movers == [2, 0, 1, 2, 1, 2, 2, 2]
    assert position.to_move == 2, 'the last one may go on alone'
    position.play('draft green draft green draft red draft red')
    assert json_of(position, 'phase') == 'turn', 'until nothing is left'


def test_d6_the_terraforming_order_is_the_reverse_of_the_disks_from_left_to_right() -> None:
    position = drafting({'green': 4, 'red': 2, 'white': 1}, players=4).after(
        'draft green draft red draft green draft white'
    )
    assert json_of(passed(position), 'order') == [2, 0, 1, 3]
    assert position.to_move == 2


def test_d7_the_next_drafting_order_is_the_terraforming_order_turned_round() -> None:
    position = drafting({'green': 4, 'red': 2, 'white': 1}, players=4).after(
        'draft green draft red draft green draft white'
    )
    passed(position).play(' '.join(['end turn'] * 4))
    assert json_of(position, 'round') == 2
    assert json_of(position, 'order') == [3, 1, 0, 2]
    assert position.to_move == 3


def test_d8_whoever_took_nothing_terraforms_first_the_later_to_pass_before_the_earlier() -> None:
    position = drafting({'green': 4, 'red': 2}, players=4).after('pass draft green pass draft red')
    assert json_of(position, 'disks') == [[0, 'aside'], [1, 7], [2, 'aside'], [3, 6]]
    assert json_of(position.after('pass pass'), 'order') == [2, 0, 1, 3]


@pytest.mark.parametrize('cubes', [2, 3])
def test_d9_the_rarest_cubes_begin_last_and_equal_ones_in_the_order_of_seats(cubes: int) -> None:
    ties = 0
    for seed in range(8 * MANY):
        position = ludoteca.new('myraclia', 4, seed, {'cubes': cubes})
        held = [sorted(map(COLOURS.index, own(position, seat).elements()), reverse=True) for seat in range(4)]
        assert json_of(position, 'order') == sorted(range(4), key=lambda seat: (held[seat], seat))
        assert position.to_move == json_of(position, 'order')[0]
        ties += len({tuple(cubes) for cubes in held}) < 4
    assert ties > 2 or not compiled


@pytest.mark.parametrize('cubes', [2, 3])
def test_d10_everybody_starts_with_two_cubes_or_with_three(cubes: int) -> None:
    position = ludoteca.new('myraclia', 3, 1, {'cubes': cubes})
    assert [own(position, seat).total() for seat in range(3)] == [cubes] * 3
    assert ludoteca.new('myraclia', 3, 1).to_json() == ludoteca.new('myraclia', 3, 1, {'cubes': 2}).to_json()


@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_d11_five_cubes_a_player_are_drawn_but_only_twenty_in_the_first_round_of_five(players: int) -> None:
    position = ludoteca.new('myraclia', players, 1)
    assert sum(json_of(position, 'board').values()) == min(20, 5 * players)
    for number in (2, 3):
        passed(position).play(' '.join(['end turn'] * players))
        assert json_of(position, 'round') == number
        assert sum(json_of(position, 'board').values()) == 5 * players


def test_d12_everybody_may_pass_at_once() -> None:
    position = ludoteca.new('myraclia', 2, 1)
    assert 'pass' in position.legal()
    position.play('pass')
    assert 'pass' in position.legal()
    assert json_of(position.after('pass'), 'phase') == 'turn'


def test_d13_left_and_right_are_seen_from_the_disk() -> None:
    position = drafting({'green': 4, 'red': 3, 'white': 3}).after('draft red pass')
    position.play('draft green')
    assert json_of(position, 'disks') == [[0, 6], [1, 'aside']], 'green lies to the right'
    position.play('draft red')
    assert json_of(position, 'disks') == [[0, 6], [1, 'aside']], (
        'red lies left of green, but the disk is there'
    )
    position.play('draft white')
    assert json_of(position, 'disks') == [[1, 'aside'], [0, 5]]


def test_d14_cubes_left_on_the_board_are_discarded_before_the_first_turn() -> None:
    tiles = flower('F07')
    data = described(
        tiles,
        owners={(1, 0): 1},
        board={'yellow': 2, 'green': 1},
        cubes=[{'red': 1, 'blue': 1, 'white': 3}, {}],
        round=2,
        discard=discarded({}, {'yellow': 2, 'green': 1, 'red': 1, 'blue': 1, 'white': 3}),
    )
    data['discard'] = {colour: n for colour, n in data['discard'].items() if colour != 'yellow'}
    position = passed(read_position(data))
    assert 'board' not in position.to_json()
    assert json_of(position, 'discard')['yellow'] == 2
    assert json_of(position, 'discard')['green'] == CUBES['green']


# ---- E: bags -----------------------------------------------------------------------------------------------


def next_draft(in_bag: dict[str, int], **more: Any) -> Position:
    """The last turn of a round of two when these cubes are in the bag and all others are discarded."""
    return last_turn(flower(), discard=discarded(in_bag, {}), **more)


def test_e1_an_empty_bag_is_renewed_from_the_discard_pile_even_in_a_draw() -> None:
    for seed in range(MANY):
        drawn = shaken(next_draft({'white': 4}), seed).after('end turn')
        assert json_of(drawn, 'board')['white'] >= 4, 'all that was in the bag, then others'
        assert sum(json_of(drawn, 'board').values()) == 10
        assert 'discard' not in drawn.to_json()
        assert bag(drawn).total() == 93


def test_e1_the_bag_is_renewed_at_once_when_the_last_cube_leaves_it() -> None:
    position = next_draft({'white': 9, 'black': 1}).after('end turn')
    assert json_of(position, 'board') == {'black': 1, 'white': 9}
    assert 'discard' not in position.to_json()
    assert bag(position).total() == 93
    fetched = turn(
        flower('F07'),
        'blue red green green green',
        owners={(1, 0): 1},
        discard={'orange': 17},
        zone='',
        cubes=[
            {},
            {
                colour: n - 3 * (colour == 'green') - (colour in ('yellow', 'red', 'blue'))
                for colour, n in CUBES.items()
                if colour != 'orange'
            },
        ],
    )
    assert bag(fetched) == {'yellow': 1}
    fetched.play('terraform 0,0 pay yellow with 3 green pay red pay blue')
    assert 'yellow' in json_of(fetched, 'pool')
    assert 'discard' not in fetched.to_json()
    assert bag(fetched) == {'green': 3, 'orange': 17, 'red': 1, 'blue': 1}


def test_e1_with_an_empty_discard_pile_the_bag_waits_for_the_next_draw() -> None:
    held = {
        colour: n - (3 if colour == 'green' else colour in ('yellow', 'red', 'blue'))
        for colour, n in CUBES.items()
    }
    position = last_turn(
        flower('F07'), owners={(1, 0): 1}, cubes=[{}, held], pool={'green': 3, 'red': 1, 'blue': 1}, budget=5
    )
    assert bag(position) == {'yellow': 1}
    position.play('terraform 0,0 pay yellow with 3 green pay red pay blue')
    assert bag(position) == {'green': 3, 'red': 1, 'blue': 1}, (
        'the payment was discarded before the yellow cube left the bag'
    )
    empty = last_turn(
        flower(),
        cubes=[{}, {colour: n - 5 * (colour == 'green') for colour, n in CUBES.items()}],
        discard={'green': 2},
        pool={'green': 3},
    )
    assert not bag(empty)
    empty.play('end turn')
    assert json_of(empty, 'board') == {'green': 5}


def test_e2_as_many_cubes_are_drawn_as_there_are() -> None:
    position = last_turn(
        flower(), cubes=[{}, {colour: n - (colour == 'red') for colour, n in CUBES.items()}]
    ).after('end turn')
    assert json_of(position, 'board') == {'red': 1}


def test_e3_a_released_cube_comes_from_the_discard_pile_then_from_the_bag_or_not_at_all() -> None:
    tiles, pay = flower('F07'), 'terraform 0,0 pay yellow with 3 green pay red pay blue'
    rest = {colour: n - 3 * (colour == 'green') - (colour in ('red', 'blue')) for colour, n in CUBES.items()}
    for discard, source in (({'yellow': 1}, 'discard'), ({}, 'bag')):
        position = turn(
            tiles,
            'green green green red blue',
            owners={(1, 0): 1},
            cubes=[{}, rest | {'yellow': 18}],
            discard=discard,
        )
        position.play(pay)
        assert json_of(position, 'pool') == {'yellow': 1}
        assert json_of(position, 'budget') == 1
        assert 'yellow' not in json_of(position, 'discard', {})
        assert not bag(position)['yellow'], source
    both = turn(tiles, 'green green green red blue', owners={(1, 0): 1}, discard={'yellow': 1}).after(pay)
    assert bag(both)['yellow'] == CUBES['yellow'] - 1
    none = turn(tiles, 'green green green red blue', owners={(1, 0): 1}, cubes=[{}, rest]).after(pay)
    assert 'pool' not in none.to_json()


def test_e3_the_cubes_just_paid_are_discarded_before_the_release() -> None:
    held = {colour: n - (colour in ('yellow', 'red', 'blue')) for colour, n in CUBES.items()}
    position = turn(flower('F07'), 'yellow red blue', owners={(1, 0): 1}, cubes=[{}, held])
    position.play('terraform 0,0 pay yellow pay red pay blue')
    assert json_of(position, 'pool') == {'yellow': 1}


def test_e4_free_elements_go_round_in_the_new_drafting_order_while_there_are_any() -> None:
    tile = some_tile(lambda tile: tile.released == 'green')
    other = some_tile(lambda tile: tile.released == 'green', but=[tile])
    tiles = flower(tile, other)
    for order in ([1, 0], [0, 1]):
        given: dict[str, Any] = {'owners': {(0, 0): 0, (1, 0): 1}, 'order': order, 'to_move': order[1]}
        enough = turn(tiles, {'green': CUBES['green']}, **given).after('end turn')
        assert json_of(enough, 'order') == order[::-1]
        assert [own(enough, seat) for seat in range(2)] == [{'green': 1}, {'green': 1}]
        held = {'green': CUBES['green'] - 1}
        scarce = turn(tiles, cubes=[held if seat == order[0] else {} for seat in range(2)], **given).after(
            'end turn'
        )
        assert own(scarce, order[1]) == {'green': 1}, 'the last green cube goes to the first in the new order'
        assert own(scarce, order[0]) == held


def test_e5_free_elements_begin_with_the_round_of_the_terraforming_and_end_before_the_last() -> None:
    position = last_turn(flower('F07'), owners={(1, 0): 1}, pool={'yellow': 1, 'red': 1, 'blue': 1}, budget=3)
    position.play('terraform 0,0 pay yellow pay red pay blue end turn')
    while json_of(position, 'phase') == 'place':
        position.play(position.legal()[0])
    assert own(position) == {'yellow': 1}
    tiles = big_surface(9)
    over = last_turn(tiles, owners=dict.fromkeys(list(tiles)[:8], 0)).after('end turn')
    assert over.over
    assert TILES[tiles[0, 0]].released
    assert 'cubes' not in over.to_json()


def big_surface(n: int, first: str = 'F07') -> dict[tuple[int, int], str]:
    """Rows of three tiles."""
    rest = quiet_tiles([first])
    return {(k % 3, k // 3): first if k == 0 else next(rest) for k in range(n)}


# ---- X: the exchange zone ----------------------------------------------------------------------------------


def test_x1_any_cubes_of_reserve_and_zone_may_pay_but_no_more_than_the_seat_owns() -> None:
    tiles, owners = flower('P04'), {(1, 0): 1}
    assert 'terraform 0,0' in turn(tiles, 'white white white', 'green yellow black', owners=owners).legal()
    assert 'terraform 0,0' not in turn(tiles, 'white white', 'green yellow black', owners=owners).legal()
    position = turn(tiles, 'white white white', 'green yellow black', owners=owners)
    position.play('terraform 0,0 pay green pay yellow pay black')
    assert json_of(position, 'pool') == {'white': 3}
    assert json_of(position, 'budget', 0) == 0
    assert position.legal() == ['end turn']


def test_x1_the_zone_can_be_used_only_by_who_owns_cubes() -> None:
    assert turn(
        flower('P04'), '', 'green yellow black green green', owners={(1, 0): 0}, budget=0, scores=[9, 9]
    ).legal() == ['end turn']


def test_x1_own_cubes_are_used_before_those_of_the_zone() -> None:
    """What is shown as lent: a convention, no rule."""
    position = turn(
        flower('P04', 'P01'), 'green green yellow orange white', 'green black', owners={(0, 1): 1}
    )
    position.play('terraform 0,0 pay green pay yellow pay black')
    assert json_of(position, 'pool') == {'green': 2, 'orange': 1, 'white': 1}
    assert json_of(position, 'lent') == {'green': 1}
    position.play('terraform 1,0 pay green pay orange')
    assert json_of(position, 'lent') == {'green': 1}, 'that was the second own one'
    assert json_of(position.after('end turn'), 'zone') == {'green': 1, 'white': 1}


def test_x1_a_swap_for_a_triple_counts_all_its_cubes() -> None:
    tiles, owners = flower('P04'), {(1, 0): 1}
    four = turn(tiles, 'green yellow white white', 'red red red', owners=owners)
    assert 'terraform 0,0' not in four.legal()
    five = turn(tiles, 'green yellow white white white', 'red red red', owners=owners)
    assert names(five.after('terraform 0,0 pay green pay yellow'), 'pay') == [
        'black with 3 red',
        'black with 3 white',
    ]


def test_x2_what_is_left_goes_to_one_common_zone_for_those_after_it() -> None:
    position = turn(flower(), 'green green', 'red', players=3, cubes=[{}, {'blue': 1}, {'white': 2}])
    position.play('end turn')
    assert json_of(position, 'pool') == {'green': 2, 'red': 1, 'blue': 1}
    assert json_of(position, 'budget') == 1
    position.play('end turn')
    assert json_of(position, 'pool') == {'green': 2, 'red': 1, 'blue': 1, 'white': 2}
    position.play('end turn')
    assert json_of(position, 'round') == 3
    assert 'zone' not in position.to_json()
    assert 'cubes' not in position.to_json()
    assert json_of(position, 'discard') == {'green': 2, 'red': 1, 'blue': 1, 'white': 2}


# ---- W: wild cards -----------------------------------------------------------------------------------------


def payment_names(position: Position) -> set[str]:
    """All ways to go on with a payment to its end, as text."""
    found = set()
    for name in position.legal():
        after = position.copy().after(name)
        found |= {f'{name} {rest}' for rest in payment_names(after)} if 'steps' in after.to_json() else {name}
    return found


def test_w1_each_missing_element_may_be_replaced_on_its_own() -> None:
    tiles, owners = flower('P04'), {(1, 0): 1}
    three = turn(tiles, 'red red red blue blue blue white white white', owners=owners).after('terraform 0,0')
    assert payment_names(three) == {'pay green with 3 red pay yellow with 3 blue pay black with 3 white'}
    mixed = turn(tiles, 'red red red orange orange blue blue white yellow', owners=owners).after(
        'terraform 0,0'
    )
    uses = 'use orange use orange use blue use blue use white'
    assert payment_names(mixed) == {f'pay green with 3 red pay yellow pay black with any five {uses}'}


@pytest.mark.parametrize(('red', 'blue'), [(9, 0), (8, 1), (6, 3), (7, 2)])
def test_w1_three_colours_need_three_whole_triples(red: int, blue: int) -> None:
    cubes = ' '.join(['red'] * red + ['blue'] * blue)
    position = turn(flower('P04'), cubes, owners={(1, 0): 1})
    assert ('terraform 0,0' in position.legal()) == (red % 3 == 0)


def test_w1_two_fives_are_one_payment() -> None:
    tile = some_tile(lambda tile: tile.required == ('green', 'red'))
    position = turn(
        flower(tile), 'yellow yellow orange orange blue blue black black white white', owners={(1, 0): 1}
    )
    uses = ' '.join(f'use {colour} use {colour}' for colour in ('yellow', 'orange', 'blue', 'black', 'white'))
    assert payment_names(position.after('terraform 0,0')) == {
        f'pay green with any five pay red with any five {uses}'
    }


def test_w2_the_hand_rule() -> None:
    """No cube that is paid could be left out; what stays in reserve is not looked at."""
    tile, owners = some_tile(lambda tile: tile.required == ('red', 'blue')), {(1, 0): 1}
    own_colour = turn(flower(tile), 'red blue blue blue', owners=owners).after('terraform 0,0 pay red')
    assert own_colour.legal() == ['pay blue'], 'three blue for blue'
    in_reserve = turn(flower(tile), 'red blue green green green', owners=owners).after(
        'terraform 0,0 pay red'
    )
    assert in_reserve.legal() == ['pay blue', 'pay blue with 3 green'], 'a triple, though blue is there'
    triple = turn(flower(tile), 'red green green green yellow yellow', owners=owners).after(
        'terraform 0,0 pay red'
    )
    assert triple.legal() == ['pay blue with 3 green'], 'a five would hold three green'
    wanted = turn(flower(tile), 'red blue green green yellow yellow', owners=owners).after(
        'terraform 0,0 pay red'
    )
    assert wanted.legal() == ['pay blue'], 'a five would hold the missing blue'
    other = turn(flower(tile), 'red red green green green', owners=owners).after('terraform 0,0')
    assert other.legal() == ['pay red'], 'three green for red and two red besides pay no blue'
    assert other.after('pay red').legal() == ['pay blue with 3 green']


def test_w2_payments_are_the_minimal_ones() -> None:
    pool = Counter({'green': 4, 'yellow': 2, 'red': 2, 'white': 1, 'blue': 1})
    found = payments(('blue', 'black'), pool, 10)
    assert ('green', 'green', 'green', 'blue') in found
    assert ('green', 'green', 'yellow', 'yellow', 'red', 'blue') in found
    assert ('green', 'green', 'green', 'green', 'yellow', 'yellow', 'red', 'red') in found, (
        'a triple and a five'
    )
    assert payments(('black',), Counter({'green': 3, 'yellow': 2}), 5) == {('green', 'green', 'green')}


def test_w3_no_wild_cards_for_reserving_changing_and_adding_but_for_completing() -> None:
    tiles, owners = flower('P04', *quiet_tiles(['P04'])), {(1, 0): 1}
    position = turn(tiles, 'red red red red red orange', owners=owners, scores=[9, 9])
    assert '0,0' not in names(position, 'reserve')
    held = turn(
        tiles,
        'red red red',
        owners=owners,
        reserved={(0, 0): 0},
        cubes_on={(0, 0): 'green yellow'},
        scores=[9, 9],
    )
    assert not names(held, 'add')
    assert names(held, 'terraform') == ['0,0']
    assert held.after('terraform 0,0').legal() == ['pay black with 3 red']
    abandoned = turn(tiles, 'red red red', owners=owners, cubes_on={(0, 0): 'green yellow'}).after(
        'terraform 0,0'
    )
    assert abandoned.legal() == ['pay black with 3 red']


def test_w4_a_released_colour_that_a_wild_card_paid_comes_back_as_one_cube_of_it() -> None:
    position = turn(flower('F07'), 'green green green red blue', owners={(1, 0): 1})
    position.play('terraform 0,0 pay yellow with 3 green pay red pay blue')
    assert json_of(position, 'pool') == {'yellow': 1}
    assert json_of(position, 'discard') == {'green': 3, 'red': 1, 'blue': 1}


# ---- T: terraforming ---------------------------------------------------------------------------------------

RICH = ' '.join(colour for colour in COLOURS for _ in range(2))
RING = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def test_t1_in_the_first_round_the_first_terraformation_of_each_player_may_be_anywhere() -> None:
    tiles = big_surface(9)
    far = turn(tiles, RICH, owners={(0, 0): 1}, round=1)
    assert '2,2' in names(far, 'terraform')
    second = turn(tiles, RICH, owners={(0, 0): 1, (1, 0): 0}, round=1)
    assert set(names(second, 'terraform')) == {'2,0', '0,1', '1,1'}, (
        'the second must adjoin a terraformed tile'
    )
    later = turn(tiles, RICH, owners={(0, 0): 1}, round=2)
    assert set(names(later, 'terraform')) == {'1,0', '0,1'}, 'as must the first in a later round'


def test_t1_if_nothing_is_terraformed_any_tile_may_be() -> None:
    assert len(names(turn(big_surface(9), RICH, round=7), 'terraform')) == 9


def test_t2_the_own_reserved_tile_needs_no_neighbour() -> None:
    position = turn(
        big_surface(9),
        RICH,
        owners={(0, 0): 1},
        reserved={(2, 2): 0},
        cubes_on={(2, 2): first_of(big_surface(9)[2, 2])},
    )
    assert '2,2' in names(position, 'terraform')
    other = turn(
        big_surface(9),
        RICH,
        owners={(0, 0): 1},
        reserved={(1, 0): 1},
        cubes_on={(1, 0): first_of(big_surface(9)[1, 0])},
    )
    assert '1,0' not in names(other, 'terraform'), 'reserved by somebody else'


def first_of(tile: str) -> str:
    """The first colour that a tile requires."""
    return TILES[tile].required[0]


def pay(position: Position, place: str) -> Position:
    """Terraform a tile, each colour paid by itself."""
    position.play(f'terraform {place}')
    while 'steps' in position.to_json():
        position.play(position.legal()[0])
    return position


def test_t3_own_neighbours_count_one_for_the_first_terraformation_of_a_turn_and_two_later() -> None:
    tiles = flower()
    position = turn(tiles, RICH, owners={(0, 0): 0}, scores=[0, 0])
    gains = []
    for place in ((1, 0), (-1, 0), (0, 1)):
        before = json_of(position, 'scores')[0]
        pay(position, '{},{}'.format(*place))
        gains.append(json_of(position, 'scores')[0] - before - TILES[tiles[place]].points)
    assert gains == [1, 2, 2 * 2], 'the third adjoins the first as well'


def test_t3_reservations_before_do_not_count_as_terraformations() -> None:
    tiles = flower()
    position = turn(tiles, RICH, owners={(0, 0): 0}, scores=[5, 0])
    position.play(f'reserve 0,1 put {first_of(tiles[0, 1])} done')
    before = json_of(position, 'scores')[0]
    pay(position, '-1,0')
    assert json_of(position, 'scores')[0] - before == TILES[tiles[-1, 0]].points + 1


def test_t4_opponents_get_one_point_for_each_neighbour_however_it_was_terraformed() -> None:
    tiles = flower()
    position = turn(
        tiles,
        RICH,
        players=3,
        owners={(0, 0): 1, (1, -1): 1, (0, 1): 2, (-1, 0): 0},
        reserved={(1, 0): 0},
        cubes_on={(1, 0): first_of(tiles[1, 0])},
        scores=[0, 0, 0],
    )
    pay(position, '-1,1')
    assert json_of(position, 'scores')[1:] == [1, 1]
    pay(position, '1,0')
    assert json_of(position, 'scores')[1:] == [3, 2]


@pytest.mark.parametrize(('players', 'disks'), [(2, 9), (3, 9), (4, 8), (5, 8)])
def test_t5_no_more_disks_on_the_surface_than_a_player_has(players: int, disks: int) -> None:
    tiles = big_surface(12)
    places = list(tiles)
    cubes = {places[disks - 1]: first_of(tiles[places[disks - 1]])}
    full = turn(tiles, RICH, players=players, owners=dict.fromkeys(places[:disks], 0), scores=[9] * players)
    assert full.legal() == ['end turn']
    reserved = turn(
        tiles,
        RICH,
        players=players,
        owners=dict.fromkeys(places[: disks - 1], 0),
        reserved={places[disks - 1]: 0},
        cubes_on=cubes,
        scores=[9] * players,
    )
    assert names(reserved, 'terraform') == ['{},{}'.format(*places[disks - 1])], (
        'completing the own reservation'
    )
    assert names(reserved, 'change'), 'changing it needs no other disk'
    assert not names(reserved, 'reserve')
    one = turn(
        tiles, RICH, players=players, owners=dict.fromkeys(places[: disks - 1], 0), scores=[9] * players
    )
    assert names(one, 'terraform')
    assert names(one, 'reserve')


def test_t6_reserving_and_completing_in_one_turn_are_two_actions_and_one_new_tile() -> None:
    tiles = flower('P04')
    position = turn(tiles, 'green yellow black', owners={(1, 0): 1}, scores=[5, 0])
    position.play('reserve 0,0 put green done terraform 0,0 pay yellow pay black')
    data = position.to_json()
    assert (data['actions'], data['terraformed'], data['add']) == (2, 1, 1)
    assert data['scores'][0] == 5 - 2 + TILES['P04'].points


# ---- R: reservations ---------------------------------------------------------------------------------------


def test_r1_some_but_not_all_required_cubes_and_a_point_for_each_that_is_missing() -> None:
    tiles, owners = flower('P04'), {(1, 0): 1}
    position = turn(tiles, 'green yellow black', owners=owners, scores=[2, 0])
    position.play('reserve 0,0')
    assert set(position.legal()) == {'put green', 'put yellow', 'put black'}
    assert 'done' in play_on(position, 'put yellow').legal()
    position.play('put green')
    assert position.legal() == ['done'], 'not all'
    position.play('done')
    assert json_of(position, 'scores') == [1, 0]
    assert entry(position, 'P04') == {
        'tile': 'P04',
        'at': [0, 0],
        'reserved': 0,
        'cubes': ['green', 'yellow'],
    }


def test_r1_the_points_must_suffice() -> None:
    tiles, owners = flower('P04'), {(1, 0): 1}
    assert not names(turn(tiles, 'green yellow black', owners=owners, scores=[0, 9]), 'reserve')
    one = turn(tiles, 'green yellow black', owners=owners, scores=[1, 9]).after('reserve 0,0 put black')
    assert 'done' not in one.legal(), 'two points for two missing cubes'
    assert json_of(one.after('put green done'), 'scores') == [0, 9]
    assert '0,0' not in names(turn(tiles, 'green white white', owners=owners, scores=[1, 9]), 'reserve')


def test_r1_only_free_tiles_beside_terraformed_ones() -> None:
    tiles = big_surface(9)
    position = turn(tiles, RICH, owners={(0, 0): 1}, scores=[9, 9], round=1)
    assert set(names(position, 'reserve')) == {'1,0', '0,1'}
    taken = turn(
        tiles,
        RICH,
        owners={(0, 0): 1},
        reserved={(1, 0): 1},
        cubes_on={(1, 0): first_of(tiles[1, 0])},
        scores=[9, 9],
    )
    assert names(taken, 'reserve') == ['0,1']


def test_r2_nothing_can_be_reserved_before_a_tile_is_terraformed() -> None:
    assert not names(turn(big_surface(9), RICH, scores=[9, 9], round=1), 'reserve')


def test_r3_cubes_may_be_added_at_any_time_but_not_complete_the_tile() -> None:
    tiles = flower('P04')
    given: dict[str, Any] = {'owners': {(1, 0): 1}, 'reserved': {(0, 0): 0}, 'scores': [0, 0]}
    position = turn(tiles, 'yellow black red', cubes_on={(0, 0): 'green'}, actions=3, **given)
    assert set(position.legal()) == {'add yellow', 'add black', 'end turn'}
    position.play('add yellow')
    assert position.legal() == ['end turn'], 'the last one would terraform the tile, and no action is left'
    assert json_of(position, 'scores') == [0, 0], 'no penalty'
    assert entry(position, 'P04')['cubes'] == ['green', 'yellow']
    assert json_of(position, 'budget') == 2
    left = turn(tiles, 'yellow black red', cubes_on={(0, 0): 'green yellow'}, actions=2, **given)
    assert names(left, 'terraform') == ['0,0'], 'completing is terraforming'
    assert not names(left, 'add')


def test_r3_no_cube_is_added_that_the_tile_does_not_require_or_the_seat_does_not_own() -> None:
    given: dict[str, Any] = {'owners': {(1, 0): 1}, 'reserved': {(0, 0): 0}, 'cubes_on': {(0, 0): 'green'}}
    assert not names(turn(flower('P04'), 'red red green', **given), 'add')
    assert not names(turn(flower('P04'), '', 'yellow black', budget=0, **given), 'add')
    assert names(turn(flower('P04'), 'red', 'yellow', **given), 'add') == ['yellow'], 'one from the zone'


def test_r3_cubes_are_put_and_added_in_any_order() -> None:
    given: dict[str, Any] = {'owners': {(1, 0): 1}, 'scores': [9, 9]}
    position = turn(flower('P14'), 'green orange red blue white', **given)
    position.play('reserve 0,0 put white put green done')
    assert names(position, 'add') == ['orange', 'red', 'blue']
    position.play('add blue')
    assert names(position, 'add') == ['orange', 'red'], 'what comes before it can be added after it'
    position.play('add orange')
    assert entry(position, 'P14')['cubes'] == ['green', 'orange', 'blue', 'white']


def test_r4_a_reservation_is_changed_by_the_rules_of_reserving() -> None:
    tiles = flower('P04', 'W05', 'F07')
    position = turn(
        tiles,
        'green blue yellow',
        owners={(0, 1): 1},
        reserved={(0, 0): 0},
        cubes_on={(0, 0): 'black'},
        scores=[4, 0],
    )
    assert not names(position, 'reserve')
    assert '1,0' in names(position, 'change')
    assert '0,0' not in names(position, 'change'), 'another tile'
    assert '0,1' not in names(position, 'change'), 'a free one'
    position.play('change 1,0 put blue done')
    data = position.to_json()
    assert data['scores'] == [2, 0]
    assert entry(position, 'P04') == {'tile': 'P04', 'at': [0, 0], 'cubes': ['black']}, (
        'free, and the cube stays'
    )
    assert entry(position, 'W05')['reserved'] == 0
    assert data['actions'] == 1
    assert 'add' not in data
    poor = turn(
        tiles,
        'green blue yellow',
        owners={(0, 1): 1},
        reserved={(0, 0): 0},
        cubes_on={(0, 0): 'black'},
        scores=[0, 0],
    )
    assert not names(poor, 'change')
    far = turn(
        big_surface(9),
        RICH,
        owners={(0, 0): 1},
        reserved={(1, 0): 0},
        cubes_on={(1, 0): first_of(big_surface(9)[1, 0])},
        scores=[9, 9],
    )
    assert names(far, 'change') == ['0,1']


def test_r5_of_an_abandoned_tile_only_what_is_missing_is_paid_and_all_its_cubes_are_discarded() -> None:
    tiles, owners = flower('P04'), {(1, 0): 1}
    position = turn(tiles, 'black', owners=owners, cubes_on={(0, 0): 'green yellow'}, scores=[9, 0])
    assert names(position, 'terraform') == ['0,0']
    assert not names(position, 'reserve'), 'exactly one is missing: it can only be terraformed'
    position.play('terraform 0,0 pay black')
    assert json_of(position, 'discard') == {'green': 1, 'yellow': 1, 'black': 1}
    assert 'cubes' not in entry(position, 'P04')
    assert json_of(position, 'add') == 1


def test_r5_reserving_an_abandoned_tile_takes_a_cube_more() -> None:
    position = turn(
        flower('P04'), 'green yellow', owners={(1, 0): 1}, cubes_on={(0, 0): 'green'}, scores=[9, 0]
    )
    assert play_on(position, 'reserve 0,0').legal() == ['put yellow'], 'green is there already'
    position.play('put yellow done')
    assert json_of(position, 'scores') == [8, 0]
    assert entry(position, 'P04')['cubes'] == ['green', 'yellow']


def test_r6_coming_back_to_an_abandoned_tile_costs_again() -> None:
    tiles = flower('P04', 'W05', 'F07')
    position = turn(
        tiles,
        'green blue yellow',
        owners={(0, 1): 1},
        reserved={(0, 0): 0},
        cubes_on={(0, 0): 'black'},
        scores=[9, 0],
    )
    position.play('change 1,0 put blue done change 0,0')
    assert set(position.legal()) == {'put green', 'put yellow'}
    position.play('put green done')
    assert json_of(position, 'scores') == [9 - 2 - 1, 0]
    assert entry(position, 'W05') == {'tile': 'W05', 'at': [1, 0], 'cubes': ['blue']}


# ---- P: new tiles ------------------------------------------------------------------------------------------


def test_p1_new_tiles_for_free_tiles_that_got_a_disk() -> None:
    tiles = flower('P04', 'W05', 'F07')
    position = turn(tiles, 'green yellow black blue', owners={(0, 1): 1}, scores=[9, 0])
    assert json_of(pay(position.copy(), '0,0'), 'add') == 1
    held = turn(
        tiles,
        'yellow black blue green',
        owners={(0, 1): 1},
        reserved={(0, 0): 0},
        cubes_on={(0, 0): 'green'},
        scores=[9, 0],
    )
    assert 'add' not in pay(held.copy(), '0,0').to_json(), 'completing a reservation'
    assert 'add' not in held.copy().after('change 1,0 put blue done').to_json(), 'changing it'
    assert 'add' not in held.copy().after('add yellow').to_json()
    assert json_of(position.copy().after('reserve 0,0 put green done'), 'add') == 1


@pytest.mark.parametrize(
    ('put', 'allowed'), [('free', True), ('terraformed', True), ('reserved', True), ('Darkness', True)]
)
def test_p2_all_tiles_of_the_surface_count_in_the_compact_form(put: str, allowed: bool) -> None:
    """A place with three neighbours, one of which is of this sort."""
    tiles = flower()
    del tiles[1, 0]
    free = Game.read(described(tiles)).open_places()
    tiles[1, -1] = 'D1' if put == 'Darkness' else tiles[1, -1]
    given: dict[str, Any] = {'terraformed': {'owners': {(1, -1): 1}}}.get(put, {})
    if put == 'reserved':
        given = {'reserved': {(1, -1): 1}, 'cubes_on': {(1, -1): first_of(tiles[1, -1])}}
    position = placing(tiles, **given, options={'darkness': True})
    assert {place for name in position.legal() for place in [name.split()[-1]]} == {
        '{},{}'.format(*place) for place in free
    }
    assert ('1,0' in {name.split()[-1] for name in position.legal()}) == allowed


def placing(tiles: dict[tuple[int, int], str], add: int = 1, **more: Any) -> Position:
    """The end of a turn: so many tiles are to be added."""
    return read_position(described(tiles, phase='place', actions=3, add=add, round=2, **more))


def places(position: Position) -> set[str]:
    """Where the next tile may go."""
    return {name.split()[-1] for name in position.legal()}


def test_p3_of_two_neighbours_each_has_three_others() -> None:
    """In the flower without 1,0 the tiles at 1,-1 and 0,1 have two neighbours each: places beside them and
    one other are closed."""
    tiles = flower()
    assert places(placing(tiles)) == {'2,-1', '1,1', '-1,2', '-2,1', '-1,-1', '1,-2'}, (
        'between two of the ring, which have three each'
    )
    del tiles[1, 0]
    assert '1,1' not in places(placing(tiles)), 'one neighbour'
    assert '2,-1' not in places(placing(tiles))
    assert '-1,2' not in places(placing(tiles)), 'two neighbours, but 0,1 has only two others'
    assert '-1,-1' in places(placing(tiles)), '-1,0 and 0,-1 have three each'


def test_p4_three_neighbours_are_always_enough() -> None:
    tiles = flower()
    del tiles[1, 0]
    assert '1,0' in places(placing(tiles))


def test_p5_the_form_is_looked_at_before_each_tile() -> None:
    tiles = flower()
    position = placing(tiles, add=2)
    assert '2,0' not in places(position)
    tile = position.legal()[0].split()[1]
    position.play(f'place {tile} at 2,-1')
    assert json_of(position, 'phase') == 'place'
    assert json_of(position, 'add') == 1
    assert '2,0' not in places(position), 'two neighbours, of which 2,-1 has but two others'
    assert '2,-2' not in places(position)
    other = placing(tiles, add=2).after(f'place {tile} at 1,1')
    assert places(other) != places(position)


def test_p6_if_no_place_keeps_the_form_two_neighbours_do_and_else_one() -> None:
    rest = list(quiet_tiles())
    assert places(placing({(0, 0): rest[0], (1, 0): rest[1]})) == {'0,1', '1,-1'}
    assert places(placing({(0, 0): rest[0]})) == {f'{q},{r}' for q, r in beside((0, 0))}


@pytest.mark.parametrize('layout', ['recommended', 'random'])
@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_p7_the_starting_surface_hangs_together_in_compact_form(players: int, layout: str) -> None:
    for seed in range(MANY if layout == 'random' else 2):
        position = ludoteca.new('myraclia', players, seed, {'layout': layout})
        cells = {tuple(entry['at']) for entry in json_of(position, 'surface')}
        assert len(cells) == TABLE['players'][str(players)]['start_tiles']
        near = [sum(other in cells for other in beside(cell)) for cell in cells]
        assert min(near) >= 2
        assert 2 * sum(n >= 3 for n in near) > len(cells)
        read_position(position.to_json())  # which refuses what does not hang together


def test_p8_what_is_not_there_is_not_placed() -> None:
    tiles = flower()
    position = read_position(
        described(tiles, phase='place', actions=2, add=2, round=2) | {'display': ['P04', None, None]}
    )
    position.play('place P04 at 2,-1')
    assert json_of(position, 'phase', 'draft') == 'turn', 'the display was empty: the turn is over'
    assert None not in json_of(position, 'display')


def test_p8_an_empty_bag_of_tiles_leaves_gaps_on_the_display() -> None:
    names_left = iter(ORDINARY)
    cells = [(q, r) for r in range(8) for q in range(7)]
    tiles = {cell: next(names_left) for cell in cells[:54]}
    position = read_position(
        {
            **described(tiles),
            'display': [*list(names_left)[:1], ORDINARY[-1], None],
            'phase': 'place',
            'actions': 1,
            'add': 1,
            'round': 2,
        }
    )
    assert not tile_bag(position)
    position.play(position.legal()[0])
    assert json_of(position, 'display').count(None) == 2
    nothing = read_position(
        {
            **described(tiles, phase='turn', round=2, owners={(0, 0): 1}, pool=dict(CUBES)),
            'display': [None] * 3,
        }
    )
    pay(nothing, '1,0').play('end turn')
    assert json_of(nothing, 'phase') == 'turn', 'nothing to be placed'
    assert nothing.to_move == 1


def test_p9_any_tile_of_the_display_may_be_taken() -> None:
    position = placing(flower())
    assert {name.split()[1] for name in position.legal()} == set(json_of(position, 'display'))


# ---- K: Darkness -------------------------------------------------------------------------------------------

DARKNESS: dict[str, Any] = {'options': {'darkness': True}}


def dark_display(add: int = 2, **more: Any) -> Position:
    """The end of a turn with a Darkness tile on the display."""
    data = described(flower(), phase='place', actions=3, add=add, round=2, **DARKNESS, **more)
    return read_position(data | {'display': [data['display'][0], 'D2', data['display'][1]]})


def test_k1_darkness_goes_first_and_is_one_of_the_tiles_to_be_added() -> None:
    position = dark_display()
    assert {name.split()[1] for name in position.legal()} == {'D2'}
    position.play('place D2 at 2,-1')
    assert json_of(position, 'add') == 1
    assert {name.split()[1] for name in position.legal()} == {
        tile for tile in json_of(position, 'display') if tile
    }
    assert json_of(dark_display(add=1).after('place D2 at 2,-1'), 'phase') == 'turn'


def test_k2_there_is_never_a_second_darkness_tile_on_the_display() -> None:
    bag_of_dark = 0
    for seed in range(5 * MANY):
        data = described(big_surface(40), phase='place', actions=2, add=1, round=2, **DARKNESS)
        position = read_position(data | {'display': [data['display'][0], None, None]})
        shaken_one = shaken(position, seed)
        shaken_one.play(shaken_one.legal()[0])
        shown = json_of(shaken_one, 'display')
        assert None not in shown
        assert len(set(shown) & set(DARK)) <= 1
        bag_of_dark += len(set(shown) & set(DARK))
        assert {*DARK} <= {*tile_bag(shaken_one), *shown}, 'the second goes back into the bag'
    assert bag_of_dark > 10 or not compiled


def test_k2_one_that_lies_on_the_display_keeps_the_others_in_the_bag() -> None:
    data = described(
        flower(), phase='turn', round=2, owners={(0, 0): 1}, pool=dict.fromkeys(COLOURS, 2), **DARKNESS
    )
    for seed in range(MANY):
        position = shaken(read_position(data | {'display': ['D1', *data['display'][:2]]}), seed)
        assert set(DARK) - {'D1'} <= tile_bag(position)
        pay(position, '1,0').play('end turn')
        position.play(position.legal()[0])
        assert len(set(json_of(position, 'display')) & set(DARK)) <= 1


def test_k3_darkness_is_not_terraformed_not_reserved_and_no_neighbour() -> None:
    tiles = flower('D1')
    position = turn(tiles, RICH, owners={(1, 0): 1}, scores=[9, 9], **DARKNESS)
    assert '0,0' not in names(position, 'terraform')
    assert '0,0' not in names(position, 'reserve')
    assert set(names(position, 'terraform')) == {'0,1', '1,-1'}, (
        'beside 1,0; all others adjoin only Darkness and each other'
    )
    first = turn(tiles, RICH, scores=[9, 9], round=1, **DARKNESS)
    assert '0,0' not in names(first, 'terraform')
    token = last_turn(tiles, options={'darkness': True, 'eternity': True}).after('end turn')
    assert '0,0' not in names(token, 'token')
    assert len(names(token, 'token')) == 6
    with pytest.raises(GameError):
        turn(tiles, owners={(0, 0): 1}, **DARKNESS)


@pytest.mark.parametrize('players', [2, 5])
def test_k4_darkness_is_mixed_in_after_the_set_up(players: int) -> None:
    for seed in range(2 * MANY):
        position = ludoteca.new('myraclia', players, seed, {'darkness': True})
        assert set(DARK) <= tile_bag(position)
    assert not set(DARK) & tile_bag(ludoteca.new('myraclia', players, 1))


# ---- N: Eternity -------------------------------------------------------------------------------------------

ETERNITY: dict[str, Any] = {'options': {'eternity': True}}


def test_n1_the_last_in_points_lays_the_token_of_equals_the_later_to_terraform() -> None:
    for scores, mover in (([5, 3, 4], 1), ([3, 3, 4], 0), ([5, 3, 3], 2), ([3, 3, 3], 0)):
        # order 1, 2, 0
        position = last_turn(flower(), players=3, scores=scores, **ETERNITY).after('end turn')
        assert json_of(position, 'phase') == 'token'
        assert position.to_move == mover


def test_n1_it_comes_after_the_end_is_checked_and_before_free_elements() -> None:
    tiles = big_surface(9)
    over = last_turn(tiles, owners=dict.fromkeys(list(tiles)[:8], 0), **ETERNITY).after('end turn')
    assert over.ending == 'terraformed'
    position = last_turn(flower('F07'), owners={(0, 0): 0}, **ETERNITY).after('end turn')
    assert json_of(position, 'phase') == 'token'
    assert 'cubes' not in position.to_json()
    position.play(position.legal()[0])
    assert own(position) == {'yellow': 1}


def test_n2_the_token_is_seen_before_it_is_laid_and_must_be_laid() -> None:
    position = last_turn(flower(), **ETERNITY).after('end turn')
    assert json_of(position, 'token') in TOKENS
    assert all(name.startswith('token ') for name in position.legal())


def test_n3_tokens_go_to_free_tiles_of_the_surface_also_on_top_of_others_and_stay_under_reservations() -> (
    None
):
    tiles = flower('P04')
    given: dict[str, Any] = {
        'owners': {(1, 0): 1},
        'reserved': {(0, 1): 1},
        'cubes_on': {(0, 1): first_of(tiles[0, 1])},
    }
    position = last_turn(tiles, tokens_on={(0, 0): 'E01'}, **given, **ETERNITY).after('end turn')
    assert set(names(position, 'token')) == {'0,0', '-1,0', '0,-1', '1,-1', '-1,1'}
    token = json_of(position, 'token')
    position.play('token 0,0')
    assert entry(position, 'P04')['tokens'] == sorted(['E01', token])
    held = turn(tiles, 'green', tokens_on={(0, 0): 'E01'}, owners={(1, 0): 1}, scores=[5, 5], **ETERNITY)
    assert entry(held.after('reserve 0,0 put green done'), 'P04')['tokens'] == ['E01']


def test_n4_tokens_used_up_do_not_come_back_and_none_left_means_none() -> None:
    tokens = {
        kind: next(name for name, token in TOKENS.items() if token['kind'] == kind)
        for kind in ('points', 'released', 'free', 'surface')
    }
    position = turn(
        flower('P04'),
        'green yellow black',
        owners={(1, 0): 1},
        tokens_on={(0, 0): ' '.join(tokens.values())},
        scores=[0, 0],
        **ETERNITY,
    )
    pay(position, '0,0')
    assert entry(position, 'P04')['tokens'] == sorted([tokens['free'], tokens['surface']])
    assert set(json_of(position, 'used_tokens')) == {tokens['points'], tokens['released']}
    assert json_of(position, 'scores') == [TILES['P04'].points + TOKENS[tokens['points']]['value'], 1]
    assert json_of(position, 'pool') == {TOKENS[tokens['released']]['element']: 1}
    assert json_of(position, 'budget') == 1
    empty = last_turn(flower(), used_tokens=list(TOKENS), **ETERNITY).after('end turn')
    assert json_of(empty, 'round') == 3
    assert 'phase' not in empty.to_json()


def test_n4_a_free_token_gives_a_cube_at_the_end_of_every_round() -> None:
    token = next(name for name, token in TOKENS.items() if token['kind'] == 'free')
    position = last_turn(
        flower('P04'),
        owners={(0, 0): 0},
        tokens_on={(0, 0): token},
        used_tokens=[name for name in TOKENS if name != token],
        **ETERNITY,
    )
    position.play('end turn')
    assert own(position) == {TOKENS[token]['element']: 1}


# ---- S: scoring --------------------------------------------------------------------------------------------

END = {2: 8, 3: 8, 4: 7, 5: 7}


def finished(
    tiles: dict[tuple[int, int], str], owners: dict[tuple[int, int], int], players: int = 2, **more: Any
) -> list[int]:
    """The points at the end, if nobody had any before."""
    position = last_turn(tiles, owners=owners, players=players, **{'round': 40} | more).after('end turn')
    assert position.over
    return list(map(int, position.scores()))


def of_surface(surface: str) -> list[str]:
    """The tiles of a surface."""
    return [name for name in ORDINARY if TILES[name].surfaces == (surface,)]


def row(*tiles: str) -> dict[tuple[int, int], str]:
    """Tiles in a row."""
    return {(q, 0): tile for q, tile in enumerate(tiles)}


def test_s1_three_points_for_each_opponent_with_a_smaller_largest_area() -> None:
    """Eight plains in a row: 0 has areas of 1 and 2, seat 1 of 2, seat 2 none."""
    plains = of_surface('plains')
    table = TABLE['surface_table']
    owners = {(0, 0): 0, (2, 0): 0, (3, 0): 0, (4, 0): 1, (5, 0): 1}
    assert finished(row(*plains[:7]), owners, 3) == [3 + table[3], 3 + table[2], 0]
    assert finished(row(*plains[:7]), owners | {(6, 0): 1}, 3) == [3 + table[3], 6 + table[3], 0]
    reserved = finished(
        row(*plains[:7]), owners, 3, reserved={(6, 0): 1}, cubes_on={(6, 0): first_of(plains[6])}
    )
    assert reserved == [3 + table[3], 3 + table[2], 0], 'a reserved tile is not terraformed'


def test_s2_six_points_once_for_all_four_surfaces() -> None:
    four = [of_surface(surface)[0] for surface in TABLE['surfaces']]
    table = TABLE['surface_table']
    assert finished(row(*four), dict.fromkeys(row(*four), 0)) == [6 + 3 + 4 * table[1], 0]
    two = [of_surface(surface)[k] for surface in TABLE['surfaces'] for k in range(2)]
    assert finished(row(*two), dict.fromkeys(row(*two), 0)) == [6 + 3 + 4 * table[2], 0]


def test_s2_the_symbols_of_double_tiles_and_tokens_count() -> None:
    table = TABLE['surface_table']
    tiles = row('K01', of_surface('water')[0], of_surface('mountains')[0])
    assert finished(tiles, dict.fromkeys(tiles, 0), options={'kickstarter': True}) == [
        6 + 3 + 4 * table[1],
        0,
    ]
    surface = {token['surface']: name for name, token in TOKENS.items() if token['kind'] == 'surface'}
    tiles = row(of_surface('plains')[0], of_surface('water')[0])
    tokens = {(0, 0): surface['forests'], (1, 0): surface['mountains']}
    assert finished(tiles, dict.fromkeys(tiles, 0), tokens_on=tokens, **ETERNITY) == [6 + 3 + 4 * table[1], 0]
    same = {(0, 0): surface['plains']}
    assert finished(tiles, dict.fromkeys(tiles, 0), tokens_on=same, **ETERNITY) == [
        3 + table[2] + table[1],
        0,
    ], 'the same surface twice'


@pytest.mark.parametrize('n', range(1, 8))
def test_s3_each_surface_counts_by_its_symbols_up_to_five(n: int) -> None:
    tiles = row(*of_surface('forests')[:n])
    assert finished(tiles, dict.fromkeys(tiles, 0)) == [3 + TABLE['surface_table'][min(n, 5)], 0]
    assert TABLE['surface_table'][1:] == sorted(TABLE['surface_table'][1:])


def last_step(tiles: dict[tuple[int, int], str], owners: dict[tuple[int, int], int], **more: Any) -> Position:
    """Before the last step, after which all have as many points in total."""
    points = finished(tiles, owners, **more)
    given = [max(points) - n for n in points]
    return last_turn(
        tiles,
        owners=owners,
        players=len(points),
        scores=given,
        **{'round': 40} | {k: v for k, v in more.items() if k != 'players'},
    )


def ended(tiles: dict[tuple[int, int], str], owners: dict[tuple[int, int], int], **more: Any) -> list[float]:
    """The outcome at the end, if all have as many points in total."""
    position = last_step(tiles, owners, **more).after('end turn')
    assert len(set(position.scores())) == 1
    return position.outcome()


def test_s4_ties_go_to_all_surfaces_then_to_more_tiles_of_plains_then_are_shared() -> None:
    plains, forests = of_surface('plains'), of_surface('forests')
    four = [of_surface(surface)[-1] for surface in TABLE['surfaces']]
    all_types = row(*four, *plains[:5])
    assert ended(all_types, {place: int(place[0] > 3) for place in all_types}) == [1, 0]
    more_plains = row(plains[0], forests[0], forests[1], forests[2], plains[1], plains[2])
    assert ended(more_plains, {place: int(place[0] > 2) for place in more_plains}) == [0, 1]
    even = row(plains[0], forests[0], forests[1], plains[1])
    assert ended(even, {place: int(place[0] > 1) for place in even}) == [0.5, 0.5]


@pytest.mark.parametrize(
    ('shown', 'mine', 'said'),
    [
        ('PFWMPPPPP', 4, 'wins with {n} points; all four surfaces broke the tie.'),
        ('PFFFPP', 3, 'wins with {n} points; more tiles with plains broke the tie.'),
        ('PFFP', 2, 'Red and Blue share the win with {n} points each.'),
    ],
)
def test_s4_it_is_said_what_broke_a_tie(shown: str, mine: int, said: str) -> None:
    surfaces = {surface[0].upper(): of_surface(surface) for surface in TABLE['surfaces']}
    tiles = row(*(surfaces[letter].pop(0) for letter in shown))
    before = last_step(tiles, {place: int(place[0] >= mine) for place in tiles})
    after = before.after('end turn')
    event = MYRACLIA.events(before.state, R.END_TURN, after.state, ('Red', 'Blue'))[-1]
    said = said.format(n=event.values['points'])
    names = {'player': ('Red', 'Blue')[event.seat], **event.values}
    for key in ('event', 'log.also'):
        assert said in MYRACLIA.words(f'{key}.{event.kind}', **names)
    prompt = MYRACLIA.prompt(View(after.state, 0, names=('Red', 'Blue'))).text
    assert prompt.replace('has won', 'wins').endswith(said)
    if event.kind == 'tie_break':
        assert str(event.values['by']) in MYRACLIA.words('recap.line.tie_break', **names)


def test_s4_a_tile_that_shows_plains_twice_is_one_tile() -> None:
    plains, forests = of_surface('plains'), of_surface('forests')
    token = next(name for name, token in TOKENS.items() if token.get('surface') == 'plains')
    tiles = row(plains[0], forests[0], forests[1], plains[1])
    owners = {place: int(place[0] > 1) for place in tiles}
    assert ended(tiles, owners, tokens_on={(0, 0): token}, **ETERNITY) == [0.5, 0.5]
    assert ended(tiles, owners, tokens_on={(1, 0): token}, **ETERNITY) == [1, 0], (
        'a forest with a token shows plains, too'
    )


def test_s5_the_round_is_finished_and_reservations_are_worth_nothing() -> None:
    tiles = big_surface(9)
    owners = dict.fromkeys(list(tiles)[:8], 1)
    position = turn(tiles, owners=owners, players=2, order=[1, 0], to_move=1)
    position.play('end turn')
    assert not position.over, 'seat 0 has still its turn'
    position.play('end turn')
    assert position.ending == 'terraformed'
    assert 'token' not in position.to_json()


@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_s5_the_number_of_tiles_that_ends_the_game(players: int) -> None:
    tiles = big_surface(9)
    assert TABLE['players'][str(players)]['end_tiles'] == END[players]
    for n in (END[players] - 1, END[players]):
        position = last_turn(tiles, owners=dict.fromkeys(list(tiles)[:n], 1), players=players).after(
            'end turn'
        )
        assert position.over == (n == END[players])


def test_s6_points_have_no_upper_end_and_none_lie_below_zero() -> None:
    position = turn(flower('P04'), 'green yellow black', owners={(1, 0): 1}, scores=[150, 0])
    assert json_of(pay(position, '0,0'), 'scores') == [153, 1]
    assert not names(turn(flower('P04'), 'green yellow', owners={(1, 0): 1}, scores=[0, 0]), 'reserve')


def test_s7_after_the_fortieth_round_the_game_is_scored() -> None:
    position = last_turn(flower(), round=39).after('end turn')
    assert json_of(position, 'round') == 40
    passed(position).play('end turn end turn')
    assert position.ending == 'endless'
    assert position.outcome() == [0.5, 0.5]


# ---- H: released and free elements -------------------------------------------------------------------------


def test_h1a_every_tile_that_releases_gives_a_free_element_and_no_other_does() -> None:
    for name in ORDINARY:
        position = last_turn(flower(name), owners={(0, 0): 0}).after('end turn')
        assert own(position).total() == (TILES[name].released is not None), name


def test_h1b_it_is_one_cube_of_the_released_colour_each_round() -> None:
    for colour in COLOURS:
        tile = next(name for name in ORDINARY if TILES[name].released == colour)
        position = last_turn(flower(tile), owners={(0, 0): 0}).after('end turn')
        assert own(position) == {colour: 1}
        passed(position).play('end turn end turn')
        assert own(position) == {colour: 1}, 'again, and unused ones are discarded'


def test_h1c_several_tiles_give_a_cube_each_also_of_one_colour() -> None:
    first = some_tile(lambda tile: tile.released == 'orange')
    second = some_tile(lambda tile: tile.released == 'orange', but=[first])
    third = some_tile(lambda tile: tile.released == 'red')
    owners = {(0, 0): 0, (1, 0): 0, (-1, 0): 0}
    assert own(last_turn(flower(first, second, third), owners=owners).after('end turn')) == {
        'orange': 2,
        'red': 1,
    }


def test_h1d_a_colour_that_was_wild_paid_or_lay_on_the_tile_already_is_released_and_free_all_the_same() -> (
    None
):
    wild = last_turn(flower('F07'), owners={(1, 0): 1}, pool={'green': 3, 'red': 1, 'blue': 1}, budget=5)
    lying = last_turn(
        flower('F07'), owners={(1, 0): 1}, cubes_on={(0, 0): 'yellow'}, pool={'red': 1, 'blue': 1}, budget=2
    )
    kept = last_turn(
        flower('F07'),
        owners={(1, 0): 1},
        cubes_on={(0, 0): 'yellow'},
        reserved={(0, 0): 0},
        pool={'red': 1, 'blue': 1},
        budget=2,
    )
    for position, steps in (
        (wild, 'pay yellow with 3 green pay red pay blue'),
        (lying, 'pay red pay blue'),
        (kept, 'pay red pay blue'),
    ):
        position.play(f'terraform 0,0 {steps}')
        assert json_of(position, 'pool') == {'yellow': 1}
        position.play('end turn')
        while json_of(position, 'phase') == 'place':
            position.play(position.legal()[0])
        assert own(position) == {'yellow': 1}


def test_h1e_what_was_not_to_be_had_is_not_owed_and_comes_again_when_there_is_one() -> None:
    """All yellow cubes are held by the opponent: nothing is released, nothing is free. A round later there
    are some."""
    position = last_turn(
        flower('F07'),
        owners={(1, 0): 1},
        pool={'green': 3, 'red': 1, 'blue': 1},
        budget=5,
        cubes=[{}, {'yellow': CUBES['yellow']}],
    )
    position.play('terraform 0,0 pay yellow with 3 green pay red pay blue')
    assert 'pool' not in position.to_json(), 'nothing is released'
    position.play('end turn')
    while json_of(position, 'phase') == 'place':
        position.play(position.legal()[0])
    assert not own(position), 'nothing is free'
    assert own(position, 1) == {'yellow': CUBES['yellow']}
    passed(position).play(' '.join(['end turn'] * 2))
    assert own(position) == {'yellow': 1}, 'one, not two or three'


def test_h1f_only_who_has_terraformed_the_tile_gets_it() -> None:
    reserved = last_turn(
        flower('F07'), owners={(1, 0): 1}, reserved={(0, 0): 0}, cubes_on={(0, 0): 'yellow'}
    ).after('end turn')
    assert not own(reserved)
    theirs = last_turn(flower('F07'), owners={(0, 0): 1}).after('end turn')
    assert not own(theirs)
    assert own(theirs, 1) == {'yellow': 1}


def test_h1g_an_eternity_token_is_one_thing_or_the_other() -> None:
    """A released cube of a token comes once, the free element of one at the ends of rounds; what the tile
    gives comes on top."""

    def token(kind: str) -> str:
        return next(name for name, found in TOKENS.items() if found['kind'] == kind)

    for kind, at_once in (('released', 1), ('free', 0)):
        for tile, printed in (('P04', None), ('F07', 'yellow')):
            name, element = token(kind), TOKENS[token(kind)]['element']
            required = dict.fromkeys(TILES[tile].required, 1)
            position = last_turn(
                flower(tile),
                owners={(1, 0): 1},
                tokens_on={(0, 0): name},
                options={'eternity': True},
                pool=required,
                budget=3,
            )
            position.play('terraform 0,0 ' + ' '.join(f'pay {colour}' for colour in TILES[tile].required))
            assert Counter(json_of(position, 'pool', {})) == Counter(
                [printed] * bool(printed) + [element] * at_once
            )
            position.play('end turn')
            while json_of(position, 'phase') in ('place', 'token'):
                position.play(position.legal()[0])
            assert own(position) == Counter([printed] * bool(printed) + [element] * (1 - at_once))


def test_h1h_the_kickstarter_tile_and_darkness_release_nothing_and_give_nothing() -> None:
    for tile in ('K01', *DARK):
        assert TILES[tile].released is None
    position = last_turn(flower('K01'), owners={(0, 0): 0}, options={'kickstarter': True}).after('end turn')
    assert not own(position)


def test_h2_what_is_released_is_required() -> None:
    assert all(tile.released in tile.required for tile in TILES.values() if tile.released)
    assert MYRACLIA.reconstructed
