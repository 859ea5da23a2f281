"""What is numbered is declared once: actions, and the parts of an observation.

A game of a single kind of actions needs no table of them, nor one whose observation is a single part."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
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


def test_the_head_of_the_rules_lists_the_actions_by_their_numbers(game: Game) -> None:
    """Each kind has a line with its numbers, and a constant of that name for the first of them."""
    rules, space = rules_of(game), game.actions
    if not space.kinds:
        assert not Path(game.folder).is_relative_to(PACKAGE), f'{game.name} does not declare its actions.'
        pytest.skip('its actions are of one kind')
    numbers = {
        kind.name: (first, following - 1)
        for kind, (first, following) in zip(space.kinds, pairwise(space.firsts), strict=True)
    }
    listed = {
        name: (int(first), int(last or first), getattr(rules, what.split()[0]))
        for what, first, last in ROW.findall(rules.__doc__ or '')
        if (name := what.split()[0].removeprefix('FIRST_').lower()) in numbers
    }
    assert listed == {name: (first, last, first) for name, (first, last) in numbers.items()}


def test_an_observation_names_where_its_parts_begin(game: Game) -> None:
    knowledge = sys.modules[game.kernels.observe.__module__]
    if not hasattr(knowledge, 'AT'):
        assert not Path(game.folder).is_relative_to(PACKAGE), f'{game.name}/knowledge.py has no offsets AT.'
        pytest.skip('its offsets are not named')
    begins = firsts(part.size for part in game.observation)
    assert [(part.name, int(knowledge.AT[part.name])) for part in game.observation] == [
        (part.name, begin) for part, begin in zip(game.observation, begins, strict=False)
    ]
