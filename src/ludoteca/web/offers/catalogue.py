"""What can be played: the games, and the levels of bots."""

from __future__ import annotations

from ludoteca import game as contract
from ludoteca.game import Game, GameError, load
from ludoteca.search import LEVELS, bot_names
from ludoteca.text import words
from ludoteca.web.serving.errors import NotFound

USUAL_LEVEL = 'easy'


def all_games() -> list[Game]:
    """The games that exist."""
    return [load(name) for name in contract.games()]


def is_known(name: str) -> bool:
    """Does this server have the game? A database may hold tables of one that was somebody's own, or that only
    another server has."""
    try:
        load(name)
    except GameError:
        return False
    return True


def title_of(name: str) -> str:
    """The title of a game; its bare name if this server lacks it."""
    return load(name).title if is_known(name) else name


def known_game(name: str) -> str:
    """The name of a game that exists. Raises NotFound."""
    try:
        return load(name).name
    except GameError as problem:
        raise NotFound(words('web.error.no_game')) from problem


def known_level(level: str) -> str:
    """The name of a bot that exists. Raises GameError."""
    if level not in bot_names():
        raise GameError(words('web.error.no_level', levels=', '.join(LEVELS)))
    return level


def bot_name(level: str, number: int, players: int) -> str:
    """What the bot with this number (from 1) at a table is called. Several of one level have different names,
    as far as there are names."""
    names, levels = words('web.bots').split(), list(LEVELS)
    named = players <= 5 and level in levels
    return names[levels.index(level) * 4 + number - 1] if named else level
