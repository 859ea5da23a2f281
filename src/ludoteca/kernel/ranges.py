"""Consecutive ranges of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate


def firsts(sizes: Iterable[int], begin: int = 0) -> list[int]:
    """The first numbers of consecutive ranges of these sizes, the first of which starts at `begin`. The last
    entry is the end of the last range."""
    return list(accumulate(sizes, initial=begin))
