"""A review judges turns by what their players knew, and its parts add up."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Game, GameError, State, committed
from ludoteca.match import Match, Setup, TrueTurn
from ludoteca.review import Judged, judge, judging, review, seeds_of
from ludoteca.review.review import TURNING_POINTS
from ludoteca.search import SearchResult, as_known, think
from ludoteca.text import words
from tests.built_in import BUILT_IN
from tests.match.support import new, play
from tests.width import width

FEW = 40
"""Simulations of a search here."""
MOST_TURNS = width(40, 120)


@cache
def finished(name: str, players: int) -> Match:
    """A match of random turns. A long one of two ends because one gives up; with more players a bot would
    take the seat."""
    match = play(new(name, players), MOST_TURNS if players == 2 else 10**6)
    if match.result is None:
        match.resign(match.to_move[0])
    return match


def whole_games() -> list[tuple[str, int]]:
    return [(name, contract.load(name).players[width(0, -1)]) for name in BUILT_IN]


@pytest.mark.parametrize(('name', 'players'), whole_games())
def test_outcome_is_expectation_and_skill_and_luck_and_drift(name: str, players: int) -> None:
    match = finished(name, players)
    found = review(match, simulations=FEW)
    assert match.result
    rest = np.array(found.expected[0]) + found.skill + found.luck + found.drift
    if match.result.by < 0:
        assert rest == pytest.approx(match.result.outcome)
    else:
        assert not any(found.turns[-1].luck)
        assert not any(found.turns[-1].drift)
    assert found.expected[-1] == match.result.outcome
    assert np.array(found.adjusted) + found.luck == pytest.approx(match.result.outcome)
    assert len(found.turns) == match.turns
    for turn in found.turns:
        one = turn.judged
        assert sum(one.before) == pytest.approx(1)
        assert sum(one.after) == pytest.approx(1)
        assert one.loss == pytest.approx(one.before[one.seat] - one.after[one.seat])
        assert (one.judgement == 'best') == (one.loss == 0) == (not one.better)
        assert not (any(turn.luck) and any(turn.drift))
    for seat, points in enumerate(found.turning_points):
        lost = [found.turns[number - 1].judged.loss for number in points]
        assert len(points) <= TURNING_POINTS
        assert lost == sorted(lost, reverse=True)
        assert all(found.turns[number - 1].judged.seat == seat for number in points)


def test_nothing_is_luck_where_nothing_comes_to_light() -> None:
    """Myriath has no chance and no secret."""
    found = review(finished('myriath', 2), simulations=FEW)
    assert found.luck == (0.0, 0.0)
    assert not any(found.errors)


@pytest.mark.parametrize('name', BUILT_IN)
def test_a_position_is_searched_twice_only_where_seeds_differ(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    game = contract.load(name)
    turn, asked = turns_of(name, game.players[0])[-1], list[int]()

    def counted(*args: Any, seed: int, **settings: Any) -> SearchResult:
        asked.append(seed)
        return think(*args, seed=seed, **settings)

    monkeypatch.setattr(judging, 'think', counted)
    judge(game, turn.states[:1], turn.actions[:1], turn.seat, simulations=FEW)
    assert len(set(asked)) == seeds_of(game) == (1 if name == 'myriath' else 2)
    if seeds_of(game) == 1:
        one, two = (think(game, turn.states[0], simulations=FEW, seed=seed) for seed in (1, 2))
        assert (one.visits, one.values, one.line) == (two.visits, two.values, two.line)


def turns_of(name: str, players: int) -> tuple[TrueTurn, ...]:
    return finished(name, players).true_turns()


@pytest.mark.parametrize('name', BUILT_IN)
def test_a_turn_is_judged_by_what_its_player_knew(name: str) -> None:
    """What the seat could not know may be otherwise: the judgement is the same."""
    game, turns = contract.load(name), turns_of(name, contract.load(name).players[0])
    different = 0
    for number in range(0, len(turns), max(1, len(turns) // 6)):
        turn = turns[number]
        others = otherwise(game, turn)
        if others is None:
            continue
        one, two = (
            judge(game, states, turn.actions, turn.seat, simulations=FEW) for states in (turn.states, others)
        )
        assert one == two
        different += others[0].tobytes() != turn.states[0].tobytes()
    assert different > 1 or name == 'myriath'


def otherwise(game: Game, turn: TrueTurn) -> list[State] | None:
    """States of a turn that its seat cannot tell from the true ones: what it does not know is guessed before
    its first action. None if its actions would then reveal something else."""
    states = list[State]()
    for state in turn.states:
        known, work = as_known(game, state, turn.seat), game.Work.new()
        game.kernels.prepare(known, turn.seat, work)
        guessed = known.copy()
        game.kernels.guess(guessed, turn.seat, 7, work)
        if as_known(game, guessed, turn.seat).tobytes() != known.tobytes():
            return None
        states.append(guessed)
    return states


def test_to_refuse_a_win_is_a_mistake_and_the_win_is_what_was_better() -> None:
    game = contract.load('octiles')
    turn, win, other = refused_win(game)
    best, refused = (
        judge(game, *states_of(game, turn, actions), int(turn.to_move), simulations=300)
        for actions in (win, other)
    )
    assert best.judgement == 'best'
    assert best.loss == 0
    assert best.after[turn.to_move] == pytest.approx(1, abs=0.02)
    assert refused.judgement == 'mistake'
    after, work = turn.copy(), refused.better
    for name in work:
        game.kernels.apply(after, game.action_from_name(after, name))
    outcome = np.zeros(2)
    game.kernels.outcome(after, outcome)
    assert outcome[turn.to_move] == 1


def refused_win(game: Game) -> tuple[State, tuple[int, ...], tuple[int, ...]]:
    """A state, a turn that wins, and one after which the opponent wins at once."""
    for seed in itertools.count():
        state = contract.start(game, 2, seed)
        while not state.ending:
            winning = next((turn for turn in game.turns(state) if wins(game, state, turn)), None)
            for turn in game.turns(state) if winning else ():
                after = played(game, state, turn)
                if not after.ending and any(wins(game, after, reply) for reply in game.turns(after)):
                    assert winning
                    return state, winning, turn
            for action in game.yardstick(state):
                game.kernels.apply(state, action)
    raise AssertionError


def played(game: Game, state: State, turn: tuple[int, ...]) -> State:
    after = state.copy()
    for action in turn:
        game.kernels.apply(after, action)
    return after


def wins(game: Game, state: State, turn: tuple[int, ...]) -> bool:
    outcome = np.zeros(2)
    game.kernels.outcome(played(game, state, turn), outcome)
    return bool(outcome[state.to_move] == 1)


def states_of(game: Game, state: State, turn: tuple[int, ...]) -> tuple[tuple[State, ...], tuple[int, ...]]:
    """A turn as `judge` takes it."""
    states = [state]
    for action in turn[:-1]:
        states.append(played(game, states[-1], (action,)))
        assert not committed(states[-2], states[-1])
    return tuple(states), turn


def test_what_was_better_has_its_reasons() -> None:
    game = contract.load('octiles')
    turn, _, other = refused_win(game)
    refused = judge(game, *states_of(game, turn, other), int(turn.to_move), simulations=300)
    assert refused.reasons[0].kind == 'wins'
    assert refused.why[0] == game.words('reason.wins')
    assert len(refused.why) <= 2


@pytest.mark.parametrize('name', BUILT_IN)
def test_only_turns_that_lost_something_have_reasons(name: str) -> None:
    turns = review(finished(name, contract.load(name).players[0]), simulations=FEW).turns
    assert all(one.judged.better or not one.judged.reasons for one in turns)
    assert any(one.judged.why for one in turns)
    assert not any(words('reasons.next') in text for one in turns for text in one.judged.why)


def test_processes_answer_as_one_does() -> None:
    match, done = finished('mykerinos', 2), list[int]()
    with ThreadPoolExecutor(3) as pool:
        found = review(match, simulations=FEW, executor=pool, progress=done.append)
    assert found == review(match, simulations=FEW)
    assert done == list(range(1, match.turns + 1))


def test_a_running_match_is_not_reviewed_and_one_without_turns_neither() -> None:
    match = play(new('octiles', 2), 4)
    with pytest.raises(GameError, match='not over'):
        review(match)
    with pytest.raises(GameError, match='not over'):
        match.true_turns()
    match = Match(Setup.new('octiles', 2, seed=1))
    match.resign(0)
    with pytest.raises(GameError, match='nothing to review'):
        review(match)


@pytest.mark.parametrize('name', BUILT_IN)
def test_a_search_can_be_made_to_begin_with_an_action(name: str) -> None:
    game = contract.load(name)
    turn = next(one for one in turns_of(name, game.players[0]) if one.states[0].phase not in game.sealed)
    free = think(game, turn.states[0], simulations=200)
    for action in (free.actions[0], free.actions[-1], free.action):
        found = think(game, turn.states[0], simulations=200, only=action)
        assert found.actions == free.actions
        assert found.action == action
        assert found.visits[found.best] >= found.simulations - 1 == 199
    with pytest.raises(GameError, match='not legal'):
        think(game, turn.states[0], simulations=200, only=game.n_actions)


def test_judgements_are_plain_data() -> None:
    data = review(finished('octiles', 2), simulations=5).json()
    assert data['turns'][0]['judged']['judgement'] in ('best', 'good', 'inaccuracy', 'mistake')
    assert isinstance(Judged.loss, property)
