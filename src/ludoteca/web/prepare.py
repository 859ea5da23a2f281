"""Rules are compiled in a process of their own while the pages are up already; a table says how far it is."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ludoteca import game as contract
from ludoteca.game import SPECTATOR, Game, Position
from ludoteca.kernel.compile import cache_root
from ludoteca.search import LEVELS, think

log = logging.getLogger(__name__)
NEEDED = ('rules', 'knowledge', 'search')  # steps of `prepare` after which a game can be played
SECONDS = {'rules': 13.0, 'knowledge': 1.0, 'search': 9.0, 'random_play': 2.0}  # all steps, and how long they took somewhere
LOADED = 8  # a step that takes less than this part of what it should was not compiled but loaded
TICK = 0.4  # seconds between two looks at how far it is

Step = tuple[str, str]  # a game and a step of its preparation


class Progress:
    """How far steps are that come one after the other, of which it is known about how long each of them takes.

    Within a step it goes on with the time; it never goes back, and never stands still."""

    def __init__(self, steps: Sequence[Step], expected: Mapping[Step, float], clock: Callable[[], float]) -> None:
        self.steps, self.expected = tuple(steps), {step: max(0.01, expected[step]) for step in steps}
        self.took: dict[Step, float] = {}
        self._clock = clock
        self._since = clock()
        self._most: dict[int, float] = {}

    def done(self, step: Step, seconds: float) -> None:
        """A step is done."""
        self.took[step] = seconds
        self._since = self._clock()

    def of(self, last: Step) -> float:
        """How much is done of all steps up to the one given, 0 to 1."""
        upto = self.steps.index(last) + 1
        wanted = self.steps[:upto]
        value = sum(self.expected[step] for step in wanted if step in self.took)
        if (now := next((step for step in wanted if step not in self.took), None)) is not None:
            passed = (self._clock() - self._since) / self.expected[now]
            # nine tenths of it in the time that it should take, and ever slower through the last one
            value += self.expected[now] * (0.9 * passed if passed < 1 else 1 - 0.1 * math.exp(1 - passed))
        self._most[upto] = max(self._most.get(upto, 0.0), value / sum(self.expected[step] for step in wanted))
        return self._most[upto]

    def remember(self) -> dict[Step, float]:
        """How long the steps can be expected to take the next time."""
        return {
            step: seconds if (seconds := self.took.get(step, 0.0)) * LOADED >= expected else expected
            for step, expected in self.expected.items()
        }


def remembered_in() -> Path:
    """The file in which it is kept how long the steps took on this computer."""
    return cache_root().parent / 'prepare.json'


def expected_seconds(steps: Sequence[Step]) -> dict[Step, float]:
    """How long each step took here the last time, else elsewhere."""
    known: dict[str, float] = {}
    with contextlib.suppress(OSError, ValueError, AttributeError):
        kept = json.loads(remembered_in().read_text('utf-8'))
        known = {key: value for key, value in kept.items() if isinstance(value, (int, float)) and 0 < value < 3600}
    return {(game, step): known.get(f'{game} {step}', SECONDS[step]) for game, step in steps}


def remember(seconds: Mapping[Step, float]) -> None:
    """Keep how long the steps took, if that can be written."""
    path = remembered_in()
    new = path.with_name(f'.{path.name}.{os.getpid()}')
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(json.dumps({f'{game} {step}': round(value, 3) for (game, step), value in seconds.items()}), 'utf-8')
        new.replace(path)


class Preparation:
    """How far the compiling of each game is. `changed` is called at every step."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        self.changed = changed
        steps = [(name, step) for name in contract.games() for step in SECONDS]
        self.progress = Progress(steps, expected_seconds(steps), time.monotonic)
        self.failed = False  # the child process did not do it all: what is missing is compiled here
        self._ready: set[str] = set()
        self._events: dict[str, asyncio.Event] = {}
        self._steps: dict[str, set[str]] = {}

    def ready(self, name: str) -> bool:
        """Can the game be played without waiting?"""
        return name in self._ready

    def progress_of(self, name: str) -> float:
        """How far a game is on its way to be ready, 0 to 1."""
        return 1.0 if self.ready(name) else self.progress.of((name, NEEDED[-1]))

    async def wait(self, name: str) -> None:
        """Returns when the game is ready."""
        if not self.ready(name):
            await self._events.setdefault(name, asyncio.Event()).wait()

    def _mark(self, name: str) -> None:
        self._ready.add(name)
        self._events.setdefault(name, asyncio.Event()).set()
        self.changed()

    def skip(self) -> None:
        """Take all games as ready: what is not compiled yet is compiled when it is needed."""
        for name in contract.games():
            self._mark(name)

    async def run(self) -> None:
        """Have the cache filled by a child process, then load from it. A game counts as ready even if that failed: it will then
        be compiled here."""
        ticking = asyncio.ensure_future(self._tick())
        try:
            self.failed = not await self._compile()
            self.changed()
            if not self.failed:
                await asyncio.to_thread(remember, self.progress.remember())
            for name in contract.games():
                if not self.ready(name):
                    await self._load(name)
        finally:
            ticking.cancel()
        self.changed()

    async def _compile(self) -> bool:
        """True if the child process did all that it should."""
        try:
            child = await asyncio.create_subprocess_exec(
                sys.executable,
                '-m',
                'ludoteca.cli',
                'prepare',
                '--json',
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as problem:
            log.warning('The rules cannot be compiled in a process of their own: %s', problem)
            return False
        try:
            return await self._follow(child)
        except BaseException:
            if child.returncode is None:
                child.kill()
                await child.wait()
            raise

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            self.changed()

    async def _follow(self, child: asyncio.subprocess.Process) -> bool:
        """Read what the child process says until it ends. True if it did all that it should."""
        assert child.stdout is not None
        assert child.stderr is not None
        errors = asyncio.ensure_future(child.stderr.read())
        async for line in child.stdout:
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if 'step' in said:
                self.progress.done((said['game'], said['step']), said['seconds'])
                steps = self._steps.setdefault(said['game'], set())
                steps.add(said['step'])
                self.changed()
                if steps.issuperset(NEEDED) and not self.ready(said['game']):
                    await self._load(said['game'])
        if await child.wait():
            log.warning('Compiling the rules in advance failed: %s', (await errors).decode(errors='replace')[-2000:])
            return False
        await errors
        return True

    async def _load(self, name: str) -> None:
        try:
            await asyncio.to_thread(warm, contract.load(name))
        except Exception:  # whatever it is will show again, with its sentence, at the table
            log.exception('%s could not be warmed up', name)
        self._mark(name)


def warm(game: Game) -> None:
    """Call what a table calls, so that its kernels are loaded into this process."""
    position = Position(game, contract.start(game, seed=0))
    seat = position.to_move
    hidden, work = position.hidden(seat), game.Work.new()
    game.kernels.prepare(hidden, seat, work)
    game.kernels.guess(hidden, seat, 0, work)
    game.kernels.hide_action(position.state, position.actions()[0], SPECTATOR)
    think(game, position.hidden(seat), seat, settings=LEVELS['easy'].settings, simulations=10)
    game.draw(position.view(), 'page')
    game.prompt(position.view())
    position.scores()
    position.outcome()
