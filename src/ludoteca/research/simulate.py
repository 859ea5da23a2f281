"""Many games of chance, or games in which bots play all seats.

Game `i` of a simulation is seeded with numbers mixed from the simulation's seed and `i`: it is the same game
whatever the number of games, of threads, or the size of the pieces in which the work is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ludoteca.game import Game, GameError, Options, load
from ludoteca.game.variants import carried
from ludoteca.research.bot_games import BotGames, seated
from ludoteca.research.game_figures import WatchedGames
from ludoteca.research.processes import Pace
from ludoteca.research.processes import results as in_processes
from ludoteca.research.random_play import LAZY, LIST, TURNS, Results, Turns, play_by_chance
from ludoteca.text import words

Uniform = Literal['actions', 'turns']
"""What a random player chooses from uniformly: the legal actions of each step, or all complete turns."""

CHANCE = 'chance'
"""Who plays all seats where no bot does."""

RANDOM = 'random'
"""The bot that plays at random, one action at a time."""

MOST_GAMES = 1 << 30
MOST_THREADS = 1_000  # more would take longer to begin than to play
"""Games of one seed have smaller numbers than this: `mix` counts 2^32 numbers, of which a game takes four."""

SHARD = 1 << 16
"""Games by chance in one file of rows, and of which the figures are added up at once."""

BLOCK = 1 << 14
"""Games by chance that an executor's worker plays before all that happened in them is sent back."""


@dataclass
class Tally:
    """The figures of many games, added up piece by piece."""

    game: Game
    players: int
    games: int = 0
    turns: npt.NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(1, np.int64)
    )  # games of each length
    actions: int = 0
    legal: int = 0  # in all lists
    most_legal: int = 0
    wins: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # alone, by seat
    began: int = 0  # games won, alone, by the seat that was the first to move
    endings: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    points: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # of all, of the winner
    measures: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))  # (measures, the same two)

    def __post_init__(self) -> None:
        self.wins = np.zeros(self.players, np.int64)
        self.endings = np.zeros(len(self.game.endings) + 1, np.int64)
        self.points, self.measures = np.zeros(2), np.zeros((len(self.game.measures), 2))

    def add(self, results: Results) -> Tally:
        """Add up finished games too."""
        counted = np.bincount(results.turns, minlength=len(self.turns))
        counted[: len(self.turns)] += self.turns
        alone = results.outcomes > 0.999
        self.turns, self.games = counted, self.games + len(results.turns)
        self.actions += int(results.actions.sum(dtype=np.int64))
        self.legal += int(results.branching[:, 0].sum())
        self.most_legal = max(self.most_legal, int(results.branching[:, 1].max(initial=0)))
        self.wins += alone.sum(axis=0)
        self.began += int(alone[np.arange(len(alone)), results.began].sum())
        self.endings += np.bincount(results.endings, minlength=len(self.endings))
        self.points += _sums(results.scores, results.outcomes)
        for k in range(len(self.measures)):
            self.measures[k] += _sums(results.measures[..., k], results.outcomes)
        return self

    def sums(self) -> dict[str, Any]:
        """What was added up, as plain data without the game."""
        return {name: value for name, value in vars(self).items() if name not in ('game', 'players')}

    def include(self, sums: dict[str, Any]) -> Tally:
        """Add up what another tally of the same game and players has (`sums`)."""
        counted = np.zeros(max(len(self.turns), len(sums['turns'])), np.int64)
        counted[: len(self.turns)] += self.turns
        counted[: len(sums['turns'])] += sums['turns']
        self.turns, self.most_legal = counted, max(self.most_legal, sums['most_legal'])
        for name in ('games', 'actions', 'legal', 'wins', 'began', 'endings', 'points', 'measures'):
            setattr(self, name, getattr(self, name) + sums[name])
        return self

    def summary(self) -> dict[str, Any]:
        """The figures as plain data; see `Simulation.summary`."""
        n = self.games
        seats = n * self.players

        def means(sums: npt.NDArray[np.float64]) -> dict[str, float]:
            return {'mean': float(sums[0] / seats), 'winner': float(sums[1] / n)}

        return {
            'turns': {
                'mean': float((self.turns * np.arange(len(self.turns))).sum() / n),
                'median': _median(self.turns),
                'max': len(np.trim_zeros(self.turns, 'b')) - 1,
            },
            'wins': [float(wins / n) for wins in self.wins],
            'draws': float((n - self.wins.sum()) / n),
            'wins_of_the_first': self.began / n,
            'scores': means(self.points),
            'measures': {
                name: means(sums) for name, sums in zip(self.game.measures, self.measures, strict=True)
            },
            'endings': {
                name: float(count / n)
                for name, count in zip(self.game.endings, self.endings[1:], strict=True)
            },
            'actions': {'mean': self.actions / n},
            'branching': {'mean': self.legal / self.actions, 'max': self.most_legal} if self.legal else None,
        }


def _sums(values: npt.NDArray[np.float32], outcomes: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Of values (games, players): the sum, and that of the winners (winners of one game share its weight)."""
    return np.array([values.sum(dtype=np.float64), (outcomes * values).sum(dtype=np.float64)])


def _median(counted: npt.NDArray[np.int64]) -> float:
    """The median of numbers of which `counted[k]` are k."""
    ends, n = counted.cumsum(), int(counted.sum())
    low, high = np.searchsorted(ends, [(n - 1) // 2, n // 2], side='right')
    return float(low + high) / 2


@dataclass(frozen=True)
class Simulation:
    """What happened in many games: one row a game, in the order of their numbers."""

    game: str
    players: int
    options: Options
    seed: int | str
    by: str
    uniform: Uniform | None  # None: nothing was drawn, bots played
    first: int  # the number of the first game
    turns: npt.NDArray[np.int32]  # (games,) finished turns
    actions: npt.NDArray[np.int32]  # (games,)
    endings: npt.NDArray[np.int8]  # (games,) 1 + index into the game's names of endings
    outcomes: npt.NDArray[np.float32]  # (games, players): 1 shared equally among the winners
    scores: npt.NDArray[np.float32]  # (games, players): points as printed
    # (games, players, number of measures): what the game measures beyond the points
    measures: npt.NDArray[np.float32]
    began: npt.NDArray[np.int8]  # (games,) the seat that was the first to move
    branching: npt.NDArray[np.int64]  # (games, 2): legal actions in all lists, in the longest; 0: no lists
    names: tuple[str, ...]  # of the endings
    measure_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.turns)

    @property
    def results(self) -> Results:
        """All rows."""
        return Results(*(getattr(self, name) for name in Results._fields))

    def summary(self) -> dict[str, Any]:
        """The figures as plain data.

        `by` is who played, `uniform` over what random players chose (None: bots played). `wins` is each
        seat's share of games that it won alone and `draws` the share of games without a sole winner: together
        they are 1. `wins_of_the_first` is the share of games that the seat that was the first to move won
        alone. `scores` and each of `measures` have the mean over all seats and games, and the mean of the
        winners (winners of the same game share its weight). `branching` has the mean and the greatest number
        of legal actions; None if no lists were made.
        """
        tally = Tally(load(self.game), self.players).add(self.results)
        return {**self.head(), 'games': len(self), **tally.summary()}

    def head(self) -> dict[str, Any]:
        """What these games are."""
        return {
            'game': self.game,
            'players': self.players,
            'seed': self.seed,
            'first': self.first,
            'by': self.by,
            'uniform': self.uniform,
            'options': self.options.changed(),
        }


@dataclass(frozen=True)
class Job:
    """What is to be simulated: everything that decides how a game of a certain number goes."""

    game: Game | str
    players: int
    options: Options
    seed: int | str
    by: str  # CHANCE, or who plays the seats, separated by commas
    uniform: Uniform
    lists: bool

    @classmethod
    def of(
        cls,
        game: Game | str,
        players: int | None = None,
        seed: int | str = 0,
        uniform: Uniform = 'actions',
        options: Options | Mapping[str, Any] | None = None,
        by: str = CHANCE,
        lists: bool | None = None,
    ) -> Job:
        """A job with defaults filled in. Raises GameError if the parts do not fit the game or each other."""
        loaded = load(game) if isinstance(game, str) else game
        players, options = loaded.checked(players, options)
        if uniform not in ('actions', 'turns'):
            raise GameError(words('research.error.uniform', uniform=uniform))
        if by != CHANCE:
            if uniform != 'actions':
                raise GameError(words('research.error.bots_uniform', uniform=uniform))
            by = ','.join(seated(by.split(','), players))
            if set(by.split(',')) == {RANDOM}:
                by = CHANCE
        elif uniform == 'turns' and not loaded.lists_turns:
            raise GameError(words('research.error.no_turns', game=loaded.title))
        return cls(carried(game), players, options, seed, by, uniform, lists is None or lists)

    @property
    def loaded(self) -> Game:
        """The game."""
        return load(self.game) if isinstance(self.game, str) else self.game

    @property
    def method(self) -> int:
        """How random play is made."""
        return TURNS if self.uniform == 'turns' else LIST if self.lists else LAZY

    def bots(self, each_turn: bool = False) -> BotGames:
        """The same for a process that plays bots' games."""
        names = tuple(self.by.split(','))
        return BotGames(self.game, self.players, self.options, names, self.seed, each_turn)

    def with_bots(self) -> Job:
        """The same by bots: in place of chance by the bot that plays at random. Its choices are no draws of
        the game's own generator, so a match of the same seed and actions is the same game."""
        return replace(self, by=','.join([RANDOM] * self.players)) if self.by == CHANCE else self

    def watched(self) -> WatchedGames:
        """Games by bots with their figures."""
        names = tuple(self.by.split(','))
        return WatchedGames(self.game, self.players, self.options, names, self.seed)

    def simulation(self, first: int, results: Results) -> Simulation:
        """Games of this job with what happened in them."""
        return Simulation(
            self.loaded.name,
            self.players,
            self.options,
            self.seed,
            self.by,
            self.uniform if self.by == CHANCE else None,
            first,
            *results,
            self.loaded.endings,
            self.loaded.measures,
        )


def simulate(
    game: Game | str,
    players: int | None = None,
    games: int = 1000,
    seed: int | str = 0,
    uniform: Uniform = 'actions',
    options: Options | Mapping[str, Any] | None = None,
    *,
    by: str = CHANCE,
    lists: bool | None = None,
    first: int = 0,
    threads: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play the `games` games from number `first` on, by chance or by bots.

    `by` names one bot for all seats or one for each, separated by commas: `medium`, `expert:2000,easy` (with
    2,000 simulations an action). Bots know no more than their seats may; games begin as those by chance. With
    `by='yardstick'` all seats are played by `Game.yardstick`, which plans whole turns. A yardstick always
    does the same, and games without chance would all be one game: so in opening phases
    (`Game.sampled_phases`) and arrangements (`Game.arranged`) it draws every action uniformly, from the seed.
    Bots refuse `uniform='turns'`; `lists` means nothing to them. `options`: those of the game, also by their
    names.

    `uniform` says what random players choose from. With 'actions', `lists` says whether every list of legal
    actions is made (the default) or the game's `random_action` is asked, which is faster; both are uniform,
    but they draw other games. `threads`: how many games at once, in threads by chance, in processes by bots.
    `executor`: its workers play in their place, and the games are the same (docs/clusters.md). `progress` is
    called with the number of games just finished. Raises GameError if the numbers or options do not fit the
    game.

    >>> simulate('octiles', players=2, games=3, seed=1).turns
    array([122, 180, 269], dtype=int32)
    >>> simulate('octiles', players=2, games=2, seed=1, first=1).turns      # games 1 and 2 of the same
    array([180, 269], dtype=int32)
    """
    job = Job.of(game, players, seed, uniform, options, by, lists)
    check_numbers(first, games, threads)
    results = Results.empty(job.loaded, job.players, games)
    play(job, range(first, first + games), results, threads, progress, executor=executor)
    return job.simulation(first, results)


def figures(
    job: Job,
    first: int,
    games: int,
    *,
    threads: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """What `simulate(...).summary()` says of so many games of a job; their rows are not kept, so memory does
    not grow with their number. Raises GameError as `simulate` does."""
    check_numbers(first, games, threads)
    numbers, tally = range(first, first + games), Tally(job.loaded, job.players)
    if executor is not None and job.by == CHANCE:
        for sums in _sums_in_order(job, numbers, executor, progress):
            tally.include(sums)
    else:
        for piece in pieces(numbers, SHARD):
            results = Results.empty(job.loaded, job.players, len(piece))
            play(job, piece, results, threads, progress, executor=executor)
            tally.include(Tally(job.loaded, job.players).add(results).sums())
    head = job.simulation(first, Results.empty(job.loaded, job.players, 0)).head()
    return {**head, 'games': games, **tally.summary()}


def _sums_in_order(
    job: Job, numbers: range, executor: Executor, progress: Callable[[int], None] | None
) -> Iterator[dict[str, Any]]:
    """What workers have added up of each piece, in the order of the games: fractions that are added in
    another order can differ in their last digit."""
    jobs = ((job, piece) for piece in pieces(numbers, SHARD))
    waiting, following = dict[int, tuple[int, dict[str, Any]]](), numbers.start
    for piece, sums in in_processes(sums_of, jobs, executor=executor, games=[job.game]):
        waiting[piece.start] = piece.stop, sums
        if progress is not None:
            progress(len(piece))
        while following in waiting:
            following, ready = waiting.pop(following)
            yield ready


def sums_of(job: Job, numbers: range) -> tuple[range, dict[str, Any]]:
    """Play games by chance; the sums of their figures."""
    tally = Tally(job.loaded, job.players).add(played_by_chance(job, numbers)[1])
    return numbers, tally.sums()


def played_by_chance(job: Job, numbers: range) -> tuple[range, Results]:
    """Play games by chance, in this thread."""
    results = Results.empty(job.loaded, job.players, len(numbers))
    play(job, numbers, results, 1)
    return numbers, results


def pieces(numbers: range, size: int) -> Iterator[range]:
    """The numbers, cut at the multiples of `size`."""
    start = numbers.start
    while start < numbers.stop:
        stop = min((start // size + 1) * size, numbers.stop)
        yield range(start, stop)
        start = stop


def paced(numbers: range, pace: Pace) -> Iterator[range]:
    """The numbers, in pieces of the size that the pace has when the next one is asked for."""
    start = numbers.start
    while start < numbers.stop:
        stop = min(start + pace.size, numbers.stop)
        yield range(start, stop)
        start = stop


def check_numbers(first: int, games: int, threads: int) -> None:
    """Raises GameError if there are no such games, or no threads to play them."""
    if games < 1:
        raise GameError(words('research.error.games', games=games))
    check_threads(threads)
    if not 0 <= first <= MOST_GAMES - games:
        last = first + games - 1
        raise GameError(words('research.error.first', most=f'{MOST_GAMES - 1:,}', first=first, last=last))


def check_threads(threads: int) -> None:
    """Raises GameError if so many threads or processes cannot play."""
    if not 1 <= threads <= MOST_THREADS:
        raise GameError(words('research.error.threads', most=f'{MOST_THREADS:,}', threads=threads))


def play(
    job: Job,
    numbers: range,
    results: Results,
    threads: int,
    progress: Callable[[int], None] | None = None,
    turns: Callable[[Turns], None] | None = None,
    executor: Executor | None = None,
) -> None:
    """Play the games of these numbers. Each is written to its row of `results` when it ends: rows whose
    ending is 0 are not finished. `turns` is called with finished turns if it is given."""
    game, first = job.loaded, numbers.start
    if job.by == CHANCE and executor is not None:
        jobs = ((job, piece) for piece in pieces(numbers, BLOCK))
        for piece, some in in_processes(played_by_chance, jobs, executor=executor, games=[job.game]):
            results.write(piece.start - first, some)
            if progress is not None:
                progress(len(piece))
        return
    if job.by == CHANCE:
        options = job.options.encode()
        given = (game, job.players, options, job.seed, job.method, numbers, results)
        play_by_chance(*given, threads=threads, progress=progress, turns=turns)
        return
    bots, pace = job.bots(turns is not None), Pace.of(threads, executor)
    jobs_ = ((bots, piece) for piece in paced(numbers, pace))
    for played in in_processes(BotGames.play_all, jobs_, threads, executor, [job.game]):
        pace.told(len(played.numbers), played.seconds)
        results.write(played.numbers.start - first, played.results)
        if turns is not None:
            turns(played.turns.from_row(played.numbers.start - first))
        if progress is not None:
            progress(len(played.numbers))
