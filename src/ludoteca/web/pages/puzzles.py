"""The pages of puzzles: the one of the day, and those of each game by grade, with what was solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludoteca.game import Game, load
from ludoteca.puzzles import Puzzle, puzzles
from ludoteca.search import LEVELS
from ludoteca.store import PuzzleCard, PuzzleDays
from ludoteca.text import words
from ludoteca.web.html.layout import bar, h, icon, notice, page
from ludoteca.web.offers.catalogue import all_games
from ludoteca.web.pages.controls import lobby_page, of_game
from ludoteca.web.people.visitors import Visitor
from ludoteca.web.table.wording import level_word

FEW_DAYS = 2
"""Fewer days in a row are not worth a word."""


@dataclass(frozen=True)
class PuzzleProgress:
    """What a visitor has done with puzzles: the cards by id, the days in a row, and what time it is: seconds
    since 1970, and the day."""

    cards: Mapping[str, PuzzleCard] = field(default_factory=dict)
    days: PuzzleDays = field(default_factory=PuzzleDays)
    now: float = 0.0
    day: int = 0

    def solved(self, found: Sequence[Puzzle]) -> int:
        """How many of these puzzles were solved."""
        return sum(one.id in self.cards and self.cards[one.id].solved > 0 for one in found)

    def due(self, found: Sequence[Puzzle]) -> int:
        """How many of them have come back."""
        return sum(one.id in self.cards and self.cards[one.id].due <= self.now for one in found)


def index(visitor: Visitor, daily: Puzzle | None, done: PuzzleProgress) -> str:
    """All games and the puzzle of the day."""
    title = words('web.puzzles.title')
    run = done.days.current(done.day)
    content = h.main('.reading.puzzles')[
        h.h1[title],
        h.p[words('web.puzzles.intro')],
        run >= FEW_DAYS and h.p('.streak')[icon('check', 16), words('web.puzzles.run', n=run)],
        _daily(daily, done) if daily else None,
        h.ul('.plain.games-of')[[_row(game, done) for game in all_games() if puzzles(game.name)]],
    ]
    return _page(visitor, title, content)


def of_one(visitor: Visitor, game: Game, done: PuzzleProgress) -> str:
    """The puzzles of a game."""
    title, found = words('web.puzzles.of', game=game.title), puzzles(game.name)
    content = h.main('.reading.puzzles')[
        h.h1[title],
        h.p[words('web.puzzles.intro') if found else words('web.puzzles.none')],
        bool(found)
        and h.section('.lesson-card')[
            h.p[_count(found, done)],
            open_form(words('web.puzzles.begin'), 'main', of_game(game), game=game.name),
        ],
        [_grade(game, grade, done) for grade in LEVELS],
        h.p('.after')[
            h.a(href='/puzzles')[words('web.puzzles.title')],
            ' · ',
            h.a(href=f'/games/{game.name}/learn')[words('web.learn.title', game=game.title)],
            ' · ',
            h.a(href=f'/games/{game.name}/rules')[words('web.rules.rules.head', game=game.title)],
        ],
    ]
    return _page(visitor, title, content)


def dropped(visitor: Visitor, game: Game) -> str:
    """What is said of a puzzle that was dropped, and another one."""
    title = words('web.puzzles.dropped')
    content = notice(
        title,
        visitor.name,
        h.p[words('puzzle.error.dropped', game=game.title)],
        open_form(words('web.puzzles.begin'), 'main', of_game(game), game=game.name),
        h.p[h.a(href=f'/games/{game.name}/puzzles')[words('web.puzzles.more', game=game.title)]],
    )
    return lobby_page(visitor, title, content)


def _page(visitor: Visitor, title: str, content: h.Element) -> str:
    shell = h.div('.wrap')[bar('puzzles', visitor.name), content]
    theme = visitor.preferences.theme
    return page(title, shell, classes='lobby', script='rules.js', style='rules.css', theme=theme)


def _daily(puzzle: Puzzle, done: PuzzleProgress) -> h.Element:
    game, card = load(puzzle.game), done.cards.get(puzzle.id)
    solved = card is not None and card.solved > 0
    line = words('web.puzzles.daily_line', game=game.title, grade=level_word(puzzle.grade).lower())
    label = words('web.learn.again') if solved else words('web.puzzles.solve')
    return h.section('.lesson-card')[
        h.h2[
            words('web.puzzles.daily'),
            solved and h.span('.count')[icon('check', 14), words('web.learn.done')],
        ],
        h.p[line],
        solved and h.p[words('web.puzzles.solved_today')],
        open_form(label, '' if solved else 'main', words('web.learn.of', title=words('web.puzzles.daily'))),
    ]


def _row(game: Game, done: PuzzleProgress) -> h.Element:
    found = puzzles(game.name)
    return h.li('.spine')[
        h.img(src=f'/games/{game.name}/badge.svg', alt='', width='72', height='72', loading='lazy'),
        h.div[
            h.h2[h.a(href=f'/games/{game.name}/puzzles')[game.title]],
            h.p[_count(found, done)],
        ],
        open_form(words('web.puzzles.begin'), '', of_game(game), game=game.name),
    ]


def _count(found: Sequence[Puzzle], done: PuzzleProgress) -> str:
    due = done.due(found)
    back = words('web.puzzles.due_one') if due == 1 else words('web.puzzles.due', n=due)
    return ' · '.join(
        [words('web.puzzles.count', solved=done.solved(found), n=len(found)), *([back] if due else [])]
    )


def _grade(game: Game, grade: str, done: PuzzleProgress) -> h.Node:
    found = [one for one in puzzles(game.name) if one.grade == grade]
    if not found:
        return None
    name = level_word(grade)
    more = words('web.puzzles.of_grade', game=game.title, grade=name.lower())
    return h.section('.lesson-card', id=grade)[
        h.h2[name],
        h.p[_count(found, done)],
        open_form(words('web.puzzles.begin'), 's', more, game=game.name, grade=grade),
        h.details[
            h.summary[words('web.puzzles.all', n=len(found))],
            h.ul('.plain.grid')[[_one(one, number, done) for number, one in enumerate(found, 1)]],
        ],
    ]


def _one(puzzle: Puzzle, number: int, done: PuzzleProgress) -> h.Element:
    card = done.cards.get(puzzle.id)
    state = ''
    if card is not None:
        back = card.due <= done.now
        state = words(f'web.puzzles.is_{"due" if back else "solved" if card.solved else "failed"}')
    many = words('web.puzzles.turns', n=puzzle.turns) if puzzle.turns > 1 else ''
    return h.li[
        open_form(words('web.puzzles.number', n=number), 's', '', puzzle=puzzle.id),
        h.span[' · '.join(filter(None, (many, state)))],
    ]


def open_form(label: str, classes: str, more: h.Node, **given: str) -> h.Element:
    """The button that opens a puzzle: one by its id, or the next one of a game; else that of the day."""
    return h.form(method='post', action='/puzzles')[
        [h.input(type='hidden', name=name, value=value) for name, value in given.items()],
        h.button(class_=f'btn {classes}', type='submit')[
            icon('play', 18), label, more and (h.span('.unseen')[more] if isinstance(more, str) else more)
        ],
    ]
