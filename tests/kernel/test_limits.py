"""How large a part of the program may be, so that one person can hold it in their head.

The parts named in the lists of exceptions are still larger. Take a name out of its list when you divide the
part. Ruff checks the complexity of functions (pyproject.toml).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ludoteca

PACKAGE = Path(ludoteca.__file__).parent
SOURCES = [path for path in sorted(PACKAGE.rglob('*.py')) if 'documentation' not in path.parts]

LINES = 84_446
"""Of Python in the package. Lower it when code goes; raise it in the commit that needs more."""
LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS, MOST_METHODS = 900, 80, 8, 40

FILES = {
    'games/myrmidons/view/board.py',
    'games/octiles/view/board.py',
    'match/match.py',
    'search/forest_tree.py',
}
FUNCTIONS = {
    'games/myraclia/evaluation.py: plan',
    'games/myraclia/view/symbols.py: symbol_set',
    'games/myriath/view/symbols.py: symbol_set',
    'games/octiles/view/symbols.py: symbol_set',
    'search/forest_tree.py: plant_trees',
    'search/forest_tree.py: select_leaves',
    'search/forest_tree.py: walk',
    'search/thinking.py: think',
}
PARAMETERS = {
    'cli/calibration.py: calibration',
    'cli/films.py: film',
    'cli/matches.py: arena',
    'cli/matches.py: ladder',
    'cli/play_random.py: simulate',
    'cli/positions.py: draw',
    'cli/puzzles.py: puzzles',
    'cli/studies.py: study',
    'cli/tournaments.py: tournament',
    'games/mykerinos/evaluation.py: area_gain',
    'games/myraclia/evaluation.py: plan',
    'games/myraclia/evaluation.py: take_tile',
    'research/tournament.py: of',
    'search/forest_tree.py: back_up',
    'search/forest_tree.py: find_child',
    'search/forest_tree.py: grow_hidden',
    'search/forest_tree.py: keep_below',
    'search/forest_tree.py: plant_trees',
    'search/forest_tree.py: put_leaf',
    'search/forest_tree.py: read_roots',
    'search/forest_tree.py: select_leaves',
    'search/forest_tree.py: settle',
    'search/forest_tree.py: walk',
    'store/tables.py: _new_table',
    'store/tables.py: open_table',
}
CLASSES = {
    'game/contract.py: Game',
    'match/match.py: Match',
    'web/live/table.py: LiveTable',
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text('utf-8'))


def place_of(path: Path, name: str = '') -> str:
    place = str(path.relative_to(PACKAGE))
    return f'{place}: {name}' if name else place


def functions() -> Iterator[tuple[Path, Function]]:
    for path in SOURCES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, Function) and 'migrations' not in path.parts:
                yield path, node


def classes() -> Iterator[tuple[Path, ast.ClassDef]]:
    for path in SOURCES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                yield path, node


def is_command(path: Path, function: Function) -> bool:
    """Does the function declare a command of the terminal, whose parameters are its options?"""
    return path.is_relative_to(PACKAGE / 'cli') and any(
        isinstance(node, ast.Attribute) and node.attr in ('Option', 'Argument')
        for node in ast.walk(function.args)
    )


def test_the_program_grows_only_on_purpose() -> None:
    lines = sum(len(path.read_text('utf-8').splitlines()) for path in SOURCES)
    assert LINES - 400 <= lines <= LINES, f'{lines} lines: set LINES to what there is.'


def test_files_are_short_enough_to_be_read_at_once() -> None:
    long = {
        place_of(path)
        for path in SOURCES
        if path.name != 'rules.py' and len(path.read_text('utf-8').splitlines()) > LONGEST_FILE
    }
    assert long == FILES


def test_functions_fit_on_a_screen_or_two() -> None:
    long = {
        place_of(path, function.name)
        for path, function in functions()
        if (function.end_lineno or 0) - function.lineno + 1 > LONGEST_FUNCTION
    }
    assert long == FUNCTIONS


def test_functions_have_few_parameters() -> None:
    """Those that have to be named do not count, nor do `self` and `cls`."""
    wide = set()
    for path, function in functions():
        names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
        if len(names) - (names[:1] in (['self'], ['cls'])) > MOST_PARAMETERS and not is_command(
            path, function
        ):
            wide.add(place_of(path, function.name))
    assert wide == PARAMETERS


def test_classes_have_few_public_methods() -> None:
    large = {
        place_of(path, node.name)
        for path, node in classes()
        if sum(isinstance(part, Function) and not part.name.startswith('_') for part in node.body)
        > MOST_METHODS
    }
    assert large == CLASSES
