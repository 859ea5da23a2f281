"""The options: what they may be, how they are given, which do not go together, and what they do to the start
of a game."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import ludoteca
from ludoteca.game import GameError
from tests.myrmidons.support import MYRMIDONS

KINDS = (
    '1-3-5',
    '1-4-4',
    '1-5-3',
    '2-2-5',
    '2-3-4',
    '2-4-3',
    '2-5-2',
    '3-1-5',
    '3-2-4',
    '3-3-3',
    '3-4-2',
    '3-5-1',
    '4-1-4',
    '4-2-3',
    '4-3-2',
    '4-4-1',
    '5-1-3',
    '5-2-2',
    '5-3-1',
)
BASE = '1-3-5,2-5-2,3-2-4,4-4-1,5-1-3'
OTHER = '1-4-4,2-3-4,3-3-3,4-2-3,5-3-1'


def hands(**options: Any) -> list[list[str]]:
    """What both seats have to deploy."""
    hand: list[list[str]] = ludoteca.new('myrmidons', seed=3, options=options).to_json()['hand']
    return hand


def sentence(**options: Any) -> str:
    with pytest.raises(GameError) as error:
        ludoteca.new('myrmidons', seed=1, options=options)
    assert str(error.value).endswith('.')
    return str(error.value)


def test_the_defaults_are_those_of_the_rulebook() -> None:
    assert dataclasses.asdict(MYRMIDONS.options()) == {
        'army': 'base',
        'size': 6,
        'types': BASE,
        'capture': 4,
        'memory': True,
        'repetition': True,
        'sixty': True,
    }


def test_there_are_nineteen_types_of_nine_points_beside_the_commander() -> None:
    triples = {f'{a}-{b}-{9 - a - b}' for a in range(1, 6) for b in range(1, 6) if 1 <= 9 - a - b <= 5}
    assert MYRMIDONS.options.members() == {'types': KINDS}
    assert set(KINDS) == triples


def test_the_base_set_shows_each_value_once() -> None:
    assert '3-2-4' in BASE.split(',')
    for values in zip(*(kind.split('-') for kind in BASE.split(',')), strict=True):
        assert sorted(values) == list('12345')


def test_both_armies_of_the_base_set_are_equal() -> None:
    assert hands() == [['1-1-1', *BASE.split(',')]] * 2


@pytest.mark.parametrize(
    'given', [OTHER, OTHER.split(','), '5-3-1 3-3-3, 4-2-3,1-4-4  2-3-4', tuple(reversed(OTHER.split(',')))]
)
def test_an_agreed_army_is_named_in_any_order(given: Any) -> None:
    assert MYRMIDONS.options.read({'types': given}).changed() == {'types': OTHER}
    assert hands(army='agreed', types=given) == [['1-1-1', *OTHER.split(',')]] * 2


def test_an_agreed_army_may_be_the_base_set() -> None:
    assert hands(army='agreed') == hands()


def test_an_agreed_army_of_twelve_has_eleven_types() -> None:
    assert hands(army='agreed', size=12, types=KINDS[:11]) == [['1-1-1', *KINDS[:11]]] * 2


@pytest.mark.parametrize('size', [6, 12])
def test_a_secret_army_is_chosen_of_all_types_while_deploying(size: int) -> None:
    assert hands(army='secret', size=size) == [['1-1-1', *KINDS]] * 2
    position = ludoteca.new('myrmidons', seed=1, options={'army': 'secret', 'size': size})
    for kind in KINDS[: size - 1]:
        position.play(f'deploy {kind}')
    assert position.legal() == ['deploy 1-1-1']  # the last square is the Commander's
    assert position.after('deploy 1-1-1').to_json()['hand'] == [[], ['1-1-1', *KINDS]]


@pytest.mark.parametrize('size', [6, 12])
def test_random_armies_are_drawn_from_two_blocks_of_each_type(size: int) -> None:
    seen = set()
    for seed in range(40):
        hand = ludoteca.new('myrmidons', seed=seed, options={'army': 'random', 'size': size}).to_json()[
            'hand'
        ]
        assert [len(types) for types in hand] == [size, size]
        assert [types.count('1-1-1') for types in hand] == [1, 1]
        both = [kind for types in hand for kind in types if kind != '1-1-1']
        assert all(both.count(kind) <= 2 for kind in both)
        seen |= set(both)
    assert seen == set(KINDS)


def test_options_are_read_from_text_and_refused_with_a_sentence() -> None:
    assert MYRMIDONS.options.read({'memory': 'false', 'size': '12'}).changed() == {
        'memory': False,
        'size': 12,
    }
    assert 'none of them' in sentence(types='5-1-4')
    assert 'none of them' in sentence(types=['1-1-1'])
    assert 'one of' in sentence(size=7)
    assert 'one of' in sentence(army='mine')
    assert 'no option' in sentence(speed=1)


def test_options_that_do_not_go_together_are_refused_with_a_sentence() -> None:
    assert 'expansion' in sentence(size=12)
    assert 'agreed army only' in sentence(types=OTHER)
    assert 'agreed army only' in sentence(types=OTHER, army='secret')
    assert '5 types besides the Commander, not 4' in sentence(army='agreed', types=KINDS[:4])
    assert '5 types besides the Commander, not 6' in sentence(army='agreed', types=KINDS[:6])
    assert '11 types besides the Commander, not 5' in sentence(army='agreed', size=12)
    assert 'not 0: none' in sentence(army='agreed', types='')
    assert 'twelve pieces' in sentence(capture=8)
    assert ludoteca.new('myrmidons', seed=1, options={'army': 'secret', 'size': 12, 'capture': 8}).legal()
