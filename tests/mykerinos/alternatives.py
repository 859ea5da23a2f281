"""Other games in which everybody would have seen the same: what the leak test replays.

Written from the rules alone. In Mykerinos the deal of the seasons to come is the only secret, the same for
all seats: nobody has seen which of the tiles not yet dealt will lie where, and which way up. After the last
deal there is nothing left to be seen.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ludoteca.game import Position
from tests.chance import with_other_chance
from tests.mykerinos.support import TILES_OF_SEASON


def alternatives(
    start: Position, actions: Sequence[int], seat: int, count: int, rng: random.Random
) -> list[Position]:
    """At most `count` true positions to begin from, each with another deal of the tiles to come, from which
    the same actions would have shown the seat (or a spectator) exactly the same. None if all have been dealt.
    Their generators differ too."""
    end = start.copy()
    for action in actions:
        end.apply(action)
    dealt = sum(TILES_OF_SEASON[: end.to_json()['season']])
    tiles, turned = start.state.deck[dealt:].tolist(), start.state.turned[dealt:].tolist()
    found: list[Position] = []
    while tiles and len(found) < count:
        order, sides = rng.sample(tiles, len(tiles)), [rng.randrange(2) for _ in tiles]
        if (order, sides) != (tiles, turned):
            other = with_other_chance(start, rng)
            other.state.deck[dealt:] = order
            other.state.turned[dealt:] = sides
            found.append(other)
    return found
