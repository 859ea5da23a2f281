"""The lesson at a live table: which step it stands at, what it says, and what it lets the pupil do.

While a lesson goes on, what a pupil chooses is tried on a copy of the match first. What the step waits for is
played, and the replies of the others with it; all else is answered with its reason, and the match stays as it
is. Bots do not think before the pupil plays on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from ludoteca.game import GameError
from ludoteca.lessons import COACHED, Lesson, go_to, judge, lessons, line_of, play_replies
from ludoteca.match import Match
from ludoteca.store import LessonProgress, News, Sitting, Table
from ludoteca.text import words
from ludoteca.web.html.rulebook import address_of
from ludoteca.web.live.commands import Command, CommandResult, Play, Redraft, Undo
from ludoteca.web.table.model import LessonView

Way = Literal['next', 'back', 'repeat', 'play_on']


@dataclass(frozen=True)
class Learnt:
    """How far a person has come in lessons. `found`: the tables of lessons, the newest first."""

    found: Sequence[tuple[Table, LessonProgress]] = ()

    def begun(self, lesson: Lesson) -> LessonProgress | None:
        """The progress of a lesson that still goes on; None if there is none."""
        return next(
            (one for table, one in self._of(lesson) if table.status == 'running' and one.scripted), None
        )

    def is_done(self, lesson: Lesson) -> bool:
        """True if the person has reached the last step once."""
        last = len(lesson.steps) - 1
        return any(one.furthest >= last or not one.scripted for _, one in self._of(lesson))

    def count(self, game: str) -> int:
        """The number of a game's lessons that are done."""
        return sum(map(self.is_done, lessons(game)))

    def following(self, game: str) -> Lesson | None:
        """The lesson to take next: the one that was left last, or else the first that is not done; None if
        all are done."""
        new = {lesson.id: lesson for lesson in lessons(game) if not self.is_done(lesson)}
        left = [table.lesson for table, one in self.found if table.game == game and one.scripted]
        return next((new[name] for name in [*left, *new] if name in new), None)

    def has_ended(self, table: Table) -> bool:
        """True if the lesson at a table has reached its last step and nobody has played on from there."""
        given = [one for other, one in self.found if other.id == table.id and one.scripted]
        known = [lesson for lesson in lessons(table.game) if lesson.id == table.lesson]
        return any(progress.step == len(lesson.steps) - 1 for progress in given for lesson in known)

    def _of(self, lesson: Lesson) -> list[tuple[Table, LessonProgress]]:
        return [pair for pair in self.found if (pair[0].game, pair[0].lesson) == (lesson.game, lesson.id)]


class LessonAnswer(GameError):
    """What was chosen in a lesson is answered with a reason. Nothing was played. `seat`: the pupil's."""

    def __init__(self, sentence: str, seat: int) -> None:
        super().__init__(sentence)
        self.seat = seat


class Script(ABC):
    """What a live table follows beside its match: a lesson, or an exercise. `answer`: what was said to the
    last choice that was not played."""

    answer = ''

    @property
    @abstractmethod
    def seat(self) -> int:
        """The seat of the person who learns."""

    @property
    @abstractmethod
    def scripted(self) -> bool:
        """Does it still go on, so that no bot thinks?"""

    @property
    @abstractmethod
    def reads(self) -> bool:
        """Is there only something to read, without a choice?"""

    @property
    @abstractmethod
    def place(self) -> int:
        """How far it has come: a hint given elsewhere is none here."""

    @abstractmethod
    def settle(self, match: Match) -> None:
        """Agree with the match on how far it has come, should the last change of either not have been
        kept."""

    @abstractmethod
    def follow(self, news: News, match: Match) -> None:
        """Another server may have brought it further."""

    @abstractmethod
    def guarded(self, command: Command) -> Command:
        """A command as it lets it be run."""


class Keeper(Protocol):
    """What keeps how far scripts have come."""

    @property
    def keep_lesson(self) -> Callable[[str, LessonProgress, bool], LessonProgress]:
        """Keeps a lesson's progress; True: the lesson is finished."""

    @property
    def keep_exercise(self) -> Callable[[str, Sitting, Sitting], Sitting]:
        """Keeps how far an exercise has come; how far it had come before."""


class Guide(Script):
    """A lesson and how far it has come."""

    def __init__(self, lesson: Lesson, progress: LessonProgress) -> None:
        self.lesson, self.progress = lesson, progress

    @property
    def seat(self) -> int:
        """The pupil's seat."""
        return self.lesson.seat

    @property
    def place(self) -> int:
        """The number of the step."""
        return self.progress.step

    def follow(self, news: News, match: Match) -> None:
        """Another server may have brought the lesson further."""
        if news.progress and news.progress != self.progress:
            self.become(news.progress)
            self.settle(match)

    @property
    def scripted(self) -> bool:
        """Does the lesson still go on?"""
        return self.progress.scripted

    @property
    def reads(self) -> bool:
        """Is the step to be read and continued, without a choice?"""
        step = self.lesson.steps[self.progress.step]
        return self.scripted and (not step.play or bool(self.progress.accepted))

    @property
    def is_last(self) -> bool:
        """Does the lesson stand at its last step?"""
        return self.progress.step == len(self.lesson.steps) - 1

    @property
    def following(self) -> str:
        """The id of the game's next lesson; '' after the last one."""
        known = [lesson.id for lesson in lessons(self.lesson.game)]
        return ([*known, ''])[known.index(self.lesson.id) + 1]

    def become(self, progress: LessonProgress) -> None:
        """The lesson has come so far, and what was said before is over."""
        self.progress, self.answer = progress, ''

    def settle(self, match: Match) -> None:
        """Agree with the match on the step, should the last change of either not have been kept."""
        number = min(self.progress.step, len(self.lesson.steps) - 1)
        self.progress = replace(self.progress, step=number)
        checkpoints = line_of(self.lesson).checkpoints
        ahead = match.turns - checkpoints[number].turns
        if not self.scripted or ahead == 0 or (ahead > 0 and self.progress.accepted):
            return
        fits = [k for k in range(len(self.lesson.steps)) if checkpoints[k].turns <= match.turns]
        self.progress = replace(self.progress, step=max(fits, default=0), accepted='')

    def proposed(self, match: Match) -> list[int]:
        """The actions that complete what the step waits for; none if it waits for nothing, or if the draft
        is the beginning of something else."""
        goal, seat = line_of(self.lesson).wanted[self.progress.step], self.lesson.seat
        if not self.scripted or goal is None:
            return []
        trial, actions = match.copy(), list[int]()
        draft = trial.draft(seat)
        if goal.names[: len(draft)] != draft or not trial.may_act(seat):
            return []
        for name in goal.names[len(draft) :]:
            actions.append(trial.game.action_from_name(trial.knowledge(seat), name))
            trial.act(seat, None, name)
        return actions

    def view(self, match: Match) -> LessonView | None:
        """What the pupil is told; None when the lesson and its coach are over."""
        lesson, number = self.lesson, self.progress.step
        step, many = lesson.steps[number], len(lesson.steps)
        if not self.scripted:
            rows = match.log(lesson.seat, self.progress.until)
            turn = sum(row.kind == 'turn' and row.seat == lesson.seat for row in rows)
            if match.result or turn >= COACHED:
                return None
            return LessonView(lesson.title, number, many, lesson.coach(turn), coach=turn)
        accepted = self.progress.accepted
        return LessonView(
            lesson.title,
            number,
            many,
            lesson.said(step, accepted or 'say'),
            self.answer,
            () if accepted else step.points,
            address_of(match.game, step.rule),
            reads=self.reads,
            last=self.is_last,
            following=self.following if self.is_last else '',
        )

    def guarded(self, command: Command) -> Command:
        """A command as the lesson lets it be run."""
        return Guided(self, command) if self.scripted else command


class Scripted(Command):
    """A command that a script has let pass, or one of its own."""

    @abstractmethod
    def keep(self, table_id: str, keeper: Keeper) -> bool:
        """Keep how far the command has brought the script. Answers whether it has brought it anywhere."""


@dataclass
class Steered(Scripted):
    """A command that may bring a lesson to another step: `reached` is where it stands then."""

    guide: Guide
    reached: LessonProgress | None = field(default=None, init=False)

    def run(self, match: Match, seat: int) -> CommandResult:
        raise NotImplementedError

    def keep(self, table_id: str, keeper: Keeper) -> bool:
        """Keep the progress of the lesson."""
        if self.reached is None:
            return False
        self.guide.become(keeper.keep_lesson(table_id, self.reached, not self.reached.scripted))
        return True


@dataclass
class Guided(Steered):
    """What a pupil chooses. Raises LessonAnswer for what the step does not wait for."""

    command: Command

    def seats(self, match: Match) -> Sequence[int]:
        return self.command.seats(match)

    def run(self, match: Match, seat: int) -> CommandResult:
        guide, before = self.guide, self.guide.progress
        if not isinstance(self.command, Play | Undo | Redraft):
            raise GameError(words('web.lesson.error.not_now'))
        if guide.reads:
            raise LessonAnswer(words('web.lesson.error.read'), seat)
        trial = match.copy()
        self.command.run(trial, seat)
        verdict = judge(guide.lesson, before.step, trial)
        step = guide.lesson.steps[before.step]
        if verdict.kind == 'wrong':
            said = guide.lesson.said(step, verdict.key) if verdict.key else words('web.lesson.error.back')
            raise LessonAnswer(said, seat)
        done = self.command.run(match, seat)
        self.reached = before
        if verdict.kind == 'on':
            play_replies(match, guide.lesson, verdict.step)
            self.reached = replace(before, step=verdict.step)
        elif verdict.kind == 'accepted':
            self.reached = replace(before, accepted=verdict.key)
        return done


@dataclass
class StepLesson(Steered):
    """Go on in a lesson, or back. `step` is the one that the pupil sees. Going the same way twice changes
    nothing. Raises GameError if the lesson is at another step, or if that way is closed."""

    way: Way
    step: int

    def run(self, match: Match, seat: int) -> CommandResult:
        guide, now = self.guide, self.guide.progress
        last = len(guide.lesson.steps) - 1
        if self._is_done():
            return CommandResult()
        if not guide.scripted:
            raise GameError(words('web.lesson.error.over'))
        if self.step != now.step:
            raise GameError(words('web.lesson.error.step', step=now.step + 1, given=self.step + 1))
        if self.way == 'play_on':
            if not guide.is_last:
                raise GameError(words('web.lesson.error.not_last', last=last + 1))
            self.reached = replace(now, until=match.turns)
            return CommandResult()
        if self.way == 'next' and (guide.is_last or not guide.reads):
            raise GameError(words('web.lesson.error.last' if guide.is_last else 'web.lesson.error.move'))
        if self.way == 'back' and not now.step and not now.accepted:
            raise GameError(words('web.lesson.error.first'))
        # a good other move is on the board: the way back from it leads to the same step
        steps = {'next': now.step + 1, 'back': now.step - (not now.accepted), 'repeat': 0}
        self.reached = stand(match, guide, steps[self.way])
        return CommandResult()

    def _is_done(self) -> bool:
        """True if the lesson has already gone this way: the button was pressed twice."""
        if not self.guide.scripted:
            return self.way == 'play_on'
        led = {'next': self.step + 1, 'back': self.step - 1, 'repeat': 0}.get(self.way, -1)
        return self.guide.progress.step == led != self.step


@dataclass
class Jump(Steered):
    """Bring a lesson to a step, from wherever it stands."""

    step: int

    def run(self, match: Match, seat: int) -> CommandResult:
        self.reached = stand(match, self.guide, self.step)
        return CommandResult()


def stand(match: Match, guide: Guide, step: int) -> LessonProgress:
    """Bring the match to the beginning of a step. Answers how far the lesson has come then."""
    now, checkpoint = guide.progress, line_of(guide.lesson).checkpoints[step]
    if (match.turns, match.draft(guide.lesson.seat)) != (checkpoint.turns, checkpoint.draft):
        go_to(match, guide.lesson, step, now.step)
    return replace(now, step=step, accepted='')
