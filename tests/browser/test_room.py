"""There is room for everything: nothing lies outside the window, over something else, or is cut off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.game import games
from tests.browser.stations import THEMES, WIDTHS, Station, moments, open_station, stations
from tests.browser.support import LIGHT, POST, RENAME, changed, drawn, my_turn, new_table, ready, state
from tests.width import width

Visit = Callable[..., Page]
MEASURE = (Path(__file__).parent / 'measure.js').read_text('utf-8')
STEPS = width(6, 20)
LATER = width((390, 1024), (*WIDTHS,))
"""The windows in which moments after the first one are measured: narrow, the two with least room."""


def wrong(page: Page) -> list[str]:
    """What lies wrong on the page as it is drawn."""
    found: list[str] = page.evaluate(MEASURE)
    return found


def measure(
    page: Page, themes: tuple[str, ...] = THEMES, windows: tuple[int, ...] = (*WIDTHS,)
) -> dict[str, list[str]]:
    """What lies wrong, by window and theme."""
    found = {}
    for theme in themes:
        page.emulate_media(color_scheme='dark' if theme == 'dark' else 'light', reduced_motion='reduce')
        for wide in windows:
            page.set_viewport_size({'width': wide, 'height': WIDTHS[wide]})
            drawn(page)
            here = wrong(page)
            if here:  # a slow page may not have come to rest
                page.wait_for_timeout(500)
                here = wrong(page)
            if here:
                found[f'{wide} {theme}'] = here
    return found


@pytest.mark.parametrize(
    'station', stations(all_players=width(False, True)), ids=lambda station: station.name
)
def test_there_is_room_for_everything(visit: Visit, address: str, station: Station) -> None:
    """Narrow, the first moment in all windows, later ones in two; in one theme, since colours move
    nothing. Wide, two matches, which come to moments that are rare."""
    page = visit(address + LIGHT, 1440, 900)
    seen: set[str] = set()
    for seed in range(width(1, 2)):
        open_station(page, address, station)
        for kind, _ in moments(page, station, seed, STEPS):
            if not seen:
                assert measure(page, THEMES[:1]) == {}, kind
                # colours move nothing: the second theme is measured once
                assert measure(page, width((), THEMES[1:])) == {}, kind
            elif kind not in seen or kind == 'over':
                assert measure(page, THEMES[:1], LATER) == {}, kind
            seen.add(kind)


COVERED = """(name) => {
    const over = document.getElementById(`drawer-${name}`).getBoundingClientRect();
    return [...document.querySelectorAll('.players .pl')].map((panel) => panel.getBoundingClientRect())
        .every(({ left, right, bottom }) => bottom <= over.top
            || left - 1 >= over.left && right + 1 <= over.right && bottom + 1 <= over.bottom);
}"""


def test_there_is_room_in_every_drawer(visit: Visit, address: str) -> None:
    """In the windows in which the side is narrowest, and on a phone."""
    page = visit(address + LIGHT, 1440, 900)
    table = new_table(page, address, 'mykerinos', 'bot', level='beginner')
    study = page.evaluate(POST, ['/api/analyses', {'game': 'mykerinos'}])
    for url in width((table['url'],), (table['url'], study['url'])):
        page.goto(address + url)
        ready(page)
        for wide, high in width(((1024, 768),), ((1024, 768), (761, 900), (390, 844))):
            page.set_viewport_size({'width': wide, 'height': high})
            for button in page.locator('.drawers [data-drawer]').all():
                if not button.is_visible():
                    continue
                name = button.get_attribute('data-drawer')
                button.click()
                inside = page.locator(f'#drawer-{name} .inside')
                for whole, seen in inside.evaluate_all(
                    'all => all.map((one) => [one.scrollWidth, one.clientWidth])'
                ):
                    assert whole <= seen, f'{name} in {wide} x {high} of {url}'
                assert wide < 761 or page.evaluate(COVERED, name), f'a panel looks out behind it at {wide}'
                page.keyboard.press('Escape')
                expect(page.locator(f'#drawer-{name}')).to_be_hidden()


@pytest.mark.parametrize(
    'path',
    [
        *('/', '/games/mykerinos/rules', '/puzzles'),
        *width([], ['/credits', '/api', '/sign-in', '/games/octiles/components']),
    ],
)
def test_there_is_room_on_reading_pages(visit: Visit, address: str, path: str) -> None:
    page = visit(address + path)
    assert measure(page, THEMES[:1]) == {}
    page.set_viewport_size({'width': 390, 'height': 844})
    drawn(page)
    above, heading = page.locator('.bar nav').bounding_box(), page.locator('h1').first.bounding_box()
    assert above is not None
    assert heading is not None
    assert heading['y'] >= above['y'] + above['height'] + (2 if path == '/' else 12), 'air above the heading'


@pytest.mark.parametrize('game', width(['myraclia'], [name for name in games() if name != 'toy']))
def test_the_dialog_of_a_new_table_is_whole_with_all_options_open(
    visit: Visit, address: str, game: str
) -> None:
    page = visit(address)
    page.locator(f"a[data-dialog='new'][data-game='{game}']").click()
    page.evaluate("for (const one of document.querySelectorAll('#new details')) one.open = true")
    assert measure(page, THEMES[:1]) == {}
    box = page.locator('#new').bounding_box()
    assert box is not None
    assert box['y'] >= 0
    assert box['y'] + box['height'] <= WIDTHS[1920]


@pytest.mark.wide
def test_there_is_room_where_games_begin_and_end(visit: Visit, address: str) -> None:
    """The lobby of somebody who has played, the dialog with all kinds of seats, an invitation, the curtain,
    trying again, the result."""
    page, found = visit(address), {}

    def post(path: str, **body: object) -> dict[str, Any]:
        answer: dict[str, Any] = page.evaluate(POST, [path, body])
        return answer

    def look(kind: str, path: str = '') -> None:
        if path:
            page.goto(address + path)
            if path.startswith('/tables/'):
                ready(page)
        if here := measure(page, THEMES[:1], LATER):
            found[kind] = here

    seats = [
        {'who': 'me'},
        {'who': 'bot', 'level': 'very-hard'},
        {'who': 'open'},
        {'who': 'here', 'name': 'Ann'},
    ]
    invite = post('/api/tables', game='octiles', seats=seats, options={'repetition': True})['invite']
    visitor = visit(address)
    visitor.goto(f'{address}/join/{invite["token"]}')
    assert measure(visitor, THEMES[:1], LATER) == {}
    against = post('/api/tables', game='octiles', mode='bot', level='beginner')
    path = f'/api/tables/{against["id"]}'
    page.goto(address + against['url'])
    ready(page)
    for _ in range(2):
        my_turn(page)
        before = state(page)
        post(f'{path}/act', steps=post(f'{path}/hint')['turn'])
        changed(page, before)
    my_turn(page)
    page.keyboard.press('ArrowLeft')
    page.keyboard.press('ArrowLeft')
    page.wait_for_selector('#again button')
    look('trying again')
    page.set_viewport_size({'width': 1024, 'height': 768})
    drawn(page)
    past, felt = page.locator('#past').bounding_box(), page.locator('.felt').bounding_box()
    assert past is not None
    assert felt is not None
    assert past['x'] + past['width'] <= felt['x'] + felt['width']
    post(f'{path}/retry')
    post(f'{path}/resign')
    page.wait_for_selector('#result > .result')
    look('the result')
    shared = post('/api/tables', game='myrmidons', mode='here')
    path = f'/api/tables/{shared["id"]}'
    for seat in range(2):
        post(f'{path}/act', seat=seat, steps=post(f'{path}/shuffle', seat=seat)['last'])
    look('the curtain', shared['url'])
    look('the lobby', '/')
    page.locator("a[data-dialog='new'][data-game='mykerinos']").click()
    page.locator('#new label:has([name=players-mykerinos][value="4"])').click()
    page.select_option('[name=seats-2]', 'here')
    page.select_option('[name=seats-3]', 'open')
    look('the dialog')
    look('the form as a page', '/games/myrmidons/new')
    assert found == {}


def test_the_longest_names_leave_the_end_of_a_match_its_room(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT)
    seats = [{'who': 'me', 'name': 'W' * 24}, {'who': 'here', 'name': 'Wolfeschlegelsteinhausen'}]
    made = new_table(page, address, 'octiles', seats=seats)
    page.evaluate(POST, [f'/api/tables/{made["id"]}/resign', {}])
    for w, h in ((1024, 768), (390, 844)):
        page.set_viewport_size({'width': w, 'height': h})
        expect(page.locator('#result h2')).to_contain_text('wins')
        drawn(page)
        card = page.locator('#result .result').bounding_box()
        assert card
        assert 0 <= card['x'] <= card['x'] + card['width'] <= w
        for part in page.locator('#result :is(span, p, .btn)').all():
            box = part.bounding_box()
            assert box is None or box['x'] + box['width'] <= card['x'] + card['width']
        assert page.evaluate('document.documentElement.scrollWidth') <= w


def test_the_longest_name_leaves_the_bar_its_room(visit: Visit, address: str) -> None:
    """Also in windows between a phone and a laptop."""
    page = visit(address + LIGHT)
    assert page.evaluate(RENAME, 'W' * 24)
    page.goto(address)
    for wide in (761, 844, 960, 1024):
        page.set_viewport_size({'width': wide, 'height': WIDTHS.get(wide, 900)})
        drawn(page)
        assert wrong(page) == [], wide


def test_all_invitations_can_be_reached_on_a_phone(visit: Visit, address: str) -> None:
    """The card of a host who waits for four others is higher than a phone on its side; it scrolls."""
    page = visit(address + LIGHT)
    new_table(page, address, 'myraclia', 'link', players=5)
    assert measure(page, THEMES[:1], (390, 844)) == {}
    for button in (page.locator('.invites input').first, page.locator("[data-act='close']")):
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        assert box['y'] >= 0
        assert box['y'] + box['height'] <= WIDTHS[844]


def test_points_leave_the_words_beside_them_their_room_on_a_phone_on_its_side(
    visit: Visit, address: str
) -> None:
    page = visit(address + LIGHT, 844, 390)
    station = Station('myriath', 4)
    open_station(page, address, station)
    for _ in moments(page, station, steps=12):
        pass
    chip = page.locator('#happened button:not(.since)', has=page.locator('.pt')).first
    narrowest = chip.evaluate(
        """(chip) => {
        const points = chip.querySelector('.pt');
        for (let k = 0; k < 3; k++) points.after(points.cloneNode(true));
        const words = chip.querySelector('.said > span:not(.pt)');
        return Math.max(...[...words.getClientRects()].map((line) => line.width));
    }"""
    )
    assert narrowest > 100


def test_cards_that_get_less_room_without_a_message_can_be_scrolled_by_keyboard(
    visit: Visit, address: str
) -> None:
    page = visit(address + LIGHT, 1440, 2400)
    open_station(page, address, Station('mykerinos', 2))
    cards = page.locator('#cards > .cards:not(.trays)')
    assert cards.get_attribute('tabindex') is None
    page.evaluate("document.getElementById('players').style.minHeight = '1900px'")
    page.evaluate("document.querySelector('.pl').style.minHeight = '1900px'")
    expect(cards).to_have_attribute('tabindex', '0')


PLAY = """async ([path, first, end]) => {
    const get = (what) => fetch(what).then((answer) => answer.json());
    for (let view = await get(path); !view.result && !(end === 'draft' && view.draft[0]?.startsWith(first)); view = await get(path)) {
        const steps = view.legal.find((name) => name.startsWith(first)) ?? view.legal[view.turns % view.legal.length];
        await fetch(`${path}/act`, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({steps})});
    }
}"""  # noqa: E501
SIZES = """() => [...document.querySelectorAll('#cards svg text')].filter((text) => text.textContent.trim()).map((text) => {
    const m = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(m.a, m.b);
})"""  # noqa: E501

ENDS = """() => Math.max(...[...document.querySelectorAll('#cards .info > header span')]
    .map((span) => span.parentElement.getBoundingClientRect().right - span.getBoundingClientRect().right))"""


@pytest.mark.wide
def test_cards_beside_the_panels_of_five_are_as_large_as_they_are_drawn(visit: Visit, address: str) -> None:
    """They once shrank to what the panels, and at the end the card of the result, had left of the height."""
    page = visit(address + LIGHT, 1024, 768)
    new_table(page, address, 'myraclia', players=5)
    path = f'/api{page.evaluate("location.pathname")}'
    page.evaluate(PLAY, [path, 'terraform', 'draft'])
    page.wait_for_selector('#card-payment svg')
    drawn(page)
    assert min(page.evaluate(SIZES)) > 8.5, 'payment'
    page.set_viewport_size({'width': 1440, 'height': 900})
    drawn(page)
    assert min(page.evaluate(SIZES)) > 10, 'payment where there is room'
    assert page.evaluate(ENDS) < 1, 'what stands at the end of a line'
    page.set_viewport_size({'width': 1024, 'height': 768})
    page.evaluate(PLAY, [path, 'terraform', 'result'])
    page.locator('#recap > .btn').click()
    page.wait_for_selector('#card-scoring svg')
    for wide in (1024, 1440, 1920):
        page.set_viewport_size({'width': wide, 'height': WIDTHS[wide]})
        drawn(page)
        assert min(page.evaluate(SIZES)) > 9, wide
        assert measure(page, THEMES[:1], (wide,)) == {}, wide
    # what is below them is scrolled to, and a drawer opens where the others do
    page.locator('.players .pl').last.scroll_into_view_if_needed()
    page.click("[data-drawer='chat']")
    chat = page.locator('#drawer-chat').bounding_box()
    assert chat is not None
    assert 0 <= chat['y'] < chat['y'] + chat['height'] <= WIDTHS[1920]
    assert chat['x'] > WIDTHS[1920] / 2


def test_a_long_name_breaks_no_other_way_while_its_player_is_to_move(visit: Visit, address: str) -> None:
    """Else all that stands below it would move at every turn."""
    page = visit(address + LIGHT, 1024, 768)
    for name in ('Oystercatcher', 'Wolfeschlegelsteinhausen', 'W' * 24):
        assert page.evaluate(RENAME, name)
        made = page.evaluate(POST, ['/api/tables', {'game': 'octiles', 'level': 'beginner'}])
        page.goto(f'{address}/tables/{made["id"]}')
        ready(page)
        my_turn(page)
        for wide in (1024, 390):
            page.set_viewport_size({'width': wide, 'height': WIDTHS[wide]})
            to_move, before = page.evaluate("""() => {
                const strip = document.querySelector('.pl.on .strip'), tag = strip.querySelector('.tag');
                const height = strip.offsetHeight;
                tag.remove();
                const heights = [height, strip.offsetHeight];
                strip.querySelector('strong').after(tag);
                return heights;
            }""")
            assert to_move == before, (name, wide)


def test_tables_that_wait_are_seen_without_scrolling(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, 1440, 900)
    for game in ('octiles', 'mykerinos'):
        page.evaluate(POST, ['/api/tables', {'game': game, 'mode': 'here'}])
    page.goto(address)
    rows = page.locator('#running .row')
    expect(rows).to_have_count(2)
    for row in rows.all():
        box = row.bounding_box()
        assert box is not None
        assert box['y'] + box['height'] <= 900


@pytest.mark.wide
def test_looking_back_beside_a_result_leaves_the_drawers_in_the_window(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, 1024, 768)
    new_table(page, address, 'myraclia', players=5)
    path = f'/api{page.evaluate("location.pathname")}'
    page.evaluate(PLAY, [path, 'terraform', 'result'])
    page.wait_for_selector('#result h2')
    for key in ('Home', *['ArrowRight'] * 5):  # a draft, to which two cards belong
        page.keyboard.press(key)
    expect(page.locator('#card-draft')).to_be_visible()
    for wide, high in ((1024, 768), (1280, 720)):
        page.set_viewport_size({'width': wide, 'height': high})
        drawn(page)
        bar = page.locator('.drawers').bounding_box()
        assert bar
        assert bar['y'] + bar['height'] <= high, wide
        page.locator('.side').evaluate('(side) => side.scrollTo(0, side.scrollHeight)')
        assert wrong(page) == [], wide
