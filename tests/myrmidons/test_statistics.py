"""Random play: every turn as likely as any other, and the figures that an independent implementation found
over 30,000 games with the base army (random line-ups, then uniform over complete turns, both draw rules
on)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from math import sqrt

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.myrmidons import rules
from ludoteca.kernel import compiled, reseed
from ludoteca.research.simulate import Simulation, simulate
from tests.chance import assert_distributed, assert_uniform
from tests.myrmidons.support import FIRST_ORDER, MYRMIDONS, battlefield, read_position
from tests.myrmidons.test_model import CROWDS, crowd, size_of_orders
from tests.width import width

GAMES = 8000
KNOWN_FROM = 30_000
ENDINGS = {'back_rank': 0.593, 'commander': 0.401, 'pieces': 0.004, 'repetition': 0.0, 'sixty_turns': 0.003}
MEAN_TURNS, MEDIAN_TURNS, FIRST_WINS, MEAN_MOVES, MOST_MOVES, MOST_ORDERS = 25.9, 22, 0.499, 44, 72, 5760
many = pytest.mark.skipif(not compiled, reason='thousands of games')


@pytest.fixture(scope='module')
def random_games() -> Simulation:
    return simulate('myrmidons', games=GAMES, seed=1, uniform='turns')


def error(share: float) -> float:
    """Standard error of the difference of a share in our games and in those known, which are rounded."""
    return sqrt(share * (1 - share) * (1 / GAMES + 1 / KNOWN_FROM)) + 0.0005 / 4


@many
def test_random_games_are_as_long_as_known(random_games: Simulation) -> None:
    spread = random_games.turns.std() * sqrt(1 / GAMES + 1 / KNOWN_FROM) + 0.05 / 4
    assert abs(random_games.turns.mean() - MEAN_TURNS) < 4 * spread
    assert abs(np.median(random_games.turns) - MEDIAN_TURNS) <= 1


@many
def test_random_games_end_as_often_in_each_way_as_known(random_games: Simulation) -> None:
    assert random_games.names == tuple(ENDINGS)
    for number, (name, share) in enumerate(ENDINGS.items(), 1):
        found = float((random_games.endings == number).mean())
        assert abs(found - share) < 4 * error(share) + 0.0005, name


@many
def test_the_first_player_wins_as_many_random_games_as_known(random_games: Simulation) -> None:
    assert abs((random_games.outcomes[:, 0] == 1).mean() - FIRST_WINS) < 4 * error(FIRST_WINS)


def games_at_random(games: int, every: int) -> Iterator[list[tuple[int, int]]]:
    """For each game the numbers of single moves and of orders in every so many positions."""
    work, out, turn = (
        MYRMIDONS.Work.new(),
        np.empty(MYRMIDONS.max_legal, np.int32),
        np.empty(MYRMIDONS.max_legal, np.int32),
    )
    for seed in range(games):
        s, counts = ludoteca.new('myrmidons', 2, seed).state, list[tuple[int, int]]()
        while not s.ending:
            if s.phase == 1 and s.turn % every == seed % every:
                moves = int((out[: MYRMIDONS.kernels.legal_actions(s, out)] < FIRST_ORDER).sum())
                counts.append((moves, sum(1 for _ in MYRMIDONS.turns(s)) - moves))
            for action in turn[: MYRMIDONS.kernels.random_turn(s, work, turn)].tolist():
                MYRMIDONS.kernels.apply(s, action)
        yield counts


@many
def test_there_are_as_many_moves_and_orders_to_choose_from_as_known() -> None:
    counts = list(games_at_random(width(60, 180), 4))
    positions = [entry for game in counts for entry in game]
    for kind, (least, most) in enumerate(((MEAN_MOVES - 0.5, MEAN_MOVES + 0.5), (14, 19))):
        mean = float(np.mean([entry[kind] for entry in positions]))
        # games differ
        spread = sqrt(sum(sum(entry[kind] - mean for entry in game) ** 2 for game in counts)) / len(positions)
        assert least - 4 * spread < mean < most + 4 * spread
    assert max(moves for moves, _ in positions) <= MOST_MOVES
    assert max(orders for _, orders in positions) < MOST_ORDERS


def test_with_the_base_army_there_are_never_more_orders_than_the_bound() -> None:
    """Eight headings, and every friend may stay or go as far as its movement: the five kinds give 720
    choices."""
    position = battlefield(['c3=1-1-1 b3=5-1-3 d3=4-4-1 b4=3-2-4 d4=2-5-2 c2=1-3-5', 'f7=1-1-1'])
    assert 100 < len([turn for turn in position.turns() if turn.startswith('order')]) < MOST_ORDERS


# ---- drawn without a list ----------------------------------------------------------------------------------

FEW = ['a1=1-1-1 b1=2-5-2 b2=5-1-3', 'f7=1-1-1 d4=4-4-1']
SMALL = {
    'moves only': lambda: battlefield(['a1=1-1-1 f3=1-3-5', 'f7=1-1-1']),
    'few orders': lambda: battlefield(FEW),
    'an order begun': lambda: battlefield(FEW).after('order E'),
    'a friend named': lambda: battlefield(FEW).after('order E b1:1'),
}
DEPLOYMENTS = {'base': {}, 'secret': {'army': 'secret'}, 'random': {'army': 'random'}}


def some_position(name: str) -> Position:
    """Positions with few and with hundreds of turns, and steps of orders."""
    if name in SMALL:
        return SMALL[name]()
    chooser = random.Random(f'random {name}')
    while True:
        game = crowd(chooser, *CROWDS[name])
        if 200 < size_of_orders(game) < 1500 and not game.start_of_turn().ending:
            return read_position(game.json())


@pytest.mark.parametrize('name', [*SMALL, *CROWDS])
def test_random_actions_are_uniform(name: str) -> None:
    position, work, counts = some_position(name), MYRMIDONS.Work.new(), Counter[int]()
    actions, state = position.actions(), position.state.copy()
    reseed(state, 7)
    for _ in range(30 * len(actions)):
        counts[int(MYRMIDONS.kernels.random_action(state, work))] += 1
    assert set(counts) <= set(actions)
    assert_uniform([counts[action] for action in actions])


@pytest.mark.parametrize('name', [*SMALL, *CROWDS])
def test_random_turns_are_uniform(name: str) -> None:
    """A complete order is as likely as a single move; of an order begun, each way to complete it is."""
    position, work, counts = some_position(name), MYRMIDONS.Work.new(), Counter[tuple[int, ...]]()
    state, out = position.state.copy(), np.empty(MYRMIDONS.max_legal, np.int32)
    reseed(state, 9)
    turns = list(MYRMIDONS.turns(position.state))
    for _ in range(20 * len(turns)):
        counts[tuple(out[: MYRMIDONS.kernels.random_turn(state, work, out)].tolist())] += 1
    assert set(counts) <= set(turns)
    assert_uniform([counts[turn] for turn in turns])


CORNER = 'b2=1-1-1 a1=3-2-4 a2=4-4-1 a3=5-1-3 b1=2-5-2 c1=1-3-5'


@pytest.mark.parametrize('name', ['corner', *CROWDS])
def test_every_order_has_one_number(name: str) -> None:
    """The orders of a heading are counted and written by their numbers: they are those that are listed."""
    position = battlefield([CORNER, 'f7=1-1-1']) if name == 'corner' else some_position(name)
    s, work, out = position.state, rules.Work.new(), np.empty(MYRMIDONS.max_legal, np.int32)
    leader, numbered = rules.leader_square(s, int(s.to_move)), list[tuple[int, ...]]()
    for heading in range(8):
        for k in range(rules.count_orders(s, leader, heading, work)):
            n = rules.write_order(s, leader, heading, k, work, out)
            numbered.append((FIRST_ORDER + heading, *out[:n].tolist()))
    assert sorted(numbered) == [turn for turn in MYRMIDONS.turns(s) if turn[0] >= FIRST_ORDER]


@pytest.mark.parametrize('name', DEPLOYMENTS)
def test_random_line_ups_are_uniform(name: str) -> None:
    """Whole armies: each of the 720 orders of a known one, the Commander as often on each square of a secret
    one."""
    position, work = ludoteca.new('myrmidons', 2, 3, DEPLOYMENTS[name]), MYRMIDONS.Work.new()
    games = width(5000, 15_000) if compiled else 400
    state, out, counts = (
        position.state.copy(),
        np.empty(MYRMIDONS.max_legal, np.int32),
        Counter[tuple[int, ...]](),
    )
    reseed(state, 9)
    for _ in range(games):
        counts[tuple(out[: MYRMIDONS.kernels.random_turn(state, work, out)].tolist())] += 1
    assert {len(turn) for turn in counts} == {6}
    for square in range(6):
        kinds = Counter(turn[square] for turn in counts.elements())
        assert_distributed([kinds[0], games - kinds[0]], [1, 5])
    if name == 'base':
        # interpreted: few of each
        assert_distributed([counts[turn] for turn in permutations(position.actions())], [1] * 720)
    elif name == 'secret':
        others = Counter(kind for turn in counts.elements() for kind in turn if kind)
        assert_uniform([others[kind] for kind in range(1, 20)])
    else:
        assert len({tuple(sorted(turn)) for turn in counts}) == 1, 'what was drawn'


def test_random_play_does_not_touch_the_position() -> None:
    for position in map(some_position, [*SMALL, *CROWDS]):
        before, work, out = (
            position.state.copy(),
            MYRMIDONS.Work.new(),
            np.empty(MYRMIDONS.max_legal, np.int32),
        )
        MYRMIDONS.kernels.random_turn(position.state, work, out)
        MYRMIDONS.kernels.random_action(position.state, work)
        assert all(
            np.array_equal(before[name], position.state[name]) for name in before.dtype.names if name != 'rng'
        )
