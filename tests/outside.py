"""Games in folders outside the package, made known to this process for one test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import ludoteca.games
from ludoteca.game import registry


@contextmanager
def games_in(place: Path) -> Iterator[Path]:
    """LUDOTECA_GAMES names the folder, as if it had done so when the package was imported. What was imported
    from it is forgotten afterwards."""
    caches, before = (registry._package, registry._names), set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ludoteca.games, '__path__', [*ludoteca.games.__path__, str(place.resolve())])
        patch.setenv(registry.PLACES, f'{place}')
        for one in caches:
            one.cache_clear()
        yield place
    for name in set(sys.modules) - before:
        if name.startswith('ludoteca.games.'):
            del sys.modules[name]
    for one in caches:
        one.cache_clear()
