"""The coach says one thing to notice before a turn: in a person's first games of a title, or as chosen, and
only where hints are open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoteca.lessons import lessons
from ludoteca.web.live.table import FIRST_GAMES

Guest = Callable[..., TestClient]
COACH = 'data-act="coach"'


def table(client: TestClient, **more: Any) -> str:
    """The address of a table at which the visitor plays. At its first turn all areas are empty."""
    made = client.post('/api/tables', json={'game': 'mykerinos', 'mode': 'here', **more}).json()
    return str(made['url'])


def speaks(client: TestClient, url: str) -> bool:
    return COACH in client.get(url, headers={'Accept': 'text/html'}).text


def play(client: TestClient, url: str) -> None:
    view = client.get(f'/api{url}').json()
    answer = client.post(f'/api{url}/act', json={'steps': f'{view["legal"][0]} nothing'})
    assert answer.json()['committed']


def wants(client: TestClient, coach: str) -> None:
    assert client.patch('/api/me', json={'settings': {'coach': coach}}).json()['settings']['coach'] == coach


def test_the_coach_speaks_in_the_first_games_of_a_title_or_as_chosen(guest: Guest) -> None:
    client = guest()
    first = [table(client) for _ in range(FIRST_GAMES + 1)]
    assert all(speaks(client, url) for url in first)  # in none of them has a turn been played
    for url in first[:FIRST_GAMES]:
        play(client, url)
        assert speaks(client, url)
    later = table(client)
    assert not speaks(client, later)
    wants(client, 'always')
    assert speaks(client, later)
    wants(client, 'never')
    assert not any(speaks(client, url) for url in first)


@pytest.mark.parametrize('hints', [True, False])
def test_between_people_it_speaks_only_where_hints_are_open(guest: Guest, hints: bool) -> None:
    client, friend = guest(), guest()
    wants(client, 'always')
    wants(friend, 'always')
    url = table(client, mode='open', hints=hints)
    assert friend.post(f'/api{url}/join', json={}).json()['ready']
    mover = client if client.get(f'/api{url}').json()['may_act'] else friend
    watcher = guest()
    assert [speaks(one, url) for one in (mover, friend if mover is client else client, watcher)] == [
        hints,
        False,
        False,
    ]


def test_the_coach_is_silent_in_the_middle_of_a_turn_and_in_lessons(guest: Guest) -> None:
    client = guest()
    url = table(client)
    legal = client.get(f'/api{url}').json()['legal'][0]
    assert client.post(f'/api{url}/act', json={'steps': legal}).status_code == 200
    assert not speaks(client, url)
    wants(client, 'always')
    lesson = client.post(
        '/api/lessons', json={'game': 'mykerinos', 'lesson': lessons('mykerinos')[0].id}
    ).json()
    assert client.get(f'/tables/{lesson["id"]}').status_code == 200
    assert not speaks(client, f'/tables/{lesson["id"]}')
