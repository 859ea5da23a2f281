"""The order of seats in panels and lists."""

from __future__ import annotations

from ludoteca.game import SPECTATOR, Position, start
from ludoteca.game.seats import from_viewer, highest
from tests.toy import GAME


def test_the_viewer_comes_first_and_for_a_spectator_the_first_seat() -> None:
    where = Position(GAME, start(GAME, 3, seed=1))
    assert [from_viewer(where.view(seat)) for seat in (0, 1, 2, SPECTATOR)] == [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 1, 2],
    ]


def test_all_that_stand_highest_are_named() -> None:
    assert highest([3, 7, 7, 0]) == [1, 2]
    assert highest([(3, 1), (3, 0)]) == [0]
