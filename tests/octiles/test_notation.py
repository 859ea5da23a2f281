"""Names of steps, and positions as JSON: exact round trips, and one sentence for whatever is wrong."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import ludoteca
from ludoteca.game import GameError
from ludoteca.kernel import compiled
from tests.octiles.model import CIRCLES, POSTS, SPACES
from tests.octiles.support import EAST, FIRST_MOVE, OCTILES, PASS, position, read_position
from tests.playing import play_on
from tests.width import width

START: dict[str, Any] = position({0: 'A1 A2 A3 A4 A5', 1: EAST}, tiles={'a3': (18, 1)}).to_json()


def without(*keys: str, **changed: Any) -> dict[str, Any]:
    """The start without these keys and with others."""
    return {key: value for key, value in START.items() if key not in keys} | changed


# ---- names -------------------------------------------------------------------------------------------------


def test_names_are_space_and_rotation_from_and_to_or_pass() -> None:
    state = ludoteca.new('octiles', 2, 1).state
    assert OCTILES.n_actions == PASS + 1
    for action in range(FIRST_MOVE):
        assert OCTILES.action_name(state, action) == f'{SPACES[action // 8]}:{action % 8}'
    for action in range(FIRST_MOVE, PASS):
        start, end = divmod(action - FIRST_MOVE, len(POSTS))
        assert OCTILES.action_name(state, action) == f'{POSTS[start]}-{POSTS[end]}'
        assert OCTILES.action_from_name(state, f'{POSTS[start]}-{POSTS[end]}') == action
    assert OCTILES.action_name(state, PASS) == 'pass'
    assert OCTILES.action_from_name(state, 'pass') == PASS


def test_names_of_legal_actions_read_back() -> None:
    chooser = random.Random(2)
    for players in (2, 3, 4):
        position = ludoteca.new('octiles', players, players)
        for _ in range(60):
            for action in position.actions():
                assert (
                    OCTILES.action_from_name(position.state, OCTILES.action_name(position.state, action))
                    == action
                )
            position.apply(chooser.choice(position.actions()))


def test_any_rotation_of_a_pattern_names_its_smallest() -> None:
    state = position({0: 'A1 A2 A3 A4 A5', 1: EAST}, top=[18]).state
    assert {OCTILES.action_from_name(state, f'a2:{rotation}') for rotation in (0, 2, 4, 6)} == {0}
    assert {OCTILES.action_from_name(state, f'a2:{rotation}') for rotation in (1, 3, 5, 7)} == {1}


@pytest.mark.parametrize(
    'text',
    [
        'a1:0',
        'f2:0',
        'a2:8',
        'a2',
        'a2:',
        'a2:7 A1-B2',
        'A1-A0',
        'A1-B1-C1',
        'A1-F7',
        'A1-G1',
        'A1-F6-F5',
        'Pass',
        '',
        'B2 B3',
        'x' * 500,
    ],
)
def test_what_names_no_step_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(GameError) as error:
        OCTILES.action_from_name(ludoteca.new('octiles', 2, 1).state, text)
    assert str(error.value).endswith('.')
    assert len(str(error.value)) < 300


# ---- positions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('players', 'repetition'),
    width(
        [(2, False), (3, True), (4, False)], [(players, on) for players in (2, 3, 4) for on in (False, True)]
    ),
)
def test_positions_read_back_exactly(players: int, repetition: bool) -> None:
    chooser = random.Random(players)
    for seed in range(2 if compiled else 1):
        position = ludoteca.new('octiles', players, 10 * players + seed, {'repetition': repetition})
        while True:
            for state in (
                (position.state, position.hidden(0)) if position.over or chooser.random() < 0.5 else ()
            ):
                data = OCTILES.to_json(state)
                again = read_position(json.loads(json.dumps(data)))
                assert again.to_json() == data
                assert OCTILES.canonical(again.state) == OCTILES.canonical(state)
                assert again.actions() == position.actions()
            if position.over or position.state.turn > (10**6 if compiled else 40):
                break
            position.apply(chooser.choice(position.actions()))


@pytest.mark.parametrize('repetition', [False, True])
def test_a_game_goes_on_alike_from_a_position_read(repetition: bool) -> None:
    chooser = random.Random(9)
    position = ludoteca.new('octiles', 2, 77, {'repetition': repetition})
    while position.state.turn < 30:
        position.apply(chooser.choice(position.actions()))
    again = read_position(position.to_json())
    while not position.over and position.state.turn < (10**6 if compiled else 60):
        action = chooser.choice(position.actions())
        position.apply(action)
        again.apply(action)
        assert again.to_json() == position.to_json()
        assert OCTILES.to_json(again.hidden(0)) == OCTILES.to_json(position.hidden(0))


def test_required_keys_make_a_position() -> None:
    needed = {'game', 'players', 'to_move', 'tiles', 'stack', 'runners'}
    assert needed == set(START)
    read = read_position({**START, 'runners': dict(reversed(START['runners'].items()))})
    assert read.to_json() == START


def test_keys_come_in_a_fixed_order_and_defaults_are_left_out() -> None:
    full = position(
        {0: 'A1 F5 F4 F3 F2', 1: 'F6 A2 A3 A4 A5'},
        tiles={'c3': (2, 0), 'b3': (3, 0)},
        options={'repetition': True},
        turn=4,
        passes=1,
        known=2,
    ).to_json()
    assert list(full) == [
        'game',
        'players',
        'options',
        'to_move',
        'turn',
        'tiles',
        'stack',
        'known',
        'runners',
        'passes',
    ]
    assert list(full['tiles']) == ['b3', 'c3']
    assert list(full['runners']) == [post for post in POSTS if post in full['runners']]


def test_a_turn_begun_is_written_and_read() -> None:
    start = position({0: 'A1 A2 A3 A4 A5', 1: EAST}, tiles={'a2': (18, 1), 'c3': (5, 0)})
    before = start.to_json()
    data = play_on(start, 'a2:0').to_json()
    assert data == {**before, 'laid': {'a2': 0}}
    assert read_position(data).legal() == start.legal() == ['A2-B3']
    assert read_position({**before, 'laid': {'a2': 5}}).to_json() == data


def test_finished_games_are_written_and_read() -> None:
    won = position({0: 'F6 F5 F4 F3 E4', 1: 'A1 A2 A3 D4 B2'}).after('e3:0 E4-F2')
    drawn = position({0: 'A1 F5 F4 F3 F2', 1: 'F6 A2 A3 A4 A5'}).after('pass pass')
    for game, outcome in ((won, [1, 0]), (drawn, [0.5, 0.5])):
        again = read_position(game.to_json())
        assert again.to_json() == game.to_json()
        assert again.ending == game.ending
        assert again.outcome() == outcome
        assert again.over
    repeated = read_position(
        without(options={'repetition': True}, ending='repetition', history=['a', 'b', 'a', 'b', 'a'])
    )
    assert repeated.ending == 'repetition'
    assert repeated.outcome() == [0.5, 0.5]


def test_a_game_won_on_a_full_board_is_written_and_read() -> None:
    tiles = {space: (tile, 0) for space, tile in zip(SPACES, range(2, 19), strict=True)}
    won = position({0: 'F6 F5 F4 F3 E4', 1: 'A1 A2 A3 D4 B2'}, tiles=tiles).after('e3:0 E4-F2')
    assert read_position(won.to_json()).to_json() == won.to_json()


HOME = without(runners=dict.fromkeys(CIRCLES['E'], 0) | dict.fromkeys(['A1', 'A2', 'A3', 'A4', 'D3'], 1))
WRONG: dict[str, Any] = {
    'no players': without('players'),
    'no stack': without('stack'),
    'no runners': without('runners'),
    'an unknown key': without(colour='blue'),
    'one player': without(players=1),
    'five players': without(players=5),
    'a half player': without(players=2.5),
    'players a text': without(players='2'),
    'to_move not a seat': without(to_move=2),
    'to_move true': without(to_move=True),
    'to_move null': without(to_move=None),
    'a negative turn': without(turn=-1),
    'a long number': without(turn=10**400),
    'more passes than players': without(passes=3),
    'options a list': without(options=[]),
    'an unknown option': without(options={'speed': True}),
    'an option not true or false': without(options={'repetition': 1}),
    'tiles a list': without(tiles=[]),
    'stack a text': without(stack='1 2 3'),
    'stack an object': without(stack={}),
    'no such space': without(tiles={'a1': [18, 1]}),
    'a tile without rotation': without(tiles={'a3': [18]}),
    'a tile not a list': without(tiles={'a3': 18}),
    'tile 0': without(tiles={'a3': [0, 1]}),
    'tile 19': without(tiles={'a3': [19, 1]}),
    'rotation 8': without(tiles={'a3': [18, 8]}),
    'rotation half': without(tiles={'a3': [18, 0.5]}),
    'rotation true': without(tiles={'a3': [18, True]}),
    'a tile twice': without(tiles={'a3': [1, 0]}),
    'a tile missing': without(tiles={}),
    'a tile twice in the stack': without(stack=[1, 1, *range(3, 18)]),
    'stack with 0': without(stack=[0, *range(2, 18)]),
    'stack with a text': without(stack=['1', *range(2, 18)]),
    'a stack too long': without(stack=list(range(1, 30))),
    'an empty stack': without(stack=[], tiles={}),
    'the top unknown': without(stack=[None, *range(2, 18)]),
    'unknown tiles not together': without(stack=[1, None, 3, None, *range(5, 18)]),
    'an unknown tile in the known bottom': without(stack=[1, *[None] * 16], known=2),
    'more known than there are': without(known=17),
    'runners a list': without(runners=list(START['runners'])),
    'no such post': without(runners={**START['runners'], 'G1': 0}),
    'a seat too high': without(runners={**START['runners'], 'A1': 2}),
    'a seat null': without(runners={**START['runners'], 'A1': None}),
    'four runners': without(runners={post: seat for post, seat in START['runners'].items() if post != 'A1'}),
    'six runners': without(runners={**START['runners'], 'B2': 0}),
    'five runners among four players': without(players=4),
    'a circle of another side': without(
        runners={post if post != 'A1' else 'A6': seat for post, seat in START['runners'].items()}
    ),
    'won, but running': HOME,
    'won, but blocked': {**HOME, 'ending': 'blocked', 'passes': 2},
    'running, but home': without(ending='home'),
    'blocked without passes': without(ending='blocked'),
    'all passed, but running': without(passes=2),
    'an unknown ending': without(ending='resigned'),
    'an ending not a text': without(ending=1),
    'history not a list': without(options={'repetition': True}, history='abc'),
    'history not of hashes': without(options={'repetition': True}, history=['xyz']),
    'history of numbers': without(options={'repetition': True}, history=[17]),
    'history too long': without(options={'repetition': True}, history=['1'] * 1000),
    'a hash too large': without(options={'repetition': True}, history=['f' * 16]),
    'laid a list': without(laid=['a2', 0]),
    'laid twice': without(laid={'a2': 0, 'a3': 0}),
    'laid nowhere': without(laid={}),
    'laid on no space': without(laid={'a1': 0}),
    'laid in rotation 8': without(laid={'a2': 8}),
    'laid in rotation true': without(laid={'a2': True}),
    'laid where no runner could move': without(laid={'c3': 0}),
    'laid after the end': {**HOME, 'ending': 'home', 'laid': {'a2': 0}},
    'a list': [],
    'another game': without(game='chess'),
    'no game': without('game'),
}


@pytest.mark.parametrize('what', WRONG)
def test_an_impossible_position_is_refused_with_a_sentence(what: str) -> None:
    with pytest.raises(GameError) as error:
        read_position(WRONG[what])
    sentence = str(error.value)
    assert sentence[0].isupper() or sentence[0] == '"'
    assert sentence.endswith('.')
    assert len(sentence) < 400
