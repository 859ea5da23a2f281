#!/usr/bin/env python3
"""Simulations a second of trees for learners (`ludoteca.search.Forest`) without a network, beside those of
the search of the levels.

    forest.py                               every game: 256 trees with one leaf each, and 32 trees with eight
    forest.py --game myriath --simulations 200 --seconds 3

The learner says the same everywhere: equal priors, and values of 0. Rates are per second of processor time on
one thread; calls of `select` and `backup` are counted, games in between are not. The measurements of a game
take turns, so that their ratios bear other work on the machine.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np

from ludoteca.batch import Env
from ludoteca.game import games, load
from ludoteca.research.bench import midgame, search
from ludoteca.search import Forest

KINDS = {'256x1': (256, 1), '32x8': (32, 8)}  # trees, and leaves of each in a batch


def simulations_per_s(env: Env, forest: Forest, simulations: int, seconds: float) -> float:
    """So many simulations a tree and action, in games that go on by what was found."""
    values = np.zeros((forest.rows, forest.players), np.float32)
    priors = np.ones(forest.rows * forest.game.max_legal, np.float32)
    made, took = 0, 0.0
    env.reset()
    forest.plant(env)
    while took < seconds:
        before = int(forest.simulations.sum())
        began = time.process_time()
        while forest.simulations.min() < simulations:
            obs, legal = forest.select()
            forest.backup(priors[: len(legal.actions)], values[: len(obs)])
        took += time.process_time() - began
        made += int(forest.simulations.sum()) - before
        actions = forest.choose().copy()
        step = env.step(actions)
        forest.advance(np.where(step.done, -1, actions), env)
    return made / took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--game', choices=games(), action='append')
    parser.add_argument('--simulations', type=int, default=100)
    parser.add_argument('--seconds', type=float, default=1.0)
    parser.add_argument('--repeats', type=int, default=3)
    given = parser.parse_args()
    for name in given.game or games():
        game, players = load(name), load(name).players[0]
        found: dict[str, list[float]] = {kind: [] for kind in ('start', 'middle', *KINDS)}
        for seed in range(given.repeats):
            found['start'].append(search(game, midgame(game, players, 0, seed), given.seconds))
            found['middle'].append(search(game, midgame(game, players, 15, seed), given.seconds))
            for kind, (roots, leaves) in KINDS.items():
                env = Env(name, roots, players, seed=seed, observe=False, masks=False)
                forest = Forest(game, roots, 512, leaves=leaves, players=players)
                rate = simulations_per_s(env, forest, given.simulations, given.seconds)
                found[kind].append(rate)
        rates = {kind: statistics.median(of) for kind, of in found.items()}
        told = ', '.join(f'{kind} {rate:,.0f}' for kind, rate in rates.items())
        print(
            f'{name}: {told} simulations/s; 256x1 is {rates["256x1"] / rates["start"]:.2f} of start',
            flush=True,
        )


if __name__ == '__main__':
    main()
