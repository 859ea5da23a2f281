"""`simulate`: the same games whatever the chunks and threads, and figures that fit together."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from ludoteca.cli.common import number
from ludoteca.game import Game, GameError, Position, games, load
from ludoteca.kernel import below, mix, seed_number
from ludoteca.research import bot_games, random_play
from ludoteca.research.random_play import Results
from ludoteca.research.simulate import Simulation, Uniform, simulate
from ludoteca.search import SearchResult, as_known, make_bot, think
from tests.cli.conftest import Run
from tests.width import width

KEYS = {
    'game',
    'players',
    'games',
    'seed',
    'by',
    'uniform',
    'options',
    'turns',
    'wins',
    'draws',
    'first',
    'wins_of_the_first',
    'scores',
    'measures',
    'endings',
    'actions',
    'branching',
}


def same(a: Simulation, b: Simulation, n: int) -> bool:
    """Are the first n games the same?"""
    return all(np.array_equal(getattr(a, name)[:n], getattr(b, name)[:n]) for name in Results._fields)


@pytest.mark.parametrize('name', games())
@pytest.mark.parametrize('uniform', ['actions', 'turns'])
def test_games_do_not_depend_on_chunks_or_threads(
    name: str, uniform: Uniform, monkeypatch: pytest.MonkeyPatch
) -> None:
    if uniform == 'turns' and not load(name).lists_turns:
        with pytest.raises(GameError, match='too many'):
            simulate(name, games=60, seed=3, uniform=uniform)
        return
    expected = simulate(name, games=60, seed=3, uniform=uniform)
    assert same(expected, simulate(name, games=25, seed=3, uniform=uniform), 25)
    monkeypatch.setattr(random_play, 'BLOCK', 7)
    assert same(expected, simulate(name, games=60, seed=3, uniform=uniform, threads=3), 60)
    # chunks of the smallest size, in the middle of games
    monkeypatch.setattr(random_play, 'PIECE', 0.0)
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
        assert tuple(figures['measures']) == game.measures
        assert result.measures.shape == (40, players, len(game.measures))
        assert len(figures['wins']) == players
        assert figures['turns']['median'] <= figures['turns']['max']
        assert (result.actions >= result.turns).all()
        if game.max_turns is not None:
            assert figures['turns']['max'] <= game.max_turns


def test_games_are_measured_beyond_their_points(run: Run) -> None:
    result = simulate('toy', 3, games=200, seed=1)
    rounds, spent = result.measures[..., 0], result.measures[..., 1]
    assert np.array_equal(rounds, np.broadcast_to(np.ceil(result.turns / 3)[:, None], (200, 3)))
    assert (spent.min(), spent.max()) == (0, 5)
    figures = result.summary()['measures']
    assert (
        figures['rounds']['mean']
        == pytest.approx(figures['rounds']['winner'])
        == pytest.approx(rounds.mean())
    )
    assert figures['spent'] == pytest.approx(
        {'mean': spent.mean(), 'winner': (spent * result.outcomes).sum(axis=1).mean()}
    )
    command = ('simulate', 'toy', '--players', 3, '--games', 200, '--seed', 1)
    assert run(*command, '--json').json()['measures'] == figures
    table = ' '.join(run(*command).out.split())
    for name, words in (('rounds', 'rounds'), ('spent', 'coins spent')):
        assert (
            f'{words} mean {number(figures[name]["mean"])}, winner {number(figures[name]["winner"])}' in table
        )


def test_progress_counts_every_game() -> None:
    seen: list[int] = []
    simulate('octiles', games=300, seed=1, uniform='turns', threads=2, progress=seen.append)
    assert sum(seen) == 300


def test_whole_turns_are_refused_where_they_cannot_be_drawn() -> None:
    game = load('octiles')

    class Unlistable(type(game)):  # type: ignore[misc]
        lists_turns = False

    other: Game = Unlistable()
    with pytest.raises(GameError, match='too many'):
        simulate(other, games=1, uniform='turns')


# ---- by yardstick ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(('name', 'players'), [('octiles', 3), ('mykerinos', 4), ('toy', 3)])
def test_a_game_by_yardstick_is_the_same_whatever_the_number_of_games(name: str, players: int) -> None:
    seen: list[int] = []
    n = width(4, 12)
    expected = simulate(name, players, n, 3, by='yardstick', progress=seen.append)
    assert seen == [1] * n
    assert same(expected, simulate(name, players, n // 2, 3, by='yardstick'), n // 2)
    assert not same(expected, simulate(name, players, n, 4, by='yardstick'), n)
    figures = expected.summary()
    assert figures.keys() == KEYS
    assert (figures['by'], figures['uniform']) == (','.join(['yardstick'] * players), None)
    assert np.allclose(expected.outcomes.sum(axis=1), 1)
    assert sum(figures['endings'].values()) == pytest.approx(1)
    assert (expected.actions >= expected.turns).all()


def test_yardsticks_play_better_than_chance() -> None:
    assert (
        simulate('octiles', 2, 20, 1, by='yardstick').turns.mean()
        < simulate('octiles', 2, 20, 1).turns.mean() / 3
    )
    assert (
        simulate('mykerinos', 3, 20, 1, by='yardstick').scores.mean()
        > 1.3 * simulate('mykerinos', 3, 20, 1).scores.mean()
    )


@pytest.mark.parametrize('name', ['octiles', 'mykerinos'])
def test_the_yardstick_plays_as_the_bot_of_that_name_does_step_by_step(name: str) -> None:
    game, bot, result = load(name), make_bot('yardstick'), simulate(name, games=4, seed=5, by='yardstick')
    for i in range(4):
        s: Any = game.State.new()
        game.kernels.setup(
            s,
            result.players,
            result.options.encode(),
            np.array([mix(seed_number(5), 4 * i + k) for k in range(4)], np.int64),
        )
        steps = 0
        while not s.ending:
            game.kernels.apply(
                s, bot.choose(game, as_known(game, s, int(s.to_move)), int(s.to_move), 0, None)
            )
            steps += 1
        assert (s.turn, steps, s.ending) == (result.turns[i], result.actions[i], result.endings[i])
        assert Position(game, s).scores() == result.scores[i].tolist()


def test_games_without_chance_begin_by_lot() -> None:
    """An opening of Myriath and a line-up of Myrmidons would always be the same, and the games with them."""
    for name in ('myriath', 'myrmidons'):
        result = simulate(name, games=width(2, 6), seed=2, by='yardstick')
        assert (
            len(
                {
                    tuple(row)
                    for row in np.column_stack((result.turns, result.actions, result.scores)).tolist()
                }
            )
            > 1
        )
        assert same(result, simulate(name, games=1, seed=2, by='yardstick'), 1)


def test_the_yardstick_knows_no_more_than_its_seat() -> None:
    game = load('toy')
    asked = []

    class Watched(type(game)):  # type: ignore[misc]
        def yardstick(self, s: Any) -> tuple[int, ...]:
            others = [seat for seat in range(s.players) if seat != s.to_move]
            assert (s.hand[others] == -1).all()
            assert s.phase not in self.sealed or (s.bid[:] < 0).all(), 'what others have sealed is seen'
            asked.append(int(s.phase))
            return tuple(super().yardstick(s))

    watched: Game = Watched()
    assert same(simulate(watched, 3, 4, 1, by='yardstick'), simulate(game, 3, 4, 1, by='yardstick'), 4)
    assert set(asked) == {0, 1}, 'bids and whole turns'


@pytest.mark.parametrize('turn', [(), (-1,), (0, 0)])
def test_a_yardstick_that_does_not_play_by_the_rules_is_told_so(turn: tuple[int, ...]) -> None:
    game = load('octiles')

    class Wrong(type(game)):  # type: ignore[misc]
        def yardstick(self, s: Any) -> tuple[int, ...]:
            return turn

    wrong: Game = Wrong()
    with pytest.raises(GameError, match=r"'yardstick' chose .* not legal in turn 1 of game 0"):
        simulate(wrong, games=1, by='yardstick')


def test_a_game_by_yardstick_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_games, 'MOST_TURNS', 5)
    with pytest.raises(GameError, match=r'Game 0 .* not over after 5 turns'):
        simulate('octiles', games=1, by='yardstick')


def test_bots_sit_where_they_are_named_and_play_the_same_games_in_any_number_of_processes() -> None:
    by = 'yardstick,random'
    expected = simulate('octiles', games=6, seed=3, by=by)
    assert expected.summary()['wins'][0] == 1, 'the yardstick has the first seat'
    assert simulate('octiles', games=6, seed=3, by='random,yardstick').summary()['wins'][1] == 1
    assert same(expected, simulate('octiles', games=6, seed=3, by=by, threads=2), 6)
    assert same(simulate('octiles', games=2, seed=3, by=by, first=4), part(expected, 4), 2)


def test_a_bot_makes_as_many_simulations_as_are_named() -> None:
    named = simulate('octiles', games=1, seed=3, by='medium:8')
    assert same(named, simulate('octiles', games=1, seed=3, by='medium:8,medium:8'), 1)
    assert not same(named, simulate('octiles', games=1, seed=3, by='medium:64'), 1)


def test_levels_make_their_simulations_whatever_time_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their games would depend on the speed of the machine."""
    seen: list[float | None] = []

    def watched(*given: Any, **settings: Any) -> SearchResult:
        seen.append(settings['seconds'])
        return think(*given, **settings)

    monkeypatch.setattr('ludoteca.search.bots.think', watched)
    simulate('toy', games=1, seed=3, by='easy')
    assert seen
    assert set(seen) == {None}


def test_games_by_random_bots_are_games_by_chance() -> None:
    assert same(simulate('octiles', games=5, seed=3), simulate('octiles', games=5, seed=3, by='random'), 5)


@pytest.mark.parametrize('by', ['chance', 'yardstick'])
def test_games_begin_at_any_number(by: str) -> None:
    expected = simulate('mykerinos', games=8, seed=3, by=by)
    assert same(simulate('mykerinos', games=3, seed=3, by=by, first=5), part(expected, 5), 3)


def part(found: Simulation, first: int) -> Simulation:
    """The games from a number on."""
    return dataclasses.replace(found, **{name: getattr(found, name)[first:] for name in Results._fields})


def test_branching_is_counted_from_the_lists_of_legal_actions() -> None:
    game = load('octiles')
    found = simulate(game, games=1, seed=5)
    s: Any = game.State.new()
    seeds = np.array([mix(seed_number(5), k) for k in range(4)], np.int64)
    game.kernels.setup(s, 2, game.options().encode(), seeds)
    assert found.began[0] == s.to_move
    out, counts = np.empty(game.max_legal, np.int32), []
    while not s.ending:
        counts.append(game.kernels.legal_actions(s, out))
        game.kernels.apply(s, int(out[below(s, counts[-1])]))
    assert found.branching[0].tolist() == [sum(counts), max(counts)]
    figures = found.summary()['branching']
    assert figures == {'mean': sum(counts) / len(counts), 'max': max(counts)}
    assert simulate(game, games=1, seed=5, lists=False).summary()['branching'] is None


def test_the_command_plays_by_yardstick(run: Run) -> None:
    given = ('--players', 3, '--games', 10, '--seed', 1, '--by', 'yardstick')
    command = ('simulate', 'mykerinos', '--threads', 1, *given)
    answer = run(*command, '--json')
    assert (answer.status, answer.err) == (0, '')
    by = 'yardstick,yardstick,yardstick'
    assert answer.json() == simulate('mykerinos', 3, 10, 1, by=by).summary()
    assert '10 games of Mykerinos by yardstick, 3 players, seed 1' in run(*command).out


# ---- the command -------------------------------------------------------------------------------------------


def test_the_command_prints_json_and_nothing_else(run: Run) -> None:
    answer = run(
        'simulate', 'octiles', '--players', 3, '--games', 50, '--seed', 9, '--uniform', 'turns', '--json'
    )
    assert (answer.status, answer.err) == (0, '')
    figures = answer.json()
    assert figures.keys() == KEYS
    assert figures['turns'].keys() == {'mean', 'median', 'max'}
    assert figures['scores'].keys() == {'mean', 'winner'}
    assert figures == simulate('octiles', 3, 50, 9, 'turns').summary()
    assert (
        run(
            'simulate',
            'octiles',
            '--players',
            3,
            '--games',
            50,
            '--seed',
            9,
            '--uniform',
            'turns',
            '--json',
            '--threads',
            2,
        ).out
        == answer.out
    )


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
