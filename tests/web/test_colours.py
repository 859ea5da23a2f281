"""Colours at tables: chosen when a table is made, before the match begins or in the settings; who begins, and
why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoteca.game import COLOURS, load
from ludoteca.match import deal_colours
from ludoteca.text import words

Guest = Callable[..., TestClient]


def make(client: TestClient, **body: Any) -> tuple[str, dict[str, Any]]:
    answer = client.post('/api/tables', json={'game': 'octiles', **body})
    assert answer.status_code == 201, answer.text
    view: dict[str, Any] = answer.json()
    return f'/api/tables/{view["id"]}', view


def colours(view: dict[str, Any]) -> list[str]:
    return [seat['colour'] for seat in view['seats']]


def mine(view: dict[str, Any]) -> str:
    return str(view['seats'][view['your_seats'][0]]['colour'])


def refused(answer: Any) -> str:
    assert answer.status_code in (400, 403, 409, 422), answer.text
    return str(answer.json()['detail'])


def test_a_chosen_colour_is_seen_everywhere(guest: Guest) -> None:
    client = guest()
    path, view = make(client, mode='bot', players=3, colours=['purple'])
    assert mine(view) == 'purple'
    assert len(set(colours(view))) == 3
    page = client.get(path.removeprefix('/api')).text
    assert 'class="pl seat-purple' in page
    assert f'Colours: {" ".join(colours(view))}\n' in client.get(f'{path}/export').text
    message = client.get(f'{path.removeprefix("/api")}/view').json()
    assert (message['colour'], message['colours']) == ('purple', colours(view))
    lost = next(colour for colour in load('octiles').colours(3) if colour not in colours(view))
    assert f'#octiles-runner-{lost}"' not in message['fragments']['drawing']
    assert '#octiles-runner-purple"' in message['fragments']['drawing']
    (own,) = (table for table in client.get('/api/tables').json()['mine'] if table['id'] == view['id'])
    assert colours(own) == colours(view)


def test_who_chooses_nothing_plays_as_before(guest: Guest) -> None:
    path, view = make(guest(), mode='bot', players=4)
    assert tuple(colours(view)) == load('octiles').colours(4)
    assert 'Colours' not in guest().get(f'{path}/export').text


def test_the_settings_keep_a_colour_which_is_used_if_it_is_free(guest: Guest) -> None:
    host, friend = guest(), guest()
    for client in (host, friend):
        answer = client.patch('/api/me', json={'settings': {'colour': 'green'}}).json()
        assert answer['settings']['colour'] == 'green'
    assert host.patch('/api/me', json={'settings': {'colour': 'pink'}}).json()['settings']['colour'] == ''
    host.patch('/api/me', json={'settings': {'colour': 'green'}})
    own = host.get('/').text.partition('name="seats-1-colour"')[2].partition('</select>')[0]
    assert 'value="green" selected' in own
    path, view = make(host, mode='link')
    assert mine(view) == 'green'
    friend.post('/api/join', json={'invite': view['invite']['token']})
    assert mine(host.get(path).json()) == 'green'
    assert mine(friend.get(path).json()) in ('blue', 'yellow')


def test_before_the_match_begins_a_colour_can_be_chosen_that_nobody_has(guest: Guest) -> None:
    host, friend = guest(), guest()
    path, view = make(host, mode='link', players=3)
    friend.post('/api/join', json={'invite': view['invite']['token']})
    assert mine(host.post(f'{path}/colour', json={'colour': 'purple'}).json()) == 'purple'
    sentence = 'Somebody at this table has chosen purple before you; choose another colour.'
    assert refused(friend.post(f'{path}/colour', json={'colour': 'purple'})) == sentence
    sentence = "pink is not a player's colour; choose among blue, red, yellow, green, purple."
    assert refused(friend.post(f'{path}/colour', json={'colour': 'pink'})) == sentence
    assert (
        refused(friend.post(f'{path}/colour', json={'colour': 'red', 'seat': 0}))
        == 'You have no seat at this table.'
    )
    friend.post(f'{path}/colour', json={'colour': 'red'})
    waiting = friend.get(f'{path.removeprefix("/api")}/view').json()['fragments']
    assert 'class="pl seat-purple"' in waiting['players']
    assert 'data-colour="purple" aria-pressed="false"' in waiting['status']
    assert 'data-colour="" aria-pressed="true"' in waiting['status'], 'the own one can be given back'
    host.post(f'{path}/fill', json={'level': 'easy'})
    view = friend.get(path).json()
    assert (mine(host.get(path).json()), mine(view)) == ('purple', 'red')
    assert len(set(colours(view))) == 3
    sentence = 'The match has begun; colours stay as they are.'
    assert refused(friend.post(f'{path}/colour', json={'colour': 'green'})) == sentence


@pytest.mark.parametrize(
    ('body', 'sentence'),
    [
        (
            {'mode': 'here', 'colours': ['red', 'red']},
            'Two players cannot both be red; choose another colour for one of them.',
        ),
        (
            {'mode': 'here', 'colours': ['red', 'blue', 'green']},
            '3 colours are too many for 2 players; name at most one for each.',
        ),
        (
            {'mode': 'bot', 'colours': ['pink']},
            "pink is not a player's colour; choose among blue, red, yellow, green, purple.",
        ),
        (
            {'mode': 'bot', 'colours': ['red', 'blue']},
            'You play one seat at this table, so choose one colour, not 2.',
        ),
    ],
)
def test_impossible_colours_are_refused(guest: Guest, body: dict[str, Any], sentence: str) -> None:
    assert refused(guest().post('/api/tables', json={'game': 'octiles', **body})) == sentence


@pytest.mark.parametrize('name', ['octiles', 'myrmidons', 'myriath', 'mykerinos', 'myraclia'])
@pytest.mark.parametrize('order', [(0, 1), (1, 0)])
def test_round_one_screen_it_is_drawn_who_begins(
    guest: Guest, monkeypatch: pytest.MonkeyPatch, name: str, order: tuple[int, int]
) -> None:
    monkeypatch.setattr('ludoteca.store.tables.draw_seats', lambda n: order)
    client = guest()
    path, view = make(client, game=name, mode='here', players=2, colours=['green', 'purple'])
    names = [('Green', 'Purple')[k] for k in order]
    assert [seat['name'] for seat in view['seats']] == names
    assert colours(view) == [name.lower() for name in names]
    first = names[view['to_move'][0]]
    assert view['begins'] == words('web.table.begins.drawn', first=first)
    assert view['begins'] in client.get(path.removeprefix('/api')).text


def test_a_form_of_the_lobby_chooses_colours(guest: Guest) -> None:
    client = guest()
    form: dict[str, Any] = {
        'game': 'octiles',
        'mode': 'here',
        'players-octiles': '3',
        'colours': ['purple', 'green'],
    }
    address = client.post('/tables', data=form, headers={'Accept': 'application/json'}).json()['url']
    view = client.get(f'/api{address}').json()
    assert sorted(colours(view)) == sorted(deal_colours(load('octiles').colours(3), ['purple', 'green']))
    form |= {'mode': 'bot', 'level': 'beginner', 'colours': ['', 'red']}
    address = client.post('/tables', data=form, headers={'Accept': 'application/json'}).json()['url']
    assert mine(client.get(f'/api{address}').json()) == 'red'
    page = client.get('/').text
    for seat in range(1, 6):
        offered = page.partition(f'name="seats-{seat}-colour"')[2].partition('</select>')[0]
        assert all(f'<option value="{colour}"' in offered for colour in COLOURS)


def test_a_rematch_says_who_begins_and_why(guest: Guest) -> None:
    client = guest()
    path, view = make(client, mode='here')
    first, second = (seat['name'] for seat in view['seats'])
    client.post(f'{path}/resign', json={'seat': 0})
    page = client.get(path.removeprefix('/api')).text
    assert words('web.table.next.rotate', first=second, last=first) in page
    again = f'/api/tables/{client.post(f"{path}/rematch").json()["id"]}'
    following = client.get(again).json()
    assert following['begins'] == words('web.table.begins.rotate', first=second, last=first)
    assert dict(zip((first, second), colours(view), strict=True)) == {
        seat['name']: seat['colour'] for seat in following['seats']
    }


@pytest.mark.parametrize(('name', 'why'), [('myriath', 'lowest'), ('myraclia', 'drawn')])
def test_other_games_say_why_somebody_else_begins(guest: Guest, name: str, why: str) -> None:
    client = guest()
    path, view = make(client, game=name, mode='here', players=2)
    client.post(f'{path}/resign', json={'seat': 0})
    page = client.get(path.removeprefix('/api')).text
    assert any(words(f'web.table.next.{why}', first=seat['name']) in page for seat in view['seats'])
    again = f'/api/tables/{client.post(f"{path}/rematch").json()["id"]}'
    view = client.get(again).json()
    first = view['seats'][view['to_move'][0]]['name']
    assert view['begins'] == words(f'web.table.begins.{why}', first=first)
