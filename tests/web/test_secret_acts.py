"""What only one seat may know moves nothing that others get: not a byte, not an order, not a number, not a
message."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient

from ludoteca.game import games, load
from tests.waiting import until
from tests.web.conftest import ORIGIN
from tests.web.test_interface import make
from tests.width import width

Guest = Callable[..., TestClient]
Program = Callable[..., TestClient]
Act = Callable[[TestClient, str], Any]

ARRANGED = [name for name in games() if load(name).arranged]


def step(client: TestClient, path: str, which: int = 0) -> Any:
    view = client.get(path).json()
    return client.post(f'{path}/act', json={'steps': view['legal'][which], 'version': view['version']})


def undo(client: TestClient, path: str) -> Any:
    return client.post(f'{path}/undo', json={})


def other_step(client: TestClient, path: str) -> Any:
    """The first step of the draft gives way to another one."""
    undo(client, path)
    return step(client, path, -1)


def shuffle(client: TestClient, path: str) -> Any:
    return client.post(f'{path}/shuffle', json={})


def arrange(client: TestClient, path: str) -> Any:
    view = client.get(path).json()
    steps = ' '.join([*view['draft'], view['legal'][0]])
    return client.post(f'{path}/arrange', json={'steps': steps})


def seal(client: TestClient, path: str) -> Any:
    return step(client, path)


def favourite(client: TestClient, path: str) -> Any:
    return client.post(f'{path}/favourites', json={'name': 'wall'})


def pencil(client: TestClient, path: str) -> Any:
    """On the first thing on which something can be pencilled; else it is refused, which is seen by nobody
    either."""
    found = None
    for element in re.findall(r' id="([^"]+)"', client.get(f'{path}/picture.svg').text)[:40]:
        labels = client.post(f'{path}/pencils', json={'element': element}).json().get('labels')
        if labels:
            return client.post(f'{path}/notes', json={'element': element, 'labels': labels[:1]})
        found = client.post(f'{path}/notes', json={'element': element, 'labels': ['x']})
    return found


def hint(client: TestClient, path: str) -> Any:
    return client.post(f'{path}/hint', json={})


SECRET: dict[str, list[Act]] = {
    'octiles': [step, undo, other_step, hint],
    # their first turns have one step
    'myriath': [hint],
    'mykerinos': [hint],
    'myraclia': [hint],
    'toy': [hint, pencil, seal],
    **{name: [step, undo, shuffle, arrange, favourite, pencil, seal] for name in ARRANGED},
}
"""By game what a seat can do at the beginning that the others may not know of, in this order. Narrow, games
of which this is a hint alone are left out: hints are asked for in the others, too."""


ONLOOKERS = ('token', 'watcher', 'lobby')


def looking(clients: dict[str, TestClient], acts: list[Act], number: int) -> dict[str, TestClient]:
    """Who looks after an act. Narrow, these are the other player and one more in turn, and all of them after
    the last act: what moved something before is seen then, too."""
    if number == len(acts) - 1:
        return clients
    return {
        who: client
        for who, client in clients.items()
        if width(who == 'other' or who == ONLOOKERS[number % 3], True)
    }


def test_every_game_has_its_line_here() -> None:
    assert set(games()) | {'toy'} == set(SECRET)


READ = (
    '/api/tables/{table}',
    '/api/tables/{table}?seat=-1',
    '/api/tables/{table}/chat',
    '/api/tables/{table}/log',
    '/api/tables/{table}/positions/0',
    '/api/tables/{table}/export',
    '/api/tables/{table}/picture.svg',
    '/api/tables/{table}/favourites',
    '/api/tables/{table}/review',
    '/tables/{table}/review',
    '/tables/{table}',
    '/tables/{table}/view',
    '/tables/{table}/at/0',
    '/api/tables',
    '/',
    '/lists',
    '/learn',
    '/games/octiles/learn',
    '/puzzles',
    '/games/octiles/puzzles',
    '/api/me',
)
"""What is read after every act. Besides, two pages listen at their sockets."""
SAME_FOR_ALL = {
    '/api',
    '/api/games',
    '/api/games/{name}/components',
    '/api/games/{name}/lessons',
    '/api/games/{name}/puzzles',
    '/api/games/{name}/rules',
    '/api/health',
    '/api/openapi.json',
    '/api/ready',
    '/credits',
    '/docs',
    '/docs/{path:path}',
    '/favicon.ico',
    '/games/{name}/badge.svg',
    '/games/{name}/components',
    '/games/{name}/components.json',
    '/games/{name}/figures/{figure}.svg',
    '/games/{name}/new',
    '/games/{name}/picture-{theme}.svg',
    '/games/{name}/positions/{example}.svg',
    '/games/{name}/readings',
    '/games/{name}/rules',
    '/manifest.webmanifest',
    '/offline',
    '/robots.txt',
    '/rules',
    '/static/{version}/{path:path}',
    '/worker.js',
}
"""Nothing of any table is in them."""
BY_LINK = {'/api/watch/{token}', '/watch/{token}', '/join/{token}'}
"""They show the table as it is read above, to somebody who brings a link."""
IN_PIXELS = {
    '/api/tables/{table}/picture.png',
    '/api/tables/{table}/films/{film}',
    '/api/tables/{table}/films/{film}/file',
    '/previews/{token}.png',
}
"""Of which drawings they are made, and that no other seat's secret is in these, is tested in
`test_sharing.py`: to draw pixels after every act would take minutes."""


OF_BOARDS = {'/api/analyses', '/api/analyses/{analysis}', '/analysis', '/analysis/{analysis}'}
"""Boards for analysis of who asks, or shared ones. That they hold what their owner knows, and nothing else,
is tested in `test_analyses.py`."""
OF_PEOPLE = {'/sign-in', '/sign-in/{token}'}
"""Names of people, and how many tables they have. Who gets them is tested in `test_sign_in.py`."""
BY_KEY = {'/metrics', '/operator', '/operator/login'}
"""For whoever runs the server. tests/web/test_operator.py reads them after secret acts."""


def routes_of(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Method and address of all that the application answers, `SOCKET` for a WebSocket."""
    found = list(app.routes)
    while found:
        route = found.pop()
        if inside := getattr(route, 'original_router', None):
            found += inside.routes
            continue
        assert isinstance(route, Route | WebSocketRoute), f'{route} is neither an address nor a socket'
        for method in sorted(route.methods or ()) if isinstance(route, Route) else ('SOCKET',):
            yield method, route.path


def test_every_address_is_read_here_or_tells_nothing_of_a_table(app: FastAPI) -> None:
    """A new address that reads is read after every secret act, or it is said above why it need not be. One
    that changes something answers to whoever did it; what it changes is read."""
    asked = {path.partition('?')[0] for path in READ}

    def is_read(template: str) -> bool:
        return template.replace('{turn}', '0').replace('{name}', 'octiles') in asked

    known = [(method, path) for method, path in routes_of(app) if method not in ('HEAD', 'OPTIONS')]
    assert len(known) > 70
    rest = {path for method, path in known if method == 'GET' and not is_read(path)}
    assert rest == SAME_FOR_ALL | BY_LINK | BY_KEY | IN_PIXELS | OF_BOARDS | OF_PEOPLE
    assert {path for method, path in known if method == 'SOCKET'} == {'/tables/{table}/live'}
    assert {method for method, _ in known} == {'GET', 'SOCKET', 'POST', 'PATCH', 'DELETE'}


def answers(clients: dict[str, TestClient], path: str) -> Iterator[tuple[str, bytes]]:
    """All that somebody else can get: every reading address of the table, and the lists."""
    for who, client in clients.items():
        for where in READ:
            answer = client.get(where.replace('{table}', path.rpartition('/')[2]))
            headers = sorted((name, value) for name, value in answer.headers.items() if name != 'set-cookie')
            yield f'{who} {where}', repr((answer.status_code, headers)).encode() + answer.content


@pytest.mark.parametrize('game', [game for game, acts in SECRET.items() if width(len(acts) > 1, True)])
def test_what_one_seat_does_in_secret_changes_nothing_for_the_others(
    app: FastAPI, guest: Guest, program: Program, game: str
) -> None:
    host, friend = guest(), guest()
    paths = []
    for _ in range(2):  # of several tables of the same people an order can be seen
        path, _ = make(host, game=game, mode='open', players=load(game).players[0], hints=True)
        friend.post(f'{path}/join')
        while '"open"' in friend.get(path).text:
            guest().post(f'{path}/join')
        paths.append(path)
    path = paths[0]
    actor, other = (host, friend) if host.get(path).json()['may_act'] else (friend, host)
    token = program(other.post(f'{path}/tokens', json={}).json()['token'])
    watcher, lobby = guest(), guest()
    clients = {'other': other, 'token': token, 'watcher': watcher, 'lobby': lobby}
    stack = [
        client.websocket_connect(f'{path.removeprefix("/api")}/live', headers=ORIGIN)
        for client in (other, watcher)
    ]
    with stack[0] as one, stack[1] as two:
        for socket in (one, two):
            socket.send_text(json.dumps({'have': {}, 'turns': 0, 'seat': -1}))
            socket.receive_text()
        before = dict(answers(clients, path))
        assert any(b'200' in answer[:5] for answer in before.values())
        for number, act in enumerate(SECRET[game]):
            answer = act(actor, path)
            assert answer is None or answer.status_code in (200, 201, 400), f'{act.__name__}: {answer.text}'
            assert actor.get(path).json()['turns'] == 0, f'{act.__name__} was no secret'
            after = dict(answers(looking(clients, SECRET[game], number), path))
            moved = [where for where in after if before[where] != after[where]]
            assert moved == [], f'{act.__name__} moves {moved}'
        # the pages were told nothing meanwhile: the next that they hear is this
        other.post(f'{path}/chat', json={'text': 'Hm.'})
        for socket in (one, two):
            assert set(json.loads(socket.receive_text())['fragments']) == {'chat'}
    assert app.state.server.store.table(path.rpartition('/')[2]).turns == 0


def test_the_order_of_tables_follows_what_everybody_can_see(guest: Guest) -> None:
    host, friend = guest(), guest()
    paths = []
    for _ in range(2):
        path, _ = make(host, mode='open', hints=True)
        friend.post(f'{path}/join')
        paths.append(path)

    def order(client: TestClient) -> list[str]:
        own = {path.rpartition('/')[2]: path for path in paths}
        return [
            own[table['id']]
            for table in client.get('/api/tables').json()['mine']
            if not table['waits_for_you']
        ]

    waiting = {client: order(client) for client in (host, friend)}
    path = paths[0]
    actor, other = (host, friend) if host.get(path).json()['may_act'] else (friend, host)
    step(actor, path)
    assert order(other) == waiting[other]
    step(actor, path)
    assert friend.get(path).json()['turns'] == 1
    assert order(actor)[0] == path, 'a turn that is committed is news'


def test_a_bot_that_seals_in_secret_is_not_counted(app: FastAPI, guest: Guest) -> None:
    """A number that goes up with all that can be seen does not tell which bots have chosen."""
    client = guest()
    _, view = make(client, game='toy', mode='bot', players=3, level='beginner')
    live = app.state.server._tables[view['id']]
    until(lambda: app.state.server.bots.is_idle(live))
    match = live.match()
    seat = view['your_seats'][0]
    assert [match.may_act(k) for k in range(3)] == [k == seat for k in range(3)], 'the bots have chosen'
    fresh = make(guest(), game='toy', mode='here', players=3)[1]['id']
    assert live.serial == app.state.server._tables[fresh].serial
