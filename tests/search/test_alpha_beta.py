"""The bot `alpha-beta`: it takes what plain minimax likes best, finds wins, keeps its time, and knows no more
than it may."""

from __future__ import annotations

import time
from math import exp

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Game, GameError, Position, State
from ludoteca.games.octiles.evaluation import robot_score
from ludoteca.research.arena import arena
from ludoteca.search import LEVELS, as_known, make_bot, stream
from ludoteca.search.alpha_beta import EDITION, AlphaBetaBot
from tests.expected import after
from tests.width import width

OCTILES, TOY = contract.load('octiles'), contract.load('toy')


def chosen(position: Position, depth: int, seed: int = 1) -> int:
    """The action that the bot takes, so many turns being looked ahead."""
    known = as_known(position.game, position.state, position.to_move)
    return AlphaBetaBot(depth).choose(position.game, known, position.to_move, seed, None)


def yardstick_games(n: int) -> list[Position]:
    """The positions of games between yardsticks, one in four turns being the last legal action's."""
    found = []
    for seed in range(n):
        game = contract.new('octiles', 2, f'alpha-beta/{seed}')
        while not game.over and game.state.turn < 150:
            found.append(game.copy())
            for action in OCTILES.yardstick(game.state) if game.state.turn % 4 else game.turns()[-1].split():
                game.play(action) if isinstance(action, str) else game.apply(action)
    return found


def as_guessed(position: Position, seed: int) -> Position:
    """The position with what the bot guesses for what is not known."""
    known = as_known(OCTILES, position.state, position.to_move)
    OCTILES.kernels.guess(known, position.to_move, stream(seed, 0), OCTILES.Work.new())
    return Position(OCTILES, known)


def best_turn(position: Position) -> float:
    """What the best turn is worth to the seat to move by the evaluation that Octiles keeps for this bot."""
    seat, best, out = position.to_move, -1.0, np.zeros(4)
    for name in position.turns():
        OCTILES.editions[EDITION]['estimate'](position.after(name).state, out)
        best = max(best, float(out[seat]))
    return best


def minimax(position: Position, seat: int, depth: int) -> float:
    """The value for `seat`, all turns being tried: wins count the more the sooner they come."""
    if position.over:
        value = position.outcome()[seat]
        return value + depth if value == 1 else value - depth if value == 0 else value
    if depth == 1:
        value = best_turn(position)
        return value if position.to_move == seat else 1 - value
    best = max if position.to_move == seat else min
    turn = position.state.turn
    trials = (after(position, action) for action in position.actions())
    return best(minimax(trial, seat, depth - int(trial.state.turn != turn)) for trial in trials)


def test_it_takes_a_turn_that_minimax_likes_best() -> None:
    """Two turns ahead, wherever they are few enough."""
    seen = 0
    for position in yardstick_games(2)[::9]:
        if position.state.phase == 0 and len(position.actions()) < 40:
            guessed, seat = as_guessed(position, 1), position.to_move
            value = {a: minimax(after(guessed, a), seat, 2) for a in guessed.actions()}
            assert value[chosen(position, 2)] == pytest.approx(max(value.values()), abs=1e-12)
            seen += 1
    assert seen > 4


def test_it_wins_in_one_turn() -> None:
    won = 0
    for position in yardstick_games(6):
        if position.state.phase or best_turn(position) < 1.0:
            continue
        for depth in (1, 2, 3):
            trial, seat = position.copy(), position.to_move
            while not trial.over and trial.to_move == seat:
                trial.apply(chosen(trial, depth))
            assert trial.outcome()[seat] == 1.0
            won += 1
    assert won >= 6


def test_it_wins_in_two_turns() -> None:
    """Where, the tiles being as it guesses, the other has no turn after which it could not win."""
    won = 0
    for position in yardstick_games(10):
        if position.state.phase or position.state.turn < 12 or best_turn(position) == 1.0:
            continue
        guessed, seat = as_guessed(position, 1), position.to_move
        bot = AlphaBetaBot(3)
        trial = guessed.copy()
        while trial.to_move == seat:
            trial.apply(bot.choose(OCTILES, trial.state.copy(), seat, 1, None))
        if bot.value < 1.0:
            continue
        replies = [trial.after(turn) for turn in trial.turns()]
        assert all(best_turn(reply) == 1.0 for reply in replies)
        won += 1
        if won == 3:
            return
    assert won


def test_the_same_seed_and_depth_give_the_same_action() -> None:
    for position in yardstick_games(1)[::20]:
        assert chosen(position, 2) == chosen(position, 2)


def test_it_keeps_its_time_and_uses_it() -> None:
    position = yardstick_games(1)[40]
    chosen(position, 1)
    for seconds in (0.0, 0.2):
        bot, begin = make_bot('alpha-beta'), time.monotonic()
        assert isinstance(bot, AlphaBetaBot)
        action = bot.choose(OCTILES, position.state.copy(), position.to_move, 1, time.monotonic() + seconds)
        assert action in position.actions()
        assert time.monotonic() - begin < seconds + 1
        assert (bot.reached >= 1) is (seconds > 0)


def test_it_knows_no_more_than_its_seat() -> None:
    """In other orders of the unknown tiles it chooses the same."""
    for position in yardstick_games(1)[::15]:
        other = as_guessed(position, 77)
        assert chosen(other, 2) == chosen(position, 2)


def test_in_octiles_it_goes_by_distances_alone() -> None:
    """A seat's score is that of the yardstick's robot; how much one is ahead of the other becomes a share."""
    evaluation, out = OCTILES.editions[EDITION]['estimate'], np.zeros(4)
    for position in yardstick_games(1)[::10]:
        mine, other = (robot_score(position.state, seat) for seat in range(2))
        evaluation(position.state, out)
        assert out[0] == pytest.approx(1 / (1 + exp(other - mine)))


def test_it_is_no_level_and_takes_part_in_arenas() -> None:
    assert 'alpha-beta' not in LEVELS
    result = arena(OCTILES, 2, ['alpha-beta', 'random'], 4, seed=1, processes=1, time=0.02)
    assert result.contestants[0].wins == 4


@pytest.mark.parametrize(
    'name',
    [pytest.param('toy', marks=pytest.mark.interpreted), *width([], ['toy', 'myriath', 'myraclia'])],
)
def test_it_plays_any_open_game_of_two_players(name: str) -> None:
    """Narrow interpreted, since it is compiled for each game anew."""
    game = contract.load(name)
    if game.hidden:
        return
    state: State = contract.start(game, 2, 'open')
    legal = np.empty(game.max_legal, np.int32)
    for step in range(12):
        if state.ending:
            break
        seat = int(state.to_move)
        action = AlphaBetaBot(1).choose(game, as_known(game, state, seat), seat, step, None)
        assert action in legal[: game.kernels.legal_actions(state, legal)]
        game.kernels.apply(state, action)


@pytest.mark.parametrize(('game', 'players'), [(OCTILES, 3), (contract.load('myrmidons'), 2)])
def test_other_games_are_refused_in_a_sentence(game: Game, players: int) -> None:
    state = contract.start(game, players, 'refused')
    with pytest.raises(GameError, match=r"'alpha-beta' plays open games of two players"):
        make_bot('alpha-beta').choose(game, state, 0, 1, None)
