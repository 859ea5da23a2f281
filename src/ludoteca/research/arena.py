"""Bots against each other: who is stronger, and how sure is that?"""

from __future__ import annotations

import statistics
import time as clock
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from ludoteca.game import Game, GameError, Options, load, start
from ludoteca.game.variants import carried
from ludoteca.research.bot_games import MOST_TURNS, check_games, check_limits, moves
from ludoteca.research.intervals import wilson
from ludoteca.research.processes import results as in_processes
from ludoteca.search import cores, make_bot
from ludoteca.text import words

__all__ = ['Arena', 'Contestant', 'Plan', 'Played', 'arena', 'wilson']


@dataclass(frozen=True)
class Contestant:
    """What one of the bots achieved."""

    bot: str
    seats: int  # how many it takes in each game
    wins: float  # games won; a win shared by n counts 1/n
    share: float  # of all games
    low: float  # 95 % interval of the share (Wilson)
    high: float
    by_seat: tuple[float | None, ...]  # share of the games in which it sat there; None: it never did


@dataclass(frozen=True)
class Arena:
    """The result of an arena."""

    game: str
    players: int
    games: int
    seed: str
    simulations: int | None
    time: float | None
    contestants: tuple[Contestant, ...]
    draws: int  # games without a single winner, the capped ones included
    capped: int  # games broken off after too many turns
    endings: dict[str, int]
    turns: dict[str, float]  # mean, median, max
    seconds: float

    def json(self) -> dict[str, Any]:
        """The result as plain data."""
        return asdict(self)


class Played(NamedTuple):
    """One game: which contestant sat where, the outcome of each seat, turns, and the name of the ending (''
    if capped)."""

    seats: tuple[int, ...]
    outcome: tuple[float, ...]
    turns: int
    ending: str


@dataclass(frozen=True)
class Plan:
    """What an arena plays. A worker process gets it whole."""

    game: Game | str
    players: int
    bots: tuple[str, ...]  # one a seat
    owners: tuple[int, ...]  # [seat before rotating] -> contestant
    simulations: int | None
    time: float | None
    seed: str
    most_turns: int
    # seconds for a turn of bots that keep their own limits, as at a table; without it they have all time
    turn: float | None = None
    options: Options | None = None  # None: the game's own

    def play(self, number: int) -> Played:
        """The `number`-th game. The games of one round of rotations begin alike."""
        game = load(self.game) if isinstance(self.game, str) else self.game
        seats = tuple((seat + number) % self.players for seat in range(self.players))
        bots = [make_bot(self.bots[i], simulations=self.simulations, seconds=self.time) for i in seats]
        state = start(game, self.players, f'{self.seed}/{number // self.players}', self.options)
        seconds = self.turn if self.time is None else self.time
        names = [self.bots[i] for i in seats]
        for _ in moves(
            game, state, bots, names, self.seed, number, seconds=seconds, most_turns=self.most_turns
        ):
            pass
        out = np.zeros(game.players[-1])
        if state.ending:
            game.kernels.outcome(state, out)
        else:
            out[: self.players] = 1 / self.players
        return Played(
            tuple(self.owners[i] for i in seats),
            tuple(out[: self.players].tolist()),
            int(state.turn),
            game.endings[state.ending - 1] if state.ending else '',
        )


def _play(plan: Plan, number: int) -> tuple[int, Played]:
    return number, plan.play(number)


def arena(
    game: Game | str,
    players: int,
    bots: Sequence[str],
    games: int,
    *,
    options: Options | Mapping[str, Any] | None = None,
    sims: int | None = None,
    time: float | None = None,
    seed: int | str = 0,
    processes: int | None = None,
    executor: Executor | None = None,
    most_turns: int = MOST_TURNS,
    progress: Callable[[int, int], None] | None = None,
) -> Arena:
    """Let bots play `games` games and count who wins.

    The bots move one seat on from game to game; games 1 to `players` begin alike, so do the next, and so on.
    With fewer bots than players the last one takes the seats left. `sims` or `time` (seconds a turn) replace
    the levels' own limits. `processes`: how many games at once (default: one a core; 1: in this process).
    With several a script calls this under `if __name__ == '__main__':`, because each process imports it.
    `executor`: its workers play instead. A game of `most_turns` turns is broken off and shared by all.
    `progress(games done, games)` is called after each game. Raises GameError for what cannot be played.
    """
    loaded = load(game) if isinstance(game, str) else game
    players, options = loaded.checked(players, options)
    if not 2 <= len(bots) <= players:
        raise GameError(words('research.error.bots', players=players, bots=len(bots)))
    check_games(games)
    check_limits(sims, time)
    for name in bots:
        make_bot(name)
    begin = clock.monotonic()
    owners = tuple(min(seat, len(bots) - 1) for seat in range(players))
    try:
        by_name = isinstance(game, str) and load(loaded.name) is loaded
        known: Game | str = carried(loaded.name) if by_name else loaded
    except GameError:
        known = loaded
    names = tuple(bots[i] for i in owners)
    plan = Plan(known, players, names, owners, sims, time, str(seed), most_turns, options=options)
    played: list[Played | None] = [None] * games
    jobs = ((plan, number) for number in range(games))
    workers = min(games, processes or cores())
    for done, (number, result) in enumerate(in_processes(_play, jobs, workers, executor, [plan.game]), 1):
        played[number] = result
        if progress is not None:
            progress(done, games)
    return _summary(plan, loaded, bots, [p for p in played if p is not None], clock.monotonic() - begin)


def _summary(plan: Plan, game: Game, bots: Sequence[str], played: Sequence[Played], seconds: float) -> Arena:
    contestants = []
    for i, bot in enumerate(bots):
        won = [[p.outcome[seat] for p in played if p.seats[seat] == i] for seat in range(plan.players)]
        wins = sum(map(sum, won))
        low, high = wilson(wins, len(played))
        contestants.append(
            Contestant(
                bot,
                plan.owners.count(i),
                wins,
                wins / len(played),
                low,
                high,
                tuple(sum(w) / len(w) if w else None for w in won),
            )
        )
    turns = [p.turns for p in played]
    endings = Counter(p.ending for p in played if p.ending)
    return Arena(
        game.name,
        plan.players,
        len(played),
        plan.seed,
        plan.simulations,
        plan.time,
        tuple(contestants),
        draws=sum(max(p.outcome) < 1 for p in played),
        capped=sum(not p.ending for p in played),
        endings={name: endings[name] for name in game.endings if endings[name]},
        turns={'mean': statistics.mean(turns), 'median': statistics.median(turns), 'max': max(turns)},
        seconds=seconds,
    )
