"""Mykerinos, by Nicolas Oury (2006): dig for majorities, win patrons, fill the museum. Two to four players."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludoteca.game import Card, Event, Game, Kernels, Panel, Prompt, Target, Theme, View
from ludoteca.games.mykerinos import components as C
from ludoteca.games.mykerinos import drawing, evaluation, figures, knowledge, notation, rules
from ludoteca.games.mykerinos.options import MykerinosOptions
from ludoteca.text import Words


class Mykerinos(Game):
    """The game of Mykerinos; see rules.py for its actions and its state."""
    name = 'mykerinos'
    version = 1
    players = range(2, 5)
    minutes = 60
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    # a cube a turn and a pass in every season; five claims an area
    max_turns = 4 * C.N_SEASONS * (C.N_CUBES + 1) + 5 * sum(C.TILES_OF_SEASON) // 2
    endings = notation.ENDINGS
    hidden = False                              # nobody knows what the next seasons bring: no seat knows what another does not
    lists_turns = False                         # an own move and a neutral one: thousands of pairs
    most_words = 3
    certainty = C.CERTAINTY
    observation = knowledge.OBSERVATION
    options = MykerinosOptions
    State = rules.State
    Work = rules.Work
    kernels = Kernels(
        setup=rules.setup, legal_actions=rules.legal_actions, apply=rules.apply, scores=rules.scores, outcome=rules.outcome,
        estimate=evaluation.estimate, hide=knowledge.hide, guess=knowledge.guess, revealed=rules.revealed,
        observe=knowledge.observe, mover_view=knowledge.mover_view, random_action=rules.random_action,
        random_turn=rules.random_turn)
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
        return self.words('stage', season=int(s.season) + 1, of=C.N_SEASONS)

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

    def why_not(self, view: View, targets: Sequence[str]) -> str:
        return drawing.why_not(self, view, targets)

    def yardstick(self, s: Any) -> tuple[int, ...]:
        return evaluation.yardstick(s)


GAME = Mykerinos()
