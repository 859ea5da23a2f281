"""What this process does with kernels: does it compile them, and do they check their indices?"""

from __future__ import annotations

import os
from contextvars import ContextVar
from pathlib import Path

compiled = os.environ.get('NUMBA_DISABLE_JIT', '').strip() in ('', '0')
"""False under NUMBA_DISABLE_JIT=1: kernels then are ordinary Python functions."""

PACKAGE = Path(__file__).resolve().parent.parent
SHARED = (PACKAGE / 'kernel', PACKAGE / 'search')

_may_compile = True
_bounds = os.environ.get('LUDOTECA_CHECKED', '').strip() not in ('', '0')
_used = False  # has any kernel been compiled or loaded?
COMPILING: ContextVar[bool] = ContextVar('compiling', default=False)
"""Does what is called now compile what is missing, whatever the process does?"""


class NotCompiled(Exception):
    """This process does not compile, and nobody else has compiled the kernel yet."""


def never_compile(never: bool = True) -> None:
    """From now on this process only loads what others have compiled, except under `compiling`; or, with
    False, it compiles again what is missing."""
    global _may_compile
    _may_compile = not never


def compiles() -> bool:
    """Does this process compile kernels that are missing, whoever calls them?"""
    return _may_compile


def may_compile() -> bool:
    """May this process compile a kernel now if no other process has done so?"""
    return _may_compile or COMPILING.get()


def bounds_checked() -> bool:
    """Do compiled kernels check their indices in this process?"""
    return _bounds


def check_bounds(on: bool = True) -> None:
    """Have compiled kernels check their indices, or not. Raises RuntimeError once a kernel was compiled or
    loaded."""
    global _bounds
    if _used and on != _bounds:
        raise RuntimeError(
            'Whether indices are checked is decided before the first kernel is compiled or loaded.'
        )
    _bounds = on


def note_use() -> None:
    """A kernel is about to be compiled or loaded."""
    global _used
    _used = True
