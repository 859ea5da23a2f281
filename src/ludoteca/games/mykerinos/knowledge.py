"""Who knows what in Mykerinos: nobody knows which of the unseen tiles a season will bring. All else is open
to all."""

from __future__ import annotations

from ludoteca.game import Chance, Slice, starts
from ludoteca.kernel import WORD, Array, below, kernel, lowest_bit, reseed

from . import components as C
from .rules import (
    DEAL,
    LYING,
    N_CUBES,
    N_PATRONS,
    N_ROOMS,
    N_SPACES,
    N_TILES,
    N_WINGS,
    NEUTRAL,
    UNKNOWN,
    UNSEEN,
    Phase,
    State,
    Work,
    place_on_scale,
)

N_SEATS, N_PHASES, N_SEASONS, MOST_DEALT = 4, Phase.REMOVE + 1, C.N_SEASONS, C.MOST_DEALT
FULL_SCORE = 100.0  # points that count as 1 in an observation

# The wings and the tiles of the first season are drawn before anybody has chosen anything.
CHANCES = (
    Chance(
        'tile',
        'explicit',
        'the next tile of a season, and whether it is turned',
        tuple(f'{tile}{turned}' for tile in C.TILES for turned in ('', ' turned')),
    ),
    Chance('start', 'sampled', 'the tiles of the first season, and which patron has which wing'),
)

OBSERVATION = (
    Slice(
        'cubes',
        (5, N_SPACES),
        'for each seat from the viewer on, then the neutral colour, the spaces with its cubes',
        ('colour', 'space'),
    ),
    Slice('pyramids', (N_SPACES,), 'spaces with a pyramid', ('space',)),
    Slice(
        'tiles',
        (MOST_DEALT, N_TILES),
        'for each place of the season, which tile lies there if it has not been taken',
        ('slot', 'tile'),
    ),
    Slice('unseen', (N_TILES,), 'tiles that have not been dealt yet', ('tile',)),
    Slice(
        'held',
        (N_SEATS, 6),
        'for each seat from the viewer on, tiles of each patron and of none, divided by 7',
        ('seat', 'kind'),
    ),
    Slice('tilted', (N_SEATS, 6), 'of these the tilted ones, divided by 7', ('seat', 'kind')),
    Slice('wings', (N_PATRONS, N_WINGS), 'for each patron its wing', ('patron', 'wing')),
    Slice(
        'rooms',
        (N_SEATS, N_ROOMS),
        'for each seat from the viewer on, the rooms with its cubes',
        ('seat', 'room'),
    ),
    Slice('stock', (N_SEATS,), 'cubes in the stocks, divided by those of a colour', ('seat',)),
    Slice('reserve', (N_SEATS,), 'cubes in the reserves, divided by those of a colour', ('seat',)),
    Slice('neutral', (N_SEATS,), 'neutral cubes of the seats, divided by those of a colour', ('seat',)),
    Slice('points', (N_SEATS,), 'points on the track, divided by 100, at most 1', ('seat',)),
    Slice(
        'scale',
        (N_SEATS, 4),
        'for each seat from the viewer on, its space of the passing scale',
        ('seat', 'place'),
    ),
    Slice('season', (N_SEASONS,), 'the season', ('season',)),
    Slice('to_move', (N_SEATS,), 'the seat to move, counted from the viewer', ('seat',)),
    Slice('phase', (N_PHASES,), 'what it chooses', ('phase',)),
    Slice('last', (), 'whether it is the last turn of the excavation'),
    Slice('patron', (N_PATRONS,), 'the patron whose power is used', ('patron',)),
    Slice('laid', (N_SPACES,), 'spaces of the cubes laid in this turn', ('space',)),
    Slice('area', (C.N_AREAS,), 'the area that is surveyed', ('area',)),
)
AT = starts(OBSERVATION)


@kernel
def hide(s: State, seat: int) -> None:
    """Take out what nobody can know. At the end of a game nothing is hidden."""
    if s.ending:
        return
    for i in range(s.dealt, N_TILES):
        s.deck[i] = UNKNOWN
        s.turned[i] = UNKNOWN
    s.rng[:] = 0


@kernel
def drop_future(s: State) -> None:
    """Chance decides the order of the tiles that have not been dealt."""
    hide(s, 0)


@kernel
def guess(s: State, seat: int, seed: int, work: Work) -> None:
    """Put the unseen tiles in a uniformly random order, each turned or not."""
    if s.ending:
        return
    reseed(s, seed)
    n = 0
    for tile in range(N_TILES):
        if s.owner[tile] == UNSEEN:
            work.actions[n] = tile
            n += 1
    for i in range(s.dealt, N_TILES):
        j = below(s, n)
        n -= 1
        s.deck[i] = work.actions[j]
        work.actions[j] = work.actions[n]
        s.turned[i] = below(s, 2)


# ---- what learners see -------------------------------------------------------------------------------------


@kernel
def put_set(spaces: Array, out: Array, at: int) -> None:
    """A set of spaces as ones in `out` from `at` on."""
    for word in range(len(spaces)):
        bits = int(spaces[word])
        while bits:
            out[at + WORD * word + lowest_bit(bits)] = 1.0
            bits &= bits - 1


@kernel
def observe(s: State, seat: int, out: Array) -> None:
    """The hidden state as numbers between 0 and 1 from the eyes of a seat; the parts are listed in
    `OBSERVATION`."""
    out[:] = 0.0
    viewer, players = max(seat, 0), int(s.players)
    for k in range(5):
        who = NEUTRAL if k == NEUTRAL else (viewer + k) % players
        if k < players or k == NEUTRAL:
            put_set(s.cubes[who], out, AT.cubes + k * N_SPACES)
    put_set(s.pyramids, out, AT.pyramids)
    dealt = DEAL[s.season]
    for slot in range(dealt):
        tile = int(s.deck[s.dealt - dealt + slot])
        if s.owner[tile] == LYING:
            out[AT.tiles + slot * N_TILES + tile] = 1.0
    for tile in range(N_TILES):
        out[AT.unseen + tile] = 1.0 if s.owner[tile] == UNSEEN else 0.0
    for k in range(players):
        other = (viewer + k) % players
        for patron in range(6):
            out[AT.held + k * 6 + patron] = int(s.held[other, patron]) / 7
            out[AT.tilted + k * 6 + patron] = int(s.used[other, patron]) / 7
    for patron in range(N_PATRONS):
        out[AT.wings + patron * N_WINGS + int(s.wing[patron])] = 1.0
    for room in range(N_ROOMS):
        if s.room[room] >= 0:
            out[AT.rooms + (int(s.room[room]) - viewer) % players * N_ROOMS + room] = 1.0
    for k in range(players):
        other = (viewer + k) % players
        out[AT.stock + k] = int(s.stock[other]) / N_CUBES
        out[AT.reserve + k] = int(s.reserve[other]) / N_CUBES
        out[AT.neutral + k] = int(s.neutral_stock[other]) / N_CUBES
        out[AT.points + k] = min(1.0, int(s.points[other]) / FULL_SCORE)
        space = place_on_scale(s, other)
        if space < 4:
            out[AT.scale + k * 4 + space] = 1.0
    out[AT.season + int(s.season)] = 1.0
    out[AT.to_move + (int(s.to_move) - viewer) % players] = 1.0
    out[AT.phase + int(s.phase)] = 1.0
    out[AT.last] = float(s.last)
    if s.appeal >= 0:
        out[AT.patron + int(s.appeal)] = 1.0
    for n in range(3):
        if s.laid[n] >= 0:
            out[AT.laid + int(s.laid[n])] = 1.0
    if s.phase == Phase.CLAIM or s.phase == Phase.REMOVE:
        out[AT.area + int(s.area)] = 1.0
