"""A board for analysis in the browser: a tree is built, commented, drawn on, shared, and opened by another
person."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ludoteca.analysis import EFFORTS
from ludoteca.game import load
from ludoteca.text import words
from ludoteca.work import analyses
from tests.browser.support import LIGHT, POST, finger, listed, point, ready
from tests.browser.test_accessible import violations

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


GHOSTS = '#overlay :is(.ghost-symbol, .ghost-runner, .hint)'
SEARCH, STOP = "[data-study='search']", "[data-study='stop']"
COVERED = """(open) => {
    const box = document.querySelector(open).getBoundingClientRect();
    const apart = (other) => other.right <= box.left || other.left >= box.right
        || other.bottom <= box.top || other.top >= box.bottom;
    return [...document.querySelectorAll('#cards .trays, .pl.own, #felt')]
        .filter((one) => !apart(one.getBoundingClientRect())).map((one) => one.className);
}"""
"""What one needs to make a move and cannot reach, because something lies over it."""


def study(visit: Visit, address: str, game: str, *size: int) -> Page:
    """A board for analysis at the start of a game."""
    page = visit(address + LIGHT, *size)
    made = page.evaluate(POST, ['/api/analyses', {'game': game}])
    page.goto(f'{address}/analysis/{made["id"]}')
    ready(page)
    return page


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
    told = load('myrmidons').words('log.did.move', start='c1', end='c3')
    expect(page.locator('#moves .log li.deep-1')).to_contain_text(told, ignore_case=True)
    drawer(page, 'note')
    page.locator('#note-form [name=name]').fill('Bold')
    page.locator('#note-form [name=comment]').fill('Blue has to answer.')
    page.locator('#note-form button').click()
    expect(page.locator(row(page, told))).to_contain_text('Blue has to answer.')
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
    friend.locator(row(friend, told)).click()
    expect(friend.locator('.study-marks path.core')).to_have_count(1)
    expect(friend.locator('#happened')).to_contain_text('copy')
    assert friend.locator('#note-form').count() == 0
    drawer(friend, 'menu')
    friend.locator("[data-study='copy']").click()
    friend.wait_for_url(lambda url: url != link)
    ready(friend)
    assert friend.locator('#note-form').count() == 1
    assert friend.locator('#moves .log li').count() == 4


def test_a_board_is_searched_at_once_until_it_is_stopped_and_its_lines_are_seen_on_the_board(
    visit: Visit, address: str
) -> None:
    page = study(visit, address, 'octiles', 1440, 900)
    expect(page.locator(STOP)).to_be_visible()
    expect(page.locator('.study-bar')).to_have_count(2)
    colours = page.evaluate(
        "[...document.querySelectorAll('.meter span')].map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(colours)) == 2, 'each in the colour of its player'
    page.locator('#engine-turns li').first.hover()
    expect(page.locator('#overlay .ghost-symbol')).not_to_have_count(0)
    page.mouse.move(700, 40)
    expect(page.locator('#overlay .ghost-symbol')).to_have_count(0)
    look = page.locator("#engine-turns [data-study='look']").first
    look.focus()
    expect(page.locator('#overlay .ghost-symbol')).not_to_have_count(0)
    page.keyboard.press('Enter')
    expect(look).to_have_attribute('aria-pressed', 'true')
    page.locator('#engine-bars').hover()
    expect(page.locator('#overlay .ghost-symbol')).not_to_have_count(0)
    page.locator('#felt').hover(position={'x': 4, 'y': 4})
    expect(look).to_have_attribute('aria-pressed', 'false')
    page.locator("#engine-turns [data-study='line']").first.click()
    page.wait_for_function("() => document.body.dataset.turns === '1'")
    expect(page.locator(GHOSTS)).to_have_count(0)
    page.locator(STOP).click()
    expect(page.locator('#engine-state')).to_have_text(words('web.analysis.stopped'))
    page.keyboard.press('u')
    page.wait_for_function("() => document.body.dataset.turns === '0'")
    expect(page.locator('.study-bar')).to_have_count(2)
    page.locator("#engine-turns [data-study='line']").last.click()
    page.wait_for_function('() => Number(document.body.dataset.turns) > 1')
    page.wait_for_timeout(800)
    expect(page.locator(SEARCH)).to_be_visible()
    expect(page.locator('.study-bar')).to_have_count(0)
    assert not violations(page)


def test_one_person_has_one_search_and_a_page_that_is_not_looked_at_has_none(
    visit: Visit, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, 'EFFORTS', (EFFORTS[0], *[(10**8, 12.0)] * 3))
    page = study(visit, address, 'octiles', 1440, 900)
    expect(page.locator('.study-bar')).to_have_count(2)
    expect(page.locator(STOP)).to_be_visible()
    page.evaluate("""() => {
        Object.defineProperty(document, 'hidden', { value: true, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
    }""")
    expect(page.locator(STOP)).to_be_hidden()
    page.evaluate("""() => {
        delete document.hidden;
        document.dispatchEvent(new Event('visibilitychange'));
    }""")
    expect(page.locator(STOP)).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    ready(other)
    expect(other.locator('.study-bar')).to_have_count(2)
    expect(page.locator('#engine-state')).to_have_text(words('web.analysis.stopped'))


@pytest.mark.parametrize('size', [(1440, 900), (1280, 800), (1024, 768)])
def test_what_is_opened_on_a_board_for_analysis_covers_nothing_that_a_move_needs(
    visit: Visit, address: str, size: tuple[int, int]
) -> None:
    page = study(visit, address, 'myraclia', *size)
    if size[0] >= 1280:
        tree, felt = page.locator('#moves').bounding_box(), page.locator('#felt').bounding_box()
        assert tree
        assert felt
        assert tree['x'] + tree['width'] <= felt['x']
        assert felt['height'] >= 0.7 * size[1]
    page.keyboard.press('Escape')
    tray = page.locator('#cards .trays').bounding_box()
    for name in ('note', 'engine', *(['moves'] if size[0] < 1280 else [])):
        drawer(page, name)
        assert page.evaluate(COVERED, f'#drawer-{name}') == []
        box = page.locator(f'#drawer-{name}').bounding_box()
        close = page.locator(f'#drawer-{name} .close').bounding_box()
        assert box
        assert close
        assert box['y'] <= close['y'] < box['y'] + 20, 'its cross is its own'
        now = page.locator('#cards .trays').bounding_box()
        assert tray
        assert now
        assert (now['width'], now['height']) == pytest.approx((tray['width'], tray['height']), abs=1)


@pytest.mark.wide
def test_a_phone_plays_and_searches_on_a_board(visit: Visit, address: str) -> None:
    page = visit(f'{address}/analysis', 390, 844, touch=True)
    begin(page)
    play(page, 'c1-c2', touch=True)
    drawer(page, 'engine')
    expect(page.locator('.study-bar')).to_have_count(2)
    page.locator("#engine-turns [data-study='look']").first.tap()
    expect(page.locator(GHOSTS).first).to_be_visible()
    expect(page.locator('#felt')).to_be_in_viewport(ratio=0.9)
    page.locator("#engine-turns [data-study='line']").first.click()
    page.wait_for_function('() => Number(document.body.dataset.turns) > 1')
    expect(page.locator(GHOSTS)).to_have_count(0)
    assert page.evaluate('document.documentElement.scrollWidth') <= 390
