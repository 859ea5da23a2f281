"""A hint tells more with every press, and the board lies still; before a blunder a player is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.web import blunders
from ludoteca.work import blunders as work_blunders
from ludoteca.work.blunders import Warned
from tests.browser.support import changed, state, told
from tests.browser.test_hints import done, hint, opened, press
from tests.width import width

Visit = Callable[..., Page]
LABELS = ['Hint', 'More', 'Show it', 'Why', 'Why']
PLACES = """() => ['#drawing', '#prompt', '#acts', "#acts [data-act='hint']"].map((one) => {
    const {x, y, width, height} = document.querySelector(one).getBoundingClientRect();
    return [x, y, width, height];
})"""


def rings(page: Page) -> int:
    """How many things are pointed at, on the board and beside it, buttons included."""
    return page.locator('#overlay circle.hint, #cards .chosen, #acts .hinted').count()


@pytest.mark.parametrize(
    ('game', 'size'),
    width(
        [('myriath', {'width': 390, 'height': 844, 'touch': True})],
        [
            (game, size)
            for game in ('octiles', 'myrmidons', 'myriath', 'mykerinos', 'myraclia')
            for size in ({}, {'width': 390, 'height': 844, 'touch': True})
        ],
    ),
)
def test_a_hint_is_told_in_four_stages(visit: Visit, address: str, game: str, size: dict[str, Any]) -> None:
    page = opened(visit, address, game, 3, 5, **size)
    button = page.locator("#acts [data-act='hint']")
    lies, before = page.evaluate(PLACES), state(page)
    for stage, label in enumerate(LABELS[:-1], 1):
        expect(button).to_have_attribute('aria-label', label)
        with page.expect_response(lambda answer: answer.url.endswith('/hint')) as answer:
            button.tap() if size else button.click()
        assert answer.value.json()['stage'] == stage
        expect(page.locator('#bubble')).to_contain_text(answer.value.json()['sentence'])
        expect(page.locator('#speak')).to_contain_text(answer.value.json()['sentence'])
        expect(button).to_have_attribute('aria-label', LABELS[stage])
        assert page.evaluate(PLACES) == lies
        ghosts = page.locator('#overlay .ghost-symbol').count()
        assert rings(page) + ghosts > 0 or stage > 2
        assert stage > 2 or not ghosts
    assert state(page) == before
    page.keyboard.press('Enter')  # the turn is still on show
    done(page, answer.value.json()['steps'][0]['name'])
    if not told(page)['result']:
        expect(button).to_have_attribute('aria-label', 'Hint')


def test_a_button_with_which_the_hinted_turn_begins_is_pointed_at(visit: Visit, address: str) -> None:
    page = opened(visit, address, 'mykerinos', 3, 5)
    target = page.locator('#acts [data-target]').first.get_attribute('data-target')
    answer = {'version': told(page)['version'], 'stage': 2, 'targets': [target], 'sentence': 'It begins so.'}
    page.route('**/hint', lambda route: route.fulfill(json=answer))
    button = page.locator(f"#acts [data-target='{target}']")
    assert button.evaluate('button => getComputedStyle(button).outlineStyle') == 'none'
    press(page)
    expect(button).to_have_class(re.compile(r'\bhinted\b'))
    assert button.evaluate('button => getComputedStyle(button).outlineStyle') == 'dashed'
    page.keyboard.press('Escape')
    expect(button).not_to_have_class(re.compile(r'\bhinted\b'))


def test_what_a_hint_points_at_is_let_go(visit: Visit, address: str) -> None:
    page = opened(visit, address, 'octiles', 2, 5)
    press(page)
    assert rings(page)
    page.keyboard.press('Escape')
    expect(page.locator('#overlay circle.hint')).to_have_count(0)
    assert press(page)['stage'] == 2  # the position is the same: what was told stays told


def warned(page: Page) -> None:
    page.locator("button[data-drawer='settings']").click()
    with page.expect_response(lambda answer: answer.url.endswith('/api/me')):
        page.locator('#settings-form .switch', has_text='blunder').click()
    page.locator('#drawer-settings .close').click()


def test_before_a_blunder_a_player_is_asked(
    visit: Visit, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(visit, address, 'myriath', 3, 5)
    monkeypatch.setattr(work_blunders, 'compare', lambda *_, **__: Warned(0.8, 0.3))
    monkeypatch.setattr(blunders, 'SECONDS', 60.0)
    monkeypatch.setattr(blunders, 'is_interpreted', lambda folder: False)
    warned(page)
    before = state(page)
    name = hint(page)[0]['name']
    page.locator("#acts [data-act='confirm']").click()
    dialog = page.locator('#ask-blunder')
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text('80 %')
    expect(dialog).to_contain_text('30 %')
    dialog.get_by_role('button', name='Back').click()
    expect(dialog).to_be_hidden()
    assert state(page) == before
    assert told(page)['may_act']
    hint(page)
    page.locator("#acts [data-act='confirm']").click()
    dialog.get_by_role('button', name='Play it anyway').click()
    changed(page, before)
    done(page, name)
