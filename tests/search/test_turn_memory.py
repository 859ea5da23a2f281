"""Within a turn the search goes on from what the action before has left, and only where that is sound."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Effort, Game, State
from ludoteca.search import FROZEN, LEVELS, SearchBot, SearchResult, TurnMemory, as_known, think, thinking
from ludoteca.search.turn_memory import children
from tests.built_in import BUILT_IN
from tests.width import width

STEPS = ('octiles', 'mykerinos', 'myraclia', 'myrmidons')
"""The games with turns of several actions."""


def steps(name: str, players: int = 2, most: int = 60) -> list[tuple[Game, State, int, bool]]:
    """The states of a game of the yardstick (in Myrmidons, where it seldom gives orders, of random play) with
    the action taken there, and whether the turn goes on after it without a reveal."""
    game, found = contract.load(name), list[tuple[Game, State, int, bool]]()
    state = contract.start(game, players, 'steps')
    random, legal = np.random.default_rng(1), np.empty(game.max_legal, np.int32)
    while not state.ending and len(found) < most:
        before = state.copy()
        if name == 'myrmidons':
            action = int(random.choice(legal[: game.kernels.legal_actions(state, legal)]))
        else:
            action = game.yardstick(state)[0]
        game.kernels.apply(state, action)
        found.append((game, before, action, not contract.committed(before, state)))
    return found


def sound(nodes: Any, tree: Any, simulations: int) -> None:
    """A tree: every linked node is made, linked once, and ascending; the root's visits are whole."""
    todo, seen = [0], {0}
    while todo:
        node = todo.pop()
        for link in ('first', 'outcomes'):
            child, last = int(nodes[node][link]), -1
            while child:
                assert 0 < child < tree.used
                assert child not in seen
                seen.add(child)
                todo.append(child)
                if link == 'first':
                    assert nodes[child].action > last
                    last = int(nodes[child].action)
                child = int(nodes[child].next)
    first = children(nodes, 0)
    assert first == list(range(1, len(first) + 1))
    assert (
        sum(int(nodes[child].visits) for child in first) == nodes[0].visits == tree.simulations == simulations
    )


@pytest.mark.parametrize('name', STEPS)
def test_the_next_action_of_a_turn_starts_from_the_tree_of_the_one_before(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown, grow = list[SimpleNamespace](), thinking._Job.grow

    def watched(job: Any, *args: Any) -> None:
        grow(job, *args)
        grown.append(job.memory)

    monkeypatch.setattr(thinking._Job, 'grow', watched)
    reused = 0
    for game, state, action, goes_on in steps(name, most=150 if name == 'myrmidons' else 60):
        seat, memory = int(state.to_move), TurnMemory()
        if not goes_on or state.phase in game.sealed:
            continue
        first = think(game, state, seat, simulations=400, seed=1, memory=memory)
        memory.advance(game, as_known(game, state, seat), seat, action)
        left = first.visits[first.actions.index(action)]
        game.kernels.apply(state, action)
        second = think(game, state, seat, simulations=600, seed=2, memory=memory)
        fresh = think(game, state, seat, simulations=600, seed=2)
        assert second.actions == fresh.actions
        assert second.simulations == sum(second.visits) == 600
        assert second.reused <= left
        assert sum(second.expected) == pytest.approx(1)
        for row, visits in zip(second.values, second.visits, strict=True):
            assert visits == 0 or sum(row) == pytest.approx(1)
        sound(grown[1].nodes, grown[1].tree, 600)
        assert fresh.reused == 0
        reused += second.reused
        grown.clear()
    assert reused > 100


def test_what_was_kept_is_of_use_for_that_position_and_seat_only() -> None:
    game, state, action, _ = next(step for step in steps('octiles') if step[3])
    seat, memory = int(state.to_move), TurnMemory()

    def again(at: State, settings: object = None) -> SearchResult:
        return think(game, at, seat, simulations=100, seed=3, memory=memory, settings=settings)  # type: ignore[arg-type]

    think(game, state, seat, simulations=300, seed=1, memory=memory)
    other = next(a for a in think(game, state, simulations=1).actions if a != action)
    memory.advance(game, as_known(game, state, seat), seat, action)
    elsewhere = state.copy()
    game.kernels.apply(elsewhere, other)
    if elsewhere.to_move == seat:
        assert again(elsewhere).reused == 0
    think(game, state, seat, simulations=300, seed=1, memory=memory)
    memory.advance(game, as_known(game, state, seat), seat, action)
    game.kernels.apply(state, action)
    assert again(state, LEVELS['easy'].settings).reused == 0


@pytest.mark.parametrize('name', BUILT_IN)
def test_nothing_is_kept_beyond_a_turn_or_a_reveal(name: str) -> None:
    for game, state, action, goes_on in steps(name, most=25):
        if goes_on or state.phase in game.sealed:
            continue
        seat, memory = int(state.to_move), TurnMemory()
        think(game, state, seat, simulations=30, memory=memory)
        assert memory
        memory.advance(game, as_known(game, state, seat), seat, action)
        assert not memory


def test_only_a_deadline_lets_a_bot_remember() -> None:
    """With a number of simulations, at its own pace or frozen a bot plays the same whatever was before."""

    def reused(name: str, bot: SearchBot, limited: bool) -> int:
        game, state, action, _ = next(step for step in steps(name) if step[3])
        seat, after = int(state.to_move), state.copy()
        game.kernels.apply(after, action)
        before, now = (as_known(game, one, seat) for one in (state, after))
        think(game, before, seat, simulations=10, settings=bot.level.settings)  # its search is loaded now
        bot.think(game, before, seat, 1, time.monotonic() + 60 if limited else None)
        bot._memory.advance(game, before, seat, action)
        return bot.think(game, now, seat, 2, time.monotonic() + 60 if limited else None).reused

    expert, name = LEVELS['expert'], 'mykerinos'
    # as many simulations as it takes, however slow the computer is
    assert reused(name, SearchBot(replace(expert, name='short', usual=Effort(4000))), True) > 0
    assert reused(name, SearchBot(expert, seconds=0.1), False) == 0
    assert reused(name, SearchBot(expert, simulations=300), True) == 0
    assert reused(name, SearchBot(LEVELS['hard'], seconds=0.1), True) == 0
    # narrow in the game whose frozen search tests/search/test_frozen.py compiles as well
    assert reused(width('octiles', name), SearchBot(FROZEN['expert-1'], seconds=0.1), True) == 0


def test_in_games_with_secrets_nothing_is_remembered() -> None:
    game = contract.load('myrmidons')
    state = contract.start(game, 2, 1)
    bot = SearchBot(LEVELS['expert'], seconds=0.05)
    for step in range(24):
        if state.ending:  # how long the game is depends on how fast the machine thinks
            break
        seat = int(state.to_move)
        game.kernels.apply(
            state, bot.choose(game, as_known(game, state, seat), seat, step, time.monotonic() + 0.05)
        )
        assert not bot._memory
