"""One game being played by somebody: seats, turns, drafts, sealed choices, taking back, resigning, match
files. No I/O."""

from ludoteca.game import SPECTATOR
from ludoteca.match.log import (
    HIDDEN,
    RESIGNED,
    ActResult,
    Choice,
    DraftStep,
    LogEntry,
    LogRow,
    MatchResult,
    Notice,
    NotYourTurn,
    Request,
    Stale,
    TrueTurn,
)
from ludoteca.match.match import Match
from ludoteca.match.setup import BOT, NAME_LENGTH, PERSON, Seat, Setup, clean_name, deal_colours, draw_seats

__all__ = [
    'BOT',
    'HIDDEN',
    'NAME_LENGTH',
    'PERSON',
    'RESIGNED',
    'SPECTATOR',
    'ActResult',
    'Choice',
    'DraftStep',
    'LogEntry',
    'LogRow',
    'Match',
    'MatchResult',
    'NotYourTurn',
    'Notice',
    'Request',
    'Seat',
    'Setup',
    'Stale',
    'TrueTurn',
    'clean_name',
    'deal_colours',
    'draw_seats',
]
