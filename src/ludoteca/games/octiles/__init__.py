"""Octiles, by Dale Walton (1984): lay a tile, then run along the path that it makes. Two to four players."""

from __future__ import annotations

from types import MappingProxyType
from typing import ClassVar

from ludoteca.game import Effort, Efforts, Game, Kernels, Parts

from . import components as C
from . import evaluation, knowledge, notation, rules, symmetries
from .options import OctilesOptions
from .view import (
    board,
    cards,
    events,
    explanations,
    facts,
    places,
    reasons,
    targets,
    wording,
)


class Octiles(Game):
    """The game of Octiles; see rules.py for its actions and its state."""

    name = 'octiles'
    version = 1
    players = range(2, 5)
    minutes = 30
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    max_turns = None  # runners may go to and fro without end
    endings = notation.ENDINGS
    # no seat knows more than another: the stack's order is unknown to all
    hidden = False
    lists_turns = True
    efforts: ClassVar[Efforts] = {
        'beginner': {2: Effort(40, guided=False), 3: Effort(7, guided=False), 4: Effort(7, guided=False)},
        'easy': {2: Effort(54), 3: Effort(14, guided=False), 4: Effort(16, guided=False)},
        'medium': {2: Effort(280), 3: Effort(100), 4: Effort(300)},
        'hard': {2: Effort(1_400), 3: Effort(1_500), 4: Effort(4_000)},
        'very-hard': {2: Effort(4_700)},
    }
    certainty = C.CERTAINTY
    actions = rules.ACTIONS
    symmetries = staticmethod(symmetries.symmetries)
    chances = knowledge.CHANCES
    observation = knowledge.OBSERVATION
    options = OctilesOptions
    State = rules.State
    Work = rules.Work
    kernels = Kernels.of(rules, knowledge, evaluation)
    editions = MappingProxyType(
        {
            'expert-1': {'foresee': None},
            'alpha-beta': {'estimate': evaluation.estimate_by_distance, 'foresee': None},
        }
    )
    perft_weight = staticmethod(rules.equal_rotations)
    seat_colours = facts.SEAT_COLOURS
    sounds = events.SOUNDS
    parts = Parts(
        notation,
        board,
        panels=cards,
        targets=targets,
        wording=wording,
        events=events,
        explanations=explanations,
        places=places,
        reasons=reasons,
        pictures=board,
        figures=board,
        shortcuts=targets,
        lists=targets,
        yardstick=evaluation,
    )


GAME = Octiles()
