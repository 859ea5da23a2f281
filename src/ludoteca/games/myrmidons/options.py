"""The options of Myrmidons."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ludoteca.game import Options, option, subset
from ludoteca.text import Words

from . import components as C

words = Words(Path(__file__).parent)


@dataclass(frozen=True)
class MyrmidonsOptions(Options):
    """Options of Myrmidons: armies, and rules on which groups of players differ."""

    army: str = option('base', 'agreed', 'secret', 'random')
    size: int = option(C.SMALL, C.LARGE)
    # of an agreed army
    types: str = subset(C.BASE, C.UNITS, [C.UNITS[k] for k in (1, 4, 9, 13, 18)])
    capture: int = option(4, 8)  # pieces to take
    memory: bool = option(True)  # values are shown in a fight only
    repetition: bool = option(True)  # the third occurrence of a position is a draw
    sixty: bool = option(True)  # sixty turns without a capture are a draw

    def problem(self, players: int) -> str | None:
        """A sentence if these options do not go together."""
        chosen = self.types.split(',') if self.types else []
        if self.size == C.LARGE and self.army == 'base':
            return words('option.error.large')
        if self.army != 'agreed' and self.types != ','.join(C.BASE):
            return words('option.error.types')
        if self.army == 'agreed' and len(chosen) != self.size - 1:
            return words(
                'option.error.n_types',
                wanted=self.size - 1,
                n=len(chosen),
                types=', '.join(chosen) or words('game.none'),
            )
        if self.capture == 8 and self.size == C.SMALL:
            return words('option.error.capture')
        return None
