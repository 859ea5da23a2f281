"""Random games that nobody can end."""

from __future__ import annotations

import pytest

import ludoteca
from ludoteca.kernel import bounds_checked
from ludoteca.research.random_play import EndlessGameError
from ludoteca.research.simulate import simulate
from ludoteca.research.soak import without_endless
from tests.width import width

SEED, ENDLESS = 'ten-million/200', 4_448
"""Of Octiles with four: three are shut in, the last one can only run round to where it was."""


@pytest.mark.parametrize('threads', width([2], [1, 2]))
def test_a_game_that_does_not_end_is_named_in_a_sentence(threads: int) -> None:
    with pytest.raises(EndlessGameError, match=r'Game 4448 was not over after 1,000,000 actions'):
        simulate('octiles', 4, 4, SEED, first=ENDLESS - 2, lists=False, threads=threads)


@pytest.mark.wide
def test_the_games_round_it_are_played_as_by_themselves() -> None:
    assert bounds_checked()
    game = ludoteca.load('octiles')
    options = game.options.read({})
    parts = list(without_endless(game, 4, options, SEED, False, 2, range(ENDLESS - 3, ENDLESS + 5)))
    before, broken_off, after = parts
    assert broken_off is None
    for part, first, games in ((before, ENDLESS - 3, 3), (after, ENDLESS + 1, 4)):
        alone = simulate(game, 4, games, SEED, first=first, lists=False)
        assert part is not None
        assert part.actions.tolist() == alone.actions.tolist()
