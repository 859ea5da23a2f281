"""What the documentation shows is true: its Python sessions run, its commands exist, its pictures can be
drawn."""

from __future__ import annotations

import doctest
import fnmatch
import json
import re
import shlex
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from ludoteca import __version__
from ludoteca import game as contract
from ludoteca.game import GameError, Position, games, load
from ludoteca.web.html.illustrations import Picture, draw_position
from tests.cli.conftest import Run
from tests.cli.test_commands import COMMANDS

ROOT = Path(__file__).parent.parent.parent
PAGES = (ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md')))


def of(path: Path) -> str:
    return path.name


@pytest.mark.parametrize('page', PAGES, ids=of)
def test_sessions_run_as_they_are_shown(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=doctest.REPORT_NDIFF)
    assert failed == 0


@pytest.mark.parametrize('page', PAGES, ids=of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r'\]\(([^)]+)\)', page.read_text()):
        if not target.startswith(('http', '#', 'position:', 'figure:')):
            assert (page.parent / target.partition('#')[0]).exists(), target


def test_commands_have_the_options_that_are_shown(run: Run) -> None:
    shown = [
        line
        for page in PAGES
        for line in re.findall(r'^(?:\$ )?(ludoteca .*)$', page.read_text(), re.MULTILINE)
    ]
    seen: dict[str, str] = {}
    for line in shown:
        _, command, *arguments = shlex.split(line.split('  #')[0].split(' < ')[0])
        assert command in COMMANDS, line
        if command not in seen:
            seen[command] = run(command, '--help').out
        for argument in arguments:
            assert not argument.startswith('--') or argument in seen[command], line
    assert set(seen) == set(COMMANDS)


@pytest.mark.parametrize('page', PAGES, ids=of)
def test_a_wheel_to_be_installed_is_one_of_the_two_that_are_built(page: Path) -> None:
    """pip refuses two of one version."""
    built = [
        f'dist/ludoteca-{__version__}-{tags}.whl' for tags in ('py3-none-any', 'cp311-none-linux_x86_64')
    ]
    for pattern in re.findall(r'pip install .*?(dist/[^\s)`\'"[]*\*?[^\s)`\'"[]*\.whl)', page.read_text()):
        assert len(fnmatch.filter(built, pattern)) == 1, pattern


def test_commands_that_a_sentence_names_exist() -> None:
    """In the notebooks of the gallery, too."""
    for page in (*PAGES, *sorted((ROOT / 'docs/gallery').glob('*.md'))):
        for command in re.findall(r'`ludoteca ([a-z-]+)', page.read_text()):
            assert command in COMMANDS or command == '--help', f'{page.name}: ludoteca {command}'


def pictures(name: str) -> list[str]:
    """What the rulebook of a game shows."""
    return re.findall(r'!\[[^\]]+\]\(position:([^)]+)\)', load(name).rules())


@pytest.mark.parametrize('name', games())
def test_pictures_of_the_rulebook_are_positions(name: str) -> None:
    game = load(name)
    examples = Path(game.folder) / 'examples'
    shown = set()
    for picture in pictures(name):
        parts = urlsplit(picture)
        shown.add(parts.path)
        position = contract.position(json.loads((examples / f'{parts.path}.json').read_text()))
        turns = parse_qs(parts.query).get('turn', [])
        for turn in turns:
            assert not game.lists_turns or turn in position.turns()
            position.play(turn)
        assert isinstance(position, Position)
        assert draw_position(name, parts.path, ' '.join(turns).replace(' ', '+'), 'light').startswith('<svg')
    assert shown == {path.stem for path in examples.glob('*.json')}


@pytest.mark.parametrize('name', games())
def test_figures_of_the_rulebook_are_drawn(name: str) -> None:
    for figure in re.findall(r'!\[[^\]]+\]\(figure:([^)]+)\)', load(name).rules()):
        assert Picture(name, 'figure', figure).draw().startswith('<svg')
    with pytest.raises(GameError):
        Picture(name, 'figure', 'nothing').draw()
