"""The options of the Fruit Market."""
from __future__ import annotations

from dataclasses import dataclass

from ludoteca.game import Options, option
from tests.toy import components as C


@dataclass(frozen=True)
class ToyOptions(Options):
    """Variants, and which of them do not go together."""
    long: bool = option(False)                  # six cards, five rounds
    ties: str = option('clockwise', 'nobody')   # who wins the bidding when several have bid most

    def problem(self, players: int) -> str | None:
        """A sentence if there are not enough cards, or if ties would too often decide nothing."""
        cards, needed = C.N_FRUITS * C.CARDS_EACH, players * C.HAND[self.long]
        if needed > cards:
            return f'The long game is for two or three players: {players} would need {needed} cards, and there are {cards}.'
        if self.ties == 'nobody' and players == 2 and self.long:
            return 'The long game of two players needs a winner of every bidding; leave ties at clockwise.'
        return None
