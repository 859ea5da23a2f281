"""Compiled and interpreted kernels are the same rules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conformance.trace import lines
from tests.width import width

ROOT = Path(__file__).resolve().parents[2]
SEEDS = width(1, 2)


def test_compiled_and_interpreted_give_the_same_hashes(name: str) -> None:
    """Every state, list, value, hidden state, guess and observation along several games of every
    configuration. Interpreted, every warning is an error: an integer that overflows there would do so
    silently when compiled."""
    env = {
        **os.environ,
        'NUMBA_DISABLE_JIT': '1',
        'PYTHONPATH': os.pathsep.join([str(ROOT / 'src'), str(ROOT)]),
    }
    command = [sys.executable, '-W', 'error', '-m', 'tests.conformance.trace', name, str(SEEDS)]
    result = subprocess.run(command, cwd=ROOT, env=env, text=True, capture_output=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == lines(name, SEEDS)
