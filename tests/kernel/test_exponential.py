"""The exponential function of kernels, against Python's, compiled and interpreted."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from ludoteca.kernel import Array, kernel
from ludoteca.kernel.exponential import exp_of
from tests.interpreted import IN_BOTH_FORMS

VALUES = [*np.linspace(-700.0, 700.0, 2001).tolist(), *np.linspace(-1.0, 1.0, 2001).tolist(), 1e-300, -1e-300]


@kernel
def of_all(values: Array, out: Array) -> None:
    """The function of many numbers, in the kind of loop for which it is made."""
    for k in range(len(values)):
        out[k] = exp_of(values[k])


@IN_BOTH_FORMS
def test_the_exponential_function_has_fifteen_digits(form: str) -> None:
    out = np.zeros(len(VALUES))
    of_all(np.array(VALUES), out)
    assert out.tolist() == pytest.approx([exp(value) for value in VALUES], rel=1e-15, abs=0)
