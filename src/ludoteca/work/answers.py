"""The kind `answer`: how good an answer to an exercise is.

Its two searches are bounded by simulations. The clock ends them only where that many take many times as long
as usual, so the same answer is judged alike by a busy server and by an idle worker.
"""

from __future__ import annotations

from dataclasses import asdict, replace

from ludoteca.game import State, load
from ludoteca.puzzles import Exercise, JudgedAnswer, Task, answer, solution
from ludoteca.puzzles.exercise import SECONDS, SIMULATIONS
from ludoteca.work.jobs import Conditions, Payload, Result, packed, unpacked


def payload(exercise: Exercise, number: int, known: State, turn: str) -> Payload:
    """An answer to a task of an exercise. `known`: the position as the seat knows it. Besides that it holds
    what is stored with the task: its best turns, and what they are expected to bring."""
    return {
        'game': exercise.game,
        'state': packed(known),
        'seat': exercise.seat,
        'task': asdict(replace(exercise.tasks[number], replies=())),
        'turn': turn,
        'simulations': SIMULATIONS,
        'seconds': SECONDS,
    }


def judge(payload: Payload, conditions: Conditions) -> Result:  # noqa: ARG001 (its searches end by themselves)
    """`JudgedAnswer.json`, as `told` answers it."""
    game = load(payload['game'])
    known, task = unpacked(game, payload['state']), Task.of(payload['task'])
    exercise = Exercise('', game.name, int(known.players), {}, {}, payload['seat'], (task,))
    effort = payload['simulations'], payload['seconds']
    return told(exercise, 0, known, payload['turn'], *effort).json()


def read(result: Result) -> JudgedAnswer:
    """What `judge` has found."""
    return JudgedAnswer.of(result)


def told(
    exercise: Exercise,
    number: int,
    known: State,
    turn: str,
    simulations: int = SIMULATIONS,
    seconds: float | None = SECONDS,
) -> JudgedAnswer:
    """The verdict on an answer, with the reasons for the best turn where the answer counts. `known`: the
    position as the seat knows it. A best turn needs no search. Raises GameError, see `puzzles.answer`."""
    found = answer(exercise, number, known, turn, simulations=simulations, seconds=seconds)
    return replace(found, why=solution(exercise, number, known)[1]) if found.counts else found
