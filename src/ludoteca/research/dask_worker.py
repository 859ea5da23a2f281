"""What a worker of Dask on this computer does first. Dask finds `dask_setup` by its name."""

from __future__ import annotations

import signal
from typing import Any


def dask_setup(_: Any) -> None:
    """Ctrl-C in a terminal reaches all processes; only the command answers it, and ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
