r"""The rules of Myriath: state, setup, what is legal, what happens, the end.

Actions. A turn is one action: to lay a piece (a tile in an orientation, see components.py) with its first
crossing on a crossing of the area, or to pass if nothing can be laid:
    LAY + piece * N_CROSSINGS + crossing       0 .. 13067      lay a tile, named `U-AI r3 d4`
    FIRST_OCTAGON + crossing               13068 .. 13188      lay the octagon round the square north-east of
                                           it, named `O d4`
    PASS                                   13189               named `pass`

Sets. What is covered is kept as sets of crossings, one for each quarter: two words of bits (kernel/bits.py).
All places where a body fits are found at once, by lowering the sets of free quarters to the body's first
crossing.

Points are counted in half points. A half edge is connected when the quarter on its other side is covered;
then its owner gets one, whoever has laid the tile.

The area of two players, north at the top, with the numbers of its crossings; `#` is a printed square, and
streets run between them. The areas of three and four players have 9 and 11 crossings a side and are numbered
in the same way. At the right the quarters of a crossing.

    7   42    43    44    45    46    47    48
            #     #     #     #     #     #
    6   35    36    37    38    39    40    41
            #     #     #     #     #     #
    5   28    29    30    31    32    33    34                 \  1  /
            #     #     #     #     #     #                     \   /
    4   21    22    23    24    25    26    27                2   x   0
            #     #     #     #     #     #                     /   \
    3   14    15    16    17    18    19    20                 /  3  \
            #     #     #     #     #     #
    2    7     8     9    10    11    12    13
            #     #     #     #     #     #
    1    0     1     2     3     4     5     6
         a     b     c     d     e     f     g
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ludoteca.game import ActionSpace, Slice
from ludoteca.kernel import (
    WORD,
    WORD_MASK,
    Array,
    Floats,
    Ints,
    Record,
    below,
    field,
    holds,
    kernel,
    list_set,
    lowered,
    nth_of,
    put_in,
    size_of,
    start_generator,
)
from ludoteca.kernel.shares import share_win

from . import components as C

N_TILES, N_PATHS, N_LIES, N_PIECES, N_CROSSINGS = C.N_TILES, C.N_PATHS, C.N_LIES, C.N_PIECES, C.N_CROSSINGS
THE_OCTAGON, ARROW, INNER = C.THE_OCTAGON, C.ARROW, C.INNER
SIDE_OF, HANDICAP, TILE_OF = C.SIDE_TABLE, C.HANDICAP_TABLE, C.TILE_OF_TABLE
INSIDE, SPOTS = C.INSIDE_TABLE, C.SPOTS_TABLE
BODY, N_BODY, QUARTERS, N_QUARTERS, EDGES = (
    C.BODY_TABLE,
    C.N_BODY_TABLE,
    C.QUARTERS_TABLE,
    C.N_QUARTERS_TABLE,
    C.EDGES_TABLE,
)
END_AT, END_QUARTERS = C.END_AT_TABLE, C.END_QUARTERS_TABLE

ACTIONS = ActionSpace(
    Slice('lay', (N_LIES, 3, 3, N_CROSSINGS), 'lay a tile', ('lie', 'first_end', 'last_end', 'crossing')),
    Slice('octagon', (N_CROSSINGS,), 'lay the octagon', ('crossing',)),
    Slice('pass', (), 'nothing can be laid'),
)
LAY, FIRST_OCTAGON, PASS, N_ACTIONS = ACTIONS.firsts
# all placements of a whole hand in the largest area, empty
MAX_LEGAL = sum(len(C._inside(piece, C.MOST_SIDE)) for piece in C.PIECES)
RING = N_PIECES  # the octagon's row in QUARTERS
IN_HAND = -1


class Phase(IntEnum):
    """What is laid."""

    SETUP = 0  # the octagons, one a seat
    PLAY = 1


class Ending(IntEnum):
    """How a game ends; the names for people are in the words under `ending`."""

    RUNNING = 0
    PASSED = 1  # everybody had to pass in turn


class State(Record):
    """A game of Myriath. Crossings are numbered i + side * j in the area that belongs to the number of
    players."""

    covered: Array = field('i8', (4, 2))  # [quarter, word] -> crossings where some tile covers it
    own: Array = field('i8', (4, 4, 2))  # [seat, quarter, word] -> where a tile of the seat does
    # [way, quarter, word] -> where a half edge faces this quarter from the next one clockwise (way 0) or
    # anticlockwise (1)
    faced: Array = field('i8', (2, 4, 2))
    rng: Array = field('u4', 4)
    # [seat, tile] -> the action by which it was laid, IN_HAND if it was not
    at: Array = field('i2', (4, N_TILES))
    points: Array = field('i2', 4)  # half points, the handicap included
    turn: int = field('i2')
    reveals: int = field('i2')
    players: int = field('i1')
    side: int = field('i1')  # crossings a side of the area
    to_move: int = field('i1')
    phase: int = field('i1')
    passes: int = field('i1')  # in a row
    ending: int = field('i1')


class Work(Record):
    """Scratch of the functions that draw a random action."""

    found: Array = field('i8', (N_PIECES, 2))


# ---- setup -------------------------------------------------------------------------------------------------


@kernel
def clear_board(s: State, players: int) -> None:
    """An empty area, all tiles in the hands, the handicaps on the track."""
    s.covered[:] = 0
    s.own[:] = 0
    s.faced[:] = 0
    s.at[:] = IN_HAND
    s.players = players
    s.side = SIDE_OF[players]
    for seat in range(4):
        s.points[seat] = HANDICAP[seat] if seat < players else 0
    s.turn = 0
    s.reveals = 0
    s.to_move = 0
    s.phase = Phase.SETUP
    s.passes = 0
    s.ending = Ending.RUNNING


@kernel
def setup(s: State, players: int, options: Ints, seed: Array) -> None:
    """A game at its start: the octagons are laid by the players."""
    clear_board(s, players)
    start_generator(s, seed)


# ---- sets of crossings -------------------------------------------------------------------------------------


@kernel
def free(s: State, quarter: int, by: int) -> tuple[int, int]:
    """The crossings from which the quarter of the crossing `by` numbers further on is free; also crossings
    beyond the area."""
    return lowered(~s.covered[quarter, 0] & WORD_MASK, ~s.covered[quarter, 1] & WORD_MASK, by)


@kernel
def foreign(s: State, seat: int, quarter: int, by: int) -> tuple[int, int]:
    """The crossings from which the quarter of the crossing `by` numbers further on is covered by an opponent
    of the seat."""
    return lowered(
        s.covered[quarter, 0] & ~s.own[seat, quarter, 0], s.covered[quarter, 1] & ~s.own[seat, quarter, 1], by
    )


# ---- what is legal -----------------------------------------------------------------------------------------


@kernel
def where_free(s: State, quarters: Array, inside: Array) -> tuple[int, int]:
    """The crossings of the set inside[word] from which all these quarters (64 * quarter + crossings further
    on) are free."""
    low, high = inside[0], inside[1]
    for where in quarters:
        free_low, free_high = free(s, where >> 6, where & 63)
        low &= free_low
        high &= free_high
    return low, high


@kernel
def body_fits(s: State, lie: int) -> tuple[int, int]:
    """The first crossings where a body lies inside the area and the quarters that all its tiles cover are
    free."""
    return where_free(s, BODY[s.side, lie, : N_BODY[lie]], INSIDE[s.side, lie])


@kernel
def covers(kind: int, inner: int, outer: int) -> int:
    """The crossings (one word) where an end of that type fits, given those where the quarters on its inner
    and outer side are free."""
    if kind == ARROW:
        return WORD_MASK
    return inner if kind == INNER else outer


@kernel
def meets(kind: int, inner: int, opposite: int, outer: int) -> int:
    """The crossings (one word) where a half edge of such an end meets a tile, given those where the quarters
    round its own are covered by one."""
    if kind == ARROW:
        return inner | outer
    return opposite | (outer if kind == INNER else inner)


@kernel
def find_in_lie(s: State, seat: int, lie: int, low: int, high: int, found: Array) -> None:
    """Write to found[piece, word] the first crossings where the seat could lay each of the nine pieces of a
    lie. `low` and `high` are the crossings where the body fits."""
    piece, hand = 9 * lie, s.at[seat]
    if low | high == 0:
        found[piece : piece + 9] = 0
        return
    at, quarters = END_AT[s.side, lie], END_QUARTERS[lie]
    a_inner, a_inner_high = free(s, quarters[0, 1], at[0])
    a_outer, a_outer_high = free(s, quarters[0, 3], at[0])
    b_inner, b_inner_high = free(s, quarters[1, 1], at[1])
    b_outer, b_outer_high = free(s, quarters[1, 3], at[1])
    a1, a1_high = foreign(s, seat, quarters[0, 1], at[0])
    a2, a2_high = foreign(s, seat, quarters[0, 2], at[0])
    a3, a3_high = foreign(s, seat, quarters[0, 3], at[0])
    b1, b1_high = foreign(s, seat, quarters[1, 1], at[1])
    b2, b2_high = foreign(s, seat, quarters[1, 2], at[1])
    b3, b3_high = foreign(s, seat, quarters[1, 3], at[1])
    for first in range(3):
        a_low, a_high = (
            low & covers(first, a_inner, a_outer),
            high & covers(first, a_inner_high, a_outer_high),
        )
        met, met_high = meets(first, a1, a2, a3), meets(first, a1_high, a2_high, a3_high)
        for last in range(3):
            if hand[TILE_OF[piece]] == IN_HAND:
                found[piece, 0] = a_low & covers(last, b_inner, b_outer) & (met | meets(last, b1, b2, b3))
                found[piece, 1] = (
                    a_high
                    & covers(last, b_inner_high, b_outer_high)
                    & (met_high | meets(last, b1_high, b2_high, b3_high))
                )
            else:
                found[piece] = 0
            piece += 1


@kernel
def find_placements(s: State, found: Array) -> None:
    """Write to found[piece, word] the first crossings where the seat to move may lay each piece: it is in the
    hand, lies inside the area, overlaps nothing, and has a half edge on a tile of an opponent."""
    for lie in range(N_LIES):
        low, high = body_fits(s, lie)
        find_in_lie(s, s.to_move, lie, low, high, found)


@kernel
def list_in_one_word(s: State, out: Ints) -> int:
    """The placements of the seat to move, ascending, where all crossings are in one word (two players);
    returns how many. They are those of find_placements: without a second word and without a set for each
    piece they are found in half the time."""
    seat, n = int(s.to_move), 0
    hand, ends, inside, bodies = s.at[seat], END_AT[s.side], INSIDE[s.side], BODY[s.side]
    blank, enemy = np.empty(4, np.int64), np.empty(4, np.int64)  # [quarter], as `free` and `foreign`
    for quarter in range(4):
        covered = s.covered[quarter, 0]
        blank[quarter] = ~covered
        enemy[quarter] = covered & ~s.own[seat, quarter, 0]
    for lie in range(N_LIES):
        low = int(inside[lie, 0])
        for k in range(N_BODY[lie]):
            low &= blank[bodies[lie, k] >> 6] >> (bodies[lie, k] & 63)
        if low == 0:
            continue
        quarters, a, b = END_QUARTERS[lie], ends[lie, 0], ends[lie, 1]
        a_inner, a_outer = blank[quarters[0, 1]] >> a, blank[quarters[0, 3]] >> a
        b_inner, b_outer = blank[quarters[1, 1]] >> b, blank[quarters[1, 3]] >> b
        a1, a2, a3 = enemy[quarters[0, 1]] >> a, enemy[quarters[0, 2]] >> a, enemy[quarters[0, 3]] >> a
        b1, b2, b3 = enemy[quarters[1, 1]] >> b, enemy[quarters[1, 2]] >> b, enemy[quarters[1, 3]] >> b
        piece = 9 * lie
        for first in range(3):
            a_low, met = low & covers(first, a_inner, a_outer), meets(first, a1, a2, a3)
            for last in range(3):
                if hand[TILE_OF[piece]] == IN_HAND:
                    fits = a_low & covers(last, b_inner, b_outer) & (met | meets(last, b1, b2, b3))
                    n = list_set(fits, 0, piece * N_CROSSINGS, out, n)
                piece += 1
    return n


@kernel
def find_octagons(s: State) -> tuple[int, int]:
    """The crossings south-west of squares round which an octagon can be laid."""
    return where_free(s, QUARTERS[s.side, RING, : N_QUARTERS[RING]], SPOTS[s.side])


@kernel
def legal_actions(s: State, out: Ints) -> int:
    """Write the legal actions in ascending order; returns their number, 0 when the game is over."""
    if s.ending:
        return 0
    n = 0
    if s.phase == Phase.SETUP:
        low, high = find_octagons(s)
        return list_set(low, high, FIRST_OCTAGON, out, 0)
    if s.side * s.side <= WORD:
        n = list_in_one_word(s, out)
    else:
        found = np.empty((N_PIECES, 2), np.int64)
        find_placements(s, found)
        for piece in range(N_PIECES):
            n = list_set(found[piece, 0], found[piece, 1], piece * N_CROSSINGS, out, n)
    if n == 0:
        out[0] = PASS
        n = 1
    return n


# ---- what happens ------------------------------------------------------------------------------------------


@kernel
def connect(s: State, quarter: int, at: int, points: Array) -> None:
    """Add to points[seat] the half edges of each seat that face a quarter of a crossing: a tile that covers
    it connects them."""
    for way in range(2):
        if holds(s.faced[way, quarter], at):
            for owner in range(s.players):
                points[owner] += int(holds(s.own[owner, (quarter + 3 + 2 * way) % 4], at))


@kernel
def cover(s: State, seat: int, piece: int, crossing: int) -> None:
    """Lay a piece. Half edges of other tiles that it meets are connected: points for their owners."""
    for n in range(N_QUARTERS[piece]):
        where = QUARTERS[s.side, piece, n]
        quarter, at = where >> 6, crossing + (where & 63)
        connect(s, quarter, at, s.points)
        put_in(s.covered[quarter], at)
        put_in(s.own[seat, quarter], at)


@kernel
def lay_path(s: State, piece: int, crossing: int) -> None:
    """The seat to move lays a tile with ends: points for all whose half edges are connected now."""
    seat = s.to_move
    for n in range(4):
        where = EDGES[s.side, piece, n]
        way, quarter, at = where >> 8, where >> 6 & 3, crossing + (where & 63)
        s.points[seat] += int(holds(s.covered[quarter], at))
        put_in(s.faced[way, quarter], at)
    cover(s, seat, piece, crossing)
    s.at[seat, TILE_OF[piece]] = piece * N_CROSSINGS + crossing


@kernel
def lay_octagon(s: State, crossing: int) -> None:
    """The seat to move lays its octagon; when all lie, play begins with the first seat."""
    seat = int(s.to_move)
    cover(s, seat, RING, crossing)
    s.at[seat, THE_OCTAGON] = FIRST_OCTAGON + crossing
    if seat + 1 == s.players:
        s.phase = Phase.PLAY


@kernel
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    if action >= FIRST_OCTAGON and action < PASS:
        lay_octagon(s, action - FIRST_OCTAGON)
    elif action == PASS:
        s.passes += 1
        s.turn += 1
        if s.passes == s.players:
            s.ending = Ending.PASSED
    else:
        lay_path(s, action // N_CROSSINGS, action % N_CROSSINGS)
        s.passes = 0
        s.turn += 1
    s.to_move = (s.to_move + 1) % s.players


# ---- results -----------------------------------------------------------------------------------------------


@kernel
def scores(s: State, out: Floats) -> None:
    """Points, the handicap included."""
    for seat in range(s.players):
        out[seat] = s.points[seat] / 2


@kernel
def outcome(s: State, out: Floats) -> None:
    """1 shared equally among those with most points; all 0 while the game runs."""
    for seat in range(s.players):
        out[seat] = float(s.points[seat]) if s.ending else 0.0
    if s.ending:
        share_win(s.players, out)


@kernel
def revealed(s: State) -> int:
    """Nothing is ever hidden."""
    return 0


# ---- random actions without the list -----------------------------------------------------------------------


@kernel
def random_action(s: State, work: Work) -> int:
    """A legal action, uniform among all."""
    if s.phase == Phase.SETUP:
        low, high = find_octagons(s)
        return FIRST_OCTAGON + nth_of(low, high, below(s, size_of(low, high)))
    find_placements(s, work.found)
    n = 0
    for piece in range(N_PIECES):
        n += size_of(work.found[piece, 0], work.found[piece, 1])
    if n == 0:
        return PASS
    left = below(s, n)
    for piece in range(N_PIECES):
        here = size_of(work.found[piece, 0], work.found[piece, 1])
        if left < here:
            return piece * N_CROSSINGS + nth_of(work.found[piece, 0], work.found[piece, 1], left)
        left -= here
    return PASS


@kernel
def random_turn(s: State, work: Work, out: Ints) -> int:
    """A turn is one action."""
    out[0] = random_action(s, work)
    return 1
