"""What the actions of a position are worth before anything was tried: templates for searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludoteca.kernel import Floats, Ints

FEW = 16  # a begun turn with more continuations than this is estimated as it stands

# Names that every game provides; `bind` puts the game's own functions in their place.
# ruff: noqa: F821
apply: Callable[..., None]
legal_actions: Callable[..., int]
estimate: Callable[..., None]
foresee: Callable[..., None]


def look_ahead(states: Any, action: int, lists: Ints, result: Floats) -> float:
    """The expected outcome for the seat to move in states[0] after an action there; a turn that the action
    leaves unfinished is finished in the way that the estimate likes best: by one more action, and if need be
    by the last legal one after it."""
    states[1] = states[0]
    s = states[1]
    seat, turn, reveals = int(s.to_move), int(s.turn), int(s.reveals)
    apply(s, action)
    if s.ending or s.turn != turn or s.to_move != seat or s.reveals != reveals:
        estimate(s, result)
        return result[seat]
    n = legal_actions(s, lists[1])
    if n > FEW:
        estimate(s, result)
        return result[seat]
    best = -1.0
    for i in range(n):
        states[2] = states[1]
        s = states[2]
        apply(s, int(lists[1, i]))
        if s.ending == 0 and s.turn == turn and s.to_move == seat and s.reveals == reveals:
            states[3] = states[2]
            apply(states[3], int(lists[2, legal_actions(s, lists[2]) - 1]))
            if states[3].ending or states[3].turn != turn or states[3].to_move != seat:
                s = states[3]
        estimate(s, result)
        best = max(best, result[seat])
    return best


def ask_each(states: Any, n: int, lists: Ints, result: Floats, worth: Floats) -> None:
    """The expected outcome for the seat to move after each of its `n` actions, into `worth`: one look ahead
    after another."""
    for i in range(n):
        worth[i] = look_ahead(states, int(lists[0, i]), lists, result)


def ask_at_once(states: Any, n: int, lists: Ints, _: Floats, worth: Floats) -> None:
    """The same, roughly, by the game's own `foresee`."""
    foresee(states[0], lists[0], n, worth)
