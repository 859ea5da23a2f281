"""The leak test's other games: they differ from the true one, and nobody could have told."""

from __future__ import annotations

import random

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled
from tests.mykerinos.alternatives import alternatives
from tests.mykerinos.support import TILES_OF_SEASON


def some_game(players: int, seed: int, season: int) -> tuple[Position, list[int]]:
    """The start of a random game and its actions up to somewhere in a season."""
    start, chooser, actions = ludoteca.new('mykerinos', players, seed), random.Random(seed), []
    position = start.copy()
    while position.state.season < season - 1 or not position.state.cubes.any():
        actions.append(chooser.choice(position.actions()))
        position.apply(actions[-1])
    return start, actions


def shown(start: Position, actions: list[int], seat: int) -> list[bytes]:
    """What a seat sees from the start on."""
    position = start.copy()
    views = [position.hidden(seat).tobytes()]
    for action in actions:
        position.apply(action)  # which must be legal there too
        views.append(position.hidden(seat).tobytes())
    return views


def whole_deal(position: Position) -> list[str]:
    data = position.to_json()
    return [*data['tiles'], *data['deck']]


@pytest.mark.parametrize('season', [1, 2, 3])
@pytest.mark.parametrize('players', [2, 3, 4])
def test_another_deal_of_later_seasons_shows_the_same_game(players: int, season: int) -> None:
    start, actions = some_game(players, season, season)
    dealt = sum(TILES_OF_SEASON[:season])
    others = alternatives(start, actions, 0, 3, random.Random(season))
    assert len({str(whole_deal(other)) for other in [start, *others]}) == 4
    for other in others:
        assert whole_deal(other)[:dealt] == whole_deal(start)[:dealt]
        assert sorted(entry.split()[0] for entry in whole_deal(other)) == sorted(
            entry.split()[0] for entry in whole_deal(start)
        )
        for seat in (-1, players - 1) if compiled else (0,):
            assert shown(other, actions, seat) == shown(start, actions, seat)


def test_any_tile_may_come_next_either_way_up() -> None:
    start, actions = some_game(2, 11, 2)
    others = alternatives(start, actions, 0, 400, random.Random(1))
    assert len({int(other.state.deck[16]) for other in others}) == 20
    assert {int(other.state.turned[16]) for other in others} == {0, 1}


def test_there_is_no_other_deal_when_all_tiles_have_been_dealt() -> None:
    start, actions = some_game(3, 3, 4)
    assert alternatives(start, actions, 0, 5, random.Random(1)) == []
