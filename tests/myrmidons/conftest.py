"""In a process with interpreted kernels (NUMBA_DISABLE_JIT=1) the same tests run as the interpreted suite, on fewer positions."""
from __future__ import annotations

from pathlib import Path

import pytest

from ludoteca.kernel import compiled

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder for the suite that runs in this mode."""
    for item in items:
        unsuited = item.get_closest_marker('slow') or item.get_closest_marker('skipif')
        if not compiled and HERE in item.path.parents and not unsuited:
            item.add_marker(pytest.mark.interpreted)
