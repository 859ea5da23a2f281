"""What the conformance suite plays with: configurations of games, games played by chance, and what a sentence
is."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from ludoteca import game as contract
from ludoteca.game import Game, Options, Position, State
from ludoteca.kernel import Array, Ints
from tests.width import WIDTH

LONGEST = 1200  # actions after which a game that knows no end is left


@dataclass(frozen=True)
class Case:
    """One configuration of a game."""

    name: str
    players: int
    options: Options

    @cached_property
    def game(self) -> Game:
        return contract.load(self.name)

    @property
    def narrow(self) -> bool:
        """Is it one of those that the narrow tests run for?"""
        return self in configurations(self.name, 'narrow')

    def __str__(self) -> str:
        return '-'.join(
            [
                self.name,
                str(self.players),
                *(f'{key}={value}' for key, value in self.options.changed().items()),
            ]
        )

    def start(self, seed: int) -> Position:
        return Position(self.game, contract.start(self.game, self.players, seed, self.options))


@dataclass(frozen=True)
class History:
    """A game that was played: `states[0]` is its start, `actions[i]` led from `states[i]` to `states[i +
    1]`."""

    game: Game
    states: tuple[State, ...]
    actions: tuple[int, ...]
    # what was derived from it, by whoever did
    memory: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def last(self) -> State:
        return self.states[-1]

    @property
    def over(self) -> bool:
        return bool(self.last.ending)

    @property
    def start(self) -> Position:
        return Position(self.game, self.states[0].copy())

    def until(self, n: int) -> History:
        """The first `n` actions."""
        return History(self.game, self.states[: n + 1], self.actions[:n])

    def steps(self) -> Iterator[tuple[State, int, State]]:
        """(before, action, after) of every action."""
        return zip(self.states, self.actions, self.states[1:], strict=False)

    def sample(self, n: int) -> tuple[State, ...]:
        """`n` positions evenly spread over the game, first and last among them."""
        return tuple(self.states[k] for k in spread(len(self.states), n))


def spread(length: int, n: int) -> list[int]:
    """At most `n` different numbers of range(length), evenly spread, first and last among them."""
    return sorted({round(k * (length - 1) / max(1, n - 1)) for k in range(n)})


# ---- configurations ----------------------------------------------------------------------------------------


def combinations(game: Game) -> list[Options]:
    """The defaults and every option changed alone, then every pair of options changed together."""
    values = game.options.values()
    changes = [(name, value) for name, allowed in values.items() for value in allowed[1:]]
    pairs = [pair for pair in itertools.combinations(changes, 2) if pair[0][0] != pair[1][0]]
    return [game.options.read(dict(chosen)) for chosen in ((), *((change,) for change in changes), *pairs)]


@cache
def configurations(name: str, width: str) -> tuple[Case, ...]:
    """Configurations of a game that its rules allow. Wide: defaults for any number of players, single options
    for two numbers each, pairs of options for one, in turn. Narrow, of these: defaults for the fewest and the
    most players, every value of an option once, in a pair only where it does not go alone. Least: defaults
    for the fewest players."""
    game, found, seen = contract.load(name), list[Case](), set[tuple[str, str]]()
    for k, options in enumerate(combinations(game)):
        allowed = [
            Case(name, players, options) for players in game.players if options.problem(players) is None
        ]
        changed = {(key, str(value)) for key, value in options.changed().items()}
        if not changed:
            found += {'least': allowed[:1], 'narrow': allowed[:: max(1, len(allowed) - 1)]}.get(
                width, allowed
            )
        elif allowed:
            wanted = {'least': 0, 'narrow': int(not changed <= seen)}.get(
                width, 2 if len(changed) == 1 else 1
            )
            wanted = min(wanted, len(allowed))
            found += [allowed[(k + j * (len(allowed) // wanted)) % len(allowed)] for j in range(wanted)]
            seen |= changed
    return tuple(found)


def cases(name: str) -> tuple[Case, ...]:
    """The configurations that the tests run for."""
    return configurations(name, WIDTH)


def replay(start: Position, actions: tuple[int, ...]) -> History:
    """The history of these actions; every one must be legal."""
    position, states = start.copy(), [start.state.copy()]
    for action in actions:
        assert action in position.actions(), f'{action} is not legal after {len(states) - 1} actions'
        position.game.kernels.apply(position.state, action)
        states.append(position.state.copy())
    return History(start.game, tuple(states), actions)


@cache
def played(case: Case, seed: int) -> History:
    """A game of which every action was drawn from the list of legal ones."""
    position, rng = case.start(seed), random.Random(f'{case} {seed}')
    states, actions = [position.state.copy()], list[int]()
    while not position.over and len(actions) < LONGEST:
        actions.append(rng.choice(position.actions()))
        position.game.kernels.apply(position.state, actions[-1])
        states.append(position.state.copy())
    return History(case.game, tuple(states), tuple(actions))


# ---- kernels from Python -----------------------------------------------------------------------------------


def legal(game: Game, s: State) -> list[int]:
    """The legal actions."""
    out: Ints = np.full(game.max_legal, -1, np.int32)
    n = game.kernels.legal_actions(s, out)
    return [int(action) for action in out[:n]]


def after(game: Game, s: State, action: int) -> Any:
    """A copy of `s` in which `action` was played."""
    copy = s.copy()
    game.kernels.apply(copy, action)
    return copy


def hidden(game: Game, s: State, seat: int) -> Any:
    """A copy of `s` with what the seat does not know taken out."""
    copy = s.copy()
    game.kernels.hide(copy, seat)
    return copy


def guessed(game: Game, h: State, seat: int, seed: int) -> Any:
    """A copy of the hidden `h` with its holes filled. The scratch record is full of rubbish before."""
    work, copy = np.frombuffer(bytearray(b'Z' * game.Work.DTYPE.itemsize), game.Work.DTYPE)[0], h.copy()
    game.kernels.prepare(copy, seat, work)
    game.kernels.guess(copy, seat, seed, work)
    return copy


def random_turn(game: Game, known: State, seat: int, seed: int) -> tuple[int, ...]:
    """A turn that a seat can make as far as it knows, drawn action by action; it ends where it is
    committed."""
    rng, turn = random.Random(seed), list[int]()
    s = guessed(game, known, seat, 0)
    while True:
        before, turn = s.copy(), [*turn, rng.choice(legal(game, hidden(game, s, seat)))]
        game.kernels.apply(s, turn[-1])
        if contract.committed(before, s):
            return tuple(turn)


def shares(game: Game, kernel: str, s: State) -> Array:
    """What `scores`, `outcome` or `estimate` writes for the seats that are taken; what it leaves in the
    others means nothing."""
    out = np.full(game.players.stop - 1, np.nan)
    getattr(game.kernels, kernel)(s, out)
    return out[: s.players]


def figures(game: Game, s: State) -> Array:
    """What a game measures when it is over, a row for each seat; nan where nothing was written."""
    out = np.full((int(s.players), len(game.measures)), np.nan)
    if game.kernels.measure is not None:
        for seat in range(s.players):
            game.kernels.measure(s, seat, out[seat])
    return out


def observation(game: Game, s: State, seat: int) -> Array:
    """What a seat observes of a true state."""
    out = np.full(game.observation_size, np.nan, np.float32)
    game.kernels.observe(hidden(game, s, seat), seat, out)
    return out


def seats(s: State) -> range:
    """All seats and the spectator."""
    return range(-1, int(s.players))


def same(a: State, b: State) -> bool:
    """Are all fields of two records equal? (Their padding is nobody's business.)"""
    return a.tobytes() == b.tobytes() or difference(a, b) == []


def difference(a: State, b: State) -> list[str]:
    """The names of the fields in which two records differ."""
    return [name for name in a.dtype.names if not np.array_equal(a[name], b[name])]


# ---- sentences ---------------------------------------------------------------------------------------------


def is_sentence(text: str) -> bool:
    """One sentence for a person: a line that ends with a full stop (the only one that a blank follows), and
    no Python in it."""
    quoted = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "'x'", text)
    return (
        0 < len(text) <= 500
        and '\n' not in text
        and text.endswith('.')
        and not re.search(r'(?<!\.)[.!?]\s+[A-Z]', quoted)
        and not re.search(r'^[a-z]', quoted)
        and not re.search(r'Traceback|object at 0x|<class|numpy|np\.|Error\b', quoted)
    )
