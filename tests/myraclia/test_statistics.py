"""Random play, uniform over the actions of each step: figures found over 40,000 games for each number of
players, without options and with all of them. The model agrees with every step of such games (test_model.py);
what changes the rules changes the figures."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
import pytest

import ludoteca
from ludoteca.kernel import compiled, reseed
from ludoteca.research.simulate import Simulation, simulate
from tests.myraclia.support import EVERYTHING, MYRACLIA, flower, last_turn, turn
from tests.width import width

GAMES = width(500, 1500)
KNOWN_FROM = 40_000
MEAN_TURNS = {
    (2, False): 141.75,
    (3, False): 166.27,
    (4, False): 173.75,
    (5, False): 199.10,
    (2, True): 143.45,
    (3, True): 166.75,
    (4, True): 173.33,
    (5, True): 197.76,
}
MEAN_ACTIONS = {
    (2, False): 270.06,
    (3, False): 337.74,
    (4, False): 361.60,
    (5, False): 422.27,
    (2, True): 270.61,
    (3, True): 336.86,
    (4, True): 360.47,
    (5, True): 419.72,
}
MEAN_SCORE = {
    (2, False): 26.30,
    (3, False): 27.12,
    (4, False): 22.98,
    (5, False): 23.86,
    (2, True): 32.78,
    (3, True): 30.74,
    (4, True): 24.91,
    (5, True): 25.49,
}
MEAN_WINNER = {
    (2, False): 36.97,
    (3, False): 43.73,
    (4, False): 40.93,
    (5, False): 44.72,
    (2, True): 46.03,
    (3, True): 49.27,
    (4, True): 44.00,
    (5, True): 47.38,
}
many = pytest.mark.skipif(not compiled, reason='thousands of games')


@pytest.fixture(
    scope='module', params=sorted(MEAN_TURNS), ids=lambda case: f'{case[0]}{" all options" * case[1]}'
)
def random_games(request: pytest.FixtureRequest) -> tuple[tuple[int, bool], Simulation]:
    players, everything = request.param
    options = MYRACLIA.options.read(EVERYTHING if everything else {})
    return request.param, simulate('myraclia', players=players, games=GAMES, seed=1, options=options)


def assert_mean(values: np.ndarray, known: float) -> None:
    """The mean lies within 4 standard errors of the known one, which is rounded."""
    assert abs(values.mean() - known) < 4 * (values.std() * sqrt(1 / GAMES + 1 / KNOWN_FROM) + 0.005 / 4)


@many
def test_random_games_are_as_long_as_known(random_games: tuple[tuple[int, bool], Simulation]) -> None:
    case, played = random_games
    assert_mean(played.turns, MEAN_TURNS[case])
    assert_mean(played.actions, MEAN_ACTIONS[case])
    assert played.turns.max() < (MYRACLIA.max_turns or 0)


@many
def test_random_games_bring_as_many_points_as_known(
    random_games: tuple[tuple[int, bool], Simulation],
) -> None:
    case, played = random_games
    assert_mean(played.scores.mean(axis=1), MEAN_SCORE[case])
    assert_mean(played.scores.max(axis=1), MEAN_WINNER[case])
    assert played.scores.min() >= 0


@many
def test_no_seat_wins_more_random_games_than_another(
    random_games: tuple[tuple[int, bool], Simulation],
) -> None:
    """The cubes at the start decide who begins."""
    (players, _), played = random_games
    share = 1 / players
    for wins in played.outcomes.mean(axis=0):
        assert abs(wins - share) < 4 * sqrt(share * (1 - share) / GAMES)


@many
def test_hardly_any_random_game_is_shared_or_endless(
    random_games: tuple[tuple[int, bool], Simulation],
) -> None:
    _, played = random_games
    shared = int((played.outcomes.max(axis=1) < 0.99).sum())
    assert shared <= GAMES * 0.004 + 4 * sqrt(GAMES * 0.004)
    assert (played.endings == 1).sum() >= GAMES - 1


@pytest.mark.parametrize('where', ['draft', 'turn', 'place'])
def test_random_actions_are_uniform(where: str) -> None:
    position = ludoteca.new('myraclia', 3, 1)
    if where == 'turn':
        position = turn(flower('P04'), 'green yellow black red blue', owners={(1, 0): 1}, scores=[9, 9])
    elif where == 'place':
        begun = last_turn(flower('P04'), pool='green yellow black')
        position = begun.after('terraform 0,0 pay green pay yellow pay black end turn')
    actions, state, work, counts = (
        position.actions(),
        position.state.copy(),
        MYRACLIA.Work.new(),
        Counter[int](),
    )
    reseed(state, 7)
    draws = 400 * len(actions) if compiled else 20 * len(actions)
    for _ in range(draws):
        counts[int(MYRACLIA.kernels.random_action(state, work))] += 1
    assert set(counts) == set(actions)
    expected = draws / len(actions)
    square, freedom = sum((n - expected) ** 2 for n in counts.values()) / expected, len(actions) - 1
    assert abs((square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) < 4 * sqrt(2 / (9 * freedom))
    assert all(
        np.array_equal(state[name], position.state[name]) for name in state.dtype.names if name != 'rng'
    )
