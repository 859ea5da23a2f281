"""The same random games played by C++ and by Ludoteca: proof that they are the same, and how fast both are.

    python -m benchmarks.cpp.run [octiles] [myraclia] [--players 2 3 4] [--pairs 7] [--json FILE]

Needs g++. Every program is built with -O3 -march=native. For each game and number of players, 2,000 games of
both must agree in all that a simulation writes down: turns, actions, ending, scores and measures. Then both
play in turn for `seconds` of processor time each, so that a busy computer disturbs both alike; the median of
the ratios is given, and the range between them. `--json` writes the rates of C++ to a file for `ludoteca
bench --against`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.cpp import tables
from ludoteca.game import Game, load
from ludoteca.kernel import seed_number
from ludoteca.research.bench import random_play
from ludoteca.research.random_play import LIST
from ludoteca.research.simulate import Simulation, simulate

HERE = Path(__file__).parent
GAMES = ('octiles', 'myraclia')
FLAGS = ('-std=c++17', '-O3', '-march=native', '-Wall', '-Wextra')
SAME = 2000  # games that are compared
PROGRAM = 'C++'
WORD = (1 << 64) - 1


class Played(NamedTuple):
    """What a program prints: how much it has played in `seconds` of processor time, and the checksum."""

    games: int
    actions: int
    turns: int
    seconds: float
    checksum: int


def build(game: str, folder: Path) -> Path:
    """The program of a game, built in a folder."""
    tables.write(game, folder)
    made = folder / game
    command = ['g++', *FLAGS, f'-I{HERE}', f'-I{folder}', '-o', str(made), str(HERE / f'{game}.cpp')]
    subprocess.run(command, check=True)
    return made


def play(program: Path, players: int, seed: int, games: int, seconds: float) -> Played:
    """Have a program play at least so many games and so long."""
    command = [str(program), str(players), str(seed_number(seed)), str(games), str(seconds)]
    games_, actions, turns, took, checksum = subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout.split()
    return Played(int(games_), int(actions), int(turns), float(took), int(checksum))


def checksum_of(found: Simulation) -> int:
    """The checksum of common.h for the games of a simulation."""
    value = 0
    for number in numbers_of(found):
        value = ((value ^ (number & WORD)) * 0x9E3779B97F4A7C15) & WORD
        value ^= value >> 32
    return value


def numbers_of(found: Simulation) -> Iterator[int]:
    """All that is said about the games, in the order in which the programs say it."""
    for i in range(len(found.turns)):
        yield from (int(found.turns[i]), int(found.actions[i]), int(found.endings[i]))
        for seat in range(found.players):
            yield int(found.scores[i, seat])
            yield from (int(figure) for figure in found.measures[i, seat])


def check(program: Path, game: Game, players: int) -> None:
    """Are the games the same ones?"""
    theirs, ours = play(program, players, 0, SAME, 0), checksum_of(simulate(game, players, SAME, 0))
    if theirs.checksum != ours:
        raise SystemExit(f'{game.name}, {players} players: not the same games ({theirs.checksum}, {ours})')


def compare(program: Path, game: Game, players: int, pairs: int, seconds: float) -> dict[str, Any]:
    """Play in turn, print the medians, and return the rates of the program as `ludoteca bench --against`
    reads them."""
    random_play(game, players, LIST, 0, 0.05)
    rates: list[tuple[float, ...]] = []
    ours: list[tuple[float, ...]] = []
    before = random_play(game, players, LIST, 0, seconds)
    for seed in range(1, pairs + 1):  # each run of the program lies between two of ours
        played = play(program, players, seed, 1, seconds)
        after = random_play(game, players, LIST, seed, seconds)
        rates.append(tuple(n / played.seconds for n in (played.actions, played.turns, played.games)))
        ours.append(tuple((a + b) / 2 for a, b in zip(before, after, strict=True)))
        before = after
    ratios = [a[0] / b[0] for a, b in zip(rates, ours, strict=True)]
    actions, turns, games = (statistics.median(unit) for unit in zip(*rates, strict=True))
    our_actions, _, our_games = (statistics.median(unit) for unit in zip(*ours, strict=True))
    print(
        f'{game.name:9} {players} players   same {SAME:,} games   '
        f'C++ {actions / 1e6:6.2f} M actions/s {games:9,.0f} games/s   '
        f'ours {our_actions / 1e6:6.2f} M actions/s {our_games:9,.0f} games/s   '
        f'C++ / ours {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})',
        flush=True,
    )
    return {
        'game': game.name,
        'players': players,
        'program': PROGRAM,
        'actions_per_s': actions,
        'turns_per_s': turns,
        'games_per_s': games,
    }


def main() -> None:
    """Build, prove, measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n', 1)[0])
    parser.add_argument('games', nargs='*', metavar='GAME', help=f'{", ".join(GAMES)}; all of them')
    parser.add_argument('--players', type=int, nargs='+', default=[2, 3, 4])
    parser.add_argument('--pairs', type=int, default=7)
    parser.add_argument('--seconds', type=float, default=0.5)
    parser.add_argument('--json', type=Path, help='write the rates of C++ to this file')
    given = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in given.games or GAMES:
            if name not in GAMES:
                parser.error(f'There is no program of {name}; there is one of {" and of ".join(GAMES)}.')
            program, game = build(name, Path(folder)), load(name)
            for players in given.players:
                check(program, game, players)
                found.append(compare(program, game, players, given.pairs, given.seconds))
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=2) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
