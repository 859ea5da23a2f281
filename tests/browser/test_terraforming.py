"""Drafting, paying, reserving and adding tiles, by clicks and by Enter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import actions, changed, finger, open_from_card, point, ready, state

Visit = Callable[..., Page]
GAME = 'Myraclia'


def position(page: Page) -> dict[str, Any]:
    """The position of the table, as JSON."""
    found: dict[str, Any] = page.evaluate(
        "fetch('/api' + location.pathname).then((a) => a.json()).then((view) => view.position)"
    )
    return found


def press(page: Page, target: str) -> None:
    """Click a button of the prompt, or a thing on the map or on a card."""
    before = state(page)
    if target.startswith('do:'):
        page.click(f"#acts [data-target='{target}']")
    else:
        page.locator(f"[id='{target.removeprefix('el:')}']").scroll_into_view_if_needed()
        page.mouse.click(*point(page, target))
    if target not in ('do:reserve', 'do:change') and not target.startswith('el:display'):
        changed(page, before)


def enter(page: Page) -> None:
    """Press Enter, and wait for what it does."""
    before = state(page)
    page.keyboard.press('Enter')
    changed(page, before)


def names(page: Page, word: str) -> list[tuple[str, list[str]]]:
    """What can be chosen now that begins with a word."""
    return [(name, targets) for name, targets, _ in actions(page) if name.split()[0] == word]


def draft_all(page: Page) -> None:
    """Draft until nothing is left; both take from the right, so that each has cubes of several elements."""
    while drafts := names(page, 'draft'):
        press(page, drafts[-1][1][0])


DRAFT = """async (path) => {
    for (;;) {
        const view = await (await fetch(`/api${path}`)).json();
        const drafts = view.legal.filter((name) => name.startsWith('draft '));
        if (!drafts.length) return view.version;
        await fetch(`/api${path}/act`, {
            method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({steps: drafts.at(-1)})});
    }
}"""  # noqa: E501


def begin(visit: Visit, address: str, by_clicks: bool = False, **more: Any) -> Page:
    """A table of two at one screen, its draft over, with a tile that can be paid (which seven cubes nearly
    always can)."""
    page = visit(address, **more)
    while True:
        open_from_card(page, 'Here together', GAME)
        ready(page)
        if by_clicks:
            draft_all(page)
        else:
            version = page.evaluate(DRAFT, page.evaluate('location.pathname'))
            page.wait_for_function('(version) => document.body.dataset.version === version', arg=str(version))
        if names(page, 'terraform'):
            return page
        page.goto(address)


def test_a_tile_is_paid_for_with_one_enter(visit: Visit, address: str) -> None:
    page = begin(visit, address)
    (name, targets), *_ = names(page, 'terraform')
    press(page, targets[0])
    expect(page.locator('#prompt .do')).to_contain_text('pay for')
    expect(page.locator('#acts .main:not([hidden])')).to_contain_text('Pay')
    assert page.locator('#card-payment [data-target], #card-payment [data-steps]').count() >= 1
    enter(page)
    q, r = name.split()[1].split(',')
    laid = next(entry for entry in position(page)['surface'] if entry['at'] == [int(q), int(r)])
    assert laid['owner'] == state(page)['seat']
    assert state(page)['turns'] == 10, 'the turn goes on'
    # taken back with one key, and paid step by step
    before = state(page)
    page.keyboard.press('u')
    changed(page, before)
    assert names(page, 'pay')
    while ways := names(page, 'pay') + names(page, 'use'):
        press(page, ways[0][1][0])
    assert page.locator(f'#disk-{laid["tile"]}').count() == 1


def test_a_whole_round_by_clicks(visit: Visit, address: str) -> None:
    page = begin(visit, address, by_clicks=True)
    for turn in range(2):
        seat = state(page)['seat']
        for _ in range(3):
            if not (tiles := names(page, 'terraform')):
                break
            press(page, tiles[0][1][0])
            enter(page)
        if reserves := names(page, 'reserve'):
            for target in reserves[0][1]:
                press(page, target)
            expect(page.locator('#acts .main:not([hidden])')).to_contain_text('Put all')
            enter(page)
            assert any(entry.get('reserved') == seat for entry in position(page)['surface'])
        press(page, 'do:end')
        while places := names(page, 'place'):
            tiles_before = page.locator('#drawing [id^=face-]').count()
            for target in places[0][1]:
                press(page, target)
            assert page.locator('#drawing [id^=face-]').count() == tiles_before + 1
        assert state(page)['turns'] == 11 + turn
    expect(page.locator('#heading')).to_contain_text('round 2')
    assert names(page, 'draft')


@pytest.mark.wide
def test_a_click_on_a_tile_that_can_only_be_reserved_reserves_it(visit: Visit, address: str) -> None:
    page = begin(visit, address)
    only: list[str] = []
    while not only:  # a neighbour of a terraformed tile that cannot be paid
        if not (tiles := names(page, 'terraform')):
            page.goto(address)
            page = begin(visit, address)
            continue
        press(page, tiles[0][1][0])
        enter(page)
        payable = {targets[-1] for _, targets in names(page, 'terraform')}
        only = [targets[-1] for _, targets in names(page, 'reserve') if targets[-1] not in payable]
    press(page, only[0])
    assert names(page, 'put')
    expect(page.locator('#prompt .do')).to_contain_text('put a cube on')


@pytest.mark.wide
def test_a_place_that_breaks_the_form_says_why(visit: Visit, address: str) -> None:
    page = begin(visit, address)
    press(page, names(page, 'terraform')[0][1][0])
    enter(page)
    press(page, 'do:end')
    tile = names(page, 'place')[0][1][0]
    press(page, tile)
    open_ = {targets[-1].removeprefix('el:') for _, targets in names(page, 'place')}
    places = page.evaluate("[...document.querySelectorAll('#drawing .place')].map((element) => element.id)")
    closed = [id_ for id_ in places if id_ not in open_]
    assert closed
    page.mouse.click(*point(page, f'el:{closed[0]}'))
    expect(page.locator('#bubble')).to_contain_text('a new tile would have')


@pytest.mark.wide
def test_the_players_arrange_the_start(visit: Visit, address: str) -> None:
    """Chosen in the dialog; each picks a tile and a place in turn, and then the draft begins."""
    page = visit(address)
    page.get_by_role('link', name='New table').first.click()
    page.locator('#new label', has=page.locator("[name='game'][value='myraclia']")).click()
    page.select_option('[data-fill]', 'here')
    page.locator("[data-for-game='myraclia'] .more summary").click()
    page.select_option('[name=option-myraclia-layout]', 'arranged')
    expect(page.locator('#new')).to_contain_text('for experienced players')
    page.get_by_role('button', name='Begin').click()
    ready(page)
    expect(page.locator('#prompt .do')).to_contain_text('lay a starting tile, one of 8')
    seats = []
    while laying := names(page, 'place'):
        seats.append(state(page)['seat'])
        _, (tile, place) = laying[len(laying) // 2]
        press(page, tile)
        press(page, place)
    assert seats == [0, 1] * 4
    assert len(position(page)['surface']) == 8
    assert names(page, 'draft')
    footnote = page.locator('#card-scoring .footnote a')
    expect(footnote).to_contain_text('assumed')
    with page.context.expect_page() as opened:
        footnote.click()
    expect(opened.value.locator('#what-is-reconstructed')).to_be_visible()


def test_on_a_phone_what_can_be_confirmed_is_in_sight(visit: Visit, address: str) -> None:
    """The drafting board is taller than what is left of the screen; Confirm would lie below it."""
    page = visit(address, 390, 844, touch=True)
    open_from_card(page, 'Here together', GAME, touch=True)
    ready(page)
    before = state(page)
    _, targets = names(page, 'draft')[-1]
    finger(page, targets[0])
    confirm = page.locator('#acts .main:not([hidden])')
    expect(confirm).to_be_enabled()
    box = confirm.bounding_box()
    drawers = page.locator('.drawers').bounding_box()
    assert box is not None
    assert drawers is not None
    assert box['y'] > 400
    assert box['y'] + box['height'] <= drawers['y']
    assert page.evaluate('scrollY') == 0
    confirm.tap()
    changed(page, before)
    assert state(page)['turns'] == before['turns'] + 1
