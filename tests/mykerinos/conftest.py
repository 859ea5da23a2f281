"""In a process with interpreted kernels (NUMBA_DISABLE_JIT=1) the same tests run as the interpreted suite, on
fewer positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoteca.game import json_fields as fields
from ludoteca.games.mykerinos import notation
from tests.interpreted import mark_interpreted


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder."""
    mark_interpreted(items, Path(__file__).parent)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the sentences that names and positions are answered with, as they come."""
    keys, words = list[str](), notation.words

    def recorded(key: str, /, **values: object) -> str:
        keys.append(key)
        return words(key, **values)

    for module in (notation, fields):
        monkeypatch.setattr(module, 'words', recorded)
    return keys
