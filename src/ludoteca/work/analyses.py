"""The kind `analysis`: what a search says of a position on a board for analysis."""

from __future__ import annotations

from ludoteca.analysis import EFFORTS, search_position
from ludoteca.game import Game, State
from ludoteca.search.known import as_known
from ludoteca.work.jobs import Conditions, Payload, Result


def payload(game: Game, state: State, effort: int, seed: int) -> Payload:
    """One round of a search. Of the position it holds what the seat to move knows."""
    simulations, seconds = EFFORTS[effort]
    known = game.to_json(as_known(game, state, int(state.to_move)))
    return {
        'game': game.name,
        'position': known,
        'simulations': simulations,
        'seconds': seconds,
        'seed': seed,
    }


def search(payload: Payload, conditions: Conditions) -> Result:  # noqa: ARG001 (it has a time of its own)
    """See `search_position`."""
    return search_position(payload)
