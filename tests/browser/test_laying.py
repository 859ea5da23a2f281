"""Laying what is picked beside the board on points of the board: by clicks, drags, touch and keys."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from math import hypot
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import actions, changed, listed, open_from_card, over, point, ready, state

Visit = Callable[..., Page]
GAME = 'Myriath'
SHOW = """(log) => fetch('/api/me', {
    method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({settings: {log}})})"""  # noqa: E501


def place(page: Page, target: str) -> tuple[float, float]:
    """Where a point of the drawing lies in the window."""
    x, y = map(float, target.removeprefix('at:').split(','))
    found = page.evaluate(
        """([x, y]) => {
        const at = new DOMPoint(x, y).matrixTransform(document.getElementById('overlay').getScreenCTM());
        return [at.x, at.y];
    }""",
        [x, y],
    )
    return found[0], found[1]


def began(visit: Visit, address: str, turns: int = 0, log: str = 'notation', **size: Any) -> Page:
    """A hot-seat table after the octagons and some turns; `log`: how turns are shown."""
    page = visit(address, **size)
    page.evaluate(SHOW, log)
    open_from_card(page, 'Here together', GAME, touch=bool(size.get('touch')))
    ready(page)
    for k in range(2 + turns):
        table = actions(page)
        before = state(page)
        page.evaluate(
            """([path, steps]) => fetch(path, {
                method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({steps})})""",  # noqa: E501
            [f'/api{page.evaluate("location.pathname")}/act', table[(7 + 37 * k) % len(table)][0]],
        )
        changed(page, before)
    return page


UNCOVERED = """(targets) => targets.filter((target) => {
    const id = target.slice(3);
    const box = document.getElementById(id).getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(`#${id}`);
})"""
"""Targets in sight."""


def held(page: Page) -> str:
    """The name of what would be laid now."""
    return (
        page.locator('#held').inner_text().partition(':')[0]
        if page.locator('#overlay .ghost-symbol').count()
        else ''
    )


def roomy(page: Page) -> tuple[str, list[tuple[str, list[str], str]]]:
    """A tile in sight with many places that can be turned and flipped, and its places."""
    table = [one for one in actions(page) if one[1][-1].startswith('at:')]
    tiles = page.evaluate(UNCOVERED, sorted({one[1][0] for one in table}))
    found = {tile: [one for one in table if one[1][0] == tile] for tile in tiles}
    best = max(
        found, key=lambda tile: (len({one[2].partition(')')[2] for one in found[tile]}), len(found[tile]))
    )
    # first where it lies in most ways
    points = Counter(one[1][-1] for one in found[best])
    return best.removeprefix('el:'), sorted(found[best], key=lambda one: -points[one[1][-1]])


@pytest.mark.wide
def test_a_whole_game_of_laying_tiles_by_clicks(visit: Visit, address: str) -> None:
    page = visit(address)
    page.evaluate(SHOW, 'notation')
    told: list[dict[str, Any]] = []
    page.on('websocket', lambda line: line.on('framereceived', lambda frame: told.append(json.loads(frame))))
    open_from_card(page, 'Here together', GAME)
    ready(page)
    told.insert(0, json.loads(page.locator('#data').text_content() or '')['message'])
    turned = flipped = 0
    for k in range(80):
        if over(page):
            break
        before = state(page)
        table = listed(told[-1]['choices'])
        name, targets, _ = table[(11 * k) % len(table)]
        if targets[0].startswith('do:'):
            page.click(f"[data-target='{targets[0]}']")
            changed(page, before)
            continue
        if len(targets) == 2:
            page.mouse.click(*point(page, targets[0]))
        page.mouse.move(*place(page, targets[-1]))
        if len(targets) == 2 and len(table) > 1 and (turned < 4 or flipped < 4):
            expect(page.locator('#overlay .ghost-symbol')).to_have_count(1)
            lies = held(page)
            page.keyboard.press('r')
            page.wait_for_timeout(20)
            turned += held(page) != lies
            lies = held(page)
            page.keyboard.press('f')
            page.wait_for_timeout(20)
            flipped += lies.split()[1][0] != held(page).split()[1][0]
        if len(targets) == 2 and len(table) > 1:
            expect(page.locator('#overlay .ghost-symbol')).to_have_count(1)
            name = held(page)
        page.mouse.click(*place(page, targets[-1]))
        changed(page, before)
        expect(page.locator('.log li.cur')).to_contain_text(name)
    assert over(page)
    assert turned > 3
    assert flipped > 3
    assert page.locator('.log [data-at]').count() > 20
    expect(page.locator('#card-scoring')).to_be_visible()
    old = page.url
    page.click('#result >> text=Rematch')
    page.wait_for_url(lambda url: url != old)
    ready(page)
    assert state(page)['turns'] == 0


def test_a_tile_is_dragged_from_the_tray_and_put_back(visit: Visit, address: str) -> None:
    page = began(visit, address)
    tile, places = roomy(page)
    _, targets, _ = places[0]
    before = state(page)
    page.mouse.move(*point(page, tile))
    page.mouse.down()
    page.mouse.move(900, 500, steps=2)
    expect(page.locator('.carry')).to_be_visible()
    page.mouse.move(1300, 500, steps=2)
    page.mouse.up()
    expect(page.locator('.carry')).to_be_hidden()
    assert not held(page)
    assert state(page) == before
    page.mouse.move(*point(page, tile))
    page.mouse.down()
    page.mouse.move(*place(page, targets[-1]), steps=3)
    name = held(page)
    assert name in {one[0] for one in places}
    page.mouse.up()
    changed(page, before)
    expect(page.locator('.log li.cur')).to_contain_text(name.split()[0])
    # picked, and put back
    tile, _ = roomy(page)
    page.mouse.click(*point(page, tile))
    expect(page.locator(f'#{tile}.chosen')).to_have_count(1)
    expect(page.locator(f'#places-{tile}')).to_be_visible()
    page.keyboard.press('Escape')
    expect(page.locator(f'#{tile}.chosen')).to_have_count(0)


@pytest.mark.wide
def test_a_refused_place_says_why(visit: Visit, address: str) -> None:
    page = began(visit, address)
    tile, places = roomy(page)
    page.mouse.click(*point(page, tile))
    points = [tuple(map(float, one[1][-1].removeprefix('at:').split(','))) for one in places]
    corners = [(100 * i, -100 * j) for i in range(7) for j in range(7)]
    far = next(f'at:{i},{j}' for i, j in corners if all(hypot(x - i, y - j) > 150 for x, y in points))
    page.mouse.move(*place(page, far))
    expect(page.locator('.carry')).to_be_visible()
    page.mouse.click(*place(page, far))
    expect(page.locator('#bubble')).to_contain_text('.')
    assert state(page)['turns'] == 2


def test_how_a_tile_lies_is_told_in_notation_only_to_those_who_want_it(visit: Visit, address: str) -> None:
    page = began(visit, address, log='sentences')
    tile, places = roomy(page)
    page.mouse.click(*point(page, tile))
    name, targets, _ = places[0]
    page.mouse.move(*place(page, targets[-1]))
    page.wait_for_function("() => document.querySelector('#overlay .ghost-symbol')")
    kind, *_, crossing = name.split()
    assert held(page).split()[0] == kind
    assert held(page).split()[-1] == crossing
    assert not re.search(r'\b[rf]\d', held(page))


def test_tiles_by_touch(visit: Visit, address: str) -> None:
    page = began(visit, address, width=390, height=844, touch=True)
    assert page.evaluate('document.documentElement.scrollWidth') <= 390
    tile, places = roomy(page)
    before, felt = state(page), page.locator('#felt').bounding_box()
    page.touchscreen.tap(*point(page, tile))
    name, targets, _ = places[0]
    page.touchscreen.tap(*place(page, targets[-1]))
    first = held(page)
    assert first
    assert page.locator('#felt').bounding_box() == felt, 'the board lies still while something is held'
    assert state(page) == before, 'nothing is laid before it is confirmed'
    for handle in page.locator('#overlay .handle').all():
        box = handle.bounding_box()
        assert box is not None
        assert min(box['width'], box['height']) >= 44
    page.locator('#overlay .handle.turn').tap()
    assert held(page) != first
    lies = held(page).split()[1]
    page.locator('#overlay .handle.flip').tap()
    assert held(page).split()[1][0] != lies[0]
    # elsewhere: it goes there
    other = next(one for one in reversed(places) if one[1] != targets)
    page.touchscreen.tap(*place(page, other[1][-1]))
    moved = held(page)
    assert moved.split()[2:] != first.split()[2:]
    # a second tap on it turns it
    ghost = page.locator('#overlay .ghost-symbol').bounding_box()
    assert ghost is not None
    middle = ghost['x'] + ghost['width'] / 2, ghost['y'] + ghost['height'] / 2
    page.touchscreen.tap(*middle)
    name = held(page)
    page.locator('#overlay .handle.confirm').tap()
    changed(page, before)
    assert state(page)['turns'] == before['turns'] + 1
    expect(page.locator('.log li.cur')).to_contain_text(name.split()[0])


def test_a_finger_scrolls_at_once_and_drags_after_a_moment(visit: Visit, address: str) -> None:
    page = began(visit, address, width=390, height=844, touch=True)
    tile, places = roomy(page)
    line = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        line.send(
            'Input.dispatchTouchEvent', {'type': kind, 'touchPoints': [{'x': x, 'y': y} for x, y in points]}
        )

    def swipe(start: tuple[float, float], end: tuple[float, float], wait: int) -> None:
        touch('touchStart', start)
        page.wait_for_timeout(wait)
        for k in range(1, 9):
            touch(
                'touchMove', (start[0] + (end[0] - start[0]) * k / 8, start[1] + (end[1] - start[1]) * k / 8)
            )
            page.wait_for_timeout(16)
        touch('touchEnd')

    x, y = point(page, tile)
    swipe((x, y), (x, y - 160), 0)
    page.wait_for_function('() => scrollY > 20')
    assert page.locator('.chosen').count() == 0
    page.wait_for_timeout(400)  # it comes to rest
    page.evaluate('scrollTo(0, 0)')
    page.wait_for_timeout(200)  # whatever is left of the swipe has been
    page.evaluate('scrollTo(0, 0)')
    page.wait_for_function('() => scrollY === 0')
    to = place(page, places[0][1][-1])
    swipe((x, y), (to[0], to[1] + 62), 450)  # what is dragged lies above the finger
    expect(page.locator('#overlay .handle.confirm')).to_have_count(1)
    assert held(page)
    assert page.evaluate('scrollY') == 0
    # what is about to be laid is dragged on
    elsewhere = next(one for one in reversed(places) if one[1] != places[0][1])
    ghost = page.locator('#overlay .ghost-symbol').bounding_box()
    assert ghost is not None
    lies = (ghost['x'] + ghost['width'] / 2, ghost['y'] + ghost['height'] / 2)
    swipe(lies, place(page, elsewhere[1][-1]), 0)
    moved = page.locator('#overlay .ghost-symbol').bounding_box()
    assert moved is not None
    assert abs(moved['x'] - ghost['x']) + abs(moved['y'] - ghost['y']) > 40, 'by a square at least'
    assert page.evaluate('scrollY') == 0


@pytest.mark.parametrize('end', ['top', 'bottom'])
def test_a_tile_that_is_picked_brings_the_board_back_in_sight(visit: Visit, address: str, end: str) -> None:
    """On a phone, from the strip that stays in the window while the page scrolls."""
    page = began(visit, address, width=320, height=640, touch=True)
    page.evaluate("(end) => scrollTo(0, end === 'top' ? 0 : 1e6)", end)
    tile, _ = roomy(page)
    page.touchscreen.tap(*point(page, tile))
    page.wait_for_function("() => document.querySelector('.chosen')")
    page.wait_for_function("""() => {
        const board = document.querySelector('.stage').getBoundingClientRect();
        return board.top >= -1 && board.bottom <= document.querySelector('.trays').getBoundingClientRect().top + 1;
    }""")  # noqa: E501


def test_a_finger_that_rested_while_the_page_was_busy_drags(visit: Visit, address: str) -> None:
    page = began(visit, address, width=390, height=844, touch=True)
    tile, places = roomy(page)
    line = page.context.new_cdp_session(page)
    (x, y), to = point(page, tile), place(page, places[0][1][-1])
    busy = 'setTimeout(() => { const end = performance.now() + 600; while (performance.now() < end); }, 50)'
    page.evaluate(busy)
    page.wait_for_timeout(100)
    for kind, points in (
        ('touchStart', [{'x': x, 'y': y}]),  # heard of half a second later
        *(
            ('touchMove', [{'x': x + (to[0] - x) * k / 8, 'y': y + (to[1] + 62 - y) * k / 8}])
            for k in range(1, 9)
        ),
        ('touchEnd', []),
    ):
        line.send('Input.dispatchTouchEvent', {'type': kind, 'touchPoints': points})
    assert held(page)
    assert page.evaluate('scrollY') == 0


@pytest.mark.wide
def test_the_tray_of_four_is_in_sight_and_what_is_unfolded_stays_so(visit: Visit, address: str) -> None:
    page = visit(address, 1024, 768)
    page.locator("a[data-dialog='new'][data-game='myriath']").click()
    dialog = page.locator('#new')
    expect(dialog.locator("[name=game][value='myriath']")).to_be_checked()
    dialog.locator("label:has([name='players-myriath'][value='4'])").click()
    page.select_option('[data-fill]', 'here')
    dialog.locator('[type=submit]').click()
    page.wait_for_url('**/tables/*')
    ready(page)
    for selector in ('.tray', '.drawers'):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert box['y'] + box['height'] <= 768
    opened = page.locator('.pl:not(.own)').last  # of who is neither to move now nor next
    opened.locator('button.open').click()
    expect(opened.locator('.fold')).to_be_visible()
    before = state(page)
    page.mouse.click(*place(page, actions(page)[0][1][-1]))
    changed(page, before)
    expect(page.locator('.pl.open .fold')).to_be_visible()
    expect(page.locator('.pl.open button.open')).to_have_attribute('aria-expanded', 'true')


def test_tiles_by_the_keyboard_alone(visit: Visit, address: str) -> None:
    page = began(visit, address)
    before = state(page)
    page.focus('.tray .can[tabindex="0"]')
    page.keyboard.press('ArrowRight')
    tile = page.evaluate('document.activeElement.id')
    assert tile.startswith('hand-')
    page.keyboard.press('Enter')
    expect(page.locator('.stage')).to_be_focused()
    seen = {held(page)}
    for key in ('ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'r', 'f'):
        page.keyboard.press(key)
        seen.add(held(page))
        assert held(page) in page.locator('#speak').inner_text() or key in 'rf'
    assert len(seen) > 3
    assert '' not in seen
    page.keyboard.press('Escape')
    expect(page.locator(f'#{tile}')).to_be_focused()
    assert not held(page)
    page.keyboard.press('Enter')
    name = held(page)
    page.keyboard.press('Enter')
    changed(page, before)
    expect(page.locator('.log li.cur')).to_contain_text(name.split()[0])
    assert page.evaluate("document.activeElement.closest('.tray') !== null"), (
        'the next player goes on with the keyboard'
    )
