"""What learners are told: hands and points of an observation, read off the position's JSON form."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludoteca
from ludoteca.games.myriath import components as C
from ludoteca.games.myriath.knowledge import AT, MOST_POINTS
from tests.myriath.support import MYRIATH


@pytest.mark.parametrize('viewer', range(4))
def test_hands_and_points_are_told_from_the_viewer_on(viewer: int) -> None:
    """Of four seats the next one is not the one before."""
    position, rng = ludoteca.new('myriath', players=4, seed=1), random.Random(1)
    for _ in range(14):
        position.play(rng.choice(position.turns()))
    told = np.zeros(MYRIATH.observation_size, np.float32)
    MYRIATH.kernels.observe(position.hidden(viewer), viewer, told)
    written = position.to_json()
    laid = [{tile['tile'] for tile in written['tiles'] if tile['owner'] == seat} for seat in range(4)]
    assert len({frozenset(names) for names in laid}) == 4
    for k in range(4):
        seat = (viewer + k) % 4
        hand = told[AT.hands + k * C.N_TILES : AT.hands + (k + 1) * C.N_TILES]
        assert {C.TILES[tile] for tile in np.flatnonzero(hand)} == set(C.TILES) - laid[seat]
        assert told[AT.points + k] * MOST_POINTS == pytest.approx(2 * written['scores'][seat])
