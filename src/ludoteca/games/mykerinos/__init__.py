"""Mykerinos, by Nicolas Oury (2006): dig for majorities, win patrons, fill the museum. Two to four
players."""

from __future__ import annotations

from typing import ClassVar

from ludoteca.game import Effort, Efforts, Game, Kernels, Parts

from . import components as C
from . import evaluation, knowledge, notation, rules, symmetries
from .options import MykerinosOptions
from .view import (
    board,
    cards,
    events,
    explanations,
    places,
    reasons,
    targets,
    wording,
)


class Mykerinos(Game):
    """The game of Mykerinos; see rules.py for its actions and its state."""

    name = 'mykerinos'
    version = 1
    players = range(2, 5)
    minutes = 60
    usual_players = 3  # two share the board with a neutral colour, and majorities mean less
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    # a cube a turn and a pass in every season; five claims an area
    max_turns = 4 * C.N_SEASONS * (C.N_CUBES + 1) + 5 * sum(C.TILES_OF_SEASON) // 2
    endings = notation.ENDINGS
    # nobody knows what the next seasons bring: no seat knows what another does not
    hidden = False
    lists_turns = False  # an own move and a neutral one: thousands of pairs
    link = 1.35  # searches are too cautious: docs/review.md
    efforts: ClassVar[Efforts] = {
        'beginner': {2: Effort(32, guided=False), 3: Effort(4, guided=False), 4: Effort(6, guided=False)},
        'easy': {3: Effort(6, guided=False), 4: Effort(16, guided=False)},
        'medium': {2: Effort(120), 3: Effort(20, guided=False), 4: Effort(20)},
        'hard': {2: Effort(1_500), 3: Effort(4_000), 4: Effort(4_000)},
    }
    most_words = 3
    certainty = C.CERTAINTY
    actions = rules.ACTIONS
    symmetries = staticmethod(symmetries.symmetries)
    chances = knowledge.CHANCES
    observation = knowledge.OBSERVATION
    options = MykerinosOptions
    State = rules.State
    Work = rules.Work
    kernels = Kernels.of(rules, knowledge, evaluation)
    editions: ClassVar = {'expert-1': {'foresee': None}}  # it looks at its actions one by one
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
        stages=wording,
        yardstick=evaluation,
    )


GAME = Mykerinos()
