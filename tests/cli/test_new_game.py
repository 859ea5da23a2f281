"""`new-game`: a game that runs at once, and sentences for all that cannot be one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ludoteca.cli.new_game import files
from ludoteca.game import registry
from tests.cli.conftest import Run
from tests.outside import games_in
from tests.width import width

ROOT = Path(__file__).parent.parent.parent
Program = Callable[..., 'subprocess.CompletedProcess[str]']


@pytest.fixture
def program(run: Run, tmp_path: Path) -> Program:
    """Run Python in a folder in which a game `lineup` has just been written, and where it is found. Narrow,
    its kernels are interpreted: whether the game is sound is the same question, and nothing is compiled."""
    assert run('new-game', 'lineup').status == 0
    environment = {
        **os.environ,
        registry.PLACES: f'{tmp_path}',
        'PYTHONPATH': f'{ROOT / "src"}',
        'LUDOTECA_WIDTH': 'least',
        'LUDOTECA_GAME': 'lineup',
        'LUDOTECA_MODE': width('any', ''),
        'NUMBA_DISABLE_JIT': width('1', '0'),
    }

    def call(*arguments: object, folder: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=folder,
            env=environment,
            check=False,
            text=True,
            capture_output=True,
        )

    return call


# ---- what is written ---------------------------------------------------------------------------------------


def test_a_new_game_lies_in_one_folder(run: Run, tmp_path: Path) -> None:
    answer = run('new-game', 'pear_tree', '--into', tmp_path)
    assert (answer.status, answer.err) == (0, '')
    written = {path.name: path.read_text() for path in (tmp_path / 'pear_tree').iterdir()}
    assert written == dict(files('pear_tree'))
    assert [path.name for path in tmp_path.iterdir()] == ['pear_tree']
    assert f'{registry.PLACES}={tmp_path}' in answer.out
    assert 'ludoteca play pear_tree' in answer.out


def test_its_names_are_derived_from_the_one_given() -> None:
    texts = dict(files('pear_tree'))
    assert 'class PearTree(Game):' in texts['__init__.py']
    assert texts['en.toml'].startswith('title = "Pear tree"\n')
    assert not any('$' in text or re.search('lineup', text, re.I) for text in texts.values())


def test_it_is_small_and_in_the_style_of_the_package() -> None:
    lines = [line for _, text in files('lineup') for line in text.splitlines()]
    assert sum(map(bool, lines)) <= 250
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize(
    'arguments',
    [
        ('pytest', '-q', '-p', 'no:cacheprovider', 'lineup'),
        ('ruff', 'check', '--config', ROOT / 'pyproject.toml', '--ignore', 'ARG001,RUF012', 'lineup'),
        # of the whole package, too, for want of a cache
        pytest.param(('mypy', '--strict', '-p', 'lineup'), marks=pytest.mark.wide),
    ],
    ids=lambda arguments: arguments[0],
)
def test_it_passes_its_own_tests_ruff_and_mypy(program: Program, arguments: tuple[object, ...]) -> None:
    answer = program('-m', *arguments)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_commands_know_it(program: Program) -> None:
    """The workers of an arena are processes of their own."""
    ludoteca = '-m', 'ludoteca.cli'
    played = program(*ludoteca, 'arena', 'lineup', '--bots', 'easy,random', '--games', 4, '--sims', 30)
    assert (played.returncode, played.stderr) == (0, '')
    assert 'easy' in played.stdout


def test_it_is_listed_with_the_others(run: Run, tmp_path: Path) -> None:
    run('new-game', 'lineup')
    with games_in(tmp_path):
        assert 'lineup' in run('games').out


@pytest.mark.wide
def test_it_keeps_the_contract(program: Program) -> None:
    """The conformance suite, for the usual options."""
    answer = program('-m', 'pytest', '-q', '-x', '-p', 'no:cacheprovider', 'tests/conformance', folder=ROOT)
    assert answer.returncode == 0, answer.stdout[-4000:]
    assert int(re.findall(r'(\d+) passed', answer.stdout)[0]) > 50


# ---- what is refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('name', 'better'),
    [
        ('Pear-Tree', 'pear_tree'),
        ('pear tree', 'pear_tree'),
        ('7pears', 'my_game'),
        ('', 'my_game'),
        ('class', 'my_game'),
        ('../pears', 'pears'),
        ('é', 'my_game'),
        ('_pear', 'pear'),
        ('x' * 60, 'my_game'),
    ],
)
def test_a_bad_name_is_refused_with_a_better_one(run: Run, tmp_path: Path, name: str, better: str) -> None:
    answer = run('new-game', name)
    assert (answer.status, answer.out) == (2, '')
    assert answer.err.endswith(f'; a name has small letters, digits and _, such as {better}.\n')
    assert not any(tmp_path.iterdir())


def test_names_that_are_taken_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / 'pears').mkdir()
    assert run('new-game', 'octiles').err == 'There is a game octiles already; choose another name.\n'
    assert run('new-game', 'pears').err == (
        'pears exists already; choose another name, or another folder with --into.\n'
    )
    assert run('new-game', 'random').err == 'Python has a module random already; choose another name.\n'
    assert run('new-game', 'apples', '--into', 'none').err == (
        'There is no folder none; name one that is there with --into.\n'
    )
    assert [path.name for path in tmp_path.iterdir()] == ['pears']


def test_nothing_is_left_if_it_cannot_be_written(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(self: Path, text: str, **more: str) -> None:
        if self.name == 'view.py':
            raise OSError(28, 'No space left on device')
        self.touch()

    monkeypatch.setattr(Path, 'write_text', full)
    answer = run('new-game', 'pears')
    assert (answer.status, answer.err) == (2, 'pears cannot be written: no space left on device.\n')
    assert not any(tmp_path.iterdir())
