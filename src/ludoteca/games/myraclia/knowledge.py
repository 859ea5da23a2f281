"""Who knows what in Myraclia: everything is open but the order of the bags, which nobody knows.

Bags are drawn from when cubes and tiles are needed, so another generator is another order of them: the
defaults for open games hide and guess it.
"""

from __future__ import annotations

from ludoteca.game import Chance, Slice, starts
from ludoteca.kernel import Array, kernel, lowest_bit
from ludoteca.kernel.ranges import firsts

from . import components as C
from .rules import (
    ASIDE,
    CUBES,
    DISKS,
    LAST_ROUND,
    N_COLOURS,
    N_DISPLAY,
    N_TILES,
    N_TOKENS,
    NONE,
    SPAN,
    Phase,
    State,
    n_disks,
)

N_SEATS, N_PHASES = 5, Phase.TOKEN + 1  # the starting tiles are laid in none of these phases
REACH = C.REACH
N_COLUMNS = ASIDE + 1
FULL_SCORE = 100.0  # points that count as 1 in an observation
# Numbers of one tile: first whether it is in the bag, whether on the display, its q and its r; then these
OWNER, RESERVER, CUBES_ON, TOKENS_ON, TILE_NUMBERS = firsts((N_SEATS, N_SEATS, N_COLOURS, N_TOKENS), 4)

OBSERVATION = (
    Slice(
        'tiles',
        (N_TILES, TILE_NUMBERS),
        'for each tile: is it in the bag, on the display (or a starting tile still to be laid), on the '
        'surface (3 numbers are 0, 0, 1 and its q and r follow, divided by 20), who has terraformed and '
        'who reserved it, counted from the viewer, cubes and Eternity tokens on it',
        ('tile', 'number'),
    ),
    Slice(
        'cubes',
        (N_SEATS + 5, N_COLOURS),
        'cubes by colour, each divided by their number in the game: in the reserve of each seat from the '
        'viewer on, the pool of the seat to move, exchange zone, drafting board, bag, discard pile',
        ('heap', 'colour'),
    ),
    Slice(
        'columns',
        (N_COLOURS, N_COLUMNS),
        'for each colour its column on the drafting board',
        ('colour', 'column'),
    ),
    Slice(
        'disks',
        (N_SEATS, N_COLUMNS + 1),
        'for each seat from the viewer on, the column of its disk, and how many were laid before it, '
        'divided by 5',
        ('seat', 'number'),
    ),
    Slice('passed', (N_SEATS,), 'who has passed in the draft, from the viewer on', ('seat',)),
    Slice(
        'order',
        (N_SEATS, N_SEATS),
        'for each place of the order, the seat, counted from the viewer',
        ('place', 'seat'),
    ),
    Slice('points', (N_SEATS,), 'points from the viewer on, divided by 100, at most 1', ('seat',)),
    Slice('disks_left', (N_SEATS,), 'disks left from the viewer on, divided by 9', ('seat',)),
    Slice('token', (N_TOKENS,), 'the Eternity token to be laid', ('token',)),
    Slice('tokens', (N_TOKENS,), 'the Eternity tokens that are still face down', ('token',)),
    Slice('to_move', (N_SEATS,), 'the seat to move, counted from the viewer', ('seat',)),
    Slice('phase', (N_PHASES,), 'what it chooses; nothing while starting tiles are laid', ('phase',)),
    Slice(
        'turn',
        (4,),
        'its budget divided by 20, at most 1, actions, terraformations and tiles to be added, divided by 3',
        ('number',),
    ),
    Slice('target', (N_TILES,), 'the tile that is paid for or reserved', ('tile',)),
    Slice(
        'payment',
        (5, N_COLOURS),
        'colours missing, paid plainly, paid by wild cards; triples divided by 3, at most 1, cubes of '
        'fives divided by 2',
        ('part', 'colour'),
    ),
    Slice('round', (), 'the round, divided by 40'),
)
AT = starts(OBSERVATION)

# Bags are drawn from when something is needed. What is drawn before the first action is drawn at once.
CHANCES = (
    Chance('tile', 'explicit', 'a tile for the display', C.TILES),
    Chance(
        'cube', 'explicit', 'a cube for the drafting board, or for a seat when the game begins', C.COLOURS
    ),
    Chance('token', 'explicit', 'the Eternity token that is turned up', C.TOKENS),
    Chance('start', 'sampled', "the starting tiles and their layout, everybody's cubes, the first draft"),
)


# ---- what learners see -------------------------------------------------------------------------------------


@kernel
def observe_tile(s: State, tile: int, viewer: int, out: Array, at: int) -> None:
    """The numbers of one tile."""
    players = int(s.players)
    out[at] = float(s.tile_bag >> tile & 1)
    if s.to_lay >> tile & 1:
        out[at + 1] = 1.0
    if s.where[tile] == NONE:
        return
    out[at + 2] = (int(s.where[tile]) % SPAN - REACH) / REACH
    out[at + 3] = (int(s.where[tile]) // SPAN - REACH) / REACH
    if s.owner[tile] != NONE:
        out[at + OWNER + (int(s.owner[tile]) - viewer) % players] = 1.0
    for seat in range(players):
        if s.reserved[seat] == tile:
            out[at + RESERVER + (seat - viewer) % players] = 1.0
    cubes, tokens = int(s.cubes_on[tile]), int(s.tokens_on[tile])
    while cubes:
        out[at + CUBES_ON + lowest_bit(cubes)] = 1.0
        cubes &= cubes - 1
    while tokens:
        out[at + TOKENS_ON + lowest_bit(tokens)] = 1.0
        tokens &= tokens - 1


@kernel
def observe_cubes(s: State, viewer: int, out: Array) -> None:
    """Where the cubes are."""
    for colour in range(N_COLOURS):
        for k in range(s.players):
            out[AT.cubes + k * N_COLOURS + colour] = (
                int(s.own[(viewer + k) % s.players, colour]) / CUBES[colour]
            )
        out[AT.cubes + (N_SEATS + 0) * N_COLOURS + colour] = int(s.pool[colour]) / CUBES[colour]
        out[AT.cubes + (N_SEATS + 1) * N_COLOURS + colour] = int(s.zone[colour]) / CUBES[colour]
        out[AT.cubes + (N_SEATS + 2) * N_COLOURS + colour] = int(s.board[colour]) / CUBES[colour]
        out[AT.cubes + (N_SEATS + 3) * N_COLOURS + colour] = int(s.bag[colour]) / CUBES[colour]
        out[AT.cubes + (N_SEATS + 4) * N_COLOURS + colour] = int(s.discard[colour]) / CUBES[colour]


@kernel
def observe(s: State, seat: int, out: Array) -> None:
    """The hidden state as numbers between -1 and 1 from the eyes of a seat; the parts are listed in
    `OBSERVATION`."""
    out[:] = 0.0
    viewer, players = max(seat, 0), int(s.players)
    for tile in range(N_TILES):
        observe_tile(s, tile, viewer, out, AT.tiles + tile * TILE_NUMBERS)
    for k in range(N_DISPLAY):
        if s.display[k] != NONE:
            out[AT.tiles + int(s.display[k]) * TILE_NUMBERS + 1] = 1.0
    observe_cubes(s, viewer, out)
    for colour in range(N_COLOURS):
        if s.column[colour] != NONE:
            out[AT.columns + colour * N_COLUMNS + int(s.column[colour])] = 1.0
    for k in range(players):
        other = (viewer + k) % players
        if s.disk[other] != NONE:
            out[AT.disks + k * (N_COLUMNS + 1) + int(s.disk[other])] = 1.0
            out[AT.disks + k * (N_COLUMNS + 1) + N_COLUMNS] = int(s.rank[other]) / N_SEATS
        out[AT.passed + k] = float(s.passed[other])
        out[AT.order + k * N_SEATS + (int(s.order[k]) - viewer) % players] = 1.0
        out[AT.points + k] = min(1.0, max(-1.0, int(s.points[other]) / FULL_SCORE))
        out[AT.disks_left + k] = (DISKS[players] - n_disks(s, other)) / 9
    if s.token != NONE:
        out[AT.token + int(s.token)] = 1.0
    for token in range(N_TOKENS):
        out[AT.tokens + token] = float(s.token_bag >> token & 1)
    out[AT.to_move + (int(s.to_move) - viewer) % players] = 1.0
    if s.phase < N_PHASES:
        out[AT.phase + int(s.phase)] = 1.0
    out[AT.turn], out[AT.turn + 1] = min(1.0, int(s.budget) / 20), int(s.n_actions) / 3
    out[AT.turn + 2], out[AT.turn + 3] = int(s.n_terraformed) / 3, int(s.to_add) / 3
    if s.target != NONE:
        out[AT.target + int(s.target)] = 1.0
    for colour in range(N_COLOURS):
        out[AT.payment + colour] = float(s.missing >> colour & 1)
        out[AT.payment + N_COLOURS + colour] = float(s.plain >> colour & 1)
        out[AT.payment + 2 * N_COLOURS + colour] = float(s.wild >> colour & 1)
        out[AT.payment + 3 * N_COLOURS + colour] = min(1.0, int(s.triples[colour]) / 3)
        out[AT.payment + 4 * N_COLOURS + colour] = int(s.used[colour]) / 2
    out[AT.round] = int(s.round) / LAST_ROUND
