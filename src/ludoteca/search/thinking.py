"""Run a search and read its tree: the one result that bots, hints, evaluation and analysis share."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludoteca.game import Game, GameError, State, committed
from ludoteca.kernel import Array, Floats
from ludoteca.kernel.compile import is_interpreted
from ludoteca.search.known import as_known
from ludoteca.search.levels import SearchSettings
from ludoteca.search.nodes import SearchMemory, make_memory, make_rules, note_scores
from ludoteca.search.simulate import bind
from ludoteca.search.turn_memory import TurnMemory, children
from ludoteca.text import words

CHUNK = 200  # simulations between two looks at the clock
INTERPRETED_CHUNK = 5  # the same while kernels are interpreted; results do not depend on it
# of one tree, of 80 bytes each with its score (144 in games with secrets); used only as the tree grows
MOST_NODES = 1 << 20
LINE_VISITS = 8  # a main line ends at a node with fewer visits
FORCED = 1e30  # an estimate that no other child of the root comes near
SETTLED_LOOKS = 25  # how often a search that may end early looks whether it is settled

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
    reused: int = 0  # of the simulations those that an earlier action of the turn has left

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


def stream(seed: int | str, number: int) -> int:
    """The 62-bit seed of the `number`-th of several streams that are derived from one seed."""
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
    memory: TurnMemory | None = None,
    only: int | None = None,
) -> SearchResult:
    """Search for the best action of the seat to move.

    The search starts from what that seat knows of `state` (`as_known`), so that nothing else can matter. The
    search ends after `simulations` in all, after `seconds`, or at `deadline` (of time.monotonic()), whichever
    comes first; at least one of them must be given. With `until_settled` a search with one thread also ends
    as soon as the best action is certain to stay the best: when, at the speed so far, no other action could
    still be visited as often.

    The same hidden state, seed and simulations give the same result if time does not end it and there is one
    thread. Several `threads` grow one tree in open games, and who comes first where depends on time. In games
    with secrets each grows a tree of its own, and the trees are merged: the marks of what is legal in a guess
    belong to one walk at a time. There the result depends on the number of threads and not on time.

    With `memory` a search with one thread goes on from what that holds of this very position, and leaves its
    tree there. Its `simulations` then are those of the tree, and the result also depends on the searches
    before. What a reused simulation gave the seats that are not to move is not known: they share what is left
    as the new simulations say.

    With `only`, an action that is legal, all simulations but the first begin with it, so that its value is as
    well known as that of the best one is without. It is for one thread, and no tree is kept.

    Raises GameError if the game is over or another seat is to move, if `only` is not legal, and for fewer
    simulations or threads than one, or less time than none.

    >>> import ludoteca
    >>> position = ludoteca.new('octiles', players=2, seed=10)
    >>> result = think(position.game, position.state, simulations=500, seed=1)
    >>> result.action in position.actions(), round(sum(result.expected), 6)
    (True, 1.0)
    """
    begin = time.monotonic()
    if state.ending:
        raise GameError(words('search.error.over'))
    seat = int(state.to_move) if seat is None else seat
    if seat != state.to_move:
        raise GameError(words('search.error.seat', to_move=state.to_move, seat=seat))
    if simulations is None and seconds is None and deadline is None:
        raise GameError(words('search.error.no_end'))
    if simulations is not None and simulations < 1:
        raise GameError(words('search.error.simulations', simulations=simulations))
    if seconds is not None and not seconds >= 0:
        raise GameError(words('search.error.seconds', seconds=seconds))
    if threads < 1:
        raise GameError(words('search.error.threads', threads=threads))
    if simulations is not None:
        threads = min(threads, simulations)
    ends = [end for end in (deadline, None if seconds is None else begin + seconds) if end is not None]
    search = _Search(
        game=game,
        root=as_known(game, state, seat),
        seat=seat,
        settings=settings or SearchSettings(),
        simulations=simulations,
        end=min(ends, default=None),
        seed=seed,
        stop=_stopped.get(),
    )
    if threads == 1:
        jobs = [_Job(search, turn=memory)]
        if only is not None:
            jobs[0].force(only)
        jobs[0].grow(until_settled)
    elif game.hidden:
        jobs = [_Job(search.share(k, threads), k) for k in range(threads)]
        _grow_all(jobs)
    else:
        jobs = _sharing(search, threads)
        jobs[0].run(1)  # the root gets its children before there is anybody to share them with
        _grow_all(jobs)
    return _read(game, search.root, seat, [job.memory for job in jobs], begin)


@dataclass(frozen=True)
class _Search:
    """What is searched and how, and when that ends."""

    game: Game
    root: State  # as its seat knows it
    seat: int
    settings: SearchSettings
    simulations: int | None
    end: float | None
    seed: int | str
    stop: Callable[[], bool]

    def share(self, k: int, threads: int) -> _Search:
        """What the `k`-th of several threads does of it."""
        if self.simulations is None:
            return self
        return replace(self, simulations=self.simulations // threads + (k < self.simulations % threads))

    def make_memory(self, threads: int = 1, more: int = 0) -> list[SearchMemory]:
        """Memory for threads that share a tree, with room for some nodes more than those of the search."""
        rules = make_rules(self.settings, self.game, int(self.root.players))
        most = MOST_NODES
        if self.simulations is not None:
            most = min(most, 2 * self.game.max_legal * (self.simulations + 2))
        return make_memory(self.game, rules, most + more, threads)


class _Quota:
    """The simulations that are left to do, handed out to threads in chunks."""

    def __init__(self, simulations: int | None) -> None:
        self._left, self._lock = simulations, threading.Lock()

    def take(self, most: int) -> int:
        """How many to do next, `most` at most; 0: none is left."""
        with self._lock:
            if self._left is None:
                return most
            taken = max(0, min(most, self._left))
            self._left -= taken
            return taken


class _Job:
    """What one thread does for a search: it grows a tree of its own, or one that it shares."""

    def __init__(
        self,
        search: _Search,
        number: int = 0,
        memory: SearchMemory | None = None,
        quota: _Quota | None = None,
        turn: TurnMemory | None = None,
    ) -> None:
        """`memory` and `quota`: those of the thread of this number, which shares its tree."""
        game, root, seat = search.game, search.root, search.seat
        self.search, self.seed = search, stream(search.seed, number)
        self.simulate = bind(game, search.settings.edition, memory is not None).simulate
        self.turn, self.key = turn, (game.name, seat, search.settings)
        self.goes_on = turn is not None and turn.fits(self.key, root)
        self.memory = memory or search.make_memory(more=turn.size if turn and self.goes_on else 0)[0]
        self.quota = quota or _Quota(search.simulations)
        game.kernels.prepare(root, seat, self.memory.knowledge)

    def run(self, most: int) -> bool:
        """Do a chunk of simulations, if any is left."""
        chunk = self.quota.take(most)
        if chunk > 0:
            self.simulate(self.memory, self.search.root, self.search.seat, self.seed, chunk)
        return chunk > 0

    def force(self, action: int) -> None:
        """Let all simulations from the second on begin with an action. Raises GameError if it is not
        legal."""
        self.run(1)  # makes the children of the root
        nodes = self.memory.nodes
        found = [child for child in children(nodes, 0) if nodes[child].action == action]
        if not found:
            raise GameError(words('search.error.only', action=action))
        nodes[found[0]].estimate = FORCED
        self._note_scores()

    def _note_scores(self) -> None:
        """Nodes were changed from outside."""
        if not self.search.game.hidden:
            used = int(self.memory.tree.used)
            note_scores(self.memory.nodes[:used], self.memory.scores[:used], self.memory.rules)

    def grow(self, until_settled: bool = False) -> None:
        """Grow the tree to the end. At least one chunk is done, so that there is always an answer."""
        if self.turn is not None and self.goes_on:
            self.run(1)  # makes the children of the root
            self.turn.graft(self.memory)
            self._note_scores()
            self.quota.take(int(self.memory.reused[:, 0].sum()))
        self._grow(until_settled)
        if self.turn is not None:
            self.turn.keep(self.key, self.search.root, self.memory)

    def _grow(self, until_settled: bool) -> None:
        end, begin = self.search.end, time.monotonic()
        most = INTERPRETED_CHUNK if is_interpreted(self.search.game.home) else CHUNK
        looked = begin
        while self.run(most):
            now = time.monotonic()
            if (end is not None and now >= end) or self.search.stop():
                return
            if until_settled and end is not None and now - looked >= (end - begin) / SETTLED_LOOKS:
                looked = now
                if _is_settled(self.memory, self.search.simulations, (end - now) / (now - begin)):
                    return


def _sharing(search: _Search, threads: int) -> list[_Job]:
    """Jobs for several threads on one tree."""
    quota = _Quota(search.simulations)
    return [_Job(search, k, memory, quota) for k, memory in enumerate(search.make_memory(threads))]


def _grow_all(jobs: list[_Job]) -> None:
    """Let every job run in a thread of its own."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        for done in [pool.submit(job.grow) for job in jobs]:
            done.result()


def _is_settled(memory: SearchMemory, simulations: int | None, left: float) -> bool:
    """Is it certain that no other action can be visited as often as the leading one, even by all simulations
    for which there is time? `left`: the time left, as a multiple of the time used."""
    done = int(memory.tree.simulations)
    new = done - memory.reused[:, 0].sum()
    more = new * left if simulations is None else min(simulations - done, new * left)
    visits = sorted(int(memory.nodes[child].visits) for child in children(memory.nodes, 0))
    return len(visits) < 2 or visits[-1] - visits[-2] > more


def _read(game: Game, root: State, seat: int, trees: list[SearchMemory], begin: float) -> SearchResult:
    """Merge the trees: all have the legal actions of the root as their first nodes, ascending. Trees may have
    their nodes in common."""
    players = int(root.players)
    actions: list[int] = trees[0].nodes['action'][children(trees[0].nodes, 0)].tolist()
    visits = np.zeros(len(actions), np.int64)
    totals = np.zeros((len(actions) + 1, players))
    for nodes in {id(memory.nodes): memory.nodes for memory in trees}.values():
        visits += nodes['visits'][children(nodes, 0)]
    for memory in trees:
        totals += memory.totals[: len(actions) + 1, :players]
    reused = trees[0].reused[: len(actions)]
    with np.errstate(invalid='ignore'):
        values = totals[1:] / (visits - reused[:, 0])[:, None]
        if reused.any():
            values = _with_reused(values, totals[1:, seat], visits, reused, seat)
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
        int(reused[:, 0].sum()),
    )


def _with_reused(values: Floats, own: Floats, visits: Array, reused: Floats, seat: int) -> Floats:
    """The values of actions, shape (actions, seats), from those of the new simulations: with what the reused
    ones add for the seat to move. The others share what is left as before, and evenly if nothing is known of
    them."""
    values = np.where(np.isnan(values), 1 / values.shape[1], values)
    rest = values.sum(axis=1) - values[:, seat]
    known = (own + reused[:, 1]) / visits
    even = np.full_like(values, 1 / max(1, values.shape[1] - 1))
    shares = np.divide(values, rest[:, None], out=even, where=rest[:, None] > 0)
    values = shares * (1 - known)[:, None]
    values[:, seat] = known
    return values


def _main_line(
    game: Game, root: State, seat: int, trees: list[SearchMemory], action: int
) -> list[tuple[int, str]]:
    """The most visited path from `action` on, in the tree that visited it most. It ends at the first reveal,
    and in games with secrets at the end of the seat's own turn."""

    def visited(memory: SearchMemory) -> int:
        first = children(memory.nodes, 0)
        return int(memory.nodes['visits'][first][memory.nodes['action'][first] == action].max())

    memory = max(trees, key=visited)
    nodes, k = memory.nodes, game.kernels
    states = game.State.array(2)
    states[0] = root
    state = states[0]
    k.prepare(root, seat, memory.knowledge)
    # rules are for whole positions; the line ends before a guess could matter
    k.guess(state, seat, 0, memory.knowledge)
    line = [(action, game.action_name(state, action))]
    visits, node = nodes['visits'], next(c for c in children(nodes, 0) if nodes['action'][c] == action)
    forced = False  # was the action the only legal one at the node?
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
        forced = not (game.hidden or forced) and nodes[node].then > 0
        if forced:
            action = int(nodes[node].then) - 1
        else:
            node = max(children(nodes, node), key=lambda child: int(visits[child]), default=0)
            if node == 0 or visits[node] < LINE_VISITS:
                return line
            action = int(nodes[node].action)
        line.append((action, game.action_name(state, action)))
