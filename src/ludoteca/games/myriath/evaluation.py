"""What a position of Myriath is worth: `estimate` and `foresee` for the search, and the fixed `yardstick`
that bots are measured against."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np

from ludoteca.kernel import WORD, Array, Floats, Ints, count_bits, holds, kernel, lowest_bit, raised, size_of
from ludoteca.kernel.shares import share_out

from . import components as C
from .rules import (
    EDGES,
    END_AT,
    END_QUARTERS,
    FIRST_OCTAGON,
    MAX_LEGAL,
    N_CROSSINGS,
    N_LIES,
    N_PIECES,
    N_QUARTERS,
    N_TILES,
    PASS,
    QUARTERS,
    TILE_OF,
    State,
    body_fits,
    connect,
    find_in_lie,
    legal_actions,
    outcome,
)

N_SHORT = sum(len(lie.path) == 3 for lie in C.LIES)  # lies of tiles of two streets; they come first

# ---- estimate ----------------------------------------------------------------------------------------------

# What decides, as weights of `estimate`: half points, how soon the seat moves (1: next, 0: last), open half
# edges, and the logarithm of 1 + the placements that the seat has in its hand. Fitted to the outcomes of 900
# / 400 / 300 games of 2 / 3 / 4 players, in which searches of 300 / 250 / 200 simulations with an earlier
# estimate played each other from octagons at random and up to 30 % of the turns were random: multinomial
# logistic regression over 20,498 / 15,637 / 17,632 positions. The cross-validated loss is 0.533 / 0.923 /
# 1.187; without placements it is 0.557 / 0.948 / 1.220, without open half edges 0.540 / 0.937 / 1.197,
# without the scale of `expect` 0.561 / 0.950 / 1.213, with points alone 0.563 / 0.961 / 1.232, with nothing
# known 0.693 / 1.099 / 1.386.
WEIGHTS = np.array(
    [
        [0.0] * 4,
        [0.0] * 4,
        # [players]
        [2.10, 0.80, 1.16, 2.36],
        [2.59, 1.48, 1.71, 3.13],
        [2.97, 1.65, 1.53, 4.08],
    ]
)
POINT, SOONER, OPEN, PLACES = range(4)


@kernel
def look_around(s: State, reach: Array, found: Array, places: Ints) -> None:
    """Write to reach[quarter, word] the crossings where anybody could still lay an arrow: those with room for
    a tile of two streets. Write to found[seat, piece, word] the placements that the seat would have if it
    were to move, and to places[seat] their number."""
    reach[:] = 0
    found[: s.players] = 0
    places[:] = 0
    for lie in range(N_LIES):
        low, high = body_fits(s, lie)
        if low | high == 0:
            continue
        if lie < N_SHORT:
            for end in range(2):
                quarter = END_QUARTERS[lie, end, 0]
                at_low, at_high = raised(low, high, END_AT[s.side, lie, end])
                reach[quarter, 0] |= at_low
                reach[quarter, 1] |= at_high
        for seat in range(s.players):
            find_in_lie(s, seat, lie, low, high, found[seat])
            for piece in range(9 * lie, 9 * lie + 9):
                places[seat] += size_of(found[seat, piece, 0], found[seat, piece, 1])


@kernel
def open_edges(s: State, seat: int, reach: Array) -> int:
    """How many half edges of a seat can still be connected by an arrow. All others, which only a whole edge
    or a bend or nothing at all could reach, were found to be worth nothing."""
    n = 0
    for quarter in range(4):
        for way in range(2):
            own = s.own[seat, (quarter + 3 + 2 * way) % 4]
            for word in range(2):
                n += count_bits(s.faced[way, quarter, word] & own[word] & reach[quarter, word])
    return n


@kernel
def expect(s: State, reach: Array, found: Array, places: Ints, out: Floats) -> float:
    """The expected outcome of a game that goes on, into `out`; returns the scale. The more there is left to
    do (placements), the less an advantage is worth: differences are divided by its root, as in a random walk.
    See `look_around` for what else is written."""
    players, left = int(s.players), 0.0
    look_around(s, reach, found, places)
    for seat in range(players):
        sooner = 1.0 - ((seat - s.to_move) % players) / (players - 1)
        out[seat] = (
            WEIGHTS[players, POINT] * s.points[seat]
            + WEIGHTS[players, SOONER] * sooner
            + WEIGHTS[players, OPEN] * open_edges(s, seat, reach)
            + WEIGHTS[players, PLACES] * log(1.0 + places[seat])
        )
        left += places[seat] / players
    scale = 1.0 / sqrt(1.0 + left)
    share_out(players, scale, out, out)
    return scale


@kernel
def estimate(s: State, out: Floats) -> None:
    """The expected outcome."""
    if s.ending:
        outcome(s, out)
    else:
        expect(
            s, np.empty((4, 2), np.int64), np.empty((4, N_PIECES, 2), np.int64), np.empty(4, np.int32), out
        )


# ---- foresee -----------------------------------------------------------------------------------------------

# How much of those weights a placement moves: each half point, and each that is given to another; each new
# open half edge, and each that is closed, one's own or another's; each quarter covered, times the share of
# the seat's places, or of another's, which cover it too; the share of the seat's places that are the tile's.
# Fitted to the placements that searches of 4,000 simulations chose in 861 positions with two players (softmax
# regression). TURN_OVER makes the mean about what `estimate` says after the turn.
GAINED, GIVEN, OPENED, CLOSED, TAKEN, BLOCKED, BLOCKS, SPENT, TURN_OVER = (
    0.95,
    0.45,
    0.33,
    -1.1,
    -0.2,
    -0.3,
    -0.25,
    -0.9,
    -2.6,
)


@kernel
def add_cover(s: State, found: Array, by: float, cover: Floats) -> None:
    """Add `by` to cover[quarter, crossing] for every placement found that covers the quarter."""
    for piece in range(N_PIECES):
        for word in range(2):
            bits = found[piece, word]
            while bits:
                at = word * WORD + lowest_bit(bits)
                bits &= bits - 1
                for k in range(N_QUARTERS[piece]):
                    where = QUARTERS[s.side, piece, k]
                    cover[where >> 6, at + (where & 63)] += by


@kernel
def weigh_squares(
    s: State, share: Floats, reach: Array, found: Array, places: Ints, cover: Floats, face: Floats
) -> None:
    """Write to cover[quarter, crossing] what it is worth to the seat to move to cover a quarter, and to
    face[quarter, crossing] what it is worth to lay a half edge that faces it. `share` are the weights of the
    seats' advantages for that seat."""
    weights, seat = WEIGHTS[s.players], int(s.to_move)
    cover[:] = 0.0
    for owner in range(s.players):
        blocked = BLOCKED if owner == seat else BLOCKS
        add_cover(s, found[owner], share[owner] * blocked * weights[PLACES] / (1.0 + places[owner]), cover)
    for quarter in range(4):
        for at in range(s.side * s.side):
            if holds(s.covered[quarter], at):
                face[quarter, at] = GAINED * weights[POINT]
                continue
            near = int(holds(reach[quarter], at))
            face[quarter, at] = OPENED * weights[OPEN] * near
            for way in range(2):
                if holds(s.faced[way, quarter], at):
                    for owner in range(s.players):
                        if holds(s.own[owner, (quarter + 3 + 2 * way) % 4], at):
                            if owner == seat:
                                cover[quarter, at] += GAINED * weights[POINT] + CLOSED * weights[OPEN] * near
                            else:
                                cover[quarter, at] += share[owner] * (
                                    GIVEN * weights[POINT] + TAKEN * weights[OPEN] * near
                                )


@kernel
def foresee(s: State, actions: Ints, n: int, out: Floats) -> None:
    """Roughly what `estimate` would say for the seat to move after each of its `n` legal actions: the change
    is taken as a sum over the quarters and the half edges of the tile."""
    reach, found, places = (
        np.empty((4, 2), np.int64),
        np.empty((4, N_PIECES, 2), np.int64),
        np.empty(4, np.int32),
    )
    share = np.empty(4)
    scale = expect(s, reach, found, places, share)
    seat, side = int(s.to_move), int(s.side)
    own = min(max(share[seat], 0.001), 0.999)
    if actions[0] >= FIRST_OCTAGON:
        out[:n] = own
        return
    for k in range(s.players):
        # what an opponent wins is taken from the others in proportion to their shares
        share[k] /= own - 1.0
    share[seat] = 1.0
    cover, face, of_tile = np.empty((4, N_CROSSINGS)), np.empty((4, N_CROSSINGS)), np.zeros(N_TILES)
    weigh_squares(s, share, reach, found, places, cover, face)
    for i in range(n):
        of_tile[TILE_OF[actions[i] // N_CROSSINGS]] += 1.0
    spent = SPENT * WEIGHTS[s.players, PLACES] / (1.0 + places[seat])
    before = log(own / (1.0 - own))
    for i in range(n):
        piece, crossing = actions[i] // N_CROSSINGS, actions[i] % N_CROSSINGS
        change = TURN_OVER + spent * of_tile[TILE_OF[piece]]
        for k in range(N_QUARTERS[piece]):
            where = QUARTERS[side, piece, k]
            change += cover[where >> 6, crossing + (where & 63)]
        for k in range(4):
            where = EDGES[side, piece, k]
            change += face[where >> 6 & 3, crossing + (where & 63)]
        out[i] = 1.0 / (1.0 + exp(-before - scale * change))


# ---- points in one turn ------------------------------------------------------------------------------------


@kernel
def most_gained(s: State, actions: Ints, gains: Ints) -> int:
    """The most half points that the seat to move can get by laying a tile. `actions` and `gains` are
    scratch."""
    most = 0
    for i in range(legal_actions(s, actions)):
        action = int(actions[i])
        if action < FIRST_OCTAGON:
            gains[:] = 0
            add_gains(s, action // N_CROSSINGS, action % N_CROSSINGS, gains)
            most = max(most, int(gains[s.to_move]))
    return most


# ---- the yardstick: never to be improved -------------------------------------------------------------------


@kernel
def add_gains(s: State, piece: int, crossing: int, gains: Ints) -> None:
    """Add the half points that each seat gets if the seat to move lays a piece: for its own half edges on
    covered quarters, for those of others on quarters that it covers."""
    for n in range(4):
        where = EDGES[s.side, piece, n]
        gains[s.to_move] += int(holds(s.covered[where >> 6 & 3], crossing + (where & 63)))
    for n in range(N_QUARTERS[piece]):
        where = QUARTERS[s.side, piece, n]
        connect(s, where >> 6, crossing + (where & 63), gains)


@kernel
def yardstick_score(s: State, action: int, gains: Ints) -> int:
    """The score of a placement: the half points of the seat to move minus those of the opponent who gets
    most. The score of an octagon: minus the squared distance of its square from the middle of the area.
    `gains` is scratch."""
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
    """The legal action with the highest `yardstick_score`; of equals the lowest. `actions` and `gains` are
    scratch."""
    best, most = 0, -1 << 30
    for i in range(legal_actions(s, actions)):
        score = yardstick_score(s, int(actions[i]), gains)
        if score > most:
            best, most = int(actions[i]), score
    return best


def yardstick(s: State) -> tuple[int, ...]:
    """The turn with the most points of one's own less those of the opponent who gets most by it; of equals
    the one with the lowest number. An octagon, which gives no points, goes to the square nearest to the
    middle of the area."""
    return (best_by_score(s, np.empty(MAX_LEGAL, np.int32), np.zeros(4, np.int32)),)
