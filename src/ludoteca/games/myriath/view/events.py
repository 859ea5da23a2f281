"""What happened between two states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludoteca.game import Event, Sound
from ludoteca.text.players import listed, player_word

from .. import components as C
from .. import rules as R
from ..notation import ORIENTATION_NAMES, action_name
from ..rules import State
from .facts import (
    crossing_name,
    gains_words,
    points_text,
    split,
    tile_id,
    tile_laid,
    winners_of,
)

SOUNDS: Mapping[str, Sound] = {
    'octagon': 'tile',
    'lay': 'tile',
}
"""What is heard of which kind of event."""


def events(
    before: State,
    action: int,
    after: State,
    names: Sequence[str] = (),
    colours: Sequence[str] = (),  # noqa: ARG001 (no value is a symbol)
) -> tuple[Event, ...]:
    """The events of an action.

    Kinds: octagon (tile, crossing), lay (tile, orientation, crossing, name; points: who gets how many, in
    words), pass, then win (points) or shared (players, points)."""
    seat, side = int(before.to_move), int(before.side)
    if action == R.PASS:
        found = [Event('pass', seat)]
    else:
        piece, first = split(action, side)
        tile = tile_laid(action)
        values: dict[str, str | int] = {
            'tile': C.TILES[tile],
            'crossing': crossing_name(first),
            'name': action_name(before, action),
        }
        gained = dict[int, int]()
        if piece != R.RING:
            gained = {k: int(after.points[k]) - int(before.points[k]) for k in range(int(before.players))}
            values |= {
                'orientation': ORIENTATION_NAMES[C.ORIENTATION_OF[piece]],
                'points': gains_words(gained, names),
            }
        found = [
            Event(
                'octagon' if piece == R.RING else 'lay',
                seat,
                values,
                (tile_id(seat, tile),),
                gains=tuple((k, n / 2) for k, n in gained.items() if n),
            )
        ]
    if after.ending:
        found.append(_end(after, names))
    return tuple(found)


def _end(after: State, names: Sequence[str]) -> Event:
    winners = winners_of(after)
    points = points_text(int(after.points[winners[0]]))
    if len(winners) == 1:
        return Event('win', winners[0], {'points': points})
    return Event(
        'shared', -1, {'players': listed([player_word(seat, names) for seat in winners]), 'points': points}
    )
