"""The games are games of OpenSpiel: they pass its own tests, and show what a seat may know."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludoteca.game import GameError, load
from tests.built_in import BUILT_IN
from tests.conformance.harness import Case, History, configurations, played
from tests.conformance.secrets import others

pytest.importorskip('pyspiel')
import pyspiel
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.tests import games_sim_test

from ludoteca.research import openspiel
from ludoteca.research.openspiel import CHANCE, SpielState, as_parameters

pytestmark = pytest.mark.wide

PLAYTHROUGHS = Path(__file__).parent.parent / 'data' / 'openspiel'

EACH = [case for name in BUILT_IN for case in configurations(name, 'narrow')]
RECORDED = 2  # decisions of a recorded game
LONG = 60  # decisions: long games are broken off here, but for those of games_sim_test
USUAL = [next(case for case in EACH if case.name == name) for name in BUILT_IN]
OTHER_NUMBERS = [
    Case(case.name, players, case.options)
    for case in USUAL
    for players in case.game.players
    if Case(case.name, players, case.options) not in EACH
]


def spiel(case: Case, **more: Any) -> Any:
    """A configuration as a game of OpenSpiel."""
    given = {'players': case.players, **as_parameters(case.options), **more}
    return pyspiel.load_game(openspiel.PREFIX + case.name, given)


def step(state: Any, rng: random.Random) -> None:
    """An action by lot, or what chance decides."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, weights)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def begun(game: Any, decisions: int, seed: int = 1) -> Any:
    """A state after so many decisions of players, at which a player is to decide."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while state.is_chance_node() or (state.at.moves < decisions and not state.is_terminal()):
        step(state, rng)
    return state


# ---- OpenSpiel's own tests ---------------------------------------------------------------------------------


@pytest.mark.parametrize('case', EACH + OTHER_NUMBERS, ids=str)
def test_games_pass_random_sim_test(case: Case) -> None:
    """All numbers of players, all values of options; with serialisation and masks."""
    pyspiel.random_sim_test(spiel(case, max_game_length=LONG), 1, True, False, True)


@pytest.mark.parametrize('case', USUAL, ids=str)
def test_games_pass_games_sim_test(case: Case) -> None:
    np.random.seed(1)  # it draws from NumPy's generator
    games_sim_test.GamesSimTest().sim_game(spiel(case))


@pytest.mark.parametrize('case', USUAL, ids=str)
def test_games_keep_to_the_api_on_a_part_of_the_tree(case: Case) -> None:
    np.random.seed(1)
    facts = {'game': spiel(case), 'game_name': openspiel.PREFIX + case.name}
    checks = type('PartialTree', (api_test.EnforceAPIOnPartialTreeBase,), facts)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(checks).run(result)
    assert result.testsRun >= 5
    assert not result.errors + result.failures, result.errors + result.failures


@pytest.mark.parametrize('name', BUILT_IN)
def test_games_are_played_as_they_were_recorded(name: str) -> None:
    """`python -m tests.research.test_openspiel` records them anew."""
    flags.FLAGS.mark_as_parsed()
    recorded, again = generate_playthrough.replay(str(PLAYTHROUGHS / f'{name}.txt'))
    assert again == recorded


# ---- what Python adds --------------------------------------------------------------------------------------


@pytest.mark.parametrize('case', USUAL, ids=str)
def test_games_and_states_survive_pickles_and_copies(case: Case) -> None:
    game = spiel(case)
    other = pickle.loads(pickle.dumps(game))
    assert (str(other), type(other)) == (str(game), type(game))
    state = begun(game, 9)
    alike = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    alike.append(pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1])
    assert alike[0].at is state.at, 'a clone costs no copy of the record'
    for _ in range(6):
        for one in alike:
            assert str(one) == str(state)
            assert one.history() == state.history()
            assert one.observation_tensor(0) == state.observation_tensor(0)
        if state.is_terminal():
            break
        action = state.legal_actions()[-1]
        for one in (*alike, state):
            one.apply_action(action)


def test_another_process_reads_a_pickled_state_without_having_loaded_anything() -> None:
    state = begun(openspiel.load('myrmidons', options={'army': 'secret'}), 8)
    code = 'import pickle, sys; print(str(pickle.load(sys.stdin.buffer)))'
    found = subprocess.run(
        [sys.executable, '-c', code], input=pickle.dumps(state), capture_output=True, check=True
    )
    assert found.stdout.decode().strip() == str(state)


@pytest.mark.parametrize('case', USUAL, ids=str)
def test_chance_alone_tells_the_futures_of_two_clones_apart(case: Case) -> None:
    game, rng, differed = spiel(case), random.Random(2), 0
    state = game.new_initial_state()
    while not state.is_terminal() and state.move_number() < 120:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(probability for _, probability in outcomes) == pytest.approx(1)
            first, second, again = (state.child(outcomes[k][0]) for k in (0, -1, 0))
            assert str(first) == str(again)
            differed += str(first) != str(second)
        else:
            assert not any(state.at.state().rng), 'the future can be read from the state'
            action = state.legal_actions()[0]
            assert str(state.child(action)) == str(state.child(action))
        step(state, rng)
    assert (differed > 0) == (game.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC)


def test_options_decide_whether_there_is_chance() -> None:
    modes = pyspiel.GameType.ChanceMode
    for options, mode in (({}, modes.DETERMINISTIC), ({'army': 'random'}, modes.EXPLICIT_STOCHASTIC)):
        assert openspiel.load('myrmidons', options=options).get_type().chance_mode == mode
    for name in BUILT_IN:
        registered = {kind.short_name: kind for kind in pyspiel.registered_games()}[openspiel.PREFIX + name]
        declared = load(name).chance_mode != 'none'
        assert (registered.chance_mode == modes.EXPLICIT_STOCHASTIC) == declared


# ---- secrets -----------------------------------------------------------------------------------------------


def as_state(game: Any, history: History) -> Any:
    """The end of a history as a state of OpenSpiel."""
    kind, seen = game.variant, b''
    for before, action, _ in history.steps():
        seen += kind.seen_by_all(before, action)
    state = history.last.copy()
    history.game.kernels.drop_future(state)
    return SpielState(game, kind.moment(state, len(history.actions), seen))


def shown(state: Any, seat: int) -> list[Any]:
    """All that OpenSpiel shows a seat."""
    found = [state.observation_string(seat), state.information_state_string(seat)]
    found += [state.observation_tensor(seat), state.to_observation_struct(seat).to_json()]
    for public, private in ((True, 'NONE'), (False, 'SINGLE_PLAYER')):
        kind = pyspiel.IIGObservationType(public, False, getattr(pyspiel.PrivateInfoType, private))
        found.append(state.get_game().make_py_observer(kind).string_from(state, seat))
    return found


@pytest.mark.parametrize('case', [case for case in EACH if load(case.name).hidden or case in USUAL], ids=str)
def test_nothing_leaks_into_strings_and_tensors(case: Case) -> None:
    """They are equal in all games that look alike to a seat: the alternatives of the leak test."""
    game, history, rng, different = spiel(case), played(case, 0), random.Random(str(case)), 0
    for n in {0, len(history.actions) // 3, len(history.actions) // 2}:
        past = history.until(n)
        state = as_state(game, past)
        for seat in range(case.players):
            for other in others(past, seat, 2, rng):
                alike = as_state(game, other)
                assert shown(alike, seat) == shown(state, seat)
                different += str(alike) != str(state)
    assert different or not case.game.hidden


@pytest.mark.parametrize('army', ['base', 'secret', 'random'])
def test_a_resampled_state_looks_the_same_and_holds_other_secrets(army: str) -> None:
    game, rng = openspiel.load('myrmidons', options={'army': army}), random.Random(3)
    state, truths = game.new_initial_state(), 0
    while not state.is_terminal() and state.move_number() < 40:
        if not state.is_chance_node():
            for seat in range(2):
                other = state.resample_from_infostate(seat, rng.random)
                assert shown(other, seat) == shown(state, seat)
                assert other.current_player() == state.current_player()
                assert not other.history(), 'the history of a guess would be the truth'
                truths += str(other) != str(state)
        step(state, rng)
    assert truths > 10


# ---- searches ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize('case', [case for case in USUAL if not load(case.name).hidden], ids=str)
def test_mcts_of_openspiel_plays_open_games(case: Case) -> None:
    """Both of its searches. `MCTSBot.step` of C++ is not for games in Python: it lets go of Python's lock,
    and what it calls then needs it."""
    game = spiel(case, max_game_length=30)
    state = begun(game, 10)
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    python = mcts.MCTSBot(game, 2, 3, rollouts, random_state=np.random.RandomState(1))
    assert python.step(state) in state.legal_actions()
    compiled = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2, 8, 10, False, 1, False)
    assert compiled.mcts_search(state).best_child().action in state.legal_actions()


def test_ismcts_plays_games_with_secrets_by_guesses() -> None:
    game = openspiel.load('myrmidons', longest=24)
    state, rng = begun(game, 14), random.Random(1)
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, rollouts, 2.0, 12, random_state=np.random.RandomState(1))
    guessed = []

    def resampled(state: Any, seat: int) -> Any:
        guessed.append(state.resample_from_infostate(seat, rng.random))
        return guessed[-1]

    bot.set_resampler(resampled)
    assert bot.step(state) in state.legal_actions()
    assert len(guessed) == 12


def before_a_win() -> tuple[Any, list[int]]:
    """A state of Octiles in which the seat to move can win at once, and the actions that do."""
    game = openspiel.load('octiles')
    for seed in range(100):
        state, rng = game.new_initial_state(), random.Random(seed)
        before, mover = state, CHANCE
        while not state.is_terminal():
            if not state.is_chance_node():
                before, mover = state.clone(), state.current_player()
            step(state, rng)
        wins = [action for action in before.legal_actions() if before.child(action).returns()[mover] == 1]
        if 0 < len(wins) < len(before.legal_actions()):
            return before, wins
    raise AssertionError('no game ended by a win that could be missed')


def test_a_search_sees_a_win() -> None:
    state, wins = before_a_win()
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(state.get_game(), 2, 60, rollouts, random_state=np.random.RandomState(1))
    assert bot.step(state) in wins


# ---- bad input and ends ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('given', 'sentence'),
    [
        ('ludoteca_octiles(players=9)', '2 to 4'),
        ('ludoteca_mykerinos(five_door=ten)', 'any, three'),
        ('ludoteca_octiles(max_game_length=0)', 'at least one'),
    ],
)
def test_what_there_is_not_is_said_in_a_sentence(given: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        pyspiel.load_game(given)


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    state = begun(openspiel.load('octiles'), 3)
    before, illegal = str(state), next(k for k in range(2000) if k not in state.legal_actions())
    for wrong in (illegal, 10**6):
        with pytest.raises(GameError, match='not legal'):
            state.apply_action(wrong)
    assert (str(state), state.at.moves) == (before, 3)
    start = state.get_game().new_initial_state()
    with pytest.raises(GameError, match='cannot come of chance'):
        start.apply_action(openspiel.DEALS)
    assert not start.history()


def test_a_game_is_broken_off_after_so_many_decisions() -> None:
    state, rng = openspiel.load('myriath', longest=5).new_initial_state(), random.Random(1)
    while not state.is_terminal():
        step(state, rng)
    assert state.move_number() == 5
    assert state.returns() == [0.0, 0.0]
    assert not state.legal_actions()


def record() -> None:
    """Record a game of each kind."""
    for case in USUAL:
        lines = generate_playthrough.playthrough(str(spiel(case, max_game_length=RECORDED)), [], seed=7)
        (PLAYTHROUGHS / f'{case.name}.txt').write_text(lines, 'utf-8')


if __name__ == '__main__':
    flags.FLAGS.mark_as_parsed()
    record()
