"""The rules of the Fruit Market, from top to bottom as in rulebook.md.

A round begins with sealed bids, in which all choose in secret at once. Then everybody, clockwise from the
winner, takes a turn of two steps: drop a card face down, and pick a fruit, either one on the market or one
drawn blindly from the bag.

Actions:
    BID + coins    0 ..  3   bid so many coins, `bid-2`
    DROP + fruit   4 ..  6   drop a card, `drop-plum`
    TAKE + fruit   7 ..  9   take a fruit from the market, `take-plum`
    DRAW          10         draw a fruit from the bag, `draw`

Values that a hidden state does not know are -1 (`hand`, `dropped`, `deck`); a bid that is sealed but not
known is SEALED.
"""

from __future__ import annotations

from ludoteca.game import ActionSpace, Slice
from ludoteca.kernel import Array, Floats, Ints, Record, below, field, is_blank, kernel, start_generator

from .components import (
    CARD_POINTS,
    CARDS_EACH,
    COINS,
    FRUITS_EACH,
    FULL,
    HAND_TABLE,
    LAID,
    MOST_BID,
    MOST_PLAYERS,
    N_FRUITS,
)

BIDDING, DROPPING, PICKING = range(3)  # phases
DRAWN, LAYING = -1, -2  # phases in which chance decides: the fruit drawn by a seat, one for the market
FULL_BASKET, DUSK = 1, 2  # endings
CLOCKWISE, NOBODY = range(2)  # values of the option `ties`
NOT_YET, SEALED = -1, -2  # of `bid`

ACTIONS = ActionSpace(
    Slice('bid', (1 + MOST_BID,), 'bid so many coins', ('coins',)),
    Slice('drop', (N_FRUITS,), 'drop a card', ('fruit',)),
    Slice('take', (N_FRUITS,), 'take a fruit from the market', ('fruit',)),
    Slice('draw', (), 'draw a fruit from the bag'),
)
BID, DROP, TAKE, DRAW, N_ACTIONS = ACTIONS.firsts  # the first of each kind
MAX_LEGAL = N_FRUITS + 1


class State(Record):
    """A game; arrays by fruit count cards or fruits."""

    players: int = field('i1')
    to_move: int = field('i1')
    phase: int = field('i1')
    turn: int = field('i2')
    reveals: int = field('i2')
    ending: int = field('i1')
    rng: Array = field('u4', 4)
    long: int = field('i1')  # options
    ties: int = field('i1')
    first: int = field('i1')  # who begins this round
    moved: int = field('i1')  # turns already taken in this round
    coins: Array = field('i1', MOST_PLAYERS)
    bid: Array = field('i1', MOST_PLAYERS)  # of this round
    held: Array = field('i1', MOST_PLAYERS)  # cards in hand: public, which they are is not
    hand: Array = field('i1', (MOST_PLAYERS, N_FRUITS))
    dropped: Array = field('i1', (MOST_PLAYERS, N_FRUITS))
    basket: Array = field('i1', (MOST_PLAYERS, N_FRUITS))
    deck: Array = field('i1', N_FRUITS)  # cards that were not dealt
    market: Array = field('i1', N_FRUITS)
    bag: Array = field('i1', N_FRUITS)
    shown: int = field('i2')  # what the last action made public, see `revealed`


class Work(Record):
    """Scratch of random_action, prepare and guess."""

    actions: Array = field('i4', MAX_LEGAL)
    cards: Array = field('i1', N_FRUITS)  # that the seat does not see


# ---- setup -------------------------------------------------------------------------------------------------


@kernel
def draw_one(s: State, counts: Array) -> int:
    """Take one of the things counted by fruit, each equally likely."""
    k = below(s, int(counts[0]) + int(counts[1]) + int(counts[2]))
    fruit = 0
    while k >= counts[fruit]:
        k -= int(counts[fruit])
        fruit += 1
    counts[fruit] -= 1
    return fruit


@kernel
def setup(s: State, players: int, options: Ints, seed: Array) -> None:
    """Deal the cards, lay out the first fruits, and let everybody bid."""
    start_generator(s, seed)
    s.players = players
    s.long, s.ties = options[0], options[1]
    s.deck[:] = CARDS_EACH
    s.bag[:] = FRUITS_EACH
    for seat in range(players):
        s.coins[seat] = COINS
        s.held[seat] = HAND_TABLE[s.long]
        for _ in range(s.held[seat]):
            s.hand[seat, draw_one(s, s.deck)] += 1
    new_round(s)


@kernel
def new_round(s: State) -> None:
    """Lay fruits from the bag on the market; then all bid, in seat order as far as the record is
    concerned."""
    s.moved = -LAID  # fruits still to be laid
    s.reveals += 1
    s.shown += 4
    lay_fruits(s)


@kernel
def lay_fruits(s: State) -> None:
    """Lay what is still to be laid; a state without its future waits for each fruit."""
    while s.moved < 0:
        s.phase = LAYING
        if is_blank(s):
            return
        lay_fruit(s, draw_one(s, s.bag))
    s.bid[:] = NOT_YET
    s.to_move = 0
    s.phase = BIDDING


@kernel
def lay_fruit(s: State, fruit: int) -> None:
    """One more fruit on the market."""
    s.market[fruit] += 1
    s.shown += 4 * fruit * N_FRUITS ** (-1 - int(s.moved))
    s.moved += 1


# ---- chance ------------------------------------------------------------------------------------------------


@kernel
def chance(s: State, outcomes: Ints, probabilities: Floats) -> int:
    """A fruit from the bag, each of them equally likely."""
    if s.phase >= 0:
        return 0
    total, n = int(s.bag[0]) + int(s.bag[1]) + int(s.bag[2]), 0
    for fruit in range(N_FRUITS):
        if s.bag[fruit]:
            outcomes[n] = fruit
            probabilities[n] = s.bag[fruit] / total
            n += 1
    return n


@kernel
def resolve(s: State, outcome: int) -> None:
    """That fruit comes out of the bag."""
    s.bag[outcome] -= 1
    if s.phase == DRAWN:
        s.phase = PICKING
        show(s, outcome)
    else:
        lay_fruit(s, outcome)
        lay_fruits(s)


# ---- what is legal -----------------------------------------------------------------------------------------


@kernel
def legal_actions(s: State, out: Ints) -> int:
    """The legal actions, ascending; returns how many."""
    seat, n = s.to_move, 0
    if s.phase == BIDDING:
        for coins in range(min(MOST_BID, s.coins[seat]) + 1):
            out[n] = coins
            n += 1
        return n
    for fruit in range(N_FRUITS):
        if s.phase == DROPPING and s.hand[seat, fruit]:
            out[n] = DROP + fruit
            n += 1
        if s.phase == PICKING and s.market[fruit]:
            out[n] = TAKE + fruit
            n += 1
    if s.phase == PICKING:
        out[n] = DRAW
        n += 1
    return n


# ---- what happens ------------------------------------------------------------------------------------------


@kernel
def apply(s: State, action: int) -> None:
    """Play a legal action."""
    s.shown = 0
    if action < DROP:
        seal(s, action)
    elif action < TAKE:
        drop(s, action - DROP)
    else:
        pick(s, action)


@kernel
def seal(s: State, coins: int) -> None:
    """Seal a bid; the last one opens them all."""
    s.bid[s.to_move] = coins
    for k in range(1, s.players):
        seat = (s.to_move + k) % s.players
        if s.bid[seat] == NOT_YET:
            s.to_move = seat
            return
    open_bids(s)


@kernel
def open_bids(s: State) -> None:
    """The highest bidder pays and begins the round. Of several it is the next one clockwise from who began
    the last round; with the option `ties: nobody` nobody pays, and the same player begins again."""
    s.reveals += 1
    code, best, equals = 0, int(s.first), 0
    for k in range(s.players):
        seat = (s.first + k) % s.players
        code = code * (MOST_BID + 1) + int(s.bid[k])
        if s.bid[seat] > s.bid[best]:
            best, equals = seat, 0
        equals += s.bid[seat] == s.bid[best]
    s.shown = 1 + code
    if equals == 1 or s.ties == CLOCKWISE:
        s.coins[best] -= s.bid[best]
        s.first = best
    s.to_move = s.first
    s.phase = DROPPING


@kernel
def drop(s: State, fruit: int) -> None:
    """First step of a turn: lay a card face down. It is out of the game, and only its owner knows what it
    was."""
    s.hand[s.to_move, fruit] -= 1
    s.dropped[s.to_move, fruit] += 1
    s.held[s.to_move] -= 1
    s.phase = PICKING


@kernel
def pick(s: State, action: int) -> None:
    """Second step: take a fruit from the market or draw one from the bag."""
    if action < DRAW:
        s.market[action - TAKE] -= 1
        keep(s, action - TAKE)
    elif is_blank(s):
        s.phase = DRAWN
    else:
        show(s, draw_one(s, s.bag))


@kernel
def show(s: State, fruit: int) -> None:
    """All see which fruit was drawn."""
    s.reveals += 1
    s.shown = 1 + fruit
    keep(s, fruit)


@kernel
def keep(s: State, fruit: int) -> None:
    """The fruit goes into the basket, and the turn is over."""
    s.basket[s.to_move, fruit] += 1
    s.turn += 1
    s.moved += 1
    if s.basket[s.to_move, fruit] == FULL:
        finish(s, FULL_BASKET)
    elif s.moved < s.players:
        s.to_move = (s.to_move + 1) % s.players
        s.phase = DROPPING
    elif s.held[s.to_move] == 1:
        finish(s, DUSK)
    else:
        new_round(s)


@kernel
def finish(s: State, ending: int) -> None:
    """The game is over and all cards are shown."""
    s.reveals += 1
    s.ending = ending


# ---- the end -----------------------------------------------------------------------------------------------


@kernel
def scores(s: State, out: Array) -> None:
    """A point for every coin and fruit; at the end also for every card in hand, as often as its fruit lies in
    the basket."""
    out[:] = 0
    for seat in range(s.players):
        out[seat] = s.coins[seat]
        for fruit in range(N_FRUITS):
            out[seat] += s.basket[seat, fruit]
            if s.ending:
                out[seat] += CARD_POINTS * s.hand[seat, fruit] * s.basket[seat, fruit]


@kernel
def outcome(s: State, out: Array) -> None:
    """Most points win; those who have equally many share the win."""
    if not s.ending:
        out[:] = 0
        return
    scores(s, out)
    most, winners = out.max(), 0
    for seat in range(s.players):
        winners += out[seat] == most
    for seat in range(len(out)):
        out[seat] = 1 / winners if seat < s.players and out[seat] == most else 0


@kernel
def measure(s: State, seat: int, out: Floats) -> None:
    """The rounds of the game, a last one that was not finished included, and the coins that the seat has
    paid."""
    out[0] = (s.turn + s.players - 1) // s.players
    out[1] = COINS - s.coins[seat]


@kernel
def revealed(s: State) -> int:
    """0, or the bids just opened, or the fruit just drawn and those just laid on the market."""
    return s.shown
