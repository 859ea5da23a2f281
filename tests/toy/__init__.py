"""The Fruit Market: a small game that uses all of the contract, the example of docs/game-contract.md. Two to
four players.

It lies outside the package, so the tests make it known with `ludoteca.game.add(GAME)`. A game of the package
is found by its folder and needs nothing of the kind.
"""

from __future__ import annotations

from ludoteca.game import Game, Kernels, Parts

from . import components as C
from . import evaluation, knowledge, notation, rules
from .options import ToyOptions
from .view import board, cards, events, explanations, places, targets, wording


class Toy(Game):
    """The Fruit Market; see rules.py for its actions and its state."""

    name = 'toy'
    version = 1
    players = range(2, 5)
    minutes = 10
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    max_turns = 15  # three players, five rounds
    endings = notation.ENDINGS
    hidden = True
    lists_turns = True
    sealed = (rules.BIDDING,)
    measures = ('rounds', 'spent')
    next_first = 'lowest'
    certainty = C.CERTAINTY
    actions = rules.ACTIONS
    chances = knowledge.CHANCES
    observation = knowledge.OBSERVATION
    options = ToyOptions
    State = rules.State
    Work = rules.Work
    kernels = Kernels.of(rules, knowledge, evaluation)
    parts = Parts(
        notation,
        board,
        panels=cards,
        targets=targets,
        wording=wording,
        events=events,
        explanations=explanations,
        places=places,
        yardstick=evaluation,
    )


GAME = Toy()
