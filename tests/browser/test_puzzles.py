"""Puzzles as people do them: failed and solved by clicks, solved by keys on a phone, with room for all."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from ludoteca.game import load
from ludoteca.puzzles import Puzzle, puzzle_of
from ludoteca.puzzles.turns import read_turn
from ludoteca.search import as_known
from ludoteca.web.hints import hint_steps
from tests.browser.support import ready, told
from tests.browser.test_lessons import click

Visit = Callable[..., Page]


def shown(page: Page) -> Puzzle:
    """The puzzle that a page has open."""
    view = told(page)
    return puzzle_of(view['game'], view['exercise']['puzzle'])


def answer(page: Page, puzzle: Puzzle, turn: str) -> None:
    """Play a turn by clicks and confirm it, if it is not over by then."""
    game = load(puzzle.game)
    known = as_known(game, puzzle.known(), puzzle.seat)
    actions = read_turn(game, known, puzzle.seat, turn).actions
    click(page, hint_steps(game, known, puzzle.seat, actions, told(page)['colours']))


@pytest.mark.smoke
def test_a_puzzle_is_failed_and_solved_by_clicks(visit: Visit, address: str) -> None:
    page = visit(f'{address}/games/myrmidons/puzzles')
    page.locator('#easy form button').first.click()
    ready(page)
    puzzle = shown(page)
    game = load('myrmidons')
    known = as_known(game, puzzle.known(), puzzle.seat)
    right = {read_turn(game, known, puzzle.seat, best).key for best in puzzle.best}
    walks = [turn for turn in told(page)['legal'] if '-' in turn]
    wrong = next(turn for turn in walks if read_turn(game, known, puzzle.seat, turn).key not in right)
    answer(page, puzzle, wrong)
    expect(page.locator("#lesson[data-kind='wrong'], #lesson[data-kind='solved']")).to_be_visible()
