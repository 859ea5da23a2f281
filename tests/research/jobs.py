"""Jobs that workers of tests do. They are found by name in other processes."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from ludoteca.game import Options, load


def double(number: int) -> int:
    return 2 * number


def title_of(name: str, options: Options) -> str:
    assert type(options) is type(load(name).options())
    return load(name).title


def number_of_process(seconds: float = 0.2) -> int:
    time.sleep(seconds)  # so that others have their turn
    return os.getpid()


def die_at_first(folder: str, number: int) -> int:
    """Of some jobs the worker ends in the middle, once."""
    begun = Path(folder, str(number))
    if number % 3 == 0 and not begun.exists():
        begun.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
