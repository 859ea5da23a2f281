"""Games are found by the names of their folders; none is loaded before it is asked for.

The built-in games lie in the package `ludoteca.games`. LUDOTECA_GAMES names more folders that hold games,
separated as in PATH. They are searched after the package, and what lies in them is imported as if it lay
there too: `lineup/` in such a folder is `ludoteca.games.lineup`. Its modules import each other relatively.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import traceback
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


def _module(name: str) -> ModuleType:
    """The package of a game. What fails in it becomes a GameError that says where in the game's own files;
    what failed is its cause."""
    try:
        return importlib.import_module(f'ludoteca.games.{name}')
    except GameError:
        raise
    except Exception as error:
        raise GameError(_not_imported(name, error)) from error


def _not_imported(name: str, error: Exception) -> str:
    frames: list[tuple[str, int | None]] = [(f'{name}/__init__.py', 1)]  # for a file that Python cannot read
    frames += [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    said = str(error)
    if isinstance(error, SyntaxError):
        said = error.msg
        frames.append((str(error.filename), error.lineno))
    elif ' ' not in said:  # such as the key of a KeyError
        said = f'{type(error).__name__} {said}'
    folders = {Path(name), *(Path(place, name) for place in _package().__path__)}
    file, line = [frame for frame in frames if folders & {*Path(frame[0]).parents}][-1]
    return words('game.error.not_imported', name=name, error=said.rstrip('.'), file=file, line=line)


def named(name: str) -> Game:
    """The game whose folder has that name. Raises GameError if no folder has it, if what lies there cannot be
    imported, or if it holds no game of that name."""
    if name in _added:
        return _added[name]
    if name not in _names():
        raise GameError(words('game.error.no_game', name=name, games=', '.join(games())))
    game = getattr(_module(name), 'GAME', None)
    if not isinstance(game, Game):
        raise GameError(words('game.error.no_instance', name=name))
    if game.name != name:
        raise GameError(words('game.error.other_name', name=name, declared=game.name))
    return game
