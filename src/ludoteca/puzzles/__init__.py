"""Positions of bots' games in which one turn is clearly the best: their data, how they are found, and how an
answer is judged."""

from ludoteca.puzzles.data import Later, Puzzle, PuzzleFile, Run, puzzle_of, puzzles, read, write
from ludoteca.puzzles.exercise import Answer, Exercise, Task, answer, solution
from ludoteca.puzzles.find import MOST_OWN_TURNS, Plan, find_in_game, find_puzzles, left, regraded
from ludoteca.puzzles.solving import Verdict, judge
from ludoteca.puzzles.turning_points import exercise_of_turn

__all__ = [
    'MOST_OWN_TURNS',
    'Answer',
    'Exercise',
    'Later',
    'Plan',
    'Puzzle',
    'PuzzleFile',
    'Run',
    'Task',
    'Verdict',
    'answer',
    'exercise_of_turn',
    'find_in_game',
    'find_puzzles',
    'judge',
    'left',
    'puzzle_of',
    'puzzles',
    'read',
    'regraded',
    'solution',
    'write',
]
