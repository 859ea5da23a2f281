"""The ladder: each level of bots against the one below, as they play at a table, in every game and number of
players.

Every game that ends is a line of a file, so a ladder can be stopped at any time and goes on where it was. The
rungs are climbed side by side: whenever it is stopped, all have been played about equally often.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ludoteca.game import GameError, load
from ludoteca.research.arena import Plan, wilson
from ludoteca.research.bot_games import MOST_TURNS, check_games
from ludoteca.research.processes import results as in_processes
from ludoteca.search import cores
from ludoteca.search.levels import LEVELS, THINKING_SECONDS, check_level, offered
from ludoteca.text import words

HEAD = json.dumps({'ladder': 1}) + '\n'
"""The first line of a file, by which a ladder knows its own: no other file is written to."""


class Rung(NamedTuple):
    """Two neighbours on the ladder, at a game with so many players."""

    game: str
    players: int
    upper: str
    lower: str


@dataclass(frozen=True)
class Standing:
    """What is known about a rung. Both levels have sat in equally many seats when a round of `rotations` is
    complete, so equals would win 50 %."""

    rung: Rung
    games: int
    wins: float  # games won by seats of the upper level; a win shared by n seats counts 1/n for each
    share: float  # of the games
    low: float  # 95 % interval of the share (Wilson)
    high: float

    def json(self) -> dict[str, object]:
        """The standing as plain data."""
        return {**self.rung._asdict(), **{k: v for k, v in asdict(self).items() if k != 'rung'}}


def rungs(games: Sequence[str], players: Sequence[int], levels: Sequence[str]) -> list[Rung]:
    """All rungs, from the lowest: of the games named, of the numbers of players that each has (all, if
    `players` is empty), between the levels named that are offered there and are neighbours.

    Raises GameError for an unknown game or level, and if nothing is left to be played.
    """
    for level in levels:
        check_level(level)
    found = [
        Rung(game, number, upper, lower)
        for game in games
        for number in load(game).players
        if not players or number in players
        for lower, upper in pairwise(name for name in offered(load(game), number) if name in levels)
    ]
    names = list(LEVELS)
    found.sort(key=lambda rung: (names.index(rung.lower), names.index(rung.upper)))
    if not found:
        raise GameError(words('research.error.no_rungs'))
    return found


def rotations(players: int) -> int:
    """Games after which each level has sat in each seat equally often: with an odd number of players each has
    the odd seat once."""
    return players * (1 + players % 2)


@cache
def _plan(rung: Rung, seed: str, more: bool) -> Plan:
    """The games of a rung in which the upper level has half of the seats, or one `more` than half."""
    above = (rung.players + more) // 2
    owners = tuple(int(seat >= above) for seat in range(rung.players))
    bots = tuple((rung.upper, rung.lower)[owner] for owner in owners)
    return Plan(
        rung.game,
        rung.players,
        bots,
        owners,
        None,
        None,
        f'{seed}/{rung.upper}',
        MOST_TURNS,
        THINKING_SECONDS,
    )


def play(rung: Rung, seed: str, number: int) -> dict[str, object]:
    """The `number`-th game of a rung, as a line of the file. The games of one round of `rotations` begin
    alike."""
    round_, place = divmod(number, rotations(rung.players))
    more, rotation = divmod(place, rung.players)
    played = _plan(rung, seed, bool(more)).play(round_ * rung.players + rotation)
    won = sum(share for owner, share in zip(played.seats, played.outcome, strict=True) if owner == 0)
    return {
        **rung._asdict(),
        'seed': seed,
        'number': number,
        'won': won,
        'turns': played.turns,
        'ending': played.ending,
    }


def read(path: Path) -> Iterator[tuple[str, Rung, int, float]]:
    """Seed, rung, number and win of every game in a ladder's file; none if there is no file. A last line that
    was cut off while it was written is left out.

    Raises GameError if the file is not a ladder's.
    """
    try:
        text = path.read_text('utf-8') if path.exists() else ''
    except (OSError, UnicodeDecodeError):
        raise GameError(words('research.error.not_a_ladder', path=path, line=1)) from None
    if text and not text.startswith(HEAD):
        raise GameError(words('research.error.not_a_ladder', path=path, line=1))
    for number, line in enumerate(text[: text.rfind('\n') + 1].splitlines()[1:], 2):
        try:
            one = json.loads(line)
            rung = Rung(str(one['game']), int(one['players']), str(one['upper']), str(one['lower']))
            yield str(one['seed']), rung, int(one['number']), float(one['won'])
        except (ValueError, KeyError, TypeError):
            raise GameError(words('research.error.not_a_ladder', path=path, line=number)) from None


def standings(path: Path, wanted: Sequence[Rung], seed: str) -> list[Standing]:
    """Where the wanted rungs stand by a ladder's file."""
    won: dict[Rung, dict[int, float]] = defaultdict(dict)
    for other, rung, number, share in read(path):
        if other == seed:
            won[rung][number] = share
    found = []
    for rung in wanted:
        games, wins = len(won[rung]), sum(won[rung].values())
        low, high = wilson(wins, games)
        found.append(Standing(rung, games, wins, wins / games if games else 0.5, low, high))
    return found


def climb(
    path: Path,
    wanted: Sequence[Rung],
    games: int,
    *,
    seed: str = '0',
    processes: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Standing]:
    """Play the wanted rungs until each has `games` games in the file at `path`, and say where they stand.

    Games that the file has already are not played again; each new one is written when it ends. The number of
    games is rounded up to whole rounds of `rotations`. `processes`: how many games at once (default: one a
    core); `executor`: its workers play instead. `progress(games done, games)` is called after each.
    """
    check_games(games)
    there = {(rung, number) for other, rung, number, _ in read(path) if other == seed}
    _begin(path)
    per = {rung: -(-games // rotations(rung.players)) * rotations(rung.players) for rung in wanted}
    missing = [
        (rung, number)
        for number in range(max(per.values()))
        for rung in wanted
        if number < per[rung] and (rung, number) not in there
    ]
    total = sum(per.values())
    done = total - len(missing)
    with path.open('a', encoding='utf-8') as file:
        jobs = ((rung, seed, number) for rung, number in missing)
        named = {rung.game for rung in wanted}
        for line in in_processes(play, jobs, processes or cores(), executor, named):
            file.write(json.dumps(line) + '\n')
            file.flush()
            done += 1
            if progress is not None:
                progress(done, total)
    return standings(path, wanted, seed)


def _begin(path: Path) -> None:
    """Have the file of a ladder end with a whole line: with the first one, if it is new. A last one that was
    cut off is taken away."""
    data = path.read_bytes() if path.exists() else b''
    if not data:
        path.write_text(HEAD, 'utf-8')
    elif not data.endswith(b'\n'):
        os.truncate(path, data.rfind(b'\n') + 1)
