"""The Fruit Market: a small game that uses all of the contract, the example of docs/add-a-game.md. Two to four players.

It lies outside the package, so the tests make it known with `ludoteca.game.add(GAME)`. A game of the package is found by its
folder and needs nothing of the kind.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludoteca import game as contract
from ludoteca.game import Event, Game, Kernels, Panel, Prompt, Target, Theme, View
from ludoteca.text import Words
from tests.toy import components as C
from tests.toy import drawing, evaluation, knowledge, notation, rules
from tests.toy.options import ToyOptions


class Toy(Game):
    """The Fruit Market; see rules.py for its actions and its state."""
    name = 'toy'
    version = 1
    players = range(2, 5)
    minutes = 10
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    max_turns = 15                              # three players, five rounds
    endings = notation.ENDINGS
    hidden = True
    lists_turns = True
    sealed = (rules.BIDDING,)
    measures = ('rounds', 'spent')
    next_first = 'lowest'
    certainty = C.CERTAINTY
    observation = knowledge.OBSERVATION
    options = ToyOptions
    State = rules.State
    Work = rules.Work
    kernels = Kernels(
        setup=rules.setup, legal_actions=rules.legal_actions, apply=rules.apply, scores=rules.scores, outcome=rules.outcome,
        estimate=evaluation.estimate, hide=knowledge.hide, forget=knowledge.forget, prepare=knowledge.prepare,
        guess=knowledge.guess, hide_action=knowledge.hide_action, revealed=rules.revealed, observe=knowledge.observe,
        mover_view=knowledge.mover_view, random_action=evaluation.random_action, random_turn=evaluation.random_turn,
        measure=rules.measure)
    folder = str(Path(__file__).parent)
    words = Words(Path(__file__).parent)

    def action_name(self, s: contract.State, action: int) -> str:
        return notation.action_name(action)

    def action_from_name(self, s: contract.State, text: str) -> int:
        return notation.action_from_name(text)

    def to_json(self, s: contract.State) -> dict[str, Any]:
        return notation.to_json(s)

    def from_json(self, data: Mapping[str, Any]) -> contract.State:
        return notation.from_json(data)

    def events(self, before: contract.State, action: int, after: contract.State, names: Sequence[str] = (),
               colours: Sequence[str] = ()) -> tuple[Event, ...]:
        return drawing.events(before, action, after)

    def draw(self, view: View, theme: Theme = 'light') -> str:
        return drawing.draw(self, view, theme)

    def draw_symbols(self) -> str:
        return ''

    def prompt(self, view: View) -> Prompt:
        return drawing.prompt(self, view)

    def panels(self, view: View) -> tuple[Panel, ...]:
        return drawing.panels(self, view)

    def text(self, view: View) -> str:
        return drawing.text(self, view)

    def targets(self, s: contract.State, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
        return drawing.targets(s, action)

    def why_not(self, view: View, targets: Sequence[str]) -> str:
        return drawing.why_not(self, view, targets)

    def yardstick(self, s: contract.State) -> tuple[int, ...]:
        return evaluation.yardstick(s)


GAME = Toy()
