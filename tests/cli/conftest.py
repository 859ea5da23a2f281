"""Commands are run in this process, as the console script runs them, or started in one of their own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

import ludoteca
from ludoteca.cli import main
from ludoteca.game import Game
from ludoteca.web.serving.preparation import Preparation


@dataclass(frozen=True)
class Answer:
    """What a command said."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    def json(self) -> Any:
        """Standard output, which must be one JSON value and nothing else."""
        return json.loads(self.out)


Run = Callable[..., Answer]


@contextmanager
def ready(game: Game) -> Iterator[Preparation]:
    """Stands for `prepared`, which would change how all kernels of this process run."""
    preparation = Preparation([game.name])
    preparation.skip()
    yield preparation


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command in an empty directory, with rules that are compiled already."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr('ludoteca.cli.terminal.prepared', ready)

    def call(*arguments: object, stdin: str | bytes = '') -> Answer:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, 'stdin', io.TextIOWrapper(io.BytesIO(data), encoding='utf-8'))
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Answer(status, out, err)

    return call


Start = Callable[..., 'subprocess.Popen[str]']


@pytest.fixture
def start() -> Start:
    """Start Python in a process of its own with these arguments; it finds the package and nothing else."""

    def call(*arguments: object, stdin: IO[str] | int = subprocess.DEVNULL) -> subprocess.Popen[str]:
        environment = {**os.environ, 'PYTHONPATH': str(Path(ludoteca.__file__).parent.parent)}
        return subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    return call
