"""Lines to play through: what a search expects to follow, position by position, as one seat knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludoteca.game import Event, Game, GameError, State, first_action
from ludoteca.search import as_guessed


@dataclass(frozen=True)
class LineStep:
    """An action of a line: who takes it, the position before it as the seat of the line knows it, the action
    and its name, the position after it, and what that seat sees happen."""

    seat: int
    before: State
    action: int
    name: str
    after: State
    events: tuple[Event, ...]


def line(game: Game, known: State, seat: int, names: Sequence[str]) -> list[LineStep]:
    """The actions that these names of actions or of turns stand for, from a position on, as far as they are
    legal. `known` is what the seat knows; the rest is guessed, so that nothing else can matter."""
    state, out = as_guessed(game, known, seat), np.empty(game.max_legal, np.int32)
    found, left = list[LineStep](), ' '.join(names).split()
    while left:
        before = _hidden(game, state, seat)
        if state.ending:
            break
        try:
            action, name, left = first_action(game, state, left)
        except GameError:
            break
        if action not in out[: game.kernels.legal_actions(state, out)].tolist():
            break
        mover, seen = int(state.to_move), int(game.kernels.hide_action(state, action, seat))
        game.kernels.apply(state, action)
        after = _hidden(game, state, seat)
        found.append(LineStep(mover, before, action, name, after, game.events(before, seen, after)))
    return found


def _hidden(game: Game, state: State, seat: int) -> State:
    found = state.copy()
    game.kernels.hide(found, seat)
    return found
