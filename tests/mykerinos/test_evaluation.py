"""The fixed yardstick, the estimate of a position and what is foreseen, against what they are declared to
be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.games.mykerinos import rules
from ludoteca.games.mykerinos.components import AREA_OF
from ludoteca.kernel import compiled
from ludoteca.search import think
from ludoteca.search.simulate import bind
from tests.expected import estimate, foresee
from tests.mykerinos.model import NEUTRAL, PATRONS, TILES, Game, Turn, Who, neighbours, spaces_of_area
from tests.mykerinos.support import MYKERINOS, SPACES, position, spaces_in, trails
from tests.width import width

ROOMS = {'5': 5, '3': 3, '2': 2}


# ---- the yardstick, from the model -------------------------------------------------------------------------


def times(game: Game, seat: int, patron: str) -> int:
    """What a tile of the patron would be multiplied by now."""
    wing = game.wings[patron]
    rooms = [room for room in (wing.five, wing.three, *wing.twos) if game.museum.get(room) == seat]
    return max([ROOMS[room[0]] for room in rooms], default=1)


def held(game: Game, seat: int, patron: str) -> int:
    return sum(TILES[tile].patron == patron for tile in game.held[seat])


def tile_worth(game: Game, seat: int, name: str) -> float:
    """Points, multiplier (1.8 at least before season 4), 1.1 for each season to come, 0.8 for a new
    patron."""
    tile, later = TILES[name], 4 - game.season
    if tile.patron is None:
        return tile.points
    kept = times(game, seat, tile.patron)
    return (
        tile.points
        + (max(kept, 1.8) if later else kept)
        + 1.1 * later
        + 0.8 * (held(game, seat, tile.patron) == 0)
    )


def room_worth(game: Game, seat: int, room: str) -> float:
    """Gain in multiplier times the tiles held and 0.55 for each season to come."""
    worth = 0.0
    for patron, wing in game.wings.items():
        if room in (wing.five, wing.three, *wing.twos):
            gain = ROOMS[room[0]] - times(game, seat, patron)
            worth += max(gain, 0) * (held(game, seat, patron) + 0.55 * (4 - game.season))
    return worth


def area_worth(game: Game, seat: int, area: int) -> float:
    """First the better tile, second the other or the museum but at least 3, third 0.9, fourth 0.2; the mean
    of the best and the worst rank among equals who have not passed."""
    cubes = [game.cubes[space] for space in spaces_of_area(area) if space in game.cubes]
    if seat not in cubes:
        return 0.0
    scale = game.scale()

    def order(who: Who) -> tuple[int, int]:
        return -cubes.count(who), scale.index(who) if who in scale else 9

    ahead = sum(order(who) < order(seat) for who in {*cubes})
    equal = sum(order(who) == order(seat) for who in {*cubes}) - 1
    worse, better = sorted(tile_worth(game, seat, tile) for tile in game.two_tiles(area))
    ranks = [
        better,
        max([worse, 3.0, *(room_worth(game, seat, room) for room in game.open_rooms(seat))]),
        0.9,
        0.2,
        0.2,
    ]
    return (ranks[ahead] + ranks[ahead + equal]) / 2


def region_worth(game: Game, seat: int) -> float:
    worth = sum(area_worth(game, seat, area) for area in range(len(game.tiles) // 2))
    if game.players == 2:
        worth -= sum(area_worth(game, 1 - seat, area) for area in range(len(game.tiles) // 2))
    return worth + (0.85 * game.stock[seat] if game.season < 4 else 0.0)


def turn_worth(game: Game, steps: Turn) -> float:
    """What the region is worth after these steps, and a room entered with them."""
    before = game.table
    after = before.copy()
    if game.area is not None:
        return claim_worth(game, *steps)
    neutral = any(step.startswith('neutral') for step in game.steps)
    for step in steps:
        neutral = neutral or step.startswith('neutral')
        after.carry_out(step, NEUTRAL if neutral else game.to_move)
    return region_worth(after, game.to_move) + sum(
        room_worth(before, game.to_move, room) for room in after.museum.keys() - before.museum.keys()
    )


def claim_worth(game: Game, step: str) -> float:
    """A tile or a room by its worth; of the tiles that the neutral colour may take, the one that is worth
    more to the other."""
    *kind, last = step.split()
    if kind == ['take']:
        return tile_worth(game, game.to_move, game.two_tiles(game.area or 0)[int(last) - 1])
    if kind == ['neutral', 'take']:
        return tile_worth(game, 1 - game.to_move, game.two_tiles(game.area or 0)[int(last) - 1])
    return room_worth(game, game.to_move, last) if kind else 0.0


def choices(game: Game) -> list[Turn]:
    """The rests of the own part of the turn, or of the neutral move; the claims of a survey."""
    if game.area is not None:
        return [(step,) for step in game.claims()]
    if game.steps and game.own_part_done():
        return game.turns_begun
    done = len(game.steps)
    return [turn[done:] for turn in game.own_turns if turn[:done] == game.steps]


def names(real: Position, actions: tuple[int, ...]) -> Turn:
    """The names of the steps."""
    found, s = [], real.state.copy()
    for action in actions:
        found.append(MYKERINOS.action_name(s, action))
        MYKERINOS.kernels.apply(s, action)
    return tuple(found)


def some_positions(players: int, seed: int, share: float, most: int) -> Iterator[Position]:
    """Positions of games in which two steps of three are the yardstick's, between turns and in them."""
    chooser, n = random.Random(seed), 0
    while n < most:
        real = ludoteca.new(
            'mykerinos', players, chooser.randrange(10**9), {'five_door': chooser.choice(['any', 'three'])}
        )
        while not real.over and n < most:
            if chooser.random() < share:
                n += 1
                yield real.copy()
            real.apply(
                MYKERINOS.yardstick(real.state)[0]
                if chooser.random() < 0.67
                else chooser.choice(real.actions())
            )


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_yardstick_is_the_best_turn_by_the_fixed_weights(players: int) -> None:
    phases = set()
    for real in some_positions(
        players, players, 0.15 if compiled else 0.02, width(12, 20) if compiled else 4
    ):
        phases.add(int(real.state.phase))
        game = Game.read(real.to_json())
        chosen, listed = names(real, MYKERINOS.yardstick(real.hidden(real.to_move).copy())), choices(game)
        own = next(turn for turn in listed if turn == chosen[: len(turn)])
        best = max(turn_worth(game, turn) for turn in listed)
        assert turn_worth(game, own) == pytest.approx(best)
        if rest := chosen[len(own) :]:  # the neutral move is chosen after the own part
            for step in own:
                game = game.play(step)
            assert rest in game.turns_begun
            assert turn_worth(game, rest) == pytest.approx(
                max(turn_worth(game, turn) for turn in game.turns_begun)
            )
    assert not compiled or phases >= {0, 2, 4}


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_yardstick_plays_whole_turns(players: int) -> None:
    real = ludoteca.new('mykerinos', players, 7)
    for _ in range(10_000 if compiled else 6):
        if real.over:
            break
        turn = real.state.turn
        for action in MYKERINOS.yardstick(real.hidden(real.to_move)):
            assert real.state.turn == turn
            real.apply(action)
        assert real.state.turn == turn + 1
    assert real.over or not compiled


# ---- the estimate ------------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_estimate_is_an_expected_outcome(players: int) -> None:
    for real in some_positions(players, 20 + players, 1.0, 400 if compiled else 12):
        shares = estimate(real)
        assert sum(shares) == pytest.approx(1)
        assert all(0 < share < 1 for share in shares)


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_estimate_knows_only_what_everybody_knows(players: int) -> None:
    for real in some_positions(players, 30 + players, 0.3, 100 if compiled else 6):
        assert estimate(Position(MYKERINOS, real.hidden(real.to_move))) == estimate(real)


def test_the_estimate_of_a_finished_game_is_its_outcome() -> None:
    real = ludoteca.new('mykerinos', 3, 5)
    while not real.over:
        real.apply(MYKERINOS.yardstick(real.state)[0] if compiled else real.actions()[-1])
    assert estimate(real) == real.outcome()


def test_the_estimate_treats_the_seats_alike() -> None:
    """The same position with the seats moved on by one: the same shares, moved on."""
    hands = [['violet-1', 'brown-2'], ['lemon-1', 'lemon-2', 'violet-3'], ['tangerine-4', 'brown-5']]
    more = {
        'cubes': {'a1': 0, 'c2': 1, 'f2': 2, 'g5': 0},
        'museum': {'3-lemon': 1, '3-brown': 2},
        'stock': [9, 12, 7],
    }
    moved = {
        'cubes': {space: (seat + 1) % 3 for space, seat in {'a1': 0, 'c2': 1, 'f2': 2, 'g5': 0}.items()},
        'museum': {'3-lemon': 2, '3-brown': 0},
        'stock': [7, 9, 12],
    }
    tiles = [f'{patron}-{number}' for number in (6, 7) for patron in PATRONS[:4]]
    one = position(3, season=2, held=hands, tiles=tiles, **more)
    other = position(3, season=2, held=[hands[2], *hands[:2]], tiles=tiles, to_move=1, first=1, **moved)
    shares, expected = estimate(other), estimate(one)
    assert shares == pytest.approx([expected[2], *expected[:2]])


def test_the_estimate_knows_what_wins() -> None:
    """Points, tiles with a good room, and majorities just before the survey are worth something."""
    even = position(2, season=4, held=[['violet-1', 'lemon-1'], ['violet-2', 'lemon-3']])
    points = position(2, season=4, held=[['violet-3', 'lemon-1'], ['violet-2', 'lemon-3']])
    rooms = position(
        2, season=4, held=[['violet-1', 'lemon-1'], ['violet-2', 'lemon-3']], museum={'3-violet': 0}
    )
    first, better, best = estimate(even)[0], estimate(points)[0], estimate(rooms)[0]
    assert better > first + 0.02
    assert best > first + 0.02
    free = [space for (space,) in trails(even, '.') if space[0] in 'abcd' and space[1] in '123']
    area = position(
        2,
        season=4,
        held=[['violet-1', 'lemon-1'], ['violet-2', 'lemon-3']],
        cubes=dict.fromkeys(free[:3], 0),
        stock=[0, 0],
        neutral=[0, 0],
    )
    assert estimate(area)[0] > first + 0.02


# ---- what is foreseen --------------------------------------------------------------------------------------

FIRST = {
    'start': rules.START,
    'extend': rules.EXTEND,
    'space': rules.SPACE,
    'neutral start': rules.NEUTRAL_START,
    'neutral extend': rules.NEUTRAL_EXTEND,
}
Group = tuple[str, int]


def group(action: int) -> Group:
    """Excavations of a kind that begin in the same area, each other action alone."""
    for kind, first in FIRST.items():
        if first <= action < first + rules.N_SPACES:
            return kind, AREA_OF[action - first]
    return 'other', action


def groups(shares: dict[int, float]) -> dict[Group, list[float]]:
    """The shares of the actions of each group, the best first."""
    found: dict[Group, list[float]] = {}
    for action, share in sorted(shares.items(), key=lambda item: -item[1]):
        found.setdefault(group(action), []).append(share)
    return found


def looked_ahead(real: Position) -> dict[int, float]:
    """What the search finds by looking at one action after another, as it does in games that do not
    foresee."""
    states, lists = MYKERINOS.State.array(5), np.empty((3, MYKERINOS.max_legal), np.int32)
    actions, worth = real.actions(), np.empty(MYKERINOS.max_legal)
    states[0], lists[0, : len(actions)] = real.state, actions
    bind(MYKERINOS, 'expert-1').ask_each(states, len(actions), lists, np.empty(4), worth)
    return dict(zip(actions, worth.tolist(), strict=False))


@pytest.mark.parametrize('players', [2, 3, 4])
def test_what_is_foreseen_is_a_share_of_a_win(players: int) -> None:
    for real in some_positions(players, 50 + players, 1.0, 500 if compiled else 20):
        assert all(0 <= share <= 1 for share in foresee(real).values())


@pytest.mark.parametrize('players', [2, 3, 4])
def test_claims_passes_and_first_cubes_are_foreseen_as_they_are_estimated(players: int) -> None:
    """Of starts and extensions in an area the best one: the estimate does not tell them apart, or the better
    way to go on is taken."""
    seen = Counter[str]()
    for real in some_positions(players, 60 + players, 0.5, width(200, 400) if compiled else 8):
        told, found = groups(foresee(real)), groups(looked_ahead(real))
        ahead = real.state.phase == rules.Phase.EXCAVATE and real.state.last == 0
        for key, shares in told.items():
            survey = real.state.phase >= rules.Phase.CLAIM or key == ('other', rules.PASS)
            if survey or (ahead and (key[0] == 'start' or (key[0] == 'extend' and players > 2))):
                exact = survey or players > 2 or len(real.actions()) > 40
                assert shares[0] == pytest.approx(found[key][0], abs=1e-9 if exact else 0.05)
                seen['survey' if survey else key[0]] += 1
    assert not compiled or min(seen['survey'], seen['start']) > width(50, 100)


@pytest.mark.parametrize('players', [2, 3, 4])
def test_what_is_foreseen_agrees_with_looking_at_each_action(players: int) -> None:
    """The same goes up and down together, patrons and the last turn included, and the best of the one is
    nearly the best of the other."""
    alike, lost = [], []
    for real in some_positions(players, 70 + players, 0.5, 1000 if compiled else 8):
        told, found = groups(foresee(real)), groups(looked_ahead(real))
        one, other = [told[key][0] for key in told], [found[key][0] for key in told]
        if len(one) > 2 and np.std(one) > 1e-6 and np.std(other) > 1e-6:
            alike.append(np.corrcoef(one, other)[0, 1])
            lost.append(max(other) - other[int(np.argmax(one))])
    assert np.mean(alike) > (0.95 if compiled else 0.8)
    assert np.mean(lost) < (0.01 if compiled else 0.05)


@pytest.mark.parametrize('players', [2, 3, 4])
def test_of_spaces_that_are_worth_the_same_the_most_open_come_first(players: int) -> None:
    """The others are marked down one by one."""
    real = ludoteca.new('mykerinos', players, 80)
    real.apply(next(action for action in real.actions() if group(action)[0] == 'start'))
    free, told = spaces_in(rules.free(real.state)), foresee(real)
    kind = 'neutral start' if players == 2 else 'start'
    for area in range(4):
        shares = {action: share for action, share in told.items() if group(action) == (kind, area)}
        order = sorted(shares, key=lambda action: -shares[action])
        best = shares[order[0]]
        assert [shares[action] for action in order] == pytest.approx(
            [best / k for k in range(1, len(order) + 1)]
        )
        open_ = [len(free.intersection(neighbours(SPACES[action - FIRST[kind]]))) for action in order]
        assert open_ == sorted(open_, reverse=True)


# ---- the search on it --------------------------------------------------------------------------------------


@pytest.mark.skipif(not compiled, reason='thousands of simulations')
@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_search_stops_where_a_season_is_dealt(players: int) -> None:
    """Nothing is decided on tiles that are still to come: all positions of the main line belong to the
    season."""
    checked = 0
    for real in some_positions(players, 40 + players, 0.2, 40):
        if real.state.season < 3 and real.state.phase >= 4:
            result = think(MYKERINOS, real.state, simulations=400, seed=1)
            after = real.copy()
            for action in result.line_actions:
                assert after.state.season == real.state.season
                after.apply(action)
            checked += 1
    assert checked


@pytest.mark.skipif(not compiled, reason='thousands of simulations')
@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_search_makes_the_best_of_the_last_claim(players: int) -> None:
    """Where every action ends the game, it takes one with the best outcome."""
    checked, mattered = 0, 0
    for seed in range(40):
        real = ludoteca.new('mykerinos', players, seed)
        while not real.over:
            ends = (
                {action: real.copy() for action in real.actions()}
                if real.state.season == 3 and real.state.phase == 4
                else {}
            )
            for action, after in ends.items():
                after.apply(action)
            if ends and all(after.over for after in ends.values()):
                shares = {action: after.outcome()[real.to_move] for action, after in ends.items()}
                assert shares[think(MYKERINOS, real.state, simulations=300, seed=1).action] == max(
                    shares.values()
                )
                checked, mattered = checked + 1, mattered + (min(shares.values()) < max(shares.values()))
            for action in MYKERINOS.yardstick(real.state):
                real.apply(action)
    assert checked > 10
    assert mattered
