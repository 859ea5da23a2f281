"""What learners are told: every number of an observation, read off the state by what its part says."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import SPECTATOR
from ludoteca.games.myriath import components as C
from ludoteca.games.myriath.rules import IN_HAND, Phase
from ludoteca.kernel import WORD
from tests.myriath.support import MYRIATH
from tests.observations import slices

MOST_SIDE, MOST_POINTS = 11, 72


def told(s: Any, seat: int) -> dict[str, list[float]]:
    """All parts."""
    n, viewer, side = int(s.players), max(seat, 0), int(s.side)
    seats = [(viewer + k) % n for k in range(n)]
    absent = 4 - n

    def on(words: Iterable[int]) -> list[float]:
        low, high = words
        crossings = int(low) | int(high) << WORD
        return [
            float(i < side and j < side and crossings >> i + side * j & 1)
            for j in range(MOST_SIDE)
            for i in range(MOST_SIDE)
        ]

    return {
        'quarters': [x for other in seats for quarter in s.own[other] for x in on(quarter)]
        + [0.0] * (4 * MOST_SIDE**2 * absent),
        'edges': [x for way in s.faced for quarter in way for x in on(quarter)],
        'area': [float(i < side and j < side) for j in range(MOST_SIDE) for i in range(MOST_SIDE)],
        'hands': [float(at == IN_HAND) for other in seats for at in s.at[other]]
        + [0.0] * (C.N_TILES * absent),
        'points': [int(s.points[other]) / MOST_POINTS for other in seats] + [0.0] * absent,
        'to_move': [float((int(s.to_move) - viewer) % n == k) for k in range(4)],
        'setup': [float(s.phase == Phase.SETUP)],
        'passes': [int(s.passes) / n],
    }


@pytest.mark.parametrize('players', [2, 3, 4])
def test_every_number_is_what_its_part_says(players: int) -> None:
    position, rng = ludoteca.new('myriath', players=players, seed=1), random.Random(f'turns of {players}')
    out = np.full(MYRIATH.observation_size, 7, np.float32)
    for _ in range(3 * players):
        state = position.state.copy()
        state.passes = rng.randrange(players)
        for seat in (SPECTATOR, *range(players)):
            MYRIATH.kernels.observe(state, seat, out)
            parts, expected = slices(MYRIATH, out), told(state, seat)
            assert set(parts) == set(expected)
            for part, numbers in expected.items():
                assert parts[part].tolist() == pytest.approx(numbers), part
        position.apply(rng.choice(position.actions()))
    assert len({tuple(tiles) for tiles in (position.state.at[:players] == IN_HAND).tolist()}) == players
