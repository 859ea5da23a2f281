"""Getting ready: a bar that moves, and rules that are there when it is full."""

from __future__ import annotations

import asyncio
import itertools
import json
import signal
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from ludoteca.game import games
from ludoteca.web.serving import preparation
from ludoteca.web.serving.preparation import Preparation, Step, StepProgress, expected_seconds, remembered_in

STEPS = [(game, step) for game in ('one', 'two') for step in ('rules', 'knowledge', 'search', 'research')]
EXPECTED = {step: preparation.SECONDS[step[1]] for step in STEPS}


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv('LUDOTECA_CACHE', str(tmp_path / 'cache'))
    return tmp_path / 'cache'


@pytest.mark.parametrize('speed', [0.2, 1.0, 7.0])
def test_the_bar_moves_on_all_the_time_and_is_full_at_the_end(speed: float) -> None:
    """Whether the steps take as long as expected, longer, or shorter."""
    clock = Clock()
    progress = StepProgress(STEPS, EXPECTED, clock)
    assert progress.of(('one', 'search')) == 0, 'nothing has begun'
    clock.now += 50
    progress.begin()
    last, values = ('one', 'search'), [0.0]
    for step in STEPS[:3]:
        for _ in range(10):
            clock.now += EXPECTED[step] * speed / 10
            values.append(progress.of(last))
            assert values[-2] < values[-1] < 1
        progress.done(step, EXPECTED[step] * speed)
        values.append(progress.of(last))
        assert values[-2] <= values[-1]
    assert values[-1] == 1
    assert progress.of(('two', 'search')) == pytest.approx(20.5 / 45)
    if speed == 1.0:
        assert max(b - a for a, b in itertools.pairwise(values)) < 0.12, 'it jumps'


@pytest.mark.parametrize('text', ['', '[]', '{"one rules": "x", "one search": -1}', 'null'])
def test_a_strange_file_of_durations_is_as_good_as_none(cache: Path, text: str) -> None:
    cache.mkdir()
    (cache / 'prepare.json').write_text(text)
    assert expected_seconds(STEPS) == EXPECTED


class Child:
    """A worker process that takes each step for done, or at one of them says that it failed, or is ended by a
    signal."""

    def __init__(self, seconds: float, failing: str, asked: list[Step], signal: int = 0) -> None:
        self._signal = signal
        self.stdout, self.stderr = asyncio.StreamReader(), asyncio.StreamReader()
        self.stderr.feed_eof()
        self.returncode: int | None = 0
        self.stdin = self
        self._seconds, self._failing, self._asked = seconds, failing, asked

    def write(self, data: bytes) -> None:
        job = json.loads(data)
        self._asked.append((job['game'], job['step']))
        if job['step'] == self._failing and self._signal:
            self.returncode = -self._signal
            self.close()
        elif job['step'] == self._failing:
            self.stdout.feed_data(json.dumps({**job, 'problem': 'it cannot be'}).encode() + b'\n')
        else:
            self.stdout.feed_data(json.dumps({**job, 'seconds': self._seconds}).encode() + b'\n')

    def close(self) -> None:
        self.stdout.feed_eof()

    def kill(self) -> None:
        self.close()

    async def wait(self) -> int | None:
        return self.returncode


def compiled(
    monkeypatch: pytest.MonkeyPatch,
    seconds: float = 5.0,
    failing: str = '',
    opened: tuple[str, ...] = (),
    workers: int = 2,
    signal: int = 0,
) -> tuple[Preparation, list[Step], list[tuple[bool, float]]]:
    """A whole preparation, the steps in the order in which they were begun, and what was told of Octiles."""
    asked: list[Step] = []
    told: list[tuple[bool, float]] = []

    async def run() -> Preparation:
        async def child(*_: object, **__: object) -> Child:
            return Child(seconds, failing, asked, signal)

        monkeypatch.setattr(asyncio, 'create_subprocess_exec', child)
        monkeypatch.setattr(preparation, 'cores', lambda: workers)
        monkeypatch.setattr(preparation, 'warm', lambda game: None)
        found = Preparation()
        for name in opened:
            found.open(name)
        found.changed = lambda: told.append((found.ready('octiles'), found.progress_of('octiles')))
        await found.run()
        await asyncio.wait_for(found.wait('octiles'), 1)
        return found

    return asyncio.run(run()), asked, told


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_that_is_ended_with_its_server_is_no_trouble_and_one_that_is_killed_has_a_reason(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, number: signal.Signals
) -> None:
    found, _, _ = compiled(monkeypatch, failing='knowledge', signal=number)
    assert found.problem == 'a worker process ended'
    told = (
        [] if number == signal.SIGTERM else [f'The rules could not be compiled in advance: {found.problem}']
    )
    assert list(dict.fromkeys(record.getMessage() for record in caplog.records)) == told


@pytest.mark.parametrize('failing', ['', 'knowledge'])
def test_a_game_is_ready_when_its_steps_are_done_or_the_compiling_failed(
    monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    found, _, told = compiled(monkeypatch, failing=failing)
    assert bool(found.problem) == bool(failing)
    assert found.ready('octiles')
    assert found.progress_of('octiles') == 1
    assert [value for _, value in told] == sorted(value for _, value in told)
    assert not told[0][0]
    assert remembered_in().exists() == (not failing)


@pytest.mark.parametrize('workers', [1, 2, 3])
def test_what_a_table_needs_comes_before_what_research_needs_and_opened_games_first(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    opened = ('octiles', 'myriath')
    _, asked, _ = compiled(monkeypatch, opened=opened, workers=workers)
    assert sorted(asked) == sorted((name, step) for name in games() for step in preparation.SECONDS)
    assert [step for _, step in asked[-len(games()) :]] == ['research'] * len(games())
    first = {name for name, _ in asked[: len(preparation.NEEDED) * 2]}
    assert set(opened) <= first
    if workers < 3:
        assert first == set(opened)
    for name in games():
        assert [step for game, step in asked if game == name] == list(preparation.SECONDS)


def test_two_workers_never_work_on_one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    preparation = Preparation(['octiles', 'myriath'])
    one, two = preparation._next(''), preparation._next('')
    assert {one, two} == {('octiles', 'rules'), ('myriath', 'rules')}
    assert preparation._next('') is None
    assert one is not None
    assert preparation._next(one[0]) == (one[0], 'knowledge')


def test_how_long_the_steps_took_is_remembered_unless_they_were_only_loaded(
    monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    compiled(monkeypatch, seconds=1.0)
    assert remembered_in() == cache / 'prepare.json'
    found = expected_seconds([('octiles', 'rules'), ('octiles', 'knowledge')])
    assert found[('octiles', 'knowledge')] == 1.0
    assert found[('octiles', 'rules')] == preparation.SECONDS['rules']


@pytest.mark.parametrize(
    ('level', 'at_once'),
    [
        ('beginner', True),
        ('easy', True),
        ('medium', True),
        ('very-hard', False),
        ('expert', False),
        ('somebody-elses', False),
    ],
)
def test_levels_up_to_medium_play_before_anything_is_compiled(
    monkeypatch: pytest.MonkeyPatch, level: str, at_once: bool
) -> None:
    for name in games():
        assert Preparation().strong_enough(name, level) == at_once
    assert compiled(monkeypatch)[0].strong_enough('octiles', level)


def test_hard_plays_before_anything_is_compiled_where_few_simulations_are_enough() -> None:
    assert Preparation().strong_enough('myrmidons', 'hard')
    assert not Preparation().strong_enough('octiles', 'hard')


@pytest.mark.parametrize('after', [0.0, 0.3])
def test_all_workers_have_ended_when_the_preparation_is_cancelled(
    after: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that is being started; and whoever is impatient cancels twice."""
    sleeping = [sys.executable, '-c', 'import time; time.sleep(60)']
    monkeypatch.setattr(preparation, 'worker_command', lambda polite: sleeping)
    monkeypatch.setattr(preparation, 'cores', lambda: 3)

    async def cancel() -> None:
        running = asyncio.create_task(preparation.Preparation(['octiles', 'myriath', 'myraclia']).run())
        await asyncio.sleep(after)
        for _ in range(2):
            running.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(cancel())


def test_a_cancelled_preparation_waits_for_its_slowest_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []

    async def work(self: Preparation) -> None:
        slow = next(numbers) == 1
        try:
            await asyncio.sleep(60)
        finally:
            if slow:
                await asyncio.sleep(0.1)
            ended.append(slow)

    numbers = itertools.count()
    monkeypatch.setattr(Preparation, '_work', work)
    monkeypatch.setattr(preparation, 'cores', lambda: 2)

    async def cancel() -> None:
        running = asyncio.create_task(Preparation(['octiles', 'myriath']).run())
        await asyncio.sleep(0.05)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert ended == [False, True]

    asyncio.run(cancel())


def test_a_component_set_that_comes_later_is_compiled_as_the_games_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name, worked = 'octiles@0123456789ab', list[Step]()

    async def work(self: Preparation) -> None:
        game = ''
        while step := self._next(game):
            game = step[0]
            worked.append(step)
            self._done(step, 1.0)

    monkeypatch.setattr(Preparation, '_work', work)

    async def play() -> None:
        preparation = Preparation(['octiles'], load=False)
        await preparation.run()
        assert preparation.ready('octiles')
        assert (preparation.ready(name), preparation.progress_of(name)) == (False, 0.0)
        preparation.open(name)
        await preparation.wait(name)
        assert preparation.progress_of(name) == 1.0

    asyncio.run(play())
    assert worked[-4:] == [(name, step) for step in preparation.SECONDS]


class Counted(Child):
    """A worker process that takes a moment for each step, or for ever, and is counted while it runs."""

    running: ClassVar[list[Counted]] = []
    most, pause = 0, 0.0

    def __init__(self, asked: list[Step]) -> None:
        super().__init__(1.0, '', asked)
        self.returncode = None
        Counted.running.append(self)
        Counted.most = max(Counted.most, len(Counted.running))

    def write(self, data: bytes) -> None:
        job = json.loads(data)
        self._asked.append((job['game'], job['step']))
        said = json.dumps({**job, 'seconds': self._seconds}).encode() + b'\n'
        asyncio.get_running_loop().call_later(self.pause, self.stdout.feed_data, said)

    def close(self) -> None:
        if self.returncode is None:
            self.returncode = 0
            Counted.running.remove(self)


def counted(monkeypatch: pytest.MonkeyPatch, workers: int, pause: float) -> list[Step]:
    """Have such processes started; the steps that they were asked for."""
    asked: list[Step] = []

    async def child(*_: object, **__: object) -> Child:
        await asyncio.sleep(0)
        return Counted(asked)

    monkeypatch.setattr(asyncio, 'create_subprocess_exec', child)
    monkeypatch.setattr(preparation, 'cores', lambda: workers)
    monkeypatch.setattr(preparation, 'TICK', 0.005)
    monkeypatch.setattr(Counted, 'running', [])
    monkeypatch.setattr(Counted, 'most', 0)
    monkeypatch.setattr(Counted, 'pause', pause)
    return asked


@pytest.mark.parametrize('workers', [1, 2])
def test_no_more_processes_compile_than_there_are_cores_however_many_component_sets_are_opened(
    monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """And the set that was opened first comes first."""
    asked = counted(monkeypatch, workers, pause=0.001)
    sets = [f'octiles@{number:012x}' for number in (7, 3, 9, 1, 8, 2, 6, 4)]

    async def play() -> None:
        preparation = Preparation(['octiles', 'myriath'], load=False)
        running = asyncio.create_task(preparation.run())
        await asyncio.sleep(0.002)
        for name in sets:
            preparation.open(name)
        await asyncio.wait_for(asyncio.gather(running, *map(preparation.wait, sets)), 1.5)
        preparation.open('octiles@later')
        await asyncio.wait_for(preparation.wait('octiles@later'), 1)

    asyncio.run(play())
    assert Counted.most == workers
    assert not Counted.running
    begun = [name for name, step in asked if step == 'rules' and '@' in name]
    assert begun == [*sets, 'octiles@later']


def test_a_component_set_that_is_loaded_when_the_games_are_ready_is_loaded_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is compiled while the last game is being loaded."""
    counted(monkeypatch, workers=1, pause=0)
    name = 'octiles@0123456789ab'

    async def load(self: Preparation, game: str) -> None:
        await asyncio.sleep(0.2 if game == name else 0.1)
        self._mark(game)

    monkeypatch.setattr(Preparation, '_load', load)

    async def play() -> None:
        preparation = Preparation(['octiles'])
        running = asyncio.create_task(preparation.run())
        await asyncio.sleep(0.05)
        preparation.open(name)
        await asyncio.wait_for(preparation.wait(name), 1)
        await running
        await preparation.close()

    asyncio.run(play())


@pytest.mark.parametrize('early', [True, False])
def test_component_sets_that_wait_for_a_worker_are_let_go_of_when_the_server_ends(
    monkeypatch: pytest.MonkeyPatch, early: bool
) -> None:
    """No worker is started for them any more; `early`: the games are not compiled yet."""
    asked = counted(monkeypatch, workers=1, pause=60 if early else 0)

    async def play() -> None:
        preparation = Preparation(['octiles'], load=False)
        running = asyncio.create_task(preparation.run())
        if not early:
            await running
            asked[:] = []
            monkeypatch.setattr(Counted, 'pause', 60)
        for number in range(5):
            preparation.open(f'octiles@{number:012x}')
        await asyncio.sleep(0.02)
        assert len(Counted.running) == 1
        running.cancel()
        await asyncio.wait_for(preparation.close(), 1)
        await asyncio.gather(running, return_exceptions=True)
        assert not Counted.running
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(play())
    assert len({name for name, _ in asked}) == 1


class Broken(Child):
    """A worker process to which the rules of one game are too much: it says so, says something else, or
    ends."""

    def __init__(self, asked: list[Step], game: str, how: str) -> None:
        super().__init__(1.0, '', asked)
        self._game, self._how = game, how

    def write(self, data: bytes) -> None:
        job = json.loads(data)
        if job['game'] != self._game:
            super().write(data)
            return
        self._asked.append((job['game'], job['step']))
        if self._how == 'ends':
            self.returncode = -signal.SIGKILL
            self.close()
        else:
            said = {**job, 'problem': 'it cannot be'} if self._how == 'says so' else 'nonsense'
            self.stdout.feed_data(json.dumps(said).encode() + b'\n')


@pytest.mark.parametrize('how', ['says so', 'says something else', 'ends', 'does not begin'])
@pytest.mark.parametrize('workers', [1, 2])
def test_a_game_that_does_not_compile_leaves_no_other_interpreted(
    monkeypatch: pytest.MonkeyPatch, workers: int, how: str
) -> None:
    """Neither those after it nor the component sets that are opened later; it is itself given up at once."""
    asked: list[Step] = []
    done: list[Step] = []
    before: list[int] = []  # how many steps were done when the game was given up
    names, later = ['octiles', 'myriath', 'myraclia'], 'myriath@0123456789ab'
    starts = itertools.count()

    async def child(*_: object, **__: object) -> Child:
        if next(starts) == 0 and how == 'does not begin':
            raise OSError('it cannot be')
        return Broken(asked, '' if how == 'does not begin' else 'octiles', how)

    monkeypatch.setattr(asyncio, 'create_subprocess_exec', child)
    monkeypatch.setattr(preparation, 'cores', lambda: workers)
    monkeypatch.setattr(preparation, 'TICK', 0.005)

    async def play() -> Preparation:
        preparation = Preparation(names, load=False)
        preparation.told = lambda game, step, _: done.append((game, step))
        preparation.open('octiles')
        preparation.changed = lambda: before.append(len(done)) if preparation.ready('octiles') else None
        await asyncio.wait_for(preparation.run(), 1)
        assert all(map(preparation.ready, names))
        await asyncio.wait_for(preparation.wait(later), 1)
        await asyncio.sleep(0.01)
        return preparation

    found = asyncio.run(play())
    reason = 'it cannot be' if how in ('says so', 'does not begin') else 'a worker process ended'
    assert sorted(done) == sorted(
        (name, step) for name in (*names[1:], later) for step in preparation.SECONDS
    )
    assert before[0] == 0 or workers > 1
    assert found.problems == {'octiles': reason}
    assert found.problem == reason
    assert asked.count(('octiles', 'rules')) == (how != 'does not begin')
    assert ('octiles', 'knowledge') not in asked
    assert not remembered_in().exists()


def test_a_component_set_is_ready_at_once_where_nothing_is_compiled_ahead() -> None:
    async def play() -> None:
        preparation = Preparation(['octiles'])
        preparation.skip()
        await preparation.wait('octiles@0123456789ab')
        assert preparation.ready('octiles@0123456789ab')

    asyncio.run(play())
