"""Dask and Ray, each with two processes on this computer, of which some are killed in the middle: the rows
are the same bytes as here, and nobody from outside could join."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import pytest

from ludoteca.game import GameError, load
from ludoteca.research import processes, rows
from ludoteca.research.executors import opened
from ludoteca.research.processes import is_given_up, is_lost, results, workers_of
from ludoteca.research.rows import write_rows
from ludoteca.research.simulate import Job, figures
from ludoteca.research.study import Study
from tests.cli.conftest import Run, run
from tests.research.jobs import die_at_first, double, number_of_process
from tests.research.test_executors import files

__all__ = ['run']
pytestmark = pytest.mark.wide
WORKERS = 2


@pytest.fixture(scope='module', params=['dask', 'ray'])
def cluster(request: pytest.FixtureRequest) -> Iterator[tuple[Executor, str]]:
    """An executor with workers of its own, and where another command finds them."""
    kind: str = request.param
    pytest.importorskip({'dask': 'distributed', 'ray': 'ray'}[kind])
    with opened(kind, WORKERS) as executor:
        if kind == 'dask':
            address = executor._client.scheduler.address  # type: ignore[attr-defined]
        else:
            import ray

            address = ray.get_runtime_context().gcs_address
        yield executor, f'{kind}:{address}'


def pids(executor: Executor) -> set[int]:
    return {one.result() for one in [executor.submit(number_of_process) for _ in range(3 * WORKERS)]}


def test_a_worker_that_is_killed_in_the_middle_of_a_job_loses_nothing(
    cluster: tuple[Executor, str], tmp_path: Path
) -> None:
    executor, _ = cluster
    assert workers_of(executor) == WORKERS
    jobs = ((str(tmp_path), number) for number in range(6))
    assert sorted(results(die_at_first, jobs, executor=executor)) == [2 * number for number in range(6)]
    assert len(list(tmp_path.iterdir())) == 2, 'two workers were killed'


def test_lost_workers_are_told_from_bad_jobs() -> None:
    distributed, ray = pytest.importorskip('distributed'), pytest.importorskip('ray')
    killed = distributed.scheduler.KilledWorker('job', None, 3)
    assert is_lost(killed)
    assert is_given_up(killed), 'Dask has begun it four times itself'
    crashed = ray.exceptions.WorkerCrashedError()
    assert is_lost(crashed)
    assert not is_given_up(crashed)
    assert not is_lost(GameError('a sentence'))


def test_what_is_wrong_with_a_job_comes_back_as_it_was(cluster: tuple[Executor, str]) -> None:
    with pytest.raises(GameError, match=r"^There is no game 'chess'") as caught:
        list(results(load, [('chess',)], executor=cluster[0]))
    assert type(caught.value) is GameError


@pytest.mark.parametrize(
    ('by', 'each_turn', 'shared'),
    [('chance', True, False), ('chance', False, True), ('easy:4', False, False)],
)
def test_rows_are_the_same_bytes_although_a_worker_is_killed(
    by: str,
    each_turn: bool,
    shared: bool,
    cluster: tuple[Executor, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    executor, _ = cluster
    for name in ('SHARD', 'BOT_SHARD', 'TURN_SHARD'):
        monkeypatch.setattr(rows, name, 8 if by != 'chance' else 100)
    job, games = Job.of('octiles', seed='far', by=by), 24 if by != 'chance' else 1500
    alive, done = pids(executor), list[int]()

    def progress(games: int) -> None:
        done.append(games)
        if len(done) == 3:
            with contextlib.suppress(ProcessLookupError):  # Ray ends workers that it does not need
                os.kill(min(alive), signal.SIGKILL)

    kept: dict[str, Any] = {'each_turn': each_turn, 'progress': progress}
    far = write_rows(tmp_path / 'far', job, 0, games, executor=executor, shared=shared, **kept)
    here = write_rows(tmp_path / 'here', job, 0, games, each_turn=each_turn)
    assert sum(done) == games
    assert files(tmp_path / 'far') == files(tmp_path / 'here')
    assert far.summary(executor if shared else None) == here.summary()
    assert min(alive) not in pids(executor)


def test_a_study_is_the_same(cluster: tuple[Executor, str], tmp_path: Path) -> None:
    study = Study.of('octiles', vary=['repetition'], games=20, seed=4)
    study.play(tmp_path / 'far', executor=cluster[0])
    study.play(tmp_path / 'here')
    assert files(tmp_path / 'far') == files(tmp_path / 'here')


def test_a_command_finds_the_workers_by_their_address(cluster: tuple[Executor, str], tmp_path: Path) -> None:
    command = [sys.executable, '-m', 'ludoteca', 'simulate', 'octiles', '--games', '300', '--seed', '5']
    command += ['--json', '--executor', cluster[1]]
    done = subprocess.run(command, text=True, capture_output=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == figures(Job.of('octiles', seed=5), 0, 300)


def test_workers_of_this_computer_listen_to_it_alone(cluster: tuple[Executor, str]) -> None:
    own = descendants(os.getpid()) | {os.getpid()}
    listening = {
        line.split()[1].rpartition(':')[0]
        for family in ('tcp', 'tcp6')
        for line in Path(f'/proc/net/{family}').read_text().splitlines()[1:]
        if line.split()[3] == '0A' and line.split()[9] in {node for pid in own for node in sockets(pid)}
    }
    assert listening, 'somebody listens'
    assert listening <= {
        '0100007F',
        '0000000000000000FFFF00000100007F',
        '00000000000000000000000001000000',
    }


def descendants(parent: int) -> set[int]:
    children: dict[int, list[int]] = {}
    for stat in Path('/proc').glob('[0-9]*/stat'):
        try:
            fields = stat.read_text().rpartition(')')[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, left = set[int](), [parent]
    while left:
        new = children.get(left.pop(), [])
        found |= set(new)
        left += new
    return found


def sockets(pid: int) -> set[str]:
    """The numbers of the sockets of a process."""
    found = set()
    for link in Path(f'/proc/{pid}/fd').glob('*'):
        try:
            target = os.readlink(link)  # noqa: PTH115 (what it names is no path)
        except OSError:
            continue
        if target.startswith('socket:['):
            found.add(target[8:-1])
    return found


def test_nobody_at_an_address_is_told_of_in_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip('distributed')
    monkeypatch.setattr('ludoteca.research.executors.PATIENCE', 1)
    answer = run('simulate', 'octiles', '--games', '3', '--executor', 'dask:tcp://127.0.0.1:9')
    assert (answer.status, answer.out) == (2, '')
    assert 'Nobody answers at tcp://127.0.0.1:9' in answer.err


def test_a_scheduler_without_workers_is_given_up_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip('distributed')
    for name in ('COUNTED', 'LOOK', 'LEFT', 'NONE_YET'):
        monkeypatch.setattr(processes, name, 0.1)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        executor = client.get_executor(pure=False)
        with pytest.raises(GameError, match='No worker has come'):
            list(results(double, [(1,)], executor=executor))
        monkeypatch.setattr(processes, 'NONE_YET', 60.0)
        cluster.scale(1)
        found = results(double, ((number,) for number in itertools.count()), executor=executor)
        assert {next(found) for _ in range(3)} <= {2 * number for number in range(20)}
        cluster.scale(0)
        with pytest.raises(GameError, match='has had no worker'):
            list(found)
