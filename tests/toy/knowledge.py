"""Who knows what in the Fruit Market: the cards that others hold or dropped, the cards not dealt, and sealed
bids are secret."""

from __future__ import annotations

from ludoteca.game import Chance, Slice, starts
from ludoteca.kernel import Array, below, kernel, reseed

from .components import (
    CARDS_EACH,
    COINS,
    FRUITS,
    FRUITS_EACH,
    FULL,
    HAND_TABLE,
    MOST_BID,
    MOST_CARDS,
    MOST_PLAYERS,
    N_FRUITS,
)
from .rules import BIDDING, NOT_YET, SEALED, TAKE, State, Work, draw_one


@kernel
def hide(s: State, seat: int) -> None:
    """Take out what the seat (-1: a spectator) does not know. A player remembers the cards that he dropped
    himself."""
    if s.ending:
        return
    reseed(s, 0)  # the generator that a position has if none is given
    s.deck[:] = -1
    for other in range(s.players):
        if other != seat:
            s.hand[other] = -1
            s.dropped[other] = -1
            if s.phase == BIDDING and s.bid[other] >= 0:
                s.bid[other] = SEALED


@kernel
def forget(s: State, seat: int, past: int) -> None:
    """People are shown all that they could remember."""


@kernel
def hide_action(s: State, action: int, seat: int) -> int:
    """Bids and dropped cards are seen by nobody else; what is picked is public."""
    return action if action >= TAKE or seat == s.to_move else -1


@kernel
def mover_view(s: State, seat: int) -> None:
    """The bidding through the eyes of a seat that is to bid: whatever the others have done, it does not
    know."""
    hide(s, seat)
    s.bid[:] = NOT_YET
    s.shown = 0
    s.to_move = seat


@kernel
def prepare(s: State, seat: int, work: Work) -> None:
    """Count the cards that the seat does not see."""
    for fruit in range(N_FRUITS):
        work.cards[fruit] = CARDS_EACH
        if seat >= 0:
            work.cards[fruit] -= s.hand[seat, fruit] + s.dropped[seat, fruit]


@kernel
def guess(s: State, seat: int, seed: int, work: Work) -> None:
    """Deal the unseen cards anew, each order equally likely; a bid that is sealed but unknown may be anything
    its owner can pay."""
    if s.ending:
        return
    reseed(s, seed)
    for fruit in range(N_FRUITS):
        s.deck[fruit] = work.cards[fruit]
    for other in range(s.players):
        if other == seat:
            continue
        s.hand[other] = 0
        s.dropped[other] = 0
        for card in range(HAND_TABLE[s.long]):
            fruit = draw_one(s, s.deck)
            if card < s.held[other]:
                s.hand[other, fruit] += 1
            else:
                s.dropped[other, fruit] += 1
        if s.bid[other] == SEALED:
            s.bid[other] = below(s, min(MOST_BID, int(s.coins[other])) + 1)


CHANCES = (
    Chance('fruit', 'explicit', 'a fruit from the bag, for a seat or for the market', FRUITS),
    Chance('start', 'sampled', 'the cards that are dealt, and the first fruits on the market'),
)


# ---- what learners see -------------------------------------------------------------------------------------

OBSERVATION = (
    Slice('hand', (N_FRUITS,), 'own cards by fruit, divided by the number of cards of a fruit', ('fruit',)),
    Slice('dropped', (N_FRUITS,), 'cards that the viewer dropped, likewise', ('fruit',)),
    Slice(
        'basket',
        (MOST_PLAYERS, N_FRUITS),
        'for each seat from the viewer on, fruits by kind, divided by three',
        ('seat', 'fruit'),
    ),
    Slice('coins', (MOST_PLAYERS,), 'for each seat from the viewer on, divided by five', ('seat',)),
    Slice(
        'held', (MOST_PLAYERS,), 'for each seat from the viewer on, cards in hand, divided by six', ('seat',)
    ),
    Slice(
        'bid',
        (MOST_PLAYERS,),
        'for each seat from the viewer on, (1 + bid) / 4; -1/4 if sealed, 0 before that',
        ('seat',),
    ),
    Slice('market', (N_FRUITS,), 'fruits on the market, divided by nine', ('fruit',)),
    Slice('bag', (N_FRUITS,), 'fruits in the bag, divided by nine', ('fruit',)),
    Slice('phase', (3,), 'bidding, dropping, picking', ('phase',)),
    Slice('to_move', (MOST_PLAYERS,), 'the seat to move, counted from the viewer', ('seat',)),
    Slice('first', (MOST_PLAYERS,), 'the seat that begins the round, counted from the viewer', ('seat',)),
    Slice('moved', (), 'turns taken in this round, divided by the number of players'),
    Slice('options', (2,), 'long game; nobody wins a tie', ('option',)),
)
AT = starts(OBSERVATION)


@kernel
def observe(s: State, seat: int, out: Array) -> None:
    """A hidden state as numbers between -1 and 1 from the eyes of a seat, laid out as in OBSERVATION."""
    out[:] = 0.0
    viewer = max(seat, 0)
    for fruit in range(N_FRUITS):
        if seat >= 0:
            out[AT.hand + fruit] = s.hand[seat, fruit] / CARDS_EACH
            out[AT.dropped + fruit] = s.dropped[seat, fruit] / CARDS_EACH
        out[AT.market + fruit] = s.market[fruit] / FRUITS_EACH
        out[AT.bag + fruit] = s.bag[fruit] / FRUITS_EACH
    for k in range(s.players):
        other = (viewer + k) % s.players
        for fruit in range(N_FRUITS):
            out[AT.basket + k * N_FRUITS + fruit] = s.basket[other, fruit] / FULL
        out[AT.coins + k] = s.coins[other] / COINS
        out[AT.held + k] = s.held[other] / MOST_CARDS
        out[AT.bid + k] = (1 + s.bid[other]) / (1 + MOST_BID)
    out[AT.phase + s.phase] = 1.0
    out[AT.to_move + (s.to_move - viewer) % s.players] = 1.0
    out[AT.first + (s.first - viewer) % s.players] = 1.0
    out[AT.moved] = s.moved / s.players
    out[AT.options] = s.long
    out[AT.options + 1] = s.ties
