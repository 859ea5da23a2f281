"""What the drawings of cards have in common."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, east_asian_width

from markupsafe import Markup

from ludoteca.drawing.lettering import shortened
from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import KEPT, NAMESPACE, number, tag, words


def card_svg(
    w: float, h: float, label: str, *parts: str, class_: str = 'board card-drawing', **more: str | float
) -> Markup:
    """The drawing of a card, in the page's type."""
    return tag(
        'svg',
        *parts,
        viewBox=f'0 0 {number(w)} {number(h)}',
        class_=class_,
        role='group',
        aria_label=label,
        font_family=var('font'),
        **more,
    )


HEAP = 20.0
"""The height of a heap in a panel, in its own units: pages show it larger for the viewer's own."""


def heap_svg(w: float, label: str, *parts: str) -> Markup:
    """A line of things that a player has, for a panel: `w` wide, `HEAP` high."""
    return card_svg(w, HEAP, label, *parts, class_='heap', width=w, height=HEAP)


@lru_cache(maxsize=KEPT, typed=True)
def card_text(
    text: str,
    x: float,
    y: float,
    size: float = 12.5,
    weight: float = 500,
    colour: str = 'text',
    anchor: str = 'middle',
) -> Markup:
    """Text on a card, in one of the page's colours."""
    return words(text, x=x, y=y, font_size=size, font_weight=weight, fill=var(colour), text_anchor=anchor)


LETTER, BOLD_LETTER = 0.6, 0.7
"""How wide a letter of the page's type is at the most, for its size, since no font is known here: on average
in a sentence, and in bold names and numbers, which may have no narrow letter."""


WIDE_LETTERS, WIDE_LETTER = frozenset('MWmw@%&—…'), 1.1
"""Letters that are as wide as their size or a little wider, and how wide they are at the most in bold."""


def letters_width(text: str, size: float, letter: float = BOLD_LETTER) -> float:
    """How wide a text of the page's type is at the most: `letter` for most letters, more for wide ones, East
    Asian ones and pictures."""
    wide = sum(sign in WIDE_LETTERS for sign in text)
    square = sum(east_asian_width(sign) in 'WF' for sign in text)
    unseen = sum(category(sign) == 'Cf' for sign in text)  # signs of format
    return size * (WIDE_LETTER * wide + square + letter * (len(text) - wide - square - unseen))


def cut_name(text: str, most: float, size: float) -> str:
    """A name that is no wider than `most`, with an ellipsis for what may not fit."""
    return shortened(text, lambda text: letters_width(text, size) <= most)


def card_lines(text: str, most: float, size: float) -> list[str]:
    """A sentence in lines that are no wider than `most`. A word that is wider is cut, with an ellipsis."""

    def fits(line: str) -> bool:
        return letters_width(line, size, LETTER) <= most

    found = ['']
    for word in text.split():
        if fits(line := f'{found[-1]} {word}'.strip()):
            found[-1] = line
        else:
            found.append(shortened(word, fits))
    return [line for line in found if line]


def sheet_svg(w: float, h: float, cloth: str, label: str, *parts: str) -> Markup:
    """A sheet of all tiles of a game on its `cloth` (a fill), as a rulebook shows them."""
    return tag(
        'svg',
        tag('rect', width=w, height=h, rx=14, fill=cloth),
        *parts,
        xmlns=NAMESPACE,
        viewBox=f'0 0 {number(w)} {number(h)}',
        role='img',
        aria_label=label,
        font_family=var('font'),
    )
