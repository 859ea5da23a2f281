"""`new-game`: write a small game that runs at once, to be changed into one's own.

The files lie in template/, each with `.txt` after its name, since they are no modules of this package. There
`$name` stands for the name of the game, `$title` for its title and `$kind` for its class.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from string import Template

from ludoteca.cli.common import fail, reason
from ludoteca.game import games
from ludoteca.game.registry import PLACES
from ludoteca.text import words

TEMPLATE = Path(__file__).parent / 'template'
NAME = re.compile(r'[a-z][a-z0-9_]{0,39}')


def new_game(name: str, into: str) -> None:
    """Write the folder of a new game, whole or not at all, and say how to play it. Raises GameError."""
    check_name(name)
    parent = Path(into)
    target = parent / name
    if not parent.is_dir():
        fail('no_folder', path=into)
    if os.path.lexists(target):
        fail('folder_exists', path=target)
    if find_spec(name):
        fail('module_name', name=name)
    temporary = ''
    try:
        temporary = tempfile.mkdtemp(prefix=f'.{name}.', dir=parent)
        for file, text in files(name):
            Path(temporary, file).write_text(text, encoding='utf-8')
        Path(temporary).chmod(0o755)
        Path(temporary).rename(target)
    except OSError as error:
        fail('unwritable', path=target, reason=reason(error))
    finally:
        if temporary:
            shutil.rmtree(temporary, ignore_errors=True)
    setting = f'{"set" if sys.platform == "win32" else "export"} {PLACES}={parent.resolve()}'
    print(words('cli.new_game.done', path=target, setting=setting, name=name))


def check_name(name: str) -> None:
    """Raises GameError if no new game can have this name."""
    if not NAME.fullmatch(name) or iskeyword(name):
        better = re.sub(r'[^a-z0-9]+', '_', name.lower()).strip('_')
        good = NAME.fullmatch(better) and not iskeyword(better)
        fail('game_name', given=name[:40], better=better if good else 'my_game')
    if name in games():
        fail('game_exists', name=name)


def files(name: str) -> Iterator[tuple[str, str]]:
    """The files of a new game of that name, each with its text."""
    title = name.replace('_', ' ').strip().capitalize()
    values = {'name': name, 'title': title, 'kind': ''.join(part.capitalize() for part in name.split('_'))}
    for path in sorted(TEMPLATE.glob('*.txt')):
        yield path.stem, Template(path.read_text(encoding='utf-8')).substitute(values)
