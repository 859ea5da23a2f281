"""One game being played by somebody.

A match is its set-up plus its log, an append-only list of entries; everything else (position, drafts, versions, requests,
result) derives from these two. Nothing here reads a file or a database: whoever keeps the log stores `entries[n:]` after every
call that changed the match and, if that fails, calls `truncate(n)`.

    match = Match(Setup.new(game, players=2, seats=[Seat('Ann'), Seat('Bob', BOT, 'easy')]))
    match.act(0, match.version(0), 'a2:7')          # the first step of a turn: a draft that only seat 0 sees
    match.act(0, match.version(0), 'A1-B2')         # the turn is committed

What a method takes a seat for is made from hidden states and hidden actions and may be shown to that seat. `setup`, `entries`
and `truncate` are for the keeper of the log only: they hold the seed, the position hashes and everybody's secret choices.
"""
from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from ludoteca.game import SPECTATOR, Event, Game, GameError, State, View, ViewSettings, committed, first_action, load, some
from ludoteca.kernel import seed_words, start_generator
from ludoteca.match.data import (
    BOT,
    HIDDEN,
    NAME_LENGTH,
    PERSON,
    RESIGNED,
    Choice,
    Entry,
    Level,
    NotYourTurn,
    Played,
    Request,
    Result,
    Row,
    Seat,
    Setup,
    Stale,
    deal_colours,
)
from ludoteca.text import words

UNDOS_A_TURN = 500
"""So often may the steps of one turn be taken back: it bounds the log against a program that does nothing else."""
GUESSES = 3
"""So many guesses of what a seat does not know tell whether a choice may end its turn."""
_ALL = -2
"""Eyes from which nothing is hidden: for matches that are over."""


class _Step(NamedTuple):
    """A step of a draft: its number in the log, the action, and the true states before and after it."""
    serial: int
    action: int
    name: str
    before: State
    state: State


class _Turn(NamedTuple):
    """A committed turn: its actions are `_actions[first:last]`. `batch` is the index of the first turn that was committed at the
    same moment (a sealed phase commits one for every seat)."""
    seat: int
    first: int
    last: int
    batch: int
    time: float


class _Mark(NamedTuple):
    """What a seat had seen at one of its versions: the epoch (they are parted by takebacks), how many committed actions, and
    which steps of its own draft."""
    epoch: int
    actions: int
    draft: tuple[int, ...]


def _parts(names: str | Sequence[str]) -> list[str]:
    """The words of names that are given as one text or as several."""
    return names.split() if isinstance(names, str) else [part for name in names for part in name.split()]


class _Disagreement(RuntimeError):
    """A log does not lead where it says; or (a defect of the game) a sealed choice was not legal once the others were known."""


class Match:
    """One game being played. Every method that changes it does the whole or raises GameError and does nothing."""

    def __init__(self, setup: Setup, clock: Callable[[], float] = time.time) -> None:
        """A match before its first turn. Raises GameError if the set-up is impossible."""
        self.setup = setup
        self.game: Game = load(setup.game)
        self.frozen = ''
        """'' or the sentence that says why the match can be read but not played."""
        self._clock = clock
        self._out = np.empty(self.game.max_legal, np.int32)
        self._entries: list[Entry] = []
        self._states: list[State] = [setup.start()]
        self._actions: list[tuple[int, int, int]] = []              # committed: (seat, action, number in the log)
        self._turns: list[_Turn] = []
        self._drafts: dict[int, list[_Step]] = {}                   # outside sealed phases the mover's only
        self._sealed: set[int] = set()
        self._undos = [0] * setup.players
        self.colours = deal_colours(self.game.colours(setup.players), setup.colours)
        """The palette's names of the seats' colours."""
        self._seats = list(setup.seats)
        self._resigned: set[int] = set()
        self._replaced: set[int] = set()
        self._request: Request | None = None
        self._result: Result | None = None
        self._notes: list[Row] = []
        self._epoch = 0
        self._seen: list[list[_Mark]] = [[_Mark(0, 0, ())] for _ in range(setup.players + 1)]   # the last one: spectators
        self._known_of: dict[tuple[int, int], list[tuple[str, tuple[Event, ...]]]] = {}
        self._choices_of: dict[int, tuple[int, tuple[Level, ...]]] = {}

    # ---- the log

    @classmethod
    def rebuild(cls, setup: Setup, entries: Iterable[Entry], clock: Callable[[], float] = time.time) -> Self:
        """The match that a log describes, under the rules as they are now.

        Every name and hash is checked; where they do not agree the match is frozen at the last position that does. Raises
        GameError if the game no longer knows such a set-up."""
        match = cls(setup, clock)
        entries = list(entries)
        for n, entry in enumerate(entries):
            try:
                match._replay(entry)
            except (GameError, _Disagreement, ArithmeticError, LookupError):
                match._freeze(entries[n:])
                break
        return match

    @property
    def entries(self) -> Sequence[Entry]:
        """The whole log. Secret while the match runs."""
        return self._entries

    def truncate(self, n: int) -> None:
        """Go back to the first `n` entries: for when the rest could not be stored."""
        if n < len(self._entries):
            self.__dict__ = self.rebuild(self.setup, self._entries[:n], self._clock).__dict__

    def _replay(self, entry: Entry) -> None:
        seat = entry.seat
        if entry.kind == 'step':
            steps, _ = self._try(seat, [entry.name])
            self._take(seat, steps[0], entry.time, entry.hash)
        elif entry.kind == 'undo':
            self._undo(seat, entry.action, entry.time)
        elif entry.kind == 'resign':
            self._resign(seat, entry.name, entry.time)
        elif entry.kind == 'ask':
            kind, _, level = entry.name.partition(' ')
            self._ask(seat, 'takeback' if kind == 'takeback' else 'replace', entry.action, level, entry.time)
        elif entry.kind == 'answer':
            self._answer(seat, bool(entry.action), entry.time)
        else:
            self._come_back(seat, entry.time)

    def _freeze(self, rest: Sequence[Entry]) -> None:
        if self.setup.version != self.game.version:
            self.frozen = words('match.frozen.version', game=self.game.title, old=self.setup.version, new=self.game.version,
                                turn=len(self._turns))
        else:
            self.frozen = words('match.frozen.log', game=self.game.title, turn=len(self._turns))
        self._entries.extend(rest)                      # nothing is lost: other rules may read it again
        self._drafts.clear()
        self._sealed.clear()
        self._request = None
        self._note('frozen', SPECTATOR, rest[0].time)
        self._changed()

    # ---- the state of affairs, all of it public

    @property
    def status(self) -> Literal['running', 'finished', 'frozen']:
        """Can it be played on?"""
        return 'frozen' if self.frozen else 'finished' if self._result else 'running'

    @property
    def result(self) -> Result | None:
        """None while nobody has won."""
        return self._result

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays now: as in the set-up, but for seats that went over to bots."""
        return tuple(self._seats)

    @property
    def players(self) -> tuple[str, ...]:
        """What the players are called: by their names, else by the words for their colours."""
        return tuple(seat.name or words(f'colour.{colour}') for seat, colour in zip(self._seats, self.colours, strict=True))

    @property
    def first(self) -> int:
        """The seat that begins."""
        return int(self._states[0].to_move)

    @property
    def turns(self) -> int:
        """How many turns are committed (the last `at` of `view`)."""
        return len(self._turns)

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats whose turn it is, as everybody may know: one; all in a sealed phase; none when it is over."""
        if self.status != 'running':
            return ()
        return tuple(range(self.setup.players)) if self._is_sealed() else (int(self._states[-1].to_move),)

    @property
    def request(self) -> Request | None:
        """The open request, if there is one."""
        return self._request

    def finished(self, at: int | None = None) -> int:
        """How many turns are finished, now or after so many committed ones, as the game counts them: secret choices that all make
        at once are none there."""
        at = self.turns if at is None else at
        return int(self._states[self._turns[at - 1].last if at else 0].turn)

    def stage(self, at: int | None = None) -> str:
        """How far the game had come after turn number `at` (None: the last) in its own words (`Game.stage`), '' if it has none."""
        at = self.turns if at is None else at
        return self.game.stage(self._hidden(self._states[self._turns[at - 1].last if at else 0], SPECTATOR))

    @property
    def revealing(self) -> int:
        """The seat whose turn, the last one, has brought something to light; -1 if none has."""
        if not self._turns or self._turns[-1].batch < len(self._turns) - 1:
            return SPECTATOR
        turn = self._turns[-1]
        return turn.seat if self._states[turn.first].reveals != self._states[-1].reveals else SPECTATOR

    # ---- what one seat may know

    def may_act(self, seat: int) -> bool:
        """Can this seat choose something now? In a sealed phase no longer once it has sealed: that is for the seat itself and for
        the server, not for others to see."""
        return seat in self.to_move and seat not in self._sealed

    def version(self, seat: int) -> int:
        """Goes up when what this seat can see changes, and never else. A rebuilt match has the same."""
        return len(self._seen[self._check(seat)]) - 1

    def draft(self, seat: int) -> tuple[str, ...]:
        """The names of the seat's own steps that are not committed yet."""
        return tuple(step.name for step in self._drafts.get(seat, ()))

    def drafted(self, seat: int) -> tuple[Event, ...]:
        """What the seat's own steps that are not committed yet did."""
        return tuple(event for step in self._drafts.get(seat, ()) for event in self._draft_events(step, seat))

    def knowledge(self, seat: int) -> State:
        """What a seat with perfect recall knows now, its draft included: the state that bots think on (no `forget` applied)."""
        if self._check(seat) >= 0 and self._is_sealed() and self.status == 'running':
            return self._mover_view(self._sealed_state(seat), seat)
        draft = self._drafts.get(seat)
        return self._hidden(draft[-1].state if draft else self._states[-1], seat)

    def view(self, seat: int, at: int | None = None, since: int | None = None, settings: ViewSettings | None = None,
             uncovered: bool = False) -> View:
        """The match through a seat's eyes (-1: a spectator), its own draft included; with `at` the position after that many
        committed turns.

        `events` is what happened after `since`, a version of this seat (None: nothing, as at a first look); `last` is what the
        last committed turn did. `uncovered` shows a match that is over with nothing hidden. Raises GameError if there is no
        such turn, or if the match is not over."""
        self._check(seat)
        if uncovered and not self._result:
            raise GameError(words('match.error.uncovered'))
        eyes = _ALL if uncovered else seat
        turn = self.turns if at is None else at
        if not 0 <= turn <= self.turns:
            raise GameError(words('match.error.no_turn', turns=self.turns, turn=at))
        if at is not None or uncovered:
            state = self._hidden(self._states[self._turns[turn - 1].last if turn else 0], eyes)
        else:
            state = self.knowledge(seat)
        if not uncovered:
            self.game.kernels.forget(state, seat, int(not self._is_fresh(turn - 1, seat)))
        actions = self._legal(self._open_state(seat)) if at is None and self.may_act(seat) else []
        last: list[Event] = []
        if turn:
            for number in range(self._turns[turn - 1].batch, turn):
                last += self._turn_events(number, eyes)
        events = tuple(self._events_since(seat, since, eyes)) if since is not None and at is None else ()
        return View(state, seat, tuple(actions), events, tuple(last), settings or ViewSettings(), self.players, self.colours)

    def names(self, seat: int) -> tuple[str, ...]:
        """The names of the actions that the seat can choose now."""
        if not self.may_act(seat):
            return ()
        state = self._open_state(seat)
        shown = self._before(state, seat)
        return tuple(self.game.action_name(shown, action) for action in self._legal(state))

    def choices(self, seat: int) -> tuple[Level, ...]:
        """The levels of the turn that the seat is making: one for each step of its draft, and the open one. () if it cannot act."""
        if not self.may_act(seat):
            return ()
        version, levels = self._choices_of.get(seat, (-1, ()))
        if version != self.version(seat):
            bases = [(step.before, step.name) for step in self._drafts.get(seat, ())] + [(self._open_state(seat), '')]
            levels = tuple(Level(chosen, tuple(self._choice(state, seat))) for state, chosen in bases)
            self._choices_of[seat] = self.version(seat), levels
        return levels

    def log(self, seat: int, since: int = 0, uncovered: bool = False) -> tuple[Row, ...]:
        """The rows after turn number `since` as the seat may know them (`uncovered`: all, once the match is over). Turns that were
        taken back are not among them, drafts neither."""
        self._check(seat)
        if uncovered and not self._result:
            raise GameError(words('match.error.uncovered'))
        eyes = _ALL if uncovered else seat
        rows = [note for note in self._notes if note.number >= since]
        for number, turn in enumerate(self._turns[since:], since):
            names = tuple(self._known(k, eyes)[0] for k in range(turn.first, turn.last))
            rows.append(Row(number + 1, 'turn', turn.seat, names, self._turn_events(number, eyes), turn.time))
        return tuple(sorted(rows, key=lambda row: (row.number, row.kind != 'turn')))

    # ---- playing

    def act(self, seat: int, version: int | None, names: str | Sequence[str], keep: int | None = None,
            rest: bool = False) -> Played:
        """Take steps: the first `keep` of the own draft stay (None: all), then the named steps follow, each a step or a whole turn.

        `version` is the seat's version that the choice answers (None: not checked). Raises NotYourTurn, Stale, or GameError with
        what would be legal. If a step reveals something while names are left, it is committed and the rest is left untouched
        (`Played.rest`): whether they are legal would tell what was revealed before it is.

        With `rest` the steps of the draft after the first `keep` are tried again after the new ones: each that is still legal and
        does not end the turn stays."""
        return self._act(seat, version, _parts(names), keep, rest)

    def play(self, seat: int, actions: Sequence[int]) -> Played:
        """The same with actions instead of names, for bots."""
        return self._act(seat, None, list(actions), None, False)

    def redraft(self, seat: int, version: int | None, targets: Sequence[str]) -> bool:
        """Let the game make another draft of what was clicked or dragged where that is no legal action (`Game.redraft`). False if
        it means nothing. Raises NotYourTurn or Stale."""
        self._check_turn(seat, version)
        base, draft = self._base(seat), self._drafts.get(seat, [])
        wanted = self.game.redraft(self._before(base, seat), [step.action for step in draft], list(targets))
        if wanted is None:
            return False
        self._replace_draft(seat, self._still(base, seat, wanted))
        return True

    def lay(self, seat: int, version: int | None, laid: Sequence[str], targets: Sequence[str]) -> tuple[str, ...] | None:
        """The same while the seat arranges things in any order (`Game.arrange`): what is laid then, None if it means nothing."""
        self._check_turn(seat, version)
        if not self.arranging(seat):
            return None
        base, draft = self._base(seat), self._drafts.get(seat, [])
        wanted = self.game.arrange(self._before(base, seat), [step.action for step in draft], laid, list(targets))
        if wanted is None:
            return None
        self._replace_draft(seat, self._still(base, seat, wanted[0]))
        return wanted[1]

    def sealed(self, seat: int) -> int | None:
        """The action with which a seat has sealed its choice while others still choose: for itself to see. None if it has not."""
        return self._drafts[seat][-1].action if seat in self._sealed else None

    def arranging(self, seat: int) -> bool:
        """Is the seat arranging things of its own in secret (`Game.arranged`), or waiting for the others to have done so?"""
        return seat in self.to_move and int(self._states[-1].phase) in self.game.arranged

    def shuffle(self, seat: int, version: int | None = None, seed: int | str | None = None) -> str:
        """Draw an arrangement by lot, make it the draft without the step that ends it, and return that step's name. Without a seed
        the system's entropy is used. Raises GameError."""
        base = self._check_arranging(seat, version)
        trial, work, found = self._guesses(self._before(base, seat), seat)[0], self.game.Work.new(), list[int]()
        start_generator(trial, seed_words(secrets.randbits(127) if seed is None else seed))
        while True:
            before = trial.copy()
            for action in self._out[:self.game.kernels.random_turn(trial, work, self._out)].tolist():
                self.game.kernels.apply(trial, action)
                found.append(action)
            if committed(before, trial):
                return self._arrange(seat, base, found)

    def arrange(self, seat: int, version: int | None, names: str | Sequence[str]) -> str:
        """The same with an arrangement that is given by the names of all its steps. Raises GameError if it does not fit."""
        base = self._check_arranging(seat, version)
        found = self._arrangement(base, seat, names)
        if not found:
            raise GameError(words('match.error.arrangement'))
        return self._arrange(seat, base, found)

    def fits(self, seat: int, names: str) -> bool:
        """Could the seat arrange its things so in the phase in which it is? `names`: of all steps."""
        return self.arranging(seat) and bool(self._arrangement(self._base(seat), seat, names))

    def arrangement(self, seat: int, last: str = '') -> str:
        """The names of all steps of the seat's arrangement: of the sealed one, else of its draft with the step `last` (which may be
        left out where one only is left). Raises GameError if it is not complete."""
        if not self.arranging(seat):
            raise GameError(words('match.error.not_arranging'))
        names = list(self.draft(seat))
        if seat not in self._sealed:
            left = self.names(seat)
            names += [last] if last else left if len(left) == 1 else []
        if not self.fits(seat, ' '.join(names)):
            raise GameError(words('match.error.not_arranged'))
        return ' '.join(names)

    def undo(self, seat: int, version: int | None = None, keep: int | None = None) -> None:
        """Take back the last step of the own draft, or all but the first `keep`. Raises GameError if there is none."""
        self._check_turn(seat, version)
        draft = self._drafts.get(seat, [])
        if not draft:
            raise GameError(words('match.error.no_draft'))
        self._undo(seat, len(draft) - 1 if keep is None else keep, self._clock())

    def resign(self, seat: int, level: str = 'medium') -> None:
        """Give up: with two players the other wins; with more a bot of that level takes the seat and the game goes on."""
        self._resign(seat, level if self.setup.players > 2 else '', self._clock())

    def may_take_back(self, seat: int) -> str:
        """'' if the seat may ask to take back its last committed turn, else the sentence that says why not."""
        try:
            self._takeback_to(self._check_player(seat))
        except GameError as problem:
            return str(problem)
        return ''

    def ask_takeback(self, seat: int, agreed: Collection[int] = ()) -> bool:
        """Ask to take back the seat's last committed turn and all that came after it. True if it was done at once.

        Bots agree always, and so do the seats in `agreed` (those of the same person); across a reveal it needs that all seats
        are people. Raises GameError."""
        self._check_player(seat)
        return self._ask_and_agree(seat, 'takeback', self._takeback_to(seat), '', agreed)

    def ask_replace(self, seat: int, leaver: int, level: str = 'medium', agreed: Collection[int] = ()) -> bool:
        """Ask to put a bot on the seat of somebody who left a game of three or more. True if it was done at once: all the other
        people must agree, those in `agreed` do. Raises GameError."""
        return self._ask_and_agree(seat, 'replace', leaver, level, agreed)

    def answer(self, seat: int, yes: bool) -> bool:
        """Answer the open request. True if it was carried out. A no ends it; the asker may withdraw with no, a leaver refuse."""
        return self._answer(seat, yes, self._clock())

    def come_back(self, seat: int) -> None:
        """The person whom a bot replaced takes the seat back (not after resigning). Raises GameError."""
        self._come_back(seat, self._clock())

    @property
    def next_order(self) -> tuple[int, ...]:
        """For each seat of a rematch the seat in this match. Raises GameError while the match runs."""
        if not self._result:
            raise GameError(words('match.error.rematch'))
        scores = self._result.scores
        first = scores.index(min(scores)) if self.game.next_first == 'lowest' else 1
        return tuple((first + k) % self.setup.players for k in range(self.setup.players))

    def rematch(self, seed: int | str | None = None) -> tuple[Setup, tuple[int, ...]]:
        """The set-up of another game of those who began this one, seated as the game declares (`next_first`), each with the colour
        of before, and for each of its seats the seat in this match. Raises GameError while the match runs."""
        order = self.next_order
        seats, colours = [self.setup.seats[old] for old in order], [self.colours[old] for old in order]
        return Setup.new(self.setup.game, self.setup.players, self.setup.options, seats, seed, colours), order

    # ---- checks

    def _check(self, seat: int) -> int:
        if not SPECTATOR <= seat < self.setup.players:
            raise GameError(words('match.error.no_seat', seat=seat, last=self.setup.players - 1))
        return seat

    def _check_player(self, seat: int) -> int:
        if self._check(seat) == SPECTATOR:
            raise NotYourTurn(words('match.error.spectator'))
        if self.frozen:
            raise GameError(self.frozen)
        if self._result:
            raise GameError(words('match.error.over'))
        return seat

    def _check_turn(self, seat: int, version: int | None) -> None:
        self._check_player(seat)
        if version is not None and version != self.version(seat):
            raise Stale(words('match.error.stale'))
        if seat in self._sealed:
            raise NotYourTurn(words('match.error.sealed'))
        if not self.may_act(seat):
            raise NotYourTurn(words('match.error.not_your_turn', player=self._who(self.to_move[0])))

    def _who(self, seat: int) -> str:
        return self._seats[seat].name or words('match.seat', number=seat + 1)

    # ---- steps

    def _legal(self, state: State) -> list[int]:
        legal: list[int] = self._out[:self.game.kernels.legal_actions(state, self._out)].tolist()
        return legal

    def _is_sealed(self) -> bool:
        return int(self._states[-1].phase) in self.game.sealed

    def _open_state(self, seat: int) -> State:
        """The true state on which the seat's next step is taken."""
        draft = self._drafts.get(seat)
        if draft:
            return draft[-1].state
        return self._sealed_base(seat) if self._is_sealed() else self._states[-1]

    def _sealed_base(self, seat: int) -> State:
        """A true state of a sealed phase in which it is the seat's turn: those before it have taken their first legal actions,
        whatever they chose in truth, so that no choice can have an influence on another."""
        state = self._states[-1].copy()
        while state.to_move != seat:
            self.game.kernels.apply(state, self._legal(state)[0])
        return state

    def _try(self, seat: int, wanted: Sequence[str] | Sequence[int],
             keep: int | None = None) -> tuple[list[_Step], tuple[str, ...]]:
        """The steps that names or actions stand for after the first `keep` steps of the draft, and what a reveal left over."""
        draft = self._drafts.get(seat, [])
        keep = len(draft) if keep is None else keep
        if not 0 <= keep <= len(draft):
            raise Stale(words('match.error.stale_keep', steps=len(draft), keep=keep))
        before = self._open_state(seat) if keep == len(draft) else draft[keep].before
        steps: list[_Step] = []
        left = list[Any](wanted)
        while left:
            legal, want = self._legal(before), left[0]
            if isinstance(want, str):
                action, want, left = first_action(self.game, before, left)
            else:
                action, left = want, left[1:]
            if action not in legal:
                name = repr(want[:NAME_LENGTH]) if isinstance(want, str) else words('match.action', number=want)
                names = [self.game.action_name(before, action) for action in legal]
                raise GameError(words('match.error.not_legal', name=name, legal=some(names)))
            state = before.copy()
            self.game.kernels.apply(state, action)
            steps.append(_Step(-1, action, self.game.action_name(before, action), before, state))
            if committed(before, state):
                rest = tuple(str(text) for text in left)
                if rest and (self._is_sealed() or (state.reveals == before.reveals and not state.ending)):
                    raise GameError(words('match.error.turn_ends', name=steps[-1].name))
                return steps, rest
            before = state
        return steps, ()

    def _act(self, seat: int, version: int | None, wanted: Sequence[str] | Sequence[int], keep: int | None,
             again: bool) -> Played:
        self._check_turn(seat, version)
        if not wanted:
            raise GameError(words('match.error.no_name'))
        steps, rest = self._try(seat, wanted, keep)
        done, draft, now = committed(steps[-1].before, steps[-1].state), self._drafts.get(seat, []), self._clock()
        if again and keep is not None and not done:
            steps += self._still(steps[-1].state, seat, [step.action for step in draft[keep:]])
        if keep is not None and keep < len(draft):
            self._undo(seat, keep, now)
        for step in steps:
            self._take(seat, step, now)
        return Played(len(steps), done, rest)

    def _still(self, state: State, seat: int, actions: Iterable[int]) -> list[_Step]:
        """The steps that these actions are from a true state on, without those that are not legal or may end the turn."""
        steps: list[_Step] = []
        for action in actions:
            if action not in self._legal(state) or self._may_commit(self._guesses(self._before(state, seat), seat), action):
                continue
            after = state.copy()
            self.game.kernels.apply(after, action)
            if not committed(state, after):
                steps.append(_Step(-1, action, self.game.action_name(state, action), state, after))
                state = after
        return steps

    def _may_commit(self, guesses: Iterable[State], action: int) -> bool:
        """May this action end the draft, as far as can be told from guesses of what its seat does not know?"""
        after = self.game.State.array(1)
        for guess in guesses:
            after[0] = guess
            self.game.kernels.apply(after[0], action)
            if committed(guess, after[0]):
                return True
        return False

    def _replace_draft(self, seat: int, steps: Sequence[_Step]) -> None:
        """Make these steps the seat's draft; those with which it begins already stay as they are."""
        draft, keep, now = self._drafts.get(seat, []), 0, self._clock()
        while keep < min(len(draft), len(steps)) and draft[keep].action == steps[keep].action:
            keep += 1
        if keep < len(draft):
            self._undo(seat, keep, now)
        for step in steps[keep:]:
            self._take(seat, step, now)

    # ---- arrangements

    def _base(self, seat: int) -> State:
        """The true state on which the seat's draft begins."""
        draft = self._drafts.get(seat)
        return draft[0].before if draft else self._open_state(seat)

    def _check_arranging(self, seat: int, version: int | None) -> State:
        self._check_turn(seat, version)
        if not self.arranging(seat):
            raise GameError(words('match.error.not_arranging'))
        return self._base(seat)

    def _arrangement(self, state: State, seat: int, names: str | Sequence[str]) -> list[int]:
        """The actions that the names of a whole arrangement stand for; none if it does not fit here."""
        left, found, ends = list(_parts(names)), list[int](), False
        while left and not ends:
            try:
                action, _, left = first_action(self.game, state, left)
            except GameError:
                return []
            if action not in self._legal(state):
                return []
            ends = self._may_commit(self._guesses(self._before(state, seat), seat), action)
            found.append(action)
            if not ends:
                state = state.copy()
                self.game.kernels.apply(state, action)
        return found if ends and not left else []

    def _arrange(self, seat: int, base: State, actions: Sequence[int]) -> str:
        """Make an arrangement the draft, without its last step, and return that step's name."""
        steps = self._still(base, seat, actions[:-1])
        self._replace_draft(seat, steps)
        return self.game.action_name(self._before(steps[-1].state if steps else base, seat), actions[-1])

    def _take(self, seat: int, step: _Step, now: float, expected: str | None = None) -> None:
        """Add a checked step to the draft, and commit it if it ends the draft. Raises _Disagreement, before anything is
        changed, if the position after it has not the expected hash."""
        if expected is not None:
            self._check_turn(seat, None)
        step = step._replace(serial=len(self._entries))
        ends = committed(step.before, step.state)
        together: list[tuple[int, _Step]] = []
        if ends and self._is_sealed():
            if len(self._sealed) == self.setup.players - 1:
                together = self._unseal(seat, step)
        elif ends:
            together = [(seat, draft) for draft in (*self._drafts.get(seat, ()), step)]
        digest = self._hash(together[-1][1].state if together else step.state)
        if expected is not None and digest != expected:
            raise _Disagreement
        self._entries.append(Entry('step', seat, step.action, step.name, digest, now))
        if together:
            self._commit(together, now)
        else:
            self._drafts.setdefault(seat, []).append(step)
            if ends:
                self._sealed.add(seat)
            self._changed(seat)

    def _unseal(self, last: int, step: _Step) -> list[tuple[int, _Step]]:
        """All sealed steps, the last one's included, taken from the true state in the order in which the game asks for them."""
        waiting = {seat: list(draft) for seat, draft in self._drafts.items()}
        waiting.setdefault(last, []).append(step)
        state, together = self._states[-1], []
        while any(waiting.values()):
            seat = int(state.to_move)
            old = waiting[seat].pop(0)
            if old.action not in self._legal(state):
                raise _Disagreement(f'{self.game.name}: the sealed choice {old.name!r} of seat {seat} depends on another one')
            before, state = state, state.copy()
            self.game.kernels.apply(state, old.action)
            together.append((seat, old._replace(before=before, state=state)))
        return together

    def _commit(self, together: Sequence[tuple[int, _Step]], now: float) -> None:
        batch = len(self._turns)
        for seat, step in together:
            if len(self._turns) > batch and self._turns[-1].seat == seat:
                self._turns[-1] = self._turns[-1]._replace(last=len(self._actions) + 1)
            else:
                self._turns.append(_Turn(seat, len(self._actions), len(self._actions) + 1, batch, now))
            self._actions.append((seat, step.action, step.serial))
            self._states.append(step.state)
        self._drafts.clear()
        self._sealed.clear()
        self._undos = [0] * self.setup.players
        state = self._states[-1]
        request = self._request
        if request and (request.kind == 'takeback' or state.ending or request.value in {seat for seat, _ in together}):
            self._request = None
        if state.ending:
            self._finish(self.game.endings[int(state.ending) - 1])
        self._changed()

    def _undo(self, seat: int, keep: int, now: float) -> None:
        self._check_turn(seat, None)
        draft = self._drafts.get(seat, [])
        if not 0 <= keep < len(draft):
            raise Stale(words('match.error.stale_undo', steps=len(draft), keep=keep))
        if self._undos[seat] >= UNDOS_A_TURN:
            raise GameError(words('match.error.undos', times=UNDOS_A_TURN))
        self._undos[seat] += 1
        self._entries.append(Entry('undo', seat, keep, time=now))
        del draft[keep:]
        self._changed(seat)

    # ---- resigning, requests

    def _resign(self, seat: int, level: str, now: float) -> None:
        self._check_player(seat)
        if seat in self._resigned:
            raise GameError(words('match.error.resigned'))
        self._entries.append(Entry('resign', seat, name=level, time=now))
        self._resigned.add(seat)
        if self.setup.players == 2:
            self._drafts.clear()
            self._request = None
            self._finish(RESIGNED, seat)
            self._note('resign', seat, now)
            self._changed()
        else:
            self._to_bot(seat, level)
            self._note('resign', seat, now)
            self._changed()
            self._settle(now)

    def _to_bot(self, seat: int, level: str) -> None:
        """The bot begins the turn anew; what the person had not committed is dropped."""
        self._seats[seat] = Seat(self._seats[seat].name, BOT, level)
        self._drafts.pop(seat, None)
        self._sealed.discard(seat)

    def _takeback_to(self, seat: int) -> int:
        """How many turns stay if the seat takes its last one back. Raises GameError if it may not ask for that."""
        self._check_player(seat)
        if self._request:
            raise GameError(words('match.error.request'))
        if self._drafts.get(seat):
            raise GameError(words('match.error.draft'))
        mine = [turn.batch for turn in self._turns if turn.seat == seat]
        if not mine:
            raise GameError(words('match.error.nothing_to_take_back'))
        first = self._states[self._turns[mine[-1]].first]
        if first.reveals != self._states[-1].reveals and any(s.kind == BOT for s in self._seats):
            raise GameError(words('match.error.revealed'))
        return mine[-1]

    def _ask_and_agree(self, seat: int, kind: Literal['takeback', 'replace'], value: int, level: str,
                       agreed: Collection[int]) -> bool:
        now = self._clock()
        done = self._ask(seat, kind, value, level, now)
        for other in sorted(set(agreed)):
            if self._request and other in self._request.waiting:
                done = self._answer(other, True, now)
        return done

    def _ask(self, seat: int, kind: Literal['takeback', 'replace'], value: int, level: str, now: float) -> bool:
        self._check_player(seat)
        if kind == 'takeback':
            if self._takeback_to(seat) != value:
                raise GameError(words('match.error.last_turn'))
        else:
            self._check_player(value)
            if self._request:
                raise GameError(words('match.error.request'))
            if self.setup.players < 3:
                raise GameError(words('match.error.two_players'))
            if self._seats[value].kind == BOT or value == seat:
                raise GameError(words('match.error.replace'))
        waiting = tuple(k for k, s in enumerate(self._seats)
                        if s.kind == PERSON and k != seat and not (kind == 'replace' and k == value))
        self._entries.append(Entry('ask', seat, value, kind if kind == 'takeback' else f'{kind} {level}', time=now))
        self._request = Request(kind, seat, value, level, waiting)
        self._changed()
        return self._settle(now)

    def _answer(self, seat: int, yes: bool, now: float) -> bool:
        self._check_player(seat)
        request = self._request
        if not request:
            raise GameError(words('match.error.no_request'))
        refuses = not yes and (seat == request.seat or (request.kind == 'replace' and seat == request.value))
        if seat not in request.waiting and not refuses:
            raise GameError(words('match.error.no_answer'))
        self._entries.append(Entry('answer', seat, int(yes), time=now))
        self._request = replace(request, waiting=tuple(k for k in request.waiting if k != seat)) if yes else None
        self._changed()
        return self._settle(now)

    def _settle(self, now: float) -> bool:
        """Carry out the open request if everybody who must agree has agreed."""
        request = self._request
        if request and any(self._seats[k].kind == BOT for k in (request.seat, *request.waiting)):   # somebody has resigned since
            waiting = tuple(k for k in request.waiting if self._seats[k].kind == PERSON)
            self._request = request = None if self._seats[request.seat].kind == BOT else replace(request, waiting=waiting)
        if request is None or request.waiting:
            return False
        self._request = None
        if request.kind == 'replace':
            if self._seats[request.value].kind == PERSON:
                self._to_bot(request.value, request.level)
                self._replaced.add(request.value)
                self._note('replace', request.value, now)
        else:
            self._take_back(request.value)
            self._note('takeback', request.seat, now)
        self._changed()
        return True

    def _take_back(self, turns: int) -> None:
        actions = self._turns[turns].first
        del self._turns[turns:], self._actions[actions:], self._states[actions + 1:]
        self._drafts.clear()
        self._sealed.clear()
        self._epoch += 1
        self._known_of.clear()
        self._notes = [replace(note, number=min(note.number, turns)) for note in self._notes]

    def _come_back(self, seat: int, now: float) -> None:
        self._check_player(seat)
        if seat not in self._replaced:
            raise GameError(words('match.error.come_back'))
        self._entries.append(Entry('return', seat, time=now))
        self._replaced.discard(seat)
        self._seats[seat] = self.setup.seats[seat]
        self._drafts.pop(seat, None)
        self._sealed.discard(seat)
        self._note('return', seat, now)
        self._changed()

    def _finish(self, ending: str, by: int = -1) -> None:
        n, state = self.setup.players, self._states[-1]
        scores, outcome = np.zeros(self.game.players[-1]), np.zeros(self.game.players[-1])
        self.game.kernels.scores(state, scores)
        if by >= 0:
            outcome[1 - by] = 1.0
        else:
            self.game.kernels.outcome(state, outcome)
        self._result = Result(ending, by, tuple(outcome[:n].tolist()), tuple(scores[:n].tolist()))

    def _note(self, kind: Literal['resign', 'takeback', 'replace', 'return', 'frozen'], seat: int, now: float) -> None:
        self._notes.append(Row(self.turns, kind, seat, time=now))

    def _changed(self, seat: int | None = None) -> None:
        """A new version for one seat whose draft has changed, or for everybody."""
        for who in range(SPECTATOR, self.setup.players) if seat is None else (seat,):
            draft = tuple(step.serial for step in self._drafts.get(who, ()))
            self._seen[who].append(_Mark(self._epoch, len(self._actions), draft))

    # ---- eyes

    def _hash(self, state: State) -> str:
        return hashlib.blake2b(self.game.canonical(state).encode(), digest_size=16).hexdigest()

    def _hidden(self, state: State, eyes: int) -> State:
        state = state.copy()
        if eyes != _ALL:
            self.game.kernels.hide(state, eyes)
        return state

    def _shown(self, state: State, eyes: int, past: int) -> State:
        """As people see it."""
        state = self._hidden(state, eyes)
        if eyes != _ALL:
            self.game.kernels.forget(state, eyes, past)
        return state

    def _mover_view(self, state: State, seat: int) -> State:
        state = state.copy()
        self.game.kernels.mover_view(state, seat)
        return state

    def _sealed_state(self, seat: int) -> State:
        """The true state that a seat sees in a sealed phase. The step that seals is not played out before all have sealed."""
        draft = self._drafts.get(seat)
        if not draft:
            return self._sealed_base(seat)
        return draft[-1].before if seat in self._sealed else draft[-1].state

    def _before(self, state: State, seat: int) -> State:
        """The state on which a seat chooses, as it knows it."""
        return self._mover_view(state, seat) if self._is_sealed() else self._hidden(state, seat)

    def _choice(self, state: State, seat: int) -> Iterator[Choice]:
        shown = self._before(state, seat)
        guesses = self._guesses(shown, seat)
        for action in self._legal(state):
            yield Choice(self.game.action_name(shown, action), self.game.targets(shown, action, self.colours),
                         self._may_commit(guesses, action))

    def _guesses(self, shown: State, seat: int) -> list[State]:
        """Some states that the seat cannot tell from the true one, always the same for a hidden state: what is found out on the
        true one could tell what is hidden."""
        guesses, work = [], self.game.Work.new()
        self.game.kernels.prepare(shown, seat, work)
        for seed in range(GUESSES):
            guesses.append(shown.copy())
            self.game.kernels.guess(guesses[-1], seat, seed, work)
        return guesses

    def _turn_events(self, number: int, eyes: int) -> tuple[Event, ...]:
        turn, past = self._turns[number], int(not self._is_fresh(number, eyes))
        return tuple(event for k in range(turn.first, turn.last) for event in self._known(k, eyes, past)[1])

    def _is_fresh(self, number: int, eyes: int) -> bool:
        """Is a committed turn still being looked at by a seat: has it taken no turn of its own after it? A spectator looks at the
        last turn of everybody."""
        last = len(self._turns) - self.setup.players
        for later in range(max(0, len(self._turns) - self.setup.players), len(self._turns)):
            if self._turns[later].seat == eyes:
                last = later
        return number >= last

    def _known(self, k: int, eyes: int, past: int = 0) -> tuple[str, tuple[Event, ...]]:
        """The name of the k-th committed action and what it did; `past`: as it is remembered."""
        found = self._known_of.setdefault((eyes, past), [])
        for i in range(len(found), k + 1):
            found.append(self._describe(self._states[i], self._actions[i][1], self._states[i + 1], eyes, past))
        return found[k]

    def _describe(self, before: State, action: int, after: State, eyes: int, past: int = 0) -> tuple[str, tuple[Event, ...]]:
        known = action if eyes == _ALL else int(self.game.kernels.hide_action(before, action, eyes))
        name = self.game.action_name(self._hidden(before, eyes), known) if known >= 0 else HIDDEN
        shown = self._shown(before, eyes, past), known, self._shown(after, eyes, past)
        return name, tuple(self.game.events(*shown, self.players, self.colours))

    def _events_since(self, seat: int, since: int, eyes: int) -> Iterator[Event]:
        seen = self._seen[seat]
        if not 0 <= since < len(seen) or seen[since].epoch != self._epoch:
            return
        mark = seen[since]
        fresh = next((turn.first for number, turn in enumerate(self._turns) if self._is_fresh(number, eyes)), 0)
        for k in range(mark.actions, len(self._actions)):
            if self._actions[k][2] not in mark.draft:
                yield from self._known(k, eyes, int(k < fresh))[1]
        for step in self._drafts.get(seat, ()):
            if step.serial not in mark.draft:
                yield from self._draft_events(step, seat)

    def _draft_events(self, step: _Step, seat: int) -> tuple[Event, ...]:
        if not self._is_sealed():
            return self._describe(step.before, step.action, step.state, seat)[1]
        if committed(step.before, step.state):
            return ()                                   # played out when all have sealed
        before, after = self._mover_view(step.before, seat), self._mover_view(step.state, seat)
        known = int(self.game.kernels.hide_action(step.before, step.action, seat))
        self.game.kernels.forget(before, seat, 0)
        self.game.kernels.forget(after, seat, 0)
        return tuple(self.game.events(before, known, after, self.players, self.colours))

