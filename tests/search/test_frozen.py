"""Frozen bots search as they did on the day when they were frozen: what is new is measured against them."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from ludoteca.game import load, start
from ludoteca.kernel import mix
from ludoteca.search import FROZEN, LEVELS, SearchBot, as_known, make_bot, think
from tests.built_in import BUILT_IN
from tests.width import width

SIMULATIONS = 300
POSITIONS = 6  # of a game of random play
EXPERT_1 = {
    'mykerinos': '7c37969e16f1dad8',
    'myraclia': '20aa2d3f67063ae6',
    'myriath': '48f6b522e2d34622',
    'myrmidons': 'd742e162025bd625',
    'octiles': 'fde0b0ffe992e062',
}


def found(name: str, bot: str) -> str:
    """A digest of the visits of all actions, in positions of one random game for each number of players."""
    game, visits = load(name), []
    for players in game.players:
        state = start(game, players, 'frozen')
        legal = np.empty(game.max_legal, np.int32)
        for step in range(8 * POSITIONS):
            if state.ending:
                break
            seat = int(state.to_move)
            if step % 8 == 0:
                known = as_known(game, state, seat)
                settings = (LEVELS | FROZEN)[bot].settings
                visits.append(
                    think(game, known, simulations=SIMULATIONS, settings=settings, seed=step).visits
                )
            n = game.kernels.legal_actions(state, legal)
            game.kernels.apply(state, int(legal[mix(step, players) % n]))
    return hashlib.blake2b(repr(visits).encode(), digest_size=8).hexdigest()


# searches of other editions are compiled for this test alone, which takes longer than the searches: narrow,
# the game with most kernels of its own for them
@pytest.mark.parametrize('name', width(['octiles'], [*BUILT_IN]))
def test_expert_1_visits_what_it_has_always_visited(name: str) -> None:
    assert found(name, 'expert-1') == EXPERT_1[name]


def test_frozen_bots_take_part_in_arenas_and_are_no_levels() -> None:
    """Their settings are written out, so that a changed default changes none of them."""
    for name, level in FROZEN.items():
        bot = make_bot(name)
        assert isinstance(bot, SearchBot)
        assert bot.level is level
        assert name not in LEVELS
        assert level.settings.edition == name


if __name__ == '__main__':
    for name in BUILT_IN:
        print(f'    {name!r}: {found(name, "expert-1")!r},')
