"""Programs that tests start as processes of their own, and kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Program:
    """A process that runs the text of a program, with the package and the tests to import. `environment` is
    added to that of the tests."""

    def __init__(self, text: str, *arguments: object, environment: Mapping[str, str]) -> None:
        self._errors = tempfile.TemporaryFile('w+')  # noqa: SIM115 (closed by `end`)
        path = f'{ROOT / "src"}{os.pathsep}{ROOT}'
        self.process = subprocess.Popen(
            [sys.executable, '-c', text, *map(str, arguments)],
            env={**os.environ, **environment, 'PYTHONPATH': path},
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

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
