"""The rules of Myrmidons: state, setup, what is legal, what happens, the end.

Actions (numbers, names):
    DEPLOY + type                         0 .. 19     `deploy 5-1-3`   the next square of the own first row
                                          gets this type
    FIRST_MOVE + from * 42 + to          20 .. 1783   `c1-c4`          move a piece; onto an enemy: fight it
    FIRST_ORDER + heading              1784 .. 1791   `order NE`       begin an order of the Commander
    FIRST_FRIEND + square * 5 + n - 1  1792 .. 2001   `b1:1`           the friend on that square is to go n
    steps
    GO                                 2002           `go`             carry the order out, fights included
The friends of an order are named front to back along its heading (then by square), so that each order has one
sequence. Nothing moves before `go`: what was moved first, and what not at all, would tell which piece is the
Commander.

The squares by file, rank and number, and the headings 0 .. 7, north towards rank 7:

    7   36 37 38 39 40 41   seat 1          NW  N  NE        7 0 1
    6   30 31 32 33 34 35                    W  .  E         6 . 2
    5   24 25 26 27 28 29                   SW  S  SE        5 4 3
    4   18 19 20 21 22 23
    3   12 13 14 15 16 17
    2    6  7  8  9 10 11
    1    0  1  2  3  4  5   seat 0
         a  b  c  d  e  f
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ludoteca.game import ActionSpace, Slice
from ludoteca.kernel import (
    Array,
    Floats,
    Ints,
    Record,
    as_python,
    below,
    field,
    kernel,
    lowest_bit,
    mix,
    start_generator,
)
from ludoteca.kernel.bits import from_highest, up_to_lowest
from ludoteca.kernel.random_play import drawn_from_list

from . import components as C

N_SQUARES, N_TYPES, N_PIECES, SIDE = C.N_SQUARES, C.N_TYPES, C.N_PIECES, C.SIDE
COMMANDER, COPIES, BASE_BITS = C.COMMANDER, C.COPIES, C.BASE_BITS
SWORD, SHIELD, MOVEMENT, GOES = C.SWORD_TABLE, C.SHIELD_TABLE, C.MOVEMENT_TABLE, C.GOES_TABLE
START, BACK_RANK, OFFSET, EDGE, ORDER, ROUND = (
    C.START_TABLE,
    C.BACK_RANK_TABLE,
    C.OFFSET_TABLE,
    C.EDGE_TABLE,
    C.ORDER_TABLE,
    C.ROUND_TABLE,
)
RAYS, STEPPING, UPWARDS, DOWNWARDS = C.RAYS_TABLE, C.STEPPING_TABLE, C.UPWARDS, C.DOWNWARDS
HEADING_TO, STEPS_TO, LINES, MOST_STEPS = C.HEADING_TO, C.STEPS_TO, C.LINES_TABLE, C.MOST_STEPS
BITS = np.array([bin(bits).count('1') for bits in range(1024)], np.int64)
_mix = as_python(mix)
# [piece, square] -> numbers that look random (bit 0 is free for the seat to move)
KEYS = np.array(
    [
        [_mix(1 + piece, square) << 31 | _mix(101 + piece, square) << 1 for square in range(N_SQUARES)]
        for piece in range(N_PIECES)
    ],
    np.int64,
)

ACTIONS = ActionSpace(
    Slice('deploy', (N_TYPES,), 'the next square of the own first row gets this type', ('type',)),
    Slice('move', (7, 6, 7, 6), 'move a piece', ('from_rank', 'from_file', 'to_rank', 'to_file')),
    Slice('order', (8,), 'begin an order of the Commander', ('heading',)),
    Slice(
        'friend',
        (7, 6, C.MOST_STEPS),
        'who goes along, and one less than how far',
        ('rank', 'file', 'steps'),
    ),
    Slice('go', (), 'carry the order out'),
)
DEPLOY, FIRST_MOVE, FIRST_ORDER, FIRST_FRIEND, GO, N_ACTIONS = ACTIONS.firsts
MAX_LEGAL = C.LARGE * C.MOST_REACH + 8
MOST_FRIENDS = 8  # round the Commander
MOST_MOVED = MOST_FRIENDS + 1
QUIET_TURNS = 60  # without a capture: a draw
MEMORY = 64  # positions kept to find repetitions
OFF, ABSENT = -1, -2  # of `at`: taken; never in the game
UNKNOWN = -1  # of `type`


class Phase(IntEnum):
    """What the seat to move chooses next."""

    DEPLOY = 0
    TURN = 1  # a move, or to give an order
    ORDER = 2  # who goes along, or go


class Ending(IntEnum):
    """How a game ends; the names for people are in the words under `ending`."""

    RUNNING = 0
    # a piece of the winner stood on the other's first row at the start of its turn
    BACK_RANK = 1
    COMMANDER = 2  # the loser's Commander was taken
    PIECES = 3  # four (option: eight) of the loser's pieces were taken
    REPETITION = 4  # third occurrence of a position: a draw (option)
    SIXTY_TURNS = 5  # without a capture: a draw (option)


class Army(IntEnum):
    """Values of the option `army`."""

    BASE = 0
    AGREED = 1
    SECRET = 2
    RANDOM = 3


class State(Record):
    """A game of Myrmidons. Bits of an `i8` are squares, bits of a `mask` or `pool` are types."""

    men: Array = field('i8', 2)  # [seat] -> squares on which its pieces stand
    key: int = field('i8')  # of the position, see `remember`
    past: Array = field('i8', MEMORY)  # ring of the keys since the last capture
    # order being made: squares occupied once the friends named so far have gone
    clear: int = field('i8')
    prey: int = field('i8')  # and enemies that nobody attacks yet
    rng: Array = field('u4', 4)
    # types that a piece can have by all that is public, 0 if it is absent
    mask: Array = field('i4', N_PIECES)
    pool: Array = field('i4', 2)  # [seat] -> types of which its army was made
    shown: int = field('i4')  # what the last action made public, see `revealed`
    turn: int = field('i2')
    reveals: int = field('i2')
    n_past: int = field('i2')
    quiet: int = field('i2')  # turns since the last capture
    type: Array = field('i1', N_PIECES)  # UNKNOWN: not deployed yet, absent, or secret
    at: Array = field('i1', N_PIECES)  # square, OFF or ABSENT
    on: Array = field('i1', N_SQUARES)  # piece, -1 if empty
    far: Array = field('i1', N_PIECES)  # longest way that everybody saw the piece go
    lead: Array = field('i1', N_PIECES)  # 1: by the orders given, it may be the Commander
    seen: Array = field('i1', N_PIECES)  # 1: it was turned over in a fight
    hand: Array = field('i1', (2, N_TYPES))  # types that a seat can still deploy, -1: secret
    placed: Array = field('i1', 2)  # pieces that a seat has deployed
    # 1: the side has no Commander (in positions made up for study only)
    leaderless: Array = field('i1', 2)
    taken: Array = field('i1', 2)  # pieces that a seat has taken
    players: int = field('i1')
    to_move: int = field('i1')
    phase: int = field('i1')
    ending: int = field('i1')
    winner: int = field('i1')  # -1 if none
    army: int = field('i1')  # options
    size: int = field('i1')
    capture: int = field('i1')
    memory: int = field('i1')
    repetition: int = field('i1')
    sixty: int = field('i1')
    heading: int = field('i1')  # of the order being made, -1 if none
    n_friends: int = field('i1')  # named in it
    friend: Array = field('i1', MOST_FRIENDS)  # their squares
    steps: Array = field('i1', MOST_FRIENDS)
    # what the last turn did, public: heading, -1 if no turn has just been made
    course: int = field('i1')
    ordered: int = field('i1')  # 1: it was an order
    n_moved: int = field('i1')
    moved: Array = field('i1', MOST_MOVED)  # pieces, front to back
    moved_from: Array = field('i1', MOST_MOVED)
    moved_steps: Array = field('i1', MOST_MOVED)  # as far as the attack, if there was one
    n_fights: int = field('i1')
    attacker: Array = field('i1', MOST_MOVED)  # pieces, in the order in which they fought
    defender: Array = field('i1', MOST_MOVED)
    won: Array = field('i1', MOST_MOVED)  # 1: the defender was taken


class Work(Record):
    """Scratch of random_turn, and of prepare and guess (knowledge.py)."""

    actions: Array = field('i4', MAX_LEGAL)
    left: Array = field('i4', 8)  # [heading] -> orders that way
    # [group] -> pieces whose type is to be drawn, and which, the most restricted first
    n_pieces: Array = field('i4', 2)
    pieces: Array = field('i1', (2, N_PIECES))
    # [group] -> blocks of which they can be, and their types, the fastest first
    n_blocks: Array = field('i4', 2)
    blocks: Array = field('i1', (2, 2 * N_TYPES))
    # [group, i] -> how many of the blocks are fast enough for the i-th piece
    reach: Array = field('i1', (2, N_PIECES))
    drawn: Array = field('i1', 2 * N_TYPES)
    n_drawn: int = field('i4')


# ---- setup -------------------------------------------------------------------------------------------------


@kernel
def clear_board(s: State) -> None:
    """No pieces, nothing begun; the options stay."""
    s.men[:] = 0
    s.key = 0
    s.past[:] = 0
    s.mask[:] = 0
    s.pool[:] = 0
    s.shown = 0
    s.turn = 0
    s.reveals = 0
    s.n_past = 0
    s.quiet = 0
    s.type[:] = UNKNOWN
    s.at[:] = ABSENT
    s.on[:] = -1
    s.far[:] = 0
    s.lead[:] = 0
    s.seen[:] = 0
    for seat in range(2):
        for t in range(N_TYPES):
            s.hand[seat, t] = 0
    s.placed[:] = 0
    s.leaderless[:] = 0
    s.taken[:] = 0
    s.to_move = 0
    s.ending = Ending.RUNNING
    s.winner = -1
    s.friend[:] = 0
    s.steps[:] = 0
    s.moved[:] = 0
    s.moved_from[:] = 0
    s.moved_steps[:] = 0
    s.attacker[:] = 0
    s.defender[:] = 0
    s.won[:] = 0
    drop_order(s)
    forget_course(s)
    s.phase = Phase.DEPLOY


@kernel
def drop_order(s: State) -> None:
    """No order is being made: the mover may move a piece or give one."""
    s.phase = Phase.TURN
    s.heading = -1
    s.clear = 0
    s.prey = 0
    for i in range(s.n_friends):
        s.friend[i] = 0
        s.steps[i] = 0
    s.n_friends = 0


@kernel
def forget_course(s: State) -> None:
    """What the last turn did is no longer told."""
    for i in range(s.n_moved):
        s.moved[i] = 0
        s.moved_from[i] = 0
        s.moved_steps[i] = 0
    for i in range(s.n_fights):
        s.attacker[i] = 0
        s.defender[i] = 0
        s.won[i] = 0
    s.course = -1
    s.ordered = 0
    s.n_moved = 0
    s.n_fights = 0


@kernel
def place_piece(s: State, piece: int, square: int) -> None:
    """Stand a piece on an empty square."""
    s.on[square] = piece
    s.at[piece] = square
    s.men[piece // SIDE] |= 1 << square
    s.key ^= KEYS[piece, square]


@kernel
def remove_piece(s: State, piece: int) -> None:
    """Take a piece from its square."""
    square = int(s.at[piece])
    s.on[square] = -1
    s.at[piece] = OFF
    s.men[piece // SIDE] &= ~(1 << square)
    s.key ^= KEYS[piece, square]


@kernel
def setup(s: State, players: int, options: Ints, seed: Array) -> None:
    """All pieces on their first squares, to be told which is which; with random armies the blocks are
    dealt."""
    clear_board(s)
    start_generator(s, seed)
    s.players = players
    s.army, s.size = options[0], options[1]
    s.capture, s.memory, s.repetition, s.sixty = options[3], options[4], options[5], options[6]
    for seat in range(2):
        s.pool[seat] = pool_of(s.army, int(options[2]))
        for k in range(s.size):
            piece = seat * SIDE + k
            place_piece(s, piece, int(START[piece]))
            s.mask[piece] = s.pool[seat]
            s.lead[piece] = 1
        s.hand[seat, COMMANDER] = 1
    for seat in range(2):
        if s.army == Army.RANDOM:
            for _ in range(s.size - 1):
                deal(s, seat)
        else:
            for t in range(1, N_TYPES):
                s.hand[seat, t] = int(s.pool[seat]) >> t & 1


@kernel
def pool_of(army: int, agreed: int) -> int:
    """The types of which a side's army is made, as bits; `agreed` are those that the option names, without
    the Commander."""
    if army == Army.BASE:
        return 1 | BASE_BITS
    if army == Army.AGREED:
        return 1 | agreed << 1
    return (1 << N_TYPES) - 1


@kernel
def deal(s: State, seat: int) -> None:
    """A block drawn from those that lie face down, two of each kind less those that were drawn before."""
    left = 0
    for t in range(1, N_TYPES):
        left += COPIES - int(s.hand[0, t]) - int(s.hand[1, t])
    k = below(s, left)
    for t in range(1, N_TYPES):
        k -= COPIES - int(s.hand[0, t]) - int(s.hand[1, t])
        if k < 0:
            s.hand[seat, t] += 1
            return


# ---- deployment --------------------------------------------------------------------------------------------


@kernel
def can_deploy(s: State, seat: int, t: int) -> bool:
    """A type in hand; the last square is the Commander's if it has none yet."""
    left = int(s.size) - int(s.placed[seat])
    return s.hand[seat, t] > 0 and (t == COMMANDER or left > s.hand[seat, COMMANDER])


@kernel
def deploy(s: State, t: int) -> None:
    """The next square of the mover's first rows gets a piece of that type. When both have done all, the game
    begins."""
    seat = int(s.to_move)
    s.type[seat * SIDE + s.placed[seat]] = t
    s.hand[seat, t] -= 1
    s.placed[seat] += 1
    if s.placed[seat] < s.size:
        return
    for other in range(N_TYPES):
        s.hand[seat, other] = 0  # of a secret choice: what was left over
    s.to_move = 1 - seat
    if s.placed[1 - seat] == s.size:
        s.to_move = 0
        s.phase = Phase.TURN
        remember(s)


# ---- what is legal -----------------------------------------------------------------------------------------


@kernel
def reach(square: int, heading: int, movement: int, occupied: int, prey: int) -> int:
    """How many steps a piece can go: every smaller number (from 1) is possible too. It goes through empty
    squares; the last one may hold one of the enemies `prey`, which are among `occupied`."""
    steps = min(movement, int(EDGE[heading, square]))
    for k in range(steps):
        square += int(OFFSET[heading])
        if occupied >> square & 1:
            return k + (prey >> square & 1)
    return steps


@kernel
def movement_on(s: State, square: int) -> int:
    """How far the piece on a square may go."""
    return int(MOVEMENT[s.type[s.on[square]]])


@kernel
def leader_square(s: State, seat: int) -> int:
    """Where the Commander of a side stands, -1 if it has none (or if it is secret)."""
    for piece in range(seat * SIDE, seat * SIDE + s.size):
        if s.type[piece] == COMMANDER:
            return int(s.at[piece])
    return -1


@kernel
def can_order(s: State, seat: int, leader: int, heading: int) -> bool:
    """Can the Commander give an order that way: can it take its step, and can at least one friend beside it
    go along?

    A friend can go whose next square is on the board and holds no other friend. One in front of the Commander
    must go, and must be able to. One behind it can always follow. Of several in a line the one in front can
    go if any of them can.
    """
    if EDGE[heading, leader] == 0:
        return False
    men, offset = int(s.men[seat]), int(OFFSET[heading])
    friends = men & int(ROUND[leader])
    going = friends & int(STEPPING[heading]) & ~shifted(men, -offset)
    front = 1 << leader + offset
    if men & front:
        return going & front != 0
    return going | friends & shifted(1 << leader, -offset) != 0


@kernel
def shifted(squares: int, by: int) -> int:
    """A set of squares, each so many numbers higher or lower."""
    return squares << by if by >= 0 else squares >> -by


@kernel
def targets_from(square: int, movement: int, occupied: int) -> int:
    """The squares to which lines lead from a square, each up to the first piece on it, which is among
    them."""
    found = 0
    for heading in UPWARDS:
        ray = int(RAYS[heading, movement, square])
        found |= ray & up_to_lowest(ray & occupied)
    for heading in DOWNWARDS:
        ray = int(RAYS[heading, movement, square])
        found |= ray & from_highest(ray & occupied)
    return found


@kernel
def legal_moves(s: State, out: Ints) -> int:
    """Single moves of the seat to move, ascending; returns how many."""
    seat, n = int(s.to_move), 0
    men, occupied = int(s.men[seat]), int(s.men[0] | s.men[1])
    left = men
    while left:
        square = lowest_bit(left)
        left &= left - 1
        targets = targets_from(square, movement_on(s, square), occupied) & ~men
        first = FIRST_MOVE + square * N_SQUARES
        while targets:
            out[n] = first + lowest_bit(targets)
            targets &= targets - 1
            n += 1
    return n


@kernel
def must_go(s: State, leader: int) -> int:
    """The square in front of the Commander if a friend stands there that was not named yet, else -1."""
    front = leader + int(OFFSET[s.heading])
    if not int(s.men[s.to_move]) >> front & 1:
        return -1
    for i in range(s.n_friends):
        if s.friend[i] == front:
            return -1
    return front


@kernel
def friend_reach(s: State, leader: int, square: int) -> int:
    """How far a friend beside the Commander can go in the order being made, 0 if it cannot be named (any
    more)."""
    heading = int(s.heading)
    place = ORDER[heading, square]
    if s.n_friends and place <= ORDER[heading, s.friend[s.n_friends - 1]]:
        return 0
    front = must_go(s, leader)
    if front >= 0 and place > ORDER[heading, front]:
        return 0
    if square == leader - OFFSET[heading]:
        return 1  # right behind the Commander, which goes one step
    return reach(square, heading, movement_on(s, square), int(s.clear), int(s.prey))


@kernel
def legal_friends(s: State, out: Ints) -> int:
    """The friends that can be named next, each with its steps, and `go` once the Commander can take its own;
    ascending."""
    leader, n = leader_square(s, int(s.to_move)), 0
    friends = int(s.men[s.to_move]) & int(ROUND[leader])
    while friends:
        square = lowest_bit(friends)
        friends &= friends - 1
        for k in range(friend_reach(s, leader, square)):
            out[n] = FIRST_FRIEND + square * MOST_STEPS + k
            n += 1
    if s.n_friends and must_go(s, leader) < 0:
        out[n] = GO
        n += 1
    return n


@kernel
def legal_actions(s: State, out: Ints) -> int:
    """The legal actions, ascending; returns how many."""
    seat, n = int(s.to_move), 0
    if s.phase == Phase.DEPLOY:
        for t in range(N_TYPES):
            if can_deploy(s, seat, t):
                out[n] = t
                n += 1
        return n
    if s.phase == Phase.ORDER:
        return legal_friends(s, out)
    n, leader = legal_moves(s, out), leader_square(s, seat)
    if leader >= 0:
        for heading in range(8):
            if can_order(s, seat, leader, heading):
                out[n] = FIRST_ORDER + heading
                n += 1
    return n


# ---- what happens ------------------------------------------------------------------------------------------


@kernel
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    s.shown = 0
    forget_course(s)
    if action < FIRST_MOVE:
        deploy(s, action)
    elif action < FIRST_ORDER:
        move(s, (action - FIRST_MOVE) // N_SQUARES, (action - FIRST_MOVE) % N_SQUARES)
    elif action < FIRST_FRIEND:
        s.phase = Phase.ORDER
        s.heading = action - FIRST_ORDER
        s.clear = s.men[0] | s.men[1]
        s.prey = s.men[1 - s.to_move]
    elif action < GO:
        name_friend(s, (action - FIRST_FRIEND) // MOST_STEPS, (action - FIRST_FRIEND) % MOST_STEPS + 1)
    else:
        give_order(s)


@kernel
def record_mover(s: State, piece: int, steps: int) -> None:
    """A piece takes part in this turn's movement."""
    i = int(s.n_moved)
    s.moved[i] = piece
    s.moved_from[i] = s.at[piece]
    s.moved_steps[i] = steps
    s.n_moved = i + 1


@kernel
def move(s: State, start: int, end: int) -> None:
    """Move one piece along a line."""
    s.course = HEADING_TO[start, end]
    record_mover(s, int(s.on[start]), int(STEPS_TO[start, end]))
    resolve_movement(s)


@kernel
def name_friend(s: State, square: int, steps: int) -> None:
    """The friend on a square is to go so many steps: its square will be clear for those behind it."""
    i = int(s.n_friends)
    s.friend[i] = square
    s.steps[i] = steps
    s.n_friends = i + 1
    end = 1 << (square + steps * int(OFFSET[s.heading]))
    s.clear &= ~(1 << square)
    s.clear |= end
    s.prey &= ~end


@kernel
def give_order(s: State) -> None:
    """The friends named and the Commander go, front to back."""
    leader, heading = leader_square(s, int(s.to_move)), int(s.heading)
    s.course, s.ordered = heading, 1
    led = False
    for i in range(s.n_friends):
        if not led and ORDER[heading, s.friend[i]] > ORDER[heading, leader]:
            record_mover(s, int(s.on[leader]), 1)
            led = True
        record_mover(s, int(s.on[s.friend[i]]), int(s.steps[i]))
    if not led:
        record_mover(s, int(s.on[leader]), 1)
    drop_order(s)
    for i in range(s.n_moved):
        s.shown = mix(int(s.shown), int(s.moved_from[i]) * 8 + int(s.moved_steps[i])) >> 3
    resolve_movement(s)


@kernel
def resolve_movement(s: State) -> None:
    """All movement first; then the fights, front to back. Whoever has an enemy on its last square stands
    before it meanwhile."""
    seat, offset = int(s.to_move), int(OFFSET[s.course])
    taken = int(s.taken[seat])
    learn_from_way(s, seat)
    for i in range(s.n_moved):
        remove_piece(s, int(s.moved[i]))
    prey = int(s.men[1 - seat])
    for i in range(s.n_moved):
        end = int(s.moved_from[i]) + int(s.moved_steps[i]) * offset
        if not prey >> end & 1:
            place_piece(s, int(s.moved[i]), end)
    for i in range(s.n_moved):
        end = int(s.moved_from[i]) + int(s.moved_steps[i]) * offset
        if prey >> end & 1:
            if s.ending or not is_won(s, int(s.moved[i]), end):
                fall_back(s, int(s.moved[i]), end - offset, offset)
            else:
                take(s, int(s.moved[i]), end)
    finish_turn(s, s.taken[seat] != taken)


@kernel
def is_won(s: State, piece: int, square: int) -> bool:
    """A fight: both pieces are turned over. The attacker wins if its sword is at least the defender's
    shield."""
    other, i = int(s.on[square]), int(s.n_fights)
    won = SWORD[s.type[piece]] >= SHIELD[s.type[other]]
    s.attacker[i] = piece
    s.defender[i] = other
    s.won[i] = won
    s.n_fights = i + 1
    s.seen[piece] = 1
    s.seen[other] = 1
    s.reveals += 1
    s.shown = mix(int(s.shown), int(s.type[piece]) * N_TYPES + int(s.type[other])) >> 3 | 1
    return won


@kernel
def take(s: State, piece: int, square: int) -> None:
    """The defender is taken and the attacker stands on its square. A Commander taken, or so many pieces, ends
    the game at once."""
    seat, other = piece // SIDE, int(s.on[square])
    remove_piece(s, other)
    place_piece(s, piece, square)
    s.taken[seat] += 1
    if s.type[other] == COMMANDER:
        finish(s, Ending.COMMANDER, seat)
    elif (
        s.taken[seat] == s.capture or s.men[1 - seat] == 0
    ):  # the last piece: of a side without a Commander, made up for study
        finish(s, Ending.PIECES, seat)


@kernel
def fall_back(s: State, piece: int, square: int, offset: int) -> None:
    """A repelled attacker stands on the last square before its target. If a friend stands there, it is pushed
    back by one, and so is everybody in the unbroken line behind it."""
    end = square
    while s.on[end] >= 0:
        end -= offset
    while end != square:
        pushed = int(s.on[end + offset])
        assert came_as_far(s, pushed, end + offset)
        remove_piece(s, pushed)
        place_piece(s, pushed, end)
        end += offset
    place_piece(s, piece, square)


@kernel
def came_as_far(s: State, piece: int, square: int) -> bool:
    """Has a piece moved in this turn to reach a square, so that it can be pushed back by one?"""
    for i in range(s.n_moved):
        if s.moved[i] == piece:
            return s.moved_from[i] != square
    return False


# ---- what everybody learns ---------------------------------------------------------------------------------


@kernel
def learn_from_way(s: State, seat: int) -> None:
    """A piece that goes n steps can do so. In an order the Commander is one of those that go one step and
    stood beside all the others that go."""
    news = False
    for i in range(s.n_moved):
        piece = int(s.moved[i])
        if s.moved_steps[i] > s.far[piece]:
            s.far[piece] = s.moved_steps[i]
            news = True
    if s.ordered:
        starts, leaders = 0, 0
        for i in range(s.n_moved):
            starts |= 1 << int(s.moved_from[i])
        for i in range(s.n_moved):
            start = int(s.moved_from[i])
            if s.moved_steps[i] == 1 and starts & ~(1 << start) & ~int(ROUND[start]) == 0:
                leaders |= 1 << int(s.moved[i])
        for piece in range(seat * SIDE, seat * SIDE + s.size):
            s.lead[piece] &= leaders >> piece & 1
        news = True
    if news:
        deduce(s, seat)


@kernel
def is_shown(s: State, piece: int) -> bool:
    """Does everybody know the piece's type: turned over in a fight, or taken?"""
    return s.seen[piece] != 0 or s.at[piece] == OFF


@kernel
def may_lead(s: State, piece: int) -> bool:
    """Can an unknown piece on the board be the Commander, by what was seen of it?"""
    return s.at[piece] >= 0 and s.lead[piece] != 0 and s.far[piece] <= 1


@kernel
def deduce(s: State, seat: int) -> None:
    """Write the masks of a side: exactly the types that its pieces can have by what was seen of them and what
    is left of its pool.

    Pieces that went far can have fewer types than others, and these sets lie within each other. So (Hall's
    theorem) the pieces that went at least n steps are never more than the blocks that can; and where they are
    as many, nobody else has one of those. The Commander goes one step only: it takes nothing away from the
    rest.
    """
    first, last = seat * SIDE, seat * SIDE + int(s.size)
    copies = COPIES if s.army == Army.RANDOM else 1
    # types shown; pieces that may be the Commander
    once, twice, leaders, led = 0, 0, 0, s.leaderless[seat] != 0
    fast2, fast3, fast4, fast5 = 0, 0, 0, 0  # unknown pieces that went so far
    for piece in range(N_PIECES):
        if s.at[piece] == ABSENT or (copies == 1 and not first <= piece < last):
            continue
        if is_shown(s, piece):
            bit = 1 << int(s.type[piece])
            twice |= once & bit
            once |= bit
            led = led or (bit == 1 and first <= piece < last)
        elif first <= piece < last:
            leaders += may_lead(s, piece)
            fast2 += s.far[piece] >= 2
            fast3 += s.far[piece] >= 3
            fast4 += s.far[piece] >= 4
            fast5 += s.far[piece] >= 5
    pool = int(s.pool[seat]) & ~1
    gone = twice if copies == 2 else once
    most3 = blocks_left(pool, once, twice, copies, 3) > fast3
    most4 = blocks_left(pool, once, twice, copies, 4) > fast4
    most5 = blocks_left(pool, once, twice, copies, 5) > fast5
    most2 = blocks_left(pool, once, twice, copies, 2) > fast2
    for piece in range(first, last):
        if s.at[piece] == ABSENT:
            continue
        if is_shown(s, piece):
            s.mask[piece] = 1 << int(s.type[piece])
            continue
        least = max(1, int(s.far[piece]))
        most = least
        if most == 1 and most2:
            most = 2
        if most == 2 and most3:
            most = 3
        if most == 3 and most4:
            most = 4
        if most == 4 and most5:
            most = 5
        mask = GOES[least] & ~GOES[most + 1] & pool & ~gone
        if not led and may_lead(s, piece):
            mask = mask | 1 if leaders > 1 else 1
        s.mask[piece] = mask


@kernel
def blocks_left(pool: int, once: int, twice: int, copies: int, steps: int) -> int:
    """How many blocks of a pool that were not shown yet can go so many steps; `once`, `twice` are the types
    shown so often."""
    can = pool & int(GOES[steps])
    return copies * count_bits(can) - count_bits(can & once) - count_bits(can & twice)


@kernel
def count_bits(types: int) -> int:
    """How many types a set has."""
    return int(BITS[types & 1023] + BITS[types >> 10])


# ---- the end -----------------------------------------------------------------------------------------------


@kernel
def finish(s: State, ending: int, winner: int) -> None:
    """The game is over, and all pieces are turned over."""
    s.ending = ending
    s.winner = winner
    s.reveals += 1


@kernel
def finish_turn(s: State, captured: bool) -> None:
    """The turn is over; the other seat's begins, unless that ends the game."""
    s.turn += 1
    if s.n_fights:
        deduce(s, 0)
        deduce(s, 1)
    s.quiet = 0 if captured else s.quiet + 1
    if captured:
        s.n_past = 0
    if s.ending == Ending.RUNNING:
        s.to_move = 1 - s.to_move
        begin_turn(s)


@kernel
def begin_turn(s: State) -> None:
    """Before anything else: whoever is to move and has a piece on the other's first row has won. Then the
    draws."""
    if s.men[s.to_move] & BACK_RANK[s.to_move]:
        finish(s, Ending.BACK_RANK, int(s.to_move))
    elif remember(s) >= 3 and s.repetition:
        finish(s, Ending.REPETITION, -1)
    elif s.sixty and s.quiet >= QUIET_TURNS:
        finish(s, Ending.SIXTY_TURNS, -1)


@kernel
def remember(s: State) -> int:
    """Note the position (which piece stands where, by its start square) with the seat to move; returns how
    often it has occurred since the last capture, among the last MEMORY positions."""
    if not s.repetition:
        return 0
    key, n = int(s.key) ^ int(s.to_move), 1
    for i in range(min(int(s.n_past), MEMORY)):
        n += s.past[i] == key
    s.past[s.n_past % MEMORY] = key
    s.n_past += 1
    return n


@kernel
def scores(s: State, out: Floats) -> None:
    """Pieces taken."""
    for seat in range(2):
        out[seat] = s.taken[seat]


@kernel
def outcome(s: State, out: Floats) -> None:
    """1 for the winner; a draw is shared; all 0 while the game runs."""
    for seat in range(2):
        out[seat] = (
            0.0 if s.ending == Ending.RUNNING else 0.5 if s.winner < 0 else 1.0 if s.winner == seat else 0.0
        )


@kernel
def revealed(s: State) -> int:
    """0, or a number that stands for what the last action made public: who went how far in an order, and the
    types that fought."""
    return int(s.shown)


# ---- random turns ------------------------------------------------------------------------------------------

random_action = drawn_from_list(legal_actions)


@kernel
def random_turn(s: State, work: Work, out: Ints) -> int:
    """A complete turn, each equally likely (in a deployment: all that is left of it; in an order: what is
    left of it); returns the number of its actions."""
    if s.phase == Phase.DEPLOY:
        return random_deployment(s, out)
    seat = int(s.to_move)
    leader = leader_square(s, seat)
    if s.phase == Phase.ORDER:
        return random_rest(s, work, out)
    moves = work.actions[:]
    n = legal_moves(s, moves)
    total = n
    for heading in range(8):
        work.left[heading] = count_orders(s, leader, heading, work) if leader >= 0 else 0
        total += int(work.left[heading])
    k = below(s, total)
    if k < n:
        out[0] = moves[k]
        return 1
    k -= n
    heading = 0
    while k >= work.left[heading]:
        k -= int(work.left[heading])
        heading += 1
    n = write_order(s, leader, heading, k, work, out)
    for i in range(n, 0, -1):
        out[i] = out[i - 1]
    out[0] = FIRST_ORDER + heading
    return n + 1


@kernel
def random_deployment(s: State, out: Ints) -> int:
    """The rest of a deployment: the Commander on any square, the other types in any order."""
    seat = int(s.to_move)
    left, n = int(s.size) - int(s.placed[seat]), 0
    leader = below(s, left) if s.hand[seat, COMMANDER] else -1
    units = 0
    for t in range(1, N_TYPES):
        units += int(s.hand[seat, t])
    taken = 0  # how often each type was drawn: two bits each
    for i in range(left):
        out[n] = COMMANDER
        if i != leader:
            k = below(s, units)
            units -= 1
            for t in range(1, N_TYPES):
                k -= int(s.hand[seat, t]) - (taken >> 2 * t & 3)
                if k < 0:
                    taken += 1 << 2 * t
                    out[n] = t
                    break
        n += 1
    return n


# Orders are counted, and the k-th is found, without listing them: lines along the heading do not meet, so
# that the number of orders is a product over lines. Number 0 of each line is the one in which all stay.


@kernel
def may_go(s: State, heading: int, square: int, ahead: int, steps_ahead: int) -> int:
    """How far the friend on a square can go if the one ahead of it on its line (square `ahead`, -1: none)
    goes so many steps."""
    seat, movement = int(s.to_move), movement_on(s, square)
    occupied = int(s.men[0] | s.men[1])
    if ahead >= 0:
        gap = int(STEPS_TO[square, ahead])
        if gap == 1 or not occupied >> (square + int(OFFSET[heading])) & 1:
            return min(movement, gap + steps_ahead - 1)
    return reach(square, heading, movement, occupied, int(s.men[1 - seat]))


@kernel
def friend_on_line(s: State, leader: int, heading: int, line: int, after: int) -> int:
    """The place (0..2) of the first friend on a line beside the Commander behind the place `after`, 3 if
    there is none."""
    for i in range(after + 1, 3):
        way = int(LINES[heading, line, i])
        if way >= 0 and EDGE[way, leader] and int(s.men[s.to_move]) >> (leader + int(OFFSET[way])) & 1:
            return i
    return 3


@kernel
def line_orders(s: State, leader: int, heading: int, line: int, wanted: int, work: Work) -> int:
    """How many ways there are to move the friends on a line beside the Commander; if they are more than
    `wanted` (from 0), that one is added to `work.drawn` (square, steps, ...; its length is work.n_drawn)."""
    a = friend_on_line(s, leader, heading, line, -1)
    if a == 3:
        return 1
    b = friend_on_line(s, leader, heading, line, a)
    c = friend_on_line(s, leader, heading, line, b) if b < 3 else 3
    first = leader + int(OFFSET[LINES[heading, line, a]])
    second = leader + int(OFFSET[LINES[heading, line, b]]) if b < 3 else -1
    third = leader + int(OFFSET[LINES[heading, line, c]]) if c < 3 else -1
    n = 0
    for i in range(may_go(s, heading, first, -1, 0) + 1):
        for j in range((may_go(s, heading, second, first, i) if second >= 0 else 0) + 1):
            more = 1 + (may_go(s, heading, third, second, j) if third >= 0 else 0)
            if n <= wanted < n + more:
                note_friend(work, first, i)
                note_friend(work, second, j)
                note_friend(work, third, wanted - n)
            n += more
    return n


@kernel
def note_friend(work: Work, square: int, steps: int) -> None:
    """Add a friend to the order that is being found, if it goes at all."""
    if steps:
        work.drawn[2 * work.n_drawn] = square
        work.drawn[2 * work.n_drawn + 1] = steps
        work.n_drawn += 1


@kernel
def column_orders(s: State, leader: int, heading: int, wanted: int, work: Work) -> int:
    """The same for the friends in front of the Commander, which must go, and behind it."""
    front, back = leader + int(OFFSET[heading]), leader - int(OFFSET[heading])
    men = int(s.men[s.to_move])
    follows = 1 + (EDGE[(heading + 4) % 8, leader] > 0 and men >> back & 1)
    n = follows
    if men >> front & 1:
        n *= may_go(s, heading, front, -1, 0)
        if wanted >= 0:
            note_friend(work, front, 1 + wanted // follows)
    if wanted >= 0:
        note_friend(work, back, wanted % follows)
    return n


@kernel
def count_orders(s: State, leader: int, heading: int, work: Work) -> int:
    """How many complete orders there are that way."""
    if EDGE[heading, leader] == 0:
        return 0
    n = column_orders(s, leader, heading, -1, work)
    for line in range(4):
        n *= line_orders(s, leader, heading, line, -1, work)
    return n - (not leads_behind(s, leader, heading))


@kernel
def leads_behind(s: State, leader: int, heading: int) -> bool:
    """Does a friend stand in front of the Commander? Else one of the combinations is its step alone, which is
    no order."""
    return int(s.men[s.to_move]) >> (leader + int(OFFSET[heading])) & 1 == 1


@kernel
def write_order(s: State, leader: int, heading: int, k: int, work: Work, out: Ints) -> int:
    """Write the friends of the k-th order that way and `go`; returns how many actions that are."""
    k += not leads_behind(s, leader, heading)
    work.n_drawn = 0
    n = column_orders(s, leader, heading, -1, work)
    column_orders(s, leader, heading, k % n, work)
    k //= n
    for line in range(4):
        n = line_orders(s, leader, heading, line, -1, work)
        line_orders(s, leader, heading, line, k % n, work)
        k //= n
    for i in range(work.n_drawn):  # front to back
        out[i] = FIRST_FRIEND + int(work.drawn[2 * i]) * MOST_STEPS + int(work.drawn[2 * i + 1]) - 1
        place = ORDER[heading, work.drawn[2 * i]]
        j = i
        while j > 0 and ORDER[heading, (out[j - 1] - FIRST_FRIEND) // MOST_STEPS] > place:
            out[j - 1], out[j] = out[j], out[j - 1]
            j -= 1
    out[work.n_drawn] = GO
    return int(work.n_drawn) + 1


@kernel
def random_rest(s: State, work: Work, out: Ints) -> int:
    """The rest of an order: orders that way are drawn until one begins like the one being made."""
    seat, named = int(s.to_move), int(s.n_friends)
    leader, heading = leader_square(s, seat), int(s.heading)
    total = count_orders(s, leader, heading, work)
    while True:
        n = write_order(s, leader, heading, below(s, total), work, out)
        same = n > named
        for i in range(named):
            same = same and out[i] == FIRST_FRIEND + int(s.friend[i]) * MOST_STEPS + int(s.steps[i]) - 1
        if same:
            for i in range(named, n):
                out[i - named] = out[i]
            return n - named
