"""The strips above the board: a lesson with its ways on and back, or an exercise with what became of the
answer."""

from __future__ import annotations

import json
from typing import Any

from ludoteca.game import Game
from ludoteca.lessons import lesson_of
from ludoteca.puzzles import puzzles
from ludoteca.text import words
from ludoteca.web.html.layout import button, h, icon
from ludoteca.web.table.model import ExerciseView, LessonView, TableView


def no_lesson() -> h.Element:
    """The card when a lesson is over."""
    return h.section('#lesson.lesson', hidden=True)


def lesson(table: TableView) -> h.Element:
    """The strip of the table's lesson."""
    view = table.lesson
    if view is None or view.coach >= 0:
        return no_lesson()
    label = words('web.lesson.label', title=view.title)
    done = words('web.lesson.step', step=view.step + 1, of=view.of)
    return h.section(
        '#lesson.lesson',
        aria_label=label,
        **{'data-points': json.dumps(view.points), 'data-step': str(view.step)},
    )[
        h.div('.lesson-head')[
            h.strong[view.title],
            h.span[done],
            h.progress(max=str(view.of), value=str(view.step + 1), aria_label=done),
        ],
        h.div('.lesson-text')[
            h.p('.said', aria_live='polite')[view.say],
            # said already by the bubble at the board
            view.answer and h.p('.answered')[icon('info', 16), h.span[view.answer]],
        ],
        h.div('.lesson-acts')[_lesson_acts(table.game, view)],
    ]


def leave(href: str) -> h.Element:
    """The cross in the corner of the card."""
    label = words('web.lesson.leave')
    return h.a('#lesson-leave.ibtn', href=href, aria_label=label, title=label)[icon('close')]


def _lesson_acts(game: Game, view: LessonView) -> list[h.Node]:
    step: dict[str, Any] = {'data_step': str(view.step)}
    found: list[h.Node] = [
        button(
            words('web.lesson.back'),
            'prev',
            '',
            fold=True,
            id='lesson-back',
            data_act='lesson',
            data_way='back',
            **step,
        ),
        view.step > 1
        and not view.last
        and button(
            words('web.lesson.repeat'),
            'first',
            '',
            fold=True,
            id='lesson-repeat',
            data_act='lesson',
            data_way='repeat',
            **step,
        ),
        view.rule
        and h.a(
            '#lesson-rule.btn.fold',
            href=view.rule,
            target='_blank',
            aria_label=words('web.lesson.rule'),
            title=words('web.lesson.rule'),
        )[icon('rules')],
        leave(f'/games/{game.name}/learn'),
    ]
    if view.step == 0:
        found = found[1:]
    if view.last:
        found += _after_last(game, view)
    elif view.reads:
        found.append(_lesson_main('web.lesson.next', 'next', 'next', view.step))
    return found


def _after_last(game: Game, view: LessonView) -> list[h.Node]:
    """The ways on from the last step: the next lesson; after the last lesson the match itself, or puzzles."""
    if not view.following:
        return [
            bool(puzzles(game.name))
            and h.a('#lesson-puzzles.btn', href=f'/games/{game.name}/puzzles')[words('web.puzzles.title')],
            _lesson_main('web.lesson.play_on', 'robot', 'play_on', view.step),
        ]
    following = lesson_of(game.name, view.following)
    title = words('web.learn.of', title=following.title)
    more: dict[str, Any] = {'data_act': 'lesson', 'data_way': 'play_on', 'data_step': str(view.step)}
    return [
        button(words('web.lesson.play_on'), '', '', id='lesson-play', **more),
        h.form(method='post', action='/lessons')[
            h.input(type='hidden', name='game', value=following.game),
            h.input(type='hidden', name='lesson', value=following.id),
            h.button('#lesson-on.btn.main', type='submit', **{'data-key': 'Enter'})[
                icon('next'),
                h.span[words('web.lesson.following'), h.span('.of')[title]],
                h.kbd['⏎'],
            ],
        ],
    ]


def _lesson_main(key: str, icon_name: str, way: str, step: int) -> h.Element:
    """The way on, which Enter goes, too."""
    more = {'data-act': 'lesson', 'data-way': way, 'data-key': 'Enter', 'data-step': str(step)}
    return h.button('#lesson-on.btn.main', type='button', **more)[icon(icon_name), words(key), h.kbd['⏎']]


SIGNS = {'wrong': 'close', 'solved': 'check', 'shown': 'hint'}


def exercise(table: TableView) -> h.Element:
    """The strip of the table's exercise; hidden for all but the one who does it."""
    view = table.exercise
    if view is None:
        return h.section('#lesson.lesson', hidden=True)
    sought = words('web.exercise.task', task=view.task + 1, of=view.of) if view.of > 1 else ''
    return h.section(
        '#lesson.lesson.exercise',
        aria_label=view.title,
        **{'data-step': str(view.task), 'data-kind': view.kind or 'open'},
    )[
        h.div('.lesson-head')[
            h.strong[view.title],
            sought and h.span[sought],
            sought and h.progress(max=str(view.of), value=str(view.task + 1), aria_label=sought),
        ],
        h.div('.lesson-text')[
            h.p('.said', aria_live='polite')[
                view.kind and h.span(class_=f'mark {view.kind}')[icon(SIGNS[view.kind], 18)], view.say
            ],
            view.more and h.p('.answered')[h.span[view.more]],
        ],
        h.div('.lesson-acts')[_exercise_acts(table.game.name, view)],
    ]


def _exercise_acts(game: str, view: ExerciseView) -> list[h.Node]:
    step: dict[str, Any] = {'data_act': 'exercise', 'data_step': str(view.task)}
    found: list[h.Node] = [
        view.kind in ('', 'wrong')
        and button(words('web.exercise.show'), 'hint', '', id='exercise-show', data_way='solution', **step),
        view.kind in ('solved', 'shown')
        and button(
            words('web.exercise.once_more'),
            'again',
            '',
            fold=True,
            id='exercise-again',
            data_way='again',
            **step,
        ),
        leave(view.back),
    ]
    if view.kind == 'wrong':
        found.append(_exercise_main('web.exercise.again', 'undo', 'again', view.task))
    elif view.goes_on:
        found.append(_exercise_main('web.lesson.next', 'next', 'on', view.task))
    elif view.puzzle and view.kind in ('solved', 'shown'):
        found.append(
            h.form(method='post', action='/puzzles')[
                h.input(type='hidden', name='game', value=game),
                h.input(type='hidden', name='after', value=view.puzzle),
                h.button('#lesson-on.btn.main', type='submit', **{'data-key': 'Enter'})[
                    icon('next'), words('web.exercise.next'), h.kbd['⏎']
                ],
            ]
        )
    return found


def _exercise_main(key: str, icon_name: str, way: str, task: int) -> h.Element:
    """The way on, which Enter goes, too."""
    more = {'data-act': 'exercise', 'data-way': way, 'data-key': 'Enter', 'data-step': str(task)}
    return h.button('#lesson-on.btn.main', type='button', **more)[icon(icon_name), words(key), h.kbd['⏎']]
