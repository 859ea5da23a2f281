"""Studies of component sets: what would change with other values?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ludoteca.game import GameError, load
from ludoteca.match import files
from ludoteca.research.study import Study
from ludoteca.research.study_report import report
from tests.components.sets import FOLDER

MORE_POINTS = {'game': 'myriath', 'title': 'More for the first', 'handicap': [3, 0, 0.5, 1]}
pytest.importorskip('pyarrow')


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / 'mine.json'
    path.write_text(json.dumps(MORE_POINTS))
    return str(path)


@pytest.mark.wide
def test_a_study_compares_component_sets_game_by_game(mine: str, tmp_path: Path) -> None:
    """Three points more for the first seat, and nothing else, in every single game."""
    study = Study.of('myriath', vary=[f'components={mine}'], games=12, seed=4)
    folder = tmp_path / 'study'
    assert study.play(folder) == 24
    found = study.write_summary(folder)
    own, other = found['vary']['components']
    assert own == 'myriath'
    assert found['component_sets'] == {other: load(other).component_set.json()}
    hash_ = other.partition('@')[2]
    assert list(found['cells']) == ['2p-random-components=own', f'2p-random-components={hash_}']
    (pair,) = found['differences']
    assert pair['axis'] == 'components'
    points, turns = pair['figures']['points'], pair['figures']['turns']
    assert (points['value'], points['low'], points['high']) == (1.5, 1.5, 1.5), 'three for one of two seats'
    assert turns['value'] == 0
    assert 'More for the first' in report(study, found)
    assert study.play(folder) == 0, 'what is there is not played again'
    games = [files.read(path.read_text()).game.name for path in study.write_matches(folder, 3)]
    assert games == [own, other]


def test_sets_are_compared_with_the_first_that_is_named(mine: str) -> None:
    second = str(FOLDER / 'myriath.json')
    names: list[Any] = [
        Study.of('myriath', vary=[f'components={typed}'], games=1).variations[0].values
        for typed in (f'{mine},own', f'own,{mine},{second}', second)
    ]
    assert [[name.partition('@')[2] == '' for name in row] for row in names] == [
        [False, True],
        [True, False, False],
        [True, False],
    ]


def test_the_command_that_repeats_a_study_names_the_files(mine: str) -> None:
    study = Study.of('myriath', vary=[f'components=own,{mine}'], games=1)
    assert f'--vary components=own,{mine}' in study.command().replace("'", '')


@pytest.mark.parametrize(
    ('typed', 'sentence'),
    [('own', 'only one component set'), ('', 'only one component set'), ('none.json', 'cannot be read')],
)
def test_a_study_of_one_set_or_of_a_missing_one_is_refused(typed: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        Study.of('myriath', vary=[f'components={typed}'], games=1)
