"""Tournaments: all line-ups of some players in all seatings, from mirrored deals, kept in a folder.

    arena.json            what is played
    games.jsonl           a line for each game that is over
    matches/000012.txt    the same as match files
    summary.json          the figures
    report.html           the same for people

A *block* is one line-up in all its seatings, all games of which begin with the same deal. A line is written
when its game ends, so a tournament can be stopped at any time and goes on where it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca import __version__
from ludoteca.game import Game, GameError, Options, load, start
from ludoteca.game.variants import carried
from ludoteca.kernel import seed_words
from ludoteca.research import ratings, stopping
from ludoteca.research.bot_games import MOST_TURNS, check_games, check_limits, moves, named, seat_bot
from ludoteca.research.fingerprint import fingerprint
from ludoteca.research.heads import check_head, read_head
from ludoteca.research.intervals import Interval, of_ratio, wilson
from ludoteca.research.match_files import written
from ludoteca.research.processes import results as in_processes
from ludoteca.research.programs import ProgramBot, taking_part
from ludoteca.research.ratings import Seen
from ludoteca.research.rows import write_whole
from ludoteca.search import Bot, make_bot
from ludoteca.text import words

FORMAT = 1
HEAD, GAMES, MATCHES, SUMMARY = 'arena.json', 'games.jsonl', 'matches', 'summary.json'
MOST_SEATINGS = 100_000  # of one round


class Fixture(NamedTuple):
    """One game to be played."""

    number: int
    block: int
    seats: tuple[int, ...]  # the contestant of each seat


@dataclass(frozen=True)
class Tournament:
    """What is played. A worker process gets it whole."""

    game: Game | str
    players: int
    options: Options
    bots: tuple[str, ...]
    programs: tuple[tuple[str, str], ...] = ()  # names among `bots` that are programs, and their commands
    simulations: int | None = None
    time: float | None = None  # seconds a turn
    seed: str = '0'
    most_turns: int = MOST_TURNS

    @classmethod
    def of(
        cls,
        game: Game | str,
        bots: Sequence[str],
        players: int | None = None,
        options: Options | Mapping[str, Any] | None = None,
        programs: Mapping[str, str] | None = None,
        simulations: int | None = None,
        time: float | None = None,
        seed: int | str = 0,
        most_turns: int = MOST_TURNS,
    ) -> Tournament:
        """A tournament with defaults filled in. Raises GameError for what cannot be played."""
        loaded, commands = load(game) if isinstance(game, str) else game, dict(programs or {})
        players, options = loaded.checked(players, options)
        if len(bots) < 2:
            raise GameError(words('tournament.error.two'))
        if twice := [bot for k, bot in enumerate(bots) if bot in bots[:k]]:
            raise GameError(words('tournament.error.twice', bot=twice[0]))
        if len(bots) < players and players > 5:
            raise GameError(words('tournament.error.too_many', most=f'{MOST_SEATINGS:,}'))
        check_limits(simulations, time)
        for bot in bots:
            if bot not in commands:
                named(bot)
        if unused := next((name for name in commands if name not in bots), None):
            raise GameError(words('tournament.error.no_part', name=unused))
        found = cls(
            carried(game),
            players,
            options,
            tuple(bots),
            tuple(commands.items()),
            simulations,
            time,
            str(seed),
            most_turns,
        )
        if sum(1 for _ in found._line_ups()) * 2 > MOST_SEATINGS or len(found.round) > MOST_SEATINGS:
            raise GameError(words('tournament.error.too_many', most=f'{MOST_SEATINGS:,}'))
        return found

    @property
    def loaded(self) -> Game:
        """The game."""
        return load(self.game) if isinstance(self.game, str) else self.game

    def _line_ups(self) -> Iterator[tuple[int, ...]]:
        """Who plays together: nobody twice if there are enough for all seats, else everybody once at
        least."""
        k = len(self.bots)
        if k >= self.players:
            yield from combinations(range(k), self.players)
        else:
            for one in combinations_with_replacement(range(k), self.players):
                if len(set(one)) == k:
                    yield one

    @cached_property
    def round(self) -> list[tuple[int, tuple[int, ...]]]:
        """All line-ups in all seatings: the place of the line-up in the round, and the seats."""
        return [
            (place, seats)
            for place, line_up in enumerate(self._line_ups())
            for seats in sorted(set(permutations(line_up)))
        ]

    @cached_property
    def blocks_a_round(self) -> int:
        """How many blocks there are in a round."""
        return self.round[-1][0] + 1

    def fixture(self, number: int) -> Fixture:
        """The game of this number."""
        rounds, rest = divmod(number, len(self.round))
        place, seats = self.round[rest]
        return Fixture(number, rounds * self.blocks_a_round + place, seats)

    def complete(self, games: int) -> int:
        """The number of games, rounded up to whole blocks. Where bots hold several seats, to whole rounds:
        only all line-ups together give each of them as many."""
        if len(self.bots) < self.players:
            return -(-games // len(self.round)) * len(self.round)
        while self.fixture(games - 1).block == self.fixture(games).block:
            games += 1
        return games

    def seat_player(self, contestant: int, run: str = '') -> Bot:
        """Who plays the seats of a contestant. `run`: see `programs.running`."""
        name = self.bots[contestant]
        if command := dict(self.programs).get(name):
            return ProgramBot(name, command, run)
        bot, simulations = named(name)
        if simulations is not None:
            return seat_bot(bot, simulations)
        return make_bot(bot, simulations=self.simulations, seconds=self.time)

    def play(self, fixture: Fixture, run: str = '') -> dict[str, Any]:
        """A game, as a line of the file, with its match file as `match`; '' for a game that was broken off.
        `run`: see `programs.running`. Raises GameError if a player does what is not legal."""
        game, number = self.loaded, fixture.number
        deal = sum(int(word) << 32 * k for k, word in enumerate(seed_words(f'{self.seed}/{fixture.block}')))
        state = start(game, self.players, deal, self.options)
        names = [self.bots[one] for one in fixture.seats]
        bots = [self.seat_player(one, run) for one in fixture.seats]
        steps = [
            (seat, action)
            for seat, _, action in moves(
                game, state, bots, names, self.seed, number, seconds=self.time, most_turns=self.most_turns
            )
        ]
        outcome, scores = np.zeros(game.players[-1]), np.zeros(game.players[-1])
        game.kernels.scores(state, scores)
        if state.ending:
            game.kernels.outcome(state, outcome)
        else:
            outcome[: self.players] = 1 / self.players
        return {
            'number': number,
            'block': fixture.block,
            'seats': names,
            'outcome': outcome[: self.players].tolist(),
            'scores': scores[: self.players].tolist(),
            'turns': int(state.turn),
            'ending': game.endings[state.ending - 1] if state.ending else '',
            'match': written(game, self.players, self.options, deal, names, steps) if state.ending else '',
        }

    def head(self) -> dict[str, Any]:
        """What is played, as plain data."""
        return {
            'format': FORMAT,
            'game': self.loaded.name,
            'rules': self.loaded.version,
            'components': fingerprint(self.loaded),
            'ludoteca': __version__,
            'players': self.players,
            'options': self.options.changed(),
            'bots': list(self.bots),
            'programs': dict(self.programs),
            'sims': self.simulations,
            'time': self.time,
            'seed': self.seed,
            'most_turns': self.most_turns,
        }


def compete(
    tournament: Tournament,
    games: int,
    folder: Path | None = None,
    *,
    until: stopping.Rule | None = None,
    processes: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Play at most `games` games, rounded up (`Tournament.complete`), and return the figures (`summary`).

    With a folder every game is kept, and what it holds is not played again. `until` is asked after each round
    that is complete, in their order, so it decides the same with any number of `processes`, or by an
    `executor`; games beyond its decision do not count. `progress` is called with the number of games just
    played or found. Raises GameError for what cannot be played, and if the folder holds something else.
    """
    check_games(games)
    games = tournament.complete(games)
    played = _open(tournament, folder) if folder is not None else {}
    referee = Referee(tournament, until, games)
    for number in sorted(played):
        referee.add(played[number])
    if progress is not None and (found := sum(number < games for number in played)):
        progress(found)
    bare = replace(tournament)  # what is sent to processes goes without the list of all seatings
    try:
        with taking_part(tournament.programs) as run:
            jobs = (
                (bare, tournament.fixture(number), run)
                for number in range(games)
                if number not in played and not referee.decision
            )
            for line in in_processes(Tournament.play, jobs, processes, executor, [tournament.game]):
                if folder is not None:
                    _keep(folder, line)
                played[line['number']] = line
                referee.add(line)
                if progress is not None:
                    progress(1)
                if referee.decision:
                    break
    except OSError as problem:
        raise GameError(
            words('tournament.error.not_written', path=folder, problem=problem.strerror or problem)
        ) from problem
    counted = [played[number] for number in range(referee.counted) if number in played]
    found_ = summary(tournament, counted, referee.decision)
    if folder is not None:
        write_whole(folder / SUMMARY, json.dumps(found_, indent=2).encode())
    return found_


class Referee:
    """Asks a stopping rule after each complete round, in the order of the rounds: a round has all line-ups in
    all seatings, so rounds are alike."""

    def __init__(self, tournament: Tournament, rule: stopping.Rule | None, games: int) -> None:
        self.tournament, self.rule, self.counted, self.decision = tournament, rule, games, ''
        self._games, self._next = games, 0  # the first game of the first round that is not complete
        self._lines: dict[int, Mapping[str, Any]] = {}
        self._shares: list[npt.NDArray[np.float64]] = []

    def add(self, line: Mapping[str, Any]) -> None:
        """A game is over."""
        self._lines[line['number']] = line
        if self.rule is None:
            return
        while not self.decision and self._next < self._games:
            end = self._next + len(self.tournament.round)
            lines = [self._lines[k] for k in range(self._next, end) if k in self._lines]
            if len(lines) < end - self._next:
                return
            self._shares.append(shares(self.tournament, lines))
            self._next = end
            self.decision = self.rule.decide(np.array(self._shares))
            if self.decision:
                self.counted = end


def record(tournament: Tournament, lines: Sequence[Mapping[str, Any]]) -> npt.NDArray[np.float64]:
    """Of some games [what each contestant won, in how many of them it played][contestant]."""
    wins, games = np.zeros(len(tournament.bots)), np.zeros(len(tournament.bots))
    for line in lines:
        for bot in set(line['seats']):
            games[tournament.bots.index(bot)] += 1
        for bot, won in zip(line['seats'], line['outcome'], strict=True):
            wins[tournament.bots.index(bot)] += won
    return np.stack([wins, games])


def shares(tournament: Tournament, lines: Sequence[Mapping[str, Any]]) -> npt.NDArray[np.float64]:
    """Of some games the share of wins of each contestant, in those in which it played; NaN if in none."""
    wins, games = record(tournament, lines)
    return np.where(games > 0, wins / np.maximum(games, 1), np.nan)


def summary(tournament: Tournament, lines: Sequence[Mapping[str, Any]], decision: str = '') -> dict[str, Any]:
    """The figures of games: of each contestant its share of wins, by seat, and its strength; advantages of
    seats; and the cross table: of the games that both played and one of the two won, the share of the row."""
    bots = tournament.bots
    place = {bot: k for k, bot in enumerate(bots)}
    seen = [
        Seen(tuple(place[bot] for bot in line['seats']), tuple(line['outcome']), line['block'])
        for line in lines
    ]
    found = ratings.fit(len(bots), seen)
    blocks = sorted({one.block for one in seen})
    grouped: dict[int, list[Mapping[str, Any]]] = {block: [] for block in blocks}
    for line in lines:
        grouped[line['block']].append(line)
    records = np.array([record(tournament, grouped[block]) for block in blocks]).reshape(-1, 2, len(bots))
    contestants = []
    for k, bot in enumerate(bots):
        seats: list[list[float]] = [[] for _ in range(tournament.players)]
        for one in seen:
            for seat, who in enumerate(one.seats):
                if who == k:
                    seats[seat].append(one.outcome[seat])
        contestants.append(
            {
                'bot': bot,
                'games': sum(k in one.seats for one in seen),
                'wins': sum(map(sum, seats)),
                'share': _share(records[:, 0, k], records[:, 1, k]).json(),
                'strength': found.strengths[k].json(),
                'by_seat': [float(np.mean(won)) if won else None for won in seats],
            }
        )
    turns = [line['turns'] for line in lines]
    return {
        **tournament.head(),
        'games': len(lines),
        'blocks': len(blocks),
        'decision': decision,
        'contestants': contestants,
        'seats': [one.json() for one in found.seats],
        'cross': [[_against(seen, a, b) for b in range(len(bots))] for a in range(len(bots))],
        'draws': sum(max(line['outcome']) < 0.999 for line in lines),
        'capped': sum(not line['ending'] for line in lines),
        'endings': {
            name: sum(line['ending'] == name for line in lines) for name in tournament.loaded.endings
        },
        'turns': {
            'mean': float(np.mean(turns)) if turns else None,
            'median': float(np.median(turns)) if turns else None,
            'max': max(turns, default=None),
        },
    }


def _share(wins: npt.NDArray[np.float64], games: npt.NDArray[np.float64]) -> Interval:
    """The share of wins, of [block] wins and games, between the wider of two ends: of the spread between
    blocks, which are independent while games of one deal are not, and of Wilson's interval, which has width
    even if all games ended alike."""
    spread, (low, high) = of_ratio(wins, games), wilson(float(wins.sum()), int(games.sum()))
    # the spread of a single block is not known: NaN, which np.maximum keeps
    ends = (np.maximum(0.0, spread.low), low), (np.minimum(1.0, spread.high), high)
    return spread._replace(low=float(np.nanmin(ends[0])), high=float(np.nanmax(ends[1])))


def _against(seen: Sequence[Seen], a: int, b: int) -> dict[str, float | int | None] | None:
    """How a stands against b."""
    if a == b:
        return None
    wins = [0.0, 0.0]
    games = 0
    for one in seen:
        if a in one.seats and b in one.seats:
            games += 1
            for k, who in enumerate((a, b)):
                wins[k] += sum(won for seat, won in zip(one.seats, one.outcome, strict=True) if seat == who)
    return {'games': games, 'share': wins[0] / sum(wins) if sum(wins) else None}


def interval_of(one: Mapping[str, Any]) -> Interval:
    """An interval of a summary."""
    value, low, high = (float('nan') if one[name] is None else one[name] for name in ('value', 'low', 'high'))
    return Interval(value, low, high, int(one['n']))


# ---- files -------------------------------------------------------------------------------------------------


def read_tournament(folder: Path) -> dict[str, Any] | None:
    """What a folder's tournament is; None if there is nothing in it. Raises GameError if it holds something
    else."""
    return read_head(folder / HEAD, FORMAT, 'tournament.error.not_one')


def _open(tournament: Tournament, folder: Path) -> dict[int, dict[str, Any]]:
    """Make a folder, or see that it holds games of this tournament: those by number. A last line that was cut
    off is taken away."""
    found, asked = read_tournament(folder), tournament.head()
    if found is not None:
        same = {key: value for key, value in asked.items() if key != 'ludoteca'}
        check_head(found, same, folder, 'tournament.error.other')
    try:
        (folder / MATCHES).mkdir(parents=True, exist_ok=True)
        if found is None:
            write_whole(folder / HEAD, json.dumps(asked, indent=2).encode())
        path = folder / GAMES
        data = path.read_bytes() if path.exists() else b''
        if data and not data.endswith(b'\n'):
            os.truncate(path, data.rfind(b'\n') + 1)
    except OSError as problem:
        raise GameError(
            words('tournament.error.not_written', path=folder, problem=problem.strerror or problem)
        ) from problem
    played: dict[int, dict[str, Any]] = {}
    for place, text in enumerate(data[: data.rfind(b'\n') + 1].splitlines(), 1):
        try:
            line = json.loads(text)
            fixture = tournament.fixture(line['number'])
            if [tournament.bots[one] for one in fixture.seats] != line['seats']:
                raise ValueError(line['seats'])
            played[fixture.number] = {**line, 'outcome': [float(one) for one in line['outcome']]}
        except (ValueError, KeyError, TypeError):
            raise GameError(words('tournament.error.bad_line', path=path, line=place)) from None
    return played


def _keep(folder: Path, line: dict[str, Any]) -> None:
    """Write a game: first its match file, then its line, so that a line's match is there."""
    text = line.pop('match')
    line['match'] = f'{MATCHES}/{line["number"]:06}.txt' if text else ''
    if text:
        write_whole(folder / line['match'], text.encode())
    with (folder / GAMES).open('a', encoding='utf-8') as file:
        file.write(json.dumps(line) + '\n')
