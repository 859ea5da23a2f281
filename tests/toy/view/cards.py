"""What each player has."""

from __future__ import annotations

from ludoteca.game import Panel, PanelRow, View

from .. import components as C
from ..notation import cards, fruits
from .facts import COLOURS_OF_SEATS, listed, say


def panels(view: View) -> tuple[Panel, ...]:
    """Coins, cards and baskets; cards that are not known are counted."""
    s = view.state
    return tuple(
        Panel(
            seat,
            COLOURS_OF_SEATS[seat],
            '',
            (
                PanelRow(say('panel.coins'), str(int(s.coins[seat]))),
                PanelRow(say('panel.cards'), listed(cards(s.hand[seat], int(s.held[seat])))),
                PanelRow(
                    say('panel.dropped'), listed(cards(s.dropped[seat], C.HAND[s.long] - int(s.held[seat])))
                ),
                PanelRow(say('panel.basket'), listed(fruits(s.basket[seat]))),
            ),
        )
        for seat in range(s.players)
    )
