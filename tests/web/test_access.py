"""What an asker may do: a person, a seat's token, several of one person, a spectator, somebody with a link
that lets them watch."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from sqlalchemy import select
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from ludoteca.store.models import Base, PersonRow, TokenRow
from ludoteca.web.app import ROUTERS
from tests.waiting import until
from tests.web.conftest import ORIGIN
from tests.web.test_interface import make
from tests.web.test_races import pair
from tests.web.test_secrets import private

Guest = Callable[..., TestClient]
Program = Callable[..., TestClient]

PUBLIC = {
    'GET /api/games',
    'GET /api/games/{name}/components',
    'GET /api/games/{name}/rules',
    'GET /api/games/{name}/lessons',
    'GET /api/games/{name}/puzzles',
    'GET /api/health',
    'GET /api/ready',
    'GET /games/{name}/picture-{theme}.svg',
    'GET /games/{name}/badge.svg',
    'GET /games/{name}/positions/{example}.svg',
    'GET /games/{name}/figures/{figure}.svg',
    'GET /games/{name}/components.json',
    'GET /previews/{token}.png',
    'POST /api/games/{name}/picture',
    'GET /favicon.ico',
    'GET /manifest.webmanifest',
    'GET /worker.js',
    'GET /offline',
    'GET /robots.txt',
    'GET /docs',
    'GET /docs/{path:path}',
    'GET /operator',
    'GET /operator/login',
    'POST /operator/login',
}
"""They answer the same to everybody; those of the operator, to all who have not shown the key."""
SEAT = {
    'GET /api/tables/{table}',
    'DELETE /api/tables/{table}/tokens',
    'POST /api/tables/{table}/act',
    'POST /api/tables/{table}/undo',
    'POST /api/tables/{table}/redraft',
    'POST /api/tables/{table}/shuffle',
    'POST /api/tables/{table}/arrange',
    'POST /api/tables/{table}/pencils',
    'POST /api/tables/{table}/notes',
    'POST /api/tables/{table}/resign',
    'POST /api/tables/{table}/takeback',
    'POST /api/tables/{table}/retry',
    'POST /api/tables/{table}/replace',
    'POST /api/tables/{table}/answer',
    'POST /api/tables/{table}/come-back',
    'POST /api/tables/{table}/lesson',
    'POST /api/tables/{table}/exercise',
    'POST /api/tables/{table}/hint',
    'POST /api/tables/{table}/why-not',
    'POST /api/tables/{table}/explain',
    'POST /api/tables/{table}/chat',
    'GET /api/tables/{table}/chat',
    'GET /api/tables/{table}/log',
    'GET /api/tables/{table}/positions/{turn}',
    'GET /api/tables/{table}/picture.svg',
    'GET /api/tables/{table}/picture.png',
    'POST /api/tables/{table}/films',
    'GET /api/tables/{table}/films/{film}',
    'DELETE /api/tables/{table}/films/{film}',
    'GET /api/tables/{table}/films/{film}/file',
    'GET /api/tables/{table}/export',
    'GET /api/tables/{table}/review',
    'POST /api/tables/{table}/review',
    'POST /api/tables/{table}/review/stop',
    'GET /tables/{table}/view',
    'GET /tables/{table}/at/{turn}',
    'SOCKET /tables/{table}/live',
}
"""All that the token of a seat may do, at the table of the seat only."""


def routes() -> Iterator[tuple[str, str]]:
    """Method and path of every address, `SOCKET` for a WebSocket."""
    for route in (route for router in ROUTERS for route in router.routes):
        if isinstance(route, WebSocketRoute):
            yield 'SOCKET', route.path
        else:
            assert isinstance(route, APIRoute)
            for method in sorted((route.methods or set()) - {'HEAD'}):
                yield method, route.path


def kept(app: FastAPI) -> list[str]:
    """Everything in the database, but for when somebody was seen last and for what passes with a server."""
    changing = (PersonRow.seen.key, TokenRow.used.key)
    with app.state.server.store._database.read() as session:
        return [
            f'{table.name} {row}'
            for table in Base.metadata.sorted_tables
            if not table.info.get('passing')
            for row in session.execute(
                select(*(column for column in table.columns if column.name not in changing)).order_by(
                    *table.primary_key
                )
            )
        ]


def ended(client: TestClient, path: str) -> tuple[int, str]:
    """Code and sentence with which a line ends."""
    with client.websocket_connect(path) as socket, pytest.raises(WebSocketDisconnect) as end:
        socket.receive_text()
    return end.value.code, end.value.reason or ''


def two_tokens(program: Program, **body: object) -> tuple[str, list[TestClient], list[str]]:
    """A table of one person with a token for each seat: its path, a program for each seat, and the tokens."""
    table = program().post('/api/tables', json={'game': 'toy', 'mode': 'here', **body}).json()
    tokens = [table['tokens'][seat] for seat in sorted(table['tokens'])]
    return f'/api/tables/{table["id"]}', [program(token) for token in tokens], tokens


def person_and_token(guest: Guest, program: Program, **body: object) -> tuple[str, TestClient, TestClient]:
    """A table of one person: its path, the person, and a program with the token of seat 1."""
    person = guest()
    path, _ = make(person, game='toy', **body)
    seat = person.get(path).json()['your_seats'][-1]
    return path, person, program(person.post(f'{path}/tokens', json={'seat': seat}).json()['token'])


def only(app: FastAPI, path: str, seat: int) -> set[str]:
    """What is drawn for one seat of a table of two, and not for the other."""
    table = path.rpartition('/')[2]
    app.state.server._tables[table].match()
    return private(app, table, seat) - private(app, table, 1 - seat)


# ---- a seat's token ----------------------------------------------------------------------------------------


def test_a_seats_token_opens_what_is_listed_here_and_nothing_else(
    app: FastAPI, guest: Guest, program: Program
) -> None:
    """Every address of the application, with its own table and with another one of the same person."""
    path, person, bot = person_and_token(guest, program)
    own = path.rpartition('/')[2]
    other = make(person, game='toy', mode='open')[1]['id']
    app.state.server._tables[own].match()
    assert {f'{method} {path}' for method, path in routes()} >= PUBLIC | SEAT
    invite = make(guest(), mode='link')[1]['invite']['token']
    watch = app.state.server.store.watch(other)
    known = kept(app)
    for method, template in routes():
        name = f'{method} {template}'
        for table in (own, other):
            there = template.replace('{table}', table).replace(
                '{token}', watch if 'watch' in template else invite
            )
            there = there.replace('{name}', 'toy').replace('{turn}', '0').replace('{theme}', 'light')
            there = re.sub(r'\{\w+\}', 'x', there)
            if name in PUBLIC or (name in SEAT and table == own):
                continue
            wanted = 404 if name in SEAT else 403
            if method == 'SOCKET':
                assert ended(bot, there)[0] == 4000 + wanted, name
                continue
            for headers in ({}, {'Accept': 'application/json'}):
                answer = bot.request(method, there, headers=headers, json={} if method != 'GET' else None)
                assert answer.status_code == wanted, f'{name}: {answer.text}'
                assert list(answer.json()) == ['detail']
                assert answer.json()['detail'].endswith('.')
                assert answer.headers.get_list('set-cookie') == []
    assert kept(app) == known, 'a refusal changes nothing'
    assert bot.get(path).json()['your_seats'] == [1]


def test_a_seats_token_is_not_its_person(guest: Guest, program: Program, app: FastAPI) -> None:
    path, person, bot = person_and_token(guest, program)
    person.patch('/api/me', json={'name': 'Ann', 'settings': {'theme': 'dark'}})
    other, _ = make(person, game='toy')
    person.post(f'{other}/chat', json={'text': 'between us'})
    for method, where, body in (
        ('GET', '/api/tables', None),
        ('GET', '/', None),
        ('GET', '/lists', None),
        ('PATCH', '/api/me', {'name': 'Mallory'}),
        ('POST', '/api/tables', {'game': 'toy'}),
        ('POST', f'{path}/rematch', None),
        ('POST', f'{path}/tokens', {}),
        ('POST', f'{path}/forget-favourite', {'favourite': 'x'}),
    ):
        answer = bot.request(method, where, json=body)
        assert (answer.status_code, answer.json()['detail'][:12]) == (403, "A seat's tok"), where
    assert bot.post('/tables', data={'game': 'toy', 'mode': 'here'}).status_code == 403
    for what in ('', '/chat', '/log', '/export'):
        assert bot.get(f'{other}{what}').status_code == 404
    view = bot.get(path).json()
    assert 'invite' not in view
    assert view['link'] == ''
    assert bot.get(path, params={'seat': 0}).status_code == 403
    # it speaks as its seat, and the person's settings are not its own
    bot.post(f'{path}/chat', json={'text': 'I am a robot'})
    line = person.get(f'{path}/chat').json()[-1]
    assert (line['seat'], line['name']) == (1, app.state.server._tables[view['id']].match().seats[1].name)
    assert person.get('/api/me').json()['name'] == 'Ann'


def test_what_a_token_may_do_is_said_of_its_own_seat(program: Program) -> None:
    path, seats, _ = two_tokens(program)
    for seat, bot in enumerate(seats):
        view = bot.get(path).json()
        assert (view['your_seats'], view['waits_for_you'], view['seat']) == ([seat], True, seat)
    seats[0].post(f'{path}/act', json={'steps': 'bid-1'})
    assert [bot.get(path).json()['waits_for_you'] for bot in seats] == [False, True]


@contextmanager
def open_socket(client: TestClient, path: str, **hello: Any) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(f'{path.removeprefix("/api")}/live') as socket:
        socket.send_text(json.dumps({'have': {}, 'turns': 0, 'seat': -1, 'here': None, **hello}))
        yield socket


def test_a_tokens_line_shows_its_own_seat_whatever_its_person_sets_and_it_says(
    app: FastAPI, guest: Guest, program: Program
) -> None:
    path, person, bot = person_and_token(guest, program)
    while not (secret := only(app, path, 0)):
        path, person, bot = person_and_token(guest, program)
    first = program(person.post(f'{path}/tokens', json={'seat': 0}).json()['token'])

    def foreign(text: str) -> bool:
        return any(f'"{card}' in text.replace('\\', '') for card in secret)

    with open_socket(bot, path, seat=0, here=0) as socket:
        told = socket.receive_text()
        assert (json.loads(told)['seat'], foreign(told)) == (1, False)
        person.patch('/api/me', json={'settings': {'theme': 'dark', 'coordinates': False}})
        first.post(f'{path}/chat', json={'text': 'one'})
        for here in (0, None, 1, 0):
            socket.send_text(json.dumps({'here': here}))
        first.post(f'{path}/chat', json={'text': 'two'})
        while 'two' not in told:
            told = socket.receive_text()
            assert (json.loads(told)['seat'], json.loads(told)['curtain'], foreign(told)) == (1, False, False)
    page = next(iter(app.state.server._tables[path.rpartition('/')[2]].pages), None)
    assert page is None or page.visitor.person is None


def test_settings_change_the_pages_of_their_person_only(app: FastAPI, guest: Guest, program: Program) -> None:
    path, person, bot = person_and_token(guest, program)
    with (
        person.websocket_connect(f'{path.removeprefix("/api")}/live', headers=ORIGIN) as own,
        open_socket(bot, path),
    ):
        own.send_text(json.dumps({'have': {}, 'turns': 0, 'here': 0, 'seat': 0}))
        assert json.loads(own.receive_text())['seat'] == 0
        pages = app.state.server._tables[path.rpartition('/')[2]].pages
        until(lambda: len(pages) == 2)
        visitors = [page.visitor for page in pages]
        person.patch('/api/me', json={'settings': {'theme': 'dark'}})
        assert [page.visitor for page in pages] == visitors, 'a page keeps its visitor'
        assert sorted(visitor.preferences.theme for visitor in visitors) == ['dark', 'system']


def test_revoking_ends_the_open_sockets_of_a_token_at_once(guest: Guest, program: Program) -> None:
    path, person, bot = person_and_token(guest, program)
    with open_socket(bot, path) as socket:
        assert json.loads(socket.receive_text())['seat'] == 1
        assert person.delete(f'{path}/tokens', params={'seat': 1}).json()['revoked']
        with pytest.raises(WebSocketDisconnect) as end:
            socket.receive_text()
    assert (end.value.code, end.value.reason[-8:]) == (4403, 'revoked.')
    assert bot.get(path).status_code == 403


def test_a_token_that_another_process_revokes_is_told_nothing_more(
    app: FastAPI, guest: Guest, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, person, bot = person_and_token(guest, program)
    with open_socket(bot, path) as socket:
        socket.receive_text()
        app.state.server.store.revoke(path.rpartition('/')[2], 1)
        person.post(f'{path}/chat', json={'text': 'is anybody listening?'})
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()
    # and if nothing happens there, it ends after a while
    monkeypatch.setattr('ludoteca.web.live.socket.CHECKED', 0.05)
    token = person.post(f'{path}/tokens', json={'seat': 1}).json()['token']
    with open_socket(program(token), path) as socket:
        socket.receive_text()
        app.state.server.store.revoke(path.rpartition('/')[2], 1, token)
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()


def test_a_token_that_opens_nothing_sees_no_open_table_either(guest: Guest, program: Program) -> None:
    path, _ = make(guest(), game='toy', mode='open')
    assert guest().get(path).status_code == 200
    for token in ('wrong', ''):
        bot = program()
        bot.headers['Authorization'] = f'Bearer {token}'.strip()
        assert bot.get(path).status_code == 403
        assert ended(bot, f'{path.removeprefix("/api")}/live')[0] == 4403


def test_a_token_goes_with_its_seat_when_it_is_drawn_who_sits_where(
    app: FastAPI, guest: Guest, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr('ludoteca.store.tables.draw_seats', lambda n: tuple(range(n))[::-1])
    made = program().post('/api/tables', json={'game': 'toy', 'mode': 'open'}).json()
    path, host, friend = f'/api/tables/{made["id"]}', program(made['tokens']['0']), guest()
    with open_socket(host, path) as socket:
        assert json.loads(socket.receive_text())['ready'] is False
        assert friend.post(f'{path}/join').json()['your_seats'] == [0]
        secret = only(app, path, 0)
        while not (told := json.loads(socket.receive_text()))['ready']:
            pass
        assert told['seat'] == 1
        assert not any(f'"{card}' in json.dumps(told).replace('\\', '') for card in secret)
    assert host.get(path).json()['your_seats'] == [1]
    assert host.get(path, params={'seat': 0}).status_code == 403


def test_who_stands_up_takes_the_tokens_along(guest: Guest, program: Program) -> None:
    host, friend = guest(), guest()
    path, _ = make(host, game='toy', mode='open', players=3)
    friend.post(f'{path}/join')
    bot = program(friend.post(f'{path}/tokens', json={}).json()['token'])
    own = program(host.post(f'{path}/tokens', json={}).json()['token'])
    with open_socket(bot, path) as socket:
        socket.receive_text()
        friend.post(f'{path}/leave')
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()
    guest().post(f'{path}/join')
    assert bot.get(path).status_code == 403, 'the seat is somebody else’s'
    assert own.get(path).status_code == 200
    host.post(f'{path}/leave')
    assert own.get(path).status_code == 403, 'the table is closed'


def test_who_stands_up_from_a_private_table_is_told_nothing_more(guest: Guest) -> None:
    host, friend = guest(), guest()
    path, view = make(host, game='toy', mode='link', players=3)
    friend.post('/api/join', json={'invite': view['invite']['token']})
    with friend.websocket_connect(f'{path.removeprefix("/api")}/live', headers=ORIGIN) as socket:
        socket.send_text('{}')
        socket.receive_text()
        friend.post(f'{path}/leave')
        with pytest.raises(WebSocketDisconnect) as end:
            socket.receive_text()
    assert end.value.code == 4404


# ---- a link that lets others watch -------------------------------------------------------------------------


def link_of(client: TestClient, path: str) -> str:
    return str(client.get(path).json()['link']).removeprefix('http://127.0.0.1:8000')


def test_a_shared_link_lets_whoever_opens_it_watch_as_a_spectator(
    app: FastAPI, guest: Guest, program: Program
) -> None:
    path, one, two = pair(guest, game='toy')
    table, watcher, stranger = path.rpartition('/')[2], guest(), guest()
    one.post(f'{path}/chat', json={'text': 'between us'})
    link = link_of(one, path)
    assert (link, link[:7]) == (link_of(two, path), '/watch/')
    assert f'data-link="http://127.0.0.1:8000{link}"' in one.get(path.removeprefix('/api')).text
    page = watcher.get(link, headers={'Accept': 'text/html'})
    assert page.status_code == 200
    hidden = private(app, table, 0) | private(app, table, 1)
    live = app.state.server._tables[table]
    with watcher.websocket_connect(f'/tables/{table}/live', headers=ORIGIN) as socket:
        socket.send_text(json.dumps({'have': {}, 'turns': 0, 'seat': 0, 'here': 0}))
        told = socket.receive_text()
    answers = [page.text, told] + [
        watcher.get(where).text
        for where in (path, f'{path}/log', f'{path}/export', f'{path}/picture.svg', f'{path}/chat', f'{path}/positions/0',  # noqa: E501
                      f'/tables/{table}/view?here=0', f'/tables/{table}/at/0', f'/tables/{table}', f'/api{link}')  # noqa: E501
    ]  # fmt: skip
    for text in answers:
        assert not any(f'"{card}"' in text.replace('\\', '') for card in hidden)
        assert 'between us' not in text, 'those who sit there talk among themselves'
        assert link not in text, 'only those who sit there give it away'
    view = watcher.get(path).json()
    spectator = json.loads(json.dumps(live.match().game.to_json(live.match().view(-1).state)))
    assert (view['your_seats'], view['seat'], view['position']) == ([], -1, spectator)
    assert (json.loads(told)['seat'], json.loads(told)['mine']) == (-1, False)
    assert watcher.get(path, params={'seat': 0}).status_code == 403
    for what, body in (
        ('act', {'steps': 'bid-1'}),
        ('chat', {'text': 'hello'}),
        ('resign', {}),
        ('tokens', {}),
        ('join', {}),
    ):
        assert watcher.post(f'{path}/{what}', json=body).status_code in (400, 403), what
    # nobody else, no other table, and no seat's token
    assert stranger.get(path).status_code == 404
    assert watcher.get(make(one, game='toy')[0]).status_code == 404
    other = program(one.post(f'{path}/tokens', json={}).json()['token'])
    assert other.get(link).status_code == 403
    # for whoever sits there it leads to the table
    assert one.get(link, follow_redirects=False).headers['location'] == f'/tables/{table}'
    # they watch on when they have become somebody
    watcher.patch('/api/me', json={'name': 'Wendy'})
    assert watcher.get(path).status_code == 200


def test_a_link_that_was_made_up_opens_nothing(guest: Guest) -> None:
    path, _ = make(guest(), game='toy')
    table = path.rpartition('/')[2]
    mine = make(one := guest(), game='toy')[0]
    link = link_of(one, mine)
    for token in (
        table,
        table + link[-24:],
        link[7:-1] + ('A' if link[-1] != 'A' else 'B'),
        'x',
        'x' * 24,
        '%C2%B2' * 36,
    ):
        answer = guest().get(f'/watch/{token}', headers={'Accept': 'text/html'})
        assert answer.status_code == 404, token
        assert guest().get(f'/api/watch/{token}').status_code == 404


def test_what_share_gives_away_works_for_others(guest: Guest) -> None:
    # an open private table: the host's links are on the page; another one who sits there may let people watch
    host, friend = guest(), guest()
    path, view = make(host, mode='link', players=3)
    page = host.get(path.removeprefix('/api'), headers={'Accept': 'text/html'}).text
    assert '/join/' in page
    friend.post('/api/join', json={'invite': view['invite']['token']})
    assert 'Waiting for players' in guest().get(link_of(friend, path), headers={'Accept': 'text/html'}).text
    # a listed table has an address for all
    path, _ = make(host, mode='open')
    assert guest().get(link_of(guest(), path), headers={'Accept': 'text/html'}).status_code == 200
    # a table against bots, or at one screen
    path, _ = make(host, game='toy', mode='here')
    assert guest().get(link_of(host, path), headers={'Accept': 'text/html'}).status_code == 200
    # who watches is not led to the rematch, which is private
    path, one, two = pair(guest)
    watcher = guest()
    watcher.get(link_of(one, path))
    one.post(f'{path}/resign', json={})
    one.post(f'{path}/rematch')
    url = two.post(f'{path}/rematch').json()['url']
    assert url in one.get(path.removeprefix('/api'), headers={'Accept': 'text/html'}).text
    assert url not in watcher.get(path.removeprefix('/api'), headers={'Accept': 'text/html'}).text
