"""The compiled rules against the model on polygons: in whole games, by the names of all legal actions and the
points of each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled
from tests.myriath.model import Game, Tile, placements
from tests.myriath.support import MYRIATH, assert_same, names, read_position, written
from tests.width import width

Policy = Callable[[Game, list[Tile], random.Random], Tile]


def anything(game: Game, legal: list[Tile], chooser: random.Random) -> Tile:
    return chooser.choice(legal)


def greedy(game: Game, legal: list[Tile], chooser: random.Random) -> Tile:
    """Most points for the mover: long games with many contacts."""
    own = game.gains(legal)[:, game.to_move]
    return chooser.choice([tile for tile, gain in zip(legal, own, strict=True) if gain == max(own)])


def generous(game: Game, legal: list[Tile], chooser: random.Random) -> Tile:
    """Most points for the others: ends that were open for long are connected."""
    gains = game.gains(legal)
    others = gains.sum(axis=1) - gains[:, game.to_move]
    return chooser.choice([tile for tile, gain in zip(legal, others, strict=True) if gain == max(others)])


def compare(position: Position, game: Game) -> None:
    """The same is legal, and each legal placement gives everybody the same points."""
    assert names(position) == game.names(), position.to_json()
    after, points = position.copy(), position.state.points[: game.players].tolist()
    real = dict(zip(position.legal(), position.actions(), strict=True))
    for tile, expected in zip(game.legal, game.gains(game.legal).tolist(), strict=True):
        after.state = position.state.copy()
        MYRIATH.kernels.apply(after.state, real[tile.name])
        found = [
            new - old for new, old in zip(after.state.points[: game.players].tolist(), points, strict=True)
        ]
        assert found == expected, (tile.name, position.to_json())


def follow(
    position: Position, game: Game, policy: Policy, chooser: random.Random, often: float
) -> Counter[str]:
    """Play a game to its end, comparing so often all that is legal, always the position and passes; returns
    what has been met. The policy chooses from fifty placements at random."""
    met: Counter[str] = Counter()
    while True:
        assert_same(position, game)
        if game.ending:
            break
        listed = position.legal()
        if chooser.random() < often or listed == ['pass']:
            compare(position, game)
            met['positions'] += 1
        name = 'pass'
        if listed != ['pass']:
            some = chooser.sample(listed, min(50, len(listed)))
            name = policy(game, [placements(game.side).by_name[name] for name in some], chooser).name
        following = game.play(name)
        met['passes'] += name == 'pass'
        met['points for another'] += any(
            following.points[seat] > game.points[seat] for seat in range(game.players) if seat != game.to_move
        )
        position.play(name)
        game = following
    assert game.points == game.tally()
    return met


@pytest.mark.parametrize(
    ('players', 'policy'),
    [
        (players, policy)
        for players in (2, 3, 4)
        for k, policy in enumerate((anything, greedy, generous))
        if width(k == players - 2, True)
    ],
)
def test_whole_games_agree_with_the_model(players: int, policy: Policy) -> None:
    met: Counter[str] = Counter()
    for seed in range(width(1, 2) if compiled and players == 2 else 1):
        position = ludoteca.new('myriath', players, 100 * players + seed)
        met += follow(
            position,
            Game.start(players),
            policy,
            random.Random(f'{players} {seed} {policy.__name__}'),
            width(0.08 if players == 2 else 0.04, 0.25) if compiled else 0.1,
        )
    assert met['positions'] > players
    assert met['passes'] >= players
    assert met['points for another']


def scattered(players: int, chooser: random.Random, tiles: int) -> Game:
    """All octagons, and so many tiles wherever they fit, whether or not they touch anything."""
    game = Game.start(players)
    while game.setting_up:
        game = game.play(chooser.choice(sorted(game.names())))
    area = placements(game.side).tiles
    for tile in chooser.sample(area, min(len(area), 40 * tiles)):
        seat = chooser.randrange(players)
        if (
            len(game.laid) < players + tiles
            and tile.tile in game.hand(seat)
            and game.free.covers(tile.outline)
        ):
            game = replace(game, laid=(*game.laid, (seat, tile)))
    return replace(game, to_move=chooser.randrange(players), points=game.tally())


@pytest.mark.parametrize('players', [2, 3, 4])
def test_positions_that_games_do_not_reach_agree_with_the_model(players: int) -> None:
    """Tiles without contact, one player with many more than the other, areas where hardly anything is
    free."""
    chooser, met = random.Random(players), Counter[str]()
    for _ in range({2: width(4, 30), 3: width(2, 8), 4: width(1, 5)}[players] if compiled else 3):
        game = scattered(players, chooser, chooser.choice((1, 4, 9, 15, 25)) * players // 2)
        position = read_position(as_json(game))
        assert position.scores() == [half / 2 for half in game.points]
        compare(position, game)
        met['open ends'] += not game.ends[2].all()
    assert met['open ends']


def as_json(game: Game) -> dict[str, Any]:
    """The required keys of a position as JSON."""
    return {
        'game': 'myriath',
        'players': game.players,
        'to_move': game.to_move,
        'tiles': [written(owner, tile.name) for owner, tile in game.laid],
    }
