"""The site as something that can be installed: what its service worker keeps is nobody's."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from ludoteca.web.html.illustrations import ICON_FOLDER, ICONS, Picture, icon_png
from ludoteca.web.html.layout import LATIN
from ludoteca.web.pages import installed
from ludoteca.web.serving import assets
from tests.built_in import BUILT_IN

Guest = Callable[..., TestClient]


@pytest.fixture
def forgetful() -> Iterator[None]:
    """What is made once is made anew in this test, and after it."""
    made = (
        installed.worker,
        installed.kept,
        installed.manifest,
        assets.files,
        assets.version,
        assets._packed,
    )
    for function in made:
        function.cache_clear()
    yield
    for function in made:
        function.cache_clear()


def keep(script: str) -> dict[str, list[str] | str]:
    """What a worker is told to keep."""
    found = re.match(r'const KEEP=(\{.*?\});\n', script)
    assert found
    data: dict[str, list[str] | str] = json.loads(found[1])
    return data


def test_icons_are_what_is_drawn_now() -> None:
    """If not: `make pictures`."""
    assert {path.name for path in ICON_FOLDER.iterdir()} == {f'{name}.png' for name in ICONS}
    for name in ICONS:
        assert (ICON_FOLDER / f'{name}.png').read_bytes() == icon_png(name), name


def test_the_manifest_has_all_that_installing_needs(guest: Guest) -> None:
    client = guest()
    page = client.get('/').text
    assert 'rel="manifest" href="/manifest.webmanifest"' in page
    answer = client.get('/manifest.webmanifest')
    assert answer.headers['content-type'].startswith('application/manifest+json')
    manifest = answer.json()
    assert (manifest['start_url'], manifest['scope'], manifest['display']) == ('/', '/', 'standalone')
    kinds = {(icon['sizes'], icon['purpose']) for icon in manifest['icons']}
    assert kinds == {(f'{size}x{size}', use) for size in (192, 512) for use in ('any', 'maskable')}
    touch = re.search(r'rel="apple-touch-icon" href="([^"]+)"', page)
    assert touch
    for address in [touch[1], *(icon['src'] for icon in manifest['icons'])]:
        icon = client.get(address)
        assert icon.headers['content-type'] == 'image/png'
        assert icon.content.startswith(b'\x89PNG')


def test_what_is_kept_answers_the_same_to_everybody(guest: Guest) -> None:
    """Two people at a table, and somebody without a cookie, get the same bytes and no cookie."""
    ann, nobody = guest(), guest()
    ann.post('/api/tables', json={'game': 'myrmidons', 'mode': 'bot'})
    found = keep(ann.get('/worker.js').text)
    addresses = [*found['shell'], *found['pictures'], str(found['offline'])]
    assert len(addresses) > 60
    for address in addresses:
        nobody.cookies.clear()
        mine, theirs = ann.get(address), nobody.get(address)
        assert mine.status_code == theirs.status_code == 200, address
        assert mine.content == theirs.content, address
        assert 'set-cookie' not in mine.headers, address
        assert 'set-cookie' not in theirs.headers, address


def test_no_page_and_no_table_is_kept(guest: Guest) -> None:
    found = keep(guest().get('/worker.js').text)
    kept = [*found['shell'], *found['pictures']]
    pictures = r'/games/\w+/(picture-light|badge|positions/[\w-]+|figures/[\w-]+)\.svg'
    for address in kept:
        assert re.fullmatch(rf'/static/{assets.version()}/[\w./-]+|{pictures}', urlsplit(address).path), (
            address
        )
    assert assets.url('worker.js') not in kept
    fonts = {address for address in found['shell'] if address.endswith('.woff2')}
    assert fonts == {assets.url(LATIN)}, 'other scripts are kept when a page shows them'
    assert {assets.url(path) for path in assets.files() if path.endswith('.woff2')} - fonts <= {
        *found['pictures']
    }


def test_the_shell_of_every_page_is_kept(guest: Guest) -> None:
    client = guest()
    found = keep(client.get('/worker.js').text)
    kept = {*found['shell'], *found['pictures']}
    made = client.post('/api/tables', json={'game': 'octiles', 'mode': 'here'}).json()
    for path in (
        '/',
        made['url'],
        '/credits',
        installed.OFFLINE,
        *(f'/games/{name}/rules' for name in BUILT_IN),
    ):
        page = client.get(path, headers={'Accept': 'text/html'}).text
        for address in re.findall(r'<(?:script|img|link)[^>]*? (?:src|href)="([^"]+)"', page):
            # a game from outside has no ready pictures
            if address != '/manifest.webmanifest' and not address.startswith(('/games/toy/', '#')):
                assert address.replace('&amp;', '&') in kept, (path, address)


def test_a_change_of_what_is_kept_makes_another_cache(
    forgetful: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {keep(installed.worker())['name']}
    monkeypatch.setattr(Picture, 'packed', lambda picture: picture.name.encode())
    installed.worker.cache_clear()
    names.add(keep(installed.worker())['name'])
    changed = assets.files() | {'app.css': b'body{}'}
    monkeypatch.setattr(assets, 'files', lambda: changed)
    for made in (assets.version, installed.kept, installed.manifest, installed.worker):
        made.cache_clear()
    names.add(keep(installed.worker())['name'])
    assert len(names) == 3


def test_the_page_without_network_knows_nobody(guest: Guest) -> None:
    client = guest()
    client.post('/api/tables', json={'game': 'octiles', 'mode': 'here'})
    client.patch('/api/me', json={'name': 'Cassandra', 'settings': {'theme': 'dark'}})
    answer = client.get(installed.OFFLINE)
    assert answer.text == guest().get(installed.OFFLINE).text
    assert 'Cassandra' not in answer.text
    assert '<script' not in answer.text
    assert 'href=""' in answer.text  # once more whatever was asked for
    assert answer.headers['content-security-policy'].startswith("default-src 'none'")


def test_the_worker_is_asked_for_anew_each_time_and_may_look_after_all_pages(guest: Guest) -> None:
    answer = guest().get('/worker.js')
    assert answer.headers['cache-control'] == 'no-cache'
    assert answer.headers['content-type'].startswith('text/javascript')
    assert 'set-cookie' not in answer.headers
