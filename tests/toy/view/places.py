"""The market and the viewer's cards, to be read and played without the drawing."""

from __future__ import annotations

from ludoteca.game import Place, PlaceGroup, View
from ludoteca.game.places import in_list

from .. import components as C
from ..notation import cards
from .facts import say, set_of


def places(view: View) -> tuple[PlaceGroup, ...]:
    """A list each: what can be picked, and the cards in hand, equal ones as one place."""
    s = view.state
    market = [
        Place(
            (f'el:market-{fruit}',),
            say(f'fruit.{fruit}'),
            say('places.count', n=int(s.market[C.FRUITS.index(fruit)])),
        )
        for fruit in set_of(s.market)
    ]
    bag = Place(('el:bag',), '', say('bag', fruits=int(s.bag.sum())))
    held = cards(s.hand[view.seat], int(s.held[view.seat])) if view.seat >= 0 else ()
    own = [
        Place((f'el:card-{fruit}',), say(f'fruit.{fruit}'), say('places.count', n=held.count(fruit)))
        for fruit in C.FRUITS
        if fruit in held
    ]
    return (*in_list(say('places.market'), [*market, bag]), *in_list(say('places.hand'), own))
