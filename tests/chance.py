"""Were things drawn with the chances they should have (chi-square tests within 4 sigma)? And positions with
other chances."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from math import sqrt

from ludoteca.game import Position


def assert_uniform(counts: Iterable[int]) -> None:
    """Chi-square against equal chances."""
    seen = list(counts)
    expected = sum(seen) / len(seen)
    assert expected >= 5, 'too few draws for a chi-square test'
    assert_expected(seen, [expected] * len(seen))


def assert_distributed(counts: Iterable[int], weights: Iterable[float]) -> None:
    """Chi-square against these weights. Cells that are too small for it are put together, whatever was
    counted in them."""
    seen, expected = [0.0], [0.0]
    pairs = sorted(zip(weights, counts, strict=True), key=lambda pair: -pair[0])
    scale = sum(count for _, count in pairs) / sum(weight for weight, _ in pairs)
    for weight, count in pairs:
        assert weight or not count, 'impossible, but it happened'
        if expected[-1] >= 5:
            seen.append(0.0)
            expected.append(0.0)
        seen[-1] += count
        expected[-1] += weight * scale
    if expected[-1] < 5 and len(expected) > 1:
        last, rest = expected.pop(), seen.pop()
        expected[-1] += last
        seen[-1] += rest
    assert_expected(seen, expected)


def assert_expected(seen: Sequence[float], expected: Sequence[float]) -> None:
    """Chi-square within 4 sigma (Wilson and Hilferty's normal approximation, 1931)."""
    freedom = len(seen) - 1
    if freedom:
        square = sum((n - e) ** 2 / e for n, e in zip(seen, expected, strict=True))
        spread = 2 / (9 * freedom)
        assert abs((square / freedom) ** (1 / 3) - (1 - spread)) < 4 * sqrt(spread)


def with_other_chance(start: Position, rng: random.Random) -> Position:
    """The same position with another generator: what is drawn later may be anything."""
    other = start.copy()
    other.state.rng = [rng.getrandbits(32) | 1 for _ in range(4)]
    return other
