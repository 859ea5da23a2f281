"""The board lies still: where it is on the page changes with the window and with what a player opens."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Page

from ludoteca.game import load
from ludoteca.lessons import Lesson, lessons, line_of
from ludoteca.web.live.reviews import Reviewer
from tests.browser.stations import Station, moments, open_station, stations
from tests.browser.support import LIGHT, POST, ready
from tests.browser.test_lessons import click, clicks, step_is, way_on
from tests.built_in import BUILT_IN
from tests.width import width

Visit = Callable[..., Page]
WINDOWS = width(
    [(1440, 900), (390, 844)], [(1440, 900), (1366, 768), (1024, 768), (768, 1024), (390, 844), (320, 640)]
)
STEPS = width(5, 8)
RECTANGLES = """(board) => {
    const trays = [...document.querySelectorAll('.trays > .info')];
    const lie = trays.filter((tray) => getComputedStyle(tray.parentElement).position !== 'sticky');
    return Object.fromEntries([board, ...lie.map((tray) => `#${tray.id}`)].map((name) => {
        const box = document.querySelector(name).getBoundingClientRect();
        const places = [box.x + scrollX, box.y + scrollY, box.width, ...name === board ? [box.height] : []];
        return [name, places.map(Math.round)];
    }));
}"""
"""Where the board and the trays are, in page coordinates. A tray may grow downwards; on a phone a strip of
tiles stays in the window."""


class Still:
    """Looks at a page in one window after the other, and remembers where its board and trays were in each."""

    def __init__(self, page: Page, board: str = '.stage') -> None:
        self.page, self.board = page, board
        self.first: dict[tuple[int, int, str], list[int]] = {}

    def look(self, when: str) -> None:
        """Compare with what was seen before, and leave the page in the first window."""
        for wide, high in (*WINDOWS, WINDOWS[0]):
            self.page.set_viewport_size({'width': wide, 'height': high})
            for name, box in self.page.evaluate(RECTANGLES, self.board).items():
                first = self.first.setdefault((wide, high, name), box)
                assert box == first, f'{name} in {wide} x {high} at {when}'


STATIONS = [
    station
    for station in stations()
    if station.players in {*width((), (2,)), max(load(station.game).players)}
]


@pytest.mark.parametrize('station', STATIONS, ids=lambda station: station.name)
def test_the_board_lies_still_in_a_game(visit: Visit, address: str, station: Station) -> None:
    """At the start, while a turn is made, between turns, and when looking back."""
    page = visit(address + LIGHT, *WINDOWS[0])
    open_station(page, address, station)
    still = Still(page)
    for number, (kind, _) in enumerate(moments(page, station, steps=STEPS)):
        still.look(f'moment {number} of phase {kind}')
    page.keyboard.press('ArrowLeft')
    page.wait_for_selector('body.looking-back')
    still.look('when looking back')


@pytest.mark.parametrize(
    'lesson',
    [lesson for game in BUILT_IN for lesson in width(lessons(game)[:1], lessons(game))],
    ids=lambda lesson: f'{lesson.game}-{lesson.id}',
)
def test_the_board_lies_still_in_a_lesson(visit: Visit, address: str, lesson: Lesson) -> None:
    """From the first step to the last one."""
    page = visit(f'{address}/games/{lesson.game}/learn', *WINDOWS[0])
    page.locator(f'#{lesson.id} > form button').click()
    ready(page)
    still = Still(page)
    for number, wanted in enumerate(line_of(lesson).wanted):
        step_is(page, number)
        still.look(f'step {number}')
        if wanted:
            click(page, clicks(lesson, number))
        else:
            way_on(page).click()


@pytest.mark.wide
@pytest.mark.parametrize('game', BUILT_IN)
def test_the_board_lies_still_in_a_puzzle(visit: Visit, address: str, game: str) -> None:
    """While the player looks for a turn, and when the solution is shown."""
    page = visit(f'{address}/puzzles', *WINDOWS[0])
    made: dict[str, Any] = page.evaluate(POST, ['/api/puzzles', {'game': game}])
    page.goto(address + made['url'])
    ready(page)
    still = Still(page)
    still.look('the task')
    page.locator('#exercise-show').click()
    page.wait_for_selector("#lesson[data-kind='shown']")
    still.look('the solution')


@pytest.mark.wide
@pytest.mark.parametrize('game', BUILT_IN)
def test_the_board_lies_still_in_a_review(
    visit: Visit, address: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From turn to turn."""
    monkeypatch.setattr(Reviewer, 'simulations', 8)
    monkeypatch.setattr(Reviewer, 'workers', staticmethod(lambda: ThreadPoolExecutor(1)))
    page, station = visit(address + LIGHT, *WINDOWS[0]), Station(game, 2)
    open_station(page, address, station)
    for _ in moments(page, station, steps=6):
        pass
    table = page.evaluate('location.pathname')
    page.evaluate(POST, [f'/api{table}/resign', {}])
    page.goto(f'{address}{table}/review')
    page.locator('.making form button').click()
    page.wait_for_selector("#review[data-status='done']", timeout=60_000)
    still = Still(page, '.drawn > svg')
    for number in range(page.locator('.turns a').count()):
        page.goto(f'{address}{table}/review?turn={number + 1}')
        still.look(f'turn {number + 1}')
