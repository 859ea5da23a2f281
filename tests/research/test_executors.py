"""Any executor plays the same games, a lost worker loses none, and another version is refused. How workers of
Dask and of Ray do that is in test_clusters.py."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from ludoteca.game import GameError, load, variant, variants
from ludoteca.game.variants import forget
from ludoteca.research import processes, rows, simulate, stamps
from ludoteca.research.executors import check_executor, opened
from ludoteca.research.processes import AHEAD, Pace, results, workers_of
from ludoteca.research.rows import write_rows
from ludoteca.research.simulate import Job, figures
from ludoteca.research.study import Study
from tests.cli.conftest import Run, run
from tests.components.sets import FOLDER as SETS
from tests.research.jobs import die, die_at_first, double, title_of

__all__ = ['run']
T = TypeVar('T')


class Unsteady(Executor):
    """Does jobs at once, what goes over the wire goes through pickle, and a job's first `losses` tries end
    with their worker. Jobs end in any order."""

    def __init__(self, losses: int = 0, workers: int = 2) -> None:
        self.losses, self._max_workers = losses, workers
        self.tries: Counter[bytes] = Counter()
        self.chance = Random(1)
        self.most, self._waiting = 0, list[tuple[Future[Any], Callable[[], Any], bytes]]()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        assert not kwargs
        future: Future[T] = Future()
        sent = pickle.dumps((fn, args))
        self._waiting.append((future, lambda: self._do(sent), sent))
        self.most = max(self.most, len(self._waiting))
        if len(self._waiting) == AHEAD * self._max_workers:
            self.work()
        return future

    def work(self) -> None:
        self.chance.shuffle(self._waiting)
        while self._waiting:
            future, job, sent = self._waiting.pop()
            if not future.set_running_or_notify_cancel():
                continue
            self.tries[sent] += 1
            try:
                if self.tries[sent] <= self.losses:
                    raise BrokenExecutor
                future.set_result(job())
            except Exception as problem:
                future.set_exception(problem)

    def _do(self, sent: bytes) -> Any:
        function, arguments = pickle.loads(sent)
        return pickle.loads(pickle.dumps(function(*arguments)))


@pytest.fixture
def unsteady(monkeypatch: pytest.MonkeyPatch) -> Unsteady:
    """Loses each job once; the last ones, which wait for more to come, are done when somebody waits."""
    executor, wait = Unsteady(losses=1), processes._next

    def next_(ended: Any, crew: Any) -> Any:
        if ended.empty():
            executor.work()
        return wait(ended, crew)

    monkeypatch.setattr(processes, '_next', next_)
    return executor


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder, without those that say when or where."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob('*') if path.is_file()}


# ---- jobs --------------------------------------------------------------------------------------------------


def test_each_job_is_done_once_although_every_worker_ends_in_its_middle(unsteady: Unsteady) -> None:
    found = list(results(double, ((number,) for number in range(11)), executor=unsteady))
    assert sorted(found) == [2 * number for number in range(11)]
    assert found != sorted(found), 'jobs end in any order'
    assert set(unsteady.tries.values()) == {2}


def test_few_jobs_are_given_away_at_a_time(unsteady: Unsteady) -> None:
    begun = list[int]()
    jobs = ((begun.append(number) or number,) for number in range(100))  # type: ignore[func-returns-value]
    one = results(double, jobs, executor=unsteady)
    next(one)
    assert len(begun) == AHEAD * 2
    list(one)
    assert unsteady.most == AHEAD * 2


def test_a_job_that_ends_every_worker_is_given_up_with_a_sentence(unsteady: Unsteady) -> None:
    unsteady.losses = 99
    with pytest.raises(GameError, match=r'begun 4 times, and each time its worker ended.*is kept\.'):
        list(results(double, [(1,)], executor=unsteady))
    assert set(unsteady.tries.values()) == {processes.TRIES}


def test_an_executor_that_takes_no_work_is_told_of_in_a_sentence() -> None:
    with ThreadPoolExecutor(1) as gone:
        pass
    with pytest.raises(GameError, match=r'takes no more work \(RuntimeError'):
        list(results(double, [(1,)], executor=gone))


def test_how_many_work_is_asked_of_the_executor() -> None:
    with ThreadPoolExecutor(7) as executor:
        assert workers_of(executor) == 7
    assert workers_of(Executor()) >= 1


def test_a_job_has_as_many_games_as_its_time_allows() -> None:
    pace, sizes = Pace(4.0), list[int]()
    for _ in range(12):
        sizes.append(pace.size)
        pace.told(pace.size, pace.size * 0.01)
    assert sizes == [1, 2, 4, 8, 16, 32, 64, 128, 256, 400, 400, 400]
    pace.told(400, 400.0)
    assert pace.size == 4
    assert Pace.of(1, None).size == 1


@pytest.mark.wide
def test_killed_processes_of_this_computer_lose_nothing(tmp_path: Path) -> None:
    jobs = ((str(tmp_path), number) for number in range(7))
    assert sorted(results(die_at_first, jobs, 2)) == [2 * number for number in range(7)]
    with pytest.raises(GameError, match='begun 4 times'):
        list(results(die, [(1,)], 2))


class Deserted(Unsteady):
    """Has a worker for so many jobs, and none after that; or says nothing about its workers any more. From
    the look of the number `back` on there is a worker again."""

    def __init__(self, jobs: int, silent: bool = False, back: int = 10**9) -> None:
        super().__init__(workers=1)
        self.left, self.silent, self.back, self.looks = jobs, silent, back, 0

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future = super().submit(fn, *args, **kwargs)
        self.work()
        return future

    def work(self) -> None:
        waiting, self._waiting = self._waiting, []
        while waiting and self.left:
            self.left -= 1
            self._waiting.append(waiting.pop(0))
            super().work()
        self._waiting = waiting

    def workers(self) -> int:
        self.looks += 1
        if self.looks >= self.back:
            self.left = 10**9
            self.work()
        if self.silent and not self.left:
            raise OSError('The scheduler is gone.')
        return int(bool(self.left))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The patience with workers is a moment."""
    for name in ('COUNTED', 'LOOK', 'LEFT', 'NONE_YET'):
        monkeypatch.setattr(processes, name, 0.001)


@pytest.mark.usefixtures('impatient')
@pytest.mark.parametrize('silent', [False, True])
def test_nobody_waits_for_ever_for_workers_that_have_left(silent: bool) -> None:
    found, jobs = list[int](), ((number,) for number in range(9))
    with pytest.raises(
        GameError, match=r'has had no worker for 0 seconds\. What is finished is kept.*goes on'
    ):
        found.extend(results(double, jobs, executor=Deserted(3, silent)))
    one = results(double, ((number,) for number in range(9)), executor=Deserted(3, silent))
    assert sorted(next(one) for _ in range(3)) == [0, 2, 4]
    with pytest.raises(GameError, match='no worker'):
        next(one)


@pytest.mark.usefixtures('impatient')
def test_nobody_waits_for_ever_for_workers_that_never_come() -> None:
    with pytest.raises(GameError, match=r'^No worker has come to the executor in 0 seconds\. Begin workers'):
        next(results(double, [(1,)], executor=Deserted(0)))


def test_workers_that_come_back_in_time_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ('COUNTED', 'LOOK'):
        monkeypatch.setattr(processes, name, 0.001)
    executor = Deserted(2, back=20)
    jobs = ((number,) for number in range(6))
    assert sorted(results(double, jobs, executor=executor)) == [2 * number for number in range(6)]
    assert executor.looks >= 20, 'it has waited'


def test_how_long_to_wait_for_workers_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, 'COUNTED', 0.001)
    monkeypatch.setattr(processes, 'LOOK', 0.001)
    monkeypatch.setenv(processes.WAIT, '1')
    with pytest.raises(GameError, match='no worker for 1 seconds'):
        list(results(double, [(1,), (2,)], executor=Deserted(1)))
    for bad in ('0', 'soon', '-3', '1.5', '99999999', '9' * 400):
        monkeypatch.setenv(processes.WAIT, bad)
        with pytest.raises(GameError, match=r'^LUDOTECA_WORKERS_WAIT is a whole number of seconds from 1 to'):
            check_executor('dask')


@pytest.mark.usefixtures('impatient')
def test_a_command_that_all_workers_have_left_goes_on_when_it_is_given_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, 'SHARD', 16)
    monkeypatch.chdir(tmp_path)

    @contextmanager
    def deserted(*_: object) -> Iterator[Executor]:
        yield Deserted(2)

    monkeypatch.setattr('ludoteca.research.executors.opened', deserted)
    command = ('simulate', 'toy', '--games', '50', '--seed', '1', '--threads', '1', '--out')
    answer = run(*command, 'rows', '--executor', 'dask')
    assert (answer.status, answer.out) == (2, '')
    assert 'has had no worker' in answer.err
    kept = files(tmp_path / 'rows/games')
    assert len(kept) == 2
    assert run(*command, 'rows').status == run(*command, 'here').status == 0
    assert files(tmp_path / 'rows') == files(tmp_path / 'here')
    assert kept.items() <= files(tmp_path / 'rows/games').items()


# ---- another version ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('changed', 'part'),
    [
        ({'ludoteca': '0.0.9'}, r'played by Ludoteca 0\.0\.9'),
        ({'sources': 'f' * 32}, r'played by Ludoteca .* \(ffffffffff\)'),
        ({'version': 99}, 'version 99 of toy'),
        ({'components': 'f' * 16}, r'components ffffffffff'),
        ({'name': 'chess'}, 'does not know the game chess'),
    ],
)
def test_a_worker_of_another_version_is_refused_in_one_sentence(changed: dict[str, Any], part: str) -> None:
    stamp = stamps.stamp_of(['toy'])
    job = stamps.packed(double, (4,))
    assert stamps.checked(stamp, job) == 8
    whole = {key: value for key, value in changed.items() if key in stamp._fields}
    game = stamp.games[0]._replace(**{key: value for key, value in changed.items() if key not in whole})
    with pytest.raises(GameError, match=part):
        stamps.checked(stamp._replace(games=(game,), **whole), job)


def test_a_job_says_which_versions_it_was_made_with(
    unsteady: Unsteady, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = figures(Job.of('toy', seed=1), 0, 5, executor=unsteady)
    assert write['games'] == 5
    monkeypatch.setattr(stamps, '__version__', '9.9')
    stamps.different.cache_clear()
    with pytest.raises(GameError, match='A shard of another version'):
        stamps.checked(*pickle.loads(next(iter(unsteady.tries)))[1])
    stamps.different.cache_clear()


def test_a_component_set_goes_with_its_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker is a process of another computer: it does not find the set by its hash."""
    monkeypatch.setattr(variants, '_kept', lambda *_: None)
    game = variant('octiles', SETS / 'octiles.json', keep=False)
    stamp = stamps.stamp_of([game.name])
    job = stamps.packed(title_of, (game.name, game.options()))
    forget(game.name)
    stamps.different.cache_clear()
    with pytest.raises(GameError):
        load(game.name)
    assert stamps.checked(stamp, job) == game.title
    forget(game.name)


# ---- the same games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('by', 'each_turn'), [('chance', False), ('chance', True), ('random,yardstick', True)]
)
def test_rows_are_the_same_bytes_by_any_executor(
    by: str, each_turn: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unsteady: Unsteady
) -> None:
    for name in ('SHARD', 'BOT_SHARD', 'TURN_SHARD'):
        monkeypatch.setattr(rows, name, 16)
    job = Job.of('toy', seed='far', by=by)
    here = write_rows(tmp_path / 'here', job, 3, 50, each_turn=each_turn)
    far = write_rows(tmp_path / 'far', job, 3, 50, each_turn=each_turn, executor=unsteady)
    assert files(tmp_path / 'far') == files(tmp_path / 'here')
    assert (far.played, far.summary()) == (50, here.summary())


def test_workers_that_share_the_folder_write_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unsteady: Unsteady
) -> None:
    monkeypatch.setattr(rows, 'SHARD', 16)
    job = Job.of('toy', seed='far')
    here = write_rows(tmp_path / 'here', job, 0, 50)
    write_rows(tmp_path / 'far', job, 0, 20, executor=unsteady)
    far = write_rows(tmp_path / 'far', job, 0, 50, executor=unsteady, shared=True)
    assert far.played == 30
    assert far.summary(unsteady) == far.summary() == here.summary()
    assert sorted(row for part in files(tmp_path / 'far') if (row := part).endswith('20.parquet'))
    sent = [pickle.loads(pickle.loads(job)[1][1]) for job in unsteady.tries]
    made = [arguments for function, arguments in sent if function is rows.make_files]
    assert {str(arguments[3]) for arguments in made} == {'None', str((tmp_path / 'far').resolve())}


def test_files_have_as_many_games_as_are_asked_for(tmp_path: Path, unsteady: Unsteady) -> None:
    job = Job.of('toy', seed=3)
    write_rows(tmp_path / 'far', job, 0, 50, executor=unsteady, shard=20)
    write_rows(tmp_path / 'here', job, 0, 50, shard=20)
    assert files(tmp_path / 'far') == files(tmp_path / 'here')
    assert len(list((tmp_path / 'here/games').iterdir())) == 3


def test_a_folder_that_a_worker_does_not_see_is_refused(tmp_path: Path, unsteady: Unsteady) -> None:
    unsteady.losses = 0
    job = Job.of('toy')
    rows.begin(tmp_path / 'rows', job, False, wanted=range(2))
    head = (tmp_path / 'rows/simulation.json').read_bytes()
    for place, other in ((tmp_path / 'none', head), (tmp_path / 'rows', b'{}')):
        with pytest.raises(GameError, match='is not the folder of this command'):
            rows.make_files(job, range(2), False, place, other)
    with pytest.raises(GameError, match=r'Leave --shared out\.'):
        write_rows(tmp_path / 'other', Job.of('toy', by='easy'), 0, 2, executor=unsteady, shared=True)
    assert not (tmp_path / 'other').exists()


def test_a_stop_keeps_what_workers_have_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unsteady: Unsteady
) -> None:
    monkeypatch.setattr(rows, 'SHARD', 16)
    job, done = Job.of('toy', seed='stop'), list[int]()

    def progress(games: int) -> None:
        done.append(games)
        if len(done) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_rows(tmp_path / 'far', job, 0, 80, executor=unsteady, progress=progress)
    assert len(list((tmp_path / 'far/games').iterdir())) == 2
    assert write_rows(tmp_path / 'far', job, 0, 80, executor=unsteady).played == 80 - sum(done)
    write_rows(tmp_path / 'here', job, 0, 80)
    assert files(tmp_path / 'far') == files(tmp_path / 'here')


def test_the_rows_that_another_command_is_writing_are_left_alone(tmp_path: Path) -> None:
    """Several commands share a folder; each takes other games."""
    job = Job.of('toy')
    write_rows(tmp_path, job, 0, 4, each_turn=True)
    for name in ('turns-000000000100-000000000200.parquet', 'games-000000000100-000000000200.9f.part'):
        (tmp_path / name.split('-')[0] / name).write_bytes(b'')
    write_rows(tmp_path, job, 4, 4, each_turn=True)
    assert len(list(tmp_path.glob('*/*-000000000100-*'))) == 2
    rows.begin(tmp_path, job, True, wanted=range(150, 160))
    assert not list(tmp_path.glob('*/*-000000000100-*'))


@pytest.mark.parametrize('by', ['chance', 'random,yardstick,random'])
def test_figures_are_the_same_to_the_last_digit(
    by: str, monkeypatch: pytest.MonkeyPatch, unsteady: Unsteady
) -> None:
    monkeypatch.setattr(simulate, 'SHARD', 8)
    monkeypatch.setattr(simulate, 'BLOCK', 4)
    job = Job.of('toy', 3, seed=2, by=by)
    assert figures(job, 1, 30, executor=unsteady) == figures(job, 1, 30)
    far = simulate.simulate('toy', 3, 30, 2, by=by, first=1, executor=unsteady)
    here = simulate.simulate('toy', 3, 30, 2, by=by, first=1)
    assert [column.tobytes() for column in far.results] == [column.tobytes() for column in here.results]


def test_studies_are_the_same_by_any_executor(tmp_path: Path, unsteady: Unsteady) -> None:
    study = Study.of('toy', by=['random', 'easy:2+random'], vary=['long'], games=6, seed=4)
    study.play(tmp_path / 'here')
    study.play(tmp_path / 'far', executor=unsteady)
    assert files(tmp_path / 'far') == files(tmp_path / 'here')
    assert study.summary(tmp_path / 'far') == study.summary(tmp_path / 'here')


# ---- on the command line -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('text', 'expected'),
    [
        ('dask', ('dask', '')),
        ('dask:', ('dask', '')),
        ('dask:tcp://head:8786', ('dask', 'tcp://head:8786')),
        ('ray:auto', ('ray', 'auto')),
        ('ray:ray://head:10001', ('ray', 'ray://head:10001')),
    ],
)
def test_an_executor_is_named_by_its_kind_and_address(text: str, expected: tuple[str, str]) -> None:
    assert check_executor(text) == expected


@pytest.mark.parametrize('text', ['', 'spark', 'mpi', 'Dask'])
def test_other_executors_are_refused(text: str) -> None:
    with pytest.raises(GameError, match='An executor is dask, dask:ADDRESS'), opened(text):
        pass


@pytest.mark.parametrize(('text', 'package'), [('dask', 'distributed'), ('ray', 'ray')])
def test_a_missing_package_is_named_with_what_brings_it(
    text: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    sentence = rf'needs (its|the) package {package}, which is not installed'
    with pytest.raises(GameError, match=sentence), opened(text):
        pass


@pytest.mark.parametrize(
    'command',
    [
        ('simulate', 'toy', '--games', '9', '--seed', '1', '--threads', '1'),
        ('simulate', 'toy', '--games', '9', '--seed', '1', '--by', 'easy:2,random', '--threads', '1'),
        ('study', 'toy', '--games', '3', '--seed', '1', '--out', 'study', '--threads', '1'),
        (
            'arena',
            'toy',
            '--bots',
            'easy,random',
            '--sims',
            '2',
            '--games',
            '4',
            '--seed',
            '1',
            '--workers',
            '1',
        ),
        ('arena', 'toy', '--bots', 'easy:2,random', '--games', '4', '--seed', '1', '--workers', '1', '--all'),
        pytest.param(
            ('puzzles', 'toy', '--games', '2', '--sims', '5', '--seed', '1', '--workers', '1'),
            marks=pytest.mark.wide,
        ),
        pytest.param(
            ('calibration', 'toy', '--games', '20', '--sims', '2', '--level', 'beginner', '--workers', '1'),
            marks=pytest.mark.wide,
        ),
    ],
)
def test_every_command_gives_the_same_with_an_executor(
    command: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = list[tuple[str, int | None]]()

    @contextmanager
    def threads(text: str, workers: int | None) -> Iterator[Executor]:
        named.append((text, workers))
        with ThreadPoolExecutor(2) as executor:
            yield executor

    here = run(*command, '--json')
    shutil.rmtree('study', ignore_errors=True)
    monkeypatch.setattr('ludoteca.research.executors.opened', threads)
    far = run(*command, '--json', '--executor', 'dask')
    assert (here.status, far.status) == (0, 0), here.err + far.err
    assert [text for text, _ in named] == ['dask']
    left = ('seconds',)
    assert without(json.loads(far.out), left) == without(json.loads(here.out), left)


def without(data: Any, keys: tuple[str, ...]) -> Any:
    return {key: value for key, value in data.items() if key not in keys} if isinstance(data, dict) else data
