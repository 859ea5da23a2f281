"""Pictures in pixels: SVG that stands alone as PNG.

The renderer, resvg, holds Python's global lock while it works: a server calls it in processes of its own.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FONTS = Path(__file__).parent / 'fonts'
"""Cut out of Inter 4.1 by scripts/fonts.py; SIL Open Font License 1.1."""
FAMILY = 'Inter'
_DRAWN = re.compile('[\x00-\x7e\xa0-ɏͰ-џҐ-ҟḀ-ỿ‐-\u203f€←-↙−√≠≤≥⏎★☆✓✗]*')
"""Texts that need no other font."""


@cache
def font_files() -> tuple[str, ...]:
    """The fonts of pictures."""
    return tuple(str(path) for path in sorted(FONTS.glob('*.ttf')))


def png(svg: str, width: int) -> bytes:
    """An SVG picture as PNG, `width` pixels wide, with Ludoteca's own font. Names in other scripts are drawn
    in fonts of the system, as far as it has some. Raises ValueError for anything but an SVG picture."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            style_sheet=f'text, tspan {{ font-family: "{FAMILY}", sans-serif }}',
            font_family=FAMILY,
            sans_serif_family=FAMILY,
            monospace_family=FAMILY,
            font_files=list(font_files()),
            # to look for the system's fonts takes longer than most pictures
            skip_system_fonts=_DRAWN.fullmatch(svg) is not None,
        )
    )
