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

import builtins
import contextlib
import dis
import enum
import hashlib
import inspect
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoteca.kernel.compile import (
    PACKAGE,
    SHARED,
    Instruction,
    Kernel,
    NotCompiled,
    bounds_checked,
    may_compile,
)

if TYPE_CHECKING:
    from numba.core.compiler import CompileResult

READY = PACKAGE / 'compiled'
"""Compiled kernels that came with the package."""
UNUSED_DAYS = 30
FLAGS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR
"""The flags of a code object that change what it does; Numba changes the others while a profiler runs."""
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


# ---- what a kernel's code depends on -----------------------------------------------------------------------


class ChangedTable(RuntimeError):
    """A constant or table was rebound after kernels had been compiled with its old value."""


@cache
def _code(code: CodeType) -> tuple[bytes, tuple[str, ...], tuple[str, ...]]:
    """The bytes of a code object without docstring and line numbers, and the names of the globals and of the
    attributes that it reads."""
    constants = list(code.co_consts)
    if constants and isinstance(constants[0], str) and not _uses_first_constant(code):
        constants[0] = None  # the docstring
    inner: list[bytes] = []
    names: list[str] = []
    attributes: list[str] = []
    for constant in constants:
        if isinstance(constant, CodeType):
            part = _code(constant)
            inner.append(part[0])
            names.extend(part[1])
            attributes.extend(part[2])
        else:
            inner.append(repr((type(constant).__name__, constant)).encode())
    for step in dis.get_instructions(code):
        if step.opname in ('LOAD_GLOBAL', 'LOAD_NAME'):
            names.append(step.argval)
        elif step.opname in ('LOAD_ATTR', 'LOAD_METHOD'):
            attributes.append(step.argval)
    shape = (
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags & FLAGS,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
    )
    return (
        b'\0'.join([code.co_code, repr(shape).encode(), *inner]),
        tuple(dict.fromkeys(names)),
        tuple(dict.fromkeys(attributes)),
    )


def _uses_first_constant(code: CodeType) -> bool:
    return any(step.opname.startswith('LOAD_CONST') and step.arg == 0 for step in dis.get_instructions(code))


_arrays: dict[int, tuple[np.ndarray[Any, Any], str]] = {}


def _array(values: np.ndarray[Any, Any]) -> str:
    """The digest of an array, which becomes read-only."""
    known = _arrays.get(id(values))
    if known is None:
        base: Any = values
        while isinstance(base, np.ndarray):
            base.setflags(write=False)
            base = base.base
        text = repr((values.dtype.descr, values.shape, values.flags.c_contiguous))
        digest = hashlib.blake2b(
            text.encode() + np.ascontiguousarray(values).tobytes(), digest_size=16
        ).hexdigest()
        known = _arrays[id(values)] = values, digest  # kept alive: its id is never reused
    return known[1]


def _value(value: Any, attributes: tuple[str, ...], where: str, called: list[Kernel]) -> str:
    """A text that differs for every value of a global. Kernels are collected in `called`. Raises TypeError
    for kinds of values that have no such text."""
    if isinstance(value, Kernel):
        called.append(value)
        return 'kernel'
    if isinstance(value, np.ndarray):
        return _array(value)
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.generic)):
        return repr((type(value).__name__, value.item() if isinstance(value, np.generic) else value))
    if isinstance(value, (tuple, list)):
        return (
            f'{type(value).__name__}({",".join(_value(item, attributes, where, called) for item in value)})'
        )
    if isinstance(value, np.dtype):
        return repr((value.descr, value.itemsize))
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return repr([(member.name, member.value) for member in value])
    if isinstance(value, type) or isinstance(value, (BuiltinFunctionType, np.ufunc)) or value is builtins:
        return f'{getattr(value, "__module__", "")}.{getattr(value, "__qualname__", value)}'
    if isinstance(value, Instruction):
        return _instruction(value.python.__name__)
    if isinstance(value, ModuleType):
        if value.__name__.partition('.')[0] in ('numpy', 'math'):
            return value.__name__
        read = [name for name in attributes if hasattr(value, name)]
        return repr(
            [(name, _value(getattr(value, name), attributes, f'{where}.{name}', called)) for name in read]
        )
    if isinstance(value, FunctionType) and value.__module__.partition('.')[0] == 'numpy':
        return f'{value.__module__}.{value.__qualname__}'
    raise TypeError(
        f'{where} is a {type(value).__name__}; a kernel reads numbers, texts, tuples, arrays and '
        'enumerations only.'
    )


@cache
def _instruction(name: str) -> str:
    """A text that differs for every way in which an instruction is compiled: for its code, and for what of
    its module that names."""
    from ludoteca.kernel import machine

    code, names, _ = _code(machine.INSTRUCTIONS[name].__wrapped__.__code__)
    parts = [code]
    for value in (getattr(machine, other, None) for other in names):
        if isinstance(value, FunctionType):
            parts.append(_code(value.__code__)[0])
        elif isinstance(value, list):
            parts.append(repr(value).encode())
    return f'instruction {name} {hashlib.blake2b(bytes(1).join(parts), digest_size=16).hexdigest()}'


def _own(kernel: Kernel) -> tuple[str, list[Kernel]]:
    """The digest of a kernel's own code and of the values that it reads, and the kernels that it calls."""
    function = kernel.python
    code, names, attributes = _code(function.__code__)
    digest = hashlib.blake2b(code, digest_size=16)
    called: list[Kernel] = []
    scope = function.__globals__
    for name in names:
        if name in scope:
            value = _value(scope[name], attributes, f'{function.__module__}.{name}', called)
            digest.update(f'{name}={value}\0'.encode())
    for cell in function.__closure__ or ():
        digest.update(
            _value(
                cell.cell_contents, attributes, f'{function.__qualname__}: a variable from outside', called
            ).encode()
        )
    digest.update(repr((function.__defaults__, function.__kwdefaults__)).encode())
    return digest.hexdigest(), called


def digest_of(kernel: Kernel) -> str:
    """The digest of a kernel and of all that it calls. Raises ChangedTable if one of these was compiled with
    other values."""
    seen: dict[Kernel, str] = {}
    waiting, order = [kernel], []
    while waiting:
        now = waiting.pop()
        if now in seen:
            continue
        seen[now], called = _own(now)
        order.append(now)
        waiting.extend(reversed(called))
    whole = hashlib.blake2b(digest_size=16)
    for one in order:
        whole.update(f'{one.python.__qualname__} {seen[one]}\0'.encode())
        if one.own_digest and one.own_digest != seen[one]:
            raise ChangedTable(
                f'A constant or table of {one.python.__module__}.{one.python.__qualname__} was rebound '
                'after it had been compiled. Change tables before the first game is set up.'
            )
    kernel.own_digest = seen[kernel]
    return whole.hexdigest()


# ---- files -------------------------------------------------------------------------------------------------


def check_result(kernel: Kernel, result: Any) -> None:
    """Raises TypeError if a kernel that does not count who refers to an array returns anything but numbers:
    its caller would count, and let go of an array that is still in use."""
    from numba import types as numba_types

    parts = list(result) if isinstance(result, numba_types.BaseTuple) else [result]
    numbers = numba_types.Number | numba_types.Boolean | numba_types.NoneType | numba_types.Omitted
    if not kernel.makes_memory and not all(isinstance(part, numbers) for part in parts):
        name = kernel.python.__name__
        raise TypeError(f'{name} returns {result}; a kernel that makes no memory returns numbers')


class KernelCache:
    """The cache of one kernel, as Numba's dispatcher uses it: compiled code is loaded from it and saved to
    it."""

    def __init__(self, kernel: Kernel) -> None:
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
