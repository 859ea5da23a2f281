"""The other commands, help, and how the program behaves as a process."""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import time
from pathlib import Path

import pytest

import ludoteca
from ludoteca.game import GameError, games, load
from ludoteca.lessons import go_to, lesson_of
from ludoteca.research.soak import configurations, soak
from ludoteca.search import LEVELS
from ludoteca.store import OPEN, DatabaseLock, LessonProgress, SeatPlan, Store, database_file, database_url
from ludoteca.web.serving.settings import Settings
from tests.cli import octiles
from tests.cli.conftest import Run, Start
from tests.outside import games_in
from tests.width import width

COMMANDS = (
    'simulate',
    'soak',
    'legal',
    'perft',
    'draw',
    'bench',
    'play',
    'replay',
    'review',
    'study',
    'film',
    'puzzles',
    'calibration',
    'arena',
    'ladder',
    'serve',
    'work',
    'settings',
    'operator-key',
    'open',
    'check-matches',
    'backup',
    'restore',
    'move-data',
    'components',
    'prepare',
    'new-game',
    'games',
    'lessons',
    'version',
)


def test_help_lists_every_command(run: Run) -> None:
    answer = run('--help')
    assert answer.status == 0
    assert all(command in answer.out for command in COMMANDS)


def test_the_package_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr('sys.argv', ['ludoteca', '--help'])
    with pytest.raises(SystemExit) as end:
        runpy.run_module('ludoteca', run_name='__main__')
    assert not end.value.code
    assert 'simulate' in capsys.readouterr().out


def test_without_a_command_the_tables_are_opened(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[Settings, bool]] = []
    monkeypatch.setattr('ludoteca.web.app.serve', lambda settings, page: opened.append((settings, page)))
    assert run().status == 0
    assert run('open', '--port', '8123').status == 0
    assert [(settings.host, page) for settings, page in opened] == [('127.0.0.1', True)] * 2
    assert opened[1][0].port == 8123


def test_a_server_with_a_broken_game_of_ones_own_does_not_start_and_says_where_it_is_broken(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr('ludoteca.web.app.serve', lambda settings, page: pytest.fail('it started'))
    (tmp_path / 'pears').mkdir()
    (tmp_path / 'pears/__init__.py').write_text('GAME = undefined\n')
    (tmp_path / 'pears/en.toml').touch()
    with games_in(tmp_path):
        answer = run('serve', '--port', '0')
    place = f'(in {tmp_path}/pears/__init__.py, line 1)'
    sentence = f"The game pears cannot be imported: name 'undefined' is not defined {place}.\n"
    assert (answer.status, answer.err) == (2, sentence)


def test_serve_takes_its_settings_from_options_then_from_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Settings] = []
    monkeypatch.setattr('ludoteca.web.app.serve', lambda settings, page: opened.append(settings))
    monkeypatch.setenv('LUDOTECA_PORT', '8124')
    monkeypatch.setenv('LUDOTECA_HOST', '0.0.0.0')
    monkeypatch.setenv('LUDOTECA_PROT', '1')
    answer = run('serve', '--host', '127.0.0.1')
    assert (opened[0].host, opened[0].port) == ('127.0.0.1', 8124)
    assert answer.err == 'LUDOTECA_PROT is no setting, and is not read.\n'


def test_settings_are_listed_without_secrets(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('LUDOTECA_DATABASE', 'postgresql://ann:tulip@host/games')
    monkeypatch.setenv('LUDOTECA_OPERATOR_KEY', 'narcissus-narcissus-narcissus')
    monkeypatch.setenv('LUDOTECA_LIMIT_TABLES', '7')
    listed = run('settings')
    found = {row['name']: row for row in run('settings', '--json').json()}
    for text in (listed.out, json.dumps(list(found.values()))):
        assert 'tulip' not in text
        assert 'narcissus' not in text
    limit = found['LUDOTECA_LIMIT_TABLES']
    assert (limit['value'], limit['default'], limit['is_set']) == ('7', '40', True)
    assert found['LUDOTECA_DATABASE']['value'] == '(secret)'
    assert all(name in listed.out for name in found)


def test_a_worker_takes_its_number_of_jobs_from_the_option_then_from_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[int] = []

    class Worker:
        def __init__(self, store: Store, threads: int, warm: object) -> None:
            made.append(threads)
            self.threads = threads

        def run(self) -> None:
            pass

    monkeypatch.setattr('ludoteca.work.worker.Worker', Worker)
    monkeypatch.setattr('ludoteca.cli.work.signal.signal', lambda *_: None)
    monkeypatch.setattr('ludoteca.web.serving.logs.set_up', lambda *_: None)
    monkeypatch.setenv('LUDOTECA_JOBS', '3')
    database = f'sqlite:///{tmp_path}/new.sqlite3'
    assert 'up to 3 jobs' in run('work', '--database', database).out
    assert run('work', '--database', database, '--jobs', '5').status == 0
    assert made == [3, 5]
    monkeypatch.setenv('LUDOTECA_LOG_LEVEL', 'loud')
    assert 'LUDOTECA_LOG_LEVEL' in run('work', '--database', database).err


def test_soak_plays_with_every_index_checked(run: Run) -> None:
    found = run('soak', 'octiles', '--games', '30', '--seed', '4', '--json').json()[0]
    assert (found['game'], found['games'], found['searched'], found['seed']) == ('octiles', 30, 6, 4)
    assert found['configurations'] == len(configurations(load('octiles'))) == 6, 'each has its share'
    assert found['actions'] > 30 * 50


def test_soak_says_where_a_rule_leaves_its_tables(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(*_: object, **__: object) -> None:
        raise IndexError('index is out of bounds')

    monkeypatch.setattr('ludoteca.research.soak.simulate', leave)
    found = run('soak', 'octiles', '--games', '30', '--seed', '4')
    assert found.err == (
        'A rule of Octiles has left its tables (2 players, options: none); '
        'NUMBA_DISABLE_JIT=1 ludoteca soak octiles --games 30 --seed 4 names the line.\n'
    )


def test_soak_refuses_kernels_that_check_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('ludoteca.research.soak.bounds_checked', lambda: False)
    with pytest.raises(GameError, match='LUDOTECA_CHECKED'):
        soak(load('octiles'), 10)


@pytest.mark.parametrize('command', COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    answer = run(command, '--help')
    assert answer.status == 0
    assert f'ludoteca {command}' in answer.out


def test_help_loads_neither_rules_nor_pages(start: Start) -> None:
    code = (
        'import sys; from ludoteca.cli import main; main(["--help"]); '
        'print({"fastapi", "sqlalchemy", "ludoteca.match"} & {*sys.modules})'
    )
    out, err = start('-c', code).communicate()
    assert (out.splitlines()[-1], err) == ('set()', '')


def test_version(run: Run) -> None:
    assert run('version').lines[0] == f'ludoteca {ludoteca.__version__}'
    assert run('version', '--json').json()['ludoteca'] == ludoteca.__version__


@pytest.mark.smoke
def test_games_lists_all_with_their_facts(run: Run) -> None:
    found = run('games', '--json').json()
    assert [game['name'] for game in found] == list(games())
    assert {
        'players',
        'options',
        'members',
        'endings',
        'measures',
        'n_actions',
        'hidden',
        'observation',
    } <= found[0].keys()
    for game in found:
        assert game['members'].keys() <= game['options'].keys()
    assert all(name in run('games').out for name in games())


QUICK = ('bench', 'octiles', '--players', 2, '--repeats', 1, '--seconds', 0.02)


def test_bench_prints_the_figures_that_are_declared(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And compares them with those of an earlier run and of other programs."""
    figures = run(*QUICK, '--json').json()
    wanted = {
        'game',
        'players',
        'actions_per_s',
        'turns_per_s',
        'games_per_s',
        'mcts_start_per_s',
        'mcts_mid_per_s',
        'warm_start_s',
    }
    assert wanted <= figures.keys()
    assert all(value > 0 for key, value in figures.items() if key.endswith('_s'))

    monkeypatch.setattr('ludoteca.research.bench.bench', lambda *_: figures)  # they are measured once
    earlier = {**figures, 'turns_per_s': 1.0, 'warm_start_s': 1e6}
    other = {'game': 'octiles', 'players': 2, 'program': 'another', 'games_per_s': 1e12}
    path = tmp_path / 'figures.json'
    path.write_text(json.dumps([earlier, other, {**other, 'players': 3}]))
    found = run(*QUICK, '--against', path, '--json').json()
    ratios = {(one['program'], one['key']): one['ratio'] for one in found['against']}
    assert ratios['', 'turns_per_s'] == pytest.approx(found['turns_per_s'], rel=1e-3)
    assert ratios['', 'warm_start_s'] > 1000, 'a shorter time is a faster one'
    assert ratios['another', 'games_per_s'] < 1e-3
    assert [key for program, key in ratios if program] == ['games_per_s']
    out = run(*QUICK, '--against', path).out
    assert str(path) in out
    assert out.count('games a second, from full lists') == 3
    assert 'Beside another' in out


@pytest.mark.parametrize(
    'text', ['', '[3]', '{"game": "octiles"}', '{"game": "octiles", "players": 2, "turns_per_s": 0}']
)
def test_a_file_without_figures_is_refused_before_anything_is_measured(
    run: Run, tmp_path: Path, text: str
) -> None:
    path = tmp_path / 'figures.json'
    path.write_text(text)
    assert 'bench --json' in run('bench', 'octiles', '--seconds', 600, '--against', path).err
    path.write_text('[]')
    assert 'no figures of this game' in run('bench', 'octiles', '--seconds', 600, '--against', path).err


def test_arena_counts_wins_with_an_interval(run: Run) -> None:
    answer = run(
        'arena',
        'octiles',
        '--bots',
        'random,beginner',
        '--games',
        4,
        '--sims',
        20,
        '--seed',
        1,
        '--workers',
        1,
        '--json',
    )
    found = answer.json()
    assert answer.err == ''
    assert [contestant['bot'] for contestant in found['contestants']] == ['random', 'beginner']
    assert sum(contestant['share'] for contestant in found['contestants']) == pytest.approx(1)
    assert all(c['low'] - 1e-9 <= c['share'] <= c['high'] + 1e-9 for c in found['contestants'])
    table = run('arena', 'octiles', '--bots', 'random,random', '--games', 2, '--seed', 1, '--workers', 1)
    assert '95 % interval' in table.out


def test_prepare_says_how_far_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    *steps, last = [json.loads(line) for line in run('prepare', 'octiles', '--json').lines]
    assert [step['done'] for step in steps] == list(range(1, len(steps) + 1))
    assert {step['of'] for step in steps} == {len(steps)}
    assert last['ready'] is True
    monkeypatch.setattr('ludoteca.cli.kernels.compiled', False)  # there is nothing to be done a second time
    answer = run('prepare', 'octiles')
    assert (answer.status, answer.err) == (0, '')
    assert answer.out


def test_lessons_are_listed_with_their_counts(run: Run, tmp_path: Path) -> None:
    url = f'sqlite:///{tmp_path}/lessons.sqlite3'
    assert 'Lay and run' in run('lessons', 'octiles', '--database', url).out
    assert not (tmp_path / 'lessons.sqlite3').exists(), 'to look makes no data'
    lesson = lesson_of('octiles', 'run')
    store = Store(url)
    ann = store.new_person('Ann')
    seats = [SeatPlan(person=ann.id), SeatPlan('bot', level='beginner')]
    table = store.open_lesson(ann.id, lesson.setup(), seats, 0, lambda match: go_to(match, lesson, 0, 0))
    store.keep_lesson(table.id, LessonProgress('run', 2))
    store.keep_lesson(table.id, LessonProgress('run', 1))  # back
    store.keep_lesson(table.id, LessonProgress('run', 2))  # and on again: it is counted once
    store.close()
    found = run('lessons', 'octiles', '--database', url, '--json').json()[0]
    assert [(step['begun'], step['finished']) for step in found['steps'][:4]] == [
        (1, 1),
        (1, 1),
        (1, 0),
        (0, 0),
    ]
    assert {one['game'] for one in run('lessons', '--database', url, '--json').json()} >= {
        'octiles',
        'myraclia',
    }


def test_check_matches_of_a_new_database(run: Run, tmp_path: Path) -> None:
    database = ('check-matches', '--database', f'sqlite:///{tmp_path / "new.sqlite3"}')
    assert 'There is no database' in run(*database).err
    assert not (tmp_path / 'new.sqlite3').exists()
    Store(database[-1]).close()
    answer = run(*database)
    assert (answer.status, answer.err) == (0, '')
    assert run(*database, '--json').out == ''


@pytest.mark.skipif(sys.platform == 'win32', reason='Windows has no closed pipes of this kind')
def test_a_reader_that_stops_reading_is_no_error(start: Start, tmp_path: Path) -> None:
    lines = (json.dumps(octiles.POSITION) + '\n') * 3000
    (tmp_path / 'lines').write_text(lines)
    with (
        (tmp_path / 'lines').open() as file,
        start('-m', 'ludoteca.cli', 'legal', 'octiles', '-', stdin=file) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ''
    assert process.returncode == 141


@pytest.mark.skipif(not Path('/dev/full').exists(), reason='there is no device that is always full')
def test_a_full_disk_is_said_in_a_sentence(start: Start) -> None:
    code = 'import sys; sys.stdout = open("/dev/full", "w"); from ludoteca.cli import main; sys.exit(main(["version"]))'  # noqa: E501
    with start('-c', code) as process:
        _, err = process.communicate()
    assert process.returncode == 2
    assert err == 'The output cannot be written: no space left on device.\n'


def until_busy(pid: int, seconds: float) -> None:
    """Wait until a process has used so much processor time; where that cannot be known, for as long."""
    stat, end = Path(f'/proc/{pid}/stat'), time.monotonic() + 20 * seconds
    if not stat.exists():
        time.sleep(seconds)
        return
    while time.monotonic() < end:
        user, system = stat.read_text('ascii').rpartition(')')[2].split()[11:13]
        if int(user) + int(system) >= seconds * os.sysconf('SC_CLK_TCK'):
            return
        time.sleep(0.1)


@pytest.mark.skipif(sys.platform == 'win32', reason='Windows interrupts otherwise')
@pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
    reason='started in the background: interrupts are ignored',
)
@pytest.mark.parametrize('how', width(['--threads 2'], ['--threads 1', '--threads 2', '--by yardstick']))
def test_an_interrupt_ends_a_command_quietly(start: Start, how: str) -> None:
    with start('-m', 'ludoteca.cli', 'simulate', 'octiles', '--games', 20_000_000, *how.split()) as process:
        until_busy(process.pid, 2.5)  # until it plays, on a busy machine too
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, '', '')


def test_levels_are_what_play_offers(run: Run) -> None:
    err = run('play', 'octiles', '--bots', 'nobody').err
    assert all(level in err for level in LEVELS)


def test_open_goes_to_the_server_that_runs_already(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setenv('LUDOTECA_DATA', str(tmp_path))
    monkeypatch.setattr('webbrowser.open', opened.append)
    with DatabaseLock(database_file(database_url()) or tmp_path, 'http://127.0.0.1:8123'):
        answer = run('open')
    assert (answer.status, opened) == (0, ['http://127.0.0.1:8123'])
    assert 'runs already, at http://127.0.0.1:8123' in answer.out


def test_data_are_copied_and_brought_back(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ('here', 'there'):
        (tmp_path / name).mkdir()
    monkeypatch.setenv('LUDOTECA_DATA', str(tmp_path / 'here'))
    store = Store()
    ann = store.new_person('Ann')
    store.open_table('octiles', [SeatPlan(person=ann.id), SeatPlan(OPEN)], owner=ann.id)
    store.close()
    assert '1 tables' in run('backup', str(tmp_path / 'copy.zip')).out
    assert run('backup', str(tmp_path / 'copy.zip')).status == 2
    monkeypatch.setenv('LUDOTECA_DATA', str(tmp_path / 'there'))
    assert '1 tables' in run('restore', str(tmp_path / 'copy.zip')).out
    assert run('restore', str(tmp_path / 'copy.zip')).status == 2


@pytest.mark.skipif(sys.platform == 'win32', reason='Windows interrupts otherwise')
def test_serve_says_where_it_is_and_stops_when_interrupted(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # narrow without workers, which would load all games
    monkeypatch.setenv('NUMBA_DISABLE_JIT', width('1', '0'))
    with start(
        '-m', 'ludoteca.cli', 'serve', '--port', 0, '--database', f'sqlite:///{tmp_path}/new.sqlite3'
    ) as process:
        assert process.stdout is not None
        assert '127.0.0.1:' in (said := process.stdout.readline())
        second = start(
            '-m', 'ludoteca.cli', 'serve', '--port', 0, '--database', f'sqlite:///{tmp_path}/new.sqlite3'
        )
        _, err = second.communicate(timeout=60)
        assert second.returncode == 2
        assert f'already, at {said.split()[3]}; stop that one' in err
        assert 'Traceback' not in err
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, '')
