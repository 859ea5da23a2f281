"""Kernels are compiled once, however they are called by others, and mean the same for it."""
from __future__ import annotations

import numpy as np
import pytest

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
    return shifted(s.small, 3) + shifted(s.middle, s.small) + shifted(s.large, by=40) + shifted(1, 62) + shifted(bits[0], 1)


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
    s = some()
    s.small = 5
    assert all_shifted(s, np.array([9], np.int32)) == (5 << 3) + (300 << 5) + ((2**20 + 1) << 40) + (1 << 62) + (9 << 1)
    assert both(s) == 5 * 300
    assert len(shifted.signatures) == 1                                                 # type: ignore[attr-defined]
    assert len(either.signatures) == 1                                                  # type: ignore[attr-defined]


def test_narrow_integers_keep_their_values_in_calls() -> None:
    assert both(some()) == -5 * 300
