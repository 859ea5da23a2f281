"""Myraclia, by Rudy Priecinsky (2020): draft elements and terraform a planet. Two to five players."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from ludoteca.game import Card, Event, Game, Kernels, Panel, Prompt, Target, Theme, View
from ludoteca.games.myraclia import components as C
from ludoteca.games.myraclia import drawing, evaluation, figures, knowledge, notation, rules
from ludoteca.games.myraclia.options import MyracliaOptions
from ludoteca.text import Words


class Myraclia(Game):
    """The game of Myraclia; see rules.py for its actions and its state."""
    name = 'myraclia'
    version = 1
    players = C.PLAYERS
    minutes = 50
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    # starting tiles; cubes, passes, turns, a token
    max_turns = C.MOST_START + C.LAST_ROUND * (max(C.DRAFT) + 2 * C.PLAYERS[-1] + 1)
    endings = notation.ENDINGS
    hidden = False                              # nobody knows what the bags will bring: no seat knows what another does not
    drawn = (rules.Phase.ARRANGE,)
    lists_turns = False                         # actions of a turn may come in any order: too many
    most_words = 5
    measures = rules.MEASURES
    slips: ClassVar[Mapping[str, float]] = {'easy': 0.1, 'medium': 0.05}        # a turn has many steps
    certainty = C.CERTAINTY
    observation = knowledge.OBSERVATION
    next_first = 'drawn'                        # the elements that are drawn say who drafts first
    options = MyracliaOptions
    State = rules.State
    Work = rules.Work
    kernels = Kernels(
        setup=rules.setup, legal_actions=rules.legal_actions, apply=rules.apply, scores=rules.scores, outcome=rules.outcome,
        estimate=evaluation.estimate, hide=knowledge.hide, guess=knowledge.guess, revealed=rules.revealed,
        observe=knowledge.observe, mover_view=knowledge.mover_view, random_action=rules.random_action,
        random_turn=rules.random_turn, foresee=evaluation.foresee, measure=rules.measure)
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
        return figures.figure(self, name, theme)

    def stage(self, s: Any) -> str:
        return self.words('stage_start') if s.phase == rules.Phase.ARRANGE else self.words('stage', round=int(s.round))

    def prompt(self, view: View) -> Prompt:
        return drawing.prompt(self, view)

    def panels(self, view: View) -> tuple[Panel, ...]:
        return drawing.panels(self, view)

    def cards(self, view: View) -> tuple[Card, ...]:
        return drawing.cards(self, view)

    def text(self, view: View) -> str:
        return drawing.text(self, view)

    def targets(self, s: Any, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
        return drawing.targets(self, s, action, colours)

    def redraft(self, s: Any, draft: Sequence[int], targets: Sequence[str]) -> tuple[int, ...] | None:
        return drawing.redraft(self, s, draft, targets)

    def why_not(self, view: View, targets: Sequence[str]) -> str:
        return drawing.why_not(self, view, targets)

    def yardstick(self, s: Any) -> tuple[int, ...]:
        return evaluation.yardstick(s)


GAME = Myraclia()
