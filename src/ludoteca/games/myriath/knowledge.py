"""Who knows what in Myriath: everybody knows everything. The hands are open, and nothing is drawn by chance.

The defaults for open games hide and guess the generator alone.
"""

from __future__ import annotations

from ludoteca.game import Slice, starts
from ludoteca.kernel import WORD, Array, kernel, lowest_bit

from . import components as C
from .rules import IN_HAND, N_CROSSINGS, N_TILES, Phase, State

N_SEATS, MOST_SIDE = 4, C.MOST_SIDE
MOST_POINTS = 72.0  # half points of 18 tiles whose ends are all connected

OBSERVATION = (
    Slice(
        'quarters',
        (N_SEATS, 4, N_CROSSINGS),
        'for each seat from the viewer on, each quarter (E, N, W, S) and each crossing: 1 '
        'if a tile of the seat covers it',
        ('seat', 'quarter', 'crossing'),
    ),
    Slice(
        'edges',
        (2, 4, N_CROSSINGS),
        'for each side (clockwise, anticlockwise), quarter and crossing: 1 if a half edge faces it '
        'from there',
        ('way', 'quarter', 'crossing'),
    ),
    Slice(
        'area',
        (N_CROSSINGS,),
        'the crossings of the area, counted from the south-west, row by row',
        ('crossing',),
    ),
    Slice(
        'hands',
        (N_SEATS, N_TILES),
        'for each seat from the viewer on, the tiles still in its hand',
        ('seat', 'tile'),
    ),
    Slice('points', (N_SEATS,), 'for each seat from the viewer on, its half points divided by 72', ('seat',)),
    Slice('to_move', (N_SEATS,), 'the seat to move, counted from the viewer', ('seat',)),
    Slice('setup', (), 'whether octagons are being laid'),
    Slice('passes', (), 'passes in a row, divided by the number of players'),
)
AT = starts(OBSERVATION)


# ---- what learners see -------------------------------------------------------------------------------------


@kernel
def put_set(crossings: Array, side: int, out: Array, at: int) -> None:
    """A set of crossings as ones in `out` from `at` on, in the numbering of the largest area."""
    for word in range(len(crossings)):
        bits = int(crossings[word])
        while bits:
            crossing = WORD * word + lowest_bit(bits)
            out[at + crossing % side + MOST_SIDE * (crossing // side)] = 1.0
            bits &= bits - 1


@kernel
def observe(s: State, seat: int, out: Array) -> None:
    """The state as numbers between 0 and 1 from the eyes of a seat; the parts are listed in `OBSERVATION`."""
    out[:] = 0.0
    viewer, players, side = max(seat, 0), int(s.players), int(s.side)
    for quarter in range(4):
        for k in range(players):
            put_set(
                s.own[(viewer + k) % players, quarter],
                side,
                out,
                AT.quarters + (4 * k + quarter) * N_CROSSINGS,
            )
        for way in range(2):
            put_set(s.faced[way, quarter], side, out, AT.edges + (4 * way + quarter) * N_CROSSINGS)
    for crossing in range(side * side):
        out[AT.area + crossing % side + MOST_SIDE * (crossing // side)] = 1.0
    for k in range(players):
        for tile in range(N_TILES):
            out[AT.hands + k * N_TILES + tile] = 1.0 if s.at[(viewer + k) % players, tile] == IN_HAND else 0.0
        out[AT.points + k] = int(s.points[(viewer + k) % players]) / MOST_POINTS
    out[AT.to_move + (int(s.to_move) - viewer) % players] = 1.0
    out[AT.setup] = 1.0 if s.phase == Phase.SETUP else 0.0
    out[AT.passes] = int(s.passes) / players
