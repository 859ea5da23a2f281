"""On a phone the board has a lens: what is too small for a finger is enlarged before it is played, and what
is explained is enlarged as well."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.text import words
from tests.browser.support import FINGER, changed, finger, point, ready, state
from tests.browser.test_analysis import begin
from tests.browser.test_explain import BUBBLE, began, explained, rest, where
from tests.browser.test_touch import PHONE, choices
from tests.width import width

Visit = Callable[..., Page]
LENS = '.felt.lens'
SIZES = """(ids) => ids.map((id) => {
    const element = document.getElementById(id);
    const box = (element.querySelector('.hit') ?? element).getBoundingClientRect();
    return Math.min(box.width, box.height);
})"""
WITHIN = """(id) => {
    const box = document.getElementById(id).getBoundingClientRect();
    const felt = document.getElementById('felt').getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return x > felt.left && x < felt.right && y > felt.top && y < felt.bottom;
}"""
RUNNERS = "[...document.querySelectorAll('#drawing [id^=post-].can')].map((one) => one.id)"


def tap(page: Page, id_: str) -> None:
    page.touchscreen.tap(*point(page, id_))


def test_a_phone_enlarges_what_a_finger_would_miss_and_plays_it_there(visit: Visit, address: str) -> None:
    """One page: the lens opens instead of playing, by a tap that is no move, and by a finger that rests; it
    closes by a tap outside, by Escape and by its button, and the way back is the browser's own."""
    page = began(visit, address, 'octiles', **PHONE)
    before, length = state(page), page.evaluate('history.length')
    runner = page.evaluate(RUNNERS)[:3][-1]  # the top tile may let only some of them run
    assert page.evaluate(SIZES, [runner])[0] < FINGER
    tap(page, runner)
    expect(page.locator(LENS)).to_be_visible()
    assert page.locator('.chosen').count() == 0, 'the first tap enlarges'
    assert page.evaluate(SIZES, [runner])[0] >= FINGER
    assert page.evaluate(WITHIN, runner)
    # outside
    page.touchscreen.tap(200, 20)
    expect(page.locator(LENS)).to_have_count(0)
    # a tap that is no move, and Escape
    tap(page, 'stack')
    assert 'stack' in explained(page)
    expect(page.locator(LENS)).to_be_visible()
    assert page.evaluate(WITHIN, 'stack')
    page.keyboard.press('Escape')
    expect(page.locator(LENS)).to_have_count(0)
    expect(page.locator(BUBBLE)).to_be_hidden()
    # a finger that rests, and the button
    rest(page, *where(page, '#space-c3'))
    assert 'c3' in explained(page)
    expect(page.locator(LENS)).to_be_visible()
    page.locator('.lens-close').tap()
    expect(page.locator(LENS)).to_have_count(0)
    assert (state(page), page.evaluate('history.length')) == (before, length)
    # the same things are played in it: a runner, then where it ends
    tap(page, runner)
    expect(page.locator(LENS)).to_be_visible()
    tap(page, runner)
    expect(page.locator(f'#{runner}.chosen')).to_have_count(1)
    ends = [
        targets[1] for _, targets, _ in choices(page) if len(targets) == 2 and targets[0] == f'el:{runner}'
    ]
    end = ends[0].removeprefix('el:')
    for _ in range(2):
        if page.locator('.ghost-runner').count() == 0:
            tap(page, end)
            page.wait_for_timeout(300)
    assert page.locator('#overlay .ghost-path').count() == 1, 'the run is drawn on the tile'
    assert page.locator('#overlay .ghost-symbol').count() == 1, 'the tile lies so that it comes about'
    page.locator("#acts [data-act='confirm']").tap()
    page.wait_for_function('() => document.body.dataset.turns === "1"')
    expect(page.locator(LENS)).to_have_count(0)


def test_a_handle_stands_beside_what_it_turns_and_only_if_turning_changes_it(
    visit: Visit, address: str
) -> None:
    tried = set[bool]()
    for _ in range(8):  # some tiles bring the same runs however they lie
        tried |= handles(visit, address)
        if True in tried:
            break
    assert True in tried


def handles(visit: Visit, address: str) -> set[bool]:
    """Lay the top tile wherever it may lie. Returns whether turning it changes anything, by space."""
    page = began(visit, address, 'octiles', **PHONE)
    placed = [targets[0] for _, targets, _ in choices(page) if len(targets) == 1]
    tried = set[bool]()
    for space in sorted(set(placed)):
        before = state(page)
        tap(page, space.removeprefix('el:'))
        changed(page, before)
        many = placed.count(space) > 1
        handle = page.locator('#overlay .handle')
        expect(handle).to_have_count(int(many))
        tried.add(many)
        if many:
            expect(handle).to_be_visible()
            knob, tile = (
                handle.bounding_box(),
                page.locator(f'#{space.removeprefix("el:")} .hit').bounding_box(),
            )
            assert knob is not None
            assert tile is not None
            assert min(knob['width'], knob['height']) >= FINGER
            assert knob['x'] >= tile['x'] + tile['width'] or knob['x'] + knob['width'] <= tile['x']
        laid = state(page)
        page.locator("#acts [data-act='undo']").tap()
        changed(page, laid)
    return tried


def test_a_handle_touches_the_tile_however_it_lies(visit: Visit, address: str) -> None:
    """Else the pointer would cross another space on its way, and choose that one."""
    for _ in range(8):  # some tiles bring the same runs however they lie
        page = began(visit, address, 'octiles')
        placed = [targets[0] for _, targets, _ in choices(page) if len(targets) == 1]
        space = max(sorted(set(placed)), key=placed.count)
        if placed.count(space) > 1:
            break
    page.mouse.move(*where(page, f'#{space.removeprefix("el:")}'))
    for laid in (False, True):
        for _ in range(placed.count(space)):
            tile = page.locator(f'#{space.removeprefix("el:")} .hit').bounding_box()
            knob = page.locator('#overlay .handle > circle').last.bounding_box()
            assert knob is not None
            assert tile is not None
            beside = max(knob['x'] - tile['x'] - tile['width'], tile['x'] - knob['x'] - knob['width'])
            above = max(knob['y'] - tile['y'] - tile['height'], tile['y'] - knob['y'] - knob['height'])
            assert max(beside, above) <= 1, laid
            before = state(page)
            page.keyboard.press('r')
            if laid:
                changed(page, before)
        if not laid:
            before = state(page)
            page.mouse.click(*where(page, f'#{space.removeprefix("el:")}'))
            changed(page, before)


@pytest.mark.parametrize('touch', width([True], [False, True]))
def test_a_column_of_the_draft_shows_what_it_brings(visit: Visit, address: str, touch: bool) -> None:
    """Myraclia: the own disk as a ghost, and the place in the order; nothing is shown before."""
    more: dict[str, Any] = PHONE if touch else {}
    page = began(visit, address, 'myraclia', **more)
    shown = page.locator('.places.shown')
    assert shown.count() == 0
    column = page.evaluate("document.querySelector('[id^=draft-].can').id")
    x, y = where(page, f'#{column}')
    page.touchscreen.tap(x, y) if touch else page.mouse.move(x, y)
    own = page.locator(f"#cards [data-shown-by='{column}']")
    expect(own).to_be_visible()
    expect(own).to_contain_text('You would be 1st')
    assert own.locator('use').count() >= 1, 'the disk'
    assert state(page)['turns'] == 0


def test_arrows_of_an_order_are_as_large_as_a_finger(visit: Visit, address: str) -> None:
    """Round the picked Commander the lens opens with them; the compass on an order's card has them, too."""
    page = visit(f'{address}/analysis', **PHONE)
    begin(page)
    finger(page, 'el:piece-0-d1')
    expect(page.locator(LENS)).to_be_visible()
    ways = page.evaluate("[...document.querySelectorAll('#drawing .way.can')].map((one) => one.id)")
    assert len(ways) > 2
    assert min(page.evaluate(SIZES, ways)) >= FINGER
    page.keyboard.press('Escape')
    page.locator("#acts [data-target='do:order']").tap()
    expect(page.locator('#card-order')).to_be_visible()
    compass = "[...document.querySelectorAll('#card-order [data-redraft] circle')].map((one) => one.getBoundingClientRect().width)"  # noqa: E501
    assert min(page.evaluate(compass)) >= FINGER - 1


def test_the_first_zooms_say_what_to_do(visit: Visit, address: str) -> None:
    page = began(visit, address, 'octiles', **PHONE)
    runner = page.evaluate(RUNNERS)[0]
    for shown in (True, True, True, False):
        tap(page, runner)
        expect(page.locator(LENS)).to_be_visible()
        bubble = page.locator('#bubble.on', has_text=words('web.table.zoomed'))
        expect(bubble).to_have_count(int(shown))
        page.keyboard.press('Escape')
        expect(page.locator(LENS)).to_have_count(0)
        page.evaluate("document.getElementById('bubble').classList.remove('on')")


def test_places_that_a_sentence_names_are_named_on_the_board_of_a_phone(visit: Visit, address: str) -> None:
    """Legibly, and no others: their names would be too small to read."""
    page = visit(f'{address}/games/octiles/learn', 390, 844, touch=True)
    page.locator('form button').first.click()
    ready(page)
    for _ in range(2):
        page.locator('#lesson-on').click()
        page.wait_for_timeout(200)
    said = page.locator('#lesson .said').inner_text()
    shown = page.locator('#drawing text.coordinate').evaluate_all("""(all) => all
        .filter((name) => name.checkVisibility())
        .map((name) => [name.textContent, name.getBoundingClientRect().height])""")
    places = {name for name, _ in shown}
    assert places
    assert set(re.findall(r'[a-fA-F][1-6]', said)) <= places
    assert all(high >= 11 for _, high in shown)
    assert len(places) < 12
