#!/usr/bin/env python3
"""How long a player waits from a click until the drawn answer, in milliseconds.

    click_to_picture.py                       the median of every game in its middle
    click_to_picture.py --game octiles --clicks 50

A table is played on by seeded random steps to its middle. Then things that can be chosen are clicked in a
Chromium. The time runs from the pointer's event until the change has been painted, two frames after it: for
a click that picks something the first change of drawing, overlay or cards, for one that plays a step the
picture with which the server has answered. The goal is a median under 100 ms for both on an idle machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / 'src')]

from scripts.pictures import CHROMIUM, MIDDLE, serve  # noqa: E402
from tests.browser.stations import Station, moments, open_station, stations  # noqa: E402
from tests.web.limits import quick_hints  # noqa: E402

GOAL = 100.0
SEEDS = 5  # matches that are begun until one lasts long enough
MOST_TRIES = 4  # clicks for each that is wanted
MINE = """() => document.body.dataset.mine === 'true'
    || document.querySelector('#result > .result, #acts [data-act=handover]')"""
WATCH = """() => {
    let began = 0;
    window.waited = {};
    const painted = (kind) => requestAnimationFrame(() => requestAnimationFrame(() => {
        window.waited[kind] ??= performance.now() - began;
    }));
    const picked = new MutationObserver(() => { picked.disconnect(); painted('picked'); });
    const played = new MutationObserver(() => painted('played'));
    played.observe(document.body, {attributes: true, attributeFilter: ['data-version', 'data-seat']});
    addEventListener('pointerdown', (event) => {
        began = event.timeStamp;
        window.waited = {};
        for (const id of ['drawing', 'overlay', 'cards']) {
            const all = {subtree: true, childList: true, attributes: true, characterData: true};
            picked.observe(document.getElementById(id), all);
        }
    }, true);
}"""
CAN = """() => [...document.querySelectorAll('#drawing .can, #cards .can, #acts [data-target]')].flatMap((one) => {
    const box = (one.querySelector('.hit') ?? one).getBoundingClientRect();
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const there = document.elementsFromPoint(x, y).some((other) => one.contains(other));
    return there && !one.classList.contains('chosen') ? [[x, y]] : [];
})"""  # noqa: E501


OVER = """() => {
    const box = document.getElementById('drawing').getBoundingClientRect();
    return Array.from({length: 49}, (_, k) => [
        box.x + box.width * (1 + k % 7) / 8, box.y + box.height * (1 + Math.floor(k / 7)) / 8]);
}"""


def middle_of(page: Page, address: str, station: Station) -> None:
    """Open a table and play on to its middle; anew where a match is over before."""
    for seed in range(SEEDS):
        open_station(page, address, station)
        for step, (kind, _) in enumerate(moments(page, station, seed)):
            if kind != 'over' and step >= MIDDLE // (1 + seed):
                return


def waits(browser: Browser, address: str, station: Station, clicks: int) -> dict[str, list[float]]:
    """The milliseconds of so many clicks of each kind, 'picked' and 'played'; fewer where there are not so
    many."""
    page = browser.new_page(viewport={'width': 1440, 'height': 900}, reduced_motion='reduce')
    page.goto(f'{address}/credits')
    middle_of(page, address, station)
    page.evaluate(WATCH)
    found: dict[str, list[float]] = {'picked': [], 'played': []}
    for k in range(MOST_TRIES * clicks):
        if min(map(len, found.values())) >= clicks:
            break
        page.wait_for_function(MINE)
        points = page.evaluate(CAN)
        if not points:
            break
        if k % 2 and page.locator('.felt.holding').count():
            points = page.evaluate(OVER)  # what is held is laid where it fits
        page.mouse.move(*points[7 * k % len(points)])
        page.wait_for_timeout(120)  # what hovering shows is drawn before
        page.mouse.down()
        page.mouse.up()
        page.wait_for_timeout(350)
        waited: dict[str, float] = page.evaluate('window.waited')
        kind = 'played' if 'played' in waited else 'picked'
        if kind in waited:
            found[kind].append(float(waited[kind]))
    page.context.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or '').split('\n')[0])
    parser.add_argument('--game')
    parser.add_argument('--clicks', type=int, default=20)
    given = parser.parse_args()
    quick_hints()
    slow = False
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address = serve(folder)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=['--no-sandbox', '--disable-gpu'])
        for station in stations(all_players=False):
            if given.game not in (None, station.game):
                continue
            words = []
            for kind, found in waits(browser, address, station, given.clicks).items():
                median = statistics.median(found) if found else float('nan')
                slow |= median >= GOAL
                words.append(f'{kind} {median:6.1f} ms (of {len(found)})')
            print(f'{station.game:<10} {", ".join(words)}', flush=True)
        browser.close()
        server.should_exit = True
    return int(slow)


if __name__ == '__main__':
    sys.exit(main())
