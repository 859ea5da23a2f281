"""The strip of an exercise above the board: what is sought, what became of the answer, and the ways on. It
looks as the strip of a lesson does."""

from __future__ import annotations

from typing import Any

from ludoteca.text import words
from ludoteca.web.html.layout import button, h, icon
from ludoteca.web.table.lesson import leave
from ludoteca.web.table.model import ExerciseView, TableView

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
        h.div('.lesson-acts')[_acts(table.game.name, view)],
    ]


def _acts(game: str, view: ExerciseView) -> list[h.Node]:
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
        found.append(_main('web.exercise.again', 'undo', 'again', view.task))
    elif view.goes_on:
        found.append(_main('web.lesson.next', 'next', 'on', view.task))
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


def _main(key: str, icon_name: str, way: str, task: int) -> h.Element:
    """The way on, which Enter goes, too."""
    more = {'data-act': 'exercise', 'data-way': way, 'data-key': 'Enter', 'data-step': str(task)}
    return h.button('#lesson-on.btn.main', type='button', **more)[icon(icon_name), words(key), h.kbd['⏎']]
