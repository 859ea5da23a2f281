"""Games between people: one link seats all, and hints are off unless everyone could see that they are on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

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


def group_link(page: str) -> str:
    """The path of the link that the host's page shows."""
    found = re.search(r'value="[^"]*(/join/[^"]+)"', page)
    assert found is not None
    return found[1]


@pytest.mark.parametrize('mode', ['link', 'open'])
def test_one_link_seats_a_whole_group(guest: Guest, mode: str) -> None:
    host = guest()
    made = host.post('/api/tables', json={'game': 'myraclia', 'mode': mode, 'players': 4}).json()
    link = group_link(host.get(made['url'], headers=HTML).text)
    for _ in range(3):
        friend = guest()
        assert friend.get(link, headers=HTML).status_code == 200
        assert friend.post(link, headers=HTML, follow_redirects=False).headers['location'] == made['url']
        again = friend.post(link, headers=HTML, follow_redirects=False)
        assert again.headers['location'] == made['url'], 'a second time changes nothing'
    view = host.get(f'/api{made["url"]}').json()
    assert view['status'] == 'running'
    assert {seat['kind'] for seat in view['seats']} == {'person'}
    late = guest().get(link, headers=HTML)
    assert late.status_code == 404
    assert words('web.error.invite_used') in late.text


def test_the_link_of_a_group_is_shown_to_the_host_alone_and_opens_no_other_table(guest: Guest) -> None:
    host, friend = guest(), guest()
    tables = [
        host.post('/api/tables', json={'game': 'octiles', 'mode': 'link', 'players': 4}).json()
        for _ in range(2)
    ]
    first, second = (group_link(host.get(made['url'], headers=HTML).text) for made in tables)
    friend.post(first, headers=HTML)
    assert '/join/' not in friend.get(tables[0]['url'], headers=HTML).text
    forged = f'/join/{tables[1]["id"]}{first[-24:]}'
    assert guest().get(forged, headers=HTML).status_code == 404
    assert guest().get(second, headers=HTML).status_code == 200


HELLO = json.dumps({'have': {}, 'turns': 0, 'seat': -1, 'here': None})


def headings(socket: WebSocketTestSession) -> Iterator[str]:
    """The headings that a page is told."""
    for _ in range(4):
        yield json.loads(socket.receive_text())['fragments'].get('heading', '')


def test_who_watches_is_told_so_and_counted(guest: Guest) -> None:
    host, _, path = between(guest)
    two = words.counted('web.table.watching', 2)
    with host.websocket_connect(f'{path}/live') as seen:
        seen.send_text(HELLO)
        with (
            guest().websocket_connect(f'{path}/live') as one,
            guest().websocket_connect(f'{path}/live') as other,
        ):
            for watches in (one, other):
                watches.send_text(HELLO)
            assert any(words('web.table.you_watch') in heading for heading in headings(one))
            assert any(two in heading for heading in headings(seen))


def test_the_panel_of_another_person_says_whether_that_person_is_here(guest: Guest) -> None:
    host, other, path = between(guest)
    page = host.get(path, headers=HTML).text
    assert page.count('class="here"') == 1
    assert 'class="gone"' not in page
    with host.websocket_connect(f'{path}/live') as seen:
        seen.send_text(HELLO)
        seen.receive_text()
        with other.websocket_connect(f'{path}/live') as leaves:
            leaves.send_text(HELLO)
            leaves.receive_text()
        told = (json.loads(seen.receive_text())['fragments'].get('players', '') for _ in range(4))
        left = next(players for players in told if 'gone' in players)
    gone = re.search(r'class="gone" data-since="(\d+)"', left)
    assert gone is not None
    assert abs(time.time() - float(gone[1])) < 60
