"""The exercise at a live table: a position as a seat knows it, answers that are judged on the real board,
what refutes them, and the ways on. Puzzles are exercises; so are turning points of a match ("find better").

An answer is judged before it is played (`prepare`), so that turn, verdict and reply are stored together. A
search for that is a job (`work/answers.py`), so it is done by a worker if there is one. The
match of an exercise is filled in by a guess of what the seat does not know, so it holds no truth that could
be given away. It never ends: a turn that would end the game is judged and shown, but not played.

    exercise = Exercise.of_turn(...)                              # or Exercise.of_puzzle(puzzle)
    live = await open_exercise(server, visitor, exercise)         # of live/new_tables.py: your own table
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from typing import Literal

from ludoteca.game import Game, GameError, State, load
from ludoteca.match import BOT, Match, Seat, Setup
from ludoteca.puzzles import Exercise, JudgedAnswer, solution
from ludoteca.puzzles.turns import read_turn
from ludoteca.review.lines import line
from ludoteca.search import LEVELS
from ludoteca.store import News, SeatPlan, Sitting
from ludoteca.text import words
from ludoteca.web.live.commands import Command, CommandResult, Play, Redraft, Undo
from ludoteca.web.live.guide import Keeper, LessonAnswer, Script, Scripted
from ludoteca.web.offers.catalogue import bot_name
from ludoteca.web.serving.errors import Busy
from ludoteca.web.table.model import ExerciseView
from ludoteca.web.table.wording import advice, level_word, line_texts, turn_text
from ludoteca.work import Desk, Job, answers, ranks, result_of

Way = Literal['again', 'solution', 'on']
WAITS = 10.0
"""Seconds after which an answer counts as not judged, where there is too much to do. A worker that dies is
replaced in that time (`store.jobs.LEASE`)."""


def setup_of(exercise: Exercise, name: str, colours: Sequence[str] = ()) -> Setup:
    """The set-up of the match at which an exercise is done: by a person, among bots that never think. Raises
    GameError if the rules no longer allow the exercise."""
    level, numbers = next(iter(LEVELS)), iter(range(1, exercise.players))
    seats = tuple(
        Seat(name)
        if seat == exercise.seat
        else Seat(bot_name(level, next(numbers), exercise.players), BOT, level)
        for seat in range(exercise.players)
    )
    setup = Setup.new(exercise.game, exercise.players, exercise.options, seats, 0, colours)
    exercise.begin()
    return replace(setup, exercise=exercise.id, position=exercise.position, knower=exercise.seat)


def plans_of(setup: Setup, person: str) -> list[SeatPlan]:
    """Who sits where at the table of an exercise."""
    return [
        SeatPlan('bot', name=who.name, level=who.level) if who.kind == BOT else SeatPlan(person=person)
        for who in setup.seats
    ]


class Exercising(Script):
    """An exercise and how far it has come at a table."""

    def __init__(self, exercise: Exercise, sitting: Sitting) -> None:
        self.exercise, self.sitting = exercise, sitting
        self._answers: dict[tuple[int, str], JudgedAnswer] = {}  # by task and turn what was judged just now

    @property
    def seat(self) -> int:
        """The seat of the person who does it."""
        return self.exercise.seat

    @property
    def scripted(self) -> bool:
        """Bots never think here."""
        return True

    @property
    def reads(self) -> bool:
        """Is an answer on the board?"""
        return bool(self.sitting.kind)

    @property
    def place(self) -> int:
        """The number of the task."""
        return self.sitting.task

    @property
    def game(self) -> Game:
        """The game."""
        return load(self.exercise.game)

    def become(self, sitting: Sitting) -> None:
        """The exercise has come so far."""
        self.sitting, self.answer = sitting, ''
        self._answers.clear()

    def settle(self, match: Match) -> None:
        """Agree with the match: where the last change of either was not kept, the task begins anew."""
        ahead = match.turns - self.turns_at(self.sitting.task)
        wanted = 1 if self.sitting.kind and not self.sitting.said.get('ends') else 0
        if ahead < wanted or (ahead and not wanted):
            fits = [k for k in range(len(self.exercise.tasks)) if self.turns_at(k) <= match.turns]
            self.sitting = Sitting(max(fits), '', self.sitting.tries)

    def follow(self, news: News, match: Match) -> None:
        """Another server may have brought the exercise further."""
        if news.sitting and news.sitting != self.sitting:
            self.become(news.sitting)
            self.settle(match)

    def guarded(self, command: Command) -> Command:
        """A choice, as an answer."""
        return Answered(self, command)

    def turns_at(self, task: int) -> int:
        """How many turns of the match there are when a task begins."""
        return task + sum(len(one.replies) for one in self.exercise.tasks[: task + 1])

    def remember(self, task: int, found: JudgedAnswer) -> None:
        """An answer has been judged; it is about to be played."""
        self._answers[task, found.turn] = found

    def judged(self, turn: str) -> JudgedAnswer | None:
        """What was found out about a turn, if it was judged."""
        return self._answers.get((self.sitting.task, turn))


# ---- judging -----------------------------------------------------------------------------------------------


async def prepare(
    script: Exercising,
    begun: tuple[State, str] | None,
    desk: Desk,
    table: str,
    before_search: Callable[[], object],
) -> None:
    """Judge the turn that a choice is about to complete. `begun`: see `completes`; `before_search` may refuse
    a search. A best turn needs none, and is judged at once. Raises Busy if nobody has judged it in time."""
    found = begun
    if found is None:
        return
    (known, turn), number, exercise = found, script.sitting.task, script.exercise
    if script.judged(turn) is not None:
        return
    game = load(exercise.game)
    if await asyncio.to_thread(_is_best, game, exercise, number, known, turn):
        script.remember(number, await asyncio.to_thread(answers.told, exercise, number, known, turn))
        return
    before_search()
    key, asked = ('answer', table), answers.payload(exercise, number, known, turn)
    search = desk.submit(Job('answer', table, key, ranks.PEOPLE, asked))
    try:
        async with asyncio.timeout(WAITS):
            script.remember(number, answers.read(await result_of(search)))
    except (TimeoutError, CancelledError) as problem:
        desk.cancel(key)
        raise Busy(words('web.exercise.error.late')) from problem


def completes(match: Match, seat: int, steps: str, keep: int | None, rest: bool) -> tuple[State, str] | None:
    """The turn that steps would complete: the position at which it begins, as the seat knows it, and its
    name. None if they complete none. Called under the lock."""
    trial, before = match.copy(), match.copy()
    try:
        trial.act(seat, None, steps, keep, rest)
    except GameError:
        return None  # whoever plays them is told why
    if trial.turns == match.turns and trial.result is None:
        return None
    clear(before, seat)
    rows = trial.log(seat, match.turns)
    return before.knowledge(seat), next(row.name for row in rows if row.kind == 'turn' and row.seat == seat)


def _is_best(game: Game, exercise: Exercise, number: int, known: State, turn: str) -> bool:
    """Is a turn, or one that leads to the same position, among the best ones?"""
    seat = exercise.seat
    given = read_turn(game, known, seat, turn)
    return given.key in {read_turn(game, known, seat, text).key for text in exercise.tasks[number].best}


# ---- commands ----------------------------------------------------------------------------------------------


@dataclass
class ExerciseCommand(Scripted):
    """A command that may bring an exercise further: `reached` is how far it has come then."""

    script: Exercising
    reached: Sitting | None = field(default=None, init=False)

    def run(self, match: Match, seat: int) -> CommandResult:
        raise NotImplementedError

    def keep(self, table_id: str, keeper: Keeper) -> bool:
        """Keep how far the exercise has come."""
        if self.reached is None:
            return False
        self.script.become(keeper.keep_exercise(table_id, self.reached, self.script.sitting))
        return True


@dataclass
class Answered(ExerciseCommand):
    """What is chosen at an exercise. A step of a draft is played as elsewhere; a complete turn is an answer,
    which must have been judged."""

    command: Command

    def seats(self, match: Match) -> Sequence[int]:
        return self.command.seats(match)

    def run(self, match: Match, seat: int) -> CommandResult:
        script, now = self.script, self.script.sitting
        if not isinstance(self.command, Play | Undo | Redraft):
            raise GameError(words('web.exercise.error.not_now'))
        if script.reads:
            raise LessonAnswer(words('web.exercise.error.read'), seat)
        trial = match.copy()
        self.command.run(trial, seat)
        if trial.turns == match.turns and trial.result is None:
            return self.command.run(match, seat)
        rows = trial.log(seat, match.turns)
        turn = next(row.name for row in rows if row.kind == 'turn' and row.seat == seat)
        found = script.judged(turn)
        if found is None:
            raise GameError(words('web.exercise.error.late'))
        last = now.task == len(script.exercise.tasks) - 1
        if not found.counts:
            self.reached = replace(now, kind='wrong', tries=now.tries + 1, said=found.json())
        elif last:
            self.reached = replace(now, kind='solved', said=found.json())
        else:
            self.reached = replace(now, task=now.task + 1, said=found.json())
        if found.ends or trial.result is not None:
            return CommandResult({'committed': False, 'rest': []})
        if found.counts and not last:
            self.command.run(match, seat)
            play(match, script.exercise.tasks[now.task + 1].replies)
        else:
            self.command.run(match, seat)
            play(match, found.replies)
        return CommandResult({'committed': True, 'rest': []})


@dataclass
class Go(ExerciseCommand):
    """A way on: again, to the solution, or on after that. `step` is the task that the person sees. Raises
    GameError if it is another one by now, or if that way is closed."""

    way: Way
    step: int

    def run(self, match: Match, seat: int) -> CommandResult:
        script, now, tasks = self.script, self.script.sitting, self.script.exercise.tasks
        if self.step != now.task:
            raise GameError(words('web.exercise.error.task', task=now.task + 1, given=self.step + 1))
        if self.way == 'on':
            if now.kind != 'shown' or now.task == len(tasks) - 1:
                raise GameError(words('web.exercise.error.on'))
            stand(match, script, now.task + 1)
            self.reached = replace(now, task=now.task + 1, kind='', said={})
        elif self.way == 'again':
            if not now.kind:
                raise GameError(words('web.exercise.error.again'))
            task = now.task if now.kind == 'wrong' else 0
            stand(match, script, task)
            said = {'again': now.said.get('turn', '')} if now.kind == 'wrong' else {}
            self.reached = replace(now, task=task, kind='', said=said)
        else:
            if now.kind not in ('', 'wrong'):
                raise GameError(words('web.exercise.error.shown'))
            tried = str(now.said.get('turn', '')) if now.kind == 'wrong' else ''
            stand(match, script, now.task)
            best, why = solution(script.exercise, now.task, match.knowledge(seat), tried)
            trial = match.copy()
            trial.act(seat, None, best)
            ends = trial.result is not None
            if not ends:
                match.act(seat, None, best)
            said = {'best': best, 'why': list(why), 'ends': ends}
            self.reached = Sitting(now.task, 'shown', now.tries + 1, said)
        return CommandResult()


@dataclass
class Begin(ExerciseCommand):
    """Begin the exercise anew."""

    def run(self, match: Match, seat: int) -> CommandResult:
        stand(match, self.script, 0)
        self.reached = Sitting()
        return CommandResult()


def stand(match: Match, script: Exercising, task: int) -> None:
    """Bring the match to the beginning of a task."""
    seat, turns = script.seat, script.turns_at(task)
    if match.turns > turns:
        match.retry(seat, turns)
    clear(match, seat)
    for number, one in enumerate(script.exercise.tasks[: task + 1]):
        if number and match.turns < script.turns_at(number):
            if match.turns == script.turns_at(number - 1):
                match.act(seat, None, script.exercise.tasks[number - 1].best[0])
            play(match, one.replies)


def clear(match: Match, seat: int) -> None:
    """Take back the draft."""
    if match.draft(seat):
        match.undo(seat, keep=0)


def play(match: Match, turns: Sequence[str]) -> None:
    """Play turns of others, as far as they are legal and do not end the match."""
    for turn in turns:
        mover = next((seat for seat in match.to_move if match.may_act(seat)), None)
        if mover is None:
            return
        try:
            trial = match.copy()
            trial.act(mover, None, turn)
            if trial.result is not None:
                return
            match.act(mover, None, turn)
        except GameError:
            return


# ---- what is told ------------------------------------------------------------------------------------------


def exercise_view(script: Script | None, match: Match, seat: int) -> ExerciseView | None:
    """What an exercise at a match tells the person of a seat; None for anybody else, and where there is no
    exercise."""
    if not isinstance(script, Exercising) or script.seat != seat:
        return None
    exercise, now = script.exercise, script.sitting
    grade = grade_of(exercise)
    title = (
        words('web.exercise.puzzle', grade=level_word(grade).lower())
        if grade
        else words('web.exercise.better')
    )
    say, more = _said(script, match)
    return ExerciseView(
        title,
        now.task,
        len(exercise.tasks),
        now.kind,
        say,
        more,
        exercise.id if grade else '',
        script.reads,
        now.kind == 'shown' and now.task < len(exercise.tasks) - 1,
        _back(exercise, grade),
        _unplayed(script, match),
    )


def _unplayed(script: Exercising, match: Match) -> str:
    """The turn on show, where it would end the game and so is not played."""
    now = script.sitting
    if not script.reads or match.turns > script.turns_at(now.task) or not match.may_act(script.seat):
        return ''
    return str(now.said.get('best' if now.kind == 'shown' else 'turn', ''))


def _back(exercise: Exercise, grade: str) -> str:
    """The page from which an exercise is opened."""
    if exercise.match:
        return f'/tables/{exercise.match}/review?turn={exercise.turn}'
    return f'/games/{exercise.game}/puzzles' if grade else '/'


def grade_of(exercise: Exercise) -> str:
    """The grade of the puzzle that an exercise is; '' for all others."""
    from ludoteca.puzzles import puzzles

    return next((one.grade for one in puzzles(exercise.game) if one.id == exercise.id), '')


def _said(script: Exercising, match: Match) -> tuple[str, str]:
    """What is said, and more about it."""
    now, said = script.sitting, script.sitting.said
    if now.kind == 'shown':
        best = _advice(script, match, now.task, said['best'])
        return words('web.exercise.shown', best=best), _joined(
            *said['why'], _ends(script, bool(said['ends']))
        )
    found = JudgedAnswer.of(said) if 'turn' in said else None
    if now.kind == 'wrong' and found is not None:
        reply = _replies(script, match, script.turns_at(now.task), found.replies)
        better = words('web.exercise.why', why=' '.join(found.why)) if found.why else ''
        values = {'best': round(100 * found.expected), 'after': round(100 * found.after)}
        # what is said of the answer, then what is said of the best turn
        return words('web.exercise.wrong', **values), _joined(reply, _ends(script, found.ends), better)
    if now.kind == 'solved' and found is not None:
        return _right(script, match, now.task, found), _joined(*found.why, _ends(script, found.ends))
    if found is not None:  # the task before this one is solved
        task = now.task - 1
        reply = _replies(script, match, script.turns_at(task), script.exercise.tasks[now.task].replies)
        return _right(script, match, task, found), _joined(reply, words('web.exercise.next_turn'))
    if again := said.get('again'):
        return words('web.exercise.try_again', turn=_advice(script, match, now.task, again)), ''
    many = len(script.exercise.tasks)
    more = words('web.exercise.many', n=many) if many > 1 and not now.task else ''
    return words('web.exercise.find'), more


def _right(script: Exercising, match: Match, task: int, found: JudgedAnswer) -> str:
    return words(f'web.exercise.{found.kind}', best=_advice(script, match, task, found.best))


def _advice(script: Exercising, match: Match, task: int, turn: str) -> str:
    """A turn of a task in words."""
    known = match.view(script.seat, at=script.turns_at(task)).state
    return advice(script.game, line(script.game, known, script.seat, [turn]), script.seat, match.players)


def _replies(script: Exercising, match: Match, since: int, replies: Sequence[str]) -> str:
    """What the others have replied since a turn, as a sentence; '' for nothing. A reply that ends the game is
    not on the board."""
    rows = [row for row in match.log(script.seat, since) if row.kind == 'turn' and row.seat != script.seat]
    told = [turn_text(script.game, row.events, match.players, row.seat) for row in rows]
    if left := replies[len(rows) :]:
        steps = line(script.game, match.knowledge(script.seat), script.seat, left)
        told += line_texts(script.game, steps, match.players)
    return words('web.exercise.reply', turns='; '.join(told)) if told else ''


def _ends(script: Exercising, ends: bool) -> str:
    """That the turn ends the game, if it does: where there are secrets, as they were guessed here."""
    return words('web.exercise.ends_guessed' if script.game.hidden else 'web.exercise.ends') if ends else ''


def _joined(*sentences: str) -> str:
    return ' '.join(filter(None, sentences))
