#!/usr/bin/env python3
"""Draw the lobby's and the rules pages' pictures anew into src/ludoteca/web/ready, and the icons of
the installed site into src/ludoteca/web/static/icons (`make pictures`)."""

from __future__ import annotations

from ludoteca.kernel import compile as forms
from ludoteca.web.pictures import ICON_FOLDER, READY, make_icons, make_ready

if __name__ == '__main__':
    forms.run_interpreted()
    made = make_ready()
    print(f'{len(made)} pictures, {sum(path.stat().st_size for path in made) // 1024} KB, in {READY}')
    icons = make_icons()
    print(f'{len(icons)} icons, {sum(path.stat().st_size for path in icons) // 1024} KB, in {ICON_FOLDER}')
