"""The part of a match that is not committed: each seat's steps of the turn that it is making, and sealed
choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludoteca.game import Game, GameError, State, committed, first_action, some
from ludoteca.match.history import Disagreement, History, TrueStep
from ludoteca.match.knowledge import Knowledge
from ludoteca.match.log import Stale
from ludoteca.match.setup import NAME_LENGTH
from ludoteca.text import words

UNDOS_A_TURN = 500
"""How often steps of one turn may be taken back. It bounds the log against a program that does nothing
else."""


def words_of(names: str | Sequence[str]) -> list[str]:
    """The words of names that are given as one text or as several."""
    return names.split() if isinstance(names, str) else [part for name in names for part in name.split()]


class Drafts:
    """The drafts of all seats. Outside sealed phases only the mover has one."""

    def __init__(self, history: History, knowledge: Knowledge, players: int) -> None:
        self._history, self._knowledge, self._players = history, knowledge, players
        self._steps: dict[int, list[TrueStep]] = {}
        self.sealed: set[int] = set()
        """The seats that have sealed their choice."""
        self._undos = [0] * players

    def copy(self, history: History) -> Drafts:
        """The same drafts over a copy of the history."""
        other = Drafts(history, self._knowledge, self._players)
        other._steps = {seat: list(steps) for seat, steps in self._steps.items()}
        other.sealed, other._undos = set(self.sealed), list(self._undos)
        return other

    @property
    def _game(self) -> Game:
        return self._history.game

    # ---- what there is

    def of(self, seat: int) -> Sequence[TrueStep]:
        """The steps of a seat's draft; none if it has no draft."""
        return self._steps.get(seat, ())

    def open_state(self, seat: int) -> State:
        """The true state on which the seat's next step is taken."""
        draft = self.of(seat)
        return draft[-1].state if draft else self._first_state(seat)

    def base(self, seat: int) -> State:
        """The true state on which the seat's draft begins."""
        draft = self.of(seat)
        return draft[0].before if draft else self._first_state(seat)

    def sealed_state(self, seat: int) -> State:
        """The true state that a seat sees in a sealed phase. The step that seals is not played out before all
        have sealed."""
        draft = self.of(seat)
        if not draft:
            return self._sealed_base(seat)
        return draft[-1].before if seat in self.sealed else draft[-1].state

    def _first_state(self, seat: int) -> State:
        state: State = self._sealed_base(seat) if self._history.is_sealed else self._history.state
        return state

    def _sealed_base(self, seat: int) -> State:
        """A true state of a sealed phase in which it is the seat's turn. The seats before it have taken their
        first legal actions there, whatever they really chose, so that no choice can influence another."""
        state: State = self._history.state.copy()
        while state.to_move != seat:
            self._game.kernels.apply(state, self._history.legal(state)[0])
        return state

    # ---- steps that could be taken

    def steps_for(
        self, seat: int, wanted: Sequence[str] | Sequence[int], keep: int | None = None
    ) -> tuple[list[TrueStep], tuple[str, ...]]:
        """The steps that names or actions stand for after the first `keep` steps of the draft, and the names
        that a reveal left over. Raises Stale or GameError."""
        draft = self.of(seat)
        keep = len(draft) if keep is None else keep
        if not 0 <= keep <= len(draft):
            raise Stale(words('match.error.stale_keep', steps=len(draft), keep=keep))
        before = self.open_state(seat) if keep == len(draft) else draft[keep].before
        steps: list[TrueStep] = []
        left = list[Any](wanted)
        while left:
            step, left = self._next_step(before, left)
            steps.append(step)
            if committed(before, step.state):
                rest = tuple(str(text) for text in left)
                revealed = step.state.reveals != before.reveals or step.state.ending
                if rest and (self._history.is_sealed or not revealed):
                    raise GameError(words('match.error.turn_ends', name=step.name))
                return steps, rest
            before = step.state
        return steps, ()

    def _next_step(self, before: State, left: list[Any]) -> tuple[TrueStep, list[Any]]:
        """The step that the first of some words, or the first action, stands for, and the words after it."""
        legal, want = self._history.legal(before), left[0]
        if isinstance(want, str):
            action, want, left = first_action(self._game, before, left)
        else:
            action, left = want, left[1:]
        if action not in legal:
            name = repr(want[:NAME_LENGTH]) if isinstance(want, str) else words('match.action', number=want)
            names = [self._game.action_name(before, action) for action in legal]
            raise GameError(words('match.error.not_legal', name=name, legal=some(names)))
        state = self._history.after(before, action)
        return TrueStep(-1, action, self._game.action_name(before, action), before, state), left

    def safe_steps(self, state: State, seat: int, actions: Iterable[int]) -> list[TrueStep]:
        """The steps of these actions, taken one after another from a true state. Actions that are not legal
        or may end the turn are left out."""
        steps: list[TrueStep] = []
        for action in actions:
            if action not in self._history.legal(state) or self._may_end(state, seat, action):
                continue
            after = self._history.after(state, action)
            if not committed(state, after):
                steps.append(TrueStep(-1, action, self._game.action_name(state, action), state, after))
                state = after
        return steps

    def arrangement(self, state: State, seat: int, names: str | Sequence[str]) -> list[int]:
        """The actions that the names of a whole arrangement stand for; none if it does not fit here."""
        left, found, ends = list(words_of(names)), list[int](), False
        while left and not ends:
            try:
                action, _, left = first_action(self._game, state, left)
            except GameError:
                return []
            if action not in self._history.legal(state):
                return []
            ends = self._may_end(state, seat, action)
            found.append(action)
            if not ends:
                state = self._history.after(state, action)
        return found if ends and not left else []

    def known(self, state: State, seat: int) -> State:
        """The state on which a seat chooses, as it knows it."""
        return self._knowledge.chosen_on(state, seat, self._history.is_sealed)

    def _may_end(self, state: State, seat: int, action: int) -> bool:
        return self._knowledge.ending(self._knowledge.guesses(self.known(state, seat), seat))(action)

    def unsealed(self, last: int, step: TrueStep) -> list[tuple[int, TrueStep]]:
        """All sealed steps with the last one, taken from the true state in the order in which the game asks
        for them. Raises Disagreement if one of them is not legal there."""
        waiting = {seat: list(draft) for seat, draft in self._steps.items()}
        waiting.setdefault(last, []).append(step)
        state, together = self._history.state, []
        while any(waiting.values()):
            seat = int(state.to_move)
            old = waiting[seat].pop(0)
            if old.action not in self._history.legal(state):
                raise Disagreement(
                    f'{self._game.name}: the sealed choice {old.name!r} of seat {seat} depends on another one'
                )
            before, state = state, self._history.after(state, old.action)
            together.append((seat, old._replace(before=before, state=state)))
        return together

    # ---- changes

    def add(self, seat: int, step: TrueStep, seals: bool) -> None:
        """Add a checked step; `seals`: it ends a draft whose phase all seats end together."""
        self._steps.setdefault(seat, []).append(step)
        if seals:
            self.sealed.add(seat)

    def check_cut(self, seat: int, keep: int) -> None:
        """Raises Stale or GameError if the draft cannot be cut to its first `keep` steps."""
        draft = self.of(seat)
        if not 0 <= keep < len(draft):
            raise Stale(words('match.error.stale_undo', steps=len(draft), keep=keep))
        if self._undos[seat] >= UNDOS_A_TURN:
            raise GameError(words('match.error.undos', times=UNDOS_A_TURN))

    def cut(self, seat: int, keep: int) -> None:
        """Leave the first `keep` steps."""
        self._undos[seat] += 1
        del self._steps[seat][keep:]

    def drop(self, seat: int) -> None:
        """Remove a seat's draft, sealed or not."""
        self._steps.pop(seat, None)
        self.sealed.discard(seat)

    def clear(self) -> None:
        """Remove the drafts of all seats."""
        self._steps.clear()
        self.sealed.clear()

    def begin_turn(self) -> None:
        """A turn has been committed: nobody has a draft, and steps may be taken back again."""
        self.clear()
        self._undos = [0] * self._players
