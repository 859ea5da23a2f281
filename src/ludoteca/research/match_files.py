"""Games of bots as match files, which are replayed, reviewed and opened like all others."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludoteca.game import Game, GameError, Options
from ludoteca.kernel import seed_words
from ludoteca.match import Match, Seat, Setup, files
from ludoteca.match.setup import BOT
from ludoteca.text import words

if TYPE_CHECKING:
    from ludoteca.research.game_figures import WatchedGames


def written(
    game: Game,
    players: int,
    options: Options,
    seed: int,
    bots: Sequence[str],
    steps: Sequence[tuple[int, int]],
) -> str:
    """The match file of a game that is over: its seed of 128 bits, who played the seats, and the seat and
    action of each step. Raises GameError if the steps are no game of this seed."""
    seats = [Seat(kind=BOT, level=bot) for bot in bots]
    now = time.time()
    match = Match(Setup.new(game.name, players, options.changed(), seats, seed), lambda: now)
    for seat, action in steps:
        match.play(seat, [action])
    return files.write(match)


def match_text(game: Game, games: WatchedGames, number: int, steps: Sequence[tuple[int, int]]) -> str:
    """The same of a game of a simulation, by its number. Raises GameError if no seed of a match begins that
    game."""
    seed = games.seed_of(number)
    if seed_words(seed).tolist() != games.seed_words(number):
        # one game in 2^32: a match's seed has at least 97 bits
        raise GameError(words('study.error.no_match_file', number=number))
    return written(game, games.players, games.options, seed, games.by, steps)
