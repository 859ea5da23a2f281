"""Kernels that several games share: shares of a win, random play by the list, ranges."""

from __future__ import annotations

import numpy as np
import pytest

from ludoteca.game import Position, load, start
from ludoteca.kernel.ranges import firsts
from ludoteca.kernel.shares import share_out, share_win
from tests.chance import assert_uniform


@pytest.mark.parametrize(
    ('standings', 'shares'),
    [
        ([3, 7, 5], [0, 1, 0]),
        ([7, 3, 7], [0.5, 0, 0.5]),
        ([0, 0, 0], [1 / 3, 1 / 3, 1 / 3]),
        ([-4, -2, -9], [0, 1, 0]),
    ],
)
def test_a_win_is_shared_by_those_who_stand_highest(standings: list[int], shares: list[float]) -> None:
    out = np.array([*standings, 99], np.float64)
    share_win(3, out)
    assert out.tolist() == [*shares, 99], 'and nothing is written behind the players'


def test_expected_shares_grow_with_the_points_and_are_one_in_all() -> None:
    out = np.array([1000.0, 1001.0, 1000.0, -5.0])
    share_out(3, 2.0, out, out)
    assert out[:3].sum() == pytest.approx(1)
    assert out[1] / out[0] == pytest.approx(np.exp(2))
    assert out[3] == -5


@pytest.mark.parametrize('name', ['mykerinos', 'myraclia', 'myrmidons'])
def test_actions_drawn_from_the_list_are_uniform_and_belong_to_the_game(name: str) -> None:
    game = load(name)
    where, work = Position(game, start(game, seed=3)), game.Work.new()
    legal = where.actions()
    assert game.kernels.random_action.__module__ == f'ludoteca.games.{name}.rules'
    drawn = [int(game.kernels.random_action(where.state, work)) for _ in range(20 * len(legal))]
    assert_uniform([drawn.count(action) for action in legal])


def test_ranges_follow_one_another() -> None:
    assert firsts([3, 1, 2]) == [0, 3, 4, 6]
    assert firsts([2], 4) == [4, 6]
