"""Sets of small numbers as bits of an int64. To find the lowest number, or to count the numbers, is one
machine instruction when compiled.

The highest bit is the sign and belongs to no set: a set holds numbers from 0 to 62.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludoteca.kernel.compile import instruction, kernel
from ludoteca.kernel.record import Array, Ints


@instruction
def trailing_zeros(bits: int) -> int:
    """The number of zeros below the lowest one of an int64."""
    return (int(bits) & -int(bits)).bit_length() - 1


@instruction
def bit_length(bits: int) -> int:
    """The number of bits of an int64, which is not negative, but for the zeros above the highest one."""
    return int(bits).bit_length()


@instruction
def ones(bits: int) -> int:
    """The number of ones of an int64."""
    return int(bits).bit_count()


@instruction
def byte_of(words: Array, k: int) -> int:
    """The k-th byte of an array of int64, from 0 to 255; of the bytes of a word the lowest comes first."""
    return (int(words[k >> 3]) >> ((k & 7) << 3)) & 255


@instruction
def places_of(value: int, values: Array) -> int:
    """The places of a record's field of 8 to 16 int8 that hold a value (-128 to 127), as a set."""
    return sum(1 << k for k, found in enumerate(values) if found == value)


@instruction
def write_set(word: int, first: int, out: Ints, n: int) -> int:
    """Write `first` + number into out[n:] for every number of a set of one word, ascending; returns how many.
    `out` must be 8 places longer."""
    numbers = [k for k in range(WORD) if word >> k & 1]
    out[n : n + len(numbers)] = [first + number for number in numbers]
    return len(numbers)


@kernel
def lowest_bit(bits: int) -> int:
    """The lowest number of a set, which must not be empty."""
    return trailing_zeros(bits)


@kernel
def up_to_lowest(bits: int) -> int:
    """The lowest number of a set and all below it, as a set; all numbers if the set is empty."""
    return bits ^ bits - 1


@kernel
def from_highest(bits: int) -> int:
    """The highest number of a set and all above it, as a set; all numbers if the set is empty."""
    return -1 << bit_length(bits >> 1)


@kernel
def count_bits(bits: int) -> int:
    """How many numbers a set holds."""
    return ones(bits)


@kernel
def nth_bit(bits: int, n: int) -> int:
    """The n-th number of a set, counted from 0 and from the lowest; the set must hold more than n numbers."""
    for _ in range(n):
        bits &= bits - 1
    return trailing_zeros(bits)


# ---- sets of up to 122 numbers -----------------------------------------------------------------------------
# Two words of WORD bits: bit b of word w is the number w * WORD + b. Arrays hold them as [word]; kernels
# mostly pass them as a pair of ints.

WORD = 61
WORD_MASK = (1 << WORD) - 1


def words_of(numbers: Iterable[int]) -> tuple[int, int]:
    """A set of numbers (0 to 121) as two words."""
    bits = sum(1 << number for number in set(numbers))
    return bits & WORD_MASK, bits >> WORD


@kernel
def lowered(low: int, high: int, by: int) -> tuple[int, int]:
    """Subtract `by` (0 <= by <= WORD) from every number of a set; numbers below `by` drop out."""
    return (low >> by | high << WORD - by) & WORD_MASK, high >> by


@kernel
def raised(low: int, high: int, by: int) -> tuple[int, int]:
    """Add `by` (0 <= by <= WORD) to every number of a set; sums beyond the second word drop out."""
    return low << by & WORD_MASK, (high << by | low >> WORD - by) & WORD_MASK


@kernel
def holds(words: Array, number: int) -> bool:
    """Is the number in the set words[word]?"""
    return words[number // WORD] >> number % WORD & 1 != 0


@kernel
def put_in(words: Array, number: int) -> None:
    """Add a number to the set words[word]."""
    word = int(number >= WORD)
    words[word] |= 1 << number - word * WORD


@kernel
def take_out(words: Array, number: int) -> None:
    """Take a number out of the set words[word]."""
    words[number // WORD] &= ~(1 << number % WORD)


@kernel
def size_of(low: int, high: int) -> int:
    """How many numbers a set holds."""
    return count_bits(low) + count_bits(high)


@kernel
def nth_of(low: int, high: int, n: int) -> int:
    """The n-th number of a set, counted from 0; the set must hold more than n numbers."""
    first = count_bits(low)
    return nth_bit(low, n) if n < first else WORD + nth_bit(high, n - first)


@kernel
def list_set(low: int, high: int, first: int, out: Ints, n: int) -> int:
    """Append `first` + number to `out[:n]` for every number of a set, ascending; returns the new length."""
    while low:
        out[n] = first + lowest_bit(low)
        low &= low - 1
        n += 1
    while high:
        out[n] = first + WORD + lowest_bit(high)
        high &= high - 1
        n += 1
    return n


@kernel
def list_large_set(low: int, high: int, first: int, out: Ints, n: int) -> int:
    """The same without a branch for each number, which nobody could foresee: a set of many numbers costs no
    more than one of few."""
    n = list_large_word(low, first, out, n)
    return list_large_word(high, first + WORD, out, n) if high else n


@kernel
def list_large_word(word: int, first: int, out: Ints, n: int) -> int:
    """The same for one word."""
    if n + count_bits(word) + 8 > len(out):
        return list_set(word, 0, first, out, n)
    return n + write_set(word, first, out, n)
