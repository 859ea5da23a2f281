"""Random play from the list of legal actions, for games that have no quicker way: templates that become
kernels of a game.

A game says in its rules.py

    random_action = drawn_from_list(legal_actions)
    random_turn = drawn_step_by_step(random_action, apply, State)

Its `Work` has a field `actions` with room for all legal actions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from ludoteca.kernel.compile import home_of, specialise
from ludoteca.kernel.random import below
from ludoteca.kernel.record import Ints, Record

# Names that a game provides; `_of_game` puts the game's own in their place.
# ruff: noqa: F821
apply: Callable[[Any, int], None]
legal_actions: Callable[[Any, Ints], int]
STATE: Any


def random_action(s: Any, work: Any) -> int:
    """Template: a legal action, uniform among all."""
    actions = work.actions[:]
    return int(actions[below(s, legal_actions(s, actions))])


def random_turn(s: Any, work: Any, out: Ints) -> int:
    """Template: a turn of random actions, for games in which turns are too many to be drawn uniformly;
    returns the number of actions."""
    states, n = np.empty(1, STATE), 0
    states[0] = s
    copy = states[0]
    while (
        copy.ending == 0 and copy.turn == s.turn and copy.to_move == s.to_move and copy.reveals == s.reveals
    ):
        out[n] = random_action(copy, work)
        apply(copy, int(out[n]))
        n += 1
    for k in range(len(s.rng)):  # a copied array takes longer to compile
        s.rng[k] = copy.rng[k]
    return n * len(states)  # mentions the array: a record alone does not keep its memory


def _of_game(template: Callable[..., int], like: Callable[..., Any], **names: Any) -> Callable[..., int]:
    """A template as a kernel of the module in which the function `like` stands."""
    folder = home_of(like.__module__, cast(str, sys.modules[like.__module__].__file__))
    made = specialise(template, {'below': below, 'np': np, **names}, folder.name, folder)
    made.__module__ = like.__module__
    return cast(Callable[..., int], made)


def drawn_from_list(legal_actions: Callable[[Any, Ints], int]) -> Callable[[Any, Any], int]:
    """The kernel `random_action` of the game whose legal actions these are."""
    return _of_game(random_action, legal_actions, legal_actions=legal_actions)


def drawn_step_by_step(
    random_action: Callable[[Any, Any], int], apply: Callable[[Any, int], None], state: type[Record]
) -> Callable[[Any, Any, Ints], int]:
    """The kernel `random_turn` of a game with these rules."""
    return _of_game(random_turn, apply, random_action=random_action, apply=apply, STATE=state.DTYPE)
