#!/usr/bin/env python3
"""Draw the lobby's and the rules pages' pictures anew into src/ludoteca/web/ready, the icons of the installed
site into src/ludoteca/web/static/icons, and the pictures of the README into docs (`make pictures`)."""

from __future__ import annotations

from pathlib import Path

from ludoteca.game import games, load
from ludoteca.kernel import compile as forms
from ludoteca.web.html.illustrations import ICON_FOLDER, READY, make_icons, make_ready

DOCS = Path(__file__).resolve().parent.parent / 'docs'


def make_readme_pictures(folder: Path = DOCS) -> list[Path]:
    """Draw the emblem of each game into `folder`, as the README shows it. Returns the files."""
    made = [folder / f'{name}.svg' for name in games()]
    for path in made:
        path.write_text(load(path.stem).emblem(), encoding='utf-8')
    return made


if __name__ == '__main__':
    forms.run_interpreted()
    made = make_ready()
    print(f'{len(made)} pictures, {sum(path.stat().st_size for path in made) // 1024} KB, in {READY}')
    icons = make_icons()
    print(f'{len(icons)} icons, {sum(path.stat().st_size for path in icons) // 1024} KB, in {ICON_FOLDER}')
    shown = make_readme_pictures()
    print(f'{len(shown)} pictures, {sum(path.stat().st_size for path in shown) // 1024} KB, in {DOCS}')
