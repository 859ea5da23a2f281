"""What must hold of `hide`, `guess` and `hide_action`. Tests call these checks; so the mutations of `hide`,
which must fail."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Collection, Sequence
from importlib.util import find_spec
from typing import cast

from ludoteca.game import Game, Position
from tests.conformance.harness import History, difference, guessed, hidden, legal, replay, same, seats, spread
from tests.conformance.outputs import OUTPUTS

PUBLIC = ('players', 'to_move', 'turn', 'reveals', 'ending')  # the phase of a draft is the mover's alone
Alternatives = Callable[
    [Position, Sequence[int], int, int, random.Random], list[Position | tuple[Position, Sequence[int]]]
]


def check_hide(history: History, n: int) -> None:
    """In `n` positions: hide is idempotent, hides nothing at the end, leaves the mover its choices and
    everybody the public facts; without private knowledge it is the same for all."""
    game = history.game
    for s in history.sample(n):
        for seat in seats(s):
            h = hidden(game, s, seat)
            assert same(hidden(game, h, seat), h), 'hide is not idempotent'
            assert not s.ending or same(h, s), 'something is hidden at the end'
            for name in PUBLIC:
                assert h[name] == s[name], f'hide changed {name}'
            assert game.hidden or same(h, hidden(game, s, -1)), (
                'a seat knows more than others in a game declared open'
            )
            for past in range(2):
                shown = h.copy()
                game.kernels.forget(shown, seat, past)
                again = shown.copy()
                game.kernels.forget(again, seat, past)
                assert same(again, shown), 'forget is not idempotent'
                assert not s.ending or same(shown, s), 'something is forgotten at the end'
        if not s.ending:
            assert legal(game, hidden(game, s, int(s.to_move))) == legal(game, s), (
                'the mover does not see what it may do'
            )


def check_guess(history: History, n: int, plays_on: bool = True) -> None:
    """In `n` positions: a guess agrees with all that the seat knows, depends on nothing but hidden state and
    seed, and is a position that can be played on."""
    game = history.game
    for s in history.sample(n):
        for seat in seats(s):
            h = hidden(game, s, seat)
            guess = guessed(game, h, seat, 5)
            again = hidden(game, guess, seat)
            assert same(again, h), f'hide(guess(h)) differs from h in {difference(again, h)}'
            assert same(guessed(game, h, seat, 5), guess), 'two guesses of one seed differ'
            if not s.ending and seat == s.to_move:
                assert legal(game, guess) == legal(game, s)
                if plays_on:
                    check_plays_on(game, guess, random.Random(5))


def check_plays_on(game: Game, s: object, rng: random.Random, most: int = 60) -> None:
    """The game goes on from here as any other."""
    position = Position(game, s)
    while not position.over and most:
        most -= 1
        actions = position.actions()
        assert actions, 'a guess that cannot be played on'
        before = int(position.state.reveals)
        game.kernels.apply(position.state, rng.choice(actions))
        assert position.state.reveals >= before


# ---- the leak test -----------------------------------------------------------------------------------------


def find_alternatives(game: Game) -> Alternatives | None:
    """A game's `alternatives`, from the module of that name in its folder of tests/ or beside its rules, if
    any."""
    for package in (f'tests.{game.base_name}', type(game).__module__):
        if find_spec(package) and find_spec(f'{package}.alternatives'):
            return cast(Alternatives, importlib.import_module(f'{package}.alternatives').alternatives)
    return None


def alternatives_of(game: Game) -> Alternatives:
    """A game's own `alternatives`. The default is for open games: nothing but the generator is taken to be
    unknown."""
    return find_alternatives(game) or (lambda start, actions, seat, count, rng: [start] * count)


def others(history: History, seat: int, count: int, rng: random.Random) -> list[History]:
    """Games that looked to the seat exactly like this one so far, and that will go on by another chance."""
    found = []
    for other in alternatives_of(history.game)(history.start, list(history.actions), seat, count, rng):
        start, actions = (other, history.actions) if isinstance(other, Position) else other
        replayed = replay(start, tuple(actions))
        # from the start on, matches replay the same chance
        for s in replayed.states[len(actions) > 0 :]:
            if not s.ending:
                s.rng[:] = [rng.getrandbits(32) for _ in range(4)]
        found.append(replayed)
    return found


def check_leaks(history: History, outputs: Collection[str], cuts: int, count: int, rng: random.Random) -> int:
    """At `cuts` moments of the game (one is at a third of it, two are the start and the middle), for every
    seat: no output tells the truth from `count` alternatives. Returns how many were compared that differ in
    something else than chance to come."""
    moments = spread(len(history.states) - history.over, max(cuts, 3 if cuts > 1 else 4))
    return sum(
        check_leaks_after(history.until(n), outputs, count, rng)
        for n in (moments[:cuts] if cuts > 1 else moments[1:2])
    )


def check_leaks_after(past: History, outputs: Collection[str], count: int, rng: random.Random) -> int:
    """The same at the end of what has been played."""
    different = 0
    for seat in seats(past.last):
        shown = {name: OUTPUTS[name](past, seat) for name in outputs}
        for other in others(past, seat, count, rng):
            different += bool(set(difference(other.last, past.last)) - {'rng'})
            for name, expected in shown.items():
                assert OUTPUTS[name](other, seat) == expected, (
                    f'{name} tells seat {seat} after {len(past.actions)} actions what it cannot know'
                )
    return different
