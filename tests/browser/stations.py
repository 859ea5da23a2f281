"""Tables at chosen moments of all games, for tests and pictures of the page round the board.

A station is a table of one game and number of players, played on by seeded random steps. What a page shows
differs with the phase of the game, with whether a turn has been begun, and at the end of the match.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from ludoteca.game import games, load
from tests.browser.support import POST, changed, new_table, state

WIDTHS = {390: 844, 844: 390, 1024: 768, 1440: 900, 1920: 1080}
"""The windows, by their widths in pixels: a phone (also on its side), a tablet, a laptop, a large screen."""
THEMES = ('light', 'dark')
MOST_STEPS = 400


@dataclass(frozen=True)
class Station:
    """A game with a number of players."""

    game: str
    players: int

    @property
    def name(self) -> str:
        """For files and test ids."""
        return f'{self.game}-{self.players}'


def stations(all_players: bool = True) -> list[Station]:
    """Every game with every number of players, or with the most only."""
    return [
        Station(name, players)
        for name in games()
        if name != 'toy'
        for players in (load(name).players if all_players else load(name).players[-1:])
    ]


def open_station(page: Page, address: str, station: Station) -> None:
    """Open the table in a page that has visited the server: at one screen where the game has no secrets,
    else against bots."""
    mode = {'mode': 'bot', 'level': 'beginner'} if load(station.game).hidden else {'mode': 'here'}
    new_table(page, address, station.game, players=station.players, **mode)


def moments(
    page: Page, station: Station, seed: int = 0, steps: int = MOST_STEPS
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Play on with random steps; before each step the kind of the moment (the phase's number, with `+` when a
    turn has been begun) and what the seat is told of the table. After the last step of a match it is
    'over'."""
    game = load(station.game)
    rng, path = random.Random(seed), f'/api{page.evaluate("location.pathname")}'
    for _ in range(steps):
        page.wait_for_function(
            """() => document.body.dataset.mine === 'true'
            || document.querySelector('#result > .result, #acts [data-act=handover]')"""
        )
        view = page.evaluate('(path) => fetch(path).then((answer) => answer.json())', path)
        if view['result']:
            yield 'over', view
            return
        yield f'{int(game.from_json(view["position"]).phase)}{"+" if view["draft"] else ""}', view
        if view['arranging']:
            taken = page.evaluate(POST, [f'{path}/shuffle', {}])['last']
        else:
            taken = rng.choice(view['legal'])
        before = state(page)
        page.evaluate(POST, [f'{path}/act', {'steps': taken}])
        changed(page, before)
