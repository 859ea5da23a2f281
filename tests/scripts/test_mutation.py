"""scripts/mutation.py: small changes of rules, each other code, and the same for the same seed."""

from __future__ import annotations

import ast
import random
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scripts.mutation import (
    CHANGED_FILES,
    ROOT,
    Mutant,
    Run,
    chosen,
    drawn,
    games,
    is_kernel,
    make_change,
    mutants,
    one_way,
    verdict,
)

SOURCE = '''
N = 4

@kernel
def grow(s: State, by: int = 2) -> int:
    """At least 1 < 2 is grown."""
    if s.size < N and by:
        s.size += by * 3
    else:
        s.clear()
    for i in range(1, by):
        continue
    return -s.size if s.over else s.size

def no_kernel(a: int) -> int:
    return a + 1
'''


def changed_lines() -> set[str]:
    return {mutant.line(SOURCE)[1] for mutant in mutants('rules.py', SOURCE)}


@pytest.mark.parametrize(
    'line',
    [
        'if (s.size <= N) and by:',
        'if (s.size < N or by):',
        'if (not (s.size < N and by)):',
        's.size += (by + 3)',
        's.size += by * 4',
        's.size += by * 2',
        'for i in range(2, by):',
        'for i in range(0, by):',
        'pass',
        'return (s.size if s.over else -s.size)',
        'return (s.size) if s.over else s.size',
    ],
)
def test_every_sort_of_change_is_made(line: str) -> None:
    assert line in changed_lines()


def test_only_what_a_kernel_does_is_changed() -> None:
    """Not its docstring, its signature, tables, or other functions."""
    body = {line.strip() for line in SOURCE.splitlines()[6:13]}
    for mutant in mutants('rules.py', SOURCE):
        assert mutant.function == 'grow'
        assert mutant.line(SOURCE)[0] in body


def test_a_change_that_means_the_same_is_left_out() -> None:
    same, broken = (Mutant('rules.py', 'grow', (7, 7), (7, 17), text) for text in ('(s.size < N)', '<'))
    assert same.applied(SOURCE) != SOURCE
    assert not list(drawn([same, broken], SOURCE, 2, random.Random(1)))


def test_changes_are_drawn_once_and_in_one_place() -> None:
    found = list(drawn(list(mutants('rules.py', SOURCE)), SOURCE, 100, random.Random(1)))
    codes = {one_way(mutant.applied(SOURCE)) for mutant in found}
    assert len(codes) == len(found) > 12
    for mutant in found:
        before, after = (ast.parse(text) for text in (SOURCE, mutant.applied(SOURCE)))
        differ = [
            k
            for k, pair in enumerate(zip(before.body, after.body, strict=True))
            if len({*map(ast.dump, pair)}) == 2
        ]
        assert differ == [1]


def test_the_changes_of_a_game_depend_on_the_seed_alone() -> None:
    # the quickest to read
    game = min(games(), key=lambda name: (ROOT / f'src/ludoteca/games/{name}/rules.py').stat().st_size)
    first = chosen(game, 8, seed=1)
    assert first == chosen(game, 8, seed=1)
    assert first != chosen(game, 8, seed=2)
    assert {mutant.file for mutant in first} == {*CHANGED_FILES}


def test_kernels_are_known_by_their_decorator() -> None:
    assert [is_kernel(node) for node in ast.parse(SOURCE).body] == [False, True, False]


def test_a_change_reaches_whoever_has_taken_the_function_from_its_module(tmp_path: Path) -> None:
    path = tmp_path / 'rules.py'
    path.write_text('def one():\n    return 1\n\ndef two():\n    return one() + 1\n')
    module = ModuleType('rules')
    module.__file__ = str(path)
    exec(compile(path.read_text(), path, 'exec'), vars(module))
    taken = module.two
    path.write_text(path.read_text().replace('1\n\n', '4\n\n'))
    make_change(module)
    assert taken() == 5


def ended(run: Run) -> dict[str, Any]:
    while not run.over():
        time.sleep(0.01)
    return run.ended()


def test_a_run_answers_or_is_stopped(tmp_path: Path) -> None:
    """A failed test, a crash and an endless loop are noticed; tests that pass are not."""
    log = tmp_path / 'log.txt'
    assert verdict(**ended(Run(lambda: (['a test'], {}), 20, log))).by == 'a test'
    assert not verdict(**ended(Run(lambda: ([], {}), 20, log))).noticed
    assert verdict(**ended(Run(lambda: 1 // 0, 20, log))).by == 'crash'
    assert 'ZeroDivisionError' in log.read_text()
    assert verdict(**ended(Run(endless, 1, log))).by == 'time limit'


def endless() -> None:
    while True:
        pass
