"""What happened since somebody last looked at a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import LIGHT, ask, at_table, my_turn, new_table, on_card, play, ready, state

Visit = Callable[..., Page]
PLAY = """async ([path, turns]) => {
    const post = (what, body) => fetch(`/api${path}/${what}`, {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)}).then((a) => a.json());
    for (let k = 0; k < turns; k++) await post('act', {steps: (await post('hint', {})).turn});
}"""  # noqa: E501
OPEN = """async (body) => (await fetch('/api/tables', {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})).json()"""
WATCH = """() => {
    window.shown = [];
    window.moved = [];
    new MutationObserver(() => window.shown.push(document.querySelector('#moves output').textContent))
        .observe(document.querySelector('#moves output'), {childList: true, characterData: true, subtree: true});
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...a) { window.moved.push(this.id); return animate.apply(this, a); };
}"""  # noqa: E501


def away(page: Page, address: str, turns: int) -> None:
    """Go to the lobby; some turns are played meanwhile; come back."""
    table = page.url
    page.goto(address)
    page.evaluate(PLAY, [table.removeprefix(address), turns])
    page.goto(table)
    ready(page)


def test_turns_since_i_last_looked_are_offered_and_played(visit: Visit, address: str) -> None:
    page = at_table(visit, address, motion=True)
    offer, banner = page.locator('#since'), page.locator('#past')
    expect(offer).to_be_hidden()
    away(page, address, 4)
    expect(offer).to_have_text('4 turns since you last looked')
    page.reload()
    ready(page)
    expect(offer).to_be_visible()
    page.evaluate(WATCH)
    page.click("[data-act='since']")
    expect(banner).to_be_visible()
    expect(offer).to_be_hidden()
    page.wait_for_function("() => document.getElementById('past').hidden && window.shown.includes('4 / 4')")
    shown = page.evaluate('window.shown')
    assert list(dict.fromkeys(shown)) == [f'{k} / 4' for k in range(5)]
    assert sum(element.startswith('runner-') for element in page.evaluate('window.moved')) >= 3
    assert state(page)['mine']
    page.reload()
    ready(page)
    expect(offer).to_be_hidden()


def test_what_one_of_my_seats_has_seen_the_other_has_seen_too(visit: Visit, address: str) -> None:
    """Without secrets; a bot plays between them."""
    page = visit(address + LIGHT)
    seats = [{'who': 'me'}, {'who': 'here', 'name': 'Eve'}, {'who': 'bot', 'level': 'beginner'}]
    made = page.evaluate(OPEN, {'game': 'mykerinos', 'mode': 'here', 'seats': seats})
    page.goto(address + made['url'])
    ready(page)
    for _ in range(6):
        my_turn(page)
        expect(page.locator('#since')).to_be_hidden()
        play(page, ask(page, 'hint')['steps'])
    my_turn(page)
    expect(page.locator('#since')).to_be_hidden()


def test_who_moves_at_one_screen_has_seen_the_own_turn_when_the_curtain_falls(
    visit: Visit, address: str
) -> None:
    """One turn of the other is not worth an offer, however often the screen goes round."""
    page = visit(address + LIGHT)
    new_table(page, address, 'myrmidons')
    for turn in range(5):
        page.locator('#curtain button').click()
        my_turn(page)
        expect(page.locator('#since')).to_be_hidden()
        seat = state(page)['seat']
        if turn < 2:
            page.locator("[data-act='shuffle']").click()
            page.locator("#acts [data-act='confirm']:enabled").click()
        else:
            play(page, ask(page, 'hint', seat=seat)['steps'])
        if page.locator("[data-act='handover']").is_visible():
            page.locator("[data-act='handover']").click()
        expect(page.locator('#curtain')).to_be_visible()


@pytest.mark.wide
def test_the_offer_can_be_skipped_and_is_gone_for_whoever_plays_on(visit: Visit, address: str) -> None:
    page = at_table(visit, address, motion=True)
    offer, banner = page.locator('#since'), page.locator('#past')
    away(page, address, 2)
    expect(offer).to_have_text('2 turns since you last looked')
    page.click("[data-act='since']")
    expect(banner).to_be_visible()
    page.keyboard.press('Escape')
    expect(banner).to_be_hidden()
    page.wait_for_timeout(900)
    expect(banner).to_be_hidden()
    expect(offer).to_be_hidden()
    away(page, address, 2)
    expect(offer).to_be_visible()
    play(page, ask(page, 'hint')['steps'])
    expect(offer).to_be_hidden()


@pytest.mark.wide
def test_one_turn_more_is_not_worth_an_offer(visit: Visit, address: str) -> None:
    page = visit(address)
    on_card(page, 'Play a bot').click()
    ready(page)
    away(page, address, 0)
    expect(page.locator('#since')).to_be_hidden()
