"""Turning points of a match as exercises: the player's position, and a turn better than the one played."""

from __future__ import annotations

import numpy as np

from ludoteca.game import GameError
from ludoteca.match import Match
from ludoteca.puzzles.exercise import Exercise
from ludoteca.puzzles.turns import key
from ludoteca.review import Review
from ludoteca.review.links import linked
from ludoteca.search import as_known
from ludoteca.text import words


def exercise_of_turn(match: Match, review: Review, number: int) -> Exercise:
    """The exercise to find something better than the turn of that number, by what its player knew.

    Raises GameError if the turn was good, or if it cannot be an exercise: all chose at once, or the better
    turn is not known to its end, because it depends on what comes to light within it or because the search
    has not looked so far.
    """
    turn, played = review.turns[number - 1].judged, match.true_turns()[number - 1]
    game, state = match.game, played.states[0]
    if not turn.better or state.phase in (*game.sealed, *game.arranged):
        raise GameError(words('review.error.no_exercise'))
    # answers are judged by what searches expect, without the game's link
    before, after = (linked(np.array(one), 1 / game.link)[turn.seat] for one in (turn.before, turn.after))
    known = as_known(game, state, turn.seat)
    try:
        return Exercise.of_turn(
            f'{game.name}-turn-{number}-{key(game, known)[:8]}',
            game,
            known,
            turn.seat,
            match.setup.options,
            [' '.join(turn.better)],
            round(float(before), 4),
            round(float(after), 4),
        )
    except GameError as problem:  # the better turn is not told to its end, or the position not as JSON
        raise GameError(words('review.error.no_exercise')) from problem
