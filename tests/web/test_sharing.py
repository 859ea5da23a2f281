"""Links to a turn, what messengers show of them, pictures in pixels, and films: who gets what, and at what
cost."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from PIL import Image
from starlette.testclient import TestClient

from ludoteca.drawing import film as drawn_films
from ludoteca.game import GameError
from ludoteca.game.kinds import shown
from ludoteca.text import words
from ludoteca.web.pictures import films, rasters
from ludoteca.web.pictures.films import Films
from ludoteca.web.pictures.rasters import Failed, PictureWorker, Rasters
from ludoteca.web.pictures.scenes import Eyes, frame, preview, scene_at
from ludoteca.web.serving.errors import Busy
from tests.web.test_access import link_of
from tests.web.test_interface import make
from tests.web.test_races import pair
from tests.web.test_secrets import private

Guest = Callable[..., TestClient]
Program = Callable[..., TestClient]
PNG = b'\x89PNG'
PAGE = {'Accept': 'text/html'}
ADDRESS = 'http://127.0.0.1:8000'


def metas(page: str) -> dict[str, str]:
    """What a page tells messengers."""
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"', page)
    return {name: unescape(text) for name, text in found}


def finished(guest: Guest, turns: int = 4, is_open: bool = False) -> tuple[str, TestClient, TestClient]:
    """A match of two that is over after some rounds, at a private table or at one that all may watch: its
    path and its players."""
    if is_open:
        one, two = guest(), guest()
        path, _ = make(one, game='toy', mode='open')
        two.post(f'{path}/join')
    else:
        path, one, two = pair(guest, game='toy')
    for _ in range(turns):
        for client in (one, two):
            view = client.get(path).json()
            if view['may_act']:
                client.post(f'{path}/act', json={'steps': view['legal'][0]})
    one.post(f'{path}/resign', json={})
    return path, one, two


class Slow(PictureWorker):
    """A worker that makes nothing, and notes what it is asked. It waits until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.orders: list[tuple[Mapping[str, Any], str]] = []
        self.ended = 0
        ALL.append(self)

    async def ask(self, order: Mapping[str, Any], data: bytes = b'', seconds: float = 1.0) -> bytes:
        self.orders.append((order, data.decode()))
        if order['do'] in ('png', 'frame'):
            await GATE[0].wait()
        return PNG if order['do'] in ('png', 'end') else b''

    async def end(self) -> None:
        self.ended += 1


ALL: list[Slow] = []
GATE: list[asyncio.Event] = []


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Slow]]:
    """Workers that make nothing, and are done at once."""
    ALL.clear()
    GATE[:] = [asyncio.Event()]
    GATE[0].set()
    for module in (rasters, films):
        monkeypatch.setattr(module, 'PictureWorker', Slow)
    yield ALL
    ALL.clear()


# ---- a link to a turn, and its preview ---------------------------------------------------------------------


def test_a_link_to_a_turn_opens_there_and_shows_its_picture(guest: Guest) -> None:
    path, _, _ = finished(guest, is_open=True)
    page = guest().get(f'{path.removeprefix("/api")}?turn=1', headers=PAGE).text
    assert '<body class="table-page' in page
    assert 'looking-back' in page
    data = json.loads(
        page.partition('<script id="data" type="application/json">')[2].partition('</script>')[0]
    )
    assert (data['look']['at'], data['look']['eyes']) == (1, None)
    assert data['message']['turns'] > 1, 'the present is there, too'
    told = metas(page)
    assert (told['og:title'], told['twitter:card']) == ('Fruit Market · Ludoteca', 'summary_large_image')
    assert told['og:url'] == f'{ADDRESS}{path.removeprefix("/api")}?turn=1'
    assert 'Turn ' in told['og:description']
    assert told['og:image'] == told['twitter:image']
    address = told['og:image'].removeprefix(ADDRESS)
    picture = guest().get(address)
    assert (picture.status_code, picture.headers['content-type']) == (200, 'image/png')
    assert Image.open(BytesIO(picture.content)).size == (1200, 630)
    assert (told['og:image:width'], told['og:image:height']) == ('1200', '630')
    assert len(picture.content) < 600_000, 'messengers pass over large ones'
    assert picture.headers['cache-control'] == 'public, max-age=604800'
    assert picture.headers['cross-origin-resource-policy'] == 'cross-origin'
    again = guest().get(address, headers={'If-None-Match': picture.headers['etag']})
    assert (again.status_code, again.content) == (304, b'')
    now = metas(guest().get(path.removeprefix('/api'), headers=PAGE).text)
    assert now['og:image'] == told['og:image'].partition('?')[0]
    assert re.search(r'\w wins\. \w+ resigned\.$', now['og:description'])
    first = metas(guest().get(f'{path.removeprefix("/api")}?turn=0', headers=PAGE).text)
    assert first['og:description'].endswith('. Beginning.')


def test_a_link_to_a_turn_of_a_private_match_opens_for_others(guest: Guest, slow: list[Slow]) -> None:
    path, one, _ = finished(guest)
    link = link_of(one, path)
    page = guest().get(f'{link}?turn=1', headers=PAGE).text
    told = metas(page)
    assert 'og:url' not in told, 'the address opens more than the picture'
    assert link not in page
    # whoever has sat there is led to the table, at that turn
    assert (
        one.get(f'{link}?turn=1&eyes=0', follow_redirects=False)
        .headers['location']
        .endswith('?turn=1&eyes=0')
    )
    # the picture's address opens nothing but pictures
    token = told['og:image'].rpartition('/')[2].partition('.')[0]
    assert guest().get(f'/watch/{token}', headers=PAGE).status_code == 404
    assert guest().get(f'/previews/{link[7:]}.png').status_code == 404
    assert guest().get(f'/previews/{token[:-1]}{"A" if token[-1] != "A" else "B"}.png').status_code == 404
    # a stranger is not shown the page, and its owner gives nothing away in it
    assert guest().get(f'{path.removeprefix("/api")}?turn=1', headers=PAGE).status_code == 404
    assert not metas(one.get(f'{path.removeprefix("/api")}?turn=1', headers=PAGE).text)


def test_a_turn_that_does_not_exist_is_refused_in_a_sentence(guest: Guest, slow: list[Slow]) -> None:
    path, one, _ = finished(guest, is_open=True)
    address = path.removeprefix('/api')
    token = metas(one.get(address, headers=PAGE).text)['og:image'].removeprefix(ADDRESS)
    for there, status in (
        (f'{address}?turn=99', 400),
        (f'{address}?turn=-1', 422),
        (f'{token}?turn=99', 400),
    ):
        answer = one.get(there, headers={'Accept': 'application/json'})
        assert answer.status_code == status
        assert answer.json()['detail'].endswith(('.', '…'))
    assert one.get(f'{address}?turn=1&eyes=7', headers={'Accept': 'application/json'}).status_code == 400
    # before the match begins there is nothing to go to
    waiting, _ = make(one, game='toy', mode='open')
    assert one.get(f'{waiting.removeprefix("/api")}?turn=3', headers=PAGE).status_code == 200


def test_an_invitation_shows_the_game_and_who_invites(guest: Guest) -> None:
    host = guest()
    host.patch('/api/me', json={'name': 'Wendy'})
    view = make(host, game='toy', mode='link')[1]
    told = metas(guest().get(f'/join/{view["invite"]["token"]}', headers=PAGE).text)
    assert told['og:description'] == 'Wendy invites you to a game of Fruit Market.'
    assert view['invite']['token'] not in ''.join(told.values())
    assert guest().get(told['og:image'].removeprefix(ADDRESS)).content.startswith(PNG)


def test_programs_that_show_links_may_look_at_them(guest: Guest) -> None:
    text = guest().get('/robots.txt').text
    everybody = text.partition('\n\n')[0]
    assert 'Disallow: /previews/' in everybody
    assert 'User-agent: Twitterbot' in text
    assert text.endswith('Allow: /\n')


# ---- who may see what --------------------------------------------------------------------------------------


def test_the_picture_of_a_running_match_is_a_spectators(
    app: FastAPI, guest: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks, and whoever has given the link away."""
    path, one, _ = pair(guest, game='toy')
    table, drawn = path.rpartition('/')[2], list[str]()

    async def png(self: Rasters, svg: str, width: int) -> bytes:
        drawn.append(svg)
        return PNG

    monkeypatch.setattr(Rasters, 'png', png)
    watcher = guest()
    told = metas(watcher.get(link_of(one, path), headers=PAGE).text)
    for client in (one, watcher):
        answer = client.get(f'{told["og:image"].removeprefix(ADDRESS)}?turn=0')
        assert answer.headers['cache-control'] == 'public, max-age=60'
    match = app.state.server._tables[table].match()
    hidden = private(app, table, 0) | private(app, table, 1)
    assert hidden
    assert drawn == [preview(scene_at(match, 0, Eyes(), 'light'))] * 2
    assert not any(f'"{card}"' in drawn[0] for card in hidden)
    # a PNG is what the SVG of the same asker is
    seat = one.get(path).json()['seat']
    assert one.get(f'{path}/picture.png', params={'width': 300}).content == PNG
    assert drawn[-1] == one.get(f'{path}/picture.svg').text
    assert any(f'"{card}"' in drawn[-1] for card in private(app, table, seat))
    assert watcher.get(f'{path}/picture.png').content == PNG
    assert not any(f'"{card}"' in drawn[-1] for card in hidden)
    for query in ({'seat': seat}, {'turn': 0, 'eyes': seat}, {'turn': 0, 'eyes': 1 - seat}):
        assert watcher.get(f'{path}/picture.png', params=query).status_code == 403
        assert watcher.get(f'{path}/picture.svg', params=query).status_code == 403
    assert one.get(f'{path}/picture.png', params={'turn': 0, 'eyes': 1 - seat}).status_code == 403
    assert one.get(f'{path}/picture.png', params={'width': 9000}).status_code == 422


def test_any_position_is_drawn_for_programs(guest: Guest, program: Program) -> None:
    path, _, _ = finished(guest, turns=1, is_open=True)
    position = guest().get(f'{path}/positions/0').json()['position']
    svg = program().post('/api/games/toy/picture', json={'position': position, 'seat': 0, 'theme': 'dark'})
    assert (svg.headers['content-type'], svg.text[:4]) == ('image/svg+xml', '<svg')
    png = program().post('/api/games/toy/picture', json={'position': position, 'kind': 'png', 'width': 40})
    assert Image.open(BytesIO(png.content)).width == 40
    bad: list[dict[str, Any]] = [{'position': {}}, {'position': position, 'seat': 5}]
    for wrong in bad:
        answer = program().post('/api/games/toy/picture', json=wrong)
        assert (answer.status_code, answer.json()['detail'][-1]) == (400, '.')
    assert program().post('/api/games/chess/picture', json={'position': position}).status_code == 404


@pytest.mark.parametrize('named', ['octiles', 'chess', '', None, 5, ['toy']])
def test_a_position_of_another_game_is_told_so(guest: Guest, program: Program, named: object) -> None:
    path, _, _ = finished(guest, turns=1, is_open=True)
    position = guest().get(f'{path}/positions/0').json()['position']
    answer = program().post('/api/games/toy/picture', json={'position': {**position, 'game': named}})
    assert answer.status_code == 400
    assert answer.json()['detail'] == f'This is a position of {shown(named)}, not of toy.'


def test_when_it_is_over_everybody_may_look_as_a_seat_knew_it(app: FastAPI, guest: Guest) -> None:
    path, _, _ = finished(guest, turns=1, is_open=True)
    watcher, address = guest(), path.removeprefix('/api')
    match = app.state.server._tables[path.rpartition('/')[2]].match()

    def drawing(**query: int) -> str:
        return str(watcher.get(f'{address}/at/0', params=query).json()['fragments']['drawing'])

    for seat in (0, 1):
        own = set(re.findall(r' id="([^"]+)"', match.game.draw(match.view(seat, at=0), 'page')))
        shown = set(re.findall(r' id="([^"]+)"', drawing(eyes=seat)))
        assert own <= shown
        assert shown != set(re.findall(r' id="([^"]+)"', drawing()))
    assert watcher.get(f'{address}/at/0', params={'eyes': 7}).status_code == 400
    # while it runs nobody may
    running, player, _ = pair(guest, game='toy')
    seat = player.get(running).json()['seat']
    away = {'eyes': 1 - seat}
    assert player.get(f'{running.removeprefix("/api")}/at/0', params=away).status_code == 403
    page = player.get(f'{running.removeprefix("/api")}?turn=0&eyes={1 - seat}', headers=PAGE)
    assert page.status_code == 200, 'a link opens with the own eyes'
    others = private(app, running.rpartition('/')[2], 1 - seat) - private(
        app, running.rpartition('/')[2], seat
    )
    assert not any(f'"{card}' in page.text.replace('\\', '') for card in others)


def test_what_was_said_is_shown_at_its_turn_to_those_who_may_read_it(guest: Guest) -> None:
    path, one, two = pair(guest, game='toy')
    one.post(f'{path}/chat', json={'text': 'before <b>'})
    for client in (one, two):
        client.post(f'{path}/act', json={'steps': client.get(path).json()['legal'][0]})
    two.post(f'{path}/chat', json={'text': 'after'})
    address, watcher = path.removeprefix('/api'), guest()
    watcher.get(link_of(one, path))

    def said(client: TestClient, turn: int) -> str:
        return str(client.get(f'{address}/at/{turn}').json()['fragments']['said'])

    turns = one.get(path).json()['turns']
    assert turns
    assert ('before &lt;b&gt;' in said(two, 0), 'after' in said(two, 0)) == (True, False)
    assert ('before' in said(two, turns), 'after' in said(two, turns)) == (False, True)
    assert 'before' not in said(watcher, 0), 'those who sit there talk among themselves'


# ---- films -------------------------------------------------------------------------------------------------


def until_done(client: TestClient, path: str, film: Mapping[str, Any]) -> dict[str, Any]:
    for _ in range(400):
        found: dict[str, Any] = client.get(f'{path}/films/{film["id"]}').json()
        if found['state'] in ('ready', 'failed'):
            return found
        time.sleep(0.02)
    raise AssertionError('the film is not done')


def test_a_film_is_made_and_belongs_to_who_asked_for_it(guest: Guest) -> None:
    path, one, two = finished(guest, turns=1)
    wanted = {'kind': 'gif', 'width': 120}
    film = one.post(f'{path}/films', json=wanted).json()
    assert (film['state'], film['url']) == ('waiting', None)
    assert one.get(f'{path}/films/{film["id"]}/file').status_code in (200, 400)
    done = until_done(one, path, film)
    assert (done['state'], done['done']) == ('ready', done['frames'])
    answer = one.get(done['url'])
    assert answer.headers['content-type'] == 'image/gif'
    assert answer.headers['content-disposition'].endswith('.gif"')
    picture = Image.open(BytesIO(answer.content))
    assert (picture.n_frames, picture.width) == (done['frames'], 120)  # type: ignore[attr-defined]
    assert len(answer.content) == done['bytes'] < 60_000 * done['frames']
    # nobody else is told that it is there, until they ask for the same
    assert two.get(f'{path}/films/{film["id"]}').status_code == 404
    assert two.get(done['url']).status_code == 404
    assert guest().get(done['url']).status_code == 404
    assert two.post(f'{path}/films', json=wanted).json()['state'] == 'ready'
    assert two.get(done['url']).content == answer.content


def test_a_film_shows_what_its_asker_may_see(
    app: FastAPI, guest: Guest, program: Program, slow: list[Slow]
) -> None:
    path, one, _ = pair(guest, game='toy')
    table, watcher = path.rpartition('/')[2], guest()
    watcher.get(link_of(one, path))
    seat = one.get(path).json()['seat']
    bot = program(one.post(f'{path}/tokens', json={}).json()['token'])
    match = app.state.server._tables[table].match()
    hidden = private(app, table, seat)
    assert hidden
    for width, (client, own) in enumerate(((one, seat), (bot, seat), (watcher, -1)), 120):
        slow.clear()
        wanted = {'kind': 'gif', 'theme': 'dark', 'width': width}
        film = client.post(f'{path}/films', json=wanted).json()
        assert until_done(client, path, film)['state'] == 'ready'
        frames = [data for worker in slow for order, data in worker.orders if order['do'] == 'frame']
        assert frames == [frame(scene_at(match, 0, Eyes(own), 'dark'), 'dark')]
        assert any(f'"{card}"' in frames[0] for card in hidden) is (own == seat)
    for client, query in ((watcher, {'seat': seat}), (watcher, {'eyes': seat}), (one, {'eyes': 1 - seat})):
        assert client.post(f'{path}/films', json=query).status_code == 403


def test_films_can_be_given_up_and_are_limited(
    guest: Guest, slow: list[Slow], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, one, two = finished(guest)
    GATE[0].clear()
    first = one.post(f'{path}/films', json={'kind': 'gif'}).json()
    assert two.post(f'{path}/films', json={'kind': 'gif'}).json()['id'] == first['id']
    second = one.post(f'{path}/films', json={'kind': 'gif', 'theme': 'dark'}).json()
    busy = one.post(f'{path}/films', json={'kind': 'gif', 'width': 300})
    assert (busy.status_code, busy.json()['detail'][-1]) == (429, '.')
    assert one.get(f'{path}/films/{first["id"]}/file').status_code == 400
    # two want it, so one alone does not end it
    assert one.delete(f'{path}/films/{first["id"]}').json() == {'done': True}
    assert one.get(f'{path}/films/{first["id"]}').status_code == 404
    assert two.get(f'{path}/films/{first["id"]}').json()['state'] in ('waiting', 'making')
    two.delete(f'{path}/films/{first["id"]}')
    assert two.get(f'{path}/films/{first["id"]}').status_code == 404
    one.delete(f'{path}/films/{second["id"]}')
    for wrong in ({'kind': 'avi'}, {'kind': 'apng'}, {'width': 20_000}, {'first': -1}, {'theme': 'pink'}):
        assert one.post(f'{path}/films', json=wrong).status_code == 422
    assert one.post(f'{path}/films', json={'first': 99}).status_code == 400
    monkeypatch.setattr(drawn_films, 'can_make', lambda kind: False)
    missing = one.post(f'{path}/films', json={'kind': 'mp4'})
    assert (missing.status_code, 'ludoteca[film]' in missing.json()['detail']) == (400, True)


def test_a_film_tells_its_place_its_progress_and_the_time_that_is_left(
    guest: Guest, slow: list[Slow], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, one, two = finished(guest)
    GATE[0].clear()
    first = one.post(f'{path}/films', json={'kind': 'gif'}).json()
    second = two.post(f'{path}/films', json={'kind': 'gif', 'theme': 'dark'}).json()
    third = one.post(f'{path}/films', json={'kind': 'gif', 'width': 300}).json()
    # who asks again keeps the place
    assert (
        two.post(f'{path}/films', json={'kind': 'gif', 'theme': 'dark'}).json()['sentence']
        == second['sentence']
    )
    assert [first['sentence'], second['sentence'], third['sentence']] == [
        words('web.film.starting'),
        words('web.film.waiting_one'),
        words('web.film.waiting', n=2),
    ]
    for client, film in ((one, first), (two, second), (one, third)):
        client.delete(f'{path}/films/{film["id"]}')
    # as quickly as so far
    clock = [0.0]
    monkeypatch.setattr(time, 'monotonic', lambda: clock[0])
    film = films.Film('f', 'gif', 'f.gif', total=90, state='making', begun=30.0)
    left = []
    for clock[0], film.done in ((0.0, 0), (30.0, 1), (32.0, 2), (90.0, 31), (206.0, 89), (208.0, 90)):
        left.append(film.seconds)
    assert left == [None, None, 180, 120, 5, 0]


@pytest.mark.parametrize(('problem', 'key'), [(Failed('it died'), 'failed'), (TimeoutError(), 'slow')])
def test_a_film_that_fails_says_why(
    guest: Guest, slow: list[Slow], monkeypatch: pytest.MonkeyPatch, problem: Exception, key: str
) -> None:
    async def ask(self: Slow, order: Mapping[str, Any], data: bytes = b'', seconds: float = 1.0) -> bytes:
        raise problem

    monkeypatch.setattr(Slow, 'ask', ask)
    path, one, _ = finished(guest)
    done = until_done(one, path, one.post(f'{path}/films', json={'kind': 'gif'}).json())
    assert (done['state'], done['sentence']) == ('failed', words(f'web.film.{key}', minutes=10))


# ---- what it costs -----------------------------------------------------------------------------------------


def test_two_who_ask_for_one_picture_have_it_made_once(slow: list[Slow]) -> None:
    async def ask() -> None:
        GATE[0] = asyncio.Event()
        makes = Rasters()
        asked = [asyncio.ensure_future(makes.png('<svg/>', 100)) for _ in range(5)]
        await asyncio.sleep(0)
        asked[0].cancel()  # whoever goes away does not take it from the others
        GATE[0].set()
        assert await asyncio.gather(*asked[1:]) == [PNG] * 4
        assert await makes.png('<svg/>', 100) == PNG
        assert makes.made == 1
        assert await makes.png('<svg/>', 200) == PNG
        assert makes.made == 2
        await makes.close()

    asyncio.run(ask())


def test_too_many_pictures_at_once_are_refused(slow: list[Slow], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rasters, 'MOST_WAITING', 2)
    monkeypatch.setattr(rasters, 'KEPT_BYTES', 5)

    async def ask() -> None:
        GATE[0] = asyncio.Event()
        makes = Rasters()
        asked = [asyncio.ensure_future(makes.png('<svg/>', width)) for width in (1, 2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await makes.png('<svg/>', 3)
        GATE[0].set()
        await asyncio.gather(*asked)
        assert len(makes._kept) == 1, 'there is room for one'
        await makes.close()

    asyncio.run(ask())


def test_what_is_no_picture_is_refused_and_a_worker_that_dies_is_replaced() -> None:
    async def ask() -> None:
        makes = Rasters()
        with pytest.raises(GameError, match='could not be made'):
            await makes.png('nothing', 100)
        child = makes._worker._child
        assert child is None, 'it is gone'
        square = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
        )
        assert (await makes.png(square, 20)).startswith(PNG)
        worker = makes._worker
        assert worker._child is not None
        worker._child.kill()
        await worker._child.wait()
        assert (await makes.png(square, 30)).startswith(PNG)
        with pytest.raises(Failed, match='too long'):
            await worker.ask({'do': 'png', 'width': 40}, square.encode(), seconds=0.0)
        await makes.close()
        assert makes._worker._child is None

    asyncio.run(ask())


def test_a_film_that_nobody_wants_ends_its_worker(slow: list[Slow]) -> None:
    async def ask() -> None:
        GATE[0] = asyncio.Event()
        makes = Films()

        async def draw(at: int) -> tuple[str, int]:
            return f'<svg>{at}</svg>', 100

        film = makes.want('ann', 'key', 'gif', 'film.gif', 100, 3, draw)
        while film.state != 'making' or not slow or len(slow[0].orders) < 5:
            await asyncio.sleep(0)
        assert [order['do'] for order, _ in slow[0].orders] == ['film', *['palette'] * 3, 'frame']
        makes.give_up('ann', film.id)
        with pytest.raises(asyncio.CancelledError):
            await film.task  # type: ignore[misc]
        assert slow[0].ended == 1
        await makes.close()

    asyncio.run(ask())


def test_a_worker_that_is_ended_in_the_middle_of_a_film_leaves_no_file_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ('TMPDIR', 'TEMP', 'TMP'):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(tempfile, 'tempdir', None)
    square = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'

    async def begin() -> None:
        worker = rasters.PictureWorker()
        await worker.ask({'do': 'film', 'kind': 'mp4', 'width': 120})
        await worker.ask({'do': 'frame', 'millis': 100}, square.encode())
        assert list(tmp_path.rglob('ludoteca-film-*')), 'it is begun'
        await worker.end()

    asyncio.run(begin())
    assert list(tmp_path.iterdir()) == []
