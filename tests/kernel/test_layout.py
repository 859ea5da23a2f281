"""Who may know whom: what import-linter cannot see. And that kernels allocate no records."""
from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import ludoteca
from ludoteca.game import games

PACKAGE = Path(ludoteca.__file__).parent
ROOT = PACKAGE.parents[1]
BUILT_IN = tuple(name for name in games() if (PACKAGE / 'games' / name).is_dir())
SOURCES = sorted(path for path in PACKAGE.rglob('*.py'))
WEB = ('fastapi', 'starlette', 'uvicorn', 'sqlalchemy', 'alembic', 'htpy', 'typer', 'rich', 'pettingzoo', 'pyspiel', 'ray')


def docstrings(tree: ast.AST) -> set[int]:
    """The lines on which docstrings and other texts that stand for themselves begin."""
    return {node.value.lineno for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)}


@cache
def code_of(path: Path) -> str:
    """A Python file without comments and docstrings."""
    text = path.read_text(encoding='utf-8')
    skipped = docstrings(ast.parse(text))
    return '\n'.join(token.string for token in tokenize.generate_tokens(io.StringIO(text).readline)
                     if token.type != tokenize.COMMENT and not (token.type == tokenize.STRING and token.start[0] in skipped))


@cache
def script_of(path: Path) -> str:
    """A script or style sheet without comments."""
    return re.sub(r'/\*.*?\*/|(?<!:)//[^\n]*', '', path.read_text(encoding='utf-8'), flags=re.S)


def outside_of_games() -> Iterator[tuple[Path, str]]:
    for path in PACKAGE.rglob('*'):
        if not path.is_file() or 'vendor' in path.parts or path.is_relative_to(PACKAGE / 'games'):
            continue
        if path.suffix == '.py':
            yield path, code_of(path)
        elif path.suffix in ('.js', '.css', '.html', '.toml', '.ini', '.mako'):
            yield path, script_of(path)


@pytest.mark.smoke
def test_nothing_outside_a_game_names_it() -> None:
    assert BUILT_IN
    for path, code in outside_of_games():
        for name in BUILT_IN:
            assert not re.search(rf'\b{name}\b', code, re.I), f'{path.relative_to(ROOT)} names {name}'


def test_a_game_names_no_other() -> None:
    for name in BUILT_IN:
        for path in (PACKAGE / 'games' / name).rglob('*.py'):
            for other in BUILT_IN:
                named = other != name and re.search(rf'\b{other}\b', code_of(path), re.I)
                assert not named, f'{path.relative_to(ROOT)} names {other}'


def run(program: str) -> list[str]:
    result = subprocess.run([sys.executable, '-c', program], text=True, capture_output=True, check=True,
                            env={'PYTHONPATH': str(PACKAGE.parent), 'PATH': '', 'HOME': str(Path.home())})
    return result.stdout.split()


def test_importing_the_package_loads_no_game_and_no_server() -> None:
    loaded = run('import sys, ludoteca; ludoteca.game_names(); print(*sys.modules)')
    assert 'ludoteca.game' in loaded
    assert [name for name in loaded if name.startswith('ludoteca.games.')] == []
    assert [name for name in loaded if name.split('.')[0] in WEB] == []


@pytest.mark.parametrize('name', BUILT_IN)
def test_loading_a_game_loads_no_other_and_no_server(name: str) -> None:
    loaded = run(f'import sys, ludoteca; ludoteca.load({name!r}); print(*sys.modules)')
    assert [other for other in BUILT_IN if f'ludoteca.games.{other}' in loaded] == [name]
    assert [module for module in loaded if module.split('.')[0] in WEB] in ([], ['htpy'])
    assert [layer for layer in ('match', 'store', 'web', 'cli', 'search') if f'ludoteca.{layer}' in loaded] == []


# ---- kernels -----------------------------------------------------------------------------------------------------------------

def kernels_of(path: Path) -> Iterator[ast.FunctionDef]:
    """Functions that are compiled: those under @kernel, and in search/tree.py the templates as well."""
    for node in ast.parse(path.read_text(encoding='utf-8')).body:
        if isinstance(node, ast.FunctionDef):
            decorated = any('kernel' in ast.unparse(decorator) for decorator in node.decorator_list)
            of_tree = path == PACKAGE / 'search' / 'tree.py'
            if decorated or (of_tree and not re.search(r'SimpleNamespace|\bGame\b|Settings', ast.unparse(node))):
                yield node


def test_kernels_allocate_no_records() -> None:
    """A kernel does not keep a record's array alive: Numba frees it at its last mention, and the next allocation overwrites the
    record (numba issues 5853 and 9698). So records come from Python."""
    found = 0
    for path in [*SOURCES, *(ROOT / 'tests' / 'toy').glob('*.py')]:
        for function in kernels_of(path):
            found += 1
            for node in ast.walk(function):
                if isinstance(node, ast.Call):
                    called, whole = ast.unparse(node.func), ast.unparse(node)
                    allocates = re.search(r'\.(new|array|copy)$', called) or (
                        re.search(r'\b(empty|zeros|ones|full)(_like)?$', called) and re.search('DTYPE|State|Work|Record', whole))
                    assert not allocates, f'{path.relative_to(ROOT)}:{node.lineno}: {whole}'
    assert found > 50


def test_nothing_calls_numba_but_one_module() -> None:
    for path in SOURCES:
        if path != PACKAGE / 'kernel' / 'machine.py':
            assert not re.search(r'\bn?jit\b', code_of(path)), f'{path.relative_to(ROOT)} compiles by itself'


def test_no_compiled_code_lies_beside_the_sources() -> None:
    kinds = ('.nbi', '.nbc', '.kernel')
    assert [path for place in (PACKAGE, ROOT / 'tests') for path in place.rglob('*') if path.suffix in kinds] == []
