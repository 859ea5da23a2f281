"""The page on which components are filled in: drawn and checked as one types, on a phone as well."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from ludoteca.text import words

Visit = Callable[..., Page]


def test_tiles_are_drawn_and_checked_as_one_types(visit: Visit, address: str) -> None:
    page = visit(f'{address}/games/mykerinos/components')
    page.wait_for_selector("body[data-script='ready']")
    drawn, points = page.locator('#drawn'), page.locator('[name="tiles.violet.0.points"]')
    expect(drawn).to_contain_text(words('web.components.same', game='Mykerinos'))
    points.fill('7')
    expect(drawn).to_contain_text(words('web.components.fine', hash='').removesuffix('.'))
    assert drawn.locator('svg').count() == 1
    points.fill('12')
    expect(drawn.get_by_role('alert')).to_have_text(
        "'tiles violet 1 points' must be a whole number from 0 to 9, not 12."
    )
    points.fill('7')
    expect(drawn.locator('svg')).to_be_visible()
    page.set_viewport_size({'width': 390, 'height': 844})
    assert page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    with page.expect_download() as saved:
        page.get_by_role('button', name='Save as file').click()
    assert saved.value.suggested_filename.startswith('mykerinos@')
