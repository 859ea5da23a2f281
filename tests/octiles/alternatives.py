"""Other games in which everybody would have seen the same: what the leak test replays.

Written from the rules alone. In Octiles the order of the stack is the only secret, the same for all seats:
nobody has seen a tile that was in the stack at the start and has not come to the top since. When the game is
over all tiles are shown.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice, permutations
from math import factorial

from ludoteca.game import Position
from tests.chance import with_other_chance
from tests.octiles.model import Game
from tests.octiles.support import FIRST_MOVE, PASS, decode


def seen_tiles(game: Game, actions: Sequence[int]) -> set[int]:
    """The tiles of the stack whose place everybody has known at some time; a turn that is not finished shows
    nothing."""
    seen = {tile for tile in game.public_stack() if tile is not None}
    steps = iter(actions)
    for action in steps:
        if action == PASS:
            game = game.play(None)
        elif action < FIRST_MOVE:
            move = next(steps, None)
            if move is None:
                break
            game = game.play(decode((action, move)))
        else:
            raise ValueError(f'{action} moves a runner before a tile is laid')
        seen |= {tile for tile in game.public_stack() if tile is not None}
    return seen


def alternatives(
    position_start: Position, actions: Sequence[int], seat: int, count: int, rng: random.Random
) -> list[Position]:
    """At most `count` true positions to begin from, each with another order of the stack, from which the same
    actions would have shown the seat (or a spectator) exactly the same. Fewer, or none, if there are no more.
    Their generators differ too."""
    data = position_start.to_json()
    game, stack = Game.read(data), data['stack']
    seen = seen_tiles(game, actions)
    places = [i for i, tile in enumerate(stack) if tile not in seen]
    unseen = [stack[i] for i in places]
    if factorial(len(unseen)) <= 720:
        # the first is the true one
        orders = [list(order) for order in islice(permutations(unseen), 1, None)]
        rng.shuffle(orders)
    else:
        drawn: dict[tuple[int, ...], None] = {}
        while len(drawn) < count:
            order = tuple(rng.sample(unseen, len(unseen)))
            if list(order) != unseen:
                drawn[order] = None
        orders = [list(order) for order in drawn]
    return [
        _with_order(position_start, dict(zip(places, order, strict=True)), rng) for order in orders[:count]
    ]


def _with_order(start: Position, tiles: dict[int, int], rng: random.Random) -> Position:
    """The same start with these tiles (1..18) at these places of the stack (0 is the top)."""
    other = with_other_chance(start, rng)
    for place, tile in tiles.items():
        other.state.stack[(int(other.state.stack_head) + place) % 18] = tile - 1
    return other
