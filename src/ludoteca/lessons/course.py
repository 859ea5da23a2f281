"""The course of a lesson: where the match stands at each step, and what is said to a move."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from ludoteca.lessons.lesson import Comment, Lesson
from ludoteca.match import Match


class Checkpoint(NamedTuple):
    """Where the match stands: how many turns are committed, and the names of the pupil's draft."""

    turns: int
    draft: tuple[str, ...]


class Wanted(NamedTuple):
    """What a step waits for: the names of the pupil's steps since the turn began, whether the last one ends
    or seals the turn, and the position after it as the pupil knows it."""

    names: tuple[str, ...]
    commits: bool
    position: str


@dataclass(frozen=True)
class Line:
    """The course of a lesson as the rules of today play it. `checkpoints` has one entry for each step and one
    for the end; `wanted` is None for a step that is only read; `turns` are the names of all turns."""

    checkpoints: tuple[Checkpoint, ...]
    wanted: tuple[Wanted | None, ...]
    turns: tuple[str, ...]


@dataclass(frozen=True)
class MoveVerdict:
    """What becomes of a move. `on`: it is the step's own, and the lesson goes on at `step`. `stay`: it is the
    beginning of it. `accepted` or `wrong`: it is answered with the words of this key; '' if it takes back
    what an earlier step has done."""

    kind: Literal['on', 'stay', 'accepted', 'wrong']
    step: int
    key: str = ''


@cache
def line_of(lesson: Lesson) -> Line:
    """The course of a lesson. Raises GameError if a name in it does not fit the rules."""
    match, turns = Match(lesson.setup()), _Turns()
    for text in lesson.before:
        turns.act(match, text)
    checkpoints: list[Checkpoint] = []
    wanted: list[Wanted | None] = []
    for step in lesson.steps:
        checkpoints.append(_checkpoint(match, lesson.seat))
        if not step.play:
            wanted.append(None)
            continue
        before = match.turns
        turns.act(match, step.play)
        wanted.append(
            Wanted(
                made(match, lesson.seat, before),
                ended(match, lesson.seat, before),
                position(match, lesson.seat),
            )
        )
        for text in step.replies:
            turns.act(match, text)
    checkpoints.append(_checkpoint(match, lesson.seat))
    return Line(tuple(checkpoints), tuple(wanted), tuple(turns.done))


class _Turns:
    """Takes down the names of turns as they are played: a log would not tell what others do in secret."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self._open: dict[int, list[str]] = {}

    def act(self, match: Match, text: str) -> None:
        """Play steps for the seat whose turn it is."""
        seat, before = _mover(match), match.turns
        match.act(seat, None, text)
        self._open.setdefault(seat, []).append(text)
        if match.turns > before:  # where all choose in secret, the turns of all seats at once
            self.done += [' '.join(self._open[seat]) for seat in sorted(self._open)]
            self._open.clear()


def _checkpoint(match: Match, seat: int) -> Checkpoint:
    return Checkpoint(match.turns, match.draft(seat))


def _act(match: Match, text: str) -> None:
    """Play a turn for the seat whose turn it is."""
    match.act(_mover(match), None, text)


def _mover(match: Match) -> int:
    return next(seat for seat in match.to_move if match.may_act(seat))


def made(match: Match, seat: int, since: int) -> tuple[str, ...]:
    """The names of a seat's steps since a number of turns: those of its turns, and its draft."""
    rows = (row for row in match.log(seat, since) if row.kind == 'turn' and row.seat == seat)
    return (*(name for row in rows for name in row.names), *match.draft(seat))


def ended(match: Match, seat: int, since: int) -> bool:
    """True if a seat has ended its turn since a number of turns; where all choose in secret, if it has
    sealed its own."""
    return match.turns > since or (seat in match.to_move and not match.may_act(seat))


class Attempt(NamedTuple):
    """What a seat has done since a number of turns: the names of its steps, the kinds of the events of its
    complete turns, and the points that it has got. All of it is as the seat itself knows it."""

    names: tuple[str, ...]
    events: tuple[str, ...]
    gained: float


def attempt(match: Match, seat: int, since: int) -> Attempt:
    """What a seat has done since a number of turns."""
    rows = (row for row in match.log(seat, since) if row.kind == 'turn' and row.seat == seat)
    events = tuple(event.kind for row in rows for event in row.events)
    before, after = np.zeros(match.game.players[-1]), np.zeros(match.game.players[-1])
    match.game.kernels.scores(match.view(seat, at=since).state, before)
    match.game.kernels.scores(match.knowledge(seat), after)
    return Attempt(made(match, seat, since), events, float(after[seat] - before[seat]))


def position(match: Match, seat: int) -> str:
    """The position as a seat knows it, in its canonical form."""
    return match.game.canonical(match.knowledge(seat))


def go_to(match: Match, lesson: Lesson, number: int, now: int) -> None:
    """Bring a match that stands at step `now`, or at a move of it, to the beginning of a step. Raises
    GameError if the rules no longer allow it."""
    line, seat = line_of(lesson), lesson.seat
    turns, draft = line.checkpoints[number]
    back = min(turns, line.checkpoints[now].turns)
    if match.turns > back:
        match.retry(seat, back)
    elif match.turns == back and match.draft(seat):
        match.undo(seat, keep=0)
    for text in line.turns[match.turns : turns]:
        _act(match, text)
    for name in draft:
        match.act(seat, None, name)


def play_replies(match: Match, lesson: Lesson, number: int) -> None:
    """Play what the others do before a step begins, after the pupil's move of the step before it."""
    line = line_of(lesson)
    turns = [*line.turns[match.turns : line.checkpoints[number].turns]]
    if lesson.seat in match.to_move and not match.may_act(lesson.seat):  # has sealed its own, as all do
        del turns[match.to_move.index(lesson.seat)]
    for text in turns:
        _act(match, text)


def judge(lesson: Lesson, number: int, after: Match) -> MoveVerdict:
    """What a lesson that stands at a step says to the match `after` the pupil has chosen something. Answers
    depend on nothing that the pupil does not know."""
    line, seat = line_of(lesson), lesson.seat
    step, checkpoint = lesson.steps[number], line.checkpoints[number]
    if line.wanted[number] is None:
        return MoveVerdict('wrong', number)
    reached = position(after, seat)
    commits = ended(after, seat, checkpoint.turns)
    for later in range(number, len(lesson.steps)):
        goal = line.wanted[later]
        if goal is None or line.checkpoints[later].turns != checkpoint.turns:
            break
        if goal.commits == commits and goal.position == reached:
            return MoveVerdict('on', later + 1)
    tried = attempt(after, seat, checkpoint.turns)
    if not commits:
        return _judge_draft(lesson, number, tried.names)
    name = ' '.join(tried.names[len(checkpoint.draft) :])
    for comments, kind in ((step.accept, 'accepted'), (step.refuse, 'wrong')):
        for comment in comments:
            if comment.when.fits(name, tried.events, tried.gained):
                return MoveVerdict('accepted' if kind == 'accepted' else 'wrong', number, comment.say)
    return MoveVerdict('wrong', number, 'other')


def _judge_draft(lesson: Lesson, number: int, names: tuple[str, ...]) -> MoveVerdict:
    """The same for a turn that is not complete."""
    line, step = line_of(lesson), lesson.steps[number]
    draft = line.checkpoints[number].draft
    if names[: len(draft)] != draft:
        return MoveVerdict('wrong', number)
    begun, goals = ' '.join(names[len(draft) :]), []
    for later in range(number, len(lesson.steps)):
        goal = line.wanted[later]
        if goal is None or line.checkpoints[later].turns != line.checkpoints[number].turns:
            break
        goals.append(goal)
    if any(goal.names[: len(names)] == names for goal in goals):
        return MoveVerdict('stay', number)
    if step.free and any(Counter(names) <= Counter(goal.names) for goal in goals):
        return MoveVerdict('stay', number)
    if any(comment.when.may_become(begun) for comment in step.accept):
        return MoveVerdict('stay', number)
    fits = (one for one in step.refuse if _is_named(one, begun))
    return MoveVerdict('wrong', number, next((one.say for one in fits), 'other'))


def _is_named(comment: Comment, begun: str) -> bool:
    """Does a comment mean these steps by their names alone?"""
    when = comment.when
    return bool(when.like) and not when.event and not when.scores and when.fits(begun, (), 0.0)
