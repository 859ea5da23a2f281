"""A link that makes another browser the same person: once, soon, and not without being asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from ludoteca.store import Store
from ludoteca.store.keys import SIGN_IN
from ludoteca.store.models import Base
from ludoteca.text import words
from ludoteca.web.serving.security import Limits
from tests.postgresql import Cluster
from tests.web.conftest import NoCookies, fresh
from tests.web.test_access import kept
from tests.web.test_interface import make

Guest = Callable[..., TestClient]


def link_of(client: TestClient) -> str:
    """The path of a new link."""
    answer = client.post('/sign-in')
    assert answer.status_code == 200
    found = re.search(r'value="(http[^"]+/sign-in/[^"]+)"', answer.text)
    assert found
    return urlsplit(found.group(1)).path


def named(client: TestClient, name: str) -> TestClient:
    assert client.patch('/api/me', json={'name': name}).status_code == 200
    return client


def person(client: TestClient) -> str:
    found: str = client.get('/api/me').json()['name']
    return found


def test_another_browser_goes_on_with_all_that_a_person_has(guest: Guest) -> None:
    ann, other = named(guest(), 'Ann'), guest(Accept='text/html')
    ann.patch('/api/me', json={'settings': {'theme': 'dark'}})
    path, view = make(ann, game='toy', mode='here')
    link = link_of(ann)
    asked = other.get(link)
    assert words('web.sign_in.asks', name='Ann') in asked.text
    assert 'Until now it was' not in asked.text  # nobody loses anything
    assert person(other) != 'Ann'
    assert other.get(path).status_code == 404
    answer = other.post(link, follow_redirects=False)
    assert (answer.status_code, answer.headers['location']) == (303, '/')
    assert person(other) == 'Ann'
    assert other.get('/api/me').json()['settings']['theme'] == 'dark'
    assert other.get(path).json()['your_seats'] == view['your_seats']
    assert person(ann) == 'Ann'  # the first one keeps it all
    other.patch('/api/me', json={'name': 'Anna'})
    assert person(ann) == 'Anna'


def test_a_link_is_good_once(guest: Guest) -> None:
    ann, first, second = named(guest(), 'Ann'), guest(), guest(Accept='text/html')
    link = link_of(ann)
    assert first.get(link).status_code == second.get(link).status_code == 200  # to look takes nothing
    assert first.post(link, follow_redirects=False).status_code == 303
    for answer in (second.get(link), second.post(link)):
        assert answer.status_code == 404
        assert words('web.sign_in.wrong', minutes=round(SIGN_IN / 60)) in answer.text
    assert person(second) != 'Ann'


def test_a_newer_link_and_time_make_a_link_useless(tmp_path: Path) -> None:
    now = [1_000.0]
    store = Store(f'sqlite:///{tmp_path}/people.sqlite3', key=b'k' * 32, clock=lambda: now[0])
    ann, ben = store.new_person('Ann'), store.new_person('Ben')
    old, new, his = (store.new_sign_in(one.id) for one in (ann, ann, ben))
    assert store.signs_in(old) is None
    assert store.sign_in(old) is None
    now[0] += SIGN_IN - 1
    assert [one and one.name for one in map(store.signs_in, (new, his))] == ['Ann', 'Ben']
    found = store.sign_in(new)
    assert found is not None
    assert found.id == ann.id
    now[0] += 2
    assert store.signs_in(his) is None
    assert store.sign_in(his) is None
    for text in ('', 'x', '\x00', 'x' * 200):
        assert store.sign_in(text) is None
    store.close()


def test_of_many_who_use_a_link_at_once_one_gets_in(tmp_path: Path, postgresql: Cluster) -> None:
    """Also where they ask different servers of one database."""
    for url in (f'sqlite:///{tmp_path}/people.sqlite3', postgresql.schema()):
        stores = [Store(url, key=b'k' * 32) for _ in range(1 if url.startswith('sqlite') else 2)]
        token = stores[0].new_sign_in(stores[0].new_person('Ann').id)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(Store.sign_in, stores * (8 // len(stores)), [token] * 8))
        assert [one.name for one in found if one] == ['Ann']
        for store in stores:
            store.close()


def test_who_would_lose_something_is_told_and_asked(guest: Guest) -> None:
    ann, ben = named(guest(), 'Ann'), named(guest(), 'Ben')
    ben.headers['Accept'] = 'text/html'
    path, _ = make(ben, game='toy', mode='here')
    link = link_of(ann)
    asked = ben.get(link).text
    assert 'Until now it was Ben, with tables: 1; puzzles: 0.' in asked
    assert 'Stay Ben' in asked
    assert person(ben) == 'Ben'
    assert ben.get(path).status_code == 200
    # nobody's own link takes anything, and it stays good
    assert 'is Ann already' in ann.get(link).text
    ben.post(link)
    assert person(ben) == 'Ann'
    assert ben.get(path).status_code == 404


def test_a_link_is_told_to_its_person_alone(guest: Guest, app: FastAPI) -> None:
    """In one answer: neither the database nor any later page has it."""
    ann, other = named(guest(), 'Ann'), guest()
    token = link_of(ann).rpartition('/')[2]
    assert not any(token in row for row in kept(app))
    assert 'sign_ins' in Base.metadata.tables
    for client in (ann, other):
        for path in ('/', '/sign-in', '/api/me', '/api/tables', '/lists'):
            assert token not in client.get(path).text
    answer = other.get(f'/sign-in/{token}')
    assert answer.headers['Cache-Control'] == 'no-store'
    assert answer.headers['Referrer-Policy'] == 'same-origin'


@pytest.mark.parametrize('path', ['/sign-in', '/sign-in/{}'])
def test_no_other_site_and_no_browser_without_cookies_uses_a_link(guest: Guest, path: str) -> None:
    ann, other, forgets = named(guest(), 'Ann'), guest(), guest()
    link = path.format(link_of(ann).rpartition('/')[2])
    other.get('/')
    forgets.cookies.jar.set_policy(NoCookies())
    assert other.post(link, headers={'Origin': 'http://elsewhere.example'}).status_code == 403
    assert forgets.post(link).status_code == 403
    if path != '/sign-in':
        assert other.post(link, follow_redirects=False).status_code == 303


def test_how_often_links_are_made_is_limited(tmp_path: Path) -> None:
    app = fresh(tmp_path, limits=Limits(people=0.001, people_burst=3))
    with TestClient(app, headers={'Origin': 'http://testserver'}) as client:
        client.get('/')
        assert [client.post('/sign-in').status_code for _ in range(4)] == [200, 200, 200, 429]
