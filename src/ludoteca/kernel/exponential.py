"""The exponential function by plain arithmetic. The C library works it out for one number after another; a
loop over an array that calls this one is compiled to instructions that work on four numbers at once.
"""

from __future__ import annotations

import numpy as np

from ludoteca.kernel.compile import kernel

_LOG2_E = 1.4426950408889634
# ln 2 in two parts: the first one has so few bits that its product with a whole number below 2048 is exact
_LN2_HIGH, _LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
# added to a number it rounds it to a whole one, which then stands in the lowest bits of the sum
_WHOLE = 1.5 * 2**52


@kernel
def exp_of(x: float) -> float:
    """e to the power of x, for x between -700 and 700, to 15 digits.

    The result is 2**k * e**r, with k a whole number and r between -ln 2 / 2 and ln 2 / 2. There the Taylor
    series up to r**13 / 13! is exact but for the last bit or two. The exponent of a float64 begins at bit 52,
    and k is added to it.
    """
    shifted = np.float64(x * _LOG2_E + _WHOLE)
    k = shifted - _WHOLE
    r = x - k * _LN2_HIGH - k * _LN2_LOW
    # neighbouring terms first, so that few sums have to wait for others
    rr = r * r
    rrrr = rr * rr
    a = (1 + r) + rr * (1 / 2 + r * (1 / 6))
    b = (1 / 24 + r * (1 / 120)) + rr * (1 / 720 + r * (1 / 5040))
    c = (1 / 40320 + r * (1 / 362880)) + rr * (1 / 3628800 + r * (1 / 39916800))
    d = 1 / 479001600 + r * (1 / 6227020800)
    p = np.float64(a + rrrr * (b + rrrr * (c + rrrr * d)))
    raised = np.int64(p.view(np.int64) + (shifted.view(np.int64) << 52))
    return raised.view(np.float64)
