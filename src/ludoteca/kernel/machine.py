"""Kernels as machine code: the one place that imports Numba. It is loaded when the first kernel is compiled
or found compiled."""

from __future__ import annotations

import platform
from functools import cache
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import njit, types
from numba.core import config
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from ludoteca.kernel import compile as forms
from ludoteca.kernel.cache import KernelCache

PROCESSOR = 'x86-64-v3'
NEEDS = ('avx2', 'bmi', 'bmi2', 'f16c', 'fma', 'lzcnt', 'movbe')
"""What LLVM calls the features that x86-64-v3 adds to older processors (System V ABI for AMD64,
"Micro-architecture levels")."""


def _common_processor() -> None:
    """Compile for the processors that most people have rather than for this very one, if it is one of them:
    compiled code can then be carried to other computers, and it is no slower (docs/performance.md)."""
    if config.CPU_NAME is None and platform.machine().lower() in ('x86_64', 'amd64'):
        features = llvmlite.binding.get_host_cpu_features()
        if all(features.get(name) for name in NEEDS):
            config.CPU_NAME, config.CPU_FEATURES = PROCESSOR, ''


_common_processor()


def _widest(kind: Any) -> Any:
    """The type for which a kernel is compiled when another one calls it with `kind`: signed integers have 64
    bits, and constants are not compiled in. Numba would compile a kernel anew for each width and each
    constant, which takes half as long again."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


def compile_kernel(kernel: forms.Kernel) -> Any:
    """Numba's dispatcher for a kernel. It compiles for the types of the first call, or finds that in the
    cache."""
    forms._used = True
    made = njit(nogil=True, no_cfunc_wrapper=True, boundscheck=forms.bounds_checked(), error_model='numpy')(
        kernel.python
    )
    made._cache = KernelCache(kernel)
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
def ones(typing_context: Any, bits: Any) -> Any:
    """The number of ones of an int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


INSTRUCTIONS = {'trailing_zeros': trailing_zeros, 'ones': ones}


@cache
def type_of(name: str) -> Any:
    """Numba's type of an instruction."""
    return cpu_target.typing_context.resolve_value_type(INSTRUCTIONS[name])
