"""Many random games in one compiled call, or games in which the game's yardstick plays all seats.

Game `i` of a simulation is seeded with numbers mixed from the simulation's seed and `i`: it is the same game
whatever the number of games, of threads, or the size of the pieces in which the work is done. Those pieces
are short (a twentieth of a second), because compiled code sees neither Ctrl-C nor a progress bar. Yardsticks
are asked from Python, turn by turn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from ludoteca.game import Game, GameError, Options, State, committed, load
from ludoteca.kernel import Array, Floats, Ints, below, mix, seed_words, specialise
from ludoteca.search import as_known, stream
from ludoteca.text import words

Uniform = Literal['actions', 'turns']
"""What a random player chooses from uniformly: the legal actions of each step, or all complete turns."""

By = Literal['chance', 'yardstick']
"""Who plays all seats."""

LIST, LAZY, TURNS = 0, 1, 2
"""How random play is made: from the full list of each step's actions; by `random_action`, without the list;
by `random_turn`."""

PIECE = 0.05  # seconds of compiled work between two looks at the clock
BLOCK = 512  # games that a thread takes at a time
MOST_TURNS = 5_000  # of a game by yardstick: players that never vary might go on for ever


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
    at: Array,
    turns: Array,
    actions: Array,
    endings: Array,
    outcomes: Array,
    scores: Array,
    measures: Array,
) -> int:
    """Template: play the games at[0] .. at[1] - 1, one after another, until about `budget` actions are
    played.

    `at` is where the work stands: the game to play, the first not to play, 1 if that game is begun, its
    actions so far. The game is played in states[0], which must be the same in the next call; states[1] stays
    blank. Records and buffers (`out` ints[max_legal], `words` int64[4], `value` floats[seats], `figures`
    floats[number of measures]) are the caller's. Results go to row `game` of the last six arrays. Returns the
    number of actions played.
    """
    played = 0
    s = states[0]
    while at[0] < at[1] and played < budget:
        game = int(at[0])
        if at[2] == 0:
            for k in range(4):
                words[k] = mix(seed, 4 * game + k)
            states[0] = states[1]
            setup(s, players, options, words)  # type: ignore[name-defined]  # noqa: F821
            at[2] = 1
            at[3] = 0
        while s.ending == 0 and played < budget:
            n = 1
            if how == LIST:
                count = legal_actions(s, out)  # type: ignore[name-defined]  # noqa: F821
                apply(s, int(out[below(s, count)]))  # type: ignore[name-defined]  # noqa: F821
            elif how == LAZY:
                apply(s, random_action(s, work))  # type: ignore[name-defined]  # noqa: F821
            else:
                n = random_turn(s, work, out)  # type: ignore[name-defined]  # noqa: F821
                for i in range(n):
                    apply(s, int(out[i]))  # type: ignore[name-defined]  # noqa: F821
            played += n
            at[3] += n
        if s.ending != 0:
            turns[game] = s.turn
            actions[game] = at[3]
            endings[game] = s.ending
            outcome(s, value)  # type: ignore[name-defined]  # noqa: F821
            for p in range(players):
                outcomes[game, p] = value[p]
            score(s, value)  # type: ignore[name-defined]  # noqa: F821
            for p in range(players):
                scores[game, p] = value[p]
            take_measures(s, players, game, figures, measures)  # type: ignore[name-defined]  # noqa: F821
            at[0] += 1
            at[2] = 0
    return played


def measure_seats(s: State, players: int, game: int, figures: Floats, measures: Array) -> None:
    """Template: what the game measures, for each seat, into row `game` of `measures`."""
    for p in range(players):
        measure(s, p, figures)  # type: ignore[name-defined]  # noqa: F821
        for k in range(len(figures)):
            measures[game, p, k] = figures[k]


def measure_nothing(s: State, players: int, game: int, figures: Floats, measures: Array) -> None:
    """Template: the same for a game that measures nothing."""


@cache
def player(game: Game) -> Callable[..., int]:
    """`play_games` compiled for a game."""
    kernels = game.kernels
    template = measure_seats if game.measures else measure_nothing
    take_measures = specialise(template, {'measure': kernels.measure}, game.name, Path(game.folder))
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
    }
    return cast(Callable[..., int], specialise(play_games, scope, game.name, Path(game.folder)))


Results = tuple[
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int8],
    npt.NDArray[np.float32],
    npt.NDArray[np.float32],
    npt.NDArray[np.float32],
]
"""Turns, actions, endings, outcomes, scores and measures, as `Simulation` has them and as the last arguments
of `play_games`."""


@dataclass(frozen=True)
class Simulation:
    """What happened in many games: one row a game, in the order of their numbers."""

    game: str
    players: int
    options: Options
    seed: int | str
    by: By
    uniform: Uniform | None  # None: nothing was drawn, the yardstick played
    turns: npt.NDArray[np.int32]  # (games,) finished turns
    actions: npt.NDArray[np.int32]  # (games,)
    endings: npt.NDArray[np.int8]  # (games,) 1 + index into the game's names of endings
    outcomes: npt.NDArray[np.float32]  # (games, players): 1 shared equally among the winners
    scores: npt.NDArray[np.float32]  # (games, players): points as printed
    # (games, players, number of measures): what the game measures beyond the points
    measures: npt.NDArray[np.float32]
    names: tuple[str, ...]  # of the endings
    measure_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.turns)

    def summary(self) -> dict[str, Any]:
        """The figures as plain data.

        `by` is who played, `uniform` over what random players chose (None: the yardstick played). `wins` is
        each seat's share of games that it won alone and `draws` the share of games without a sole winner:
        together they are 1. `scores` and each of `measures` have the mean over all seats and games, and the
        mean of the winners (winners of the same game share its weight).
        """
        outright = self.outcomes > 0.999
        shares = np.bincount(self.endings, minlength=len(self.names) + 1)[1:] / len(self)
        return {
            'game': self.game,
            'players': self.players,
            'games': len(self),
            'seed': self.seed,
            'by': self.by,
            'uniform': self.uniform,
            'options': self.options.changed(),
            'turns': {
                'mean': float(self.turns.mean()),
                'median': float(np.median(self.turns)),
                'max': int(self.turns.max()),
            },
            'wins': [float(share) for share in outright.mean(axis=0)],
            'draws': float((~outright.any(axis=1)).mean()),
            'scores': self._means(self.scores),
            'measures': {
                name: self._means(self.measures[..., k]) for k, name in enumerate(self.measure_names)
            },
            'endings': {name: float(share) for name, share in zip(self.names, shares, strict=True)},
            'actions': {'mean': float(self.actions.mean())},
        }

    def _means(self, values: npt.NDArray[np.float32]) -> dict[str, float]:
        """The mean of values (games, players), and the mean over the winners."""
        return {
            'mean': float(values.mean(dtype=np.float64)),
            'winner': float((self.outcomes * values).sum(axis=1, dtype=np.float64).mean()),
        }


def empty_results(game: Game, players: int, games: int) -> Results:
    """Room for the results of so many games."""
    return (
        np.zeros(games, np.int32),
        np.zeros(games, np.int32),
        np.zeros(games, np.int8),
        np.zeros((games, players), np.float32),
        np.zeros((games, players), np.float32),
        np.zeros((games, players, len(game.measures)), np.float32),
    )


class Worker:
    """One thread's records and buffers, and how many actions it plays between two looks at the clock."""

    def __init__(self, game: Game) -> None:
        self.states, self.works = game.State.array(2), game.Work.array(1)
        self.out = np.empty(game.max_legal, np.int32)
        self.words, self.value, self.figures = (
            np.zeros(4, np.int64),
            np.zeros(game.players.stop - 1),
            np.zeros(len(game.measures)),
        )
        self.budget = 1000

    def play(self, kernel: Callable[..., int], *given: Any) -> int:
        """One piece of work; `given` are the arguments of `play_games` that are not buffers, without the
        budget."""
        players, options, seed, how, *results = given
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
            *results,
        )
        took = time.perf_counter() - began
        if played >= self.budget:  # otherwise the games ran out
            self.budget = int(
                min(
                    max(self.budget * PIECE / max(took, 1e-6), self.budget / 4, 100), self.budget * 4, 1 << 24
                )
            )
        return played


def seed_number(seed: int | str) -> int:
    """A seed as one number of 63 bits, as `mix` takes it."""
    low, high, *_ = seed_words(seed).tolist()
    return int(low | (high & 0x7FFFFFFF) << 32)


class YardstickPlayer:
    """Plays games in which the game's yardstick has all seats; see `simulate`."""

    def __init__(self, game: Game, players: int, options: Options, seed: int | str) -> None:
        self.game, self.players, self.options, self.seed = game, players, options.encode(), seed
        self.number, self.out = seed_number(seed), np.empty(game.max_legal, np.int32)
        self.value, self.figures = np.zeros(game.players.stop - 1), np.zeros(len(game.measures))

    def turn(self, s: State, number: int, step: int) -> tuple[int, ...]:
        """The actions to play next: the turn of the yardstick, which knows no more than its seat, or one
        random action where openings are drawn."""
        if s.phase in (*self.game.sampled_phases, *self.game.arranged):
            n = self.game.kernels.legal_actions(s, self.out)
            return (int(self.out[stream(f'{self.seed}/{number}', step) % n]),)
        return self.game.yardstick(as_known(self.game, s, int(s.to_move)))

    def play(self, number: int, results: Results) -> None:
        """Play game `number` and write what happened to its row of the results. Raises GameError for what
        cannot go on."""
        game, kernels, step = self.game, self.game.kernels, 0
        s = cast(State, game.State.new())
        kernels.setup(
            s,
            self.players,
            self.options,
            np.array([mix(self.number, 4 * number + k) for k in range(4)], np.int64),
        )
        while not s.ending:
            if s.turn >= MOST_TURNS:
                raise GameError(words('research.error.endless', game=number + 1, turns=MOST_TURNS))
            for action in self.turn(s, number, step) or (-1,):
                if action not in self.out[: kernels.legal_actions(s, self.out)]:
                    raise GameError(
                        words(
                            'research.error.not_legal',
                            bot='yardstick',
                            action=action,
                            turn=s.turn + 1,
                            game=number + 1,
                        )
                    )
                before = s.copy()
                kernels.apply(s, action)
                step += 1
                if committed(before, s):  # after a reveal the rest of the plan is made anew
                    break
        self._write(s, number, step, results)

    def _write(self, s: State, number: int, steps: int, results: Results) -> None:
        turns, actions, endings, outcomes, scores, measures = results
        turns[number], actions[number], endings[number] = s.turn, steps, s.ending
        for kernel, rows in ((self.game.kernels.outcome, outcomes), (self.game.kernels.scores, scores)):
            kernel(s, self.value)
            rows[number] = self.value[: self.players]
        if self.game.kernels.measure is not None:
            for seat in range(self.players):
                self.game.kernels.measure(s, seat, self.figures)
                measures[number, seat] = self.figures


def simulate(
    game: Game | str,
    players: int | None = None,
    games: int = 1000,
    seed: int | str = 0,
    uniform: Uniform = 'actions',
    options: Options | None = None,
    *,
    by: By = 'chance',
    lists: bool | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play `games` games, by chance or by the game's yardstick.

    With `by='yardstick'` all seats are played by `Game.yardstick`, each knowing no more than it may; a seat
    that chooses in secret does not know what others have sealed. A yardstick always does the same, and games
    without chance would all be one game: so in opening phases (`Game.sampled_phases`) and arrangements
    (`Game.arranged`) every action is drawn uniformly, from the seed. Games begin as those by chance. It plays
    on one thread and refuses `uniform='turns'`; `lists` means nothing to it.

    `uniform` says what random players choose from. With 'actions', `lists` says whether every list of legal
    actions is made (the default) or the game's `random_action` is asked, which is faster; both are uniform,
    but they draw other games. `progress` is called with the number of games just finished. Raises GameError
    if the numbers or options do not fit the game.
    """
    game = load(game) if isinstance(game, str) else game
    players, options = game.checked(players, options)
    _check(game, games, uniform, by, threads)
    results = empty_results(game, players, games)
    result = Simulation(
        game.name,
        players,
        options,
        seed,
        by,
        uniform if by == 'chance' else None,
        *results,
        game.endings,
        game.measures,
    )
    if by == 'yardstick':
        yardstick = YardstickPlayer(game, players, options, seed)
        for i in range(games):
            yardstick.play(i, results)
            if progress is not None:
                progress(1)
        return result
    method = TURNS if uniform == 'turns' else LIST if lists is None or lists else LAZY
    _play_by_chance(game, players, games, seed, options, method, threads, progress, results)
    return result


def _check(game: Game, games: int, uniform: str, by: str, threads: int) -> None:
    """Raises GameError if the arguments of `simulate` do not fit each other or the game."""
    if uniform not in ('actions', 'turns'):
        raise GameError(words('research.error.uniform', uniform=uniform))
    if games < 1:
        raise GameError(words('research.error.games', games=games))
    if threads < 1:
        raise GameError(words('research.error.threads', threads=threads))
    if by not in ('chance', 'yardstick'):
        raise GameError(words('research.error.by', by=by))
    if by == 'yardstick' and uniform != 'actions':
        raise GameError(words('research.error.yardstick_uniform', uniform=uniform))
    if by == 'yardstick' and threads > 1:
        raise GameError(words('research.error.yardstick_threads', threads=threads))
    if uniform == 'turns' and not game.lists_turns:
        raise GameError(words('research.error.no_turns', game=game.title))


def _play_by_chance(
    game: Game,
    players: int,
    games: int,
    seed: int | str,
    options: Options,
    method: int,
    threads: int,
    progress: Callable[[int], None] | None,
    results: Results,
) -> None:
    """Play games by chance on so many threads; `method` is LIST, LAZY or TURNS. The results are written to
    their rows of `results`."""
    kernel, encoded, number = player(game), options.encode(), seed_number(seed)
    stopped = threading.Event()

    def block(first: int, last: int, worker: Worker) -> None:
        at = np.array([first, last, 0, 0], np.int64)
        while not stopped.is_set():
            before = int(at[0])
            worker.play(kernel, players, encoded, number, method, at, *results)
            if progress is not None and at[0] > before:
                progress(int(at[0]) - before)
            if at[0] == last:
                return

    worker = Worker(game)
    block(0, 0, worker)  # compiles here, where Ctrl-C is heard
    if threads == 1:
        block(0, games, worker)
        return
    firsts, lock = iter(range(0, games, BLOCK)), threading.Lock()

    def work(worker: Worker) -> None:
        while not stopped.is_set():
            with lock:
                first = next(firsts, games)
            if first == games:
                return
            block(first, min(first + BLOCK, games), worker)

    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in [pool.submit(work, Worker(game)) for _ in range(threads)]:
                done.result()
        except BaseException:
            stopped.set()
            raise
