"""The one decorator of rule functions, and the cache of what it compiled.

Numba's own cache does not notice a change in another file or in a data file whose values were frozen into a kernel. So every
folder of kernels (a game, or this package with search/) has a private cache directory whose name is a hash of all that its
compiled code can depend on. Nothing is ever written beside the sources.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core import config

F = TypeVar('F', bound=Callable[..., Any])

compiled = not config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1: kernels then run as ordinary Python."""

PACKAGE = Path(__file__).resolve().parent.parent
SHARED = (PACKAGE / 'kernel', PACKAGE / 'search')
KERNELS = {'__init__.py', 'components.py', 'rules.py', 'knowledge.py', 'evaluation.py'}     # of a game: what kernels depend on
DATA = {'.json', '.csv', '.npy'}
UNUSED_DAYS = 30


def cache_root() -> Path:
    """Where all cache directories lie: LUDOTECA_CACHE if set, else the user's cache directory."""
    if os.environ.get('LUDOTECA_CACHE'):
        return Path(os.environ['LUDOTECA_CACHE']) / 'kernels'
    if sys.platform == 'win32':
        base = Path(os.environ.get('LOCALAPPDATA') or Path.home() / 'AppData' / 'Local')
    elif sys.platform == 'darwin':
        base = Path.home() / 'Library' / 'Caches'
    else:
        base = Path(os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache')
    return base / 'ludoteca' / 'kernels'


def _fingerprint(folder: Path) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for place in dict.fromkeys((*SHARED, folder)):
        for path in sorted(place.glob('*')):
            if path.suffix in DATA or (path.suffix == '.py' and (place in SHARED or path.name in KERNELS)):
                digest.update(path.name.encode() + b'\0' + path.read_bytes() + b'\0')
    digest.update(repr((numba.__version__, np.__version__, config.OPT)).encode())
    return digest.hexdigest()


@cache
def cache_folder(folder: Path) -> str:
    """The cache directory for the kernels of a source folder, made if needed; '' if none can be written (no caching then)."""
    folder = folder.resolve()
    name = 'shared' if folder in SHARED else folder.name
    root = cache_root()
    directory = root / f'{name}-{_fingerprint(folder)}'
    try:
        directory.mkdir(parents=True, exist_ok=True)
        os.utime(directory)
        probe = directory / f'.{os.getpid()}'
        probe.touch()
        probe.unlink()
        oldest = time.time() - UNUSED_DAYS * 86400
        for other in root.iterdir():
            with contextlib.suppress(OSError):
                if other.stat().st_mtime < oldest:
                    shutil.rmtree(other, ignore_errors=True)
    except (OSError, RuntimeError):     # RuntimeError: there is no home directory at all
        return ''
    return str(directory)


def _widest(kind: Any) -> Any:
    """The type for which a kernel is compiled when another one calls it with `kind`: signed integers have 64 bits, and constants
    are not compiled in. Numba would compile a kernel anew for each width and each constant, which takes half as long again."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


def _compile(function: F, folder: Path) -> F:
    directory = cache_folder(folder)
    saved, config.CACHE_DIR = config.CACHE_DIR, directory    # read at the moment when the cache is attached
    try:
        made = numba.njit(cache=bool(directory), nogil=True, boundscheck=True, error_model='numpy')(function)
    finally:
        config.CACHE_DIR = saved
    if compiled:
        template = made.get_call_template
        made.get_call_template = lambda args, kws: template(tuple(map(_widest, args)), {name: _widest(kws[name]) for name in kws})
    return cast(F, made)


def kernel(function: F) -> F:
    """Compile a rule function. The annotations are for the reader and for mypy; Numba infers its own types."""
    return _compile(function, Path(function.__code__.co_filename).parent)


def specialise(template: Callable[..., Any], scope: dict[str, Any], name: str, folder: Path) -> Any:
    """Compile a template (an ordinary function that names a game's functions as globals) for one game.

    `scope` becomes its globals, `name` tells the game's copy from others in the cache, `folder` is the game's. This is the
    only form of a generic function whose compiled code a new process finds again.
    """
    function = FunctionType(template.__code__, scope, template.__name__, template.__defaults__)
    function.__qualname__ = f'{name}_{template.__name__}'
    function.__module__ = template.__module__
    function.__doc__ = template.__doc__
    return _compile(function, folder)
