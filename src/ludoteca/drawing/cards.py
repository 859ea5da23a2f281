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


LETTER, CAPITAL = 0.72, 0.85
LETTERS = {
    **dict.fromkeys('MWmw@%&—…½', 1.1),
    **dict.fromkeys('+=×<>#~^', CAPITAL),
    **dict.fromkeys('frt', 0.5),
    **dict.fromkeys("Iijl .,:;'’·-|!()", 0.46),
}
"""How wide a letter of the page's type is at the most, for its size. No font is known here, so each is as
wide as in DejaVu Sans Bold, the widest of the usual ones. Letters that are not named are `LETTER` wide,
capitals `CAPITAL`, East Asian letters and pictures 1."""


@lru_cache(maxsize=KEPT)
def _letter_width(letter: str) -> float:
    if category(letter) == 'Cf':  # a sign of format
        return 0
    if east_asian_width(letter) in 'WF':
        return 1
    return LETTERS.get(letter, CAPITAL if letter.isupper() else LETTER)


def letters_width(text: str, size: float) -> float:
    """How wide a text of the page's type is at the most."""
    return size * sum(map(_letter_width, text))


def cut_name(text: str, most: float, size: float) -> str:
    """A name that is no wider than `most`, with an ellipsis for what may not fit."""
    return shortened(text, lambda text: letters_width(text, size) <= most)


def card_lines(text: str, most: float, size: float) -> list[str]:
    """A sentence in lines that are no wider than `most`. A word that is wider is cut, with an ellipsis."""

    def fits(line: str) -> bool:
        return letters_width(line, size) <= most

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
