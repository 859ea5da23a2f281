"""Myraclia, by Rudy Priecinsky (2020): draft elements and terraform a planet. Two to five players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ludoteca.game import Effort, Efforts, Game, Kernels, Parts, Value

from . import components as C
from . import evaluation, knowledge, notation, rules, symmetries
from .options import MyracliaOptions
from .view import board, cards, events, explanations, places, reasons, targets, wording


class Myraclia(Game):
    """The game of Myraclia; see rules.py for its actions and its state."""

    name = 'myraclia'
    version = 1
    players = C.PLAYERS
    minutes = 50
    usual_options: ClassVar[Mapping[str, Value]] = {'cubes': 3}  # the beginners' start
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    # starting tiles; cubes, passes, turns, a token
    max_turns = C.MOST_START + C.LAST_ROUND * (max(*C.DRAFT_FIRST, *C.DRAFT) + 2 * C.PLAYERS[-1] + 1)
    endings = notation.ENDINGS
    # nobody knows what the bags will bring, so no seat knows more than another
    hidden = False
    sampled_phases = (rules.Phase.ARRANGE,)
    lists_turns = False  # actions of a turn may come in any order: too many
    most_words = 5
    measures = rules.MEASURES
    declines = (rules.PASS,)  # whoever passes drafts no more in the round
    link = 0.7  # searches are too sure: docs/review.md
    efforts: ClassVar[Efforts] = {
        'beginner': {
            2: Effort(20, guided=False),
            3: Effort(9, guided=False),
            4: Effort(8, guided=False),
            5: Effort(7, guided=False),
        },
        'easy': {
            2: Effort(1),
            3: Effort(70, guided=False),
            4: Effort(22, guided=False),
            5: Effort(16, guided=False),
        },
        'medium': {2: Effort(32), 3: Effort(3), 4: Effort(290, guided=False), 5: Effort(290, guided=False)},
        'hard': {2: Effort(500), 3: Effort(1_024), 4: Effort(2), 5: Effort(1)},
    }
    certainty = C.CERTAINTY
    actions = rules.ACTIONS
    symmetries = staticmethod(symmetries.symmetries)
    chances = knowledge.CHANCES
    observation = knowledge.OBSERVATION
    next_first = 'drawn'  # the elements that are drawn say who drafts first
    options = MyracliaOptions
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
        stages=wording,
        redrafts=targets,
        yardstick=evaluation,
    )


GAME = Myraclia()
