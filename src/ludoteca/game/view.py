"""The plain data with which a game answers a page, and `View`: all that a game may know when it draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Self

from ludoteca.drawing.palette import PLAYERS
from ludoteca.text import Words

COLOURS = tuple(PLAYERS)
"""The palette's names of the colours that players can have, in the order in which seats get them if nobody
chooses."""


Sound = Literal['wood', 'tile', 'bronze', 'draw']
"""The sounds that a page can make: something of that material is put down or struck, or lots are drawn."""


class Ghost(NamedTuple):
    """A preview of what an action would do: a symbol of the drawing with a transform, or the path (SVG data)
    that a piece would travel, or a short text such as '+1'. `glow` are lines (SVG path data, `M…L…` each)
    that would light up, `gains` what seats would get, each as a seat and a short text; they are shown as
    badges in the seats' colours."""

    symbol: str = ''
    transform: str = ''
    path: str = ''
    text: str = ''
    glow: str = ''
    gains: tuple[tuple[int, str], ...] = ()


class Target(NamedTuple):
    """One thing to click: `el:<id>` an element of the drawing or of a card, `do:<id>` a button of the prompt,
    or `at:<x>,<y>` a point in the drawing's units, where the middle of the ghost lies: what is held snaps to
    the nearest such point. Actions with equal targets are variants of each other (a tile's rotations): the
    page turns from one to the next, and flips if their ghosts' transforms do. The transform of a ghost on a
    point is `translate(x y)`, then ` rotate(degrees)` if it is turned, then ` scale(-1 1)` if it was flipped
    over before."""

    id: str
    ghost: Ghost | None = None


@dataclass(frozen=True)
class Shortcut:
    """A whole turn that can be chosen at once, by other targets than those of its steps: `steps` are names of
    actions, legal one after another, of which the last ends the turn. Shortcuts with equal targets are
    variants of each other."""

    steps: tuple[str, ...]
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Event:
    """Something that happened, as data. `kind` and `values` choose and fill the sentence among the game's
    words (`event.<kind>`); `elements` are ids in the drawing; `way` are the points (in the drawing's units)
    that a piece travelled.

    `flights`: what goes from one place to another over the whole page, each as the id of an element as it was
    drawn before and the id of one as it is drawn after, in the drawing, a panel or a card. Where one of the
    two is not to be seen, the heading of the seat's panel stands for it. The viewer's own pages must have all
    these ids.

    `gains`: the points that it brings (or, below zero, costs), each as a seat and how many. Those of all
    events of an action add up to the difference that it makes to the scores."""

    kind: str
    seat: int
    values: Mapping[str, str | int] = field(default_factory=dict)
    elements: tuple[str, ...] = ()
    way: tuple[tuple[float, float], ...] = ()
    piece: str = ''  # id of the element that travels the way
    flights: tuple[tuple[str, str], ...] = ()
    gains: tuple[tuple[int, float], ...] = ()

    def json(self) -> dict[str, Any]:
        """The event as plain data for pages and programs."""
        return {
            'kind': self.kind,
            'seat': self.seat,
            'values': dict(self.values),
            'elements': list(self.elements),
            'way': [list(p) for p in self.way],
            'piece': self.piece,
            'flights': [list(ends) for ends in self.flights],
            'gains': [list(gain) for gain in self.gains],
        }


@dataclass(frozen=True)
class Reason:
    """Why one turn is better than another one, or what a player should notice before a turn, as data. `kind`
    chooses the sentence among the game's words (`reason.<kind>`, `alert.<kind>`), `numbers` and `names` fill
    it. `n` among the numbers is what the turn brings, `other` what the other one brings; both can be counted
    on the board. Among several reasons the one with the largest `weight` says most. `targets`: the ids of
    `Target` that it is about."""

    kind: str
    weight: float
    numbers: Mapping[str, float] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """The reason as plain data for pages and programs."""
        return {
            'kind': self.kind,
            'weight': round(self.weight, 4),
            'numbers': dict(self.numbers),
            'targets': list(self.targets),
            'names': dict(self.names),
        }


@dataclass(frozen=True)
class Button:
    """A button of the prompt: id as in `do:<id>`, its words, and the key that presses it ('' for none).
    `steps`: it stands for no action of its own, but for these (names, legal one after another), which are
    played at once."""

    id: str
    label: str
    key: str = ''
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """The line above the board: what to do now, what else can be done, the game's own buttons, and the
    chapter of the rulebook that is about this choice (as in `Explanation`, '' for none)."""

    text: str
    help: str = ''
    buttons: tuple[Button, ...] = ()
    chapter: str = ''


@dataclass(frozen=True)
class Explanation:
    """What a thing of a drawing, a card or a panel is: a title, one to three sentences that say what it is,
    whose, and what it does in this position, and the chapter or paragraph of the rulebook that says more (as
    in `Card.chapter`, '' for none)."""

    title: str
    text: str
    chapter: str = ''

    @classmethod
    def of(cls, say: Words, key: str, *more: str, chapter: str = '', **values: object) -> Self:
        """The words under `about.<key>.title` and `about.<key>.text`, with further sentences after them
        ('': none)."""
        text = say(f'about.{key}.text', **values)
        return cls(say(f'about.{key}.title', **values), ' '.join(filter(None, (text, *more))), chapter)

    @classmethod
    def of_button(cls, say: Words, target: str, chapters: Mapping[str, str]) -> Self | None:
        """What a button of the prompt does, by its target `do:<id>`: the words under `about.do-<id>`.
        `chapters` holds the chapter of each button by `do-<id>`. None for a button that is not in it."""
        key = target.replace(':', '-', 1)
        return cls.of(say, key, chapter=chapters[key]) if key in chapters else None


class Refusal(str):
    """One sentence: why clicks make no action. `chapter`: the chapter or paragraph of the rulebook that has
    the rule (as in `Explanation`), '' for none."""

    __slots__ = ('chapter',)
    chapter: str

    def __new__(cls, text: str, chapter: str = '') -> Self:
        made = super().__new__(cls, text)
        made.chapter = chapter
        return made


def refusals(say: Words, chapters: Mapping[str, str]) -> Callable[..., Refusal]:
    """A function that makes a refusal from its key, such as `why.no_pass`. `chapters` holds the chapters of
    sentences that come from a rule, by the key without `why.`."""

    def why(key: str, **values: object) -> Refusal:
        return Refusal(say(key, **values), chapters.get(key.removeprefix('why.'), ''))

    return why


@dataclass(frozen=True)
class PanelRow:
    """One labelled value of a player's panel, with an optional small drawing (SVG text). `brief`: others play
    against it, so a folded panel shows it, too. `fold`: only a panel that was opened by hand shows it.
    `about`: the element that explains it (`Explanations`)."""

    label: str
    value: str
    drawing: str = ''
    fold: bool = False
    about: str = ''
    brief: bool = False


@dataclass(frozen=True)
class Panel:
    """What a player has. `colour` is a name of the palette; `pips` are how many things a player has and how
    many are wanted (runners home)."""

    seat: int
    colour: str
    side: str
    rows: tuple[PanelRow, ...] = ()
    pips: tuple[int, int] | None = None


@dataclass(frozen=True)
class Card:
    """Something beside the board that belongs to the position: a title, a quiet remark after it, and a
    drawing (SVG text, by the rules of `draw`; things in it that can be clicked carry `data-target`, and
    `data-key` if a key presses them). `tray`: what is laid or used now is picked there, or it has the sums of
    the end, so it stays in sight. `cells`: drawings of equal size above it, which a page
    lays in rows of six, or on a phone in one line. `footnote`: a remark below the drawing that leads to the
    `chapter` of the rulebook (a heading of it in small letters, words joined by `-`)."""

    id: str
    title: str
    note: str = ''
    drawing: str = ''
    tray: bool = False
    footnote: str = ''
    chapter: str = ''
    cells: tuple[str, ...] = ()

    @property
    def drawings(self) -> tuple[str, ...]:
        """All drawings of the card."""
        return (*self.cells, self.drawing) if self.drawing else self.cells


@dataclass(frozen=True)
class Place:
    """A thing of the board or of a card as it is read instead of seen: `targets` are the ids of `Target` that
    it stands for, what lies on top first; `name` is short (a coordinate), `text` what is there, in words
    without the name; `seat` owns what lies there (-1: nobody)."""

    targets: tuple[str, ...]
    name: str
    text: str = ''
    seat: int = -1


@dataclass(frozen=True)
class PlaceGroup:
    """Places that belong together, in rows from the top, None where a row has a gap. `kind`: rows of a 'grid'
    lie as they do on the board, those of a 'list' hold one place each. `span`: a place takes so many columns,
    a gap takes one; with a span of two, rows can be shifted by half a place."""

    label: str
    rows: tuple[tuple[Place | None, ...], ...]
    kind: Literal['grid', 'list'] = 'list'
    span: int = 1

    @property
    def places(self) -> tuple[Place, ...]:
        """The places without the gaps."""
        return tuple(place for row in self.rows for place in row if place is not None)


@dataclass(frozen=True)
class ViewSettings:
    """What a person chose to see."""

    coordinates: bool = True
    marks: bool = True  # legal places
    # in games with secrets: what follows from what was seen
    deductions: bool = True


@dataclass(frozen=True)
class View:
    """All that a drawing may know: the hidden state, whose eyes see it, the actions they may choose now
    (empty if they are not to move), what happened since they last looked, and their settings. `last` is what
    the last turn did; on a page it is what all turns of others did since the viewer's own last one. Its marks
    are in the colours of the seats that did it (`drawing.marks.last_lines`)."""

    state: Any  # the game's own record, see `contract.State`
    seat: int
    actions: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    last: tuple[Event, ...] = ()
    settings: ViewSettings = ViewSettings()
    names: tuple[str, ...] = ()  # of the players; '' or missing: the colour's word
    # of the seats, by their names in the palette; (): the game's own
    colours: tuple[str, ...] = ()
    # element -> what the viewer pencilled there
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def colour(self, seat: int, own: Sequence[str] = COLOURS) -> str:
        """The palette's name of a seat's colour: as chosen for the match, else among the game's own
        (`Game.colours`)."""
        return (self.colours or own)[seat]


LAID = 'arrangement'
"""The key of `View.notes` under which the things of a seat's arrangement are, in the order in which they were
laid."""

Theme = Literal['page', 'light', 'dark']
"""'page': colours are CSS variables of the page; 'light' and 'dark': a picture that stands alone."""
