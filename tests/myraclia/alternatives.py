"""Other games in which everybody would have seen the same: what the leak test replays.

Written from the rules alone. In Myraclia nobody sees what lies where in the bags, and nothing else is hidden:
cubes, tiles and tokens that are still in them are known, and all that was drawn lies open. What comes next is
drawn when it is needed. So before anything has been drawn any other chance is possible; afterwards only such
as would have brought the same until now, of which the true one is known and may go on in any way: the leak
test itself gives the last position of each game another future.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ludoteca.game import Position
from tests.chance import with_other_chance


def alternatives(
    start: Position, actions: Sequence[int], seat: int, count: int, rng: random.Random
) -> list[Position]:
    """`count` positions to begin from in which the same actions show the seat (or a spectator) the same; none
    once the game is over, when nothing is hidden any more."""
    end = start.copy()
    for action in actions:
        end.apply(action)
    if end.over:
        return []
    drawn = drawn_since(start, end)
    return [start.copy() if drawn else with_other_chance(start, rng) for _ in range(count)]


def drawn_since(start: Position, end: Position) -> bool:
    """Has anything been drawn from a bag since the start: a round's cubes, tiles for the display, a token?"""
    before, after = start.to_json(), end.to_json()
    shown = {tile for tile in before['display'] if tile} | {entry['tile'] for entry in before['surface']}
    shown |= {*before.get('to_lay', ())}
    now = {tile for tile in after['display'] if tile} | {entry['tile'] for entry in after['surface']}
    return (before.get('round', 1), before.get('token')) != (
        after.get('round', 1),
        after.get('token'),
    ) or bool(now - shown)
