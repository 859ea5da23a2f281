"""Boards for analysis: whose they are, what they may tell of a match, and the ways to them and back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape, unescape
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import ludoteca
from ludoteca.match import files
from ludoteca.store import analyses as kept
from ludoteca.text import words
from tests.sentences import check_sentence
from tests.web.test_interface import make
from tests.web.test_races import pair

Guest = Callable[..., TestClient]


def board(client: TestClient, status: int = 201, **source: Any) -> str:
    """The path of a new board."""
    answer = client.post('/api/analyses', json=source or {'game': 'octiles'})
    assert answer.status_code == status, answer.text
    return f'/api/analyses/{answer.json()["id"]}' if status == 201 else str(answer.json()['detail'])


def ask(client: TestClient, path: str, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    if status >= 400:
        check_sentence(found['detail'])
    return found


def play_turn(client: TestClient, path: str, at: int = 0, choice: int = 0) -> int:
    """Play one turn from a node by the first choices, and answer the node after it."""
    place: dict[str, Any] = {'at': at, 'draft': []}
    while place['at'] == at:
        legal = ask(client, f'{path}/view', **place)['legal']
        place = ask(client, f'{path}/act', **place, steps=legal[min(choice, len(legal) - 1)])
        place = {'at': place['at'], 'draft': place['draft']}
    return int(place['at'])


# ---- whose they are ----------------------------------------------------------------------------------------


def test_a_board_is_its_owners_until_it_is_shared_and_others_may_take_a_copy(guest: Guest) -> None:
    owner, other = guest(), guest()
    path = board(owner)
    first = play_turn(owner, path)
    ask(owner, f'{path}/note', at=first, name='Here', comment='Look', marks=[['ring', 'a2']])
    for way in ('get', 'delete', 'patch'):
        answer = other.request(way, path, json={} if way == 'patch' else None)
        assert answer.status_code == 404
    assert other.get(path.removeprefix('/api').replace('analyses', 'analysis')).status_code == 404
    for what in ('view', 'act', 'note', 'remove', 'search', 'copy', 'play-on', 'line'):
        bodies: dict[str, dict[str, Any]] = {'act': {'steps': 'x'}, 'line': {'turns': ['x']}}
        ask(other, f'{path}/{what}', 404, **bodies.get(what, {}))
    assert owner.patch(path, json={'shared': True}).json()['shared']
    seen = other.get(path).json()
    assert (seen['mine'], seen['tree']) == (False, owner.get(path).json()['tree'])
    page = other.get(f'/analysis/{seen["id"]}', params={'at': first}).text
    assert 'Look' in page
    assert 'note-form' not in page
    for what, body in (('act', {'steps': 'x'}), ('note', {'name': 'mine'}), ('remove', {}), ('first', {})):
        ask(other, f'{path}/{what}', 403, at=first, **body)
    assert other.patch(path, json={'title': 'Mine'}).status_code == 403
    assert other.delete(path).status_code == 403
    copy = f'/api/analyses/{ask(other, f"{path}/copy", 201)["id"]}'
    play_turn(other, copy, first)
    assert len(other.get(copy).json()['tree']['nodes']) == 3
    assert len(owner.get(path).json()['tree']['nodes']) == 2
    assert owner.get(copy).status_code == 404
    owner.patch(path, json={'shared': False})
    assert other.get(path).status_code == 404
    assert [one['id'] for one in owner.get('/api/analyses').json()] == [seen['id']]
    assert owner.delete(path).json()['done']
    assert owner.get(path).status_code == 404


def test_turns_are_taken_back_without_end_and_nothing_of_the_tree_goes(guest: Guest) -> None:
    client = guest()
    # a deal in which the first choices are another turn than the last ones
    path, at = board(client, data=ludoteca.new('octiles', seed=3).to_json()), 0
    for _ in range(5):
        at = play_turn(client, path, at)
    for _ in range(7):
        at = ask(client, f'{path}/undo', at=at)['at']
    assert at == 0
    other = play_turn(client, path, 0, choice=99)
    assert ask(client, f'{path}/view')['children'] == [1, other]
    ask(client, f'{path}/first', at=other)
    assert ask(client, f'{path}/view')['children'] == [other, 1]
    assert ask(client, f'{path}/remove', at=1)['at'] == 0
    assert len(client.get(path).json()['tree']['nodes']) == 2


# ---- what they may tell of a match -------------------------------------------------------------------------


def test_a_board_of_a_match_that_runs_is_private_and_no_search_looks_at_it(guest: Guest) -> None:
    table, ann, bob = pair(guest, game='toy')
    path = board(ann, table=table.rpartition('/')[2])
    assert ann.get(path).json()['private']
    for shared in (True, False):
        answer = ann.patch(path, json={'shared': shared})
        assert answer.status_code == (400 if shared else 200)
    ask(ann, f'{path}/search', 403)
    ask(ann, f'{path}/play-on', 403)
    assert 'data-study="search"' not in ann.get(f'/analysis/{path.rpartition("/")[2]}').text
    assert bob.get(path).status_code == 404
    # nor does a search look at it by another way: a board of the same game, made of its position
    tree = ann.get(path).json()['tree']
    pasted = board(ann, data=tree)
    ask(ann, f'{pasted}/search', 403)
    # nor does a bot play it, or a review judge it
    ask(ann, f'{pasted}/play-on', 403)
    saved = open_file(ann, bob.get(f'{over(bob, "toy")}/export').text).headers['location']
    assert ann.post(f'{saved}/review').status_code == 403
    on = {'table': saved.rpartition('/')[2], 'turn': '0', 'play_on': 'yes'}
    assert ann.post('/analysis', data=on).status_code == 403
    copy = f'/api/analyses/{ask(ann, f"{path}/copy", 201)["id"]}'
    assert ann.get(copy).json()['private']
    ann.post(f'{table}/resign', json={})
    assert not ann.get(path).json()['private']
    assert ann.patch(path, json={'shared': True}).status_code == 200
    assert bob.get(path).status_code == 200
    assert sum(ask(ann, f'{path}/search')['expected']) == pytest.approx(1, abs=0.01)


def test_no_asker_gets_a_board_of_what_another_seat_knows(guest: Guest, app: FastAPI) -> None:
    """A leak test: own seats and the public position while the match runs; after it all."""
    table, ann, bob = pair(guest, game='toy')
    seats = [client.get(table).json()['your_seats'][0] for client in (ann, bob)]
    name, stranger = table.rpartition('/')[2], guest()
    match = app.state.server._tables[name].match()
    for client, own in ((ann, seats[0]), (bob, seats[1]), (stranger, None)):
        for seat in range(2):
            wanted = seat == own
            answer = client.post('/api/analyses', json={'table': name, 'seat': seat})
            assert answer.status_code == (201 if wanted else answer.status_code)
            assert wanted or answer.status_code in (403, 404)
        answer = client.post('/api/analyses', json={'table': name, 'everything': True})
        assert answer.status_code in (400, 404)
        if own is None:
            continue
        # what a seat does not know is filled in by a guess, always the same for what it knows
        path = board(client, table=name)
        root = client.get(path).json()['tree']['root']
        known = match.game.to_json(match.view(own, at=match.turns).state)
        assert root['knows'] == own
        assert agrees(known, root['position'])
        assert root['position'] == client.get(board(client, table=name)).json()['tree']['root']['position']
        assert match.setup.seed not in json.dumps(client.get(path).json())
    bob.post(f'{table}/resign', json={})
    whole = ann.get(board(ann, table=name, everything=True)).json()['tree']
    assert whole['root']['seed'] == match.setup.seed
    assert 'knows' in ann.get(board(ann, table=name)).json()['tree']['root'], 'by default as one knew it'


def agrees(known: Any, whole: Any) -> bool:
    """Is a position the same as a known one wherever that is known?"""
    if known is None:
        return True
    if isinstance(known, dict):
        return isinstance(whole, dict) and all(agrees(value, whole.get(key)) for key, value in known.items())
    if isinstance(known, list):
        return isinstance(whole, list) and all(map(agrees, known, whole))
    return bool(known == whole)


def test_the_first_turn_of_a_planned_line_is_played_with_one_click_if_its_time_has_come(guest: Guest) -> None:
    client = guest()
    table, view = make(client, mode='bot', level='easy')
    while not client.get(table).json()['may_act']:
        pass
    view = client.get(table).json()
    path = board(client, table=view['id'])
    ask(client, f'{path}/play', 400)
    at = play_turn(client, path, play_turn(client, path))
    planned = client.get(path).json()['tree']['nodes'][1]['turn']
    assert ask(client, f'{path}/play', at=at)['turn'] == planned
    assert client.get(f'{table}/log').json()[view['turns']]['name'] == planned
    ask(client, f'{path}/play', 409, at=at)


# ---- where they begin, and where they lead -----------------------------------------------------------------


def test_a_board_begins_at_a_match_a_link_a_position_a_saved_tree_or_a_start(guest: Guest) -> None:
    client = guest()
    table, view = make(client, mode='here')
    client.post(f'{table}/act', json={'steps': view['legal'][0]})
    for source in (
        {'table': view['id'], 'turn': 0},
        {'link': f'http://testserver/tables/{view["id"]}'},
        {'link': f'/tables/{view["id"]}?turn=0'},
        {'game': 'mykerinos', 'players': 3, 'options': {'five_door': 'three'}},
        {'data': client.get(f'{table}/positions/0').json()['position']},
    ):
        path = board(client, **source)
        play_turn(client, path)
        assert client.get(board(client, data=client.get(path).json()['tree'])).status_code == 200
    client.patch(path, json={'shared': True})
    board(guest(), link=f'/analysis/{path.rpartition("/")[2]}')
    answer = client.post(
        '/analysis',
        files={'file': ('tree.json', json.dumps(client.get(path).json()['tree']))},
        follow_redirects=False,
    )
    assert answer.status_code == 303
    assert client.get(answer.headers['location']).status_code == 200
    assert client.get('/analysis').text.count('href="/analysis/') > 8


@pytest.mark.parametrize(
    ('given', 'said', 'kept'),
    [
        (
            {'data': '{"game": "octiles", "players": 9}'},
            '&#34;to_move&#34;',
            '&#34;players&#34;: 9}</textarea>',
        ),
        ({'link': 'next door'}, re.escape(words('web.analysis.error.link')), 'value="next door"'),
        ({'game': 'mykerinos', 'options': 'five_door=six'}, 'five_door', 'value="five_door=six"'),
    ],
)
def test_a_form_that_is_refused_says_why_and_keeps_what_was_written(
    guest: Guest, given: dict[str, str], said: str, kept: str
) -> None:
    answer = guest().post('/analysis', data=given)
    assert answer.status_code == 400
    assert re.search(f'class="problem"[^>]*>[^<]*{said}', answer.text)
    assert answer.text.count('class="problem"') == answer.text.count('autofocus') == 1
    assert kept in answer.text
    assert guest().get('/analysis').text.count('class="problem"') == 0


def test_what_cannot_be_gets_one_sentence_and_nothing_is_kept(guest: Guest) -> None:
    client = guest()
    path = board(client)
    tree = client.get(path).json()['tree']
    sources: tuple[dict[str, Any], ...] = (
        {},
        {'game': 'octiles', 'link': '/tables/x'},
        {'link': 'javascript:alert(1)'},
        {'data': {}},
        {'data': {'game': 'octiles'}},
        {
            'data': {
                'game': 'octiles',
                'players': 2,
                'to_move': 0,
                'tiles': {},
                'stack': [1, 1],
                'runners': {},
            }
        },
        {'data': {**tree, 'nodes': [{'id': 0}, {'id': 1, 'parent': 0, 'turn': 'a2:7'}]}},
        {'data': {**tree, 'root': {**tree['root'], 'seed': 'x'}}},
        {'game': 'octiles', 'players': 4, 'options': {'flight': True}},
    )
    for source in sources:
        answer = client.post('/api/analyses', json=source)
        assert answer.status_code == 400, answer.text
        check_sentence(answer.json()['detail'])
    for source in ({'game': 'chess'}, {'table': 'nowhere'}, {'link': '/analysis/nowhere'}):
        check_sentence(board(client, 404, **source))
    large = client.post(
        '/api/analyses', content=b' ' * (10 << 20), headers={'Content-Type': 'application/json'}
    )
    assert large.status_code == 413
    check_sentence(large.json()['detail'])
    for steps in ('nonsense', 'a2:7 a2:7'):
        ask(client, f'{path}/act', 400, steps=steps)
    ask(client, f'{path}/view', 400, at=99)
    ask(client, f'{path}/note', 400, marks=[['ring', '<b>']])
    ask(client, f'{path}/line', 400, turns=['nonsense'])
    assert client.get(path).json()['tree'] == tree
    assert len(client.get('/api/analyses').json()) == 1


def test_a_person_keeps_so_many_boards_and_no_more(
    guest: Guest, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = guest()
    path = board(client)
    store = app.state.server.store
    found = store.analysis(path.rpartition('/')[2])
    monkeypatch.setattr(kept, 'ANALYSES_KEPT', 3)
    for _ in range(2):
        store.add_analysis(found)
    check_sentence(board(client, 400, game='octiles'))


def test_one_plays_on_from_a_position_against_bots_and_the_match_does_not_count(guest: Guest) -> None:
    client = guest()
    path = board(client)
    at = play_turn(client, path)
    position = ask(client, f'{path}/view', at=at)['position']
    found = ask(client, f'{path}/play-on', 201, at=at, level='easy')
    view = client.get(f'/api{found["url"]}').json()
    assert (view['turns'], view['rated'], view['your_seats']) == (0, False, [1])
    assert view['position']['tiles'] == position['tiles']
    kinds = [seat['kind'] for seat in view['seats']]
    assert kinds == ['bot', 'person']
    client.post(f'/api{found["url"]}/resign', json={})
    text = client.get(f'/api{found["url"]}/export').text
    assert 'From: {' in text
    ask(client, f'{path}/play-on', 400, at=at, level='godlike')
    ask(client, f'{path}/play-on', 400, at=at, seat=7)


def test_a_search_is_told_in_rounds_and_its_best_line_can_be_added(guest: Guest) -> None:
    client = guest()
    path = board(client)
    found = ask(client, f'{path}/search', effort=0)
    assert not found['last']
    best = found['turns'][0]
    added = ask(client, f'{path}/line', turns=best['line'])
    assert added['parent'] == 0
    assert client.get(path).json()['tree']['nodes'][1]['turn'] == best['turn']
    assert ask(client, f'{path}/stop')['done']


@pytest.mark.parametrize('game', ['octiles', 'myrmidons', 'myriath', 'mykerinos', 'myraclia'])
def test_each_of_the_best_turns_of_a_search_says_what_is_clicked_for_it(guest: Guest, game: str) -> None:
    client = guest()
    path = board(client, game=game)
    for found in ask(client, f'{path}/search', effort=0)['turns']:
        place: dict[str, Any] = {'at': 0, 'draft': []}
        for step in found['steps']:
            legal = ask(client, f'{path}/view', **place)['legal']
            assert step['name'] in legal
            assert len(step['ghosts']) == len(step['targets']) > 0
            place = ask(client, f'{path}/act', **place, steps=step['name'])
            place = {'at': place['at'], 'draft': place['draft']}
        assert ' '.join(step['name'] for step in found['steps']) == found['turn']


def test_a_board_of_a_finished_match_without_secrets_is_the_whole_match_at_the_turn_that_was_looked_at(
    guest: Guest,
) -> None:
    client = guest()
    table, view = make(client, mode='here')
    for _ in range(3):
        view = client.post(f'{table}/act', json={'steps': client.get(table).json()['legal'][0]}).json()
    turns = client.get(table).json()['turns']
    client.post(f'{table}/resign', json={})
    page = client.get(table.removeprefix('/api')).text
    assert page.count('class="analyse"') == 1
    for given, at in (('', turns), ('1', 1)):
        answer = client.post('/analysis', files={'table': (None, view['id']), 'turn': (None, given)})
        assert answer.url.query.decode() == f'at={at}'
        found = client.get(f'/api/analyses/{answer.url.path.rpartition("/")[2]}').json()
        assert len(found['tree']['nodes']) == turns + 1


def test_both_ways_from_a_finished_match_with_secrets_begin_at_the_turn_that_is_looked_at(
    guest: Guest,
) -> None:
    client = guest()
    table, _ = make(client, game='toy', mode='here')
    client.post(f'{table}/resign', json={})
    page = client.get(table.removeprefix('/api')).text
    forms = re.findall(r'<form class="analyse".*?</form>', page)
    assert ['name="everything"' in form for form in forms] == [False, True]
    assert all('name="turn" value=""' in form for form in forms)


# ---- saved matches -----------------------------------------------------------------------------------------


def over(client: TestClient, game: str = 'octiles', turns: int = 6, **more: Any) -> str:
    """A match of a client at one screen that is over after some turns."""
    path, _ = make(client, game=game, mode='here', **more)
    while (view := client.get(path).json())['turns'] < turns:
        client.post(f'{path}/act', json={'steps': view['legal'][0]})
    client.post(f'{path}/resign', json={})
    return path


def open_file(client: TestClient, text: str | bytes, field: bool = False) -> Any:
    """What the form answers to a file, or to its text in the field."""
    given: Any = {'data': {'data': text}} if field else {'files': {'file': ('saved.txt', text)}}
    return client.post('/analysis', follow_redirects=False, **given)


def fits(known: Any, whole: Any) -> bool:
    """True if what is known of a position is so in the whole one."""
    if isinstance(known, dict):
        return all(fits(value, whole[key]) for key, value in known.items())
    if isinstance(known, list):
        return all(map(fits, known, whole))
    return known is None or known == whole


@pytest.mark.parametrize('game', ['octiles', 'toy'])
def test_a_saved_match_opens_for_its_owner_to_be_replayed_reviewed_and_played_on(
    guest: Guest, game: str
) -> None:
    player, other = guest(), guest()
    path = over(player, game)
    text = player.get(f'{path}/export').text
    answer = open_file(other, text)
    assert answer.status_code == 303
    page, table = answer.headers['location'], f'/api{answer.headers["location"]}'
    assert other.get(f'{table}/export').text == text
    assert player.get(page).status_code == 404
    view = other.get(table).json()
    assert (view['rated'], view['your_seats']) == (False, [])
    assert view['result'] == player.get(path).json()['result']
    shown = other.get(page).text
    assert words('web.table.result.imported') in shown
    assert f'action="{page}/review"' in shown
    assert page in other.get('/').text
    assert guest().get(view['link'].removeprefix('http://127.0.0.1:8000')).status_code == 200
    for at in range(view['turns']):
        assert 'name="play_on"' in other.get(f'{page}/at/{at}').json()['fragments']['again']
        on = other.post('/analysis', data={'table': view['id'], 'turn': str(at), 'play_on': 'yes'})
        played = other.get(f'/api{on.url.path}').json()
        assert (played['turns'], played['status']) == (0, 'running')
        assert len(played['your_seats']) == 1
        assert [seat['kind'] for seat in played['seats']].count('bot') == len(played['seats']) - 1
        assert fits(played['position'], other.get(f'{table}/positions/{at}').json()['position'])
    assert open_file(other, text, field=True).status_code == 303
    two = other.post('/analysis', files=[('file', ('saved.txt', text))] * 2)
    assert (two.status_code, words('web.analysis.error.one_file') in two.text) == (400, True)


def test_what_is_shown_of_an_imported_match_comes_through_a_restart(guest: Guest, app: FastAPI) -> None:
    client = guest()
    text = client.get(f'{over(client)}/export').text
    found = open_file(client, text).headers['location'].rpartition('/')[2]
    store = app.state.server.store
    assert files.write(store._rebuild(found)) == text
    assert store.table(found).status == 'finished'


def test_nobody_plays_on_from_a_match_that_is_not_over(guest: Guest) -> None:
    table, ann, _ = pair(guest, game='toy')
    given = {'table': table.rpartition('/')[2], 'turn': '0', 'play_on': 'yes'}
    assert ann.post('/analysis', data=given, headers={'Accept': 'application/json'}).status_code == 403
    assert 'play_on' not in str(ann.get(f'{table.removeprefix("/api")}/at/0').json())


@pytest.mark.parametrize(
    ('old', 'new'),
    [
        (r'(?s).*', ''),
        (r'(?s).*', 'MZ\0\x7f\xff\xfe'),
        (r'(?s).*', '[' * 100_000),
        (r'(?s).*', '{"game": "octiles"}'),
        (r'(?s).*', 'x' * 1_048_577),
        (r'Game: octiles', 'Game: chess'),
        (r'Game: octiles', 'Game: mykerinos@0123456789ab'),
        (r'Format: 1', 'Format: 2'),
        (r'Seed: \w+', 'Seed: 12'),
        (r'Result: .*', 'Result: not over'),
        (r'outcome 0 1', 'outcome 1 0'),
        (r'\n2\. .*', '\n2. pass'),
        (r'\n2\. .*\n', '\n'),
        (r'Seat 1: person', 'Seat 1: bot x\0y'),
        (r'$', '\n# ' + 'x' * 50_000),
    ],
)
def test_a_file_that_does_not_open_gets_one_sentence_and_nothing_is_kept(
    guest: Guest, old: str, new: str
) -> None:
    player, other = guest(), guest()
    text = player.get(f'{over(player)}/export').text
    broken = re.sub(old, lambda _: new, text, count=1)
    assert broken != text
    answer = open_file(other, broken.encode('latin-1'))
    assert answer.status_code == 400
    said = re.findall(r'<p class="problem" role="alert">([^<]*)</p>', answer.text)
    assert len(said) == 1
    check_sentence(unescape(said[0]))
    assert words('web.lobby.open_file_how') in other.get('/lists').text
    assert other.get('/api/analyses').json() == []


def test_the_file_of_a_match_that_is_not_over_says_so(guest: Guest) -> None:
    client = guest()
    path, _ = make(client, game='toy', mode='bot')
    answer = open_file(client, client.get(f'{path}/export').text)
    assert answer.status_code == 400
    assert escape(words('match.file.not_over')) in answer.text
