"""Games are found by the names of their folders; none is loaded before it is asked for.

The built-in games lie in the package `ludoteca.games`. LUDOTECA_GAMES names more folders that hold games,
separated as in PATH. They are searched after the package, and what lies in them is imported as if it lay
there too: `lineup/` in such a folder is `ludoteca.games.lineup`. Its modules import each other relatively.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from functools import cache
from pathlib import Path
from types import ModuleType

from ludoteca.game.contract import Game
from ludoteca.game.errors import GameError
from ludoteca.text import words

PLACES = 'LUDOTECA_GAMES'
_added: dict[str, Game] = {}


def add(game: Game) -> None:
    """Make a game that lies outside the package known by its name, in this process only."""
    _added[game.name] = game


def places() -> list[Path]:
    """The folders that LUDOTECA_GAMES names, whether they are there or not."""
    return [Path(folder).resolve() for folder in os.environ.get(PLACES, '').split(os.pathsep) if folder]


@cache
def _package() -> ModuleType:
    """The package of the games, which takes the folders of LUDOTECA_GAMES in. Raises GameError if one is
    missing."""
    for place in places():
        if not place.is_dir():
            raise GameError(words('game.error.no_place', folder=place, variable=PLACES))
    return importlib.import_module('ludoteca.games')


@cache
def _names() -> tuple[str, ...]:
    """Packages with a rulebook or words are games; whatever else lies beside a game is not."""
    found: set[str] = set()
    for place in _package().__path__:
        for module in pkgutil.iter_modules([place]):
            folder = Path(place, module.name)
            if module.ispkg and ((folder / 'rulebook.md').exists() or (folder / 'en.toml').exists()):
                found.add(module.name)
    return tuple(sorted(found))


def games() -> tuple[str, ...]:
    """The names of all games, without loading any."""
    return tuple(dict.fromkeys((*_names(), *_added)))


def load(name: str) -> Game:
    """The game of that name. Raises GameError if no folder has that name, or if it holds no game of that
    name. `<game>@<hash>` is a game with a component set, see components.py."""
    if '@' in name:
        from ludoteca.game.components import find

        return find(name)
    if name in _added:
        return _added[name]
    if name not in _names():
        raise GameError(words('game.error.no_game', name=name, games=', '.join(games())))
    game = getattr(importlib.import_module(f'ludoteca.games.{name}'), 'GAME', None)
    if not isinstance(game, Game):
        raise GameError(words('game.error.no_instance', name=name))
    if game.name != name:
        raise GameError(words('game.error.other_name', name=name, declared=game.name))
    return game
