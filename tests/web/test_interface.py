"""The JSON interface can do all that the page can, and the messages keep within their budgets."""

from __future__ import annotations

import html
import json
import re
import time
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.routing import Route
from starlette.testclient import TestClient

from ludoteca import game as contract
from ludoteca.match import files
from ludoteca.store import StoreError
from ludoteca.text import words
from ludoteca.web.people.preferences import Preferences
from ludoteca.web.routes import components as component_routes
from ludoteca.web.routes import pages as page_routes
from ludoteca.web.routes import reviews as review_routes
from ludoteca.web.serving import assets
from ludoteca.web.table.choices import choice_table
from tests.built_in import BUILT_IN
from tests.web.conftest import ORIGIN, fresh
from tests.width import width

Guest = Callable[..., TestClient]
SMALL = 60 * 1024


def make(client: TestClient, **body: object) -> tuple[str, dict[str, Any]]:
    answer = client.post('/api/tables', json={'game': 'octiles', 'mode': 'here', **body})
    assert answer.status_code == 201, answer.text
    return f'/api/tables/{answer.json()["id"]}', answer.json()


@pytest.mark.smoke
def test_a_program_plays_a_whole_game(guest: Guest) -> None:
    client = guest()
    path, view = make(client)
    rng = np.random.default_rng(3)
    for _ in range(60):
        answer = client.post(
            f'{path}/act', json={'steps': str(rng.choice(view['legal'])), 'version': view['version']}
        )
        assert answer.status_code == 200
        view = answer.json()
        if view['result']:
            break
    assert view['turns'] >= 20
    rows = client.get(f'{path}/log').json()
    assert [row['number'] for row in rows] == list(range(1, view['turns'] + 1))
    assert client.get(f'{path}/log', params={'since': view['turns'] - 1}).json() == rows[-1:]
    early = client.get(f'{path}/positions/5').json()
    assert early['position']['turn'] == 5
    assert client.get(f'{path}/positions/{view["turns"] + 9}').status_code == 400
    text = client.get(f'{path}/export').text
    assert 'Seed' not in text
    assert text.startswith('Format: 1')
    assert client.post(f'{path}/resign', json={}).json()['result']['ending'] == 'resigned'
    finished = client.get(f'{path}/export').text
    assert 'Seed: ' in finished
    assert files.read(finished).turns == view['turns']
    following = client.post(f'{path}/rematch').json()
    assert client.post(f'{path}/rematch').json() == following
    assert client.get(f'/api/tables/{following["id"]}').json()['status'] == 'running'


def test_whole_turns_drafts_and_undo(guest: Guest) -> None:
    client = guest()
    path, view = make(client)
    while len(view['legal']) < 2:  # a tile that looks the same in all rotations may go to one place only
        path, view = make(client)
    step = view['legal'][0]
    drafted = client.post(f'{path}/act', json={'steps': step, 'version': view['version']}).json()
    assert drafted['draft'] == [step]
    assert drafted['turns'] == 0
    again = client.post(
        f'{path}/act', json={'steps': view['legal'][1], 'keep': 0, 'version': drafted['version']}
    ).json()
    assert again['draft'] == [view['legal'][1]]
    undone = client.post(f'{path}/undo', json={'version': again['version']}).json()
    assert undone['draft'] == []
    assert client.post(f'{path}/undo', json={}).status_code == 400
    turn = f'{step} {drafted["legal"][0]}'
    done = client.post(f'{path}/act', json={'steps': turn, 'version': undone['version']}).json()
    assert done['committed']
    assert done['turns'] == 1
    assert client.post(f'{path}/takeback', json={}).status_code in (200, 400)
    minimal = client.post(
        f'{path}/act', json={'steps': done['legal'][0]}, headers={'Prefer': 'return=minimal'}
    ).json()
    assert 'position' not in minimal


def test_hints_are_legal_and_say_what_to_click(guest: Guest) -> None:
    client = guest()
    path, view = make(client)
    hint = client.post(f'{path}/hint', json={'version': view['version']}).json()
    assert hint['steps'][0]['name'] in view['legal']
    assert all(target.startswith(('el:', 'do:')) for step in hint['steps'] for target in step['targets'])
    assert client.post(f'{path}/act', json={'steps': hint['turn']}).json()['committed']
    assert client.post(f'{path}/why-not', json={'targets': ['el:stack']}).json()['sentence'].endswith('.')


def test_bots_answer_and_levels_are_checked(guest: Guest) -> None:
    client = guest()
    assert (
        client.post('/api/tables', json={'game': 'octiles', 'mode': 'bot', 'level': 'godlike'}).status_code
        == 400
    )
    assert client.post('/api/tables', json={'game': 'chess'}).status_code == 404
    assert client.post('/api/tables', json={'game': 'octiles', 'players': 7}).status_code == 400
    assert (
        client.post(
            '/api/tables', json={'game': 'octiles', 'mode': 'bot', 'options': {'flight': True}}
        ).status_code
        == 400
    )
    assert client.post('/api/tables', json={'game': 'octiles', 'surprise': 1}).status_code == 422
    path, view = make(client, mode='bot', level='beginner', players=3)
    for _ in range(2):
        until = time.monotonic() + 60
        while not view['may_act'] and time.monotonic() < until:
            time.sleep(0.05)
            view = client.get(path).json()
        turns = view['turns']
        hint = client.post(f'{path}/hint', json={}).json()
        view = client.post(f'{path}/act', json={'steps': hint['turn']}).json()
        assert view['turns'] >= turns + 1


def test_messages_leave_out_what_the_page_has(guest: Guest) -> None:
    client = guest()
    path, view = make(client)
    with client.websocket_connect(f'/tables/{view["id"]}/live', headers=ORIGIN) as socket:
        socket.send_text(json.dumps({'have': {}, 'turns': 0, 'seat': 0}))
        first = json.loads(socket.receive_text())
        assert set(first['fragments']) == set(first['marks'])
        assert first['choices']['levels'][0]['actions']
        client.post(f'{path}/act', json={'steps': view['legal'][0]})
        second = json.loads(socket.receive_text())
        assert second['version'] == first['version'] + 1
        assert 'drawing' in second['fragments']
        assert 'moves' not in second['fragments']
        assert len(second['choices']['levels']) == 2
    with client.websocket_connect(f'/tables/{view["id"]}/live', headers=ORIGIN) as socket:
        socket.send_text(json.dumps({'have': second['marks'], 'turns': 0, 'seat': 0}))
        third = json.loads(socket.receive_text())
        assert third['fragments'] == {}
        assert third['version'] == second['version']


def test_messages_are_small_and_drawn_quickly(guest: Guest) -> None:
    client = guest()
    path, view = make(client, players=4)
    rng = np.random.default_rng(1)
    most, slowest = 0, []
    for _ in range(width(40, 70)):
        began = time.perf_counter()
        message = client.get(f'/tables/{view["id"]}/view')
        slowest.append(time.perf_counter() - began)
        most = max(most, len(zlib.compress(json.dumps(message.json(), separators=(',', ':')).encode())))
        answer = client.post(f'{path}/act', json={'steps': str(rng.choice(view['legal']))}).json()
        if answer.get('result'):
            break
        view = answer | {'id': view['id']}
    assert most < SMALL
    # 30 ms to draw on a quiet machine; here only that nothing is wrong by an order of magnitude
    assert sorted(slowest)[len(slowest) // 2] < 0.3


def test_secrets_stay_where_they_are(app: FastAPI, guest: Guest) -> None:
    """The toy game has hidden hands: what one seat is sent does not depend on what it cannot know."""
    host = guest()
    _, view = make(host, game='toy', mode='here', players=3)
    live = app.state.server._tables[view['id']]
    for seat in range(3):
        told = host.get(f'/api/tables/{view["id"]}', params={'seat': seat}).json()
        match = live.match()
        hidden = match.view(seat).state
        assert told['position'] == json.loads(json.dumps(match.game.to_json(hidden)))
        text = json.dumps(told)
        assert match.setup.seed not in text
        assert 'rng' not in text


@pytest.mark.parametrize('game', BUILT_IN)
def test_a_page_has_the_symbols_that_it_shows_and_keeps_the_others_in_a_template(
    guest: Guest, game: str
) -> None:
    client = guest()
    _, view = make(client, game=game, mode='here')
    text = client.get(f'/tables/{view["id"]}', headers={'Accept': 'text/html'}).text
    sheet = re.search(r'<svg class="symbols"[^>]*>(<defs>.*?</defs>)</svg>', text)
    spare = re.search(r'<template id="symbols"><svg>(<defs>.*?</defs>)</svg></template>', text)
    assert sheet
    assert spare
    symbols = contract.load(game).symbols()
    assert [name for name in symbols.texts if text.count(f' id="{name}"') != 1] == []
    around = text.replace(sheet[0], '').replace(spare[0], '').partition('<script id="data"')[0]
    assert (sheet[1], spare[1]) == symbols.divided(around)


@pytest.mark.parametrize('seat', [0, 1, 2])
def test_toy_game_has_a_page(guest: Guest, seat: int) -> None:
    client = guest()
    _, view = make(client, game='toy', mode='here', players=3)
    text = client.get(f'/tables/{view["id"]}', headers={'Accept': 'text/html'}).text
    assert '<svg' in text
    assert 'id="data"' in text


def test_settings_and_name(guest: Guest) -> None:
    client = guest()
    assert client.patch('/api/me', json={'name': '  Ann   Lee '}).json()['name'] == 'Ann Lee'
    assert client.patch('/api/me', json={'name': ''}).status_code == 400
    assert client.patch('/api/me', json={'name': 'x' * 60}).status_code == 400
    assert (
        client.patch('/api/me', json={'settings': {'theme': 'dark', 'confirm': 'perhaps'}}).json()[
            'settings'
        ]['theme']
        == 'dark'
    )
    assert 'data-theme="dark"' in client.get('/', headers={'Accept': 'text/html'}).text
    assert client.get('/api/me').json()['settings']['confirm'] == 'auto'


COUNTERPARTS = {
    'GET /learn': 'GET /api/games/{name}/lessons',
    'GET /games/{name}/learn': 'GET /api/games/{name}/lessons',
    'POST /lessons': 'POST /api/lessons',
    'GET /puzzles': 'GET /api/games/{name}/puzzles',
    'GET /games/{name}/puzzles': 'GET /api/games/{name}/puzzles',
    'POST /puzzles': 'POST /api/puzzles',
    'GET /': 'GET /api/tables',
    'GET /lists': 'GET /api/tables',
    'POST /tables': 'POST /api/tables',
    'POST /tables/{table}/join': 'POST /api/tables/{table}/join',
    'GET /join/{token}': 'POST /api/join',
    'POST /join/{token}': 'POST /api/join',
    'GET /watch/{token}': 'GET /api/watch/{token}',
    'GET /tables/{table}': 'GET /api/tables/{table}',
    'GET /tables/{table}/view': 'GET /api/tables/{table}',
    'GET /tables/{table}/live': 'GET /api/tables/{table}',
    'GET /tables/{table}/at/{turn}': 'GET /api/tables/{table}/positions/{turn}',
    'GET /games/{name}/rules': 'GET /api/games/{name}/rules',
    'GET /games/{name}/new': 'POST /api/tables',
    'GET /games/{name}/readings': 'GET /api/games/{name}/rules',
    'GET /rules': 'GET /api/games/{name}/rules',
    'GET /tables/{table}/review': 'GET /api/tables/{table}/review',
    'POST /tables/{table}/rematch': 'POST /api/tables/{table}/rematch',
    'POST /tables/{table}/answer': 'POST /api/tables/{table}/answer',
    'POST /tables/{table}/review': 'POST /api/tables/{table}/review',
    'POST /tables/{table}/review/turns/{turn}': 'POST /api/tables/{table}/review/turns/{turn}',
    'POST /tables/{table}/review/stop': 'POST /api/tables/{table}/review/stop',
    'GET /games/{name}/components': 'GET /api/games/{name}/components',
    'GET /games/{name}/components.json': 'GET /api/games/{name}/components',
    'POST /games/{name}/components': 'POST /api/games/{name}/components',
    'POST /games/{name}/components/check': 'POST /api/games/{name}/components',
    'GET /analysis': 'GET /api/analyses',
    'POST /analysis': 'POST /api/analyses',
    'GET /analysis/{analysis}': 'GET /api/analyses/{analysis}',
}
"""What the pages' own addresses are for programs."""
PICTURES = {
    'GET /games/{name}/picture-{theme}.svg',
    'GET /games/{name}/badge.svg',
    'GET /games/{name}/positions/{example}.svg',
    'GET /games/{name}/figures/{figure}.svg',
    'GET /favicon.ico',
}
ABOUT = {'GET /api', 'GET /credits', 'GET /robots.txt', 'GET /docs', 'GET /docs/{path:path}'}
INSTALLED = {'GET /manifest.webmanifest', 'GET /worker.js', 'GET /offline'}
"""What browsers ask for to install the site."""
STATIC = assets.FOLDER


def described(app: FastAPI) -> dict[str, dict[str, Any]]:
    """By `VERB /path` what OpenAPI says."""
    paths = app.openapi()['paths']
    return {
        f'{verb.upper()} {path}': operation
        for path, verbs in paths.items()
        for verb, operation in verbs.items()
    }


def fields(app: FastAPI, operation: dict[str, Any]) -> set[str]:
    """The names that the body of a request may have."""
    schema = operation['requestBody']['content']['application/json']['schema']
    name = next(iter(schema.get('anyOf', [schema])))['$ref'].rpartition('/')[2]  # a body may be left out
    return set(app.openapi()['components']['schemas'][name].get('properties', {}))


def test_every_address_of_the_pages_has_its_counterpart_for_programs(app: FastAPI) -> None:
    known = described(app)
    own = {
        f'{verb} {route.path}'
        for router in (page_routes.router, review_routes.router, component_routes.router)
        for route in router.routes
        if isinstance(route, Route)
        for verb in (route.methods or set()) - {'HEAD'}
    }
    assert own - PICTURES - ABOUT - INSTALLED == set(COUNTERPARTS) - {'GET /tables/{table}/live'}
    assert set(COUNTERPARTS.values()) <= set(known)
    assert 'GET /api/tables/{table}/picture.svg' in known
    assert all(operation.get('summary') and operation.get('description') for operation in known.values())


def test_every_request_of_the_scripts_can_be_made_by_programs(app: FastAPI) -> None:
    """Each address in static/*.js is one of the interface or has its counterpart there, and takes the same
    fields."""
    known, found = described(app), set()
    anywhere = {entry.partition(' ')[2] for entry in (*known, *COUNTERPARTS)}
    for path in sorted(STATIC.glob('*.js')):
        text = path.read_text('utf-8')
        for address in re.findall(r"""[`']((?:/|\$\{api\})[^`'\s]*)[`']""", text):
            for name, place in (
                ('${api}', '/api/tables/{table}'),
                ('${page.table}', '{table}'),
                ('${at}', '{turn}'),
            ):
                address = address.replace(name, place)
            if '${' not in address and address not in ('/', '/worker.js', '/api/tables/{table}'):
                assert address in anywhere, f'{path.name}: {address}'
                found.add(address)
        for what, body in re.findall(r"""(?:post|asked|fromMenu)\('([a-z-]+)'(?:, \{([^}]*)\})?""", text):
            place = 'analyses/{analysis}' if path.name == 'analysis.js' else 'tables/{table}'
            operation = known[f'POST /api/{place}/{what}']
            given = {part.partition(':')[0].strip() for part in body.split(',')}
            given = {part for part in given if part and not part.startswith('...')}
            assert given <= fields(app, operation) if given else True, f'{path.name}: {what}'
            found.add(what)
    assert found >= {
        'act',
        'undo',
        'hint',
        'resign',
        'takeback',
        'retry',
        'answer',
        'rematch',
        'replace',
        'come-back',
        'fill',
        'leave',
        'chat',
        '/api/me',
        '/lists',
        '/tables/{table}/at/{turn}',
        'why-not',
        'explain',
    }


def test_every_form_and_link_of_the_pages_can_be_made_by_programs(app: FastAPI, guest: Guest) -> None:
    known, client, friend = described(app), guest(), guest()
    linked, view = make(client, mode='link')
    listed, _ = make(client, mode='open')
    playing, _ = make(client, mode='here')
    tables = [path.removeprefix('/api') for path in (linked, listed, playing)]
    sources = [
        '/',
        '/games/octiles/rules',
        '/learn',
        '/games/octiles/learn',
        '/games/octiles/puzzles',
        f'/join/{view["invite"]["token"]}',
        *tables,
    ]
    html = [
        one.get(path, headers={'Accept': 'text/html'}).text for path in sources for one in (client, friend)
    ]
    forms, links, names = set(), set(), set()
    for text in html:
        forms |= set(re.findall(r'<form[^>]*action="([^"]+)"', text))
        links |= set(re.findall(r'href="(/api/[^"]+)"', text))
        for form in re.findall(r'<form[^>]*action="/tables".*?</form>', text, re.S):
            names |= set(re.findall(r' name="([^"]+)"', form))
    forms = {
        re.sub(r'(?<=/join/).+', '{token}', re.sub(r'(?<=/tables/)[^/]+', '{table}', form)) for form in forms
    }
    forms = {form for form in forms if not form.endswith('/new')}  # they lead to the form of a table
    assert forms == {
        '/tables',
        '/tables/{table}/join',
        '/join/{token}',
        '/rules',
        '/lessons',
        '/puzzles',
        '/analysis',
    }
    assert all('POST ' + form in COUNTERPARTS for form in forms - {'/rules'})
    assert 'GET /rules' in COUNTERPARTS
    links = {'GET ' + re.sub(r'(?<=/tables/)[^/]+', '{table}', link.partition('?')[0]) for link in links}
    links -= {'GET /api/openapi.json'}
    assert 'GET /api/tables/{table}/export' in links <= set(known)
    plain = {'options' if name.startswith('option-') else name.partition('-')[0] for name in names}
    assert plain <= fields(app, known['POST /api/tables'])
    settings = set(
        re.findall(r' name="([a-z]+)"', html[-2].partition('id="settings-form"')[2].partition('</form>')[0])
    )
    assert settings == set(Preferences().json()) - {'deductions'}
    secret, _ = make(client, game='toy', mode='here')
    text = client.get(secret.removeprefix('/api'), headers={'Accept': 'text/html'}).text
    assert ' name="deductions"' in text.partition('id="settings-form"')[2], (
        'asked for in games with secrets only'
    )
    assert 'act' in client.get('/api', headers={'Accept': 'text/html'}).text


def test_two_of_one_name_and_the_bots_beside_them_are_told_apart(guest: Guest) -> None:
    host, friend = guest(), guest()
    for person in (host, friend):
        assert person.patch('/api/me', json={'name': 'Wren'}).status_code == 200
    path, view = make(host, mode='link', players=4)
    joined = friend.post('/api/join', json={'invite': view['invite']['token']}).json()
    view = host.post(f'{path}/fill', json={'level': 'easy'}).json()
    names = [seat['name'] for seat in view['seats']]
    assert {'Wren', 'Wren 2'} < set(names)
    assert len(set(names)) == 4
    assert 'easy' not in names, 'bots have names as at a table that is made with bots'
    friend.post(f'{path}/chat', json={'text': 'Hello!'})
    assert host.get(f'{path}/chat').json()[0]['name'] == 'Wren 2'
    assert friend.get('/api/me').json()['name'] == 'Wren'
    # who plays several seats at one screen speaks for none of them
    path, _ = make(host, mode='here')
    host.post(f'{path}/chat', json={'text': 'Here we are.'})
    assert host.get(f'{path}/chat').json()[0]['name'] == 'Wren'
    assert joined['players'] == 4


def test_pictures_chat_rules_and_links_for_programs(guest: Guest) -> None:
    host, friend = guest(), guest()
    path, view = make(host, mode='link', hints=True)
    assert host.get(path).json()['invite'] == view['invite']
    joined = friend.post('/api/join', json={'invite': view['invite']['token']}).json()
    assert joined['ready']
    assert all('invite' not in one.get(path).json() for one in (host, friend)), 'no seat is open any more'
    assert friend.post(f'{path}/chat', json={'text': ' well  met '}).json() == {'number': 0}
    line = host.get(f'{path}/chat').json()[0]
    assert (line['text'], line['seat']) == ('well met', joined['seat'])
    mover = host if host.get(path).json()['may_act'] else friend
    mover.post(f'{path}/act', json={'steps': mover.post(f'{path}/hint', json={}).json()['turn']})
    pictures = [
        host.get(f'{path}/picture.svg', params=params)
        for params in ({}, {'turn': 0}, {'turn': 1}, {'theme': 'dark'})
    ]
    assert all(
        answer.headers['content-type'] == 'image/svg+xml' and answer.text.startswith('<svg')
        for answer in pictures
    )
    assert len({answer.text for answer in pictures}) >= 3
    assert host.get(f'{path}/picture.svg', params={'seat': joined['seat']}).status_code == 403
    assert host.get(f'{path}/picture.svg', params={'turn': 9}).status_code == 400
    assert host.get(f'{path}/positions/1').json()['last']
    assert guest().get(f'{path}/picture.svg').status_code == 404
    assert guest().get(f'{path}/chat').status_code == 404
    assert host.get('/api/games/octiles/rules').text.startswith('# ')
    assert host.get('/api/games/chess/rules').status_code == 404


def plays_no_more(person: TestClient, path: str, sentence: str) -> None:
    """Nobody plays a seat which a bot plays now, or asks the others for anything."""
    view = person.get(path).json()
    assert (view['may_act'], view['legal'], view['waits_for_you']) == (False, [], False)
    page = person.get(f'{path.removeprefix("/api")}/view').json()
    assert not page['mine']
    assert not page['choices']
    assert not re.search(r'class="[^"]*\bcan\b', page['fragments']['drawing'])
    waiting = [
        contract.load('octiles').words(f'prompt.{key}', player=name)
        for key in ('wait_place', 'wait_move')
        for name in page['names']
    ]
    assert any(text in page['fragments']['prompt'] for text in waiting)
    for what, body in (
        ('act', {'steps': 'pass'}),
        ('undo', {'keep': 0}),
        ('resign', {}),
        ('takeback', {}),
        ('replace', {'seat': (view['seat'] + 1) % 3}),
    ):
        answer = person.post(f'{path}/{what}', json=body)
        assert (answer.status_code, answer.json()['detail']) == (409, sentence), what
    assert person.post(f'{path}/hint', json={}).status_code == 400


def test_who_has_resigned_plays_no_more(guest: Guest) -> None:
    people = [guest() for _ in range(3)]
    path, view = make(people[0], mode='link', players=3, hints=True)
    for one in people[1:]:
        one.post('/api/join', json={'invite': view['invite']['token']})
    mover = next(one for one in people if one.get(path).json()['may_act'])
    assert mover.post(f'{path}/resign', json={}).status_code == 200
    plays_no_more(mover, path, 'You have resigned already; a bot plays on for you.')


def offered(one: TestClient, view: Mapping[str, Any]) -> set[str]:
    """What the buttons of somebody's page do."""
    page = one.get(view['url'], headers={'Accept': 'text/html'})
    return set(re.findall(r'data-act="([a-z-]+)"', page.text))


def test_who_has_resigned_among_several_is_offered_nothing_that_is_refused(guest: Guest) -> None:
    client = guest()
    path, view = make(client, mode='bot', players=3)
    assert offered(client, view) >= {'resign'}
    assert client.post(f'{path}/resign', json={}).status_code == 200
    assert offered(client, view).isdisjoint({'resign', 'takeback', 'back'})


def test_the_colour_of_an_open_seat_is_that_of_whoever_sits_down_without_a_wish(guest: Guest) -> None:
    host, friend, third = guest(), guest(), guest()
    for one, wish, got in ((friend, '', 'purple'), (third, 'green', 'green')):
        path, view = make(host, seats=[{'who': 'me'}, {'who': 'open', 'colour': 'purple'}])
        one.patch('/api/me', json={'settings': {'colour': wish}})
        joined = one.post('/api/join', json={'invite': view['invite']['token']})
        assert joined.status_code == 200
        seen = one.get(path).json()
        assert seen['seats'][seen['seat']]['colour'] == got


def test_who_leaves_is_replaced_and_comes_back(guest: Guest) -> None:
    people = [guest() for _ in range(3)]
    path, view = make(people[0], mode='link', players=3, hints=True)
    for one in people[1:]:
        one.post('/api/join', json={'invite': view['invite']['token']})
    seats = [one.get(path).json()['seat'] for one in people]
    assert people[0].post(f'{path}/replace', json={'seat': seats[0]}).status_code == 400
    asked = people[0].post(f'{path}/replace', json={'seat': seats[2], 'level': 'beginner'}).json()
    assert not asked['done']
    assert asked['request']['waiting'] == [seats[1]]
    assert people[2].post(f'{path}/answer', json={'yes': False}).json()['request'] is None, (
        'who is still there may say so'
    )
    people[0].post(f'{path}/replace', json={'seat': seats[2], 'level': 'beginner'})
    assert people[1].post(f'{path}/answer', json={'yes': True}).json()['done']
    gone = people[2].get(path).json()
    assert gone['seats'][seats[2]]['kind'] == 'bot'
    assert gone['your_seats'] == [seats[2]]
    plays_no_more(people[2], path, 'A bot plays this seat in your place; take it back first.')
    assert offered(people[2], view) >= {'back'}
    assert offered(people[2], view) & {'resign', 'takeback'} == set()
    back = people[2].post(f'{path}/come-back', json={}).json()
    assert back['seats'][seats[2]]['kind'] == 'person'
    assert people[2].post(f'{path}/come-back', json={}).status_code == 400


def test_matches_go_on_after_a_restart(tmp_path: Path) -> None:
    with TestClient(fresh(tmp_path), headers=ORIGIN) as client:
        path, view = make(client)
        before = client.post(f'{path}/act', json={'steps': view['legal'][0]}).json()
        cookies = dict(client.cookies)
    with TestClient(fresh(tmp_path), headers=ORIGIN, cookies=cookies) as client:
        after = client.get(path).json()
        assert after['position'] == before['position']
        assert after['draft'] == before['draft']
        assert after['version'] == before['version']


def test_lists_show_those_that_wait_first(guest: Guest) -> None:
    client = guest()
    _, first = make(client, mode='here')
    _, second = make(client, mode='open')
    listed = client.get('/api/tables').json()
    assert listed['mine'][0]['id'] == first['id']
    assert second['id'] in [table['id'] for table in guest().get('/api/tables').json()['open']]
    text = client.get('/', headers={'Accept': 'text/html'}).text
    assert 'Your move' in text
    assert text.index(f'row-{first["id"]}') < text.index(f'row-{second["id"]}')


def test_choice_table_says_what_commits() -> None:
    from ludoteca.match import Match, Seat, Setup

    match = Match(Setup.new('octiles', 2, seats=[Seat('A'), Seat('B')], seed=1))
    table = choice_table(match, 0)
    assert table is not None
    # a placement goes on with a run; both at once, as a shortcut, are a whole turn
    names = [action[0] for action in table['levels'][0]['actions']]
    assert table['levels'][0]['commits'] == [k for k, name in enumerate(names) if ' ' in name]
    assert len(names) > len(table['levels'][0]['commits']) > 0
    match.act(0, None, table['levels'][0]['actions'][0][0])
    table = choice_table(match, 0)
    assert table is not None
    assert table['levels'][1]['commits'] == list(range(len(table['levels'][1]['actions'])))
    assert choice_table(match, 1) is None


def test_the_interface_is_shown_at_the_address_that_was_asked(guest: Guest) -> None:
    forged = {'X-Forwarded-Host': 'elsewhere.example', 'X-Forwarded-Proto': 'https'}
    for host in ('testserver', 'localhost:8112'):
        text = guest().get('/api', headers={'Accept': 'text/html', 'Host': host, **forged}).text
        assert set(re.findall(r'https?://[^/ ]+', text)) == {f'http://{host}'}


def test_pages_of_errors_and_of_the_link_to_another_browser_say_who_one_is(guest: Guest) -> None:
    client = guest(Accept='text/html')
    client.patch('/api/me', json={'name': 'Ann', 'settings': {'theme': 'dark'}})
    link = re.search(r'http[^"]+(/sign-in/[^"]+)"', client.post('/sign-in').text)
    assert link
    missing = ('/nowhere', '/games/chess/learn', '/tables/nowhere', '/tables/nowhere/at/x')
    for path in (*missing, '/sign-in', link[1]):
        answer = client.get(path)
        assert answer.status_code == (404 if path in missing else 200)
        assert re.search(r'<input id="name" type="text" value="Ann"', answer.text), path
        assert 'data-theme="dark"' in answer.text


def test_an_error_page_needs_no_database(guest: Guest, app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    client = guest(Accept='text/html')
    client.get('/')

    def lost(*_: object) -> None:
        raise StoreError('The database is away.')

    monkeypatch.setattr(app.state.visitors, '_find', lost)
    answer = client.get('/nowhere')
    assert (answer.status_code, 'id="name"' in answer.text) == (404, False)
    assert words('web.error.not_found') in html.unescape(answer.text)


def test_a_page_that_needs_scripts_says_so_where_there_are_none(guest: Guest) -> None:
    client = guest(Accept='text/html')
    _, table = make(client)
    board = client.post('/analysis', data={'game': 'octiles'}, follow_redirects=False).headers['location']
    said = rf'<noscript>.*?{re.escape(words("web.no_script"))}.*?</noscript>'
    for path in (f'/tables/{table["id"]}', board):
        assert re.search(said, client.get(path).text)
    for path in ('/', '/learn', '/games/octiles/rules'):
        assert not re.search(said, client.get(path).text), 'these can be used without'


@pytest.mark.parametrize('name', contract.games())
def test_lobby_credits_and_rules_say_whether_components_are_reconstructed(guest: Guest, name: str) -> None:
    client, game = guest(), contract.load(name)
    known = next(facts for facts in client.get('/api/games').json() if facts['name'] == name)['reconstructed']
    assert known == list(game.reconstructed)
    parts = ', '.join(game.words(f'reconstructed.{part}') for part in known)
    sentence = words(f'web.components.{"reconstructed" if known else "printed"}', parts=parts)
    lobby = html.unescape(client.get('/', headers={'Accept': 'text/html'}).text)
    label = f'<p class="made" title="{sentence}">{words("web.lobby.reconstructed")}<'
    assert (label in lobby) == bool(known), 'of a game that says nothing nothing is said'
    rules = html.unescape(client.get(f'/games/{name}/rules', headers={'Accept': 'text/html'}).text)
    assert f'<p id="components">{sentence}<' in rules
    credits = html.unescape(client.get('/credits', headers={'Accept': 'text/html'}).text)
    assert sentence in credits.partition(f'<h2>{game.title}</h2>')[2].partition('<h2>')[0]


def test_rules_page_has_our_pictures(guest: Guest) -> None:
    client = guest()
    for name in contract.games():
        text = client.get(f'/games/{name}/rules', headers={'Accept': 'text/html'}).text
        for source in [part.split('"')[0] for part in text.split('src="/games/')[1:]]:
            picture = client.get('/games/' + source.replace('&amp;', '&'))
            assert picture.status_code == 200, source
            assert picture.text.startswith('<svg')
