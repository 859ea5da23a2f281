"""A test that takes `case` runs once for every configuration of every game; `usual`: with default options for
any number of players; `few`: as `usual`, and at full width as `case`; `game`: once for every game; `lesson`:
once for every lesson of every game. A game that lacks something is left out of all of them, and test_needs.py
says what it lacks."""

from __future__ import annotations

from functools import cache

import pytest

from ludoteca.game import Game, load
from ludoteca.lessons import lessons
from tests.conformance.harness import cases
from tests.conformance.needs import needs
from tests.width import ONLY_GAME, games_tested, width

lacking = cache(needs)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    complete = [name for name in games_tested() if not lacking(name)]
    configurations = [case for name in complete for case in cases(name)]
    if 'case' in metafunc.fixturenames:
        metafunc.parametrize('case', configurations, ids=str)
    if 'usual' in metafunc.fixturenames:  # defaults, for any number of players
        metafunc.parametrize(
            'usual', [case for case in configurations if not case.options.changed()], ids=str
        )
    if 'few' in metafunc.fixturenames:  # what takes long
        few = [case for case in configurations if width(not case.options.changed(), True)]
        metafunc.parametrize('few', few, ids=str)
    if 'name' in metafunc.fixturenames:
        metafunc.parametrize('name', complete)
    if 'lesson' in metafunc.fixturenames:
        found = [lesson for name in complete for lesson in lessons(name)]
        metafunc.parametrize('lesson', found, ids=lambda one: f'{one.game}-{one.id}')
    if 'wanted' in metafunc.fixturenames:
        metafunc.parametrize('wanted', [ONLY_GAME] if ONLY_GAME else games_tested())


@pytest.fixture
def game(name: str) -> Game:
    return load(name)
