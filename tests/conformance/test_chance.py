"""Chance: what is declared of it, what a state without its future waits for, and that both ways to draw are
the same game."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import blake2b
from math import isclose, sqrt
from typing import Any

import numpy as np
import pytest

from ludoteca.game import Game, Position
from ludoteca.kernel import Array, reseed
from tests.chance import assert_distributed, assert_expected
from tests.conformance.harness import Case, after, configurations, guessed, hidden, legal, played, same
from tests.width import width

MOST_EXACT = width(300, 600)  # different results of one action up to which all of them are listed
MOST_ACTIONS = width(90, 150)


def without_future(game: Game, s: Any) -> Any:
    """A copy of `s` without what chance has still to decide."""
    copy = s.copy()
    game.kernels.drop_future(copy)
    return copy


def other_future(game: Game, s: Any, seed: int) -> Any:
    """The same position with another future; secrets of seats stay as they are."""
    if game.hidden:
        other = s.copy()
        reseed(other, seed)
        return other
    return guessed(game, hidden(game, s, -1), -1, seed)


def resolved(game: Game, s: Any, outcome: int) -> Any:
    """A copy of the waiting `s` in which chance has decided."""
    copy = s.copy()
    game.kernels.resolve(copy, outcome)
    return copy


def key(s: Any, blank: Any, before: Any) -> tuple[bytes, ...]:
    """A state as something to count. What is left of a future when a game is over does not matter: fields
    that hold a part of it `before`, and do not in its copy `blank`, are left out of finished states."""
    names = s.dtype.names
    if s.ending:
        names = [name for name in names if np.array_equal(before[name], blank[name])]
    return tuple(s[name].tobytes() for name in names)


def played_without_future(case: Case, seed: int) -> Iterator[tuple[Any, int | None, Any]]:
    """A game in which chance is resolved step by step: before, the action (None: chance has decided), and
    after."""
    game, rng = case.game, random.Random(f'{case} {seed} without a future')
    here, n = case.start(seed).without_future(), 0
    while not here.over and n < MOST_ACTIONS:
        before, action = here.copy(), None
        if here.waiting:
            found = here.chance()
            here.resolve(rng.choices(list(found), list(found.values()))[0])
        else:
            action = rng.choice(here.actions())
            game.kernels.apply(here.state, action)
            n += 1
        yield before.state, action, here.state.copy()


def check_waiting_game(case: Case, seed: int) -> set[str]:
    """Hold a game without a future to the contract; the kinds of chance that it has met."""
    game, met = case.game, set[str]()
    for before, action, following in played_without_future(case, seed):
        assert same(without_future(game, following), following), 'a future came back'
        if action is None:
            assert before.phase < 0
            found = Position(game, before).chance()
            outcomes = list(found)
            assert outcomes == sorted(set(outcomes))
            assert outcomes, 'a state waits for nothing'
            assert 0 <= outcomes[0] <= outcomes[-1] < game.n_outcomes
            assert min(found.values()) > 0
            assert isclose(sum(found.values()), 1, abs_tol=1e-9)
            kinds = {game.outcome_names[outcome].split()[0] for outcome in outcomes}
            assert len(kinds) == 1, 'one draw is of one kind'
            met |= kinds
        else:
            assert before.phase >= 0
            assert Position(game, before).chance() == {}
            assert following.phase >= 0 or not following.ending
    return met


def test_chance_is_declared_and_named(game: Game) -> None:
    kinds = [chance.name for chance in game.chances]
    assert len(set(kinds)) == len(kinds)
    assert all(' ' not in chance.name and chance.meaning for chance in game.chances)
    assert len(set(game.outcome_names)) == game.n_outcomes
    assert game.chance_mode in ('none', 'sampled', 'explicit')


def test_a_start_is_drawn_only_if_that_is_declared(game: Game, name: str) -> None:
    """A game without sampled chance begins alike with every seed."""
    different = False
    for case in configurations(name, 'wide'):
        starts = [without_future(game, case.start(seed).state) for seed in range(4)]
        for s in starts:
            s.rng[:] = 0
        different |= any(not same(s, starts[0]) for s in starts)
    assert different == any(chance.mode == 'sampled' for chance in game.chances)


def check_no_chance(case: Case) -> None:
    """A game goes the same way with and without its future, and draws nothing."""
    for before, action, following in played(case, 0).steps():
        assert np.array_equal(before.rng, following.rng), 'something is drawn'
        made = after(case.game, without_future(case.game, before), action)
        made.rng[:] = following.rng
        assert same(made, following), 'the future makes a difference'


def test_chance_decides_during_a_game_only_if_that_is_declared(case: Case) -> None:
    if case.game.chance_mode == 'explicit':
        assert case.game.n_outcomes
    else:
        check_no_chance(case)


def test_states_without_their_future_wait_for_chance(case: Case) -> None:
    """Whatever is declared explicit is met, and nothing else."""
    met = check_waiting_game(case, 0)
    assert met <= {chance.name for chance in case.game.chances if chance.mode == 'explicit'}


@pytest.mark.wide
def test_every_kind_of_chance_is_met(game: Game, name: str) -> None:
    wanted = {chance.name for chance in game.chances if chance.mode == 'explicit'}
    for case in configurations(name, 'wide'):
        if wanted:
            wanted -= check_waiting_game(case, 1)
    assert not wanted


@pytest.mark.interpreted
def test_chance_interpreted(usual: Case) -> None:
    check_waiting_game(usual, 2)


def test_no_future_is_left(case: Case) -> None:
    """States that differ in nothing but what will be drawn are the same state without it."""
    game = case.game
    for s in played(case, 0).sample(6):
        expected = without_future(game, s)
        assert same(without_future(game, expected), expected)
        if s.ending:
            assert same(expected, s)
            continue
        assert not expected.rng.any(), 'the generator is left'
        for seed in range(3):
            assert same(without_future(game, other_future(game, s, seed)), expected)
        assert legal(game, expected) == legal(game, s)


# ---- the same chances --------------------------------------------------------------------------------------


def results(game: Game, s: Any, action: int) -> list[tuple[Any, float]] | None:
    """All states without a future to which an action can lead, and how probable each is; None if they are too
    many."""
    waiting, done = [(after(game, s, action), 1.0)], list[tuple[Any, float]]()
    while waiting:
        following: dict[tuple[bytes, ...], tuple[Any, float]] = {}
        for state, probability in waiting:
            if len(following) > MOST_EXACT:
                return None
            for outcome, chance in Position(game, state).chance().items():
                made = resolved(game, state, outcome)
                _, before = following.get(key(made, s, s), (None, 0.0))
                following[key(made, s, s)] = made, before + probability * chance
        waiting = [pair for pair in following.values() if pair[0].phase < 0]
        done += [pair for pair in following.values() if pair[0].phase >= 0]
    return done


def drawn(game: Game, s: Any, action: int, rng: random.Random) -> Any:
    """The state after an action from a state without its future, each outcome of chance drawn."""
    state = after(game, s, action)
    while state.phase < 0:
        found = Position(game, state).chance()
        game.kernels.resolve(state, rng.choices(list(found), list(found.values()))[0])
    return state


def check_same_chances(game: Game, s: Any, action: int, n: int) -> None:
    """`apply` draws what `chance` says: exactly where all results can be listed, else as far as `n` draws of
    both kinds can tell, by what they look like and by the mean of everything that can be observed."""
    blank = without_future(game, s)
    seen = [without_future(game, after(game, other_future(game, s, seed), action)) for seed in range(n)]
    exact = results(game, blank, action)
    if exact is not None:
        counts, weights = (
            Counter(key(state, blank, s) for state in seen),
            defaultdict[tuple[bytes, ...], float](float),
        )
        for state, probability in exact:
            weights[key(state, blank, s)] += probability
        assert set(counts) <= set(weights), 'drawn, but no outcome of chance'
        assert_distributed([counts[state] for state in weights], weights.values())
        return
    rng = random.Random(n)
    made = [drawn(game, blank, action, rng) for _ in range(n)]
    two = [Counter(bucket(key(state, blank, s)) for state in states) for states in (seen, made)]
    both = [(two[0][k] + two[1][k]) / 2 for k in range(16)]
    # the difference of two samples has twice the variance of one
    assert_expected([e + (two[0][k] - e) * sqrt(2) for k, e in enumerate(both)], both)
    means = [np.stack([observed(game, state) for state in states]) for states in (seen, made)]
    spread = np.sqrt((means[0].var(0) + means[1].var(0)) / n)
    apart = np.abs(means[0].mean(0) - means[1].mean(0))
    assert (apart <= 5 * spread + 1e-6).all()


def bucket(fields: tuple[bytes, ...]) -> int:
    """One of 16 numbers that the whole state decides."""
    return blake2b(b''.join(fields), digest_size=1).digest()[0] % 16


def observed(game: Game, s: Any) -> Array:
    """What seat 0 observes."""
    out = np.zeros(game.observation_size, np.float32)
    game.kernels.observe(hidden(game, s, 0), 0, out)
    return out


def draws(case: Case, seed: int) -> Iterator[tuple[Any, int]]:
    """Positions of a game in which an action leads to chance, each with that action."""
    game = case.game
    for before, action, _ in played(case, seed).steps():
        if after(game, without_future(game, before), action).phase < 0:
            yield before, action


def test_apply_draws_what_chance_says(case: Case) -> None:
    """At an early and at a late moment of a game; where options leave no chance, nothing is drawn."""
    if case.game.chance_mode != 'explicit':
        return
    found = list(draws(case, 0))
    if not found:
        check_no_chance(case)
        return
    for k in sorted({0, 2 * len(found) // 3})[-width(1, 2) :]:
        check_same_chances(case.game, *found[k], width(120, 500))


@pytest.mark.interpreted
def test_apply_draws_what_chance_says_interpreted(usual: Case) -> None:
    if usual.game.chance_mode == 'explicit':
        check_same_chances(usual.game, *next(draws(usual, 0)), 40)
