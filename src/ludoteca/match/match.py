"""One game being played by somebody.

A match is its set-up plus its log, an append-only list of entries; everything else (position, drafts,
versions, requests, result) derives from these two. Nothing here reads a file or a database: the keeper of the
log stores `entries[n:]` after every call that changed the match and, if that fails, calls `truncate(n)`.

    match = Match(Setup.new(game, players=2, seats=[Seat('Ann'), Seat('Bob', BOT, 'easy')]))
    match.act(0, match.version(0), 'a2:7')          # the first step of a turn: a draft that only seat 0 sees
    match.act(0, match.version(0), 'A1-B2')         # the turn is committed

The answers of methods that take a seat are made from hidden states and hidden actions and may be shown to
that seat. `setup`, `entries` and `truncate` are for the keeper of the log only: they hold the seed, the
position hashes and everybody's secret choices.
"""

from __future__ import annotations

import copy
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Literal, Self, cast

import numpy as np

from ludoteca.game import SPECTATOR, Event, Game, GameError, State, View, ViewSettings, committed, load
from ludoteca.kernel import seed_words, start_generator
from ludoteca.match.drafts import Drafts, words_of
from ludoteca.match.history import Disagreement, History, TrueStep
from ludoteca.match.knowledge import ALL_SEEN, Knowledge
from ludoteca.match.log import (
    RESIGNED,
    ActResult,
    Choice,
    DraftStep,
    LogEntry,
    LogRow,
    MatchResult,
    Notice,
    NotYourTurn,
    Request,
    Stale,
    TrueTurn,
)
from ludoteca.match.requests import Asked, Requests
from ludoteca.match.seat_view import SeatView
from ludoteca.match.setup import BOT, PERSON, Seat, Setup, deal_colours
from ludoteca.text import words


class Match:
    """One game being played. Every method that changes it does the whole or raises GameError and does
    nothing."""

    def __init__(
        self, setup: Setup, clock: Callable[[], float] = time.time, game: Game | None = None
    ) -> None:
        """A match before its first turn. `game`: another form of the set-up's game, such as one in which
        nothing is hidden. Raises GameError if the set-up is impossible."""
        self.setup = setup
        self.game: Game = game or load(setup.game)
        self.frozen = ''
        """'' or the sentence that says why the match can be read but not played."""
        self._clock = clock
        self._entries: list[LogEntry] = []
        self._retried = False  # is there an entry of somebody who tried again?
        self.colours = deal_colours(self.game.colours(setup.players), setup.colours)
        """The palette's names of the seats' colours."""
        self._knowledge = Knowledge(self.game)
        self._history = History(self.game, setup.start())
        self._drafts = Drafts(self._history, self._knowledge, setup.players)
        self._requests = Requests(setup.seats)
        self._seen = SeatView(
            self._history,
            self._drafts,
            self._knowledge,
            self.colours,
            lambda: self.players,
            lambda seat: self.seats[seat].kind == BOT,
        )
        self._result: MatchResult | None = None
        self._notes: list[LogRow] = []
        self._notices: list[Notice] = []
        self._choices_of: dict[int, tuple[int, tuple[DraftStep, ...]]] = {}
        self._levels_of: dict[int, dict[bytes, tuple[Choice, ...]]] = {}  # by the state that they start from
        if self._history.state.ending:  # it was set up to look at the end of a game
            self._finish(self.game.endings[int(self._history.state.ending) - 1])

    def copy(self) -> Match:
        """Another match that goes on from here and is changed independently. States are shared, since nobody
        changes them."""
        other = copy.copy(self)
        other._entries, other._notes = list(self._entries), list(self._notes)
        other._notices = list(self._notices)
        other._choices_of, other._levels_of = dict(self._choices_of), dict(self._levels_of)
        other._history = self._history.copy()
        other._drafts = self._drafts.copy(other._history)
        other._requests = self._requests.copy()
        other._seen = self._seen.copy(
            other._history,
            other._drafts,
            lambda: other.players,
            lambda seat: other.seats[seat].kind == BOT,
        )
        return other

    # ---- the log

    @classmethod
    def rebuild(
        cls, setup: Setup, entries: Iterable[LogEntry], clock: Callable[[], float] = time.time
    ) -> Self:
        """The match that a log describes, under the rules as they are now.

        Every name and hash is checked; where they do not agree the match is frozen at the last position that
        does. Raises GameError if the game no longer knows such a set-up."""
        match = cls(setup, clock)
        match.follow(list(entries))
        return match

    @property
    def entries(self) -> Sequence[LogEntry]:
        """The whole log. Secret while the match runs."""
        return self._entries

    @property
    def epoch(self) -> int:
        """How often turns have been taken back: within one epoch a number of a turn stands for one turn."""
        return self._history.epoch

    def truncate(self, n: int) -> None:
        """Go back to the first `n` entries: for when the rest could not be stored."""
        if n < len(self._entries):
            self.__dict__ = self.rebuild(self.setup, self._entries[:n], self._clock).__dict__

    def follow(self, entries: Sequence[LogEntry]) -> None:
        """Go on by entries that another server has added to the log. As in `rebuild`, every name and hash is
        checked."""
        for n, entry in enumerate(entries):
            try:
                self._replay(entry)
            except (GameError, Disagreement, ArithmeticError, LookupError):
                self._freeze(entries[n:])
                break

    def _replay(self, entry: LogEntry) -> None:
        seat = entry.seat
        if entry.kind == 'step':
            steps, _ = self._drafts.steps_for(seat, [entry.name])
            self._take(seat, steps[0], entry.time, entry.hash)
        elif entry.kind == 'undo':
            self._undo(seat, entry.action, entry.time)
        elif entry.kind == 'resign':
            self._resign(seat, entry.name, entry.time)
        elif entry.kind == 'ask':
            kind, _, level = entry.name.partition(' ')
            self._ask(seat, cast(Asked, kind), entry.action, level, entry.time)
        elif entry.kind == 'retry':
            self._retry(seat, entry.action, entry.time)
        elif entry.kind == 'answer':
            self._answer(seat, bool(entry.action), entry.time)
        else:
            self._come_back(seat, entry.time)

    def _freeze(self, rest: Sequence[LogEntry]) -> None:
        if self.setup.version != self.game.version:
            self.frozen = words(
                'match.frozen.version',
                game=self.game.title,
                old=self.setup.version,
                new=self.game.version,
                turn=self.turns,
            )
        else:
            self.frozen = words('match.frozen.log', game=self.game.title, turn=self.turns)
        self._entries.extend(rest)  # nothing is lost: other rules may read it again
        self._retried = self._retried or any(entry.kind == 'retry' for entry in rest)
        self._drafts.clear()
        self._requests.open = None
        self._note('frozen', SPECTATOR, rest[0].time)
        self._seen.changed()

    # ---- the state of affairs, all of it public

    @property
    def status(self) -> Literal['running', 'finished', 'frozen']:
        """Can it be played on?"""
        return 'frozen' if self.frozen else 'finished' if self._result else 'running'

    @property
    def result(self) -> MatchResult | None:
        """None while nobody has won."""
        return self._result

    @property
    def rated(self) -> bool:
        """Does the match count? A lesson and an exercise do not, nor a match that began in the middle of a
        game or was read from a file, nor one in which somebody has tried again."""
        setup = self.setup
        taught = setup.lesson or setup.exercise or setup.position is not None
        return not (taught or setup.imported or self._retried)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays now: as in the set-up, but for seats that went over to bots."""
        return tuple(self._requests.seats)

    @property
    def players(self) -> tuple[str, ...]:
        """What the players are called: by their names, else by the words for their colours."""
        pairs = zip(self._requests.seats, self.colours, strict=True)
        return tuple(seat.name or words(f'colour.{colour}') for seat, colour in pairs)

    @property
    def first(self) -> int:
        """The seat that begins."""
        return int(self._history.states[0].to_move)

    @property
    def turns(self) -> int:
        """How many turns are committed (the last `at` of `view`)."""
        return len(self._history.turns)

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats whose turn it is, as everybody may know: one; all in a sealed phase; none when it is
        over."""
        if self.status != 'running':
            return ()
        return (
            tuple(range(self.setup.players))
            if self._history.is_sealed
            else (int(self._history.state.to_move),)
        )

    def movers(self, at: int) -> tuple[int, ...]:
        """The seats whose turn it was after so many committed turns: one; in a sealed phase all whose choice
        comes later; none when it was over."""
        state = self._history.state_at(at)
        if state.ending or (at == self.turns and self._result):
            return ()
        if int(state.phase) not in self.game.sealed:
            return (int(state.to_move),)
        turns = self._history.turns
        batch = turns[at].batch if at < len(turns) else at
        done = {turn.seat for turn in turns[batch:at]}
        return tuple(seat for seat in range(self.setup.players) if seat not in done)

    @property
    def request(self) -> Request | None:
        """The open request, if there is one."""
        return self._requests.open

    def is_asked(self, seat: int) -> bool:
        """True if a rematch waits for this seat's answer."""
        request = self.request
        return request is not None and request.kind == 'rematch' and seat in request.waiting

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What happened beside the turns since the match began, the oldest first: how requests ended, and who
        resigned, was replaced or came back."""
        return tuple(self._notices)

    def finished(self, at: int | None = None) -> int:
        """How many turns are finished, now or after so many committed ones, as the game counts them: it does
        not count secret choices that all seats make at once."""
        return int(self._history.state_at(self.turns if at is None else at).turn)

    def stage(self, at: int | None = None) -> str:
        """How far the game had come after turn number `at` (None: the last) in its own words (`Game.stage`),
        '' if it has none."""
        return self._seen.stage(self.turns if at is None else at)

    @property
    def revealing(self) -> int:
        """The seat whose turn was the last one, if that brought something to light; else -1."""
        turns, history = self._history.turns, self._history
        if not turns or turns[-1].batch < len(turns) - 1:
            return SPECTATOR
        revealed = history.states[turns[-1].first].reveals != history.state.reveals
        return turns[-1].seat if revealed else SPECTATOR

    # ---- what one seat may know

    def may_act(self, seat: int) -> bool:
        """Can this seat choose something now? In a sealed phase it cannot once it has sealed: the seat itself
        and the server may know that, others may not."""
        return seat in self.to_move and seat not in self._drafts.sealed

    def may_choose(self, seat: int) -> bool:
        """Can the person of this seat choose something now? Not where a bot plays on for somebody who has
        resigned or left."""
        return self.may_act(seat) and self.seats[seat].kind == PERSON

    def check_person(self, seat: int) -> None:
        """Raises NotYourTurn if a bot plays on for the person of this seat."""
        if not self._result:
            self._requests.check_person(seat)

    def version(self, seat: int) -> int:
        """Goes up when what this seat can see changes, and only then. A rebuilt match has the same
        versions."""
        return self._seen.version(self._check(seat))

    def draft(self, seat: int) -> tuple[str, ...]:
        """The names of the seat's own steps that are not committed yet."""
        return tuple(step.name for step in self._drafts.of(seat))

    def drafted(self, seat: int) -> tuple[Event, ...]:
        """What the steps did that are not committed yet and that the seat sees: its own ones, or those of the
        bot whose turn it is."""
        return tuple(event for step in self._seen.steps(seat) for event in self._seen.step_events(step, seat))

    def knowledge(self, seat: int) -> State:
        """What a seat with perfect recall knows now, its draft or a bot's open steps included: the state on
        which bots think (no `forget` applied)."""
        if self._check(seat) >= 0 and self._history.is_sealed and self.status == 'running':
            return self._knowledge.mover_view(self._drafts.sealed_state(seat), seat)
        steps = self._seen.steps(seat)
        return self._knowledge.hidden(steps[-1].state if steps else self._history.state, seat)

    def view(
        self,
        seat: int,
        at: int | None = None,
        since: int | None = None,
        settings: ViewSettings | None = None,
        uncovered: bool = False,
    ) -> View:
        """The match through a seat's eyes (-1: a spectator), its own draft or what a bot has done of its turn
        included; with `at` the position after that many committed turns.

        `events` is what happened after `since`, a version of this seat (None: nothing, as at a first look);
        `last` is what the last committed turn did. `uncovered` shows a match that is over with nothing
        hidden; the last position of such a match is always shown so, whatever ended it. Raises GameError if
        there is no such turn, or if the match is not over."""
        viewer = self._viewer(seat, uncovered)
        opened = uncovered or (at is None and self._result is not None)
        turn = self.turns if at is None else at
        if not 0 <= turn <= self.turns:
            raise GameError(words('match.error.no_turn', turns=self.turns, turn=at))
        if at is not None or opened:
            state = self._knowledge.hidden(self._history.state_at(turn), ALL_SEEN if opened else seat)
        else:
            state = self.knowledge(seat)
        if not opened and not self.setup.exercise:  # who begins there cannot remember
            self.game.kernels.forget(state, seat, int(not self._history.is_fresh(turn - 1, seat)))
        may_act = at is None and self.may_act(seat)
        actions = self._history.legal(self._drafts.open_state(seat)) if may_act else []
        last = self._seen.batch_events(turn, viewer)
        events = (
            tuple(self._seen.events_since(seat, since, viewer)) if since is not None and at is None else ()
        )
        return View(
            state, seat, tuple(actions), events, last, settings or ViewSettings(), self.players, self.colours
        )

    def _viewer(self, seat: int, uncovered: bool) -> int:
        """Through whose eyes a seat looks. Raises GameError if everything is to be uncovered while the match
        runs."""
        self._check(seat)
        if uncovered and not self._result:
            raise GameError(words('match.error.uncovered'))
        return ALL_SEEN if uncovered else seat

    def names(self, seat: int) -> tuple[str, ...]:
        """The names of the actions that the seat can choose now."""
        if not self.may_act(seat):
            return ()
        version, levels = self._choices_of.get(seat, (-1, ()))
        if version == self.version(seat):
            return tuple(choice.name for choice in levels[-1].choices)
        state = self._drafts.open_state(seat)
        known = self._drafts.known(state, seat)
        return tuple(self.game.action_name(known, action) for action in self._history.legal(state))

    def choices(self, seat: int) -> tuple[DraftStep, ...]:
        """The levels of the turn that the seat is making: one for each step of its draft, and the open one.
        () if it cannot act."""
        if not self.may_act(seat):
            return ()
        version, levels = self._choices_of.get(seat, (-1, ()))
        if version != self.version(seat):
            bases = [(step.before, step.name) for step in self._drafts.of(seat)] + [
                (self._drafts.open_state(seat), '')
            ]
            # before the steps that stay nothing else is there to be chosen; what seats have chosen is done
            before = self._levels_of.get(seat, {})
            for kept in (self._choices_of, self._levels_of):
                for other in [other for other in kept if not self.may_act(other)]:
                    del kept[other]
            found = self._levels_of[seat] = {
                state.tobytes(): before.get(state.tobytes()) or tuple(self._seen.choices(state, seat))
                for state, _ in bases
            }
            levels = tuple(
                DraftStep(
                    chosen, found[state.tobytes()], () if chosen else tuple(self._seen.shortcuts(state, seat))
                )
                for state, chosen in bases
            )
            self._choices_of[seat] = self.version(seat), levels
        return levels

    def log(self, seat: int, since: int = 0, uncovered: bool = False) -> tuple[LogRow, ...]:
        """The rows after turn number `since` as the seat may know them (`uncovered`: all, once the match is
        over). Turns that were taken back are not among them, drafts neither."""
        viewer = self._viewer(seat, uncovered)
        rows = self._seen.rows_since(since, viewer)
        notes = [note for note in self._notes if note.number >= since]
        return tuple(
            sorted(notes + rows, key=lambda row: (row.number, row.kind != 'turn')) if notes else rows
        )

    def true_turns(self) -> tuple[TrueTurn, ...]:
        """All committed turns with nothing hidden. Raises GameError if the match is not over."""
        self._viewer(SPECTATOR, uncovered=True)
        history = self._history
        return tuple(
            TrueTurn(
                turn.seat,
                turn.batch,
                tuple(done.action for done in history.actions[turn.first : turn.last]),
                tuple(history.states[turn.first : turn.last]),
            )
            for turn in history.turns
        )

    def true_state(self) -> State:
        """A copy of the whole position, without drafts: for the keeper of the log only."""
        state: State = self._history.state.copy()
        return state

    def own_last(self, seat: int) -> int:
        """After how many committed turns the seat's own last turn was over; 0 if it has made none. For a
        spectator it is all turns but those committed last."""
        turns = self._history.turns
        if seat < 0:
            return turns[-1].batch if turns else 0
        return next((number + 1 for number in range(len(turns) - 1, -1, -1) if turns[number].seat == seat), 0)

    def recent(self, seat: int) -> tuple[Event, ...]:
        """What the others' turns did since the seat's own last one, as the seat may know it; the unfinished
        turn of a bot is included. If there are none, what the last turn did."""
        own = self.own_last(self._check(seat))
        going_on = () if self._drafts.of(seat) else self.drafted(seat)
        if own == self.turns:
            return going_on or self._seen.batch_events(self.turns, seat)
        return (
            *(event for k in range(own, self.turns) for event in self._seen.turn_events(k, seat)),
            *going_on,
        )

    # ---- playing

    def act(
        self,
        seat: int,
        version: int | None,
        names: str | Sequence[str],
        keep: int | None = None,
        rest: bool = False,
    ) -> ActResult:
        """Take steps: the first `keep` of the own draft stay (None: all), then the named steps follow, each a
        step or a whole turn.

        `version` is the seat's version that the choice answers (None: not checked). Raises NotYourTurn,
        Stale, or GameError with what would be legal. If a step reveals something while names are left, it is
        committed and the rest is left untouched (`ActResult.rest`): to say whether they are legal would tell
        what was revealed before it is seen.

        With `rest` the steps of the draft after the first `keep` are tried again after the new ones: each
        that is still legal and does not end the turn stays."""
        return self._act(seat, version, words_of(names), keep, rest)

    def play(self, seat: int, actions: Sequence[int]) -> ActResult:
        """The same with actions instead of names, for bots."""
        return self._act(seat, None, list(actions), None, False)

    def redraft(self, seat: int, version: int | None, targets: Sequence[str]) -> bool:
        """Let the game make another draft of what was clicked or dragged where that is no legal action
        (`Game.redraft`). False if it means nothing. Raises NotYourTurn or Stale."""
        self._check_turn(seat, version)
        base, draft = self._drafts.base(seat), self._drafts.of(seat)
        wanted = self.game.redraft(
            self._drafts.known(base, seat), [step.action for step in draft], list(targets)
        )
        if wanted is None:
            return False
        self._replace_draft(seat, self._drafts.safe_steps(base, seat, wanted))
        return True

    def lay(
        self, seat: int, version: int | None, laid: Sequence[str], targets: Sequence[str]
    ) -> tuple[str, ...] | None:
        """The same while the seat arranges things in any order (`Game.arrange`): what is laid then, None if
        it means nothing."""
        self._check_turn(seat, version)
        if not self.arranging(seat):
            return None
        base, draft = self._drafts.base(seat), self._drafts.of(seat)
        wanted = self.game.arrange(
            self._drafts.known(base, seat), [step.action for step in draft], laid, list(targets)
        )
        if wanted is None:
            return None
        self._replace_draft(seat, self._drafts.safe_steps(base, seat, wanted[0]))
        return wanted[1]

    def sealed(self, seat: int) -> int | None:
        """The action with which a seat has sealed its choice while others still choose: for itself to see.
        None if it has not."""
        return self._drafts.of(seat)[-1].action if seat in self._drafts.sealed else None

    def arranging(self, seat: int) -> bool:
        """Is the seat arranging things of its own in secret (`Game.arranged`), or waiting for the others to
        have done so?"""
        return seat in self.to_move and int(self._history.state.phase) in self.game.arranged

    def arranged(self, at: int) -> bool:
        """Were things arranged in secret after so many committed turns?"""
        return at <= self.turns and int(self._history.state_at(at).phase) in self.game.arranged

    def shuffle(self, seat: int, version: int | None = None, seed: int | str | None = None) -> str:
        """Draw an arrangement by lot, make it the draft without the step that ends it, and return that step's
        name. Without a seed the system's entropy is used. Raises GameError."""
        base = self._check_arranging(seat, version)
        known = self._drafts.known(base, seat)
        trial, work, found = self._knowledge.guesses(known, seat)[0], self.game.Work.new(), list[int]()
        out = np.empty(self.game.max_legal, np.int32)
        start_generator(trial, seed_words(secrets.randbits(127) if seed is None else seed))
        while True:
            before = trial.copy()
            for action in out[: self.game.kernels.random_turn(trial, work, out)].tolist():
                self.game.kernels.apply(trial, action)
                found.append(action)
            if committed(before, trial):
                return self._arrange(seat, base, found)

    def arrange(self, seat: int, version: int | None, names: str | Sequence[str]) -> str:
        """The same with an arrangement that is given by the names of all its steps. Raises GameError if it
        does not fit."""
        base = self._check_arranging(seat, version)
        found = self._drafts.arrangement(base, seat, names)
        if not found:
            raise GameError(words('match.error.arrangement'))
        return self._arrange(seat, base, found)

    def fits(self, seat: int, names: str) -> bool:
        """Could the seat arrange its things so in the phase in which it is? `names`: of all steps."""
        return self.arranging(seat) and bool(self._drafts.arrangement(self._drafts.base(seat), seat, names))

    def arrangement(self, seat: int, last: str = '') -> str:
        """The names of all steps of the seat's arrangement: of the sealed one, else of its draft with the
        step `last` (which may be left out where one only is left). Raises GameError if it is not complete."""
        if not self.arranging(seat):
            raise GameError(words('match.error.not_arranging'))
        names = list(self.draft(seat))
        if seat not in self._drafts.sealed:
            left = self.names(seat)
            names += [last] if last else left if len(left) == 1 else []
        if not self.fits(seat, ' '.join(names)):
            raise GameError(words('match.error.not_arranged'))
        return ' '.join(names)

    def undo(self, seat: int, version: int | None = None, keep: int | None = None) -> None:
        """Take back the last step of the own draft, or all but the first `keep`. Raises GameError if there is
        none."""
        self._check_turn(seat, version)
        draft = self._drafts.of(seat)
        if not draft:
            raise GameError(words('match.error.no_draft'))
        self._undo(seat, len(draft) - 1 if keep is None else keep, self._clock())

    def resign(self, seat: int, level: str = 'medium') -> None:
        """Give up: with two players the other wins; with more a bot of that level takes the seat and the game
        goes on."""
        self._resign(seat, level if self.setup.players > 2 else '', self._clock())

    def may_take_back(self, seat: int) -> str:
        """'' if the seat may ask to take back its last committed turn, else the sentence that says why
        not."""
        try:
            self._takeback_to(self._check_player(seat))
        except GameError as problem:
            return str(problem)
        return ''

    def ask_takeback(self, seat: int, agreed: Collection[int] = ()) -> bool:
        """Ask to take back the seat's last committed turn and all that came after it. True if it was done at
        once.

        Bots agree always, and so do the seats in `agreed` (those of the same person); across a reveal all
        seats must be people. Raises GameError."""
        self._check_player(seat)
        return self._ask_and_agree(seat, 'takeback', self._takeback_to(seat), '', agreed)

    def may_retry(self, seat: int, turns: int | None = None) -> str:
        """'' if the seat may go back to the position after so many turns and play on from there (None: to
        before its last turn), else the sentence that says why not."""
        try:
            self._retry_to(seat, turns)
        except GameError as problem:
            return str(problem)
        return ''

    def retry(self, seat: int, turns: int | None = None) -> None:
        """Go back to the position after so many turns, at which the seat was to move, and play on from there
        (None: to before its last turn). The draft is dropped, and the match does not count any more.

        Possible where all other seats are bots, across reveals as well: things drawn since then lie where
        they lay before, and bots make their secret choices anew. Raises GameError."""
        self._retry(seat, self._retry_to(seat, turns), self._clock())

    def ask_replace(
        self, seat: int, leaver: int, level: str = 'medium', agreed: Collection[int] = ()
    ) -> bool:
        """Ask to put a bot on the seat of somebody who left a game of three or more. True if it was done at
        once: all the other people must agree, those in `agreed` do. Raises GameError."""
        return self._ask_and_agree(seat, 'replace', leaver, level, agreed)

    def ask_rematch(self, seat: int, best_of: int = 1, agreed: Collection[int] = ()) -> bool:
        """Ask those who began the match to play again, one game or the best of three. True if all want to;
        those in `agreed` do, and so does whoever asks for the same. Raises GameError."""
        request = self.request
        if request is None or request.value != best_of:
            return self._ask_and_agree(seat, 'rematch', best_of, '', agreed)
        return self._agree((seat, *agreed), self._clock()) or not request.waiting

    def answer(self, seat: int, yes: bool, alike: Collection[int] = ()) -> bool:
        """Answer the open request, also for the seats in `alike` (those of the same person). True if it was
        carried out. A no ends it; the asker may withdraw with no, a leaver refuse."""
        now = self._clock()
        done = self._answer(seat, yes, now)
        return self._agree(alike, now) or done

    def may_come_back(self, seat: int) -> bool:
        """Has a bot replaced the person of this seat, who can take it back?"""
        return not self._result and self._requests.is_replaced(seat)

    def come_back(self, seat: int) -> None:
        """The person whom a bot replaced takes the seat back (not after resigning). Raises GameError."""
        self._come_back(seat, self._clock())

    @property
    def next_order(self) -> tuple[int, ...]:
        """For each seat of a rematch the seat in this match. Raises GameError while the match runs."""
        scores = self._check_over().scores
        first = scores.index(min(scores)) if self.game.next_first == 'lowest' else 1
        return tuple((first + k) % self.setup.players for k in range(self.setup.players))

    def rematch(self, seed: int | str | None = None) -> tuple[Setup, tuple[int, ...]]:
        """The set-up of a rematch, and for each of its seats the seat in this match. It is played by those
        who began this match, in the same colours, seated as the game declares (`next_first`). Raises
        GameError while the match runs."""
        order = self.next_order
        seats, colours = [self.setup.seats[old] for old in order], [self.colours[old] for old in order]
        return Setup.new(self.setup.game, self.setup.players, self.setup.options, seats, seed, colours), order

    # ---- checks

    def _check(self, seat: int) -> int:
        if not SPECTATOR <= seat < self.setup.players:
            raise GameError(words('match.error.no_seat', seat=seat, last=self.setup.players - 1))
        return seat

    def _check_player(self, seat: int, over: bool = False) -> int:
        """`over`: may the match be over?"""
        if self._check(seat) == SPECTATOR:
            raise NotYourTurn(words('match.error.spectator'))
        if self.frozen:
            raise GameError(self.frozen)
        if self._result and not over:
            raise GameError(words('match.error.over'))
        return seat

    def _check_over(self) -> MatchResult:
        if not self._result:
            raise GameError(words('match.error.rematch'))
        return self._result

    def _check_turn(self, seat: int, version: int | None) -> None:
        self._check_player(seat)
        if version is not None and version != self.version(seat):
            raise Stale(words('match.error.stale'))
        if seat in self._drafts.sealed:
            raise NotYourTurn(words('match.error.sealed'))
        if not self.may_act(seat):
            raise NotYourTurn(words('match.error.not_your_turn', player=self._who(self.to_move[0])))

    def _who(self, seat: int) -> str:
        return self._requests.seats[seat].name or words('match.seat', number=seat + 1)

    # ---- steps

    def _act(
        self,
        seat: int,
        version: int | None,
        wanted: Sequence[str] | Sequence[int],
        keep: int | None,
        again: bool,
    ) -> ActResult:
        self._check_turn(seat, version)
        if not wanted:
            raise GameError(words('match.error.no_name'))
        steps, rest = self._drafts.steps_for(seat, wanted, keep)
        done, draft, now = committed(steps[-1].before, steps[-1].state), self._drafts.of(seat), self._clock()
        if again and keep is not None and not done:
            steps += self._drafts.safe_steps(steps[-1].state, seat, [step.action for step in draft[keep:]])
        if keep is not None and keep < len(draft):
            self._undo(seat, keep, now)
        for step in steps:
            self._take(seat, step, now)
        return ActResult(len(steps), done, rest)

    def _replace_draft(self, seat: int, steps: Sequence[TrueStep]) -> None:
        """Make these steps the seat's draft; those with which it begins already stay as they are."""
        draft, keep, now = self._drafts.of(seat), 0, self._clock()
        while keep < min(len(draft), len(steps)) and draft[keep].action == steps[keep].action:
            keep += 1
        if keep < len(draft):
            self._undo(seat, keep, now)
        for step in steps[keep:]:
            self._take(seat, step, now)

    def _check_arranging(self, seat: int, version: int | None) -> State:
        self._check_turn(seat, version)
        if not self.arranging(seat):
            raise GameError(words('match.error.not_arranging'))
        return self._drafts.base(seat)

    def _arrange(self, seat: int, base: State, actions: Sequence[int]) -> str:
        """Make an arrangement the draft, without its last step, and return that step's name."""
        steps = self._drafts.safe_steps(base, seat, actions[:-1])
        self._replace_draft(seat, steps)
        return self.game.action_name(
            self._drafts.known(steps[-1].state if steps else base, seat), actions[-1]
        )

    def _take(self, seat: int, step: TrueStep, now: float, expected: str | None = None) -> None:
        """Add a checked step to the draft, and commit it if it ends the draft. Raises Disagreement, before
        anything is changed, if the position after it does not have the expected hash."""
        if expected is not None:
            self._check_turn(seat, None)
        step = step._replace(serial=len(self._entries))
        ends = committed(step.before, step.state)
        together: list[tuple[int, TrueStep]] = []
        if ends and self._history.is_sealed:
            if len(self._drafts.sealed) == self.setup.players - 1:
                together = self._drafts.unsealed(seat, step)
        elif ends:
            together = [(seat, draft) for draft in (*self._drafts.of(seat), step)]
        digest = self._history.digest(together[-1][1].state if together else step.state)
        if expected is not None and digest != expected:
            raise Disagreement
        self._entries.append(LogEntry('step', seat, step.action, step.name, digest, now))
        if together:
            self._commit(together, now)
        else:
            self._drafts.add(seat, step, ends)
            self._seen.changed(seat)

    def _commit(self, together: Sequence[tuple[int, TrueStep]], now: float) -> None:
        self._history.commit(together, now)
        self._drafts.begin_turn()
        state = self._history.state
        lapsed = self._requests.turn_committed([seat for seat, _ in together], bool(state.ending))
        if lapsed:
            self._notices.append(Notice('lapse', SPECTATOR, lapsed))
        if state.ending:
            self._finish(self.game.endings[int(state.ending) - 1])
        self._seen.changed()

    def _undo(self, seat: int, keep: int, now: float) -> None:
        self._check_turn(seat, None)
        self._drafts.check_cut(seat, keep)
        self._entries.append(LogEntry('undo', seat, keep, time=now))
        self._drafts.cut(seat, keep)
        self._seen.changed(seat)

    # ---- resigning, requests

    def _resign(self, seat: int, level: str, now: float) -> None:
        self._check_player(seat)
        self._requests.check_resign(seat)
        self._entries.append(LogEntry('resign', seat, name=level, time=now))
        self._requests.resign(seat)
        if self.setup.players == 2:
            self._drafts.clear()
            self._requests.open = None
            self._finish(RESIGNED, seat)
        else:
            self._requests.seat_bot(seat, level)  # the bot begins the turn anew
            self._drafts.drop(seat)
        self._note('resign', seat, now)
        self._seen.changed()
        self._settle(now)

    def _takeback_to(self, seat: int) -> int:
        """How many turns stay if the seat takes its last one back. Raises GameError if it may not ask for
        that."""
        self._check_player(seat)
        if self._requests.open:
            raise GameError(words('match.error.request'))
        if self._drafts.of(seat):
            raise GameError(words('match.error.draft'))
        return self._requests.check_takeback(seat, self._history)

    def _retry_to(self, seat: int, turns: int | None) -> int:
        """How many turns stay if the seat tries again. Raises GameError if it may not."""
        self._check_player(seat)
        self._requests.check_alone(seat)
        made = self._history.turns
        if turns is None:
            turns = next((turn.batch for turn in reversed(made) if turn.seat == seat), self.turns)
        # choices that all make in secret at once are made anew by all
        if not 0 <= turns < self.turns or made[turns].batch != turns or seat not in self.movers(turns):
            raise GameError(words('match.error.retry'))
        return turns

    def _retry(self, seat: int, turns: int, now: float) -> None:
        self._retry_to(seat, turns)
        self._entries.append(LogEntry('retry', seat, turns, time=now))
        self._retried = True
        self._requests.open = None
        self._take_back(turns)
        if not (self.setup.lesson or self.setup.exercise):  # there it is how they go
            self._note('retry', seat, now)
        self._seen.changed()

    def _ask_and_agree(self, seat: int, kind: Asked, value: int, level: str, agreed: Collection[int]) -> bool:
        now = self._clock()
        done = self._ask(seat, kind, value, level, now)
        return self._agree(agreed, now) or done

    def _agree(self, seats: Collection[int], now: float) -> bool:
        """Those of the seats whose answer is waited for agree to the open request. True if it was carried
        out."""
        done = False
        for seat in sorted(set(seats)):
            if self._requests.open and seat in self._requests.open.waiting:
                done = self._answer(seat, True, now)
        return done

    def _ask(self, seat: int, kind: Asked, value: int, level: str, now: float) -> bool:
        self._check_player(seat, over=kind == 'rematch')
        if kind == 'takeback':
            if self._takeback_to(seat) != value:
                raise GameError(words('match.error.last_turn'))
        elif kind == 'rematch':
            self._check_over()
            self._requests.check_rematch()
        else:
            self._check_player(value)
            self._requests.check_replace(seat, value)
        self._entries.append(LogEntry('ask', seat, value, f'{kind} {level}'.rstrip(), time=now))
        self._requests.ask(kind, seat, value, level)
        self._notices.append(Notice('ask', seat, self._requests.open))
        self._seen.changed()
        return self._settle(now)

    def _answer(self, seat: int, yes: bool, now: float) -> bool:
        self._check_player(seat, over=True)
        request = self._requests.check_answer(seat, yes)
        self._entries.append(LogEntry('answer', seat, int(yes), time=now))
        self._requests.answer(seat, yes)
        if not yes and seat == request.seat:
            self._notices.append(Notice('withdraw', seat, request))
        elif not yes and request.kind == 'rematch':  # the log of the match ends with the match
            self._notices.append(Notice('refuse', seat, request))
        elif not yes:
            self._note('refuse', seat, now, request)
        self._seen.changed()
        return self._settle(now)

    def _settle(self, now: float) -> bool:
        """Carry out the open request if everybody who must agree has agreed."""
        request = self._requests.take_agreed()
        if request is None:
            return False
        if request.kind == 'takeback':
            self._take_back(request.value)
            self._note('takeback', request.seat, now)
        elif request.kind == 'replace' and self.seats[request.value].kind == PERSON:
            self._requests.seat_bot(request.value, request.level, may_return=True)
            self._drafts.drop(request.value)
            self._note('replace', request.value, now)
        self._seen.changed()
        return True

    def _take_back(self, turns: int) -> None:
        self._history.take_back(turns)
        self._drafts.clear()
        self._seen.forget_taken_back()
        self._notes = [replace(note, number=min(note.number, turns)) for note in self._notes]

    def _come_back(self, seat: int, now: float) -> None:
        self._check_player(seat)
        self._requests.check_return(seat)
        self._entries.append(LogEntry('return', seat, time=now))
        self._requests.seat_person(seat)
        self._drafts.drop(seat)
        self._note('return', seat, now)
        self._seen.changed()

    def _finish(self, ending: str, by: int = -1) -> None:
        n, state = self.setup.players, self._history.state
        scores, outcome = np.zeros(self.game.players[-1]), np.zeros(self.game.players[-1])
        self.game.kernels.scores(state, scores)
        if by >= 0:
            outcome[1 - by] = 1.0
        else:
            self.game.kernels.outcome(state, outcome)
        self._result = MatchResult(ending, by, tuple(outcome[:n].tolist()), tuple(scores[:n].tolist()))

    def _note(
        self,
        kind: Literal['resign', 'takeback', 'retry', 'refuse', 'replace', 'return', 'frozen'],
        seat: int,
        now: float,
        request: Request | None = None,
    ) -> None:
        self._notes.append(LogRow(self.turns, kind, seat, time=now))
        self._notices.append(Notice(kind, seat, request))
