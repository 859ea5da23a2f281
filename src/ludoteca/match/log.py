"""The log of a match, and what callers get of it: rows, drafts, choices, requests, results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from ludoteca.game import Event, GameError, State, Target

HIDDEN: Final = '?'
"""The name of an action that the viewer may not know."""
RESIGNED: Final = 'resigned'


class Stale(GameError):
    """The choice answers a version of the match that is no longer the seat's current one."""


class NotYourTurn(GameError):
    """The seat has nothing to choose now."""


Kind = Literal['step', 'undo', 'resign', 'ask', 'answer', 'return', 'retry']


@dataclass(frozen=True)
class LogEntry:
    """One line of the log. Steps of a draft are in it from the moment they are chosen; whether they are
    committed is derived.

        kind     seat          action                                  name
        step     who chose     the action                              its name
        undo     whose draft   how many steps of the draft stay        ''
        resign   who           -1                                      level of the bot that takes the
                                                                       seat ('': two players)
        ask      who asks      how many turns stay / whom to replace   'takeback' / 'replace <level>'
                               / of how many games the best counts     / 'rematch'
        answer   who answers   1 yes, 0 no (the asker: withdrawn)      ''
        return   who is back   -1                                      ''
        retry    who           how many turns stay                     ''

    `hash` (steps only) is of the canonical position after the entry, and secret while the match runs. `time`
    is in seconds since 1970.
    """

    kind: Kind
    seat: int
    action: int = -1
    name: str = ''
    hash: str = ''
    time: float = 0.0


@dataclass(frozen=True)
class ActResult:
    """What `act` did: how many steps were taken, whether they were committed, and the names that were left
    untouched because the step before them revealed something (look first, then choose again)."""

    steps: int
    committed: bool
    rest: tuple[str, ...] = ()


class Choice(NamedTuple):
    """A legal action: its name, and what to click for it (equal targets: variants of one another).

    `commits`: does it end the draft, so that it cannot be taken back? Also true where that depends on
    something that the seat does not know."""

    name: str
    targets: tuple[Target, ...]
    commits: bool


@dataclass(frozen=True)
class DraftStep:
    """One step of the turn being made: what was chosen ('' at the last, open level) and what can be chosen
    there. To choose something else at level k: `act(seat, version, name, keep=k)`. `shortcuts`: at the open
    level, whole turns that can be chosen at once; their names are those of their steps."""

    chosen: str
    choices: tuple[Choice, ...]
    shortcuts: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class LogRow:
    """One line of the log as a seat may know it.

    `number` counts committed turns from 1: `view(seat, at=number)` is the position after it. `kind` is
    'turn', or one of 'resign', 'takeback', 'retry', 'refuse', 'replace', 'return', 'frozen', which have the
    number of the turn before them. `names` are the turn's actions ('?' for those that the seat may not know),
    `events` what happened.
    """

    number: int
    kind: Literal['turn', 'resign', 'takeback', 'retry', 'refuse', 'replace', 'return', 'frozen']
    seat: int
    names: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    time: float = 0.0

    @property
    def name(self) -> str:
        """The turn's name: its actions' names joined by one space."""
        return ' '.join(self.names)


@dataclass(frozen=True)
class Request:
    """Something that a seat asked of the others: to take turns back (`value`: how many stay), to put a bot of
    `level` on seat `value`, or to play again (`value`: 1, or 3 for the best of three). `waiting` are the
    seats that have not agreed yet; a rematch for which none is left begins."""

    kind: Literal['takeback', 'replace', 'rematch']
    seat: int
    value: int
    level: str
    waiting: tuple[int, ...]


@dataclass(frozen=True)
class Notice:
    """Something that happened beside the turns, for all at the table to be told: a row of the log that is no
    turn (`kind` as there), or 'ask', 'withdraw', 'lapse' (the match went on before all had answered). `seat`:
    who did it, -1 if nobody did. `request`: what it is about, if that was asked."""

    kind: str
    seat: int
    request: Request | None = None


@dataclass(frozen=True)
class TrueTurn:
    """A committed turn as it really was. `batch` is the index of the first turn that was committed at the
    same moment: in a sealed phase one for every seat, else the turn itself."""

    seat: int
    batch: int
    actions: tuple[int, ...]
    states: tuple[State, ...]  # the true state before each action


@dataclass(frozen=True)
class MatchResult:
    """How a match ended: the game's name of the ending or 'resigned'; who resigned (-1: nobody did); the
    outcome (1 shared among the winners) and the points, by seat."""

    ending: str
    by: int
    outcome: tuple[float, ...]
    scores: tuple[float, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, or share the win."""
        return tuple(seat for seat, share in enumerate(self.outcome) if share > 0)

    @property
    def wins(self) -> tuple[float, ...]:
        """What the match counts for each seat in a series: a shared win is half a win."""
        return tuple((share > 0) / min(2, len(self.winners)) for share in self.outcome)

    @property
    def drawn(self) -> bool:
        """Has nobody won more than anybody else?"""
        return len(set(self.outcome)) == 1
