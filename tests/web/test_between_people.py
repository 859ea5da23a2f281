"""Games between people: one link seats all, and hints are off unless everyone could see that they are on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient, WebSocketTestSession

from ludoteca.store import Store, StoreError
from ludoteca.text import words
from tests.web.client import Client
from tests.web.conftest import ORIGIN, fresh

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
        token = linked['invite']['token']
        assert words(key) in stranger.get(f'/join/{token}', headers=HTML).text


def test_alone_against_bots_and_at_one_screen_hints_stay_open(guest: Guest) -> None:
    for mode in ('bot', 'here'):
        client = guest()
        made = client.post('/api/tables', json={'game': 'octiles', 'mode': mode, 'level': 'beginner'}).json()
        assert client.get(f'/api{made["url"]}').json()['hints']
        assert words('web.table.hints.off') not in client.get(made['url'], headers=HTML).text


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


def test_a_bot_replaces_nobody_who_is_here(guest: Guest) -> None:
    host, other = guest(), guest()
    seats = [{'who': 'me'}, {'who': 'open'}, {'who': 'bot', 'level': 'beginner'}]
    path = host.post('/api/tables', json={'game': 'octiles', 'mode': 'open', 'seats': seats}).json()['url']
    other.post(f'/api{path}/join', json={})
    seat = other.get(f'/api{path}').json()['your_seats'][0]
    with other.websocket_connect(f'{path}/live') as page:
        page.send_text(HELLO)
        page.receive_text()
        answer = host.post(f'/api{path}/replace', json={'seat': seat})
        name = host.get(f'/api{path}').json()['seats'][seat]['name']
        assert (answer.status_code, answer.json()['detail']) == (400, words('web.error.present', name=name))
    assert other.get(f'/api{path}').json()['seats'][seat]['kind'] == 'person'


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
    assert words('store.error.full') in late.text


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
    """The headings that a page gets."""
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


# ---- rematches ---------------------------------------------------------------------------------------------


def over(guest: Guest, **more: Any) -> tuple[TestClient, TestClient, str]:
    """Two people at a table at which the first has won."""
    host, other, path = between(guest, **more)
    other.post(f'/api{path}/resign', json={})
    return host, other, path


def rematch(client: TestClient, path: str, best_of: int = 1) -> str:
    """The address of the rematch that somebody asks for; '' until all have agreed."""
    answer = client.post(f'/api{path}/rematch', json={'best_of': best_of})
    assert answer.status_code == 200, answer.text
    url: str = answer.json()['url']
    return url


def fragments(client: TestClient, path: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f'{path}/view').json()
    return found


def lobby_row(client: TestClient, path: str) -> str:
    return (
        client.get('/lists').text.partition(f'id="row-{path.removeprefix("/tables/")}"')[2].split('</li>')[0]
    )


def test_a_rematch_begins_when_the_other_accepts_and_takes_both_there(guest: Guest) -> None:
    host, other, path = over(guest, hints=True)
    watcher = guest()
    with other.websocket_connect(f'{path}/live') as page:
        page.send_text(HELLO)
        page.receive_text()
        assert not rematch(host, path)
        assert 'data-act="yes"' in json.loads(page.receive_text())['fragments']['status'], 'nobody reloads'
        asking = host.get(f'/api{path}').json()
        assert asking['request']['kind'] == 'rematch'
        assert asking['next'] is None
        for client, yes, no in ((other, 1, 1), (host, 0, 1), (watcher, 0, 0)):
            shown = ''.join(fragments(client, path)['fragments'].values())
            assert [shown.count(f'data-act="{act}"') for act in ('yes', 'no', 'rematch')] == [yes, no, 0]
        assert words('web.lobby.answer') in lobby_row(other, path)
        assert words('web.lobby.answer') not in lobby_row(host, path)
        assert [table['waits_for_you'] for table in other.get('/api/tables').json()['mine']] == [True]
        assert other.get(f'/api{path}').json()['waits_for_you']
        assert other.post(f'/api{path}/answer', json={'yes': True}).status_code == 200
        told = (json.loads(page.receive_text()) for _ in range(4))
        url = next(message['rematch'] for message in told if 'rematch' in message)
    assert fragments(host, path)['rematch'] == url == f'/tables/{host.get(f"/api{path}").json()["next"]}'
    assert 'rematch' not in fragments(watcher, path)
    assert watcher.get(f'/api{path}').json()['next'] is None
    for client in (host, other):
        view = client.get(f'/api{url}').json()
        assert view['status'] == 'running'
        assert len(view['your_seats']) == 1
        assert view['hints']


def test_who_declines_says_so_to_the_asker_and_it_can_be_asked_again(guest: Guest) -> None:
    host, other, path = over(guest)
    rematch(host, path, 3)
    other.post(f'/api{path}/answer', json={'yes': False})
    name = next(seat['name'] for seat in host.get(f'/api{path}').json()['seats'] if not seat['yours'])
    declined = words('web.table.notice.refuse.rematch', player=name)
    found = fragments(host, path)
    assert declined in found['fragments']['result'], 'also for who comes back later'
    assert found['notices']['last'][-1] == declined
    rematch(other, path)
    other.post(f'/api{path}/answer', json={'yes': False})
    assert other.get(f'/api{path}').json()['request'] is None
    answer = other.post(f'/api{path}/answer', json={'yes': True})
    assert answer.json()['detail'] == words('match.error.no_request')
    rematch(other, path)
    answer = host.post(f'/api{path}/rematch', json={'best_of': 3})
    assert answer.json()['detail'] == words('match.error.request'), 'the offer was another one'
    assert rematch(host, path), 'who asks for the same accepts'


def test_a_rematch_needs_no_script(guest: Guest) -> None:
    host, other, path = over(guest)

    def send(client: TestClient, what: str, **fields: str) -> str:
        page = client.get(path, headers=HTML).text
        assert f'action="{path}/{what}"' in page
        assert all(f'name="{key}"' in page and f'value="{fields[key]}"' in page for key in fields)
        answer = client.post(f'{path}/{what}', data=fields, headers=HTML, follow_redirects=False)
        assert answer.status_code == 303
        return str(answer.headers['location'])

    assert send(host, 'rematch', best_of='3') == path
    assert send(host, 'answer', yes='no') == path
    assert send(other, 'rematch', best_of='1') == path
    url = send(host, 'answer', yes='yes')
    assert {one.get(f'/api{url}').json()['status'] for one in (host, other)} == {'running'}


@contextmanager
def serving(app: FastAPI) -> Iterator[Guest]:
    """A server that runs for a while, and makes guests."""
    with TestClient(app) as server:

        def make() -> TestClient:
            client = Client(app, headers=ORIGIN)
            client.portal = server.portal
            return client

        yield make


def test_an_offer_outlives_the_server_and_nothing_else_can_be_done_to_it(tmp_path: Path) -> None:
    with serving(fresh(tmp_path)) as guest:
        host, other, path = over(guest)
        rematch(host, path)
        cookies = [dict(one.cookies) for one in (host, other)]
    with serving(fresh(tmp_path)) as guest:
        host, other = guest(), guest()
        for client, kept in zip((host, other), cookies, strict=True):
            for name, value in kept.items():
                client.cookies.set(name, value)
        assert guest().post(f'/api{path}/rematch', json={}).status_code == 403
        assert guest().post(f'/api{path}/answer', json={'yes': True}).status_code == 403
        assert words('web.lobby.answer') in lobby_row(other, path)
        assert other.post(f'/api{path}/answer', json={'yes': True}).json()['next']


def test_a_rematch_that_all_want_begins_with_the_next_press_if_it_could_not_be_stored(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, other, path = over(guest)
    rematch(host, path, 3)
    with monkeypatch.context() as broken:
        broken.setattr(Store, 'rematch', refuse)
        assert other.post(f'/api{path}/answer', json={'yes': True}).status_code == 503
    for client in (host, other):
        assert 'data-act="rematch"' in fragments(client, path)['fragments']['result']
    url = rematch(host, path)
    assert other.get(f'/api{url}').json()['series'] == 1, 'what all have agreed to'


def refuse(*_: object) -> None:
    raise StoreError(words('store.error.not_stored'))


def test_nobody_is_asked_against_bots_and_at_one_screen(guest: Guest) -> None:
    for mode in ('bot', 'here'):
        client = guest()
        body = {'game': 'octiles', 'mode': mode, 'level': 'beginner'}
        path = client.post('/api/tables', json=body).json()['url']
        client.post(f'/api{path}/resign', json={})
        assert client.get(f'/api{rematch(client, path)}').json()['status'] == 'running'


def test_a_best_of_three_goes_on_without_asking_until_somebody_has_two_wins(guest: Guest) -> None:
    host, other, path = over(guest)
    rematch(host, path, 3)
    path = rematch(other, path, 3)
    names = {seat['name']: 0.0 for seat in host.get(f'/api{path}').json()['seats']}
    first, second = host, other
    for game, loser in enumerate((first, second, first), 1):
        heading = fragments(host, path)['fragments']['heading']
        assert words('web.table.best_of.score', score='').strip() in heading
        assert all(f'{name}\u00a0{won:g}' in heading for name, won in names.items()), heading
        loser.post(f'/api{path}/resign', json={})
        view = host.get(f'/api{path}').json()
        assert view['series'] == game
        winner = next(
            view['seats'][seat]['name'] for seat, won in enumerate(view['result']['outcome']) if won
        )
        names[winner] += 1
        result = fragments(loser, path)['fragments']['result']
        assert ('data-about="act-next_game"' in result) == (game < 3)
        if game < 3:
            path = rematch(loser, path)
            assert path, 'one press is enough'
    assert words('web.table.best_of.won', name=winner, score='').partition('.')[0] in result
    assert not rematch(host, path), 'now they are asked again'


def test_outside_of_a_best_of_three_rematches_count_too(guest: Guest) -> None:
    host, other, path = over(guest)
    rematch(host, path)
    path = rematch(other, path)
    view, heading = host.get(f'/api{path}').json(), fragments(host, path)['fragments']['heading']
    won = {seat['name']: int(seat['yours']) for seat in view['seats']}
    assert all(f'{name}\u00a0{games}' in heading for name, games in won.items())
    assert view['series'] == 0
