"""Workers as processes of their own, which can be killed."""

from __future__ import annotations

from pathlib import Path

from tests.programs import Program

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


class WorkerProcess(Program):
    """A worker for the toy game. `lease`: seconds after which its jobs are lost when it is dead. It has a
    kind of job more, `hang`: it says so, and comes to no end."""

    def __init__(self, database: str, data: Path, lease: float = 5.0) -> None:
        environment = {
            'LUDOTECA_DATABASE': database,
            'LUDOTECA_DATA': str(data),
            'NUMBA_DISABLE_JIT': '1',  # the toy game has no need of a compiler
        }
        super().__init__(WORKER, lease, environment=environment)

    def line(self) -> str:
        """The next line that it prints: its id, then `at it` for each job that hangs."""
        assert self.process.stdout
        found = self.process.stdout.readline().strip()
        assert found, self.errors()
        return found
