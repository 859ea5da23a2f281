"""Positions of bots' games in which one turn is clearly the best: their data, how they are found, and how an
answer is judged."""

from ludoteca.puzzles.data import Puzzle, PuzzleFile, Run, puzzle_of, puzzles, read, write
from ludoteca.puzzles.find import Plan, find_in_game, find_puzzles, left
from ludoteca.puzzles.solving import Verdict, judge

__all__ = [
    'Plan',
    'Puzzle',
    'PuzzleFile',
    'Run',
    'Verdict',
    'find_in_game',
    'find_puzzles',
    'judge',
    'left',
    'puzzle_of',
    'puzzles',
    'read',
    'write',
]
