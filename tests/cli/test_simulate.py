"""`simulate`: the same games whatever the chunks and threads, and figures that fit together."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from ludoteca.game import Game, GameError, games, load
from ludoteca.research import simulate as module
from ludoteca.research.simulate import Simulation, Uniform, simulate
from tests.cli.conftest import Run

KEYS = {'game', 'players', 'games', 'seed', 'uniform', 'options', 'turns', 'wins', 'draws', 'scores', 'endings', 'actions'}


def same(a: Simulation, b: Simulation, n: int) -> bool:
    """Are the first n games the same?"""
    return all(np.array_equal(getattr(a, name)[:n], getattr(b, name)[:n])
               for name in ('turns', 'actions', 'endings', 'outcomes', 'scores'))


@pytest.mark.parametrize('name', games())
@pytest.mark.parametrize('uniform', ['actions', 'turns'])
def test_games_do_not_depend_on_chunks_or_threads(name: str, uniform: Uniform, monkeypatch: pytest.MonkeyPatch) -> None:
    if uniform == 'turns' and not load(name).lists_turns:
        with pytest.raises(GameError, match='too many'):
            simulate(name, games=60, seed=3, uniform=uniform)
        return
    expected = simulate(name, games=60, seed=3, uniform=uniform)
    assert same(expected, simulate(name, games=25, seed=3, uniform=uniform), 25)
    monkeypatch.setattr(module, 'BLOCK', 7)
    assert same(expected, simulate(name, games=60, seed=3, uniform=uniform, threads=3), 60)
    monkeypatch.setattr(module, 'PIECE', 0.0)               # chunks of the smallest size, in the middle of games
    assert same(expected, simulate(name, games=60, seed=3, uniform=uniform), 60)
    assert not same(expected, simulate(name, games=60, seed=4, uniform=uniform), 60)


@pytest.mark.parametrize('name', games())
def test_figures_fit_together(name: str) -> None:
    game = load(name)
    for players in game.players:
        result = simulate(game, players, games=40, seed=1, lists=False)
        figures = result.summary()
        assert figures.keys() == KEYS
        assert np.allclose(result.outcomes.sum(axis=1), 1)
        assert sum(figures['wins']) + figures['draws'] == pytest.approx(1)
        assert sum(figures['endings'].values()) == pytest.approx(1)
        assert tuple(figures['endings']) == game.endings
        assert len(figures['wins']) == players
        assert figures['turns']['median'] <= figures['turns']['max']
        assert (result.actions >= result.turns).all()
        if game.max_turns is not None:
            assert figures['turns']['max'] <= game.max_turns


def test_progress_counts_every_game() -> None:
    seen: list[int] = []
    simulate('octiles', games=300, seed=1, uniform='turns', threads=2, progress=seen.append)
    assert sum(seen) == 300


def test_whole_turns_are_refused_where_they_cannot_be_drawn() -> None:
    game = load('octiles')

    class Unlistable(type(game)):       # type: ignore[misc]
        lists_turns = False
    other: Game = Unlistable()
    with pytest.raises(GameError, match='too many'):
        simulate(other, games=1, uniform='turns')


def test_the_command_prints_json_and_nothing_else(run: Run) -> None:
    answer = run('simulate', 'octiles', '--players', 3, '--games', 50, '--seed', 9, '--uniform', 'turns', '--json')
    assert (answer.status, answer.err) == (0, '')
    figures = answer.json()
    assert figures.keys() == KEYS
    assert figures['turns'].keys() == {'mean', 'median', 'max'}
    assert figures['scores'].keys() == {'mean', 'winner'}
    assert figures == simulate('octiles', 3, 50, 9, 'turns').summary()
    assert run('simulate', 'octiles', '--players', 3, '--games', 50, '--seed', 9, '--uniform', 'turns', '--json',
               '--threads', 2).out == answer.out


def test_the_command_without_a_seed_says_which_it_drew(run: Run) -> None:
    drawn = run('simulate', 'octiles', '--games', 5, '--json').json()
    again = run('simulate', 'octiles', '--games', 5, '--json', '--seed', drawn['seed']).json()
    assert drawn == again


def test_the_command_takes_options_and_prints_a_table(run: Run) -> None:
    answer = run('simulate', 'octiles', '--games', 300, '--seed', 1, '-O', 'repetition=true')
    assert answer.status == 0
    assert 'repetition' in answer.out
    assert 'Blue wins alone' in answer.out


def test_the_result_knows_its_options() -> None:
    options = load('octiles').options.read({'repetition': True})
    result = simulate('octiles', games=10, options=options)
    assert result.summary()['options'] == {'repetition': True}
    assert dataclasses.is_dataclass(result)
    assert len(result) == 10
