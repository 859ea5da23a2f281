"""What learners are told: every number of an observation, read off the hidden state by what its part says."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.game import SPECTATOR
from ludoteca.games.myraclia import components as C
from ludoteca.games.myraclia.rules import ASIDE, NONE
from tests.myraclia.support import MYRACLIA
from tests.observations import slices


def one_hot(size: int, at: int) -> list[float]:
    """Nothing for NONE."""
    return [float(k == at) for k in range(size)]


def bits(value: int, size: int) -> list[float]:
    return [float(value >> k & 1) for k in range(size)]


def told(s: Any, seat: int) -> dict[str, list[Any]]:
    """All parts."""
    n, viewer = int(s.players), max(seat, 0)
    seats = [(viewer + k) % n for k in range(n)]
    nobody = [0.0] * (5 - n)
    colours = range(C.N_COLOURS)

    def shares(heap: Any) -> list[float]:
        return [int(heap[colour]) / C.CUBES[colour] for colour in colours]

    def disk(other: int) -> list[float]:
        laid = s.disk[other] != NONE
        return [*one_hot(ASIDE + 1, int(s.disk[other])), int(s.rank[other]) / 5 if laid else 0.0]

    def sits(other: int) -> list[float]:
        return one_hot(5, (other - viewer) % n)

    def tile(number: int) -> list[float]:
        shown = number in s.display or bool(s.to_lay >> number & 1)
        numbers = [float(s.tile_bag >> number & 1), float(shown)]
        if s.where[number] == NONE:
            return numbers + [0.0] * (2 + 5 + 5 + C.N_COLOURS + C.N_TOKENS)
        row, column = divmod(int(s.where[number]), 41)
        return [
            *numbers,
            (column - 20) / 20,
            (row - 20) / 20,
            *(sits(int(s.owner[number])) if s.owner[number] != NONE else [0.0] * 5),
            *(float(s.reserved[other] == number) for other in seats),
            *nobody,
            *bits(int(s.cubes_on[number]), C.N_COLOURS),
            *bits(int(s.tokens_on[number]), C.N_TOKENS),
        ]

    return {
        'tiles': [x for number in range(C.N_TILES) for x in tile(number)],
        'cubes': [
            *(share for other in seats for share in shares(s.own[other])),
            *[0.0] * (C.N_COLOURS * (5 - n)),
            *(share for heap in (s.pool, s.zone, s.board, s.bag, s.discard) for share in shares(heap)),
        ],
        'columns': [x for colour in colours for x in one_hot(ASIDE + 1, int(s.column[colour]))],
        'disks': [x for other in seats for x in disk(other)] + (ASIDE + 2) * nobody,
        'passed': [float(s.passed[other]) for other in seats] + nobody,
        'order': [x for k in range(n) for x in sits(int(s.order[k]))] + 5 * nobody,
        'points': [max(-1, min(1, int(s.points[other]) / 100)) for other in seats] + nobody,
        'disks_left': [(C.DISKS[n] - int(s.done[other]) - (s.reserved[other] != NONE)) / 9 for other in seats]
        + nobody,
        'token': one_hot(C.N_TOKENS, int(s.token)),
        'tokens': bits(int(s.token_bag), C.N_TOKENS),
        'to_move': sits(int(s.to_move)),
        'phase': one_hot(7, int(s.phase)),
        'turn': [
            min(1, int(s.budget) / 20),
            int(s.n_actions) / 3,
            int(s.n_terraformed) / 3,
            int(s.to_add) / 3,
        ],
        'target': one_hot(C.N_TILES, int(s.target)),
        'payment': [
            *bits(int(s.missing), C.N_COLOURS),
            *bits(int(s.plain), C.N_COLOURS),
            *bits(int(s.wild), C.N_COLOURS),
            *(min(1, int(x) / 3) for x in s.triples),
            *(int(x) / 2 for x in s.used),
        ],
        'round': [int(s.round) / 40],
    }


@pytest.mark.parametrize('players', [2, 5])
def test_every_number_is_what_its_part_says(players: int) -> None:
    chooser, met = random.Random(players), Counter[str]()
    out = np.full(MYRACLIA.observation_size, 7, np.float32)
    for seed in range(3):
        options = {'eternity': seed == 2}
        position = ludoteca.new('myraclia', players=players, seed=seed, options=options)
        while not position.over and met['seen'] < 100 * (seed + 1):
            # steps of payments, which chance seldom makes, wherever there are some
            legal = position.legal()
            steps = [name for name in legal if name.split()[0] in ('terraform', 'pay', 'use', 'reserve')]
            position.play(chooser.choice(steps or legal))
            seat = chooser.choice([SPECTATOR, *range(players)])
            hidden = position.hidden(seat)
            MYRACLIA.kernels.observe(hidden, seat, out)
            parts = slices(MYRACLIA, out)
            expected = told(hidden, seat)
            assert set(parts) == set(expected)
            for part, numbers in expected.items():
                assert np.allclose(parts[part], numbers, atol=1e-6), part
            met['seen'] += 1
            met['plain'] += bool(hidden.plain)
            met['wild'] += bool(hidden.wild)
            met['used'] += bool(hidden.used.any())
            met['triples'] += bool(hidden.triples.any())
            met['owned'] += bool((hidden.owner > 0).any())
            met['reserved'] += bool((hidden.reserved[1:] != NONE).any())
            met['tokens'] += bool(hidden.tokens_on.any())
    assert met['plain'] > 10
    assert met['wild'] > 5
    assert met['owned'] > 10
    assert met['reserved'] > 5
    assert met['tokens'] > 5


def test_more_cubes_and_points_than_are_usual_stay_between_minus_1_and_1() -> None:
    """Random games of four and five now and then have a seat with more than 20 cubes."""
    hidden = ludoteca.new('myraclia', players=5, seed=1).hidden(0)
    hidden.budget, hidden.points[0], hidden.points[1], hidden.triples[0] = 23, 120, -120, 4
    out = np.full(MYRACLIA.observation_size, 7, np.float32)
    MYRACLIA.kernels.observe(hidden, 0, out)
    parts, expected = slices(MYRACLIA, out), told(hidden, 0)
    assert np.abs(out).max() == 1
    for part in ('turn', 'points', 'payment'):
        assert np.allclose(parts[part], expected[part]), part
