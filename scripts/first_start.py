#!/usr/bin/env python3
"""How long a newcomer waits: a fresh clone, an empty home, a real Chromium.

    first_start.py                  every game, each with an empty home of its own
    first_start.py GAME [GAME ...]  these games
    first_start.py --installed      the environment of this checkout instead of a fresh clone's own (no
                                    download)

Columns, in seconds: `lobby`: from `make play` until the lobby stands there whole, pictures included; `legal`:
from the click on "Play a bot" to the first choice that can be clicked, while all games are being compiled;
`answer`: from the end of one's own first turn to the end of the bot's; `compiled`: from `make play` until the
game's kernels are compiled and in use. The bot's answer includes the pause of 0.7 s that lets people follow.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = os.environ.get('CHROMIUM') or shutil.which('chromium') or shutil.which('google-chrome')
PICTURES_THERE = '[...document.images].every(i => i.loading === "lazy" || (i.complete && i.naturalWidth > 0))'
LONGEST = 300.0

# Plays the first legal steps, in the page, until a turn is finished or it is somebody else's.
PLAY = """async (table) => {
  const headers = { 'Content-Type': 'application/json' };
  const look = async () => (await fetch(`/api/tables/${table}`)).json();
  const act = async (steps, version) => (await fetch(`/api/tables/${table}/act`,
    { method: 'POST', headers, body: JSON.stringify({ steps, version }) })).json();
  let view = await look();
  const before = view.turns;
  while (view.may_act && view.turns === before) {
    const legal = view.legal.filter(name => name !== 'resign');
    const answer = await act(legal[0], view.version);
    if (answer.detail) throw new Error(answer.detail);
    view = await look();
  }
  return view.turns;
}"""
LOOK = 'async (table) => (await fetch(`/api/tables/${table}`)).json()'


def free_port() -> int:
    with socket.socket() as found:
        found.bind(('127.0.0.1', 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def played(place: Path, home: Path, port: int, *variables: str) -> Iterator[float]:
    """`make play`; yields the time at which it was typed."""
    kept = {
        name: os.environ[name]
        for name in ('PATH', 'LANG', 'PIP_CONFIG_FILE', 'PIP_INDEX_URL')
        if name in os.environ
    }
    environment = kept | {'HOME': str(home), 'BROWSER': 'true', 'LUDOTECA_PORT': str(port)}
    began = time.perf_counter()
    child = subprocess.Popen(
        ['make', 'play', f'PLAY=--port {port} --no-open', *variables],
        cwd=place,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield began
    finally:
        os.killpg(child.pid, signal.SIGTERM)
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def wait_for_port(port: int) -> None:
    end = time.perf_counter() + LONGEST
    while time.perf_counter() < end:
        with contextlib.suppress(OSError), socket.create_connection(('127.0.0.1', port), 1):
            return
        time.sleep(0.02)
    raise SystemExit('The server did not start.')


def wait_until(page: Page, table: str, condition: str) -> dict[str, Any]:
    """Look at the table until the condition (of `view`) holds."""
    end = time.perf_counter() + LONGEST
    while time.perf_counter() < end:
        view: dict[str, Any] = page.evaluate(LOOK, table)
        if eval(condition, {}, {'view': view}):
            return view
        time.sleep(0.03)
    raise SystemExit(f'It did not come to {condition}.')


def measure(page: Page, address: str, game: str, began: float) -> dict[str, float]:
    """What a newcomer to one game waits for."""
    found: dict[str, float] = {}
    page.goto(address)
    page.wait_for_function(PICTURES_THERE)
    found['lobby'] = time.perf_counter() - began
    card = page.locator(f'form:has(input[name=game][value={game}]):has(input[name=mode][value=bot])').first
    since = time.perf_counter()
    card.locator('button[type=submit]').click()
    page.wait_for_url('**/tables/*')
    table = page.url.rsplit('/', 1)[1]
    view = page.evaluate(LOOK, table)
    if not view['may_act']:  # the bot begins
        view = wait_until(page, table, 'view["may_act"]')
        found['bot_begins'] = time.perf_counter() - since
    page.wait_for_selector('#drawing svg')
    # clicks are answered from now on
    page.wait_for_selector('body[data-script=ready][data-line=open][data-mine=true]')
    found['legal'] = time.perf_counter() - since
    turns = page.evaluate(PLAY, table)
    since = time.perf_counter()
    wait_until(page, table, f'view["may_act"] or view["turns"] > {turns} or view["result"]')
    found['answer'] = time.perf_counter() - since
    return found


def clone(into: Path) -> None:
    subprocess.run(['git', 'clone', '-q', str(ROOT), str(into)], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('games', nargs='*')
    parser.add_argument('--installed', action='store_true', help="use this checkout's environment")
    given = parser.parse_args()
    from ludoteca.game import games

    names = given.games or list(games())
    print(f'{"":12}{"lobby":>8}{"legal":>8}{"answer":>8}')
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        place = ROOT
        if not given.installed:
            place = Path(scratch) / 'clone'
            clone(place)
            since = time.perf_counter()
            kept = {name: os.environ[name] for name in os.environ if name != 'HOME'}
            subprocess.run(
                ['make', 'setup'],
                cwd=place,
                env=kept | {'HOME': scratch},
                check=True,
                stdout=subprocess.DEVNULL,
            )
            print(f'make setup: {time.perf_counter() - since:.1f} s')
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=['--no-sandbox', '--disable-gpu'])
        for name in names:
            home, port = Path(scratch) / f'home-{name}', free_port()
            home.mkdir()
            page = browser.new_page(bypass_csp=True)
            with played(place, home, port) as began:
                wait_for_port(port)
                found = measure(page, f'http://127.0.0.1:{port}', name, began)
            page.close()
            line = ''.join(f'{found[key]:8.2f}' for key in ('lobby', 'legal', 'answer'))
            more = f'   the bot began, after {found["bot_begins"]:.2f}' if 'bot_begins' in found else ''
            print(f'{name:12}{line}{more}', flush=True)
        browser.close()
    return 0


if __name__ == '__main__':
    sys.exit(main())
