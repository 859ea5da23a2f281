"""How good one turn was, by what its player knew then.

Each action of the turn is searched for from what the seat knew (`as_known`): twice, with two seeds, or once
where every seed gives the same. The loss of an action is the expected outcome of the best action less that of
the one played, both for the seat. A search that must begin with the action played finds the second, with as
many simulations as the first. What searches expect goes through the game's link (`review.links`), so that it
is how often it comes true. Two seeds say how far the result can be trusted; one says nothing of it.
Definitions and sources are in docs/review.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

import numpy as np

from ludoteca.game import Game, Reason, State, View, committed
from ludoteca.game.reasons import sentences
from ludoteca.kernel import Floats
from ludoteca.review.links import linked
from ludoteca.search import LEVELS, SearchResult, as_guessed, as_known, stream, think

Judgement = Literal['best', 'good', 'inaccuracy', 'mistake']

SMALL, LARGE = 0.05, 0.15
"""Losses of expected outcome from which a turn is an inaccuracy, and a mistake."""
SURE = 2.0
"""A loss counts as one if it is so many times its standard error."""
SEEDS = 2
"""With so many seeds a search is made of which the seed is a part."""


@dataclass(frozen=True)
class Judged:
    """One turn, judged. Expected outcomes are between 0 and 1, one for each seat; their sum is 1."""

    seat: int
    names: tuple[str, ...]  # of its actions
    before: tuple[float, ...]  # expected outcome if the seat plays the best it can find
    after: tuple[float, ...]  # that of the turn played, as the seat knew it: before anything was revealed
    # standard error of after - before, by seat, as far as seeds tell it: 0 where all searches are the same
    errors: tuple[float, ...]
    before_errors: tuple[float, ...]  # standard error of before, by seat, in the same way
    judgement: Judgement
    better: tuple[str, ...]  # the best turn found, as far as it can be told; () where the turn was the best
    refutation: tuple[
        str, ...
    ]  # what others answer to it, as far as it can be told; () where it lost nothing
    reasons: tuple[Reason, ...] = ()  # why the better turn is better, by what the player knew
    why: tuple[str, ...] = ()  # the heaviest of them, told to the player
    # names of actions from the beginning of the turn on, with what the search expects to follow: of the
    # better turn, and of the turn as far as it was played well, its worst action included
    better_line: tuple[str, ...] = ()
    played_line: tuple[str, ...] = ()

    @property
    def loss(self) -> float:
        """What the turn lost of its player's expected outcome; never less than 0."""
        return max(0.0, self.before[self.seat] - self.after[self.seat])

    def json(self) -> dict[str, Any]:
        """The judgement as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `json`, also after a database has read and written it. Raises KeyError or TypeError
        for other data."""
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        fields['reasons'] = tuple(
            Reason(
                one['kind'],
                one['weight'],
                dict(one['numbers']),
                tuple(one['targets']),
                dict(one['names']),
            )
            for one in data['reasons']
        )
        return cls(**fields)


def seeds_of(game: Game) -> int:
    """With how many seeds each position of the game is searched: one where nothing is left to chance and to
    secrets, since the expert plays nothing at random."""
    certain = not game.hidden and game.chance_mode == 'none' and LEVELS['expert'].settings.playout == 0
    return 1 if certain else SEEDS


def judge(
    game: Game,
    states: Sequence[State],
    actions: Sequence[int],
    seat: int,
    *,
    simulations: int,
    seed: int | str = 0,
) -> Judged:
    """Judge a turn of the seat: `actions` with the true state before each of them. Of these states only what
    the seat knew is looked at, so the answer cannot depend on anything else.

    `simulations`: of each search. The same turn, simulations and seed give the same answer. Raises GameError
    if an action is not legal, or if its seat was not to move.
    """
    known = [as_known(game, state, seat) for state in states]
    seeds = seeds_of(game)
    begins = np.zeros((seeds, int(states[0].players)))  # [seed][seat]: before the first action
    change = np.zeros_like(begins)  # what the actions changed
    worst = Worst(0.0)
    names = tuple(game.action_name(state, action) for state, action in zip(known, actions, strict=True))
    for step, (state, action) in enumerate(zip(known, actions, strict=True)):
        found, forced = list[SearchResult](), list[SearchResult | None]()
        lost = 0.0
        for half in range(seeds):
            chance = stream(f'{seed}/{step}', half)
            best = _think(game, state, seat, simulations, chance)
            best = _think(game, state, seat, simulations, chance, best.action)
            played = None
            if best.action != action:
                played = _think(game, state, seat, simulations, chance, action)
            found.append(best)
            forced.append(played)
            if step == 0:
                begins[half] = _comes_true(game, best)
            if played is not None:
                # what turns out to be as good as the best is not a gain: the best is at least as good
                gain = _comes_true(game, played) - _comes_true(game, best)
                if gain[seat] < 0:
                    change[half] += gain
                    lost -= gain[seat] / seeds
        if lost > worst.loss:
            half = next(half for half in range(seeds) if found[half].action != action)
            best, answered = found[half], forced[half]
            assert answered is not None
            own = _length_of_turn(game, state, best)
            worst = Worst(
                lost,
                (*names[:step], *best.line[:own]),
                (*actions[:step], *best.line_actions[:own]),
                answered.line[_length_of_turn(game, state, answered) :],
                (*names[:step], *best.line),
                (*names[:step], *answered.line),
            )
    mean, errors = change.mean(axis=0), _error(change)
    before = begins.mean(axis=0)
    judgement = _judgement(-float(mean[seat]), float(errors[seat]))
    reasons: tuple[Reason, ...] = ()
    if judgement != 'best':
        reasons = game.reasons(View(known[0], seat), worst.actions, [actions])
    return Judged(
        seat,
        names,
        tuple(before.tolist()),
        tuple((before + mean).tolist()),
        tuple(errors.tolist()),
        tuple(_error(begins).tolist()),
        judgement,
        () if judgement == 'best' else worst.better,
        () if judgement == 'best' else worst.reply,
        reasons,
        sentences(game.words, reasons, than='played'),
        () if judgement == 'best' else worst.better_line,
        () if judgement == 'best' else worst.played_line,
    )


def expectation(
    game: Game, state: State, seat: int, *, simulations: int, seed: int | str = 0
) -> tuple[float, ...]:
    """What each seat can expect of a position at which a seat is to move, by what that seat knows: what
    `judge` gives as `before`, with the same arguments, but without the game's link."""
    known = as_known(game, state, seat)
    found = []
    for half in range(seeds_of(game)):
        chance = stream(f'{seed}/0', half)
        best = _think(game, known, seat, simulations, chance)
        found.append(_think(game, known, seat, simulations, chance, best.action).expected)
    return tuple(np.mean(found, axis=0).tolist())


@dataclass(frozen=True)
class Worst:
    """The action of a turn that lost most: how much, the better turn (by names, and as actions), what
    follows the action, and both lines from the beginning of the turn."""

    loss: float
    better: tuple[str, ...] = ()
    actions: tuple[int, ...] = ()
    reply: tuple[str, ...] = ()
    better_line: tuple[str, ...] = ()
    played_line: tuple[str, ...] = ()


def _think(
    game: Game, state: State, seat: int, simulations: int, seed: int, only: int | None = None
) -> SearchResult:
    settings = LEVELS['expert'].settings
    return think(game, state, seat, settings=settings, simulations=simulations, seed=seed, only=only)


def _comes_true(game: Game, found: SearchResult) -> Floats:
    """What a search expects for each seat, as often as it comes true."""
    return linked(np.array(found.expected), game.link)


def _error(values: Floats) -> Floats:
    """The standard error of the mean of values with shape (seeds, seats), by seat; 0 for a single seed."""
    if len(values) == 1:
        return np.zeros(values.shape[1])
    return np.asarray(values.std(axis=0, ddof=1) / np.sqrt(len(values)))


def _judgement(loss: float, error: float) -> Judgement:
    """The word for a loss. One that its own error may explain is not held against anybody."""
    if loss <= 0.0:
        return 'best'
    if loss < SMALL or loss < SURE * error:
        return 'good'
    return 'inaccuracy' if loss < LARGE else 'mistake'


def _length_of_turn(game: Game, state: State, found: SearchResult) -> int:
    """How much of the search's main line belongs to the turn that begins or goes on at `state`, a hidden
    one."""
    at = as_guessed(game, state, found.seat)
    for k, action in enumerate(found.line_actions):
        before = at.copy()
        game.kernels.apply(at, action)
        if committed(before, at):
            return k + 1
    return len(found.line)
