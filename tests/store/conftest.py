"""A database of its own for each test."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.store import Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f'sqlite:///{tmp_path / "test.sqlite3"}'


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url)
    yield store
    store.close()
