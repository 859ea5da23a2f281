"""Jobs in several processes, few of them begun ahead."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

T = TypeVar('T')


def results(function: Callable[..., T], jobs: Iterable[tuple[Any, ...]], processes: int) -> Iterator[T]:
    """What the function returns for each job's arguments, as the jobs end; with one process in their order,
    in this one. Few jobs are begun ahead, so that a stop loses few. Function and arguments are pickled."""
    if processes == 1:
        for job in jobs:
            yield function(*job)
        return
    with ProcessPoolExecutor(processes, get_context('spawn'), _begin_worker) as pool:
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


def _begin_worker() -> None:
    """Ctrl-C in a terminal reaches all processes; only the first one answers it. A worker ends with the first
    process, however that ends: by TERM it says nothing to its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # in the middle of a job, whose result nobody waits for
