"""What is wrong with a lesson, in sentences: for the tests of a game, and for who writes one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludoteca.game import Game, GameError, load
from ludoteca.lessons import COACHED, Lesson, LessonStep, go_to, line_of
from ludoteca.match import Match
from ludoteca.web.html.rulebook import book

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
        line_of(lesson)
    except GameError as problem:
        yield f'its moves do not fit the rules: {problem}'
        return
    match = Match(lesson.setup())
    for number, step in enumerate(steps):
        go_to(match, lesson, number, max(0, number - 1))
        yield from _at(match, lesson, step)
    go_to(match, lesson, len(steps) - 1, len(steps) - 1)
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


def _at(match: Match, lesson: Lesson, step: LessonStep) -> Iterator[str]:
    """What is wrong at a step."""
    seat = lesson.seat
    if seat not in match.to_move:
        yield f'at step {step.id} it is not the turn of seat {seat}.'
    if step.replies and not step.play:
        yield f'step {step.id} has replies and no move.'
    if step.rule and not address_exists(match.game.name, step.rule):
        yield f'step {step.id} shows the rule {step.rule}, which is no paragraph of the rulebook.'
    there = things(match, seat)
    for point in step.points:
        if point.removeprefix('el:') not in there:
            yield f'step {step.id} points at {point}, which is not on the table.'


def address_exists(game: str, rule: str) -> bool:
    """Is there such a chapter or paragraph?"""
    found = book(game)
    chapters = (*found.chapters, *found.readings) if found else ()
    return any(rule in (chapter.id, *(one.id for one in chapter.passages)) for chapter in chapters)


def things(match: Match, seat: int) -> set[str]:
    """What can be pointed at: things of the drawing and of the cards, cards, buttons, points of the board."""
    game, view = match.game, match.view(seat)
    found = game.cards(view)
    pictures = [game.draw(view, 'page'), *(drawing for card in found for drawing in card.drawings)]
    named = {name for picture in pictures for name in re.findall(r' (?:id|data-about)="([^"]+)"', picture)}
    buttons = {f'do:{button.id}' for button in game.prompt(view).buttons}
    points = {
        target.id
        for action in view.actions
        for target in game.targets(view.state, action)
        if target.id.startswith('at:')
    }
    return named | buttons | points | {f'card-{card.id}' for card in found}
