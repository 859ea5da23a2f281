"""Rules are compiled in processes of their own while people play already.

A server begins with interpreted kernels (kernel/compile.py), loads no compiler, and never compiles in a
request. Worker processes, one a core, fill the cache. The game that somebody has opened first comes first,
then the others, at last the kernels that only research needs. When the kernels of a game are there, the
server loads them and goes on with them between two calls.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludoteca import game as contract
from ludoteca.game import SPECTATOR, Game, Position
from ludoteca.game.components import split
from ludoteca.kernel import compile as forms
from ludoteca.kernel.cache import cache_root
from ludoteca.search import LEVELS, cores, think
from ludoteca.web.serving import sockets, subprocesses

log = logging.getLogger(__name__)
NEEDED = (
    'rules',
    'knowledge',
    'search',
)  # steps of `prepare` after which a table can do without interpreted kernels
LATER = ('research',)
SECONDS = {
    'rules': 10.0,
    'knowledge': 1.5,
    'search': 9.0,
    'research': 4.0,
}  # all steps, and how long they took somewhere
LOADED = 8  # a step in less than 1 / LOADED of its expected time was loaded
ENDED = 'a worker process ended'
TICK = 0.4  # seconds between two looks at how far it is
INTERPRETED_SIMULATIONS = 300  # an interpreted search takes too long for more

WORKER = """
import os
if {polite} and hasattr(os, 'nice'):
    os.nice(10)
from ludoteca.cli import main
raise SystemExit(main(['prepare', '--worker']))
"""

Step = tuple[str, str]  # a game and a step of its preparation


class StepProgress:
    """The progress of steps that come one after the other. Each of them has a time that it should take.

    Within a step the progress goes on with the time. It never goes back, and never stands still."""

    def __init__(
        self, steps: Sequence[Step], expected: Mapping[Step, float], clock: Callable[[], float]
    ) -> None:
        self.steps, self.expected = tuple(steps), {step: max(0.01, expected[step]) for step in steps}
        self.took: dict[Step, float] = {}
        self._clock = clock
        self._since: float | None = None  # nothing has begun yet
        self._most: dict[int, float] = {}

    def begin(self) -> None:
        """The first step has begun."""
        self._since = self._clock()

    def done(self, step: Step, seconds: float) -> None:
        """A step is done."""
        self.took[step] = seconds
        self._since = self._clock()

    def of(self, last: Step) -> float:
        """The part of all steps up to the given one that is done, 0 to 1."""
        upto = self.steps.index(last) + 1
        wanted = self.steps[:upto]
        value = sum(self.expected[step] for step in wanted if step in self.took)
        now = next((step for step in wanted if step not in self.took), None)
        if now is not None and self._since is not None:
            passed = (self._clock() - self._since) / self.expected[now]
            # nine tenths in the expected time, then ever more slowly
            value += self.expected[now] * (0.9 * passed if passed < 1 else 1 - 0.1 * math.exp(1 - passed))
        self._most[upto] = max(self._most.get(upto, 0.0), value / sum(self.expected[step] for step in wanted))
        return self._most[upto]


def remembered_in() -> Path:
    """The file that keeps how long the steps took on this computer."""
    return cache_root().parent / 'prepare.json'


def expected_seconds(steps: Sequence[Step]) -> dict[Step, float]:
    """How long each step took here the last time, else elsewhere."""
    known: dict[str, float] = {}
    with contextlib.suppress(OSError, ValueError, AttributeError):
        kept = json.loads(remembered_in().read_text('utf-8'))
        known = {
            key: value for key, value in kept.items() if isinstance(value, (int, float)) and 0 < value < 3600
        }
    return {(game, step): known.get(f'{game} {step}', SECONDS[step]) for game, step in steps}


def remember(seconds: Mapping[Step, float]) -> None:
    """Keep how long the steps took, if that can be written."""
    path = remembered_in()
    new = path.with_name(f'.{path.name}.{os.getpid()}')
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(
            json.dumps({f'{game} {step}': round(value, 3) for (game, step), value in seconds.items()}),
            'utf-8',
        )
        new.replace(path)


class Preparation:
    """The progress of compiling each game. `changed` is called whenever there is progress, `told` when a step
    is done."""

    def __init__(self, names: Iterable[str] | None = None, *, load: bool = True) -> None:
        """`names`: of the games, all by default; `load`: load into this process what was compiled, and use
        it."""
        self.names = tuple(contract.games() if names is None else names)
        self.changed: Callable[[], object] = lambda: None
        self.told: Callable[[str, str, float], object] | None = None
        self.problems: dict[str, str] = {}  # of games: why a step could not be compiled
        self._load_here = load
        steps = [(name, step) for name in self.names for step in SECONDS]
        expected = expected_seconds(steps)
        self._progress = {
            name: StepProgress([(name, step) for step in NEEDED], expected, time.monotonic)
            for name in self.names
        }
        self._took: dict[Step, float] = {}
        self._expected = expected
        self._ready: set[str] = set()
        self._events: dict[str, asyncio.Event] = {}
        self._waiting: list[Step] = [
            *((name, step) for name in self.names for step in NEEDED),
            *((name, step) for name in self.names for step in LATER),
        ]
        self._busy: set[str] = set()  # games that a worker works on
        self._opened: list[str] = []
        self._skips = False
        self._room = asyncio.Semaphore(cores())  # for the processes that compile at the same time
        self._late: set[asyncio.Task[None]] = set()  # of games that were not known at the start
        self._loading: set[asyncio.Task[None]] = set()

    @property
    def problem(self) -> str:
        """Why the first step that could not be compiled could not; '' if there is none."""
        return next(iter(self.problems.values()), '')

    def ready(self, name: str) -> bool:
        """Are the game's kernels compiled?"""
        return name in self._ready

    def strong_enough(self, name: str, level: str) -> bool:
        """Does a bot play this game now as well as it should? Weak levels do so with interpreted kernels."""
        if self.ready(name):
            return True
        if level not in LEVELS:  # somebody else's bot
            return level == 'random'
        game = contract.load(name)
        efforts = [LEVELS[level].effort(game, players) for players in game.players]
        return max(effort.simulations for effort in efforts) <= INTERPRETED_SIMULATIONS

    def progress_of(self, name: str) -> float:
        """The part of a game's steps that is done, 0 to 1."""
        if self.ready(name):
            return 1.0
        return self._progress[name].of((name, NEEDED[-1])) if name in self._progress else 0.0

    async def wait(self, name: str) -> None:
        """Returns when the game is ready; at once if this server lacks it."""
        self._add(name)
        if name in self._progress and not self.ready(name):
            await self._events.setdefault(name, asyncio.Event()).wait()

    def open(self, name: str) -> None:
        """Somebody is at a table of this game: its steps come before those of games that nobody has
        opened."""
        self._add(name)
        if name in self.names and name not in self._opened:
            self._opened.append(name)

    def _add(self, name: str) -> None:
        """A game with a component set that was not known at the start: it is compiled like the others."""
        if name in self._progress or not split(name)[1]:
            return
        steps = [(name, step) for step in SECONDS]
        expected = expected_seconds(steps)
        self._expected |= expected
        self._progress[name] = StepProgress([(name, step) for step in NEEDED], expected, time.monotonic)
        self.names = (*self.names, name)
        if self._skips:
            self._mark(name)
            return
        self._waiting += [(name, step) for step in (*NEEDED, *LATER)]
        task = asyncio.get_running_loop().create_task(self._compile_late(name))
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    async def _compile_late(self, name: str) -> None:
        while not self.ready(name):
            if name not in self._busy and any((name, step) in self._waiting for step in NEEDED):
                await self._work()
            else:  # another worker has begun with it, or what is compiled is being loaded
                await asyncio.sleep(TICK)

    async def close(self) -> None:
        """The server ends: nothing is compiled any more for games that were not known at the start. Whoever
        has `run` running cancels that."""
        late = [*self._late, *self._loading]
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _mark(self, name: str) -> None:
        self._ready.add(name)
        self._events.setdefault(name, asyncio.Event()).set()
        self.changed()

    def skip(self) -> None:
        """Take all games as ready: kernels are compiled when they are needed."""
        self._skips = True
        for name in self.names:
            self._mark(name)

    async def run(self) -> None:
        """Have worker processes fill the cache, and load from it. A game counts as ready even if that failed:
        it then goes on with interpreted kernels."""
        names, ticking = self.names, asyncio.ensure_future(self._tick())
        try:
            async with asyncio.TaskGroup() as workers:  # if it is cancelled it waits for all of them
                for _ in range(min(cores(), len(self.names))):
                    workers.create_task(self._work())
            if not self.problem:
                await asyncio.to_thread(remember, self._remembered())
            while loading := [task for task in self._loading if not task.done()]:
                await asyncio.gather(*loading)
            for name in names:
                if not self.ready(name):
                    self._mark(name)
        finally:
            ticking.cancel()
            for task in self._loading:
                task.cancel()
        self.changed()

    def _remembered(self) -> dict[Step, float]:
        """How long the steps can be expected to take the next time."""
        return {
            step: took if (took := self._took.get(step, 0.0)) * LOADED >= expected else expected
            for step, expected in self._expected.items()
        }

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            self.changed()

    def _free(self) -> list[Step]:
        return [step for step in self._waiting if step[0] not in self._busy]

    def _next(self, game: str) -> Step | None:
        """The next step of a worker that has just worked on `game`. Two workers never work on one game: the
        steps share kernels."""
        self._busy.discard(game)
        free = self._free()
        if not free:
            return None
        order = [*self._opened, *self.names]

        def rank(step: Step) -> tuple[bool, bool, bool, int]:
            name = step[0]
            return step[1] in LATER, name not in self._opened, name != game, order.index(name)

        step = min(free, key=rank)
        self._waiting.remove(step)
        self._busy.add(step[0])
        return step

    async def _work(self) -> None:
        """A worker process when there is room for it, if by then the others have left it anything to do; and
        another one where it has ended too early."""
        async with self._room:
            while self._free():
                if not await self._employ():
                    break

    async def _employ(self) -> bool:
        """One worker process, from its start to the last step. May another one follow it?"""
        try:
            child = await subprocesses.start(
                *worker_command(polite=self._load_here), stderr=asyncio.subprocess.PIPE
            )
        except OSError as problem:
            step = self._next('')
            self._fail(step[0] if step else '', f'{problem}')
            return True
        assert child.stderr is not None
        errors = asyncio.ensure_future(child.stderr.read())
        try:
            game = await self._follow(child)
            if child.stdin is not None:
                child.stdin.close()
            code = await child.wait()
            if code == -signal.SIGTERM:  # as a rule the server ends, too
                self._give_up(game, ENDED)
                return False
            if code:
                self._fail(game, (await errors).decode(errors='replace').strip()[-2000:] or ENDED)
            elif game:
                self._fail(game, ENDED)
            return True
        finally:
            await subprocesses.end(child)
            errors.cancel()

    async def _follow(self, child: asyncio.subprocess.Process) -> str:
        """Have a process do steps while there are any. Returns the game that it has left in the middle of a
        step, '' if none."""
        assert child.stdin is not None
        assert child.stdout is not None
        game = ''
        while step := self._next(game):
            if step[0] != game and step[1] == NEEDED[0]:
                self._progress[step[0]].begin()
            game = step[0]
            child.stdin.write(json.dumps({'game': step[0], 'step': step[1]}).encode() + b'\n')
            said = _read(await child.stdout.readline())
            if 'seconds' in said:
                self._done(step, said['seconds'])
            elif 'problem' in said:
                self._fail(game, str(said['problem']))
            else:  # it has ended, or says what nobody understands
                return game
        return ''

    def _done(self, step: Step, seconds: float) -> None:
        self._took[step] = seconds
        if step[1] in NEEDED:
            self._progress[step[0]].done(step, seconds)
        if self.told is not None:
            self.told(*step, seconds)
        self.changed()
        if step[1] in NEEDED and all((step[0], other) in self._took for other in NEEDED):
            if self._load_here:
                self._loading.add(asyncio.ensure_future(self._load(step[0])))
            else:
                self._mark(step[0])

    def _fail(self, game: str, problem: str) -> None:
        log.warning('The rules could not be compiled in advance: %s', problem)
        self._give_up(game, problem)

    def _give_up(self, game: str, problem: str) -> None:
        """Drop the steps of a game ('' if a worker failed at none) that are left. If a table needs one of
        them the game goes on interpreted."""
        if not game:
            return
        self.problems.setdefault(game, problem)
        self._waiting = [step for step in self._waiting if step[0] != game]
        self._busy.discard(game)
        if any((game, step) not in self._took for step in NEEDED):
            self._mark(game)

    async def _load(self, name: str) -> None:
        game = contract.load(name)
        try:
            await asyncio.to_thread(warm, game)
            forms.run_compiled(game.home)
            sockets.keep()
        except Exception:  # the same error will show again at the table, with its sentence
            log.exception('%s could not be loaded', name)
        self._mark(name)


def _read(line: bytes) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def worker_command(polite: bool) -> list[str]:
    """The command of a process that compiles what it reads. `polite`: from its first line on, all others on
    this computer go first."""
    return [sys.executable, '-c', WORKER.format(polite=polite)]


def warm(game: Game) -> None:
    """Call what a table calls, with compiled kernels: they are loaded into this process, and compiled here if
    nobody else could."""
    with forms.compiling():
        position = Position(game, contract.start(game, seed=0))
        seat = position.to_move
        hidden, work = position.hidden(seat), game.Work.new()
        game.kernels.prepare(hidden, seat, work)
        game.kernels.guess(hidden, seat, 0, work)
        game.kernels.hide_action(position.state, position.actions()[0], SPECTATOR)
        think(game, position.hidden(seat), seat, settings=LEVELS['easy'].settings, simulations=10)
        position.scores()
        position.outcome()
