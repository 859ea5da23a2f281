"""The documentation that `make docs` has built, as files. Its pages hold nothing inline and nothing from
elsewhere, so the policy of all other pages holds for them too."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / 'documentation'
"""Where `make docs` puts it; a wheel has it if it was there when the wheel was built."""
KINDS = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
}


class File(NamedTuple):
    """A file as it is served."""

    content: bytes
    kind: str
    tag: str


def is_built() -> bool:
    """Is there a documentation to be shown?"""
    return (FOLDER / 'index.html').is_file()


def file(path: str) -> File | None:
    """The file of that path; None if there is none. A path that leads out of the folder leads nowhere."""
    parts = Path(path or 'index.html').parts
    if any(part in ('..', '/') or '\\' in part or ':' in part or '\0' in part for part in parts):
        return None
    found = FOLDER.joinpath(*parts)
    try:
        changed = found.stat().st_mtime_ns
        return _read(found, changed)
    except OSError:
        return None


@lru_cache(maxsize=64)
def _read(path: Path, _changed: int) -> File:
    """A file in its present form."""
    content = path.read_bytes()
    kind = KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or 'text/plain; charset=utf-8'
    return File(content, kind, f'"{hashlib.blake2b(content, digest_size=8).hexdigest()}"')
