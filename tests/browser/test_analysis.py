"""A board for analysis in the browser: a tree is built, commented, drawn on, shared, and opened by another
person."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import finger, listed, point, ready

Visit = Callable[..., Page]
POSITION = {
    'game': 'myrmidons',
    'to_move': 0,
    'pieces': [
        {'at': 'c1', 'owner': 0, 'type': '5-1-3'},
        {'at': 'd1', 'owner': 0, 'type': '1-1-1'},
        {'at': 'c7', 'owner': 1, 'type': '1-1-1'},
        {'at': 'e4', 'owner': 1, 'type': '2-5-2'},
    ],
}
CHOICES = """async () => {
    const answer = await fetch('/api/analyses/' + location.pathname.split('/').at(-1) + '/view', {
        method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({at: Number(document.body.dataset.turns), have: {}})});
    return (await answer.json()).message.choices;
}"""


def drawer(page: Page, name: str) -> None:
    """Open a drawer."""
    page.locator(f"button[data-drawer='{name}']").click()
    expect(page.locator(f'#drawer-{name}')).to_be_visible()


def play(page: Page, turn: str, touch: bool = False) -> None:
    """Make a turn by clicks or taps on its things."""
    targets = next(targets for name, targets, _ in listed(page.evaluate(CHOICES)) if name == turn)
    before = page.evaluate('document.body.dataset.turns')
    for target in targets:
        if touch:
            finger(page, target)
        else:
            page.mouse.click(*point(page, target))
            page.wait_for_timeout(30)
    if touch:
        page.locator("[data-act='confirm']").click()
    page.wait_for_function('before => document.body.dataset.turns !== before', arg=before)


def begin(page: Page) -> None:
    """Open a board by pasting a position."""
    page.locator('textarea[name=data]').fill(json.dumps(POSITION))
    page.locator('form:has(textarea) button').click()
    ready(page)


def row(page: Page, text: str) -> str:
    """The line of a turn in the tree."""
    return f"#moves .log button:has-text('{text}')"


def test_a_tree_is_built_commented_shared_and_opened_by_another_person(visit: Visit, address: str) -> None:
    page = visit(f'{address}/analysis')
    begin(page)
    play(page, 'c1-c2')
    play(page, 'c7-c6')
    page.keyboard.press('ArrowLeft')
    page.wait_for_function("() => document.body.dataset.turns === '1'")
    page.locator("#acts [data-act='undo']").click()
    page.wait_for_function("() => document.body.dataset.turns === '0'")
    play(page, 'c1-c3')
    assert page.locator('#moves .log li').count() == 4
    expect(page.locator('#moves .log li.deep-1')).to_contain_text('c1-c3')
    drawer(page, 'note')
    page.locator('#note-form [name=name]').fill('Bold')
    page.locator('#note-form [name=comment]').fill('Blue has to answer.')
    page.locator('#note-form button').click()
    expect(page.locator(row(page, 'c1-c3'))).to_contain_text('Blue has to answer.')
    page.locator("[data-study='draw']").click()
    piece = page.locator('#drawing .piece').first.bounding_box()
    other = page.locator('#drawing .piece').last.bounding_box()
    assert piece
    assert other
    page.mouse.click(piece['x'] + piece['width'] / 2, piece['y'] + piece['height'] / 2)
    expect(page.locator('.study-marks ellipse.core')).to_have_count(1)
    page.mouse.move(piece['x'] + piece['width'] / 2, piece['y'] + piece['height'] / 2)
    page.mouse.down()
    page.mouse.move(other['x'] + other['width'] / 2, other['y'] + other['height'] / 2, steps=3)
    page.mouse.up()
    expect(page.locator('.study-marks path.core')).to_have_count(1)
    page.keyboard.press('Escape')
    expect(page.locator("[data-study='draw']")).to_have_attribute('aria-pressed', 'false')
    drawer(page, 'menu')
    page.locator("[data-study='share']").click()
    link = page.locator('#study-link').input_value()

    friend = visit(link)
    ready(friend)
    friend.locator(row(friend, 'c1-c3')).click()
    expect(friend.locator('.study-marks path.core')).to_have_count(1)
    expect(friend.locator('#happened')).to_contain_text('copy')
    assert friend.locator('#note-form').count() == 0
    drawer(friend, 'menu')
    friend.locator("[data-study='copy']").click()
    friend.wait_for_url(lambda url: url != link)
    ready(friend)
    assert friend.locator('#note-form').count() == 1
    assert friend.locator('#moves .log li').count() == 4


@pytest.mark.wide
def test_a_phone_plays_and_searches_on_a_board(visit: Visit, address: str) -> None:
    page = visit(f'{address}/analysis', 390, 844, touch=True)
    begin(page)
    play(page, 'c1-c2', touch=True)
    drawer(page, 'engine')
    page.locator("[data-study='search']").click()
    expect(page.locator('.study-bar')).to_have_count(2)
    page.locator("#engine-turns [data-study='line']").first.click()
    page.wait_for_function('() => Number(document.body.dataset.turns) > 1')
    expect(page.locator('.study-bar')).to_have_count(0)
    assert page.evaluate('document.documentElement.scrollWidth') <= 390
