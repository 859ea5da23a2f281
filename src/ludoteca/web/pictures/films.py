"""Films of matches, made beside the requests: in a process each, one after the other, with their progress,
and given up when nobody wants them any more."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Literal

from ludoteca.drawing.film import Kind
from ludoteca.game import GameError
from ludoteca.text import words
from ludoteca.web.pictures.rasters import Failed, PictureWorker
from ludoteca.web.serving.errors import Busy, NotFound

log = logging.getLogger(__name__)

Draw = Callable[[int], Awaitable[tuple[str, int]]]
"""Draws the frame of this number: its picture, and the milliseconds that it is shown. Raises GameError."""

MOST_WAITING = 8
"""Films that wait or are made, of all people,"""
MOST_OWN = 2
"""and of one."""
KEPT_BYTES = 96 << 20
MOST_KEPT = 200
SECONDS = 600.0
"""No film takes longer."""
LARGEST = 24 << 20
"""Bytes of the largest film: a longer one is refused with a sentence."""


@dataclass(eq=False)
class Film:
    """A film that somebody wants: how many of its frames are done, and the film when all are."""

    id: str
    kind: Kind
    name: str
    total: int
    done: int = 0
    state: Literal['waiting', 'making', 'ready', 'failed'] = 'waiting'
    sentence: str = ''
    data: bytes = b''
    owners: set[str] = field(default_factory=set)
    task: asyncio.Task[None] | None = None
    begun: float = 0.0  # when its first frame was done, by a clock that only counts seconds

    @property
    def seconds(self) -> int | None:
        """In about how many seconds it is ready, as quickly as its frames were made after the slow first one;
        None if none was."""
        if self.state != 'making' or self.done < 2:
            return None
        left = (time.monotonic() - self.begun) / (self.done - 1) * (self.total - self.done)
        return math.ceil(left / 5) * 5


class Films:
    """All films. A film belongs to those who have asked for it; others learn how many come before theirs."""

    def __init__(self) -> None:
        self._films: OrderedDict[str, Film] = OrderedDict()
        self._turn = asyncio.Lock()

    def want(
        self, owner: str, key: Hashable, kind: Kind, name: str, width: int, total: int, draw: Draw
    ) -> Film:
        """Somebody wants a film of so many frames. `key`: a value that films have in common only if they show
        the same, who may see it included. Raises Busy."""
        id_ = hashlib.blake2b(repr((key, kind, width, total)).encode(), digest_size=12).hexdigest()
        film = self._films.get(id_)
        if film is not None and film.state != 'failed':
            film.owners.add(owner)
            if film.state == 'ready':  # the others are made in their order
                self._films.move_to_end(id_)
            return film
        going_on = [one for one in self._films.values() if one.state in ('waiting', 'making')]
        if sum(owner in one.owners for one in going_on) >= MOST_OWN or len(going_on) >= MOST_WAITING:
            raise Busy(words('web.film.busy'))
        self._forget()
        film = self._films[id_] = Film(id_, kind, name, total, owners={owner})
        film.task = asyncio.ensure_future(self._make(film, width, draw))
        return film

    def find(self, owner: str, id_: str) -> Film:
        """A film that somebody has asked for. Raises NotFound."""
        film = self._films.get(id_)
        if film is None or owner not in film.owners:
            raise NotFound(words('web.film.none'))
        return film

    def ahead(self, film: Film) -> int:
        """How many films come before one that waits."""
        going_on = [one for one in self._films.values() if one.state in ('waiting', 'making')]
        return going_on.index(film) if film.state == 'waiting' else 0

    def give_up(self, owner: str, id_: str) -> None:
        """Somebody does not want a film any more: unless others do, it is not made. Raises NotFound."""
        film = self.find(owner, id_)
        film.owners.discard(owner)
        if not film.owners and film.state != 'ready':
            self._drop(film)

    def _drop(self, film: Film) -> None:
        self._films.pop(film.id, None)
        if film.task is not None:
            film.task.cancel()

    async def _make(self, film: Film, width: int, draw: Draw) -> None:
        worker = PictureWorker()
        try:
            async with self._turn, asyncio.timeout(SECONDS):
                film.state = 'making'
                await worker.ask({'do': 'film', 'kind': film.kind, 'width': width})
                if film.kind == 'gif':
                    for at in sorted({0, film.total // 2, film.total - 1}):
                        await worker.ask({'do': 'palette'}, (await draw(at))[0].encode())
                for at in range(film.total):
                    svg, millis = await draw(at)
                    await worker.ask({'do': 'frame', 'millis': millis}, svg.encode())
                    film.done = at + 1
                    film.begun = film.begun or time.monotonic()
                data = await worker.ask({'do': 'end'}, seconds=SECONDS)
            if len(data) > LARGEST:
                raise GameError(words('web.film.large', most=LARGEST >> 20))
            film.data, film.state = data, 'ready'
            self._forget()
        except GameError as problem:
            film.state, film.sentence = 'failed', str(problem)
        except TimeoutError:
            film.state, film.sentence = 'failed', words('web.film.slow', minutes=f'{SECONDS / 60:g}')
        except Failed as problem:
            log.warning('A film could not be made: %s', problem)
            film.state, film.sentence = 'failed', words('web.film.failed')
        except asyncio.CancelledError:
            film.state, film.sentence = 'failed', words('web.film.failed')
            raise
        except Exception:
            log.exception('A film could not be made')
            film.state, film.sentence = 'failed', words('web.film.failed')
        finally:
            await worker.end()

    def _forget(self) -> None:
        """Keep the films asked for last, as many as there is room for."""
        done = [film for film in self._films.values() if film.state in ('ready', 'failed')]
        kept = 0
        for number, film in enumerate(reversed(done)):
            kept += len(film.data)
            if kept > KEPT_BYTES or number >= MOST_KEPT:
                del self._films[film.id]

    async def close(self) -> None:
        """Give up all films."""
        tasks = [film.task for film in self._films.values() if film.task is not None]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task
