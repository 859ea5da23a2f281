"""Myrmidons, by Néstor Romeral Andrés: two armies of blocks whose values only their owner sees. Two
players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ludoteca.game import Effort, Efforts, Game, Kernels, Parts

from . import components as C
from . import evaluation, knowledge, notation, rules, symmetries
from .options import MyrmidonsOptions
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
from .view.facts import COLOURS


class Myrmidons(Game):
    """The game of Myrmidons; see rules.py for its actions and its state."""

    name = 'myrmidons'
    version = 1
    players = range(2, 3)
    minutes = 20
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    # both rules that end a game without captures can be switched off
    max_turns = None
    endings = notation.ENDINGS
    hidden = True
    lists_turns = True
    sealed = (rules.Phase.DEPLOY,)
    arranged = (rules.Phase.DEPLOY,)
    most_words = 2
    certainty = C.CERTAINTY
    link = 0.55  # guesses at the other army make searches too sure: docs/review.md
    efforts: ClassVar[Efforts] = {
        'beginner': Effort(10, guided=False),
        'easy': Effort(24, guided=False),
        'medium': Effort(16),
        'hard': Effort(64, offered=False),
    }
    actions = rules.ACTIONS
    symmetries = staticmethod(symmetries.symmetries)
    chances = knowledge.CHANCES
    observation = knowledge.OBSERVATION
    options = MyrmidonsOptions
    State = rules.State
    Work = rules.Work
    kernels = Kernels.of(rules, knowledge, evaluation)
    # a search guesses what is likely; what is asked for all that is possible is drawn evenly
    editions: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        '': {'guess': knowledge.suppose},
        'expert-1': {'foresee': None},
    }
    seat_colours: ClassVar[Mapping[int, tuple[str, ...]]] = {2: COLOURS}
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
        pencils=targets,
        redrafts=targets,
        lists=targets,
        arranges=targets,
        yardstick=evaluation,
    )


GAME = Myrmidons()
