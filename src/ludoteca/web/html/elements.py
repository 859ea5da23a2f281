"""htpy's elements, made quicker: attributes are written once for each way in which they are given.

`from ludoteca.web.html.elements import h` stands for `import htpy as h`. A table page has hundreds of
elements, most of them with the attributes of the message before: to write these anew took a fifth of the time
of a fragment.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

import htpy

__all__ = ['Element', 'h']
KEPT = 1024
"""So many ways in which each element is given attributes are remembered."""


class Element(htpy.Element):
    """An element whose attributes are known. What is put into it is looked at when it is written."""

    __slots__ = ()

    def __getitem__(self, children: htpy.Node) -> Self:
        return self.__class__(self._name, self._attrs, children)


class _Start(Element):
    """An element without attributes, which remembers those that it has been given."""

    __slots__ = ('_given',)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._given = lru_cache(maxsize=KEPT, typed=True)(Element(name).__call__)

    def __call__(self, /, *attributes: Any, **more: Any) -> Any:
        try:
            return self._given(*attributes, **more)
        except TypeError:  # a list of classes or a dictionary; or what htpy refuses, and does again
            return Element(self._name)(*attributes, **more)

    def __getitem__(self, children: htpy.Node) -> Any:
        return Element(self._name, '', children)


class _Elements:
    """All that htpy has, its elements made quicker."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(htpy, name)
        if type(found) is htpy.Element:
            found = _Start(found._name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    import htpy as h
else:
    h = _Elements()
