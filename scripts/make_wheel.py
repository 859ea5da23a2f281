#!/usr/bin/env python3
"""Build wheels into dist/ (`make wheel`), or into the folder given.

    ludoteca-VERSION-py3-none-any.whl                  for every computer; rules are compiled there
    ludoteca-VERSION-cp3XX-none-linux_x86_64.whl       for this Python, with all rules compiled for x86-64-v3

The second one is built where Python runs on Linux on such a processor. Its kernels are found by the digest of
all that they depend on, so on another processor, or with another Numba or NumPy, they are passed over and
compiled anew. Run it with each Python that wheels are wanted for: `make wheel VENV=.venv-3.12
PYTHON=python3.12`.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def build(folder: str, **variables: str) -> None:
    subprocess.run(
        [sys.executable, '-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder],
        cwd=ROOT,
        check=True,
        env={**os.environ, **variables},
    )


def compiled_for_others() -> bool:
    """Does this computer compile for the processor that other people have, too?"""
    if platform.system() != 'Linux' or sys.implementation.name != 'cpython':
        return False
    from numba.core import config

    from ludoteca.kernel import machine

    return bool(config.CPU_NAME == machine.PROCESSOR)


def main(folder: str = 'dist') -> int:
    build(folder)
    if not compiled_for_others():
        print('No wheel with compiled rules: it wants CPython on Linux on an x86-64-v3 processor.')
        return 0
    with tempfile.TemporaryDirectory() as cache:
        subprocess.run(
            [sys.executable, '-m', 'ludoteca.cli', 'prepare'],
            check=True,
            env={**os.environ, 'LUDOTECA_CACHE': cache, 'LUDOTECA_CHECKED': '0'},
        )
        build(folder, LUDOTECA_COMPILED=str(Path(cache) / 'kernels'), LUDOTECA_PLATFORM='linux_x86_64')
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
