"""Parts of pictures, cards and panels are remembered by what they depend on: what is found is what would be
made."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from ludoteca.game import Game, View, ViewSettings
from tests.conformance.harness import Case, played
from tests.conformance.test_pictures import views
from tests.width import width

NAMES = (('Ada', '', 'Cleo', 'Dan', 'Eve'), ('Eve', 'Dan', '<&>', 'Ada', ''))


def memories(game: Game) -> Iterator[Any]:
    """Everything in the game's own modules that remembers what it has answered."""
    package = type(game).__module__
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(f'{package}.'):
            for value in list(vars(module).values()):
                if hasattr(value, 'cache_clear') and value.__module__ == name:
                    yield value


def others(game: Game, view: View, rng: random.Random) -> View:
    """The same for people of other names and colours, who prefer something else."""
    players = int(view.state.players)
    colours = rng.sample(game.colours(players), players)
    settings = ViewSettings(*(rng.random() < 0.5 for _ in range(3)))
    return replace(view, names=rng.choice(NAMES)[:players], colours=tuple(colours), settings=settings)


def shown(game: Game, view: View) -> list[Any]:
    """All that people see of a view."""
    legal = [game.targets(view.state, action, view.colours) for action in view.actions]
    parts = game.cards(view), game.panels(view), game.places(view), game.prompt(view), game.text(view)
    return [game.draw(view, 'page'), legal, *parts]


@pytest.mark.smoke
def test_what_is_remembered_is_what_would_be_made_anew(usual: Case) -> None:
    game, rng = usual.game, random.Random(str(usual))
    found = [others(game, view, rng) for view in views(played(usual, 4), width(8, 40))]
    for view in found:
        shown(game, view)
    for view in rng.sample(found, width(4, 20)):
        remembered = shown(game, view)
        for memory in memories(game):
            memory.cache_clear()
        anew = shown(game, view)
        assert remembered == anew
        for other in found[::3]:
            shown(game, other)


@pytest.mark.smoke
def test_a_list_of_choices_is_named_as_each_of_them_is(usual: Case) -> None:
    game = usual.game
    for view in views(played(usual, 4), width(8, 40)):
        each = [
            (game.action_name(view.state, action), game.targets(view.state, action, view.colours))
            for action in view.actions
        ]
        assert list(game.named_targets(view.state, view.actions, view.colours)) == each
