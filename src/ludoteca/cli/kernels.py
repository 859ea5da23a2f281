"""`prepare`: compile rules and search into the cache, so that nobody waits for them later. `prepared`: for
commands that begin before the kernels are compiled.

A kernel is compiled for the types of its arguments, so each is called here as the program calls it.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ludoteca import game as contract
from ludoteca.cli.common import fail, print_json, progress
from ludoteca.game import SPECTATOR, Game
from ludoteca.kernel import compile as forms
from ludoteca.kernel import compiled, process
from ludoteca.text import words

if TYPE_CHECKING:
    from ludoteca.web.serving.preparation import Preparation


def rules(game: Game) -> None:
    """Call the kernels that play a game."""
    position = contract.Position(game, contract.start(game, seed=0))
    position.outcome()
    position.scores()
    action = position.actions()[0]
    game.kernels.hide_action(position.state, action, SPECTATOR)
    if game.arranged:  # arrangements can be shuffled
        game.kernels.random_turn(position.state, game.Work.new(), np.empty(game.max_legal, np.int32))
    position.apply(action)
    game.kernels.revealed(position.state)


def knowledge(game: Game) -> None:
    """Call the kernels that hide, guess and forget."""
    state, work = contract.start(game, seed=0), game.Work.array(1)
    if game.sealed:
        game.kernels.mover_view(state.copy(), 0)
    game.kernels.hide(state, 0)
    game.kernels.prepare(state, 0, work[0])
    game.kernels.guess(state, 0, 1, work[0])
    game.kernels.forget(state, 0, 0)


def search(game: Game) -> None:
    """Call the kernels of bots and hints."""
    from ludoteca.search import LEVELS, think

    for settings in {level.settings for level in LEVELS.values()}:
        think(game, contract.start(game, seed=0), settings=settings, simulations=10)


def research(game: Game) -> None:
    """Call what only research needs: observations, random turns, many games in one call, counting turns."""
    from ludoteca.research.perft import perft
    from ludoteca.research.simulate import simulate

    state, work = contract.start(game, seed=0), game.Work.array(1)
    game.kernels.random_action(state, work[0])
    if game.lists_turns:
        game.kernels.random_turn(state, work[0], np.empty(game.max_legal, np.int32))
    game.kernels.estimate(state, np.zeros(game.players.stop - 1))
    hidden = state.copy()
    game.kernels.hide(hidden, 0)
    game.kernels.observe(hidden, 0, np.zeros(game.observation_size, np.float32))
    simulate(game, games=1)
    perft(game, state, 1)


STEPS: dict[str, Callable[[Game], None]] = {
    'rules': rules,
    'knowledge': knowledge,
    'search': search,
    'research': research,
}
"""The steps, in this order; a table needs all but the last."""

SELDOM = 50_000, 50, 1000
"""The thresholds of a worker's garbage collector, as `gc.set_threshold` takes them."""


def prepare(name: str | None, as_json: bool, worker: bool = False) -> None:
    """Compile one or all games, side by side on all cores, and say how it goes: a line for people, or a JSON
    object for each step that is done. `worker`: one process that does the steps which it reads, see `work`.
    Raises GameError if a step fails."""
    if worker:
        work()
        return
    from ludoteca.web.serving.preparation import Preparation

    names = [contract.load(name).name] if name else list(contract.games())
    began, done, total = time.perf_counter(), 0, len(names) * len(STEPS) if compiled else 0
    with progress(total, words('cli.prepare.preparing')) as advance:

        def tell(game: str, step: str, seconds: float) -> None:
            nonlocal done
            done += 1
            advance(1)
            if as_json:
                print_json({'game': game, 'step': step, 'done': done, 'of': total, 'seconds': seconds})

        if total:
            preparation = Preparation(names, load=False)
            preparation.told = tell
            asyncio.run(preparation.run())
            if preparation.problem:
                fail('prepare', problem=preparation.problem)
    seconds = time.perf_counter() - began
    if as_json:
        print_json({'ready': True, 'seconds': round(seconds, 3)})
    else:
        print(words('cli.prepare.done', seconds=f'{seconds:.1f}'))


def work() -> None:
    """Read steps from standard input, `{"game": ..., "step": ...}` a line, do them, and answer each with a
    line: `seconds` added, or `problem`. The compiler makes millions of objects, few of which are cyclic
    garbage: to run the collector less often saves a tenth of the time."""
    gc.set_threshold(*SELDOM)
    for line in sys.stdin:
        try:
            job = json.loads(line)
            game, step = contract.load(job['game']), STEPS[job['step']]
        except (ValueError, KeyError, TypeError):
            fail('worker', line=line.strip()[:80])
        since = time.perf_counter()
        try:
            step(game)
        except Exception as problem:
            print_json({**job, 'problem': f'{type(problem).__name__}: {problem}'})
            continue
        print_json(
            {'game': job['game'], 'step': job['step'], 'seconds': round(time.perf_counter() - since, 3)}
        )


@contextmanager
def prepared(game: Game) -> Iterator[Preparation]:
    """Inside this block the game runs interpreted at once, while a process beside this one compiles it, and
    compiled as soon as that is done. It is for a process that does nothing else: the form of kernels stays
    as it is when the block ends."""
    from ludoteca.web.serving.preparation import Preparation

    preparation, loop = Preparation([game.name]), asyncio.new_event_loop()
    if not compiled:
        preparation.skip()
        yield preparation
        return
    forms.run_interpreted()
    process.never_compile()
    task = loop.create_task(preparation.run())

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    beside = threading.Thread(target=run, name='prepare', daemon=True)
    beside.start()
    try:
        yield preparation
    finally:
        loop.call_soon_threadsafe(task.cancel)
        beside.join()
