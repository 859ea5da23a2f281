"""What seats see of a match: names and events of actions as they may know them, and versions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ludoteca.game import SPECTATOR, Event, State, committed
from ludoteca.match.drafts import Drafts
from ludoteca.match.history import History, TrueStep
from ludoteca.match.knowledge import ALL_SEEN, Knowledge
from ludoteca.match.log import HIDDEN, Choice, LogRow

Described = tuple[str, tuple[Event, ...]]
"""The name of an action and what it did, as a viewer may know them."""


class Snapshot(NamedTuple):
    """What a seat had seen at one of its versions: the epoch (see `History.epoch`), how many committed
    actions, and the steps that were not committed yet, its own or a bot's."""

    epoch: int
    actions: int
    draft: tuple[int, ...]


class SeatView:
    """Names and events through a viewer's eyes: a seat's, SPECTATOR's, or ALL_SEEN."""

    def __init__(
        self,
        history: History,
        drafts: Drafts,
        knowledge: Knowledge,
        colours: tuple[str, ...],
        names: Callable[[], tuple[str, ...]],
        is_bot: Callable[[int], bool],
    ) -> None:
        """`names`: of the players, as they are called now; `is_bot`: does a bot play this seat now?"""
        self._history, self._drafts, self._knowledge = history, drafts, knowledge
        self._game, self._colours, self._names, self._is_bot = history.game, colours, names, is_bot
        # [seat][version]; the last list is that of spectators
        self._marks = [[Snapshot(0, 0, ())] for _ in range(int(history.state.players) + 1)]
        self._described: dict[tuple[int, int], list[Described]] = {}
        # by viewer the first turns, which nobody looks at any more as at something new
        self._told: dict[int, list[LogRow]] = {}
        # by number of turns how far the game had come, as everybody may know
        self._stages: list[str] = []

    def copy(
        self,
        history: History,
        drafts: Drafts,
        names: Callable[[], tuple[str, ...]],
        is_bot: Callable[[int], bool],
    ) -> SeatView:
        """The same over copies of history and drafts."""
        other = SeatView(history, drafts, self._knowledge, self._colours, names, is_bot)
        other._marks = [list(marks) for marks in self._marks]
        other._described = {key: list(found) for key, found in self._described.items()}
        other._told = {viewer: list(found) for viewer, found in self._told.items()}
        other._stages = list(self._stages)
        return other

    # ---- versions

    def version(self, seat: int) -> int:
        """How often what this seat can see has changed."""
        return len(self._marks[seat]) - 1

    def changed(self, seat: int | None = None) -> None:
        """Count a new version for one seat whose draft has changed and for those who see that, or for
        everybody."""
        for viewer in range(SPECTATOR, len(self._marks) - 1):
            draft = tuple(step.serial for step in self.steps(viewer))
            if seat in (None, viewer) or draft != self._marks[viewer][-1].draft:
                self._marks[viewer].append(Snapshot(self._history.epoch, len(self._history.actions), draft))

    # ---- steps that are not committed

    def steps(self, viewer: int) -> Sequence[TrueStep]:
        """The steps that a viewer sees before they are committed: its own; else those of a bot, which takes
        nothing back, up to the first one that is not for the viewer to see."""
        if own := self._drafts.of(viewer):
            return own
        state = self._history.state
        if self._history.is_sealed or state.ending or not self._is_bot(int(state.to_move)):
            return ()
        steps = self._drafts.of(int(state.to_move))
        hidden = (k for k, step in enumerate(steps) if not self._is_open(step, viewer))
        return steps[: next(hidden, len(steps))]

    def _is_open(self, step: TrueStep, viewer: int) -> bool:
        """Does a viewer know this step of another seat, and what it leads to? Where the phase is hidden, as
        that of an order in Myrmidons, a viewer may not even see that a turn has begun."""
        if not self._game.hidden:
            return True
        known = int(self._game.kernels.hide_action(step.before, step.action, viewer))
        return known == step.action and self._knowledge.hidden(step.state, viewer).phase == step.state.phase

    def forget_taken_back(self) -> None:
        """Turns have been taken back: descriptions made before need not hold any more."""
        self._described.clear()
        self._told.clear()
        self._stages.clear()

    # ---- committed actions

    def action(self, k: int, viewer: int, past: int = 0) -> Described:
        """The k-th committed action; `past`: as `Knowledge.shown` takes it."""
        if self._knowledge.all_alike(viewer):  # it is described once
            viewer, past = SPECTATOR, 0
        states, found = self._history.states, self._described.setdefault((viewer, past), [])
        for i in range(len(found), k + 1):
            found.append(
                self._describe(states[i], self._history.actions[i].action, states[i + 1], viewer, past)
            )
        return found[k]

    def stage(self, turns: int) -> str:
        """How far the game had come after so many turns (`Game.stage`), as everybody may know."""
        for at in range(len(self._stages), turns + 1):
            state = self._knowledge.hidden(self._history.state_at(at), SPECTATOR)
            self._stages.append(sys.intern(self._game.stage(state)))
        return self._stages[turns]

    def turn_names(self, number: int, viewer: int) -> tuple[str, ...]:
        """The names of a committed turn's actions."""
        turn = self._history.turns[number]
        return tuple(self.action(k, viewer)[0] for k in range(turn.first, turn.last))

    def turn_events(self, number: int, viewer: int) -> tuple[Event, ...]:
        """What a committed turn did."""
        turn, past = self._history.turns[number], int(not self._history.is_fresh(number, viewer))
        return tuple(event for k in range(turn.first, turn.last) for event in self.action(k, viewer, past)[1])

    def rows_since(self, since: int, viewer: int) -> list[LogRow]:
        """The rows of the committed turns after the first `since`."""
        if self._knowledge.all_alike(viewer):
            viewer = SPECTATOR
        turns, old = len(self._history.turns), self._told.setdefault(viewer, [])
        old += [self._row(k, viewer) for k in range(len(old), turns - int(self._history.state.players))]
        return old[since:] + [self._row(number, viewer) for number in range(max(since, len(old)), turns)]

    def _row(self, number: int, viewer: int) -> LogRow:
        turn = self._history.turns[number]
        names, events = self.turn_names(number, viewer), self.turn_events(number, viewer)
        return LogRow(number + 1, 'turn', turn.seat, names, events, turn.time)

    def batch_events(self, turns: int, viewer: int) -> tuple[Event, ...]:
        """What all turns did that were committed together with the last of the first `turns`."""
        if not turns:
            return ()
        first = self._history.turns[turns - 1].batch
        return tuple(event for number in range(first, turns) for event in self.turn_events(number, viewer))

    def events_since(self, seat: int, since: int, viewer: int) -> Iterator[Event]:
        """What happened after a version of this seat; nothing if turns have been taken back since."""
        marks, turns = self._marks[seat], self._history.turns
        if not 0 <= since < len(marks) or marks[since].epoch != self._history.epoch:
            return
        mark = marks[since]
        fresh = next(
            (turn.first for number, turn in enumerate(turns) if self._history.is_fresh(number, viewer)), 0
        )
        for k in range(mark.actions, len(self._history.actions)):
            if self._history.actions[k].serial not in mark.draft:
                yield from self.action(k, viewer, int(k < fresh))[1]
        for step in self.steps(seat):
            if step.serial not in mark.draft:
                yield from self.step_events(step, seat)

    # ---- drafts

    def step_events(self, step: TrueStep, seat: int) -> tuple[Event, ...]:
        """What a step did that is not committed and that the seat sees."""
        if not self._history.is_sealed:
            return self._describe(step.before, step.action, step.state, seat)[1]
        if committed(step.before, step.state):
            return ()  # played out when all have sealed
        before, after = (self._knowledge.mover_view(state, seat) for state in (step.before, step.state))
        known = int(self._game.kernels.hide_action(step.before, step.action, seat))
        self._game.kernels.forget(before, seat, 0)
        self._game.kernels.forget(after, seat, 0)
        return tuple(self._game.events(before, known, after, self._names(), self._colours))

    def choices(self, state: State, seat: int) -> Iterator[Choice]:
        """What the seat can choose on a true state."""
        known = self._drafts.known(state, seat)
        may_commit = self._knowledge.ending(self._knowledge.guesses(known, seat))
        legal = self._history.legal(state)
        named = self._game.named_targets(known, legal, self._colours)
        for action, (name, targets) in zip(legal, named, strict=True):
            yield Choice(name, targets, may_commit(action))

    def shortcuts(self, state: State, seat: int) -> Iterator[Choice]:
        """The whole turns that the seat can choose at once on a true state."""
        for shortcut in self._game.shortcuts(self._drafts.known(state, seat), self._colours):
            yield Choice(' '.join(shortcut.steps), shortcut.targets, commits=True)

    def _describe(self, before: State, action: int, after: State, viewer: int, past: int = 0) -> Described:
        known = action if viewer == ALL_SEEN else int(self._game.kernels.hide_action(before, action, viewer))
        name = self._game.action_name(self._knowledge.hidden(before, viewer), known) if known >= 0 else HIDDEN
        shown_before, shown_after = (self._knowledge.shown(state, viewer, past) for state in (before, after))
        return name, tuple(self._game.events(shown_before, known, shown_after, self._names(), self._colours))
