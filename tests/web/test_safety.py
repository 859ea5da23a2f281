"""What the network may not do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ludoteca.web.serving.security import Limits
from tests.web.conftest import ORIGIN, NoCookies, fresh

Guest = Callable[..., TestClient]
EVIL = {'Origin': 'https://evil.example'}


def new_table(client: TestClient, **body: object) -> dict[str, object]:
    answer = client.post('/api/tables', json={'game': 'octiles', 'mode': 'here', **body})
    assert answer.status_code == 201, answer.text
    found: dict[str, object] = answer.json()
    return found


PAGES = [
    '/',
    '/lists',
    '/api',
    '/api/openapi.json',
    '/credits',
    '/games/octiles/rules',
    '/games/octiles/picture-light.svg',
    '/games/octiles/badge.svg',
    '/games/octiles/positions/start-2.svg',
    '/games/octiles/figures/nothing.svg',
    '/nowhere',
    '/tables/nowhere',
    '/tables/nowhere/review',
    '/games/nogame/rules',
    '/join/nothing',
    '/robots.txt',
    '/favicon.ico',
    '/manifest.webmanifest',
    '/worker.js',
    '/offline',
    '/static/x/app.css',
    '/static/x/../security.py',
]


@pytest.mark.parametrize('path', PAGES)
def test_every_answer_has_the_policy(guest: Guest, path: str) -> None:
    answer = guest().get(path, headers={'Accept': 'text/html'})
    assert answer.status_code < 500
    policy = answer.headers['content-security-policy']
    assert policy.startswith("default-src 'none'")
    assert 'unsafe' not in policy
    assert answer.headers['x-content-type-options'] == 'nosniff'
    assert answer.headers['x-frame-options'] == 'DENY'


def test_no_page_has_inline_script_or_style(guest: Guest) -> None:
    client = guest()
    table = new_table(client)
    for path in ('/', '/api', '/games/octiles/rules', '/credits', f'/tables/{table["id"]}', '/nowhere'):
        text = client.get(path, headers={'Accept': 'text/html'}).text
        assert not re.search(r'<style|\sstyle=|\son[a-z]+=|javascript:', text), path
        for attributes in re.findall(r'<script([^>]*)>', text):
            assert 'src="/static/' in attributes or 'type="application/json"' in attributes


def test_errors_are_one_sentence_on_a_page(guest: Guest) -> None:
    answer = guest().get('/tables/nowhere', headers={'Accept': 'text/html'})
    assert answer.status_code == 404
    assert 'There is no such table' in answer.text
    assert 'Traceback' not in answer.text
    assert guest().get('/api/tables/nowhere').json()['detail'].endswith('.')


def test_a_browser_that_keeps_no_cookie_is_told_why_its_table_is_not_there(guest: Guest) -> None:
    client = guest()
    begun = client.post('/lessons', data={'game': 'octiles', 'lesson': 'run'}, follow_redirects=False)
    table = begun.headers['location']
    assert client.get(table).status_code == 200
    for cookies, told in ((False, True), (True, False)):
        stranger = guest()
        if cookies:
            stranger.get('/')
        answer = stranger.get(table, headers={'Accept': 'text/html'})
        assert answer.status_code == 404
        assert ('cookie' in answer.text) == told


def test_a_browser_that_keeps_no_cookie_begins_nothing_that_nobody_finds_again(
    guest: Guest, app: FastAPI
) -> None:
    count, host, browser = app.state.server.store.count_tables, guest(), guest(Accept='text/html')
    browser.cookies.jar.set_policy(NoCookies())
    made = host.post('/api/tables', json={'game': 'octiles', 'mode': 'open'}).json()
    before = count()
    pressed: dict[str, dict[str, str]] = {
        '/tables': {'game': 'octiles', 'mode': 'bot'},
        '/lessons': {'game': 'octiles', 'lesson': 'run'},
        '/puzzles': {'game': 'octiles'},
        '/analysis': {'game': 'octiles'},
        f'/tables/{made["id"]}/join': {},
    }
    for path, data in pressed.items():
        answer = browser.post(path, data=data, follow_redirects=False)
        assert (answer.status_code, 'Allow cookies' in answer.text) == (403, True), path
        assert 'set-cookie' in answer.headers  # who allows them is known the next time
    assert count() == before
    assert host.get(f'/api/tables/{made["id"]}').json()['status'] == 'open'
    browser = guest()
    assert browser.post('/tables', data=pressed['/tables'], follow_redirects=False).status_code == 303


@pytest.mark.parametrize('path', ['/tables', '/api/tables', '/api/join', '/api/me'])
def test_requests_from_other_sites_are_refused(guest: Guest, path: str) -> None:
    client = guest()
    client.get('/')
    send = client.patch if path.endswith('/me') else client.post
    assert send(path, json={'game': 'octiles'}, headers=EVIL).status_code == 403
    del client.headers['Origin']  # cookies without an origin are refused too
    refused = send(path, json={'game': 'octiles'})
    assert refused.status_code == 403
    assert 'Authorization: Bearer' in refused.json()['detail']  # a program is told what it sends


def test_a_socket_from_another_site_is_refused(guest: Guest) -> None:
    client = guest()
    table = new_table(client)
    for headers in (EVIL, {'Origin': ''}):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f'/tables/{table["id"]}/live', headers=headers) as socket,
        ):
            socket.receive_text()


def test_strange_hosts_are_refused(guest: Guest) -> None:
    assert guest().get('/', headers={'Host': 'rebound.example'}).status_code == 421


def test_cookies_are_signed_httponly_and_lax(guest: Guest) -> None:
    client = guest()
    answer = client.get('/')
    cookie = answer.headers['set-cookie']
    assert 'HttpOnly' in cookie
    assert 'SameSite=Lax' in cookie
    table = new_table(client)
    other = guest()
    own = client.cookies['ludoteca']
    other.cookies.set('ludoteca', own[:-2] + ('AA' if own[-2:] != 'AA' else 'BB'))
    assert other.get(f'/api/tables/{table["id"]}').status_code == 404
    other.cookies.set('ludoteca', json.dumps({'id': 'x'}))
    assert other.get(f'/api/tables/{table["id"]}').status_code == 404


def test_private_tables_are_for_those_who_sit_there(guest: Guest) -> None:
    table = new_table(guest())
    stranger = guest()
    for path in ('', '/log', '/export', '/positions/0'):
        assert stranger.get(f'/api/tables/{table["id"]}{path}').status_code == 404
    assert stranger.post(f'/api/tables/{table["id"]}/act', json={'steps': 'a2:0'}).status_code == 404
    assert stranger.get(f'/tables/{table["id"]}', headers={'Accept': 'text/html'}).status_code == 404
    with (
        stranger.websocket_connect(f'/tables/{table["id"]}/live', headers=ORIGIN) as socket,
        pytest.raises(WebSocketDisconnect),
    ):
        socket.receive_text()


def test_nobody_plays_for_another_seat_or_out_of_turn(guest: Guest) -> None:
    host, friend = guest(), guest()
    table = new_table(host, mode='open')
    path = f'/api/tables/{table["id"]}'
    friend.post(f'{path}/join')
    views = {client: client.get(path).json() for client in (host, friend)}
    mover, other = (host, friend) if views[host]['may_act'] else (friend, host)
    step = views[mover]['legal'][0]
    assert views[other]['legal'] == []
    assert other.post(f'{path}/act', json={'steps': step}).status_code == 409
    assert other.post(f'{path}/act', json={'steps': step, 'seat': views[mover]['seat']}).status_code == 403
    assert other.get(path, params={'seat': views[mover]['seat']}).status_code == 403
    assert guest().post(f'{path}/act', json={'steps': step}).status_code == 403
    answer = mover.post(f'{path}/act', json={'steps': step, 'version': views[mover]['version'] + 7})
    assert answer.status_code == 409
    assert answer.json()['detail'].startswith('The position has changed')
    assert mover.post(f'{path}/act', json={'steps': 'z9:9'}).status_code == 400
    assert (
        mover.post(f'{path}/act', json={'steps': step, 'version': views[mover]['version']}).status_code == 200
    )
    # a draft is nobody else's business
    assert other.get(path).json()['version'] == views[other]['version']
    assert other.get(path).json()['position'] == views[other]['position']


def test_the_lobby_does_not_tell_who_has_chosen_in_secret(guest: Guest, app: FastAPI) -> None:
    people = [guest() for _ in range(3)]
    table = new_table(people[0], game='toy', mode='open', players=3)
    path = f'/api/tables/{table["id"]}'
    for one in people[1:]:
        one.post(f'{path}/join')
    seats = [one.get(path).json()['seat'] for one in people]
    people[0].post(f'{path}/act', json={'steps': 'bid-1'})
    lists, page = people[0].get('/lists').text, people[0].get(f'/tables/{table["id"]}/view').json()
    people[1].post(f'{path}/act', json={'steps': 'bid-2'})
    assert people[0].get(path).json()['turns'] == 0
    assert people[0].get('/lists').text == lists
    assert people[0].get(f'/tables/{table["id"]}/view').json() == page
    assert 'waits for you' not in people[1].get('/lists').text
    assert app.state.server._tables[table['id']].match().may_act(seats[2])


def test_an_invitation_opens_one_seat_for_each_person(guest: Guest) -> None:
    host = guest()
    table = new_table(host, mode='link', players=3)
    token = table['invite']['token']  # type: ignore[index]
    friend = guest()
    # looking takes nothing
    assert friend.get(f'/join/{token}', headers={'Accept': 'text/html'}).status_code == 200
    assert friend.get(f'/api/tables/{table["id"]}').status_code == 404
    for _ in range(2):
        joined = friend.post('/api/join', json={'invite': token}).json()
        assert len(joined['your_seats']) == 1
    assert guest().post('/api/join', json={'invite': 'x' * 36}).status_code == 404
    assert guest().post('/api/join', json={'invite': token}).json()['status'] == 'running'
    assert guest().post('/api/join', json={'invite': token}).status_code == 400


def test_what_people_write_is_escaped(guest: Guest) -> None:
    client = guest()
    bad = '<img src=x onerror=y>'
    assert client.patch('/api/me', json={'name': bad}).status_code == 200
    table = new_table(client, mode='open')
    client.post(f'/api/tables/{table["id"]}/chat', json={'text': '</script><script>alert(1)</script>'})
    for path in ('/', f'/tables/{table["id"]}', '/lists'):
        text = client.get(path, headers={'Accept': 'text/html'}).text
        assert '<img src=x' not in text
        assert '<script>alert' not in text
    assert bad in guest().get('/lists').text.replace('&lt;', '<').replace('&gt;', '>')


@pytest.mark.parametrize(
    ('path', 'kind'),
    [
        ('/api/tables', 'application/json'),
        ('/api/join', 'application/json'),
        ('/tables', 'application/x-www-form-urlencoded'),
        ('/api/tables', 'text/plain'),
    ],
)
def test_a_body_that_is_too_large_is_told_so_even_if_it_comes_in_pieces(
    guest: Guest, path: str, kind: str
) -> None:
    pieces = (b'{"game": "' + b'x' * 16_384 for _ in range(10))
    answer = guest().post(path, content=pieces, headers={'Content-Type': kind})
    assert (answer.status_code, answer.json()['detail']) == (413, 'That is too much to send at once.')


def test_what_can_be_got_can_be_asked_for_without_its_body(guest: Guest) -> None:
    client = guest()
    for path in ('/', '/api/health', '/games/octiles/rules', '/robots.txt'):
        whole, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (200, b'')
        assert whole.headers['content-type'] == head.headers['content-type']
    assert client.head('/api/tables/nothing').status_code == 404


def test_what_cannot_be_done_with_an_address_is_answered_with_what_can(guest: Guest) -> None:
    client = guest()
    for path, allowed in (('/api/me', 'GET, HEAD, PATCH'), ('/api/join', 'POST'), ('/', 'GET, HEAD')):
        answer = client.put(path, json={})
        assert (answer.status_code, answer.headers['Allow']) == (405, allowed)
    assert client.head('/api/join').headers['Allow'] == 'POST'


def test_bodies_rates_and_tables_are_limited(tmp_path: Path) -> None:
    limits = Limits(rate=0.001, burst=12, new_tables_burst=50, tables=3, people=0.001, people_burst=3)
    app = fresh(tmp_path, limits=limits)
    with TestClient(app, headers=ORIGIN) as client:
        assert (
            client.post(
                '/api/tables', content=b'x' * 100_000, headers={'Content-Type': 'application/json'}
            ).status_code
            == 413
        )
        made = [
            client.post('/api/tables', json={'game': 'octiles', 'mode': 'open'}).status_code for _ in range(4)
        ]
        assert made == [201, 201, 201, 429]
        named = [client.patch('/api/me', json={'name': 'Ann'}).status_code for _ in range(4)]
        assert named == [200, 200, 200, 429]
        assert 429 in [client.post('/api/join', json={}).status_code for _ in range(12)]


def test_a_bearer_token_plays_one_seat_only(
    guest: Guest, program: Callable[..., TestClient], app: FastAPI
) -> None:
    bot = program()
    table = bot.post('/api/tables', json={'game': 'octiles', 'mode': 'here'}).json()
    tokens = table['tokens']
    seats = {int(seat): program(token) for seat, token in tokens.items()}
    path = f'/api/tables/{table["id"]}'
    view = seats[0].get(path).json()
    assert view['your_seats'] == [0]
    assert seats[1].post(f'{path}/act', json={'steps': view['legal'][0]}).status_code == 409
    assert seats[0].post(f'{path}/act', json={'steps': view['legal'][0], 'seat': 1}).status_code == 403
    assert (
        seats[0].post(f'{path}/act', json={'steps': view['legal'][0], 'version': view['version']}).status_code
        == 200
    )
    assert program('wrong').get(path).status_code == 403
    other = program().post('/api/tables', json={'game': 'octiles', 'mode': 'here'}).json()
    assert seats[0].get(f'/api/tables/{other["id"]}').status_code == 404
    assert seats[0].delete(f'{path}/tokens').json() == {'revoked': 1}
    assert seats[0].get(path).status_code == 403
