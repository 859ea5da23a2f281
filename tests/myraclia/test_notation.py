"""Names of actions: exact inverses at every moment of games, the names that everybody uses, and sentences for
mistakes."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludoteca
from ludoteca.game import GameError
from ludoteca.kernel import compiled
from tests.myraclia.model import COLOURS, TILES
from tests.myraclia.support import (
    ERRORS,
    EVERYTHING,
    MYRACLIA,
    OPTIONS,
    described,
    flower,
    last_turn,
    played,
    read_position,
    some_tile,
    starting,
    turn,
)
from tests.playing import play_on
from tests.sentences import kinds_of
from tests.width import width

DRAFT, PASS, TERRAFORM, RESERVE, CHANGE, ADD, END_TURN, PAY, TRIPLE, FIVE, USE, PUT, DONE, PLACE = (
    0,
    7,
    8,
    68,
    128,
    188,
    195,
    196,
    203,
    252,
    259,
    266,
    273,
    274,
)
CELLS, MIDDLE = 41 * 41, 20 + 41 * 20
TOKEN = PLACE + 3 * CELLS
ARRANGE = TOKEN + 60
START = [(q, r) for r in range(2) for q in range(3)]


@pytest.mark.parametrize('options', OPTIONS, ids=lambda options: ','.join(options) or 'none')
@pytest.mark.parametrize('players', [2, 3, 4, 5])
def test_names_of_legal_actions_read_back_in_all_phases(players: int, options: dict[str, Any]) -> None:
    phases = set()
    for position, _ in played(players, 11, options, 10**6 if compiled else width(40, 90)):
        actions, names = position.actions(), position.legal()
        assert len(set(names)) == len(names)
        for action, name in list(zip(actions, names, strict=True))[:: 1 if compiled else 4]:
            assert 0 <= action < MYRACLIA.n_actions
            assert MYRACLIA.action_from_name(position.state, name) == action
            assert len(name.split()) <= MYRACLIA.most_words
        phases.add(int(position.state.phase))
    assert not compiled or {0, 1, 2, 4, 5} <= phases
    assert not compiled or not options.get('eternity') or 6 in phases


def test_numbers_are_as_documented() -> None:
    """All actions that the head of the rules lists; those of tiles by tiles on the surface and the
    display."""
    tiles = flower()
    position = read_position(described(tiles, board={'green': 1}))
    s, expected = position.state, dict[str, int]()
    for k, colour in enumerate(COLOURS):
        expected |= {
            f'{word} {colour}': first + k
            for word, first in (('draft', DRAFT), ('add', ADD), ('pay', PAY), ('use', USE), ('put', PUT))
        }
        expected |= {f'pay {colour} with 3 {of}': TRIPLE + 7 * k + j for j, of in enumerate(COLOURS)}
        expected[f'pay {colour} with any five'] = FIVE + k
    expected |= {'pass': PASS, 'end turn': END_TURN, 'done': DONE}
    for (q, r), tile in tiles.items():
        number = list(TILES).index(tile)
        expected |= {
            f'{word} {q},{r}': first + number
            for word, first in (
                ('terraform', TERRAFORM),
                ('reserve', RESERVE),
                ('change', CHANGE),
                ('token', TOKEN),
            )
        }
    for slot, tile in enumerate(position.to_json()['display']):
        expected |= {
            f'place {tile} at {q},{r}': PLACE + CELLS * slot + MIDDLE + q + 41 * r
            for q, r in ((0, 0), (3, -1), (-20, 20), (20, -20))
        }
    for name, action in expected.items():
        assert MYRACLIA.action_from_name(s, name) == action, name
        assert MYRACLIA.action_name(s, action) == name


def test_numbers_of_starting_tiles_follow_those_of_tokens() -> None:
    position = starting(['P04', 'W05'], *START)
    for slot, tile in enumerate(('P04', 'W05')):
        for q, r in ((0, 0), (3, -1), (-6, 6), (6, -6), (6, 6)):
            action, name = ARRANGE + 169 * slot + (q + 6) + 13 * (r + 6), f'place {tile} at {q},{r}'
            assert MYRACLIA.action_from_name(position.state, name) == action, name
            assert MYRACLIA.action_name(position.state, action) == name
    assert ARRANGE == 5377, 'the numbers before it are those of old logs'
    assert MYRACLIA.n_actions == ARRANGE + 12 * 169
    for name in ('place P04 at 7,0', 'place P04 at 0,-7'):
        with pytest.raises(GameError, match='between -6 and 6'):
            MYRACLIA.action_from_name(position.state, name)


def test_the_names_that_players_use() -> None:
    """draft blue, terraform 0,2 pay red pay blue with 3 green pay white with any five, reserve 1,2 put yellow
    put green done."""
    position = read_position(described(flower(), board={'blue': 2}, cubes=[{}, {}]))
    assert position.after('draft blue pass').legal() == ['draft blue', 'pass']
    tile = some_tile(lambda tile: tile.required == ('orange', 'red', 'blue', 'white'))
    tiles = {
        (q, r): tile
        for (q, r), tile in zip(
            [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2)], ['M01', 'M02', 'M03', 'M04', 'W05'], strict=True
        )
    }
    tiles[0, 2] = tile
    given: dict[str, Any] = {'owners': {(0, 1): 1, (1, 1): 1}, 'scores': [9, 9]}
    paying = turn(tiles, 'orange red green green green yellow yellow black black orange', **given)
    paying.play('terraform 0,2 pay orange pay red pay blue with 3 green pay white with any five')
    paying.play('use yellow use yellow use orange use black use black')
    assert paying.to_json()['actions'] == 1
    keeping = turn(tiles, 'yellow green blue orange red white', **given)
    keeping.play('reserve 1,2 put yellow put green done')
    assert keeping.to_json()['scores'] == [8, 9]
    keeping.play('change 0,2 put red put white done add blue')
    keeping.play('end turn')
    name = f'place {keeping.to_json()["display"][0]} at '
    assert any(legal.startswith(name) for legal in keeping.legal())
    token = last_turn(flower(), options={'eternity': True}).after('end turn')
    assert token.after('token 1,0').to_json()['round'] == 3


def test_several_turns_in_one_text() -> None:
    """Names have one to five words; the longest that fits is meant."""
    chooser, names, now = random.Random(4), list[str](), ludoteca.new('myraclia', 3, 8, EVERYTHING)
    while not now.over and len(names) < (10**6 if compiled else 80):
        names.append(chooser.choice(now.legal()))
        now.apply(MYRACLIA.action_from_name(now.state, names[-1]))
    again = ludoteca.new('myraclia', 3, 8, EVERYTHING)
    half = len(names) // 2
    play_on(play_on(again, ' '.join(names[:half])), '  '.join(names[half:]))
    assert again.to_json() == now.to_json()


def test_a_text_with_a_step_that_is_not_legal_changes_nothing() -> None:
    position = turn(flower('P04'), 'green yellow black', owners={(1, 0): 1}, scores=[9, 9])
    before = position.to_json()
    for text in (
        'terraform 0,0 pay yellow',
        'terraform 0,0 pay green pay yellow pay red',
        'terraform 0,0 end turn',
        'draft green',
        'pass',
        'reserve 0,0 put green put green',
        'reserve 0,0 done',
        'reserve 0,0 put red',
        'terraform 1,0',
        'add green',
        'change 0,0',
        'terraform 0,0 pay green with 3 red',
        'terraform 0,0 pay green with any five',
        'use green',
        'done',
        'token 0,0',
        f'place {before["display"][0]} at 2,-1',
        'terraform 0,0 terraform 0,0',
    ):
        with pytest.raises(GameError):
            position.play(text)
        assert position.to_json() == before


WRONG = {
    'name': [
        '',
        'Pass',
        'draft',
        'draft blue red',
        'pay blue with',
        'pay blue with 4 green',
        'pay blue with three green',
        'pay blue with any 5',
        'place P04',
        'place P04 on 3,1',
        'terraform',
        'terraform 0 2',
        'end',
        'end the turn',
        'done now',
        'token',
        'swap red blue',
        'x' * 500,
    ],
    'place': [
        'terraform 0',
        'terraform a1',
        'terraform 21,0',
        'terraform 0,-21',
        'terraform 0,2,1',
        'reserve (0,0)',
        'token 1.5,0',
        'change 100,0',
        'terraform +1,0',
        'terraform ,',
        'terraform 0,٣',
    ],
    'no_tile': ['terraform 9,9', 'reserve -20,20', 'change 20,0', 'token 5,5'],
    'display': ['place P99 at 2,-1', 'place p04 at 2,-1', 'place F07 at 2,-1', 'place null at 0,0'],
    'to_lay': ['place P99 at 0,0', 'place F07 at 1,0', 'place p04 at 0,1', 'place D1 at 0,1'],
    'colour': [
        'draft purple',
        'draft Blue',
        'add cyan',
        'pay 3',
        'use none',
        'put gold',
        'pay gold with 3 green',
        'pay green with 3 gold',
        'pay gold with any five',
    ],
}


@pytest.mark.parametrize(('kind', 'text'), [(kind, text) for kind, texts in WRONG.items() for text in texts])
def test_what_names_no_step_is_refused_with_a_sentence(kind: str, text: str) -> None:
    now = (
        starting(['P04', 'W05'], *START)
        if kind == 'to_lay'
        else read_position(described(flower(), board={'green': 1}))
    )
    with pytest.raises(GameError) as error:
        MYRACLIA.action_from_name(now.state, text)
    assert kinds_of(str(error.value), ERRORS) == [f'action.error.{kind}']
    assert len(str(error.value)) < 500


def test_an_empty_display_is_said_to_be_empty() -> None:
    data = described(flower(), board={'green': 1}) | {'display': [None] * 3}
    with pytest.raises(GameError, match='none'):
        MYRACLIA.action_from_name(read_position(data).state, 'place P04 at 0,0')


def test_all_sentences_about_names_are_tested() -> None:
    assert {f'action.error.{kind}' for kind in WRONG} == {key for key in ERRORS if key.startswith('action')}
