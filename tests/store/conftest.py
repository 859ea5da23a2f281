"""A database of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.store import Store
from tests.width import width


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    """The address of a SQLite file, for tests that look into it."""
    return f'sqlite:///{tmp_path / "test.sqlite3"}'


@pytest.fixture(params=width(('sqlite',), ('sqlite', 'postgresql')))
def url(request: pytest.FixtureRequest, file_url: str) -> str:
    """The address of a database, of each kind in turn."""
    return file_url if request.param == 'sqlite' else str(request.getfixturevalue('postgresql').schema())


@pytest.fixture(autouse=True)
def data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder, for the keys; the database lies elsewhere."""
    folder = tmp_path_factory.mktemp('data')
    monkeypatch.setenv('LUDOTECA_DATA', str(folder))
    return folder


@pytest.fixture
def file_store(file_url: str) -> Iterator[Store]:
    store = Store(file_url)
    yield store
    store.close()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url)
    yield store
    store.close()
