"""`prepare`: compile rules and search into the cache, so that nobody waits for them later.

A kernel is compiled for the types it is called with, so each is called here the way everybody calls it.
"""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ludoteca import game as contract
from ludoteca.cli.common import print_json, progress
from ludoteca.game import SPECTATOR, Game
from ludoteca.kernel import compiled
from ludoteca.text import words


def rules(game: Game) -> None:
    """What plays a game."""
    position = contract.Position(game, contract.start(game, seed=0))
    estimate = np.zeros(game.players.stop - 1)
    work = game.Work.array(1)
    out = np.empty(game.max_legal, np.int32)
    game.kernels.random_action(position.state, work[0])
    if game.lists_turns:
        game.kernels.random_turn(position.state, work[0], out)
    game.kernels.estimate(position.state, estimate)
    position.outcome()
    position.scores()
    action = position.actions()[0]
    game.kernels.hide_action(position.state, action, SPECTATOR)
    position.apply(action)
    game.kernels.revealed(position.state)


def knowledge(game: Game) -> None:
    """Who knows what."""
    state, work = contract.start(game, seed=0), game.Work.array(1)
    if game.sealed:
        game.kernels.mover_view(state.copy(), 0)
    game.kernels.hide(state, 0)
    seen = np.zeros(game.observation_size, np.float32)
    game.kernels.observe(state, 0, seen)
    game.kernels.prepare(state, 0, work[0])
    game.kernels.guess(state, 0, 1, work[0])
    game.kernels.forget(state, 0, 0)


def random_play(game: Game) -> None:
    """Many games in one call, and counting turns."""
    from ludoteca.research.perft import perft
    from ludoteca.research.simulate import simulate
    simulate(game, games=1)
    perft(game, contract.start(game, seed=0), 1)


def search(game: Game) -> None:
    """Bots and hints."""
    from ludoteca.search import LEVELS, think
    for settings in {level.settings for level in LEVELS.values()}:
        think(game, contract.start(game, seed=0), settings=settings, simulations=10)


STEPS: dict[str, Callable[[Game], None]] = {'rules': rules, 'knowledge': knowledge, 'search': search, 'random_play': random_play}


def prepare(name: str | None, as_json: bool) -> None:
    """Compile one or all games, and say how it goes: a line for people, or a JSON object for each step that is done."""
    games = [contract.load(name)] if name else [contract.load(other) for other in contract.games()]
    total, done, began = len(games) * len(STEPS), 0, time.perf_counter()
    with progress(total, words('cli.prepare.preparing')) as advance:
        for game in games if compiled else ():
            for step, run in STEPS.items():
                since = time.perf_counter()
                run(game)
                done += 1
                advance(1)
                if as_json:
                    line: dict[str, Any] = {'game': game.name, 'step': step, 'done': done, 'of': total,
                                            'seconds': round(time.perf_counter() - since, 3)}
                    print_json(line)
    seconds = time.perf_counter() - began
    if as_json:
        print_json({'ready': True, 'seconds': round(seconds, 3)})
    else:
        print(words('cli.prepare.done', seconds=f'{seconds:.1f}'))
