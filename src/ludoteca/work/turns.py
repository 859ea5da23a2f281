"""The kind `turn`: an action of a bot.

A level that is bounded by simulations (beginner, easy, medium, hard) chooses the same action for the same
payload wherever that is done, unless the time of the turn runs out. A level that is bounded by time (expert)
searches for as long as it has time, and where it did the action before in the same process it goes on from
there; what is equal then is the position, the seed and the time.
"""

from __future__ import annotations

from ludoteca.game import Game, State, load
from ludoteca.search import LEVELS
from ludoteca.work.jobs import Conditions, Payload, Result, packed, unpacked

QUICK = ('random', 'yardstick')


def payload(game: str, state: State, seat: int, level: str, seed: int, turn: str) -> Payload:
    """`state`: hidden for the seat; `turn`: a name that all actions of this turn have in common, and no
    others."""
    return {
        'game': game,
        'state': packed(state),
        'seat': seat,
        'level': level,
        'seed': seed,
        'turn': turn,
    }


SMALL = 300
"""Simulations of a level that takes a few milliseconds. To give that away would cost the server more."""


def is_small(game: Game, players: int, level: str) -> bool:
    """Is an action of this level too little to be given away? That of somebody else's bot is not."""
    if level in LEVELS:
        return LEVELS[level].effort(game, players).simulations <= SMALL
    return level in QUICK


def choose(payload: Payload, conditions: Conditions) -> Result:
    """`{'action': number}`. Raises GameError, or whatever somebody else's bot raises."""
    game = load(payload['game'])
    bot = conditions.bots.get(payload['turn'], payload['level'])
    state = unpacked(game, payload['state'])
    return {
        'action': int(bot.choose(game, state, payload['seat'], payload['seed'], conditions.deadline)),
    }
