"""A position to play with at a Python prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

import numpy as np

from ludoteca.game.contract import SPECTATOR, Game, first_action, start
from ludoteca.game.errors import GameError
from ludoteca.game.variants import load
from ludoteca.game.view import Event, Theme, View
from ludoteca.text import words


class Position:
    """A game and a state, to play with at a Python prompt.

    `state` is the whole truth. What is drawn, written and exported (`svg`, `text`, a notebook's picture) is
    what the seat given may know, by default the seat to move.

    >>> position = new('octiles', players=2, seed=10)
    >>> position
    <Octiles, 2 players, turn 0, seat 0 to move>
    >>> 'a3:6' in position, 'a3:7' in position
    (True, False)
    >>> position.after('a3:6 A5-B4')                # `position` stays as it is
    <Octiles, 2 players, turn 1, seat 1 to move>
    """

    def __init__(self, game: Game, state: Any) -> None:
        self.game = game
        self._ending, self._phase = bytes_of(game)
        self.state = state
        self._out = np.empty(game.max_legal, np.int32)
        # the bytes of the state whose actions were last listed, and these: whoever asks for them and then
        # plays one does not have them listed twice
        self._listed_at, self._listed = b'', tuple[int, ...]()

    @property
    def state(self) -> Any:
        """The game's own record, see `contract.State`."""
        return self._state

    @state.setter
    def state(self, state: Any) -> None:
        self._state = state
        # what is asked at every step is read from the bytes: NumPy needs several times as long for a field
        memory: Any = np.frombuffer(state.data, np.uint8)
        self._memory = memoryview(memory)

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.game, self._state)

    def copy(self) -> Position:
        """An independent copy."""
        return Position(self.game, self._state.copy())

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return int(self.state.to_move)

    @property
    def ending(self) -> str:
        """'' while the game runs, else the name of its ending."""
        return self.game.endings[self.state.ending - 1] if self.state.ending else ''

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self._memory[self._ending] != 0

    @property
    def waiting(self) -> bool:
        """Does chance decide next? Only positions `without_future` ever wait."""
        return self._memory[self._phase] > 127

    def actions(self) -> list[int]:
        """The legal actions, ascending; none when the game is over or waits for chance."""
        if self.over or self.waiting:
            return []
        found: list[int] = self._out[: self.game.kernels.legal_actions(self._state, self._out)].tolist()
        self._listed_at, self._listed = bytes(self._memory), tuple(found)
        return found

    def legal(self) -> list[str]:
        """The names of the legal actions.

        >>> new('octiles', players=2, seed=10).legal()
        ['a2:2', 'a2:3', 'a2:4', 'a2:7', 'a3:1', 'a3:5', 'a3:6']
        """
        return [self.game.action_name(self.state, a) for a in self.actions()]

    def turns(self) -> list[str]:
        """The names of all complete turns. Raises GameError in games where they are too many."""
        return [] if self.over else [self.turn_name(turn) for turn in self.game.turns(self.state)]

    def turn_name(self, turn: Sequence[int]) -> str:
        """The name of a sequence of actions from here."""
        names, state = [], self.state.copy()
        for action in turn:
            names.append(self.game.action_name(state, action))
            self.game.kernels.apply(state, action)
        return ' '.join(names)

    def apply(self, action: int) -> None:
        """Play one action. Raises GameError if it is not legal, or if chance decides next."""
        if bytes(self._memory) != self._listed_at:
            if self.over:
                raise GameError(words('game.error.over'))
            self._check_not_waiting()
            self.actions()
        if not isinstance(action, (int, np.integer)) or action not in self._listed:
            raise GameError(words('game.error.not_legal', legal=some(self.legal())))
        self.game.kernels.apply(self._state, int(action))

    def play(self, text: str) -> None:
        """Play the named step, whole turn or several turns. Raises GameError and changes nothing if a step is
        not legal."""
        self.state = self.after(text).state

    def after(self, text: str) -> Position:
        """The position after the named step, whole turn or several turns; this one stays as it is. Raises
        GameError if a step is not legal."""
        trial, rest = self.copy(), text.split()
        while rest:
            if trial.over:
                raise GameError(words('game.error.over_before', name=rest[0]))
            trial._check_not_waiting()
            action, name, rest = first_action(trial.game, trial.state, rest)
            if action not in trial.actions():
                raise GameError(words('game.error.step_not_legal', name=name, legal=some(trial.legal())))
            trial.game.kernels.apply(trial.state, action)
        return trial

    # ---- chance ----------------------------------------------------------------------------------------

    def without_future(self) -> Position:
        """The same position without what chance has still to decide: it waits there from now on, with
        `waiting`, `chance` and `resolve`. Secrets of other seats stay in it; `hidden` and a guess take those
        out."""
        state = self.state.copy()
        self.game.kernels.drop_future(state)
        return Position(self.game, state)

    def chance(self) -> dict[int, float]:
        """What may come of chance, ascending, and how probable each is (1 together); nothing unless the
        position waits. `Game.outcome_names` says what the numbers mean."""
        outcomes, probabilities = np.zeros(self.game.n_outcomes, np.int32), np.zeros(self.game.n_outcomes)
        n = self.game.kernels.chance(self.state, outcomes, probabilities) if self.waiting else 0
        return dict(zip(outcomes[:n].tolist(), probabilities[:n].tolist(), strict=True))

    def resolve(self, outcome: int) -> None:
        """Go on with that outcome of chance. Raises GameError and changes nothing if the position does not
        wait, or if it is none of `chance`."""
        if not self.waiting:
            raise GameError(words('game.error.not_waiting'))
        if outcome not in self.chance():
            raise GameError(words('game.error.no_outcome', outcome=outcome, outcomes=self._outcomes()))
        self.game.kernels.resolve(self.state, outcome)

    def _outcomes(self) -> str:
        """The outcomes that are possible now, in words."""
        return some([f'{outcome} ({self.game.outcome_names[outcome]})' for outcome in self.chance()])

    def _check_not_waiting(self) -> None:
        if self.waiting:
            raise GameError(words('game.error.waiting', outcomes=self._outcomes()))

    def outcome(self) -> list[float]:
        """1 shared equally among the winners, 0 for the others; all 0 while the game runs."""
        out = np.zeros(self.game.players.stop - 1)
        self.game.kernels.outcome(self.state, out)
        return cast(list[float], out[: self.state.players].tolist())

    def scores(self) -> list[float]:
        """Points as printed."""
        out = np.zeros(self.game.players.stop - 1)
        self.game.kernels.scores(self.state, out)
        return cast(list[float], out[: self.state.players].tolist())

    def hidden(self, seat: int) -> Any:
        """A copy of the state with all that the seat (-1: a spectator) cannot know taken out. Raises
        GameError if there is no such seat."""
        self._check_seat(seat)
        state = self.state.copy()
        self.game.kernels.hide(state, seat)
        return state

    def info_state(self, seat: int | None = None) -> str:
        """What a seat (default: the seat to move) knows, as one line of text; see `Game.info_state`. Raises
        GameError if there is no such seat."""
        seat = self.to_move if seat is None else seat
        self._check_seat(seat)
        return self.game.info_state(self.state, seat)

    def _check_seat(self, seat: int) -> None:
        """Kernels look up what a seat has, and do not look whether there is such a seat."""
        last = int(self.state.players) - 1
        if not SPECTATOR <= seat <= last:
            raise GameError(words('match.error.no_seat', seat=seat, last=last))

    def view(self, seat: int | None = None, last: Sequence[Event] = ()) -> View:
        """The position through a seat's eyes (default: the seat to move; -1: a spectator). Raises GameError
        if there is no such seat."""
        seat = self.to_move if seat is None else seat
        state = self.hidden(seat)
        self.game.kernels.forget(state, seat, 0)
        return View(state, seat, tuple(self.actions()) if seat == self.to_move else (), last=tuple(last))

    def to_json(self) -> dict[str, Any]:
        """The whole position as plain data."""
        return self.game.to_json(self.state)

    def svg(self, seat: int | None = None, theme: Theme = 'light') -> str:
        """A picture for a seat (default: the seat to move; -1: a spectator). Raises GameError if there is no
        such seat."""
        return self.game.draw(self.view(seat), theme)

    def __contains__(self, text: object) -> bool:
        """Is this the name of a legal step, a whole turn, or several turns?"""
        try:
            return isinstance(text, str) and bool(text.split()) and self.after(text) is not None
        except GameError:
            return False

    def __repr__(self) -> str:
        s = self.state
        now = self.ending or f'seat {s.to_move} to move'
        return f'<{self.game.title}, {s.players} players, turn {s.turn}, {now}>'

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.game.text(self.view())


@cache
def bytes_of(game: Game) -> tuple[int, int]:
    """Where a game's records have the bytes that tell whether a game is over (not 0) and whether it waits for
    chance (above 127): the lowest of `ending`, the one with the sign of `phase`."""
    fields = game.State.DTYPE.fields
    assert fields is not None
    (_, ending, *_), (phase, place, *_) = fields['ending'], fields['phase']
    return ending, place + phase.itemsize - 1


def some(names: Sequence[str], most: int = 8) -> str:
    """The first few of many names, and how many more there are."""
    shown = ', '.join(names[:most])
    return words('game.more', names=shown, n=len(names) - most) if len(names) > most else shown


def new(
    name: str,
    players: int | None = None,
    seed: int | str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Position:
    """A game at its start. Without a seed the system's entropy is used.

    Raises GameError for an unknown game, option or number of players.

    >>> new('mykerinos', players=3, seed=1, options={'five_door': 'three'}).to_json()['options']
    {'five_door': 'three'}
    >>> new('octiles', players=5)
    Traceback (most recent call last):
        ...
    ludoteca.game.errors.GameError: Octiles is played by 2 to 4, not by 5.
    """
    game = load(name)
    return Position(game, start(game, players, seed, options))


def position(data: Any) -> Position:
    """A position from its JSON form. Raises GameError if it is incomplete or impossible.

    >>> data = new('octiles', players=2, seed=10).to_json()
    >>> position(data).to_json() == data
    True
    """
    if not isinstance(data, dict) or not isinstance(data.get('game'), str):
        raise GameError(words('game.error.not_position'))
    game = load(data['game'])
    return Position(game, game.from_json(data))
