"""Lessons fit the rules of their games: every one is played to its end by its own data, and answers whatever
else a pupil may try."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from ludoteca.game import GameError, load
from ludoteca.lessons import Comment, Lesson, MoveVerdict, When, go_to, judge, lessons, line_of, play_replies
from ludoteca.match import Match
from tests.built_in import BUILT_IN
from tests.conformance.lesson_problems import problems
from tests.text.test_catalogue import own
from tests.width import width

LEAST = {'octiles': 1, 'myriath': 1, 'myrmidons': 2, 'mykerinos': 3, 'myraclia': 4}


def at(lesson: Lesson, number: int) -> Match:
    """A match that stands at a step."""
    match = Match(lesson.setup())
    go_to(match, lesson, number, 0)
    return match


def tried(lesson: Lesson, match: Match, name: str) -> Match | None:
    """A copy of the match in which the pupil has chosen something; None where it is not legal."""
    trial = match.copy()
    try:
        trial.act(lesson.seat, None, name)
    except GameError:
        return None
    return trial


def test_every_game_has_its_lessons(name: str) -> None:
    assert LEAST.get(name, 0) <= len(lessons(name)) <= 4


def test_a_lesson_fits_the_rules_the_drawing_and_the_rulebook(lesson: Lesson) -> None:
    assert problems(lesson) == []


def test_a_lesson_is_played_to_its_end_step_by_step(lesson: Lesson) -> None:
    """As a pupil plays it: one step of a turn after the other, and the others reply."""
    match, line, number = Match(lesson.setup()), line_of(lesson), 0
    go_to(match, lesson, 0, 0)
    while number < len(lesson.steps):
        assert (match.turns, match.draft(lesson.seat)) == line.checkpoints[number]
        wanted = line.wanted[number]
        if wanted is None:
            number += 1
            continue
        for name in wanted.names[len(line.checkpoints[number].draft) :]:
            match.act(lesson.seat, None, name)
            verdict = judge(lesson, number, match)
            assert verdict.kind in ('on', 'stay'), name
        assert verdict == MoveVerdict('on', number + 1)
        play_replies(match, lesson, number + 1)
        number += 1
    assert match.status == 'running'


def test_a_wrong_move_is_answered_at_every_step(lesson: Lesson) -> None:
    """Of all that could be chosen first at a step, what neither belongs to its turn nor is a good one has an
    answer in words; and no answer is without a move that it fits."""
    for number, wanted in enumerate(line_of(lesson).wanted):
        match = at(lesson, number)
        names = match.names(lesson.seat)
        tries = (*names[:: max(1, len(names) // width(10, 1000))], *(wanted.names[:1] if wanted else ()))
        verdicts = {
            name: judge(lesson, number, trial) for name in tries if (trial := tried(lesson, match, name))
        }
        if wanted is None:
            assert {verdict.kind for verdict in verdicts.values()} <= {'wrong'}
            continue
        for verdict in verdicts.values():
            if verdict.kind in ('wrong', 'accepted'):
                assert lesson.said(lesson.steps[number], verdict.key)


def test_a_lesson_goes_to_any_step_from_any_other(lesson: Lesson) -> None:
    line = line_of(lesson)
    last = len(lesson.steps) - 1
    for number in (last, last // 2, last, 1, 0, last):
        match = at(lesson, last)
        go_to(match, lesson, number, last)
        assert (match.turns, match.draft(lesson.seat)) == line.checkpoints[number]
    assert not match.rated


def test_no_word_of_a_lesson_is_left_over(name: str) -> None:
    keys = own(Path(load(name).folder, 'en.toml'))
    used = set()
    for lesson in lessons(name):
        used |= {f'lesson.{lesson.id}.{key}' for key in ('title', 'about', 'coach.1', 'coach.2', 'coach.3')}
        for step in lesson.steps:
            said = ['say', *(['other'] if step.play else [])]
            said += [answer.say for answer in (*step.accept, *step.refuse)]
            used |= {f'lesson.{lesson.id}.{step.id}.{key}' for key in said}
    assert {key for key in keys if key.startswith('lesson.')} == used


def test_lessons_of_myraclia_call_no_tile_by_the_name_that_only_actions_have() -> None:
    """No page shows it, so no pupil could follow."""
    lines = Path(load('myraclia').folder, 'en.toml').read_text('utf-8').partition('[lesson.')[2].splitlines()
    assert [line for line in lines if re.search(r'\b[PFWM]\d\d\b', line)] == []


# ---- what makes a lesson wrong -----------------------------------------------------------------------------


def test_a_lesson_that_does_not_fit_is_told_in_a_sentence() -> None:
    good = lessons(BUILT_IN[0])[0]
    wrong = replace(good, steps=tuple(replace(step, play=step.play and 'zz9') for step in good.steps))
    assert any('its moves do not fit the rules' in found for found in problems(wrong))
    lost = replace(good, steps=(replace(good.steps[0], points=('el:nowhere',)), *good.steps[1:]))
    assert any('points at el:nowhere' in found for found in problems(lost))
    silent = replace(good, steps=(replace(good.steps[0], id='unsaid'), *good.steps[1:]))
    assert any('there are no words for' in found for found in problems(silent))
    ruled = replace(good, steps=(replace(good.steps[0], rule='no.rule'), *good.steps[1:]))
    assert any('no paragraph of the rulebook' in found for found in problems(ruled))
    for found in (*problems(wrong), *problems(lost), *problems(silent), *problems(ruled)):
        assert re.match(r'\w+, lesson \w+: .*\.$', found)


def test_a_predicate_asks_for_names_events_and_points() -> None:
    when = When(('start [a-c]?', 'extend *'), 'dig', 2.0)
    assert when.fits('start b4', ('dig',), 2.0)
    assert not when.fits('start d4', ('dig',), 2.0)
    assert not when.fits('start b4', (), 2.0)
    assert not when.fits('start b4', ('dig',), 1.5)
    assert When().fits('anything', (), 0.0)
    assert when.may_become('extend')
    assert not when.may_become('start d4')
    assert Comment(when, 'also').say == 'also'
