"""What a search says of a position: how it stands for every seat, and the three best turns.

`search_position` takes plain data and answers plain data, so that it can run anywhere. It searches on what
the seat to move knows, as all bots do: hidden things that a board shows, guessed or true, are no help to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.game import Game, GameError, State, committed, position
from ludoteca.search import LEVELS, SearchResult, as_guessed, think
from ludoteca.text import words

LEVEL: Final = 'hard'
BEST: Final = 3
"""How many turns are told."""
EFFORTS: Final[tuple[tuple[int, float], ...]] = ((800, 0.4), (4_000, 1.2), (16_000, 3.0), (60_000, 8.0))
"""The rounds of a search, one after the other: simulations and seconds of each. What a round says replaces
what the one before has said."""
REST_SHARE: Final = 6
"""What follows each of the other turns is sought with this fraction of the effort."""


def search_position(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Search a position.

    `payload`: the `position` in its JSON form, whole or as the seat to move knows it, and of the search
    `simulations`, `seconds` and `seed`. The answer holds the `seat` to move, the `expected` outcome of all
    seats (shares of a win), and the `turns`, the best first: each with its name, how often it was tried
    (`visits`), the `expected` outcome of all seats after it, and the `line` of turns that begins with it.
    Raises GameError if the game is over."""
    found = position(payload['position'])
    game, state = found.game, found.state
    if state.ending:
        raise GameError(words('search.error.over'))
    simulations, seconds, seed = payload['simulations'], payload['seconds'], payload['seed']

    def search(share: int, only: int | None = None) -> SearchResult:
        return think(
            game,
            state,
            settings=LEVELS[LEVEL].settings,
            simulations=max(1, simulations // share),
            seconds=seconds / share,
            seed=seed,
            only=only,
        )

    result = search(1)
    turns: list[dict[str, Any]] = []
    for i in [i for i in result.ranking() if result.visits[i]][:BEST]:
        best = i == result.best
        line = result.line_actions if best else search(REST_SHARE, result.actions[i]).line_actions
        names = turn_names(game, state, result.seat, line)
        turns.append(
            {
                'turn': names[0],
                'visits': result.visits[i],
                'expected': [round(value, 4) for value in result.values[i]],
                'line': names,
            }
        )
    return {
        'seat': result.seat,
        'expected': [round(value, 4) for value in result.expected],
        'turns': turns,
        'simulations': result.simulations,
        'seconds': round(result.seconds, 3),
    }


def turn_names(game: Game, state: State, seat: int, actions: tuple[int, ...]) -> list[str]:
    """The names of the turns that these actions make, the last one as far as it goes. What the seat does not
    know is guessed."""
    known = state.copy()
    if state.phase in game.sealed:
        game.kernels.mover_view(known, seat)
    else:
        game.kernels.hide(known, seat)
    trial = as_guessed(game, known, seat)
    turns: list[list[str]] = [[]]
    for action in actions:
        turns[-1].append(game.action_name(trial, action))
        before = trial.copy()
        game.kernels.apply(trial, action)
        if committed(before, trial):
            turns.append([])
    return [' '.join(names) for names in turns if names]
