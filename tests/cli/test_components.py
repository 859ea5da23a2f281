"""`components`, and `--components FILE` of the commands that play."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludoteca
from ludoteca.game import load, variant
from ludoteca.game.components import exported
from ludoteca.kernel import compile as forms
from ludoteca.match import Match, Setup, files
from ludoteca.text import words
from tests.cli.conftest import Run
from tests.components.sets import FOLDER, second

MINE = str(FOLDER / 'octiles.json')


@pytest.fixture
def _plain() -> Iterator[None]:
    """Kernels run as plain Python: those of a set need not be compiled for a few positions."""
    forms.run_interpreted()
    yield
    forms.run_compiled()


def test_components_are_exported_changed_and_checked(run: Run, tmp_path: Path) -> None:
    said = run('components', 'mykerinos', '--export', 'mine.json')
    assert said.out.startswith('The components of Mykerinos are in mine.json')
    path = tmp_path / 'mine.json'
    assert json.loads(path.read_text()) == exported(load('mykerinos'))
    assert run('components', 'mykerinos', '--export', '-').out == path.read_text()
    same = run('components', 'mykerinos', '--check', 'mine.json')
    assert same.out == words('cli.components.same', path='mine.json', game='Mykerinos') + '\n'
    data = json.loads(path.read_text())
    data |= {'title': 'Mine', 'cubes': 30}
    path.write_text(json.dumps(data))
    lines = run('components', 'mykerinos', '--check', 'mine.json').lines
    assert lines[0].startswith('mine.json can be played with: Mine, the component set ')
    assert lines[1] == '  cubes: 30 instead of 25'
    assert 'counts: given: as in the component set Mine' in lines
    found = run('components', 'mykerinos', '--check', 'mine.json', '--json').json()
    assert (found['game'], found['title'], found['differences']) == ('mykerinos', 'Mine', [['cubes', 25, 30]])
    assert found['name'] == f'mykerinos@{found["hash"]}'


def test_without_a_file_it_says_how_each_part_is_known(run: Run) -> None:
    lines = run('components', 'octiles').lines
    assert [line.partition(':')[0] for line in lines] == list(load('octiles').certainty)


@pytest.mark.usefixtures('_plain')
def test_positions_are_read_and_drawn_with_the_set_that_is_named(run: Run, tmp_path: Path) -> None:
    name = second('octiles').name
    assert run('draw', 'octiles', '-C', MINE, '-o', 'mine.svg').status == 0
    assert run('draw', 'octiles', '-o', 'own.svg').status == 0
    assert (tmp_path / 'mine.svg').read_text() != (tmp_path / 'own.svg').read_text()
    position = Setup.new(name, seed=1).start()
    path = tmp_path / 'position.json'
    path.write_text(json.dumps(load(name).to_json(position)))
    listed = run('legal', 'octiles', 'position.json', '--components', MINE)
    assert (listed.status, listed.lines) == (0, ludoteca.Position(load(name), position).legal())
    refused = run('legal', 'octiles', 'position.json')
    assert refused.status == 2
    assert f'a position of the component set {name.partition("@")[2]}' in refused.err


@pytest.mark.usefixtures('_plain')
def test_a_game_that_is_named_with_its_set_takes_no_other_one(run: Run) -> None:
    name = second('octiles').name
    assert run('draw', name, '-C', MINE, '-o', 'mine.svg').status == 0
    wrong = run('draw', 'octiles@0123456789ab', '-C', MINE, '-o', 'mine.svg')
    assert wrong.status == 2
    assert '0123456789ab' in wrong.err
    assert name.partition('@')[2] in wrong.err


@pytest.mark.usefixtures('_plain')
def test_a_match_file_is_read_with_its_own_set_only(run: Run, tmp_path: Path) -> None:
    name = second('octiles').name
    match = Match(Setup.new(name, seed=1), lambda: 0.0)
    match.resign(0)
    (tmp_path / 'match.txt').write_text(files.write(match))
    assert run('replay', 'match.txt', '--components', MINE).status == 0
    other = {'game': 'octiles', 'tiles': exported(second('octiles'))['tiles'][::-1]}
    (tmp_path / 'other.json').write_text(json.dumps(other))
    wrong = run('replay', 'match.txt', '--components', 'other.json')
    assert wrong.status == 2
    assert name.partition('@')[2] in wrong.err
    assert variant('octiles', other).name.partition('@')[2] in wrong.err
