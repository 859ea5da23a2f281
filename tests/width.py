"""How wide tests run, and for which games.

Narrow (`make test`), every rule, promise and page is proved once. Wide (`make test-all`), the same tests go
through all configurations, longer games and more positions. A test says with `width` how much it does, and
with the marker `wide` that it runs at full width only. What may not differ is what is asserted: a narrow test
is the same test on fewer cases. Least (`make check`) is narrow, and the tests of all games run for the usual
configuration only.
"""

from __future__ import annotations

import os
from typing import TypeVar

import pytest

from ludoteca import game

T = TypeVar('T')

WIDTH = os.environ.get('LUDOTECA_WIDTH') or 'narrow'
assert WIDTH in ('least', 'narrow', 'wide'), f'LUDOTECA_WIDTH is least, narrow or wide, not {WIDTH}'
WIDE = WIDTH == 'wide'
ONLY_GAME = os.environ.get('LUDOTECA_GAME', '')
"""`make check GAME=...` and scripts/mutation.py: tests that run for every game run for this one only."""


def width(narrow: T, wide: T) -> T:
    """What a test does in `make test`, and what in `make test-all`."""
    return wide if WIDE else narrow


def varies(item: pytest.Item) -> bool:
    """May a test do more at full width than in `make test`? So may all tests of a module that asks for the
    width, those of further configurations, and those of pages, whose windows are larger."""
    module, call = getattr(item, 'module', None), getattr(item, 'callspec', None)
    if item.get_closest_marker('browser') is not None:
        return True
    asks = any(value is width or name == 'WIDE' for name, value in vars(module).items())
    return asks or any(not getattr(value, 'narrow', True) for value in (call.params.values() if call else ()))


def games_tested() -> tuple[str, ...]:
    """The games that the tests for all games run for."""
    return tuple(name for name in game.games() if ONLY_GAME in ('', name))
