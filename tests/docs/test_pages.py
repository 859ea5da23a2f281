"""The documentation is whole: every page has its place, and every public name is explained."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
import tomllib
from pathlib import Path

import pytest

from ludoteca.game import games
from scripts.documentation import generated, strict_pages

DOCS = Path(__file__).parent.parent.parent / 'docs'
PAGES = {
    path.relative_to(DOCS).with_suffix('').as_posix()
    for path in (*DOCS.glob('*.md'), *DOCS.glob('gallery/*.md'))
}
ARCHITECTURE = (DOCS / 'architecture.md').read_text()
FOR_FILES = {'README'}
"""The list of pages for readers of the files; on the site the contents are in its place."""
MODULES = generated.public_modules()


def entries(page: str) -> list[str]:
    """The pages that the tables of contents of a page name."""
    trees = re.findall(
        r'^```\{toctree\}\n(.*?)^```', (DOCS / f'{page}.md').read_text(), re.MULTILINE | re.DOTALL
    )
    return [line for tree in trees for line in tree.split() if not line.startswith((':', 'caption'))]


def test_every_page_stands_once_in_the_contents() -> None:
    named = [entry for page in PAGES for entry in entries(page) if '*' not in entry and entry in PAGES]
    assert sorted(named) == sorted(PAGES - FOR_FILES - {'index'})


def test_every_page_stands_in_the_list_of_files() -> None:
    listed = set(re.findall(r'\]\(([\w-]+)\.md', (DOCS / 'README.md').read_text()))
    assert listed >= {page for page in PAGES - FOR_FILES if '/' not in page}


def test_the_layers_of_the_server_are_those_that_import_linter_holds() -> None:
    settings = tomllib.loads((DOCS.parent / 'pyproject.toml').read_text())
    [held] = [one for one in settings['tool']['importlinter']['contracts'] if one['id'] == 'web']
    block = ARCHITECTURE.split('### Who may know whom inside the server')[1].split('```')[1]
    shown = [re.split(r'\s{2,}', line.strip())[0].split(' · ') for line in block.strip().splitlines()]
    assert [sorted(one) for one in shown] == [sorted(one.split(' | ')) for one in held['layers']]


@pytest.mark.parametrize(
    'folder',
    ['api', 'html', 'live', 'offers', 'pages', 'people', 'pictures', 'routes', 'serving', 'static', 'table'],
)
def test_every_module_of_a_page_and_of_the_browser_is_named_where_the_architecture_is_told(
    folder: str,
) -> None:
    here = DOCS.parent / 'src/ludoteca/web' / folder
    names = {path.name for path in here.glob('*.js')} or {path.stem for path in here.glob('*.py')}
    if folder == 'static':
        told = ARCHITECTURE.split('## The browser')[1]
    else:
        [told] = re.findall(rf'^\| `{folder}/` \|.*\n(?:\| \| .*\n)*', ARCHITECTURE, re.MULTILINE)
    assert not [name for name in sorted(names - {'__init__'}) if f'`{name}`' not in told]


@pytest.mark.parametrize('name', MODULES)
def test_every_public_name_is_explained(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    for key in MODULES[name]:
        thing = getattr(module, key)
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
            continue
        assert inspect.getdoc(thing), f'{name}.{key} has no docstring'
        for part, value in vars(thing).items() if inspect.isclass(thing) else ():
            if part.startswith('_') or part in getattr(thing, '__dataclass_fields__', ()):
                continue
            if isinstance(value, property) or inspect.isfunction(value):
                assert inspect.getdoc(getattr(thing, part)), f'{name}.{key}.{part} has no docstring'


def test_what_packages_name_is_in_the_reference() -> None:
    found = {
        generated.identity(getattr(importlib.import_module(module), key)) or key
        for module, names in MODULES.items()
        for key in names
    }
    for name in ('game', 'search', 'match', 'review', 'analysis', 'puzzles', 'lessons', 'kernel', 'batch'):
        module = importlib.import_module(f'ludoteca.{name}')
        missing = [
            key for key in module.__all__ if (generated.identity(getattr(module, key)) or key) not in found
        ]
        assert not missing, name
    pages = dict(generated.reference())
    for module_name, names in MODULES.items():
        assert f':members: {", ".join(names)}\n' in pages[f'{module_name}.rst']


@pytest.mark.parametrize(
    'name', [name for name in MODULES if '>>> ' in inspect.getsource(importlib.import_module(name))]
)
def test_examples_of_docstrings_are_true(name: str) -> None:
    flags = doctest.REPORT_NDIFF | doctest.IGNORE_EXCEPTION_DETAIL
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=flags)
    assert (failed, tried > 0) == (0, True)


def test_rulebooks_are_shown_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, 'svg_of', lambda picture: f'<svg>{picture.draw.__name__}')
    made = dict(generated.rulebooks())
    for name in games():
        page = made[f'{name}.md']
        assert 'position:' not in page.replace('position: ', '')
        for file in re.findall(r'\]\((pictures/[^)]+)\)', page):
            assert made[file].startswith('<svg')
        assert f'rulebooks/{name}.md' in made['games.txt']


def test_indented_blocks_of_docstrings_are_examples() -> None:
    text = [
        'A sentence.',
        '',
        '    x = 1',
        '        y',
        '',
        'And so:',
        '',
        '    z',
        '',
        '* a list',
        '  goes on',
    ]
    assert generated.rest(text) == [
        'A sentence.', '', '::', '', '    x = 1', '        y', '',
        'And so::', '', '    z', '', '* a list', '  goes on'
    ]  # fmt: skip


def test_pages_are_left_with_nothing_inline(tmp_path: Path) -> None:
    (tmp_path / '_static').mkdir()
    (tmp_path / 'deep').mkdir()
    (tmp_path / '_static' / 'a.css').write_text(
        "a { mask: url('data:image/svg+xml;charset=utf-8,<svg></svg>') }"
    )
    page = tmp_path / 'deep' / 'page.html'
    page.write_text(
        '<head><style>a { color: red }</style></head><script>run()</script>'
        '<p class="b" style="top: 0">x</p><col style="width: 5%"><script src="kept.js"></script>'
    )
    strict_pages.make_strict(tmp_path)
    text = page.read_text()
    assert not strict_pages.inline(text)
    assert 'src="kept.js"' in text
    classes = re.findall(r'class="([^"]*)"', text)
    rules = (tmp_path / '_static' / strict_pages.STYLES).read_text()
    assert [one.split()[0] for one in classes] == ['b', classes[1]]
    assert all(f'.{one.split()[-1]} {{' in rules for one in classes)
    for file in re.findall(r'(?:href|src)="(\.\./_static/[^"]+)"', text):
        assert (page.parent / file).exists()
    assert 'data:' not in (tmp_path / '_static' / 'a.css').read_text()
    strict_pages.make_strict(tmp_path)
    assert page.read_text() == text, 'once is enough'
