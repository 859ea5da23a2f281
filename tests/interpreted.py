"""In which form of the kernels the tests of one game's rules run.

The interpreted suite (NUMBA_DISABLE_JIT=1) runs every example of the rules and every property on few
positions: it counts the branches (in MEASURED), and every warning is an error there. Long games and many
draws are made compiled. `make test` proves each of them in one form, `make test-all` in both. That both forms
are the same rules tests/conformance/test_modes.py holds by hashes of whole games.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludoteca.kernel import compiled
from tests.width import WIDTH

LONG = (
    'test_evaluation',
    'test_statistics',
    'test_model',
    'test_alternatives',
    'test_polygons',
    'test_perft',
    'test_reasons',
)
"""Long games, many draws, and what lies above the kernels: compiled in `make test`, and in both forms in
`make test-all`. Where there is one form only (LUDOTECA_MODE=any, for scripts/mutation.py), `make test` runs
them too."""

MEASURED = (
    'test_rules',
    'test_chance',
    'test_readings',
    'test_arrange',
    'test_random',
    'test_survey',
    'test_play',
)
"""The tests of which the branches are counted: they take the rules one by one. Others run without, since
kernels take twice as long while every line is noted."""

IN_BOTH_FORMS = pytest.mark.parametrize(
    'form', ['compiled', pytest.param('interpreted', marks=pytest.mark.interpreted)]
)
"""For a test of the kernels that all rules are made of: it runs with each form."""


@contextmanager
def measured(item: pytest.Item) -> Iterator[None]:
    """Around a test: coverage notes no lines, unless the test's branches are counted."""
    noting = sys.gettrace()
    pause = type(noting).__module__.startswith('coverage') and item.path.stem not in MEASURED
    if pause:
        sys.settrace(None)
    try:
        yield
    finally:
        if pause:
            sys.settrace(noting)


def mark_interpreted(items: list[pytest.Item], folder: Path) -> None:
    """Mark the tests of a folder for the suite of this process's form, or as `wide` if `make test` runs them
    in the other one."""
    inside = f'{folder}{os.sep}'
    for item in items:
        if not str(item.path).startswith(inside):
            continue
        if item.get_closest_marker('slow') or item.get_closest_marker('skipif'):
            continue
        if not compiled:
            item.add_marker(pytest.mark.interpreted)
            if item.path.stem in LONG and os.environ.get('LUDOTECA_MODE') != 'any':
                item.add_marker(pytest.mark.wide)
        elif WIDTH == 'narrow' and item.path.stem not in LONG:
            item.add_marker(pytest.mark.wide)
