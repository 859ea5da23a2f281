"""Games in folders outside the package are found by their names, and refused in one sentence."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.game import GameError, games, load, registry
from tests.outside import games_in

GAME = 'from tests.toy import Toy\n\nclass Other(Toy):\n    name = {name!r}\n\nGAME = Other()\n'


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder that LUDOTECA_GAMES names; it holds a game `pears` and a package that is none."""
    write(tmp_path, 'pears', GAME.format(name='pears'))
    write(tmp_path, 'no_game', '')
    (tmp_path / 'no_game/en.toml').unlink()
    with games_in(tmp_path):
        yield tmp_path


def write(place: Path, name: str, text: str) -> None:
    (place / name).mkdir()
    (place / name / '__init__.py').write_text(text)
    (place / name / 'en.toml').touch()


def test_a_game_in_a_named_folder_is_found_and_loaded(place: Path) -> None:
    assert 'pears' in games()
    assert {'no_game'}.isdisjoint(games())
    assert load('pears').name == 'pears'
    assert type(load('pears')).__module__ == 'ludoteca.games.pears'


def test_a_process_that_is_sent_something_of_a_game_outside_the_package_can_read_it(place: Path) -> None:
    """As workers are sent the options of a game before they ask for the game."""
    sent = pickle.dumps(type(load('pears')))
    code = 'import pickle, sys; print(pickle.load(sys.stdin.buffer).name)'
    read = subprocess.run([sys.executable, '-c', code], input=sent, capture_output=True, check=False)
    assert (read.returncode, read.stdout.strip()) == (0, b'pears'), read.stderr.decode()


def test_a_built_in_game_is_found_first(place: Path) -> None:
    write(place, 'octiles', GAME.format(name='octiles'))
    assert load('octiles').title == 'Octiles'


@pytest.mark.parametrize(
    ('text', 'sentence'),
    [
        ('', 'The game broken has no instance; its __init__.py must end with one, such as GAME = MyGame().'),
        (
            GAME.format(name='apples'),
            "The game in the folder broken declares the name 'apples'; both must be the same.",
        ),
    ],
)
def test_a_folder_without_a_game_of_its_name_is_refused(place: Path, text: str, sentence: str) -> None:
    write(place, 'broken', text)
    with pytest.raises(GameError) as refused:
        load('broken')
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ('text', 'what', 'number'),
    [
        ('import pears_and_apples', "No module named 'pears_and_apples'", 1),
        (f'{GAME.format(name="broken")}\nOther(1)\n', 'Other() takes no arguments', 8),
        ('GAME = (', "'(' was never closed", 1),
        ("{}['stones']", "KeyError 'stones'", 1),
    ],
)
def test_a_game_that_cannot_be_imported_is_refused_with_the_place_in_its_own_files(
    place: Path, text: str, what: str, number: int
) -> None:
    write(place, 'broken', text)
    with pytest.raises(GameError) as refused:
        load('broken')
    file = place / 'broken/__init__.py'
    assert str(refused.value) == f'The game broken cannot be imported: {what} (in {file}, line {number}).'
    assert refused.value.__cause__ is not None
    assert load('pears').name == 'pears', 'the others are there'


def test_a_folder_that_is_not_there_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(registry.PLACES, f'{place}/nothing')
    with pytest.raises(GameError) as refused:
        games()
    assert str(refused.value) == (
        f'There is no folder {place}/nothing; LUDOTECA_GAMES names folders that hold games.'
    )
