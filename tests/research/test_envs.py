"""Environments pass the checks of PettingZoo and Gymnasium, play our games and show what a seat may know."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from ludoteca.game import GameError, Position, load, start
from ludoteca.search import as_known
from tests.built_in import BUILT_IN
from tests.width import WIDE

pytest.importorskip('pettingzoo')
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from ludoteca.research.envs import AEC, SeatEnv

NAMES = ('toy', *BUILT_IN) if WIDE else ('toy', 'myrmidons')  # narrow: those with secrets
EACH = [(name, players) for name in NAMES for players in load(name).players]


@pytest.mark.parametrize(('name', 'players'), EACH)
def test_pettingzoo_finds_nothing_to_complain_about(name: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        # it would rather have an array, but the mask is part of the observation
        warnings.filterwarnings('ignore', message='Observation (space for each agent|is not a NumPy array)')
        api_test(AEC(name, players), num_cycles=60)
    seed_test(lambda: AEC(name, players), num_cycles=20)


def test_pettingzoo_renders_in_every_mode() -> None:
    is_drawing = {'svg': lambda found: isinstance(found, str) and found.startswith('<svg')}
    render_test(lambda render_mode: AEC('toy', render_mode=render_mode), custom_tests=is_drawing)
    assert AEC('toy').render() is None


@pytest.mark.parametrize('environment', [AEC, SeatEnv])
def test_people_are_shown_each_position_and_unknown_modes_are_refused(
    environment: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shown, told = environment('toy', render_mode='human'), environment('toy', render_mode='ansi')
    for env in (shown, told):
        env.reset(seed=1)
    assert capsys.readouterr().out == f'{told.render()}\n'
    for env in (shown, told):
        env.step(0)
    assert capsys.readouterr().out == f'{told.render()}\n'
    assert shown.render() is None
    with pytest.raises(GameError, match="rendered as one of human, ansi, svg, not as 'rgb_array'"):
        environment('toy', render_mode='rgb_array')


@pytest.mark.parametrize(('name', 'players'), EACH)
def test_gymnasium_finds_nothing_to_complain_about(name: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        warnings.filterwarnings('ignore', message='.*(render|spec|namespace).*')
        check_env(SeatEnv(name, players, opponents='random', seat=players - 1), skip_render_check=True)


@pytest.mark.parametrize('name', NAMES)
def test_an_environment_plays_our_games_and_shows_what_a_seat_knows(name: str) -> None:
    game, env = load(name), AEC(name)
    env.reset(seed=5)
    position = Position(game, start(game, seed=5))
    rng, expected = np.random.default_rng(1), np.zeros(game.observation_size)
    while not position.over and position.state.turn < 30:
        assert env.agent_selection == f'player_{position.to_move}'
        for seat, agent in enumerate(env.agents):
            seen = env.observe(agent)
            game.kernels.observe(as_known(game, position.state, seat), seat, expected)
            assert np.array_equal(seen['observation'], expected.astype(np.float32))
            legal = position.actions() if seat == position.to_move else []
            assert np.flatnonzero(seen['action_mask']).tolist() == legal
        action = int(rng.choice(position.actions()))
        position.apply(action)
        env.step(action)


@pytest.mark.parametrize(('name', 'options'), [('toy', {}), ('myrmidons', {'army': 'secret'})])
def test_nobody_sees_that_another_has_chosen_in_secret(name: str, options: dict[str, Any]) -> None:
    env = AEC(name, options=options)
    env.reset(seed=3)
    state, sealed = env.table.position.state, env.table.game.sealed
    assert state.phase in sealed
    before = env.observe('player_1')['observation']
    steps = 0
    while env.agent_selection == 'player_0':
        assert np.array_equal(before, env.observe('player_1')['observation'])
        env.step(int(np.flatnonzero(env.observe('player_0')['action_mask'])[0]))
        steps += 1
    assert steps
    assert state.phase in sealed
    assert np.array_equal(before, env.observe('player_1')['observation'])


def test_rewards_add_up_to_nothing_and_come_at_the_end() -> None:
    env = AEC('octiles', 3)
    env.reset(seed=2)
    total = dict.fromkeys(env.agents, 0.0)
    rng = np.random.default_rng(2)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        total[agent] += reward
        env.step(None if over else int(rng.choice(np.flatnonzero(seen['action_mask']))))
    assert sorted(total.values()) == [-0.5, -0.5, 1.0]
    assert total == dict(zip(total, env.table.rewards(), strict=True))


def test_a_game_is_broken_off_after_so_many_turns() -> None:
    env, rng = AEC('octiles', max_turns=3), np.random.default_rng(3)
    env.reset(seed=1)
    turns = 0
    for _ in env.agent_iter():
        seen, reward, over, broken_off, _ = env.last()
        assert not over
        assert reward == 0
        turns = int(env.table.position.state.turn)
        env.step(None if broken_off else int(rng.choice(np.flatnonzero(seen['action_mask']))))
    assert turns == 3


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = AEC('octiles')
    env.reset(seed=1)
    before = env.observe('player_0')
    illegal = int(np.flatnonzero(before['action_mask'] == 0)[0])
    for wrong in (illegal, -1, 10**6):
        with pytest.raises(GameError, match='not legal'):
            env.step(wrong)
    alone = SeatEnv('octiles', opponents='random')
    alone.reset(seed=1)
    for one in (env, alone):
        legal = int(np.flatnonzero(one.table.observe(0)['action_mask'])[0])
        with pytest.raises(TypeError, match='integer'):
            one.step(legal + 0.5)  # type: ignore[arg-type]
    assert all(np.array_equal(before[key], env.observe('player_0')[key]) for key in before)


def test_an_illegal_action_loses_where_a_learner_is_to_learn_that() -> None:
    env = SeatEnv('octiles', opponents='random')
    seen, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(seen['action_mask'] == 0)[0])
    _, reward, over, broken_off, info = env.step(illegal)
    assert (reward, over, broken_off) == (-1.0, True, False)
    assert 'not legal' in info['illegal']
    with pytest.raises(GameError, match='over'):
        env.step(illegal)
    refusing = SeatEnv('octiles', opponents='random', illegal='refuse')
    refusing.reset(seed=1)
    with pytest.raises(GameError, match='not legal'):
        refusing.step(illegal)


def played(opponents: str, seed: int) -> tuple[float, list[int]]:
    """The reward of a seat that plays its first legal action, and how many it had each time."""
    env, counts = SeatEnv('toy', 3, opponents=opponents, seat=1), []
    seen, _ = env.reset(seed=seed)
    over, reward = False, 0.0
    while not over:
        legal = np.flatnonzero(seen['action_mask'])
        counts.append(len(legal))
        seen, reward, over, broken_off, _ = env.step(int(legal[0]))
        assert not broken_off
    return reward, counts


@pytest.mark.parametrize('opponents', ['random', 'yardstick', 'expert:20'])
def test_bots_have_the_other_seats_and_play_the_same_for_the_same_seed(opponents: str) -> None:
    assert played(opponents, 4) == played(opponents, 4)
    assert played(opponents, 4)[1] != played(opponents, 5)[1]


@pytest.mark.parametrize(
    ('given', 'sentence'),
    [
        ({'game': 'chess'}, 'no game'),
        ({'players': 9}, '2 to'),
        ({'options': {'speed': 1}}, 'speed'),
        ({'seat': 2}, 'no seat 2'),
        ({'opponents': 'deep-thought'}, 'deep-thought'),
        ({'illegal': 'shrug'}, 'lose, refuse'),
    ],
)
def test_what_there_is_not_is_said_in_a_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        SeatEnv(**{'game': 'octiles', 'players': 2, **given})
