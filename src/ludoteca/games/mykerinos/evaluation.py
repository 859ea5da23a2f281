"""What a position of Mykerinos is worth: `estimate` for the search, and the fixed `yardstick` that bots are
measured against."""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np

from ludoteca.games.mykerinos import components as C
from ludoteca.games.mykerinos import rules
from ludoteca.games.mykerinos.rules import (
    AREA,
    BLANK,
    BROWN,
    DEAL,
    LYING,
    MAX_LEGAL,
    MUSEUM,
    N_AREAS,
    N_PATRONS,
    N_ROOMS,
    N_SEASONS,
    N_TILES,
    N_WINGS,
    NEEDED,
    NEUTRAL,
    NEUTRAL_TAKE,
    NOBODY,
    NOTHING,
    PASS,
    PATRON_OF,
    POINTS_OF,
    ROOMS_OF_WING,
    TAKE,
    Phase,
    State,
    apply,
    cubes_in,
    legal_actions,
    multiplier,
    outcome,
    place_on_scale,
    rooms_open,
    tile_in,
)
from ludoteca.kernel import Floats, Ints, kernel, size_of
from ludoteca.kernel.shares import share_out

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
    coming, patrons, own, taken = cubes_to_come(s, places), patrons_in_order(s), 0, 0
    for room in range(N_ROOMS):
        if s.room[room] != NOBODY:
            own |= 1 << N_ROOMS * int(s.room[room]) + room
            taken |= 1 << room
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
                one, two, three = ranks(seat, cubes[area], coming, places, areas)
                gain = (
                    FIRST[part, season] * one * max(a, b, best)
                    + SECOND[part, season] * two * max(min(a, b), best)
                    + THIRD * three * min(a, b)
                    + FOURTH * (1.0 - one - two - three)
                )
                total += gain if byte(cubes[area], seat) else gain * min(1.0, 0.8 * mine_coming / areas)
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
