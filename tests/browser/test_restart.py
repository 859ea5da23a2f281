"""A server that is replaced while people play: their pages go over to another one."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from ludoteca.web.serving import assets
from tests.browser.support import LIGHT, Opened, ask, my_turn, new_table, on_card, play, ready, state
from tests.postgresql import Cluster
from tests.web.proxy import Proxy
from tests.web.servers import ServerProcess


@pytest.mark.wide
def test_a_page_goes_over_to_another_server_and_the_turn_goes_on(
    visit: Callable[..., Page], opened: Opened, postgresql: Cluster, tmp_path: Path
) -> None:
    opened.server_dies = True
    database = postgresql.new()
    servers = [ServerProcess(database, tmp_path, compiled=True) for _ in range(2)]
    try:
        ports = [int(server.ready().address.rpartition(':')[2]) for server in servers]
        with closing(Proxy(ports)) as proxy:
            page = visit(proxy.address)
            on_card(page, 'Play a bot').click()
            ready(page)
            my_turn(page)
            steps, turns = ask(page, 'hint')['steps'], state(page)['turns']
            play(page, steps[:1])
            servers[0].process.send_signal(signal.SIGTERM)
            servers[0].process.wait(30)
            # nobody waits for the page to come back
            play(page, steps[1:])
            page.wait_for_function('(turns) => Number(document.body.dataset.turns) >= turns + 1', arg=turns)
            ready(page)
            expect(page.locator('#net')).to_be_hidden()
            my_turn(page)
    finally:
        for server in servers:
            server.end()


@pytest.mark.parametrize('stays', [False, True])
def test_a_page_that_stays_open_over_an_update_is_loaded_anew_once(
    visit: Callable[..., Page],
    address: str,
    opened: Opened,
    monkeypatch: pytest.MonkeyPatch,
    stays: bool,
) -> None:
    """`stays`: the page comes from a server that is still of the old version, its socket from a newer one."""
    opened.server_dies = True
    with closing(Proxy([int(address.rpartition(':')[2])])) as proxy:
        page = visit(proxy.address + LIGHT)
        loads: list[str] = []
        new_table(page, proxy.address, 'octiles')
        page.on('load', lambda page: loads.append(page.url))
        old, newer = assets.version(), '0123456789ab'
        if stays:
            there = SimpleNamespace(folder=lambda: f'/static/{newer}/')
            monkeypatch.setattr('ludoteca.web.live.socket.assets', there)
        else:
            monkeypatch.setattr(assets, 'version', lambda: newer)
        with page.expect_event('load'):
            proxy.cut()
        ready(page)
        script = page.locator('script[src*="table.js"]').get_attribute('src')
        assert script == f'/static/{old if stays else newer}/table.js'
        page.wait_for_timeout(1000)
        ready(page)
        assert len(loads) == 1
        my_turn(page)
