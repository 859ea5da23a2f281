"""What a position of Mykerinos is worth: `estimate` and `foresee` for the search, and the fixed `yardstick`
that bots are measured against."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np

from ludoteca.kernel import Array, Floats, Ints, Record, field, holds, kernel, size_of
from ludoteca.kernel.shares import share_out

from . import components as C
from . import rules
from .rules import (
    APPEAL,
    AREA,
    BESIDE,
    BLACKMORE,
    BLANK,
    BROWN,
    DEAL,
    EXTEND,
    LEMON,
    LYING,
    MAX_LEGAL,
    MUSEUM,
    N_AREAS,
    N_PATRONS,
    N_ROOMS,
    N_SEASONS,
    N_SPACES,
    N_TILES,
    N_WINGS,
    NEEDED,
    NEUTRAL,
    NEUTRAL_EXTEND,
    NEUTRAL_START,
    NEUTRAL_TAKE,
    NOBODY,
    NOTHING,
    PASS,
    PATRON_OF,
    POINTS_OF,
    ROOM,
    ROOMS_OF_WING,
    SPACE,
    START,
    TAKE,
    TANGERINE,
    VIOLET,
    Phase,
    State,
    apply,
    beside,
    cubes_in,
    empty,
    extensions,
    free,
    legal_actions,
    multiplier,
    outcome,
    place_on_scale,
    rooms_open,
    sites,
    tile_in,
)

# ---- estimate ----------------------------------------------------------------------------------------------

# What a seat can still expect, in points; lists without a note are by season.  The numbers were set by hand
# near known rules of thumb and changed as games against the yardstick suggested. Two other ways to them were
# tried: least squares over the positions of some 400 games, which learns what goes with winning and not what
# brings it about, and simultaneous perturbation (Spall, IEEE Transactions on Automatic Control 37, 1992) in
# 830 games with searches of 120 or 150 simulations. With 1,000 simulations an expert won 54.5 % of 100 games
# against three yardsticks with the latter, and 72 % with these.
# [digging, season] share of what the first rank may take
FIRST = np.array([[0.75, 0.75, 0.8, 0.9], [0.7, 0.7, 0.75, 0.8]])
SECOND = np.array([[0.7, 0.7, 0.7, 0.75], [0.6, 0.6, 0.6, 0.65]])  # and the second one
# share of the worse tile; points for the fourth rank
THIRD, FOURTH = 0.35, 0.2
# a cube in the stock of who has passed
KEPT = np.array([0.7, 0.7, 0.7, 0.0])
TO_LAY = np.array([0.4, 0.4, 0.4, 0.0])  # of who has not
# share of the gain by a cube in the second best open room
ROOM_NEXT = np.array([0.4, 0.2, 0.2, 0.0])
# of the gains by all rooms within reach
ROOM_FAR = np.array([0.2, 0.2, 0.2, 0.0])
# tiles of a patron still expected, for the gains
HELPS = np.array([1.2, 0.9, 0.5, 0.0])
# a tile beyond its points in the exhibition
HELD = np.array([1.8, 1.2, 0.5, -0.1])
HELD_BROWN = np.array([0.6, 0.6, 0.5, 0.0])  # more for one of Sir Brown's
# a tile that can still be used in this season
UNTILTED = np.array([0.4, 0.4, 0.3, 0.4])
UNTILTED_BROWN = np.array([0.6, 0.6, 0.4, 0.2])  # more for one of Sir Brown's
# a patron of which there are more tiles than of the fewest
IN_SET = np.array([0.7, 0.8, 0.9, 0.5])
# to be to move, but for the last time; to begin the season
TEMPO, BEGINS = 0.25, 0.3
# of one more tile: share of the multiplier within reach
REACH = np.array([0.45, 0.4, 0.3, 0.1])
# its power, its share in rooms to come
USES = np.array([3.5, 2.4, 1.3, 0.0])
TO_SET = np.array([1.5, 1.5, 1.5, 1.0])  # a step towards a set
SPREAD = 1.2  # cubes to come scatter so much
# [digging, season] logarithm of the chances of a point
POINT = np.array([[0.12, 0.14, 0.18, 0.4], [0.12, 0.14, 0.18, 0.25]])
FIRST_TWO = C.TWOS[0]  # room
# [64 + 16 x], x in standard deviations
CHANCES = np.array([1.0 / (1.0 + exp(-1.7 * (k - 64) / 16)) for k in range(129)])
# [cubes that two can still lay anywhere] -> 1 / the standard deviation, in cubes, of their difference in an
# area
STEADY = np.array([1.0 / (0.12 + SPREAD * sqrt(n / 4)) for n in range(64)])


@kernel
def estimate(s: State, out: Floats) -> None:
    """The expected outcome, from the points that each seat can expect; the sooner the end, the more a point
    counts."""
    if s.ending:
        outcome(s, out)
        return
    prospects(s, out)
    share_out(s.players, POINT[int(s.phase < Phase.CLAIM), s.season], out, out)


@kernel
def byte(bytes_: int, who: int) -> int:
    """The number of a seat or the neutral colour among five that are packed into one int, eight bits each."""
    return bytes_ >> 8 * who & 255


@kernel
def cubes_of(s: State, area: int) -> int:
    """The cubes of each in an area, packed."""
    low, high, found = AREA[area, 0], AREA[area, 1], 0
    for who in range(5):
        found |= size_of(s.cubes[who, 0] & low, s.cubes[who, 1] & high) << 8 * who
    return found


@kernel
def places_on_scale(s: State) -> int:
    """The place of each on the passing scale, packed; 4 for whoever has not passed."""
    places = 0
    for who in range(5):
        places |= 4 << 8 * who
    for k in range(4):
        if s.scale[k] != NOBODY:
            places -= 4 - k << 8 * int(s.scale[k])
    return places


@kernel
def cubes_to_come(s: State, places: int) -> int:
    """How many cubes each may still lay in this season, packed."""
    cubes = 0
    if s.phase >= Phase.CLAIM:
        return cubes
    # one more action: two cubes at most, or what is left of those begun
    if s.last:
        seat = int(s.to_move)
        most = int(s.to_lay) if s.phase == Phase.DIG else 2 if s.phase < Phase.NEUTRAL else 0
        return min(int(s.stock[seat]), most) << 8 * seat
    for seat in range(s.players):
        if byte(places, seat) == 4:
            cubes += (int(s.stock[seat]) << 8 * seat) + (int(s.neutral_stock[seat]) << 8 * NEUTRAL)
    return cubes


@kernel
def patrons_in_order(s: State) -> int:
    """The patron of each wing, four bits each."""
    patrons = 0
    for patron in range(N_PATRONS):
        patrons |= patron << 4 * int(s.wing[patron])
    return patrons


@kernel
def rooms_taken(s: State) -> tuple[int, int]:
    """The rooms with cubes of each seat, packed, N_ROOMS bits each, and those with anybody's, as bits."""
    own, taken = 0, 0
    for room in range(N_ROOMS):
        if s.room[room] != NOBODY:
            own |= 1 << N_ROOMS * int(s.room[room]) + room
            taken |= 1 << room
    return own, taken


@kernel
def collection(
    s: State, seat: int, own: int, taken: int, patrons: int, active: bool, worth: Floats
) -> tuple[float, float]:
    """What a seat's tiles and rooms are worth to it, those to come included; and what it gains by one more
    cube in the best room that is open to it. `own` and `taken` are rooms with its cubes and with anybody's,
    as bits; `active`: it can still use its patrons in this season. Writes into `worth` what one more tile of
    each patron would be worth."""
    season, total, best, second, far, before = s.season, 0.0, 0.0, 0.0, 0.0, 0.0
    fewest, n_fewest = N_TILES, 0
    for patron in range(N_PATRONS):
        held = int(s.held[seat, patron])
        if held < fewest:
            fewest, n_fewest = held, 0
        n_fewest += int(held == fewest)
    # the first wing again, for the 2 room between the last one and it
    for k in range(N_WINGS + 1):
        wing = k % N_WINGS
        patron, two, three = patrons >> 4 * wing & 15, FIRST_TWO + (k - 1) % N_WINGS, N_WINGS + wing
        times = 5 if own >> wing & 1 else 3 if own >> three & 1 else 2 if own & ROOMS_OF_WING[wing, 2] else 1
        held = int(s.held[seat, patron])
        counts = held + HELPS[season]
        by_two = counts if times == 1 else 0.0
        if k and taken >> two & 1 == 0:
            second = max(second, min(best, before + by_two))
            best = max(best, before + by_two)
        before = by_two
        if k == N_WINGS:
            break
        reach = float(times)
        if times < 3 and taken >> three & 1 == 0:
            reach = 3.0
            second = max(second, min(best, (3 - times) * counts))
            best = max(best, (3 - times) * counts)
        if times < 5 and taken >> wing & 1 == 0:
            if own & NEEDED[s.five_door, wing]:
                reach = 5.0
                second = max(second, min(best, (5 - times) * counts))
                best = max(best, (5 - times) * counts)
            elif ~taken & NEEDED[s.five_door, wing]:
                reach = 4.0  # after another room, if nobody comes before
        far += (reach - times) * held
        brown = int(patron == BROWN)
        total += held * (times + HELD[season] + brown * HELD_BROWN[season])
        if active:
            total += (held - s.used[seat, patron]) * (UNTILTED[season] + brown * UNTILTED_BROWN[season])
        worth[patron] = times + REACH[season] * (reach - times) + USES[season]
        if held == fewest:
            worth[patron] += 5.0 if n_fewest == 1 and season == N_SEASONS - 1 else TO_SET[season]
    worth[BLANK] = 0.0
    total += 5.0 * fewest + IN_SET[season] * (N_PATRONS - n_fewest)
    total += ROOM_NEXT[season] * second + ROOM_FAR[season] * far
    return total, best


@kernel
def ranks(seat: int, here: int, coming: int, places: int, areas: int) -> tuple[float, float, float]:
    """The chances of a seat to be first, second, third in an area. `here` are the cubes in it, packed; those
    to come are thought to be spread over all areas."""
    first, second, third = 1.0, 0.0, 0.0
    mine, mine_coming, place = byte(here, seat), byte(coming, seat), byte(places, seat)
    for who in range(5):
        cubes, more = byte(here, who), byte(coming, who)
        if who == seat or cubes + more == 0:
            continue
        lead = mine - cubes + (mine_coming - more) / areas
        if place != byte(places, who):  # a tie goes to the earlier pass
            lead += 0.5 if place < byte(places, who) else -0.5
        lead *= STEADY[min(len(STEADY) - 1, mine_coming + more)]
        ahead = CHANCES[int(max(0.0, min(128.0, 64.5 + 16.0 * lead)))]
        third = third * ahead + second * (1.0 - ahead)
        second = second * ahead + first * (1.0 - ahead)
        first *= ahead
    return first, second, third


@kernel
def area_gain(
    seat: int,
    here: int,
    coming: int,
    places: int,
    areas: int,
    part: int,
    season: int,
    best: float,
    second: float,
    third: float,
) -> float:
    """What a seat can expect of an area that is not surveyed yet and in which it has cubes or may still lay
    some; to be first, second and third there is worth so much to it."""
    one, two, three = ranks(seat, here, coming, places, areas)
    gain = (
        FIRST[part, season] * one * best
        + SECOND[part, season] * two * second
        + THIRD * three * third
        + FOURTH * (1.0 - one - two - three)
    )
    return gain if byte(here, seat) else gain * min(1.0, 0.8 * byte(coming, seat) / areas)


@kernel
def claims_left(s: State, seat: int, left: float, right: float, room: float) -> float:
    """What a seat can expect of the area that is being surveyed; `left`, `right` and `room` are worth so much
    to it, 0 if taken."""
    for k in range(s.next_rank, s.n_ranked):
        if s.rank[k] == seat:
            if k == s.next_rank:
                return FIRST[0, s.season] * max(left, right, room if k < 2 else 0.0)
            return SECOND[0, s.season] * max(min(left, right), room) if k < 2 else THIRD * min(left, right)
    return 0.0


@kernel
def prospects(s: State, out: Floats) -> None:
    """The points that each seat can expect at the end, but for what is the same for all."""
    players, season, areas, first = (
        int(s.players),
        int(s.season),
        int(DEAL[s.season] // 2),
        int(s.dealt - DEAL[s.season]),
    )
    digging, more = s.phase < Phase.CLAIM, s.season < N_SEASONS - 1
    part, places = int(digging), places_on_scale(s)
    coming, patrons = cubes_to_come(s, places), patrons_in_order(s)
    own, taken = rooms_taken(s)
    worth, cubes = np.empty(BLANK + 1), np.empty(N_AREAS, np.int64)
    for area in range(areas):
        cubes[area] = cubes_of(s, area)
    for seat in range(players):
        active, mine_coming = digging and byte(places, seat) == 4, byte(coming, seat)
        total, best = collection(
            s, seat, own >> N_ROOMS * seat & (1 << N_ROOMS) - 1, taken, patrons, active, worth
        )
        for area in range(0 if digging else s.area, areas):
            left, right = int(s.deck[first + 2 * area]), int(s.deck[first + 2 * area + 1])
            a = POINTS_OF[left] + worth[PATRON_OF[left]] if s.owner[left] == LYING else 0.0
            b = POINTS_OF[right] + worth[PATRON_OF[right]] if s.owner[right] == LYING else 0.0
            if not digging and area == s.area:
                total += claims_left(s, seat, a, b, best)
            elif byte(cubes[area], seat) + mine_coming:
                third = min(a, b)
                second = max(third, best)
                total += area_gain(
                    seat, cubes[area], coming, places, areas, part, season, max(a, b, best), second, third
                )
        total += s.points[seat] + (TO_LAY[season] if active else KEPT[season]) * s.stock[seat]
        if more:
            behind = True
            for other in range(players):
                behind = behind and (other == seat or byte(places, other) < byte(places, seat))
            if behind:
                total += BEGINS
        if digging and s.to_move == seat:
            total += 0.0 if s.last else TEMPO
        out[seat] = total


# ---- foresee -----------------------------------------------------------------------------------------------

MOST_LAID = 3  # cubes of an excavation
MOST_OPEN = 4  # spaces beside one
WITH_ROOM = 4  # of `offers`
AREA_OF = np.array(C.AREA_OF, np.int64)  # [space] -> its area


class Outlook(Record):
    """What `foresee` knows of a position of the excavation. All that the estimate depends on is how many
    cubes are laid in which areas."""

    cubes: Array = field('i8', N_AREAS)  # [area] -> cubes of each in it, packed
    coming: int = field('i8')  # cubes of each to come, packed; none in the last turn
    places: int = field('i8')  # of each on the passing scale, packed
    patrons: int = field('i8')  # of each wing, packed
    own: int = field('i8')  # rooms with cubes of the seat to move, as bits
    taken: int = field('i8')  # and with anybody's
    point: float = field('f8')  # logarithm of the chances of a point
    kept: float = field('f8')  # a cube in the stock of the seat to move
    rest: Array = field('f8', 4)  # [seat] -> points expected without the areas
    collected: float = field('f8')  # of these what the seat to move has in tiles and rooms
    # [seat, area, rank] -> what it is worth to the seat to be first, second, third there; WITH_ROOM: to the
    # one to move with one more room
    offers: Array = field('f8', (5, N_AREAS, 3))
    # [cubes laid, of these in the area, area, seat] -> points expected of the area
    gains: Array = field('f8', (MOST_LAID + 1, MOST_LAID + 1, N_AREAS, 4))
    # [cubes laid, of these in an area] -> areas for which `gains` are known, as bits
    known: Array = field('i8', (MOST_LAID + 1, MOST_LAID + 1))
    # [cubes laid, seat] -> points expected of everything if these cubes have gone nowhere
    idle: Array = field('f8', (MOST_LAID + 1, 4))
    # [cubes laid, area of the first, area of the others] -> the share of the seat to move, 0: not known
    shares: Array = field('f8', (MOST_LAID + 1, N_AREAS, N_AREAS))
    near: Array = field(
        'i8', (N_AREAS, 2)
    )  # [area, word] -> spaces from which an excavation may go on into it
    free: Array = field('i8', 2)  # spaces without cube and pyramid
    # [action] -> of its excavation the area of the first cube and that of the others, as one number
    way: Array = field('i1', MAX_LEGAL)
    # [cubes laid, way, free spaces beside] -> excavations alike that come before one from such a space
    before: Array = field('i1', (MOST_LAID + 1, N_AREAS**2, MOST_OPEN + 1))
    players: int = field('i1')
    season: int = field('i1')
    areas: int = field('i1')
    digging: int = field('i1')  # does the excavation go on after the action?
    seat: int = field('i1')  # to move
    digger: int = field('i1')  # whose cubes are laid


OUTLOOK, STATE = Outlook.DTYPE, State.DTYPE


@kernel
def look_out(s: State, o: Outlook) -> None:
    """What all actions of the seat to move have in common. After its own excavation the next seat is to move,
    or it makes a neutral move; after the last one the survey begins."""
    seat, season, worth = int(s.to_move), int(s.season), np.empty(BLANK + 1)
    neutral = s.phase == Phase.NEUTRAL or s.digger == NEUTRAL
    goes_on = s.players == 2 and not neutral and s.neutral_stock[seat] > 0
    o.players = s.players
    o.season = season
    o.areas = DEAL[season] // 2
    o.digging = int(goes_on or s.last == 0)
    o.seat = seat
    o.digger = NEUTRAL if neutral else seat
    o.places = places_on_scale(s)
    o.coming = 0 if s.last else cubes_to_come(s, int(o.places))
    o.point = POINT[o.digging, season]
    o.patrons = patrons_in_order(s)
    o.known[:] = 0
    o.shares[:] = 0.0
    for area in range(o.areas):
        o.cubes[area] = cubes_of(s, area)
    own, taken = rooms_taken(s)
    o.taken = taken
    for who in range(s.players):
        active = o.digging == 1 and byte(int(o.places), who) == 4
        mine = own >> N_ROOMS * who & (1 << N_ROOMS) - 1
        total, best = collection(s, who, mine, taken, int(o.patrons), active, worth)
        make_offers(s, o, who, worth, best)
        kept = TO_LAY[season] if active else KEPT[season]
        o.rest[who] = total + s.points[who] + kept * s.stock[who]
        if who == seat:
            o.own = mine
            o.kept = kept
            o.collected = total
    if s.last:
        o.rest[seat] += BEGINS if season < N_SEASONS - 1 else 0.0
    else:
        o.rest[seat if goes_on else next_to_move(s, int(o.places))] += TEMPO


@kernel
def next_to_move(s: State, places: int) -> int:
    """The next seat after the one to move that has not passed."""
    seat, players = int(s.to_move), int(s.players)
    while True:
        seat = (seat + 1) % players
        if byte(places, seat) == 4:
            return seat


@kernel
def make_offers(s: State, o: Outlook, to: int, worth: Floats, best: float) -> None:
    """What the areas offer to whom tiles and the best open room are worth so much."""
    first = int(s.dealt - DEAL[s.season])
    for area in range(o.areas):
        left, right = int(s.deck[first + 2 * area]), int(s.deck[first + 2 * area + 1])
        a, b = POINTS_OF[left] + worth[PATRON_OF[left]], POINTS_OF[right] + worth[PATRON_OF[right]]
        o.offers[to, area, 0] = max(a, b, best)
        o.offers[to, area, 1] = max(min(a, b), best)
        o.offers[to, area, 2] = min(a, b)


@kernel
def find_spaces(s: State, o: Outlook) -> None:
    """Fill free and near. A cube on a pyramid is taken for the second one that Lord Lemon allows."""
    low, high = empty(s) if s.appeal == LEMON else free(s)
    for area in range(o.areas):
        near, near_high = beside(low & AREA[area, 0], high & AREA[area, 1])
        o.near[area, 0] = near
        o.near[area, 1] = near_high
    low, high = free(s)
    o.free[0] = low
    o.free[1] = high


@kernel
def laid_by(s: State, action: int) -> int:
    """How many cubes are laid by an action and what must follow it; 0 if it lays none in the region."""
    if action < SPACE:
        return 1 if action < EXTEND else 2
    if action < ROOM:
        return int(s.to_lay)
    if action < NEUTRAL_START:
        return 0
    return 1 if action < NEUTRAL_EXTEND else 2


@kernel
def space_of(action: int) -> int:
    """Where an action lays a cube."""
    return (action - (START if action < NEUTRAL_START else NEUTRAL_START)) % N_SPACES


@kernel
def open_beside(o: Outlook, space: int) -> int:
    """How many free spaces lie next to one."""
    return size_of(o.free[0] & BESIDE[space, 0], o.free[1] & BESIDE[space, 1])


@kernel
def coming_after(o: Outlook, laid: int) -> int:
    """The cubes to come, packed, when so many have been laid."""
    digger, coming = int(o.digger), int(o.coming)
    return coming - (min(laid, byte(coming, digger)) << 8 * digger)


@kernel
def expect_of(o: Outlook, seat: int, to: int, area: int, here: int, coming: int) -> float:
    """The points that a seat can expect of an area with these cubes; `to` is its place in `offers`."""
    if byte(here, seat) + byte(coming, seat) == 0:
        return 0.0
    best, second, third = o.offers[to, area, 0], o.offers[to, area, 1], o.offers[to, area, 2]
    return area_gain(
        seat, here, coming, int(o.places), int(o.areas), int(o.digging), int(o.season), best, second, third
    )


@kernel
def weigh_area(o: Outlook, laid: int, there: int, area: int) -> None:
    """Fill gains[laid, there, area], if that has not been done."""
    if o.known[laid, there] >> area & 1:
        return
    o.known[laid, there] |= 1 << area
    here, coming = int(o.cubes[area]) + (there << 8 * int(o.digger)), coming_after(o, laid)
    for seat in range(o.players):
        o.gains[laid, there, area, seat] = expect_of(o, seat, seat, area, here, coming)


@kernel
def weigh_idle(o: Outlook, laid: int) -> None:
    """Fill idle[laid] and gains[laid, 0], if that has not been done. The cubes are taken from the stock."""
    if o.known[laid, 0]:
        return
    for seat in range(o.players):
        o.idle[laid, seat] = o.rest[seat]
    if o.digger == o.seat:
        o.idle[laid, o.seat] -= o.kept * laid
    for area in range(o.areas):
        weigh_area(o, laid, 0, area)
        for seat in range(o.players):
            o.idle[laid, seat] += o.gains[laid, 0, area, seat]


@kernel
def share_by_cubes(o: Outlook, laid: int, area: int, other: int) -> float:
    """The share of the seat to move when so many cubes have been laid, the first in one area, those after it
    in the same or in another one."""
    if o.shares[laid, area, other]:
        return float(o.shares[laid, area, other])
    there = laid if area == other else 1
    weigh_idle(o, laid)
    weigh_area(o, laid, there, area)
    if area != other:
        weigh_area(o, laid, laid - 1, other)
    mine, total = points_by_cubes(o, int(o.seat), laid, area, other), 1.0
    for seat in range(o.players):
        if seat != o.seat:
            total += exp(o.point * (points_by_cubes(o, seat, laid, area, other) - mine))
    o.shares[laid, area, other] = 1.0 / total
    return 1.0 / total


@kernel
def points_by_cubes(o: Outlook, seat: int, laid: int, area: int, other: int) -> float:
    """The points that a seat can expect then."""
    there = laid if area == other else 1
    points = o.idle[laid, seat] + o.gains[laid, there, area, seat] - o.gains[laid, 0, area, seat]
    if area != other:
        points += o.gains[laid, laid - 1, other, seat] - o.gains[laid, 0, other, seat]
    return float(points)


@kernel
def share_by_excavation(o: Outlook, laid: int, space: int) -> tuple[float, int]:
    """The share after an excavation from a first space on, at its best, and the area to which all cubes after
    the first one go then."""
    area, best, best_other = int(AREA_OF[space]), 0.0, 0
    if laid == 1:
        return share_by_cubes(o, 1, area, area), area
    for other in range(o.areas):
        if holds(o.near[other], space):
            share = share_by_cubes(o, laid, area, other)
            if share > best:
                best, best_other = share, other
    return best, best_other


@kernel
def mark_down(s: State, o: Outlook, actions: Ints, n: int, out: Floats) -> None:
    """Of excavations that only differ in their spaces the one from the most open space keeps its share, the
    next one has half of it, and so on. The estimate cannot tell them apart, and a search that tries them all
    does not get far."""
    o.before[:] = 0
    for i in range(n):
        laid = laid_by(s, int(actions[i]))
        for k in range(open_beside(o, space_of(int(actions[i]))) if laid else 0):
            o.before[laid, o.way[i], k] += 1
    for i in range(n):
        laid = laid_by(s, int(actions[i]))
        if laid:
            k = open_beside(o, space_of(int(actions[i])))
            out[i] /= 1 + o.before[laid, o.way[i], k]
            o.before[laid, o.way[i], k] += 1


@kernel
def share_without_cubes(o: Outlook, more: float) -> float:
    """The share if no cube is laid and the seat to move has so many points more."""
    total = 1.0
    weigh_idle(o, 0)
    mine = o.idle[0, o.seat] + more
    for seat in range(o.players):
        if seat != o.seat:
            total += exp(o.point * (o.idle[0, seat] - mine))
    return 1.0 / total


@kernel
def share_by_room(s: State, o: Outlook, room: int) -> float:
    """The share with Sir Brown's cube in a room. What the others lose by that is left out."""
    seat, taken, worth = int(o.seat), int(o.taken) | 1 << room, np.empty(BLANK + 1)
    active = o.digging == 1 and byte(int(o.places), seat) == 4
    total, best = collection(s, seat, int(o.own) | 1 << room, taken, int(o.patrons), active, worth)
    more, coming = total - o.collected - o.kept, coming_after(o, 1)
    make_offers(s, o, WITH_ROOM, worth, best)
    weigh_idle(o, 0)
    for area in range(o.areas):
        more += expect_of(o, seat, WITH_ROOM, area, int(o.cubes[area]), coming) - o.gains[0, 0, area, seat]
    return share_without_cubes(o, more)


@kernel
def share_by_patron(s: State, o: Outlook, patron: int, best: float) -> float:
    """The share with the help of a patron, roughly: at its best, less what an untilted tile is worth. `best`
    is the best share by an excavation without it."""
    tilted, laid = UNTILTED[o.season], 1
    if patron == BROWN:
        rooms, best = rooms_open(s, int(o.seat)), 0.0
        tilted += UNTILTED_BROWN[o.season]
        for room in range(N_ROOMS):
            if rooms >> room & 1:
                best = max(best, share_by_room(s, o, room))
    else:
        low, high = empty(s) if patron == LEMON else free(s)
        if patron == VIOLET:
            tilted -= o.kept
        elif patron == BLACKMORE:
            laid = 2
            low, high = sites(s, 2, False)
        elif patron == TANGERINE:
            laid = 3
            low, high = extensions(s, int(o.seat), 3, False)
        for area in range(o.areas):
            if low & AREA[area, 0] | high & AREA[area, 1]:
                best = max(best, share_by_cubes(o, laid, area, area))
    return best / (best + (1.0 - best) * exp(o.point * tilted)) if o.digging else best


@kernel
def foresee_excavation(s: State, o: Outlook, actions: Ints, n: int, out: Floats) -> None:
    """`foresee` for all that may be done in the excavation but a pass."""
    best = 0.0
    look_out(s, o)
    find_spaces(s, o)
    for i in range(n):
        action = int(actions[i])
        laid, space = laid_by(s, action), space_of(action)
        if laid:
            out[i], other = share_by_excavation(o, laid, space)
            o.way[i] = N_AREAS * AREA_OF[space] + other
            best = max(best, out[i])
        elif action < MUSEUM:
            out[i] = share_by_room(s, o, action - ROOM)
        elif action < PASS:
            out[i] = share_by_patron(s, o, action - APPEAL, best)
        elif action == NOTHING:
            out[i] = share_without_cubes(o, 0.0)
    mark_down(s, o, actions, n, out)


@kernel
def foresee(s: State, actions: Ints, n: int, out: Floats) -> None:
    """What `estimate` would say for the seat to move after each of its `n` legal actions, an excavation being
    finished in the best way; of patrons only roughly, and less of excavations that it takes for alike, see
    `mark_down`."""
    states, found, seat = np.empty(1, STATE), np.empty(4), int(s.to_move)
    if s.phase < Phase.CLAIM:
        outlooks = np.empty(1, OUTLOOK)
        foresee_excavation(s, outlooks[0], actions, n, out)
        n *= len(outlooks)  # mentions the array: a record alone does not keep its memory
    for i in range(n):
        if s.phase >= Phase.CLAIM or actions[i] == PASS:
            states[0] = s
            apply(states[0], int(actions[i]))
            estimate(states[0], found)
            out[i] = found[seat]


# ---- the yardstick: never to be improved -------------------------------------------------------------------

ROOM_WORTH = (5, 3, 2)  # of a wing's 5 room, 3 room, 2 rooms
# a patron and three cubes at most, and one more position than steps
MOST_STEPS = 5


@kernel
def tile_worth(s: State, seat: int, tile: int) -> float:
    """What a tile is worth to a seat: its points, its multiplier (before season 4 at least 1.8), 1.1 for each
    season in which it can still be used, 0.8 for a new patron. The blank tile is worth its points."""
    patron, worth = int(PATRON_OF[tile]), float(POINTS_OF[tile])
    if patron == BLANK:
        return worth
    seasons = N_SEASONS - 1 - s.season
    times = float(multiplier(s, seat, patron))
    worth += (max(times, 1.8) if seasons else times) + 1.1 * seasons
    return worth + 0.8 if s.held[seat, patron] == 0 else worth


@kernel
def room_worth(s: State, seat: int, room: int) -> float:
    """What a cube in a room is worth to a seat: the gain in multiplier times the tiles held and 0.55 for each
    season to come."""
    worth, seasons = 0.0, N_SEASONS - 1 - s.season
    for patron in range(N_PATRONS):
        for k in range(3):
            if ROOMS_OF_WING[s.wing[patron], k] >> room & 1:
                gain = ROOM_WORTH[k] - multiplier(s, seat, patron)
                worth += max(0, gain) * (s.held[seat, patron] + 0.55 * seasons)
    return worth


@kernel
def best_room_worth(s: State, seat: int) -> float:
    """The same of the best room that is open to the seat."""
    best, open_ = 0.0, rooms_open(s, seat)
    for room in range(N_ROOMS):
        if open_ >> room & 1:
            best = max(best, room_worth(s, seat, room))
    return best


@kernel
def area_worth(s: State, seat: int, area: int, museum: float) -> float:
    """What an area is worth to a seat by its rank if nobody laid another cube: the first the better tile, the
    second the other one or the museum (`museum`, at least 3), the third 0.9, the fourth 0.2. With equals that
    have not passed either, the mean of the best and the worst rank that it can have."""
    n, at, best, worst = cubes_in(s, seat, area), s.dealt - DEAL[s.season] + 2 * area, 0, 0
    if n == 0:
        return 0.0
    for who in range(5):
        if who != seat and cubes_in(s, who, area) >= n:
            ahead = cubes_in(s, who, area) > n or place_on_scale(s, who) < place_on_scale(s, seat)
            best += int(ahead)
            worst += int(ahead or place_on_scale(s, who) == place_on_scale(s, seat))
    left, right = tile_worth(s, seat, int(s.deck[at])), tile_worth(s, seat, int(s.deck[at + 1]))
    first, second = max(left, right), max(min(left, right), museum, 3.0)
    return 0.5 * (rank_worth(best, first, second) + rank_worth(worst, first, second))


@kernel
def rank_worth(rank: int, first: float, second: float) -> float:
    """What a rank (from 0) is worth, given what the first two are."""
    return first if rank == 0 else second if rank == 1 else 0.9 if rank == 2 else 0.2


@kernel
def region_worth(s: State, seat: int) -> float:
    """What all areas are worth to a seat, with two players less what they are worth to the other; before
    season 4, also 0.85 for each cube in its stock."""
    total = 0.0
    for who in range(s.players):
        if who == seat or s.players == 2:
            museum, worth = best_room_worth(s, who), 0.0
            for area in range(DEAL[s.season] // 2):
                worth += area_worth(s, who, area, museum)
            total += worth if who == seat else -worth
    return total + 0.85 * s.stock[seat] if s.season < N_SEASONS - 1 else total


@kernel
def turn_worth(before: State, s: State, seat: int) -> float:
    """What a position is worth after a turn's own part, or after a neutral move: the region, and the room
    entered in between."""
    worth = region_worth(s, seat)
    for room in range(N_ROOMS):
        if s.room[room] != before.room[room]:
            worth += room_worth(before, seat, room)
    return worth


@kernel
def pass_worth(s: State, seat: int) -> float:
    """What a position is worth once the seat has passed; it is left as it was."""
    k = 0
    while s.scale[k] != NOBODY:
        k += 1
    s.scale[k] = seat
    worth = region_worth(s, seat)
    s.scale[k] = NOBODY
    return worth


@kernel
def claim_worth(s: State, action: int) -> float:
    """What a claim is worth to its seat, or to the other the tile that the neutral colour takes."""
    seat = int(s.to_move)
    if action == NOTHING:
        return 0.0
    if action < TAKE:
        return room_worth(s, seat, action - MUSEUM)
    if action < NOTHING:
        return tile_worth(s, seat, tile_in(s, action - TAKE))
    return tile_worth(s, 1 - seat, tile_in(s, action - NEUTRAL_TAKE))


@kernel
def best_steps(states: Any, lists: Ints, lengths: Ints, steps: Ints, best: Ints) -> int:
    """Write the rest of the own part of a turn, or of a neutral move, that is worth most from states[0] on
    into `best`, of equals the one with the lowest actions; returns its length. All are listed depth first,
    with `states`, `lists`, `lengths` (listed, tried) and `steps` as scratch."""
    seat, turn, phase = int(states[0].to_move), int(states[0].turn), int(states[0].phase)
    neutral = phase == Phase.NEUTRAL or states[0].digger == NEUTRAL
    best_worth, n_best, depth = -1e300, 0, 0
    lengths[0, 0], lengths[0, 1] = legal_actions(states[0], lists[0]), 0
    if phase < Phase.CLAIM:
        states[0].last = 0  # so that the survey does not begin right after the turn
    while depth >= 0:
        k = int(lengths[depth, 1])
        if k == lengths[depth, 0]:
            depth -= 1
            continue
        lengths[depth, 1] = k + 1
        action = int(lists[depth, k])
        steps[depth] = action
        if phase >= Phase.CLAIM:
            worth = claim_worth(states[0], action)
        elif action == PASS:
            worth = pass_worth(states[0], seat)
        else:
            states[depth + 1] = states[depth]
            apply(states[depth + 1], action)
            if states[depth + 1].turn == turn and (neutral or states[depth + 1].phase != Phase.NEUTRAL):
                depth += 1
                lengths[depth, 0], lengths[depth, 1] = legal_actions(states[depth], lists[depth]), 0
                continue
            worth = turn_worth(states[0], states[depth + 1], seat)
        if worth > best_worth + 1e-9:  # equal sums may differ in their last bits
            best_worth, n_best = worth, depth + 1
            for i in range(n_best):
                best[i] = steps[i]
    return n_best


def yardstick(s: State) -> tuple[int, ...]:
    """The turn (or the rest of the turn begun) that is worth most by fixed weights. In the excavation: the
    ranks in all areas as if nobody laid another cube (`region_worth`) and the room entered; with two players
    the own part of a turn is chosen first, then the neutral move. In the survey: the tile or the room claimed
    (`claim_worth`)."""
    states, best = State.array(MOST_STEPS), np.empty(MOST_STEPS, np.int32)
    lists, lengths = np.empty((MOST_STEPS, MAX_LEGAL), np.int32), np.empty((MOST_STEPS, 2), np.int32)
    states[0] = s
    n = best_steps(states, lists, lengths, np.empty(MOST_STEPS, np.int32), best)
    turn = tuple(best[:n].tolist())
    states[0] = s
    for action in turn:
        rules.apply(states[0], action)
    if states[0].phase == Phase.NEUTRAL and states[0].turn == s.turn:
        n = best_steps(states, lists, lengths, np.empty(MOST_STEPS, np.int32), best)
        turn += tuple(best[:n].tolist())
    return turn
