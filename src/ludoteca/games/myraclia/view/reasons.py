"""Why a turn is good: points, areas and surfaces, free elements; in the draft what can be paid, and when."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import Reason, View
from ludoteca.game.reasons import Fact, Facts, Kind, distinguish
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..rules import NONE, Phase, Source, State
from .facts import (
    TURN_PHASES,
    choices_of,
    drafted,
    element_word,
    face_id,
    free_elements,
    gains_of,
    group_id,
    neighbours,
    on_surface,
    order_now,
    payable,
    start_place,
)

KINDS = {
    # terraforming
    'types': Kind(4.0),  # all surfaces, for the first time
    'tiles': Kind(1.5),
    'points': Kind(1.0, both=True),
    'area': Kind(1.0),  # points for areas, as things stand
    'surfaces': Kind(0.8),  # points for surfaces, as things stand
    'free': Kind(0.8),  # free elements of each round
    'pays_others': Kind(0.7, fewer=True),  # points of others
    'beside': Kind(0.5),  # points by own tiles beside
    'reserves': Kind(0.5),
    'joins': Kind(0.4),  # own tiles beside tiles that are added
    'leaves': Kind(0.15, fewer=True),  # cubes in the exchange zone for those who come later
    # draft
    'affords': Kind(0.6, both=True),  # tiles that could be paid
    'order': Kind(0.5, fewer=True),  # place in the terraforming order
    'prize': Kind(0.4, both=True),  # points of the best tile that could be paid
    'last': Kind(0.4),  # the last cube of its element
    'keeps': Kind(0.3),  # the disk stays
    'wanted': Kind(0.2),  # tiles within reach that need the element
    # starting tiles
    'lies_beside': Kind(0.3, both=True),  # tiles
    'alike': Kind(0.2, both=True),  # tiles beside it with a surface of its own
    # Eternity
    'token': Kind(0.4),  # own tiles beside the token
}
ALERTS = {
    'unfinished': Kind(900.0),  # the last round begins, and a tile is still reserved
    'last_round': Kind(800.0),
    'ends': Kind(700.0),  # others need one more tile to end the game
    'best': Kind(1.0),  # points of the best tile that can be paid
    'draft': Kind(1.0),  # points of the best tile that one more cube would pay
}


def reasons(view: View, turn: Sequence[int], others: Sequence[Sequence[int]]) -> tuple[Reason, ...]:
    """Why a turn is better than the first of the others."""
    other = _facts(view.state, others[0]) if others else None
    return distinguish(KINDS, _facts(view.state, turn), other)


def alerts(view: View) -> tuple[Reason, ...]:
    """What the seat to move should notice in the draft, and before its turn."""
    s, seat = view.state, int(view.state.to_move)
    draft = s.phase == Phase.DRAFT
    if not draft and (s.phase != Phase.TURN or s.n_actions):
        return ()
    enough, facts = int(R.END_TILES[s.players]), Facts()
    near = [other for other in range(int(s.players)) if other != seat and s.done[other] == enough - 1]
    if max(s.done[: int(s.players)]) >= enough:
        facts['last_round' if s.reserved[seat] == NONE else 'unfinished'] = Fact(1)
    elif near:
        facts['ends'] = Fact(1, names={'player': player_word(near[0], view.names)})
    choices = choices_of(s, view.actions)
    paid = payable(s, seat) if draft else choices.tiles
    best = max((gains_of(s, tile).total for tile in paid), default=0)
    facts['best'] = Fact(best)
    for colour in choices.drafts:
        n = max((gains_of(s, tile).total for tile in drafted(s, colour).tiles), default=0)
        if n > best:
            best, facts['draft'] = n, Fact(n, names={'element': element_word(colour)})
    return distinguish(ALERTS, facts, None)


def _facts(s: State, turn: Sequence[int]) -> Facts:
    """What a turn brings to the seat to move."""
    if s.phase == Phase.DRAFT:
        return _drafted(s, turn[0])
    if s.phase == Phase.TOKEN:
        tile, seat = turn[0] - R.TOKEN, int(s.to_move)
        return {'token': Fact(_own_beside(s, int(s.where[tile]), seat), (f'el:{face_id(tile)}',))}
    if s.phase == Phase.ARRANGE:
        return _arranged(s, turn[0])
    return _terraformed(s, turn) if s.phase in TURN_PHASES else {}


def _arranged(s: State, action: int) -> Facts:
    """What a place brings to a starting tile, and so to whoever will own both."""
    tile, cell = start_place(s, action)
    near, own = neighbours(s, cell), set(C.SURFACES_OF[tile])
    alike = [other for other in near if own & set(C.SURFACES_OF[other])]
    return {
        'lies_beside': Fact(len(near), tuple(f'el:{face_id(other)}' for other in near)),
        'alike': Fact(len(alike), tuple(f'el:{face_id(other)}' for other in alike)),
    }


# ---- terraforming ------------------------------------------------------------------------------------------


def _terraformed(before: State, turn: Sequence[int]) -> Facts:
    """What a turn of terraforming brings up to its end; what follows is chance, and the turns of others."""
    s, seat, joins = before.copy(), int(before.to_move), 0
    ended = before.phase == Phase.PLACE
    cells = list[int]()
    for action in turn:
        if R.PLACE <= action < R.TOKEN:
            cells.append((action - R.PLACE) % C.N_CELLS)
        elif action == R.END_TURN:
            ended = True
        elif not ended:
            R.apply(s, action)
    joins = sum(_own_beside(s, cell, seat) for cell in cells)
    tiles = [tile for tile in on_surface(s) if s.owner[tile] == seat and before.owner[tile] != seat]
    about = tuple(f'el:{face_id(tile)}' for tile in tiles)
    gained = [int(s.points[k]) - int(before.points[k]) for k in range(int(s.players))]
    reserved = int(s.reserved[seat])
    facts = {
        'joins': Fact(joins),
        'tiles': Fact(len(tiles), about),
        'points': Fact(gained[seat], about),
        'pays_others': Fact(sum(gained) - gained[seat], about),
        'beside': Fact(int(s.sources[seat, Source.OWN]) - int(before.sources[seat, Source.OWN]), about),
        'area': Fact(int(R.area_points(s, seat)) - int(R.area_points(before, seat)), about),
        'surfaces': Fact(int(R.surface_points(s, seat)) - int(R.surface_points(before, seat)), about),
        'types': Fact(int(R.has_all_types(s, seat)) - int(R.has_all_types(before, seat)), about),
        'free': Fact(sum(free_elements(s, seat)) - sum(free_elements(before, seat)), about),
        'reserves': Fact(
            int(reserved not in (NONE, int(before.reserved[seat]))),
            (f'el:{face_id(reserved)}',) if reserved != NONE else (),
        ),
    }
    # only what has been seen to its end leaves cubes to others, if any of them comes later in this round
    if ended and before.phase != Phase.PLACE and s.at + 1 < s.players:
        facts['leaves'] = Fact(int(s.pool.sum()))
    return facts


def _own_beside(s: State, cell: int, seat: int) -> int:
    """How many tiles that a seat has terraformed lie beside a place."""
    return sum(int(s.owner[tile]) == seat for tile in neighbours(s, cell))


# ---- draft -------------------------------------------------------------------------------------------------


def _drafted(s: State, action: int) -> Facts:
    """What a cube, or a pass, brings in the draft."""
    seat, after = int(s.to_move), s.copy()
    passes = action == R.PASS
    colour = action - R.DRAFT
    column = R.ASIDE if passes else int(s.column[colour])
    if not passes:
        after.own[seat, colour] += 1
        after.board[colour] -= 1
    if s.disk[seat] == NONE or (not passes and column < s.disk[seat]):
        R.lay_disk(after, seat, column)
    paid = payable(after, seat)
    facts = {
        'affords': Fact(len(paid), tuple(f'el:{face_id(tile)}' for tile in sorted(paid))),
        'prize': Fact(max((gains_of(after, tile).total for tile in paid), default=0)),
        'order': Fact(order_now(after).index(seat) + 1),
    }
    if passes:
        return facts
    about, names = (f'el:{group_id(colour)}',), {'element': element_word(colour)}
    reach = [tile for tile in on_surface(s) if R.may_terraform(s, tile) and _lacks(s, tile, colour)]
    return facts | {
        'last': Fact(int(after.board[colour] == 0), about, names),
        'keeps': Fact(int(s.disk[seat] != NONE and after.disk[seat] == s.disk[seat])),
        'wanted': Fact(len(reach), about, names),
    }


def _lacks(s: State, tile: int, colour: int) -> bool:
    """Does a tile need an element that does not lie on it, and of which the seat to move has none?"""
    return bool(R.lacks(s, tile) >> colour & 1) and not s.own[int(s.to_move), colour]
