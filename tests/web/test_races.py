"""Several people, or one person twice, or a bot do something at the same time."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from ludoteca.search.thinking import _stopped
from ludoteca.store import Person, SeatPlan, Store, Table
from ludoteca.store.models import AnalysisRow, TableRow
from ludoteca.text import words
from ludoteca.web.live.bots import BotPlayer
from ludoteca.web.live.server import TableServer
from ludoteca.web.live.table import LiveTable
from ludoteca.web.serving.preparation import Preparation
from tests.waiting import until
from tests.web.conftest import ORIGIN, fresh
from tests.web.test_interface import make

Guest = Callable[..., TestClient]


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Do several things at the same time; answers in their order."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def twin(guest: Guest, client: TestClient) -> TestClient:
    """Another window of the same browser."""
    found = guest()
    for name, value in client.cookies.items():
        found.cookies.set(name, value)
    return found


def pair(guest: Guest, **body: object) -> tuple[str, TestClient, TestClient]:
    """A running match of two: its path, who is to move, and the other."""
    host, friend = guest(), guest()
    path, view = make(host, mode='link', **body)
    friend.post('/api/join', json={'invite': view['invite']['token']})
    return (path, host, friend) if host.get(path).json()['may_act'] else (path, friend, host)


def test_two_settings_that_are_changed_at_once_are_both_kept(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = guest()
    client.patch('/api/me', json={'settings': {'sound': True}})
    both, change = threading.Barrier(2), Store.change_person

    def after_both_have_read(*args: Any) -> Person:
        both.wait(20)
        return change(*args)

    monkeypatch.setattr(Store, 'change_person', after_both_have_read)
    at_once(
        lambda: client.patch('/api/me', json={'settings': {'theme': 'dark'}}),
        lambda: twin(guest, client).patch('/api/me', json={'settings': {'coordinates': False}}),
    )
    settings = client.get('/api/me').json()['settings']
    assert (settings['theme'], settings['coordinates'], settings['sound']) == ('dark', False, True)


@contextmanager
def listening(client: TestClient, path: str) -> Iterator[Callable[[], dict[str, Any]]]:
    """An open page: a function that waits for its next message."""
    with client.websocket_connect(f'{path.removeprefix("/api")}/live', headers=ORIGIN) as socket:
        socket.send_text(json.dumps({'have': {}, 'turns': 0, 'seat': 0}))
        yield lambda: json.loads(socket.receive_text())


# ---- people ------------------------------------------------------------------------------------------------


def test_of_two_choices_for_one_version_one_is_played(guest: Guest) -> None:
    client = guest()
    path, view = make(client)
    others = [twin(guest, client) for _ in range(3)]
    for _ in range(4):
        view = client.get(path).json()
        step = {'steps': view['legal'][0], 'version': view['version'], 'seat': view['seat']}
        codes = at_once(
            *(
                lambda one=one, step=step: one.post(f'{path}/act', json=step).status_code
                for one in (client, *others)
            )
        )
        assert sorted(codes) == [200, 409, 409, 409]
        after = client.get(path).json()
        assert len(after['draft']) + 2 * after['turns'] == len(view['draft']) + 2 * view['turns'] + 1


def test_a_seat_is_taken_once(guest: Guest) -> None:
    path, view = make(guest(), mode='link')
    token = view['invite']['token']
    guests = [guest() for _ in range(4)]
    for one in guests:
        one.get('/')
    codes = at_once(
        *(lambda one=one: one.post('/api/join', json={'invite': token}).status_code for one in guests)
    )
    assert sorted(codes) == [200, 400, 400, 400]
    assert sum(one.get(path).status_code == 200 for one in guests) == 1


def test_a_new_guest_who_clicks_twice_is_one_person_and_keeps_the_seat(guest: Guest) -> None:
    path, view = make(guest(), mode='link')
    link = view['invite']['url'].removeprefix('http://127.0.0.1:8000')
    friend = guest()
    assert 'Sit down' in friend.get(link, headers={'Accept': 'text/html'}).text
    windows = [friend, twin(guest, friend)]
    codes = at_once(*(lambda one=one: one.post(link, follow_redirects=False).status_code for one in windows))
    assert codes == [303, 303]
    assert len({one.get('/api/me').json()['id'] for one in windows}) == 1
    assert all(one.get(path).json()['your_seats'] for one in windows)


def test_a_bot_and_a_guest_do_not_get_the_same_seat(guest: Guest) -> None:
    for _ in range(4):
        host, friend = guest(), guest()
        path, view = make(host, mode='link')
        token = view['invite']['token']
        codes = at_once(
            lambda: friend.post('/api/join', json={'invite': token}).status_code,  # noqa: B023 (done at once)
            lambda: host.post(f'{path}/fill', json={'level': 'beginner'}).status_code,  # noqa: B023
        )
        assert sorted(codes) == [200, 400]
        kinds = [seat['kind'] for seat in host.get(path).json()['seats']]
        assert sorted(kinds) == (['person', 'person'] if codes[0] == 200 else ['bot', 'person'])
        assert host.get(path).json()['ready']


def test_a_rematch_that_both_want_at_once_is_one_table(guest: Guest) -> None:
    path, first, second = pair(guest)
    assert first.post(f'{path}/rematch').status_code == 400, 'the match is not over'
    first.post(f'{path}/resign', json={})
    with listening(second, path) as message:
        assert 'data-act="rematch"' in message()['fragments']['result']
        made = at_once(
            *(lambda one=one: one.post(f'{path}/rematch').json() for one in (first, second, first, second))
        )
        found = [one for one in made if one['id']]  # who was first waited for the other
        assert len({json.dumps(one) for one in found}) == 1
        while 'rematch' not in (said := message()):
            pass
        assert said['rematch'] == found[0]['url']
    for one in (first, second):
        again = one.get(f'/api/tables/{found[0]["id"]}').json()
        assert again['status'] == 'running'
        assert len(again['your_seats']) == 1
        assert (
            len([table for table in one.get('/api/tables').json()['mine'] if table['status'] == 'running'])
            == 1
        )


def test_a_page_of_a_table_that_is_closed_says_so(guest: Guest) -> None:
    host, friend, third = guest(), guest(), guest()
    path, view = make(host, mode='link', players=3)
    token = view['invite']['token']
    friend.post('/api/join', json={'invite': token})
    with listening(friend, path) as message:
        assert 'data-act="leave"' in message()['fragments']['status']
        assert host.post(f'{path}/leave').json()['status'] == 'closed'
        said = message()
        assert 'has closed this table' in said['fragments']['prompt']
        assert 'data-act="leave"' not in said['fragments']['status']
        for what, body in (
            ('act', {'steps': 'a2:0'}),
            ('leave', {}),
            ('colour', {'seat': 1, 'colour': 'red'}),
            ('resign', {}),
            ('hint', {}),
            ('rematch', {}),
        ):
            answer = friend.post(f'{path}/{what}', json=body)
            assert answer.status_code == 400
            assert answer.json()['detail'] == words('store.error.closed_table'), what
    assert third.post('/api/join', json={'invite': token}).status_code == 400
    assert third.get(f'/join/{token}', headers={'Accept': 'text/html'}).status_code == 404
    assert 'invite' not in host.get(path).json()


def test_what_was_read_last_of_a_table_counts(
    app: FastAPI, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two readings overlap, and the one that began first ends last."""
    _, view = make(guest(), mode='link')
    server: TableServer = app.state.server
    live = server._tables[view['id']]
    read, first = server.store.table, threading.Event()

    def slow(table_id: str) -> Table | None:
        found = read(table_id)
        if not first.is_set():
            first.set()
            time.sleep(0.3)
        return found

    monkeypatch.setattr(server.store, 'table', slow)
    reading = app.state.portal.start_task_soon(server.refresh, live)
    assert first.wait(5)
    server.store.join(view['id'], server.store.new_person('Bob').id, view['invite']['token'])
    app.state.portal.call(server.refresh, live)
    reading.result(5)
    assert live.table.status == 'running'


# ---- drafts are nobody else's ------------------------------------------------------------------------------


def test_a_page_is_not_told_of_drafts_of_others(guest: Guest) -> None:
    path, mover, other = pair(guest)
    with listening(other, path) as message:
        before = message()
        for _ in range(3):
            step = mover.get(path).json()['legal'][-1]
            assert mover.post(f'{path}/act', json={'steps': step}).status_code == 200
            assert mover.post(f'{path}/undo', json={}).status_code == 200
        mover.post(f'{path}/chat', json={'text': 'Hm.'})
        said = message()
        assert list(said['fragments']) == ['chat']
        assert said['serial'] == before['serial'] + 1
        assert said['version'] == before['version']


# ---- bots --------------------------------------------------------------------------------------------------


class Slow:
    """A bot that thinks until it is told to go on or stopped, and then takes the first legal action; bids
    come at once."""

    def __init__(self) -> None:
        self.thinking, self.go = threading.Event(), threading.Event()
        self.stopped = 0

    def choose(self, game: Any, state: Any, seat: int, seed: int, deadline: float | None) -> int:
        out = np.empty(game.max_legal, np.int32)
        game.kernels.legal_actions(state, out)
        if int(state.phase) not in game.sealed:
            self.thinking.set()
            while not self.go.wait(0.005):
                if _stopped.get()():
                    self.stopped += 1
                    break
        return int(out[0])


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    found = Slow()
    monkeypatch.setattr('ludoteca.work.jobs.make_bot', lambda level: found)
    yield found
    found.go.set()


def bot_thinks(client: TestClient, slow: Slow, **body: object) -> tuple[str, dict[str, Any]]:
    """A table at which a bot has begun to think."""
    while True:
        path, view = make(client, mode='bot', **body)
        if view['may_act']:
            hint = client.post(f'{path}/hint', json={}).json()
            view = client.post(f'{path}/act', json={'steps': hint['turn']}).json()
        if slow.thinking.wait(5):
            return path, client.get(path).json()


def test_who_resigns_while_a_bot_thinks_has_resigned(app: FastAPI, guest: Guest, slow: Slow) -> None:
    client = guest()
    path, view = bot_thinks(client, slow)
    after = client.post(f'{path}/resign', json={}).json()
    assert after['result']['ending'] == 'resigned'
    live = app.state.server._tables[view['id']]
    until(lambda: app.state.server.bots.is_idle(live))
    assert slow.stopped == 1, 'it thought on about a match that is over'
    slow.go.set()
    now = client.get(path).json()
    assert (now['turns'], now['status']) == (view['turns'], 'finished')
    assert live.thinking is None


def test_a_turn_is_taken_back_while_the_bot_thinks_about_the_answer(
    app: FastAPI, guest: Guest, slow: Slow
) -> None:
    client = guest()
    while True:  # until this guest is the first to move, and not the last of the round
        slow.thinking.clear()
        path, view = make(client, game='toy', mode='bot', players=3)
        view = client.post(f'{path}/act', json={'steps': 'bid-3'}).json()
        until(lambda: client.get(path).json()['turns'] == 3)  # noqa: B023
        view = client.get(path).json()
        if view['may_act'] and view['turns'] == 3:
            break
        slow.go.set()
        client.post(f'{path}/resign', json={})
        slow.go.clear()
    drop = view['legal'][0]
    view = client.post(f'{path}/act', json={'steps': drop}).json()
    view = client.post(f'{path}/act', json={'steps': view['legal'][0]}).json()
    assert view['turns'] == 4
    assert slow.thinking.wait(5)
    live = app.state.server._tables[view['id']]
    assert 'thinking' in client.get(f'/tables/{view["id"]}/view').json()['fragments']['players']
    back = client.post(f'{path}/takeback', json={}).json()
    assert back['done']
    assert (back['turns'], back['may_act'], back['draft']) == (3, True, [])
    assert 'thinking' not in client.get(f'/tables/{view["id"]}/view').json()['fragments']['players']
    until(lambda: app.state.server.bots.is_idle(live))
    assert slow.stopped == 1
    slow.go.set()
    # it goes on from here as if nothing had been
    view = client.post(f'{path}/act', json={'steps': back['legal'][-1]}).json()
    client.post(f'{path}/act', json={'steps': view['legal'][0]})
    until(lambda: client.get(path).json()['turns'] > 5)


def test_a_bot_does_not_miss_its_turn_when_it_looks_at_the_wrong_moment(
    app: FastAPI, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bots see that it is not their turn; before they have gone to sleep, a person has moved."""
    client = guest()
    looked = BotPlayer._look
    moving: list[str] = []

    async def look(self: BotPlayer, live: LiveTable) -> Any:
        found = await looked(self, live)
        if found is None and moving:
            path, body = f'/api/tables/{live.id}/act', {'steps': moving.pop()}
            answer = await asyncio.to_thread(client.post, path, json=body)
            assert answer.status_code == 200
        return found

    monkeypatch.setattr(BotPlayer, '_look', look)
    path, view = make(client, mode='bot', level='beginner')
    until(lambda: client.get(path).json()['may_act'])
    view = client.get(path).json()
    hint = client.post(f'{path}/hint', json={}).json()
    moving.append(hint['turn'])
    app.state.portal.call(app.state.server.bots.wake, app.state.server._tables[view['id']])
    until(lambda: client.get(path).json()['turns'] >= view['turns'] + 2)


class Broken:
    """A bot that chooses what is not legal."""

    def choose(self, game: Any, state: Any, seat: int, seed: int, deadline: float | None) -> int:
        return -7


def test_a_bot_that_chooses_nonsense_does_not_stop_the_game(
    guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludoteca.search import make_bot

    monkeypatch.setattr(
        'ludoteca.work.jobs.make_bot',
        lambda level: make_bot('beginner') if level == 'easy' else Broken(),
    )
    client = guest()
    path, view = make(client, mode='bot', level='medium')
    until(lambda: client.get(path).json()['may_act'])
    view = client.get(path).json()
    client.post(f'{path}/act', json={'steps': client.post(f'{path}/hint', json={}).json()['turn']})
    until(lambda: client.get(path).json()['turns'] == view['turns'] + 2)


# ---- before the rules are there, and after the server was killed -------------------------------------------


def test_a_table_begins_at_once_while_the_rules_are_being_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weak bots play; a strong one waits, and its table says so."""
    monkeypatch.setattr(Preparation, 'skip', lambda self: None)
    with TestClient(fresh(tmp_path), headers=ORIGIN) as client:
        path, weak = make(client, mode='bot', level='beginner')
        assert (weak['ready'], weak['status']) == (True, 'running')
        until(lambda: client.get(path).json()['may_act'])
        view = client.get(path).json()
        client.post(f'{path}/act', json={'steps': client.post(f'{path}/hint', json={}).json()['turn']})
        until(lambda: client.get(path).json()['turns'] == view['turns'] + 2)

        strong, view = make(client, mode='bot', level='expert')
        page = strong.removeprefix('/api') + '/view'
        if view['may_act']:
            client.post(
                f'{strong}/act', json={'steps': client.post(f'{strong}/hint', json={}).json()['turn']}
            )
        turns = client.get(strong).json()['turns']
        until(lambda: 'Getting ready' in client.get(page).json()['fragments']['status'])
        assert (
            'Getting ready'
            not in client.get(path.removeprefix('/api') + '/view').json()['fragments']['status']
        )
        assert client.get(strong).json()['turns'] == turns
        server = client.app.state.server  # type: ignore[attr-defined]
        assert client.portal is not None
        client.portal.call(server.preparation._mark, view['game'])
        until(lambda: client.get(strong).json()['turns'] == turns + 1)
        assert 'Getting ready' not in client.get(page).json()['fragments']['status']


def test_a_full_table_whose_match_has_not_begun_begins_when_the_server_starts(tmp_path: Path) -> None:
    with TestClient(fresh(tmp_path), headers=ORIGIN) as client:
        path, view = make(client, mode='link')
        store = client.app.state.server.store  # type: ignore[attr-defined]
        store.fill(view['id'], 1, SeatPlan('bot', level='beginner'), begin=False)
        assert client.get(path).json()['status'] == 'open'
        cookies = dict(client.cookies)
    with TestClient(fresh(tmp_path), headers=ORIGIN, cookies=cookies) as client:
        until(lambda: client.get(path).json()['status'] == 'running')
        until(lambda: client.get(path).json()['may_act'])


def test_the_match_of_a_game_that_is_gone_is_frozen_after_a_restart_and_keeps_no_other_from_going_on(
    tmp_path: Path,
) -> None:
    with TestClient(fresh(tmp_path), headers=ORIGIN) as client:
        path, gone = make(client, mode='here')
        board = client.post('/api/analyses', json={'table': gone['id']}).json()['id']
        store = client.app.state.server.store  # type: ignore[attr-defined]
        with store._database.write() as session:
            row = session.get_one(TableRow, gone['id'])
            row.game, row.setup = 'nimble', {**row.setup, 'game': 'nimble'}
            session.get_one(AnalysisRow, board).game = 'nimble'
        cookies = dict(client.cookies)
    with TestClient(fresh(tmp_path), headers=ORIGIN, cookies=cookies) as client:
        store = client.app.state.server.store  # type: ignore[attr-defined]
        until(lambda: store.table(gone['id']).status == 'frozen')
        assert client.get(path).json()['detail'].startswith("There is no game 'nimble'; the games are: ")
        assert 'nimble' in client.get('/analysis').text


def test_chat_and_links_are_there_again_after_a_restart(tmp_path: Path) -> None:
    with TestClient(fresh(tmp_path), headers=ORIGIN) as client:
        path, view = make(client, mode='link', players=3)
        for k in range(3):
            assert client.post(f'{path}/chat', json={'text': f'line {k}'}).json() == {'number': k}
        cookies = dict(client.cookies)
    with TestClient(fresh(tmp_path), headers=ORIGIN, cookies=cookies) as client:
        after = client.get(path).json()
        assert after['invite'] == view['invite']
        text = client.get(path.removeprefix('/api'), headers={'Accept': 'text/html'}).text
        assert '/join/' in text
        assert [line['text'] for line in client.get(f'{path}/chat').json()] == ['line 0', 'line 1', 'line 2']
        assert 'line 2' in text
        assert client.post(f'{path}/chat', json={'text': 'and on'}).json() == {'number': 3}
        client.cookies.clear()
        assert client.get(path).status_code == 404
        joined = client.post('/api/join', json={'invite': view['invite']['token']}).json()
        assert 'invite' not in joined, 'the link is for the host'


def test_what_was_said_is_stored_before_anybody_is_told(
    app: FastAPI, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = guest()
    path, view = make(client)
    live = app.state.server._tables[view['id']]
    serial = live.serial

    def full(*_: object, **__: object) -> None:
        raise RuntimeError('the disk is full')

    with monkeypatch.context() as patch:
        patch.setattr(Store, 'add_chat', full)
        with pytest.raises(RuntimeError):
            client.post(f'{path}/chat', json={'text': 'lost'})
    assert (live.serial, list(live.chat)) == (serial, [])
    texts = [f'line {k}' for k in range(8)]
    at_once(*(lambda text=text: client.post(f'{path}/chat', json={'text': text}) for text in texts))
    lines = client.get(f'{path}/chat').json()
    assert [line['number'] for line in lines] == list(range(8))
    assert sorted(line['text'] for line in lines) == texts
    assert 'data-count="8"' in client.get(f'/tables/{view["id"]}/view').json()['fragments']['chat']
