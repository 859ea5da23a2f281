"""What is numbered is declared once: actions, and the parts of an observation. A game outside of these sources may number its
actions as it likes; where it has such tables, they are right."""
from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ludoteca.game import Game
from ludoteca.kernel.ranges import firsts

SOURCES = Path(__file__).resolve().parents[2]
ROW = re.compile(r'^ {4}([A-Z].*?)\s{2,}(\d+)(?: *\.\. *(\d+))?(?= |$)', re.MULTILINE)     # `    PAY + colour   196 ..  202   ...`


def module_with(table: str, game: Game, kernel: str) -> ModuleType:
    """The module of a kernel, which has a table of numbers."""
    module = sys.modules[getattr(game.kernels, kernel).__module__]
    if not hasattr(module, table) and not Path(game.folder).is_relative_to(SOURCES):
        pytest.skip(f'{game.name} has no table {table}')
    return module


def rules_of(game: Game) -> ModuleType:
    """The module of a game's rules."""
    return module_with('ACTIONS', game, 'setup')


def test_actions_are_numbered_as_the_table_says(game: Game) -> None:
    rules = rules_of(game)
    *begins, end = firsts(rules.ACTIONS.values())
    assert end == rules.N_ACTIONS == game.n_actions
    assert {name: getattr(rules, name) for name in rules.ACTIONS} == dict(zip(rules.ACTIONS, begins, strict=True))


def test_the_head_of_the_rules_lists_the_actions_by_their_numbers(game: Game) -> None:
    rules = rules_of(game)
    begins = firsts(rules.ACTIONS.values())
    listed = [(what.split()[0], int(first), int(last or first)) for what, first, last in ROW.findall(rules.__doc__ or '')
              if what.split()[0] in rules.ACTIONS]
    assert listed == [(name, first, after - 1) for name, first, after in zip(rules.ACTIONS, begins, begins[1:], strict=False)]


def test_an_observation_names_where_its_parts_begin(game: Game) -> None:
    knowledge = module_with('AT', game, 'observe')
    begins = firsts(part.size for part in game.observation)
    assert [(part.name, int(knowledge.AT[part.name])) for part in game.observation] == [
        (part.name, begin) for part, begin in zip(game.observation, begins, strict=False)]
