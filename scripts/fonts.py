#!/usr/bin/env python3
"""Cut the fonts of pages and pictures out of Inter.

    python scripts/fonts.py FOLDER

FOLDER holds `InterVariable.woff2`, which the npm package `inter-ui` has in `variable/` (version 4.1.1 was
used). Pages get a WOFF2 file for each `@font-face` of app.css, with the characters of its `unicode-range`.
Pictures get all of them in one TrueType file, since resvg reads no WOFF2. FontTools and Brotli must be
installed; nothing else needs them, so no lock lists them.
"""

from __future__ import annotations

import re
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1] / 'src' / 'ludoteca'
STATIC = PACKAGE / 'web' / 'static'
PICTURES = PACKAGE / 'drawing' / 'fonts' / 'Inter.ttf'
AXES = {'opsz': 14, 'wght': (400, 850)}
"""One design for all sizes, so that the width of a text grows with its size, and the weights that pages and
drawings use."""
FEATURES = ['kern', 'ccmp', 'locl', 'tnum']
NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14]
FACE = re.compile(r'@font-face \{[^}]*url\((fonts/[^)]+)\)[^}]*unicode-range: ([^;]+);')
RANGE = re.compile(r'U\+([0-9A-F]+)(?:-([0-9A-F]+))?')


def ranges() -> dict[str, list[int]]:
    """The characters of each page font, by its path, as app.css declares them."""
    return {
        path: [
            character
            for first, last in RANGE.findall(declared)
            for character in range(int(first, 16), int(last or first, 16) + 1)
        ]
        for path, declared in FACE.findall((STATIC / 'app.css').read_text('utf-8'))
    }


def source(folder: Path) -> bytes:
    """Inter with the axes that are used, named Inter."""
    from fontTools import ttLib
    from fontTools.varLib import instancer

    whole = ttLib.TTFont(folder / 'InterVariable.woff2', recalcTimestamp=False)
    font = instancer.instantiateVariableFont(whole, AXES)
    for record in font['name'].names:
        record.string = str(record).replace('InterVariable', 'Inter').replace('Inter Variable', 'Inter')
    return packed(font, None)


def packed(font: Any, flavor: str | None) -> bytes:
    """A font as a file."""
    font.flavor = flavor
    file = BytesIO()
    font.save(file)
    return file.getvalue()


def cut(font: bytes, characters: list[int], flavor: str | None) -> bytes:
    """A font with these characters only, as far as it has them."""
    from fontTools import subset, ttLib

    options = subset.Options(layout_features=FEATURES, name_IDs=NAMES, hinting=False, notdef_outline=True)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    smaller = ttLib.TTFont(BytesIO(font), recalcTimestamp=False)
    cutter.subset(smaller)
    return packed(smaller, flavor)


def main(folder: Path) -> None:
    """Write all fonts, and print how large they are."""
    font, found = source(folder), ranges()
    files = {STATIC / path: cut(font, characters, 'woff2') for path, characters in found.items()}
    files[PICTURES] = cut(font, [character for face in found.values() for character in face], None)
    for file, content in files.items():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
        print(f'{file.name}: {len(content) / 1000:.1f} KB')


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
