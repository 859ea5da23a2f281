"""Who runs the server: what the key opens and nothing else does, what is shown there, what can be done."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sqlalchemy import update
from starlette.testclient import TestClient

from ludoteca.store import StoreError
from ludoteca.store.models import TableRow
from ludoteca.store.store import Store
from ludoteca.text import words
from ludoteca.web.people.operator import COOKIE, Operator, key_of_folder
from ludoteca.web.serving import logs, metrics, tracing
from tests.waiting import until
from tests.web.client import Client
from tests.web.conftest import OPERATOR, ORIGIN, fresh
from tests.web.test_interface import make
from tests.web.test_races import listening, pair

Guest = Callable[..., TestClient]
Program = Callable[..., TestClient]
READ = ('/operator', '/metrics')


@pytest.fixture
def operator(guest: Guest) -> TestClient:
    """A browser in which the key was given."""
    client = guest(Accept='text/html')
    answer = client.post('/operator/login', data={'key': OPERATOR}, follow_redirects=False)
    assert (answer.status_code, answer.headers['location']) == (303, '/operator')
    return client


@pytest.fixture(autouse=True)
def often(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests show the key more often than people do."""
    monkeypatch.setattr(app.state.buckets['operator'], 'take', lambda key: True)


def figures(client: TestClient) -> dict[str, float]:
    """All metrics by name and labels."""
    text = client.get('/metrics', headers={'Authorization': f'Bearer {OPERATOR}'}).text
    pairs = (line.rsplit(' ', 1) for line in text.splitlines() if line and not line.startswith('#'))
    return {name: float(value) for name, value in pairs}


# ---- the key -----------------------------------------------------------------------------------------------


def test_without_a_key_there_is_no_operators_page(tmp_path: Path) -> None:
    with Client(fresh(tmp_path), headers=ORIGIN) as client:
        for path in (*READ, '/operator/login'):
            for headers in ({}, {'Authorization': 'Bearer '}, {'Authorization': f'Bearer {OPERATOR}'}):
                assert client.get(path, headers=headers).status_code == 404
        assert client.post('/operator/login', data={'key': ''}).status_code == 404
        assert client.post('/operator/tables/x/close').status_code == 404


def test_nobody_but_the_operator_is_let_in(app: FastAPI, guest: Guest, program: Program) -> None:
    person = guest()
    path, view = make(person, game='toy', mode='here')
    token = person.post(f'{path}/tokens', json={'seat': 0}).json()['token']
    forged = Operator('x' * 32).cookie(False).partition(';')[0].partition('=')[2]
    for asker in (person, program(token), program(OPERATOR[:-1]), program()):
        assert asker.get('/metrics').status_code == 403
        assert asker.get('/operator', follow_redirects=False).headers['location'] == '/operator/login'
    person.cookies.set(COOKIE, forged)
    for act in (f'tables/{view["id"]}/close', 'people/x/mute', 'logout'):
        for asker in (person, program(token), program(OPERATOR[:-1]), program()):
            assert asker.post(f'/operator/{act}').status_code == 403
    refused = person.post('/operator/login', data={'key': OPERATOR[:-1]})
    assert refused.status_code == 403
    assert words('operator.error.wrong') in refused.text
    assert 'type="password"' in refused.text, 'it can be typed again'
    assert not refused.cookies
    assert person.get(path).json()['status'] == 'running'


def test_the_key_is_in_a_body_once_and_nowhere_else(operator: TestClient) -> None:
    assert operator.get('/operator').status_code == 200
    cookie = operator.cookies.get(COOKIE) or ''
    assert cookie
    assert OPERATOR not in cookie + operator.get('/operator').text
    assert 'type="password"' in operator.get('/operator/login').text
    header = Operator(OPERATOR).cookie(True)
    assert {'HttpOnly', 'SameSite=Strict', 'Secure', 'Path=/operator'} <= {*header.split('; ')}
    assert operator.get('/operator', params={'key': OPERATOR}).status_code == 200
    operator.post('/operator/logout', follow_redirects=False)
    assert operator.get('/operator', follow_redirects=False).status_code == 303


def test_another_sites_page_cannot_act_for_the_operator(operator: TestClient) -> None:
    path, view = make(operator, game='toy', mode='here')
    answer = operator.post(
        f'/operator/tables/{view["id"]}/close', headers={'Origin': 'https://elsewhere.example'}
    )
    assert answer.status_code == 403
    assert operator.get(path).json()['status'] == 'running'


def test_a_wrong_key_can_be_tried_a_few_times_only(tmp_path: Path) -> None:
    with Client(fresh(tmp_path, operator_key=OPERATOR), headers=ORIGIN) as client:
        tried = [client.post('/operator/login', data={'key': 'x'}).status_code for _ in range(8)]
    assert (tried[0], tried[-1]) == (403, 429)


def test_the_key_is_drawn_once_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('LUDOTECA_DATA', str(tmp_path))
    assert key_of_folder() == ''
    key = key_of_folder(make=True)
    assert len(key) == 64
    assert key_of_folder() == key_of_folder(make=True) == key
    assert (tmp_path / 'operator.key').stat().st_mode & 0o077 == 0


# ---- what is shown -----------------------------------------------------------------------------------------


def test_the_page_shows_tables_and_nothing_that_happens_at_them(operator: TestClient, guest: Guest) -> None:
    path, one, _ = pair(guest, game='toy')
    one.patch('/api/me', json={'name': 'Ann & <b>'})
    one.post(f'{path}/chat', json={'text': 'between us two'})
    table = path.rpartition('/')[2]
    with listening(one, path) as hear:
        hear()
        text = operator.get('/operator').text
    row = re.search(rf'<li><div><strong>[^<]*</strong> <code>{table}</code>.*?</details>', text, re.S)
    assert row is not None
    assert 'Ann &amp; &lt;b&gt;' in row[0]
    assert '2 players, people: 2' in row[0]
    assert 'open pages: 1' in row[0]
    for secret in ('between us', '/join/', '/watch/', 'bid'):
        assert secret not in text
    assert 'seed' not in row[0]


def test_what_one_seat_does_in_secret_moves_nothing_that_an_operator_sees(
    operator: TestClient, guest: Guest
) -> None:
    """An operator may sit at the table, too: only requests are counted, whatever they are about."""
    path, one, two = pair(guest, game='toy')

    def seen() -> tuple[str, dict[str, float]]:
        page = re.sub(r'\d+ (s|min) ago', '', operator.get('/operator').text)
        row = re.search(rf'<code>{path.rpartition("/")[2]}</code>.*?</details>', page, re.S)
        assert row is not None
        found = figures(operator)
        own = {name: value for name, value in found.items() if name.startswith('ludoteca_')}
        return row[0], {name: value for name, value in own.items() if not name.startswith('ludoteca_request')}

    before = seen()
    for steps in ('bid-1', 'bid-2'):  # the first is sealed, the second then reveals both
        assert (seen() == before) == (steps == 'bid-1')
        mover = one if one.get(path).json()['may_act'] else two
        seat = mover.get(path).json()['your_seats'][0]
        assert mover.post(f'{path}/act', json={'steps': steps, 'seat': seat}).status_code == 200
        if steps == 'bid-1':
            assert seen() == before, 'a sealed choice is no turn'
            before = ('', {})
    assert seen()[1]['ludoteca_turns_total{by="person",game="toy"}'] >= 1


def test_figures_have_no_names_keys_or_addresses(
    operator: TestClient, guest: Guest, program: Program
) -> None:
    host = guest()
    path, view = make(host, game='toy', mode='link')
    host.patch('/api/me', json={'name': 'Narcissus'})
    invite = view['invite']['token']
    guest().get(f'/join/{invite}')
    guest().get(f'/watch/{invite}')
    guest().get('/nowhere/narcissus')
    token = host.post(f'{path}/tokens', json={'seat': 0}).json()['token']
    program(token).get(path)
    host.request('NARCISSUS', '/')
    text = operator.get('/metrics', headers={'Authorization': f'Bearer {OPERATOR}'}).text
    for secret in (view['id'], invite, token, 'arcissus', 'NARCISSUS', OPERATOR, 'testclient'):
        assert secret not in text
    labels = {name for found in re.findall(r'\{([^}]*)\}', text) for name in re.findall(r'(\w+)="', found)}
    assert labels | {'kind'} == {'method', 'route', 'status', 'game', 'by', 'le', 'kind'}
    assert 'route="/join/{token}"' in text


def test_figures_count_what_is_done(operator: TestClient, guest: Guest, app: FastAPI) -> None:
    before = figures(operator)
    client = guest()
    path, view = make(client, game='toy', mode='bot', level='beginner')
    live = app.state.server._tables[view['id']]
    until(lambda: app.state.server.bots.is_idle(live))
    with listening(client, path) as hear:
        hear()
        after = figures(operator)
    assert after['ludoteca_sockets'] == before['ludoteca_sockets'] + 1
    assert after['ludoteca_bot_wait_seconds_count'] > before['ludoteca_bot_wait_seconds_count']
    made = 'ludoteca_requests_total{method="POST",route="/api/tables",status="201"}'
    assert after[made] == before.get(made, 0) + 1
    assert after['ludoteca_request_seconds_count{route="/api/tables"}'] >= 1
    assert after['ludoteca_live_tables'] >= 1
    assert {'ludoteca_bots_thinking', 'ludoteca_bots_waiting', 'ludoteca_storage_errors_total'} <= set(after)
    assert after['ludoteca_job_wait_seconds_count{kind="turn"}'] >= 1
    assert {'ludoteca_jobs_given', 'ludoteca_jobs_waiting', 'ludoteca_workers'} <= set(after)
    assert after['process_resident_memory_bytes'] > 1e6 if Path('/proc').exists() else True


def test_a_database_that_cannot_be_read_is_said_and_counted(
    operator: TestClient, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise StoreError(words('store.error.not_read'))

    before = figures(operator)['ludoteca_storage_errors_total']
    for name in ('check', 'count_by_status'):
        monkeypatch.setattr(Store, name, broken)
    guest().get('/api/ready')
    assert figures(operator)['ludoteca_storage_errors_total'] == before + 1
    answer = operator.get('/operator')
    assert answer.status_code == 200
    assert words('store.error.not_read') in answer.text


def test_problems_are_kept_without_what_they_were_about(app: FastAPI) -> None:
    problems = logs.Problems(most=2)
    log = logging.Logger('test')
    log.addHandler(problems)
    log.info('nothing')
    for table in ('one', 'two'):
        try:
            raise ValueError('tulip')
        except ValueError:
            log.exception('The bots at table %s stopped', table)
    log.warning('Slow')
    log.warning('Slower')
    assert [(one.message, one.count) for one in problems.last()] == [('Slower', 1), ('Slow', 1)]
    log.warning('It tries again in %g s, the %d. time, %.1f %% done', 0.5, 2, 7.0)
    assert problems.last()[0].message == 'It tries again in … s, the …. time, … %% done'
    assert 'tulip' not in str(problems.last())


# ---- what can be done --------------------------------------------------------------------------------------


def test_a_table_of_a_game_that_is_gone_is_on_no_list_and_can_be_closed(
    operator: TestClient, guest: Guest, app: FastAPI
) -> None:
    """Somebody's own game, say, of which the folder was taken away."""
    client = guest()
    made = client.post('/api/tables', json={'game': 'toy', 'mode': 'open'}).json()
    with app.state.server.store._database.write() as session:
        session.execute(update(TableRow).where(TableRow.id == made['id']).values(game='nimble'))
    for one in (client, guest()):
        assert made['id'] not in one.get('/').text
        assert made['id'] not in one.get('/api/tables').text
        assert one.get('/').status_code == 200
    shown = operator.get('/operator')
    assert (shown.status_code, 'nimble' in shown.text) == (200, True)
    assert operator.post(f'/operator/tables/{made["id"]}/close').status_code == 200
    assert made['id'] not in operator.get('/operator').text


def test_who_wrote_at_a_table_that_is_over_can_be_muted(operator: TestClient, guest: Guest) -> None:
    path, one, _ = pair(guest, game='octiles')
    one.patch('/api/me', json={'name': 'Rudolf'})
    one.post(f'{path}/resign', json={})
    assert 'Rudolf' not in operator.get('/operator').text
    one.post(f'{path}/chat', json={'text': 'hello'})
    shown = operator.get('/operator').text
    assert words('operator.speakers') in shown
    mute = re.search(r'Rudolf</span><form method="post" action="(/operator/people/[^"]+/mute)"', shown)
    assert mute is not None
    operator.post(mute[1], data={'muted': 'true'})
    assert one.post(f'{path}/chat', json={'text': 'hello'}).status_code == 403
    shown = operator.get('/operator').text
    assert shown.count('Rudolf</span><form') == 1, 'among the muted only'


def test_tables_that_are_not_shown_are_counted_and_the_oldest_can_be_reached(
    operator: TestClient, guest: Guest, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr('ludoteca.web.routes.operator.SHOWN', 1)
    tables = [make(guest())[1]['id'] for _ in range(3)]
    rest = len(app.state.server.store.overviews(10_000)) - 1
    newest, oldest = operator.get('/operator').text, operator.get('/operator?order=oldest').text
    assert words('operator.rest', n=rest) in newest
    assert 'href="/operator?order=oldest"' in newest
    assert [table in newest for table in tables] == [False, False, True]
    assert app.state.server.store.overviews(1, oldest=True)[0].id in oldest
    assert tables[2] not in oldest


def test_a_closed_table_says_so_and_keeps_its_match(operator: TestClient, guest: Guest, app: FastAPI) -> None:
    path, one, two = pair(guest, game='octiles')
    table = path.rpartition('/')[2]
    one.post(f'{path}/act', json={'steps': one.get(path).json()['legal'][0]})
    log = app.state.server.store.log(table)
    with listening(two, path) as hear:
        hear()
        assert operator.post(f'/operator/tables/{table}/close').status_code == 200
        assert words('operator.closed') in hear()['fragments']['prompt']
    for client in (one, two):
        assert words('operator.closed') in client.get(path.removeprefix('/api')).text
        answer = client.post(f'{path}/act', json={'steps': 'a2:2'})
        assert (answer.status_code, answer.json()['detail']) == (400, words('operator.closed'))
    assert app.state.server.store.log(table) == log
    assert table not in app.state.server.store.running()
    assert table not in operator.get('/operator').text
    assert operator.post(f'/operator/tables/{table}/close').status_code == 400
    assert operator.post('/operator/tables/nowhere/close').status_code == 404


def test_a_turn_that_is_on_its_way_does_not_open_a_closed_table(guest: Guest, app: FastAPI) -> None:
    path, one, _ = pair(guest, game='octiles')
    table, store = path.rpartition('/')[2], app.state.server.store
    live = store.live(table)
    store.close_table(table, words('operator.closed'))
    seat = one.get(path).json()['your_seats'][0]
    with pytest.raises(ValueError, match='has closed this table'):
        live.change(lambda match: match.act(seat, None, match.names(seat)[0]))
    assert store.table(table).status == 'closed'


def test_a_waiting_table_that_is_closed_takes_nobody(operator: TestClient, guest: Guest) -> None:
    host = guest()
    path, view = make(host, game='toy', mode='link')
    operator.post(f'/operator/tables/{view["id"]}/close')
    answer = guest().post('/api/join', json={'invite': view['invite']['token']})
    assert answer.status_code in (400, 404)
    assert words('operator.closed') in host.get(path.removeprefix('/api')).text


def test_who_is_muted_is_told_and_not_heard(operator: TestClient, guest: Guest, program: Program) -> None:
    path, one, two = pair(guest, game='toy')
    person = one.patch('/api/me', json={'name': 'Ann'}).json()['id']
    token = one.post(f'{path}/tokens', json={}).json()['token']
    operator.post(f'/operator/people/{person}/mute', data={'muted': 'true'})
    for client in (one, program(token)):
        answer = client.post(f'{path}/chat', json={'text': 'Hello'})
        assert (answer.status_code, answer.json()['detail']) == (403, words('web.chat.muted'))
    assert two.post(f'{path}/chat', json={'text': 'Hello'}).status_code == 200
    # it stays so whatever the person changes, and the person is told nothing else of it
    changed = one.patch('/api/me', json={'name': 'Bob', 'settings': {'theme': 'dark'}})
    assert 'muted' not in changed.text
    assert one.patch('/api/me', json={'settings': {'muted': False}}).status_code in (200, 400)
    assert one.post(f'{path}/chat', json={'text': 'Hello'}).status_code == 403
    operator.post(f'/operator/people/{person}/mute', data={'muted': 'false'})
    assert one.post(f'{path}/chat', json={'text': 'Hello'}).status_code == 200
    assert one.get('/api/me').json()['settings']['theme'] == 'dark'


# ---- logs and traces ---------------------------------------------------------------------------------------


def played(guest: Guest, program: Program) -> tuple[str, list[str]]:
    """A whole game with secrets, tokens and links, and all that may not be read of it."""
    path, one, two = pair(guest, game='toy')
    one.patch('/api/me', json={'name': 'Narcissus'})
    secrets = ['Narcissus', path.rpartition('/')[2], 'among ourselves']
    one.post(f'{path}/chat', json={'text': 'among ourselves'})
    players = {}
    for client in (one, two):
        seat = client.get(path).json()['your_seats'][0]
        token = client.post(f'{path}/tokens', json={'seat': seat}).json()['token']
        players[seat] = program(token)
        secrets += [token, client.cookies['ludoteca']]
    link = re.search(r'/watch/([\w-]+)', one.get(path).json()['link'])
    assert link is not None
    secrets.append(link[1])
    guest().get(f'/watch/{link[1]}')
    guest().get('/join/narcissus-narcissus')
    for _ in range(12):
        for seat, player in players.items():
            view = player.get(path).json()
            if view['legal']:
                player.post(f'{path}/act', json={'steps': view['legal'][-1], 'version': view['version']})
                player.post(f'{path}/act', json={'steps': f'no-{view["legal"][-1]}', 'seat': seat})
    one.post(f'{path}/resign', json={})
    return path, [*secrets, 'narcissus', 'bid-', 'drop', OPERATOR]


def test_a_log_holds_no_secrets(guest: Guest, program: Program, app: FastAPI) -> None:
    stream, log = io.StringIO(), logging.getLogger('ludoteca')
    handler, level = logging.StreamHandler(stream), log.level
    handler.setFormatter(logs.JsonFormatter())
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    try:
        _, secrets = played(guest, program)
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert {'/api/tables/{table}/act', '/watch/{token}'} <= {line.get('route') for line in lines}
    assert all({'time', 'level', 'logger', 'message'} <= set(line) for line in lines)
    assert [line for line in lines if line['level'] == 'error'] == []
    assert [secret for secret in secrets if secret in stream.getvalue()] == []


def test_an_error_of_ours_is_logged_without_the_address(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError('broken')

    monkeypatch.setattr(Store, 'invited', broken)
    stream, log = io.StringIO(), logging.getLogger('ludoteca')
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonFormatter())
    log.addHandler(handler)
    try:
        client = Client(app)
        client.portal = app.state.portal
        with pytest.raises(RuntimeError):
            client.get('/join/narcissus')
    finally:
        log.removeHandler(handler)
    found = json.loads(stream.getvalue())
    assert found['message'] == 'GET /join/{token} failed'
    assert 'RuntimeError' in found['error']
    assert 'narcissus' not in stream.getvalue()


def test_requests_and_turns_are_traced_without_secrets(
    guest: Guest, program: Program, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(tracing, '_tracer', None)  # and again at the end
    tracing.set_up(exporter)
    _, secrets = played(guest, program)
    client = guest()
    _, view = make(client, game='toy', mode='bot', level='beginner')
    live = app.state.server._tables[view['id']]
    until(lambda: app.state.server.bots.is_idle(live))
    spans = exporter.get_finished_spans()
    assert {span.name for span in spans} == {'request', 'turn', 'bot turn'}
    turn = next(span for span in spans if span.name == 'turn')
    request = next(span for span in spans if turn.parent and span.context.span_id == turn.parent.span_id)
    assert str((request.attributes or {})['http.route']).startswith('/api/tables/{table}/')
    text = ' '.join(span.to_json() for span in spans)
    assert [secret for secret in secrets if secret in text] == []
    known = {'method', 'http.route', 'http.response.status_code', 'game', 'command', 'level', 'error.type'}
    assert {name for span in spans for name in span.attributes or {}} <= known


def test_without_traces_a_span_is_nothing() -> None:
    with tracing.span('turn', game='toy') as span:
        assert span is None
    assert metrics.route_of({}) == ''
