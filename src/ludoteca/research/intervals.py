"""Intervals that say how sure a figure is. All are two-sided and hold 95 % of the time."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Z95 = 1.959964  # two-sided 95 % of the normal distribution


class Interval(NamedTuple):
    """A figure, between what it lies 95 % of the time, and on how many games it rests."""

    value: float
    low: float
    high: float
    n: int

    def json(self) -> dict[str, float | int | None]:
        """As plain data: None for what is not known."""
        return {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in self._asdict().items()
        }


NOTHING = Interval(math.nan, math.nan, math.nan, 0)


def wilson(wins: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The confidence interval (low, high) of the share wins / games (Wilson 1927). Where wins are shared it
    is a little wider than necessary.

    >>> [round(end, 3) for end in wilson(60, 100)]
    [0.502, 0.691]
    """
    if not games:
        return 0.0, 1.0
    share, n = wins / games, games
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # exactly 0 and 1 at the ends
    low, high = (middle - half if wins > 0 else 0.0), (middle + half if wins < games else 1.0)
    return low, high


def student(freedom: int, z: float = Z95) -> float:
    """The quantile of Student's distribution that belongs to `z` of the normal one: in closed form for one
    degree of freedom (Cauchy's distribution) and for two, for more by the Cornish-Fisher expansion
    (Abramowitz and Stegun 26.7.5), within 2 %."""
    n, inside = freedom, math.erf(z / math.sqrt(2))
    if n == 1:
        return math.tan(inside * math.pi / 2)
    if n == 2:
        return inside * math.sqrt(2 / (1 - inside**2))
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def of_mean(values: npt.NDArray[np.float64]) -> Interval:
    """The mean of values, those that are NaN left out, with Student's interval."""
    values = values[~np.isnan(values)]
    n = len(values)
    if n < 2:
        return NOTHING._replace(value=float(values[0]), n=1) if n else NOTHING
    mean, half = float(values.mean()), student(n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return Interval(mean, mean - half, mean + half, n)


def of_ratio(parts: npt.NDArray[np.float64], wholes: npt.NDArray[np.float64]) -> Interval:
    """The sum of `parts` by the sum of `wholes`, of independent groups, with Student's interval from the
    spread of the groups (the ratio estimator, Cochran 1977, 6.4). Where all wholes are alike it is the mean
    of the groups' ratios. Groups without a whole are left out."""
    parts, wholes = parts[wholes > 0], wholes[wholes > 0]
    n = len(wholes)
    if not n:
        return NOTHING
    ratio = float(parts.sum() / wholes.sum())
    if n < 2:
        return NOTHING._replace(value=ratio, n=1)
    spread = float(((parts - ratio * wholes) ** 2).sum()) * n / (n - 1)
    half = student(n - 1) * math.sqrt(spread) / float(wholes.sum())
    return Interval(ratio, ratio - half, ratio + half, n)


def of_share(values: npt.NDArray[np.float64]) -> Interval:
    """The mean of shares between 0 and 1, with Wilson's interval."""
    n, total = len(values), float(values.sum())
    return Interval(total / n, *wilson(total, n), n) if n else NOTHING


def of_difference(values: npt.NDArray[np.float64], shares: bool = False) -> Interval:
    """The mean of paired differences, those that are NaN left out. Differences of `shares` lie between -1 and
    1 and are often all the same: to them are added half a pair for each way in which two shares can differ
    (Agresti and Min 2005), so that no interval is without width."""
    if not shares:
        return of_mean(values)
    n = len(values) + 2
    mean = float(values.sum()) / n
    half = Z95 * math.sqrt(max(0.0, (float((values**2).sum()) + 1) / n - mean**2) / n)
    return Interval(float(values.mean()), max(-1.0, mean - half), min(1.0, mean + half), len(values))
