"""What to click, and why other clicks make no action."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.game import Ghost, Target, View

from .. import rules as R
from ..rules import State
from .facts import ACTIONS, IDS, say


def targets(s: State, action: int, colours: Sequence[str] = ()) -> tuple[Target, ...]:
    """One thing to click for every action."""
    ghost = Ghost(text='+1') if action >= R.TAKE else None
    return (Target(IDS[action], ghost),)


def why_not(view: View, targets: Sequence[str]) -> str:
    """One sentence: why these targets make no action now."""
    if view.state.ending or not view.actions:
        return say('why-not.wait')
    action = ACTIONS.get(targets[-1], -1) if targets else -1
    wanted = ('bid', 'drop', 'pick')[view.state.phase]
    if wanted == 'bid' and 0 <= action < R.DROP:
        return say('why-not.coins', coins=int(view.state.coins[view.seat]))
    return say(f'why-not.{wanted}')
