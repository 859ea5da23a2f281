"""What all tests share: the toy game is known by its name, and tests run in the mode (compiled or
interpreted) that they need. Compiled kernels check their indices."""
from __future__ import annotations

import os

import pytest

from ludoteca import game
from ludoteca.kernel import compile as forms
from ludoteca.kernel import compiled
from tests.toy import GAME

game.add(GAME)
os.environ['LUDOTECA_CHECKED'] = '1'        # in the processes that tests start
forms.check_bounds()


def pytest_report_header() -> str:
    return f'kernels: {"compiled" if compiled else "interpreted"}, {os.cpu_count()} cores'


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked `interpreted` run under NUMBA_DISABLE_JIT=1 and nowhere else; there, all others would only be slow."""
    kept = [item for item in items if (item.get_closest_marker('interpreted') is None) == compiled]
    if len(kept) < len(items):
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
