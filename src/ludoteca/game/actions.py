"""Action spaces: every action is a number, and each kind of action has a block of consecutive numbers."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from ludoteca.game.errors import GameError
from ludoteca.game.shapes import Slice
from ludoteca.kernel.ranges import firsts
from ludoteca.text import words


class ActionSpace:
    """The kinds of actions of a game, in the order of their numbers, and the numbers that each kind has.

    `kinds`: the name, shape and axes of each kind. `firsts`: the first action of each kind; the last entry is
    the number of all actions.
    """

    def __init__(self, *kinds: Slice) -> None:
        self.kinds = kinds
        self.firsts = firsts(kind.size for kind in kinds)

    def decode(self, action: int) -> tuple[str, int]:
        """The kind of an action by its name, and the number of the action within its kind. Raises GameError
        if there is no such action, or if the game does not declare its kinds."""
        kind, number = self._kind_at(action)
        return kind.name, number

    def parts(self, action: int) -> tuple[str, tuple[int, ...]]:
        """The kind of an action by its name, and its index on each axis. Raises GameError as `decode`
        does."""
        kind, number = self._kind_at(action)
        indices: list[int] = []
        for size in reversed(kind.shape):
            number, index = divmod(number, size)
            indices.insert(0, index)
        return kind.name, tuple(indices)

    def first(self, name: str) -> int:
        """The first action of a kind. Raises GameError if there is no such kind."""
        return self._kind(name)[0]

    def encode(self, name: str, *indices: int) -> int:
        """The action of a kind with these indices, one for each axis. Raises GameError if there is none."""
        first, kind = self._kind(name)
        if len(indices) != len(kind.shape) or not all(
            0 <= index < size for index, size in zip(indices, kind.shape, strict=True)
        ):
            raise GameError(words('game.error.no_indices', kind=name, shape=kind.shape))
        return first + int(np.ravel_multi_index(indices, kind.shape) if indices else 0)

    def _kind_at(self, action: int) -> tuple[Slice, int]:
        """The kind of an action, and the number of the action within it."""
        if not 0 <= action < self.firsts[-1]:
            raise GameError(words('game.error.no_action', action=action, n=self.firsts[-1]))
        k = bisect_right(self.firsts, action) - 1
        return self.kinds[k], int(action) - self.firsts[k]

    def _kind(self, name: str) -> tuple[int, Slice]:
        """The first action of a kind, and the kind."""
        for first, kind in zip(self.firsts, self.kinds, strict=False):
            if kind.name == name:
                return first, kind
        kinds = ', '.join(kind.name for kind in self.kinds)
        raise GameError(words('game.error.no_kind', kind=repr(name), kinds=kinds))
