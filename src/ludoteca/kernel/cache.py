"""The cache of compiled kernels: a file for each kernel and its types, named by a digest of all that its code
depends on.

The digest covers the bytecode of the kernel and of every kernel that it calls, and the VALUES of all
constants and tables that these read: Numba freezes them into the code. So a table that was patched from
Python, a changed data file and a changed helper each lead to other files, and a changed comment, docstring or
drawing leads to the same ones. It also covers the types of the arguments, the processor, the versions of
Python, Numba and NumPy, and whether indices are checked.

Compiled kernels lie in the user's cache directory, and in `compiled/` inside the package if it came with them
(a wheel made by `make wheel`). Nothing is ever written beside the sources.

An array that was digested becomes read-only: changing it afterwards would change what new kernels see and not
what compiled ones do. Rebinding its name afterwards is noticed when the next kernel is compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoteca.kernel.digest import Rule, digest_of
from ludoteca.kernel.process import PACKAGE, SHARED, NotCompiled, bounds_checked, may_compile

if TYPE_CHECKING:
    from numba.core.compiler import CompileResult

READY = PACKAGE / 'compiled'
"""Compiled kernels that came with the package."""
UNUSED_DAYS = 30
SUFFIX = '.kernel'


def cache_root() -> Path:
    """Where compiled kernels are kept: LUDOTECA_CACHE if set, else the user's cache directory."""
    if os.environ.get('LUDOTECA_CACHE'):
        return Path(os.environ['LUDOTECA_CACHE']) / 'kernels'
    if sys.platform == 'win32':
        base = Path(os.environ.get('LOCALAPPDATA') or Path.home() / 'AppData' / 'Local')
    elif sys.platform == 'darwin':
        base = Path.home() / 'Library' / 'Caches'
    else:
        base = Path(os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache')
    return base / 'ludoteca' / 'kernels'


# ---- files -------------------------------------------------------------------------------------------------


def check_result(kernel: Rule, result: Any) -> None:
    """Raises TypeError if a kernel that does not count who refers to an array returns anything but numbers:
    its caller would count, and let go of an array that is still in use."""
    from numba import types as numba_types

    parts = list(result) if isinstance(result, numba_types.BaseTuple) else [result]
    numbers = numba_types.Number | numba_types.Boolean | numba_types.NoneType | numba_types.Omitted
    if not kernel.makes_memory and not all(isinstance(part, numbers) for part in parts):
        name = kernel.python.__name__
        raise TypeError(f'{name} returns {result}; a kernel that makes no memory returns numbers')


def _names_in(types: Any) -> list[Any]:
    """The names of the fields of all named tuples among the types of arguments: their place decides what a
    kernel reads, and the text of a type lacks them."""
    return [(kind.fields, _names_in(kind)) for kind in types if hasattr(kind, 'instance_class')]


class KernelCache:
    """The cache of one kernel, as Numba's dispatcher uses it: compiled code is loaded from it and saved to
    it."""

    def __init__(self, kernel: Rule) -> None:
        self._kernel = kernel
        folder = Path(kernel.folder)
        self._folder = 'shared' if folder in SHARED else folder.name

    @property
    def cache_path(self) -> str:
        """The directory into which compiled code is written."""
        return str(cache_root() / self._folder)

    def _name(self, sig: Any, codegen: Any) -> str:
        import numba

        options = (
            digest_of(self._kernel),
            str(sig),
            _names_in(sig),
            codegen.magic_tuple(),
            bounds_checked(),
            self._kernel.makes_memory,
            numba.core.config.OPT,
            numba.__version__,
            np.__version__,
            sys.version_info[:2],
            sys.implementation.name,
            sys.abiflags,
        )
        digest = hashlib.blake2b(repr(options).encode(), digest_size=16).hexdigest()
        name = ''.join(c for c in self._kernel.python.__qualname__ if c.isalnum() or c == '_')
        return f'{name[:60]}-{digest}{SUFFIX}'

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The compiled code for these types; None if it is to be compiled. Raises NotCompiled if this process
        may not compile."""
        from numba.core.compiler import CompileResult

        target_context.refresh()
        name = self._name(sig, target_context.codegen())
        places = [READY / self._folder]
        with contextlib.suppress(RuntimeError):  # there is no home directory at all
            places.insert(0, Path(self.cache_path))
        for place in places:
            path = place / name
            try:
                data = path.read_bytes()
            except OSError:
                continue
            try:
                found = CompileResult._rebuild(target_context, *pickle.loads(data))
            except Exception:  # cut short or damaged: compiled anew
                with contextlib.suppress(OSError):
                    path.unlink()
                continue
            if place != READY / self._folder:
                _keep_young(path)
            return found
        if not may_compile():
            raise NotCompiled(self._kernel.python.__qualname__)
        return None

    def save_overload(self, sig: Any, compiled: CompileResult) -> None:
        """Write compiled code to the cache; no error if that is not possible."""
        from numba.core.serialize import dumps

        check_result(self._kernel, compiled.signature.return_type)
        if compiled.library.has_dynamic_globals or any(not lifted.can_cache for lifted in compiled.lifted):
            return
        name = self._name(sig, compiled.codegen)
        with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: there is no home directory at all
            folder = Path(self.cache_path)
            folder.parent.mkdir(parents=True, exist_ok=True)
            _remove_unused(folder.parent)
            folder.mkdir(exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
                temporary = Path(file.name)
                file.write(dumps(compiled._reduce()))
            try:
                temporary.replace(folder / name)
            except OSError:
                temporary.unlink(missing_ok=True)
                raise

    def enable(self) -> None:
        """Numba's protocol."""

    def disable(self) -> None:
        """Numba's protocol."""

    def flush(self) -> None:
        """Numba's protocol. Nothing to do: the names of the files tell which are current."""


def _keep_young(path: Path) -> None:
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > 86_400:
            os.utime(path)


@cache
def _remove_unused(root: Path) -> None:
    """Remove files that nobody has loaded for UNUSED_DAYS, once in the life of a process."""
    oldest = time.time() - UNUSED_DAYS * 86_400
    left = set[Path]()
    for path in _files(root):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
                left.add(path.parent)
    for folder in left:  # if it is empty now; one that was empty before is about to be written into
        with contextlib.suppress(OSError):
            folder.rmdir()


def _files(root: Path) -> Iterator[Path]:
    """The files of compiled code, of older versions too, and leftovers of interrupted writing."""
    for folder in list(root.iterdir()):
        with contextlib.suppress(OSError):  # no folder, or another process has removed it
            yield from (path for path in folder.iterdir() if path.is_file())
