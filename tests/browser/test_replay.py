"""A match that is over plays by itself, and a link leads others to a turn."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.support import LIGHT, ready

Visit = Callable[..., Page]
PLAYED = """async (turns) => {
    const post = async (path, body) => (await fetch(path, {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})).json();
    const table = await post('/api/tables', {game: 'octiles', mode: 'here'});
    const path = `/api/tables/${table.id}`;
    await post(`${path}/chat`, {text: 'Good luck!'});
    for (let k = 0; k < 2 * turns; k++) {
        const view = await (await fetch(path)).json();
        await post(`${path}/act`, {steps: view.legal[0]});
    }
    await post(`${path}/resign`, {seat: 0});
    return table.id;
}"""


CLIPBOARD = """Object.defineProperty(navigator, "clipboard", {
    value: {writeText: async (text) => { window.link = text; }}})"""


def seen(page: Page) -> str:
    return page.locator('#moves output').inner_text()


def test_a_match_plays_by_itself_pauses_and_is_shared_at_a_turn(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT)
    table = page.evaluate(PLAYED, 8)
    page.goto(f'{address}/tables/{table}')
    ready(page)
    counter, past = page.locator('#moves output'), page.locator('#past')
    last = seen(page).partition(' / ')[2]
    # from the present it begins at the beginning, and goes on by itself
    page.click(".result [data-act='play']")
    expect(past).to_be_visible()
    expect(page.locator('#said')).to_contain_text('Good luck!')
    play = page.locator(".past [data-act='play']")
    expect(play).to_have_accessible_name('Pause')
    page.wait_for_function("() => parseInt(document.querySelector('#moves output').textContent) >= 1")
    page.keyboard.press('k')
    expect(play).to_have_accessible_name('Play from here')
    held = seen(page)
    page.wait_for_timeout(1500)
    assert seen(page) == held, 'it pauses'
    # the panel: another turn, a link to it, its picture
    page.click("[data-act='replay-more']")
    slide = page.get_by_role('slider')
    expect(slide).to_be_focused()
    page.keyboard.press('Escape')
    expect(slide).to_be_hidden()
    page.click("[data-act='replay-more']")
    slide.fill('2')
    expect(counter).to_have_text(f'2 / {last}')
    assert 'turn=2' in str(page.locator("[data-picture='png']").get_attribute('href'))
    page.evaluate(CLIPBOARD)
    page.click("[data-act='share-turn']")
    expect(page.locator('#toast')).to_contain_text('comes to this turn')
    link = page.evaluate('window.link')
    assert link.startswith(f'{address}/watch/')
    page.keyboard.press('Escape')
    expect(page.locator('#replay')).to_be_hidden()
    # on from near the end, as quick as can be, to the end
    page.click('#moves [data-at] >> nth=-2')
    expect(counter).to_have_text(f'{int(last) - 1} / {last}')
    for _ in range(3):
        page.keyboard.press('+')
    page.keyboard.press('k')
    expect(past).to_be_hidden(timeout=15_000)
    expect(counter).to_have_text(f'{last} / {last}')

    # another person comes to the turn, and sees it as it was
    other = visit(link)
    expect(other.locator('#past')).to_be_visible()
    expect(other.locator('#moves output')).to_have_text(f'2 / {last}')
    assert other.locator('#prompt').inner_text() != page.locator('#prompt').inner_text()
    # on a phone, too, it is the board that they come to; the result stands below it
    other.set_viewport_size({'width': 390, 'height': 844})
    board, result = other.locator('#felt').bounding_box(), other.locator('#result > .result').bounding_box()
    assert board
    assert result
    assert board['y'] + board['height'] <= min(844, result['y'])
    other.set_viewport_size({'width': 1440, 'height': 900})
    other.keyboard.press('ArrowRight')
    expect(other.locator('#moves output')).to_have_text(f'3 / {last}')
    other.keyboard.press('Escape')
    expect(other.locator('#past')).to_be_hidden()
