"""Puzzles as people do them: failed and solved by clicks, solved by keys on a phone, with room for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ludoteca.game import load
from ludoteca.puzzles import Exercise, JudgedAnswer, Puzzle, answer, puzzle_of, puzzles
from ludoteca.puzzles.turns import read_turn
from ludoteca.search import as_known
from ludoteca.text import words as text
from ludoteca.web.live.hints import hint_steps
from ludoteca.work import answers
from tests.browser.stations import THEMES
from tests.browser.support import ready
from tests.browser.test_accessible import AXE, violations
from tests.browser.test_lessons import click
from tests.browser.test_room import measure
from tests.built_in import BUILT_IN

Visit = Callable[..., Page]
PUZZLE, WRONG = 'octiles-66029884', 'b5:0 B5-C5'


@pytest.fixture(autouse=True)
def few_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same answer is judged alike in every run, whatever time that takes."""

    def told(exercise: Exercise, number: int, known: Any, turn: str, *_: object) -> JudgedAnswer:
        return answer(exercise, number, known, turn, seconds=None, simulations=200)

    monkeypatch.setattr(answers, 'told', told)


def is_kind(page: Page, kind: str) -> None:
    """Wait until an answer is judged so."""
    page.wait_for_selector(f"#lesson[data-kind='{kind}']")


def play(page: Page, puzzle: Puzzle, turn: str) -> None:
    """Play a turn by clicks."""
    game = load(puzzle.game)
    known = as_known(game, puzzle.known(), puzzle.seat)
    click(page, hint_steps(game, known, puzzle.seat, read_turn(game, known, puzzle.seat, turn).actions))


def test_a_puzzle_is_failed_and_solved_by_clicks(visit: Visit, address: str) -> None:
    """From its page; the reply to the wrong answer is on the board, and a way leads back."""
    puzzle = puzzle_of('octiles', PUZZLE)
    page = visit(f'{address}/games/octiles/puzzles')
    page.locator(f'#{puzzle.grade} summary').click()
    page.locator(f"#{puzzle.grade} form:has(input[value='{PUZZLE}']) button").click()
    ready(page)
    play(page, puzzle, WRONG)
    is_kind(page, 'wrong')
    expect(page.locator('#lesson .said')).to_be_visible()
    expect(page.locator('#lesson .answered')).to_contain_text(
        text('web.exercise.reply', turns='').rstrip('.')
    )
    assert page.locator('body').get_attribute('data-turns') == '2'
    page.keyboard.press('Enter')
    is_kind(page, 'open')
    play(page, puzzle, puzzle.best[0])
    is_kind(page, 'solved')
    expect(page.locator('#lesson-on')).to_contain_text('Next puzzle')
    page.locator('#lesson-leave').click()
    expect(page.locator(f'#{puzzle.grade} > p').first).to_contain_text('1 of ')


@pytest.mark.wide
def test_a_puzzle_of_several_turns_is_solved_by_keys_on_a_phone(visit: Visit, address: str) -> None:
    """With the board as a list: what is said is read, and moves are typed."""
    puzzle = next(one for one in puzzles('mykerinos') if one.turns > 1)
    page = visit(f'{address}/games/mykerinos/puzzles', 390, 844)
    page.locator(f'#{puzzle.grade} summary').press('Enter')
    page.locator(f"form:has(input[value='{puzzle.id}']) button").press('Enter')
    ready(page)
    page.locator("button.skip[data-act='places']").press('Enter')
    page.wait_for_function("() => document.activeElement.matches('#places [data-place]')")
    for number, best in enumerate((puzzle.best, *(one.best for one in puzzle.then))):
        page.wait_for_selector(f"#lesson[data-step='{number}'][data-kind='open']")
        page.locator('#typed input').fill(best[0])
        page.keyboard.press('Enter')
    is_kind(page, 'solved')


@pytest.mark.wide
@pytest.mark.skipif(not AXE.exists(), reason='axe-core is not installed: npm ci')
@pytest.mark.parametrize('path', ['/puzzles', '/games/octiles/puzzles'])
def test_no_violation_on_a_page_of_puzzles(visit: Visit, address: str, path: str) -> None:
    page = visit(address + path, bypass_csp=True)
    assert violations(page) == {}
    assert measure(page, THEMES[:1]) == {}


@pytest.mark.wide
@pytest.mark.parametrize('game', BUILT_IN)
def test_there_is_room_for_an_exercise(visit: Visit, address: str, game: str) -> None:
    """While it is open and with its solution."""
    page = visit(f'{address}/games/{game}/puzzles', bypass_csp=True)
    page.locator('main form button').first.click()
    ready(page)
    for kind in ('open', 'shown'):
        is_kind(page, kind)
        assert measure(page, THEMES[:1]) == {}, kind
        if AXE.exists():
            assert violations(page) == {}, kind
        if kind == 'open':
            page.locator('#exercise-show').click()
