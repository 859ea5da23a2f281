"""Games are found by the names of their folders; none is loaded before it is asked for."""
from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import cast

from ludoteca.game.contract import Game
from ludoteca.game.errors import GameError
from ludoteca.text import words

_added: dict[str, Game] = {}


def add(game: Game) -> None:
    """Make a game that lies outside the package known by its name (the toy game of the tests)."""
    _added[game.name] = game


@cache
def _names() -> tuple[str, ...]:
    package = importlib.import_module('ludoteca.games')
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg))


def games() -> tuple[str, ...]:
    """The names of all games, without loading any."""
    return tuple(dict.fromkeys((*_names(), *_added)))


def load(name: str) -> Game:
    """The game of that name. Raises GameError if there is none."""
    if name in _added:
        return _added[name]
    if name not in _names():
        raise GameError(words('game.error.no_game', name=name, games=', '.join(games())))
    return cast(Game, importlib.import_module(f'ludoteca.games.{name}').GAME)
