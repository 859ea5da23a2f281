"""Sets of small numbers as bits, against Python's own sets, compiled and interpreted."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ludoteca.kernel import count_bits, kernel, lowest_bit, nth_bit
from ludoteca.kernel.bits import from_highest, up_to_lowest


def sets() -> Iterator[set[int]]:
    """Each single number, all of them, neighbours of the word's ends, and random sets of all sizes."""
    yield from ({number} for number in range(63))
    yield set(range(63))
    yield {0, 62}
    yield {31, 32}
    chooser = random.Random(1)
    for size in range(1, 64):
        yield from (set(chooser.sample(range(63), size)) for _ in range(5))


def bits(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def check_all() -> None:
    """What the functions say of every set."""
    for numbers in sets():
        assert lowest_bit(bits(numbers)) == min(numbers)
        assert count_bits(bits(numbers)) == len(numbers)
        below, above = up_to_lowest(bits(numbers)), from_highest(bits(numbers))
        assert all((below >> number & 1) == (number <= min(numbers)) for number in range(63))
        assert all((above >> number & 1) == (number >= max(numbers)) for number in range(63))
        assert [nth_bit(bits(numbers), n) for n in range(len(numbers))] == sorted(numbers)
    assert count_bits(0) == 0
    assert up_to_lowest(0) == from_highest(0) == -1, 'all numbers'


def test_bits_are_the_numbers_of_a_set() -> None:
    check_all()


@pytest.mark.interpreted
def test_interpreted_bits_are_the_numbers_of_a_set() -> None:
    check_all()


@kernel
def through(bits: int) -> int:
    """The sum of the numbers of a set and a hundred times how many there are, one after the other as rules go
    through sets."""
    total = 100 * count_bits(bits)
    while bits:
        total += lowest_bit(bits)
        bits &= bits - 1
    return total


def check_loop() -> None:
    for numbers in sets():
        assert through(bits(numbers)) == 100 * len(numbers) + sum(numbers)


def test_kernels_go_through_sets() -> None:
    check_loop()


@pytest.mark.interpreted
def test_interpreted_kernels_go_through_sets() -> None:
    check_loop()
