"""A slow PUCT search in plain Python, written from the description in docs/forest.md: dictionaries for nodes,
a new record for each state. `test_forest.py` holds `Forest` to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np

from ludoteca.game import Game, State
from ludoteca.kernel import Array, mix
from ludoteca.search import as_known

MOST_CODES = 32


def copied(s: State) -> State:
    return s.copy()


@dataclass
class Statistics:
    """Of a node, or of one of its actions, in one of the two sets of numbers."""

    visits: int = 0
    value: float = 0.0
    pending: int = 0
    available: int = 0
    prior: float | None = None  # of an action
    waiting: bool = False  # a node's leaf is with the learner
    grown: bool = False


@dataclass
class Spot:
    """A node: two sets of numbers (`own`, and `view` of what others do), and what lies below."""

    own: Statistics = field(default_factory=Statistics)
    view: Statistics = field(default_factory=Statistics)
    actions: dict[int, tuple[Statistics, Statistics]] = field(default_factory=dict)
    below: dict[tuple[int, int], dict[int, Spot]] = field(default_factory=dict)

    def of(self, views: bool) -> Statistics:
        return self.view if views else self.own


@dataclass
class Walk:
    """A simulation on its way, or a leaf of the batch."""

    spot: Spot | None
    views: bool = False  # is it counted in the second set?
    steps: list[tuple[Spot, int, int]] = field(default_factory=list)
    s: Any = None
    grows: bool = False
    other: bool = False
    raised: list[Statistics] = field(default_factory=list)

    def count(self, values: Any) -> None:
        """No longer pending; with values they are added."""
        for spot, action, mover in self.steps:
            for stats in (spot.of(self.views), spot.actions[action][self.views]):
                stats.pending -= 1
                if values is not None:
                    stats.visits += 1
                    stats.value += float(values[mover])


class SlowTree:
    """One tree of a forest without noise; its answers come from `network(obs, legal) -> weights, values`."""

    def __init__(
        self,
        game: Game,
        state: State,
        seed: int,
        *,
        c_puct: float,
        virtual_loss: float,
        leaves: int,
        unvisited: float | None,
    ) -> None:
        self.game, self.k = game, game.kernels
        self.seat = int(state.to_move)
        self.known = as_known(game, state, self.seat)
        self.seed, self.draws = seed, 0
        self.c_puct, self.loss, self.leaves, self.unvisited = c_puct, virtual_loss, leaves, unvisited
        self.root = Spot()

    def guessed(self, known: State, seat: int, seed: int) -> Any:
        found, work = copied(known), self.game.Work.new()
        self.k.prepare(found, seat, work)
        self.k.guess(found, seat, seed, work)
        return found

    def legal(self, s: Any) -> list[int]:
        out = np.zeros(self.game.max_legal, np.int32)
        return [int(action) for action in out[: self.k.legal_actions(s, out)]]

    # ---- choosing ------------------------------------------------------------------------------------------

    def best(self, spot: Spot, views: bool, legal: list[int]) -> int:
        node = spot.of(views)
        known = [action for action in legal if action in spot.actions]
        known = [action for action in known if spot.actions[action][views].prior is not None]
        fresh = self.unvisited if self.unvisited is not None else node.value / max(1, node.visits)
        total = 1.0
        if self.game.hidden:
            total = 0.0
            for action in known:
                total += spot.actions[action][views].prior or 0.0
        chosen, highest = -1, 0.0
        for action in known:
            stats = spot.actions[action][views]
            n = stats.visits + self.loss * stats.pending
            value = (stats.value - self.loss * stats.pending) / n if n > 0 else fresh
            if self.game.hidden:
                prior = (stats.prior or 0.0) / total if total > 0 else 1 / len(legal)
                score = value + self.c_puct * sqrt(stats.available) * prior / (1.0 + n)
            else:
                scale = self.c_puct * sqrt(node.visits + self.loss * node.pending)
                score = value + scale * (stats.prior or 0.0) / (1.0 + n)
            if chosen < 0 or score > highest:
                chosen, highest = action, score
        return chosen

    def drawn(self, spot: Spot, legal: list[int], dice: int) -> int:
        known = [a for a in legal if a in spot.actions and spot.actions[a][True].prior is not None]
        total = 0.0
        for action in known:
            total += spot.actions[action][True].visits + 0.01
        left, last = total * dice / 4294967296.0, -1
        for action in known:
            if left < 0.0:
                break
            left -= spot.actions[action][True].visits + 0.01
            last = action
        return last

    # ---- a simulation --------------------------------------------------------------------------------------

    def walk(self, w: Walk, how: str, chance: int, depth: int) -> str:
        """Walk on; returns 'leaf', 'over', 'halted' or 'met'."""
        hidden, w.grows, w.other = self.game.hidden, False, how == 'imagined'
        while True:
            if w.s.ending:
                return 'over'
            if w.spot is None:
                return 'leaf'
            own = int(w.s.to_move) == self.seat
            grow = not hidden or how == 'imagined' or own
            views = hidden and (how == 'imagined' or not own)
            node = w.spot.of(views)
            if grow and node.waiting:
                return 'met'
            if how == 'first' and not grow and (node.waiting or node.grown):
                return 'halted'
            legal = self.legal(w.s)
            if not node.grown and not node.waiting:
                if not grow and how == 'on':
                    return 'leaf'
                if len(legal) > 1 or not grow:
                    w.grows, w.other = True, views
                    return 'leaf'
                w.spot.actions.setdefault(legal[0], (Statistics(), Statistics()))[views].prior = 1.0
                node.grown = True
            known = [a for a in legal if a in w.spot.actions and w.spot.actions[a][views].prior is not None]
            if hidden and grow and len(known) < len(legal):
                w.grows, w.other = True, views
                return 'leaf'
            if not known:
                return 'leaf'
            if grow:
                if hidden:
                    for action in known:
                        w.spot.actions[action][views].available += 1
                        w.raised.append(w.spot.actions[action][views])
                action = self.best(w.spot, views, legal)
            else:
                action = self.drawn(w.spot, legal, mix(chance, depth))
            for stats in (w.spot.of(w.views), w.spot.actions[action][w.views]):
                stats.pending += 1
            mover, seen = int(w.s.to_move), action
            w.steps.append((w.spot, action, mover))
            depth += 1
            if hidden and mover != self.seat:
                seen = int(self.k.hide_action(w.s, action, self.seat))
            self.k.apply(w.s, action)
            code = int(self.k.revealed(w.s))
            if code < 0:
                w.spot = None
                continue
            merged = {} if seen == action else self.merged(w.spot)
            group = merged if seen != action else w.spot.below.setdefault((action, 0), {})
            key = code if seen == action else (code << 20) + seen + 2
            if key not in group:
                if len(group) >= MOST_CODES:
                    w.spot = None
                    continue
                group[key] = Spot()
            w.spot = group[key]

    @staticmethod
    def merged(spot: Spot) -> dict[int, Spot]:
        """What lies below actions that the seat cannot tell apart."""
        return spot.below.setdefault((-1, 1), {})

    def select(self) -> list[Walk]:
        """The walks that wait for an answer."""
        batch: list[Walk] = []
        for _ in range(self.leaves):
            number = self.draws
            self.draws += 1
            chance = mix(self.seed, 2 * number + 1)
            w = Walk(self.root, s=self.guessed(self.known, self.seat, mix(self.seed, 2 * number)))
            ended = self.walk(w, 'first', chance, 0)
            if ended == 'halted':
                mover = int(w.s.to_move)
                h = copied(w.s)
                self.k.hide(h, mover)
                imagined = Walk(w.spot, views=True, s=self.guessed(h, mover, mix(chance, 1)))
                self.settle(imagined, self.walk(imagined, 'imagined', mix(chance, 2), len(w.steps)), batch)
                ended = self.walk(w, 'on', chance, len(w.steps))
            self.settle(w, ended, batch)
            if ended == 'met':
                break
        return batch

    def settle(self, w: Walk, ended: str, batch: list[Walk]) -> None:
        if ended == 'leaf':
            if w.grows:
                assert w.spot is not None
                w.spot.of(w.other).waiting = True
            batch.append(w)
        elif ended == 'over':
            share = np.zeros(self.game.players[-1])
            self.k.outcome(w.s, share)
            n = int(w.s.players)
            w.count([(n * share[p] - 1) / (n - 1) for p in range(n)])
        else:
            for stats in w.raised:
                stats.available -= 1
            w.count(None)

    def backup(self, w: Walk, weights: Array, values: Array) -> None:
        """`weights` (float32) by legal action."""
        w.count(values)
        if w.spot is None:
            return
        node = w.spot.of(w.other)
        node.visits += 1
        node.value += float(values[int(w.s.to_move)])
        if not w.grows:
            return
        total = 0.0
        for weight in weights:
            total += float(weight)
        for action, weight in zip(self.legal(w.s), weights, strict=True):
            stats = w.spot.actions.setdefault(action, (Statistics(), Statistics()))[w.other]
            if stats.prior is None:
                stats.prior = float(np.float32(float(weight) / total))
        node.waiting, node.grown = False, True

    def visits(self) -> list[int]:
        return [
            self.root.actions[action][False].visits if action in self.root.actions else 0
            for action in self.legal(self.guessed(self.known, self.seat, 0))
        ]
