"""What Octiles' estimate and yardstick promise."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Position, State

OCTILES = contract.load('octiles')


def positions(players: int, seed: str, every: int) -> list[Position]:
    """Every so many actions of a game in which the yardstick plays, every fifth action being random."""
    found, rng = [], np.random.default_rng(players)
    position = contract.new('octiles', players, seed)
    for step in range(400):
        if position.over:
            break
        if step % every == 0:
            found.append(position.copy())
        actions = position.actions()
        position.apply(int(rng.choice(actions)) if step % 5 == 0 else OCTILES.yardstick(position.state)[0])
    return found


def estimate(state: State) -> list[float]:
    out = np.zeros(4)
    OCTILES.kernels.estimate(state, out)
    return [float(x) for x in out]


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_yardstick_is_the_known_robot(players: int) -> None:
    """+1 for each runner home, minus each other runner's straight distance to the nearest goal circle without
    an own runner; the lowest actions among equals. Computed anew from the written position."""
    from ludoteca.games.octiles.components import CIRCLES, POST_XY, SIDE_OF_SEAT

    def score(position: Position, seat: int) -> float:
        own = [name for name, owner in position.to_json()['runners'].items() if owner == seat]
        side = SIDE_OF_SEAT[players][seat] ^ 2
        goal = CIRCLES[5 * side : 5 * side + 5]
        away = [
            [
                hypot(POST_XY[a][0] - POST_XY[b][0], POST_XY[a][1] - POST_XY[b][1])
                for b in goal
                if b not in own
            ]
            for a in own
            if a not in goal
        ]
        return sum(a in goal for a in own) - sum(map(min, away))

    for position in positions(players, 'yardstick', 9):
        scored = []
        for turn in OCTILES.turns(position.state):
            after = position.copy()
            for action in turn:
                after.apply(action)
            scored.append((-round(score(after, position.to_move), 9), turn))
        assert OCTILES.yardstick(position.state) == min(scored)[1]


@pytest.mark.parametrize('players', [2, 3, 4])
def test_estimates_are_shares(players: int) -> None:
    for position in positions(players, 'shares', 3):
        shares = estimate(position.state)
        assert sum(shares) == pytest.approx(1)
        assert all(0 < share < 1 for share in shares[:players])
        assert shares[players:] == [0] * (4 - players)


def test_the_estimate_of_an_ended_game_is_its_outcome() -> None:
    position = contract.new('octiles', 2, 1)
    while not position.over:
        position.apply(OCTILES.yardstick(position.state)[0])
    assert estimate(position.state)[:2] == position.outcome()


def test_a_path_to_an_open_circle_is_worth_something() -> None:
    """A runner whose path over the tiles leads to a free goal circle has better chances than with that way
    broken off."""
    found = 0
    for position in positions(2, 'paths', 4):
        data, seat = position.to_json(), position.to_move
        if len(data['tiles']) < 3 or 'laid' in data or position.state.phase:
            continue
        whole = estimate(position.state)[seat]
        for space, (tile, _) in data['tiles'].items():
            tiles = {name: lying for name, lying in data['tiles'].items() if name != space}
            stack = [n for n in range(1, 19) if n != tile and all(n != lying for lying, _ in tiles.values())]
            without = contract.position(
                {
                    'game': 'octiles',
                    'players': 2,
                    'to_move': seat,
                    'tiles': tiles,
                    'stack': [*stack, tile],
                    'runners': data['runners'],
                }
            )
            found += estimate(without.state)[seat] < whole - 0.01
    assert found > 5


def test_the_mover_is_ahead_in_an_even_race() -> None:
    state = contract.new('octiles', 2, 1).state
    first = estimate(state)
    assert first[0] > 0.5
    state.to_move = 1
    assert estimate(state)[1] == pytest.approx(first[0])


def test_less_to_go_decides_more() -> None:
    """The same lead of one runner is worth more when all others have arrived than when they stand opposite
    each other half way."""

    def lead(home: int) -> float:
        runners = dict.fromkeys(['F6', 'F5', 'F4', 'F3'][:home], 0) | dict.fromkeys(
            ['A1', 'A2', 'A3', 'A4'][:home], 1
        )
        runners |= dict.fromkeys(['C2', 'C3', 'C4', 'C5'][home:], 0) | dict.fromkeys(
            ['D5', 'D4', 'D3', 'D2'][home:], 1
        )
        runners |= {'E3': 0, 'E4': 1}  # seat 0 goes east, seat 1 west
        data = {
            'game': 'octiles',
            'players': 2,
            'to_move': 0,
            'tiles': {},
            'stack': list(range(1, 19)),
            'runners': runners,
        }
        return estimate(contract.position(data).state)[0]

    assert 0.5 < lead(0) < lead(4)
