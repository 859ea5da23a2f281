"""Lessons as data: a game's `lessons.toml` has what happens, its `en.toml` has what is said.

A lesson is a set-up with a fixed seed, the turns that lead to its beginning, and its steps. A step without a
move is read and continued; one with a move waits for this move. The words of a step are those under
`lesson.<lesson>.<step>.` in the game's catalogue.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from ludoteca.game import Game, GameError, load
from ludoteca.match import BOT, Seat, Setup
from ludoteca.search import LEVELS
from ludoteca.text import words

FILE = 'lessons.toml'
COACHED = 3
"""For so many turns after a lesson a line of advice stays: `lesson.<lesson>.coach.1` to `.3`."""


@dataclass(frozen=True)
class When:
    """Which moves are meant. All that is given must hold; nothing given: every move.

    `like`: the name of the turn fits one of these patterns (`*` and `?` as in file names). `event`: an event
    of this kind happens in it. `scores`: it brings at least so many points.
    """

    like: tuple[str, ...] = ()
    event: str = ''
    scores: float = 0.0

    def fits(self, name: str, events: tuple[str, ...], gained: float) -> bool:
        """Is a complete turn meant? `events` are the kinds of its events, `gained` the points it brought."""
        named = not self.like or any(fnmatchcase(name, pattern) for pattern in self.like)
        return named and (not self.event or self.event in events) and gained >= self.scores

    def may_become(self, begun: str) -> bool:
        """Can a turn that is meant begin with these steps? True where their names alone do not tell."""
        count = len(begun.split())
        heads = (' '.join(pattern.split()[:count]) for pattern in self.like)
        return not self.like or any(fnmatchcase(begun, head) for head in heads)


@dataclass(frozen=True)
class Comment:
    """What is said to a move that is not the step's own; `say` is the last part of the key of the words."""

    when: When
    say: str


@dataclass(frozen=True)
class LessonStep:
    """One step: what it points at (ids of targets or of explained elements), the paragraph of the rulebook
    that it shows, the pupil's move ('' for a step that is only read), and the turns of the others after it.

    A move in `accept` is a good one too: it is played, its reason is said, and the lesson goes back to its
    own move. A move in `refuse` is answered with its own reason, every other one with the words `other`.
    """

    id: str
    points: tuple[str, ...] = ()
    rule: str = ''
    play: str = ''
    replies: tuple[str, ...] = ()
    accept: tuple[Comment, ...] = ()
    refuse: tuple[Comment, ...] = ()
    # may the pupil make the same steps in any order?
    free: bool = False


@dataclass(frozen=True)
class Lesson:
    """One lesson of a game. `seat` is the pupil's; `before` are the turns that lead to the first step."""

    game: str
    id: str
    seed: int
    players: int
    options: Mapping[str, Any]
    seat: int
    before: tuple[str, ...]
    steps: tuple[LessonStep, ...]

    def __hash__(self) -> int:
        return hash((self.game, self.id, self.seed))

    def setup(self, seats: tuple[Seat, ...] = (), colours: tuple[str, ...] = ()) -> Setup:
        """The set-up of a match that is this lesson; without `seats` bots sit at all seats but the pupil's.
        Raises GameError if the game knows no such set-up."""
        level = next(iter(LEVELS))
        seats = seats or tuple(
            Seat() if seat == self.seat else Seat(kind=BOT, level=level) for seat in range(self.players)
        )
        found = Setup.new(self.game, self.players, self.options, seats, self.seed, colours)
        return Setup(**{one.name: getattr(found, one.name) for one in fields(found)} | {'lesson': self.id})

    def said(self, step: LessonStep, key: str = 'say') -> str:
        """Words of a step. Raises KeyError if there are none."""
        return load(self.game).words(f'lesson.{self.id}.{step.id}.{key}')

    @property
    def title(self) -> str:
        """The title."""
        return load(self.game).words(f'lesson.{self.id}.title')

    @property
    def about(self) -> str:
        """One sentence: what is learnt."""
        return load(self.game).words(f'lesson.{self.id}.about')

    def coach(self, turn: int) -> str:
        """The advice for a turn after the lesson, from 0; '' when there is no more."""
        return load(self.game).words(f'lesson.{self.id}.coach.{turn + 1}') if 0 <= turn < COACHED else ''


@cache
def lessons(name: str) -> tuple[Lesson, ...]:
    """The lessons of a game in their order; none for a game without a file, and with a component set. Raises
    GameError if the file is not as it must be."""
    path = Path(load(name).folder, FILE)
    if not path.exists() or load(name).component_set is not None:  # they tell of printed values
        return ()
    try:
        found = tomllib.loads(path.read_text(encoding='utf-8'))
        return tuple(_lesson(load(name), one) for one in found['lesson'])
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as problem:
        raise GameError(words('lesson.error.file', game=name, problem=problem)) from problem


def lesson_of(game: str, lesson: str) -> Lesson:
    """A lesson by its id. Raises GameError if there is none."""
    found = next((one for one in lessons(game) if one.id == lesson), None)
    if found is None:
        known = ', '.join(one.id for one in lessons(game)) or words('game.none')
        raise GameError(words('lesson.error.unknown', game=load(game).title, lesson=lesson[:40], known=known))
    return found


def _lesson(game: Game, data: Mapping[str, Any]) -> Lesson:
    known = {'id', 'seed', 'players', 'options', 'seat', 'before', 'step'}
    if extra := set(data) - known:
        raise ValueError(', '.join(sorted(extra)))
    return Lesson(
        game.name,
        data['id'],
        data['seed'],
        data.get('players', game.players[0]),
        data.get('options', {}),
        data.get('seat', 0),
        tuple(data.get('before', ())),
        tuple(_step(one) for one in data['step']),
    )


def _step(data: Mapping[str, Any]) -> LessonStep:
    given: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}
    for name in ('accept', 'refuse'):
        given[name] = tuple(map(_comment, data.get(name, ())))
    return LessonStep(**given)


def _comment(data: Mapping[str, Any]) -> Comment:
    given: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in data.items() if name != 'say'
    }
    return Comment(When(**given), data['say'])
