"""A match that is over plays by itself, and a link leads others to a turn."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from ludoteca.text import words
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


AT = "new URLSearchParams(document.querySelector('[data-kind]').search).get('turn')"
CLIPBOARD = """Object.defineProperty(navigator, "clipboard", {
    value: {writeText: async (text) => { window.link = text; }}})"""


DENIED = """Object.defineProperty(navigator, "clipboard", {
    value: {writeText: () => Promise.reject(new Error('denied'))}})"""


def share(page: Page, which: str) -> str:
    """Copy a link of the dialog."""
    page.click(f"[data-field='#share-{which}']")
    expect(page.locator('#share output').first).to_have_text(words('web.share.copied'))
    return str(page.evaluate('window.link'))


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
    # the panel: another turn; it does not run beneath
    page.keyboard.press('k')
    page.click("[data-act='replay-more']")
    expect(play).to_have_accessible_name('Play from here')
    slide = page.get_by_role('slider')
    expect(slide).to_be_focused()
    page.keyboard.press('Escape')
    expect(slide).to_be_hidden()
    page.click("[data-act='replay-more']")
    slide.fill('2')
    expect(counter).to_have_text(f'2 / {last}')
    page.keyboard.press('Escape')
    expect(page.locator('#replay')).to_be_hidden()
    # the one place to share: the turn on show
    page.evaluate(CLIPBOARD)
    page.click("[data-act='share']")
    link = share(page, 'turn')
    assert link.startswith(f'{address}/watch/')
    assert link.endswith('?turn=2')
    page.keyboard.press('Escape')
    expect(page.locator('#share')).to_be_hidden()
    expect(counter).to_have_text(f'2 / {last}')
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


def test_one_dialog_has_links_pictures_and_a_film_that_outlives_page_and_server(
    visit: Visit, address: str
) -> None:
    page = visit(address + LIGHT)
    table = page.evaluate(PLAYED, 2)
    made: list[str] = []
    told = {'done': 1, 'frames': 4, 'url': None, 'sentence': 'one of four'}
    now = ['making']

    def film(route: Route) -> None:
        made.append(route.request.method)
        if now[0] == 'restarted' and made[-1] == 'GET':
            now[0] = 'making'
            return route.fulfill(status=404, json={'detail': 'lost'})
        more = {'url': '/favicon.ico', 'sentence': 'it is there'} if now[0] == 'ready' else {}
        return route.fulfill(json={'id': 'f', **told, 'state': now[0], **more})

    page.context.route('**/films*', film)
    page.context.route('**/films/*', film)
    page.goto(f'{address}/tables/{table}')
    ready(page)
    page.evaluate(DENIED)
    page.keyboard.press('ArrowLeft')
    page.click("[data-act='share']")
    whole, turn = page.locator('#share-whole'), page.locator('#share-turn')
    page.click("[data-field='#share-whole']")
    expect(page.locator('#share output').first).to_have_text(words('web.share.selected'))
    assert page.evaluate('getSelection().toString() || document.activeElement.value') == whole.input_value()
    assert turn.input_value() == f'{whole.input_value()}?turn={page.evaluate(AT)}'
    for kind, start in (('svg', b'<svg'), ('png', b'\x89PNG')):
        href = str(page.locator(f"[data-kind='{kind}']").get_attribute('href'))
        answer = page.request.get(href)
        assert answer.body().startswith(start)
        assert f'turn={page.evaluate(AT)}' in href
    page.click('#film [type=submit]')
    output = page.locator('#film output')
    expect(output).to_have_text('one of four')
    assert page.locator('#film progress').evaluate('(bar) => bar.value') == 0.25
    now[0] = 'restarted'
    expect(output).to_have_text(f'{words("web.film.again")} one of four')
    assert made.count('POST') == 2
    page.reload()
    ready(page)
    now[0] = 'ready'
    page.click("[data-act='share']")
    save = page.locator('#film a')
    expect(save).to_be_visible()
    expect(output).to_have_text('it is there')
    assert str(save.get_attribute('href')) == '/favicon.ico'
    # the review shares the same, at its turn
    page.goto(f'{address}/tables/{table}/review')
    page.click('[data-share]')
    expect(page.locator('#share-turn')).to_have_value(re.compile(r'\?turn=\d+$'))
    # a spectator who came by the link may pass it on
    other = visit(page.locator('#share-whole').input_value())
    ready(other)
    other.click("[data-act='share']")
    expect(other.locator('#share-whole')).to_have_value(other.url)
