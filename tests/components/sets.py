"""The second component set of every game: its values are a documented variation of the printed ones, so that
rules which depend on no printed value can be tested on both. A set is `sets/<game>.json`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludoteca.game import Game, load, variant
from ludoteca.kernel import compile as forms
from ludoteca.kernel import compiled
from tests.built_in import BUILT_IN

FOLDER = Path(__file__).parent / 'sets'
GAMES = tuple(name for name in BUILT_IN if (FOLDER / f'{name}.json').exists())


def second(name: str) -> Game:
    """A game with its second set."""
    return variant(load(name), FOLDER / f'{name}.json', keep=False)


@contextmanager
def interpreted(game: Game) -> Iterator[Game]:
    """The kernels of a game run as plain Python: quicker than compiling them for a few positions."""
    if compiled:
        forms.run_interpreted(game.home)
    try:
        yield game
    finally:
        if compiled:
            forms.run_compiled(game.home)
