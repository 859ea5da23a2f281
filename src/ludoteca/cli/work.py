"""`work`: a worker on the database of some servers. It loads no package of a web server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from ludoteca.cli.common import fail
from ludoteca.cli.kernels import STEPS
from ludoteca.game import load
from ludoteca.kernel import compiled
from ludoteca.text import words

MOST = 256
LEVELS = ('debug', 'info', 'warning', 'error')
NEEDED = ('rules', 'knowledge', 'search')
"""The steps of `prepare` that a worker needs."""


def work(jobs: int | None, database: str | None, log: str) -> None:
    """Do jobs until the process is told to end."""
    from ludoteca.search import cores
    from ludoteca.store import Store
    from ludoteca.web.serving import logs
    from ludoteca.work.worker import Worker

    level = os.environ.get('LUDOTECA_LOG_LEVEL') or 'warning'
    if level not in LEVELS:
        fail('log_level', value=level)
    if jobs is not None and not 1 <= jobs <= MOST:
        fail('jobs', value=jobs, most=MOST)
    logs.set_up('json' if log == 'json' else 'text', level)
    store, warming = Store(database), Warming()
    try:
        worker = Worker(store, jobs or cores(), warming)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.end())
        print(words('cli.work.at', jobs=worker.threads, place=store.place), flush=True)
        worker.run()
    finally:
        warming.end()
        store.close()


class Warming:
    """Loads the rules of games. Processes beside this one compile them, and take the compiler's memory with
    them; what they could not do is done here."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._ended = False

    def __call__(self, name: str) -> None:
        """Load the rules of a game."""
        if compiled and not self._ended:
            command = [sys.executable, '-m', 'ludoteca', 'prepare', name]
            self._child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            self._child.wait()
        if self._ended:
            return
        game = load(name)
        for step in NEEDED:
            STEPS[step](game)

    def end(self) -> None:
        """Compile nothing more."""
        self._ended = True
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()
