#!/usr/bin/env python3
"""Build the documentation (`make docs`).

    make_docs.py            every warning is an error, and notebooks are run; then the pages are put where a
                            server finds them
    make_docs.py --links    look up the links to other sites instead; this needs a network
    make_docs.py --plain    leave the results of notebooks out: quick, for writers

The site is made in `build/docs/site`. A server shows it at `/docs`, from `ludoteca/web/documentation` of the
package, a folder that wheels take along if it is there. Needs the extra `docs`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / 'build' / 'docs'
SERVED = ROOT / 'src' / 'ludoteca' / 'web' / 'documentation'
NOT_SERVED = ('.buildinfo', '.doctrees', '_sources', 'objects.inv', '*.map')


def sphinx(builder: str, *arguments: str, notebooks: bool = True, output: Path = BUILD / 'site') -> int:
    """Run a builder of Sphinx; warnings are errors."""
    environment = dict(os.environ)
    if not notebooks:
        environment['LUDOTECA_NOTEBOOKS'] = 'off'
    trees = output.parent / f'doctrees-{builder}{"" if notebooks else "-plain"}'
    command = [sys.executable, '-m', 'sphinx', '-b', builder, '-W', '--keep-going', '-q', '-d', str(trees)]
    return subprocess.run(
        [*command, *arguments, str(ROOT / 'docs'), str(output)], env=environment, check=False
    ).returncode


def publish(site: Path, served: Path = SERVED) -> None:
    """Put a site where the server finds it: as a whole or not at all."""
    fresh, old = served.with_name('documentation.new'), served.with_name('documentation.old')
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(site, fresh, ignore=shutil.ignore_patterns(*NOT_SERVED))
    if served.exists():
        served.rename(old)
    fresh.rename(served)
    shutil.rmtree(old, ignore_errors=True)


def main(arguments: list[str]) -> int:
    """What the command line asks for."""
    if set(arguments) - {'--links', '--plain'}:
        print(__doc__)
        return 2
    if '--links' in arguments:
        return sphinx('linkcheck', notebooks=False, output=BUILD / 'links')
    if status := sphinx('html', notebooks='--plain' not in arguments):
        return status
    publish(BUILD / 'site')
    pages = sum(1 for _ in SERVED.rglob('*.html'))
    print(f'{pages} pages. A server shows them at /docs; by themselves they are in {BUILD / "site"}.')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
