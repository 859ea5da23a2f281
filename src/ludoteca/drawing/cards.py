"""What the drawings of cards have in common."""

from __future__ import annotations

from markupsafe import Markup

from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import number, tag, words


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
