"""A short name for the components with which games were played: tables that differ have different ones."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import types
from typing import Any

import numpy as np

from ludoteca.game import Game

LENGTH = 16  # hexadecimal digits


def fingerprint(game: Game) -> str:
    """A digest of all values of the game's module `components`: tables, numbers and names, whatever file they
    were read from. '' for a game without such a module."""
    package = game.kernels.setup.__module__.rpartition('.')[0]
    try:
        module = importlib.import_module(f'{package}.components')
    except ModuleNotFoundError:
        return ''
    digest = hashlib.sha256()
    for name in sorted(vars(module)):
        text = None if name.startswith('_') else written(vars(module)[name])
        if text is not None:
            digest.update(f'{name}={text}\n'.encode())
    return digest.hexdigest()[:LENGTH]


def written(value: Any) -> str | None:
    """A value as text that is the same in every run; None if it is no value but code."""
    if isinstance(value, np.ndarray):
        return (
            f'{value.dtype}{value.shape}{hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}'
        )
    if isinstance(value, dict):
        return '{' + ','.join(f'{written(k)}:{written(v)}' for k, v in value.items()) + '}'
    if isinstance(value, list | tuple):
        return '[' + ','.join(str(written(one)) for one in value) + ']'
    if isinstance(value, set | frozenset):
        return '{' + ','.join(sorted(str(written(one)) for one in value)) + '}'
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return written([getattr(value, one.name) for one in dataclasses.fields(value)])
    if isinstance(value, type | types.ModuleType) or callable(value):
        return None
    return repr(value) if isinstance(value, bool | int | float | str | bytes | np.generic) else None
