"""Random games and searches with every index checked: what makes unchecked kernels safe
(docs/decisions.md)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ludoteca.game import Game, GameError, Options, start
from ludoteca.kernel import below, bounds_checked
from ludoteca.kernel import compiled as kernels_are_compiled
from ludoteca.research.random_play import MOST_ACTIONS, EndlessGameError
from ludoteca.research.simulate import Simulation, simulate
from ludoteca.search import think
from ludoteca.text import words

PIECE = 5_000  # games between two changes of players and options, at most
SEARCH = 40  # simulations before each action of the games that are searched


@dataclass(frozen=True)
class Soak:
    """How much was run: random games, those of them that had no end, whole games with a search before each
    action, actions of all games, configurations."""

    game: str
    games: int
    endless: int
    searched: int
    actions: int
    configurations: int
    seconds: float


def configurations(game: Game) -> list[tuple[int, Options]]:
    """The defaults, every other value of every option by itself, and all last values at once, each with every
    number of players that its rules allow."""
    values = game.options.values()
    chosen = [
        {},
        *({name: value} for name, listed in values.items() for value in listed[1:]),
        {name: listed[-1] for name, listed in values.items()},
    ]
    found = []
    for options in (game.options.read(given) for given in chosen):
        found += [(players, options) for players in game.players if options.problem(players) is None]
    return list(dict.fromkeys(found))


def soak(
    game: Game,
    games: int,
    seed: int | str = 0,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Soak:
    """Play `games` random games, spread evenly over all configurations (fewer games than these reach only
    the first), half of them with lists of legal actions and half without; and after each piece of them one
    game in which every action is searched for, observed, hidden and guessed. A random game that does not end
    is broken off.

    Raises GameError if a kernel uses a wrong index (as plain Python IndexError, which names the line), and if
    the kernels of this process do not check their indices (`ludoteca.kernel.process.check_bounds`).
    """
    if kernels_are_compiled and not bounds_checked():
        raise GameError(words('research.error.unchecked'))
    if games < 1:
        raise GameError(words('research.error.games', games=games))
    began, played, endless, actions = time.monotonic(), 0, 0, 0
    places = configurations(game)
    size = min(PIECE, -(-games // len(places)))
    for piece in count():
        players, options = places[piece % len(places)]
        n = min(size, games - played)
        try:
            half = (n + piece % 2) // 2
            for numbers, lists in ((range(half), True), (range(half, n), False)):
                for found in without_endless(
                    game, players, options, f'{seed}/{piece}', lists, threads, numbers
                ):
                    endless += found is None
                    actions += MOST_ACTIONS if found is None else int(found.actions.sum())
            played += n
            if progress is not None:
                progress(n)
            actions += sum(1 for _ in searched_game(game, players, options, f'{seed}/{piece}'))
        except IndexError as problem:
            if not kernels_are_compiled:
                raise
            raise left_tables(game, players, options, games, seed) from problem
        if played == games:
            return Soak(
                game.name,
                played,
                endless,
                piece + 1,
                actions,
                min(piece + 1, len(places)),
                time.monotonic() - began,
            )
    raise AssertionError


def left_tables(game: Game, players: int, options: Options, games: int, seed: int | str) -> GameError:
    """What is said of a wrong index: with what it came, and how to see where."""
    chosen = ', '.join(f'{name}={value}' for name, value in options.changed().items())
    told = {'game': game.title, 'name': game.name, 'players': players, 'games': games, 'seed': seed}
    return GameError(words('research.error.left_tables', **told, options=chosen or words('game.none')))


def without_endless(
    game: Game, players: int, options: Options, seed: str, lists: bool, threads: int, numbers: range
) -> Iterator[Simulation | None]:
    """The random games of these numbers, in as many parts as it takes; None for one that had no end."""
    if not numbers:
        return
    try:
        yield simulate(
            game,
            players,
            len(numbers),
            seed,
            'actions',
            options,
            lists=lists,
            threads=threads,
            first=numbers.start,
        )
    except EndlessGameError as problem:
        for part in (range(numbers.start, problem.game), None, range(problem.game + 1, numbers.stop)):
            if part is None:
                yield None
            else:
                yield from without_endless(game, players, options, seed, lists, threads, part)


def searched_game(game: Game, players: int, options: Options, seed: int | str) -> Iterator[int]:
    """A random game. Before each action everything that can be done with a position is done once. Yields the
    actions."""
    state, work, out = (
        start(game, players, seed, options),
        game.Work.new(),
        np.empty(game.max_legal, np.int32),
    )
    chance, seen = state.copy(), np.zeros(game.observation_size, np.float32)
    while not state.ending:
        seat = int(state.to_move)
        think(game, state, seat, simulations=SEARCH, seed=f'{seed}/{int(state.turn)}')
        for viewer in range(-1, players):
            hidden = state.copy()
            game.kernels.hide(hidden, viewer)
            if viewer >= 0:
                game.kernels.observe(hidden, viewer, seen)
                game.kernels.prepare(hidden, viewer, work)
                game.kernels.guess(hidden, viewer, 1, work)
        n = game.kernels.legal_actions(state, out)
        action = int(out[below(chance, n)])
        game.kernels.apply(state, action)
        yield action
