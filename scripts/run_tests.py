#!/usr/bin/env python3
"""Run the checks and tests of the project, and close with one line that counts the tests.

    run_tests.py lint           the checks that run no test (`make lint`)
    run_tests.py check          what a change needs, by the files that git says changed (`make check`)
    run_tests.py check GAME     what a change of one game needs (`make check GAME=...`)
    run_tests.py test           every check, and every rule, promise and page once (`make test`)
    run_tests.py test-all       every check, and every test at full width (`make test-all`)
    run_tests.py test-all --after-test      the same without what `test` has just proven

`test` and `test-all` have three lanes side by side:

    lane 1   the kernels are compiled into the cache; then the compiled suite, in parallel
    lane 2   when the kernels are there, the tests that click through pages in Chromium, which wait more than
             they work, and take longest
    lane 3   ruff, import-linter and tsc, which take seconds; the interpreted suite: kernels as plain Python,
             every warning an error, the rules' branches measured; mypy. It takes what the others leave of the
             processor

A step's output is printed when the step ends, so that lanes don't mix. At the end each step's time is
printed, by the clock and of the processor. The exit code is 0 only if every step succeeded.
docs/development.md says which suite proves what.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / 'src/ludoteca/web/static'
IN_CI = os.environ.get('CI') == 'true'
PLACES = ('src', 'tests', 'scripts', 'benchmarks')
RULES = 'src/ludoteca/games/*/rules.py'
RULES_FLOOR = 95.0
"""Least percentage of lines and branches of each game's rules that the interpreted suite runs through."""
MINUTES = float(os.environ.get('LUDOTECA_STEP_MINUTES', '60'))
"""A step that takes longer is stopped, and has failed."""
PROCESSES = os.environ.get('LUDOTECA_TEST_PROCESSES', str(min(max(os.cpu_count() or 2, 2), 4)))
"""Processes of the compiled suite: as many as cores, from two to four. Each reads all tests and loads all
kernels, which takes seven seconds."""
BROWSERS = {'narrow': str(min(max((os.cpu_count() or 2) - 1, 1), 3)), 'wide': '3'}
"""Processes of the browser tests. Each has a server and a Chromium of its own, and waits half of the time. Of
two cores one process fills what the compiled suite leaves, and ends before it; wide, there is more to do."""
NO_TESTS_COLLECTED, SOME_FAILED = 5, 1  # exit codes of pytest
UNSTEADY = 4
"""As many failed tests of a suite are run once more, when the others have ended."""
WITHOUT_BROWSER = '--ignore=tests/browser'
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != 'PYTHONDONTWRITEBYTECODE'}
"""The environment of every step. Bytecode that Python and pytest write is kept: without it each process takes
15 s to prepare the tests."""
GENTLE = 5
"""Niceness of what is not waited for: it gives way to the compiler and to the tests in Chromium."""
VENDORED = {
    'idiomorph.js': 'idiomorph/dist/idiomorph.esm.js',
    'idiomorph.d.ts': 'idiomorph/dist/idiomorph.d.ts',
    'idiomorph.LICENSE': 'idiomorph/LICENSE',
}
"""Files under static/vendor, and the file in node_modules of which each is a copy."""


@dataclass
class Step:
    """What a step took: seconds by the clock, seconds of the processor with all its processes, and how many
    tests it ran."""

    name: str
    clock: float
    processor: float
    tests: int = 0


@dataclass
class Report:
    """What has happened so far. Steps of all lanes write to it."""

    scratch: Path
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    steps: list[Step] = field(default_factory=list)
    failed_steps: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    running: set[subprocess.Popen[bytes]] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopping: bool = False

    def stop(self) -> None:
        """End what is running, with all its children."""
        with self.lock:
            self.stopping = True
            for process in self.running:
                kill(process)

    def table(self) -> str:
        """What each step took."""
        rows = [
            f'{step.clock:7.0f} s {step.processor:7.0f} s  {step.tests or "":>6}  {step.name}\n'
            for step in self.steps
        ]
        return f'    clock processor   tests  step\n{"".join(rows)}'


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started as the head of a group of its own, and the group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def say(report: Report, step: Step, ok: bool, output: str) -> None:
    """Print how a step went, and remember its times and a failure."""
    with report.lock:
        verdict = 'ok' if ok else 'FAILED'
        print(f'\n=== {step.name}: {verdict} ({step.clock:.0f} s)\n{output.rstrip()}', flush=True)
        report.steps.append(step)
        if not ok:
            report.failed_steps.append(step.name)


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code (-1: stopped), all that it printed, and what it took."""

    code: int
    output: str
    clock: float
    processor: float


def execute(
    report: Report, command: list[str], env: dict[str, str] | None = None, gentle: bool = False
) -> Ended:
    """Run a command to its end or to the time limit."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as out:
        with report.lock:
            if report.stopping:
                return Ended(-1, 'not started\n', 0, 0)
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**ENVIRONMENT, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            report.running.add(process)
        if gentle:
            be_gentle(process.pid)
        limit = threading.Timer(MINUTES * 60, kill, (process,))
        limit.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            kill(process)
            raise
        finally:
            ran_out = not limit.is_alive()
            limit.cancel()
            with report.lock:
                report.running.discard(process)
        process.returncode = code = -1 if ran_out else os.waitstatus_to_exitcode(status)
        ending = f'\nstopped: it took longer than {MINUTES:g} minutes\n' if ran_out else ''
        out.seek(0)
        text = out.read().decode(errors='replace') + ending
        return Ended(code, text, time.monotonic() - began, usage.ru_utime + usage.ru_stime)


def be_gentle(head: int) -> None:
    """Let a process that is the head of its session, and what it starts, give way to other steps. Where Linux
    shares the processor among sessions (`sched_autogroup_enabled`), the niceness of a process counts within
    its session only, and that of the session among them."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, head, os.getpriority(os.PRIO_PROCESS, head) + GENTLE)
    with contextlib.suppress(OSError):
        Path(f'/proc/{head}/autogroup').write_text(str(GENTLE), 'ascii')


def step(
    report: Report, name: str, command: list[str], env: dict[str, str] | None = None, gentle: bool = False
) -> bool:
    """Run a command that succeeds with exit code 0."""
    ended = execute(report, command, env, gentle)
    say(report, Step(name, ended.clock, ended.processor), ended.code == 0, ended.output)
    return ended.code == 0


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


# ---- checks ------------------------------------------------------------------------------------------------


def lint(report: Report) -> None:
    """The checks that run no test."""
    quick_checks(report)
    types(report)


def quick_checks(report: Report) -> None:
    """Those that take seconds."""
    step(report, 'ruff', python('-m', 'ruff', 'check', '.'))
    step(report, 'ruff format', python('-m', 'ruff', 'format', '--check', '--quiet', *PLACES))
    step(report, 'import-linter', [str(Path(sys.executable).with_name('lint-imports')), '--no-logo'])
    browser_modules(report)


def types(report: Report) -> None:
    step(report, 'mypy', python('-m', 'mypy', *PLACES), gentle=True)


def browser_modules(report: Report) -> None:
    """Type-check the browser's modules; the vendored ones are the published files, byte for byte."""
    if not (shutil.which('npm') and shutil.which('node')):
        if IN_CI:
            say(
                report,
                Step('tsc', 0, 0),
                False,
                "Node.js and npm are missing; CI must check the browser's modules.",
            )
        else:
            report.notes.append("the browser's modules were not checked: Node.js and npm are not installed")
        return
    installed = ROOT / 'node_modules/.package-lock.json'
    if not installed.exists() or installed.stat().st_mtime < (ROOT / 'package-lock.json').stat().st_mtime:
        if not step(report, 'npm ci', ['npm', 'ci', '--no-audit', '--no-fund']):
            return
        installed.touch()
    step(report, 'tsc', ['node', 'node_modules/typescript/bin/tsc', '--project', 'tsconfig.json'])
    changed = [
        name
        for name, source in VENDORED.items()
        if (STATIC / 'vendor' / name).read_bytes() != (ROOT / 'node_modules' / source).read_bytes()
    ]
    if changed:
        names = ', '.join(changed)
        say(
            report,
            Step('vendored files', 0, 0),
            False,
            f'Not as published: {names}. `npm run vendor` copies them anew.',
        )


# ---- suites ------------------------------------------------------------------------------------------------


def prepare(report: Report) -> None:
    """Compile all kernels into the cache once, before several processes need them, and with checked indices,
    as the tests run them."""
    step(report, 'prepare', python('-m', 'ludoteca.cli', 'prepare'), {'LUDOTECA_CHECKED': '1'})


@dataclass(frozen=True)
class Result:
    """What pytest counted: tests that passed, the names of those that failed, tests that were skipped."""

    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: int = 0

    @classmethod
    def of(cls, counts: Path) -> Result:
        """What a file of pytest's JUnit report says; nothing if there is no file."""
        if not counts.exists():
            return cls()
        cases = list(ElementTree.parse(counts).getroot().iter('testcase'))
        failed = [
            f'{case.get("classname")}::{case.get("name")}'
            for case in cases
            if case.find('failure') is not None or case.find('error') is not None
        ]
        skipped = sum(case.find('skipped') is not None for case in cases)
        return cls(len(cases) - len(failed) - skipped, failed, skipped)


def suite(
    report: Report,
    name: str,
    command: list[str],
    env: dict[str, str] | None = None,
    may_be_empty: bool = False,
    gentle: bool = False,
) -> bool:
    """Run pytest and count. Returns whether all tests passed. Where a few failed, they are run once more: a
    test that passes then is named at the end as unsteady, and is to be mended."""
    command = [*command, '-o', 'junit_family=xunit2', '-o', f'cache_dir={report.scratch / name}-cache']
    counts = report.scratch / f'{name}.xml'
    ended = execute(report, [*command, f'--junitxml={counts}'], env, gentle)
    if ended.code == NO_TESTS_COLLECTED and may_be_empty:
        report.notes.append(f'{name}: there was nothing to run')
        return True
    result = Result.of(counts)
    ok = ended.code == 0
    output, clock, processor = ended.output, ended.clock, ended.processor
    if ended.code == SOME_FAILED and len(result.failed) <= UNSTEADY:
        once_more = report.scratch / f'{name}-again.xml'
        ended = execute(report, [*command, '--last-failed', f'--junitxml={once_more}'], env, gentle)
        ok = ended.code == 0 and Result.of(once_more).passed >= len(result.failed)
        output += f'\n--- what failed, once more ---\n{ended.output}'
        clock, processor = clock + ended.clock, processor + ended.processor
        if ok:
            report.notes += [f'UNSTEADY: {test} failed, and passed once more' for test in result.failed]
            result = Result(result.passed + len(result.failed), [], result.skipped)
    with report.lock:
        report.passed += result.passed
        report.failed += len(result.failed)
        report.skipped += result.skipped
    say(report, Step(name, clock, processor, result.passed + len(result.failed)), ok, output)
    return ok


def pytest(*arguments: str, processes: str = PROCESSES) -> list[str]:
    parallel = ['-p', 'no:xdist'] if processes == '1' else ['-n', processes, '--dist', 'worksteal']
    return python('-m', 'pytest', *parallel, *arguments)


def compiled(report: Report, width: dict[str, str]) -> None:
    suite(report, 'compiled', pytest(WITHOUT_BROWSER, '-m', 'not interpreted and not browser'), env=width)


def interpreted(report: Report, width: dict[str, str]) -> None:
    data = report.scratch / 'coverage'
    measure = ['-m', 'coverage', 'run', '--append', '--branch', f'--include={RULES}', f'--data-file={data}']
    suite_of = ['-m', 'pytest', '-p', 'no:xdist', WITHOUT_BROWSER, '-m', 'interpreted']
    command = python('-W', 'error', *measure, *suite_of)
    proven = bool(width['LUDOTECA_PROVEN'])
    env = {'NUMBA_DISABLE_JIT': '1', **width}
    if suite(report, 'interpreted', command, env, may_be_empty=proven, gentle=True) and not proven:
        rules_floor(report, data)


def rules_floor(report: Report, data: Path) -> None:
    """Hold each game's rules to the floor. A rules file that no test ran counts as 0 %."""
    result = report.scratch / 'rules.json'
    measured: dict[str, float] = {}
    missing = ''
    if data.exists():
        execute(report, python('-m', 'coverage', 'json', f'--data-file={data}', '-o', str(result)))
        missing = execute(
            report, python('-m', 'coverage', 'report', f'--data-file={data}', '--show-missing')
        ).output
    if result.exists():
        files = json.loads(result.read_text('utf-8'))['files']
        measured = {name: float(entry['summary']['percent_covered']) for name, entry in files.items()}
    names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(RULES))
    table = ''.join(f'{measured.get(name, 0.0):6.1f} %  {name}\n' for name in names)
    ok = all(measured.get(name, 0.0) >= RULES_FLOOR for name in names)
    name = f'branch coverage of the rules, floor {RULES_FLOOR:g} %'
    say(report, Step(name, 0, 0), ok, table if ok else table + missing)


def browser(report: Report, width: dict[str, str]) -> None:
    processes = os.environ.get('LUDOTECA_BROWSERS', BROWSERS[width['LUDOTECA_WIDTH']])
    suite(
        report,
        'browser',
        pytest('tests/browser', '-m', 'browser', processes=processes),
        width,
        may_be_empty=bool(width['LUDOTECA_PROVEN']),
    )


def side_by_side(report: Report, *lanes: Callable[[], None]) -> None:
    """Run the lanes at the same time; whatever stops one of them stops all."""
    with ThreadPoolExecutor(len(lanes)) as pool:
        try:
            for lane in [pool.submit(lane) for lane in lanes]:
                lane.result()
        except BaseException:
            report.stop()
            raise


def everything(report: Report, width: str, proven: bool = False) -> None:
    """All suites. `proven`: without the checks and tests that `test` has just run and that do the same at
    this width."""
    env = {'LUDOTECA_WIDTH': width, 'LUDOTECA_PROVEN': 'narrow' if proven else ''}
    prepared = threading.Event()

    def first_lane() -> None:
        try:
            prepare(report)
        finally:
            prepared.set()
        compiled(report, env)

    def second_lane() -> None:
        prepared.wait()
        browser(report, env)

    def third_lane() -> None:
        # interpreted tests need no compiled kernels; the first process that reads the tests keeps their
        # bytecode, so it must not be one of several that begin at the same time
        if not proven:
            quick_checks(report)
        interpreted(report, env)
        if not proven:
            types(report)

    side_by_side(report, first_lane, second_lane, third_lane)


# ---- what a change needs -----------------------------------------------------------------------------------


def changed_files() -> list[str]:
    """What git says is not yet in the branch main, committed or not, and new files."""
    base = git('merge-base', 'HEAD', 'main') or ['HEAD']
    return sorted({*git('diff', '--name-only', base[0]), *git('ls-files', '--others', '--exclude-standard')})


def git(*arguments: str) -> list[str]:
    """The lines that git answers with; none if it fails."""
    answer = subprocess.run(['git', *arguments], cwd=ROOT, text=True, capture_output=True, check=False)
    return answer.stdout.split('\n')[:-1] if answer.returncode == 0 else []


def concerned(paths: list[str]) -> tuple[set[str], set[str]]:
    """The tests that a change of these files needs, as files and folders of tests/, and the games it needs
    them for.

    A test file needs itself, any other file of a test folder the folder; a game its own tests; a part of the
    package the test folder of its name; a page of docs/ the tests of what the docs say. The contract,
    `game/`, is held by the toy game.
    """
    tests, games = set[str](), set[str]()
    for path in map(Path, paths):
        match path.parts:
            case ['tests', *_, name] if name.startswith('test_') and path.suffix == '.py':
                tests.add(str(path))
            case ['tests', folder, _, *_]:
                tests.add(f'tests/{folder}')
            case ['src', 'ludoteca', 'games', game, _, *_]:
                games.add(game)
            case ['src', 'ludoteca', 'game.py'] | ['src', 'ludoteca', 'game', *_]:
                games.add('toy')
            case ['src', 'ludoteca', part, *_]:
                tests.add(f'tests/{part.removesuffix(".py")}')
            case ['docs', *_] | ['README.md']:
                tests |= {'tests/cli/test_docs.py', 'tests/docs/test_pages.py'}
            case ['scripts', *_]:
                tests.add('tests/scripts')
    return {test for test in tests if (ROOT / test).exists()}, games


def tests_of(game: str) -> list[str]:
    """The tests of a game: its own, those of its drawings, and what every game is held to."""
    places = [f'tests/{game}', f'tests/drawing/test_{game}.py', 'tests/conformance']
    return [place for place in places if (ROOT / place).exists()]


def check(report: Report, game: str) -> None:
    """What a change needs: of one game, or of what git says has changed, and then a little of everything."""
    tests, games = (set[str](), {game}) if game else concerned(changed_files())

    def fast(name: str, *arguments: str, **env: str) -> None:
        command = pytest(
            '-m', f'{"smoke" if name == "smoke" else "not slow"} and not browser', *arguments, processes='1'
        )
        suite(report, name, command, {'LUDOTECA_WIDTH': 'least', **env}, may_be_empty=True)

    def second_lane() -> None:
        for name in sorted(games):
            fast(name, *tests_of(name), LUDOTECA_GAME=name)
        if tests:
            fast('changed', *sorted(tests))
        if not game:
            fast('smoke')

    def first_lane() -> None:
        step(report, 'ruff', python('-m', 'ruff', 'check', '.'))
        step(report, 'ruff format', python('-m', 'ruff', 'format', '--check', '--quiet', *PLACES))
        step(report, 'mypy', python('-m', 'mypy', *PLACES))

    side_by_side(report, first_lane, second_lane)


# ---- the command line --------------------------------------------------------------------------------------


def job(arguments: list[str]) -> Callable[[Report], None] | None:
    """What the arguments ask for; None if they mean nothing."""
    match arguments:
        case ['lint']:
            return lint
        case ['check']:
            return lambda report: check(report, '')
        case ['check', game] if (ROOT / 'tests' / game).is_dir():
            return lambda report: check(report, game)
        case ['test']:
            return lambda report: everything(report, 'narrow')
        case ['test-all']:
            return lambda report: everything(report, 'wide')
        case ['test-all', '--after-test']:
            return lambda report: everything(report, 'wide', proven=True)
    return None


def main(arguments: list[str]) -> int:
    work = job(arguments)
    if work is None:
        print(__doc__)
        return 2
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='ludoteca-tests-') as scratch:
        report = Report(Path(scratch))
        try:
            work(report)
        except KeyboardInterrupt:
            report.stop()
            return 130
    print(f'\n=== {(time.monotonic() - start) / 60:.1f} minutes\n{report.table()}')
    for note in report.notes:
        print(f'note: {note}')
    for name in report.failed_steps:
        print(f'FAILED: {name}')
    if arguments != ['lint']:
        skipped = f', {report.skipped} skipped' if report.skipped else ''
        print(f'{report.passed} passed, {report.failed} failed{skipped}')
    return 1 if report.failed_steps else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
