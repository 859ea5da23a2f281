"""Bots of Myrmidons are honest: what they do follows from what their seat has seen, whatever the others'
pieces really are."""

from __future__ import annotations

import random
import statistics
from typing import Any

import pytest

from ludoteca.game import Position
from ludoteca.search import SearchResult, SearchSettings, make_bot, think
from tests.myrmidons.alternatives import alternatives
from tests.myrmidons.support import MYRMIDONS
from tests.myrmidons.test_alternatives import some_game
from tests.myrmidons.test_model import OPTIONS


def facts(result: SearchResult) -> tuple[object, ...]:
    """All of a result but its time."""
    return result.actions, result.visits, repr(result.values), result.line, result.simulations


def after(start: Position, actions: list[int]) -> Any:
    """The true state after these actions."""
    position = start.copy()
    for action in actions:
        position.apply(action)
    return position.state


def known(s: Any, seat: int) -> Any:
    """What a bot in that seat is given."""
    copy = s.copy()
    MYRMIDONS.kernels.hide(copy, seat)
    return copy


@pytest.mark.parametrize('steps', [0, 4, 13, 21])
@pytest.mark.parametrize('options', OPTIONS.values(), ids=OPTIONS)
def test_the_same_seed_gives_the_same_search_whatever_the_truth_is(
    options: dict[str, Any], steps: int
) -> None:
    start, actions = some_game(options, steps, steps + (12 if options.get('size') == 12 and steps > 6 else 0))
    truth = after(start, actions)
    seat = int(truth.to_move)
    expected = facts(think(MYRMIDONS, truth, simulations=400, seed=3))
    different = 0
    for other, changed in alternatives(start, actions, seat, 3, random.Random(steps)):
        world = after(other, changed)
        different += world.type.tolist() != truth.type.tolist()
        assert facts(think(MYRMIDONS, world, simulations=400, seed=3)) == expected
    assert different or steps < 13


@pytest.mark.parametrize('name', ['beginner', 'medium', 'random', 'yardstick'])
def test_the_same_seed_gives_the_same_move_whatever_the_truth_is(name: str) -> None:
    for seed, options in enumerate(OPTIONS.values()):
        start, actions = some_game(options, seed, 2 * options.get('size', 6) + 8)
        truth = after(start, actions)
        seat = int(truth.to_move)
        expected = make_bot(name, simulations=60).choose(MYRMIDONS, known(truth, seat), seat, 5, None)
        for other, changed in alternatives(start, actions, seat, 3, random.Random(seed)):
            assert (
                make_bot(name, simulations=60).choose(
                    MYRMIDONS, known(after(other, changed), seat), seat, 5, None
                )
                == expected
            )


def test_chunks_do_not_matter_where_simulations_share_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    start, actions = some_game({}, 3, 20)
    truth = after(start, actions)
    whole = facts(think(MYRMIDONS, truth, simulations=500, seed=4))
    monkeypatch.setattr('ludoteca.search.thinking.CHUNK', 7)
    assert facts(think(MYRMIDONS, truth, simulations=500, seed=4)) == whole


def test_what_is_expected_depends_less_on_the_guesses_where_others_know_their_own_pieces() -> None:
    """The variance over seeds, in positions of six games, is less than half of what it is where actions of
    the other seat keep the estimate of the first guess."""

    def variance(informed: bool) -> float:
        settings, found = SearchSettings(informed=informed), list[float]()
        for game in range(6):
            truth = after(*some_game({}, game, 20))
            results = [think(MYRMIDONS, truth, settings=settings, simulations=200, seed=k) for k in range(8)]
            found.append(statistics.pvariance([result.expected[truth.to_move] for result in results]))
        return float(statistics.mean(found))

    assert variance(informed=True) < variance(informed=False) / 2


def test_the_search_begins_from_what_the_seat_knows() -> None:
    """Given the truth or the hidden state, it is the same search."""
    start, actions = some_game({}, 3, 20)
    truth = after(start, actions)
    hidden = known(truth, int(truth.to_move))
    assert facts(think(MYRMIDONS, hidden, simulations=250, seed=4)) == facts(
        think(MYRMIDONS, truth, simulations=250, seed=4)
    )
    assert facts(think(MYRMIDONS, truth, simulations=250, seed=4)) != facts(
        think(MYRMIDONS, truth, simulations=250, seed=5)
    )
