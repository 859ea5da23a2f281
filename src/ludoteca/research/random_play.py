"""Random games of one game in one compiled call, many at a time.

Game `i` is seeded with numbers mixed from the seed and `i`: it is the same game whatever the number of games,
of threads, or the size of the pieces in which the work is done. Those pieces are short (a twentieth of a
second), because compiled code sees neither Ctrl-C nor a progress bar.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from ludoteca.game import Game, GameError
from ludoteca.kernel import Array, Floats, Ints, below, bind_templates, mix, seed_number
from ludoteca.text import words

LIST, LAZY, TURNS = 0, 1, 2
"""How random play is made: from the full list of each step's actions; by `random_action`, without the list;
by `random_turn`."""

PIECE = 0.05  # seconds of compiled work between two looks at the clock
BLOCK = 512  # games that a thread takes at a time
ROOM = 1 << 14  # finished turns that a thread notes before they are fetched
MOST_ACTIONS = 1_000_000
"""A game that is not over after so many actions may never be. In Octiles three players can be shut in, while
the fourth has one runner that goes round to where it was: each has one legal action for ever."""

# what `at` of `PlayMemory` holds
GAME, END, BEGUN, ACTIONS, FIRST, TRACED, TURN_ACTIONS, TURN_LEGAL = range(8)
AT = 8
# columns of a trace: row of the game, finished turns with this one, seat, actions, legal ones at its first
TRACE = ('row', 'turn', 'seat', 'actions', 'branching')


# Names that every game provides; `player` puts the game's own functions in their place.
# ruff: noqa: F821
setup: Callable[..., None]
apply: Callable[..., None]
legal_actions: Callable[..., int]
random_action: Callable[..., int]
random_turn: Callable[..., int]
outcome: Callable[..., None]
scores: Callable[..., None]
measure: Callable[..., None]
MEASURES: bool  # the game measures something; a constant while compiling
FROM_GAME = (
    'setup',
    'apply',
    'legal_actions',
    'random_action',
    'random_turn',
    'outcome',
    'scores',
    'measure',
)


class EndlessGameError(GameError):
    """A random game that does not end. `game` is its number, counted from 0."""

    game = -1


class Results(NamedTuple):
    """What happened in games, a row each."""

    turns: npt.NDArray[np.int32]  # (games,) finished turns
    actions: npt.NDArray[np.int32]  # (games,)
    endings: npt.NDArray[np.int8]  # (games,) 1 + index into the game's names of endings
    outcomes: npt.NDArray[np.float32]  # (games, players): 1 shared equally among the winners
    scores: npt.NDArray[np.float32]  # (games, players): points as printed
    measures: npt.NDArray[np.float32]  # (games, players, number of measures)
    began: npt.NDArray[np.int8]  # (games,) the seat that was the first to move
    branching: npt.NDArray[np.int64]  # (games, 2): legal actions in all lists, in the longest; 0: no lists

    @classmethod
    def empty(cls, game: Game, players: int, games: int) -> Results:
        """Room for the results of so many games."""
        return cls(
            np.zeros(games, np.int32),
            np.zeros(games, np.int32),
            np.zeros(games, np.int8),
            np.zeros((games, players), np.float32),
            np.zeros((games, players), np.float32),
            np.zeros((games, players, len(game.measures)), np.float32),
            np.zeros(games, np.int8),
            np.zeros((games, 2), np.int64),
        )

    def write(self, row: int, games: Results) -> None:
        """Write the results of games to the rows from this one on."""
        rows = slice(row, row + len(games.turns))
        for name in self._fields:
            getattr(self, name)[rows] = getattr(games, name)

    def part(self, rows: slice) -> Results:
        """Some rows of all columns."""
        return Results(
            self.turns[rows],
            self.actions[rows],
            self.endings[rows],
            self.outcomes[rows],
            self.scores[rows],
            self.measures[rows],
            self.began[rows],
            self.branching[rows],
        )


class PlayMemory(NamedTuple):
    """The memory of a thread, and where its work stands."""

    states: Array  # the game is played in [0]; [1] stays blank
    work: Any
    out: Ints
    words: Array  # int64[4]
    value: Floats  # by seat
    figures: Floats  # by measure
    # int64[AT]: the game to play, the first not to play, 1 if that game is begun, its actions so far, the
    # game whose results belong into row 0, rows of the trace written so far, actions of the running turn and
    # the number of legal ones at its first
    at: Array
    # finished turns, a row each (TRACE), and the scores after them; without rows none are noted
    trace: Array
    standing: Array

    @classmethod
    def new(cls, game: Game, players: int, traces: bool) -> PlayMemory:
        """Memory for games of so many players."""
        room = ROOM if traces else 0
        return cls(
            states=game.State.array(2),
            work=game.Work.new(),
            out=np.empty(game.max_legal, np.int32),
            words=np.zeros(4, np.int64),
            value=np.zeros(game.players.stop - 1),
            figures=np.zeros(len(game.measures)),
            at=np.zeros(AT, np.int64),
            trace=np.zeros((room, len(TRACE)), np.int32),
            standing=np.zeros((room, players), np.float32),
        )


# ---- the kernel --------------------------------------------------------------------------------------------


def begin_game(
    memory: PlayMemory, results: Results, row: int, players: int, options: Ints, seed: int
) -> None:
    """Template: set up the game whose turn it is."""
    states, at, words = memory.states, memory.at, memory.words
    for k in range(4):
        words[k] = mix(seed, 4 * int(at[GAME]) + k)
    states[0] = states[1]
    setup(states[0], players, options, words)
    at[BEGUN] = 1
    at[ACTIONS] = 0
    at[TURN_ACTIONS] = 0
    at[TURN_LEGAL] = 0
    results.began[row] = states[0].to_move
    results.branching[row, 0] = 0
    results.branching[row, 1] = 0


def play_action(memory: PlayMemory, results: Results, row: int, how: int) -> int:
    """Template: play an action, or a turn; returns the number of actions."""
    s, at, out = memory.states[0], memory.at, memory.out
    if how == LAZY:
        apply(s, random_action(s, memory.work))
        return 1
    if how == TURNS:
        n = random_turn(s, memory.work, out)
        for i in range(n):
            apply(s, int(out[i]))
        return n
    count = legal_actions(s, out)
    results.branching[row, 0] += count
    results.branching[row, 1] = max(results.branching[row, 1], count)
    if at[TURN_ACTIONS] == 0:
        at[TURN_LEGAL] = count
    apply(s, int(out[below(s, count)]))
    return 1


def note_turn(memory: PlayMemory, row: int, seat: int, players: int) -> None:
    """Template: a seat has finished a turn."""
    s, at, trace = memory.states[0], memory.at, memory.trace
    if len(trace):
        line = int(at[TRACED])
        trace[line, 0] = row
        trace[line, 1] = s.turn
        trace[line, 2] = seat
        trace[line, 3] = at[TURN_ACTIONS]
        trace[line, 4] = at[TURN_LEGAL]
        scores(s, memory.value)
        for p in range(players):
            memory.standing[line, p] = memory.value[p]
        at[TRACED] += 1
    at[TURN_ACTIONS] = 0


def note_game(memory: PlayMemory, results: Results, row: int, players: int) -> None:
    """Template: a game is over."""
    s, at, value = memory.states[0], memory.at, memory.value
    results.turns[row] = s.turn
    results.actions[row] = at[ACTIONS]
    outcome(s, value)
    for p in range(players):
        results.outcomes[row, p] = value[p]
    scores(s, value)
    for p in range(players):
        results.scores[row, p] = value[p]
    if MEASURES:
        for p in range(players):
            measure(s, p, memory.figures)
            for k in range(len(memory.figures)):
                results.measures[row, p, k] = memory.figures[k]
    results.endings[row] = s.ending
    at[GAME] += 1
    at[BEGUN] = 0


def play_games(
    memory: PlayMemory, results: Results, players: int, options: Ints, seed: int, how: int, budget: int
) -> int:
    """Template: play the games at[GAME] .. at[END] - 1, one after another, until about `budget` actions are
    played or the trace is full; returns the number of actions played. A game that was begun goes on in the
    next call."""
    s, at, room = memory.states[0], memory.at, len(memory.trace)
    played = 0
    while at[GAME] < at[END] and played < budget and (room == 0 or at[TRACED] < room):
        row = int(at[GAME] - at[FIRST])
        if at[BEGUN] == 0:
            begin_game(memory, results, row, players, options, seed)
        while s.ending == 0 and played < budget and (room == 0 or at[TRACED] < room):
            turn, seat = int(s.turn), int(s.to_move)
            n = play_action(memory, results, row, how)
            played += n
            at[ACTIONS] += n
            at[TURN_ACTIONS] += n
            if s.turn != turn or s.ending != 0:
                note_turn(memory, row, seat, players)
        if s.ending != 0:
            note_game(memory, results, row, players)
    return played


TEMPLATES = (begin_game, play_action, note_turn, note_game, play_games)


@cache
def player(game: Game) -> Callable[..., int]:
    """`play_games` compiled for a game."""
    names = {name: getattr(game.kernels, name) for name in FROM_GAME}
    names['MEASURES'] = bool(game.measures)
    bound = bind_templates(TEMPLATES, names, game.name, Path(game.home))
    return cast(Callable[..., int], bound.play_games)


class Turns(NamedTuple):
    """Finished turns, a row each, in no order."""

    trace: npt.NDArray[np.int32]  # (turns, len(TRACE))
    standing: npt.NDArray[np.float32]  # (turns, players): the scores after the turn

    def from_row(self, row: int) -> Turns:
        """The same, where the first game has this row."""
        moved = np.zeros(len(TRACE), np.int32)
        moved[0] = row
        return Turns(self.trace + moved, self.standing)


class RandomPlayer:
    """One thread's memory, and how many actions it plays between two looks at the clock."""

    def __init__(self, game: Game, players: int, traces: bool = False) -> None:
        """`traces`: finished turns are noted, and are to be fetched after each piece of work (`fetch`)."""
        self.memory = PlayMemory.new(game, players, traces)
        self.at = self.memory.at
        self.budget = 1000

    def play(
        self,
        kernel: Callable[..., int],
        players: int,
        options: Ints,
        seed: int,
        how: int,
        results: Results,
    ) -> int:
        """One piece of work, where `at` stands: the number of actions played."""
        began = time.perf_counter()
        played = kernel(self.memory, results, players, options, seed, how, self.budget)
        took = time.perf_counter() - began
        if played >= self.budget:  # otherwise the games or the room ran out
            self.budget = int(
                min(
                    max(self.budget * PIECE / max(took, 1e-6), self.budget / 4, 100), self.budget * 4, 1 << 24
                )
            )
        return played

    def fetch(self) -> Turns:
        """The turns noted since the last time."""
        n, self.at[TRACED] = int(self.at[TRACED]), 0
        return Turns(self.memory.trace[:n].copy(), self.memory.standing[:n].copy())


def play_by_chance(
    game: Game,
    players: int,
    options: Ints,
    seed: int | str,
    method: int,
    numbers: range,
    results: Results,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    turns: Callable[[Turns], None] | None = None,
) -> None:
    """Play the games of these numbers (a range of step 1) by chance on so many threads; `method` is LIST,
    LAZY or TURNS, `options` are encoded. What happened is written to `results`, a row a game, when the game
    ends: rows whose ending is 0 are not finished.

    `progress` is called with the number of games just finished, `turns` with the turns just finished, each by
    the thread that played them. Raises EndlessGameError if a game is not over after MOST_ACTIONS.
    """
    kernel, number = player(game), seed_number(seed)
    stopped = threading.Event()

    def block(first: int, last: int, worker: RandomPlayer) -> None:
        at = worker.at
        at[:] = 0
        at[GAME], at[END], at[FIRST] = first, last, numbers.start
        while not stopped.is_set():
            before = int(at[GAME])
            worker.play(kernel, players, options, number, method, results)
            if turns is not None and at[TRACED]:
                turns(worker.fetch())
            if progress is not None and at[GAME] > before:
                progress(int(at[GAME]) - before)
            if at[GAME] == last:
                return
            if at[BEGUN] and at[ACTIONS] >= MOST_ACTIONS:
                raise endless(int(at[GAME]))

    def new_worker() -> RandomPlayer:
        return RandomPlayer(game, players, turns is not None)

    worker = new_worker()
    block(numbers.start, numbers.start, worker)  # compiles here, where Ctrl-C is heard
    if threads == 1:
        block(numbers.start, numbers.stop, worker)
        return
    pieces, lock = _pieces(numbers), threading.Lock()

    def work(worker: RandomPlayer) -> None:
        while not stopped.is_set():
            with lock:
                piece = next(pieces, None)
            if piece is None:
                return
            block(piece.start, piece.stop, worker)

    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in [pool.submit(work, new_worker()) for _ in range(threads)]:
                done.result()
        except BaseException:
            stopped.set()
            raise


def endless(number: int) -> EndlessGameError:
    """What is said of a game that does not end."""
    found = EndlessGameError(words('research.error.endless_chance', game=number, actions=f'{MOST_ACTIONS:,}'))
    found.game = number
    return found


def _pieces(numbers: range) -> Iterator[range]:
    """The numbers in blocks."""
    for first in range(numbers.start, numbers.stop, BLOCK):
        yield range(first, min(first + BLOCK, numbers.stop))
