"""How good a position of the Fruit Market looks, and random play."""

from __future__ import annotations

from ludoteca.kernel import Array, Ints, below, kernel

from .components import CARD_POINTS, N_FRUITS
from .rules import (
    BIDDING,
    DRAW,
    DROP,
    DROPPING,
    PICKING,
    TAKE,
    State,
    Work,
    legal_actions,
    outcome,
    scores,
)


@kernel
def estimate(s: State, out: Array) -> None:
    """Expected outcome: shares by the square of the points so far and of those that the average card in hand
    promises."""
    if s.ending:
        outcome(s, out)
        return
    scores(s, out)
    total = 0.0
    for seat in range(s.players):
        for fruit in range(N_FRUITS):
            if s.hand[seat, fruit] > 0:  # -1: not known
                out[seat] += CARD_POINTS * s.hand[seat, fruit] * (1 + s.basket[seat, fruit]) / s.held[seat]
        out[seat] *= out[seat]
        total += out[seat]
    for seat in range(s.players):
        out[seat] = out[seat] / total if total else 1 / s.players


@kernel
def random_action(s: State, work: Work) -> int:
    """A legal action, each equally likely."""
    return work.actions[below(s, legal_actions(s, work.actions))]


@kernel
def random_turn(s: State, work: Work, out: Ints) -> int:
    """A whole turn (or what is left of it; a bid), each equally likely; returns its length."""
    out[0] = random_action(s, work)
    if s.phase != DROPPING:
        return 1
    s.phase = PICKING  # what can be picked does not depend on what is dropped
    out[1] = random_action(s, work)
    s.phase = DROPPING
    return 2


def yardstick(s: State) -> tuple[int, ...]:
    """A fixed player: bids one coin if it can, drops the card of which it has fewest fruits, takes what its
    cards want most."""
    seat = int(s.to_move)
    if s.phase == BIDDING:
        return (min(1, int(s.coins[seat])),)
    fruits, hand = range(N_FRUITS), s.hand[seat].tolist()
    turn = []
    if s.phase == DROPPING:
        dropped = min(
            (fruit for fruit in fruits if hand[fruit]),
            key=lambda fruit: (s.basket[seat, fruit], hand[fruit], fruit),
        )
        hand[dropped] -= 1
        turn.append(DROP + dropped)
    wanted = max((fruit for fruit in fruits if s.market[fruit]), key=lambda fruit: hand[fruit], default=-1)
    return (*turn, TAKE + wanted if wanted >= 0 else DRAW)
