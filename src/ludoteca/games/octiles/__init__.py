"""Octiles, by Dale Walton (1984): lay a tile, then run along the path that it makes. Two to four players."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoteca.game import Event, Game, Kernels, Options, Panel, Prompt, Slice, Target, Theme, View, option
from ludoteca.games.octiles import components as C
from ludoteca.games.octiles import drawing, evaluation, knowledge, notation, rules
from ludoteca.text import Words


@dataclass(frozen=True)
class OctilesOptions(Options):
    """Options of Octiles."""
    repetition: bool = option(False)            # the third occurrence of a position is a draw


class Octiles(Game):
    """The game of Octiles; see rules.py for its actions and its state."""
    name = 'octiles'
    version = 1
    players = range(2, 5)
    minutes = 30
    n_actions = rules.N_ACTIONS
    max_legal = rules.MAX_LEGAL
    max_turns = None                            # runners may go to and fro without end
    endings = notation.ENDINGS
    hidden = False                              # nobody knows the stack's order: no seat knows what another does not
    lists_turns = True
    certainty = C.CERTAINTY
    observation = (
        Slice('tiles', C.N_SPACES * C.N_TILES, 'for each space, which tile lies there'),
        Slice('rotations', C.N_SPACES * 8, 'for each space, how its tile is turned'),
        Slice('runners', 4 * C.N_POSTS, 'for each seat from the viewer on, the posts on which its runners stand'),
        Slice('sides', 4 * 4, 'for each seat from the viewer on, the side (W, N, E, S) on which it started'),
        Slice('stack', C.N_TILES, 'for each tile whose place in the stack is known, 1 on top falling to 1/18, else 0'),
        Slice('to_move', 4, 'the seat to move, counted from the viewer'),
        Slice('laid', 1 + C.N_SPACES, 'whether a tile has been laid in this turn, and where'),
        Slice('passes', 1, 'passes in a row, divided by the number of players'),
    )
    options = OctilesOptions
    State = rules.State
    Work = rules.Work
    kernels = Kernels(
        setup=rules.setup, legal_actions=rules.legal_actions, apply=rules.apply, scores=rules.scores, outcome=rules.outcome,
        estimate=evaluation.estimate, hide=knowledge.hide, guess=knowledge.guess, revealed=rules.revealed,
        observe=knowledge.observe, mover_view=knowledge.mover_view, random_action=rules.random_action,
        random_turn=rules.random_turn)
    perft_weight = staticmethod(rules.equal_rotations)
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
        return drawing.events(self, before, action, after)

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

    def text(self, view: View) -> str:
        return drawing.text(self, view)

    def targets(self, s: Any, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
        return drawing.targets(self, s, action, colours)

    def why_not(self, view: View, targets: Sequence[str]) -> str:
        return drawing.why_not(self, view, targets)

    def colours(self, players: int) -> tuple[str, ...]:
        return tuple(C.COLOURS[C.SIDES[side]] for side in C.SIDE_OF_SEAT[players])

    def yardstick(self, s: Any) -> tuple[int, ...]:
        return evaluation.yardstick(s)


GAME = Octiles()
