"""The contract of a game: everything that search, matches, pages, terminal, library and tests may ask of one.

A game is a folder with an instance of a subclass of `Game`. Its STATE is one NumPy record (kernel/record.py) that every
function below takes; its rules are compiled functions over it, collected in `Kernels`.

Fields that every state has: `players`, `to_move` (seat 0, 1, ...), `phase`, `turn` (finished turns), `reveals` (goes up
whenever a hidden value becomes public or chance is used), `ending` (0 while running, else 1 + an index into the game's
`endings`), `rng` (four 'u4', kernel/random.py).

Seats are numbered from 0; seat -1 is a spectator. An ACTION is an int in range(n_actions) with exactly one readable name. A
TURN is one or several actions of one seat; its name is its actions' names joined by one space. A name may consist of several words
itself (`order NE`); the longest one that the next words of a text make is meant, see `first_action`.
"""
from __future__ import annotations

import dataclasses
import importlib
import importlib.resources
import json
import pkgutil
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, ClassVar, Literal, NamedTuple, Self, cast

import numpy as np

from ludoteca.drawing.palette import PLAYERS
from ludoteca.kernel import Array, Floats, Ints, Record, seed_words
from ludoteca.kernel import open as public
from ludoteca.text import Words, words

State = Any     # a Record with at least the fields named above
_S = State                 # inside the class Game, where State is the game's record type
SPECTATOR = -1
UNPRINTED = re.compile(r'\b(reconstructed|assumed)\b')
COLOURS = tuple(PLAYERS)
"""The palette's names of the colours that players can have, in the order in which seats get them if nobody chooses."""


class GameError(ValueError):
    """Something that a person can put right; the message is one sentence that says what is wrong and what would be right."""


# ---- options ----------------------------------------------------------------------------------------------------------------

Value = bool | int | str


def option(default: Value, *choices: Value) -> Any:
    """Declare an option: its default first, then the other values it may take (for a yes/no option none need be named)."""
    values = (default, not default) if isinstance(default, bool) else (default, *choices)
    return field(default=default, metadata={'values': values})


def subset(default: Sequence[str], members: Sequence[str], *others: Sequence[str]) -> Any:
    """Declare an option that is a set of named things, written with commas in the order of `members`. `others` are more sets that
    tests try."""
    values = tuple(','.join(name for name in members if name in chosen) for chosen in (default, *others))
    return field(default=values[0], metadata={'values': values, 'members': tuple(members)})


@dataclass(frozen=True)
class Options:
    """Base class of a game's options: a frozen dataclass whose fields are declared with `option`.

    Labels and explanations for people are in the game's words, under `option.<field>` and `option.<field>.<value>`.
    """

    @classmethod
    def values(cls) -> dict[str, tuple[Value, ...]]:
        """The options in declared order, each with the values that it may take, the default first (a `subset`: examples)."""
        return {f.name: f.metadata['values'] for f in dataclasses.fields(cls)}

    @classmethod
    def members(cls) -> dict[str, tuple[str, ...]]:
        """The options that are a `subset`, each with the names of which any may be chosen."""
        return {f.name: f.metadata['members'] for f in dataclasses.fields(cls) if 'members' in f.metadata}

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Options from names and values (text is accepted for every kind of value). Raises GameError."""
        allowed, sets = cls.values(), cls.members()
        found: dict[str, Value] = {}
        for name, value in given.items():
            if name in sets:
                found[name] = _chosen(name, value, sets[name])
                continue
            if name not in allowed:
                names = ', '.join(allowed) or words('game.none')
                raise GameError(words('game.error.no_option', name=name[:40], options=names))
            texts = {_text(v): v for v in allowed[name]}
            if _text(value) not in texts:
                raise GameError(words('game.error.option_value', name=name, value=_text(value)[:40], values=', '.join(texts)))
            found[name] = texts[_text(value)]
        return cls(**cast(dict[str, Any], found))

    def encode(self) -> Ints:
        """The options as `setup` reads them: for each, in declared order, the value itself (a text: its place among the values; a
        subset: its members as bits)."""
        numbers: list[int] = []
        sets = self.members()
        for name, values in self.values().items():
            value = getattr(self, name)
            if name in sets:
                numbers.append(sum(1 << sets[name].index(member) for member in value.split(',') if member))
            else:
                numbers.append(values.index(value) if isinstance(value, str) else int(value))
        return np.array([*numbers, 0], np.int32)        # never empty: Numba would see another type

    def changed(self) -> dict[str, Value]:
        """The options that differ from their defaults."""
        return {name: getattr(self, name) for name, values in self.values().items() if getattr(self, name) != values[0]}

    def problem(self, players: int) -> str | None:
        """A sentence if these options do not go together or not with so many players, else None."""
        return None


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _chosen(name: str, value: object, members: Sequence[str]) -> str:
    """A subset in the order of its members; it may be given as a text or as a list."""
    given = [str(part) for part in value] if isinstance(value, list | tuple) else str(value).replace(',', ' ').split()
    if unknown := next((part for part in given if part not in members), None):
        raise GameError(words('game.error.option_member', name=name, value=unknown[:40], members=', '.join(members)))
    return ','.join(member for member in members if member in given)


# ---- what a drawing and a page are made of -------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Ghost:
    """A preview of what an action would do: a symbol of the drawing with a transform, or the path (SVG data) that a piece would
    travel, or a short text such as '+1'. `glow` are lines (SVG path data, `M…L…` each) that would light up, `gains` what seats
    would get, each as a seat and a short text; they are shown as badges in the seats' colours."""
    symbol: str = ''
    transform: str = ''
    path: str = ''
    text: str = ''
    glow: str = ''
    gains: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Target:
    """One thing to click: `el:<id>` an element of the drawing or of a card, `do:<id>` a button of the prompt, or `at:<x>,<y>` a
    point in the drawing's units, where the middle of the ghost lies: what is held snaps to the nearest such point. Actions with
    equal targets are variants of each other (a tile's rotations): the page turns from one to the next, and flips if their ghosts'
    transforms do. The transform of a ghost on a point is `translate(x y)`, then ` rotate(degrees)` if it is turned, then
    ` scale(-1 1)` if it was flipped over before."""
    id: str
    ghost: Ghost | None = None


@dataclass(frozen=True)
class Event:
    """Something that happened, as data. `kind` and `values` choose and fill the sentence among the game's words
    (`event.<kind>`); `elements` are ids in the drawing; `way` are the points (in the drawing's units) that a piece travelled.

    `flights`: what goes from one place to another over the whole page, each as the id of an element as it was drawn before and
    the id of one as it is drawn after, in the drawing, a panel or a card. Where one of the two is not to be seen, the heading of
    the seat's panel stands for it. All ids must be such as the viewer's own pages have."""
    kind: str
    seat: int
    values: Mapping[str, str | int] = field(default_factory=dict)
    elements: tuple[str, ...] = ()
    way: tuple[tuple[float, float], ...] = ()
    piece: str = ''                                     # id of the element that travels the way
    flights: tuple[tuple[str, str], ...] = ()

    def json(self) -> dict[str, Any]:
        """The event as plain data for pages and programs."""
        return {'kind': self.kind, 'seat': self.seat, 'values': dict(self.values), 'elements': list(self.elements),
                'way': [list(p) for p in self.way], 'piece': self.piece, 'flights': [list(ends) for ends in self.flights]}


@dataclass(frozen=True)
class Button:
    """A button of the prompt: id as in `do:<id>`, its words, and the key that presses it ('' for none). `steps`: it stands for no
    action of its own, but for these (names, legal one after another), which are played at once."""
    id: str
    label: str
    key: str = ''
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prompt:
    """The line above the board: what to do now, what else can be done, and the game's own buttons."""
    text: str
    help: str = ''
    buttons: tuple[Button, ...] = ()


@dataclass(frozen=True)
class Row:
    """One labelled value of a player's panel, with an optional small drawing (SVG text). `fold`: it may be folded away where there
    is little room."""
    label: str
    value: str
    drawing: str = ''
    fold: bool = False


@dataclass(frozen=True)
class Panel:
    """What a player has: `colour` is a name of the palette; `pips` counts things of which `of` are wanted (runners home)."""
    seat: int
    colour: str
    side: str
    rows: tuple[Row, ...] = ()
    pips: tuple[int, int] | None = None


@dataclass(frozen=True)
class Card:
    """Something beside the board that belongs to the position: a title, a quiet remark after it, and a drawing (SVG text, by the
    rules of `draw`; things in it that can be clicked carry `data-target`, and `data-key` if a key presses them). `tray`: what
    is laid or used now is picked there, so it stays in sight beside the board. `footnote`: a remark below the drawing that leads to
    the `chapter` of the rulebook (a heading of it in small letters, words joined by `-`)."""
    id: str
    title: str
    note: str = ''
    drawing: str = ''
    tray: bool = False
    footnote: str = ''
    chapter: str = ''


@dataclass(frozen=True)
class Settings:
    """What a person chose to see."""
    coordinates: bool = True
    marks: bool = True                                  # legal places
    deductions: bool = True                             # what follows from what was seen, in games with secrets


@dataclass(frozen=True)
class View:
    """All that a drawing may know: the hidden state, whose eyes see it, the actions they may choose now (empty if they are not to
    move), what happened since they last looked and in the last turn, and their settings."""
    state: State
    seat: int
    actions: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    last: tuple[Event, ...] = ()
    settings: Settings = Settings()
    names: tuple[str, ...] = ()                         # of the players, '' or missing: the colour's word
    colours: tuple[str, ...] = ()                       # of the seats, by their names in the palette; none: the game's own
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)      # element -> what the viewer pencilled there

    def colour(self, seat: int, own: Sequence[str] = COLOURS) -> str:
        """The palette's name of a seat's colour: as chosen for the match, else among the game's own (`Game.colours`)."""
        return (self.colours or own)[seat]


LAID = 'arrangement'
"""The key of `View.notes` under which the things of a seat's arrangement are, in the order in which they were laid."""

Theme = Literal['page', 'light', 'dark']
"""'page': colours are CSS variables of the page; 'light' and 'dark': a picture that stands alone."""


# ---- the game ----------------------------------------------------------------------------------------------------------------

class Kernels(NamedTuple):
    """A game's compiled rules. `s` is a state (changed in place by setup, apply, hide, forget, guess, mover_view); `work` is one
    record of the game's scratch type, made by the caller, whose contents mean nothing between calls but from prepare to guess.

    scores, outcome and estimate write out[:players] and leave the rest alone. random_action and random_turn advance `s.rng` and
    change nothing else. mover_view must not depend on what other seats have sealed already."""
    setup: Callable[[State, int, Ints, Array], None]            # (s zeroed, players, options, seed: four words)
    legal_actions: Callable[[State, Ints], int]                 # (s, out) -> n; out has room for max_legal; ascending
    apply: Callable[[State, int], None]                         # (s, action): a legal one
    scores: Callable[[State, Array], None]                      # (s, out f8): points as printed
    outcome: Callable[[State, Array], None]                     # (s, out f8): 1 shared equally among the winners; 0 while running
    estimate: Callable[[State, Array], None]                    # (s, out f8): expected outcome
    hide: Callable[[State, int], None]                          # (s, seat): to what a perfect-recall seat knows
    guess: Callable[[State, int, int, Any], None]               # (h, seat, seed, work): fill the holes
    revealed: Callable[[State], int]                            # (s after): 0, or a code (30 bits) of what the last action made
    #                                                             public, what a turn of secret steps looked like to others
    #                                                             included; -1: so much that a search does not branch on it
    observe: Callable[[State, int, Array], None]                # (h, seat, out f4[observation size])
    mover_view: Callable[[State, int], None]                    # (s in a sealed phase, seat): hidden, that seat to move
    random_action: Callable[[State, Any], int]                  # (s, work): uniform among the legal actions
    random_turn: Callable[[State, Any, Ints], int]              # (s, work, out) -> n: a turn, uniform, if turns are listed; in a
    #                                                             sealed phase all that the seat has still to choose
    # Defaults for games in which nothing is forgotten, no action is secret and guesses share no work. A game that is declared
    # `hidden` defines its own wherever that is not so: the default of hide_action shows every action to everybody.
    forget: Callable[[State, int, int], None] = public.forget   # (s hidden, seat, past): to what people are shown; past 1: not even
    #                                                             what the last action has just brought to light
    prepare: Callable[[State, int, Any], None] = public.prepare     # (h, seat, work): once before many guesses
    hide_action: Callable[[State, int, int], int] = public.hide_action  # (s before, action, seat): as the seat may know it, or -1
    foresee: Callable[[State, Ints, int, Floats], None] | None = None   # (s, actions, n, out): into out[:n] for each of the n legal
    #                                                             actions roughly the expected outcome for the mover after it; for
    #                                                             open games in which estimating them one by one takes too long
    measure: Callable[[State, int, Floats], None] | None = None         # (s finished, seat, out f8[len(measures)]): the game's
    #                                                             `measures` for the seat; one of the whole game is the same for all


@dataclass(frozen=True)
class Slice:
    """A named part of an observation: `size` numbers and what they mean."""
    name: str
    size: int
    meaning: str


class Game(ABC):
    """One game. Class attributes are its declared facts; the conformance suite holds it to them."""
    name: ClassVar[str]
    version: ClassVar[int] = 1                          # of the rules: up when the same actions could lead elsewhere
    players: ClassVar[range]
    minutes: ClassVar[int]                              # a usual game between people
    n_actions: ClassVar[int]
    max_legal: ClassVar[int]                            # longest list of legal actions
    max_turns: ClassVar[int | None]                     # longest game in turns; None: the rules set no bound
    endings: ClassVar[tuple[str, ...]]                  # `ending` 1, 2, ... of a state
    hidden: ClassVar[bool]                              # may one seat know what another does not?
    lists_turns: ClassVar[bool]                         # can all turns of a position be listed?
    sealed: ClassVar[tuple[int, ...]] = ()              # phases in which all seats choose in secret at once
    arranged: ClassVar[tuple[int, ...]] = ()            # sealed phases in which each seat arranges things of its own in several
    #                                                     steps: pages offer to shuffle them and to keep favourites
    drawn: ClassVar[tuple[int, ...]] = ()               # open phases in which bots draw among good actions, as in sealed ones:
    #                                                     an opening without chance would always be the same
    measures: ClassVar[tuple[str, ...]] = ()            # figures of a finished game beyond the points, such as its rounds:
    #                                                     simulations report them
    most_words: ClassVar[int] = 1                       # of an action's name
    next_first: ClassVar[Literal['rotate', 'lowest', 'drawn']] = 'rotate'      # who begins a rematch: the next seat, who has the
    #                                                     fewest points, or whoever the set-up draws
    certainty: ClassVar[Mapping[str, str]] = {}         # part of the components -> how it is known: 'certain: …', or
    #                                                     'inferred: …', 'reconstructed: …', 'assumed: …'
    observation: ClassVar[tuple[Slice, ...]]
    options: ClassVar[type[Options]] = Options
    State: ClassVar[type[Record]]
    Work: ClassVar[type[Record]]
    kernels: ClassVar[Kernels]
    perft_weight: ClassVar[Any] = None                  # or a kernel (s, action) -> n: how many equal forms the action has
    slips: ClassVar[Mapping[str, float]] = {}           # level of bots -> how often it acts at random, if not as usual (search/)
    simulations: ClassVar[Mapping[str, int]] = {}       # level of bots -> simulations of its search, if not as usual
    folder: ClassVar[str]                               # of its sources
    words: ClassVar[Words]                              # title, tagline, credits; ending.<name>, event.<kind> (with {player} if it
    #                                                     has a seat), measure.<name>, option.<field> and option.<field>.<value>

    # names
    @abstractmethod
    def action_name(self, s: _S, action: int) -> str:
        """The name of an action, unique among the legal ones of `s`."""

    @abstractmethod
    def action_from_name(self, s: _S, text: str) -> int:
        """The inverse of `action_name`. Raises GameError with a sentence if the text names no action."""

    @abstractmethod
    def to_json(self, s: _S) -> dict[str, Any]:
        """A position as plain data in its canonical form: keys in a fixed order, defaults omitted, unknown values null."""

    @abstractmethod
    def from_json(self, data: Mapping[str, Any]) -> _S:
        """The position that `data` describes. Raises GameError if it is incomplete or impossible."""

    # what people see
    @abstractmethod
    def events(self, before: _S, action: int, after: _S, names: Sequence[str] = (),
               colours: Sequence[str] = ()) -> tuple[Event, ...]:
        """What happened when `action` (hidden for a seat, maybe -1) led from one hidden state to another. `names` and `colours`
        are the players' as in a `View`: for values that name several of them, or that are symbols of the drawing."""

    @abstractmethod
    def draw(self, view: View, theme: Theme = 'light') -> str:
        """The position as SVG text.

        A drawing with exactly one action left in `view.actions` shows that action itself (where the piece would go, and how it
        gets there), so that a page draws no ghost of its own."""

    @abstractmethod
    def draw_symbols(self) -> str:
        """SVG <defs> that ghosts refer to, the same for every position; '' if the drawing holds all it needs."""

    def emblem(self, theme: Theme = 'light', size: int = 640) -> str:
        """The game's picture in the lobby, as SVG text; by default a game at its start."""
        return self.draw(Position(self, start(self, seed=self.name)).view(SPECTATOR), theme)

    def badge(self, size: int = 44) -> str:
        """A small square picture for lists, as SVG text; by default the emblem."""
        return self.emblem('light', size)

    def figure(self, name: str, theme: Theme = 'light') -> str:
        """A picture in the rulebook that shows no position, written there as `figure:NAME`, as SVG text; '' if there is none."""
        return ''

    def stage(self, s: _S) -> str:
        """How far a game has come, in a few words ('season 2 of 4'); '' if the number of turns says it: then pages count rounds.
        `s` is the state as a spectator knows it."""
        return ''

    @abstractmethod
    def prompt(self, view: View) -> Prompt:
        """What the viewer has to do now."""

    @abstractmethod
    def panels(self, view: View) -> tuple[Panel, ...]:
        """One panel a seat."""

    def cards(self, view: View) -> tuple[Card, ...]:
        """More to look at beside the board than the panels, the most important first; by default nothing."""
        return ()

    def pencils(self, view: View, element: str) -> tuple[str, ...]:
        """What the viewer may pencil on an element of the drawing (`View.notes`), in games with secrets; by default nothing."""
        return ()

    def redraft(self, s: _S, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
        """What the draft becomes if these are clicked, or the last is reached by dragging from the first, where that is no legal
        action: a step in the middle goes, a plan is turned. None if it means nothing.

        `s` is the mover's hidden state before the draft. The answer must not commit; steps that are not legal are left out."""
        return None

    def arrange(self, s: _S, draft: Sequence[int], laid: Sequence[str],
                targets: Sequence[str]) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
        """In phases that are `arranged`, where things are laid in any order and steps have one: what the draft and what is laid
        become if these are clicked, or the last is reached by dragging from the first. `do:undo` takes back what was laid last,
        `do:clear` all. None if it means nothing.

        `laid` is the game's own list of what was laid, the last one last; what no step of the draft stands for yet is in it and
        nowhere else. It is kept for the seat alone (`View.notes` under `LAID`); what of it does not fit the draft means nothing.
        `s` and the draft of the answer are as in `redraft`."""
        return None

    @abstractmethod
    def text(self, view: View) -> str:
        """The board in words and characters, for terminals and screen readers."""

    @abstractmethod
    def targets(self, s: _S, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
        """What to click, in order, to choose a legal action of the hidden state `s`. `colours` are the seats' as in a `View`:
        only ghosts depend on them."""

    @abstractmethod
    def why_not(self, view: View, targets: Sequence[str]) -> str:
        """One sentence: why these targets make no action now."""

    def colours(self, players: int) -> tuple[str, ...]:
        """The palette's names of the colours that the seats have if nobody chooses others."""
        return COLOURS[:players]

    def yardstick(self, s: _S) -> tuple[int, ...]:
        """The best complete turn by a fixed evaluation, against which bots are measured and by which simulations may play: never to
        be improved. `s` is hidden for the seat to move; a turn may be begun in it."""
        raise GameError(words('game.error.no_yardstick', game=self.title))

    # derived
    @property
    def title(self) -> str:
        return self.words('title')

    @cached_property
    def reconstructed(self) -> tuple[str, ...]:
        """The parts of the components that are not known to be the printed ones: those whose `certainty` says that something of
        them is reconstructed or assumed. Each has words under `reconstructed.<part>`."""
        return tuple(part for part, known in self.certainty.items() if UNPRINTED.search(known))

    def checked(self, players: int | None = None, options: Options | None = None) -> tuple[int, Options]:
        """The number of players (default: the fewest) and the options, filled in. Raises GameError if they are impossible."""
        players = self.players[0] if players is None else players
        options = self.options() if options is None else options
        if players not in self.players:
            raise GameError(words('game.error.players', game=self.title, least=self.players[0], most=self.players[-1],
                                  players=players))
        if sentence := options.problem(players):
            raise GameError(sentence)
        return players, options

    def turns(self, s: _S) -> Iterator[tuple[int, ...]]:
        """All complete turns from `s` in ascending order of their actions. Raises GameError in games where they are too many."""
        if not self.lists_turns:
            raise GameError(words('game.error.no_turns', game=self.title))
        sealed = s.phase in self.sealed
        states, out = self.State.array(1), np.empty(self.max_legal, np.int32)
        for action in out[:self.kernels.legal_actions(s, out)].tolist():
            states[0] = s
            self.kernels.apply(states[0], action)
            if sealed or committed(s, states[0]):
                yield (action,)
            else:
                for rest in self.turns(states[0]):
                    yield (action, *rest)

    def rules(self) -> str:
        """The text of the game's rulebook (Markdown)."""
        return importlib.resources.files(importlib.import_module(type(self).__module__)).joinpath('rulebook.md').read_text('utf-8')

    def canonical(self, s: _S) -> str:
        """The canonical position as one line of text; hashes in logs are taken of it."""
        return json.dumps(self.to_json(s), separators=(',', ':'))

    @cached_property
    def observation_size(self) -> int:
        """How many numbers `observe` writes."""
        return sum(part.size for part in self.observation)


def committed(before: State, after: State) -> bool:
    """Did the action between these two states end the mover's draft: a finished turn, another seat to move, a reveal, the end?"""
    return bool(after.turn != before.turn or after.to_move != before.to_move or after.reveals != before.reveals or after.ending)


def first_action(game: Game, s: State, given: Sequence[str]) -> tuple[int, str, list[str]]:
    """The action that the first of these words name (the longest name that fits), its words, and the words after them.

    Raises GameError if they name none."""
    for n in range(min(game.most_words, len(given)), 1, -1):
        name = ' '.join(given[:n])
        try:
            return game.action_from_name(s, name), name, list(given[n:])
        except GameError:
            continue
    return game.action_from_name(s, given[0]), given[0], list(given[1:])


# ---- a position to play with -------------------------------------------------------------------------------------------------

class Position:
    """A game and a state: what a person at a Python prompt plays with.

    `state` is the whole truth. What is drawn, written and exported (`svg`, `text`, a notebook's picture) is what the seat given
    may know, by default the seat to move.
    """

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.state = game, state
        self._out = np.empty(game.max_legal, np.int32)

    def copy(self) -> Position:
        """An independent copy."""
        return Position(self.game, self.state.copy())

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return int(self.state.to_move)

    @property
    def ending(self) -> str:
        """'' while the game runs, else the name of its ending."""
        return self.game.endings[self.state.ending - 1] if self.state.ending else ''

    @property
    def over(self) -> bool:
        return bool(self.state.ending)

    def actions(self) -> list[int]:
        """The legal actions, ascending; none when the game is over."""
        return [] if self.over else cast(list[int], self._out[:self.game.kernels.legal_actions(self.state, self._out)].tolist())

    def legal(self) -> list[str]:
        """The names of the legal actions."""
        return [self.game.action_name(self.state, a) for a in self.actions()]

    def turns(self) -> list[str]:
        """The names of all complete turns. Raises GameError in games where they are too many."""
        return [] if self.over else [self.turn_name(turn) for turn in self.game.turns(self.state)]

    def turn_name(self, turn: Sequence[int]) -> str:
        """The name of a sequence of actions from here."""
        names, state = [], self.state.copy()
        for action in turn:
            names.append(self.game.action_name(state, action))
            self.game.kernels.apply(state, action)
        return ' '.join(names)

    def apply(self, action: int) -> None:
        """Play one action. Raises GameError if it is not legal."""
        if self.over:
            raise GameError(words('game.error.over'))
        if action not in self.actions():
            raise GameError(words('game.error.not_legal', legal=some(self.legal())))
        self.game.kernels.apply(self.state, action)

    def play(self, text: str) -> Position:
        """Play the named step or whole turn, or several; returns the position itself. Raises GameError and changes nothing if a
        step is not legal."""
        trial, rest = self.copy(), text.split()
        while rest:
            if trial.over:
                raise GameError(words('game.error.over_before', name=rest[0]))
            action, name, rest = first_action(trial.game, trial.state, rest)
            if action not in trial.actions():
                raise GameError(words('game.error.step_not_legal', name=name, legal=some(trial.legal())))
            trial.game.kernels.apply(trial.state, action)
        self.state = trial.state
        return self

    def outcome(self) -> list[float]:
        """1 shared equally among the winners, 0 for the others; all 0 while the game runs."""
        out = np.zeros(self.game.players.stop - 1)
        self.game.kernels.outcome(self.state, out)
        return cast(list[float], out[:self.state.players].tolist())

    def scores(self) -> list[float]:
        """Points as printed."""
        out = np.zeros(self.game.players.stop - 1)
        self.game.kernels.scores(self.state, out)
        return cast(list[float], out[:self.state.players].tolist())

    def hidden(self, seat: int) -> State:
        """A copy of the state with all that the seat cannot know taken out."""
        state = self.state.copy()
        self.game.kernels.hide(state, seat)
        return state

    def view(self, seat: int | None = None, last: Sequence[Event] = ()) -> View:
        """The position through a seat's eyes (default: the seat to move)."""
        seat = self.to_move if seat is None else seat
        state = self.hidden(seat)
        self.game.kernels.forget(state, seat, 0)
        return View(state, seat, tuple(self.actions()) if seat == self.to_move else (), last=tuple(last))

    def to_json(self) -> dict[str, Any]:
        """The whole position as plain data."""
        return self.game.to_json(self.state)

    def svg(self, seat: int | None = None, theme: Theme = 'light') -> str:
        """A picture for a seat (default: the seat to move)."""
        return self.game.draw(self.view(seat), theme)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.game.text(self.view())


def some(names: Sequence[str], most: int = 8) -> str:
    """The first few of many names, and how many more there are."""
    shown = ', '.join(names[:most])
    return words('game.more', names=shown, n=len(names) - most) if len(names) > most else shown


# ---- finding games -----------------------------------------------------------------------------------------------------------

_added: dict[str, Game] = {}


def add(game: Game) -> None:
    """Make a game that lies outside the package known by its name (the toy game of the tests)."""
    _added[game.name] = game


@cache
def _names() -> tuple[str, ...]:
    package = importlib.import_module('ludoteca.games')
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg))


def games() -> tuple[str, ...]:
    """The names of all games, without loading any."""
    return tuple(dict.fromkeys((*_names(), *_added)))


def load(name: str) -> Game:
    """The game of that name. Raises GameError if there is none."""
    if name in _added:
        return _added[name]
    if name not in _names():
        raise GameError(words('game.error.no_game', name=name, games=', '.join(games())))
    return cast(Game, importlib.import_module(f'ludoteca.games.{name}').GAME)


def new(name: str, players: int | None = None, seed: int | str | None = None, options: Mapping[str, Any] | None = None) -> Position:
    """A game at its start. Without a seed the system's entropy is used.

    Raises GameError for an unknown game, option or number of players."""
    game = load(name)
    return Position(game, start(game, players, seed, game.options.read(options or {})))


def start(game: Game, players: int | None = None, seed: int | str | None = None, options: Options | None = None) -> State:
    """The state at the start of a game; see `new`."""
    players, options = game.checked(players, options)
    if seed is None:
        import secrets
        seed = 2**127 | secrets.randbits(127)
    state = game.State.new()
    game.kernels.setup(state, players, options.encode(), seed_words(seed))
    return state


def position(data: Any) -> Position:
    """A position from its JSON form. Raises GameError if it is incomplete or impossible."""
    if not isinstance(data, dict) or not isinstance(data.get('game'), str):
        raise GameError(words('game.error.not_position'))
    game = load(data['game'])
    return Position(game, game.from_json(data))
