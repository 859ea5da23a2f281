"""Positions as JSON: exact round trips at every moment of games, what may be left out, and one sentence for
whatever is wrong."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import GameError, Position
from ludoteca.kernel import compiled
from tests.conformance.harness import is_sentence
from tests.myraclia.model import COLOURS, CUBES, TABLE, TILES, beside
from tests.myraclia.support import (
    ERRORS,
    EVERYTHING,
    MYRACLIA,
    SHARED_OUT,
    TABLES,
    described,
    flower,
    last_turn,
    played,
    quiet_tiles,
    read_position,
    starting,
    turn,
)
from tests.sentences import kinds_of
from tests.width import width

CHANCE = ('rng', 'reveals', 'news')
"""Fields that a position does not hold: the future, and what was new."""


# ---- reading and writing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(('players', 'options'), width(SHARED_OUT, TABLES), ids=str)
def test_positions_read_back_exactly_in_all_phases(players: int, options: dict[str, Any]) -> None:
    phases = set()
    for k, (position, _) in enumerate(played(players, 21, options, 10**6 if compiled else 90)):
        phases.add(int(position.state.phase))
        if k % 4:
            continue
        data = position.to_json()
        again = read_position(json.loads(json.dumps(data)))
        assert again.to_json() == data
        assert json.dumps(again.to_json()) == json.dumps(data)
        assert MYRACLIA.canonical(position.hidden(0)) == MYRACLIA.canonical(position.state)
        assert again.actions() == position.actions()
        assert again.legal() == position.legal()
        assert again.ending == position.ending
        assert again.outcome() == position.outcome()
        assert again.scores() == position.scores()
    assert not compiled or {0, 1, 2, 4, 5} <= phases


@pytest.mark.parametrize('players', [2, 5])
def test_a_game_goes_on_alike_from_a_position_read(players: int) -> None:
    """With the same future: what the written form leaves out has no effect on the game."""
    chooser, position = random.Random(9), ludoteca.new('myraclia', players, 77, EVERYTHING)
    for _ in range(150 if compiled else 40):
        position.apply(chooser.choice(position.actions()))
    again = read_position(position.to_json())
    again.state.rng = position.state.rng
    for _ in range(10**6 if compiled else 60):
        if position.over:
            break
        action = chooser.choice(position.actions())
        position.apply(action)
        again.apply(action)
        assert again.to_json() == position.to_json()


def test_a_position_holds_all_but_chance() -> None:
    """Every field of the record is restored, but for the future and what was new."""
    for position, _ in played(3, 4, EVERYTHING, 10**6 if compiled else 60):
        again, s = read_position(position.to_json()).state, position.state
        for name in s.dtype.names or ():
            if name not in CHANCE:
                assert np.array_equal(again[name], s[name]), name


def test_three_keys_of_the_table_and_the_seat_make_a_position() -> None:
    """A draft: whatever is not said is in the bags or on its default."""
    data = {
        'game': 'myraclia',
        'players': 2,
        'to_move': 0,
        'surface': [{'tile': 'P04', 'at': [0, 0]}],
        'display': ['F07', None, None],
        'board': {'green': 2},
    }
    position = read_position(data)
    assert position.to_json() == data | {'order': [0, 1], 'scores': [0, 0], 'columns': ['green']}
    assert position.legal() == ['draft green', 'pass']
    assert sum(map(int, position.state.bag)) == 103 - 2


def test_keys_come_in_a_fixed_order_and_defaults_are_left_out() -> None:
    order = [
        'game',
        'players',
        'options',
        'to_move',
        'ending',
        'phase',
        'round',
        'turn',
        'order',
        'surface',
        'display',
        'scores',
        'sources',
        'cubes',
        'zone',
        'discard',
        'board',
        'columns',
        'disks',
        'passed',
        'pool',
        'lent',
        'budget',
        'actions',
        'terraformed',
        'add',
        'steps',
        'token',
        'used_tokens',
    ]
    seen = set()
    for seed in range(3 if compiled else 1):
        for position, _ in played(4, seed, EVERYTHING, 10**6 if compiled else 60):
            keys = list(position.to_json())
            assert keys == sorted(keys, key=order.index)
            seen |= set(keys)
    assert not compiled or seen == set(order)
    start = ludoteca.new('myraclia', 2, 1).to_json()
    assert not start.keys() & {
        'options',
        'ending',
        'phase',
        'round',
        'turn',
        'zone',
        'discard',
        'pool',
        'actions',
        'steps',
        'used_tokens',
    }


def test_the_steps_of_what_was_begun_are_written_and_read() -> None:
    given: dict[str, Any] = {'owners': {(1, 0): 1}, 'scores': [9, 9]}
    for text in (
        'terraform 0,0',
        'terraform 0,0 pay green pay yellow',
        'terraform 0,0 pay green with 3 red',
        'terraform 0,0 pay green with 3 red pay yellow pay black with any five',
        'reserve 0,0',
        'reserve 0,0 put black put yellow',
        'terraform 0,0 pay green with 3 red pay yellow pay black with any five use orange use blue',
    ):
        position = turn(flower('P04'), 'green yellow black red red red orange blue white white blue', **given)
        before = position.to_json()
        if 'five' in text:
            before = turn(
                flower('P04'), 'yellow red red red orange orange blue white white blue', **given
            ).to_json()
            position = read_position(before)
        position.play(text)
        data = position.to_json()
        assert {**data, 'steps': None} == {**before, 'steps': None}
        again = read_position(data)
        assert again.legal() == position.legal()
        assert again.to_json() == data


def test_a_pass_without_a_disk_means_that_the_seat_took_nothing() -> None:
    data = described(flower(), players=3, board={'green': 3}, passed=[0], to_move=1)
    position = read_position(data).after('draft green draft green pass pass')
    assert position.to_json()['order'] == [0, 2, 1], 'aside: first to terraform'


def test_finished_games_are_written_and_read() -> None:
    tiles = {(k % 3, k // 3): tile for k, tile in zip(range(8), quiet_tiles(), strict=False)}
    over = last_turn(tiles, owners=dict.fromkeys(tiles, 0)).after('end turn')
    assert over.ending == 'terraformed'
    endless = last_turn(flower(), round=40).after('end turn')
    for position in (over, endless):
        again = read_position(position.to_json())
        assert again.to_json() == position.to_json()
        assert again.ending == position.ending
        assert again.outcome() == position.outcome()
        assert again.actions() == []


# ---- what is refused ---------------------------------------------------------------------------------------

DRAFT: dict[str, Any] = described(flower('P04', 'W05'), board={'green': 3, 'red': 2})
TURN: dict[str, Any] = described(
    flower('P04', 'W05'),
    phase='turn',
    round=2,
    owners={(0, 1): 1},
    pool={'green': 2, 'yellow': 1},
    budget=2,
    scores=[5, 5],
)
PLACING: dict[str, Any] = described(flower('P04', 'W05'), phase='place', round=2, actions=2, add=1)
START: dict[str, Any] = starting(['P04', 'W05'], *((q, r) for r in range(2) for q in range(3))).to_json()
TOKEN: dict[str, Any] = described(
    flower('P04', 'W05'), phase='token', round=2, options={'eternity': True}, token='E05'
)
WITH_TOKENS = {'eternity': True}


def without(data: dict[str, Any], key: str) -> dict[str, Any]:
    """The position without a key."""
    return {name: value for name, value in data.items() if name != key}


def tile(data: dict[str, Any], k: int = 1, **changed: Any) -> dict[str, Any]:
    """A position in which a tile of the surface (0: P04, 1: W05) is described otherwise."""
    surface = [entry | changed if i == k else entry for i, entry in enumerate(data['surface'])]
    return data | {'surface': surface}


def owned(n: int, **more: Any) -> dict[str, Any]:
    """A position in which seat 0 has so many tiles."""
    tiles = {(q % 4, q // 4): name for q, name in zip(range(14), quiet_tiles(), strict=False)}
    return described(tiles, owners=dict.fromkeys(list(tiles)[:n], 0), **{'board': {'green': 1}} | more)


WRONG: dict[str, dict[str, Any]] = {
    'missing_key': {key: without(DRAFT, key) for key in ('players', 'to_move', 'surface', 'display')},
    'no_key': {'an unknown one': DRAFT | {'bag': {}}, 'in capitals': DRAFT | {'Scores': [0, 0]}},
    'whole': {
        'one player': DRAFT | {'players': 1},
        'six players': DRAFT | {'players': 6},
        'a half player': DRAFT | {'players': 2.5},
        'players a text': DRAFT | {'players': '2'},
        'players true': DRAFT | {'players': True},
        'no seat': DRAFT | {'to_move': 2},
        'a seat below': DRAFT | {'to_move': -1},
        'nobody': DRAFT | {'to_move': None},
        'round 0': DRAFT | {'round': 0},
        'round 41': DRAFT | {'round': 41},
        'a negative turn': DRAFT | {'turn': -1},
        'a long turn': DRAFT | {'turn': 10**400},
        'four actions': TURN | {'actions': 4},
        'terraformed more than done': TURN | {'actions': 1, 'terraformed': 2},
        'more to add than done': TURN | {'actions': 1, 'add': 2},
        'a budget above the pool': TURN | {'budget': 4},
        'a budget of what is lent': TURN | {'lent': {'green': 2}},
        'a negative budget': TURN | {'budget': -1},
        'more turns than there can have been': DRAFT | {'turn': 1000},
    },
    'list': {
        'three scores': DRAFT | {'scores': [0, 0, 0]},
        'one score': DRAFT | {'scores': [0]},
        'a negative score': DRAFT | {'scores': [0, -1]},
        'a half point': DRAFT | {'scores': [0, 0.5]},
        'scores a number': DRAFT | {'scores': 0},
        'too many points': DRAFT | {'scores': [0, 10**6]},
    },
    'options': {
        'a list': DRAFT | {'options': ['eternity']},
        'a text': DRAFT | {'options': 'eternity'},
        'null': DRAFT | {'options': None},
    },
    'order': {
        'a seat twice': DRAFT | {'order': [0, 0]},
        'one seat': DRAFT | {'order': [0]},
        'three seats': DRAFT | {'order': [0, 1, 2]},
        'a text': DRAFT | {'order': '01'},
        'true': DRAFT | {'order': [0, True]},
        'null': DRAFT | {'order': [0, None]},
    },
    'tile': {
        'no such tile': tile(DRAFT, tile='P99'),
        'small': tile(DRAFT, tile='w05'),
        'null': tile(DRAFT, tile=None),
        'a list': tile(DRAFT, tile=['W05']),
        'the Kickstarter tile': tile(DRAFT, tile='K01'),
        'Darkness': tile(DRAFT, tile='D1'),
        'on the display': DRAFT | {'display': ['X', None, None]},
        'Darkness on the display': DRAFT | {'display': ['D3', None, None]},
    },
    'twice': {
        'on the surface': tile(DRAFT, tile='P04'),
        'on surface and display': DRAFT | {'display': ['W05', None, None]},
        'on the display': DRAFT | {'display': ['F07', 'F07', None]},
    },
    'surface': {
        'an object': DRAFT | {'surface': {}},
        'empty': DRAFT | {'surface': []},
        'names': DRAFT | {'surface': ['P04']},
        'no tile': DRAFT | {'surface': [{'at': [0, 0]}]},
        'no place': DRAFT | {'surface': [{'tile': 'P04'}]},
        'an unknown key': tile(DRAFT, colour='red'),
    },
    'at': {
        'a name': tile(DRAFT, at='1,0'),
        'one number': tile(DRAFT, at=[1]),
        'three': tile(DRAFT, at=[1, 0, 0]),
        'far': tile(DRAFT, at=[20, 0]),
        'half': tile(DRAFT, at=[0.5, 0]),
        'texts': tile(DRAFT, at=['1', '0']),
        'null': tile(DRAFT, at=None),
    },
    'same_place': {'two tiles': tile(DRAFT, at=[0, 0])},
    'connected': {'an island': tile(DRAFT, at=[5, 5])},
    'disk': {
        'an owner too high': tile(DRAFT, owner=2),
        'an owner null': tile(DRAFT, owner=None),
        'true': tile(DRAFT, owner=True),
        'reserved too high': tile(DRAFT, reserved=2, cubes=['green']),
        'both': tile(DRAFT, owner=0, reserved=0, cubes=['green']),
        'on Darkness': tile(DRAFT | {'options': {'darkness': True}}, tile='D1', owner=0),
        'Darkness reserved': tile(DRAFT | {'options': {'darkness': True}}, tile='D1', reserved=0),
    },
    'reservations': {
        'two of a seat': tile(tile(DRAFT, reserved=0, cubes=['green']), 0, reserved=0, cubes=['green'])
    },
    'disks': {
        'ten of two players': owned(10),
        'nine of four players': owned(9, players=4),
        'a reserved one too many': tile(
            owned(9), 9, reserved=0, cubes=[TILES[owned(9)['surface'][9]['tile']].required[0]]
        ),
    },
    'on_tile': {
        'a colour not required': tile(DRAFT, cubes=['white']),
        'no colour': tile(DRAFT, cubes=['gold']),
        'a colour twice': tile(DRAFT, cubes=['green', 'green']),
        'all required': tile(DRAFT, cubes=['green', 'yellow', 'blue']),
        'an object': tile(DRAFT, cubes={'green': 1}),
        'on a terraformed tile': tile(DRAFT, owner=0, cubes=['green']),
        'none on a reserved tile': tile(DRAFT, reserved=0),
        'not a text': tile(DRAFT, cubes=[1]),
        'a list in it': tile(DRAFT, cubes=[['green']]),
    },
    'token': {
        'without the option': tile(DRAFT, tokens=['E01']),
        'unknown': tile(TOKEN, tokens=['E17']),
        'twice': tile(tile(TOKEN, tokens=['E01']), 0, tokens=['E01']),
        'not a list': tile(TOKEN, tokens='E01'),
        'not a text': tile(TOKEN, tokens=[1]),
        'turned up and laid': tile(TOKEN, tokens=['E05']),
        'used and laid': tile(TOKEN | {'used_tokens': ['E01']}, tokens=['E01']),
        'none turned up': without(TOKEN, 'token'),
        'turned up null': TOKEN | {'token': None},
        'turned up unknown': TOKEN | {'token': 'E99'},
        'used, an object': TOKEN | {'used_tokens': {}},
        'used unknown': TOKEN | {'used_tokens': ['X']},
        'the phase without the option': without(TOKEN, 'options'),
        'on Darkness': tile(
            TOKEN | {'options': {'eternity': True, 'darkness': True}}, tile='D1', tokens=['E01']
        ),
    },
    'display': {
        'two': DRAFT | {'display': ['F07', None]},
        'four': DRAFT | {'display': [None] * 4},
        'an object': DRAFT | {'display': {}},
        'null': DRAFT | {'display': None},
    },
    'dark': {'two Darkness tiles': DRAFT | {'display': ['D1', 'D2', None], 'options': {'darkness': True}}},
    'heap': {
        'a list': DRAFT | {'board': ['green']},
        'an unknown colour': DRAFT | {'board': {'gold': 1}},
        'a negative number': DRAFT | {'board': {'green': -1}},
        'half a cube': DRAFT | {'discard': {'green': 0.5}},
        'a text': DRAFT | {'cubes': [{'green': '1'}, {}]},
        'null': DRAFT | {'discard': None},
    },
    'cubes': {
        'one seat': DRAFT | {'cubes': [{}]},
        'an object': DRAFT | {'cubes': {}},
        'three seats': DRAFT | {'cubes': [{}, {}, {}]},
    },
    'many': {
        'on the board': DRAFT | {'board': {'black': 10}},
        'in all': DRAFT | {'board': {'white': 5}, 'cubes': [{'white': 5}, {}]},
        'with one on a tile': tile(DRAFT | {'discard': {'blue': 13}}, cubes=['blue']),
    },
    'sources': {
        'a list': DRAFT | {'sources': [[], {}]},
        'one seat': DRAFT | {'sources': [{}]},
        'unknown': DRAFT | {'sources': [{'luck': 1}, {}]},
        'a gain by reserving': DRAFT | {'sources': [{'reserved': 1}, {}]},
        'a loss by tiles': DRAFT | {'sources': [{'printed': -1}, {}]},
        'half a point': DRAFT | {'sources': [{'own': 0.5}, {}]},
        'null': DRAFT | {'sources': None},
    },
    'lent': {
        'more than the pool': TURN | {'lent': {'yellow': 2}},
        'another colour': TURN | {'lent': {'red': 1}},
    },
    'phase': {
        'unknown': DRAFT | {'phase': 'pay'},
        'a number': DRAFT | {'phase': 1},
        'null': DRAFT | {'phase': None},
        'a list': DRAFT | {'phase': ['draft']},
    },
    'phase_key': {
        'a board in a turn': TURN | {'board': {'green': 1}},
        'a pool in the draft': DRAFT | {'pool': {'green': 1}},
        'a zone in the draft': DRAFT | {'zone': {}},
        'a zone in a turn': TURN | {'zone': {'red': 1}},
        'lent while placing': PLACING | {'lent': {}},
        'steps while placing': PLACING | {'steps': []},
        'disks in a turn': TURN | {'disks': []},
        'cubes with a token': TOKEN | {'cubes': [{}, {}]},
        'a round at the start': START | {'round': 1},
        'cubes at the start': START | {'cubes': [{}, {}]},
        'starting tiles in the draft': DRAFT | {'to_lay': ['P04']},
        'a token in the draft': DRAFT | {'token': 'E01', 'options': WITH_TOKENS},
        'a pool at the end': without(TURN, 'phase') | {'ending': 'endless', 'round': 40},
    },
    'board': {
        'empty': DRAFT | {'board': {}},
        'none': without(DRAFT, 'board'),
        'too many': DRAFT | {'board': {'green': 11}},
    },
    'columns': {
        'one is missing': DRAFT | {'columns': ['green']},
        'a colour twice': DRAFT | {'columns': ['red', 'green', 'green']},
        'unknown': DRAFT | {'columns': ['red', 'green', 'gold']},
        'an object': DRAFT | {'columns': {}},
        'a list in it': DRAFT | {'columns': [['red'], 'green']},
    },
    'passed': {
        'the mover': DRAFT | {'passed': [0]},
        'no seat': DRAFT | {'passed': [2]},
        'a number': DRAFT | {'passed': 1},
        'true': DRAFT | {'passed': [True]},
    },
    'disks_drafted': {
        'no seat': DRAFT | {'disks': [[2, 7]]},
        'column 0': DRAFT | {'disks': [[0, 0]]},
        'column 8': DRAFT | {'disks': [[0, 8]]},
        'a seat twice': DRAFT | {'disks': [[0, 7], [0, 6]]},
        'a seat alone': DRAFT | {'disks': [[0]]},
        'an object': DRAFT | {'disks': {'0': 7}},
        'no list': DRAFT | {'disks': [0, 7]},
        'a text': DRAFT | {'disks': [[0, 'left']]},
        'a list in it': DRAFT | {'disks': [[[0], 7]]},
    },
    'aside': {'not passed': DRAFT | {'disks': [[1, 'aside']]}},
    'no_free_tile': {'all terraformed': TOKEN | {'surface': [{'tile': 'P04', 'at': [0, 0], 'owner': 0}]}},
    'add': {'nothing': PLACING | {'add': 0}, 'no display': PLACING | {'display': [None] * 3}},
    'pool': {'cubes of the mover': TURN | {'cubes': [{'red': 1}, {}]}},
    'steps': {
        'a text': TURN | {'steps': 'terraform 0,0'},
        'numbers': TURN | {'steps': [1]},
        'an object': TURN | {'steps': {}},
    },
    'step': {
        'of another phase': TURN | {'steps': ['draft red']},
        'that cannot be paid': TURN | {'steps': ['terraform 0,0']},
        'in the wrong order': TURN | {'steps': ['reserve 1,0', 'done']},
    },
    'to_lay': {
        'none': without(START, 'to_lay'),
        'empty': START | {'to_lay': []},
        'a text': START | {'to_lay': 'P04'},
        'too few': START | {'to_lay': ['P04']},
        'too many': START | {'to_lay': ['P04', 'W05', 'F07']},
        'a tile on the display': START | {'display': ['M01', None, None]},
        'a terraformed tile': tile(START, owner=0),
        'a cube': tile(START, cubes=[TILES[START['surface'][1]['tile']].required[0]]),
        'a token': tile(START | {'options': {'layout': 'arranged', 'eternity': True}}, tokens=['E01']),
        'far': START
        | {'surface': [entry | {'at': [entry['at'][0] + 5, entry['at'][1]]} for entry in START['surface']]},
        'Darkness to be laid': START
        | {'options': {'layout': 'arranged', 'darkness': True}, 'to_lay': ['P04', 'D1']},
        'Darkness on the map': tile(START | {'options': {'layout': 'arranged', 'darkness': True}}, tile='D1'),
        'another layout': without(START, 'options'),
    },
    'finished': {
        'a reservation': TURN | {'steps': ['reserve 1,0', 'put green', 'done']},
        'the end of the turn': TURN | {'steps': ['end turn']},
    },
    'ending': {
        'unknown': DRAFT | {'ending': 'resigned'},
        'a number': DRAFT | {'ending': 1},
        'null': DRAFT | {'ending': None},
        'a list': DRAFT | {'ending': ['endless']},
    },
    'not_over': {
        'nobody has enough': without(DRAFT, 'board') | {'ending': 'terraformed'},
        'not the fortieth round': without(DRAFT, 'board') | {'ending': 'endless'},
        'terraformed, not endless': without(owned(8, round=40), 'board') | {'ending': 'endless'},
    },
}


@pytest.mark.parametrize(('kind', 'what'), [(kind, what) for kind, cases in WRONG.items() for what in cases])
def test_an_impossible_position_is_refused_with_a_sentence(kind: str, what: str) -> None:
    with pytest.raises(GameError) as error:
        read_position(WRONG[kind][what])
    sentence = str(error.value)
    assert f'position.error.{kind}' in kinds_of(sentence, ERRORS), sentence
    assert is_sentence(sentence)


def test_what_is_refused_differs_from_what_is_read() -> None:
    for data in (START, DRAFT, TURN, PLACING, TOKEN, owned(9), tile(TURN, reserved=0, cubes=['green'])):
        assert read_position(data).legal()


def test_all_sentences_about_positions_are_tested() -> None:
    assert {f'position.error.{kind}' for kind in WRONG} == {
        key for key in ERRORS if key.startswith('position')
    }


# ---- whatever comes ----------------------------------------------------------------------------------------

JUNK: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    3,
    7,
    40,
    10**9,
    0.5,
    '',
    'green',
    'P04',
    '0,0',
    'end turn',
    [],
    {},
    [0],
    [[0, 7]],
    ['green'],
    {'green': 1},
    [None] * 3,
    [0, 1],
    [1, 0],
    'turn',
    'place',
    'token',
    'terraformed',
    ['E01'],
    {'eternity': True},
)


def mutated(data: dict[str, Any], chooser: random.Random) -> dict[str, Any]:
    """A position with something changed, taken out or put in somewhere."""
    data = json.loads(json.dumps(data))
    inside: Any = data
    while isinstance(inside, dict | list) and inside:
        key = chooser.choice(list(inside) if isinstance(inside, dict) else list(range(len(inside))))
        if not isinstance(inside[key], dict | list) or not inside[key] or chooser.random() < 0.3:
            match chooser.randrange(3):
                case 0:
                    inside[key] = chooser.choice(JUNK)
                case 1 if isinstance(inside[key], int):
                    inside[key] += chooser.choice((-1, 1, 2))
                case _:
                    del inside[key]
            break
        inside = inside[key]
    if chooser.random() < 0.2:
        data[chooser.choice(list(read_keys()))] = chooser.choice(JUNK)
    return data


def read_keys() -> tuple[str, ...]:
    """The keys of positions."""
    return (
        'options',
        'to_move',
        'phase',
        'round',
        'turn',
        'order',
        'scores',
        'sources',
        'cubes',
        'zone',
        'discard',
        'board',
        'columns',
        'disks',
        'passed',
        'pool',
        'lent',
        'budget',
        'actions',
        'terraformed',
        'add',
        'steps',
        'token',
        'used_tokens',
        'ending',
    )


def refusal(data: dict[str, Any]) -> str:
    """Why this is no position; nothing if it is one."""
    try:
        read_position(data)
    except GameError as error:
        return str(error)
    return ''


def check_playable(position: Position, chooser: random.Random, most: int) -> None:
    """It is written as it is read, and can be played on: cubes are conserved and nobody's points fall below
    zero."""
    again = read_position(json.loads(json.dumps(position.to_json())))
    assert again.to_json() == position.to_json()
    for _ in range(most):
        if position.over:
            break
        position.apply(chooser.choice(position.actions()))
        s = position.state
        heaps = s.bag + s.discard + s.board + s.zone + s.pool + s.own.sum(axis=0)
        assert [int(n) + sum(int(bits) >> k & 1 for bits in s.cubes_on) for k, n in enumerate(heaps)] == list(
            CUBES.values()
        )
        assert (s.points >= 0).all()
    read_position(position.to_json())


def test_whatever_is_read_can_be_played() -> None:
    """Positions of a game with something changed are refused with a sentence, or are positions."""
    chooser, bases, refused, accepted = random.Random(3), [DRAFT, TURN, PLACING, TOKEN], 0, 0
    bases += [position.to_json() for position, _ in played(3, 6, EVERYTHING, 600 if compiled else 50)]
    for _ in range(500 if compiled else 60):
        data = chooser.choice(bases)
        for _ in range(chooser.choice((1, 1, 2))):
            data = mutated(data, chooser)
        if sentence := refusal(data):
            assert is_sentence(sentence), sentence
            refused += 1
        else:
            accepted += 1
            check_playable(read_position(data), chooser, 12 if compiled else 4)
    assert min(refused, accepted) > (70 if compiled else 5)


def test_the_board_is_as_large_as_a_draft() -> None:
    for players in (2, 3, 4, 5):
        most = TABLE['players'][str(players)]['draft']
        some = dict.fromkeys(COLOURS[:5], most // 5)
        assert sum(some.values()) == most
        assert read_position(described(flower(), players=players, board=some)).legal()
        with pytest.raises(GameError):
            read_position(described(flower(), players=players, board=some | {'green': some['green'] + 1}))


def test_a_surface_may_grow_to_the_rim_of_the_plane() -> None:
    cells = [(q, 0) for q in range(-19, 20)]
    data = described(dict(zip(cells, quiet_tiles(), strict=False)), phase='place', actions=1, add=1)
    for name in read_position(data).legal():
        q, r = map(int, name.split()[-1].split(','))
        assert max(abs(q), abs(r)) < 20
        assert any(cell in beside((q, r)) for cell in cells)
