"""Every step of a lesson: what it points at is there and ringed, and what it asks for can be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.lessons import Lesson, lessons, line_of
from tests.browser import test_places as by_keys
from tests.browser.support import LIGHT, POST, changed, drawn, finger, ready, state, told
from tests.browser.test_laying import place
from tests.browser.test_lessons import click, clicks, step_is
from tests.width import games_tested, width

Visit = Callable[..., Page]
WAYS: dict[str, dict[str, Any]] = {
    'mouse': {'width': 1440, 'height': 900, 'motion': True},
    'touch': {'width': 390, 'height': 844, 'touch': True},
    'keys': {},
}
DOUBLE = 400
"""Milliseconds after which a second tap at a place is one of its own."""
LOST = """(points) => {
    const centre = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
    const strip = document.getElementById('lesson');
    const phone = getComputedStyle(strip).position === 'sticky';
    const feet = ['.drawers', '#acts'].map((foot) => document.querySelector(foot)).filter((foot) => foot.offsetHeight && /fixed|sticky/.test(getComputedStyle(foot).position));
    const first = phone ? strip.getBoundingClientRect().bottom : 0;
    const last = phone ? Math.min(...feet.map((foot) => foot.getBoundingClientRect().top)) : innerHeight;
    const rings = [...document.querySelectorAll('#overlay .pointer, #cards .pointer, .pointed:not(svg .pointed)')].map((ring) => ring.getBoundingClientRect());
    const spot = (id) => {
        const [x, y] = id.slice(3).split(',').map(Number);
        const at = new DOMPoint(x, y).matrixTransform(document.getElementById('overlay').getScreenCTM());
        return new DOMRect(at.x - 8, at.y - 8, 16, 16);
    };
    const drawn = (id) => {
        const name = id.slice(3);
        const thing = id.startsWith('do:') ? document.querySelector(`#acts :is([data-target='${id}'], [data-button='${id}'])`)
            : document.getElementById(name) ?? document.querySelector(`[data-about='${name}']`);
        const shape = thing?.querySelector(':scope > .hit') ?? thing?.querySelector('g > .hit') ?? thing;
        return thing?.checkVisibility() ? (thing.matches('.info') ? thing : shape).getBoundingClientRect() : new DOMRect();
    };
    return points.flatMap((id, k) => {
        const box = id.startsWith('at:') ? spot(id) : drawn(id);
        const [x, y] = centre(box);
        if (!(box.width * box.height)) return [`${id} is not drawn`];
        const ring = rings.find((ring) => Math.hypot(centre(ring)[0] - x, centre(ring)[1] - y) < 8 && ring.width >= box.width * 0.7 && ring.height >= box.height * 0.7);
        if (!ring) return [`no ring round ${id}`];
        return k || id.startsWith('do:') || y > first && y < last ? [] : [`${id} is out of sight`];
    });
}"""  # noqa: E501
"""What of the things that a step points at is not drawn or has no ring; the first one must be in sight."""


def tapped(page: Page, steps: list[dict[str, Any]]) -> None:
    """Make a move by touch: what is laid is turned and flipped with the buttons, and confirmed."""
    for step in steps:
        before = state(page)
        if (recap := page.locator('#recap button').filter(visible=True)).count():
            recap.last.tap()
        for target, ghost in zip(step['targets'], step['ghosts'], strict=True):
            if state(page) != before:
                break
            if target.startswith('do:'):
                page.locator(f"#acts :is([data-target='{target}'], [data-button='{target}'])").first.tap()
                continue
            if target.startswith('at:'):
                page.evaluate("document.getElementById('drawing').scrollIntoView({block: 'center'})")
                page.touchscreen.tap(*place(page, target))
            else:
                page.evaluate(
                    "(id) => document.getElementById(id).scrollIntoView({block: 'center'})", target[3:]
                )
                drawn(page)
                finger(page, target)
            if ghost and 'rotate' in ghost[1]:
                turned(page, step['name'], ghost[1])
        for _ in range(40):
            if state(page) != before:
                break
            confirm = page.locator("#acts [data-act='confirm']:enabled")
            if confirm.count():
                confirm.first.tap()
            page.wait_for_timeout(50)
        changed(page, before)


def turned(page: Page, name: str, transform: str) -> None:
    """Turn and flip what was just laid, or is about to be, until it is as wanted."""
    for k in range(10):
        page.wait_for_timeout(100)
        if name in told(page)['draft'] or page.locator(f'#overlay use[transform="{transform}"]').count():
            return
        act = 'flip' if k == 4 and page.locator("#acts [data-act='flip']:enabled").count() else 'turn'
        page.locator(f"#acts [data-act='{act}']:enabled").first.tap()
    raise AssertionError(f'no variant is turned as {name}')


def listed(page: Page, steps: list[dict[str, Any]]) -> None:
    """Make a move with the board as a list."""
    for step in steps:
        page.wait_for_function("() => document.activeElement.matches('#places [data-place]')")
        by_keys.choose(page, step['name'], step['targets'])


def opened(visit: Visit, address: str, lesson: Lesson, way: str) -> Page:
    """A lesson at its first step."""
    page = visit(address + LIGHT, **WAYS[way])
    if way == 'keys':
        page.evaluate(
            "(places) => fetch('/api/me', {method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({settings: {places}})})",  # noqa: E501
            True,
        )
    made = page.evaluate(POST, ['/api/lessons', {'game': lesson.game, 'lesson': lesson.id}])
    page.goto(address + made['url'])
    ready(page)
    return page


TRIED = [
    (lesson, way)
    for game in games_tested()
    for number, lesson in enumerate(width(lessons(game)[:1], lessons(game)))
    for way in ((('touch', 'keys')[number % 2],) if number else width(('mouse', 'touch'), WAYS))
]
"""A game's first lesson in all ways, the others by touch or by keys: test_still.py clicks through all."""


@pytest.mark.parametrize(
    ('lesson', 'way'), TRIED, ids=[f'{lesson.game}-{lesson.id}-{way}' for lesson, way in TRIED]
)
def test_each_step_of_a_lesson_rings_what_it_means_and_can_be_done(
    visit: Visit, address: str, lesson: Lesson, way: str
) -> None:
    page = opened(visit, address, lesson, way)
    makes = {'mouse': click, 'touch': tapped, 'keys': listed}[way]
    for number, wanted in enumerate(line_of(lesson).wanted):
        step_is(page, number)
        step = lesson.steps[number]
        expect(page.locator('#lesson .said')).to_have_text(lesson.said(step))
        if way != 'keys':
            for _ in range(60):  # a fight, or a piece on its way
                if not (lost := page.evaluate(LOST, list(step.points))):
                    break
                page.wait_for_timeout(50)
            assert not lost, f'{step.id}: {lost}'
        if wanted:
            makes(page, clicks(lesson, number))
        elif number < len(lesson.steps) - 1:
            button = page.locator('#lesson-on')
            if way == 'touch':
                page.wait_for_timeout(DOUBLE)
                button.tap()
            else:
                button.press('Enter') if way == 'keys' else button.click()
