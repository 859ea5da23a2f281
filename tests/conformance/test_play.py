"""Rules: what is legal, how a game goes on, how it ends."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

from ludoteca.game import Game, GameError, committed
from ludoteca.kernel import Ints
from tests.conformance.harness import Case, History, after, figures, is_sentence, legal, played, same, shares
from tests.width import width

GAMES = width(2, 8)
CHANCE_POSITIONS = 3


def check_position(game: Game, case: Case, history: History, k: int) -> None:
    """What holds in every position of every game."""
    s = history.states[k]
    before = s.copy()
    assert s.players == case.players
    assert 0 <= s.to_move < s.players
    assert 0 <= s.ending <= len(game.endings)
    assert bool(s.ending) == (history.over and k == len(history.actions)), 'a game goes on until it is over'
    if not s.ending:
        actions = legal(game, s)
        assert actions, 'nothing is legal, but the game is not over'
        assert actions == sorted(set(actions)), 'legal actions are not ascending'
        assert actions[0] >= 0
        assert actions[-1] < game.n_actions
        assert history.actions[k : k + 1] == () or history.actions[k] in actions
    points, outcome, estimate = (shares(game, kernel, s) for kernel in ('scores', 'outcome', 'estimate'))
    assert np.isfinite(points).all()
    assert math.isclose(estimate.sum(), 1, abs_tol=1e-9), 'estimates do not sum to 1'
    assert (estimate >= 0).all()
    if s.ending:
        winners = outcome[outcome > 0]
        assert math.isclose(outcome.sum(), 1, abs_tol=1e-9), 'outcomes do not sum to 1'
        assert np.allclose(winners, 1 / len(winners)), 'winners share equally'
        assert np.allclose(outcome, estimate), 'at the end the estimate is the outcome'
        assert np.isfinite(figures(game, s)).all(), 'a measure without a number'
    else:
        assert not outcome.any(), 'an outcome before the end'
    assert same(s, before), 'asking changed the state'


def check_step(game: Game, before: Any, after: Any) -> None:
    """What holds for every action of every game."""
    assert after.players == before.players
    assert 0 <= after.turn - before.turn <= 1
    assert after.reveals >= before.reveals, 'what is revealed stays revealed'
    assert committed(before, after) or not game.one_step, 'an action that is not a whole turn'
    code = int(game.kernels.revealed(after))
    assert code >= -1
    if code:
        more = after.reveals > before.reveals
        assert more or (game.hidden and committed(before, after)), (
            'something is said to be revealed, but reveals did not go up'
        )


def check_game(case: Case, seed: int) -> History:
    """Hold one game played by chance to the contract."""
    game, history = case.game, played(case, seed)
    start = history.states[0]
    assert (start.turn, start.ending) == (0, 0)
    for k in range(len(history.states)):
        check_position(game, case, history, k)
    for before, _, following in history.steps():
        check_step(game, before, following)
    if game.max_turns is not None:
        assert history.over, 'the game declares a longest length and goes on beyond it'
        assert history.last.turn <= game.max_turns
    return history


def test_games_keep_the_contract(case: Case) -> None:
    histories = [check_game(case, seed) for seed in range(GAMES)]
    assert any(history.over for history in histories), 'no game came to an end'


@pytest.mark.interpreted
def test_games_keep_the_contract_interpreted(few: Case) -> None:
    for seed in range(width(1, 1 if few.options.changed() else 3)):
        check_game(few, seed)


@pytest.mark.smoke
def test_the_same_seed_and_actions_give_the_same_game(case: Case) -> None:
    history = played(case, 0)
    s = case.start(0).state
    assert same(s, history.states[0])
    for action, expected in zip(history.actions, history.states[1:], strict=True):
        case.game.kernels.apply(s, action)
        assert same(s, expected)
    assert not same(case.start(1).state, history.states[0]), 'the seed makes no difference'


def test_every_ending_is_declared_and_worded(game: Game) -> None:
    assert len(set(game.endings)) == len(game.endings)
    for ending in game.endings:
        assert game.words(f'ending.{ending}', player='Ann').endswith('.')


def test_every_measure_is_taken_and_worded(game: Game) -> None:
    assert len(set(game.measures)) == len(game.measures)
    assert bool(game.measures) == (game.kernels.measure is not None)
    for name in game.measures:
        assert game.words(f'measure.{name}').strip()


# ---- turns -------------------------------------------------------------------------------------------------


def finish_turns(game: Game, s: Any, begun: Any, depth: int) -> int:
    """Play every completion of a begun turn; the number of them."""
    assert depth < 64, 'a turn that never ends'
    count = 0
    for action in legal(game, begun):
        following = after(game, begun, action)
        if committed(begun, following):
            count += 1
        else:
            assert following.to_move == s.to_move
            count += finish_turns(game, s, following, depth + 1)
    assert count, 'a begun turn that cannot be completed'
    return count


def test_every_begun_turn_can_be_completed(usual: Case) -> None:
    """Whatever was chosen in a draft, there is a way to its end."""
    game, history = usual.game, played(usual, 1)
    budget = width(1500, 4000)
    for s in history.sample(width(12, 24)):
        if not s.ending and budget > 0:
            for action in legal(game, s):
                following = after(game, s, action)
                if not committed(s, following):
                    budget -= finish_turns(game, s, following, 1)


def test_turns_are_listed_as_declared(usual: Case) -> None:
    game = usual.game
    for s in played(usual, 2).sample(8):
        if s.ending:
            continue
        if not game.lists_turns:
            with pytest.raises(GameError) as refused:
                list(game.turns(s))
            assert is_sentence(str(refused.value))
            continue
        turns = list(game.turns(s))
        assert turns == sorted(set(turns))
        assert [action for action, _ in itertools.groupby(turn[0] for turn in turns)] == legal(game, s)
        for turn in turns[:: max(1, len(turns) // 50)]:
            state = s
            for k, action in enumerate(turn):
                assert action in legal(game, state)
                following = after(game, state, action)
                assert s.phase in game.sealed or committed(state, following) == (k == len(turn) - 1)
                state = following


# ---- chance ------------------------------------------------------------------------------------------------


def chi_square_is_plausible(counts: list[int]) -> bool:
    """Do these counts look like equally likely ones? Within four standard deviations of chi-square's mean."""
    freedom, expected = len(counts) - 1, sum(counts) / len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts) / expected
    return freedom == 0 or abs(chi_square - freedom) <= 4 * math.sqrt(2 * freedom) + 4


def test_random_actions_are_legal_and_uniform(usual: Case) -> None:
    """`random_action` draws every legal action equally often, and changes nothing but the generator."""
    game, rng = usual.game, random.Random(str(usual))
    work, position = game.Work.new(), 0
    for seed in range(2):
        states = [s for s in played(usual, seed).states if not s.ending]
        for s in rng.sample(states, min(len(states), 30)):
            actions = legal(game, s)
            draws = 1 if position >= CHANCE_POSITIONS or len(actions) < 2 else 60 * len(actions)
            position += draws > 1
            counts = dict.fromkeys(actions, 0)
            copy = s.copy()
            for _ in range(draws):
                action = int(game.kernels.random_action(copy, work))
                assert action in counts, 'a random action that is not legal'
                counts[action] += 1
            copy.rng[:] = s.rng
            assert same(copy, s), 'random_action changed more than the generator'
            assert draws == 1 or chi_square_is_plausible(list(counts.values()))


def test_random_turns_are_legal_and_uniform(usual: Case) -> None:
    """`random_turn` draws every whole turn equally often."""
    game, rng = usual.game, random.Random(str(usual))
    work, out, position = game.Work.new(), np.empty(256, np.int32), 0
    states = [s for s in played(usual, 3).states if not s.ending]
    for s in rng.sample(states, min(len(states), 12)):
        copy = s.copy()
        if game.lists_turns and s.phase not in game.sealed:
            counts = dict.fromkeys(game.turns(s), 0)
            draws = 1 if position >= CHANCE_POSITIONS or not 2 <= len(counts) <= 150 else 60 * len(counts)
            position += draws > 1
            for _ in range(draws):
                turn = tuple(out[: game.kernels.random_turn(copy, work, out)].tolist())
                assert turn in counts, 'a random turn that is not legal'
                counts[turn] += 1
            assert draws == 1 or chi_square_is_plausible(list(counts.values()))
        else:
            check_turn(game, s, out[: game.kernels.random_turn(copy, work, out)])
        copy.rng[:] = s.rng
        assert same(copy, s), 'random_turn changed more than the generator'


@pytest.mark.interpreted
def test_random_play_interpreted(usual: Case) -> None:
    """What is drawn is legal, and nothing but the generator changes."""
    game, work, out = usual.game, usual.game.Work.new(), np.empty(256, np.int32)
    for s in played(usual, 0).sample(width(20, 40)):
        if not s.ending:
            copy = s.copy()
            assert int(game.kernels.random_action(copy, work)) in legal(game, s)
            check_turn(game, s, out[: game.kernels.random_turn(copy, work, out)])
            copy.rng[:] = s.rng
            assert same(copy, s)


def check_turn(game: Game, s: Any, turn: Ints) -> None:
    """A whole turn of legal actions."""
    for k, action in enumerate(turn.tolist()):
        assert action in legal(game, s)
        following = after(game, s, action)
        assert committed(s, following) == (k == len(turn) - 1)
        s = following


# ---- options -----------------------------------------------------------------------------------------------


def test_options_are_read_encoded_and_worded(game: Game) -> None:
    options = game.options
    assert options.read({}) == options()
    for key, values in options.values().items():
        assert f'option.{key}' in game.words
        if members := options.members().get(key):
            for chosen_names in map(str, values):
                chosen = options.read({key: chosen_names})
                assert options.read({key: chosen_names.split(',')[::-1]}) == chosen
                bits = chosen.encode()[list(options.values()).index(key)]
                assert [name for k, name in enumerate(members) if bits >> k & 1] == chosen_names.split(',')
            with pytest.raises(GameError) as refused:
                options.read({key: f'{members[0]},nothing'})
            assert is_sentence(str(refused.value))
            continue
        for number, value in enumerate(values):
            chosen = options.read({key: str(value).lower() if isinstance(value, bool) else str(value)})
            assert getattr(chosen, key) == value
            assert chosen.encode()[list(options.values()).index(key)] == (
                number if isinstance(value, str) else int(value)
            )
            assert value is True or f'option.{key}.{str(value).lower()}' in game.words
        with pytest.raises(GameError) as refused:
            options.read({key: 'of no such value'})
        assert is_sentence(str(refused.value))
    with pytest.raises(GameError) as refused:
        options.read({'nonsense': 1})
    assert is_sentence(str(refused.value))


def test_options_that_do_not_go_together_are_refused_with_a_sentence(game: Game) -> None:
    from ludoteca.game import start
    from tests.conformance.harness import combinations

    for options, players in itertools.product(combinations(game), game.players):
        sentence = options.problem(players)
        if sentence is not None:
            assert is_sentence(sentence)
            with pytest.raises(GameError) as refused:
                start(game, players, 1, options)
            assert str(refused.value) == sentence
    for players in (game.players.start - 1, game.players.stop):
        with pytest.raises(GameError) as refused:
            start(game, players)
        assert is_sentence(str(refused.value))
