"""Why a turn is good: points, what it pays others, open ends, and what can be laid afterwards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludoteca.game import Reason, View
from ludoteca.game.reasons import Fact, Facts, Kind, distinguish
from ludoteca.text.players import player_word

from .. import rules as R
from ..evaluation import most_gained
from ..rules import Phase, State
from .facts import read, tile_id, tile_laid

KINDS = {
    'points': Kind(2.0),
    'pays': Kind(1.5, fewer=True),  # points of others
    'lead': Kind(1.4),  # takes the lead
    'reply': Kind(1.2, fewer=True),  # the most that the next player can get at once
    'silences': Kind(3.0),  # the next player must pass
    'open': Kind(0.5),  # points of own open ends that a tile left in some hand can reach
    'rivals_open': Kind(0.3, fewer=True),  # those of others
    'choices': Kind(0.25),  # own tiles that could be laid then
    'denies': Kind(0.2, fewer=True),  # tiles that the next player can lay
    'places': Kind(0.01),  # places where own tiles could be laid then
}
ALERTS = {
    'fits': Kind(9.0),  # few of the seat's remaining tiles have a place
    'best': Kind(1.01),  # the most points that a tile brings now
    'reply': Kind(1.0),  # the same for the next player
}
FEW = 3


def reasons(view: View, turn: Sequence[int], others: Sequence[Sequence[int]]) -> tuple[Reason, ...]:
    """Why a turn is better than the first of the others."""
    other = _facts(view.state, others[0]) if others else None
    return distinguish(KINDS, _facts(view.state, turn), other)


def alerts(view: View) -> tuple[Reason, ...]:
    """What the seat to move should notice before its turn."""
    s, seat = view.state, int(view.state.to_move)
    following = (seat + 1) % int(s.players)
    if s.phase != Phase.PLAY or view.actions == (R.PASS,):
        return ()
    fitting = {tile_laid(action) for action in view.actions}
    facts = {
        'best': Fact(_most(s, seat)),
        'reply': Fact(_most(s, following), names={'player': player_word(following, view.names)}),
    }
    if len(fitting) <= FEW and len(fitting) < len(read(s).hands[seat]):
        facts['fits'] = Fact(len(fitting))
    return distinguish(ALERTS, facts, None)


def _facts(before: State, turn: Sequence[int]) -> Facts:
    """What a turn, one action, brings to the seat to move."""
    s, seat, (action,) = before.copy(), int(before.to_move), turn
    R.apply(s, action)
    players = range(int(s.players))
    gained = [(int(s.points[k]) - int(before.points[k])) / 2 for k in players]
    led = _leads(before, seat)
    laid = _laid(before, action)
    facts = {
        'points': Fact(gained[seat], laid),
        'pays': Fact(sum(gained) - gained[seat], laid),
        'lead': Fact(int(_leads(s, seat) and not led)),
    }
    if s.ending:
        return facts
    within = [edge.seat for edges in read(s).within_reach.values() for edge in edges]
    own = _placements(s, seat)
    facts |= {
        'open': Fact(within.count(seat) / 2),
        'rivals_open': Fact((len(within) - within.count(seat)) / 2),
        'choices': Fact(len(set(map(tile_laid, own)))),
        'places': Fact(len(own)),
    }
    following = int(s.to_move)
    if s.phase == Phase.PLAY and following != seat:
        theirs = _placements(s, following)
        facts |= {
            'reply': Fact(_most(s, following)),
            'silences': Fact(int(not theirs)),
            'denies': Fact(len(set(map(tile_laid, theirs)))),
        }
    return facts


def _laid(s: State, action: int) -> tuple[str, ...]:
    """The target of a tile that an action lays, as it is called once it lies."""
    tile = tile_laid(action)
    return () if tile < 0 else (f'el:{tile_id(int(s.to_move), tile)}',)


def _leads(s: State, seat: int) -> bool:
    """Has a seat more points than every other?"""
    return all(s.points[seat] > s.points[k] for k in range(int(s.players)) if k != seat)


def _placements(s: State, seat: int) -> list[int]:
    """The tiles that a seat could lay if it were its turn in play, as actions."""
    trial, out = s.copy(), np.empty(R.MAX_LEGAL, np.int32)
    trial.to_move, trial.phase = seat, Phase.PLAY
    actions: list[int] = out[: R.legal_actions(trial, out)].tolist()
    return [action for action in actions if action != R.PASS]


def _most(s: State, seat: int) -> float:
    """The most points that a tile could bring a seat if it were its turn in play."""
    trial = s.copy()
    trial.to_move, trial.phase = seat, Phase.PLAY
    return most_gained(trial, np.empty(R.MAX_LEGAL, np.int32), np.zeros(4, np.int32)) / 2
