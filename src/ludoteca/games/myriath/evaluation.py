"""What a position of Myriath is worth: `estimate` for the search, and the fixed `yardstick` that bots are measured against."""
from __future__ import annotations

from math import exp

import numpy as np

from ludoteca.games.myriath.rules import (
    EDGES,
    FIRST_OCTAGON,
    MAX_LEGAL,
    N_CROSSINGS,
    N_QUARTERS,
    PASS,
    QUARTERS,
    State,
    legal_actions,
    outcome,
)
from ludoteca.kernel import Floats, Ints, holds, kernel

HURRY = 0.25            # how much a half point counts


@kernel
def estimate(s: State, out: Floats) -> None:
    """The expected outcome, from the points alone."""
    if s.ending:
        outcome(s, out)
        return
    total = 0.0
    for seat in range(s.players):
        out[seat] = exp(HURRY * s.points[seat])
        total += out[seat]
    for seat in range(s.players):
        out[seat] /= total


# ---- the yardstick: never to be improved --------------------------------------------------------------------------------------

@kernel
def add_gains(s: State, piece: int, crossing: int, gains: Ints) -> None:
    """Add the half points that each seat gets if the seat to move lays a piece: for its own half edges on covered quarters, for
    those of others on quarters that it covers."""
    for n in range(4):
        where = EDGES[s.side, piece, n]
        gains[s.to_move] += int(holds(s.covered[where >> 6 & 3], crossing + (where & 63)))
    for n in range(N_QUARTERS[piece]):
        where = QUARTERS[s.side, piece, n]
        quarter, at = where >> 6, crossing + (where & 63)
        for way in range(2):
            if holds(s.faced[way, quarter], at):
                for owner in range(s.players):
                    gains[owner] += int(holds(s.own[owner, (quarter + 3 + 2 * way) % 4], at))


@kernel
def yardstick_score(s: State, action: int, gains: Ints) -> int:
    """Of a placement: the half points of the seat to move less those of the opponent who gets most. Of an octagon: less the further
    its square is from the middle of the area (the squared distance). `gains` is scratch."""
    if action == PASS:
        return 0
    if action >= FIRST_OCTAGON:
        side, crossing = int(s.side), action - FIRST_OCTAGON
        across, up = 2 * (crossing % side) + 2 - side, 2 * (crossing // side) + 2 - side
        return -(across * across + up * up)
    gains[:] = 0
    add_gains(s, action // N_CROSSINGS, action % N_CROSSINGS, gains)
    most = 0
    for seat in range(s.players):
        if seat != s.to_move:
            most = max(most, int(gains[seat]))
    return int(gains[s.to_move]) - most


@kernel
def best_by_score(s: State, actions: Ints, gains: Ints) -> int:
    """The legal action with the highest `yardstick_score`; of equals the lowest. `actions` and `gains` are scratch."""
    best, most = 0, -1 << 30
    for i in range(legal_actions(s, actions)):
        score = yardstick_score(s, int(actions[i]), gains)
        if score > most:
            best, most = int(actions[i]), score
    return best


def yardstick(s: State) -> tuple[int, ...]:
    """The turn with the most points of one's own less those of the opponent who gets most by it; of equals the one with the lowest
    number. An octagon, which gives no points, goes to the square nearest to the middle of the area."""
    return (best_by_score(s, np.empty(MAX_LEGAL, np.int32), np.zeros(4, np.int32)),)
