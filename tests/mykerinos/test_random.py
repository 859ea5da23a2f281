"""Random actions and turns drawn by the game."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ludoteca.game import Position, committed
from ludoteca.kernel import compiled, reseed
from tests.chance import assert_uniform
from tests.mykerinos.model import PATRONS
from tests.mykerinos.support import MYKERINOS, position, trail
from tests.playing import play_on


def some_position(name: str) -> Position:
    """One of every phase."""
    hand = [f'{patron}-1' for patron in PATRONS]
    game = position(2, season=2, held=[hand, []], cubes={'c3': 0, 'f3': 'neutral'})
    first, *_ = trail(game, '..', 'c3')
    match name:
        case 'an action' | 'a pass':
            return game if name == 'an action' else position(stock=[0, 11, 11])
        case 'a patron':
            return play_on(game, 'lemon')
        case 'the next cube':
            return play_on(game, f'extend {first}')
        case 'the neutral colour':
            return game.after('brown 3-lemon')
        case 'a claim':
            return position(cubes={'a1': 0}, scale=[1, 2]).after('pass')
    return position(2, cubes={'a1': 'neutral', 'b1': 0}, scale=[1]).after('pass')


NAMES = [
    'an action',
    'a pass',
    'a patron',
    'the next cube',
    'the neutral colour',
    'a claim',
    'a tile for the neutral colour',
]


@pytest.mark.parametrize('name', NAMES)
def test_random_actions_are_uniform_over_the_legal_ones(name: str) -> None:
    game, work = some_position(name), MYKERINOS.Work.new()
    state, legal, counts = game.state.copy(), game.actions(), Counter[int]()
    reseed(state, 7)
    before = state.tobytes()
    for _ in range((60 if compiled else 8) * len(legal)):
        counts[int(MYKERINOS.kernels.random_action(state, work))] += 1
    assert set(counts) <= set(legal)
    assert_uniform(counts[action] for action in legal)
    reseed(state, 7)
    assert state.tobytes() == before


@pytest.mark.parametrize('name', NAMES)
def test_random_turns_are_what_is_left_of_a_turn(name: str) -> None:
    """Legal step by step, and finished by the last one and not before; their first steps are uniform."""
    game, work, out = some_position(name), MYKERINOS.Work.new(), np.empty(MYKERINOS.max_legal, np.int32)
    state, counts = game.state.copy(), Counter[int]()
    reseed(state, 9)
    before = state.tobytes()
    for _ in range((30 if compiled else 8) * len(game.actions())):
        turn = out[: MYKERINOS.kernels.random_turn(state, work, out)].tolist()
        counts[turn[0]] += 1
        after = game.copy()
        for n, action in enumerate(turn, 1):
            step = after.state.copy()
            after.apply(action)
            assert committed(step, after.state) == (n == len(turn))
    assert_uniform(counts[action] for action in game.actions())
    reseed(state, 9)
    assert state.tobytes() == before


def test_random_draws_from_a_position_read_from_json_end() -> None:
    assert any(position().state.rng)  # the generator that is all zeros stays so
