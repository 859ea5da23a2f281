"""The bot `alpha-beta`, an opponent for arenas of the kind that people write for open games of two players:
minimax to a fixed number of turns with alpha-beta pruning, deepened turn by turn while there is time.

It takes chance as such robots do: one guess is drawn for all that is still to come to light (in Octiles the
order of the unknown tiles), and the search goes on as if it were known. Positions are judged by the game's
`estimate`, or by the one that the game keeps for this bot (`Game.editions`): in Octiles it goes by the
runners' distances alone, as known robots do. In the last turn each action is worth what the search of the
levels sees in it (`look_ahead`), so that a turn that was begun is finished in the best way. The same
numbers order the actions, the best first. There is no table of transpositions: the tile in hand makes
positions that are reached by other ways rare.

The search stands on a stack of its own, so that it can halt after so many positions, look at the clock and go
on. All memory belongs to Python.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ludoteca.game import Game, GameError, State
from ludoteca.kernel import Array, Floats, Ints, Record, bind_templates, field, kernel
from ludoteca.kernel.compile import is_interpreted
from ludoteca.search import simulate
from ludoteca.search.thinking import stream
from ludoteca.text import words

EDITION = 'alpha-beta'
DEPTH = 3  # turns, the first included, if there is no time to be used
MOST_DEPTH = 16
PLIES = 64  # actions that the stack holds
CHUNK = 200  # positions between two looks at the clock
INTERPRETED_CHUNK = 1
# share of the time left that an action may take which may be followed by others in the same turn
HASTE = 0.85
DECIDED = 1.0  # values from here on are won, at 0 and below lost
TRIED = -1e300  # worth of an action that has been looked at
FIRST = 1e300  # of the one to be looked at first

# Names that every game provides; `bind` puts the game's own functions in their place.
# ruff: noqa: F821
apply: Callable[..., None]
legal_actions: Callable[..., int]
estimate: Callable[..., None]
look_at_all: Callable[..., None]


class Frame(Record):
    """A position on the way from the root to where the search stands."""

    alpha: float = field('f8')  # what the seat that searches has for sure
    beta: float = field('f8')  # what the other one has for sure
    n: int = field('i4')  # legal actions
    left: int = field('i4')  # of them still to be looked at
    action: int = field('i4')  # the one looked at
    best: int = field('i4')  # the best one so far, -1 if there is none
    depth: int = field('i4')  # turns to be looked at, the one begun included


class Progress(Record):
    """Where a search stands."""

    top: int = field('i4')  # frame, -1 at the end
    positions: int = field('i8')  # looked at so far


class Stack(NamedTuple):
    """Memory of a search. frames[k], lists[k] and worth[k] belong to the position states[k]."""

    states: Array
    frames: Array
    lists: Ints
    worth: Floats
    progress: Progress
    seen: Floats  # worth[0] as it was when the root was entered
    looks: Array  # scratch: four states
    tries: Ints  # three lists
    result: Floats


@kernel
def pick(worth: Floats, n: int) -> int:
    """The first of the largest of `n` numbers, which is crossed out."""
    best = 0
    for i in range(n):
        if worth[i] > worth[best]:
            best = i
    worth[best] = TRIED
    return best


@kernel
def hand_up(frames: Any, states: Any, seat: int, top: int, value: float) -> None:
    """Take the value of the action looked at in a frame into account."""
    f = frames[top]
    if states[top].to_move == seat:
        if value > f.alpha or f.best < 0:
            f.best = f.action
        f.alpha = max(f.alpha, value)
    else:
        if value < f.beta or f.best < 0:
            f.best = f.action
        f.beta = min(f.beta, value)


@kernel
def decided(value: float, depth: int) -> float:
    """The value of an outcome: a win counts the more, and a loss the less, the sooner it comes."""
    if value >= 1.0:
        return value + depth
    return value - depth if value <= 0.0 else value


def enter(stack: Stack, top: int) -> None:
    """List the actions of the position in states[top], and what they are worth to the seat to move."""
    frame, lists, tries = stack.frames[top], stack.lists, stack.tries
    n = legal_actions(stack.states[top], lists[top])
    frame.n = n
    frame.left = n
    frame.best = -1
    stack.worth[top, 0] = 0.0
    if n > 1 or frame.depth == 1:
        stack.looks[0] = stack.states[top]
        tries[0, :n] = lists[top, :n]
        look_at_all(stack.looks, n, tries, stack.result, stack.worth[top])


def search(stack: Stack, seat: int, most: int) -> None:
    """Go on with a search for `seat` until it ends, or has looked at as many positions. Values are expected
    outcomes of `seat`; frame 0 must have been entered."""
    states, frames, worth, progress = stack.states, stack.frames, stack.worth, stack.progress
    until = progress.positions + most
    while progress.top >= 0 and progress.positions < until:
        top = int(progress.top)
        f = frames[top]
        if f.left == 0 or f.alpha >= f.beta:
            progress.top = top - 1
            if top > 0:
                value = f.alpha if states[top].to_move == seat else f.beta
                hand_up(frames, states, seat, top - 1, value)
            continue
        f.action = stack.lists[top, pick(worth[top], int(f.n))]
        f.left -= 1
        states[top + 1] = states[top]
        s = states[top + 1]
        turn, depth = int(s.turn), int(f.depth)
        apply(s, int(f.action))
        progress.positions += 1
        if s.turn != turn:
            depth -= 1
        if s.ending or depth == 0 or top + 2 >= len(frames):
            estimate(s, stack.result)
            hand_up(frames, states, seat, top, decided(stack.result[seat], depth))
            continue
        below = frames[top + 1]
        below.alpha, below.beta, below.depth = f.alpha, f.beta, depth
        enter(stack, top + 1)
        if depth == 1:
            best = worth[top + 1, 0]
            for i in range(below.n):
                best = max(best, worth[top + 1, i])
            value = best if s.to_move == seat else 1.0 - best
            hand_up(frames, states, seat, top, decided(value, depth - 1))
        else:
            progress.top = top + 1


@cache
def bind(game: Game) -> SimpleNamespace:
    """The templates compiled for a game, as attributes."""
    return bind_templates((enter, search), vars(simulate.bind(game, EDITION)), game.name, Path(game.home))


class AlphaBetaBot:
    """Plays open games of two players, and raises GameError at others. Without a deadline it looks `depth`
    turns ahead; with one it looks further and further while there is time, up to `most_depth` turns."""

    def __init__(self, depth: int = DEPTH, most_depth: int = MOST_DEPTH) -> None:
        self.depth, self.most_depth = depth, most_depth
        self.reached = 0
        """How many turns ahead the last choice looked."""
        self.value = 0.0
        """What it found there for itself; from 1 on it wins, at 0 and below it loses."""

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        if game.hidden or state.players != 2:
            raise GameError(words('search.error.alpha_beta', game=game.name))
        begin = time.monotonic()
        end = None if deadline is None else begin + HASTE * max(0.0, deadline - begin)
        stack = self._remember(game, state, seat, seed)
        self.reached, best = 0, int(stack.lists[0, 0])
        if stack.frames[0].n == 1:
            return best
        best = int(stack.lists[0, int(np.argmax(stack.worth[0, : stack.frames[0].n]))])
        for depth in range(1, (self.depth if end is None else self.most_depth) + 1):
            found, done = self._look(game, stack, seat, depth, best, end)
            best = found if found >= 0 else best
            if not done:
                break
            self.reached = depth
            self.value = float(stack.frames[0].alpha)
            if not 0.0 < self.value < DECIDED:
                break
        return best

    @staticmethod
    def _remember(game: Game, state: State, seat: int, seed: int) -> Stack:
        """Memory for a search, with the guess at its root."""
        stack = Stack(
            states=game.State.array(PLIES + 1),
            frames=Frame.array(PLIES),
            lists=np.empty((PLIES, game.max_legal), np.int32),
            worth=np.empty((PLIES, game.max_legal)),
            progress=Progress.new(),
            seen=np.empty(game.max_legal),
            looks=game.State.array(4),
            tries=np.empty((3, game.max_legal), np.int32),
            result=np.zeros(game.players[-1]),
        )
        work = game.Work.new()
        stack.states[0] = state
        game.kernels.prepare(stack.states[0], seat, work)
        game.kernels.guess(stack.states[0], seat, stream(seed, 0), work)
        bind(game).enter(stack, 0)
        stack.seen[:] = stack.worth[0]
        return stack

    @staticmethod
    def _look(
        game: Game, stack: Stack, seat: int, depth: int, first: int, end: float | None
    ) -> tuple[int, bool]:
        """The best action so many turns ahead, the one that looked best before being looked at first; -1 if
        none was looked at to the end. And whether all were."""
        root, progress = stack.frames[0], stack.progress
        root.alpha, root.beta, root.best, root.left, root.depth = -np.inf, np.inf, -1, root.n, depth
        stack.worth[0] = stack.seen
        stack.worth[0, int(np.argmax(stack.lists[0, : root.n] == first))] = FIRST
        progress.top = 0
        chunk = INTERPRETED_CHUNK if is_interpreted(game.home) else CHUNK
        while progress.top >= 0:
            if end is not None and time.monotonic() >= end:
                return int(root.best), False
            bind(game).search(stack, seat, chunk)
        return int(root.best), True
