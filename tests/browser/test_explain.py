"""Everything explains itself: by hover, by the keyboard, by a finger that rests, and by a click that is no
move."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, TimeoutError, expect

from ludoteca.text import words
from tests.browser.support import LIGHT, actions, at_table, changed, my_turn, new_table, point, state
from tests.browser.test_touch import PHONE
from tests.width import width

Visit = Callable[..., Page]
# of each game something that can be clicked, something that cannot, something in a panel
THINGS = {
    'octiles': ('#space-c3', '#stack', '.pl.own .rows [data-about]'),
    'mykerinos': ('.space.target', "#drawing [data-about^='tile-']", '.pl.own .score'),
    'myriath': ('#square-3-3', '#hand-L-AA', '.pl.own .score'),
    'myraclia': ('#draft-green, #draft-yellow, #draft-orange', "[id^='tile-']", '.pl.own .score'),
    'myrmidons': (
        "[id^='hand-']",
        "[id^='piece-'][id$='-c7'], [id^='piece-'][id$='-c1']",
        '.pl.own [data-about]',
    ),
}
BUBBLE = '#about'
WHERE = """(selector) => {
    const element = document.querySelector(selector);
    element.scrollIntoView({block: 'center'});
    const box = (element.querySelector('.hit') ?? element).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
LIES = """(selector) => {
    const own = document.getElementById('about').getBoundingClientRect();
    // a part of the thing may be explained, such as a cube of a column
    const explained = document.querySelector(`:is(${selector}) [aria-describedby='about-text']`);
    const box = (explained ?? document.querySelector(selector)).getBoundingClientRect();
    const over = Math.min(own.right, box.right) > Math.max(own.left, box.left) + 1
        && Math.min(own.bottom, box.bottom) > Math.max(own.top, box.top) + 1;
    const inside = own.left >= 0 && own.top >= 0 && own.right <= innerWidth && own.bottom <= innerHeight;
    return {over, inside};
}"""


def began(visit: Visit, address: str, game: str, **more: Any) -> Page:
    page = at_table(visit, address, game, **more)
    if page.locator('#curtain').is_visible():
        page.locator("[data-act='here']").click()
        page.wait_for_selector('#drawing svg')
    return page


def where(page: Page, selector: str) -> tuple[float, float]:
    x, y = page.evaluate(WHERE, selector)
    return x, y


def explained(page: Page) -> str:
    """What the bubble says, when it is there."""
    expect(page.locator(BUBBLE)).to_be_visible()
    title, text = page.locator('#about-title').inner_text(), page.locator('#about-text').inner_text()
    assert title
    assert text.endswith('.')
    return f'{title}\n{text}'


def rest(page: Page, x: float, y: float) -> None:
    """A finger that stays where it is."""
    client = page.context.new_cdp_session(page)
    client.send('Input.dispatchTouchEvent', {'type': 'touchStart', 'touchPoints': [{'x': x, 'y': y}]})
    page.wait_for_timeout(750)
    client.send('Input.dispatchTouchEvent', {'type': 'touchEnd', 'touchPoints': []})


@pytest.mark.parametrize('game', width(['mykerinos'], list(THINGS)))
def test_what_the_pointer_rests_on_explains_itself(visit: Visit, address: str, game: str) -> None:
    page = began(visit, address, game)
    for selector in THINGS[game][1:]:
        page.mouse.move(*where(page, selector))
        explained(page)
        assert page.evaluate(LIES, selector) == {'over': False, 'inside': True}, selector
        rules = page.locator('#about-rules').get_attribute('href') or ''
        assert rules.startswith(f'/games/{game}/rules#')
        chapter = rules.partition('#')[2]
        assert f'id="{chapter}"' in page.request.get(address + rules).text()
        page.mouse.move(2, 2)
        expect(page.locator(BUBBLE)).to_be_hidden()
    # the pointer can go into the bubble; Escape closes it
    page.mouse.move(*where(page, THINGS[game][1]))
    explained(page)
    page.locator('#about-rules').hover()
    page.wait_for_timeout(500)
    expect(page.locator(BUBBLE)).to_be_visible()
    page.keyboard.press('Escape')
    expect(page.locator(BUBBLE)).to_be_hidden()


@pytest.mark.wide
def test_buttons_say_what_they_do_and_why_they_are_of_no_use(visit: Visit, address: str) -> None:
    page = began(visit, address, 'mykerinos')
    undo, pass_ = page.locator("#acts [data-act='undo']"), page.locator("#acts [data-target='do:pass']")
    expect(undo).to_be_disabled()
    page.mouse.move(*where(page, "#acts [data-act='undo']"))
    assert words('web.about.undo.off') in explained(page)
    assert page.evaluate(LIES, "#acts [data-act='undo']") == {'over': False, 'inside': True}
    assert page.locator('#about-rules').get_attribute('href') == '/games/mykerinos/rules#excavation'
    page.mouse.move(2, 2)
    expect(page.locator(BUBBLE)).to_be_hidden()
    page.mouse.move(*where(page, "#acts [data-target='do:pass']"))
    expect(page.locator('#about-title')).to_have_text('Pass')
    assert page.locator('#about-rules').get_attribute('href') == '/games/mykerinos/rules#excavation.pass'
    page.mouse.move(2, 2)
    expect(page.locator(BUBBLE)).to_be_hidden()
    # a click on a button that is of no use asks why; the keyboard gets the same
    page.mouse.click(*where(page, "#acts [data-act='undo']"))
    assert words('web.about.undo.off') in explained(page)
    page.keyboard.press('Escape')
    pass_.focus()
    page.keyboard.press('Tab')
    page.keyboard.press('Shift+Tab')
    assert explained(page).startswith('Pass')
    page.keyboard.press('Escape')
    expect(page.locator(BUBBLE)).to_be_hidden()
    # of use it says what it does
    page.locator('.space.target').first.click()
    expect(page.locator("#acts [data-target='do:nothing']")).to_be_visible()
    expect(undo).to_be_enabled()
    page.mouse.move(*where(page, "#acts [data-act='undo']"))
    expect(page.locator('#about-title')).to_have_text('Undo')
    assert words('web.about.undo.off') not in explained(page)


@pytest.mark.wide
def test_a_finger_that_rests_on_a_button_asks_what_it_does(visit: Visit, address: str) -> None:
    page = began(visit, address, 'mykerinos', **PHONE)
    before = state(page)
    rest(page, *where(page, "#acts [data-target='do:pass']"))
    assert explained(page).startswith('Pass')
    assert state(page) == before
    expect(page.locator("#acts [data-act='undo']")).to_be_disabled()


def test_a_refusal_leads_to_its_rule(visit: Visit, address: str) -> None:
    page = began(visit, address, 'octiles')
    page.mouse.click(*where(page, '#post-C3'))
    assert 'No runner stands on C3' in explained(page)
    rules = page.locator('#about-rules').get_attribute('href') or ''
    assert rules == '/games/octiles/rules#the-board'
    page.keyboard.press('Escape')
    # with something in hand that can be turned the sentence stands alone, with its own link
    before = state(page)
    page.locator("#drawing .target.can[id^='space-']").first.click()
    changed(page, before)
    page.mouse.click(*where(page, '#space-d4:not(.can)'))  # far from the handle beside the tile
    link = page.locator('#bubble a, #about:not([hidden]) #about-rules')
    expect(link).to_be_visible()
    expect(page.locator('#bubble, #about .why').filter(has_text='The tile of this turn')).to_be_visible()
    href = link.get_attribute('href') or ''
    assert f'id="{href.partition("#")[2]}"' in page.request.get(address + href).text()


@pytest.mark.wide
def test_what_a_click_would_do_is_shown_before_what_the_thing_is(visit: Visit, address: str) -> None:
    page = began(visit, address, 'octiles')
    page.mouse.move(*where(page, '#drawing .target.can'))
    page.wait_for_selector('#overlay .ghost-symbol')
    page.wait_for_timeout(900)
    expect(page.locator(BUBBLE)).to_be_hidden()
    explained(page)
    expect(page.locator('#overlay .ghost-symbol')).to_have_count(1)


@pytest.mark.parametrize('game', width(['octiles'], list(THINGS)))
def test_a_key_explains_what_has_the_keyboard(visit: Visit, address: str, game: str) -> None:
    page = began(visit, address, game)
    if game != 'myriath':  # there nothing but the board has the keyboard at the start
        page.locator('.can[tabindex="0"]').first.focus()
    focused = page.evaluate('document.activeElement.id')
    page.keyboard.press('?')
    first = explained(page)
    assert page.evaluate('document.activeElement.id') == 'about', 'the bubble is read out'
    expect(page.locator(BUBBLE)).to_have_role('dialog')
    expect(page.locator(BUBBLE)).to_have_accessible_name(first.partition('\n')[0])
    before, turns = state(page), page.locator('#past').is_hidden()
    other = "(title) => document.getElementById('about-title').innerText !== title"
    for key in ('ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'):  # arrows go on to other things
        page.keyboard.press(key)
        with contextlib.suppress(TimeoutError):
            page.wait_for_function(other, arg=first.partition('\n')[0], timeout=3000)
            break
    else:
        pytest.fail('no arrow goes on to another thing')
    page.keyboard.press('Tab')
    assert page.evaluate('document.activeElement.id') == 'about-rules'
    page.keyboard.press('Escape')
    expect(page.locator(BUBBLE)).to_be_hidden()
    assert page.evaluate('document.activeElement.id') == focused
    assert (state(page), page.locator('#past').is_hidden()) == (before, turns), 'nothing was played'


@pytest.mark.parametrize('game', width(['myraclia'], list(THINGS)))
def test_a_finger_that_rests_explains_and_plays_nothing(visit: Visit, address: str, game: str) -> None:
    page = began(visit, address, game, **PHONE)
    before = state(page)
    for selector in THINGS[game][:2]:
        rest(page, *where(page, selector))
        page.wait_for_timeout(400)  # it stays when the finger is lifted
        explained(page)
        assert page.evaluate(LIES, selector) == {'over': False, 'inside': True}, selector
        assert page.locator('.chosen').count() == 0
        page.keyboard.press('Escape')
        expect(page.locator(BUBBLE)).to_be_hidden()
    assert state(page) == before


@pytest.mark.parametrize('game', width(['myrmidons'], list(THINGS)))
def test_a_click_that_is_no_move_explains_and_says_why_it_is_none(
    visit: Visit, address: str, game: str
) -> None:
    page = began(visit, address, game)
    before = state(page)
    for selector in THINGS[game][1:]:
        page.mouse.click(*where(page, selector))
        explained(page)
        if selector != THINGS[game][2]:
            expect(page.locator('#about .why')).to_be_visible()
        expect(page.locator('#speak')).to_contain_text(page.locator('#about-title').inner_text())
        page.keyboard.press('Escape')
    assert state(page) == before
    assert page.locator('.chosen').count() == 0


def test_a_tap_that_is_no_move_waits_for_a_slow_line_only_once(visit: Visit, address: str) -> None:
    page, refused = began(visit, address, 'octiles', **PHONE), list[Route]()
    page.route(re.compile('/(why-not|redraft)$'), lambda route: refused.append(route))
    x, y = where(page, THINGS['octiles'][1])
    # asked before the refusal has come
    with page.expect_request(lambda request: request.url.endswith('/explain'), timeout=5000):
        page.touchscreen.tap(x, y)
    while not refused:
        page.wait_for_timeout(20)
    again = list[str]()
    page.on('request', lambda request: again.append(request.url))
    refused.pop().continue_()
    explained(page)
    assert not refused
    assert not [url for url in again if url.endswith('/explain')]


def test_who_taps_beside_the_end_of_a_run_is_told_where_it_ends_and_of_the_rule(
    visit: Visit, address: str
) -> None:
    page = began(visit, address, 'octiles')
    begun = state(page)
    page.mouse.click(*where(page, '#drawing .space.can'))
    changed(page, begun)
    runs = [targets for _, targets, _ in actions(page)]
    free = next(
        post for post in ('el:post-D3', 'el:post-C3', 'el:post-D4') if not any(post in run for run in runs)
    )
    before = state(page)
    if len(runs) > 1:  # a lone run is picked already
        page.mouse.click(*point(page, runs[0][0]))
    page.mouse.click(*point(page, free))
    expect(page.locator('#bubble')).to_contain_text(f'the runner on {runs[0][0][-2:]} can end only on')
    rule = '/games/octiles/rules#your-turn.the-end-of-the-path'
    expect(page.locator('#bubble a')).to_have_attribute('href', rule)
    assert state(page) == before


@pytest.mark.parametrize('touch', width([True], [False, True]))
def test_a_click_on_a_cartouche_starts_no_dig(visit: Visit, address: str, touch: bool) -> None:
    page = began(visit, address, 'mykerinos', **(PHONE if touch else {}))
    before = state(page)
    faces = page.evaluate("[...document.querySelectorAll('#drawing [id^=face-]')].map((one) => one.id)")
    assert len(faces) == 8
    for face in faces[: width(3, 8)]:
        where(page, f'#{face}')
        x, y = point(page, face)
        page.touchscreen.tap(x, y) if touch else page.mouse.click(x, y)
        page.wait_for_timeout(120)
        assert state(page) == before, 'nothing was laid'
        assert page.locator('.chosen').count() == 0, 'nothing is about to be laid'
        assert 'tile' in explained(page)
        page.keyboard.press('Escape')
    assert state(page) == before


MARKED = """() => {
    const marked = '.can, .target, [data-target], [data-redraft]';
    const things = [...document.querySelectorAll('#drawing :is([id], [data-about])')];
    return things.flatMap((one) => {
        const box = (one.querySelector('.hit') ?? one).getBoundingClientRect();
        const x = box.x + box.width / 2, y = box.y + box.height / 2;
        const hit = document.elementFromPoint(x, y);
        const open = !hit || !one.contains(hit) || hit.closest(marked);
        return open || box.width < 4 ? [] : [[x, y]];
    });
}"""


@pytest.mark.parametrize('game', width(['mykerinos'], list(THINGS)))
def test_no_click_beside_the_marked_things_plays_anything(visit: Visit, address: str, game: str) -> None:
    page = began(visit, address, game)
    before = state(page)
    points = page.evaluate(MARKED)
    assert points
    for x, y in points[:: max(1, len(points) // width(12, 60))]:
        page.mouse.move(x, y)
        page.wait_for_timeout(60)
        if page.locator('#overlay .ghost-symbol').count():
            continue  # what is held snaps to a place nearby, and is seen there
        page.mouse.click(x, y)
        page.wait_for_timeout(30)
    page.wait_for_timeout(300)
    assert state(page) == before


@pytest.mark.wide
def test_a_resting_finger_leads_to_the_pencil(visit: Visit, address: str) -> None:
    """In games with secrets a piece is explained, and the bubble has the button for a note."""
    page = visit(address + LIGHT, **PHONE)
    new_table(page, address, 'myrmidons', 'bot', level='easy')
    for act in ('shuffle', 'confirm'):
        page.locator(f"#acts [data-act='{act}']:enabled").tap()
    my_turn(page)
    page.wait_for_timeout(300)
    theirs = page.evaluate(
        "[...document.querySelectorAll('#drawing .piece:not(.target)')].map((one) => one.id)"
    )
    unknown = next(
        one for one in theirs if 'nknown' in (page.locator(f'#{one}').get_attribute('aria-label') or '')
    )
    rest(page, *where(page, f'#{unknown}'))
    assert 'nknown' in explained(page)
    page.locator('#about-note').tap()
    expect(page.locator(BUBBLE)).to_be_hidden()
    expect(page.locator('#pencil')).to_be_visible()
    assert page.locator('#pencil .labels button').count() > 1
