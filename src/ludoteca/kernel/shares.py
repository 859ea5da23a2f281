"""Shares of a win: the true ones at the end of a game, and the expected ones before it."""

from __future__ import annotations

from math import exp

from ludoteca.kernel.compile import kernel
from ludoteca.kernel.record import Floats


@kernel
def share_win(players: int, out: Floats) -> None:
    """Turn standings out[:players] into an outcome: 1 shared equally among the seats with the highest one, 0
    for the others."""
    best, winners = out[0], 0
    for seat in range(players):
        if out[seat] > best:
            best, winners = out[seat], 0
        winners += int(out[seat] == best)
    for seat in range(players):
        out[seat] = 1.0 / winners if out[seat] == best else 0.0


@kernel
def share_out(players: int, counts: float, worth: Floats, out: Floats) -> None:
    """Expected outcomes out[:players]: the softmax of `counts` * worth[:players], where `worth` is in points.
    `worth` and `out` may be the same array."""
    most, total = -1e300, 0.0
    for seat in range(players):
        most = max(most, worth[seat])
    for seat in range(players):
        out[seat] = exp(counts * (worth[seat] - most))
        total += out[seat]
    for seat in range(players):
        out[seat] /= total
