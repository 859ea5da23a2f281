"""What bots choose in the draft."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ludoteca import game as contract
from ludoteca.games.myraclia import rules
from ludoteca.games.myraclia.rules import Phase, State
from ludoteca.search import as_known, make_bot
from tests.width import width

MYRACLIA = contract.load('myraclia')
MANY = 8
"""Cubes on the drafting board of which strong bots always take one."""


def drafts(players: int, least: int, most: int, games: int) -> Iterator[State]:
    """Positions of drafts with so many cubes left, from games by yardstick."""
    for seed in range(games):
        state: Any = contract.start(MYRACLIA, players, f'draft {seed}')
        while not state.ending and state.turn < 20 * players:
            if state.phase == Phase.DRAFT and least <= int(state.board.sum()) <= most:
                yield state.copy()
            for action in MYRACLIA.yardstick(state):
                MYRACLIA.kernels.apply(state, action)


def passes(level: str, players: int, least: int, most: int, times: int, games: int = 3) -> tuple[int, int]:
    """How often a level passes in such positions, and how often it was asked."""
    found = asked = 0
    for state in drafts(players, least, most, games):
        seat = int(state.to_move)
        for _ in range(times):
            asked += 1
            known = as_known(MYRACLIA, state, seat)
            found += make_bot(level).choose(MYRACLIA, known, seat, asked, None) == rules.PASS
    return found, asked


@pytest.mark.parametrize('players', [2, 4])
@pytest.mark.parametrize('level', ['beginner', 'easy', 'medium'])
def test_no_level_passes_a_draft_with_many_cubes_left(level: str, players: int) -> None:
    found, asked = passes(level, players, MANY, 99, 8, width(1, 3))
    assert found == 0
    assert asked >= width(60, 200)


def test_a_level_may_still_pass_when_little_is_left() -> None:
    assert passes('medium', 4, 1, 3, 4)[0] > 0
