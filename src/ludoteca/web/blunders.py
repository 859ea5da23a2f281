"""Warnings before a blunder: is a turn that is about to be committed much worse than the best one?

Only for a person who has asked for it, in a match in which all other seats are bots. The search starts from
what the seat knows, has a bounded time, and is dropped if it is late: then the turn is simply committed.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import CancelledError
from typing import Any

import numpy as np

from ludoteca.game import GameError, committed, first_action, load
from ludoteca.kernel.compile import is_interpreted
from ludoteca.match import BOT, Match
from ludoteca.search import as_guessed
from ludoteca.text import words
from ludoteca.web.live_table import LiveTable
from ludoteca.web.people import Visitor
from ludoteca.work import Desk, Job, blunders, ranks, result_of
from ludoteca.work.blunders import Plan, Warned

SECONDS = 0.5
"""The whole answer takes no longer; what is left of it when a search begins is shared by two searches."""


def told(found: Warned) -> dict[str, Any]:
    """What the page and programs are told."""
    before, after = round(100 * found.best), round(100 * found.planned)
    return {
        'done': False,
        'committed': False,
        'rest': [],
        'warning': words('web.blunder.text', best=before, planned=after),
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
) -> Warned | None:
    """The warning that the visitor gets before these steps are played; None for none. `version`: of the
    seat's view that they answer; nothing is said of another position. A lesson has answers of its own."""
    if not visitor.preferences.warn or not live.ready or live.scripted:
        return None
    deadline = time.monotonic() + SECONDS
    plan = await asyncio.to_thread(_planned, live, seat, version, steps, keep)
    game = load(live.table.game)
    if plan is None or is_interpreted(game.home):
        return None
    key, seed = ('warning', live.id, seat), secrets.randbits(62)
    asked = blunders.payload(game.name, plan, seed)
    search = desk.submit(Job('warning', live.id, key, ranks.PEOPLE, asked, deadline))
    try:
        async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
            found = blunders.read(await result_of(search))
    except (TimeoutError, CancelledError):
        desk.cancel(key)
        return None
    return found if found is not None and found.is_blunder else None


def _planned(live: LiveTable, seat: int, version: int | None, steps: str, keep: int | None) -> Plan | None:
    """The turn that these steps would commit; None if they commit none, or if the seat is not one person's
    among bots. Called in a worker thread."""
    with live.lock:
        match = live.match()
        bots = all(who.kind == BOT for other, who in enumerate(match.seats) if other != seat)
        stale = version is not None and version != match.version(seat)
        if stale or not bots or not match.may_choose(seat) or match.arranging(seat):
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
