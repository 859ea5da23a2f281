"""What somebody does while something else goes on: a motion, a recap, an answer that is still to come."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.support import LIGHT, ask, at_table, told
from tests.browser.test_analysis import begin
from tests.browser.test_reviews import finished

Visit = Callable[..., Page]
HIDE = """() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def act(page: Page, choice: int = 0) -> None:
    """Make a step by a request, as another device of the same person does."""
    ask(page, 'act', steps=told(page)['legal'][choice])


def play_to(page: Page, turns: int) -> None:
    """Play on until so many turns have been made."""
    while told(page)['turns'] < turns:
        act(page, -1)


def test_a_page_that_is_left_during_a_motion_hears_what_comes_next(visit: Visit, address: str) -> None:
    """A hidden page gets no frames, so a motion never ends by itself there."""
    page = at_table(visit, address, motion=True)
    devtools = page.context.new_cdp_session(page)
    devtools.send('Animation.enable')
    devtools.send('Animation.setPlaybackRate', {'playbackRate': 0.001})
    play_to(page, 1)
    page.wait_for_function('() => document.getAnimations().length > 0')
    page.evaluate(HIDE)
    play_to(page, 2)
    page.wait_for_function("() => document.body.dataset.turns === '2'", timeout=10_000)


def test_two_quick_steps_through_a_review_end_at_the_second(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT)
    page.goto(finished(page, address, 4))
    page.locator("#result form[action$='/review'] button").click()
    page.wait_for_selector("#review[data-status='done']", timeout=60_000)
    page.locator('.turns a').first.click()
    expect(page.locator('#turn h2')).to_contain_text('Turn 1,')
    page.evaluate('window.same = true; document.activeElement.blur()')
    page.evaluate("""for (const _ of [1, 2]) document.querySelectorAll('.turns a')[1 + _].click()""")
    expect(page.locator('#turn h2')).to_contain_text('Turn 4,')
    assert page.evaluate('window.same') is True
    assert 'turn=4' in page.url


def test_who_goes_on_by_the_keyboard_does_not_wait_for_a_recap(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    act(page)
    page.wait_for_selector("#acts [data-act='undo']:enabled")
    page.evaluate("document.querySelector('#recap').hidden = false")
    page.keyboard.press('u')
    expect(page.locator('#recap')).to_be_hidden()


def test_a_click_on_a_recap_stays_in_the_present(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    play_to(page, 1)
    page.wait_for_function("() => document.body.dataset.turns === '1'")
    page.evaluate("""() => {
        const recap = document.querySelector('#recap');
        Object.assign(recap, { hidden: false, innerHTML: '<h2>Round 1</h2><ol><li>Red</li></ol>' });
        recap.dataset.at = '0'; // that of an earlier turn
    }""")
    page.locator('#recap h2').click()
    page.wait_for_timeout(500)
    assert page.locator('.felt.looking-back').count() == 0


def test_a_switch_is_pressed_by_space_also_while_the_page_looks_back(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    play_to(page, 1)
    page.wait_for_function("() => document.body.dataset.turns === '1'")
    page.locator("button[data-drawer='settings']").click()
    page.locator("#moves button[data-at='0'], #moves [data-at='0']").first.evaluate('(one) => one.click()')
    page.wait_for_selector('.felt.looking-back')
    switch = page.locator("#settings-form input[type='checkbox']").first
    before = switch.is_checked()
    switch.focus()
    page.keyboard.press('Space')
    assert switch.is_checked() is not before
    theme = page.locator("#settings-form input[type='radio'][name='theme']:checked")
    theme.focus()
    value = theme.get_attribute('value')
    page.keyboard.press('ArrowRight')
    chosen = page.locator("#settings-form input[type='radio'][name='theme']:checked").get_attribute('value')
    assert chosen != value


def test_a_ring_keeps_what_is_written_beside_it_and_two_quick_rings_are_both_drawn(
    visit: Visit, address: str
) -> None:
    page = visit(address + '/analysis')
    begin(page)
    page.locator("button[data-drawer='note']").click()
    page.locator('#note-form [name=name]').fill('Bold')
    page.locator('#note-form [name=comment]').fill('Blue has to answer.')
    page.locator("[data-study='draw']").click()
    pieces = page.locator('#drawing .piece')
    for box in (pieces.first.bounding_box(), pieces.last.bounding_box()):
        assert box
        page.mouse.click(box['x'] + box['width'] / 2, box['y'] + box['height'] / 2)
    expect(page.locator('#note [data-mark]')).to_have_count(2)
    assert page.locator('#note-form [name=name]').input_value() == 'Bold'
    assert page.locator('#note-form [name=comment]').input_value() == 'Blue has to answer.'


def test_only_the_lobby_asks_for_its_lists(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT)
    page.clock.install()
    asked = list[str]()
    page.on('request', lambda request: asked.append(request.url))
    for path, asks in (('/games/octiles/rules', False), ('/', True)):
        page.goto(address + path)
        asked.clear()
        page.clock.fast_forward(20_000)
        page.wait_for_timeout(200)
        assert any(url.endswith('/lists') for url in asked) == asks, path
