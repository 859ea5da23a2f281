"""How a game declares its options, and how they are read and encoded."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np

from ludoteca.game.errors import GameError
from ludoteca.kernel import Ints
from ludoteca.text import words

Value = bool | int | str


def option(default: Value, *choices: Value) -> Any:
    """Declare an option: its default first, then the other values it may take (for a yes/no option none need
    be named)."""
    values = (default, not default) if isinstance(default, bool) else (default, *choices)
    return field(default=default, metadata={'values': values})


def subset(default: Sequence[str], members: Sequence[str], *others: Sequence[str]) -> Any:
    """Declare an option that is a set of named things, written with commas in the order of `members`.
    `others` are more sets that tests try."""
    values = tuple(','.join(name for name in members if name in chosen) for chosen in (default, *others))
    return field(default=values[0], metadata={'values': values, 'members': tuple(members)})


@dataclass(frozen=True)
class Options:
    """Base class of a game's options: a frozen dataclass whose fields are declared with `option`.

    Labels and explanations for people are in the game's words, under `option.<field>` and
    `option.<field>.<value>`.
    """

    @classmethod
    def values(cls) -> dict[str, tuple[Value, ...]]:
        """The options in declared order, each with the values that it may take, the default first (a
        `subset`: examples)."""
        return {f.name: f.metadata['values'] for f in dataclasses.fields(cls)}

    @classmethod
    def members(cls) -> dict[str, tuple[str, ...]]:
        """The options that are a `subset`, each with the names of which any may be chosen."""
        return {f.name: f.metadata['members'] for f in dataclasses.fields(cls) if 'members' in f.metadata}

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Options from names and values (text is accepted for every kind of value). Raises GameError."""
        allowed, sets = cls.values(), cls.members()
        found: dict[str, Value] = {}
        for name, value in given.items():
            if name in sets:
                found[name] = _chosen(name, value, sets[name])
                continue
            if name not in allowed:
                names = ', '.join(allowed) or words('game.none')
                raise GameError(words('game.error.no_option', name=name[:40], options=names))
            texts = {_text(v): v for v in allowed[name]}
            if _text(value) not in texts:
                raise GameError(
                    words(
                        'game.error.option_value', name=name, value=_text(value)[:40], values=', '.join(texts)
                    )
                )
            found[name] = texts[_text(value)]
        return cls(**cast(dict[str, Any], found))

    def encode(self) -> Ints:
        """The options as `setup` reads them: for each, in declared order, the value itself (a text: its place
        among the values; a subset: its members as bits)."""
        numbers: list[int] = []
        sets = self.members()
        for name, values in self.values().items():
            value = getattr(self, name)
            if name in sets:
                numbers.append(sum(1 << sets[name].index(member) for member in value.split(',') if member))
            else:
                numbers.append(values.index(value) if isinstance(value, str) else int(value))
        return np.array([*numbers, 0], np.int32)  # never empty: Numba would see another type

    def changed(self) -> dict[str, Value]:
        """The options that differ from their defaults."""
        return {
            name: getattr(self, name)
            for name, values in self.values().items()
            if getattr(self, name) != values[0]
        }

    def problem(self, players: int) -> str | None:
        """A sentence if these options do not go together or not with so many players, else None."""
        return None


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _chosen(name: str, value: object, members: Sequence[str]) -> str:
    """A subset in the order of its members; it may be given as a text or as a list."""
    given = (
        [str(part) for part in value]
        if isinstance(value, list | tuple)
        else str(value).replace(',', ' ').split()
    )
    if unknown := next((part for part in given if part not in members), None):
        raise GameError(
            words('game.error.option_member', name=name, value=unknown[:40], members=', '.join(members))
        )
    return ','.join(member for member in members if member in given)
