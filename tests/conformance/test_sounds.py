"""What is heard at a table follows from the kinds of events that everybody at it is told of."""

from __future__ import annotations

from typing import get_args

from ludoteca.game import Game, Sound

STEP = 'step'


def test_sounds_are_those_of_events_and_of_a_step(game: Game) -> None:
    kinds = {key.removeprefix('event.') for key in sorted(game.words.keys()) if key.startswith('event.')}
    assert STEP not in kinds, 'the word is taken'
    assert set(game.sounds) <= kinds | {STEP}
    assert set(game.sounds.values()) <= set(get_args(Sound))
