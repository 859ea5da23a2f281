"""The board lies still: where it is on the page changes with the window and with what a player opens."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from ludoteca.game import load
from ludoteca.lessons import lessons, line_of
from tests.browser.stations import Station, moments, open_station
from tests.browser.support import LIGHT, POST, drawn, ready, state
from tests.browser.test_lessons import click, clicks, step_is
from tests.built_in import BUILT_IN
from tests.width import width

Visit = Callable[..., Page]
WINDOWS = (1440, 900), (390, 844)
STEPS = width(5, 8)
RECTANGLES = """() => {
    const trays = [...document.querySelectorAll('.trays > .info')];
    const lie = trays.filter((tray) => getComputedStyle(tray.parentElement).position !== 'sticky');
    return Object.fromEntries(['.stage', ...lie.map((tray) => `#${tray.id}`)].map((name) => {
        const box = document.querySelector(name).getBoundingClientRect();
        return [name, [box.x + scrollX, box.y + scrollY, box.width, box.height].map(Math.round)];
    }));
}"""
"""Where the board and the trays are, in page coordinates; on a phone a strip of tiles stays in the window."""


class Still:
    """Looks at a table in several windows at once, and remembers where its board and trays were."""

    def __init__(self, page: Page) -> None:
        self.pages: list[Page] = []
        self.first: list[dict[str, list[int]]] = []
        for wide, high in WINDOWS:
            other = page.context.new_page()
            other.set_viewport_size({'width': wide, 'height': high})
            other.goto(page.url)
            ready(other)
            self.pages.append(other)
            self.first.append({})

    def look(self, page: Page, when: str) -> None:
        """Compare with what was seen before, once the pages show what `page` shows."""
        wanted = state(page)['version']
        for other, first, window in zip(self.pages, self.first, WINDOWS, strict=True):
            other.wait_for_function(
                '(version) => Number(document.body.dataset.version) >= version', arg=wanted
            )
            drawn(other)
            for name, box in other.evaluate(RECTANGLES).items():
                assert first.setdefault(name, box) == box, (window, name, when)


def pick(page: Page) -> None:
    """Press the first thing that can be chosen, so that it is held."""
    page.evaluate("document.querySelector('#drawing .can, #cards .can')?.focus()")
    page.keyboard.press('Enter')


@pytest.mark.parametrize('game', BUILT_IN)
def test_the_board_lies_still_in_a_game(visit: Visit, address: str, game: str) -> None:
    """At the start, while a turn is made, between turns, when looking back, to the end."""
    page = visit(address + LIGHT, 1440, 900)
    for players in load(game).players[-1:]:
        open_station(page, address, Station(game, players))
        still = Still(page)
        for number, (kind, _) in enumerate(moments(page, Station(game, players), number_of(game), STEPS)):
            still.look(page, f'moment {number} of phase {kind}')
        last = still.pages[0]
        last.keyboard.press('ArrowLeft')
        last.wait_for_selector('body.looking-back')
        still.look(page, 'when looking back')


def number_of(game: str) -> int:
    """A seed of its own for each game."""
    return random.Random(game).randrange(1000)


@pytest.mark.parametrize('game', BUILT_IN)
def test_the_board_lies_still_in_a_lesson(visit: Visit, address: str, game: str) -> None:
    """From the first step to the last one."""
    page = visit(f'{address}/games/{game}/learn', 1440, 900)
    for lesson in lessons(game)[:1]:
        page.goto(f'{address}/games/{game}/learn')
        page.locator(f'#{lesson.id} > form button').click()
        ready(page)
        still = Still(page)
        for number, wanted in enumerate(line_of(lesson).wanted):
            step_is(page, number)
            still.look(page, f'step {number} of {lesson.id}')
            if wanted:
                click(page, clicks(lesson, number))
            else:
                page.locator('#lesson-on').click()


@pytest.mark.wide
@pytest.mark.parametrize('game', BUILT_IN)
def test_the_board_lies_still_in_a_puzzle(visit: Visit, address: str, game: str) -> None:
    """While the player looks for a turn, and when the solution is shown."""
    page = visit(f'{address}/puzzles', 1440, 900)
    made: dict[str, Any] = page.evaluate(POST, ['/api/puzzles', {'game': game}])
    page.goto(address + made['url'])
    ready(page)
    still = Still(page)
    still.look(page, 'the task')
    page.locator('#exercise-show').click()
    page.wait_for_selector("#lesson[data-kind='shown']")
    still.look(page, 'the solution')
