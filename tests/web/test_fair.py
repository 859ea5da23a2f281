"""Games between people are played without hints, unless everyone could see beforehand that hints are on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoteca.text import words

Guest = Callable[..., TestClient]
HTML = {'Accept': 'text/html'}


def between(guest: Guest, **more: Any) -> tuple[TestClient, TestClient, str]:
    """Two people at a table, and its address."""
    host, other = guest(), guest()
    made = host.post('/api/tables', json={'game': 'octiles', 'mode': 'open', **more}).json()
    assert other.post(f'/api/tables/{made["id"]}/join', json={}).status_code == 200
    return host, other, f'/tables/{made["id"]}'


@pytest.mark.parametrize('allowed', [False, True])
def test_hints_between_people_are_given_only_where_the_table_allows_them(guest: Guest, allowed: bool) -> None:
    host, other, path = between(guest, hints=allowed)
    mover = next(one for one in (host, other) if one.get(f'/api{path}').json()['legal'])
    answer = mover.post(f'/api{path}/hint', json={})
    assert answer.status_code == (200 if allowed else 403)
    if not allowed:
        assert answer.json()['detail'] == words('web.hint.error.closed')
    page = mover.get(path, headers=HTML).text
    assert ('data-act="hint"' in page) == allowed
    assert words(f'web.table.hints.{"on" if allowed else "off"}') in page
    assert host.get(f'/api{path}').json()['hints'] == allowed


def test_the_choice_is_visible_before_one_sits_down(guest: Guest) -> None:
    host, stranger = guest(), guest()
    for allowed, key in ((False, 'web.table.hints.off'), (True, 'web.table.hints.on')):
        made = host.post('/api/tables', json={'game': 'octiles', 'mode': 'open', 'hints': allowed}).json()
        assert words(key) in stranger.get(f'/tables/{made["id"]}', headers=HTML).text
        linked = host.post('/api/tables', json={'game': 'octiles', 'mode': 'link', 'hints': allowed}).json()
        token = next(iter(linked['invites'].values()))['token']
        assert words(key) in stranger.get(f'/join/{token}', headers=HTML).text


def test_alone_against_bots_and_at_one_screen_hints_stay_open(guest: Guest) -> None:
    for mode in ('bot', 'here'):
        client = guest()
        made = client.post('/api/tables', json={'game': 'octiles', 'mode': mode, 'level': 'beginner'}).json()
        assert client.get(f'/api{made["url"]}').json()['hints']
        assert words('web.table.hints.off') not in client.get(made['url'], headers=HTML).text


def test_a_rematch_keeps_the_terms(guest: Guest) -> None:
    host, _, path = between(guest, hints=True)
    host.post(f'/api{path}/resign', json={})
    made = host.post(f'/api{path}/rematch', json={}).json()
    assert host.get(f'/api{made["url"]}').json()['hints']


def test_a_bot_that_stands_in_for_the_last_other_person_opens_no_hints(guest: Guest) -> None:
    host, other = guest(), guest()
    seats = [{'who': 'me'}, {'who': 'open'}, {'who': 'bot', 'level': 'beginner'}]
    path = host.post('/api/tables', json={'game': 'octiles', 'mode': 'open', 'seats': seats}).json()['url']
    assert other.post(f'/api{path}/join', json={}).status_code == 200
    leaver = other.get(f'/api{path}').json()['your_seats'][0]
    assert host.post(f'/api{path}/replace', json={'seat': leaver}).json()['done']
    view = host.get(f'/api{path}').json()
    assert view['seats'][leaver]['kind'] == 'bot'
    assert not view['hints']
