"""What a table page shows, as plain data: the seats, and the match as one visitor sees it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

from ludoteca.game import Game, Value, View
from ludoteca.match import PERSON, Match, deal_colours
from ludoteca.search import LEVELS, offered
from ludoteca.store import ChatLine, Favourite
from ludoteca.text import isolated, words
from ludoteca.web.html.layout import Markup
from ludoteca.web.people.preferences import Preferences

Notes = Mapping[str, tuple[str, ...]]
"""By element of the drawing the labels that a seat has pencilled there."""


@dataclass(frozen=True)
class SeatLabel:
    """A seat as pages name it."""

    name: str
    kind: str  # person, bot, open; analyst: whoever plays all sides
    level: str = ''
    mine: bool = False
    away: float = 0.0  # since when, in seconds since 1970; 0: is not away
    colour: str = ''  # the colour of the seat; before the match begins, the one that was chosen for it


@dataclass(frozen=True)
class LessonView:
    """What a lesson tells its pupil: the number of its step from 0, and of how many; what is said, and what
    was said to the last choice ('' for nothing); what it points at; the address of the rule that it shows.

    `reads`: is the step only to be read? `coach`: the turns since the pupil plays on; -1 while the lesson
    goes on. `following`: at the last step the id of the game's next lesson, '' if there is none."""

    title: str
    step: int
    of: int
    say: str
    answer: str = ''
    points: tuple[str, ...] = ()
    rule: str = ''
    reads: bool = False
    last: bool = False
    coach: int = -1
    following: str = ''


@dataclass(frozen=True)
class ExerciseView:
    """What an exercise tells: which task (from 0) of how many; `kind`: '' nothing is answered, 'wrong',
    'solved', 'shown'; what is said, and more about it. `puzzle`: the id of the puzzle; '' for other
    exercises. `reads`: is an answer on the board? `goes_on`: is there a next task after one that was
    shown? `back`: the page that it was opened from. `unplayed`: the turn that the board shows although the
    match stays before it, as it would end the game."""

    title: str
    task: int
    of: int
    kind: str
    say: str
    more: str = ''
    puzzle: str = ''
    reads: bool = False
    goes_on: bool = False
    back: str = '/'
    unplayed: str = ''


@dataclass(frozen=True)
class TableView:
    """A table as one visitor sees it."""

    id: str
    match: Match
    seat: int  # the seat that the visitor looks from
    mine: tuple[int, ...]  # all seats of the visitor
    labels: tuple[SeatLabel, ...]
    preferences: Preferences = field(default_factory=Preferences)
    chat: tuple[ChatLine, ...] = ()
    thinking: frozenset[int] = frozenset()  # the seats of bots at work
    rematch: str = ''  # the address of the next match
    draw: Callable[[View], str] | None = None  # draws with a memory; None: every drawing is made anew
    # remembers parts of the page; None: every part is made anew (see TableCache.part)
    remember: Callable[[Hashable, object, Callable[[], str]], Markup] | None = None
    notes: Notes = field(default_factory=dict)  # of the seat
    favourites: tuple[Favourite, ...] = ()  # arrangements of the visitor that fit now
    shared: bool = False  # do several people with secrets from each other share the screen?
    handover: str = ''  # the name of the person who comes to the screen next
    hints: bool = True  # may hints be asked for?
    coached: bool = False  # does the coach speak?
    people: bool = False  # do several people play each other?
    watching: int = 0  # how many look on
    preparing: float = -1.0  # how much is compiled of what a strong bot waits for, 0..1; -1: no bot waits
    begins: str = ''  # who began the match and why, in words; '' if there is no reason to name
    lesson: LessonView | None = None  # for the pupil of a lesson
    exercise: ExerciseView | None = None  # for whoever does it
    # by colour what was won in this match and in those before it; empty unless it is a rematch
    score: Mapping[str, float] = field(default_factory=dict)
    series: int = 0  # which game of a best of three it is; 0: of none
    series_goes_on: bool = False  # is there another one?
    asks_sound: bool = False  # has the visitor still to say whether sounds are wanted?
    analysis: int = -1  # on a board for analysis the number of the node; -1: at a table

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.match.game

    @property
    def knows(self) -> int | None:
        """The seat whose knowledge the page shows; None in games without secrets, where all know the same."""
        return self.seat if self.game.hidden else None

    @property
    def said(self) -> list[object]:
        """All that the page says, to be compared: the fields, and how far the match has come."""
        values = [value for name in SAID if not callable(value := getattr(self, name))]
        return [*values, self.match.version(self.seat), len(self.match.entries)]

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of all seats."""
        return self.match.colours

    @property
    def scripted(self) -> bool:
        """Does a lesson or an exercise go on, in which one can only play, take back and go on?"""
        return self.exercise is not None or (self.lesson is not None and self.lesson.coach < 0)

    @property
    def acts(self) -> bool:
        """Can the seat choose something now?"""
        return self.seat >= 0 and self.match.may_choose(self.seat)

    @property
    def won(self) -> bool:
        """Has the visitor won, alone or with others? Not where a bot has played on for the visitor."""
        result, seats = self.match.result, self.match.seats
        return result is not None and any(
            seat in self.mine and seats[seat].kind == PERSON for seat in result.winners
        )

    @property
    def next_level(self) -> str:
        """Where the visitor has played against bots alone, the level to try next: after a win the one above
        that of the strongest bot, after a defeat the one below; '' if there is none."""
        others, names = [label for label in self.labels if not label.mine], list(LEVELS)
        result = self.match.result
        if not result or not self.mine or not others or any(one.level not in names for one in others):
            return ''
        strongest = max(names.index(label.level) for label in others)
        there = offered(self.game, len(self.labels))
        if self.won:
            return next((name for name in there if names.index(name) > strongest), '')
        return next((name for name in reversed(there) if names.index(name) < strongest), '')

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all seats."""
        return tuple(self.name(seat) for seat in range(len(self.labels)))

    def name(self, seat: int) -> str:
        """The name of a seat as a part of a sentence; without one, the word for its colour."""
        return isolated(self.labels[seat].name) or words(f'colour.{self.colours[seat]}')

    def part(self, place: Hashable, said: object, make: Callable[[], str]) -> Markup:
        """A part of the page, made anew if what it says has changed. `place`: what it is; `said`: all that
        its text depends on. What other seats may not know is part of neither."""
        return self.remember(place, said, make) if self.remember else Markup(make())

    def drawing(self, view: View) -> str:
        """The drawing of the position."""
        return self.draw(view) if self.draw else self.game.draw(view, 'page')


SAID = tuple(one.name for one in fields(TableView))


@dataclass(frozen=True)
class WaitingTable:
    """A table without a match, as one visitor sees it."""

    id: str
    game: Game
    labels: tuple[SeatLabel, ...]
    host: bool  # may the visitor make links?
    seated: bool
    listed: bool
    link: str  # the address that seats a whole group, for the host alone
    picture: str  # the address of the picture
    chat: tuple[ChatLine, ...] = ()
    closed: str = ''  # a sentence: why the match will not begin
    options: Mapping[str, Value] = field(default_factory=dict)  # those that differ from their defaults
    inviter: str = ''  # who has opened the table
    hints: bool = False  # may those who play each other ask for hints?

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of all seats, as they are if nobody chooses another one and nothing is drawn."""
        return deal_colours(self.game.colours(len(self.labels)), [label.colour for label in self.labels])


def with_names(view: View, names: tuple[str, ...]) -> View:
    """The view with the names that the visitor sees."""
    return replace(view, names=names)


def seat_view(table: TableView) -> View:
    """The present position, as the visitor sees it. Marks show all turns of others since the visitor's own
    last turn."""
    match, seat, settings = table.match, table.seat, table.preferences.drawing
    if table.exercise and table.exercise.unplayed:
        after = match.copy()
        after.act(seat, None, table.exercise.unplayed, keep=0)
        # with `at` by what the seat knows: without it a match that is over hides nothing
        view = after.view(seat, at=after.turns, settings=settings)
        return replace(view, names=table.names, notes=table.notes)
    view, sealed = match.view(seat, settings=settings), match.sealed(seat)
    # a sealed step is played when all have sealed; until then it is shown as about to be done
    actions = (sealed,) if sealed is not None else view.actions if table.acts else ()
    return replace(view, actions=actions, last=match.recent(seat), names=table.names, notes=table.notes)
