"""When puzzles come back, and which one is next: spaced repetition, and the puzzle of the day.

The scheduler is FSRS, of the package fsrs, with its own parameters. There are no steps of minutes: a puzzle
that was solved comes back after days, one that was failed after fewer of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

from ludoteca.game import games as all_games
from ludoteca.puzzles.files import Puzzle, puzzles
from ludoteca.search import LEVELS

LONGEST_INTERVAL = 365
"""Days after which every puzzle has come back."""
DAY = 24 * 3600


def reviewed(card: Mapping[str, Any] | None, good: bool, now: float) -> tuple[dict[str, Any], float]:
    """The card of a puzzle after an answer, and when the puzzle comes back (seconds since 1970). `card` is
    the one before, None for a new puzzle; `good`: was the first answer right?"""
    import fsrs  # only whoever has solved a puzzle needs it

    scheduler = fsrs.Scheduler(
        learning_steps=(), relearning_steps=(), maximum_interval=LONGEST_INTERVAL, enable_fuzzing=False
    )
    # the scheduler's own ids are of no use here, and reading a clock for them would take a millisecond each
    known = fsrs.Card.from_dict(cast(Any, card)) if card else fsrs.Card(card_id=0)
    rating = fsrs.Rating.Good if good else fsrs.Rating.Again
    after, _ = scheduler.review_card(known, rating, datetime.fromtimestamp(now, UTC))
    return dict(after.to_dict()), after.due.timestamp()


def day_of(now: float) -> int:
    """The day of a time, in UTC, counted from 1970."""
    return int(now // DAY)


def daily(day: int) -> Puzzle | None:
    """The puzzle of a day, the same for everybody. Games take turns, and each game's puzzles come in an order
    drawn by lot, so that none comes again before all others have come. None if no game has puzzles."""
    games = [name for name in all_games() if puzzles(name)]
    if not games:
        return None
    name = games[day % len(games)]
    order = shuffled(name)
    return order[day // len(games) % len(order)]


@cache
def shuffled(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game in an order drawn by lot, which is always the same."""
    order = list(puzzles(name))
    random.Random(f'ludoteca {name}').shuffle(order)
    return tuple(order)


def next_puzzle(
    name: str,
    due: Callable[[str], float | None],
    now: float,
    grade: str = '',
    without: Collection[str] = (),
) -> Puzzle | None:
    """The next puzzle of a game (and grade) for somebody. `due` answers when a puzzle comes back, None for
    one that is new: first come those that are due, then new ones, the easiest first, then what comes back
    soonest. Those in `without` come last."""
    known = [one for one in shuffled(name) if not grade or one.grade == grade]
    levels: Sequence[str] = list(LEVELS)

    def order(one: Puzzle) -> tuple[bool, int, float]:
        back = due(one.id)
        if back is None:
            return one.id in without, 1, levels.index(one.grade)
        return one.id in without, (0 if back <= now else 2), back

    return min(known, key=order, default=None)
