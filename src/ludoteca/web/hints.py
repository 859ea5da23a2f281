"""Hints: what a strong bot would play for a seat, on what the seat knows."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludoteca.game import Game, GameError, State, committed, load
from ludoteca.search import LEVELS, Pool, think
from ludoteca.text import words
from ludoteca.web.live_table import LiveTable
from ludoteca.web.table.choices import ghost_list

LEVEL, SIMULATIONS, SECONDS = 'hard', 12_000, 1.5


@dataclass(frozen=True)
class Hint:
    """A turn for a seat: the version of the seat's view that it answers, and its steps with what to click for
    each."""

    version: int
    steps: list[dict[str, Any]]

    @property
    def turn(self) -> str:
        """The name of the turn."""
        return ' '.join(step['name'] for step in self.steps)


async def hint(live: LiveTable, seat: int, pool: Pool) -> Hint:
    """A hint for a seat. Raises GameError if the seat has nothing to choose."""
    live.check_ready()
    version, state = await asyncio.to_thread(_question, live, seat)
    game, seed = load(live.table.game), secrets.randbits(62)
    if wanted := await asyncio.to_thread(_lesson_move, live, seat):
        steps = await asyncio.to_thread(hint_steps, game, state, seat, wanted, live.match().colours)
        return Hint(version, steps)
    search = pool.submit(('hint', live.id, seat), lambda: find_hint(game, state, seat, seed))
    found = await asyncio.wrap_future(search)
    steps = await asyncio.to_thread(hint_steps, game, state, seat, found, live.match().colours)
    return Hint(version, steps)


def _question(live: LiveTable, seat: int) -> tuple[int, State]:
    """The version of a seat's view, and what the seat knows."""
    with live.lock:
        match = live.match()
        if not match.may_act(seat):
            raise GameError(words('web.table.hint_not_yours'))
        return match.version(seat), match.knowledge(seat)


def _lesson_move(live: LiveTable, seat: int) -> list[int]:
    """What the lesson at a table waits for; nothing where none does."""
    with live.lock:
        return live.guide.proposed(live.match()) if live.guide and live.guide.lesson.seat == seat else []


def find_hint(game: Game, state: State, seat: int, seed: int, simulations: int = SIMULATIONS) -> list[int]:
    """The actions that a strong bot expects, the seat's own turn first."""
    found = think(
        game,
        state,
        seat,
        settings=LEVELS[LEVEL].settings,
        simulations=simulations,
        seconds=SECONDS,
        seed=seed,
    )
    return [found.action, *found.line_actions[1:]]


def hint_steps(
    game: Game, state: State, seat: int, actions: Collection[int], colours: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The first of these actions, up to the end of the turn, with what to click for each. What the seat does
    not know is guessed. `colours`: of all seats."""
    state, work = state.copy(), game.Work.new()
    game.kernels.prepare(state, seat, work)
    game.kernels.guess(state, seat, 0, work)
    steps: list[dict[str, Any]] = []
    out = np.empty(game.max_legal, np.int32)
    for action in actions:
        known = state.copy()
        game.kernels.hide(known, seat)
        if action not in out[: game.kernels.legal_actions(known, out)].tolist():
            break
        targets = game.targets(known, action, colours)
        steps.append(
            {
                'name': game.action_name(known, action),
                'targets': [target.id for target in targets],
                'ghosts': [ghost_list(target.ghost) if target.ghost else None for target in targets],
            }
        )
        before = state.copy()
        game.kernels.apply(state, action)
        if committed(before, state):
            break
    return steps
