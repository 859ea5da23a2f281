"""A server and a Chromium for the tests that click through real pages."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import os
import random
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from ludoteca.match import match, setup
from ludoteca.web import create_app
from ludoteca.web.live import blunders, bots
from tests.browser.support import Opened, watch
from tests.web.conftest import OPERATOR
from tests.web.limits import ROOMY, quick_hints
from tests.width import width

KNOWN = ('chromium', 'chromium-browser', 'google-chrome')
CHROMIUM = os.environ.get('CHROMIUM') or next(
    filter(None, map(shutil.which, width(('chromium-headless-shell', *KNOWN), KNOWN))), None
)
"""Narrow, the same Chromium without its windows, if it is there: a visitor costs it a quarter of the time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None and not os.environ.get('CI'):
                item.add_marker(
                    pytest.mark.skip(reason='no Chromium on this computer; install the package chromium')
                )


SLOW = float(os.environ.get('LUDOTECA_SLOW_MS', '0')) / 1000
"""Seconds by which the server answers late. A test that does not wait for what it looks at fails with 0.3."""


def late(app: Any) -> Any:
    """The application with answers, and messages of the sockets, that come late."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        line = asyncio.Lock()

        async def told(message: Any) -> None:
            if message['type'] in ('http.response.start', 'websocket.send'):
                async with line:
                    await asyncio.sleep(SLOW)
                    await send(message)
            else:
                await send(message)

        await app(scope, receive, told if scope['type'] != 'lifespan' else send)

    return answer


def free_port() -> int:
    with socket.socket() as found:
        found.bind(('127.0.0.1', 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope='session')
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of this process."""
    quick_hints()
    port = free_port()
    own = f'http://127.0.0.1:{port}'
    data = tmp_path_factory.mktemp('data')
    app = create_app(
        f'sqlite:///{data}/tables.sqlite3',
        key=b'k' * 32,
        prepare=False,
        limits=ROOMY,
        address=own,
        pace=0.05,
        operator_key=OPERATOR,
    )
    server = uvicorn.Server(
        uvicorn.Config(
            late(app) if SLOW else app,
            host='127.0.0.1',
            port=port,
            log_level='warning',
            timeout_graceful_shutdown=1,
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    yield own
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope='session')
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM, args=['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']
        )
        yield found
        found.close()


LONGEST = width(240.0, 480.0)
"""Seconds after which a test's pages are taken from it. Playwright has no limit for what a page computes.
Wide, a whole game played by keys takes two minutes alone, and four beside all else."""


STDERR = 2


def processes_of_pages() -> list[int]:
    """The processes in which the Chromium of this process shows pages (none where there is no /proc)."""
    parents: dict[int, int] = {}
    shows: list[int] = []
    for place in Path('/proc').glob('[0-9]*'):
        with contextlib.suppress(OSError):
            parents[int(place.name)] = int((place / 'stat').read_text().rpartition(')')[2].split()[1])
            if b'--type=renderer' in (place / 'cmdline').read_bytes():
                shows.append(int(place.name))

    def is_ours(process: int) -> bool:
        while process in parents and process != os.getpid():
            process = parents[process]
        return process == os.getpid()

    return [process for process in shows if is_ours(process)]


@pytest.fixture(autouse=True)
def ends(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that takes too long fails: its pages crash, so that whatever waits for them goes on. Where all
    threads are then is printed, those of the server, too."""

    def end() -> None:
        os.write(STDERR, f'{request.node.nodeid} took longer than {LONGEST:.0f} s\n'.encode())
        faulthandler.dump_traceback(STDERR)
        for process in processes_of_pages():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    limit = threading.Timer(LONGEST, end)
    limit.start()
    yield
    limit.cancel()


@pytest.fixture(autouse=True)
def dealt(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test's tables are dealt, seated, arranged by lot and played by bots alike in every run: the server
    runs in this process. Which deals a test sees depends on its name, and on LUDOTECA_DEALS for who looks for
    others."""
    rng = random.Random(request.node.nodeid + os.environ.get('LUDOTECA_DEALS', ''))
    fixed = SimpleNamespace(randbits=rng.getrandbits, SystemRandom=lambda: rng)
    for module in (setup, match, bots, blunders):
        monkeypatch.setattr(module, 'secrets', fixed)


@pytest.fixture
def opened() -> Opened:
    """What the pages of a test complained of."""
    return Opened()


WINDOW = width((1024, 768), (1440, 900))
"""Width and height where a test names none: the larger a window, the longer a browser paints."""


@pytest.fixture
def visit(chromium: Browser, opened: Opened) -> Iterator[Callable[..., Page]]:
    """Opens a page as a new guest. At the end of the test no page may have complained of anything."""
    contexts: list[BrowserContext] = []

    def visit(
        url: str,
        width: int = WINDOW[0],
        height: int = WINDOW[1],
        touch: bool = False,
        motion: bool = False,
        **more: Any,
    ) -> Page:
        more.setdefault('service_workers', 'block')  # it would fill its cache for every guest anew
        context = chromium.new_context(
            viewport={'width': width, 'height': height},
            has_touch=touch,
            is_mobile=touch,
            reduced_motion='no-preference' if motion else 'reduce',
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        watch(page, opened)
        page.set_default_timeout(45_000)  # on a busy computer, too
        page.goto(url)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not opened.complaints, opened.complaints
