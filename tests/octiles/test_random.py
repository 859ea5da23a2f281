"""Random actions and turns drawn without a list are uniform over the list."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ludoteca.game import Position
from ludoteca.kernel import compiled, reseed
from tests.chance import assert_uniform
from tests.octiles.support import EAST, OCTILES, position, read_position
from tests.octiles.test_positions import as_json, recorded

WEST = 'A1 A2 A3 A4 A5'
POSITIONS: dict[str, Position] = {
    'the start': position({0: WEST, 1: EAST}, top=[17]),
    'few turns': position({0: WEST, 1: EAST}),
    'rule 4': position({0: 'A1 A2 A3 A5 B3', 1: 'A4 F5 F4 F3 F2'}, top=[11]),
    'rule 4 lifted': position({0: 'A1 A2 A3 A5 C2', 1: 'A4 B3 F6 F5 F4'}, top=[1]),
    'equal ends by two exits': position(
        {0: 'A1 A2 A3 A5 B2', 1: EAST}, tiles={'a2': (17, 4), 'b3': (10, 6)}, top=[4]
    ),
    'a loop': position({0: 'A1 A2 A3 A5 B2', 1: EAST}, tiles={'b2': (18, 1)}, top=[16]),
    'a pass': position({0: WEST, 1: 'F6 F5 F4 F3 B3'}),
    'nothing can be reached': position({0: 'A1 F5 F4 F3 F2', 1: 'F6 A2 A3 A4 A5'}),
    'no runner may go': position({0: 'F6 F5 F4 F3 A3', 1: 'A1 A2 A4 A5 B2'}),
    'a tile laid': position({0: 'A1 A2 A3 A5 B3', 1: EAST}, tiles={'a2': (1, 0)}, top=[11]).after('a3:0'),
    # where draws fall back on the list
    'two turns among 152 entries and rotations': position(
        {0: 'B2 F2 A1 B4 D5', 1: 'D2 E2 B6 D3 E5', 2: 'D4 B5 C2 C5 C3'},
        players=3,
        to_move=2,
        tiles={'c5': (2, 2), 'd2': (18, 0), 'd4': (7, 5)},
        top=[14],
    ),
    'one turn among 128': position(
        {0: 'C5 D3 D5 F2 B3', 1: 'E2 E3 B4 A2 B5'}, tiles={'d2': (2, 2)}, top=[16]
    ),
    'four players': position(
        {0: 'A1 B3 C3 D4', 1: 'A6 B5 C4 E6', 2: 'F6 F5 D3 E4', 3: 'F1 E1 C2 D2'},
        players=4,
        tiles={'b3': (9, 1), 'c3': (12, 3), 'd3': (4, 6)},
        top=[16],
    ),
}
for game, ply in ((0, 60), (4, 101), (16, 300)):
    POSITIONS[f'game {game} turn {ply}'] = read_position(as_json(recorded()[game][ply]))


def draws(options: int) -> int:
    """Enough for a chi-square test over so many options; fewer interpreted."""
    return max(200, 60 * options) if compiled else max(60, 6 * options)


@pytest.mark.parametrize('name', POSITIONS)
def test_random_actions_are_uniform_over_the_legal_ones(name: str) -> None:
    state, legal, work = POSITIONS[name].copy().state, POSITIONS[name].actions(), OCTILES.Work.new()
    reseed(state, 7)
    before = state.tobytes()
    counts = Counter(OCTILES.kernels.random_action(state, work) for _ in range(draws(len(legal))))
    assert set(counts) == set(legal)
    assert_uniform(counts[action] for action in legal)
    reseed(state, 7)
    assert state.tobytes() == before


@pytest.mark.parametrize('name', POSITIONS)
def test_random_turns_are_uniform_over_all_turns(name: str) -> None:
    state, work, out = POSITIONS[name].copy().state, OCTILES.Work.new(), np.empty(4, np.int32)
    legal = list(OCTILES.turns(state))
    reseed(state, 8)
    before, counts = state.tobytes(), Counter[tuple[int, ...]]()
    for _ in range(draws(len(legal))):
        n = OCTILES.kernels.random_turn(state, work, out)
        counts[tuple(out[:n].tolist())] += 1
    assert set(counts) == set(legal)
    assert_uniform(counts[turn] for turn in legal)
    reseed(state, 8)
    assert state.tobytes() == before


def test_random_draws_from_a_position_read_from_json_end() -> None:
    state, work, out = (
        read_position(as_json(recorded()[0][7])).state,
        OCTILES.Work.new(),
        np.empty(4, np.int32),
    )
    # the generator that is all zeros stays so, and draws from it would never end
    assert any(state.rng)
    assert OCTILES.kernels.random_turn(state, work, out) == 2
