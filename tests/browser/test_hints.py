"""What a click would do is what is shown, also after a hint."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import hypot
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.game import games
from tests.browser.support import LIGHT, POST, changed, drawn, finger, new_table, point, state, told
from tests.browser.test_laying import place
from tests.width import width

Visit = Callable[..., Page]
PEOPLE = [name for name in games() if name != 'toy']
STEPS = {'octiles': (0, 3), 'myrmidons': (0, 2), 'myriath': (3, 6), 'mykerinos': (0, 5), 'myraclia': (2, 9)}


def opened(visit: Visit, address: str, game: str, steps: int, seed: int, **more: Any) -> Page:
    """A table against a slow-witted bot after some steps."""
    page = visit(address + LIGHT, **more)
    new_table(page, address, game, 'bot', level='beginner')
    rng, path = random.Random(seed), f'/api{page.evaluate("location.pathname")}'
    for _ in range(60):
        page.wait_for_function(
            "() => document.body.dataset.mine === 'true' || document.querySelector('.table-card.result') !== null"  # noqa: E501
        )
        view = told(page)
        if view['result']:  # the bot was not slow-witted enough
            return opened(visit, address, game, steps, seed + 100, **more)
        if view['arranging']:
            names = page.evaluate(POST, [f'{path}/shuffle', {}])['last']
        elif steps <= 0 and not view['draft']:
            break
        else:
            names, steps = rng.choice(view['legal']), steps - 1
        before = state(page)
        page.evaluate(POST, [f'{path}/act', {'steps': names}])
        changed(page, before)
    return page


def press(page: Page) -> dict[str, Any]:
    """Ask for the next stage of a hint and wait until it is told; what is told."""
    with page.expect_response(lambda answer: answer.url.endswith('/hint'), timeout=60_000) as answer:
        page.keyboard.press('h')
    told: dict[str, Any] = answer.value.json()
    expect(page.locator('#bubble')).to_contain_text(told['sentence'])
    return told


def hint(page: Page) -> list[dict[str, Any]]:
    """Ask for a hint until its turn is on show; its steps."""
    told = press(page)
    while 'steps' not in told:
        told = press(page)
    steps: list[dict[str, Any]] = told['steps']
    return steps


def at(page: Page, target: str) -> tuple[float, float]:
    return place(page, target) if target.startswith('at:') else point(page, target)


def done(page: Page, name: str) -> None:
    """Wait until a step stands in the draft or in the log of turns."""
    page.wait_for_function(
        """async ([path, name]) => {
        const view = await (await fetch(path)).json();
        if (view.draft.includes(name)) return true;
        const log = await (await fetch(`${path}/log`)).json();
        return log.slice(-4).some((row) => row.name.includes(name));
    }""",
        arg=[f'/api{page.evaluate("location.pathname")}', name],
        polling=150,
    )


def shown(page: Page) -> list[str]:
    """Where the ghosts on show lie, and how they are turned."""
    every = '(all) => all.map((one) => one.getAttribute("transform"))'
    found: list[str] = page.eval_on_selector_all('#overlay .ghost-symbol', every)
    return found


def showing(page: Page, good: Callable[[str], bool]) -> str:
    """Wait until one ghost is on show and lies where it should; where that is."""
    for _ in range(100):
        drawn(page)
        found = shown(page)
        if len(found) == 1 and good(found[0]):
            return found[0]
        page.wait_for_timeout(50)
    raise AssertionError(f'on show is {shown(page)}')


WAYS = ('mouse', 'keys', 'touch')


@pytest.mark.parametrize(
    ('game', 'how'),
    [(game, how) for k, game in enumerate(PEOPLE) for j, how in enumerate(WAYS) if width(j == k, True)],
)
def test_a_hint_is_played_as_it_is_shown(visit: Visit, address: str, game: str, how: str) -> None:
    for seed, steps in list(enumerate(STEPS[game]))[-width(1, 2) :]:
        size = {'width': 390, 'height': 844, 'touch': True} if how == 'touch' else {}
        page = opened(visit, address, game, steps, seed, **size)
        before = state(page)
        first = hint(page)[0]
        ghosts = [
            ghost[1]
            for ghost in first['ghosts']
            if ghost and len(ghost) > 1 and not (len(ghost) > 2 and ghost[2])
        ]
        assert set(ghosts) <= set(shown(page))
        if how == 'keys':
            page.keyboard.press('Enter')
        elif any(target.startswith('do:') for target in first['targets']):
            page.locator(f"#acts [data-target='{first['targets'][0]}']").click()
        else:
            for target in (
                first['targets'] if not first['targets'][-1].startswith('at:') else first['targets'][-1:]
            ):
                page.locator('#drawing').scroll_into_view_if_needed()
                if how == 'touch' and not target.startswith('at:'):
                    finger(page, target)
                else:
                    (page.touchscreen.tap if how == 'touch' else page.mouse.click)(*at(page, target))
        if how == 'touch':
            page.wait_for_timeout(250)
            confirm = page.locator("#acts :is([data-act='confirm'], [data-act='follow'])").filter(
                visible=True
            )
            if state(page) == before and confirm.count():
                confirm.tap()
        done(page, first['name'])


def test_a_click_elsewhere_lays_what_is_shown_there(visit: Visit, address: str) -> None:
    """With the pointer elsewhere the ghost under it takes the place of the hinted one; one that rests shows
    before it lays."""
    for seed in range(1, 100, 7):
        page = opened(visit, address, 'myriath', 3, seed)
        hinted = hint(page)[0]
        (hinted_at,) = [ghost[1] for ghost in hinted['ghosts'] if ghost]
        showing(page, hinted_at.__eq__)
        table = page.evaluate('fetch(`${location.pathname}/view`).then((a) => a.json())')['choices']
        tile, *_, hinted_point = hinted['targets']
        others = [
            table['targets'][pairs[2]]
            for _, *pairs in table['levels'][-1]['actions']
            if table['targets'][pairs[0]] == tile
        ]
        x, y = place(page, hinted_point)
        away, far = max((hypot(at[0] - x, at[1] - y), at) for at in (place(page, one) for one in others))
        ghost = page.locator('#overlay .ghost-symbol').bounding_box()
        assert ghost
        if away > 1.5 * max(ghost['width'], ghost['height']):
            break  # else the tile fits only so near that the pointer there lies on the hinted ghost
    page.mouse.move(*far)
    there = showing(page, lambda there: there != hinted_at)
    name = page.locator('#held').inner_text().partition(':')[0]
    page.mouse.move(5, 5)  # away: the hint is back
    showing(page, lambda there: there == hinted_at)
    page.mouse.move(*far)
    showing(page, lambda again: again == there)
    before = state(page)
    page.keyboard.press('Escape')
    hint(page)
    page.mouse.move(*far)  # what a browser repeats when the page was laid out anew
    drawn(page)
    assert shown(page) == [hinted_at]
    page.mouse.down()
    page.mouse.up()  # the pointer has not moved: this shows
    showing(page, lambda again: again == there)
    drawn(page)
    assert state(page) == before
    page.mouse.down()
    page.mouse.up()  # and this lays it
    done(page, name)


@pytest.mark.wide
def test_a_hinted_tile_is_turned_and_then_laid_as_it_is_turned(visit: Visit, address: str) -> None:
    page = opened(visit, address, 'octiles', 2, 5)
    table = page.evaluate('fetch(`${location.pathname}/view`).then((a) => a.json())')['choices']
    first = hint(page)[0]
    alike = [
        name
        for name, *pairs in table['levels'][-1]['actions']
        if table['targets'][pairs[0]] == first['targets'][0]
    ]
    page.keyboard.press('r')
    turned = shown(page)
    assert (turned == [first['ghosts'][0][1]]) == (len(alike) == 1)
    page.keyboard.press('Enter')
    done(page, alike[(alike.index(first['name']) + 1) % len(alike)])


@pytest.mark.parametrize('wide', [390, 1440])
def test_one_click_turns_the_coach_off_and_the_settings_turn_it_on(
    visit: Visit, address: str, wide: int
) -> None:
    """Nothing moves by it, and it stays so."""
    page = visit(address + LIGHT, wide, 844)
    new_table(page, address, 'mykerinos')
    coach, board = page.locator('#prompt .coach'), page.locator('.stage')
    where, off = board.bounding_box(), coach.locator('button')
    box = off.bounding_box()
    assert box
    middle = box['x'] + box['width'] / 2, box['y'] + box['height'] / 2
    for y in (-31, 11):  # as high as a finger is wide
        assert page.evaluate(
            '([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest("[data-act=coach]"))',
            [middle[0], middle[1] + y],
        )
    off.click()
    expect(coach).to_have_count(0)
    assert board.bounding_box() == where
    page.reload()
    expect(page.locator('#prompt .how')).to_be_visible()
    expect(coach).to_have_count(0)
    never = page.locator("#settings-form [name='coach'][value='never']")
    expect(never).to_be_checked()
    page.evaluate("document.querySelector('#settings-form [name=coach][value=always]').click()")
    expect(coach).to_be_visible()
