"""What happened in Myraclia between two states, as events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludoteca.game import Event, Sound
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..notation import cell_name
from ..rules import NONE, Phase, State
from .facts import (
    bonus,
    coin_id,
    cost_of,
    cube_id,
    disk_id,
    display_id,
    element_word,
    face_id,
    face_words,
    gains_of,
    group_id,
    heap,
    heap_words,
    held_id,
    in_turn,
    kind_word,
    listed,
    missing_of,
    on_surface,
    paid_of,
    pool_id,
    scoring_of,
    start_place,
    surfaces_word,
    symbol_id,
    tie_words,
    tile_name,
    token_words,
    turned_id,
    winners_of,
    zone_id,
)

MARKED = ('terraform', 'reserve', 'change', 'place', 'lay')  # what is shown in brass on the map
SOUNDS: Mapping[str, Sound] = {
    'draft': 'wood',
    'add': 'wood',
    'put': 'wood',
    'reserve': 'wood',
    'change': 'wood',
    'step': 'wood',
    'terraform': 'tile',
    'place': 'tile',
    'lay': 'tile',
    'token': 'bronze',
    'token_up': 'bronze',
    'released': 'bronze',
    'deal': 'draw',
    'display': 'draw',
}
"""What is heard of which kind of event."""


def events(
    before: State,
    action: int,
    after: State,
    names: Sequence[str] = (),
    colours: Sequence[str] = (),  # noqa: ARG001
) -> tuple[Event, ...]:
    """What an action did.

    Kinds: draft (element), moves (column), pass or pass_aside; order (players); choose (tile), pay (element),
    triple (element, of), five (element), use (element); terraform (tile, surfaces, points), beside (n,
    points), tokens (n), opponent (points) for each, released (element) for each; begin and begin_change
    (tile), put (element), reserve and change (tile, points); add (element, tile); end, idle or end_zone
    (cubes); place and, at the start, lay (tile, place); deal (cubes) of each seat when all lie; display
    (tiles); token_up (token), token (token, tile); discarded (cubes), free (cubes) of each seat, round (n,
    cubes); at the end scored of each seat, then win, tie_break (by) or shared.

    Cubes fly from the drafting board to the panels, from what may be used to the disk of the tile that they
    pay for, to a reserved tile or to the exchange zone, and free ones from the tiles that give them; tiles
    fly from the display, tokens from their card.
    """
    return (*_done(before, action, after), *_followed(before, after, names))


# ---- the action --------------------------------------------------------------------------------------------


def _done(before: State, action: int, after: State) -> Iterator[Event]:
    s, seat = before, int(before.to_move)
    if action < R.PASS:
        yield Event(
            'draft',
            seat,
            {'element': element_word(action)},
            flights=((group_id(action), held_id(seat, action)),),
        )
        if s.disk[seat] == NONE or s.column[action] < s.disk[seat]:
            yield Event('moves', seat, {'column': int(s.column[action]) + 1})
    elif action == R.PASS:
        yield Event('pass' if s.disk[seat] != NONE else 'pass_aside', seat)
    elif action < R.RESERVE:
        yield Event('choose', seat, {'tile': tile_name(s, action - R.TERRAFORM)})
    elif action < R.ADD:
        yield Event(
            'begin' if action < R.CHANGE else 'begin_change',
            seat,
            {'tile': tile_name(s, (action - R.RESERVE) % C.N_TILES)},
        )
    elif action < R.END_TURN:
        yield _cube('add', s, int(s.reserved[seat]), action - R.ADD)
    elif action == R.END_TURN:
        left = heap(s.pool)
        to_zone = tuple(
            (pool_id(colour), zone_id(colour)) for colour, n in enumerate(left) if n and after.zone[colour]
        )
        yield (
            Event('end_zone', seat, {'cubes': heap_words(left)}, flights=to_zone)
            if sum(left) and s.at < s.players - 1
            else Event('end' if s.n_actions else 'idle', seat, flights=to_zone)
        )
    elif action < R.PUT:
        yield from _paid(before, action, after)
    elif action < R.DONE:
        yield _cube('put', s, int(s.target), action - R.PUT)
    elif action == R.DONE:
        tile = int(s.target)
        penalty = len(missing_of(s, tile)) - int(s.plain).bit_count()
        yield Event(
            'change' if s.changing else 'reserve',
            seat,
            {'tile': tile_name(s, tile), 'points': penalty},
            (face_id(tile),),
            gains=((seat, -penalty),) if penalty else (),
        )
    elif action < R.TOKEN:
        slot, cell = divmod(action - R.PLACE, C.N_CELLS)
        tile = int(s.display[slot])
        yield _laid('place', seat, tile, cell)
    elif action >= R.ARRANGE:
        tile, cell = start_place(s, action)
        yield _laid('lay', seat, tile, cell)
    else:
        tile, token = action - R.TOKEN, int(s.token)
        yield Event(
            'token',
            seat,
            {'token': token_words(token), 'tile': tile_name(s, tile)},
            (coin_id(token),),
            flights=((turned_id(token), coin_id(token)),),
        )


def _laid(kind: str, seat: int, tile: int, cell: int) -> Event:
    """A tile is laid on the map, from the display or from those to begin with."""
    return Event(
        kind,
        seat,
        {
            'tile': face_words(tile),
            'kind': kind_word(tile),
            'name': C.TILES[tile],
            'place': cell_name(cell),
        },
        (face_id(tile),),
        flights=((display_id(tile), face_id(tile)),),
    )


def _cube(kind: str, s: State, tile: int, colour: int) -> Event:
    """A cube is put on a tile."""
    return Event(
        kind,
        int(s.to_move),
        {'element': element_word(colour), 'tile': tile_name(s, tile)},
        (cube_id(tile, colour),),
        flights=((pool_id(colour), cube_id(tile, colour)),),
    )


def _paid(before: State, action: int, after: State) -> Iterator[Event]:
    """A step of a payment, and what the last one brings."""
    s, seat = before, int(before.to_move)
    if action < R.TRIPLE:
        yield Event('pay', seat, {'element': element_word(action - R.PAY)})
    elif action < R.FIVE:
        colour, given = divmod(action - R.TRIPLE, C.N_COLOURS)
        yield Event('triple', seat, {'element': element_word(colour), 'of': element_word(given)})
    elif action < R.USE:
        yield Event('five', seat, {'element': element_word(action - R.FIVE)})
    else:
        yield Event('use', seat, {'element': element_word(action - R.USE)})
    tile = int(s.target)
    if after.owner[tile] == NONE:
        return
    gains, paid = gains_of(s, tile), [a + b for a, b in zip(paid_of(s), cost_of(action), strict=True)]
    yield Event(
        'terraform',
        seat,
        {'tile': tile_name(s, tile), 'surfaces': surfaces_word(tile), 'points': gains.printed},
        (face_id(tile),),
        flights=tuple((pool_id(colour), disk_id(tile)) for colour, n in enumerate(paid) for _ in range(n)),
        gains=((seat, gains.printed),) if gains.printed else (),
    )
    if gains.beside:
        values = {'n': gains.beside // bonus(s, seat), 'points': gains.beside}
        yield Event('beside', seat, values, gains=((seat, gains.beside),))
    if gains.tokens:
        yield Event('tokens', seat, {'points': gains.tokens}, gains=((seat, gains.tokens),))
    for other, points in gains.others.items():
        yield Event('opponent', other, {'points': points}, gains=((other, points),) if points else ())
    # cubes beyond those that the payment leaves were released
    for colour, n in enumerate(paid):
        for _ in range(int(after.pool[colour]) - int(s.pool[colour]) + n):
            yield Event('released', seat, {'element': element_word(colour)})


# ---- what followed -----------------------------------------------------------------------------------------


def _followed(before: State, after: State, names: Sequence[str]) -> Iterator[Event]:
    if before.phase == Phase.DRAFT and after.phase == Phase.TURN:
        yield Event(
            'order',
            -1,
            {'players': ', '.join(player_word(int(seat), names) for seat in after.order[: after.players])},
        )
    new = [int(tile) for k, tile in enumerate(after.display) if tile != NONE and before.display[k] != tile]
    if new:
        yield Event('display', -1, {'tiles': ', '.join(kind_word(tile) for tile in new), 'n': len(new)})
    if after.ending:
        yield from _end(after, names)
    elif after.phase == Phase.TOKEN and before.phase != Phase.TOKEN:
        yield Event('token_up', int(after.to_move), {'token': token_words(int(after.token))})
    elif after.round != before.round:
        yield from _round(before, after)


def _round(before: State, after: State) -> Iterator[Event]:
    """A new round: what is discarded, free elements, the cubes of the draft. Before the first one everybody
    draws cubes."""
    if before.phase == Phase.ARRANGE:
        for seat in range(int(after.players)):
            yield Event('deal', seat, {'cubes': heap_words(heap(after.own[seat]))})
        yield Event('round', -1, {'n': int(after.round), 'cubes': heap_words(heap(after.board))})
        return
    left = heap(before.zone)
    if in_turn(before):
        left = [a + b for a, b in zip(left, heap(before.pool), strict=True)]
    if sum(left):
        yield Event('discarded', -1, {'cubes': heap_words(left)})
    for seat in after.order[: after.players].tolist():
        if after.own[seat].any():
            given = tuple(
                (symbol_id(tile), held_id(seat, C.RELEASED[tile]))
                for tile in on_surface(after)
                if after.owner[tile] == seat and C.RELEASED[tile] >= 0 and after.own[seat, C.RELEASED[tile]]
            )
            yield Event('free', seat, {'cubes': heap_words(heap(after.own[seat]))}, flights=given)
    yield Event('round', -1, {'n': int(after.round), 'cubes': heap_words(heap(after.board))})


def _end(after: State, names: Sequence[str]) -> Iterator[Event]:
    """The final scoring, and who has won."""
    for seat in range(int(after.players)):
        found = scoring_of(after, seat)
        yield Event(
            'scored',
            seat,
            {
                'before': found.before,
                'area': found.area_points,
                'surfaces': found.surface_points,
                'types': found.types_points,
                'sum': found.total,
            },
            gains=((seat, found.total - found.before),) if found.total != found.before else (),
        )
    winners = winners_of(after)
    points = int(after.points[winners[0]])
    if len(winners) > 1:
        yield Event(
            'shared',
            -1,
            {'players': listed([player_word(seat, names) for seat in winners]), 'points': points},
        )
    elif by := tie_words(after):
        yield Event('tie_break', winners[0], {'points': points, 'by': by})
    else:
        yield Event('win', winners[0], {'points': points})
