"""The installed site in Chromium: what its service worker keeps, and what it does without network."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.browser.support import POST, Opened, new_table, ready

Visit = Callable[..., Page]
KEPT = """async () => {
    const found = {};
    for (const name of await caches.keys()) {
        found[name] = (await (await caches.open(name)).keys()).map((request) => request.url);
    }
    return found;
}"""
INSTALLED = '() => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller))'


def test_the_worker_keeps_nothing_of_a_table_and_shows_none_without_network(
    visit: Visit, address: str, opened: Opened
) -> None:
    """A table with secrets is played at, then the network goes: no cache has anything of it, a page of it is
    not to be had, and with the network it is there again. A cache of another version is gone."""
    page = visit(f'{address}/credits', service_workers='allow')
    page.evaluate("caches.open('ludoteca-old').then((cache) => cache.put('/tables/x', new Response('old')))")
    page.evaluate("caches.open('mine').then((cache) => cache.put('/mine', new Response('stays')))")
    page.wait_for_function(INSTALLED)
    page.goto(address)
    made = new_table(page, address, 'myrmidons', 'bot', level='beginner')
    table = address + made['url']
    shuffled = page.evaluate(POST, [f'/api{made["url"]}/shuffle', {}])
    page.evaluate(POST, [f'/api{made["url"]}/act', {'steps': shuffled['last']}])
    for path in (f'{made["url"]}/view', f'/api{made["url"]}', '/lists', '/api/me', '/credits'):
        page.evaluate('(path) => fetch(path).then((answer) => answer.text())', path)
    page.goto(f'{address}/games/myrmidons/rules')
    page.locator('.reading img').first.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.reading img').naturalWidth > 0")
    page.goto(table)
    ready(page)

    found = page.evaluate(KEPT)
    assert found.pop('mine') == [f'{address}/mine']
    assert len(found) == 1, list(found)
    ((name, kept),) = found.items()
    assert name != 'ludoteca-old'
    paths = {urlsplit(url).path for url in kept}
    assert '/offline' in paths
    assert any(path.endswith('/table.js') for path in paths)
    assert any(path.startswith('/games/myrmidons/positions/') for path in paths), 'seen on the rules page'
    shell = ('/static/', '/games/')
    assert {path for path in paths if not path.startswith(shell)} == {'/offline'}
    assert not {path for path in paths if path.startswith('/games/') and not path.endswith('.svg')}

    opened.server_dies = True
    page.context.set_offline(True)
    answer = page.goto(table)
    assert answer is not None
    assert answer.status == 503
    assert answer.from_service_worker
    assert page.locator('h1').inner_text() == 'No connection'
    assert page.locator('#drawing').count() == 0
    style = page.evaluate("getComputedStyle(document.querySelector('.btn.main')).backgroundColor")
    assert style != 'rgba(0, 0, 0, 0)', 'the shell is there'

    page.context.set_offline(False)
    page.click('text=Try again')
    ready(page)
    assert page.url == table
    # the browser's own word about the page that the worker answered with; nothing else was complained of
    assert all('status of 503' in complaint for complaint in opened.complaints), opened.complaints
    opened.complaints.clear()
