"""Programs as bots: any program that reads a line of JSON and answers with a line of JSON.

What it is asked and what it may answer is in docs/bots.md. A program is started once for each process that
plays games, and asked for all seats that it has there, by one thread after another: every question stands by
itself. It is closed when the last tournament of its process that has it ends, else with the process.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import queue
import secrets
import shlex
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ludoteca.game import Game, GameError, State
from ludoteca.text import words

PATIENCE = 60.0
"""Seconds that a program may take for an action if nothing else is said."""
GRACE = 1.0
"""Seconds beyond a deadline, for reading and writing."""
SHOWN = 80  # characters of an answer in an error


class Program:
    """A running program. Raises GameError whenever it does not do as agreed."""

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding='utf-8',
                errors='backslashreplace',  # what is no UTF-8 is no JSON either, and can be shown
            )
        except (OSError, ValueError) as problem:
            reason = getattr(problem, 'strerror', None) or str(problem)
            raise GameError(words('program.error.not_started', name=name, reason=reason)) from problem
        self._answers: queue.Queue[str] = queue.Queue()
        self._asked = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()
        atexit.register(self.close)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._answers.put(line)
        self._answers.put('')  # it has ended

    def ask(self, question: Mapping[str, Any], seconds: float) -> Any:
        """What the program answers to a question within so many seconds, from when no other thread asks."""
        assert self._process.stdin is not None
        with self._asked:
            try:
                self._process.stdin.write(json.dumps(question) + '\n')
                self._process.stdin.flush()
                answer = self._answers.get(timeout=seconds)
            except (OSError, ValueError):  # it has ended; it was closed
                answer = ''
            except queue.Empty:
                self.close()
                raise GameError(
                    words('program.error.slow', name=self.name, seconds=f'{seconds:.3g}')
                ) from None
        if not answer:
            self.close()
            raise GameError(words('program.error.ended', name=self.name))
        try:
            return json.loads(answer)
        except (ValueError, RecursionError):
            raise GameError(words('program.error.not_json', name=self.name, answer=answer[:SHOWN])) from None

    def close(self) -> None:
        """End the program: its input is closed, and if that does not end it, it is stopped. Who asks for it
        next gets a new one."""
        atexit.unregister(self.close)
        with _lock:
            for place in [place for place, program in _programs.items() if program is self]:
                del _programs[place]
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_programs: dict[tuple[str, str], Program] = {}
_tournaments = Counter[tuple[str, str]]()  # of this process that have a program, by its name and command
_over = set[str]()  # tournaments of this process that have ended
_lock = threading.Lock()


def running(name: str, command: str, run: str = '') -> Program:
    """The program of this name in this process, the same for all its threads. Raises GameError if the
    tournament that it is for, `run`, has ended: a thread may begin a game in that moment."""
    with _lock:
        if run in _over:
            raise GameError(words('program.error.ended', name=name))
        if (name, command) not in _programs:
            _programs[name, command] = Program(name, command)
        return _programs[name, command]


@contextlib.contextmanager
def taking_part(programs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A tournament of this process has these programs, by name and command. They are closed at its end,
    unless another one has them too. What is given is its `run`, see `running`."""
    run = secrets.token_hex(8)
    with _lock:
        _tournaments.update(programs)
    try:
        yield run
    finally:
        with _lock:
            _over.add(run)
            _tournaments.subtract(programs)
            over = [_programs[one] for one in programs if one in _programs and not _tournaments[one]]
        for program in over:
            program.close()


class ProgramBot:
    """A seat that a program plays. It is told what its seat knows, and no more."""

    def __init__(self, name: str, command: str, run: str = '') -> None:
        self.name, self.command, self.run = name, command, run
        self._program: Program | None = None  # the same for a whole game

    def choose(self, game: Game, state: State, seat: int, seed: int, deadline: float | None) -> int:
        """See `search.Bot`."""
        out = np.empty(game.max_legal, np.int32)
        actions = out[: game.kernels.legal_actions(state, out)].tolist()
        names = [game.action_name(state, action) for action in actions]
        seconds = None if deadline is None else max(0.0, deadline - time.monotonic())
        question = {
            'game': game.name,
            'seat': seat,
            'seed': seed,
            'seconds': seconds,
            'legal': names,
            'position': game.to_json(state),
        }
        if self._program is None:
            self._program = running(self.name, self.command, self.run)
        answer = self._program.ask(question, PATIENCE if seconds is None else seconds + GRACE)
        chosen = answer.get('action') if isinstance(answer, dict) else answer
        if chosen not in names:
            text = json.dumps(answer)[:SHOWN]
            raise GameError(
                words('program.error.not_legal', name=self.name, answer=text, legal=', '.join(names[:8]))
            )
        return int(actions[names.index(chosen)])
