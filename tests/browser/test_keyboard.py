"""Keys alone reach everything, are never sent back to the top of the page, and hear a name for everything."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.support import at_table, changed, state

Visit = Callable[..., Page]


def press_by_key(button: Locator) -> None:
    """Go to a button and press it, without a mouse."""
    button.focus()
    button.page.keyboard.press('Enter')


def on_board(page: Page) -> None:
    """Wait until a thing that can be chosen has the keyboard."""
    page.wait_for_function("() => document.activeElement.matches(':is(#drawing, #cards) .can')")


def test_spaces_are_reached_by_key_beside_a_button_that_does_nothing(visit: Visit, address: str) -> None:
    """Mykerinos with two: a neutral cube may be laid after the own one, or none by a button."""
    page = at_table(visit, address, 'mykerinos')
    before = state(page)
    press_by_key(page.locator('#drawing .can').first)
    changed(page, before)
    assert page.locator('#drawing .can').count() > 1
    expect(page.locator("#drawing .can[tabindex='0']")).to_have_count(1)
    on_board(page)
