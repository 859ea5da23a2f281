"""What the drawings of boards have in common."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from ludoteca.drawing.marks import last_lines
from ludoteca.drawing.palette import var
from ludoteca.drawing.svg import NAMESPACE, number, tag


def board_svg(box: Iterable[float], label: str, *layers: str, **more: str | float | None) -> Markup:
    """The drawing of a board, in the page's type: its layers from the bottom to the top. `box` is the view
    box: left, top, width, height."""
    return tag(
        'svg',
        *layers,
        xmlns=NAMESPACE,
        class_='board',
        viewBox=' '.join(map(number, box)),
        role='group',
        aria_label=label,
        font_family=var('font'),
        **more,
    )


def focus_ring(shape: str, **attributes: str | float | None) -> Markup:
    """The focus ring of a target, shown by keyboard focus only: the outline of an element `shape`, such as
    `rect`, with these attributes."""
    return tag(
        'g',
        tag(shape, class_='case', **attributes),
        tag(shape, class_='core', **attributes),
        class_='focus',
        display='none',
        fill='none',
    )


def last_paths(data: str, colour: str, width: float) -> list[Markup]:
    """The mark of what a player did last (`marks.last_lines`), along the path `data`."""
    return [
        tag(
            'path',
            d=data,
            fill='none',
            stroke=ink,
            stroke_width=wide,
            stroke_linecap='round',
            stroke_linejoin='round',
        )
        for ink, wide in last_lines(colour, width)
    ]
