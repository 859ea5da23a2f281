"""Warnings before a blunder: is a turn that is about to be committed much worse than the best one?

Only for a person who has asked for it, in a match in which all other seats are bots. The search starts from
what the seat knows, has a bounded time, and is dropped if it is late: then the turn is simply committed.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludoteca.game import Game, GameError, State, committed, first_action, load
from ludoteca.kernel.compile import is_interpreted
from ludoteca.match import BOT, Match
from ludoteca.search import LEVELS, Pool, SearchResult, as_guessed, think
from ludoteca.text import words
from ludoteca.web.live_table import LiveTable
from ludoteca.web.people import Visitor

SECONDS = 0.5
"""The whole answer takes no longer; what is left of it when a search begins is shared by two searches."""
SHARE, LEAST = 0.2, 0.1
"""A turn is warned of that loses more than this share of the expected outcome, and more than so much of a
win."""
SIMULATIONS, ENOUGH = 4_000, 200
"""Of each search at most, and at least: fewer say nothing."""


@dataclass(frozen=True)
class Plan:
    """A turn that a seat is about to commit: what it knows before its first and before its last action."""

    seat: int
    first: State
    last: State
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Warned:
    """What the best turn and the one planned are expected to bring, as shares of a win."""

    best: float
    planned: float

    @property
    def is_blunder(self) -> bool:
        loss = self.best - self.planned
        return loss > SHARE * self.best and loss > LEAST

    def json(self) -> dict[str, Any]:
        """What the page and programs are told."""
        before, after = round(100 * self.best), round(100 * self.planned)
        return {
            'done': False,
            'committed': False,
            'rest': [],
            'warning': words('web.blunder.text', best=before, planned=after),
            'expected': {'best': round(self.best, 4), 'planned': round(self.planned, 4)},
        }


async def warning(
    live: LiveTable,
    visitor: Visitor,
    seat: int,
    version: int | None,
    steps: str,
    keep: int | None,
    pool: Pool,
) -> Warned | None:
    """The warning that the visitor gets before these steps are played; None for none. `version`: of the
    seat's view that they answer; nothing is said of another position. A lesson has answers of its own."""
    if not visitor.preferences.warn or not live.ready or live.scripted:
        return None
    deadline = time.monotonic() + SECONDS
    plan = await asyncio.to_thread(_planned, live, seat, version, steps, keep)
    game = load(live.table.game)
    if plan is None or is_interpreted(game.folder):
        return None
    key, seed = ('warning', live.id, seat), secrets.randbits(62)
    search = pool.submit(key, lambda: compare(game, plan, seed, deadline=deadline))
    try:
        async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
            found = await asyncio.wrap_future(search)
    except (TimeoutError, CancelledError):
        pool.cancel(key)
        return None
    return found if found is not None and found.is_blunder else None


def _planned(live: LiveTable, seat: int, version: int | None, steps: str, keep: int | None) -> Plan | None:
    """The turn that these steps would commit; None if they commit none, or if the seat is not one person's
    among bots. Called in a worker thread."""
    with live.lock:
        match = live.match()
        bots = all(who.kind == BOT for other, who in enumerate(match.seats) if other != seat)
        stale = version is not None and version != match.version(seat)
        if stale or not bots or not match.may_act(seat) or match.arranging(seat):
            return None
        return plan_of(match, seat, steps, keep)


def plan_of(match: Match, seat: int, steps: str, keep: int | None = None) -> Plan | None:
    """The same for a match. What the seat does not know is guessed, so nothing of it can matter."""
    trial = match.copy()
    draft = list(trial.draft(seat))
    if draft:
        trial.undo(seat, None, 0)
    first, game = trial.knowledge(seat), match.game
    state = as_guessed(game, first, seat)
    left = [word for name in draft[:keep] for word in name.split()] + steps.split()
    actions, out = list[int](), np.empty(game.max_legal, np.int32)
    while left:
        known, before = state.copy(), state.copy()
        game.kernels.hide(known, seat)
        try:
            action, _, left = first_action(game, known, left)
        except GameError:
            return None
        if action not in out[: game.kernels.legal_actions(known, out)].tolist():
            return None
        actions.append(action)
        game.kernels.apply(state, action)
        if committed(before, state):
            return Plan(seat, first, known, tuple(actions))
    return None


def compare(
    game: Game,
    plan: Plan,
    seed: int,
    simulations: int = SIMULATIONS,
    deadline: float | None = None,
) -> Warned | None:
    """What the best turn and the planned one are expected to bring. None if the planned one is what a search
    would play, or if there is no time to tell."""

    def search(state: State, share: float, only: int | None = None) -> SearchResult:
        seconds = None if deadline is None else max(0.0, deadline - time.monotonic()) * share
        return think(
            game,
            state,
            plan.seat,
            settings=LEVELS['hard'].settings,
            simulations=simulations,
            seconds=seconds,
            seed=seed,
            only=only,
        )

    best = search(plan.first, 0.45)
    if best.line_actions[: len(plan.actions)] == plan.actions:
        return None
    planned = search(plan.last, 0.8, plan.actions[-1])
    if min(best.simulations, planned.simulations) < min(ENOUGH, simulations):
        return None
    return Warned(best.expected[plan.seat], planned.expected[plan.seat])
