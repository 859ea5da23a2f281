"""Numbers of sequences of turns from the start, all eight rotations of a tile counted as different."""

from __future__ import annotations

import json

import pytest

from ludoteca.game import Position
from ludoteca.kernel import compiled
from tests.octiles.model import DATA, ROTATIONS, Game, perft
from tests.octiles.support import OCTILES, read_position
from tests.width import width

TABLES: dict[str, list[int]] = json.loads((DATA / 'perft.json').read_text('utf-8'))
DEEPER = {'4p pool(top first) 18..1': (6, 113448)}
"""A depth that two other generators agree on."""


def begin(table: str) -> Game:
    """The start that a table is about: `2p pool(top first) 1..18`."""
    order = range(1, 19) if table.endswith(' 1..18') else range(18, 0, -1)
    return Game.start(int(table[0]), tuple(order))


def count(position: Position, depth: int) -> int:
    """Sequences of turns of the real game, a placement counted once for each rotation that looks the same."""
    if depth == 0:
        return 1
    total = 0
    for turn in [] if position.over else OCTILES.turns(position.state):
        after = position.copy()
        for action in turn:
            OCTILES.kernels.apply(after.state, action)
        same = 8 // len(ROTATIONS[position.to_json()['stack'][0]]) if len(turn) == 2 else 1
        total += same * (count(after, depth - 1) if depth > 1 else 1)
    return total


@pytest.mark.parametrize('table', TABLES)
def test_the_model_counts_as_many_as_the_tables(table: str) -> None:
    assert [perft(begin(table), depth) for depth in (1, 2, 3)] == TABLES[table]


@pytest.mark.parametrize('table', TABLES)
def test_as_many_sequences_as_the_tables(table: str) -> None:
    position = read_position(begin(table).json())
    depths = (1, 2, 3) if compiled else (1, 2)
    assert [count(position, depth) for depth in depths] == TABLES[table][: len(depths)]


@pytest.mark.parametrize('table', width([*TABLES][:2], [*TABLES]))
@pytest.mark.skipif(not compiled, reason='too slow interpreted')
def test_as_many_sequences_of_four_turns_as_the_model(table: str) -> None:
    game = begin(table)
    assert count(read_position(game.json()), 4) == perft(game, 4)


@pytest.mark.wide
@pytest.mark.parametrize('table', DEEPER)
@pytest.mark.skipif(not compiled, reason='too slow interpreted')
def test_as_many_sequences_as_known_at_greater_depth(table: str) -> None:
    depth, known = DEEPER[table]
    assert count(read_position(begin(table).json()), depth) == known


@pytest.mark.parametrize('table', TABLES)
def test_the_weight_of_a_placement_is_the_number_of_its_equal_rotations(table: str) -> None:
    from ludoteca.research.perft import perft as counted

    depth = 2 if compiled else 1
    assert (
        counted(OCTILES, read_position(begin(table).json()).state, depth, weighted=True)
        == TABLES[table][depth - 1]
    )
