"""What a position of Myraclia is worth: `estimate` and `foresee` for the search, and the fixed `yardstick`
that bots are measured against."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np

from ludoteca.kernel import Array, Floats, Ints, count_bits, kernel, lowest_bit, reseed
from ludoteca.kernel.shares import share_out

from .rules import (
    ALL_TYPES,
    DISKS,
    END_TILES,
    END_TURN,
    FIRST_DARK,
    FIVE,
    FREE_TOKEN,
    MAX_LEGAL,
    MOST_ACTIONS,
    N_CELLS,
    N_COLOURS,
    N_SURFACES,
    N_TILES,
    N_TOKENS,
    NONE,
    OVERTAKEN,
    PASS,
    PLACE,
    POINT_TOKEN,
    POINTS,
    RELEASED,
    RESERVE,
    STATE,
    STEP,
    SURFACE_POINTS,
    TERRAFORM,
    TOKEN,
    TOKEN_KIND,
    TOKEN_VALUE,
    TRIPLE,
    USE,
    Phase,
    State,
    apply,
    free_tiles,
    lacks,
    legal_actions,
    may_terraform,
    most_put,
    n_beside,
    outcome,
    symbols_held,
    symbols_of,
    tiles_beside,
    total,
)

MOST_STEPS = 128  # actions of a turn


@kernel
def table_points(n: int) -> int:
    """The points for so many symbols of one surface."""
    return int(SURFACE_POINTS[min(n, len(SURFACE_POINTS) - 1)])


# ---- estimate ----------------------------------------------------------------------------------------------

# What a seat can still expect, in points, set by hand. The rest of the round is played out roughly: each seat
# in turn terraforms the tiles that it likes best with its cubes, those that it may still draft, and those
# that are left over from others. a free element, for each time that it is expected to come
FREE = 1.3
BESIDE = 0.35  # a free tile beside an own one, before the last round
# [types of surfaces terraformed], before the last round
NEW_TYPE = np.array([0.0, 1.0, 2.2, 3.8, 6.0])
CUBE = 0.9  # a cube, if other actions may follow in the turn
# the least that a tile must bring beyond its cubes to be planned at all
LEAST = -10.0
LEFT_OVER = 0.25  # a cube that the plan does not use, in the draft
# [cubes of a colour on the drafting board] chance to get one
DRAFTED = np.array([0.0, 0.55, 0.75, 0.85, 0.9])
# chance from which on a planned tile counts as terraformed for the plans that follow
LIKELY = 0.3
# a reserved tile: share of its worth, less so much for each cube missing
COMPLETED, TO_COMPLETE = 0.6, 1.4
AREA = 1.2  # steepness with which the difference of two areas counts
PACE = np.array([0.0, 0.0, 1.45, 1.75, 1.9, 1.9])  # [players] tiles a round of the seat that has most
# spread of the final points: now, and for each root of a round to come
SPREAD, SPREAD_ROUNDS = 1.2, 2.2
NEW_TILE = 0.03  # a point of a tile to be added beside an own one
BYTE = 255


@kernel
def pack(cubes: Array) -> int:
    """A heap of cubes as one int, eight bits a colour."""
    packed = 0
    for colour in range(N_COLOURS):
        packed |= int(cubes[colour]) << 8 * colour
    return packed


@kernel
def take_most(pool: int, least: int) -> int:
    """The colour of which a packed pool holds most; NONE if it holds fewer than `least` of that colour."""
    best, most = NONE, least - 1
    for colour in range(N_COLOURS):
        if pool >> 8 * colour & BYTE > most:
            best, most = colour, pool >> 8 * colour & BYTE
    return best


@kernel
def pay_roughly(pool: int, lacking: int) -> tuple[int, int]:
    """Pay some colours out of a packed pool: plainly, then by three equal cubes, then by five. Returns the
    number of cubes (1000 if they do not suffice) and the pool that is left."""
    size, unpaid = 0, 0
    while lacking:
        colour = lowest_bit(lacking)
        lacking &= lacking - 1
        if pool >> 8 * colour & BYTE:
            pool -= 1 << 8 * colour
            size += 1
        else:
            unpaid += 1
    for _ in range(unpaid):
        colour = take_most(pool, 3)
        if colour != NONE:
            pool -= 3 << 8 * colour
            size += 3
            continue
        for _ in range(5):
            colour = take_most(pool, 1)
            if colour == NONE:
                return 1000, pool
            pool -= 1 << 8 * colour
        size += 5
    return size, pool


@kernel
def map_out(s: State, near: Array, mine: Array, held: Array) -> int:
    """Write to near[tile] the tiles beside it, as bits; to mine[seat] the seat's terraformed tiles, as bits;
    to held[seat] how many symbols of each surface they show, packed. Returns the tiles that nobody has
    terraformed or reserved, as bits."""
    mine[:] = 0
    held[:] = 0
    for seat in range(s.players):
        mine[seat] = s.terraformed[seat]
        held[seat] = symbols_held(s, seat)
    for tile in range(N_TILES):
        if s.where[tile] != NONE:
            near[tile] = tiles_beside(s, tile)
    return free_tiles(s)


@kernel
def free_elements(s: State, tile: int) -> int:
    """How many free elements a tile gives in each round."""
    n = int(RELEASED[tile] != NONE)
    if s.tokens_on[tile]:
        for token in range(N_TOKENS):
            n += int(s.tokens_on[tile] >> token & 1 and TOKEN_KIND[token] == FREE_TOKEN)
    return n


@kernel
def held_worth(held: int, rounds: float) -> float:
    """What symbols of surfaces are worth: the points of the table, and the bonus for all types. Before the
    end the number of types found so far stands for that bonus."""
    worth, types = 0.0, 0
    for surface in range(N_SURFACES):
        n = held >> 8 * surface & BYTE
        types += int(n > 0)
        worth += table_points(n)
    return worth + (NEW_TYPE[types] if rounds > 0.0 else ALL_TYPES * int(types == N_SURFACES))


@kernel
def gain(s: State, seat: int, tile: int, beside: int, held: int, each: int, rounds: float) -> float:
    """What a seat gets by terraforming a tile. `beside` are its own tiles next to it, which bring `each`
    points apiece."""
    worth = (
        POINTS[tile]
        + each * beside
        + held_worth(held + symbols_of(s, tile), rounds)
        - held_worth(held, rounds)
    )
    worth += FREE * rounds * free_elements(s, tile)
    if s.tokens_on[tile]:
        for token in range(N_TOKENS):
            if s.tokens_on[tile] >> token & 1 and TOKEN_KIND[token] == POINT_TOKEN:
                worth += TOKEN_VALUE[token]
    return worth


@kernel
def take_tile(
    s: State,
    seat: int,
    tile: int,
    chance: float,
    each: int,
    rounds: float,
    near: Array,
    mine: Array,
    held: Array,
    done: Array,
    worth: Floats,
) -> None:
    """A seat terraforms a tile, with this chance: what all seats get by it, and who owns what then."""
    for other in range(s.players):
        beside = count_bits(near[tile] & mine[other])
        if other == seat:
            worth[seat] += chance * gain(s, seat, tile, beside, int(held[seat]), each, rounds)
        else:
            worth[other] += chance * beside
    if chance >= LIKELY:
        mine[seat] |= 1 << tile
        held[seat] += symbols_of(s, tile)
        done[seat] += 1


@kernel
def plan(
    s: State,
    seat: int,
    pool: int,
    budget: int,
    to_draft: int,
    reserved: int,
    n_actions: int,
    n_terraformed: int,
    free: int,
    rounds: float,
    near: Array,
    mine: Array,
    held: Array,
    done: Array,
    worth: Floats,
) -> tuple[int, int]:
    """The rest of a seat's turn of terraforming, one tile after another: the one that brings most less its
    cubes, weighed by the chance to draft those that are missing. `pool` are cubes that it may use, packed,
    `budget` how many of them; `to_draft` how many it may still draft. Returns the tiles that are free then
    and the cubes left over."""
    board = pack(s.board) if to_draft else 0
    while n_actions < MOST_ACTIONS:
        best, most, best_chance, best_pool, best_size, best_drafted = NONE, LEAST, 0.0, pool, 0, 0
        cost, each = (CUBE if n_actions < MOST_ACTIONS - 1 else 0.1), 2 if n_terraformed else 1
        all_mine, may_be = 0, 0
        for other in range(s.players):
            all_mine |= mine[other]
        if done[seat] + int(reserved != NONE) < DISKS[s.players]:
            may_be = free
        if reserved != NONE:
            may_be |= 1 << reserved
        while may_be:
            tile = lowest_bit(may_be)
            may_be &= may_be - 1
            if not (
                near[tile] & all_mine
                or all_mine == 0
                or tile == reserved
                or (s.round == 1 and done[seat] == 0)
            ):
                continue
            lacking, chance, drafted = lacks(s, tile), 1.0, 0
            missing = lacking
            while missing and drafted < to_draft:
                colour = lowest_bit(missing)
                missing &= missing - 1
                if pool >> 8 * colour & BYTE == 0 and board >> 8 * colour & BYTE:
                    chance *= DRAFTED[min(board >> 8 * colour & BYTE, 4)]
                    lacking &= ~(1 << colour)
                    drafted += 1
            size, left = pay_roughly(pool, lacking)
            if size > budget:
                continue
            score = chance * gain(
                s, seat, tile, count_bits(near[tile] & mine[seat]), int(held[seat]), each, rounds
            )
            score -= cost * (size + drafted)
            if score > most:
                best, most, best_chance, best_pool, best_size, best_drafted = (
                    tile,
                    score,
                    chance,
                    left,
                    size,
                    drafted,
                )
        if best == NONE:
            break
        missing = lacks(s, best)  # cubes that are drafted are gone from the board
        while missing and best_drafted:
            colour = lowest_bit(missing)
            missing &= missing - 1
            if pool >> 8 * colour & BYTE == 0 and board >> 8 * colour & BYTE:
                board -= 1 << 8 * colour
                best_drafted -= 1
                to_draft -= 1
        pool = best_pool
        budget -= best_size
        take_tile(s, seat, best, best_chance, each, rounds, near, mine, held, done, worth)
        free &= ~(1 << best)
        if best == reserved:
            reserved = NONE
        if RELEASED[best] != NONE:
            pool += 1 << 8 * int(RELEASED[best])
            budget += 1
        n_actions += 1
        n_terraformed += 1
    if s.phase == Phase.DRAFT:
        worth[seat] += LEFT_OVER * (budget + to_draft)
    if reserved != NONE and rounds > 0.0:
        expected = gain(
            s, seat, reserved, count_bits(near[reserved] & mine[seat]), int(held[seat]), 1, rounds
        )
        worth[seat] += max(0.0, COMPLETED * (expected - TO_COMPLETE * count_bits(lacks(s, reserved))))
    return free, pool


@kernel
def area_of(own: int, near: Array) -> int:
    """The size of the largest connected area of these tiles."""
    most = 0
    while own:
        area, grown, edge = 0, own & -own, own & -own
        while edge:
            tile = lowest_bit(edge)
            edge &= edge - 1
            new = near[tile] & own & ~grown
            grown |= new
            edge |= new
        area = count_bits(grown)
        own &= ~grown
        most = max(most, area)
    return most


@kernel
def pay_begun(s: State) -> tuple[int, int]:
    """The pool, packed, and the budget after the payment that the seat to move has begun, its rest made
    roughly."""
    pool, size, fives = pack(s.pool), count_bits(s.plain), 5 * int(s.fives)
    for colour in range(N_COLOURS):
        n = (int(s.plain) >> colour & 1) + 3 * int(s.triples[colour]) + int(s.used[colour])
        pool -= n << 8 * colour
        size += 3 * int(s.triples[colour])
        fives -= int(s.used[colour])
    for _ in range(fives):
        colour = take_most(pool, 1)
        if colour != NONE:
            pool -= 1 << 8 * colour
    more, left = pay_roughly(pool, int(s.missing))
    return (left, int(s.budget) - size - 5 * int(s.fives) - more) if more < 1000 else (0, 0)


@kernel
def put_likely(s: State) -> int:
    """The cubes of the reservation that is being made, as bits; if none is chosen yet, as many as
    possible."""
    put, n = int(s.plain), 0
    if put == 0:
        n = most_put(s, int(s.target))
        for colour in range(N_COLOURS):
            if n and lacks(s, int(s.target)) >> colour & 1 and s.pool[colour]:
                put |= 1 << colour
                n -= 1
    return put


@kernel
def plan_turn(
    s: State, free: int, rounds: float, near: Array, mine: Array, held: Array, done: Array, worth: Floats
) -> tuple[int, int]:
    """The plan of the seat that is about to terraform, what it has begun included. Returns the same as
    `plan`."""
    seat, n_actions, n_terraformed = int(s.to_move), int(s.n_actions), int(s.n_terraformed)
    pool, budget, reserved, target, put = (
        pack(s.pool),
        int(s.budget),
        int(s.reserved[s.to_move]),
        int(s.target),
        0,
    )
    if s.phase == Phase.PAY or s.phase == Phase.FIVES:
        pool, budget = pay_begun(s)
        take_tile(s, seat, target, 1.0, 2 if n_terraformed else 1, rounds, near, mine, held, done, worth)
        free &= ~(1 << target)
        if RELEASED[target] != NONE:
            pool += 1 << 8 * int(RELEASED[target])
            budget += 1
        if target == reserved:
            reserved = NONE
        n_actions += 1
        n_terraformed += 1
    elif s.phase == Phase.PUT:
        put = put_likely(s)
        for colour in range(N_COLOURS):
            pool -= (put >> colour & 1) << 8 * colour
        budget -= count_bits(put)
        worth[seat] -= count_bits(lacks(s, target) & ~put)
        if reserved != NONE:
            free |= 1 << reserved
        reserved = target
        free &= ~(1 << target)
        n_actions += 1
    begun = target if put else 0
    before = int(s.cubes_on[begun])  # for a moment the chosen cubes lie there already
    s.cubes_on[begun] = before | put
    free, pool = plan(
        s,
        seat,
        pool,
        budget,
        0,
        reserved,
        n_actions,
        n_terraformed,
        free,
        rounds,
        near,
        mine,
        held,
        done,
        worth,
    )
    s.cubes_on[begun] = before
    return free, pool


@kernel
def next_in_line(s: State, planned: int) -> int:
    """Of the seats that are not in `planned` (bits) the one that would terraform first if the draft ended
    now. Seats without a cube are thought to stand in the middle column, in the drafting order: so estimated,
    first drafters win as often as they do."""
    best, most, players = NONE, -1, int(s.players)
    for k in range(players):
        seat = int(s.order[(s.at + k) % players])
        key = 64 * 3 + 2 * players - k if s.disk[seat] == NONE else 64 * int(s.disk[seat]) + int(s.rank[seat])
        if not planned >> seat & 1 and key > most:
            best, most = seat, key
    return best


@kernel
def left_to_draft(s: State, seat: int) -> int:
    """How many cubes a seat may still take if nobody passes any more."""
    active, before = 0, 0
    for k in range(s.players):
        other = int(s.order[(s.at + k) % s.players])
        if other == seat:
            before = active
        active += int(not s.passed[other])
    n = total(s.board)
    return 0 if s.passed[seat] else n // active + int(before < n % active)


@kernel
def plan_round(
    s: State, free: int, rounds: float, near: Array, mine: Array, held: Array, done: Array, worth: Floats
) -> int:
    """The plans of all seats that are still to terraform in this round. Returns the tiles that are free
    then."""
    zone, planned = pack(s.zone), 0
    if s.phase == Phase.DRAFT:
        for _ in range(s.players):
            seat = next_in_line(s, planned)
            planned |= 1 << seat
            to_draft = left_to_draft(s, seat)
            free, zone = plan(
                s,
                seat,
                pack(s.own[seat]) + zone,
                total(s.own[seat]),
                to_draft,
                int(s.reserved[seat]),
                0,
                0,
                free,
                rounds,
                near,
                mine,
                held,
                done,
                worth,
            )
    elif s.phase != Phase.TOKEN:
        if s.phase != Phase.PLACE:
            free, zone = plan_turn(s, free, rounds, near, mine, held, done, worth)
        for k in range(s.at + 1, s.players):
            seat = int(s.order[k])
            free, zone = plan(
                s,
                seat,
                pack(s.own[seat]) + zone,
                total(s.own[seat]),
                0,
                int(s.reserved[seat]),
                0,
                0,
                free,
                rounds,
                near,
                mine,
                held,
                done,
                worth,
            )
    return free


@kernel
def rounds_left(s: State, done: Array, later: float) -> float:
    """How many rounds are to come after this one, of which the share `later` is still to be played; 0 if it
    is the last."""
    most = 0
    for seat in range(s.players):
        most = max(most, int(done[seat]))
    left = (END_TILES[s.players] - most) / PACE[s.players] - later
    return 0.0 if left <= 0.0 else max(1.0, left)


@kernel
def prospects(s: State, worth: Floats) -> float:
    """The points that each seat can expect, into `worth`; returns how much a point counts."""
    near, mine, held, done = (
        np.empty(N_TILES, np.int64),
        np.empty(5, np.int64),
        np.empty(5, np.int64),
        np.empty(5, np.int64),
    )
    free, later, players = map_out(s, near, mine, held), 0.0, int(s.players)
    if s.phase == Phase.DRAFT:
        later = 1.0
    elif s.phase != Phase.TOKEN:
        later = (players - s.at - int(s.phase == Phase.PLACE)) / players
    for seat in range(players):
        done[seat] = s.done[seat]
    rounds = rounds_left(s, done, later)
    for seat in range(players):
        n, own = 0, int(mine[seat])
        while own:
            n += free_elements(s, lowest_bit(own))
            own &= own - 1
        worth[seat] = s.points[seat] + held_worth(int(held[seat]), rounds) + FREE * rounds * n
    free = plan_round(s, free, rounds, near, mine, held, done, worth)
    rounds = rounds_left(s, done, 0.0)
    for seat in range(players):
        held[seat] = area_of(int(mine[seat]), near)  # from here on: areas
    for seat in range(players):
        for other in range(players):
            if other != seat:
                larger = held[seat] - held[other]
                worth[seat] += (
                    OVERTAKEN / (1.0 + exp(AREA * (0.5 - larger)))
                    if rounds > 0.0
                    else OVERTAKEN * int(larger > 0)
                )
    if rounds > 0.0:
        while free:
            tile = lowest_bit(free)
            free &= free - 1
            for seat in range(players):
                worth[seat] += BESIDE * count_bits(near[tile] & mine[seat])
    return 1.0 / (SPREAD + SPREAD_ROUNDS * sqrt(rounds + 0.5 * int(s.phase == Phase.DRAFT)))


@kernel
def estimate(s: State, out: Floats) -> None:
    """The expected outcome, from the points that each seat can expect; the sooner the end, the more a point
    counts. While starting tiles are laid nobody has anything yet, and all expect the same."""
    if s.ending:
        outcome(s, out)
    elif s.phase == Phase.ARRANGE:
        out[: s.players] = 1.0 / s.players
    else:
        share_out(int(s.players), prospects(s, out), out, out)


# ---- foresee -----------------------------------------------------------------------------------------------


@kernel
def foresee(s: State, actions: Ints, n: int, out: Floats) -> None:
    """What `estimate` would say for the seat to move after each of its `n` legal actions. Places for new
    tiles are judged roughly, by the owners of the tiles beside them."""
    states, worth, found, seat = np.empty(1, STATE), np.empty(5), np.empty(5), int(s.to_move)
    if s.phase == Phase.ARRANGE:
        out[:n] = 1.0 / s.players
        return
    if s.phase == Phase.PLACE:
        counts = prospects(s, worth)
        own = worth[seat]
        for i in range(n):
            worth[seat] = own + place_worth(s, int(actions[i]))
            share_out(int(s.players), counts, worth, found)
            out[i] = found[seat]
        return
    for i in range(n):
        states[0] = s
        apply(states[0], int(actions[i]))
        estimate(states[0], found)
        out[i] = found[seat]


@kernel
def place_worth(s: State, action: int) -> float:
    """What it is worth to add a tile there: it is beside own tiles, and beside those of the opponent who has
    most of them."""
    tile, at, own, most = int(s.display[(action - PLACE) // N_CELLS]), (action - PLACE) % N_CELLS, 0, 0
    for other in range(s.players):
        n = 0
        for way in range(6):
            beside = s.cell[at + STEP[way]]
            n += int(beside != NONE and s.owner[beside] == other)
        if other == s.to_move:
            own = n
        else:
            most = max(most, n)
    return (own - most) * (BESIDE + NEW_TILE * POINTS[tile]) + 0.001 * tile


# ---- the yardstick: never to be improved -------------------------------------------------------------------

# [colours missing] -> what a tile counts for in the draft
FACTOR = np.array([1.0, 0.4, 0.16, 0.064, 0.0256, 0.0])
N_PLANNED = 3  # tiles for which a seat drafts


@kernel
def tile_worth(s: State, seat: int, tile: int, chained: bool) -> float:
    """What it is worth to a seat to terraform a tile: its points; 1 for each own tile beside it, 2 if it is
    `chained`, not the first terraformation of the turn; less 0.5 for each tile of others beside it; the
    points that its surfaces add to the table of surfaces, and 1.5 for each surface that is new to the seat;
    for a released element 1, and 0.5 for each tile which the seat that has most still lacks beyond 2 to the
    end, as it comes again each round; the points of Eternity tokens, 1 for another."""
    worth, most = float(POINTS[tile]), 0
    for other in range(s.players):
        each = (2.0 if chained else 1.0) if other == seat else -0.5
        worth += each * n_beside(s, tile, other)
        most = max(most, int(s.done[other]))
    shown, held = symbols_of(s, tile), symbols_held(s, seat)
    for surface in range(N_SURFACES):
        more = shown >> 8 * surface & BYTE
        if more:
            n = held >> 8 * surface & BYTE
            worth += table_points(n + more) - table_points(n) + 1.5 * int(n == 0)
    if RELEASED[tile] != NONE:
        worth += 1.0 + 0.5 * max(0, END_TILES[s.players] - most - 2)
    for token in range(N_TOKENS):
        if s.tokens_on[tile] >> token & 1:
            worth += TOKEN_VALUE[token] if TOKEN_KIND[token] == POINT_TOKEN else 1.0
    return worth


@kernel
def draft_worth(s: State, seat: int, cubes: Ints, worth: Floats) -> float:
    """What a reserve of cubes (which are used up) is worth in the draft: of the tile that counts most, its
    worth by `worth` times `FACTOR` for the colours that are missing; the same of a second and a third tile
    with the cubes that are left."""
    total, used = 0.0, 0
    for _ in range(N_PLANNED):
        best, most = NONE, 0.0
        for tile in range(FIRST_DARK):
            if worth[tile] > 0.0 and not used >> tile & 1:
                missing = 0
                for colour in range(N_COLOURS):
                    missing += int(lacks(s, tile) >> colour & 1 and cubes[colour] == 0)
                if worth[tile] * FACTOR[missing] > most:
                    best, most = tile, worth[tile] * FACTOR[missing]
        if best == NONE:
            break
        total += most
        used |= 1 << best
        for colour in range(N_COLOURS):
            if lacks(s, best) >> colour & 1 and cubes[colour]:
                cubes[colour] -= 1
    return total


@kernel
def best_cube(s: State) -> int:
    """The cube to be drafted with which the reserve is worth most; of equals the one further to the right."""
    seat, best, most = int(s.to_move), PASS, -1.0
    worth, cubes = np.zeros(FIRST_DARK), np.empty(N_COLOURS, np.int32)
    for tile in range(FIRST_DARK):
        if s.where[tile] != NONE and s.owner[tile] == NONE and may_terraform(s, tile):
            worth[tile] = tile_worth(s, seat, tile, False)
    for colour in range(N_COLOURS):
        if s.board[colour]:
            for other in range(N_COLOURS):
                cubes[other] = s.own[seat, other]
            cubes[colour] += 1
            found = draft_worth(s, seat, cubes, worth)
            if found > most + 1e-9 or (found > most - 1e-9 and s.column[colour] > s.column[best]):
                best, most = colour, found
    return best


@kernel
def payment_size(s: State, tile: int) -> int:
    """With how few cubes a tile that can be paid for can be paid: plain ones as far as they go, then triples,
    then fives."""
    size, unpaid, threes = 0, 0, 0
    for colour in range(N_COLOURS):
        n = int(s.pool[colour])
        if lacks(s, tile) >> colour & 1:
            size += int(n > 0)
            unpaid += int(n == 0)
            n = max(0, n - 1)
        threes += n // 3
    return size + 3 * min(threes, unpaid) + 5 * max(0, unpaid - threes)


@kernel
def yardstick_score(s: State, action: int) -> float:
    """What one of the legal actions counts for. A terraformation: its worth less 0.5 for each cube; one worth
    nothing is not begun, nothing is reserved; if somebody else has begun a reservation, all cubes that can be
    put there are. In a payment: the colour itself, else a triple, else a five, each of what the pool holds
    most of. A tile to be added: for each own tile beside it 1, for each of the opponent who has most of them
    -1; of equals the one with more points. A token likewise. Starting tiles count nothing."""
    seat = int(s.to_move)
    if s.phase == Phase.ARRANGE:
        return 0.0
    if s.phase == Phase.TURN:
        if action == END_TURN:
            return 0.0
        if action >= RESERVE:
            return -1.0
        tile = action - TERRAFORM
        return tile_worth(s, seat, tile, s.n_terraformed > 0) - 0.5 * payment_size(s, tile)
    if s.phase == Phase.PAY:
        if action < TRIPLE:
            return 200.0
        return 100.0 + s.pool[(action - TRIPLE) % N_COLOURS] if action < FIVE else 0.0
    if s.phase == Phase.FIVES:
        return float(s.pool[action - USE])
    if s.phase == Phase.PUT:
        return 0.0
    own, most = 0, 0
    if s.phase == Phase.PLACE:
        tile, at = int(s.display[(action - PLACE) // N_CELLS]), (action - PLACE) % N_CELLS
    else:
        tile, at = action - TOKEN, int(s.where[action - TOKEN])
    for other in range(s.players):
        n = 0
        for way in range(6):
            of = int(s.cell[at + STEP[way]])
            n += int(of != NONE and s.owner[of] == other)
        if other == seat:
            own = n
        else:
            most = max(most, n)
    return own - most + 0.01 * POINTS[tile]


@kernel
def best_action(s: State, actions: Ints) -> int:
    """The action with the highest `yardstick_score`, of equals the lowest; in the draft `best_cube`.
    `actions` is scratch."""
    if s.phase == Phase.DRAFT:
        return best_cube(s)
    best, most = NONE, -1e300
    for i in range(legal_actions(s, actions)):
        score = yardstick_score(s, int(actions[i]))
        if score > most + 1e-9:
            best, most = int(actions[i]), score
    return best


@kernel
def best_turn(states: Any, actions: Ints, turn: Ints) -> int:
    """Play the turn (or the rest of it) in states[1] by `best_action` and write it; returns its length."""
    states[1] = states[0]
    s, n = states[1], 0
    reseed(s, 0)  # tiles drawn after the turn do not matter
    while s.ending == 0 and s.turn == states[0].turn:
        turn[n] = best_action(s, actions)
        apply(s, int(turn[n]))
        n += 1
    return n


def yardstick(s: State) -> tuple[int, ...]:
    """The turn (or the rest of the turn begun) by fixed weights. Of the draft: the cube after which three
    tiles together are worth most (`draft_worth`, `tile_worth`); it passes only when it must. Of terraforming:
    again and again the best payable tile, then the places for new tiles (`yardstick_score`)."""
    states, turn = State.array(2), np.empty(MOST_STEPS, np.int32)
    states[0] = s
    n = best_turn(states, np.empty(MAX_LEGAL, np.int32), turn)
    return tuple(turn[:n].tolist())
