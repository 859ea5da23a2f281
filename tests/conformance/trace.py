"""A game's whole behaviour as hashes, to compare compiled with interpreted kernels.

python -m tests.conformance.trace toy 3       one line for every configuration, seeds 0..2
"""

from __future__ import annotations

import hashlib
import random
import sys

import numpy as np

from ludoteca import game as contract
from tests.conformance.harness import Case, cases, figures, guessed, hidden, legal, observation, shares
from tests.width import width

MOST = 240  # actions of a game


def trace(case: Case, seed: int) -> tuple[str, int]:
    """The hash of all that the kernels answer along a game, and the number of its actions. Narrow, all but
    the state and the list of actions is asked for at every second position only; with other than the usual
    options at every sixth position of the first 60 actions."""
    game, digest, rng = case.game, hashlib.blake2b(digest_size=12), random.Random(f'{case} {seed}')
    s, work, turn, n = case.start(seed).state, game.Work.new(), np.zeros(256, np.int32), 0
    every, most = (width(6, 1), width(60, MOST)) if case.options.changed() else (width(2, 1), MOST)

    def note(state: object) -> None:
        digest.update(repr([state[name].tolist() for name in state.dtype.names]).encode())  # type: ignore[attr-defined, index]

    while True:
        note(s)
        if n % every == 0 or s.ending:
            digest.update(game.canonical(s).encode())
            for kernel in ('scores', 'outcome', 'estimate'):
                digest.update(np.round(shares(game, kernel, s), 9).tobytes())
        if s.ending:
            digest.update(np.round(figures(game, s), 9).tobytes())
        if s.ending or n == most:
            return digest.hexdigest(), n
        actions, seat = legal(game, s), rng.randrange(-1, case.players)
        digest.update(repr(actions).encode())
        if n % every == 0:
            note(h := hidden(game, s, seat))
        if n % (4 * every) == 0:
            note(guessed(game, h, seat, n))
            digest.update(observation(game, s, max(seat, 0)).tobytes())
            copy = s.copy()
            digest.update(
                repr(
                    [
                        int(game.kernels.random_action(copy, work)),
                        turn[: game.kernels.random_turn(copy, work, turn)].tolist(),
                    ]
                ).encode()
            )
            if game.kernels.foresee is not None:
                worth = np.zeros(game.max_legal)
                game.kernels.foresee(s.copy(), np.array(actions, np.int32), len(actions), worth)
                digest.update(np.round(worth, 9).tobytes())
            if s.phase in game.sealed:
                game.kernels.mover_view(copy, max(seat, 0))
                note(copy)
        action = rng.choice(actions)
        digest.update(bytes([int(game.kernels.hide_action(s, action, seat)) & 255]))
        game.kernels.apply(s, action)
        digest.update(bytes([int(game.kernels.revealed(s)) & 255]))
        n += 1


def lines(name: str, seeds: int) -> list[str]:
    """For every configuration of a game and every seed (one with options): the configuration, the seed, the
    number of actions, the hash."""
    return [
        f'{case} {seed} {n} {found}'
        for case in cases(name)
        for seed in range(1 if case.options.changed() else seeds)
        for found, n in [trace(case, seed)]
    ]


if __name__ == '__main__':
    if sys.argv[1] == 'toy':
        from tests.toy import GAME

        contract.add(GAME)
    print('\n'.join(lines(sys.argv[1], int(sys.argv[2]))))
