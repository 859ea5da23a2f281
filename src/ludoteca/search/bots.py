"""Bots by name: the levels, `random`, `yardstick`, `alpha-beta`, and other people's, found by entry point."""

from __future__ import annotations

import sys
import time
from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import accumulate
from operator import index
from pathlib import Path
from traceback import extract_tb
from typing import Protocol, runtime_checkable

import numpy as np

from ludoteca.game import Game, GameError, State
from ludoteca.search.alpha_beta import AlphaBetaBot
from ludoteca.search.levels import FROZEN, LEVELS, BotLevel
from ludoteca.search.thinking import SearchResult, stream, think
from ludoteca.search.turn_memory import TurnMemory
from ludoteca.text import words

GROUP = 'ludoteca.bots'
"""Entry point group of other people's bots: a name, and a callable without arguments that makes a Bot."""

# share of the time left that an action may take which may be followed by others in the same turn: of a turn
# that has a time of its own, and of one in which actions have theirs (`SearchBot.own`)
HASTE, SHARE = 0.85, 0.43
DRAWN = 1_000  # simulations at most for an action that is drawn
# simulations of a second look, for levels that see less, before they give something up; and how much better
# that must be
SECOND_LOOK, CLEARLY = 300, 0.02


@runtime_checkable
class Bot(Protocol):
    """Something that chooses actions."""

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        """A legal action of the seat to move.

        `state` is hidden for that seat (`Kernels.hide`): it holds no more than the seat may know, and is the
        bot's to change. `seed` differs from action to action; a bot that draws its chance from it plays the
        same game again. `deadline` is a time of time.monotonic() by which the whole turn should be done, or
        None: the bot's own pace.
        """


class RandomBot:
    """A uniformly random legal action."""

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        out = np.empty(game.max_legal, np.int32)
        return int(out[stream(seed, 0) % game.kernels.legal_actions(state, out)])


class YardstickBot:
    """The first action of the game's `yardstick`."""

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        return game.yardstick(state)[0]


class SearchBot:
    """A level's search. `simulations` and `seconds` replace the level's own limits: given one of them, the
    other does not bind.

    With a deadline, the turn's, an action takes its share of the time left, at its own limits no more than
    these. What it does not need (there is one choice only, or the best cannot be overtaken any more) is left
    to the actions after it, and so none has to go without: each is searched for in one chunk at least.

    Where all seats choose in secret at once, who always does the same is seen through; and an opening without
    any chance would always be the same (`Game.sampled_phases`). There an action is drawn as often as it was
    visited in a short search, so that good ones are likely, and nearly as good ones nearly as likely.

    A level that is short of sight errs in what it takes, and does not refuse to take anything
    (`Game.declines`): a short search that would do so is followed by a second look.

    In games without secrets a level that keeps its tree (`BotLevel.keeps_tree`) goes on within a turn from
    what the action before has left, if there is a deadline and no number of simulations is asked for. Only
    then does an action depend on anything but what `choose` is given.
    """

    def __init__(
        self, level: BotLevel, simulations: int | None = None, seconds: float | None = None, threads: int = 1
    ) -> None:
        self.level, self.threads = level, threads
        self.own = simulations is None and seconds is None
        self.simulations = simulations
        self.seconds = level.seconds if self.own else seconds
        self._memory = TurnMemory()

    def think(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> SearchResult:
        """The search behind `choose`."""
        seconds = self.seconds
        if deadline is not None:
            left = max(0.0, deadline - time.monotonic()) * (SHARE if self.own else HASTE)
            seconds = left if seconds is None else min(seconds, left)
        players = int(state.players)
        simulations = self.level.effort(game, players).simulations if self.own else self.simulations
        if self._draws(game, state):
            simulations = DRAWN if simulations is None else min(simulations, DRAWN)
        return think(
            game,
            state,
            seat,
            settings=self.level.settings_in(game, players),
            simulations=simulations,
            seconds=seconds,
            seed=seed,
            threads=self.threads,
            # what an action does not need is left to those after it
            until_settled=self.own and deadline is not None and not self._draws(game, state),
            memory=self._memory if self._keeps(game, deadline) and not self._draws(game, state) else None,
        )

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        """See `Bot`."""
        action = self._choose(game, state, seat, seed, deadline)
        if self._keeps(game, deadline):
            self._memory.advance(game, state, seat, action)
        return action

    def _choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        out = np.empty(game.max_legal, np.int32)
        n = game.kernels.legal_actions(state, out)
        if n == 1:
            return int(out[0])
        result = self.think(game, state, seat, seed, deadline)
        declines = self.own and result.action in game.declines
        if declines and self.level.effort(game, int(state.players)).simulations < SECOND_LOOK:
            return self._second_look(game, state, seat, seed)
        if not self._draws(game, state):
            return result.action
        counted = tuple(accumulate(result.visits))
        return result.actions[bisect_right(counted, stream(seed, 3) % counted[-1])]

    def _second_look(self, game: Game, state: State, seat: int, seed: int) -> int:
        """The action that a somewhat longer search likes best. It gives nothing up unless that is clearly
        better."""
        found = think(
            game, state, seat, simulations=SECOND_LOOK, seconds=self.level.seconds, seed=stream(seed, 4)
        )
        taking = [i for i in found.ranking() if found.actions[i] not in game.declines]
        if not taking or found.value(found.best) > found.value(taking[0]) + CLEARLY:
            return found.action
        return found.actions[taking[0]]

    def _keeps(self, game: Game, deadline: float | None) -> bool:
        return (
            self.level.keeps_tree
            and not game.hidden
            and deadline is not None
            and self.simulations is None
            and self.threads == 1
        )

    @staticmethod
    def _draws(game: Game, state: State) -> bool:
        return state.phase in game.sealed or state.phase in game.sampled_phases


class GuestBot:
    """Another person's bot. Whatever it fails with becomes a GameError that names it."""

    def __init__(self, name: str, bot: Bot) -> None:
        self.name, self.bot = name, bot

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        """See `Bot`. Raises GameError if the bot fails, or chooses what is no number of an action."""
        try:
            action = self.bot.choose(game, state, seat, seed, deadline)
        except GameError:
            raise
        except (Exception, SystemExit) as error:  # a stranger's code may fail in any way
            raise GameError(
                words('search.error.guest', name=self.name, reason=_reason(error), place=self._place(error))
            ) from error
        try:
            return index(action)
        except TypeError:
            raise GameError(
                words('search.error.no_number', name=self.name, action=repr(action)[:80])
            ) from None

    def _place(self, error: BaseException) -> str:
        """Where the bot failed: the last line that was run in its own module, or else the last one."""
        frames = extract_tb(error.__traceback__)
        own = getattr(sys.modules.get(type(self.bot).__module__), '__file__', None)
        last = [frame for frame in frames if frame.filename == own] or frames
        return f'{Path(last[-1].filename).name}:{last[-1].lineno}'


def _reason(error: BaseException) -> str:
    """An exception in one line."""
    return ' '.join(f'{type(error).__name__}: {error}'.split()).removesuffix(':')


OTHERS: dict[str, Callable[[], Bot]] = {
    'random': RandomBot,
    'yardstick': YardstickBot,
    'alpha-beta': AlphaBetaBot,
}


@cache
def _guests() -> dict[str, EntryPoint]:
    """Other people's bots by name; the built-in names cannot be taken."""
    return {
        point.name: point
        for point in entry_points(group=GROUP)
        if point.name not in {**LEVELS, **OTHERS, **FROZEN}
    }


def bot_names() -> tuple[str, ...]:
    """All bots: the levels, the weakest first, then the others."""
    return (*LEVELS, *OTHERS, *FROZEN, *sorted(_guests()))


def make_bot(
    name: str, *, simulations: int | None = None, seconds: float | None = None, threads: int = 1
) -> Bot:
    """The bot of that name. `simulations`, `seconds` (an action) and `threads` matter to levels only.

    Raises GameError if there is no such bot, or if another person's bot cannot be loaded or is no bot.
    """
    if level := LEVELS.get(name) or FROZEN.get(name):
        return SearchBot(level, simulations, seconds, threads)
    if name in OTHERS:
        return OTHERS[name]()
    if name not in _guests():
        raise GameError(words('search.error.no_bot', name=name, bots=', '.join(bot_names())))
    point = _guests()[name]
    try:
        bot = point.load()()
    except (Exception, SystemExit) as error:
        raise GameError(
            words('search.error.not_made', name=name, point=point.value, reason=_reason(error))
        ) from error
    if not isinstance(bot, Bot):
        raise GameError(
            words('search.error.not_a_bot', name=name, point=point.value, type=type(bot).__name__)
        )
    return GuestBot(name, bot)
