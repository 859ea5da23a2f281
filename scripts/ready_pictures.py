#!/usr/bin/env python3
"""Draw the lobby's and the rules pages' pictures anew into src/ludoteca/web/ready (`make pictures`)."""

from __future__ import annotations

from ludoteca.kernel import compile as forms
from ludoteca.web.pictures import READY, make_ready

if __name__ == '__main__':
    forms.run_interpreted()
    made = make_ready()
    print(f'{len(made)} pictures, {sum(path.stat().st_size for path in made) // 1024} KB, in {READY}')
