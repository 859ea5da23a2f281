"""A hint tells more with every press, and the board lies still; before a blunder a player is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.text import words
from ludoteca.web.live import blunders
from ludoteca.web.table.places import WHERE, WHY
from ludoteca.work import blunders as work_blunders
from ludoteca.work.blunders import Warned
from tests.browser.support import changed, drawn, state
from tests.browser.support import told as view
from tests.browser.test_hints import done, hint, opened, press
from tests.width import width

Visit = Callable[..., Page]
PLACES = """() => ['#drawing', '#prompt', '#acts', "#acts [data-act='hint']"].map((one) => {
    const {x, y, width, height} = document.querySelector(one).getBoundingClientRect();
    return [x, y, width, height];
})"""

COVERED = """() => {
    const { left, top, right, bottom } = document.getElementById('bubble').getBoundingClientRect();
    return [...document.querySelectorAll('#overlay :is(.hint, .ghost-symbol)')]
        .map((one) => one.getBoundingClientRect())
        .filter((box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top).length;
}"""
"""How much of what a hint shows on the board its sentence covers."""


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
def test_a_hint_is_told_in_stages_and_then_played_whole(
    visit: Visit, address: str, game: str, size: dict[str, Any]
) -> None:
    page = opened(visit, address, game, 3, 5, **size)
    button, follow = page.locator("#acts [data-act='hint']"), page.locator("#acts [data-act='follow']")
    lies, before, stage = page.evaluate(PLACES), state(page), WHERE
    while stage != WHY or follow.is_hidden():
        expect(button).to_have_attribute('aria-label', words(f'web.hint.next.{stage}'))
        with page.expect_response(lambda answer: answer.url.endswith('/hint')) as answer:
            button.tap() if size else button.click()
        told = answer.value.json()
        assert told['stage'] == stage
        expect(page.locator('#bubble')).to_contain_text(told['sentence'])
        expect(page.locator('#speak')).to_contain_text(told['sentence'])
        stage = told.get('next', WHY)
        assert page.evaluate(PLACES) == lies
        assert page.evaluate(COVERED) == 0
        ghosts = page.locator('#overlay .ghost-symbol').count()
        assert rings(page) + ghosts > 0 or 'steps' in told
        assert 'steps' in told or not ghosts
        assert follow.is_visible() == ('steps' in told)
    assert state(page) == before
    follow.tap() if size else follow.click()
    done(page, ' '.join(step['name'] for step in told['steps']))
    expect(follow).to_be_hidden()
    first = f"#acts [data-act='hint'][aria-label='{words(f'web.hint.next.{WHERE}')}']"
    expect(page.locator(f'{first}, #result .result').filter(visible=True).first).to_be_visible()


def test_enter_plays_the_whole_turn_that_is_on_show_and_h_does_not(visit: Visit, address: str) -> None:
    """Octiles: a tile and a run. While a question is open, H does nothing."""
    page = opened(visit, address, 'octiles', 2, 5)
    names = [step['name'] for step in hint(page)]
    assert len(names) == 2
    before = state(page)
    press(page)
    assert state(page) == before
    page.evaluate("document.getElementById('ask-resign').showModal(); document.activeElement.blur()")
    page.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))")
    drawn(page)
    assert state(page) == before
    page.evaluate("document.getElementById('ask-resign').close()")
    page.keyboard.press('Enter')
    done(page, ' '.join(names))


def test_a_button_with_which_the_hinted_turn_begins_is_pointed_at(visit: Visit, address: str) -> None:
    page = opened(visit, address, 'mykerinos', 3, 5)
    target = page.locator('#acts [data-target]').first.get_attribute('data-target')
    answer = {
        'version': view(page)['version'],
        'stage': 2,
        'targets': [target],
        'sentence': 'It begins so.',
        'next': 4,
    }
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
    assert press(page)['stage'] > WHERE  # the position is the same: what was shown stays shown


def test_before_a_blunder_a_player_is_asked(
    visit: Visit, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(visit, address, 'myriath', 3, 5)
    monkeypatch.setattr(work_blunders, 'compare', lambda *_, **__: Warned(0.8, 0.3))
    monkeypatch.setattr(blunders, 'SECONDS', 60.0)
    monkeypatch.setattr(blunders, 'is_interpreted', lambda folder: False)
    before = state(page)
    name = hint(page)[0]['name']
    page.locator("#acts [data-act='follow']").click()
    dialog = page.locator('#ask-blunder')
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text('80 %')
    expect(dialog).to_contain_text('30 %')
    dialog.get_by_role('button', name='Back').click()
    expect(dialog).to_be_hidden()
    assert state(page) == before
    assert view(page)['may_act']
    hint(page)
    page.locator("#acts [data-act='follow']").click()
    dialog.get_by_role('button', name='Play it anyway').click()
    changed(page, before)
    done(page, name)
