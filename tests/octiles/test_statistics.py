"""Random play, uniform over complete turns: figures that an independent implementation found over 40,000
games."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from ludoteca.kernel import compiled
from ludoteca.research.simulate import Simulation, simulate

GAMES = 3000
MEAN_TURNS = {2: 237, 3: 255, 4: 175}
FIRST_WINS = {2: 0.504, 3: 0.307, 4: 0.255}
KNOWN_FROM = 40_000
pytestmark = pytest.mark.skipif(not compiled, reason='thousands of games')


@pytest.fixture(scope='module', params=[2, 3, 4])
def played(request: pytest.FixtureRequest) -> Simulation:
    return simulate('octiles', players=request.param, games=GAMES, seed=1, uniform='turns')


def test_random_games_are_as_long_as_known(played: Simulation) -> None:
    error = played.turns.std() * sqrt(1 / GAMES + 1 / KNOWN_FROM) + 0.5 / 4  # the figures are rounded
    assert abs(played.turns.mean() - MEAN_TURNS[played.players]) < 4 * error


def test_seats_win_random_games_as_often_as_known(played: Simulation) -> None:
    share = FIRST_WINS[played.players]
    error = sqrt(share * (1 - share) * (1 / GAMES + 1 / KNOWN_FROM))
    assert abs((played.outcomes[:, 0] == 1).mean() - share) < 4 * error


def test_with_three_players_the_middle_seat_wins_most(played: Simulation) -> None:
    wins = (played.outcomes == 1).mean(axis=0)
    if played.players == 3:
        assert abs(wins[1] - 0.384) < 4 * sqrt(0.384 * 0.616 * (1 / GAMES + 1 / KNOWN_FROM))
        assert np.argmax(wins) == 1


def test_hardly_any_random_game_is_drawn(played: Simulation) -> None:
    share = {2: 0.0015, 3: 0.0002, 4: 0.0001}[played.players]
    drawn = int((played.outcomes[:, 0] * played.players == 1).sum()) if played.players > 1 else 0
    assert drawn <= GAMES * share + 4 * sqrt(GAMES * share) + 1
