"""What learners are told: the numbers of an observation, read off the position's JSON form, and all of them
off the hidden state by what their parts say."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons.knowledge import AT
from tests.myrmidons.model import COMMANDER
from tests.myrmidons.support import MYRMIDONS
from tests.myrmidons.support import TYPES as KINDS
from tests.observations import slices

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


def told(s: Any, seat: int) -> dict[str, list[float]]:
    """All parts but the options."""
    viewer, squares = max(seat, 0), np.arange(C.N_SQUARES)
    pieces = {int(s.at[piece]): piece for piece in range(24) if s.at[piece] >= 0}
    # the viewer's own first row comes first
    seen = [pieces.get(int(square)) for square in (squares[::-1] if viewer else squares)]
    kinds = [KINDS[s.type[piece]] if piece is not None and s.type[piece] >= 0 else None for piece in seen]

    def of(numbers: Any) -> list[float]:
        return [0.0 if piece is None else float(numbers[piece]) for piece in seen]

    order = np.zeros(8 + C.N_SQUARES)
    if s.heading >= 0:
        order[(s.heading + 4 * viewer) % 8] = 1
        for square, steps in zip(s.friend[: s.n_friends], s.steps[: s.n_friends], strict=True):
            order[8 + (C.N_SQUARES - 1 - square if viewer else square)] = steps / 5
    return {
        'own': [float(piece is not None and piece // 12 == viewer) for piece in seen],
        'enemy': [float(piece is not None and piece // 12 != viewer) for piece in seen],
        'values': [kind[part] / 5 if kind else 0.0 for part in range(3) for kind in kinds],
        'commander': [float(kind == COMMANDER) for kind in kinds],
        'seen': of(s.seen),
        'far': of(s.far / 5),
        'types': [x for piece in seen for x in bits(0 if piece is None else int(s.mask[piece]))],
        'hand': [max(0, int(n)) / 2 for n in s.hand[viewer]],
        'placed': [int(s.placed[viewer]) / 12],
        'taken': [int(s.taken[viewer]) / int(s.capture), int(s.taken[1 - viewer]) / int(s.capture)],
        'quiet': [min(1, int(s.quiet) / 60)],
        'to_move': [float(s.to_move == viewer)],
        'phase': [float(s.phase == phase) for phase in range(3)],
        'order': order.tolist(),
    }


def bits(kinds: int) -> list[float]:
    return [float(kinds >> number & 1) for number in range(len(KINDS))]


@pytest.mark.parametrize('options', [{}, {'army': 'random', 'size': 12, 'capture': 8}])
def test_every_number_is_what_its_part_says(options: dict[str, Any]) -> None:
    chooser, met = random.Random(len(options)), Counter[str]()
    for game in range(3):
        position = ludoteca.new('myrmidons', options=options, seed=game)
        while not position.over:
            actions = position.actions()
            orders = [action for action in actions if action >= 1784]
            position.apply(chooser.choice(orders if orders and chooser.random() < 0.3 else actions))
            if position.state.turn and chooser.random() < 0.5:
                continue
            seat = position.to_move if chooser.random() < 0.5 else chooser.randrange(2)
            hidden = position.hidden(seat)
            out = slices(MYRMIDONS, observed(position, seat))
            expected = told(hidden, seat)
            assert {*out} == {*expected, 'options'}
            for part, numbers in expected.items():
                assert out[part].tolist() == pytest.approx(numbers), part
            met['seen'] += bool(hidden.seen.any())
            met['taken'] += hidden.taken[0] != hidden.taken[1]
            met['friends'] += bool(hidden.n_friends)
    assert min(met['seen'], met['taken'], met['friends']) > 2
