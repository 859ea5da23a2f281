"""The random generator kept inside a state: xoshiro128** (Blackman and Vigna, 2018), four 32-bit words.

All arithmetic is done in 64-bit integers and masked, so that compiled and interpreted code give the same
numbers. It is seeded with 128 bits, so that nobody can find a game's seed by trying all of them.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ludoteca.kernel.compile import kernel
from ludoteca.kernel.record import Array

U32 = 0xFFFFFFFF


def seed_words(seed: int | str) -> Array:
    """A seed as the four 32-bit words (int64, shape (4,)) that `setup` takes.

    A number from 2**96 to 2**128 - 1 is taken as it is. Other numbers and texts, such as people type, are
    spread over the 128 bits by BLAKE2b.
    """
    if isinstance(seed, int) and 2**96 <= seed < 2**128:
        value = seed
    else:
        value = int.from_bytes(hashlib.blake2b(str(seed).encode(), digest_size=16).digest(), 'little')
    return np.array([value >> 32 * k & U32 for k in range(4)], np.int64)


def seed_number(seed: int | str) -> int:
    """A seed as one number of 63 bits, as `mix` takes it."""
    low, high, *_ = seed_words(seed).tolist()
    return int(low | (high & 0x7FFFFFFF) << 32)


@kernel
def mix(seed: int, k: int) -> int:
    """A 32-bit number that looks independent for every pair of a seed and a counter (PCG's RXS-M-XS, O'Neill
    2014)."""
    x = (seed + k * 2654435769) & U32
    x = (((x >> ((x >> 28) + 4)) ^ x) * 277803737) & U32
    x = (x >> 22) ^ x
    x = ((x ^ (seed >> 32 & U32)) * 747796405 + 2891336453) & U32
    x = (((x >> ((x >> 28) + 4)) ^ x) * 277803737) & U32
    return (x >> 22) ^ x


@kernel
def start_generator(s: Any, seed: Array) -> None:
    """Seed the generator of state `s` (field `rng`, four 'u4') with four 32-bit words."""
    zero = 1
    for k in range(4):
        s.rng[k] = seed[k] & U32
        if seed[k] & U32:
            zero = 0
    if zero:
        s.rng[0] = 1  # the one state that the generator cannot leave


@kernel
def reseed(s: Any, seed: int) -> None:
    """Seed the generator from one number, for simulations: no secret depends on it."""
    for k in range(4):
        s.rng[k] = mix(seed, k + 1) | int(k == 0)


@kernel
def is_blank(s: Any) -> bool:
    """Has the generator been taken out of the state? Nothing can be drawn then: the game waits for chance."""
    return (s.rng[0] | s.rng[1] | s.rng[2] | s.rng[3]) == 0


@kernel
def next32(s: Any) -> int:
    """The next 32 bits; advances the generator kept in the state."""
    a, b, c, d = int(s.rng[0]), int(s.rng[1]), int(s.rng[2]), int(s.rng[3])
    x = (b * 5) & U32
    x = ((x << 7 | x >> 25) & U32) * 9 & U32
    t = b << 9 & U32
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    s.rng[0] = a
    s.rng[1] = b
    s.rng[2] = c
    s.rng[3] = (d << 11 | d >> 21) & U32
    return x


@kernel
def below(s: Any, n: int) -> int:
    """An exactly uniform integer in range(n), 1 <= n < 2**31 (Lemire 2019: multiply, and reject the few draws
    that would be biased)."""
    product = next32(s) * n
    if product & U32 < n:
        least = (U32 + 1 - n) % n
        while product & U32 < least:
            product = next32(s) * n
    return product >> 32
