"""Waiting for what another thread, process or server does."""

from __future__ import annotations

import time
from collections.abc import Callable

STEP = 0.01
"""Seconds between two looks."""


def until(
    found: Callable[[], object], what: str | Callable[[], object] = 'it did not happen', seconds: float = 30
) -> None:
    """Look again and again until `found` returns something true. After so many seconds the test has failed,
    with `what`, or what it returns then, as its sentence."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, what() if callable(what) else what
        time.sleep(STEP)
