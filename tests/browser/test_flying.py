"""What goes from one place to another flies there: tiles from the region to panels, cubes from panels to the
museum."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.match import Setup
from tests.browser.support import LIGHT, actions, ask, changed, new_table, point, ready, state

Visit = Callable[..., Page]
NEAR = 4  # pixels
HOLD = """() => {
    window.flights = [];
    window.others = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
        const found = animate.apply(this, given);
        if (!this.closest('#flights') && !/^(medal|exhibit)/.test(this.id)) return found;
        found.pause();
        (this.matches('.flight') ? window.flights : window.others).push(found);
        return found;
    };
}"""
AT = """(part) => {
    for (const one of [...window.flights, ...window.others]) {
        one.currentTime = part * (one.effect.getComputedTiming().endTime - 0.01);
    }
}"""
THERE = """([goal, near]) => window.flights.every((one) => {
    const [a, b] = [one.effect.target, document.getElementById(goal)].map((element) => element.getBoundingClientRect());
    return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2) < near;
})"""  # noqa: E501
AT_SCORE = """([box, near]) => window.flights.every((one) => {
    const a = one.effect.target.getBoundingClientRect();
    const [dx, dy] = [Math.max(box.x - a.x - a.width / 2, 0, a.x + a.width / 2 - box.x - box.width), a.y + a.height / 2 - box.y - box.height / 2];
    return Math.hypot(dx, dy) < near;
})"""  # noqa: E501
GO = """() => {
    for (const one of [...window.flights, ...window.others]) one.play();
    window.flights = [];
    window.others = [];
}"""


@pytest.fixture
def same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every new table is dealt alike: the server runs in this process."""
    new = Setup.new.__func__  # type: ignore[attr-defined]

    def dealt(
        cls: type[Setup],
        game: str,
        players: int | None = None,
        options: Any = None,
        seats: Any = (),
        seed: Any = None,
        colours: Any = (),
    ) -> Setup:
        made: Setup = new(cls, game, players, options, seats, 7, colours)
        return made

    monkeypatch.setattr(Setup, 'new', classmethod(dealt))


def table(visit: Visit, address: str, players: int, motion: bool = True, **more: Any) -> Page:
    """A new table round one screen."""
    page = visit(address + LIGHT, motion=motion, **more)
    new_table(page, address, 'mykerinos', players=players)
    return page


OPENED = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.pl .more { display: flex !important; }');
    document.adoptedStyleSheets = [sheet];
}"""
"""Shows what all players have, whoever is to move."""


def play_on(page: Page, wanted: str) -> None:
    """Quickly on until a step is legal: each digs once a season, and takes what there is."""
    dug = 0
    page.emulate_media(reduced_motion='reduce')
    for _ in range(150):
        names = [choice[0] for choice in actions(page)]
        if wanted in names:
            page.emulate_media(reduced_motion='no-preference')
            return
        words = ('take', 'neutral take', 'pass' if dug >= 2 else 'start', 'nothing', 'pass')
        step = next(name for word in words for name in names if name.startswith(word))
        dug = dug + 1 if step.startswith('start') else 0 if step.startswith('take') else dug
        before = state(page)
        ask(page, 'act', steps=step)
        changed(page, before)
    raise AssertionError(f'{wanted} was never legal')


def to_survey(page: Page) -> None:
    """Everybody digs once, and passes."""
    for k in range(6):
        names = [choice[0] for choice in actions(page)]
        before = state(page)
        ask(page, 'act', steps='pass' if k >= 3 else names[0])
        changed(page, before)


def middle(page: Page, name: str) -> tuple[float, float]:
    """The middle of an element in the window."""
    box = page.locator(f"[id='{name}']").bounding_box()
    assert box
    return box['x'] + box['width'] / 2, box['y'] + box['height'] / 2


def in_the_air(page: Page) -> tuple[float, float]:
    """Wait until something flies: where it begins."""
    page.wait_for_function('() => window.flights.length')
    page.evaluate(AT, 0)
    box = page.locator('.flight').first.bounding_box()
    assert box
    return box['x'] + box['width'] / 2, box['y'] + box['height'] / 2


def lands(page: Page, goal: str) -> None:
    """It comes to lie on its goal, which is hidden so long; then nothing of it is left."""
    page.evaluate(AT, 0.5)
    assert not page.evaluate(THERE, [goal, NEAR])
    assert opacity(page, goal) == '0'
    page.evaluate(AT, 1)
    page.wait_for_function(THERE, arg=[goal, NEAR])
    page.evaluate(GO)
    page.wait_for_function("() => !document.getElementById('flights')")
    assert opacity(page, goal) == '1'


def opacity(page: Page, name: str) -> str:
    return str(page.evaluate('(id) => getComputedStyle(document.getElementById(id)).opacity', name))


def take(page: Page) -> tuple[str, str, tuple[float, float]]:
    """Click on a tile: its name, the start of its medals' ids in the panel of whoever takes it, where it
    lay."""
    _, (target,), _ = next(choice for choice in actions(page) if choice[0] == 'take 1')
    tile = target.removeprefix('el:tile-')
    lay = middle(page, f'face-{tile}')
    seat = state(page)['seat']
    page.mouse.click(*point(page, target))
    return tile, f'medal-{seat}-{tile.partition("-")[0]}-0', lay


def seat_of(medal: str) -> int:
    """The seat in whose panel a medal is."""
    return int(medal.split('-')[1])


@pytest.mark.usefixtures('same_deal')
@pytest.mark.parametrize(('width', 'height'), [pytest.param(1440, 900, marks=pytest.mark.wide), (390, 844)])
def test_a_taken_tile_flies_to_the_panel_of_its_owner(
    visit: Visit, address: str, width: int, height: int
) -> None:
    page = table(visit, address, 3, width=width, height=height)
    page.evaluate(OPENED)
    to_survey(page)
    page.evaluate(HOLD)
    tile, medal, lay = take(page)
    assert math.dist(in_the_air(page), lay) < NEAR
    if width > 760:
        lands(page, medal)
    else:  # the panel lies below the window: it flies to the player's score above the board
        page.evaluate(AT, 1)
        page.wait_for_function(
            AT_SCORE, arg=[page.locator('.standings li').nth(seat_of(medal)).bounding_box(), NEAR]
        )
        page.evaluate(GO)

    # looking back, step by step, it is seen once more; whatever is looked at meanwhile ends it
    page.keyboard.press('ArrowLeft')
    expect(page.locator(f"[id='face-{tile}']")).to_have_count(1)
    lay = middle(page, f'face-{tile}')
    page.keyboard.press('ArrowRight')
    assert math.dist(in_the_air(page), lay) < NEAR
    page.keyboard.press('End')
    page.wait_for_function("() => !document.getElementById('flights')")


@pytest.mark.usefixtures('same_deal')
def test_without_motion_nothing_flies(visit: Visit, address: str) -> None:
    page = table(visit, address, 3, motion=False)
    to_survey(page)
    page.evaluate(HOLD)
    before = state(page)
    _, medal, _ = take(page)
    changed(page, before)
    assert opacity(page, medal) == '1'
    page.wait_for_timeout(100)
    assert page.evaluate('window.flights.length + window.others.length') == 0
    expect(page.locator('#flights')).to_have_count(0)


@pytest.mark.usefixtures('same_deal')
def test_what_another_has_paid_leaves_that_player_while_the_next_ones_cubes_are_beside_the_board(
    visit: Visit, address: str
) -> None:
    host = visit(address + LIGHT)
    new_table(host, address, 'myraclia', 'link', players=2)
    guest = visit(host.input_value('.invites input'), motion=True)
    guest.click('.invitation button')
    for page in (host, guest):
        page.wait_for_selector('#drawing svg')
        ready(page)
    words = ('draft', 'terraform', 'pay', 'use', 'end turn', 'place')
    held = False
    while not held:
        mover = host if state(host)['mine'] else guest
        names = [choice[0] for choice in actions(mover)]
        if held := mover is host and not names[0].startswith('draft'):
            guest.evaluate(HOLD)
        turns = state(mover)['turns']
        while state(mover)['turns'] == turns:
            names = [choice[0] for choice in actions(mover)]
            before = state(mover)
            ask(mover, 'act', steps=next(name for word in words for name in names if name.startswith(word)))
            changed(mover, before)
        for page in (host, guest):
            page.wait_for_function('(turns) => Number(document.body.dataset.turns) > turns', arg=turns)
    flies = in_the_air(guest)
    sign = guest.locator('#players .pl:not(.own) .sign > g').bounding_box()
    assert sign
    assert math.dist(flies, (sign['x'] + sign['width'] / 2, sign['y'] + sign['height'] / 2)) < NEAR
    assert guest.evaluate('getComputedStyle(window.flights[0].effect.target).opacity') == '0'


@pytest.mark.wide
@pytest.mark.usefixtures('same_deal')
def test_a_step_flies_when_it_is_made_and_not_again_when_the_turn_ends(visit: Visit, address: str) -> None:
    page = table(visit, address, 2)
    play_on(page, 'brown')
    page.evaluate(HOLD)
    before = state(page)
    page.click("[id='patron-brown']")
    changed(page, before)
    stock = middle(page, f'stock-{before["seat"]}')
    name, (target,), _ = next(choice for choice in actions(page) if choice[0][0].isdigit())
    before = state(page)
    page.click(f"[id='{target.removeprefix('el:')}']")
    assert math.dist(in_the_air(page), stock) < NEAR
    assert state(page)['turns'] == before['turns'], 'a neutral move may follow'
    lands(page, f'exhibit-{name}')
    before = state(page)
    page.click("#acts [data-target='do:nothing']")
    changed(page, before)
    page.wait_for_timeout(100)
    assert page.evaluate('window.flights.length') == 0
