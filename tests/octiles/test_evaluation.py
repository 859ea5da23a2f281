"""The fixed yardstick, the estimate of a position, and what learners see, against what they are declared to
be."""

from __future__ import annotations

import random
from math import hypot, sqrt

import numpy as np
import pytest

import ludoteca
from ludoteca.game import Position
from ludoteca.kernel import compiled
from ludoteca.search import SearchSettings
from ludoteca.search.nodes import make_memory, make_rules
from ludoteca.search.simulate import bind
from tests.expected import after, estimate, foresee
from tests.observations import slices
from tests.octiles.model import CIRCLES, POSTS, SEATS, SPACES, STEPS, STOPS, Game, Port
from tests.octiles.support import EAST, FIRST_MOVE, OCTILES, PASS, decode, position
from tests.octiles.test_rules import CYCLE, STUCK, cycle, full_board

CIRCLE_FROM_CENTRE = 0.8  # in spacings of neighbouring spaces


def place(post: str) -> tuple[float, float]:
    """Where a post lies, in spacings of neighbouring spaces."""
    if post in STOPS:
        return 'ABCDEF'.index(post[0]) - 0.5, '123456'.index(post[1]) - 0.5
    space, edge = Port.read(
        next(port for side in CIRCLES.values() for circle, port in side.items() if circle == post)
    )
    dx, dy = STEPS[edge]
    length = CIRCLE_FROM_CENTRE / sqrt(dx * dx + dy * dy)
    return 'abcde'.index(space[0]) + dx * length, '12345'.index(space[1]) + dy * length


def robot_score(game: Game, seat: int) -> float:
    """+1 for each runner home, minus each other runner's straight distance to the nearest open goal
    circle."""
    own = {post for post, owner in game.runners.items() if owner == seat}
    open_circles, score = game.goal(seat) - own, float(len(own & game.goal(seat)))
    for post in own - game.goal(seat):
        x, y = place(post)
        score -= min(hypot(x - u, y - v) for u, v in map(place, open_circles))
    return score


def some_positions(players: int, every: int, most: int) -> list[Position]:
    """Positions of a random game."""
    chooser, game, found = random.Random(players), ludoteca.new('octiles', players, players), []
    while not game.over and game.state.turn < most:
        if game.state.turn % every == 0:
            found.append(game.copy())
        game.apply(chooser.choice(game.actions()))
    return found


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_yardstick_is_the_best_turn_by_the_known_robots_evaluation(players: int) -> None:
    for real in some_positions(players, 12, 10**6 if compiled else 40):
        if real.state.phase == 1:
            continue
        game, chosen = Game.read(real.to_json()), tuple(OCTILES.yardstick(real.state))
        turns = sorted(OCTILES.turns(real.state))
        assert chosen in turns
        if chosen != (PASS,):
            scores = {turn: robot_score(game.play(decode(turn)), game.to_move) for turn in turns}
            best = max(scores.values())
            assert chosen == min(turn for turn in turns if scores[turn] > best - 1e-4)


def test_the_yardstick_finishes_a_turn_begun_and_passes_when_it_must() -> None:
    laid = position({0: 'A1 A2 A3 A4 A5', 1: EAST}).after('a2:0')
    assert [OCTILES.action_name(laid.state, action) for action in OCTILES.yardstick(laid.state)] == ['A2-B3']
    assert tuple(OCTILES.yardstick(position({0: 'A1 A2 A3 A4 A5', 1: 'F6 F5 F4 F3 B3'}).state)) == (PASS,)


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_estimate_is_an_expected_outcome(players: int) -> None:
    out = np.zeros(4)
    for real in some_positions(players, 3, 10**6 if compiled else 60):
        OCTILES.kernels.estimate(real.state, out)
        shares = out[:players]
        assert abs(shares.sum() - 1) < 1e-6
        assert (shares >= 0).all()


def test_the_estimate_of_a_finished_game_is_its_outcome() -> None:
    out = np.zeros(4)
    for game in (
        position({0: 'F6 F5 F4 F3 E4', 1: 'A1 A2 A3 D4 B2'}).after('e3:0 E4-F2'),
        position({0: 'A1 F5 F4 F3 F2', 1: 'F6 A2 A3 A4 A5'}).after('pass pass'),
    ):
        OCTILES.kernels.estimate(game.state, out)
        assert out[:2].tolist() == game.outcome()


def test_the_estimate_prefers_runners_that_are_nearly_home() -> None:
    out = np.zeros(4)
    OCTILES.kernels.estimate(
        position({0: 'F6 F5 F4 F3 E4', 1: EAST.replace('F6 F5 F4 F3', 'B5 C5 D5 E5')}).state, out
    )
    assert out[0] > 0.8


# ---- what learners see -------------------------------------------------------------------------------------


@pytest.mark.parametrize('players', [2, 3, 4])
def test_an_observation_tells_the_whole_hidden_position(players: int) -> None:
    out = np.full(OCTILES.observation_size, 7, np.float32)
    for real in some_positions(players, 5, 150 if compiled else 30):
        for seat in range(-1, players):
            hidden = real.hidden(seat)
            OCTILES.kernels.observe(hidden, seat, out)
            assert out.min() >= 0
            assert out.max() <= 1
            parts = slices(OCTILES, out)
            data, viewer = OCTILES.to_json(hidden), max(seat, 0)
            tiles = {space: (tile, rotation) for space, (tile, rotation) in data['tiles'].items()}
            if 'laid' in data:
                ((space, rotation),) = data['laid'].items()
                tiles[space] = (data['stack'][0], rotation)
                assert parts['laid'][1 + SPACES.index(space)] == 1
            assert parts['laid'].sum() == 2 * ('laid' in data)
            rows = parts['tiles'].reshape(17, 18), parts['rotations'].reshape(17, 8)
            seen = {
                space: (int(a.argmax()) + 1, int(b.argmax()))
                for space, a, b in zip(SPACES, *rows, strict=True)
                if a.any()
            }
            assert seen == tiles
            runners = parts['runners'].reshape(4, 36)
            assert {
                POSTS[post]: (viewer + k) % players for k, post in zip(*np.nonzero(runners), strict=True)
            } == data['runners']
            sides = parts['sides'].reshape(4, 4)
            assert [int(sides[k].argmax()) for k in range(players)] == [
                'WNES'.index(SEATS[players][(viewer + k) % players]) for k in range(players)
            ]
            known = {tile: 1 - i / 18 for i, tile in enumerate(data['stack']) if tile is not None}
            assert {i + 1: float(value) for i, value in enumerate(parts['stack']) if value} == pytest.approx(
                known
            )
            assert np.flatnonzero(parts['to_move']).tolist() == [(int(hidden.to_move) - viewer) % players]
            assert parts['passes'][0] == pytest.approx(hidden.passes / players)


# ---- what is foreseen --------------------------------------------------------------------------------------


def played(players: int, seed: int) -> list[Position]:
    """All positions of a game in which the yardstick plays two turns of three and chance the third, up to its
    end when compiled."""
    chooser, game = random.Random(seed), ludoteca.new('octiles', players, seed)
    found: list[Position] = []
    while not game.over and len(found) < (600 if compiled else 12):
        found.append(game.copy())
        turn = OCTILES.yardstick(game.state) if compiled and game.state.turn % 3 else ()
        game.apply(turn[0] if turn else chooser.choice(game.actions()))
    return found


def seen_one_by_one(game: Position, action: int) -> float:
    """The expected outcome for the seat to move after an action; after a placement, of the best run."""
    trial = after(game, action)
    if trial.over or trial.state.turn != game.state.turn:
        return estimate(trial)[game.to_move]
    return max(estimate(after(trial, run))[game.to_move] for run in trial.actions())


@pytest.mark.parametrize('players', [2, 3, 4])
def test_what_is_foreseen_is_what_the_estimate_says_after_the_best_run(players: int) -> None:
    """Placements in some games, runs in others; nothing is changed by looking."""
    seen = 0
    for seed in range(3):
        for game in played(players, seed)[seed % 2 :: 2 if compiled else 5]:
            before = game.state.tobytes()
            told = foresee(game)
            assert game.state.tobytes() == before
            assert told == pytest.approx(
                {action: seen_one_by_one(game, action) for action in told}, abs=1e-12
            )
            seen += len(told)
    assert seen > (1500 if compiled else 20)


@pytest.mark.parametrize('players', [2, 3, 4])
def test_a_search_is_told_at_once_what_it_would_find_one_by_one(players: int) -> None:
    """`look_ahead` of the search, which frozen bots still use, over whole games."""
    bound = bind(OCTILES)
    memory = make_memory(OCTILES, make_rules(SearchSettings(), OCTILES, players), 2)[0]
    seen = 0
    for seed in range(3, 23 if compiled else 5):
        for game in played(players, seed):
            actions = game.actions()
            memory.states[0] = game.state
            memory.lists[0, : len(actions)] = actions
            bound.ask_each(memory.states, len(actions), memory.lists, memory.result, memory.worth)
            told = list(foresee(game).values())
            assert told == pytest.approx(memory.worth[: len(actions)].tolist(), abs=1e-12)
            seen += 1
    assert seen > (1500 if compiled else 20)


def test_a_run_that_wins_is_foreseen() -> None:
    won = 0
    for seed in range(8 if compiled else 0):
        game = played(2, seed)[-1]
        assert len(game.actions()) >= 1
        for action, share in foresee(game).items():
            if action >= FIRST_MOVE and after(game, action).over:
                assert share == 1.0
                won += 1
    assert won or not compiled


@pytest.mark.parametrize('players', [2, 3, 4])
def test_a_pass_is_foreseen(players: int) -> None:
    """It is another's turn, or a draw."""
    for passes in range(players):
        game = position(STUCK[players], players=players, passes=passes)
        assert game.actions() == [PASS]
        assert foresee(game) == pytest.approx({PASS: seen_one_by_one(game, PASS)})


def test_a_draw_by_repetition_is_foreseen() -> None:
    """Of a placement and of a run; without the option the game goes on."""
    turn = CYCLE[1]
    for repetition in (True, False):
        game = cycle(full_board(options={'repetition': repetition})).after(CYCLE[0])
        placement = game.after(turn.split()[0])
        for begun in (game, placement):
            told = foresee(begun)
            assert told == pytest.approx({a: seen_one_by_one(begun, a) for a in told}, abs=1e-12)
        found = dict(zip(placement.legal(), foresee(placement).values(), strict=True))
        assert (found[turn.split()[1]] == 0.5) is repetition
