"""Myriath, by Martijn Althuizen: lay tiles in the streets so that their ends meet other tiles. Two to four players."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludoteca.game import Card, Event, Game, Kernels, Panel, Prompt, Target, Theme, View
from ludoteca.games.myriath import components as C
from ludoteca.games.myriath import drawing, evaluation, knowledge, notation, rules
from ludoteca.text import Words


class Myriath(Game):
    """The game of Myriath; see rules.py for its actions and its state."""
    name = 'myriath'
    version = 1
    players = range(2, 5)
    minutes = 25
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    max_turns = 4 * rules.N_PATHS * 4 + 4       # a hand each, after every tile a pass of all others, at last a pass of all
    endings = notation.ENDINGS
    hidden = False                              # hands are open, nothing is drawn by chance
    lists_turns = True
    drawn = (rules.Phase.SETUP,)
    most_words = 3
    next_first = 'lowest'
    certainty = C.CERTAINTY
    observation = knowledge.OBSERVATION
    State = rules.State
    Work = rules.Work
    kernels = Kernels(
        setup=rules.setup, legal_actions=rules.legal_actions, apply=rules.apply, scores=rules.scores, outcome=rules.outcome,
        estimate=evaluation.estimate, hide=knowledge.hide, guess=knowledge.guess, revealed=rules.revealed,
        observe=knowledge.observe, mover_view=knowledge.mover_view, random_action=rules.random_action,
        random_turn=rules.random_turn, foresee=evaluation.foresee)
    folder = str(Path(__file__).parent)
    words = Words(Path(__file__).parent)

    def action_name(self, s: Any, action: int) -> str:
        return notation.action_name(s, action)

    def action_from_name(self, s: Any, text: str) -> int:
        return notation.action_from_name(s, text)

    def to_json(self, s: Any) -> dict[str, Any]:
        return notation.to_json(s)

    def from_json(self, data: Mapping[str, Any]) -> Any:
        return notation.from_json(data)

    def events(self, before: Any, action: int, after: Any, names: Sequence[str] = (),
               colours: Sequence[str] = ()) -> tuple[Event, ...]:
        return drawing.events(self, before, action, after, names)

    def draw(self, view: View, theme: Theme = 'light') -> str:
        return drawing.draw(self, view, theme)

    def draw_symbols(self) -> str:
        return drawing.symbols()

    def emblem(self, theme: Theme = 'light', size: int = 640) -> str:
        return drawing.emblem(self, theme, size)

    def badge(self, size: int = 44) -> str:
        return drawing.badge(self, size)

    def figure(self, name: str, theme: Theme = 'light') -> str:
        return drawing.all_tiles(self, theme) if name == 'tiles' else ''

    def prompt(self, view: View) -> Prompt:
        return drawing.prompt(self, view)

    def panels(self, view: View) -> tuple[Panel, ...]:
        return drawing.panels(self, view)

    def cards(self, view: View) -> tuple[Card, ...]:
        return drawing.cards(self, view)

    def text(self, view: View) -> str:
        return drawing.text(self, view)

    def targets(self, s: Any, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
        return drawing.targets(self, s, action)

    def why_not(self, view: View, targets: Sequence[str]) -> str:
        return drawing.why_not(self, view, targets)

    def yardstick(self, s: Any) -> tuple[int, ...]:
        return evaluation.yardstick(s)


GAME = Myriath()
