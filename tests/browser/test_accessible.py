"""axe-core finds nothing against WCAG 2.2 AA, on any page, phase and theme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ludoteca.game import games
from ludoteca.text import words
from tests.browser.stations import THEMES, WIDTHS, Station, moments, open_station, stations
from tests.browser.support import LIGHT, drawn, new_table
from tests.width import WIDE, width

Visit = Callable[..., Page]
AXE = Path(__file__).resolve().parents[2] / 'node_modules/axe-core/axe.min.js'
RULES = ('wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice')
COLOURS = ('color-contrast', 'link-in-text-block')
"""The rules that look at colours."""
RUN = """(only) => axe.run(document, {runOnly: only, resultTypes: ['violations']})
    .then((found) => found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).slice(0, 2)}`))"""  # noqa: E501
PAGES = ('/', '/learn', '/games/myrmidons/rules', '/games/myraclia/learn', '/nowhere')
MORE_PAGES = (
    *('/games/myrmidons/new', '/games/myraclia/readings', '/rules?q=tile', '/credits', '/api'),
    '/sign-in',
)
"""Pages of the same parts."""
SIZES = width((1440,), (390, 1440))

pytestmark = pytest.mark.skipif(not AXE.exists(), reason='axe-core is not installed: npm ci')


def violations(page: Page) -> dict[str, list[str]]:
    """What axe-core finds, by window and theme. Themes change colours alone: narrow, the second one is held
    to the rules that look at colours."""
    page.evaluate(AXE.read_text('utf-8'))
    found = {}
    for wide in SIZES:
        page.set_viewport_size({'width': wide, 'height': WIDTHS[wide]})
        drawn(page)
        for theme in THEMES:
            page.emulate_media(color_scheme='dark' if theme == 'dark' else 'light', reduced_motion='reduce')
            whole = theme == THEMES[0] or WIDE
            only = {'type': 'tag', 'values': RULES} if whole else {'type': 'rule', 'values': COLOURS}
            if here := page.evaluate(RUN, only):
                found[f'{wide} {theme}'] = here
    return found


@pytest.mark.parametrize('path', width(PAGES, PAGES + MORE_PAGES))
def test_no_violation_on_a_reading_page(visit: Visit, address: str, path: str) -> None:
    assert violations(visit(address + path, bypass_csp=True)) == {}


def test_a_link_to_another_browser_is_made_copied_and_followed(visit: Visit, address: str) -> None:
    page = visit(address, bypass_csp=True, permissions=['clipboard-read', 'clipboard-write'])
    name = page.input_value('#name')
    page.get_by_role('link', name=words('web.nav.sign_in')).click()
    page.get_by_role('button', name='Make a link').click()
    assert violations(page) == {}
    page.get_by_role('button', name='Copy the link').click()
    expect(page.get_by_role('button', name='Copied')).to_be_visible()
    link = page.evaluate('navigator.clipboard.readText()')
    other = visit(address, bypass_csp=True, java_script_enabled=False)
    other.goto(link)
    other.get_by_role('button', name=words('web.sign_in.go_on', name=name)).click()
    assert other.input_value('#name') == name


def test_no_violation_in_the_dialog_of_a_new_table(visit: Visit, address: str) -> None:
    page = visit(address, bypass_csp=True)
    page.click("[data-dialog='new']")
    assert violations(page) == {}


def test_no_violation_in_the_dialog_that_shares_a_match(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, bypass_csp=True)
    new_table(page, address, 'octiles')
    page.click("[data-act='share']")
    expect(page.locator('#share-whole')).to_be_visible()
    assert violations(page) == {}


@pytest.mark.parametrize(
    'station',
    [one for one in stations(all_players=False) if one.game in width(('myraclia',), games())],
    ids=lambda station: station.name,
)
def test_no_violation_at_a_table(visit: Visit, address: str, station: Station) -> None:
    page = visit(address + LIGHT, bypass_csp=True)
    open_station(page, address, station)
    seen: set[str] = set()
    for kind, _ in moments(page, station, steps=width(2, 12)):
        if kind not in seen:
            assert violations(page) == {}, kind
        seen.add(kind)
