#!/usr/bin/env python3
"""Cut the fonts of pictures out of Inter: the characters of Western, Central European, Greek and Cyrillic
names, and the signs that drawings use.

    python scripts/fonts.py FOLDER

FOLDER holds Inter's static fonts as its npm package `inter-ui` has them in `web/` (version 4.1.1 was used).
FontTools and Brotli must be installed; they are needed for nothing else, and so are in no lock.
"""

from __future__ import annotations

import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / 'src' / 'ludoteca' / 'drawing' / 'fonts'
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x1E00, 0x1F00)]
GREEK_CYRILLIC = [*range(0x370, 0x400), *range(0x400, 0x460), *range(0x490, 0x4A0)]
SIGNS = [
    *range(0x2010, 0x2040),
    0x20AC,
    *range(0x2190, 0x219A),
    0x2212,
    0x221A,
    0x2260,
    0x2264,
    0x2265,
    0x23CE,
]
SIGNS += [0x2605, 0x2606, 0x2713, 0x2717, 0xFFFD]
FONTS = {
    'Inter-Regular': LATIN + GREEK_CYRILLIC + SIGNS,
    'Inter-SemiBold': LATIN + GREEK_CYRILLIC + SIGNS,
    'Inter-ExtraBold': LATIN + GREEK_CYRILLIC + SIGNS,
    'Inter-SemiBoldItalic': [*range(0x20, 0x7F), *range(0xA0, 0x100), *SIGNS],
}
"""By the name of a font the characters that stay in it."""


def cut(source: Path, name: str, characters: list[int]) -> bytes:
    """A font with these characters only, as TrueType or OpenType without compression: what resvg reads."""
    from fontTools import subset, ttLib  # type: ignore[import-not-found, unused-ignore]

    font = ttLib.TTFont(source / f'{name}.woff2')
    options = subset.Options(
        layout_features=['kern', 'mark', 'ccmp', 'locl'], hinting=False, notdef_outline=True
    )
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    font.flavor = None
    target = TARGET / f'{name}.ttf'
    font.save(target)
    return target.read_bytes()


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, characters in FONTS.items():
        print(f'{name}: {len(cut(Path(sys.argv[1]), name, characters)) // 1024} KB')
