"""The page of a table knows which parts its game has."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from ludoteca.game import games, load


@pytest.mark.parametrize('name', games())
def test_a_page_has_room_for_cards_and_takes_clicks_that_redraft_if_the_game_knows_them(
    guest: Callable[..., TestClient],
    name: str,
) -> None:
    client, game = guest(), load(name)
    form = {'game': name, 'mode': 'here', f'players-{name}': str(game.players[0])}
    page = client.get(
        client.post('/tables', data=form, headers={'Accept': 'application/json'}).json()['url']
    ).text
    assert ('with-cards' in page) == (game.parts.cards is not None or bool(game.arranged))
    told = re.search(r'"redrafts": ?(true|false)', page)
    assert told
    assert told[1] == ('true' if game.parts.redrafts else 'false')
