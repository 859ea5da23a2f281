"""What a search starts from: the position as a seat knows it, and nothing else."""

from __future__ import annotations

from ludoteca.game import Game, State


def as_known(game: Game, state: State, seat: int) -> State:
    """A copy of the state that holds what a seat knows when it is to choose there."""
    known = state.copy()
    if state.phase in game.sealed:
        game.kernels.mover_view(known, seat)
    else:
        game.kernels.hide(known, seat)
    return known


def as_guessed(game: Game, known: State, seat: int) -> State:
    """A whole position that agrees with what a seat knows, always the same one: rules are for whole
    positions."""
    guessed, work = known.copy(), game.Work.new()
    game.kernels.prepare(guessed, seat, work)
    game.kernels.guess(guessed, seat, 0, work)
    return guessed
