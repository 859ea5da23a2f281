"""Studies: common seeds, paired differences, figures by their definitions, and nothing finished is lost."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import GameError, games, load
from ludoteca.match import files
from ludoteca.research import game_figures, intervals, study_rows
from ludoteca.research.arena import arena
from ludoteca.research.fingerprint import fingerprint, written
from ludoteca.research.game_figures import decided, drama, figures_of, lead_changes
from ludoteca.research.simulate import simulate
from ludoteca.research.study import Study
from ludoteca.research.study_report import write_report
from ludoteca.research.tournament import Tournament
from tests.cli.conftest import Run, Start, run, start
from tests.width import width

__all__ = ['run', 'start']
pq = pytest.importorskip('pyarrow.parquet')


def rows(folder: Path) -> list[dict[str, Any]]:
    return sorted(pq.read_table(folder).to_pylist(), key=lambda row: row['game'])


# ---- figures -----------------------------------------------------------------------------------------------

OPEN_GAME = np.array([[0.5, 0.5], [0.7, 0.3], [0.4, 0.6], [0.45, 0.55], [0.2, 0.8]])


def test_the_lead_changes_when_another_seat_is_clearly_ahead() -> None:
    assert lead_changes(OPEN_GAME) == 1
    assert lead_changes(np.array([[0.505, 0.495], [0.495, 0.505]])) == 0, 'so little is no lead'
    assert lead_changes(np.array([[0.6, 0.4], [0.495, 0.505], [0.6, 0.4]])) == 0, 'who led still does'
    assert lead_changes(np.zeros((0, 2))) == 0


def test_drama_is_how_far_behind_the_winner_was() -> None:
    assert drama(OPEN_GAME, 1) == pytest.approx(np.sqrt(0.4))
    assert drama(OPEN_GAME, 0) == pytest.approx(np.mean(np.sqrt([0.2, 0.1, 0.6])))
    assert drama(np.array([[0.5, 0.5], [0.9, 0.1]]), 0) == 0


def test_a_game_is_decided_when_its_winner_keeps_three_quarters() -> None:
    assert decided(OPEN_GAME, 1) == pytest.approx(5 / 6), 'after the fifth of six turns'
    assert decided(np.array([[0.9, 0.1], [0.8, 0.2]]), 0) == pytest.approx(1 / 3)
    assert decided(np.array([[0.9, 0.1], [0.7, 0.3]]), 0) == 1, 'only the last turn'


def test_a_game_without_a_sole_winner_has_no_drama() -> None:
    found = figures_of(OPEN_GAME, [0.5, 0.5], [3, 3])
    assert found[0] == 1
    assert np.isnan(found[1:3]).all()
    assert found[3] == 0
    assert figures_of(OPEN_GAME, [1, 0], [7, 4])[0] == 2, 'the end counts as a change of the lead'


# ---- intervals ---------------------------------------------------------------------------------------------


def test_a_share_of_groups_of_unlike_size_is_all_by_all_and_its_interval_holds() -> None:
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(400):
        wholes = rng.choice([5.0, 10.0], 40)
        chance = np.where(wholes == 5, 0.3, 0.6) + rng.uniform(-0.2, 0.2, 40)
        found = intervals.of_ratio(rng.binomial(wholes.astype(int), chance).astype(float), wholes)
        held += found.low <= 0.5 <= found.high
    assert 0.91 < held / 400 < 0.98
    alike = rng.random(9)
    assert intervals.of_ratio(3 * alike, np.full(9, 3.0)) == pytest.approx(intervals.of_mean(alike))
    assert intervals.of_ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0]))[:1] == (0.5,)
    assert intervals.of_ratio(np.zeros(2), np.zeros(2)) == pytest.approx(intervals.NOTHING, nan_ok=True)


def test_intervals_hold_what_they_say() -> None:
    """Of 2,000 samples of ten values each, 95 % have the true mean in their interval."""
    draws = np.random.default_rng(1).normal(3, 2, (2000, 10))
    found = [intervals.of_mean(sample) for sample in draws]
    assert np.mean([one.low <= 3 <= one.high for one in found]) == pytest.approx(0.95, abs=0.015)
    assert intervals.student(9) == pytest.approx(2.262, abs=2e-3)
    assert intervals.student(3) == pytest.approx(3.182, rel=0.02)
    assert intervals.student(2) == pytest.approx(4.3027, abs=1e-3)
    assert intervals.student(1) == pytest.approx(12.706, abs=1e-2)


def test_differences_of_shares_have_width_even_if_all_are_the_same() -> None:
    same = intervals.of_difference(np.zeros(50), shares=True)
    assert (same.value, same.n) == (0, 50)
    assert -0.1 < same.low < -0.01 < 0.01 < same.high < 0.1
    assert intervals.of_mean(np.array([2.0])).json() == {'value': 2.0, 'low': None, 'high': None, 'n': 1}
    assert intervals.of_mean(np.array([np.nan])).json()['value'] is None


# ---- a study -----------------------------------------------------------------------------------------------


@pytest.fixture(scope='module')
def toy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Path, dict[str, Any]]:
    """A study of the toy game, which has no line of code for it."""
    folder = tmp_path_factory.mktemp('studies') / 'toy'
    study = Study.of('toy', [2, 3], ['random'], ['all'], games=24, seed=5)
    study.play(folder)
    found = study.write_summary(folder)
    write_report(study, found, folder)
    return study, folder, found


def test_cells_play_the_games_of_a_simulation(tmp_path: Path) -> None:
    study = Study.of('toy', [3], ['yardstick', 'yardstick+random+random'], games=6, seed=5)
    study.play(tmp_path / 'toy')
    for cell in study.cells:
        expected = simulate('toy', 3, 6, 5, by=cell.by.replace('+', ','))
        for i, row in enumerate(rows(tmp_path / 'toy' / 'games' / cell.name / 'games')):
            assert (row['game'], row['turns'], row['actions']) == (i, expected.turns[i], expected.actions[i])
            assert [row[f'outcome_{k}'] for k in range(3)] == expected.outcomes[i].tolist()
            assert 0 <= row['lead_changes'] < row['turns']


def test_options_are_given_by_their_names_to_whatever_plays_games() -> None:
    names, read = {'long': True}, load('toy').options.read({'long': True})
    ways: tuple[Callable[[Any], Any], ...] = (
        lambda options: contract.start(load('toy'), 2, 5, options).tobytes(),
        lambda options: simulate('toy', 2, 5, 1, options=options).turns.tolist(),
        lambda options: arena('toy', 2, ['random', 'random'], 2, options=options, processes=1).turns,
        lambda options: Tournament.of('toy', ['random', 'easy'], options=options).options,
        lambda options: Study.of('toy', options=options).options,
    )
    for way in ways:
        assert way(names) == way(read) != way(None)
        with pytest.raises(GameError, match="no option 'speed'"):
            way({'speed': 1})


def test_every_option_is_varied_by_one_word(toy: tuple[Study, Path, dict[str, Any]]) -> None:
    study, _, found = toy
    values = load('toy').options.values()
    wanted = 1 + sum(len(every) - 1 for every in values.values())
    assert len(study.cells) == 2 * wanted
    assert len(found['differences']) == 2 * (wanted - 1)
    assert {one['axis'] for one in found['differences']} == set(values)


def test_differences_are_paired_game_by_game(toy: tuple[Study, Path, dict[str, Any]]) -> None:
    _, folder, found = toy
    for pair in found['differences'][:2]:
        base, other = (
            np.array([row['turns'] for row in rows(folder / 'games' / pair[which] / 'games')])
            for which in ('base', 'other')
        )
        one, differences = pair['figures']['turns'], (other - base).astype(float)
        assert one['value'] == pytest.approx(differences.mean())
        half = intervals.student(23) * differences.std(ddof=1) / np.sqrt(24)
        assert one['high'] - one['low'] == pytest.approx(2 * half)


def test_shares_of_all_seats_are_one(toy: tuple[Study, Path, dict[str, Any]]) -> None:
    _, _, found = toy
    for cell in found['cells'].values():
        seats = [cell['figures'][f'seat_{k}']['value'] for k in range(cell['players'])]
        assert sum(seats) == pytest.approx(1)
        assert sum(cell['endings'].values()) == pytest.approx(1)
        assert sum(cell['lengths']) == 24
        if cell['players'] == 3:
            places = [cell['figures'][name]['value'] for name in ('beginner', 'after_1', 'after_2')]
            assert sum(places) == pytest.approx(1)


def test_the_report_is_one_file_that_says_how_to_repeat_it(toy: tuple[Study, Path, dict[str, Any]]) -> None:
    study, folder, found = toy
    text = (folder / 'report.html').read_text()
    assert '<script' not in text
    assert not re.findall(r'(?:src|href)=', text), 'it needs nothing beside it'
    assert text.count('<svg') > len(study.cells)
    assert found['command'] == 'ludoteca study toy --players 2,3 --by random --vary all --games 24 --seed 5'
    assert f'{found["command"]} --out DIR' in text
    assert fingerprint(load('toy')) in text
    assert json.loads((folder / 'summary.json').read_text()) == found


def test_a_share_in_the_report_stands_with_all_of_its_interval(
    toy: tuple[Study, Path, dict[str, Any]],
) -> None:
    """Half of it to either side would reach below nothing, and not far enough above."""
    _, folder, found = toy
    text = (folder / 'report.html').read_text()
    assert '% ±' not in text
    for cell in found['cells'].values():
        tie = cell['figures']['tie']
        assert '{value:.1f} % ({low:.1f} … {high:.1f})'.format(**{k: 100 * v for k, v in tie.items()}) in text


def test_each_option_has_plots_of_its_own(toy: tuple[Study, Path, dict[str, Any]]) -> None:
    study, folder, _ = toy
    text = (folder / 'report.html').read_text()
    headings = [study.loaded.words(f'option.{one.option}') for one in study.variations]
    parts = re.split('|'.join(f'<h3>{re.escape(heading)}</h3>' for heading in headings), text)
    assert len(parts) == 3
    assert 'long=true ties=clockwise' in parts[1].partition('</figure>')[0]
    assert 'long=false ties=nobody' in parts[2].partition('</figure>')[0]


def test_any_game_opens_for_replay(toy: tuple[Study, Path, dict[str, Any]]) -> None:
    study, folder, _ = toy
    for path, cell in zip(study.write_matches(folder, 7), study.cells, strict=True):
        match = files.read(path.read_text())
        row = rows(folder / 'games' / cell.name / 'games')[7]
        assert match.result is not None
        assert list(match.result.outcome) == [row[f'outcome_{k}'] for k in range(cell.players)]
        assert list(match.result.scores) == [row[f'score_{k}'] for k in range(cell.players)]
        assert match.setup.options == cell.options.changed()


@pytest.mark.wide
@pytest.mark.parametrize('name', games())
def test_every_game_is_studied_with_all_its_options(name: str, tmp_path: Path) -> None:
    game = load(name)
    vary = ['all'] if game.options.values() else []
    study = Study.of(name, game.players, ['random', 'yardstick'], vary, games=3, seed=2)
    study.play(tmp_path / name)
    write_report(study, study.write_summary(tmp_path / name), tmp_path / name)
    for path in study.write_matches(tmp_path / name, 2):
        assert files.read(path.read_text()).result


# ---- stopping and going on ---------------------------------------------------------------------------------


def test_what_is_there_is_not_played_again(tmp_path: Path) -> None:
    first = Study.of('toy', games=20, seed=1)
    assert first.play(tmp_path / 'study') == 20
    more = Study.of('toy', vary=['long'], games=30, seed=1)
    assert more.play(tmp_path / 'study') == 60, 'cells with what is varied in their names are others'
    assert more.play(tmp_path / 'study') == 0
    write_report(more, more.write_summary(tmp_path / 'study'), tmp_path / 'study')


def test_games_that_stand_in_two_files_count_once(tmp_path: Path) -> None:
    study = Study.of('toy', games=8, seed=3)
    study.play(tmp_path / 'study')
    expected = study.summary(tmp_path / 'study')
    Study.of('toy', games=5, seed=3).play(tmp_path / 'stopped')  # a command that saw nothing of the other
    for file in (tmp_path / 'stopped').glob('games/*/games/*'):
        file.replace(tmp_path / 'study' / file.relative_to(tmp_path / 'stopped'))
    assert len(list((tmp_path / 'study').glob('games/*/games/*'))) == 2
    assert study.summary(tmp_path / 'study') == expected


def test_ctrl_c_loses_no_finished_game(tmp_path: Path) -> None:
    study, left = Study.of('toy', games=30, seed=3), [9]

    def stop(done: int) -> None:
        left[0] -= done
        if left[0] <= 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.play(tmp_path / 'study', progress=stop)
    with pytest.raises(GameError, match='plays what is missing'):
        study.summary(tmp_path / 'study')
    assert study.play(tmp_path / 'study') == 21
    whole = Study.of('toy', games=30, seed=3)
    whole.play(tmp_path / 'whole')
    assert study.summary(tmp_path / 'study')['cells'] == whole.summary(tmp_path / 'whole')['cells']


TOLD_TO_END = """
import os, signal, sys
from ludoteca import cli
from ludoteca.research.study_rows import Piece

def add_and_end(piece, watched, add=Piece.add_watched):
    add(piece, watched)
    os.kill(os.getpid(), signal.SIGTERM)

if __name__ == '__main__':
    Piece.add_watched = add_and_end
    sys.exit(cli.main())
"""


@pytest.mark.skipif(sys.platform == 'win32', reason='Windows has no such signal')
def test_term_loses_no_finished_game(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('NUMBA_DISABLE_JIT', '1')
    program, out = tmp_path / 'program.py', tmp_path / 'study'
    program.write_text(TOLD_TO_END)
    with start(program, 'study', 'octiles', '--games', 20, '--threads', 2, '--out', out) as process:
        said = process.communicate(timeout=60)
    assert (process.returncode, *said) == (143, '', '')
    assert len(rows(out / 'games' / '2p-random' / 'games')) == 1


@pytest.mark.wide
def test_the_games_are_the_same_with_any_number_of_processes(tmp_path: Path) -> None:
    study = Study.of('octiles', by=['random', 'easy:4+yardstick'], games=6, seed=3)
    study.play(tmp_path / 'one', 1)
    study.play(tmp_path / 'two', 2)
    assert study.summary(tmp_path / 'one') == study.summary(tmp_path / 'two')


# ---- refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('more', 'sentence'),
    [
        ({'vary': ['five']}, 'no option .five. to vary'),
        ({'vary': ['long=true']}, 'at least two'),
        ({'vary': ['long=true,maybe']}, 'maybe'),
        ({'vary': ['long', 'long=true,false']}, 'varied twice'),
        ({'vary': ['all', 'long']}, 'no other one'),
        ({'players': [7]}, 'played by 2 to 4'),
        ({'by': ['nobody']}, 'no bot'),
        ({'by': ['easy+easy+easy']}, 'one for each'),
        ({'games': 0}, 'At least one game'),
    ],
)
def test_what_cannot_be_studied_is_refused_before_anything_is_written(
    more: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(GameError, match=sentence):
        Study.of('toy', **more)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / 'notes').mkdir()
    (tmp_path / 'notes' / 'mine.txt').write_text('mine')
    study = Study.of('toy', games=2)
    with pytest.raises(GameError, match='something else than a study'):
        study.play(tmp_path / 'notes')
    assert [path.name for path in (tmp_path / 'notes').iterdir()] == ['mine.txt']
    study.play(tmp_path / 'study')
    with pytest.raises(GameError, match='another study: its seed is 0, not 1'):
        Study.of('toy', games=2, seed=1).play(tmp_path / 'study')
    before = (tmp_path / 'study' / 'study.json').read_bytes()
    with pytest.raises(GameError, match='its options is'):
        Study.of('toy', games=3, options=load('toy').options.read({'long': True})).play(tmp_path / 'study')
    assert (tmp_path / 'study' / 'study.json').read_bytes() == before
    with pytest.raises(GameError, match='numbered from 0 to 1'):
        study.write_matches(tmp_path / 'study', 2)


def test_combinations_that_do_not_go_together_are_left_out_with_their_reason() -> None:
    study = Study.of('myrmidons', vary=['capture', 'size'], games=1)
    assert [one.varied for one in study.cells] == [(('capture', 4), ('size', 6))]
    assert len(study.left_out) == 3
    assert all(one.reason.endswith('.') for one in study.left_out)
    sets = Study.of(
        'myrmidons',
        vary=['types=2-3-4,3-3-3,1-4-4,4-2-3,5-3-1;1-4-4,2-3-4,3-3-3,4-2-3,2-2-5'],
        options=load('myrmidons').options.read({'army': 'agreed'}),
        games=1,
    )
    assert len(sets.cells) == 2


def test_the_command_writes_a_report_and_goes_on(tmp_path: Path, run: Run) -> None:
    command = (
        'study',
        'toy',
        '--vary',
        'long',
        '--players',
        '3',
        '--threads',
        1,
        '--out',
        tmp_path / 'study',
    )
    answer = run(*command, '--games', 5, '--seed', 1, '--match', 2)
    assert '10 games were played, 0 were there' in answer.out
    assert answer.out.count('Match file: ') == 2
    assert (tmp_path / 'study' / 'report.html').exists()
    again = run(*command, '--games', 6, '--json').json()
    assert (again['seed'], again['games']) == (1, 6), 'with the seed of the folder'


def test_without_pyarrow_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_rows, 'pq', None)
    with pytest.raises(GameError, match='extra `research`'):
        Study.of('toy', games=2).play(tmp_path / 'study')
    assert not (tmp_path / 'study').exists()


# ---- components --------------------------------------------------------------------------------------------


def test_other_tables_have_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.toy import components

    before = fingerprint(load('toy'))
    assert re.fullmatch(r'[0-9a-f]{16}', before)
    assert fingerprint(load('toy')) == before
    monkeypatch.setattr(components, 'FULL', components.FULL + 1)
    assert fingerprint(load('toy')) != before
    assert written({'a': (1, frozenset({'y', 'x'}))}) == "{'a':[1,{'x','y'}]}"
    assert written(game_figures.drama) is None
    assert len({fingerprint(load(name)) for name in width(['octiles', 'myriath'], games())}) > 1
