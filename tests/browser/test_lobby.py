"""The lobby and the page of lessons: room for many games and long titles, the bar on a phone, and how one
lesson leads to the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ludoteca.lessons import lessons
from ludoteca.text import words
from tests.browser.stations import THEMES
from tests.browser.support import LIGHT, POST, drawn, ready
from tests.browser.test_replay import PLAYED
from tests.browser.test_room import measure, wrong
from tests.outside import games_in
from tests.width import width

Visit = Callable[..., Page]
SIZES = {1440: 900, 1366: 768, 1280: 800, 1024: 768, 768: 1024, 390: 844, 320: 640}
TITLES = ('Kingdombuilders of Saint-Barthélemy', 'The Great Lighthousekeepers')
GAME = """from tests.toy import Toy

class Other(Toy):
    name = {name!r}
    title = {title!r}

GAME = Other()
"""
BROKEN = """() => [...document.querySelectorAll('.game :is(h2, .btn, .also a)')].flatMap((element) => {
    const found = [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.parentElement.matches('.unseen')) continue;
        for (const word of text.data.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const lines = new Set([...range.getClientRects()].map(({top}) => Math.round(top)));
            if (lines.size > 1) found.push(word[0]);
        }
    }
    return found;
})"""
"""The words on the games' cards that are broken into two lines."""
TIGHT = """() => [...document.querySelectorAll('.game .btn')].filter((button) => {
    const range = document.createRange();
    range.selectNode([...button.childNodes].find((node) => node.nodeType === Node.TEXT_NODE));
    const [text, box] = [range, button].map((one) => one.getBoundingClientRect());
    return text.left < box.left + 3 || text.right > box.right - 3;
}).map((button) => button.textContent)"""
"""The buttons whose text touches their border."""


@pytest.mark.parametrize('more', width((2,), (0, 1, 2)))
def test_cards_have_room_for_many_games_and_long_titles(
    visit: Visit, address: str, tmp_path: Path, more: int
) -> None:
    for number, title in enumerate(TITLES[:more]):
        folder = tmp_path / f'more{number}'
        folder.mkdir()
        (folder / '__init__.py').write_text(GAME.format(name=folder.name, title=title), 'utf-8')
        (folder / 'en.toml').touch()
    with games_in(tmp_path):
        page = visit(address)
        for wide, high in SIZES.items():
            page.set_viewport_size({'width': wide, 'height': high})
            drawn(page)
            assert wrong(page) == [], wide
            assert page.evaluate(BROKEN) == [], wide
            assert page.evaluate(TIGHT) == [], wide
            tops = page.locator('.game').evaluate_all('all => all.map((card) => card.offsetTop)')
            rows = [tops.count(top) for top in sorted(set(tops))]
            assert wide < 1280 or rows[-1] > 1, f'one game is alone in its row at {wide}: {rows}'


def test_the_bar_is_one_row_on_the_smallest_phone(visit: Visit, address: str) -> None:
    page = visit(address, 320, SIZES[320], touch=True)
    for path in ('/', '/learn', '/nowhere', '/sign-in'):
        page.goto(address + path)
        links = page.locator('.bar nav a')
        boxes = links.evaluate_all('all => all.map((link) => link.getBoundingClientRect().toJSON())')
        assert len({box['top'] for box in boxes}) == 1, path
        assert all(box['left'] >= 0 and box['right'] <= 320 and box['height'] >= 44 for box in boxes), path
        assert page.locator('#name').is_visible(), path


def test_tables_that_run_stand_above_the_games_on_a_phone(visit: Visit, address: str) -> None:
    page = visit(address, 390, SIZES[390])
    expect(page.locator('.head p')).to_contain_text(words('web.lobby.line.one').split('. ')[-1])
    table = page.evaluate(POST, ['/api/tables', {'game': 'octiles', 'mode': 'here'}])
    page.reload()
    row, card = page.locator(f'#row-{table["id"]}').bounding_box(), page.locator('.game').first.bounding_box()
    assert row is not None
    assert card is not None
    assert row['y'] + row['height'] <= card['y']
    page.evaluate(POST, [f'/api/tables/{table["id"]}/resign', {}])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator('#running')).to_be_hidden()
    expect(page.locator(f'#lists #row-{table["id"]}')).to_be_visible()


@pytest.mark.parametrize('way', width(('Enter', 'tap'), ('Enter', 'click', 'tap')))
def test_one_lesson_leads_to_the_next_and_the_last_one_to_puzzles(
    visit: Visit, address: str, way: str
) -> None:
    page = visit(f'{address}/learn', 390, SIZES[390], touch=way == 'tap')
    game = 'octiles'
    page.locator(f'#{game} .btn').first.press('Enter')
    for lesson, following in zip(lessons(game), [*lessons(game)[1:], None], strict=True):
        ready(page)
        last = {'game': game, 'lesson': lesson.id, 'step': len(lesson.steps) - 1}
        page.evaluate(POST, ['/api/lessons', last])
        page.reload()
        ready(page)
        on = page.locator('#lesson-on')
        if following is None:
            expect(on).to_contain_text(words('web.lesson.play_on'))
            page.locator('#lesson-puzzles').click()
            break
        expect(on).to_contain_text(words('web.lesson.following'))
        if way == 'Enter':
            page.keyboard.press('Enter')
        else:
            getattr(on, way)()
        expect(page.locator('#lesson .said')).to_have_text(following.said(following.steps[0]))
    page.wait_for_url(f'{address}/games/{game}/puzzles')
    page.goto(f'{address}/learn')
    expect(page.locator(f'#{game} .done')).to_have_count(len(lessons(game)))
    page.goto(address)
    label = words('web.lobby.learn_of', done=len(lessons(game)), of=len(lessons(game)))
    page.locator('.game a.learn', has_text=label).click()
    page.wait_for_url(f'{address}/games/{game}/learn')


@pytest.mark.parametrize('path', ['/learn', *width([], ['/', '/games/octiles/learn'])])
def test_there_is_room_where_lessons_are_listed(visit: Visit, address: str, path: str) -> None:
    """Also for somebody who has begun some and finished others."""
    page = visit(address)
    for lesson, step in zip(lessons('octiles'), (-1, 3), strict=False):
        given = {'game': 'octiles', 'lesson': lesson.id, 'step': step % len(lesson.steps)}
        page.evaluate(POST, ['/api/lessons', given])
    page.goto(address + path)
    assert measure(page, THEMES[:1]) == {}


DROP = """async ([text, name]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const drag = (kind) => document.body.dispatchEvent(
        new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
    drag('dragover');
    const shown = getComputedStyle(document.body, '::after').content;
    drag('drop');
    return shown;
}"""
"""Drops a file on the page, and answers what it shows while the file is above it."""


def test_a_saved_match_is_dropped_chosen_by_keyboard_or_sent_without_a_script(
    visit: Visit, address: str, tmp_path: Path
) -> None:
    page = visit(address + LIGHT)
    table = page.evaluate(PLAYED, 2)
    text = page.evaluate('async (path) => (await fetch(path)).text()', f'{address}/api/tables/{table}/export')
    file = tmp_path / 'match.txt'
    file.write_text(text, 'utf-8')
    for path in ('/', '/analysis'):
        page.goto(address + path)
        assert words('web.analysis.drop') in page.evaluate(DROP, [text, 'match.txt'])
        page.wait_for_url('**/tables/*')
        ready(page)
        expect(page.locator('#result')).to_contain_text(words('web.table.result.imported'))
    page.goto(address)
    expect(page.locator('#name')).to_be_visible()
    with page.expect_file_chooser() as chosen:
        page.locator('input[data-drop]').press('Space')
    chosen.value.set_files(file)
    page.wait_for_url('**/tables/*')
    # on from an earlier turn
    ready(page)
    page.keyboard.press('ArrowLeft')
    page.click('#again button')
    page.wait_for_url(lambda url: '/tables/' in url and not url.endswith(table))
    ready(page)
    # too large, and refused in words by the server
    page.goto(address)
    page.evaluate(DROP, ['x' * 3_000_000, 'large.txt'])
    expect(page.get_by_role('alert')).to_have_text(words('web.analysis.error.large', most=1024))
    plain = visit(address, java_script_enabled=False)
    plain.set_input_files('input[type=file]', file)
    plain.click('.open-file button')
    plain.wait_for_url('**/tables/*')
