"""Worker processes do not outlive the process that has begun them; what keeps them from beginning is said."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PATIENCE = 60.0
"""Seconds; far more than it takes."""


def stay(folder: str, number: int) -> None:
    """A job that says who works on it, and goes on for longer than the test."""
    Path(folder, str(number)).write_text(str(os.getpid()))
    time.sleep(20 * PATIENCE)


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f'/proc/{process}/stat')
    return not (stat.exists() and stat.read_text().rpartition(')')[2].split()[0] == 'Z')


def test_a_script_without_a_guard_is_told_what_to_write(tmp_path: Path) -> None:
    script = tmp_path / 'program.py'
    script.write_text(
        'from ludoteca.research.processes import results\nlist(results(abs, [(-1,), (-2,)], 2))\n'
    )
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 1
    assert ended.stderr.count('Traceback') == 1, 'workers are silent'
    assert "Put what it does under if __name__ == '__main__'" in ended.stderr.splitlines()[-1]


@pytest.mark.skipif(sys.platform == 'win32', reason='Windows has no such signals')
@pytest.mark.parametrize('stop', [signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent_when_it_is_stopped(tmp_path: Path, stop: signal.Signals) -> None:
    if signal.getsignal(stop) is signal.SIG_IGN:
        pytest.skip('started in the background: interrupts are ignored')
    program = (
        'import sys\n'
        'from ludoteca.research.processes import results\n'
        'from tests.research.test_processes import stay\n'
        'if __name__ == "__main__":\n'
        '    list(results(stay, [(sys.argv[1], 0), (sys.argv[1], 1)], 2))\n'
    )
    script = tmp_path / 'program.py'
    script.write_text(program)
    folder = tmp_path / 'workers'
    folder.mkdir()
    known = filter(None, [os.environ.get('PYTHONPATH')])
    path = os.pathsep.join((*known, str(Path(__file__).parents[2])))
    command = [sys.executable, str(script), str(folder)]
    parent = subprocess.Popen(command, env={**os.environ, 'PYTHONPATH': path}, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + PATIENCE
        while len(list(folder.iterdir())) < 2 or not all(one.read_text() for one in folder.iterdir()):
            assert time.monotonic() < until
            assert parent.poll() is None
            time.sleep(0.05)
        workers = [int(one.read_text()) for one in folder.iterdir()]
        assert all(map(lives, workers))
        parent.send_signal(stop)
        parent.wait(PATIENCE)
        while any(map(lives, workers)):
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        parent.kill()
        parent.wait()
        for one in folder.iterdir():  # whatever has failed, nothing stays
            with contextlib.suppress(ProcessLookupError, ValueError):
                os.kill(int(one.read_text()), signal.SIGKILL)
