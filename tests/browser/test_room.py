"""There is room for everything: nothing lies outside the window, over something else, or is cut off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from ludoteca.game import games
from tests.browser.stations import THEMES, WIDTHS, Station, moments, open_station, stations
from tests.width import width

Visit = Callable[..., Page]
MEASURE = (Path(__file__).parent / 'measure.js').read_text('utf-8')
STEPS = width(6, 20)


def wrong(page: Page) -> list[str]:
    """What lies wrong on the page as it is drawn."""
    found: list[str] = page.evaluate(MEASURE)
    return found


def measure(page: Page, themes: tuple[str, ...] = THEMES) -> dict[str, list[str]]:
    """What lies wrong, by window and theme."""
    found = {}
    for theme in themes:
        page.emulate_media(color_scheme='dark' if theme == 'dark' else 'light', reduced_motion='reduce')
        for wide, high in WIDTHS.items():
            page.set_viewport_size({'width': wide, 'height': high})
            page.evaluate(
                'new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(0))))'
            )
            if here := wrong(page):
                found[f'{wide} {theme}'] = here
    return found


@pytest.mark.parametrize(
    'station', stations(all_players=width(False, True)), ids=lambda station: station.name
)
def test_there_is_room_for_everything(visit: Visit, address: str, station: Station) -> None:
    page = visit(f'{address}/credits', 1440, 900)
    open_station(page, address, station)
    seen: set[str] = set()
    for kind, _ in moments(page, station, steps=STEPS):
        if kind not in seen or kind == 'over':
            # colours move nothing: the second theme is measured once
            assert measure(page, THEMES if not seen else THEMES[:1]) == {}, kind
        seen.add(kind)


@pytest.mark.parametrize('path', ['/', '/games/mykerinos/rules', '/credits', '/api'])
def test_there_is_room_on_reading_pages(visit: Visit, address: str, path: str) -> None:
    assert measure(visit(address + path), THEMES[:1]) == {}


@pytest.mark.parametrize('game', width(['myraclia'], [name for name in games() if name != 'toy']))
def test_the_dialog_of_a_new_table_is_whole_with_all_options_open(
    visit: Visit, address: str, game: str
) -> None:
    page = visit(address)
    page.locator(f"[data-dialog='new'][data-game='{game}']").click()
    page.evaluate("for (const one of document.querySelectorAll('#new details')) one.open = true")
    assert measure(page, THEMES[:1]) == {}
    box = page.locator('#new').bounding_box()
    assert box is not None
    assert box['y'] >= 0
    assert box['y'] + box['height'] <= WIDTHS[1920]
