"""Whole turns and whole games with what a person has: fingers, a mouse, and the setting when turns are
confirmed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.support import LIGHT, finger, my_turn, new_table, over, point, state
from tests.browser.test_laying import place
from tests.width import width

Visit = Callable[..., Page]
PHONE: dict[str, Any] = {'width': 390, 'height': 844, 'touch': True}
MOST_STEPS = 600
NOT_YET_TOLD = """() => {
    const { turns, seat } = document.body.dataset;
    const key = `ludoteca.seen.${location.pathname.split('/').at(-1)}`;
    for (const one of [key, `${key}.${seat}`]) localStorage.setItem(one, turns - 1);
    document.querySelector(`.log [data-at='${turns}']`)?.remove();
    document.dispatchEvent(new Event('visibilitychange'));
}"""
CONFIRM_AFTER = 6  # looks at the page: what needs no confirming is done by then


def choices(page: Page) -> list[tuple[str, list[str], bool]]:
    """The actions of the open step: name, targets, whether it ends the turn."""
    table = page.evaluate('fetch(`${location.pathname}/view`).then((a) => a.json())')['choices']
    level = table['levels'][-1]
    return [
        (name, [table['targets'][at] for at in pairs[::2]], k in level['commits'])
        for k, (name, *pairs) in enumerate(level['actions'])
    ]


def tap(page: Page, target: str, touch: bool, pressed: set[str]) -> None:
    """Press a thing that can be chosen: a button of the prompt, a thing of the drawing or beside it, a point
    of the board."""
    if target.startswith('do:'):
        button = page.locator(f"#acts [data-target='{target}']")
        pressed.add(target)
        button.tap() if touch else button.click()
        return
    if target.startswith('at:'):
        page.locator('#drawing').scroll_into_view_if_needed()
        where = place(page, target)
    else:
        # the line of drawers covers the window's end
        page.evaluate(
            "(id) => document.getElementById(id).scrollIntoView({block: 'center'})",
            target.removeprefix('el:'),
        )
        if touch:
            finger(page, target)
            return
        where = point(page, target)
    (page.touchscreen.tap if touch else page.mouse.click)(*where)


def choose(page: Page, targets: list[str], touch: bool, pressed: set[str]) -> None:
    """Press what an action needs, and confirm it if that is asked for."""
    before = state(page)
    for target in targets:
        tap(page, target, touch, pressed)
        page.wait_for_timeout(40)
        if state(page) != before:
            return
    confirm = page.locator("#acts [data-act='confirm']:enabled")
    for k in range(100):
        if state(page) != before:
            return
        if k >= CONFIRM_AFTER and confirm.count():
            try:
                confirm.tap(timeout=500) if touch else confirm.click(timeout=500)
                pressed.add('confirm')
            except TimeoutError:
                continue  # it was done meanwhile
        page.wait_for_timeout(50)
    raise AssertionError(f'{targets}: nothing happens; {page.locator("#bubble").inner_text()}')


def sealed(page: Page, touch: bool) -> None:
    """Arrange by lot and seal."""
    for act in ('shuffle', 'confirm'):
        button = page.locator(f"#acts [data-act='{act}']:enabled")
        button.tap() if touch else button.click()
    page.wait_for_function('() => Number(document.body.dataset.turns) >= 2')


@pytest.mark.parametrize(
    ('confirm', 'touch'),
    [
        (confirm, touch)
        for k, confirm in enumerate(['auto', 'on', 'off'])
        for touch in (False, True)
        if width(touch == (k != 1), True)
    ],
)
def test_an_order_can_be_given(visit: Visit, address: str, touch: bool, confirm: str) -> None:
    page = visit(address + LIGHT, **(PHONE if touch else {}))
    page.evaluate(
        """(confirm) => fetch('/api/me', {
            method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({settings: {confirm}})})""",  # noqa: E501
        confirm,
    )
    ordered = False
    pressed: set[str] = set()
    while not ordered:  # hangs on where the Commander was put by lot
        new_table(page, address, 'myrmidons', 'bot', level='beginner')
        assert (
            page.evaluate("JSON.parse(document.getElementById('data').textContent).settings.confirm")
            == confirm
        )
        sealed(page, touch)
        my_turn(page)
        order = page.locator("#acts [data-target='do:order']")
        if not order.count():
            continue
        order.tap() if touch else order.click()
        go = page.locator("#acts [data-target='do:go']")
        for _ in range(4):
            page.wait_for_timeout(150)
            if go.count():
                break
            friends = [targets for _, targets, commits in choices(page) if not commits and len(targets) == 2]
            choose(page, friends[0], touch, pressed)
        before = state(page)
        expect(go).to_have_text('Give the order⏎')
        go.tap() if touch else go.click()
        page.wait_for_function(
            '(turns) => Number(document.body.dataset.turns) > turns', arg=before['turns'], timeout=5000
        )
        ordered = True
    # and a move after it
    my_turn(page)
    if not over(page):
        moves = [targets for _, targets, commits in choices(page) if commits and len(targets) == 2]
        before = state(page)
        pressed.clear()
        choose(page, moves[0], touch, pressed)
        assert ('confirm' in pressed) == (confirm == 'on' or (confirm == 'auto' and touch))
        page.wait_for_function(
            '(turns) => Number(document.body.dataset.turns) > turns', arg=before['turns'], timeout=5000
        )
        # one turn is nothing that was missed, also while a fight is on show and the log does not tell it yet
        page.evaluate(NOT_YET_TOLD)
        expect(page.locator('#since')).to_be_hidden()


def whole_game(page: Page, seed: int, most: int = MOST_STEPS) -> set[str]:
    """Play on by touch to the end; the buttons that were pressed."""
    rng, pressed = random.Random(seed), set[str]()
    for k in range(most):
        my_turn(page)
        if over(page):
            return pressed
        if page.locator("#acts [data-act='shuffle']").count():
            sealed(page, True)
            continue
        table = choices(page)
        assert table
        steps = page.locator('#acts [data-steps]:enabled')
        if steps.count() and 'steps' not in pressed:
            before = state(page)
            pressed.add('steps')
            steps.first.tap()
            page.wait_for_function(
                '(old) => document.body.dataset.version !== old', arg=str(before['version']), timeout=5000
            )
            continue
        redrafts = page.locator("#acts [data-target='do:order']")
        if redrafts.count() and (k % 4 == 0 or 'do:order' not in pressed):
            before = state(page)
            pressed.add('do:order')
            redrafts.tap()
            page.wait_for_function(
                '(old) => document.body.dataset.version !== old', arg=str(before['version']), timeout=5000
            )
            continue
        new = [one for one in table if one[1][0].startswith('do:') and one[1][0] not in pressed]
        goes = [one for one in table if one[1] == ['do:go']]
        # what takes something is better than what does not, so that games end
        takes = [one for one in table if len(one[1]) == 2 and one[1][1].startswith('el:piece') and one[2]]
        _, targets, _ = rng.choice(new or goes or takes or table)
        choose(page, targets, True, pressed)
        undoing = k % 9 == 5 or 'undo' not in pressed
        if (
            undoing
            and page.locator("#acts [data-act='undo'][data-draft='yes']").count()
            and state(page)['mine']
        ):
            before = state(page)
            pressed.add('undo')
            page.locator("#acts [data-act='undo']").tap()
            page.wait_for_timeout(200)
    raise AssertionError('the game does not end')


def test_a_whole_game_of_myrmidons_by_touch(visit: Visit, address: str) -> None:
    page = visit(address + LIGHT, **PHONE)
    wanted, pressed = {'do:order', 'do:go', 'confirm', 'undo'}, set[str]()
    for seed in range(1, 5):  # a bot may win in a few turns
        new_table(page, address, 'myrmidons', 'bot', level='easy')
        pressed |= whole_game(page, seed)
        if wanted <= pressed:
            break
    assert wanted <= pressed
    assert page.locator('#result >> text=Rematch').is_enabled()
