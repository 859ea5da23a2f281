"""A review as people read it: opened by one click, a turning point looked at, a line played through."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.text import words
from ludoteca.web.live.reviews import Reviewer
from tests.browser.support import LIGHT
from tests.browser.test_accessible import violations

Visit = Callable[..., Page]

LABELS = """() => {
    const found = [...document.querySelectorAll('.graph .share')];
    return Math.min(...found.map((one) => one.getBoundingClientRect().x));
}"""

CUT = """() => {
    const clips = (one) => getComputedStyle(one).overflowY !== 'visible';
    const cut = (one) => clips(one) && one.scrollHeight > one.clientHeight + 1;
    return [...document.querySelectorAll('.turns, .turns *')].filter(cut).map((one) => one.className);
}"""
"""What of the list of turns is cut within the page."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reviewer, 'simulations', 60)
    monkeypatch.setattr(Reviewer, 'workers', staticmethod(lambda: ThreadPoolExecutor(1)))


def finished(page: Page, address: str, turns: int) -> str:
    """The address of a table whose match was given up after some turns."""

    def post(path: str, **data: Any) -> Any:
        answer = page.request.post(f'{address}/api/tables{path}', data=data, headers={'Origin': address})
        assert answer.ok, answer.text()
        return answer.json()

    view = post('', game='octiles', mode='here')
    table = view['id']
    while view['turns'] < turns:
        view = post(f'/{table}/act', steps=view['legal'][-1])
    post(f'/{table}/resign')
    return f'{address}/tables/{table}'


@pytest.mark.wide
@pytest.mark.parametrize('size', [{}, {'width': 390, 'height': 844, 'touch': True}])
def test_a_review_is_opened_and_a_turning_point_looked_at(
    visit: Visit, address: str, size: dict[str, Any]
) -> None:
    page = visit(address + LIGHT, **size)
    page.goto(finished(page, address, 12))
    page.locator("#result form[action$='/review'] button").click()
    page.wait_for_selector("#review[data-status='running'], #review[data-status='done']")
    page.wait_for_selector("#review[data-status='done']", timeout=60_000)
    point = page.locator('.graph a').first
    label = point.get_attribute('aria-label') or ''
    page.locator('.turns a').first.click()
    first = words('web.review.turn', number='1', name='').rstrip()
    expect(page.locator('#turn h2')).to_contain_text(first)
    point.focus()
    page.keyboard.press('Enter')
    expect(page.locator('#turn h2')).to_contain_text(label.partition(':')[0])
    assert page.locator('.drawn .overlay').count() == 0
    page.locator("#turn .ways a[href*='line=better']").click()
    steps = page.locator('.steps output')
    expect(steps).to_contain_text('0 of')
    assert page.locator('.drawn .overlay .ghost-symbol').count()
    page.get_by_label(words('web.review.step.on')).click()
    expect(steps).to_contain_text('1 of')
    assert page.locator('.drawn .overlay').count() == 0
    page.locator('#turn h2').click()
    number = int(label.split()[1].rstrip(','))
    page.keyboard.press('ArrowRight')
    following = words('web.review.turn', number=number + 1, name='').rstrip()
    expect(page.locator('#turn h2')).to_contain_text(following)
    assert f'turn={number + 1}' in page.url
    assert page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    assert page.evaluate(CUT) == []
    assert page.evaluate(LABELS) >= page.evaluate("document.querySelector('.plot').getBoundingClientRect().x")
    assert not violations(page)


@pytest.mark.parametrize(('width', 'height', 'least'), [(1440, 900, 600), (1024, 768, 600), (390, 844, 330)])
def test_the_board_of_a_review_is_as_large_as_the_window_allows_and_stays_in_sight(
    visit: Visit, address: str, width: int, height: int, least: int
) -> None:
    page = visit(address + LIGHT, width, height)
    page.goto(finished(page, address, 12) + '/review')
    page.locator('.making form button').click()
    page.wait_for_selector("#review[data-status='done']", timeout=60_000)
    board = page.locator('.drawn').bounding_box()
    assert board
    assert min(board['width'], board['height']) >= least
    assert board['height'] <= height
    page.locator('.turns a').last.click()
    expect(page.locator('.rows .here')).not_to_have_count(0)
    expect(page.locator('#turn h2')).to_be_in_viewport()
    expect(page.locator('.drawn')).to_be_in_viewport(ratio=0.9)


@pytest.mark.wide
def test_a_turning_point_is_found_better_at_a_table(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT)
    page.goto(finished(page, address, 12))
    page.locator("#result form[action$='/review'] button").click()
    page.wait_for_selector("#review[data-status='done']", timeout=60_000)
    page.locator("#turn form[action*='/review/turns/'] button").click()
    page.wait_for_selector('#lesson.exercise')
    expect(page.locator('#drawing svg')).to_be_visible()
    page.locator('#lesson-leave').click()
    page.wait_for_url('**/review?turn=*')
    expect(page.locator('#turn')).to_be_visible()
