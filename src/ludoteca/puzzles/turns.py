"""Turns played on what a seat knows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from ludoteca.game import Game, GameError, State, committed, first_action
from ludoteca.game.position import Position, some
from ludoteca.search import as_guessed, as_known
from ludoteca.text import words


class After(NamedTuple):
    """What an action leads to: the position as the seat knows it, and whether the action ended its turn."""

    known: State
    ends: bool


def after(game: Game, known: State, seat: int, action: int) -> After:
    """Play a legal action. What the seat does not know is filled in by one fixed guess, and hidden again."""
    filled = as_guessed(game, known, seat)
    before = filled.copy()
    game.kernels.apply(filled, action)
    if committed(before, filled):
        game.kernels.hide(filled, seat)
        return After(filled, True)
    return After(as_known(game, filled, seat), False)


def key(game: Game, known: State) -> str:
    """What tells positions apart, 16 hexadecimal digits: turns that lead to the same position are the same
    answer."""
    return hashlib.blake2b(game.canonical(known).encode(), digest_size=8).hexdigest()


class CompleteTurn(NamedTuple):
    """A complete turn: its actions and their names, the position before each of them as the seat knows it,
    and the key of the position after it."""

    actions: tuple[int, ...]
    names: tuple[str, ...]
    states: tuple[State, ...]
    key: str


def read_turn(game: Game, known: State, seat: int, text: str) -> CompleteTurn:
    """The turn that a text names. Raises GameError if there is no step, if one is not legal, if the turn goes
    on after the text, and if it ends before that."""
    rest: Sequence[str] = text.split()
    actions, names, states = list[int](), list[str](), list[State]()
    ends = False
    if not rest:
        raise GameError(words('puzzle.error.empty'))
    while rest:
        if ends:
            raise GameError(words('puzzle.error.too_long', turn=' '.join(names), rest=' '.join(rest)[:80]))
        filled = as_guessed(game, known, seat)
        action, name, rest = first_action(game, filled, rest)
        position = Position(game, filled)
        if action not in position.actions():
            legal = some(position.legal())
            raise GameError(words('game.error.step_not_legal', name=name, legal=legal))
        actions.append(action)
        names.append(game.action_name(known, action))
        states.append(known)
        known, ends = after(game, known, seat, action)
    if not ends:
        legal = some(Position(game, as_guessed(game, known, seat)).legal())
        raise GameError(words('puzzle.error.too_short', turn=' '.join(names), legal=legal))
    return CompleteTurn(tuple(actions), tuple(names), tuple(states), key(game, known))


def turn_on(game: Game, whole: State, seat: int, text: str) -> State:
    """The position after the turn that a text names, played on a whole position. Raises GameError."""
    following: State = whole.copy()
    for action in read_turn(game, as_known(game, whole, seat), seat, text).actions:
        game.kernels.apply(following, action)
    return following
