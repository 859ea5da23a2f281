"""Other deals under which a seat would have seen exactly the same game: the Fruit Market's part of the leak
test.

Written from rulebook.md alone, without `hide`, `hide_action` or `guess`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ludoteca.game import Position
from tests.toy.components import CARDS_EACH, FRUITS, MOST_BID
from tests.toy.rules import BIDDING


def alternatives(
    start: Position, actions: Sequence[int], seat: int, count: int, rng: random.Random
) -> list[tuple[Position, list[int]]]:
    """`count` other beginnings, each with the actions that look to `seat` (-1: a spectator) like those that
    were played.

    What a seat never sees: the cards dealt to others, which of them they drop, and bids until all are opened.
    Once the game is over it has seen everything, and there is no other way in which it could have come about.
    """
    game, end, movers, opened = start.game, start.copy(), [], 0
    for number, action in enumerate(actions, 1):
        movers.append(end.to_move)
        end.apply(action)
        if end.state.phase != BIDDING:
            opened = number  # bids up to here have been seen by all
    if end.over:
        return []
    names = [game.action_name(start.state, action) for action in actions]
    own = [int(start.state.hand[seat, k]) if seat >= 0 else 0 for k in range(len(FRUITS))]
    found = []
    for _ in range(count):
        unseen = [fruit for k, fruit in enumerate(FRUITS) for _ in range(CARDS_EACH - own[k])]
        rng.shuffle(unseen)
        other_start, hands = start.copy(), {}
        for other in range(start.state.players):
            if other != seat:
                hands[other] = [unseen.pop() for _ in range(start.state.held[other])]
                other_start.state.hand[other] = [hands[other].count(fruit) for fruit in FRUITS]
        other_start.state.deck[:] = [unseen.count(fruit) for fruit in FRUITS]
        changed = []
        for number, (name, mover) in enumerate(zip(names, movers, strict=True)):
            if mover != seat and name.startswith('drop'):
                name = f'drop-{hands[mover].pop(rng.randrange(len(hands[mover])))}'
            if mover != seat and name.startswith('bid') and number >= opened:
                name = f'bid-{rng.randint(0, min(MOST_BID, int(end.state.coins[mover])))}'
            changed.append(game.action_from_name(start.state, name))
        found.append((other_start, changed))
    return found
