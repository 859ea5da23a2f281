"""Pages that are made of the program while the documentation is built: rulebooks and the reference.

They are written into `docs/rulebooks` and `docs/reference`, which hold nothing else. A new game, and a new
name in `__all__`, get there without a line.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import ludoteca
from ludoteca import game as contract
from ludoteca.drawing.marks import favicon
from ludoteca.game import Game, GameError, Theme, load
from ludoteca.kernel import compile as forms
from ludoteca.web.html.illustrations import SPEC, Picture

INTERNAL = ('ludoteca.cli', 'ludoteca.games', 'ludoteca.__main__')
"""Not for programs: commands, and the games themselves, which are found by name."""
OPEN_PACKAGES = ('ludoteca.game', 'ludoteca.kernel')
"""Packages whose modules have more for authors of games than the package itself names."""
CLOSED = ('ludoteca.web', 'ludoteca.store', 'ludoteca.work')
"""Packages of which only what they name is for others."""
THEMES: tuple[Theme, ...] = ('light', 'dark')


def set_up(app: Any) -> None:
    """Called by Sphinx: make the pages before it reads any."""
    # before Sphinx looks for the logo
    app.connect('config-inited', lambda app, _: make(Path(app.srcdir)), priority=100)
    app.connect('source-read', _without_files)
    app.connect('autodoc-process-docstring', _as_rest)
    app.connect('missing-reference', _unnamed)


def make(docs: Path) -> None:
    """Write all pages. Files that would not change are left alone, and so Sphinx does not read them again."""
    forms.run_interpreted()  # drawings need no compiled rules
    (docs / '_static').mkdir(exist_ok=True)
    _write(docs / '_static' / 'emblem.svg', str(favicon()))
    for game in map(load, contract.games()):
        for theme in THEMES:
            _write(docs / _emblem(game, theme), svg_of(Picture(game.name, 'emblem', theme=theme)))
    _write_all(docs / 'rulebooks', dict(rulebooks()))
    _write_all(docs / 'reference', dict(reference()))


def svg_of(picture: Picture) -> str:
    return gzip.decompress(picture.packed()).decode()


def _write_all(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        _write(folder / name, text)
    for path in folder.rglob('*'):
        if path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text('utf-8') != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, 'utf-8')


# ---- rulebooks ---------------------------------------------------------------------------------------------


def rulebooks() -> Iterator[tuple[str, str]]:
    """The rulebook of each game as it is, with its pictures as files; and all games as cards."""
    yield 'games.txt', _cards()
    for game in map(load, contract.games()):
        pictures: dict[str, str] = {}
        shown = partial(_shown, game=game, pictures=pictures)
        text = SPEC.sub(shown, _with_alternatives(game.rules()))
        yield f'{game.name}.md', text
        yield from pictures.items()


def _cards() -> str:
    """The games with their pictures, to be included in a page beside the folder of the rulebooks."""
    cards = []
    for game in map(load, contract.games()):
        pictures = ''.join(f'![]({_emblem(game, theme)}){{.only-{theme}}}' for theme in THEMES)
        least, most = game.players[0], game.players[-1]
        players = f'{least}' if least == most else f'{least} to {most}'
        about = f'{game.words("tagline")} *For {players} players.*'
        link = f'**[{game.title}](rulebooks/{game.name}.md)**'
        cards.append(f':::{{container}} card\n{pictures}\n\n{link}\n\n{about}\n:::\n')
    return f'::::{{container}} cards\n{"".join(cards)}::::\n'


def _emblem(game: Game, theme: Theme) -> str:
    return f'_static/games/{game.name}-{theme}.svg'


IMAGE = re.compile(r'!(\[[^\]]*\]\((?:position|figure):[^)]+\))')


def _with_alternatives(text: str) -> str:
    """Every picture twice, one for each theme."""
    return IMAGE.sub(r'!\1{.only-light}!\1{.only-dark}', text)


def _shown(found: re.Match[str], game: Game, pictures: dict[str, str]) -> str:
    """The file of a picture that a rulebook names."""
    kind, name, turn = found.groups(default='')
    theme: Theme = 'dark' if found.string[found.end() :].startswith('{.only-dark') else 'light'
    picture = Picture(game.name, kind, name, turn, theme)
    file = f'pictures/{game.name}/{picture.file.name.removesuffix(".gz")}'
    pictures[file] = svg_of(picture)
    return f']({file})'


# ---- the reference -----------------------------------------------------------------------------------------


@cache
def public_modules() -> dict[str, tuple[str, ...]]:
    """The modules of the interface for Python, and the names for which each is responsible: those in
    `__all__`; for a module without it, those that are defined in it. A class or function stands in one place,
    the first that has it. Modules of extras that are not installed are left out."""
    found: dict[str, tuple[str, ...]] = {}
    taken = set[Any]()
    for name in _module_names():
        module = None
        with contextlib.suppress(GameError, ImportError):
            module = importlib.import_module(name)
        if module is None:
            continue
        own = {key: identity(getattr(module, key)) for key in _own_names(module)}
        names = [key for key, identity in own.items() if identity is None or identity not in taken]
        taken |= set(own.values())
        if names:
            found[name] = tuple(names)
    return found


def identity(thing: Any) -> tuple[str, str] | None:
    """Where a class or a function is from; None for other things, such as numbers."""
    if not (inspect.isclass(thing) or inspect.isfunction(getattr(thing, 'py_func', thing))):
        return None
    return thing.__module__, thing.__qualname__


def _module_names() -> Iterator[str]:
    yield 'ludoteca'
    for info in pkgutil.iter_modules(ludoteca.__path__, 'ludoteca.'):
        if info.name in INTERNAL:
            continue
        yield info.name
        if not info.ispkg or info.name in CLOSED:
            continue
        package = importlib.import_module(info.name)
        if not hasattr(package, '__all__') or info.name in OPEN_PACKAGES:
            yield from (
                one.name for one in pkgutil.iter_modules(package.__path__, f'{info.name}.') if not one.ispkg
            )


def _own_names(module: ModuleType) -> Sequence[str]:
    """The public names of a module that are defined in it, in their order."""
    if hasattr(module, '__all__'):
        return list(module.__all__)
    return [
        key
        for key, value in vars(module).items()
        if not key.startswith('_') and (identity(value) or ('',))[0] == module.__name__
    ]


def reference() -> Iterator[tuple[str, str]]:
    """A page for each module, below that of its package; and the contents, to be included in a page beside
    them."""
    modules = public_modules()
    packages = {one.rpartition('.')[0] for one in modules} - {'', 'ludoteca'}
    for name in sorted({*modules, *packages}):
        members = f':members: {", ".join(modules[name])}' if name in modules else ':no-members:'
        inner = [one for one in modules if one.rpartition('.')[0] == name != 'ludoteca']
        tree = _toctree(inner) if inner else ''
        yield f'{name}.rst', f'{name}\n{"=" * len(name)}\n\n.. automodule:: {name}\n   {members}\n{tree}'
    top = [f'reference/{one}' for one in sorted({*modules, *packages}) if one.count('.') < 2]
    lines = '\n'.join(top)
    yield 'contents.txt', f'```{{toctree}}\n:hidden:\n:caption: The interface for Python\n\n{lines}\n```\n'


def _toctree(pages: Sequence[str]) -> str:
    return '\n.. toctree::\n   :maxdepth: 1\n\n' + ''.join(
        f'   {one.rpartition(".")[2]} <{one}>\n' for one in pages
    )


def _unnamed(_app: Any, _environment: Any, wanted: Any, shown: Any) -> Any:
    """A type in a signature that a module keeps to itself is shown without a link."""
    target = wanted.get('reftarget', '')
    module, _, name = target.rpartition('.')
    internal = wanted.get('refdomain') == 'py' and hasattr(sys.modules.get(module), name)
    return shown if internal and name not in public_modules().get(module, ()) else None


OUTSIDE = re.compile(r'\[([^\]]+)\]\(\.\./[^)]*\)')


def _without_files(_app: Any, _page: str, source: list[str]) -> None:
    """A link of a page to a file that is not documentation leads somewhere only among the files."""
    source[0] = OUTSIDE.sub(r'\1', source[0])


def _as_rest(_app: Any, _what: str, _name: str, _thing: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings are plain text with indented examples: mark these as such."""
    lines[:] = rest(lines)


def rest(lines: Sequence[str]) -> list[str]:
    """Lines of a docstring in which an indented block below a sentence is an example, set as it stands."""
    out: list[str] = []
    for k, line in enumerate(lines):
        following = next((one for one in lines[k + 1 :] if one.strip()), '')
        below = k + 1 < len(lines) and not lines[k + 1].strip()
        indent = len(line) - len(line.lstrip())
        deeper = len(following) - len(following.lstrip()) > indent
        starts = (
            below
            and deeper
            and line.strip()
            and not line.rstrip().endswith('::')
            and not _in_block(out, line)
        )
        out.append(line)
        if starts:
            if line.rstrip().endswith(':'):
                out[-1] = line.rstrip() + ':'
            else:
                out += ['', ' ' * indent + '::']
    return out


def _in_block(out: Sequence[str], line: str) -> bool:
    """Is the line within a block that is set as it stands?"""
    indent = len(line) - len(line.lstrip())
    for earlier in reversed(out):
        if earlier.strip() and len(earlier) - len(earlier.lstrip()) < indent:
            return earlier.rstrip().endswith('::')
    return False
