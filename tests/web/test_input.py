"""Whatever is sent, the answer is one sentence: never a traceback, never a 500."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from ludoteca.web.app import ROUTERS
from ludoteca.web.serving.security import Guard, whole
from tests.web.conftest import ORIGIN
from tests.web.test_interface import make
from tests.width import width

Guest = Callable[..., TestClient]

DIGITS = (
    '²',
    '٣',
    '99999999999999999999',
    '9' * 5000,
    '-1',
    '1e3',
    '0x1',
    '1_0',
    ' 1',
    '+1',
    '1.5',
    'NaN',
    '\x00',
)
"""What is no number, or none that anything here can have."""
HUGE = '1' + '0' * 400
BODIES = (
    b'',
    b'{',
    b'null',
    b'[]',
    b'1',
    b'"x"',
    b'NaN',
    b'{"a": NaN}',
    b'{"a": Infinity}',
    b'\xff\xfe',
    b'\x00',
    b'{"\\ud800": 1}',
    b'[' * 20_000,
    b'{"a":' * 8_000,
    b'{"version": ' + b'9' * 5000 + b'}',
    b'--x\r\n\r\n',
)
STRANGE = (
    '"\\ud800"',
    '"\\u0000"',
    '"\\u202e\\u0007"',
    '""',
    '"' + 'x' * 9000 + '"',
    HUGE,
    '-' + HUGE,
    '1e400',
    'NaN',
    '-Infinity',
    '1.5',
    'true',
    'null',
    '[]',
    '{}',
    '["\\ud800"]',
    '{"\\ud800": "\\ud800"}',
    f'{{"x": {HUGE}}}',
    '[[[[[[[[]]]]]]]]',
    '"²"',
    '"٣"',
)
"""Values that no field expects, as JSON."""
TYPES = (
    'application/json',
    'text/plain',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-7',
    'x',
    '',
)


def is_sentence(answer: Any, what: object) -> None:
    """A refusal says one sentence, on a page or as JSON; anything else is no refusal."""
    assert answer.status_code < 500, f'{what}: {answer.text[:300]}'
    if answer.status_code >= 400:
        text = answer.json()['detail'] if 'json' in answer.headers['content-type'] else answer.text
        assert text, what
        assert 'Traceback' not in text, what
        if 'json' in answer.headers['content-type']:
            assert isinstance(text, str), what
            assert text.endswith('.'), f'{what}: {text}'


def writing() -> Iterator[tuple[str, str]]:
    for route in (route for router in ROUTERS for route in router.routes):
        if isinstance(route, APIRoute):
            for method in sorted((route.methods or set()) - {'HEAD', 'GET'}):
                yield method, route.path


def at(template: str, table: str) -> str:
    return template.replace('{table}', table).replace('{token}', 'x' * 40)


# ---- headers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    'origin',
    [
        'http://]',
        'http://[',
        '//',
        'http://[::1',
        'null',
        '',
        '\xff',
        'http://testserver:x',
        'http://a@testserver',
        'x:',
    ],
)
def test_an_origin_that_is_no_address_is_another_sites(guest: Guest, origin: str) -> None:
    client = guest()
    answer = client.post(
        '/api/tables', json={'game': 'octiles'}, headers={b'Origin': origin.encode('latin-1')}
    )
    assert answer.status_code == 403
    is_sentence(answer, origin)


@pytest.mark.parametrize('length', ['²', 'x', '-1', '9' * 5000, '99999999999999999999', '', '1,1', ' 1'])
def test_a_length_that_is_no_number_is_refused(guest: Guest, length: str) -> None:
    answer = guest().post('/api/tables', headers={b'Content-Length': length.encode()}, content=b'{}')
    assert answer.status_code in (400, 413)
    is_sentence(answer, length)


@pytest.mark.parametrize(
    'host',
    ['[', ']', 'testserver:x', 'testserver:²', 'a b', '[::1', '\xff', 'testserver/x', '@testserver', '::'],
)
def test_a_host_that_is_no_name_is_refused_by_every_server(app: FastAPI, host: str) -> None:
    for hosts in (('testserver',), ('*',)):
        client = TestClient(Guard(app, hosts))
        for path in ('/', '/api/tables/', '/nowhere'):
            answer = client.get(path, headers={b'Host': host.encode('latin-1')})
            assert answer.status_code == 421
            is_sentence(answer, host)


@pytest.mark.parametrize(
    'name',
    ['Authorization', 'Cookie', 'Accept', 'Prefer', 'Accept-Encoding', 'Content-Type', 'Accept-Language'],
)
def test_no_header_breaks_a_page(guest: Guest, name: str) -> None:
    client, table, pages = guest(), make(guest(), mode='open')[1]['id'], len(name)
    for value in ('', ' ', '\xff', 'Bearer', 'Bearer ', 'Bearer \xff', 'bearer x', 'Basic x', 'ludoteca=', 'ludoteca=x.y; a', ';=;',  # noqa: E501
                  'ludoteca="', 'text/html;q=x', '*/*' * 3000, 'a' * 8000):  # fmt: skip
        pages += 1
        for method, path in (
            ('GET', '/'),
            ('GET', f'/api/tables/{table}'),
            ('POST', f'/api/tables/{table}/act'),
            ('POST', '/tables'),
        )[width(pages % 3, 0) :: width(3, 1)]:
            is_sentence(
                client.request(method, path, headers={name.encode(): value.encode('latin-1')}),
                (name, value[:20], path),
            )


def test_whole_numbers_are_ascii_digits_within_bounds() -> None:
    assert [whole(text, 9) for text in ('0', '9', '10', '007')] == [0, 9, None, 7]
    assert [whole(text, 10**30) for text in DIGITS if text != '99999999999999999999'] == [None] * (
        len(DIGITS) - 1
    )


# ---- addresses and forms -----------------------------------------------------------------------------------


TEXTS = (*DIGITS, '%00', '%ff', '%ed%a0%80', '..', '%2e%2e%2f', "'", '%', 'x' * 3000, '\u202e')


@pytest.mark.parametrize('text', TEXTS)
def test_an_address_that_means_nothing_is_answered_in_a_sentence(guest: Guest, text: str) -> None:
    client = guest()
    table, turn = make(client)[1]['id'], TEXTS.index(text)
    text = text.replace('\x00', '%00')
    for path in (
        f'/tables/{text}', f'/api/tables/{text}', f'/join/{text}', f'/watch/{text}', f'/games/{text}/rules', f'/{text}',  # noqa: E501
        f'/games/octiles/positions/{text}.svg', f'/games/octiles/figures/{text}.svg', f'/games/octiles/picture-{text}.svg',  # noqa: E501
        f'/games/octiles/positions/start-2.svg?turn={text}', f'/tables/{table}/at/{text}', f'/tables/{table}/at/0?seat={text}',  # noqa: E501
        f'/tables/{table}/view?here={text}', f'/api/tables/{table}?seat={text}', f'/api/tables/{table}/positions/{text}',  # noqa: E501
        f'/api/tables/{table}/log?since={text}', f'/api/tables/{table}/picture.svg?turn={text}&theme={text}',
        f'/static/{text}/{text}',
    ):  # fmt: skip
        turn += 1
        for accept in ('text/html', 'application/json')[width(turn % 4, 0) :: width(4, 1)]:
            is_sentence(client.get(path, headers={'Accept': accept}), path[:80])


@pytest.mark.parametrize('players', [*DIGITS, 'two', '9', '0'])
def test_a_number_of_players_that_is_none_is_said_in_the_dialog(guest: Guest, players: str) -> None:
    form = {'game': 'octiles', 'mode': 'here', 'players-octiles': players}
    answer = guest().post('/tables', data=form, headers={'Accept': 'application/json'})
    assert answer.status_code == 400
    is_sentence(answer, players)


@pytest.mark.parametrize(
    'field',
    ['game', 'mode', 'level', 'players-octiles', 'option-octiles-repetition', 'option-octiles-x', 'x', ''],
)
def test_no_field_of_the_form_breaks_it(guest: Guest, field: str) -> None:
    client, turn = guest(), len(field)
    for value in (
        b'%00',
        b'%ff',
        b'%ed%a0%80',
        '²'.encode(),
        b'%',
        b'x' * 3000,
        b'',
        b'true',
        b'&&&',
        b'%F0%9F%90%8D',
    ):
        body = b'game=octiles&mode=bot&' + field.encode() + b'=' + value
        turn += 1
        for accept in ('text/html', 'application/json')[width(turn % 2, 0) :: width(2, 1)]:
            headers = {'Content-Type': 'application/x-www-form-urlencoded', 'Accept': accept}
            answer = client.post('/tables', content=body, headers=headers, follow_redirects=False)
            is_sentence(answer, (field, value[:20]))


@pytest.mark.parametrize('kind', TYPES)
def test_no_body_breaks_an_address(guest: Guest, kind: str) -> None:
    client = guest()
    table, turn = make(client)[1]['id'], TYPES.index(kind)
    multipart = (
        b'--x\r\nContent-Disposition: form-data; name="game"; filename="f"\r\n\r\noctiles\r\n--x--',
        b'--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--',
        b'--x\r\n\xff\xff: \r\n\r\n',
        b'--y\r\n',
        b'a=1&' * 500,
    )
    for body in (*BODIES, *multipart):
        turn += 1
        for method, path in (
            ('POST', '/tables'),
            ('POST', '/api/tables'),
            ('PATCH', '/api/me'),
            ('POST', f'/api/tables/{table}/act'),
        )[width(turn % 3, 0) :: width(3, 1)]:
            answer = client.request(
                method, path, content=body, headers={'Content-Type': kind}, follow_redirects=False
            )
            is_sentence(answer, (kind, body[:30], path))


def test_no_value_of_any_field_breaks_any_address(app: FastAPI, guest: Guest) -> None:
    """Each field of each address that changes something, with each strange value, the others left out or as
    they should be."""
    client, schemas = guest(), app.openapi()['components']['schemas']
    table = make(client, game='toy')[1]['id']
    right = {'steps': 'bid-1', 'seat': 0, 'text': 'x', 'name': 'x', 'game': 'toy', 'yes': True, 'targets': [], 'labels': [],  # noqa: E501
             'element': 'x',
             'favourite': 'x', 'invite': 'x'}  # fmt: skip
    seen = turn = 0
    for method, template in writing():
        operation = app.openapi()['paths'].get(template, {}).get(method.lower(), {})
        reference = (
            operation.get('requestBody', {})
            .get('content', {})
            .get('application/json', {})
            .get('schema', {})
            .get('$ref')
        )
        if not reference or template.endswith(('/resign', '/leave')):
            continue
        fields = schemas[reference.rpartition('/')[2]]['properties']
        for field in (*fields, 'settings', 'options', '\\ud800', '\\u0000'):
            given = {key: value for key, value in right.items() if key in fields and key != field}
            turn += 1
            for value in STRANGE[width(turn % 5, 0) :: width(5, 1)]:
                body = json.dumps(given)[:-1] + (', ' if given else '') + f'"{field}": {value}}}'
                headers = {'Content-Type': 'application/json'}
                answer = client.request(method, at(template, table), content=body.encode(), headers=headers)
                is_sentence(answer, (template, field, value[:20]))
                seen += 1
    assert seen > width(200, 1000)
    assert client.get(f'/tables/{table}', headers={'Accept': 'text/html'}).status_code == 200


@pytest.mark.parametrize('value', ['\\ud800', '\\u0000', '\\u202e', '\\u0007\\u0007'])
def test_names_settings_options_and_talk_of_strange_letters_break_no_page(guest: Guest, value: str) -> None:
    client = guest()
    path, view = make(client)
    headers = {'Content-Type': 'application/json'}
    for method, where, body in (
        ('PATCH', '/api/me', '{"name": "a%sb"}'),
        ('PATCH', '/api/me', '{"settings": {"theme": "%s"}}'),
        ('PATCH', '/api/me', '{"settings": {"%s": true}}'),
        ('POST', f'{path}/chat', '{"text": "a%sb"}'),
        ('POST', '/api/tables', '{"game": "octiles", "options": {"%s": 1}}'),
        ('POST', '/api/tables', '{"game": "octiles", "options": {"repetition": ["%s"]}}'),
    ):
        is_sentence(client.request(method, where, content=(body % value).encode(), headers=headers), body)
    for where in ('/', f'/tables/{view["id"]}', f'{path}/chat', f'{path}/export', '/api/tables'):
        answer = client.get(where, headers={'Accept': 'text/html'})
        assert answer.status_code == 200
        assert not any(letter in answer.text for letter in '\x00\x07'), where


# ---- the socket --------------------------------------------------------------------------------------------

SAID = (*(body.decode('latin-1') for body in BODIES), *STRANGE, '[' * 8000, 'x' * 9000, HUGE)


@pytest.mark.parametrize('first', [True, False])
def test_what_no_page_says_ends_the_line_with_a_sentence(guest: Guest, first: bool) -> None:
    client = guest()
    table = make(client, game='toy')[1]['id']
    everything: tuple[str | bytes, ...] = (*SAID, b'\x00\xff', b'{}')
    for said in everything:
        with client.websocket_connect(f'/tables/{table}/live', headers=ORIGIN) as socket:
            if not first:
                socket.send_text('{}')
                socket.receive_text()
            if isinstance(said, bytes):
                socket.send_bytes(said)
            elif said == '{}':
                continue
            else:
                socket.send_text(said)
            try:
                json.loads(said)
                fine = isinstance(said, str) and said.startswith('{') and len(said) < 8000
            except (ValueError, RecursionError):
                fine = False
            if fine:
                continue
            with pytest.raises(WebSocketDisconnect) as end:
                socket.receive_text()
            assert end.value.code == 4400, said[:20]
            assert (end.value.reason or '').endswith('.'), said[:20]


def test_no_value_that_a_page_says_breaks_the_line(guest: Guest) -> None:
    client = guest()
    table = make(client, game='toy')[1]['id']
    for value in STRANGE:
        if len(value) > 8000:
            continue
        with client.websocket_connect(f'/tables/{table}/live', headers=ORIGIN) as socket:
            socket.send_text(
                f'{{"have": {value}, "turns": {value}, "seat": {value}, "here": {value}, "x": {value}}}'
            )
            assert json.loads(socket.receive_text())['ready']
            socket.send_text(f'{{"here": {value}}}')
            socket.send_text('{"here": 0}')
            while json.loads(socket.receive_text())['seat'] != 0:
                pass
