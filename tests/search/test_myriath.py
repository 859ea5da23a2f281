"""A search among hundreds of actions: what a game foresees guides it, and an opening without chance is
drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Game
from ludoteca.search import LEVELS, SearchSettings, make_bot, think
from ludoteca.search.nodes import SearchMemory, make_memory, make_rules
from ludoteca.search.simulate import bind
from ludoteca.search.thinking import MOST_NODES, stream

MYRIATH, OCTILES = contract.load('myriath'), contract.load('octiles')


def midgame(game: Game, turns: int, players: int = 2) -> Any:
    """A position of a random game."""
    position, chooser = contract.new(game.name, players, 'search'), np.random.default_rng(turns)
    while position.state.turn < turns:
        position.apply(int(chooser.choice(position.actions())))
    return position.state


def memory_of(game: Game, state: Any) -> SearchMemory:
    """Memory for a small search of a position."""
    rules = make_rules(SearchSettings(), game, int(state.players))
    return make_memory(game, rules, 2 * game.max_legal)[0]


def first_estimates(game: Game, state: Any) -> list[float]:
    """What the tree holds of the root's children when it has just been expanded."""
    memory = memory_of(game, state)
    memory.states[0] = state
    n = game.kernels.legal_actions(state, memory.lists[0])
    memory.tree.used = 1
    assert bind(game).expand(memory, 0, n)
    found, child = [], int(memory.nodes[0].first)
    while child:
        found.append(float(memory.nodes[child].estimate))
        child = int(memory.nodes[child].next)
    assert len(found) == n
    return found


@pytest.mark.parametrize('players', [2, 3, 4])
def test_a_game_that_foresees_is_asked_once_for_all_actions(players: int) -> None:
    state, out = midgame(MYRIATH, 6, players), np.empty(MYRIATH.max_legal)
    actions = np.empty(MYRIATH.max_legal, np.int32)
    n = MYRIATH.kernels.legal_actions(state, actions)
    assert MYRIATH.kernels.foresee is not None
    MYRIATH.kernels.foresee(state, actions, n, out)
    assert first_estimates(MYRIATH, state) == pytest.approx(out[:n].tolist(), rel=1e-6)


def test_other_games_are_looked_ahead_in_one_action_at_a_time() -> None:
    state, seat = midgame(OCTILES, 6), 6 % 2
    memory = memory_of(OCTILES, state)
    actions = np.empty(OCTILES.max_legal, np.int32)
    expected = []
    for action in actions[: OCTILES.kernels.legal_actions(state, actions)].tolist():
        memory.states[0] = state
        expected.append(bind(OCTILES).look_ahead(memory.states, action, memory.lists, memory.result))
    assert state.to_move == seat
    assert first_estimates(OCTILES, state) == pytest.approx(expected, rel=1e-6)


def test_octagons_are_drawn_and_turns_are_not() -> None:
    start, later = contract.start(MYRIATH, 2), midgame(MYRIATH, 8)
    expert = make_bot('expert', simulations=300)
    octagons = {expert.choose(MYRIATH, start.copy(), 0, stream('drawn', k), None) for k in range(12)}
    assert len(octagons) > 3
    assert expert.choose(MYRIATH, start.copy(), 0, 7, None) == expert.choose(
        MYRIATH, start.copy(), 0, 7, None
    )
    assert len({expert.choose(MYRIATH, later.copy(), 0, stream('drawn', k), None) for k in range(6)}) == 1


@pytest.mark.parametrize('level', LEVELS)
@pytest.mark.parametrize('players', [2, 3, 4])
def test_every_level_chooses_a_legal_action_of_hundreds(level: str, players: int) -> None:
    state, actions = midgame(MYRIATH, 4, players), np.empty(MYRIATH.max_legal, np.int32)
    chosen = make_bot(level, simulations=40).choose(MYRIATH, state.copy(), int(state.to_move), 3, None)
    assert chosen in actions[: MYRIATH.kernels.legal_actions(state, actions)].tolist()


def test_a_tree_that_is_full_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('ludoteca.search.thinking.MOST_NODES', 1_500)
    assert MOST_NODES > 1_500
    state = midgame(MYRIATH, 2, 4)
    result = think(MYRIATH, state, simulations=3_000)
    assert result.simulations == sum(result.visits) == 3_000
