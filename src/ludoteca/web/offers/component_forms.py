"""The fields of the form in which a component set is written: from the values of a table to fields, and back.

A field is named by its place, such as `tiles.violet.3.points`. What is no number is handed on as it was
typed, so that the check of the set answers it with a sentence that names the place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ludoteca.game.components import ComponentTable
from ludoteca.game.kinds import Each, Entry, Halves, Joined, Several, ValueKind, Whole, at, lacks, steps

DOT = '.'
MOST_FIELDS = 3_000
NUMBER = re.compile(r'-?\d{1,6}')
PAIR = re.compile(r'(\d{1,3})\s*-\s*(\d{1,3})')

Given = Mapping[str, Sequence[str]]
"""What was sent: field -> its values."""


def set_of(table: ComponentTable, given: Given) -> dict[str, Any]:
    """The parts of a component set that a form describes."""
    return {name: _value(kind, (name,), table, given) for name, kind in table.parts.items()}


def _value(kind: ValueKind, path: tuple[str | int, ...], table: ComponentTable, given: Given) -> Any:
    own: Any = at(table.own, path) if not lacks(kind) else None
    if isinstance(kind, Each):
        inner = {step: _value(kind.kind, (*path, step), table, given) for step, _ in steps(own)}
        return inner if isinstance(own, Mapping) else list(inner.values())
    if isinstance(kind, Entry):
        found = dict(own)
        for key, one in kind.fields.items():
            if lacks(one):
                found.pop(key, None)
                if text := _typed((*path, key), given):
                    found[key] = text
            elif key in own:
                found[key] = _value(one, (*path, key), table, given)
        return found
    if isinstance(kind, Several):
        values = {str(value): value for value in kind.values}
        return [values.get(text, text) for text in given.get(field_of(path), ()) if text]
    text = _typed(path, given)
    if isinstance(kind, Whole):
        return int(text) if NUMBER.fullmatch(text) else text
    if isinstance(kind, Halves):
        return _half(text)
    if isinstance(kind, Joined):
        return [[int(a), int(b)] for a, b in PAIR.findall(text)]
    return text


def _typed(path: tuple[str | int, ...], given: Given) -> str:
    found = given.get(field_of(path), ())
    return found[0].strip()[:40] if found else ''


def _half(text: str) -> Any:
    found = re.fullmatch(r'(\d{1,4})(?:[.,](0|5))?|(\d{0,4})½', text)
    if found is None:
        return text
    number = int(found[1] or found[3] or 0) + (0.5 if found[2] == '5' or text.endswith('½') else 0)
    return int(number) if number == int(number) else number


def field_of(path: tuple[str | int, ...]) -> str:
    """The name of the field for a place."""
    return DOT.join(map(str, path))


def text_of(kind: ValueKind, value: Any) -> str:
    """A single value as its field shows it."""
    if isinstance(kind, Joined):
        return ' '.join(f'{a}-{b}' for a, b in value)
    return '' if value is None else str(value)


def values_of(items: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """What was sent, by field."""
    found: dict[str, list[str]] = {}
    for key, value in items:
        found.setdefault(key, []).append(value)
    return found
