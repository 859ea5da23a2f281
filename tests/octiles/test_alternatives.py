"""The leak test's other games: they differ from the true one, and nobody could have told."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled
from tests.octiles.alternatives import alternatives
from tests.octiles.support import OCTILES


def some_game(players: int, seed: int, turns: int) -> tuple[Position, list[int]]:
    """The start of a random game and its actions: so many turns, and a tile laid in the next."""
    start, chooser, actions = ludoteca.new('octiles', players, seed), random.Random(seed), []
    position = start.copy()
    while not position.over and (position.state.turn < turns or position.state.phase == 0):
        actions.append(chooser.choice(position.actions()))
        position.apply(actions[-1])
    return start, actions


def shown(start: Position, actions: list[int]) -> list[dict[str, Any]]:
    """What a seat sees from the start on."""
    position = start.copy()
    views = [OCTILES.to_json(position.hidden(0))]
    for action in actions:
        position.apply(action)  # which must be legal there too
        views.append(OCTILES.to_json(position.hidden(0)))
    return views


@pytest.mark.parametrize('players', [2, 3, 4])
def test_another_order_of_unseen_tiles_shows_the_same_game(players: int) -> None:
    for seed in range(3 if compiled else 1):
        start, actions = some_game(players, seed, 8)
        others = alternatives(start, actions, 0, 4, random.Random(seed))
        assert (
            len({tuple(other.to_json()['stack']) for other in others} | {tuple(start.to_json()['stack'])})
            == 5
        )
        for other in others:
            assert sorted(other.to_json()['stack']) == sorted(start.to_json()['stack'])
            assert shown(other, actions) == shown(start, actions)


def test_the_next_tile_may_be_any_that_nobody_has_seen() -> None:
    start, actions = some_game(2, 11, 6)
    others = alternatives(start, actions, 0, 400, random.Random(1))
    place = next(
        i
        for i, tile in enumerate(start.to_json()['stack'])
        if any(o.to_json()['stack'][i] != tile for o in others)
    )
    assert len({other.to_json()['stack'][place] for other in others}) == len(start.to_json()['stack']) - place


def test_there_is_no_other_order_when_all_tiles_have_been_seen() -> None:
    start, actions = some_game(2, 3, 10**6 if compiled else 120)
    assert alternatives(start, actions, 0, 5, random.Random(1)) == []
