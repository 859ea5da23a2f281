"""Observations for learners."""

from __future__ import annotations

import numpy as np
import pytest

from ludoteca.game import Game, committed
from tests.conformance.harness import Case, configurations, hidden, observation, played, same
from tests.observations import slices


def check_observations(case: Case, seed: int, n: int) -> None:
    """Every number is written, all are finite and between -1 and 1, and nothing but the hidden state decides
    them."""
    game = case.game
    for s in played(case, seed).sample(n):
        for seat in range(case.players):
            found = observation(game, s, seat)
            assert found.shape == (sum(part.size for part in game.observation),)
            assert np.isfinite(found).all(), 'a number that is not written'
            assert np.abs(found).max() <= 1
            h, again = hidden(game, s, seat), np.zeros(game.observation_size, np.float32)
            before = h.copy()
            game.kernels.observe(h, seat, again)
            assert np.array_equal(again, found)
            assert same(h, before), 'observing changed the state'


def test_observations_are_finite_and_of_the_declared_size(case: Case) -> None:
    check_observations(case, 0, 20)


@pytest.mark.interpreted
def test_observations_interpreted(few: Case) -> None:
    check_observations(few, 0, 6)


def test_observations_tell_positions_apart(usual: Case) -> None:
    """A learner sees every action that is played, as soon as it may know of it."""
    game, history = usual.game, played(usual, 1)
    for before, action, after in history.steps():
        public = committed(before, after) and game.kernels.hide_action(before, action, 0) >= 0
        if not after.ending and (public or before.to_move == 0):
            assert not np.array_equal(observation(game, before, 0), observation(game, after, 0))


def test_every_slice_is_written_where_it_is_declared(game: Game, name: str) -> None:
    """Two in five of its numbers at least differ from 0 at some time; the others may be rare."""
    written = np.zeros(game.observation_size, bool)
    all_cases = configurations(name, 'wide')
    for case in all_cases[:: 1 + len(all_cases) // 6]:
        for seed in range(12):
            states = played(case, seed).states
            for s in (*states[::4], states[-1]):
                for seat in range(case.players):
                    written |= observation(game, s, seat) != 0
    for part, found in slices(game, written).items():
        assert found.mean() >= 0.4, part


def test_slices_are_named_and_described(game: Game) -> None:
    names = [part.name for part in game.observation]
    assert len(set(names)) == len(names)
    assert all(part.size > 0 and part.meaning for part in game.observation)
    assert game.observation_size == sum(part.size for part in game.observation)
