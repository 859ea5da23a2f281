"""Positions of bots' games in which one turn is clearly the best: their data, how they are found, and how an
answer is judged."""

from ludoteca.puzzles.exercise import Exercise, JudgedAnswer, Task, answer, solution
from ludoteca.puzzles.files import (
    DroppedPuzzle,
    Later,
    Puzzle,
    PuzzleFile,
    Run,
    is_dropped,
    puzzle_of,
    puzzles,
    read,
    write,
)
from ludoteca.puzzles.find import (
    FINDER,
    MOST_OWN_TURNS,
    PuzzlePlan,
    find_in_game,
    find_puzzles,
    left,
    rechecked,
    regraded,
)
from ludoteca.puzzles.solving import Verdict, judge
from ludoteca.puzzles.turning_points import exercise_of_turn

__all__ = [
    'FINDER',
    'MOST_OWN_TURNS',
    'DroppedPuzzle',
    'Exercise',
    'JudgedAnswer',
    'Later',
    'Puzzle',
    'PuzzleFile',
    'PuzzlePlan',
    'Run',
    'Task',
    'Verdict',
    'answer',
    'exercise_of_turn',
    'find_in_game',
    'find_puzzles',
    'is_dropped',
    'judge',
    'left',
    'puzzle_of',
    'puzzles',
    'read',
    'rechecked',
    'regraded',
    'solution',
    'write',
]
