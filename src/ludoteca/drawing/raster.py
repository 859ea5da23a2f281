"""Pictures in pixels: SVG that stands alone as PNG.

The renderer, resvg, holds Python's global lock while it works: a server calls it in processes of its own.
"""

from __future__ import annotations

import re
from pathlib import Path

FONT = Path(__file__).parent / 'fonts' / 'Inter.ttf'
"""Cut out of Inter 4.1 by scripts/fonts.py, with all weights from 400 to 850; SIL Open Font License 1.1."""
FAMILY = 'Inter'
_DRAWN = re.compile('[\x00-\x7e\xa0-ɏͰ-џҐ-ҟḀ-ỿ‐-\u203f€←-↙−√≠≤≥⏎★☆✓✗]*')
"""Texts that need no other font."""
_WEIGHT = re.compile(r'(?<=font-weight=")[0-9]+(?=")')


def _in_hundreds(weight: re.Match[str]) -> str:
    """The nearest weight that resvg reads; the heavier one if two are as near."""
    return str((int(weight[0]) + 50) // 100 * 100)


def png(svg: str, width: int) -> bytes:
    """An SVG picture as PNG, `width` pixels wide, with Ludoteca's own font. Names in other scripts are drawn
    in fonts of the system, as far as it has some. Raises ValueError for anything but an SVG picture."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=_WEIGHT.sub(_in_hundreds, svg),
            width=width,
            style_sheet=f'text, tspan {{ font-family: "{FAMILY}", sans-serif }}',
            font_family=FAMILY,
            sans_serif_family=FAMILY,
            monospace_family=FAMILY,
            font_files=[str(FONT)],
            # to look for the system's fonts takes longer than most pictures
            skip_system_fonts=_DRAWN.fullmatch(svg) is not None,
        )
    )
