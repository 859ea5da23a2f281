"""Instructions for records on which several threads work at once: what one thread does by them is done
whole before another one's begins. In interpreted kernels a lock sees to that.
"""

from __future__ import annotations

import threading
from typing import Any

from ludoteca.kernel.compile import instruction

_lock = threading.Lock()


@instruction
def atomic_add(records: Any, i: int, name: str, number: float) -> None:
    """Add a number to a field of records[i]; `name` is a constant."""
    with _lock:
        records[i][name] += number


@instruction
def atomic_swap(records: Any, i: int, name: str, old: int, new: int) -> int:
    """Put `new` into a field of records[i] if it holds `old`; returns what it held. `name` is a constant."""
    with _lock:
        found = int(records[i][name])
        if found == old:
            records[i][name] = new
        return found


@instruction
def release() -> None:
    """What was written before is seen by other threads before what is written after."""
