"""What everything on the table is."""

from __future__ import annotations

from ludoteca.game import Explanation, View

from .. import components as C
from .. import rules as R
from .facts import COLOURS_OF_SEATS, bid_text, say

RULES = 'fruit-market'  # the chapter of the rulebook: it has only one


def explain(view: View, element: str) -> Explanation | None:
    """What a card, a fruit, the bag, a bid or a player's row is."""
    s = view.state
    kind, _, name = element.partition('-')
    if kind == 'do:bid' and name in map(str, range(R.DROP)):
        return Explanation.of(say, 'do-bid', chapter=RULES, coins=name)
    if element == 'bag':
        return Explanation.of(say, 'bag', chapter=RULES, fruits=int(s.bag.sum()))
    if kind in ('card', 'market') and name in C.FRUITS:
        now = say(f'about.{kind}.now') if _now(view, kind) else ''
        return Explanation.of(say, kind, now, chapter=RULES, fruit=say(f'fruit.{name}'))
    seat, _, rest = name.partition('-')
    if (
        kind not in ('bid', 'fruit', 'seat')
        or (rest and kind != 'fruit')
        or seat not in map(str, range(s.players))
    ):
        return None
    values = {'player': say(f'colour.{COLOURS_OF_SEATS[int(seat)]}'), 'coins': int(s.coins[int(seat)])}
    if kind == 'fruit':
        fruit = rest.partition('-')[0]
        return (
            Explanation.of(say, 'fruit', chapter=RULES, fruit=say(f'fruit.{fruit}'), **values)
            if fruit in C.FRUITS
            else None
        )
    bid = bid_text(int(s.bid[int(seat)])) or say('nothing')
    return Explanation.of(say, kind, chapter=RULES, bid=bid, **values)


def _now(view: View, kind: str) -> bool:
    """Can the viewer drop a card, or take a fruit?"""
    return bool(view.actions) and view.state.phase == {'card': R.DROPPING, 'market': R.PICKING}[kind]
