"""The compiled rules against the slow model: whole games, step by step."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from ludoteca.game import Position
from ludoteca.kernel import compiled
from tests.mykerinos.model import (
    AREAS_OF_SEASON,
    INCOME,
    NEUTRAL,
    NEUTRAL_INCOME,
    ORDER,
    PATRONS,
    Game,
    Who,
    spaces_of_area,
)
from tests.mykerinos.support import OPTIONS, TILES_OF_SEASON, assert_same, new_game, read_position, table
from tests.width import width

Policy = Callable[[Game, random.Random], str]
CORNER = spaces_of_area(0)
GAMES = width(3, 7) if compiled else 1


def anything(game: Game, chooser: random.Random, steps: list[str] | None = None) -> str:
    """Any step; passing much less often than it would come by chance late in a season."""
    steps = steps or sorted(game.legal())
    step = chooser.choice(steps)
    return chooser.choice(steps) if step == 'pass' and chooser.random() < 0.9 else step


def hoard(game: Game, chooser: random.Random) -> str:
    """Seat 0 passes after its first cubes until the last season, so that its stock grows and its reserve runs
    short. Neutral cubes stay in the stocks, too."""
    steps, dug = sorted(game.legal()), game.to_move in game.cubes.values()
    if 'pass' in steps and game.to_move == 0 and dug and game.season < 4 and chooser.random() < 0.95:
        return 'pass'
    if chooser.random() < 0.8:
        wanted = ('take 1', 'take 2', 'violet') if game.area is not None else ('violet', 'nothing')
        steps = [step for step in steps if step in wanted] or steps
    return anything(game, chooser, steps)


def crowd(game: Game, chooser: random.Random) -> str:
    """Patrons whenever they help, pyramids as well; cubes mostly in the left upper area, so that many colours
    meet there."""
    steps = sorted(game.legal())
    if game.steps == ('lemon',) and chooser.random() < 0.8:
        high = chooser.random() < 0.5
        steps = [
            step for step in steps if 'extend' in step and (step.split()[-1] in game.pyramids) == high
        ] or steps
    elif 'lemon' in game.steps:
        steps = [step for step in steps if step.split()[-1] in game.pyramids] or steps
    elif chooser.random() < 0.8:
        wanted = [step for step in steps if step in PATRONS] or [
            step for step in steps if step.split()[-1] in CORNER
        ]
        steps = wanted or [step for step in steps if step != 'pass'] or steps
    return anything(game, chooser, steps)


def met_by(before: Game, step: str, after: Game) -> Counter[str]:
    """What the rules have to say in this step."""
    met, seat = Counter[str](), before.to_move
    patron = before.steps[0] if before.steps and before.steps[0] in PATRONS else ''
    met[patron] += patron != '' and len(before.steps) == 1
    if before.area is None:
        place = step.split()[-1]
        if patron == 'lemon' and place in before.pyramids:
            met[
                'lemon: '
                + ('start' if 'start' in step else 'first cube' if 'extend' in step else 'second cube')
            ] += 1
        if before.untilted(seat, 'violet') and not before.table.reserve(seat) and not before.steps:
            met['violet: nothing in the reserve'] += 1
            assert 'violet' not in before.legal()
        met['neutral'] += step.startswith(NEUTRAL)
        met['neutral extension'] += step.startswith('neutral extend')
        last = len(before.passed) == before.players - 1
        met['last turn'] += last and not before.steps and step != 'pass'
        met['last turn: pass'] += last and step == 'pass'
        met['last turn: neutral'] += last and step.startswith(NEUTRAL)
        met['5 room by Sir Brown'] += step.startswith('5-')
    else:
        met[f'rank {before.rank + 1}: {" ".join(step.split()[:-1]) or step}'] += 1
        met['5 room in a survey'] += step.startswith('museum 5-')
        met['a claim without museum: nothing in the reserve'] += before.rank < 2 and not before.reserve(seat)
    if before.area is None and (after.area is not None or after.season > before.season or after.over):
        # what the survey begins with
        dug = replace(before, steps=(*before.steps, step)).table
        for area in range(AREAS_OF_SEASON[before.season - 1]):
            count, ranking = Counter(dug.cubes.get(space) for space in spaces_of_area(area)), dug.ranked(area)
            ties = [pair for pair in pairwise(ranking) if count[pair[0]] == count[pair[1]]]
            met['tie'] += len(ties)
            met['tie with the neutral colour'] += any(NEUTRAL in pair for pair in ties)
            if NEUTRAL in ranking:
                met[f'neutral {ranking.index(NEUTRAL) + 1} of {len(ranking)}'] += 1
    if after.season > before.season:
        gone = {tile for tile, _ in before.tiles} - {tile for tiles in after.held for tile in tiles}
        assert gone <= after.gone
        had = before.copy()
        had.cubes = {}
        met['short income'] += any(had.reserve(who) < INCOME[before.players] for who in range(before.players))
        met['short neutral income'] += before.players == 2 and had.reserve(NEUTRAL) < 2 * NEUTRAL_INCOME
    met['shared victory'] += after.over and len(after.winners()) > 1
    met['decided by the stocks'] += after.over and after.points.count(max(after.points)) > len(
        after.winners()
    )
    return met


def compare_json(position: Position, game: Game) -> None:
    """Both write the same. At the end it does not matter whose turn it would be."""
    nobody = {'to_move': -1} if game.over else {}
    written, expected = position.to_json() | nobody, game.json() | nobody
    assert written == expected, {
        key: (written.get(key), expected.get(key))
        for key in {*written, *expected}
        if written.get(key) != expected.get(key)
    }


def follow(players: int, seed: int, policy: Policy, **options: str) -> Counter[str]:
    """Play a game, comparing the two at every step; returns what has been met."""
    (position, game), chooser, met = new_game(players, seed, **options), random.Random(seed), Counter[str]()
    while True:
        assert_same(position, game)
        if met['positions'] % 4 == 0 or game.over:
            compare_json(position, game)
        met['positions'] += 1
        if game.over or met['positions'] > (10**6 if compiled else 150):
            return met
        step, before = policy(game, chooser), game
        position.play(step)
        game = game.play(step)
        met += met_by(before, step, game)


EVERYWHERE = {
    'violet': 15,
    'lemon': 15,
    'brown': 15,
    'blackmore': 15,
    'tangerine': 20,
    'lemon: start': 5,
    'lemon: first cube': 3,
    'lemon: second cube': 2,
    'violet: nothing in the reserve': 10,
    'short income': 5,
    'last turn': 20,
    'last turn: pass': 10,
    'tie': 50,
    '5 room by Sir Brown': 3,
    '5 room in a survey': 20,
    'a claim without museum: nothing in the reserve': 2,
    'rank 1: take': 50,
    'rank 1: museum': 50,
    'rank 1: nothing': 15,
    'rank 2: take': 50,
    'rank 2: museum': 40,
    'rank 2: nothing': 20,
    'rank 3: take': 20,
    'rank 3: nothing': 15,
}
BY_PLAYERS = {
    2: {
        'neutral': 200,
        'neutral extension': 20,
        'last turn: neutral': 3,
        'tie with the neutral colour': 30,
        'neutral 1 of 1': 5,
        'neutral 1 of 2': 10,
        'neutral 2 of 2': 10,
        'neutral 1 of 3': 15,
        'neutral 2 of 3': 30,
        'neutral 3 of 3': 30,
        'rank 1: neutral take': 25,
        'rank 2: neutral take': 25,
        'short neutral income': 4,
    },
    3: {},
    4: {'rank 4: take': 10, 'rank 4: nothing': 10},
}
"""What must have been met at least so often in seven games of each policy."""


@pytest.mark.parametrize('players', [2, 3, 4])
def test_whole_games_agree_with_the_model(players: int) -> None:
    met = Counter[str]()
    for number in range(GAMES):
        # narrow, the third game is there for reserves that run out
        for policy in (anything, hoard, crowd) if number < width(2, GAMES) else (hoard,):
            met += follow(
                players, 1000 * players + number, policy, **OPTIONS['three' if number % 3 == 0 else 'any']
            )
    if compiled:
        expected = EVERYWHERE | BY_PLAYERS[players]
        assert {key: met[key] for key, least in expected.items() if met[key] < width(least // 9, least)} == {}


def test_the_deal_of_later_seasons_is_that_of_the_model_to_the_end() -> None:
    position, game = new_game(4, 3)
    while not game.over:
        assert position.to_json().get('deck', []) == game.json().get('deck', [])
        step = 'pass' if 'pass' in game.legal() else 'nothing'
        position.play(step)
        game = game.play(step)
        assert_same(position, game)
    assert game.points == [0] * 4
    assert game.winners() == [0, 1, 2, 3]


def crowd_anywhere(players: int, chooser: random.Random) -> Game:
    """A region with cubes on many spaces, few in the stocks, and tiles of all patrons: what cannot be
    completed is met often."""
    season = chooser.choice((2, 4))
    hand = [f'{patron}-{chooser.randint(1, 7)}' for patron in PATRONS]
    tiles = chooser.sample([tile for tile in ORDER if tile not in hand], TILES_OF_SEASON[season - 1])
    data = table(
        players,
        season=season,
        held=[hand, *[[] for _ in range(players - 1)]],
        tiles=[tile + ' turned' * chooser.randrange(2) for tile in tiles],
    )
    colours: list[Who] = [*range(1, players), *([NEUTRAL] if players == 2 else [])]
    cubes: dict[str, Who] = {}
    spaces = [space for area in range(AREAS_OF_SEASON[season - 1]) for space in spaces_of_area(area)]
    lots = [who for who in colours for _ in range(chooser.randint(5, 20))] + [0] * chooser.randint(1, 5)
    for space, who in zip(chooser.sample(spaces, len(spaces)), chooser.sample(lots, len(lots)), strict=False):
        cubes[space] = who
    stock = [chooser.randint(0, 4), *[0] * (players - 1)]
    return Game.read(data | {'cubes': cubes, 'stock': stock} | ({'neutral': [0, 0]} if players == 2 else {}))


@pytest.mark.parametrize('players', [2, 3, 4])
def test_crowded_regions_agree_with_the_model(players: int) -> None:
    """Every first step, and every second one of an extension or a patron."""
    chooser, met = random.Random(players), Counter[str]()
    for _ in range(width(80, 200) if compiled else 10):
        game = crowd_anywhere(players, chooser)
        position = read_position(game.json())
        assert_same(position, game)
        for step in sorted(game.legal()):
            if step in PATRONS or step.startswith('extend'):
                met[step.split()[0]] += 1
                assert_same(position.copy().after(step), game.play(step))
    if compiled:
        assert min(met[kind] for kind in ('extend', *PATRONS)) > 10
