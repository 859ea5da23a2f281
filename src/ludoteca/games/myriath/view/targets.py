"""What to click for an action, and why other clicks make none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from ludoteca.drawing.geometry import Point
from ludoteca.drawing.svg import translate
from ludoteca.game import Ghost, Target, View, refusals
from ludoteca.text.players import player_word

from .. import components as C
from .. import rules as R
from ..notation import name_at, placement
from ..rules import Phase, State
from . import symbols as S
from .facts import (
    Reading,
    gain_text,
    hand_id,
    read,
    say,
    split,
    target_of,
    tile_id,
    tile_laid,
    tile_words,
)

RULES = {
    'must_pass': 'passing',
    'no_pass': 'passing',
    'octagons_first': 'setting-up',
    'choose_square': 'setting-up',
    'overlaps_octagon': 'setting-up',
    'occupied': 'what-is-legal',
    'no_place': 'what-is-legal',
    'does_not_fit': 'what-is-legal',
    'square': 'the-board',
    'crossing': 'what-is-legal',
}
"""Refusals that tell a rule -> its chapter or paragraph in the rulebook."""
why = refusals(say, RULES)

GAINS_KEPT = 1024  # gains of all seats whose texts are kept: there are few

# ---- what to click -----------------------------------------------------------------------------------------


def middle_of(action: int, side: int) -> Point:
    """The middle of the tile that an action lays."""
    piece, first = split(action, side)
    return S.square_point(first) if piece == R.RING else S.middle(C.PIECES[piece].moved(*first))


@cache
def held_tile(action: int, side: int) -> tuple[str, str, str]:
    """The target, the symbol and the transform of the tile that an action lays."""
    piece, _ = split(action, side)
    x, y = middle_of(action, side)
    if piece == R.RING:
        return target_of((x, y)), S.tile_symbol(C.THE_OCTAGON), translate(x, y)
    return (
        target_of((x, y)),
        S.tile_symbol(C.TILE_OF[piece]),
        translate(x, y) + turned(C.ORIENTATION_OF[piece]),
    )


def turned(orientation: int) -> str:
    """An orientation as a transform."""
    return (f' rotate({90 * (orientation % 4)})' if orientation % 4 else '') + (
        ' scale(-1 1)' if orientation >= 4 else ''
    )


_HAND = [Target(f'el:{hand_id(tile)}') for tile in range(C.N_PATHS)]


@lru_cache(maxsize=GAINS_KEPT)
def _gain_texts(gained: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    """What each seat would get, as badges tell it."""
    return tuple((seat, gain_text(half)) for seat, half in enumerate(gained) if half)


def targets(
    s: State,
    action: int,
    colours: Sequence[str] = (),  # noqa: ARG001 (what is held takes the seat's colour)
) -> tuple[Target, ...]:
    """What to click, in order, for a legal action: a tile of the tray and where its middle lies (orientations
    there are variants); the square that the octagon rings; the button."""
    return _targets(read(s), int(s.side), action)


def named_targets(
    s: State,
    actions: Sequence[int],
    colours: Sequence[str] = (),  # noqa: ARG001 (what is held takes the seat's colour)
) -> Iterator[tuple[str, tuple[Target, ...]]]:
    """The name of each action, and what to click for it: a position has hundreds of them."""
    reading, side = read(s), int(s.side)
    for action in actions:
        yield name_at(side, action), _targets(reading, side, action)


def _targets(reading: Reading, side: int, action: int) -> tuple[Target, ...]:
    if action == R.PASS:
        return (Target('do:pass'),)
    at, symbol, transform = held_tile(action, side)
    piece, crossing = placement(action)
    if piece == R.RING:
        return (Target(at, Ghost(symbol, transform)),)
    glow, gained = reading.gains(piece, crossing)
    ghost = Ghost(symbol, transform, '', '', glow, _gain_texts(tuple(gained)))
    return _HAND[C.TILE_OF[piece]], Target(at, ghost)


# ---- why not -----------------------------------------------------------------------------------------------

TILE_OF_ID = {hand_id(tile): tile for tile in range(C.N_PATHS)}
LYING_OF_ID = {tile_id(seat, tile): (seat, tile) for seat in range(4) for tile in range(C.N_TILES)}


def why_not(view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now."""
    s = view.state
    if s.ending:
        return why('why.over')
    player = player_word(int(s.to_move), view.names)
    if not view.actions:
        return why('why.watching' if view.seat < 0 else 'why.not_your_turn', player=player)
    ids = [target.removeprefix('el:') for target in targets]
    if s.phase == Phase.SETUP:
        return _why_no_octagon(view, ids)
    if view.actions == (R.PASS,):
        return why('why.must_pass')
    if ids and ids[-1] == 'do:pass':
        return why('why.no_pass')
    held = next((TILE_OF_ID[id_] for id_ in reversed(ids) if id_ in TILE_OF_ID), -1)
    if held >= 0:
        return _why_not_held(view, held, ids)
    return _why_not_there(view, ids[-1] if ids else '')


def _why_no_octagon(view: View, ids: Sequence[str]) -> str:
    s = view.state
    last = ids[-1] if ids else ''
    if last in TILE_OF_ID:
        return why('why.octagons_first')
    if last in LYING_OF_ID:
        return why('why.occupied')
    if last.startswith('square-'):
        i, j = map(int, last.split('-')[1:])
        if R.FIRST_OCTAGON + i + int(s.side) * j not in view.actions:
            return why('why.overlaps_octagon')
    return why('why.choose_square')


def _why_not_held(view: View, tile: int, ids: Sequence[str]) -> str:
    s = view.state
    if s.at[view.seat, tile] != R.IN_HAND:
        return why('why.used', tile=C.TILES[tile])
    if tile not in map(tile_laid, view.actions):
        return why('why.no_place', tile=C.TILES[tile])
    if ids[-1] in LYING_OF_ID:
        return why('why.occupied')
    return why('why.does_not_fit' if len(ids) > 1 else 'why.choose_place', tile=C.TILES[tile])


def _why_not_there(view: View, id_: str) -> str:
    s = view.state
    if id_ in LYING_OF_ID and (placed := read(s).found(*LYING_OF_ID[id_])):
        return why('why.lies', tile=tile_words(view, placed))
    if id_.startswith('square-'):
        return why('why.square')
    if id_.startswith('cross-'):
        return why('why.crossing', crossing=id_.removeprefix('cross-'))
    return why('why.choose_tile')
