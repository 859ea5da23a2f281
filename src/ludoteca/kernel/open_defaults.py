"""What a game need not write where nothing is secret. Everything here suits any game's state.

`forget`, `prepare` and `hide_action` are the defaults of `Kernels` (game/contract.py). The others have no default, because
one that hid nothing would leak; an open game in which only the generator of chance is unknown asks for them by name:
`Kernels.of(rules, open_defaults)`.
"""
from __future__ import annotations

from typing import Any

from ludoteca.kernel.compile import kernel
from ludoteca.kernel.random import reseed


@kernel
def forget(s: Any, seat: int, past: int) -> None:
    """People are shown all that they can know."""


@kernel
def prepare(h: Any, seat: int, work: Any) -> None:
    """Nothing can be shared between guesses."""


@kernel
def hide_action(s: Any, action: int, seat: int) -> int:
    """All actions are public."""
    return action


@kernel
def hide(s: Any, seat: int) -> None:
    """Nobody knows the generator while the game runs; all else is open."""
    if s.ending == 0:
        reseed(s, 0)


@kernel
def mover_view(s: Any, seat: int) -> None:
    """No phase is sealed: nobody chooses in secret."""
    hide(s, seat)


@kernel
def guess(s: Any, seat: int, seed: int, work: Any) -> None:
    """Nothing but the generator is to be guessed."""
    if s.ending == 0:
        reseed(s, seed)


@kernel
def revealed(s: Any) -> int:
    """Nothing ever comes to light."""
    return 0
