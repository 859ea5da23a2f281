"""Chance: xoshiro128** against an independent model, exact uniformity, seeds, and the mixing function of
simulations."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludoteca.kernel import Array, Record, below, field, kernel, mix, reseed, seed_words, start_generator
from ludoteca.kernel.random import next32

ROOT = Path(__file__).resolve().parents[2]
WORD = 2**32


class Dice(Record):
    """A state that is nothing but chance."""

    rng: Array = field('u4', 4)


def dice(*words: int) -> Any:
    s = Dice.new()
    s.rng[:] = words
    return s


class Model:
    """xoshiro128** as its authors describe it: one 128-bit integer, the words in it by shifting."""

    def __init__(self, words: list[int]) -> None:
        self.state = sum(word << 32 * k for k, word in enumerate(words))

    def word(self, k: int) -> int:
        return self.state >> 32 * k & 0xFFFFFFFF

    @staticmethod
    def rotated(x: int, k: int) -> int:
        shifted = x << k
        return shifted % WORD + shifted // WORD

    def next(self) -> int:
        result = self.rotated(self.word(1) * 5 % WORD, 7) * 9 % WORD
        s0, s1, s2, s3 = (self.word(k) for k in range(4))
        self.state = (
            (s0 ^ s3 ^ s1)
            | (s1 ^ s2 ^ s0) << 32
            | (s2 ^ s0 ^ (s1 * 512 % WORD)) << 64
            | self.rotated(s3 ^ s1, 11) << 96
        )
        return result


def bounded(words: Iterator[int], n: int) -> int:
    """Lemire's method in the words of his paper's proof: of 2**32 values the first 2**32 mod n of each
    interval are refused."""
    while True:
        product = next(words) * n
        if product % WORD >= WORD % n:
            return product // WORD


def stream(words: list[int]) -> Iterator[int]:
    model = Model(words)
    while True:
        yield model.next()


# ---- the generator -----------------------------------------------------------------------------------------


def test_first_outputs_are_the_published_ones() -> None:
    """Of the state 1, 2, 3, 4, with which the authors' code is usually compared."""
    s = dice(1, 2, 3, 4)
    assert [int(next32(s)) for _ in range(10)] == [
        11520,
        0,
        5927040,
        70819200,
        2031721883,
        1637235492,
        1287239034,
        3734860849,
        3729100597,
        4258142804,
    ]


@pytest.mark.parametrize('seed', [0, 1, 'a text', 2**96 + 12345, 2**128 - 1])
def test_outputs_agree_with_an_independent_model(seed: int | str) -> None:
    s = Dice.new()
    start_generator(s, seed_words(seed))
    words = stream(s.rng.tolist())
    assert [int(next32(s)) for _ in range(2000)] == [next(words) for _ in range(2000)]


def test_below_agrees_with_an_independent_model() -> None:
    """Also for bounds at which nearly half of all words are refused."""
    for n in (1, 2, 3, 6, 7, 18, 52, 1000, 2**16, 2**30 + 1, 3 * 2**29 + 1, 2**31 - 1):
        s = dice(n, 2, 3, 4)
        words = stream(s.rng.tolist())
        assert [int(below(s, n)) for _ in range(300)] == [bounded(words, n) for _ in range(300)]


@kernel
def count(s: Any, n: int, draws: int, out: Any) -> None:
    for _ in range(draws):
        out[below(s, n)] += 1


@pytest.mark.parametrize('n', [2, 3, 5, 6, 18, 100])
def test_below_is_uniform(n: int) -> None:
    """Chi-square within four standard deviations."""
    counts, draws = np.zeros(n, np.int64), 200_000
    count(dice(11, 22, 33, n), n, draws, counts)
    chi_square = float((((counts - draws / n) ** 2) / (draws / n)).sum())
    assert abs(chi_square - (n - 1)) < 4 * math.sqrt(2 * (n - 1)) + 4


def test_shuffles_are_uniform() -> None:
    """All 24 orders of four things come equally often when shuffled as setups do."""
    s, counts, draws = dice(5, 6, 7, 8), dict[tuple[int, ...], int](), 12_000
    for _ in range(draws):
        things = [0, 1, 2, 3]
        for i in (3, 2, 1):
            j = below(s, i + 1)
            things[i], things[j] = things[j], things[i]
        counts[tuple(things)] = counts.get(tuple(things), 0) + 1
    assert len(counts) == 24
    assert sum((c - draws / 24) ** 2 for c in counts.values()) / (draws / 24) - 23 < 4 * math.sqrt(46) + 4


# ---- seeds -------------------------------------------------------------------------------------------------


def test_large_seeds_are_taken_as_they_are() -> None:
    assert seed_words(0x00000001_89ABCDEF_01234567_DEADBEEF).tolist() == [
        0xDEADBEEF,
        0x01234567,
        0x89ABCDEF,
        1,
    ]
    assert seed_words(2**128 - 1).tolist() == [WORD - 1] * 4


def test_small_seeds_and_texts_fill_all_words() -> None:
    seen = set()
    for seed in [*range(200), 'a', 'b', '', 'x' * 1000, 2**96 - 1, 2**128, -1]:
        words = seed_words(seed)
        assert words.dtype == np.int64
        assert words.shape == (4,)
        assert all(0 <= word < WORD for word in words.tolist())
        seen.add(tuple(words.tolist()))
    assert len(seen) == 207
    assert seed_words(7).tolist() == seed_words('7').tolist(), 'a number typed as text is the same seed'


def test_the_dead_state_is_never_entered() -> None:
    s = Dice.new()
    start_generator(s, np.zeros(4, np.int64))
    assert s.rng.any()
    for seed in range(100):
        reseed(s, seed)
        assert s.rng.any()
    assert len({int(next32(s)) for _ in range(100)}) > 90


def test_generators_reseeded_with_neighbouring_seeds_are_unlike() -> None:
    first = []
    for seed in range(2000):
        s = Dice.new()
        reseed(s, seed)
        first.append(int(next32(s)))
    assert len(set(first)) > 1990
    assert abs(np.mean(first) / WORD - 0.5) < 4 / math.sqrt(12 * 2000)


# ---- mix ---------------------------------------------------------------------------------------------------


def test_mix_never_repeats_for_one_seed() -> None:
    """Every step of it can be undone, so different counters give different numbers."""
    for seed in (0, 1, 2**31, 2**63 - 1):
        assert len({int(mix(seed, k)) for k in range(20_000)}) == 20_000


def test_mix_changes_half_of_the_bits() -> None:
    """Whichever bit of seed or counter changes, low or high."""
    for bit in range(0, 62, 3):
        flips = [
            bin(int(mix(seed, k)) ^ int(mix(seed ^ 1 << bit, k))).count('1')
            for seed in range(12)
            for k in range(12)
        ]
        assert 12 < np.mean(flips) < 20, bit


# ---- both modes --------------------------------------------------------------------------------------------

PROGRAM = """
from tests.kernel.test_random import dice
from ludoteca.kernel import below, mix, reseed, seed_words, start_generator
s = dice(1, 2, 3, 4)
found = [int(below(s, n)) for n in range(1, 2000, 7)] + [int(below(s, 2**31 - k)) for k in range(1, 50)]
start_generator(s, seed_words('x'))
found += s.rng.tolist()
for seed in (0, 1, 2**40 + 3, 2**62):
    reseed(s, seed)
    found += s.rng.tolist() + [int(mix(seed, k)) for k in range(50)]
print(found)
"""


def test_compiled_and_interpreted_give_the_same_numbers() -> None:
    found = []
    for disable in ('0', '1'):
        env = {
            **os.environ,
            'NUMBA_DISABLE_JIT': disable,
            'PYTHONPATH': os.pathsep.join([str(ROOT / 'src'), str(ROOT)]),
        }
        result = subprocess.run(
            [sys.executable, '-W', 'error', '-c', PROGRAM],
            cwd=ROOT,
            env=env,
            text=True,
            capture_output=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        found.append(result.stdout)
    assert found[0] == found[1]


@pytest.mark.interpreted
def test_interpreted_outputs_agree_with_the_model() -> None:
    s = dice(WORD - 1, WORD - 2, WORD - 3, WORD - 4)
    words = stream(s.rng.tolist())
    assert [int(below(s, 3)) for _ in range(300)] == [bounded(words, 3) for _ in range(300)]
