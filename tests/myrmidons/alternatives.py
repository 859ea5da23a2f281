"""Other games in which a seat would have seen exactly the same: what the leak test replays.

Written from the rules alone, without `hide`, `hide_action` or `guess`. A seat never sees which kinds the
others deployed where (and have drawn or picked), until they fight; nor which piece gave an order: of that it
sees only who moved. So another line-up, perhaps with another Commander, has the same game if every piece can
go as far as it went and whoever gave the orders stood next to all that moved; its orders name the same pieces
but for the Commander of that line-up.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ludoteca.game import Position
from tests.myrmidons.model import COMMANDER, Game, Moved, front_to_back, owner, starts
from tests.myrmidons.support import PIECES, TYPES, encode, model_of, turn_names
from tests.myrmidons.worlds import World, some_world

TRIES = 60


def alternatives(
    start: Position, actions: Sequence[int], seat: int, count: int, rng: random.Random
) -> list[tuple[Position, list[int]]]:
    """At most `count` other beginnings, each with the actions that look to `seat` (-1: a spectator) like
    those that were played. Once the game is over the seat has seen everything."""
    names = list(turn_names(actions))
    begun = model_of(start)
    games = [begun]
    for name in names:
        if name.startswith('order') and not name.endswith('go'):
            break
        games.append(games[-1].play(name))
    last = games[-1]
    if last.ending:
        return []
    found: list[tuple[Position, list[int]]] = []
    for _ in range(TRIES * count):
        world = {**last.kinds, **some_world(last, seat, rng)}
        changed = [
            _renamed(before, name, seat, world, rng) for before, name in zip(games, names, strict=False)
        ]
        if None not in changed:
            found.append(
                (
                    _with_world(start, world, seat, rng),
                    [action for name in changed for action in encode(str(name))],
                )
            )
        if len(found) == count:
            break
    return found


def _renamed(before: Game, name: str, seat: int, kinds: World, rng: random.Random) -> str | None:
    """The turn as it must have been if the pieces are of these kinds; None if it cannot have been."""
    mover = before.to_move
    if mover == seat:
        return name
    if before.deploying():
        return f'deploy {kinds[f"{mover}-{starts(mover, before.rules.size)[before.placed(mover)]}"]}'
    if not name.startswith('order'):
        return name
    other = replace(before, kinds={piece: kinds[piece] for piece in before.kinds})
    _, heading, *friends = name.split()
    # nothing has moved yet: any order that way of which as many friends are named
    if not name.endswith('go'):
        begun = [order.split() for order in other.orders() if order.split()[1] == heading]
        begun = [order for order in begun if len(order) >= len(friends) + 3]
        return ' '.join(rng.choice(begun)[: len(friends) + 2]) if begun else None
    moved: tuple[Moved, ...] = before.play(name).moved
    steps = {one.start: one.steps for one in moved if kinds[one.piece] != COMMANDER}
    assert len(steps) == len(friends) - 1
    named = [f'{square}:{steps[square]}' for square in sorted(steps, key=front_to_back(heading))]
    return ' '.join(['order', heading, *named, 'go'])


def _with_world(start: Position, world: World, seat: int, rng: random.Random) -> Position:
    """The same start, where all pieces but the seat's own are (if they have been deployed) or will be of
    these kinds; its generator differs too."""
    other = start.copy()
    s = other.state
    for piece, kind in world.items():
        if s.type[PIECES.index(piece)] >= 0:
            s.type[PIECES.index(piece)] = TYPES.index(kind)
    if s.phase == 0 and s.army == 3:
        for side in {owner(piece) for piece in world} - {seat}:
            drawn = Counter(TYPES.index(kind) for piece, kind in world.items() if owner(piece) == side)
            deployed = Counter(
                int(s.type[number]) for number, piece in enumerate(PIECES) if owner(piece) == side
            )
            s.hand[side] = [drawn[number] - deployed[number] for number in range(len(TYPES))]
    s.rng = [rng.getrandbits(32) | 1 for _ in range(4)]
    return other
