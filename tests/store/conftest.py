"""A database of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.store import Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f'sqlite:///{tmp_path / "test.sqlite3"}'


@pytest.fixture(autouse=True)
def data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder, for the keys; the database lies elsewhere."""
    folder = tmp_path_factory.mktemp('data')
    monkeypatch.setenv('LUDOTECA_DATA', str(folder))
    return folder


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url)
    yield store
    store.close()
