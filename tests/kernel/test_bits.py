"""Sets of small numbers as bits, against Python's own sets, compiled and interpreted."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from ludoteca.kernel import (
    Array,
    Ints,
    Record,
    byte_of,
    count_bits,
    field,
    kernel,
    list_large_set,
    lowest_bit,
    nth_bit,
    places_of,
    words_of,
    write_set,
)
from ludoteca.kernel.bits import from_highest, up_to_lowest
from tests.interpreted import IN_BOTH_FORMS


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


@IN_BOTH_FORMS
def test_bits_are_the_numbers_of_a_set(form: str) -> None:
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


@kernel
def through(bits: int) -> int:
    """The sum of the numbers of a set and a hundred times how many there are, one after the other as rules go
    through sets."""
    total = 100 * count_bits(bits)
    while bits:
        total += lowest_bit(bits)
        bits &= bits - 1
    return total


@IN_BOTH_FORMS
def test_kernels_go_through_sets(form: str) -> None:
    for numbers in sets():
        assert through(bits(numbers)) == 100 * len(numbers) + sum(numbers)


@kernel
def all_bytes(words: Array, out: Array) -> None:
    """The bytes of words, one by one."""
    for k in range(8 * len(words)):
        out[k] = byte_of(words, k)


@IN_BOTH_FORMS
def test_the_bytes_of_a_word_are_numbered_from_the_lowest(form: str) -> None:
    chooser = random.Random(2)
    values = [chooser.randrange(256) for _ in range(40)]
    words = [
        int.from_bytes(bytes(values[k : k + 8]), 'little', signed=True) for k in range(0, len(values), 8)
    ]
    out = np.zeros(len(values), np.int64)
    all_bytes(np.array(words, np.int64), out)
    assert out.tolist() == values


class Boxes(Record):
    """Fields of bytes, with others round them that a load must not take for theirs."""

    before: int = field('i1')
    eight: Array = field('i1', 8)
    nine: Array = field('i1', 9)
    fifteen: Array = field('i1', 15)
    sixteen: Array = field('i1', 16)
    behind: int = field('i1')


@kernel
def places(boxes: Boxes, value: int, out: Array) -> None:
    out[0] = places_of(value, boxes.eight)
    out[1] = places_of(value, boxes.nine)
    out[2] = places_of(value, boxes.fifteen)
    out[3] = places_of(value, boxes.sixteen)


@IN_BOTH_FORMS
def test_places_of_a_value_are_found_in_fields_of_any_length(form: str) -> None:
    chooser, out = random.Random(3), np.zeros(4, np.int64)
    for _ in range(30):
        boxes = Boxes.new()
        boxes.before = boxes.behind = value = chooser.choice([-128, -1, 0, 1, 4, 127])
        fields = boxes.eight, boxes.nine, boxes.fifteen, boxes.sixteen
        for box in fields:
            box[:] = [chooser.choice([value, -1, 0, 3]) for _ in box]
        places(boxes, value, out)
        assert out.tolist() == [bits(set(np.flatnonzero(box == value).tolist())) for box in fields]


@IN_BOTH_FORMS
def test_a_set_is_listed_and_nothing_else_is_written(form: str) -> None:
    """In arrays that are longer and in those that end with the list: nothing behind it is written."""
    chooser = random.Random(4)
    for k in range(300):
        numbers = sorted(chooser.sample(range(122), chooser.choice([0, 1, 2, 8, 30, 122])))
        low, high = words_of(numbers)
        first, n, behind = chooser.randrange(1000), chooser.randrange(5), chooser.choice([0, 1, 7, 8, 9, 40])
        out = np.full(n + len(numbers) + behind, -7, np.int32)
        assert list_large_set(low, high, first, out, n) == n + len(numbers), k
        assert out.tolist() == [-7] * n + [first + number for number in numbers] + [-7] * behind


@kernel
def written(word: int, out: Ints) -> int:
    return write_set(word, 0, out, 0)


def test_a_set_is_not_written_where_the_array_ends_too_soon() -> None:
    """As all indices are checked where kernels check them, as they do in tests."""
    assert written(255, np.zeros(16, np.int32)) == 8
    with pytest.raises(IndexError):
        written(255, np.zeros(15, np.int32))


@kernel
def byte_at(words: Array, k: int) -> int:
    return byte_of(words, k)


def test_a_byte_beyond_the_words_is_refused() -> None:
    """As all indices are where kernels check them, as they do in tests."""
    with pytest.raises(IndexError):
        byte_at(np.zeros(2, np.int64), 16)
