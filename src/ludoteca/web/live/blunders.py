"""Warnings before a blunder: is a turn that is about to be committed much worse than the best one?

Only for a person who has a coach, in a match in which all other seats are bots. The search starts from
what the seat is shown, has a bounded time, and is dropped if it is late: then the turn is simply committed.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import CancelledError
from typing import Any

import numpy as np

from ludoteca.game import Game, GameError, View, committed, first_action, load
from ludoteca.game.reasons import sentences
from ludoteca.kernel.compile import is_interpreted
from ludoteca.match import BOT, Match
from ludoteca.search import as_guessed
from ludoteca.text import words
from ludoteca.web.live.table import LiveTable
from ludoteca.web.people.visitors import Visitor
from ludoteca.work import Desk, Job, blunders, ranks, result_of
from ludoteca.work.blunders import PlannedTurn, Warned

SECONDS = 0.5
"""The whole answer takes no longer; what is left of it when a search begins is shared by two searches."""


def told(game: Game, plan: PlannedTurn, found: Warned, names: tuple[str, ...] = ()) -> dict[str, Any]:
    """The warning as JSON: the chances, and why the best turn is better."""
    before, after = round(100 * found.best), round(100 * found.planned)
    text = words('web.blunder.text', best=before, planned=after)
    view = View(plan.first, plan.seat, names=names)
    reasons = game.reasons(view, found.turn, [plan.actions]) if found.turn else ()
    return {
        'done': False,
        'committed': False,
        'rest': [],
        'warning': ' '.join((text, *sentences(game.words, reasons, 1, 'yours'))),
        'expected': {'best': round(found.best, 4), 'planned': round(found.planned, 4)},
    }


async def warning(
    live: LiveTable,
    visitor: Visitor,
    seat: int,
    version: int | None,
    steps: str,
    keep: int | None,
    desk: Desk,
) -> dict[str, Any] | None:
    """The warning that the visitor gets before these steps are played; None for none. `version`: of the
    seat's view that they answer; nothing is said of another position. A lesson has answers of its own."""
    deadline = time.monotonic() + SECONDS
    planned = await asyncio.to_thread(_planned, live, visitor, seat, version, steps, keep)
    game = load(live.table.game)
    if planned is None or is_interpreted(game.home):
        return None
    plan, names = planned
    key, seed = ('warning', live.id, seat), secrets.randbits(62)
    asked = blunders.payload(game.name, plan, seed)
    search = desk.submit(Job('warning', live.id, key, ranks.PEOPLE, asked, deadline))
    try:
        async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
            found = blunders.read(await result_of(search))
    except (TimeoutError, CancelledError):
        desk.cancel(key)
        return None
    if found is None or not found.is_blunder:
        return None
    return await asyncio.to_thread(told, game, plan, found, names)


def _planned(
    live: LiveTable, visitor: Visitor, seat: int, version: int | None, steps: str, keep: int | None
) -> tuple[PlannedTurn, tuple[str, ...]] | None:
    """The turn that these steps would commit, and the names of all seats; None if they commit none, if the
    visitor has no coach, or if the seat is not one person's among bots. Called in a worker thread."""
    if not live.is_coached(visitor):
        return None
    with live.lock:
        match = live.match()
        bots = all(who.kind == BOT for other, who in enumerate(match.seats) if other != seat)
        stale = version is not None and version != match.version(seat)
        if stale or not bots or not match.may_choose(seat) or match.arranging(seat):
            return None
        plan = plan_of(match, seat, steps, keep)
        return (plan, tuple(who.name for who in match.seats)) if plan else None


def plan_of(match: Match, seat: int, steps: str, keep: int | None = None) -> PlannedTurn | None:
    """The turn that these steps of a match would commit; None if they commit none. Only what the seat is
    shown is used, so that a warning gives away nothing that it should remember; the rest is guessed."""
    trial = match.copy()
    draft = list(trial.draft(seat))
    if draft:
        trial.undo(seat, None, 0)
    first, game = trial.view(seat).state, match.game
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
            return PlannedTurn(seat, first, known, tuple(actions))
    return None
