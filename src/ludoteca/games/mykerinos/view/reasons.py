"""Why a turn is good: majorities, cubes, places to go on from; tiles, rooms, and what others do not get."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ludoteca.game import Reason, View
from ludoteca.game.reasons import Fact, Facts, Kind, distinguish

from .. import components as C
from .. import rules as R
from ..rules import LYING, NEUTRAL, NOBODY, Phase, State
from .facts import (
    areas_of,
    choices_of,
    cubes_of,
    neighbours,
    patron_word,
    player_word,
    pyramids_of,
    ranking,
    room_id,
    rows_of,
    say,
    show_of,
    space_id,
    tile_id,
    tiles_in,
)

KINDS = {
    # excavation
    'leads': Kind(3.0),  # areas with most cubes
    'seconds': Kind(1.5),  # areas with the second most
    'overtakes': Kind(1.0),  # areas in which it takes the lead from another one
    'ties': Kind(0.7),  # areas in which a tie goes to the seat, because it passes earlier
    'stock': Kind(0.4),  # cubes left to play with
    'reach': Kind(0.5),  # areas without a cube of the seat into which it can extend by two
    'crowds': Kind(0.1, fewer=True),  # spaces to which others can extend theirs by two
    # survey, and Sir Brown
    'points': Kind(1.5),  # printed on a tile
    'exhibits': Kind(1.0),  # points at the exhibition, as rooms and tiles are now
    'sets': Kind(3.0),  # sets of five patrons
    'first_tile': Kind(0.5),  # a patron of whom the seat has no tile
    'room': Kind(0.8),  # what a room makes of each tile of its wings
    'opens': Kind(0.3),  # rooms that can be entered then and could not before
    'denies': Kind(0.6),  # points that the tile would bring to the player who chooses next
}
ALERTS = {
    # excavation: areas in which one more cube changes who chooses first
    'loses_lead': Kind(3.0),
    'gains_lead': Kind(2.0),
    'empty': Kind(1.0),
    # survey
    'completes': Kind(20.0),  # a set of five patrons
    'opens_five': Kind(10.0),  # a 5 room that can be entered
    'rival': Kind(1.0),  # points of a tile to the player who chooses next
}


def reasons(view: View, turn: Sequence[int], others: Sequence[Sequence[int]]) -> tuple[Reason, ...]:
    """Why a turn is better than the first of the others."""
    other = _facts(view, others[0]) if others else None
    return distinguish(KINDS, _facts(view, turn), other)


def alerts(view: View) -> tuple[Reason, ...]:
    """What the seat to move should notice before its choice."""
    phase = view.state.phase
    facts = (
        _to_notice_in_survey(view)
        if phase == Phase.CLAIM
        else _to_notice_in_areas(view)
        if phase == Phase.EXCAVATE
        else {}
    )
    return distinguish(ALERTS, facts, None)


def _to_notice_in_areas(view: View) -> Facts:
    """The most valuable area of each kind in which a single cube would change who chooses first."""
    s, seat = view.state, int(view.state.to_move)
    cubes, facts = cubes_of(s), Facts()
    starts = {C.AREA_OF[space]: space for space in choices_of(s, view.actions).starts}
    others = [] if s.last else [who for who in range(int(s.players)) if who not in (seat, *s.scale)]
    rivals = [who for who in others if s.stock[who]]
    for area in sorted(starts, key=lambda area: sum(C.POINTS_OF[tile] for tile in tiles_in(s, area))):
        order = ranking(s, area, cubes)
        first = order[0][0] if order else NOBODY
        names = {'area': C.AREAS[area]}

        def leads(who: int, area: int = area) -> bool:
            return ranking(s, area, {**cubes, starts[area]: who})[0][0] == who

        if first == seat:
            threats = [who for who in rivals if leads(who)]
            if threats:
                facts['loses_lead'] = Fact(1, names=names | {'player': player_word(threats[0], view.names)})
        elif first == NOBODY:
            facts['empty'] = Fact(1, names=names)
        elif leads(seat):
            name = say('alert.name.neutral') if first == NEUTRAL else player_word(first, view.names)
            facts['gains_lead'] = Fact(1, names=names | {'player': name})
    return facts


def _to_notice_in_survey(view: View) -> Facts:
    """What stands out among the tiles and rooms of a claim."""
    s, facts = view.state, Facts()
    for action in view.actions:
        found = _claim(view, action)
        kind, number = R.ACTIONS.decode(action)
        if kind == 'take':
            tile = tiles_in(s, int(s.area))[number]
            patron = C.PATRON_OF[tile]
            name = 'alert.name.blank' if patron == C.BLANK else 'alert.name.tile'
            names = {'patron': patron_word(patron), 'tile': say(name, patron=patron_word(patron))}
            if found['sets'].n > 0:
                facts['completes'] = Fact(1, names=names)
            rival = found.get('denies')
            if rival and rival.n > facts.get('rival', Fact(1)).n:
                facts['rival'] = Fact(rival.n, names={**names, **rival.names})
        elif kind == 'museum' and number in C.FIVES:
            (wing,) = C.wings_of(number)
            facts['opens_five'] = Fact(1, names={'patron': patron_word(s.wing.tolist().index(wing))})
    return facts


def _facts(view: View, turn: Sequence[int]) -> Facts:
    """What a turn brings to the seat to move. The rules are not asked for what follows it: at the end of a
    season that is not known."""
    s = view.state
    if s.phase in (Phase.CLAIM, Phase.REMOVE):
        return _claim(view, turn[0])
    return _excavation(s, turn)


# ---- excavation --------------------------------------------------------------------------------------------


@dataclass
class _Dug:
    """What an excavation has done: its cubes by space, the stock left, the room entered, a pass."""

    cubes: dict[int, int]
    laid: list[int]
    stock: int
    room: int
    passed: bool


def _dig(s: State, turn: Sequence[int]) -> _Dug:
    seat = int(s.to_move)
    done = _Dug(cubes_of(s), [], int(s.stock[seat]), NOBODY, False)
    neutral = s.digger == NEUTRAL or s.phase == Phase.NEUTRAL
    for action in turn:
        match R.ACTIONS.decode(action):
            case 'room', room:
                done.room = room
                done.stock -= 1
            case 'appeal', C.VIOLET:
                done.stock += 1
            case 'pass', _:
                done.passed = True
            case 'start' | 'extend' | 'space', space if not neutral:
                done.cubes[space] = seat
                done.laid.append(space)
                done.stock -= 1
            case 'space' | 'neutral_start' | 'neutral_extend', space:
                done.cubes[space], neutral = NEUTRAL, True
    return done


def _excavation(s: State, turn: Sequence[int]) -> Facts:
    seat, done, was = int(s.to_move), _dig(s, turn), cubes_of(s)
    trial = s.copy()
    if done.passed:
        trial.scale[_free_place(s)] = seat
    if done.room != NOBODY:
        trial.room[done.room] = seat
    there = tuple(f'el:{space_id(space)}' for space in done.laid)
    ranks = {area: ranking(trial, area, done.cubes) for area in areas_of(s)}
    before = {area: ranking(s, area, was) for area in areas_of(s)}
    places = {area: k for area, order in ranks.items() for k, (who, _) in enumerate(order) if who == seat}
    led = [area for area, k in places.items() if k == 0]
    lost = [area for area in led if before[area] and before[area][0][0] != seat]
    facts = {
        'leads': Fact(len(led), there),
        'seconds': Fact(sum(k == 1 for k in places.values()), there),
        'overtakes': Fact(len(lost), there),
        'stock': Fact(done.stock),
    }
    if not s.last:
        others = {who for who in range(int(s.players)) if who not in (seat, *s.scale) and s.stock[who] > 1}
        facts['crowds'] = Fact(len(_extended(s, done.cubes, others)))
        if not done.passed and done.stock > 1:
            into = {C.AREA_OF[space] for space in _extended(s, done.cubes, {seat})}
            facts['reach'] = Fact(len(into - places.keys()), there)
    if done.passed:
        facts['ties'] = Fact(sum(_wins_tie(ranks[area], seat) for area in areas_of(s)))
    return facts | (_room(s, trial, done.room) if done.room != NOBODY else {})


def _free_place(s: State) -> int:
    """The space of the passing scale for the next disk."""
    return next(k for k, who in enumerate(s.scale) if who == NOBODY)


def _wins_tie(order: Sequence[tuple[int, int]], seat: int) -> bool:
    """Does a seat stand before somebody with as many cubes?"""
    mine = next(((k, n) for k, (who, n) in enumerate(order) if who == seat), None)
    return mine is not None and any(n == mine[1] for _, n in order[mine[0] + 1 :])


def _free(s: State, cubes: Mapping[int, int]) -> set[int]:
    """Spaces of the region without cube and pyramid."""
    return set(range(3 * C.N_COLUMNS * rows_of(s))) - cubes.keys() - pyramids_of(s)


def _extended(s: State, cubes: Mapping[int, int], seats: Collection[int]) -> set[int]:
    """The spaces on which a cube could lie if one of these seats extended its cubes by two."""
    free = _free(s, cubes)
    firsts = {
        near for space, who in cubes.items() if who in seats for near in neighbours(space) if near in free
    }
    after = {space: free.intersection(neighbours(space)) for space in firsts}
    return {space for space in firsts if after[space]}.union(*after.values())


# ---- tiles and rooms ---------------------------------------------------------------------------------------


def _claim(view: View, action: int) -> Facts:
    s, seat = view.state, int(view.state.to_move)
    trial = s.copy()
    kind, number = R.ACTIONS.decode(action)
    if kind == 'museum':
        trial.room[number] = seat
        return _room(s, trial, number)
    if kind == 'nothing':
        return {}
    tile = tiles_in(s, int(s.area))[number]
    about = (f'el:{tile_id(tile)}',)
    denied = _denied(view, tile, about)
    if kind == 'neutral_take':
        return denied
    patron = C.PATRON_OF[tile]
    trial.held[seat, patron] += 1
    old, new = show_of(s, seat), show_of(trial, seat)
    first = patron != C.BLANK and s.held[seat, patron] == 0
    return denied | {
        'points': Fact(C.POINTS_OF[tile], about),
        'exhibits': Fact(new.total - old.total, about),
        'sets': Fact(new.sets - old.sets, about),
        'first_tile': Fact(int(first), about),
    }


def _room(s: State, trial: State, room: int) -> Facts:
    """What a room brings; `trial` has the cube there."""
    seat, about = int(s.to_move), (f'el:{room_id(s, room)}',)
    opened = R.rooms_open(trial, seat) & ~R.rooms_open(s, seat)
    return {
        'exhibits': Fact(show_of(trial, seat).total - show_of(s, seat).total, about),
        'room': Fact(C.ROOM_POINTS[room], about),
        'opens': Fact(opened.bit_count(), about),
    }


def _denied(view: View, tile: int, about: tuple[str, ...]) -> Facts:
    """What a tile would bring to the next player in the ranks of the area, at once and at the exhibition."""
    s, seat = view.state, int(view.state.to_move)
    ranked = [int(who) for who in s.rank[: int(s.n_ranked)]]
    following = [who for who in ranked[int(s.next_rank) :] if who not in (seat, NEUTRAL)]
    if not following or s.owner[tile] != LYING:
        return {}
    rival, trial = following[0], s.copy()
    trial.held[rival, C.PATRON_OF[tile]] += 1
    brings = C.POINTS_OF[tile] + show_of(trial, rival).total - show_of(s, rival).total
    return {'denies': Fact(brings, about, {'player': player_word(rival, view.names)})}
