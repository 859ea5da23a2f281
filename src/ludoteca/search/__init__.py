"""The one tree search of all games, the levels of bots, and the pool in which they think."""

from ludoteca.search.bots import Bot, SearchBot, bot_names, make_bot
from ludoteca.search.forest import Forest
from ludoteca.search.known import as_guessed, as_known
from ludoteca.search.levels import FROZEN, LEVELS, BotLevel, SearchSettings, offered, offered_instead
from ludoteca.search.pool import Pool, cores
from ludoteca.search.thinking import SearchResult, stopped_by, stream, think
from ludoteca.search.turn_memory import TurnMemory

__all__ = [
    'FROZEN',
    'LEVELS',
    'Bot',
    'BotLevel',
    'Forest',
    'Pool',
    'SearchBot',
    'SearchResult',
    'SearchSettings',
    'TurnMemory',
    'as_guessed',
    'as_known',
    'bot_names',
    'cores',
    'make_bot',
    'offered',
    'offered_instead',
    'stopped_by',
    'stream',
    'think',
]
