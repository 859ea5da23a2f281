"""Workers as processes of their own, which can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORKER = """
import signal, sys, time
from ludoteca import game
from ludoteca.search.thinking import _stopped
from ludoteca.store import Store
from ludoteca.store import jobs as rows
from ludoteca.work import kinds, worker
from tests.toy import GAME
game.add(GAME)
rows.LEASE = float(sys.argv[1])

def hang(payload, conditions):
    print('at it', flush=True)
    while not _stopped.get()():
        time.sleep(0.01)
    return {}

kinds.KINDS['hang'] = hang
store = Store()
found = worker.Worker(store, 2, lambda name: None, ['toy'])
signal.signal(signal.SIGTERM, lambda *_: found.end())
print(found.id, flush=True)
found.run()
"""


class WorkerProcess:
    """A worker for the toy game. `lease`: seconds after which its jobs are lost when it is dead. It has a
    kind of job more, `hang`: it says so, and comes to no end."""

    def __init__(self, database: str, data: Path, lease: float = 5.0) -> None:
        self._errors = tempfile.TemporaryFile('w+')  # noqa: SIM115 (closed by `end`)
        self.process = subprocess.Popen(
            [sys.executable, '-c', WORKER, str(lease)],
            env={
                **os.environ,
                'LUDOTECA_DATABASE': database,
                'LUDOTECA_DATA': str(data),
                'NUMBA_DISABLE_JIT': '1',  # the toy game has no need of a compiler
                'PYTHONPATH': f'{ROOT / "src"}{os.pathsep}{ROOT}',
            },
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def line(self) -> str:
        """The next line that it prints: its id, then `at it` for each job that hangs."""
        assert self.process.stdout
        found = self.process.stdout.readline().strip()
        assert found, self.errors()
        return found

    def errors(self) -> str:
        """What it has written about trouble."""
        self._errors.seek(0)
        return self._errors.read()

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and wait for the end."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(30)
        self.process.kill()
        if self.process.stdout:
            self.process.stdout.close()
        self._errors.close()
        return self.process.wait()
