"""Names of steps: exact inverses in every phase, whole turns as people write them, and a sentence for
whatever is wrong."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import ludoteca
from ludoteca.game import GameError, Position
from ludoteca.kernel import compiled
from tests.mykerinos.model import NEUTRAL, PATRONS
from tests.mykerinos.support import MYKERINOS, SPACES, clear, facts, legal, position

ROOMS = [
    *(f'5-{patron}' for patron in PATRONS),
    *(f'3-{patron}' for patron in PATRONS),
    '2-violet-lemon',
    '2-lemon-brown',
    '2-brown-blackmore',
    '2-blackmore-tangerine',
    '2-tangerine-violet',
]
NAMES = [
    *(f'start {space}' for space in SPACES),
    *(f'extend {space}' for space in SPACES),
    *SPACES,
    *ROOMS,
    *(f'museum {room}' for room in ROOMS),
    *PATRONS,
    'pass',
    'take 1',
    'take 2',
    'nothing',
    'neutral take 1',
    'neutral take 2',
    *(f'neutral start {space}' for space in SPACES),
    *(f'neutral extend {space}' for space in SPACES),
]


def test_every_action_has_the_documented_name() -> None:
    state = position().state
    assert len(NAMES) == MYKERINOS.n_actions == len(set(NAMES))
    for action, name in enumerate(NAMES):
        assert MYKERINOS.action_name(state, action) == name
        assert MYKERINOS.action_from_name(state, name) == action


def test_no_name_is_the_beginning_of_another() -> None:
    assert not [(a, b) for a in NAMES for b in NAMES if b.startswith(f'{a} ')]
    assert max(len(name.split()) for name in NAMES) == MYKERINOS.most_words


def test_names_of_legal_actions_read_back_in_every_phase() -> None:
    chooser, phases = random.Random(2), Counter[str]()
    for players in (2, 3, 4) * (2 if compiled else 1):
        game = ludoteca.new('mykerinos', players, chooser.randrange(1000))
        for _ in range(250 if compiled else 100):
            if game.over:
                break
            phases[facts(game.state)['phase']] += 1
            actions = game.actions()
            assert actions == sorted(set(actions))
            for action in actions:
                assert (
                    MYKERINOS.action_from_name(game.state, MYKERINOS.action_name(game.state, action))
                    == action
                )
            patrons = [action for action in actions if 246 <= action < 251]
            game.apply(chooser.choice(patrons or actions))
    if compiled:
        assert {phase for phase, n in phases.items() if n > 5} == {
            'excavate',
            'appeal',
            'dig',
            'neutral',
            'claim',
            'remove',
        }


@pytest.mark.parametrize(
    'ring', [list(PATRONS), ['brown', 'tangerine', 'violet', 'lemon', 'blackmore'], list(reversed(PATRONS))]
)
def test_rooms_are_named_after_the_patrons_of_their_wings_clockwise(ring: list[str]) -> None:
    state = position(wings=ring).state
    names = (
        [f'5-{patron}' for patron in ring]
        + [f'3-{patron}' for patron in ring]
        + [f'2-{ring[k]}-{ring[(k + 1) % 5]}' for k in range(5)]
    )
    assert [MYKERINOS.action_name(state, 216 + room) for room in range(15)] == names
    assert [MYKERINOS.action_name(state, 231 + room) for room in range(15)] == [
        f'museum {name}' for name in names
    ]


def test_the_patrons_of_a_2_room_may_be_named_in_either_order() -> None:
    state = position().state
    assert MYKERINOS.action_from_name(state, '2-lemon-violet') == MYKERINOS.action_from_name(
        state, '2-violet-lemon'
    )
    assert MYKERINOS.action_from_name(state, 'museum 2-violet-tangerine') == NAMES.index(
        'museum 2-tangerine-violet'
    )


HANDS = [[f'{patron}-1' for patron in PATRONS], []]
FREE = clear('b2', 'c3', 'c4', 'c5', 'd4', 'd5', 'e4', without=HANDS[0])


def ready(players: int = 2, **more: object) -> Position:
    """The second season; seat 0 has one tile of each patron, and a cube on c3."""
    hands = [*HANDS, *[[] for _ in range(players - 2)]]
    return position(players, season=2, tiles=FREE, held=hands, **{'cubes': {'c3': 0}, **more})


@pytest.mark.parametrize(
    ('turn', 'cubes'),
    [
        ('start b2', ['b2']),
        ('extend c4 c5', ['c4', 'c5']),
        ('violet start b2', ['b2']),
        ('violet extend c4 c5', ['c4', 'c5']),
        ('lemon start b2', ['b2']),
        ('lemon extend c4 c5', ['c4', 'c5']),
        ('brown 3-lemon', []),
        ('brown 2-violet-lemon', []),
        ('blackmore c4 c5', ['c4', 'c5']),
        ('tangerine c4 c5 d5', ['c4', 'c5', 'd5']),
        ('pass', []),
    ],
)
def test_the_turns_of_the_rulebook_can_be_played_as_they_are_written(turn: str, cubes: list[str]) -> None:
    game = ready(3).after(turn)
    assert game.to_move == 1
    assert game.state.turn == 1
    assert facts(game.state)['cubes'] == {'c3': 0, **dict.fromkeys(cubes, 0)}
    assert facts(game.state)['tilted'][0] == [int(turn.startswith(patron)) for patron in PATRONS]


@pytest.mark.parametrize(
    ('turn', 'cubes'),
    [
        ('start b2 neutral start c4', {'b2': 0, 'c4': NEUTRAL}),
        ('extend c4 c5 neutral start d5', {'c4': 0, 'c5': 0, 'd5': NEUTRAL}),
        ('start b2 neutral extend d4 d5', {'b2': 0, 'd4': NEUTRAL, 'd5': NEUTRAL}),
        ('start b2 nothing', {'b2': 0}),
        ('brown 3-lemon neutral start c4', {'c4': NEUTRAL}),
        ('violet extend c4 c5 nothing', {'c4': 0, 'c5': 0}),
        ('lemon start b2 neutral extend d4 d5', {'b2': 0, 'd4': NEUTRAL, 'd5': NEUTRAL}),
        ('blackmore c4 c5 neutral start b2', {'c4': 0, 'c5': 0, 'b2': NEUTRAL}),
        ('tangerine c4 c5 d5 neutral start b2', {'c4': 0, 'c5': 0, 'd5': 0, 'b2': NEUTRAL}),
    ],
)
def test_the_turns_of_two_players_end_with_the_neutral_move(turn: str, cubes: dict[str, object]) -> None:
    lying = {'c3': 0, 'e4': NEUTRAL}
    game = ready(2, cubes=lying).after(turn)
    assert game.to_move == 1
    assert game.state.turn == 1
    assert facts(game.state)['cubes'] == {**lying, **cubes}


@pytest.mark.parametrize(
    'claim',
    ['take 1', 'take 2', 'museum 3-lemon', 'museum 2-violet-brown', 'museum 2-brown-violet', 'nothing'],
)
def test_claims_can_be_played_as_they_are_written(claim: str) -> None:
    ring = ['violet', 'brown', 'lemon', 'blackmore', 'tangerine']
    game = position(cubes={'a1': 1}, scale=[0, 2], to_move=1, wings=ring).after('pass')
    game.play(claim)
    assert game.to_json()['season'] == 2
    if claim.startswith('museum'):
        assert facts(game.state)['museum'] == {claim.split()[1].replace('brown-violet', 'violet-brown'): 1}


def test_several_turns_can_be_played_at_once() -> None:
    game = ready(2, cubes={'c3': 0, 'd3': NEUTRAL}).after(
        'tangerine c4 c5 d5 nothing start b2 neutral extend d4 e4'
    )
    assert game.state.turn == 2
    assert game.to_move == 0


@pytest.mark.parametrize(
    'steps',
    [
        ['violet', 'start b2'],
        ['extend c4', 'c5'],
        ['lemon', 'extend c4', 'c5'],
        ['brown', '3-lemon'],
        ['tangerine', 'c4', 'c5', 'd5'],
        ['blackmore', 'c4', 'c5'],
        ['start b2', 'neutral start c4'],
    ],
)
def test_a_turn_begun_is_named_by_its_steps(steps: list[str]) -> None:
    game = ready(2)
    actions = []
    for name in steps:
        assert name in legal(game)
        actions.append(MYKERINOS.action_from_name(game.state, name))
        game.apply(actions[-1])
    assert ready(2).turn_name(actions) == ' '.join(steps)


BAD = {
    'name': [
        '',
        'Pass',
        'start',
        'start c4 c5',
        'extend',
        'neutral',
        'neutral c4',
        'neutral pass',
        'take',
        'take 0',
        'take 3',
        'museum',
        'neutral take 3',
        'take one',
        'violet lemon',
        'lord lemon',
        'B2',
        'c',
        '4',
        '-',
        'x' * 500,
        'c4c5',
        'nothing 1',
        'museum a b',
    ],
    'space': [
        'start a0',
        'start i1',
        'extend a10',
        'neutral start h12',
        'neutral extend z9',
        'a0',
        'i1',
        'a10',
        'start C4',
        'start ' + 'c' * 300,
    ],
    'room': [
        '4-violet',
        '2-violet',
        '3-violet-lemon',
        '2-violet-brown',
        'museum 5',
        'museum 5-',
        '1-lemon',
        'museum 3-LEMON',
        'museum c4',
        '2-violet-violet',
        '3-' + 'x' * 300,
    ],
}


@pytest.mark.parametrize(('key', 'text'), [(key, text) for key, texts in BAD.items() for text in texts])
def test_what_names_no_step_is_refused_with_a_sentence(key: str, text: str, asked: list[str]) -> None:
    with pytest.raises(GameError) as error:
        MYKERINOS.action_from_name(position().state, text)
    assert asked[-1:] == [f'action.error.{key}']
    sentence = str(error.value)
    assert sentence[0].isupper() or sentence[0] in '\'"'
    assert sentence.endswith('.')
    assert len(sentence) < 400


def test_every_sentence_about_names_is_tried() -> None:
    keys = sorted(MYKERINOS.words.keys())
    assert sorted(f'action.error.{key}' for key in BAD) == [
        key for key in keys if key.startswith('action.error.')
    ]


def test_a_step_that_is_not_legal_is_refused_with_what_would_be() -> None:
    game = position()
    before = game.to_json()
    for turn in (
        'take 1',
        'nothing',
        'violet',
        'c4',
        'neutral start a1',
        'museum 3-violet',
        '3-violet',
        'extend a1',
        'pass pass pass take 1',
    ):
        with pytest.raises(GameError, match='legal'):
            game.play(turn)
        assert game.to_json() == before
