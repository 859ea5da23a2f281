"""The time of a turn with several actions: all of them fit into it, at every level."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Game, State
from ludoteca.search import LEVELS, SearchBot, as_known, bots, make_bot, think, thinking
from ludoteca.search.levels import THINKING_SECONDS
from ludoteca.search.simulate import bind
from tests.width import games_tested, width

TURN_SECONDS = 8.0
"""No bot takes longer for a whole turn: what is over THINKING_SECONDS is for playing the actions and storing
them."""
SPEED = 10_000
"""Simulations a second, on a slow computer."""
CHUNK = thinking.CHUNK / SPEED
PLAYING = 0.03
"""Seconds to play an action, to store it, and to look again whose turn it is."""
MOST_TURNS = 80


class Clock:
    """Stands for the module `time`: it goes on with the simulations that are made."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def bind(self, game: Game, edition: str, shared: bool = False) -> Any:
        """The game's search, by this clock."""
        bound = bind(game, edition, shared)

        def simulate(*args: Any) -> None:
            bound.simulate(*args)
            self.now += args[-1] / SPEED

        return SimpleNamespace(simulate=simulate)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    for module in (thinking, bots):
        monkeypatch.setattr(module, 'time', found)
    monkeypatch.setattr(thinking, 'bind', found.bind)
    return found


def turns_of(game: Game, players: int, level: str, clock: Clock, n: int) -> list[tuple[float, list[float]]]:
    """`n` turns of a bot, each with the seconds that it took and those of its actions: where the yardstick's
    turns are the longest in a game that it plays."""
    state, found = contract.start(game, players, 'turns'), list[tuple[int, int, State]]()
    while not state.ending and len(found) < MOST_TURNS:
        turn = game.yardstick(state)
        found.append((-len(turn), len(found), state.copy()))
        for action in turn:
            game.kernels.apply(state, action)
    return [turn_of(game, state, level, clock) for _, _, state in sorted(found)[:n]]


def turn_of(game: Game, state: State, level: str, clock: Clock) -> tuple[float, list[float]]:
    began, seat, number, actions = clock.now, int(state.to_move), int(state.turn), list[float]()
    while not state.ending and (int(state.to_move), int(state.turn)) == (seat, number):
        before = clock.now
        action = make_bot(level).choose(
            game, as_known(game, state, seat), seat, len(actions), began + THINKING_SECONDS
        )
        actions.append(clock.now - before)
        clock.now += PLAYING
        game.kernels.apply(state, action)
    return clock.now - began, actions


@pytest.mark.parametrize('level', list(LEVELS))
@pytest.mark.parametrize('name', games_tested())
def test_no_bot_takes_longer_for_a_turn_than_a_table_allows(name: str, level: str, clock: Clock) -> None:
    game = contract.load(name)
    for players in width((game.players[-1],), tuple(game.players)):
        for seconds, actions in turns_of(game, players, level, clock, width(2, 5)):
            assert seconds < TURN_SECONDS, f'{len(actions)} actions took {seconds:.1f} s'


def test_what_an_action_does_not_need_is_left_to_the_ones_after_it(clock: Clock) -> None:
    """The first takes three sevenths of the time at most, a forced one nothing, each of the others its share
    of what is left."""
    game, found = contract.load('myraclia'), []
    for _, actions in turns_of(game, 4, 'expert', clock, 4):
        left = THINKING_SECONDS
        for seconds in actions:
            assert seconds <= bots.SHARE * left + CHUNK + 1e-6
            left = max(0.0, left - seconds - PLAYING)
        found.append(actions)
    assert any(0.0 in actions for actions in found), 'no choice was forced'
    ceiling = LEVELS['expert'].seconds
    assert ceiling is not None
    assert max(max(actions) for actions in found) <= ceiling + CHUNK


def test_a_search_that_is_settled_ends_with_the_same_action(clock: Clock) -> None:
    """No other action could have been visited as often."""
    game, shorter = contract.load('myraclia'), 0
    state = contract.start(game, 2, 'settled')
    for k in range(60):
        if state.ending:
            break
        seat, n = int(state.to_move), game.kernels.legal_actions(state, np.empty(game.max_legal, np.int32))
        if n > 1 and state.phase not in game.sampled_phases:
            both = [
                think(game, state, seat, simulations=4_000, seconds=1.0, seed=k, until_settled=settled)
                for settled in (False, True)
            ]
            assert both[0].action == both[1].action
            shorter += both[1].simulations < both[0].simulations
        game.kernels.apply(state, game.yardstick(state)[0])
    assert shorter > 3


def test_a_bot_that_is_asked_for_simulations_makes_all_of_them(clock: Clock) -> None:
    """In arenas and at one's own pace nothing is saved."""
    game = contract.load('myraclia')
    state = contract.start(game, 2, 'all')
    for bot, deadline, wanted in (
        (SearchBot(LEVELS['expert'], simulations=2_000), None, 2_000),
        (SearchBot(LEVELS['expert'], simulations=2_000), 1e9, 2_000),
        (SearchBot(LEVELS['hard']), None, LEVELS['hard'].effort(game, 2).simulations),
    ):
        assert bot.think(game, state.copy(), int(state.to_move), 1, deadline).simulations == wanted
