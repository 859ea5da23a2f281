"""Many games of one kind side by side, for learners: one compiled call plays a step in all of them.

    from ludoteca.batch import Env
    env = Env('octiles', 1024, seed=1)
    step = env.reset()
    while learning:
        step = env.step(policy(step.obs, step.mask, step.to_move))

A game that is over begins anew in the same step, so that there is always something to choose everywhere.
Observations are made from what the seat to move knows, and from nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludoteca.game import Game, GameError, Position, load, some
from ludoteca.kernel import Array, Floats, Ints, bind_templates, mix, seed_number
from ludoteca.text import words

__all__ = ['MOST_TURNS', 'BatchStep', 'Env', 'reward']

MOST_TURNS = 5_000
"""Finished turns after which a game is broken off, unless another number is given."""

FORMAT = b'ludoteca batch 1\n'
"""What saved batches begin with; a digest, a line of JSON and the games follow."""
DIGEST = 32  # bytes

BEGIN, PLAY, LOOK = range(3)
"""What `play_batch` does first: set every game up, play an action in each, or nothing."""


# Names that every game provides; `kernels` puts the game's own functions in their place.
# ruff: noqa: F821
setup: Callable[..., None]
apply: Callable[..., None]
legal_actions: Callable[..., int]
outcome: Callable[..., None]
hide: Callable[..., None]
mover_view: Callable[..., None]
observe: Callable[..., None]
SEALED: int  # sealed phases, a bit each
FROM_GAME = ('setup', 'apply', 'legal_actions', 'outcome', 'hide', 'mover_view', 'observe')


class BatchStep(NamedTuple):
    """What a step brought, a row for each game. The arrays belong to the batch: the next step writes over
    them."""

    obs: npt.NDArray[np.float32]  # (n, observation size): from -1 to 1, as the seat to move sees it
    mask: npt.NDArray[np.bool_]  # (n, number of actions): True for each legal one
    legal: npt.NDArray[np.int32]  # (n, longest list): the legal actions, ascending; then -1
    n_legal: npt.NDArray[np.int32]  # (n,): how many
    to_move: npt.NDArray[np.int32]  # (n,): whose turn it is, a seat
    reward: npt.NDArray[np.float32]  # (n, players): of all seats; 0 but for games that this step has finished
    # (n,): did this step end the game? Then all above `reward` is of the next one already
    done: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]  # (n,): was it broken off, after too many turns?
    # (n, observation size), to be read where `done`: the last position of the game as the seat sees it that
    # has just played
    final_obs: npt.NDArray[np.float32]


def reward(share: float, players: int) -> float:
    """What a seat gets for its share of the win (1 shared equally among the winners): 1 for a sole winner, -1
    shared among the others, 0 if all share. The rewards of all seats add up to 0."""
    return (players * share - 1) / (players - 1)


# ---- the kernel --------------------------------------------------------------------------------------------


def find_illegal(actions: Array, allowed: Array, n_allowed: Array) -> int:
    """Template: the first game whose action (int64[n]) is not among its legal ones, or -1."""
    for i in range(len(actions)):
        low, high = 0, int(n_allowed[i])
        while low < high:
            middle = (low + high) >> 1
            if allowed[i, middle] < actions[i]:
                low = middle + 1
            else:
                high = middle
        if low == n_allowed[i] or allowed[i, low] != actions[i]:
            return i
    return -1


def observe_as(s: Any, seat: int, h: Any, out: Array) -> None:
    """Template: a state `h`, of the same bytes as `s`, as a seat observes it that is to choose in `s`."""
    if s.ending == 0 and SEALED >> int(s.phase) & 1:
        mover_view(h, seat)
    else:
        hide(h, seat)
    observe(h, seat, out)


class Games(NamedTuple):
    """The games of a batch, a row each, and how they are set up."""

    states: Array
    numbers: Array  # int64[n]: games that each row has finished
    actions: Array  # int64[n]: what is to be played
    # int32[n, longest list] and int32[n]: the batch's own `legal` and `n_legal`. Not even a caller who writes
    # into those of `BatchStep` has other actions played
    allowed: Ints
    n_allowed: Ints
    players: int
    options: Ints
    seed: int
    most_turns: int


class BatchScratch(NamedTuple):
    """What one thread needs."""

    states: Array  # [0] stays blank, [1] is written over
    words: Array  # int64[4]
    value: Floats  # by seat

    @classmethod
    def new(cls, game: Game) -> BatchScratch:
        """Memory for a thread."""
        return cls(game.State.array(2), np.zeros(4, np.int64), np.zeros(game.players.stop - 1))


def set_up_row(games: Games, scratch: BatchScratch, i: int) -> None:
    """Template: set a row's next game up. A row's games follow from the seed and the row, however many rows
    there are."""
    words = scratch.words
    low, high = mix(games.seed, 2 * i), mix(games.seed, 2 * i + 1)
    own = low | (high & 0x7FFFFFFF) << 32
    for k in range(4):
        words[k] = mix(own, 4 * int(games.numbers[i]) + k)
    words[3] |= 0x80000000  # `seed_words` takes such a seed as it is
    games.states[i] = scratch.states[0]
    setup(games.states[i], games.players, games.options, words)


def list_actions(games: Games, step: BatchStep, i: int) -> None:
    """Template: what is legal in a row, as a list and as a mask."""
    allowed, before = games.allowed, int(games.n_allowed[i])
    masked = step.mask.shape[1] > 0
    if masked:
        for k in range(before):
            step.mask[i, allowed[i, k]] = False
    count = legal_actions(games.states[i], allowed[i])
    games.n_allowed[i] = count
    step.n_legal[i] = count
    for k in range(count):
        step.legal[i, k] = allowed[i, k]
    for k in range(count, before):
        step.legal[i, k] = -1
    if masked:
        for k in range(count):
            step.mask[i, allowed[i, k]] = True


def play_batch(
    games: Games, step: BatchStep, scratch: BatchScratch, first: int, last: int, what: int
) -> None:
    """Template: a step in the games `first` .. `last` - 1; `what` is BEGIN, PLAY or LOOK. Observations and
    the mask may have no columns, and then they are left out. Actions must be legal."""
    states, numbers, players, value = games.states, games.numbers, games.players, scratch.value
    observed = step.obs.shape[1] > 0
    for i in range(first, last):
        s = states[i]
        begins = what == BEGIN
        step.done[i] = False
        step.truncated[i] = False
        for p in range(players):
            step.reward[i, p] = 0.0
        if what == BEGIN:
            numbers[i] = 0
        elif what == PLAY:
            seat = int(s.to_move)
            apply(s, int(games.actions[i]))
            if s.ending != 0 or s.turn >= games.most_turns:
                begins = True
                step.done[i] = True
                step.truncated[i] = s.ending == 0
                if s.ending != 0:
                    outcome(s, value)
                    for p in range(players):
                        step.reward[i, p] = reward(value[p], players)
                if observed:
                    scratch.states[1] = states[i]
                    observe_as(s, seat, scratch.states[1], step.final_obs[i])
                numbers[i] += 1
        if begins:
            set_up_row(games, scratch, i)
        step.to_move[i] = s.to_move
        list_actions(games, step, i)
        if observed:
            scratch.states[1] = states[i]
            observe_as(s, int(s.to_move), scratch.states[1], step.obs[i])


TEMPLATES = (find_illegal, reward, observe_as, set_up_row, list_actions, play_batch)


@cache
def kernels(game: Game) -> SimpleNamespace:
    """`find_illegal` and `play_batch` compiled for a game, as attributes."""
    names = {name: getattr(game.kernels, name) for name in FROM_GAME}
    names['SEALED'] = sum(1 << int(phase) for phase in game.sealed)
    return bind_templates(TEMPLATES, names, game.name, Path(game.home))


# ---- the batch ---------------------------------------------------------------------------------------------


class Env:
    """`n` games of one kind. One thread at a time may use it.

    Row `i` plays one game after another. They follow from the seed and `i`: the same ones whatever `n` and
    the number of threads. `seed_of(i)` is the seed of the game that a row is at.
    """

    def __init__(
        self,
        game: str,
        n: int,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        seed: int | str = 0,
        threads: int = 1,
        *,
        observe: bool = True,
        masks: bool = True,
        max_turns: int = MOST_TURNS,
    ) -> None:
        """Set `n` games up. `options`: those of the game by their names. Without `observe` and `masks`
        observations and masks are left out, and have no columns: steps are faster then. Raises GameError for
        an unknown game or option, and for numbers that are impossible."""
        self.game = load(game)
        self.players, self.options = self.game.checked(players, options)
        for name, number in (('n', n), ('threads', threads), ('max_turns', max_turns)):
            if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
                raise GameError(words('batch.error.number', name=name, number=number))
        self.n, self.seed, self.threads, self.max_turns = int(n), seed, int(min(threads, n)), int(max_turns)
        self._games = Games(
            states=self.game.State.array(self.n),
            numbers=np.zeros(self.n, np.int64),
            actions=np.zeros(self.n, np.int64),
            allowed=np.zeros((self.n, self.game.max_legal), np.int32),
            n_allowed=np.zeros(self.n, np.int32),
            players=self.players,
            options=self.options.encode(),
            seed=seed_number(seed),
            most_turns=self.max_turns,
        )
        seen, choices = self.game.observation_size * observe, self.game.n_actions * masks
        self._step = BatchStep(
            obs=np.zeros((self.n, seen), np.float32),
            mask=np.zeros((self.n, choices), np.bool_),
            legal=np.full((self.n, self.game.max_legal), -1, np.int32),
            n_legal=np.zeros(self.n, np.int32),
            to_move=np.zeros(self.n, np.int32),
            reward=np.zeros((self.n, self.players), np.float32),
            done=np.zeros(self.n, np.bool_),
            truncated=np.zeros(self.n, np.bool_),
            final_obs=np.zeros((self.n, seen), np.float32),
        )
        self._kernels = kernels(self.game)
        self._scratch = [BatchScratch.new(self.game) for _ in range(self.threads)]
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self._piece(0, 0, 0, LOOK)  # nothing to play: this only loads or compiles, where Ctrl-C is heard
        self.reset()

    def reset(self) -> BatchStep:
        """Begin in every row with its first game."""
        for array in self._step:
            array.fill(0)
        self._step.legal.fill(-1)
        return self._run(BEGIN)

    def step(self, actions: npt.ArrayLike) -> BatchStep:
        """Play an action in every game, whole numbers of shape (n,).

        Returns the arrays that `reset` has returned, written anew. Raises GameError if one of the actions is
        not legal; then none is played.
        """
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in 'iu':
            raise GameError(words('batch.error.actions', n=self.n, shape=given.shape, dtype=given.dtype))
        games = self._games
        games.actions[:] = given  # nobody writes into it between the check and the play
        if (i := self._kernels.find_illegal(games.actions, games.allowed, games.n_allowed)) >= 0:
            position = self.position(i)
            legal = [
                f'{action} ({name})'
                for action, name in zip(position.actions(), position.legal(), strict=True)
            ]
            raise GameError(words('batch.error.not_legal', action=given[i], i=i, legal=some(legal)))
        return self._run(PLAY)

    def _run(self, what: int) -> BatchStep:
        """A step in all rows, in as many pieces as there are threads."""
        cuts = [self.n * k // self.threads for k in range(self.threads + 1)]
        others: list[Future[None]] = []
        try:
            if self._pool is not None:
                others = [
                    self._pool.submit(self._piece, k, cuts[k], cuts[k + 1], what)
                    for k in range(1, self.threads)
                ]
            self._piece(0, 0, cuts[1], what)
        finally:
            for other in others:  # Ctrl-C is heard when all have played
                other.result()
        return self._step

    def _piece(self, k: int, first: int, last: int, what: int) -> None:
        """What thread `k` does: the rows `first` .. `last` - 1."""
        self._kernels.play_batch(self._games, self._step, self._scratch[k], first, last, what)

    def seed_of(self, i: int) -> int:
        """The seed of the game that row `i` is at: `ludoteca.new(game, players, seed, options)` begins the
        same one. It tells all secrets of the game. Raises GameError if there is no such row."""
        number = int(self._games.numbers[self._row(i)])
        own = mix(self._games.seed, 2 * i) | (mix(self._games.seed, 2 * i + 1) & 0x7FFFFFFF) << 32
        parts = [mix(own, 4 * number + k) for k in range(4)]
        return sum(part << 32 * k for k, part in enumerate(parts)) | 1 << 127

    def position(self, i: int) -> Position:
        """A copy of row `i`'s position, to look at or to search in. Its state is the whole truth. Raises
        GameError if there is no such row."""
        return Position(self.game, self._games.states[self._row(i)].copy())

    @property
    def states(self) -> npt.NDArray[Any]:
        """All positions as records, shape (n,), read-only: the whole truth. The next step writes over
        them."""
        seen = self._games.states[:]
        seen.setflags(write=False)
        return seen

    def _row(self, i: int) -> int:
        if not 0 <= i < self.n:
            raise GameError(words('batch.error.row', i=i, last=self.n - 1))
        return i

    # ---- saved batches -------------------------------------------------------------------------------------

    def _facts(self) -> dict[str, Any]:
        """What a saved batch and the one that loads it must have in common."""
        return {
            'game': self.game.name,
            'version': self.game.version,
            'record': hashlib.blake2b(repr(self.game.State.DTYPE.descr).encode(), digest_size=8).hexdigest(),
            'n': self.n,
            'players': self.players,
            'options': self._games.options.tolist(),
            'seed': str(self.seed),
            'max_turns': int(self.max_turns),
        }

    def save(self) -> bytes:
        """All games as they stand, the truth about their secrets included. Load what you have saved yourself:
        bytes that somebody has forged could hold impossible positions."""
        facts = json.dumps(self._facts()).encode() + b'\n'
        body = facts + self._games.numbers.tobytes() + self._games.states.tobytes()
        return FORMAT + hashlib.blake2b(body, digest_size=DIGEST).digest() + body

    def load(self, data: bytes) -> BatchStep:
        """Go on from saved games, with whatever number of threads. Rewards and ends of the step before are
        not saved: they are 0 and False. Raises GameError, and changes nothing, if the bytes are damaged or
        those of another batch."""
        body = data[len(FORMAT) + DIGEST :]
        if data[: len(FORMAT) + DIGEST] != FORMAT + hashlib.blake2b(body, digest_size=DIGEST).digest():
            raise GameError(words('batch.error.damaged'))
        line, _, rest = body.partition(b'\n')
        there = json.loads(line)
        for key, value in self._facts().items():
            if there[key] != value:
                raise GameError(words('batch.error.other', key=key, there=there[key], here=value))
        self._games.numbers[:] = np.frombuffer(rest, np.int64, self.n)
        self._games.states[:] = np.frombuffer(rest, self.game.State.DTYPE, self.n, self._games.numbers.nbytes)
        self._step.final_obs.fill(0)
        return self._run(LOOK)
