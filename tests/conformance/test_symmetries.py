"""Shapes of actions and observations, positions that are played alike, and what a seat knows as text."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from ludoteca.game import Game, GameError
from tests.conformance.harness import (
    Case,
    after,
    hidden,
    is_sentence,
    legal,
    observation,
    played,
    same,
    seats,
    shares,
)
from tests.width import width


def test_actions_are_tuples_of_their_axes(game: Game) -> None:
    """Every action is of one kind and has one index an axis, and back."""
    space = game.actions
    if not space.kinds:
        pytest.skip('its actions are of one kind')
    assert space.firsts[-1] == game.n_actions
    assert len({kind.name for kind in space.kinds}) == len(space.kinds)
    parts = [space.parts(action) for action in range(game.n_actions)]
    assert len(set(parts)) == game.n_actions
    for action in {*range(0, game.n_actions, width(37, 1)), game.n_actions - 1}:
        kind, indices = parts[action]
        assert space.encode(kind, *indices) == action
        assert space.decode(action) == (kind, action - space.first(kind))
    for declared in space.kinds:
        assert declared.meaning
        assert len(set(declared.axes)) == len(declared.axes)


def test_actions_that_are_none_are_refused_with_a_sentence(game: Game) -> None:
    space = game.actions
    wrong: list[Callable[[], object]] = [
        lambda: space.parts(-1),
        lambda: space.decode(game.n_actions),
        lambda: space.first('nonsense'),
    ]
    for kind in space.kinds[:1]:
        wrong += [
            lambda kind=kind: space.encode(kind.name, *kind.shape),  # type: ignore[misc]
            lambda kind=kind: space.encode(kind.name, *[0] * 9),  # type: ignore[misc]
        ]
    for call in wrong:
        with pytest.raises(GameError) as refused:
            call()
        assert is_sentence(str(refused.value))


def test_axes_of_observations_have_names(game: Game) -> None:
    for part in game.observation:
        assert len(part.axes) == len(part.shape)
        assert len(set(part.axes)) == len(part.axes)


def test_symmetric_positions_are_played_alike(usual: Case) -> None:
    """Legal actions, what follows, what is seen, points and outcomes of an image are the images of those."""
    game, rng = usual.game, random.Random(str(usual))
    met = set[str]()
    symmetries = game.symmetries(usual.players)
    history = played(usual, 0)
    # the last action of a game as well: who has won is an image, too
    for s in (*history.sample(width(5, 40)), history.states[-2]) if symmetries else ():
        state = s.copy()
        game.kernels.drop_future(state)
        for symmetry in symmetries:
            if state.ending or not symmetry.holds(state):
                continue
            met.add(symmetry.name)
            image, places = symmetry.image(state), symmetry.actions(state)
            expected = legal(game, state)
            assert sorted(int(places[action]) for action in expected) == legal(game, image), symmetry.name
            action = rng.choice(expected)
            one = symmetry.image(after(game, state, action))
            other = after(game, image, int(places[action]))
            for name in one.dtype.names:
                assert name in symmetry.forgets or np.array_equal(one[name], other[name]), (
                    symmetry.name,
                    name,
                )
            for seat in range(usual.players):
                seen = symmetry.observed(observation(game, state, seat))
                there = symmetry.seats[seat]
                assert np.allclose(seen, observation(game, image, there), atol=1e-6), symmetry.name
                for kernel in ('scores', 'outcome'):
                    values = shares(game, kernel, state), shares(game, kernel, image)
                    assert values[0][seat] == values[1][there]
    assert met == {symmetry.name for symmetry in symmetries}, 'a symmetry that never holds'


def test_symmetries_permute(usual: Case) -> None:
    """Seats and the numbers of an observation are permuted, actions too; every image has one original."""
    game = usual.game
    start = played(usual, 0).states[0]
    for symmetry in game.symmetries(usual.players):
        assert sorted(symmetry.seats) == list(range(usual.players))
        places, signs = symmetry.observation
        assert sorted(places.tolist()) == list(range(game.observation_size))
        assert set(signs.tolist()) <= {1, -1}
        assert sorted(symmetry.actions(start).tolist()) == list(range(game.n_actions))
        assert symmetry.name
        assert symmetry.kind in ('board', 'colours', 'seats')


def test_seats_know_the_same_exactly_where_their_texts_are_equal(usual: Case) -> None:
    game, history = usual.game, played(usual, 1)
    for s in history.sample(width(4, 12)):
        for seat in seats(s):
            text = game.info_state(s, seat)
            assert '\n' not in text
            if s.phase not in game.sealed:
                assert text == game.info_state(hidden(game, s, seat), seat)
    known = [(s, game.info_state(s, 0)) for s in history.sample(12) if s.phase not in game.sealed]
    for (a, one), (b, other) in pairwise(known):
        assert (one == other) == same(hidden(game, a, 0), hidden(game, b, 0))
