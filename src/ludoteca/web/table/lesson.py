"""The strip of a lesson above the board: what is said, how far it has come, and the ways on and back."""

from __future__ import annotations

import json
from typing import Any

from ludoteca.game import Game
from ludoteca.lessons import lesson_of
from ludoteca.puzzles import puzzles
from ludoteca.text import words
from ludoteca.web.html.layout import button, h, icon
from ludoteca.web.table.model import LessonView, TableView


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
        h.div('.lesson-acts')[_acts(table.game, view)],
    ]


def leave(href: str) -> h.Element:
    """The cross in the corner of the card."""
    label = words('web.lesson.leave')
    return h.a('#lesson-leave.ibtn', href=href, aria_label=label, title=label)[icon('close')]


def _acts(game: Game, view: LessonView) -> list[h.Node]:
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
        found.append(_main('web.lesson.next', 'next', 'next', view.step))
    return found


def _after_last(game: Game, view: LessonView) -> list[h.Node]:
    """The ways on from the last step: the next lesson; after the last lesson the match itself, or puzzles."""
    if not view.following:
        return [
            bool(puzzles(game.name))
            and h.a('#lesson-puzzles.btn', href=f'/games/{game.name}/puzzles')[words('web.puzzles.title')],
            _main('web.lesson.play_on', 'robot', 'play_on', view.step),
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


def _main(key: str, icon_name: str, way: str, step: int) -> h.Element:
    """The way on, which Enter goes, too."""
    more = {'data-act': 'lesson', 'data-way': way, 'data-key': 'Enter', 'data-step': str(step)}
    return h.button('#lesson-on.btn.main', type='button', **more)[icon(icon_name), words(key), h.kbd['⏎']]
