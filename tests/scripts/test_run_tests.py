"""scripts/run_tests.py: which tests a change needs, and how a step is timed and stopped."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from scripts import run_tests
from scripts.run_tests import Report, concerned, execute, job, python, suite


@pytest.mark.parametrize(
    ('path', 'tests', 'games'),
    [
        ('tests/kernel/test_bits.py', {'tests/kernel/test_bits.py'}, set()),
        ('tests/octiles/model.py', {'tests/octiles'}, set()),
        ('src/ludoteca/games/octiles/rules.py', set(), {'octiles'}),
        ('src/ludoteca/game.py', set(), {'toy'}),
        ('src/ludoteca/web/static/table.css', {'tests/web'}, set()),
        ('src/ludoteca/store/store.py', {'tests/store'}, set()),
        ('docs/bots.md', {'tests/cli/test_docs.py', 'tests/docs/test_pages.py'}, set()),
        ('scripts/run_tests.py', {'tests/scripts'}, set()),
        ('tests/kernel/test_that_was_deleted.py', set(), set()),
        ('LICENSE', set(), set()),
    ],
)
def test_a_change_needs_the_tests_of_its_part(path: str, tests: set[str], games: set[str]) -> None:
    assert concerned([path]) == (tests, games)


def test_a_command_is_timed_by_the_clock_and_by_the_processor(tmp_path: Path) -> None:
    """Processes that it starts count as well; waiting does not."""
    busy = 'import time\nwhile time.process_time() < 0.4: pass'
    program = f'import subprocess, sys, time; subprocess.run([sys.executable, "-c", {busy!r}]); time.sleep(0.5); print("done")'  # noqa: E501
    ended = execute(Report(tmp_path), [sys.executable, '-c', program])
    assert (ended.code, ended.output) == (0, 'done\n')
    assert ended.clock >= 0.9
    assert 0.4 <= ended.processor < ended.clock


def test_a_command_that_is_not_waited_for_gives_way_and_so_does_its_session(tmp_path: Path) -> None:
    code = (
        'import os, pathlib, time; time.sleep(0.3); own = pathlib.Path("/proc/self/autogroup"); '
        'print(os.getpriority(os.PRIO_PROCESS, 0), own.read_text() if own.exists() else "nice 5")'
    )
    command, own = [sys.executable, '-c', code], os.getpriority(os.PRIO_PROCESS, 0)
    for gentle in (False, True):
        said = execute(Report(tmp_path), command, gentle=gentle).output
        assert said.startswith(f'{own + 5 * gentle} ')
        assert not gentle or said.rstrip().endswith('nice 5')


def test_a_command_that_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tests, 'MINUTES', 0.01)
    ended = execute(Report(tmp_path), [sys.executable, '-c', 'import time; time.sleep(60)'])
    assert ended.code == -1
    assert 'it took longer than 0.01 minutes' in ended.output


SUITE = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range({steady}))
def test_steady(number): assert {good}

def test_unsteady():
    seen = Path(__file__).with_name("seen")
    if not seen.exists():
        seen.touch()
        raise AssertionError
"""


@pytest.mark.parametrize(
    ('steady', 'good', 'ok', 'counts'),
    [
        (3, True, True, (4, 0)),  # one failed, and passed once more
        # one of the two failed again
        pytest.param(1, False, False, (0, 2), marks=pytest.mark.wide),
        # too many to be unsteady: none is run again
        pytest.param(9, False, False, (0, 10), marks=pytest.mark.wide),
    ],
)
def test_a_few_failed_tests_are_run_once_more_and_named(
    tmp_path: Path, steady: int, good: bool, ok: bool, counts: tuple[int, int]
) -> None:
    (tmp_path / 'test_some.py').write_text(SUITE.format(steady=steady, good=good))
    (tmp_path / 'pytest.ini').write_text('[pytest]\n')
    report = Report(tmp_path)
    config = ['-c', str(tmp_path / 'pytest.ini'), '--rootdir', str(tmp_path)]
    assert suite(report, 'some', python('-m', 'pytest', '-p', 'no:xdist', *config, str(tmp_path))) is ok
    assert (report.passed, report.failed) == counts
    assert report.notes == ['UNSTEADY: test_some::test_unsteady failed, and passed once more'] * ok
    assert bool(report.failed_steps) is not ok


@pytest.mark.parametrize(
    'arguments', ['lint', 'check', 'check octiles', 'test', 'test-all', 'test-all --after-test']
)
def test_suites_are_known_by_name(arguments: str) -> None:
    assert job(arguments.split()) is not None


@pytest.mark.parametrize('arguments', ['', 'tests', 'check chess', 'test octiles'])
def test_other_names_are_refused(arguments: str) -> None:
    assert job(arguments.split()) is None


def test_every_suite_has_its_promise_in_the_docs() -> None:
    """The table of docs/development.md names every folder of tests, and every file of the tests for all
    games."""
    table = (run_tests.ROOT / 'docs/development.md').read_text('utf-8').split('## Who holds what')[1]
    tests = run_tests.ROOT / 'tests'
    folders = {
        f'`{path.parent.name}/`' for path in tests.glob('*/test_*.py') if path.parent.name != 'conformance'
    }
    files = {f'`conformance/{path.name}`' for path in tests.glob('conformance/test_*.py')}
    assert not [name for name in sorted(folders | files) if name not in table]
