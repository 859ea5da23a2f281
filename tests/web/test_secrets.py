"""Games with secrets: the curtain between people at one screen, arrangements, notes, and what a log may
say."""

from __future__ import annotations

import json
import random
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient, WebSocketTestSession

from ludoteca.game import LAID, games, load
from ludoteca.match import SPECTATOR
from ludoteca.text import words
from ludoteca.web.table.model import with_names
from tests.toy import Toy
from tests.web.conftest import ORIGIN
from tests.web.test_interface import SMALL, make
from tests.web.test_races import pair
from tests.width import width

Guest = Callable[..., TestClient]
ARRANGED = [name for name in games() if load(name).arranged]
SETS = [name for name in games() if load(name).options.members()]


class Screen:
    """An open page that several people share."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket

    def say(self, **what: Any) -> None:
        self.socket.send_text(json.dumps(what))

    def read(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.socket.receive_text())
        return found


@contextmanager
def screen(client: TestClient, path: str, **hello: Any) -> Iterator[Screen]:
    with client.websocket_connect(f'{path.removeprefix("/api")}/live', headers=ORIGIN) as socket:
        found = Screen(socket)
        found.say(**{'have': {}, 'turns': 0, 'seat': -1, 'here': None, **hello})
        yield found


def private(app: FastAPI, table: str, seat: int) -> set[str]:
    """What is drawn for a seat and for nobody else: ids of its cards."""
    match = app.state.server._tables[table].match()
    ids = {
        other: set(re.findall(r' id="([^"]+)"', match.game.draw(match.view(other), 'page')))
        for other in (seat, SPECTATOR)
    }
    return ids[seat] - ids[SPECTATOR]


# ---- the curtain -------------------------------------------------------------------------------------------


def test_nothing_of_the_next_seat_is_sent_before_its_person_is_there(app: FastAPI, guest: Guest) -> None:
    client = guest()
    path, view = make(client, game='toy')
    table, begins = view['id'], view['seats'][0]['name']  # it was drawn
    own = [private(app, table, seat) for seat in range(2)]
    assert all(own)

    def tells(said: dict[str, Any]) -> list[int]:
        """Whose cards are in a message."""
        return [
            seat
            for seat in range(2)
            if any(f'"{card}' in json.dumps(said).replace('\\', '') for card in own[seat])
        ]

    with screen(client, path) as page:
        first = page.read()
        assert (first['curtain'], first['next'], first['who'], first['seat']) == (True, 0, begins, SPECTATOR)
        assert tells(first) == []
        assert (first['choices'], first['events'], first['mine'], first['title'][:4]) == (
            None,
            [],
            False,
            'Frui',
        )
        assert first['fragments']['drawing'] == '<div id="drawing"></div>'
        page.say(here=0)
        shown = page.read()
        assert (shown['curtain'], shown['seat'], shown['mine'], shown['sealed']) == (False, 0, True, True)
        assert '<svg' in shown['fragments']['drawing']
        assert 'Seal' in shown['fragments']['acts']
        client.post(f'{path}/act', json={'steps': 'bid-1', 'seat': 0})
        passed = page.read()
        assert (passed['curtain'], passed['next']) == (True, 1)
        # every fragment that held something of seat 0 is sent anew, without it
        kept = {name: part for name, part in shown['fragments'].items() if name not in passed['fragments']}
        assert tells({'fragments': kept}) == tells(passed) == []
        assert passed['fragments']['drawing'] == '<div id="drawing"></div>'
        page.say(here=1)
        other = page.read()
        assert (other['seat'], other['events']) == (1, [])
        assert 1 in tells(other)
        client.post(f'{path}/act', json={'steps': 'bid-2', 'seat': 1})
        # the bids are open: the winner, seat 1, goes on without a curtain
        on = page.read()
        assert (on['curtain'], on['seat'], on['turns'], on['finished']) == (False, 1, 2, 0)
        steps = client.get(path, params={'seat': 1}).json()['legal'][0]
        client.post(f'{path}/act', json={'steps': f'{steps} draw', 'seat': 1})
        # a draw shows something: whoever made it looks first
        looking = page.read()
        assert (looking['curtain'], looking['seat'], looking['mine']) == (False, 1, False)
        assert 'data-act="handover"' in looking['fragments']['acts']
        assert f'Hand over to {begins}' in looking['fragments']['acts']
        page.say(here=None)
        assert page.read()['next'] == 0
        page.say(here=0)
        back = page.read()
        assert (back['seat'], back['mine']) == (0, True)
        assert [event['kind'] for event in back['events']][-2:] == ['drop-unseen', 'draw'], (
            'what happened meanwhile'
        )


def test_a_page_opened_anew_shows_the_curtain(app: FastAPI, guest: Guest) -> None:
    client = guest()
    path, view = make(client, game='toy')
    address = path.removeprefix('/api')
    html = client.get(address, headers={'Accept': 'text/html'}).text
    assert 'id="curtain" class="curtain" aria-labelledby' in html, 'and no `hidden'
    assert 'card-apple' not in html
    assert 'card-cherry' not in html
    told = client.get(f'{address}/view').json()
    assert told['curtain']
    assert not client.get(f'{address}/view', params={'here': 0}).json()['curtain']
    client.post(f'{path}/act', json={'steps': 'bid-0', 'seat': 0})
    assert client.get(f'{address}/view', params={'here': 0}).json()['curtain'], 'seat 0 has sealed its bid'
    assert not client.get(f'{address}/view', params={'here': 1}).json()['curtain']
    with screen(client, path, here=1, seat=1) as page:
        assert page.read()['seat'] == 1, 'a line that broke goes on'
    with screen(client, path, here=7) as page:
        assert page.read()['curtain']
    # somebody who owns one seat only, or none, is never parted from anything
    host, friend = guest(), guest()
    path, view = make(host, game='toy', mode='link')
    friend.post('/api/join', json={'invite': view['invite']['token']})
    assert not host.get(f'{path.removeprefix("/api")}/view').json()['curtain']
    path, _ = make(host, game='toy', mode='bot')
    assert not host.get(f'{path.removeprefix("/api")}/view').json()['curtain']
    path, _ = make(host)
    assert not host.get(f'{path.removeprefix("/api")}/view').json()['curtain'], 'a game without secrets'


def test_behind_the_curtain_nothing_can_be_looked_at(app: FastAPI, guest: Guest) -> None:
    client = guest()
    path, view = make(client, game='toy')
    address = path.removeprefix('/api')
    curtain = client.get(f'{address}/view').json()
    assert f'href="/api{address}/export?seat=-1"' in curtain['fragments']['menu']
    assert not any(
        f'data-act="{act}"' in json.dumps(curtain).replace('\\', '')
        for act in ('resign', 'takeback', 'hint', 'undo')
    )
    match = app.state.server._tables[view['id']].match()
    for seat in range(2):
        client.post(f'{path}/act', json={'steps': 'bid-1', 'seat': seat})
    public = client.get(f'{address}/at/2').json()
    spectator = match.game.draw(with_names(match.view(SPECTATOR, at=2), ('Blue', 'Red')), 'page')
    assert public['fragments']['drawing'] == f'<div id="drawing">{spectator}</div>'
    assert client.get(f'{address}/at/2', params={'seat': 1}).json()['fragments'] != public['fragments']
    assert 'Seen by: a spectator' in client.get(f'{path}/export').text
    assert 'Seen by: seat 2' in client.get(f'{path}/export', params={'seat': 1}).text
    assert client.get(f'{path}/export', params={'seat': 2}).status_code == 403
    # when it is over there is nothing to hide
    client.post(f'{path}/resign', json={})
    assert not client.get(f'{address}/view').json()['curtain']


# ---- what a log may say ------------------------------------------------------------------------------------


def test_turns_that_may_not_be_named_are_told_by_what_was_seen(guest: Guest) -> None:
    path, mover, other = pair(guest, game='toy')
    for client, bid in ((mover, 3), (other, 0)):
        seat = client.get(path).json()['your_seats'][0]
        client.post(f'{path}/act', json={'steps': f'bid-{bid}', 'seat': seat})
    drop = mover.get(path).json()['legal'][0]
    mover.post(f'{path}/act', json={'steps': f'{drop} draw'})
    rows = other.get(f'{path.removeprefix("/api")}/view').json()['fragments']['moves']
    assert 'drops a card face down. ' in rows
    assert drop not in rows
    assert '…' not in rows
    own = f'{path.removeprefix("/api")}/view'
    assert drop.replace('drop-', 'drops a card: ') in mover.get(own).json()['fragments']['moves']
    mover.patch('/api/me', json={'settings': {'log': 'notation'}})
    assert drop in mover.get(own).json()['fragments']['moves']
    other.patch('/api/me', json={'settings': {'log': 'notation'}})
    assert 'drops a card face down. ' in other.get(own).json()['fragments']['moves']
    assert drop not in other.get(own).json()['fragments']['moves']
    # the bids have no number; the first round is one turn old
    assert re.findall(r'class="no">([^<]*)<', rows) == ['0', '', '', '1']
    assert 'round 1' in rows
    assert '1 / 1' in rows
    assert (
        'drops a card face down. '
        in other.get(f'{path.removeprefix("/api")}/at/3').json()['fragments']['prompt']
    )


# ---- arrangements ------------------------------------------------------------------------------------------


@pytest.mark.parametrize('name', ARRANGED)
def test_arrangements_are_made_kept_and_used_again(guest: Guest, name: str) -> None:
    path, one, two = pair(guest, game=name)
    before = two.get(path).json()
    view = one.get(path).json()
    assert view['arranging']
    said = one.get(f'{path.removeprefix("/api")}/view').json()
    assert said['sealed']
    assert all(f'data-act="{act}"' in said['fragments']['acts'] for act in ('shuffle', 'clear', 'confirm'))
    assert 'data-act="hint"' not in said['fragments']['acts']
    assert 'setting up' in said['fragments']['heading']
    assert one.post(f'{path}/shuffle', json={'version': view['version'] + 5}).status_code == 409
    assert one.post(f'{path}/favourites', json={'name': 'early'}).status_code == 400
    drawn = one.post(f'{path}/shuffle', json={'version': view['version']}).json()
    assert drawn['last'] in drawn['legal']
    kept = one.post(f'{path}/favourites', json={'name': ' The <i>wall</i> ', 'last': drawn['last']})
    assert kept.status_code == 201
    assert kept.json()['steps'] == ' '.join([*drawn['draft'], drawn['last']])
    assert [other['id'] for other in one.get(f'{path}/favourites').json()] == [kept.json()['id']]
    cards = one.get(f'{path.removeprefix("/api")}/view').json()['fragments']['cards']
    assert 'The &lt;i&gt;wall&lt;/i&gt;' in cards
    assert two.get(f'{path}/favourites').json() == []
    assert two.get(path).json() == before, 'nobody else sees anything of it'
    assert one.post(f'{path}/undo', json={'keep': 0}).json()['draft'] == []
    again = one.post(f'{path}/arrange', json={'favourite': kept.json()['id']}).json()
    assert (again['draft'], again['last']) == (drawn['draft'], drawn['last'])
    assert one.post(f'{path}/arrange', json={'steps': 'nonsense'}).status_code == 400
    assert two.post(f'{path}/arrange', json={'favourite': kept.json()['id']}).status_code == 400, (
        'it is not theirs'
    )
    one.post(f'{path}/act', json={'steps': again['last']})
    waiting = one.get(f'{path.removeprefix("/api")}/view').json()['fragments']
    assert 'Sealed. ' in waiting['prompt']
    assert '>sealed<' in waiting['players']
    assert '>sealed<' not in two.get(f'{path.removeprefix("/api")}/view').json()['fragments']['players']
    assert 'data-act="shuffle"' not in waiting['acts']
    assert one.post(f'{path}/shuffle', json={}).status_code == 409
    assert one.post(f'{path}/favourites', json={'name': 'late'}).status_code == 201
    two.post(f'{path}/act', json={'steps': two.post(f'{path}/shuffle', json={}).json()['last']})
    view = one.get(path).json()
    assert (view['turns'], view['finished'], view['arranging']) == (2, 0, False)
    assert 'round 1' in one.get(f'{path.removeprefix("/api")}/view').json()['fragments']['heading']
    assert one.get(f'{path}/favourites').json() == []
    assert two.post(f'{path}/forget-favourite', json={'favourite': kept.json()['id']}).json() == {
        'done': False
    }
    assert one.post(f'{path}/forget-favourite', json={'favourite': kept.json()['id']}).json() == {
        'done': True
    }


@pytest.mark.parametrize('name', ARRANGED)
def test_at_a_shared_screen_no_favourites_lie_about(guest: Guest, name: str) -> None:
    client = guest()
    path, _ = make(client, game=name, mode='bot')
    drawn = client.post(f'{path}/shuffle', json={}).json()
    client.post(f'{path}/favourites', json={'name': 'wall', 'last': drawn['last']})
    shared, _ = make(client, game=name, mode='here')
    said = client.get(f'{shared.removeprefix("/api")}/view', params={'here': 0}).json()
    assert said['seat'] == 0
    assert 'wall' not in json.dumps(said)
    assert 'favourite' not in json.dumps(said)


@pytest.mark.parametrize('name', ARRANGED)
def test_a_step_in_the_middle_is_chosen_anew(guest: Guest, name: str) -> None:
    client = guest()
    path, _ = make(client, game=name, mode='bot')
    drawn = client.post(f'{path}/shuffle', json={}).json()
    step = {'steps': drawn['last'], 'keep': 1, 'version': drawn['version']}
    changed = client.post(f'{path}/act', json={**step, 'rest': True}).json()
    assert changed['draft'][:2] == [drawn['draft'][0], drawn['last']]
    assert len(changed['draft']) > 2
    assert client.post(f'{path}/act', json={**step, 'rest': True}).status_code == 409
    nothing = client.post(
        f'{path}/redraft', json={'targets': ['el:nowhere'], 'version': changed['version']}
    ).json()
    assert not nothing['done']
    assert nothing['sentence'].endswith('.')
    assert (
        client.post(
            f'{path}/redraft', json={'targets': ['el:nowhere'], 'version': drawn['version']}
        ).status_code
        == 409
    )


@pytest.mark.parametrize('name', ARRANGED)
def test_messages_with_cards_are_small(guest: Guest, name: str) -> None:
    client, rng, most = guest(), random.Random(2), 0
    path, _ = make(client, game=name, mode='here')
    for seat in range(2):
        last = client.post(f'{path}/shuffle', json={'seat': seat}).json()['last']
        view = client.post(f'{path}/act', json={'seat': seat, 'steps': last}).json()
    for _ in range(width(25, 50)):
        here = {'here': view['seat']}
        message = client.get(f'{path.removeprefix("/api")}/view', params=here).json()
        assert message['fragments']['cards']
        most = max(most, len(zlib.compress(json.dumps(message, separators=(',', ':')).encode())))
        if view['result']:
            break
        view = client.post(f'{path}/act', json={'steps': rng.choice(view['legal'])}).json()
    assert most < SMALL


# ---- pencil marks ------------------------------------------------------------------------------------------


def test_notes_are_for_the_seat_alone_and_limited_to_what_there_is(
    app: FastAPI, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Toy, 'pencils', lambda self, view, element: ('apple', 'plum') if element == 'seat-1' else ()
    )
    drawn = Toy.draw
    monkeypatch.setattr(
        Toy,
        'draw',
        lambda self, view, theme='light': drawn(self, view, theme) + f'<!-- {dict(view.notes)} -->',
    )
    path, one, two = pair(guest, game='toy')
    address = path.removeprefix('/api')
    before = two.get(f'{address}/view').json()
    assert one.post(f'{path}/pencils', json={'element': 'seat-1'}).json() == {
        'labels': ['apple', 'plum'],
        'noted': [],
    }
    assert one.post(f'{path}/notes', json={'element': 'seat-1', 'labels': ['plum']}).json()['labels'] == [
        'plum'
    ]
    assert one.get(path).json()['notes'] == {'seat-1': ['plum']}
    assert one.post(f'{path}/pencils', json={'element': 'seat-1'}).json()['noted'] == ['plum']
    assert 'plum' in one.get(f'{address}/view').json()['fragments']['drawing'].partition('<!--')[2]
    assert two.get(f'{address}/view').json() == before
    assert two.get(path).json()['notes'] == {}
    for element, labels in (('seat-1', ['pear']), ('bag', ['plum']), ('nowhere', [])):
        answer = one.post(f'{path}/notes', json={'element': element, 'labels': labels})
        assert answer.status_code == 400
        assert answer.json()['detail'].endswith('.')
    assert guest().post(f'{path}/notes', json={'element': 'seat-1', 'labels': []}).status_code == 404
    assert one.post(f'{path}/notes', json={'element': 'seat-1', 'labels': ['x' * 50]}).status_code == 422
    # they are there again after a restart
    seat = one.get(path).json()['seat']
    assert app.state.server.store.notes(path.rpartition('/')[2]) == {seat: {'seat-1': ('plum',)}}
    one.post(f'{path}/notes', json={'element': 'seat-1', 'labels': []})
    assert one.get(path).json()['notes'] == {}


# ---- a new table -------------------------------------------------------------------------------------------


def test_options_that_do_not_go_together_are_said_in_the_dialog(guest: Guest) -> None:
    client = guest()
    form = {
        'game': 'toy',
        'mode': 'here',
        'players-toy': '4',
        'option-toy-long': 'true',
        'option-toy-ties': 'clockwise',
    }
    answer = client.post('/tables', data=form, headers={'Accept': 'application/json'})
    assert answer.status_code == 400
    assert answer.json()['detail'].startswith('The long game is for two or three players')
    answer = client.post('/tables', data={**form, 'players-toy': '3'}, headers={'Accept': 'application/json'})
    assert answer.status_code == 201
    assert client.get(f'/api{answer.json()["url"]}').json()['options'] == {'long': True}


@pytest.mark.parametrize('name', SETS)
def test_a_set_of_names_is_chosen_by_boxes(guest: Guest, name: str) -> None:
    client, game = guest(), load(name)
    page = client.get('/', headers={'Accept': 'text/html'}).text
    for option, members in game.options.members().items():
        field = f'option-{name}-{option}'
        boxes = re.findall(rf'<input type="checkbox" name="{field}" value="([^"]+)"( checked)?', page)
        assert [member for member, _ in boxes] == list(members)
        default = game.options.values()[option][0]
        assert [member for member, checked in boxes if checked] == str(default).split(',')
        other = next(value for value in game.options.values()[option][1:])
        for given, status in ((str(other).split(','), (201, 400)), ([], (400, 201)), (['nothing'], (400,))):
            form = {'game': name, 'mode': 'here', field: ['', *given]}
            answer = client.post('/tables', data=form, headers={'Accept': 'application/json'})
            assert answer.status_code in status
            if answer.status_code == 400:
                assert answer.json()['detail'].endswith('.')
        listed = next(one for one in client.get('/api/games').json() if one['name'] == name)
        assert listed['members'] == {option: list(members)}


def test_what_is_laid_ahead_of_the_steps_is_for_the_seat_alone(app: FastAPI, guest: Guest) -> None:
    """A line-up with a gap: kept over a restart, gone with a shuffle, and nobody else's business."""
    path, one, two = pair(guest, game='myrmidons')
    address = path.removeprefix('/api')
    before = two.get(f'{address}/view').json(), two.get(path).json()
    rank = '17'[one.get(path).json()['seat']]
    laid = one.post(f'{path}/redraft', json={'targets': ['el:hand-2-5-2', f'el:sq-d{rank}']}).json()
    assert laid['done']
    assert 'laid' not in laid
    assert laid['draft'] == []
    assert laid['notes'] == {LAID: [f'd{rank}=2-5-2']}
    more = one.post(
        f'{path}/redraft', json={'targets': ['el:hand-1-1-1', f'el:sq-a{rank}'], 'version': laid['version']}
    ).json()
    assert (more['draft'], more['notes']) == (['deploy 1-1-1'], {LAID: [f'd{rank}=2-5-2', f'a{rank}']})
    table, seat = path.rpartition('/')[2], more['seat']
    assert app.state.server.store.notes(table) == {seat: {LAID: (f'd{rank}=2-5-2', f'a{rank}')}}
    assert (two.get(f'{address}/view').json(), two.get(path).json()) == before
    refused = one.post(f'{path}/redraft', json={'targets': ['el:hand-2-5-2', f'el:sq-e{rank}']}).json()
    assert not refused['done']
    assert refused['sentence'].endswith('.')
    assert one.post(f'{path}/redraft', json={'targets': ['do:undo']}).json()['notes'] == {
        LAID: [f'd{rank}=2-5-2']
    }
    one.post(f'{path}/shuffle', json={})
    assert one.get(path).json()['notes'] == {}
    assert app.state.server.store.notes(table) == {seat: {}}
    assert (two.get(f'{address}/view').json(), two.get(path).json()) == before


# ---- what things are ---------------------------------------------------------------------------------------


def test_a_piece_is_explained_to_its_seat_alone(guest: Guest) -> None:
    """What an opponent, a spectator and a shared screen without a seat are told does not depend on it."""
    path, one, two = pair(guest, game='myrmidons')
    seats = {one.get(path).json()['seat']: one, two.get(path).json()['seat']: two}
    for client in seats.values():
        drawn = client.post(f'{path}/shuffle', json={}).json()
        assert client.post(f'{path}/act', json={'steps': drawn['last']}).status_code == 200
    piece = 'piece-0-a1'

    def told(client: TestClient, **more: Any) -> dict[str, str]:
        answer = client.post(f'{path}/explain', json={'elements': ['nothing', piece], **more})
        assert answer.status_code == 200, answer.text
        found: dict[str, str] = answer.json()
        return found

    assert not told(seats[0])['title'].startswith('Unknown')
    assert told(seats[1])['title'].startswith('Unknown')
    assert (told(seats[1])['element'], told(seats[1])['pencil']) == (piece, piece)
    assert told(seats[0])['pencil'] == '', 'nobody pencils on own pieces'
    assert 'deploys in secret' in told(seats[1], turn=0)['text']
    assert seats[1].post(f'{path}/explain', json={'elements': [piece], 'seat': 0}).status_code == 403
    assert seats[1].post(f'{path}/explain', json={'elements': [piece], 'turn': 9}).status_code == 400
    assert seats[1].post(f'{path}/explain', json={'elements': []}).status_code == 422
    # somebody who shares a screen says from which seat
    shared = guest()
    path, _ = make(shared, game='myrmidons')
    for seat in range(2):
        drawn = shared.post(f'{path}/shuffle', json={'seat': seat}).json()
        assert shared.post(f'{path}/act', json={'steps': drawn['last'], 'seat': seat}).status_code == 200
    assert told(shared)['title'].startswith('Unknown')
    assert told(shared, seat=1)['title'].startswith('Unknown')
    assert not told(shared, seat=0)['title'].startswith('Unknown')


def test_rules_are_linked_from_what_is_explained(guest: Guest) -> None:
    client = guest()
    path, _ = make(client)
    found = client.post(f'{path}/explain', json={'elements': ['stack']}).json()
    assert set(found) == {'element', 'title', 'text', 'rules', 'pencil'}
    address, _, chapter = found['rules'].partition('#')
    assert f'id="{chapter}"' in client.get(address).text
    assert client.post(f'{path}/explain', json={'elements': ['nothing']}).json()['title'] == ''


def test_the_curtain_says_whose_turn_it_is_what_happened_and_how_all_stand(guest: Guest) -> None:
    """What all may know, and not more: see `curtain` of tests/conformance/outputs.py."""
    client = guest()
    path, view = make(client, game='toy')
    address, names = path.removeprefix('/api'), [seat['name'] for seat in view['seats']]
    first = client.get(f'{address}/view').json()['fragments']['handing']
    assert names[0] in first
    assert 'class="since"' not in first, 'nothing has happened yet'
    for seat, bid in enumerate((1, 2)):
        client.post(f'{path}/act', json={'steps': f'bid-{bid}', 'seat': seat})
    steps = client.get(path, params={'seat': 1}).json()['legal'][0]
    client.post(f'{path}/act', json={'steps': f'{steps} draw', 'seat': 1})
    told = client.get(f'{address}/view').json()
    text = ' '.join(re.sub(r'<[^>]+>', ' ', told['fragments']['handing']).split())
    curtain = words('web.table.curtain')
    assert re.match(rf'{curtain} {names[0]}\b', text)
    assert all(f'{name} ' in text for name in names)
    assert f'{names[1]} drops a card face down' in text
    assert 'drops a card:' not in text, 'which card it was is a secret'
    page = client.get(address, headers={'Accept': 'text/html'}).text
    curtain = page.partition('id="curtain"')[2].partition('</section>')[0]
    assert told['fragments']['handing'] in curtain
    assert curtain.count('<button') == 1
    shown = client.get(f'{address}/view', params={'here': 0}).json()
    assert shown['fragments']['handing'] == '<div id="handing"></div>'
