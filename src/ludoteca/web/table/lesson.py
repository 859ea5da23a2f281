"""The strip of a lesson above the board: what is said, how far it has come, and the ways on and back."""

from __future__ import annotations

import json
from typing import Any

from ludoteca.game import Game
from ludoteca.text import words
from ludoteca.web.layout import button, h, icon
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
        found.append(_main('web.lesson.play_on', 'robot', 'play_on', view.step))
    elif view.reads:
        found.append(_main('web.lesson.next', 'next', 'next', view.step))
    return found


def _main(key: str, icon_name: str, way: str, step: int) -> h.Element:
    """The way on, which Enter goes, too."""
    more = {'data-act': 'lesson', 'data-way': way, 'data-key': 'Enter', 'data-step': str(step)}
    return h.button('#lesson-on.btn.main', type='button', **more)[icon(icon_name), words(key), h.kbd['⏎']]
