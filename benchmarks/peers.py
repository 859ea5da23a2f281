#!/usr/bin/env python3
"""Our games beside those of OpenSpiel that are most like them, in one run and on one thread.

    peers.py                                every game with the fewest players, three rounds of half a second
    peers.py --game octiles --rounds 7 --seconds 1 --json peers.json

Rates are per second of processor time. In each round every game is measured once, one after another; rates
are the medians of the rounds, and ratios are medians of the rounds' own ratios, so that they bear other work
on the machine. A step is an action of a player or a decision of chance, as each program counts them.

    loop        random play without Python in between. Ours: `simulate`'s kernel, with full lists of legal
                actions. OpenSpiel: `evaluate_bots` with its random bots, in C++.
    python      the same from Python, one action at a time: list, choose, play, ask whether it is over.
    batch       many games side by side, with observations and what is legal. Ours: `ludoteca.batch.Env`.
                OpenSpiel: `SyncVectorEnv` of `rl_environment`, which is Python.
    rollouts    simulations a second of a search from the start with random games to the end. Ours: `think`
                with `playout=-1`. OpenSpiel: `MCTSBot` in C++, one rollout each. Neither has an estimate.
    search      simulations a second of our search as the expert has it, with the game's estimate.
    within      the C++ search of OpenSpiel on our game, as `ludoteca.research.openspiel` registers it.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.rl_agent import StepOutput
from open_spiel.python.vector_env import SyncVectorEnv

from ludoteca.batch import Env
from ludoteca.game import Position, games, load, start
from ludoteca.research import openspiel
from ludoteca.research.bench import LEVEL, random_play
from ludoteca.research.random_play import LIST
from ludoteca.search import SearchSettings, think

PEERS = {
    'octiles': ('chinese_checkers', 'quoridor'),
    'myrmidons': ('dark_chess',),
    'myriath': ('hex', 'amazons', 'havannah'),
    'mykerinos': ('go(board_size=9)',),
    'myraclia': ('backgammon', 'gin_rummy'),
}
SIDE_BY_SIDE, VECTOR = 1024, 32
MOST_SIMULATIONS = 1 << 20
ROLLOUTS = SearchSettings(playout=-1, sharpness=0.0)
KINDS = ('loop', 'python', 'batch', 'rollouts', 'search', 'within')
Measure = Callable[[float, int], float]  # (seconds, seed) -> a second


def timed(seconds: float, pieces: Iterator[int]) -> float:
    """Steps a second; each item of the iterator is a piece of play, and says how many steps it had. The first
    one does not count."""
    next(pieces)
    steps, began = 0, time.process_time()
    for played in pieces:
        steps += played
        if (took := time.process_time() - began) > seconds:
            break
    return steps / took


def searched(seconds: float, search: Callable[[int], int]) -> float:
    """Simulations a second of a search that is told how many to make, and says how many it has made."""
    simulations = 8
    while True:
        began = time.process_time()
        made = search(simulations)
        took = max(time.process_time() - began, 1e-6)
        if took > 0.5 * seconds or simulations >= MOST_SIMULATIONS:
            return made / took
        simulations = int(min(max(2, 0.9 * seconds / took), 20) * simulations)


# ---- ours --------------------------------------------------------------------------------------------------


def our_measures(name: str) -> dict[str, Measure]:
    """What is measured of a game of ours."""
    game = load(name)
    players = game.players[0]

    def loop(seconds: float, seed: int) -> float:
        return random_play(game, players, LIST, seed, seconds)[0]

    def one_by_one(seed: int) -> Iterator[int]:
        draw = random.Random(seed).random
        while True:
            position, steps = Position(game, start(game, players, f'{seed}/{draw()}')), 0
            while not position.over:
                actions = position.actions()
                position.apply(actions[int(draw() * len(actions))])
                steps += 1
            yield steps

    def batches(seed: int) -> Iterator[int]:
        env, rng = Env(name, SIDE_BY_SIDE, players, seed=seed), np.random.default_rng(seed)
        step, rows = env.reset(), np.arange(env.n)
        yield 0  # set up
        while True:
            step = env.step(step.legal[rows, (rng.random(env.n) * step.n_legal).astype(np.int64)])
            yield env.n

    def search(settings: SearchSettings) -> Measure:
        def measure(seconds: float, seed: int) -> float:
            state = start(game, players, seed)
            return searched(
                seconds, lambda n: think(game, state, settings=settings, simulations=n, seed=seed).simulations
            )

        return measure

    def within(seconds: float, seed: int) -> float:
        return mcts(openspiel.load(name, players), seconds, seed)

    return {
        'loop': loop,
        'python': lambda seconds, seed: timed(seconds, one_by_one(seed)),
        'batch': lambda seconds, seed: timed(seconds, batches(seed)),
        'rollouts': search(ROLLOUTS),
        'search': search(LEVEL.settings),
        'within': within,
    }


# ---- OpenSpiel's -------------------------------------------------------------------------------------------


def mcts(game: Any, seconds: float, seed: int) -> float:
    """Simulations a second of its search in C++ from the first choice of a game."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while len(state.legal_actions()) < 2 or state.is_chance_node():
        if not state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
            continue
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, weights)[0])
    rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
    # `mcts_search`, not `step`: that one lets go of Python's lock, which games in Python need
    return searched(
        seconds,
        lambda n: (
            pyspiel.MCTSBot(game, rollouts, 2.0, n, 1000, False, seed, False).mcts_search(state).explore_count
        ),
    )


def their_measures(name: str) -> dict[str, Measure]:
    """What is measured of a game of OpenSpiel."""
    game = pyspiel.load_game(name)

    def loop(seed: int) -> Iterator[int]:
        bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(game.num_players())]
        number = seed
        while True:
            state, number = game.new_initial_state(), number + 1
            pyspiel.evaluate_bots(state, bots, number)
            yield state.move_number()

    def one_by_one(seed: int) -> Iterator[int]:
        rng = random.Random(seed)
        draw = rng.random
        while True:
            state, steps = game.new_initial_state(), 0
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, weights)[0])
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[int(draw() * len(actions))])
                steps += 1
            yield steps

    def batches(seed: int) -> Iterator[int]:
        rng = random.Random(seed)
        draw = rng.random
        envs = SyncVectorEnv([rl_environment.Environment(game) for _ in range(VECTOR)])
        steps = envs.reset()
        yield 0  # set up
        while True:
            chosen = []
            for step in steps:
                seen = step.observations
                actions = seen['legal_actions'][max(0, seen['current_player'])]
                chosen.append(StepOutput(actions[int(draw() * len(actions))], None))
            steps, _, _, _ = envs.step(chosen, reset_if_done=True)
            yield VECTOR

    return {
        'loop': lambda seconds, seed: timed(seconds, loop(seed)),
        'python': lambda seconds, seed: timed(seconds, one_by_one(seed)),
        'batch': lambda seconds, seed: timed(seconds, batches(seed)),
        'rollouts': lambda seconds, seed: mcts(game, seconds, seed),
    }


# ---- the run -----------------------------------------------------------------------------------------------


def run(names: list[str], rounds: int, seconds: float) -> dict[str, dict[str, list[float]]]:
    """Every game's rates, one for each round."""
    measures = {}
    for name in names:
        measures[name] = our_measures(name)
        measures |= {peer: their_measures(peer) for peer in PEERS.get(name, ())}
    rates: dict[str, dict[str, list[float]]] = {
        name: {kind: [] for kind in own} for name, own in measures.items()
    }
    for own in measures.values():
        for measure in own.values():
            measure(0.01, 0)  # compiles or loads
    for seed in range(1, rounds + 1):
        for kind in KINDS:
            for name, own in measures.items():
                if kind in own:
                    rates[name][kind].append(own[kind](seconds, seed))
    return rates


def ratio(ours: list[float], theirs: list[float]) -> float:
    """How many times as fast we are: the median of the rounds."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def figure(rate: float) -> str:
    """A rate with three digits that count."""
    digits = max(0, len(str(int(rate))) - 3)
    return f'{round(rate, -digits):,.0f}' if rate >= 100 else f'{rate:.3g}'


def tables(rates: dict[str, dict[str, list[float]]], names: list[str]) -> str:
    """Both tables in Markdown."""
    lines = ['| game | ' + ' | '.join(KINDS) + ' |', '| --- ' * (1 + len(KINDS)) + '|']
    for name, own in rates.items():
        title = f'**{load(name).title}**' if name in names else name
        cells = [figure(statistics.median(own[kind])) if own.get(kind) else '' for kind in KINDS]
        lines.append(f'| {title} | ' + ' | '.join(cells) + ' |')
    lines += ['', '| ours / theirs | loop | python | batch | rollouts |', '| --- ' * 5 + '|']
    for name in names:
        for peer in PEERS.get(name, ()):
            cells = [f'{ratio(rates[name][kind], rates[peer][kind]):.2g}' for kind in KINDS[:4]]
            lines.append(f'| {load(name).title} / {peer} | ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--game', choices=games(), action='append')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=float, default=0.5)
    parser.add_argument('--json', type=Path)
    given = parser.parse_args()
    names = given.game or list(games())
    began, load_before = datetime.datetime.now(datetime.UTC), os.getloadavg()[0]
    rates = run(names, given.rounds, given.seconds)
    facts = {
        'date': f'{began:%Y-%m-%d}',
        'python': platform.python_version(),
        **{name: importlib.metadata.version(name) for name in ('open_spiel', 'numba', 'numpy')},
        'machine': platform.machine(),
        'load': [round(load_before, 1), round(os.getloadavg()[0], 1)],
        'rounds': given.rounds,
        'seconds': given.seconds,
    }
    print(', '.join(f'{key} {value}' for key, value in facts.items()), end='\n\n')
    print(tables(rates, names))
    if given.json:
        given.json.write_text(json.dumps({**facts, 'rates': rates}, indent=1) + '\n', 'utf-8')


if __name__ == '__main__':
    main()
