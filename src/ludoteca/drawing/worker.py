"""A process that makes pictures and films of SVG: `python -m ludoteca.drawing.worker FOLDER`.

Its files lie in the folder: whoever has started it removes what is left there when it was killed.

It reads orders from its input and answers on its output. An order is a line of JSON, followed by as many
bytes as its `size` says; so is an answer. It is given pictures that are drawn already, and so knows nothing
that their viewer may not know.

    {"do": "png", "width": 1200, "size": N} SVG              {"size": N} PNG
    {"do": "film", "kind": "gif", "width": 600, "size": 0}   {"size": 0}
    {"do": "palette", "size": N} SVG                         {"size": 0}
    {"do": "frame", "millis": 900, "size": N} SVG            {"size": 0}
    {"do": "end", "size": 0}                                 {"size": N} the film

What cannot be done is answered with `{"problem": "…", "size": 0}`.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from typing import Any, BinaryIO

from ludoteca.drawing import raster
from ludoteca.drawing.film import FilmEncoder

MEMORY = 3 << 30
"""Bytes of address space."""
SECONDS = 900
"""Of processor time."""
NICE = 10


class Orders:
    """What a worker does."""

    def __init__(self) -> None:
        self._film: FilmEncoder | None = None
        self._order: dict[str, Any] = {}
        self._palette: list[str] = []

    def answer(self, order: dict[str, Any], data: bytes) -> bytes:
        """The answer to an order. Raises ValueError, KeyError or RuntimeError for one that cannot be done."""
        match order['do']:
            case 'png':
                return raster.png(data.decode(), int(order['width']))
            case 'film':
                self._order, self._palette, self._film = order, [], None
            case 'palette':
                self._palette.append(data.decode())
            case 'frame':
                if self._film is None:
                    self._film = FilmEncoder(self._order['kind'], int(self._order['width']), self._palette)
                self._film.add(data.decode(), int(order['millis']))
            case 'end':
                if self._film is None:
                    raise ValueError('There is no film.')
                film, self._film = self._film, None
                return film.finish()
            case what:
                raise ValueError(f'There is no order {what}.')
        return b''


def limit() -> None:
    """Let everything else on the computer go first, and bound memory and time where the system can."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answer orders until there are no more."""
    orders = Orders()
    while line := source.readline():
        order = json.loads(line)
        data = source.read(order['size'])
        try:
            answer, head = orders.answer(order, data), {}
        except (ValueError, KeyError, RuntimeError, MemoryError) as problem:
            answer, head = b'', {'problem': f'{type(problem).__name__}: {problem}'}
        target.write(json.dumps({**head, 'size': len(answer)}).encode() + b'\n' + answer)
        target.flush()


if __name__ == '__main__':
    limit()
    if sys.argv[1:]:
        tempfile.tempdir = sys.argv[1]
    out = os.fdopen(os.dup(sys.stdout.fileno()), 'wb')
    sys.stdout = sys.stderr  # whatever a library prints is no answer
    serve(sys.stdin.buffer, out)
