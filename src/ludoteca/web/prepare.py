"""Rules are compiled in a process of their own while the pages are up already; a table says how far it is."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Callable

from ludoteca import game as contract
from ludoteca.game import SPECTATOR, Game, Position
from ludoteca.search import LEVELS, think

log = logging.getLogger(__name__)
NEEDED = ('rules', 'knowledge', 'search')  # steps of `prepare` after which a game can be played


class Preparation:
    """How far the compiling of each game is. `changed` is called at every step."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        self.changed = changed
        self.progress = 0.0
        self._ready: set[str] = set()
        self._events: dict[str, asyncio.Event] = {}
        self._steps: dict[str, set[str]] = {}

    def ready(self, name: str) -> bool:
        """Can the game be played without waiting?"""
        return name in self._ready

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
        self.progress = 1.0
        for name in contract.games():
            self._mark(name)

    async def run(self) -> None:
        """Have the cache filled by a child process, then load from it. A game counts as ready even if that failed: it will then
        be compiled here."""
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
        else:
            try:
                await self._follow(child)
            except BaseException:
                if child.returncode is None:
                    child.kill()
                    await child.wait()
                raise
        for name in contract.games():
            if not self.ready(name):
                await self._load(name)
        self.progress = 1.0
        self.changed()

    async def _follow(self, child: asyncio.subprocess.Process) -> None:
        assert child.stdout is not None
        assert child.stderr is not None
        errors = asyncio.ensure_future(child.stderr.read())
        async for line in child.stdout:
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if 'step' in said:
                self.progress = said['done'] / max(1, said['of'])
                steps = self._steps.setdefault(said['game'], set())
                steps.add(said['step'])
                self.changed()
                if steps.issuperset(NEEDED) and not self.ready(said['game']):
                    await self._load(said['game'])
        if await child.wait():
            log.warning('Compiling the rules in advance failed: %s', (await errors).decode(errors='replace')[-2000:])
        else:
            await errors

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
