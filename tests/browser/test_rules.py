"""The pages of rules in the browser: contents beside the text or folded away, where one is, arriving from a
search, and the drawer of a table that opens where the game stands."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.support import at_table

Visit = Callable[..., Page]
CONTENTS = '.contents nav'


def test_contents_stand_beside_the_text_and_mark_where_one_reads(visit: Visit, address: str) -> None:
    page = visit(f'{address}/games/myraclia/rules')
    page.wait_for_selector("body[data-script='ready']")
    expect(page.locator(CONTENTS)).to_be_visible()
    expect(page.locator('.contents summary')).to_be_hidden()
    page.locator(f"{CONTENTS} a[href='#scoring']").click()
    marked = page.locator(f"{CONTENTS} a[aria-current='true']")
    expect(marked).to_have_text('Scoring')
    assert page.locator('#scoring').evaluate('(one) => one.getBoundingClientRect().top') < 120
    page.locator("[id='wild-cards']").evaluate("(one) => one.scrollIntoView({block: 'start'})")
    expect(marked).to_have_text('Wild cards')
    box = page.locator(CONTENTS).bounding_box()
    assert box
    assert box['y'] >= 0, 'the contents stay in sight'
    assert page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    # folded away on a phone, and again when a chapter was chosen
    page.set_viewport_size({'width': 390, 'height': 844})
    page.evaluate('scrollTo(0, 0)')
    expect(page.locator(CONTENTS)).to_be_hidden()
    page.locator('.contents summary').click()
    page.locator(f"{CONTENTS} a[href='#reserving']").click()
    expect(page.locator(CONTENTS)).to_be_hidden()
    assert 0 <= page.locator('#reserving').evaluate('(one) => one.getBoundingClientRect().top') < 200
    assert page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    # on paper there are no controls
    page.emulate_media(media='print')
    for hidden in ('.bar', '.beside', '.reading form'):
        expect(page.locator(hidden)).to_be_hidden()


def test_a_search_leads_to_the_paragraph_and_marks_it(visit: Visit, address: str) -> None:
    page = visit(f'{address}/games/octiles/rules', java_script_enabled=False)
    page.fill("[name='q']", 'loops')
    page.keyboard.press('Enter')
    hit = page.locator('.hits li', has_text='Such a loop is a legal move')
    expect(hit.locator('mark')).to_have_text('loop')
    hit.locator('a').click()
    target = page.locator(':target')
    expect(target).to_contain_text('a path may lead back')
    expect(target).to_be_in_viewport()
    plain = page.locator('#the-tiles').evaluate('(one) => getComputedStyle(one).backgroundColor')
    assert target.evaluate('(one) => getComputedStyle(one).backgroundColor') != plain


def test_the_rules_of_a_table_open_where_the_game_stands(visit: Visit, address: str) -> None:
    page = at_table(visit, address)
    page.click("[data-drawer='rules']")
    chapter = page.locator('#prompt').get_attribute('data-chapter')
    heading = page.locator(f"#drawer-rules [id='{chapter}']")
    expect(heading).to_be_in_viewport()
    top = page.locator('#drawer-rules .inside').evaluate('(one) => one.getBoundingClientRect().top')
    assert abs(heading.evaluate('(one) => one.getBoundingClientRect().top') - top) < 60
    expect(page.locator('#drawer-rules .close')).to_be_in_viewport()
