"""The board as a list: every game is played with the keyboard alone, and by ear."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from ludoteca.game import load
from tests.browser.support import Opened, at_table, changed, listed, my_turn, over, ready, state, told
from tests.browser.test_accessible import AXE, violations
from tests.width import games_tested, width

Visit = Callable[..., Page]
MOST = 400  # steps of a game
NARROW = ('toy', 'myraclia')
"""Of octiles and myriath other tests of this file make some steps with the keyboard; the line-ups of
myrmidons are chosen with it in test_arranging.py."""
NODE_HAS_GONE = 'a.getElementById is not a function'
"""What the virtual screen reader throws if a node is taken out of the page while it is read."""
READER = Path(__file__).parents[2] / 'node_modules/@guidepup/virtual-screen-reader/lib/esm/index.browser.js'


def begin(visit: Visit, address: str, game: str, **more: Any) -> Page:
    """A table of two at one screen; the first link of the page leads to the board as a list."""
    page = at_table(visit, address, game, **more)
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
    first = here = focused(page)['place']
    for _ in range(300):
        if target in here:
            return
        page.keyboard.press('.')
        here = focused(page)['place']
        if here == first:
            break
    assert target in here, f'{target} is not among what can be chosen'


def choose(page: Page, name: str, targets: list[str]) -> None:
    """Choose an action: each of its places in turn, in the way that has its name."""
    before = state(page)
    seals = page.locator("[data-place='do:seal']").count() > 0
    if seals:
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
        """([seat, version, seals]) => {
            const now = document.body.dataset;
            const seal = document.querySelector("[data-place='do:seal']");
            return (seal && !seals) || now.seat !== seat || now.version !== version;
        }""",
        arg=[str(before['seat']), str(before['version']), seals],
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


@pytest.mark.parametrize('game', [game for game in games_tested() if width(game in NARROW, True)])
def test_a_whole_game_is_played_with_the_keyboard(visit: Visit, address: str, game: str) -> None:
    """Narrow, a short game goes on to its end, and of others some steps are made."""
    page = begin(visit, address, game)
    whole = width(game == 'toy', True)
    for _ in range(MOST if whole else 2):
        if told(page, state(page)['seat'])['result']:
            my_turn(page)  # the last fight is seen first
            break
        choose(page, *wanted(page, game))
        come(page)
        my_turn(page)  # or over: the last fight is seen first
        if not over(page):
            page.wait_for_function("() => document.activeElement.matches('#places [data-place]')")
    assert over(page) == whole


def test_the_list_is_a_setting_that_stays(visit: Visit, address: str) -> None:
    page = begin(visit, address, 'octiles')
    expect(page.locator("#menu [data-act='places']")).to_have_attribute('aria-pressed', 'true')
    page.reload()
    ready(page)
    expect(page.locator('#places [data-place]').first).to_be_visible()
    page.set_viewport_size({'width': 390, 'height': 844})  # its cells can be read on a phone, and hit
    boxes = page.evaluate("""[...document.querySelectorAll('#places .grid .cell, .listed summary')]
        .map((one) => one.getBoundingClientRect()).map(({width, height}) => [width, height])""")
    assert min(width for width, _ in boxes) > 90
    assert min(height for _, height in boxes) >= 44
    page.set_viewport_size({'width': 1440, 'height': 900})
    page.locator("button[data-drawer='menu']").click()
    page.locator("#menu [data-act='places']").click()
    expect(page.locator('#drawer-menu')).to_be_hidden()
    expect(page.locator('#listed')).to_be_hidden()
    expect(page.locator('#places [data-place]')).to_have_count(0)
    page.reload()
    ready(page)
    expect(page.locator('#listed')).to_be_hidden()


def test_arrow_keys_go_through_the_rows(visit: Visit, address: str) -> None:
    """Along rows, to the nearest place of the next row, to ends, and to the next group; one tab stop each."""
    page = begin(visit, address, 'mykerinos')

    def after(*keys: str) -> str:
        for key in keys:
            page.keyboard.press(key)
        return str(page.evaluate("document.activeElement.querySelector('b')?.textContent ?? ''"))

    assert after('Control+Home') == 'a1'
    assert after('ArrowRight', 'ArrowDown') == 'b2'
    assert after('End') == 'h2'
    assert after('ArrowRight') == 'h2'
    assert after('Home', 'ArrowUp', 'ArrowLeft') == 'a1'
    assert after('Control+End') == 'h6'
    assert page.locator("#places [role='grid']").first.locator("[tabindex='0']").count() == 1
    assert after('PageDown') not in ('', 'h6')
    assert after('PageUp') == 'a1'


def test_keys_tell_scores_news_and_the_turn(visit: Visit, address: str) -> None:
    page = begin(visit, address, 'octiles')
    first = wanted(page, 'octiles')
    choose(page, *first)
    choose(page, *wanted(page, 'octiles'))
    expect(page.locator('#speak')).to_contain_text('lays a tile')
    page.keyboard.press('s')
    assert spoken(page).startswith('Scores: ')
    assert spoken(page).count('0 of 5') == 2
    page.keyboard.press('t')
    assert 'bring your runners' in spoken(page)
    page.keyboard.press('c')
    assert first[0].split(':')[0] in spoken(page), 'where the other one has laid a tile'
    page.keyboard.press('n')
    assert page.evaluate("document.activeElement.classList.contains('own')")


def test_a_place_that_cannot_be_chosen_says_why(visit: Visit, address: str) -> None:
    page = begin(visit, address, 'octiles')
    page.keyboard.press('PageDown')  # the stack
    page.keyboard.press('Enter')
    expect(page.locator('#speak')).to_contain_text('choose a marked space')


def test_actions_are_played_by_their_names(visit: Visit, address: str) -> None:
    """What is not legal is refused in a sentence, with the legal names that are most like it."""
    page = begin(visit, address, 'octiles')
    name = wanted(page, 'octiles')[0]
    field = page.get_by_label('Play by name')
    field.fill('f9:1')
    field.press('Enter')
    expect(page.locator('#typed output')).to_contain_text('is no step of Octiles')
    space = name.split(':')[0]
    field.fill(f'{space}:9')
    field.press('Enter')
    expect(page.locator('#typed output')).to_contain_text('Nearest: ')
    expect(page.locator('#typed output')).to_contain_text(f'{space}:')
    expect(field).to_have_value(f'{space}:9')  # it can be mended
    before, held = state(page), list[Route]()
    page.route('**/act', lambda route: held.append(route))
    field.fill(name)
    with page.expect_request('**/act'):
        field.press('Enter')
    expect(field).to_have_value('')
    field.fill('next')  # before the answer
    held[0].continue_()
    changed(page, before)
    expect(page.locator('#typed output')).to_be_empty()
    expect(field).to_have_value('next')


@pytest.mark.wide
def test_a_game_is_played_by_ear(visit: Visit, address: str, opened: Opened) -> None:
    """Through a virtual screen reader: what it says is all that the player goes by."""
    if not READER.exists():
        pytest.skip('the virtual screen reader is not installed; npm ci installs it')
    page = begin(visit, address, 'myriath')
    page.route(
        '**/static/reader.js', lambda route: route.fulfill(path=READER, content_type='text/javascript')
    )
    page.evaluate(
        """async () => {
        const { virtual } = await import('/static/reader.js');
        window.reader = virtual;
        await virtual.start({ container: document.body });
        document.querySelector("#places [tabindex='0']").focus();
    }"""
    )

    def press(key: str) -> str:
        """Press a key; what is said then."""
        return str(
            page.evaluate(
                """async (key) => {
            const before = (await reader.spokenPhraseLog()).length;
            await reader.press(key);
            await new Promise((done) => setTimeout(done, 20)); // live regions speak a little later
            return (await reader.spokenPhraseLog()).slice(before).join(' / ');
        }""",
                key,
            )
        )

    whole = width(False, True)
    for _ in range(MOST if whole else 2):
        if over(page):
            break
        name, targets = wanted(page, 'myriath')
        before, heard = state(page), ''
        for k in range(len(targets)):
            awaited = f'plays {name}' if k == len(targets) - 1 else f'Tile {name.split()[0]}'
            for _ in range(MOST):
                heard = press('.')
                ways = re.search(r'(\d+) ways', heard) if k == len(targets) - 1 else None
                for _ in range(int(ways[1]) - 1 if ways else 0):
                    if awaited in heard:
                        break
                    heard = press('r')
                if awaited in heard:
                    break
            assert awaited in heard, f'{awaited} was not heard'
            press('Enter')
        changed(page, before)
        my_turn(page)
    assert over(page) == whole
    opened.complaints[:] = [one for one in opened.complaints if one != NODE_HAS_GONE]


@pytest.mark.wide
@pytest.mark.skipif(not AXE.exists(), reason='axe-core is not installed: npm ci')
@pytest.mark.parametrize('game', width(['mykerinos'], games_tested()))
def test_no_violation_in_the_list(visit: Visit, address: str, game: str) -> None:
    page = begin(visit, address, game, bypass_csp=True)
    assert violations(page) == {}


def test_what_is_typed_before_its_script_is_there_is_kept(visit: Visit, address: str) -> None:
    page = at_table(visit, address, 'octiles')
    page.route('**/places*.js', lambda route: None)
    page.keyboard.press('Tab')
    page.keyboard.press('Enter')
    page.locator('#typed input').fill('a1')
    page.keyboard.press('Enter')
    page.wait_for_timeout(300)
    assert '?' not in page.url
    expect(page.locator('#typed input')).to_have_value('a1')
