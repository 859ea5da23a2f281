"""What happened, as data."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import Event

from .. import components as C
from .. import rules as R
from ..notation import fruits
from ..rules import State
from .facts import set_of


def events(
    before: State, action: int, after: State, names: Sequence[str] = (), colours: Sequence[str] = ()
) -> tuple[Event, ...]:
    """What a step did, and what it made public."""
    seat, happened = int(before.to_move), [_step(before, action, after)]
    if before.phase == R.BIDDING and after.phase != R.BIDDING:
        happened += [
            Event('open', other, {'coins': int(after.bid[other])}, (f'bid-{other}',))
            for other in range(after.players)
        ]
        happened.append(Event('first', int(after.first)))
    if after.ending:
        happened.append(Event(('full', 'dusk')[after.ending - 1], seat))
    elif before.phase == R.PICKING and after.phase == R.BIDDING:
        laid = after.market - before.market
        if action != R.DRAW:
            laid[action - R.TAKE] += 1
        happened.append(
            Event(
                'lay',
                -1,
                {'fruits': ' '.join(fruits(laid))},
                tuple(f'market-{fruit}' for fruit in set_of(laid)),
            )
        )
    return tuple(happened)


def _step(before: State, action: int, after: State) -> Event:
    seat = int(before.to_move)
    if before.phase == R.BIDDING:
        return Event('bid', seat, {'coins': action}) if action >= 0 else Event('seal', seat)
    if before.phase == R.DROPPING:
        return (
            Event('drop', seat, {'card': C.FRUITS[action - R.DROP]})
            if action >= 0
            else Event('drop-unseen', seat)
        )
    (fruit,) = set_of(after.basket[seat] - before.basket[seat])
    if action == R.DRAW:
        return Event('draw', seat, {'fruit': fruit}, ('bag', f'seat-{seat}'))
    start, k = f'market-{fruit}', int(before.basket[seat, action - R.TAKE])
    return Event(
        'take',
        seat,
        {'fruit': fruit},
        (start, f'seat-{seat}'),
        flights=((start, f'fruit-{seat}-{fruit}-{k}'),),
    )
