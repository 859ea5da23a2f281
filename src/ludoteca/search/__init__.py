"""The one tree search of all games, the levels of bots, and the pool in which they think."""

from ludoteca.search.bots import Bot, SearchBot, bot_names, make_bot
from ludoteca.search.levels import LEVELS, BotLevel, SearchSettings
from ludoteca.search.pool import Pool
from ludoteca.search.thinking import SearchResult, as_known, stopped_by, stream, think

__all__ = [
    'LEVELS',
    'Bot',
    'BotLevel',
    'Pool',
    'SearchBot',
    'SearchResult',
    'SearchSettings',
    'as_known',
    'bot_names',
    'make_bot',
    'stopped_by',
    'stream',
    'think',
]
