"""How fast rules, search and start are: the figures that `ludoteca bench` prints.

Rates are per second of processor time, on one thread, so that other programs on the machine matter little;
the warm start is in seconds by the clock, since that is how long people wait. Everything is measured several
times, and the median is given. Nothing here is ever asserted by a test.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

import ludoteca
from ludoteca.game import Game, GameError, State, committed, load, start
from ludoteca.kernel import seed_number
from ludoteca.research.bot_games import seat_bot
from ludoteca.research.random_play import (
    BEGUN,
    END,
    GAME,
    LAZY,
    LIST,
    TURNS,
    RandomPlayer,
    Results,
    player,
)
from ludoteca.research.simulate import simulate
from ludoteca.review import SIMULATIONS, judge
from ludoteca.search import LEVELS, as_known, make_bot, stream, think
from ludoteca.text import words

STEPS = ('lists', 'lazy', 'turns', 'mcts_start', 'mcts_mid', 'review', 'warm_start')
"""What is measured, in this order; `bench` reports each when it is done."""

FIGURES = (
    'actions_per_s',
    'turns_per_s',
    'games_per_s',
    'lazy_turns_per_s',
    'random_turns_per_s',
    'mcts_start_per_s',
    'mcts_mid_per_s',
    'review_s',
    'warm_start_s',
)
"""What it finds: rates, and two times."""
TIMES = ('review_s', 'warm_start_s')
REVIEWED = 10
"""So many turns of a game are judged; the others are taken to need as long."""

LEVEL = LEVELS['expert']  # whose settings the search is measured with
FIRST_MOVER = 'easy'  # the bot whose first move ends the warm start
MOST_STEPS = 10_000  # actions of a game that is reviewed
GAMES = 1 << 14  # games for which a measurement has room


def bench(
    game: Game,
    players: int | None = None,
    repeats: int = 5,
    seconds: float = 1.0,
    done: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """The figures of a game; `repeats` measurements of about `seconds` each, `done` called after each of
    STEPS.

    Keys: game, players; from full lists of legal actions actions_per_s, turns_per_s, games_per_s; without
    lists lazy_turns_per_s (`random_action`) and random_turns_per_s (`random_turn`, None if the game lists no
    turns); mcts_start_per_s and mcts_mid_per_s (simulations with the expert's settings at the start, and
    after half the median number of turns of random play); review_s (to review a game of the easy bot at the
    standard setting, on one thread); warm_start_s (a fresh process to the first move of
    the easy bot, imports included). Raises GameError for impossible numbers, and if that process fails.
    """
    players = game.players[0] if players is None else players
    if not 1 <= repeats <= 100:
        raise GameError(words('cli.error.repeats', repeats=repeats))
    if not 0.01 <= seconds <= 600:
        raise GameError(words('cli.error.seconds', seconds=seconds))
    start(game, players, 0)  # raises GameError if these do not go together
    figures: dict[str, Any] = {'game': game.name, 'players': players}
    lists = [random_play(game, players, LIST, seed, seconds) for seed in range(repeats)]
    for k, unit in enumerate(('actions', 'turns', 'games')):
        figures[f'{unit}_per_s'] = statistics.median(rates[k] for rates in lists)
    done()
    figures['lazy_turns_per_s'] = statistics.median(
        random_play(game, players, LAZY, seed, seconds)[1] for seed in range(repeats)
    )
    done()
    figures['random_turns_per_s'] = (
        statistics.median(random_play(game, players, TURNS, seed, seconds)[1] for seed in range(repeats))
        if game.lists_turns
        else None
    )
    done()
    figures['mcts_start_per_s'] = statistics.median(
        search(game, start(game, players, seed), seconds) for seed in range(repeats)
    )
    done()
    half = (
        int(np.median(simulate(game, players, 200, 0, 'turns' if game.lists_turns else 'actions').turns)) // 2
    )
    figures['mcts_mid_per_s'] = statistics.median(
        search(game, midgame(game, players, half, seed), seconds) for seed in range(repeats)
    )
    done()
    figures['review_s'] = statistics.median(review_time(game, players, seed) for seed in range(repeats))
    done()
    warm_start(game.name, players)  # compiles what the cache lacks
    figures['warm_start_s'] = statistics.median(warm_start(game.name, players) for _ in range(repeats))
    done()
    return figures


@dataclass(frozen=True)
class Comparison:
    """A figure beside the one of an earlier run, or of another program."""

    key: str
    now: float
    other: float
    program: str  # '': an earlier run

    @property
    def ratio(self) -> float:
        """How many times as fast it is now; of seconds, how many times as short."""
        return self.other / self.now if self.key in TIMES else self.now / self.other


def read_figures(text: str) -> list[dict[str, Any]]:
    """The figures of an earlier run as `bench --json` wrote them, of one game or of several.

    Figures of another program have the same keys, as many as it measures, and its name as `program`. Raises
    GameError if there are none.
    """
    try:
        found = json.loads(text)
    except ValueError as error:
        raise GameError(words('cli.error.no_figures')) from error
    entries = found if isinstance(found, list) else [found]
    for entry in entries:
        if not (
            isinstance(entry, dict)
            and isinstance(entry.get('game'), str)
            and type(entry.get('players')) is int
            and isinstance(entry.get('program', ''), str)
            and all(_is_figure(entry.get(key)) for key in FIGURES)
        ):
            raise GameError(words('cli.error.no_figures'))
    return entries


def _is_figure(value: object) -> bool:
    """Is it a positive number, or left out?"""
    return value is None or (isinstance(value, int | float) and type(value) is not bool and value > 0)


def compared(figures: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> list[Comparison]:
    """The figures of a game beside all others of the same game and number of players."""
    return [
        Comparison(key, figures[key], other[key], other.get('program', ''))
        for other in others
        if (other['game'], other['players']) == (figures['game'], figures['players'])
        for key in FIGURES
        if figures.get(key) and other.get(key)
    ]


def random_play(
    game: Game, players: int, method: int, seed: int, seconds: float
) -> tuple[float, float, float]:
    """Actions, turns and games a second of random play; `method` is LIST, LAZY or TURNS."""
    worker, kernel, number = RandomPlayer(game, players), player(game), seed_number(seed)
    results, at = Results.empty(game, players, GAMES), worker.at
    given = (kernel, players, game.options().encode(), number, method, results)
    worker.play(*given)  # nothing to play yet: this only loads or compiles
    actions = turns = games = 0
    at[END] = GAMES
    began = time.process_time()
    while (took := time.process_time() - began) < seconds or not actions:
        actions += worker.play(*given)
        if at[GAME] == GAMES:
            turns, games, at[GAME] = turns + int(results.turns.sum()), games + GAMES, 0
    turns += int(results.turns[: at[GAME]].sum()) + (int(worker.memory.states[0].turn) if at[BEGUN] else 0)
    games += int(at[GAME])
    return actions / took, turns / took, games / took


def search(game: Game, state: State, seconds: float) -> float:
    """Simulations a second of a search with the expert's settings, of about `seconds` but not more than the
    expert makes."""
    think(game, state, settings=LEVEL.settings, simulations=10)  # loads or compiles
    simulations, took = 500, 0.0
    while True:
        began = time.process_time()
        found = think(game, state, settings=LEVEL.settings, simulations=simulations)
        took = max(time.process_time() - began, 1e-6)
        if took > 0.6 * seconds or simulations >= LEVEL.usual.simulations:
            return found.simulations / took
        simulations = min(max(int(simulations * seconds / took), 2 * simulations), LEVEL.usual.simulations)


def review_time(game: Game, players: int, seed: int) -> float:
    """Seconds of processor time to review a game of the easy bot at the standard setting."""
    state, bot = start(game, players, f'review/{seed}'), seat_bot(FIRST_MOVER, None)
    turns: list[tuple[list[State], list[int]]] = [([], [])]
    for _ in range(MOST_STEPS):
        seat, before = int(state.to_move), state.copy()
        action = bot.choose(game, as_known(game, state, seat), seat, stream(seed, int(state.turn)), None)
        game.kernels.apply(state, action)
        turns[-1][0].append(before)
        turns[-1][1].append(action)
        if state.ending:
            break
        if committed(before, state):
            turns.append(([], []))
    chosen = turns[:: -(-len(turns) // REVIEWED)]
    judge(game, chosen[0][0], chosen[0][1], int(chosen[0][0][0].to_move), simulations=10)  # loads or compiles
    began = time.process_time()
    for states, actions in chosen:
        judge(game, states, actions, int(states[0].to_move), simulations=SIMULATIONS)
    return (time.process_time() - began) * len(turns) / len(chosen)


def midgame(game: Game, players: int, turns: int, seed: int) -> State:
    """A position after `turns` random turns of a game that lasts longer; of many shorter games the last
    position before the end."""
    states, works = game.State.array(2), game.Work.array(1)
    for attempt in range(100):
        states[0] = start(game, players, f'{seed}/{attempt}')
        while not states[0].ending and states[0].turn < turns:
            states[1] = states[0]
            game.kernels.apply(states[0], game.kernels.random_action(states[0], works[0]))
        if not states[0].ending:
            return cast(State, states[0].copy())
    return cast(State, states[1].copy())


def warm_start(name: str, players: int) -> float:
    """Seconds from starting a fresh process to the first move of the easy bot. Raises GameError if the
    process fails."""
    code = f'from ludoteca.research.bench import first_move; first_move({name!r}, {players})'
    paths = [str(Path(ludoteca.__file__).parent.parent), os.environ.get('PYTHONPATH', '')]
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(filter(None, paths))}
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, '-c', code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        took = time.perf_counter() - began
        errors = process.communicate()[1]
    if not line:
        raise GameError(words('cli.error.warm_start', reason=(errors.strip().splitlines() or ['-'])[-1]))
    return took


def first_move(name: str, players: int) -> None:
    """What the fresh process does: the easy bot's first action, printed."""
    game = load(name)
    state = start(game, players, 0)
    seat = int(state.to_move)
    hidden = state.copy()
    game.kernels.hide(hidden, seat)
    action = make_bot(FIRST_MOVER).choose(game, hidden, seat, 0, None)
    print(json.dumps(game.action_name(state, action)), flush=True)
