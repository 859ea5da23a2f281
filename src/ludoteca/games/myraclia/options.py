"""Options of Myraclia."""

from __future__ import annotations

from dataclasses import dataclass

from ludoteca.game import Options, option


@dataclass(frozen=True)
class MyracliaOptions(Options):
    """Options of Myraclia."""

    layout: str = option('recommended', 'random', 'arranged')  # of the starting tiles
    cubes: int = option(2, 3)  # that each player draws at the start; 3 for beginners
    kickstarter: bool = option(False)
    eternity: bool = option(False)
    darkness: bool = option(False)
