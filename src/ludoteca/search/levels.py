"""How bots search, and their levels, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchSettings:
    """How a search decides where to look. Results and estimates lie between 0 and 1.

    The defaults were chosen in arenas of 100 to 200 two-player games of Octiles with 1,000 to 3,000
    simulations. Against them won: `expand_at` 4: 21 %, `sharpness` 0: less than 20 %, `narrow` 5: 42 %, all
    children at once: 43 %. Twice or half the exploration or trust made no difference that could be measured.
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
    # outcomes of an action that are told apart; with more the search stops there
    most_codes: int = 32


@dataclass(frozen=True)
class BotLevel:
    """How long and how carefully a bot thinks about an action."""

    name: str
    simulations: int  # unless the game declares others (`Game.simulations`)
    seconds: float  # ceiling
    settings: SearchSettings = SearchSettings()
    # probability of an action at random, unless the game declares another (`Game.slips`)
    slips: float = 0.0


PLAIN = SearchSettings(sharpness=0.0)

# The weakest first; docs/performance.md says by how much, for each game. In Octiles with two players each
# wins nine of ten games or more against the one before; beginner beats random play nearly always, and the
# yardstick lies between easy and medium.
LEVELS: dict[str, BotLevel] = {
    level.name: level
    for level in (
        BotLevel('beginner', 30, 0.5, PLAIN, slips=0.5),
        BotLevel('easy', 60, 0.5, PLAIN, slips=0.2),
        BotLevel('medium', 100, 1.0),
        BotLevel('hard', 2_000, 2.0),
        BotLevel('expert', 200_000, 3.0),
    )
}
