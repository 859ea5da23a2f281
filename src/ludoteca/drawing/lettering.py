"""Text that must fit: how wide it is in the font of pages and pictures, and how it breaks into lines."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ludoteca.drawing.raster import FONT

_UNITS = 100  # the size at which widths are measured


@lru_cache(8)
def _font(weight: int) -> Any:
    from PIL import ImageFont

    font = ImageFont.truetype(FONT, _UNITS)
    font.set_variation_by_axes([weight])
    return font


@lru_cache(4096)
def width(text: str, size: float, weight: int = 400) -> float:
    """The width of a text, in the units of its size, in a weight from 400 to 850."""
    return float(_font(weight).getlength(text)) * size / _UNITS


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """The text, with an ellipsis for what does not fit."""
    if fits(text):
        return text
    while text and not fits(f'{text.rstrip()}…'):
        text = text[:-1]
    return f'{text.rstrip()}…'


def cut(text: str, most: float, size: float, weight: int = 400) -> str:
    """The text, with an ellipsis for what does not fit into `most`."""
    return shortened(text, lambda text: width(text, size, weight) <= most)


def lines(text: str, most: float, size: float, weight: int = 400, count: int = 2) -> list[str]:
    """The text in at most `count` lines that are no wider than `most`; what does not fit is cut off with an
    ellipsis."""
    found: list[str] = []
    left = text.split()
    while left and len(found) < count:
        if len(found) == count - 1:
            found.append(cut(' '.join(left), most, size, weight))
            break
        words = 1
        while words < len(left) and width(' '.join(left[: words + 1]), size, weight) <= most:
            words += 1
        found.append(cut(' '.join(left[:words]), most, size, weight))
        left = left[words:]
    return found
