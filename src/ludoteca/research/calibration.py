"""Calibration: does the expected outcome that reviews show agree with the results of games?

Bots play games. In the middle of each the expected outcome is asked for as a review asks for it, by what the
seat to move knows; at the end it is compared with the result. One position is taken of each game, so that
what is compared is independent. Where the middle lies is settled before: at half the median number of turns
of other games, one turn later from game to game until all seats have had theirs. A game's own length would
know too much of how it ends.

Every game is a line of a file, so that a run can be stopped and goes on. No clock is in it: the same plan
gives the same lines. Definitions and sources are in docs/review.md.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludoteca.game import Game, GameError, State, committed, load, start
from ludoteca.kernel import Floats
from ludoteca.research.arena import wilson
from ludoteca.research.bot_games import MOST_TURNS, moves, seat_bot
from ludoteca.research.processes import results as in_processes
from ludoteca.review.judging import expectation
from ludoteca.review.links import fit, linked
from ludoteca.review.review import SIMULATIONS
from ludoteca.search import cores
from ludoteca.search.levels import check_level
from ludoteca.text import words

PILOTS = 21
"""Games that say where the middle lies."""
BINS = 10
"""Rows of a reliability table."""
LEAST, MOST = 20, 100_000
"""Games of a calibration."""
BOT = 'medium'
FOLDS = 2


@dataclass(frozen=True)
class Plan:
    """What is played and asked. A worker process gets it whole."""

    game: str
    players: int
    options: Mapping[str, Any]
    seed: str
    level: str  # of the bots in all seats
    simulations: int  # of each search for an expected outcome
    version: int  # of the rules

    @classmethod
    def of(
        cls,
        game: Game,
        players: int | None,
        options: Mapping[str, Any],
        seed: int | str,
        level: str = BOT,
        simulations: int = SIMULATIONS,
    ) -> Plan:
        """A plan, checked. Raises GameError for an unknown option, level or number of players."""
        check_level(level)
        number, read = game.checked(players, options)
        return cls(game.name, number, read.changed(), str(seed), level, simulations, game.version)

    def head(self) -> dict[str, Any]:
        """The first line of a file with the games of this plan."""
        return {'calibration': 1, **asdict(self)}


@dataclass(frozen=True)
class Compared:
    """One game: what the seat to move expected for all seats in its middle, and how it ended. Where the game
    was over before, nothing was expected."""

    number: int
    seat: int
    turn: int
    expected: tuple[float, ...]
    outcome: tuple[float, ...]


@dataclass(frozen=True)
class Row:
    """Positions of which about the same was expected: how many, the mean of it, and what became of them."""

    low: float
    high: float
    games: int
    expected: float
    outcome: float
    least: float  # 95 % interval of the outcome (Wilson)
    most: float


@dataclass(frozen=True)
class Reliability:
    """How well what was expected agrees with what came."""

    rows: tuple[Row, ...]
    brier: float  # mean square of expected less outcome, of the seat to move
    brier_error: float
    gap: float  # mean absolute difference between the columns of the rows, weighted by games


@dataclass(frozen=True)
class Calibration:
    """A calibration. `link`: the exponent that fits best, 1 if none is needed, and its standard error.
    `fitted`: the same games with the exponent that the other half of them gives; `declared`: with that of the
    game."""

    game: str
    players: int
    level: str
    simulations: int
    seed: str
    games: int
    over_before: int  # games that were over before their middle; they are not among `games`
    turn: int  # the earliest turn that was asked
    ignorant: float  # the Brier score of expecting the same for all seats
    plain: Reliability
    link: float
    link_error: float
    fitted: Reliability
    declared_link: float  # that of the game, which its reviews use
    declared: Reliability

    def json(self) -> dict[str, Any]:
        """The calibration as plain data."""
        return asdict(self)


# ---- games -------------------------------------------------------------------------------------------------


def length(plan: Plan, number: int) -> int:
    """How many turns a pilot game has."""
    game = load(plan.game)
    state = start(game, plan.players, f'{plan.seed}/pilot/{number}', plan.options)
    for _ in _moves(game, plan, state, f'{plan.seed}/pilot', number):
        pass
    return int(state.turn)


def compare(plan: Plan, middle: int, number: int) -> Compared:
    """The game of that number. `middle`: the earliest turn at which somebody is asked. Raises GameError for a
    game that does not end."""
    game = load(plan.game)
    state = start(game, plan.players, f'{plan.seed}/{number}', plan.options)
    turn = middle + number % plan.players
    before = state.copy()
    asked: tuple[int, tuple[float, ...]] | None = None
    begins = True
    for _ in _moves(game, plan, state, plan.seed, number):
        begins, before = committed(before, state), state.copy()
        if asked is None and begins and not state.ending and state.turn >= turn and not _drawn(game, state):
            seat = int(state.to_move)
            chance = f'{plan.seed}/{number}/expected'
            found = expectation(game, state, seat, simulations=plan.simulations, seed=chance)
            asked = seat, tuple(round(one, 6) for one in found)
    outcome = np.zeros(game.players[-1])
    if not state.ending:
        raise GameError(words('research.error.endless', game=number, turns=MOST_TURNS))
    game.kernels.outcome(state, outcome)
    seat, expected = asked or (-1, ())
    return Compared(number, seat, turn, expected, tuple(outcome[: plan.players].tolist()))


def _moves(game: Game, plan: Plan, state: State, seed: str, number: int) -> Iterator[tuple[int, int, int]]:
    names = [plan.level] * plan.players
    return moves(game, state, [seat_bot(name, None) for name in names], names, seed, number)


def _drawn(game: Game, state: State) -> bool:
    """Do all choose at once, or by chance? A review does not compare such turns either."""
    return state.phase in (*game.sealed, *game.sampled_phases, *game.arranged)


# ---- the file ----------------------------------------------------------------------------------------------


def read(path: Path, plan: Plan) -> tuple[int, dict[int, Compared]]:
    """Where the middle lies by the file of a plan, -1 if there is none yet; and its games by their numbers.
    A last line that was cut off is left out. Raises GameError if the file holds something else."""
    try:
        text = path.read_text('utf-8') if path.exists() else ''
    except (OSError, UnicodeDecodeError):
        raise GameError(words('research.error.not_a_calibration', path=path, line=1)) from None
    middle, found = -1, dict[int, Compared]()
    if text and '\n' not in text:
        raise GameError(words('research.error.not_a_calibration', path=path, line=1))
    for k, line in enumerate(text[: text.rfind('\n') + 1].splitlines(), 1):
        try:
            one = json.loads(line)
            if k == 1:
                middle = int(one.pop('middle'))
                if one != json.loads(json.dumps(plan.head())):
                    raise GameError(words('research.error.other_calibration', path=path))
                continue
            expected, outcome = (tuple(map(float, one[key])) for key in ('expected', 'outcome'))
            game = Compared(int(one['number']), int(one['seat']), int(one['turn']), expected, outcome)
        except GameError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError):
            raise GameError(words('research.error.not_a_calibration', path=path, line=k)) from None
        found[game.number] = game
    return middle, found


def calibrate(
    plan: Plan,
    games: int,
    path: Path | None = None,
    *,
    processes: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> Calibration:
    """Play what the file lacks until it has so many games with a middle, and compare them: in so many
    `processes`, or by the workers of an `executor`. `progress` is told how many have been added. Raises
    GameError for another number of games than LEAST to MOST, and if none of as many games has a middle."""
    if not LEAST <= games <= MOST:
        raise GameError(words('research.error.calibration_games', least=LEAST, most=f'{MOST:,}', games=games))
    middle, found = read(path, plan) if path else (-1, {})
    workers = processes or cores()
    if middle < 0:
        first = ((plan, number) for number in range(PILOTS))
        pilots = in_processes(length, first, workers, executor, [plan.game])
        middle = int(statistics.median(pilots)) // 2
        _add(path, {**plan.head(), 'middle': middle}, begin=True)
    elif path:
        _mend(path)  # before a line is added
    while missing := _missing(found, games):
        jobs = ((plan, middle, number) for number in missing)
        for one in in_processes(compare, jobs, workers, executor, [plan.game]):
            found[one.number] = one
            _add(path, asdict(one))
            progress(1 if one.expected else 0)
        if len(found) >= games and not any(one.expected for one in found.values()):
            raise GameError(words('research.error.no_middle', game=load(plan.game).title, games=len(found)))
    last = _last(found, games)
    return summary(plan, middle, [found[number] for number in sorted(found) if number <= last])


def _missing(found: Mapping[int, Compared], games: int) -> list[int]:
    """The numbers of the games to be played next. Those that were over too early are replaced by later
    ones."""
    have = sum(bool(one.expected) for one in found.values())
    gaps = [number for number in range(max(found, default=-1) + 1) if number not in found]
    if gaps:
        return gaps
    return list(range(len(found), len(found) + max(0, games - have)))


def _last(found: Mapping[int, Compared], games: int) -> int:
    """The number of the game with which there are enough."""
    have = 0
    for number in sorted(found):
        have += bool(found[number].expected)
        if have == games:
            return number
    return max(found)


def _add(path: Path | None, line: Mapping[str, Any], begin: bool = False) -> None:
    if path:
        with path.open('w' if begin else 'a', encoding='utf-8') as file:
            file.write(json.dumps(line) + '\n')


def _mend(path: Path) -> None:
    """Take a last line away that was cut off."""
    data = path.read_bytes()
    if not data.endswith(b'\n'):
        os.truncate(path, data.rfind(b'\n') + 1)


# ---- what it says ------------------------------------------------------------------------------------------


def summary(plan: Plan, middle: int, games: Sequence[Compared]) -> Calibration:
    """Compare what was expected with what came."""
    asked = [one for one in games if one.expected]
    expected = np.array([one.expected for one in asked])
    outcome = np.array([one.outcome for one in asked])
    seats = np.array([one.seat for one in asked])
    link, error = fit(expected, outcome)
    crossed = np.empty_like(expected)
    half = np.arange(len(asked)) // plan.players % FOLDS
    for k in range(FOLDS):
        crossed[half == k] = linked(expected[half == k], fit(expected[half != k], outcome[half != k])[0])
    rows, declared = np.arange(len(asked)), load(plan.game).link
    own = outcome[rows, seats]
    return Calibration(
        plan.game,
        plan.players,
        plan.level,
        plan.simulations,
        plan.seed,
        len(asked),
        len(games) - len(asked),
        middle,
        float(np.square(1 / plan.players - own).mean()),
        reliability(expected[rows, seats], own),
        link,
        error,
        reliability(crossed[rows, seats], own),
        declared,
        reliability(linked(expected, declared)[rows, seats], own),
    )


def reliability(expected: Floats, outcome: Floats) -> Reliability:
    """The reliability table of expected outcomes and outcomes, one of each a game."""
    place = np.minimum((expected * BINS).astype(int), BINS - 1)
    rows = []
    for k in range(BINS):
        here = place == k
        if not here.any():
            continue
        n, wins = int(here.sum()), float(outcome[here].sum())
        rows.append(
            Row(k / BINS, (k + 1) / BINS, n, float(expected[here].mean()), wins / n, *wilson(wins, n))
        )
    squares = np.square(expected - outcome)
    gap = sum(row.games * abs(row.expected - row.outcome) for row in rows) / len(expected)
    return Reliability(
        tuple(rows), float(squares.mean()), float(squares.std(ddof=1) / np.sqrt(len(squares))), gap
    )
