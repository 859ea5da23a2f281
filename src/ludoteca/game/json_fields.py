"""Checks of keys and numbers that the readers of all games' JSON positions share. Their sentences are the
shared ones of `text`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from reprlib import repr
from typing import Any

from ludoteca.game.errors import GameError
from ludoteca.text import words


def check_keys(data: Mapping[str, Any], game: str, keys: Sequence[str], required: Sequence[str]) -> None:
    """Raises GameError if `data`, a position of the game of that title, lacks a required key or has one that
    it does not know."""
    for key in required:
        if key not in data:
            raise GameError(words('position.error.missing_key', key=key, required=', '.join(required)))
    for key in data:
        if key not in keys:
            raise GameError(
                words('position.error.no_key', game=game, key=repr(key)[1:-1], keys=', '.join(keys))
            )


def is_whole(value: Any, least: int, most: int) -> bool:
    """Is it a whole number from `least` to `most`? Booleans do not count."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def whole(data: Mapping[str, Any], key: str, least: int, most: int, default: int = 0) -> int:
    """The whole number under `key`. Raises GameError if it, or the default where there is none, is not from
    `least` to `most`."""
    value = data.get(key, default)
    if not is_whole(value, least, most):
        raise GameError(words('position.error.whole', key=key, least=least, most=most, value=repr(value)))
    return int(value)
