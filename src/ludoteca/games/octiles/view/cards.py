"""The panels: what each player has."""

from __future__ import annotations

from ludoteca.game import Panel, PanelRow, View

from .. import components as C
from .facts import colours_of, runners_home, say, side_of


def panels(view: View) -> tuple[Panel, ...]:
    """One panel a seat: its colour, where its runners go, how many have arrived, are under way, still
    wait."""
    s, found = view.state, []
    for seat in range(int(s.players)):
        side, n = side_of(s, seat), int(s.n_runners)
        home = runners_home(s, seat)
        waiting = sum(C.SIDE_OF[int(post)] == side for post in s.runner[seat] if post >= 0)
        found.append(
            Panel(
                seat,
                colours_of(view)[seat],
                say('panel.side', start=say(f'side.{C.SIDES[side]}'), goal=say(f'side.{C.SIDES[side ^ 2]}')),
                (
                    PanelRow(
                        say('panel.home'), say('panel.home_value', home=home, of=n), about=f'home-{seat}'
                    ),
                    PanelRow(say('panel.under_way'), str(n - home - waiting), about=f'way-{seat}'),
                    PanelRow(say('panel.waiting'), str(waiting), about=f'start-{seat}'),
                ),
                pips=(home, n),
            )
        )
    return tuple(found)
