"""Numbers that are dealt out in ranges: which is the first of each."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate


def firsts(sizes: Iterable[int], begin: int = 0) -> list[int]:
    """The first number of each of several ranges of these sizes that follow one another from `begin` on; at
    last the end."""
    return list(accumulate(sizes, initial=begin))
