"""What a position of Myrmidons is worth: `estimate` for the search, and the fixed `yardstick` that bots are
measured against."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from ludoteca.kernel import Floats, Ints, kernel, lowest_bit
from ludoteca.kernel.bits import count_bits

from . import components as C
from . import rules
from .knowledge import guess, prepare
from .rules import (
    BACK_RANK,
    COMMANDER,
    FIRST_MOVE,
    FIRST_ORDER,
    GO,
    GOES,
    HEADING_TO,
    MAX_LEGAL,
    MOST_FRIENDS,
    MOST_STEPS,
    MOVEMENT,
    N_SQUARES,
    N_TYPES,
    OFF,
    OFFSET,
    ROUND,
    SHIELD,
    SIDE,
    STEPS_TO,
    SWORD,
    Phase,
    State,
    Work,
    apply,
    leader_square,
    legal_actions,
    outcome,
)

N_FILES, N_RANKS = C.N_FILES, C.N_RANKS


def _between(start: int, end: int) -> int:
    """See BETWEEN."""
    heading = int(C.HEADING_TO[start, end])
    return (
        -1
        if heading < 0
        else sum(1 << start + k * C.OFFSET[heading] for k in range(1, int(C.STEPS_TO[start, end])))
    )


# [from, to] -> squares strictly between, as bits; all if the two are on no line
BETWEEN = np.array(
    [[_between(start, end) for end in range(N_SQUARES)] for start in range(N_SQUARES)], np.int64
)
# [steps][square] -> the squares that lie so many steps away or less, on lines, as bits
WITHIN = np.array(
    [
        [
            sum(1 << end for end in range(N_SQUARES) if 0 < C.STEPS_TO[start, end] <= steps)
            for start in range(N_SQUARES)
        ]
        for steps in range(C.MOST_STEPS + 1)
    ],
    np.int64,
)
# [type, square] -> the squares that it could reach from there if nothing stood in its way, as bits
RANGE = np.array([[WITHIN[steps, square] for square in range(N_SQUARES)] for steps in C.MOVEMENT], np.int64)
# [seat, square] -> how far it is to the other's first row
TO_GO = np.array(
    [[N_RANKS - 1 - square // N_FILES for square in range(N_SQUARES)], [*np.arange(N_SQUARES) // N_FILES]],
    np.int64,
)
# [sword] -> types that fall to it, as bits
FALLS = np.array([sum(1 << t for t in range(N_TYPES) if SHIELD[t] <= sword) for sword in range(6)], np.int64)
# [shield, steps] -> types that can go so far and win against that shield, as bits
TAKERS = np.array(
    [
        [
            sum(1 << t for t in range(N_TYPES) if SWORD[t] >= shield and MOVEMENT[t] >= steps)
            for steps in range(N_RANKS)
        ]
        for shield in range(6)
    ],
    np.int64,
)
# [sword] -> a one in the four bits from 4 * shield on for each shield that it beats
BEATS = np.array([sum(1 << 4 * shield for shield in range(1, sword + 1)) for sword in range(6)], np.int64)


@kernel
def in_reach(start: int, end: int, movement: int, occupied: int) -> bool:
    """Can a piece go from a square to another in one move, with nothing standing between them?"""
    return BETWEEN[start, end] & occupied == 0 and STEPS_TO[start, end] <= movement


# ---- estimate ----------------------------------------------------------------------------------------------

# What the weights of `prospect` are for. The MOVER is the seat whose turn comes next. The types of all pieces
# count as they are in the state, but some weights ask what a side can be sure of by the public masks (`mask`
# of rules.State).
(
    TEMPO,  # to be the mover
    UNIT,  # a piece other than the Commander
    ONE_LEFT,
    TWO_LEFT,  # one more piece lost loses the game; two more
    # by public knowledge one piece only can be the Commander; rows that it has gone forward
    LEADER_KNOWN,
    LEADER_ROWS,
    SECRET,  # a piece whose type is not publicly known
    ROWS,  # that a unit has gone forward
    # a unit one move from the other's first row; an enemy whose sword is a match for it
    NEAR,
    NEAR_MATCH,
    NEXT,
    NEXT_MATCH,  # the same two moves from it
    PROOF,
    PROOF_ROWS,  # a unit that no enemy left can take; rows that it has gone
    # what the mover can do:
    WINS,  # take the Commander (divided by the number of pieces that it can be)
    WINS_LAST,  # take the last piece that it needs, for sure
    # take a unit: surely, and nobody can avenge it; perhaps so; it will be avenged
    GAINS,
    GAINS_PERHAPS,
    TRADES,
    ARRIVES,
    ARRIVES_PERHAPS,  # reach the other's first row and stay: surely, perhaps
    # what the other could do if the mover did nothing:
    # take the Commander, known or one of several (divided by their number)
    FEARS,
    FEARS_GUESS,
    FEARS_LAST,  # take the last piece that it needs
    LOSES,
    LOSES_PERHAPS,
    LOSES_TRADE,  # for each unit: take it surely and unavenged, perhaps so, avenged
    EXPECTS,
    EXPECTS_PERHAPS,  # reach the mover's first row and stay: surely, perhaps
    BESIEGED,
    LOST,  # it has reached that row already, and can, cannot be taken there
    # line-ups:
    CHOSEN_SWORD,  # a unit's sword beyond three, where armies are chosen
    CORNER,
    FRONT,  # the Commander on an outer file, and before the first row
    ESCORT_SWORD,
    ESCORT_SHIELD,  # sword and shield beyond three of the units beside it
    N_WEIGHTS,
) = range(37)

# Fitted to the outcomes of 5,400 games in which searches of 250 to 400 simulations with an earlier estimate
# played each other, one turn in fifty and up to a quarter of the first six being random: logistic regression
# over 73,053 positions (of 4,500 games with the base army, 600 and 300 with random armies of six and twelve).
# The cross-validated loss is 0.505; with nothing known it is 0.693. Line-ups told nothing about who would win
# with the base army: their weights are set by hand near what was found, and only that of a Commander in front
# (twelve pieces) is certain.
FITTED = {
    TEMPO: 0.05,
    UNIT: 0.71,
    ONE_LEFT: -0.97,
    TWO_LEFT: -0.28,
    LEADER_KNOWN: -0.35,
    LEADER_ROWS: -0.4,
    SECRET: 0.16,
    ROWS: 0.06,
    NEAR: 0.43,
    NEAR_MATCH: -0.06,
    NEXT: 0.35,
    NEXT_MATCH: -0.03,
    PROOF: 0.31,
    PROOF_ROWS: 0.07,
    WINS: 3.96,
    WINS_LAST: 3.48,
    GAINS: 1.27,
    GAINS_PERHAPS: 0.83,
    TRADES: 0.32,
    ARRIVES: 2.67,
    ARRIVES_PERHAPS: 0.5,
    FEARS: -0.6,
    FEARS_GUESS: -1.2,
    FEARS_LAST: -0.31,
    LOSES: -0.34,
    LOSES_PERHAPS: -0.11,
    LOSES_TRADE: -0.14,
    EXPECTS: -0.65,
    EXPECTS_PERHAPS: -0.22,
    BESIEGED: -0.34,
    LOST: -2.91,
    CHOSEN_SWORD: 0.05,
    CORNER: 0.1,
    FRONT: -0.7,
    ESCORT_SWORD: 0.03,
    ESCORT_SHIELD: 0.03,
}
WEIGHTS = np.array([FITTED[k] for k in range(N_WEIGHTS)], np.float64)


@kernel
def estimate(s: State, out: Floats) -> None:
    """The expected outcome."""
    if s.ending:
        outcome(s, out)
        return
    seat = int(s.to_move)
    share = 1.0 / (1.0 + exp(-prospect(s, WEIGHTS)))
    out[seat] = share
    out[1 - seat] = 1.0 - share


@kernel
def prospect(s: State, weights: Floats) -> float:
    """The logarithm of the chances (winning to losing) of the seat to move: a sum of `weights`, each times
    what the position has of it. While an order is being made the other is the mover, as after any turn."""
    seat = int(s.to_move)
    other = 1 - seat
    if s.phase == Phase.DEPLOY:
        return line_up(s, seat, weights) - line_up(s, other, weights)
    z = quiet(s, seat, weights) - quiet(s, other, weights)
    return z + urgent(s, seat, weights) if s.phase == Phase.TURN else z - urgent(s, other, weights)


@kernel
def lives(s: State, seat: int) -> int:
    """How many more pieces a side can lose, the last one included."""
    return int(s.capture) - int(s.taken[1 - seat])


@kernel
def rows_to_go(seat: int, square: int) -> int:
    """How far it is to the other's first row."""
    return int(TO_GO[seat, square])


@kernel
def candidates(s: State, seat: int) -> int:
    """How many pieces of a side can be its Commander by all that is public."""
    n = 0
    for piece in range(seat * SIDE, seat * SIDE + s.size):
        n += s.mask[piece] & int(s.at[piece] >= 0)
    return n


@kernel
def stands(s: State, piece: int) -> bool:
    """Is a piece on the board, its type known?"""
    return s.at[piece] >= 0 and s.type[piece] >= 0


@kernel
def quiet(s: State, seat: int, weights: Floats) -> float:
    """What speaks for a side, whoever is to move."""
    # how many enemies are a match for a shield: four bits for each
    takers = 0
    for piece in range((1 - seat) * SIDE, (1 - seat) * SIDE + s.size):
        if stands(s, piece):
            takers += int(BEATS[SWORD[s.type[piece]]])
    left, z, leaders = lives(s, seat), 0.0, 0
    if left <= 2:
        z += weights[ONE_LEFT] if left == 1 else weights[TWO_LEFT]
    for piece in range(seat * SIDE, seat * SIDE + s.size):
        if not stands(s, piece):
            continue
        t, mask, away = int(s.type[piece]), int(s.mask[piece]), rows_to_go(seat, int(s.at[piece]))
        leaders += mask & 1
        if mask & mask - 1:
            z += weights[SECRET]
        if t == COMMANDER:
            z += weights[LEADER_ROWS] * (N_RANKS - 1 - away)
            continue
        z += weights[UNIT] + weights[ROWS] * (N_RANKS - 1 - away)
        matches = takers >> 4 * int(SHIELD[t]) & 15
        if matches == 0:
            z += weights[PROOF] + weights[PROOF_ROWS] * (N_RANKS - 1 - away)
        if away <= MOVEMENT[t]:
            z += weights[NEAR] + weights[NEAR_MATCH] * matches
        elif away <= 2 * MOVEMENT[t]:
            z += weights[NEXT] + weights[NEXT_MATCH] * matches
    return z + weights[LEADER_KNOWN] if leaders == 1 else z


@kernel
def urgent(s: State, seat: int, weights: Floats) -> float:
    """What speaks for the side that moves next: what it can do, and what it has to fear."""
    other, z = 1 - seat, weights[TEMPO]
    falls, sure, unavenged, safe, wins = strikes(s, seat)
    lost, _, in_vain, in_peace, fears = strikes(s, other)
    last = lives(s, seat) == 1 and lost != 0
    if wins:
        z += weights[WINS] / max(1, candidates(s, other))
    if sure and lives(s, other) == 1:
        z += weights[WINS_LAST]
    elif falls:
        z += weights[GAINS] if safe else weights[GAINS_PERHAPS] if unavenged else weights[TRADES]
    if fears:
        among = candidates(s, seat)
        z += weights[FEARS] if among <= 1 else weights[FEARS_GUESS] / among
    if last:
        z += weights[FEARS_LAST]
    elif lost:
        z += weights[LOSES] * count_bits(in_peace) + weights[LOSES_PERHAPS] * count_bits(in_vain & ~in_peace)
        z += weights[LOSES_TRADE] * count_bits(lost & ~in_vain)
    besiegers = int(s.men[other]) & int(BACK_RANK[other])
    if besiegers:
        z += weights[BESIEGED] if falls & besiegers == besiegers else weights[LOST]
    arrives, expects = arrival(s, seat), arrival(s, other)
    if arrives == SURELY and not (fears or last or besiegers):
        z += weights[ARRIVES]
    elif arrives >= PERHAPS:
        z += weights[ARRIVES_PERHAPS]
    if expects >= PERHAPS:
        z += weights[EXPECTS] if expects == SURELY else weights[EXPECTS_PERHAPS]
    return z


HARDLY, PERHAPS, SURELY = 1, 2, 3


@kernel
def strikes(s: State, seat: int) -> tuple[int, int, int, int, bool]:
    """The squares on which a side could take a unit in one move: all; those where it can be sure to win the
    fight; where nobody could avenge it; where it can be sure of both. And whether it could take the
    Commander."""
    falls, sure, unavenged, safe, wins = 0, 0, 0, 0, False
    enemies, occupied = int(s.men[1 - seat]), int(s.men[0] | s.men[1])
    for piece in range(seat * SIDE, seat * SIDE + s.size):
        if not stands(s, piece):
            continue
        start, t = int(s.at[piece]), int(s.type[piece])
        ends = enemies & int(RANGE[t, start])
        while ends:
            end = lowest_bit(ends)
            ends &= ends - 1
            enemy = int(s.on[end])
            if BETWEEN[start, end] & occupied or s.type[enemy] < 0 or SWORD[t] < SHIELD[s.type[enemy]]:
                continue
            if s.type[enemy] == COMMANDER:
                wins = True
                continue
            falls |= 1 << end
            certain = int(s.mask[enemy]) & ~int(FALLS[SWORD[t]]) == 0
            stays = staying(s, seat, start, end, int(SHIELD[t]))
            sure |= int(certain) << end
            unavenged |= int(stays >= PERHAPS) << end
            safe |= int(certain and stays == SURELY) << end
    return falls, sure, unavenged, safe, wins


@kernel
def staying(s: State, seat: int, start: int, end: int, shield: int) -> int:
    """A piece of a side, with that shield, goes from one square to another: will it stay, or can the enemies
    take it there? SURELY by all that is public, PERHAPS, or HARDLY."""
    occupied, found = int(s.men[0] | s.men[1]) & ~(1 << start), SURELY
    starts = int(s.men[1 - seat]) & int(WITHIN[MOST_STEPS, end])
    while starts:
        square = lowest_bit(starts)
        starts &= starts - 1
        if BETWEEN[square, end] & occupied:
            continue
        enemy, takers = int(s.on[square]), int(TAKERS[shield, STEPS_TO[square, end]])
        if s.type[enemy] < 0:
            continue
        if takers >> int(s.type[enemy]) & 1:
            return HARDLY
        if takers & int(s.mask[enemy]):
            found = PERHAPS
    return found


@kernel
def arrival(s: State, seat: int) -> int:
    """How well a side could reach the other's first row in one move: 0 if it could not, else what `staying`
    says at best."""
    best, occupied, row = 0, int(s.men[0] | s.men[1]), int(BACK_RANK[seat])
    aims = row & ~int(s.men[seat])
    for piece in range(seat * SIDE, seat * SIDE + s.size):
        if not stands(s, piece):
            continue
        square, t = int(s.at[piece]), int(s.type[piece])
        ends = aims & int(RANGE[t, square])
        if ends == 0 or row >> square & 1:
            continue
        while ends:
            end = lowest_bit(ends)
            ends &= ends - 1
            if BETWEEN[square, end] & occupied:
                continue
            if occupied >> end & 1 and SWORD[t] < SHIELD[s.type[s.on[end]]]:
                continue
            best = max(best, staying(s, seat, square, end, int(SHIELD[t])))
            if best == SURELY:
                return best
    return best


@kernel
def line_up(s: State, seat: int, weights: Floats) -> float:
    """What speaks for the pieces that a side has deployed so far, and for where they stand."""
    z, leader = 0.0, leader_square(s, seat)
    if leader >= 0:
        z += weights[CORNER] * (leader % N_FILES in (0, N_FILES - 1)) + weights[FRONT] * (
            rows_to_go(seat, leader) < N_RANKS - 1
        )
    for piece in range(seat * SIDE, seat * SIDE + s.size):
        if stands(s, piece) and s.type[piece] != COMMANDER:
            sword, shield = int(SWORD[s.type[piece]]) - 3, int(SHIELD[s.type[piece]]) - 3
            z += weights[CHOSEN_SWORD] * sword
            if leader >= 0 and int(ROUND[leader]) >> int(s.at[piece]) & 1:
                z += weights[ESCORT_SWORD] * sword + weights[ESCORT_SHIELD] * shield
    return z


# ---- foresee -----------------------------------------------------------------------------------------------


@kernel
def foresee(s: State, actions: Ints, n: int, worth: Floats) -> None:
    """Into `worth`, the expected outcome for the seat to move after each of the first `n` of the `actions`,
    which are legal; -1 after those that are not single moves: they are to be tried.

    A move is carried out and taken back on the board alone. Nobody draws conclusions from it but on the
    pieces concerned, and no draw is foreseen.
    """
    others = quiet(s, 1 - s.to_move, WEIGHTS)
    for i in range(n):
        worth[i] = -1.0
        if FIRST_MOVE <= actions[i] < FIRST_ORDER:
            move = int(actions[i]) - FIRST_MOVE
            worth[i] = after_move(s, move // N_SQUARES, move % N_SQUARES, others)


@kernel
def after_move(s: State, start: int, end: int, others: float) -> float:
    """The expected outcome for the seat to move after a move of one of its pieces, roughly. `others`: what
    speaks for the other side, as long as none of its pieces is attacked."""
    seat, piece, enemy = int(s.to_move), int(s.on[start]), int(s.on[end])
    other, t, mask = 1 - seat, int(s.type[piece]), int(s.mask[piece])
    theirs, their_mask, fallen = int(s.men[other]), 0, -1
    known = mask
    if STEPS_TO[start, end] > s.far[piece]:
        known = mask & int(GOES[STEPS_TO[start, end]])
    if enemy >= 0:
        known, their_mask = 1 << t, int(s.mask[enemy])
        if SWORD[t] >= SHIELD[s.type[enemy]]:
            if s.type[enemy] == COMMANDER or lives(s, other) == 1:
                return 1.0
            fallen = end
            s.at[enemy] = OFF
            s.men[other] = theirs & ~(1 << end)
            s.taken[seat] += 1
        else:
            end -= int(OFFSET[HEADING_TO[start, end]])
        s.mask[enemy] = 1 << int(s.type[enemy])
    share = 0.0
    if s.men[other] & BACK_RANK[other] == 0:
        s.mask[piece] = known
        s.men[seat] ^= 1 << start
        s.men[seat] |= 1 << end
        s.on[start] = -1
        s.on[end] = piece
        s.at[piece] = end
        if enemy >= 0:
            others = quiet(s, other, WEIGHTS)
        z = others - quiet(s, seat, WEIGHTS) + urgent(s, other, WEIGHTS)
        share = 1.0 - 1.0 / (1.0 + exp(-z))
        s.mask[piece] = mask
        s.men[seat] ^= 1 << end
        s.men[seat] |= 1 << start
        s.on[end] = -1
        s.on[start] = piece
        s.at[piece] = start
    if enemy >= 0:
        s.mask[enemy] = their_mask
    if fallen >= 0:
        s.at[enemy] = fallen
        s.on[fallen] = enemy
        s.men[other] = theirs
        s.taken[seat] -= 1
    return share


# ---- the yardstick: never to be improved -------------------------------------------------------------------

GUESSES = 20  # of what is hidden, with the seeds 0, 1, ...
# points for a piece taken and for one threatened; a row counts 1
CAPTURE, THREAT = 12, 3


@kernel
def pieces_threatened(s: State, seat: int) -> int:
    """How many enemies a side could take in one move each. The Commander counts for as many as win the
    game."""
    n, occupied = 0, int(s.men[0] | s.men[1])
    for enemy in range((1 - seat) * SIDE, (1 - seat) * SIDE + s.size):
        if s.at[enemy] < 0:
            continue
        for piece in range(seat * SIDE, seat * SIDE + s.size):
            if (
                s.at[piece] >= 0
                and SWORD[s.type[piece]] >= SHIELD[s.type[enemy]]
                and in_reach(int(s.at[piece]), int(s.at[enemy]), int(MOVEMENT[s.type[piece]]), occupied)
            ):
                n += int(s.capture) if s.type[enemy] == COMMANDER else 1
                break
    return n


@kernel
def rows_gained(s: State, seat: int) -> int:
    """The rows that a side's pieces on the board have gone forward from its first row, in all."""
    n = 0
    for piece in range(seat * SIDE, seat * SIDE + s.size):
        if s.at[piece] >= 0:
            rank = int(s.at[piece]) // N_FILES
            n += rank if seat == 0 else N_RANKS - 1 - rank
    return n


@kernel
def turn_points(before: State, s: State, turn: Ints, n: int) -> int:
    """Play a turn of `n` actions in `s`, a copy of `before`: points for what its mover takes, threatens, and
    gains in rows."""
    seat = int(s.to_move)
    for i in range(n):
        apply(s, int(turn[i]))
    taken = int(s.taken[seat]) - int(before.taken[seat])
    if s.ending == rules.Ending.COMMANDER:
        taken += int(s.capture) - 1
    return (
        CAPTURE * taken
        + THREAT * pieces_threatened(s, seat)
        + rows_gained(s, seat)
        - rows_gained(before, seat)
    )


@kernel
def best_turn(guesses: Any, states: Any, lists: Ints, lengths: Ints, turn: Ints, best: Ints) -> int:
    """Write the turn with most points over all guesses into `best`, of equals the one with the lowest
    actions; returns its length.

    The complete turns are listed depth first; they are the same in every guess. `states`, `lists`, `lengths`
    (listed, tried) and `turn` are scratch for so many actions as a turn can have.
    """
    best_points, n_best, depth = -1 << 30, 0, 0
    states[0] = guesses[0]
    lengths[0, 0], lengths[0, 1] = legal_actions(states[0], lists[0]), 0
    while depth >= 0:
        k = int(lengths[depth, 1])
        if k == lengths[depth, 0]:
            depth -= 1
            continue
        lengths[depth, 1] = k + 1
        turn[depth] = lists[depth, k]
        if FIRST_ORDER <= turn[depth] < GO:
            states[depth + 1] = states[depth]
            apply(states[depth + 1], int(turn[depth]))
            depth += 1
            lengths[depth, 0], lengths[depth, 1] = legal_actions(states[depth], lists[depth]), 0
            continue
        points, scratch = 0, len(states) - 1
        for i in range(len(guesses)):
            states[scratch] = guesses[i]
            points += turn_points(guesses[i], states[scratch], turn, depth + 1)
        if points > best_points:
            best_points, n_best = points, depth + 1
            for i in range(n_best):
                best[i] = turn[i]
    return n_best


def yardstick(s: State) -> tuple[int, ...]:
    """The turn (or the rest of the turn begun) with most points for pieces taken, pieces threatened and rows
    gained, in all of twenty guesses at what its mover does not know. It deploys its Commander first, then the
    highest shields."""
    seat, most = int(s.to_move), MOST_FRIENDS + 2
    if s.phase == Phase.DEPLOY:
        listed = np.empty(MAX_LEGAL, np.int32)
        legal = listed[: legal_actions(s, listed)].tolist()
        return (min(legal, key=lambda t: (t != COMMANDER, -C.SHIELD[t], t)),)
    work, guesses = Work.new(), State.array(GUESSES)
    prepare(s, seat, work)
    for seed in range(GUESSES):
        guesses[seed] = s
        guess(guesses[seed], seat, seed, work)
    best = np.empty(most, np.int32)
    n = best_turn(
        guesses,
        State.array(most + 2),
        np.empty((most, MAX_LEGAL), np.int32),
        np.empty((most, 2), np.int32),
        np.empty(most, np.int32),
        best,
    )
    return tuple(best[:n].tolist())
