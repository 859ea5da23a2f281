"""The contract of a game: everything that search, matches, pages, terminal, library and tests may ask of one.

A game is a folder with an instance of a subclass of `Game`. Its STATE is one NumPy record (kernel/record.py)
that every function below takes; its rules are compiled functions over it, collected in `Kernels`.

Fields that every state has: `players`, `to_move` (seat 0, 1, ...), `phase` (below 0 while the state waits for
chance, see game/chance.py; `to_move` then means nothing), `turn` (finished turns),
`reveals` (goes up whenever a hidden value becomes public or chance is used), `ending` (0 while running, else
1 + an index into the game's `endings`), `rng` (four 'u4', kernel/random.py).

Seats are numbered from 0; seat -1 is a spectator. An ACTION is an int in range(n_actions) with exactly one
readable name. A TURN is one or several actions of one seat; its name is its actions' names joined by one
space. A name may itself consist of several words (`order NE`). Where several names fit the next words of a
text, the longest is meant; see `first_action`.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, Self, cast

import numpy as np

from ludoteca.drawing.svg import Symbols
from ludoteca.game.actions import ActionSpace
from ludoteca.game.chance import Chance, Mode, mode_of
from ludoteca.game.errors import GameError
from ludoteca.game.options import Options, Value
from ludoteca.game.parts import Parts
from ludoteca.game.places import button_places, listed_places
from ludoteca.game.shapes import Slice, no_symmetries
from ludoteca.game.view import (
    COLOURS,
    Card,
    Event,
    Explanation,
    Panel,
    PlaceGroup,
    Prompt,
    Reason,
    Shortcut,
    Sound,
    Target,
    Theme,
    View,
)
from ludoteca.kernel import Array, Floats, Ints, Record, seed_words
from ludoteca.kernel import open_defaults as public
from ludoteca.kernel.compile import home_of
from ludoteca.text import Words, words

SPECTATOR = -1
UNPRINTED = re.compile(r'\b(reconstructed|assumed)\b')


def is_unprinted(known: str) -> bool:
    """Does a text of `Game.certainty` say that something is not known to be as printed?"""
    return UNPRINTED.search(known) is not None


class State(Protocol):
    """What every state has, whatever the game. A game's own record has more fields; its own modules are typed
    by that record."""

    players: int
    to_move: int
    phase: int
    turn: int
    reveals: int
    ending: int
    rng: Array

    def copy(self) -> Self:
        """A record of the same bytes with memory of its own."""

    def tobytes(self) -> bytes:
        """All bytes of the record."""

    @property
    def dtype(self) -> Any:
        """The record's NumPy dtype."""

    def __getitem__(self, name: str) -> Any:
        """A field by its name, the game's own included."""


class Kernels(NamedTuple):
    """A game's compiled rules. `s` is a state (changed in place by setup, apply, hide, forget, guess,
    mover_view); `work` is one record of the game's scratch type, made by the caller, whose contents are kept
    from prepare to guess and otherwise mean nothing between calls.

    scores, outcome and estimate write out[:players] and leave the rest alone. random_action and random_turn
    advance `s.rng` and change nothing else. mover_view must not depend on what other seats have sealed
    already."""

    setup: Callable[[Any, int, Ints, Array], None]  # (s zeroed, players, options, seed: four words)
    # (s, out) -> n; out has room for max_legal; ascending
    legal_actions: Callable[[Any, Ints], int]
    apply: Callable[[Any, int], None]  # (s, action): a legal one
    scores: Callable[[Any, Array], None]  # (s, out f8): points as printed
    # (s, out f8): 1 shared equally among the winners; 0 while running
    outcome: Callable[[Any, Array], None]
    estimate: Callable[[Any, Array], None]  # (s, out f8): expected outcome
    # (s after an action): a code (30 bits) of what the action made public, including how a turn of secret
    # steps looked to others; 0: nothing; -1: so much that a search does not branch on it
    revealed: Callable[[Any], int]
    observe: Callable[[Any, int, Array], None]  # (h, seat, out f4[observation size])
    random_action: Callable[[Any, Any], int]  # (s, work): uniform among the legal actions
    # (s, work, out) -> n: a turn, uniform if turns are listed; in a sealed phase all remaining choices of the
    # seat
    random_turn: Callable[[Any, Any, Ints], int]
    # Defaults for games in which only future chance is unknown. A game that is declared `hidden`
    # defines its own hide, guess and, in sealed phases, mover_view. The default of hide_action shows every
    # action to everybody.
    hide: Callable[[Any, int], None] = public.hide  # (s, seat): leaves what a perfect-recall seat knows
    guess: Callable[[Any, int, int, Any], None] = public.guess  # (h, seat, seed, work): fill in a guess
    # (s in a sealed phase, seat): hides, and has that seat to move; by default the game's own hide
    mover_view: Callable[[Any, int], None] = public.hide
    # (s hidden, seat, past): leaves what people are shown; past 1: without what the last action has just
    # brought to light
    forget: Callable[[Any, int, int], None] = public.forget
    prepare: Callable[[Any, int, Any], None] = public.prepare  # (h, seat, work): once before many guesses
    # (s): take out what chance has still to decide; from then on `apply` stops there, and the state waits
    drop_future: Callable[[Any], None] = public.drop_future
    # (s, outcomes, probabilities f8) -> n; 0 unless the state waits; ascending; both have room for n_outcomes
    chance: Callable[[Any, Ints, Floats], int] = public.chance
    resolve: Callable[[Any, int], None] = public.resolve  # (s waiting, outcome): one of those, and go on
    # (s before, action, seat): as the seat may know it, or -1
    hide_action: Callable[[Any, int, int], int] = public.hide_action
    # (s, actions, n, out): writes to out[:n] a rough expected outcome for the mover after each of the n legal
    # actions; for open games in which estimating them one by one takes too long, and for games with secrets,
    # where others then choose by what they hold; there -1 leaves an action open
    foresee: Callable[[Any, Ints, int, Floats], None] | None = None
    # (s finished, seat, out f8[len(measures)]): the game's `measures` for the seat; a measure of the whole
    # game is the same for all seats
    measure: Callable[[Any, int, Floats], None] | None = None

    @classmethod
    def of(cls, *modules: ModuleType) -> Self:
        """The kernels of a game, collected by name from the modules that define them. Raises TypeError if one
        is missing, or if two modules have it."""
        found: dict[str, Any] = {}
        for module in modules:
            for name in cls._fields:
                kernel = vars(module).get(name)
                if kernel is None or getattr(kernel, '__module__', module.__name__) != module.__name__:
                    continue  # what a module imports belongs to another one
                if name in found:
                    raise TypeError(
                        f'The kernel {name} is defined twice: in {found[name].__module__} and in '
                        f'{module.__name__}.'
                    )
                found[name] = kernel
        if missing := [name for name in cls._fields if name not in found and name not in cls._field_defaults]:
            raise TypeError(
                f'No module defines the kernel {" or ".join(missing)}; game/contract.py says what it must do.'
            )
        found.setdefault('mover_view', found.get('hide', public.hide))
        return cls(**found)


class Effort(NamedTuple):
    """How far a level of bots sees when it chooses an action."""

    simulations: int
    # do estimates say which actions are tried? Else they judge only where simulations end
    guided: bool = True
    # is the level one to choose there? A level that is not offered can still be asked for by its name
    offered: bool = True


Efforts = Mapping[str, Effort | Mapping[int, Effort]]
"""Level of bots -> its effort, with any number of players or with each one."""


class Game:
    """One game. Class attributes are its declared facts; the conformance suite holds it to them."""

    name: ClassVar[str]
    # of the rules: goes up when the same actions could lead elsewhere
    version: ClassVar[int] = 1
    players: ClassVar[range]
    minutes: ClassVar[int]  # a usual game between people
    # what pages propose for a first game, if not the fewest players and the options' defaults
    usual_players: ClassVar[int | None] = None
    usual_options: ClassVar[Mapping[str, Value]] = {}
    n_actions: ClassVar[int]
    max_legal: ClassVar[int]  # longest list of legal actions
    max_turns: ClassVar[int | None]  # longest game in turns; None: the rules set no bound
    endings: ClassVar[tuple[str, ...]]  # `ending` 1, 2, ... of a state
    hidden: ClassVar[bool]  # may one seat know what another does not?
    lists_turns: ClassVar[bool]  # can all turns of a position be listed?
    sealed: ClassVar[tuple[int, ...]] = ()  # phases in which all seats choose in secret at once
    # sealed phases in which each seat arranges things of its own in several steps: pages offer to shuffle
    # them and to keep favourites
    arranged: ClassVar[tuple[int, ...]] = ()
    # open phases in which bots draw among good actions, as in sealed ones: an opening without chance would
    # always be the same
    sampled_phases: ClassVar[tuple[int, ...]] = ()
    # figures of a finished game beyond the points, such as its rounds: simulations report them
    measures: ClassVar[tuple[str, ...]] = ()
    most_words: ClassVar[int] = 1  # of an action's name
    one_step: ClassVar[bool] = False  # is every action a whole turn?
    # who begins a rematch: the next seat, who has the fewest points, or whoever the set-up draws
    next_first: ClassVar[Literal['rotate', 'lowest', 'drawn']] = 'rotate'
    # part of the components -> how it is known: a text that begins with 'certain:', 'inferred:',
    # 'reconstructed:' or 'assumed:'
    certainty: ClassVar[Mapping[str, str]] = {}
    # None, or the component set that it is played with instead of its own components, see components.py
    component_set: ClassVar[Any] = None
    # what chance decides, and how; the outcomes of those that are explicit are numbered one after another
    chances: ClassVar[tuple[Chance, ...]] = ()
    # the kinds of actions; a game of one kind may leave them out
    actions: ClassVar[ActionSpace] = ActionSpace()
    # (players) -> tuple of Symmetry: the ways to change a position into one that is played alike
    symmetries: ClassVar[Any] = staticmethod(no_symmetries)
    observation: ClassVar[tuple[Slice, ...]]
    options: ClassVar[type[Options]] = Options
    State: ClassVar[type[Record]]
    Work: ClassVar[type[Record]]
    kernels: ClassVar[Kernels]
    # None, or a kernel (s, action) -> n: how many equal forms the action has
    perft_weight: ClassVar[Any] = None
    # actions that give up what could be chosen: no bot takes one only because it sees little
    declines: ClassVar[tuple[int, ...]] = ()
    # bot -> the kernels that it has in place of the game's own, by name: a frozen one
    # (`search.levels.FROZEN`) those that have changed since, `alpha-beta` an evaluation of its kind
    editions: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    # the exponent from what a search expects to how often that comes true (docs/review.md); 1: none is needed
    link: ClassVar[float] = 1.0
    # how far levels of bots see, where it is not as usual
    efforts: ClassVar[Efforts] = {}
    # number of players -> the palette's names of the seats' own colours, if not the usual ones
    seat_colours: ClassVar[Mapping[int, tuple[str, ...]]] = {}
    # kind of event -> what is heard; `step`: what is heard when a step leaves the turn unfinished
    sounds: ClassVar[Mapping[str, Sound]] = {}
    # the modules: names, drawing, words, what can be clicked
    parts: ClassVar[Parts]

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        missing = [name for name in Game.__annotations__ if not hasattr(cls, name)]
        if missing:
            raise TypeError(
                f'{cls.__name__} declares no {", ".join(missing)}; game/contract.py says what each means.'
            )
        unknown = [
            name
            for name in vars(cls)
            if not name.startswith('_') and name not in Game.__annotations__ and not hasattr(Game, name)
        ]
        if unknown:
            raise TypeError(
                f'{cls.__name__} declares {", ".join(unknown)}, which no game has; '
                'game/contract.py says what can be declared.'
            )
        if cls.hidden and (
            open_ := [
                name for name in ('hide', 'guess') if getattr(cls.kernels, name) is getattr(public, name)
            ]
        ):
            raise TypeError(
                f'{cls.__name__} is declared hidden and has no {" or ".join(open_)} of its own: '
                'the default is for games in which nothing is secret.'
            )
        if (mode_of(cls.chances) == 'explicit') != (cls.kernels.chance is not public.chance):
            raise TypeError(
                f'{cls.__name__} must have both explicit chance among its `chances` and kernels chance and '
                'resolve, or neither.'
            )
        if cls.sealed and cls.kernels.mover_view is cls.kernels.hide:
            raise TypeError(
                f'{cls.__name__} has sealed phases and no mover_view of its own: hide leaves what others '
                'have sealed before.'
            )

    # what its parts do; parts.py says what each function answers
    def action_name(self, s: Any, action: int) -> str:
        """The name of an action, unique among the legal ones of `s`."""
        return self.parts.notation.action_name(s, action)

    def action_from_name(self, s: Any, text: str) -> int:
        """The inverse of `action_name`. Raises GameError with a sentence if the text names no action."""
        return self.parts.notation.action_from_name(s, text)

    def to_json(self, s: Any) -> dict[str, Any]:
        """A position as plain data in its canonical form."""
        data = self.parts.notation.to_json(s)
        return data if self.component_set is None else {**data, 'game': self.name}

    def from_json(self, data: Mapping[str, Any]) -> Any:
        """The position that `data` describes. Raises GameError if it is incomplete, impossible, or of another
        set of components."""
        named = data.get('game', self.name)
        if named != self.name and isinstance(named, str) and named.partition('@')[0] == self.base_name:
            raise GameError(
                words('components.error.position', needs=set_words(named), has=set_words(self.name))
            )
        return self.parts.notation.from_json(data)

    def draw(self, view: View, theme: Theme = 'light') -> str:
        """The position as SVG text."""
        return self.parts.board.draw(view, theme)

    def symbols(self) -> Symbols:
        """What drawings for pages and ghosts refer to; none if a drawing holds all it needs."""
        return self.parts.board.symbols()

    def panels(self, view: View) -> tuple[Panel, ...]:
        """What each player has: one panel a seat, in the order of their turns."""
        return self.parts.panels.panels(view)

    def targets(self, s: Any, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
        """What to click, in order, to choose a legal action of the hidden state `s`."""
        return self.parts.targets.targets(s, action, colours)

    def named_targets(
        self, s: Any, actions: Sequence[int], colours: Sequence[str] = ()
    ) -> Iterable[tuple[str, tuple[Target, ...]]]:
        """The names of legal actions of the hidden state `s`, and what to click to choose each."""
        if self.parts.lists:
            return self.parts.lists.named_targets(s, actions, colours)
        return ((self.action_name(s, action), self.targets(s, action, colours)) for action in actions)

    def why_not(self, view: View, targets: Sequence[str]) -> str:
        """One sentence: why these targets make no action now."""
        return self.parts.targets.why_not(view, targets)

    def prompt(self, view: View) -> Prompt:
        """What the viewer has to do now."""
        return self.parts.wording.prompt(view)

    def text(self, view: View) -> str:
        """The board in words and characters."""
        return self.parts.wording.text(view)

    def events(
        self, before: Any, action: int, after: Any, names: Sequence[str] = (), colours: Sequence[str] = ()
    ) -> tuple[Event, ...]:
        """What happened when an action (hidden for a seat, maybe -1) led from one hidden state to another."""
        return self.parts.events.events(before, action, after, names, colours)

    # the same with a default for games that have no such part
    def cards(self, view: View) -> tuple[Card, ...]:
        """More to look at beside the board, the most important first."""
        return self.parts.cards.cards(view) if self.parts.cards else ()

    def explain(self, view: View, element: str) -> Explanation | None:
        """What an element of the drawing, a card or a panel is; None for one that means nothing."""
        return self.parts.explanations.explain(view, element) if self.parts.explanations else None

    def places(self, view: View) -> tuple[PlaceGroup, ...]:
        """The board to be read and played without the drawing; by default a list of what can be chosen. The
        buttons of the prompt come last."""
        own = self.parts.places.places(view) if self.parts.places else listed_places(self, view)
        return (*own, *button_places(self, view))

    def reasons(self, view: View, turn: Sequence[int], others: Sequence[Sequence[int]]) -> tuple[Reason, ...]:
        """Why a turn is better than the first of the others; see `Reasons`. Nothing where the game gives no
        reasons."""
        return self.parts.reasons.reasons(view, turn, others) if self.parts.reasons else ()

    def alerts(self, view: View) -> tuple[Reason, ...]:
        """What the viewer should notice before a turn, the gravest first; see `Reasons`. Nothing while
        another seat is to move."""
        return self.parts.reasons.alerts(view) if self.parts.reasons and view.actions else ()

    def emblem(self, theme: Theme = 'light', size: int = 640) -> str:
        """The picture on the game's card, as SVG text; by default a game at its start."""
        if self.parts.pictures:
            return self.parts.pictures.emblem(theme, size)
        return self._start(self.name, theme)

    def badge(self, size: int = 44) -> str:
        """A small square picture for lists, as SVG text; by default the emblem."""
        return self.parts.pictures.badge(size) if self.parts.pictures else self.emblem('light', size)

    def figure(self, name: str, theme: Theme = 'light') -> str:
        """The picture written `figure:NAME` in the rulebook, as SVG text; '' if there is none."""
        return self.parts.figures.figure(self, name, theme) if self.parts.figures else ''

    def stage(self, s: Any) -> str:
        """How far a game has come, in a few words; '' if the number of turns says it: then pages count
        rounds."""
        return self.parts.stages.stage(s) if self.parts.stages else ''

    def pencils(self, view: View, element: str) -> tuple[str, ...]:
        """The labels that a viewer may pencil on an element of the drawing."""
        return self.parts.pencils.pencils(view, element) if self.parts.pencils else ()

    def redraft(self, s: Any, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
        """What a draft becomes by clicks that are no legal action; None if they mean nothing."""
        return self.parts.redrafts.redraft(s, draft, targets) if self.parts.redrafts else None

    def shortcuts(self, s: Any, colours: Sequence[str] = ()) -> tuple[Shortcut, ...]:
        """Whole turns that can be chosen by other targets than those of their steps."""
        return self.parts.shortcuts.shortcuts(s, colours) if self.parts.shortcuts else ()

    def arrange(
        self, s: Any, draft: Sequence[int], laid: Sequence[str], targets: Sequence[str]
    ) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
        """What a draft and what is laid become by clicks while things are arranged; None: nothing."""
        return self.parts.arranges.arrange(s, draft, laid, targets) if self.parts.arranges else None

    def yardstick(self, s: Any) -> tuple[int, ...]:
        """See `Yardstick`. Raises GameError if the game has none."""
        if self.parts.yardstick is None:
            raise GameError(words('game.error.no_yardstick', game=self.title))
        return self.parts.yardstick.yardstick(s)

    def components_picture(self, theme: Theme = 'light') -> str:
        """The components of which a set may have others, as SVG text: the figure `components` or `tiles`,
        else the game at its start."""
        if found := self.figure('components', theme) or self.figure('tiles', theme):
            return found
        return self._start(self.base_name, theme)

    def _start(self, seed: str, theme: Theme) -> str:
        """A game at its start, as spectators see it."""
        state = start(self, seed=seed)
        self.kernels.hide(state, SPECTATOR)
        self.kernels.forget(state, SPECTATOR, 0)
        return self.draw(View(state, SPECTATOR), theme)

    def colours(self, players: int) -> tuple[str, ...]:
        """The palette's names of the colours that the seats have if nobody chooses others."""
        return self.seat_colours[players][:players] if self.seat_colours else COLOURS[:players]

    # derived
    @cached_property
    def folder(self) -> str:
        """The folder of the sources of the class that declares the parts."""
        declares = next(kind for kind in type(self).__mro__ if 'parts' in vars(kind))
        return str(Path(cast(str, sys.modules[declares.__module__].__file__)).parent)

    @cached_property
    def home(self) -> str:
        """The folder under which its kernels are known, see `kernel.compile.home_of`."""
        declares = next(kind for kind in type(self).__mro__ if 'parts' in vars(kind))
        return str(home_of(declares.__module__, str(Path(self.folder, '__init__.py'))))

    @property
    def base_name(self) -> str:
        """The name of the game, whatever its components."""
        return self.name.partition('@')[0]

    @cached_property
    def words(self) -> Words:
        """The game's words: title, tagline, credits; ending.<name>, event.<kind> (with {player} if it has a
        seat), reason.<kind>, measure.<name>, option.<field> and option.<field>.<value>."""
        return Words(self.folder)

    @property
    def title(self) -> str:
        """What the game is called."""
        title = self.words('title')
        if self.component_set is None:
            return title
        return words('components.title', game=title, set=self.component_set.label)

    @cached_property
    def reconstructed(self) -> tuple[str, ...]:
        """The parts of the components that are not known to be the printed ones: those whose `certainty` says
        that something of them is reconstructed or assumed. Each has words under `reconstructed.<part>`."""
        return tuple(part for part, known in self.certainty.items() if is_unprinted(known))

    def checked(
        self, players: int | None = None, options: Options | Mapping[str, Any] | None = None
    ) -> tuple[int, Options]:
        """The number of players (default: the fewest) and the options, which may be given by their names,
        filled in. Raises GameError if they are impossible."""
        players = self.players[0] if players is None else players
        if not isinstance(options, Options):
            options = self.options.read(options or {})
        if players not in self.players:
            raise GameError(
                words(
                    'game.error.players',
                    game=self.title,
                    least=self.players[0],
                    most=self.players[-1],
                    players=players,
                )
            )
        if sentence := options.problem(players):
            raise GameError(sentence)
        return players, options

    def turns(self, s: Any) -> Iterator[tuple[int, ...]]:
        """All complete turns from `s` in ascending order of their actions. Raises GameError in games where
        they are too many."""
        if not self.lists_turns:
            raise GameError(words('game.error.no_turns', game=self.title))
        sealed = s.phase in self.sealed
        states, out = self.State.array(1), np.empty(self.max_legal, np.int32)
        for action in out[: self.kernels.legal_actions(s, out)].tolist():
            states[0] = s
            self.kernels.apply(states[0], action)
            if sealed or committed(s, states[0]):
                yield (action,)
            else:
                for rest in self.turns(states[0]):
                    yield (action, *rest)

    def rules(self) -> str:
        """The text of the game's rulebook (Markdown)."""
        return Path(self.folder, 'rulebook.md').read_text('utf-8')

    def canonical(self, s: Any) -> str:
        """The canonical position as one line of text; hashes in logs are taken of it."""
        return json.dumps(self.to_json(s), separators=(',', ':'))

    @property
    def chance_mode(self) -> Mode:
        """'explicit' if the game waits for some of its chance, 'sampled' if all of it is drawn at the start,
        'none' if there is none."""
        return mode_of(self.chances)

    @cached_property
    def outcome_names(self) -> tuple[str, ...]:
        """The names of all outcomes of explicit chance, in the order of their numbers."""
        return tuple(f'{chance.name} {name}' for chance in self.chances for name in chance.outcomes)

    @property
    def n_outcomes(self) -> int:
        """Outcomes of chance are the numbers below it."""
        return len(self.outcome_names)

    def info_state(self, s: Any, seat: int) -> str:
        """What a seat (-1: a spectator) knows, as one line of text: the position as far as the seat knows it,
        and a hash of all fields of that state. Two states of one game that the seat cannot tell apart have
        the same, others do not."""
        known = s.copy()
        if s.phase in self.sealed and seat >= 0:
            self.kernels.mover_view(known, seat)
        else:
            self.kernels.hide(known, seat)
        digest = hashlib.blake2b(digest_size=16)
        for name in known.dtype.names:
            digest.update(known[name].tobytes())
        return f'{seat} {digest.hexdigest()} {self.canonical(known)}'

    @cached_property
    def observation_size(self) -> int:
        """How many numbers `observe` writes."""
        return sum(part.size for part in self.observation)


def set_words(name: str) -> str:
    """Which components the name of a game stands for, in words."""
    hash_ = name.partition('@')[2]
    return words('components.set', hash=hash_[:40]) if hash_ else words('components.own')


def start(
    game: Game,
    players: int | None = None,
    seed: int | str | None = None,
    options: Options | Mapping[str, Any] | None = None,
) -> State:
    """The state at the start of a game. Without a seed the system's entropy is used. Raises GameError for an
    unknown option or number of players."""
    players, options = game.checked(players, options)
    if seed is None:
        seed = 2**127 | secrets.randbits(127)
    state = cast(State, game.State.new())
    game.kernels.setup(state, players, options.encode(), seed_words(seed))
    return state


def committed(before: Any, after: Any) -> bool:
    """Did the action between these two states end the mover's draft: a finished turn, another seat to move, a
    reveal, chance that decides next, the end?"""
    return bool(
        after.turn != before.turn
        or after.to_move != before.to_move
        or after.reveals != before.reveals
        or after.phase < 0
        or after.ending
    )


def first_action(game: Game, s: State, given: Sequence[str]) -> tuple[int, str, list[str]]:
    """The action that the first of these words name (the longest name that fits), its words, and the words
    after them.

    Raises GameError if they name none."""
    for n in range(min(game.most_words, len(given)), 1, -1):
        name = ' '.join(given[:n])
        try:
            return game.action_from_name(s, name), name, list(given[n:])
        except GameError:
            continue
    return game.action_from_name(s, given[0]), given[0], list(given[1:])
