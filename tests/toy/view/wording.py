"""What is said: the prompt, and the table in words."""

from __future__ import annotations

from ludoteca.game import Button, Prompt, View

from .. import rules as R
from ..notation import fruits
from .cards import panels
from .facts import bid_text, listed, say


def prompt(view: View) -> Prompt:
    """What the viewer has to do; the bids are buttons."""
    s = view.state
    if s.ending:
        return Prompt(say('prompt.over'))
    if not view.actions:
        return Prompt(say('prompt.wait'))
    phase = ('bidding', 'dropping', 'picking')[s.phase]
    buttons = [
        Button(f'bid-{action}', say('button.bid', coins=action), str(action))
        for action in view.actions
        if action < R.DROP
    ]
    return Prompt(say(f'prompt.{phase}'), say(f'help.{phase}'), tuple(buttons))


def text(view: View) -> str:
    """The table in words."""
    s = view.state
    lines = [say('text.market', market=listed(fruits(s.market)), bag=int(s.bag.sum()))]
    for panel in panels(view):
        mark, bid = '>' if panel.seat == s.to_move and not s.ending else ' ', bid_text(int(s.bid[panel.seat]))
        rows = [f'{row.label}: {row.value}' for row in panel.rows] + (
            [say('text.bid', coins=bid)] if bid else []
        )
        lines.append(f'{mark} {say("colour." + panel.colour)}: ' + '; '.join(rows))
    return '\n'.join(lines)
