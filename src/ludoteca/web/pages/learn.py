"""The lessons: those of all games with what is done, and the page of one game with all their steps."""

from __future__ import annotations

from ludoteca.game import Game
from ludoteca.lessons import Lesson, LessonStep, lessons
from ludoteca.puzzles import puzzles
from ludoteca.text import words
from ludoteca.web.html.layout import bar, footer, h, icon, page
from ludoteca.web.html.rulebook import address_of
from ludoteca.web.live.guide import Learnt
from ludoteca.web.offers.catalogue import all_games
from ludoteca.web.pages.controls import table_form
from ludoteca.web.people.visitors import Visitor


def anchor(lesson: Lesson, step: LessonStep) -> str:
    """The id of a step on the page of a game's lessons."""
    return f'{lesson.id}.{step.id}'


def index(visitor: Visitor, learnt: Learnt) -> str:
    """All games with their lessons."""
    games = all_games()
    content = h.main('.reading.learn')[
        h.h1[words('web.nav.learn')],
        h.p[words('web.learn.intro')],
        [_game(game, learnt) for game in games if lessons(game.name)],
    ]
    return _page(visitor, words('web.nav.learn'), content, footer(games))


def of_one(visitor: Visitor, game: Game, learnt: Learnt) -> str:
    """The lessons of a game with all their steps."""
    title = words('web.learn.title', game=game.title)
    known = lessons(game.name)
    content = h.main('.reading.learn')[
        h.h1[title],
        h.p[words('web.learn.intro')] if known else h.p[words('web.learn.none')],
        [_lesson(game, lesson, learnt) for lesson in known],
        h.p('.after')[h.a(href='/learn')[words('web.learn.all')], _elsewhere(game)],
        table_form(game, 'bot', words('web.rules.play', game=game.title), 'robot', ''),
    ]
    return _page(visitor, title, content)


def _page(visitor: Visitor, title: str, *content: h.Element) -> str:
    shell = h.div('.wrap')[bar('learn', visitor.name), content]
    theme = visitor.preferences.theme
    return page(title, shell, classes='lobby', script='rules.js', style='rules.css', theme=theme)


def _elsewhere(game: Game) -> h.Node:
    """Links to the rules and the puzzles of a game."""
    return [
        h.a(href=f'/games/{game.name}/rules')[words('web.rules.rules.head', game=game.title)],
        bool(puzzles(game.name))
        and h.a(href=f'/games/{game.name}/puzzles')[words('web.puzzles.of', game=game.title)],
    ]


# ---- all games ---------------------------------------------------------------------------------------------


def _game(game: Game, learnt: Learnt) -> h.Element:
    known = lessons(game.name)
    count = words('web.learn.count', done=learnt.count(game.name), of=len(known))
    return h.section('.course', id=game.name)[
        h.header('.spine')[
            h.img(src=f'/games/{game.name}/badge.svg', alt='', width='72', height='72', loading='lazy'),
            h.div[
                h.h2[h.a(href=f'/games/{game.name}/learn')[game.title]],
                h.p[count],
            ],
        ],
        h.ol[[_row(lesson, learnt) for lesson in known]],
        h.p('.after')[_elsewhere(game)],
    ]


def _row(lesson: Lesson, learnt: Learnt) -> h.Element:
    done = learnt.is_done(lesson)
    following = learnt.following(lesson.game) == lesson
    return h.li(class_='done' if done else None)[
        h.span('.tick')[done and icon('check', 16, words('web.learn.done'))],
        h.div[h.h3[lesson.title], h.p[lesson.about]],
        lesson_form(lesson, _label(lesson, learnt), 'main' if following else ''),
    ]


# ---- one game ----------------------------------------------------------------------------------------------


def _label(lesson: Lesson, learnt: Learnt) -> str:
    """The label of the button that opens a lesson."""
    begun, last = learnt.begun(lesson), len(lesson.steps) - 1
    if begun and 0 < begun.step < last:
        return words('web.learn.go_on', step=begun.step + 1)
    return words('web.learn.again' if learnt.is_done(lesson) else 'web.learn.begin')


def _lesson(game: Game, lesson: Lesson, learnt: Learnt) -> h.Element:
    done = learnt.is_done(lesson)
    return h.section('.lesson-card', id=lesson.id)[
        h.h2[lesson.title, done and h.span('.count')[icon('check', 14), words('web.learn.done')]],
        h.p[lesson.about],
        lesson_form(lesson, _label(lesson, learnt), 'main'),
        h.details(open=False)[
            h.summary[words('web.learn.steps', n=len(lesson.steps))],
            h.ol[[_step(game, lesson, number, step) for number, step in enumerate(lesson.steps)]],
        ],
    ]


def _step(game: Game, lesson: Lesson, number: int, step: LessonStep) -> h.Element:
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
        h.button(class_=f'btn {classes}'.strip(), type='submit')[
            icon('play', 18), label, h.span('.unseen')[at]
        ],
    ]
