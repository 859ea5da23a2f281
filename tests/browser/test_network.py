"""A network that goes without a word: the page notices, and comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page, WebSocket

from tests.browser.support import LIGHT, POST, Opened, actions, changed, new_table, ready, state
from tests.web.proxy import Proxy

Visit = Callable[..., Page]
SILENCE, ANSWER, AGAIN = 25_000, 8_000, 1_000
"""Milliseconds: after which a silent socket is asked, until it is given up, until the next one is opened."""


@pytest.fixture
def proxy(address: str) -> Iterator[Proxy]:
    """A network between pages and the server."""
    with closing(Proxy([int(address.rpartition(':')[2])])) as found:
        yield found


@pytest.mark.parametrize('notices', ['waits', 'comes back'])
def test_a_page_whose_network_has_gone_silently_finds_the_server_again(
    visit: Visit, address: str, proxy: Proxy, opened: Opened, notices: str
) -> None:
    opened.server_dies = True
    near = visit(address + LIGHT)
    made = new_table(near, address, 'octiles')
    far = near.context.new_page()  # of the same person, whose cookie is that of both addresses
    far.clock.install()
    far.goto(proxy.address + made['url'])
    ready(far)
    proxy.lose()
    before = state(near)
    near.evaluate(POST, [f'/api{made["url"]}/act', {'steps': actions(near)[0][0]}])
    changed(near, before)
    if notices == 'waits':
        far.clock.fast_forward(SILENCE)
    else:
        far.evaluate("dispatchEvent(new Event('online'))")
    assert far.evaluate('document.body.dataset.line') == 'open'
    far.clock.fast_forward(ANSWER)
    far.clock.fast_forward(AGAIN)
    changed(far, before)
    ready(far)


def test_a_page_that_hears_nothing_because_nothing_happens_keeps_its_socket(
    visit: Visit, address: str
) -> None:
    page = visit(address + LIGHT)
    made = new_table(page, address, 'octiles')
    page.clock.install()
    sockets: list[WebSocket] = []
    page.on('websocket', lambda socket: sockets.append(socket))
    page.goto(address + made['url'])
    ready(page)
    for _ in range(3):
        with sockets[0].expect_event('framereceived', lambda frame: frame == '{"alive":true}'):
            page.clock.fast_forward(SILENCE)
        page.clock.fast_forward(ANSWER)
    assert len(sockets) == 1
    assert page.evaluate('document.body.dataset.line') == 'open'


def test_a_page_names_in_its_head_all_modules_that_it_loads(visit: Visit, address: str) -> None:
    """So a browser asks for them at once: on a slow line each level of imports takes a round trip more."""
    page = visit(address + '/')
    table = page.evaluate(POST, ['/api/tables', {'game': 'octiles', 'mode': 'here'}])['url']
    for path in ('/', '/games/octiles/rules', table):
        page.goto(address + path)
        loaded = page.evaluate("""performance.getEntriesByType('resource').map((entry) => entry.name)
            .filter((name) => name.endsWith('.js'))""")
        named = page.evaluate("""[...document.head.querySelectorAll('script, [rel=modulepreload]')]
            .map((one) => one.src ?? one.href)""")
        assert sorted(loaded) == sorted(named), path
        assert len(loaded) > 2
