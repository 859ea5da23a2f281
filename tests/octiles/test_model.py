"""The compiled rules against the slow model: in whole games, turn by turn, and in positions that games seldom
reach."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled
from tests.octiles.model import MIDDLE, ROTATIONS, SPACES, STOPS, Game, Laid, Turn
from tests.octiles.support import OCTILES, assert_same, decode, model_turns, read_position, turns
from tests.width import width

Policy = Callable[[Game, list[tuple[int, ...]], random.Random], tuple[int, ...]]


def anything(game: Game, listed: list[tuple[int, ...]], chooser: random.Random) -> tuple[int, ...]:
    return chooser.choice(listed)


def hurry(game: Game, listed: list[tuple[int, ...]], chooser: random.Random) -> tuple[int, ...]:
    """Mostly a move to a goal circle, if there is one: short games."""
    goal = game.goal(game.to_move)
    home = [turn for turn in listed if (move := decode(turn)) is not None and move.end in goal]
    return chooser.choice(home if home and chooser.random() < 0.9 else listed)


def linger(game: Game, listed: list[tuple[int, ...]], chooser: random.Random) -> tuple[int, ...]:
    """Mostly a move from stop to stop: home circles stay occupied, few tiles are ever laid on empty
    spaces."""
    stay = [
        turn
        for turn in listed
        if (move := decode(turn)) is not None
        and {move.start, move.end} <= set(STOPS)
        and move.space in game.tiles
    ]
    return chooser.choice(stay if stay and chooser.random() < 0.95 else listed)


def follow(position: Position, game: Game, policy: Policy, chooser: random.Random, most: int) -> Counter[str]:
    """Play a game (at most so many turns), comparing the two before every turn; returns what has been met."""
    met: Counter[str] = Counter()
    for _ in range(most):
        assert_same(position, game)
        assert (
            tuple(OCTILES.to_json(position.hidden(chooser.randrange(-1, game.players)))['stack'])
            == game.public_stack()
        )
        if game.ending:
            break
        listed = list(OCTILES.turns(position.state))
        found = [decode(turn) for turn in listed]
        assert len(set(found)) == len(found)
        assert set(found) == model_turns(game), position.to_json()
        met['positions'] += 1
        met['passes'] += found == [None]
        met['rule 4'] += game.home_circles_full()
        met['all known'] += None not in game.public_stack()
        turn = policy(game, listed, chooser)
        for action in turn:
            OCTILES.kernels.apply(position.state, action)
        game = game.play(decode(turn))
    met[game.ending] += 1
    return met


@pytest.mark.parametrize(
    ('players', 'policy'),
    [
        (players, policy)
        for players in (2, 3, 4)
        for k, policy in enumerate((anything, hurry, linger))
        if width(k in (players - 2, 1), True)
    ],
)
def test_whole_games_agree_with_the_model(players: int, policy: Policy) -> None:
    met: Counter[str] = Counter()
    for seed in range(width(1, 3) if compiled else 1):
        position = ludoteca.new('octiles', players, 100 * players + seed, {'repetition': seed % 2 == 1})
        game = Game.read(position.to_json())
        met += follow(position, game, policy, random.Random(seed), 400 if compiled else 60)
    assert met['positions'] > (width(50, 150) if compiled else 30)
    assert met['all known'] or not compiled
    if policy is hurry and compiled:
        assert met['home'] == width(1, 3)


def some_tiles(chooser: random.Random, n: int) -> tuple[Laid, tuple[int, ...]]:
    """So many tiles anywhere in any rotation, and a stack of the others."""
    order = chooser.sample(range(1, 19), 18)
    laid = {
        space: (tile, chooser.choice(ROTATIONS[tile]))
        for space, tile in zip(chooser.sample(SPACES, n), order, strict=False)
    }
    return laid, tuple(order[n:])


def some_position(chooser: random.Random, players: int, tiles: int) -> Game:
    """Tiles anywhere, runners anywhere that rules allow but not all of a seat's on its goal, many at home."""
    laid, stack = some_tiles(chooser, tiles)
    game = Game(players, chooser.randrange(players), laid, stack, {})
    runners: dict[str, int] = {}
    share = 0.6 * chooser.random()
    for seat in chooser.sample(range(players), players):
        placed = 0
        while placed < (4 if players == 4 else 5):
            kind = chooser.random()
            where = game.home(seat) if kind < share else game.goal(seat) if kind < share + 0.3 else set(STOPS)
            free = sorted(where - runners.keys())
            if free and not (placed == 3 + (players < 4) and where == game.goal(seat)):
                runners[chooser.choice(free)] = seat
                placed += 1
    return replace(game, runners=runners)


@pytest.mark.parametrize('players', [2, 3, 4])
def test_positions_at_random_agree_with_the_model(players: int) -> None:
    chooser, met = random.Random(players), Counter[str]()
    for _ in range(width(200, 500) if compiled else 25):
        game = some_position(chooser, players, chooser.choice((0, 1, 3, 6, 10, 14, 17)))
        position = read_position(game.json())
        expected = model_turns(game)
        assert turns(position) == expected, game.json()
        met['passes'] += expected == {None}
        met['rule 4'] += game.home_circles_full()
        turn = chooser.choice(sorted(game.turns()) or [None])
        assert_same(position.after(str(turn) if turn else 'pass'), game.play(turn))
    if compiled:
        assert met['passes'] > width(0, 5)
        assert met['rule 4'] > width(0, 5)


def crowd(players: int, chooser: random.Random) -> Game:
    """A full home of the seat to move, opponents among its runners, some of them on stops: rule 4 is in
    force."""
    laid, stack = some_tiles(chooser, chooser.randrange(9))
    game = Game(players, 0, laid, stack, {})
    opponent, each = {2: 1, 3: 2, 4: 2}[players], 4 if players == 4 else 5
    home, stops = chooser.sample(sorted(game.home(0)), 5), chooser.sample(STOPS, 16)
    guests = chooser.randrange(1, 3)
    runners = dict.fromkeys(home[guests:], 0) | dict.fromkeys(home[:guests], opponent)
    for seat in range(players):
        while list(runners.values()).count(seat) < each:
            free = sorted(game.home(seat) - runners.keys() - (MIDDLE if players == 4 else set()))
            runners[chooser.choice(free) if seat and free and chooser.random() < 0.6 else stops.pop()] = seat
    return replace(game, runners=runners)


@pytest.mark.parametrize('players', [2, 3, 4])
def test_rule_4_agrees_with_the_model(players: int) -> None:
    chooser, lifted = random.Random(40 + players), 0
    for _ in range(400 if compiled else 20):
        game = crowd(players, chooser)
        assert game.home_circles_full()
        expected = model_turns(game)
        assert turns(read_position(game.json())) == expected, game.json()
        lifted += any(isinstance(turn, Turn) and turn.start in STOPS for turn in expected)
    assert lifted > 5 or not compiled
