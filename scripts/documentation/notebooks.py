"""Where notebooks run, and how long their results are kept.

The notebooks of the gallery are run when the documentation is built. Their results are kept by content: of
the notebook's code, and of the program that it calls, so that a picture never shows what an older program
did.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / 'build' / 'notebooks'
PROFILE = """\
c.InlineBackend.figure_formats = {'svg'}
c.InlineBackend.rc = {}
c.HistoryManager.enabled = False
"""
"""Settings of IPython: plots as SVG; nothing is written outside."""
NOT_CALLED = ('web', 'cli', 'store', 'work')
"""Parts of the package that no notebook of the gallery calls."""


def set_up(app: Any) -> None:
    """Called by Sphinx."""
    app.connect('config-inited', _prepare, priority=100)


def _prepare(app: Any, config: Any) -> None:
    profile = KEPT / 'ipython' / 'profile_default'
    profile.mkdir(parents=True, exist_ok=True)
    (profile / 'ipython_config.py').write_text(PROFILE)
    os.environ.update(
        IPYTHONDIR=str(KEPT / 'ipython'),
        MPLCONFIGDIR=str(KEPT / 'matplotlib'),
        MATPLOTLIBRC=str(Path(app.srcdir) / 'gallery' / 'matplotlibrc'),
        PYTHONPATH=os.pathsep.join(filter(None, (str(ROOT / 'src'), os.environ.get('PYTHONPATH')))),
        JUPYTER_PLATFORM_DIRS='1',
    )
    config.nb_execution_cache_path = str(KEPT / program_digest())


def program_digest() -> str:
    """A digest of the program that notebooks call, and of the look of plots."""
    digest = hashlib.blake2b(digest_size=8)
    package = ROOT / 'src' / 'ludoteca'
    for path in sorted(path for path in package.rglob('*') if path.suffix in ('.py', '.json', '.toml')):
        if path.relative_to(package).parts[0] not in NOT_CALLED:
            digest.update(path.relative_to(package).as_posix().encode() + b'\0' + path.read_bytes())
    digest.update((ROOT / 'docs' / 'gallery' / 'matplotlibrc').read_bytes())
    return digest.hexdigest()
