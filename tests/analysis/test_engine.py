"""What a search says of a position."""

from __future__ import annotations

from typing import Any

import pytest

from ludoteca.analysis import board_at, search_position
from ludoteca.analysis.sources import from_position
from ludoteca.game import GameError, load
from tests.analysis.test_board import FIRST, GAMES, SECOND, battle, played


def asked(position: dict[str, Any], simulations: int = 120) -> dict[str, Any]:
    found = search_position({'position': position, 'simulations': simulations, 'seconds': 60, 'seed': 3})
    return {key: value for key, value in found.items() if key != 'seconds'}


@pytest.mark.parametrize('name', GAMES)
def test_a_search_tells_how_all_stand_and_up_to_three_whole_turns(name: str) -> None:
    match = played(name, 6)
    found = asked(match.game.to_json(match.true_state()))
    assert sum(found['expected']) == pytest.approx(1, abs=0.01)
    visits = [turn['visits'] for turn in found['turns']]
    assert 1 <= len(visits) <= 3
    assert visits == sorted(visits, reverse=True)
    tree = from_position(match.game.to_json(match.true_state()))
    for turn in found['turns']:
        assert turn['line'][0] == turn['turn']
        assert len(turn['expected']) == match.setup.players
        board = board_at(tree, 0)
        assert board.act(turn['turn']) > 0 or board.match.draft(board.seat)


def test_a_search_sees_nothing_that_the_player_to_move_does_not_know() -> None:
    positions = [match.game.to_json(match.true_state()) for match in map(battle, (FIRST, SECOND))]
    assert positions[0] != positions[1]
    assert asked(positions[0]) == asked(positions[1])


def test_a_game_that_is_over_is_not_searched() -> None:
    game, state = load('octiles'), played('octiles', 300).true_state()
    assert state.ending
    with pytest.raises(GameError):
        asked(game.to_json(state))
