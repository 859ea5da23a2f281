"""Games that bots play without anybody watching."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple, cast

import numpy as np

from ludoteca.game import Game, GameError, Options, State, committed, load
from ludoteca.kernel import mix, seed_number
from ludoteca.research.random_play import TRACE, Results, Turns
from ludoteca.search import FROZEN, LEVELS, Bot, SearchBot, as_known, make_bot, stream
from ludoteca.text import words

MOST_TURNS = 5_000
"""A game of so many turns is broken off: players that never vary might go on for ever."""

MOST_GAMES = 10_000_000
"""Of bots in one arena or tournament, whose results are all kept in memory."""

YARDSTICK = 'yardstick'


def check_games(games: int) -> None:
    """Raises GameError unless so many games can be played in an arena."""
    if not 1 <= games <= MOST_GAMES:
        raise GameError(words('research.error.arena_games', most=f'{MOST_GAMES:,}', games=games))


def check_limits(simulations: int | None, time: float | None) -> None:
    """Raises GameError unless a search can have so many simulations, and a turn so many seconds."""
    if simulations is not None and simulations < 1:
        raise GameError(words('search.error.simulations', simulations=simulations))
    if time is not None and not 0 < time < math.inf:
        raise GameError(words('research.error.time', time=time))


def moves(
    game: Game,
    state: State,
    bots: Sequence[Bot],
    names: Sequence[str],
    seed: int | str,
    number: int,
    *,
    seconds: float | None = None,
    most_turns: int = MOST_TURNS,
) -> Iterator[tuple[int, int, int]]:
    """Let bots play a game on from `state`, in place, to its end or to so many turns: yields the seat, the
    number of legal actions and the action chosen, of each action once it is played.

    `bots` and their `names` are those of the seats, `seconds` is what a turn may take (None: the bots' own
    pace). Chance of a seat comes from the seed, the number of the game and the seat. Raises GameError for an
    action that is not legal.
    """
    legal = np.empty(game.max_legal, np.int32)
    turn, mover, deadline, step = -1, -1, None, 0
    while not state.ending and state.turn < most_turns:
        seat = int(state.to_move)
        if seconds is not None and (state.turn, seat) != (turn, mover):
            turn, mover, deadline = int(state.turn), seat, clock.monotonic() + seconds
        chance = stream(f'{seed}/{number}/{seat}', step)
        action = bots[seat].choose(game, as_known(game, state, seat), seat, chance, deadline)
        n = game.kernels.legal_actions(state, legal)
        if action not in legal[:n]:
            raise not_legal(names[seat], action, state, number)
        game.kernels.apply(state, action)
        step += 1
        yield seat, n, action


def yardstick_moves(game: Game, state: State, seed: int | str, number: int) -> Iterator[tuple[int, int, int]]:
    """The same with the game's yardstick in all seats. It knows no more than its seat, plans whole turns, and
    draws one random action at a time where openings are drawn. Raises GameError for an action that is not
    legal."""
    legal, step = np.empty(game.max_legal, np.int32), 0
    while not state.ending and state.turn < MOST_TURNS:
        seat = int(state.to_move)
        if state.phase in (*game.sampled_phases, *game.arranged):
            n = game.kernels.legal_actions(state, legal)
            plan: Sequence[int] = (int(legal[stream(f'{seed}/{number}', step) % n]),)
        else:
            plan = game.yardstick(as_known(game, state, seat))
        for action in plan or (-1,):
            n = game.kernels.legal_actions(state, legal)
            if action not in legal[:n]:
                raise not_legal(YARDSTICK, action, state, number)
            before = state.copy()
            game.kernels.apply(state, action)
            step += 1
            yield seat, n, action
            if committed(before, state):  # after a reveal the rest of the plan is made anew
                break


def not_legal(bot: str, action: int, state: State, number: int) -> GameError:
    """The error of a bot that plays what is not legal."""
    return GameError(
        words('research.error.not_legal', bot=bot, action=action, turn=state.turn + 1, game=number)
    )


class OpeningDrawn:
    """A yardstick that draws its openings, as search bots do (`Game.sampled_phases`), and arrangements."""

    def __init__(self, bot: Bot) -> None:
        self.bot, self.random = bot, make_bot('random')

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        """See `search.Bot`."""
        drawn = state.phase in (*game.sampled_phases, *game.arranged)
        return (self.random if drawn else self.bot).choose(game, state, seat, seed, deadline)


@cache
def named(text: str) -> tuple[str, int | None]:
    """The bot's name and its simulations an action in `expert:2000`; None: as many as the level makes. Raises
    GameError if there is no such bot, if it counts no simulations, or if the number is none."""
    name, colon, number = text.partition(':')
    make_bot(name)
    if not colon:
        return name, None
    if name not in LEVELS and name not in FROZEN:
        raise GameError(words('research.error.no_simulations', bot=text, name=name))
    if not (number.isascii() and number.isdigit() and 0 < int(number[:10]) < 10**9):
        raise GameError(words('research.error.bot_simulations', bot=text, name=name))
    return name, int(number)


def seated(by: Sequence[str], players: int) -> tuple[str, ...]:
    """Who plays each seat: one bot takes all of them. Raises GameError if the numbers do not fit, or for an
    unknown bot."""
    if len(by) not in (1, players):
        raise GameError(words('research.error.seated', bots=len(by), players=players))
    for text in by:
        named(text)
    return tuple(by) * (players if len(by) == 1 else 1)


class Played(NamedTuple):
    """Games that a worker has played."""

    numbers: range
    results: Results  # a row a game
    turns: Turns  # rows of the trace count from the first of these games
    seconds: float


@dataclass(frozen=True)
class BotGames:
    """The games of a simulation in which bots play. A worker process gets it whole."""

    game: Game | str
    players: int
    options: Options
    by: tuple[str, ...]  # one a seat
    seed: int | str
    each_turn: bool = False

    def play(self, number: int) -> tuple[int, Results, list[tuple[int, ...]], list[list[float]]]:
        """The number, the results of that game as one row, and if asked for, its turns as rows of a trace and
        the scores after them."""
        game = load(self.game) if isinstance(self.game, str) else self.game
        results, state = Results.empty(game, self.players, 1), self.begun(game, number)
        value = np.zeros(game.players.stop - 1)
        trace: list[tuple[int, ...]] = []
        standing: list[list[float]] = []
        results.began[0] = state.to_move
        turn, actions, first = int(state.turn), 0, 0
        for seat, n, _ in self.moves(game, state, number):
            results.actions[0] += 1
            results.branching[0] += n, 0
            results.branching[0, 1] = max(results.branching[0, 1], n)
            actions, first = actions + 1, first or n
            if self.each_turn and (state.turn != turn or state.ending):
                game.kernels.scores(state, value)
                trace.append((0, int(state.turn), seat, actions, first))
                standing.append(value[: self.players].tolist())
            if state.turn != turn:
                turn, actions, first = int(state.turn), 0, 0
        if not state.ending:
            raise GameError(words('research.error.endless', game=number, turns=MOST_TURNS))
        write_end(game, state, 0, results)
        return number, results, trace, standing

    def play_all(self, numbers: range) -> Played:
        """The games of these numbers."""
        game, began = load(self.game) if isinstance(self.game, str) else self.game, clock.monotonic()
        found = Results.empty(game, self.players, len(numbers))
        trace: list[tuple[int, ...]] = []
        standing: list[list[float]] = []
        for row, number in enumerate(numbers):
            _, one, turns, scores = self.play(number)
            found.write(row, one)
            trace += [(row, *line[1:]) for line in turns]
            standing += scores
        noted = Turns(
            np.array(trace, np.int32).reshape(-1, len(TRACE)),
            np.array(standing, np.float32).reshape(-1, self.players),
        )
        return Played(numbers, found, noted, clock.monotonic() - began)

    def begun(self, game: Game, number: int) -> State:
        """The begin of a game: the same as that of the game of this number by chance."""
        state = cast(State, game.State.new())
        seeds = np.array(self.seed_words(number), np.int64)
        game.kernels.setup(state, self.players, self.options.encode(), seeds)
        return state

    def seed_words(self, number: int) -> list[int]:
        """The four words of 32 bits with which the game of this number begins."""
        return [mix(seed_number(self.seed), 4 * number + k) for k in range(4)]

    def seed_of(self, number: int) -> int:
        """The same as one number: the seed of the game for `ludoteca.new`."""
        return sum(word << 32 * k for k, word in enumerate(self.seed_words(number)))

    def moves(self, game: Game, state: State, number: int) -> Iterator[tuple[int, int, int]]:
        """Play a game on from its begin, in place; see the function of this name."""
        if set(self.by) == {YARDSTICK}:
            return yardstick_moves(game, state, self.seed, number)
        bots = [seat_bot(*named(text)) for text in self.by]
        return moves(game, state, bots, self.by, self.seed, number)


def seat_bot(name: str, simulations: int | None) -> Bot:
    """A bot whose games do not depend on the clock, as far as it is ours."""
    if level := LEVELS.get(name) or FROZEN.get(name):
        return SearchBot(replace(level, seconds=None), simulations)
    bot = make_bot(name)
    return OpeningDrawn(bot) if name == YARDSTICK else bot


def write_end(game: Game, state: State, row: int, results: Results) -> None:
    """Write how a game ended to its row."""
    players, value = int(state.players), np.zeros(game.players.stop - 1)
    results.turns[row], results.endings[row] = state.turn, state.ending
    for kernel, rows in ((game.kernels.outcome, results.outcomes), (game.kernels.scores, results.scores)):
        kernel(state, value)
        rows[row] = value[:players]
    if game.kernels.measure is not None:
        figures = np.zeros(len(game.measures))
        for seat in range(players):
            game.kernels.measure(state, seat, figures)
            results.measures[row, seat] = figures
