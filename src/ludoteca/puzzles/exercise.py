"""An exercise: a position as a seat knows it, and the own turns that are to be found there, one by one.

Puzzles are exercises, and so are turning points of a match. An answer is judged quickly: a best turn and
whatever leads to the same position by comparison alone; any other turn by two short searches with the same
effort, one that begins with the best turn and one that begins with the answer. The outcomes that are stored
with the exercise count where these searches are too short, as long as rules are interpreted. They also count
in a puzzle, for which every other turn was searched more deeply than there is time for here.

Everything is made of what the seat knows. What it does not know is filled in by one guess that is always the
same; a match at a table goes on from that guess, so that it holds no truth that could be given away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

import numpy as np

from ludoteca.game import Game, GameError, Reason, State, View, committed, load
from ludoteca.game.reasons import sentences
from ludoteca.puzzles.files import Puzzle
from ludoteca.puzzles.find import AS_GOOD
from ludoteca.puzzles.turns import CompleteTurn, read_turn
from ludoteca.search import LEVELS, SearchResult, as_guessed, as_known, stream, think
from ludoteca.text import words

LEVEL, SIMULATIONS, SECONDS = 'expert', 6_000, 1.5
"""Of each of the two searches for an answer that is not stored. So many take 0.2 seconds at most on an idle
core, so the clock ends a search only on a very busy computer, or as long as rules are interpreted."""
ENOUGH = 150
"""Simulations with fewer of which a search says less than what is stored."""
REPLY_SIMULATIONS, REPLY_SECONDS = 2_000, 0.5
"""Of the search for a reply, where the searches before it have found none."""
MOST_REPLIES = 12


@dataclass(frozen=True)
class Task:
    """One own turn that is to be found: the turns that others take before it, the names of the best turns,
    and the seat's expected outcomes after the best one and after the best of all others. `proven`: every
    other turn was searched, and brings no more than `second`."""

    best: tuple[str, ...]
    expected: float
    second: float
    replies: tuple[str, ...] = ()
    proven: bool = False

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `dataclasses.asdict`."""
        return cls(**{**data, 'best': tuple(data['best']), 'replies': tuple(data['replies'])})


@dataclass(frozen=True)
class Exercise:
    """An exercise. `id` names it within its game; `position` is the JSON form of what the seat knows.
    `match`, `turn`: the table and the turn that it comes from, if it comes from a review."""

    id: str
    game: str
    players: int
    options: Mapping[str, Any]
    position: Mapping[str, Any] = field(repr=False)
    seat: int
    tasks: tuple[Task, ...]
    match: str = ''
    turn: int = 0

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle) -> Self:
        """A puzzle as an exercise."""
        first = Task(puzzle.best, puzzle.expected, puzzle.second, proven=True)
        later = (Task(**vars(one), proven=True) for one in puzzle.then)
        return cls(
            puzzle.id,
            puzzle.game,
            puzzle.players,
            puzzle.options,
            puzzle.position,
            puzzle.seat,
            (first, *later),
        )

    @classmethod
    def of_turn(
        cls,
        id: str,
        game: Game,
        known: State,
        seat: int,
        options: Mapping[str, Any],
        best: Sequence[str],
        expected: float,
        second: float,
    ) -> Self:
        """The exercise to find a better turn at a position, which is given as the seat knew it (`as_known`)
        and at which a turn begins. `best`: names of turns; `expected`, `second`: see `Task`.

        Raises GameError if the JSON form of the position does not tell all that the seat knew, or if a turn
        is not legal there."""
        position = game.to_json(known)
        if game.canonical(as_known(game, game.from_json(position), seat)) != game.canonical(known):
            raise GameError(words('exercise.error.position', game=game.title))
        for turn in best:
            read_turn(game, known, seat, turn)
        task = Task(tuple(best), expected, second)
        return cls(id, game.name, int(known.players), options, position, seat, (task,))

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `json`."""
        return cls(**{**data, 'tasks': tuple(map(Task.of, data['tasks']))})

    def json(self) -> dict[str, Any]:
        """The exercise as plain data. It holds the answers."""
        return asdict(self)

    def begin(self) -> State:
        """A whole position that agrees with what the seat knows, always the same one. Raises GameError if the
        rules no longer allow the position."""
        game = load(self.game)
        return as_guessed(game, as_known(game, game.from_json(self.position), self.seat), self.seat)


@dataclass(frozen=True)
class JudgedAnswer:
    """What is said to an answer. `nearly`: as good as the best turn, within the margin (`AS_GOOD`); not in
    puzzles.

    Expected outcomes are those of the seat, between 0 and 1: after the best turn, and after the answer.
    `replies` are turns of others that can follow a wrong answer. `ends`: it ends the game. `why`: sentences
    that say why the best turn is better. All of it is made of what the seat knows.
    """

    kind: Literal['solved', 'nearly', 'wrong']
    turn: str
    best: str
    expected: float
    after: float
    replies: tuple[str, ...] = ()
    ends: bool = False
    why: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Is the turn found?"""
        return self.kind != 'wrong'

    def json(self) -> dict[str, Any]:
        """The answer as plain data."""
        return asdict(self)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `json`."""
        return cls(**{**data, 'replies': tuple(data['replies']), 'why': tuple(data['why'])})


def answer(
    exercise: Exercise,
    number: int,
    whole: State,
    turn: str,
    *,
    seconds: float | None = SECONDS,
    simulations: int = SIMULATIONS,
    seed: int | str = 0,
) -> JudgedAnswer:
    """Judge an answer to a task of an exercise. `whole`: the position at which the task stands, of which only
    what the seat knows is looked at; `turn`: the names of a complete turn's steps.

    `seconds` and `simulations` are those of each search; a best turn needs none. Raises GameError if the text
    names no complete legal turn.
    """
    game, seat, task = load(exercise.game), exercise.seat, exercise.tasks[number]
    known = as_known(game, whole, seat)
    given = read_turn(game, known, seat, turn)
    best = [read_turn(game, known, seat, text) for text in task.best]
    name, after = ' '.join(given.names), _after(game, as_guessed(game, known, seat), given)
    ends = bool(after.ending)
    if given.key in {one.key for one in best}:
        return JudgedAnswer('solved', name, task.best[0], task.expected, task.expected, ends=ends)

    def value(of: CompleteTurn) -> SearchResult:
        return think(
            game,
            of.states[-1],
            seat,
            settings=LEVELS[LEVEL].settings,
            simulations=simulations,
            seconds=seconds,
            seed=stream(seed, 0),
            only=of.actions[-1],
        )

    good, tried = value(best[0]), value(given)
    loss = max(0.0, good.expected[seat] - tried.expected[seat])
    if min(good.simulations, tried.simulations) < min(ENOUGH, simulations):
        loss = task.expected - task.second
    if task.proven:
        loss = max(loss, task.expected - task.second)
    left = max(0.0, task.expected - loss)
    if loss < AS_GOOD:
        return JudgedAnswer('nearly', name, task.best[0], task.expected, left, ends=ends)
    replies = () if ends else _replies(game, after, seat, tried.line_actions[1:], seed)
    reasons = game.reasons(View(known, seat), best[0].actions, [given.actions])
    why = sentences(game.words, reasons, than='yours')
    return JudgedAnswer('wrong', name, task.best[0], task.expected, left, replies, ends, why)


def solution(exercise: Exercise, number: int, whole: State, tried: str = '') -> tuple[str, tuple[str, ...]]:
    """The best turn of a task, and sentences that say why: compared with the turn `tried`, if there is one.
    `whole` is as for `answer`."""
    game, seat, task = load(exercise.game), exercise.seat, exercise.tasks[number]
    known = as_known(game, whole, seat)
    best = read_turn(game, known, seat, task.best[0])
    others = [read_turn(game, known, seat, tried).actions] if tried else []
    reasons: Sequence[Reason] = game.reasons(View(known, seat), best.actions, others)
    told = sentences(game.words, reasons, than='yours') if tried else sentences(game.words, reasons)
    return task.best[0], tuple(told)


def _after(game: Game, whole: State, turn: CompleteTurn) -> State:
    following: State = whole.copy()
    for action in turn.actions:
        game.kernels.apply(following, action)
    return following


def _replies(game: Game, whole: State, seat: int, line: Sequence[int], seed: int | str) -> tuple[str, ...]:
    """What others can play until it is the seat's turn again: the actions of a line as far as they make whole
    turns, and if there is none, the turn that a short search finds."""
    found, left = list[str](), list(line)
    while not whole.ending and int(whole.to_move) != seat and len(found) < MOST_REPLIES:
        if int(whole.phase) in game.sealed:
            break
        turn = _turn(game, whole, left) or (not found and _sought(game, whole, seed)) or None
        if turn is None:
            break
        names, actions, whole = turn
        left = left[len(actions) :] if left[: len(actions)] == actions else []
        found.append(' '.join(names))
    return tuple(found)


def _turn(game: Game, whole: State, actions: Sequence[int]) -> tuple[list[str], list[int], State] | None:
    """The whole turn with which these actions begin, and the position after it; None if they make none."""
    names, done, out = list[str](), list[int](), np.empty(game.max_legal, np.int32)
    for action in actions:
        if action not in out[: game.kernels.legal_actions(whole, out)].tolist():
            return None
        known = as_known(game, whole, int(whole.to_move))
        names.append(game.action_name(known, action))
        done.append(action)
        before, whole = whole, whole.copy()
        game.kernels.apply(whole, action)
        if committed(before, whole):
            return names, done, whole
    return None


def _sought(game: Game, whole: State, seed: int | str) -> tuple[list[str], list[int], State] | None:
    """The turn that the seat to move plays after a short search on what it knows."""
    actions, at, mover = list[int](), whole, int(whole.to_move)
    for step in range(MOST_REPLIES):
        found = think(
            game,
            at,
            mover,
            settings=LEVELS[LEVEL].settings,
            simulations=REPLY_SIMULATIONS,
            seconds=REPLY_SECONDS / (step + 1),
            seed=stream(seed, step),
        )
        actions.append(found.action)
        at = at.copy()
        game.kernels.apply(at, found.action)
        if turn := _turn(game, whole, actions):
            return turn
    return None
