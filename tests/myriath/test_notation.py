"""Names of steps: exact inverses for all pieces everywhere, any orientation in which a tile lies so, and
sentences for mistakes."""

from __future__ import annotations

import random

import pytest

import ludoteca
from ludoteca.game import GameError
from ludoteca.kernel import compiled
from tests.myriath.model import ORIENTATIONS, SIDES, TABLE, crossing_name, orientations, same_lie
from tests.myriath.support import ERRORS, FIRST_OCTAGON, MYRIATH, N_CROSSINGS, PASS, position
from tests.sentences import kinds_of

PIECES = [f'{tile} {orientation}' for tile in TABLE if tile != 'O' for orientation in orientations(tile)]
ALL = [f'{piece} {crossing_name(i, j)}' for piece in PIECES for i in range(11) for j in range(11)]


def test_every_action_has_a_name_that_reads_back() -> None:
    """On the largest area, where every number of a crossing is in use."""
    state, found = ludoteca.new('myriath', 4, 1).state, set()
    assert MYRIATH.n_actions == PASS + 1
    for action in range(MYRIATH.n_actions):
        name = MYRIATH.action_name(state, action)
        assert MYRIATH.action_from_name(state, name) == action
        found.add(name)
    assert found == {*ALL, *(f'O {crossing_name(i, j)}' for i in range(11) for j in range(11)), 'pass'}


@pytest.mark.parametrize('players', [2, 3, 4])
def test_numbers_are_as_documented(players: int) -> None:
    """Piece times 121, plus the crossing, which is counted row by row."""
    state, side = ludoteca.new('myriath', players, 1).state, SIDES[players]
    for tile in ('L-AA', 'U-AI', 'Z-OO'):
        first = MYRIATH.action_from_name(state, f'{tile} r0 a1')
        assert first % N_CROSSINGS == 0
        assert first < FIRST_OCTAGON
        for i in range(side):
            for j in range(side):
                assert (
                    MYRIATH.action_from_name(state, f'{tile} r0 {crossing_name(i, j)}')
                    == first + i + side * j
                )
                assert (
                    MYRIATH.action_from_name(state, f'O {crossing_name(i, j)}')
                    == FIRST_OCTAGON + i + side * j
                )
    assert MYRIATH.action_from_name(state, 'pass') == PASS
    assert MYRIATH.action_name(state, PASS) == 'pass'


def test_any_orientation_in_which_a_tile_lies_so_is_accepted() -> None:
    state = ludoteca.new('myriath', 2, 1).state
    for tile in TABLE:
        for orientation in ORIENTATIONS if tile != 'O' else ():
            action = MYRIATH.action_from_name(state, f'{tile} {orientation} c3')
            assert MYRIATH.action_name(state, action) == f'{tile} {same_lie(tile, orientation)} c3'


def test_names_of_legal_actions_read_back_in_games() -> None:
    chooser = random.Random(2)
    for players in (2, 3, 4):
        now = ludoteca.new('myriath', players, players)
        while not now.over:
            actions, legal = now.actions(), now.legal()
            assert len(set(legal)) == len(legal)
            some = (
                range(len(actions))
                if compiled
                else chooser.sample(range(len(actions)), min(20, len(actions)))
            )
            for k in some:
                assert MYRIATH.action_from_name(now.state, legal[k]) == actions[k]
            MYRIATH.kernels.apply(now.state, chooser.choice(actions))


def test_several_turns_in_one_text() -> None:
    """Names have one, two or three words; the longest that fits is meant."""
    after = ludoteca.new('myriath', 2, 1).after('O a6 O d4 L-AI r0 c3 L-AA r3 c3')
    assert [tile['tile'] for tile in after.to_json()['tiles']] == ['O', 'L-AI', 'O', 'L-AA']
    assert after.state.turn == 2
    assert (
        ludoteca.new('myriath', 2, 1).after('O a6').after('O d4').after('L-AI  r0 c3  L-AA r3  c3').to_json()
        == after.to_json()
    )
    chooser, played, now = random.Random(4), list[str](), ludoteca.new('myriath', 3, 1)
    while not now.over:
        played.append(chooser.choice(now.legal()))
        now.play(played[-1])
    assert ludoteca.new('myriath', 3, 1).after(' '.join(played)).to_json() == now.to_json()


@pytest.mark.parametrize(
    'text',
    [
        'O a6 O d4 L-AI r0 c3 L-AA r3',
        'O a6 O d4 L-AI',
        'O c3 O',
        'O c3 O c3',
        'O c3 pass',
        'O a6 O d4 pass',
        'O a6 O d4 L-AI r0 c3 L-AI r0 a1',
    ],
)
def test_a_text_with_a_mistake_changes_nothing(text: str) -> None:
    start = ludoteca.new('myriath', 2, 1)
    before = start.to_json()
    with pytest.raises(GameError) as error:
        start.play(text)
    assert str(error.value).endswith('.')
    assert start.to_json() == before


WRONG = {
    'name': [
        '',
        'Pass',
        'passe',
        'x' * 500,
        'O',
        'U-AI',
        'U-AI r3',
        'U-AI d4',
        'U-AI r3 d4 d5',
        'U-IA r3 d4',
        'u-ai r3 d4',
        'L r0 d4',
        'O r0 d4',
        'o d4',
        'X-AA r0 d4',
        'r3 U-AI d4',
        'pass pass',
    ],
    'orientation': ['U-AI r4 d4', 'U-AI 3 d4', 'U-AI f d4', 'U-AI R3 d4', f'U-AI {"r" * 300} d4'],
    'crossing': [
        'U-AI r3 h1',
        'U-AI r3 a8',
        'U-AI r3 D4',
        'U-AI r3 d0',
        'U-AI r3 d04',
        'U-AI r3 4d',
        'U-AI r3 d',
        'U-AI r3 d4,',
        'O k11',
        'O z1',
        'O d-4',
        'O d٤',
        f'O {"d" * 300}',
    ],
}


@pytest.mark.parametrize(('kind', 'text'), [(kind, text) for kind, texts in WRONG.items() for text in texts])
def test_what_names_no_step_is_refused_with_a_sentence(kind: str, text: str) -> None:
    with pytest.raises(GameError) as error:
        MYRIATH.action_from_name(ludoteca.new('myriath', 2, 1).state, text)
    assert kinds_of(str(error.value), ERRORS) == [f'action.error.{kind}']
    assert len(str(error.value)) < 300


def test_all_sentences_about_names_are_tested() -> None:
    assert {f'action.error.{kind}' for kind in WRONG} == {key for key in ERRORS if key.startswith('action')}


def test_crossings_are_named_as_far_as_the_area_goes() -> None:
    for players, last in ((2, 'g7'), (3, 'i9'), (4, 'k11')):
        state = ludoteca.new('myriath', players, 1).state
        assert MYRIATH.action_from_name(state, f'O {last}') == FIRST_OCTAGON + SIDES[players] ** 2 - 1
        with pytest.raises(GameError) as error:
            MYRIATH.action_from_name(state, f'O {chr(ord(last[0]) + 1)}1')
        assert last in str(error.value)


def test_what_is_a_name_but_not_legal_is_refused_with_the_legal_ones() -> None:
    with pytest.raises(GameError) as error:
        position({0: 'O a6', 1: 'O d4'}).play('U-AI r0 a1')
    assert 'L-AA r0 c3' in str(error.value)
