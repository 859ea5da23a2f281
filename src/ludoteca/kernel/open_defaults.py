"""The kernels that a game need not write where nothing is secret: the defaults of `Kernels`
(game/contract.py).

They suit any game's state. Each is the default of the field of its name.
"""

from __future__ import annotations

from typing import Any

from ludoteca.kernel.compile import kernel
from ludoteca.kernel.random import reseed
from ludoteca.kernel.record import Floats, Ints


@kernel
def hide(s: Any, seat: int) -> None:
    """Nothing is hidden but the random generator, and that only while the game runs."""
    if s.ending == 0:
        s.rng[:] = 0


@kernel
def guess(s: Any, seat: int, seed: int, work: Any) -> None:
    """Future chance is guessed by another seed of the generator; nothing else is hidden."""
    if s.ending == 0:
        reseed(s, seed)


@kernel
def forget(s: Any, seat: int, past: int) -> None:
    """People are shown all that they know."""


@kernel
def prepare(h: Any, seat: int, work: Any) -> None:
    """Nothing can be shared between guesses."""


@kernel
def hide_action(s: Any, action: int, seat: int) -> int:
    """All actions are public."""
    return action


@kernel
def drop_future(s: Any) -> None:
    """What is drawn when it is needed comes from the generator, which is blanked. At the end nothing is left
    to decide."""
    if s.ending == 0:
        s.rng[:] = 0


@kernel
def chance(s: Any, outcomes: Ints, probabilities: Floats) -> int:
    """The state never waits."""
    return 0


@kernel
def resolve(s: Any, outcome: int) -> None:
    """Nothing is waited for."""
