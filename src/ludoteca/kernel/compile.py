"""The one decorator of rule functions: a kernel is one Python function in two forms.

    interpreted    the function as plain Python. It runs at once, and NumPy checks every index.
    compiled       the same function compiled by Numba, hundreds of times as fast. Compiling takes seconds;
                   every process finds what was compiled once (kernel/cache.py).

Both forms change the same records in the same way, byte for byte, so that one may go on where the other
stopped. A process runs compiled kernels unless it says otherwise: `run_interpreted` and `run_compiled` change
the form of all kernels of a folder between two calls, `checked` and `compiling` that of the calls inside
them. A call that has begun keeps to one form to its end. A server that must not wait for the compiler says
`never_compile`: a kernel that no other process has compiled yet then runs interpreted. Numba itself is
imported when the first kernel is compiled or loaded.

Compiled kernels check their indices only if the process asks for it (`LUDOTECA_CHECKED=1` or `check_bounds`):
see docs/decisions.md, "Indices are checked until they are proven".

Under NUMBA_DISABLE_JIT=1 the decorator returns the function itself: nothing is compiled.
"""

from __future__ import annotations

import functools
import re
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, Literal, ParamSpec, TypeVar, cast

import numpy as np

from ludoteca.kernel.digest import MachineInstruction, Rule, digest_of
from ludoteca.kernel.process import COMPILING, NotCompiled, compiled, compiles

# kinds of numbers that a dispatcher would compile a kernel for once more
_NARROW = frozenset(
    {np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.intc, np.longlong}
)

F = TypeVar('F', bound=Callable[..., Any])
P = ParamSpec('P')
R = TypeVar('R')

Form = Literal['interpreted', 'compiled']

_usual: Form = 'compiled'
# folder -> form of its kernels, where it is not the usual one
_forms: dict[str, Form] = {}
_here: ContextVar[Form | None] = ContextVar('form', default=None)


class Kernel(Rule):
    """A rule function in both forms; calling it runs the form that is in use for its folder."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        functools.update_wrapper(self, function)
        super().__init__(function, str(folder))
        self._form: Callable[..., Any] | None = None
        # the dispatcher, once it has answered a call and while calls run compiled
        self._ready: Any = None
        self._dispatcher: Any = None
        _kernels.add(self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        here = _here.get()
        if here is not None:
            return (self.interpreted if here == 'interpreted' else self._call_compiled)(*args, **kwargs)
        if self._ready is not None and not kwargs:  # nearly every call comes this way
            for a in args:
                if type(a) in _NARROW:
                    return self._call_compiled(*args)
            try:
                return self._ready(*args)
            except NotCompiled:  # not for these types
                return self._call_compiled(*args)
        return (self._form or self._choose())(*args, **kwargs)

    def _choose(self) -> Callable[..., Any]:
        self._form = self.interpreted if is_interpreted(self.folder) else self._call_compiled
        return self._form

    def _call_compiled(self, *args: Any, **kwargs: Any) -> Any:
        # a kernel is compiled for one width of integers: those read from records are narrower
        wide = [int(a) if isinstance(a, np.integer) else a for a in args]
        try:
            found = self.dispatcher(*wide, **kwargs)
        except NotCompiled:
            self._form = self.interpreted
            return self.interpreted(*wide, **kwargs)
        if self._form == self._call_compiled:
            self._ready = self._dispatcher
        return found

    @functools.cached_property
    def interpreted(self) -> Callable[..., Any]:
        """The function as plain Python; all that it calls is plain Python, too."""
        return _plain(self.python)

    @property
    def dispatcher(self) -> Any:
        """Numba's form of the function, made when it is first wanted."""
        if self._dispatcher is None:
            from ludoteca.kernel import machine

            if (twin := self._twin()) is not None:
                self._dispatcher = twin.dispatcher
                return self._dispatcher
            self._dispatcher = machine.compile_kernel(self)
        return self._dispatcher

    def _twin(self) -> Kernel | None:
        """Of a game that is loaded a second time with other components: the kernel of the game itself, if no
        value that it depends on is another one. It need not be compiled twice."""
        module = self.python.__module__
        first = sys.modules.get(re.sub(r'@\w+', '', module)) if '@' in module else None
        twin = vars(first).get(self.python.__name__) if first else None
        if not isinstance(twin, Kernel):
            return None
        return twin if digest_of(self) == digest_of(twin) else None

    @property
    def _numba_type_(self) -> Any:  # a kernel that is called by another one
        return self.dispatcher._numba_type_


_kernels: weakref.WeakSet[Kernel] = weakref.WeakSet()


class Instruction(MachineInstruction):
    """A function that is one instruction of the machine in compiled kernels, and ordinary Python in
    interpreted ones."""

    def __init__(self, python: FunctionType) -> None:
        functools.update_wrapper(self, python)
        self.python = python

    def __call__(self, *args: Any) -> Any:
        return self.python(*args)

    @property
    def _numba_type_(self) -> Any:
        from ludoteca.kernel import machine

        return machine.type_of(self.python.__name__)

    @functools.cached_property
    def digest(self) -> str:
        """A text that differs for every way in which it is compiled."""
        from ludoteca.kernel import machine

        return machine.instruction_digest(self.python.__name__)


# ---- plain Python ------------------------------------------------------------------------------------------

_plain_globals: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}


def _plain(function: FunctionType) -> Callable[..., Any]:
    """A function whose globals hold the plain form of every kernel."""
    names = function.__globals__
    known = _plain_globals.get(id(names))
    if known is None:
        # the first keeps the number from being used again
        known = _plain_globals[id(names)] = names, dict(names)
        for name, value in names.items():
            if isinstance(value, Kernel):
                known[1][name] = value.interpreted
            elif isinstance(value, Instruction):
                known[1][name] = value.python
    made = FunctionType(
        function.__code__, known[1], function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def as_python(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel as plain Python, for tables that are made while a module is loaded: to call it compiled would
    load Numba then, in a process that may never play."""
    return kernel.interpreted if isinstance(kernel, Kernel) else kernel


def drop_plain(names: dict[str, Any]) -> None:
    """Forget the plain form of a module that is not used any more, so that it can go."""
    _plain_globals.pop(id(names), None)


# ---- which form --------------------------------------------------------------------------------------------


def is_interpreted(folder: Path | str) -> bool:
    """Do calls of this folder's kernels run as plain Python?"""
    return not compiled or _forms.get(str(folder), _usual) == 'interpreted'


def run_interpreted(folder: Path | str | None = None) -> None:
    """From the next call on run the kernels of a folder as plain Python; without a folder those of every
    folder."""
    _set('interpreted', folder)


def run_compiled(folder: Path | str | None = None) -> None:
    """From the next call on run the kernels of a folder compiled; without a folder those of every folder."""
    _set('compiled', folder)


def _set(form: Form, folder: Path | str | None) -> None:
    global _usual
    if folder is None:
        _usual = form
        _forms.clear()
    else:
        _forms[str(folder)] = form
    for kernel in list(_kernels):
        kernel._form = kernel._ready = None


def all_compiled() -> bool:
    """Do the kernels of all folders run compiled, and does this process compile those that are missing?"""
    return compiled and compiles() and 'interpreted' not in (_usual, *_forms.values())


@contextmanager
def compiling() -> Iterator[None]:
    """Calls of kernels inside this block run compiled; missing kernels are compiled in this process."""
    form, may = _here.set('compiled'), COMPILING.set(True)
    try:
        yield
    finally:
        _here.reset(form)
        COMPILING.reset(may)


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that reads a position from outside, which is not validated yet. Kernels that it
    calls run as plain Python, where NumPy checks every index."""

    @functools.wraps(function)
    def with_checks(*args: P.args, **kwargs: P.kwargs) -> R:
        token = _here.set('interpreted')
        try:
            return function(*args, **kwargs)
        finally:
            _here.reset(token)

    return with_checks


# ---- decorators --------------------------------------------------------------------------------------------


def kernel(function: F) -> F:
    """Make a rule function a kernel. The annotations are for the reader and for mypy; Numba infers its own
    types."""
    if not compiled:
        return function
    plain = cast(FunctionType, function)
    return cast(F, Kernel(plain, home_of(plain.__module__, plain.__code__.co_filename)))


def home_of(module: str, file: str) -> Path:
    """The folder under which the kernels of a module are known: where its file lies. A game that is loaded a
    second time with other components (`<game>@<hash>`) has one of its own, which exists in the cache only."""
    folder = Path(file).parent
    own = next((part for part in module.split('.') if '@' in part), '')
    return folder.with_name(own) if own else folder


def instruction(function: F) -> F:
    """Make a function an instruction of the machine: `machine.py` has its compiled form under the same
    name."""
    return cast(F, Instruction(cast(FunctionType, function))) if compiled else function


def specialise(template: Callable[..., Any], scope: dict[str, Any], name: str, folder: Path) -> Any:
    """A template (an ordinary function that names a game's functions as globals) as a kernel of one game.

    `scope` becomes its globals, `name` tells the game's copy from others in the cache, `folder` is the
    game's. This is the only form of a generic function whose compiled code a new process finds again.
    """
    plain = cast(FunctionType, template)
    function = FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__)
    function.__qualname__ = f'{name}_{plain.__name__}'
    function.__module__ = plain.__module__
    function.__doc__ = plain.__doc__
    return Kernel(function, folder) if compiled else function


def bind_templates(
    templates: Iterable[Callable[..., Any]], names: dict[str, Any], name: str, folder: Path
) -> SimpleNamespace:
    """Templates as kernels of one game, as attributes. Each reads the globals of its own module, but for
    `names`, the game's functions and constants, and the templates before it."""
    own = dict(names)
    for template in templates:
        made = specialise(template, {**template.__globals__, **own}, name, folder)
        own[template.__name__] = made
    return SimpleNamespace(**{template.__name__: own[template.__name__] for template in templates})
