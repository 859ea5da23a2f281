"""The rules of Octiles: state, setup, what is legal, what happens, the end.

Actions. A turn is two actions of the same seat, or a pass:
    LAY + space * 8 + rotation                        0 ..  135    lay the top tile (phase PLACE), named
                                                      `a2:7`
    FIRST_MOVE + post it leaves * 36 + post it enters  136 .. 1431   move a runner (phase MOVE), named `A1-B2`
    PASS                                              1432         nothing can be laid, named `pass`
Of rotations that give the same pattern the smallest is the only one used.

Paths. `next` holds for every space one word of eight bytes: the place that a runner entering at edge 0..7
goes to, so that laying a tile is one store and following a path is a shift a step. Posts and the edges of
spaces without a tile lead to themselves.

The board, north at the top, with the number after each name: [space], <stop>, (home circle). A post is a stop
or a circle. The edges of a space are numbered from 0 in the north, clockwise; rotations turn a tile
clockwise, too.

                            (C6 23)      (D6 24)
                     (B6 22)                     (E6 25)
                  (A6 21)   [b5 5]       [c5 10]                   (F6 26)
                      <B5 3>       <C5 7>       <D5 11>      <E5 15>       (F5 27)
                            [b4 4]       [c4 9]       [d4 14]      [e4 16]    (F4 28)
        (A5 20)       <B4 2>       <C4 6>       <D4 10>      <E4 14>
     (A4 19)   [a3 1]       [b3 3]       [c3 8]       [d3 13]      [e3 15]    (F3 29)
                      <B3 1>       <C3 5>       <D3 9>       <E3 13>       (F2 30)
     (A3 18)   [a2 0]       [b2 2]       [c2 7]       [d2 12]
        (A2 17)       <B2 0>       <C2 4>       <D2 8>       <E2 12>
               (A1 16)                   [c1 6]       [d1 11]    (F1 31)
                                  (B1 35)                     (E1 32)
                                         (C1 34)      (D1 33)
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
    below,
    byte_of,
    count_bits,
    field,
    kernel,
    lowest_bit,
    nth_bit,
    start_generator,
)

from . import components as C

N_SPACES, N_STOPS, N_POSTS, N_TILES = C.N_SPACES, C.N_STOPS, C.N_POSTS, C.N_TILES
FIRST_POST = C.FIRST_POST
ROTATIONS, EXITS, N_EXITS = C.ROTATIONS_TABLE, C.EXITS_TABLE, C.N_EXITS_TABLE
SIDE_OF, SIDE_OF_SEAT, CIRCLES = C.SIDE_OF_TABLE, C.SIDE_OF_SEAT_TABLE, C.CIRCLES_TABLE
CROSSED, STUCK, LINK, MATCH = C.CROSSED_TABLE, C.STUCK_TABLE, C.LINK_TABLE, C.MATCH_TABLE
PRELAID = np.array(C.PRELAID, np.int64)
MIDDLE = C.MIDDLE

STOP_BITS = (1 << N_STOPS) - 1  # posts are sets of bits
ACTIONS = ActionSpace(
    Slice('lay', (N_SPACES, 8), 'lay the top tile', ('space', 'rotation')),
    Slice('move', (N_POSTS, N_POSTS), 'move a runner', ('from', 'to')),
    Slice('pass', (), 'nothing can be laid'),
)
LAY, FIRST_MOVE, PASS, N_ACTIONS = ACTIONS.firsts
MAX_LEGAL = 8 * N_SPACES  # every space in every rotation
# a port is entered from one exit at most, and each entry tries 8 rotations
MAX_TURNS_LISTED = 8 * C.N_PORTS
MEMORY = 128  # positions kept to find repetitions
NOWHERE = 63  # no post: its bit is never set
TRIES = 64  # draws before a random turn is taken from the whole list


class Phase(IntEnum):
    """What the seat to move chooses next; below 0 what chance has to decide."""

    LOOK = -1  # which tile is the next one of the stack
    PLACE = 0
    MOVE = 1


class Ending(IntEnum):
    """How a game ends; the names for people are in the words under `ending`."""

    RUNNING = 0
    HOME = 1  # all runners of the winner stand on goal circles
    BLOCKED = 2  # everybody had to pass in turn: a draw
    REPETITION = 3  # third occurrence of a position: a draw (option)


class State(Record):
    """A game of Octiles. Seats sit on the sides W, E (two players), W, N, E (three) or W, N, E, S (four)."""

    # [space] -> eight places; the rows behind the spaces are the posts
    next: Array = field('i8', N_SPACES + 5)
    occupied: int = field('i8')  # posts on which a runner stands, as bits
    # ring of the positions since the last event that cannot be undone
    past: Array = field('i8', MEMORY)
    rng: Array = field('u4', 4)
    turn: int = field('i4')
    reveals: int = field('i4')
    n_past: int = field('i4')  # positions written to the ring since it was cleared
    tile: Array = field('i1', N_SPACES)  # tile lying in each space, -1 if none
    rot: Array = field('i1', N_SPACES)  # its rotation, 0 without a tile
    stack: Array = field('i1', N_TILES)  # ring; -1 where there is no tile, or an unknown one
    runner: Array = field('i1', (4, 5))  # [seat, i] -> post, -1 if there is no such runner
    stack_head: int = field('i1')
    # the tile laid stays counted, on top, until its runner has moved
    stack_size: int = field('i1')
    known: int = field('i1')  # tiles at the bottom of the stack whose order everybody knows
    players: int = field('i1')
    n_runners: int = field('i1')  # of each player
    to_move: int = field('i1')
    phase: int = field('i1')
    laid: int = field('i1')  # space of the tile laid in this turn, -1 if none
    covered: int = field('i1')  # tile under it, -1 if none
    covered_rot: int = field('i1')
    passes: int = field('i1')  # in a row
    winner: int = field('i1')  # -1 if none
    ending: int = field('i1')
    shown: int = field('i1')  # 1 + the tile that the last action brought to light, else 0
    repetition: int = field('i1')  # option: the third occurrence of a position is a draw


STATE = State.DTYPE


class Work(Record):
    """Scratch of the functions that draw a random action."""

    port: Array = field('i2', C.N_PORTS + 1)
    post: Array = field('i2', C.N_PORTS + 1)
    turns: Array = field('i4', MAX_TURNS_LISTED + 1)


# ---- setup -------------------------------------------------------------------------------------------------


@kernel
def clear_board(s: State) -> None:
    """No tiles, no runners, an empty stack, nothing begun."""
    for i in range(len(s.next)):
        s.next[i] = STUCK[i]
    s.tile[:] = -1
    s.rot[:] = 0
    s.stack[:] = -1
    for seat in range(4):
        for i in range(5):
            s.runner[seat, i] = -1
    s.occupied = 0
    s.past[:] = 0
    s.n_past = 0
    s.turn = 0
    s.reveals = 0
    s.stack_head = 0
    s.stack_size = 0
    s.known = 0
    s.to_move = 0
    s.phase = Phase.PLACE
    s.laid = -1
    s.covered = -1
    s.covered_rot = 0
    s.passes = 0
    s.winner = -1
    s.ending = Ending.RUNNING
    s.shown = 0


@kernel
def put_runners(s: State) -> None:
    """Each player's runners on the circles of the player's side; with four players the middle circle stays
    empty."""
    s.n_runners = 4 if s.players == 4 else 5
    for seat in range(s.players):
        n = 0
        for i in range(5):
            if s.players == 4 and i == MIDDLE:
                continue
            post = N_STOPS + 5 * SIDE_OF_SEAT[s.players, seat] + i
            s.runner[seat, n] = post
            s.occupied |= 1 << post
            n += 1


@kernel
def place_tile(s: State, space: int, tile: int, rot: int) -> None:
    """Lay a tile (its rotation the smallest that gives the pattern), or take the tile away (tile -1)."""
    s.tile[space] = tile
    s.rot[space] = rot
    s.next[space] = CROSSED[tile, rot, space] if tile >= 0 else STUCK[space]


@kernel
def setup(s: State, players: int, options: Ints, seed: Array) -> None:
    """A game at its start; with three players the two top tiles lie already, each in a random rotation."""
    clear_board(s)
    start_generator(s, seed)
    s.players = players
    s.repetition = options[0]
    put_runners(s)
    for i in range(N_TILES):
        s.stack[i] = i
    for i in range(N_TILES - 1, 0, -1):
        j = below(s, i + 1)
        s.stack[i], s.stack[j] = s.stack[j], s.stack[i]
    s.stack_size = N_TILES
    if players == 3:
        for space in PRELAID:
            tile = take_top(s)
            place_tile(s, space, tile, below(s, 8) % ROTATIONS[tile])
    if s.repetition:
        remember(s, False)


# ---- the stack ---------------------------------------------------------------------------------------------


@kernel
def top_tile(s: State) -> int:
    """The tile to be laid."""
    return int(s.stack[s.stack_head])


@kernel
def take_top(s: State) -> int:
    """Remove the top tile of the stack and return it."""
    tile = int(s.stack[s.stack_head])
    s.stack[s.stack_head] = -1
    s.stack_head = (s.stack_head + 1) % N_TILES
    s.stack_size -= 1
    return tile


@kernel
def put_under(s: State, tile: int) -> None:
    """A covered tile goes face up to the bottom of the stack: its place is known to everybody."""
    s.stack[(s.stack_head + s.stack_size) % N_TILES] = tile
    s.stack_size += 1
    s.known += 1


@kernel
def look_at_top(s: State) -> None:
    """The next tile is seen. When one tile alone is unknown, everybody knows which it is. In a state without
    its future chance names the tile first."""
    s.shown = 0
    if s.known == s.stack_size:  # it was known before, from the time when it was covered
        s.known -= 1
    else:
        s.reveals += 1
        s.shown = top_tile(s) + 1
        if s.shown == 0:
            s.phase = Phase.LOOK
    settle_known(s)


@kernel
def settle_known(s: State) -> None:
    """The last unknown tile of a stack is known by elimination."""
    if s.stack_size - 1 - s.known == 1:
        s.known += 1


# ---- chance ------------------------------------------------------------------------------------------------


@kernel
def unseen_tiles(s: State) -> int:
    """The tiles of which nobody knows where in the stack they are, as bits."""
    unseen = (1 << N_TILES) - 1
    for space in range(N_SPACES):
        if s.tile[space] >= 0:
            unseen &= ~(1 << int(s.tile[space]))
    if s.covered >= 0:
        unseen &= ~(1 << int(s.covered))
    for i in range(N_TILES):
        if s.stack[i] >= 0:
            unseen &= ~(1 << int(s.stack[i]))
    return unseen


@kernel
def chance(s: State, outcomes: Ints, probabilities: Floats) -> int:
    """The next tile of the stack is any of the unseen ones, each equally likely."""
    if s.phase != Phase.LOOK:
        return 0
    unseen, n = unseen_tiles(s), 0
    each = 1 / count_bits(unseen)
    while unseen:
        outcomes[n] = lowest_bit(unseen)
        probabilities[n] = each
        unseen &= unseen - 1
        n += 1
    return n


@kernel
def resolve(s: State, outcome: int) -> None:
    """The next tile is seen; the last unseen one is known by elimination."""
    s.stack[s.stack_head] = outcome
    s.shown = outcome + 1
    unseen = unseen_tiles(s)
    if count_bits(unseen) == 1:
        s.stack[(s.stack_head + 1) % N_TILES] = lowest_bit(unseen)
    s.phase = Phase.PLACE
    if s.repetition:
        remember(s, True)


# ---- what is legal -----------------------------------------------------------------------------------------


@kernel
def home_side(s: State, seat: int) -> int:
    """The side on which a seat's runners start."""
    return int(SIDE_OF_SEAT[s.players, seat])


@kernel
def goal_side(s: State, seat: int) -> int:
    """The opposite side, which they have to reach."""
    return int(SIDE_OF_SEAT[s.players, seat]) ^ 2


@kernel
def step(s: State, place: int) -> int:
    """The next place on the path from a place: see `next`."""
    return byte_of(s.next, place)


@kernel
def end_of_path(s: State, place: int) -> int:
    """The post where a runner at `place` ends, negative if its path runs into a space without a tile.

    Most paths have fewer than five steps; the first four are taken without looking, since a mispredicted
    branch costs more.
    """
    place = step(s, step(s, step(s, step(s, place))))
    while True:
        following = step(s, place)
        if following == place:
            return place - FIRST_POST
        place = following


@kernel
def free_ends(s: State) -> int:
    """Posts where a runner of the seat to move may end: free stops and free circles of its goal, as bits."""
    return ~s.occupied & (STOP_BITS | CIRCLES[goal_side(s, s.to_move)])


@kernel
def own_stop(post: int) -> int:
    """The stop that a runner may come back to in a loop, as a bit; none for a circle, which is never entered
    again."""
    return (1 << post) & STOP_BITS


@kernel
def is_movable(s: State, post: int, only_home: bool) -> bool:
    """Runners on goal circles stay; while the seat must leave home, only those on home circles move."""
    side = SIDE_OF[post]
    return side != goal_side(s, s.to_move) and (not only_home or side == home_side(s, s.to_move))


@kernel
def must_leave_home(s: State) -> bool:
    """Are all home circles of the seat to move occupied, by anybody?"""
    circles = CIRCLES[home_side(s, s.to_move)]
    return s.occupied & circles == circles


@kernel
def legal_rotations(s: State, port: int, tile: int, ends: int) -> int:
    """Rotations of `tile`, as bits, in which a runner that enters the port's space there comes to one of
    `ends`."""
    space = port >> 3
    lying, rotations = s.next[space], 0
    for rot in range(ROTATIONS[tile]):
        s.next[space] = CROSSED[tile, rot, space]
        end = end_of_path(s, port)
        rotations |= (int(end >= 0) & (ends >> (end & 63))) << rot
    s.next[space] = lying
    return rotations


@kernel
def list_entries(s: State, place: int, ports: Array, n: int) -> int:
    """Append to `ports`, which holds `n`, the port of every first entry of a space on the path from `place`;
    returns how many it holds then. One more element is written behind them."""
    seen = 0
    while place < FIRST_POST:
        ports[n] = place
        n += 1 - (seen >> (place >> 3) & 1)
        seen |= 1 << (place >> 3)
        following = step(s, place)
        if following == place:
            break
        place = following
    return n


@kernel
def legal_placements(s: State, only_home: bool, out: Ints) -> int:
    """Spaces and rotations of the top tile that allow a runner's move over it. Whatever lies in the space
    counts as gone.

    A runner's path up to its first entry of a space does not depend on the tile laid there. The rotations
    found for each space are collected as bits at the far end of `out`, while its front holds the entries of
    one path; the list, which grows from the front, never reaches those still to be read.
    """
    tile, seat, ends = top_tile(s), s.to_move, free_ends(s)
    rotations = out[MAX_LEGAL - N_SPACES : MAX_LEGAL]
    for space in range(N_SPACES):
        rotations[space] = 0
    for i in range(s.n_runners):
        post = int(s.runner[seat, i])
        if is_movable(s, post, only_home):
            for k in range(N_EXITS[post]):
                for entry in range(list_entries(s, int(EXITS[post, k]), out, 0)):
                    port = int(out[entry])
                    rotations[port >> 3] |= legal_rotations(s, port, tile, ends | own_stop(post))
    n = 0
    for space in range(N_SPACES):
        found = int(rotations[space])
        if found:
            for rot in range(8):
                out[n] = space * 8 + rot
                n += found >> rot & 1
    return n


@kernel
def way_out(s: State, port: int) -> int:
    """The post at which the path ends that leaves the space of `port` there; NOWHERE if it ends in a space
    without a tile, or never (a closed ring of tiles)."""
    place = int(LINK[port])
    start = place
    place = step(s, step(s, step(s, place)))
    while True:
        following = step(s, place)
        if following == place:
            return place - FIRST_POST if place >= FIRST_POST else NOWHERE
        if following == start:
            return NOWHERE
        place = following


@kernel
def legal_moves(s: State, only_home: bool, out: Ints) -> int:
    """Moves of the runners over the tile just laid: along each of its four lines, in both directions, from
    one end of the whole path to the other. Two paths that lead from the same post to the same end are one
    move."""
    seat, ends, laid, movers, n = s.to_move, free_ends(s), int(s.laid), 0, 0
    for i in range(s.n_runners):
        post = int(s.runner[seat, i])
        movers |= int(is_movable(s, post, only_home)) << post
    # where the paths end that leave the tile at edge 0..7, a byte each
    outer = 0
    for edge in range(8):
        outer |= way_out(s, 8 * laid + edge) << 8 * edge
    for edge in range(8):
        start, end = outer >> 8 * edge & 63, outer >> 8 * MATCH[s.tile[laid], s.rot[laid], edge] & 63
        if movers >> start & (ends | own_stop(start)) >> end & 1:
            n = insert(out, n, FIRST_MOVE + start * N_POSTS + end)
    return n


@kernel
def insert(out: Ints, n: int, action: int) -> int:
    """Put an action into the ascending list of `n`, once; return the new length."""
    k = n
    while k > 0 and out[k - 1] > action:
        k -= 1
    if k > 0 and out[k - 1] == action:
        return n
    for j in range(n, k, -1):
        out[j] = out[j - 1]
    out[k] = action
    return n + 1


@kernel
def equal_rotations(s: State, action: int) -> int:
    """In how many of the eight rotations the top tile, laid by `action`, looks the same; 1 for other
    actions."""
    return 8 // int(ROTATIONS[top_tile(s)]) if action < FIRST_MOVE else 1


@kernel
def legal_actions(s: State, out: Ints) -> int:
    """Write the legal actions into `out` in ascending order and return their number; a pass only if there is
    nothing else."""
    n = 0
    if s.phase == Phase.MOVE:
        if must_leave_home(s):
            n = legal_moves(s, True, out)
        return n if n else legal_moves(s, False, out)
    if must_leave_home(s):
        n = legal_placements(s, True, out)
    if n == 0:
        n = legal_placements(s, False, out)
    if n == 0:
        out[0] = PASS
        n = 1
    return n


# ---- what happens ------------------------------------------------------------------------------------------


@kernel
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    s.shown = 0
    if action == PASS:
        pass_turn(s)
    elif action < FIRST_MOVE:
        lay(s, action >> 3, action & 7)
    else:
        move = action - FIRST_MOVE
        move_runner(s, move // N_POSTS, move % N_POSTS)


@kernel
def lay(s: State, space: int, rot: int) -> None:
    """Lay the top tile; the tile under it is out of play, and the tile itself in the mover's hand, until the
    runner has moved."""
    s.covered, s.covered_rot = s.tile[space], s.rot[space]
    place_tile(s, space, top_tile(s), rot)
    s.laid = space
    s.phase = Phase.MOVE


@kernel
def move_runner(s: State, start: int, end: int) -> None:
    """Move a runner, put the covered tile under the stack, and see the next tile unless the game is won."""
    seat, goal = s.to_move, goal_side(s, s.to_move)
    s.occupied = s.occupied & ~(1 << start) | 1 << end
    home = 0
    for i in range(s.n_runners):
        if s.runner[seat, i] == start:
            s.runner[seat, i] = end
        home += int(SIDE_OF[s.runner[seat, i]] == goal)
    take_top(s)
    filled = s.covered < 0
    if not filled:
        put_under(s, s.covered)
    s.laid = -1
    s.covered = -1
    s.covered_rot = 0
    s.phase = Phase.PLACE
    s.passes = 0
    if home == s.n_runners:
        s.winner = seat
        s.ending = Ending.HOME
        s.known = min(int(s.known), s.stack_size - 1)
    else:
        look_at_top(s)
    end_turn(s, filled or s.shown > 0 or start >= N_STOPS or end >= N_STOPS)


@kernel
def pass_turn(s: State) -> None:
    """The same tile stays on top. When everybody had to pass in turn nothing can ever change: a draw."""
    s.passes += 1
    if s.passes >= s.players:
        s.ending = Ending.BLOCKED
    end_turn(s, False)


@kernel
def end_turn(s: State, irreversible: bool) -> None:
    """The next seat, clockwise."""
    s.turn += 1
    following = s.to_move + 1
    s.to_move = following if following < s.players else 0
    if s.repetition and not s.ending and s.phase != Phase.LOOK:
        remember(s, irreversible)


# ---- the option: third repetition --------------------------------------------------------------------------


@kernel
def public_hash(s: State) -> int:
    """A 62-bit hash of what everybody sees: seat to move, tiles, runners (not which is which), the known part
    of the stack."""
    h = int(s.to_move) + 1
    for space in range(N_SPACES):
        h = stir(h, int(s.tile[space]) * 8 + int(s.rot[space]))
    for seat in range(s.players):
        posts = 0
        for i in range(s.n_runners):
            posts |= 1 << int(s.runner[seat, i])
        h = stir(h, posts)
    h = stir(h, top_tile(s))
    for i in range(s.stack_size - s.known, s.stack_size):
        h = stir(h, int(s.stack[(s.stack_head + i) % N_TILES]))
    return h


@kernel
def stir(h: int, value: int) -> int:
    """One round of a multiplicative hash, within 62 bits so that both modes agree."""
    low = ((h & 0x7FFFFFFF) ^ (value & 0x7FFFFFFF)) * 0x5851F42D & 0x3FFFFFFFFFFFFFFF
    high = ((h >> 31) ^ (value >> 31)) * 0x4C957F2D & 0x3FFFFFFFFFFFFFFF
    mixed = (low >> 29 | low << 33 & 0x3FFFFFFFFFFFFFFF) ^ high
    return (mixed ^ mixed >> 17) & 0x3FFFFFFFFFFFFFFF


@kernel
def remember(s: State, irreversible: bool) -> None:
    """Note the position; at its third occurrence the game is drawn. After an event that cannot be undone no
    earlier position can come back, so the memory starts afresh."""
    if irreversible:
        s.past[:] = 0
        s.n_past = 0
    h, seen = public_hash(s), 1
    for i in range(min(s.n_past, MEMORY)):
        seen += int(s.past[i] == h)
    s.past[s.n_past % MEMORY] = h
    s.n_past += 1
    if seen >= 3:
        s.ending = Ending.REPETITION


# ---- the end -----------------------------------------------------------------------------------------------


@kernel
def scores(s: State, out: Floats) -> None:
    """Runners on goal circles."""
    for seat in range(s.players):
        out[seat] = 0.0
        for i in range(s.n_runners):
            out[seat] += int(SIDE_OF[s.runner[seat, i]] == goal_side(s, seat))


@kernel
def outcome(s: State, out: Floats) -> None:
    """1 for the winner; a draw is shared by all; all 0 while the game runs."""
    for seat in range(s.players):
        if s.winner >= 0:
            out[seat] = float(int(s.winner == seat))
        elif s.ending:
            out[seat] = 1.0 / s.players
        else:
            out[seat] = 0.0


@kernel
def revealed(s: State) -> int:
    """0, or 1 + the tile that the last action brought to light."""
    return int(s.shown)


# ---- a random turn without the list ------------------------------------------------------------------------


@kernel
def note_entries(s: State, work: Work, only_home: bool) -> int:
    """Note every first entry of a space by a movable runner: its port and the runner's post. Return their
    number."""
    seat, n = s.to_move, 0
    for i in range(s.n_runners):
        post = int(s.runner[seat, i])
        if is_movable(s, post, only_home):
            before = n
            for k in range(N_EXITS[post]):
                n = list_entries(s, int(EXITS[post, k]), work.port, n)
            work.post[before:n] = post
    return n


@kernel
def arrives(s: State, work: Work, k: int, free: int) -> int:
    """The post where entry `k` ends as the tiles lie now, -1 if that is no legal end."""
    end = end_of_path(s, int(work.port[k]))
    if end < 0 or not (free | own_stop(int(work.post[k]))) >> end & 1:
        return -1
    return end


@kernel
def pack(space: int, rot: int, start: int, end: int) -> int:
    """A whole turn in one number."""
    return (space * 8 + rot) << 12 | start << 6 | end


@kernel
def unpack(turn: int, out: Ints) -> int:
    """The actions of a packed turn; returns their number."""
    out[0] = turn >> 12
    out[1] = FIRST_MOVE + (turn >> 6 & 63) * N_POSTS + (turn & 63)
    return 2


@kernel
def list_turns(s: State, work: Work, n_entries: int) -> int:
    """All different turns of the noted entries, packed, into work.turns; returns their number."""
    tile, free, n = top_tile(s), free_ends(s), 0
    for k in range(n_entries):
        space = int(work.port[k]) >> 3
        for rot in range(ROTATIONS[tile]):
            end = first_to_arrive(s, work, k, tile, rot, free)
            if end >= 0:
                work.turns[n] = pack(space, rot, int(work.post[k]), end)
                n += 1
    return n


@kernel
def first_to_arrive(s: State, work: Work, k: int, tile: int, rot: int, free: int) -> int:
    """The legal end of entry `k` over the tile in that rotation; -1 if there is none or an earlier entry
    makes the same turn."""
    space, post = int(work.port[k]) >> 3, int(work.post[k])
    lying = s.next[space]
    s.next[space] = CROSSED[tile, rot, space]
    end = arrives(s, work, k, free)
    if end >= 0:
        j = k - 1
        while j >= 0 and work.post[j] == post:
            if work.port[j] >> 3 == space and arrives(s, work, j, free) == end:
                end = -1
                break
            j -= 1
    s.next[space] = lying
    return end


@kernel
def draw_turn(s: State, work: Work, only_home: bool, out: Ints) -> int:
    """A uniformly random legal turn: draw entry and rotation until they make a turn that no earlier entry
    makes. After many failures draw from the list, which is uniform too. Returns the number of actions, 0 if
    there is no turn."""
    n, tile = note_entries(s, work, only_home), top_tile(s)
    free, rotations = free_ends(s), int(ROTATIONS[tile])
    if n == 0:
        return 0
    for _ in range(TRIES):
        drawn = below(s, n * rotations)
        k, rot = drawn // rotations, drawn % rotations
        end = first_to_arrive(s, work, k, tile, rot, free)
        if end >= 0:
            return unpack(pack(int(work.port[k]) >> 3, rot, int(work.post[k]), end), out)
    n = list_turns(s, work, n)
    return unpack(int(work.turns[below(s, n)]), out) if n else 0


@kernel
def random_turn(s: State, work: Work, out: Ints) -> int:
    """A whole turn, uniform among all legal ones, or a uniform end of the turn begun; returns its number of
    actions."""
    if s.phase == Phase.MOVE:
        out[0] = random_action(s, work)
        return 1
    n = 0
    if must_leave_home(s):
        n = draw_turn(s, work, True, out)
    if n == 0:
        n = draw_turn(s, work, False, out)
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@kernel
def draw_placement(s: State, work: Work, only_home: bool) -> int:
    """A uniformly random legal placement, -1 if there is none: draw one of the spaces that can be entered and
    a rotation until a runner can move over it."""
    n, tile = note_entries(s, work, only_home), top_tile(s)
    free, rotations = free_ends(s), int(ROTATIONS[tile])
    reached, spaces = 0, 0
    for k in range(n):
        bit = 1 << (int(work.port[k]) >> 3)
        spaces += int(reached & bit == 0)
        reached |= bit
    if n == 0:
        return -1
    for _ in range(TRIES):
        drawn = below(s, spaces * rotations)
        space, rot = nth_bit(reached, drawn // rotations), drawn % rotations
        if allows_move(s, work, n, space, tile, rot, free):
            return space * 8 + rot
    actions = work.turns[:]
    n = legal_placements(s, only_home, actions)
    return int(actions[below(s, n)]) if n else -1


@kernel
def allows_move(s: State, work: Work, n: int, space: int, tile: int, rot: int, free: int) -> bool:
    """Does one of the `n` noted entries of the space end legally over the tile in that rotation?"""
    lying, found = s.next[space], False
    s.next[space] = CROSSED[tile, rot, space]
    for k in range(n):
        if work.port[k] >> 3 == space and arrives(s, work, k, free) >= 0:
            found = True
            break
    s.next[space] = lying
    return found


@kernel
def random_action(s: State, work: Work) -> int:
    """A legal action, uniform among all."""
    if s.phase == Phase.MOVE:
        actions = work.turns[:]
        return int(actions[below(s, legal_actions(s, actions))])
    action = -1
    if must_leave_home(s):
        action = draw_placement(s, work, True)
    if action < 0:
        action = draw_placement(s, work, False)
    return action if action >= 0 else PASS
