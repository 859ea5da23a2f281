"""Myrmidons, by Néstor Romeral Andrés: two armies of blocks whose values only their owner sees. Two players."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from ludoteca.game import Card, Event, Game, Kernels, Panel, Prompt, Target, Theme, View
from ludoteca.games.myrmidons import components as C
from ludoteca.games.myrmidons import drawing, evaluation, figures, knowledge, notation, rules
from ludoteca.games.myrmidons.options import MyrmidonsOptions
from ludoteca.text import Words


class Myrmidons(Game):
    """The game of Myrmidons; see rules.py for its actions and its state."""
    name = 'myrmidons'
    version = 1
    players = range(2, 3)
    minutes = 20
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    max_turns = None                            # both rules that end a game without captures can be switched off
    endings = notation.ENDINGS
    hidden = True
    lists_turns = True
    sealed = (rules.Phase.DEPLOY,)
    arranged = (rules.Phase.DEPLOY,)
    most_words = 2
    certainty = C.CERTAINTY
    slips: ClassVar[Mapping[str, float]] = {'easy': 0.1}            # one slip can lose a game
    simulations: ClassVar[Mapping[str, int]] = {'medium': 300}
    observation = knowledge.OBSERVATION
    options = MyrmidonsOptions
    State = rules.State
    Work = rules.Work
    kernels = Kernels(
        setup=rules.setup, legal_actions=rules.legal_actions, apply=rules.apply, scores=rules.scores, outcome=rules.outcome,
        estimate=evaluation.estimate, hide=knowledge.hide, forget=knowledge.forget, prepare=knowledge.prepare,
        guess=knowledge.guess, hide_action=knowledge.hide_action, revealed=rules.revealed, observe=knowledge.observe,
        mover_view=knowledge.mover_view, random_action=rules.random_action, random_turn=rules.random_turn)
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
        return drawing.events(self, before, action, after, colours)

    def draw(self, view: View, theme: Theme = 'light') -> str:
        return drawing.draw(self, view, theme)

    def draw_symbols(self) -> str:
        return drawing.symbols()

    def emblem(self, theme: Theme = 'light', size: int = 640) -> str:
        return drawing.emblem(self, theme, size)

    def badge(self, size: int = 44) -> str:
        return drawing.badge(self, size)

    def prompt(self, view: View) -> Prompt:
        return drawing.prompt(self, view)

    def panels(self, view: View) -> tuple[Panel, ...]:
        return drawing.panels(self, view)

    def cards(self, view: View) -> tuple[Card, ...]:
        return drawing.cards(self, view)

    def pencils(self, view: View, element: str) -> tuple[str, ...]:
        return drawing.pencils(self, view, element)

    def redraft(self, s: Any, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
        return drawing.redraft(self, s, draft, targets)

    def arrange(self, s: Any, draft: Sequence[int], laid: Sequence[str],
                targets: Sequence[str]) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
        return drawing.arrange(s, draft, laid, targets)

    def text(self, view: View) -> str:
        return drawing.text(self, view)

    def targets(self, s: Any, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
        return drawing.targets(self, s, action, colours)

    def why_not(self, view: View, targets: Sequence[str]) -> str:
        return drawing.why_not(self, view, targets)

    def colours(self, players: int) -> tuple[str, ...]:
        return figures.COLOURS

    def yardstick(self, s: Any) -> tuple[int, ...]:
        return evaluation.yardstick(s)


GAME = Myrmidons()
