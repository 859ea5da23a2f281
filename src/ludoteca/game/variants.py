"""Games with a component set: the modules of a game are loaded a second time beside the first, with the
values of the set.

The result is a game of its own, called `<game>@<hash>`, with kernels, positions and logs of its own. The hash
is of the values alone, so equal values are the same game, and values equal to the game's own are the game
itself. `components.py` says what a set is.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import importlib.util
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from ludoteca.game.components import (
    LOADING,
    MARK,
    NAME,
    WORDS,
    ComponentSet,
    checked_set,
    package_of,
    read_set,
    split,
    table_of,
    text_of,
)
from ludoteca.game.contract import Game
from ludoteca.game.errors import GameError
from ludoteca.game.kinds import place_of, shown
from ludoteca.game.registry import named
from ludoteca.kernel.cache import cache_root
from ludoteca.kernel.compile import drop_plain
from ludoteca.text import words

Source = Callable[[str, str], Mapping[str, Any] | None]
"""Where sets are looked up that this process does not know: by game and hash. Words of a set that a source
gives are shown to everybody."""

_sources: list[Source] = []
_variants: dict[str, Game] = {}
_lock = threading.RLock()


def add_source(source: Source) -> Callable[[], None]:
    """Have sets looked up there, too. Returns what takes the source away again."""
    _sources.insert(0, source)

    def remove() -> None:
        with contextlib.suppress(ValueError):
            _sources.remove(source)

    return remove


def variant(
    game: Game | str, components: Any = None, /, *, keep: bool = True, silent: bool = False, **parts: Any
) -> Game:
    """A game with other printed values than its own.

    `components` is a component set: plain data, or the path of its JSON file. Keywords give single parts, as
    data or as the path of a file that holds the part or a whole set. `keep`: other processes of this computer
    find the set by its hash. `silent`: its words are dropped, for a process that serves several people; else
    the game has them from now on, if it had others. Raises GameError, with a sentence that names the place,
    if it cannot be used.
    """
    base = base_of(game)
    given = read_set(components) if isinstance(components, (str, Path)) else components
    given = dict(given) if isinstance(given, Mapping) else {} if given is None else given
    for name, value in parts.items():
        found = read_set(value) if isinstance(value, (str, Path)) else value
        given[name] = (
            found[name] if isinstance(found, Mapping) and 'game' in found and name in found else found
        )
    found_set = checked_set(base, given)
    if found_set.values == table_of(base).values({}):
        return base
    if silent:
        found_set = found_set.without_words()
    made = loaded(base, found_set)
    if not silent:
        _rename(made, found_set)
    if keep:
        _keep(found_set)
    return made


def _rename(game: Game, chosen: ComponentSet) -> None:
    """Have a game say what a file says that gives the same values once more."""
    with _lock:
        if game.component_set.words != chosen.words:
            kind = type(game)
            kind.component_set, kind.certainty = chosen, chosen.known(table_of(game))
            vars(game).pop('reconstructed', None)


def carried(game: Game | str) -> Game | str:
    """A game as it is sent to other processes: by its name, but with a component set as itself, since it
    takes the set along."""
    return find(game) if isinstance(game, str) and MARK in game else game


def base_of(game: Game | str) -> Game:
    """The game itself, whatever its components."""
    return named(split(game if isinstance(game, str) else game.name)[0])


def load(name: str) -> Game:
    """The game of that name; `<game>@<hash>` is a game with a component set. Raises GameError if no folder
    has that name, if what lies there cannot be imported, if it holds no game of that name, or if nobody knows
    the set."""
    return find(name) if MARK in name else named(name)


def find(name: str) -> Game:
    """The game called `<game>@<hash>`. Raises GameError if nobody knows this set."""
    known = _variants.get(name)
    if known is not None:
        return known
    matched = NAME.fullmatch(name)
    base = base_of(name)
    data = _looked_up(*matched.groups()) if matched else None
    if data is None:
        raise GameError(words('components.error.unknown', game=base.title, hash=shown(split(name)[1])[1:-1]))
    return loaded(base, data)


def _looked_up(base: str, hash_: str) -> ComponentSet | None:
    game = base_of(base)
    for source in (*_sources, _kept):
        with contextlib.suppress(GameError):  # written by another version, damaged, or not to be read
            data = source(base, hash_)
            found = None if data is None else checked_set(game, data)
            if found is not None and found.hash == hash_:
                _keep(found)
                return found
    return None


def loaded(base: Game, chosen: ComponentSet) -> Game:
    """The game with a set, its modules loaded once in this process. Raises GameError if the set changes the
    sizes of the game's records or actions, which other programs count on."""
    with _lock:
        if chosen.name in _variants:
            return _variants[chosen.name]
        package = f'{package_of(base)}{MARK}{chosen.hash}'
        LOADING[chosen.name] = chosen
        try:
            game = _instance(importlib.import_module(package))
            kind = type(game)
            if _sizes(game) != _sizes(base):
                raise GameError(words('components.error.sizes', game=base.title))
            kind.name, kind.component_set = chosen.name, chosen
            kind.certainty = chosen.known(table_of(game))
            kind.__reduce__ = _taken_along  # type: ignore[assignment]
        except BaseException:
            forget(chosen.name)
            raise
        _variants[chosen.name] = game
        return game


def differences(game: Game) -> list[tuple[str, Any, Any]]:
    """What of a game's components differs from the game's own: the place in words, own value, value."""
    if game.component_set is None:
        return []
    table = table_of(base_of(game))
    return [
        (place_of(path, table.own), own, value)
        for path, _, own, value in table.differences(game.component_set.values)
    ]


def _taken_along(game: Game) -> tuple[Any, ...]:
    """How a game with a set is pickled: it takes the set along, to other processes and other computers."""
    return variant, (game.base_name, game.component_set.json())


@contextlib.contextmanager
def tried(game: Game, data: Any) -> Iterator[Game]:
    """A game with a set for as long as the block runs: for a set that is looked at while it is written.
    Raises GameError as `variant` does."""
    base = base_of(game)
    with _lock:
        chosen = checked_set(base, data).without_words()
        kept = chosen.name in _variants
        try:
            yield base if chosen.values == table_of(base).values({}) else loaded(base, chosen)
        finally:
            if not kept:
                forget(chosen.name)


def forget(name: str) -> None:
    """Have this process forget a game with a set: its modules can go."""
    with _lock:
        _variants.pop(name, None)
        LOADING.pop(name, None)
        last = re.compile(rf'(.*\.)?{re.escape(name)}(\..*)?')
        for module in [module for module in sys.modules if last.fullmatch(module)]:
            drop_plain(vars(sys.modules[module]))
            parent, _, child = module.rpartition('.')
            if parent in sys.modules and child in vars(sys.modules[parent]):
                delattr(sys.modules[parent], child)
            del sys.modules[module]


def _instance(module: ModuleType) -> Game:
    game = getattr(module, 'GAME', None)
    assert isinstance(game, Game), module
    return game


def _sizes(game: Game) -> tuple[Any, ...]:
    """What must not change: sizes of records, actions and observations."""
    return (
        game.State.DTYPE.descr,
        game.Work.DTYPE.descr,
        game.n_actions,
        game.max_legal,
        game.observation,
        game.endings,
        game.options.values().keys(),
    )


# ---- the modules of a game with a set ----------------------------------------------------------------------


class Finder(MetaPathFinder):
    """Finds the package `<game>@<hash>` where the package `<game>` lies. Its modules are found in it as
    usual."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Called by Python's import system."""
        parent, _, last = fullname.rpartition('.')
        matched = NAME.fullmatch(last)
        if matched is None:
            return None
        if last not in LOADING:  # another process has pickled something of this game
            with contextlib.suppress(GameError):
                data = _looked_up(*matched.groups())
                if data is not None:
                    LOADING[last] = data
        found = importlib.util.find_spec(f'{parent}.{matched[1]}' if parent else matched[1])
        if last not in LOADING or found is None or found.origin is None:
            return None
        places = list(found.submodule_search_locations or ())
        return importlib.util.spec_from_file_location(
            fullname, found.origin, submodule_search_locations=places
        )


if not any(isinstance(one, Finder) for one in sys.meta_path):
    sys.meta_path.append(Finder())


# ---- sets that other processes find ------------------------------------------------------------------------


def kept_in() -> Path:
    """Where sets are kept for other processes of this computer, beside the compiled kernels."""
    return cache_root().parent / 'components'


def _keep(chosen: ComponentSet) -> None:
    """Keep the values of a set, if that can be written. Its words are not for who finds it by its hash."""
    with contextlib.suppress(OSError, RuntimeError):
        target = kept_in() / f'{chosen.name}.json'
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f'.{target.name}.{os.getpid()}.{threading.get_ident()}')
        new.write_text(text_of(chosen.without_words().json()), 'utf-8')
        new.replace(target)


def _kept(base: str, hash_: str) -> Mapping[str, Any] | None:
    with contextlib.suppress(OSError, RuntimeError, GameError):
        found = read_set(kept_in() / f'{base}{MARK}{hash_}.json')
        if isinstance(found, Mapping):  # older versions have kept words besides
            return {key: value for key, value in found.items() if key not in WORDS}
    return None
