#!/usr/bin/env python3
"""How long a player waits from a click until the drawn answer, in milliseconds.

    click_to_picture.py                       the median of every game in its middle
    click_to_picture.py --game octiles --clicks 50

A table at one screen is played on by seeded random steps to its middle. Then things that can be chosen are
clicked in a Chromium. The time runs from the pointer's event until a changed drawing, overlay or card has
been painted: two frames after the change. The goal is a median under 100 ms on an idle machine.
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
MOST_TRIES = 6  # clicks that change nothing, one after another, before it is given up
WATCH = """() => {
    window.waited = null;
    let began = 0;
    const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => {
        if (window.waited === null) window.waited = performance.now() - began;
    }));
    addEventListener('pointerdown', (event) => {
        began = event.timeStamp;
        window.waited = null;
        const watch = new MutationObserver(() => { watch.disconnect(); painted(); });
        for (const id of ['drawing', 'overlay', 'cards', 'acts']) {
            const element = document.getElementById(id);
            const all = {subtree: true, childList: true, attributes: true, characterData: true};
            if (element) watch.observe(element, all);
        }
    }, true);
}"""
CAN = """() => [...document.querySelectorAll('#drawing .can, #cards .can, #acts [data-target]')].flatMap((one) => {
    const box = (one.querySelector('.hit') ?? one).getBoundingClientRect();
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const there = document.elementFromPoint(x, y);
    return there && (one.contains(there) || there.contains(one)) && !one.classList.contains('chosen') ? [[x, y]] : [];
})"""  # noqa: E501


def middle_of(page: Page, address: str, station: Station) -> None:
    """Open a table and play on to its middle."""
    open_station(page, address, station)
    for step, _ in enumerate(moments(page, station)):
        if step >= MIDDLE:
            return


def waits(browser: Browser, address: str, station: Station, clicks: int) -> list[float]:
    """The milliseconds of each click that changed the picture."""
    page = browser.new_page(viewport={'width': 1440, 'height': 900}, reduced_motion='reduce')
    page.goto(f'{address}/credits')
    middle_of(page, address, station)
    page.evaluate(WATCH)
    found: list[float] = []
    vain = 0
    while len(found) < clicks and vain < MOST_TRIES:
        points = page.evaluate(CAN)
        if not points:
            break
        x, y = points[(7 * len(found) + vain) % len(points)]
        page.mouse.move(x, y)
        page.wait_for_timeout(120)  # what hovering shows is drawn before
        page.mouse.down()
        page.mouse.up()
        page.wait_for_timeout(400)
        waited = page.evaluate('window.waited')
        vain = vain + 1 if waited is None else 0
        if waited is not None:
            found.append(float(waited))
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
            found = waits(browser, address, station, given.clicks)
            median = statistics.median(found) if found else float('nan')
            slow |= not median < GOAL
            print(f'{station.game:<10} {median:6.1f} ms  (median of {len(found)} clicks)', flush=True)
        browser.close()
        server.should_exit = True
    return int(slow)


if __name__ == '__main__':
    sys.exit(main())
