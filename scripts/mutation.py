#!/usr/bin/env python3
"""Change the rules of a game at random, one small change at a time, and see which tests notice.

    mutation.py --game octiles --count 100            which changes `make test` notices, and which only `make
                                                      test-all`
    mutation.py --suite test --game octiles           only `make test`

A change (a mutant) flips a comparison, moves a constant by one, exchanges an operator, leaves out a statement
or swaps the two branches of an `if`, in a kernel of rules.py or knowledge.py, where `hide` and `guess` are.
The changes depend on the seed alone. Each is made in a copy of the source tree, and the game's tests run
there with interpreted kernels, since a compiler would take longer than the tests; those that have noticed
most come first, then the quick ones. A change that no test of `make test` notices is given to the tests of
`make test-all`. A run that takes much longer than on unchanged rules counts as noticed: the change has made a
loop endless. What survives is printed; some of it changes nothing that can be seen.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = (
    'node_modules',
    '.git',
    '.venv*',
    '.mypy_cache',
    '.ruff_cache',
    '.pytest_cache',
    'build',
    'dist',
)
CHANGED_FILES = ('rules.py', 'knowledge.py')
KNOWLEDGE_SHARE = 0.25
"""Part of the changes that are made in knowledge.py, which is much shorter than rules.py."""
SUITES = {'test': 'narrow', 'all': 'wide'}
"""The suites and their width."""
PLACES = ('tests/{game}', 'tests/conformance')
"""Where the tests are that hold a game to its rules. The game's own come first, since they need few imports
and notice most."""
OWN_PATHS = {str(ROOT), str(ROOT / 'src'), str(ROOT / 'scripts')}
"""The paths from which this checkout is imported; its environment may lie in it, too."""
PATIENCE = (3.0, 20.0)
"""A run may take this many times the processor time that it takes on unchanged rules, and so many seconds
more."""

PRELOADED = (
    'pytest',
    'numpy',
    'numba',
    'scipy.stats',
    'shapely',
    'hypothesis',
    'fastapi',
    'sqlalchemy',
    'markdown_it',
)
"""What tests import from outside the project."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


# ---- changes -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the text from `start` to `end` (line from 1, column in bytes) becomes
    `text`."""

    file: str
    function: str
    start: tuple[int, int]
    end: tuple[int, int]
    text: str

    def path(self, game: str) -> str:
        """The changed file, below the root."""
        return f'src/ludoteca/games/{game}/{self.file}'

    def applied(self, source: str) -> str:
        """The source with the change."""
        lines = source.encode().splitlines(keepends=True)
        (first, left), (last, right) = self.start, self.end
        changed = lines[first - 1][:left] + self.text.encode() + lines[last - 1][right:]
        return b''.join([*lines[: first - 1], changed, *lines[last:]]).decode()

    def line(self, source: str) -> tuple[str, str]:
        """The changed line before and after; of several lines the first."""
        number = self.start[0] - 1
        return source.splitlines()[number].strip(), self.applied(source).splitlines()[number].strip()


def is_kernel(node: ast.AST) -> bool:
    """Whether a function stands under the decorator `@kernel`."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(decorator, ast.Name) and decorator.id == 'kernel' for decorator in node.decorator_list
    )


def changed_nodes(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str]]:
    """Every node of a function's body that can be changed, and the text that replaces it."""
    for statement in function.body:
        for node in ast.walk(statement):
            for changed in changes(node):
                yield node, changed


def changes(node: ast.AST) -> Iterator[str]:
    """What may stand in place of a node."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
        yield f'({ast.unparse(ast.Compare(node.left, [COMPARISONS[type(node.ops[0])]()], node.comparators))})'
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield f'({ast.unparse(ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right))})'
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield f'({ast.unparse(node.operand)})'
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield f'({ast.unparse(ast.BoolOp(other, node.values))})'
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield str(node.value + 1)
        yield str(node.value - 1) if node.value else '(-1)'
    elif isinstance(node, ast.If | ast.IfExp):
        yield from swapped(node)
    elif isinstance(node, ast.Assign | ast.AugAssign | ast.Continue | ast.Break) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield 'pass'


def swapped(node: ast.If | ast.IfExp) -> Iterator[str]:
    """The condition the other way round, which swaps the branches; an `elif` or a statement keeps its first
    word."""
    if isinstance(node, ast.IfExp):
        yield f'({ast.unparse(ast.IfExp(node.test, node.orelse, node.body))})'


def conditions(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str]]:
    """The conditions of all `if` statements, negated."""
    for node in ast.walk(function):
        if isinstance(node, ast.If):
            yield node.test, f'(not ({ast.unparse(node.test)}))'


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """All changes of a file's kernels, in the order of the source."""
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef) and is_kernel(function):
            for node, text in [*changed_nodes(function), *conditions(function)]:
                place = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
                yield Mutant(file, function.name, place[:2], place[2:], text)


def one_way(source: str) -> str:
    """A source as code alone, always written in the same way; empty if it is no Python."""
    try:
        return ast.unparse(ast.parse(source))
    except SyntaxError:
        return ''


def drawn(mutants: list[Mutant], source: str, count: int, rng: random.Random) -> Iterator[Mutant]:
    """At most so many changes, in random order, which give code that differs from the source and from each
    other."""
    seen = {'', one_way(source)}
    for mutant in rng.sample(mutants, len(mutants)):
        if not count:
            return
        code = one_way(mutant.applied(source))
        if code not in seen:
            yield mutant
            count -= 1
            seen.add(code)


def chosen(game: str, count: int, seed: int, root: Path = ROOT) -> list[Mutant]:
    """So many changes of a game, drawn by the seed."""
    rng, found = random.Random(f'{game} {seed}'), list[Mutant]()
    for name, share in zip(CHANGED_FILES, (1 - KNOWLEDGE_SHARE, KNOWLEDGE_SHARE), strict=True):
        path = root / 'src/ludoteca/games' / game / name
        if path.exists():
            source = path.read_text('utf-8')
            found += drawn(list(mutants(name, source)), source, round(count * share), rng)
    return rng.sample(found, len(found))


# ---- running the tests -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """How a run of the tests ended."""

    noticed: bool
    by: str = ''
    """The test that failed, `import` or `time limit`."""
    seconds: float = 0.0


@dataclass(frozen=True)
class Stage:
    """The tests of one suite in one place: what one process runs."""

    suite: str
    place: str

    @property
    def name(self) -> str:
        """The name of the file for its output."""
        return f'{self.suite}-{self.place.rpartition("/")[2].strip("{}")}'


def stages(suite: str) -> list[Stage]:
    """The stages of a suite and of the narrower ones, in the order in which a change goes through them."""
    suites = list(SUITES)[: list(SUITES).index(suite) + 1]
    return [Stage(name, place) for name in suites for place in PLACES]


@dataclass(frozen=True)
class Likely:
    """What earlier runs tell about the tests: how long each takes, how many changes it has noticed, and which
    fail on unchanged rules because they need compiled kernels."""

    seconds: dict[str, float]
    noticed: Counter[str]
    failing: frozenset[str] = frozenset()


class Notice:
    """A plugin of pytest: runs the tests that are likeliest to fail first, and keeps failures and times."""

    def __init__(self, likely: Likely) -> None:
        self.likely = likely
        self.failed: list[str] = []
        self.seconds: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if item.nodeid not in self.likely.failing]
        items.sort(
            key=lambda item: (-self.likely.noticed[item.nodeid], self.likely.seconds.get(item.nodeid, 0.1))
        )

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append('import')

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)


def run_pytest(copy: Path, game: str, stage: Stage, likely: Likely, first: bool) -> Notice:
    """In this process: the tests of a stage in a copy of the source tree; all of them at first, then until
    one fails."""
    os.chdir(copy)
    os.environ.update(
        LUDOTECA_GAME=game, LUDOTECA_WIDTH=SUITES[stage.suite], LUDOTECA_MODE='any', LUDOTECA_PROVEN=''
    )
    os.environ['PYTHONPATH'] = str(copy / 'src')
    sys.path[:] = [
        str(copy / 'src'),
        str(copy),
        *(path for path in sys.path if path not in OWN_PATHS),
    ]
    sys.dont_write_bytecode = not first
    import pytest

    notice = Notice(likely)
    options = ['-q', '-p', 'no:cacheprovider', '-p', 'no:xdist', '--no-header', '--tb=line', '-o', 'addopts=']
    options += ['--import-mode=importlib', *([] if first else ['-x'])]
    pytest.main([*options, stage.place.format(game=game)], plugins=[notice])
    return notice


class Run:
    """A function at work in a process of its own, and the plain data that it returns.

    The process is a copy of this one, in which all that tests import from outside the project is loaded
    already. `limit` is in seconds of processor time, since other programs may be at work as well; it also
    ends after ten times as long by the clock.
    """

    def __init__(self, work: Callable[[], Any], limit: int, log: Path) -> None:
        self.ends = time.monotonic() + 10 * limit
        self.answer = b''
        self.processor = 0.0
        self.stopped = False
        self.reading, writing = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            self._work(work, writing, limit, log)
        os.close(writing)
        os.set_blocking(self.reading, False)

    def _work(self, work: Callable[[], Any], writing: int, limit: int, log: Path) -> None:
        status = 1
        try:
            os.setpgid(0, 0)
            os.close(self.reading)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
            out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(out, 1)
            os.dup2(out, 2)
            answer = json.dumps(work()).encode()
            while answer:
                answer = answer[os.write(writing, answer) :]
            status = 0
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(status)

    def over(self) -> bool:
        """Whether it has ended or has taken too long; then nothing of it is left."""
        try:
            while piece := os.read(self.reading, 1 << 16):
                self.answer += piece
        except BlockingIOError:
            if time.monotonic() < self.ends:
                return False
            self.stopped = True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.child, signal.SIGKILL)
        _, status, usage = os.wait4(self.child, 0)
        self.stopped |= os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        self.processor = usage.ru_utime + usage.ru_stime
        os.close(self.reading)
        return True

    def result(self) -> Any:
        """What the function returned; None if it took longer than the limit or crashed."""
        with contextlib.suppress(json.JSONDecodeError):
            return json.loads(self.answer)
        return None


# ---- measuring ---------------------------------------------------------------------------------------------


class Trial:
    """The changes of one game, tried one after the other in `jobs` copies of the source tree."""

    def __init__(self, game: str, suite: str, jobs: int, scratch: Path) -> None:
        self.game = game
        self.stages = stages(suite)
        self.copies = [copy_of_tree(scratch / f'{game}-{k}') for k in range(jobs)]
        self.likely: dict[Stage, Likely] = {}
        self.limit: dict[Stage, int] = {}
        self.noticed = Counter[str]()

    def begin(self, copy: Path, stage: Stage, first: bool = False) -> Run:
        """Start the tests of a stage in a copy."""
        likely = Likely({}, Counter()) if first else self.likely[stage]

        def work() -> Any:
            notice = run_pytest(copy, self.game, stage, likely, first)
            return notice.failed, notice.seconds if first else {}

        return Run(work, 3600 if first else self.limit[stage], copy / f'{stage.name}.txt')

    def measure(self, suite: str) -> None:
        """Run all stages of a suite on unchanged rules, side by side, for their times and for the tests that
        need compiled kernels. Raises RuntimeError if others fail."""
        place = self.copies[0].with_name(f'{self.game}-unchanged')
        if not place.exists():
            copy_of_tree(place)
        runs = [
            (stage, self.begin(place, stage, first=True)) for stage in self.stages if stage.suite == suite
        ]
        for stage, run in runs:
            while not run.over():
                time.sleep(0.05)
            failed, seconds = run.result() or (['import'], {})
            if 'import' in failed or len(failed) > len(seconds) // 20:
                said = (place / f'{stage.name}.txt').read_text()[-4000:]
                raise RuntimeError(f'{self.game}: tests fail on unchanged rules: {failed}\n{said}')
            self.likely[stage] = Likely(seconds, self.noticed, frozenset(failed))
            self.limit[stage] = round(PATIENCE[0] * run.processor + PATIENCE[1])
            left_out = f'; left out, for they need compiled kernels: {", ".join(failed)}' if failed else ''
            name = f'{self.game} {stage.suite} {stage.place.format(game=self.game)}'
            print(
                f'{name}: {len(seconds)} tests, {run.processor:.0f} s of processor time{left_out}', flush=True
            )

    def run(self, changes: list[Mutant]) -> Iterator[tuple[Mutant, Stage, Verdict]]:
        """Each change with the stage that noticed it, or with the last one, and its verdict."""
        waiting, free = changes[::-1], list(self.copies)
        running: list[tuple[Run, Path, Mutant, int]] = []
        while waiting or running:
            while waiting and free:
                copy, mutant = free.pop(), waiting.pop()
                write(
                    copy / mutant.path(self.game),
                    mutant.applied((ROOT / mutant.path(self.game)).read_text('utf-8')),
                )
                running.append((self.begin(copy, self.ready(0)), copy, mutant, 0))
            time.sleep(0.02)
            for entry in [entry for entry in running if entry[0].over()]:
                running.remove(entry)
                run, copy, mutant, k = entry
                found = verdict(run)
                if not found.noticed and k + 1 < len(self.stages):
                    running.append((self.begin(copy, self.ready(k + 1)), copy, mutant, k + 1))
                    continue
                self.noticed[found.by] += found.noticed
                write(copy / mutant.path(self.game), (ROOT / mutant.path(self.game)).read_text('utf-8'))
                free.append(copy)
                yield mutant, self.stages[k], found

    def ready(self, k: int) -> Stage:
        """A stage that has run on unchanged rules."""
        if self.stages[k] not in self.likely:
            self.measure(self.stages[k].suite)
        return self.stages[k]


def verdict(run: Run) -> Verdict:
    """How a run ended."""
    result = run.result()
    if result is None:
        return Verdict(True, 'time limit' if run.stopped else 'crash', run.processor)
    failed = result[0]
    return Verdict(bool(failed), failed[0] if failed else '', run.processor)


def copy_of_tree(place: Path) -> Path:
    """A copy of the project."""
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*NOT_COPIED))
    return place


def write(path: Path, source: str) -> None:
    """Write a module, and remove the bytecode of the old one."""
    path.write_text(source, 'utf-8')
    for stale in (path.parent / '__pycache__').glob(f'{path.stem}.*'):
        stale.unlink()


def games() -> list[str]:
    """The names of the games, which are folders."""
    return sorted(path.parent.name for path in (ROOT / 'src/ludoteca/games').glob('*/rules.py'))


def try_game(game: str, options: argparse.Namespace, scratch: Path) -> Counter[str]:
    """Try the changes of a game and print what happened to each; how many were noticed, by suite."""
    changes, trial = (
        chosen(game, options.count, options.seed),
        Trial(game, options.suite, options.jobs, scratch),
    )
    noticed, files = Counter[str](tried=len(changes)), Counter[str]()
    for n, (mutant, stage, found) in enumerate(trial.run(changes), 1):
        before, after = mutant.line((ROOT / mutant.path(game)).read_text('utf-8'))
        place = f'{mutant.file}:{mutant.start[0]} {mutant.function}'
        outcome = f'{stage.suite}: {found.by}' if found.noticed else 'SURVIVED'
        print(
            f'{game} {n}/{len(changes)} {place}\n    - {before}\n    + {after}\n    {outcome} '
            f'({found.seconds:.1f} s)',
            flush=True,
        )
        if found.noticed:  # wider suites notice it as well
            noticed.update(list(SUITES)[list(SUITES).index(stage.suite) :])
            files[found.by.split('::')[0]] += 1
    for file, n in files.most_common():
        print(f'{game} {n:4} by {file}')
    return noticed


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        '--game', action='append', choices=games(), help='may be given several times; else all games'
    )
    parser.add_argument(
        '--suite', choices=[*SUITES], default='all', help='the widest suite that a change is given to'
    )
    parser.add_argument('--count', type=int, default=30, help='changes of each game')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=1)
    options = parser.parse_args(arguments)
    os.environ['NUMBA_DISABLE_JIT'] = '1'
    for name in PRELOADED:
        importlib.import_module(name)
    table = []
    with tempfile.TemporaryDirectory(prefix='ludoteca-mutation-') as scratch:
        for game in options.game or games():
            noticed = try_game(game, options, Path(scratch))
            shares = ', '.join(
                f'{name}: {noticed[name]}'
                for name in dict.fromkeys(stage.suite for stage in stages(options.suite))
            )
            table.append(f'{game}: {noticed["tried"]} changes; noticed by {shares}')
    print('\n'.join(table))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
