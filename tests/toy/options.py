"""The options of the Fruit Market."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ludoteca.game import Options, option
from ludoteca.text import Words

from . import components as C

words = Words(Path(__file__).parent)


@dataclass(frozen=True)
class ToyOptions(Options):
    """Variants, and which of them do not go together."""

    long: bool = option(False)  # six cards, five rounds
    ties: str = option('clockwise', 'nobody')  # who wins the bidding when several have bid most

    def problem(self, players: int) -> str | None:
        """A sentence if there are not enough cards, or if ties would too often decide nothing."""
        cards, needed = C.N_FRUITS * C.CARDS_EACH, players * C.HAND[self.long]
        if needed > cards:
            return words('option.error.cards', players=players, needed=needed, cards=cards)
        if self.ties == 'nobody' and players == 2 and self.long:
            return words('option.error.ties')
        return None
