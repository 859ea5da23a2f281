"""The rules of Myrmidons, one test a rule, named after it. The army of a small position is `c1=5-1-3
d1=1-1-1`: square and kind."""

from __future__ import annotations

import random
from collections import Counter
from math import prod
from typing import Any

import pytest

import ludoteca
from ludoteca.game import GameError, Position
from ludoteca.games.myrmidons import rules
from ludoteca.games.myrmidons.components import MOST_STEPS, N_SQUARES
from ludoteca.kernel import compiled
from tests.myrmidons.model import BASE, COMMANDER, KINDS
from tests.myrmidons.support import MYRMIDONS, TYPES, battlefield, board, played
from tests.playing import play_on

OTHERS = 'f7=1-1-1'  # far away


def at(mine: str, theirs: str = OTHERS, **more: Any) -> Position:
    """A small position in which seat 0 is to move."""
    return battlefield([mine, theirs], **more)


def ends(position: Position, square: str) -> set[str]:
    """Where a piece may go in a single move."""
    return {turn[3:] for turn in position.turns() if turn.startswith(f'{square}-')}


def orders(position: Position) -> set[str]:
    """The orders that may be given, without the words that all have."""
    return {turn[6:-3] for turn in position.turns() if turn.startswith('order')}


def standing(position: Position, seat: int) -> dict[str, str]:
    """A side's pieces as written in positions."""
    return {square: str(kind) for square, (side, kind) in sorted(board(position).items()) if side == seat}


def army(text: str) -> dict[str, str]:
    """The same of a text."""
    return dict(sorted(piece.split('=') for piece in text.split()))


# ---- the pieces and the setup ------------------------------------------------------------------------------


def test_there_are_nineteen_kinds_whose_values_add_up_to_nine_and_the_commander() -> None:
    names = {MYRMIDONS.action_name(None, action) for action in range(20)}
    assert names == {f'deploy {kind}' for kind in (COMMANDER, *KINDS)}
    assert len(KINDS) == 19
    assert tuple(map(str, TYPES)) == tuple(MYRMIDONS.action_name(None, action)[7:] for action in range(20))


def test_each_player_deploys_six_pieces_on_the_first_row_in_any_of_720_orders() -> None:
    position, choices = ludoteca.new('myrmidons', 2, 1), list[int]()
    assert set(position.legal()) == {f'deploy {kind}' for kind in (COMMANDER, *BASE)}
    for _ in range(12):
        choices.append(len(position.legal()))
        position.play(position.legal()[-1])
    assert prod(choices[:6]) == prod(choices[6:]) == 720
    assert ''.join(standing(position, 0)) == 'a1b1c1d1e1f1'
    assert ''.join(standing(position, 1)) == 'a7b7c7d7e7f7'


def test_the_base_armies_are_equal_and_seat_0_begins() -> None:
    position = ludoteca.new('myrmidons', 2, 1)
    for _ in range(12):
        position.play(position.legal()[0])
    assert Counter(standing(position, 0).values()) == Counter(standing(position, 1).values())
    assert position.to_move == 0
    assert position.state.turn == 0, 'deployments are no turns'


def test_the_board_is_filled_square_by_square_from_file_a() -> None:
    position = ludoteca.new('myrmidons', 2, 1)
    for kind in ('3-2-4', '1-1-1', '5-1-3', '2-5-2', '1-3-5', '4-4-1'):
        position.play(f'deploy {kind}')
    for kind in ('4-4-1', '1-3-5', '2-5-2', '5-1-3', '1-1-1', '3-2-4'):
        position.play(f'deploy {kind}')
    assert standing(position, 0) == army('a1=3-2-4 b1=1-1-1 c1=5-1-3 d1=2-5-2 e1=1-3-5 f1=4-4-1')
    assert standing(position, 1) == army('a7=4-4-1 b7=1-3-5 c7=2-5-2 d7=5-1-3 e7=1-1-1 f7=3-2-4')


def test_twelve_pieces_stand_on_the_two_first_rows() -> None:
    position = ludoteca.new('myrmidons', 2, 1, {'army': 'secret', 'size': 12})
    for _ in range(24):
        position.play(position.legal()[-1])
    assert {square[1] for square in standing(position, 0)} == {'1', '2'}
    assert {square[1] for square in standing(position, 1)} == {'6', '7'}
    assert len(board(position)) == 24


def test_an_agreed_army_consists_of_the_types_agreed() -> None:
    agreed = '1-5-3,2-2-5,3-3-3,4-1-4,5-3-1'
    position = ludoteca.new('myrmidons', 2, 1, {'army': 'agreed', 'types': agreed})
    for _ in range(2):
        assert set(position.legal()) == {f'deploy {kind}' for kind in ('1-1-1', *agreed.split(','))}
        for _ in range(6):
            position.play(position.legal()[0])


def test_a_secret_army_is_any_five_kinds_and_the_commander() -> None:
    position = ludoteca.new('myrmidons', 2, 1, {'army': 'secret'})
    assert len(position.legal()) == 20
    for n in range(5):
        assert len(position.legal()) == 20 - n
        position.play(position.legal()[-1])
    assert position.legal() == ['deploy 1-1-1'], 'no army is without its Commander'
    position.play('deploy 1-1-1')
    assert len(position.legal()) == 20, 'both may choose the same'
    position.play('deploy 1-1-1')
    assert len(position.legal()) == 19
    for _ in range(5):
        position.play(position.legal()[-1])
    assert position.to_move == 0
    assert position.state.phase == 1


def test_random_armies_are_drawn_from_two_blocks_of_each_kind() -> None:
    drawn, pairs, games = Counter[int](), 0, 400 if compiled else 20
    for seed in range(games):
        hands = ludoteca.new('myrmidons', 2, seed, {'army': 'random'}).state.hand
        assert hands.sum(axis=1).tolist() == [6, 6]
        assert hands[:, 0].tolist() == [1, 1]
        assert hands[:, 1:].sum(axis=0).max() <= 2
        drawn.update({number: int(n) for number, n in enumerate(hands.sum(axis=0))})
        pairs += int((hands[:, 1:] == 2).sum())
    if compiled:
        assert max(abs(drawn[kind] - games * 10 / 19) for kind in range(1, 20)) < 4 * (games * 10 / 19) ** 0.5
        mean = games * 2 * 19 * (5 / 38) * (4 / 37)  # both blocks of a kind in one hand of five
        assert abs(pairs - mean) < 4 * mean**0.5


def test_a_random_army_of_twelve_has_eleven_blocks_and_the_commander() -> None:
    hands = ludoteca.new('myrmidons', 2, 5, {'army': 'random', 'size': 12}).state.hand
    assert hands.sum(axis=1).tolist() == [12, 12]
    assert hands[:, 1:].sum(axis=0).max() <= 2


# ---- moving ------------------------------------------------------------------------------------------------


def test_a_piece_moves_up_to_its_movement_in_one_of_eight_directions() -> None:
    for kind in (COMMANDER, *KINDS):
        position = at(f'c4={kind}' + (' a1=1-1-1' if kind != COMMANDER else ''), options={'army': 'secret'})
        files, ranks = 'abcdef', '1234567'
        expected = {
            files[x] + ranks[y]
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if dx or dy
            for n in range(1, kind.movement + 1)
            if 0 <= (x := 2 + dx * n) < 6 and 0 <= (y := 3 + dy * n) < 7
        }
        assert ends(position, 'c4') == expected - {'a1', 'f7'} | ({'f7'} & expected)


def test_a_piece_does_not_jump_over_others_nor_onto_a_friend() -> None:
    position = at('a1=1-3-5 a3=2-5-2 d4=4-4-1 f1=1-1-1', 'c1=5-1-3 f7=1-1-1')
    assert ends(position, 'a1') == {'a2', 'b1', 'c1', 'b2', 'c3'}


def test_every_piece_of_the_side_may_be_moved_and_none_of_the_other() -> None:
    position = at('a1=1-3-5 f1=1-1-1', 'a7=1-3-5 f7=1-1-1')
    assert {turn[:2] for turn in position.turns()} == {'a1', 'f1'}
    assert {turn[:2] for turn in position.after('a1-a2').turns()} == {'a7', 'f7'}


def test_turns_alternate() -> None:
    position = at('a1=1-3-5 f1=1-1-1', 'a7=1-3-5 f7=1-1-1')
    movers = []
    for turn in ('a1-a2', 'a7-a6', 'a2-a3'):
        movers.append(position.to_move)
        position.play(turn)
    assert movers == [0, 1, 0]
    assert position.state.turn == 3


def test_there_is_no_pass_and_always_a_turn() -> None:
    position = at('a1=1-1-1', 'a2=2-5-2 b1=1-3-5 b2=4-4-1 f7=1-1-1')
    assert set(position.turns()) == {'a1-a2', 'a1-b1', 'a1-b2'}, 'even if only hopeless attacks are left'
    with pytest.raises(GameError, match='no step'):
        position.play('pass')


# ---- fights ------------------------------------------------------------------------------------------------


def test_no_fight_is_possible_on_the_first_move() -> None:
    for seed in range(20 if compiled else 2):
        position = ludoteca.new('myrmidons', 2, seed, {'army': ('base', 'secret')[seed % 2]})
        while position.state.phase == 0:
            position.play(position.legal()[seed % len(position.legal())])
        assert not any(turn[4] == '7' for turn in position.turns() if turn[2] == '-')
        for turn in position.turns()[::5]:
            assert not played(position, turn).state.n_fights


@pytest.mark.parametrize(
    ('sword', 'shield'), [('3-2-4', '4-3-2'), ('5-1-3', '2-5-2'), ('4-4-1', '1-3-5'), ('5-1-3', '5-1-3')]
)
def test_a_sword_as_strong_as_the_shield_removes_the_defender(sword: str, shield: str) -> None:
    position = at(f'c3={sword} a1=1-1-1', f'c4={shield} f7=1-1-1', options={'army': 'secret'}).after('c3-c4')
    assert standing(position, 0) == army(f'c4={sword} a1=1-1-1')
    assert standing(position, 1) == army('f7=1-1-1')
    assert position.scores() == [1, 0]


@pytest.mark.parametrize(
    ('sword', 'shield'), [('3-2-4', '4-4-1'), ('1-3-5', '2-5-2'), ('4-4-1', '2-5-2'), ('1-1-1', '3-2-4')]
)
def test_a_weaker_sword_is_repelled_and_nobody_is_lost(sword: str, shield: str) -> None:
    mine = f'c3={sword}' + (' a1=1-1-1' if sword != '1-1-1' else '')
    position = at(mine, f'c4={shield} f7=1-1-1').after('c3-c4')
    assert standing(position, 0) == army(mine), 'an attacker from next to it stays'
    assert standing(position, 1) == army(f'c4={shield} f7=1-1-1')
    assert position.scores() == [0, 0]
    assert position.to_move == 1


def test_a_repelled_attacker_stands_on_the_last_square_before_its_target() -> None:
    position = at('a1=1-3-5 f1=1-1-1', 'e5=2-5-2 f7=1-1-1').after('a1-e5')
    assert standing(position, 0) == army('d4=1-3-5 f1=1-1-1')


def test_both_pieces_of_a_fight_are_shown() -> None:
    for shield, taken in (('2-5-2', False), ('3-2-4', True)):
        position = at('c3=4-4-1 a1=1-1-1', f'c4={shield} f7=1-1-1')
        assert not position.state.seen.any()
        reveals = int(position.state.reveals)
        position.play('c3-c4')
        assert position.state.seen.sum() == 2
        assert position.state.reveals == reveals + 1
        for seat in range(-1, 2):
            types = position.hidden(seat).type
            assert types[position.state.attacker[0]] == TYPES.index(BASE[1])
            assert str(TYPES[types[position.state.defender[0]]]) == shield
            assert (position.state.at[position.state.defender[0]] < 0) == taken


def test_a_move_without_a_fight_reveals_nothing() -> None:
    position = at('c3=4-4-1 a1=1-1-1', 'c5=2-5-2 f7=1-1-1')
    reveals = int(position.state.reveals)
    assert played(position, 'c3-c4').state.reveals == reveals
    assert MYRMIDONS.kernels.revealed(played(position, 'c3-c4').state) == 0


def test_the_outcome_and_the_types_of_fights_are_told_apart_by_what_was_revealed() -> None:
    codes = set()
    for kind in ('2-5-2', '3-2-4', '1-3-5', '1-1-1'):
        others = '' if kind == '1-1-1' else ' f7=1-1-1'
        codes.add(
            MYRMIDONS.kernels.revealed(at('c3=4-4-1 a1=1-1-1', f'c4={kind}{others}').after('c3-c4').state)
        )
    assert len(codes) == 4
    assert 0 not in codes


@pytest.mark.parametrize('kind', [str(kind) for kind in (COMMANDER, *BASE)])
def test_the_commander_is_captured_by_any_piece_and_that_wins_at_once(kind: str) -> None:
    mine = f'c3={kind}' + (' a1=1-1-1' if kind != '1-1-1' else '')
    position = at(mine, 'c4=1-1-1 f7=2-5-2').after('c3-c4')
    assert position.ending == 'commander'
    assert position.outcome() == [1, 0]
    assert int(position.state.winner) == 0


# ---- orders ------------------------------------------------------------------------------------------------


def test_an_order_moves_friends_next_to_the_commander_and_the_commander_in_one_direction() -> None:
    position = at('c3=1-1-1 c2=5-1-3').after('order E c2:3 go')
    assert standing(position, 0) == army('d3=1-1-1 f2=5-1-3')


def test_an_order_needs_the_own_commander() -> None:
    assert not orders(at('c3=4-4-1 c2=5-1-3', 'f7=1-1-1'))


def test_only_friends_next_to_the_commander_can_be_named() -> None:
    found = orders(at('c3=1-1-1 d4=4-4-1 e3=5-1-3 a3=3-2-4'))
    assert {order.split()[1][:2] for order in found} == {'d4'}


def test_each_friend_goes_one_step_up_to_its_own_movement() -> None:
    found = orders(at('b2=1-1-1 a1=5-1-3 a2=4-4-1'))
    assert {order for order in found if order.startswith('E')} == {
        'E a1:1',
        'E a1:2',
        'E a1:3',
        'E a2:1',
        'E a1:1 a2:1',
        'E a1:2 a2:1',
        'E a1:3 a2:1',
    }


def test_an_order_without_a_friend_is_just_a_move_of_the_commander_and_not_offered_twice() -> None:
    position = at('c3=1-1-1 f1=4-4-1')
    assert not orders(position)
    assert 'c3-c4' in position.turns()
    begun = at('c3=1-1-1 c2=4-4-1').after('order E')
    assert 'go' not in begun.legal()
    assert begun.after('c2:1').legal() == ['go']


def test_an_order_is_illegal_if_the_commander_would_leave_the_board() -> None:
    assert {order.split()[0] for order in orders(at('a1=1-1-1 b2=5-1-3'))} == {'N', 'E', 'NE'}


def test_an_order_is_illegal_if_a_friend_does_not_clear_the_square_before_the_commander() -> None:
    found = orders(at('c3=1-1-1 c4=4-4-1 b3=5-1-3'))
    north = {order for order in found if order.startswith('N ')}
    assert north == {'N c4:1', 'N c4:1 b3:1', 'N c4:1 b3:2', 'N c4:1 b3:3'}, (
        'c4 has to go in every order north'
    )
    blocked = orders(at('c2=1-1-1 c1=4-4-1 b3=5-1-3'))
    assert not any(order.startswith('S ') for order in blocked), 'c1 cannot go'


def test_the_piece_in_front_clears_the_way_of_those_behind() -> None:
    position = at('c3=1-1-1 c4=4-4-1 c2=5-1-3')
    assert 'N c4:1 c2:1' in orders(position), 'all three go up by one'
    assert standing(position.after('order N c4:1 c2:1 go'), 0) == army('c5=4-4-1 c4=1-1-1 c3=5-1-3')
    position = at('b3=1-1-1 c4=3-2-4 c2=5-1-3')
    assert 'N c4:4 c2:3' not in orders(position), 'beyond the edge'
    assert {'N c4:2 c2:3', 'N c4:3 c2:3', 'N c2:1'} <= orders(position)
    assert not {'N c4:1 c2:3', 'N c2:2', 'N c2:3'} & orders(position), 'onto or over a friend'


def test_movers_do_not_pass_through_enemies_and_each_enemy_has_one_attacker() -> None:
    position = at('b3=1-1-1 c4=4-4-1 c2=1-3-5', 'c5=2-5-2 f7=1-1-1')
    found = {order for order in orders(position) if order.startswith('N ')}
    assert 'N c4:1 c2:2' in found, 'up to the square that the attacker left'
    assert not {'N c4:1 c2:3', 'N c4:1 c2:4'} & found
    beside = orders(at('c3=1-1-1 c2=5-1-3 c4=4-4-1', 'c5=2-5-2 f7=1-1-1'))
    assert 'N c4:1 c2:1' in beside
    assert 'N c4:1 c2:2' not in beside


def test_friends_are_named_front_to_back() -> None:
    position = at('c3=1-1-1 d4=4-4-1 b2=5-1-3 d2=1-3-5')
    assert 'NE d4:1 d2:1 b2:1' in orders(position)
    assert 'NE b2:1 d2:1 d4:1' not in orders(position)
    assert 'd2:1' in played(position, 'order NE d4:1').legal()
    assert 'd2:1' not in played(position, 'order NE d4:1 b2:1').legal()


def test_the_rulebooks_example() -> None:
    """The Commander and three units beside it go diagonally; two units and the Commander by one, the third by
    four. One of them fights; if it loses, it goes back, and the Commander behind it goes back too."""
    for shield, after in (
        ('4-4-1', 'b2=1-1-1 c3=2-5-2 c4=5-1-3 f5=1-3-5'),
        ('3-2-4', 'c3=1-1-1 d4=2-5-2 c4=5-1-3 f5=1-3-5'),
    ):
        position = at('b2=1-1-1 c3=2-5-2 b3=5-1-3 b1=1-3-5', f'd4={shield} a7=1-1-1').after(
            'order NE c3:1 b3:1 b1:4 go'
        )
        assert standing(position, 0) == army(after)


def test_a_repelled_attacker_pushes_back_the_line_behind_it() -> None:
    position = at('c3=1-1-1 c4=3-2-4 c2=5-1-3', 'c5=4-4-1 f7=1-1-1').after('order N c4:1 c2:1 go')
    assert standing(position, 0) == army('c4=3-2-4 c3=1-1-1 c2=5-1-3')
    assert standing(position, 1) == army('c5=4-4-1 f7=1-1-1')


def test_a_line_that_closed_up_is_pushed_back_one_square_only() -> None:
    position = at('b2=1-1-1 c3=3-2-4 c2=1-3-5 c1=5-1-3', 'c6=4-4-1 f7=1-1-1').after(
        'order N c3:3 c2:3 c1:3 go'
    )
    assert standing(position, 0) == army('b3=1-1-1 c5=3-2-4 c4=1-3-5 c3=5-1-3')


def test_movers_behind_a_gap_stay_where_they_are() -> None:
    position = at('b2=1-1-1 c3=3-2-4 c2=1-3-5', 'c6=4-4-1 f7=1-1-1').after('order N c3:3 c2:2 go')
    assert standing(position, 0) == army('b3=1-1-1 c5=3-2-4 c4=1-3-5')


def test_other_lines_are_not_pushed_back() -> None:
    position = at('c3=1-1-1 d3=3-2-4 b3=5-1-3', 'd4=4-4-1 f7=1-1-1').after('order N b3:1 d3:1 go')
    assert standing(position, 0) == army('c4=1-1-1 d3=3-2-4 b4=5-1-3')


def test_the_commander_may_fight_in_its_order_and_is_repelled_like_others() -> None:
    position = at('c3=1-1-1 c2=5-1-3 b3=4-4-1', 'c4=3-2-4 f7=1-1-1').after('order N b3:1 c2:1 go')
    assert standing(position, 0) == army('c3=1-1-1 c2=5-1-3 b4=4-4-1')
    won = at('c3=1-1-1 c2=5-1-3', 'c4=5-1-3 f7=1-1-1').after('order N c2:1 go')
    assert standing(won, 0) == army('c4=1-1-1 c3=5-1-3'), 'a shield of 1 falls to the Commander'


def test_several_pieces_may_fight_in_one_order() -> None:
    position = at('c3=1-1-1 b4=4-4-1 d4=5-1-3', 'b5=2-5-2 d5=4-4-1 f7=1-1-1').after('order N b4:1 d4:1 go')
    assert standing(position, 0) == army('b4=4-4-1 c4=1-1-1 d5=5-1-3')
    assert standing(position, 1) == army('b5=2-5-2 f7=1-1-1')
    assert position.state.n_fights == 2
    assert position.state.seen.sum() == 4


def test_fights_come_after_all_movement() -> None:
    """A friend follows up to the square that the attacker has left; if the attacker loses, it comes back
    there."""
    position = at('b3=1-1-1 c4=3-2-4 c2=1-3-5', 'c5=4-4-1 f7=1-1-1').after('order N c4:1 c2:2 go')
    assert standing(position, 0) == army('b4=1-1-1 c4=3-2-4 c3=1-3-5')


def test_a_capture_of_the_commander_in_the_middle_of_an_order_wins_at_once() -> None:
    position = at('c3=1-1-1 c4=4-4-1 d3=5-1-3', 'c5=1-1-1 d4=3-2-4').after('order N c4:1 d3:1 go')
    assert position.ending == 'commander'
    assert position.state.n_fights == 1, 'the second fight is not fought'
    assert standing(position, 1) == army('d4=3-2-4')
    assert position.scores() == [1, 0]


def test_the_fourth_capture_in_the_middle_of_an_order_wins_at_once() -> None:
    taken = [{'owner': 1, 'type': kind} for kind in ('4-4-1', '2-5-2', '1-3-5')]
    position = at('c3=1-1-1 c4=4-4-1 d3=5-1-3', 'c5=3-2-4 d4=1-1-1', taken=taken).after(
        'order N c4:1 d3:1 go'
    )
    assert position.ending == 'pieces'
    assert position.scores() == [4, 0]
    assert standing(position, 1) == army('d4=1-1-1')


def test_nothing_moves_before_go() -> None:
    position = at('c3=1-1-1 d3=3-2-4 b3=5-1-3')
    begun = position.copy().after('order N b3:1')
    assert begun.to_move == 0
    assert board(begun) == board(position)
    assert begun.state.turn == position.state.turn


def test_an_order_begun_can_be_completed() -> None:
    """Whatever is named, there is a way on: no dead ends."""
    stack = [at('c2=1-1-1 c3=4-4-1 b1=5-1-3 d3=1-3-5 b3=2-5-2', 'c4=3-2-4 e4=4-4-1 f7=1-1-1')]
    seen = 0
    while stack:
        position = stack.pop()
        for name in position.legal():
            if name != 'go' and '-' not in name:
                stack.append(position.copy().after(name))
                assert stack[-1].legal()
                seen += 1
    assert seen > 50


# ---- the end -----------------------------------------------------------------------------------------------


def test_a_piece_on_the_back_rank_wins_at_the_start_of_the_next_own_turn() -> None:
    position = at('a6=2-5-2 c1=1-1-1', 'e7=1-1-1 e6=3-2-4').after('a6-a7')
    assert not position.over, 'the other has a turn to answer'
    position.play('e6-e5')
    assert position.ending == 'back_rank'
    assert position.outcome() == [1, 0]


def test_a_runner_that_is_captured_in_time_does_not_win() -> None:
    position = at('a6=3-2-4 c1=1-1-1', 'e7=1-1-1 b6=3-2-4').after('a6-a7 b6-a7')
    assert not position.over
    assert position.scores() == [0, 1]


def test_a_runner_that_an_attacker_could_not_beat_wins() -> None:
    assert at('a6=2-5-2 c1=1-1-1', 'e7=1-1-1 b6=3-2-4').after('a6-a7 b6-a7').ending == 'back_rank'


def test_the_own_back_rank_does_not_win() -> None:
    position = at('a1=2-5-2 c1=1-1-1', 'e7=1-1-1 b6=3-2-4').after('a1-a2 e7-e6 a2-a1 e6-e7')
    assert not position.over


def test_of_two_runners_the_one_wins_whose_turn_begins_first() -> None:
    position = at('a6=2-5-2 c3=1-1-1', 'e7=1-1-1 f2=3-2-4', to_move=1).after('f2-f1')
    assert not position.over
    position.play('a6-a7')
    assert position.ending == 'back_rank'
    assert position.outcome() == [0, 1]


def test_the_seat_1_wins_on_rank_1() -> None:
    assert at('a3=2-5-2 c3=1-1-1', 'e7=1-1-1 f2=3-2-4', to_move=1).after('f2-f1 a3-a4').outcome() == [0, 1]


def test_a_commander_on_the_back_rank_wins_too() -> None:
    assert at('a6=1-1-1 c1=4-4-1', 'e7=1-1-1 e6=3-2-4').after('a6-a7 e6-e5').ending == 'back_rank'


def captures(n: int, **options: Any) -> Position:
    """So many of seat 1's pieces are taken already, and another can be."""
    taken = [{'owner': 1, 'type': str(kind)} for kind in KINDS[:n]]
    return at(
        'c3=5-1-3 a1=1-1-1', 'c4=5-2-2 f7=1-1-1 e7=5-3-1', taken=taken, options={'army': 'secret', **options}
    )


def test_four_pieces_taken_win() -> None:
    assert captures(3).after('c3-c4').ending == 'pieces'
    assert captures(3).after('c3-c4').outcome() == [1, 0]
    assert not captures(2).after('c3-c4').over


def test_with_twelve_pieces_four_win_or_by_option_eight() -> None:
    assert captures(3, size=12).after('c3-c4').ending == 'pieces'
    assert not captures(3, size=12, capture=8).after('c3-c4').over
    assert captures(7, size=12, capture=8).after('c3-c4').ending == 'pieces'


SHUFFLE = 'a1-a2 f7-f6 a2-a1 f6-f7'


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    position = at('a1=2-5-2 c1=1-1-1', 'f7=1-1-1 e7=3-2-4').after(SHUFFLE)
    assert not position.over, 'the second'
    position.play(SHUFFLE)
    assert position.ending == 'repetition'
    assert position.outcome() == [0.5, 0.5]
    assert int(position.state.winner) == -1


def test_the_position_right_after_a_capture_is_its_first_occurrence() -> None:
    position = captures(0).after('c3-c4')
    back = 'f7-f6 a1-a2 f6-f7 a2-a1'
    position.play(back)
    assert not position.over, 'the second'
    assert position.after(back).ending == 'repetition'


def test_by_option_positions_may_be_repeated() -> None:
    position = at('a1=2-5-2 c1=1-1-1', 'f7=1-1-1 e7=3-2-4', options={'repetition': False})
    assert not position.after(' '.join([SHUFFLE] * 5)).over


def test_positions_are_the_same_only_if_the_same_pieces_stand_there() -> None:
    """Two pieces that have changed places make another position, by where they came from, whatever their
    types."""
    position, swap = (
        at('a1=2-5-2 b1=4-4-1 d1=1-1-1', 'f7=1-1-1 e7=3-2-4'),
        'a1-a2 f7-f6 b1-a1 f6-e6 a2-b1 e6-f7',
    )
    squares = set(board(position))
    for _ in range(3):
        assert not play_on(position, swap).over
        assert set(board(position)) == squares
    assert position.after(swap).ending == 'repetition', 'the third time that they stand as at the start'


def test_a_position_with_another_seat_to_move_is_another() -> None:
    position = at('a1=2-5-2 c1=1-1-1', 'f7=1-1-1 e7=3-2-4')
    squares = board(position)
    position.play('c1-c2 f7-f6 c2-d1 f6-f7 d1-c1')
    assert board(position) == squares
    assert position.to_move == 1
    position.play('f7-f6 c1-c2 f6-e6 c2-c1 e6-f7')
    assert board(position) == squares
    assert not position.over
    assert position.after(SHUFFLE).ending == 'repetition'


@pytest.mark.parametrize(('length', 'ending'), [(16, 'repetition'), (18, '')])
def test_only_the_last_64_positions_are_compared(length: int, ending: str) -> None:
    """Two Commanders walk round in loops of so many squares: after two rounds they stand as at the start for
    the third time."""
    detour = ['d3', 'c3'] if length == 18 else []
    ring = [
        'a1',
        'b1',
        'c1',
        'd1',
        'e1',
        'f1',
        'f2',
        'f3',
        'e3',
        'e2',
        'd2',
        *detour,
        'c2',
        'b2',
        'b3',
        'a3',
        'a2',
    ]
    position = at('a1=1-1-1', 'a7=1-1-1', options={'sixty': False})
    for turn in range(4 * length):
        assert not position.over
        squares = [square[0] + ('765' if turn % 2 else '123')[int(square[1]) - 1] for square in ring]
        position.play(f'{squares[turn // 2 % length]}-{squares[(turn // 2 + 1) % length]}')
    assert position.ending == ending


def test_sixty_turns_without_a_capture_are_a_draw() -> None:
    position = at('a1=2-5-2 c1=1-1-1', 'f7=1-1-1 e7=3-2-4', quiet=58).after('a1-a2')
    assert not position.over
    position.play('f7-f6')
    assert position.ending == 'sixty_turns'
    assert position.outcome() == [0.5, 0.5]
    assert (
        not at('a1=2-5-2 c1=1-1-1', 'f7=1-1-1 e7=3-2-4', quiet=59, options={'sixty': False})
        .after('a1-a2 f7-f6')
        .over
    )


def test_a_capture_starts_the_count_of_sixty_anew_and_a_repelled_attack_does_not() -> None:
    position = at('c3=4-4-1 a1=1-1-1', 'c4=3-2-4 f7=1-1-1 e7=2-5-2', quiet=59)
    assert int(played(position, 'c3-c4').state.quiet) == 0
    assert not played(position, 'c3-c4').over
    repelled = at('c3=3-2-4 a1=1-1-1', 'c4=4-4-1 f7=1-1-1', quiet=59).after('c3-c4')
    assert repelled.ending == 'sixty_turns'


def test_the_back_rank_comes_before_the_sixty_turns() -> None:
    assert (
        at('a7=2-5-2 c1=1-1-1', 'f7=1-1-1 e7=3-2-4', to_move=1, quiet=59).after('f7-f6').ending == 'back_rank'
    )


def test_both_draw_rules_are_on_by_default() -> None:
    state = ludoteca.new('myrmidons', 2, 1).state
    assert (int(state.repetition), int(state.sixty)) == (1, 1)


# ---- options -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('options', 'sentence'),
    [
        ({'size': 12}, 'Twelve pieces a side need'),
        ({'types': '1-3-5,1-4-4'}, 'agreed army only'),
        ({'army': 'agreed', 'types': '1-3-5,1-4-4'}, 'has 5 types besides the Commander, not 2'),
        ({'army': 'agreed', 'size': 12}, 'has 11 types besides the Commander, not 5'),
        ({'capture': 8}, 'twelve pieces a side'),
        ({'army': 'agreed', 'types': '9-9-9'}, '9-9-9'),
        ({'army': 'both'}, 'both'),
    ],
)
def test_options_that_do_not_go_together_are_refused_with_a_sentence(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(GameError, match=sentence):
        ludoteca.new('myrmidons', 2, 1, options)


def test_myrmidons_is_a_game_for_two() -> None:
    with pytest.raises(GameError):
        ludoteca.new('myrmidons', 3, 1)


@pytest.mark.parametrize('movement', range(1, MOST_STEPS + 1))
def test_lines_end_at_the_first_piece_on_them(movement: int) -> None:
    """Sets of squares against steps, one after the other: with few, many and no pieces on the board."""
    rng = random.Random(movement)
    for pieces in (0, *(rng.randrange(1, 40) for _ in range(40))):
        occupied = sum(1 << square for square in rng.sample(range(N_SQUARES), pieces))
        for square in range(N_SQUARES):
            stepped = 0
            for heading in range(8):
                to = square
                for _ in range(rules.reach(square, heading, movement, occupied, occupied)):
                    to += int(rules.OFFSET[heading])
                    stepped |= 1 << to
            assert rules.targets_from(square, movement, occupied) == stepped
