#!/usr/bin/env python3
"""What compiling costs: seconds of the processor by kernel, from an empty cache.

    compile_times.py GAME [STEP ...]    the steps of `ludoteca prepare` (all by default), in one process

A kernel that calls another one for the first time compiles it; that is counted for the other one alone. A
kernel that stands in a line with several types was compiled for each of them.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import defaultdict

MOST_ROWS = 30


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('game')
    parser.add_argument('steps', nargs='*')
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ['LUDOTECA_CACHE'] = cache
        measure(given.game, given.steps)


def measure(name: str, steps: list[str]) -> None:
    """Print the table of one game."""
    from numba.core.event import Listener, install_listener

    from ludoteca import game as contract
    from ludoteca.cli.kernels import STEPS

    game, own, times, open_ = (
        contract.load(name),
        defaultdict[str, float](float),
        defaultdict[str, int](int),
        [],
    )

    class Stopwatch(Listener):  # type: ignore[misc]
        """Adds up the time of each compilation without those that it begins."""

        def on_start(self, event: object) -> None:
            open_.append([time.process_time(), 0.0])

        def on_end(self, event: object) -> None:
            began, inner = open_.pop()
            took = time.process_time() - began
            if open_:
                open_[-1][1] += took
            key = event.data['dispatcher'].py_func.__qualname__  # type: ignore[attr-defined]
            own[key] += took - inner
            times[key] += 1

    with install_listener('numba:compile', Stopwatch()):
        for step in steps or STEPS:
            began = time.process_time()
            STEPS[step](game)
            print(f'{step:12} {time.process_time() - began:6.1f} s')
    whole = sum(own.values())
    print(f'{len(own)} kernels: {whole:.1f} s')
    for key, seconds in sorted(own.items(), key=lambda pair: -pair[1])[:MOST_ROWS]:
        print(f'{seconds:7.2f} s {100 * seconds / whole:5.1f} %  {times[key]:2} x  {key}')


if __name__ == '__main__':
    main()
