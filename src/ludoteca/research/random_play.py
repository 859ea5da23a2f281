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

from ludoteca.game import Game, GameError, State
from ludoteca.kernel import Array, Floats, Ints, below, mix, seed_number, specialise
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

# what `at` of `play_games` holds
GAME, END, BEGUN, ACTIONS, FIRST, TRACED, TURN_ACTIONS, TURN_LEGAL = range(8)
AT = 8
# columns of a trace: row of the game, finished turns with this one, seat, actions, legal ones at its first
TRACE = ('row', 'turn', 'seat', 'actions', 'branching')


class EndlessGameError(GameError):
    """A random game that does not end. `game` is its number, counted from 0."""

    game = -1


def play_games(
    states: Array,
    work: Any,
    out: Ints,
    words: Array,
    value: Floats,
    players: int,
    options: Ints,
    seed: int,
    how: int,
    budget: int,
    figures: Floats,
    trace: Array,
    standing: Array,
    at: Array,
    turns: Array,
    actions: Array,
    endings: Array,
    outcomes: Array,
    scores: Array,
    measures: Array,
    began: Array,
    branching: Array,
) -> int:
    """Template: play the games at[GAME] .. at[END] - 1, one after another, until about `budget` actions are
    played or the trace is full.

    `at` is where the work stands: the game to play, the first not to play, 1 if that game is begun, its
    actions so far, the game whose results belong into row 0, rows of the trace written so far, actions of the
    running turn and the number of legal ones at its first. The game is played in states[0], which must be the
    same in the next call; states[1] stays blank. Records and buffers (`out` ints[max_legal], `words`
    int64[4], `value` floats[seats], `figures` floats[number of measures]) are the caller's. Results go to a
    row of the last eight arrays for each game, finished turns to one of `trace` (TRACE) and `standing`
    (scores after the turn) unless they have no rows. Returns the number of actions played.
    """
    played, room = 0, len(trace)
    s = states[0]
    while at[GAME] < at[END] and played < budget and (room == 0 or at[TRACED] < room):
        row = int(at[GAME] - at[FIRST])
        if at[BEGUN] == 0:
            for k in range(4):
                words[k] = mix(seed, 4 * int(at[GAME]) + k)
            states[0] = states[1]
            setup(s, players, options, words)  # type: ignore[name-defined]  # noqa: F821
            at[BEGUN] = 1
            at[ACTIONS] = 0
            at[TURN_ACTIONS] = 0
            at[TURN_LEGAL] = 0
            began[row] = s.to_move
            branching[row, 0] = 0
            branching[row, 1] = 0
        while s.ending == 0 and played < budget and (room == 0 or at[TRACED] < room):
            n, turn, seat = 1, int(s.turn), int(s.to_move)
            if how == LIST:
                count = legal_actions(s, out)  # type: ignore[name-defined]  # noqa: F821
                branching[row, 0] += count
                branching[row, 1] = max(branching[row, 1], count)
                if at[TURN_ACTIONS] == 0:
                    at[TURN_LEGAL] = count
                apply(s, int(out[below(s, count)]))  # type: ignore[name-defined]  # noqa: F821
            elif how == LAZY:
                apply(s, random_action(s, work))  # type: ignore[name-defined]  # noqa: F821
            else:
                n = random_turn(s, work, out)  # type: ignore[name-defined]  # noqa: F821
                for i in range(n):
                    apply(s, int(out[i]))  # type: ignore[name-defined]  # noqa: F821
            played += n
            at[ACTIONS] += n
            at[TURN_ACTIONS] += n
            if s.turn != turn or s.ending != 0:
                if room:
                    line = int(at[TRACED])
                    trace[line, 0] = row
                    trace[line, 1] = s.turn
                    trace[line, 2] = seat
                    trace[line, 3] = at[TURN_ACTIONS]
                    trace[line, 4] = at[TURN_LEGAL]
                    score(s, value)  # type: ignore[name-defined]  # noqa: F821
                    for p in range(players):
                        standing[line, p] = value[p]
                    at[TRACED] += 1
                at[TURN_ACTIONS] = 0
        if s.ending != 0:
            turns[row] = s.turn
            actions[row] = at[ACTIONS]
            outcome(s, value)  # type: ignore[name-defined]  # noqa: F821
            for p in range(players):
                outcomes[row, p] = value[p]
            score(s, value)  # type: ignore[name-defined]  # noqa: F821
            for p in range(players):
                scores[row, p] = value[p]
            take_measures(s, players, row, figures, measures)  # type: ignore[name-defined]  # noqa: F821
            endings[row] = s.ending
            at[GAME] += 1
            at[BEGUN] = 0
    return played


def measure_seats(s: State, players: int, row: int, figures: Floats, measures: Array) -> None:
    """Template: what the game measures, for each seat, into a row of `measures`."""
    for p in range(players):
        measure(s, p, figures)  # type: ignore[name-defined]  # noqa: F821
        for k in range(len(figures)):
            measures[row, p, k] = figures[k]


def measure_nothing(s: State, players: int, row: int, figures: Floats, measures: Array) -> None:
    """Template: the same for a game that measures nothing."""


@cache
def player(game: Game) -> Callable[..., int]:
    """`play_games` compiled for a game."""
    kernels = game.kernels
    template = measure_seats if game.measures else measure_nothing
    take_measures = specialise(template, {'measure': kernels.measure}, game.name, Path(game.home))
    scope = {
        'setup': kernels.setup,
        'legal_actions': kernels.legal_actions,
        'apply': kernels.apply,
        'random_action': kernels.random_action,
        'random_turn': kernels.random_turn,
        'outcome': kernels.outcome,
        'score': kernels.scores,
        'take_measures': take_measures,
        'below': below,
        'mix': mix,
        'LIST': LIST,
        'LAZY': LAZY,
        'GAME': GAME,
        'END': END,
        'BEGUN': BEGUN,
        'ACTIONS': ACTIONS,
        'FIRST': FIRST,
        'TRACED': TRACED,
        'TURN_ACTIONS': TURN_ACTIONS,
        'TURN_LEGAL': TURN_LEGAL,
    }
    return cast(Callable[..., int], specialise(play_games, scope, game.name, Path(game.home)))


class Results(NamedTuple):
    """What happened in games, a row each: the last arguments of `play_games`."""

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


class Turns(NamedTuple):
    """Finished turns, a row each, in no order."""

    trace: npt.NDArray[np.int32]  # (turns, len(TRACE))
    standing: npt.NDArray[np.float32]  # (turns, players): the scores after the turn

    def from_row(self, row: int) -> Turns:
        """The same, where the first game has this row."""
        moved = np.zeros(len(TRACE), np.int32)
        moved[0] = row
        return Turns(self.trace + moved, self.standing)


class Worker:
    """One thread's records and buffers, and how many actions it plays between two looks at the clock."""

    def __init__(self, game: Game, players: int, traces: bool = False) -> None:
        """`traces`: finished turns are noted, and are to be fetched after each piece of work (`fetch`)."""
        self.states, self.works = game.State.array(2), game.Work.array(1)
        self.out = np.empty(game.max_legal, np.int32)
        self.words, self.value, self.figures = (
            np.zeros(4, np.int64),
            np.zeros(game.players.stop - 1),
            np.zeros(len(game.measures)),
        )
        room = ROOM if traces else 0
        self.trace = np.zeros((room, len(TRACE)), np.int32)
        self.standing = np.zeros((room, players), np.float32)
        self.at = np.zeros(AT, np.int64)
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
        played = kernel(
            self.states,
            self.works[0],
            self.out,
            self.words,
            self.value,
            players,
            options,
            seed,
            how,
            self.budget,
            self.figures,
            self.trace,
            self.standing,
            self.at,
            *results,
        )
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
        return Turns(self.trace[:n].copy(), self.standing[:n].copy())


def play_by_chance(
    game: Game,
    players: int,
    options: Ints,
    seed: int | str,
    method: int,
    numbers: range,
    results: Results,
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

    def block(first: int, last: int, worker: Worker) -> None:
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

    def new_worker() -> Worker:
        return Worker(game, players, turns is not None)

    worker = new_worker()
    block(numbers.start, numbers.start, worker)  # compiles here, where Ctrl-C is heard
    if threads == 1:
        block(numbers.start, numbers.stop, worker)
        return
    pieces, lock = _pieces(numbers), threading.Lock()

    def work(worker: Worker) -> None:
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
