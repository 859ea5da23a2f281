#!/usr/bin/env python3
"""Pictures of the table page of every game, to look at before and after a change of pages.

    pictures.py OUT                        every game with the most players, in five windows, in both themes
    pictures.py OUT --game octiles         one game with every number of players
    pictures.py OUT --width 390 --theme dark --moments 3

Writes OUT/GAME-PLAYERS-MOMENT-WIDTH-THEME.png. Tables are played on by seeded random steps; there is one
picture of the first moments of each kind (see tests/browser/stations.py), of the middle and of the end.
The lobby, the rules of a game and the other reading pages come with them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / 'src')]

from ludoteca.web import create_app  # noqa: E402
from tests.browser.stations import THEMES, WIDTHS, Station, moments, open_station, stations  # noqa: E402
from tests.web.limits import ROOMY, quick_hints  # noqa: E402

CHROMIUM = os.environ.get('CHROMIUM') or shutil.which('chromium') or shutil.which('google-chrome')
MIDDLE = 28
"""The step after which the match is in its middle."""
PAGES = {'lobby': '/', 'rules': '/games/mykerinos/rules', 'credits': '/credits'}


def serve(folder: str) -> tuple[uvicorn.Server, str]:
    """A server in a thread of this process, with an empty database."""
    with socket.socket() as found:
        found.bind(('127.0.0.1', 0))
        port = int(found.getsockname()[1])
    address = f'http://127.0.0.1:{port}'
    app = create_app(
        f'sqlite:///{folder}/tables.sqlite3',
        key=b'k' * 32,
        prepare=False,
        limits=ROOMY,
        address=address,
        pace=0.05,
    )
    server = uvicorn.Server(uvicorn.Config(app, host='127.0.0.1', port=port, log_level='warning'))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.02)
    return server, address


def shots(page: Page, name: str, widths: list[int], themes: list[str], out: Path) -> None:
    """The page as it is, in every window and theme."""
    for theme in themes:
        page.emulate_media(color_scheme='dark' if theme == 'dark' else 'light', reduced_motion='reduce')
        for width in widths:
            page.set_viewport_size({'width': width, 'height': WIDTHS[width]})
            page.wait_for_timeout(150)
            page.screenshot(path=out / f'{name}-{width}-{theme}.png')


def station_shots(
    browser: Browser,
    address: str,
    station: Station,
    widths: list[int],
    themes: list[str],
    most: int,
    out: Path,
) -> None:
    """Pictures of a table's moments."""
    page = browser.new_page(viewport={'width': 1440, 'height': 900}, reduced_motion='reduce')
    page.goto(f'{address}/credits')
    open_station(page, address, station)
    seen: set[str] = set()
    for step, (kind, _) in enumerate(moments(page, station)):
        if (len(seen) < most and kind not in seen) or kind == 'over' or step == MIDDLE:
            label = kind.replace('+', 'b') if step != MIDDLE else 'mid'
            shots(page, f'{station.name}-{label}', widths, themes, out)
        seen.add(kind)
        if step >= MIDDLE and most < 99:
            break
    page.context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('out', type=Path)
    parser.add_argument('--game')
    parser.add_argument('--players', type=int)
    parser.add_argument('--width', type=int, choices=sorted(WIDTHS), action='append')
    parser.add_argument('--theme', choices=THEMES, action='append')
    parser.add_argument(
        '--moments', type=int, default=3, help='kinds of moments; 99: to the end of the match'
    )
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    widths, themes = given.width or list(WIDTHS), given.theme or list(THEMES)
    quick_hints()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address = serve(folder)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=['--no-sandbox', '--disable-gpu'])
        if not given.game:
            page = browser.new_page(reduced_motion='reduce')
            for name, path in PAGES.items():
                page.goto(address + path)
                shots(page, name, widths, themes, given.out)
        for station in stations(all_players=bool(given.game)):
            if given.game in (None, station.game) and given.players in (None, station.players):
                station_shots(browser, address, station, widths, themes, given.moments, given.out)
                print(station.name, flush=True)
        browser.close()
        server.should_exit = True
    return 0


if __name__ == '__main__':
    sys.exit(main())
