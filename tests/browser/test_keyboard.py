"""Keys alone reach everything, are never sent back to the top of the page, and hear a name for everything."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.support import LIGHT, POST, actions, at_table, changed, new_table, own_name, ready, state
from tests.browser.test_secrets import pair
from tests.browser.test_terraforming import begin, names, press
from tests.width import width

Visit = Callable[..., Page]


def press_by_key(button: Locator) -> None:
    """Go to a button and press it, without a mouse."""
    button.focus()
    button.page.keyboard.press('Enter')


def on_board(page: Page) -> None:
    """Wait until a thing that can be chosen has the keyboard."""
    page.wait_for_function("() => document.activeElement.matches(':is(#drawing, #cards) .can')")


def test_an_undone_step_leaves_the_keyboard_on_the_board(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    before = state(page)
    press_by_key(page.locator('#drawing .can').first)
    changed(page, before)
    before = state(page)
    press_by_key(page.locator("[data-act='undo']"))
    changed(page, before)
    on_board(page)


def test_the_button_for_hints_keeps_the_keyboard_between_their_stages(visit: Visit, address: str) -> None:
    page = at_table(visit, address, 'mykerinos')
    button = page.locator("[data-act='hint']")
    press_by_key(button)
    expect(button).to_have_attribute('data-stage', '1')
    expect(button).to_be_focused()
    page.keyboard.press('Enter')
    expect(button).to_have_attribute('data-stage', '2')
    expect(button).to_be_focused()


def test_back_in_the_present_the_keyboard_is_on_the_board(visit: Visit, address: str) -> None:
    page = at_table(visit, address, 'myraclia')
    before = state(page)
    page.evaluate(POST, [f'/api{page.evaluate("location.pathname")}/act', {'steps': actions(page)[0][0]}])
    changed(page, before)
    page.keyboard.press('ArrowLeft')
    press_by_key(page.locator("#past [data-act='present']"))
    page.wait_for_selector('body:not(.looking-back)')
    on_board(page)


def test_whoever_opens_the_curtain_by_key_is_on_the_board(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT)
    new_table(page, address, 'myrmidons')
    expect(page.locator('#curtain button')).to_be_focused()
    page.keyboard.press('Enter')
    page.wait_for_selector('#curtain', state='hidden')
    on_board(page)


def test_spaces_are_reached_by_key_beside_a_button_that_does_nothing(visit: Visit, address: str) -> None:
    """Mykerinos with two: a neutral cube may be laid after the own one, or none by a button."""
    page = at_table(visit, address, 'mykerinos')
    before = state(page)
    press_by_key(page.locator('#drawing .can').first)
    changed(page, before)
    assert page.locator('#drawing .can').count() > 1
    expect(page.locator("#drawing .can[tabindex='0']")).to_have_count(1)
    on_board(page)


def test_who_clicks_is_given_no_keyboard_focus(visit: Visit, address: str) -> None:
    page = at_table(visit, address, 'mykerinos')
    button = page.locator("[data-act='hint']")
    button.click()
    expect(button).to_have_attribute('data-stage', '1')
    page.wait_for_function('() => document.activeElement === document.body')


def test_the_slide_of_the_replay_has_a_name(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    page.evaluate(POST, [f'/api{page.evaluate("location.pathname")}/resign', {'seat': state(page)['seat']}])
    page.reload()
    ready(page)
    page.locator("[data-act='play']").filter(visible=True).first.click()
    page.click("[data-act='replay-more']")
    expect(page.get_by_role('slider', name='Turn')).to_be_focused()


@pytest.mark.parametrize('game', width(('octiles',), ('octiles', 'mykerinos', 'myraclia')))
def test_full_stop_and_comma_lead_to_everything_that_can_be_chosen(
    visit: Visit, address: str, game: str
) -> None:
    """An arrow passes over a thing that lies aslant behind a nearer one."""
    page = at_table(visit, address, game)
    stop = page.locator("#drawing .can[tabindex='0'], #cards .can[tabindex='0']")
    stop.focus()
    here = 'document.activeElement.id'
    seen = [page.evaluate(here)]
    for _ in range(page.locator('.can').count()):
        page.keyboard.press('.')
        seen.append(page.evaluate(here))
    assert set(seen) == set(page.evaluate("[...document.querySelectorAll('.can')].map(({ id }) => id)"))
    assert seen[-1] == seen[0]
    page.keyboard.press(',')
    assert page.evaluate(here) == seen[-2]


def test_a_tile_that_can_be_chosen_instead_has_a_name(visit: Visit, address: str) -> None:
    """While one tile is paid for, a click on another one begins with that."""
    page = begin(visit, address)
    while len(ways := names(page, 'terraform')) < 2:
        page = begin(visit, address)
    press(page, ways[0][1][0])
    other = page.locator(f'#{ways[1][1][0].removeprefix("el:")}.can')
    expect(other).to_have_attribute('aria-label', ways[1][0])
    assert other.get_attribute('aria-hidden') is None


def test_what_is_said_in_the_chat_is_told_to_screen_readers(visit: Visit, address: str) -> None:
    """With the drawer closed and open; what was said before the page was opened is not told again."""
    one, two = pair(visit, address, 'octiles')
    path = f'/api{two.evaluate("location.pathname")}/chat'
    name = own_name(two)
    two.evaluate(POST, [path, {'text': 'Good luck!'}])
    expect(one.locator('#speak')).to_have_text(f'{name}: Good luck!')
    one.click("[data-drawer='chat']")
    two.evaluate(POST, [path, {'text': 'Are you there?'}])
    expect(one.locator('#speak')).to_have_text(f'{name}: Are you there?')
    one.reload()
    ready(one)
    expect(one.locator('#speak')).not_to_contain_text('Are you there?')
