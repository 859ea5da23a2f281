"""What a position of Octiles is worth: `estimate` for the search, and the fixed `yardstick` that bots are
measured against."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np

from ludoteca.games.octiles import components as C
from ludoteca.games.octiles import rules
from ludoteca.games.octiles.rules import (
    CIRCLES,
    EXITS,
    FIRST_POST,
    N_EXITS,
    N_STOPS,
    SIDE_OF,
    STOP_BITS,
    State,
    end_of_path,
    goal_side,
    outcome,
)
from ludoteca.kernel import Floats, kernel

# The middles of a space's edges (N, NE, E, ...) seen from its centre, in spacings of neighbouring spaces.
_EDGE_XY = (
    (0.0, 0.5),
    (0.25, 0.25),
    (0.5, 0.0),
    (0.25, -0.25),
    (0.0, -0.5),
    (-0.25, -0.25),
    (-0.5, 0.0),
    (-0.25, 0.25),
)
_PLACE_XY = np.array(
    [np.add(C.SPACE_XY[space], xy) for space in C.SPACES for xy in _EDGE_XY]
    + [C.POST_XY[post] for post in C.POSTS]
)
_CIRCLE_XY = np.array([C.POST_XY[post] for post in C.CIRCLES]).reshape(4, 5, 2)
_APART = np.hypot(*np.moveaxis(_PLACE_XY[:, None, None] - _CIRCLE_XY, -1, 0))  # [place, side, circle]
# [circles taken, as bits][circle]
_TAKEN = np.arange(32)[:, None] >> np.arange(5) & 1

# [side][its circles that are taken, as bits][place] -> straight distance to the nearest other circle of the
# side, in spacings of neighbouring spaces; 0 if all are taken
NEAREST = np.array(
    [[np.where(taken, np.inf, _APART[:, side]).min(1) for taken in _TAKEN] for side in range(4)]
)
NEAREST[:, 31] = 0.0


# ---- estimate ----------------------------------------------------------------------------------------------

# What decides: the runners not home yet, the distance they have to go, the part of it that their best paths
# cover as the tiles lie, and how soon the seat moves (1: now, 0: last). Fitted to the outcomes of 1,002 / 470
# / 350 games of 2 / 3 / 4 players, in which searches of 500 or 1,000 simulations with an earlier estimate
# played each other and 0-15 % of the steps were random: multinomial logistic regression over 37,622 / 28,001
# / 20,273 positions. With two players the cross-validated loss is 0.5839; without paths it is 0.5868, without
# the scale of `estimate` 0.5923, with runners home and distances alone 0.6054.
WEIGHTS = np.array(
    [
        [0.0] * 4,
        [0.0] * 4,
        # [players]
        [2.464, 1.716, 0.579, 1.414],
        [1.217, 0.730, 0.250, 0.740],
        [1.369, 1.027, 0.663, 1.302],
    ]
)
# an arrival costs about as much time as this distance: runners must end exactly on a circle
ARRIVAL = 1.4


@kernel
def estimate(s: State, out: Floats) -> None:
    """The expected outcome of the race. The more there is left to go, the less an advantage is worth:
    differences are divided by the root of what is left, as in a random walk."""
    if s.ending:
        outcome(s, out)
        return
    players, left_to_go = int(s.players), 0.0
    for seat in range(players):
        goal = goal_side(s, seat)
        first = N_STOPS + 5 * goal
        taken, away = 0, 0
        for i in range(s.n_runners):
            post = int(s.runner[seat, i])
            at_goal = int(SIDE_OF[post] == goal)
            away += 1 - at_goal
            taken |= at_goal << ((post - first) & 31)
        free = ~s.occupied & (STOP_BITS | CIRCLES[goal])
        distance, covered = 0.0, 0.0
        for i in range(s.n_runners):
            post = int(s.runner[seat, i])
            if SIDE_OF[post] == goal:
                continue
            apart, gain = NEAREST[goal, taken, FIRST_POST + post], 0.0
            for k in range(N_EXITS[post]):
                end = end_of_path(s, int(EXITS[post, k]))
                if end < 0 or free >> end & 1:  # negative: the edge of a space without a tile
                    gain = max(gain, apart - NEAREST[goal, taken, FIRST_POST + end])
            distance += apart
            covered += gain
        left_to_go += distance + ARRIVAL * away
        sooner = 1.0 - ((seat - s.to_move) % players) / (players - 1)
        out[seat] = (
            WEIGHTS[players, 2] * covered
            + WEIGHTS[players, 3] * sooner
            - WEIGHTS[players, 0] * away
            - WEIGHTS[players, 1] * distance
        )
    scale, total = 1.0 / sqrt(1.0 + left_to_go / players), 0.0
    for seat in range(players):
        out[seat] = exp(out[seat] * scale)
        total += out[seat]
    for seat in range(players):
        out[seat] /= total


# ---- the yardstick: never to be improved -------------------------------------------------------------------


@kernel
def robot_score(s: State, seat: int) -> float:
    """The evaluation of a known robot: +1 for each of the seat's runners on a goal circle, minus the
    straight distance of each other one to the nearest goal circle on which no runner of the seat stands."""
    goal = goal_side(s, seat)
    taken, score = 0, 0.0
    for i in range(s.n_runners):
        post = int(s.runner[seat, i])
        if SIDE_OF[post] == goal:
            taken |= 1 << (post - N_STOPS - 5 * goal)
            score += 1.0
    for i in range(s.n_runners):
        post = int(s.runner[seat, i])
        if SIDE_OF[post] != goal:
            score -= NEAREST[goal, taken, FIRST_POST + post]
    return score


def yardstick(s: State) -> tuple[int, ...]:
    """The turn (or the rest of the turn begun) after which `robot_score` is highest for its mover; among
    equals the one with the lowest actions."""
    seat, best_score = int(s.to_move), -np.inf
    best: tuple[int, ...] = ()
    states = rules.State.array(3)
    placements, moves = np.empty(rules.MAX_LEGAL, np.int32), np.empty(rules.MAX_LEGAL, np.int32)
    states[0] = s
    begun = s.phase == rules.Phase.MOVE
    for placement in [-1] if begun else placements[: rules.legal_actions(states[0], placements)].tolist():
        states[1] = states[0]
        if not begun:
            rules.apply(states[1], placement)
            if placement == rules.PASS:
                return (placement,)
        for move in moves[: rules.legal_actions(states[1], moves)].tolist():
            states[2] = states[1]
            rules.apply(states[2], move)
            score = robot_score(states[2], seat)
            if score > best_score + 1e-9:  # equal sums may differ in their last bits
                best, best_score = (move,) if begun else (placement, move), score
    return best
