"""A test that takes `case` runs once for every configuration of every game; `usual`: with default options for any number of
players; `few`: as `usual`, and at full width as `case`; `game`: once for every game."""
from __future__ import annotations

import pytest

from ludoteca.game import Game, load
from tests.conformance.harness import cases
from tests.width import games_tested, width


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    configurations = [case for name in games_tested() for case in cases(name)]
    if 'case' in metafunc.fixturenames:
        metafunc.parametrize('case', configurations, ids=str)
    if 'usual' in metafunc.fixturenames:        # defaults, for any number of players
        metafunc.parametrize('usual', [case for case in configurations if not case.options.changed()], ids=str)
    if 'few' in metafunc.fixturenames:          # what takes long
        few = [case for case in configurations if width(not case.options.changed(), True)]
        metafunc.parametrize('few', few, ids=str)
    if 'name' in metafunc.fixturenames:
        metafunc.parametrize('name', games_tested())


@pytest.fixture
def game(name: str) -> Game:
    return load(name)
