"""The examples of docs/bots.md run as they stand there, in all games, and never play on a state with
blanks."""

from __future__ import annotations

import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ludoteca import game as contract
from ludoteca.game import Game, State
from ludoteca.research.arena import arena
from ludoteca.search import as_known, bots
from tests.width import width

PAGE = (Path(__file__).parent.parent.parent / 'docs/bots.md').read_text()
GAMES = contract.games()


def blocks(language: str) -> list[str]:
    """The page's examples in a language, in order."""
    return [
        textwrap.dedent(code)
        for code in re.findall(rf'^ *```{language}\n(.*?)^ *```$', PAGE, re.DOTALL | re.MULTILINE)
    ]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name under which the page installs its first example."""
    points = tomllib.loads(blocks('toml')[0])['project']['entry-points'][bots.GROUP]
    ((name, place),) = points.items()
    module = ModuleType(place.partition(':')[0])
    exec(blocks('python')[0], module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(bots, 'entry_points', lambda group: EntryPoints([EntryPoint(name, place, group)]))
    bots._guests.cache_clear()
    yield name
    bots._guests.cache_clear()


def careful(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the game refuse to play on, or to estimate, a state that `hide` has made and no `guess` has filled.

    Such a state is known by its generator: the one that `hide` leaves is always the same, and `guess` puts in
    another.
    """
    kernels = game.kernels

    def checked(s: State) -> State:
        assert s.ending or s.rng.tolist() != as_known(game, s, int(s.to_move)).rng.tolist(), (
            'a state with blanks'
        )
        return s

    monkeypatch.setattr(
        type(game),
        'kernels',
        kernels._replace(
            apply=lambda s, action: kernels.apply(checked(s), action),
            estimate=lambda s, out: kernels.estimate(checked(s), out),
        ),
    )


@pytest.mark.parametrize('name', GAMES)
def test_a_state_with_blanks_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = contract.load(name)
    careful(game, monkeypatch)
    state = contract.start(game, seed=1)
    hidden, out = as_known(game, state, int(state.to_move)), np.empty(game.max_legal, np.int32)
    action = int(out[: game.kernels.legal_actions(state, out)][0])
    with pytest.raises(AssertionError, match='blanks'):
        game.kernels.apply(hidden, action)
    game.kernels.apply(state, action)


@pytest.mark.parametrize('name', width(GAMES[::2], GAMES))
def test_the_first_example_plays_whole_games_without_blanks(
    name: str, installed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = contract.load(name)
    careful(game, monkeypatch)
    for players in sorted({game.players[0], game.players[-1]})[: width(1, 2)]:
        result = arena(game, players, [installed, 'random'], 2 * players, seed=1, processes=1, most_turns=600)
        assert result.capped == 0
        assert result.contestants[0].wins > players  # more than half of the games


@pytest.mark.parametrize('name', GAMES)
def test_every_example_runs_as_it_stands(name: str) -> None:
    game = contract.load(name)
    state = contract.start(game, seed=2)
    seat = int(state.to_move)
    hidden, legal = as_known(game, state, seat), np.empty(game.max_legal, np.int32)
    actions = legal[: game.kernels.legal_actions(state, legal)].tolist()
    scope: dict[str, Any] = {'game': game, 'state': hidden, 'seat': seat, 'seed': 5}
    for code in blocks('python')[:2]:
        exec(code, scope)
    assert scope['Greedy']().choose(game, hidden.copy(), seat, 5, None) in actions
    assert scope['result'].action in actions
    assert len(blocks('python')) == 4, (
        'the last two are programs: research/test_tournament, web/test_remote_bot'
    )
