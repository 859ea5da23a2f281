#!/usr/bin/env python3
"""Change the rules of a game at random, one small change at a time, and see which tests notice.

    mutation.py --game octiles --count 100            which changes `make test` notices, and which only `make
                                                      test-all`
    mutation.py --suite test --game octiles           only `make test`
    mutation.py --suite test --seconds 60             only the tests that are likeliest to notice, for so long
    mutation.py --game octiles --only 7,31            of the hundred, these alone

A change (a mutant) flips a comparison, moves a constant by one, exchanges an operator, leaves out a statement
or swaps the two branches of an `if`, in a kernel of rules.py or knowledge.py, where `hide` and `guess` are.
The changes depend on the seed alone. The game's tests run with interpreted kernels, since a compiler would
take longer than the tests. A process loads them once, from a copy of the source tree; for each change it
makes a copy of itself, which puts the changed code in place of the old. The tests that have noticed most come
first, then the quick ones. A change that no test of `make test` notices is given to the tests of `make
test-all`. A test that takes much longer than on unchanged rules counts as failed: the change has made a loop
endless. What survives is printed; some of it changes nothing that can be seen. How long each test takes on
unchanged rules is measured first; `--times` keeps it for later runs.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
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
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
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
"""Where the tests are that hold a game to its rules."""
OWN_PATHS = {str(ROOT), str(ROOT / 'src'), str(ROOT / 'scripts')}
"""The paths from which this checkout is imported; its environment may lie in it, too."""
PATIENCE = (3.0, 20.0)
"""A run may take this many times the processor time that it takes on unchanged rules, and so many seconds
more."""
PATIENCE_OF_A_TEST = (5.0, 20.0)
"""The same of a single test, which may have to make what another one had made before it."""

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


@dataclass
class Times:
    """What a suite takes on unchanged rules, in seconds of processor time, by test; and the tests that fail
    there, because they need compiled kernels."""

    seconds: dict[str, float]
    failing: list[str]

    @property
    def limit(self) -> int:
        """The most that a run of the whole suite may take."""
        return round(PATIENCE[0] * sum(self.seconds.values()) + PATIENCE[1])


class TooLong(BaseException):
    """A test takes much longer than on unchanged rules."""


class Bench:
    """A plugin of pytest that runs the collected tests as often as it is asked to, each time in a process of
    its own.

    A request is a line of JSON: `tests` in their order (None: all of them, to the end, for their times, each
    for `most` seconds), the name of the file with the `change`, and the `limit` of the run. The answer has
    what failed, what each test took, and how the process ended. After an empty line the tests are over.
    """

    def __init__(self, game: str, asked: Iterator[str], answer: Callable[[str], Any], log: Path) -> None:
        self.game, self.asked, self.answer, self.log = game, asked, answer, log
        self.failed: list[str] = []
        self.measuring = False

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append('import')

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtestloop(self, session: Any) -> bool:
        for line in self.asked:
            if line.isspace():
                break
            request = json.loads(line)
            run = Run(functools.partial(self.attempt, session, request), request['limit'], self.log)
            while not run.over():
                time.sleep(0.01)
            self.answer(json.dumps(run.ended()))
        return True

    def stop(self, *_: object) -> None:
        """Interrupt a test."""
        if not self.measuring:
            self.failed.append('time limit')
        raise TooLong

    def attempt(self, session: Any, request: dict[str, Any]) -> Any:
        """In a copy of the process: make the change, and run the tests until one fails."""
        if self.failed:
            return self.failed, {}
        tests, seconds = request['tests'], dict[str, float]()
        self.measuring = tests is None
        if request['change']:
            sys.dont_write_bytecode = True
            os.environ['PYTHONDONTWRITEBYTECODE'] = '1'
            change = request['change']
            make_change(sys.modules[f'ludoteca.games.{self.game}.{change.removesuffix(".py")}'])
        items = {item.nodeid: item for item in session.items}
        signal.signal(signal.SIGPROF, self.stop)
        chosen = [*items] if tests is None else [name for name in tests if name in items]
        for name, following in zip(chosen, [*chosen[1:], None], strict=True):
            before = time.process_time()
            limit = request['most'] or 0.0  # none
            if tests is not None:
                limit = PATIENCE_OF_A_TEST[0] * tests[name] + PATIENCE_OF_A_TEST[1]
            signal.setitimer(signal.ITIMER_PROF, limit)
            item, after = items[name], items[following] if following else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            signal.setitimer(signal.ITIMER_PROF, 0)
            seconds[name] = time.process_time() - before
            if self.failed and tests is not None:
                break
        return self.failed, seconds


def make_change(module: ModuleType) -> None:
    """Every function of a module gets the code that it has in the module's file now. Functions that other
    modules have taken from this one are the same, and so they change as well."""
    assert module.__file__
    code = compile(Path(module.__file__).read_text('utf-8'), module.__file__, 'exec', dont_inherit=True)
    for changed in code.co_consts:
        function = getattr(module, changed.co_name, None) if isinstance(changed, CodeType) else None
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            function.__code__ = changed


def load_tests(copy: Path, game: str, suite: str, asked: Any, answer: Callable[[str], Any]) -> None:
    """In this process: collect the tests in a copy of the source tree, and run them as often as asked."""
    os.chdir(copy)
    os.environ.update(
        LUDOTECA_GAME=game, LUDOTECA_WIDTH=SUITES[suite], LUDOTECA_MODE='any', LUDOTECA_PROVEN=''
    )
    os.environ['PYTHONPATH'] = str(copy / 'src')
    sys.path[:] = [str(copy / 'src'), str(copy), *(path for path in sys.path if path not in OWN_PATHS)]
    import pytest

    options = ['-q', '-s', '-p', 'no:cacheprovider', '-p', 'no:xdist', '--no-header', '--tb=line']
    options += ['-o', 'addopts=', '--import-mode=importlib', f'--basetemp={copy / "tmp"}']
    places = [place.format(game=game) for place in PLACES]
    pytest.main([*options, *places], plugins=[Bench(game, asked, answer, copy / f'{suite}.txt')])


class Loaded:
    """The tests of a suite, loaded in a process of their own, which ends with `close`."""

    def __init__(self, copy: Path, game: str, suite: str) -> None:
        asked, self.asking = os.pipe()
        self.answers, answering = os.pipe()
        self.answer = b''
        self.log = copy / f'{suite}-loading.txt'
        self.child = os.fork()
        if self.child == 0:
            os.close(self.asking)
            os.close(self.answers)
            self._serve(copy, game, suite, asked, answering)
        os.close(asked)
        os.close(answering)
        os.set_blocking(self.answers, False)

    def _serve(self, copy: Path, game: str, suite: str, asked: int, answering: int) -> None:
        status = 1
        try:
            out = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(out, 1)
            os.dup2(out, 2)

            def answer(line: str) -> None:
                left = f'{line}\n'.encode()
                while left:
                    left = left[os.write(answering, left) :]

            with os.fdopen(asked) as lines:
                load_tests(copy, game, suite, iter(lines.readline, ''), answer)
            status = 0
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(status)

    def ask(self, **request: Any) -> None:
        """Begin a run of the tests."""
        os.write(self.asking, f'{json.dumps(request)}\n'.encode())

    def answered(self) -> dict[str, Any] | None:
        """The answer, once it is there. Raises RuntimeError if the process has ended."""
        with contextlib.suppress(BlockingIOError):
            while not self.answer.endswith(b'\n'):
                piece = os.read(self.answers, 1 << 16)
                if not piece:
                    raise RuntimeError(f'no tests were loaded:\n{self.log.read_text()[-4000:]}')
                self.answer += piece
        if not self.answer.endswith(b'\n'):
            return None
        answer, self.answer = json.loads(self.answer), b''
        return dict(answer)

    def close(self) -> None:
        """End the process."""
        os.write(self.asking, b'\n')
        os.waitpid(self.child, 0)
        os.close(self.asking)
        os.close(self.answers)


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

    def ended(self) -> dict[str, Any]:
        """The result, whether it took longer than the limit, and its processor time."""
        return {'result': self.result(), 'stopped': self.stopped, 'processor': self.processor}


# ---- measuring ---------------------------------------------------------------------------------------------


@dataclass
class Place:
    """A copy of the source tree, its loaded suites, and the change that is tried there, with the suites that
    are still to be asked."""

    copy: Path
    loaded: dict[str, Loaded] = field(default_factory=dict)
    mutant: Mutant | None = None
    suites: list[str] = field(default_factory=list)


class Trial:
    """The changes of one game, tried one after the other in `jobs` copies of the source tree."""

    def __init__(self, game: str, options: argparse.Namespace, scratch: Path) -> None:
        self.game = game
        self.suites = list(SUITES)[: list(SUITES).index(options.suite) + 1]
        self.most = options.seconds
        self.places = [Place(copy_of_tree(scratch / f'{game}-{k}')) for k in range(options.jobs)]
        folder = ROOT / 'src/ludoteca/games' / game
        self.source = {
            name: (folder / name).read_text('utf-8') for name in CHANGED_FILES if (folder / name).exists()
        }
        self.kept = options.times
        self.times: dict[str, Times] = {}
        self.noticed = Counter[str]()

    def loaded(self, place: Place, suite: str) -> Loaded:
        """The tests of a suite in a place."""
        if suite not in place.loaded:
            place.loaded[suite] = Loaded(place.copy, self.game, suite)
        return place.loaded[suite]

    def measure(self, suite: str, place: Place) -> None:
        """Run a suite on unchanged rules, for its times and for the tests that need compiled kernels. Raises
        RuntimeError if others fail."""
        most = self.most and self.most / 5
        key = f'{self.game} {suite}' + (f', tests of {most:g} s' if most else '')
        kept = json.loads(self.kept.read_text()) if self.kept and self.kept.exists() else {}
        if key not in kept:
            tests = self.loaded(place, suite)
            tests.ask(tests=None, change=None, limit=4 * 3600, most=most)
            while (answer := tests.answered()) is None:
                time.sleep(0.05)
            failed, seconds = answer['result'] or (['import'], {})
            failed = list(dict.fromkeys(failed))
            if 'import' in failed or len(failed) > len(seconds) // (4 if most else 20):
                said = (place.copy / f'{suite}.txt').read_text()[-4000:]
                raise RuntimeError(f'{self.game}: tests fail on unchanged rules: {failed}\n{said}')
            kept[key] = seconds, failed
            if self.kept:
                self.kept.write_text(json.dumps(kept))
        times = self.times[suite] = Times(*kept[key])
        why = f'or take longer than {most:g} s' if most else ''
        left_out = (
            f'; left out, for they need compiled kernels {why}: {", ".join(times.failing)}'
            if times.failing
            else ''
        )
        print(
            f'{self.game} {suite}: {len(times.seconds)} tests, {sum(times.seconds.values()):.0f} s of '
            f'processor time{left_out}',
            flush=True,
        )

    def order(self, suite: str) -> dict[str, float]:
        """The tests that a change is given to, in their order, and how long each takes."""
        times, found, total = self.times[suite], dict[str, float](), 0.0
        for name in sorted(times.seconds, key=lambda name: (-self.noticed[name], times.seconds[name])):
            total += times.seconds[name]
            if name not in times.failing and (self.most is None or total < self.most):
                found[name] = times.seconds[name]
        return found

    def begin(self, place: Place) -> None:
        """Start the next suite on the change in a place."""
        suite = place.suites[0]
        assert place.mutant
        path, source = place.copy / place.mutant.path(self.game), self.source[place.mutant.file]
        if suite not in self.times or suite not in place.loaded:
            write(path, source)  # loaded unchanged
            if suite not in self.times:
                self.measure(suite, place)
            tests = self.loaded(place, suite)
            tests.ask(tests={}, change=None, limit=3600, most=None)
            while tests.answered() is None:
                time.sleep(0.05)
        write(path, place.mutant.applied(source))
        self.loaded(place, suite).ask(
            tests=self.order(suite), change=place.mutant.file, limit=self.times[suite].limit, most=None
        )

    def run(self, changes: list[Mutant]) -> Iterator[tuple[Mutant, str, Verdict]]:
        """Each change with the suite that noticed it, or with the last one, and its verdict."""
        waiting, free, busy = changes[::-1], self.places[::-1], list[Place]()
        while waiting or busy:
            while waiting and free:
                place = free.pop()
                place.mutant, place.suites = waiting.pop(), self.suites[:]
                self.begin(place)
                busy.append(place)
            time.sleep(0.02)
            for place in busy[:]:
                suite, mutant = place.suites[0], place.mutant
                answer = place.loaded[suite].answered()
                if answer is None or mutant is None:
                    continue
                found = verdict(**answer)
                if not found.noticed and len(place.suites) > 1:
                    place.suites.pop(0)
                    self.begin(place)
                    continue
                self.noticed[found.by] += found.noticed
                write(place.copy / mutant.path(self.game), self.source[mutant.file])
                busy.remove(place)
                free.append(place)
                yield mutant, suite, found
        self.close()

    def close(self) -> None:
        """End all processes."""
        for place in self.places:
            for tests in place.loaded.values():
                tests.close()


def verdict(result: Any, stopped: bool, processor: float) -> Verdict:
    """How a run ended."""
    if result is None:
        return Verdict(True, 'time limit' if stopped else 'crash', processor)
    failed = result[0]
    return Verdict(bool(failed), failed[0] if failed else '', processor)


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
    changes = chosen(game, options.count, options.seed)
    numbers = {mutant: n for n, mutant in enumerate(changes, 1)}
    if options.only:
        changes = [changes[n - 1] for n in options.only]
    noticed, files = Counter[str](tried=len(changes)), Counter[str]()
    trial = Trial(game, options, scratch)
    for mutant, suite, found in trial.run(changes):
        before, after = mutant.line(trial.source[mutant.file])
        place = f'{mutant.file}:{mutant.start[0]} {mutant.function}'
        outcome = f'{suite}: {found.by}' if found.noticed else 'SURVIVED'
        print(
            f'{game} {numbers[mutant]}/{len(numbers)} {place}\n    - {before}\n    + {after}\n    {outcome} '
            f'({found.seconds:.1f} s)',
            flush=True,
        )
        if found.noticed:  # wider suites notice it as well
            noticed.update(list(SUITES)[list(SUITES).index(suite) :])
            files[found.by.split('::')[0]] += 1
    for file, n in files.most_common():
        print(f'{game} {n:4} by {file}')
    return noticed


def numbers(text: str) -> list[int]:
    """Numbers with commas between."""
    return [int(number) for number in text.split(',')]


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
    parser.add_argument(
        '--only', type=numbers, help='of these changes those with such numbers alone, as 7,31'
    )
    parser.add_argument(
        '--seconds',
        type=float,
        help='give a change only to the first tests, which take so long in all, and none a fifth of it',
    )
    parser.add_argument('--times', type=Path, help='a file that keeps what tests take on unchanged rules')
    options = parser.parse_args(arguments)
    os.environ['NUMBA_DISABLE_JIT'] = '1'
    for name in PRELOADED:
        importlib.import_module(name)
    table = []
    with tempfile.TemporaryDirectory(prefix='ludoteca-mutation-') as scratch:
        for game in options.game or games():
            noticed = try_game(game, options, Path(scratch))
            shares = ', '.join(
                f'{name}: {noticed[name]}' for name in list(SUITES)[: list(SUITES).index(options.suite) + 1]
            )
            table.append(f'{game}: {noticed["tried"]} changes; noticed by {shares}')
    print('\n'.join(table))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
