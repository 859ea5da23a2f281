"""What chance decides in a game, and how that is written down.

A state holds its own chance: the generator, and whatever a game has shuffled beforehand. So `apply` goes on
through every draw. Who plans must not look into that. The kernel `drop_future` takes it out; from then on
`apply` stops where chance has to decide, and the state WAITS: its `phase` is below 0, `chance` lists the
outcomes with their probabilities, and `resolve` goes on with one of them. Several draws in a row are several
such steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Mode = Literal['none', 'sampled', 'explicit']


@dataclass(frozen=True)
class Chance:
    """A kind of chance of a game.

    `explicit`: the game waits for it, and `outcomes` are the names of what may come of it. `sampled`: whole
    deals and shuffles that are drawn by `setup` alone; as far as they are secret `guess` draws them again.
    """

    name: str
    mode: Literal['explicit', 'sampled']
    meaning: str
    outcomes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.mode == 'explicit') != bool(self.outcomes):
            raise TypeError(
                f'The chance {self.name} is {self.mode}: explicit chance names its outcomes, sampled chance '
                'has none.'
            )


def mode_of(chances: Sequence[Chance]) -> Mode:
    """'explicit' if some kind of chance is, else 'sampled', or 'none' if there is no chance at all."""
    modes = {chance.mode for chance in chances}
    return 'explicit' if 'explicit' in modes else 'sampled' if modes else 'none'
