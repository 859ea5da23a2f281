#!/usr/bin/env python3
"""Steps a second of a batch (`ludoteca.batch`), beside the rate of random play from lists.

    batch.py                                every game, 1,024 games side by side, fewest players
    batch.py --game octiles --n 256 --seconds 3

Rates are per second of processor time on one thread; the choice of the random actions is not counted. The
measurements of a game take turns, so that their ratios bear other work on the machine.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

from ludoteca.batch import Env
from ludoteca.game import games, load
from ludoteca.research.bench import random_play
from ludoteca.research.random_play import LIST

KINDS = {'full': (True, True), 'observed': (True, False), 'masked': (False, True), 'bare': (False, False)}


def steps_per_s(env: Env, seconds: float, rng: np.random.Generator) -> float:
    """How many games a second take a step, one random action each."""
    step, rows = env.reset(), np.arange(env.n)
    steps, took = 0, 0.0
    while took < seconds:
        actions = step.legal[rows, (rng.random(env.n) * step.n_legal).astype(np.int64)]
        began = time.process_time()
        step = env.step(actions)
        took += time.process_time() - began
        steps += env.n
    return steps / took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--game', choices=games(), action='append')
    parser.add_argument('--n', type=int, default=1024)
    parser.add_argument('--seconds', type=float, default=1.0)
    parser.add_argument('--repeats', type=int, default=3)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    for name in given.game or games():
        game, players = load(name), load(name).players[0]
        found: dict[str, list[float]] = {kind: [] for kind in ('lists', *KINDS)}
        for seed in range(given.repeats):
            found['lists'].append(random_play(game, players, LIST, seed, given.seconds)[0])
            for kind, (observe, masks) in KINDS.items():
                env = Env(name, given.n, players, seed=seed, observe=observe, masks=masks)
                found[kind].append(steps_per_s(env, given.seconds, rng))
        lists = statistics.median(found['lists'])
        rates = ', '.join(f'{kind} {statistics.median(rates):,.0f}' for kind, rates in found.items())
        shares = ', '.join(
            f'{kind} {statistics.median(found[kind]) / lists:.2f} of lists' for kind in ('full', 'bare')
        )
        print(f'{name}: {rates} steps/s; {shares}', flush=True)


if __name__ == '__main__':
    main()
