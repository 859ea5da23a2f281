"""Count the sequences of turns from a position: the classic check of a move generator against another one.

A turn ends where a player's draft does (`ludoteca.game.committed`): with a finished turn, another seat to
move, a reveal, or the end of the game. A game that is over has no further turns, so shorter games do not
count. Chance comes from the position's own generator.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from ludoteca.game import Game, GameError, State
from ludoteca.kernel import Array, kernel, specialise
from ludoteca.text import words

PIECE = 200_000  # actions between two looks at Ctrl-C
MOST_DEPTH = 1_000  # turns: memory is taken for all of them before the first is counted


def count_turns(
    states: Array, lists: Array, n: Array, i: Array, left: Array, weight: Array, at: Array, budget: int
) -> bool:
    """Template: walk the tree depth first, about `budget` actions of it. False if more levels are needed to
    go on.

    at[0] is the level walked now (-1: done), at[1] the sum so far. Level d has the state states[d], its legal
    actions lists[d][:n[d]] of which i[d] have been walked, left[d] turns still to play, and stands for
    weight[d] sequences.
    """
    while at[0] >= 0 and budget > 0:
        d = int(at[0])
        if i[d] == n[d]:
            at[0] -= 1
            continue
        if d + 1 == len(states):
            return False
        action = int(lists[d, i[d]])
        i[d] += 1
        budget -= 1
        ways = weight[d] * perft_weight(states[d], action)  # type: ignore[name-defined]  # noqa: F821
        states[d + 1] = states[d]
        apply(states[d + 1], action)  # type: ignore[name-defined]  # noqa: F821
        turns = left[d]
        if (
            states[d + 1].turn != states[d].turn
            or states[d + 1].to_move != states[d].to_move
            or states[d + 1].reveals != states[d].reveals
            or states[d + 1].ending != 0
        ):
            turns -= 1
        if turns == 0:
            at[1] += ways
        elif states[d + 1].ending == 0:
            n[d + 1] = legal_actions(states[d + 1], lists[d + 1])  # type: ignore[name-defined]  # noqa: F821
            i[d + 1] = 0
            left[d + 1] = turns
            weight[d + 1] = ways
            at[0] += 1
    return True


@kernel
def one(s: Any, action: int) -> int:  # noqa: ARG001 (a weight's signature)
    """Every action counts once."""
    return 1


@cache
def counter(game: Game, weighted: bool) -> Callable[..., bool]:
    """`count_turns` compiled for a game."""
    scope = {
        'apply': game.kernels.apply,
        'legal_actions': game.kernels.legal_actions,
        'perft_weight': game.perft_weight if weighted else one,
    }
    name = f'{game.name}_weighted' if weighted else game.name
    return cast(Callable[..., bool], specialise(count_turns, scope, name, Path(game.home)))


def perft(
    game: Game,
    state: State,
    depth: int,
    weighted: bool = False,
    progress: Callable[[int], None] | None = None,
) -> int:
    """The number of sequences of `depth` turns from `state`, whose begun turn counts as its first.

    `weighted`: each action counts as often as the game's `perft_weight` says. `progress` is called with the
    sum so far now and then. Raises GameError for a depth that is negative or above MOST_DEPTH, or if the
    game declares no weights.
    """
    if not 0 <= depth <= MOST_DEPTH:
        raise GameError(words('research.error.depth', most=f'{MOST_DEPTH:,}', depth=depth))
    if weighted and game.perft_weight is None:
        raise GameError(words('research.error.no_weights', game=game.title))
    if depth == 0:
        return 1
    if state.ending:
        return 0
    kernel, levels = counter(game, weighted), 4 * depth + 2
    states, lists = game.State.array(levels), np.empty((levels, game.max_legal), np.int32)
    n, i, left, weight = (np.zeros(levels, np.int64) for _ in range(4))
    states[0] = state
    n[0], left[0], weight[0] = game.kernels.legal_actions(states[0], lists[0]), depth, 1
    at = np.zeros(2, np.int64)
    while at[0] >= 0:
        if not kernel(states, lists, n, i, left, weight, at, PIECE):
            states, lists, n, i, left, weight = (
                np.concatenate([a, np.zeros_like(a)]) for a in (states, lists, n, i, left, weight)
            )
        elif progress is not None:
            progress(int(at[1]))
    return int(at[1])
