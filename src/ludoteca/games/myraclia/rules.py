"""The rules of Myraclia: state, setup, what is legal, what happens, the end. D1 ... H2 are the settled
readings in rulebook.md.

Actions. In the draft each is a turn; a turn of terraforming is many:
    DRAFT + colour               0 ..    6    `draft blue`
    PASS                         7            `pass`
    TERRAFORM + tile             8 ..   67    begin to pay for a tile, `terraform 0,2` (its place)
    RESERVE + tile              68 ..  127    begin a reservation, `reserve 1,2`
    CHANGE + tile              128 ..  187    begin to change it, `change 2,2`
    ADD + colour               188 ..  194    a cube to the reserved tile, `add blue`
    END_TURN                   195            `end turn`
    PAY + colour               196 ..  202    `pay red`
    TRIPLE + 7 * colour + of   203 ..  251    `pay blue with 3 green`
    FIVE + colour              252 ..  258    `pay white with any five`
    USE + colour               259 ..  265    one of the cubes of such fives, `use green`
    PUT + colour               266 ..  272    a cube of a reservation, `put yellow`
    DONE                       273            the reservation is made, `done`
    PLACE + slot * N_CELLS + cell
                               274 .. 5316    a tile of the display, `place P04 at 3,1`
    TOKEN + tile              5317 .. 5376    the Eternity token goes there, `token 1,2`
    ARRANGE + slot * N_START_CELLS + cell
                              5377 .. 7404    a starting tile goes there, `place P04 at 0,1`: the tiles still
                                              to be laid in their order, the places within START_REACH of
                                              0,0 row by row

The plane. A place is q,r around 0,0, on hexagons with pointed tops; its number is q + 20 + 41 * (r + 20):

            0,-1    1,-1                         799     800
        -1,0    0,0     1,0                  839     840     841
            -1,1    0,1                          880     881

Cubes. While a seat terraforms, its own cubes and those of the exchange zone are one `pool`, of which it may
use as many as it owned (`budget`): exchanges are free, one for one and reversible, and what is left goes to
the zone (X1).

Wild cards. A payment is legal if no cube of it could be left out (W2). That is so exactly when none of its
wild cubes has a colour that is paid by a wild card, and, if fives are among them, no colour has three cubes
in these. Colours are paid in ascending order, triples by ascending colour before fives: every payment has one
way to be made.
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
    count_bits,
    field,
    is_blank,
    kernel,
    lowest_bit,
    nth_bit,
    start_generator,
)
from ludoteca.kernel.random_play import drawn_from_list, drawn_step_by_step
from ludoteca.kernel.ranges import firsts
from ludoteca.kernel.shares import share_win

from . import components as C

N_TILES, N_COLOURS, N_SURFACES, N_TOKENS = C.N_TILES, C.N_COLOURS, C.N_SURFACES, C.N_TOKENS
N_CELLS, N_DISPLAY = C.N_CELLS, C.N_DISPLAY
N_BASE, KICKSTARTER, FIRST_DARK, SPAN, LAST_ROUND = (
    C.N_BASE,
    C.KICKSTARTER,
    C.FIRST_DARK,
    C.SPAN,
    C.LAST_ROUND,
)
START_REACH, START_SPAN, N_START_CELLS = C.START_REACH, C.START_SPAN, C.START_SPAN * C.START_SPAN
CUBES, REQUIRED, POINTS, RELEASED, SHOWN = (
    C.CUBES_TABLE,
    C.REQUIRED_TABLE,
    C.POINTS_TABLE,
    C.RELEASED_TABLE,
    C.SHOWN_TABLE,
)
TOKEN_KIND, TOKEN_VALUE, SURFACE_POINTS = C.TOKEN_KIND_TABLE, C.TOKEN_VALUE_TABLE, C.SURFACE_POINTS_TABLE
POINT_TOKEN, RELEASE_TOKEN, FREE_TOKEN, SURFACE_TOKEN = (
    C.POINT_TOKEN,
    C.RELEASE_TOKEN,
    C.FREE_TOKEN,
    C.SURFACE_TOKEN,
)
START_TILES, DISKS, END_TILES = C.START_TILES_TABLE, C.DISKS_TABLE, C.END_TILES_TABLE
DRAFT_FIRST, DRAFT_LATER, LAYOUT, STEP = C.DRAFT_FIRST_TABLE, C.DRAFT_TABLE, C.LAYOUT_TABLE, C.STEP_TABLE
ALL_TYPES, OVERTAKEN = C.ALL_TYPES, C.OVERTAKEN
MIDDLE = C.cell_at(0, 0)
# the cells of a row that do not lie on the edge of the window
INSIDE = (1 << SPAN - 1) - 2

ACTIONS = ActionSpace(
    Slice('draft', (N_COLOURS,), 'take a cube', ('colour',)),
    Slice('pass', (), 'take no more'),
    Slice('terraform', (N_TILES,), 'begin to pay for a tile', ('tile',)),
    Slice('reserve', (N_TILES,), 'begin a reservation', ('tile',)),
    Slice('change', (N_TILES,), 'begin to change the reservation', ('tile',)),
    Slice('add', (N_COLOURS,), 'a cube to the reserved tile', ('colour',)),
    Slice('end_turn', (), 'end the turn'),
    Slice('pay', (N_COLOURS,), 'pay the next missing colour by itself', ('colour',)),
    Slice('triple', (N_COLOURS, N_COLOURS), 'pay it with three of another one', ('colour', 'of')),
    Slice('five', (N_COLOURS,), 'pay it with any five', ('colour',)),
    Slice('use', (N_COLOURS,), 'one of the cubes of such fives', ('colour',)),
    Slice('put', (N_COLOURS,), 'a cube of a reservation', ('colour',)),
    Slice('done', (), 'the reservation is made'),
    Slice('place', (C.N_DISPLAY, C.SPAN, C.SPAN), 'add a tile of the display', ('slot', 'r', 'q')),
    Slice('token', (N_TILES,), 'the Eternity token goes there', ('tile',)),
    Slice(
        'arrange',
        (C.MOST_START, C.START_SPAN, C.START_SPAN),
        'a starting tile still to be laid goes there',
        ('slot', 'start_r', 'start_q'),
    ),
)
(
    DRAFT,
    PASS,
    TERRAFORM,
    RESERVE,
    CHANGE,
    ADD,
    END_TURN,
    PAY,
    TRIPLE,
    FIVE,
    USE,
    PUT,
    DONE,
    PLACE,
    TOKEN,
    ARRANGE,
    N_ACTIONS,
) = ACTIONS.firsts
# places: each has two neighbours at least, each tile six places round it
MAX_LEGAL = N_DISPLAY * N_TILES * 6 // 2
MOST_ACTIONS = 3  # of a turn of terraforming
LAST_COLUMN = N_COLOURS - 1  # of the drafting board
ASIDE = N_COLOURS  # to the right of it: whoever took nothing (D8)
WIDE = -1  # of `revealed`: too much to tell outcomes apart
NONE = -1


class Layout(IntEnum):
    """The layout of the starting tiles, in the order of the option's values."""

    RECOMMENDED = 0
    RANDOM = 1
    ARRANGED = 2  # the players lay them in turn


class Phase(IntEnum):
    """What the seat to move chooses next; below 0 what chance has to decide."""

    DRAW_TOKEN = -4  # the Eternity token that is turned up
    DRAW_CUBE = -3  # a cube for the drafting board
    DEAL_CUBE = -2  # a cube for a seat, when the players have laid the starting tiles
    DRAW_TILE = -1  # a tile for the display
    DRAFT = 0
    TURN = 1  # an action, or the end of the turn
    PAY = 2  # how the next missing colour is paid
    FIVES = 3  # the cubes of wild cards of five
    PUT = 4  # cubes of a reservation
    PLACE = 5  # where tiles of the display go
    TOKEN = 6  # where the Eternity token goes
    ARRANGE = 7  # which starting tile goes where


class Ending(IntEnum):
    """How a game ends; the names for people are in the words under `ending`."""

    RUNNING = 0
    TERRAFORMED = 1  # somebody has terraformed enough tiles
    ENDLESS = 2  # the fortieth round is over


class Source(IntEnum):
    """What has brought points to the track."""

    PRINTED = 0  # on terraformed tiles
    TOKENS = 1  # Eternity tokens
    OWN = 2  # own tiles beside those that one terraforms
    OTHERS = 3  # own tiles beside those that others terraform
    RESERVED = 4  # paid for reservations: negative


N_SOURCES = len(Source)
MEASURES = ('rounds', 'tiles', *(source.name.lower() for source in Source), 'area', 'surfaces', 'types')


class State(Record):
    """A game of Myraclia."""

    tile_bag: int = field('i8')  # tiles in the bag, as bits
    to_lay: int = field('i8')  # starting tiles that the players have still to lay, as bits
    terraformed: Array = field('i8', 5)  # [seat] -> the tiles that it has terraformed, as bits
    # tiles on the surface that nobody has terraformed, as bits, and those that lie beside a terraformed one;
    # Darkness is not among the former
    unowned: int = field('i8')
    near: int = field('i8')
    where: Array = field('i2', N_TILES)  # [tile] -> its cell, NONE if it is not on the surface
    rows: Array = field('i8', SPAN)  # [row] -> its cells with tiles, as bits
    rng: Array = field('u4', 4)
    tokens_on: Array = field('i4', N_TILES)  # [tile] -> Eternity tokens on it, as bits
    token_bag: int = field('i4')  # tokens not turned up yet, as bits
    turn: int = field('i4')
    reveals: int = field('i4')
    news: int = field('i4')  # what the last action brought to light, see `revealed`
    points: Array = field('i2', 5)
    sources: Array = field('i2', (5, N_SOURCES))  # [seat, source] -> how many of the points come from it
    cell: Array = field('i1', N_CELLS)  # [cell] -> tile, NONE
    owner: Array = field('i1', N_TILES)  # [tile] -> who has terraformed it, NONE
    cubes_on: Array = field('i1', N_TILES)  # [tile] -> colours of the cubes on it, as bits
    reserved: Array = field('i1', 5)  # [seat] -> its reserved tile, NONE
    done: Array = field('i1', 5)  # [seat] -> tiles that it has terraformed
    own: Array = field('i1', (5, N_COLOURS))  # [seat, colour] -> cubes in its reserve
    bag: Array = field('i1', N_COLOURS)
    discard: Array = field('i1', N_COLOURS)
    zone: Array = field('i1', N_COLOURS)  # exchange zone
    board: Array = field('i1', N_COLOURS)  # cubes on the drafting board
    column: Array = field('i1', N_COLOURS)  # [colour] -> its column there, NONE
    disk: Array = field('i1', 5)  # [seat] -> column of its disk, ASIDE, or NONE
    # [seat] -> its place in the sequence in which the disks were laid, from 0
    rank: Array = field('i1', 5)
    n_ranks: int = field('i1')  # disks laid
    passed: Array = field('i1', 5)
    order: Array = field('i1', 5)  # seats in the order of the phase
    at: int = field('i1')  # place in it of the seat to move
    display: Array = field('i1', N_DISPLAY)  # tiles, NONE
    players: int = field('i1')
    to_move: int = field('i1')
    phase: int = field('i1')
    round: int = field('i1')  # from 1
    ending: int = field('i1')
    pool: Array = field('i1', N_COLOURS)  # cubes that the seat may use in its turn
    # cubes of the pool that come from the exchange zone: own ones are used first
    lent: Array = field('i1', N_COLOURS)
    budget: int = field('i1')  # how many of the pool
    n_actions: int = field('i1')  # done in this turn
    n_terraformed: int = field('i1')  # of them terraformations
    to_add: int = field('i1')  # tiles to be added at the end of the turn
    target: int = field('i1')  # tile that is paid for or reserved, NONE
    changing: int = field('i1')  # is it a change of reservation
    missing: int = field('i1')  # colours still to be paid, as bits
    # colours paid by themselves, as bits; in a reservation: cubes put
    plain: int = field('i1')
    wild: int = field('i1')  # colours paid by wild cards, as bits
    triples: Array = field('i1', N_COLOURS)  # [colour] -> wild cards of three of it
    fives: int = field('i1')  # wild cards of five
    used: Array = field('i1', N_COLOURS)  # cubes of these
    token: int = field('i1')  # Eternity token turned up, NONE
    layout: int = field('i1')  # options
    cubes: int = field('i1')
    kickstarter: int = field('i1')
    eternity: int = field('i1')
    darkness: int = field('i1')


STATE = State.DTYPE


class Work(Record):
    """Scratch of the functions that draw a random action."""

    actions: Array = field('i4', MAX_LEGAL)


# ---- setup -------------------------------------------------------------------------------------------------


@kernel
def clear_table(s: State, players: int, options: Ints) -> None:
    """Everything in its bag, nothing on the surface."""
    s.where[:] = NONE
    s.cell[:] = NONE
    s.rows[:] = 0
    s.terraformed[:] = 0
    s.unowned = 0
    s.near = 0
    s.tokens_on[:] = 0
    s.owner[:] = NONE
    s.cubes_on[:] = 0
    s.reserved[:] = NONE
    s.done[:] = 0
    s.own[:] = 0
    s.points[:] = 0
    s.sources[:] = 0
    for colour in range(N_COLOURS):
        s.bag[colour] = CUBES[colour]
    s.discard[:] = 0
    s.zone[:] = 0
    s.board[:] = 0
    s.column[:] = NONE
    s.display[:] = NONE
    s.players = players
    s.layout, s.cubes, s.kickstarter, s.eternity, s.darkness = (
        options[0],
        options[1],
        options[2],
        options[3],
        options[4],
    )
    s.to_lay = 0
    s.tile_bag = (1 << N_BASE) - 1 | int(s.kickstarter) << KICKSTARTER
    s.token_bag = (1 << N_TOKENS) - 1 if s.eternity else 0
    s.token = NONE
    s.turn = 0
    s.reveals = 0
    s.news = 0
    s.round = 0
    s.ending = Ending.RUNNING
    for seat in range(5):
        s.order[seat] = seat if seat < players else NONE
    begin_draft(s)
    begin_turn(s)


@kernel
def setup(s: State, players: int, options: Ints, seed: Array) -> None:
    """A game at the start of its first draft, or before its first tile is laid."""
    clear_table(s, players, options)
    start_generator(s, seed)
    if s.layout == Layout.ARRANGED:
        for _ in range(START_TILES[players]):
            s.to_lay |= 1 << draw_tile(s)
        s.phase = Phase.ARRANGE
        return
    if s.layout == Layout.RANDOM:
        lay_at_random(s)
    else:
        for k in range(START_TILES[players]):
            put_tile(s, draw_tile(s), int(LAYOUT[players, k]))
    deal(s)
    s.news = 0
    s.reveals = 0


@kernel
def deal(s: State) -> None:
    """Deal everything that follows the starting tiles: the display, Darkness in the bag, cubes for everybody,
    the first draft. A state without its future comes back here after each draw."""
    if not refill_display(s):
        return
    if s.darkness:
        for tile in range(FIRST_DARK, N_TILES):
            s.tile_bag |= 1 << tile
    for k in range(cubes_dealt(s), s.cubes * s.players):
        if is_blank(s):
            s.phase = Phase.DEAL_CUBE
            return
        s.own[k % s.players, draw_cube(s)] += 1
    for seat in range(s.players):
        s.order[seat] = seat
    order_by_rarity(s)
    begin_round(s)


@kernel
def cubes_dealt(s: State) -> int:
    """How many cubes the seats own together."""
    n = 0
    for seat in range(s.players):
        n += total(s.own[seat])
    return n


@kernel
def rarity(s: State, seat: int) -> int:
    """A seat's cubes as one number, by which the rarest counts first."""
    found = 0
    for colour in range(N_COLOURS - 1, -1, -1):
        for _ in range(s.own[seat, colour]):
            found = found * 8 + colour
    return found


@kernel
def order_by_rarity(s: State) -> None:
    """The first drafting order: the most common cubes first, of equals the lower seat (D9)."""
    for k in range(1, s.players):
        seat, i = int(s.order[k]), k
        while i > 0 and rarity(s, int(s.order[i - 1])) > rarity(s, seat):
            s.order[i] = s.order[i - 1]
            i -= 1
        s.order[i] = seat


@kernel
def lay_at_random(s: State) -> None:
    """A random starting surface: connected, with at least two neighbours for every tile and three for more
    than half of the tiles."""
    n = START_TILES[s.players]
    while True:
        s.cell[:] = NONE
        s.cell[MIDDLE] = 0
        s.cell[MIDDLE + STEP[0]] = 0
        s.cell[MIDDLE + STEP[1]] = 0
        for _ in range(n - 3):
            places = 0
            for cell in range(SPAN + 1, N_CELLS - SPAN - 1):
                places += int(s.cell[cell] == NONE and n_neighbours(s, cell) >= 2)
            left = below(s, places)
            for cell in range(SPAN + 1, N_CELLS - SPAN - 1):
                if s.cell[cell] == NONE and n_neighbours(s, cell) >= 2:
                    if left == 0:
                        s.cell[cell] = 0
                        break
                    left -= 1
        if 2 * n_with_three(s) > n:
            break
    for cell in range(N_CELLS):
        if s.cell[cell] != NONE:
            put_tile(s, draw_tile(s), cell)


@kernel
def n_with_three(s: State) -> int:
    """How many tiles have three neighbours at least."""
    n = 0
    for cell in range(SPAN + 1, N_CELLS - SPAN - 1):
        n += int(s.cell[cell] != NONE and n_neighbours(s, cell) >= 3)
    return n


# ---- the players lay the starting tiles --------------------------------------------------------------------


@kernel
def start_cell(k: int) -> int:
    """The k-th place where starting tiles can lie."""
    return MIDDLE + k % START_SPAN - START_REACH + SPAN * (k // START_SPAN - START_REACH)


@kernel
def may_lie(s: State, cell: int, strictness: int) -> bool:
    """May the next starting tile lie there: beside two others (the first one on 0,0, the second beside it),
    and the last one so that most tiles have three neighbours (P10)? Only made-up positions have no such
    place: there two neighbours are enough (strictness 1), or one (0)."""
    if s.cell[cell] != NONE:
        return False
    left = count_bits(s.to_lay)
    laid = START_TILES[s.players] - left
    if laid == 0:
        return cell == MIDDLE
    if n_neighbours(s, cell) < min(laid, 2 if strictness else 1):
        return False
    if left > 1 or strictness < 2:
        return True
    s.cell[cell] = 0  # for a moment
    three = n_with_three(s)
    s.cell[cell] = NONE
    return 2 * three > START_TILES[s.players]


@kernel
def list_arrangements(s: State, out: Ints) -> int:
    """Every starting tile still to be laid on every place."""
    n_cells, strictness = 0, 2
    while n_cells == 0 and strictness >= 0:
        for k in range(N_START_CELLS):
            if may_lie(s, start_cell(k), strictness):
                out[n_cells] = ARRANGE + k
                n_cells += 1
        strictness -= 1
    n = n_cells
    for slot in range(1, count_bits(s.to_lay)):
        for i in range(n_cells):
            out[n] = out[i] + slot * N_START_CELLS
            n += 1
    return n


@kernel
def arrange(s: State, slot: int, cell: int) -> None:
    """Lay a starting tile; when all lie, everything else is dealt."""
    tile = nth_bit(s.to_lay, slot)
    s.to_lay &= ~(1 << tile)
    put_tile(s, tile, cell)
    s.turn += 1
    if s.to_lay:
        s.at = (s.at + 1) % s.players
        s.to_move = s.order[s.at]
    else:
        deal(s)


# ---- bags --------------------------------------------------------------------------------------------------


@kernel
def total(cubes: Array) -> int:
    """How many cubes a heap holds."""
    n = 0
    for colour in range(N_COLOURS):
        n += int(cubes[colour])
    return n


@kernel
def renew_bag(s: State) -> None:
    """An empty bag is filled with all that was discarded (E1)."""
    if total(s.bag) == 0:
        for colour in range(N_COLOURS):
            s.bag[colour] = s.discard[colour]
            s.discard[colour] = 0


@kernel
def draw_cube(s: State) -> int:
    """A random cube from the bag, its colour; NONE if there is none at all."""
    n = total(s.bag)
    if n == 0:
        renew_bag(s)
        n = total(s.bag)
        if n == 0:
            return NONE
    # the colours whose cubes all come before the one drawn are counted: nobody could predict a loop's end
    drawn, before, colour = below(s, n), 0, 0
    for other in range(N_COLOURS - 1):
        before += int(s.bag[other])
        colour += int(drawn >= before)
    s.bag[colour] -= 1
    if n == 1:
        renew_bag(s)
    return colour


@kernel
def fetch_cube(s: State, colour: int) -> bool:
    """Take a cube of a colour from the discard pile, else from the bag; False if there is none (E3)."""
    if s.discard[colour]:
        s.discard[colour] -= 1
        return True
    if s.bag[colour]:
        s.bag[colour] -= 1
        renew_bag(s)
        return True
    return False


@kernel
def take_cube(s: State, colour: int) -> int:
    """Take a cube of that colour out of the bag, in which there is one."""
    s.bag[colour] -= 1
    if total(s.bag) == 0:
        renew_bag(s)
    return colour


@kernel
def drawable_tiles(s: State) -> int:
    """The tiles that can be drawn from the bag, as bits. Beside a Darkness tile on the display no second one
    is drawn (K2)."""
    choice = s.tile_bag
    for k in range(N_DISPLAY):
        if s.display[k] >= FIRST_DARK:
            choice &= (1 << FIRST_DARK) - 1
    return choice


@kernel
def draw_tile(s: State) -> int:
    """A random tile from the bag, in which there is one."""
    choice = drawable_tiles(s)
    tile = nth_bit(choice, below(s, count_bits(choice)))
    s.tile_bag &= ~(1 << tile)
    return tile


@kernel
def refill_display(s: State) -> bool:
    """Fill the display up to three tiles, as long as the bag holds any; False if chance has to name the next
    one first."""
    for k in range(N_DISPLAY):
        if s.display[k] == NONE and drawable_tiles(s):
            if is_blank(s):
                s.phase = Phase.DRAW_TILE
                return False
            show_tile(s, k, draw_tile(s))
    return True


@kernel
def show_tile(s: State, k: int, tile: int) -> None:
    """A tile comes to a place of the display."""
    s.display[k] = tile
    s.reveals += 1
    s.news = 1 + (int(s.display[0]) + 1 | (int(s.display[1]) + 1) << 6 | (int(s.display[2]) + 1) << 12)


# ---- draft -------------------------------------------------------------------------------------------------


@kernel
def clear_disks(s: State) -> None:
    """No disks on the drafting board, nobody has passed."""
    s.disk[:] = NONE
    s.rank[:] = 0
    s.n_ranks = 0
    s.passed[:] = 0


@kernel
def begin_draft(s: State) -> None:
    """It is the first drafter's turn."""
    clear_disks(s)
    s.at = 0
    s.to_move = s.order[0]
    s.phase = Phase.DRAFT


@kernel
def begin_round(s: State) -> None:
    """The next round begins with the draft."""
    s.round += 1
    fill_board(s)


@kernel
def fill_board(s: State) -> None:
    """Draw cubes for the drafting board and sort them into columns, from the right: large groups first, of
    equal ones the more common colour. A state without its future comes back here after each cube."""
    wanted = DRAFT_FIRST[s.players] if s.round == 1 else DRAFT_LATER[s.players]
    for _ in range(total(s.board), wanted):
        if is_blank(s):
            if total(s.bag) == 0:
                renew_bag(s)
            if total(s.bag):
                s.phase = Phase.DRAW_CUBE
                return
        colour = draw_cube(s)
        if colour != NONE:
            s.board[colour] += 1
    set_columns(s)
    begin_draft(s)
    s.reveals += 1
    s.news = WIDE


@kernel
def set_columns(s: State) -> None:
    """The column of each colour on the drafting board."""
    for colour in range(N_COLOURS):
        s.column[colour] = NONE
        if s.board[colour]:
            column = LAST_COLUMN
            for other in range(N_COLOURS):
                column -= int(
                    s.board[other] > s.board[colour] or (s.board[other] == s.board[colour] and other < colour)
                )
            s.column[colour] = column


@kernel
def lay_disk(s: State, seat: int, column: int) -> None:
    """A seat's disk goes to a column, after all that lie there."""
    if s.disk[seat] == NONE:
        s.n_ranks += 1
    else:
        for other in range(s.players):
            s.rank[other] -= int(s.disk[other] != NONE and s.rank[other] > s.rank[seat])
    s.disk[seat] = column
    s.rank[seat] = s.n_ranks - 1


@kernel
def draft(s: State, colour: int) -> None:
    """Take a cube. The disk goes to its column if that lies to the left of where it was (D13)."""
    seat = s.to_move
    s.board[colour] -= 1
    s.own[seat, colour] += 1
    if s.disk[seat] == NONE or s.column[colour] < s.disk[seat]:
        lay_disk(s, seat, s.column[colour])
    next_drafter(s)


@kernel
def pass_(s: State) -> None:
    """Take no more cubes in this round."""
    seat = s.to_move
    s.passed[seat] = 1
    if s.disk[seat] == NONE:
        lay_disk(s, seat, ASIDE)
    next_drafter(s)


@kernel
def next_drafter(s: State) -> None:
    """The next seat that has not passed, or the terraforming."""
    s.turn += 1
    if total(s.board):
        for _ in range(s.players):
            s.at = s.at + 1 if s.at + 1 < s.players else 0
            s.to_move = s.order[s.at]
            if not s.passed[s.to_move]:
                return
    for colour in range(N_COLOURS):
        s.discard[colour] += s.board[colour]
        s.board[colour] = 0
        s.column[colour] = NONE
    set_terraforming_order(s)
    s.at = 0
    begin_terraforming(s)


@kernel
def goes_first(s: State, seat: int, other: int) -> bool:
    """Does a seat terraform before another: further right, in one column the disk placed later (D6)?"""
    return s.disk[seat] > s.disk[other] or (s.disk[seat] == s.disk[other] and s.rank[seat] > s.rank[other])


@kernel
def set_terraforming_order(s: State) -> None:
    """The order of the disks on the drafting board; they go to the order board."""
    for k in range(1, s.players):
        seat, i = int(s.order[k]), k
        while i > 0 and goes_first(s, seat, int(s.order[i - 1])):
            s.order[i] = s.order[i - 1]
            i -= 1
        s.order[i] = seat
    clear_disks(s)


# ---- the surface -------------------------------------------------------------------------------------------


@kernel
def put_tile(s: State, tile: int, cell: int) -> None:
    """Lay a tile on a cell."""
    s.cell[cell] = tile
    s.where[tile] = cell
    s.rows[cell // SPAN] |= 1 << cell % SPAN
    if tile < FIRST_DARK:
        s.unowned |= 1 << tile
    terraformed = 0
    for seat in range(s.players):
        terraformed |= s.terraformed[seat]
    if tiles_beside(s, tile) & terraformed:
        s.near |= 1 << tile


@kernel
def own_tile(s: State, tile: int, seat: int) -> None:
    """A tile on the surface is terraformed by a seat."""
    s.owner[tile] = seat
    s.done[seat] += 1
    s.terraformed[seat] |= 1 << tile
    s.unowned &= ~(1 << tile)
    s.near |= tiles_beside(s, tile)


@kernel
def tiles_beside(s: State, tile: int) -> int:
    """The tiles next to a tile, as bits; none if it does not lie on the surface."""
    tiles, cell = 0, int(s.where[tile])
    if cell == NONE:
        return 0
    for way in range(6):
        tiles |= 1 << int(s.cell[cell + STEP[way]]) + 1 >> 1  # nothing for NONE
    return tiles


@kernel
def n_neighbours(s: State, cell: int) -> int:
    """How many tiles lie next to a cell."""
    n = 0
    for way in range(6):
        n += int(s.cell[cell + STEP[way]] != NONE)
    return n


@kernel
def neighbours_of_row(s: State, row: int) -> tuple[int, int, int]:
    """The cells of a row with at least one, two and three neighbours, each as bits: all cells are counted at
    once."""
    above, here, below_ = int(s.rows[row - 1]), int(s.rows[row]), int(s.rows[row + 1])
    one, two, three = 0, 0, 0
    # as in components.WAYS
    for near in (here << 1, here >> 1, below_, below_ << 1, above, above >> 1):
        three |= two & near
        two |= one & near
        one |= near
    return one, two, three


@kernel
def loose_tiles(s: State, row: int) -> int:
    """The tiles of a row with fewer than three neighbours, as bits."""
    if s.rows[row] == 0:
        return 0
    _, _, three = neighbours_of_row(s, row)
    return int(s.rows[row]) & ~three


@kernel
def free_tiles(s: State) -> int:
    """The tiles on the surface without anybody's disk, as bits; Darkness is not among them."""
    free = int(s.unowned)
    for seat in range(s.players):
        free &= ~(1 << int(s.reserved[seat]) + 1 >> 1)  # nothing for NONE
    return free


@kernel
def n_beside(s: State, tile: int, seat: int) -> int:
    """How many tiles terraformed by a seat lie next to a tile."""
    return count_bits(tiles_beside(s, tile) & s.terraformed[seat])


@kernel
def is_near(s: State, tile: int) -> bool:
    """Does a tile on the surface lie next to a terraformed one?"""
    return s.near >> tile & 1 != 0


@kernel
def n_disks(s: State, seat: int) -> int:
    """Disks of a seat on the surface."""
    return int(s.done[seat]) + int(s.reserved[seat] != NONE)


# ---- payments ----------------------------------------------------------------------------------------------


@kernel
def lacks(s: State, tile: int) -> int:
    """The colours that a tile requires and that do not lie on it, as bits."""
    return REQUIRED[tile] & ~int(s.cubes_on[tile])


@kernel
def colours_in(cubes: Array) -> int:
    """The colours of which a heap holds a cube, as bits."""
    colours = 0
    for colour in range(N_COLOURS):
        colours |= int(cubes[colour] > 0) << colour
    return colours


@kernel
def third(n: int) -> int:
    """A third of a number of cubes (0 to 31), rounded down: without a division, and without its care for
    negative numbers."""
    return 11 * n >> 5


@kernel
def purse(s: State) -> tuple[int, int, int, int]:
    """What payments from the pool depend on: its colours, as bits; of these the ones whose number of cubes is
    a multiple of three; how many triples it holds; how many cubes."""
    multiples, triples, cubes = 0, 0, 0
    for colour in range(N_COLOURS):
        n = int(s.pool[colour])
        multiples |= int(n == 3 * third(n)) << colour
        triples += third(n)
        cubes += n
    has = colours_in(s.pool)
    return has, has & multiples, triples, cubes


@kernel
def suffices(budget: int, lacking: int, has: int, multiples: int, triples: int, cubes: int) -> bool:
    """Can these colours be paid from a purse? The cheapest way: plain cubes as far as they go, then triples,
    then fives. A plain cube of a colour that has a multiple of three breaks up one of its triples."""
    plain = lacking & has
    size = count_bits(plain)
    unpaid, left = count_bits(lacking) - size, cubes - size
    threes = min(triples - count_bits(plain & multiples), unpaid)
    fives = unpaid - threes
    return (left - 3 * threes >= 5 * fives) & (size + 3 * threes + 5 * fives <= budget)


@kernel
def can_pay(s: State, lacking: int) -> bool:
    """Can the seat to move pay these colours?"""
    has, multiples, triples, cubes = purse(s)
    return suffices(int(s.budget), lacking, has, multiples, triples, cubes)


@kernel
def rest_fits(s: State, plain: int, wild: int, fives: int, first: int, more: int) -> bool:
    """With these colours paid plainly and by wild cards, the triples chosen and so many fives: can `more`
    wild cards be found, as triples from the colour `first` on or as fives, so that the payment is legal?"""
    size, room, threes, ones, twos = count_bits(plain), 0, 0, 0, 0
    for colour in range(N_COLOURS):
        n = int(s.pool[colour]) - (plain >> colour & 1) - 3 * int(s.triples[colour])
        if n < 0 or (wild >> colour & 1 and s.triples[colour]):
            return False
        size += 3 * s.triples[colour]
        if wild >> colour & 1:
            continue
        room += min(n, 2)
        if colour >= first and fives == 0:
            threes += third(n)
            # the last triple of such a colour leaves one cube less for fives,
            ones += int(n >= 3 and n == 3 * third(n) + 1)
            twos += int(n >= 3 and n == 3 * third(n))  # of such a one two
    free = threes - ones - twos
    for more_threes in range(min(more, threes), -1, -1):
        all_fives = fives + more - more_threes
        lost = max(0, min(more_threes - free, ones)) + 2 * max(0, more_threes - free - ones)
        if size + 3 * more_threes + 5 * all_fives <= s.budget and (
            all_fives == 0 or 5 * all_fives <= room - lost
        ):
            return True
    return False


@kernel
def can_go_on(s: State, missing: int, plain: int, wild: int, fives: int, first: int) -> bool:
    """Can the payment be completed: with some of the colours still missing paid plainly, and the others by
    wild cards?"""
    plainly = missing
    while True:
        by_wild = missing & ~plainly
        if rest_fits(s, plain | plainly, wild | by_wild, fives, first, count_bits(by_wild)):
            return True
        if plainly == 0:
            return False
        plainly = plainly - 1 & missing


@kernel
def last_triple(s: State) -> int:
    """The highest colour of which a triple has been chosen, 0 if none."""
    for colour in range(N_COLOURS - 1, 0, -1):
        if s.triples[colour]:
            return colour
    return 0


@kernel
def list_payments(s: State, out: Ints) -> int:
    """How the lowest of the missing colours can be paid."""
    colour, n = lowest_bit(s.missing), 0
    missing, plain, wild, first = (
        int(s.missing) & int(s.missing) - 1,
        int(s.plain),
        int(s.wild),
        last_triple(s),
    )
    if s.pool[colour] and can_go_on(s, missing, plain | 1 << colour, wild, int(s.fives), first):
        out[n] = PAY + colour
        n += 1
    wild |= 1 << colour
    if s.fives == 0:
        for of in range(first, N_COLOURS):
            if of != colour and s.pool[of] >= 3:
                s.triples[of] += 1
                if can_go_on(s, missing, plain, wild, 0, of):
                    out[n] = TRIPLE + N_COLOURS * colour + of
                    n += 1
                s.triples[of] -= 1
    if can_go_on(s, missing, plain, wild, int(s.fives) + 1, first):
        out[n] = FIVE + colour
        n += 1
    return n


@kernel
def usable(s: State, colour: int) -> int:
    """How many more cubes of a colour can go into the fives."""
    if s.wild >> colour & 1:
        return 0
    left = int(s.pool[colour]) - (s.plain >> colour & 1) - 3 * int(s.triples[colour])
    return min(left, 2) - int(s.used[colour])


@kernel
def list_uses(s: State, out: Ints) -> int:
    """The next cube of the fives, colours ascending."""
    n, first, needed, later = 0, 0, 5 * int(s.fives) - total(s.used), 0
    for colour in range(N_COLOURS):
        if s.used[colour]:
            first = colour
    for colour in range(first, N_COLOURS):
        later += usable(s, colour)
    for colour in range(first, N_COLOURS):
        if usable(s, colour) > 0 and later >= needed:
            out[n] = USE + colour
            n += 1
        later -= usable(s, colour)
    return n


# ---- what is legal -----------------------------------------------------------------------------------------


@kernel
def terraformable(s: State) -> int:
    """The tiles that the seat to move may terraform, their payments apart, as bits."""
    seat, owned = int(s.to_move), 0
    reserved = 1 << int(s.reserved[seat]) + 1 >> 1
    if n_disks(s, seat) >= DISKS[s.players]:
        return reserved
    for other in range(s.players):
        owned += s.done[other]
    if owned == 0 or (s.round == 1 and s.done[seat] == 0):
        return free_tiles(s) | reserved
    return free_tiles(s) & int(s.near) | reserved


@kernel
def may_terraform(s: State, tile: int) -> bool:
    """May the seat to move terraform a tile, its payment apart?"""
    return terraformable(s) >> tile & 1 != 0


@kernel
def most_put(s: State, tile: int) -> int:
    """How many cubes of a reservation the seat to move can put on a tile; one colour at least stays
    missing."""
    return most_put_of(s, lacks(s, tile), colours_in(s.pool))


@kernel
def most_put_of(s: State, lacking: int, has: int) -> int:
    """The same of the colours that the tile lacks, for a pool of the colours `has`."""
    return min(count_bits(lacking & has), count_bits(lacking) - 1, int(s.budget))


@kernel
def list_turn(s: State, out: Ints) -> int:
    """Actions, added cubes, the end of the turn."""
    n, seat, budget = 0, int(s.to_move), int(s.budget)
    has, multiples, triples, cubes = purse(s)
    if s.n_actions < MOST_ACTIONS:
        tiles = terraformable(s)
        while tiles:
            tile = lowest_bit(tiles)
            tiles &= tiles - 1
            out[n] = TERRAFORM + tile
            n += int(suffices(budget, lacks(s, tile), has, multiples, triples, cubes))
        first = CHANGE if s.reserved[seat] != NONE else RESERVE
        tiles = free_tiles(s) & int(s.near)
        if first == RESERVE and n_disks(s, seat) >= DISKS[s.players]:
            tiles = 0
        while tiles:
            tile = lowest_bit(tiles)
            tiles &= tiles - 1
            lacking = lacks(s, tile)
            put = most_put_of(s, lacking, has)
            out[n] = first + tile
            n += int(put > 0) & int(s.points[seat] >= count_bits(lacking) - put)
    if s.reserved[seat] != NONE and budget > 0:
        lacking = lacks(s, int(s.reserved[seat]))
        if count_bits(lacking) > 1:
            for colour in range(N_COLOURS):
                out[n] = ADD + colour
                n += (lacking & has) >> colour & 1
    out[n] = END_TURN
    return n + 1


@kernel
def list_puts(s: State, out: Ints) -> int:
    """The next cube of a reservation, in any order, and its end."""
    n, lacking, put = 0, lacks(s, int(s.target)), int(s.plain)
    n_put, has = count_bits(put), colours_in(s.pool)
    if n_put < most_put_of(s, lacking, has):
        colours = lacking & ~put & has
        while colours:
            out[n] = PUT + lowest_bit(colours)
            colours &= colours - 1
            n += 1
    if n_put and s.points[s.to_move] >= count_bits(lacking) - n_put:
        out[n] = DONE
        n += 1
    return n


@kernel
def list_cells(s: State, out: Ints) -> int:
    """The cells where a tile can be added, ascending: by the compact form, or if there is none (P6) with two
    neighbours, or one."""
    n, strictness = 0, 2
    while n == 0 and strictness >= 0:
        n = cells_of_form(s, strictness, out)
        strictness -= 1
    return n


@kernel
def cells_of_form(s: State, strictness: int, out: Ints) -> int:
    """The free cells in the compact form, with three neighbours or two that have three others each (2); those
    with two neighbours (1), or one (0)."""
    n, here, below_ = 0, 0, 0  # here and below: loose tiles of this row and of the next one
    for row in range(1, SPAN - 1):
        above, here = here, below_
        below_ = loose_tiles(s, row + 1)
        if s.rows[row - 1] | s.rows[row] | s.rows[row + 1] == 0:
            continue
        one, two, three = neighbours_of_row(s, row)
        free = ~int(s.rows[row]) & INSIDE
        if strictness == 2:
            beside_loose = here << 1 | here >> 1 | below_ | below_ << 1 | above | above >> 1
            found = (three | two & ~beside_loose) & free
        else:
            found = (two if strictness else one) & free
        while found:
            out[n] = row * SPAN + lowest_bit(found)
            found &= found - 1
            n += 1
    return n


@kernel
def list_places(s: State, out: Ints) -> int:
    """Every tile of the display on every cell; Darkness goes first."""
    n_cells, dark = list_cells(s, out), False
    for k in range(N_DISPLAY):
        dark = dark or s.display[k] >= FIRST_DARK
    last = 0
    for k in range(N_DISPLAY - 1, -1, -1):
        if s.display[k] != NONE and (not dark or s.display[k] >= FIRST_DARK):
            last = k
    for i in range(n_cells):
        out[i] += PLACE + last * N_CELLS
    n = n_cells
    for k in range(last + 1, N_DISPLAY):
        if s.display[k] != NONE and (not dark or s.display[k] >= FIRST_DARK):
            for i in range(n_cells):
                out[n] = out[i] + (k - last) * N_CELLS
                n += 1
    return n


@kernel
def legal_actions(s: State, out: Ints) -> int:
    """Write the legal actions in ascending order; returns their number, 0 when the game is over."""
    n = 0
    if s.ending:
        return 0
    if s.phase == Phase.DRAFT:
        for colour in range(N_COLOURS):
            out[n] = DRAFT + colour
            n += int(s.board[colour] > 0)
        out[n] = PASS
        return n + 1
    if s.phase == Phase.TURN:
        return list_turn(s, out)
    if s.phase == Phase.PAY:
        return list_payments(s, out)
    if s.phase == Phase.FIVES:
        return list_uses(s, out)
    if s.phase == Phase.PUT:
        return list_puts(s, out)
    if s.phase == Phase.PLACE:
        return list_places(s, out)
    if s.phase == Phase.ARRANGE:
        return list_arrangements(s, out)
    tiles = free_tiles(s)
    while tiles:
        out[n] = TOKEN + lowest_bit(tiles)
        tiles &= tiles - 1
        n += 1
    return n


# ---- terraforming ------------------------------------------------------------------------------------------


@kernel
def begin_turn(s: State) -> None:
    """The seat to move has done nothing yet."""
    s.n_actions = 0
    s.n_terraformed = 0
    s.to_add = 0
    empty_pool(s)
    forget_target(s)


@kernel
def empty_pool(s: State) -> None:
    """Nobody may use any cubes."""
    s.pool[:] = 0
    s.lent[:] = 0
    s.budget = 0


@kernel
def forget_target(s: State) -> None:
    """Nothing is being paid for."""
    s.target = NONE
    s.changing = 0
    s.missing = 0
    s.plain = 0
    s.wild = 0
    s.triples[:] = 0
    s.fives = 0
    s.used[:] = 0


@kernel
def begin_terraforming(s: State) -> None:
    """The turn of the next seat: its cubes and those of the exchange zone are its pool."""
    begin_turn(s)
    s.to_move = s.order[s.at]
    s.phase = Phase.TURN
    for colour in range(N_COLOURS):
        s.budget += s.own[s.to_move, colour]
        s.pool[colour] = s.own[s.to_move, colour] + s.zone[colour]
        s.lent[colour] = s.zone[colour]
        s.own[s.to_move, colour] = 0
        s.zone[colour] = 0


@kernel
def use(s: State, colour: int, n: int) -> None:
    """Take cubes from the pool."""
    s.pool[colour] -= n
    s.lent[colour] = min(s.lent[colour], s.pool[colour])
    s.budget -= n


@kernel
def settle(s: State) -> None:
    """All colours have been paid: if the cubes of fives are chosen too, the tile is terraformed."""
    if s.missing:
        s.phase = Phase.PAY
    elif total(s.used) < 5 * s.fives:
        s.phase = Phase.FIVES
    else:
        for colour in range(N_COLOURS):
            n = (s.plain >> colour & 1) + 3 * int(s.triples[colour]) + int(s.used[colour])
            use(s, colour, n)
            s.discard[colour] += n
        terraform(s, int(s.target))
        forget_target(s)
        s.phase = Phase.TURN


@kernel
def release(s: State, colour: int) -> None:
    """A cube for immediate use."""
    if fetch_cube(s, colour):
        s.pool[colour] += 1
        s.budget += 1


@kernel
def gain(s: State, seat: int, source: int, points: int) -> None:
    """Points for the track."""
    s.points[seat] += points
    s.sources[seat, source] += points


@kernel
def terraform(s: State, tile: int) -> None:
    """Turn a tile over: points, a released cube, bonuses for both sides, tokens."""
    seat = int(s.to_move)
    for colour in range(N_COLOURS):
        s.discard[colour] += s.cubes_on[tile] >> colour & 1
    s.cubes_on[tile] = 0
    if s.reserved[seat] == tile:
        s.reserved[seat] = NONE
    else:
        s.to_add += 1
    gain(s, seat, Source.PRINTED, POINTS[tile])
    around = tiles_beside(s, tile)
    for other in range(s.players):
        each = 2 if other == seat and s.n_terraformed else 1
        source = Source.OWN if other == seat else Source.OTHERS
        gain(s, other, source, each * count_bits(around & s.terraformed[other]))
    own_tile(s, tile, seat)
    s.n_actions += 1
    s.n_terraformed += 1
    if RELEASED[tile] != NONE:
        release(s, RELEASED[tile])
    tokens = int(s.tokens_on[tile])
    while tokens:
        token = lowest_bit(tokens)
        tokens &= tokens - 1
        if TOKEN_KIND[token] == POINT_TOKEN:
            gain(s, seat, Source.TOKENS, TOKEN_VALUE[token])
        elif TOKEN_KIND[token] == RELEASE_TOKEN:
            release(s, TOKEN_VALUE[token])
        if TOKEN_KIND[token] == POINT_TOKEN or TOKEN_KIND[token] == RELEASE_TOKEN:
            s.tokens_on[tile] &= ~(1 << token)


@kernel
def reserve(s: State) -> None:
    """The cubes put stay on the tile; a point for each that is missing."""
    seat, tile, put = int(s.to_move), int(s.target), int(s.plain)
    for colour in range(N_COLOURS):
        use(s, colour, put >> colour & 1)
    s.cubes_on[tile] |= put
    gain(s, seat, Source.RESERVED, -count_bits(lacks(s, tile)))
    s.reserved[seat] = tile
    s.to_add += int(not s.changing)
    s.n_actions += 1
    forget_target(s)
    s.phase = Phase.TURN


@kernel
def add(s: State, colour: int) -> None:
    """A cube to the reserved tile."""
    use(s, colour, 1)
    s.cubes_on[s.reserved[s.to_move]] |= 1 << colour


# ---- the end of a turn and of a round ----------------------------------------------------------------------


@kernel
def has_display(s: State) -> bool:
    """Is there a tile on the display?"""
    for k in range(N_DISPLAY):
        if s.display[k] != NONE:
            return True
    return False


@kernel
def end_turn(s: State) -> None:
    """What is left goes to the exchange zone; then tiles are added."""
    for colour in range(N_COLOURS):
        s.zone[colour] = s.pool[colour]
    empty_pool(s)
    s.phase = Phase.PLACE
    if s.to_add == 0 or not has_display(s):
        next_turn(s)


@kernel
def place(s: State, slot: int, cell: int) -> None:
    """Add a tile of the display to the surface."""
    put_tile(s, int(s.display[slot]), cell)
    s.display[slot] = NONE
    s.to_add -= 1
    if s.to_add == 0 or not has_display(s):
        next_turn(s)


@kernel
def next_turn(s: State) -> None:
    """Refill the display; it is the turn of the next seat, or the round is over."""
    s.turn += 1
    hand_on(s)


@kernel
def hand_on(s: State) -> None:
    """The rest of `next_turn`. A state without its future comes back here after each tile."""
    if not refill_display(s):
        return
    s.at += 1
    if s.at < s.players:
        begin_terraforming(s)
    else:
        end_round(s)


@kernel
def end_round(s: State) -> None:
    """The end of the game, an Eternity token, or the next round."""
    begin_turn(s)
    most = 0
    for seat in range(s.players):
        most = max(most, int(s.done[seat]))
    if most >= END_TILES[s.players] or s.round == LAST_ROUND:
        s.ending = Ending.TERRAFORMED if most >= END_TILES[s.players] else Ending.ENDLESS
        score_surface(s)
        s.at = 0
        s.to_move = s.order[0]
        return
    if s.token_bag and has_free_tile(s):
        turn_up_token(s)
    else:
        next_round(s)


@kernel
def has_free_tile(s: State) -> bool:
    """Is there a tile for a token?"""
    return free_tiles(s) != 0


@kernel
def turn_up_token(s: State) -> None:
    """The seat with fewest points turns up a token; of equals the one that terraformed later in this round
    (N1)."""
    last = int(s.order[0])
    for k in range(1, s.players):
        if s.points[s.order[k]] <= s.points[last]:
            last = int(s.order[k])
    s.to_move = last
    if is_blank(s):
        s.phase = Phase.DRAW_TOKEN
    else:
        show_token(s, nth_bit(s.token_bag, below(s, count_bits(s.token_bag))))


@kernel
def show_token(s: State, token: int) -> None:
    """A token is turned up."""
    s.token = token
    s.token_bag &= ~(1 << token)
    s.phase = Phase.TOKEN
    s.reveals += 1
    s.news = 1 << 24 | int(s.news) << 4 | int(s.token)


@kernel
def lay_token(s: State, tile: int) -> None:
    """The token goes on a free tile."""
    s.tokens_on[tile] |= 1 << int(s.token)
    s.token = NONE
    s.turn += 1
    next_round(s)


@kernel
def next_round(s: State) -> None:
    """Unused cubes are discarded, the order turns round, free elements are given out, the next draft
    begins."""
    for colour in range(N_COLOURS):
        s.discard[colour] += s.zone[colour]
        s.zone[colour] = 0
    for k in range(s.players // 2):
        s.order[k], s.order[s.players - 1 - k] = s.order[s.players - 1 - k], s.order[k]
    for k in range(s.players):
        give_free_elements(s, int(s.order[k]))
    begin_round(s)


@kernel
def give_free_elements(s: State, seat: int) -> None:
    """Give a cube for every symbol on the seat's terraformed tiles, as long as there are cubes (E4)."""
    tiles = int(s.terraformed[seat])
    while tiles:
        tile, tokens = lowest_bit(tiles), int(s.tokens_on[lowest_bit(tiles)])
        tiles &= tiles - 1
        if RELEASED[tile] != NONE and fetch_cube(s, RELEASED[tile]):
            s.own[seat, RELEASED[tile]] += 1
        while tokens:
            token = lowest_bit(tokens)
            tokens &= tokens - 1
            if TOKEN_KIND[token] == FREE_TOKEN and fetch_cube(s, TOKEN_VALUE[token]):
                s.own[seat, TOKEN_VALUE[token]] += 1


# ---- chance ------------------------------------------------------------------------------------------------
# Outcomes are numbered by kind: tiles, cubes by colour, tokens.

FIRST_TILE, FIRST_CUBE, FIRST_TOKEN, N_OUTCOMES = firsts((N_TILES, N_COLOURS, N_TOKENS))


@kernel
def chance(s: State, outcomes: Ints, probabilities: Floats) -> int:
    """A tile, a cube or a token is drawn, each one in its bag equally likely."""
    if s.phase >= 0:
        return 0
    n = 0
    if s.phase == Phase.DRAW_TILE or s.phase == Phase.DRAW_TOKEN:
        tiles = s.phase == Phase.DRAW_TILE
        bits, first = (drawable_tiles(s), FIRST_TILE) if tiles else (int(s.token_bag), FIRST_TOKEN)
        each = 1 / count_bits(bits)
        while bits:
            outcomes[n] = first + lowest_bit(bits)
            probabilities[n] = each
            bits &= bits - 1
            n += 1
        return n
    cubes = total(s.bag)
    for colour in range(N_COLOURS):
        if s.bag[colour]:
            outcomes[n] = FIRST_CUBE + colour
            probabilities[n] = s.bag[colour] / cubes
            n += 1
    return n


@kernel
def resolve(s: State, outcome: int) -> None:
    """That one is drawn; then everything goes on as if the generator had said so."""
    if s.phase == Phase.DRAW_TILE:
        tile, k = outcome - FIRST_TILE, 0
        while s.display[k] != NONE:
            k += 1
        s.tile_bag &= ~(1 << tile)
        show_tile(s, k, tile)
        if s.round:
            s.phase = Phase.PLACE
            hand_on(s)
        else:
            deal(s)
    elif s.phase == Phase.DEAL_CUBE:
        seat = cubes_dealt(s) % s.players
        s.own[seat, take_cube(s, outcome - FIRST_CUBE)] += 1
        deal(s)
    elif s.phase == Phase.DRAW_CUBE:
        s.board[take_cube(s, outcome - FIRST_CUBE)] += 1
        fill_board(s)
    else:
        show_token(s, outcome - FIRST_TOKEN)


# ---- scoring -----------------------------------------------------------------------------------------------


@kernel
def symbols_of(s: State, tile: int) -> int:
    """How many symbols of each surface a tile shows, tokens included, packed: eight bits each."""
    shown, tokens = int(SHOWN[tile]), int(s.tokens_on[tile])
    while tokens:
        token = lowest_bit(tokens)
        tokens &= tokens - 1
        if TOKEN_KIND[token] == SURFACE_TOKEN:
            shown += 1 << 8 * int(TOKEN_VALUE[token])
    return shown


@kernel
def symbols_held(s: State, seat: int) -> int:
    """How many symbols of each surface the seat's terraformed tiles show, packed in the same way."""
    held, tiles = 0, int(s.terraformed[seat])
    while tiles:
        held += symbols_of(s, lowest_bit(tiles))
        tiles &= tiles - 1
    return held


@kernel
def symbols(s: State, seat: int, surface: int) -> int:
    """How many symbols of a surface the seat's terraformed tiles show, tokens included."""
    return symbols_held(s, seat) >> 8 * surface & 255


@kernel
def has_all_types(s: State, seat: int) -> bool:
    """Has the seat terraformed every type of surface?"""
    held = symbols_held(s, seat)
    for surface in range(N_SURFACES):
        if held >> 8 * surface & 255 == 0:
            return False
    return True


@kernel
def largest_area(s: State, seat: int) -> int:
    """The number of tiles of the seat's largest connected area."""
    most, own = 0, int(s.terraformed[seat])
    left = own
    while left:
        area, edge = 0, left & -left
        while edge:
            tile = lowest_bit(edge)
            area |= 1 << tile
            edge = (edge | tiles_beside(s, tile) & own) & ~area
        left &= ~area
        most = max(most, count_bits(area))
    return most


@kernel
def surface_points(s: State, seat: int) -> int:
    """Points for the number of symbols of each surface."""
    points, held = 0, symbols_held(s, seat)
    for surface in range(N_SURFACES):
        points += SURFACE_POINTS[min(held >> 8 * surface & 255, len(SURFACE_POINTS) - 1)]
    return points


@kernel
def area_points(s: State, seat: int) -> int:
    """Points for every opponent with a smaller largest area."""
    points, own = 0, largest_area(s, seat)
    for other in range(s.players):
        points += OVERTAKEN * int(largest_area(s, other) < own)
    return points


@kernel
def score_surface(s: State) -> None:
    """Final scoring."""
    for seat in range(s.players):
        s.points[seat] += (
            area_points(s, seat) + surface_points(s, seat) + ALL_TYPES * int(has_all_types(s, seat))
        )


@kernel
def scores(s: State, out: Floats) -> None:
    """Points on the track."""
    for seat in range(s.players):
        out[seat] = float(s.points[seat])


@kernel
def measure(s: State, seat: int, out: Floats) -> None:
    """Write the figures of a finished game for a seat, see MEASURES."""
    out[0], out[1] = float(s.round), float(s.done[seat])
    for source in range(N_SOURCES):
        out[2 + source] = float(s.sources[seat, source])
    out[2 + N_SOURCES] = float(area_points(s, seat))
    out[3 + N_SOURCES] = float(surface_points(s, seat))
    out[4 + N_SOURCES] = float(ALL_TYPES * int(has_all_types(s, seat)))


@kernel
def standing(s: State, seat: int) -> int:
    """A number that orders the seats: by points, then by all types of surfaces, then by tiles that show
    plains (S4)."""
    plains, tiles = 0, int(s.terraformed[seat])
    while tiles:
        plains += int(symbols_of(s, lowest_bit(tiles)) & 255 > 0)
        tiles &= tiles - 1
    return 256 * int(s.points[seat]) + 128 * int(has_all_types(s, seat)) + plains


@kernel
def outcome(s: State, out: Floats) -> None:
    """1 shared equally among those who stand best; all 0 while the game runs."""
    for seat in range(s.players):
        out[seat] = float(standing(s, seat)) if s.ending else 0.0
    if s.ending:
        share_win(s.players, out)


@kernel
def revealed(s: State) -> int:
    """0, a code of the tiles on the display and of the token turned up, or WIDE after the draw of a round."""
    return int(s.news)


# ---- an action ---------------------------------------------------------------------------------------------


@kernel
def begin_payment(s: State, tile: int) -> None:
    """Choose a tile to terraform."""
    s.target = tile
    s.missing = lacks(s, tile)
    settle(s)


@kernel
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    s.news = 0
    if action < PASS:
        draft(s, action - DRAFT)
    elif action == PASS:
        pass_(s)
    elif action < RESERVE:
        begin_payment(s, action - TERRAFORM)
    elif action < ADD:
        s.changing = int(action >= CHANGE)
        s.target = action - (CHANGE if s.changing else RESERVE)
        s.phase = Phase.PUT
    elif action < END_TURN:
        add(s, action - ADD)
    elif action == END_TURN:
        end_turn(s)
    elif action < USE:
        pay(s, action)
    elif action < PUT:
        s.used[action - USE] += 1
        settle(s)
    elif action < DONE:
        s.plain |= 1 << action - PUT
    elif action == DONE:
        reserve(s)
    elif action < TOKEN:
        place(s, (action - PLACE) // N_CELLS, (action - PLACE) % N_CELLS)
    elif action < ARRANGE:
        lay_token(s, action - TOKEN)
    else:
        arrange(s, (action - ARRANGE) // N_START_CELLS, start_cell((action - ARRANGE) % N_START_CELLS))


@kernel
def pay(s: State, action: int) -> None:
    """Decide how the next missing colour is paid."""
    colour = lowest_bit(s.missing)
    s.missing &= s.missing - 1
    if action < TRIPLE:
        s.plain |= 1 << colour
    else:
        s.wild |= 1 << colour
        if action < FIVE:
            s.triples[(action - TRIPLE) % N_COLOURS] += 1
        else:
            s.fives += 1
    settle(s)


# ---- random actions ----------------------------------------------------------------------------------------

random_action = drawn_from_list(legal_actions)
random_turn = drawn_step_by_step(random_action, apply, State)
