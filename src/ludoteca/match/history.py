"""The committed part of a match: states, actions, turns. All of it is the whole truth."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ludoteca.game import Game, State


class TrueStep(NamedTuple):
    """A step of a draft: its number in the log, the action, and the true states before and after it."""

    serial: int
    action: int
    name: str
    before: State
    state: State


class Action(NamedTuple):
    """A committed action, the seat that took it, and its number in the log."""

    seat: int
    action: int
    serial: int


class Turn(NamedTuple):
    """A committed turn: its actions are `actions[first:last]`. `batch` is the index of the first turn that
    was committed at the same moment (a sealed phase commits one for every seat)."""

    seat: int
    first: int
    last: int
    batch: int
    time: float


class Disagreement(RuntimeError):
    """A log does not lead where it says; or (a defect of the game) a sealed choice was not legal once the
    others were known."""


class History:
    """What is committed. `states[k]` is the true state before action `k`; the last one is the present."""

    def __init__(self, game: Game, start: State) -> None:
        self.game = game
        self.states: list[State] = [start]
        self.actions: list[Action] = []
        self.turns: list[Turn] = []
        self.epoch = 0
        """How often turns have been taken back. Numbers of turns and actions hold within one epoch only."""

    def copy(self) -> History:
        """Another history that goes on from here. States are shared, since nobody changes them."""
        other = copy.copy(self)
        other.states, other.actions, other.turns = list(self.states), list(self.actions), list(self.turns)
        return other

    @property
    def state(self) -> Any:
        """The present state."""
        return self.states[-1]

    @property
    def is_sealed(self) -> bool:
        """Do all seats choose in secret at once?"""
        return bool(self.game.sealed) and int(self.state.phase) in self.game.sealed

    def state_at(self, turns: int) -> State:
        """The state after so many committed turns."""
        return self.states[self.turns[turns - 1].last if turns else 0]

    def legal(self, state: State) -> list[int]:
        """The legal actions of a state, ascending."""
        out = np.empty(self.game.max_legal, np.int32)  # up to 40 KB: too much to be kept for each match
        legal: list[int] = out[: self.game.kernels.legal_actions(state, out)].tolist()
        return legal

    def after(self, state: State, action: int) -> State:
        """The state to which an action leads."""
        following = state.copy()
        self.game.kernels.apply(following, action)
        return following

    def digest(self, state: State) -> str:
        """The hash of a state's canonical position: 32 hexadecimal digits."""
        return hashlib.blake2b(self.game.canonical(state).encode(), digest_size=16).hexdigest()

    def commit(self, together: Sequence[tuple[int, TrueStep]], now: float) -> None:
        """Add steps of one or (in a sealed phase) of all seats. Consecutive steps of a seat are one turn."""
        batch = len(self.turns)
        for seat, step in together:
            end = len(self.actions) + 1
            if len(self.turns) > batch and self.turns[-1].seat == seat:
                self.turns[-1] = self.turns[-1]._replace(last=end)
            else:
                self.turns.append(Turn(seat, end - 1, end, batch, now))
            self.actions.append(Action(seat, step.action, step.serial))
            self.states.append(step.state)

    def take_back(self, turns: int) -> None:
        """Go back to the first `turns` turns."""
        actions = self.turns[turns].first
        del self.turns[turns:], self.actions[actions:], self.states[actions + 1 :]
        self.epoch += 1

    def is_fresh(self, number: int, seat: int) -> bool:
        """Is a committed turn still being looked at by a seat: has it taken no turn of its own after it? A
        spectator looks at the last turn of everybody."""
        players = int(self.state.players)
        last = len(self.turns) - players
        for later in range(max(0, len(self.turns) - players), len(self.turns)):
            if self.turns[later].seat == seat:
                last = later
        return number >= last
