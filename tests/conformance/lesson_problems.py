"""What is wrong with a lesson, in sentences: for the tests of a game, and for who writes one."""

from __future__ import annotations

from collections.abc import Iterator

from ludoteca.game import Game, GameError, load
from ludoteca.lessons import COACHED, Lesson, Step, line_of
from ludoteca.match import Match

MOST_STEPS = 12
MOST_WORDS = 30


def problems(lesson: Lesson) -> list[str]:
    """Why a lesson cannot be given as it is, each as one sentence; none if it can."""
    return [f'{lesson.game}, lesson {lesson.id}: {found}' for found in _problems(lesson)]


def _problems(lesson: Lesson) -> Iterator[str]:
    game = load(lesson.game)
    steps, ids = lesson.steps, [step.id for step in lesson.steps]
    if not 2 <= len(steps) <= MOST_STEPS:
        yield f'it has {len(steps)} steps; it may have 2 to {MOST_STEPS}.'
    if len(set(ids)) < len(ids):
        yield 'two of its steps have the same id.'
    if steps[0].play or steps[-1].play:
        yield 'its first and its last step are to be read, without a move.'
    yield from _words(game, lesson)
    try:
        line = line_of(lesson)
    except GameError as problem:
        yield f'its moves do not fit the rules: {problem}'
        return
    match = Match(lesson.setup())
    for number, text in enumerate(line.turns):
        for step, place in zip(steps, line.places, strict=False):
            if place.turns == number:
                yield from _at(match, lesson, step)
        match.act(next(seat for seat in match.to_move if match.may_act(seat)), None, text)
    for step, place in zip(steps, line.places, strict=False):
        if place.turns == len(line.turns):
            yield from _at(match, lesson, step)
    if match.result:
        yield 'the game is over at its end, so that nobody can play on.'


def _words(game: Game, lesson: Lesson) -> Iterator[str]:
    """What is missing among the words, or too long."""
    keys = ['title', 'about', *(f'coach.{turn + 1}' for turn in range(COACHED))]
    for step in lesson.steps:
        keys.append(f'{step.id}.say')
        keys += [f'{step.id}.other'] if step.play else []
        keys += [f'{step.id}.{answer.say}' for answer in (*step.accept, *step.refuse)]
    for key in (f'lesson.{lesson.id}.{one}' for one in keys):
        if key not in game.words:
            yield f'there are no words for {key}.'
        elif (count := len(game.words(key).split())) > MOST_WORDS:
            yield f'{key} has {count} words; it may have {MOST_WORDS}.'


def _at(match: Match, lesson: Lesson, step: Step) -> Iterator[str]:
    """What is wrong at a step, at its beginning of turn."""
    seat = lesson.seat
    if seat not in match.to_move:
        yield f'at step {step.id} it is not the turn of seat {seat}.'
    if step.replies and not step.play:
        yield f'step {step.id} has replies and no move.'
