"""The lessons of a game: what each teaches, where it was left, and all its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludoteca.game import Game
from ludoteca.lessons import Lesson, Step, lessons
from ludoteca.store import Progress
from ludoteca.text import words
from ludoteca.web.layout import bar, h, icon, page
from ludoteca.web.pages.controls import table_form
from ludoteca.web.people import Visitor
from ludoteca.web.rulebook import address_of


def anchor(lesson: Lesson, step: Step) -> str:
    """The id of a step on the page of lessons."""
    return f'{lesson.id}.{step.id}'


def learn(visitor: Visitor, game: Game, begun: Mapping[str, Progress], played: Sequence[str]) -> str:
    """The page. `begun`: by lesson the visitor's own that still goes on; `played`: the lessons that the
    visitor has finished."""
    title = words('web.learn.title', game=game.title)
    found = lessons(game.name)
    content = h.div('.wrap')[
        bar('play', visitor.name),
        h.main('.reading.learn')[
            h.h1[title],
            h.p[words('web.learn.intro')] if found else h.p[words('web.learn.none')],
            [_lesson(game, one, begun.get(one.id), one.id in played) for one in found],
            h.p('.after')[
                h.a(href=f'/games/{game.name}/rules')[words('web.rules.rules.head', game=game.title)],
                ' · ',
                h.a(href=f'/games/{game.name}/puzzles')[words('web.puzzles.of', game=game.title)],
            ],
            table_form(game, 'bot', words('web.rules.play', game=game.title), 'robot', ''),
        ],
    ]
    return page(
        title,
        content,
        classes='lobby',
        script='rules.js',
        style='rules.css',
        theme=visitor.preferences.theme,
    )


def _lesson(game: Game, lesson: Lesson, progress: Progress | None, done: bool) -> h.Element:
    label = words('web.learn.begin')
    if progress:
        label = words('web.learn.go_on', step=progress.step + 1, of=len(lesson.steps))
    elif done:
        label = words('web.learn.again')
    return h.section('.lesson-card', id=lesson.id)[
        h.h2[lesson.title, done and h.span('.count')[icon('check', 14), words('web.learn.done')]],
        h.p[lesson.about],
        lesson_form(lesson, label, 'main'),
        h.details(open=False)[
            h.summary[words('web.learn.steps', n=len(lesson.steps))],
            h.ol[[_step(game, lesson, number, step) for number, step in enumerate(lesson.steps)]],
        ],
    ]


def _step(game: Game, lesson: Lesson, number: int, step: Step) -> h.Element:
    rule = address_of(game, step.rule)
    return h.li(id=anchor(lesson, step))[
        h.p[lesson.said(step)],
        h.div('.ways')[
            lesson_form(lesson, words('web.learn.from_here'), 's', number),
            rule and h.a(href=rule)[words('web.lesson.rule')],
        ],
    ]


def lesson_form(lesson: Lesson, label: str, classes: str, step: int | None = None) -> h.Element:
    """The button that opens a lesson, at a step or where it was left."""
    at = words('web.learn.of', title=lesson.title)
    if step is not None:
        at = words('web.learn.of_step', title=lesson.title, step=step + 1)
    return h.form(method='post', action='/lessons')[
        h.input(type='hidden', name='game', value=lesson.game),
        h.input(type='hidden', name='lesson', value=lesson.id),
        step is not None and h.input(type='hidden', name='step', value=str(step)),
        h.button(class_=f'btn {classes}', type='submit')[icon('play', 18), label, h.span('.unseen')[at]],
    ]
