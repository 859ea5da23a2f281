"""The component sets that a server offers: those of the operator's folder, and those that people bring if the
operator allows it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ludoteca.game import GameError, load, variant
from ludoteca.game.components import MARK, checked_set, exported, read_set, set_of_file, split
from ludoteca.game.variants import add_source
from ludoteca.store import Store
from ludoteca.text import words
from ludoteca.web.serving.errors import Forbidden

log = logging.getLogger(__name__)
MOST_FILES = 200
"""Files of the folder that are read."""


class Offered(NamedTuple):
    """A component set of the folder: the name of the game with it, and what its file calls it."""

    name: str
    label: str


class OfferedSets:
    """Which games with component sets may be opened here. Files are read when they have changed."""

    def __init__(self, store: Store, folder: str = '', own: bool = False) -> None:
        """`folder`: the operator's, '' for none; `own`: may people bring sets of their own?"""
        self._store, self._folder, self.own = store, Path(folder) if folder else None, own
        self._read: dict[Path, tuple[tuple[int, int], Offered | None]] = {}
        # what the operator calls a set is for everybody; what people call theirs is not
        self.close = add_source(self._in_folder) if folder else lambda: None

    def of(self, game: str) -> list[Offered]:
        """The sets of the folder for a game, in the order of the files' names."""
        found = {one.name: one for one in self._all() if split(one.name)[0] == game}
        return list(found.values())

    def check(self, name: str) -> None:
        """Raises Forbidden if no table may be opened with this set: the folder has none of that hash, people
        may not bring their own, and none was opened before."""
        game, hash_ = split(name)
        if not hash_ or self.own or any(one.name == name for one in self._all()):
            return
        if self._store.component_set(game, hash_) is None:
            raise Forbidden(words('web.components.error.not_offered', game=load(game).title))

    def _in_folder(self, game: str, hash_: str) -> Mapping[str, Any] | None:
        """The set of the folder with this hash, as plain data."""
        if not any(one.name == f'{game}{MARK}{hash_}' for one in self._all()):
            return None
        return exported(load(f'{game}{MARK}{hash_}'))

    def _all(self) -> list[Offered]:
        if self._folder is None:
            return []
        try:
            files = sorted(self._folder.glob('*.json'))[:MOST_FILES]
        except OSError:
            return []
        return [one for one in map(self._offered, files) if one is not None]

    def _offered(self, path: Path) -> Offered | None:
        try:
            found = path.stat()
            mark = found.st_mtime_ns, found.st_size
            if path not in self._read or self._read[path][0] != mark:
                self._read[path] = mark, None
                data = read_set(path)
                game = variant(set_of_file(data, str(path)), data)
                if game.component_set is not None:
                    label = checked_set(game, data).title_or_hash
                    self._read[path] = mark, Offered(game.name, label)
            return self._read[path][1]
        except (OSError, GameError) as problem:
            log.warning('%s', words('web.components.error.file', path=path, problem=problem))
            return None
