"""What the lessons say of the Commander's secret is so."""

from __future__ import annotations

from ludoteca.games.myrmidons.view.facts import army
from ludoteca.lessons import go_to, lesson_of
from ludoteca.match import Match


def leaders(step: str) -> int:
    """How many of the pupil's pieces can be the Commander, by what the opponent knows at a step of Orders."""
    lesson = lesson_of('myrmidons', 'orders')
    match = Match(lesson.setup())
    go_to(match, lesson, [one.id for one in lesson.steps].index(step), 0)
    seen = match.view(1 - lesson.seat).state
    return sum(bool(seen.mask[piece] & 1) and seen.at[piece] >= 0 for piece in army(lesson.seat))


def test_the_first_order_of_the_lesson_keeps_the_commander_secret_and_the_second_does_not() -> None:
    assert leaders('seen') == 2
    assert leaders('lost') == 1
