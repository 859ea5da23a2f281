"""The tests of one game's rules as part of the interpreted suite."""
from __future__ import annotations

from pathlib import Path

import pytest

from ludoteca.kernel import compiled

WIDE_ONLY = ('test_evaluation', 'test_statistics', 'test_model', 'test_alternatives')
"""Long games and many draws, which in `make test` are made compiled. That interpreted kernels answer the same, `estimate`
included, tests/conformance/test_modes.py holds of whole games."""


def mark_interpreted(items: list[pytest.Item], folder: Path) -> None:
    """With interpreted kernels (NUMBA_DISABLE_JIT=1) mark the tests of a folder for the suite that runs in this mode."""
    for item in items:
        unsuited = item.get_closest_marker('slow') or item.get_closest_marker('skipif')
        if not compiled and folder in item.path.parents and not unsuited:
            item.add_marker(pytest.mark.interpreted)
            if item.path.stem in WIDE_ONLY:
                item.add_marker(pytest.mark.wide)
