"""Myriath, by Martijn Althuizen: lay tiles in the streets so that their ends meet other tiles. Two to four
players."""

from __future__ import annotations

from typing import ClassVar

from ludoteca.game import Effort, Efforts, Game, Kernels, Parts

from . import components as C
from . import evaluation, knowledge, notation, rules, symmetries
from .view import board, cards, events, explanations, places, reasons, targets, wording


class Myriath(Game):
    """The game of Myriath; see rules.py for its actions and its state."""

    name = 'myriath'
    version = 1
    players = range(2, 5)
    minutes = 25
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    # all tiles of all hands, each followed by passes of all others; at last a pass of all
    max_turns = 4 * rules.N_PATHS * 4 + 4
    endings = notation.ENDINGS
    hidden = False  # hands are open, nothing is drawn by chance
    lists_turns = True
    sampled_phases = (rules.Phase.SETUP,)
    link = 1.7  # searches are too cautious: docs/review.md
    efforts: ClassVar[Efforts] = {
        'beginner': {2: Effort(128, guided=False), 3: Effort(16, guided=False), 4: Effort(16, guided=False)},
        'easy': {2: Effort(70), 3: Effort(24), 4: Effort(24)},
        'medium': {2: Effort(300)},
        'hard': {2: Effort(1_500)},
        'very-hard': {2: Effort(5_000)},
    }
    most_words = 3
    one_step = True
    next_first = 'lowest'
    certainty = C.CERTAINTY
    actions = rules.ACTIONS
    symmetries = staticmethod(symmetries.symmetries)
    observation = knowledge.OBSERVATION
    State = rules.State
    Work = rules.Work
    kernels = Kernels.of(rules, knowledge, evaluation)
    sounds = events.SOUNDS
    parts = Parts(
        notation,
        board,
        panels=cards,
        targets=targets,
        wording=wording,
        events=events,
        cards=cards,
        explanations=explanations,
        places=places,
        reasons=reasons,
        pictures=board,
        figures=board,
        lists=targets,
        yardstick=evaluation,
    )


GAME = Myriath()
