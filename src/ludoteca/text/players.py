"""Words about players that the games share: names, colours, lists of them."""

from __future__ import annotations

from collections.abc import Sequence

from ludoteca.drawing.palette import PLAYERS
from ludoteca.text import words


def player_word(seat: int, names: Sequence[str] = (), colours: Sequence[str] = tuple(PLAYERS)) -> str:
    """A player's name, or the word for the seat's colour. `names` may be shorter than `colours`, or hold ''
    for a seat."""
    return names[seat] if seat < len(names) and names[seat] else words(f'colour.{colours[seat]}')


def letter(colour: str) -> str:
    """The letter that stands for a player's pieces where the board is written in characters. `colour` is a
    name of the palette."""
    return words(f'colour.{colour}')[0]


def listed(parts: Sequence[str], none: str = '') -> str:
    """Several things as a list in words: 'a, b and c'; `none` if there are none."""
    if len(parts) < 2:
        return parts[0] if parts else none
    return words('and', first=', '.join(parts[:-1]), last=parts[-1])


def either(parts: Sequence[str]) -> str:
    """Several things to choose from in words: 'a, b or c'."""
    if len(parts) < 2:
        return parts[0] if parts else ''
    return words('or', first=', '.join(parts[:-1]), last=parts[-1])
