"""Who may know whom, and what lies where: what import-linter cannot see. And that kernels allocate no
records."""

from __future__ import annotations

import ast
import io
import json
import re
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import ludoteca
from ludoteca.game import Parts, load
from tests.built_in import BUILT_IN

PACKAGE = Path(ludoteca.__file__).parent
ROOT = PACKAGE.parents[1]
SOURCES = sorted(path for path in PACKAGE.rglob('*.py'))
WEB = (
    'fastapi',
    'starlette',
    'uvicorn',
    'sqlalchemy',
    'alembic',
    'htpy',
    'typer',
    'rich',
    'pettingzoo',
    'pyspiel',
    'ray',
)


def docstrings(tree: ast.AST) -> set[int]:
    """The lines on which docstrings and other texts that stand for themselves begin."""
    return {
        node.value.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding='utf-8')


@cache
def code_of(path: Path) -> str:
    """A Python file without comments and docstrings."""
    text = text_of(path)
    skipped = docstrings(ast.parse(text))
    return '\n'.join(
        token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type != tokenize.COMMENT
        and not (token.type == tokenize.STRING and token.start[0] in skipped)
    )


def names(path: Path, name: str) -> bool:
    """Does the code of a file, whatever its comments say, have this word?"""
    word = re.compile(rf'\b{name}\b', re.I)
    if not word.search(text_of(path)):
        return False
    return bool(word.search(code_of(path) if path.suffix == '.py' else script_of(path)))


@cache
def script_of(path: Path) -> str:
    """A script or style sheet without comments."""
    return re.sub(r'/\*.*?\*/|(?<!:)//[^\n]*', '', path.read_text(encoding='utf-8'), flags=re.S)


def outside_of_games() -> Iterator[Path]:
    for path in PACKAGE.rglob('*'):
        if not path.is_file() or path.is_relative_to(PACKAGE / 'games'):
            continue
        if {'vendor', 'documentation'} & set(path.parts):  # not ours; what `make docs` has built
            continue
        if path.suffix in ('.py', '.js', '.css', '.html', '.toml', '.ini', '.mako'):
            yield path


@pytest.mark.smoke
def test_nothing_outside_a_game_names_it() -> None:
    assert BUILT_IN
    for path in outside_of_games():
        for name in BUILT_IN:
            assert not names(path, name), f'{path.relative_to(ROOT)} names {name}'


def test_a_game_names_no_other() -> None:
    for name in BUILT_IN:
        for path in (PACKAGE / 'games' / name).rglob('*.py'):
            for other in BUILT_IN:
                assert other == name or not names(path, other), f'{path.relative_to(ROOT)} names {other}'


LOADED = """
import os, sys, ludoteca
ludoteca.game_names()
print(*sys.modules, flush=True)

def after(names):
    if not os.fork():
        for name in names:
            ludoteca.load(name)
        print(*sys.modules, flush=True)
        os._exit(0)
    os.wait()

after(sys.argv[1:])
import numba
for name in sys.argv[1:]:
    after([name])
"""


@pytest.fixture(scope='module')
def modules() -> dict[str, list[str]]:
    """By game what is loaded with it, without a game ('') and with all ('all'). Each game is loaded by a
    child of one process, which has imported Numba and no game; all of them before it has imported Numba."""
    result = subprocess.run(
        [sys.executable, '-c', LOADED, *BUILT_IN],
        text=True,
        capture_output=True,
        check=True,
        env={'PYTHONPATH': str(PACKAGE.parent), 'PATH': '', 'HOME': str(Path.home())},
    )
    lines = [line.split() for line in result.stdout.splitlines()]
    return dict(zip(('', 'all', *BUILT_IN), lines, strict=True))


def test_importing_the_package_loads_no_game_and_no_server(modules: dict[str, list[str]]) -> None:
    loaded = modules['']
    assert 'ludoteca.game' in loaded
    assert [name for name in loaded if name.startswith('ludoteca.games.')] == []
    assert [name for name in loaded if name.split('.')[0] in WEB] == []


@pytest.mark.parametrize('name', BUILT_IN)
def test_loading_a_game_loads_no_other_and_no_server(modules: dict[str, list[str]], name: str) -> None:
    loaded = modules[name]
    assert f'ludoteca.games.{name}' in loaded
    assert [other for other in BUILT_IN if f'ludoteca.games.{other}' in loaded] == [name]
    assert [module for module in loaded if module.split('.')[0] in WEB] in ([], ['htpy'])
    assert [
        layer for layer in ('match', 'store', 'web', 'cli', 'search') if f'ludoteca.{layer}' in loaded
    ] == []


def test_loading_games_calls_no_kernel(modules: dict[str, list[str]]) -> None:
    """It would load Numba and what has been compiled, half a second in every process that shows games and
    plays none."""
    loaded = modules['all']
    assert [name for name in BUILT_IN if f'ludoteca.games.{name}' in loaded] == [*BUILT_IN]
    assert 'numba' not in loaded


# ---- the two floors of a game ------------------------------------------------------------------------------

LOWER = {'__init__', 'components', 'options', 'rules', 'knowledge', 'evaluation', 'notation', 'symmetries'}
UPPER = {
    '__init__',
    'facts',
    'symbols',
    'board',
    'cards',
    'targets',
    'wording',
    'events',
    'explanations',
    'places',
    'reasons',
}
# a game without options; one whose drawing refers to no definitions; one that gives no reasons
MAY_LACK = {'symmetries', 'options', 'symbols', 'reasons'}
LARGE_CARDS = {'payment', 'scoring', 'museum'}  # a large card may have a file of its own beside cards.py
OLD_NAMES = (
    'acrylic',
    'art',
    'beside',
    'drawing',
    'figures',
    'happened',
    'labels',
    'reading',
    'redraft',
    'rounds',
    'speech',
)
PLACE_OF_PART = {  # the module that implements a part
    'notation': 'notation',
    'board': 'view.board',
    'panels': 'view.cards',
    'targets': 'view.targets',
    'wording': 'view.wording',
    'events': 'view.events',
    'cards': 'view.cards',
    'explanations': 'view.explanations',
    'places': 'view.places',
    'reasons': 'view.reasons',
    'pictures': 'view.board',
    'figures': 'view.board',
    'stages': 'view.wording',
    'pencils': 'view.targets',
    'redrafts': 'view.targets',
    'shortcuts': 'view.targets',
    'lists': 'view.targets',
    'arranges': 'view.targets',
    'yardstick': 'evaluation',
}
PLACE_OF_KERNEL = {
    **dict.fromkeys(('setup', 'legal_actions', 'apply', 'scores', 'outcome', 'revealed'), 'rules'),
    **dict.fromkeys(
        ('hide', 'guess', 'observe', 'mover_view', 'forget', 'prepare', 'hide_action'), 'knowledge'
    ),
    **dict.fromkeys(('estimate', 'foresee'), 'evaluation'),
}
GAME_PACKAGES = {name: f'ludoteca.games.{name}' for name in BUILT_IN} | {'toy': 'tests.toy'}
GAME_FOLDERS = {name: PACKAGE / 'games' / name for name in BUILT_IN} | {'toy': ROOT / 'tests' / 'toy'}
TESTS_OF_TOY = ('test_', 'alternatives')  # they lie beside the toy game
every_game = pytest.mark.parametrize('name', GAME_FOLDERS)


def imported(path: Path, package: str) -> Iterator[str]:
    """What a file imports, and each name that it imports from somewhere; `package` is the one that it lies
    in."""
    for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split('.')[: 1 - node.level or None] if node.level else []
            module = '.'.join([*up, *([node.module] if node.module else [])])
            yield from (f'{module}.{alias.name}' for alias in node.names)


@every_game
def test_no_kernel_lies_where_a_game_is_drawn_and_worded(name: str) -> None:
    files = sorted((GAME_FOLDERS[name] / 'view').rglob('*.py'))
    assert files, f'{name} has no view/'
    for path in files:
        assert [
            one
            for one in imported(path, f'{GAME_PACKAGES[name]}.view')
            if re.match(r'numba\b|ludoteca\.kernel\.(kernel|specialise|compile)\b|ludoteca\.kernel$', one)
        ] == [], path
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                assert not [
                    one
                    for one in node.decorator_list
                    if re.search(r'kernel|specialise|jit', ast.unparse(one))
                ], f'{path}:{node.lineno}: {node.name}'


@every_game
def test_every_game_has_the_same_files(name: str) -> None:
    folder = GAME_FOLDERS[name]
    lower = {
        path.stem
        for path in folder.glob('*.py')
        if not (name == 'toy' and path.stem.startswith(TESTS_OF_TOY))
    }
    upper = {
        path.relative_to(folder / 'view').with_suffix('').as_posix()
        for path in (folder / 'view').rglob('*.py')
    }
    assert lower <= LOWER
    assert lower >= LOWER - MAY_LACK
    assert upper <= UPPER | LARGE_CARDS
    assert upper >= UPPER - MAY_LACK
    for card in upper & LARGE_CARDS:
        tree = ast.parse((folder / 'view' / f'{card}.py').read_text(encoding='utf-8'))
        assert 'card' in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, (
            f'{card}.py draws no card'
        )


@every_game
def test_the_same_thing_lies_in_the_same_file_in_all_games(name: str) -> None:
    from tests.toy import GAME

    game, package = GAME if name == 'toy' else load(name), GAME_PACKAGES[name]
    assert PLACE_OF_PART.keys() == set(Parts.__dataclass_fields__)
    for part, place in PLACE_OF_PART.items():
        module = getattr(game.parts, part)
        assert module is None or module.__name__ == f'{package}.{place}', part
    for one, place in PLACE_OF_KERNEL.items():
        kernel = getattr(game.kernels, one)
        assert kernel is None or kernel.__module__ in (
            f'{package}.{place}',
            'ludoteca.kernel.open_defaults',
        ), one


def test_no_file_goes_by_an_old_name() -> None:
    texts = [
        path
        for place in (PACKAGE / 'games', ROOT / 'docs', ROOT / 'tests')
        for path in place.rglob('*')
        if path.suffix in ('.py', '.md', '.toml')
    ]
    for path in texts:
        text = path.read_text(encoding='utf-8')
        assert not re.search(rf'(?<![\w/])({"|".join(OLD_NAMES)})\.py\b', text), path
        assert not re.search(
            rf'\bgames\.\w+(\.({"|".join(OLD_NAMES)})\b| import ({"|".join(OLD_NAMES)})\b)', text
        ), path


@every_game
def test_nothing_below_a_view_imports_it(name: str) -> None:
    """import-linter says the same of the games in the package."""
    for path in sorted(GAME_FOLDERS[name].glob('*.py')):
        if path.stem in LOWER - {'__init__'}:
            found = [
                one
                for one in imported(path, GAME_PACKAGES[name])
                if f'{one}.'.startswith(f'{GAME_PACKAGES[name]}.view.')
            ]
            assert found == [], path


DIGESTS = """
import importlib, json, sys
from ludoteca.game import Kernels
from ludoteca.kernel.digest import digest_of
found = {}
for name in sys.argv[1:]:
    for file in ('rules', 'knowledge', 'evaluation'):
        module = importlib.import_module(f'ludoteca.games.{name}.{file}')
        found[name, file] = {key: digest_of(vars(module)[key]) for key in Kernels._fields if key in vars(module)}
print(json.dumps([[*key, value] for key, value in found.items()]))
"""  # noqa: E501


def test_no_change_of_what_is_drawn_or_worded_compiles_anything(tmp_path: Path) -> None:
    """The digests of a game's kernels, which cover all kernels that they call, are the same if the whole of
    view/ is taken away, with the declaration that names it. So no change of a line or a comment there can
    change one."""
    bare = tmp_path / 'ludoteca'
    bare.mkdir()
    for path in PACKAGE.iterdir():
        if path.name != 'games':
            (bare / path.name).symlink_to(path)
    shutil.copytree(
        PACKAGE / 'games', bare / 'games', ignore=shutil.ignore_patterns('view', 'examples', '__pycache__')
    )
    for name in BUILT_IN:
        (bare / 'games' / name / '__init__.py').write_text('')
    found = []
    for place in (PACKAGE.parent, tmp_path):
        result = subprocess.run(
            [sys.executable, '-c', DIGESTS, *BUILT_IN],
            text=True,
            capture_output=True,
            check=True,
            env={'PYTHONPATH': str(place), 'PATH': '', 'HOME': str(Path.home()), 'NUMBA_DISABLE_JIT': '0'},
        )
        found.append({(name, file): digests for name, file, digests in json.loads(result.stdout)})
    whole, without = found
    assert sum(map(len, whole.values())) > 12 * len(BUILT_IN)
    assert whole == without


# ---- kernels -----------------------------------------------------------------------------------------------


SEARCH_KERNELS = ('nodes', 'look_ahead', 'open_walk', 'secret_walk', 'shared_walk', 'simulate')


def kernels_of(path: Path) -> Iterator[ast.FunctionDef]:
    """Functions that are compiled: those under @kernel, and in the modules of searches the templates as
    well."""
    for node in ast.parse(path.read_text(encoding='utf-8')).body:
        if isinstance(node, ast.FunctionDef):
            decorated = any('kernel' in ast.unparse(decorator) for decorator in node.decorator_list)
            of_search = path.parent == PACKAGE / 'search' and path.stem in SEARCH_KERNELS
            if decorated or (of_search and not re.search(r'\bGame\b', ast.unparse(node))):
                yield node


def test_kernels_allocate_no_records() -> None:
    """A kernel does not keep a record's array alive: Numba frees it at its last mention, and the next
    allocation overwrites the record (numba issues 5853 and 9698). So records come from Python."""
    found = 0
    for path in [*SOURCES, *(ROOT / 'tests' / 'toy').glob('*.py')]:
        for function in kernels_of(path):
            found += 1
            for node in ast.walk(function):
                if isinstance(node, ast.Call):
                    called, whole = ast.unparse(node.func), ast.unparse(node)
                    allocates = re.search(r'\.(new|array|copy)$', called) or (
                        re.search(r'\b(empty|zeros|ones|full)(_like)?$', called)
                        and re.search('DTYPE|State|Work|Record', whole)
                    )
                    assert not allocates, f'{path.relative_to(ROOT)}:{node.lineno}: {whole}'
    assert found > 50


RENAMED_LATER = ('research', 'search')
"""Folders whose classes still share names with others. This constant goes away when theirs are renamed."""


def test_no_class_name_is_defined_twice_outside_of_games() -> None:
    places: dict[str, list[str]] = {}
    for path in SOURCES:
        place = path.relative_to(PACKAGE)
        if place.parts[0] not in ('games', *RENAMED_LATER):
            for node in ast.walk(ast.parse(text_of(path))):
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append(str(place))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_nothing_calls_numba_but_one_module() -> None:
    for path in SOURCES:
        if path != PACKAGE / 'kernel' / 'machine.py':
            assert not names(path, 'n?jit'), f'{path.relative_to(ROOT)} compiles by itself'


def test_no_compiled_code_lies_beside_the_sources() -> None:
    kinds = ('.nbi', '.nbc', '.kernel')
    assert [
        path for place in (PACKAGE, ROOT / 'tests') for path in place.rglob('*') if path.suffix in kinds
    ] == []
