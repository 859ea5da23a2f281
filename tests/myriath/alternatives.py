"""Other games in which everybody would have seen the same: what the leak test replays.

Written from the rules alone. In Myriath all tiles lie open on the board or in the hands, and nothing is drawn
by chance: whoever has seen the game knows all of it, and there is no other one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ludoteca.game import Position
from tests.chance import with_other_chance


def alternatives(
    start: Position, actions: Sequence[int], seat: int, count: int, rng: random.Random
) -> list[Position]:
    """`count` positions to begin from that are the same but for the generator, on which nothing depends that
    is ever seen."""
    return [with_other_chance(start, rng) for _ in range(count)]
