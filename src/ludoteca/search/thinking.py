"""Run a search and read its tree: the one result that bots, hints, evaluation and analysis share."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from ludoteca.game import Game, GameError, State, committed
from ludoteca.kernel.compile import is_interpreted
from ludoteca.search.levels import SearchSettings
from ludoteca.search.tree import bind, make_rules, make_tree
from ludoteca.text import words

CHUNK = 200  # simulations between two looks at the clock
INTERPRETED_CHUNK = 5  # the same while kernels are interpreted; results do not depend on it
# of one tree, 64 bytes each (128 in games with secrets); memory is taken only as the tree grows
MOST_NODES = 1 << 20
LINE_VISITS = 8  # a main line ends where it rests on fewer simulations
SETTLED_LOOKS = 25  # a search that may end early looks so often at whether it is settled

_stopped: ContextVar[Callable[[], bool]] = ContextVar('stopped', default=lambda: False)


@contextmanager
def stopped_by(stop: Callable[[], bool]) -> Iterator[None]:
    """Within this context every search asks `stop` between its chunks and ends early when it answers True."""
    token = _stopped.set(stop)
    try:
        yield
    finally:
        _stopped.reset(token)


@dataclass(frozen=True)
class SearchResult:
    """What a search found at a position, for the seat to move. Actions are ascending and all tuples are in
    their order."""

    seat: int
    actions: tuple[int, ...]
    names: tuple[str, ...]
    visits: tuple[int, ...]
    # [action][seat]: expected outcome after it; nan if it was never tried
    values: tuple[tuple[float, ...], ...]
    # [seat]: expected outcome of the position, the best action being played
    expected: tuple[float, ...]
    # index of the action with most visits; ties: higher value, then lower action
    best: int
    # main line: names of actions up to where it depends on what is not known yet
    line: tuple[str, ...]
    line_actions: tuple[int, ...]
    simulations: int
    seconds: float

    @property
    def action(self) -> int:
        """The best action."""
        return self.actions[self.best]

    def value(self, i: int) -> float:
        """Expected outcome of the i-th action for the seat to move."""
        return self.values[i][self.seat]

    def ranking(self) -> list[int]:
        """Indices of the actions, the best first."""
        tried = [self.value(i) if self.visits[i] else -1.0 for i in range(len(self.actions))]
        return sorted(range(len(self.actions)), key=lambda i: (-self.visits[i], -tried[i], self.actions[i]))

    def json(self) -> dict[str, Any]:
        """The result as plain data, the best action first."""
        actions = [
            {
                'name': self.names[i],
                'visits': self.visits[i],
                'values': [round(v, 4) for v in self.values[i]] if self.visits[i] else None,
            }
            for i in self.ranking()
        ]
        return {
            'seat': self.seat,
            'expected': [round(v, 4) for v in self.expected],
            'line': list(self.line),
            'actions': actions,
            'simulations': self.simulations,
            'seconds': round(self.seconds, 3),
        }


def as_known(game: Game, state: State, seat: int) -> State:
    """A copy of the state as a seat that is to choose in it knows it."""
    known = state.copy()
    if state.phase in game.sealed:
        game.kernels.mover_view(known, seat)
    else:
        game.kernels.hide(known, seat)
    return known


def stream(seed: int | str, number: int) -> int:
    """A 62-bit seed of the `number`-th of several streams that have one seed in common."""
    return int.from_bytes(hashlib.blake2b(f'{seed}/{number}'.encode(), digest_size=8).digest(), 'little') >> 2


def think(
    game: Game,
    state: State,
    seat: int | None = None,
    *,
    settings: SearchSettings | None = None,
    simulations: int | None = None,
    seconds: float | None = None,
    deadline: float | None = None,
    seed: int | str = 0,
    threads: int = 1,
    until_settled: bool = False,
) -> SearchResult:
    """Search the best action of the seat to move.

    `state` is taken as that seat knows it (`as_known`), so that no more than that can matter. The search ends
    after `simulations` in all (shared by `threads` trees that are merged), after `seconds`, or at `deadline`
    (of time.monotonic()), whichever comes first; at least one of them must be given. With `until_settled` a
    search with one thread also ends as soon as no other action could be visited as often by then, at the
    speed that it has had: the best action would stay the best.
    The same hidden state, seed, simulations and threads give the same result if time does not end it. Raises
    GameError if the game is over or another seat is to move.
    """
    begin = time.monotonic()
    if state.ending:
        raise GameError(words('search.error.over'))
    seat = int(state.to_move) if seat is None else seat
    if seat != state.to_move:
        raise GameError(words('search.error.seat', to_move=state.to_move, seat=seat))
    if simulations is None and seconds is None and deadline is None:
        raise GameError(words('search.error.no_end'))
    ends = [end for end in (deadline, None if seconds is None else begin + seconds) if end is not None]
    end = min(ends, default=None)
    root = as_known(game, state, seat)
    settings = settings or SearchSettings()
    shares = [
        None if simulations is None else simulations // threads + (k < simulations % threads)
        for k in range(threads)
    ]
    seeds = [stream(seed, k) for k in range(threads)]
    stop = _stopped.get()
    if threads == 1:
        trees = [_grow(game, root, seat, settings, shares[0], end, seeds[0], stop, until_settled)]
    else:
        with ThreadPoolExecutor(threads) as pool:
            trees = list(
                pool.map(
                    lambda k: _grow(game, root, seat, settings, shares[k], end, seeds[k], stop, False),
                    range(threads),
                )
            )
    return _read(game, root, seat, trees, begin)


def _grow(
    game: Game,
    root: State,
    seat: int,
    settings: SearchSettings,
    simulations: int | None,
    end: float | None,
    seed: int,
    stop: Callable[[], bool],
    until_settled: bool,
) -> SimpleNamespace:
    """A tree of its own. At least one chunk is done, so that there is always an answer."""
    bound, rules = bind(game), make_rules(settings, game)
    room = MOST_NODES if simulations is None else min(MOST_NODES, 2 * game.max_legal * (simulations + 2))
    memory = make_tree(game, room, game.players[-1])
    game.kernels.prepare(root, seat, memory.knowledge)
    begin = looked = time.monotonic()
    while True:
        done, most = int(memory.tree.simulations), INTERPRETED_CHUNK if is_interpreted(game.folder) else CHUNK
        chunk = most if simulations is None else min(most, simulations - done)
        if chunk <= 0:
            return memory
        bound.simulate(
            root,
            seat,
            memory.states,
            memory.knowledge,
            memory.imagined,
            memory.work,
            memory.nodes,
            memory.views,
            memory.tree,
            rules,
            seed,
            memory.path,
            memory.lists,
            memory.result,
            memory.worth,
            memory.totals,
            chunk,
        )
        now = time.monotonic()
        if (end is not None and now >= end) or stop():
            return memory
        if until_settled and end is not None and now - looked >= (end - begin) / SETTLED_LOOKS:
            looked = now
            if _is_settled(memory, simulations, (end - now) / (now - begin)):
                return memory


def _is_settled(memory: SimpleNamespace, simulations: int | None, left: float) -> bool:
    """Can no other action be visited as often as the one that leads, even by all simulations that there is
    still time for? `left`: how much time, as a multiple of what was used."""
    done = int(memory.tree.simulations)
    more = done * left if simulations is None else min(simulations - done, done * left)
    visits = sorted(int(memory.nodes[child].visits) for child in _children(memory.nodes, 0))
    return len(visits) < 2 or visits[-1] - visits[-2] > more


def _children(nodes: Any, node: int) -> Iterator[int]:
    child = int(nodes[node].first)
    while child:
        yield child
        child = int(nodes[child].next)


def _read(game: Game, root: State, seat: int, trees: list[SimpleNamespace], begin: float) -> SearchResult:
    """Merge the trees: all have the legal actions of the root as their first nodes, ascending."""
    players = int(root.players)
    actions = [int(trees[0].nodes[child].action) for child in _children(trees[0].nodes, 0)]
    visits = np.zeros(len(actions), np.int64)
    totals = np.zeros((len(actions) + 1, players))
    for memory in trees:
        visits += [int(memory.nodes[child].visits) for child in _children(memory.nodes, 0)]
        totals += memory.totals[: len(actions) + 1, :players]
    with np.errstate(invalid='ignore'):
        values = totals[1:] / visits[:, None]
    worth = np.where(visits > 0, values[:, seat], -1.0)
    best = min(range(len(actions)), key=lambda i: (-visits[i], -worth[i]))
    line = _main_line(game, root, seat, trees, actions[best])
    return SearchResult(
        seat,
        tuple(actions),
        tuple(game.action_name(root, action) for action in actions),
        tuple(visits.tolist()),
        tuple(tuple(row) for row in values.tolist()),
        tuple(values[best].tolist()),
        best,
        tuple(name for _, name in line),
        tuple(action for action, _ in line),
        sum(int(memory.tree.simulations) for memory in trees),
        time.monotonic() - begin,
    )


def _main_line(
    game: Game, root: State, seat: int, trees: list[SimpleNamespace], action: int
) -> list[tuple[int, str]]:
    """The most visited way down the largest tree that began with `action`, up to the first reveal, and in
    games with secrets up to the end of the seat's own turn."""

    def visited(memory: SimpleNamespace) -> int:
        return max(
            int(memory.nodes[child].visits)
            for child in _children(memory.nodes, 0)
            if memory.nodes[child].action == action
        )

    memory = max(trees, key=visited)
    nodes, k = memory.nodes, game.kernels
    states = game.State.array(2)
    states[0] = root
    state = states[0]
    k.prepare(root, seat, memory.knowledge)
    # rules are for whole positions; the line ends before a guess could matter
    k.guess(state, seat, 0, memory.knowledge)
    line = [(action, game.action_name(state, action))]
    node = next(child for child in _children(nodes, 0) if nodes[child].action == action)
    while True:
        states[1] = states[0]
        k.apply(state, action)
        if (
            state.ending
            or k.revealed(state)
            or state.reveals != states[1].reveals
            or (game.hidden and committed(states[1], state))
        ):
            return line
        if nodes[node].then and action != nodes[node].then - 1:
            action = int(nodes[node].then) - 1
        else:
            node = max(_children(nodes, node), key=lambda child: int(nodes[child].visits), default=0)
            if node == 0 or nodes[node].visits < LINE_VISITS:
                return line
            action = int(nodes[node].action)
        line.append((action, game.action_name(state, action)))
