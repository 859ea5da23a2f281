#!/usr/bin/env python3
"""Run every check and every test of the project, and close with one line that counts the tests.

    run_tests.py          everything (`make test`)
    run_tests.py lint     the checks that run no test (`make lint`)

Two lanes side by side, one a core, and then the browser:

    lane 1   compile the kernels into the cache, then the compiled suite, in parallel
    lane 2   ruff, mypy, import-linter, tsc; then the interpreted suite: kernels as plain Python, every warning an
             error, the rules' branches measured
    last     the tests that click through pages in Chromium

A step's output is printed when the step ends, so that lanes don't mix. The exit code is 0 only if every step succeeded.
"""

from __future__ import annotations

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
STATIC = ROOT / "src/ludoteca/web/static"
IN_CI = os.environ.get("CI") == "true"
RULES = "src/ludoteca/games/*/rules.py"
RULES_FLOOR = 95.0
"""Least percentage of lines and branches of each game's rules that the interpreted suite runs through."""
MINUTES = float(os.environ.get("LUDOTECA_STEP_MINUTES", "25"))
"""A step that takes longer is stopped, and has failed."""
PROCESSES = os.environ.get("LUDOTECA_TEST_PROCESSES", "2")
NO_TESTS_COLLECTED = 5
VENDORED = {
    "idiomorph.js": "idiomorph/dist/idiomorph.esm.js",
    "idiomorph.d.ts": "idiomorph/dist/idiomorph.d.ts",
    "idiomorph.LICENSE": "idiomorph/LICENSE",
}
"""Files under static/vendor and where in node_modules each is a copy of."""


@dataclass
class Report:
    """What has happened so far. Steps of both lanes write to it."""

    scratch: Path
    passed: int = 0
    failed: int = 0
    skipped: int = 0
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


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started as the head of a group of its own, and the group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def say(report: Report, name: str, ok: bool, seconds: float, output: str) -> None:
    """Print how a step went and remember a failure."""
    with report.lock:
        verdict = "ok" if ok else "FAILED"
        print(f"\n=== {name}: {verdict} ({seconds:.0f} s)\n{output.rstrip()}", flush=True)
        if not ok:
            report.failed_steps.append(name)


def execute(report: Report, command: list[str], env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run a command to its end or to the time limit. Returns its exit code (-1: stopped) and all it printed."""
    with tempfile.TemporaryFile() as out:
        with report.lock:
            if report.stopping:
                return -1, "not started\n"
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            report.running.add(process)
        ending = ""
        try:
            code = process.wait(MINUTES * 60)
        except subprocess.TimeoutExpired:
            kill(process)
            process.wait()
            code, ending = -1, f"\nstopped: it took longer than {MINUTES:g} minutes\n"
        finally:
            with report.lock:
                report.running.discard(process)
        out.seek(0)
        return code, out.read().decode(errors="replace") + ending


def step(report: Report, name: str, command: list[str], env: dict[str, str] | None = None) -> bool:
    """Run a command that succeeds with exit code 0."""
    start = time.monotonic()
    code, output = execute(report, command, env)
    say(report, name, code == 0, time.monotonic() - start, output)
    return code == 0


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


# ---------------------------------------------------------------------------------------------------------- checks


def lint(report: Report) -> None:
    """The checks that run no test."""
    step(report, "ruff", python("-m", "ruff", "check", "."))
    places = [place for place in ("src", "tests", "scripts") if any((ROOT / place).rglob("*.py"))]
    step(report, "mypy", python("-m", "mypy", *places))
    step(report, "import-linter", [str(Path(sys.executable).with_name("lint-imports")), "--no-logo"])
    browser_modules(report)


def browser_modules(report: Report) -> None:
    """Type-check the browser's modules; the vendored ones are the published files, byte for byte."""
    if not (shutil.which("npm") and shutil.which("node")):
        if IN_CI:
            say(report, "tsc", False, 0, "Node.js and npm are missing; CI must check the browser's modules.")
        else:
            report.notes.append("the browser's modules were not checked: Node.js and npm are not installed")
        return
    installed = ROOT / "node_modules/.package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (ROOT / "package-lock.json").stat().st_mtime:
        if not step(report, "npm ci", ["npm", "ci", "--no-audit", "--no-fund"]):
            return
        installed.touch()
    step(report, "tsc", ["node", "node_modules/typescript/bin/tsc", "--project", "tsconfig.json"])
    changed = [
        name
        for name, source in VENDORED.items()
        if (STATIC / "vendor" / name).read_bytes() != (ROOT / "node_modules" / source).read_bytes()
    ]
    if changed:
        names = ", ".join(changed)
        say(report, "vendored files", False, 0, f"Not as published: {names}. `npm run vendor` copies them anew.")


# ----------------------------------------------------------------------------------------------------------- tests


def prepare(report: Report) -> None:
    """Compile all kernels into the cache, once, before several processes want them."""
    step(report, "prepare", python("-m", "ludoteca.cli", "prepare"))


def suite(report: Report, name: str, command: list[str], marker: str = "", env: dict[str, str] | None = None) -> bool:
    """Run pytest and count. `marker`: this suite may be empty, as long as no file in tests/ uses that marker.

    Returns whether tests ran and all passed.
    """
    start = time.monotonic()
    counts = report.scratch / f"{name}.xml"
    code, output = execute(report, [*command, f"--junitxml={counts}", "-o", "junit_family=xunit2"], env)
    if code == NO_TESTS_COLLECTED and marker and not marked(marker):
        report.notes.append(f"the {name} suite is still empty: nothing in tests/ is marked `{marker}`")
        return False
    if counts.exists():
        for group in ElementTree.parse(counts).getroot().iter("testsuite"):
            bad = int(group.get("failures", 0)) + int(group.get("errors", 0))
            skipped = int(group.get("skipped", 0))
            with report.lock:
                report.failed += bad
                report.skipped += skipped
                report.passed += max(0, int(group.get("tests", 0)) - bad - skipped)
    say(report, name, code == 0, time.monotonic() - start, output)
    return code == 0


def marked(marker: str) -> bool:
    """Whether any file in tests/ uses the marker."""
    return any(f"mark.{marker}" in path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py"))


def compiled(report: Report) -> None:
    prepare(report)
    command = python("-m", "pytest", "-n", PROCESSES, "--dist", "worksteal", "-m", "not interpreted and not browser")
    suite(report, "compiled", command)


def interpreted(report: Report) -> None:
    data = report.scratch / "coverage"
    measure = ["-m", "coverage", "run", "--branch", f"--include={RULES}", f"--data-file={data}"]
    command = python("-W", "error", *measure, "-m", "pytest", "-p", "no:xdist", "-m", "interpreted")
    if suite(report, "interpreted", command, "interpreted", {"NUMBA_DISABLE_JIT": "1"}):
        rules_floor(report, data)


def rules_floor(report: Report, data: Path) -> None:
    """Hold each game's rules to the floor. A rules file that no test ran counts as 0 %."""
    result = report.scratch / "rules.json"
    measured: dict[str, float] = {}
    missing = ""
    if data.exists():
        execute(report, python("-m", "coverage", "json", f"--data-file={data}", "-o", str(result)))
        _, missing = execute(report, python("-m", "coverage", "report", f"--data-file={data}", "--show-missing"))
    if result.exists():
        files = json.loads(result.read_text("utf-8"))["files"]
        measured = {name: float(entry["summary"]["percent_covered"]) for name, entry in files.items()}
    names = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(RULES))
    table = "".join(f"{measured.get(name, 0.0):6.1f} %  {name}\n" for name in names)
    ok = all(measured.get(name, 0.0) >= RULES_FLOOR for name in names)
    say(report, f"branch coverage of the rules, floor {RULES_FLOOR:g} %", ok, 0, table if ok else table + missing)


def browser(report: Report) -> None:
    # each process has a server and a Chromium of its own
    suite(report, "browser", python("-m", "pytest", "-n", PROCESSES, "--dist", "loadfile", "-m", "browser"), "browser")


def everything(report: Report) -> None:
    def second_lane(report: Report) -> None:
        lint(report)
        interpreted(report)

    lanes: list[Callable[[Report], None]] = [compiled, second_lane]
    with ThreadPoolExecutor(len(lanes)) as pool:
        try:
            for lane in [pool.submit(lane, report) for lane in lanes]:
                lane.result()
        except BaseException:
            report.stop()
            raise
    browser(report)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["lint"]):
        print(__doc__)
        return 2
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ludoteca-tests-") as scratch:
        report = Report(Path(scratch))
        try:
            (lint if arguments else everything)(report)
        except KeyboardInterrupt:
            report.stop()
            return 130
    print(f"\n=== {(time.monotonic() - start) / 60:.1f} minutes")
    for note in report.notes:
        print(f"note: {note}")
    for name in report.failed_steps:
        print(f"FAILED: {name}")
    if not arguments:
        skipped = f", {report.skipped} skipped" if report.skipped else ""
        print(f"{report.passed} passed, {report.failed} failed{skipped}")
    return 1 if report.failed_steps else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
