"""The search finds what there is to find, says how sure it is, and never knows more than its seat."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Game, GameError, State
from ludoteca.search import FROZEN, LEVELS, SearchResult, SearchSettings, stopped_by, think
from ludoteca.search.nodes import make_rules

OCTILES, TOY = contract.load('octiles'), contract.load('toy')

# Seat 0 is to move and has four runners home. Enumeration of all turns and replies: exactly the two turns of
# WINNING lead to a win in the next turn whatever seat 1 does, and no turn wins at once.
TWO_TURNS = {
    'game': 'octiles',
    'players': 2,
    'to_move': 0,
    'turn': 34,
    'tiles': {
        'a2': [9, 1],
        'a3': [17, 1],
        'b2': [13, 2],
        'b3': [16, 0],
        'b4': [10, 1],
        'c1': [11, 0],
        'c2': [8, 0],
        'c3': [4, 2],
        'c4': [1, 0],
        'd1': [14, 1],
        'd2': [3, 0],
        'd3': [5, 0],
        'd4': [15, 0],
        'e3': [12, 5],
        'e4': [2, 1],
    },
    'stack': [7, 18, 6],
    'known': 2,
    'runners': {'D5': 1, 'E3': 0, 'A2': 1, 'A3': 1, 'A4': 1, 'A5': 1, 'F6': 0, 'F5': 0, 'F3': 0, 'F2': 0},
}
WINNING = {'d3:6 E3-D4', 'd3:7 E3-D4'}


def play_turn(position: contract.Position, simulations: int, settings: SearchSettings | None = None) -> str:
    """Let the search play a whole turn; returns its name."""
    names, turn = [], position.state.turn
    while position.state.turn == turn and not position.over:
        result = think(position.game, position.state, simulations=simulations, settings=settings, seed=1)
        names.append(result.names[result.best])
        position.apply(result.action)
    return ' '.join(names)


def facts(result: SearchResult) -> tuple[object, ...]:
    """All of a result but its time."""
    return result.actions, result.visits, repr(result.values), result.line, result.simulations


def some_states(game: Game, players: int, seed: str, most: int = 40) -> list[State]:
    """The states of a game played at random."""
    out = np.empty(game.max_legal, np.int32)
    states: list[State] = []
    state = contract.start(game, players, seed)
    rng = np.random.default_rng(len(seed))
    while not state.ending and len(states) < most:
        states.append(state.copy())
        game.kernels.apply(state, int(rng.choice(out[: game.kernels.legal_actions(state, out)])))
    return states


def test_the_same_hidden_state_seed_and_simulations_give_the_same_result() -> None:
    for game in (OCTILES, TOY):
        state = some_states(game, 2, 'same', 15)[-1]
        first, again, other = (facts(think(game, state, simulations=700, seed=seed)) for seed in (5, 5, 6))
        assert first == again
        assert first != other


@pytest.mark.parametrize('players', [2, 3, 4])
def test_the_truth_behind_a_hidden_state_changes_nothing(players: int) -> None:
    """Every world that the seat cannot tell from the true one gives the same search; chance to come is part
    of the world."""
    for game in (OCTILES, TOY):
        work = game.Work.new()
        for k, state in enumerate(some_states(game, players, 'truth', 12)[::3]):
            seat = int(state.to_move)
            hidden = state.copy()
            game.kernels.hide(hidden, seat)
            expected = facts(think(game, hidden, simulations=300, seed=k))
            assert facts(think(game, state, simulations=300, seed=k)) == expected
            for seed in (1, 2):
                world = hidden.copy()
                game.kernels.prepare(hidden, seat, work)
                game.kernels.guess(world, seat, seed, work)
                assert facts(think(game, world, simulations=300, seed=k)) == expected


@pytest.mark.smoke
def test_a_win_in_one_turn_is_found() -> None:
    """In the position after the forced turn and every reply the search wins at once."""
    before = contract.position(TWO_TURNS).after('d3:6 E3-D4')
    for reply in before.turns()[::7]:
        position = before.copy().after(reply)
        play_turn(position, 500)
        assert position.ending == 'home'
        assert position.outcome() == [1, 0]


def test_a_win_in_two_turns_is_found() -> None:
    position = contract.position(TWO_TURNS)
    assert play_turn(position, 4000, LEVELS['expert'].settings) in WINNING


def test_a_forced_win_is_valued_as_one() -> None:
    result = think(
        OCTILES, contract.position(TWO_TURNS).state, simulations=20_000, settings=LEVELS['expert'].settings
    )
    assert result.expected[0] > 0.9
    assert result.json()['actions'][0]['name'] == result.line[0]


@pytest.mark.parametrize(
    'settings',
    [
        SearchSettings(),
        SearchSettings(expand_at=1),
        SearchSettings(sharpness=0),
        SearchSettings(sharpness=0, playout=-1),
        SearchSettings(playout=3),
        SearchSettings(most_codes=1),
    ],
)
@pytest.mark.parametrize('name', ['octiles', 'toy'])
def test_every_setting_yields_all_legal_actions_and_sound_numbers(
    name: str, settings: SearchSettings
) -> None:
    game, out = contract.load(name), np.empty(contract.load(name).max_legal, np.int32)
    for players in (2, 3):
        for state in some_states(game, players, 'sound')[::13]:
            result = think(game, state, simulations=150, settings=settings, seed=3)
            assert list(result.actions) == out[: game.kernels.legal_actions(state, out)].tolist()
            assert [game.action_from_name(state, text) for text in result.names] == list(result.actions)
            assert sum(result.visits) == result.simulations == 150
            assert result.visits[result.best] == max(result.visits)
            assert math.isclose(sum(result.expected), 1, abs_tol=1e-6)
            assert result.line[0] == result.names[result.best]
            assert result.ranking()[0] == result.best


def test_more_threads_than_simulations_answer_too() -> None:
    assert think(TOY, contract.start(TOY, 2, 1), simulations=1, threads=2).simulations == 1


def test_trees_of_several_threads_are_merged_in_games_with_secrets() -> None:
    state = some_states(TOY, 2, 'merge', 15)[-1]
    one, two = (think(TOY, state, simulations=1001, seed=9, threads=threads) for threads in (1, 2))
    assert two.simulations == sum(two.visits) == 1001
    assert two.visits != one.visits
    assert facts(two) == facts(think(TOY, state, simulations=1001, seed=9, threads=2))


def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree goes on where it was: the number of simulations counts, not how they were handed out."""
    state = some_states(OCTILES, 2, 'chunk', 15)[-1]
    whole = think(OCTILES, state, simulations=999, seed=4)
    monkeypatch.setattr('ludoteca.search.thinking.CHUNK', 7)
    assert facts(think(OCTILES, state, simulations=999, seed=4)) == facts(whole)


@pytest.mark.interpreted
@pytest.mark.parametrize('name', ['toy', 'myrmidons'])
def test_searches_play_legal_actions_only_where_simulations_share_a_guess(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, applied = contract.load(name), 0
    legal = np.empty(game.max_legal, np.int32)

    def apply(s: State, action: int) -> None:
        nonlocal applied
        applied += 1
        assert action in legal[: game.kernels.legal_actions(s, legal)]
        game.kernels.apply(s, action)

    for module in ('secret_walk', 'simulate'):
        monkeypatch.setattr(f'ludoteca.search.{module}.EACH', 4)
    kernels = {**game.editions.get('', {}), 'apply': apply}
    monkeypatch.setattr(type(game), 'editions', {**game.editions, 'legal': kernels})
    for state in some_states(game, 2, 'legal', 36)[3::4]:
        think(game, state, simulations=40, settings=SearchSettings(edition='legal', expand_later_at=2))
    assert applied > 200


def test_a_search_ends_in_time() -> None:
    state = some_states(OCTILES, 2, 'time', 15)[-1]
    think(OCTILES, state, simulations=10)
    for limits in (
        {'seconds': 0.05},
        {'deadline': time.monotonic() + 0.05},
        {'deadline': time.monotonic() - 1},
    ):
        begin = time.monotonic()
        result = think(OCTILES, state, seed=0, **limits)  # type: ignore[arg-type]
        assert time.monotonic() - begin < 2
        assert result.simulations >= 1


def test_a_search_can_be_stopped() -> None:
    state = some_states(OCTILES, 2, 'stop', 15)[-1]
    with stopped_by(lambda: True):
        assert think(OCTILES, state, simulations=10**9).simulations < 10_000


def test_a_tree_without_room_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('ludoteca.search.thinking.MOST_NODES', 200)
    for game in (OCTILES, TOY):
        result = think(game, some_states(game, 2, 'room', 15)[-1], simulations=2000)
        assert sum(result.visits) == 2000


WITHOUT_A_SEARCH: list[tuple[dict[str, Any], str]] = [
    ({'simulations': 0}, 'at least one simulation, not 0'),
    ({'simulations': -1}, 'at least one simulation, not -1'),
    ({'simulations': 1, 'threads': 0}, 'at least one thread, not 0'),
    ({'seconds': -1}, 'zero seconds or more, not -1'),
    ({'seconds': math.nan}, 'zero seconds or more, not nan'),
]


def test_a_position_that_cannot_be_searched_is_refused() -> None:
    state = contract.start(OCTILES, 2, 1)
    with pytest.raises(GameError, match='Seat 0 is to move'):
        think(OCTILES, state, 1, simulations=1)
    with pytest.raises(GameError, match='a number of simulations, a time'):
        think(OCTILES, state)
    for limits, sentence in WITHOUT_A_SEARCH:
        with pytest.raises(GameError, match=sentence):
            think(OCTILES, state, **limits)
    state.ending = 1
    with pytest.raises(GameError, match='over'):
        think(OCTILES, state, simulations=1)


def test_the_main_line_can_be_played() -> None:
    for game in (OCTILES, TOY):
        for state in some_states(game, 3, 'line')[::9]:
            result = think(game, state, simulations=2000)
            trial = contract.Position(game, state.copy())
            for name in result.line:
                trial.play(name)


def test_the_main_line_has_both_of_two_forced_actions_that_are_alike() -> None:
    mykerinos, checked = contract.load('mykerinos'), 0
    for seed in range(10):
        for state in some_states(mykerinos, 4, f'alike {seed}', 1000):
            position = contract.Position(mykerinos, state.copy())
            forced = position.actions()
            position.apply(forced[0])
            if len(forced) == 1 and not position.over and position.actions() == forced:
                position = contract.Position(mykerinos, state.copy())
                line = think(mykerinos, state, simulations=40).line
                for name in line:
                    position.play(name)
                checked += len(line) > 2
    assert checked > 5


def test_more_seats_share_values_so_estimates_count_more_and_curiosity_less() -> None:
    two, four = (make_rules(SearchSettings(), OCTILES, players) for players in (2, 4))
    assert (two.exploration, two.sharpness) == (SearchSettings().exploration, SearchSettings().sharpness)
    assert (four.exploration, four.sharpness) == (two.exploration / 2, two.sharpness * 2)
    frozen = make_rules(FROZEN['expert-1'].settings, OCTILES, 4)
    assert (frozen.exploration, frozen.sharpness) == (0.7, 5.0)
