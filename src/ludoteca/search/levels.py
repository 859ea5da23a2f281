"""How bots search, and their levels, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludoteca.game import Effort, Game, GameError
from ludoteca.text import words


@dataclass(frozen=True)
class SearchSettings:
    """How a search decides where to look. Results and estimates lie between 0 and 1.

    The defaults were chosen in arenas of 100 to 200 two-player games of Octiles with 1,000 to 3,000
    simulations. Other values won fewer games against them: 21 % with `expand_at` 4, less than 20 % with
    `sharpness` 0, 42 % with `narrow` 5, 43 % with all children at once. Twice or half the exploration or
    trust made no difference that could be measured.
    """

    exploration: float = 0.7  # weight of curiosity in the score of a child
    trust: float = 2.0  # simulations that an estimate right after an action counts for
    # how strongly estimates guide the choice (softmax); 0: not at all, plain UCB1
    sharpness: float = 5.0
    expand_at: int = 2  # visit of a node at which it gets children, the second at the earliest
    # children that a node gets at first in games without secrets, the best by estimate
    narrow: int = 8
    wide_at: int = 100  # visit of a node at which it gets all the others
    # random turns before a position is estimated; -1: to the end of the game, no estimate
    playout: int = 0
    # outcomes of an action that are told apart; where there are more, the search stops
    most_codes: int = 32
    # are values shared among more than two seats? They are smaller then, and so are their differences: with n
    # seats exploration counts 2/n as much, and estimates n/2 times
    scaled: bool = True
    # games with secrets: does another seat choose by what it knows in the guess, and not by what its actions
    # are worth on the average of all guesses? Where the game foresees actions
    informed: bool = True
    # games with secrets, from the 257th simulation on: simulations that share a guess, and `expand_at`
    hold: int = 16
    expand_later_at: int = 4
    # the frozen bot whose kernels the search runs (`Game.editions`); '': the game's own
    edition: str = ''


THINKING_SECONDS = 7.0
"""What a bot at a table has for all the actions of a turn together."""


@dataclass(frozen=True)
class BotLevel:
    """How long and how carefully a bot thinks about an action."""

    name: str
    usual: Effort  # unless the game declares another one (`Game.efforts`)
    seconds: float | None  # ceiling
    settings: SearchSettings = SearchSettings()  # of guided searches
    # does it keep its tree from one action of a turn to the next where time ends its searches? Levels that
    # are bounded by simulations do not: they would be stronger than they were measured.
    keeps_tree: bool = False

    def effort(self, game: Game, players: int) -> Effort:
        """What the level does in a game with so many players."""
        declared = game.efforts.get(self.name, self.usual)
        return declared if isinstance(declared, Effort) else declared.get(players, self.usual)

    def settings_in(self, game: Game, players: int) -> SearchSettings:
        """How its searches there decide where to look."""
        guided = self.effort(game, players).guided
        return self.settings if guided else replace(self.settings, sharpness=0.0)


# The weakest first. Weak levels are short of sight: they try few actions and follow them hardly further than
# to the end of the turn, and the weakest do not even ask the estimates which ones to try. None of them acts
# at random. docs/bots.md has the results of each against the one below. One that is not usually
# offered is there for games that declare it.
LEVELS: dict[str, BotLevel] = {
    level.name: level
    for level in (
        BotLevel('beginner', Effort(16, guided=False), 0.5),
        BotLevel('easy', Effort(16), 0.5),
        BotLevel('medium', Effort(200), 1.0),
        BotLevel('hard', Effort(2_000), 2.0),
        BotLevel('very-hard', Effort(8_000, offered=False), 2.5),
        BotLevel('expert', Effort(200_000), 3.0, keeps_tree=True),
    )
}

# Experts of earlier days, for arenas. New experts are measured against them, so they are never improved. All
# their settings are written out; kernels that a game has changed since then stand in `Game.editions`.
FROZEN: dict[str, BotLevel] = {
    'expert-1': BotLevel(
        'expert-1',
        Effort(200_000),
        3.0,
        SearchSettings(
            exploration=0.7,
            trust=2.0,
            sharpness=5.0,
            expand_at=2,
            narrow=8,
            wide_at=100,
            playout=0,
            most_codes=32,
            scaled=False,
            informed=False,
            hold=1,
            expand_later_at=2,
            edition='expert-1',
        ),
    )
}


def offered(game: Game, players: int) -> tuple[str, ...]:
    """The levels to choose from in a game with so many players, the weakest first: as many as there is room
    for between a beginner and the expert. The others play, too, where they are asked for by their names."""
    return tuple(name for name, level in LEVELS.items() if level.effort(game, players).offered)


def offered_instead(game: Game, players: int, name: str) -> str:
    """The bot of that name; in place of a level that is not offered there the next weaker one that is."""
    names = list(LEVELS)
    if name not in names:
        return name
    return [one for one in offered(game, players) if names.index(one) <= names.index(name)][-1]


def check_level(name: str) -> None:
    """Raises GameError if there is no level of that name."""
    if name not in LEVELS:
        raise GameError(words('research.error.level', level=name, levels=', '.join(LEVELS)))
