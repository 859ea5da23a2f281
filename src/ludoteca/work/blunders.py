"""The kind `warning`: is a turn that is about to be committed much worse than the best one?"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ludoteca.game import Game, State, load
from ludoteca.search import LEVELS, SearchResult, think
from ludoteca.work.hints import steps_of
from ludoteca.work.jobs import Conditions, Payload, Result, packed, unpacked

SHARE, LEAST = 0.2, 0.1
"""A turn is warned of that loses more than this share of the expected outcome, and more than so much of a
win."""
SIMULATIONS, ENOUGH = 4_000, 200
"""Of each search at most, and at least: fewer say nothing."""


@dataclass(frozen=True)
class PlannedTurn:
    """A turn that a seat is about to commit: what it knows before its first and before its last action."""

    seat: int
    first: State
    last: State
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Warned:
    """What the best turn and the one planned are expected to bring, as shares of a win; the best turn."""

    best: float
    planned: float
    turn: tuple[int, ...] = ()

    @property
    def is_blunder(self) -> bool:
        """Is the planned turn to be warned of?"""
        loss = self.best - self.planned
        return loss > SHARE * self.best and loss > LEAST


def payload(game: str, plan: PlannedTurn, seed: int) -> Payload:
    """Both positions of the plan are hidden for its seat."""
    return {
        'game': game,
        'seat': plan.seat,
        'first': packed(plan.first),
        'last': packed(plan.last),
        'actions': list(plan.actions),
        'seed': seed,
    }


def look(payload: Payload, conditions: Conditions) -> Result:
    """`{'best': share, 'planned': share, 'turn': actions}`, or `{}` if there is nothing to tell."""
    game = load(payload['game'])
    plan = PlannedTurn(
        payload['seat'],
        unpacked(game, payload['first']),
        unpacked(game, payload['last']),
        tuple(payload['actions']),
    )
    found = compare(game, plan, payload['seed'], deadline=conditions.deadline)
    if found is None:
        return {}
    return {'best': found.best, 'planned': found.planned, 'turn': list(found.turn)}


def read(result: Result) -> Warned | None:
    """What `look` has found."""
    return Warned(result['best'], result['planned'], tuple(result['turn'])) if result else None


def compare(
    game: Game,
    plan: PlannedTurn,
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
    turn = tuple(action for _, action in steps_of(game, plan.first, plan.seat, best.line_actions))
    return Warned(best.expected[plan.seat], planned.expected[plan.seat], turn)
