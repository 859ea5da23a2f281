"""Who knows what in Myrmidons: types of enemy pieces not turned over in a fight are secret, and so is an
order being made."""

from __future__ import annotations

from math import exp

import numpy as np

from ludoteca.game import Chance, Slice, starts
from ludoteca.kernel import Array, below, kernel, reseed

from . import components as C
from .rules import (
    COMMANDER,
    COPIES,
    FIRST_FRIEND,
    FIRST_MOVE,
    GO,
    MOVEMENT,
    N_PIECES,
    N_SQUARES,
    N_TYPES,
    OFF,
    SHIELD,
    SIDE,
    SWORD,
    UNKNOWN,
    Army,
    Phase,
    State,
    Work,
    deduce,
    drop_order,
    is_shown,
    may_lead,
)

BY_MOVEMENT, N_FILES, N_RANKS = C.BY_MOVEMENT_TABLE, C.N_FILES, C.N_RANKS
SECRET = -1  # of `hand`


@kernel
def hide(s: State, seat: int) -> None:
    """Take out what the seat (-1: a spectator) does not know. At the end of a game nothing is hidden."""
    if s.ending:
        return
    s.rng[:] = 0
    for piece in range(N_PIECES):
        if piece // SIDE != seat and not is_shown(s, piece):
            s.type[piece] = UNKNOWN
    if s.phase == Phase.DEPLOY:
        hide_hands(s, seat)
    if s.phase == Phase.ORDER and seat != s.to_move:
        drop_order(s)


@kernel
def hide_hands(s: State, seat: int) -> None:
    """What the others can still deploy."""
    for other in range(2):
        if other != seat:
            for t in range(N_TYPES):
                s.hand[other, t] = SECRET


@kernel
def forget(s: State, seat: int, past: int) -> None:
    """With the option `memory`, values that were shown in a fight are not shown any longer. Those of the last
    turn's fights still are, unless it is past. Taken pieces stay beside the board, face up."""
    if s.ending or not s.memory:
        return
    fresh = 0
    if past:
        s.shown = 0
    else:
        for i in range(s.n_fights):
            fresh |= 1 << int(s.attacker[i]) | 1 << int(s.defender[i])
    for piece in range(N_PIECES):
        if s.seen[piece] and s.at[piece] != OFF and not fresh >> piece & 1:
            s.seen[piece] = 0
            if piece // SIDE != seat:
                s.type[piece] = UNKNOWN
    for side in range(2):
        deduce(s, side)


@kernel
def hide_action(s: State, action: int, seat: int) -> int:
    """Nobody else sees a deployment, nor who was named in an order: who went is seen on the board, the
    Commander among them."""
    hidden = action < FIRST_MOVE or FIRST_FRIEND <= action < GO
    return -1 if hidden and seat != s.to_move else action


@kernel
def mover_view(s: State, seat: int) -> None:
    """The deployment through the eyes of a seat: whatever the other has done, it does not know."""
    hide(s, seat)
    s.placed[1 - seat] = 0
    s.to_move = seat


# ---- guessing ----------------------------------------------------------------------------------------------


@kernel
def prepare(h: State, seat: int, work: Work) -> None:
    """List the unknown pieces and the blocks of which they can be: for each side by itself, but both sides'
    random armies were drawn from one pool."""
    work.n_pieces[:] = 0
    work.n_blocks[:] = 0
    together = h.army == Army.RANDOM
    for steps in range(C.MOST_STEPS, 0, -1):
        for piece in range(N_PIECES):
            if is_unknown(h, piece) and max(1, int(h.far[piece])) == steps:
                group = 0 if together else piece // SIDE
                work.pieces[group, work.n_pieces[group]] = piece
                work.n_pieces[group] += 1
    for group in range(1 if together else 2):
        for t in BY_MOVEMENT:
            for _ in range(blocks_unseen(h, group, int(t), together)):
                work.blocks[group, work.n_blocks[group]] = t
                work.n_blocks[group] += 1
        for i in range(work.n_pieces[group]):
            steps, n = max(1, int(h.far[work.pieces[group, i]])), 0
            while n < work.n_blocks[group] and MOVEMENT[work.blocks[group, n]] >= steps:
                n += 1
            work.reach[group, i] = n


@kernel
def is_unknown(h: State, piece: int) -> bool:
    """A piece of a hidden state whose type the seat does not know. Those that the seat itself has not
    deployed yet have none."""
    side = piece // SIDE
    return (
        h.at[piece] >= 0
        and h.type[piece] == UNKNOWN
        and (h.phase != Phase.DEPLOY or h.hand[side, COMMANDER] == SECRET)
    )


@kernel
def blocks_unseen(h: State, side: int, t: int, together: bool) -> int:
    """How many blocks of a type the seat has not seen: of a side's pool, or of the common one."""
    if not int(h.pool[side]) >> t & 1:
        return 0
    n = COPIES if together else 1
    for piece in range(N_PIECES):
        n -= h.type[piece] == t and (together or piece // SIDE == side)
    if together and h.phase == Phase.DEPLOY:
        for seat in range(2):
            n -= max(0, int(h.hand[seat, t]))
    return n


# What habits say of a unit that was seen to go 0, 1, 2, 3 or more steps: logarithms for each point of its
# sword, of its shield, and for a movement of 1 to 5. Fitted (conditional logit) to searches' games
HABIT = (
    ((0.04, -0.08), (0.26, -0.39, 0.03, 0.02, 0.07)),
    ((-0.05, 0.01), (0.51, -0.55, -0.16, -0.14, 0.33)),
    ((0.33, 0.61), (0.00, 0.89, -0.88, 0.04, -0.05)),
    ((0.10, 0.61), (0.00, 0.00, 0.49, -0.26, -0.22)),
)
# [steps seen][type] -> how likely a unit is of a type, as against others of which it can be
HABITS = np.array(
    [
        [
            round(100 * exp(swords * (sword - 3) + shields * (shield - 3) + goes[movement - 1]))
            for sword, shield, movement in C.VALUES
        ]
        for (swords, shields), goes in HABIT
    ],
    np.int64,
)
# [rows from the own first one, 3: or more] -> how likely a piece is the Commander, as against others that may
# be it
LEADING = np.array([100, 12, 36, 72], np.int64)
ALIKE, ALL_ALIKE = np.ones_like(LEADING), np.ones_like(HABITS)


@kernel
def guess(s: State, seat: int, seed: int, work: Work) -> None:
    """Give the unknown pieces types, each way to do so that agrees with all that was seen being equally
    likely. (Blocks are told apart: of the random armies' pool a type of which two are left is twice as likely
    as one of which one is.)

    The Commander is drawn first, uniformly among the pieces that may be it: all of those can be any other
    type as well, so that for each of them the others can be chosen in the same number of ways. Then come the
    others, the most restricted first, each drawn from the free blocks that are fast enough: the sets lie
    within each other, so that every piece leaves those after it the same number of blocks, whatever it was.
    """
    if s.ending:
        return
    draw_types(s, seed, ALIKE, ALL_ALIKE, work)
    if s.phase == Phase.DEPLOY:
        for group in range(2):
            if work.n_pieces[group]:
                back_to_hand(s, group, work)


@kernel
def suppose(s: State, seat: int, seed: int, work: Work) -> None:
    """A guess that also goes by habits: a piece far ahead is hardly the Commander, and one that stayed at
    home is rather a slow one than one with a strong shield. Nothing that fits is ruled out."""
    if s.ending or s.phase == Phase.DEPLOY:
        guess(s, seat, seed, work)
    else:
        draw_types(s, seed, LEADING, HABITS, work)


@kernel
def draw_types(s: State, seed: int, leading: Array, habits: Array, work: Work) -> None:
    """Draw the types of the unknown pieces, with weights as in LEADING and HABITS."""
    reseed(s, seed)
    for group in range(2):
        n = int(work.n_pieces[group])
        if n == 0:
            continue
        leaders = 0
        for side in range(2):
            leader = draw_leader(s, side, group, leading, work)
            if leader >= 0:
                s.type[leader] = COMMANDER
                leaders |= 1 << leader
        for i in range(work.n_blocks[group]):
            work.drawn[i] = work.blocks[group, i]
        k = 0
        for i in range(n):
            piece = int(work.pieces[group, i])
            if leaders >> piece & 1:
                continue
            far, total = min(3, int(s.far[piece])), 0
            for j in range(k, work.reach[group, i]):
                total += int(habits[far, work.drawn[j]])
            left, j = below(s, total), k
            while left >= habits[far, work.drawn[j]]:
                left -= int(habits[far, work.drawn[j]])
                j += 1
            s.type[piece] = work.drawn[j]
            work.drawn[j] = work.drawn[k]
            k += 1


@kernel
def draw_leader(s: State, side: int, group: int, leading: Array, work: Work) -> int:
    """One of a side's unknown pieces that may be the Commander, drawn by how far ahead they are; -1 if its
    Commander is known or if it has no piece in the group."""
    if s.leaderless[side]:
        return -1
    total = 0
    for piece in range(side * SIDE, side * SIDE + s.size):
        if s.type[piece] == COMMANDER:
            return -1
    for i in range(work.n_pieces[group]):
        piece = int(work.pieces[group, i])
        if piece // SIDE == side and may_lead(s, piece):
            total += int(leading[rows_ahead(s, piece)])
    if total == 0:
        return -1
    left = below(s, total)
    for i in range(work.n_pieces[group]):
        piece = int(work.pieces[group, i])
        if piece // SIDE == side and may_lead(s, piece):
            left -= int(leading[rows_ahead(s, piece)])
            if left < 0:
                return piece
    return -1


@kernel
def rows_ahead(s: State, piece: int) -> int:
    """How many rows from its own first one a piece on the board stands, 3: or more."""
    row = int(s.at[piece]) // N_FILES
    return min(3, row if piece < SIDE else N_RANKS - 1 - row)


@kernel
def back_to_hand(s: State, group: int, work: Work) -> None:
    """What was drawn for squares that are still to be filled is in hand; for a secret army so is all that was
    not drawn."""
    for i in range(work.n_pieces[group]):
        side = int(work.pieces[group, i]) // SIDE
        if s.hand[side, COMMANDER] == SECRET:
            for t in range(N_TYPES):
                s.hand[side, t] = int(s.army != Army.RANDOM) & int(s.pool[side]) >> t
    for i in range(work.n_pieces[group]):
        piece = int(work.pieces[group, i])
        side, t = piece // SIDE, int(s.type[piece])
        if s.army == Army.RANDOM:
            s.hand[side, t] += piece % SIDE >= s.placed[side]
        elif piece % SIDE < s.placed[side]:
            s.hand[side, t] -= 1
        if piece % SIDE >= s.placed[side]:
            s.type[piece] = UNKNOWN


# ---- what learners see -------------------------------------------------------------------------------------

# Who has which type is chosen, or dealt to a side in secret: a guess deals it again.
CHANCES = (Chance('start', 'sampled', 'with random armies, the blocks that each side has'),)

OBSERVATION = (
    Slice(
        'own',
        (7, 6),
        'squares with pieces of the viewer; all squares are seen from the viewer, its own first row first',
        ('rank', 'file'),
    ),
    Slice('enemy', (7, 6), 'squares with pieces of the other side', ('rank', 'file')),
    Slice(
        'values',
        (3, 7, 6),
        'sword, shield, movement of known pieces, divided by five',
        ('value', 'rank', 'file'),
    ),
    Slice(
        'commander', (7, 6), 'square of the own Commander, and of the other if it is known', ('rank', 'file')
    ),
    Slice('seen', (7, 6), 'squares with pieces that were turned over in a fight', ('rank', 'file')),
    Slice('far', (7, 6), 'longest way that a piece was seen to go, divided by five', ('rank', 'file')),
    Slice(
        'types',
        (7, 6, N_TYPES),
        'for each square, the types that its piece can have by public knowledge',
        ('rank', 'file', 'type'),
    ),
    Slice('hand', (N_TYPES,), 'types that the viewer can still deploy, divided by two', ('type',)),
    Slice('placed', (), 'pieces that the viewer has deployed, divided by twelve'),
    Slice(
        'taken',
        (2,),
        'pieces taken by the viewer and by the other, divided by the number that wins',
        ('seat',),
    ),
    Slice('quiet', (), 'turns since the last capture, divided by sixty'),
    Slice('to_move', (), 'the viewer is to move'),
    Slice('phase', (3,), 'deployment, turn, order', ('phase',)),
    Slice(
        'order',
        (8 + N_SQUARES,),
        'heading of the order being made, seen from the viewer; steps of friends named, divided by five',
        ('heading_square',),
    ),
    Slice(
        'options',
        (6,),
        'army, twelve pieces, eight to take, memory, repetition, sixty turns; each from 0 to 1',
        ('option',),
    ),
)
AT = starts(OBSERVATION)


@kernel
def observe(s: State, seat: int, out: Array) -> None:
    """A hidden state as numbers from 0 to 1 from the eyes of a seat, laid out as in OBSERVATION."""
    out[:] = 0.0
    viewer = max(seat, 0)
    turned = N_SQUARES - 1 if viewer else 0
    for piece in range(N_PIECES):
        if s.at[piece] < 0:
            continue
        square, t = abs(turned - int(s.at[piece])), int(s.type[piece])
        out[(AT.own if piece // SIDE == viewer else AT.enemy) + square] = 1.0
        if t >= 0:
            out[AT.values + square] = SWORD[t] / 5
            out[AT.values + N_SQUARES + square] = SHIELD[t] / 5
            out[AT.values + 2 * N_SQUARES + square] = MOVEMENT[t] / 5
            out[AT.commander + square] = t == COMMANDER
        out[AT.seen + square] = s.seen[piece]
        out[AT.far + square] = s.far[piece] / 5
        for kind in range(N_TYPES):
            out[AT.types + square * N_TYPES + kind] = int(s.mask[piece]) >> kind & 1
    for t in range(N_TYPES):
        out[AT.hand + t] = max(0, int(s.hand[viewer, t])) / 2
    out[AT.placed] = s.placed[viewer] / 12
    out[AT.taken] = s.taken[viewer] / s.capture
    out[AT.taken + 1] = s.taken[1 - viewer] / s.capture
    out[AT.quiet] = min(1.0, s.quiet / 60)
    out[AT.to_move] = s.to_move == viewer
    out[AT.phase + int(s.phase)] = 1.0
    if s.heading >= 0:
        out[AT.order + (int(s.heading) + 4 * viewer) % 8] = 1.0
        for i in range(s.n_friends):
            out[AT.order + 8 + abs(turned - int(s.friend[i]))] = s.steps[i] / 5
    out[AT.options] = s.army / 3
    out[AT.options + 1] = s.size == C.LARGE
    out[AT.options + 2] = s.capture == 8
    out[AT.options + 3] = s.memory
    out[AT.options + 4] = s.repetition
    out[AT.options + 5] = s.sixty
