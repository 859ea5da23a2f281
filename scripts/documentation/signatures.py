"""Signatures that people can read.

The fields of a dataclass or a NamedTuple stand below it, each with its type; so its signature has their names
alone. Arrays are written `NDArray[float64]` as in the code, and not as what that stands for.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable
from typing import Any

ARRAY = re.compile(
    r'~?(?:numpy\.)?ndarray\[~?tuple\[~?(?:typing\.)?Any, \.\.\.\], ~?(?:numpy\.)?dtype\[([^\[\]]*)\]\]'
)

WRITES = 'stringify_annotation'
"""The function of Sphinx that writes types, under this name in each module that uses it."""


def set_up(app: Any) -> None:
    """Called by Sphinx."""
    app.connect('autodoc-process-signature', _names_alone)
    for name, module in list(sys.modules.items()):
        if name.startswith('sphinx.') and hasattr(module, WRITES):
            setattr(module, WRITES, _with_arrays(getattr(module, WRITES)))


def _with_arrays(stringify: Callable[..., str]) -> Callable[..., str]:
    """Sphinx's way of writing a type, but for arrays."""

    def written(*given: Any, **more: Any) -> str:
        return arrays(stringify(*given, **more))

    return written


def arrays(text: str) -> str:
    """A type with its arrays as the code writes them."""
    return ARRAY.sub(r'~numpy.typing.NDArray[\1]', text)


def _names_alone(
    _app: Any, what: str, _name: str, thing: Any, _options: Any, _signature: str | None, _returns: str | None
) -> tuple[str, None] | None:
    """The names of the fields of a class that consists of them."""
    if what != 'class':
        return None
    if dataclasses.is_dataclass(thing):
        return f'({", ".join(one.name for one in dataclasses.fields(thing) if one.init)})', None
    if issubclass(thing, tuple) and hasattr(thing, '_fields'):
        return f'({", ".join(thing._fields)})', None
    return None
