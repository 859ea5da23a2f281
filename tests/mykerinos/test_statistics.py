"""Random play, uniform over the actions of each step: figures that the slow model found by itself, and how
much there is to choose.

They are those of the reconstructed tiles. Tiles with other pyramids and points have other figures, which
would have to be measured.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from math import sqrt

import numpy as np
import pytest

import ludoteca
from ludoteca.kernel import compiled
from ludoteca.research.simulate import Simulation, simulate
from tests.mykerinos.model import BOX
from tests.mykerinos.support import MYKERINOS, PHASES
from tests.width import width

GAMES, KNOWN_FROM = width(2000, 4000), 1200
MEAN_TURNS = {2: 103.16, 3: 157.56, 4: 176.34}
MEAN_ACTIONS = {2: 145.02, 3: 176.15, 4: 193.55}
MEAN_SCORE = {2: 17.61, 3: 24.12, 4: 20.41}
WINNING_SCORE = {2: 22.56, 3: 32.77, 4: 30.35}
CHOICES = {
    (2, 'excavate'): 28.24,
    (2, 'appeal'): 24.89,
    (2, 'dig'): 2.195,
    (2, 'neutral'): 35.71,
    (2, 'claim'): 7.085,
    (2, 'remove'): 2,
    (3, 'excavate'): 29.55,
    (3, 'appeal'): 25.39,
    (3, 'dig'): 2.606,
    (3, 'claim'): 5.572,
    (4, 'excavate'): 27.59,
    (4, 'appeal'): 22.50,
    (4, 'dig'): 2.923,
    (4, 'claim'): 4.939,
}
MOST_CHOICES = 77  # after an appeal to Lord Lemon
MEASURED_WITH = '13cdff8e4ca6d2db'
TILES = hashlib.sha256(json.dumps(BOX['tiles'], sort_keys=True).encode()).hexdigest()[:16]
pytestmark = [
    pytest.mark.skipif(not compiled, reason='thousands of games'),
    pytest.mark.skipif(TILES != MEASURED_WITH, reason='the figures are those of other tiles'),
]


@pytest.fixture(scope='module', params=[2, 3, 4])
def played(request: pytest.FixtureRequest) -> Simulation:
    return simulate('mykerinos', players=request.param, games=GAMES, seed=1)


def agree(sample: np.ndarray, known: float) -> bool:
    """Is the mean the known one, within 4 standard errors of the difference?"""
    return bool(abs(sample.mean() - known) < 4 * sample.std() * sqrt(1 / GAMES + 1 / KNOWN_FROM))


def test_random_games_are_as_long_as_known(played: Simulation) -> None:
    assert agree(played.turns, MEAN_TURNS[played.players])
    assert agree(played.actions, MEAN_ACTIONS[played.players])


def test_random_players_score_as_much_as_known(played: Simulation) -> None:
    assert agree(played.scores.mean(axis=1), MEAN_SCORE[played.players])
    assert agree(played.scores.max(axis=1), WINNING_SCORE[played.players])


def test_no_seat_has_a_great_advantage_in_random_games(played: Simulation) -> None:
    fair = 1 / played.players
    assert (abs(played.outcomes.mean(axis=0) - fair) < 4 * sqrt(fair * (1 - fair) / GAMES) + 0.01).all()
    assert np.allclose(played.outcomes.sum(axis=1), 1)


def test_no_game_is_longer_than_declared(played: Simulation) -> None:
    assert MYKERINOS.max_turns is not None
    assert played.turns.max() < MYKERINOS.max_turns / 2
    assert (played.endings == 1).all()


@pytest.mark.parametrize('players', [2, 3, 4])
def test_there_is_as_much_to_choose_from_in_each_step_as_known(players: int) -> None:
    """Mean by phase, and the most of all; the declared bound is far from what happens."""
    games, work, out = width(60, 150), MYKERINOS.Work.new(), np.empty(MYKERINOS.max_legal, np.int32)
    counts = defaultdict[str, list[tuple[int, int]]](list)
    for seed in range(games):
        s, here = ludoteca.new('mykerinos', players, seed).state, defaultdict[str, list[int]](list)
        while not s.ending:
            here[PHASES[s.phase]].append(MYKERINOS.kernels.legal_actions(s, out))
            MYKERINOS.kernels.apply(s, MYKERINOS.kernels.random_action(s, work))
        for phase, numbers in here.items():
            counts[phase].append((sum(numbers), len(numbers)))
            assert max(numbers) <= MOST_CHOICES + 5 < MYKERINOS.max_legal == 150
    assert counts.keys() == {phase for n, phase in CHOICES if n == players}
    for phase, pairs in counts.items():
        total, n = sum(a for a, _ in pairs), sum(b for _, b in pairs)
        spread = sqrt(sum((a - b * total / n) ** 2 for a, b in pairs)) / n  # games differ
        assert abs(total / n - CHOICES[players, phase]) <= 4 * spread * sqrt(1 + games / KNOWN_FROM), phase
