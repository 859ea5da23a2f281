"""What learners are told: the numbers of an observation, read off the position's JSON form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons.knowledge import AT
from tests.myrmidons.support import MYRMIDONS

TYPES = '1-3-5,2-5-2,3-2-4,4-4-1,5-1-3'
LINE_UP = 'deploy 2-5-2 deploy 1-3-5 deploy 1-1-1 deploy 4-4-1 deploy 5-1-3 deploy 3-2-4'


def observed(position: ludoteca.Position, seat: int) -> np.ndarray[Any, Any]:
    out = np.zeros(MYRMIDONS.observation_size, np.float32)
    MYRMIDONS.kernels.observe(position.hidden(seat), seat, out)
    return out


@pytest.mark.parametrize(
    ('options', 'numbers'),
    [
        ({}, [0, 0, 0, 1, 1, 1]),
        ({'army': 'agreed'}, [1 / 3, 0, 0, 1, 1, 1]),
        ({'army': 'secret', 'memory': False}, [2 / 3, 0, 0, 0, 1, 1]),
        ({'army': 'random', 'size': 12}, [1, 1, 0, 1, 1, 1]),
        ({'army': 'random', 'size': 12, 'capture': 8}, [1, 1, 1, 1, 1, 1]),
        ({'repetition': False}, [0, 0, 0, 1, 0, 1]),
        ({'sixty': False}, [0, 0, 0, 1, 1, 0]),
    ],
)
def test_the_options_of_a_game_are_told(options: dict[str, Any], numbers: list[float]) -> None:
    position = ludoteca.new('myrmidons', options=options, seed=1)
    for seat in range(2):
        assert observed(position, seat)[AT.options : AT.options + 6].tolist() == pytest.approx(numbers)


@pytest.mark.parametrize('seat', [0, 1])
def test_an_order_that_is_being_made_is_told_with_its_heading_and_the_steps_of_its_friends(seat: int) -> None:
    position = ludoteca.new('myrmidons', seed=1)
    position.play(LINE_UP)
    position.play(LINE_UP)
    for _ in range(seat):  # Red makes a turn, and Blue has the order
        position.play(position.turns()[0])
    order = next(step for step in position.legal() if step.startswith('order'))
    position.play(order)
    friend = next(step for step in position.legal() if ':' in step)
    position.play(friend)
    square, _, steps = friend.rpartition(' ')[2].partition(':')
    told = observed(position, seat)
    heading = (C.HEADINGS.index(order.split()[1]) + 4 * seat) % 8
    assert np.flatnonzero(told[AT.order : AT.order + 8]).tolist() == [heading]
    board = told[AT.order + 8 : AT.options]
    file, rank = ord(square[0]) - ord('a'), int(square[1]) - 1
    place = 6 * rank + file
    assert np.flatnonzero(board).tolist() == [41 - place if seat else place]
    assert board.max() == pytest.approx(int(steps) / 5)


@pytest.mark.parametrize('seat', [0, 1])
def test_of_a_piece_whose_type_a_seat_does_not_know_no_value_is_told(seat: int) -> None:
    position = ludoteca.new('myrmidons', seed=1)
    position.play(LINE_UP)
    position.play(LINE_UP)
    told = observed(position, seat)
    squares = C.N_SQUARES
    enemies = np.flatnonzero(told[AT.enemy : AT.enemy + squares])
    own = np.flatnonzero(told[AT.own : AT.own + squares])
    assert len(enemies) == len(own) == 6
    for part in (*(AT.values + k * squares for k in range(3)), AT.commander):
        assert not told[part + enemies].any()
    assert (told[AT.values + own] > 0).all()
