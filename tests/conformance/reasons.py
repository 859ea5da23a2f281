"""What the tests of reasons share: turns drawn by lot, and one stored position for each kind of reason."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ludoteca.game import Game, Reason, State, View, first_action, load
from ludoteca.game.reasons import Kind
from ludoteca.puzzles import puzzles
from ludoteca.puzzles.turns import read_turn
from ludoteca.search import as_known
from tests.conformance.harness import Case, guessed, hidden, legal, played, random_turn

HERE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Choice:
    """A position through the eyes of the seat to move, and two turns that it could make there."""

    game: Game
    known: State  # what the seat knows
    turn: tuple[int, ...]
    other: tuple[int, ...]

    @property
    def seat(self) -> int:
        return int(self.known.to_move)

    @property
    def view(self) -> View:
        """What the seat is shown."""
        shown = self.known.copy()
        self.game.kernels.forget(shown, self.seat, 0)
        return View(shown, self.seat)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        return self.game.reasons(self.view, self.turn, [self.other])

    @property
    def alerts(self) -> tuple[Reason, ...]:
        """What the seat should notice before its turn."""
        view = self.view
        return self.game.alerts(replace(view, actions=tuple(legal(self.game, view.state))))

    def after(self, turn: tuple[int, ...], seed: int = 0) -> tuple[State, State]:
        """What may be true before a turn, and what the rules then make of it."""
        before = guessed(self.game, self.known, self.seat, seed)
        s = before.copy()
        for action in turn:
            self.game.kernels.apply(s, action)
        return before, s


def kinds_of(game: Game) -> dict[str, Kind]:
    """The kinds of reasons that a game knows."""
    kinds: dict[str, Kind] = vars(game.parts.reasons)['KINDS']
    return kinds


Proof = Callable[[Reason, Any, int], bool]
"""True if an alert is, for the seat to move of a whole position: shown by playing on."""


def prove_alerts(choices: Iterable[Choice], proofs: Mapping[str, Proof]) -> set[str]:
    """Prove every alert in two positions that may be the true one. Returns the kinds that were met."""
    met = set[str]()
    for choice in choices:
        for alert in choice.alerts:
            for seed in (0, 1):
                s = guessed(choice.game, choice.known, choice.seat, seed)
                assert proofs[alert.kind](alert, s, choice.seat), (alert, choice.game.to_json(choice.known))
            met.add(alert.kind)
    return met


def choices(case: Case, seed: int, every: int = 1) -> Iterator[Choice]:
    """Choices of a game played by chance: every so many positions two turns drawn by lot."""
    for k, s in enumerate(played(case, seed).states):
        if k % every or s.ending:
            continue
        known = s.copy()
        if s.phase in case.game.sealed:
            case.game.kernels.mover_view(known, int(s.to_move))
        else:
            known = hidden(case.game, s, int(s.to_move))
        rng = random.Random(f'{seed} {k}')
        first, second = rng.randrange(1 << 30), rng.randrange(1 << 30)
        seat = int(s.to_move)
        yield Choice(
            case.game,
            known,
            random_turn(case.game, known, seat, first),
            random_turn(case.game, known, seat, second),
        )


def bot_choices(name: str, every: int = 1) -> Iterator[Choice]:
    """Choices in games of bots, from which the puzzles are: the best turn, and one drawn by lot."""
    game = load(name)
    for puzzle in puzzles(name)[::every]:
        known = as_known(game, puzzle.known(), puzzle.seat)
        best = read_turn(game, known, puzzle.seat, puzzle.best[0]).actions
        yield Choice(game, known, tuple(best), random_turn(game, known, puzzle.seat, 1))


# ---- stored positions --------------------------------------------------------------------------------------


def path_of(name: str) -> Path:
    """Where the positions of a game are stored."""
    return HERE / name / 'reasons.json'


def names_of(choice: Choice, turn: tuple[int, ...]) -> str:
    """A turn by its names."""
    s, names = guessed(choice.game, choice.known, choice.seat, 0), list[str]()
    for action in turn:
        names.append(choice.game.action_name(s, action))
        choice.game.kernels.apply(s, action)
    return ' '.join(names)


def turn_of(game: Game, known: State, text: str) -> tuple[int, ...]:
    """The inverse of `names_of`."""
    s, turn, rest = guessed(game, known, int(known.to_move), 0), list[int](), text.split()
    while rest:
        action, _, rest = first_action(game, s, rest)
        turn.append(action)
        game.kernels.apply(s, action)
    return tuple(turn)


def stored(name: str) -> dict[str, dict[str, Any]]:
    """By kind the position, the two turns and the numbers that are stored for it."""
    found: dict[str, dict[str, Any]] = json.loads(path_of(name).read_text(encoding='utf-8'))
    return found


def stored_choices(name: str) -> list[Choice]:
    """The stored choices, one for each kind of reason."""
    return [choice_of(name, entry) for entry in stored(name).values()]


def choice_of(name: str, entry: dict[str, Any]) -> Choice:
    """A stored choice."""
    game = load(name)
    known = game.from_json(entry['position'])
    return Choice(game, known, turn_of(game, known, entry['turn']), turn_of(game, known, entry['other']))
