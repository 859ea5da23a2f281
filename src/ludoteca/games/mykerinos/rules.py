"""The rules of Mykerinos: state, setup, what is legal, what happens, the end.

Actions. A turn is one or several actions of a seat, a claim in a survey a turn of its own:
    START + space             0 ..  71     lay a cube there, `start c4`
    EXTEND + space           72 .. 143     lay the first cube of an extension, `extend c4`
    SPACE + space           144 .. 215     lay the next cube, `c5`
    ROOM + room             216 .. 230     Sir Brown's cube to the museum, `3-lemon`
    MUSEUM + room           231 .. 245     a claim: a cube to the museum, `museum 3-lemon`
    APPEAL + patron         246 .. 250     tilt a tile, `violet`, `lemon`, `brown`, `blackmore`, `tangerine`
    PASS                    251            `pass`
    TAKE + k                252 .. 253     a claim: take the left or the right tile of the area, `take 1`,
                            `take 2`
    NOTHING                 254            no claim, or no neutral move, `nothing`
    NEUTRAL_TAKE + k        255 .. 256     which tile the neutral colour takes away, `neutral take 1`
    NEUTRAL_START + space   257 .. 328     `neutral start c4`
    NEUTRAL_EXTEND + space  329 .. 400     `neutral extend c4`, then `c5`

Sets of spaces are two words of bits (kernel/bits.py).

The spaces by column, row and number; a tile is two columns and three rows (dots between the two tiles of an
area):

         a  b    c  d    e  f    g  h
    1    0  1 .  2  3 |  4  5 .  6  7   areas A, B
    2    8  9 . 10 11 | 12 13 . 14 15
    3   16 17 . 18 19 | 20 21 . 22 23
        --------------+--------------
    4   24 25 . 26 27 | 28 29 . 30 31   areas C, D
    5   32 33 . 34 35 | 36 37 . 38 39
    6   40 41 . 42 43 | 44 45 . 46 47
        --------------+--------------
    7   48 49 . 50 51 | 52 53 . 54 55   areas E, F, in the last season only
    8   56 57 . 58 59 | 60 61 . 62 63
    9   64 65 . 66 67 | 68 69 . 70 71
"""

from __future__ import annotations

from enum import IntEnum

from ludoteca.game import ActionSpace, Slice
from ludoteca.kernel import (
    Array,
    Floats,
    Ints,
    Record,
    below,
    field,
    holds,
    kernel,
    list_large_set,
    list_set,
    lowered,
    lowest_bit,
    places_of,
    put_in,
    raised,
    size_of,
    start_generator,
)
from ludoteca.kernel.random_play import drawn_from_list, drawn_step_by_step
from ludoteca.kernel.shares import share_win

from . import components as C

N_TILES, N_SPACES, N_ROOMS, N_AREAS, N_SEASONS = C.N_TILES, C.N_SPACES, C.N_ROOMS, C.N_AREAS, C.N_SEASONS
N_PATRONS, N_WINGS, N_CUBES, N_COLUMNS = C.N_PATRONS, C.N_WINGS, C.N_CUBES, C.N_COLUMNS
VIOLET, LEMON, BROWN, BLACKMORE, TANGERINE, BLANK = (
    C.VIOLET,
    C.LEMON,
    C.BROWN,
    C.BLACKMORE,
    C.TANGERINE,
    C.BLANK,
)
PATRON_OF, POINTS_OF, PYRAMIDS_OF = C.PATRON_TABLE, C.POINTS_TABLE, C.PYRAMIDS_TABLE
AREA, REGION, EAST_EDGE, WEST_EDGE = C.AREA_TABLE, C.REGION_TABLE, C.EAST_EDGE_TABLE, C.WEST_EDGE_TABLE
NEEDED, ROOMS_OF_WING, INCOME, DEAL = C.NEEDED_TABLE, C.WING_TABLE, C.INCOME_TABLE, C.DEAL_TABLE
LAST_DEALT = C.LAST_DEALT_TABLE
BESIDE, NEUTRAL_INCOME = C.BESIDE_TABLE, C.NEUTRAL_INCOME

ACTIONS = ActionSpace(
    Slice('start', (9, 8), 'lay a cube', ('row', 'column')),
    Slice('extend', (9, 8), 'lay the first cube of an extension', ('row', 'column')),
    Slice('space', (9, 8), 'lay the next cube', ('row', 'column')),
    Slice('room', (N_ROOMS,), "Sir Brown's cube to the museum", ('room',)),
    Slice('museum', (N_ROOMS,), 'a claim: a cube to the museum', ('room',)),
    Slice('appeal', (N_PATRONS,), 'tilt a tile', ('patron',)),
    Slice('pass', (), 'pass'),
    Slice('take', (2,), 'a claim: take a tile of the area', ('side',)),
    Slice('nothing', (), 'no claim, or no neutral move'),
    Slice('neutral_take', (2,), 'which tile the neutral colour takes away', ('side',)),
    Slice('neutral_start', (9, 8), 'lay a neutral cube', ('row', 'column')),
    Slice('neutral_extend', (9, 8), 'lay the first neutral cube of an extension', ('row', 'column')),
)
(
    START,
    EXTEND,
    SPACE,
    ROOM,
    MUSEUM,
    APPEAL,
    PASS,
    TAKE,
    NOTHING,
    NEUTRAL_TAKE,
    NEUTRAL_START,
    NEUTRAL_EXTEND,
    N_ACTIONS,
) = ACTIONS.firsts
MAX_LEGAL = 2 * N_SPACES + N_PATRONS + 1  # start, extend, a patron, pass
WIDE = -1  # of `revealed`: so much that nobody could foresee it

SHORT = 2 * 3 * N_COLUMNS  # spaces of the first three seasons: with the next row they fit into one word
NOBODY = -1
NEUTRAL = 4  # the neutral colour, where seats are counted
UNSEEN, LYING, GONE = -1, 4, 5  # of `owner`, beside seats
UNKNOWN = -1  # of `deck` and `turned`


class Phase(IntEnum):
    """What the seat to move chooses next; below 0 what chance has to decide."""

    DEAL = -1  # the next tile of the season, and how it is turned
    EXCAVATE = 0  # an action
    APPEAL = 1  # what to do with the patron's help
    DIG = 2  # where the next cube of the excavation goes
    NEUTRAL = 3  # two players: a neutral move, or none
    CLAIM = 4  # survey: a tile, a room or nothing
    REMOVE = 5  # survey with two players: which tile the neutral colour takes


class Ending(IntEnum):
    """How a game ends; the names for people are in the words under `ending`."""

    RUNNING = 0
    EXHIBITION = 1


class State(Record):
    """A game of Mykerinos."""

    cubes: Array = field('i8', (5, 2))  # [seat or NEUTRAL, word] -> spaces with its cubes
    pyramids: Array = field('i8', 2)  # spaces with a pyramid
    rng: Array = field('u4', 4)
    points: Array = field('i2', 4)  # on the track
    turn: int = field('i2')
    reveals: int = field('i2')
    # [place in the deal] -> tile, UNKNOWN to anybody until it is dealt
    deck: Array = field('i1', N_TILES)
    turned: Array = field('i1', N_TILES)  # [place in the deal] -> is it turned by 180 degrees
    owner: Array = field('i1', N_TILES)  # [tile] -> seat, LYING, GONE or UNSEEN
    held: Array = field('i1', (4, 6))  # [seat, patron] -> tiles that it has, of no patron included
    used: Array = field('i1', (4, 6))  # [seat, patron] -> of them tilted
    wing: Array = field('i1', N_PATRONS)  # [patron] -> its wing
    room: Array = field('i1', N_ROOMS)  # [room] -> whose cube is there, NOBODY
    stock: Array = field('i1', 4)  # [seat] -> cubes to play with
    reserve: Array = field('i1', 4)  # [seat] -> cubes set aside
    neutral_stock: Array = field('i1', 4)  # [seat] -> neutral cubes to play with
    neutral_reserve: int = field('i1')
    scale: Array = field('i1', 4)  # [space of the passing scale] -> seat, NEUTRAL or NOBODY
    players: int = field('i1')
    five_door: int = field('i1')  # option: 1 if a 5 room is entered through the 3 room only
    season: int = field('i1')  # 0..3
    dealt: int = field('i1')  # tiles of the deck that have been dealt
    first: int = field('i1')  # the first player of the season
    to_move: int = field('i1')
    phase: int = field('i1')
    last: int = field('i1')  # is it the last turn of the season's excavation?
    appeal: int = field('i1')  # patron whose power is used in this turn, NOBODY
    digger: int = field('i1')  # whose cubes are laid in phase DIG: the seat's or NEUTRAL
    to_lay: int = field('i1')  # cubes still to be laid there
    laid: Array = field('i1', 3)  # spaces of the cubes laid in this excavation, NOBODY
    # two players: those of the own one, while a neutral one is made
    own_laid: Array = field('i1', 3)
    entered: int = field('i1')  # room into which Sir Brown's cube went in this turn, NOBODY
    area: int = field('i1')  # in the survey
    rank: Array = field('i1', 5)  # who takes part in it, the first rank first
    n_ranked: int = field('i1')
    next_rank: int = field('i1')  # whose claim it is
    news: int = field('i1')  # did the last action deal a season?
    ending: int = field('i1')


class Work(Record):
    """Scratch of the functions that draw a random action, and of guessing."""

    actions: Array = field('i4', MAX_LEGAL)


# ---- setup -------------------------------------------------------------------------------------------------


@kernel
def clear_table(s: State, players: int, five_door: int) -> None:
    """Everything in the box: no tiles dealt, all cubes in the reserves, an empty museum."""
    s.cubes[:] = 0
    s.pyramids[:] = 0
    s.points[:] = 0
    s.turn = 0
    s.reveals = 0
    s.deck[:] = UNKNOWN
    s.turned[:] = UNKNOWN
    s.owner[:] = UNSEEN
    s.held[:] = 0
    s.used[:] = 0
    s.room[:] = NOBODY
    s.stock[:] = 0
    s.neutral_stock[:] = 0
    for seat in range(4):
        s.reserve[seat] = N_CUBES if seat < players else 0
    for patron in range(N_PATRONS):
        s.wing[patron] = patron
    s.neutral_reserve = N_CUBES if players == 2 else 0
    s.players = players
    s.five_door = five_door
    s.season = 0
    s.dealt = 0
    s.first = 0
    s.news = 0
    s.ending = Ending.RUNNING
    begin_turns(s)


@kernel
def begin_turns(s: State) -> None:
    """An empty passing scale, nothing begun, the first player to move."""
    s.scale[:] = NOBODY
    if s.players == 2:
        s.scale[1] = NEUTRAL
    s.last = 0
    s.area = 0
    s.rank[:] = NOBODY
    s.n_ranked = 0
    s.next_rank = 0
    s.to_move = s.first
    begin_turn(s)


@kernel
def begin_turn(s: State) -> None:
    """The seat to move has done nothing yet."""
    s.phase = Phase.EXCAVATE
    s.appeal = NOBODY
    s.digger = NOBODY
    s.to_lay = 0
    for k in range(3):
        s.laid[k] = NOBODY
        s.own_laid[k] = NOBODY
    s.entered = NOBODY


@kernel
def setup(s: State, players: int, options: Ints, seed: Array) -> None:
    """A game at the start of its first season."""
    clear_table(s, players, options[0])
    start_generator(s, seed)
    for i in range(N_TILES):
        s.deck[i] = i
        s.turned[i] = below(s, 2)
    for i in range(N_TILES - 1, 0, -1):
        j = below(s, i + 1)
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
    for i in range(N_PATRONS - 1, 0, -1):
        j = below(s, i + 1)
        s.wing[i], s.wing[j] = s.wing[j], s.wing[i]
    deal(s)
    take_income(s)


@kernel
def deal(s: State) -> bool:
    """Lay out the tiles of a season that do not lie yet; False if nobody knows the next one."""
    while s.dealt < LAST_DEALT[s.season]:
        if s.deck[s.dealt] == UNKNOWN:
            return False
        slot = s.dealt - LAST_DEALT[s.season] + DEAL[s.season]
        lay_tile(s, slot, int(s.deck[s.dealt]), int(s.turned[s.dealt]))
        s.dealt += 1
    return True


@kernel
def lay_tile(s: State, slot: int, tile: int, turned: int) -> None:
    """Lay a tile in its place of the region."""
    for word in range(2):
        s.pyramids[word] |= PYRAMIDS_OF[slot, tile, turned, word]
    s.owner[tile] = LYING


@kernel
def take_income(s: State) -> None:
    """Cubes from the reserves to the stocks, as many as there are."""
    for seat in range(s.players):
        n = min(INCOME[s.players], int(s.reserve[seat]))
        s.stock[seat] += n
        s.reserve[seat] -= n
    # one by one from the first player on: it matters only if they run short
    if s.players == 2:
        for k in range(2 * NEUTRAL_INCOME):
            if s.neutral_reserve:
                s.neutral_stock[(s.first + k) % 2] += 1
                s.neutral_reserve -= 1


# ---- sets of spaces ----------------------------------------------------------------------------------------


@kernel
def empty(s: State) -> tuple[int, int]:
    """Spaces of the region without a cube, those with a pyramid included."""
    low, high = REGION[s.season, 0], REGION[s.season, 1]
    for who in range(5):
        low &= ~s.cubes[who, 0]
        high &= ~s.cubes[who, 1]
    return low, high


@kernel
def free(s: State) -> tuple[int, int]:
    """Spaces of the region without cube and pyramid."""
    low, high = empty(s)
    return low & ~s.pyramids[0], high & ~s.pyramids[1]


@kernel
def is_room(s: State) -> bool:
    """Is there a space of the region without cube and pyramid?"""
    low, high = free(s)
    return low | high != 0


@kernel
def shifted(low: int, high: int, way: int) -> tuple[int, int]:
    """A set moved by one space: 0 east, 1 west, 2 south, 3 north."""
    if way == 0:
        return raised(low & ~EAST_EDGE[0], high & ~EAST_EDGE[1], 1)
    if way == 1:
        return lowered(low & ~WEST_EDGE[0], high & ~WEST_EDGE[1], 1)
    if way == 2:
        return raised(low, high, N_COLUMNS)
    return lowered(low, high, N_COLUMNS)


@kernel
def beside(low: int, high: int) -> tuple[int, int]:
    """Spaces next to one of a set."""
    if high == 0 and low >> SHORT == 0:
        east, west = (low & ~EAST_EDGE[0]) << 1, (low & ~WEST_EDGE[0]) >> 1
        return east | west | low << N_COLUMNS | low >> N_COLUMNS, 0
    found, found_high = 0, 0
    for way in range(4):
        near, near_high = shifted(low, high, way)
        found |= near
        found_high |= near_high
    return found, found_high


@kernel
def beside_two(low: int, high: int) -> tuple[int, int]:
    """Spaces next to two or more of a set."""
    if high == 0 and low >> SHORT == 0:
        east, west = (low & ~EAST_EDGE[0]) << 1, (low & ~WEST_EDGE[0]) >> 1
        south, north = low << N_COLUMNS, low >> N_COLUMNS
        return east & west | south & north | (east | west) & (south | north), 0
    once, once_high, twice, twice_high = 0, 0, 0, 0
    for way in range(4):
        near, near_high = shifted(low, high, way)
        twice |= once & near
        twice_high |= once_high & near_high
        once |= near
        once_high |= near_high
    return twice, twice_high


@kernel
def rows(low: int, high: int, n: int) -> tuple[int, int]:
    """The spaces of a set for the first of `n` cubes in a row, each of which must find one of the set next to
    the one before."""
    if n == 1:
        return low, high
    if n == 2:
        near, near_high = beside(low, high)
    else:
        two, two_high = beside_two(low, high)
        near, near_high = beside(low & two, high & two_high)
    return low & near, high & near_high


@kernel
def sites(s: State, to_lay: int, lemon: bool) -> tuple[int, int]:
    """Spaces for the first of so many cubes in a row. With Lord Lemon (two cubes at the most) one of them may
    go on a pyramid."""
    low, high = free(s)
    if not lemon:
        return rows(low, high, to_lay)
    all_low, all_high = empty(s)
    if to_lay == 1:
        return all_low, all_high
    near, near_high = beside(low, high)
    any_low, any_high = beside(all_low, all_high)
    return low & any_low | all_low & near, high & any_high | all_high & near_high


@kernel
def beside_cubes(s: State, who: int, low: int, high: int) -> tuple[int, int]:
    """Those of a set that lie next to somebody's cubes."""
    near, near_high = beside(s.cubes[who, 0], s.cubes[who, 1])
    return low & near, high & near_high


@kernel
def extensions(s: State, who: int, to_lay: int, lemon: bool) -> tuple[int, int]:
    """Spaces for the first cube of an extension."""
    return beside_cubes(s, who, *sites(s, to_lay, lemon))


@kernel
def next_spaces(s: State) -> tuple[int, int]:
    """Where the next cube of the excavation in progress may go."""
    lemon, n = s.appeal == LEMON and s.digger != NEUTRAL, 0
    while n < 3 and s.laid[n] >= 0:
        n += 1
    if n == 0:
        if s.appeal == TANGERINE:
            return extensions(s, s.digger, 3, False)
        return sites(s, 2, False)  # Mrs. Blackmore
    last = int(s.laid[n - 1])
    lemon = lemon and not holds(s.pyramids, last)
    low, high = sites(s, int(s.to_lay), lemon)
    return low & BESIDE[last, 0], high & BESIDE[last, 1]


# ---- what is legal -----------------------------------------------------------------------------------------


@kernel
def rooms_open(s: State, seat: int) -> int:
    """The rooms of the museum into which a seat may put a cube, as bits."""
    own, open_ = places_of(seat, s.room), places_of(NOBODY, s.room)
    for room in range(N_WINGS):  # the 5 rooms come first
        if own & NEEDED[s.five_door, room] == 0:
            open_ &= ~(1 << room)
    return open_


@kernel
def can_appeal(s: State, patron: int) -> bool:
    """Can the seat to move, which has an untilted tile of the patron, make use of the power?"""
    seat = s.to_move
    stock = s.stock[seat]
    if patron == VIOLET:
        return s.reserve[seat] > 0 and is_room(s)
    if patron == LEMON:
        return stock > 0 and size_of(*empty(s)) > 0
    if patron == BROWN:
        return stock > 0 and rooms_open(s, seat) != 0
    if patron == BLACKMORE:
        return stock > 1 and size_of(*sites(s, 2, False)) > 0
    return stock > 2 and size_of(*extensions(s, seat, 3, False)) > 0


@kernel
def list_digs(s: State, lemon: bool, out: Ints) -> int:
    """Starts and extensions of the seat to move; returns their number."""
    seat, n = int(s.to_move), 0
    low, high = sites(s, 1, lemon)
    if s.stock[seat] > 0:
        n = list_large_set(low, high, START, out, n)
    if s.stock[seat] > 1:
        low, high = sites(s, 2, True) if lemon else rows(low, high, 2)
        low, high = beside_cubes(s, seat, low, high)
        n = list_large_set(low, high, EXTEND, out, n)
    return n


@kernel
def list_actions(s: State, out: Ints) -> int:
    """A turn's beginnings: starts, extensions, patrons, pass."""
    n, seat = list_digs(s, False, out), int(s.to_move)
    for patron in range(N_PATRONS):
        if s.held[seat, patron] > s.used[seat, patron] and can_appeal(s, patron):
            out[n] = APPEAL + patron
            n += 1
    out[n] = PASS
    return n + 1


@kernel
def list_appeal(s: State, out: Ints) -> int:
    """What can be done with the help of the patron."""
    if s.appeal == BROWN:
        return list_set(rooms_open(s, s.to_move), 0, ROOM, out, 0)
    return list_digs(s, s.appeal == LEMON, out)


@kernel
def list_neutral(s: State, out: Ints) -> int:
    """Neutral moves, and none."""
    out[0] = NOTHING
    low, high = free(s)
    n = list_large_set(low, high, NEUTRAL_START, out, 1)
    if s.neutral_stock[s.to_move] > 1:
        low, high = rows(low, high, 2)
        low, high = beside_cubes(s, NEUTRAL, low, high)
        n = list_large_set(low, high, NEUTRAL_EXTEND, out, n)
    return n


@kernel
def tile_in(s: State, k: int) -> int:
    """The left (0) or right (1) tile of the area that is surveyed, NOBODY if it has been taken."""
    tile = int(s.deck[s.dealt - DEAL[s.season] + 2 * s.area + k])
    return tile if s.owner[tile] == LYING else NOBODY


@kernel
def list_tiles(s: State, first: int, out: Ints, n: int) -> int:
    """The tiles left in the area."""
    for k in range(2):
        out[n] = first + k
        n += int(tile_in(s, k) != NOBODY)
    return n


@kernel
def list_claims(s: State, out: Ints) -> int:
    """A room for the first two ranks, a tile, or nothing."""
    n, seat = 0, int(s.to_move)
    if s.next_rank < 2 and s.reserve[seat] > 0:
        n = list_set(rooms_open(s, seat), 0, MUSEUM, out, n)
    n = list_tiles(s, TAKE, out, n)
    out[n] = NOTHING
    return n + 1


@kernel
def legal_actions(s: State, out: Ints) -> int:
    """Write the legal actions in ascending order; returns their number, 0 when the game is over."""
    if s.ending:
        return 0
    if s.phase == Phase.EXCAVATE:
        return list_actions(s, out)
    if s.phase == Phase.DIG:
        low, high = next_spaces(s)
        return list_large_set(low, high, SPACE, out, 0)
    if s.phase == Phase.CLAIM:
        return list_claims(s, out)
    if s.phase == Phase.APPEAL:
        return list_appeal(s, out)
    if s.phase == Phase.NEUTRAL:
        return list_neutral(s, out)
    return list_tiles(s, NEUTRAL_TAKE, out, 0)


# ---- excavation --------------------------------------------------------------------------------------------


@kernel
def lay_cube(s: State, space: int) -> None:
    """Lay a cube of the digger; the last one ends the action."""
    seat, n = s.to_move, int(s.laid[0] >= 0) + int(s.laid[1] >= 0)
    if s.digger == NEUTRAL:
        s.neutral_stock[seat] -= 1
    else:
        s.stock[seat] -= 1
    put_in(s.cubes[s.digger], space)
    s.laid[n] = space
    s.to_lay -= 1
    if s.to_lay:
        s.phase = Phase.DIG
    elif s.digger == NEUTRAL:
        end_turn(s)
    else:
        end_own_action(s)


@kernel
def dig(s: State, who: int, space: int, to_lay: int) -> None:
    """Begin an excavation of so many cubes of the seat or of the neutral colour."""
    s.digger = who
    s.to_lay = to_lay
    lay_cube(s, space)


@kernel
def appeal(s: State, patron: int) -> None:
    """Tilt a tile of the patron."""
    seat = s.to_move
    s.used[seat, patron] += 1
    s.appeal = patron
    s.phase = Phase.APPEAL
    if patron == VIOLET:
        s.stock[seat] += 1
        s.reserve[seat] -= 1
    elif patron == BLACKMORE or patron == TANGERINE:
        s.digger = seat
        s.to_lay = 2 if patron == BLACKMORE else 3
        s.phase = Phase.DIG


@kernel
def end_own_action(s: State) -> None:
    """With two players a neutral move may follow."""
    if s.players == 2 and s.neutral_stock[s.to_move] > 0 and is_room(s):
        for k in range(3):
            s.own_laid[k] = s.laid[k]
            s.laid[k] = NOBODY
        s.digger = NOBODY
        s.phase = Phase.NEUTRAL
    else:
        end_turn(s)


@kernel
def place_on_scale(s: State, who: int) -> int:
    """The space of the passing scale where somebody's disk lies; behind all of them for whoever has not
    passed."""
    place = 4
    for k in range(3, -1, -1):  # all of them: to leave the loop early costs a branch that nobody foresees
        if s.scale[k] == who:
            place = k
    return place


@kernel
def still_active(s: State) -> int:
    """The seats that have not passed, as bits."""
    passed = 0
    for k in range(4):
        passed |= 1 << s.scale[k] + 1
    return (1 << s.players) - 1 & ~(passed >> 1)


@kernel
def end_turn(s: State) -> None:
    """It is the turn of the next seat that has not passed, or the excavation is over."""
    s.turn += 1
    active = still_active(s)
    if s.last or active == 0:
        begin_turn(s)
        s.area = -1
        next_area(s)
        return
    s.last = int(active & active - 1 == 0)
    later = active >> s.to_move + 1
    s.to_move = s.to_move + 1 + lowest_bit(later) if later else lowest_bit(active)
    begin_turn(s)


@kernel
def pass_(s: State) -> None:
    """The seat's disk goes to the lowest free space of the passing scale."""
    k = 0
    while s.scale[k] != NOBODY:
        k += 1
    s.scale[k] = s.to_move
    end_turn(s)


# ---- survey ------------------------------------------------------------------------------------------------


@kernel
def cubes_in(s: State, who: int, area: int) -> int:
    """How many cubes somebody has in an area."""
    return size_of(s.cubes[who, 0] & AREA[area, 0], s.cubes[who, 1] & AREA[area, 1])


@kernel
def rank_area(s: State) -> None:
    """Who takes part in the survey of the area: most cubes first, ties to whoever passed earlier."""
    for k in range(5):
        s.rank[k] = NOBODY
    s.n_ranked = 0
    s.next_rank = 0
    standings = 0  # of those ranked, one byte each
    for who in range(5):
        n = cubes_in(s, who, s.area)
        if n == 0:
            continue
        standing, k = 8 * n - place_on_scale(s, who), int(s.n_ranked)
        while k > 0 and standing > standings >> 8 * int(s.rank[k - 1]) & 255:
            s.rank[k] = s.rank[k - 1]
            k -= 1
        s.rank[k] = who
        standings |= standing << 8 * who
        s.n_ranked += 1


@kernel
def next_area(s: State) -> None:
    """Survey the next area, up to a choice; after the last one the season is over."""
    while True:
        s.area += 1
        if s.area == DEAL[s.season] // 2:
            end_season(s)
            return
        rank_area(s)
        if asks(s):
            return
        clear_area(s)


@kernel
def asks(s: State) -> bool:
    """Go on to the next rank that has a choice; False if there is none in this area."""
    while s.next_rank < s.n_ranked:
        who, left = int(s.rank[s.next_rank]), int(tile_in(s, 0) != NOBODY) + int(tile_in(s, 1) != NOBODY)
        if who == NEUTRAL:
            if s.next_rank < 2 and left == 2 and s.n_ranked > 1:
                s.to_move = chooser(s)
                s.phase = Phase.REMOVE
                return True
            if s.next_rank < 2:  # a single tile, or both if it is alone
                remove(s, 0)
                remove(s, 1)
        elif s.next_rank < 2 or left:
            s.to_move = who
            s.phase = Phase.CLAIM
            return True
        s.next_rank += 1
    return False


@kernel
def chooser(s: State) -> int:
    """Who says which of two tiles the neutral colour takes: if it is second, the player before it; if it is
    first, the last rank, or the player who has no cubes there."""
    if s.next_rank == 1:
        return int(s.rank[0])
    return int(s.rank[2]) if s.n_ranked == 3 else 1 - int(s.rank[1])


@kernel
def remove(s: State, k: int) -> None:
    """A tile of the area leaves the game, if it is still there."""
    tile = tile_in(s, k)
    if tile != NOBODY:
        s.owner[tile] = GONE


@kernel
def clear_area(s: State) -> None:
    """The area's cubes go back to their reserves, its tiles leave the game."""
    for who in range(5):
        n = cubes_in(s, who, s.area)
        if n == 0:
            continue
        for word in range(2):
            s.cubes[who, word] &= ~AREA[s.area, word]
        if who == NEUTRAL:
            s.neutral_reserve += n
        else:
            s.reserve[who] += n
    for word in range(2):
        s.pyramids[word] &= ~AREA[s.area, word]
    remove(s, 0)
    remove(s, 1)


@kernel
def end_claim(s: State) -> None:
    """The next rank, the next area."""
    s.turn += 1
    s.next_rank += 1
    if not asks(s):
        clear_area(s)
        next_area(s)


@kernel
def take(s: State, k: int) -> None:
    """A player takes a tile and its printed points."""
    tile, seat = tile_in(s, k), s.to_move
    s.owner[tile] = seat
    s.held[seat, PATRON_OF[tile]] += 1
    s.points[seat] += POINTS_OF[tile]
    end_claim(s)


# ---- seasons -----------------------------------------------------------------------------------------------


@kernel
def end_season(s: State) -> None:
    """The last on the passing scale begins the next season; after the fourth one the exhibition is held."""
    first = 0
    for seat in range(1, s.players):
        if place_on_scale(s, seat) > place_on_scale(s, first):
            first = seat
    s.first = first
    s.used[:] = 0
    if s.season == N_SEASONS - 1:
        for seat in range(s.players):
            s.points[seat] += exhibition(s, seat)
        begin_turns(s)
        s.ending = Ending.EXHIBITION
        return
    s.season += 1
    s.pyramids[:] = 0
    begin_season(s)


@kernel
def begin_season(s: State) -> None:
    """Tiles, cubes, the first player. In a state without its future chance names the tiles, one by one."""
    if not deal(s):
        s.phase = Phase.DEAL
        return
    take_income(s)
    begin_turns(s)
    s.reveals += 1
    s.news = 1


@kernel
def chance(s: State, outcomes: Ints, probabilities: Floats) -> int:
    """The next tile of a season is any unseen one, turned or not, each equally likely: twice its number, and
    one more if it is turned."""
    if s.phase != Phase.DEAL:
        return 0
    n = 0
    for tile in range(N_TILES):
        if s.owner[tile] == UNSEEN:
            for turned in range(2):
                outcomes[n] = 2 * tile + turned
                n += 1
    for k in range(n):
        probabilities[k] = 1 / n
    return n


@kernel
def resolve(s: State, outcome: int) -> None:
    """That tile comes next."""
    s.deck[s.dealt], s.turned[s.dealt] = outcome // 2, outcome % 2
    begin_season(s)


@kernel
def multiplier(s: State, seat: int, patron: int) -> int:
    """What a tile of the patron is worth at the exhibition: the best room that the seat has in the patron's
    wing, else 1."""
    own = places_of(seat, s.room)
    rooms = ROOMS_OF_WING[s.wing[patron]]
    if own & rooms[0]:
        return 5
    if own & rooms[1]:
        return 3
    return 2 if own & rooms[2] else 1


@kernel
def exhibition(s: State, seat: int) -> int:
    """Points of the exhibition: the tiles by their rooms, and 5 for every set of five different patrons."""
    total, sets = 0, N_TILES
    for patron in range(N_PATRONS):
        held = int(s.held[seat, patron])
        total += held * multiplier(s, seat, patron)
        sets = min(sets, held)
    return total + 5 * sets


# ---- an action ---------------------------------------------------------------------------------------------


@kernel
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    s.news = 0
    if action < EXTEND:
        dig(s, s.to_move, action - START, 1)
    elif action < SPACE:
        dig(s, s.to_move, action - EXTEND, 2)
    elif action < ROOM:
        lay_cube(s, action - SPACE)
    elif action < MUSEUM:
        s.room[action - ROOM] = s.to_move
        s.stock[s.to_move] -= 1
        s.entered = action - ROOM
        end_own_action(s)
    elif action < APPEAL:
        s.room[action - MUSEUM] = s.to_move
        s.reserve[s.to_move] -= 1
        end_claim(s)
    elif action < PASS:
        appeal(s, action - APPEAL)
    elif action == PASS:
        pass_(s)
    elif action < NOTHING:
        take(s, action - TAKE)
    elif action == NOTHING:
        if s.phase == Phase.NEUTRAL:
            end_turn(s)
        else:
            end_claim(s)
    elif action < NEUTRAL_START:
        remove(s, action - NEUTRAL_TAKE)
        end_claim(s)
    elif action < NEUTRAL_EXTEND:
        dig(s, NEUTRAL, action - NEUTRAL_START, 1)
    else:
        dig(s, NEUTRAL, action - NEUTRAL_EXTEND, 2)


# ---- results -----------------------------------------------------------------------------------------------


@kernel
def scores(s: State, out: Floats) -> None:
    """Points on the track; those of the exhibition come at the end."""
    for seat in range(s.players):
        out[seat] = float(s.points[seat])


@kernel
def standing(s: State, seat: int) -> int:
    """Points, and cubes in the stock, which break ties."""
    return 64 * int(s.points[seat]) + int(s.stock[seat])


@kernel
def outcome(s: State, out: Floats) -> None:
    """1 shared equally among those with most points and, of these, most cubes in their stock; all 0 while the
    game runs."""
    for seat in range(s.players):
        out[seat] = float(standing(s, seat)) if s.ending else 0.0
    if s.ending:
        share_win(s.players, out)


@kernel
def revealed(s: State) -> int:
    """0, or WIDE after the deal of a season."""
    return WIDE if s.news else 0


# ---- random actions ----------------------------------------------------------------------------------------

random_action = drawn_from_list(legal_actions)
random_turn = drawn_step_by_step(random_action, apply, State)
