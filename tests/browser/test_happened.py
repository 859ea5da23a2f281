"""What has happened, on real pages: looking back, the log, the turns of the others, recaps, fights."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.games.mykerinos.components import N_SEASONS
from tests.browser.support import LIGHT, POST, RENAME, ready

Visit = Callable[..., Page]

NEW = """(form) => fetch('/tables', {method: 'POST', body: new URLSearchParams(form), headers: {Accept: 'application/json'}})
    .then((answer) => answer.json()).then(({url}) => url)"""  # noqa: E501
PLAY = """async ([path, seed, stop, kind]) => {
    let x = seed;
    const post = (body) => fetch(`/api${path}/act`, {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)}).then((a) => a.json());
    let view = await fetch(`/api${path}`).then((a) => a.json());
    while (!view.result && view.turns < stop && !view.last.some((event) => event.kind === kind)) {
        x = (x * 1103515245 + 12345) % 2147483648;
        view = await post({steps: view.legal[Math.floor(x / 2147483648 * view.legal.length)]});
    }
    return view;
}"""  # noqa: E501


def opened(page: Page, address: str, game: str, players: int = 2) -> str:
    """A new table for people at one screen, on show; the address below the server's."""
    url: str = page.evaluate(NEW, {'game': game, 'mode': 'here', f'players-{game}': str(players)})
    page.goto(address + url)
    ready(page)
    return url


def played(page: Page, url: str, until: int, seed: int = 5) -> dict[str, Any]:
    """Random turns, by the interface, until so many are over; the page has shown them."""
    view: dict[str, Any] = page.evaluate(PLAY, [url, seed, until, ''])
    page.wait_for_function('(turns) => document.body.dataset.turns === String(turns)', arg=view['turns'])
    return view


LONG_TURN = """() => {
    const felt = document.getElementById('felt'), high = felt.offsetHeight;
    const turn = document.querySelector('.past-turn');
    const said = turn.textContent;
    turn.textContent = 'Ada terraformed the plains, reserved the mountains and added water. '.repeat(4);
    const moved = high - felt.offsetHeight;
    turn.textContent = said;
    return moved;
}"""
LONG_LINE = """() => {
    const said = document.querySelector('#happened .said'), turn = said.querySelector('span'), text = turn.textContent;
    turn.textContent = text.repeat(8);
    const [box, room] = [said, said.parentElement].map((one) => one.getBoundingClientRect());
    const line = document.getElementById('happened').getBoundingClientRect();
    turn.textContent = text;
    return box.height > 24 && box.top >= room.top && box.bottom <= room.bottom && room.top >= line.top - 1 && room.bottom <= line.bottom + 1;
}"""  # noqa: E501
SCORES = "[...document.querySelectorAll('#players .score b')].map((b) => b.textContent).join()"


def scores(page: Page) -> list[str]:
    return page.locator('#players .score b').all_inner_texts()


def test_the_log_is_one_tab_stop_and_what_is_looked_at_shows_everything_of_then(
    visit: Visit, address: str
) -> None:
    page = visit(address + LIGHT)
    url = opened(page, address, 'myriath')
    begun = scores(page)
    played(page, url, 8)
    # the newest is in sight, also where the log had no room when it came
    page.set_viewport_size({'width': 390, 'height': 844})
    played(page, url, 14)
    now = scores(page)
    assert now != begun
    page.set_viewport_size({'width': 1440, 'height': 900})
    page.wait_for_function(NEWEST)
    assert page.locator('#moves [tabindex="0"]').count() == 1
    assert page.locator('#moves button:not([tabindex="-1"])').count() == 1
    page.locator('.log [tabindex="0"]').focus()
    page.keyboard.press('ArrowUp')
    expect(page.locator("[data-at='13']")).to_be_focused()
    page.keyboard.press('Home')
    expect(page.locator("[data-at='0']")).to_be_focused()
    expect(page.locator('#past')).to_be_hidden()
    page.keyboard.press('Enter')
    expect(page.locator('#past')).to_be_visible()
    page.wait_for_function(f'() => {SCORES} === {list(begun)!r}.join()')
    assert page.evaluate(LONG_TURN) == 0, 'the board lies still, however long a turn was'
    expect(page.locator("[data-at='0']")).to_be_focused()
    page.keyboard.press('End')
    expect(page.locator("[data-at='14']")).to_be_focused()
    page.keyboard.press('Enter')
    expect(page.locator('#past')).to_be_hidden()
    page.wait_for_function(f'() => {SCORES} === {list(now)!r}.join()')


def test_what_an_opponent_did_is_played_again_by_a_click(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, motion=True)
    url = opened(page, address, 'octiles')
    played(page, url, 4)
    said = page.locator("#happened [data-act='replay']")
    expect(said).to_have_count(1)
    expect(said).to_contain_text('laid a tile')
    for wide, high in ((390, 844), (1024, 768), (1440, 900)):
        page.set_viewport_size({'width': wide, 'height': high})
        assert page.evaluate(LONG_LINE), f'a long turn is cut at {wide}'
    page.evaluate(
        """() => {
        window.moved = [];
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...a) {
            window.moved.push(this.id);
            return animate.apply(this, a);
        };
    }"""
    )
    said.click()
    expect(page.locator('#past')).to_be_visible()
    expect(page.locator('#past')).to_be_hidden(timeout=6000)
    assert any(element.startswith('runner-') for element in page.evaluate('window.moved'))


@pytest.mark.wide
def test_a_recap_counts_up_and_can_be_skipped(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, motion=True)
    url: str = page.evaluate(NEW, {'game': 'mykerinos', 'mode': 'here', 'players-mykerinos': '2'})
    turns = page.evaluate(PLAY, [url, 5, 999, 'survey'])['turns']
    page.goto(address + url)
    ready(page)
    recap, kinds = page.locator('#recap'), list[str]()
    expect(recap).to_be_hidden()
    while 'season' not in kinds:
        turns += 1
        kinds = [event['kind'] for event in played(page, url, turns, seed=turns)['last']]
    expect(recap).to_be_visible(timeout=20_000)
    expect(recap).to_contain_text('season 2 begins')
    assert recap.locator('li.later').count()
    page.keyboard.press('Escape')
    expect(recap).to_be_hidden()
    after = scores(page)
    # it is in the past, too; without motion all of it is there at once
    page.emulate_media(reduced_motion='reduce')
    page.keyboard.press('ArrowLeft')
    expect(page.locator('#past')).to_be_visible()
    page.keyboard.press('ArrowRight')
    expect(recap).to_be_visible()
    assert not recap.locator('li.later').count()
    for wide, high in ((390, 844), (667, 375), (1024, 768)):
        page.set_viewport_size({'width': wide, 'height': high})  # whatever it tells, the button is in reach
        assert page.evaluate(IN_REACH, '#recap .btn'), wide
    recap.locator('.btn').click()
    expect(recap).to_be_hidden()
    # on a phone, where it lies over the page, a touch of anything else closes it
    page.keyboard.press('ArrowLeft')
    page.keyboard.press('ArrowRight')
    expect(recap).to_be_visible()
    page.set_viewport_size({'width': 390, 'height': 844})
    expect(recap).to_be_visible()
    page.locator('#heading').click()
    expect(recap).to_be_hidden()
    page.keyboard.press('Escape')
    assert scores(page) == after


def test_who_has_won_is_said_before_the_sums_of_the_end_are_told(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, motion=True)
    url: str = page.evaluate(NEW, {'game': 'mykerinos', 'mode': 'here', 'players-mykerinos': '2'})
    view = page.evaluate(PLAY, [url, 5, 1, ''])
    while view['position']['season'] < N_SEASONS or 'survey' not in view['position']:
        view = page.evaluate(PLAY, [url, 5, view['turns'] + 1, ''])
    page.goto(address + url)
    ready(page)
    assert page.evaluate(PLAY, [url, 5, 9999, ''])['result']
    expect(page.locator('#recap')).to_be_visible(timeout=40_000)
    expect(page.locator('#prompt')).to_contain_text(re.compile('wins|have won|share'))
    expect(page.locator('#result h2')).to_be_visible()


NEWEST = """() => {
    const log = document.querySelector('.log');
    return log.clientHeight > 40 && log.scrollTop + log.clientHeight > log.scrollHeight - 4;
}"""
IN_REACH = """(selector) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.bottom - 3);
    return box.top >= 0 && box.height >= 24 && Boolean(hit?.closest(selector));
}"""
ENDS = """() => {
    window.order = [];
    new MutationObserver(() => {
        const seen = [document.querySelector('.fight') ? 'fight' : '', document.querySelector('.result') ? 'result' : ''].join(' ');
        if (seen !== window.order.at(-1)) window.order.push(seen);
        for (const one of document.querySelectorAll('.fight, .fight *'))
            window.most = Math.max(window.most ?? 0, one.getAnimations().length);
    }).observe(document.body, {childList: true, subtree: true, attributes: true});
}"""  # noqa: E501


@pytest.mark.wide
def test_the_sums_of_the_end_are_in_sight(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, 1024, 768)
    assert page.evaluate(RENAME, 'Bartholomew Featherstone')
    for game in ('myriath', 'mykerinos'):
        url: str = page.evaluate(NEW, {'game': game, 'mode': 'here', f'players-{game}': '2'})
        turns = page.evaluate(PLAY, [url, 5, 9999, ''])['turns']
        page.goto(address + url)
        ready(page)
        assert page.evaluate("document.querySelector('#cards > .cards').clientHeight") > 150
        for button in page.locator('#result .dialog-acts .btn').all():
            assert (button.bounding_box() or {'height': 99.0})['height'] < 50, 'one line of words'
        page.keyboard.press('ArrowLeft')
        expect(page.locator('#past')).to_be_visible()
        page.keyboard.press('ArrowRight')
        page.wait_for_function('(turns) => document.body.dataset.turns === String(turns)', arg=turns)
        if game == 'mykerinos':
            expect(page.locator('#recap')).to_be_visible()
        assert page.evaluate(IN_REACH, '#result .dialog-acts > :last-child .btn'), 'no recap covers it'


@pytest.mark.wide
def test_the_deciding_fight_is_seen_before_the_result_which_does_not_cover_the_board(
    visit: Visit, address: str
) -> None:
    page = visit(address + LIGHT, motion=True)
    rng = random.Random(3)
    while True:
        url: str = page.evaluate(NEW, {'game': 'myrmidons', 'mode': 'here', 'players-myrmidons': '2'})
        for seat in range(2):
            last = page.evaluate(POST, [f'/api{url}/shuffle', {'seat': seat}])['last']
            view = page.evaluate(POST, [f'/api{url}/act', {'seat': seat, 'steps': last}])
        before = view
        while not view['result']:
            before = view
            view = page.evaluate(POST, [f'/api{url}/act', {'steps': rng.choice(view['legal'])}])
        if any('attacker_face' in event['values'] for event in view['last']) and view['result']['by'] < 0:
            break
    assert before['turns'] == view['turns'] - 1
    page.goto(address + url)
    ready(page)
    card, felt = page.locator('.table-card.result').bounding_box(), page.locator('#felt').bounding_box()
    assert card
    assert felt
    assert card['x'] >= felt['x'] + felt['width'] or card['y'] >= felt['y'] + felt['height']
    page.evaluate(ENDS)
    page.keyboard.press('ArrowLeft')
    expect(page.locator('#past')).to_be_visible()
    page.keyboard.press('ArrowRight')
    page.wait_for_selector('.fight')
    page.wait_for_selector('.fight', state='detached')
    assert page.evaluate('window.most') == 1, 'two animations of one element leave it blank'
