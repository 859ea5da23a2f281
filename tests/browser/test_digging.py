"""A game whose turns go over the board, cards beside it and buttons, by clicks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import actions, at_table, changed, over, point, state

Visit = Callable[..., Page]
GAME = 'mykerinos'


def press(page: Page, target: str) -> None:
    """Click a button of the prompt, or a thing on the board or on a card."""
    if target.startswith('do:'):
        page.click(f"#acts [data-target='{target}']")
        return
    page.locator(f"[id='{target.removeprefix('el:')}']").scroll_into_view_if_needed()
    page.mouse.click(*point(page, target))


def roomy(page: Page) -> list[str]:
    """Spaces where an excavation may start with two free ones to the east."""
    free = [choice[0].split()[1] for choice in actions(page) if choice[0].startswith('start')]
    return [space for space in free if all(chr(ord(space[0]) + by) + space[1:] in free for by in (1, 2))]


@pytest.mark.wide
def test_a_whole_game_of_digging_by_clicks(visit: Visit, address: str) -> None:
    page = at_table(visit, address, GAME)
    done: set[str] = set()
    for k in range(250):
        if over(page):
            break
        before, table = state(page), actions(page)
        passes = [choice for choice in table if choice[0] == 'pass']
        # each kind of step once in a while, and seasons that end before the region is full
        new = [choice for choice in table if choice[0].split()[0] not in done]
        wanted = passes if passes and k % 4 == 3 else new or table
        name, targets, _ = wanted[7 * k % len(wanted)]
        done.add(name.split()[0])
        for target in targets:
            press(page, target)
        changed(page, before)
    assert over(page)
    assert {'start', 'extend', 'take', 'museum', 'neutral', 'pass', 'nothing'} <= done
    page.locator('#recap > .btn').click()  # the sums of the end, which stand before the cards until then
    expect(page.locator('#card-exhibition')).to_be_visible()


def test_an_extension_begins_at_a_cube(visit: Visit, address: str) -> None:
    page = at_table(visit, address, GAME)
    for which in (0, -1):  # a start each, with room to go on; no neutral move
        before = state(page)
        press(page, f'el:space-{roomy(page)[which]}')
        changed(page, before)
        before = state(page)
        press(page, 'do:nothing')
        changed(page, before)
    cube = page.locator("#drawing [data-target='do:extend']").first
    box = cube.bounding_box()
    assert box
    page.mouse.click(box['x'] + box['width'] / 2, box['y'] + box['height'] / 2)
    name, targets, _ = next(choice for choice in actions(page) if choice[0].startswith('extend'))
    before = state(page)
    press(page, targets[1])
    changed(page, before)
    expect(page.locator('#acts [data-act=undo]')).to_be_enabled()
    assert all(len(choice[0]) == 2 for choice in actions(page)), 'the second cube'
    before = state(page)
    page.keyboard.press('u')
    changed(page, before)
    assert any(choice[0] == name for choice in actions(page))
