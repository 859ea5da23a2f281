"""Jobs in several processes, few of them begun ahead."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

T = TypeVar('T')


def results(function: Callable[..., T], jobs: Iterable[tuple[Any, ...]], processes: int) -> Iterator[T]:
    """What the function returns for each job's arguments, as the jobs end; with one process in their order,
    in this one. Few jobs are begun ahead, so that a stop loses few. Function and arguments are pickled."""
    if processes == 1:
        for job in jobs:
            yield function(*job)
        return
    with ProcessPoolExecutor(processes, get_context('spawn'), _leave_interrupts) as pool:
        left = iter(jobs)
        running = {pool.submit(function, *job) for job in islice(left, 2 * processes)}
        try:
            while running:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(function, *job) for job in islice(left, len(ended))}
                for one in ended:
                    yield one.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C in a terminal reaches all processes; only the first one answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
