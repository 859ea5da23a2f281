"""What the compiled code of a kernel depends on, as one digest: its bytecode, that of all kernels that it
calls, and the VALUES of all constants and tables that these read."""

from __future__ import annotations

import builtins
import dis
import enum
import hashlib
import inspect
from functools import cache, cached_property
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

FLAGS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR
"""The flags of a code object that change what it does; Numba changes the others while a profiler runs."""

# steps of bytecode that may make memory in compiled kernels: lists, sets, dictionaries, texts, and slices,
# since one that is copied to another is copied to new memory first
_MAKING = frozenset(
    {'BUILD_LIST', 'BUILD_SET', 'BUILD_MAP', 'BUILD_STRING'}
    | {'FORMAT_VALUE', 'FORMAT_SIMPLE', 'FORMAT_WITH_SPEC'}
    | {'BUILD_SLICE', 'BINARY_SLICE', 'STORE_SLICE'}
)


class Rule:
    """A rule function, as far as its compiled code depends on it."""

    def __init__(self, function: FunctionType, folder: str) -> None:
        self.python, self.folder = function, folder
        self.own_digest = ''  # of its code and values when it was compiled

    @cached_property
    def makes_memory(self) -> bool:
        """May the kernel itself make arrays (it names `np`) or other things in memory? Only then does its
        compiled form count who refers to an array: in all other kernels arrays are the caller's, and counting
        takes up to a third of the time. Such a kernel returns no array (`check_result`)."""
        code = self.python.__code__
        return (
            'np' in code.co_names
            or any(step.opname in _MAKING for step in dis.get_instructions(code))
            or any(isinstance(value, slice) for value in code.co_consts)
        )

    @property
    def calls_kernels(self) -> bool:
        """Does it name another kernel?"""
        scope = self.python.__globals__
        return any(isinstance(scope.get(name), Rule) for name in self.python.__code__.co_names)


class MachineInstruction:
    """What kernels call that is no kernel: one instruction of the machine."""

    @property
    def digest(self) -> str:
        """A text that differs for every way in which it is compiled."""
        raise NotImplementedError


class ChangedTable(RuntimeError):
    """A constant or table was rebound after kernels had been compiled with its old value."""


@cache
def code_of(code: CodeType) -> tuple[bytes, tuple[str, ...], tuple[str, ...]]:
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
            part = code_of(constant)
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


def _value(value: Any, attributes: tuple[str, ...], where: str, called: list[Rule]) -> str:
    """A text that differs for every value of a global. Rules are collected in `called`. Raises TypeError
    for kinds of values that have no such text."""
    if isinstance(value, Rule):
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
    if isinstance(value, (type, BuiltinFunctionType, np.ufunc)) or value is builtins:
        fields = getattr(value, '_fields', '')  # of a named tuple
        return f'{getattr(value, "__module__", "")}.{getattr(value, "__qualname__", value)}{fields}'
    if isinstance(value, MachineInstruction):
        return value.digest
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


def _own(kernel: Rule) -> tuple[str, list[Rule]]:
    """The digest of a kernel's own code and of the values that it reads, and the kernels that it calls."""
    function = kernel.python
    code, names, attributes = code_of(function.__code__)
    digest = hashlib.blake2b(code, digest_size=16)
    called: list[Rule] = []
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


def digest_of(kernel: Rule) -> str:
    """The digest of a kernel and of all that it calls. Raises ChangedTable if one of these was compiled with
    other values."""
    seen: dict[Rule, str] = {}
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
