"""Ludoteca: five strategy games to play and to study.

>>> import ludoteca
>>> position = ludoteca.new('octiles', players=2, seed=7)
>>> position.legal()[:3]
['a2:0', 'a2:2', 'a2:3']
>>> position.after('a2:0 A2-B2').to_move
1
>>> 'octiles' in ludoteca.game_names()
True

Importing the package loads no game and nothing heavy; the names below are fetched from `ludoteca.game` when
first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoteca.game import Position, load, new, position, variant
    from ludoteca.game import games as game_names

__all__ = ['Position', 'game_names', 'load', 'new', 'position', 'variant']
__version__ = '0.1.0'


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    from ludoteca import game

    return getattr(game, 'games' if name == 'game_names' else name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
