"""Who is quick, or changes their mind: double clicks, keys one after another, a drag that is broken off, no
connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import LIGHT, Opened, actions, new_table, point, state
from tests.width import width

Visit = Callable[..., Page]


@pytest.mark.parametrize('gap', width((350,), (0, 120, 350)))
def test_a_double_click_does_not_play_for_the_next_person(visit: Visit, address: str, gap: int) -> None:
    page = visit(address + LIGHT)
    new_table(page, address, 'myraclia')
    box = page.locator("[data-target='do:pass']").bounding_box()
    assert box is not None
    page.mouse.move(box['x'] + box['width'] / 2, box['y'] + box['height'] / 2)
    for count in (1, 2):
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
        page.wait_for_timeout(gap if count == 1 else 400)
    assert state(page)['turns'] == 1
    page.wait_for_timeout(200)
    page.mouse.click(box['x'] + box['width'] / 2, box['y'] + box['height'] / 2)
    page.wait_for_function("() => document.body.dataset.turns === '2'")


def deploying(visit: Visit, address: str) -> tuple[Page, list[list[str]]]:
    """A table at which pieces are set up, and the targets of some first actions: a piece and a square."""
    page = visit(address + LIGHT)
    new_table(page, address, 'myrmidons', 'bot', level='beginner')
    return page, [targets for _, targets, _ in actions(page)]


def draft(page: Page) -> list[str]:
    """The names of the steps of the draft."""
    view: dict[str, Any] = page.evaluate("fetch('/api' + location.pathname).then((answer) => answer.json())")
    return list(view['draft'])


def test_escape_breaks_a_drag_off_and_steps_back_in_a_row_are_all_taken(visit: Visit, address: str) -> None:
    page, ways = deploying(visit, address)
    start, end = ways[0]
    for escape in (True, False):
        page.mouse.move(*point(page, start))
        page.mouse.down()
        page.mouse.move(*point(page, end), steps=5)
        if escape:
            page.keyboard.press('Escape')
        page.mouse.up()
        page.wait_for_timeout(250)
        assert len(draft(page)) == (0 if escape else 1)
    for k in (2, 3):
        start, end = actions(page)[0][1]
        page.mouse.click(*point(page, start))
        page.mouse.click(*point(page, end))
        page.wait_for_function(f'() => document.body.dataset.version === "{k}"')
    assert len(draft(page)) == 3
    for _ in range(4):
        page.keyboard.press('u')
    page.wait_for_function("() => document.querySelectorAll('#drawing [id^=hand-]').length === 6")
    assert draft(page) == []
    expect(page.locator('#bubble')).not_to_have_class('on')


def test_without_a_connection_a_setting_goes_back_and_rules_say_why_they_are_not_there(
    visit: Visit, address: str, opened: Opened
) -> None:
    opened.server_dies = True
    page = visit(address + LIGHT)
    new_table(page, address, 'octiles')
    page.click("button[data-drawer='settings']")
    box = page.locator("#settings-form [name='coordinates']")
    before = box.is_checked()
    page.context.set_offline(True)
    box.locator('xpath=..').click()
    expect(page.locator('#toast')).not_to_be_empty()
    expect(box).to_be_checked(checked=before)
    page.click("button[data-drawer='rules']")
    expect(page.locator('#drawer-rules .inside')).not_to_be_empty()
    page.context.set_offline(False)
    page.click("button[data-drawer='rules']")
    page.click("button[data-drawer='rules']")
    expect(page.locator('#drawer-rules .reading')).to_be_visible()


def test_rules_that_the_server_refuses_just_now_are_asked_for_again(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT)
    new_table(page, address, 'octiles')
    page.route('**/games/octiles/rules', lambda route: route.fulfill(status=429, body='{"detail": "Later."}'))
    page.click("button[data-drawer='rules']")
    expect(page.locator('#drawer-rules .inside')).not_to_be_empty()
    page.unroute('**/games/octiles/rules')
    page.click("button[data-drawer='rules']")
    page.click("button[data-drawer='rules']")
    expect(page.locator('#drawer-rules .reading')).to_be_visible()
