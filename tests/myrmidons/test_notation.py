"""Names of steps, and positions as JSON: exact round trips, and one sentence for whatever is wrong."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import GameError, Position, first_action
from ludoteca.game import position as read_position
from ludoteca.games.myrmidons.rules import State
from ludoteca.kernel import compiled
from ludoteca.text import Words
from tests.myrmidons.support import ACTIONS, GO, MYRMIDONS, battlefield, word
from tests.playing import play_on

WORDS = Words(Path(MYRMIDONS.folder))
WHOLE = -2
LARGE = '1-3-5,1-4-4,1-5-3,2-2-5,2-3-4,2-4-3,2-5-2,3-1-5,3-2-4,3-3-3,3-4-2'
ARMIES: dict[str, dict[str, Any]] = {
    'base': {},
    'agreed': {'army': 'agreed', 'types': '1-4-4,2-3-4,3-3-3,4-2-3,5-3-1'},
    'agreed, twelve': {'army': 'agreed', 'size': 12, 'types': LARGE},
    'secret': {'army': 'secret', 'memory': False},
    'secret, twelve': {'army': 'secret', 'size': 12, 'capture': 8},
    'random': {'army': 'random', 'repetition': False},
    'random, twelve': {'army': 'random', 'size': 12, 'sixty': False},
}
BASE = ['1-1-1', '1-3-5', '2-5-2', '3-2-4', '4-4-1', '5-1-3']


# ---- names -------------------------------------------------------------------------------------------------


def test_names_are_those_that_are_documented_and_read_back() -> None:
    state = ludoteca.new('myrmidons', seed=1).state
    assert MYRMIDONS.n_actions == GO + 1 == len(ACTIONS)
    for action in range(GO + 1):
        assert MYRMIDONS.action_name(state, action) == word(action)
        assert MYRMIDONS.action_from_name(state, word(action)) == action


def test_names_of_two_words_are_read_from_a_text() -> None:
    assert MYRMIDONS.most_words == 2 == max(len(name.split()) for name in ACTIONS)
    state = battlefield(['b1=3-2-4 c1=1-1-1', 'c7=1-1-1']).state
    text = ['order', 'NE', 'b1:1', 'go']
    names = []
    while text:
        action, name, text = first_action(MYRMIDONS, state, text)
        assert action == ACTIONS[name]
        names.append(name)
    assert names == ['order NE', 'b1:1', 'go']


def test_whole_turns_and_single_steps_are_played_by_name() -> None:
    start = battlefield(['b1=3-2-4 c1=1-1-1', 'c7=1-1-1'])
    whole, single = start.copy().after('order NE b1:3 go'), start.copy()
    for step in ('order NE', 'b1:3', 'go'):
        assert step in single.legal()
        single.play(step)
    assert whole.to_json() == single.to_json()
    assert 'order NE b1:3 go' in start.turns()
    with pytest.raises(GameError, match='order'):
        start.play('order')
    with pytest.raises(GameError, match="'NE'"):
        start.play('NE')


@pytest.mark.parametrize(
    'text',
    [
        '',
        'g',
        'Go',
        'go go',
        'order',
        'order X',
        'order ne',
        'order  NE',
        'order NE b1:1',
        'deploy',
        'deploy 5',
        'deploy 5-1-4',
        'deploy 5-1-3 1-1-1',
        'c1',
        'c1-',
        'c1-c8',
        'g1-c4',
        'c1-c4-c5',
        'c1:0',
        'c1:6',
        'c1:',
        'c1:12',
        'c1+2',
        'C1-C4',
        '\N{FULLWIDTH LATIN SMALL LETTER C}1-c4',
        'x' * 500,
    ],
)
def test_what_names_no_step_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(GameError) as error:
        MYRMIDONS.action_from_name(ludoteca.new('myrmidons', seed=1).state, text)
    assert_sentence(str(error.value))


# ---- positions ---------------------------------------------------------------------------------------------


def piece(at: str, owner: int, kind: str | None, **more: Any) -> dict[str, Any]:
    return {'at': at, 'owner': owner, 'type': kind, **more}


SHORT: dict[str, Any] = {
    'game': 'myrmidons',
    'to_move': 0,
    'pieces': [
        piece('c1', 0, '5-1-3'),
        piece('d1', 0, '1-1-1'),
        piece('c7', 1, '1-1-1'),
        piece('e7', 1, '2-5-2'),
    ],
}
LAST: dict[str, Any] = {
    'seat': 1,
    'heading': 'S',
    'moved': {'c7': ['c7', 2], 'e7': ['e7', 1]},
    'fights': [['c7', 'c1', True]],
}
ORDER: dict[str, Any] = {**SHORT, 'order': {'heading': 'NE', 'friends': {'c1': 1}}}


def without(*keys: str, **changed: Any) -> dict[str, Any]:
    """The short position without these keys and with others."""
    return {key: value for key, value in SHORT.items() if key not in keys} | changed


def lone(**changed: Any) -> dict[str, Any]:
    """The short position with its first piece changed."""
    return without(pieces=[{**SHORT['pieces'][0], **changed}, *SHORT['pieces'][1:]])


def read(data: Any) -> Position:
    """A position that went through text."""
    return read_position(json.loads(json.dumps(data)))


def states_of_games(options: dict[str, Any], seed: int) -> Iterator[tuple[Position, int, State]]:
    """The positions of a random game, now as they are (viewer WHOLE), now as a seat or a spectator knows or
    remembers them."""
    chooser = random.Random(f'{options} {seed}')
    position = ludoteca.new('myrmidons', seed=seed, options=options)
    while True:
        viewer = WHOLE if position.over else chooser.randrange(WHOLE, 2)
        state = position.state if viewer == WHOLE else position.hidden(viewer)
        if viewer != WHOLE and chooser.randrange(2):
            MYRMIDONS.kernels.forget(state, viewer, chooser.randrange(2))
        yield position, viewer, state
        if position.over or (not compiled and position.state.turn > 12):
            return
        position.apply(chooser.choice(position.actions()))


@pytest.mark.parametrize('army', ARMIES)
def test_positions_read_back_exactly(army: str) -> None:
    """True and hidden, in the middle of deployments and orders, and after the end; whatever the order of the
    keys."""
    phases = set()
    for seed in range(3 if compiled else 1):
        for position, viewer, state in states_of_games(ARMIES[army], seed):
            data = MYRMIDONS.to_json(state)
            again = read(data)
            assert again.to_json() == data
            assert read_position(json.loads(json.dumps(data, sort_keys=True))).to_json() == data
            assert (again.ending, again.state.winner) == (position.ending, position.state.winner)
            for name in (
                'type',
                'at',
                'on',
                'far',
                'seen',
                'hand',
                'placed',
                'friend',
                'steps',
                'men',
                'key',
                'clear',
                'prey',
            ):
                # of those taken they mean nothing
                kept = state.at >= 0 if name in ('far', 'seen') else slice(None)
                assert np.array_equal(
                    np.atleast_1d(again.state[name])[kept], np.atleast_1d(state[name])[kept]
                ), name
            if viewer in (WHOLE, position.to_move):
                assert again.actions() == position.actions()
            phases.add((int(state.phase), bool(state.ending)))
    assert phases >= ({(0, False), (1, False), (1, True), (2, False)} if compiled else {(0, False)})


@pytest.mark.parametrize('army', ARMIES)
def test_masks_are_derived_again(army: str) -> None:
    """What everybody can deduce need not be written."""
    for _, _, state in states_of_games(ARMIES[army], 7):
        there = state.at >= 0
        assert read(MYRMIDONS.to_json(state)).state.mask[there].tolist() == state.mask[there].tolist()


def test_a_game_goes_on_alike_from_a_position_read() -> None:
    chooser = random.Random(5)
    for army in ARMIES:
        position = ludoteca.new('myrmidons', seed=5, options=ARMIES[army])
        for _ in range(40):
            if not position.over:
                position.apply(chooser.choice(position.actions()))
        again = read(position.to_json())
        for _ in range(400 if compiled else 20):
            if position.over:
                break
            action = chooser.choice(position.actions())
            position.apply(action)
            again.apply(action)
            assert again.to_json() == position.to_json()
            assert again.ending == position.ending


def test_the_short_form_is_enough() -> None:
    position = read(SHORT)
    assert position.to_json() == SHORT  # nothing is added
    assert (position.to_move, position.state.turn, position.state.quiet, position.ending) == (0, 0, 0, '')
    assert 'order NE c1:1 go' in position.turns()
    assert play_on(position, 'c1-f4').to_json() == {
        'game': 'myrmidons',
        'to_move': 1,
        'turn': 1,
        'quiet': 1,
        'pieces': [
            piece('f4', 0, '5-1-3', start='c1', moved=3),
            *SHORT['pieces'][1:3],
            piece('e7', 1, '2-5-2'),
        ],
        'last': {'seat': 0, 'heading': 'NE', 'moved': {'c1': ['c1', 3]}},
        'history': position.to_json()['history'],
    }


def test_keys_come_in_a_fixed_order() -> None:
    data = read(
        {
            'taken': [{'type': '4-4-1', 'owner': 1}],
            'quiet': 2,
            'turn': 9,
            **ORDER,
            'options': {'memory': False},
        }
    ).to_json()
    assert list(data) == ['game', 'options', 'to_move', 'turn', 'quiet', 'pieces', 'taken', 'order']
    full = piece('d4', 1, '2-5-2', start='d7', moved=2, seen=True, no_commander=True)
    again = read({'ending': 'repetition', 'last': LAST, **SHORT}).to_json()
    assert list(again) == ['game', 'to_move', 'pieces', 'last', 'ending']
    assert list(again['last']) == ['seat', 'heading', 'moved', 'fights']
    assert list(read(without(pieces=[*SHORT['pieces'][:3], full])).to_json()['pieces'][-1]) == list(full)


def test_a_piece_begins_on_its_square_if_it_can_else_on_the_first_one_free() -> None:
    pieces = [
        piece('c3', 0, '5-1-3'),
        piece('a1', 0, '1-1-1'),
        piece('d3', 0, '3-2-4', start='f1'),
        piece('a2', 0, '2-5-2'),
        SHORT['pieces'][2],
    ]
    begun = {
        entry['at']: entry.get('start', entry['at'])
        for entry in read(without(pieces=pieces)).to_json()['pieces']
    }
    assert begun == {'a1': 'a1', 'c3': 'b1', 'a2': 'c1', 'd3': 'f1', 'c7': 'c7'}


def test_a_side_of_known_types_without_commander_is_leaderless() -> None:
    data = without(pieces=[SHORT['pieces'][0], piece('c7', 1, '1-3-5')])
    assert read(data).to_json()['leaderless'] == [0, 1]
    assert not any(name.startswith('order') for name in read(data).legal())
    unknown = read(without(pieces=[*SHORT['pieces'][:2], piece('c7', 1, None)]))
    assert 'leaderless' not in unknown.to_json()
    assert int(unknown.state.mask[14]) == 1  # who else could be the Commander?
    assert (
        read(without(pieces=[*SHORT['pieces'][:2], piece('c7', 1, None)], leaderless=[1])).state.mask[14] & 1
        == 0
    )


def test_an_order_being_made_is_written_and_read() -> None:
    position = read(SHORT)
    assert play_on(position, 'order NE').to_json() == {**SHORT, 'order': {'heading': 'NE', 'friends': {}}}
    assert position.legal() == ['c1:1', 'c1:2', 'c1:3']
    assert play_on(position, 'c1:1').to_json() == ORDER
    assert position.legal() == ['go']
    assert read({**SHORT, 'order': {'heading': 'NE'}}).legal() == ['c1:1', 'c1:2', 'c1:3']
    assert MYRMIDONS.to_json(read(ORDER).hidden(1)) == MYRMIDONS.to_json(read(SHORT).hidden(1))


def test_friends_of_an_order_are_read_in_any_order() -> None:
    start = battlefield(['b1=3-2-4 c1=1-1-1 d2=1-3-5 c2=4-4-1', 'c7=1-1-1'])
    ready = start.copy().after('order N c2:1 d2:4 b1:2').to_json()
    assert list(ready['order']['friends']) == ['c2', 'd2', 'b1']
    ready['order']['friends'] = dict(reversed(ready['order']['friends'].items()))
    assert list(read(ready).to_json()['order']['friends']) == ['c2', 'd2', 'b1']


def test_the_last_turn_is_written_front_to_back_and_read_in_any_order() -> None:
    start = battlefield(['c1=1-1-1 d1=4-4-1 c2=5-1-3', 'c7=1-1-1 d5=2-5-2 d2=1-3-5'])
    data = start.after('order N c2:3 d1:1 go').to_json()
    assert data['last'] == {
        'seat': 0,
        'heading': 'N',
        'order': True,
        'moved': {'a1': ['c2', 3], 'c1': ['c1', 1], 'd1': ['d1', 1]},
        'fights': [['d1', 'b7', True]],
    }
    data['last']['moved'] = dict(reversed(data['last']['moved'].items()))
    assert list(read(data).to_json()['last']['moved']) == ['a1', 'c1', 'd1']


def test_a_deployment_is_written_and_read() -> None:
    start = ludoteca.new('myrmidons', seed=1)
    data = start.to_json()
    assert [(entry['at'], entry['type']) for entry in data['pieces'][5:8]] == [
        ('f1', None),
        ('a7', None),
        ('b7', None),
    ]
    assert (data['deployed'], data['hand']) == ([0, 0], [BASE, BASE])
    data = play_on(start, 'deploy 2-5-2').to_json()
    assert data['pieces'][0] == piece('a1', 0, '2-5-2')
    assert data['hand'] == [[name for name in BASE if name != '2-5-2'], BASE]
    assert read(data).legal() == start.legal()
    seen = MYRMIDONS.to_json(start.hidden(1))
    assert seen['pieces'][0] == piece('a1', 0, None)
    assert seen['hand'] == [None, BASE]
    missing = {**data, 'hand': [data['hand'][0], BASE]}
    del missing['deployed']
    with pytest.raises(GameError):
        read(missing)
    assert read(
        {
            key: value
            for key, value in ludoteca.new('myrmidons', seed=1).to_json().items()
            if key != 'deployed'
        }
    ).legal()


def test_hidden_types_are_null_and_read_back() -> None:
    position = read(without(pieces=[*SHORT['pieces'][:3], piece('e7', 1, '2-5-2', seen=True)]))
    data = MYRMIDONS.to_json(position.hidden(0))
    assert [entry['type'] for entry in data['pieces']] == ['5-1-3', '1-1-1', None, '2-5-2']
    again = read(data)
    assert again.legal() == position.legal()
    assert MYRMIDONS.to_json(again.hidden(0)) == data
    nobody = read(MYRMIDONS.to_json(position.hidden(-1)))
    assert 'c1-c2' in nobody.legal()  # one step can be gone by whatever it is
    assert 'c1-c3' not in nobody.legal()


def test_finished_games_are_written_and_read() -> None:
    start = battlefield(['c5=5-1-3 d1=1-1-1', 'c7=1-1-1 e5=2-5-2'])
    for position, ending, winner in (
        (start.copy().after('c5-c7'), 'commander', 0),
        (battlefield(['c6=5-1-3 d1=1-1-1', 'a7=1-1-1 e5=2-5-2']).after('c6-c7 a7-a6'), 'back_rank', 0),
        (read(without(quiet=59)).after('c1-c2'), 'sixty_turns', -1),
    ):
        data = position.to_json()
        again = read(data)
        assert (position.ending, data['ending'], data.get('winner', -1)) == (ending, ending, winner)
        assert (again.over, again.ending, again.outcome()) == (True, ending, position.outcome())
        del data['ending']
        data.pop('winner', None)
        assert read(data).to_json() == position.to_json()  # it follows from the pieces
    assert read(without(ending='repetition')).outcome() == [0.5, 0.5]
    repeated = read(SHORT)
    repeated.play('d1-d2 c7-c6 d2-d1 c6-c7 ' * 2)
    assert repeated.ending == 'repetition'
    assert read(repeated.to_json()).to_json() == repeated.to_json()


def test_positions_that_came_before_are_remembered() -> None:
    position = read(SHORT).after('d1-d2 c7-c6 d2-d1 c6-c7 d1-d2 c7-c6 d2-d1')
    assert len(position.to_json()['history']) == 8
    assert read(position.to_json()).after('c6-c7').ending == 'repetition'
    fresh = position.to_json()
    del fresh['history']
    assert read(fresh).after('c6-c7').ending == ''


# ---- what is refused ---------------------------------------------------------------------------------------


def values(*wrong: Any) -> tuple[Any, ...]:
    return wrong


DEPLOYING = ludoteca.new('myrmidons', seed=1).after('deploy 2-5-2').to_json()
LARGE_ONE = ludoteca.new('myrmidons', seed=1, options=ARMIES['agreed, twelve']).to_json()
RANDOM = ludoteca.new('myrmidons', seed=1, options={'army': 'random'}).to_json()
ONE, OTHER = ({'owner': seat, 'type': '1-1-1'} for seat in range(2))
UNITS = ('5-1-3', '4-4-1', '3-2-4', '2-5-2', '1-3-5')
WRONG: list[tuple[str, Any]] = [
    ('missing_key', without('to_move')),
    ('missing_key', without('pieces')),
    ('no_key', without(players=2)),
    ('no_key', without(**{'x' * 400: 1})),
    *(('whole', without(to_move=wrong)) for wrong in values(2, -1, True, None, 0.5, '0', [0])),
    ('whole', without(turn=-1)),
    ('whole', without(turn=10**400)),
    ('whole', without(quiet='3')),
    ('whole', without(ending='back_rank', winner=2)),
    ('whole', without(ending='back_rank', winner=True)),
    ('whole', lone(owner=2)),
    ('whole', lone(moved=6)),
    ('whole', without(order={'heading': 'NE', 'friends': {'c1': 0}})),
    ('whole', without(order={'heading': 'NE', 'friends': {'c1': '1'}})),
    ('options', without(options=[])),
    ('square', lone(at='g1')),
    ('square', lone(at=None)),
    ('square', lone(at=['c1'])),
    ('square', lone(start='c8')),
    ('square', without(order={'heading': 'NE', 'friends': {'h1': 1}})),
    ('pieces', without(pieces={'c1': '5-1-3'})),
    ('pieces', without(pieces=['c1'])),
    ('pieces', without(taken={'owner': 1})),
    ('piece_key', lone(colour='red')),
    ('piece_key', without(taken=[{'owner': 1, 'type': '4-4-1', 'at': 'c1'}])),
    ('owner', without(pieces=[{'at': 'c1', 'type': '5-1-3'}])),
    ('owner', without(pieces=[{'at': 'c1', 'owner': 0}])),
    ('type', lone(type='5-1-4')),
    ('type', lone(type=513)),
    ('type', lone(type=['5-1-3'])),
    ('at', without(pieces=[{'owner': 0, 'type': '5-1-3'}, *SHORT['pieces'][1:]])),
    ('twice', lone(at='d1')),
    ('taken', without(taken=[{'owner': 1, 'type': None}])),
    ('start', lone(start='a7')),
    ('start', without(pieces=[piece('c3', 0, '5-1-3', start='a1'), piece('c4', 0, '4-4-1', start='a1')])),
    ('last', without(last={**LAST, 'moved': {'a1': ['c6', 1]}})),
    ('last', without(last={**LAST, 'fights': [['c7', 'c1', True], ['c7', 'f1', True]]})),
    ('start', lone(start='c2')),
    ('too_many', without(pieces=[*(piece(f'{file}3', 0, None) for file in 'abcdef'), *SHORT['pieces']])),
    ('yes_no', lone(seen=1)),
    ('yes_no', lone(no_commander='no')),
    ('seen', lone(type=None, seen=True)),
    *(
        ('last', without(last=wrong))
        for wrong in values(
            [],
            {},
            without(),
            {**LAST, 'heading': 'X'},
            {**LAST, 'order': False},
            {**LAST, 'by': 1},
            {**LAST, 'moved': {}},
            {**LAST, 'moved': ['c7']},
            {**LAST, 'moved': {'c7': 'c7'}},
            {**LAST, 'moved': {'c7': ['c7', 1, 1]}},
            {**LAST, 'fights': 1},
            {**LAST, 'moved': {'c7': ['c3', 3]}},
            {**LAST, 'fights': [['d7', 'c1', True]]},
            {**LAST, 'fights': [['c7', 'c1', 1]]},
            {**LAST, 'fights': [['c7', 'c1', True]] * 3},
            {**LAST, 'fights': [[{}, 'c1', True]]},
        )
    ),
    ('square', without(last={**LAST, 'fights': [['c7', [], True]]})),
    ('last', {**DEPLOYING, 'last': LAST}),
    ('whole', without(last={**LAST, 'seat': 1.0})),
    ('whole', without(last={**LAST, 'moved': {'c7': ['c7', 6]}})),
    ('square', without(last={**LAST, 'moved': {'c9': ['c7', 1]}})),
    ('facts', lone(moved=4)),
    (
        'facts',
        without(
            pieces=[*SHORT['pieces'][:1], piece('d1', 0, '1-1-1', no_commander=True), *SHORT['pieces'][2:]]
        ),
    ),
    ('no_such_type', lone(type='3-3-3')),
    ('blocks', lone(type='1-1-1')),
    ('blocks', without(taken=[{'owner': 1, 'type': '2-5-2'}])),
    (
        'blocks',
        without(
            options={'army': 'random'},
            pieces=[*(piece(f'{file}3', 0, '3-3-3') for file in 'abc'), *SHORT['pieces'][1:]],
        ),
    ),
    (
        'copies',
        without(
            options={'army': 'random'},
            pieces=[
                *(piece(f'{file}{3 + seat}', seat, '3-3-3') for seat in range(2) for file in 'ab'),
                *SHORT['pieces'][1:],
            ],
        ),
    ),
    (
        'copies',
        {
            **RANDOM,
            'hand': [['1-1-1', '3-3-3', '3-3-3', '1-3-5', '1-3-5', '2-5-2'], ['1-1-1', '3-3-3', *UNITS[:4]]],
        },
    ),
    *(
        ('deployed', {**DEPLOYING, 'deployed': wrong})
        for wrong in values([1], [1, 7], [1, True], 1, [6, 6], [6, 0], None)
    ),
    *(
        ('hand', {**DEPLOYING, 'hand': wrong})
        for wrong in values([], [BASE], [BASE, 'x'], {}, [BASE, ['x']], [BASE, ['1-3-5'] * 500])
    ),
    ('deploying', {**DEPLOYING, 'turn': 1}),
    ('deploying', {**DEPLOYING, 'quiet': 1}),
    ('deploying', {**DEPLOYING, 'order': {'heading': 'N'}}),
    ('deploying', {**DEPLOYING, 'ending': 'sixty_turns'}),
    ('deploying', {**DEPLOYING, 'history': ['a']}),
    ('rows', {**DEPLOYING, 'pieces': DEPLOYING['pieces'][:-1]}),
    (
        'rows',
        {
            **DEPLOYING,
            'pieces': [{**DEPLOYING['pieces'][0], 'at': 'a2', 'start': 'a1'}, *DEPLOYING['pieces'][1:]],
        },
    ),
    ('rows', {**DEPLOYING, 'pieces': [{**DEPLOYING['pieces'][0], 'moved': 1}, *DEPLOYING['pieces'][1:]]}),
    ('rows', {**LARGE_ONE, 'pieces': LARGE_ONE['pieces'][:6] + LARGE_ONE['pieces'][12:18]}),
    ('secret_hand', {**DEPLOYING, 'hand': [None, BASE]}),
    ('placed', {**DEPLOYING, 'deployed': [2, 0]}),
    ('placed', {**DEPLOYING, 'deployed': [0, 0]}),
    ('other_hand', {**DEPLOYING, 'hand': [BASE, BASE]}),
    ('other_hand', {**DEPLOYING, 'hand': [['1-1-1', '1-3-5', '3-2-4', '4-4-1', '3-3-3'], BASE]}),
    ('other_hand', {key: value for key, value in DEPLOYING.items() if key != 'hand'}),
    ('other_hand', {**RANDOM, 'hand': [RANDOM['hand'][0][:5], RANDOM['hand'][1]]}),
    ('other_hand', {**RANDOM, 'hand': [['3-3-3', *UNITS], RANDOM['hand'][1]]}),
    (
        'other_hand',
        {
            **DEPLOYING,
            'options': {'army': 'secret'},
            'to_move': 1,
            'deployed': [6, 0],
            'hand': [[], None],
            'pieces': [
                *(piece(f'{file}1', 0, kind) for file, kind in zip('abcdef', (*UNITS, '3-3-3'), strict=True)),
                *DEPLOYING['pieces'][6:],
            ],
        },
    ),
    *(('leaderless', without(leaderless=wrong)) for wrong in values(1, [2], [True], ['0'], {})),
    ('led', without(leaderless=[0])),
    ('no_leader', without(pieces=[*SHORT['pieces'][:2], piece('c7', 1, None, moved=2)])),
    ('no_leader', without(pieces=[*SHORT['pieces'][:2], piece('c7', 1, None, no_commander=True)])),
    (
        'no_types',
        without(pieces=[*SHORT['pieces'][:3], piece('a3', 1, None, moved=5), piece('b3', 1, None, moved=5)]),
    ),
    ('no_pieces', without(pieces=[])),
    ('no_pieces', without(pieces=SHORT['pieces'][:2])),
    ('both', without(pieces=[piece('c1', 0, '5-1-3'), piece('c7', 1, '2-5-2')], taken=[ONE, OTHER])),
    *(('ending', without(ending=wrong)) for wrong in values('resigned', 1, None, ['commander'])),
    ('other_ending', without(winner=0)),
    ('other_ending', without(ending='commander', winner=0)),
    ('other_ending', without(ending='sixty_turns')),
    ('other_ending', without(ending='repetition', winner=0)),
    ('other_ending', without(ending='repetition', options={'repetition': False})),
    (
        'other_ending',
        without(
            pieces=SHORT['pieces'][:2] + SHORT['pieces'][3:], taken=[OTHER], ending='commander', winner=1
        ),
    ),
    (
        'other_ending',
        without(pieces=SHORT['pieces'][:2] + SHORT['pieces'][3:], taken=[OTHER], ending='repetition'),
    ),
    *(
        ('history', without(history=wrong))
        for wrong in values('abc', [17], ['xyz'], ['1'] * 65, ['f' * 16], [''], ['A'])
    ),
    ('history', without(history=['a'], options={'repetition': False})),
    *(
        ('order', without(order=wrong))
        for wrong in values(
            ['NE'],
            {},
            {'heading': 'X'},
            {'heading': 1},
            {'heading': 'NE', 'friends': ['c1']},
            {'heading': 'NE', 'by': 'd1'},
        )
    ),
    ('order', {**ORDER, 'quiet': 60}),
    ('secret_order', {**ORDER, 'pieces': [piece('c1', 0, None), *SHORT['pieces'][1:]]}),
    ('cannot_order', without(order={'heading': 'S'})),
    ('cannot_order', without(order={'heading': 'NE', 'friends': {'c1': 4}})),
    ('cannot_order', without(order={'heading': 'NE', 'friends': {'a1': 1}})),
]


def assert_sentence(text: str) -> None:
    assert text.endswith('.')
    assert not text[0].islower()
    assert '\n' not in text
    assert len(text) < 400


def says(key: str, sentence: str) -> bool:
    """Is this the sentence of the catalogue, its fields filled in somehow?"""
    parts = string.Formatter().parse(WORDS._texts[f'position.error.{key}'])
    pattern = ''.join(re.escape(text) + ('.*' if name is not None else '') for text, name, _, _ in parts)
    return re.fullmatch(pattern, sentence) is not None


@pytest.mark.parametrize(('key', 'data'), WRONG, ids=[f'{key}-{k}' for k, (key, _) in enumerate(WRONG)])
def test_an_impossible_position_is_refused_with_the_sentence_that_fits(key: str, data: Any) -> None:
    with pytest.raises(GameError) as error:
        read(data)
    assert_sentence(str(error.value))
    assert says(key, str(error.value)), str(error.value)


def test_every_sentence_about_positions_is_tried() -> None:
    start = 'position.error.'
    own = {key.removeprefix(start) for key in WORDS._texts if key.startswith(start)}
    assert own == {key for key, _ in WRONG}


@pytest.mark.parametrize(
    'options',
    [
        {'speed': 9},
        {'size': 7},
        {'army': 'base', 'size': 12},
        {'memory': 'perhaps'},
        {'army': ['base']},
        {'types': '5-1-3'},
        {'army': 'agreed', 'types': ['x']},
        {'capture': 8},
    ],
)
def test_options_of_a_position_go_together(options: dict[str, Any]) -> None:
    with pytest.raises(GameError) as error:
        read(without(options=options))
    assert_sentence(str(error.value))


def test_options_are_written_as_they_differ_from_their_defaults() -> None:
    for options in ARMIES.values():
        data = ludoteca.new('myrmidons', seed=1, options=options).to_json()
        assert data.get('options', {}) == options


def test_the_longest_quiet_that_is_read_grows_on() -> None:
    """It does not overflow where nothing ends the game."""
    position = read({**SHORT, 'quiet': 2**14, 'options': {'sixty': False}})
    position.play('c1-f4')
    assert position.state.quiet == 2**14 + 1
    with pytest.raises(GameError, match='"quiet" is a whole number from 0 to 16384, not 32767'):
        read({**SHORT, 'quiet': 2**15 - 1})
