"""The board as a list: every game is played with the keyboard alone, and by ear."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.game import load
from tests.browser.support import listed, on_card, over, ready, state, told
from tests.width import games_tested, width

Visit = Callable[..., Page]
MOST = 400  # steps of a game
READER = Path(__file__).parents[2] / 'node_modules/@guidepup/virtual-screen-reader/lib/esm/index.browser.js'


def begin(visit: Visit, address: str, game: str, **more: Any) -> Page:
    """A table of two at one screen; the first link of the page leads to the board as a list."""
    page = visit(address, **more)
    on_card(page, 'Here together', load(game).title).click()
    ready(page)
    if come(page):
        page.locator('.skip').first.focus()
    else:
        page.keyboard.press('Tab')
    expect(page.locator(':focus')).to_have_text('To the board as a list')
    page.keyboard.press('Enter')
    page.wait_for_function("() => document.activeElement.matches('#places [data-place]')")
    return page


def come(page: Page) -> bool:
    """Open the curtain of a shared screen, if it is drawn."""
    if page.locator("[data-act='handover']").count():
        page.locator("[data-act='handover']").focus()
        page.keyboard.press('Enter')
        page.wait_for_selector('#curtain', state='visible')
    drawn = page.locator('#curtain').is_visible()
    if drawn:
        expect(page.locator('#curtain button')).to_be_focused()
        page.keyboard.press('Enter')
        page.wait_for_selector('#curtain', state='hidden')
    return drawn


def focused(page: Page) -> dict[str, Any]:
    """The cell that has the keyboard: what it stands for, and its words."""
    found: dict[str, Any] = page.evaluate(
        """() => {
            const { dataset, textContent } = document.activeElement;
            return { place: (dataset.place ?? '').split(' '), text: textContent };
        }"""
    )
    return found


def spoken(page: Page) -> str:
    """What was last said to screen readers."""
    return page.locator('#speak').text_content() or ''


def go_to(page: Page, target: str) -> None:
    """Go from one thing that can be chosen to the next one until it is this."""
    first = focused(page)['place']
    for _ in range(300):
        if target in focused(page)['place']:
            return
        page.keyboard.press('.')
        if focused(page)['place'] == first:
            break
    assert target in focused(page)['place'], f'{target} is not among what can be chosen'


def choose(page: Page, name: str, targets: list[str]) -> None:
    """Choose an action: each of its places in turn, in the way that has its name."""
    before = state(page)
    if page.locator("[data-place='do:seal']").count():
        targets = ['do:seal']
    for k, target in enumerate(targets):
        if page.locator(f"[data-place~='{target}'][data-can='picked']").count():
            continue  # the page has picked it: nothing else can be
        go_to(page, target)
        for _ in range(20):
            if k < len(targets) - 1 or target == 'do:seal' or f'plays {name}' in focused(page)['text']:
                break
            page.keyboard.press('r')
        else:
            raise AssertionError(f'no way to choose {target} plays {name}')
        page.keyboard.press('Enter')
        if 'Enter or Confirm plays it' in spoken(page):
            page.keyboard.press('Enter')  # what is sealed is confirmed
    # the last piece of a line-up waits to be sealed
    page.wait_for_function(
        """([seat, version]) => {
            const now = document.body.dataset;
            const seal = document.querySelector("[data-place='do:seal']");
            return seal || now.seat !== seat || now.version !== version;
        }""",
        arg=[str(before['seat']), str(before['version'])],
    )


def wanted(page: Page, game: str) -> tuple[str, list[str]]:
    """The action of a fixed player, with its targets."""
    own = load(game)
    seat = state(page)['seat']
    s = own.from_json(told(page, seat)['position'])
    name = own.action_name(s, own.yardstick(s)[0])
    return next((one, targets) for one, targets, _ in actions_of(page) if one == name)


def actions_of(page: Page) -> list[tuple[str, list[str], str]]:
    """What can be chosen by the person at the screen."""
    seat = state(page)['seat']
    return listed(
        page.evaluate(
            f'fetch(`${{location.pathname}}/view?here={seat}`).then((a) => a.json()).then((m) => m.choices)'
        )
    )


@pytest.mark.parametrize('game', games_tested())
def test_a_whole_game_is_played_with_the_keyboard(visit: Visit, address: str, game: str) -> None:
    """Narrow, one game goes on to its end, and of each other one some steps are made."""
    page = begin(visit, address, game)
    whole = width(game == 'myrmidons', True)
    for _ in range(MOST if whole else 8):
        if over(page):
            break
        choose(page, *wanted(page, game))
        come(page)
        if not over(page):
            page.wait_for_function("() => document.activeElement.matches('#places [data-place]')")
    assert over(page) == whole
