"""Who knows what in Octiles: nobody knows the order of the stack below its top, but for the tiles that were
covered during play.

All seats and spectators know the same.
"""

from __future__ import annotations

from ludoteca.game import Chance, Slice, starts
from ludoteca.kernel import Array, below, kernel, reseed

from . import components as C
from .rules import N_SPACES, N_TILES, State, Work, home_side, unseen_tiles

UNKNOWN = -1
N_POSTS, N_EDGES = C.N_POSTS, 8


@kernel
def hide(s: State, seat: int) -> None:
    """Take out what nobody can know. At the end of a game nothing is hidden."""
    if s.ending:
        return
    for i in range(1, s.stack_size - s.known):
        s.stack[(s.stack_head + i) % N_TILES] = UNKNOWN
    s.rng[:] = 0


@kernel
def drop_future(s: State) -> None:
    """Chance decides the order of the stack, as far as nobody knows it."""
    hide(s, 0)


@kernel
def guess(s: State, seat: int, seed: int, work: Work) -> None:
    """Put the unknown tiles in a uniformly random order."""
    if s.ending:
        return
    reseed(s, seed)
    if s.stack_size - s.known <= 1:  # nothing but the top tile, or all are known
        return
    unseen, n = unseen_tiles(s), 0
    for tile in range(N_TILES):
        if unseen >> tile & 1:
            work.turns[n] = tile
            n += 1
    for i in range(1, s.stack_size - s.known):
        k = (s.stack_head + i) % N_TILES
        if s.stack[k] == UNKNOWN:
            j = below(s, n)
            s.stack[k] = work.turns[j]
            n -= 1
            work.turns[j] = work.turns[n]


# The tile that the players see when one has been laid. At the start of a game the order of the whole stack is
# drawn at once.
CHANCES = (
    Chance('tile', 'explicit', 'the next tile of the stack', tuple(str(1 + tile) for tile in range(N_TILES))),
    Chance('start', 'sampled', 'the first tile; with three players also two tiles that lie already'),
)


# ---- what learners see -------------------------------------------------------------------------------------

OBSERVATION = (
    Slice('tiles', (N_SPACES, N_TILES), 'for each space, which tile lies there', ('space', 'tile')),
    Slice('rotations', (N_SPACES, N_EDGES), 'for each space, how its tile is turned', ('space', 'rotation')),
    Slice(
        'runners',
        (4, N_POSTS),
        'for each seat from the viewer on, the posts on which its runners stand',
        ('seat', 'post'),
    ),
    Slice(
        'sides',
        (4, 4),
        'for each seat from the viewer on, the side (W, N, E, S) on which it started',
        ('seat', 'side'),
    ),
    Slice(
        'stack',
        (N_TILES,),
        'for each tile whose place in the stack is known, 1 on top falling to 1/18, else 0',
        ('tile',),
    ),
    Slice('to_move', (4,), 'the seat to move, counted from the viewer', ('seat',)),
    Slice(
        'laid', (1 + N_SPACES,), 'whether a tile has been laid in this turn, and where', ('whether_where',)
    ),
    Slice('passes', (), 'passes in a row, divided by the number of players'),
)
AT = starts(OBSERVATION)


@kernel
def observe(s: State, seat: int, out: Array) -> None:
    """The hidden state as numbers between 0 and 1 from the eyes of a seat; the parts are listed in
    `OBSERVATION`."""
    out[:] = 0.0
    viewer, players = max(seat, 0), int(s.players)
    for space in range(N_SPACES):
        if s.tile[space] >= 0:
            out[AT.tiles + space * N_TILES + int(s.tile[space])] = 1.0
            out[AT.rotations + space * N_EDGES + int(s.rot[space])] = 1.0
    for k in range(players):
        other = (viewer + k) % players
        for i in range(s.n_runners):
            out[AT.runners + k * N_POSTS + int(s.runner[other, i])] = 1.0
        out[AT.sides + k * 4 + home_side(s, other)] = 1.0
    for i in range(s.stack_size):
        tile = int(s.stack[(s.stack_head + i) % N_TILES])
        if tile >= 0:
            out[AT.stack + tile] = 1.0 - i / N_TILES
    out[AT.to_move + (int(s.to_move) - viewer) % players] = 1.0
    out[AT.laid] = float(s.phase)
    if s.laid >= 0:
        out[AT.laid + 1 + int(s.laid)] = 1.0
    out[AT.passes] = int(s.passes) / players
