#!/usr/bin/env python3
"""A learner for any of the games: a small network in PyTorch, and trees of `ludoteca.search.Forest`.

    forest_learner.py learn --game myraclia --players 4 --minutes 60 --out net.pt
    forest_learner.py match --net net.pt --games 200 --level medium

It begins with LESSONS: games in which a search with the game's own estimates says what it prefers in each
position, and the network learns that and who won. The longer it has learned, the more often it chooses what
is played. Then, if it is told to, it plays against itself: the network tells trees what it thinks of their
leaves, the trees say what is better, and the network learns that. PyTorch is not a dependency of Ludoteca:
`pip install torch`.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import torch
from torch import nn

from ludoteca.batch import Env
from ludoteca.game import Game, load, start
from ludoteca.game.components import exchangeable, exported
from ludoteca.research.intervals import wilson
from ludoteca.search import Forest, make_bot, stream, think

RATE = 2e-3  # of learning, at the beginning; it falls to nothing along half a wave of a cosine
KEPT = 400_000  # examples, the newest
FREE = 24  # actions of a game that are drawn by their visits; later ones are the best, but for one in twenty
MOST = 100  # tokens of an axis
BATCH = 64  # examples of a step of gradient descent


def fractions(game: Game, players: int) -> np.ndarray:
    """Which numbers of an observation are not only 0 and 1 in random games."""
    env, rng, found = Env(game.name, 64, players, masks=False), np.random.default_rng(0), False
    step = env.reset()
    for _ in range(300):
        step = env.step(step.legal[np.arange(env.n), rng.integers(step.n_legal)])
        found = found | (step.obs != np.rint(step.obs)).any(0)
    return np.asarray(found)


def printed(game: Game, axis: str, length: int) -> np.ndarray:
    """What is printed on the components that an axis counts, if the game declares that: a row for each, 1 for
    each word, and numbers divided by 10."""
    entries = exported(game).get(f'{axis}s') if exchangeable(game) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return np.zeros((length, 0), np.float32)
    facts: list[dict[Any, float]] = [{} for _ in range(length)]
    for fact, entry in zip(facts, entries, strict=False):
        for key, value in entry.items():
            for word in value if isinstance(value, list) else [value]:
                number = isinstance(word, int | float)
                fact[key if number else (key, word)] = word / 10 if number else 1.0
    names = sorted({name for fact in facts for name in fact}, key=str)
    return np.array([[fact.get(name, 0.0) for name in names] for fact in facts], np.float32)


class Network(nn.Module):
    """Observations to logits of all actions, and to what each seat can expect, counted from the mover.

    An axis that the observation and the actions have in common, such as the tiles, has a token for each
    index: what is observed of it, what is printed on it, and a vector of its own. Numbers that are not only 0
    and 1, such as coordinates, are given as waves, too. One more token is for the whole observation. They
    attend to each other. The logit of an action is a sum of products: a vector of its kind, times one for its
    index on each axis, made of the token where the axis has some.
    """

    def __init__(self, game: Game, players: int, width: int = 64, layers: int = 2) -> None:
        super().__init__()
        self.kinds = [list(zip(part.axes, part.shape, strict=True)) for part in game.actions]
        played = {axis for kind in self.kinds for axis in kind}
        seen = {axis for part in game.observation for axis in zip(part.axes, part.shape, strict=True)}
        self.tokens = sorted(axis for axis in seen & played if axis[1] <= MOST)
        self.whole = nn.Linear(game.observation_size, width)
        self.bias = nn.Parameter(torch.zeros(game.n_actions))
        self.own, self.print, self.read = nn.ParameterList(), nn.ModuleList(), nn.ModuleList()
        fine = fractions(game, players)
        for k, (axis, length) in enumerate(self.tokens):
            parts, first = [], 0
            for part in game.observation:
                at = first + np.arange(part.size).reshape(part.shape)
                first += part.size
                if axis in part.axes:
                    parts.append(np.moveaxis(at, part.axes.index(axis), 0).reshape(length, -1))
            numbers, facts = np.concatenate(parts, 1), printed(game, axis, length)
            waved = numbers[:, fine[numbers].any(0)]
            for name, array in (('numbers', numbers), ('waved', waved), ('facts', facts)):
                self.register_buffer(f'{name}_{k}', torch.from_numpy(array), persistent=False)
            self.own.append(nn.Parameter(torch.randn(length, width) / 2))
            self.print.append(nn.Linear(facts.shape[1], width, bias=False))
            self.read.append(nn.Linear(numbers.shape[1] + 8 * waved.shape[1], width))
        layer = nn.TransformerEncoderLayer(width, 4, 2 * width, 0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        square = partial(nn.Linear, width, width)
        self.kind = nn.ModuleList(square() for _ in self.kinds)
        self.factors = nn.ModuleList(
            nn.ModuleList(square() if axis in self.tokens else nn.Embedding(axis[1], width) for axis in kind)
            for kind in self.kinds
        )
        self.value = nn.Sequential(nn.Linear(2 * width, 2 * width), nn.ReLU(), nn.Linear(2 * width, players))

    def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        whole = self.whole(obs)
        x = [whole[:, None]]
        for k, (own, facts, read) in enumerate(zip(self.own, self.print, self.read, strict=True)):
            waved = math.pi * obs[:, getattr(self, f'waved_{k}')]
            waves = [wave(2**i * waved) for i in range(1, 5) for wave in (torch.sin, torch.cos)]
            numbers = torch.cat([obs[:, getattr(self, f'numbers_{k}')], *waves], 2)
            x.append(torch.relu(read(numbers) + own + facts(getattr(self, f'facts_{k}'))))
        first, *rest = self.encoder(torch.cat(x, 1)).split([1, *(length for _, length in self.tokens)], 1)
        tokens, logits = dict(zip(self.tokens, rest, strict=True)), []
        for kind, own, factors in zip(self.kinds, self.kind, self.factors, strict=True):
            out, last = own(first) / math.sqrt(first.shape[2]), torch.ones(1, 1, first.shape[2])
            for axis, factor in zip(kind, factors, strict=True):
                out = (out[:, :, None] * last[:, None]).flatten(1, 2)
                last = factor(tokens[axis]) if axis in tokens else factor.weight[None]
            logits.append((out @ last.transpose(1, 2)).flatten(1))
        both = torch.relu(torch.cat([whole, first[:, 0]], 1))
        return torch.cat(logits, 1) + self.bias, torch.tanh(self.value(both))


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
    """What the network learns from: the last `KEPT` decisions, each an observation, the legal actions, their
    shares, and what each seat could expect, counted from the mover."""

    kept: list[tuple[np.ndarray, ...]] = field(default_factory=list)
    games: int = 0

    def add(self, begun: list[Any], rewards: np.ndarray) -> None:
        """The decisions of a finished game. What a seat could expect is half what the search said, and half
        what came of it."""
        self.games += 1
        self.kept += [(*seen, np.roll((expected + rewards) / 2, -seat)) for *seen, seat, expected in begun]
        del self.kept[:-KEPT]

    def batch(self, size: int, rng: np.random.Generator) -> list[torch.Tensor]:
        """Some of them, drawn at random. Lists of actions end with -1."""
        drawn = [self.kept[row] for row in rng.integers(len(self.kept), size=size)]
        most = max(len(actions) for _, actions, _, _ in drawn)
        legal, policy = np.full((size, most), -1, np.int64), np.zeros((size, most), np.float32)
        for i, (_, actions, shares, _) in enumerate(drawn):
            legal[i, : len(actions)], policy[i, : len(actions)] = actions, shares
        obs, value = (np.stack([row[k] for row in drawn]).astype(np.float32) for k in (0, 3))
        return [torch.from_numpy(array) for array in (obs, legal, policy, value)]


class Player:
    """Plays many games side by side, and keeps what is to be learned of them."""

    def __init__(self, env: Env, seed: int, examples: Examples) -> None:
        self.env, self.examples = env, examples
        self.step, self.begun = env.reset(), [[] for _ in range(env.n)]
        self.rng = np.random.default_rng(seed)

    def play(self, row: int, actions: np.ndarray, shares: np.ndarray, expected: np.ndarray) -> int:
        """Choose by what a search said of a row, and keep that."""
        begun = self.begun[row]
        if len(actions) > 1:
            obs, seat = self.step.obs[row].astype(np.float16), int(self.step.to_move[row])
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

    def lesson(self, net: Network, simulations: int, share: float) -> None:
        """A step in which the search of the levels says what is best, and the network chooses this share of
        the actions: so it is corrected in positions to which it leads."""
        legal, players = self.step.legal, self.env.players
        with torch.inference_mode():
            logits = net(torch.from_numpy(self.step.obs))[0].numpy()
        found = np.take_along_axis(logits, np.maximum(legal, 0), 1) + self.rng.gumbel(size=legal.shape)
        chosen = legal[np.arange(self.env.n), np.argmax(np.where(legal < 0, -np.inf, found), 1)]
        for row in np.flatnonzero(self.step.n_legal > 1):
            state, seed = self.env.position(row).state, int(self.rng.integers(1 << 40))
            said = think(self.env.game, state, simulations=simulations, seed=seed)
            visits = np.array(said.visits, np.float64)
            expected = (players * np.array(said.expected) - 1) / (players - 1)
            best = self.play(row, np.array(said.actions), visits / visits.sum(), expected)
            if self.rng.random() >= share:
                chosen[row] = best
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
        obs, legal, policy, value = examples.batch(BATCH, rng)
        logits, values = net(obs)
        among = logits.gather(1, legal.clamp(min=0)).masked_fill(legal < 0, -1e9)
        losses = -(policy * torch.log_softmax(among, 1)).sum(1).mean(), ((values - value) ** 2).mean()
        optimizer.zero_grad()
        (losses[0] + losses[1]).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        sums += [float(loss.detach()) for loss in losses]
    net.eval()
    return (sums / max(1, steps)).tolist()


def learn(given: argparse.Namespace) -> None:
    """Lessons for a share of the time, self-play for the rest. Each example is learned from about twice."""
    torch.manual_seed(0)
    torch.set_num_threads(given.threads)
    game, rng, examples = load(given.game), np.random.default_rng(0), Examples()
    players, passed, reported = given.players or game.players[0], 0.0, 0.0
    net, losses = Network(game, players), [math.nan, math.nan]
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-4)
    pupil, learner = (
        Player(Env(game.name, given.rows, players, seed=seed), seed, examples) for seed in (1, 2)
    )
    forest = Forest(game, given.rows, noise=(10 / 30, 0.25), leaves=4, seed=3, players=players)
    forest.plant(learner.env)
    began, seconds = time.monotonic(), 60 * given.minutes
    while (passed := time.monotonic() - began) < seconds:
        for group in optimizer.param_groups:
            group['lr'] = RATE * (1 + math.cos(math.pi * passed / seconds)) / 2
        if passed < seconds * given.lessons:
            pupil.lesson(net, given.lesson_simulations, passed / seconds)
        else:
            learner.self_play(net, forest, given.simulations)
        if examples.kept:
            losses = train(net, optimizer, examples, max(1, 2 * given.rows // BATCH), rng)
        if passed > reported + 60:
            reported = passed
            report(given, net, examples, losses, passed)
    report(given, net, examples, losses, passed)


def report(
    given: argparse.Namespace, net: Network, examples: Examples, losses: list[float], passed: float
) -> None:
    """Keep the network, and say how far it is."""
    torch.save({'game': given.game, 'players': given.players, 'net': net.state_dict()}, given.out)
    print(
        f'{passed / 60:.1f} min by the clock, {time.process_time() / 60:.1f} of the processor: '
        f'{examples.games} games, losses {losses[0]:.3f} {losses[1]:.3f}',
        flush=True,
    )


def match(given: argparse.Namespace) -> None:
    """Games against a level. The network has half of the seats, if their number is odd one more in every
    other game: each deal is played twice, the second time with all seats exchanged."""
    torch.set_num_threads(given.threads)
    kept = torch.load(given.net, weights_only=True)
    game, bot = load(kept['game']), make_bot(given.level)
    players = kept['players'] or game.players[0]
    net = Network(game, players)
    net.load_state_dict(kept['net'])
    net.eval()
    halves, states = list(combinations(range(players), players // 2)), game.State.array(given.games)
    ours = np.zeros((given.games, players), bool)
    for i in range(given.games):
        states[i] = start(game, players, f'{given.seed}/{i // 2}')
        ours[i, list(halves[i // 2 % len(halves)])] = True
        ours[i] ^= bool(i % 2)
    forest = Forest(
        game, given.games, max(2_048, given.simulations), leaves=4, seed=given.seed, players=players
    )
    rows, moves = np.arange(given.games), 0
    while (playing := states['ending'] == 0).any():
        moves += 1
        turn = playing & ours[rows, states['to_move']]
        if turn.any():
            asked = states.copy()
            asked['ending'][~turn] = 1
            forest.plant(asked)
            ask(net, forest, given.simulations)
            chosen = forest.choose(0)
            for i in np.flatnonzero(turn):
                game.kernels.apply(states[i], int(chosen[i]))
        for i in np.flatnonzero(playing & ~turn):
            known, seat = states[i].copy(), int(states[i].to_move)
            game.kernels.hide(known, seat)
            seed = stream(f'{given.seed}/{i}', moves)
            game.kernels.apply(states[i], bot.choose(game, known, seat, seed, None))
    won, out = 0.0, np.zeros(game.players[-1])
    for i in range(given.games):
        game.kernels.outcome(states[i], out)
        won += out[:players][ours[i]].sum()
    low, high = wilson(won, given.games)
    print(
        f'{won:g} of {given.games} games won against {given.level} with {given.simulations} simulations, '
        f'{won / given.games:.1%} ({low:.1%} to {high:.1%}): '
        f'{time.process_time() / 60:.1f} min of the processor'
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    one, other = commands.add_parser('learn'), commands.add_parser('match')
    one.set_defaults(run=learn)
    other.set_defaults(run=match)
    # lessons: their share of the time; without a number of players it is the lowest
    first = {'game': 'myraclia', 'players': 0, 'minutes': 60.0, 'lessons': 1.0, 'lesson-simulations': 16}
    for name, default in (first | {'simulations': 64, 'rows': 64, 'threads': 1, 'out': 'net.pt'}).items():
        one.add_argument(f'--{name}', type=type(default), default=default)
    second = {'net': 'net.pt', 'games': 200, 'level': 'medium', 'simulations': 64, 'threads': 1, 'seed': 0}
    for name, default in second.items():
        other.add_argument(f'--{name}', type=type(default), default=default)
    given = parser.parse_args()
    given.run(given)


if __name__ == '__main__':
    main()
