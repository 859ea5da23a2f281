"""The board as a list: made for those who ask for it, of what their seat may know."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.web.test_interface import make
from tests.web.test_secrets import private, screen

Guest = Callable[..., TestClient]
NOTHING = '<div id="places"></div>'


def listing(client: TestClient) -> None:
    """The visitor asks for the list."""
    answer = client.patch('/api/me', json={'settings': {'places': True}}).json()
    assert answer['settings']['places'] is True


def view(client: TestClient, path: str) -> dict[str, Any]:
    """The whole view of a page."""
    found: dict[str, Any] = client.get(f'{path.removeprefix("/api")}/view').json()
    return found


def test_places_are_sent_to_those_who_ask_for_them(guest: Guest) -> None:
    client = guest()
    path, _ = make(client)
    assert view(client, path)['fragments']['places'] == NOTHING
    listing(client)
    told = view(client, path)
    shown = set(re.findall(r'data-place="([^"]+)"', told['fragments']['places']))
    assert {'el:space-a2', 'el:post-A1', 'el:stack'} <= shown
    assert set(told['choices']['targets']) <= {target for place in shown for target in place.split()}
    page = client.get(path.removeprefix('/api'), headers={'Accept': 'text/html'}).text
    assert 'as-list' in page


def test_a_grid_tells_where_each_cell_is(guest: Guest) -> None:
    """Rows are numbered, cells have their columns, and a place that takes two columns says so."""
    client = guest()
    path, _ = make(client)
    listing(client)
    found = view(client, path)['fragments']['places']
    board = re.findall(r'<table role="grid".*?</table>', found, re.DOTALL)[0]
    rows = re.findall(r'<tr role="row" aria-rowindex="(\d+)">', board)
    assert rows == [str(number) for number in range(1, 14)]
    cells = re.findall(r'<td id="[^"]+" class="[^"]*" role="gridcell"[^>]*>', board)
    assert len(cells) == 18 + 35
    assert all('aria-colspan="2"' in cell and re.search(r'aria-colindex="\d+"', cell) for cell in cells)
    widest = int(re.findall(r'aria-colcount="(\d+)"', board)[0])
    assert max(int(re.findall(r'aria-colindex="(\d+)"', cell)[0]) + 1 for cell in cells) == widest


def test_what_is_mine_and_what_has_changed_is_marked(guest: Guest) -> None:
    """After a turn of the other one the list says what happened, and where."""
    client = guest()
    path, _ = make(client)
    listing(client)
    assert 'Nothing has happened since your last turn.' in view(client, path)['fragments']['places']
    for _ in range(2):
        for _ in range(2):  # a tile, and a runner
            client.post(f'{path}/act', json={'steps': client.get(path).json()['legal'][0]})
    found = view(client, path)['fragments']['places']
    assert 'Since your last turn: ' in found
    assert 'lays a tile' in found
    assert len(re.findall(r'class="changed"', found)) >= 2
    assert len(re.findall(r'class="cell own"', found)) == 5


def test_behind_the_curtain_there_is_no_list(app: FastAPI, guest: Guest) -> None:
    client = guest()
    path, told = make(client, game='toy')
    listing(client)
    cards = [{f'el:{id_}' for id_ in private(app, told['id'], seat)} for seat in range(2)]
    with screen(client, path) as page:
        assert page.read()['fragments']['places'] == NOTHING
        page.say(here=0)
        own = set(re.findall(r'data-place="([^"]+)"', page.read()['fragments']['places']))
        assert own & cards[0] == cards[0]
        client.post(f'{path}/act', json={'steps': 'bid-1', 'seat': 0})
        assert page.read()['fragments']['places'] == NOTHING
