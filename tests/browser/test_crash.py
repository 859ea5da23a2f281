"""A server that is killed in the middle of play."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ludoteca.text import words
from tests.browser.conftest import free_port
from tests.browser.support import Opened, ask, my_turn, on_card, play, ready, state

Visit = Callable[..., Page]
SERVE = """
from ludoteca.web import serve
from ludoteca.web.serving import settings
from ludoteca.work import hints
hints.SECONDS = 0.15
serve(settings.read(port={port}, database={url!r}, pace=0.05), prepare=False)
"""


class Server:
    """A server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.address = f'http://127.0.0.1:{self.port}'
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        code = SERVE.format(port=self.port, url=f'sqlite:///{self.folder}/tables.sqlite3')
        self.process = subprocess.Popen(
            [sys.executable, '-c', code],
            env={**os.environ, 'LUDOTECA_DATA': str(self.folder)},
            stdout=subprocess.DEVNULL,
        )
        until = time.monotonic() + 60
        while time.monotonic() < until:
            assert self.process.poll() is None, 'the server ended by itself'
            try:
                urllib.request.urlopen(self.address + '/robots.txt', timeout=1).read()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError('the server did not start')

    def kill(self) -> None:
        if self.process and self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()


@pytest.fixture
def server(tmp_path: Path, opened: Opened) -> Iterator[Server]:
    opened.server_dies = True
    found = Server(tmp_path)
    found.start()
    yield found
    found.kill()


def test_nothing_acknowledged_is_lost_and_pages_find_back(visit: Visit, server: Server) -> None:
    page = visit(server.address)
    on_card(page, 'Play a bot').click()
    ready(page)
    my_turn(page)
    play(page, ask(page, 'hint')['steps'])
    my_turn(page)
    # a step of the second turn is acknowledged, then the server dies
    play(page, ask(page, 'hint')['steps'][:1])
    before = page.evaluate("fetch('/api' + location.pathname).then((a) => a.json())")
    assert before['draft']
    ask(page, 'chat', text='Is anybody there?')
    server.kill()
    expect(page.locator('#net')).to_be_visible()
    server.start()
    ready(page)
    expect(page.locator('#net')).to_be_hidden()
    after = page.evaluate("fetch('/api' + location.pathname).then((a) => a.json())")
    for key in ('position', 'draft', 'turns', 'version', 'seats', 'legal'):
        assert after[key] == before[key], key
    expect(page.locator('.lifted')).to_have_count(1)
    expect(page.locator('#chat')).to_contain_text('Is anybody there?')
    # the game goes on in the same page
    play(page, ask(page, 'hint')['steps'])
    my_turn(page)


@pytest.mark.wide
def test_a_bot_goes_on_where_the_server_died_while_it_was_to_move(visit: Visit, server: Server) -> None:
    page = visit(server.address)
    on_card(page, 'Play a bot').click()
    ready(page)
    my_turn(page)
    turns = state(page)['turns']
    play(page, ask(page, 'hint')['steps'])
    server.kill()
    server.start()
    ready(page)
    page.wait_for_function('(turns) => Number(document.body.dataset.turns) >= turns + 2', arg=turns)
    my_turn(page)


@pytest.mark.wide
def test_a_page_that_is_open_while_data_are_put_back_shows_them_and_says_so(
    visit: Visit, server: Server, tmp_path: Path
) -> None:
    page = visit(server.address)
    on_card(page, 'Play a bot').click()
    ready(page)
    my_turn(page)
    earlier = page.evaluate("fetch('/api' + location.pathname).then((a) => a.json())")
    copy = tmp_path / 'yesterday.sqlite3'
    with closing(sqlite3.connect(tmp_path / 'tables.sqlite3')) as now, closing(sqlite3.connect(copy)) as kept:
        now.backup(kept)
    play(page, ask(page, 'hint')['steps'])
    my_turn(page)
    assert state(page)['turns'] > earlier['turns']
    server.kill()
    for path in tmp_path.glob('tables.sqlite3*'):
        path.unlink()
    copy.rename(tmp_path / 'tables.sqlite3')
    server.start()
    expect(page.locator('#toast')).to_have_text(words('web.table.restored'))
    ready(page)
    page.wait_for_function('(turns) => Number(document.body.dataset.turns) === turns', arg=earlier['turns'])
    # and the game goes on from there in the same page
    my_turn(page)
    play(page, ask(page, 'hint')['steps'])
    page.wait_for_function(
        '(turns) => Number(document.body.dataset.turns) >= turns + 2', arg=earlier['turns']
    )
