"""Guided first games: lessons as data of each game, and the script by which they are played at a real table.

`Lesson` is what lies in a game's lessons.toml. `Line` is the course of a lesson under the rules as they are
now. `judge` says what a lesson answers to a move. Nothing here reads or writes more than a game's folder.
"""

from ludoteca.lessons.course import Line, MoveVerdict, attempt, go_to, judge, line_of, play_replies, position
from ludoteca.lessons.lesson import COACHED, Comment, Lesson, LessonStep, When, lesson_of, lessons

__all__ = [
    'COACHED',
    'Comment',
    'Lesson',
    'LessonStep',
    'Line',
    'MoveVerdict',
    'When',
    'attempt',
    'go_to',
    'judge',
    'lesson_of',
    'lessons',
    'line_of',
    'play_replies',
    'position',
]
