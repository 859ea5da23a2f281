"""What learners are told: every number of an observation, read off the hidden state by what its part says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import SPECTATOR
from ludoteca.games.mykerinos.rules import GONE, LYING, UNSEEN, Phase
from tests.mykerinos.support import MYKERINOS, SPACES, TILES_OF_SEASON, spaces_in
from tests.observations import slices

N_TILES, N_ROOMS, N_CUBES = 36, 15, 25


def ones(size: int, at: Iterable[int]) -> list[float]:
    """Ones at these places."""
    there = {*at}
    return [float(k in there) for k in range(size)]


def one(size: int, at: int) -> list[float]:
    """Nothing for a negative number."""
    return ones(size, [at])


def told(s: Any, seat: int) -> dict[str, list[float]]:
    """All parts."""
    n, viewer = int(s.players), max(seat, 0)
    seats = [(viewer + k) % n for k in range(n)]
    absent = 4 - n
    dealt = TILES_OF_SEASON[s.season]
    lying = [int(tile) for tile in s.deck[s.dealt - dealt : s.dealt]]
    surveyed = s.phase in (Phase.CLAIM, Phase.REMOVE)

    def on(words: Any) -> list[float]:
        return [float(space in spaces_in(words)) for space in SPACES]

    def shares(cubes: Any) -> list[float]:
        return [int(cubes[other]) / N_CUBES for other in seats] + [0.0] * absent

    def of_seats(lists: Iterable[Iterable[float]], size: int) -> list[float]:
        return [number for numbers in lists for number in numbers] + [0.0] * (size * absent)

    return {
        'cubes': of_seats((on(s.cubes[other]) for other in seats), len(SPACES)) + on(s.cubes[4]),
        'pyramids': on(s.pyramids),
        'tiles': [x for tile in lying for x in one(N_TILES, tile if s.owner[tile] == LYING else -1)]
        + [0.0] * N_TILES * (max(TILES_OF_SEASON) - dealt),
        'unseen': [float(s.owner[tile] == UNSEEN) for tile in range(N_TILES)],
        'held': of_seats(((s.held[other] / 7).tolist() for other in seats), 6),
        'tilted': of_seats(((s.used[other] / 7).tolist() for other in seats), 6),
        'wings': [x for wing in s.wing for x in one(5, int(wing))],
        'rooms': of_seats((ones(N_ROOMS, np.flatnonzero(s.room == other)) for other in seats), N_ROOMS),
        'stock': shares(s.stock),
        'reserve': shares(s.reserve),
        'neutral': shares(s.neutral_stock),
        'points': [min(1, int(s.points[other]) / 100) for other in seats] + [0.0] * absent,
        'scale': of_seats((ones(4, np.flatnonzero(s.scale == other)) for other in seats), 4),
        'season': one(4, int(s.season)),
        'to_move': one(4, (int(s.to_move) - viewer) % n),
        'phase': one(6, int(s.phase)),
        'last': [float(s.last)],
        'patron': one(5, int(s.appeal)),
        'laid': ones(len(SPACES), (int(space) for space in s.laid if space >= 0)),
        'area': one(6, int(s.area) if surveyed else -1),
    }


@pytest.mark.parametrize('players', [2, 3, 4])
def test_every_number_is_what_its_part_says(players: int) -> None:
    chooser, met = random.Random(players), Counter[str]()
    out = np.full(MYKERINOS.observation_size, 7, np.float32)
    position = ludoteca.new('mykerinos', players=players, seed=players)
    while not position.over:
        # patrons and rooms, which chance seldom chooses, wherever there are some
        actions = position.actions()
        rare = [action for action in actions if 216 <= action < 251]
        position.apply(chooser.choice(rare if rare and chooser.random() < 0.5 else actions))
        if position.state.phase == Phase.EXCAVATE and chooser.random() < 0.6:
            continue
        seat = chooser.choice([SPECTATOR, *range(players)])
        hidden = position.hidden(seat)
        MYKERINOS.kernels.observe(hidden, seat, out)
        parts, expected = slices(MYKERINOS, out), told(hidden, seat)
        assert set(parts) == set(expected)
        for part, numbers in expected.items():
            assert parts[part].tolist() == pytest.approx(numbers), part
        met['rooms of the first seat'] += bool((hidden.room == 0).any())
        met['rooms of others'] += bool((hidden.room > 0).any())
        met['tilted'] += bool(hidden.used.any())
        met['appeal'] += hidden.appeal >= 0
        met['gone'] += bool((hidden.owner == GONE).any())
        met['season 4'] += hidden.season == 3
    assert len(+met) == 6
