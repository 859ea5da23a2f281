"""What a choice among children asks for is ready, whatever has changed a node since it was made."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.search import SearchSettings, TurnMemory, as_known, think, thinking
from ludoteca.search.nodes import SearchMemory
from ludoteca.search.open_walk import nth_largest, select_by_prior
from ludoteca.search.turn_memory import children

OCTILES = contract.load('octiles')


@pytest.fixture
def grown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The jobs of all searches of the test."""
    found, grow = list[Any](), thinking._Job.grow

    def watched(job: Any, *args: Any) -> None:
        grow(job, *args)
        found.append(job)

    monkeypatch.setattr(thinking._Job, 'grow', watched)
    return found


def check(job: Any) -> int:
    """Every child is among those that a choice looks at, with the score that its numbers give; the choice is
    the highest. Returns the number of nodes with children that came later."""
    memory: SearchMemory = job.memory
    nodes, scores, rules = memory.nodes, memory.scores, memory.rules
    widened = 0
    for node in range(int(memory.tree.used)):
        below, n = children(nodes, node), nodes[node]
        few = range(n.few, n.few + n.n_few)
        others = range(n.others, n.others + n.n_others)
        assert sorted([*few, *others]) == sorted(below)
        widened += len(others) > 0
        for child in below:
            c = nodes[child]
            mean = (c.value + rules.trust * float(c.estimate)) / (c.visits + rules.trust)
            assert scores[child].mean == mean
            assert (scores[child].prior, scores[child].visits) == (c.prior, c.visits)
        if below:
            scale = rules.exploration * math.sqrt(n.visits + 1.0)
            puct = {
                child: scores[child].mean + scale * float(scores[child].prior) / (1.0 + scores[child].visits)
                for child in below
            }
            assert puct[select_by_prior(nodes, scores, rules, node)] == max(puct.values())
    return widened


def position(actions: int = 20) -> Any:
    """A position of a random game in which a tile is to be laid."""
    state, out = contract.start(OCTILES, 2, 'scores'), np.empty(OCTILES.max_legal, np.int32)
    for k in range(actions):
        n = OCTILES.kernels.legal_actions(state, out)
        OCTILES.kernels.apply(state, int(out[7 * k % n]))
    return state


def test_scores_are_those_of_the_nodes(grown: list[Any]) -> None:
    think(OCTILES, position(), simulations=600, seed=1, settings=SearchSettings(narrow=3, wide_at=20))
    assert check(grown[0]) > 3


def test_scores_follow_what_is_written_from_outside(grown: list[Any]) -> None:
    """A forced first action, and the tree of the action before in the same turn."""
    reused = 0
    for actions in range(20, 40, 2):
        state, memory = position(actions), TurnMemory()
        first = think(OCTILES, state, simulations=300, seed=1, memory=memory)
        think(OCTILES, state, simulations=50, seed=1, only=first.actions[-1])
        check(grown[-1])
        memory.advance(OCTILES, as_known(OCTILES, state, first.seat), first.seat, first.action)
        OCTILES.kernels.apply(state, first.action)
        reused += think(OCTILES, state, simulations=400, seed=2, memory=memory).reused
        check(grown[-1])
        grown.clear()
    assert reused > 0


@pytest.mark.parametrize('n', [*range(1, 10), 30])
def test_the_nth_largest_counts_equal_values_once(n: int) -> None:
    values = np.array([(7 * i * i + 3) % 11 / 11 for i in range(n)])
    distinct = sorted(set(values.tolist()), reverse=True)
    for which in range(1, n + 2):
        assert nth_largest(values, n, which) == distinct[min(which, len(distinct)) - 1]
