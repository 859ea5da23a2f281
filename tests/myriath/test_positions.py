"""Positions as JSON: exact round trips at every moment of games, what may be left out, and one sentence for
whatever is wrong."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import ludoteca
from ludoteca.game import GameError, Position
from ludoteca.kernel import compiled
from tests.myriath.model import ORIENTATIONS, Game, same_lie
from tests.myriath.support import ERRORS, MYRIATH, as_json, names, position, read_position, written
from tests.sentences import kinds_of
from tests.width import width

ISSUE: dict[str, Any] = {
    'game': 'myriath',
    'players': 2,
    'to_move': 0,
    'tiles': [
        {'owner': 0, 'tile': 'O', 'orientation': 0, 'at': [2, 2]},
        {'owner': 1, 'tile': 'O', 'orientation': 0, 'at': [3, 3]},
    ],
    'scores': [0, 0],
}
PLAYED: dict[str, Any] = as_json({0: 'O a6, L-AI r0 c3', 1: 'O f1, L-AA r0 d4'})


def some_end(players: int) -> Position:
    """The end of a random game."""
    now, chooser = ludoteca.new('myriath', players, 1), random.Random(players)
    while not now.over:
        MYRIATH.kernels.apply(now.state, chooser.choice(now.actions()))
    return now


# ---- reading and writing -----------------------------------------------------------------------------------


def test_the_form_of_the_issue_is_the_canonical_one() -> None:
    start = read_position(ISSUE)
    assert start.to_json() == ISSUE
    assert json.dumps(start.to_json()) == json.dumps(ISSUE)
    assert len(names(start)) == 184


@pytest.mark.parametrize('players', width([2, 4], [2, 3, 4]))
def test_positions_read_back_exactly(players: int) -> None:
    chooser = random.Random(players)
    for seed in range(3 if compiled else 1):
        now = ludoteca.new('myriath', players, 10 * players + seed)
        while True:
            for state in (now.state, now.hidden(0)):
                data = MYRIATH.to_json(state)
                again = read_position(json.loads(json.dumps(data)))
                assert again.to_json() == data
                assert MYRIATH.canonical(again.state) == MYRIATH.canonical(state)
                assert all(
                    (again.state[name] == now.state[name]).all()
                    for name in now.state.dtype.names
                    if name != 'rng'
                )
            assert again.actions() == now.actions()
            assert again.outcome() == now.outcome()
            if now.over:
                break
            MYRIATH.kernels.apply(now.state, chooser.choice(now.actions()))


def test_a_game_goes_on_alike_from_a_position_read() -> None:
    chooser, now = random.Random(9), ludoteca.new('myriath', 3, 77)
    while now.state.turn < 20:
        now.apply(chooser.choice(now.actions()))
    again = read_position(now.to_json())
    while not now.over:
        action = chooser.choice(now.actions())
        now.apply(action)
        again.apply(action)
        assert again.to_json() == now.to_json()
        assert again.over == now.over


def test_three_keys_make_a_position() -> None:
    needed = {key: ISSUE[key] for key in ('game', 'players', 'to_move', 'tiles')}
    assert read_position(needed).to_json() == ISSUE
    short = {
        **needed,
        'tiles': [{'owner': entry['owner'], 'tile': 'O', 'at': entry['at']} for entry in ISSUE['tiles']],
    }
    assert read_position(short).to_json() == ISSUE


@pytest.mark.parametrize('players', [2, 3, 4])
def test_an_empty_board_is_the_start(players: int) -> None:
    start = {
        'game': 'myriath',
        'players': players,
        'to_move': 0,
        'tiles': [],
        'scores': [0, 0, 0.5, 1][:players],
    }
    assert read_position(start).to_json() == start == ludoteca.new('myriath', players, 1).to_json()


def test_octagons_are_still_to_be_laid_as_long_as_one_is_missing() -> None:
    one = position({0: 'O c3'}, to_move=1)
    assert all(name.startswith('O') for name in names(one))
    assert one.after('O d4').to_json() == ISSUE


def test_tiles_may_come_in_any_order_and_orientation() -> None:
    chooser, now = random.Random(3), ludoteca.new('myriath', 2, 3)
    while now.state.turn < 12:
        MYRIATH.kernels.apply(now.state, chooser.choice(now.actions()))
    data = now.to_json()
    tiles = []
    for entry in chooser.sample(data['tiles'], len(data['tiles'])):
        lie = same_lie(entry['tile'], ORIENTATIONS[entry['orientation']])
        equal = [k for k, name in enumerate(ORIENTATIONS) if same_lie(entry['tile'], name) == lie]
        tiles.append({**entry, 'orientation': max(equal)})
    assert read_position({**data, 'tiles': tiles}).to_json() == data


def test_keys_come_in_a_fixed_order_and_defaults_are_left_out() -> None:
    assert list(read_position(PLAYED).to_json()) == ['game', 'players', 'to_move', 'tiles', 'scores']
    assert list(read_position({**PLAYED, 'turn': 4}).to_json()) == [
        'game',
        'players',
        'to_move',
        'turn',
        'tiles',
        'scores',
    ]
    assert 'passes' not in read_position({**PLAYED, 'passes': 0, 'turn': 2}).to_json()
    assert 'turn' not in read_position({**PLAYED, 'turn': 2}).to_json()
    end = some_end(2).to_json()
    assert [key for key in end if key != 'turn'] == [
        'game',
        'players',
        'to_move',
        'tiles',
        'scores',
        'passes',
    ]


def test_tiles_are_written_by_seat_the_octagon_first() -> None:
    data = as_json({1: 'L-AA r0 d4, O f1', 0: 'L-AI r0 c3, O a6'})
    written_back = read_position(data).to_json()['tiles']
    assert [(entry['owner'], entry['tile']) for entry in written_back] == [
        (0, 'O'),
        (0, 'L-AI'),
        (1, 'O'),
        (1, 'L-AA'),
    ]
    assert all(list(entry) == ['owner', 'tile', 'orientation', 'at'] for entry in written_back)


def test_scores_follow_from_the_tiles() -> None:
    assert read_position(PLAYED).to_json()['scores'] == [0.5, 0.5]
    assert read_position({**PLAYED, 'scores': [0.5, 0.5]}).scores() == [0.5, 0.5]
    assert read_position({**PLAYED, 'scores': None}).scores() == [0.5, 0.5]


@pytest.mark.parametrize('players', [2, 3, 4])
def test_positions_of_the_model_read_alike(players: int) -> None:
    """Points, and what is legal, of a position read from what is written of it."""
    chooser, now = random.Random(players), ludoteca.new('myriath', players, 5)
    while now.state.turn < 5 * players:
        MYRIATH.kernels.apply(now.state, chooser.choice(now.actions()))
    game = Game.read(now.to_json())
    assert [half / 2 for half in game.points] == now.scores()
    assert [written(owner, tile.name) for owner, tile in game.laid] == now.to_json()['tiles']
    if compiled:
        assert game.names() == names(now)


# ---- passes and the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_passes_are_written_until_the_game_is_over(players: int) -> None:
    end = some_end(players)
    data = {key: value for key, value in end.to_json().items() if key != 'turn'}
    for passes in range(players + 1):
        to_move = (data['to_move'] - players + passes) % players
        now = read_position({**data, 'passes': passes, 'to_move': to_move})
        assert now.to_json().get('passes', 0) == passes
        assert now.over == (passes == players)
        if not now.over:
            assert now.legal() == ['pass']
            after = now.copy().after('pass')
            assert (
                after.to_json()
                == read_position({**data, 'passes': passes + 1, 'to_move': (to_move + 1) % players}).to_json()
            )
    assert read_position(end.to_json()).ending == 'passed'
    assert read_position(end.to_json()).outcome() == end.outcome()


def test_a_turn_number_tells_of_passes_before() -> None:
    """Each tile with ends was a turn; there may have been passes as well."""
    now = read_position({**PLAYED, 'turn': 4})
    assert now.state.turn == 4
    assert now.after(now.legal()[0]).state.turn == 5


# ---- what is refused ---------------------------------------------------------------------------------------

O0, O1 = ISSUE['tiles']
EMPTY: dict[str, Any] = {'game': 'myriath', 'players': 2, 'to_move': 0, 'tiles': []}


def tiles(*more: Any) -> dict[str, Any]:
    """The two octagons and these."""
    return {**ISSUE, 'scores': None, 'tiles': [O0, O1, *more]}


def tile(**changed: Any) -> dict[str, Any]:
    """With a tile that could lie here but for what is changed."""
    return tiles({**written(0, 'L-AA r0 e3'), **changed})


def only(*octagons: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """With these tiles alone."""
    return {**EMPTY, 'tiles': list(octagons), **changed}


def lacking(key: str) -> dict[str, Any]:
    return {k: v for k, v in ISSUE.items() if k != key}


WRONG: dict[str, dict[str, Any]] = {
    'missing_key': {key: lacking(key) for key in ('players', 'to_move', 'tiles')},
    'no_key': {
        'of another game': {**ISSUE, 'hand': 1},
        'options': {**ISSUE, 'options': {}},
        'an ending': {**ISSUE, 'ending': ''},
    },
    'whole': {
        'one player': {**ISSUE, 'players': 1},
        'five players': {**ISSUE, 'players': 5},
        'players a text': {**ISSUE, 'players': '2'},
        'half a player': {**ISSUE, 'players': 2.5},
        'players a list': {**ISSUE, 'players': [2]},
        'no such seat': {**ISSUE, 'to_move': 2},
        'seat true': {**ISSUE, 'to_move': True},
        'seat null': {**ISSUE, 'to_move': None},
        'a negative seat': {**ISSUE, 'to_move': -1},
        'a long number': {**ISSUE, 'passes': 10**400},
        'more passes than players': {**ISSUE, 'passes': 3},
        'a negative turn': {**ISSUE, 'turn': -2},
        'fewer turns than tiles': {**PLAYED, 'turn': 0},
        'more turns than there can be': {**PLAYED, 'turn': 6},
    },
    'tiles': {
        'an object': {**ISSUE, 'tiles': {}},
        'a text': {**ISSUE, 'tiles': 'O'},
        'null': {**ISSUE, 'tiles': None},
    },
    'tile': {
        'a text': tiles('O'),
        'a list': tiles([0, 'O']),
        'null': tiles(None),
        'no owner': tiles({'tile': 'O', 'at': [0, 0]}),
        'no name': tiles({'owner': 0, 'at': [0, 0]}),
        'no place': tiles({'owner': 0, 'tile': 'L-AA'}),
        'an unknown key': tile(colour='red'),
    },
    'owner': {
        'too high': tile(owner=2),
        'negative': tile(owner=-1),
        'a text': tile(owner='0'),
        'true': tile(owner=True),
        'null': tile(owner=None),
    },
    'which': {
        'no such tile': tile(tile='L-XX'),
        'ends in another order': tile(tile='L-IA'),
        'small': tile(tile='l-aa'),
        'null': tile(tile=None),
        'a list': tile(tile=['L-AA']),
        'a number': tile(tile=3),
        'an object': tile(tile={}),
    },
    'orientation': {
        '8': tile(orientation=8),
        'a name': tile(orientation='r0'),
        'half': tile(orientation=0.5),
        'null': tile(orientation=None),
        'true': tile(orientation=True),
        'of an octagon': only(O0, {**O1, 'orientation': 9}),
    },
    'at': {
        'a name': tile(at='e3'),
        'one number': tile(at=[4]),
        'three': tile(at=[4, 2, 0]),
        'too high': tile(at=[7, 2]),
        'negative': tile(at=[4, -1]),
        'null': tile(at=None),
        'half': tile(at=[4.5, 2]),
        'texts': tile(at=['4', '2']),
        'an object': tile(at={'x': 4, 'y': 2}),
    },
    'twice': {
        'an octagon': tiles({**O0, 'at': [0, 0]}),
        'another': tiles(written(0, 'L-AA r0 e1'), written(0, 'L-AA r0 a6')),
    },
    'outside': {
        'to the east': tile(at=[6, 2]),
        'to the north': tile(at=[0, 6]),
        'turned': tile(at=[0, 0], orientation=3),
        'an octagon': only(O0, {**O1, 'at': [6, 6]}),
    },
    'overlap': {
        'two octagons': only(O0, {**O1, 'at': [2, 3]}),
        'an octagon': tile(at=[2, 2]),
        'another tile': tiles(written(0, 'L-AA r0 e3'), written(1, 'Z-AA r0 e3')),
        'an octagon that is written later': only(written(0, 'L-AA r0 c3'), O0, O1),
    },
    'octagons_first': {
        'no octagon': only(written(0, 'L-AA r0 e1')),
        'one octagon': only(O0, written(0, 'L-AA r0 e1'), to_move=1),
        'two of three': only(O0, O1, written(0, 'L-AA r0 e1'), players=3, to_move=2),
    },
    'setup': {
        'only the second seat': only(O1),
        'the wrong seat': only(O0),
        'the wrong seat at the start': only(to_move=1),
    },
    'scores': {
        'wrong': {**PLAYED, 'scores': [1, 0.5]},
        'too few': {**PLAYED, 'scores': [0.5]},
        'an object': {**PLAYED, 'scores': {}},
        'texts': {**PLAYED, 'scores': ['0.5', '0.5']},
        'a number': {**PLAYED, 'scores': 1},
        'no handicap': only(players=3, scores=[0, 0, 0]),
    },
    'passes': {
        'somebody could lay a tile': {**ISSUE, 'passes': 1},
        'all could': {**ISSUE, 'passes': 2},
        'in the set-up': only(passes=1),
    },
    'turn': {'of the other seat': {**PLAYED, 'turn': 3}},
}


@pytest.mark.parametrize(('kind', 'what'), [(kind, what) for kind, cases in WRONG.items() for what in cases])
def test_an_impossible_position_is_refused_with_a_sentence(kind: str, what: str) -> None:
    with pytest.raises(GameError) as error:
        read_position(WRONG[kind][what])
    sentence = str(error.value)
    assert f'position.error.{kind}' in kinds_of(sentence, ERRORS), sentence
    assert sentence[0].isupper() or sentence[0] == '"'
    assert len(sentence) < 500


def test_all_sentences_about_positions_are_tested() -> None:
    assert {f'position.error.{kind}' for kind in WRONG} == {
        key for key in ERRORS if key.startswith('position')
    }


def test_turns_counted_in_the_setup_are_refused() -> None:
    with pytest.raises(GameError):
        read_position({'game': 'myriath', 'players': 2, 'to_move': 0, 'tiles': [], 'turn': 2})


@pytest.mark.parametrize('players', width([3], [2, 3, 4]))
def test_the_longest_game_is_declared_whatever_position_it_begins_from(players: int) -> None:
    """The number of turns that a position may be given is no higher than there can have been."""
    start, chooser = ludoteca.new('myriath', players, 1), random.Random(players)
    while start.state.turn < 4 * players:
        MYRIATH.kernels.apply(start.state, chooser.choice(start.actions()))
    data = start.to_json()
    accepted = [turn for turn in range(400) if reads({**data, 'turn': turn})]
    assert accepted == list(range(4 * players, accepted[-1] + 1, players))
    now = read_position({**data, 'turn': accepted[-1]})
    while not now.over:
        MYRIATH.kernels.apply(now.state, chooser.choice(now.actions()))
    assert accepted[-1] < now.state.turn <= (MYRIATH.max_turns or 0)


def reads(data: dict[str, Any]) -> bool:
    """Is this a position?"""
    try:
        read_position(data)
    except GameError:
        return False
    return True
