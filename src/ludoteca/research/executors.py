"""Executors by what is typed on the command line: `dask:ADDRESS`, `ray:ADDRESS`.

Without an address workers are begun on this computer, a process for each core, and ended afterwards. They
listen to this computer alone.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, TypeVar

from ludoteca.game import GameError
from ludoteca.research.processes import wait_for_workers
from ludoteca.search import cores
from ludoteca.text import words

T = TypeVar('T')

KINDS = ('dask', 'ray')
LOOPBACK = '127.0.0.1'
PATIENCE = 20
"""Seconds to wait for an answer of a scheduler."""


def check_executor(text: str, workers: int | None = None) -> tuple[str, str]:
    """The kind and the address in what was typed. Raises GameError for something else, for a number of
    workers where those that there are do the work, and for a bad `LUDOTECA_WORKERS_WAIT`."""
    kind, _, address = (part.strip() for part in text.partition(':'))
    if kind not in KINDS:
        raise GameError(words('executor.error.kind', given=text[:60]))
    if workers is not None and address:
        raise GameError(words('executor.error.workers', given=text[:60]))
    wait_for_workers()
    return kind, address


@contextmanager
def opened(text: str, workers: int | None = None) -> Iterator[Executor]:
    """The executor that `text` names. `workers`: how many processes to begin if there is no address (default:
    one for each core).

    Raises GameError for any other text, if its package is not installed, or if nobody answers at the address.
    """
    kind, address = check_executor(text, workers)
    try:
        with {'dask': _dask, 'ray': _ray}[kind](address, workers or cores()) as found:
            yield found
    except ModuleNotFoundError as problem:
        if str(problem.name).split('.')[0] not in ('dask', 'distributed', 'ray'):
            raise
        raise GameError(words(f'executor.error.no_{kind}')) from problem


# ---- Dask --------------------------------------------------------------------------------------------------


@contextmanager
def _dask(address: str, workers: int) -> Iterator[Executor]:
    import dask
    from distributed import Client, LocalCluster

    if address:
        where: dict[str, Any] = (
            {'scheduler_file': address} if address.endswith('.json') else {'address': address}
        )
        try:
            client = Client(**where, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as problem:
            raise nobody(address, problem) from problem
        with client:
            yield client.get_executor(pure=False)
        return
    # a worker that was killed is begun again; where that takes long, Dask would soon give the worker up
    with (
        dask.config.set({'distributed.deploy.lost-worker-timeout': '1 day'}),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host=LOOPBACK,
            dashboard_address=f'{LOOPBACK}:0',
            worker_dashboard_address=None,
            memory_limit=0,  # as for all other processes, nobody but the system limits memory
            preload=['ludoteca.research.dask_worker'],
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client.get_executor(pure=False)


# ---- Ray ---------------------------------------------------------------------------------------------------


@contextmanager
def _ray(address: str, workers: int) -> Iterator[Executor]:
    os.environ.setdefault('RAY_USAGE_STATS_ENABLED', '0')  # nothing is reported to Ray's makers
    os.environ.setdefault('RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO', '0')
    with contextlib.ExitStack() as stack:
        if not address:
            stack.enter_context(_alone())
        import ray

        quiet: dict[str, Any] = {'log_to_driver': False, 'logging_level': logging.ERROR}
        try:
            if address:
                ray.init(address=address, **quiet)
            else:
                # results wait in the store until they are fetched
                ray.init(
                    'local', num_cpus=workers, include_dashboard=False, object_store_memory=256 << 20, **quiet
                )
        except (OSError, ValueError, RuntimeError) as problem:
            raise nobody(address or 'ray', problem) from problem
        stack.callback(ray.shutdown)
        yield RayExecutor()


@contextmanager
def _alone() -> Iterator[None]:
    """What Ray begins in here listens to this computer alone. Its name for that speaks of other systems; the
    second one has effect where Ray has been imported before."""
    name = 'RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER'
    before = os.environ.get(name)
    os.environ[name] = '0'
    import ray._private.ray_constants as constants

    also, constants.ENABLE_RAY_CLUSTER = constants.ENABLE_RAY_CLUSTER, False
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = also
        if before is None:
            os.environ.pop(name)
        else:
            os.environ[name] = before


class RayExecutor(Executor):
    """Remote functions of Ray as an executor. `ray.init` has been called; `options` are those of
    `ray.remote`, such as `num_cpus`."""

    def __init__(self, **options: Any) -> None:
        import ray

        # who gave the job away begins it again if its worker ends
        self._ray: Any = ray
        self._call: Any = ray.remote(**{'max_retries': 0, **options})(_call)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        reference = self._call.remote(fn, args, kwargs)
        future: Future[T] = reference.future()

        def cancel(ended: Future[T]) -> None:
            if ended.cancelled():
                self._ray.cancel(reference)

        future.add_done_callback(cancel)
        return future

    def workers(self) -> int:
        """Cores of all nodes that are there now."""
        return int(self._ray.cluster_resources().get('CPU', 0))


def _call(function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    return function(*args, **kwargs)


def nobody(address: str, problem: BaseException) -> GameError:
    """The error of an address at which nobody answers."""
    reason = ' '.join(str(problem).split())[:120] or type(problem).__name__
    return GameError(words('executor.error.nobody', address=address, reason=reason.rstrip('.')))
