"""Random play: every legal step as likely as any other, and the figures that an independent implementation
found over 4,000, 1,200 and 600 games of two, three and four players (octagons and then placements uniform
over all whole placements, handicaps counted)."""

from __future__ import annotations

import random
from collections import Counter
from math import sqrt

import numpy as np
import numpy.typing as npt
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled, reseed
from ludoteca.research.simulate import Simulation, simulate
from tests.chance import assert_uniform
from tests.myriath.support import MYRIATH, PASS, position
from tests.width import width

GAMES = width({2: 6000, 3: 3000, 4: 2000}, {2: 20_000, 3: 10_000, 4: 6000})
KNOWN_FROM = {2: 4000, 3: 1200, 4: 600}
MEAN_SCORE = {2: 13.6, 3: 15.9, 4: 18.3}  # rounded to tenths
# passes included; rounded to ones, like those below
MEAN_TURNS = {2: 22, 3: 37, 4: 56}
# placements a turn, none where the player has to pass
MEAN_LEGAL = {2: 100, 3: 202, 4: 318}
MOST_LEGAL = {2: 434, 3: 787, 4: 1071}
many = pytest.mark.skipif(not compiled, reason='thousands of games')


@pytest.fixture(scope='module', params=[2, 3, 4])
def played(request: pytest.FixtureRequest) -> Simulation:
    return simulate('myriath', players=request.param, games=GAMES[request.param], seed=1, uniform='turns')


def error(games: npt.NDArray[np.float32], players: int, step: float) -> float:
    """Standard error of the difference of a mean of our games and a known one, which is rounded to multiples
    of `step`.

    A game counts once, with the mean of its players: their scores depend on each other."""
    return sqrt(float(games.var()) * (1 / len(games) + 1 / KNOWN_FROM[players]) + step**2 / 12)


@many
def test_random_players_have_as_many_points_as_known(played: Simulation) -> None:
    scores = played.scores.mean(axis=1)
    assert abs(scores.mean() - MEAN_SCORE[played.players]) < 4 * error(scores, played.players, 0.1)


@many
def test_the_known_scores_count_the_handicap(played: Simulation) -> None:
    """Without it the figures for three and four players would not agree."""
    scores, handicap = played.scores.mean(axis=1), sum([0, 0, 0.5, 1][: played.players]) / played.players
    apart = abs(scores.mean() - handicap - MEAN_SCORE[played.players]) / error(scores, played.players, 0.1)
    assert (apart > 4) == (handicap > 0)


@many
def test_random_games_are_as_long_as_known(played: Simulation) -> None:
    turns = played.turns.astype(np.float32)
    assert abs(turns.mean() - MEAN_TURNS[played.players]) < 4 * error(turns, played.players, 1)
    assert turns.max() < (MYRIATH.max_turns or 0)


@many
def test_random_games_end_when_all_have_passed(played: Simulation) -> None:
    assert (played.endings == 1).all()
    assert (played.actions == played.turns + played.players).all(), (
        'a turn is one step, and octagons are no turns'
    )
    assert np.allclose(played.outcomes.sum(axis=1), 1)
    assert played.scores.max() < 37


@many
@pytest.mark.parametrize(
    ('players', 'games'), width([(2, 300), (3, 100), (4, 60)], [(2, 1500), (3, 500), (4, 300)])
)
def test_there_are_as_many_placements_to_choose_from_as_known(players: int, games: int) -> None:
    out, work, found, most = np.empty(MYRIATH.max_legal, np.int32), MYRIATH.Work.new(), list[float](), 0
    for seed in range(games):
        s, counts = ludoteca.new('myriath', players, seed).state, list[int]()
        while not s.ending:
            n = MYRIATH.kernels.legal_actions(s, out)
            if s.phase == 1:
                counts.append(n if out[0] != PASS else 0)
            MYRIATH.kernels.apply(s, MYRIATH.kernels.random_action(s, work))
        found.append(float(np.mean(counts)))
        most = max(most, *counts)
    means = np.array(found, np.float32)
    assert abs(means.mean() - MEAN_LEGAL[players]) < 4 * error(means, players, 1)
    assert 0.8 * MOST_LEGAL[players] < most < 1.25 * MOST_LEGAL[players]
    assert most < MYRIATH.max_legal == 10_440


# ---- drawn without a list ----------------------------------------------------------------------------------


def after(players: int, turns: int, seed: int) -> Position:
    """A random game after so many turns."""
    now, chooser = ludoteca.new('myriath', players, seed), random.Random(seed)
    while now.state.turn < turns and not now.over:
        MYRIATH.kernels.apply(now.state, chooser.choice(now.actions()))
    return now


POSITIONS = {
    'the first octagon': lambda: ludoteca.new('myriath', 2, 1),
    'the second octagon': lambda: ludoteca.new('myriath', 2, 1).after('O c3'),
    'first tiles': lambda: position({0: 'O c3', 1: 'O d4'}),
    'late': lambda: after(2, 14, 3),
    'later': lambda: after(2, 16, 5),
    'a pass': lambda: next(now for turns in range(40) if (now := after(2, turns, 1)).legal() == ['pass']),
    'three octagons': lambda: ludoteca.new('myriath', 3, 1).after('O a1 O h8'),
    'late, three': lambda: after(3, 26, 4),
    'four octagons': lambda: ludoteca.new('myriath', 4, 1).after('O a1 O j10 O e5'),
    'middle, four': lambda: after(4, 20, 6),
    'late, four': lambda: after(4, 44, 6),
}


FEW = ('the first octagon', 'three octagons', 'late', 'later', 'a pass', 'late, four')
"""Positions with so few options that enough can be drawn interpreted."""


def draws(options: int) -> int:
    """Enough for a chi-square test over so many options; fewer interpreted."""
    return (60 if compiled else 6) * max(options, 4)


@pytest.mark.parametrize('name', POSITIONS if compiled else FEW)
def test_random_actions_are_uniform_over_the_legal_ones(name: str) -> None:
    now, work, counts = POSITIONS[name](), MYRIATH.Work.new(), Counter[int]()
    legal, state = now.actions(), now.state.copy()
    reseed(state, 7)
    before = state.tobytes()
    for _ in range(draws(len(legal))):
        counts[int(MYRIATH.kernels.random_action(state, work))] += 1
    assert set(counts) <= set(legal)
    assert_uniform(counts[action] for action in legal)
    reseed(state, 7)
    assert state.tobytes() == before, 'a draw changes nothing but the generator'


@pytest.mark.parametrize('name', POSITIONS if compiled else FEW)
def test_random_turns_are_uniform_over_all_turns(name: str) -> None:
    now, work, counts = POSITIONS[name](), MYRIATH.Work.new(), Counter[tuple[int, ...]]()
    state, out = now.state.copy(), np.empty(4, np.int32)
    legal = list(MYRIATH.turns(now.state))
    reseed(state, 8)
    before = state.tobytes()
    for _ in range(draws(len(legal))):
        counts[tuple(out[: MYRIATH.kernels.random_turn(state, work, out)].tolist())] += 1
    assert set(counts) <= set(legal)
    assert_uniform(counts[turn] for turn in legal)
    reseed(state, 8)
    assert state.tobytes() == before


def test_random_draws_from_a_position_read_from_json_end() -> None:
    now = position({0: 'O c3', 1: 'O d4'})
    # the generator that is all zeros stays so, and draws from it would never end
    assert any(now.state.rng)
    assert MYRIATH.kernels.random_action(now.state, MYRIATH.Work.new()) in now.actions()
