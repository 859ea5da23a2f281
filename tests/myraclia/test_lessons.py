"""The numbers of the lessons are those of the rules."""

from __future__ import annotations

import re
from typing import Any

from ludoteca.games.myraclia import components as C
from ludoteca.games.myraclia import rules as R
from ludoteca.lessons import go_to, lesson_of
from ludoteca.match import Match

LESSON = lesson_of('myraclia', 'score')
STEPS = {step.id: number for number, step in enumerate(LESSON.steps)}


def at(step: str) -> Match:
    """The lesson at a step."""
    match = Match(LESSON.setup())
    go_to(match, LESSON, STEPS[step], 0)
    return match


def numbers(step: str) -> list[int]:
    """The numbers that a step says in digits, in their order."""
    return [*map(int, re.findall(r'\b\d+\b', LESSON.said(LESSON.steps[STEPS[step]])))]


def state_at(step: str) -> Any:
    """What the pupil knows at a step."""
    return at(step).knowledge(LESSON.seat)


def points(state: Any) -> list[int]:
    """Points on the track, of the pupil and of Red."""
    return [*map(int, state.points[:2])]


def test_the_tile_of_the_lesson_is_paid_with_a_cube_of_the_zone_and_brings_what_it_says() -> None:
    before, after = state_at('swap'), state_at('gains')
    red = C.COLOURS.index('red')
    assert (before.pool[red], before.lent[red]) == (2, 2)
    assert numbers('gains') == [b - a for a, b in zip(points(before), points(after), strict=True)]


def test_the_worked_example_of_the_final_scoring_is_what_the_rules_count() -> None:
    state = state_at('all')
    track = points(state)
    assert numbers('area') == [R.largest_area(state, 0), R.largest_area(state, 1), R.area_points(state, 0)]
    assert numbers('surfaces') == [*R.SURFACE_POINTS[1:6], R.surface_points(state, 0)]
    held = {surface: R.symbols(state, 0, k) for k, surface in enumerate(C.SURFACES)}
    assert held == {'plains': 0, 'forests': 1, 'water': 2, 'mountains': 1}
    R.score_surface(state)
    assert numbers('all') == [R.ALL_TYPES, track[0], *points(state)]
