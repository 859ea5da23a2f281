"""Kinds of printed values: what a table of components may hold in place of the game's own values.

A game describes the parts of its table that may vary by these kinds (`components.ComponentTable`). Each kind
checks a value and answers an impossible one with a sentence that names its place, such as `tiles violet 3
points`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from reprlib import repr as short
from typing import Any

from ludoteca.game.errors import GameError
from ludoteca.game.json_fields import is_whole
from ludoteca.text import words

Path = tuple[str | int, ...]


def place_of(path: Path, table: Any) -> str:
    """A place in a table as people read it: keys as they are, entries of lists by their `id`, else counted
    from 1."""
    parts: list[str] = []
    for step in path:
        table = table[step] if _has(table, step) else None
        if isinstance(step, int):
            named = table.get('id') if isinstance(table, Mapping) else None
            parts.append(named if isinstance(named, str) else str(step + 1))
        else:
            parts.append(step.replace('_', ' '))
    return ' '.join(parts)


def _has(table: Any, step: str | int) -> bool:
    if isinstance(step, int):
        return isinstance(table, Sequence) and not isinstance(table, str) and step < len(table)
    return isinstance(table, Mapping) and step in table


def refuse(key: str, path: Path, own: Any, /, **values: object) -> GameError:
    """The error `components.error.<key>` about a place of the table; `own` is the game's own table."""
    return GameError(words(f'components.error.{key}', place=place_of(path, own), **values))


def shown(value: Any) -> str:
    """A value as sentences show it, cut short."""
    return short(value)[:60]


class ValueKind(ABC):
    """A kind of values. `part` names the entry of the game's `certainty` that speaks of them."""

    part: str = ''

    @abstractmethod
    def check(self, value: Any, path: Path, table: Any) -> None:
        """Raises GameError if the value is impossible at this place of the game's own table."""

    def leaves(self, value: Any, path: Path) -> Iterator[tuple[Path, ValueKind, Any]]:
        """The single values inside a value that was checked, with their places and kinds."""
        yield path, self, value


class Whole(ValueKind):
    """A whole number from `least` to `most`."""

    def __init__(self, least: int, most: int, part: str = '') -> None:
        self.least, self.most, self.part = least, most, part

    def check(self, value: Any, path: Path, table: Any) -> None:
        if not is_whole(value, self.least, self.most):
            raise refuse('whole', path, table, least=self.least, most=self.most, value=shown(value))


class Halves(ValueKind):
    """A number from 0 to `most` in steps of one half."""

    def __init__(self, most: int, part: str = '') -> None:
        self.most, self.part = most, part

    def check(self, value: Any, path: Path, table: Any) -> None:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not 0 <= value <= self.most or 2 * value != int(2 * value):
            raise refuse('halves', path, table, most=self.most, value=shown(value))


class OneOf(ValueKind):
    """One of several words. `may_lack`: an entry may have none of them, and then has no such key."""

    def __init__(self, values: Sequence[str], part: str = '', may_lack: bool = False) -> None:
        self.values, self.part, self.may_lack = tuple(values), part, may_lack

    def check(self, value: Any, path: Path, table: Any) -> None:
        if not isinstance(value, str) or value not in self.values:
            raise refuse('one_of', path, table, values=', '.join(self.values), value=shown(value))


class Several(ValueKind):
    """From `least` to `most` of these values, each once, in any order. `as_tile`: they are the spaces of a
    tile of two columns, row by row."""

    def __init__(
        self,
        values: Sequence[str | int],
        least: int,
        most: int,
        part: str = '',
        as_tile: bool = False,
    ) -> None:
        self.values, self.least, self.most, self.part = tuple(values), least, most, part
        self.as_tile = as_tile

    def check(self, value: Any, path: Path, table: Any) -> None:
        good = isinstance(value, list) and self.least <= len(value) <= self.most
        if not good or not all(type(one) in (str, int) and one in self.values for one in value):
            raise self._refused(value, path, table)
        if len(set(value)) < len(value):
            raise self._refused(value, path, table)

    def _refused(self, value: Any, path: Path, table: Any) -> GameError:
        return refuse(
            'several',
            path,
            table,
            least=self.least,
            most=self.most,
            values=', '.join(map(str, self.values)),
            value=shown(value),
        )


class Joined(ValueKind):
    """Ends 0 to `n` - 1, joined two by two: each end in exactly one pair."""

    def __init__(self, n: int, part: str = '') -> None:
        self.n, self.part = n, part

    def check(self, value: Any, path: Path, table: Any) -> None:
        pairs = value if isinstance(value, list) else []
        good = all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)
        ends = [end for pair in pairs for end in pair] if good else []
        if not all(is_whole(end, 0, self.n - 1) for end in ends) or sorted(ends) != list(range(self.n)):
            raise refuse('joined', path, table, n=self.n, last=self.n - 1, pairs=self.n // 2)


class Triple(ValueKind):
    """Numbers joined by hyphens, such as `5-1-3`: `n` of them, each from `least` to `most`."""

    def __init__(self, n: int, least: int, most: int, part: str = '') -> None:
        self.n, self.least, self.most, self.part = n, least, most, part

    def check(self, value: Any, path: Path, table: Any) -> None:
        numbers = value.split('-') if isinstance(value, str) else []
        good = len(numbers) == self.n and all(len(one) == 1 and one in '0123456789' for one in numbers)
        if not good or not all(self.least <= int(one) <= self.most for one in numbers):
            raise refuse(
                'triple', path, table, n=self.n, least=self.least, most=self.most, value=shown(value)
            )


class Entry(ValueKind):
    """An object with these keys. Keys of the game's own table that are not named here stay as they are."""

    def __init__(self, **fields: ValueKind) -> None:
        self.fields = fields

    def check(self, value: Any, path: Path, table: Any) -> None:
        own = at(table, path)
        if not isinstance(value, Mapping):
            raise refuse('entry', path, table, keys=', '.join(own))
        allowed = {**dict.fromkeys(own), **{key: None for key, kind in self.fields.items() if lacks(kind)}}
        for key in value:
            if key not in allowed:
                raise refuse('no_key', path, table, key=shown(key), keys=', '.join(allowed))
        for key in own:
            if key not in value and not lacks(self.fields.get(key)):
                raise refuse('missing', path, table, key=key)
        for key, one in value.items():
            kind = self.fields.get(key)
            if kind is not None:
                kind.check(one, (*path, key), table)
            elif one != own[key]:
                raise refuse('fixed', (*path, key), table, own=shown(own[key]), value=shown(one))

    def leaves(self, value: Any, path: Path) -> Iterator[tuple[Path, ValueKind, Any]]:
        for key, kind in self.fields.items():
            if key in value or lacks(kind):
                yield from kind.leaves(value.get(key), (*path, key))


def lacks(kind: ValueKind | None) -> bool:
    """May an entry be without a value of this kind?"""
    return isinstance(kind, OneOf) and kind.may_lack


def at(table: Any, path: Path) -> Any:
    """What a table has at a place."""
    for step in path:
        table = table[step]
    return table


class Each(ValueKind):
    """Values of one kind: an object with the keys of the game's own table, or a list as long as its own."""

    def __init__(self, kind: ValueKind) -> None:
        self.kind = kind

    def check(self, value: Any, path: Path, table: Any) -> None:
        own = at(table, path)
        if isinstance(own, Mapping):
            if not isinstance(value, Mapping):
                raise refuse('entry', path, table, keys=', '.join(own))
            for key in value:
                if key not in own:
                    raise refuse('no_key', path, table, key=shown(key), keys=', '.join(own))
            for key in own:
                if key not in value:
                    raise refuse('missing', path, table, key=key)
        else:
            if not isinstance(value, list):
                raise refuse('list', path, table, n=len(own))
            if len(value) != len(own):
                raise refuse('count', path, table, n=len(own), given=len(value))
        for step, one in steps(value):
            self.kind.check(one, (*path, step), table)

    def leaves(self, value: Any, path: Path) -> Iterator[tuple[Path, ValueKind, Any]]:
        for step, one in steps(value):
            yield from self.kind.leaves(one, (*path, step))


def steps(value: Any) -> Iterator[tuple[str | int, Any]]:
    """The values of an object or a list with their keys or numbers."""
    return iter(value.items()) if isinstance(value, Mapping) else enumerate(value)
