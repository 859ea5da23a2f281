"""The fixed yardstick and the estimates of a position, against what they are declared to be."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.myriath import evaluation, rules
from ludoteca.kernel import compiled, holds
from tests.expected import after, estimate, foresee
from tests.myriath.support import FIRST_OCTAGON, MYRIATH, PASS, position

N_QUARTERS = 4


def some_positions(players: int, every: int, seed: str = 'evaluation') -> list[Position]:
    """Positions of a random game, the octagons not yet laid in the first."""
    chooser, game, found = random.Random(f'{seed}/{players}'), ludoteca.new('myriath', players, players), []
    while not game.over:
        if game.state.turn % every == 0:
            found.append(game.copy())
        game.apply(chooser.choice(game.actions()))
    return found if compiled else found[::3]


# ---- the yardstick -----------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_yardstick_is_the_turn_with_most_points_less_those_of_the_best_opponent(players: int) -> None:
    for game in some_positions(players, 5):
        if game.state.phase == rules.Phase.SETUP:
            continue
        before, seat, worth = game.scores(), game.to_move, {}
        for action in game.actions():
            gains = [new - old for new, old in zip(after(game, action).scores(), before, strict=True)]
            worth[action] = gains.pop(seat) - max(gains)
        assert MYRIATH.yardstick(game.state) == (
            min(action for action in worth if worth[action] == max(worth.values())),
        )


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_yardstick_lays_its_octagon_nearest_to_the_middle(players: int) -> None:
    game = ludoteca.new('myriath', players)
    side = {2: 7, 3: 9, 4: 11}[players]
    while game.state.phase == rules.Phase.SETUP:

        def away(action: int) -> float:
            i, j = (action - FIRST_OCTAGON) % side, (action - FIRST_OCTAGON) // side
            return (i + 0.5 - (side - 1) / 2) ** 2 + (j + 0.5 - (side - 1) / 2) ** 2

        (chosen,) = MYRIATH.yardstick(game.state)
        assert chosen == min(game.actions(), key=lambda action: (away(action), action))
        game.apply(chosen)


def test_the_yardstick_passes_when_it_must() -> None:
    game = ludoteca.new('myriath', 2, 3)
    while game.legal() != ['pass']:
        game.apply(game.actions()[0])
    assert MYRIATH.yardstick(game.state) == (PASS,)


# ---- the estimate ------------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_estimate_is_an_expected_outcome(players: int) -> None:
    for game in some_positions(players, 3):
        shares = estimate(game)
        assert sum(shares) == pytest.approx(1)
        assert min(shares) >= 0


def test_the_estimate_of_a_finished_game_is_its_outcome() -> None:
    game = ludoteca.new('myriath', 2, 5)
    while not game.over:
        game.apply(game.actions()[-1])
    assert estimate(game) == game.outcome()


def test_points_tiles_in_hand_and_open_half_edges_speak_for_a_seat() -> None:
    """Each by itself, all else being as it was."""
    game = position({0: 'O c3, L-AA r0 e4', 1: 'O e5'}, to_move=1)
    before = estimate(game)[0]
    more = game.copy()
    more.state.points[0] += 1
    assert estimate(more)[0] > before
    fewer = game.copy()
    fewer.state.at[0, 7] = 0  # as if it lay somewhere
    assert estimate(fewer)[0] < before
    closed = game.copy()
    closed.state.faced[:] = 0
    assert estimate(closed)[0] < before


@pytest.mark.parametrize('players', [2, 3, 4])
def test_places_are_the_placements_that_a_seat_would_have(players: int) -> None:
    reach, places = np.empty((4, 2), np.int64), np.empty(4, np.int32)
    found = np.empty((4, rules.N_PIECES, 2), np.int64)
    for game in some_positions(players, 7):
        if game.state.phase == rules.Phase.SETUP:
            continue
        evaluation.look_around(game.state, reach, found, places)
        for seat in range(players):
            other = game.copy()
            other.state.to_move = seat
            assert places[seat] == sum(action != PASS for action in other.actions())


@pytest.mark.parametrize('players', [2, 3])
def test_an_open_half_edge_is_one_that_an_arrow_can_still_reach(players: int) -> None:
    """Against the shapes themselves: every way in which a tile of two streets with two arrows fits, its half
    edges counted one by one."""
    from ludoteca.games.myriath import components as C

    reach, places = np.empty((4, 2), np.int64), np.empty(4, np.int32)
    found = np.empty((4, rules.N_PIECES, 2), np.int64)
    side = C.SIDES[players]
    arrows = [C.PIECES[C.PIECE_OF[C.TILES.index('L-AA')][orientation]] for orientation in range(4)]
    inside = [
        shape.moved(i, j)
        for shape in arrows
        for i in range(side)
        for j in range(side)
        if all(0 <= x + i < side and 0 <= y + j < side for x, y in shape.path)
    ]
    for game in some_positions(players, 6):
        evaluation.look_around(game.state, reach, found, places)
        laid = [
            (
                owner,
                C.THE_RING.moved(crossing % side, crossing // side)
                if action >= FIRST_OCTAGON
                else C.PIECES[action // C.N_CROSSINGS].moved(crossing % side, crossing // side),
            )
            for owner in range(players)
            for action in game.state.at[owner].tolist()
            if action != rules.IN_HAND
            for crossing in [(action - FIRST_OCTAGON) % C.N_CROSSINGS]
        ]
        covered = {quarter for _, shape in laid for quarter in shape.quarters}
        near = {
            (*end.crossing, end.own) for shape in inside if not shape.quarters & covered for end in shape.ends
        }
        assert near == {
            (at % side, at // side, quarter)
            for quarter in range(N_QUARTERS)
            for at in range(side * side)
            if holds(reach[quarter], at)
        }
        for seat in range(players):
            edges = [
                (*end.crossing, there)
                for owner, shape in laid
                if owner == seat
                for end in shape.ends
                for _, there in end.faces
            ]
            assert evaluation.open_edges(game.state, seat, reach) == sum(edge in near for edge in edges)


# ---- what is foreseen --------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_what_is_foreseen_is_an_expected_outcome_of_every_legal_action(players: int) -> None:
    for game in some_positions(players, 6):
        shares = foresee(game).values()
        assert min(shares) > 0
        assert max(shares) < 1
        if game.state.phase == rules.Phase.SETUP or game.legal() == ['pass']:
            assert len(set(shares)) == 1


@pytest.mark.parametrize('players', [2, 3, 4])
def test_what_is_foreseen_agrees_with_the_estimate_after_the_turn(players: int) -> None:
    """Where there is much to choose from, the two go up and down together."""
    alike = []
    for game in some_positions(players, 2 if compiled else players):
        if game.state.phase == rules.Phase.PLAY and len(game.actions()) > 30:
            told = foresee(game)
            found = [estimate(after(game, action))[game.to_move] for action in told]
            alike.append(np.corrcoef(found, list(told.values()))[0, 1])
    assert len(alike) >= 2
    assert np.mean(alike) > 0.6
