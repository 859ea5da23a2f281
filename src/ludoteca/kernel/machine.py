"""Kernels as machine code: the one place that imports Numba. It is loaded when the first kernel is compiled
or found compiled."""

from __future__ import annotations

import hashlib
import os
import platform
from functools import cache
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import llvmlite.binding
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils, config
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from ludoteca.kernel.cache import KernelCache
from ludoteca.kernel.digest import Rule, code_of
from ludoteca.kernel.process import bounds_checked, note_use

PROCESSOR = 'x86-64-v3'
NEEDS = ('avx2', 'bmi', 'bmi2', 'f16c', 'fma', 'lzcnt', 'movbe')
"""What LLVM calls the features that x86-64-v3 adds to older processors (System V ABI for AMD64,
"Micro-architecture levels")."""


def _common_processor() -> None:
    """Compile for x86-64-v3 instead of this very processor, if it has those features. Such code can be
    carried to most other computers, and it is no slower (docs/performance.md)."""
    if config.CPU_NAME is None and platform.machine().lower() in ('x86_64', 'amd64'):
        features = llvmlite.binding.get_host_cpu_features()
        if all(features.get(name) for name in NEEDS):
            config.CPU_NAME, config.CPU_FEATURES = PROCESSOR, ''


_common_processor()


SMALL = 500  # bytes of bytecode

# the kernel of which a library is the code
_kernel_of: WeakKeyDictionary[Any, Rule] = WeakKeyDictionary()


class CheckedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that checks its indices. Numba links all that a kernel calls to it and then
    optimises the whole, so that code is optimised anew for each of its callers. Here other kernels are linked
    as they are, after that, but for the small ones, which are worth being inlined."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._optimised: dict[Any, None] = {}  # libraries to be linked, in this order

    def add_linking_library(self, library: Any) -> None:
        kernel = _kernel_of.get(library)
        if kernel is None or (len(kernel.python.__code__.co_code) <= SMALL and not kernel.calls_kernels):
            super().add_linking_library(library)
        else:
            library._ensure_finalized()
            self._optimised[library] = None

    def add_llvm_module(self, ll_module: Any) -> None:
        """Take code in, without the passes over single functions: those over the whole module follow."""
        ll_module.data_layout = self._codegen._data_layout
        self._final_module.link_in(ll_module)

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()
        for library in self._optimised:
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)


def _quickly_compiled() -> None:
    """Compile kernels that check their indices in less time: they are for tests and `soak`. LLVM tries less
    hard, and optimises each kernel once. Both together take a third off the time to compile; random games are
    up to two fifths slower, searches a tenth (docs/performance.md)."""
    if bounds_checked() and 'NUMBA_OPT' not in os.environ:
        config.OPT = type(config.OPT)(1)
        cpu_target.target_context.codegen()._library_class = CheckedLibrary


_quickly_compiled()


def _widest(kind: Any) -> Any:
    """The type for which a kernel is compiled when another one calls it with `kind`: signed integers have 64
    bits, and constants are not compiled in. Otherwise Numba would compile a kernel anew for each width and
    each constant, which takes half as long again. Members of enumerations are such integers, too: a class
    that cached code names is not the one of this process, so that the code would not fit its caller."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.IntEnumMember):
        kind = kind.dtype
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


def compile_kernel(kernel: Rule) -> Any:
    """Numba's dispatcher for a kernel. It compiles for the types of the first call, or finds the compiled
    code in the cache."""
    note_use()
    made = njit(
        nogil=True,
        no_cfunc_wrapper=True,
        boundscheck=bounds_checked(),
        error_model='numpy',
        _nrt=kernel.makes_memory,
    )(kernel.python)
    made._cache = KernelCache(kernel)
    add_overload = made.add_overload

    def note_library(found: Any) -> None:
        _kernel_of[found.library] = kernel
        add_overload(found)

    made.add_overload = note_library
    template = made.get_call_template
    made.get_call_template = lambda args, kws: template(
        tuple(map(_widest, args)), {name: _widest(kws[name]) for name in kws}
    )
    return made


# ---- instructions ------------------------------------------------------------------------------------------


@intrinsic  # type: ignore[untyped-decorator]
def trailing_zeros(typing_context: Any, bits: Any) -> Any:
    """The number of zeros below the lowest one of an int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def bit_length(typing_context: Any, bits: Any) -> Any:
    """The number of bits of an int64 but for the zeros above the highest one."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 64), zeros)

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def ones(typing_context: Any, bits: Any) -> Any:
    """The number of ones of an int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def byte_of(typing_context: Any, words: Any, k: Any) -> Any:
    """The k-th byte of a contiguous array of int64: one load, since all processors that Numba compiles for
    have the lowest byte of a word first."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(words)(context, builder, arguments[0])
        if bounds_checked():
            size = builder.mul(array.nitems, ir.Constant(ir.IntType(64), 8))
            cgutils.do_boundscheck(context, builder, arguments[1], size)
        bytes_ = builder.bitcast(array.data, ir.IntType(8).as_pointer())
        return builder.zext(builder.load(builder.gep(bytes_, [arguments[1]])), ir.IntType(64))

    return types.int64(words, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def places_of(typing_context: Any, value: Any, values: Any) -> Any:
    """All bytes of a field are compared at once. Two loads of a word that overlap read them, and nothing
    beside them."""
    if not isinstance(values, types.NestedArray) or values.dtype != types.int8:
        return None  # there is no such function for these types
    n = values.nitems
    if not 8 <= n <= 16:
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, word = ir.IntType(8), ir.IntType(64)
        begin = context.make_array(values)(context, builder, arguments[1]).data

        def load(at: int) -> Any:
            place = builder.gep(builder.bitcast(begin, byte.as_pointer()), [ir.Constant(word, at)])
            return builder.load(builder.bitcast(place, word.as_pointer()), align=1)

        last = builder.lshr(load(n - 8), ir.Constant(word, 8 * (16 - n)))
        bytes_ = builder.bitcast(_vector(builder, [load(0), last]), ir.VectorType(byte, 16))
        wanted = _vector(builder, [builder.trunc(arguments[0], byte)] * 16)
        equal = builder.bitcast(builder.icmp_signed('==', bytes_, wanted), ir.IntType(16))
        return builder.and_(builder.zext(equal, word), ir.Constant(word, (1 << n) - 1))

    return types.int64(types.int64, values), generate


NUMBERS = [[k for k in range(8) if byte >> k & 1] for byte in range(256)]
"""[byte of a set] -> its numbers"""


@intrinsic  # type: ignore[untyped-decorator]
def write_set(typing_context: Any, word: Any, first: Any, out: Any, n: Any) -> Any:
    """For each byte of the set eight places are written, from a table of the numbers of all bytes, and the
    next byte writes over those that are too many. What stood behind the last number is put back."""
    if not isinstance(out, types.Array) or out.dtype != types.int32 or out.layout != 'C':
        return None  # there is no such function for these types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, half, whole = ir.IntType(8), ir.IntType(32), ir.IntType(64)
        word, first, at = arguments[0], builder.trunc(arguments[1], half), arguments[3]
        array = context.make_array(out)(context, builder, arguments[2])
        rows = [ir.Constant(ir.VectorType(byte, 8), (numbers + [0] * 8)[:8]) for numbers in NUMBERS]
        table = cgutils.global_constant(
            builder, 'numbers', ir.Constant(ir.ArrayType(rows[0].type, 256), rows)
        )
        eight = ir.VectorType(half, 8)

        def place(index: Any) -> Any:
            return builder.bitcast(builder.gep(array.data, [index]), eight.as_pointer())

        size = builder.ctpop(word)
        end = builder.add(at, size)
        if bounds_checked():
            last = builder.add(end, ir.Constant(whole, 7))
            for index in (at, last):
                cgutils.do_boundscheck(context, builder, index, array.nitems)
        behind = builder.load(place(end), align=4)
        for k in range(0, 64, 8):
            part = builder.and_(builder.lshr(word, ir.Constant(whole, k)), ir.Constant(whole, 255))
            row = builder.load(builder.gep(table, [ir.Constant(whole, 0), part]), align=8)
            begin = _vector(builder, [builder.add(first, ir.Constant(half, k))] * 8)
            builder.store(builder.add(builder.zext(row, eight), begin), place(at), align=4)
            at = builder.add(at, builder.ctpop(part))
        builder.store(behind, place(end), align=4)
        return size

    return types.int64(types.int64, types.int64, out, types.int64), generate


def _vector(builder: Any, values: list[Any]) -> Any:
    """Values of one type as a vector."""
    made = ir.Constant(ir.VectorType(values[0].type, len(values)), ir.Undefined)
    for k, value in enumerate(values):
        made = builder.insert_element(made, value, ir.Constant(ir.IntType(32), k))
    return made


def _field(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of a field of an array's record, and Numba's type of it: for calls that begin with the
    array, the index and the name."""
    records, _, name = signature.args[:3]
    kind, offset = records.dtype.typeof(name.literal_value), records.dtype.offset(name.literal_value)
    array = context.make_array(records)(context, builder, arguments[0])
    index = builder.mul(arguments[1], ir.Constant(ir.IntType(64), records.dtype.size))
    begin = builder.bitcast(array.data, ir.IntType(8).as_pointer())
    place = builder.gep(begin, [builder.add(index, ir.Constant(ir.IntType(64), offset))])
    return builder.bitcast(place, context.get_data_type(kind).as_pointer()), kind


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def atomic_add(typing_context: Any, records: Any, i: Any, name: Any, number: Any) -> Any:
    """Add a number to a field of records[i]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place, kind = _field(context, builder, signature, arguments)
        change = context.cast(builder, arguments[3], signature.args[3], kind)
        builder.atomic_rmw('fadd' if isinstance(kind, types.Float) else 'add', place, change, 'monotonic')
        return context.get_dummy_value()

    wide = types.float64 if isinstance(number, types.Float) else types.int64
    return types.void(records, types.int64, name, wide), generate


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def atomic_swap(typing_context: Any, records: Any, i: Any, name: Any, old: Any, new: Any) -> Any:
    """Put `new` into an integer field of records[i] if it holds `old`; returns what it held."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place, kind = _field(context, builder, signature, arguments)
        old, new = (context.cast(builder, value, types.int64, kind) for value in arguments[3:])
        found = builder.extract_value(builder.cmpxchg(place, old, new, 'seq_cst'), 0)
        return context.cast(builder, found, kind, types.int64)

    return types.int64(records, types.int64, name, types.int64, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def release(typing_context: Any) -> Any:
    """What was written before is seen by other threads before what is written after."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.fence('release')
        return context.get_dummy_value()

    return types.void(), generate


INSTRUCTIONS = {
    'trailing_zeros': trailing_zeros,
    'bit_length': bit_length,
    'ones': ones,
    'byte_of': byte_of,
    'write_set': write_set,
    'places_of': places_of,
    'atomic_add': atomic_add,
    'atomic_swap': atomic_swap,
    'release': release,
}


@cache
def type_of(name: str) -> Any:
    """Numba's type of an instruction."""
    return cpu_target.typing_context.resolve_value_type(INSTRUCTIONS[name])


def instruction_digest(name: str) -> str:
    """A text that differs for every way in which an instruction is compiled: for its code, and for what of
    its module that names."""
    code, names, _ = code_of(INSTRUCTIONS[name].__wrapped__.__code__)
    parts = [code]
    for value in (globals().get(other) for other in names):
        if isinstance(value, FunctionType):
            parts.append(code_of(value.__code__)[0])
        elif isinstance(value, list):
            parts.append(repr(value).encode())
    return f'instruction {name} {hashlib.blake2b(bytes(1).join(parts), digest_size=16).hexdigest()}'
