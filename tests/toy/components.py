"""What lies in the box of the Fruit Market: cards, fruits in a bag, coins. Other modules derive their tables
from here."""

from __future__ import annotations

import numpy as np

from ludoteca.game.components import ComponentTable
from ludoteca.game.kinds import Whole

# how each part of the components is known; what is not printed anywhere would be called reconstructed here
CERTAINTY = {'cards and fruits': 'certain: the game is our own'}
# what people may play with other values of
TABLE = ComponentTable(
    {'card_points': 2, 'coins': 5},
    card_points=Whole(0, 9, 'cards and fruits'),
    coins=Whole(3, 9, 'cards and fruits'),
)
_data = TABLE.read(__name__)
FRUITS = ('apple', 'cherry', 'plum')
N_FRUITS = len(FRUITS)
CARDS_EACH = 6  # cards of every fruit
FRUITS_EACH = 9  # fruits of every kind in the bag: even the longest game cannot empty it
COINS: int = _data['coins']  # of every player at the start
MOST_BID = 3
LAID = 2  # fruits laid out on the market before every round
FULL = 3  # fruits of one kind that make a basket full
CARD_POINTS: int = _data['card_points']  # what a card is worth for every such fruit in the basket
MOST_PLAYERS = 4
MOST_CARDS = 6  # in a hand
HAND = (4, MOST_CARDS)  # cards dealt to everybody in the usual and in the long game

HAND_TABLE = np.array(HAND, np.int64)
