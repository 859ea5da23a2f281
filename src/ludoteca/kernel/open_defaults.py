"""What a game need not write where nothing is secret: the defaults of `Kernels` (game/contract.py). They suit any game's state.

Each is the default of the field of its name. Cached searches know this file and not the contract, so change them here.
"""
from __future__ import annotations

from typing import Any

from ludoteca.kernel.compile import kernel


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
