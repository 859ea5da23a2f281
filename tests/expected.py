"""What a game's estimates say of a position, by seat and by action."""

from __future__ import annotations

import numpy as np

from ludoteca.game import Position

UNTOUCHED = 7.0  # no expected outcome


def estimate(position: Position) -> list[float]:
    """The expected outcome of each seat."""
    out = np.full(position.game.players[-1], UNTOUCHED)
    position.game.kernels.estimate(position.state, out)
    return [float(share) for share in out[: position.state.players]]


def foresee(position: Position) -> dict[int, float]:
    """What `foresee` says of each legal action; it writes nothing behind the last one."""
    assert position.game.kernels.foresee is not None
    actions, out = position.actions(), np.full(position.game.max_legal, UNTOUCHED)
    position.game.kernels.foresee(position.state, np.array(actions, np.int32), len(actions), out)
    assert (out[len(actions) :] == UNTOUCHED).all()
    return dict(zip(actions, out.tolist(), strict=False))


def after(position: Position, action: int) -> Position:
    """The position after an action."""
    trial = position.copy()
    trial.apply(action)
    return trial
