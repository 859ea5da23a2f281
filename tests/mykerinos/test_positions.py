"""Positions as JSON: exact round trips in every phase, and one sentence for whatever is wrong."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import GameError, Position
from ludoteca.kernel import compiled
from tests.mykerinos.model import ORDER, PATRONS
from tests.mykerinos.support import (
    MYKERINOS,
    OPTIONS,
    clear,
    facts,
    legal,
    position,
    read_position,
    table,
    trail,
)
from tests.playing import play_on

KEYS = [
    'game',
    'players',
    'options',
    'to_move',
    'season',
    'turn',
    'first',
    'wings',
    'tiles',
    'deck',
    'held',
    'tilted',
    'gone',
    'cubes',
    'museum',
    'stock',
    'neutral',
    'scores',
    'scale',
    'begun',
    'survey',
    'ending',
]
APPEAL, PASS = (MYKERINOS.action_from_name(position().state, name) for name in ('violet', 'pass'))
# of the deal only what is on the table and to come
UNWRITTEN = {'rng', 'news', 'reveals', 'deck', 'turned'}
REQUIRED = {'game', 'players', 'to_move', 'season', 'wings', 'tiles'}


@pytest.mark.parametrize('option', OPTIONS)
@pytest.mark.parametrize('players', [2, 3, 4])
def test_positions_read_back_exactly(players: int, option: str) -> None:
    """The whole truth and what is known of it, whatever was begun; and the game goes on alike."""
    chooser, met = random.Random(players), Counter[str]()
    for seed in range(2 if compiled else 1):
        game = ludoteca.new('mykerinos', players, 10 * players + seed, OPTIONS[option])
        for _ in range(10**6 if compiled else 80):
            rare = game.state.phase not in (0, 4)
            if game.over or chooser.random() < (0.4 if rare else 0.1):
                shown = facts(game.state)
                met[shown.get('phase', 'over')] += 1
                for state in (game.state, game.hidden(0)):
                    data = MYKERINOS.to_json(state)
                    again = read_position(json.loads(json.dumps(data)))
                    assert again.to_json() == data
                    assert list(again.to_json()) == list(data) == [key for key in KEYS if key in data]
                    assert facts(again.state) == shown
                    written = [name for name in state.dtype.names if name not in UNWRITTEN]
                    assert [name for name in written if np.any(again.state[name] != state[name])] == []
                    assert again.actions() == game.actions()
                    if state is game.state and chooser.random() < 0.2:
                        assert_goes_on_alike(game.copy(), again, random.Random(seed))
            if game.over:
                break
            action = chooser.choice(game.actions())
            tilted = [other for other in game.actions() if APPEAL <= other < PASS]
            game.apply(
                chooser.choice(tilted or game.actions())
                if action == PASS or chooser.random() < 0.2
                else action
            )
    if compiled:
        phases = [
            'excavate',
            'appeal',
            'dig',
            'claim',
            'over',
            *(['neutral', 'remove'] if players == 2 else []),
        ]
        assert [phase for phase in phases if not met[phase]] == []


def assert_goes_on_alike(game: Position, again: Position, chooser: random.Random) -> None:
    """So many steps more, in one as in the other."""
    for _ in range(12):
        if game.over:
            break
        action = chooser.choice(game.actions())
        game.apply(action)
        again.apply(action)
        assert again.actions() == game.actions()
    assert facts(again.state) == facts(game.state)
    assert again.outcome() == game.outcome()


def test_required_keys_make_a_position() -> None:
    data = {key: value for key, value in table().items() if key in REQUIRED}
    game = read_position(data)
    assert facts(game.state)['stock'] == [0, 0, 0]
    assert facts(game.state)['reserve'] == [25, 25, 25]
    assert legal(game) == {'pass'}
    assert game.to_json() == {**data, 'stock': [0, 0, 0], 'scores': [0, 0, 0]}


def test_defaults_are_left_out_and_lists_come_in_a_fixed_order() -> None:
    given = table(
        season=2,
        held=[['lemon-2', 'violet-1', 'lemon-1'], [], []],
        cubes={'h6': 1, 'a1': 0},
        stock=[9, 9, 9],
        museum={'2-lemon-violet': 0, '3-violet': 1},
        tilted=[{'lemon': 1, 'violet': 0}, {}, {}],
        first=0,
        turn=0,
        scale=[],
        begun=[],
        options={'five_door': 'any'},
    )
    data = read_position(given).to_json()
    assert data['held'][0] == ['violet-1', 'lemon-1', 'lemon-2']
    assert list(data['cubes'].items()) == [('a1', 0), ('h6', 1)]
    assert list(data['museum'].items()) == [('3-violet', 1), ('2-violet-lemon', 0)]
    assert data['tilted'] == [{'lemon': 1}, {}, {}]
    assert data['gone'] == sorted(data['gone'], key=ORDER.index)
    assert not {'first', 'turn', 'scale', 'begun', 'options', 'deck'} & data.keys()


def unseen(data: Mapping[str, Any]) -> list[str]:
    """The tiles that are neither on the table nor elsewhere, in the order of their names."""
    return [tile for tile in ORDER if tile not in {entry.split()[0] for entry in data['tiles']}]


def test_unknown_tiles_to_come_are_null() -> None:
    game = position()
    known = game.to_json()
    some = [None, *unseen(known)[1:27], None]
    assert read_position({**known, 'deck': some}).to_json()['deck'] == some
    assert read_position({**known, 'deck': [None] * 28}).to_json()['deck'] is None
    assert read_position({**known, 'deck': None}).to_json()['deck'] is None
    assert MYKERINOS.to_json(game.hidden(0))['deck'] is None


def test_tiles_to_come_that_are_not_named_come_in_the_order_of_their_names() -> None:
    known = {key: value for key, value in position().to_json().items() if key != 'deck'}
    game = read_position(known)
    assert [ORDER[tile] for tile in game.state.deck[8:]] == unseen(known)
    assert not any(game.state.turned[8:])
    assert game.to_json() == read_position({**known, 'deck': unseen(known)}).to_json() == known


def test_in_the_last_season_no_tiles_are_to_come() -> None:
    assert 'deck' not in position(season=4).to_json()
    assert 'deck' not in MYKERINOS.to_json(position(season=4).hidden(0))


@pytest.mark.parametrize(
    'turn',
    [
        'extend {0}',
        'violet',
        'violet extend {0}',
        'lemon',
        'brown',
        'blackmore',
        'tangerine',
        'tangerine {0}',
    ],
)
def test_a_turn_begun_is_written_as_its_steps_after_the_position_before_it(turn: str) -> None:
    start = position(season=2, held=[[f'{patron}-1' for patron in PATRONS], [], []], cubes={'c3': 0})
    before, steps = start.to_json(), turn.format(*trail(start, '..', 'c3'))
    data = play_on(start, steps).to_json()
    words = steps.split()
    expected = (
        [' '.join(words[:2])]
        if words[0] == 'extend'
        else [words[0], ' '.join(words[1:])]
        if words[1:]
        else words
    )
    assert data == {**before, 'begun': expected}
    assert read_position(data).legal() == start.legal()


def test_the_neutral_move_begun_is_written_after_the_own_action() -> None:
    start = position(2, cubes={'c3': 'neutral'})
    before = start.to_json()
    first = trail(start, '..', 'c3')[0]
    own = next(
        name
        for name in start.legal()
        if name.startswith('start') and name != f'start {first}' and name[-1] == '6'
    )
    data = play_on(start, f'{own} neutral extend {first}').to_json()
    assert data == {**before, 'begun': [own, f'neutral extend {first}']}
    assert facts(read_position(data).state) == facts(start.state)


@pytest.mark.parametrize('own', [['brown', '3-lemon'], ['violet', 'start a6'], ['blackmore', 'a6', 'b6']])
def test_a_patrons_action_is_written_whole_while_the_neutral_move_is_to_come(own: list[str]) -> None:
    hand = ['violet-1', 'brown-1', 'blackmore-1']
    start = position(2, season=2, held=[hand, []], tiles=clear('a6', 'b6', without=hand))
    before = start.to_json()
    data = play_on(start, ' '.join(own)).to_json()
    assert data == {**before, 'begun': own}
    again = read_position(data)
    assert facts(again.state) == facts(start.state)
    assert again.legal() == start.legal()
    assert 'nothing' in again.legal()


def test_a_finished_game_is_written_and_read() -> None:
    ended = position(
        season=4, held=[['lemon-1'], ['violet-1'], []], museum={'3-lemon': 0}, stock=[1, 2, 3]
    ).after('pass pass pass')
    again = read_position(ended.to_json())
    assert again.over
    assert again.actions() == []
    assert MYKERINOS.kernels.legal_actions(again.state, np.empty(MYKERINOS.max_legal, np.int32)) == 0
    assert again.ending == 'exhibition'
    assert again.to_json() == ended.to_json()
    assert again.outcome() == ended.outcome()
    assert again.scores() == ended.scores()


def test_scores_may_be_left_out_since_they_follow() -> None:
    ended = position(season=4, held=[['lemon-1', 'blank'], ['violet-1'], []]).after('pass pass pass')
    data = ended.to_json()
    del data['scores']
    assert read_position(data).scores() == ended.scores()


# ---- what is wrong -----------------------------------------------------------------------------------------


def without(*keys: str, **changed: Any) -> dict[str, Any]:
    """The start without these keys and with others."""
    return {key: value for key, value in table(**{'held': [], **changed}).items() if key not in keys}


def later(**changed: Any) -> dict[str, Any]:
    """The second season: seat 0 has two tiles."""
    return table(season=2, held=[['violet-1', 'violet-2'], [], []]) | changed


def surveyed(**changed: Any) -> dict[str, Any]:
    """The survey of area B, where seats 1 and 2 have cubes."""
    start = table(
        cubes={'e1': 1, 'f1': 1, 'g1': 2},
        scale=[0, 1, 2],
        to_move=1,
        tiles=ORDER[:8],
        gone=ORDER[:2],
        stock=[5, 5, 5],
    )
    return start | {'survey': {'area': 'B', 'rank': 1}} | changed


def ended(**changed: Any) -> dict[str, Any]:
    """A finished game: all tiles gone."""
    data = table(season=4)
    return data | {'held': [[], [], []], 'gone': list(ORDER), 'ending': 'exhibition'} | changed


def each(data: dict[str, Any], key: str, *values: Any) -> list[dict[str, Any]]:
    """The position with each of these values under a key."""
    return [data | {key: value} for value in values]


def first_tile(entry: Any) -> list[Any]:
    """The deal of the start with another first tile."""
    return [entry, *NOW[1:]]


START, TWO, NOW, GONE = without(), table(2), without()['tiles'], later()['gone']
WRONG: dict[str, list[dict[str, Any]]] = {
    'missing_key': [without(key) for key in ('players', 'season', 'wings', 'tiles', 'to_move')],
    'no_key': [START | {'colour': 'blue'}, START | {'reserve': [14, 14, 14]}],
    'whole': [
        *each(START, 'players', 1, 5, 2.5, '2'),
        *each(START, 'season', 0, 5, None),
        *each(START, 'turn', -1, 10**400, []),
        *each(START, 'first', 3, 'x'),
        *each(START, 'to_move', 3, True, None, -1),
    ],
    'options': each(START, 'options', [], 'three', {'speed': 1}, {'five_door': 'two'}, {'five_door': []}),
    'wings': each(
        START, 'wings', PATRONS, list(PATRONS[:4]), ['violet'] * 5, 'violet', {}, [1, 2, 3, 4, 5], None
    ),
    'tile': [
        *each(START, 'tiles', *map(first_tile, ('violet-8', 'violet', 3, None, 'violet-1 upside', []))),
        START | {'deck': ['blank-1', *[None] * 27]},
        later(gone=['x', *GONE[1:]]),
        later(held=[[None, 'violet-2'], [], []]),
        later(gone=[f'{GONE[0]} turned', *GONE[1:]]),
    ],
    'tiles': [*each(START, 'tiles', NOW[:7], [], None, 'violet-1', {}), later(season=4)],
    'deck': each(START, 'deck', [None] * 27, [], 'x', {}),
    'held': [*each(START, 'held', [], [[], []], {}, [1, 2, 3], [['x'], 'y', []]), START | {'gone': {}}],
    'twice': [
        later(held=[['violet-1', 'violet-1'], [], []]),
        later(held=[['violet-1'], ['violet-1'], []]),
        START | {'tiles': [NOW[0], *NOW[:7]]},
        later(gone=[*GONE[1:], 'violet-1']),
        later(deck=['violet-1', *[None] * 19]),
        START | {'deck': [NOW[0], *[None] * 27]},
        START | {'deck': ['blank', 'blank turned', *[None] * 26]},
    ],
    'earlier': [later(held=[['violet-1'], [], []]), later(gone=[]), START | {'gone': ['blank']}],
    'tilted': each(later(), 'tilted', [], [{}], {}, [1, 2, 3], [[], [], []]),
    'tilted_tile': each(
        later(),
        'tilted',
        [{'violet': 3}, {}, {}],
        [{'lemon': 1}, {}, {}],
        [{}, {'violet': 1}, {}],
        [{'blank': 1}, {}, {}],
        [{'violet': -1}, {}, {}],
        [{'violet': True}, {}, {}],
    ),
    'museum': each(
        START, 'museum', [], 'x', {'3-lemon': 3}, {'3-lemon': None}, {'3-lemon': True}, {'3-lemon': 'neutral'}
    ),
    'five': [
        *each(START, 'museum', {'5-lemon': 0}, {'5-lemon': 0, '3-lemon': 1}, {'5-lemon': 0, '3-violet': 0}),
        START | {'museum': {'5-lemon': 0, '2-violet-lemon': 0}, 'options': {'five_door': 'three'}},
    ],
    'cubes': each(START, 'cubes', [], 'x', {'a1': 3}, {'a1': None}, {'a1': 'neutral'}, {'a1': -1}),
    'outside': each(START, 'cubes', {'a7': 0}, {'h9': 1}),
    'stock': [
        *each(START, 'stock', [1, 2], [1, 2, -1], [1, 2, 26], [1, 2, None], 'x', {}),
        *each(TWO, 'neutral', [1], [1, True]),
    ],
    'neutral': each(START, 'neutral', [0, 0, 0]),
    'many': [
        START | {'stock': [24, 0, 0], 'cubes': {'a1': 0, 'b1': 0}},
        START | {'stock': [25, 0, 0], 'museum': {'3-lemon': 0}},
        TWO | {'neutral': [13, 13]},
        TWO | {'neutral': [25, 0], 'cubes': {'a1': 'neutral'}},
    ],
    'scale': each(START, 'scale', [0, 0], [3], ['x'], {}, 'x', [None], [True]),
    'passed': each(START, 'scale', [0], [0, 1, 2]),
    'taken': [START | {'gone': NOW[:1]}, START | {'held': [NOW[3:4], [], []]}],
    'begun': each(START, 'begun', 'pass', {}, [1], [None]),
    'begun_late': [surveyed(begun=['pass']), ended(begun=[])],
    'begun_step': each(START, 'begun', ['violet'], ['take 1'], ['nothing'], ['extend a1'], ['start a9']),
    'finished': [START | {'begun': ['pass']}, TWO | {'begun': ['pass', 'pass']}],
    'survey': each(
        surveyed(),
        'survey',
        'B',
        [],
        {},
        {'area': 'B'},
        {'rank': 1},
        {'area': 'E', 'rank': 1},
        {'area': 1, 'rank': 1},
        {'area': 'B', 'rank': 0},
        {'area': 'B', 'rank': 'x'},
        {'area': [], 'rank': 1},
        {'area': 'B', 'rank': 1, 'x': 1},
    ),
    'not_passed': each(surveyed(), 'scale', [0], []),
    'survey_tiles': each(surveyed(), 'gone', [], ORDER[:1], [*ORDER[:2], ORDER[7]]),
    'survey_cubes': [surveyed(cubes={'a1': 0, 'e1': 1, 'f1': 1, 'g1': 2})],
    'survey_rank': [
        *each(
            surveyed(), 'survey', {'area': 'B', 'rank': 3}, {'area': 'B', 'rank': 2}, {'area': 'B', 'rank': 5}
        ),
        surveyed(to_move=0),
        surveyed(cubes={}),
    ],
    'ending': [
        START | {'ending': 'exhibition'},
        *each(ended(), 'ending', 'won', 1, []),
        ended(cubes={'a1': 0}),
        ended(scale=[0]),
        ended(gone=ORDER[1:]),
    ],
    'scores': [*each(START, 'scores', [1, 0, 0], [0, 0], 'x', {}), ended(scores=[0, 0, 1])],
}


@pytest.mark.parametrize(
    ('key', 'number'), [(key, number) for key, cases in WRONG.items() for number in range(len(cases))]
)
def test_an_impossible_position_is_refused_with_its_sentence(key: str, number: int, asked: list[str]) -> None:
    with pytest.raises(GameError) as error:
        read_position(WRONG[key][number])
    assert asked[-1:] == [f'position.error.{key}']
    sentence = str(error.value)
    assert sentence[0].isupper() or sentence[0] in '\'"'
    assert sentence.endswith('.')
    assert len(sentence) < 500


def test_every_sentence_about_positions_is_tried() -> None:
    keys = sorted(MYKERINOS.words.keys())
    assert sorted(f'position.error.{key}' for key in WRONG) == [
        key for key in keys if key.startswith('position.error.')
    ]


@pytest.mark.parametrize('data', [later(), surveyed(), ended(), without(), table(2)])
def test_the_positions_that_these_are_made_from_are_right(data: dict[str, Any]) -> None:
    assert read_position(data).to_json()['wings'] == list(PATRONS)


@pytest.mark.parametrize(
    'wrong',
    [
        {'museum': {'4-lemon': 0}},
        {'museum': {'lemon': 0}},
        {'cubes': {'c0': 0}},
        {'cubes': {'': 0}},
        {'begun': ['dig c4']},
    ],
)
def test_unknown_places_and_steps_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(GameError):
        read_position(without() | wrong)


JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    10**30,
    '',
    'x',
    [],
    {},
    [None],
    [[]],
    {'x': None},
    {'x': []},
    [0, 0, 0],
    ['blank'] * 3,
]


@pytest.mark.parametrize('key', KEYS[1:])
def test_junk_under_any_key_is_refused_or_understood_but_breaks_nothing(key: str) -> None:
    for start in (without(), table(2), later(), surveyed(), ended()):
        for value in JUNK:
            with suppress(GameError):
                game = read_position(start | {key: value})
                assert read_position(game.to_json()).to_json() == game.to_json()
                assert game.over or game.legal()
