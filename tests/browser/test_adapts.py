"""Pages adapt to what people ask of their system: larger text, colours of the system's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route

from ludoteca.game import games, load
from tests.browser.stations import WIDTHS, Station, moments, open_station, stations
from tests.browser.support import LIGHT, POST, drawn, new_table, ready, shifts
from tests.browser.test_room import wrong
from tests.width import width

Visit = Callable[..., Page]
ZOOMED = {720: 450, 667: 375, 320: 640}
"""A window of 1440 pixels at 200 %, a small phone on its side, and the narrowest that WCAG 1.4.10 names: 1280
pixels at 400 %."""
SIDEWAYS = """() => [...document.querySelectorAll('body, body *')]
    .filter((one) => !one.closest('svg, #listed, .reading .scrolls, .cells') && one.checkVisibility())
    .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowX))
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.tagName}#${one.id}.${one.className}`)"""
SIDES = {1440: 900, 1366: 768, 1024: 768, 768: 1024}
GAMES = [name for name in games() if name != 'toy']
PHONES = {390: 844, 320: 640}
READING = [
    *('/', '/rules', '/games/mykerinos/rules', '/games/octiles/puzzles', '/games/octiles/components'),
    *('/games/mykerinos/new', '/sign-in', '/analysis'),
    *width(
        [],
        [
            *('/puzzles', '/credits', '/api', '/offline', '/games/octiles/learn', '/games/octiles/readings'),
            *('/games/myraclia/rules', '/games/myrmidons/rules'),
        ],
    ),
]
CUT = """() => [...document.querySelectorAll('body *:not(input)')]
    .filter((one) => !(one instanceof SVGElement) && !one.closest('.unseen, .skip, .symbols, [inert]'))
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((one) => /hidden|clip/.test(getComputedStyle(one).overflowX))
    .filter((one) => one.clientWidth > 8 && one.scrollWidth > one.clientWidth + 1)
    .map((one) => `cut off: ${one.tagName}#${one.id}.${one.className}`)"""
SAID = """(selectors) => Object.fromEntries(selectors.map((selector) => {
    const style = getComputedStyle(document.querySelector(selector));
    return [selector, [style.backgroundColor, style.color, style.outlineStyle, style.outlineWidth].join()];
}))"""


def zoomed(page: Page, windows: dict[int, int] = ZOOMED) -> dict[int, list[str]]:
    """What lies wrong, or scrolls sideways where nothing may, in windows of these widths and heights."""
    found = {}
    for wide, high in windows.items():
        page.set_viewport_size({'width': wide, 'height': high})
        drawn(page)
        # text in drawings is read through the lens, or in the list
        here = [one for one in wrong(page) if 'in a drawing' not in one]
        if wide == 320:
            here += [f'scrolls sideways: {one}' for one in page.evaluate(SIDEWAYS)]
        if here:
            found[wide] = here
    return found


@pytest.mark.parametrize(
    'path', width(['/', '/games/mykerinos/rules'], ['/', '/games/mykerinos/rules', '/api', '/offline'])
)
def test_reading_pages_reflow_at_400_percent(visit: Visit, address: str, path: str) -> None:
    assert zoomed(visit(address + path)) == {}


@pytest.mark.parametrize(
    'station',
    [one for one in stations(all_players=False) if one.game in width(('mykerinos',), games())],
    ids=lambda station: station.name,
)
def test_a_table_can_be_played_at_200_and_400_percent(visit: Visit, address: str, station: Station) -> None:
    page = visit(address + LIGHT)
    open_station(page, address, station)
    seen, steps = set(), width(5, 12)
    for k, (kind, _) in enumerate(moments(page, station, steps=steps)):
        if kind not in seen or k == steps - 1:  # at last others have moved
            assert zoomed(page) == {}, kind
        seen.add(kind)


@pytest.mark.parametrize(
    ('wide', 'size'),
    width([(1440, 24), (390, 24)], [(1440, 20), (1440, 24), (1440, 32), (390, 20), (390, 24)]),
)
@pytest.mark.parametrize('what', width(['/', 'octiles'], ['/', '/games/octiles/rules', *games()]))
def test_pages_keep_their_order_with_larger_text(
    visit: Visit, address: str, what: str, wide: int, size: int
) -> None:
    """Text of 16 pixels is usual; browsers call 20 large and 24 very large, 32 is twice the usual."""
    page = visit(address + LIGHT, wide, WIDTHS[wide])
    fonts = {'standard': size, 'fixed': size}
    page.context.new_cdp_session(page).send('Page.setFontSizes', {'fontSizes': fonts})
    if what.startswith('/'):
        page.goto(address + what)
    else:
        open_station(page, address, Station(what, 2))
    drawn(page)
    assert page.evaluate('getComputedStyle(document.documentElement).fontSize') == f'{size}px'
    assert [one for one in wrong(page) if 'in a drawing' not in one] == []


@pytest.mark.parametrize('what', [*READING, *width(['octiles', 'mykerinos'], GAMES)])
def test_pages_fit_a_phone_with_text_of_twice_the_usual_size(visit: Visit, address: str, what: str) -> None:
    page = visit(address + LIGHT)
    fonts = {'standard': 32, 'fixed': 32}
    session = page.context.new_cdp_session(page)
    session.send('Page.setFontSizes', {'fontSizes': fonts})
    for kind in shown(page, address, what):
        assert page.evaluate('getComputedStyle(document.documentElement).fontSize') == '32px'
        assert zoomed(page, PHONES) == {}, kind
        assert page.evaluate(CUT) == [], kind


def shown(page: Page, address: str, what: str) -> Iterator[str]:
    """Show a page or, if a game is named, its table in all its phases, at a shared screen also between two
    seats."""
    if what.startswith('/'):
        page.goto(address + what)
        yield what
        return
    station, seen = Station(what, max(load(what).players)), set[str]()
    open_station(page, address, station)
    for kind, _ in moments(page, station, steps=width(3, 6)):
        if kind not in seen:
            yield kind
        seen.add(kind)
    if load(what).hidden:
        made = new_table(page, address, what, 'here')
        path = f'/api/tables/{made["id"]}'
        for seat in range(2):
            steps = page.evaluate(POST, [f'{path}/shuffle', {'seat': seat}])['last']
            page.evaluate(POST, [f'{path}/act', {'seat': seat, 'steps': steps}])
        page.goto(page.url)
        ready(page)
        yield 'the curtain'


@pytest.mark.parametrize('what', [*READING, *width(['mykerinos', 'myraclia'], GAMES)])
def test_pages_fit_with_a_wide_font(visit: Visit, address: str, what: str) -> None:
    """Which a browser shows when it does not have ours in time."""
    page = visit(address + LIGHT)

    def widen(route: Route) -> None:
        answer = route.fetch()
        assert 'Inter,' in answer.text()
        route.fulfill(response=answer, body=answer.text().replace('Inter,', "'DejaVu Sans',"))

    page.route('**/board.css', widen)
    for kind in shown(page, address, what):
        assert page.evaluate('getComputedStyle(document.body).fontFamily').startswith('"DejaVu')
        assert zoomed(page, width({1440: 900, 1024: 768}, SIDES) | PHONES) == {}, kind
        assert page.evaluate(CUT) == [], kind


@pytest.mark.parametrize('game', width(['mykerinos'], games()))
@pytest.mark.parametrize('wide', width([1024], [390, 1024, 1440]))
def test_the_board_stays_where_it_was_in_the_first_picture(
    visit: Visit, address: str, game: str, wide: int
) -> None:
    """Whatever is written over it, and whatever a turn asks for."""
    page = visit(address + LIGHT, wide, WIDTHS[wide])
    station = Station(game, 2)
    open_station(page, address, station)
    kinds = [kind for kind, _ in moments(page, station, steps=6)]
    assert len(kinds) == 6 or kinds[-1] == 'over'
    for value, moved in shifts(page):
        assert 'felt' not in moved, f'{value}: {moved}'


def test_with_colours_of_the_system_what_is_chosen_focused_and_pressed_is_told_by_lines(
    visit: Visit, address: str
) -> None:
    page = visit(address + LIGHT, forced_colors='active')
    open_station(page, address, Station('mykerinos', 2))
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")

    # legal marks keep their own colour: a drawing is not coloured anew
    mark = "() => getComputedStyle(document.querySelector('#drawing .can .mark, #drawing .can.mark')).fill"
    own = page.evaluate(mark)
    page.emulate_media(forced_colors='none')
    assert page.evaluate(mark) == own
    page.emulate_media(forced_colors='active')

    # what has the keyboard has a line round it, whatever it is
    page.click("[data-drawer='settings']")
    for selector in ("[data-drawer='settings']", "#settings-form [name='sound']", '#drawer-settings .close'):
        page.keyboard.press('Shift')  # the keyboard is used: focus is shown
        page.locator(selector).focus()
        style, wide = page.evaluate(
            '() => { const style = getComputedStyle(document.activeElement);'
            ' return [style.outlineStyle, style.outlineWidth]; }'
        )
        assert (style, wide) == ('solid', '3px'), selector

    # chosen or not, on or off, whose turn it is
    radio = "#settings-form [name='theme'][value='{}'] + span"
    said = page.evaluate(SAID, [radio.format('system'), radio.format('dark')])
    assert len(set(said.values())) == 2, said
    switch = "#settings-form [name='{}']"
    said = page.evaluate(SAID, [switch.format('coordinates'), switch.format('sound')])
    assert len(set(said.values())) == 2, said
    said = page.evaluate(SAID, ['.pl.on', '.pl:not(.on)'])
    assert len(set(said.values())) == 2, said
    said = page.evaluate(SAID, ['#past .btn.main', "#acts [data-act='hint']"])
    assert len(set(said.values())) == 2, said
