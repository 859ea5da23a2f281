"""What people and programs do to a match, as data: one class a command.

A request makes a command; `LiveTable.run` finds the seat, runs the command on the match and has it stored.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ludoteca.game import SPECTATOR
from ludoteca.match import BOT, Match


@dataclass(frozen=True)
class CommandResult:
    """What a command has done. `answer` is added to the answer of the request. `laid`: what now lies on the
    board besides the draft; None: unchanged."""

    answer: Mapping[str, Any] = field(default_factory=dict)
    laid: tuple[str, ...] | None = None


class Command(ABC):
    """Something to be done to a match for one seat."""

    when_replaced: ClassVar[bool] = False
    """May it be done by somebody for whom a bot plays on?"""

    def seats(self, match: Match) -> Sequence[int]:
        """The seats that the command is for, the best first. If none of them is the visitor's, it is for the
        seat whose turn it is."""
        return ()

    @abstractmethod
    def run(self, match: Match, seat: int) -> CommandResult:
        """Change the match. Raises GameError with a sentence if that is not possible now."""


@dataclass(frozen=True)
class Play(Command):
    """Play steps, or a whole turn."""

    version: int | None
    steps: str
    keep: int | None = None
    rest: bool = False

    def run(self, match: Match, seat: int) -> CommandResult:
        played = match.act(seat, self.version, self.steps, self.keep, self.rest)
        return CommandResult({'committed': played.committed, 'rest': list(played.rest)})


@dataclass(frozen=True)
class Undo(Command):
    """Take back steps of the draft."""

    version: int | None
    keep: int | None = None

    def run(self, match: Match, seat: int) -> CommandResult:
        match.undo(seat, self.version, self.keep)
        return CommandResult()


@dataclass(frozen=True)
class Redraft(Command):
    """Change the draft, or what lies on the board, by a click or a drag. `laid` answers what lies there now
    for a seat. `why_not` answers why the targets mean nothing to it: a sentence and the address of a rule."""

    version: int | None
    targets: Sequence[str]
    laid: Callable[[int], tuple[str, ...]]
    why_not: Callable[[int], Mapping[str, str]]

    def run(self, match: Match, seat: int) -> CommandResult:
        laid = match.lay(seat, self.version, self.laid(seat), self.targets)
        done = laid is not None or match.redraft(seat, self.version, self.targets)
        why = {'sentence': '', 'rules': ''} if done else self.why_not(seat)
        return CommandResult({'done': done, **why}, None if laid is None else tuple(laid))


@dataclass(frozen=True)
class Shuffle(Command):
    """Arrange things by lot."""

    version: int | None

    def run(self, match: Match, seat: int) -> CommandResult:
        return CommandResult({'last': match.shuffle(seat, self.version)}, ())


@dataclass(frozen=True)
class Arrange(Command):
    """Arrange things as these steps say."""

    version: int | None
    steps: str

    def run(self, match: Match, seat: int) -> CommandResult:
        return CommandResult({'last': match.arrange(seat, self.version, self.steps)}, ())


@dataclass(frozen=True)
class Resign(Command):
    """Give up."""

    def run(self, match: Match, seat: int) -> CommandResult:
        match.resign(seat)
        return CommandResult()


@dataclass(frozen=True)
class AskTakeback(Command):
    """Ask to take back the last turn. `mine`: the seats of the visitor, who agrees with all of them."""

    mine: Collection[int]

    def seats(self, match: Match) -> Sequence[int]:
        """Those that may ask, the one that moved last first."""
        able = [seat for seat in self.mine if not match.may_take_back(seat)]
        if len(able) < 2:
            return able
        moved = [row.seat for row in match.log(SPECTATOR) if row.kind == 'turn' and row.seat in able]
        return moved[::-1]

    def run(self, match: Match, seat: int) -> CommandResult:
        return CommandResult({'done': match.ask_takeback(seat, self.mine)})


@dataclass(frozen=True)
class Retry(Command):
    """Go back to the position after a turn and play on from there; None: to before the own last turn."""

    when_replaced = True

    turn: int | None = None

    def run(self, match: Match, seat: int) -> CommandResult:
        match.retry(seat, self.turn)
        return CommandResult()


@dataclass(frozen=True)
class AskReplace(Command):
    """Ask that a bot takes the seat of somebody who has left. `mine`: as in AskTakeback."""

    leaver: int
    level: str
    mine: Collection[int]

    def run(self, match: Match, seat: int) -> CommandResult:
        return CommandResult({'done': match.ask_replace(seat, self.leaver, self.level, self.mine)})


@dataclass(frozen=True)
class AskRematch(Command):
    """Ask the others to play again. `agreed`: the seats that need not be asked, the visitor's among them."""

    best_of: int
    agreed: Collection[int]

    def run(self, match: Match, seat: int) -> CommandResult:
        return CommandResult({'done': match.ask_rematch(seat, self.best_of, self.agreed)})


@dataclass(frozen=True)
class AnswerRequest(Command):
    """Answer the open request. `mine`: as in AskTakeback."""

    yes: bool
    mine: Collection[int]

    def seats(self, match: Match) -> Sequence[int]:
        request = match.request
        if request is None:
            return ()
        leaver = [request.value] if request.kind == 'replace' and not self.yes else []
        return [*request.waiting, *leaver, request.seat]

    def run(self, match: Match, seat: int) -> CommandResult:
        return CommandResult({'done': match.answer(seat, self.yes, self.mine)})


@dataclass(frozen=True)
class ComeBack(Command):
    """Take the seat back from a bot."""

    when_replaced = True

    def seats(self, match: Match) -> Sequence[int]:
        return [seat for seat, who in enumerate(match.seats) if who.kind == BOT]

    def run(self, match: Match, seat: int) -> CommandResult:
        match.come_back(seat)
        return CommandResult()
