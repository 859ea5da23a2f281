#!/usr/bin/env python3
"""A learner for any of the games: a small network in PyTorch, and trees of `ludoteca.search.Forest`.

    forest_learner.py learn --game mykerinos --minutes 60 --out net.pt
    forest_learner.py match --net net.pt --games 100 --level medium

It begins with LESSONS: games of a level's search, from which the network learns what the search preferred and
who won. Then it plays against itself: the network tells trees what it thinks of their leaves, the trees say
what is better, and the network learns that. PyTorch is not a dependency of Ludoteca: `pip install torch`.
"""

from __future__ import annotations

import argparse
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import nn

from ludoteca.batch import Env
from ludoteca.game import Game, load, start
from ludoteca.search import LEVELS, Forest, make_bot, stream, think

RATE = 1e-3  # of learning, at the beginning; it falls to nothing along half a wave of a cosine
KEPT = 400_000  # examples, the newest
FREE = 24  # actions of a game that are drawn by their visits; later ones are the best, but for one in twenty


class Network(nn.Module):
    """Observations to logits of all actions, and to what each seat can expect, counted from the mover."""

    def __init__(self, seen: int, actions: int, players: int, width: int = 384) -> None:
        super().__init__()
        self.first = nn.Linear(seen, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
            for _ in range(2)
        )
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, players)

    def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = torch.relu(self.first(obs))
        for block in self.blocks:
            x = x + block(x)
        x = torch.relu(x)
        return self.policy(x), torch.tanh(self.value(x))


def ask(net: Network, forest: Forest, simulations: int) -> None:
    """Search in all trees, until each has so many simulations."""
    seats = np.arange(forest.players)
    with torch.inference_mode():
        while forest.simulations[forest.running].min(initial=simulations) < simulations:
            obs, _ = forest.select()
            logits, values = net(torch.from_numpy(obs))
            # the network counts seats from the mover, the forest from 0
            at = (seats - forest.to_move[:, None]) % forest.players
            forest.backup(forest.softmax(logits), np.take_along_axis(values.numpy(), at, 1))


@dataclass
class Examples:
    """What the network learns from: the last `KEPT` decisions."""

    obs: list[np.ndarray] = field(default_factory=list)
    policy: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # actions, probabilities
    value: list[np.ndarray] = field(default_factory=list)
    games: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, begun: list[Any], rewards: np.ndarray) -> None:
        """The decisions of a finished game. What a seat could expect is half what the search said, and half
        what came of it."""
        with self.lock:
            self.games += 1
            for obs, actions, shares, seat, expected in begun:
                self.obs.append(obs)
                self.policy.append((actions, shares))
                self.value.append(np.roll((expected + rewards) / 2, -seat))
            for kept in (self.obs, self.policy, self.value):
                del kept[:-KEPT]

    def batch(self, size: int, actions: int, rng: np.random.Generator) -> list[torch.Tensor]:
        policy = np.zeros((size, actions), np.float32)
        with self.lock:
            rows = rng.integers(len(self.obs), size=size)
            for i, row in enumerate(rows):
                policy[i, self.policy[row][0]] = self.policy[row][1]
            obs = np.stack([self.obs[row] for row in rows]).astype(np.float32)
            value = np.stack([self.value[row] for row in rows]).astype(np.float32)
        return [torch.from_numpy(array) for array in (obs, policy, value)]


class Player:
    """Plays many games side by side, and keeps what is to be learned of them."""

    def __init__(self, game: Game, n: int, seed: int, examples: Examples) -> None:
        self.game, self.examples = game, examples
        self.env = Env(game.name, n, seed=seed, masks=False)
        self.step, self.begun = self.env.reset(), [[] for _ in range(n)]
        self.rng = np.random.default_rng(seed)

    def play(self, row: int, actions: np.ndarray, shares: np.ndarray, expected: np.ndarray) -> int:
        """Choose by what a search said of a row, and keep that."""
        begun = self.begun[row]
        if len(actions) > 1:
            seat, obs = int(self.step.to_move[row]), self.step.obs[row].astype(np.float16)
            begun.append((obs, actions.astype(np.int32), shares.astype(np.float16), seat, expected))
        if len(begun) <= FREE or self.rng.random() < 0.05:
            return int(self.rng.choice(actions, p=shares))
        return int(actions[np.argmax(shares)])

    def finish(self, actions: np.ndarray) -> None:
        """A step in all games; those that it ends are examples from now on."""
        self.step = self.env.step(actions)
        for row in np.flatnonzero(self.step.done):
            self.examples.add(self.begun[row], self.step.reward[row])
            self.begun[row] = []

    def lesson(self, simulations: int) -> None:
        """A step whose actions are chosen by the search of the levels."""
        chosen, players = np.zeros(self.env.n, np.int64), self.env.players
        for row in range(self.env.n):
            state = self.env.position(row).state
            if self.step.n_legal[row] == 1:
                chosen[row] = self.step.legal[row, 0]
                continue
            seed = int(self.rng.integers(1 << 40))
            found = think(
                self.game, state, settings=LEVELS['medium'].settings, simulations=simulations, seed=seed
            )
            visits = np.array(found.visits, np.float64)
            expected = (players * np.array(found.expected) - 1) / (players - 1)
            chosen[row] = self.play(row, np.array(found.actions), visits / visits.sum(), expected)
        self.finish(chosen)

    def self_play(self, net: Network, forest: Forest, simulations: int) -> None:
        """A step whose actions are chosen by the network and its trees."""
        ask(net, forest, simulations)
        found, values = forest.policy(), forest.values()
        chosen = np.zeros(self.env.n, np.int64)
        for row in range(self.env.n):
            part = slice(found.starts[row], found.starts[row + 1])
            shares = found.probabilities[part].astype(np.float64)
            expected = np.full(self.env.players, -values[row] / (self.env.players - 1))
            expected[self.step.to_move[row]] = values[row]
            chosen[row] = self.play(row, found.actions[part].copy(), shares / shares.sum(), expected)
        self.finish(chosen)
        forest.advance(np.where(self.step.done, -1, chosen), self.env)


def train(
    net: Network, optimizer: Any, examples: Examples, steps: int, rng: np.random.Generator
) -> list[float]:
    """So many steps of gradient descent; returns the means of the two losses."""
    net.train()
    sums = np.zeros(2)
    for _ in range(steps):
        obs, policy, value = examples.batch(256, net.policy.out_features, rng)
        logits, values = net(obs)
        losses = (
            -(policy * torch.log_softmax(logits, 1)).sum(1).mean(),
            ((values - value) ** 2).mean(),
        )
        optimizer.zero_grad()
        (losses[0] + losses[1]).backward()
        optimizer.step()
        sums += [float(loss.detach()) for loss in losses]
    net.eval()
    return (sums / max(1, steps)).tolist()


def learn(given: argparse.Namespace) -> None:
    """Lessons for half of the time, self-play for the rest."""
    torch.manual_seed(0)
    torch.set_num_threads(1)  # the players are side by side
    game, rng, examples = load(given.game), np.random.default_rng(0), Examples()
    players, passed = game.players[0], 0.0
    net = Network(game.observation_size, game.n_actions, players)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-4)
    began, seconds, reported = time.monotonic(), 60 * given.minutes, 0.0
    losses = [math.nan, math.nan]

    def report(what: str, losses: list[float]) -> None:
        torch.save({'game': game.name, 'net': net.state_dict()}, given.out)
        print(
            f'{(time.monotonic() - began) / 60:.1f} min by the clock, {time.process_time() / 60:.1f} of the '
            f'processor, {what}: {examples.games} games, losses {losses[0]:.3f} {losses[1]:.3f}',
            flush=True,
        )

    def play_and_learn(steps: list[Callable[[], None]], what: str) -> None:
        """A step of all players side by side, and learning meanwhile."""
        nonlocal losses, reported
        for group in optimizer.param_groups:
            group['lr'] = RATE * (1 + math.cos(math.pi * min(1.0, passed / seconds))) / 2
        playing = [pool.submit(step) for step in steps]
        if examples.obs:
            losses = train(net, optimizer, examples, given.threads, rng)
        for step in playing:
            step.result()
        if passed > reported + 60:
            reported = passed
            report(what, losses)

    with ThreadPoolExecutor(given.threads, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        lessons, games = [], []
        for i in range(given.threads):
            teacher = Player(game, given.rows, 100 + i, examples)
            lessons.append(partial(teacher.lesson, given.lesson_simulations))
            learner, noise = Player(game, given.rows, 200 + i, examples), (10 / 30, 0.25)
            forest = Forest(game, given.rows, 1_024, noise=noise, leaves=4, seed=300 + i, players=players)
            forest.plant(learner.env)
            games.append(partial(learner.self_play, net, forest, given.simulations))
        while (passed := time.monotonic() - began) < seconds * given.lessons:
            play_and_learn(lessons, 'lessons')
        if given.lessons:
            torch.save({'game': game.name, 'net': net.state_dict()}, f'{given.out}.lessons')
        while (passed := time.monotonic() - began) < seconds:
            play_and_learn(games, 'self-play')
    report('end', losses)


def match(given: argparse.Namespace) -> None:
    """Games against a level: each deal twice, with seats changed. Two players."""
    torch.set_num_threads(given.threads)
    kept = torch.load(given.net, weights_only=True)
    game, bot = load(kept['game']), make_bot(given.level)
    net = Network(game.observation_size, game.n_actions, 2)
    net.load_state_dict(kept['net'])
    net.eval()
    ours = np.arange(given.games) % 2  # the network's seat
    states = game.State.array(given.games)
    for i in range(given.games):
        states[i] = start(game, 2, f'{given.seed}/{i // 2}')
    nodes = max(2_048, given.simulations)
    forest, moves, out = Forest(game, given.games, nodes, leaves=4, seed=given.seed), 0, np.zeros(2)
    while not (states['ending'] != 0).all():
        moves += 1
        turn = np.flatnonzero((states['ending'] == 0) & (states['to_move'] == ours))
        if len(turn):
            asked = states.copy()
            asked['ending'][np.setdiff1d(np.arange(given.games), turn)] = 1
            forest.plant(asked)
            ask(net, forest, given.simulations)
            chosen = forest.choose(0)
            for i in turn:
                game.kernels.apply(states[i], int(chosen[i]))
        for i in np.flatnonzero((states['ending'] == 0) & (states['to_move'] != ours)):
            while not states[i].ending and states[i].to_move != ours[i]:
                known = states[i].copy()
                game.kernels.hide(known, int(states[i].to_move))
                seed = stream(f'{given.seed}/{i}', moves * 1000 + int(states[i].turn))
                game.kernels.apply(states[i], bot.choose(game, known, int(known.to_move), seed, None))
    won = 0.0
    for i in range(given.games):
        game.kernels.outcome(states[i], out)
        won += out[ours[i]]
    n, share, z = given.games, won / given.games, 1.96
    middle, half = share + z * z / 2 / n, z * math.sqrt(share * (1 - share) / n + z * z / 4 / n / n)
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    print(
        f'{won:g} of {n} games won against {given.level} with {given.simulations} simulations: '
        f'{share:.1%} ({low:.1%} to {high:.1%}), {time.process_time() / 60:.1f} min of the processor'
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser('learn')
    one.add_argument('--game', default='mykerinos')
    one.add_argument('--minutes', type=float, default=60.0)
    one.add_argument('--lessons', type=float, default=0.5, help='share of the time')
    one.add_argument('--lesson-simulations', type=int, default=800)
    one.add_argument('--simulations', type=int, default=64)
    one.add_argument('--rows', type=int, default=64)
    one.add_argument('--out', default='net.pt')
    one.set_defaults(run=learn)
    other = commands.add_parser('match')
    other.add_argument('--net', default='net.pt')
    other.add_argument('--games', type=int, default=100)
    other.add_argument('--level', default='medium')
    other.add_argument('--simulations', type=int, default=400)
    other.add_argument('--seed', type=int, default=0)
    other.set_defaults(run=match)
    for command in (one, other):
        command.add_argument('--threads', type=int, default=1)
    given = parser.parse_args()
    given.run(given)


if __name__ == '__main__':
    main()
