"""In a process with interpreted kernels (NUMBA_DISABLE_JIT=1) the same tests run as the interpreted suite, on
fewer positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interpreted import mark_interpreted


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder."""
    mark_interpreted(items, Path(__file__).parent)
