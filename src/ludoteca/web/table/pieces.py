"""What has changed in a fragment, told piece by piece. A fragment is cut between its tags. The page cuts its
own text in the same way (static/pieces.js), so that a message names pieces which the page has by their
numbers."""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import TypeAlias

Pieces: TypeAlias = 'array[int]'
"""The hashes of the pieces of a fragment, in their order."""
Change: TypeAlias = list[int | str]
"""A fragment made of an older one: for pieces that stay their first number and how many they are, for new
ones their text."""

BETWEEN = '><'
"""Where fragments are cut: pieces.js has the same."""
KEPT = 64  # fragments: pages that show the same get them at the same time
SHORT = 24
"""Characters of a piece that is not worth a number among new ones."""
WORTH = 0.7
"""A change that is longer than this part of the fragment is not worth it."""


def cut(text: str) -> list[str]:
    """A fragment in pieces."""
    return text.split(BETWEEN)


@lru_cache(maxsize=KEPT)
def cut_once(text: str) -> tuple[list[str], Pieces]:
    """A fragment in pieces, and their hashes of 64 bits. The hashes have a key that no other process knows:
    only the server compares them."""
    pieces = cut(text)
    return pieces, array('q', [hash(piece) for piece in pieces])


def change(before: Pieces, pieces: list[str], now: Pieces) -> Change:
    """How to make these pieces (whose hashes are `now`) of those before."""
    start = _common(before, now)
    tail = _common(before[start:][::-1], now[start:][::-1])
    last, stop = len(before) - tail, len(now) - tail
    # the first place of each piece; where a run goes on, that counts
    places = dict(zip(before[start:last][::-1], range(last - 1, start - 1, -1), strict=True))
    found: Change = [0, start] if start else []
    fresh: list[str] = []
    first = end = 0  # the pieces that stay: those of a run that is not told yet
    for piece, one in zip(pieces[start:stop], now[start:stop], strict=True):
        if first < end < last and before[end] == one:
            end += 1
            continue
        there = places.get(one)
        if there is None or (fresh and len(piece) < SHORT):
            if first < end:
                found += first, end - first
                first = end
            fresh.append(piece)
            continue
        if fresh:
            found.append(BETWEEN.join(fresh))
            fresh = []
        elif first < end:
            found += first, end - first
        first, end = there, there + 1
    if fresh:
        found.append(BETWEEN.join(fresh))
    elif first < end:
        found += first, end - first
    return [*found, last, tail] if tail else found


def _common(some: Pieces, others: Pieces) -> int:
    """How many pieces at the beginning are the same."""
    low, high = 0, min(len(some), len(others))
    while low < high:
        middle = (low + high + 1) // 2
        if some[low:middle] == others[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def is_worth(told: Change, text: str) -> bool:
    """Is a change shorter than the fragment itself?"""
    return sum(len(one) if isinstance(one, str) else 4 for one in told) < WORTH * len(text)
