"""Component sets on the server: the page on which one is filled in, tables that are played with one, and the
operator's folder."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoteca.game import Game, load, variant
from ludoteca.game.components import exported, table_of
from ludoteca.game.kinds import Several
from ludoteca.game.variants import forget, kept_in
from ludoteca.kernel import compile as forms
from ludoteca.store import Store
from ludoteca.text import capitalized, words
from ludoteca.web.offers.component_forms import field_of, set_of, text_of
from ludoteca.web.offers.component_sets import OfferedSets
from tests.components.sets import FOLDER, GAMES, second
from tests.web.client import Client
from tests.web.conftest import ORIGIN, fresh

HTML = {'accept': 'text/html'}


def fields(game: Any) -> dict[str, Any]:
    """The fields of the form for a game's components, as a browser sends them."""
    own, data = table_of(game), exported(game)
    found: dict[str, Any] = {}
    for name, kind in own.parts.items():
        for path, leaf, value in kind.leaves(data[name], (name,)):
            several = isinstance(leaf, Several)
            found[field_of(path)] = [str(one) for one in value] if several else text_of(leaf, value)
    return found


@pytest.fixture(autouse=True)
def plain_kernels() -> Iterator[None]:
    """Kernels run as plain Python, as on a server that has not compiled a set yet."""
    forms.run_interpreted()
    yield
    forms.run_compiled()


@pytest.fixture
def client(guest: Callable[..., TestClient]) -> TestClient:
    """A visitor."""
    return guest()


@pytest.fixture
def served(tmp_path: Path) -> Callable[..., TestClient]:
    """A visitor of a server with these settings."""

    def make(**more: Any) -> TestClient:
        return Client(fresh(tmp_path, **more), headers=ORIGIN)

    return make


@pytest.mark.parametrize('name', GAMES)
def test_the_form_gives_back_what_it_shows(name: str) -> None:
    game = second(name)
    given = {key: value if isinstance(value, list) else [value] for key, value in fields(game).items()}
    assert variant(load(name), set_of(table_of(game), given), keep=False).name == game.name


@pytest.mark.parametrize('name', GAMES)
def test_a_set_is_drawn_as_it_is_filled_in(name: str, client: TestClient) -> None:
    page = client.get(f'/games/{name}/components', headers=HTML)
    assert page.status_code == 200
    assert all(f'name="{field}"' in page.text for field in fields(load(name)))
    game = second(name)
    answer = client.post(f'/games/{name}/components/check', data=fields(game))
    assert (answer.status_code, '<svg' in answer.text) == (200, True)
    assert game.component_set.hash in answer.text
    assert '<html' not in answer.text


def test_what_is_impossible_is_said_as_one_types(client: TestClient) -> None:
    given = {**fields(load('mykerinos')), 'tiles.violet.3.points': '12'}
    answer = client.post('/games/mykerinos/components/check', data=given)
    assert '&#39;tiles violet 4 points&#39; must be a whole number from 0 to 9, not 12.' in answer.text
    assert '<svg' not in answer.text
    page = client.post('/games/mykerinos/components', data={**given, 'do': 'draw'}, headers=HTML)
    assert 'value="12"' in page.text, 'what was typed is not lost'


def test_a_set_is_saved_as_a_file_that_can_be_played_with(client: TestClient) -> None:
    game = second('myriath')
    given = {**fields(game), 'title': 'My  copy <b>', 'do': 'file'}
    answer = client.post('/games/myriath/components', data=given)
    assert answer.headers['content-disposition'] == f'attachment; filename="{game.name}.json"'
    data = json.loads(answer.text)
    assert data['title'] == 'My copy <b>'
    assert variant('myriath', data, keep=False).name == game.name
    own = client.get('/games/myriath/components.json')
    assert variant('myriath', json.loads(own.text)) is load('myriath')


def test_an_invitation_to_a_game_with_a_set_has_the_games_picture(
    served: Callable[..., TestClient],
) -> None:
    """The position of the picture may not fit the set."""
    with served(own_components=True) as client:
        given = {'set': {'areas': {'2': 11, '3': 9, '4': 7}}, 'keep': True}
        name = client.post('/api/games/myriath/components', json=given).json()['name']
        table = client.post('/api/tables', json={'game': name, 'mode': 'open', 'players': 4}).json()['id']
        shown = re.search(r'/previews/[\w-]+\.png', client.get(f'/tables/{table}', headers=HTML).text)
        assert shown is not None
        answer = client.get(shown[0])
        assert (answer.status_code, answer.headers['content-type']) == (200, 'image/png')


def test_filling_in_leaves_nothing_behind(client: TestClient) -> None:
    """A set that is only looked at is neither kept nor loaded any longer."""
    data = {**fields(load('myriath')), 'areas.2': '10'}
    answer = client.post('/games/myriath/components/check', data=data)
    before = words('web.components.fine', hash='@').partition('@')[0]
    hash_ = answer.text.split('myriath@')[0].split(before)[1][:12]
    assert client.get(f'/games/myriath@{hash_}/rules', headers=HTML).status_code == 404


# ---- tables ------------------------------------------------------------------------------------------------


def test_a_table_is_played_with_a_set_of_ones_own_where_the_operator_allows_it(
    served: Callable[..., TestClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv('LUDOTECA_CACHE', str(tmp_path / 'cache'))
    own = variant('myriath', {'handicap': [0, 1, 2, 3]})
    given, name = {**fields(own), 'title': 'Mine', 'do': 'open'}, own.name
    forget(name)
    (kept_in() / f'{name}.json').unlink()
    with served() as closed:
        assert closed.post('/games/myriath/components', data=given, headers=HTML).status_code == 403
        assert 'Play with it' not in closed.get('/games/myriath/components', headers=HTML).text
    with served(own_components=True) as client:
        answer = client.post('/games/myriath/components', data=given, follow_redirects=False)
        assert answer.headers['location'] == f'/games/{name}/new'
        digits = name.partition('@')[2]
        assert (
            f'Myriath · {words("components.untitled")}'
            in client.get(answer.headers['location'], headers=HTML).text
        )
        view = client.post('/api/tables', json={'game': name, 'mode': 'bot', 'level': 'easy'}).json()
        page = client.get(f'/tables/{view["id"]}', headers=HTML).text
        assert f'Played with the component set {digits}' in page
        assert 'Mine' not in page, 'what one calls it is for nobody else'
        assert f'href="/games/{name}/rules"' in page
        cookies = client.cookies
    # another server, with nothing but the database
    forget(name)
    (kept_in() / f'{name}.json').unlink()
    with served() as client:
        client.cookies.update(cookies)
        rules = client.get(f'/games/{name}/rules', headers=HTML).text
        assert f'Played with the component set {digits}' in rules
        assert client.get(f'/tables/{view["id"]}', headers=HTML).status_code == 200


def test_the_operators_folder_is_offered_and_nothing_else(
    served: Callable[..., TestClient], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / 'sets'
    folder.mkdir()
    (folder / 'mine.json').write_text((FOLDER / 'myriath.json').read_text('utf-8'))
    (folder / 'bad.json').write_text('{"game": "myriath", "areas": 7}')
    game, other = second('myriath'), variant('myriath', {'handicap': [2, 0, 0, 0]})
    with served(components=str(folder)) as client:
        form = client.get('/games/myriath/new', headers=HTML).text
        assert f'<option value="{game.name}">Other streets</option>' in form
        assert f'<option value="{game.name}">Other streets</option>' in client.get('/', headers=HTML).text
        assert "bad.json is not offered: 'areas' must be an object" in caplog.text
        asked = {'game': 'myriath', 'mode': 'bot', 'components-myriath': game.name}
        table = client.post('/tables', data=asked, headers=HTML, follow_redirects=False)
        view = client.get(f'/api{table.headers["location"]}').json()
        assert view['game'] == game.name
        for wrong, status in (
            (other.name, 403),
            (second('octiles').name, 400),
            ('myriath@000000000000', 404),
        ):
            answer = client.post('/tables', data={**asked, 'components-myriath': wrong}, headers=HTML)
            assert answer.status_code == status, wrong
        (folder / 'mine.json').unlink()
        assert 'Other streets' not in client.get('/games/myriath/new', headers=HTML).text
        again = client.post('/tables', data={'again': view['id']}, headers=HTML, follow_redirects=False)
        assert again.status_code == 303, 'a set that was played with is played with again'


def test_what_the_operator_calls_a_set_is_for_everybody_whatever_others_call_it(
    served: Callable[..., TestClient], tmp_path: Path
) -> None:
    values, folder = {'game': 'myriath', 'handicap': [0, 0.5, 4, 1]}, tmp_path / 'sets'
    folder.mkdir()
    name = variant('myriath', values, keep=False).name
    forget(name)
    with served(components=str(folder), own_components=True) as client:
        given = {'set': {**values, 'title': 'Ann was here', 'about': 'Ann says so.'}, 'keep': True}
        answer = client.post('/api/games/myriath/components', json=given).json()
        assert (answer['name'], answer['title']) == (name, 'Myriath · Ann was here')
        rules = client.get(f'/games/{name}/rules', headers=HTML).text
        assert f'the component set {name.partition("@")[2]}' in rules
        (folder / 'house.json').write_text(json.dumps({**values, 'title': 'The house rules'}))
        client.get('/games/myriath/new', headers=HTML)
        assert 'the component set The house rules' in client.get(f'/games/{name}/rules', headers=HTML).text
        assert client.post('/api/games/myriath/components', json=given).json()['name'] == name
        told = (f'/games/{name}/rules', f'/games/{name}/components.json', f'/games/{name}/readings')
        texts = [client.get(path, headers=HTML).text for path in told]
        assert 'The house rules' in texts[0]
        assert not any('Ann' in text for text in texts)
    forget(name)


def test_without_a_folder_nothing_is_offered(client: TestClient) -> None:
    assert 'components-myriath' not in client.get('/games/myriath/new', headers=HTML).text


def test_pages_of_a_set_show_the_rulebooks_pictures_of_the_game_itself(client: TestClient) -> None:
    name = variant('mykerinos', FOLDER / 'mykerinos.json').name
    rules = client.get(f'/games/{name}/rules', headers=HTML)
    assert rules.status_code == 200
    assert words('web.components.set.title', set='Other ruins') in rules.text
    assert f'/games/{name}/components' in rules.text
    for picture in ('badge.svg', 'picture-light.svg'):
        own = client.get(f'/games/mykerinos/{picture}').content
        assert client.get(f'/games/{name}/{picture}').content == own


def changes_told(client: TestClient, game: Game) -> list[str]:
    """What the rules page of a game with a set lists, entry by entry."""
    page = client.get(f'/games/{game.name}/rules', headers=HTML).text
    told = re.search(r'<section class="of-set">.*?<ul>(.*?)</ul>', page, re.DOTALL)
    assert told is not None
    return [html.unescape(re.sub(r'<[^>]+>', '', one)) for one in re.findall(r'<li>(.*?)</li>', told[1])]


@pytest.mark.parametrize('name', GAMES)
def test_the_rules_page_of_a_set_lists_every_part_that_it_changes(name: str, client: TestClient) -> None:
    told = changes_told(client, variant(name, FOLDER / f'{name}.json'))
    for part in table_of(load(name)).parts:
        label = capitalized(load(name).words(f'components.label.{part}'))
        assert sum(one.startswith(f'{label}: ') for one in told) == 1, part


@pytest.mark.parametrize(
    ('name', 'part', 'value', 'note', 'values'),
    [
        ('myrmidons', 'commander', '1-3-1', 'components.shield', {'shield': 3}),
        ('octiles', 'tiles', None, 'components.alike', {'first': 3, 'second': 7}),
    ],
)
def test_the_rules_page_of_a_set_says_where_the_rulebook_does_not_hold(
    name: str, part: str, value: Any, note: str, values: Any, client: TestClient
) -> None:
    own = exported(load(name))[part]
    if value is None:  # the third tile once more, turned, in place of the seventh
        value = [*own[:6], [[(a + 3) % 8, (b + 3) % 8] for a, b in own[2]], *own[7:]]
    told = changes_told(client, variant(name, {part: value}))
    assert told[0] == load(name).words(note, **values)
    assert len(told) == 2
    assert not table_of(load(name)).notes({}), 'it holds for the game itself'


def test_a_change_tells_both_values(client: TestClient) -> None:
    say, mine = load('myriath').words, variant('myriath', {'handicap': [3, 0, 0.5, 1]})
    change = words('web.components.set.changed', value='3, 0, 0.5, 1', own='0, 0, 0.5, 1')
    assert changes_told(client, mine) == [f'{capitalized(say("components.label.handicap"))}: {change}']


def test_a_folder_that_is_missing_offers_nothing(tmp_path: Path) -> None:
    store = Store(f'sqlite:///{tmp_path}/x.sqlite3', key=b'k' * 32)
    assert OfferedSets(store, str(tmp_path / 'missing')).of('myriath') == []
    store.close()


def test_programs_check_a_set_and_open_a_table_with_it(
    served: Callable[..., TestClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv('LUDOTECA_CACHE', str(tmp_path / 'cache'))
    address = '/api/games/myriath/components'
    with served() as closed:
        told = closed.get(address).json()
        assert (told['set'], told['offered'], told['own']) == (exported(load('myriath')), [], False)
        looked = closed.post(address, json={'set': {'handicap': [0, 3, 2, 1]}}).json()
        assert looked['name'].startswith('myriath@')
        assert [one['value'] for one in looked['differences']] == [3, 2]
        same = closed.post(address, json={'set': told['set']}).json()
        assert (same['name'], same['differences']) == ('myriath', [])
        wrong = closed.post(address, json={'set': {'handicap': [0, 1, 2]}})
        assert wrong.status_code == 400
        assert 'handicap' in wrong.json()['detail']
        answer = closed.post(address, json={'set': {'handicap': [0, 3, 2, 1]}, 'keep': True})
        assert answer.status_code == 403
        assert closed.post('/api/tables', json={'game': looked['name']}).status_code == 404
    with served(own_components=True) as client:
        kept = client.post(address, json={'set': {'handicap': [0, 3, 2, 1]}, 'keep': True}).json()
        assert kept == looked
        view = client.post('/api/tables', json={'game': kept['name'], 'mode': 'here'}).json()
        assert view['game'] == kept['name']
