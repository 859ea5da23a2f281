"""The one tree search of all games, the levels of bots, and the pool in which they think."""
from ludoteca.search.bots import Bot, SearchBot, bot_names, make_bot
from ludoteca.search.levels import LEVELS, Level, Settings
from ludoteca.search.pool import Pool
from ludoteca.search.thinking import Result, as_known, stopped_by, stream, think

__all__ = ['LEVELS', 'Bot', 'Level', 'Pool', 'Result', 'SearchBot', 'Settings', 'as_known', 'bot_names', 'make_bot', 'stopped_by',
           'stream', 'think']
