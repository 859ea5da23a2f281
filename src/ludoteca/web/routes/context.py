"""One request: who asks, of which server, and which tables this visitor may have.

Routes are given their context by a dependency: `async def route(context: Asked, ...)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from ludoteca.store import Person, Store, Table
from ludoteca.text import words
from ludoteca.web.live.guide import Learnt
from ludoteca.web.live.reviews import Reviewer
from ludoteca.web.live.server import TableServer
from ludoteca.web.live.table import LiveTable
from ludoteca.web.offers.catalogue import is_known
from ludoteca.web.people.visitors import Visitor, Visitors
from ludoteca.web.pictures.films import Films
from ludoteca.web.pictures.rasters import Rasters
from ludoteca.web.serving.errors import Busy, NotFound
from ludoteca.web.serving.security import Buckets

TableId = Annotated[str, Path(max_length=32, description='Id of the table.')]
SeatQuery = Annotated[
    int | None, Query(ge=-1, le=8, description='Through which of your seats; -1: as a spectator.')
]
PastQuery = Annotated[int | None, Query(ge=0, description='After that many turns; without it, now.')]
ThemeQuery = Annotated[Literal['light', 'dark'], Query()]
EyesQuery = Annotated[
    int | None,
    Query(
        ge=-1,
        le=8,
        description='Of a match that is over: what this seat knew then (-1: a spectator), '
        'instead of everything.',
    ),
]
LinkToken = Annotated[str, Path(max_length=100)]


@dataclass(frozen=True)
class Context:
    """A request and its visitor. access.py has settled already whether the visitor may ask at this
    address."""

    request: Request
    server: TableServer
    visitors: Visitors
    visitor: Visitor

    @property
    def store(self) -> Store:
        """The database."""
        return self.server.store

    @property
    def reviewer(self) -> Reviewer:
        """Who makes reviews."""
        found: Reviewer = self.request.app.state.reviewer
        return found

    @property
    def rasters(self) -> Rasters:
        """Who makes PNG pictures."""
        found: Rasters = self.request.app.state.rasters
        return found

    @property
    def films(self) -> Films:
        """Who makes films."""
        found: Films = self.request.app.state.films
        return found

    @property
    def brings_cookies(self) -> bool:
        """Does a browser ask? A program without cookies needs tokens."""
        return 'cookie' in self.request.headers

    def check_rate(self, buckets: str, key: str | None = None) -> None:
        """Raises Busy if `key`, by default the address of the client, does something too often."""
        found: Buckets = self.request.app.state.buckets[buckets]
        client = self.request.client
        address = client.host if client else ''
        if not found.take(address if key is None else key):
            raise Busy(words('web.error.too_many'))

    async def settle(self) -> Person:
        """The visitor as a person of the database, made now if there is none."""
        return await self.visitors.settle(self.visitor)

    async def look(self, table: str) -> LiveTable:
        """A table that the visitor may see. Raises NotFound."""
        return await self.server.look(table, self.visitor)

    async def look_at_match(self, table: str) -> LiveTable:
        """The same for a table whose match has begun. Raises NotFound, or GameError before it has."""
        live = await self.look(table)
        live.check_ready()
        return live

    async def tables(self) -> tuple[tuple[Table, ...], tuple[Table, ...], tuple[Table, ...]]:
        """The visitor's tables, those that wait for the visitor first; the open ones, the newest first; and
        those of others at which anybody may look on. Tables of games that this server lacks are left out."""
        return await run_in_threadpool(self._tables)

    def _tables(self) -> tuple[tuple[Table, ...], tuple[Table, ...], tuple[Table, ...]]:
        own = self.visitor.id
        mine = self.store.tables_of(own) if own else ()
        others = [table for table in self.store.watchable_tables() if not table.seats_of(own)]
        return _known(mine), _known(self.store.open_tables()), _known(others)

    async def learnt(self) -> Learnt:
        """How far the visitor has come in lessons."""
        own = self.visitor.id
        return Learnt(await run_in_threadpool(self.store.lessons_of, own)) if own else Learnt()

    async def join(self, table: str, invite: str | None = None) -> LiveTable:
        """Take an open seat, with an invitation or at a listed table. Raises GameError."""
        self.check_rate('joins')
        person, visitor = await self.settle(), self.visitor
        live = await self.server.live(table)
        if invite is not None or not live.seats_of(visitor):
            await self.server.join(live, person.id, invite, visitor.name, visitor.preferences.colour)
        return live

    async def accept(self, invite: str) -> LiveTable:
        """Take a seat at the table that an invitation opens. Raises GameError."""
        found = await run_in_threadpool(self.store.invited, invite)
        if found is None:
            raise NotFound(words('web.error.invite_wrong'))
        return await self.join(found, invite)

    async def rematch(self, live: LiveTable, best_of: int) -> str:
        """Ask for a rematch: its id, if it has begun. Raises GameError."""
        live.check_ready()
        self.check_rate('tables')
        return await self.server.rematch(live, self.visitor, best_of)

    async def watch(self, token: str) -> LiveTable:
        """The table that a link lets the visitor look at from now on. Raises NotFound."""
        table = await run_in_threadpool(self.store.watched, token)
        if table is None:
            raise NotFound(words('web.error.watch_wrong'))
        live = await self.server.live(table)
        if not live.may_look(self.visitor):
            self.visitor.watch(table)
        return live


async def context_of(request: Request) -> Context:
    """The context of a request."""
    server: TableServer = request.app.state.server
    visitors: Visitors = request.app.state.visitors
    return Context(request, server, visitors, await visitors.who(request))


Asked = Annotated[Context, Depends(context_of)]


def _known(tables: Iterable[Table]) -> tuple[Table, ...]:
    return tuple(table for table in tables if is_known(table.game))
