"""In which form of the kernels the tests of one game's rules run.

The interpreted suite (NUMBA_DISABLE_JIT=1) runs every example of the rules and every property on few
positions: it measures the branches, and every warning is an error there. Long games and many draws are made
compiled. `make test` proves each of them in one form, `make test-all` in both. That both forms are the same
rules tests/conformance/test_modes.py holds by hashes of whole games.
"""

from __future__ import annotations

import os
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


def mark_interpreted(items: list[pytest.Item], folder: Path) -> None:
    """Mark the tests of a folder for the suite of this process's form, or as `wide` if `make test` runs them
    in the other one."""
    for item in items:
        unsuited = item.get_closest_marker('slow') or item.get_closest_marker('skipif')
        if folder not in item.path.parents or unsuited:
            continue
        if not compiled:
            item.add_marker(pytest.mark.interpreted)
            if item.path.stem in LONG and os.environ.get('LUDOTECA_MODE') != 'any':
                item.add_marker(pytest.mark.wide)
        elif WIDTH == 'narrow' and item.path.stem not in LONG:
            item.add_marker(pytest.mark.wide)
