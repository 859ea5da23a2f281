"""Lessons as people take them: by clicks, by keys on a phone, with room for everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from ludoteca.lessons import Lesson, go_to, lesson_of, lessons, line_of
from ludoteca.match import Match
from ludoteca.store import LessonProgress
from ludoteca.web.live.guide import Guide
from ludoteca.web.live.hints import hint_steps
from tests.browser.stations import THEMES, WIDTHS
from tests.browser.support import changed, on_card, point, ready, state
from tests.browser.test_accessible import AXE, violations
from tests.browser.test_laying import place
from tests.browser.test_room import LATER, measure
from tests.built_in import BUILT_IN
from tests.width import width

Visit = Callable[..., Page]


def step_is(page: Page, number: int) -> None:
    """Wait until a step is on show."""
    page.wait_for_selector(f"#lesson[data-step='{number}']")


def way_on(page: Page) -> Locator:
    """The button that goes on in the lesson or, at its last step, in its match."""
    return page.locator("#lesson :is([data-way='next'], [data-way='play_on'])")


def clicks(lesson: Lesson, number: int) -> list[dict[str, Any]]:
    """The steps of the move that a lesson waits for, with what to click for each."""
    match = Match(lesson.setup())
    go_to(match, lesson, number, 0)
    actions = Guide(lesson, LessonProgress(lesson.id, number)).proposed(match)
    return hint_steps(match.game, match.knowledge(lesson.seat), lesson.seat, actions, match.colours)


def turn(page: Page, transform: str) -> None:
    """Turn and flip what is under the pointer until it is turned as wanted."""
    for k in range(10):
        page.wait_for_timeout(50)
        if page.locator(f'#overlay use[transform="{transform}"]').count():
            return
        if k == 4:
            page.keyboard.press('f')
        else:
            page.mouse.wheel(0, 100)
    raise AssertionError(f'no variant is turned as {transform}')


def click(page: Page, steps: list[dict[str, Any]]) -> None:
    """Make a move by clicks; what is laid is turned with the wheel and flipped with a key first."""
    for step in steps:
        before = state(page)
        for target, ghost in zip(step['targets'], step['ghosts'], strict=True):
            if state(page) != before:
                break  # the rest was done with it
            if target.startswith('do:'):
                page.locator(f"[data-target='{target}'], [data-button='{target}']").first.click()
                continue
            x, y = place(page, target) if target.startswith('at:') else point(page, target)
            page.mouse.move(x, y)
            if ghost and 'rotate' in ghost[1]:
                turn(page, ghost[1])
            page.mouse.click(x, y)
        # what completes an arrangement is sealed by itself
        seal = page.locator("#acts [data-about='act-seal']")
        for _ in range(20 if seal.count() else 0):
            if state(page) != before:
                break
            if seal.is_enabled():
                seal.click()
                break
            page.wait_for_timeout(50)
        changed(page, before)


@pytest.mark.parametrize('game', width(('octiles',), BUILT_IN))
def test_a_lesson_is_taken_by_clicks_from_the_lobby_to_its_end(visit: Visit, address: str, game: str) -> None:
    lesson = lessons(game)[0]
    page = visit(address)
    title = page.locator('.game', has=page.locator(f"input[name='game'][value='{game}']")).locator('h2')
    on_card(page, 'Learn', title.inner_text()).click()
    ready(page)
    for number, wanted in enumerate(line_of(lesson).wanted):
        step_is(page, number)
        expect(page.locator('#lesson .said')).to_have_text(lesson.said(lesson.steps[number]))
        if wanted:
            click(page, clicks(lesson, number))
        else:
            way_on(page).click()
    expect(page.locator('#prompt .coach')).to_contain_text(lesson.coach(0))


def test_a_lesson_is_taken_by_keys_on_a_phone(visit: Visit, address: str) -> None:
    """With the board as a list: what is said is read, and moves are typed."""
    lesson = lesson_of('mykerinos', 'survey')
    page = visit(f'{address}/games/mykerinos/learn', 390, 844)
    page.locator('#survey > form button').press('Enter')
    ready(page)
    page.locator("button.skip[data-act='places']").press('Enter')
    # the list takes the keyboard when it is there
    page.wait_for_function("() => document.activeElement.closest('#places')")
    for number, wanted in enumerate(line_of(lesson).wanted):
        step_is(page, number)
        if wanted:
            page.locator('#typed input').fill(' '.join(wanted.names))
            page.keyboard.press('Enter')
        else:
            way_on(page).press('Enter')
    expect(page.locator('#prompt .coach')).to_contain_text(lesson.coach(0))


def test_what_a_lesson_says_comes_into_sight_on_a_phone(visit: Visit, address: str) -> None:
    """Also where the pupil chooses far below it, as at the drafting board."""
    page = visit(f'{address}/games/myraclia/learn', 390, 844, touch=True)
    refused = list[str]()
    page.on('response', lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.locator('#draft > form button').tap()
    ready(page)
    for number in (0, 1):
        step_is(page, number)
        page.locator('#lesson-on').tap()
    step_is(page, 2)
    for column, block, says in (
        ('draft-orange', 'center', '#bubble.on'),
        ('draft-orange', 'start', '#toast.on'),  # the board is not in sight
        ('draft-black', 'start', '#lesson[data-step="3"] .said'),
    ):
        page.evaluate('([id, block]) => document.getElementById(id).scrollIntoView({block})', [column, block])
        page.touchscreen.tap(*point(page, column))
        page.locator("#acts [data-act='confirm']").tap()
        expect(page.locator(says)).to_be_in_viewport(ratio=1)
    assert not refused, 'a wrong choice is answered, and no error'


def test_the_way_on_is_gone_once_however_often_it_is_pressed(visit: Visit, address: str) -> None:
    page = visit(f'{address}/games/octiles/learn')
    page.locator('#run > form button').click()
    step_is(page, 0)
    ready(page)
    asked = list[str]()
    page.on('request', lambda request: asked.append(request.url) if request.url.endswith('/lesson') else None)
    page.evaluate("for (let k = 0; k < 3; k++) document.getElementById('lesson-on').click()")
    page.keyboard.press('Enter')
    step_is(page, 1)
    assert len(asked) == 1


def test_what_a_lesson_points_at_is_marked_as_clearly_at_the_other_end_of_a_pulse(
    visit: Visit, address: str
) -> None:
    page = visit(f'{address}/games/octiles/learn', motion=True)
    page.locator('#run > form button').click()
    step_is(page, 0)
    expect(page.locator('#overlay .pointer').first).to_be_attached()
    pulses, before, after = page.evaluate("""() => {
        const ring = document.querySelector('#overlay .pointer');
        const seen = () => ['opacity', 'stroke', 'strokeOpacity'].map((key) => getComputedStyle(ring)[key]);
        const before = seen();
        const pulses = ring.getAnimations();
        for (const pulse of pulses) pulse.currentTime = pulse.effect.getTiming().duration - 1;
        return [pulses.length, before, seen()];
    }""")
    assert (pulses, after) == (1, before)


def test_a_lesson_can_be_left_on_a_phone_on_its_side(visit: Visit, address: str) -> None:
    page = visit(f'{address}/games/mykerinos/learn', 844, WIDTHS[844])
    page.get_by_role('button', name='Begin').first.click()
    step_is(page, 0)
    strip = page.locator('#lesson').bounding_box()
    assert strip is not None
    for button in page.locator('#lesson .lesson-acts > *').all():
        box = button.bounding_box()
        if box is not None:
            assert strip['x'] <= box['x']
            assert box['x'] + box['width'] <= strip['x'] + strip['width']
    page.locator('#lesson-leave').click()


@pytest.mark.wide
def test_a_wrong_move_is_answered_on_the_page_and_back_leads_back(visit: Visit, address: str) -> None:
    lesson = lesson_of('myrmidons', 'moves')
    page = visit(f'{address}/games/myrmidons/learn')
    page.locator('#moves > form button').click()
    ready(page)
    for number in (0, 1):
        step_is(page, number)
        page.keyboard.press('Enter')  # the way on has the focus, or takes it
    step_is(page, 2)
    pointed = page.locator('#overlay .pointer')
    expect(pointed).to_have_count(len(lesson.steps[2].points))
    for square in ('piece-0-c1', 'sq-c2'):
        page.mouse.click(*point(page, square))
    said = lesson.said(lesson.steps[2], 'elsewhere')
    expect(page.locator('#lesson .said')).to_have_text(said)
    page.locator('#lesson-back').click()
    expect(page.locator('#lesson .said')).to_have_text(lesson.said(lesson.steps[2]))
    page.locator('#lesson-back').click()
    step_is(page, 1)
    page.locator('#lesson-leave').click()
    expect(page.locator('#moves > form button')).to_contain_text('step 2')


@pytest.mark.wide
@pytest.mark.parametrize('game', width(('myraclia',), BUILT_IN))
def test_there_is_room_for_a_lesson(visit: Visit, address: str, game: str) -> None:
    """At the step that says most, and under the coach."""
    lesson = max(lessons(game), key=lambda one: max(len(one.said(step)) for step in one.steps))
    most = max(range(len(lesson.steps)), key=lambda k: len(lesson.said(lesson.steps[k])))
    page = visit(f'{address}/games/{game}/learn', bypass_csp=True)
    for number in (most, len(lesson.steps) - 1):
        page.goto(f'{address}/games/{game}/learn')
        page.locator(f'#{lesson.id} summary').click()
        page.locator(f"[id='{lesson.id}.{lesson.steps[number].id}'] button").click()
        ready(page)
        step_is(page, number)
        windows = width(LATER, tuple(WIDTHS)) if number != most else tuple(WIDTHS)
        assert measure(page, THEMES[:1], windows) == {}, lesson.steps[number].id
    if AXE.exists():
        assert violations(page) == {}
    way_on(page).click()
    page.wait_for_selector('#prompt .coach')
    assert measure(page, THEMES[:1], LATER) == {}, 'coach'
