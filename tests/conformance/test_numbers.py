"""What is numbered is declared once: actions, and the parts of an observation.

A game of a single kind of actions needs no table of them, nor one whose observation is a single part."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ludoteca.game import Game
from ludoteca.kernel.process import PACKAGE
from ludoteca.kernel.ranges import firsts

# `    PAY + colour   196 ..  202   ...`
ROW = re.compile(r'^ {4}([A-Z].*?)\s{2,}(\d+)(?: *\.\. *(\d+))?(?= |$)', re.MULTILINE)


def rules_of(game: Game) -> ModuleType:
    """The module of a game's rules."""
    return sys.modules[game.kernels.setup.__module__]


def rules_with_table(game: Game) -> ModuleType:
    """The same, if the game has a table of its actions; the games of the package must have one."""
    rules = rules_of(game)
    if not hasattr(rules, 'ACTIONS'):
        assert not Path(game.folder).is_relative_to(PACKAGE), f'{game.name}/rules.py has no table ACTIONS.'
        pytest.skip('its actions are of one kind')
    return rules


def test_actions_are_numbered_as_the_table_says(game: Game) -> None:
    rules = rules_with_table(game)
    *begins, end = firsts(rules.ACTIONS.values())
    assert end == rules.N_ACTIONS == game.n_actions
    assert {name: getattr(rules, name) for name in rules.ACTIONS} == dict(
        zip(rules.ACTIONS, begins, strict=True)
    )


def test_the_head_of_the_rules_lists_the_actions_by_their_numbers(game: Game) -> None:
    rules = rules_with_table(game)
    begins = firsts(rules.ACTIONS.values())
    listed = [
        (what.split()[0], int(first), int(last or first))
        for what, first, last in ROW.findall(rules.__doc__ or '')
        if what.split()[0] in rules.ACTIONS
    ]
    assert listed == [
        (name, first, after - 1)
        for name, first, after in zip(rules.ACTIONS, begins, begins[1:], strict=False)
    ]


def test_an_observation_names_where_its_parts_begin(game: Game) -> None:
    knowledge = sys.modules[game.kernels.observe.__module__]
    if not hasattr(knowledge, 'AT'):
        assert not Path(game.folder).is_relative_to(PACKAGE), f'{game.name}/knowledge.py has no offsets AT.'
        pytest.skip('its offsets are not named')
    begins = firsts(part.size for part in game.observation)
    assert [(part.name, int(knowledge.AT[part.name])) for part in game.observation] == [
        (part.name, begin) for part, begin in zip(game.observation, begins, strict=False)
    ]
