"""Rows of games: the same whatever the cut, nothing finished is lost, and nothing is half-written."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ludoteca.game import GameError, load
from ludoteca.research import rows as module
from ludoteca.research.rows import write_rows
from ludoteca.research.simulate import Job, simulate
from tests.cli.conftest import Run, run
from tests.width import width

__all__ = ['run']
pq = pytest.importorskip('pyarrow.parquet')


def games(folder: Path) -> list[dict[str, Any]]:
    return sorted(pq.read_table(folder / 'games').to_pylist(), key=lambda row: row['game'])


def turns(folder: Path) -> list[dict[str, Any]]:
    return sorted(pq.read_table(folder / 'turns').to_pylist(), key=lambda row: (row['game'], row['turn']))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob('*/*'))


@pytest.mark.parametrize(
    'name', ['toy', *width(['octiles'], ['octiles', 'mykerinos', 'myriath', 'myraclia'])]
)
def test_rows_are_the_same_whatever_the_cut(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job.of(name, seed='cut')
    write_rows(tmp_path / 'whole', job, 0, 60, each_turn=True)
    monkeypatch.setattr(module, 'TURN_SHARD', 16)
    for first, n in ((40, 20), (0, 10), (5, 50)):
        write_rows(tmp_path / 'cut', job, first, n, each_turn=True, threads=2)
    assert games(tmp_path / 'cut') == games(tmp_path / 'whole')
    assert turns(tmp_path / 'cut') == turns(tmp_path / 'whole')
    assert [row['game'] for row in games(tmp_path / 'cut')] == list(range(60))


def test_a_row_says_what_the_simulation_says(tmp_path: Path) -> None:
    job = Job.of('toy', 3, seed=7)
    found = write_rows(tmp_path / 'rows', job, 2, 5)
    expected = simulate('toy', 3, 5, 7, first=2)
    assert found.summary() == expected.summary()
    for i, row in enumerate(games(tmp_path / 'rows')):
        assert (row['game'], row['seed'], row['by_2']) == (2 + i, '7', 'chance')
        assert row['ending'] == expected.names[expected.endings[i] - 1]
        assert [row[f'outcome_{seat}'] for seat in range(3)] == expected.outcomes[i].tolist()
        assert [row[f'score_{seat}'] for seat in range(3)] == expected.scores[i].tolist()
        assert [row[f'spent_{seat}'] for seat in range(3)] == expected.measures[i, :, 1].tolist()
        assert (row['began'], row['turns'], row['actions']) == (
            expected.began[i],
            expected.turns[i],
            expected.actions[i],
        )
        assert row['branching_mean'] * row['actions'] == pytest.approx(expected.branching[i, 0])
        assert row['branching_max'] == expected.branching[i, 1]


@pytest.mark.parametrize('executor', [False, True])
def test_games_that_stand_in_two_files_count_once(executor: bool, tmp_path: Path) -> None:
    job, folder = Job.of('toy', 3, seed=7), tmp_path / 'rows'
    for first, n in ((4, 8), (0, 30), (20, 15)):  # each played by a command that saw nothing of the others
        write_rows(tmp_path / f'{first}', job, first, n)
        (folder / 'games').mkdir(parents=True, exist_ok=True)
        for file in (tmp_path / f'{first}').glob('games/*'):
            file.replace(folder / 'games' / file.name)
    (tmp_path / '0' / module.MANIFEST).replace(folder / module.MANIFEST)
    assert len(games(folder)) == 8 + 30 + 15
    with ThreadPoolExecutor(2) as threads:
        found = write_rows(folder, job, 2, 38, executor=threads if executor else None)
        assert found.played == 5
        assert found.summary(threads if executor else None) == simulate('toy', 3, 38, 7, first=2).summary()


@pytest.mark.parametrize('by', ['chance', 'random,yardstick'])
def test_turns_add_up_to_their_games(by: str, tmp_path: Path) -> None:
    write_rows(tmp_path / 'rows', Job.of('octiles', by=by), 0, 3, each_turn=True)
    by_game: dict[int, list[dict[str, Any]]] = {}
    for row in turns(tmp_path / 'rows'):
        by_game.setdefault(row['game'], []).append(row)
    for game in games(tmp_path / 'rows'):
        mine = by_game.pop(game['game'])
        assert [row['turn'] for row in mine] == list(range(1, game['turns'] + 1))
        assert sum(row['actions'] for row in mine) == game['actions']
        assert mine[0]['seat'] == game['began']
        assert all(0 < row['branching'] <= game['branching_max'] for row in mine)
        assert [mine[-1][f'score_{seat}'] for seat in range(2)] == [
            game[f'score_{seat}'] for seat in range(2)
        ]
    assert not by_game


def test_what_is_there_is_not_played_again(tmp_path: Path) -> None:
    job, counted = Job.of('toy'), list[int]()
    write_rows(tmp_path / 'rows', job, 0, 30)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob('*.parquet')}
    again = write_rows(tmp_path / 'rows', job, 10, 30, progress=counted.append)
    assert (again.played, sum(counted)) == (10, 30)
    assert before.items() <= {path: path.stat().st_mtime_ns for path in tmp_path.rglob('*.parquet')}.items()


def stop_after(n: int) -> Callable[[int], None]:
    """A progress that stops the program once so many games are finished."""
    left = [n]

    def progress(done: int) -> None:
        left[0] -= done
        if left[0] <= 0:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize(('by', 'threads'), [('chance', 1), ('chance', 2), ('easy:2,random', 1)])
def test_ctrl_c_loses_no_finished_game(
    by: str, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr('ludoteca.research.random_play.BLOCK', 16)
    monkeypatch.setattr('ludoteca.research.random_play.PIECE', 0.0)
    job = Job.of('toy', 2, by=by)
    with pytest.raises(KeyboardInterrupt):
        write_rows(tmp_path / 'rows', job, 0, 100, each_turn=True, threads=threads, progress=stop_after(20))
    assert len(games(tmp_path / 'rows')) >= 20
    assert not list(tmp_path.rglob('*.part'))
    found = write_rows(tmp_path / 'rows', job, 0, 100, each_turn=True)
    assert found.played < 100
    write_rows(tmp_path / 'whole', job, 0, 100, each_turn=True)
    assert games(tmp_path / 'rows') == games(tmp_path / 'whole')
    assert turns(tmp_path / 'rows') == turns(tmp_path / 'whole')


def test_turns_whose_games_were_not_written_do_not_stay(tmp_path: Path) -> None:
    """The program was killed between the two files; then it goes on with another cut."""
    job = Job.of('toy')
    write_rows(tmp_path / 'rows', job, 0, 10, each_turn=True)
    expected = turns(tmp_path / 'rows')
    (file,) = (tmp_path / 'rows/games').iterdir()
    file.rename(file.with_suffix('.part'))
    for first in (0, 5):
        write_rows(tmp_path / 'rows', job, first, 5, each_turn=True)
    assert turns(tmp_path / 'rows') == expected
    assert len(files(tmp_path / 'rows')) == 4


@pytest.mark.parametrize(
    ('other', 'key'),
    [
        ({'seed': 2}, 'seed is 1, not 2'),
        ({'players': 3}, 'players is 2, not 3'),
        ({'by': 'yardstick'}, 'by is "chance"'),
        ({'lists': False}, 'lists is true, not false'),
    ],
)
def test_a_folder_takes_the_games_of_one_simulation(other: dict[str, Any], key: str, tmp_path: Path) -> None:
    first: dict[str, Any] = {'seed': 1, 'players': 2}
    write_rows(tmp_path / 'rows', Job.of('toy', **first), 0, 2)
    before = files(tmp_path / 'rows')
    with pytest.raises(GameError, match=key):
        write_rows(tmp_path / 'rows', Job.of('toy', **{**first, **other}), 2, 2)
    assert files(tmp_path / 'rows') == before


@pytest.mark.parametrize('text', ['{}', '[]', 'no JSON', '{"format": 99}'])
def test_a_folder_that_holds_something_else_is_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / 'simulation.json').write_text(text)
    with pytest.raises(GameError, match='something else'):
        write_rows(tmp_path, Job.of('toy'), 0, 2)
    assert [path.name for path in tmp_path.iterdir()] == ['simulation.json']


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / 'rows').write_text('mine')
    with pytest.raises(GameError, match='something else'):
        write_rows(tmp_path / 'rows', Job.of('toy'), 0, 2)
    assert (tmp_path / 'rows').read_text() == 'mine'


def test_without_pyarrow_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, 'pq', None)
    with pytest.raises(GameError, match='extra `research`'):
        write_rows(tmp_path / 'rows', Job.of('toy'), 0, 2)
    assert not (tmp_path / 'rows').exists()


def test_the_command_goes_on_with_the_seed_of_the_folder(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / 'rows'
    command = ('simulate', 'toy', '--out', folder, '--threads', 1, '--games')
    assert '4 games played now, 0 were there' in run(*command, 4).out
    seed = json.loads((folder / 'simulation.json').read_text())['seed']
    answer = run(*command, 6, '--json').json()
    assert (answer['seed'], answer['games']) == (seed, 6)
    assert answer == simulate(load('toy'), games=6, seed=seed).summary()
