"""The kind `hint`: what a strong bot would play for a seat, on what it knows, and the next best turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from ludoteca.game import Game, State, committed, load
from ludoteca.search import LEVELS, SearchResult, as_guessed, think
from ludoteca.work.jobs import Conditions, Payload, Result, packed, unpacked

LEVEL, SIMULATIONS, SECONDS = 'hard', 12_000, 1.5
SECOND_SHARE = 4
"""The rest of the next best turn is sought with this fraction of the effort."""


class Suggestion(NamedTuple):
    """What a search says: the actions that a strong bot expects, the seat's own turn first, and the seat's
    next best turn, () if there is no other."""

    actions: list[int]
    other: tuple[int, ...]


def payload(game: str, state: State, seat: int, seed: int) -> Payload:
    """`state`: hidden for the seat."""
    return {'game': game, 'state': packed(state), 'seat': seat, 'seed': seed, 'seconds': SECONDS}


def find(payload: Payload, conditions: Conditions) -> Result:  # noqa: ARG001 (it has a time of its own)
    """`{'actions': numbers, 'other': numbers}`, as in `Suggestion`."""
    game = load(payload['game'])
    state = unpacked(game, payload['state'])
    found = find_hint(game, state, payload['seat'], payload['seed'], seconds=payload['seconds'])
    return {'actions': found.actions, 'other': list(found.other)}


def read(result: Result) -> Suggestion:
    """What `find` has found."""
    return Suggestion(list(result['actions']), tuple(result['other']))


def find_hint(
    game: Game,
    state: State,
    seat: int,
    seed: int,
    simulations: int = SIMULATIONS,
    seconds: float = SECONDS,
) -> Suggestion:
    """What a strong bot expects to be played, and the next best turn of the seat."""

    def search(share: int = 1, only: int | None = None) -> SearchResult:
        return think(
            game,
            state,
            seat,
            settings=LEVELS[LEVEL].settings,
            simulations=simulations // share,
            seconds=seconds / share,
            seed=seed,
            only=only,
        )

    found = search()
    actions = [found.action, *found.line_actions[1:]]
    ranking = [i for i in found.ranking() if found.visits[i]]
    if len(ranking) < 2:
        return Suggestion(actions, ())
    second = found.actions[ranking[1]]
    line = [second]
    if not ends_turn(game, state, seat, second):
        line += search(SECOND_SHARE, second).line_actions[1:]
    return Suggestion(actions, tuple(action for _, action in steps_of(game, state, seat, line)))


def ends_turn(game: Game, state: State, seat: int, action: int) -> bool:
    """Is the turn committed by this action? What the seat does not know is guessed."""
    after = as_guessed(game, state, seat)
    before = after.copy()
    game.kernels.apply(after, action)
    return committed(before, after)


def steps_of(game: Game, state: State, seat: int, actions: Collection[int]) -> Iterator[tuple[State, int]]:
    """The first of these actions, up to the end of the turn, each with what the seat knows before it. What
    the seat does not know is guessed."""
    state, out = as_guessed(game, state, seat), np.empty(game.max_legal, np.int32)
    for action in actions:
        known = state.copy()
        game.kernels.hide(known, seat)
        if action not in out[: game.kernels.legal_actions(known, out)].tolist():
            return
        yield known, action
        before = state.copy()
        game.kernels.apply(state, action)
        if committed(before, state):
            return
