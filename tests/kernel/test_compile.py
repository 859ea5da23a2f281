"""Kernels are compiled once, however they are called by others, and mean the same for it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numba import types
from numba.core.errors import TypingError

from ludoteca.kernel import Array, Record, compiled, field, kernel


class Some(Record):
    """Integers of several widths."""

    small: int = field('i1')
    middle: int = field('i2')
    large: int = field('i8')


@kernel
def shifted(x: int, by: int) -> int:
    return x << by


@kernel
def all_shifted(s: Some, bits: Array) -> int:
    return (
        shifted(s.small, 3)
        + shifted(s.middle, s.small)
        + shifted(s.large, by=40)
        + shifted(1, 62)
        + shifted(bits[0], 1)
    )


@kernel
def either(a: int, b: int, first: bool) -> int:
    return a if first else b


@kernel
def both(s: Some) -> int:
    return either(s.small, 2, True) * either(7, s.middle, first=False)


def some() -> Some:
    s = Some.new()
    s.small, s.middle, s.large = -5, 300, 2**20 + 1
    return s


@pytest.mark.skipif(not compiled, reason='nothing is compiled')
def test_a_kernel_is_compiled_once_for_integers_of_all_widths_and_constants() -> None:
    whole = (types.int8, types.int32, types.int64, types.literal(3), types.literal(40))
    for x, by in itertools.product(whole, whole):
        shifted.dispatcher.get_call_template((x, by), {})  # type: ignore[attr-defined]
    shifted.dispatcher.get_call_template((types.int16,), {'by': types.int16})  # type: ignore[attr-defined]
    either.dispatcher.get_call_template((types.int8, types.int8, types.boolean), {})  # type: ignore[attr-defined]
    either.dispatcher.get_call_template((types.int8, types.int8, types.literal(True)), {})  # type: ignore[attr-defined]
    assert len(shifted.dispatcher.signatures) == len(either.dispatcher.signatures) == 1  # type: ignore[attr-defined]


def test_integers_of_all_widths_keep_their_values_in_calls() -> None:
    s = some()
    assert both(s) == -5 * 300
    s.small = 5
    assert all_shifted(s, np.array([9], np.int32)) == (5 << 3) + (300 << 5) + ((2**20 + 1) << 40) + (
        1 << 62
    ) + (9 << 1)


@kernel
def itself(table: np.ndarray) -> np.ndarray:
    return table


@kernel
def first_row(table: np.ndarray) -> np.ndarray:
    return table[0]  # type: ignore[no-any-return]


@kernel
def copied(table: np.ndarray) -> np.ndarray:
    return np.zeros_like(table)


@pytest.mark.skipif(not compiled, reason='plain Python counts everything')
def test_a_kernel_that_counts_no_references_returns_no_array() -> None:
    assert not itself.makes_memory  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match='itself returns array'):
        itself(np.zeros((2, 3)))
    with pytest.raises(TypingError, match='Only accept returning of array passed into the function'):
        first_row(np.zeros((2, 3)))
    assert copied.makes_memory  # type: ignore[attr-defined]
    assert copied(np.ones(3)).tolist() == [0, 0, 0]
