"""Getting ready: a bar that moves, and rules that are there when it is full."""

from __future__ import annotations

import asyncio
import itertools
import json
from pathlib import Path

import pytest

from ludoteca.game import load
from ludoteca.text import words
from ludoteca.web import prepare, views
from ludoteca.web.prepare import Preparation, Progress, expected_seconds, remember, remembered_in

STEPS = [(game, step) for game in ('one', 'two') for step in ('rules', 'knowledge', 'search', 'random_play')]
EXPECTED = {step: prepare.SECONDS[step[1]] for step in STEPS}


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
    progress = Progress(STEPS, EXPECTED, clock)
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
    assert progress.of(('two', 'search')) == pytest.approx(23 / 48)
    if speed == 1.0:
        assert max(b - a for a, b in itertools.pairwise(values)) < 0.12, 'it jumps'


def test_how_long_the_steps_took_is_remembered_unless_they_were_only_loaded(cache: Path) -> None:
    progress = Progress(STEPS, EXPECTED, Clock())
    progress.done(('one', 'rules'), 6.0)
    progress.done(('one', 'search'), 0.06)
    remember(progress.remember())
    assert remembered_in() == cache / 'prepare.json'
    found = expected_seconds(STEPS)
    assert found[('one', 'rules')] == 6.0
    assert found[('one', 'search')] == EXPECTED[('one', 'search')]
    assert found[('two', 'rules')] == EXPECTED[('two', 'rules')]


@pytest.mark.parametrize('text', ['', '[]', '{"one rules": "x", "one search": -1}', 'null'])
def test_a_strange_file_of_durations_is_as_good_as_none(cache: Path, text: str) -> None:
    cache.mkdir()
    (cache / 'prepare.json').write_text(text)
    assert expected_seconds(STEPS) == EXPECTED


class Child:
    """A child process that says what it is told to."""

    def __init__(self, lines: list[object], code: int) -> None:
        self.stdout, self.stderr = asyncio.StreamReader(), asyncio.StreamReader()
        for line in lines:
            self.stdout.feed_data(json.dumps(line).encode() + b'\n')
        self.stdout.feed_eof()
        self.stderr.feed_eof()
        self.returncode: int | None = code

    async def wait(self) -> int | None:
        return self.returncode


@pytest.mark.parametrize('code', [0, 1])
def test_a_game_is_ready_when_its_steps_are_done_or_the_compiling_failed(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    lines = [{'game': 'octiles', 'step': step, 'done': k + 1, 'of': 4, 'seconds': 5.0} for k, step in enumerate(prepare.NEEDED)]
    lines = lines if code == 0 else lines[:1]
    told: list[tuple[bool, float]] = []

    async def run() -> Preparation:
        async def child(*_: object, **__: object) -> Child:
            return Child([*lines, 'what is this'], code)

        monkeypatch.setattr(asyncio, 'create_subprocess_exec', child)
        monkeypatch.setattr(prepare, 'warm', lambda game: None)
        found = Preparation()
        found.changed = lambda: told.append((found.ready('octiles'), found.progress_of('octiles')))
        await found.run()
        await asyncio.wait_for(found.wait('octiles'), 1)
        return found

    found = asyncio.run(run())
    assert found.failed == bool(code)
    assert found.ready('octiles')
    assert found.progress_of('octiles') == 1
    assert [value for _, value in told] == sorted(value for _, value in told)
    assert not told[0][0]
    assert remembered_in().exists() == (code == 0)


@pytest.mark.parametrize('failed', [False, True])
def test_the_page_says_if_the_compiling_failed(failed: bool) -> None:
    sitters = (views.Sitter('Ann', 'person'), views.Sitter('Bob', 'bot', 'easy'))
    wait = views.Wait('table', load('octiles'), sitters, False, True, False, False, {}, '', progress=0.5, failed=failed)
    shown = views.waiting_fragments(wait)['status']
    assert (words('web.ready.failed') in shown) == failed
    assert (words('web.ready.text') in shown) != failed
